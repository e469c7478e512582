"""Turn a response into a parsed page: its tree or its JSON, and what its links are joined with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.decode import Decoded, decode
from webarticlecurator.document.walls import classify
from webarticlecurator.document.xml import has_root, local_name, read_xml
from webarticlecurator.model.capture import Capture, Fetched
from webarticlecurator.model.page import NoPage, Page, relations, whole_json
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import mime_of
from webarticlecurator.text import element_text, short_text, squeeze
from webarticlecurator.urls import is_http, join

MAX_TAGS = 1_000_000
"""Tags of one page; a tree of more would fill the memory."""
MAX_ATTRIBUTES = 5_000
"""Attributes of one tag; to libxml2 each costs as much as all before it, so that a tag of a megabyte would
take hours."""
_MANY_BYTES = 200_000
"""Bytes of a page whose attributes are counted, which is as dear as its parsing; in a shorter one even a
single tag of nothing else takes a second or two, in one of twice the length ten."""
_MOST_STREAMED = 50
"""Pieces of a page that come late."""
_MOST_NOSCRIPT = 20
"""Elements for readers without scripts that are looked at."""
_LEAST_OF_NOSCRIPT = 400
"""Characters of a text in `noscript`; who only asks for a browser with scripts needs fewer."""
_NO_PAGES = ("audio/", "font/", "image/", "video/", "application/pdf", "application/zip")
"""Beginnings of media types that no page has."""
_PARSER_OPTIONS: Any = {"encoding": "utf-8", "huge_tree": True, "no_network": True}
# Both cases are spelled out: so they are found several times faster than with IGNORECASE.
_END_OF_PAGE = linear(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
_START_TAG = linear(rb"<[A-Za-z]")
FEED_ENTRIES = frozenset({"item", "entry"})
_ROOTS_OF_FEEDS = frozenset({"rss", "feed", "rdf", "channel"})
_FEED_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"},
)


def fetched_page(
    fetched: Fetched, *, encoding: str | None = None, format: str = "html", classified: bool = False
) -> Page | NoPage:
    """Return the page that was asked for, as `read_page` reads it, or why there is none."""
    if fetched.capture is None:
        return NoPage(fetched.verdict.reason)
    return read_page(fetched.capture, encoding=encoding, format=format, classified=classified)


def read_page(
    capture: Capture,
    *,
    encoding: str | None = None,
    format: str = "html",
    classified: bool = False,
) -> Page | NoPage:
    """Return the page that a response is, read as `html`, `json`, `urls` or `feed`, or why it is none.

    `classified`: it is known to be no wall.
    """
    wall = None if classified else classify(capture)
    if wall is not None:
        return wall
    mime = mime_of(capture.headers)
    if mime.startswith(_NO_PAGES):
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
        is_dated=capture.is_dated,
        encoding=decoded.encoding,
        evidence=decoded.evidence,
        headers=capture.headers,
        **{"base": capture.url, **content},
    )


def parse_html(text: str) -> Element | None:
    """Return the tree of an HTML text, without comments; None if no tree can be made of it.

    No more of it is lost than its broken tags.
    """
    tree = _parsed(text.encode("utf-8", "replace"))
    return None if isinstance(tree, NoPage) else tree


def parse_part(page: Page, text: str) -> Element | None:
    """Return the tree of HTML that stands in a value of a page, which keeps it."""
    tree = parse_html(text)
    if tree is not None:
        page.parts.append(tree)
    return tree


def _parsed(content: bytes) -> Element | NoPage:
    if content.count(b"<") > MAX_TAGS:
        return NoPage(f"more than {MAX_TAGS:,} tags")
    content = _without_early_end(content.replace(b"\x00", b""))
    if len(content) > _MANY_BYTES and _most_attributes(content) > MAX_ATTRIBUTES:
        return NoPage(f"a tag of more than {MAX_ATTRIBUTES:,} attributes")
    options: Any = {
        **_PARSER_OPTIONS,
        **dict.fromkeys(("remove_comments", "remove_pis"), True),
        "collect_ids": False,
    }
    parser = etree.HTMLParser(**options)
    try:
        root = etree.fromstring(content, parser)
    except (etree.LxmlError, ValueError) as problem:
        return NoPage(f"not HTML: {problem}")
    if root is None:
        return NoPage("no HTML in it")
    # libxml2 leaves out what lies deeper, and says so nowhere else
    if any("Excessive depth" in f"{entry.message}" for entry in parser.error_log):
        return NoPage("tags are nested more than 2,048 levels deep")
    return root


def _without_early_end(content: bytes) -> bytes:
    """Return a page that goes on after its end without that end, behind which libxml2 would put the rest
    into a tree of its own."""
    end = _END_OF_PAGE.search(content)
    goes_on = end is not None and _START_TAG.search(content, end.end()) is not None
    return _END_OF_PAGE.sub(b"", content) if goes_on else content


def _most_attributes(content: bytes) -> int:
    """Return how many attributes the tag with most of them has; of what cannot be parsed, the parser of the
    tree says why."""
    counter: Any = _MostAttributes()
    with suppress(etree.LxmlError, ValueError):
        etree.fromstring(content, etree.HTMLParser(**_PARSER_OPTIONS, target=counter))
    return int(counter.most)


class _MostAttributes:
    """Counts the attributes of the tag with most of them, told by a parser that makes no tree."""

    most = 0

    def start(self, _tag: str, attrib: Mapping[str, str]) -> None:
        self.most = max(self.most, len(attrib))

    def close(self) -> int:
        return self.most


def _html(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    content = decoded.utf8 or decoded.text.encode("utf-8", "replace")
    root = _parsed(content)
    if isinstance(root, NoPage):
        return root
    special = defaultdict[str, list[Element]](list)
    for element in root.iter("base", "noscript", "template"):
        special[element.tag].append(element)
    _place_streamed(root, special["template"])
    _show_noscript(root, special["noscript"])
    return {
        "tree": root,
        "base": _base_of(special["base"], url),
        "has_end": _END_OF_PAGE.search(content) is not None,
    }


_streamed = etree.XPath("descendant::div[@hidden and @id = $id]")


def _place_streamed(root: Element, templates: list[Element]) -> None:
    """Put what React sends at the end of the page, hidden, where a `template` with its number waits, as a
    script would."""
    waiting = [template for template in templates if template.get("id", "").startswith(("B:", "P:"))]
    for template in waiting[:_MOST_STREAMED]:
        pieces: Any = _streamed(root, id=f"S:{template.get('id', '')[2:]}")
        for piece in set(pieces[:1]).difference(template.iterancestors()):
            del piece.attrib["hidden"]
            template.addprevious(piece)


def _show_noscript(root: Element, noscripts: list[Element]) -> None:
    """Make the `noscript` a `div` that has the text which readers without scripts are shown, where a script
    would fill the page."""
    for noscript in noscripts[:_MOST_NOSCRIPT]:
        if next(noscript.iter("article", "h1", "main", "p"), None) is not None:
            length = len(squeeze(element_text(noscript)))
            if length >= _LEAST_OF_NOSCRIPT and short_text(root, length // 2) is not None:
                noscript.tag = "div"
                return


def _base_of(bases: list[Element], url: str) -> str:
    """Return what links are joined with: the first `<base href>`, as in browsers, else the address of the
    page."""
    for base in bases:
        if "href" in base.attrib:
            joined = join(url, base.get("href", ""))
            return joined if joined is not None and is_http(joined) else url
    return url


def _json(decoded: Decoded, _: str) -> dict[str, Any] | NoPage:
    try:
        return {"json": whole_json(decoded.text.strip("\ufeff\x00"))}
    except ValueError as problem:
        return NoPage(f"not JSON: {problem}")


def _feed(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    if decoded.text.lstrip("\ufeff\x00 \t\r\n").startswith("{"):
        return _json(decoded, url)
    return _feed_of_xml(decoded) if has_root(decoded.text) else _page_that_names_feeds(decoded, url)


def _page_that_names_feeds(decoded: Decoded, url: str) -> dict[str, Any] | NoPage:
    page = _html(decoded, url)
    if isinstance(page, NoPage):
        return page
    is_named = any(feed_links(page["tree"]))
    return (
        {"xml": page["tree"], "base": page["base"]}
        if is_named
        else NoPage("no feed: a page of HTML, which names none")
    )


def _feed_of_xml(decoded: Decoded) -> dict[str, Any] | NoPage:
    document = read_xml(decoded.text, FEED_ENTRIES)
    if isinstance(document, NoPage):
        return document
    root, broken = document
    name = local_name(root)
    return (
        {"xml": root, "broken": broken}
        if name.lower() in _ROOTS_OF_FEEDS
        else NoPage(f"no feed: the document is `{name}`")
    )


def feed_links(tree: Element) -> Iterator[str]:
    """Return where a page of HTML says that its feeds are, the comments' ones last."""
    links = (link for link in tree.iter("link") if "alternate" in relations(link))
    types = {link: link.get("type", "").partition(";")[0].strip().lower() for link in links}
    named = (link.get("href", "") for link, mime in types.items() if mime in _FEED_TYPES)
    return iter(sorted(filter(None, named), key=lambda href: "comment" in href.lower()))


_READERS: dict[str, Callable[[Decoded, str], dict[str, Any] | NoPage]] = {
    "html": _html,
    "json": _json,
    "urls": lambda decoded, _: {"text": decoded.text},
    "feed": _feed,
}
