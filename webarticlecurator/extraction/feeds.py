"""Feeds: RSS from 0.9 to 2.0, Atom 0.3 and 1.0, JSON Feed; what each entry says of its article, and where the feed goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC
from itertools import chain, islice
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.parsed_page import FEED_ENTRIES, feed_links, parse_html
from webarticlecurator.model.links import Feed, Stated
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, short_text, squeeze, unescaped
from webarticlecurator.urls import bare_host, drop_params, is_http, join, split

Entry = dict[str, Any]
_Children = Mapping[str, list[Element]]
"""By what `_name` calls them."""

_LONGEST_TEXT = 100_000
"""Of one value, with its tags; no headline or summary is longer."""
_ATOM = "http://www.w3.org/2005/Atom"
_CORE = frozenset(
    (
        *("", "atom", "rss", _ATOM, "http://purl.org/atom/ns#", "http://purl.org/rss/1.0/", "http://blogs.law.harvard.edu/tech/rss"),
        *("http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/simple/0.9/"),
        *("http://backend.userland.com/rss2", "http://backend.userland.com/rss"),
    )
)
"""Namespaces of feeds themselves, and prefixes of theirs that are not declared."""
_OF_ONE_MEANING = frozenset(
    ("created", "creator", "date", "issued", "itemsPerPage", "modified", "origLink", "section", "subject", "totalResults")
)
"""Names that mean the same in whatever namespace: of Dublin Core, OpenSearch, PRISM, FeedBurner."""
_FURTHER = ("next", "prev-archive")
_COMPLETE = frozenset({"fh:complete", "{http://purl.org/syndication/history/1.0}complete"})
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_PERSON = linear_at(r"\s*(?:mailto:)?(?:([^\s@()]{1,200}@[^\s@()]{1,200})\s*)?(?:\(([^()]{0,200})\)\s*)?")
"""Of RSS: an address, a name in brackets."""
_MAIL_DATE = linear_at(r"(?:[A-Za-z]{3,9}\.?,?\s{1,3})?\d{1,2}\s{1,3}[A-Za-z]{3}\s{1,3}\d{2,4}\s{1,3}\d")
_SECTION = linear(r"(?:^|[/#:])(?:sections?|rubri[ck]|categor(?:y|ies))/?$", re.IGNORECASE)
"""The scheme of a category that is the section, not one of the tags."""
_DATES = {"datePublished": ("published", "pubDate", "date", "issued", "created"), "dateModified": ("updated", "modified")}
"""Field -> where it stands, the best place first."""


def read_feed(page: Page, hosts: Collection[str]) -> Feed:
    """The entries of a feed in their order; of several addresses of one, the first on one of these hosts counts."""
    if page.xml is None:
        return _json_feed(page, page.json if isinstance(page.json, Mapping) else {}, frozenset(hosts))
    if page.xml.tag == "html":
        named = next((url for href in feed_links(page.xml) if (url := join(page.base, href)) is not None and is_http(url)), None)
        return Feed(entries=(), next_url=named, names_feed=named is not None)
    root, hosts = page.xml, frozenset(hosts)
    heads = _heads(root)
    authors = _authors(chain.from_iterable(head.get("author", ()) for head in heads)) if _name(root) == "feed" else []
    dated_entries = []
    for element in root.iter(etree.Element):
        if _name(element) in FEED_ENTRIES:
            children = _children(element)
            dated_entries.append((_chosen(_addresses(element, children, page), hosts), _entry(children, authors)))
    # the next page of a feed, else the archive of its older entries (RFC 5005)
    links = reversed(list(chain.from_iterable(head.get("link", ()) for head in heads)))
    further = {relation: link for link in links if (relation := (link.get("rel") or "").lower()) in _FURTHER}
    urls = (_joined(further[relation], further[relation].get("href"), page) for relation in _FURTHER if relation in further)
    stated = []
    for head in heads:
        total, per_page = (
            next((int(text) for child in head.get(name, ()) if linear_at(r"[0-9]{1,9}").fullmatch(text := squeeze(child.text or ""))), None)
            for name in ("totalResults", "itemsPerPage")
        )
        # what is also the number of entries of a page, and that of this one, says nothing of others
        if total is not None and not total == per_page == len(dated_entries):
            stated.append(Stated(f"totalResults: {total}", None, total, items=True))
    return _feed_of(
        dated_entries,
        next_url=next((url for url in urls if url is not None and is_http(url)), None),
        stated=tuple(stated),
        complete=any(element.tag in _COMPLETE for head in heads for element in head.get("*complete", ())),
    )


def title_of_feed(page: Page) -> str:
    """What a feed calls itself; empty where it does not, or is none."""
    if page.xml is not None:
        return next((title for head in _heads(page.xml) if (title := _first(head, ("title",), _plain))), "")
    return squeeze(_text(page.json.get("title"))) if isinstance(page.json, Mapping) else ""


def _heads(root: Element) -> list[_Children]:
    return [_children(head) for head in (root, *(child for child in root.iterchildren(etree.Element) if _name(child) == "channel"))]


def _feed_of(dated_entries: list[tuple[str | None, Entry]], **rest: Any) -> Feed:
    entries = [{"url": url, **entry} for url, entry in dated_entries if url is not None]
    return Feed(entries=entries, nameless=len(dated_entries) - len(entries), **rest)


def _chosen(addresses: Iterable[str | None], hosts: frozenset[str]) -> str | None:
    """Without the signs of who followed a link."""
    usable = [drop_params(url, ("utm_*",)) for url in islice(addresses, 20) if url is not None and is_http(url)]
    return next((url for url in usable if bare_host(url) in hosts), usable[0] if usable else None)


def _name(element: Element) -> str:
    """Its local name, behind a `*` where another vocabulary might mean something else by it."""
    place, closed, local = str(element.tag).rpartition("}")
    prefix, _, local = local.rpartition(":")
    is_own = (place[1:] if closed else prefix) in _CORE
    return local if is_own or local in _OF_ONE_MEANING else f"*{local}"


def _children(element: Element) -> _Children:
    children: dict[str, list[Element]] = {}
    for child in element.iterchildren(etree.Element):
        children.setdefault(_name(child), []).append(child)
    return children


def _entry(children: _Children, authors: list[str]) -> Entry:
    """What it says, by Schema.org's names."""
    terms = [
        (
            squeeze(category.get("label") or category.get("term") or "") or _plain(category),
            category.get("scheme") or category.get("domain") or "",
        )
        for category in children.get("category", ())
    ]
    tags = (term for term, scheme in terms if not _SECTION.search(scheme) and "schemas.google.com" not in scheme)
    sections = (term for term, scheme in terms if term and _SECTION.search(scheme))
    return _told(
        {
            "headline": _first(children, ("title",), _plain),
            "author": _authors((*children.get("creator", ()), *children.get("author", ())))
            or _authors(children.get("*author", ()))
            or authors,
            "keywords": _distinct(chain(tags, map(_plain, children.get("subject", ())))),
            "articleSection": _first(children, ("section",), _plain) or next(sections, None),
            "description": _short(_first(children, ("description", "summary", "tagline", "*summary"), _plain)),
            **{field: _first(children, places, _date) for field, places in _DATES.items()},
        }
    )


