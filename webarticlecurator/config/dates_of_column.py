"""The dates that a column's address is filled in with: read range by range, and what cannot be meant in
them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from typing import Any, NamedTuple

from webarticlecurator.config import scalars
from webarticlecurator.config.keys import read_keys
from webarticlecurator.config.merge import date_ranges
from webarticlecurator.config.portal import Column, DateRange, Dates, StopRules
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import DATE_NAMES, DateStep, UrlTemplate
from webarticlecurator.config.yaml_reading import FilePlace, MapNode, YamlNode, entries, mapping, text

_DETERMINED_BY = {
    DateStep.DAY: {"year", "month", "day"},
    DateStep.WEEK: {"iso_year", "week"},
    DateStep.MONTH: {"year", "month"},
    DateStep.YEAR: {"year"},
}
"""Placeholders that tell every interval of a step from every other; from the finest step to the coarsest."""
_STEPS = list(_DETERMINED_BY)
_PASSED_OVER = {"year": ("month", "day"), "month": ("day",)}
"""Step -> placeholders that are filled with the first of it alone."""
_RELATIVE = ("today", "yesterday")
"""Ends of ranges that move on."""


class _WrittenRange(NamedTuple):
    """A range of dates, and where it is written."""

    dates: DateRange
    place: FilePlace

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day, as far as these are said."""
        until = self.dates.until
        return self.dates.start or date.min, until if isinstance(until, date) else date.max

    def overlaps(self, other: _WrittenRange) -> bool:
        """True if both ask for the same pages of some days."""
        is_alike = self.dates.template == other.dates.template and self.dates.step == other.dates.step
        (first, last), (first_of_other, last_of_other) = self.days, other.days
        return is_alike and first <= last_of_other and first_of_other <= last


def read_dates(
    compiler: NodeCompiler, rules: MapNode, template: UrlTemplate | None, in_request: tuple[UrlTemplate, ...]
) -> Dates:
    """Return the dates of a column; `template` is its address, `in_request` what else of a request they are
    filled in."""
    settings = mapping(rules.get("dates"))
    for key in ("from", "until", "step"):
        if settings.get("ranges") is not None and settings.get(key) is not None:
            compiler.note(settings.keys[key], f"`{key}` stands beside `ranges`; put it into one of them")
    ranges = []
    for node in date_ranges(rules.get("dates")):
        own = mapping(node)
        of_range = compiler.template(own.get("url")) or template
        if of_range is not None:
            ranges += _range(compiler, node, of_range, in_request)
        elif (rules.get("url") or own.get("url")) is None:
            compiler.note(
                node.place,
                "this range of dates has no URL; give `url` here, or beside `dates` for all ranges",
            )
    _check_order(compiler, ranges)
    _check_overlaps(compiler, ranges)
    with_those_beside_it = MapNode(settings.place, {**rules.entries, **entries(settings)}, {})
    return read_keys(compiler, Dates, with_those_beside_it, ranges=tuple(written.dates for written in ranges))


def _range(
    compiler: NodeCompiler, node: YamlNode, template: UrlTemplate, in_request: tuple[UrlTemplate, ...]
) -> list[_WrittenRange]:
    """Return a range, by the finest step that its address tells; nothing where its end is no day."""
    finest = {filled_in.finest_step for filled_in in (template, *in_request)}
    step = text(mapping(node).get("step")) or next(
        (step for step in DateStep if step in finest), DateStep.DAY
    )
    _warn_of_passed_over(compiler, node.place, template, step)
    until = mapping(node).get("until")
    end: Any = text(until) or "yesterday"
    if end not in _RELATIVE:
        end = compiler.parse(until, scalars.day)
    dates = read_keys(compiler, DateRange, node, until=end, step=DateStep(step), template=template)
    return [_WrittenRange(dates, node.place)] if end is not None else []


