"""The dates that a column's address is filled in with, and what cannot be meant in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from webarticlecurator.config import scalars
from webarticlecurator.config.keys import read_keys
from webarticlecurator.config.portal import Column, Dates
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import DATE_NAMES, DateStep, UrlTemplate
from webarticlecurator.config.yaml_reading import FilePlace, MapNode, YamlNode, mapping, text

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
"""Last days that move on."""


def read_dates(compiler: NodeCompiler, node: YamlNode | None, filled_in: tuple[UrlTemplate, ...]) -> Dates:
    """Return the dates of a column, by the finest step that is `filled_in` its address, or the rest of a
    request."""
    settings, finest = mapping(node), {template.finest_step for template in filled_in}
    step = text(settings.get("step")) or next((step for step in DateStep if step in finest), DateStep.DAY)
    _warn_of_passed_over(compiler, settings.place, filled_in[0], step)
    end: Any = text(settings.get("until")) or "yesterday"
    if end not in _RELATIVE:
        end = compiler.parse(settings.get("until"), scalars.day)
    dates = read_keys(compiler, Dates, node, until=end or "yesterday", step=DateStep(step))
    _check_order(compiler, dates, settings.place)
    return dates


def _warn_of_passed_over(compiler: NodeCompiler, place: FilePlace, template: UrlTemplate, step: str) -> None:
    """Tell of a step by which only the first month or day of each year or month would be asked for."""
    parts = {part for placeholder in template.placeholders for part in placeholder.says}
    finer = [unit for unit in _PASSED_OVER.get(step, ()) if unit in parts]
    if finer and not any(name.startswith("next_") for name in template.names):
        compiler.warn(
            place, f"`step: {step}` asks for one {finer[0]} of each {step}; `step: {finer[0]}` asks for all"
        )


def _check_order(compiler: NodeCompiler, dates: Dates, place: FilePlace) -> None:
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # somewhere it is that day already
    first, last = dates.days
    if first > last:
        compiler.note(place, f"`from` ({first}) lies after `until` ({last})")
    elif first > tomorrow:
        future = "lies in the future; nothing is asked for before that day. Is the year right?"
        compiler.warn(place, f"`from` ({first}) {future}")


def mistakes_in_dates(column: Column, written: MapNode) -> Iterator[tuple[str, str]]:
    """Yield key and sentence of what cannot be meant in the dates of a column, as they are `written`, or
    without them."""
    if column.dates is None:
        yield from _placeholders_without_dates(column)
        return
    yield from _mistake_in_step(column.dates, [column.template, *column.request.templates])
    if written.get("from") is None and not column.stop.ends_list:
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


def _mistake_in_step(dates: Dates, templates: Sequence[UrlTemplate]) -> Iterator[tuple[str, str]]:
    """Yield that the address does not tell one interval from another, if it does not."""
    steps_told = {template.finest_step for template in templates}
    finest = next((step for step in _STEPS if step in steps_told), None)
    if finest is None:
        lacks = f"no date placeholder in {templates[0].text or '`url`'}"
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


def _lacking(dates: Dates, templates: Sequence[UrlTemplate]) -> str | None:
    """Return a placeholder without which intervals ask for the same first page."""
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


def _told_by_length(dates: Dates) -> set[str]:
    """Return the placeholders that dates need not, since they are too few for two years or months of the
    same name."""
    if dates.start is None or not isinstance(dates.until, date):
        return set()
    days = (dates.until - dates.start).days
    if days >= 365:
        return set()
    return {"year", "iso_year", "month"} if days < 28 else {"year", "iso_year"}
