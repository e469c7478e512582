"""YAML text to a tree of nodes that know their place: data only, bounded, and read as YAML 1.2; what is none
is explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from typing import Any

import yaml

from webarticlecurator.errors import Mistake, UsageError, told_by_system
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.storage.places import legible

MAX_BYTES = 2_000_000
MAX_NODES = 100_000
MAX_DEPTH = 40

FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = linear_at(r"null|Null|NULL|~|")
_BOOL = linear_at(r"true|True|TRUE|false|False|FALSE")
_INT = linear_at(r"[-+]?[0-9]+")
_FLOAT = linear_at(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_HALF_A_CHARACTER = linear("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A place in a file, 1-based."""

    file: Path
    line: int
    column: int

    @property
    def named(self) -> str:
        """Return the place as rules are told of, and kept with what they gave: `portal.yaml:31`."""
        return f"{legible(self.file.name)}:{self.line}"

    def mistake(self, message: str) -> Mistake:
        return Mistake(self.file, self.line, self.column, brief(message))


@dataclass(frozen=True, slots=True, eq=False)
class ScalarNode:
    """A text, number or other single value, where it stands."""

    place: FilePlace
    value: str | int | float | bool | None
    text: str
    """The value as written, without the quotes: `007` stays `007`."""
    plain: bool = False
    """True if the value is written without quotes."""
    swallowed: str | None = None
    """The text that YAML took for a comment though it looks like a selector: `#main`."""
    faulty: bool = False
    """A mistake has been reported of it; whoever reads on says nothing more."""


@dataclass(frozen=True, slots=True, eq=False)
class ListNode:
    """A list, where it stands."""

    place: FilePlace
    items: tuple[YamlNode, ...]
    flow: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MapNode:
    """A mapping, where it stands."""

    place: FilePlace
    entries: Mapping[str, YamlNode]
    keys: Mapping[str, FilePlace]
    """The place of each key."""
    flow: bool = False

    def get(self, key: str) -> YamlNode | None:
        """The value of a key; None where the key is absent or its value is null."""
        node = self.entries.get(key)
        return None if node is None or is_null(node) else node


YamlNode = ScalarNode | ListNode | MapNode


def is_null(node: YamlNode) -> bool:
    """Say whether it is written as nothing."""
    return isinstance(node, ScalarNode) and node.value is None


def scalars_in(node: YamlNode | None) -> Iterator[ScalarNode]:
    """Yield all single values at and below a node."""
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


_EMPTY = MapNode(FilePlace(Path(), 1, 1), {}, {})


def items(node: YamlNode | None) -> tuple[YamlNode, ...]:
    """The items of a list; a lone value stands for a list of one."""
    if node is None or is_null(node):
        return ()
    return node.items if isinstance(node, ListNode) else (node,)


def text(node: YamlNode | None) -> str | None:
    """A value as it is written; None of what has none."""
    return node.text if isinstance(node, ScalarNode) and node.value is not None else None


def texts(node: YamlNode | None) -> tuple[str, ...]:
    """Return the texts of a list, or of a value that stands alone."""
    return tuple(value for item in items(node) if (value := text(item)) is not None)


def mapping(node: YamlNode | None) -> MapNode:
    """The mapping; an empty one where there is none."""
    return node if isinstance(node, MapNode) else _EMPTY


def entries(node: YamlNode | None) -> dict[str, YamlNode]:
    """The entries of a mapping that are set."""
    return {key: value for key, value in mapping(node).entries.items() if not is_null(value)}


