"""The archive side: `archive` and `columns` to columns with all defaults filled in, and what cannot be meant together in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import chain, combinations
from typing import Any

from webarticlecurator import resources
from webarticlecurator.config import scalars, yaml_reading
from webarticlecurator.config.fetch_rules import BROWSER, in_steps, read_rendering
from webarticlecurator.config.keys import read_keys
from webarticlecurator.config.merge import FILLED_IN, as_mapping, date_ranges, has_url, merge, mode_of, without
from webarticlecurator.config.paging_mistakes import mistakes_in_paging
from webarticlecurator.config.picks import Picks, read_picks
from webarticlecurator.config.portal import COLUMN, ArchiveFormat, Column, DateRange, Dates, Paging, PagingMode, StopRules
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import DATE_NAMES, HOME, DateStep, UrlTemplate, interval_around, interval_end, placeholders
from webarticlecurator.config.yaml_reading import FilePlace, ListNode, MapNode, ScalarNode, YamlNode, entries, is_null, mapping, text
from webarticlecurator.own_patterns import linear, linear_at

ALONE = "archive"
"""Name of the only column of an archive without `columns`."""
LACKS = ""
"""In place of a key: it is nowhere, neither in the column nor in `archive`."""
_OF_NO_USE: dict[ArchiveFormat, tuple[str, ...]] = {
    ArchiveFormat.FEED: ("item", "link", "next"),
    ArchiveFormat.SITEMAP: ("item", "link", "next", "pages", "stop", "fields"),
}
_MOST_LISTED = 8
_DETERMINED_BY = {
    DateStep.DAY: {"year", "month", "day"},
    DateStep.WEEK: {"iso_year", "week"},
    DateStep.MONTH: {"year", "month"},
    DateStep.YEAR: {"year"},
}
"""Placeholders that tell every interval of a step from every other; from the finest step to the coarsest."""
_PASSED_OVER = {"year": ("month", "day"), "month": ("day",)}
"""Step -> placeholders that are filled with the first of it alone."""
_SAMPLE_DAY = date(2019, 5, 17)
_WRITTEN_DATE = linear(r"(?<!\d)((?:19|20)\d\d)(?:[-/_.](0?[1-9]|1[0-2]))?(?![\d-])")
_SERIES = 3
"""Years or months that are written out in URLs of columns, half of which follow one another: one between them may be forgotten."""


def read_columns(compiler: NodeCompiler, root: MapNode, own: MapNode) -> tuple[Column | None, tuple[Column, ...]]:
    """The defaults as a column, and the columns; `own` is the portal file without what it extends."""
    archive = mapping(root.get("archive"))
    ways = archive.get("ways")
    named_by = (node for node in (root.get("columns"), ways) if isinstance(node, ListNode) or mapping(node).entries)
    columns = next(named_by, None)
    parts = ("archive", "ways") if columns is ways else ("columns",)
    if columns is None:
        if root.get("archive") is None or not (has_url(archive) or own.get("archive")):
            return None, ()
        alone = _read(compiler, [(ALONE, archive.place, archive)], (ALONE,), root)
        return (alone[0] if alone else None), tuple(alone)
    if ways is not None and archive.get("url") is not None:
        compiler.note(archive.keys["ways"], "`url` and `ways` stand side by side; make the `url` one of the ways, or delete one of the two")
    # name, place and overrides of each column, whatever the form
    told: dict[str, tuple[FilePlace, MapNode]] = {}
    for item in columns.items if isinstance(columns, ListNode) else ():
        if isinstance(item, ScalarNode) and item.text in told:
            compiler.note(item.place, f"the column {item.text!r} stands twice; keep one")
        elif isinstance(item, ScalarNode):
            told[item.text] = (item.place, MapNode(item.place, {}, {}))
    for name, value in mapping(columns).entries.items():
        place = mapping(columns).keys[name]
        if is_null(value):
            compiler.note(place, f"the column {name!r} is empty; write `{name}: {{}}` for one that changes nothing, or delete the line")
        else:
            told[name] = (place, as_mapping(value, "url"))
    named = [(name, place, merge(without(archive, "ways"), rules, COLUMN)) for name, (place, rules) in told.items()]
    read = _read(compiler, named, parts, root)
    if columns is ways:
        read = [replace(column, ways=tuple(name for name, _, _ in named)) for column in read]
    if root.get("archive") is None:
        return None, tuple(read)
    # for pages that fit no column's URL; each column has already reported the mistakes in it
    defaults = _column(NodeCompiler(compiler.language, variables=compiler.variables), ALONE, archive, root)
    return defaults, tuple(read)


def _read(compiler: NodeCompiler, named: Sequence[tuple[str, FilePlace, MapNode]], parts: tuple[str, ...], root: MapNode) -> list[Column]:
    """The columns; what is wrong with what several of them inherit is told once."""
    values = {
        name: {key: str(text(node)) for key, node in entries(rules.get("vars")).items() if isinstance(node, ScalarNode)}
        for name, _, rules in named
    }
    known = set(chain.from_iterable(values.values()))
    sound = {name for name, _, _ in named if not compiler.has_lost("archive") and not compiler.has_lost(*parts, name)}
    read: list[Column] = []
    right: list[tuple[Column, FilePlace, FilePlace | None]] = []
    noted: dict[tuple[FilePlace | None, str], tuple[FilePlace, str, list[str]]] = {}
    for name, place, rules in named:
        before, column, contradictions = len(compiler.mistakes), None, list[tuple[str, str]]()
        for asked, where in _asked_for(rules):
            refused = compiler.has_lost(*parts, name, "vars", asked)
            if asked not in values[name] and (asked in known or refused):
                values[name][asked] = name  # so that nothing else is said of its templates
                if not refused:
                    sentence = f"{{{asked}}} has no value; give one to each column: `vars: {{{asked}: ...}}`"
                    noted.setdefault((where, sentence), (where, sentence, []))[2].append(name)
        if name in sound and not has_url(rules):
            where_to = "here" + ("" if name == ALONE else " or in `archive`")
            contradictions.append((LACKS, f"the URL of the archive pages is missing; give `url` {where_to}"))
        else:
            column = _column(replace(compiler, variables={**compiler.variables, **values[name]}), name, rules, root)
            if name in sound and (column.template.text or rules.get("url") is None):
                contradictions += _contradictions(column, rules)
        for key, sentence in contradictions:
            where = rules.keys.get("url" if key == LACKS else key, place)
            same = (None if key == LACKS else where, linear(r"https?://\S+").sub("", sentence))  # by addresses alone it may differ
            noted.setdefault(same, (where, sentence, []))[2].append(name)
        if column is not None:
            read.append(column)
            if len(compiler.mistakes) == before and not contradictions:
                right.append((column, place, rules.keys.get("url")))
    for where, sentence, names in noted.values():
        compiler.note(where, sentence if names == [ALONE] else f"{sentence} ({_called(names)})")
    if parts == ("columns",):
        _check_columns(compiler, right)
    places = {column.name: place for column, place, _ in right}
    for first, last, name in gaps_in_dates([column for column, _, _ in right]):
        nothing = f"nothing is asked for from {first} to {last}, but before and after that"
        compiler.warn(places[name], f"{nothing}; if there are articles, let one range or column begin where the one before it ends")
    return read


def _asked_for(rules: MapNode) -> Iterator[tuple[str, FilePlace]]:
    """The placeholders in all that is filled in like the URL."""
    for scalar in chain.from_iterable(yaml_reading.scalars_in(rules.get(key)) for key in FILLED_IN):
        yield from ((name, scalar.place) for name in placeholders(scalar.text))


def _called(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - _MOST_LISTED} more" if len(columns) > _MOST_LISTED else ""
    return f"the column{'s' if len(columns) > 1 else ''} {', '.join(columns[:_MOST_LISTED])}{more}"


def _column(compiler: NodeCompiler, name: str, rules: MapNode, root: MapNode) -> Column:
    """`rules` are its own, merged with those of `archive`."""
    language = compiler.parse(rules.get("language"), scalars.language) or compiler.language
    compiler = replace(compiler, language=language, in_json=text(rules.get("format")) in ("json", "feed"))
    template, mode, pages = compiler.template(rules.get("url")), PagingMode(mode_of(rules)), as_mapping(rules.get("pages"), "mode")
    paging = read_keys(compiler, Paging, pages, mode=mode, stated=pages.get("mode") is not None)
    if paging.first is not None and pages.get("start") is None:
        paging = replace(paging, start=int(paging.first) + 1 if paging.first.isascii() and paging.first.isdigit() else 2)
    of_preset = {key for key, node in entries(rules).items() if node.place.file.is_relative_to(resources.presets())}
    stop = rules.entries.get("stop")
    by_itself = {"known_pages": 3} if rules.get("dates") is None and "known_pages" not in mapping(stop).entries else {}
    column = read_keys(
        compiler,
        Column,
        rules,
        name=name,
        template=template or UrlTemplate.parse(""),
        paging=paging,
        next=read_picks(compiler, rules.get("next"), "archive.next") if mode is PagingMode.NEXT_LINK else None,
        next_of_preset="next" in of_preset,
        stop=StopRules() if stop is not None and is_null(stop) else read_keys(compiler, StopRules, stop, **by_itself),
    )
    dates = _dates(compiler, rules, template, column.request.templates) if rules.get("dates") is not None else None
    rendering = read_rendering(compiler, root.get("fetch"), rules.get("fetch"))
    if column.format is not ArchiveFormat.HTML or column.request.method != "GET":
        rendering = None  # a browser shows what is asked for by GET, and is HTML
    elif rendering is not None and mode.in_steps:
        rendering = in_steps(rendering, scrolled=mode is PagingMode.SCROLL, button=column.paging.button)
    fields, skip = entries(rules.get("fields")), mapping(root.get("articles")).get("skip")
    # the rules after merging, what the files and `{home}` in them stand for, and `articles.skip`, which refuses links, too
    lines = [*_lines(rules, ""), *([f"home {compiler.variables[HOME]}"] if any(name == HOME for name, _ in _asked_for(rules)) else [])]
    lines += [*sorted(f"map {old} {new}" for old, new in column.urls.map.items()), *sorted(column.urls.exclude_urls)]
    if rendering is not None:
        lines.append(f"shown {rendering.wait} {rendering.scroll and rendering.scroll.until} {rendering.click}")
    return replace(
        column,
        dates=dates,
        rendering=rendering,
        rules=_digest([*lines, *(_lines(skip, "skip") if skip is not None else ())]),
        field_rules=" ".join(f"{name}:{_digest(_lines(fields[name], ''))[:6]}" for name in sorted(fields)),
    )


def _dates(compiler: NodeCompiler, rules: MapNode, template: UrlTemplate | None, in_request: tuple[UrlTemplate, ...]) -> Dates:
    settings = mapping(rules.get("dates"))
    for key in ("from", "until", "step"):
        if settings.get("ranges") is not None and settings.get(key) is not None:
            compiler.note(settings.keys[key], f"`{key}` stands beside `ranges`; put it into one of them")
    ranges = []
    for node in date_ranges(rules.get("dates")):
        its_template = compiler.template(mapping(node).get("url")) or template
        if its_template is None and (rules.get("url") or mapping(node).get("url")) is None:
            compiler.note(node.place, "this range of dates has no URL; give `url` here, or beside `dates` for all ranges")
        if its_template is None:
            continue
        finest = {filled_in.finest_step for filled_in in (its_template, *in_request)}
        step = text(mapping(node).get("step")) or next((step for step in DateStep if step in finest), DateStep.DAY)
        until = mapping(node).get("until")
        end: Any = text(until) or "yesterday"
        if end not in ("today", "yesterday"):
            end = compiler.parse(until, scalars.day)
        parts = {part for placeholder in its_template.placeholders for part in placeholder.says}
        finer = next((unit for unit in _PASSED_OVER.get(step, ()) if unit in parts), None)
        if finer is not None and not any(name.startswith("next_") for name in its_template.names):
            compiler.warn(node.place, f"`step: {step}` asks for one {finer} of each {step}; `step: {finer}` asks for all")
        read = read_keys(compiler, DateRange, node, until=end, step=DateStep(step), template=its_template)
        if end is not None:
            ranges.append((read, node.place))
    days = [(dates.start or date.min, dates.until if isinstance(dates.until, date) else date.max) for dates, _ in ranges]
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # somewhere it is that day already
    for (first, last), (_, place) in zip(days, ranges, strict=True):
        if first > last:
            compiler.note(place, f"`from` ({first}) lies after `until` ({last})")
        elif first > tomorrow:
            compiler.warn(place, f"`from` ({first}) lies in the future; nothing is asked for before that day. Is the year right?")
    for earlier, other in combinations(range(len(ranges)), 2):
        (dates, _), (others, place) = ranges[earlier], ranges[other]
        is_alike = dates.template == others.template and dates.step == others.step
        if is_alike and days[earlier][0] <= days[other][1] and days[other][0] <= days[earlier][1]:
            meant = "pages would be asked twice; let one end before the other"
            compiler.note(place, f"this range of dates overlaps another one with the same URL: {meant}")
    with_those_beside_it = MapNode(settings.place, {**rules.entries, **entries(settings)}, {})
    return read_keys(compiler, Dates, with_those_beside_it, ranges=tuple(read for read, _ in ranges))


# --- what contradicts itself: settings that are right one by one, and cannot be meant together ---


def _contradictions(column: Column, rules: MapNode) -> Iterator[tuple[str, str]]:
    """Key and sentence of each within one column."""
    for url in sample_urls(column):
        try:
            scalars.web_address(url)  # a host, and no password
        except ValueError as error:
            yield "url", str(error)
            break
    else:
        host = linear_at(r"[^/]*//[^/?#]*").match(column.templates[0].text)
        if host and linear(r"\{(?!column\})[a-z_]+").search(host[0].replace("{{", "")):
            yield "url", "only `{column}` may stand in the host of a URL"
    yield from mistakes_in_paging(column, as_mapping(rules.get("pages"), "mode"), follows=rules.get("next") is not None)
    yield from _mistakes_in_dates(column)
    form = column.format
    if column.rendering is None and text(mapping(rules.get("fetch")).get("via")) == BROWSER:
        what = f"`format: {form}`" if form is not ArchiveFormat.HTML else f"`method: {column.request.method}`"
        yield "fetch", f"a browser shows HTML that is asked for by GET, and here is {what}; delete `via: {BROWSER}`, or that"
    for key in _OF_NO_USE.get(form, ()):
        if rules.get(key) is not None:
            yield key, f"`format: {form}` itself says where its links are, and what it tells of them; delete `{key}`"
    if form is ArchiveFormat.SITEMAP:
        if rules.get("pages") is None and any("page" in template.names for template in column.templates):
            yield "url", "a sitemap leads to its own files; delete `{page}`"
    elif form is ArchiveFormat.FEED:
        if any(pick.css for picks in column.fields.values() for pick in picks.each()):
            yield "fields", f"`format: {form}` has no elements of HTML; its fields are picked by name: `{{json: keywords}}`"
    elif form is not ArchiveFormat.URLS:
        if rules.get("item") is None and rules.get("link") is None:
            yield LACKS, "nothing says where the links to the articles are; give `item` (one article's container), `link`, or both"
        yield from _picks_of_another_format(column)


def _mistakes_in_dates(column: Column) -> Iterator[tuple[str, str]]:
    if column.dates is None:
        names = (placeholder.name for template in (column.template, *column.request.templates) for placeholder in template.placeholders)
        if used := next((name for name in names if name in DATE_NAMES), None):
            yield "url", f"`{{{used}}}` stands here, but there are no `dates` to fill it with; give `dates: {{from: ...}}`"
        return
    steps = list(_DETERMINED_BY)
    for dates in column.dates.ranges:
        templates = [dates.template, *column.request.templates]
        finest = next((step for step in steps if step in {template.finest_step for template in templates}), None)
        if finest is None:
            lacks = f"no date placeholder in {dates.template.text or '`url`'}"
            yield "dates", f"there are `dates`, but {lacks}; write {{date}} (or {{year}} ...) where it goes, or `dates: null`"
        elif steps.index(dates.step) < steps.index(finest):
            finer = f"`step: {dates.step}` is finer than the URL, whose finest placeholder is the {finest}"
            yield "dates", f"{finer}: intervals would share a page"
        elif lacking := _lacking(dates, templates):
            yield "dates", f"several intervals give the same URL, since it does not tell them apart: {{{lacking}}} is missing"
        if dates.start is None and column.stop == StopRules():
            yield "dates", "without `from` the walk goes back until `stop`, and there is none; give the first date, or `stop`"


def _lacking(dates: DateRange, templates: Sequence[UrlTemplate]) -> str | None:
    """A placeholder without which intervals of a range ask for the same first page."""
    told = {name.removeprefix("next_") for template in templates for placeholder in template.placeholders for name in placeholder.says}
    days = (dates.until - dates.start).days if dates.start is not None and isinstance(dates.until, date) else 366
    if days < 365:
        told |= {"year", "iso_year", *(("month",) if days < 28 else ())}
    steps = list(_DETERMINED_BY)
    is_determined = "date" in told or any(_DETERMINED_BY[step] <= told for step in steps[: steps.index(dates.step) + 1])
    return None if is_determined else min(_DETERMINED_BY[dates.step] - told)


def _picks_of_another_format(column: Column) -> Iterator[tuple[str, str]]:
    last = column.paging.last if isinstance(column.paging.last, Picks) else None
    picks = [("item", column.item, None), ("link", column.link, column.item), ("next", column.next, None), ("pages", last, None)]
    picks += [("fields", part, column.item or column.link) for part in column.fields.values()]
    for key, pick, container in ((key, pick, container) for key, part, container in picks if part for pick in part.each()):
        if column.format is not ArchiveFormat.JSON:
            if pick.json and pick.script is None:
                yield key, f"`{{json: {pick.json.text}}}` reads JSON, and this page is HTML; give `format: json`, or a CSS selector"
        elif pick.css and not any(other.html_in for other in (pick, *(container.each() if container else ()))):
            selector = pick.css.text
            meant = f"`{{json: {selector}}}` (a JMESPath), or `{{html_in: PATH, css: {selector}}}` where the JSON holds HTML"
            yield key, f"`{selector}` is a CSS selector, and `format: json` has no elements; write {meant}"


def _check_columns(compiler: NodeCompiler, columns: Sequence[tuple[Column, FilePlace, FilePlace | None]]) -> None:
    """No two columns ask for the same first page; those that inherit one URL are told of together. Column, place, and its URL's."""
    seen: dict[tuple[str, ...], tuple[Column, FilePlace | None]] = {}
    twins: dict[tuple[FilePlace, str], tuple[FilePlace, list[Column]]] = {}
    for column, place, url in columns:
        # URL and the rest of the request of the first page, and for which dates it is one
        first, ranges = column.paging.value_at(0) or "", column.dates.ranges if column.dates else ()
        asked = (
            *sample_urls(column, first),
            *(_filled(part, column, first, _SAMPLE_DAY) for part in column.request.templates),
            *(f"{dates.start} {dates.until}" for dates in ranges),
        )
        earlier, its_url = seen.setdefault(asked, (column, url))
        if earlier is not column:
            where = url if url is not None and url == its_url else place
            twins.setdefault((where, asked[0]), (place, [earlier]))[1].append(column)
    for (_, page), (place, alike) in twins.items():
        names = _called([column.name for column in alike])
        lead_on = all(column.sections is not None for column in alike)
        hint = "one column with both selectors in its `sections` walks all of them" if lead_on else "is {column} missing?"
        compiler.note(place, f"{names} begin with the same page, {page}; {hint}")


