"""Feeds: RSS from 0.9 to 2.0, Atom 0.3 and 1.0, JSON Feed; what each entry says of its article, and where the feed goes on."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_tz
from itertools import chain, islice
from typing import Any
from urllib.parse import parse_qs

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.page import FEED_ENTRIES, feed_links, parse_html
from webarticlecurator.model.links import Feed, Stated
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, short_text, squeeze
from webarticlecurator.urls import bare_host, drop_params, is_http, join, split, split_path

Entry = dict[str, Any]
_Children = Mapping[str, list[Element]]
"""Name, with the prefix that its namespace usually has -> the elements."""

_LONGEST_DESCRIPTION = 1_000
"""Characters; what is longer is the post itself."""
_LONGEST_TEXT = 100_000
"""Of one value, with its tags; no headline or summary is longer."""
_MOST_ADDRESSES, _MOST_VALUES, _MOST_LINKS, _MOST_BASES = 20, 500, 100, 16
"""Of one entry, and of one field of it; of the head of a feed; elements around a link that may say what it is joined with."""
_TRACKING = ("utm_*",)
_CORE = (
    "http://www.w3.org/2005/Atom",
    "http://purl.org/atom/ns#",
    "http://purl.org/rss/1.0/",
    "http://my.netscape.com/rdf/simple/0.9/",
    "http://channel.netscape.com/rdf/simple/0.9/",
    "http://backend.userland.com/rss2",
    "http://backend.userland.com/rss",
    "http://blogs.law.harvard.edu/tech/rss",
)
"""Namespaces of feeds themselves, whose names need no prefix."""
_NAMESPACES = {
    **dict.fromkeys(_CORE, ""),
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "http://www.pheedo.com/namespace/pheedo": "pheedo",
    "http://a9.com/-/spec/opensearch/1.1/": "opensearch",
    "http://a9.com/-/spec/opensearchrss/1.0/": "opensearch",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://purl.org/syndication/history/1.0": "fh",
    "http://prismstandard.org/namespaces/basic/2.0/": "prism",
    "http://prismstandard.org/namespaces/1.2/basic/": "prism",
}
_NUMBER = re.compile(r"[0-9]{1,9}")
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_TAG = re.compile(r"<[A-Za-z/!]")
_PERSON = re.compile(r"\s*(?:mailto:)?([^\s@()]{1,200}@[^\s@()]{1,200})?\s*(?:\(([^()]{0,200})\))?\s*")
"""Of RSS: an address, a name in brackets."""
_MAIL_DATE = re.compile(r"(?:[A-Za-z]{3,9}\.?,?\s{1,3})?\d{1,2}\s{1,3}[A-Za-z]{3}\s{1,3}\d{2,4}\s{1,3}\d")
_WITHOUT_ZONE = re.compile(r":\d\d$")
_SECTION = re.compile(r"(?:^|[/#:])(?:sections?|rubri[ck]|categor(?:y|ies))/?$", re.IGNORECASE)
"""The scheme of a category that is the section, not one of the tags."""
_KIND_SCHEME = "schemas.google.com"
"""Of categories that say that a post is a post."""
_GOOGLE = re.compile(r"(?:[\w-]+\.)?google(?:\.[a-z]{2,3}){1,2}")

_DATES = {
    "datePublished": ("published", "pubDate", "dc:date", "dcterms:issued", "issued", "dcterms:created", "created", "dc:created", "date"),
    "dateModified": ("updated", "dcterms:modified", "modified", "dc:modified"),
}
"""Field -> where it stands, the best place first."""
FIELDS = ("headline", "datePublished", "dateModified", "author", "keywords", "articleSection", "description", "lastmod")
"""What is told of an entry where its feed says it."""


def read_feed(page: Page, hosts: Collection[str]) -> Feed:
    """The entries of a feed in their order; of several addresses of one, the first on one of these hosts counts."""
    if page.xml is None:
        return _json_feed(page, page.json if isinstance(page.json, Mapping) else {}, frozenset(hosts))
    if page.xml.tag == "html":
        named = next((url for href in feed_links(page.xml) if (url := join(page.base, href)) is not None and is_http(url)), None)
        return Feed(entries=(), next_url=named, names_feed=named is not None)
    return _xml_feed(page, page.xml, frozenset(hosts))


def _feed_of(found: list[tuple[str | None, Entry]], **rest: Any) -> Feed:
    entries = [{"url": url, **entry} for url, entry in found if url is not None]
    return Feed(entries=entries, nameless=len(found) - len(entries), **rest)


def _chosen(addresses: Iterable[str | None], hosts: frozenset[str]) -> str | None:
    usable = [_landing(url) for url in islice(addresses, _MOST_ADDRESSES) if url is not None and is_http(url)]
    return next((url for url in usable if bare_host(url) in hosts), usable[0] if usable else None)


def _landing(url: str) -> str:
    """Where a link leads without the signs of who followed it, and without the redirect of Google's alerts."""
    path, query = split_path(url)
    if path == "/url" and _GOOGLE.fullmatch(bare_host(url)):
        asked = parse_qs(query)
        url = next((one for name in ("url", "q") for one in asked.get(name, ()) if is_http(one)), url)
    return drop_params(url, _TRACKING)


