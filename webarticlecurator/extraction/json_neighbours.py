"""Pages before and behind one of JSON, and the names and values beside its list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from webarticlecurator.model.links import PagerLink
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host, normalise, page_numbers, web_link

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
        waiting += (value for name, value in holder.items() if _may_hold_more(name, value))
        del waiting[_MOST_HOLDERS:]


def _may_hold_more(name: str, value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return _HOLDER.fullmatch(name) is not None or list in map(type, value.values())


def neighbours_in_json(page: Page) -> Iterator[PagerLink]:
    """Give the next page and the one before, where JSON, or the header of its answer, has their addresses.

    They are known by their names, or in any language by a number in place of this page's.
    """
    for name, address in (*_addresses(page), *_addresses_in_headers(page)):
        for url in _neighbours(page, address):
            named = _NEXT.fullmatch(name)
            own, other = page_numbers(normalise(page.url), url)
            leads_back = bool(named[1]) if named is not None else other < own
            if named is not None or own != other:
                yield PagerLink(url=url, text=name, continues=not leads_back, leads_back=leads_back)


def _addresses(page: Page) -> Iterator[tuple[str, Any]]:
    for name, value in about_list(page.json):
        yield name, value.get("href") if isinstance(value, dict) else value


def _addresses_in_headers(page: Page) -> Iterator[tuple[str, str]]:
    values = [value for name, value in page.headers if name.lower() == "link" and page.json is not None]
    addresses = chain.from_iterable(map(_NEXT_IN_HEADER.findall, values))
    return (("next", address) for address in addresses)


def _neighbours(page: Page, address: Any) -> Iterator[str]:
    """Give the normalised address, if it is that of another page of the host."""
    is_address = isinstance(address, str) and _ADDRESS.match(address) is not None
    for url in filter(None, [web_link(page.base, address)] if is_address else []):
        if bare_host(url) == bare_host(page.url) and not page.is_at(url):
            yield normalise(url)
