"""The archive side: `archive` and `columns` to columns with all defaults filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Literal, cast

from webarticlecurator.config import scalars
from webarticlecurator.config.checks import check_column, check_columns, check_ranges
from webarticlecurator.config.column_vars import vars_of_columns
from webarticlecurator.config.merge import as_pages, merge, mode_of, nothing
from webarticlecurator.config.node_compiler import NodeCompiler, entries, items, mapping, text, texts, whole_number
from webarticlecurator.config.pick_rules import read_fields, read_picks
from webarticlecurator.config.portal import (
    ArchiveFormat,
    Column,
    DateRange,
    Dates,
    Order,
    Paging,
    PagingMode,
    RequestShape,
    Step,
    Stop,
)
from webarticlecurator.config.request_shape import read_request, request_templates
from webarticlecurator.config.rules_digest import rules_digest
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.url_rules import read_url_rules
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, Node, ScalarNode, is_null

ALONE = "archive"
"""Name of the only column of an archive without `columns`."""

Parse = Callable[[str], UrlTemplate]
Lost = Callable[[tuple[str, ...]], bool]
"""Whether a value at or below this path was taken out: then nothing is said of what contradicts it."""


def read_columns(compiler: NodeCompiler, root: MapNode, own: MapNode, lost: Lost) -> tuple[Column | None, tuple[Column, ...]]:
    """The defaults as a column, and the columns; `own` is the portal file without what it extends."""
    archive, columns = mapping(root.get("archive")), root.get("columns")
    if columns is None or (isinstance(columns, MapNode) and not columns.entries):
        if archive is None or not (_has_url(archive) or own.get("archive")):
            return None, ()
        column = _column(compiler, ALONE, archive, archive.place, sound=not lost(("archive",)))
        column = replace(column, rules=_digest(column, archive, root)) if column is not None else None
        return column, (column,) if column is not None else ()
    walks = [(name, place, merge(archive or nothing(place), overrides, "walk")) for name, place, overrides in _named(compiler, columns)]
    known = vars_of_columns(compiler, {name: walk for name, _, walk in walks}, lost)
    read: list[Column] = []
    right: list[tuple[Column, FilePlace]] = []
    for name, place, walk in walks:
        before = len(compiler.mistakes)
        sound = not lost(("archive",)) and not lost(("columns", name))
        column = _column(compiler, name, walk, place, sound=sound, known=known[name])
        if column is not None:
            column = replace(column, rules=_digest(column, walk, root))
            read.append(column)
            if len(compiler.mistakes) == before:
                right.append((column, place))
    check_columns(compiler, right)
    return _defaults(compiler, archive), tuple(read)


def _digest(column: Column, walk: MapNode, root: MapNode) -> str:
    return rules_digest(walk, column.urls, entries(root.get("articles")).get("skip"))


def _defaults(compiler: NodeCompiler, archive: MapNode | None) -> Column | None:
    """What `archive` says for pages that fit no column's URL; each column has already reported the mistakes in it."""
    if archive is None:
        return None
    return _column(NodeCompiler(compiler.language), ALONE, archive, archive.place, sound=False)


def _named(compiler: NodeCompiler, columns: Node) -> list[tuple[str, FilePlace, MapNode]]:
    """Name, place and overrides of each column, whatever the form."""
    if isinstance(columns, ListNode):
        named: dict[str, tuple[str, FilePlace, MapNode]] = {}
        for item in columns.items:
            if isinstance(item, ScalarNode) and item.text in named:
                compiler.note(item.place, f"the column {item.text!r} stands twice; keep one")
            elif isinstance(item, ScalarNode):
                named[item.text] = (item.text, item.place, nothing(item.place))
        return list(named.values())
    assert isinstance(columns, MapNode)
    found = []
    for name, value in columns.entries.items():
        place = columns.keys[name]
        if is_null(value):
            compiler.note(place, f"the column {name!r} is empty; write `{name}: {{}}` for one that changes nothing, or delete the line")
        elif isinstance(value, ScalarNode):
            found.append((name, place, MapNode(value.place, {"url": value}, {"url": value.place})))
        elif isinstance(value, MapNode):
            found.append((name, place, value))
    return found


def _has_url(walk: MapNode) -> bool:
    dates = walk.get("dates")
    return walk.get("url") is not None or any(mapping(item) and cast(MapNode, item).get("url") for item in _ranges(dates))


def _column(
    compiler: NodeCompiler, name: str, walk: MapNode, place: FilePlace, *, sound: bool, known: Mapping[str, str] | None = None
) -> Column | None:
    if not _has_url(walk) and sound:
        compiler.note(place, "the URL of the archive pages is missing; give `url` here" + ("" if name == ALONE else " or in `archive`"))
        return None
    language = compiler.parse(walk.get("language"), scalars.language)
    parse: Parse = partial(UrlTemplate.parse, language=language or compiler.language, known=known)
    template = compiler.parse(walk.get("url"), parse)
    page_format = _format(compiler, walk.get("format"))
    in_json = page_format is ArchiveFormat.JSON
    request = read_request(compiler, walk.get("request"), parse)
    base = compiler.parse(walk.get("base"), scalars.web_address)
    mode = mode_of(walk)
    column = Column(
        name=name,
        template=template or UrlTemplate.parse(""),
        base=base.geturl() if base else None,
        dates=_dates(compiler, walk, template, request, parse) if walk.get("dates") is not None else None,
        paging=_paging(compiler, walk, mode, in_json=in_json),
        item=read_picks(compiler, walk.get("item"), "archive.item", in_json=in_json),
        link=read_picks(compiler, walk.get("link"), "archive.link", in_json=in_json),
        next=read_picks(compiler, walk.get("next"), "archive.next", in_json=in_json) if mode is PagingMode.NEXT_LINK else None,
        fields=read_fields(compiler, walk.get("fields"), "archive.fields", in_json=in_json),
        urls=read_url_rules(compiler, walk.get("urls")),
        stop=_stop(compiler, walk),
        request=request,
        format=page_format,
        language=language,
    )
    if sound and (template is not None or walk.get("url") is None):
        check_column(compiler, column, walk, place)
    return column


