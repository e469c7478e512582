"""Who wrote an article: what data, bylines and links say, which of it counts, and the names in it without what stands around them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import compress, islice
from typing import NamedTuple

from webarticlecurator.dates.cldr import any_of
from webarticlecurator.extraction.metadata.sources import SECTIONS_TOLD, Clue, Offer, PageClues, is_visible, plain_text
from webarticlecurator.extraction.metadata.visible import LONGEST_LABEL, LONGEST_NAME, VisibleParts
from webarticlecurator.labelling.element_names import ClassHint, LinkKind
from webarticlecurator.model.links import TOLD_BY_FEED
from webarticlecurator.model.metadata import AgentKind, Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded, primary, squeeze
from webarticlecurator.urls import bare_host, is_http, join
from webarticlecurator.word_lists import read_word_lists

_NAMES_ALONE = frozenset({"html:rel-author", "html:author-link", "html:person-link", "html:author", "html:near-by"})
"""Places of the page that hold a name and nothing else, so that one word may be one."""
_SHOWN_ALONE = ("html:rel-author", "html:author-link", "html:author")
"""Those of them whose place the page itself calls one of an author."""
_MAY_BE_NAME = linear_at(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,3}")
READ_AS_NO_NAME = "author is not read, since this looks like no name"
_WEAK = "html:by"
"""Whose names may be anybody's, so that the portal's own goes before them."""
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Where organisations are mostly those that made the site."""
_OF_LIBRARIES = frozenset({"meta:citation_author", "meta:dc.creator", "meta:dcterms.creator"})


def choose_authors(known: PageClues) -> list[Offer]:
    """Others before the portal itself: its own name counts only where nothing else is said.

    What the page shows is read only where nothing better names an author.
    """
    authors: list[Offer] = []
    outlets: list[Offer] = []
    for source in known.sources_of("author"):
        visible = is_visible(source)
        if (visible and authors) or (source == _WEAK and any(offer[0].source != TOLD_BY_FEED["author"] for offer in outlets)):
            continue  # but many feeds name the portal as the author of all
        clues = known.get(source)
        if source in _OF_LIBRARIES:  # "Lee, Ann"
            parts = [clue.text.partition(", ") for clue in clues]
            clues = [
                clue._replace(text=f"{given} {family}")
                if comma and "," not in given and (" " not in family or family[0].islower())
                else clue
                for clue, (family, comma, given) in zip(clues, parts, strict=True)
            ]
        names = names_in(clues, known.clock.language, source=source, visible=visible, alone=source in _NAMES_ALONE)
        if names and (source in _BY_SITE_MAKERS or visible):
            sections = set(map(folded, known.texts(*SECTIONS_TOLD)))
            names = [name for name in names if folded(name.value) not in sections]
        others = [name for name in names if not _is_own(name, known)]
        if names:
            offer = [replace(name, url=_page_url(name.url, known)) if name.url else name for name in others or names]
            (authors if others else outlets).append(offer)
    offers = [*authors, *outlets]
    return [[_with_page(author, known) for author in offer] for offer in offers[:1]] + offers[1:]


def unread_names(known: PageClues, authors: Sequence[Found]) -> Iterator[str]:
    """What stands where the page shows the names of its authors, and nobody was known by: which may be one whose name is rare."""
    for source in _SHOWN_ALONE:
        for text in known.texts(source) if not authors or authors[0].source == source else ():
            is_name = _MAY_BE_NAME.fullmatch(text) and not _starts_with_by(text, known.clock.language) and folded(text) not in known.outlets
            if is_name and not any(folded(author.value) in folded(text) for author in authors):
                yield text


def _is_own(name: Found, known: PageClues) -> bool:
    """Whether a name is the portal's own, or of those that made its site; an editor's office begins with it where it is shown."""
    if (name.source in _BY_SITE_MAKERS and name.kind == "organization") or folded(name.value) in known.outlets:
        return True
    return is_visible(name.source) and folded(name.value.split()[0]) in known.outlets