# --- XML ---


def _xml_feed(page: Page, root: Element, hosts: frozenset[str]) -> Feed:
    elements = [one for one in root.iter(etree.Element) if _name(one) in FEED_ENTRIES]
    heads = [_children(one) for one in (root, *(child for child in root.iterchildren() if _name(child) == "channel"))]
    authors = _authors(chain.from_iterable(head.get("author", ()) for head in heads)) if _name(root) == "feed" else []
    found = []
    for element in elements:
        children = _children(element)
        entry = _entry(children)
        if authors:
            entry.setdefault("author", authors)
        found.append((_chosen(_addresses(element, children, page), hosts), entry))
    return _feed_of(
        found,
        next_url=_next(chain.from_iterable(head.get("link", ()) for head in heads), page),
        stated=tuple(_totals(heads, len(elements))),
        complete=any("fh:complete" in head for head in heads),
    )


def _name(element: Element) -> str:
    """With its usual prefix; an undeclared one counts as it is written."""
    namespace, closed, local = str(element.tag).rpartition("}")
    if not closed:
        return local.removeprefix("atom:").removeprefix("rss:")
    prefix = _NAMESPACES.get(namespace[1:], element.prefix or "?")
    return f"{prefix}:{local}" if prefix else local


def _children(element: Element) -> _Children:
    children: dict[str, list[Element]] = {}
    for child in element.iterchildren(etree.Element):
        children.setdefault(_name(child), []).append(child)
    return children


def _entry(children: _Children) -> Entry:
    """What it says, by Schema.org's names."""
    categories = children.get("category", [])
    sections = [one for one in categories if _SECTION.search(_scheme(one))]
    entry: dict[str, Any] = {
        "headline": _first(children, ("title",), _plain),
        "author": _authors(chain.from_iterable(children.get(name, ()) for name in ("dc:creator", "author")))
        or _authors(children.get("itunes:author", ())),
        "keywords": _distinct(
            chain(
                (_term(one) for one in categories if one not in sections and _KIND_SCHEME not in _scheme(one)),
                (_plain(one) for one in children.get("dc:subject", ())),
            )
        ),
        "articleSection": _first(children, ("prism:section",), _plain) or next(filter(None, map(_term, sections)), None),
        "description": _description(_first(children, ("description", "summary", "tagline", "itunes:summary"), _plain)),
        **{field: _first(children, places, _date) for field, places in _DATES.items()},
    }
    return _with_lastmod(entry)


def _with_lastmod(entry: Entry) -> Entry:
    entry["lastmod"] = entry["dateModified"]
    return {name: value for name, value in entry.items() if value}


def _date(element: Element) -> str:
    """As ISO 8601 where it is one of mail, whose years may have two digits; else as it is written."""
    text = _plain(element)
    found = parsedate_tz(text) if _MAIL_DATE.match(text) else None
    if found is None:
        return text
    try:
        zone = None if _WITHOUT_ZONE.search(text) else timezone(timedelta(seconds=found[9] or 0))
        return datetime(*found[:6], tzinfo=zone).isoformat()
    except (ValueError, OverflowError):
        return text


def _first(children: _Children, names: Iterable[str], read: Callable[[Element], str]) -> str | None:
    return next((text for name in names for one in children.get(name, ()) if (text := read(one))), None)


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(islice(dict.fromkeys(filter(None, texts)), _MOST_VALUES))


def _scheme(category: Element) -> str:
    return category.get("scheme") or category.get("domain") or ""


def _term(category: Element) -> str:
    return squeeze(category.get("label") or category.get("term") or "") or _plain(category)


def _authors(elements: Iterable[Element]) -> list[str]:
    return _distinct(map(_author, elements))


def _author(element: Element) -> str:
    """The name; an address of mail alone is none."""
    named = _first(_children(element), ("name",), _plain)
    return named if named is not None else _person("" if len(element) else _plain(element))


def _person(text: str) -> str:
    found = _PERSON.fullmatch(text)
    return text if found is None else squeeze(found[2] or "")


def _plain(element: Element) -> str:
    """The text that a reader would see, whether the element holds text, HTML or XHTML."""
    if len(element):
        is_short = short_text(element, _LONGEST_TEXT) is not None
        return _plain_html((element.text or "") + "".join(_as_html(child) for child in element)) if is_short else ""
    text, kind = element.text or "", (element.get("type") or "").lower()
    is_text = kind in ("text", "text/plain") or (not kind and element.tag in _ATOM_TEXTS)
    return squeeze(text) if is_text else _plain_html(text)