def _told(entry: Entry) -> Entry:
    """What of it is not empty; when it was changed last is also what a crawl goes by."""
    return {name: value for name, value in (entry | {"lastmod": entry["dateModified"]}).items() if value}


def _date(element: Element) -> str:
    """As ISO 8601 where it is one of mail, whose years may have two digits; else as it is written."""
    from email.utils import parsedate_to_datetime

    text = _plain(element)
    with suppress(ValueError, OverflowError):
        if _MAIL_DATE.match(text):
            moment = parsedate_to_datetime(text)
            return (moment if moment.tzinfo or linear(r":\d\d$").search(text) else moment.replace(tzinfo=UTC)).isoformat()
    return text


def _first(children: _Children, names: Iterable[str], read: Callable[[Element], str]) -> str | None:
    return next((text for name in names for child in children.get(name, ()) if (text := read(child))), None)


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(islice(dict.fromkeys(filter(None, texts)), 500))


def _authors(elements: Iterable[Element]) -> list[str]:
    """Their names; an address of mail alone is none."""
    names: list[str] = []
    for element in elements:
        name = _first(_children(element), ("name",), _plain)
        if name is None and not len(element):
            person = _PERSON.fullmatch(text := _plain(element))
            name = text if person is None else squeeze(person[2] or "")
        names.append(name or "")
    return _distinct(names)


