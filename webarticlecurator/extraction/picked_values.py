"""What the picks of a portal find: in a page, or in one item of it.

when, unless -> where -> having, page_number -> text -> split ... drop -> route -> URL or date -> take
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain, islice, takewhile
from typing import Any, TypeAlias

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.picks import AllOf, Pick, Picks, Take, Within
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import LONGEST_WRITTEN, DateFormat, ReadDate, find_date, find_relative
from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.model.links import Fields
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Page, read_json, relations
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.paths import JsonPath
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, own_text, squeeze, unescaped, visible, whole_number
from webarticlecurator.urls import is_http, join

PageNode: TypeAlias = Any
"""An element of HTML, or a value of JSON."""
_OTHER_SCHEME = linear_at(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_CURRENT = Selector.parse("[aria-current], .current, .active")
_ISO_MOMENT = linear_at(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")
UNASKED_DATES = (DateFormat.parse("iso"), DateFormat.parse("auto"))
TEXT = Field()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageContext:
    """A page of a portal, or one item of it, that picks are asked of, with what their values depend on."""

    page: Page
    portal: Portal
    node: PageNode
    """The root of the page, or the item."""
    is_item: bool = False
    others: Container[Element] = frozenset()
    """Other items, which may stand in this one: what is in them is theirs."""
    language: str | None = None
    base: str | None = None
    """What URLs are joined with, where a rule says so."""
    listing: Fields = field(default_factory=dict)
    marks: dict[tuple[Selector, bool], dict[Element, Element]] = field(default_factory=dict)
    """What `before` (True) and `after` look for, found once for all items: an element -> the nearest one in it that matches."""

    @classmethod
    def whole(
        cls, page: Page, portal: Portal, *, language: str | None = None, base: str | None = None, listing: Fields | None = None
    ) -> PageContext:
        """All of a page; `language` and `base` are those of a column."""
        tree = page.tree
        return cls(
            page=page,
            portal=portal,
            node=tree if tree is not None else page.json,
            language=language or portal.language or (tree.get("lang") if tree is not None else None),
            base=base,
            listing=listing or {},
        )

    def item(self, node: PageNode, others: Container[Element] = frozenset()) -> PageContext:
        """The same page, narrowed to one item, and to what is in no other one in it."""
        return replace(self, node=node, is_item=True, others=others)


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


@dataclass(frozen=True, slots=True)
class Picked:
    """What a pick gave."""

    values: list[PickedValue] = field(default_factory=list)
    routed: dict[str, list[PickedValue]] = field(default_factory=dict)
    """Values that belong to another field."""
    elsewhere: list[str] = field(default_factory=list)
    """Links that lead out of the web (ftp:, mailto:), where nothing else was found or all links were wanted."""


def pick_fields(fields: Mapping[str, Picks], context: PageContext) -> dict[str, tuple[Found, ...]]:
    """Fields by name, each with its chosen values; values that a pick routes elsewhere come after that field's own."""
    own: list[tuple[str, str, list[PickedValue]]] = []
    routed: list[tuple[str, str, list[PickedValue]]] = []
    for name, picks in fields.items():
        picked = pick_values(picks, context, FIELDS.get(name, TEXT))
        source = next((pick.source for pick in picks.each()), name)
        own.append((name, source, picked.values))
        routed.extend((other, source, values) for other, values in picked.routed.items())
    found: dict[str, dict[str, Found]] = {}
    for name, source, values in (*own, *routed):
        distinct = found.setdefault(name, {})
        for value in values:
            text = visible(value.text)
            distinct.setdefault(text, Found(value=text, raw=value.raw, source=source, written=value.written))
    return {name: tuple(distinct.values()) for name, distinct in found.items() if distinct}


