"""What `extract` makes of the body of a page, written down so that a test can be read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from lxml import html

from webarticlecurator import Article, Portal, extract, load_portal

BASE = "https://pelda.example/cikk/1"
SENTENCE = "The council met on Monday, and after a long debate it voted for the new bridge. "
HEADLINE = "Council votes for the new bridge"
MENU = "<div class=bar>" + "".join(f"<a href=/{n}>Section number {n}</a> " for n in range(20)) + "</div>"
FILE = {"portal": "pelda", "home": "https://pelda.example/", "language": "hu", "timezone": "Europe/Budapest"}


def paragraphs(count: int, text: str = SENTENCE) -> str:
    return "".join(f"<p>{number}. {text * 2}</p>" for number in range(count))


@cache
def _portal(rules: str) -> Portal:
    return load_portal("portal.yaml", content=rules.encode())


def portal_by(**rules: Any) -> Portal:
    """Made once for all tests that ask for it."""
    return _portal(json.dumps({**FILE, **rules}, ensure_ascii=False))


def read(page: str | bytes, url: str = BASE, **rules: Any) -> Article:
    """By the general rules, and these of a portal file."""
    return extract(page, url, portal_by(**rules))


def body_of(page: str, tags: Any = None, *, headline: str | None = None) -> Article:
    """All of the page is the body; `tags` are the rules for it."""
    metadata = {"headline": {"const": headline}} if headline else {}
    return read(f"<html><body>{page}</body></html>", body={"root": "body", "tags": tags or {}}, metadata=metadata)


def sketch(page: str, tags: Any = None, *, headline: str | None = None) -> str:
    return written(body_of(page, tags, headline=headline).blocks)


def written(nodes: Iterable[Any]) -> str:
    """Blocks as `type(children)`, inlines as `type[children]`, a line break as `|`, addresses after `@`."""
    parts: list[str] = []
    for node in nodes:
        if is_block(node) and parts:
            parts.append(" ")
        parts.append(_written(node))
    return "".join(parts)


def is_block(node: Any) -> bool:
    return hasattr(node, "attributes")


def _written(node: Any) -> str:
    if isinstance(node, str):
        return node
    if node.type == "line-break":
        return "|"
    url = f"@{node.url.removeprefix('https://pelda.example')}" if node.url else ""
    left, right = "()" if is_block(node) else "[]"
    return f"{node.type}{url}{left}{written(node.children)}{right}"


def words_in(*elements: Any) -> list[str]:
    """Those that are written in elements, or in HTML."""
    trees = (html.fromstring(f"<div>{one}</div>") if isinstance(one, str) else one for one in elements)
    return " ".join(text for tree in trees for text in tree.itertext()).split()


def left_out(article: Article) -> dict[str, str]:
    """Rule -> the text that it left out; of the general finder only the reason."""
    dropped = ((piece.rule.removeprefix("general finder: "), piece.text) for piece in article.pieces if piece.fate == "dropped")
    told: dict[str, str] = {}
    for rule, text in dropped:
        told[rule] = f"{told[rule]} {text}" if rule in told else text
    return told
