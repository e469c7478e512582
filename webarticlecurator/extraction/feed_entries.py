"""The entries of feeds of XML, RSS from 0.9 to 2.0 and Atom 0.3 and 1.0: what they say of their articles."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC
from itertools import chain, islice
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.extraction.alike import by_make
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, squeeze, text_inside, unescaped
from webarticlecurator.urls import bare_host, drop_params, is_http, join, web_link

Entry = dict[str, Any]
"""Names of Schema.org with what is said."""
Children = Mapping[str, list[Element]]
"""Elements by the names that `name_of` gives them."""

_LONGEST_TEXT = 100_000
"""Characters of one value, with its tags; no headline or summary is longer."""
_ATOM = "http://www.w3.org/2005/Atom"
_CORE = frozenset(
    (
        *(
            "",
            "atom",
            "rss",
            _ATOM,
            "http://purl.org/atom/ns#",
            "http://purl.org/rss/1.0/",
            "http://blogs.law.harvard.edu/tech/rss",
        ),
        *("http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/simple/0.9/"),
        *("http://backend.userland.com/rss2", "http://backend.userland.com/rss"),
    )
)
"""Namespaces of feeds themselves, and prefixes of theirs that are not declared."""
_OF_ONE_MEANING = frozenset(
    (
        "created", "creator", "date", "issued", "itemsPerPage", "modified", "origLink", "section", "subject",
        "totalResults",
    )
)  # fmt: skip
"""Names that mean the same in whatever namespace: of Dublin Core, OpenSearch, PRISM, FeedBurner."""
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_PERSON = linear_at(r"\s*(?:mailto:)?(?:([^\s@()]{1,200}@[^\s@()]{1,200})\s*)?(?:\(([^()]{0,200})\)\s*)?")
"""A person in RSS: an address, a name in brackets."""
_MAIL_DATE = linear_at(r"(?:[A-Za-z]{3,9}\.?,?\s{1,3})?\d{1,2}\s{1,3}[A-Za-z]{3}\s{1,3}\d{2,4}\s{1,3}\d")
_SECTION = linear(r"(?:^|[/#:])(?:sections?|rubri[ck]|categor(?:y|ies))/?$", re.IGNORECASE)
"""The scheme of a category that is the section, not one of the tags."""
_DATES = {
    "datePublished": ("published", "pubDate", "date", "issued", "created"),
    "dateModified": ("updated", "modified"),
}
"""Field -> where it stands, the best place first."""
_SUMMARIES = ("description", "summary", "tagline", "*summary")
"""Children that may hold the summary, the best first."""
_LONGEST_SUMMARY = 1_000
"""Characters of what is no post as a whole."""
_MOST_ADDRESSES = 20
"""Addresses of one entry."""
_MOST_NAMES = 500
"""Authors, or tags, of one entry."""
_USUAL_TYPES = {f"{{{_ATOM}}}{name}": "text" for name in ("title", "summary", "name")}
"""Elements that hold no HTML where they have no `type`; in RSS nobody knows."""
_TAG = linear(r"<[A-Za-z/!]")
_SECONDS_AT_END = linear(r":\d\d$")


def name_of(element: Element) -> str:
    """Return its local name, behind a `*` where another vocabulary might mean something else by it."""
    place, closed, local = str(element.tag).rpartition("}")
    prefix, _, local = local.rpartition(":")
    is_own = (place[1:] if closed else prefix) in _CORE
    return local if is_own or local in _OF_ONE_MEANING else f"*{local}"


def children_of(element: Element) -> Children:
    """Return what stands immediately in an element."""
    return by_make(element.iterchildren(etree.Element), name_of)


def read_entry(children: Children, authors: list[str]) -> Entry:
    """Return what an entry says, by Schema.org's names; `authors` are those of the feed."""
    tags, sections = _categories(children)
    people = (*children.get("creator", ()), *children.get("author", ()))
    entry = {
        "headline": first_of(children, ("title",), plain),
        "author": authors_of(people) or authors_of(children.get("*author", ())) or authors,
        "keywords": distinct((*tags, *map(plain, children.get("subject", ())))),
        "articleSection": next(filter(None, (first_of(children, ("section",), plain), *sections)), ""),
        "description": as_summary(first_of(children, _SUMMARIES, plain)),
    }
    return told(entry | {field: first_of(children, places, _date) for field, places in _DATES.items()})


def told(entry: Entry) -> Entry:
    """Return what is not empty; when it was changed last is also what a crawl goes by."""
    return {name: value for name, value in (entry | {"lastmod": entry["dateModified"]}).items() if value}


def _categories(children: Children) -> tuple[list[str], list[str]]:
    """Return tags and sections."""
    tags, sections = [], []
    for category in children.get("category", ()):
        term = squeeze(_attribute(category, "label", "term")) or plain(category)
        scheme = _attribute(category, "scheme", "domain")
        if _SECTION.search(scheme):
            sections.append(term)
        elif "schemas.google.com" not in scheme:
            tags.append(term)
    return tags, sections


def _attribute(element: Element, *names: str) -> str:
    """Return the first of these attributes that says anything; empty where none does."""
    return next(filter(None, map(element.get, names)), "")


