"""Chooses the values of each field among the clues: by the table of sources, with what its kind of value asks for."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from babel import Locale, UnknownLocaleError

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import Page
from webarticlecurator.extract.metadata.authors import Name, folded, is_outlet, names_in
from webarticlecurator.extract.metadata.clues import Clue, Clues
from webarticlecurator.extract.metadata.moments import Clock, read_moment, read_visible
from webarticlecurator.extract.metadata.titles import Title, best_of
from webarticlecurator.extract.metadata.topics import topics_in
from webarticlecurator.model.metadata import Found
from webarticlecurator.urls import bare_host, is_http, join

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_HOME = frozenset({"home", "startseite", "start", "homepage", "főoldal", "accueil", "inicio", "início", "strona główna", "domů", "hjem", "forside"})


@dataclass(frozen=True, slots=True)
class Reading:
    """All that is known of a page before its fields are decided."""

    page: Page
    portal: Portal
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


def _clues(sources: Iterable[str], reading: Reading) -> Iterator[tuple[str, tuple[Clue, ...]]]:
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


def plain_text(raw: str) -> str:
    """Without entities and tags that were written into a value."""
    text = _ENTITY.sub(lambda found: html.unescape(found[0]), raw) if "&" in raw else raw
    return " ".join((_TAG.sub(" ", text) if "<" in text else text).split())


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
    titles = [
        Title(plain_text(clue.text), clue.text, source)
        for source, clues in _clues(sources, reading)
        for clue in (_likeliest_heading(clues, reading) if source == "html:h1" else clues[:1])
    ]
    best = best_of([title for title in titles if title.text], reading.outlets)
    if best is None:
        return Chosen()
    others = [Found(value=title.text, raw=title.raw, source=title.source) for title in titles if folded(title.text) != folded(best.text)]
    return Chosen((Found(value=best.text, raw=best.raw, source=best.source),), _distinct(others))


def _likeliest_heading(headings: Sequence[Clue], reading: Reading) -> Sequence[Clue]:
    """Of several first-level headings the one that the page's title repeats."""
    titles = [folded(clue.text) for source in ("html:title", "meta:og:title") for clue in reading.clues.get(source, ())]
    keys = [folded(heading.text) for heading in headings]
    for heading, key in zip(headings, keys, strict=True):
        if len(key) > 5 and any(key in title or title in key for title in titles if title):
            return (heading,)
    return headings[:1]


def choose_authors(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    """Persons before the portal itself: its own name counts only where nothing else is said."""
    offers: list[list[Name]] = []
    places: list[str] = []
    for source, clues in _clues(sources, reading):
        names = names_in(clues, reading.language, visible=source.startswith("html:"))
        if names:
            offers.append(names)
            places.append(source)
    persons = [[one for one in offer if not is_outlet(one, reading.outlets)] for offer in offers]
    ranked = [*zip(places, persons, strict=True), *zip(places, offers, strict=True)]
    return _first(
        ([Found(value=one.text, raw=one.raw, source=source, kind=one.kind) for one in offer] for source, offer in ranked), many=True
    )


def choose_date(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    offers = [[one for clue in clues if (one := _date(clue, source, reading)) is not None] for source, clues in _clues(sources, reading)]
    return _first(offers, many=False)


def choose_topics(name: str, sources: Sequence[str], reading: Reading) -> Chosen:
    offers = []
    for source, clues in _clues(sources, reading):
        texts = [plain_text(clue.text) for clue in clues]
        topics = topics_in(texts, separate=len(texts) == 1 or not source.startswith("html:"))
        offers.append([Found(value=topic, raw=raw, source=source) for topic, raw in topics if folded(topic) not in reading.outlets])
    return _first(offers, many=True)


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
