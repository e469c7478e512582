"""Chooses the values of each field among what the sources offer: by the table of sources, with what each field asks for."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.authors import Name, folded, is_outlet, names_in
from webarticlecurator.extraction.metadata.clues import Clue, plain_text
from webarticlecurator.extraction.metadata.letter_case import as_shown
from webarticlecurator.extraction.metadata.offers import (
    Chosen,
    Offer,
    PageClues,
    choose_plain,
    chosen_from,
    is_visible,
    offers_of,
    read_all,
)
from webarticlecurator.extraction.metadata.publication import choose_publication
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.extraction.metadata.titles import Title, best_of, ends_within_word, without_site
from webarticlecurator.extraction.metadata.topics import choose_topics
from webarticlecurator.model.links import TOLD_BY_FEED
from webarticlecurator.model.metadata import Found
from webarticlecurator.urls import bare_host, is_http, join, normalise


def choose(name: str, known: PageClues, present: Collection[str]) -> Chosen:
    """The values of one field; `present` are the sources that say something."""
    sources = [source for source in SOURCES[name] if source in present]
    chooser = _CHOOSERS.get(name)
    return chooser(sources, known) if chooser else choose_plain(FIELDS[name], sources, known)


# --- headline ---

_MIN_HEADING, _MIN_TITLE = 8, 12
"""Folded characters of a text that another one must hold to repeat it."""
_LONGEST_HEADLINE = 200
_MIN_WORDS, _MIN_COMMON = 4, 0.3
"""Of a heading that says what the title says, in other words; which part of the shorter one's words the other one has, too."""


def _choose_headline(sources: Sequence[str], known: PageClues) -> Chosen:
    first, other = _headings(known)
    headings = {"html:h1": first, "html:heading": other}
    titles = [
        Title(text, clue.text, source)
        for source in sources
        for clue in (headings[source] if source in headings else known.clues.get(source)[:1])
        if (text := plain_text(clue.text))
    ]
    best = best_of(titles, known.outlets)
    told = [best if known.is_news else _as_seen(best, known), *titles] if best is not None else []
    return chosen_from(([Found(value=title.text, raw=title.raw, source=title.source)] for title in told), many=False)


def _as_seen(title: Title, known: PageClues) -> Title:
    """The heading that readers see, where it words otherwise what search engines are told; newspapers write their data with care."""
    headings = known.clues.get("html:h1")
    text = without_site(plain_text(headings[0].text), known.outlets, ()) if len(headings) == 1 else ""
    seen = Title(text, text, "html:h1")
    if seen.key in title.key or title.key in seen.key or seen.key in known.outlets or len(text) > _LONGEST_HEADLINE:
        return title
    if any(seen.key in folded(whole) for whole in known.clues.texts("html:title")):
        return title  # it stands in the title of the page beside the headline: the site's name
    words, others = ({folded(word) for word in one.text.split()} - {""} for one in (seen, title))
    return seen if len(words) >= _MIN_WORDS and len(words & others) >= _MIN_COMMON * min(len(words), len(others)) else title


def _headings(known: PageClues) -> tuple[Sequence[Clue], Sequence[Clue]]:
    """The first-level heading and the other one that the page's title repeats, be it cut off; else the first of the first level."""
    written = known.clues.texts("html:title", "meta:og:title")
    titles = list(map(folded, written))
    first, key = _repeated(known.clues.get("html:h1"), titles, known.outlets)
    if first and 2 * len(key) > max(map(len, titles)):
        return first, ()
    if whole := [one for one in known.clues.get("html:heading") if any(ends_within_word(text, one.text) for text in written)]:
        return (), whole[:1]
    others, other_key = _repeated(known.clues.get("html:heading"), titles, known.outlets)
    if first and len(other_key) > len(key) and key not in other_key:
        return (), others
    return first or (() if others else known.clues.get("html:h1")[:1]), others


def _repeated(headings: Sequence[Clue], titles: Sequence[str], outlets: Collection[str]) -> tuple[Sequence[Clue], str]:
    """The longest heading that a title repeats, or that holds one; with what it is when folded."""
    keyed = [(heading, folded(heading.text)) for heading in headings]
    repeated = [
        (heading, key)
        for heading, key in keyed
        if key
        and key not in outlets
        and any(
            key == title or (len(key) >= _MIN_HEADING and key in title) or (len(title) >= _MIN_TITLE and title in key) for title in titles
        )
    ]
    if not repeated:
        return (), ""
    longest, key = max(repeated, key=lambda one: len(one[1]))
    return (longest,), key


# --- description ---

