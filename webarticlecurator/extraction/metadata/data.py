"""Reader of structured data: finds the object that is this page's article, and files its properties."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.sources import Clue, Clues
from webarticlecurator.model.json_ld import Object, addresses, type_names
from webarticlecurator.model.metadata import AgentKind

MAX_OBJECTS = 3_000
MAX_TEXTS = 300
"""Of one property."""
MAX_TITLES = 5
"""Of one object, which may be the title of the page."""
MAX_NESTING = 6
"""Objects and lists inside the value of one property."""

ARTICLES = frozenset(
    (
        *("Article", "NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle"),
        *("ReportageNewsArticle", "ReviewNewsArticle", "AdvertiserContentArticle", "SatiricalArticle", "ScholarlyArticle"),
        *("MedicalScholarlyArticle", "TechArticle", "APIReference", "Report", "Review", "SocialMediaPosting", "BlogPosting"),
        *("LiveBlogPosting", "DiscussionForumPosting"),
    )
)
_WORKS = ARTICLES | frozenset(
    (
        *("CreativeWork", "Recipe", "HowTo", "VideoObject", "AudioObject", "PodcastEpisode", "ImageGallery", "MediaObject", "Quiz"),
        *("ClaimReview", "CriticReview", "EmployerReview", "MediaReview", "Question", "Interview", "Photograph", "Blog", "Thesis"),
    )
)
_PAGES = frozenset({"WebPage", "ItemPage", "AboutPage", "FAQPage", "QAPage", "MedicalWebPage", "ProfilePage", "CollectionPage"})
_BESIDE = frozenset({"WebSite", "BreadcrumbList", "ListItem", "SiteNavigationElement", "ImageObject", "SearchAction", "ReadAction"})
"""Types of what is no work that a page may be about."""
_ORGANIZATIONS = ("Organization", "NewsMediaOrganization", "Corporation", "NGO", "NewsAgency")
_MAIN = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})
"""Properties whose value is as much the page's own as the object they stand in."""
_ENTRIES = "liveBlogUpdate"
"""Each often has the address of the page, with a fragment: it is the page's, and not the page."""
_AGENTS = frozenset({"author", "creator", "contributor", "editor", "translator", "publisher", "provider", "sourceOrganization"})
_URLS_OF = ("url", "contentUrl", "embedUrl", "@id")
_PAGES_OF = ("url", "@id", "sameAs")
"""Of a person, the best first."""
_IS_ADDRESS = re.compile(r"https?://|/(?!/)")
_TEXTS_OF = ("name", "headline", "@value", "value", "alternateName", "text", "title")
_TRACKED = re.compile(r"^https?://(?:www\.|m\.|amp\.)?|[?#].*$|/+$|/amp/?$")


class ArticleObjects:
    """Knows a page's article by its addresses and its titles from the articles that the page recommends."""

    def __init__(self, urls: Iterable[str], titles: Iterable[str], clues: Clues) -> None:
        self._urls = {_bare(url) for url in urls}
        self._titles = {_folded(title) for title in titles}
        self._clues = clues

    def read_json_ld(self, blocks: list[Any]) -> str | None:
        """File what the article's object says as `json-ld:...`; its type, where it has one of its own."""
        objects = list(_objects(blocks))
        by_id = {one["@id"]: one for one, _ in objects if isinstance(one.get("@id"), str) and len(one) > 2}
        article = self._sure(objects)
        if article is None:
            article = _only([one for one, own in objects if own and _is(one, ARTICLES) and _has_content(one)])
        if article is not None:
            _file("json-ld", article, by_id, self._clues)
        page = next((one for one, own in objects if own and _is(one, _PAGES)), None)
        if page is not None and page is not article:
            _file("json-ld-page", page, by_id, self._clues)
        crumbs = next((one for one, _ in objects if "BreadcrumbList" in type_names(one)), None)
        if crumbs is not None:
            for name, url in _crumbs(crumbs):
                self._clues.add("json-ld:breadcrumb", name, url=url)
        self._file_types("json-ld", objects, article)
        return next(iter(type_names(article)), None) if article is not None else None

    def read_embedded(self, source: str, blocks: list[Object]) -> str | None:
        """File what the article's element says as `microdata:...` or `rdfa:...`; its type.

        Where none is an article, what stands in no thing.
        """
        objects = list(_objects(blocks))
        works = [one for one, _ in objects if _is(one, _WORKS) and not all(name.startswith("@") for name in one)]
        article = self._sure(objects) or _only([one for one in works if _is(one, ARTICLES)] or works)
        if article is None and not works:
            article = next((one for one in blocks if "@type" not in one), None)
        if article is None:
            return None
        _file(source, article, {}, self._clues)
        self._file_types(source, objects, article)
        return next(iter(type_names(article)), None)

    def _file_types(self, source: str, objects: list[tuple[Object, bool]], article: Object | None) -> None:
        """What the page declares itself to be: the types of its article, and of other works at its address or with its title."""
        for one in (*([article] if article is not None else ()), *(one for one, own in objects if own and self._evidence(one))):
            for name in type_names(one):
                if name not in _PAGES | _BESIDE and not name.endswith(("Person", *_ORGANIZATIONS)):
                    self._clues.add(f"{source}:@type", name)

    def _sure(self, objects: list[tuple[Object, bool]]) -> Object | None:
        """The page's own article: told by its address, else by its title."""
        works = [(self._evidence(one), own, one) for one, own in objects if _is(one, _WORKS) and _has_content(one)]
        ranked = sorted((work for work in works if work[0]), key=lambda work: -(work[0] + _likeness(work[2], own=work[1])))
        return ranked[0][2] if ranked else None

    def _evidence(self, one: Object) -> int:
        of_page = any(_bare(url) in self._urls for url in addresses(one))
        return 20 * of_page + 10 * any(_folded(title) in self._titles for title in _titles(one))