def first_of(children: Children, names: Iterable[str], read: Callable[[Element], str]) -> str:
    """Return what the first of the children says that says anything; empty where none does."""
    elements = chain.from_iterable(children.get(name, ()) for name in names)
    return next(filter(None, map(read, elements)), "")


def distinct(texts: Iterable[str]) -> list[str]:
    """Return texts that are not empty, each once."""
    return list(islice(dict.fromkeys(filter(None, texts)), _MOST_NAMES))


def authors_of(elements: Iterable[Element]) -> list[str]:
    """Return the names of people; an address of mail alone is none."""
    return distinct(map(_name_of_person, elements))


def _name_of_person(element: Element) -> str:
    if len(element):
        return first_of(children_of(element), ("name",), plain)
    text = plain(element)
    person = _PERSON.fullmatch(text)
    return text if person is None else squeeze(person.groups("")[1])


# --- texts ---


def _date(element: Element) -> str:
    """Return a date of mail, whose years may have two digits, as ISO 8601; any other as it is written."""
    from email.utils import parsedate_to_datetime

    text = plain(element)
    with suppress(ValueError, OverflowError):
        if _MAIL_DATE.match(text):
            moment = parsedate_to_datetime(text)
            has_zone = moment.tzinfo or _SECONDS_AT_END.search(text)
            return (moment if has_zone else moment.replace(tzinfo=UTC)).isoformat()
    return text


def plain(element: Element) -> str:
    """Return the text that a reader would see, whether the element holds text, HTML or XHTML."""
    text = text_inside(element)
    if len(element):
        inner = (etree.tostring(child, encoding="unicode", method="html") for child in element)
        return plain_html("".join((text, *inner)))
    kind = element.get("type", _USUAL_TYPES.get(str(element.tag), ""))
    return squeeze(text) if kind.lower() in ("text", "text/plain") else plain_html(text)


def plain_html(text: str) -> str:
    """Return the text that a reader would see of HTML; empty where it is too long."""
    if len(text) > _LONGEST_TEXT:
        return ""
    if _TAG.search(text) is None:
        return squeeze(unescaped(text))
    tree = parse_html(text)
    return squeeze(element_text(tree)) if tree is not None else ""


def as_summary(text: str) -> str:
    """Return a text, unless it is the post itself."""
    return text if len(text) <= _LONGEST_SUMMARY else ""


# --- addresses ---


def chosen_address(addresses: Iterable[str | None], hosts: Collection[str]) -> str | None:
    """Return the first address on one of these hosts, else the first, without signs of who followed a
    link."""
    usable = [drop_params(url, ("utm_*",)) for url in islice(addresses, _MOST_ADDRESSES) if url is not None]
    return min(usable, key=lambda url: bare_host(url) not in hosts, default=None)


def addresses_of(element: Element, children: Children, page: Page) -> Iterator[str | None]:
    """Give what may be the address of an entry's article, the most trustworthy first."""
    return (web_address(holder, reference, page) for holder, reference in _references(element, children))


def _references(element: Element, children: Children) -> Iterator[tuple[Element, str | None]]:
    holders = {**children, _ENTRY: [element]}
    for name, read in _PLACES_OF_ADDRESSES:
        for holder in sorted(holders.get(name, ()), key=_is_no_html):
            yield holder, read(holder)


def _is_no_html(link: Element) -> bool:
    return "html" not in link.get("type", "html").lower()


def _link(link: Element) -> str | None:
    is_alternate = link.get("rel", "alternate").lower() in ("alternate", "")
    return (link.get("href") or link.text) if is_alternate else None


def _permanent_link(guid: Element) -> str | None:
    is_link = _attribute(guid, "isPermaLink", "ispermalink").strip().lower() != "false"
    return absolute(text_inside(guid)) if is_link else None


_ENTRY = "*entry"
"""Stands for the name of the entry itself."""
_PLACES_OF_ADDRESSES: tuple[tuple[str, Callable[[Element], str | None]], ...] = (
    ("origLink", lambda link: link.text),
    ("link", _link),
    ("guid", _permanent_link),
    (_ENTRY, lambda entry: _attribute(entry, _RDF_ABOUT, "rdf:about")),
    ("id", lambda name: absolute(text_inside(name))),
    ("content", lambda content: content.get("src")),
)
"""Children of an entry that tell its address, each with how it is read, the most trustworthy first."""


def absolute(text: str) -> str:
    """Return a text if it is an address by itself, else an empty one."""
    return text.strip() if is_http(text.strip()) else ""


def web_address(element: Element, reference: str | None, page: Page) -> str | None:
    """Return the absolute address, by the `xml:base` of all elements around; None where it is not of the
    web."""
    reference = (reference or "").strip()
    if not reference:
        return None
    return web_link(page.base if is_http(reference) else _base(element, page), reference)


def _base(element: Element, page: Page) -> str:
    """Return what the links in an element are joined with."""
    base = page.base
    for around in (*reversed(list(element.iterancestors())), element):
        base = join(base, _attribute(around, _XML_BASE, "xml:base").strip()) or base
    return base
