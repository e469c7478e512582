"""Who wrote an article: what data, bylines and links say, and which of it counts."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from webarticlecurator.extraction.metadata.people import Name, byline_start, connected, names_in, starts_with_by
from webarticlecurator.extraction.metadata.sources import Clue, Offer, PageClues, is_front_page, is_visible
from webarticlecurator.extraction.metadata.topics import SECTIONS_TOLD
from webarticlecurator.extraction.metadata.visible import LONGEST_LABEL, LONGEST_NAME, VisibleParts
from webarticlecurator.labelling.names import ClassHint, LinkKind
from webarticlecurator.model.links import TOLD_BY_FEED
from webarticlecurator.model.metadata import Found
from webarticlecurator.text import SAMPLES, folded, squeeze
from webarticlecurator.urls import bare_host, is_http, join

_NAMES_ALONE = frozenset({"html:rel-author", "html:author-link", "html:person-link", "html:author", "html:near-by"})
"""Places of the page that hold a name and nothing else, so that one word may be one."""
_WEAK = "html:by"
"""Whose names may be anybody's, so that the portal's own goes before them."""
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Where organisations are mostly those that made the site."""
_OF_LIBRARIES = frozenset({"meta:citation_author", "meta:dc.creator", "meta:dcterms.creator"})


def choose_authors(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """Others before the portal itself: its own name counts only where nothing else is said.

    What the page shows is read only where nothing better names an author.
    """
    authors: list[Offer] = []
    outlets: list[Offer] = []
    for source in sources:
        visible = is_visible(source)
        if (visible and authors) or (source == _WEAK and any(offer[0].source != TOLD_BY_FEED["author"] for offer in outlets)):
            continue  # but many feeds name the portal as the author of all
        clues = [_given_name_first(clue) for clue in known.clues.get(source)] if source in _OF_LIBRARIES else known.clues.get(source)
        names = names_in(clues, known.clock.language, visible=visible, alone=source in _NAMES_ALONE)
        if names and (source in _BY_SITE_MAKERS or visible):
            sections = set(map(folded, known.clues.texts(*SECTIONS_TOLD)))
            names = [name for name in names if folded(name.text) not in sections]
        others = [name for name in names if not _is_own(name, source, known)]
        pages = {clue.text: clue.url for clue in clues} if len(names) <= len(clues) else {}  # whose is the page of a text with two names?
        offer = [
            Found(value=name.text, raw=name.raw, source=source, kind=name.kind, url=_page_url(pages.get(name.raw, ""), known))
            for name in others or names
        ]
        if offer:
            (authors if others else outlets).append(offer)
    offers = [*authors, *outlets]
    return [[_with_page(author, known) for author in offer] for offer in offers[:1]] + offers[1:]


def _is_own(name: Name, source: str, known: PageClues) -> bool:
    """Whether a name is the portal's own, or of those that made its site; an editor's office begins with it where it is shown."""
    is_maker = source in _BY_SITE_MAKERS and name.kind == "organization"
    return is_maker or folded(name.text) in known.outlets or (is_visible(source) and folded(name.text.split()[0]) in known.outlets)


def _given_name_first(clue: Clue) -> Clue:
    """Of "Lee, Ann", as libraries write it."""
    family, comma, given = clue.text.partition(", ")
    turned = comma and "," not in given and (" " not in family or family[0].islower())
    return clue._replace(text=f"{given} {family}") if turned else clue


# --- their pages ---

_IS_ID = re.compile(r"#/?(?:schema/)?person\b", re.IGNORECASE)
"""At the end of what names somebody within the data of a site: no page."""


def _with_page(author: Found, known: PageClues) -> Found:
    """With the page that the same name links to, where the data have no other, or but a name for it within this page or site."""
    if author.url and "#" not in author.url:
        return author
    key = folded(author.value)
    linked = next((clue.url for clue in known.clues.get("html:author-pages") if folded(clue.text) == key), "")
    return replace(author, url=_page_url(linked, known)) if linked else author


def _page_url(written: str, known: PageClues) -> str:
    """The address of a page about somebody; the front page of the portal is about nobody."""
    if not written or " " in written or _IS_ID.search(written):
        return ""
    url = join(known.page.base, html.unescape(written), encoding=known.page.encoding)
    if url is None or not is_http(url) or (is_front_page(url, known) and bare_host(url) == bare_host(known.page.url)):
        return ""
    return url


# --- what the page shows ---

_LONGEST_BYLINE, _LONGEST_SENTENCE = 200, 120
_MOST_RUNS = 40
_OTHER_HANDS = re.compile(
    r"review|fact.?check|verified by|edited|editor|translat|updated by|photo|illustrat|geprüft|lektor|bearbeitet|übersetz|aktualisiert von|"
    r"foto|bild\b|grafik|szerkeszt|fordít|relu\b|vérifié|traduit|revisad|editad|tradu[cz]|redakcja|zdjęci|tłumacz|gecontroleerd|vertaal",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[·•∙⋅]")
_LEAD = re.compile(r"^(?:\S+ ){5}.*[^\W\d_A-Z]{3}[.!?…][\"'”»“]?$")
"""A sentence, which may stand beside a byline and begin with a name."""
_CONNECTS = re.compile(r"(?:,|&|\+|/|\||[^\W\d_]{1,3})")


class VisibleNames:
    """Bylines, and links to the pages of people."""

    def __init__(self, parts: VisibleParts, language: str | None) -> None:
        self._parts = parts
        self._outline = parts.outline
        self._language = language

    def sources(self) -> Mapping[str, Callable[[], Iterable[Clue]]]:
        parts = self._parts
        return {
            "html:rel-author": lambda: self._names(parts.linked["rel-author"]),
            "html:author-link": lambda: self._names(
                row for row in parts.linked[LinkKind.AUTHOR] if row in parts.near or parts.leads_to_its_words(row)
            ),
            "html:author": lambda: self._names(parts.hinted[ClassHint.AUTHOR]),
            "html:byline": self._bylines,
            "html:person-link": self._people,
            "html:near-by": lambda: [Clue(text) for text, is_near in self._text_byline if is_near and not text.islower()],
            "html:by": lambda: [Clue(text) for text, _ in self._text_byline],
            "html:author-pages": self._author_pages,
        }

    def _people(self) -> Iterator[Clue]:
        """Links to the pages of people near the headline, who may be its authors."""
        parts = self._parts
        near = (row for row in parts.linked[LinkKind.PERSON] if row in parts.near)
        return self._names(row for row in near if parts.leads_to_its_words(row) and parts.stands_alone(row))

    def _names(self, rows: Iterable[int]) -> Iterator[Clue]:
        for row in self._together(rows):
            if (text := self._outline.short_text(row, LONGEST_NAME)) and not self._outline.rows_in(row, *SAMPLES):
                runs = self._runs(row) if len(self._outline.elements[row]) else ()
                yield Clue((name_in_line(runs, None) if len(runs) > 1 else None) or text)

    def _bylines(self) -> Iterator[Clue]:
        for row in self._together((*self._parts.hinted[ClassHint.BYLINE], *self._outline.rows("address"))):
            is_short = row not in self._parts.around and self._outline.short_text(row, _LONGEST_BYLINE)
            if is_short and not self._outline.rows_in(row, *SAMPLES) and (text := name_in_line(self._runs(row), self._language)):
                yield Clue(text)

    def _author_pages(self) -> Iterator[Clue]:
        """Names with the pages that they lead to, whether they sign this article or another one."""
        linked = self._parts.linked
        for row in (*linked["rel-author"], *linked[LinkKind.AUTHOR], *linked[LinkKind.PERSON]):
            if row not in self._parts.samples and (text := self._outline.short_text(row, LONGEST_NAME)):
                yield Clue(text, url=self._outline.elements[row].get("href") or "")

    def _together(self, rows: Iterable[int]) -> list[int]:
        """The first, and those that stand beside it: others sign other articles. Who checked or illustrated an article is no author."""
        inside = self._parts.inside(rows)
        return self._parts.beside_first([row for row in inside if not self._is_other_hand(row) and not self._is_in_figure(row)])

    def _is_in_figure(self, row: int) -> bool:
        return any(self._outline.tags[above] == "figure" for above in self._outline.around(row))

    def _is_other_hand(self, row: int) -> bool:
        """Whether the words before a name say that its bearer did something else than write."""
        label = self._parts.label_before(row) or self._parts.label_before(self._outline.parents[row])
        return len(label) <= LONGEST_LABEL and _OTHER_HANDS.search(label) is not None

    def _runs(self, row: int) -> list[str]:
        """The stretches of text in an element, each as far as the next tag or point between."""
        outline = self._outline
        places = islice(outline.strings_in(row), _MOST_RUNS)
        runs = (outline.strings[place] for place in places if not self._parts.leads_to_list(outline.owners[place]))
        return [text for run in runs for piece in _BULLET.split(run) if (text := squeeze(piece))]

    # --- where nothing marks them ---

    @cached_property
    def _text_byline(self) -> list[tuple[str, bool]]:
        """The first text behind the headline, else the last before it, that begins with "By ..." and a name; with whether it is near."""
        may_be, outline, lines = byline_start(self._language).match, self._outline, self._parts.lines
        before: list[tuple[str, bool]] = []
        for number, line in enumerate(lines):
            for at, place in enumerate(line):
                if may_be(outline.strings[place]) and self._may_sign(outline.owners[place]):
                    following = lines[number + 1] if at + 1 == len(line) and number + 1 < len(lines) else []
                    if name := self._name_behind(line[at:], following):
                        byline = name, outline.owners[place] in self._parts.near
                        if place >= self._parts.begin:
                            return [byline]
                        before.append(byline)
        return before[-1:]

    def _may_sign(self, row: int) -> bool:
        return not (self._parts.leads_to_list(row) or row in self._parts.samples or self._parts.is_outside(row))

    def _name_behind(self, places: Sequence[int], following: Sequence[int]) -> str:
        """The byline that begins at the first of these places of a line; a "By" alone may stand before the name in the line behind it."""
        outline, language = self._outline, self._language
        first, row = squeeze(outline.strings[places[0]]), outline.owners[places[0]]
        is_near = row in self._parts.near
        if by_alone := not starts_with_by(first, language):
            places = (*places, *following)
            if len(places) < 2 or not starts_with_by(f"{first} x", language) or not (first[0].isupper() or is_near):
                return ""
        runs = [squeeze(outline.strings[place]) for place in places]
        count = 1 + by_alone
        if sum(map(len, runs)) > _LONGEST_SENTENCE:
            runs = runs[:count]
        is_all = len(places) <= count or outline.tags[outline.owners[places[count]]] == "time"
        return _names_together(runs, language, alone=is_near and is_all) if len(" ".join(runs)) <= _LONGEST_SENTENCE else ""


def name_in_line(runs: Sequence[str], language: str | None) -> str:
    """The first stretches that are a name, with the words before it and the names that it is connected with."""
    starts = (start for start, run in enumerate(runs) if not _LEAD.search(run) or starts_with_by(run, language))
    return next(filter(None, (_names_together(runs[start:], language) for start in starts)), "")


def _names_together(runs: Sequence[str], language: str | None, *, alone: bool = False) -> str:
    """The first of these stretches, if it is a name or such a word as "by" before one, with all that follow and are connected with it."""
    end = 1 if starts_with_by(runs[0], language) or not starts_with_by(f"{runs[0]} x", language) else 2
    if not names_in([Clue(" ".join(runs[:end]))], language, visible=True, alone=alone):
        return ""
    while end < len(runs):
        before, run, behind = runs[end - 1], runs[end], "".join(runs[end + 1 : end + 2])
        # a comma may part a name from a place, but not where a word behind it connects what it parts with others
        goes_on = connected(before, run, language) or ((before.endswith(",") or run.startswith(",")) and connected(run, behind, language))
        if behind and _CONNECTS.fullmatch(run):
            end += 2
        elif goes_on and names_in([Clue(run)], language, visible=True):
            end += 1
        else:
            break
    return " ".join(runs[:end])