def content_of(path: Path) -> bytes:
    """Return what a file holds, or enough of it to see that it is too large. Raises UsageError where it
    cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {told_by_system(error)}") from None


def read_document(content: bytes, file: Path) -> tuple[YamlNode | None, list[Mistake]]:
    """Return whatever a file holds, None if that is nothing; and its mistakes."""
    if len(content) > MAX_BYTES:
        return None, [
            FilePlace(file, 1, 1).mistake(
                f"the file is larger than {MAX_BYTES:,} bytes; a few pages of text are expected"
            )
        ]
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _place_of_index(content.decode("latin-1"), error.start, file)
        return None, [place.mistake("this is not UTF-8 text; save the file in UTF-8")]
    # where only quotes are missing, it goes on as if they stood there, so that later mistakes are found too
    repaired: list[Mistake] = []
    loader = FAST_LOADER
    while True:
        composer = _Composer(text, file, loader)
        try:
            return composer.document(), [*repaired, *composer.mistakes]
        except _TooMuchError as error:
            return None, [*repaired, *composer.mistakes, *error.args]
        except (ValueError, OverflowError):  # PyYAML takes the number of a character as it comes
            mark = composer.loader.get_mark()
            place = FilePlace(file, mark.line + 1, mark.column + 1 - len(r"\U"))
            return None, [
                *repaired,
                *composer.mistakes,
                place.mistake(r"there is no such character; the last one is \U0010FFFF"),
            ]
        except yaml.YAMLError as error:
            if loader is not yaml.SafeLoader:
                loader = yaml.SafeLoader  # twenty times slower, but it tells where and what it stumbled over
                continue
            if isinstance(error, yaml.MarkedYAMLError):
                line, column, sentence, meant = _explain_syntax(error, text)
                mistake = FilePlace(file, line, column).mistake(sentence)
            else:
                place, meant = _place_of_index(text, getattr(error, "position", 0), file), None
                mistake = place.mistake("a control character that YAML does not allow stands here; delete it")
            # Where a mistake stands at the same place again, quotes were not what is missing there.
            if any((repair.line, repair.column) == (mistake.line, mistake.column) for repair in repaired):
                return None, [*repaired, *composer.mistakes]
            repaired.append(mistake)
            if meant is None or meant == text or len(repaired) > 20 or len(text) > 100_000:
                return None, [*repaired, *composer.mistakes]
            text = meant


def _place_of_index(text: str, index: int, file: Path) -> FilePlace:
    return FilePlace(file, text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1)


class _TooMuchError(Exception):
    """The file is built to hurt; reading stops. Its argument is the mistake."""


class _Composer:
    """Builds nodes from PyYAML's events: its own composer recurses without limit and loses what we need."""

    def __init__(self, text: str, file: Path, loader: Any) -> None:
        self.mistakes: list[Mistake] = []
        self._text, self._file, self._loader = text, file, loader
        self._anchors: dict[str, tuple[YamlNode, int, int]] = {}
        """The nodes by the names of their anchors, with how many nodes are in each, and how many of them are
        aliases."""
        self._nodes = self._aliases = 0
        self._brackets = 0
        """The number of brackets that are open around what is read."""

    def document(self) -> YamlNode | None:
        root: YamlNode | None = None
        self.loader: Any = self._loader(self._text)
        self._events: Iterator[yaml.Event] = iter(self.loader.get_event, None)
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    sentence = "a second YAML document begins here; a portal file has one (delete the `---`)"
                    raise _TooMuchError(self._place(event).mistake(sentence))
                root = self._node(next(self._events), 0)
        return root

    def _note(self, place: FilePlace, message: str) -> None:
        self.mistakes.append(place.mistake(message))

    def _place(self, event: yaml.Event) -> FilePlace:
        mark: Any = event.start_mark
        return FilePlace(self._file, mark.line + 1, mark.column + 1)

    def _node(self, event: yaml.Event, depth: int) -> YamlNode:
        place = self._place(event)
        if depth > MAX_DEPTH:
            raise _TooMuchError(place.mistake(f"nested deeper than {MAX_DEPTH} levels"))
        nodes, aliases = self._nodes, self._aliases
        self._add(1, place)
        node: YamlNode
        if isinstance(event, yaml.AliasEvent):
            self._aliases += 1
            return self._alias(event.anchor or "", place)
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event, place)
        else:
            assert isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent)
            if event.tag is not None:
                self._note(
                    place, f"`!` starts a YAML tag ({event.tag}), and a portal file has none; delete it"
                )
            flow = bool(event.flow_style)
            self._brackets += flow
            if isinstance(event, yaml.MappingStartEvent):
                node = self._mapping(place, depth + 1, flow)
            else:
                parts: list[YamlNode] = []
                while not isinstance(part := next(self._events), yaml.SequenceEndEvent):
                    parts.append(self._node(part, depth + 1))
                node = ListNode(place, tuple(parts), flow)
            self._brackets -= flow
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, self._nodes - nodes, self._aliases - aliases)
        return node

    def _add(self, count: int, place: FilePlace) -> None:
        self._nodes += count
        if self._nodes > MAX_NODES:
            sentence = (
                f"the file grows beyond {MAX_NODES:,} values here; repeated aliases (`*name`) may be the "
                "reason"
            )
            raise _TooMuchError(place.mistake(sentence))

    def _alias(self, name: str, place: FilePlace) -> YamlNode:
        if name not in self._anchors:
            meant = quoted(f"*{name}")
            self._note(
                place,
                f"`*` starts a YAML alias, and nothing is called `&{name}`; put a selector in quotes: "
                f"{meant}",
            )
            return ScalarNode(place, None, "", faulty=True)
        node, size, aliases = self._anchors[name]
        if aliases:
            # otherwise a short file could nest as deep as it likes
            raise _TooMuchError(place.mistake(f"`&{name}` holds an alias itself; write the value out"))
        self._add(size, place)
        return node

    def _scalar(self, event: yaml.ScalarEvent, place: FilePlace) -> ScalarNode:
        unquoted, text = not event.style, _whole_characters(event.value, place)
        if unquoted and not text and self._brackets and self._loader is not yaml.SafeLoader:
            raise yaml.YAMLError(
                "libyaml places an empty value in brackets at the next token, PyYAML where it is missing"
            )
        is_bare_anchor = event.anchor is not None and not text
        if event.tag is not None:
            meant = quoted(f"{event.tag} {text}".strip())
            self._note(
                place, f"`!` starts a YAML tag, and a portal file has none; put the text in quotes: {meant}"
            )
        elif is_bare_anchor and unquoted:
            self._note(
                place, f"`&` starts a YAML anchor; put a selector in quotes: {quoted(f'&{event.anchor}')}"
            )
        return ScalarNode(
            place,
            resolve(text) if unquoted else text,
            text,
            plain=unquoted,
            swallowed=self._comment_behind(event) if unquoted else None,
            faulty=event.tag is not None or is_bare_anchor,
        )

    def _comment_behind(self, event: yaml.ScalarEvent) -> str | None:
        """Return the comment that stands right behind a scalar."""
        comment = _COMMENT.match(self._text, event.end_mark.index) if event.end_mark else None
        return comment[1].rstrip() if comment else None

    def _mapping(self, place: FilePlace, depth: int, flow: bool) -> MapNode:
        entries: dict[str, YamlNode] = {}
        keys: dict[str, FilePlace] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key_place, key_node, value = (
                self._place(event),
                self._node(event, depth),
                self._node(next(self._events), depth),
            )
            key = key_node.text if isinstance(key_node, ScalarNode) else None
            if key is None:
                self._note(key_place, "a key must be text; if it is a selector, put it in quotes")
            elif key == "<<":
                self._note(
                    key_place,
                    "`<<` (YAML's merge key) has no meaning here; use `extends`, or `archive` for what "
                    "columns share",
                )
            elif key in entries:
                self._note(key_place, f"`{key}` stands twice, first in line {keys[key].line}; keep one")
            else:
                entries[key], keys[key] = value, key_place
        return MapNode(place, entries, keys, flow)


