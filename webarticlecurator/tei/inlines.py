"""Text and inlines inside a block -> TEI."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from webarticlecurator.model.article import Inline, Node, flat_text
from webarticlecurator.tei.markup import attribute, element, escape, language, uri
from webarticlecurator.urls import bare_host

MAX_DEPTH = 40
"""Inlines in inlines; what lies deeper is kept as text, since XML readers refuse more than 256 levels in all."""
_TAGS = {
    "bold": ('<hi rend="bold">', "</hi>"),
    "italic": ('<hi rend="italic">', "</hi>"),
    "underline": ('<hi rend="underline">', "</hi>"),
    "strike": ('<hi rend="strikethrough">', "</hi>"),
    "superscript": ('<hi rend="superscript">', "</hi>"),
    "subscript": ('<hi rend="subscript">', "</hi>"),
    "emphasis": ("<emph>", "</emph>"),
    "inline-quote": ("<q>", "</q>"),
}


def write_inlines(children: tuple[Node, ...], hosts: Collection[str], depth: int = 0) -> str:
    """`hosts` are the portal's own: links there are internal."""
    return "".join([escape(child) if type(child) is str else _written(child, hosts, depth) for child in children])


def _written(node: Node, hosts: Collection[str], depth: int) -> str:
    if not isinstance(node, Inline) or depth >= MAX_DEPTH:
        return escape(flat_text((node,)))
    if node.type == "line-break":
        return "<lb/>"
    content = write_inlines(node.children, hosts, depth + 1)
    if tags := _TAGS.get(node.type):
        return f"{tags[0]}{content}{tags[1]}"
    if node.type == "link":
        return f"<ref{_link(node, hosts)}>{content}</ref>"
    if node.type == "language":
        return f"<foreign{attribute('xml:lang', language(node.language))}>{content}</foreign>"
    if node.type == "code-inline":
        # TEI's code holds plain text only
        plain = all(isinstance(child, str) for child in node.children)
        return element("code", content) if plain else element("hi", content, rend="code")
    return content


def _link(node: Inline, hosts: Collection[str]) -> str:
    target = uri(node.url)
    original = node.original_url or (node.url if target != node.url else None)
    if target is None:
        return attribute("n", original)
    kind = "internal" if _host("/".join(target.split("/", 3)[:3])) in hosts else "external"
    # of all that has to be escaped in an attribute, an address can only hold this
    written = target.replace("&", "&amp;")
    return f' type="{kind}" target="{written}"{attribute("n", original)}'


_host = lru_cache(maxsize=1024)(bare_host)
"""An article's links lead to few hosts."""
