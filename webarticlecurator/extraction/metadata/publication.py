"""When an article was published: which of the dates of a page says so, and how exactly it is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import islice

from webarticlecurator.config.fields import Holds
from webarticlecurator.dates import ReadDate, written_moment
from webarticlecurator.extraction.metadata.choose import Offer, PageClues, is_visible, read_all
from webarticlecurator.extraction.metadata.dates import DAY, OF_CHANGE, OF_UPDATE, OFFSET, find_visible, in_zone, is_utc
from webarticlecurator.model.metadata import Found

_FIRST_HAND = frozenset(
    (
        *("json-ld:datePublished", "microdata:datePublished", "rdfa:datePublished", "meta:article:published_time"),
        *("meta:og:article:published_time", "url:date"),
    )
)
"""Where the day of publication is written by the program that published; of those that differ the first one was the publication."""
_DRAFT = 30
"""Days for which an article may lie about before it is published, so that its address shows an earlier day."""
_WEST, _EAST, _STEP = timedelta(hours=-12), timedelta(hours=14), timedelta(minutes=15)
"""How far clocks are from UTC, and by what steps."""
_MARKED = "html:date"
"""Where pages show what the clock said at the publisher."""
UNMARKED = "html:text-date"
"""Where they show a day, and nothing marks it as one."""
_MOST_CLOCKS, _MOST_SHOWN = 6, 3
"""Texts of one such place."""
_LONGEST_LABEL = 40


def choose_publication(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """The first source's moment; an earlier one where it tells of a later edition, a more exact one where it lacks time or offset.

    What the page shows as the date of an update counts only if there is no other.
    """
    dates: list[Found] = []
    updates: list[Found] = []
    others: list[Found] = []
    for source in sources:
        is_exact = any(len(one.value) > DAY for one in dates)
        if (is_visible(source) and is_exact) or (source == UNMARKED and dates):
            continue  # what the page shows is less exact, and may be another article's
        shown, of_updates = _dates_of(source, known)
        if source == UNMARKED and updates:  # a line that is another day and nothing else
            shown = [one for one in shown[:1] if one.raw.strip() == one.written and _day(one) not in map(_day, updates)]
        updates.extend(of_updates)
        dates.extend(shown[:1])
        others.extend(shown[1:] if source != UNMARKED else ())
    dates = dates or updates
    if not dates:
        return []
    best = dates[0]
    if best.source in _FIRST_HAND:
        alone = (one for one in dates if one.source in _FIRST_HAND and (one is best or len(known.clues.get(one.source)) == 1))
        first = min(alone, key=lambda one: one.value[:DAY])
        best = first if _days_apart(first, best) > _DRAFT else best
    told = (*dates, *(in_zone(one, known.clock.zone) for one in dates), *others)  # a day may be that of the publisher's clock
    best = next((one for one in told if _is_more_exact(one, best)), best)
    return [[_by_local_clock(best, known)], *([one] for one in dates)]


def _dates_of(source: str, known: PageClues) -> tuple[list[Found], list[Found]]:
    """What a source says of the publication, and, where readers see it, of updates."""
    if not is_visible(source):
        return list(islice(read_all(Holds.DATE, source, known), 1)), []
    dates: list[Found] = []
    updates: list[Found] = []
    for one in read_all(Holds.DATE, source, known):
        before = (one.raw.partition(one.written)[0] if one.written else "")[-_LONGEST_LABEL:]
        if OF_UPDATE.search(before):
            updates.append(one)
        elif not OF_CHANGE.search(before):
            dates.append(one)
        if len(dates) >= _MOST_SHOWN:
            break
    return dates, updates


def _is_more_exact(one: Found, than: Found) -> bool:
    """Whether it tells the time of the same day, or the offset of about the same moment, that the other one lacks."""
    if len(one.value) <= DAY:
        return False
    if len(than.value) <= DAY:
        return one.value[:DAY] == than.value
    return not OFFSET.search(than.raw) and OFFSET.search(one.raw) is not None and _days_apart(one, than) <= 1


def _by_local_clock(found: Found, known: PageClues) -> Found:
    """A moment told in UTC by the clock of its publisher, so that its day is the one that readers saw.

    That is the portal's, where it says that a day began then, or where the page shows the day that it was there; of a portal whose zone
    nobody told it is the one which the page shows for the same moment, to the minute.
    """
    local = in_zone(found, known.clock.zone)
    if local is not found:
        shown = (text for source in (_MARKED, UNMARKED) for text in _shown(source, known))
        moved = _day(local) != _day(found) and any(_is_day(local.value[:DAY], text, known) for text in shown)
        return local if moved or "T00:00:00" in local.value else found
    if not is_utc(found):
        return found
    moment = datetime.fromisoformat(found.value)
    minutes = "|".join(f"{(moment.minute + quarter) % 60:02}" for quarter in range(0, 60, 15))
    may_be_it = re.compile(rf"\d[:.h](?:{minutes})(?!\d)")
    for text in _shown(_MARKED, known):
        if may_be_it.search(text) and (offset := _offset(moment, find_visible(text, known.clock))):
            return replace(found, value=written_moment(moment.astimezone(timezone(offset))))
    return found


def _shown(source: str, known: PageClues) -> list[str]:
    """What a page shows where it shows what the clock said."""
    return [clue.text for clue in known.clues.get(source)[:_MOST_CLOCKS]]


def _is_day(day: str, text: str, known: PageClues) -> bool:
    shown = find_visible(text, known.clock)
    return shown is not None and shown.value[:DAY] == day


def _offset(moment: datetime, shown: ReadDate | None) -> timedelta | None:
    """How far the clock that shows this is from UTC, if it shows that moment."""
    if shown is None or len(shown.value) <= DAY:
        return None
    clock = datetime.fromisoformat(shown.value).replace(tzinfo=UTC)
    offset = clock - (moment if clock.second else moment.replace(second=0))
    return offset if _WEST <= offset <= _EAST and not offset % _STEP else None


def _days_apart(one: Found, other: Found) -> int:
    return abs((_day(one) - _day(other)).days)


def _day(found: Found) -> date:
    """Far from all others where only the month or the year is told."""
    return date.fromisoformat(found.value[:DAY]) if len(found.value) >= DAY else date.min