def _whole_characters(text: str, place: FilePlace) -> str:
    """Return a text in which each character is whole: JSON writes one beyond the first 65,536 as two
    escapes."""
    if not _HALF_A_CHARACTER.search(text):
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise _TooMuchError(
            place.mistake(r"an escape like \ud83d is half a character; write the character itself")
        ) from None


def resolve(text: str) -> str | int | float | bool | None:
    """A plain scalar by YAML 1.2's core schema; `no`, `on` and `2024-05-01` are text."""
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text[0] in "tT"
    if len(text) <= 18:
        if _INT.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            number = float(text)
            return number if number - number == 0 else text
    return text


# --- where YAML swallows a selector, and what to write instead ---

_COMMENT = linear_at(r"[ \t]+(#[^\s#].*)")
"""The `#main` that follows a plain value on its line; an ordinary comment has a blank after its `#`."""
_VALUE = linear_at(
    r"""^\s*(?:-\s+)*(?P<key>(?:"[^"]*"|'[^']*'|[^\s'"\[\]{}#&*!|>%@`,:](?:[^:\[\]{}]*[^\s:\[\]{}])?)\s*:\s+)?"""
    r"""(?P<value>\S(?:.*\S)?)\s*$"""
)
_ATTRIBUTE_FIRST = linear_at(r"\[[^\[\]]+\][\s>+~.:#\[a-zA-Z].*")
_FLOW_VALUE = linear(
    r"(?:[\[{,]|:\s)\s*(?P<value>[*&!%@`>|](?:\[[^\]]*\]|[^,\]}])*|[\w.#*:()-]+\[[^\]]*\](?:\[[^\]]*\]|[^,\]}\[])*)"
)
_FLOW_COMMENT = linear(
    r"(?:[\[{,]|:(?=\s))\s*(?P<value>(?P<kept>(?:[^\s\[\]{},:'\"#](?:(?!:\s)[^\[\]{},'\"])*?)?)(?<=\s)"
    r"(?P<lost>#[^\s#](?:\[[^\]]*\]|(?!:\s)[^,\]}])*))"
)
_KEY_COMMENT = linear_at(r"(?P<kept>[^\"'#]*?)\s(?P<lost>#[^\s#]*)\s*:\s+")
_MEANING = {
    "#": "starts a comment",
    "*": "starts a YAML alias",
    "&": "starts a YAML anchor",
    "!": "starts a YAML tag",
    "%": "starts a YAML directive",
    "@": "is reserved in YAML",
    "`": "is reserved in YAML",
    ">": "starts a folded text",
    "|": "starts a literal text",
    "[": "starts a YAML list",
    "{": "starts a YAML mapping",
    '"': "starts a quoted text that must end the value",
    "'": "starts a quoted text that must end the value",
}
_LONGEST = 600
"""Characters of a message."""
_ATTRIBUTES = linear_at(
    r"(?:data|aria)-[\w-]+|id|class|href|src|rel|role|name|property|datetime|item(?:prop|type|scope|id)|.*[~|^$*]?=.*"
)


