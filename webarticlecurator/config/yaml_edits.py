"""Changes in a YAML file that a person wrote: it is made to say something else, and every character that this
is not about stays.

PyYAML tells where everything stands; a change replaces the characters that it is about, and what stands in
brackets as a whole. (A library that writes the whole file anew would change blanks, folds and columns of
comments in lines that nobody touched.) What comes out is read again before it counts.
"""

from __future__ import annotations

import re
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from webarticlecurator import resources
from webarticlecurator.config.load import FILE_NAME, portal_path
from webarticlecurator.config.yaml_reading import FAST_LOADER, plain, quoted, read_document, scalars_in
from webarticlecurator.errors import UsageError
from webarticlecurator.model.proposals import Plain
from webarticlecurator.own_patterns import linear
from webarticlecurator.storage.places import draft_of

KeyPath: TypeAlias = tuple[str, ...]
"""The keys that lead to a value, one below the other; an item of a list is `-`."""
INDENT = 2
WIDEST = 120
"""Characters of a line of ours, where it can be folded."""
_BOM = "\ufeff"
_COMMENT = linear(r"#[^\r\n]*")


class CannotEdit(Exception):
    """The file is written in a way that a program cannot change without harm."""

    def __init__(self, reason: str, mark: Any = None) -> None:
        super().__init__(reason)
        self.line = mark.line + 1 if mark is not None else 1


def edited(text: str, wanted: Plain, style: YamlStyle) -> str:
    """The text, made to say this. Raises CannotEdit."""
    try:
        after = _Edit(text, style).result(wanted)
    except yaml.YAMLError as error:  # PyYAML is stricter than we: of one anchor twice, for one
        raise CannotEdit(
            f"a program cannot read it ({error})", getattr(error, "problem_mark", None)
        ) from None
    if said_in(after) != wanted:
        raise CannotEdit("something else would change")
    return after


def said_in(text: str) -> Any:
    """Return what a file says, as plain data."""
    root, _ = read_document(text.encode("utf-8"), Path())
    return None if root is None else plain(root)


def editable(portal: str | Path) -> Path:
    """Return where the portal file lies. Raises UsageError for one that came with the package."""
    path = portal_path(portal)
    if resources.is_inside_package(path):
        raise came_with_curator(path)
    return path


