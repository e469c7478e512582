"""Which source wins for which field, as a table; and what the sources of a page say, as it stood there."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.extraction.structured_data import MAX_TEXT
from webarticlecurator.model.metadata import AgentKind
from webarticlecurator.text import squeeze, visible

_TABLE = """
headline = json-ld microdata rdfa html:h1 meta:og:title html:heading meta:parsely-title meta:sailthru.title meta:citation_title
    meta:dc.title meta:dcterms.title meta:title json-ld:name html:title microdata:name rdfa:name rdfa:title
    json-ld-page json-ld-page:name
alternativeHeadline = json-ld microdata rdfa meta:dcterms.alternative html:subtitle
description = json-ld microdata meta:og:description meta:description meta:twitter:description meta:sailthru.description
    meta:dc.description meta:dcterms.description rdfa json-ld-page feed:description
author = json-ld microdata rdfa json-ld:creator meta:parsely-author meta:sailthru.author meta:citation_author meta:dc.creator
    meta:dcterms.creator rdfa:creator meta:cxenseparse:author html:rel-author html:card html:author-link html:author html:byline
    feed:author meta:author meta:article:author meta:articleauthor meta:og:article:author json-ld-page html:person-link
    html:near-by html:by
publisher = publisher.name json-ld microdata rdfa meta:citation_publisher meta:dc.publisher meta:og:site_name
datePublished = json-ld microdata meta:article:published_time meta:og:article:published_time rdfa meta:parsely-pub-date
    meta:cxenseparse:recs:publishtime meta:sailthru.date json-ld-page meta:og:published_time meta:datepublished meta:publishdate
    meta:pubdate meta:publish-date meta:publish_date meta:citation_publication_date meta:citation_date meta:dc.date.issued
    meta:dcterms.issued meta:dcterms.date meta:dc.date json-ld:dateCreated meta:dcterms.created
    meta:dc.date.created html:date meta:date url:date html:text-date
dateModified = json-ld microdata rdfa meta:article:modified_time meta:og:updated_time meta:datemodified meta:dcterms.modified
    meta:dc.date.modified json-ld-page meta:last-modified meta:lastmod html:updated
dateCreated = json-ld microdata rdfa meta:dcterms.created meta:dc.date.created
expires = json-ld microdata meta:article:expiration_time meta:sailthru.expire_date meta:dcterms.valid
articleSection = json-ld microdata meta:article:section meta:parsely-section meta:cxenseparse:section rdfa json-ld-page meta:section
    meta:articlesection json-ld:breadcrumb html:section html:breadcrumb
keywords = meta:news_keywords json-ld meta:article:tag microdata rdfa meta:parsely-tags html:rel-tag meta:keywords meta:sailthru.tags
    meta:own-keywords meta:citation_keywords meta:dc.subject meta:dcterms.subject json-ld-page json-ld:about html:tags feed:keywords
    html:topic-links html:labelled-topics
inLanguage = language json-ld microdata html:lang meta:dc.language meta:dcterms.language meta:citation_language meta:content-language
    meta:language meta:og:locale
image = json-ld meta:og:image meta:og:image:url meta:twitter:image meta:parsely-image-url microdata
thumbnailUrl = json-ld microdata meta:thumbnail meta:sailthru.image.thumb
video = json-ld meta:og:video meta:og:video:url microdata
audio = json-ld meta:og:audio microdata
url = link:canonical meta:og:url json-ld meta:parsely-link meta:citation_public_url microdata
identifier = json-ld microdata meta:citation_doi meta:dc.identifier meta:parsely-post-id meta:article:id
isAccessibleForFree = json-ld microdata json-ld-page meta:article:content_tier
license = json-ld microdata link:license meta:dcterms.license json-ld-page publisher.rights.licence
copyrightHolder = json-ld microdata meta:dcterms.rightsholder
copyrightNotice = json-ld microdata meta:copyright meta:dc.rights meta:dcterms.rights publisher.rights.statement
source = meta:dc.source meta:dcterms.source
isBasedOn = json-ld microdata meta:original-source meta:syndication-source
contentLocation = json-ld microdata meta:geo.placename
genre = json-ld microdata meta:dc.type
additionalType = json-ld:@type microdata:@type rdfa:@type
"""
"""Field = where it is looked for, the most trusted place first. A syntax without a name stands for its property of the field's name."""
_SYNTAXES = ("json-ld", "microdata", "rdfa", "json-ld-page")
_NOT_READ = frozenset({"name", "creator", "mainEntityOfPage", "isPartOf"})
"""Fields that say the same as another one; and the outlet, which is the portal: pages name products, front pages and companies there."""