def quoted(text: str) -> str:
    """The text as YAML reads it back."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def brief(text: str) -> str:
    """A sentence without the middle of the long value that it quotes."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST * 3 // 4]} ... {text[-_LONGEST // 4 :]}"


def truncated(kept: str, comment: str, what: str = "") -> str:
    """The sentence about a selector (or `what` else) that lost its end, or all of it, to a comment."""
    selector, colon, value = linear(r"(?<!\s)\s+#\s").split(comment)[0].rstrip().partition(": ")
    whole = quoted(f"{kept} {selector.rstrip()}".strip()) + colon + value
    return (
        f"YAML takes `{selector}` for a comment, because a blank stands before `#`; put the "
        f"{what or 'selector'} in quotes: {whole}"
    )


def attribute_selector(item: str) -> str | None:
    """The sentence about `[x=y]`, which is an attribute selector to a person and a list to YAML."""
    if _ATTRIBUTES.fullmatch(item) and "[" not in item:
        return f"YAML takes `[{item}]` for a list; put the selector in quotes: {quoted(f'[{item}]')}"
    return None


_Unquoted = tuple[int, str, str]
"""The place in its line where a value begins that needs quotes, the value, and the sentence about it."""


def _explain_syntax(error: yaml.MarkedYAMLError, source: str) -> tuple[int, int, str, str | None]:
    """Return what PyYAML stumbled over: line, column, a sentence, and the text with quotes where they are
    what is missing."""
    lines = source.splitlines() or [""]
    mark = error.problem_mark or error.context_mark
    stumbled = min(mark.line, len(lines) - 1) if mark else 0
    began = min(error.context_mark.line, stumbled) if error.context_mark else stumbled
    # a comment inside [...] or {...} hides the closing bracket: PyYAML notices lines later
    places = chain(
        product((stumbled, began), (_quotes_needed,)), product(range(stumbled, -1, -1), (_comment_in_flow,))
    )
    for number, look in places:
        if unquoted := look(lines[number]):
            start, value, sentence = unquoted
            repaired = lines[number][:start] + quoted(value) + lines[number][start + len(value) :]
            return (
                number + 1,
                start + 1,
                sentence,
                "\n".join([*lines[:number], repaired, *lines[number + 1 :]]),
            )
    column = (mark.column if mark and mark.line == stumbled else len(lines[stumbled])) + 1
    return stumbled + 1, column, _plain_words(str(error.problem or error.context), lines[stumbled]), None