def _objects(blocks: list[Any]) -> Iterator[tuple[Object, bool]]:
    """All objects at any depth, in page order, each with whether it stands for the page itself."""
    waiting: list[tuple[Any, bool]] = [(block, True) for block in reversed(blocks)]
    count = 0
    while waiting and count < MAX_OBJECTS:
        one, own = waiting.pop()
        if isinstance(one, list):
            waiting.extend((item, own) for item in reversed(one))
        elif isinstance(one, dict):
            count += 1
            yield one, own
            inner = ((name, value) for name, value in reversed(one.items()) if name != _ENTRIES and isinstance(value, (dict, list)))
            waiting.extend((value, own and name in _MAIN) for name, value in inner)


def _is(one: Object, types: Collection[str]) -> bool:
    return any(name in types for name in type_names(one))


def _only(objects: list[Object]) -> Object | None:
    return objects[0] if len(objects) == 1 else None


def _likeness(one: Object, *, own: bool) -> int:
    """To an article, among those that are equally sure."""
    return 4 * _is(one, ARTICLES) + 2 * own + ("headline" in one) + ("datePublished" in one)


def _has_content(one: Object) -> bool:
    return any(name in one for name in ("headline", "name", "datePublished", "articleBody", "description"))


def _titles(one: Object) -> Iterator[str]:
    for name in ("headline", "name"):
        yield from (clue.text for clue in islice(_texts(one.get(name), Holds.TEXT, {}, MAX_NESTING), MAX_TITLES))


def _bare(url: str) -> str:
    return _TRACKED.sub("", _TRACKED.sub("", url.strip()))


def _folded(title: str) -> str:
    return re.sub(r"\W+", "", title).casefold()


# --- properties ---


def _file(source: str, one: Object, by_id: Mapping[str, Object], clues: Clues) -> None:
    for name, value in one.items():
        kind = FIELDS.get(name)
        if kind is None:
            continue
        for clue in islice(_texts(value, kind.holds, by_id, MAX_NESTING), MAX_TEXTS):
            clues.add(f"{source}:{name}", *(clue if name in _AGENTS else clue[:1]))


def _texts(value: Any, holds: Holds, by_id: Mapping[str, Object], depth: int) -> Iterator[Clue]:
    if isinstance(value, bool):
        yield Clue(str(value).lower())
    elif isinstance(value, (str, int, float)):
        yield Clue(str(value))
    elif depth and isinstance(value, list):
        for one in value[:MAX_TEXTS]:
            yield from _texts(one, holds, by_id, depth - 1)
    elif depth and isinstance(value, dict):
        yield from _texts_of_object(value, holds, by_id, depth)


def _texts_of_object(value: Object, holds: Holds, by_id: Mapping[str, Object], depth: int) -> Iterator[Clue]:
    whole = by_id.get(str(value.get("@id")), value)
    names = _URLS_OF if holds is Holds.URL else _TEXTS_OF
    inner = next((whole[name] for name in names if whole.get(name)), None)
    if inner is None and ("familyName" in whole or "givenName" in whole):
        inner = " ".join(str(whole.get(name) or "") for name in ("givenName", "familyName"))
    types = type_names(whole)
    kind: AgentKind = "person" if "Person" in types else "organization" if any(name.endswith(_ORGANIZATIONS) for name in types) else ""
    url = next((address for name in _PAGES_OF if (address := _address(whole.get(name)))), "")
    for text, nested, page in _texts(inner, holds, {}, depth - 1):  # one reference is followed, not a chain of them
        yield Clue(text, nested or kind, url or page)


def _address(value: Any) -> str:
    one = value[0] if isinstance(value, list) and value else value
    address = (one.get("url") or one.get("@id")) if isinstance(one, dict) else one
    return address if isinstance(address, str) and _IS_ADDRESS.match(address) else ""


def _crumbs(crumbs: Object) -> Iterator[tuple[str, str]]:
    """Names, each with where it leads."""
    items = crumbs.get("itemListElement")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            inner = item.get("item")
            name = item.get("name") or (inner.get("name") if isinstance(inner, dict) else None)
            if isinstance(name, str):
                yield name, _address(inner)
