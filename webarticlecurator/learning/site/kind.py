"""Whether a site is a blog or a forum: what it is made with, and what its pages call themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Kind
from webarticlecurator.extraction.site_software import Detected, generators
from webarticlecurator.model.json_ld import type_names
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal

_BLOG, _NEWS = re.compile(r"\bBlog(?:Posting)?\b"), re.compile(r"\b(?:News|Reportage)")
_GENERATORS = {
    Kind.FORUM: re.compile(r"(?:flarum|fluxbb|invision|vanilla|vbulletin)\b", re.IGNORECASE),
    Kind.BLOG: re.compile(r"(?:hexo|jekyll|movable type|nikola|pelican|publii|serendipity|typepad)\b", re.IGNORECASE),
}
"""Software that has no preset, as pages name it."""


def kind_proposal(home: Page, pages: Sequence[Page], system: Detected | None = None) -> Proposal | None:
    """That it is a blog, or a forum by its software; None: nothing tells that, or some page of what is no forum calls itself news."""
    software, kind = (system.software, system.kind) if system is not None else _named_software(home)
    made = f"it is made with {software}, which makes {kind}s"
    if kind is Kind.FORUM:
        return _proposal(Kind.FORUM, made)
    types = ["\n".join(_types(page)) for page in pages]
    if any(map(_NEWS.search, types)):
        return None
    typed = sum(_BLOG.search(one) is not None for one in types)
    if typed:
        return _proposal(Kind.BLOG, f"{typed} of {amount(len(pages), 'page')} call themselves posts of a blog")
    return _proposal(kind, made) if kind is not None else None


def _named_software(home: Page) -> tuple[str, Kind | None]:
    """What the page says that made it, and what that makes."""
    named = [(name, kind) for name in generators(home) for kind, pattern in _GENERATORS.items() if pattern.match(name)]
    return named[0] if named else ("", None)


def _proposal(kind: Kind, reason: str) -> Proposal:
    return Proposal(name="kind", path=("kind",), choices=(Choice(value=kind.value, reason=reason),), sure=True)


def _types(page: Page) -> Iterator[str]:
    """What a page says for programs of what it is."""
    if page.tree is None:
        return
    for one in page.json_ld_objects:
        yield from type_names(one)
    for element in page.tree.iter(etree.Element):
        yield element.get("itemtype") or element.get("typeof") or ""
