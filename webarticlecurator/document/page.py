"""From a response to a parsed page: its tree or its JSON, and what its links are joined with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.decode import Decoded, decode
from webarticlecurator.document.walls import classify
from webarticlecurator.document.xml import has_root, local_name, read_xml
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.json_ld import whole_json
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.text import element_text, short_text, squeeze
from webarticlecurator.urls import is_http, join

MAX_TAGS = 1_000_000
"""Tags of one page; a tree of more would fill the memory."""
MAX_ATTRIBUTES = 5_000
"""Of one tag; to libxml2 each costs as much as all before it, so that a tag of a megabyte would take hours."""
_HARMLESS = 200_000
"""Characters; in a page that is no longer, even that takes a second or two."""
# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_END_OF_PAGE = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
_START_TAG = re.compile(rb"<[A-Za-z]")
_SHORTEST_NOSCRIPT = 400
"""Characters; those who only ask for a browser with scripts need fewer."""
_MOST_NOSCRIPTS = 20
_MOST_STREAMED = 50
_TOO_DEEP = "Excessive depth"
_FEEDS = frozenset({"rss", "feed", "rdf", "channel"})
"""Roots of feeds, whatever their namespace."""
FEED_ENTRIES = frozenset({"item", "entry"})
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})
_BEFORE_JSON = "\ufeff\x00 \t\r\n"
_NO_PAGE = ("audio/", "font/", "image/", "video/", "application/pdf", "application/zip")


def read_page(capture: Capture, *, encoding: str | None = None, format: str = "html", classified: bool = False) -> Page | NoPage:
    """The page that a response is, read as `html`, `json`, `urls` or `feed`, or why it is none. `classified`: it is known to be no wall."""
    wall = None if classified else classify(capture)
    if wall is not None:
        return wall
    mime = (capture.header("Content-Type") or "").partition(";")[0].strip().lower()
    if mime.startswith(_NO_PAGE):
        return NoPage(f"{mime} is no page")
    decoded = decode(capture, encoding=encoding)
    if isinstance(decoded, NoPage):
        return decoded
    if not decoded.text.strip("\x00 \t\r\n"):
        return NoPage("the page is empty")
    content = _READERS[format](decoded, capture.url)
    if isinstance(content, NoPage):
        return content
    return Page(
        url=capture.url,
        requested_url=capture.requested_url,
        date=capture.date,
        encoding=decoded.encoding,
        evidence=decoded.evidence,
        headers=capture.headers,
        **{"base": capture.url, **content},
    )


def parse_html(text: str) -> Element | None:
    """The tree of an HTML text, without comments; never more of it lost than its broken tags. None: no tree can be made of it."""
    tree = _parsed(text.encode("utf-8", "replace"))
    return None if isinstance(tree, NoPage) else tree


def _parsed(content: bytes) -> Element | NoPage:
    if len(content) > MAX_TAGS and content.count(b"<") > MAX_TAGS:
        return NoPage(f"more than {MAX_TAGS:,} tags")
    content = _in_one_piece(content.replace(b"\x00", b""))
    if len(content) > _HARMLESS and _most_attributes(content) > MAX_ATTRIBUTES:
        return NoPage(f"a tag of more than {MAX_ATTRIBUTES:,} attributes")
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True, collect_ids=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.LxmlError, ValueError) as problem:
        return NoPage(f"not HTML: {problem}")
    if root is None:
        return NoPage("no HTML in it")
    # libxml2 leaves out what lies deeper, and says so nowhere else
    if any(_TOO_DEEP in (entry.message or "") for entry in parser.error_log):
        return NoPage("tags are nested more than 2,048 levels deep")
    return root


class _MostAttributes:
    """What a parser may tell instead of making a tree: how many attributes the tag with most of them has."""

    def __init__(self) -> None:
        self._most = 0

    def start(self, _tag: str, attrib: Mapping[str, str]) -> None:
        self._most = max(self._most, len(attrib))

    def close(self) -> int:
        return self._most


def _most_attributes(content: bytes) -> int:
    target: Any = _MostAttributes()
    with suppress(etree.LxmlError, ValueError):  # of what cannot be parsed, the parser of the tree says why
        etree.fromstring(content, etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, target=target))
    return int(target.close())


def _in_one_piece(content: bytes) -> bytes:
    """Where a page goes on after its end, without the ends: libxml2 would put the rest into a tree of its own."""
    end = _END_OF_PAGE.search(content)
    if end is None or _START_TAG.search(content, end.end()) is None:
        return content
    return _END_OF_PAGE.sub(b"", content)


def _html(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    root = _parsed(decoded.utf8 or decoded.text.encode("utf-8", "replace"))
    if isinstance(root, NoPage):
        return root
    special: dict[str, list[Element]] = {"base": [], "noscript": [], "template": []}
    for element in root.iter(*special):
        special[element.tag].append(element)
    _place_streamed(root, special["template"])
    _show_noscript(root, special["noscript"])
    return {"tree": root, "base": _base_of(special["base"], url)}


def _place_streamed(root: Element, templates: list[Element]) -> None:
    """React sends what takes long at the end of the page and hidden; a script puts it where a `template` with its number waits."""
    waiting = [template for template in templates if (template.get("id") or "").startswith(("B:", "P:"))][:_MOST_STREAMED]
    streamed = {id: element for element in root.iter("div") if (id := element.get("id", "")).startswith("S:")} if waiting else {}
    for template in waiting:
        piece = streamed.get(f"S:{template.get('id', '')[2:]}")
        if piece is not None and piece.attrib.pop("hidden", "no") != "no" and piece not in template.iterancestors():
            template.addprevious(piece)


def _show_noscript(root: Element, noscripts: list[Element]) -> None:
    """Where a script would fill the page, its text is what readers without scripts are shown: that `noscript` becomes a `div`."""
    for noscript in noscripts[:_MOST_NOSCRIPTS]:
        if len(noscript) and next(noscript.iter("article", "h1", "main", "p"), None) is not None:
            length = len(squeeze(element_text(noscript)))
            if length >= _SHORTEST_NOSCRIPT and short_text(root, length // 2) is not None:
                noscript.tag = "div"
                return


def _json(decoded: Decoded, _: str) -> dict[str, Any] | NoPage:
    try:
        return {"json": whole_json(decoded.text.strip("\ufeff\x00"))}
    except ValueError as problem:
        return NoPage(f"not JSON: {problem}")


def _urls(decoded: Decoded, _: str) -> dict[str, Any]:
    return {"text": decoded.text}


def _feed(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    if decoded.text.lstrip(_BEFORE_JSON).startswith("{"):
        return _json(decoded, url)
    if not has_root(decoded.text) and (html := _html(decoded, url)) and not isinstance(html, NoPage) and html["tree"].tag == "html":
        named = any(feed_links(html["tree"]))
        return {"xml": html["tree"], "base": html["base"]} if named else NoPage("no feed: a page of HTML, which names none")
    document = read_xml(decoded.text, FEED_ENTRIES)
    if isinstance(document, NoPage):
        return document
    name = local_name(document.root)
    if name.lower() not in _FEEDS:
        return NoPage(f"no feed: the document is `{name}`")
    return {"xml": document.root, "broken": document.broken}


def feed_links(tree: Element) -> Iterator[str]:
    """Where a page of HTML says that its feeds are, the comments' ones last."""
    links = [one for one in tree.iter("link") if "alternate" in (one.get("rel") or "").lower().split() and one.get("href")]
    named = [one.get("href", "") for one in links if (one.get("type") or "").partition(";")[0].strip().lower() in _FEED_TYPES]
    return iter(sorted(named, key=lambda href: "comment" in href.lower()))


_READERS: dict[str, Callable[[Decoded, str], dict[str, Any] | NoPage]] = {"html": _html, "json": _json, "urls": _urls, "feed": _feed}


def _base_of(bases: list[Element], url: str) -> str:
    """The first `<base href>` counts, as in browsers."""
    href = next((href for base in bases if (href := base.get("href")) is not None), None)
    joined = join(url, href) if href is not None else None
    return joined if joined is not None and is_http(joined) else url