def _as_html(element: Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html")


_ATOM_TEXTS = frozenset(f"{{{_CORE[0]}}}{name}" for name in ("title", "summary", "name"))
"""Without `type` they hold no HTML; in RSS nobody knows."""


def _plain_html(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        return ""
    if "<" not in text or _TAG.search(text) is None:
        return squeeze(html.unescape(text))
    tree = parse_html(text)
    return squeeze(element_text(tree)) if tree is not None else ""


def _description(text: str | None) -> str | None:
    return text if text is not None and len(text) <= _LONGEST_DESCRIPTION else None


# --- addresses ---


def _addresses(element: Element, children: _Children, page: Page) -> Iterator[str | None]:
    """What may be the article's own, the most trustworthy first."""
    for name in ("feedburner:origLink", "pheedo:origLink"):
        yield from (_joined(one, one.text, page) for one in children.get(name, ()))
    links = [one for one in children.get("link", ()) if (one.get("rel") or "alternate").lower() == "alternate"]
    for link in sorted(links, key=lambda one: "html" not in (one.get("type") or "html").lower()):
        yield _joined(link, link.get("href") or link.text, page)
    for guid in children.get("guid", ()):
        if (guid.get("isPermaLink") or guid.get("ispermalink") or "true").strip().lower() != "false" and _is_absolute(guid.text):
            yield _joined(guid, guid.text, page)
    yield _joined(element, element.get(_RDF_ABOUT) or element.get("rdf:about"), page)
    for name in ("id", "content"):
        yield from (_joined(one, one.text if name == "id" else one.get("src"), page) for one in children.get(name, ()) if _named(one, name))


def _named(element: Element, name: str) -> bool:
    return element.get("src") is not None if name == "content" else _is_absolute(element.text)


def _is_absolute(text: str | None) -> bool:
    return is_http((text or "").strip())


def _joined(element: Element, reference: str | None, page: Page) -> str | None:
    """The absolute address, by the `xml:base` of all elements around it; None where nothing is written."""
    reference = (reference or "").strip()
    if not reference:
        return None
    if is_http(reference) and split(reference).authority:
        return join(page.base, reference)
    base = page.base
    for around in reversed(list(islice(chain([element], element.iterancestors()), _MOST_BASES))):
        written = around.get(_XML_BASE) or around.get("xml:base")
        base = (join(base, written.strip()) if written else None) or base
    return join(base, reference)


def _next(links: Iterable[Element], page: Page) -> str | None:
    """The next page of a feed, else the archive of its older entries (RFC 5005)."""
    by_relation: dict[str, str] = {}
    for link in islice(links, _MOST_LINKS):
        url = _joined(link, link.get("href"), page)
        if url is not None:
            by_relation.setdefault((link.get("rel") or "").lower(), url)
    return next((url for name in ("next", "prev-archive") if (url := by_relation.get(name)) is not None and is_http(url)), None)


def _totals(heads: Iterable[_Children], entries: int) -> Iterator[Stated]:
    """What is also the number of entries of a page, and that of this one, says nothing of others."""
    for head in heads:
        total, per_page = (
            next((int(text) for one in head.get(f"opensearch:{name}", ()) if _NUMBER.fullmatch(text := squeeze(one.text or ""))), None)
            for name in ("totalResults", "itemsPerPage")
        )
        if total is not None and not total == per_page == entries:
            yield Stated(f"totalResults: {total}", None, total, items=True)


# --- JSON ---


def _json_feed(page: Page, feed: Mapping[str, Any], hosts: frozenset[str]) -> Feed:
    items = feed.get("items")
    authors = _json_authors(feed)
    found = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            addresses = (item.get("url"), item.get("id") if _is_absolute(_text(item.get("id"))) else None)
            joined = (join(page.base, text.strip()) for one in addresses if (text := _text(one)))
            found.append((_chosen(joined, hosts), _json_entry(item, authors)))
    following = _text(feed.get("next_url"))
    return _feed_of(found, next_url=join(page.base, following.strip()) if following else None)


def _json_entry(item: Mapping[str, Any], authors: list[str]) -> Entry:
    tags = item.get("tags")
    entry: Entry = {
        "headline": squeeze(html.unescape(_text(item.get("title")))),
        "author": _json_authors(item) or authors,
        "keywords": _distinct(squeeze(_text(tag)) for tag in (tags if isinstance(tags, list) else ())),
        "description": _description(_plain_html(_text(item.get("summary")))),
        "datePublished": _text(item.get("date_published")),
        "dateModified": _text(item.get("date_modified")),
    }
    return _with_lastmod(entry)


def _json_authors(holder: Mapping[str, Any]) -> list[str]:
    several = holder.get("authors")
    people = several if isinstance(several, list) and several else [holder.get("author")]
    return _distinct(squeeze(_text(one.get("name"))) for one in people if isinstance(one, Mapping))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
