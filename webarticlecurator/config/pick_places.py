"""Where a pick looks: the keys that say so, how each is read from the portal file, and what it finds in a page."""

from __future__ import annotations

import html
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import tzinfo
from itertools import chain, takewhile
from typing import Any, Literal, cast

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.config.keys import HEADER_NAME, JSON_PATH, REGEX, SELECTOR, TEXT, Keys, Shape, as_written, key, keys_of, read_keys
from webarticlecurator.config.node_compiler import NodeCompiler, text, whole_number
from webarticlecurator.config.yaml_nodes import MapNode, YamlNode
from webarticlecurator.model.json_ld import read_json
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

PageNode = Any
"""An element of HTML, or a value of JSON."""
Take = Literal["first", "all", "last", "rest", "min", "max"] | int
"""Which of the values that are left; a number counts from 0, negative from the end."""
_ATTRIBUTE = re.compile(r"[A-Za-z_:][\w:.-]*")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PickContext(ABC):
    """What a pick is asked of: a page or one item of it, with what its values depend on."""

    page: Page
    node: PageNode
    """The root of the page, or the item."""
    is_item: bool = False
    others: Container[Element] = frozenset()
    """Other items, which may stand in this one: what is in them is theirs."""
    language: str | None = None
    timezone: tzinfo
    base: str | None = None
    """What URLs are joined with, where a rule says so."""
    listing: Fields = field(default_factory=dict)
    marks: dict[tuple[Selector, bool], dict[Element, Element]] = field(default_factory=dict)
    """What `before` (True) and `after` look for, found once for all items: an element -> the nearest one in it that matches."""

    @abstractmethod
    def parse_html(self, text: str) -> Element | None:
        """The tree of HTML that stands in a value."""


@dataclass(frozen=True, slots=True, eq=False)
class PickedValue:
    """One value on its way through the steps."""

    text: str
    raw: str
    node: PageNode = None
    """What it was read from, where that is an element or an item."""
    written: str = ""
    """Of a date that stands in the text of the page: the words that say it."""

    def now(self, text: str, written: str = "") -> PickedValue:
        """The same value after a step."""
        return PickedValue(text, self.raw, self.node, written)


# --- keys ---


def doing(step: str, kind: type) -> dict[str, Callable[..., Any]]:
    """The keys that do something in a step, in their order."""
    return {one.name: one.metadata["key"].does[step] for one in fields(kind) if "key" in one.metadata and step in one.metadata["key"].does}


def _read_take(_: NodeCompiler, node: YamlNode) -> Take:
    number = whole_number(node)
    return number if number is not None else cast(Take, text(node))


TAKE = Shape(
    kinds=("string", "integer"),
    title="first, all, last, rest, min, max, or a number",
    null=False,
    pattern=r"^(first|all|last|rest|min|max)$(?!\n)",
    least=-10000,
    most=10000,
    name="take",
    read=_read_take,
)


# --- containers ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Search only inside this container."""

    css: Selector = key(SELECTOR, "div.lista", default=MISSING)
    """The container."""
    take: Take = key(TAKE, "last", default="first")
    """Which of the containers."""


def _read_within(compiler: NodeCompiler, node: YamlNode) -> Within | None:
    if isinstance(node, MapNode):
        return read_keys(compiler, Within, node)
    selector = compiler.parse(node, Selector.parse)
    return Within(css=selector) if selector is not None else None


WITHIN = replace(
    SELECTOR,
    kinds=("string", "object"),
    title="a CSS selector, or {css, take}",
    keys=Keys(keys_of(Within), ("css",)),
    name="",
    read=_read_within,
)


def containers_of(within: Within | None, node: PageNode) -> list[Element]:
    """Where to search: the page or item itself, or the containers in it that `within` names."""
    if not is_element(node):
        return []
    return [node] if within is None else chosen(within.css.select(node), within.take)


def chosen(values: list[Any], take: Take) -> list[Any]:
    """Which of the values that are left, except `min` and `max`."""
    if isinstance(take, int):
        return values[take:][:1] if -len(values) <= take < len(values) else []
    return {"first": values[:1], "all": values, "last": values[-1:], "rest": values[1:]}[take]


def is_element(node: PageNode) -> bool:
    return isinstance(node, etree._Element)


# --- places that have nodes ---


def _elements(selector: Selector, places: Places, context: PickContext) -> list[Element]:
    found = _unique(found for container in containers_of(places.within, context.node) for found in selector.select(container))
    return [one for one in found if _is_own(one, context)] if context.others else found


def _is_own(element: Element, context: PickContext) -> bool:
    around = takewhile(lambda one: one is not context.node, chain((element,), element.iterancestors()))
    return not any(one in context.others for one in around)


def _standing_before(selector: Selector, _: Places, context: PickContext) -> list[Element]:
    """The nearest that stands before the item: not one that holds it, nor one in it."""
    return _nearest(selector, context, before=True)


