"""Short ways to rewrite HTML by rules, and to write blocks down so that a test can be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml.etree import _Element as Element
from trial_portal import portal_of

from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, Rewritten, rewrite
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.model.article import Block, ContentNode, Inline

BASE = "https://pelda.example/cikk/1"


def body_of(html: str) -> Element:
    """The container of a test: everything in the body."""
    tree = parse_html(f"<html><body>{html}</body></html>")
    assert tree is not None, tree
    body = tree.find("body")
    assert body is not None
    return body


def rewritten(html: str, tags: dict[str, Any] | None = None, **surroundings: Any) -> Rewritten:
    lookup = Lookup(portal_of(body={"tags": tags}).body.tags if tags else ())
    return rewrite([body_of(html)], lookup, RewriteContext(base=BASE, **surroundings))


def blocks_of(html: str, tags: dict[str, Any] | None = None, **surroundings: Any) -> tuple[Block, ...]:
    return opened(rewritten(html, tags, **surroundings).blocks)


def sketch(html: str, tags: dict[str, Any] | None = None, **surroundings: Any) -> str:
    """Blocks as `type(children)`, inlines as `type[children]`, a line break as `|`, addresses after `@`."""
    return written(blocks_of(html, tags, **surroundings))


def written(nodes: Iterable[ContentNode]) -> str:
    parts: list[str] = []
    for node in nodes:
        if isinstance(node, Block) and parts:
            parts.append(" ")
        parts.append(_written(node))
    return "".join(parts)


def _written(node: ContentNode) -> str:
    if isinstance(node, str):
        return node
    if isinstance(node, Inline) and node.type == "line-break":
        return "|"
    url = f"@{node.url.removeprefix('https://pelda.example')}" if node.url else ""
    left, right = "[]" if isinstance(node, Inline) else "()"
    return f"{node.type}{url}{left}{written(node.children)}{right}"
