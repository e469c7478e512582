"""Puts an expectation into the text of a tests.yaml: nothing else in the file changes, and comments stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from webarticlecurator.config.expectations import Expectation, Kind, parse_expectations, read_pages
from webarticlecurator.config.yaml_nodes import ListNode, is_null, plain
from webarticlecurator.config.yaml_reading import read_document
from webarticlecurator.config.yaml_text import Written, YamlText, in_lines, scalar
from webarticlecurator.errors import PortalFileError, UsageError

OPENING = "# What must come out of named pages of this portal; `curator test` checks it.\n"
_MISTAKEN = re.compile(r"\?|^:|:(\W|$)|^\d{4}-\d\d?-\d\d?(\D|$)")
"""What a person may take for a key where it stands without quotes, URLs too, and another program for a date instead of a text."""


def entry_of(text: str, path: Path, url: str, kind: Kind | None) -> Mapping[str, Any] | None:
    """What the file says of a page, the first entry unless a kind is given. Raises PortalFileError with all mistakes in the file."""
    return next((entry for entry in _entries(_pages(text, path)) if entry["url"] == url and kind in (None, _page(entry)[1])), None)


def with_entry(text: str, path: Path, page: Mapping[str, Any]) -> str:
    """The text with this entry (`url`, `as`, `expect`) in the place of the one of the same page, else at the end.

    Raises UsageError where the file is written in a way that only a person can change.
    """
    pages = _pages(text, path)
    same = [number for number, entry in enumerate(_entries(pages)) if _page(entry) == _page(page)]
    if same and pages is not None and pages.flow:
        raise _only_by_hand(path, page["url"])
    try:
        new = _changed(text, same[0], _entries(pages)[same[0]]["expect"], page["expect"]) if same else _appended(text, pages, page)
    except yaml.YAMLError:  # PyYAML is stricter than we: of one anchor twice, for one
        raise _only_by_hand(path, page["url"]) from None
    _must_say(new, text, path, page)
    return new


def _pages(text: str, path: Path) -> ListNode | None:
    """None: nothing but comments."""
    root, mistakes = read_document(text.encode(), path, "a file of expectations")
    return None if not mistakes and (root is None or is_null(root)) else read_pages(text.encode(), path)


def _entries(pages: ListNode | None) -> list[dict[str, Any]]:
    return plain(pages) if pages is not None else []


def _page(entry: Mapping[str, Any]) -> tuple[str, Kind]:
    """Which page an entry is about."""
    return entry["url"], entry.get("as", "article")


def _appended(text: str, pages: ListNode | None, page: Mapping[str, Any]) -> str:
    indent = " " * (pages.place.column - 1) if pages is not None else ""
    text = text or OPENING
    lines = in_lines([_written(page, in_brackets=False)])
    return "".join([text, "" if text.endswith("\n") else "\n", *(f"{indent}{line}\n" for line in lines)])


def _changed(text: str, number: int, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """With another `expect` in the entry of that number."""
    edit = YamlText(text)
    assert isinstance(edit.root, yaml.SequenceNode)
    entry = edit.root.value[number]
    expect = next(value for key, value in entry.value if key.value == "expect")
    _update(edit, expect, old, new, in_brackets=entry.flow_style)
    return edit.result()


def _update(edit: YamlText, node: yaml.MappingNode, old: Mapping[str, Any], new: Mapping[str, Any], *, in_brackets: bool) -> None:
    """Touch only what is different, so that the rest stays as it is written."""
    in_brackets = in_brackets or bool(node.flow_style)
    removed = [part for (key, _), part in zip(node.value, edit.parts(node), strict=True) if key.value not in new]
    more = {key: _written(value, in_brackets=in_brackets) for key, value in new.items() if key not in old}
    if removed or more:
        edit.change(node, removed, more)
    for key, value in node.value:
        name = key.value
        if name not in new or new[name] == old[name]:
            continue
        if isinstance(value, yaml.MappingNode) and isinstance(new[name], Mapping):
            _update(edit, value, old[name], new[name], in_brackets=in_brackets)
        else:
            inside = in_brackets or (isinstance(value, yaml.CollectionNode) and bool(value.flow_style))
            edit.set_value(key, value, _written(new[name], in_brackets=inside), in_brackets=in_brackets)


def _written(value: Any, *, in_brackets: bool) -> Written:
    if isinstance(value, str):
        return scalar(value, flow=in_brackets, plain=not _MISTAKEN.search(value))
    if isinstance(value, Mapping):
        return {key: _written(inner, in_brackets=in_brackets) for key, inner in value.items()}
    if isinstance(value, list):
        return [_written(inner, in_brackets=in_brackets) for inner in value]
    return "null" if value is None else str(value).lower()


def _must_say(new: str, old: str, path: Path, page: Mapping[str, Any]) -> None:
    """What a program wrote is read again before it counts: this page is as it should be, and every other as it was."""
    try:
        entry = entry_of(new, path, *_page(page))
        harmed = entry is None or entry["expect"] != page["expect"] or _others(new, path, page) != _others(old, path, page)
    except PortalFileError:
        harmed = True
    if harmed:
        raise _only_by_hand(path, page["url"])


def _others(text: str, path: Path, page: Mapping[str, Any]) -> list[Expectation]:
    pages = parse_expectations(text.encode(), path) if _pages(text, path) is not None else ()
    return [one for one in pages if (one.url, one.kind) != _page(page)]


def _only_by_hand(path: Path, url: str) -> UsageError:
    return UsageError(
        f"{path} is written in a way that a program cannot change without harm (aliases, or a list in brackets), so nothing was written."
        f" Write each page on lines of its own, `- url: ...`, or enter what you expect of {url} by hand."
    )
