"""What compiling a portal file needs at every turn: where mistakes go, the language, and files beside the portal file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from webarticlecurator.config.scalars import LiteralSecretError
from webarticlecurator.config.selector_advice import advice_on, advice_on_names
from webarticlecurator.config.template import ARCHIVE_NAMES, UrlTemplate
from webarticlecurator.config.yaml_hints import quoted, shortened
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, ScalarNode, YamlNode, is_null
from webarticlecurator.errors import Mistake
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector, SelectorError
from webarticlecurator.urls import normalise

T = TypeVar("T")

MOST_WARNINGS = 200
"""More of them nobody reads at once."""
MAX_SIDE_FILE = 64_000_000
_EMPTY = MapNode(FilePlace(Path(), 1, 1), {}, {})


@dataclass(slots=True, eq=False)
class NodeCompiler:
    """Turns nodes of a checked tree into values; a mistake is noted, and None stands for its value."""

    language: str | None = None
    """In which templates write month names."""
    in_json: bool = False
    """What picks look at is JSON."""
    placeholders: frozenset[str] = ARCHIVE_NAMES
    """That templates may hold."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Further ones, which are filled in at once: `{home}`, and the `vars` of a column."""
    mistakes: list[Mistake] = field(default_factory=list)
    warnings: list[Mistake] = field(default_factory=list)
    """What is hardly meant, and keeps no portal from being used."""
    _known: dict[tuple[int, object], tuple[YamlNode | None, Any]] = field(default_factory=dict)
    """Id of a node and purpose -> value, with the node, so that no other one gets its id."""

    def note(self, place: FilePlace, message: str) -> None:
        self.mistakes.append(place.mistake(message))

    def warn(self, place: FilePlace, message: str) -> None:
        self.warnings.append(place.mistake(message))

    def parse(self, node: YamlNode | None, parser: Callable[[str], T]) -> T | None:
        """What `parser` makes of a scalar's text."""
        if not isinstance(node, ScalarNode) or node.value is None:
            return None
        return self.once(node, parser, lambda: self._parse(node, parser))

    def template(self, node: YamlNode | None) -> UrlTemplate | None:
        return self.parse(node, self._parse_template)

    def template_of_value(self, node: YamlNode | None) -> UrlTemplate | None:
        """A template that is filled with a value that was picked."""
        return replace(self, placeholders=frozenset({"value"})).template(node)

    def _parse_template(self, text: str) -> UrlTemplate:
        return UrlTemplate.parse(text, names=self.placeholders, language=self.language, known=self.variables)

    def _parse(self, node: ScalarNode, parser: Callable[[str], T]) -> T | None:
        try:
            value = parser(node.text)
            if isinstance(value, Selector) and len(self.warnings) < MOST_WARNINGS:
                for advice in advice_on_names(node.text):
                    self.warn(node.place, advice)
            return value
        except LiteralSecretError as error:
            self.note(node.place, str(error))
        except SelectorError as error:
            self.note(node.place, _with_text(f"{error}{advice_on(node.text)}", node.text))
        except ValueError as error:
            self.note(node.place, _with_text(str(error), node.text))
        return None

    def once(self, node: YamlNode | None, purpose: object, compute: Callable[[], T]) -> T:
        """Compute it the first time: hundreds of columns may share what `archive` says."""
        key = (id(node), purpose)
        if key not in self._known:
            self._known[key] = (node, compute())
        value: T = self._known[key][1]
        return value

    def parse_all(self, node: YamlNode | None, parser: Callable[[str], T]) -> tuple[T, ...]:
        """The same for a list, or one scalar in place of it."""
        return tuple(value for item in items(node) if (value := self.parse(item, parser)) is not None)

    def selector(self, node: YamlNode | None) -> Selector | None:
        """A selector; of a list, what matches any of them."""
        found = self.parse_all(node, Selector.parse)
        if len(found) < 2 or node is None:
            return found[0] if found else None
        return Selector.parse(", ".join(str(item.text) for item in items(node) if isinstance(item, ScalarNode)))

    def replacements(self, node: YamlNode | None) -> tuple[tuple[Pattern, str], ...]:
        """Pairs of pattern and replacement, whose groups must exist."""
        pairs = []
        for pair in map(items, items(node)):
            pattern, replacement = (self.parse(pair[0], Pattern.parse), text(pair[1])) if len(pair) == 2 else (None, None)
            if pattern is None or replacement is None:
                continue
            try:
                pattern.check_replacement(replacement)
                pairs.append((pattern, replacement))
            except ValueError as error:
                self.note(pair[1].place, str(error))
        return tuple(pairs)

    def file(self, node: YamlNode | None) -> Path | None:
        """A file that the portal file names: beside it or below, and there."""
        if not isinstance(node, ScalarNode) or node.value is None:
            return None
        folder, named = node.place.file.parent, shortened(node.text)
        path = folder / node.text
        try:
            inside = path.resolve().is_relative_to(folder.resolve())
        except (OSError, ValueError, RuntimeError):
            inside = False
        if inside and is_file(path):
            return path
        where = "leads out of the folder of this file; copy the file there and name it without `..` or `/` at its start"
        absent = f"there is no file {named}; it is looked for relative to this file"
        self.note(node.place, absent if inside else f"{named} {where}")
        return None

    def url_list(self, node: YamlNode | None) -> frozenset[str]:
        """A file of URLs, one a line, in the form in which links are compared with them."""
        return self.once(node, "url list", lambda: frozenset(normalise(line.strip()) for _, line in self._lines(node)))

    def url_table(self, node: YamlNode | None) -> dict[str, str]:
        """A tab-separated file from URLs to URLs."""
        return self.once(node, "url table", lambda: {normalise(before): after for before, after in self.table(node).items()})

    def table(self, node: YamlNode | None) -> dict[str, str]:
        """A tab-separated file of two columns."""
        return self.once(node, "table", lambda: self._table(node))

    def _table(self, node: YamlNode | None) -> dict[str, str]:
        rows: dict[str, str] = {}
        for number, line in self._lines(node):
            before, tab, after = line.partition("\t")
            if not tab and node is not None:
                self.note(node.place, f"line {number} of {shortened(text(node) or '')} has no tab; expected two columns, from and to")
                break
            rows[before.strip()] = after.strip()
        return rows

    def _lines(self, node: YamlNode | None) -> tuple[tuple[int, str], ...]:
        """The numbered lines of such a file, without empty ones."""
        path = self.file(node)
        if path is None or node is None:
            return ()
        try:
            if path.stat().st_size > MAX_SIDE_FILE:
                self.note(node.place, f"{path.name} is larger than {MAX_SIDE_FILE:,} bytes")
                return ()
            content = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            self.note(node.place, f"{path.name} cannot be read as UTF-8 text: {error}")
            return ()
        return tuple((number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip())


def is_file(path: Path) -> bool:
    """Whether it is one; a name that no file system can hold is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _with_text(message: str, text: str) -> str:
    """The message with the text that it speaks of, unless that is already in it."""
    return message if text in message else f"{message} (in {quoted(text)})"


def items(node: YamlNode | None) -> tuple[YamlNode, ...]:
    """The items of a list; a lone value stands for a list of one."""
    if node is None or is_null(node):
        return ()
    return node.items if isinstance(node, ListNode) else (node,)


def text(node: YamlNode | None) -> str | None:
    return node.text if isinstance(node, ScalarNode) and node.value is not None else None


def texts(node: YamlNode | None) -> tuple[str, ...]:
    return tuple(value for item in items(node) if (value := text(item)) is not None)


def whole_number(node: YamlNode | None) -> int | None:
    return node.value if isinstance(node, ScalarNode) and isinstance(node.value, int) and not isinstance(node.value, bool) else None


def flag(node: YamlNode | None) -> bool | None:
    return node.value if isinstance(node, ScalarNode) and isinstance(node.value, bool) else None


def mapping(node: YamlNode | None) -> MapNode:
    """The mapping; an empty one where there is none."""
    return node if isinstance(node, MapNode) else _EMPTY


def entries(node: YamlNode | None) -> dict[str, YamlNode]:
    """The entries of a mapping that are set."""
    return {key: value for key, value in mapping(node).entries.items() if not is_null(value)}
