"""The text of a portal file, with the place of every rule of its tag dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from webarticlecurator.errors import Mistake, PortalFileError

# Why not a library that writes YAML back: all of them write the whole file anew, and so change blanks, folds and columns of comments in
# lines that nobody touched. PyYAML tells where everything stands; an edit then changes the characters that it is about, and no others.

_BOM = "\ufeff"
_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")


@dataclass(frozen=True, slots=True)
class Item:
    """One item under an operation: a selector, `{css, url}`, or an entry of `split`."""

    operation: str
    selector: str
    url: str
    """The attribute that keeps the address; "" for most."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An operation with its selectors, or another key with its value."""

    key: yaml.ScalarNode
    value: yaml.Node
    items: tuple[Item, ...] = ()

    @property
    def is_flow(self) -> bool:
        return isinstance(self.value, yaml.CollectionNode) and bool(self.value.flow_style) and not self._is_lone_item

    @property
    def is_block(self) -> bool:
        return isinstance(self.value, yaml.CollectionNode) and not self.value.flow_style and not self._is_lone_item

    @property
    def _is_lone_item(self) -> bool:
        """`{css, url}` in place of a list of them."""
        return isinstance(self.value, yaml.MappingNode) and self.key.value != "split"


class PortalText:
    """A portal file that has no mistakes, as text."""

    def __init__(self, content: bytes, path: Path) -> None:
        self.path = path
        text = content.decode("utf-8")
        self.bom = _BOM if text.startswith(_BOM) else ""
        self.text = text.removeprefix(_BOM)
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        self.root = self._mapping(yaml.compose(self.text, Loader=yaml.SafeLoader))
        self.body = self._entry(self.root, "body")
        body = self.body.value if self.body else None
        self.tags = self._entry(body, "tags") if isinstance(body, yaml.MappingNode) else None
        layers = self._layers()
        self.layer_count = len(layers)
        self.layer = layers[0] if layers else None
        """The nearest one of the file."""
        self.entries = tuple(self._operations(self.layer)) if self.layer else ()

    @property
    def items(self) -> tuple[Item, ...]:
        """In the order of the file, which is that of its rules."""
        return tuple(item for entry in self.entries for item in entry.items)

    def line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """Behind the line break."""
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found + 1

    def comment_behind(self, index: int) -> str:
        """` # what somebody noted` at the end of a line."""
        found = _COMMENT.match(self.text, index)
        return found[0] if found else ""

    def end(self, node: yaml.Node) -> int:
        """Behind its last character; PyYAML's own end of a block collection lies behind the comments that follow it."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        end = int(node.end_mark.index)
        return len(self.text[:end].rstrip()) if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">") else end

    def _mapping(self, node: yaml.Node | None) -> yaml.MappingNode:
        if isinstance(node, yaml.MappingNode):
            return node
        raise PortalFileError((Mistake(self.path, 1, 1, "a portal file is a mapping: lines of `key: value`"),))

    def _layers(self) -> list[yaml.MappingNode]:
        value = self.tags.value if self.tags else None
        layers = value.value if isinstance(value, yaml.SequenceNode) else [value]
        return [layer for layer in layers if isinstance(layer, yaml.MappingNode)]

    def _entry(self, mapping: yaml.MappingNode, key: str) -> Entry | None:
        for name, value in mapping.value:
            if name.value == key:
                self._refuse_alias(name, value)
                return Entry(name, value)
        return None

    def _operations(self, layer: yaml.MappingNode) -> Iterator[Entry]:
        for key, value in layer.value:
            self._refuse_alias(key, value)
            yield Entry(key, value, tuple(self._items(key.value, value)))

    def _items(self, operation: str, value: yaml.Node) -> Iterator[Item]:
        if isinstance(value, yaml.ScalarNode) and is_null(value):
            return
        if operation == "split" and isinstance(value, yaml.MappingNode):
            for key, names in value.value:
                self._refuse_alias(key, names)
                yield Item(operation, key.value, "", key.start_mark.index, self.end(names))
            return
        for item in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            self._refuse_alias(value, item, at=value.start_mark.index)
            if isinstance(item, yaml.MappingNode):
                parts = {key.value: part.value for key, part in item.value}
                yield Item(operation, parts["css"], parts.get("url", ""), item.start_mark.index, self.end(item))
            elif isinstance(item, yaml.ScalarNode) and not is_null(item):
                yield Item(operation, item.value, "", item.start_mark.index, self.end(item))

    def _refuse_alias(self, near: yaml.Node, value: yaml.Node, at: int | None = None) -> None:
        """What stands elsewhere in the file cannot be edited here without changing it there, too."""
        if value.start_mark.index < (near.end_mark.index if at is None else at):
            mark = near.start_mark
            message = "a YAML alias (`*name`) stands here, and rules cannot be added to it; write out what it stands for"
            raise PortalFileError((Mistake(self.path, mark.line + 1, mark.column + 1, message),))


def is_null(node: yaml.ScalarNode) -> bool:
    return node.tag == "tag:yaml.org,2002:null"
