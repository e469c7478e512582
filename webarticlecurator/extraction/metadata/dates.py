"""When an article was published and changed: which of the dates of a page says so, how exactly it is known, and which cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import chain, compress, islice, takewhile

from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DAY, by_clock, read_visible, written_moment
from webarticlecurator.extraction.metadata.sources import WORDS, Clue, Offer, PageClues, is_visible, values_of
from webarticlecurator.extraction.metadata.visible import LONGEST_LABEL, VisibleParts
from webarticlecurator.labelling.element_names import ClassHint
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.page import LINE, Outline
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import SAMPLES, short_text, squeeze

_FIRST_HAND = frozenset(
    (
        *("json-ld:datePublished", "microdata:datePublished", "meta:article:published_time", "meta:og:article:published_time"),
        "url:date",
    )
)
"""Where the day of publication is written by the program that published; of those that differ the first one was the publication."""
_DRAFT = 30
"""Days for which an article may lie about before it is published, so that its address shows an earlier day."""
_MARKED = "html:date"
"""Where pages show what the clock said at the publisher."""
_UNMARKED = "html:text-date"
"""Where they show a day, and nothing marks it as one."""
_BEHIND_ANOTHER = "html:second-date"
"""Where they show one behind an earlier one in its line, and behind a label, which may say "updated" in any language."""
_MOST_CLOCKS, _MOST_SHOWN = 6, 3
"""Texts of one such place."""
_CHANGED = "|".join((*WORDS["changed"], *WORDS["updated"]))
_OF_UPDATE = linear(
    rf"(?:{_CHANGED})(?:\s+(?:on|at|am|a|à|às|um|le|el|il|op|den|dne|på|em|tarihi)|时间|時間|日時|于|於)?\W*$", re.IGNORECASE
)
"""Before the date of a later edition, which counts only where it is the only one."""
_OF_CHANGE = linear("|".join(WORDS["changed"]), re.IGNORECASE)
"""Before that of a change, which never counts."""
_CHANGE = linear(rf"\b(?:{_CHANGED})", re.IGNORECASE)
_CHANGED_ON = linear(rf"{_CHANGE.pattern}[^\w|·•]{{0,3}}(?:[^\s\d|·•]{{1,15}}[\s:：]+){{0,3}}\d", re.IGNORECASE)
"""With few words between it and the date, as in "Last updated on Thursday, May 9"."""
_OFFSET = linear(r"(?:Z|GMT|UTC|[+\-−]\d\d:?\d\d)\W*(?:\([^()]*\))?$|^\d{10}(?:\d{3})?$", re.IGNORECASE)
"""At the end of a date as it is written; or all of it, where it counts seconds."""
_LONGEST_OFFSET = 80
"""With the name of the zone behind it."""


def choose_publication(known: PageClues) -> list[Offer]:
    """The first source's moment; an earlier one where it tells of a later edition, a more exact one where it lacks time or offset.

    What the page shows as the date of an update counts only if there is no other, and that of a change never.
    """
    dates: list[Found] = []
    updates: list[Found] = []
    others: list[Found] = []
    for source in known.sources_of("datePublished"):
        is_exact = any(len(found.value) > DAY for found in dates)
        if (is_visible(source) and is_exact) or (source in (_UNMARKED, _BEHIND_ANOTHER) and dates):
            continue  # what the page shows is less exact, and may be another article's
        shown, of_updates = list[Found](), list[Found]()
        for found in islice(values_of("datePublished", source, known), None if is_visible(source) else 1):
            (of_updates if found.written and _OF_UPDATE.search(_before(found)) else shown).append(found)
            if len(shown) >= _MOST_SHOWN:
                break
        if source == _UNMARKED and updates:  # a line that is another day and nothing else
            shown = [found for found in shown[:1] if found.raw.strip() == found.written and _day(found) not in map(_day, updates)]
        updates.extend(of_updates)
        dates.extend(shown[:1])
        others.extend(shown[1:] if source != _UNMARKED else ())
    dates = dates or [found for found in updates if not _OF_CHANGE.search(_before(found))]
    if not dates:
        return []
    best = dates[0]
    if best.source in _FIRST_HAND:
        alone = (found for found in dates if found.source in _FIRST_HAND and (found is best or len(known.get(found.source)) == 1))
        first = min(alone, key=lambda found: found.value[:DAY])
        best = first if _days_apart(first, best) > _DRAFT else best
    if best.source == _MARKED:  # the words for a change are not known in every language
        best = min((found for found in dates if found.source in (_MARKED, "meta:date")), key=_day)
    if len(best.value) <= DAY or not _OFFSET.search(best.raw):
        by_zone = (in_zone(found, known.clock.zone) for found in dates)  # a day may be that of the publisher's clock
        best = next((found for found in chain(dates, by_zone, others) if _is_more_exact(found, best)), best)
    chosen = _by_local_clock(best, known)
    clocks = (text for source in (_MARKED, _UNMARKED) for text in known.texts(source)[:1]) if is_utc(best) else ()
    seen = ((text, value) for text in clocks if (value := read_visible(text, known.clock)) and len(value) >= DAY)
    beside = [Found(value=value, raw=text, source=_MARKED) for text, value in islice(seen, 1)]
    dates += [found for found in beside if _days_apart(found, chosen) == 1]
    return [[chosen], *([found] for found in dates)]


def _before(found: Found) -> str:
    """What stands before the date as it is written."""
    return found.raw.partition(found.written)[0][-40:]


def _is_more_exact(found: Found, than: Found) -> bool:
    """Whether it tells the time of the same day, or the offset of about the same moment, that the other one lacks."""
    if len(found.value) <= DAY:
        return False
    if len(than.value) <= DAY:
        return found.value[:DAY] == than.value
    return _OFFSET.search(found.raw) is not None and _days_apart(found, than) <= 1


def _by_local_clock(found: Found, known: PageClues) -> Found:
    """A moment told in UTC by the clock of its publisher, so that its day is the one that readers saw.

    That is the portal's, where it says that a day began then, or where the page shows the day that it was there; of a portal whose zone
    nobody told it is the one which the page shows for the same moment, to the minute.
    """
    if not is_utc(found):
        return found
    local = in_zone(found, known.clock.zone)
    shown = (text for source in (_MARKED, _UNMARKED) for text in known.texts(source)[:_MOST_CLOCKS])
    if local is not found:
        if "T00:00:00" in local.value or _day(local) == _day(found):
            return local if "T00:00:00" in local.value else found
        is_shown = any((read_visible(text, known.clock) or "")[:DAY] == local.value[:DAY] for text in shown)
        return local if is_shown else found
    if "T00:00:00" in found.value and any(read_visible(text, known.clock) == found.value[:DAY] for text in shown):
        return found  # where a day is all that is known, a time of that day tells of something else
    moment = datetime.fromisoformat(found.value)
    minutes = "|".join(f"{(moment.minute + quarter) % 60:02}" for quarter in range(0, 60, 15))
    may_be_it = linear(rf"\d[:.h](?:{minutes})(?!\d)")
    for text in known.texts(_MARKED)[:_MOST_CLOCKS]:
        if may_be_it.search(text) and (offset := _offset(moment, read_visible(text, known.clock) or "")):
            return replace(found, value=written_moment(moment.astimezone(timezone(offset))))
    return found


def _offset(moment: datetime, shown: str) -> timedelta | None:
    """How far the clock that shows this is from UTC, if it shows that moment."""
    if len(shown) <= DAY:
        return None
    clock = datetime.fromisoformat(shown).replace(tzinfo=UTC)
    offset = clock - (moment if clock.second else moment.replace(second=0))
    return offset if timedelta(hours=-12) <= offset <= timedelta(hours=14) and not offset % timedelta(minutes=15) else None


def _days_apart(date_told: Found, other: Found) -> int:
    return abs((_day(date_told) - _day(other)).days)


def _day(found: Found) -> date:
    """Far from all others where only the month or the year is told."""
    return date.fromisoformat(found.value[:DAY]) if len(found.value) >= DAY else date.min


_LONGEST_DATE = 120
_MOMENT = linear_at(r"\s*(?:(?:19|20)\d\d-?\d\d-?\d\d|\d{10}(?:\d{3})?\s*$)")
_MOMENTS = ("datetime", "content", "title", "data-datetime", "data-time", "data-timestamp")
"""Attributes in which a date may stand for machines."""
_OF_NO_CHANGE = frozenset({"", "reviewed"})
"""Words before a date that say of no article when it changed: reviewers change nothing."""
_MOST_TEXTS = 12
_NEAR_BEGIN = 60
"""Characters at the beginning of a line in which a date must stand to be the article's and not a part of its story."""
_YEAR = linear(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)|\d[./]\d\d?[./]\d\d(?!\d)|[\u0600-\u0eff]\W{0,3}\d{4}(?!\d)")
"""Scripts that have digits of their own are those of languages with calendars of their own."""
_TWO_DIGITS = linear(r"\d\d")


