"""Contradictions in columns: settings that are right one by one, and cannot be meant together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations, islice

from webarticlecurator.config.fetch_rules import BROWSER
from webarticlecurator.config.merge import as_pages
from webarticlecurator.config.node_compiler import NodeCompiler, mapping, text
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import ArchiveFormat, Column, DateRange, DateStep, Order, PagingMode, StopRules
from webarticlecurator.config.scalars import web_address
from webarticlecurator.config.template import DATE_NAMES, TemplateError, UrlTemplate, interval_end
from webarticlecurator.config.yaml_hints import shortened
from webarticlecurator.config.yaml_nodes import FilePlace, MapNode

_STEPS = tuple(DateStep)
"""From the finest to the coarsest."""
_DETERMINED_BY = {
    DateStep.DAY: {"year", "month", "day"},
    DateStep.WEEK: {"iso_year", "week"},
    DateStep.MONTH: {"year", "month"},
    DateStep.YEAR: {"year"},
}
"""Placeholders that tell every interval of a step from every other."""
_MOST_NAMED = 8
_SAMPLE = 800
"""Successive intervals whose URLs are compared: two years of days show every URL that comes back."""
_SAMPLE_DAY = date(2019, 5, 17)

LACKS = ""
"""In place of a key: it is nowhere, neither in the column nor in `archive`."""
Contradictions = Iterator[tuple[str, str]]
"""Key and sentence of each contradiction."""


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


def contradictions(column: Column, rules: MapNode) -> Contradictions:
    """Everything that contradicts itself within one column."""
    yield from _url_mistakes(column)
    yield from _paging_mistakes(column, rules)
    yield from _date_mistakes(column)
    yield from _reading_mistakes(column, rules)


def _url_mistakes(column: Column) -> Contradictions:
    """What a filled-in URL shows: no host, a password; and a host that changes from page to page."""
    for url in sample_urls(column):
        try:
            web_address(url)
        except ValueError as error:
            yield "url", str(error)
            return
    host = re.match(r"[^/]*//[^/?#]*", next(iter(_url_templates(column)), column.template).text)
    if host and re.search(r"\{(?!column\})[a-z_]+", host[0].replace("{{", "")):
        yield "url", "only `{column}` may stand in the host of a URL"


def _url_templates(column: Column) -> list[UrlTemplate]:
    return [dates.template for dates in column.dates.ranges] if column.dates else [column.template]


def _paging_mistakes(column: Column, rules: MapNode) -> Contradictions:
    """Contradictions in how the next page is found."""
    paging, mode = column.paging, column.paging.mode
    written = as_pages(rules.get("pages"))
    last, values, follows = written.get("last"), written.get("values"), rules.get("next") is not None
    of_page = next((key for key in ("first", "start") if written.get(key)), None)
    has_page = any("page" in template.names for template in (*_url_templates(column), *column.request.templates))
    if column.sections is not None and (mode.counts or column.dates):
        yield "sections", "sections have addresses of their own, without `{page}` or dates; they go with `pages: next-link` or `none`"
    if mode.counts and not has_page:
        yield "pages", f"`{mode}` paging counts `{{page}}`, but neither `url` nor `request` holds it"
    elif of_page and not has_page:
        yield "pages", f"`{of_page}` is a value of `{{page}}`, but neither `url` nor `request` holds it; write {{page}} where it goes"
    if mode.in_steps and has_page:
        yield "pages", f"the URL holds `{{page}}`, but with `pages: {mode}` it is one page that grows; delete {{page}}"
    yield from _growing_mistakes(column, written)
    if mode is PagingMode.NONE and has_page:
        modes = "infinite, numbered, expanding, next-link"
        yield "pages", f"the URL holds `{{page}}`, but `pages: none` never counts it; give a paging mode ({modes})"
    if mode is PagingMode.NUMBERED and last is None and values is None:
        needed = "`last` (a number, or a pick for the pager) or `values`"
        yield "pages", f"`numbered` paging needs {needed}; if nobody knows the last page, use `infinite`"
    if mode is not PagingMode.NUMBERED and last:
        yield "pages", f"`last` belongs to `numbered` paging, and the mode is `{mode}`"
    if not mode.counts and values:
        yield "pages", f"`values` are those of `{{page}}`, which `{mode}` paging does not count"
    if last and values:
        yield "pages", "`values` already names the last page; delete `last` or `values`"
    if isinstance(paging.last, int) and paging.last < paging.start and paging.first is None:
        yield "pages", f"`last` ({paging.last}) lies before `start` ({paging.start})"
    if mode is PagingMode.NEXT_LINK and not follows and not column.format.tells_links:
        yield "pages", "`next-link` paging needs `next`, the link to the next archive page"
    if mode is not PagingMode.NEXT_LINK and follows and not column.format.tells_links:
        yield "next", f"`next` is only followed by `pages: next-link`, and the mode is `{mode}`; change the mode or delete `next`"


def _growing_mistakes(column: Column, written: MapNode) -> Contradictions:
    """Of the modes in which a browser lets one page grow."""
    mode = column.paging.mode
    if mode.in_steps and column.rendering is None:
        yield "pages", f"`{mode}` paging is done by a browser; give `fetch: {{via: browser}}`, here or for the whole portal"
    elif mode is PagingMode.LOAD_MORE and column.rendering is not None and column.rendering.button is None:
        yield "pages", "`load-more` paging needs the button; write `pages: {mode: load-more, button: SELECTOR}`"
    if mode is not PagingMode.LOAD_MORE and written.get("button") is not None:
        yield "pages", f"`button` belongs to `load-more` paging, and the mode is `{mode}`"


def _reading_mistakes(column: Column, rules: MapNode) -> Contradictions:
    """What can never give a link: no rule, or one for pages of another format."""
    if column.rendering is None and text(mapping(rules.get("fetch")).get("via")) == BROWSER:
        what = f"`format: {column.format}`" if column.format is not ArchiveFormat.HTML else f"`method: {column.request.method}`"
        yield "fetch", f"a browser shows HTML that is asked for by GET, and here is {what}; delete `via: {BROWSER}`, or that"
    if column.format is ArchiveFormat.URLS:
        return
    if column.format.tells_links:
        yield from _told_by_format(column, rules)
        return
    if rules.get("item") is None and rules.get("link") is None:
        yield LACKS, "nothing says where the links to the articles are; give `item` (one article's container), `link`, or both"
    picks = [("item", column.item, None), ("link", column.link, column.item), ("next", column.next, None)]
    picks += [("pages", column.paging.last, None)] if isinstance(column.paging.last, Picks) else []
    picks += [("fields", one, column.item or column.link) for one in column.fields.values()]
    in_json = column.format is ArchiveFormat.JSON
    for key, pick, container in ((key, pick, container) for key, one, container in picks if one for pick in one.each()):
        if in_json and pick.css and not any(one.html_in for one in (pick, *(container.each() if container else ()))):
            selector = pick.css.text
            meant = f"`{{json: {selector}}}` (a JMESPath), or `{{html_in: PATH, css: {selector}}}` where the JSON holds HTML"
            yield key, f"`{selector}` is a CSS selector, and `format: json` has no elements; write {meant}"
        if not in_json and pick.json and pick.script is None:
            yield key, f"`{{json: {pick.json.text}}}` reads JSON, and this page is HTML; give `format: json`, or a CSS selector"


def _told_by_format(column: Column, rules: MapNode) -> Contradictions:
    for key in ("item", "link", "next"):
        if rules.get(key) is not None:
            yield key, f"`format: {column.format}` itself says where its links are; delete `{key}`"
    if column.format is ArchiveFormat.SITEMAP:
        pages = "pages" if rules.get("pages") is not None else "{page}" if any("page" in one.names for one in column.templates) else None
        if pages is not None:
            yield pages if pages == "pages" else "url", f"a sitemap leads to its own files; delete `{pages}`"
        if rules.get("stop") is not None:
            yield "stop", "a tree of sitemaps is read whole; delete `stop`"
        if rules.get("fields") is not None:
            yield "fields", "a sitemap's fields have names of their own (`lastmod`, `headline`, `datePublished`, ...); delete `fields`"
    elif any(pick.css for picks in column.fields.values() for pick in picks.each()):
        yield "fields", f"`format: {column.format}` has no elements of HTML; its fields are picked by name: `{{json: keywords}}`"


def _date_mistakes(column: Column) -> Contradictions:
    """Contradictions between dates and URL."""
    if column.dates is None:
        names = (one.name for template in (column.template, *column.request.templates) for one in template.placeholders)
        used = next((name for name in names if name in DATE_NAMES), None)
        if used:
            yield "url", f"`{{{used}}}` stands here, but there are no `dates` to fill it with; give `dates: {{from: ...}}`"
        return
    for dates in column.dates.ranges:
        yield from (("dates", sentence) for sentence in _range_mistakes(dates, [dates.template, *column.request.templates]))
        if dates.start is None and column.stop == StopRules():
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
    written_out = {one.name for template in templates for one in template.placeholders if one.pattern is None}
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
    first = {
        DateStep.WEEK: start - timedelta(days=start.weekday()),
        DateStep.MONTH: start.replace(day=1),
        DateStep.YEAR: start.replace(month=1, day=1),
    }
    start = first.get(dates.step, start)
    while start <= until:
        end = interval_end(start, dates.step)
        yield start, end
        if end <= start:  # the calendar ends here
            return
        start = end


def check_columns(compiler: NodeCompiler, columns: Sequence[tuple[Column, FilePlace, FilePlace | None]]) -> None:
    """No two columns ask for the same first page; those that inherit one URL are told of together. Column, place, and its URL's."""
    seen: dict[tuple[str, ...], tuple[Column, FilePlace | None]] = {}
    twins: dict[tuple[FilePlace, str], tuple[FilePlace, list[Column]]] = {}
    for column, place, url in columns:
        for asked in _first_requests(column):
            earlier, its_url = seen.setdefault(asked, (column, url))
            if earlier is not column:
                where = url if url is not None and url == its_url else place
                twins.setdefault((where, asked[0]), (place, [earlier]))[1].append(column)
                break
    for (_, page), (place, alike) in twins.items():
        names = [repr(column.name) for column in alike[:_MOST_NAMED]]
        last = f"{len(alike) - len(names)} more" if len(alike) > len(names) else names.pop()
        lead_on = all(column.sections is not None for column in alike)
        hint = "one column with both selectors in its `sections` walks all of them" if lead_on else "is {column} missing?"
        compiler.note(place, f"the columns {', '.join(names)} and {last} begin with the same page, {shortened(page)}; {hint}")


