"""The links of archive pages that are JSON: paths to addresses, and to HTML that holds links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from webarticlecurator.document.page import parse_html
from webarticlecurator.learning.links.anchors import MOST_WORDS, Addresses, LinksOfPages
from webarticlecurator.learning.links.candidates import Candidate
from webarticlecurator.learning.links.ranking import members
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import is_http, join

MOST_VALUES = 20_000
"""Texts of one document that are looked at."""
_DEEPEST = 12
_LONGEST_ADDRESS = 2_000
_LONGEST_HTML = 2_000_000
_MOST_PATHS = 20
_MOST_KEYS = 30
"""Of an object; one with more, or with numbers for names, is a list by another name."""
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ADDRESS = re.compile(r"(?:https?:/)?/[^\s<>]*", re.ASCII)
_HTML = re.compile(r"<a\s[^>]*href", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JsonText:
    """A text in a document, and the JMESPath of all of its kind."""

    path: str
    text: str


def json_texts(document: Any) -> Iterator[JsonText]:
    """In their order, up to a bound."""
    yield from islice(_texts(document, ""), MOST_VALUES)


def _texts(value: Any, path: str, depth: int = 0) -> Iterator[JsonText]:
    if isinstance(value, str):
        yield JsonText(path, value)
    elif depth < _DEEPEST and isinstance(value, list):
        for item in value:
            yield from _texts(item, f"{path}[]", depth + 1)
    elif depth < _DEEPEST and isinstance(value, dict):
        is_list = len(value) > _MOST_KEYS or (bool(value) and all(str(name).isdigit() for name in value))
        for name, item in value.items():
            key = "*" if is_list else json_key(name)
            yield from _texts(item, f"{path}.{key}" if path else key, depth + 1)


def json_key(name: str) -> str:
    """As JMESPath has it."""
    return name if _PLAIN_KEY.fullmatch(name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def address_candidates(pages: Sequence[Page], article_at: Callable[[str, Page], str | None]) -> tuple[LinksOfPages, list[Candidate]]:
    """The addresses in documents, and each path that leads to some."""
    addresses = Addresses(pages, article_at)
    found: dict[str, Candidate] = {}
    for at, page in enumerate(pages):
        for one in json_texts(page.json):
            if len(one.text) > _LONGEST_ADDRESS or not _ADDRESS.fullmatch(one.text):
                continue
            url = join(page.base, one.text, encoding=page.encoding)
            known = addresses.number(at, url, MOST_WORDS) if url is not None and is_http(url) else None
            if known is not None:
                candidate = found.get(one.path) or found.setdefault(one.path, Candidate(one.path))
                candidate.bits |= 1 << known[0]
                candidate.outside |= 1 << known[0]
                candidate.rich |= 1 << known[0]
    links = LinksOfPages(len(pages), (), addresses.all())
    for path in _in_items_with_addresses(links, found):
        found[path].outside = found[path].rich = 0
    return links, list(found.values())


def _in_items_with_addresses(links: LinksOfPages, found: Mapping[str, Candidate]) -> Iterator[str]:
    """Paths to lists in items that have such addresses themselves: what an article is related to."""
    shapes = {path: {links.addresses[number].shape for number in members(one.bits)} for path, one in found.items()}
    for path, own in shapes.items():
        outer = path.rpartition("[]")[0].rpartition("[]")[0] + "[]"
        beside = (other for other in found if outer in path[: path.rfind("[]")] and other.startswith(outer))
        if any("[]" not in other[len(outer) :] and own & shapes[other] for other in beside):
            yield path


def html_in(pages: Sequence[Page]) -> dict[str, tuple[Page, ...]]:
    """Path -> the pages, with what stands there as their HTML."""
    texts = [_html_by_path(page) for page in pages]
    paths = islice(dict.fromkeys(path for by_path in texts for path in by_path), _MOST_PATHS)
    return {path: tuple(_as_html(page, by_path.get(path, ())) for page, by_path in zip(pages, texts, strict=True)) for path in paths}


def _html_by_path(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in json_texts(page.json):
        if len(one.text) <= _LONGEST_HTML and _HTML.search(one.text):
            found.setdefault(one.path, []).append(one.text)
    return found


def _as_html(page: Page, texts: Sequence[str]) -> Page:
    return replace(page, tree=parse_html("".join(f"<div>{text}</div>" for text in texts)) if texts else None)


def address_picks(path: str) -> dict[str, Plain]:
    """The keys of `archive` for a path to addresses: an item of the innermost list, and the address in it."""
    head, mark, tail = path.rpartition("[]")
    if not mark:
        return {"link": {"json": path}}
    return {"item": {"json": f"{head}[]" if head else "@"}, "link": {"json": tail.removeprefix(".") or "@"}}
