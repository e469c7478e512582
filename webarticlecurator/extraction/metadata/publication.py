"""When an article was published and changed: which of the dates of a page says so, and how exactly it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cached_property
from itertools import islice

from webarticlecurator.config.fields import Holds
from webarticlecurator.dates import written_moment
from webarticlecurator.extraction.metadata.dates import DAY, OF_UPDATE, OFFSET, in_zone, is_utc, read_visible, word_of_change
from webarticlecurator.extraction.metadata.sources import Clue, Offer, PageClues, is_visible, read_all
from webarticlecurator.extraction.metadata.visible import LONGEST_LABEL, VisibleParts
from webarticlecurator.labelling.names import ClassHint
from webarticlecurator.model.metadata import Found
from webarticlecurator.text import SAMPLES, short_text

_FIRST_HAND = frozenset(
    (
        *("json-ld:datePublished", "microdata:datePublished", "meta:article:published_time", "meta:og:article:published_time"),
        "url:date",
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
    told = (*dates, *(in_zone(date, known.clock.zone) for date in dates), *others)  # a day may be that of the publisher's clock
    best = next((date for date in told if _is_more_exact(date, best)), best)
    return [[_by_local_clock(best, known)], *([one] for one in dates)]


def _dates_of(source: str, known: PageClues) -> tuple[list[Found], list[Found]]:
    """What a source says of the publication, and, where readers see it, of updates."""
    dates: list[Found] = []
    updates: list[Found] = []
    for told in islice(read_all(Holds.DATE, source, known), None if is_visible(source) else 1):
        before = (told.raw.partition(told.written)[0] if told.written else "")[-_LONGEST_LABEL:]
        (updates if OF_UPDATE.search(before) else dates).append(told)
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
        if _day(local) == _day(found) or "T00:00:00" in local.value:
            return local if "T00:00:00" in local.value else found
        shown = (text for source in (_MARKED, UNMARKED) for text in known.clues.texts(source)[:_MOST_CLOCKS])
        is_shown = any((read_visible(text, known.clock) or "")[:DAY] == local.value[:DAY] for text in shown)
        return local if is_shown else found
    if not is_utc(found):
        return found
    moment = datetime.fromisoformat(found.value)
    minutes = "|".join(f"{(moment.minute + quarter) % 60:02}" for quarter in range(0, 60, 15))
    may_be_it = re.compile(rf"\d[:.h](?:{minutes})(?!\d)")
    for text in known.clues.texts(_MARKED)[:_MOST_CLOCKS]:
        if may_be_it.search(text) and (offset := _offset(moment, read_visible(text, known.clock) or "")):
            return replace(found, value=written_moment(moment.astimezone(timezone(offset))))
    return found


def _offset(moment: datetime, shown: str) -> timedelta | None:
    """How far the clock that shows this is from UTC, if it shows that moment."""
    if len(shown) <= DAY:
        return None
    clock = datetime.fromisoformat(shown).replace(tzinfo=UTC)
    offset = clock - (moment if clock.second else moment.replace(second=0))
    return offset if _WEST <= offset <= _EAST and not offset % _STEP else None


def _days_apart(one: Found, other: Found) -> int:
    return abs((_day(one) - _day(other)).days)


def _day(found: Found) -> date:
    """Far from all others where only the month or the year is told."""
    return date.fromisoformat(found.value[:DAY]) if len(found.value) >= DAY else date.min


# --- what the page shows ---

_LONGEST_DATE = 120
_TIMES = ("time", "relative-time", "time-ago", "local-time")
_MOMENT = re.compile(r"\s*(?:(?:19|20)\d\d-?\d\d-?\d\d|\d{10}(?:\d{3})?\s*$)")
_MOMENTS = ("datetime", "content", "title", "data-datetime", "data-time", "data-timestamp")
"""Attributes in which a date may stand for machines."""
_OF_NO_CHANGE = frozenset({"", "edited", "bearbeitet", "reviewed"})
"""Words before a date that say of no article when it changed: forums edit single posts, and reviewers change nothing."""
_DIGIT = re.compile(r"\d")
_MOST_TEXTS = 12
_NEAR_BEGIN = 60
"""Characters at the beginning of a line in which a date must stand to be the article's and not a part of its story."""
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|\d[./]\d\d?[./]\d\d(?!\d)")
_TWO_DIGITS = re.compile(r"\d\d")


