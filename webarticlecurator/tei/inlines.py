"""Text and inlines inside a block -> TEI."""

from __future__ import annotations

from functools import lru_cache

from webarticlecurator.model.article import Inline, Node
from webarticlecurator.tei.markup import attribute, element, escape, language
from webarticlecurator.tei.references import References
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


def write_inlines(children: tuple[Node, ...], references: References, depth: int = 0) -> str:
    """The content of a block."""
    return "".join([escape(child) if type(child) is str else _written(child, references, depth) for child in children])


def _written(node: Node, references: References, depth: int) -> str:
    if not isinstance(node, Inline) or depth >= MAX_DEPTH:
        return escape(references.flattened((node,)))
    if node.type == "line-break":
        return "<lb/>"
    content = write_inlines(node.children, references, depth + 1)
    if tags := _TAGS.get(node.type):
        return f"{tags[0]}{content}{tags[1]}"
    if node.type == "link":
        return f"<ref{_link(node, references)}>{content}</ref>"
    if node.type == "language":
        return f"<foreign{attribute('xml:lang', language(node.language))}>{content}</foreign>"
    if node.type == "code-inline":
        # TEI's code holds plain text only
        plain = all(isinstance(child, str) for child in node.children)
        return element("code", content) if plain else element("hi", content, rend="code")
    return content


def _link(node: Inline, references: References) -> str:
    target, original = references.address(node.url, node.original_url)
    if target is None:
        return attribute("n", original)
    kind = "internal" if _host("/".join(target.split("/", 3)[:3])) in references.hosts else "external"
    # of all that has to be escaped in an attribute, an address can only hold this
    written = target.replace("&", "&amp;")
    return f' type="{kind}" target="{written}"{attribute("n", original)}'


_host = lru_cache(maxsize=1024)(bare_host)
"""An article's links lead to few hosts."""
