"""The links of archive pages that are JSON: paths to addresses, and to HTML that holds links."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.learning.links.anchors import MOST_WORDS, Addresses, LinksOfPages
from webarticlecurator.learning.links.candidates import Candidate, members
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import is_http, join

_DEEPEST = 12
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ADDRESS = re.compile(r"(?:https?:/)?/[^\s<>]*", re.ASCII)
_HTML = re.compile(r"<a\s[^>]*href", re.IGNORECASE)


def texts_in(document: Any) -> Iterator[tuple[str, str]]:
    """The texts, each behind the JMESPath of all of its kind."""
    return islice(_texts(document, ""), 20_000)


def _texts(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif depth < _DEEPEST and isinstance(value, list):
        for item in value:
            yield from _texts(item, f"{path}[]", depth + 1)
    elif depth < _DEEPEST and isinstance(value, dict):
        # with so many keys, or with numbers for names, it is a list by another name
        is_list = len(value) > 30 or (bool(value) and all(str(name).isdigit() for name in value))
        for name, item in value.items():  # keys as JMESPath has them
            plain = name if _PLAIN_KEY.fullmatch(name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
            key = "*" if is_list else plain
            yield from _texts(item, f"{path}.{key}" if path else key, depth + 1)


def address_candidates(pages: Sequence[Page], article_at: Callable[[str, Page], str | None]) -> tuple[LinksOfPages, list[Candidate]]:
    """The addresses in documents, and each path that leads to some."""
    addresses = Addresses(pages, article_at)
    by_path: dict[str, Candidate] = {}
    for at, page in enumerate(pages):
        for path, text in texts_in(page.json):
            url = join(page.base, text, encoding=page.encoding) if len(text) <= 2_000 and _ADDRESS.fullmatch(text) else None
            known = addresses.number(at, url, MOST_WORDS) if url is not None and is_http(url) else None
            if known is not None:
                by_path.setdefault(path, Candidate(path)).bits |= 1 << known[0]
    links = LinksOfPages(len(pages), (), addresses.all())
    shapes = {path: {links.addresses[number].shape for number in members(candidate.bits)} for path, candidate in by_path.items()}
    for path, candidate in by_path.items():
        # a list in items that have such addresses themselves is of what an article is related to
        outer = path.rpartition("[]")[0].rpartition("[]")[0] + "[]"
        beside = (other for other in by_path if outer in path[: path.rfind("[]")] and other.startswith(outer))
        if not any("[]" not in other[len(outer) :] and shapes[path] & shapes[other] for other in beside):
            candidate.outside = candidate.rich = candidate.bits
    return links, list(by_path.values())


def html_in(pages: Sequence[Page]) -> dict[str, tuple[Page, ...]]:
    """Path -> the pages, with what stands there as their HTML."""
    by_path: defaultdict[str, defaultdict[Page, list[str]]] = defaultdict(lambda: defaultdict(list))
    for page in pages:
        for path, text in texts_in(page.json):
            if _HTML.search(text):
                by_path[path][page].append(f"<div>{text}</div>")
    return {
        path: tuple(replace(page, tree=parse_html("".join(html[page])) if page in html else None) for page in pages)
        for path, html in islice(by_path.items(), 20)
    }


def address_picks(path: str) -> dict[str, Plain]:
    """The keys of `archive` for a path to addresses: an item of the innermost list, and the address in it."""
    head, mark, tail = path.rpartition("[]")
    if not mark:
        return {"link": {"json": path}}
    return {"item": {"json": f"{head}[]" if head else "@"}, "link": {"json": tail.removeprefix(".") or "@"}}