def pick_values(picks: Picks | AllOf | Pick, context: PageContext, kind: Field, *, is_link: bool = False) -> Picked:
    """The values after all steps: of a pick, of the first alternative that gives something, or of several united.

    `kind`: what they are for. `is_link`: to be followed, so that the page itself is no value.
    """
    if isinstance(picks, Pick):
        return _values_of(picks, context, kind, is_link)
    elsewhere: list[str] = []
    if isinstance(picks, AllOf):
        united: dict[str, PickedValue] = {}
        routed: dict[str, list[PickedValue]] = {}
        for picked in (pick_values(one, context, kind, is_link=is_link) for one in picks.picks):
            elsewhere += picked.elsewhere
            for value in picked.values:
                united.setdefault(value.text, value)
            for name, others in picked.routed.items():
                routed.setdefault(name, []).extend(others)
        return Picked(list(united.values()), routed, elsewhere)
    with context.page.budget:
        for alternative in picks.alternatives:
            picked = pick_values(alternative, context, kind, is_link=is_link)
            if picked.values or picked.routed:
                return picked
            elsewhere += picked.elsewhere
    return Picked(elsewhere=elsewhere)


def pick_links(picks: Picks, context: PageContext, *, many: bool) -> Picked:
    """Links to follow."""
    return pick_values(picks, context, Field(Holds.URL, many), is_link=True)


def pick_nodes(picks: Picks | AllOf | Pick, context: PageContext) -> list[PageNode]:
    """The elements or items that it points at, each once: all of them, unless `take` says otherwise."""
    if isinstance(picks, Pick):
        # JSON items are compared by identity, for they may be equal and still be two
        distinct = {id(node): node for node in _nodes_of(picks, context)} if _applies(picks, context) else {}
        return _chosen(list(distinct.values()), "all" if picks.take in (None, "min", "max") else picks.take)
    if isinstance(picks, AllOf):
        return list({id(node): node for one in picks.picks for node in pick_nodes(one, context)}.values())
    with context.page.budget:
        return next((nodes for alternative in picks.alternatives if (nodes := pick_nodes(alternative, context))), [])


def is_element(node: PageNode) -> bool:
    """Whether a node is an element, and no item of JSON."""
    return isinstance(node, etree._Element)


def _values_of(pick: Pick, context: PageContext, kind: Field, is_link: bool) -> Picked:
    if not _applies(pick, context) or (pick.only_drops and not context.is_item):  # a whole page is nobody's value
        return Picked()
    is_url = kind.holds is Holds.URL or pick.make_url is not None or pick.base is not None
    sources = _texts_of(pick, context) if pick.has_texts else _texts_of_nodes(pick, context, is_url)
    values = [_tidy(value, is_url) for value in islice(sources, 50_000)]
    for step in _text_steps(pick):
        values = [_tidy(value.now(text), is_url) for value in values for text in step(value.text)]
    stay: list[PickedValue] = []
    routed: dict[str, list[PickedValue]] = {}
    for value in values:
        if value.text and not pick.drops(value.text):
            routes = (pick.route or {}).items()
            route = next((name for name, patterns in routes if any(pattern.search(value.text) for pattern in patterns)), None)
            (stay if route is None else routed.setdefault(route, [])).append(value)
    take: Take = pick.take if pick.take is not None else "all" if kind.many else "first"
    picked = _taken(take, _finished(pick, stay, context, kind, is_url, is_link))
    elsewhere = [value.text for value in stay if _OTHER_SCHEME.match(value.text)] if is_link and (kind.many or not picked) else []
    of_others = {name: _taken("all", _finished(pick, values, context, TEXT, False, False)) for name, values in routed.items()}
    return Picked(picked, of_others, elsewhere)


def _applies(pick: Pick, context: PageContext) -> bool:
    """Whether `when` is on the page and `unless` is not."""
    tree = context.page.tree
    if pick.when is not None and (tree is None or not pick.when.select(tree)):
        return False
    return pick.unless is None or tree is None or not pick.unless.select(tree)