def _with_page(author: Found, known: PageClues) -> Found:
    """With the page that a link with that name leads to, where the data have no other, or but a name for it within this page or site."""
    parts = known.parts
    if parts is None or (author.url and "#" not in author.url):
        return author
    key, outline = folded(author.value), parts.outline
    places = compress(range(len(outline.lengths)), map(len(author.value).__eq__, outline.lengths))
    called = (outline.owners[place] for place in places if folded(outline.strings[place]) == key)
    for link in filter(None, map(parts.link_around, called)):
        if link not in parts.samples and parts.kind_of(link) in ("rel-author", LinkKind.AUTHOR, LinkKind.PERSON):
            return replace(author, url=_page_url(outline.elements[link].get("href") or "", known))
    return author


def _page_url(written: str, known: PageClues) -> str:
    """The address of a page about somebody; the front page of the portal is about nobody."""
    if not written or " " in written or linear(r"#/?(?:schema/)?person\b", re.IGNORECASE).search(written):  # a name within a site's data
        return ""
    url = join(known.page.base, html.unescape(written), encoding=known.page.encoding)
    if url is None or not is_http(url) or (known.is_front_page(url) and bare_host(url) == bare_host(known.page.url)):
        return ""
    return url


_LONGEST_BYLINE, _LONGEST_SENTENCE, _MOST_TOGETHER = 200, 120, 12
_LONGEST_CLUE, _MOST_CLUES = 5_000, 400
"""A longer text names nobody; no article has a tenth of so many authors."""
_DATE_LEAD = linear_at(r"(?:[^·•|]{0,30}(?:\d{4}|\d\d:\d\d)\.?[^·•|]{0,15})?\s*[·•∙⋅|–—-]\s*|[^·•|]{0,30}\d{4}\.?\s+")
"""What stands before "By ...": a day, or the point behind one."""
_LEAD = linear(r"^(?:\S+ ){5}.*[^\W\d_A-Z]{3}[.!?…][\"'”»“]?$")
"""A sentence, which may stand beside a byline and begin with a name."""
_CONNECTS = linear_at(r"(?:[,،、]|&|\+|/|\||[^\W\d_]{1,3})")


def _names(parts: VisibleParts, rows: Iterable[int]) -> Iterator[Clue]:
    for row in _together(parts, rows):
        if several := _linked_names(parts, row):
            yield from map(Clue, several)
        elif (text := parts.outline.short_text(row, LONGEST_NAME)) and not parts.holds_sample(row):
            runs = _runs(parts, row) if len(parts.outline.elements[row]) else ()
            yield Clue((name_in_line(runs, None) if len(runs) > 1 else None) or text)


def _linked_names(parts: VisibleParts, row: int) -> list[str]:
    """The texts of the links in an element, where they are several in one folder of the site, and each is a name."""
    outline = parts.outline
    links = outline.rows_in(row, "a")[:_MOST_TOGETHER] if not parts.holds_sample(row) else []
    links = [link for link in links if not _LABELS_OF_OTHERS.search(parts.label_before(link))]
    if len(links) < 2 or len({(outline.elements[link].get("href") or "").rstrip("/").rpartition("/")[0] for link in links}) > 1:
        return []
    texts = [outline.short_text(link, LONGEST_NAME) or "" for link in links]
    return texts if all(names_in([Clue(text)], parts.language, visible=True) for text in texts) else []


def _bylines(parts: VisibleParts) -> Iterator[Clue]:
    for row in _together(parts, (*parts.hinted[ClassHint.BYLINE], *parts.outline.rows("address"))):
        is_short = row not in parts.around and parts.outline.short_text(row, _LONGEST_BYLINE)
        if is_short and (several := _linked_names(parts, row)):
            yield from map(Clue, several)
        elif is_short and not parts.holds_sample(row) and (text := name_in_line(_runs(parts, row), parts.language)):
            yield Clue(text)


VISIBLE_NAMES = {
    "html:rel-author": lambda parts: _names(parts, parts.linked["rel-author"]),
    "html:author-link": lambda parts: _names(
        parts, (row for row in parts.linked[LinkKind.AUTHOR] if row in parts.near or parts.leads_to_its_words(row))
    ),
    "html:author": lambda parts: _names(parts, parts.hinted[ClassHint.AUTHOR]),
    "html:byline": _bylines,
    "html:person-link": lambda parts: _names(
        parts,
        (row for row in parts.linked[LinkKind.PERSON] if row in parts.near and parts.leads_to_its_words(row) and parts.stands_alone(row)),
    ),
    "html:near-by": lambda parts: [Clue(text) for text, is_near in _text_byline(parts) if is_near and not text.islower()],
    "html:by": lambda parts: [Clue(text) for text, _ in _text_byline(parts)],
}


