"""What the sitemaps of a site give that its pages do not: whether they are columns, and which of their addresses are no articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.template import literal
from webarticlecurator.extraction.listings import FURTHER_PAGE, LISTS
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.labelling.names import WORDS_OF_LISTS
from webarticlecurator.learning.links import LinkFindings
from webarticlecurator.learning.site.archive_candidates import MOST_LINKS, is_of_the_house, probable_articles
from webarticlecurator.learning.site.archive_columns import COVERS, ArchiveColumn, is_its_menu
from webarticlecurator.learning.site.seen import ListSeen, SiteSeen
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.urls import normalise, split_path

_SAMPLES = 3
_FEWEST_PAGES = 3
"""That have a link in common, before it is one of their menu."""
_FEWEST_OF_FOLDER = 3
"""Articles of a folder, before what else a sitemap names there is taken for one that the pages lack."""
_NUMBERS = re.compile(r"\d+")
_MOST_PAGES = 60
"""Of lists and menus that are left out by their addresses."""
_NO_ARTICLES = (
    r"^https?://[^/]+(?:/(?:index\.[a-z]{3,5})?)?$",
    r"\.(?:avif|css|gif|jpe?g|js|mp3|mp4|pdf|png|svg|webp|zip)$",
    r"/404(?:\.[a-z]{3,5}|/)?$",
)
"""What sitemaps list beside articles: the home page, files, the page for what is not there."""
_LISTS = (
    r"/(?:19|20)\d\d(?:/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12]\d|3[01]))?)?(?:\.html?|/)?$",
    FURTHER_PAGE,
)
"""Addresses of a year, a month and a day, and of further pages of lists: where no known article has such a one."""


def sitemaps_beside(
    seen: SiteSeen, chosen: Sequence[ArchiveColumn], columns: Sequence[ArchiveColumn], common: LinkFindings
) -> tuple[tuple[Proposal, ...], str]:
    """Columns of the sitemaps, where those that were chosen may not list all; else what a person should know of them."""
    roots = _roots(seen)
    if not roots:
        return (), ""
    exclude = _excluded(seen, columns, common)
    named, listed = _named(seen, exclude), frozenset[str]().union(*(links for column in chosen for links in column.listed))
    compares = f"{roots[0].entrance.url}; an audit of the archive compares the two, once it is crawled"
    if len(chosen) == 1 and chosen[0].goes_on:
        return (), f"a sitemap lists articles, too: {compares}"
    covered = len(named & listed) >= COVERS * len(named) and not _folders(named - listed) & _folders(listed, _FEWEST_OF_FOLDER)
    if _is_read_whole(seen) and covered:
        return (), f"the pages list {len(named & listed):,} of {len(named):,} addresses of a sitemap that may be articles: {compares}"
    return tuple(_column(sitemap, exclude, sorted(named)) for sitemap in roots), ""


def list_alone(seen: SiteSeen) -> Iterator[Proposal]:
    """Where no page lists articles."""
    sitemap: dict[str, Plain] = {"format": "sitemap", "urls": {"exclude": _excluded(seen, (), None)}}
    found = [*((one, sitemap) for one in _roots(seen)), *((one, dict[str, Plain](format="feed")) for one in seen.feeds)]
    choices = tuple(
        Choice(
            value={"url": literal(one.entrance.url), **settings},
            reason=f"{_counted(one)} ({one.entrance.told_by}); no page was found that lists articles",
            samples=one.articles[:_SAMPLES],
        )
        for one, settings in found
    )
    if choices:
        yield Proposal(name="archive", path=("archive",), choices=choices, sure=False, question="Does it list all articles that there are?")


def _roots(seen: SiteSeen) -> list[ListSeen]:
    """Those that no other one leads to."""
    asked = {one.entrance.url for one in seen.sitemaps}
    return [one for one in seen.sitemaps if one.entrance.told_by not in asked]


def _is_read_whole(seen: SiteSeen) -> bool:
    asked = {one.entrance.url for one in seen.sitemaps}
    return all(asked.issuperset(sitemap.sitemaps) for sitemap in seen.sitemaps)


def _named(seen: SiteSeen, exclude: Sequence[str]) -> frozenset[str]:
    return frozenset(normalise(url) for one in seen.sitemaps for url in one.articles if not _matches(exclude, url))


def _matches(patterns: Sequence[str], url: str) -> bool:
    return any(re.search(one, url) for one in patterns)


# --- what is no article ---


def _excluded(seen: SiteSeen, columns: Sequence[ArchiveColumn], common: LinkFindings | None) -> list[str]:
    """Patterns of the addresses that are no articles; none of them is that of an article which a page or a feed lists."""
    articles = seen.fed.union(*(one.articles for one in columns))
    shapes = [one for one in (*_LISTS, _lists_of_names(seen)) if articles and not any(_matches([one], url) for url in articles)]
    patterns = [*_NO_ARTICLES, *shapes]
    known = set(map(_path, articles))
    named = {_path(url) for url in _named(seen, patterns)} - known
    lists = (_lists(columns) | _of_sections(seen, common) | _in_menus(seen, named)) - known
    unread = set() if _is_read_whole(seen) else {path for path in lists if "?" not in path and not _matches(patterns, f"https://x{path}")}
    others = lists & named | unread | set(filter(is_of_the_house, named))
    pages = "|".join(re.escape(one) for one in sorted(others)[:_MOST_PAGES])
    return [*patterns, f"^https?://[^/]+(?:{pages})/?$"] if pages else patterns


def _lists_of_names(seen: SiteSeen) -> str:
    """Addresses of lists of an author, a topic, a section: by the words that all sites have, and by those of this site's sitemaps."""
    parts = {part for one in seen.sitemaps for url in one.articles for part in split_path(url)[0].lower().split("/")}
    words = "|".join(sorted(LISTS - {"page"} | (WORDS_OF_LISTS & parts)))
    return rf"/(?:{words})(?:\.html?|/[^/]+)?/?$"


