"""Which source wins for which field, as a table."""

from __future__ import annotations

import re

from webarticlecurator.config.fields import FIELDS

_TABLE = """
headline = json-ld microdata rdfa html:h1 meta:og:title html:heading meta:parsely-title meta:sailthru.title meta:citation_title
    meta:twitter:title meta:dc.title meta:dcterms.title meta:title json-ld:name html:title microdata:name rdfa:name rdfa:title
    json-ld-page json-ld-page:name
alternativeHeadline = json-ld microdata rdfa meta:dcterms.alternative html:subtitle
description = json-ld microdata meta:og:description meta:description meta:twitter:description meta:sailthru.description
    meta:dc.description meta:dcterms.description rdfa json-ld-page feed:description
author = json-ld microdata rdfa json-ld:creator meta:parsely-author meta:sailthru.author meta:citation_author meta:dc.creator
    meta:dcterms.creator rdfa:creator meta:byl meta:cxenseparse:author html:rel-author html:card html:author-link html:author html:byline
    feed:author meta:author meta:article:author meta:articleauthor meta:og:author meta:og:article:author json-ld-page html:person-link
    html:near-by html:by
publisher = publisher.name json-ld microdata rdfa meta:citation_publisher meta:dc.publisher meta:og:site_name
datePublished = json-ld microdata meta:article:published_time meta:og:article:published_time rdfa meta:parsely-pub-date
    meta:cxenseparse:recs:publishtime meta:sailthru.date json-ld-page meta:og:published_time meta:datepublished meta:publishdate
    meta:pubdate meta:publish-date meta:publish_date meta:citation_publication_date meta:citation_date meta:dc.date.issued
    meta:dcterms.issued meta:dcterms.date meta:dc.date json-ld:dateCreated microdata:dateCreated meta:dcterms.created
    meta:dc.date.created html:published html:near-date html:time meta:date html:date html:page-date url:date html:text-date
dateModified = json-ld microdata rdfa meta:article:modified_time meta:og:updated_time meta:datemodified meta:dcterms.modified
    meta:dc.date.modified json-ld-page meta:last-modified meta:lastmod html:updated
    html:changed
dateCreated = json-ld microdata rdfa meta:dcterms.created meta:dc.date.created
expires = json-ld microdata meta:article:expiration_time meta:sailthru.expire_date meta:dcterms.valid
articleSection = json-ld microdata meta:article:section meta:parsely-section meta:cxenseparse:section rdfa json-ld-page meta:section
    meta:articlesection json-ld:breadcrumb html:rel-category html:section-list html:section html:breadcrumb
keywords = meta:news_keywords json-ld meta:article:tag microdata rdfa meta:parsely-tags html:rel-tag meta:keywords meta:sailthru.tags
    meta:own-keywords meta:citation_keywords meta:dc.subject meta:dcterms.subject json-ld-page json-ld:about html:tags feed:keywords
    html:topic-links
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

FIELDS_FROM: dict[str, tuple[str, ...]] = {
    source: tuple(name for name, sources in SOURCES.items() if source in sources)
    for source in {one for sources in SOURCES.values() for one in sources}
}
"""The same table from the other side: source -> the fields it may decide."""

READ = frozenset((*FIELDS_FROM, *SITE_NAMES, *(source for pair in CARD for source in pair)))
"""Every source that anyone asks."""
