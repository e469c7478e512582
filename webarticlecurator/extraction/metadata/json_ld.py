"""Reader of JSON-LD: finds the object that is this page's article, and files its properties."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.extraction.metadata.clues import Clues, Kind
from webarticlecurator.extraction.metadata.schema_types import is_article, is_organization, is_page, is_work, type_names
from webarticlecurator.extraction.structured_data import json_ld_blocks

Object = Mapping[str, Any]

MAX_OBJECTS = 3_000
MAX_TEXTS = 300
"""Of one property."""
MAX_NESTING = 6
"""Objects and lists inside the value of one property."""

_MAIN = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})
"""Properties whose value is as much the page's own as the object they stand in."""
_AGENTS = frozenset({"author", "creator", "contributor", "editor", "translator", "publisher", "provider", "sourceOrganization"})
_URLS_OF = ("url", "contentUrl", "embedUrl", "@id")
_TEXTS_OF = ("name", "headline", "@value", "value", "alternateName", "text", "title")
_TRACKED = re.compile(r"^https?://(?:www\.|m\.|amp\.)?|[?#].*$|/+$|/amp/?$")


def read_json_ld(scripts: Iterable[Element], urls: Collection[str], titles: Collection[str], clues: Clues) -> str | None:
    """File what the article's object in the page's scripts says as `json-ld:...`; its type, where it has one of its own.

    `urls` are the addresses that the page goes by, `titles` what other sources call it: both tell its object from those
    of the articles it recommends.
    """
    blocks = json_ld_blocks(scripts)
    if not blocks:
        return None
    objects = list(_objects(blocks))
    by_id = {one["@id"]: one for one, _ in objects if isinstance(one.get("@id"), str) and len(one) > 2}
    article = _article(objects, {_bare(url) for url in urls}, {_folded(title) for title in titles})
    if article is not None:
        _file("json-ld", article, by_id, clues)
    page = next((one for one, own in objects if own and is_page(type_names(one))), None)
    if page is not None and page is not article:
        _file("json-ld-page", page, by_id, clues)
    crumbs = next((one for one, _ in objects if "BreadcrumbList" in type_names(one)), None)
    if crumbs is not None:
        clues.add_all("json-ld:breadcrumb", _crumbs(crumbs))
    return next(iter(type_names(article)), None) if article is not None else None


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
            waiting.extend((value, own and name in _MAIN) for name, value in reversed(one.items()) if isinstance(value, (dict, list)))


def _article(objects: list[tuple[Object, bool]], urls: Collection[str], titles: Collection[str]) -> Object | None:
    """The page's own article: told by its address, else by its title, else the only one there is."""
    works = [(one, own) for one, own in objects if is_work(type_names(one)) and _has_content(one)]
    ranked = sorted(works, key=lambda work: -_rank(work[0], work[1], urls, titles))
    if not ranked:
        return None
    best, own = ranked[0]
    if _rank(best, own, urls, titles) >= _SURE:
        return best
    own_articles = [one for one, own in works if own and is_article(type_names(one))]
    return own_articles[0] if len(own_articles) == 1 else None


_SURE = 10


def _rank(one: Object, own: bool, urls: Collection[str], titles: Collection[str]) -> int:
    names = type_names(one)
    sure = 20 * any(_bare(url) in urls for url in _addresses(one)) + _SURE * any(_folded(title) in titles for title in _titles(one))
    return sure + 4 * is_article(names) + 2 * own + ("headline" in one) + ("datePublished" in one)


def _has_content(one: Object) -> bool:
    return any(name in one for name in ("headline", "name", "datePublished", "articleBody", "description"))


def _addresses(one: Object) -> Iterator[str]:
    page = one.get("mainEntityOfPage")
    for value in (one.get("url"), one.get("@id"), *((page.get("@id"), page.get("url")) if isinstance(page, dict) else (page,))):
        if isinstance(value, str):
            yield value


def _titles(one: Object) -> Iterator[str]:
    yield from (value for value in (one.get("headline"), one.get("name")) if isinstance(value, str))


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
        for text, bearer in islice(_texts(value, kind.holds, by_id, MAX_NESTING), MAX_TEXTS):
            clues.add(f"{source}:{name}", text, bearer if name in _AGENTS else "")


def _texts(value: Any, holds: Holds, by_id: Mapping[str, Object], depth: int) -> Iterator[tuple[str, Kind]]:
    if isinstance(value, bool):
        yield str(value).lower(), ""
    elif isinstance(value, (str, int, float)):
        yield str(value), ""
    elif depth and isinstance(value, list):
        for one in value[:MAX_TEXTS]:
            yield from _texts(one, holds, by_id, depth - 1)
    elif depth and isinstance(value, dict):
        yield from _texts_of_object(value, holds, by_id, depth)


def _texts_of_object(value: Object, holds: Holds, by_id: Mapping[str, Object], depth: int) -> Iterator[tuple[str, Kind]]:
    whole = by_id.get(str(value.get("@id")), value)
    names = _URLS_OF if holds is Holds.URL else _TEXTS_OF
    inner = next((whole[name] for name in names if whole.get(name)), None)
    if inner is None and ("familyName" in whole or "givenName" in whole):
        inner = " ".join(str(whole.get(name) or "") for name in ("givenName", "familyName"))
    types = type_names(whole)
    kind: Kind = "person" if "Person" in types else "organization" if is_organization(types) else ""
    for text, nested in _texts(inner, holds, {}, depth - 1):  # one reference is followed, not a chain of them
        yield text, nested or kind


def _crumbs(crumbs: Object) -> Iterator[str]:
    items = crumbs.get("itemListElement")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            inner = item.get("item")
            name = item.get("name") or (inner.get("name") if isinstance(inner, dict) else None)
            if isinstance(name, str):
                yield name