def gaps_in_dates(columns: Sequence[Column]) -> list[tuple[date, date, str]]:
    """The days, first and last, that lie between those of a column, or of several with one address; and the column that goes on there."""
    asked = defaultdict[str, set[tuple[date, date, str]]](set)
    for column in columns:
        for dates in column.dates.ranges if column.dates is not None else ():
            start = interval_around(dates.start, dates.step) if dates.start is not None else date.min
            until = interval_end(interval_around(dates.until, dates.step), dates.step) if isinstance(dates.until, date) else date.max
            for whose in (f"column {column.name}", _filled(dates.template, column, "1", _SAMPLE_DAY)):
                asked[whose].add((start, until, column.name))
    for rest, ranges in _written_out(columns).items():  # a series, and no years in which something was
        begins, ends = {start for start, _, _ in ranges}, {end for _, end, _ in ranges}
        if len(begins) >= _SERIES and 2 * len(begins & ends) >= len(begins) - 1:
            asked[rest] = ranges
    gaps = dict[tuple[date, date, str], None]()
    for ranges in asked.values():
        reached = min(ranges)[0]
        for start, until, name in sorted(ranges):
            if start > reached:
                gaps[reached, start - timedelta(days=1), name] = None
            reached = max(reached, until)
    return list(gaps)


