"""Whether a site is a blog or a forum: what it is made with, what its pages call themselves, and how they are named."""

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
from webarticlecurator.urls import split_path

_BLOG, _NEWS = re.compile(r"\bBlog(?:Posting)?\b"), re.compile(r"\b(?:News|Reportage)")
_NAMED = re.compile(r"\bw?e?blogs?\b", re.IGNORECASE)
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
        return _proposal(made, sure=True, kind=Kind.FORUM)
    types = ["\n".join(_types(page)) for page in pages]
    if any(map(_NEWS.search, types)):
        return None
    typed = sum(_BLOG.search(one) is not None for one in types)
    if typed:
        return _proposal(f"{typed} of {amount(len(pages), 'page')} call themselves posts of a blog", sure=True)
    if kind is not None:
        return _proposal(made, sure=True)
    if _NAMED.search(f"{home.url.partition('?')[0]} {_title(home)}"):
        return _proposal("the title or the address of the home page says `blog`", sure=False)
    named = sum(_NAMED.search(split_path(page.requested_url)[0]) is not None for page in pages)
    return _proposal(f"the addresses of {named} of {amount(len(pages), 'page')} say `blog`", sure=False) if 2 * named > len(pages) else None


def _named_software(home: Page) -> tuple[str, Kind | None]:
    """What the page says that made it, and what that makes."""
    named = [(name, kind) for name in generators(home) for kind, pattern in _GENERATORS.items() if pattern.match(name)]
    return named[0] if named else ("", None)


def _proposal(reason: str, *, sure: bool, kind: Kind = Kind.BLOG) -> Proposal:
    choices = (Choice(value=kind.value, reason=reason), Choice(value=Kind.NEWS.value, reason="what a portal is where nobody says"))
    return Proposal(
        name="kind", path=("kind",), choices=choices[: 1 if sure else 2], sure=sure, question=None if sure else "Is it a blog, or news?"
    )


def _types(page: Page) -> Iterator[str]:
    """What a page says for programs of what it is."""
    if page.tree is None:
        return
    for one in page.json_ld_objects:
        yield from type_names(one)
    for element in page.tree.iter(etree.Element):
        yield element.get("itemtype") or element.get("typeof") or ""


def _title(page: Page) -> str:
    title = page.tree.find(".//title") if page.tree is not None else None
    return (title.text or "") if title is not None else ""
