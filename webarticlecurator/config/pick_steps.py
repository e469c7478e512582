"""What a pick makes of what it finds: the keys that say so, how each is read from the portal file, and what it does, step by step.

    when, unless -> place -> having, page_number -> text -> split ... drop -> route -> URL or date -> take

A new key is one row of `Pick` with its function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain, islice
from typing import Any, cast

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.keys import (
    ADDRESS,
    FLAG,
    REGEX,
    REGEXES,
    REPLACEMENTS,
    SELECTOR,
    SELECTORS,
    TEXT,
    TEXTS,
    Shape,
    all_parsed,
    key,
    mapping_of,
    number,
)
from webarticlecurator.config.node_compiler import NodeCompiler, entries, items, text
from webarticlecurator.config.pick_places import (
    TAKE,
    PageNode,
    PickContext,
    PickedValue,
    Places,
    Take,
    chosen,
    containers_of,
    doing,
    is_element,
    scalar_text,
)
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import MapNode, ScalarNode, YamlNode
from webarticlecurator.dates import LONGEST_WRITTEN, DateFormat, ReadDate, find_date
from webarticlecurator.dates.relative import find_relative
from webarticlecurator.model.page import Page
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, own_text, squeeze
from webarticlecurator.urls import is_http, join

MAX_VALUES = 50_000
"""Values of one pick on one page."""
_MANY = 100
"""Elements of one pick; the texts of so many, one inside the other, may be long together."""
_REGEX_SIGNS = re.compile(r"[\\^$*+?{}\[\]|()]")
_OTHER_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_CURRENT = Selector.parse("[aria-current], .current, .active")
_MOST_DIGITS = 9
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
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


LINK, LINKS = Wanted(holds=Holds.URL, link=True), Wanted(many=True, holds=Holds.URL, link=True)


@dataclass(frozen=True, slots=True)
class Picked:
    """What one pick gave."""

    values: list[PickedValue] = field(default_factory=list)
    routed: dict[str, list[PickedValue]] = field(default_factory=dict)
    """Values that belong to another field."""
    elsewhere: list[str] = field(default_factory=list)
    """Links that lead out of the web (ftp:, mailto:), where nothing else was found or all links were wanted."""

    def __bool__(self) -> bool:
        return bool(self.values or self.routed)


# --- what must be so ---


def _is_on_page(selector: Selector, context: PickContext) -> bool:
    return context.page.tree is not None and bool(selector.select(context.page.tree))


# --- nodes ---


def _read_having(compiler: NodeCompiler, node: YamlNode) -> dict[str, Pattern | None]:
    """With a pattern that is none there is no pick."""
    return {name: compiler.parse(value, Pattern.parse) for name, value in entries(node).items()}


def _having(patterns: Mapping[str, Pattern], nodes: list[PageNode], _: Pick, __: PickContext) -> list[PageNode]:
    def has(node: PageNode, name: str, pattern: Pattern) -> bool:
        text = squeeze(element_text(node)) if name == "text" else node.get(name.lower())
        return text is not None and pattern.search(text) is not None

    return [node for node in nodes if is_element(node) and all(has(node, *one) for one in patterns.items())]


# --- page numbers ---


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNumber:
    """Keep the link whose number is `step` more than the current page's."""

    step: int = key(number(-1000, 1000).given, 1, -1, default=1)
    """How much more (negative: less) than the current page's number."""
    current: Selector | None = key(SELECTOR, "span.most")
    """What holds the current page's number; without it `[aria-current]`, `.current`, `.active`, then the link to this page itself."""


def _with_page_number(rule: PageNumber, nodes: list[PageNode], pick: Pick, context: PickContext) -> list[PageNode]:
    """The links whose number is `step` more than the current page's; where that stands is looked for in the container first."""
    containers = containers_of(pick.within, context.node) if pick.within else []
    tree = context.page.tree
    current = _current_number(rule, containers if tree is None else [*containers, tree], context.page)
    return [] if current is None else [node for node in nodes if is_element(node) and _number_of(node) == current + rule.step]


def _number_of(element: Element) -> int | None:
    """A number counts only as an element's whole text."""
    text = squeeze(element_text(element))
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def _current_number(rule: PageNumber, places: list[Element], page: Page) -> int | None:
    marked = (_numbers(rule.current or _CURRENT, place) for place in places)
    own = (_numbers_of_self_links(place, page) for place in places) if rule.current is None else ()
    return next(chain.from_iterable(chain(marked, own)), None)


