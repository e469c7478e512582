"""Which Schema.org types are articles, other works, web pages or organisations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

ARTICLES = frozenset(
    (
        *("Article", "NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle"),
        *("ReportageNewsArticle", "ReviewNewsArticle", "AdvertiserContentArticle", "SatiricalArticle", "ScholarlyArticle"),
        *("MedicalScholarlyArticle", "TechArticle", "APIReference", "Report", "Review", "SocialMediaPosting", "BlogPosting"),
        *("LiveBlogPosting", "DiscussionForumPosting"),
    )
)
_OTHER_WORKS = frozenset(
    (
        *("CreativeWork", "Recipe", "HowTo", "VideoObject", "AudioObject", "PodcastEpisode", "ImageGallery", "MediaObject", "Quiz"),
        *("ClaimReview", "CriticReview", "EmployerReview", "MediaReview", "Question", "Interview", "Photograph", "Blog", "Thesis"),
    )
)
_PAGES = frozenset({"WebPage", "ItemPage", "AboutPage", "FAQPage", "QAPage", "MedicalWebPage", "ProfilePage", "CollectionPage"})
_ORGANIZATIONS = ("Organization", "NewsMediaOrganization", "Corporation", "NGO", "NewsAgency")


def type_names(one: Mapping[str, Any]) -> tuple[str, ...]:
    """The types of a JSON-LD object, without the vocabulary's address."""
    types = one.get("@type")
    return tuple(local_name(name) for name in (types if isinstance(types, list) else [types]) if isinstance(name, str))


def local_name(name: str) -> str:
    """`https://schema.org/NewsArticle`, `schema:NewsArticle` -> `NewsArticle`."""
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2].strip()


def is_article(types: Collection[str]) -> bool:
    return not ARTICLES.isdisjoint(types)


def is_work(types: Collection[str]) -> bool:
    return is_article(types) or not _OTHER_WORKS.isdisjoint(types)


def is_page(types: Collection[str]) -> bool:
    return not _PAGES.isdisjoint(types)


def is_organization(types: Collection[str]) -> bool:
    return any(name.endswith(_ORGANIZATIONS) for name in types)