def _together(parts: VisibleParts, rows: Iterable[int]) -> list[int]:
    """The first, and those that stand beside it: others sign other articles. Who checked or illustrated an article is no author."""
    outline = parts.outline
    inside = (row for row in parts.inside(rows) if all(outline.tags[above] != "figure" for above in outline.around(row)))
    labels = ((row, parts.label_before(row) or parts.label_before(outline.parents[row])) for row in inside)
    return parts.beside_first([row for row, label in labels if len(label) > LONGEST_LABEL or not _LABELS_OF_OTHERS.search(label)])


def _runs(parts: VisibleParts, row: int) -> list[str]:
    """The stretches of text in an element, each as far as the next tag or point between."""
    outline = parts.outline
    places = islice(outline.strings_in(row), 40)
    runs = (outline.strings[place] for place in places if not parts.leads_to_list(outline.owners[place]))
    return [text for run in runs for piece in linear(r"(?:^|\s)[·•∙⋅]|[·•∙⋅](?:\s|$)").split(run) if (text := squeeze(piece))]


def _text_byline(parts: VisibleParts) -> list[tuple[str, bool]]:
    """The first text behind the headline, else the last before it, that begins with "By ..." and a name; with whether it is near."""
    may_be, outline = _words_of(parts.language).start.match, parts.outline
    before: list[tuple[str, bool]] = []
    for number, line in enumerate(parts.lines):
        for at, place in enumerate(line):
            row, text = outline.owners[place], outline.strings[place]
            if row in parts.near and len(text) <= _LONGEST_SENTENCE and (lead := _DATE_LEAD.match(text)) is not None:
                text = text[lead.end() :]
            if may_be(text) and not (parts.leads_to_list(row) or row in parts.samples or parts.is_outside(row)):
                following = parts.lines[number + 1] if at + 1 == len(line) and number + 1 < len(parts.lines) else []
                reach = line[at : at + _LONGEST_SENTENCE + 1]  # each place has a character at least
                if name := _name_behind(parts, squeeze(text), reach, following[:_LONGEST_SENTENCE]):
                    if place >= parts.begin:
                        return [(name, row in parts.near)]
                    before.append((name, row in parts.near))
    return before[-1:]


def _name_behind(parts: VisibleParts, first: str, places: Sequence[int], following: Sequence[int]) -> str:
    """The byline that begins with this text of the first place of a line; a "By" alone may stand before the name in the line behind it."""
    outline, language = parts.outline, parts.language
    is_near = outline.owners[places[0]] in parts.near
    if by_alone := not _starts_with_by(first, language):
        places = (*places, *following)
        if len(places) < 2 or not _starts_with_by(f"{first} x", language) or not (first[0].isupper() or is_near):
            return ""
    runs = [first, *(squeeze(outline.strings[place]) for place in places[1:])]
    count = 1 + by_alone
    if sum(map(len, runs)) > _LONGEST_SENTENCE:
        runs = runs[:count]
    is_all = len(places) <= count or outline.tags[outline.owners[places[count]]] == "time"
    return _names_together(runs, language, alone=is_near and is_all) if len(" ".join(runs)) <= _LONGEST_SENTENCE else ""


def name_in_line(runs: Sequence[str], language: str | None) -> str:
    """The first stretches that are a name, with the words before it and the names that it is connected with."""
    starts = (start for start, run in enumerate(runs) if not _LEAD.search(run) or _starts_with_by(run, language))
    return next(filter(None, (_names_together(runs[start:], language) for start in starts)), "")


def _names_together(runs: Sequence[str], language: str | None, *, alone: bool = False) -> str:
    """The first of these stretches, if it is a name or such a word as "by" before one, with all that follow and are connected with it."""
    end = 1 if _starts_with_by(runs[0], language) or not _starts_with_by(f"{runs[0]} x", language) else 2
    if not names_in([Clue(" ".join(runs[:end]))], language, visible=True, alone=alone):
        return ""
    while end < len(runs):
        before, run, behind = runs[end - 1], runs[end], "".join(runs[end + 1 : end + 2])
        # a comma may part a name from a place, but not where a word behind it connects what it parts with others
        goes_on = _connected(before, run, language) or ((before.endswith(",") or run.startswith(",")) and _connected(run, behind, language))
        if behind and _CONNECTS.fullmatch(run):
            end += 2
        elif goes_on and names_in([Clue(run)], language, visible=True):
            end += 1
        else:
            break
    return " ".join(runs[:end])