def _dated(parts: VisibleParts) -> Iterator[int]:
    """Elements that hold a date: those that say it is of the publication, what stands close to the headline, then all others."""
    outline, near = parts.outline, parts.near.keys()
    published = [next(iter(outline.rows_in(row, "time")), row) for row in parts.hinted[ClassHint.PUBLISHED]]
    published += [row for row in outline.rows("time") if outline.elements[row].get("pubdate") is not None]
    others = {*outline.rows("time", "relative-time", "time-ago", "local-time"), *near & {*parts.hinted[ClassHint.DATE]}}
    may_have_title = near & {*outline.rows("a", "abbr", "span")}
    others.update(row for row in may_have_title if _MOMENT.match(outline.elements[row].get("title") or ""))
    ordered = dict.fromkeys((*parts.inside(published), *parts.nearest_first(sorted(others))))
    return (row for row in islice(ordered, 1_000) if not (parts.is_outside(row) or _is_of_another(parts, row)))


def _line(outline: Outline, place: int) -> tuple[str, str]:
    """What stands before a string in its line, and the rest of the line."""
    strings, begin = outline.strings, place
    while begin and strings[begin - 1] != LINE:
        begin -= 1
    return "".join(strings[begin:place]), "".join(takewhile(LINE.__ne__, islice(strings, place, None)))


