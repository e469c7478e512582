"""The one table of metadata fields: Schema.org's names, with what kind of value each holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Holds(StrEnum):
    TEXT = "text"
    DATE = "date"
    """A day, or a moment with an offset."""
    URL = "url"
    LANGUAGE = "language"
    NUMBER = "number"
    YES_NO = "yes-no"


@dataclass(frozen=True, slots=True)
class Field:
    holds: Holds = Holds.TEXT
    many: bool = False
    """A list: a pick gives all values unless it says otherwise."""


_TEXT, _TEXTS = Field(), Field(many=True)
_DATE, _URL, _NUMBER = Field(Holds.DATE), Field(Holds.URL), Field(Holds.NUMBER)
_URLS = Field(Holds.URL, many=True)

FIELDS: dict[str, Field] = {
    "headline": _TEXT,
    "alternativeHeadline": _TEXT,
    "name": _TEXT,
    "description": _TEXT,
    "abstract": _TEXT,
    "author": _TEXTS,
    "creator": _TEXTS,
    "contributor": _TEXTS,
    "editor": _TEXTS,
    "translator": _TEXTS,
    "publisher": _TEXT,
    "provider": _TEXTS,
    "source": _TEXTS,
    "sourceOrganization": _TEXTS,
    "datePublished": _DATE,
    "dateModified": _DATE,
    "dateCreated": _DATE,
    "expires": _DATE,
    "coverageStartTime": _DATE,
    "coverageEndTime": _DATE,
    "articleSection": _TEXT,
    "keywords": _TEXTS,
    "about": _TEXTS,
    "mentions": _TEXTS,
    "genre": _TEXT,
    "contentLocation": _TEXTS,
    "spatialCoverage": _TEXTS,
    "dateline": _TEXT,
    "inLanguage": Field(Holds.LANGUAGE),
    "translationOfWork": _URL,
    "workTranslation": _URLS,
    "image": _URL,
    "thumbnailUrl": _URL,
    "video": _URLS,
    "audio": _URLS,
    "associatedMedia": _URLS,
    "url": _URL,
    "mainEntityOfPage": _URL,
    "identifier": _TEXT,
    "isPartOf": _TEXT,
    "isBasedOn": _URLS,
    "citation": _TEXTS,
    "license": _URL,
    "usageInfo": _TEXT,
    "copyrightHolder": _TEXT,
    "copyrightYear": _NUMBER,
    "copyrightNotice": _TEXT,
    "creditText": _TEXT,
    "isAccessibleForFree": Field(Holds.YES_NO),
    "conditionsOfAccess": _TEXT,
    "creativeWorkStatus": _TEXT,
    "correction": _TEXTS,
    "wordCount": _NUMBER,
    "commentCount": _NUMBER,
    "upvoteCount": _NUMBER,
    "downvoteCount": _NUMBER,
}

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
"""Schema.org's name -> what people and programs usually call it."""
