"""Changes in the text of a YAML file that a person wrote: every character that they are not about stays as it is, comments too."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

import yaml

from webarticlecurator.config.yaml_hints import quoted
from webarticlecurator.config.yaml_nodes import ListNode, ScalarNode
from webarticlecurator.config.yaml_reading import read_document

# Why not a library that writes YAML back: all of them write the whole file anew, and so change blanks, folds and columns of comments in
# lines that nobody touched. PyYAML tells where everything stands; a change then replaces the characters that it is about, and no others.

INDENT = 2
_WIDEST = 120
"""Characters of a line of ours, where it can be folded."""
_BOM = "\ufeff"
_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")

Written: TypeAlias = "str | Sequence[Written] | Mapping[str, Written]"
"""What is to be written: a scalar as YAML text (`scalar`), a list, a mapping whose keys are YAML text, too."""


class TextSpan(NamedTuple):
    """An item of a list, or a key with its value: where it begins, and behind its last character."""

    start: int
    end: int


class YamlText:
    """The text of a YAML file without mistakes, and the changes to be made in it."""

    def __init__(self, text: str) -> None:
        self._bom = _BOM if text.startswith(_BOM) else ""
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self.text = text.removeprefix(_BOM)
        self.root: yaml.Node | None = yaml.compose(self.text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self._changes: list[tuple[int, int, str]] = []
        """From, to, and what stands there instead."""

    def result(self) -> str:
        """The text with all changes."""
        text = self.text
        in_order = sorted((start, number, end, new) for number, (start, end, new) in enumerate(self._changes))
        for start, _, end, new in reversed(in_order):
            text = text[:start] + new + text[end:]
        return self._bom + text

    # --- where something stands ---

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

    def parts(self, collection: yaml.CollectionNode) -> list[TextSpan]:
        """In the order of the file."""
        pairs = (one if isinstance(one, tuple) else (one, one) for one in collection.value)
        return [TextSpan(first.start_mark.index, self.end(last)) for first, last in pairs]

    def begins_inside(self, key: yaml.Node) -> bool:
        """Whether something stands before it on its line."""
        index = key.start_mark.index
        return bool(self.text[self.line_start(index) : index].strip())

    # --- changes ---

    def replace(self, start: int, end: int, new: str) -> None:
        self._changes.append((start, end, new.replace("\n", self._newline)))

    def set_value(self, key: yaml.Node, value: yaml.Node, new: Written, *, in_brackets: bool) -> None:
        """Another value for a key; `in_brackets`: the key stands there."""
        is_block = isinstance(value, yaml.CollectionNode) and not value.flow_style
        is_flow = isinstance(value, yaml.CollectionNode) and not is_block
        behind_key, end = key.end_mark.index + 1, self.end(value)
        if in_brackets or is_flow or isinstance(new, str) or not new:
            start = behind_key if is_block else value.start_mark.index
            self.replace(start, end, " " * (start == behind_key) + in_line(new))
        elif is_block:
            self.replace(value.start_mark.index, end, f"\n{' ' * value.start_mark.column}".join(in_lines(new)))
        else:
            column = key.start_mark.column + INDENT
            self.replace(behind_key, end, "".join(f"\n{' ' * column}{line}" for line in in_lines(new)))

    def fill(self, key: yaml.Node, value: yaml.Node, new: Mapping[str, Written]) -> None:
        """A mapping in place of nothing: of null, `{}`, `[]`, or an empty value."""
        start = key.end_mark.index + 1
        if self.begins_inside(key):
            self.replace(start, value.end_mark.index, f" {in_line(new)}")
        else:
            self.replace(start, value.end_mark.index, "")
            self.put_lines(value.end_mark.index, in_lines(new), key.start_mark.column + INDENT)

    def change(
        self,
        collection: yaml.CollectionNode,
        removed: Collection[TextSpan] = (),
        more: Sequence[Written] | Mapping[str, Written] = (),
        without_comment: Collection[TextSpan] = (),
    ) -> None:
        """Take parts out of a list or mapping that has some, and put more behind the last one. Only comments of `without_comment` go."""
        if collection.flow_style:
            self._change_in_brackets(collection, removed, more)
            return
        parts = self.parts(collection)
        for part in removed:
            self.remove_lines(part, keep_comment=part not in without_comment)
        if isinstance(more, Mapping):
            self.put_lines(parts[-1].end, in_lines(more), collection.start_mark.column)
        elif more:
            dash = self.text[self.line_start(parts[0].start) : parts[0].start]
            self.put_lines(parts[-1].end, [f"{dash}{one}" for one in more], 0)

    def put_lines(self, index: int, lines: Iterable[str], column: int) -> None:
        """Whole lines behind the line of `index`."""
        at = self.line_end(index)
        before = "\n" if at and not self.text[:at].endswith("\n") else ""
        self.replace(at, at, before + "".join(f"{' ' * column}{line}\n" for line in lines))

    def remove_lines(self, part: TextSpan, *, keep_comment: bool = True) -> None:
        """The lines of a part that has them for itself."""
        start = self.line_start(part.start)
        comment = self.comment_behind(part.end).strip() if keep_comment else ""
        indent = self.text[start : len(self.text) - len(self.text[start:].lstrip(" "))]
        self.replace(start, self.line_end(part.end), f"{indent}{comment}\n" if comment else "")

    def _change_in_brackets(
        self, collection: yaml.CollectionNode, removed: Collection[TextSpan], more: Sequence[Written] | Mapping[str, Written]
    ) -> None:
        """With a part goes the comma behind it, or, if none is kept behind it, the one before it."""
        parts = self.parts(collection)
        kept = [part for part in parts if part not in removed]
        start = self.line_start(collection.start_mark.index)
        indent = len(self.text[start:]) - len(self.text[start:].lstrip(" ")) + 2 * INDENT
        if not kept:
            new = more or ({} if isinstance(collection, yaml.MappingNode) else [])
            self.replace(collection.start_mark.index, self.end(collection), in_line(new, collection.start_mark.column, indent))
            return
        for part, following in pairwise(parts):
            if part in removed and part.start < kept[-1].start:
                self.replace(part.start, following.start, "")
        if parts[-1] is not kept[-1]:
            self.replace(kept[-1].end, parts[-1].end, "")
        at = parts[-1].end
        self.replace(at, at, _behind_commas(more, at - self.line_start(at), indent))


def in_line(new: Written, column: int = 0, indent: int = 2 * INDENT) -> str:
    """With brackets; `column` and `indent`: where it begins, and where its further lines do."""
    if isinstance(new, str):
        return new
    opening, closing = "{}" if isinstance(new, Mapping) else "[]"
    return f"{opening}{_behind_commas(new, column, indent).removeprefix(',').lstrip(' ')}{closing}"


def _behind_commas(new: Sequence[Written] | Mapping[str, Written], column: int, indent: int) -> str:
    """Each with a comma before it, in lines that are not too wide."""
    written = ""
    for item in [f"{key}: {in_line(value)}" for key, value in new.items()] if isinstance(new, Mapping) else map(in_line, new):
        if column + len(item) + 2 > _WIDEST:
            written, column = f"{written},\n{' ' * indent}{item}", indent + len(item)
        else:
            written, column = f"{written}, {item}", column + len(item) + 2
    return written


def in_lines(new: Sequence[Written] | Mapping[str, Written]) -> list[str]:
    """Without brackets, as far as they are not needed."""
    lines: list[str] = []
    for key, value in new.items() if isinstance(new, Mapping) else ():
        is_short = isinstance(value, str) or not value
        lines += [f"{key}: {in_line(value)}"] if is_short else [f"{key}:", *_deeper(in_lines(value))]
    for value in new if not isinstance(new, Mapping) else ():
        first, *others = [value] if isinstance(value, str) else in_lines(value)
        lines += [f"- {first}", *_deeper(others)]
    return lines


def _deeper(lines: Iterable[str]) -> list[str]:
    return [" " * INDENT + line for line in lines]


def scalar(text: str, *, flow: bool, plain: bool = True) -> str:
    """A text as YAML reads it back; `plain`: without quotes, as long as YAML makes nothing else of it."""
    for written in (text, quoted(text)) if plain else (quoted(text),):
        root, mistakes = read_document((f"[{written}]" if flow else f"- {written}").encode(), Path(), "a value")
        item = root.items[0] if isinstance(root, ListNode) and len(root.items) == 1 and not mistakes else None
        if isinstance(item, ScalarNode) and item.value == text and item.swallowed is None:
            return written
    return str(yaml.dump(text, default_style='"', allow_unicode=True, width=float("inf"))).rstrip("\n")
