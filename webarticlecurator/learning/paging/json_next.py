"""Where a JSON answer says that the next page is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webarticlecurator.extraction.pager_signs import pages_apart
from webarticlecurator.learning.links.json_links import json_key
from webarticlecurator.learning.paging.next_links import says_next
from webarticlecurator.model.page import Page
from webarticlecurator.urls import is_http, join, normalise

_MOST_VALUES = 2_000
_LEVELS = 4
_LONGEST = 2_000


def json_next(page: Page) -> tuple[str, str] | None:
    """The path of the address of the next page, and that address; None where it is not said."""
    here = normalise(page.requested_url)
    for path, name, value in _values(page.json):
        url = join(page.base, value) if value.startswith(("http://", "https://", "/", "?")) else None
        if url is None or not is_http(url) or page.is_at(url):
            continue
        apart = pages_apart(here, normalise(url))
        if (apart is not None and apart[1] == apart[0] + 1) or says_next(name):
            return path, normalise(url)
    return None


def _values(document: Any) -> Iterator[tuple[str, str, str]]:
    """Path, key and value of the texts outside of lists, the outermost first."""
    level: list[tuple[str, Any]] = [("", document)]
    left = _MOST_VALUES
    for _ in range(_LEVELS):
        below: list[tuple[str, Any]] = []
        for path, holder in level:
            for key, value in holder.items() if isinstance(holder, dict) else ():
                left -= 1
                if left < 0:
                    return
                own = f"{path}.{json_key(key)}" if path else json_key(key)
                if isinstance(value, str) and len(value) < _LONGEST:
                    yield own, key, value
                elif isinstance(value, dict):
                    below.append((own, value))
        level = below
