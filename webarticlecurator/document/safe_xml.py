"""XML as servers write it, feeds and sitemaps: mended before it is parsed, and parsed without entities, DTDs and network."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any, Final, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.model.page import NoPage

MAX_TAGS = 1_000_000
"""Tags of one document that is read as a whole; a tree of more would fill the memory."""
_PARSER_OPTIONS: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "recover": True,
    "huge_tree": False,
    "collect_ids": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""Of lxml's XML parsers: nothing that a document names is fetched or multiplied, and libxml2's own limits of depth and length hold."""
_ROOT = re.compile(r"<(?:[\w.-]{1,40}:)?(?:rss|feed|rdf|channel|urlset|sitemapindex)[\s/>]", re.IGNORECASE)
LONGEST_PROLOGUE = 100_000
"""Characters before the root: warnings of a program, comments, style sheets, a document type."""
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""What may stand in no XML."""
_REFERENCE = re.compile(r"&(?:(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)?")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_CDATA = "<![CDATA["
_ENDS = {_CDATA: "]]>", "<!--": "-->"}
_LITERAL = re.compile(r"<!\[CDATA\[|<!--")
_LIMITS = ("Excessive depth", "huge text node", "too long", "Maximum", "XML_PARSE_HUGE")
"""How libxml2 says that it left out the rest because of a limit."""
_BREAKS_OFF = ("Premature end of data", "section not finished")
_START_TAG = re.compile(r"<(?:[\w.-]{1,40}:)?([\w.-]{1,40})[\s/>]")


def has_root(text: str) -> bool:
    """Whether it begins as a feed or a sitemap does, whatever stands before."""
    return _ROOT.search(text, 0, LONGEST_PROLOGUE) is not None


def mended(text: str) -> str:
    """The document from its root on, so that what is usually wrong with it keeps no parser from reading it.

    No byte order mark, warning, XML declaration or document type stands before the root any more; entities of HTML are characters, and
    an `&` that begins none is `&amp;`, but in CDATA.
    """
    root = _ROOT.search(text, 0, LONGEST_PROLOGUE)
    text = NO_XML.sub("", text[root.start() :] if root is not None else text)
    return "".join(part if part.startswith(_CDATA) else _REFERENCE.sub(_reference, part) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """The document in pieces: each CDATA with its marks, what stands between; no comments."""
    here = 0
    while (start := _LITERAL.search(text, here)) is not None:
        mark = start[0]
        end = text.find(_ENDS[mark], start.end())
        if end < 0:
            break
        yield text[here : start.start()]
        here = end + len(_ENDS[mark])
        if mark == _CDATA:
            yield text[start.start() : here]
    yield text[here:]


def _reference(found: re.Match[str]) -> str:
    name = found[1]
    if name is None:
        return "&amp;"
    if name in _OF_XML:
        return found[0]
    text = html.unescape(found[0]) if name[0] == "#" else html5.get(f"{name};")
    return f"&amp;{name};" if text is None else html.escape(NO_XML.sub("", text), quote=False)


class XmlDocument(NamedTuple):
    """What could be read of a document."""

    root: Element
    broken: str
    """Why a part of it is missing; empty: nothing is."""


def read_xml(text: str, units: frozenset[str]) -> XmlDocument | NoPage:
    """A document that is made of elements of these names (in any namespace), as far as it can be read; or why it cannot be."""
    if text.count("<") > MAX_TAGS:
        return NoPage(f"more than {MAX_TAGS:,} tags")
    text = mended(text)
    parser = etree.XMLParser(encoding="utf-8", **_PARSER_OPTIONS)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError) as problem:
        return NoPage(f"not XML: {problem}")
    if root is None:
        return NoPage("no XML in it")
    limit = next((entry.message for entry in parser.error_log if any(sign in (entry.message or "") for sign in _LIMITS)), None)
    if limit is not None:
        return NoPage(f"a limit of the XML reader was reached: {limit.strip()}")
    parts = [part for part in _parts(text) if not part.startswith(_CDATA)]
    written = sum(name in units for part in parts for name in _START_TAG.findall(part))
    found = sum(local_name(element) in units for element in root.iter(etree.Element))
    # within a tag libxml2 says nothing of the end of the document
    end = re.compile(rf"</(?:[\w.-]{{1,40}}:)?{re.escape(local_name(root))}\s{{0,100}}>")
    breaks_off = any(sign in (entry.message or "") for entry in parser.error_log for sign in _BREAKS_OFF) or (
        len(parser.error_log) > 0 and not any(end.search(part) for part in parts)
    )
    broken = "it breaks off before its end" if breaks_off else f"only {found:,} of its {written:,} entries" if found < written else ""
    return XmlDocument(root, broken)


def local_name(element: Element) -> str:
    """Its name without namespace or prefix."""
    return str(element.tag).rpartition("}")[2].rpartition(":")[2]