def _first_requests(column: Column) -> Iterator[tuple[str, ...]]:
    """URL and the rest of the request of the first page, for one sample day of each range of dates."""
    paging = column.paging
    first = paging.values[0] if paging.values else paging.first if paging.first is not None else str(paging.start)
    ranges = column.dates.ranges if column.dates else ()
    for template, day in [(dates.template, _first_day(column, dates)) for dates in ranges] or [(column.template, _SAMPLE_DAY)]:
        try:
            yield tuple(_filled(part, column, first, day) for part in (template, *column.request.templates))
        except TemplateError:
            return


def _first_day(column: Column, dates: DateRange) -> date:
    """Where the walk of a range begins; `today` and `yesterday` are the same day of the far future."""
    if column.dates and column.dates.order is Order.OLDEST_FIRST and dates.start:
        return dates.start
    return dates.until if isinstance(dates.until, date) else date(2999, 5, 17)


def sample_urls(column: Column, page: str = "1", day: date = _SAMPLE_DAY) -> Iterator[str]:
    """One archive page's URL for each template of a column."""
    for template in _url_templates(column):
        try:
            yield _filled(template, column, page, day)
        except TemplateError:
            continue


def _filled(template: UrlTemplate, column: Column, page: str, day: date) -> str:
    return template.fill({"page": page, "column": column.name}, start=day, end=interval_end(day, "day"))