def _text_steps(pick: Pick) -> Iterator[Callable[[str], Iterable[str]]]:
    """What makes any number of texts of one, in order."""
    if pick.split is not None:
        yield pick.split.split
    if (pattern := pick.match) is not None:
        yield lambda text: () if (captured := pattern.captured(text)) is None else (captured,)
    if pick.replace:
        yield lambda text: (reduce(lambda replaced, pair: pair[0].sub(pair[1], replaced), pick.replace, text),)
    if table := pick.map:
        yield lambda text: (table.get(text, text),)


def _tidy(value: PickedValue, is_url: bool) -> PickedValue:
    text = value.text.strip() if is_url else squeeze(value.text)
    return value if text == value.text else value.now(text)


def _finished(pick: Pick, values: list[PickedValue], context: PageContext, kind: Field, is_url: bool, is_link: bool) -> list[PickedValue]:
    """As URLs or dates."""
    page = context.page
    if pick.make_url is not None:
        values = [value.now(pick.make_url.fill({"value": value.text})) for value in values]
    if is_url:
        base = pick.base or context.base or page.base
        somewhere = (value for value in values if value.text and not value.text.startswith("#"))
        joined = ((value, join(base, value.text, encoding=page.encoding)) for value in somewhere)
        return [value.now(url) for value, url in joined if url is not None and is_http(url) and not (is_link and page.is_at(url))]
    if pick.date or kind.holds is Holds.DATE:
        read = ((value, _dated(pick, value.text, context)) for value in values)
        # the words of the page that say the date; none where they stand in an attribute, or in what only programs read
        is_shown = not (pick.attr or pick.meta or pick.head_link)
        return [
            value.now(date.value, date.written)
            if is_shown and is_element(value.node) and value.node.tag != "script" and len(date.written) <= LONGEST_WRITTEN
            else value.now(date.value)
            for value, date in read
            if date is not None
        ]
    return values


def _taken(take: Take, values: list[PickedValue]) -> list[PickedValue]:
    """What `take` takes, each once."""
    if take in ("min", "max") and values:
        numeric = all(linear_at(r"-?\d+(?:\.\d+)?").fullmatch(value.text) for value in values)
        size: Callable[[PickedValue], Any] = (lambda value: float(value.text)) if numeric else (lambda value: value.text)
        return [min(values, key=size) if take == "min" else max(values, key=size)]
    # only now: the last link of a pager is often the second one to its page
    distinct: dict[str, PickedValue] = {}
    for value in _chosen(values, take):
        distinct.setdefault(value.text, value)
    return list(distinct.values())


def _dated(pick: Pick, text: str, context: PageContext) -> ReadDate | None:
    """ISO 8601; without a `date` rule a short text that cannot be read stays as it is."""
    if not pick.date and _ISO_MOMENT.fullmatch(text):
        return ReadDate(text, text)
    language, timezone, now = context.language, context.portal.timezone, context.page.date
    read = find_date(pick.date or UNASKED_DATES, text, language=language, timezone=timezone, now=now)
    if read is None and now is not None and any(pattern.text == "auto" for pattern in pick.date):
        read = find_relative(text, language=language, timezone=timezone, now=now)
    return read if read is not None or pick.date or len(text) > LONGEST_WRITTEN else ReadDate(text, text)


def unread_date(picks: Picks, context: PageContext) -> tuple[str, str] | None:
    """The text at which a pick of dates points, where its patterns read none, and these patterns."""
    dated = [pick for pick in picks.each() if pick.date]
    written = (value.text for pick in dated for value in pick_values(replace(pick, date=()), context, TEXT).values)
    text = next(written, None) if dated and not pick_values(picks, context, TEXT).values else None
    return (text, ", ".join(f"`{form.text}`" for pick in dated for form in pick.date)) if text is not None else None


def _chosen(values: list[Any], take: Take) -> list[Any]:
    """Which of the values that are left, except `min` and `max`."""
    if isinstance(take, int):
        return values[take:][:1] if -len(values) <= take < len(values) else []
    return {"first": values[:1], "last": values[-1:], "rest": values[1:]}.get(take, values)


