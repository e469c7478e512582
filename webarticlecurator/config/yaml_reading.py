"""YAML text to a tree of nodes: data only, bounded, and read as YAML 1.2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from webarticlecurator.config.yaml_hints import explain_syntax, quoted, swallowed_comment
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, ScalarNode, YamlNode, is_null
from webarticlecurator.errors import Mistake, UsageError

MAX_BYTES = 2_000_000
MAX_NODES = 100_000
MAX_DEPTH = 40
MAX_REPAIRS = 20
MAX_REPAIRED_LENGTH = 100_000

_FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 18
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")


def content_of(path: Path) -> bytes:
    """What a file holds, or enough of it to see that it is too large. Raises UsageError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None


def read_yaml(content: bytes, file: Path) -> tuple[MapNode | None, list[Mistake]]:
    """The mapping that a portal file holds, and every mistake in its YAML; None where nothing can be made of it."""
    root, mistakes = read_document(content, file, "a portal file")
    if root is None and mistakes:
        return None, mistakes
    if root is None or is_null(root):
        return None, [*mistakes, FilePlace(file, 1, 1).mistake("the file is empty; a portal file needs at least `portal` and `home`")]
    if not isinstance(root, MapNode):
        return None, [*mistakes, root.place.mistake("a portal file is a mapping: lines of `key: value`")]
    return root, mistakes


def read_document(content: bytes, file: Path, what: str) -> tuple[YamlNode | None, list[Mistake]]:
    """Whatever a file holds, None if that is nothing; `what`: the kind of file, for messages."""
    if len(content) > MAX_BYTES:
        return None, [FilePlace(file, 1, 1).mistake(f"the file is larger than {MAX_BYTES:,} bytes; {what} is a few pages of text")]
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _place_of_index(content.decode("latin-1"), error.start, file)
        return None, [place.mistake("this is not UTF-8 text; save the file in UTF-8")]
    return _compose(text, file)


def _compose(text: str, file: Path) -> tuple[YamlNode | None, list[Mistake]]:
    """Compose; where only quotes are missing, go on as if they stood there, so that later mistakes are found too."""
    repaired: list[Mistake] = []
    loader = _FAST_LOADER
    while True:
        composer = _Composer(text, file, loader)
        try:
            return composer.document(), [*repaired, *composer.mistakes]
        except _TooMuchError as error:
            return None, [*repaired, *composer.mistakes, error.mistake]
        except yaml.YAMLError as error:
            if loader is not yaml.SafeLoader:
                loader = yaml.SafeLoader  # twenty times slower, but it tells where and what it stumbled over
                continue
            mistake, meant = _explained(error, text, file)
            if any((one.line, one.column) == (mistake.line, mistake.column) for one in repaired):  # quotes were not what is missing there
                return None, [*repaired, *composer.mistakes]
            repaired.append(mistake)
            if meant is None or meant == text or len(repaired) > MAX_REPAIRS or len(text) > MAX_REPAIRED_LENGTH:
                return None, [*repaired, *composer.mistakes]
            text = meant


def _explained(error: yaml.YAMLError, text: str, file: Path) -> tuple[Mistake, str | None]:
    """What PyYAML stumbled over, and the text with the quotes that are missing, if that is all."""
    if isinstance(error, yaml.MarkedYAMLError):
        hint = explain_syntax(error, text)
        return FilePlace(file, hint.line, hint.column).mistake(hint.sentence), hint.repaired
    place = _place_of_index(text, getattr(error, "position", 0), file)
    return place.mistake("a control character that YAML does not allow stands here; delete it"), None


def _place_of_index(text: str, index: int, file: Path) -> FilePlace:
    return FilePlace(file, text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1)


class _TooMuchError(Exception):
    """The file is built to hurt; reading stops."""

    def __init__(self, place: FilePlace, message: str) -> None:
        super().__init__(message)
        self.mistake = place.mistake(message)