_BREAKS_OFF = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*$")
_SHORTEST_SUMMARY = 30
"""Characters; what is shorter is a slogan, or a title."""


def _choose_description(sources: Sequence[str], known: PageClues) -> Chosen:
    """The first one; if a program cut that off, one that somebody wrote to its end."""
    offers = [offer for offer in offers_of(sources, lambda source: list(read_all(Holds.TEXT, source, known))) if offer]
    if offers and _BREAKS_OFF.search(offers[0][0].value):
        offers.sort(key=lambda offer: len(offer[0].value) < _SHORTEST_SUMMARY or bool(_BREAKS_OFF.search(offer[0].value)))
    return chosen_from(offers, many=False)


# --- authors ---

_NAMES_ALONE = frozenset({"html:rel-author", "html:author-link", "html:person-link", "html:author", "html:near-by"})
"""Places of the page that hold a name and nothing else, so that one word may be one."""
_WEAK = frozenset({"html:by"})
"""Whose names may be anybody's, so that the portal's own goes before them."""
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Where organisations are mostly those that made the site."""
_OF_LIBRARIES = frozenset({"meta:citation_author", "meta:dc.creator", "meta:dcterms.creator"})


_SECTIONS = tuple(source for source in SOURCES["articleSection"] if not is_visible(source))


def _choose_authors(sources: Sequence[str], known: PageClues) -> Chosen:
    """Others before the portal itself: its own name counts only where nothing else is said.

    What the page shows is read only where nothing better names an author.
    """
    authors: list[Offer] = []
    outlets: list[Offer] = []
    for source in sources:
        visible = is_visible(source)
        if (visible and authors) or (source in _WEAK and any(offer[0].source != TOLD_BY_FEED["author"] for offer in outlets)):
            continue  # but many feeds name the portal as the author of all
        clues = [_given_name_first(clue) for clue in known.clues.get(source)] if source in _OF_LIBRARIES else known.clues.get(source)
        names = names_in(clues, known.language, visible=visible, alone=source in _NAMES_ALONE)
        if names and (source in _BY_SITE_MAKERS or visible):
            sections = set(map(folded, known.clues.texts(*_SECTIONS)))
            names = [one for one in names if folded(one.text) not in sections]
        others = [one for one in names if not _is_own(one, source, known)]
        pages = {clue.text: clue.url for clue in clues} if len(names) <= len(clues) else {}  # whose is the page of a text with two names?
        offer = [
            Found(value=one.text, raw=one.raw, source=source, kind=one.kind, url=_page_url(pages.get(one.raw, ""), known))
            for one in others or names
        ]
        if offer:
            (authors if others else outlets).append(offer)
    chosen = chosen_from([*_all_of_them(authors, known), *authors, *outlets], many=True)
    return replace(chosen, values=tuple(_with_page(one, known) for one in chosen.values))


def _all_of_them(authors: Sequence[Offer], known: PageClues) -> Iterator[Offer]:
    """What is marked up in the text of the page, if it names all whom the first source names, and more who sign there together: templates
    like to give one of several authors."""
    first = {folded(one.value) for one in authors[0]} if authors else set()
    for offer in authors[1:]:
        named = {folded(one.value) for one in offer}
        if offer[0].source.startswith(_IN_TEXT) and first < named and named <= _signing(known):
            yield offer


def _signing(known: PageClues) -> set[str]:
    clues = (clue for source in _SIGNATURES for clue in known.clues.get(source))
    return {folded(one.text) for one in names_in(list(clues), known.language, visible=True, alone=False)}


def _with_page(author: Found, known: PageClues) -> Found:
    """With the page that the same name links to, where the data have no other, or but a name for it within this page or site."""
    if author.url and "#" not in author.url:
        return author
    key = folded(author.value)
    linked = next((clue.url for clue in known.clues.get("html:author-pages") if folded(clue.text) == key), "")
    return replace(author, url=_page_url(linked, known)) if linked else author


def _page_url(written: str, known: PageClues) -> str:
    """The address of a page about somebody; the front page of the portal is about nobody."""
    if not written or " " in written:
        return ""
    url = join(known.page.base, html.unescape(written), encoding=known.page.encoding)
    of_portal = url is not None and _is_front_page(url, known) and bare_host(url) == bare_host(known.page.url)
    return url if url is not None and is_http(url) and not of_portal else ""


def _given_name_first(clue: Clue) -> Clue:
    """Of "Lee, Ann", as libraries write it."""
    family, comma, given = clue.text.partition(", ")
    turned = comma and "," not in given and (" " not in family or family[0].islower())
    return clue._replace(text=f"{given} {family}") if turned else clue


def _is_own(name: Name, source: str, known: PageClues) -> bool:
    """Whether a name is the portal's own, or of those that made its site."""
    maker = source in _BY_SITE_MAKERS and name.kind == "organization"
    return maker or is_outlet(name, known.outlets, inside=is_visible(source))