def _numbers(selector: Selector, place: Element) -> Iterable[int]:
    inside = chain.from_iterable(found.iter(etree.Element) for found in selector.select(place))
    return (number for element in inside if (number := _number_of(element)) is not None)


def _numbers_of_self_links(place: Element, page: Page) -> Iterable[int]:
    for link in place.iter("a"):
        href = link.get("href")
        target = join(page.base, href) if href and not href.strip().startswith("#") else None
        number = _number_of(link)
        if target is not None and number is not None and page.is_at(target):
            yield number


# --- texts ---


def _match(pattern: Pattern, text: str) -> list[str]:
    captured = pattern.captured(text)
    return [] if captured is None else [captured]


def _replace(pairs: tuple[tuple[Pattern, str], ...], text: str) -> list[str]:
    for pattern, replacement in pairs:
        text = pattern.sub(replacement, text)
    return [text]


def _read_map(_: NodeCompiler, node: YamlNode) -> dict[str, str]:
    return {name: value.text for name, value in entries(node).items() if isinstance(value, ScalarNode)}


def _read_drop(compiler: NodeCompiler, node: YamlNode) -> tuple[Pattern | str, ...]:
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


def _drop(rules: tuple[Pattern | str, ...], text: str) -> list[str]:
    dropped = any(text == rule if isinstance(rule, str) else rule.search(text) for rule in rules)
    return [] if dropped else [text]


# --- where values go, and what they are ---


def _read_route(compiler: NodeCompiler, node: YamlNode) -> dict[str, tuple[Pattern, ...]]:
    routes = {}
    for name, value in entries(node).items():
        if name not in FIELDS:
            close = get_close_matches(name, FIELDS, n=1)
            meant = f"did you mean `{close[0]}`?" if close else "names are Schema.org's"
            compiler.note(cast(MapNode, node).keys[name], f"`route` leads to {name!r}, which is no metadata field; {meant}")
        routes[name] = compiler.parse_all(value, Pattern.parse)
    return routes


# --- the table ---