def _is_behind_another(parts: VisibleParts, row: int) -> bool:
    """Whether an earlier date stands in its line, and a label between them."""
    if parts.outline.tags[row] != "time":
        return False
    label = parts.label_before(row) or parts.label_before(parts.outline.parents[row])
    if not label.endswith((":", "：")) or len(label) > LONGEST_LABEL:
        return False
    return _YEAR.search(_line(parts.outline, parts.outline.strings_in(row).start)[0].removesuffix(label)) is not None


def _is_of_another(parts: VisibleParts, row: int) -> bool:
    """Whether a date stands in an item of a list beside a longer link, as that of another article."""
    outline = parts.outline
    items = (above for above in islice(outline.around(row), 4) if outline.tags[above] == "li")
    several = (item for item in items if item not in parts.around and len(outline.rows_in(outline.parents[item], "li")) > 1)
    links = (link for item in several for link in outline.rows_in(item, "a"))
    return any(parts.kind_of(link) is None and outline.length(link) > outline.length(row) for link in links)


def _updates(parts: VisibleParts) -> Iterator[Clue]:
    for row in dict.fromkeys((*parts.inside(parts.hinted[ClassHint.UPDATED]), *_dated(parts))):
        text = _moment(parts, row)
        if (
            _is_update(parts, row)
            or _is_behind_another(parts, row)
            or word_of_change(linear(r"\d").split(text, maxsplit=1)[0]).casefold() not in _OF_NO_CHANGE
        ):
            yield Clue(text)
    outline, near = parts.outline, parts.near
    places = range(outline.strings_in(min(near)).start, outline.strings_in(max(near)).stop) if near else range(0)
    for place in compress(places, map(_YEAR.search, islice(outline.strings, places.start, places.stop))):
        line = squeeze("".join(_line(outline, place)))
        match = _CHANGED_ON.search(line) if len(line) <= _LONGEST_DATE else None
        if match is None or word_of_change(match[0]).casefold() in _OF_NO_CHANGE:
            continue
        if not (parts.is_outside(outline.owners[place]) or _is_of_another(parts, outline.owners[place])):
            yield Clue(line[match.start() :][:_NEAR_BEGIN])


