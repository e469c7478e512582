"""When an article was published and changed: which of the dates of a page says so, how exactly it is known,
and which cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import chain
from typing import NamedTuple

from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import (
    DAY,
    by_clock,
    find_shown,
    read_visible,
    with_day_for_month,
    written_moment,
)
from webarticlecurator.dates.moments import with_zone
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.shown_dates import CHANGED, MARKED, UNMARKED
from webarticlecurator.extraction.metadata.sources import AGES, WORDS, Offer, PageClues, is_visible, values_of
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.own_patterns import linear

_FIRST_HAND = frozenset(
    {
        "json-ld:datePublished",
        "microdata:datePublished",
        "meta:article:published_time",
        "meta:og:article:published_time",
        "url:date",
    }
)
"""Sources in which the day of publication is written by the program that published; of those that differ the
first one was the publication."""
_DRAFT = 30
"""Days for which an article may lie about before it is published, so that its address shows an earlier
day."""
_MOST_CLOCKS = 6
"""Texts of one place that may be a clock of the publisher."""
_MOST_SHOWN = 3
"""Dates of one place that may be that of the publication."""
_MOST_DATES = {MARKED: _MOST_SHOWN, AGES: _MOST_SHOWN}
"""Places that may have several dates, each with their number."""
_OF_UPDATE = linear(
    rf"(?:{CHANGED})(?:\s+(?:on|at|am|a|à|às|um|le|el|il|op|den|dne|på|em|tarihi)|时间|時間|日時|于|於)?\W*$",
    re.IGNORECASE,
)
"""Words before the date of a later edition, which counts only where it is the only one."""
_OF_CHANGE = linear("|".join(WORDS["changed"]), re.IGNORECASE)
"""Words before the date of a change, which never counts."""
_OFFSET = linear(r"(?:Z|GMT|UTC|[+\-−]\d\d:?\d\d)\W*(?:\([^()]*\))?$|^\d{10}(?:\d{3})?$", re.IGNORECASE)
"""The offset at the end of a date as it is written; or all of the date, where it counts seconds."""
_LOCAL_CLOCK = linear(r"[+-](?!00:00)\d\d:\d\d$")
"""The end of a moment, as ISO 8601 writes it, that is not told in UTC."""
_LONGEST_OFFSET = 80
"""Characters of an offset with the name of the zone behind it."""
_MIDNIGHT = "T00:00:00"
_CLOCK = slice(len("2024-05-01T"), len("2024-05-01T10:15"))
"""The place of hours and minutes in a moment."""
_HOUR = linear(r"\d\d:\d\d")


# --- the publication ---


class _ToldDates(NamedTuple):
    """Dates that may be that of the publication, the most trusted first."""

    dates: list[Found]
    """One of each source."""
    updates: list[Found]
    """Dates behind a word that says that they are of a later edition or a change."""
    others: list[Found]
    """Further dates that the page shows at the same places."""


def choose_publication(known: PageClues) -> list[Offer]:
    """Return the first source's moment; an earlier one where it tells of a later edition, a more exact one
    where it lacks time or offset.

    What the page shows as the date of an update counts only if there is no other, and that of a change never.
    """
    told = _told_dates(known)
    if not told.dates:
        return []
    first = _earliest_shown(_unless_changed(_first_published(told, known), told, known), told)
    best = _most_exact(first, told, known)
    chosen = _by_local_clock(best, known)
    beside = _shown_a_day_apart(chosen, known) if is_utc(best) else []
    return [[found] for found in (chosen, *told.dates, *beside)]


def _told_dates(known: PageClues) -> _ToldDates:
    """Return the dates of all sources; what the page shows is less exact, and may be another article's, so it
    comes last."""
    told = _ToldDates([], [], [])
    for source in known.sources_of("datePublished"):
        if _is_no_longer_asked(source, told.dates):
            continue
        shown, of_updates = _publications_and_updates(source, known)
        told.updates.extend(of_updates)
        told.dates.extend(shown[:1])
        told.others.extend(shown[1:])
    if not told.dates:
        told.dates.extend(found for found in told.updates if not _OF_CHANGE.search(_before(found)))
    told.dates[:] = [_in_order_of_others(found, told, known) for found in told.dates]
    told.dates.sort(key=lambda found: _is_to_come(_day(found), known.page.date))
    return told


def _in_order_of_others(found: Found, told: _ToldDates, known: PageClues) -> Found:
    """Return a date with its day for its month, if that is what other dates of the page say, which can be
    read in one way only."""
    other = with_day_for_month(found.raw, found.value)
    if not other:
        return found
    dates = chain(((found.raw, found.value) for found in told.dates), _shown_clocks(known, _MOST_SHOWN))
    sure = {value[:DAY] for raw, value in dates if not with_day_for_month(raw, value)}
    is_confirmed = sure.intersection((found.value[:DAY], other[:DAY])) == {other[:DAY]}
    return replace(found, value=other) if is_confirmed else found


def _is_to_come(day: date, captured: datetime) -> bool:
    """Return True for a day that had not come anywhere on earth by the capture."""
    return (day - captured.date()).days > 1


def _is_no_longer_asked(source: str, dates: Sequence[Found]) -> bool:
    """Return True for places of the page that count only where nothing better tells the date."""
    if source in (AGES, UNMARKED):
        return bool(dates)
    return is_visible(source) and any(len(found.value) > DAY for found in dates)


def _publications_and_updates(source: str, known: PageClues) -> tuple[list[Found], list[Found]]:
    """Return the dates of a source, those of updates apart: the first one, and of what the page marks as
    dates a few."""
    most = _MOST_DATES.get(source, 1)
    shown: list[Found] = []
    of_updates: list[Found] = []
    for found in values_of("datePublished", source, known):
        (of_updates if _OF_UPDATE.search(_before(found)) else shown).append(found)
        if len(shown) >= most:
            break
    return shown, of_updates


def _before(found: Found) -> str:
    """Return what stands before the date as it is written."""
    return found.raw.partition(found.written)[0][-40:] if found.written else ""


def _first_published(told: _ToldDates, known: PageClues) -> Found:
    """Return the earliest date that a program wrote when it published, if the best one may be that of a later
    edition."""
    best = told.dates[0]
    if best.source not in _FIRST_HAND:
        return best
    first_hand = [found for found in told.dates if _is_first_hand(found.source, known)]
    first = min((best, *first_hand), key=lambda found: found.value[:DAY])
    return first if _days_apart(first, best) > _DRAFT else best


def _unless_changed(best: Found, told: _ToldDates, known: PageClues) -> Found:
    """Return the date of creation whose clock the page shows, where the data have the last change for the
    publication; else the best date."""
    changed = {found.value for found in values_of("dateModified", "json-ld:dateModified", known)}
    if best.value not in changed:  # the shown dates of few pages have to be read for this
        return best
    created = {found.source: found for found in told.dates}.get("json-ld:dateCreated", best)
    shown = _HOUR.findall(" ".join(known.texts(MARKED, UNMARKED)[:_MOST_CLOCKS]))
    return created if created.value[_CLOCK] in shown else best


def _is_first_hand(source: str, known: PageClues) -> bool:
    """Return True for a source in which the program that published wrote one date."""
    return source in _FIRST_HAND and len(known.get(source)) == 1


def _earliest_shown(best: Found, told: _ToldDates) -> Found:
    """Return the earliest date that the page marks as one, if the best one is: words for a change are not
    known in every language."""
    if best.source != MARKED:
        return best
    return min((found for found in told.dates if found.source in (MARKED, "meta:date")), key=_day)


def _most_exact(best: Found, told: _ToldDates, known: PageClues) -> Found:
    """Return the first date that tells the time or the offset that the best one lacks."""
    if _OFFSET.search(best.raw):
        return best
    # a day may be that of the publisher's clock
    by_zone = (in_zone(found, known.clock.zone) for found in told.dates)
    candidates = chain(told.dates, by_zone, told.others)
    return next((found for found in candidates if _is_more_exact(found, best)), best)


def _is_more_exact(found: Found, than: Found) -> bool:
    """Return True if a date tells the time of the same day, or the offset of about the same moment, that the
    other one lacks."""
    if len(found.value) <= DAY:
        return False
    if len(than.value) <= DAY:
        return found.value[:DAY] == than.value
    return _OFFSET.search(found.raw) is not None and _days_apart(found, than) <= 1


def _days_apart(date_told: Found, other: Found) -> int:
    return abs((_day(date_told) - _day(other)).days)


def _day(found: Found) -> date:
    """Return the day of a date; one far from all others where only the month or the year is told."""
    return date.fromisoformat(found.value[:DAY]) if len(found.value) >= DAY else date.min


# --- the clock of the publisher ---


def _by_local_clock(found: Found, known: PageClues) -> Found:
    """Return a moment told in UTC by the clock of its publisher, so that its day is the one that readers
    saw."""
    if not is_utc(found):
        return found
    local = in_zone(found, known.clock.zone)
    if local == found:
        return _by_clock_of_page(found, known)
    return local if _is_clock_of_publisher(local, found, known) else found


def _is_clock_of_publisher(local: Found, found: Found, known: PageClues) -> bool:
    """Return True if a day began then by the portal's clock, or if the page shows the day that it was
    there."""
    if _MIDNIGHT in local.value:
        return True
    if _day(local) == _day(found):
        return False
    return any(value[:DAY] == local.value[:DAY] for _, value in _shown_clocks(known, _MOST_CLOCKS))


def _by_clock_of_page(found: Found, known: PageClues) -> Found:
    """Return a moment, of a portal whose zone nobody told, in the zone in which the page shows the same
    moment, to the minute."""
    day = found.value[:DAY]
    # where a day is all that is known, a time of that day tells of something else
    if _MIDNIGHT in found.value and any(value == day for _, value in _shown_clocks(known, _MOST_CLOCKS)):
        return found
    moment = datetime.fromisoformat(found.value)
    minutes = "|".join(f"{(moment.minute + quarter) % 60:02}" for quarter in range(0, 60, 15))
    for text in filter(linear(rf"\d[:.h](?:{minutes})(?!\d)").search, known.texts(MARKED)[:_MOST_CLOCKS]):
        offset = _offset(moment, read_visible(text, known.clock) or "")
        if offset:
            return replace(found, value=written_moment(moment.astimezone(timezone(offset))))
    return found


def _offset(moment: datetime, shown: str) -> timedelta | None:
    """Return how far the clock that shows this is from UTC, if it shows that moment."""
    if len(shown) <= DAY:
        return None
    clock = datetime.fromisoformat(shown).replace(tzinfo=UTC)
    offset = clock - (moment if clock.second else moment.replace(second=0))
    is_zone = timedelta(hours=-12) <= offset <= timedelta(hours=14) and not offset % timedelta(minutes=15)
    return offset if is_zone else None


def _shown_a_day_apart(chosen: Found, known: PageClues) -> Offer:
    """Return the first date that the page shows, if it is of the day before or after."""
    for text, value in _shown_clocks(known, 1):
        if len(value) >= DAY:
            found = Found(value=value, raw=text, source=MARKED)
            return [found] if _days_apart(found, chosen) == 1 else []
    return []


def _shown_clocks(known: PageClues, most: int) -> Iterator[tuple[str, str]]:
    """Yield the texts in which the page shows what the clock said at the publisher, each with the date that
    it is."""
    for source in (MARKED, UNMARKED):
        for text in known.texts(source)[:most]:
            seen = find_shown(text, known.clock)
            yield text, seen.value if seen else ""


# --- dates that a rule or a listing decided ---

_DATES = ("datePublished", "dateModified", "dateCreated")
_LISTED_DATES = frozenset(f"listing:{name}" for name in _DATES)


def completed(decided: tuple[Found, ...], of_page: Sequence[Found], zone: tzinfo) -> tuple[Found, ...]:
    """Return a date of a listing as the page has it, where that tells the time of that day; a moment in UTC
    by the page's own clock."""
    if len(decided) != 1:
        return decided
    listed, is_listed = decided[0], decided[0].source in _LISTED_DATES
    if is_listed and all(found.value != listed.value for found in of_page):
        of_page = (*of_page, *(in_zone(found, zone) for found in of_page))
    for found in of_page:
        if _is_same_moment(found, listed) or (is_listed and _tells_time_of_day(found, listed)):
            return (found if is_listed else replace(listed, value=found.value),)
    return decided


