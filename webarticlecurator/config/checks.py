"""Contradictions: settings that are right one by one, and cannot be meant together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain, combinations, islice
from typing import Any, cast

from webarticlecurator.budget import Budget
from webarticlecurator.config.fields import USUAL_NAMES
from webarticlecurator.config.merge import as_pages, nothing
from webarticlecurator.config.node_compiler import NodeCompiler, entries
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import ArchiveFormat, Column, DateRange, Order, PagingMode, Step, Stop
from webarticlecurator.config.request_shape import request_templates
from webarticlecurator.config.scalars import web_address
from webarticlecurator.config.template import DATE_NAMES, Placeholder, TemplateError, UrlTemplate, interval_end
from webarticlecurator.config.yaml_hints import shown
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, Node, ScalarNode
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.patterns import Pattern
from webarticlecurator.urls import join

_COUNTED = frozenset({PagingMode.NUMBERED, PagingMode.INFINITE, PagingMode.EXPANDING})
_STEPS = tuple(Step)
"""From the finest to the coarsest."""
_DETERMINED_BY = {
    Step.DAY: {"year", "month", "day"},
    Step.WEEK: {"iso_year", "week"},
    Step.MONTH: {"year", "month"},
    Step.YEAR: {"year"},
}
"""Placeholders that tell every interval of a step from every other."""
_SAMPLE = 800
"""Successive intervals whose URLs are compared: two years of days show every URL that comes back."""
_SAMPLE_DAY = date(2019, 5, 17)
_ANOTHER_DAY = date(2007, 11, 23)
"""Two days that differ in year, month, day and week."""


def check_ranges(compiler: NodeCompiler, ranges: Sequence[tuple[DateRange, FilePlace]]) -> None:
    """Each range runs forwards, and no two ask for the same pages."""
    for dates, place in ranges:
        if dates.start and isinstance(dates.until, date) and dates.start > dates.until:
            compiler.note(place, f"`from` ({dates.start}) lies after `until` ({dates.until})")
    for (one, _), (other, place) in combinations(ranges, 2):
        if one.template == other.template and one.step == other.step and _overlap(one, other):
            compiler.note(
                place,
                "this range of dates overlaps another one with the same URL: pages would be asked twice; let one end before the other",
            )


def _overlap(one: DateRange, other: DateRange) -> bool:
    return (one.start or date.min) <= _last_day(other) and (other.start or date.min) <= _last_day(one)


def _last_day(dates: DateRange) -> date:
    return dates.until if isinstance(dates.until, date) else date.max


def check_column(compiler: NodeCompiler, column: Column, walk: MapNode, place: FilePlace) -> None:
    """Everything that contradicts itself within one column."""

    def at(key: str) -> FilePlace:
        return walk.keys.get(key, place)

    found = (_url_mistakes(column), _paging_mistakes(column, walk), _date_mistakes(column), _reading_mistakes(column, walk))
    for key, sentence in chain.from_iterable(found):
        compiler.note(at(key), sentence)


def _url_mistakes(column: Column) -> Iterator[tuple[str, str]]:
    """What a filled-in URL shows: no host, a password; and a host that changes from page to page."""
    for url in sample_urls(column):
        try:
            web_address(url)
        except ValueError as error:
            yield "url", str(error)
            return
    for template in _templates(column)[:1]:
        host = re.match(r"[^/]*//[^/?#]*", template.text)
        if host and re.search(r"\{(?!column\})[a-z_]+", host[0].replace("{{", "")):
            yield "url", "only `{column}` may stand in the host of a URL"


def _templates(column: Column) -> list[UrlTemplate]:
    """All that is filled in to ask for a page of this column."""
    urls = [dates.template for dates in column.dates.ranges] if column.dates else [column.template]
    return [*urls, *request_templates(column.request)]


def _names(templates: Iterable[UrlTemplate]) -> frozenset[str]:
    return frozenset().union(*(template.names for template in templates))


def _paging_mistakes(column: Column, walk: MapNode) -> Iterator[tuple[str, str]]:
    """Key and sentence of each contradiction in how the next page is found."""
    paging, mode = column.paging, column.paging.mode
    pages = walk.get("pages")
    written = as_pages(pages) if pages is not None else nothing(walk.place)
    last, values = written.get("last"), written.get("values")
    counts = [key for key in ("first", "start") if written.get(key)]
    has_page = "page" in _names(_templates(column))
    if mode in _COUNTED and not has_page:
        yield "pages", f"`{mode}` paging counts `{{page}}`, but neither `url` nor `request` holds it"
    elif counts and not has_page:
        yield "pages", f"`{counts[0]}` is a value of `{{page}}`, but neither `url` nor `request` holds it; write {{page}} where it goes"
    if mode is PagingMode.NONE and has_page:
        yield (
            "pages",
            "the URL holds `{page}`, but `pages: none` never counts it; give a paging mode (infinite, numbered, expanding, next-link)",
        )
    if mode is PagingMode.NUMBERED and last is None and values is None:
        yield (
            "pages",
            "`numbered` paging needs `last` (a number, or a pick for the pager) or `values`; if nobody knows the last page, use `infinite`",
        )
    if mode is not PagingMode.NUMBERED and last:
        yield "pages", f"`last` belongs to `numbered` paging, and the mode is `{mode}`"
    if mode not in _COUNTED and values:
        yield "pages", f"`values` are those of `{{page}}`, which `{mode}` paging does not count"
    if last is not None and values is not None:
        yield "pages", "`values` already names the last page; delete `last` or `values`"
    if isinstance(paging.last, int) and paging.last < paging.start and paging.first is None:
        yield "pages", f"`last` ({paging.last}) lies before `start` ({paging.start})"
    if mode is PagingMode.NEXT_LINK and walk.get("next") is None:
        yield "pages", "`next-link` paging needs `next`, the link to the next archive page"
    if mode is not PagingMode.NEXT_LINK and walk.get("next") is not None:
        yield "next", f"`next` is only followed by `pages: next-link`, and the mode is `{mode}`; change the mode or delete `next`"


def _reading_mistakes(column: Column, walk: MapNode) -> Iterator[tuple[str, str]]:
    """Key and sentence of what can never give a link: no rule, or one for pages of another format."""
    if column.format is ArchiveFormat.URLS:
        return
    if walk.get("item") is None and walk.get("link") is None:
        yield "url", "nothing says where the links to the articles are; give `item` (one article's container), `link`, or both"
    listed = _single(column.item) or _single(column.link)
    rules = [
        *(("item", pick, ()) for pick in _single(column.item)),
        *(("link", pick, _single(column.item)) for pick in _single(column.link)),
        *(("next", pick, ()) for pick in _single(column.next)),
        *(("pages", pick, ()) for pick in (_single(column.paging.last) if isinstance(column.paging.last, Picks) else ())),
        *(("fields", pick, listed) for picks in column.fields.values() for pick in _single(picks)),
    ]
    in_json = column.format is ArchiveFormat.JSON
    for key, pick, containers in rules:
        if in_json and pick.css and not any(one.html_in for one in (pick, *containers)):
            selector = pick.css.text
            meant = f"`{{json: {selector}}}` (a JMESPath), or `{{html_in: PATH, css: {selector}}}` where the JSON holds HTML"
            yield key, f"`{selector}` is a CSS selector, and `format: json` has no elements; write {meant}"
        if not in_json and pick.json and pick.script is None:
            yield key, f"`{{json: {pick.json.text}}}` reads JSON, and this page is HTML; give `format: json`, or a CSS selector"


def _single(picks: Picks | None) -> tuple[Pick, ...]:
    """Every pick in it, one by one."""
    if picks is None:
        return ()
    return tuple(
        pick
        for one in picks.alternatives
        for pick in ([one] if isinstance(one, Pick) else [inner for united in one.picks for inner in _single(united)])
    )


def _date_mistakes(column: Column) -> Iterator[tuple[str, str]]:
    """Key and sentence of each contradiction between dates and URL."""
    in_request = request_templates(column.request)
    if column.dates is None:
        parts = [part for template in _templates(column) for part in template.parts]
        used = next((part.name for part in parts if isinstance(part, Placeholder) and part.name in DATE_NAMES), None)
        if used:
            yield "url", f"`{{{used}}}` stands here, but there are no `dates` to fill it with; give `dates: {{from: ...}}`"
        return
    stops = column.stop != Stop()
    for dates in column.dates.ranges:
        yield from (("dates", sentence) for sentence in _range_mistakes(dates, [dates.template, *in_request]))
        if dates.start is None and not stops:
            yield "dates", "without `from` the walk goes back until `stop`, and there is none; give the first date, or `stop`"


def _range_mistakes(dates: DateRange, templates: list[UrlTemplate]) -> Iterator[str]:
    finest = next((step for step in _STEPS if step.value in {template.finest_step for template in templates}), None)
    if finest is None:
        where = dates.template.text or "`url`"
        yield f"there are `dates`, but no date placeholder in {where}; write {{date}} (or {{year}} ...) where it goes, or `dates: null`"
    elif _STEPS.index(dates.step) < _STEPS.index(finest):
        yield f"`step: {dates.step}` is finer than the URL, whose finest placeholder is the {finest}: intervals would share a page"
    elif (pair := _same_url(dates, templates)) is not None:
        yield f"the intervals of {pair[0]} and {pair[1]} give the same URL; is a placeholder like {{year}} missing?"


def _same_url(dates: DateRange, templates: list[UrlTemplate]) -> tuple[date, date] | None:
    """Two intervals that ask for the same first page."""
    written_out = {part.name for template in templates for part in template.parts if isinstance(part, Placeholder) and part.pattern is None}
    if "date" in written_out or _DETERMINED_BY[dates.step] <= written_out:
        return None
    seen: dict[tuple[str, ...], date] = {}
    for start, end in islice(_intervals(dates), _SAMPLE):
        try:
            asked = tuple(template.fill({"page": "1", "column": "column"}, start=start, end=end) for template in templates)
        except TemplateError:
            return None
        if asked in seen:
            return seen[asked], start
        seen[asked] = start
    return None


def _intervals(dates: DateRange) -> Iterator[tuple[date, date]]:
    """The first intervals of a range; of one without beginning, some from the middle."""
    start = dates.start or date(2001, 1, 1)
    until = dates.until if isinstance(dates.until, date) else date.max - timedelta(days=400)
    first = {Step.WEEK: start - timedelta(days=start.weekday()), Step.MONTH: start.replace(day=1), Step.YEAR: start.replace(month=1, day=1)}
    start = first.get(dates.step, start)
    while start <= until:
        end = interval_end(start, dates.step)
        yield start, end
        if end <= start:  # the calendar ends here
            return
        start = end


def check_columns(compiler: NodeCompiler, columns: Sequence[tuple[Column, FilePlace]]) -> None:
    """No two columns ask for the same first page."""
    seen: dict[tuple[Any, ...], str] = {}
    for column, place in columns:
        for asked in _first_requests(column):
            if asked in seen and seen[asked] != column.name:
                url = asked[0]
                compiler.note(
                    place,
                    f"the columns {seen[asked]!r} and {column.name!r} begin with the same page, {shown(url)}; is {{column}} missing?",
                )
                break
            seen.setdefault(asked, column.name)


def _first_requests(column: Column) -> Iterator[tuple[Any, ...]]:
    """URL and the rest of the request of the first page, for one sample day of each range of dates."""
    paging = column.paging
    first = paging.values[0] if paging.values else paging.first if paging.first is not None else str(paging.start)
    ranges = column.dates.ranges if column.dates else ()
    starts = [(dates.template, _first_day(column, dates)) for dates in ranges]
    for template, day in starts or [(column.template, _SAMPLE_DAY)]:
        try:
            yield tuple(
                part.fill({"page": first, "column": column.name}, start=day, end=interval_end(day, "day"))
                for part in (template, *request_templates(column.request))
            )
        except TemplateError:
            return


def _first_day(column: Column, dates: DateRange) -> date:
    """Where the walk of a range begins; `today` and `yesterday` are the same day of the far future."""
    if column.dates and column.dates.order is Order.OLDEST_FIRST and dates.start:
        return dates.start
    return dates.until if isinstance(dates.until, date) else date(2999, 5, 17)


def check_field_names(compiler: NodeCompiler, root: MapNode) -> None:
    """A field of the listing with a usual name that is not Schema.org's is no metadata; only a `listing` pick reads it."""
    asked_for = set(_asked_of_the_listing(root))
    for walk in (root.get("archive"), *entries(root.get("columns")).values()):
        fields = walk.get("fields") if isinstance(walk, MapNode) else None
        for name in entries(fields).keys() - asked_for:
            meant = next((ours for ours, usual in USUAL_NAMES.items() if name.lower() in usual), None)
            if meant is not None:
                message = f"the field `{name}` is no metadata: only a `listing` pick can ask for it; did you mean `{meant}`?"
                compiler.warn(cast(MapNode, fields).keys[name], message)