def _warn_of_passed_over(compiler: NodeCompiler, place: FilePlace, template: UrlTemplate, step: str) -> None:
    """Tell of a step by which only the first month or day of each year or month would be asked for."""
    parts = {part for placeholder in template.placeholders for part in placeholder.says}
    finer = [unit for unit in _PASSED_OVER.get(step, ()) if unit in parts]
    if finer and not any(name.startswith("next_") for name in template.names):
        compiler.warn(
            place, f"`step: {step}` asks for one {finer[0]} of each {step}; `step: {finer[0]}` asks for all"
        )


def _check_order(compiler: NodeCompiler, ranges: Sequence[_WrittenRange]) -> None:
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # somewhere it is that day already
    for written in ranges:
        first, last = written.days
        if first > last:
            compiler.note(written.place, f"`from` ({first}) lies after `until` ({last})")
        elif first > tomorrow:
            future = "lies in the future; nothing is asked for before that day. Is the year right?"
            compiler.warn(written.place, f"`from` ({first}) {future}")


def _check_overlaps(compiler: NodeCompiler, ranges: Sequence[_WrittenRange]) -> None:
    for earlier, other in combinations(ranges, 2):
        if earlier.overlaps(other):
            meant = "pages would be asked twice; let one end before the other"
            compiler.note(other.place, f"this range of dates overlaps another one with the same URL: {meant}")


def mistakes_in_dates(column: Column) -> Iterator[tuple[str, str]]:
    """Yield key and sentence of what cannot be meant in the dates of a column, or without them."""
    if column.dates is None:
        yield from _placeholders_without_dates(column)
        return
    for dates in column.dates.ranges:
        yield from _mistake_in_step(dates, [dates.template, *column.request.templates])
        if dates.start is None and column.stop == StopRules():
            yield (
                "dates",
                "without `from` the walk goes back until `stop`, and there is none; give the first date, or "
                "`stop`",
            )


def _placeholders_without_dates(column: Column) -> Iterator[tuple[str, str]]:
    names = [
        placeholder.name
        for template in (column.template, *column.request.templates)
        for placeholder in template.placeholders
    ]
    of_dates = [name for name in names if name in DATE_NAMES]
    if of_dates:
        yield (
            "url",
            f"`{{{of_dates[0]}}}` stands here, but there are no `dates` to fill it with; give `dates: "
            f"{{from: ...}}`",
        )


def _mistake_in_step(dates: DateRange, templates: Sequence[UrlTemplate]) -> Iterator[tuple[str, str]]:
    """Yield that the address does not tell one interval from another, if it does not."""
    steps_told = {template.finest_step for template in templates}
    finest = next((step for step in _STEPS if step in steps_told), None)
    if finest is None:
        lacks = f"no date placeholder in {dates.template.text or '`url`'}"
        yield (
            "dates",
            f"there are `dates`, but {lacks}; write {{date}} (or {{year}} ...) where it goes, or `dates: "
            "null`",
        )
        return
    lacking = _lacking(dates, templates)
    if _STEPS.index(dates.step) < _STEPS.index(finest):
        finer = f"`step: {dates.step}` is finer than the URL, whose finest placeholder is the {finest}"
        yield "dates", f"{finer}: intervals would share a page"
    elif lacking is not None:
        yield (
            "dates",
            f"several intervals give the same URL, since it does not tell them apart: {{{lacking}}} is "
            "missing",
        )


def _lacking(dates: DateRange, templates: Sequence[UrlTemplate]) -> str | None:
    """Return a placeholder without which intervals of a range ask for the same first page."""
    told = {
        name.removeprefix("next_")
        for template in templates
        for placeholder in template.placeholders
        for name in placeholder.says
    }
    told |= _told_by_length(dates)
    steps = _STEPS[: _STEPS.index(dates.step) + 1]
    is_determined = "date" in told or any(_DETERMINED_BY[step] <= told for step in steps)
    return None if is_determined else min(_DETERMINED_BY[dates.step] - told)


def _told_by_length(dates: DateRange) -> set[str]:
    """Return the placeholders that a range needs not, since it is too short for two years or months of the
    same name."""
    if dates.start is None or not isinstance(dates.until, date):
        return set()
    days = (dates.until - dates.start).days
    if days >= 365:
        return set()
    return {"year", "iso_year", "month"} if days < 28 else {"year", "iso_year"}
