"""Chooses the values of each field among what the sources offer: by the table of sources, with what each field asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date, timedelta
from itertools import islice

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.authors import Name, folded, is_outlet, names_in
from webarticlecurator.extraction.metadata.clues import Clue, plain_text
from webarticlecurator.extraction.metadata.merge import SOURCES
from webarticlecurator.extraction.metadata.offers import Chosen, Offer, Reading, choose_plain, chosen_from, is_visible, read_all
from webarticlecurator.extraction.metadata.titles import Title, best_of
from webarticlecurator.extraction.metadata.topics import topics_in
from webarticlecurator.model.metadata import Found
from webarticlecurator.urls import bare_host

_MIN_HEADING, _MIN_TITLE = 8, 12
"""Folded characters of a text that another one must hold to repeat it."""
_HOME = frozenset(
    (
        *("home", "homepage", "start", "startseite", "főoldal", "accueil", "inicio", "início", "strona główna", "domů", "hjem"),
        *("forside", "etusivu", "anasayfa", "главная"),
    )
)
"""What breadcrumbs begin with."""


def choose(name: str, reading: Reading, present: Collection[str]) -> Chosen:
    """The values of one field; `present` are the sources that say something."""
    sources = [source for source in SOURCES[name] if source in present]
    chooser = _CHOOSERS.get(name)
    return chooser(sources, reading) if chooser else choose_plain(FIELDS[name], sources, reading)


def _choose_headline(sources: Sequence[str], reading: Reading) -> Chosen:
    headings, others = _headings(reading)
    titles = [
        Title(plain_text(clue.text), clue.text, source)
        for source in sources
        for clue in (headings if source == "html:h1" else others if source == "html:heading" else reading.clues.get(source)[:1])
    ]
    best = best_of([title for title in titles if title.text], reading.outlets)
    if best is None:
        return Chosen()
    return chosen_from(
        ([Found(value=title.text, raw=title.raw, source=title.source)] for title in (best, *titles) if title.text), many=False
    )


def _headings(reading: Reading) -> tuple[Sequence[Clue], Sequence[Clue]]:
    """The first-level heading and the other one that the page's title repeats; where it repeats neither, the first of the first level."""
    titles = [folded(text) for text in reading.clues.texts("html:title", "meta:og:title")]
    first = _repeated(reading.clues.get("html:h1"), titles, reading.outlets)
    if first and 2 * len(folded(first[0].text)) > max(map(len, titles)):
        return first, ()
    others = _repeated(reading.clues.get("html:heading"), titles, reading.outlets)
    if (
        first
        and others
        and len(folded(others[0].text)) > len(folded(first[0].text))
        and folded(first[0].text) not in folded(others[0].text)
    ):
        return (), others
    return first or (() if others else reading.clues.get("html:h1")[:1]), others


def _repeated(headings: Sequence[Clue], titles: Sequence[str], outlets: Collection[str]) -> Sequence[Clue]:
    """The longest heading that a title repeats, or that holds one."""
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
    return tuple(heading for heading, _ in sorted(repeated, key=lambda one: -len(one[1]))[:1])


_NAMES_ALONE = frozenset({"html:rel-author", "html:author"})
"""Elements of the page that hold a name and nothing else, so that one word may be one."""
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Where organisations are mostly those that made the site."""


def _choose_authors(sources: Sequence[str], reading: Reading) -> Chosen:
    """Others before the portal itself: its own name counts only where nothing else is said.

    What the page shows is read only where nothing better names an author.
    """
    authors: list[Offer] = []
    outlets: list[Offer] = []
    for source in sources:
        visible = is_visible(source)
        if (visible and authors) or (source == "html:by" and outlets):
            continue
        names = names_in(reading.clues.get(source), reading.language, visible=visible, alone=source in _NAMES_ALONE)
        own = [one for one in names if _is_own(one, source, reading)]
        if len(own) < len(names):
            authors.append(_offer((one for one in names if one not in own), source))
        elif own:
            outlets.append(_offer(own, source))
    return chosen_from([*authors, *outlets], many=True)


def _offer(names: Iterable[Name], source: str) -> Offer:
    return [Found(value=one.text, raw=one.raw, source=source, kind=one.kind) for one in names]


def _is_own(name: Name, source: str, reading: Reading) -> bool:
    """Whether a name is the portal's own, or of those that made its site."""
    maker = source in _BY_SITE_MAKERS and name.kind == "organization"
    return maker or is_outlet(name, reading.outlets, inside=is_visible(source))


_FIRST_HAND = frozenset(
    (
        *("json-ld:datePublished", "microdata:datePublished", "rdfa:datePublished", "meta:article:published_time"),
        *("meta:og:article:published_time", "url:date"),
    )
)
"""Where the day of publication is written by the program that published; of those that differ the first one was the publication."""
_DRAFT = 30
"""Days for which an article may lie about before it is published, so that its address shows an earlier day."""
_OFFSET = re.compile(r"(?:Z|GMT|UTC|[+\-−]\d\d:?\d\d)\W*(?:\([^()]*\))?$|^\d{10}(?:\d{3})?$", re.IGNORECASE)