class _Composer:
    """Builds nodes from PyYAML's events: its own composer recurses without limit and loses what we need."""

    def __init__(self, text: str, file: Path, loader: Any) -> None:
        self.mistakes: list[Mistake] = []
        self._text = text
        self._file = file
        self._anchors: dict[str, tuple[YamlNode, int, int]] = {}
        """Name -> node, how many nodes are in it, and how many of them are aliases."""
        self._nodes = 0
        self._aliases = 0
        self._flow = 0
        self._loader = loader
        self._events: Iterator[yaml.Event] = self._read()

    def document(self) -> YamlNode | None:
        root: YamlNode | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    raise _TooMuchError(self._place(event), "a second YAML document begins here; a portal file has one (delete the `---`)")
                root = self._node(next(self._events), 0)
        return root

    def _read(self) -> Iterator[yaml.Event]:
        loader = self._loader(self._text)
        while True:
            try:
                event: yaml.Event | None = loader.get_event()
            except (ValueError, OverflowError):  # PyYAML takes the number of a character as it comes
                mark = loader.get_mark()
                place = FilePlace(self._file, mark.line + 1, mark.column + 1 - len(r"\U"))
                raise _TooMuchError(place, r"there is no such character; the last one is \U0010FFFF") from None
            if event is None:
                return
            yield event

    def _note(self, place: FilePlace, message: str) -> None:
        self.mistakes.append(place.mistake(message))

    def _place(self, event: yaml.Event) -> FilePlace:
        mark = event.start_mark
        return FilePlace(self._file, mark.line + 1, mark.column + 1) if mark else FilePlace(self._file, 1, 1)

    def _node(self, event: yaml.Event, depth: int) -> YamlNode:
        place = self._place(event)
        if depth > MAX_DEPTH:
            raise _TooMuchError(place, f"nested deeper than {MAX_DEPTH} levels")
        nodes, aliases = self._nodes, self._aliases
        self._add(1, place)
        if isinstance(event, yaml.AliasEvent):
            self._aliases += 1
            return self._alias(event, place)
        node: YamlNode
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event, place)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            node = self._collection(event, place, depth)
        else:
            raise _TooMuchError(place, "this is not YAML")
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, self._nodes - nodes, self._aliases - aliases)
        return node

    def _collection(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent, place: FilePlace, depth: int) -> ListNode | MapNode:
        if event.tag is not None:
            self._note(place, f"`!` starts a YAML tag ({event.tag}), and a portal file has none; delete it")
        flow = bool(event.flow_style)
        self._flow += flow
        node: ListNode | MapNode
        if isinstance(event, yaml.SequenceStartEvent):
            node = ListNode(place, tuple(self._list(depth)), flow)
        else:
            node = self._mapping(place, depth, flow)
        self._flow -= flow
        return node

    def _list(self, depth: int) -> Iterator[YamlNode]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _add(self, count: int, place: FilePlace) -> None:
        self._nodes += count
        if self._nodes > MAX_NODES:
            raise _TooMuchError(place, f"the file grows beyond {MAX_NODES:,} values here; repeated aliases (`*name`) may be the reason")

    def _alias(self, event: yaml.AliasEvent, place: FilePlace) -> YamlNode:
        if event.anchor not in self._anchors:
            meant = quoted(f"*{event.anchor}")
            self._note(place, f"`*` starts a YAML alias, and nothing is called `&{event.anchor}`; put a selector in quotes: {meant}")
            return ScalarNode(place, None, "", faulty=True)
        node, size, aliases = self._anchors[event.anchor]
        if aliases:
            # otherwise a short file could nest as deep as it likes
            raise _TooMuchError(place, f"`&{event.anchor}` holds an alias itself; write the value out")
        self._add(size, place)
        return node

    def _scalar(self, event: yaml.ScalarEvent, place: FilePlace) -> ScalarNode:
        unquoted = not event.style
        if unquoted and not event.value and self._flow and self._loader is not yaml.SafeLoader:
            raise yaml.YAMLError("libyaml places an empty value in brackets at the next token, PyYAML where it is missing")
        text = self._whole_characters(event.value, place)
        if event.tag is not None:
            meant = quoted(f"{event.tag} {text}".strip())
            self._note(place, f"`!` starts a YAML tag, and a portal file has none; put the text in quotes: {meant}")
        elif event.anchor is not None and not text and unquoted:
            self._note(place, f"`&` starts a YAML anchor; put a selector in quotes: {quoted(f'&{event.anchor}')}")
        return ScalarNode(
            place,
            resolve(text) if unquoted else text,
            text,
            plain=unquoted,
            flow=self._flow > 0,
            swallowed=swallowed_comment(self._text, event.end_mark.index) if unquoted and event.end_mark else None,
            faulty=event.tag is not None or (event.anchor is not None and not text),
        )

    def _whole_characters(self, text: str, place: FilePlace) -> str:
        """JSON writes a character beyond the first 65,536 as two escapes; one of them alone is no text."""
        if _HALF_A_CHARACTER.search(text) is None:
            return text
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise _TooMuchError(place, r"an escape like \ud83d is half a character; write the character itself") from None

    def _mapping(self, place: FilePlace, depth: int, flow: bool) -> MapNode:
        entries: dict[str, YamlNode] = {}
        keys: dict[str, FilePlace] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key_place = self._place(event)
            key_node = self._node(event, depth + 1)
            value = self._node(next(self._events), depth + 1)
            if not isinstance(key_node, ScalarNode):
                self._note(key_place, "a key must be text; if it is a selector, put it in quotes")
                continue
            key = key_node.text
            if key == "<<":
                self._note(key_place, "`<<` (YAML's merge key) has no meaning here; use `extends`, or `archive` for what columns share")
            elif key in entries:
                self._note(key_place, f"`{key}` stands twice, first in line {keys[key].line}; keep one")
            else:
                entries[key], keys[key] = value, key_place
        return MapNode(place, entries, keys, flow=flow)


def resolve(text: str) -> str | int | float | bool | None:
    """A plain scalar by YAML 1.2's core schema; `no`, `on` and `2024-05-01` are text."""
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text[0] in "tT"
    if len(text) <= _LONGEST_NUMBER:
        if _INT.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            number = float(text)
            return number if number - number == 0 else text
    return text