def came_with_curator(path: Path) -> UsageError:
    """Return why nothing is written into a portal file that came with the program, nor beside it, and how to
    have a copy."""
    name = path.parent.name if path.name == FILE_NAME else path.stem
    return UsageError(
        f"{name} came with curator, and the next version would replace what is written there: "
        f"`curator new {name} -o {name}/{FILE_NAME}` makes a copy of your own."
    )


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file, at once and as a whole; where the path is a link, what it leads to. Raises UsageError
    for one that is read-only."""
    target = path.resolve()
    if not target.stat().st_mode & stat.S_IWUSR:  # another file in its place would need no permission
        raise UsageError(f"{path} is read-only, and stays as it is; `chmod u+w` lets it be changed.")
    with draft_of(target, sync=True) as draft:
        draft.write_bytes(content)
        shutil.copymode(target, draft)


_AROUND = {(True, True): "{{{}: 1}}", (True, False): "{}: 1", (False, True): "[{}]", (False, False): "- {}"}
"""A document around a scalar, by whether it is a key and whether it stands in brackets."""


def _is_read_as(line: str, meant: Plain) -> bool:
    """Say whether YAML reads a line as what is meant, and nothing of it as a comment."""
    root, mistakes = read_document(line.encode("utf-8"), Path())
    if root is None or mistakes or plain(root) != meant:
        return False
    return all(scalar.swallowed is None for scalar in scalars_in(root))


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlStyle:
    """The style in which values are written, and the places where they go."""

    in_line: Callable[[KeyPath, str], bool] = lambda _, __: False
    """Return True if the mapping or list of this path is written as this line, in brackets."""
    in_quotes: re.Pattern[str] | None = None
    """The pattern of texts that stand in quotes though YAML needs none."""
    rank: Callable[[str], int] = lambda _: 0
    """Return the rank of a key: a new one goes behind those of the same and of lower ranks."""
    behind: Callable[[str, int], int] = lambda _, index: index
    """Return the index behind what stands at an index of the text, where it belongs to the line before it."""

    def scalar(self, value: Plain, *, in_brackets: bool = False, is_key: bool = False) -> str:
        """Return a value as YAML reads it back; without quotes, as long as YAML makes nothing else of it."""
        if not isinstance(value, str):
            return "null" if value is None else str(value).lower()
        needs_quotes = self.in_quotes is not None and self.in_quotes.search(value)
        line, meant = _AROUND[is_key, in_brackets], {value: 1} if is_key else [value]
        for written in (quoted(value),) if needs_quotes else (value, quoted(value)):
            if _is_read_as(line.format(written), meant):
                return written
        return str(yaml.dump(value, default_style='"', allow_unicode=True, width=float("inf"))).rstrip("\n")

    def line(self, value: Plain, *, in_brackets: bool = False) -> str:
        """Return a value as one line; collections stand in brackets."""
        if not _is_collection(value):
            return self.scalar(value, in_brackets=in_brackets)
        if isinstance(value, Mapping):
            keys = (self.scalar(key, in_brackets=True, is_key=True) for key in value)
            parts = (
                f"{key}: {self.line(item, in_brackets=True)}"
                for key, item in zip(keys, value.values(), strict=True)
            )
            return f"{{{', '.join(parts)}}}"
        return f"[{', '.join(self.line(item, in_brackets=True) for item in value)}]"  # type: ignore[union-attr]

    def entry(self, key: str, value: Plain, path: KeyPath = (), column: int = 0) -> list[str]:
        """A key with its value; `path` leads to the key, which stands in that column."""
        line = f"{self.scalar(key, is_key=True)}: {self.line(value)}"
        if not _is_collection(value) or not value or self.in_line(path, " " * column + line):
            return [line]
        return [f"{self.scalar(key, is_key=True)}:", *_deeper(self.lines(value, path, column + INDENT))]

    def lines(self, value: Plain, path: KeyPath = (), column: int = 0) -> list[str]:
        """A mapping or list without brackets, as far as they are not needed."""
        if isinstance(value, Mapping):
            return [
                line
                for key, member in value.items()
                for line in self.entry(key, member, (*path, key), column)
            ]
        written: list[str] = []
        for member in value:  # type: ignore[union-attr]
            line = self.line(member)
            is_short = (
                not _is_collection(member) or not member or self.in_line((*path, "-"), " " * column + line)
            )
            first, *others = [line] if is_short else self.lines(member, (*path, "-"), column + INDENT)
            written += [f"- {first}", *_deeper(others)]
        return written


def _is_collection(value: Plain) -> bool:
    return isinstance(value, Mapping | Sequence) and not isinstance(value, str)


def _deeper(lines: Iterable[str]) -> list[str]:
    return [" " * INDENT + line for line in lines]


class _Edit:
    """The text of a YAML file without mistakes, and the changes to be made in it."""

    def __init__(self, text: str, style: YamlStyle) -> None:
        self.style = style
        self._mark = _BOM if text.startswith(_BOM) else ""
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self.text = text.removeprefix(_BOM)
        self._changes: list[tuple[int, int, str]] = []
        """The changes: where each begins, where it ends, and what stands there instead."""

    def result(self, wanted: Plain) -> str:
        """The text, when it says this."""
        root = yaml.compose(self.text, Loader=FAST_LOADER)
        said = said_in(self.text)
        if said == wanted:
            return self._mark + self.text
        if self.text and not self.text.endswith("\n"):
            self.text += self._newline
        if said is None:
            self._put_lines(len(self.text), self.style.lines(wanted))
        else:
            self._update(root, said, wanted, ())
        after, done = self._mark, 0
        for start, end, new in sorted(self._changes, key=itemgetter(0, 1)):
            after += self.text[done:start] + new.replace("\n", self._newline)
            done = end
        return after + self.text[done:]

    def _update(self, node: Any, now: Any, wanted: Any, path: KeyPath) -> None:
        """Change what is different in a mapping or list that has something in it, and will have; `now`: what
        it says."""
        if node.flow_style:
            start, end = node.start_mark.index, self._end(node)
            unquoted = linear(r"\"[^\"]*\"|'[^']*'").sub("", self.text[start:end])
            if linear(r"\s#|[\[{,\s][&*]\w").search(unquoted):
                raise CannotEdit("a comment or a YAML alias stands in these brackets", node.start_mark)
            self._changes.append((start, end, self.style.line(wanted)))
        elif isinstance(node, yaml.MappingNode):
            self._update_mapping(node, now, wanted, path)
        else:
            self._update_list(node, now, wanted, path)

    def _update_mapping(
        self, node: yaml.MappingNode, now: Mapping[str, Any], wanted: Mapping[str, Any], path: KeyPath
    ) -> None:
        spans = self._spans(node)
        for (key, value), span in zip(node.value, spans, strict=True):
            if key.value not in wanted:
                self._remove(*span)
            elif now[key.value] != wanted[key.value]:
                self._set(key, value, now[key.value], wanted[key.value], (*path, key.value))
        column = node.start_mark.column
        for name in (name for name in wanted if name not in now):
            before = [
                span
                for other, span in zip(now, spans, strict=True)
                if self.style.rank(other) <= self.style.rank(name)
            ]
            self._put_lines(
                (before or spans)[-1][1], self.style.entry(name, wanted[name], (*path, name), column), column
            )

    def _update_list(
        self, node: yaml.SequenceNode, now: Sequence[Any], wanted: Sequence[Any], path: KeyPath
    ) -> None:
        spans = self._spans(node)
        dash = self.text[self._line_start(spans[0][0]) : spans[0][0]]
        for kind, i1, i2, j1, j2 in SequenceMatcher(
            None, [*map(repr, now)], [*map(repr, wanted)], autojunk=False
        ).get_opcodes():
            while (
                kind == "replace"
                and i1 < i2
                and j1 < j2
                and isinstance(now[i1], Mapping)
                and isinstance(wanted[j1], Mapping)
            ):
                self._update(node.value[i1], now[i1], wanted[j1], (*path, "-"))
                i1, j1 = i1 + 1, j1 + 1
            if kind != "equal":
                for span in spans[i1:i2]:
                    self._remove(*span)
                at = self._line_start(spans[0][0]) - 1 if i2 == 0 else spans[i2 - 1][1]
                for item in wanted[j1:j2]:
                    first, *others = self.style.lines([item], path, len(dash))
                    self._put_lines(
                        at,
                        [
                            dash + first.removeprefix("- "),
                            *(" " * len(dash) + line[INDENT:] for line in others),
                        ],
                    )

    def _set(self, key: yaml.ScalarNode, value: Any, old: Plain, new: Plain, path: KeyPath) -> None:
        is_collection = isinstance(value, yaml.CollectionNode)
        if is_collection and value.value and new and type(old) is type(new):
            self._update(value, old, new, path)
            return
        is_block, behind_key = is_collection and not value.flow_style, key.end_mark.index + 1
        is_empty = value.end_mark.index == value.start_mark.index
        end = behind_key if is_empty else self._end(value)
        column = key.start_mark.column
        self._put_lines(end, self._notes(behind_key, end), column)
        line = self.style.line(new)
        stays = isinstance(new, list) and not is_block and old is not None
        if (
            not _is_collection(new)
            or not new
            or stays
            or self.style.in_line(path, " " * column + f"{key.value}: {line}")
        ):
            start = behind_key if is_block or is_empty else value.start_mark.index
            self._changes.append((start, end, " " * (start == behind_key) + line))
        else:
            self._changes.append((behind_key, end, ""))
            self._put_lines(end, self.style.lines(new, path, column + INDENT), column + INDENT)

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _line_end(self, index: int) -> int:
        """Return the index behind the line break."""
        end = self.text.find("\n", index)
        return len(self.text) if end < 0 else end + 1

    def _end(self, node: yaml.Node) -> int:
        """Return the index behind a node's last character; PyYAML's own end of a block collection lies behind
        the comments that follow it."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            node = last[1] if isinstance(last, tuple) else last
        end = int(node.end_mark.index)
        return (
            len(self.text[:end].rstrip())
            if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
            else end
        )

    def _spans(self, collection: yaml.CollectionNode) -> list[tuple[int, int]]:
        """Return where each part of a collection (an item, or a key with its value) begins, and the place
        behind its last character."""
        spans = []
        for part in collection.value:
            first, last = part if isinstance(part, tuple) else (part, part)
            is_empty = isinstance(part, tuple) and last.start_mark.index == last.end_mark.index
            spans.append((first.start_mark.index, first.end_mark.index + 1 if is_empty else self._end(last)))
        return spans

    def _put_lines(self, index: int, lines: Iterable[str], column: int = 0) -> None:
        """Put whole lines behind the line of `index`."""
        at = self.style.behind(self.text, self._line_end(index))
        self._changes.append((at, at, "".join(f"{' ' * column}{line}\n" for line in lines)))

    def _remove(self, first: int, last: int) -> None:
        """A part that has lines for itself; what was noted beside it stays."""
        start, end = self._line_start(first), self._line_end(last)
        indent = self.text[start:first].partition("-")[0]
        self._changes.append((start, end, "".join(f"{indent}{note}\n" for note in self._notes(start, end))))

    def _notes(self, start: int, end: int) -> list[str]:
        return [note for at, note in self._comments if start <= at < end]

    @cached_property
    def _comments(self) -> list[tuple[int, str]]:
        """The comments, each with where it begins, which is between what else YAML reads."""
        tokens = pairwise(yaml.scan(self.text, Loader=FAST_LOADER))
        gaps = ((before.end_mark.index, after.start_mark.index) for before, after in tokens)
        notes = (
            note for start, end in gaps if start < end for note in _COMMENT.finditer(self.text, start, end)
        )
        return [(note.start(), note[0].rstrip()) for note in notes]