def _format(compiler: NodeCompiler, node: Node | None) -> ArchiveFormat:
    name = text(node)
    if name in ("sitemap", "feed") and node is not None:
        compiler.note(node.place, f"`format: {name}` is not read yet; use html, json or urls")
        return ArchiveFormat.URLS  # as they, it needs no rules for its links: nothing more is said of it
    return ArchiveFormat(name) if name else ArchiveFormat.HTML


def _ranges(dates: Node | None) -> tuple[Node, ...]:
    """The ranges of `dates` in any of its forms."""
    if isinstance(dates, MapNode):
        ranges = dates.get("ranges")
        return items(ranges) if ranges is not None else (dates,)
    return items(dates)


def _dates(compiler: NodeCompiler, walk: MapNode, template: UrlTemplate | None, request: RequestShape, parse: Parse) -> Dates:
    node = walk.get("dates")
    settings = mapping(node) or nothing(walk.place)
    if settings.get("ranges") is not None:
        for key in ("from", "until", "step"):
            if settings.get(key) is not None:
                compiler.note(settings.keys[key], f"`{key}` stands beside `ranges`; put it into one of them")
    ranges = []
    for item in _ranges(node):
        read = _range(compiler, walk, cast(MapNode, item), template, request, parse)
        if read is not None:
            ranges.append((read, item.place))
    check_ranges(compiler, ranges)

    def either(key: str) -> Node | None:
        return settings.get(key) if settings.get(key) is not None else walk.get(key)

    settle, drift_after = compiler.parse(either("settle"), scalars.duration), whole_number(either("drift_after"))
    return Dates(
        ranges=tuple(read for read, _ in ranges),
        order=Order(text(settings.get("order")) or Order.NEWEST_FIRST),
        settle=settle if settle is not None else timedelta(days=3),
        drift_after=drift_after if drift_after is not None else 3,
    )


def _range(
    compiler: NodeCompiler, walk: MapNode, node: MapNode, template: UrlTemplate | None, request: RequestShape, parse: Parse
) -> DateRange | None:
    template = compiler.parse(node.get("url"), parse) or template
    if template is None and (walk.get("url") or node.get("url")) is None:
        compiler.note(node.place, "this range of dates has no URL; give `url` here, or beside `dates` for all ranges")
    if template is None:
        return None
    step = text(node.get("step")) or _finest([template, *request_templates(request)])
    until = text(node.get("until")) or "yesterday"
    start = compiler.parse(node.get("from"), scalars.day)
    end: date | Literal["today", "yesterday"] | None
    end = cast(Literal["today", "yesterday"], until) if until in ("today", "yesterday") else compiler.parse(node.get("until"), scalars.day)
    if end is None:
        return None
    return DateRange(start=start, until=end, step=Step(step or Step.DAY), template=template)


def _finest(templates: list[UrlTemplate]) -> str | None:
    """The finest date placeholder of all that is filled in."""
    steps = {template.finest_step for template in templates}
    return next((step.value for step in Step if step.value in steps), None)


def _paging(compiler: NodeCompiler, walk: MapNode, mode: PagingMode, *, in_json: bool) -> Paging:
    node = walk.get("pages")
    pages = as_pages(node) if node is not None else nothing(walk.place)
    last = pages.get("last")
    first, start = text(pages.get("first")), whole_number(pages.get("start"))
    if start is None:
        start = 1 if first is None else int(first) + 1 if first.isascii() and first.isdigit() else 2
    return Paging(
        mode=mode,
        stated=node is not None,
        first=first,
        start=start,
        last=number if (number := whole_number(last)) is not None else read_picks(compiler, last, "archive.pages.last", in_json=in_json),
        values=_values(compiler, pages.get("values")),
        empty_pages=whole_number(pages.get("empty_pages")) or 1,
        order=Order(text(pages.get("order")) or Order.NEWEST_FIRST),
    )


def _values(compiler: NodeCompiler, node: Node | None) -> tuple[str, ...]:
    if isinstance(node, ListNode):
        return texts(node)
    return compiler.parse(node, lambda series: tuple(scalars.page_values(series))) or ()


def _stop(compiler: NodeCompiler, walk: MapNode) -> Stop:
    if "stop" in walk.entries and is_null(walk.entries["stop"]):
        return Stop()
    stop = mapping(walk.get("stop")) or nothing(walk.place)
    known = whole_number(stop.get("known_pages"))
    if known is None and "known_pages" not in stop.entries and walk.get("dates") is None:
        known = 3
    return Stop(
        known_pages=known,
        at_url=text(stop.get("at_url")),
        when=compiler.selector(stop.get("when")),
        after=compiler.parse(stop.get("after"), scalars.day),
    )
