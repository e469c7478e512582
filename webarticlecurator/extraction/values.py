"""From what a pick points at to its values: the *how* steps, in their order, each value with its origin."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.config.fields import Holds
from webarticlecurator.config.picks import Pick, Take
from webarticlecurator.dates import DateFormat, read_date
from webarticlecurator.extraction.nodes import Node, Place, chosen, containers_of, flat, is_element, nodes_of
from webarticlecurator.extraction.page_numbers import numbered
from webarticlecurator.extraction.structured_data import json_ld_objects, read_json
from webarticlecurator.text import element_text, own_text, squeeze
from webarticlecurator.urls import is_http, join, same_page

MAX_VALUES = 50_000
"""Values of one pick on one page."""
_MANY = 100
"""Elements of one pick; the texts of so many, one inside the other, may be long together."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OTHER_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_ISO_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
_UNASKED_DATES = (DateFormat.parse("iso"), DateFormat.parse("auto"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a pick is for."""

    many: bool = False
    """A list; else one value."""
    holds: Holds = Holds.TEXT
    link: bool = False
    """A link to follow: then the page itself is no value."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """One value on its way through the steps."""

    text: str
    raw: str
    node: Node = None
    """What it was read from, where that is an element or an item."""

    def now(self, text: str) -> Value:
        """The same value after a step."""
        return Value(text, self.raw, self.node)


@dataclass(frozen=True, slots=True)
class Picked:
    """What one pick gave."""

    values: list[Value] = field(default_factory=list)
    routed: dict[str, list[Value]] = field(default_factory=dict)
    """Values that belong to another field."""
    elsewhere: list[str] = field(default_factory=list)
    """Links that lead out of the web (ftp:, mailto:), where nothing else was found or all links were wanted."""

    def __bool__(self) -> bool:
        return bool(self.values or self.routed)


def applies(pick: Pick, place: Place) -> bool:
    """Whether `when` is on the page and `unless` is not."""
    tree = place.page.tree
    present = pick.when is None or (tree is not None and bool(pick.when.select(tree)))
    return present and (pick.unless is None or tree is None or not pick.unless.select(tree))


def kept_nodes(pick: Pick, place: Place) -> list[Node]:
    """What the pick points at, after `having` and `page_number`."""
    nodes = nodes_of(pick, place)
    if pick.having:
        nodes = [node for node in nodes if is_element(node) and _has(node, pick)]
    if pick.page_number:
        elements = [node for node in nodes if is_element(node)]
        nodes = numbered(elements, pick.page_number, containers_of(pick.within, place.node) if pick.within else [], place.page)
    return nodes


def values_of(pick: Pick, place: Place, wanted: Wanted) -> Picked:
    """All steps of one pick."""
    if not applies(pick, place):
        return Picked()
    is_url = wanted.holds is Holds.URL or pick.make_url is not None or pick.base is not None
    found = [_tidy(value, is_url) for value in islice(_sources(pick, place, is_url), MAX_VALUES)]
    for name, step in _STEPS.items():
        if getattr(pick, name):
            found = [_tidy(value, is_url) for before in found for value in step(before, pick)]
    found = [value for value in found if value.text]
    found, routed = _route(found, pick)
    picked = _finish(found, pick, place, wanted, is_url)
    elsewhere = _elsewhere(found) if wanted.link and (wanted.many or not picked) else []
    all_of_them = replace(pick, take="all")
    of_others = {name: _finish(values, all_of_them, place, Wanted(many=True), False) for name, values in routed.items()}
    return Picked(picked, of_others, elsewhere)


def _tidy(value: Value, is_url: bool) -> Value:
    text = value.text.strip() if is_url else squeeze(value.text)
    return value if text == value.text else value.now(text)


# --- where ---


def _sources(pick: Pick, place: Place, is_url: bool) -> Iterator[Value]:
    if pick.script is not None:
        yield from _of_scripts(pick, place)
    elif pick.jsonld is not None:
        yield from _of_json_ld(pick, place)
    elif pick.page_url is not None:
        yield from _whole(pick.page_url.captured(place.page.url))
    elif pick.listing is not None:
        yield from (Value(text, text) for text in place.listing.get(pick.listing, ()))
    elif pick.const is not None:
        yield Value(pick.const, pick.const)
    else:
        nodes = kept_nodes(pick, place)
        for node in nodes:
            if len(nodes) > _MANY:
                allowed(pick.source)
            text = _text_of(node, pick, is_url)
            if text is not None:
                yield Value(text, text, node)


def _whole(text: str | None) -> Iterator[Value]:
    if text is not None:
        yield Value(text, text)


def _of_scripts(pick: Pick, place: Place) -> Iterator[Value]:
    assert pick.script is not None
    if place.page.tree is None:
        return
    for script in place.page.tree.iter("script"):
        for found in pick.script.finditer(script.text or ""):
            captured = pick.script.group_of(found) or ""
            if pick.json is None:
                yield Value(captured, captured)
                continue
            for document in read_json(captured)[:1]:
                yield from _scalars(pick.json.search(document))


def _of_json_ld(pick: Pick, place: Place) -> Iterator[Value]:
    assert pick.jsonld is not None
    if place.page.tree is None:
        return
    objects = json_ld_objects(place.page.tree, place.page.url)
    values = [value for one in objects for value in _scalars(pick.jsonld.search(one))]
    # a path may also be written for all objects together: [?"@type" == 'NewsArticle'].name
    yield from values or _scalars(pick.jsonld.search(objects))


def _scalars(found: Any) -> Iterator[Value]:
    for one in flat(found):
        text = _scalar(one)
        if text is not None:
            yield Value(text, str(one))


def _scalar(value: Any) -> str | None:
    """A JSON value as text; entities that a portal wrote into it are decoded, objects are no values."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    # only whole entities: in `?a=1&copy=2` there is none
    return _ENTITY.sub(lambda found: html.unescape(found[0]), value) if isinstance(value, str) else None


def _text_of(node: Node, pick: Pick, is_url: bool) -> str | None:
    if not is_element(node):
        return _scalar(node)
    as_text = pick.own_text or pick.without is not None
    attribute = pick.attr or ("content" if pick.meta else "href" if pick.head_link or (is_url and not as_text) else None)
    # a URL may be built from the text of an element that is no link
    if attribute is not None and (pick.attr or pick.make_url is None or node.get(attribute) is not None):
        value = node.get(attribute.lower())
        return None if value is None else str(value)
    if pick.own_text:
        return own_text(node)
    return element_text(node, without=frozenset(pick.without.select(node)) - {node} if pick.without else ())


def _has(element: Element, pick: Pick) -> bool:
    for name, pattern in (pick.having or {}).items():
        text = squeeze(element_text(element)) if name == "text" else element.get(name.lower())
        if text is None or pattern.search(text) is None:
            return False
    return True


# --- how ---


def _split(value: Value, pick: Pick) -> list[Value]:
    return [value.now(piece) for piece in pick.split.split(value.text)] if pick.split else [value]


def _match(value: Value, pick: Pick) -> list[Value]:
    captured = pick.match.captured(value.text) if pick.match else value.text
    return [] if captured is None else [value.now(captured)]


def _replace(value: Value, pick: Pick) -> list[Value]:
    text = value.text
    for pattern, replacement in pick.replace:
        text = pattern.sub(replacement, text)
    return [value.now(text)]


def _map(value: Value, pick: Pick) -> list[Value]:
    return [value.now((pick.map or {}).get(value.text, value.text))]


def _drop(value: Value, pick: Pick) -> list[Value]:
    dropped = any(value.text == rule if isinstance(rule, str) else rule.search(value.text) for rule in pick.drop)
    return [] if dropped else [value]


_STEPS: dict[str, Callable[[Value, Pick], list[Value]]] = {
    "split": _split,
    "match": _match,
    "replace": _replace,
    "map": _map,
    "drop": _drop,
}
"""Key of a pick -> what it does to a value; in this order."""


def _route(values: list[Value], pick: Pick) -> tuple[list[Value], dict[str, list[Value]]]:
    if not pick.route:
        return values, {}
    stay: list[Value] = []
    routed: dict[str, list[Value]] = {}
    for value in values:
        field_name = next((name for name, patterns in pick.route.items() if any(one.search(value.text) for one in patterns)), None)
        (stay if field_name is None else routed.setdefault(field_name, [])).append(value)
    return stay, routed


def _finish(values: list[Value], pick: Pick, place: Place, wanted: Wanted, is_url: bool) -> list[Value]:
    if pick.make_url is not None:
        values = [value.now(pick.make_url.fill({"value": value.text})) for value in values]
    if is_url:
        values = [url for value in values if (url := _joined(value, pick, place, wanted)) is not None]
    elif pick.date or wanted.holds is Holds.DATE:
        values = [date for value in values if (date := _dated(value, pick, place)) is not None]
    taken = _taken(values, pick.take if pick.take is not None else ("all" if wanted.many else "first"))
    # only now: the last link of a pager is often the second one to its page
    distinct: dict[str, Value] = {}
    for value in taken:
        distinct.setdefault(value.text, value)
    return list(distinct.values())


def _joined(value: Value, pick: Pick, place: Place, wanted: Wanted) -> Value | None:
    """The absolute URL; None for what leads nowhere."""
    if not value.text or value.text.startswith("#"):
        return None
    page = place.page
    url = join(pick.base or place.base or page.base, value.text, encoding=page.encoding)
    if url is None or not is_http(url):
        return None
    if wanted.link and (same_page(url, page.url) or same_page(url, page.requested_url)):
        return None
    return value.now(url)


def _elsewhere(values: list[Value]) -> list[str]:
    return [value.text for value in values if _OTHER_SCHEME.match(value.text)]


def _dated(value: Value, pick: Pick, place: Place) -> Value | None:
    """ISO 8601; without a `date` rule what cannot be read stays as it is."""
    if not pick.date and _ISO_MOMENT.fullmatch(value.text):
        return value
    read = read_date(
        pick.date or _UNASKED_DATES,
        value.text,
        language=place.language or place.portal.language or _language_of(place),
        timezone=place.portal.timezone,
        now=place.page.date,
    )
    if read is None:
        return None if pick.date else value
    return value.now(read)


def _language_of(place: Place) -> str | None:
    return place.page.tree.get("lang") if place.page.tree is not None else None


def _taken(values: list[Value], take: Take) -> list[Value]:
    if take not in ("min", "max"):
        return chosen(values, take)
    if not values:
        return []
    numeric = all(re.fullmatch(r"-?\d+(?:\.\d+)?", value.text) for value in values)
    key: Callable[[Value], Any] = (lambda value: float(value.text)) if numeric else (lambda value: value.text)
    return [min(values, key=key) if take == "min" else max(values, key=key)]
