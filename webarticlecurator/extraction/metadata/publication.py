"""When an article was published: which of the dates of a page says so, and how exactly it is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import chain, islice

from webarticlecurator.config.fields import Holds
from webarticlecurator.dates import ReadDate, written_moment
from webarticlecurator.extraction.metadata.dates import DAY, OFFSET, find_visible, in_zone, is_utc
from webarticlecurator.extraction.metadata.offers import Chosen, PageClues, chosen_from, is_visible, read_all
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
_CLOCKS = ("html:published", "html:near-date", "html:time", "html:date")
"""Where pages show what the clock said at the publisher."""
UNMARKED = "html:text-date"
"""Where they show a day, and nothing marks it as one."""
_MOST_CLOCKS = 3
"""Texts of one such place."""
_LONGEST_LABEL = 40
_CHANGED = (
    r"modified|revised|changed|geändert|änderung|bearbeitet|modifiée?|modificad[oa]|modificat[oa]|módosítva|módosítás|módosult|gewijzigd|"
    r"zmodyfikowan[oy]|upraven[oa]|změněn[oa]|endret|ändrad|ændret|muokattu|değiştirilme|изменено|змінено|수정"
)
_UPDATED = (
    r"updated?|edited|reviewed|aktualisiert|aktualisierung|mis à jour|mise à jour|actualizad[oa]|actualización|atualizad[oa]|atualização|"
    r"aggiornat[oa]|aggiornamento|frissítve|frissítés|frissült|bijgewerkt|zaktualizowan[oy]|aktualizacja|aktualizován[oa]|aktualizácia|"
    r"oppdatert|uppdaterad|opdateret|päivitetty|güncellendi|güncelleme|обновлено|оновлено|更新|更新日|最終更新"
)
_OF_CHANGE, _OF_UPDATE = (
    re.compile(rf"(?:{words})(?:\s+(?:on|at|am|um|le|el|il|op|den|dne|den|på|em))?\W*$", re.IGNORECASE) for words in (_CHANGED, _UPDATED)
)
"""Before the date of the last change, which publishes nothing; before that of an edition, which may be the only one that is told."""


_CHANGE = re.compile(rf"\b(?:{_CHANGED}|{_UPDATED})", re.IGNORECASE)


def word_of_change(label: str) -> str:
    """The word in the label of a date that says it to be that of a change or an update, if there is one."""
    found = _CHANGE.search(label)
    return found[0] if found else ""


def choose_publication(sources: Sequence[str], known: PageClues) -> Chosen:
    """The first source's moment; an earlier one where it tells of a later edition, a more exact one where it lacks time or offset.

    What the page shows as the date of an update counts only if there is no other; so does the day of the visit above the article, where
    many portals write what day it is.
    """
    dates: list[Found] = []
    updates: list[Found] = []
    todays: list[Found] = []
    for source in sources:
        exact = any(len(one.value) > DAY for one in dates)
        if (is_visible(source) and exact) or (source == UNMARKED and dates):
            continue  # what the page shows is less exact, and may be another article's
        told, of_updates = _dates_of(source, known)
        if source == UNMARKED and updates:  # a line that is another day and nothing else
            told = [one for one in told if one.raw.strip() == one.written and _day(one) not in map(_day, updates)]
        updates.extend(of_updates)
        for found in told[:1]:
            may_be_todays = source == "html:page-date" and abs(_day(found) - known.clock.now.date()) <= timedelta(days=1)
            (todays if may_be_todays else dates).append(found)
    dates = dates or updates or todays
    if not dates:
        return Chosen()
    best = dates[0]
    if best.source in _FIRST_HAND:
        alone = (one for one in dates if one.source in _FIRST_HAND and (one is best or len(known.clues.get(one.source)) == 1))
        first = min(alone, key=lambda one: one.value[:DAY])
        best = first if _days_apart(first, best) > _DRAFT else best
    told = (*dates, *(in_zone(one, known.clock.zone) for one in dates))  # a day may be that of the publisher's clock
    best = next((one for one in told if _is_more_exact(one, best)), best)
    return chosen_from([[_by_local_clock(best, sources, known)], *([one] for one in dates)], many=False)


def _dates_of(source: str, known: PageClues) -> tuple[Sequence[Found], Sequence[Found]]:
    """What a source says of the publication, and, where readers see it, of updates."""
    found = read_all(Holds.DATE, source, known)
    if not is_visible(source):
        return list(islice(found, 1)), ()
    told: list[Found] = []
    updates: list[Found] = []
    for one in found:
        before = (one.raw.partition(one.written)[0] if one.written else "")[-_LONGEST_LABEL:]
        if _OF_UPDATE.search(before):
            updates.append(one)
        elif not _OF_CHANGE.search(before):
            told.append(one)
            break
    return told, updates


def _is_more_exact(one: Found, than: Found) -> bool:
    """Whether it tells the time of the same day, or the offset of about the same moment, that the other one lacks."""
    if len(one.value) <= DAY:
        return False
    if len(than.value) <= DAY:
        return one.value[:DAY] == than.value
    return not OFFSET.search(than.raw) and OFFSET.search(one.raw) is not None and _days_apart(one, than) <= 1


def _by_local_clock(found: Found, sources: Sequence[str], known: PageClues) -> Found:
    """A moment told in UTC by the clock of its publisher, so that its day is the one that readers saw.

    That is the portal's, where it says that a day began then, or where the page shows the day that it was there; of a portal whose zone
    nobody told it is the one which the page shows for the same moment, to the minute.
    """
    local = in_zone(found, known.clock.zone)
    if local is not found:
        shown = chain(_shown(sources, known), _texts_of(UNMARKED, sources, known))  # lazily: it reads the whole text
        moved = _day(local) != _day(found) and any(_is_day(local.value[:DAY], one, known) for one in shown)
        return local if moved or "T00:00:00" in local.value else found
    if not is_utc(found):
        return found
    moment = datetime.fromisoformat(found.value)
    minutes = "|".join(f"{(moment.minute + quarter) % 60:02}" for quarter in range(0, 60, 15))
    may_be_it = re.compile(rf"\d[:.h](?:{minutes})(?!\d)")
    for text in _shown(sources, known):
        if may_be_it.search(text) and (offset := _offset(moment, find_visible(text, known.clock))):
            return replace(found, value=written_moment(moment.astimezone(timezone(offset))))
    return found


def _shown(sources: Sequence[str], known: PageClues) -> Iterator[str]:
    """What a page shows where it shows what the clock said."""
    for source in _CLOCKS:
        yield from _texts_of(source, sources, known)


def _texts_of(source: str, sources: Sequence[str], known: PageClues) -> Iterator[str]:
    return (clue.text for clue in islice(known.clues.each(source) if source in sources else (), _MOST_CLOCKS))


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
