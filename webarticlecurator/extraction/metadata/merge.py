"""Which source wins for which field, as a table."""

from __future__ import annotations

from webarticlecurator.config.fields import FIELDS

_STRUCTURED = ("json-ld", "microdata", "rdfa")

_SOURCES: dict[str, tuple[str, ...]] = {
    "headline": (
        *(
            "json-ld:headline",
            "microdata:headline",
            "rdfa:headline",
            "html:h1",
            "meta:og:title",
            "html:heading",
            "meta:parsely-title",
            "meta:sailthru.title",
        ),
        *("meta:citation_title", "meta:twitter:title", "meta:dc.title", "meta:dcterms.title", "meta:title", "json-ld:name", "html:title"),
        *("microdata:name", "rdfa:name", "rdfa:title", "json-ld-page:headline", "json-ld-page:name"),
    ),
    "alternativeHeadline": (
        "json-ld:alternativeHeadline",
        "microdata:alternativeHeadline",
        "rdfa:alternativeHeadline",
        "meta:dcterms.alternative",
    ),
    "description": (
        *("json-ld:description", "microdata:description", "meta:og:description", "meta:description", "meta:twitter:description"),
        *("meta:sailthru.description", "meta:dc.description", "meta:dcterms.description", "rdfa:description", "json-ld-page:description"),
    ),
    "author": (
        *("json-ld:author", "microdata:author", "rdfa:author", "json-ld:creator", "meta:parsely-author", "meta:sailthru.author"),
        *("meta:citation_author", "meta:dc.creator", "meta:dcterms.creator", "rdfa:creator", "meta:byl", "meta:cxenseparse:author"),
        *("html:rel-author", "html:author", "html:card", "html:byline", "meta:author", "meta:article:author"),
        *("meta:articleauthor", "meta:og:author", "meta:og:article:author", "json-ld-page:author", "html:by"),
    ),
    "publisher": (
        "publisher.name",
        "json-ld:publisher",
        "microdata:publisher",
        "rdfa:publisher",
        "meta:citation_publisher",
        "meta:dc.publisher",
        "meta:og:site_name",
    ),
    "datePublished": (
        *("json-ld:datePublished", "microdata:datePublished", "meta:article:published_time", "meta:og:article:published_time"),
        *(
            "rdfa:datePublished",
            "meta:parsely-pub-date",
            "meta:cxenseparse:recs:publishtime",
            "meta:sailthru.date",
            "json-ld-page:datePublished",
        ),
        *("meta:og:published_time", "meta:datepublished", "meta:publishdate", "meta:pubdate", "meta:publish-date", "meta:publish_date"),
        *("meta:citation_publication_date", "meta:citation_date", "meta:dc.date.issued", "meta:dcterms.issued", "meta:dcterms.date"),
        *("meta:dc.date", "json-ld:dateCreated", "microdata:dateCreated", "meta:dcterms.created", "meta:dc.date.created"),
        *("html:time", "meta:date", "html:date", "html:page-date", "url:date", "html:text-date"),
    ),
    "dateModified": (
        *("json-ld:dateModified", "microdata:dateModified", "rdfa:dateModified", "meta:article:modified_time", "meta:og:updated_time"),
        *(
            "meta:datemodified",
            "meta:dcterms.modified",
            "meta:dc.date.modified",
            "json-ld-page:dateModified",
            "meta:last-modified",
            "meta:lastmod",
        ),
    ),
    "dateCreated": ("json-ld:dateCreated", "microdata:dateCreated", "rdfa:dateCreated", "meta:dcterms.created", "meta:dc.date.created"),
    "expires": ("json-ld:expires", "microdata:expires", "meta:article:expiration_time", "meta:sailthru.expire_date", "meta:dcterms.valid"),
    "articleSection": (
        *("json-ld:articleSection", "microdata:articleSection", "meta:article:section", "meta:parsely-section", "meta:cxenseparse:section"),
        *("rdfa:articleSection", "json-ld-page:articleSection", "meta:section", "json-ld:breadcrumb", "html:breadcrumb"),
    ),
    "keywords": (
        *("json-ld:keywords", "meta:news_keywords", "meta:article:tag", "microdata:keywords", "rdfa:keywords", "meta:parsely-tags"),
        *(
            "html:rel-tag",
            "meta:keywords",
            "meta:sailthru.tags",
            "meta:own-keywords",
            "meta:citation_keywords",
            "meta:dc.subject",
            "meta:dcterms.subject",
        ),
        *("json-ld-page:keywords", "json-ld:about", "html:tags"),
    ),
    "inLanguage": (
        *(
            "language",
            "json-ld:inLanguage",
            "microdata:inLanguage",
            "html:lang",
            "meta:dc.language",
            "meta:dcterms.language",
            "meta:citation_language",
        ),
        *("meta:content-language", "meta:language", "meta:og:locale"),
    ),
    "image": ("json-ld:image", "meta:og:image", "meta:og:image:url", "meta:twitter:image", "meta:parsely-image-url", "microdata:image"),
    "thumbnailUrl": ("json-ld:thumbnailUrl", "microdata:thumbnailUrl", "meta:thumbnail", "meta:sailthru.image.thumb"),
    "video": ("json-ld:video", "meta:og:video", "meta:og:video:url", "microdata:video"),
    "audio": ("json-ld:audio", "meta:og:audio", "microdata:audio"),
    "url": ("link:canonical", "meta:og:url", "json-ld:url", "meta:parsely-link", "meta:citation_public_url", "microdata:url"),
    "identifier": (
        "json-ld:identifier",
        "microdata:identifier",
        "meta:citation_doi",
        "meta:dc.identifier",
        "meta:parsely-post-id",
        "meta:article:id",
    ),
    "isPartOf": ("json-ld:isPartOf", "microdata:isPartOf", "meta:citation_journal_title", "meta:og:site_name"),
    "isAccessibleForFree": (
        "json-ld:isAccessibleForFree",
        "microdata:isAccessibleForFree",
        "json-ld-page:isAccessibleForFree",
        "meta:article:content_tier",
    ),
    "license": (
        "json-ld:license",
        "microdata:license",
        "link:license",
        "meta:dcterms.license",
        "json-ld-page:license",
        "publisher.rights.licence",
    ),
    "copyrightHolder": ("json-ld:copyrightHolder", "microdata:copyrightHolder", "meta:dcterms.rightsholder"),
    "copyrightNotice": (
        "json-ld:copyrightNotice",
        "microdata:copyrightNotice",
        "meta:copyright",
        "meta:dc.rights",
        "meta:dcterms.rights",
        "publisher.rights.statement",
    ),
    "source": ("meta:dc.source", "meta:dcterms.source"),
    "isBasedOn": ("json-ld:isBasedOn", "microdata:isBasedOn", "meta:original-source", "meta:syndication-source"),
    "contentLocation": ("json-ld:contentLocation", "microdata:contentLocation", "meta:geo.placename"),
    "genre": ("json-ld:genre", "microdata:genre", "meta:dc.type"),
}

_NOT_READ = frozenset({"name", "creator", "mainEntityOfPage"})
"""Fields that say the same as another one."""

SOURCES: dict[str, tuple[str, ...]] = {
    name: _SOURCES.get(name) or tuple(f"{syntax}:{name}" for syntax in _STRUCTURED) for name in FIELDS if name not in _NOT_READ
}
"""Field -> where it is looked for, the most trusted place first."""

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
