"""Puts a key of a portal file where it belongs, in the text that a person wrote: nothing else in the file changes, and comments stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from webarticlecurator.config.yaml_text import INDENT, TextSpan, YamlText, in_lines, scalar
from webarticlecurator.learning.key_values import Path, rank
from webarticlecurator.learning.portal_text import ALTERNATIVE, LEARNED, key_lines, written
from webarticlecurator.model.proposals import Plain

_COMMENT = re.compile(r"[ \t]*#[ \t]?")
_NULL = "tag:yaml.org,2002:null"


class CannotEdit(Exception):
    """The file is written in a way that a program cannot change without harm."""


def with_key(
    text: str, path: Path, value: Plain, evidence: Sequence[str] = (), more: Sequence[Plain] = (), *, removed: bool = False
) -> str:
    """The text with this value at this key, and lines of comment above it.

    `more`: those items of the value that a list which is there lacks; they go behind the others. `removed`: the key goes.
    Raises CannotEdit.
    """
    try:
        edit = YamlText(text)
    except yaml.YAMLError as error:  # PyYAML is stricter than we: of one anchor twice, for one
        raise CannotEdit(str(error)) from None
    if not isinstance(edit.root, yaml.MappingNode):
        raise CannotEdit("the file is no mapping")
    _Place(edit, path, evidence).set(value, more, removed=removed)
    return edit.result()


class _Place:
    """How far a path leads in a file: the keys on the way that are there, and the mapping in which the next one is, or should be."""

    def __init__(self, edit: YamlText, path: Path, evidence: Sequence[str]) -> None:
        self._edit = edit
        self._evidence = evidence
        self._left = list(path)
        self._way: list[tuple[yaml.MappingNode, yaml.ScalarNode, yaml.Node]] = []
        """Each key with the mapping that it is in, and its value."""
        self._mapping: yaml.MappingNode | None = edit.root  # type: ignore[assignment]  # it was looked at
        self._is_column = path[0] == "columns"
        while self._left and self._mapping is not None:
            found = _find(self._mapping, self._left[0])
            if found is None:
                return
            self._way.append((self._mapping, *found))
            self._left.pop(0)
            self._mapping = _mapping_in(found[1])

    def set(self, value: Plain, more: Sequence[Plain], *, removed: bool) -> None:
        if removed:
            self._remove()
        elif not self._left:
            self._replace(value, more)
        elif self._mapping is not None and self._mapping.value:
            self._insert(self._mapping, value)
        else:
            self._begin(value)

    def _insert(self, mapping: yaml.MappingNode, value: Plain) -> None:
        """A key that is not there, behind those that usually stand before it."""
        first, *inner = self._left
        if mapping.flow_style:
            self._edit.change(mapping, more={scalar(first, flow=True): written(_nested(inner, value), flow=True)})
            self._comment_above(mapping.start_mark.index)
            return
        spans = self._edit.parts(mapping)
        before = [span for (key, _), span in zip(mapping.value, spans, strict=True) if rank(key.value) <= rank(first)]
        column = mapping.start_mark.column
        blank = [""] if not column and inner else []
        behind = self._behind_alternatives(self._edit.line_end((before or spans)[-1].end))
        self._edit.put_lines(max(behind - 1, (before or spans)[-1].end), [*blank, *self._lines(self._left, value, column)], 0)

    def _begin(self, value: Plain) -> None:
        """The first key below one that says nothing yet, or that is short for one."""
        mapping, key, node = self._way[-1]
        inner: Plain = _nested(self._left, value)
        if node.tag == _NULL or not node.value:
            if mapping.flow_style:
                self._write(mapping, key, node, inner)
            else:
                column = key.start_mark.column
                lines = "\n".join(self._lines([key.value, *self._left], value, column))
                self._edit.replace(key.start_mark.index, self._end(key, node), lines[column:])
        elif self._is_column and len(self._way) == 2 and isinstance(node, yaml.ScalarNode) and isinstance(inner, Mapping):
            self._write(mapping, key, node, {"url": node.value, **inner})  # a column that is only its address
        else:
            raise CannotEdit(f"`{key.value}` is no mapping")

    def _replace(self, value: Plain, more: Sequence[Plain]) -> None:
        """Another value, or more items."""
        mapping, key, node = self._way[-1]
        if not more or not isinstance(node, yaml.SequenceNode) or not node.value:
            self._write(mapping, key, node, value)
        elif node.flow_style:
            self._edit.change(node, more=[written(one, flow=True) for one in more])
            self._comment_above(key.start_mark.index)
        else:
            spans = self._edit.parts(node)
            lines = in_lines([written(one, flow=False) for one in more])
            self._edit.put_lines(spans[-1].end, [*self._evidence, *lines], node.start_mark.column)

    def _write(self, mapping: yaml.MappingNode, key: yaml.ScalarNode, node: yaml.Node, value: Plain) -> None:
        if mapping.flow_style:
            self._edit.set_value(key, node, written(value, flow=True), in_brackets=True)
            self._comment_above(key.start_mark.index)
            return
        end, column = self._end(key, node), key.start_mark.column
        self._forget_evidence(key, end)
        self._comment_above(key.start_mark.index)
        self._edit.replace(key.start_mark.index, end, "\n".join(key_lines(key.value, value, column))[column:])

    def _end(self, key: yaml.ScalarNode, node: yaml.Node) -> int:
        """Behind a value; where none is written, behind the colon."""
        return self._edit.end(node) if node.end_mark.index > node.start_mark.index else key.end_mark.index + 1

    def _remove(self) -> None:
        """The key, and those above it that would hold nothing more."""
        way = self._way
        while len(way) > 1 and len(way[-1][0].value) == 1:
            way = way[:-1]
        mapping, key, node = way[-1]
        if not mapping.flow_style:
            self._forget_evidence(key, self._edit.end(node))
        self._edit.change(mapping, [TextSpan(key.start_mark.index, self._edit.end(node))])

    # --- comments ---

    def _lines(self, names: Sequence[str], value: Plain, column: int) -> list[str]:
        """Keys one in the other, with the evidence above the innermost."""
        lines = [f"{' ' * (column + INDENT * depth)}{scalar(name, flow=False)}:" for depth, name in enumerate(names[:-1])]
        column += INDENT * len(lines)
        return [*lines, *(f"{' ' * column}{line}" for line in self._evidence), *key_lines(names[-1], value, column)]

    def _comment_above(self, index: int) -> None:
        start = self._edit.line_start(index)
        line = self._edit.text[start : self._edit.line_end(start)]
        indent = line[: len(line) - len(line.lstrip(" "))]
        self._edit.replace(start, start, "".join(f"{indent}{line}\n" for line in self._evidence))

    def _forget_evidence(self, key: yaml.ScalarNode, end: int) -> None:
        """What we said of the value that goes: above it, and its alternatives behind it."""
        text = self._edit.text
        start = above = self._edit.line_start(key.start_mark.index)
        while above and (said := _said(text[(before := self._edit.line_start(above - 1)) : above])) is not None:
            above = before
            if said.startswith(LEARNED):
                self._edit.replace(above, start, "")
                break
        behind = self._edit.line_end(end)
        self._edit.replace(behind, self._behind_alternatives(behind), "")

    def _behind_alternatives(self, start: int) -> int:
        """Where those of our comments end that begin there, and tell what else a rule might be."""
        end = start
        for line in self._edit.text[start:].splitlines(keepends=True):
            said = _said(line)
            if said is None or said.startswith(LEARNED) or (end == start and not said.startswith(ALTERNATIVE)):
                break
            end += len(line)
        return end


def _said(line: str) -> str | None:
    """What a line of comment says; None: it is none."""
    return _COMMENT.sub("", line, count=1) if _COMMENT.match(line) else None


def _find(mapping: yaml.MappingNode, name: str) -> tuple[yaml.ScalarNode, yaml.Node] | None:
    """A key with its value."""
    for key, value in mapping.value:
        if key.value == name:
            if value.start_mark.index < key.end_mark.index:
                raise CannotEdit(f"a YAML alias stands at `{name}`")
            return key, value
    return None


def _mapping_in(node: Any) -> yaml.MappingNode | None:
    """The mapping that a value is, or, of the layers of tag rules, the nearest one."""
    if isinstance(node, yaml.SequenceNode):
        return next((one for one in node.value if isinstance(one, yaml.MappingNode)), None)
    return node if isinstance(node, yaml.MappingNode) else None


def _nested(names: Sequence[str], value: Plain) -> Plain:
    for name in reversed(names):
        value = {name: value}
    return value