_ADDRESSES = linear(r"(?:https?://|www\.)\S+|\(?\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}\b\)?|(?<!\w)@\w+", re.IGNORECASE)
_BRACKETS = linear(r" ?[\[(][^\[\]()]*[\])]")
_MONTH = r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.? \d"
_DATE_TAIL = linear(
    r"(?<!\s)\s*(?:\b(?:on|am|at|le|el|il|om|den|dne)\s+)?"
    r"(?:(?<![\d_])\d{1,2}(?:[./ ]|-\d)|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|(?<!\w)\d{{4}}\b|(?<!\d)\d{{4}}[./-]\d|{_MONTH}).*$",
    re.IGNORECASE,
)
_LABEL = linear(r"^[^\W\d_][^\s\d:：]{0,19}(?: [^\s\d:：]{1,20})?\s*[:：]\s*")
_EDGES = " \t.,:;–—-|/*•·・@&\"'“”„«»‘’，、：()[]"
_ABBREVIATED = linear(r"(?:^|[\s.])(?:[^\W\d_]|Jr|Sr)$")
_ALWAYS_DOTTED = linear(r"\b(?:Jr|Sr|[A-Z]\.[A-Z])$")
_IN_NO_NAME = linear(r"[!?…≈~<>=0-9]|^[^\w&]+$")
"""Of a word."""
_VOWEL = linear(r"[aeiouyáéíóúàèìòùäëïöüâêîôûøåæœ]", re.IGNORECASE)
_GLUED = frozenset(
    {"by", "von", "par", "por", "author", "written by", "posted by", "autor", "autorin", "auteur", "autora", "autore", "szerző"}
)
"""What the name may follow without a blank, where the page parts them by its style sheet alone."""
_JOINED_PARTICLE = linear_at(r"(?:(?:[dl]|d?all|[dns]ell)['’‘]|(?:al|el)[-'’‘])(?=.)")
"""Before names, without a blank: d'Arc, dall'Acqua, al-Sayed."""
_CAPITAL = "[A-ZÀ-ÖØ-ÞŁŐŚŠŰŽČĐ]"

_WORDS = read_word_lists(__file__, "byline_words.txt")
AGENCIES, NEWSROOMS, _INSTITUTIONS, _COMPANY_FORMS, _NO_NAME_WORDS = (
    frozenset(_WORDS[name]) for name in ("agencies", "newsrooms", "institutions", "company forms", "words of no name")
)
DESKS = NEWSROOMS | frozenset((*_WORDS["desks"], *_WORDS["agency words"]))
_OF_NOBODY = _INSTITUTIONS.union(_WORDS["agency words"], ("of", "the"))
"""A text of nothing else says that somebody works somewhere, and not who or where; a desk or a newsroom may sign."""
_JOBS = frozenset((*_WORDS["jobs"], *(role for role in _WORDS["roles"] if " " not in role)))
_OF_POSITIONS = _JOBS | _INSTITUTIONS | {"of", "at"}
_GRADES = frozenset(_WORDS["grades"])
NO_NAMES = frozenset(word for name, words in _WORDS.items() if name.startswith("by ") or name in ("roles", "no names") for word in words)
"""What stands alone where a name should."""


_SUFFIX = linear_at(rf"(?:{any_of(_WORDS['suffixes'])})\.?\*?", re.IGNORECASE)
_TITLES = linear(rf"^(?:(?:{any_of(_WORDS['titles'])})\s*)+(?=..)|(?<=..)(?<!\s)(?:\s*(?:{any_of(_WORDS['titles'])}))+$")
_LABELS_OF_OTHERS = linear("|".join(_WORDS["labels of other hands"]), re.IGNORECASE)
_OTHER_HANDS = linear(rf"(?:^|(?<=[\s.,;|(]))(?:{any_of(_WORDS['other hands'])})(?!\w)", re.IGNORECASE)


class _LanguageWords(NamedTuple):
    """Around names, in a language and in English."""

    by: re.Pattern[str]
    """At the beginning of a text."""
    by_inside: re.Pattern[str]
    start: re.Pattern[str]
    """Fits every text that begins as a byline does, and few others, however its white space is written."""
    between: re.Pattern[str]
    """Two names."""