def _standing_after(selector: Selector, _: Places, context: PickContext) -> list[Element]:
    return _nearest(selector, context, before=False)


def _nearest(selector: Selector, context: PickContext, *, before: bool) -> list[Element]:
    if not is_element(context.node) or context.page.tree is None:
        return []
    marks = context.marks.get((selector, before))
    if marks is None:
        found = selector.select(context.page.tree)
        marks = context.marks[selector, before] = _marked(reversed(found) if before else found)
    allowed(selector.text)
    for level in (context.node, *context.node.iterancestors()):
        for sibling in level.itersiblings(preceding=before):
            if sibling in marks:
                return [marks[sibling]]
            if not before and sibling in context.others:
                return []  # what stands behind the next item is that one's
    return []


def _marked(found: Iterable[Element]) -> dict[Element, Element]:
    """Each that is found, and all that holds it -> the first of them in it, in their order."""
    marks: dict[Element, Element] = {}
    for mark in found:
        for holder in (mark, *mark.iterancestors()):
            if holder in marks:
                break
            marks[holder] = mark
    return marks


def _items(path: JsonPath, _: Places, context: PickContext) -> list[PageNode]:
    return [] if is_element(context.node) else flat(path.search(context.node))


def _in_html(name: JsonPath | str, places: Places, context: PickContext) -> list[Element]:
    trees = [tree for text in _html_texts(name, places, context) if (tree := context.parse_html(text)) is not None]
    return [found for tree in trees for found in (places.css.select(tree) if places.css else [tree])]


def _html_texts(name: JsonPath | str, places: Places, context: PickContext) -> list[str]:
    if is_element(context.node):
        holders = (holder for container in containers_of(places.within, context.node) for holder in container.iter(etree.Element))
        return [value for holder in _unique(holders) if (value := holder.get(str(name).lower()))]
    if isinstance(name, JsonPath):
        found = name.search(context.node)
    else:
        found = context.node.get(name) if isinstance(context.node, Mapping) else None
    return [text for text in flat(found) if isinstance(text, str)]


def _read_attribute_name(compiler: NodeCompiler, node: YamlNode) -> str | None:
    name = text(node) or ""
    if _ATTRIBUTE.fullmatch(name):
        return name
    compiler.note(node.place, f"{name!r} is no attribute's name; here `html_in` names the attribute whose value is HTML")
    return None


def _read_html_in_json(compiler: NodeCompiler, node: YamlNode) -> JsonPath | str | None:
    """A name with a hyphen would be a subtraction, and is none."""
    name = text(node) or ""
    return name if _ATTRIBUTE.fullmatch(name) and "-" in name else compiler.parse(node, JsonPath.parse)


def _metas(name: str, _: Places, context: PickContext) -> list[Element]:
    wanted, tree = name.lower(), context.page.tree
    metas = tree.iter("meta") if tree is not None else ()
    return [meta for meta in metas if wanted in ((meta.get("name") or "").lower(), (meta.get("property") or "").lower())]


def _head_links(relation: str, _: Places, context: PickContext) -> list[Element]:
    wanted, tree = relation.lower(), context.page.tree
    return [link for link in tree.iter("link") if wanted in (link.get("rel") or "").lower().split()] if tree is not None else []


def _unique(elements: Iterable[Element]) -> list[Element]:
    """Containers may lie in one another."""
    return list(dict.fromkeys(elements))


# --- places that have texts ---


def _in_json_ld(path: JsonPath, _: Places, context: PickContext) -> Iterator[PickedValue]:
    objects = context.page.json_ld_objects
    values = [value for one in objects for value in _scalars(path.search(one))]
    # a path may also be written for all objects together: [?"@type" == 'NewsArticle'].name
    yield from values or _scalars(path.search(objects))


def _in_scripts(pattern: Pattern, places: Places, context: PickContext) -> Iterator[PickedValue]:
    for script in context.page.tree.iter("script") if context.page.tree is not None else ():
        for found in pattern.finditer(script.text or ""):
            captured = pattern.group_of(found) or ""
            if places.json is None:
                yield PickedValue(captured, captured)
                continue
            for document in read_json(captured)[:1]:
                yield from _scalars(places.json.search(document))


def _in_page_url(pattern: Pattern, _: Places, context: PickContext) -> list[PickedValue]:
    captured = pattern.captured(context.page.url)
    return [PickedValue(captured, captured)] if captured is not None else []


def _in_headers(name: str, _: Places, context: PickContext) -> list[PickedValue]:
    wanted = name.lower()
    return [PickedValue(value, value) for other, value in context.page.headers if other.lower() == wanted]


def _in_listing(name: str, _: Places, context: PickContext) -> list[PickedValue]:
    return [PickedValue(text, text) for text in context.listing.get(name, ())]


