"""Picks as a portal file writes them: one, alternatives, or several united. What they find in a page:
`extraction.picked_values`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, replace
from functools import partial
from typing import Any, Literal

from webarticlecurator.config import scalars
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.keys import (
    Key,
    Shape,
    Together,
    all_parsed,
    key,
    keys_of,
    mapping_of,
    number,
    read_keys,
)
from webarticlecurator.config.merge import as_mapping
from webarticlecurator.config.scalars import (
    FLAG,
    JSON_PATH,
    REGEX,
    SELECTOR,
    SELECTORS,
    TEXT,
    TEXTS,
    NodeCompiler,
)
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.unlikely_values import odd_date_pattern, odd_drop
from webarticlecurator.config.yaml_reading import (
    MapNode,
    ScalarNode,
    YamlNode,
    entries,
    items,
    mapping,
    plain,
    text,
)
from webarticlecurator.dates import DateFormat
from webarticlecurator.jmespaths import JsonPath
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

Take = Literal["first", "all", "last", "rest", "min", "max"] | int
"""The choice among the values that are left; a number counts from 0, negative from the end."""

TAKE = Shape(
    kinds=("string", "integer"),
    title="first, all, last, rest, min, max, or a number",
    null=False,
    pattern=r"^(first|all|last|rest|min|max)$(?!\n)",
    least=-10000,
    most=10000,
    name="take",
    read=lambda _, node: plain(node),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Search only inside this container."""

    css: Selector = key(SELECTOR, "div.lista", default=MISSING)
    """The container."""
    take: Take = key(TAKE, "last", default="first")
    """Choice among the containers that the selector matches."""


def _read_within(compiler: NodeCompiler, node: YamlNode) -> Within | None:
    given = as_mapping(node, "css")
    css = compiler.parse(given.get("css"), Selector.parse)
    return read_keys(compiler, Within, given, css=css) if css is not None else None