def _asked_of_the_listing(node: Node) -> Iterator[str]:
    """What `listing` picks ask for, wherever they stand."""
    if isinstance(node, MapNode) and isinstance(listing := node.get("listing"), ScalarNode):
        yield listing.text
    for child in node.entries.values() if isinstance(node, MapNode) else node.items if isinstance(node, ListNode) else ():
        if not isinstance(child, ScalarNode):
            yield from _asked_of_the_listing(child)


def check_identity(compiler: NodeCompiler, identity: Pattern, place: FilePlace, columns: Iterable[Column]) -> None:
    """An `identity` that finds a date makes all articles of that day (or year) one article."""
    dated = [column for column in columns if column.dates]
    try:
        with Budget():
            for column in dated:
                for one, other in zip(sample_urls(column, page=""), sample_urls(column, page="", day=_ANOTHER_DAY), strict=False):
                    if (kept := _date_kept(identity, one, other)) is not None:
                        message = f"`identity` also finds the date in {one} ({kept}), so that different articles would count as one"
                        compiler.note(place, f"{message}; make it match the article's own number or name")
                        return
    except PatternTimeout as error:
        compiler.note(place, str(error))


def _date_kept(identity: Pattern, one: str, other: str) -> str | None:
    """What the identity keeps of an archive page, or of an article beside it, if that is the date and not the article."""
    if _kept(identity, _beside(one, "title")) != _kept(identity, _beside(one, "headline")):
        return None
    for first, second in ((one, other), (_beside(one, "title"), _beside(other, "title"))):
        kept, kept_of_other = _kept(identity, first), _kept(identity, second)
        if kept is not None and kept_of_other is not None and kept != kept_of_other:
            return kept
    return None


def _beside(url: str, name: str) -> str:
    return join(url, name) or url


def _kept(identity: Pattern, url: str) -> str | None:
    found = identity.search(url)
    return "/".join(group or "" for group in found.groups() or (found[0],)) if found else None


def sample_urls(column: Column, page: str = "1", day: date = _SAMPLE_DAY) -> Iterator[str]:
    """One archive page's URL for each template of a column."""
    for template in [dates.template for dates in column.dates.ranges] if column.dates else [column.template]:
        try:
            yield template.fill({"page": page, "column": column.name}, start=day, end=interval_end(day, "day"))
        except TemplateError:
            continue
