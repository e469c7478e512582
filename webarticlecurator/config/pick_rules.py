"""Picks as they are written to picks as they are evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, cast

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.node_compiler import NodeCompiler, entries, flag, items, mapping, text, whole_number
from webarticlecurator.config.picks import AllOf, PageNumber, Pick, Picks, Take, Within
from webarticlecurator.config.scalars import web_address
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, Node, ScalarNode
from webarticlecurator.dates import DateFormat
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

_REGEX_SIGNS = re.compile(r"[\\^$*+?{}\[\]|()]")
_ATTRIBUTE = re.compile(r"[A-Za-z_:][\w:.-]*")


def read_picks(compiler: NodeCompiler, node: Node | None, source: str, *, in_json: bool = False) -> Picks | None:
    """A pick, whatever its form; `source` says where it stands, `in_json` that it reads JSON."""
    found = [alternative for item in items(node) if (alternative := _alternative(compiler, item, source, in_json)) is not None]
    return Picks(alternatives=tuple(found)) if found else None


def read_fields(compiler: NodeCompiler, node: Node | None, source: str, *, in_json: bool = False) -> dict[str, Picks]:
    """Field name -> pick."""
    read = {name: read_picks(compiler, value, f"{source}.{name}", in_json=in_json) for name, value in entries(node).items()}
    return {name: picks for name, picks in read.items() if picks is not None}


def _alternative(compiler: NodeCompiler, node: Node, source: str, in_json: bool) -> Pick | AllOf | None:
    if isinstance(node, ScalarNode):
        selector = compiler.parse(node, Selector.parse)
        return Pick(css=selector, source=source) if selector is not None else None
    if isinstance(node, ListNode):
        return None
    if (united := node.get("all_of")) is not None:
        picks = [read_picks(compiler, item, source, in_json=in_json) for item in items(united)]
        return AllOf(picks=tuple(pick for pick in picks if pick is not None))
    values: dict[str, Any] = {"source": source}
    before = len(compiler.mistakes)
    for key, value in node.entries.items():
        values[key] = _READERS[key](compiler, value)
    if (attribute := node.get("html_in")) is not None:
        values["html_in"] = _html_in(compiler, attribute, in_json)
    if table := values.pop("map_file", None):
        values["map"] = {**table, **(values.get("map") or {})}
    # a half-read pick would only mislead whoever checks on
    return Pick(**values) if len(compiler.mistakes) == before else None


def _html_in(compiler: NodeCompiler, node: Node, in_json: bool) -> JsonPath | str | None:
    name = text(node) or ""
    if not in_json and not _ATTRIBUTE.fullmatch(name):
        compiler.note(node.place, f"{name!r} is no attribute's name; here `html_in` names the attribute whose value is HTML")
        return None
    if in_json and not (_ATTRIBUTE.fullmatch(name) and "-" in name):
        return compiler.parse(node, JsonPath.parse)
    return name


def _take(node: Node) -> Take:
    number = whole_number(node)
    return number if number is not None else cast(Take, text(node))


def _within(compiler: NodeCompiler, node: Node) -> Within | None:
    if isinstance(node, MapNode):
        selector, take = compiler.parse(node.get("css"), Selector.parse), node.get("take")
    else:
        selector, take = compiler.parse(node, Selector.parse), None
    return Within(css=selector, take=_take(take) if take is not None else "first") if selector is not None else None


def _page_number(compiler: NodeCompiler, node: Node) -> PageNumber:
    settings = mapping(node)
    step = whole_number(settings.get("step")) if settings else None
    return PageNumber(
        step=1 if step is None else step, current=compiler.parse(settings.get("current"), Selector.parse) if settings else None
    )


def _having(compiler: NodeCompiler, node: Node) -> dict[str, Pattern]:
    read = {name: compiler.parse(value, Pattern.parse) for name, value in entries(node).items()}
    return {name: pattern for name, pattern in read.items() if pattern is not None}


def _map(_: NodeCompiler, node: Node) -> dict[str, str]:
    return {key: value.text for key, value in entries(node).items() if isinstance(value, ScalarNode)}


def _drop(compiler: NodeCompiler, node: Node) -> tuple[Pattern | str, ...]:
    """Each as the whole value; as a regex too, where it has the signs of one."""
    dropped: list[Pattern | str] = []
    for item in items(node):
        value = text(item)
        if value is None:
            continue
        dropped.append(value)
        if _REGEX_SIGNS.search(value) and (pattern := compiler.parse(item, Pattern.parse)) is not None:
            dropped.append(pattern)
    return tuple(dropped)


def _route(compiler: NodeCompiler, node: Node) -> dict[str, tuple[Pattern, ...]]:
    routes = {}
    for name, value in entries(node).items():
        if name not in FIELDS:
            close = get_close_matches(name, FIELDS, n=1)
            compiler.note(
                cast(MapNode, node).keys[name],
                f"`route` leads to {name!r}, which is no metadata field; "
                + (f"did you mean `{close[0]}`?" if close else "names are Schema.org's"),
            )
        routes[name] = compiler.parse_all(value, Pattern.parse)
    return routes


def _make_url(compiler: NodeCompiler, node: Node) -> UrlTemplate | None:
    return compiler.parse(node, lambda template: UrlTemplate.parse(template, names=frozenset({"value"})))


def _base(compiler: NodeCompiler, node: Node) -> str | None:
    parts = compiler.parse(node, web_address)
    return parts.geturl() if parts is not None else None


def _dates(compiler: NodeCompiler, node: Node) -> tuple[DateFormat, ...]:
    return compiler.parse_all(node, DateFormat.parse)


def _pattern(compiler: NodeCompiler, node: Node) -> Pattern | None:
    return compiler.parse(node, Pattern.parse)


def _path(compiler: NodeCompiler, node: Node) -> JsonPath | None:
    return compiler.parse(node, JsonPath.parse)


def _selector(compiler: NodeCompiler, node: Node) -> Selector | None:
    return compiler.selector(node)


def _text(_: NodeCompiler, node: Node) -> str | None:
    return text(node)


_READERS: Mapping[str, Callable[[NodeCompiler, Node], Any]] = {
    "css": _selector,
    "json": _path,
    "html_in": _text,
    "meta": _text,
    "head_link": _text,
    "jsonld": _path,
    "script": _pattern,
    "page_url": _pattern,
    "listing": _text,
    "const": _text,
    "when": _selector,
    "unless": _selector,
    "within": _within,
    "having": _having,
    "page_number": _page_number,
    "attr": _text,
    "own_text": lambda _, node: flag(node, False),
    "without": _selector,
    "split": _pattern,
    "match": _pattern,
    "replace": lambda compiler, node: compiler.replacements(node),
    "map": _map,
    "map_file": lambda compiler, node: compiler.table(node),
    "drop": _drop,
    "route": _route,
    "make_url": _make_url,
    "base": _base,
    "date": _dates,
    "take": lambda _, node: _take(node),
}
"""Key of a pick -> what reads it; in the order in which the steps are taken."""
