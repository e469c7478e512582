"""Picks as a portal file writes them: one, alternatives, or several united; how they are read, and how they are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.keys import FILE, Key, Keys, Shape, Together, declare, keys_of
from webarticlecurator.config.node_compiler import NodeCompiler, entries, items
from webarticlecurator.config.pick_places import PageNode, PickContext, PickedValue, Places
from webarticlecurator.config.pick_steps import Pick, Picked, Wanted
from webarticlecurator.config.yaml_nodes import ListNode, ScalarNode, YamlNode
from webarticlecurator.selectors import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """The values of several picks, united in order."""

    picks: tuple[Picks, ...]

    def find(self, context: PickContext, wanted: Wanted) -> Picked:
        values: dict[str, PickedValue] = {}
        routed: dict[str, list[PickedValue]] = {}
        elsewhere: list[str] = []
        for picked in (picks.find(context, wanted) for picks in self.picks):
            elsewhere += picked.elsewhere
            for value in picked.values:
                values.setdefault(value.text, value)
            for name, others in picked.routed.items():
                routed.setdefault(name, []).extend(others)
        return Picked(list(values.values()), routed, elsewhere)

    @property
    def routes(self) -> frozenset[str]:
        return frozenset[str]().union(*(picks.routes for picks in self.picks))

    def find_nodes(self, context: PickContext) -> list[PageNode]:
        return list({id(node): node for picks in self.picks for node in picks.find_nodes(context)}.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """Alternatives: the first that gives something."""

    alternatives: tuple[Pick | AllOf, ...]

    def find(self, context: PickContext, wanted: Wanted) -> Picked:
        """What the first alternative gives that gives something."""
        elsewhere: list[str] = []
        with context.page.budget:
            for alternative in self.alternatives:
                picked = alternative.find(context, wanted)
                if picked:
                    return picked
                elsewhere += picked.elsewhere
        return Picked(elsewhere=elsewhere)

    @property
    def routes(self) -> frozenset[str]:
        """Other fields that a value may go to."""
        return frozenset[str]().union(*(alternative.routes for alternative in self.alternatives))

    def find_nodes(self, context: PickContext) -> list[PageNode]:
        """The elements or items that the first matching alternative points at."""
        with context.page.budget:
            return next((nodes for alternative in self.alternatives if (nodes := alternative.find_nodes(context))), [])

    def each(self) -> Iterator[Pick]:
        """All of them, one by one."""
        for alternative in self.alternatives:
            if isinstance(alternative, AllOf):
                for inner in alternative.picks:
                    yield from inner.each()
            else:
                yield alternative

    def drops(self, text: str) -> bool:
        """Whether one of them says that it is no value."""
        return any(pick.drops(text) for pick in self.each())

    @property
    def named(self) -> str:
        """What they look for, for messages."""
        return " or ".join(pick.text for pick in self.each())


def read_picks(compiler: NodeCompiler, node: YamlNode | None, source: str) -> Picks | None:
    """A pick, whatever its form; `source` says where it stands."""
    found = [alternative for item in items(node) if (alternative := _alternative(compiler, item, source)) is not None]
    return Picks(alternatives=tuple(found)) if found else None


def read_fields(compiler: NodeCompiler, node: YamlNode | None, source: str) -> dict[str, Picks]:
    """Field name -> pick."""
    read = {name: read_picks(compiler, value, f"{source}.{name}") for name, value in entries(node).items()}
    return {name: picks for name, picks in read.items() if picks is not None}


def as_picks(source: str) -> Callable[[NodeCompiler, YamlNode], Picks | None]:
    """How a key is read that holds picks."""
    return lambda compiler, node: read_picks(compiler, node, source)


def as_fields(source: str) -> Callable[[NodeCompiler, YamlNode], dict[str, Picks]]:
    return lambda compiler, node: read_fields(compiler, node, source)


def _alternative(compiler: NodeCompiler, node: YamlNode, source: str) -> Pick | AllOf | None:
    if isinstance(node, ScalarNode):
        selector = compiler.parse(node, Selector.parse)
        return Pick(css=selector, source=source) if selector is not None else None
    if isinstance(node, ListNode):
        return None
    if (united := node.get("all_of")) is not None:
        picks = [read_picks(compiler, item, source) for item in items(united)]
        return AllOf(picks=tuple(pick for pick in picks if pick is not None))
    values: dict[str, Any] = {"source": source}
    before = len(compiler.mistakes)
    for name, value in node.entries.items():
        if name != "map_file":
            declared = _KEYS[name]
            read = declared.does.get("read_in_json", declared.read) if compiler.in_json else declared.read
            values[name] = read(compiler, value) if read is not None else None
    if table := compiler.table(node.get("map_file")):
        values["map"] = {**table, **(values.get("map") or {})}
    # a half-read pick would only mislead whoever checks on
    return Pick(**values) if len(compiler.mistakes) == before else None


# --- their shapes ---

_KEYS: dict[str, Key] = {}
"""Filled in below: what stands under `all_of` are picks again."""
_PLACES = tuple(name for name in dict.fromkeys(("css", "before", "after", "json", *keys_of(Places))) if name != "within")
_BESIDE = {"html_in": "css", "css": "html_in", "script": "json", "json": "script"}
"""What may stand beside a place; nothing else that is one."""
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
_ALONE = Together("all_of", ("map_file", *keys_of(Pick)), "`all_of` stands alone; put the other keys into its picks")
_PICK_KEYS = Keys(_KEYS, together=(*_TOGETHER, _ALONE), name="pickKeys")
_ALTERNATIVE = Shape(
    kinds=("string", "object"),
    title="a pick: a CSS selector or a mapping",
    null=False,
    shortest=1,
    longest=4000,
    holds="selector",
    keys=_PICK_KEYS,
    fewest_keys=1,
    name="alternative",
)
PICK = replace(
    _ALTERNATIVE,
    kinds=("string", "object", "array"),
    title="a pick: a CSS selector, a mapping, or a list of alternatives",
    null=True,
    items=_ALTERNATIVE,
    fewest_items=1,
    merges="whole",
    name="pick",
)
_KEYS |= {
    **keys_of(Pick, *_PLACES),
    "all_of": declare(
        Shape(kinds=("array",), null=False, items=replace(PICK, null=False, name="pickValue"), fewest_items=1),
        "Several picks whose values are united, in order. Stands alone.",
        [".szerzo", ".tarsszerzo"],
    ),
    **keys_of(Pick),
    "map_file": declare(
        FILE.given, "Tab-separated file with two columns, from and to; relative to this file, in its folder.", "rovatok.tsv"
    ),
}

_HOLDS = {Holds.DATE: "a date", Holds.URL: "an address", Holds.LANGUAGE: "a language", Holds.NUMBER: "a number", Holds.YES_NO: "yes or no"}
_OF_FIELDS: dict[str, Any] = {
    "author": ["a.author__name", {"css": ".byline", "replace": [["^Írta: ", ""]], "split": ", | és "}],
    "datePublished": {"css": ".datum", "date": "yyyy. MMMM d. HH:mm"},
    "articleSection": {"page_url": "^https://[^/]+/([^/]+)/", "map": {"belfold": "Belföld"}},
}
"""Examples that say more than a selector."""
METADATA = Shape(
    kinds=("object",),
    keys=Keys(
        {
            name: declare(
                PICK,
                f"Schema.org `{name}`: {_HOLDS.get(kind.holds, 'text')}{', a list' if kind.many else ''}.",
                _OF_FIELDS.get(name, {"css": f".{name.lower()}"}),
                adds=PICK,
            )
            for name, kind in FIELDS.items()
        }
    ),
    name="metadata",
    read=as_fields("metadata"),
)
