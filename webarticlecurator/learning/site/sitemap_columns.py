"""Columns of the lists that a site has for programs, where no page lists its articles; else a crawl asks what they
name and no list does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from webarticlecurator.amounts import amount
from webarticlecurator.config.template import literal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.listing_addresses import FURTHER_PAGE, LISTS, PAGING
from webarticlecurator.labelling.element_names import WORDS_OF_LISTS
from webarticlecurator.learning.site.list_links import is_of_the_house
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import normalise, split_path

_SAMPLES = 3


def remarks_on_sitemaps(seen: SiteSeen) -> list[str]:
    """Return that a sitemap lists articles beside the lists that were chosen."""
    beside = (
        "a crawl asks for some of what no column lists, and tells it; a column of it has `format: sitemap`"
    )
    return [f"a sitemap lists articles, too: {root.entrance.url}; {beside}" for root in _roots(seen)[:1]]


def lists_for_programs_alone(seen: SiteSeen) -> list[Proposal]:
    """Return the archive of a site of which no page lists articles: its sitemaps and feeds."""
    choices = [*_choices_of(_roots(seen), {"format": "sitemap", "urls": {"exclude": _excluded(seen)}})]
    choices += _choices_of(seen.feeds, {"format": "feed"})
    return (
        [Proposal.at(("archive",), choices, "Does it list all articles that there are?")] if choices else []
    )


def _choices_of(lists: Sequence[Row], settings: dict[str, Plain]) -> Iterator[Choice]:
    for listed in lists:
        told_by = f"({listed.entrance.told_by}); no page was found that lists articles"
        reason = f"{listed.entrance.url} names {_counted(listed)} {told_by}"
        value = {"url": literal(listed.entrance.url), **settings}
        yield Choice(value=value, reason=reason, samples=listed.articles[:_SAMPLES])


def _roots(seen: SiteSeen) -> list[Row]:
    """Return those sitemaps that no other one leads to."""
    asked = {sitemap.entrance.url for sitemap in seen.sitemaps}
    return [sitemap for sitemap in seen.sitemaps if sitemap.entrance.told_by not in asked]


def _counted(listed: Row) -> str:
    addresses = amount(len(listed.articles), "address", "addresses") if listed.articles else ""
    files = amount(len(listed.sitemaps), "further sitemap") if listed.sitemaps else ""
    return " and ".join(filter(None, (addresses, files)))


_NO_ARTICLES = (
    r"^https?://[^/]+(?:/(?:index\.[a-z]{3,5})?)?$",
    r"\.(?:avif|css|gif|jpe?g|js|mp3|mp4|pdf|png|svg|webp|zip)$",
    r"/404(?:\.[a-z]{3,5}|/)?$",
)
"""The home page, files, the page for what is not there."""
_LISTS = (
    r"/(?:19|20)\d\d(?:/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12]\d|3[01]))?)?(?:\.html?|/(?:index\.[a-z]{3,5})?)?$",
    FURTHER_PAGE,
    rf"[?&](?:{'|'.join(sorted(PAGING))})=\d+(?:&|$)",
)
"""Addresses of a year, a month and a day, and of further pages of lists: where no known article has such a
one."""


def _excluded(seen: SiteSeen) -> list[str]:
    """Return patterns of the addresses that are no articles; none of them is that of an article which a feed
    lists."""
    patterns = [*_NO_ARTICLES]
    if seen.fed:
        shapes = (*_LISTS, _of_names(seen))
        patterns += [shape for shape in shapes if not any(map(linear(shape).search, seen.fed))]
    paths = dict.fromkeys(map(_path, chain.from_iterable(sitemap.articles for sitemap in seen.sitemaps)))
    house = "|".join(map(re.escape, filter(is_of_the_house, paths)))
    return [*patterns, f"^https?://[^/]+(?:{house})/?$"] if house else patterns


def _of_names(seen: SiteSeen) -> str:
    """Return a pattern of the lists of an author, a topic, a section: by words that all sites have, and those
    of this site's sitemaps."""
    named = (url for sitemap in seen.sitemaps for url in sitemap.articles)
    parts = {part for url in named for part in split_path(url)[0].lower().split("/")}
    words = "|".join(sorted(LISTS - {"page"} | (WORDS_OF_LISTS & parts)))
    return rf"/(?:{words})(?:\.html?|/[^/]+)?(?:/(?:index\.[a-z]{{3,5}})?)?$"


def _path(url: str) -> str:
    path, query = split_path(normalise(url))
    return f"{path}?{query}" if query else path.rstrip("/")
