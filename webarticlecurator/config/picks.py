"""Picks as a portal file writes them: one, alternatives, or several united; how they are read, and how they are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from webarticlecurator.config.node_compiler import NodeCompiler, entries, items
from webarticlecurator.config.pick_places import PageNode, PickContext, PickedValue
from webarticlecurator.config.pick_steps import Pick, Picked, Wanted
from webarticlecurator.config.yaml_nodes import ListNode, ScalarNode, YamlNode
from webarticlecurator.selectors import Selector

_KEYS = {one.name: one.metadata for one in fields(Pick)}


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
            row = _KEYS[name]
            read = row["read_in_json"] if compiler.in_json and "read_in_json" in row else row["read"]
            values[name] = read(compiler, value)
    if table := compiler.table(node.get("map_file")):
        values["map"] = {**table, **(values.get("map") or {})}
    # a half-read pick would only mislead whoever checks on
    return Pick(**values) if len(compiler.mistakes) == before else None