def _lists(columns: Sequence[ArchiveColumn]) -> set[str]:
    return {path for one in columns for page in one.seen.pages if (path := _path(page.requested_url))}


def _of_sections(seen: SiteSeen, common: LinkFindings | None) -> set[str]:
    """Pages of the menus on which the rule for articles finds nothing but sections."""
    if common is None:
        return set()
    pages = (one.pages[0] for one in seen.archives if one.candidate is not None)
    return {_path(page.requested_url) for page in pages if is_its_menu(common.links_of(page), page)}


def _in_menus(seen: SiteSeen, named: set[str]) -> set[str]:
    """What every page that was looked at links to, but not with a headline; not where the menu goes down to articles of a folder."""
    if len(seen.pages) < _FEWEST_PAGES:
        return set()
    links = ({page.url, *(url for _, url in islice(page_links(page), MOST_LINKS))} - set(probable_articles(page)) for page in seen.pages)
    menu = {path for path in map(_path, set[str].intersection(*links)) if path}
    folders = {_folder(path) for path in named - menu} - {""}
    return {path for path in menu if _folder(path) not in folders}


def _folder(path: str) -> str:
    """The first one of a path with several parts."""
    first, _, rest = path.strip("/").partition("/")
    return first if rest else ""


def _folders(urls: Iterable[str], fewest: int = 1) -> set[str]:
    """Those that so many lie in, but the root, where anything does; numbers in them are of times."""
    counted = Counter(_NUMBERS.sub("0", _path(url)).rpartition("/")[0] for url in urls)
    return {folder for folder, count in counted.items() if folder and count >= fewest}


def _path(url: str) -> str:
    path, query = split_path(normalise(url))
    return f"{path}?{query}" if query else path.rstrip("/")


# --- as columns ---


def _column(one: ListSeen, exclude: Sequence[str], named: Sequence[str]) -> Proposal:
    reason = f"{_counted(one)} ({one.entrance.told_by}); it may list what the pages do not, and pages that are no articles"
    value: Plain = {"url": literal(one.entrance.url), "format": "sitemap", "urls": {"exclude": list(exclude)}}
    name = re.sub(r"[^a-z0-9]+", "-", split_path(one.entrance.url)[0].rpartition("/")[2].partition(".")[0].lower()).strip("-") or "sitemap"
    choice = Choice(value=value, reason=reason, samples=tuple(named[:_SAMPLES]))
    return Proposal(name=f"columns.{name}", path=("columns", name), choices=(choice,), sure=True)


def _counted(one: ListSeen) -> str:
    addresses = amount(len(one.articles), "address", "addresses") if one.articles else ""
    files = amount(len(one.sitemaps), "further sitemap") if one.sitemaps else ""
    return f"{one.entrance.url} names {' and '.join(filter(None, (addresses, files)))}"
