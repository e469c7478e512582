"""Puts an expectation into the text of a tests.yaml: nothing else in the file changes, and comments stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from textwrap import dedent
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from webarticlecurator.config.expectations import Expectation, Kind, parse_expectations, read_pages
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, is_null, plain
from webarticlecurator.config.yaml_reading import read_document
from webarticlecurator.errors import PortalFileError, UsageError

OPENING = "# What must come out of named pages of this portal; `curator test` checks it.\n"
_LIKE_A_KEY = re.compile(r"\?|^:|:(\W|$)")
"""What the reader, other than the writer, may take for a key where it stands in brackets without quotes: URLs, too."""
_WIDE = 10**6
"""A text stays on its line."""


def entry_of(text: str, path: Path, url: str, kind: Kind | None) -> Mapping[str, Any] | None:
    """What the file says of a page, the first entry unless a kind is given. Raises PortalFileError with all mistakes in the file."""
    found = _find(_pages(text, path), url, kind)
    return plain(found) if found is not None else None


def with_entry(text: str, path: Path, page: Mapping[str, Any]) -> str:
    """The text with this entry (`url`, `as`, `expect`) in the place of the one of the same page, else at the end.

    Raises UsageError where the file is written in a way that only a person can change.
    """
    pages = _pages(text, path)
    old = _find(pages, page["url"], page.get("as", "article"))
    lines = text.splitlines(keepends=True)
    if old is None:
        new = _ending_line(text or OPENING) + _entry(_quoted(page), _indent(pages))
    else:
        first, behind = _span(lines, pages, old)
        new = "".join([*lines[:first], _changed("".join(lines[first:behind]), page, _indent(pages), path), *lines[behind:]])
    _must_say(new, text, path, page)
    return new


def _pages(text: str, path: Path) -> ListNode | None:
    """None: nothing but comments."""
    root, mistakes = read_document(text.encode(), path, "a file of expectations")
    return None if not mistakes and (root is None or is_null(root)) else read_pages(text.encode(), path)


def _find(pages: ListNode | None, url: str, kind: Kind | None) -> MapNode | None:
    for page in pages.items if pages is not None else ():
        assert isinstance(page, MapNode)
        said = plain(page)
        if said["url"] == url and kind in (None, said.get("as", "article")):
            return page
    return None


def _indent(pages: ListNode | None) -> int:
    return pages.place.column - 1 if pages is not None else 0


def _span(lines: list[str], pages: ListNode | None, page: MapNode) -> tuple[int, int]:
    """The lines of an entry, from its dash to before the comments of the next one."""
    assert pages is not None
    indent = _indent(pages)
    first = page.place.line - 1
    while first > 0 and not lines[first].startswith(" " * indent + "-"):
        first -= 1
    starts = [other.place.line - 1 for other in pages.items if other.place.line > page.place.line]
    behind = min(starts, default=len(lines))
    while behind > first + 1 and not _belongs(lines[behind - 1], indent):
        behind -= 1
    return first, behind


def _belongs(line: str, indent: int) -> bool:
    """Whether a line is the entry's: it is deeper than the dash."""
    return bool(line.strip()) and len(line) - len(line.lstrip(" ")) > indent


def _changed(entry: str, page: Mapping[str, Any], indent: int, path: Path) -> str:
    try:
        said = _yaml().load(dedent(f"{entry[:indent]} {entry[indent + 1 :]}"))
    except YAMLError:
        said = None
    if not isinstance(said, CommentedMap):
        raise _only_by_hand(path, page["url"])
    _update(said, {**{key: said[key] for key in said if key != "expect"}, "expect": page["expect"]})
    return _entry(said, indent)


def _update(said: CommentedMap, new: Mapping[str, Any]) -> None:
    """Touch only what is different, so that the rest stays as it is written."""
    for key in [key for key in said if key not in new]:
        del said[key]
    for position, (key, value) in enumerate(new.items()):
        if key not in said:
            said.insert(position, key, _quoted(value))
        elif isinstance(said[key], CommentedMap) and isinstance(value, Mapping):
            _update(said[key], value)
        elif said[key] != value:
            said[key] = _quoted(value)


def _quoted(value: Any) -> Any:
    """The value, its texts in quotes where they need them."""
    if isinstance(value, str):
        return DoubleQuotedScalarString(value) if _LIKE_A_KEY.search(value) else value
    if isinstance(value, Mapping):
        return {key: _quoted(inner) for key, inner in value.items()}
    return [_quoted(inner) for inner in value] if isinstance(value, list) else value


def _entry(page: Mapping[str, Any], indent: int) -> str:
    stream = StringIO()
    _yaml().dump(page, stream)
    first, *others = stream.getvalue().splitlines(keepends=True)
    deeper = " " * (indent + 2)
    return " " * indent + "- " + first + "".join(deeper + line if line.strip() else line for line in others)


class _Representer(RoundTripRepresenter):
    """Says `null` where there is nothing (an empty place looks forgotten), and everything where it stands, without aliases."""

    def represent_nothing(self, _: None) -> Any:
        return self.represent_scalar("tag:yaml.org,2002:null", "null")

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


_Representer.add_representer(type(None), _Representer.represent_nothing)


def _yaml() -> YAML:
    yaml = YAML()
    yaml.Representer = _Representer
    yaml.preserve_quotes = True
    yaml.width = _WIDE
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _ending_line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _must_say(new: str, old: str, path: Path, page: Mapping[str, Any]) -> None:
    """What a program wrote is read again before it counts: this page is as it should be, and every other as it was."""
    try:
        said = entry_of(new, path, page["url"], page.get("as", "article"))
        harmed = said is None or said["expect"] != page["expect"] or _others(new, path, page) != _others(old, path, page)
    except PortalFileError:
        harmed = True
    if harmed:
        raise _only_by_hand(path, page["url"])


def _others(text: str, path: Path, page: Mapping[str, Any]) -> list[Expectation]:
    pages = parse_expectations(text.encode(), path) if _pages(text, path) is not None else ()
    return [one for one in pages if (one.url, one.kind) != (page["url"], page.get("as", "article"))]


def _only_by_hand(path: Path, url: str) -> UsageError:
    return UsageError(
        f"{path} is written in a way that a program cannot change without harm (aliases, or a list in brackets), so nothing was written."
        f" Write each page on lines of its own, `- url: ...`, or enter what you expect of {url} by hand."
    )