def _is_update(parts: VisibleParts, row: int) -> bool:
    hints = parts.classes(row)
    return ClassHint.UPDATED in hints | parts.classes(max(parts.outline.parents[row], 0)) and ClassHint.PUBLISHED not in hints


def _moment(parts: VisibleParts, row: int) -> str:
    """As it stands there for machines, behind the word that says it to be that of a change; else as it stands there for readers."""
    element, outline = parts.outline.elements[row], parts.outline
    samples = [outline.elements[sample] for sample in outline.rows_in(row, *SAMPLES)] if parts.holds_sample(row) else []
    shown = (short_text(element, _LONGEST_DATE, samples) if samples else outline.short_text(row, _LONGEST_DATE)) or ""
    written = next((value for name in _MOMENTS if (value := element.get(name)) and _MOMENT.match(value)), element.get("datetime"))
    labels = (text for text in (shown, parts.label_before(row)) if len(text) <= LONGEST_LABEL)
    word = next(filter(None, map(word_of_change, labels)), "")
    return f"{word} {written}".strip() if written else shown if word in shown else f"{word} {shown}"


def word_of_change(label: str) -> str:
    """The word in the label of a date that says it to be that of a change or an update, if there is one."""
    match = _CHANGE.search(label)
    return match[0] if match else ""


def _text_dates(parts: VisibleParts) -> list[Clue]:
    """Lines that begin with a date: behind the headline first, then before it, then outside of the article, unless that of a change was
    met before, such as "Last change:" in an element of its own."""
    behind: list[Clue] = []
    before: list[Clue] = []
    outside: list[Clue] = []
    of_change = False
    strings, owners = parts.outline.strings, parts.outline.owners
    for line in parts.lines:
        length = 0
        for place in line:
            beginning = strings[place][: 4 * _NEAR_BEGIN].strip()
            if _TWO_DIGITS.search(beginning) and not beginning.isdigit():  # by far most texts have no date
                beginning = squeeze(beginning)
                if len(beginning) > _NEAR_BEGIN:  # half of a number is no day
                    beginning = beginning[:_NEAR_BEGIN].rpartition(" ")[0]
                if _YEAR.search(beginning) and owners[place] not in parts.samples and not _is_of_another(parts, owners[place]):
                    label, is_outside = parts.label_before(owners[place]), parts.is_outside(owners[place])
                    word = word_of_change(label) if len(label) <= LONGEST_LABEL else ""
                    of_change = of_change or (bool(word) and not is_outside)
                    (outside if is_outside else behind if place >= parts.begin else before).append(Clue(f"{word} {beginning}".strip()))
            length += parts.outline.lengths[place]
            if length > _NEAR_BEGIN:
                break
        if len(behind) >= _MOST_TEXTS:
            break
    return [*behind, *reversed(before), *(() if of_change else outside)][:_MOST_TEXTS]


def _shown(parts: VisibleParts, *, second: bool) -> list[Clue]:
    rows = (row for row in _dated(parts) if not _is_update(parts, row) and _is_behind_another(parts, row) == second)
    return [Clue(_moment(parts, row)) for row in islice(rows, _MOST_TEXTS)]