def _constant(text: str, _: Places, __: PickContext) -> list[PickedValue]:
    return [PickedValue(text, text)]


def _scalars(found: Any) -> Iterator[PickedValue]:
    for one in flat(found):
        text = scalar_text(one)
        if text is not None:
            yield PickedValue(text, str(one))


def scalar_text(value: Any) -> str | None:
    """A JSON value as text; entities that a portal wrote into it are decoded, objects are no values."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    # only whole entities: in `?a=1&copy=2` there is none
    return _ENTITY.sub(lambda found: html.unescape(found[0]), value) if isinstance(value, str) else None


def flat(value: Any) -> list[Any]:
    """Lists inside lists become one; nothing is left out but null."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif one is not None:
            found.append(one)
    return found


# --- the table ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The keys of a pick that say where it looks: one of them, but `html_in` may stand with `css`, and `script` with `json`.

    `nodes` finds elements or items, `texts` finds values; each is given the key's value, all the keys, and the context.
    """

    html_in: JsonPath | str | None = key(
        replace(JSON_PATH, title="a JMESPath or an attribute's name"),
        "data.html",
        "data-content",
        read=_read_attribute_name,
        read_in_json=_read_html_in_json,
        nodes=_in_html,
    )
    """JMESPath (in JSON), else the name of an attribute, whose value is HTML; `css` beside it picks from that."""
    css: Selector | None = key(SELECTOR, "h2 a", 'p:contains("Szerző")', nodes=_elements)
    """CSS selector, on the page or inside the item. Dialect: `:has() :not() :is() :contains()`, `>`, `+`, `~`."""
    before: Selector | None = key(SELECTOR, "h2.date-header", nodes=_standing_before)
    """Of an item: the nearest such element that stands before it, anywhere on the page; a date above several posts."""
    after: Selector | None = key(SELECTOR, "dd.comment-footer", nodes=_standing_after)
    """Of an item: the nearest such element that stands behind it, anywhere on the page; of `posts` before the next item."""
    json: JsonPath | None = key(JSON_PATH, "data.items[*].url", nodes=_items)
    """JMESPath into a JSON response, or into one item of it."""
    meta: str | None = key(TEXT.given, "article:published_time", nodes=_metas)
    """`content` of the `<meta>` with this name or property."""
    head_link: str | None = key(TEXT.given, "next", nodes=_head_links)
    """`href` of the `<link>` with this `rel`."""
    jsonld: JsonPath | None = key(JSON_PATH, "author.name", texts=_in_json_ld)
    """JMESPath into the page's JSON-LD."""
    script: Pattern | None = key(REGEX, r"window\.__DATA__ = (\{.*\});", texts=_in_scripts)
    """Regex into inline scripts; first group, then optionally `json`."""
    page_url: Pattern | None = key(REGEX, "^https://[^/]+/([^/]+)/", texts=_in_page_url)
    """Regex over the page's URL: its first or named group."""
    header: str | None = key(HEADER_NAME, "X-WP-TotalPages", texts=_in_headers)
    """A header of the response, by its name."""
    listing: str | None = key(TEXT.given, "articleSection", texts=_in_listing)
    """A field that the archive page gave for this article."""
    const: str | None = key(
        Shape(kinds=("string", "number", "boolean"), null=False, shortest=1, holds="text", read=as_written(text)), "MTI", texts=_constant
    )
    """A fixed value. An empty one is none; `drop` says that a field has no value."""
    within: Within | None = key(WITHIN, "div.lista", {"css": "div.lista", "take": "last"})
    """Search only inside this container; `{css, take}` chooses which."""

    @property
    def text(self) -> str:
        """What it looks for, for messages: a selector as it is written, anything else with its name."""
        if self.css is not None:
            return " ".join(self.css.text.split())
        given = ((name, getattr(self, name)) for name in (*_NODES, *_TEXTS))
        return next((f"{name}: {getattr(value, 'text', value)}" for name, value in given if value is not None), "")

    @property
    def has_texts(self) -> bool:
        """Whether texts are found there, not elements or items."""
        return any(getattr(self, name) is not None for name in _TEXTS)

    def texts_in(self, context: PickContext) -> Iterator[PickedValue]:
        """The values of a place that has texts."""
        for name, find in _TEXTS.items():
            value = getattr(self, name)
            if value is not None:
                yield from find(value, self, context)

    def nodes_in(self, context: PickContext) -> list[PageNode]:
        """The elements or items of any other place; where no key says a place, the item itself."""
        for name, find in _NODES.items():
            value = getattr(self, name)
            if value is not None:
                found: list[PageNode] = find(value, self, context)
                return found
        if is_element(context.node):
            return containers_of(self.within, context.node)
        return [context.node] if context.is_item else []


_NODES, _TEXTS = doing("nodes", Places), doing("texts", Places)