def _sources() -> dict[str, tuple[str, ...]]:
    written = {name: _SYNTAXES[:3] for name in FIELDS if name not in _NOT_READ}
    for row in re.split(r"\n(?! )", _TABLE.strip()):
        name, _, sources = row.partition(" = ")
        written[name] = tuple(sources.split())
    return {name: tuple(f"{one}:{name}" if one in _SYNTAXES else one for one in sources) for name, sources in written.items()}


SOURCES = _sources()

SITE_NAMES = (
    *("meta:og:site_name", "json-ld:publisher", "microdata:publisher", "meta:application-name", "meta:apple-mobile-web-app-title"),
    *("meta:twitter:site", "meta:publisher", "meta:dc.publisher", "html:site-name"),
)
"""Where a site's own name stands."""

CARD = tuple((f"meta:twitter:label{number}", f"meta:twitter:data{number}") for number in "12")
"""A card for social media carries two labelled values."""

READ = frozenset((*(one for sources in SOURCES.values() for one in sources), *SITE_NAMES, *(source for pair in CARD for source in pair)))
"""Every source that anyone asks."""


# --- what the sources of a page say ---

_MOST_CLUES, _MOST_SEEN = 200, 40
"""Texts of one source; of one that the reader has to look for."""
_MOST_ESCAPED = 2
"""Times that some software writes an ampersand of an entity as an entity, beside what the reader of the page has undone."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(
    r"</?(?:a|abbr|acronym|address|article|b|bdi|big|blockquote|br|center|cite|code|dd|del|dfn|div|dl|dt|em|figcaption|figure|font|footer|"
    r"h[1-6]|header|hr|i|iframe|img|ins|kbd|label|li|link|mark|meta|nobr|o:p|ol|p|pre|q|rp|rt|ruby|s|samp|script|section|small|span|strike|"
    r"strong|style|sub|summary|sup|table|tbody|td|th|thead|time|tr|tt|u|ul|var|wbr)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
"""Markup that programs left in a value; what else stands in angle brackets is what somebody wrote."""


_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Characters that nobody sees, which some software leaves within words; those that part words are left."""


class Clue(NamedTuple):
    """One text that may be a value."""

    text: str
    kind: AgentKind = ""
    """What the page says its bearer is."""
    url: str = ""
    """As it stood, of the page about its bearer."""


def plain_text(raw: str) -> str:
    """Without entities and tags that were written into a value."""
    text = raw
    for _ in range(_MOST_ESCAPED):
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text
    return visible(squeeze(_TAG.sub(" ", text) if "<" in text else text))


class Clues:
    """Where it stood ("json-ld:headline", "meta:og:title", "html:h1") -> what stood there, in page order."""

    def __init__(self) -> None:
        self._clues: dict[str, list[Clue]] = {}
        self.to_look_for: dict[str, Callable[[], Iterable[Clue]]] = {}
        """What costs time, and is read when somebody asks for it."""

    def add(self, source: str, text: str | None, kind: AgentKind = "", url: str = "") -> None:
        """File a text; empty ones, endless ones and repetitions are not kept."""
        if not text or len(text) > MAX_TEXT or not (text := " ".join(_CONTROLS.sub("", text).split())):
            return
        clue, clues = Clue(text, kind, url), self._clues.setdefault(source, [])
        if len(clues) < _MOST_CLUES and clue not in clues:
            clues.append(clue)

    def get(self, source: str) -> Sequence[Clue]:
        if (look := self.to_look_for.pop(source, None)) is not None:
            for clue in islice(look(), _MOST_SEEN):
                self.add(source, *clue)
        return self._clues.get(source, ())

    def texts(self, *sources: str) -> list[str]:
        return [clue.text for source in sources for clue in self.get(source)]

    def sources(self) -> set[str]:
        """Where something stood, or may stand."""
        return {*self._clues, *self.to_look_for}
