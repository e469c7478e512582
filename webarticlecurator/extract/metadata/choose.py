"""Chooses the values of each field among the clues: by the table of sources, with what its kind of value asks for."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from babel import Locale, UnknownLocaleError

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.document.page import Page
from webarticlecurator.extract.metadata.authors import Name, folded, is_outlet, names_in
from webarticlecurator.extract.metadata.clues import Clue, Clues, plain_text
from webarticlecurator.extract.metadata.moments import Clock, read_moment, read_visible
from webarticlecurator.extract.metadata.titles import Title, best_of
from webarticlecurator.extract.metadata.topics import topics_in
from webarticlecurator.model.metadata import Found
from webarticlecurator.urls import bare_host, is_http, join

_MIN_HEADING, _MIN_TITLE = 8, 12
"""Folded characters of a text that another one must hold to repeat it."""
_HOME = frozenset({"home", "startseite", "start", "homepage", "főoldal", "accueil", "inicio", "início", "strona główna", "domů", "hjem", "forside"})


@dataclass(frozen=True, slots=True)
class Reading:
    """All that is known of a page before its fields are decided."""

    page: Page
    clues: Clues
    clock: Clock
    language: str | None
    outlets: frozenset[str]
    """The names that the portal goes by, folded."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The values of a field, and what other sources say instead."""

    values: tuple[Found, ...] = ()
    others: tuple[Found, ...] = ()


Offer = Sequence[Found]
"""What one source has for a field."""