def _nodes_of(pick: Pick, context: PageContext) -> list[PageNode]:
    """All elements or items; where no key says a place, the item itself."""
    node, tree = context.node, context.page.tree
    nodes: Iterable[PageNode]
    if pick.html_in is not None:
        nodes = _in_html(pick, pick.html_in, context)
    elif pick.css is not None:
        # containers may lie in one another
        elements = dict.fromkeys(element for container in _containers(pick.within, node) for element in pick.css.select(container))
        nodes = elements
        if context.others:  # what is in other items is theirs
            own = {element: takewhile(lambda one: one is not node, chain((element,), element.iterancestors())) for element in elements}
            nodes = [element for element, around in own.items() if not any(one in context.others for one in around)]
    elif (mark := pick.before or pick.after) is not None:
        nodes = _nearest(mark, context, before=pick.before is not None)
    elif pick.json is not None:
        nodes = [] if is_element(node) else _flat(pick.json.search(node))
    elif pick.meta is not None:
        name = pick.meta.lower()
        metas = tree.iter("meta") if tree is not None else ()
        nodes = (meta for meta in metas if name in ((meta.get("name") or "").lower(), (meta.get("property") or "").lower()))
    elif pick.head_link is not None:
        relation = pick.head_link.lower()
        nodes = (link for link in (tree.iter("link") if tree is not None else ()) if relation in relations(link))
    elif is_element(node):
        nodes = _containers(pick.within, node)
    else:
        nodes = [node] if context.is_item else []
    for name, pattern in (pick.having or {}).items():
        texts = ((node, squeeze(element_text(node)) if name == "text" else node.get(name.lower())) for node in nodes if is_element(node))
        nodes = [node for node, text in texts if text is not None and pattern.search(text) is not None]
    if (rule := pick.page_number) is not None:
        # the links whose number is `step` more than the current page's; where that stands is looked for in the container first
        places = [*(_containers(pick.within, node) if pick.within else ()), *([] if tree is None else [tree])]
        marked = (numbered for place in places for numbered in (rule.current or _CURRENT).select(place))
        numbers = map(_number_of, (element for numbered in marked for element in numbered.iter(etree.Element)))
        to_itself = (_numbers_of_self_links(place, context.page) for place in places) if rule.current is None else ()
        current = next((number for number in chain(numbers, chain.from_iterable(to_itself)) if number is not None), None)
        wanted = current + rule.step if current is not None else None
        nodes = (link for link in nodes if wanted is not None and is_element(link) and _number_of(link) == wanted)
    return list(nodes)


def _containers(within: Within | None, node: PageNode) -> list[Element]:
    """Where to search: the page or item itself, or the containers in it that `within` names."""
    if not is_element(node):
        return []
    return [node] if within is None else _chosen(within.css.select(node), within.take)


def _in_html(pick: Pick, name: JsonPath | str, context: PageContext) -> list[Element]:
    if is_element(context.node):
        containers = _containers(pick.within, context.node)
        holders = dict.fromkeys(element for container in containers for element in container.iter(etree.Element))
        texts = [holder.get(str(name).lower()) for holder in holders]
    elif isinstance(name, JsonPath):
        texts = _flat(name.search(context.node))
    else:
        texts = _flat(context.node.get(name) if isinstance(context.node, Mapping) else None)
    trees = [tree for text in texts if text and isinstance(text, str) and (tree := parse_html(text)) is not None]
    return [element for tree in trees for element in (pick.css.select(tree) if pick.css else [tree])]


