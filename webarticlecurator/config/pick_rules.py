"""Picks as they are written to picks as they are evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, cast

from webarticlecurator.config.desk import Desk, entries, flag, items, mapping, text, whole_number
from webarticlecurator.config.fields import FIELDS
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


def read_picks(desk: Desk, node: Node | None, source: str, *, in_json: bool = False) -> Picks | None:
    """A pick, whatever its form; `source` says where it stands, `in_json` that it reads JSON."""
    found = [alternative for item in items(node) if (alternative := _alternative(desk, item, source, in_json)) is not None]
    return Picks(alternatives=tuple(found)) if found else None


def read_fields(desk: Desk, node: Node | None, source: str, *, in_json: bool = False) -> dict[str, Picks]:
    """Field name -> pick."""
    read = {name: read_picks(desk, value, f"{source}.{name}", in_json=in_json) for name, value in entries(node).items()}
    return {name: picks for name, picks in read.items() if picks is not None}


def _alternative(desk: Desk, node: Node, source: str, in_json: bool) -> Pick | AllOf | None:
    if isinstance(node, ScalarNode):
        selector = desk.parse(node, Selector.parse)
        return Pick(css=selector, source=source) if selector is not None else None
    if isinstance(node, ListNode):
        return None
    if (united := node.get("all_of")) is not None:
        picks = [read_picks(desk, item, source, in_json=in_json) for item in items(united)]
        return AllOf(picks=tuple(pick for pick in picks if pick is not None))
    values: dict[str, Any] = {"source": source}
    before = len(desk.mistakes)
    for key, value in node.entries.items():
        values[key] = _READERS[key](desk, value)
    if (attribute := node.get("html_in")) is not None:
        values["html_in"] = _html_in(desk, attribute, in_json)
    if table := values.pop("map_file", None):
        values["map"] = {**table, **(values.get("map") or {})}
    # a half-read pick would only mislead whoever checks on
    return Pick(**values) if len(desk.mistakes) == before else None


def _html_in(desk: Desk, node: Node, in_json: bool) -> JsonPath | str | None:
    name = text(node) or ""
    if not in_json and not _ATTRIBUTE.fullmatch(name):
        desk.note(node.place, f"{name!r} is no attribute's name; here `html_in` names the attribute whose value is HTML")
        return None
    if in_json and not (_ATTRIBUTE.fullmatch(name) and "-" in name):
        return desk.parse(node, JsonPath.parse)
    return name


def _take(node: Node) -> Take:
    number = whole_number(node)
    return number if number is not None else cast(Take, text(node))


def _within(desk: Desk, node: Node) -> Within | None:
    if isinstance(node, MapNode):
        selector, take = desk.parse(node.get("css"), Selector.parse), node.get("take")
    else:
        selector, take = desk.parse(node, Selector.parse), None
    return Within(css=selector, take=_take(take) if take is not None else "first") if selector is not None else None


def _page_number(desk: Desk, node: Node) -> PageNumber:
    settings = mapping(node)
    step = whole_number(settings.get("step")) if settings else None
    return PageNumber(step=1 if step is None else step, current=desk.parse(settings.get("current"), Selector.parse) if settings else None)


def _having(desk: Desk, node: Node) -> dict[str, Pattern]:
    read = {name: desk.parse(value, Pattern.parse) for name, value in entries(node).items()}
    return {name: pattern for name, pattern in read.items() if pattern is not None}


def _map(_: Desk, node: Node) -> dict[str, str]:
    return {key: value.text for key, value in entries(node).items() if isinstance(value, ScalarNode)}


def _drop(desk: Desk, node: Node) -> tuple[Pattern | str, ...]:
    """Each as the whole value; as a regex too, where it has the signs of one."""
    dropped: list[Pattern | str] = []
    for item in items(node):
        value = text(item)
        if value is None:
            continue
        dropped.append(value)
        if _REGEX_SIGNS.search(value) and (pattern := desk.parse(item, Pattern.parse)) is not None:
            dropped.append(pattern)
    return tuple(dropped)


def _route(desk: Desk, node: Node) -> dict[str, tuple[Pattern, ...]]:
    routes = {}
    for name, value in entries(node).items():
        if name not in FIELDS:
            close = get_close_matches(name, FIELDS, n=1)
            desk.note(
                cast(MapNode, node).keys[name],
                f"`route` leads to {name!r}, which is no metadata field; "
                + (f"did you mean `{close[0]}`?" if close else "names are Schema.org's"),
            )
        routes[name] = desk.parse_all(value, Pattern.parse)
    return routes


def _make_url(desk: Desk, node: Node) -> UrlTemplate | None:
    return desk.parse(node, lambda template: UrlTemplate.parse(template, names=frozenset({"value"})))


def _base(desk: Desk, node: Node) -> str | None:
    parts = desk.parse(node, web_address)
    return parts.geturl() if parts is not None else None


def _dates(desk: Desk, node: Node) -> tuple[DateFormat, ...]:
    return desk.parse_all(node, DateFormat.parse)


def _pattern(desk: Desk, node: Node) -> Pattern | None:
    return desk.parse(node, Pattern.parse)


def _path(desk: Desk, node: Node) -> JsonPath | None:
    return desk.parse(node, JsonPath.parse)


def _selector(desk: Desk, node: Node) -> Selector | None:
    return desk.selector(node)


def _text(_: Desk, node: Node) -> str | None:
    return text(node)


_READERS: Mapping[str, Callable[[Desk, Node], Any]] = {
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
    "replace": lambda desk, node: desk.replacements(node),
    "map": _map,
    "map_file": lambda desk, node: desk.table(node),
    "drop": _drop,
    "route": _route,
    "make_url": _make_url,
    "base": _base,
    "date": _dates,
    "take": lambda _, node: _take(node),
}
"""Key of a pick -> what reads it; in the order in which the steps are taken."""
