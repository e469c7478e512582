"""Chooses the values of each field among what the sources say: the first usable one by the table, with what each field asks for."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from babel import Locale, UnknownLocaleError

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.dates import LONGEST_WRITTEN
from webarticlecurator.extraction.metadata.dates import DAY, Clock, find_visible, read_moment
from webarticlecurator.extraction.metadata.sources import SOURCES, Clue, Clues, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.text import folded
from webarticlecurator.urls import bare_host, is_http, join, normalise

Offer = Sequence[Found]
"""What one source has for a field."""


_ADDRESS_WITH_BLANKS = re.compile(r"(?:https?:/)?/(?!.* https?://)")
"""Of a text with blanks: the address of a file whose name has some, and neither a sentence nor several addresses."""


@dataclass(frozen=True, slots=True)
class PageClues:
    """All that is known of a page before its fields are decided."""

    page: Page
    clues: Clues
    clock: Clock
    language: str | None
    outlets: frozenset[str]
    """The names that the portal goes by, folded."""
    archive: str = ""
    """The address of the one page of the portal that lists all its articles, where it has but one: no section of it."""
    is_news: bool = False
    """Its own data call it a news article."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The values of a field, and what other sources say instead."""

    values: tuple[Found, ...] = ()
    others: tuple[Found, ...] = ()


SECTIONS_TOLD = tuple(source for source in SOURCES["articleSection"] if not source.startswith("html:"))


def is_visible(source: str) -> bool:
    """Whether it is what a reader of the page sees, where values stand among other words and beside those of other articles."""
    return source.startswith("html:")


def plain_offers(name: str, sources: Iterable[str], known: PageClues) -> list[Offer]:
    """What each source says that is usable."""
    return list(offers_of(sources, lambda source: list(read_all(FIELDS[name].holds, source, known))))


def offers_of(sources: Iterable[str], read: Callable[[str], Offer]) -> Iterator[Offer]:
    """What each source offers; what the page shows is looked for only where its data say nothing."""
    told = False
    for source in sources:
        offer = [] if told and is_visible(source) else read(source)
        told = told or bool(offer)
        yield offer


def chosen_from(offers: Iterable[Offer], *, many: bool) -> Chosen:
    """The first offer's values; of each other one, what is not the same."""
    usable = [_distinct(offer) if many else tuple(offer[:1]) for offer in offers if offer]
    if not usable:
        return Chosen()
    return Chosen(usable[0], _distinct(contradicting((one for offer in usable[1:] for one in offer), usable[0])))


def _distinct(found: Iterable[Found]) -> tuple[Found, ...]:
    distinct: dict[str, Found] = {}
    for one in found:
        distinct.setdefault(one.value, one)
    return tuple(distinct.values())


def contradicting(others: Iterable[Found], values: Sequence[Found]) -> Iterator[Found]:
    """Those that say something else; another spelling, another offset, a day without its time or with midnight is the same."""
    written = [one.value for one in values]
    unlike = [other for other in others if other.value not in written]
    if not unlike:
        return
    said = set(map(folded, written))
    moments = list(filter(None, map(_moment, written)))
    for other in unlike:
        moment = _moment(other.value)
        same_time = moment is not None and any(moment == one for one in moments)
        day, time = other.value[:DAY], other.value[DAY:]
        same_day = day in written if time.startswith("T00:00:00") else not time and any(one.startswith(f"{day}T") for one in written)
        if folded(other.value) not in said and not same_time and not same_day:
            yield other


def _moment(value: str) -> datetime | None:
    if len(value) <= DAY or not value[:4].isdigit():
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


# --- reading ---


def read_all(holds: Holds, source: str, known: PageClues) -> Iterator[Found]:
    """What a source says, as values of this kind."""
    for clue in known.clues.get(source):
        if holds is Holds.DATE and is_visible(source):
            if seen := find_visible(clue.text, known.clock):
                written = seen.written if len(seen.written) <= LONGEST_WRITTEN else ""
                yield Found(value=seen.value, raw=clue.text, source=source, written=written)
        elif value := _read(holds, clue, known):
            yield Found(value=value, raw=clue.text, source=source, kind=clue.kind)


def _read(holds: Holds, clue: Clue, known: PageClues) -> str | None:
    if holds is Holds.DATE:
        return read_moment(clue.text, known.clock)
    if holds is Holds.URL:
        return _address(html.unescape(clue.text), known)
    return _READERS[holds](clue.text)


def _address(text: str, known: PageClues) -> str | None:
    text = text.partition(' "')[0]  # the title of a picture in Markdown, which some software leaves in
    url = join(known.page.base, text, encoding=known.page.encoding) if " " not in text or _ADDRESS_WITH_BLANKS.match(text) else None
    return url if url is not None and is_http(url) else None


def _number(text: str) -> str | None:
    digits = re.search(r"\d+", text)
    return digits[0] if digits else None