@lru_cache(maxsize=64)
def _words_of(language: str | None) -> _LanguageWords:
    tongue = primary(language or "en")
    by = {*_WORDS["by en"], *_WORDS.get(f"by {tongue}", ())}
    return _LanguageWords(
        by=linear_at(
            rf"(?:(?:{any_of(by)})(?:\s*[:：/／・＝]\s*|\s+)|(?:{any_of(by & _GLUED)})(?-i:(?={_CAPITAL}[^\W\d_A-Z])))+", re.IGNORECASE
        ),
        by_inside=linear(rf"\s(?i:{any_of({*_WORDS['by en'][:1], *_WORDS.get(f'by {tongue}', ())[:1]})})\s+(?=[^\W\d_])"),
        start=linear_at(rf"\s*(?:{any_of({word.split()[0] for word in by})})", re.IGNORECASE),
        between=linear(rf"(?<!\s)\s+(?:{any_of({*_WORDS['and en'], *_WORDS.get(f'and {tongue}', ())})})\s+"),
    )


def names_in(clues: Iterable[Clue], language: str | None, *, source: str = "", visible: bool = False, alone: bool = False) -> list[Found]:
    """The names in these clues, each once, in order; each with the page of its clue, where that is about nobody else.

    Of `visible` text only what looks like a name is one; where it stands `alone`, one word may be one.
    """
    names: list[Found] = []
    for clue in islice((clue for clue in clues if len(clue.text) <= _LONGEST_CLUE), _MOST_CLUES):
        text = _OTHER_HANDS.split(squeeze(_ADDRESSES.sub(" ", plain_text(clue.text))), maxsplit=1)[0]
        text, by = _without_by(text, language)
        pieces = _pieces(text, clue.kind, language)
        if visible and not by and (inside := _words_of(language).by_inside.search(text)):
            behind = _pieces(text[inside.end() :], clue.kind, language)
            if any(_looks_like_name(piece.split()) for piece in behind[:1]):  # and not "Heinrich von Kleist"
                pieces = behind
        is_alone, given = len(pieces) == 1 and (alone or " " in by or by.endswith((":", "："))), list[str]()
        for piece in pieces:
            bare = _BRACKETS.sub("", piece).strip()
            name, _ = _without_by(bare.strip(_EDGES), language)
            if bare[-2:-1].isalpha() and bare[-1] == "'" != bare[0] and bare[-2].upper() == bare[-2].lower():  # יעל אברמוביץ'
                name = f"{name}'"
            name, labels = _LABEL.subn("", name)
            if labels and visible and name.upper() == name.lower():  # without capitals nothing tells that it is one
                continue
            name = _TITLES.sub("", name)
            words = name.split()
            if len(words) > 2 and words[-1].casefold() in _JOBS:  # "Ann Lee Senior Politics Reporter"
                name = " ".join(words[: next((at for at, word in enumerate(words) if at > 1 and word.casefold() in _GRADES), None)])
            if linear(r"\s(?:on|am|at|le|el|il|om|den|dne|um|vom)$").search(name):
                name = name.rpartition(" ")[0]
            words = name.split()
            if clue.kind != "organization" and len(words) > 2 and words[0][0].isupper() and words[1][0].isupper():  # "Ann Lee vor etwa"
                while len(words) > 2 and words[-1].islower():
                    words.pop()
                name = " ".join(words)
            if _ALWAYS_DOTTED.search(name) or (_ABBREVIATED.search(name) and f"{name}." in piece):
                name = f"{name}."
            words = name.split()
            if _is_name(name) and (not visible or (is_alone and len(words) == 1) or _looks_like_name(words)):
                given.append(name)
        url = clue.url if len(given) == 1 else ""  # whose is the page of a text with two names?
        for name in given:
            kind: AgentKind = "organization" if _is_organization(name) else clue.kind
            names.append(
                Found(value=_readable_case(name, clue.kind) if name.isupper() else name, raw=clue.text, source=source, kind=kind, url=url)
            )
    return _distinct(names)[:40] if len(names) > 1 else names