def _is_same_moment(found: Found, in_utc: Found) -> bool:
    """Return True for the moment of a date in UTC, by another clock."""
    is_by_other_clock = is_utc(in_utc) and _LOCAL_CLOCK.search(found.value) is not None
    return is_by_other_clock and read_iso(found.value, UTC)[1] == read_iso(in_utc.value, UTC)[1]


def _tells_time_of_day(found: Found, day: Found) -> bool:
    return len(day.value) == DAY < len(found.value) and found.value.startswith(day.value)


def by_one_clock(metadata: Metadata, zone: tzinfo) -> tuple[Found, ...]:
    """Return when it was changed, by the portal's clock where the publication is told by a local one: else it
    may seem to be the day before."""
    published, modified = metadata.get("datePublished", ()), metadata.get("dateModified", ())
    is_local = any(_LOCAL_CLOCK.search(found.value) for found in published)
    return tuple(in_zone(found, zone) for found in modified) if is_local else modified


def in_zone(found: Found, zone: tzinfo) -> Found:
    """Return a moment told in UTC by the clock of the portal's zone; any other date, and one of a portal in
    UTC, as it is."""
    return replace(found, value=by_clock(found.value, zone)) if is_utc(found) else found


def is_utc(found: Found) -> bool:
    """Return True for a moment that its source tells in UTC."""
    return found.value.endswith("+00:00") and _OFFSET.search(found.raw[-_LONGEST_OFFSET:]) is not None