VISIBLE_DATES = {
    _MARKED: lambda parts: _shown(parts, second=False),
    "html:updated": _updates,
    _UNMARKED: _text_dates,
    _BEHIND_ANOTHER: lambda parts: _shown(parts, second=True),
}


_DATES = ("datePublished", "dateModified", "dateCreated")
_LISTED_DATES = frozenset(f"listing:{name}" for name in _DATES)


def completed(decided: tuple[Found, ...], of_page: Sequence[Found], zone: tzinfo) -> tuple[Found, ...]:
    """A date of a listing as the page has it, where that tells the time of that day; a moment in UTC by the page's own clock."""
    if len(decided) != 1:
        return decided
    listed, is_listed = decided[0], decided[0].source in _LISTED_DATES
    day, moment = read_iso(listed.value, UTC)
    if is_listed and all(found.value != listed.value for found in of_page):
        of_page = (*of_page, *(in_zone(found, zone) for found in of_page))
    for found in of_page:
        other_day, other = read_iso(found.value, UTC)
        if other is not None and (
            (other == moment and is_utc(listed) and other.utcoffset()) or (is_listed and len(listed.value) == DAY and other_day == day)
        ):
            return (found if is_listed else replace(listed, value=found.value),)
    return decided


def by_one_clock(metadata: Metadata, zone: tzinfo) -> tuple[Found, ...]:
    """When it was changed, by the portal's clock where the publication is told by a local one: else it may seem to be the day before."""
    published = next((found.value for found in metadata.get("datePublished", ()) if _OFFSET.search(found.value)), "+00:00")
    modified = metadata.get("dateModified", ())
    return modified if published.endswith("+00:00") else tuple(in_zone(found, zone) for found in modified)


def in_zone(found: Found, zone: tzinfo) -> Found:
    """A moment told in UTC, by the clock of the portal's zone; any other date, and one of a portal in UTC, as it is."""
    local = by_clock(found.value, zone) if is_utc(found) else found.value
    return replace(found, value=local) if local != found.value else found


def is_utc(found: Found) -> bool:
    """Whether it is a moment that its source tells in UTC."""
    return len(found.value) > DAY and found.value.endswith("+00:00") and _OFFSET.search(found.raw[-_LONGEST_OFFSET:]) is not None


def read_iso(value: str, zone: tzinfo) -> tuple[date | None, datetime | None]:
    """The day that ISO 8601 tells, and its moment where it tells one; both None where it is no date."""
    try:
        if len(value) <= DAY:
            return date.fromisoformat((value + "-01-01")[:DAY] if len(value) < DAY else value), None
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None, None
    return moment.date(), moment if moment.tzinfo else moment.replace(tzinfo=zone)


def odd_dates(metadata: Metadata, portal: Portal, captured: datetime) -> Iterator[str]:
    """What is odd about the dates, each as a sentence: what cannot be is flagged, never deleted."""
    born, name = date(1990, 1, 1), "there were portals"
    starts = [part.start for column in portal.columns if column.dates and not column.ways for part in column.dates.ranges]
    known = [start for start in starts if start is not None]
    if starts and len(known) == len(starts):
        born, name = min(known), "the portal's archive begins"
    values = {field: metadata[field][0].value for field in _DATES if metadata.get(field)}
    read = {field: read_iso(value, portal.timezone) for field, value in values.items()}
    for field, (day, moment) in read.items():
        if day is None:
            yield f"{field} is no date: {values[field]}"
        elif day < born:
            yield f"{field} lies before {name}: {values[field]}"
        elif (moment is not None and moment > captured + timedelta(hours=1)) or day > captured.date() + timedelta(days=1):  # clocks differ
            yield f"{field} lies after the capture: {values[field]}"
    (published, began), (modified, changed) = (read.get(field, (None, None)) for field in _DATES[:2])
    is_before = changed < began if changed and began else published and modified and modified < published
    if is_before:
        yield f"dateModified lies before datePublished: {values['dateModified']}"
