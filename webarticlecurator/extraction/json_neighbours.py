"""Which pages JSON says to stand before and behind it, and what it tells beside its list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webarticlecurator.model.links import PagerLink
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host, normalise, pages_apart, web_link

_NEXT = linear_at(r"(?:@odata\.)?(?:next|(prev(?:ious)?))(?:_?page)?(?:_?(?:url|link))?", re.IGNORECASE)
_HOLDER = linear_at(
    r"_?(?:meta|links|page|page_?info|pagination|paging|pager|response|results?|data|query|info|hits)",
    re.IGNORECASE,
)
_MOST_HOLDERS = 20
_NEXT_IN_HEADER = linear(r"""<([^<>]+)>\s*;[^,<]*\brel="?next\b""", re.IGNORECASE)
_ADDRESS = linear_at(r"https?:|[/?]")


def about_list(data: Any) -> Iterator[tuple[str, Any]]:
    """Give names and values that stand beside the list in JSON, or in what programs call so."""
    waiting = [data] if isinstance(data, dict) else []
    for holder in waiting:
        yield from holder.items()
        for name, value in holder.items():
            if isinstance(value, dict) and len(waiting) < _MOST_HOLDERS and _may_hold_more(name, value):
                waiting.append(value)


def _may_hold_more(name: str, value: dict[str, Any]) -> bool:
    return _HOLDER.fullmatch(name) is not None or any(isinstance(part, list) for part in value.values())


def neighbours_in_json(page: Page) -> Iterator[PagerLink]:
    """Give the next page and the one before, where JSON, or the header of its answer, has their addresses.

    They are known by their names, or in any language by a number in place of this page's.
    """
    for name, address in (*_addresses(page), *_addresses_in_headers(page)):
        url = _neighbour(page, address)
        match, numbers = _NEXT.fullmatch(name), pages_apart(normalise(page.url), url) if url else None
        if not url or not (match or numbers):
            continue
        leads_back = bool(match[1]) if match is not None else numbers is not None and numbers[1] < numbers[0]
        yield PagerLink(url=url, text=name, continues=not leads_back, leads_back=leads_back)


def _addresses(page: Page) -> Iterator[tuple[str, Any]]:
    for name, value in about_list(page.json):
        yield name, value.get("href") if isinstance(value, dict) else value


def _addresses_in_headers(page: Page) -> Iterator[tuple[str, str]]:
    values = [value for name, value in page.headers if name.lower() == "link"]
    for value in values if page.json is not None else ():
        for match in _NEXT_IN_HEADER.finditer(value):
            yield "next", match[1]


def _neighbour(page: Page, address: Any) -> str:
    """Return the normalised address of another page of the same host; empty where it is none."""
    if not isinstance(address, str) or not _ADDRESS.match(address):
        return ""
    url = web_link(page.base, address)
    if url is None or page.is_at(url) or bare_host(url) != bare_host(page.url):
        return ""
    return normalise(url)
