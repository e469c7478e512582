"""What each source offers for a field, read as the kind of value that the field holds, and the plain choice among the offers."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from babel import Locale, UnknownLocaleError

from webarticlecurator.config.fields import Field, Holds
from webarticlecurator.dates import LONGEST_WRITTEN
from webarticlecurator.extraction.metadata.authors import folded
from webarticlecurator.extraction.metadata.clues import Clue, Clues, plain_text
from webarticlecurator.extraction.metadata.dates import DAY, Clock, find_visible, read_moment
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page
from webarticlecurator.urls import is_http, join

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


def is_visible(source: str) -> bool:
    """Whether it is what a reader of the page sees, where values stand among other words and beside those of other articles."""
    return source.startswith("html:")


def choose_plain(field: Field, sources: Sequence[str], known: PageClues) -> Chosen:
    """What the first source says that says something usable."""
    return chosen_from(offers_of(sources, lambda source: list(read_all(field.holds, source, known))), many=field.many)


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
    for clue in known.clues.each(source):
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