def _plain_words(problem: str, line: str) -> str:
    if "'\\t'" in problem or line.lstrip(" ").startswith("\t"):
        return "a tab stands where YAML wants blanks; indent with blanks"
    if "mapping values are not allowed" in problem:
        return (
            "a second `: ` stands in this line, or the line is indented too far; a value that holds `: ` "
            "needs quotes"
        )
    if "could not find expected ':'" in problem:
        return "this line is no `key: value`; is a colon missing, or an indentation wrong?"
    if "unexpected end of stream" in problem or "EOF" in problem:
        return "a quote or bracket is opened and never closed"
    if "unknown escape" in problem:
        return (
            "between double quotes a backslash begins an escape; put the value between single quotes, where "
            "it is itself"
        )
    return (
        f"this is not YAML: {problem}; is an indentation wrong, a bracket left open, or are quotes missing?"
    )


def _quotes_needed(line: str) -> _Unquoted | None:
    """The value of this line, if it begins with one of YAML's indicators or holds what ends a value."""
    match = _VALUE.match(line)
    if not match or line.lstrip().startswith("#"):
        return None
    if match["key"] and (comment := _KEY_COMMENT.fullmatch(match["key"])):
        key = match["key"].rstrip().removesuffix(":").rstrip()
        return match.start("key"), key, truncated(comment["kept"].rstrip(), comment["lost"])
    value, start = linear(r"(?<!\s)\s+#\s").split(match["value"])[0].rstrip(), match.start("value")
    if value[0] in "[{" and not _ATTRIBUTE_FIRST.fullmatch(value):
        if not (match := _FLOW_VALUE.search(line, start)):
            return None
        value = match["value"].rstrip()
        reason = (
            f"`{value[0]}` {_MEANING[value[0]]}"
            if value[0] in _MEANING
            else "`[`, `]`, `{`, `}` and `,` end a value"
        )
        return (
            match.start("value"),
            value,
            f"inside [...] and {{...}}, {reason}; put the value in quotes: {quoted(value)}",
        )
    in_quotes = f"{(match['key'] or '').strip()} {quoted(value)}".strip()
    if value[0] in "'\"" and value.count(value[0]) == 1:
        return None
    if value[0] in _MEANING:
        return (
            start,
            value,
            f"`{value[0]}` at the start of a value {_MEANING[value[0]]}; put the value in quotes: "
            f"{in_quotes}",
        )
    return (start, value, f"a value that holds `: ` needs quotes: {in_quotes}") if ": " in value else None


def _comment_in_flow(line: str) -> _Unquoted | None:
    match = _FLOW_COMMENT.search(line)
    if not match or line.lstrip().startswith("#"):
        return None
    return (
        match.start("value"),
        match["value"].rstrip(),
        truncated(match["kept"].rstrip(), match["lost"].rstrip()),
    )