WITHIN = replace(
    SELECTOR,
    kinds=("string", "object"),
    title="a CSS selector, or {css, take}",
    known=keys_of(Within),
    needed=("css",),
    name="",
    read=_read_within,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNumber:
    """Keep the link whose number is `step` more than the current page's."""

    step: int = key(number(-1000, 1000).given, 1, -1, default=1)
    """Difference from the current page's number; negative for a smaller one."""
    current: Selector | None = key(SELECTOR, "span.most")
    """Element that holds the current page's number; without it `[aria-current]`, `.current`, `.active`, then
    the link to this page itself."""


def _read_html_in(compiler: NodeCompiler, node: YamlNode) -> JsonPath | str | None:
    """An attribute's name; in JSON a path, in which a name with a hyphen would be a subtraction."""
    name = text(node) or ""
    if linear_at(r"[A-Za-z_:][\w:.-]*").fullmatch(name) and (not compiler.in_json or "-" in name):
        return name
    if compiler.in_json:
        return compiler.parse(node, JsonPath.parse)
    compiler.note(
        node.place, f"{name!r} is no attribute's name; here `html_in` names the attribute whose value is HTML"
    )
    return None


def _read_drop(compiler: NodeCompiler, node: YamlNode) -> tuple[Pattern | str, ...]:
    """Return each value to drop as the whole value; as a regex too, where it has the signs of one."""
    dropped: list[Pattern | str] = []
    for item in items(node):
        value = text(item) or ""
        dropped.append(value)
        if (
            linear(r"[\\^$*+?{}\[\]|()]").search(value)
            and (pattern := compiler.parse(item, Pattern.parse)) is not None
        ):
            dropped.append(pattern)
    return tuple(dropped)


_MAP = Shape(
    kinds=("object",),
    null=False,
    others=Shape(kinds=("string", "number", "boolean"), null=False, holds="text"),
    read=lambda _, node: {name: text(value) for name, value in entries(node).items()},
)
_HAVING = Shape(
    kinds=("object",),
    null=False,
    fewest=1,
    others=REGEX,
    read=lambda compiler, node: {
        name: compiler.parse(value, Pattern.parse) for name, value in entries(node).items()
    },
)
_DROPPED = replace(TEXTS, holds="text", items=replace(TEXT.given, holds="text"), name="", read=_read_drop)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One way to get values: where to look, which is said by one key (but `html_in` may stand with `css`, and
    `script` with `json`), and the steps, in the order in which they are taken."""

    css: Selector | None = key(SELECTOR, "h2 a", 'p:contains("Szerző")')
    """CSS selector, on the page or inside the item. Dialect: `:has() :not() :is() :contains()`, `>`, `+`,
    `~`."""
    before: Selector | None = key(SELECTOR, "h2.date-header")
    """Selector for the nearest element that stands before the item, anywhere on the page; a date above
    several posts."""
    after: Selector | None = key(SELECTOR, "dd.comment-footer")
    """Selector for the nearest element that stands behind the item, anywhere on the page; for `posts` before
    the next item."""
    json: JsonPath | None = key(JSON_PATH, "data.items[*].url")
    """JMESPath into a JSON response, or into one item of it."""
    html_in: JsonPath | str | None = key(
        replace(JSON_PATH, title="a JMESPath or an attribute's name"),
        "data.html",
        "data-content",
        read=_read_html_in,
    )
    """JMESPath (in JSON), else the name of an attribute, whose value is HTML; `css` beside it picks from
    that."""
    meta: str | None = key(TEXT.given, "article:published_time")
    """`content` of the `<meta>` with this name or property."""
    head_link: str | None = key(TEXT.given, "next")
    """`href` of the `<link>` with this `rel`."""
    jsonld: JsonPath | None = key(JSON_PATH, "author.name")
    """JMESPath into the page's JSON-LD."""
    script: Pattern | None = key(REGEX, r"window\.__DATA__ = (\{.*\});")
    """Regex into inline scripts; first group, then optionally `json`."""
    page_url: Pattern | None = key(REGEX, "^https://[^/]+/([^/]+)/")
    """Regex over the page's URL: its first or named group."""
    header: str | None = key(scalars.HEADER_NAME, "X-WP-TotalPages")
    """A header of the response, by its name."""
    listing: str | None = key(TEXT.given, "articleSection")
    """A field that the archive page gave for this article."""
    const: str | None = key(
        Shape(kinds=("string", "number", "boolean"), null=False, shortest=1, holds="text"), "MTI"
    )
    """A fixed value."""
    within: Within | None = key(WITHIN, "div.lista", {"css": "div.lista", "take": "last"})
    """Search only inside this container; `{css, take}` chooses which."""
    when: Selector | None = key(SELECTORS, "body.cikk")
    """Selector that must be present on the page, or the pick gives nothing."""
    unless: Selector | None = key(SELECTORS, "body.galeria")
    """Selector that must be absent from the page, or the pick gives nothing."""
    having: Mapping[str, Pattern] | None = key(_HAVING, {"text": "tovább >>"}, {"href": "/cikk/"})
    """Keep elements whose `text`, or attribute of that name, the regex finds."""
    page_number: PageNumber | None = key(
        mapping_of(PageNumber, null=False), {"step": 1}, {"step": -1, "current": "span.most"}
    )
    """Keep the link whose number is `step` more than the current page's."""
    attr: str | None = key(TEXT.given, "datetime", "data-href")
    """The value is this attribute; for URLs the default is `href`."""
    with_attr: str | None = key(TEXT.given, "title")
    """Attribute of the same element that is put behind the value, after a blank: a day in the text, its time
    in the `title`."""
    own_text: bool = key(FLAG.given, True, default=False)
    """Take only the element's own text, not that of its children."""
    without: Selector | None = key(SELECTORS, "span.cimke")
    """The text without these children."""
    split: Pattern | None = key(REGEX, ", | és ")
    """Regex at which the text is cut into several values."""
    match: Pattern | None = key(REGEX, "Írta: (.+)")
    """Regex: the value becomes its captured group; no match, no value."""
    replace: tuple[tuple[Pattern, str], ...] = key(scalars.REPLACEMENTS, [["^Írta: ", ""]], default=())
    r"""List of [pattern, replacement]; `\1` is a group."""
    map: Mapping[str, str] | None = key(_MAP, {"belfold": "Belföld"})
    """Table from values to values."""
    drop: tuple[Pattern | str, ...] = key(_DROPPED, ["Szerkesztőség"], default=())
    """Values to leave out: the whole value, or a regex. Of a field of `metadata` they are none, whoever tells
    them: `['.*']` says that it has no value, and `{drop: [MTI]}` leaves out of what is read without a
    rule."""
    make_url: UrlTemplate | None = key(
        TEXT.given, "https://pelda.example/json/cikk?id={value}", read=NodeCompiler.template_of_value
    )
    """Build a URL from the value; `{home}` may stand in it, too."""
    base: str | None = key(scalars.ADDRESS, "https://pelda.example/")
    """Address that relative URLs are joined with, instead of the page's URL."""
    date: tuple[DateFormat, ...] = key(
        TEXTS, "yyyy. MMMM d. HH:mm", ["iso", "yyyy.MM.dd."], default=(), read=all_parsed(DateFormat.parse)
    )
    """CLDR pattern(s) in the portal's language, `iso`, or `auto`: what names its year and day, or an age
    (`Today at 9:05 PM`)."""
    take: Take | None = key(TAKE, "last", 1)
    """Choice among what is left: `first` (default for one value), `all` (default for lists), `last`, a number
    (from 0), `rest`, `min`, `max`."""
    source: str = ""
    """The name of the rule in the portal file ("archive.link"), for `Found.source` and messages."""
    place: str = field(default="", compare=False)
    """The file and line of the rule: "portal.yaml:31"."""

    @property
    def has_texts(self) -> bool:
        """Say whether texts are found there, not elements or items."""
        places = (self.jsonld, self.script, self.page_url, self.header, self.listing, self.const)
        return any(place is not None for place in places)

    @property
    def only_drops(self) -> bool:
        """True if the pick looks nowhere, and takes no step but to say what is no value."""
        return bool(self.drop) and self == Pick(drop=self.drop, source=self.source)

    @property
    def text(self) -> str:
        """Return what it looks for, for messages: a selector as it is written, anything else with its
        name."""
        if self.css is not None:
            return " ".join(self.css.text.split())
        given = ((name, getattr(self, name)) for name in _PLACES)
        return next(
            (f"{name}: {getattr(value, 'text', value)}" for name, value in given if value is not None), ""
        )

    def drops(self, text: str) -> bool:
        """Say whether `drop` says that it is no value."""
        return any(
            text == rule if isinstance(rule, str) else rule.search(text) is not None for rule in self.drop
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """The values of several picks, united in order."""

    picks: tuple[Picks, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """Alternative picks: the first that gives something counts."""

    alternatives: tuple[Pick | AllOf, ...]

    def each(self) -> Iterator[Pick]:
        """Yield all picks, those in alternatives too, one by one."""
        for alternative in self.alternatives:
            if isinstance(alternative, AllOf):
                for inner in alternative.picks:
                    yield from inner.each()
            else:
                yield alternative

    def drops(self, text: str) -> bool:
        """Say whether one of them says that it is no value."""
        return any(pick.drops(text) for pick in self.each())

    @property
    def named(self) -> str:
        """Return what they look for, for messages."""
        return " or ".join(pick.text for pick in self.each())


def read_picks(compiler: NodeCompiler, node: YamlNode | None, source: str) -> Picks | None:
    """A pick, whatever its form; `source` says where it stands."""
    alternatives = [
        alternative
        for item in items(node)
        if (alternative := _alternative(compiler, item, source)) is not None
    ]
    return Picks(alternatives=tuple(alternatives)) if alternatives else None


def read_fields(compiler: NodeCompiler, node: YamlNode | None, source: str) -> dict[str, Picks]:
    """Return the picks by the names of their fields."""
    read = {name: read_picks(compiler, value, f"{source}.{name}") for name, value in entries(node).items()}
    return {name: picks for name, picks in read.items() if picks is not None}


def _alternative(compiler: NodeCompiler, node: YamlNode, source: str) -> Pick | AllOf | None:
    place = node.place.named
    if isinstance(node, ScalarNode):
        selector = compiler.parse(node, Selector.parse)
        return Pick(css=selector, source=source, place=place) if selector is not None else None
    rules = mapping(node)
    if (united := rules.get("all_of")) is not None:
        picks = [read_picks(compiler, item, source) for item in items(united)]
        return AllOf(picks=tuple(pick for pick in picks if pick is not None))
    values: dict[str, Any] = {"source": source, "place": place}
    before = len(compiler.mistakes)
    for name, value in rules.entries.items():
        read = _KEYS[name].read
        values[name] = read(compiler, value) if read is not None else None
    _warn_of_unlikely(compiler, rules, source)
    # a half-read pick would only mislead whoever checks on
    return Pick(**values) if len(compiler.mistakes) == before else None


def _warn_of_unlikely(compiler: NodeCompiler, rules: MapNode, source: str) -> None:
    checks = (("date", odd_date_pattern), ("drop", partial(odd_drop, source=source)))
    for name, check in checks:
        for item in items(rules.get(name)):
            if isinstance(item, ScalarNode) and (odd := check(item.text)) is not None:
                compiler.warn(item.place, odd)


_KEYS: dict[str, Key] = {}
"""Filled in below: what stands under `all_of` are picks again."""
_PLACES = tuple(keys_of(Pick))[: list(keys_of(Pick)).index("within")]
_BESIDE = {"html_in": "css", "css": "html_in", "script": "json", "json": "script"}
"""The one place that may stand beside each of these places."""
_ONE_PLACE = f"a pick looks in one place: give one of {', '.join(_PLACES)} (or a list of picks, or `all_of`)"
_TOGETHER = tuple(
    Together(
        place,
        tuple(other for other in _PLACES if other not in (place, _BESIDE.get(place))),
        _ONE_PLACE,
        needs="css" if place == "html_in" else "",
    )
    for place in _PLACES
)
_ALONE = Together("all_of", tuple(keys_of(Pick)), "`all_of` stands alone; put the other keys into its picks")
_ALTERNATIVE = Shape(
    kinds=("string", "object"),
    title="a pick: a CSS selector or a mapping",
    null=False,
    shortest=1,
    longest=4000,
    holds="selector",
    known=_KEYS,
    together=(*_TOGETHER, _ALONE),
    keys_name="pickKeys",
    fewest=1,
    name="alternative",
)
PICK = replace(
    _ALTERNATIVE,
    kinds=("string", "object", "array"),
    title="a pick: a CSS selector, a mapping, or a list of alternatives",
    null=True,
    items=_ALTERNATIVE,
    merges="whole",
    name="pick",
)
_KEYS |= {
    **keys_of(Pick, *_PLACES),
    "all_of": Key(
        Shape(kinds=("array",), null=False, items=replace(PICK, null=False, name="pickValue"), fewest=1),
        "Several picks whose values are united, in order. Stands alone.",
        ([".szerzo", ".tarsszerzo"],),
    ),
    **keys_of(Pick),
}

_HOLDS = {
    Holds.DATE: "a date",
    Holds.URL: "an address",
    Holds.LANGUAGE: "a language",
    Holds.NUMBER: "a number",
    Holds.YES_NO: "yes or no",
}
_OFTEN_SEVERAL = {"articleSection": ", the first one; a list with `take: all`"}
_OF_FIELDS: dict[str, Any] = {
    "author": ["a.author__name", {"css": ".byline", "replace": [["^Írta: ", ""]], "split": ", | és "}],
    "datePublished": {"css": ".datum", "date": "yyyy. MMMM d. HH:mm"},
    "articleSection": {"page_url": "^https://[^/]+/([^/]+)/", "map": {"belfold": "Belföld"}},
}
"""The examples of fields that say more than a selector."""
METADATA = Shape(
    kinds=("object",),
    known={
        name: Key(
            PICK,
            f"Schema.org `{name}`: {_HOLDS.get(kind.holds, 'text')}{', a list' if kind.many else _OFTEN_SEVERAL.get(name, '')}.",
            (_OF_FIELDS.get(name, {"css": f".{name.lower()}"}),),
            adds=PICK,
        )
        for name, kind in FIELDS.items()
    },
    name="metadata",
    read=partial(read_fields, source="metadata"),
)