def _nearest(selector: Selector, context: PageContext, *, before: bool) -> list[Element]:
    """The nearest that stands before (behind) the item: not one that holds it, nor one in it."""
    if not is_element(context.node) or context.page.tree is None:
        return []
    marks = context.marks.get((selector, before))
    if marks is None:
        matching = selector.select(context.page.tree)
        # each that is found, and all that holds it -> the first of them in it, in their order
        marks = context.marks[selector, before] = {}
        for mark in reversed(matching) if before else matching:
            for holder in (mark, *mark.iterancestors()):
                if holder in marks:
                    break
                marks[holder] = mark
    allowed(selector.text)
    for level in (context.node, *context.node.iterancestors()):
        for sibling in level.itersiblings(preceding=before):
            if sibling in marks:
                return [marks[sibling]]
            if not before and sibling in context.others:
                return []  # what stands behind the next item is that one's
    return []


def _texts_of_nodes(pick: Pick, context: PageContext, is_url: bool) -> Iterator[PickedValue]:
    nodes, as_text = _nodes_of(pick, context), pick.own_text or pick.without is not None
    attribute = pick.attr or ("content" if pick.meta else "href" if pick.head_link or (is_url and not as_text) else None)
    for node in nodes:
        if len(nodes) > 100:  # their texts, one inside the other, may be long together
            allowed(pick.source)
        if not is_element(node):
            text = _scalar_text(node)
        # a URL may be built from the text of an element that is no link
        elif attribute is not None and (pick.attr or pick.make_url is None or node.get(attribute) is not None):
            text = node.get(attribute.lower())
        elif pick.own_text:
            text = own_text(node)
        else:
            text = element_text(node, without=frozenset(pick.without.select(node)) - {node} if pick.without else ())
        if text is not None:
            behind = f" {node.get(pick.with_attr.lower()) or ''}" if pick.with_attr is not None and is_element(node) else ""
            yield PickedValue(f"{text}{behind}", f"{text}{behind}", node)


def _number_of(element: Element) -> int | None:
    """A number counts only as an element's whole text."""
    return whole_number(squeeze(element_text(element)), 9)


def _numbers_of_self_links(place: Element, page: Page) -> Iterable[int]:
    for link in place.iter("a"):
        href = link.get("href")
        target = join(page.base, href) if href and not href.strip().startswith("#") else None
        number = _number_of(link)
        if target is not None and number is not None and page.is_at(target):
            yield number


def _texts_of(pick: Pick, context: PageContext) -> Iterator[PickedValue]:
    """The values of a place that has texts."""
    page = context.page
    texts: Iterable[str] = ()
    if pick.jsonld is not None:
        objects = page.json_ld_objects
        # a path may also be written for all objects together: [?"@type" == 'NewsArticle'].name
        yield from [value for member in objects for value in _scalars(pick.jsonld.search(member))] or _scalars(pick.jsonld.search(objects))
    elif pick.script is not None:
        scripts = page.tree.iter("script") if page.tree is not None else ()
        captured = (pick.script.group_of(match) or "" for script in scripts for match in pick.script.finditer(script.text or ""))
        if pick.json is not None:
            yield from (value for text in captured for document in read_json(text)[:1] for value in _scalars(pick.json.search(document)))
        else:
            texts = captured
    elif pick.page_url is not None:
        texts = [] if (part := pick.page_url.captured(page.url)) is None else [part]
    elif pick.header is not None:
        texts = [value for name, value in page.headers if name.lower() == pick.header.lower()]
    elif pick.listing is not None:
        texts = context.listing.get(pick.listing, ())
    elif pick.const is not None:
        texts = [pick.const]
    yield from (PickedValue(text, text) for text in texts)


def _scalars(values: Any) -> Iterator[PickedValue]:
    for value in _flat(values):
        text = _scalar_text(value)
        if text is not None:
            yield PickedValue(text, str(value))


def _scalar_text(value: Any) -> str | None:
    """A JSON value as text; entities that a portal wrote into it are decoded, objects are no values."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    return unescaped(value) if isinstance(value, str) else None


def _flat(value: Any) -> list[Any]:
    """Lists inside lists become one; nothing is left out but null."""
    values: list[Any] = []
    waiting = [value]
    while waiting:
        member = waiting.pop()
        if isinstance(member, list):
            waiting.extend(reversed(member))
        elif member is not None:
            values.append(member)
    return values
