"""Puts a key of a portal file where it belongs, with the evidence above it as comments; comments of others stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml

from webarticlecurator.config.yaml_edits import edited
from webarticlecurator.learning.key_values import Path
from webarticlecurator.learning.portal_text import LEARNED, LEARNED_STYLE, behind_alternatives, comment_in


def with_key(text: str, path: Path, wanted: dict[str, Any], evidence: Sequence[str], *, grows_from: int | None = None) -> str:
    """The text of a portal file, made to say this, which differs at one key, with lines of comment above that.

    `grows_from`: so many items a list has there, behind which the others go. Raises CannotEdit.
    """
    after = edited(text if grows_from else _without_evidence(text, path), wanted, LEARNED_STYLE)
    place = _lines_of(after, path)
    if place is None or not evidence:
        return after
    number = place.items[grows_from] if grows_from and grows_from < len(place.items) else place.first
    lines = after.splitlines(keepends=True)
    indent = lines[number][: len(lines[number]) - len(lines[number].lstrip(" "))]
    newline = "\r\n" if "\r\n" in after else "\n"
    return "".join([*lines[:number], *(f"{indent}{line}{newline}" for line in evidence), *lines[number:]])


def _without_evidence(text: str, path: Path) -> str:
    """Without what we said of the value that goes: above it, and its alternatives behind it."""
    place = _lines_of(text, path)
    if place is None or place.in_brackets:
        return text
    lines = text.splitlines(keepends=True)
    behind = "".join(lines[place.end :])
    behind = behind[behind_alternatives(behind, 0) :]
    first = place.first
    while first and (said := comment_in(lines[first - 1])) is not None:
        first -= 1
        if said.startswith(LEARNED):
            return "".join([*lines[:first], *lines[place.first : place.end], behind])
    return "".join([*lines[: place.end], behind])


class _KeyLines(NamedTuple):
    """Where a key stands with its value, in lines counted from 0."""

    first: int
    end: int
    """Behind the last one."""
    items: tuple[int, ...]
    """Where each item of a list without brackets begins."""
    in_brackets: bool


def _lines_of(text: str, path: Path) -> _KeyLines | None:
    """Of several layers the nearest is looked at; None: there is no such key."""
    try:
        node: Any = yaml.compose(text.removeprefix("\ufeff"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return None
    lines = None
    for name in path:
        if isinstance(node, yaml.SequenceNode):
            node = next((layer for layer in node.value if isinstance(layer, yaml.MappingNode)), None)
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        key, value = next(((key, value) for key, value in pairs if key.value == name), (None, None))
        if key is None or value is None:
            return None
        items = value.value if isinstance(value, yaml.SequenceNode) and not value.flow_style else ()
        last = value
        while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
            last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
        end = max(last.end_mark.line + bool(last.end_mark.column), key.end_mark.line + 1)
        lines = _KeyLines(key.start_mark.line, end, tuple(item.start_mark.line for item in items), bool(node.flow_style))
        node = value
    return lines