def _plain(element: Element) -> str:
    """The text that a reader would see, whether the element holds text, HTML or XHTML."""
    if len(element):
        if short_text(element, _LONGEST_TEXT) is None:
            return ""
        return _plain_html("".join([element.text or "", *(etree.tostring(child, encoding="unicode", method="html") for child in element)]))
    text, kind = element.text or "", (element.get("type") or "").lower()
    is_text = kind in ("text", "text/plain") or (not kind and element.tag in _ATOM_TEXTS)
    return squeeze(text) if is_text else _plain_html(text)


_ATOM_TEXTS = frozenset(f"{{{_ATOM}}}{name}" for name in ("title", "summary", "name"))
"""Without `type` they hold no HTML; in RSS nobody knows."""


def _plain_html(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        return ""
    if "<" not in text or linear(r"<[A-Za-z/!]").search(text) is None:
        return squeeze(unescaped(text))
    tree = parse_html(text)
    return squeeze(element_text(tree)) if tree is not None else ""


def _short(text: str | None) -> str | None:
    return text if text is not None and len(text) <= 1_000 else None  # else it is the post itself


def _addresses(element: Element, children: _Children, page: Page) -> Iterator[str | None]:
    """What may be the article's own, the most trustworthy first."""
    yield from (_joined(child, child.text, page) for child in children.get("origLink", ()))
    links = [link for link in children.get("link", ()) if (link.get("rel") or "alternate").lower() == "alternate"]
    for link in sorted(links, key=lambda link: "html" not in (link.get("type") or "html").lower()):
        yield _joined(link, link.get("href") or link.text, page)
    for guid in children.get("guid", ()):
        if (guid.get("isPermaLink") or guid.get("ispermalink") or "true").strip().lower() != "false" and _is_absolute(guid.text):
            yield _joined(guid, guid.text, page)
    yield _joined(element, element.get(_RDF_ABOUT) or element.get("rdf:about"), page)
    yield from (_joined(child, child.text, page) for child in children.get("id", ()) if _is_absolute(child.text))
    yield from (_joined(child, child.get("src"), page) for child in children.get("content", ()))


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
    for around in (*reversed(list(element.iterancestors())), element):
        written = around.get(_XML_BASE) or around.get("xml:base")
        base = (join(base, written.strip()) if written else None) or base
    return join(base, reference)


def _json_feed(page: Page, feed: Mapping[str, Any], hosts: frozenset[str]) -> Feed:
    items = feed.get("items")
    authors = _json_authors(feed)
    dated_entries = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            addresses = (item.get("url"), item.get("id") if _is_absolute(_text(item.get("id"))) else None)
            joined = (join(page.base, text.strip()) for address in addresses if (text := _text(address)))
            tags = item.get("tags")
            entry = {
                "headline": squeeze(unescaped(_text(item.get("title")))),
                "author": _json_authors(item) or authors,
                "keywords": _distinct(squeeze(_text(tag)) for tag in (tags if isinstance(tags, list) else ())),
                "description": _short(_plain_html(_text(item.get("summary")))),
                "datePublished": _text(item.get("date_published")),
                "dateModified": _text(item.get("date_modified")),
            }
            dated_entries.append((_chosen(joined, hosts), _told(entry)))
    following = _text(feed.get("next_url"))
    return _feed_of(dated_entries, next_url=join(page.base, following.strip()) if following else None)


def _json_authors(holder: Mapping[str, Any]) -> list[str]:
    several = holder.get("authors")
    people = several if isinstance(several, list) and several else [holder.get("author")]
    return _distinct(squeeze(_text(person.get("name"))) for person in people if isinstance(person, Mapping))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
