"""The archive side: `archive` and `columns` to columns with all defaults filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import chain
from typing import Any

from webarticlecurator import resources
from webarticlecurator.config import scalars
from webarticlecurator.config.column_checks import LACKS, check_columns, check_ranges, contradictions
from webarticlecurator.config.fetch_rules import UrlRules, in_steps, read_rendering
from webarticlecurator.config.keys import read_keys
from webarticlecurator.config.merge import FILLED_IN, as_pages, date_ranges, has_url, inherited, merge, mode_of, nothing
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, text
from webarticlecurator.config.picks import read_picks
from webarticlecurator.config.portal import COLUMN, ArchiveFormat, Column, DateRange, Dates, DateStep, Paging, PagingMode, StopRules
from webarticlecurator.config.template import HOME, UrlTemplate, placeholders
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, ScalarNode, YamlNode, is_null, scalars_in
from webarticlecurator.model.rendering import Rendering

ALONE = "archive"
"""Name of the only column of an archive without `columns`."""

Lost = Callable[[tuple[str, ...]], bool]
"""Whether a value at or below this path was taken out: then nothing is said of what contradicts it."""
_MOST_LISTED = 8
_ADDRESS = re.compile(r"https?://\S+")
"""In a sentence, by which alone what is said of several columns may differ."""


def read_columns(compiler: NodeCompiler, root: MapNode, own: MapNode, lost: Lost) -> tuple[Column | None, tuple[Column, ...]]:
    """The defaults as a column, and the columns; `own` is the portal file without what it extends."""
    archive, columns = mapping(root.get("archive")), root.get("columns")
    parts: tuple[str, ...] = ("columns",)
    ways = archive.get("ways")
    if columns is None or (isinstance(columns, MapNode) and not columns.entries):
        columns, parts = ways, ("archive", "ways")
    if columns is None or (isinstance(columns, MapNode) and not columns.entries):
        if root.get("archive") is None or not (has_url(archive) or own.get("archive")):
            return None, ()
        alone = _read(compiler, [(ALONE, archive.place, archive)], (ALONE,), root, lost)
        return (alone[0] if alone else None), tuple(alone)
    if ways is not None and archive.get("url") is not None:
        compiler.note(archive.keys["ways"], "`url` and `ways` stand side by side; make the `url` one of the ways, or delete one of the two")
    named = [(name, place, merge(inherited(archive), rules, COLUMN)) for name, place, rules in _named(compiler, columns)]
    read = _read(compiler, named, parts, root, lost)
    if columns is ways:
        read = [replace(column, ways=tuple(name for name, _, _ in named)) for column in read]
    if root.get("archive") is None:
        return None, tuple(read)
    # for pages that fit no column's URL; each column has already reported the mistakes in it
    defaults = _column(NodeCompiler(compiler.language, variables=compiler.variables), ALONE, archive, root, None)
    return defaults, tuple(read)


def _read(
    compiler: NodeCompiler, named: Sequence[tuple[str, FilePlace, MapNode]], parts: tuple[str, ...], root: MapNode, lost: Lost
) -> list[Column]:
    """The columns; what is wrong with what several of them inherit is told once."""
    variables = _variables(compiler, {name: rules for name, _, rules in named}, parts, lost) if parts != (ALONE,) else {ALONE: {}}
    sound = {name for name, _, _ in named if not lost(("archive",)) and not lost((*parts, name))}
    read: list[Column] = []
    right: list[tuple[Column, FilePlace, FilePlace | None]] = []
    told: dict[tuple[FilePlace | None, str], tuple[FilePlace, str, list[str]]] = {}
    for name, place, rules in named:
        before, found = len(compiler.mistakes), list[tuple[str, str]]()
        with_own = replace(compiler, variables={**compiler.variables, **variables[name]})
        column = _column(with_own, name, rules, root, found if name in sound else None)
        for key, sentence in found:
            where = rules.keys.get("url" if key == LACKS else key, place)
            same = (None if key == LACKS else where, _ADDRESS.sub("", sentence))
            told.setdefault(same, (where, sentence, []))[2].append(name)
        if column is not None:
            read.append(column)
            if len(compiler.mistakes) == before and not found:
                right.append((column, place, rules.keys.get("url")))
    for where, sentence, names in told.values():
        compiler.note(where, sentence if len(names) == 1 else f"{sentence} ({_called(names)})")
    if parts == ("columns",):
        check_columns(compiler, right)
    return read


def _named(compiler: NodeCompiler, columns: YamlNode) -> list[tuple[str, FilePlace, MapNode]]:
    """Name, place and overrides of each column, whatever the form."""
    named: dict[str, tuple[str, FilePlace, MapNode]] = {}
    for item in columns.items if isinstance(columns, ListNode) else ():
        if isinstance(item, ScalarNode) and item.text in named:
            compiler.note(item.place, f"the column {item.text!r} stands twice; keep one")
        elif isinstance(item, ScalarNode):
            named[item.text] = (item.text, item.place, nothing(item.place))
    for name, value in mapping(columns).entries.items():
        place = mapping(columns).keys[name]
        if is_null(value):
            compiler.note(place, f"the column {name!r} is empty; write `{name}: {{}}` for one that changes nothing, or delete the line")
        elif isinstance(value, ScalarNode):
            named[name] = (name, place, MapNode(value.place, {"url": value}, {"url": value.place}))
        elif isinstance(value, MapNode):
            named[name] = (name, place, value)
    return list(named.values())


# --- what differs between columns that share one template: their `vars` ---


def _variables(compiler: NodeCompiler, columns: Mapping[str, MapNode], parts: tuple[str, ...], lost: Lost) -> dict[str, dict[str, str]]:
    """Column -> its values as they are written; what a template asks for and a column lacks is a mistake, told once for all of them."""
    values = {column: _own_variables(rules) for column, rules in columns.items()}
    known = set(chain.from_iterable(values.values()))
    lacking: dict[tuple[FilePlace, str], list[str]] = {}
    for column, rules in columns.items():
        asked_for = dict(_asked_for(rules))
        for name in values[column].keys() - asked_for.keys():
            message = f"`{name}` stands in no template of the column {column!r}; write {{{name}}} where it goes, or delete it here"
            compiler.warn(mapping(rules.get("vars")).keys[name], message)
        for name in sorted(asked_for.keys() - values[column].keys()):
            refused = lost((*parts, column, "vars", name))
            if name in known and not refused:
                lacking.setdefault((asked_for[name], name), []).append(column)
            if name in known or refused:
                values[column][name] = column  # so that nothing else is said of its templates
    for (place, name), without in lacking.items():
        compiler.note(place, f"{{{name}}} has no value in {_called(without)}; give it there: `vars: {{{name}: ...}}`")
    return values


def _own_variables(rules: MapNode) -> dict[str, str]:
    return {name: value for name, node in entries(rules.get("vars")).items() if (value := text(node)) is not None}


def _asked_for(rules: MapNode) -> Iterator[tuple[str, FilePlace]]:
    """The placeholders in all that is filled in like the URL."""
    for scalar in chain.from_iterable(scalars_in(rules.get(key)) for key in FILLED_IN):
        yield from ((name, scalar.place) for name in placeholders(scalar.text))


def _called(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - _MOST_LISTED} more" if len(columns) > _MOST_LISTED else ""
    return f"the column{'s' if len(columns) > 1 else ''} {', '.join(columns[:_MOST_LISTED])}{more}"


# --- one column ---


def _column(compiler: NodeCompiler, name: str, rules: MapNode, root: MapNode, found: list[tuple[str, str]] | None) -> Column | None:
    """`rules` are its own, merged with those of `archive`; `found`: where its contradictions go, None: they are not looked for."""
    if not has_url(rules) and found is not None:
        found.append((LACKS, "the URL of the archive pages is missing; give `url` here" + ("" if name == ALONE else " or in `archive`")))
        return None
    language = compiler.parse(rules.get("language"), scalars.language) or compiler.language
    compiler = replace(compiler, language=language, in_json=text(rules.get("format")) in ("json", "feed"))
    template, mode = compiler.template(rules.get("url")), PagingMode(mode_of(rules))
    column = read_keys(
        compiler,
        Column,
        rules,
        name=name,
        template=template or UrlTemplate.parse(""),
        paging=_paging(compiler, rules.get("pages"), mode),
        next=read_picks(compiler, rules.get("next"), "archive.next") if mode is PagingMode.NEXT_LINK else None,
        url_of_preset=_is_of_preset(rules.get("url")),
        next_of_preset=_is_of_preset(rules.get("next")),
        stop=_stop(compiler, rules),
    )
    dates = _dates(compiler, rules, template, column.request.templates) if rules.get("dates") is not None else None
    rendering = _rendering(compiler, column, rules, root)
    skip = mapping(root.get("articles")).get("skip")
    digest = _rules_digest(compiler, rules, column.urls, skip, rendering)
    column = replace(column, dates=dates, rendering=rendering, rules=digest, field_rules=_field_rules(rules))
    if found is not None and (template is not None or rules.get("url") is None):
        found += contradictions(column, rules)
    return column


def _is_of_preset(rule: YamlNode | None) -> bool:
    return rule is not None and rule.place.file.is_relative_to(resources.presets())


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
        read = _range(compiler, mapping(node), its_template, in_request) if its_template is not None else None
        if read is not None:
            ranges.append((read, node.place))
    check_ranges(compiler, ranges)
    with_those_beside_it = MapNode(settings.place, {**rules.entries, **entries(settings)}, {})
    return read_keys(compiler, Dates, with_those_beside_it, ranges=tuple(read for read, _ in ranges))


def _range(compiler: NodeCompiler, node: MapNode, template: UrlTemplate, in_request: tuple[UrlTemplate, ...]) -> DateRange | None:
    finest = {filled_in.finest_step for filled_in in (template, *in_request)}
    step = text(node.get("step")) or next((step for step in DateStep if step.value in finest), DateStep.DAY)
    until = node.get("until")
    end: Any = text(until) or "yesterday"
    if end not in ("today", "yesterday"):
        end = compiler.parse(until, scalars.day)
    read = read_keys(compiler, DateRange, node, until=end, step=DateStep(step), template=template)
    return read if end is not None else None


def _paging(compiler: NodeCompiler, node: YamlNode | None, mode: PagingMode) -> Paging:
    pages = as_pages(node)
    paging = read_keys(compiler, Paging, pages, mode=mode, stated=node is not None)
    if paging.first is None or pages.get("start") is not None:
        return paging
    return replace(paging, start=int(paging.first) + 1 if paging.first.isascii() and paging.first.isdigit() else 2)


def _rendering(compiler: NodeCompiler, column: Column, rules: MapNode, root: MapNode) -> Rendering | None:
    """A browser shows what is asked for by GET, and is HTML."""
    rendering = read_rendering(compiler, root.get("fetch"), rules.get("fetch"))
    if rendering is None or column.format is not ArchiveFormat.HTML or column.request.method != "GET":
        return None
    if not column.paging.mode.in_steps:
        return rendering
    return in_steps(rendering, scrolled=column.paging.mode is PagingMode.SCROLL, button=column.paging.button)


def _stop(compiler: NodeCompiler, rules: MapNode) -> StopRules:
    if "stop" in rules.entries and is_null(rules.entries["stop"]):
        return StopRules()
    stop = read_keys(compiler, StopRules, rules.get("stop"))
    if rules.get("dates") is None and "known_pages" not in mapping(rules.get("stop")).entries:
        return replace(stop, known_pages=3)
    return stop


# --- the digest of its rules: a proof holds as long as the rules that it was made under ---

_LEFT_OUT = {
    "": frozenset({"fields", "fetch", "language", "settle", "drift_after"}),
    "skip": frozenset({"when"}),
    "dates": frozenset({"from", "until", "order", "settle", "drift_after"}),
}
"""Where -> keys that cannot lose a link of an interval that was walked; ranges of dates are those of `dates`."""


def _rules_digest(compiler: NodeCompiler, rules: MapNode, urls: UrlRules, skip: YamlNode | None, rendering: Rendering | None) -> str:
    """Of the rules after merging, of what the files and `{home}` in them stand for, and of `articles.skip`, which refuses links, too."""
    files = [*sorted(f"map {old} {new}" for old, new in urls.map.items()), *sorted(urls.exclude_urls)]
    home = [f"home {compiler.variables[HOME]}"] if any(name == HOME for name, _ in _asked_for(rules)) else []
    shown = [f"shown {rendering.wait} {rendering.scroll and rendering.scroll.until} {rendering.click}"] if rendering is not None else []
    return _digest([*_lines(rules, ""), *home, *files, *shown, *(_lines(skip, "skip") if skip is not None else ())])


def _digest(lines: Iterable[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def _field_rules(rules: MapNode) -> str:
    fields = entries(rules.get("fields"))
    return " ".join(f"{name}:{_digest(_lines(fields[name], ''))[:6]}" for name in sorted(fields))


def _lines(node: YamlNode, path: str) -> Iterator[str]:
    """One line a scalar, with its place; keys in their own order, comments and quotes aside."""
    if isinstance(node, MapNode):
        for key in sorted(node.entries.keys() - _LEFT_OUT.get(path.partition(".")[0], frozenset())):
            value = node.entries[key]
            if not is_null(value) or key == "stop":
                yield from _lines(as_pages(value) if (path, key) == ("", "pages") else value, f"{path}.{key}".lstrip("."))
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _lines(item, path)
    else:
        yield f"{path} {node.text}"