def choose_plain(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    """What the first source says that says something usable."""
    field = FIELDS[name]
    read = _READERS[field.holds]
    offers = [[one for clue in clues if (one := read(clue, source, reading)) is not None] for source, clues in _clues(sources, reading)]
    return _first(offers, many=field.many)


def _clues(sources: Iterable[str], reading: Reading) -> Iterator[tuple[str, Sequence[Clue]]]:
    for source in sources:
        if clues := reading.clues.get(source):
            yield source, clues


def _first(offers: Iterable[Offer], *, many: bool) -> Chosen:
    """The first offer's values; of each other one, what is not the same."""
    usable = [_distinct(offer) if many else tuple(offer[:1]) for offer in offers if offer]
    if not usable:
        return Chosen()
    said = {folded(one.value) for one in usable[0]}
    others = [one for offer in usable[1:] for one in offer if folded(one.value) not in said]
    return Chosen(usable[0], _distinct(others))


def _distinct(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple({one.value: one for one in reversed(list(found))}.values())[::-1]


# --- one reader for each kind of value ---


def _text(clue: Clue, source: str, reading: Reading) -> Found | None:
    text = plain_text(clue.text)
    return Found(value=text, raw=clue.text, source=source) if text else None


def _url(clue: Clue, source: str, reading: Reading) -> Found | None:
    url = join(reading.page.base, html.unescape(clue.text), encoding=reading.page.encoding)
    return Found(value=url, raw=clue.text, source=source) if url is not None and is_http(url) and " " not in clue.text else None


def _date(clue: Clue, source: str, reading: Reading) -> Found | None:
    read = read_visible if source.startswith("html:") else read_moment
    moment = read(clue.text, reading.clock)
    return Found(value=moment, raw=clue.text, source=source) if moment is not None else None


def _number(clue: Clue, source: str, reading: Reading) -> Found | None:
    digits = re.search(r"\d+", clue.text)
    return Found(value=digits[0], raw=clue.text, source=source) if digits else None


_YES_NO = {"true": "true", "1": "true", "yes": "true", "free": "true", "false": "false", "0": "false", "no": "false", "locked": "false"}


def _yes_no(clue: Clue, source: str, reading: Reading) -> Found | None:
    value = _YES_NO.get(clue.text.rpartition("/")[2].lower())
    return Found(value=value, raw=clue.text, source=source) if value else None


def _language(clue: Clue, source: str, reading: Reading) -> Found | None:
    tag = language_tag(clue.text)
    return Found(value=tag, raw=clue.text, source=source) if tag else None


def language_tag(text: str) -> str | None:
    """BCP 47 from what pages write: `hu_HU.UTF-8`, `HU`, `de-de`, `sr-latn-rs`."""
    written = text.strip().partition(".")[0].partition("@")[0].partition(",")[0].replace("_", "-")
    try:
        locale = Locale.parse(written, sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        return None
    parts = written.split("-")
    script = next((part.title() for part in parts[1:] if len(part) == 4 and part.isalpha()), None)
    return "-".join(part for part in (locale.language, script, locale.territory) if part)


_READERS: dict[Holds, Callable[[Clue, str, Reading], Found | None]] = {
    Holds.TEXT: _text,
    Holds.URL: _url,
    Holds.DATE: _date,
    Holds.NUMBER: _number,
    Holds.YES_NO: _yes_no,
    Holds.LANGUAGE: _language,
}


# --- fields that need more ---


def choose_headline(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    headings, others = _headings(reading)
    titles = [
        Title(plain_text(clue.text), clue.text, source)
        for source in sources
        for clue in (headings if source == "html:h1" else others if source == "html:heading" else reading.clues.get(source)[:1])
    ]
    best = best_of([title for title in titles if title.text], reading.outlets)
    if best is None:
        return Chosen()
    rest = [Found(value=title.text, raw=title.raw, source=title.source) for title in titles if folded(title.text) != folded(best.text)]
    return Chosen((Found(value=best.text, raw=best.raw, source=best.source),), _distinct(rest))


def _headings(reading: Reading) -> tuple[Sequence[Clue], Sequence[Clue]]:
    """The first-level heading and the other one that the page's title repeats; where it repeats neither, the first of the first level."""
    titles = [folded(text) for text in reading.clues.texts("html:title", "meta:og:title")]
    first = _repeated(reading.clues.get("html:h1"), titles, reading.outlets)
    if first and 2 * len(folded(first[0].text)) > max(map(len, titles)):
        return first, ()
    others = _repeated(reading.clues.get("html:heading"), titles, reading.outlets)
    if first and others and len(folded(others[0].text)) > len(folded(first[0].text)) and folded(first[0].text) not in folded(others[0].text):
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
        and any(key == title or (len(key) >= _MIN_HEADING and key in title) or (len(title) >= _MIN_TITLE and title in key) for title in titles)
    ]
    return tuple(heading for heading, _ in sorted(repeated, key=lambda one: -len(one[1]))[:1])


_NAMES_ALONE = frozenset({"html:rel-author", "html:author"})
"""Elements of the page that hold a name and nothing else, so that one word may be one."""
_BY_SITE_MAKERS = frozenset({"meta:author", "meta:article:author"})
"""Where organisations are mostly those that made the site."""


def choose_authors(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    """Others before the portal itself: its own name counts only where nothing else is said.

    What the page shows is read only where nothing better names an author.
    """
    authors: list[Offer] = []
    outlets: list[Offer] = []
    for source in sources:
        visible = source.startswith("html:")
        if visible and authors:
            continue
        names = names_in(reading.clues.get(source), reading.language, visible=visible, alone=source in _NAMES_ALONE)
        own = [one for one in names if _is_own(one, source, reading)]
        if len(own) < len(names):
            authors.append(_offer((one for one in names if one not in own), source))
        elif own:
            outlets.append(_offer(own, source))
    return _first([*authors, *outlets], many=True)


def _offer(names: Iterable[Name], source: str) -> Offer:
    return [Found(value=one.text, raw=one.raw, source=source, kind=one.kind) for one in names]


def _is_own(name: Name, source: str, reading: Reading) -> bool:
    """Whether a name is the portal's own, or of those that made its site."""
    maker = source in _BY_SITE_MAKERS and name.kind == "organization"
    return maker or is_outlet(name, reading.outlets, inside=source.startswith("html:"))


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


def choose_date(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    """The first source's moment; an earlier one where it tells of a later edition, a more exact one where it lacks time or offset."""
    dates: list[Found] = []
    for source in sources:
        if source.startswith("html:") and any(len(one.value) > _DAY for one in dates):
            continue  # what the page shows is less exact, and may be another article's
        dates.extend(islice((one for clue in reading.clues.get(source) if (one := _date(clue, source, reading)) is not None), 1))
    if not dates:
        return Chosen()
    best = dates[0]
    if best.source in _FIRST_HAND:
        first = min((one for one in dates if one.source in _FIRST_HAND), key=lambda one: one.value[:_DAY])
        best = first if _days_apart(first, best) > _DRAFT else best
    best = next((one for one in dates if _is_more_exact(one, best)), best)
    return _first([[best], *([one] for one in dates)], many=False)


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


def choose_topics(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    """The first list; but a later one that holds all of it and more is the fuller account of the same."""
    offers: list[list[Found]] = []
    for source, clues in _clues(sources, reading):
        topics = topics_in([plain_text(clue.text) for clue in clues])
        offer = [Found(value=topic, raw=raw, source=source) for topic, raw in topics if folded(topic) not in reading.outlets]
        if offer:
            offers.append(offer)
    fuller = [offer for offer in offers[1:] if _said(offers[0]) < _said(offer)]
    return _first([*fuller, *offers], many=True)


def _said(offer: Offer) -> frozenset[str]:
    return frozenset(folded(one.value) for one in offer)


def choose_section(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    chosen = choose_plain(name, [source for source in sources if not source.endswith(":breadcrumb")], reading)
    if chosen.values:
        return chosen
    for source, clues in _clues([source for source in sources if source.endswith(":breadcrumb")], reading):
        for clue in clues[:-1] if len(clues) > 1 else ():
            if clue.text.lower() not in _HOME and folded(clue.text) not in reading.outlets:
                return Chosen((Found(value=plain_text(clue.text), raw=clue.text, source=source),))
    return Chosen()


def choose_url(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    """The canonical address; one that leads to the portal's front page is a mistake of its template."""
    chosen = choose_plain(name, sources, reading)
    usable = [one for one in (*chosen.values, *chosen.others) if bare_host(one.value) and not _is_front_page(one.value, reading)]
    return Chosen(tuple(usable[:1]), tuple(usable[1:]))


def _is_front_page(url: str, reading: Reading) -> bool:
    return url.rstrip("/").count("/") <= 2 < reading.page.url.rstrip("/").count("/")


CHOOSERS: dict[str, Callable[[str, Sequence[str], Reading], Chosen]] = {
    "headline": choose_headline,
    "author": choose_authors,
    "datePublished": choose_date,
    "keywords": choose_topics,
    "articleSection": choose_section,
    "url": choose_url,
}
"""Fields that are not plainly the first source's value."""