# --- section, address, language ---

_HOME = frozenset(
    (
        *("home", "homepage", "start", "startseite", "főoldal", "accueil", "inicio", "início", "strona główna", "domů", "hjem"),
        *("forside", "etusivu", "anasayfa", "главная"),
    )
)
"""What breadcrumbs begin with."""


_LISTS_OF_SECTIONS = ("html:rel-category", "html:section-list")
"""All of these; of what else the page shows, the first: a path leads from it to the others."""


def _choose_section(sources: Sequence[str], known: PageClues) -> Chosen:
    """Of breadcrumbs the first behind the front page; the portal's name, its one archive, and the article's own crumb are no section."""

    def read(source: str) -> Offer:
        found, none = list(read_all(Holds.TEXT, source, known)), known.outlets
        if source.endswith(":breadcrumb"):
            found = found if is_visible(source) else found[:-1]
            none |= {folded(clue.text) for clue in known.clues.get(source) if _is_archive(clue, known)}
        usable = [one for one in found if one.value.lower() not in _HOME and folded(one.value) not in none]
        if source in _LISTS_OF_SECTIONS:
            return usable
        if is_visible(source) or source.endswith(":breadcrumb"):
            return usable[:1]
        return [replace(one, value=section) for one in usable for section in _sections(one.value)]

    chosen = chosen_from(offers_of(sources, read), many=True)
    shown = (one for source in sources for one in read_all(Holds.TEXT, source, known))
    return replace(chosen, values=as_shown(chosen.values, shown))


def _is_archive(clue: Clue, known: PageClues) -> bool:
    url = join(known.page.base, clue.url) if clue.url and known.archive else None
    return url is not None and normalise(url) == normalise(known.archive)


_PARTS = re.compile(r"[;|]|,(?=\S)")
_ENDS_ONE_NAME = re.compile(r"(?:.* )?(?:&|and|und|et|y|e|és|i|a|och|og|en) .*|[A-Z]{2}", re.DOTALL)
"""The last part of a list that is one name ("Arts, Food and Drink"), or of a place ("Helena, MT")."""
_LONGEST_NAME = 40
_IN_TEXT = ("microdata:", "rdfa:")
_SIGNATURES = ("html:rel-author", "html:author-link", "html:author", "html:byline")


def _sections(text: str) -> list[str]:
    """Data like to name several sections in one text."""
    found: list[str] = []
    for part in _PARTS.split(text):
        names = part.split(", ")
        found += [part] if _ENDS_ONE_NAME.fullmatch(names[-1].strip()) else names
    found = list(filter(None, map(str.strip, found)))
    return found if max(map(len, found), default=0) <= _LONGEST_NAME else [text]


def _choose_url(sources: Sequence[str], known: PageClues) -> Chosen:
    """The canonical address; one that leads to the portal's front page is a mistake of its template."""
    chosen = choose_plain(FIELDS["url"], sources, known)
    usable = [one for one in (*chosen.values, *chosen.others) if bare_host(one.value) and not _is_front_page(one.value, known)]
    return Chosen(tuple(usable[:1]), tuple(usable[1:]))


def _is_front_page(url: str, known: PageClues) -> bool:
    return url.rstrip("/").count("/") <= 2 < known.page.url.rstrip("/").count("/")


def _choose_language(sources: Sequence[str], known: PageClues) -> Chosen:
    """The portal's language, unless two sources of the page agree on another: here and there a template keeps a system's default."""
    told = [found for source in sources for found in islice(read_all(Holds.LANGUAGE, source, known), 1)]
    if not told:
        return Chosen()
    votes = Counter(_primary(found) for found in told[1:])
    agreed = [found for found in told[1:] if votes[_primary(found)] > 1]
    overruled = told[0].source == "language" and not votes[_primary(told[0])] and agreed
    return chosen_from([[agreed[0] if overruled else told[0]], *([found] for found in told)], many=False)


def _primary(found: Found) -> str:
    return found.value.partition("-")[0]


_CHOOSERS: dict[str, Callable[[Sequence[str], PageClues], Chosen]] = {
    "headline": _choose_headline,
    "description": _choose_description,
    "author": _choose_authors,
    "datePublished": choose_publication,
    "keywords": choose_topics,
    "articleSection": _choose_section,
    "url": _choose_url,
    "inLanguage": _choose_language,
}
"""Fields that are not plainly the first source's value."""