_YES_NO = {"true": "true", "1": "true", "yes": "true", "free": "true", "false": "false", "0": "false", "no": "false", "locked": "false"}


@lru_cache(maxsize=256)
def language_tag(text: str) -> str | None:
    """BCP 47 from what pages write: `hu_HU.UTF-8`, `HU`, `de-de`, `sr-latn-rs`."""
    written = re.split(r"[.@,;]", text.strip())[0].replace("_", "-")
    try:
        locale = Locale.parse(written, sep="-")
    except (UnknownLocaleError, ValueError, TypeError):
        return None
    script = next((part.title() for part in written.split("-")[1:] if len(part) == 4 and part.isalpha()), None)
    return "-".join(part for part in (locale.language, script, locale.territory) if part)


_READERS: dict[Holds, Callable[[str], str | None]] = {
    Holds.TEXT: plain_text,
    Holds.NUMBER: _number,
    Holds.YES_NO: lambda text: _YES_NO.get(text.rpartition("/")[2].lower()),
    Holds.LANGUAGE: language_tag,
}


# --- description ---

_BREAKS_OFF = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*$")
_SAYS_NOTHING = re.compile(
    r"(?:(?:page )?(?:is )?loading|please wait|wird geladen|laden|chargement|cargando|carregando|caricamento|betöltés|null|undefined|none|"
    r"description|untitled)\W*|[\w%.-]+\.(?:html?|php|aspx?|jpe?g|png|gif|webp|svg|pdf|docx?|txt|md)",
    re.IGNORECASE,
)
"""What programs write where nobody described anything, and the name of a file."""
_SHORTEST_SUMMARY = 30
"""Characters; what is shorter is a slogan, or a title."""