_MAP = Shape(kinds=("object",), null=False, others=Shape(kinds=("string", "number", "boolean"), null=False, holds="text"), read=_read_map)
_DROPPED = replace(TEXTS, holds="text", items=replace(TEXT.given, holds="text"), name="", read=_read_drop)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick(Places):
    """One way to get values: where to look (the keys of `Places`), and the steps, in the order of these rows.

    Each function is given the key's value first; then `condition` the context, `kept` the nodes, and `made` one text, of which it
    makes any number.
    """

    when: Selector | None = key(SELECTORS, "body.cikk", condition=_is_on_page)
    """Selector that must be present on the page, or the pick gives nothing."""
    unless: Selector | None = key(SELECTORS, "body.galeria", condition=lambda selector, context: not _is_on_page(selector, context))
    """Selector that must be absent from the page, or the pick gives nothing."""
    having: Mapping[str, Pattern] | None = key(
        Shape(kinds=("object",), null=False, fewest_keys=1, others=REGEX, read=_read_having),
        {"text": "tovább >>"},
        {"href": "/cikk/"},
        kept=_having,
    )
    """Keep elements whose `text`, or attribute of that name, the regex finds."""
    page_number: PageNumber | None = key(
        mapping_of(PageNumber, null=False), {"step": 1}, {"step": -1, "current": "span.most"}, kept=_with_page_number
    )
    """Keep the link whose number is `step` more than the current page's."""
    attr: str | None = key(TEXT.given, "datetime", "data-href")
    """The value is this attribute; for URLs the default is `href`."""
    with_attr: str | None = key(TEXT.given, "title")
    """Behind the value stands this attribute of the same element, after a blank: a day in the text, its time in the `title`."""
    own_text: bool = key(FLAG.given, True, default=False)
    """Only the element's own text, not that of its children."""
    without: Selector | None = key(SELECTORS, "span.cimke")
    """The text without these children."""
    split: Pattern | None = key(REGEX, ", | és ", made=Pattern.split)
    """Regex at which the text is cut into several values."""
    match: Pattern | None = key(REGEX, "Írta: (.+)", made=_match)
    """Regex: the value becomes its captured group; no match, no value."""
    replace: tuple[tuple[Pattern, str], ...] = key(REPLACEMENTS, [["^Írta: ", ""]], default=(), made=_replace)
    r"""List of [pattern, replacement]; `\1` is a group."""
    map: Mapping[str, str] | None = key(_MAP, {"belfold": "Belföld"}, made=lambda table, text: [table.get(text, text)])
    """Table from values to values."""
    # `map` and `map_file` together.
    drop: tuple[Pattern | str, ...] = key(_DROPPED, ["Szerkesztőség"], default=(), made=_drop)
    """Values to leave out: the whole value, or a regex. Of a field of `metadata` they are none, whoever tells them: `['.*']` says that it
    has no value."""
    route: Mapping[str, tuple[Pattern, ...]] | None = key(
        Shape(kinds=("object",), null=False, others=REGEXES, read=_read_route), {"source": ["MTI", r"\.hu$"]}
    )
    """Field → regexes: a value that one of them finds goes to that field instead."""
    make_url: UrlTemplate | None = key(TEXT.given, "https://pelda.example/json/cikk?id={value}", read=NodeCompiler.template_of_value)
    """Build a URL from the value; `{home}` may stand in it, too."""
    base: str | None = key(ADDRESS, "https://pelda.example/")
    """What relative URLs are joined with, instead of the page's URL."""
    date: tuple[DateFormat, ...] = key(TEXTS, "yyyy. MMMM d. HH:mm", ["iso", "yyyy.MM.dd."], default=(), read=all_parsed(DateFormat.parse))
    """CLDR pattern(s) in the portal's language, `iso`, or `auto`: what names its year and day, or an age (`Today at 9:05 PM`)."""
    take: Take | None = key(TAKE, "last", 1)
    """Which of what is left: `first` (default for one value), `all` (default for lists), `last`, a number (from 0), `rest`, `min`,
    `max`."""
    source: str = ""
    """Where the rule stands in the portal file ("archive.link"), for `Found.source` and messages."""

    @property
    def routes(self) -> frozenset[str]:
        return frozenset(self.route or ())

    def drops(self, text: str) -> bool:
        """Whether `drop` says that it is no value."""
        return not _drop(self.drop, text)

    def applies(self, context: PickContext) -> bool:
        """Whether `when` is on the page and `unless` is not."""
        for name, holds in _CONDITIONS.items():
            value = getattr(self, name)
            if value is not None and not holds(value, context):
                return False
        return True

    def find_nodes(self, context: PickContext) -> list[PageNode]:
        """What it points at, each node once: all of it, unless `take` says otherwise."""
        if not self.applies(context):
            return []
        # JSON items are compared by identity, for they may be equal and still be two
        distinct = {id(node): node for node in self._kept_nodes(context)}
        return chosen(list(distinct.values()), "all" if self.take in (None, "min", "max") else self.take)

    def _kept_nodes(self, context: PickContext) -> list[PageNode]:
        nodes = self.nodes_in(context)
        for name, keep in _KEPT.items():
            if value := getattr(self, name):
                nodes = keep(value, nodes, self, context)
        return nodes

    def find(self, context: PickContext, wanted: Wanted) -> Picked:
        """Its values, after all steps."""
        if not self.applies(context):
            return Picked()
        is_url = wanted.holds is Holds.URL or self.make_url is not None or self.base is not None
        found = [_tidy(value, is_url) for value in islice(self._sources(context, is_url), MAX_VALUES)]
        for name, make in _MADE.items():
            if given := getattr(self, name):
                found = [_tidy(value.now(text), is_url) for value in found for text in make(given, value.text)]
        stay, routed = self._routed([value for value in found if value.text])
        picked = self._finished(stay, context, wanted, is_url)
        elsewhere = [value.text for value in stay if _OTHER_SCHEME.match(value.text)] if wanted.link and (wanted.many or not picked) else []
        all_of_them = replace(self, take="all") if routed else self
        of_others = {name: all_of_them._finished(values, context, Wanted(many=True), False) for name, values in routed.items()}
        return Picked(picked, of_others, elsewhere)

    def _sources(self, context: PickContext, is_url: bool) -> Iterator[PickedValue]:
        if self.has_texts:
            yield from self.texts_in(context)
            return
        nodes = self._kept_nodes(context)
        for node in nodes:
            if len(nodes) > _MANY:
                allowed(self.source)
            text = self._text_of(node, is_url)
            if text is not None:
                yield PickedValue(text, text, node)

    def _text_of(self, node: PageNode, is_url: bool) -> str | None:
        if not is_element(node):
            return scalar_text(node)
        text = self._value_of(node, is_url)
        return text if text is None or self.with_attr is None else f"{text} {node.get(self.with_attr.lower()) or ''}"

    def _value_of(self, node: Element, is_url: bool) -> str | None:
        as_text = self.own_text or self.without is not None
        attribute = self.attr or ("content" if self.meta else "href" if self.head_link or (is_url and not as_text) else None)
        # a URL may be built from the text of an element that is no link
        if attribute is not None and (self.attr or self.make_url is None or node.get(attribute) is not None):
            value = node.get(attribute.lower())
            return None if value is None else str(value)
        if self.own_text:
            return own_text(node)
        return element_text(node, without=frozenset(self.without.select(node)) - {node} if self.without else ())

    def _routed(self, values: list[PickedValue]) -> tuple[list[PickedValue], dict[str, list[PickedValue]]]:
        if not self.route:
            return values, {}
        stay: list[PickedValue] = []
        routed: dict[str, list[PickedValue]] = {}
        for value in values:
            matching = (name for name, patterns in self.route.items() if any(one.search(value.text) for one in patterns))
            other = next(matching, None)
            (stay if other is None else routed.setdefault(other, [])).append(value)
        return stay, routed

    def _finished(self, values: list[PickedValue], context: PickContext, wanted: Wanted, is_url: bool) -> list[PickedValue]:
        if self.make_url is not None:
            values = [value.now(self.make_url.fill({"value": value.text})) for value in values]
        if is_url:
            values = [value.now(url) for value in values if (url := self._joined(value.text, context, wanted)) is not None]
        elif self.date or wanted.holds is Holds.DATE:
            read = ((value, self._dated(value.text, context)) for value in values)
            values = [value.now(date.value, self._seen(value, date)) for value, date in read if date is not None]
        taken = _taken(values, self.take if self.take is not None else ("all" if wanted.many else "first"))
        # only now: the last link of a pager is often the second one to its page
        distinct: dict[str, PickedValue] = {}
        for value in taken:
            distinct.setdefault(value.text, value)
        return list(distinct.values())

    def _joined(self, text: str, context: PickContext, wanted: Wanted) -> str | None:
        """The absolute URL; None for what leads nowhere."""
        if not text or text.startswith("#"):
            return None
        page = context.page
        url = join(self.base or context.base or page.base, text, encoding=page.encoding)
        return None if url is None or not is_http(url) or (wanted.link and page.is_at(url)) else url

    def _dated(self, text: str, context: PickContext) -> ReadDate | None:
        """ISO 8601; without a `date` rule a short text that cannot be read stays as it is."""
        if not self.date and _ISO_MOMENT.fullmatch(text):
            return ReadDate(text, text)
        formats = self.date or _UNASKED_DATES
        now = context.page.date
        read = find_date(formats, text, language=context.language, timezone=context.timezone, now=now)
        if read is None and now is not None and any(one.text == "auto" for one in self.date):
            read = find_relative(text, language=context.language, timezone=context.timezone, now=now)
        return read if read is not None or self.date or len(text) > LONGEST_WRITTEN else ReadDate(text, text)

    def _seen(self, value: PickedValue, date: ReadDate) -> str:
        """The words of the page that say the date; none where they stand in an attribute, or in what only programs read."""
        from_text = is_element(value.node) and value.node.tag != "script" and not (self.attr or self.meta or self.head_link)
        return date.written if from_text and len(date.written) <= LONGEST_WRITTEN else ""


_CONDITIONS, _KEPT, _MADE = doing("condition", Pick), doing("kept", Pick), doing("made", Pick)


def _tidy(value: PickedValue, is_url: bool) -> PickedValue:
    text = value.text.strip() if is_url else squeeze(value.text)
    return value if text == value.text else value.now(text)


def _taken(values: list[PickedValue], take: Take) -> list[PickedValue]:
    if take not in ("min", "max"):
        return chosen(values, take)
    if not values:
        return []
    numeric = all(_NUMBER.fullmatch(value.text) for value in values)
    size: Callable[[PickedValue], Any] = (lambda value: float(value.text)) if numeric else (lambda value: value.text)
    return [min(values, key=size) if take == "min" else max(values, key=size)]