def _written_out(columns: Sequence[Column]) -> dict[str, set[tuple[date, date, str]]]:
    """The same of years and months that stand in URLs, by what else is written there."""
    written = defaultdict[str, set[tuple[date, date, str]]](set)
    for column in columns:
        url = column.template.text
        if column.dates is None and (match := _WRITTEN_DATE.search(url)):
            step: DateStep = DateStep.MONTH if match[2] else DateStep.YEAR
            start = date(int(match[1]), int(match[2] or 1), 1)
            written[f"{step} {url[: match.start()]} {url[match.end() :]}"].add((start, interval_end(start, step), column.name))
    return written


def sample_urls(column: Column, page: str = "1", day: date = _SAMPLE_DAY) -> Iterator[str]:
    """One archive page's URL for each template of a column."""
    return (_filled(template, column, page, day) for template in column.templates)


def _filled(template: UrlTemplate, column: Column, page: str, day: date) -> str:
    return template.of_page(page).fill({"page": page, "column": column.name}, start=day, end=interval_end(day, "day"))


# --- the digest of its rules: a proof holds as long as the rules that it was made under ---

_LEFT_OUT = {
    "": frozenset({"fields", "fetch", "language", "kind", "settle", "drift_after"}),
    "skip": frozenset({"when"}),
    "dates": frozenset({"from", "until", "order", "settle", "drift_after"}),
}
"""Where -> keys that cannot lose a link of an interval that was walked; ranges of dates are those of `dates`."""


def _digest(lines: Iterable[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def _lines(node: YamlNode, path: str) -> Iterator[str]:
    """One line a scalar, with its place; keys in their own order, comments and quotes aside."""
    if isinstance(node, MapNode):
        for key in sorted(node.entries.keys() - _LEFT_OUT.get(path.partition(".")[0], frozenset())):
            value = node.entries[key]
            if not is_null(value) or key == "stop":
                yield from _lines(as_mapping(value, "mode") if (path, key) == ("", "pages") else value, f"{path}.{key}".lstrip("."))
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _lines(item, path)
    else:
        yield f"{path} {node.text}"