def _distinct(names: list[Found]) -> list[Found]:
    """Each name once, whatever its case, accents and order; a part of another name is that name."""
    keys = [frozenset(map(folded, name.value.split())) for name in names]
    first = dict(zip(reversed(keys), reversed(names), strict=True))
    return [name for name, key in zip(names, keys, strict=True) if first[key] is name and not any(key < other for other in keys)]


def _without_by(text: str, language: str | None) -> tuple[str, str]:
    """The text behind "By ..."; the words that it was behind."""
    match = _words_of(language).by.match(f"{text} ")  # of which all may be such words
    return (text[match.end() :], match[0].strip()) if match and text[match.end() :].strip(_EDGES) else (text, "")


def _starts_with_by(text: str, language: str | None) -> bool:
    """Whether a text begins as a byline does, and goes on."""
    return bool(_without_by(text, language)[1])


def _connected(text: str, behind: str, language: str | None) -> bool:
    """Whether a word that connects names stands at the end of a text, or at the beginning of the one behind it."""
    joins = _words_of(language).between
    return any(match.end() > len(text) for match in joins.finditer(f"{text} ")) or joins.match(f" {behind} ") is not None


def _pieces(text: str, kind: AgentKind, language: str | None) -> list[str]:
    text, dates = _DATE_TAIL.subn("", text)
    if dates and text.endswith((":", "：")):  # it says what that day is of, or how many minutes
        return []
    if kind == "organization":
        return [text]
    pieces: list[str] = []
    for part in linear(r"(?<!\s)\s*(?:[;|•·\n\t，、；،؛]|\s/\s|/(?=\w{2,}\s)|\s[–—-]\s|\s&\s|&amp;)\s*").split(text):
        joined: list[str] = []
        for piece in (piece.strip() for piece in linear(r"(?<!\s)\s*,\s*").split(part) if piece.strip(_EDGES)):
            if joined and _SUFFIX.fullmatch(piece):  # "Ann Lee, Ph.D." is one name
                joined[-1] += f", {piece}"
            else:
                joined.append(piece)
        for listed in joined:
            # what an author is, and where: never the first name in a text
            if pieces and not _OF_POSITIONS.isdisjoint(word.strip(_EDGES) for word in listed.casefold().split()):
                continue
            desk = any(word in DESKS for word in listed.casefold().split())
            pieces.extend([listed] if desk else _words_of(language).between.split(f"{listed} "))
    return pieces


def _is_name(text: str) -> bool:
    if not 2 <= len(text) <= 80 or text.casefold() in NO_NAMES or not linear(r"[^\W\d_]").search(text):
        return False
    if _OF_NOBODY.issuperset(text.casefold().split()):
        return False
    is_user = text.rstrip("0123456789").replace("_", "").replace("-", "").isalpha()
    return len(text.split()) <= 8 and (is_user or sum(character.isdigit() for character in text) <= 4)


def _looks_like_name(words: Sequence[str]) -> bool:
    """Two to five words, with capitals but for particles; one word of a script without capitals and blanks; "La redazione"."""
    if len(words) == 1:
        return 2 <= len(words[0]) <= 8 and not any(character.isupper() or character.islower() for character in words[0])
    if len(words) == 2 and words[1] in NEWSROOMS and len(words[0]) <= 3:
        return words[0].istitle()
    if len(words) > 5 or any(_IN_NO_NAME.search(word) for word in words) or not _NO_NAME_WORDS.isdisjoint(map(str.casefold, words)):
        return False
    particles = map(_JOINED_PARTICLE.match, words)
    capitals = sum(
        word[0] == word[0].title() or (particle is not None and word[particle.end()].isupper())
        for word, particle in zip(words, particles, strict=True)
    )
    return capitals >= 2 and len(words) - capitals <= 2


def _is_organization(name: str) -> bool:
    words = name.split()
    folded_words = {word.casefold() for word in words}
    formed = len(words) > 1 and not _COMPANY_FORMS.isdisjoint((words[0], words[-1].rstrip(".")))
    return formed or name.casefold() in AGENCIES or not folded_words.isdisjoint(DESKS | _INSTITUTIONS)


def _readable_case(name: str, kind: AgentKind) -> str:
    """Names in capitals get ordinary case; abbreviations keep theirs."""
    words = name.split()
    if kind == "organization" or len(words) < 2:
        return name
    return " ".join(word if (len(word) < 4 and not _VOWEL.search(word)) or "." in word else word.title() for word in words)
