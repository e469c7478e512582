"""Read what is kept of an article, as a line of JSON, a stretch at a time: a long one is never a tree of
objects as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import orjson
from msgspec import Raw
from msgspec.json import decode

from webarticlecurator.own_patterns import linear

_READ_AT_ONCE = 1 << 20
"""Bytes of JSON: as data, they may take ten times the room."""
_OF_NODES = frozenset({"blocks", "comments", "children"})


_RULE = linear(rb'"rule": ?("(?:[^"\\]|\\.)*")')
"""The rule that dropped a text; in a text, the quotation marks would have a backslash before them."""


def with_rules(line: bytes, names: Mapping[str, str]) -> bytes:
    """Return a line with other names of the rules by which texts were dropped."""

    def renamed(match: re.Match[bytes]) -> bytes:
        name = names.get(orjson.loads(match[1]))
        return match[0] if name is None else match[0][: -len(match[1])] + orjson.dumps(name)

    return _RULE.sub(renamed, line)


def read_kept(line: bytes) -> Mapping[str, Any]:
    """Read a line as data. Of a long one each text and each block is read when somebody looks at it, and not
    kept."""
    if len(line) > _READ_AT_ONCE:
        return _LongNode(line)
    record: dict[str, Any] = orjson.loads(line)
    return record


def kept_json(value: Any) -> bytes:
    """JSON of what was read by `read_kept`, or is made of it."""
    return orjson.dumps(value, default=lambda long: orjson.Fragment(bytes(long.json)))


class _LongNode(Mapping[str, Any]):
    """An article, a block, an inline or a post."""

    def __init__(self, json: bytes | Raw) -> None:
        self.json = json
        self._values = decode(json, type=dict[str, Raw])

    def __getitem__(self, name: str) -> Any:
        value = self._values[name]
        if name in _OF_NODES and len(memoryview(value)) > _READ_AT_ONCE:
            return _LongList(value)
        return decode(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class _LongList(Sequence[Mapping[str, Any]]):
    """Blocks, inlines or posts."""

    def __init__(self, json: Raw) -> None:
        self.json = json
        self._nodes = decode(json, type=list[Raw])

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[Mapping[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return list(map(_node, self._nodes[place])) if isinstance(place, slice) else _node(self._nodes[place])

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return map(_node, self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)


def _node(json: Raw) -> Mapping[str, Any]:
    node: Mapping[str, Any] = _LongNode(json) if len(memoryview(json)) > _READ_AT_ONCE else decode(json)
    return node


def as_bytes(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # half a character of two, which JSON-LD can hold
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
