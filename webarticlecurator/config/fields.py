"""The one table of metadata fields: Schema.org's names, with what kind of value each holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Holds(StrEnum):
    """The kinds of values that fields hold."""

    TEXT = "text"
    DATE = "date"
    """A day, or a moment with an offset."""
    URL = "url"
    LANGUAGE = "language"
    NUMBER = "number"
    YES_NO = "yes-no"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of Schema.org: the kind of its values, and whether it may have many."""

    holds: Holds = Holds.TEXT
    many: bool = False
    """A list: a pick gives all values unless it says otherwise."""


_TEXT, _TEXTS = Field(), Field(many=True)
_DATE, _URL, _NUMBER = Field(Holds.DATE), Field(Holds.URL), Field(Holds.NUMBER)
_URLS = Field(Holds.URL, many=True)

FIELDS: dict[str, Field] = {
    **dict.fromkeys(("headline", "alternativeHeadline", "name", "description", "abstract"), _TEXT),
    **dict.fromkeys(("author", "creator", "contributor", "editor", "translator"), _TEXTS),
    "publisher": _TEXT,
    **dict.fromkeys(("provider", "source", "sourceOrganization"), _TEXTS),
    **dict.fromkeys(
        ("datePublished", "dateModified", "dateCreated", "expires", "coverageStartTime", "coverageEndTime"),
        _DATE,
    ),
    "articleSection": _TEXT,
    **dict.fromkeys(("keywords", "about", "mentions"), _TEXTS),
    "genre": _TEXT,
    "additionalType": _TEXTS,
    **dict.fromkeys(("contentLocation", "spatialCoverage"), _TEXTS),
    "dateline": _TEXT,
    "inLanguage": Field(Holds.LANGUAGE),
    "translationOfWork": _URL,
    "workTranslation": _URLS,
    **dict.fromkeys(("image", "thumbnailUrl"), _URL),
    **dict.fromkeys(("video", "audio", "associatedMedia"), _URLS),
    **dict.fromkeys(("url", "mainEntityOfPage"), _URL),
    **dict.fromkeys(("identifier", "isPartOf"), _TEXT),
    "isBasedOn": _URLS,
    "citation": _TEXTS,
    "license": _URL,
    **dict.fromkeys(("usageInfo", "copyrightHolder"), _TEXT),
    "copyrightYear": _NUMBER,
    **dict.fromkeys(("copyrightNotice", "creditText"), _TEXT),
    "isAccessibleForFree": Field(Holds.YES_NO),
    **dict.fromkeys(("conditionsOfAccess", "creativeWorkStatus"), _TEXT),
    "correction": _TEXTS,
    **dict.fromkeys(("wordCount", "commentCount", "upvoteCount", "downvoteCount"), _NUMBER),
}
"""The fields by their names, in the order in which they are told of an article."""

# fmt: off
USUAL_NAMES = {
    "headline": ("title", "heading"),
    "alternativeHeadline": ("subtitle", "subheading", "kicker"),
    "description": ("lead", "summary", "excerpt", "teaser"),
    "author": ("authors", "byline", "writer"),
    "datePublished": ("date", "published", "pubdate", "publishdate", "publish_date", "published_at", "time", "timestamp", "created"),
    "dateModified": ("modified", "updated", "updated_at", "lastmod"),
    "articleSection": ("section", "category", "categories", "rubric", "column"),
    "keywords": ("tags", "tag", "labels", "topics", "topic"),
    "inLanguage": ("language", "lang"),
    "image": ("img", "picture", "photo", "thumbnail"),
    "identifier": ("id", "article_id"),
    "license": ("licence",),
    "commentCount": ("comments",),
}
# fmt: on
"""The names that people and programs usually have for a field, by Schema.org's name."""
