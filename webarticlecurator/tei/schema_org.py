"""An article's metadata as Schema.org JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import orjson

from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Found
from webarticlecurator.tei.markup import language, readable, uri

_AGENTS = frozenset({"author", "creator", "contributor", "editor", "translator"})
_OBJECTS = {
    "publisher": ("Organization", "name"),
    "provider": ("Organization", "name"),
    "source": ("Organization", "name"),
    "sourceOrganization": ("Organization", "name"),
    "copyrightHolder": ("Organization", "name"),
    "contentLocation": ("Place", "name"),
    "spatialCoverage": ("Place", "name"),
    "about": ("Thing", "name"),
    "mentions": ("Thing", "name"),
    "isPartOf": ("CreativeWork", "name"),
    "citation": ("CreativeWork", "name"),
    "translationOfWork": ("CreativeWork", "@id"),
    "workTranslation": ("CreativeWork", "@id"),
    "isBasedOn": ("CreativeWork", "@id"),
    "correction": ("CorrectionComment", "text"),
    "video": ("VideoObject", "contentUrl"),
    "audio": ("AudioObject", "contentUrl"),
    "associatedMedia": ("MediaObject", "contentUrl"),
}
"""Fields whose value Schema.org wants as an object: its type, and which property of it we know."""
_PROPERTIES = {"source": "sourceOrganization"}
"""Fields that Schema.org has no property of that name for."""
_NEWS = frozenset(
    (
        *("NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle"),
        *("ReportageNewsArticle", "ReviewNewsArticle"),
    )
)
_ARTICLES = _NEWS | frozenset(
    (
        *("Article", "AdvertiserContentArticle", "SatiricalArticle", "ScholarlyArticle", "MedicalScholarlyArticle", "TechArticle"),
        *("APIReference", "Report", "SocialMediaPosting", "BlogPosting", "LiveBlogPosting", "DiscussionForumPosting"),
    )
)
_DOMAINS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("articleSection", "wordCount"), _ARTICLES),
    "dateline": _NEWS,
    **dict.fromkeys(("coverageStartTime", "coverageEndTime"), frozenset({"LiveBlogPosting"})),
    **dict.fromkeys(("upvoteCount", "downvoteCount"), frozenset({"Comment", "Question", "Answer"})),
}
"""Properties that only works of these types have; all others are those of every CreativeWork."""
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}
_IS_TYPE = re.compile(r"[A-Z][A-Za-z]+")


def schema_type(article: Article) -> str:
    """The article's type, where it is spelled like one."""
    return article.type if _IS_TYPE.fullmatch(article.type) else "Article"


def property_of(name: str, type_: str) -> str | None:
    """The property that a field is for works of this type; None where they have none."""
    types = _DOMAINS.get(name)
    return _PROPERTIES.get(name, name) if types is None or type_ in types else None


def json_ld(article: Article, portal: Portal, organisations: Collection[str]) -> str:
    """One object with the values that were chosen."""
    url = _clean(article.url)
    document: dict[str, Any] = {"@context": "https://schema.org", "@type": schema_type(article), "@id": url}
    for name, found in article.metadata.items():
        field, property_ = FIELDS.get(name), property_of(name, document["@type"])
        if field is None or property_ is None or not found:
            continue
        values = [_value(name, field, one, organisations, (url, portal.home)) for one in found]
        if field.many:
            document.setdefault(property_, []).extend(values)
        else:
            document[property_] = values[0] if len(values) == 1 else values
    outlet = portal.title or portal.name
    publisher = {"@type": "Organization", "@id": f"{portal.home}#publisher", "name": portal.publisher.name or outlet}
    document.setdefault("url", url)
    if used := language(article.language) or portal.language:
        document.setdefault("inLanguage", used)
    told = document.setdefault("publisher", publisher)
    if isinstance(told, dict) and "@id" not in told and told["name"] == publisher["name"]:
        told["@id"] = publisher["@id"]  # one for the whole corpus
    document.setdefault("isPartOf", {"@type": "WebSite", "@id": portal.home, "name": outlet, "url": portal.home})
    return orjson.dumps(document).decode()


def _clean(text: str) -> str:
    return readable(text)[0].decode()


def _value(name: str, field: Field, found: Found, organisations: Collection[str], named: Collection[str]) -> Any:
    """`named` are addresses that name the site, or the article, and so nobody else."""
    value = _clean(found.value)
    if name in _AGENTS:
        agent = {"@type": "Organization" if is_organisation(found, organisations) else "Person", "name": value}
        page = uri(found.url)
        return agent if page is None else {**agent, "url": page} if page in named else {**agent, "@id": page, "url": page}
    if name in _OBJECTS:
        type_, property_ = _OBJECTS[name]
        return {"@type": "Person" if found.kind == "person" else type_, property_: value}
    if field.holds is Holds.NUMBER and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return _TRUTH.get(value.lower(), value) if field.holds is Holds.YES_NO else value


# --- who is an organisation, and who a person ---

AGENCIES = ("source", "sourceOrganization", "provider")


def known_organisations(article: Article, portal: Portal) -> frozenset[str]:
    """Names that this article or its portal give to organisations."""
    agencies = [one.value for name in (*AGENCIES, "publisher") for one in article.metadata.get(name, ()) if one.kind != "person"]
    return frozenset((*agencies, portal.title, portal.publisher.name or portal.title))


def is_organisation(agent: Found, known: Collection[str]) -> bool:
    """What the page says of an author counts; where it says nothing, whether an organisation is known by that name."""
    return agent.kind == "organization" if agent.kind else agent.value in known