def read_iso(value: str, zone: tzinfo) -> tuple[date | None, datetime | None]:
    """Return the day that ISO 8601 tells, and its moment where it tells one; both None where it is no
    date."""
    try:
        if len(value) <= DAY:
            return date.fromisoformat(f"{value}-01-01"[:DAY]), None
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None, None
    return moment.date(), with_zone(moment, zone)


# --- dates that cannot be ---


class _DatedPage(NamedTuple):
    """A date of a page, and what it must lie between."""

    day: date
    moment: datetime | None
    begin: date
    """The day before which no article of the portal was published."""
    captured: datetime


def _is_later_moment(told: _DatedPage) -> bool:
    """Return True for a moment that had not come by the capture; clocks differ, so some time is left to
    them."""
    return told.moment is not None and told.moment > told.captured + timedelta(hours=1)


_ODDITIES: tuple[Check[_DatedPage], ...] = (
    Check("lies before {begin}", lambda told: told.day < told.begin),
    Check("lies after the capture", _is_later_moment),
    Check("lies after the capture", lambda told: _is_to_come(told.day, told.captured)),
)
"""Reasons why a date cannot be right."""


def odd_dates(metadata: Metadata, portal: Portal, captured: datetime) -> Iterator[str]:
    """Yield what is odd about the dates, each as a sentence: what cannot be is flagged, never deleted."""
    values = {field: metadata[field][0].value for field in _DATES if metadata.get(field)}
    first_day, begin = _begin_of_archive(portal)
    for field, value in values.items():
        day, moment = read_iso(value, portal.timezone)
        oddity = (
            first_reason(_ODDITIES, _DatedPage(day, moment, first_day, captured)) if day else "is no date"
        )
        if oddity:
            yield f"{field} {oddity.format(begin=begin)}: {value}"
    published, modified = (read_iso(values.get(field, ""), portal.timezone) for field in _DATES[:2])
    if _lies_before(modified, published):
        yield f"dateModified lies before datePublished: {values['dateModified']}"


def _begin_of_archive(portal: Portal) -> tuple[date, str]:
    """Return the day before which nothing can be published, and what began then: the archive, if all columns
    with dates say it."""
    dates = (column.dates for column in portal.columns if not column.ways)
    starts = [rules.start for rules in filter(None, dates)]
    told = list(filter(None, starts))
    if not told or None in starts:
        return date(1990, 1, 1), "there were portals"
    return min(told), "the portal's archive begins"


_DayAndMoment = tuple[date | None, datetime | None]
"""A date, as `read_iso` gives it."""


def _lies_before(date_told: _DayAndMoment, other: _DayAndMoment) -> bool:
    """Return True if a date is earlier than another one."""
    (day, moment), (other_day, other_moment) = date_told, other
    if moment and other_moment:
        return moment < other_moment
    return (day or date.max) < (other_day or date.min)
