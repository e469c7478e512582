"""Columns of the lists that a site has for programs: where no page lists its articles, or where the pages may
not list all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from webarticlecurator.amounts import amount
from webarticlecurator.config.template import literal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.listing_addresses import FURTHER_PAGE, LISTS, PAGING
from webarticlecurator.labelling.element_names import WORDS_OF_LISTS
from webarticlecurator.learning.links.find_links import LinkFindings
from webarticlecurator.learning.site.archive_columns import (
    COVERS,
    ArchiveColumn,
    articles_of,
    as_name,
    forms_of,
    free_name,
    is_its_menu,
)
from webarticlecurator.learning.site.chosen_lists import ChosenLists
from webarticlecurator.learning.site.list_links import is_of_the_house
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import normalise, split_path

_SAMPLES = 3


@dataclass(slots=True)
class BesideLists:
    """Columns and remarks that sitemaps add to the lists that were chosen."""

    proposals: list[Proposal] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def sitemaps_beside(
    seen: SiteSeen,
    chosen: ChosenLists,
    columns: Sequence[ArchiveColumn],
    common: LinkFindings,
    taken: set[str],
) -> BesideLists:
    """Return columns of the sitemaps, if the chosen lists may lack articles; else what a person should know
    of them.

    `taken`: names of columns, to which those of the new ones are added.
    """
    roots = _roots(seen)
    if not roots:
        return BesideLists()
    compares = f"{roots[0].entrance.url}; an audit of the archive compares the two, once it is crawled"
    if _go_on_to_all(chosen):  # a crawl reads the sitemaps, too, and asks what is in no list
        return BesideLists(remarks=[f"a sitemap lists articles, too: {compares}"])
    exclude = _excluded(seen, columns, common)
    named = _named(seen, exclude)
    listed = frozenset[str]().union(*(links for column in chosen.columns for links in column.listed))
    if _is_covered(named, listed, chosen) and _are_all_read(seen):
        count = f"{len(named & listed):,} of {len(named):,}"
        return BesideLists(
            remarks=[f"the pages list {count} addresses of a sitemap that may be articles: {compares}"]
        )
    return BesideLists([_column_of(root, named, exclude, taken) for root in roots])


def _go_on_to_all(chosen: ChosenLists) -> bool:
    general = chosen.columns[0] if len(chosen.columns) == 1 else chosen.general
    return general is not None and general.goes_on


def _are_all_read(seen: SiteSeen) -> bool:
    asked = {sitemap.entrance.url for sitemap in seen.sitemaps}
    return all(asked.issuperset(sitemap.sitemaps) for sitemap in seen.sitemaps)


def _is_covered(named: frozenset[str], listed: frozenset[str], chosen: ChosenLists) -> bool:
    """Say whether the chosen lists have what a sitemap names, or, where one of them is a list of all, will
    have it on their next pages.

    What it names in a folder of several articles is taken for an article that the pages lack.
    """
    lacking = named - listed
    if chosen.general is not None:
        forms = forms_of(articles_of(column for column in chosen.columns if column.goes_on))
        lacking = frozenset(url for url in lacking if not forms_of([url]) <= forms)
    return len(lacking) <= (1 - COVERS) * len(named) and not _folders(lacking) & _folders(listed, 3)


def _column_of(root: Row, named: frozenset[str], exclude: Sequence[str], taken: set[str]) -> Proposal:
    what = f"a sitemap, the site's own list of its pages: it names {_counted(root)}"
    reason = (
        f"{what}. Delete this column if the others have all its articles; else add to `exclude` the "
        "addresses that are none"
    )
    value: Plain = {
        "url": literal(root.entrance.url),
        "format": "sitemap",
        "urls": {"exclude": list(exclude)},
    }
    file = split_path(root.entrance.url)[0].rpartition("/")[2].partition(".")[0].lower()
    name = free_name([as_name(file) or "sitemap"], taken)
    taken.add(name)
    choice = Choice(value=value, reason=reason, samples=tuple(sorted(named)[:_SAMPLES]))
    return Proposal.at(("columns", name), [choice])


def lists_for_programs_alone(seen: SiteSeen) -> list[Proposal]:
    """Return the archive of a site of which no page lists articles: its sitemaps and feeds."""
    choices = [
        *_choices_of(_roots(seen), {"format": "sitemap", "urls": {"exclude": _excluded(seen, (), None)}})
    ]
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


def _named(seen: SiteSeen, exclude: Sequence[str]) -> frozenset[str]:
    patterns = [linear(pattern) for pattern in exclude]
    named = (url for sitemap in seen.sitemaps for url in sitemap.articles)
    return frozenset(normalise(url) for url in named if not any(pattern.search(url) for pattern in patterns))


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


def _excluded(seen: SiteSeen, columns: Sequence[ArchiveColumn], common: LinkFindings | None) -> list[str]:
    """Return patterns of the addresses that are no articles; none of them is that of an article which a page
    or a feed lists."""
    articles = articles_of(columns).union(seen.fed)
    patterns = [*_NO_ARTICLES]
    if articles:
        may_exclude = (*_LISTS, _of_names(seen))
        patterns += [shape for shape in may_exclude if not any(linear(shape).search(url) for url in articles)]
    pages = "|".join(map(re.escape, sorted(_pages_of_lists(seen, columns, common, articles, patterns))[:60]))
    return [*patterns, f"^https?://[^/]+(?:{pages})/?$"] if pages else patterns


def _of_names(seen: SiteSeen) -> str:
    """Return a pattern of the lists of an author, a topic, a section: by words that all sites have, and those
    of this site's sitemaps."""
    named = (url for sitemap in seen.sitemaps for url in sitemap.articles)
    parts = {part for url in named for part in split_path(url)[0].lower().split("/")}
    words = "|".join(sorted(LISTS - {"page"} | (WORDS_OF_LISTS & parts)))
    return rf"/(?:{words})(?:\.html?|/[^/]+)?(?:/(?:index\.[a-z]{{3,5}})?)?$"


def _pages_of_lists(
    seen: SiteSeen,
    columns: Sequence[ArchiveColumn],
    common: LinkFindings | None,
    articles: Iterable[str],
    patterns: Sequence[str],
) -> set[str]:
    """Return the paths in sitemaps that are lists which were looked at, or pages that every site has."""
    named = set(map(_path, _named(seen, patterns)))
    of_columns = {_path(page.requested_url) for column in columns for page in column.seen.pages} - {""}
    looked_at = [archive.pages[0] for archive in seen.archives if archive.candidate is not None]
    of_sections = {_path(page.requested_url) for page in looked_at if page.url in seen.of_lists}
    if common is not None:  # pages of the menus on which the rule for articles finds nothing but sections
        of_sections |= {
            _path(page.requested_url) for page in looked_at if is_its_menu(common.links_of(page), page)
        }
    may_be_none = named.difference(map(_path, articles))
    return (of_columns & named) | (of_sections & may_be_none) | set(filter(is_of_the_house, may_be_none))


def _folders(urls: Iterable[str], fewest: int = 1) -> set[str]:
    """Return those that so many lie in, but the root, where anything does; numbers in them are of times."""
    counted = Counter(linear(r"\d+").sub("0", _path(url)).rpartition("/")[0] for url in urls)
    return {folder for folder, count in counted.items() if folder and count >= fewest}


def _path(url: str) -> str:
    path, query = split_path(normalise(url))
    return f"{path}?{query}" if query else path.rstrip("/")