def _choose_date(sources: Sequence[str], reading: Reading) -> Chosen:
    """The first source's moment; an earlier one where it tells of a later edition, a more exact one where it lacks time or offset.

    The day of the visit, where it stands above the article, counts only if there is no other: many portals write there what day it is.
    """
    dates: list[Found] = []
    todays: list[Found] = []
    for source in sources:
        exact = any(len(one.value) > _DAY for one in dates)
        if (is_visible(source) and exact) or (source == "html:text-date" and dates):
            continue  # what the page shows is less exact, and may be another article's
        for found in islice(read_all(Holds.DATE, source, reading), 1):
            may_be_todays = source == "html:page-date" and _is_of_the_visit(found, reading)
            (todays if may_be_todays else dates).append(found)
    dates = dates or todays
    if not dates:
        return Chosen()
    best = dates[0]
    if best.source in _FIRST_HAND:
        first = min((one for one in dates if one.source in _FIRST_HAND), key=lambda one: one.value[:_DAY])
        best = first if _days_apart(first, best) > _DRAFT else best
    best = next((one for one in dates if _is_more_exact(one, best)), best)
    return chosen_from([[best], *([one] for one in dates)], many=False)


def _is_of_the_visit(found: Found, reading: Reading) -> bool:
    """Whether it tells the day of the capture, by whatever clock."""
    return len(found.value) >= _DAY and abs(date.fromisoformat(found.value[:_DAY]) - reading.clock.now.date()) <= timedelta(days=1)


def _is_more_exact(one: Found, than: Found) -> bool:
    """Whether it tells the time of the same day, or the offset of about the same moment, that the other one lacks."""
    if len(than.value) <= _DAY:
        return len(one.value) > _DAY and one.value[:_DAY] == than.value
    return not _OFFSET.search(than.raw) and _OFFSET.search(one.raw) is not None and len(one.value) > _DAY and _days_apart(one, than) <= 1


_DAY = 10
"""Characters of a day."""


def _days_apart(one: Found, other: Found) -> int:
    first, second = (date.fromisoformat(found.value[:_DAY]) if len(found.value) >= _DAY else date.min for found in (one, other))
    return abs((first - second).days)


def _choose_topics(sources: Sequence[str], reading: Reading) -> Chosen:
    """The first list; but a later one that holds all of it and more is the fuller account of the same."""
    offers: list[list[Found]] = []
    for source in sources:
        topics = topics_in([plain_text(clue.text) for clue in reading.clues.get(source)])
        offer = [Found(value=topic, raw=raw, source=source) for topic, raw in topics if folded(topic) not in reading.outlets]
        if offer:
            offers.append(offer)
    fuller = [offer for offer in offers[1:] if _said(offers[0]) < _said(offer)] if offers else []
    return chosen_from([*fuller, *offers], many=True)


def _said(offer: Offer) -> frozenset[str]:
    return frozenset(folded(one.value) for one in offer)


def _choose_section(sources: Sequence[str], reading: Reading) -> Chosen:
    """Of breadcrumbs the first behind the front page; neither the portal's name nor the article's own crumb is a section."""
    offers: list[Offer] = []
    for source in sources:
        found = list(read_all(Holds.TEXT, source, reading))
        if source.endswith(":breadcrumb"):
            found = [one for one in found[:-1] if one.value.lower() not in _HOME]
        offers.append([one for one in found if folded(one.value) not in reading.outlets])
    return chosen_from(offers, many=False)


def _choose_url(sources: Sequence[str], reading: Reading) -> Chosen:
    """The canonical address; one that leads to the portal's front page is a mistake of its template."""
    chosen = choose_plain(FIELDS["url"], sources, reading)
    usable = [one for one in (*chosen.values, *chosen.others) if bare_host(one.value) and not _is_front_page(one.value, reading)]
    return Chosen(tuple(usable[:1]), tuple(usable[1:]))


def _is_front_page(url: str, reading: Reading) -> bool:
    return url.rstrip("/").count("/") <= 2 < reading.page.url.rstrip("/").count("/")


def _choose_language(sources: Sequence[str], reading: Reading) -> Chosen:
    """The portal's language, unless two sources of the page agree on another: here and there a template keeps a system's default."""
    told = [found for source in sources for found in islice(read_all(Holds.LANGUAGE, source, reading), 1)]
    if not told:
        return Chosen()
    votes = Counter(_primary(found) for found in told[1:])
    agreed = [found for found in told[1:] if votes[_primary(found)] > 1]
    overruled = told[0].source == "language" and not votes[_primary(told[0])] and agreed
    return chosen_from([[agreed[0] if overruled else told[0]], *([found] for found in told)], many=False)


def _primary(found: Found) -> str:
    return found.value.partition("-")[0]


_CHOOSERS: dict[str, Callable[[Sequence[str], Reading], Chosen]] = {
    "headline": _choose_headline,
    "author": _choose_authors,
    "datePublished": _choose_date,
    "keywords": _choose_topics,
    "articleSection": _choose_section,
    "url": _choose_url,
    "inLanguage": _choose_language,
}
"""Fields that are not plainly the first source's value."""
