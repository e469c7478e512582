"""Text and inlines inside a block -> TEI; the credit at the end of a caption."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from webarticlecurator.model.article import ContentNode, Inline, flat_text
from webarticlecurator.tei.markup import attribute, element, escape, media_type
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


def write_inlines(children: tuple[ContentNode, ...], references: References, depth: int = 0, *, is_source: bool = False) -> str:
    """The content of a block; in a source TEI has no formulas, and no words with how they are read."""
    return "".join([escape(child) if type(child) is str else _written(child, references, depth, is_source) for child in children])


def _written(node: ContentNode, references: References, depth: int, is_source: bool) -> str:
    if not isinstance(node, Inline) or depth >= MAX_DEPTH:
        return escape(references.flattened((node,)))
    if node.type == "line-break":
        return "<lb/>\n"  # so that whoever takes all text glues no words
    if node.type == "emoji":
        return _emoji(node, references)
    if node.type == "formula":
        formula = escape(references.flattened(node.children))
        return f'<hi rend="formula">{formula}</hi>' if is_source else f'<formula notation="TeX">{formula}</formula>'
    content = write_inlines(node.children, references, depth + 1, is_source=is_source)
    if tags := _TAGS.get(node.type):
        return f"{tags[0]}{content}{tags[1]}"
    if node.type == "link":
        return f"<ref{_link(node, references)}>{content}</ref>"
    if node.type == "ruby":
        return content if is_source else element("ruby", element("rb", content) + element("rt", escape(node.alt or "")))
    if node.type == "author":
        return element("name" if depth else "author", content)  # TEI has no author in a link
    if node.type == "language":
        marked = references.in_language(node.language)
        return f"<foreign{marked}>{content}</foreign>" if marked else content
    if node.type == "code-inline":
        # TEI's code holds plain text only
        plain = all(isinstance(child, str) for child in node.children)
        return element("code", content) if plain else element("hi", content, rend="code")
    return content


def _emoji(node: Inline, references: References) -> str:
    address, original = references.address(node.url, node.original_url)
    graphic = element("graphic", "", mimeType=media_type(address), url=address, n=original) if address else ""
    described = element("figDesc", escape(node.alt or ""))
    return element("figure", "\n".join(["", *filter(None, [graphic, described]), ""]), type="emoji")


def _link(node: Inline, references: References) -> str:
    if note := references.to_note(node.note):
        return note
    target, original = references.address(node.url, node.original_url)
    if target is None:
        return attribute("n", original)
    kind = "internal" if _host("/".join(target.split("/", 3)[:3])) in references.hosts else "external"
    # of all that has to be escaped in an attribute, an address can only hold this
    written = target.replace("&", "&amp;")
    return f' type="{kind}" target="{written}"{attribute("n", original)}'


_host = lru_cache(maxsize=1024)(bare_host)
"""An article's links lead to few hosts."""


# --- the credit of a picture ---

_ENDS = (".", "!", "?", "…", ")", "]", "”", "“", "»", "|", "\n")
"""After these something new begins: what follows can do without what stands before."""


@dataclass(frozen=True, slots=True)
class Caption:
    """The content of a caption, in page order."""

    said: tuple[ContentNode, ...] = ()
    """Of the picture; without the credit, if that stands apart."""
    credit: tuple[ContentNode, ...] = ()
    within: bool = False
    """The credit ends a sentence of the caption, and belongs in it."""


def divided(content: tuple[ContentNode, ...], credit: str) -> Caption:
    """The caption, with what is said of the maker apart from the rest; a credit that is not in the caption comes of itself."""
    if not credit:
        return Caption(content)
    text = flat_text(content).rstrip()
    if not text.endswith(credit):
        return Caption(content, () if credit in text else (credit,))
    before, after = _split(content, len(text) - len(credit))
    if flat_text(after).rstrip() != credit:
        return Caption(content)
    said = _without_end(before)
    return Caption(said, after) if not said or flat_text(before).rstrip(" ").endswith(_ENDS) else Caption(before, after, within=True)


def _split(content: tuple[ContentNode, ...], position: int) -> tuple[tuple[ContentNode, ...], tuple[ContentNode, ...]]:
    """Before and from a position in the text; an inline around it is not divided, and goes with what is before."""
    for index, node in enumerate(content):
        length = len(flat_text((node,)))
        if isinstance(node, str) and position < length:
            return (*content[:index], *filter(None, [node[:position]])), (node[position:], *content[index + 1 :])
        if position == 0:
            return content[:index], content[index:]
        position = max(0, position - length)
    return content, ()


def _without_end(content: tuple[ContentNode, ...]) -> tuple[ContentNode, ...]:
    """Without line breaks and blanks at the end."""
    while content:
        *others, last = content
        if isinstance(last, str) and last.rstrip():
            return (*others, last.rstrip())
        if not isinstance(last, str) and not (isinstance(last, Inline) and last.type == "line-break"):
            return content
        content = tuple(others)
    return ()
