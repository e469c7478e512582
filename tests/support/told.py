"""Short ways to write down what a page tells, and to ask what an article has of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from seams import article_of, portal_of

from webarticlecurator import Article

CIKK = "https://pelda.example/2024/05/02/gat"
GAT = "https://pelda.example/gat"


def ld(*things: Any) -> str:
    """JSON-LD, a script for each."""
    return "".join(f'<script type="application/ld+json">{json.dumps(thing)}</script>' for thing in things)


def news(**fields: Any) -> str:
    """JSON-LD of an article about a dam with these fields."""
    return ld({"@type": "NewsArticle", "headline": "A dam", **fields})


def meta(**named: str) -> str:
    """Meta elements; a name with `__` has a colon."""
    return "".join(f'<meta property="{name.replace("__", ":")}" content="{content}">' for name, content in named.items())


def read(html: str | bytes, url: str = CIKK, *, listing: Mapping[str, tuple[str, ...]] | None = None, **rules: Any) -> Article:
    """The article, by these rules of the portal file."""
    return article_of(html, url=url, portal=portal_of(**{"title": "Példa Hírek", **rules}), listing=listing)


def values(html: str | bytes, field: str, url: str = CIKK, **more: Any) -> list[str]:
    return [found.value for found in read(html, url, **more).metadata.get(field, ())]


Case = tuple[str, str, list[str]] | tuple[str, str, list[str], dict[str, Any]]
"""A page, a field and its values; and where the page is, what lists say of it and what the rules are, if that matters."""


def check(cases: Sequence[Case]) -> None:
    """Each page gives its values."""
    asked = [(html, field, more[0] if more else {}) for html, field, _, *more in cases]
    assert [values(html, field, **more) for html, field, more in asked] == [expected for _, _, expected, *_ in cases]