class VisibleDates:
    """Elements that are marked as dates, and lines that begin with one."""

    def __init__(self, parts: VisibleParts) -> None:
        self._parts = parts
        self._outline = parts.outline

    def sources(self) -> Mapping[str, Callable[[], Iterable[Clue]]]:
        return {_MARKED: self._dates, "html:updated": self._updates, UNMARKED: self._text_dates}

    @cached_property
    def _dated(self) -> list[int]:
        """Elements that hold a date: those that say it is of the publication, what stands close to the headline, then all others."""
        outline, near, hinted = self._outline, self._parts.near, self._parts.hinted
        published = [next(iter(outline.rows_in(row, "time")), row) for row in hinted[ClassHint.PUBLISHED]]
        published += [row for row in outline.rows("time") if outline.elements[row].get("pubdate") is not None]
        others = {*outline.rows(*_TIMES), *(row for row in hinted[ClassHint.DATE] if row in near)}
        others.update(row for row in near if (title := outline.elements[row].get("title")) and _MOMENT.match(title))
        ordered = dict.fromkeys((*self._parts.inside(published), *self._parts.nearest_first(sorted(others))))
        return [row for row in islice(ordered, 1_000) if not self._parts.is_outside(row)]

    def _dates(self) -> Iterator[Clue]:
        return (Clue(self._moment(row)) for row in self._dated if not self._is_update(row))

    def _updates(self) -> Iterator[Clue]:
        for row in dict.fromkeys((*self._parts.inside(self._parts.hinted[ClassHint.UPDATED]), *self._dated)):
            text = self._moment(row)
            if self._is_update(row) or word_of_change(_DIGIT.split(text, maxsplit=1)[0]).casefold() not in _OF_NO_CHANGE:
                yield Clue(text)

    def _is_update(self, row: int) -> bool:
        hints, around = (self._parts.classes(above) for above in (row, max(self._outline.parents[row], 0)))
        return ClassHint.UPDATED in hints | around and ClassHint.PUBLISHED not in hints

    def _moment(self, row: int) -> str:
        """As it stands there for machines, behind the word that says it to be that of a change; else as it stands there for readers."""
        element = self._outline.elements[row]
        samples = [self._outline.elements[sample] for sample in self._outline.rows_in(row, *SAMPLES)]
        shown = (short_text(element, _LONGEST_DATE, samples) if samples else self._outline.short_text(row, _LONGEST_DATE)) or ""
        written = next((value for name in _MOMENTS if (value := element.get(name)) and _MOMENT.match(value)), element.get("datetime"))
        if not written:
            return shown
        labels = (text for text in (shown, self._parts.label_before(row)) if len(text) <= LONGEST_LABEL)
        return f"{next(filter(None, map(word_of_change, labels)), '')} {written}".strip()

    def _text_dates(self) -> list[Clue]:
        """Lines that begin with a date: behind the headline first, then before it, then outside of the article."""
        behind: list[str] = []
        before: list[str] = []
        outside: list[str] = []
        strings, owners = self._outline.strings, self._outline.owners
        for line in self._parts.lines:
            length = 0
            for place in line:
                text = strings[place]
                if _TWO_DIGITS.search(text) and not text.strip().isdigit():  # by far most texts have no date
                    beginning = " ".join(text.split(None, _NEAR_BEGIN // 2)[: _NEAR_BEGIN // 2])[:_NEAR_BEGIN]
                    if _YEAR.search(beginning) and owners[place] not in self._parts.samples:
                        is_outside = self._parts.is_outside(owners[place])
                        (outside if is_outside else behind if place >= self._parts.begin else before).append(beginning)
                length += len(text.strip())
                if length > _NEAR_BEGIN:
                    break
            if len(behind) >= _MOST_TEXTS:
                break
        return list(map(Clue, (*behind, *reversed(before), *outside)))[:_MOST_TEXTS]
