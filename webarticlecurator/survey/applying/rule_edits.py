"""Rules are put into the text of a portal file, and taken out of it; every character that is not about them stays as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from webarticlecurator.config.yaml_hints import quoted
from webarticlecurator.config.yaml_nodes import ListNode, ScalarNode
from webarticlecurator.config.yaml_reading import read_document
from webarticlecurator.errors import Mistake, PortalFileError
from webarticlecurator.survey.applying.portal_text import Entry, Item, PortalText, is_null
from webarticlecurator.survey.applying.table import TagDecision

_INDENT = 2
_WIDEST = 120
"""Characters of a line of ours."""
_SPLIT = "split"
_PLAIN_KEY = re.compile(r"[A-Za-z][\w.-]*")


@dataclass(frozen=True, slots=True)
class Addition:
    """A rule to be written."""

    selector: str
    verdict: TagDecision
    moved_from: Item | None = None

    @property
    def operation(self) -> str:
        return _SPLIT if " > " in self.verdict.operation else self.verdict.operation

    def text(self, *, flow: bool) -> str:
        """As an item of a list, or an entry of `split`."""
        if self.operation == _SPLIT:
            key = self.selector if _PLAIN_KEY.fullmatch(self.selector) else quoted(self.selector)
            return f"{key}: [{', '.join(self.verdict.operation.split(' > '))}]"
        if self.verdict.url:
            return f"{{css: {_scalar(self.selector, flow=True)}, url: {_scalar(self.verdict.url, flow=True)}}}"
        return _scalar(self.selector, flow=flow)


def _scalar(text: str, *, flow: bool) -> str:
    """With quotes only where YAML would make something else of it."""
    root, mistakes = read_document((f"[{text}]" if flow else f"- {text}").encode(), Path(), "a value")
    if not mistakes and isinstance(root, ListNode) and len(root.items) == 1:
        item = root.items[0]
        if isinstance(item, ScalarNode) and item.plain and item.value == text and item.swallowed is None:
            return text
    return quoted(text)


@dataclass(slots=True)
class _Edit:
    text: PortalText
    moved: Collection[Item]
    """Their comments go with them, to lines of their own."""
    pieces: list[tuple[int, int, str]] = field(default_factory=list)
    """From, to, and what stands there instead."""

    def put(self, start: int, end: int, new: str) -> None:
        self.pieces.append((start, end, new.replace("\n", self.text.newline)))

    def put_lines(self, index: int, lines: Sequence[str]) -> None:
        """Whole lines behind the line of `index`."""
        at = self.text.line_end(index)
        before = "\n" if at and not self.text.text[:at].endswith("\n") else ""
        self.put(at, at, before + "".join(f"{line}\n" for line in lines))

    def result(self) -> bytes:
        text = self.text.text
        in_order = sorted((start, number, end, new) for number, (start, end, new) in enumerate(self.pieces))
        for start, _, end, new in reversed(in_order):
            text = text[:start] + new + text[end:]
        return (self.text.bom + text).encode("utf-8")


def edited(text: PortalText, remaining: Mapping[int, Sequence[str]], additions: Sequence[Addition]) -> bytes:
    """The file with these rules added, and of the items with these numbers only these selectors left."""
    in_a_line = {entry.key.value for entry in text.entries if not entry.is_block}
    edit = _Edit(text, [one.moved_from for one in additions if one.moved_from is not None and one.operation not in in_a_line])
    by_operation: dict[str, list[Addition]] = {}
    for one in additions:
        by_operation.setdefault(one.operation, []).append(one)
    number = 0
    for entry in text.entries:
        changed = {item: remaining[number + place] for place, item in enumerate(entry.items) if number + place in remaining}
        number += len(entry.items)
        _change_entry(edit, entry, changed, by_operation.pop(entry.key.value, []))
    if by_operation:
        _add_operations(edit, by_operation)
    return edit.result()


# --- an operation that is there ---


def _change_entry(edit: _Edit, entry: Entry, changed: Mapping[Item, Sequence[str]], more: Sequence[Addition]) -> None:
    removed = [item for item, selectors in changed.items() if not selectors]
    for item, selectors in changed.items():
        if selectors:
            edit.put(item.start, item.end, _regrouped(item, selectors))
    if not removed and not more:
        return
    if not entry.items:
        _begin(edit, entry, more)
    elif len(removed) == len(entry.items) and not more:
        _empty(edit, entry)
    elif entry.is_flow:
        _change_flow(edit, entry, removed, more)
    elif entry.is_block:
        _change_block(edit, entry, removed, more)
    else:
        _change_single(edit, entry, removed, more)


def _regrouped(item: Item, selectors: Sequence[str]) -> str:
    """A group of selectors that has lost some of them."""
    return Addition(", ".join(selectors), TagDecision(item.operation, item.url)).text(flow=True)


def _begin(edit: _Edit, entry: Entry, more: Sequence[Addition]) -> None:
    if isinstance(entry.value, yaml.ScalarNode) and is_null(entry.value):
        mark, operation = entry.key.start_mark, entry.key.value
        message = f"`{operation}: null` forgets the `{operation}` rules of farther files; a list of new ones in its place would not"
        what_next = "write `[]` there if the old ones may come back, and apply again"
        raise PortalFileError((Mistake(edit.text.path, mark.line + 1, mark.column + 1, f"{message}. {what_next}"),))
    edit.put(entry.value.start_mark.index, entry.value.end_mark.index, _collection(entry.key.value, more))


def _empty(edit: _Edit, entry: Entry) -> None:
    """The last rule of an operation goes: so does its key, unless a comment stands there."""
    text, layer = edit.text, edit.text.layer
    assert layer is not None
    start, end = text.line_start(entry.key.start_mark.index), text.line_end(text.end(entry.value))
    alone = not layer.flow_style and not text.text[start : entry.key.start_mark.index].strip()
    between = [entry.key.end_mark.index, *(place for item in entry.items for place in (item.start, item.end)), end]
    noted = any("#" in text.text[start:end] for start, end in zip(between[::2], between[1::2], strict=True))
    if alone and len(layer.value) > 1 and not noted:
        edit.put(start, end, "")
    elif entry.is_block:
        edit.put(entry.key.end_mark.index + 1, entry.key.end_mark.index + 1, f" {_collection(entry.key.value, ())}")
        _remove_lines(edit, entry.items)
    else:
        edit.put(entry.value.start_mark.index, text.end(entry.value), _collection(entry.key.value, ()))


def _remove_lines(edit: _Edit, items: Iterable[Item]) -> None:
    """A comment stays, unless it went with the rule."""
    text = edit.text
    for item in items:
        start = text.line_start(item.start)
        comment = "" if item in edit.moved else text.comment_behind(item.end).strip()
        indent = text.text[start : len(text.text) - len(text.text[start:].lstrip(" "))]
        edit.put(start, text.line_end(item.end), f"{indent}{comment}\n" if comment else "")


def _change_block(edit: _Edit, entry: Entry, removed: Sequence[Item], more: Sequence[Addition]) -> None:
    text, first, last = edit.text, entry.items[0], entry.items[-1]
    _remove_lines(edit, removed)
    if more:
        start = text.text[text.line_start(first.start) : first.start]
        edit.put_lines(last.end, [f"{start}{one.text(flow=False)}{_comment(text, one)}" for one in more])


def _change_flow(edit: _Edit, entry: Entry, removed: Sequence[Item], more: Sequence[Addition]) -> None:
    """Inside `[...]` or `{...}`: with an item goes the comma behind it, or, if none is kept behind it, the one before it."""
    text, items = edit.text, entry.items
    kept = [item for item in items if item not in removed]
    if not kept:
        edit.put(entry.value.start_mark.index, text.end(entry.value), _collection(entry.key.value, more))
        return
    for item, following in zip(items, (*items[1:], None), strict=True):
        if item in removed and item.start < kept[-1].start:
            assert following is not None
            edit.put(item.start, following.start, "")
    if items[-1] is not kept[-1]:
        edit.put(kept[-1].end, items[-1].end, "")
    if more:
        at = items[-1].end
        column, indent = at - text.line_start(at), entry.key.start_mark.column + 2 * _INDENT
        edit.put(at, at, _wrapped(more, column, indent))


def _wrapped(more: Iterable[Addition], column: int, indent: int) -> str:
    """Further items of a flow collection, in lines that are not too wide."""
    written = ""
    for one in more:
        item = one.text(flow=True)
        if column + len(item) + 2 > _WIDEST:
            written, column = f"{written},\n{' ' * indent}{item}", indent + len(item)
        else:
            written, column = f"{written}, {item}", column + len(item) + 2
    return written


def _change_single(edit: _Edit, entry: Entry, removed: Sequence[Item], more: Sequence[Addition]) -> None:
    """One selector in place of a list becomes a list."""
    item = entry.items[0]
    old = [] if removed else [Addition(item.selector, TagDecision(item.operation, item.url))]
    edit.put(item.start, item.end, _collection(entry.key.value, (*old, *more), entry.key.start_mark.column))


def _collection(operation: str, rules: Iterable[Addition], column: int = 0) -> str:
    opening, closing = "{}" if operation == _SPLIT else "[]"
    inner = _wrapped(rules, column + len(operation) + 1, column + 2 * _INDENT)
    return opening + inner.removeprefix(",").lstrip(" ") + closing


def _comment(text: PortalText, one: Addition) -> str:
    """The one that stood behind a rule that had a line of its own."""
    item = one.moved_from
    own_line = item is not None and text.text[text.line_start(item.start) : item.start].strip() == "-"
    return text.comment_behind(item.end) if item is not None and own_line else ""


# --- an operation that is new ---


_ByOperation = Mapping[str, Sequence[Addition]]


def _add_operations(edit: _Edit, by_operation: _ByOperation) -> None:
    text, layer = edit.text, edit.text.layer
    if layer is not None and layer.value:
        _append(edit, layer, (), by_operation)
    elif text.tags is not None:
        _fill(edit, text.tags, (), by_operation)
    elif text.body is None:
        _append(edit, text.root, ("body", "tags"), by_operation)
    elif isinstance(text.body.value, yaml.MappingNode) and text.body.value.value:
        _append(edit, text.body.value, ("tags",), by_operation)
    else:
        _fill(edit, text.body, ("tags",), by_operation)


def _append(edit: _Edit, mapping: yaml.MappingNode, keys: Sequence[str], by_operation: _ByOperation) -> None:
    """At the end of a mapping."""
    text = edit.text
    at = text.end(mapping.value[-1][1])
    if mapping.flow_style:
        edit.put(at, at, f", {_flow(keys, by_operation)}")
    else:
        edit.put_lines(at, _lines(text, keys, by_operation, mapping.value[0][0].start_mark.column))


def _fill(edit: _Edit, entry: Entry, keys: Sequence[str], by_operation: _ByOperation) -> None:
    """In place of nothing: of null, `{}`, `[]`, or an empty value."""
    text, value = edit.text, entry.value
    start = entry.key.end_mark.index + 1
    if text.text[text.line_start(start) : entry.key.start_mark.index].strip():
        edit.put(start, value.end_mark.index, f" {{{_flow(keys, by_operation)}}}")
    else:
        edit.put(start, value.end_mark.index, "")
        edit.put_lines(value.end_mark.index, _lines(text, keys, by_operation, entry.key.start_mark.column + _INDENT))


def _flow(keys: Sequence[str], by_operation: _ByOperation) -> str:
    written = ", ".join(f"{operation}: {_collection(operation, more)}" for operation, more in by_operation.items())
    for key in reversed(keys):
        written = f"{key}: {{{written}}}"
    return written


def _lines(text: PortalText, keys: Sequence[str], by_operation: _ByOperation, column: int) -> list[str]:
    lines = []
    for key in keys:
        lines.append(f"{' ' * column}{key}:")
        column += _INDENT
    for operation, more in by_operation.items():
        dash = "" if operation == _SPLIT else "- "
        lines.append(f"{' ' * column}{operation}:")
        lines += [f"{' ' * (column + _INDENT)}{dash}{one.text(flow=False)}{_comment(text, one)}" for one in more]
    return lines