def choose_description(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The first one; if a program cut that off, one that somebody wrote to its end."""
    said = plain_offers("description", sources, known)
    offers: list[Offer] = [offer for offer in said if offer and not _SAYS_NOTHING.fullmatch(offer[0].value)]
    if offers and _BREAKS_OFF.search(offers[0][0].value):
        offers.sort(key=lambda offer: len(offer[0].value) < _SHORTEST_SUMMARY or bool(_BREAKS_OFF.search(offer[0].value)))
    return offers


# --- section ---

_HOME = frozenset(
    (
        *("home", "homepage", "start", "startseite", "főoldal", "accueil", "inicio", "início", "strona główna", "domů", "hjem"),
        *("forside", "etusivu", "anasayfa", "главная"),
    )
)
"""What breadcrumbs begin with."""


def choose_section(sources: Sequence[str], known: PageClues) -> Iterator[Offer]:
    """Of breadcrumbs the first behind the front page; the portal's name, its one archive, and the article's own crumb are no section."""

    def read(source: str) -> Offer:
        told, none = list(read_all(Holds.TEXT, source, known)), known.outlets
        if is_path := source.endswith(":breadcrumb"):
            told = told if is_visible(source) else told[:-1]
            none |= {folded(clue.text) for clue in known.clues.get(source) if _is_archive(clue, known)}
        usable = [one for one in told if one.value.lower() not in _HOME and folded(one.value) not in none]
        if is_path or is_visible(source):
            return usable[:1] if is_path else usable
        return [replace(one, value=section) for one in usable for section in _sections(one.value)]

    return offers_of(sources, read)


def _is_archive(clue: Clue, known: PageClues) -> bool:
    url = join(known.page.base, clue.url) if clue.url and known.archive else None
    return url is not None and normalise(url) == normalise(known.archive)


_PARTS = re.compile(r"[;|]|,(?=\S)")
_ENDS_ONE_NAME = re.compile(r"(?:.* )?(?:&|and|und|et|y|e|és|i|a|och|og|en) .*|[A-Z]{2}", re.DOTALL)
"""The last part of a list that is one name ("Arts, Food and Drink"), or of a place ("Helena, MT")."""
_LONGEST_NAME = 40


def _sections(text: str) -> list[str]:
    """Data like to name several sections in one text."""
    found: list[str] = []
    for part in _PARTS.split(text):
        names = part.split(", ")
        found += [part] if _ENDS_ONE_NAME.fullmatch(names[-1].strip()) else names
    found = list(filter(None, map(str.strip, found)))
    return found if max(map(len, found), default=0) <= _LONGEST_NAME else [text]


# --- address, language ---


def choose_url(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The canonical address; one that leads to the portal's front page is a mistake of its template."""
    offers = plain_offers("url", sources, known)
    return [[one for one in offer if bare_host(one.value) and not is_front_page(one.value, known)] for offer in offers]


def is_front_page(url: str, known: PageClues) -> bool:
    return url.rstrip("/").count("/") <= 2 < known.page.url.rstrip("/").count("/")


def choose_language(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The portal's language, unless two sources of the page agree on another: here and there a template keeps a system's default."""
    told = [found for source in sources for found in islice(read_all(Holds.LANGUAGE, source, known), 1)]
    votes = Counter(_primary(one) for one in told[1:])
    agreed = [one for one in told[1:] if votes[_primary(one)] > 1]
    is_overruled = bool(agreed) and told[0].source == "language" and not votes[_primary(told[0])]
    return [[one] for one in (agreed if is_overruled else []) + told]


def _primary(found: Found) -> str:
    return found.value.partition("-")[0]


# --- topics ---

MAX_TOPICS = 100
MAX_SHOWN = 12
"""Of what a page shows more links than these are a menu."""
_LONGEST_TOPIC = 100
_SEPARATORS = re.compile(r"\s*[,;|，、；\n]\s*")
_EDGES = " \t,:;|/#"
_QUOTES = '"“”„'
_COUNT = re.compile(r"\s*\(\d+[^()]{0,12}\)$")
_LABEL = re.compile(r"^(?:categor(?:y|ies)|tags?|topics?|subjects?|keywords?|section|thema|tagek|cimkék):\s*", re.IGNORECASE)
_FOR_MACHINES = re.compile(
    r"[@_].*|[\w-]*:\S.*|nlp .*|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{24,}|(?!(?:1\d|20)\d\d$)\d+|https?:.*|.*=.*|"
    r"(?-i:[a-z][A-Za-z-]{2,30}: .*)|(?:day|month|year|week|channel|type|format|template|layout|status|source|author|page|id): .*|"
    r"[a-z0-9]+(?:_[a-z0-9]+)+",
    re.IGNORECASE,
)
"""What the programs of a site say to each other: numbers that are no years, codes, `displayType: standard`, `channel_other`."""
_PATH = re.compile(r"/?(?:[^\s/]+/){2,}")
"""Of a tree of topics, before its leaf."""
_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,11}")
_MIN_CODES, _MOSTLY = 5, 0.6
_NONE = frozenset(
    (
        *("", "null", "none", "undefined", "keywords", "tags", "tag", "na", "default", "uncategorized", "article"),
        *("more", "mehr", "plus", "más", "altro", "topics", "alltopics", "moretopics", "themen", "allethemen", "sujets", "temas"),
        *("argomenti", "alltags", "showmore", "mehranzeigen"),
    )
)
"""Folded."""


class _List(NamedTuple):
    """What one source says."""

    topics: tuple[Found, ...]
    keys: tuple[str, ...]
    """The topics, folded."""
    is_visible: bool
    of_portal: bool
    """A meta element whose list names the portal: then most of it is what the portal writes about, not the article."""


def choose_topics(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The first list that tells of the article: neither of what its portal writes about, nor only of its section."""
    lists: list[_List] = []
    for source in sources:
        is_told = any(not one.of_portal and len(one.keys) > 1 for one in lists)  # then what the page shows need not be looked for
        if not (is_told and is_visible(source)) and (topics := _list_of(source, known)) is not None:
            lists.append(topics)
    section = {folded(text) for text in known.clues.texts(*SECTIONS_TOLD)}
    own = [one for one in lists if not one.of_portal and (len(one.keys) > 1 or not (one.keys[0] in section or one.is_visible))] or lists
    return [one.topics for one in (*own[:1], *lists)]


def _list_of(source: str, known: PageClues) -> _List | None:
    told = topics_in(known.clues.texts(source))
    if source == "html:tags" and len(told) > MAX_SHOWN:
        return None
    keyed = [(folded(topic), Found(value=topic, raw=raw, source=source)) for topic, raw in told]
    # that its readers see the portal's name among the topics, somebody meant
    own = [(key, found) for key, found in keyed if is_visible(source) or key not in known.outlets]
    if not own:
        return None
    topics, keys = zip(*((found, key) for key, found in own), strict=True)
    return _List(topics, keys, is_visible(source), of_portal=source.startswith("meta:") and len(own) < len(keyed))


def topics_in(texts: Sequence[str]) -> list[tuple[str, str]]:
    """(topic, as it stood), in page order; a text may be a list of them. None at all where they are codes."""
    found: dict[str, tuple[str, str]] = {}
    for topic, raw in _pieces(texts):
        key = folded(topic)
        if key not in _NONE and len(topic) <= _LONGEST_TOPIC:
            found.setdefault(key, (topic, raw))
    topics = list(found.values())[:MAX_TOPICS]
    codes = sum(_CODE.fullmatch(topic) is not None for topic, _ in topics)
    return [] if codes >= _MIN_CODES and codes > _MOSTLY * len(topics) else topics


def _pieces(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in map(plain_text, texts):
        for piece in _SEPARATORS.split(text):
            topic = _bare(_COUNT.sub("", _LABEL.sub("", _PATH.sub("", _bare(piece)))))
            if not _FOR_MACHINES.fullmatch(topic):
                yield topic, text


def _bare(piece: str) -> str:
    """Without what stands around it; quotation marks of a part of it stay."""
    text = piece.strip(_EDGES)
    inner = text.strip(f"{_EDGES}{_QUOTES}'")
    return text if any(mark in inner for mark in _QUOTES) else inner
