"""The text of a TEI document as HTML that a person can read: no styles, no links that lead away, and nothing of the header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.tei.markup import NAMESPACE

_T = f"{{{NAMESPACE}}}"
_ID, _LANGUAGE = (f"{{http://www.w3.org/XML/1998/namespace}}{name}" for name in ("id", "lang"))
_TAGS = {
    **{name: name for name in ("p", "table", "figure", "code", "q", "ruby", "rb", "rt")},
    "ab": "p",
    "label": "h4",
    "emph": "em",
    "item": "li",
    "row": "tr",
    "cell": "td",
    "figDesc": "small",
    "div": "section",
    "post": "article",
    "floatingText": "aside",
    "note": "small",
    "byline": "p",
    "dateline": "p",
    "speaker": "strong",
    "lg": "p",
    "formula": "code",
    "foreign": "i",
    "cit": "blockquote",
    "bibl": "cite",
    "sp": "div",
    "body": "div",
    "gap": "em",
    "author": "b",
    "docAuthor": "b",
}
"""TEI -> HTML; what is not named is a `span`."""
_RENDITIONS = {"bold": "b", "italic": "i", "underline": "u", "strikethrough": "s", "superscript": "sup", "subscript": "sub", "code": "code"}
_HEADS = {"figure": "figcaption", "table": "caption"}
_DEEPEST_HEAD = 6


def readable_text(document: bytes) -> str:
    """All that is to be read in the document; its headings begin at the third level."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=True)
    root = etree.fromstring(document, parser)
    body = root.find(f"{_T}text/{_T}body") if root is not None else None
    if body is None:
        return ""
    people = {f"#{one.get(_ID)}": one.findtext(f"{_T}persName") or "" for one in root.iter(f"{_T}person")}
    return "".join(_written(body, 0, people))


def _written(one: Element, depth: int, people: Mapping[str, str]) -> Iterator[str]:
    name = etree.QName(one).localname
    if name == "lb":
        yield "<br>"
        return
    tag = _tag(one, name, depth)
    yield f"<{tag}{_attributes(one, name)}>"
    yield from _before(one, name, people)
    yield escape(one.text or "")
    for child in one.iterchildren(etree.Element):
        yield from _written(child, depth + (name == "div"), people)
        yield escape(child.tail or "")
    yield f"</{tag}>"


def _tag(one: Element, name: str, depth: int) -> str:
    parent = etree.QName(one.getparent()).localname if one.getparent() is not None else ""
    if name == "head":
        return _HEADS.get(parent) or f"h{min(depth + 2, _DEEPEST_HEAD)}"
    if name == "hi":
        return _RENDITIONS.get(one.get("rend", ""), "span")
    if parent == "list" and _is_glossary(one.getparent()):
        return "dt" if name == "label" else "dd"
    if name == "list":
        return "dl" if _is_glossary(one) else "ol" if one.get("rend") == "numbered" else "ul"
    if name == "quote":
        return "q" if parent in ("p", "cell", "item") and not len(one) else "blockquote"
    return _TAGS.get(name, "span")


def _is_glossary(one: Element | None) -> bool:
    return one is not None and one.get("type") == "gloss"


def _attributes(one: Element, name: str) -> str:
    language = one.get(_LANGUAGE) or (one.getparent().get(_LANGUAGE) if name == "body" else None)  # type: ignore[union-attr]
    told = {"lang": language, "title": one.get("target") if name == "ref" else None, "class": f"tei-{name}", "rowspan": one.get("rows")}
    told["colspan"] = one.get("cols")
    return "".join(f' {key}="{escape(value)}"' for key, value in told.items() if value)


def _before(one: Element, name: str, people: Mapping[str, str]) -> Iterator[str]:
    """What a reader would otherwise not see: who writes when, where a picture lies, why something is not there."""
    if name == "post":
        told = " · ".join(filter(None, [people.get(one.get("who", "")), one.get("when")]))
        yield f"<p><b>{escape(told)}</b></p>" if told else ""
    elif name in ("graphic", "media"):
        yield f"<small>[{'picture' if name == 'graphic' else 'player'}: {escape(one.get('url', ''))}]</small>"
    elif name == "gap":
        yield f"[{escape(one.get('reason', 'left out'))}]"
