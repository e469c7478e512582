"""What a YAML file holds: a tree of nodes that know their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webarticlecurator.config.yaml_hints import brief
from webarticlecurator.errors import Mistake


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where something stands, 1-based."""

    file: Path
    line: int
    column: int

    def mistake(self, message: str) -> Mistake:
        return Mistake(self.file, self.line, self.column, brief(message))


@dataclass(frozen=True, slots=True, eq=False)
class ScalarNode:
    place: FilePlace
    value: str | int | float | bool | None
    text: str
    """As written, without the quotes: `007` stays `007`."""
    plain: bool = False
    """Written without quotes."""
    flow: bool = False
    """Inside `[...]` or `{...}`."""
    swallowed: str | None = None
    """What YAML took for a comment though it looks like a selector: `#main`."""
    faulty: bool = False
    """A mistake has been reported of it; whoever reads on says nothing more."""


@dataclass(frozen=True, slots=True, eq=False)
class ListNode:
    place: FilePlace
    items: tuple[YamlNode, ...]
    flow: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MapNode:
    place: FilePlace
    entries: Mapping[str, YamlNode]
    keys: Mapping[str, FilePlace]
    """Where each key stands."""
    flow: bool = False

    def get(self, key: str) -> YamlNode | None:
        """The value of a key; None where the key is absent or its value is null."""
        node = self.entries.get(key)
        return None if node is None or is_null(node) else node


YamlNode = ScalarNode | ListNode | MapNode


def is_null(node: YamlNode) -> bool:
    return isinstance(node, ScalarNode) and node.value is None


def scalars_in(node: YamlNode | None) -> Iterator[ScalarNode]:
    """All single values at and below a node."""
    if isinstance(node, ScalarNode):
        yield node
    elif node is not None:
        for child in node.items if isinstance(node, ListNode) else node.entries.values():
            yield from scalars_in(child)


def plain(node: YamlNode) -> Any:
    """The node as plain Python data."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return {key: plain(value) for key, value in node.entries.items()}
