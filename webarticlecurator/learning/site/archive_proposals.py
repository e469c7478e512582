"""What the pages of a look at a site amount to: where its articles are listed, as lines of a portal file with their evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count, islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.template import literal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.page_outcome import FURTHER_PAGE, LISTS, PAGING
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.labelling.element_names import WORDS_OF_LISTS
from webarticlecurator.learning.links.find_links import LinkFindings, narrowed
from webarticlecurator.learning.links.find_links import proposals as link_proposals
from webarticlecurator.learning.site.archive_columns import (
    COVERS,
    FEWEST_LINKS,
    ArchiveColumn,
    find_columns,
    furniture,
    is_its_menu,
    lead_to_lists,
    menu_and_other_links,
    name_of_column,
    needed,
)
from webarticlecurator.learning.site.boards import lists_its_threads, propose_boards
from webarticlecurator.learning.site.scripts_needed import shows_hardly_anything
from webarticlecurator.learning.site.seen import MOST_LINKS, ArchiveSeen, LeadsTo, SiteSeen, is_of_the_house
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.proposals import ONLY_SEEN, Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import normalise, split_path

_SAMPLES = 3


def propose_archives(seen: SiteSeen) -> tuple[list[Proposal], list[str], dict[str, int]]:
    """The columns that were found, or the one archive that lists all; a sitemap beside them, or in their place.

    With what a person should look at; and how many articles the first page of each column lists that was looked at.
    """
    every, common = find_columns(seen.archives, seen.fed)
    by_url: dict[str, ArchiveColumn] = {}  # several years tell of one calendar, several pages of one archive
    for column in every:
        by_url.setdefault(str(column.settings["url"]), column)
    columns = [column for column in by_url.values() if not column.is_one_of_a_calendar]
    told = "it lists the articles of a time; write `dates` for it"
    remarks = [f"{column.url}: {told}" for column in by_url.values() if column.is_one_of_a_calendar]
    has_calendar = any("dates" in column.settings for column in columns)
    used = {id(column.seen) for column in every}
    left = [archive for archive in seen.archives if id(archive) not in used and not (has_calendar and archive.is_of_a_time)]
    remarks += _why_left(left, common, furniture(seen.archives))
    chosen, why = needed(columns, seen.fed)
    if seen.boards is not None:
        of_threads = [column for column in chosen if column.is_home or lists_its_threads(seen.boards, column.articles)]
        remarks += [f"{column.url}: left out, since the boards list its threads" for column in of_threads if not column.is_home]
        chosen = [column for column in chosen if column not in of_threads]
    boards = propose_boards(seen, seen.boards, beside=bool(chosen)) if seen.boards is not None else []
    if not chosen:
        return boards or _lists_alone(seen), remarks, {}
    taken = {column.name for column in chosen}
    undecided = [] if why else list(_undecided(seen, taken, common))
    of_sitemaps, of_sitemap = _sitemaps_beside(seen, chosen, columns, common, taken)
    remarks += of_sitemap
    beside = [*boards, *undecided, *of_sitemaps]
    several = len(chosen) > 1 or bool(beside)
    names = {column.name if several else "archive": column for column in chosen}
    guess = "is the oldest date that was seen: OLDER ARTICLES ARE LEFT OUT until you say since when there are some"
    remarks += [f"{name}: `dates.from` ({column.oldest}) {guess}" for name, column in names.items() if column.oldest is not None]
    if several:
        proposals = [*_of_columns(chosen, common, seen, beside=bool(boards or of_sitemaps)), *beside]
    else:
        (column,) = chosen
        reason = f"{column.url} lists {_counts(column.listed)} articles on its first pages; {why or 'it is the only one'}"
        question = None if column.is_way_sure or not column.goes_on else "How do the pages of the archive follow one another?"
        proposals = [Proposal.at(("archive",), _choices(column, column.settings, {}, reason), question)]
        proposals += link_proposals(_confirmed(narrowed(column.rule, column.seen.pages), seen))
    proposals += find_url_cleaning(seen.archive_pages, seen.articles, links_of=common.links_of)
    return proposals, remarks, {name: len(column.links[0]) for name, column in names.items()}


def _why_left(left: Sequence[ArchiveSeen], common: LinkFindings, boxes: frozenset[str]) -> Iterator[str]:
    """Which pages with several links beside their menus are no columns."""
    for archive in left:
        page = archive.pages[0]
        beside, is_bare = menu_and_other_links(page)[1], shows_hardly_anything(page) and not common.links_of(page)
        if archive.candidate is not None and len(beside) >= FEWEST_LINKS and not is_bare:
            why = "no article of its own was found there"
            if lead_to_lists(beside - boxes) or is_its_menu(common.links_of(page), page):
                why = "its links lead to lists of articles, such as tags, sections or people"
            yield f"{page.requested_url}: {why}"


def _confirmed(findings: LinkFindings, seen: SiteSeen) -> LinkFindings:
    """Sure of its first rule where that finds what the site's own lists for programs name, and passes over none that its feed names."""
    if findings.sure or not findings.rules:
        return findings
    first = findings.rules[0]
    links = frozenset(first.urls)
    by_both = links.intersection(normalise(url) for named in (*seen.feeds, *seen.sitemaps) for url in named.articles)
    linked = frozenset(url for page in findings.pages for _, url in islice(page_links(page), MOST_LINKS))
    is_enough = len(links) >= 20 and len(by_both) >= COVERS * len(links) and not lead_to_lists(links)
    if not is_enough or not linked & seen.fed <= links:
        return findings
    confirmed = replace(first, reason=f"{first.reason}; a sitemap or a feed of the site names {len(by_both)} of them")
    return replace(findings, rules=(confirmed, *findings.rules[1:]), sure=True)


def _choices(column: ArchiveColumn, first: Mapping[str, Plain], own: Mapping[str, Plain], reason: str) -> tuple[Choice, ...]:
    """`first`: what is written of the best way; `own`: what stands beside each way."""
    since = f"; {ONLY_SEEN.format(column.oldest)}" if column.oldest is not None else ""
    reason = f"{reason}{since}; {column.rules[0].reason if column.rules else 'no way to a next page was seen'}"
    best = Choice(value={**first, **own}, reason=reason, samples=tuple(sorted(column.links[0]))[:_SAMPLES])
    settings = {"url": literal(column.url)}
    others = (Choice(value={**settings, **rule.settings, **own}, reason=rule.reason, samples=rule.samples) for rule in column.rules[1:])
    return (best, *others)


def _counts(links: Sequence[frozenset[str]]) -> str:
    return " and ".join(str(len(of_page)) for of_page in links)


def _of_columns(columns: Sequence[ArchiveColumn], common: LinkFindings, seen: SiteSeen, *, beside: bool) -> Iterator[Proposal]:
    """What all columns share stands in `archive`, the rest in each. `beside`: other columns stand there, too."""
    ways = [{key: value for key, value in column.settings.items() if key in ("pages", "next")} for column in columns]
    shared = ways[0] if not beside and all(way == ways[0] for way in ways) else {}
    if shared:
        reason = f"all {len(columns)} columns go on in this way"
        yield Proposal(name="archive.paging", path=("archive",), choices=(Choice(value=shared, reason=reason),), sure=True)
    if pages := [page for column in columns if column.rule is common for page in column.seen.pages]:
        yield from link_proposals(_confirmed(narrowed(common, pages), seen))
    going_on = [column.way for column in columns if column.goes_on]
    for column in columns:
        alike = column.goes_on and going_on.count(column.way) >= 3  # then it is sure of all of them
        sure = (column.rule.sure or column.rule is common) and (alike or column.is_way_sure)
        settings = {key: value for key, value in column.settings.items() if key not in shared}
        own = {} if column.rule is common else column.rule.rules[0].keys
        text = column.seen.candidate.text if column.seen.candidate is not None else "the home page"
        choices = _choices(column, settings, own, f"{text}: {_counts(column.links)} articles on the pages looked at")
        question = None if sure else f"How do the pages of {column.name} follow one another?"
        yield Proposal.at(("columns", column.name), choices, question)


def _undecided(seen: SiteSeen, taken: set[str], common: LinkFindings) -> Iterator[Proposal]:
    """Sections of the menus that showed nothing, or were not had or not looked at, where sections are columns.

    As columns of their own they are told by each crawl as long as they give nothing, until somebody decides.
    """
    shown = {archive.candidate: archive.pages[0] for archive in seen.archives if archive.candidate is not None}
    for candidate in (each for each in seen.candidates if each.in_menu and each.leads_to is LeadsTo.SECTION):
        if candidate in shown:
            is_bare = shows_hardly_anything(shown[candidate]) and not common.links_of(shown[candidate])
            why = "it shows hardly anything as it was sent" if is_bare else None
        elif candidate in seen.asked:
            why = next((f"it was not had: {reason}" for url, reason, is_gone in seen.failed if url == candidate.url and not is_gone), None)
        else:
            why = "it was not looked at"
        if why is not None:
            name = name_of_column(candidate, seen.home.url, taken)
            taken.add(name)
            reason = f"{candidate.text}: a link of the menus, and {why}; a crawl says whether it gives articles"
            question = f"Does {candidate.url} list articles, and how is it read ({why})? Take the column out if there are none."
            yield Proposal.at(("columns", name), [Choice(value={"url": literal(candidate.url)}, reason=reason)], question)


def _sitemaps_beside(
    seen: SiteSeen, chosen: Sequence[ArchiveColumn], columns: Sequence[ArchiveColumn], common: LinkFindings, taken: set[str]
) -> tuple[list[Proposal], list[str]]:
    """Columns of the sitemaps, where those that were chosen may not list all; else what a person should know of them."""
    roots = _roots(seen)
    if not roots:
        return [], []
    exclude = _excluded(seen, columns, common)
    named, listed = _named(seen, exclude), frozenset[str]().union(*(links for column in chosen for links in column.listed))
    compares = f"{roots[0].entrance.url}; an audit of the archive compares the two, once it is crawled"
    if len(chosen) == 1 and chosen[0].goes_on:
        return [], [f"a sitemap lists articles, too: {compares}"]
    # what a sitemap names in a folder of several articles is taken for one that the pages lack
    covered = len(named & listed) >= COVERS * len(named) and not _folders(named - listed) & _folders(listed, 3)
    asked = {sitemap.entrance.url for sitemap in seen.sitemaps}
    if covered and all(asked.issuperset(sitemap.sitemaps) for sitemap in seen.sitemaps):
        return [], [f"the pages list {len(named & listed):,} of {len(named):,} addresses of a sitemap that may be articles: {compares}"]
    proposals = []
    for listed_by in roots:
        what = f"a sitemap, the site's own list of its pages: it names {_counted(listed_by)}"
        reason = f"{what}. Delete this column if the others have all its articles; else add to `exclude` the addresses that are none"
        value: Plain = {"url": literal(listed_by.entrance.url), "format": "sitemap", "urls": {"exclude": exclude}}
        file = split_path(listed_by.entrance.url)[0].rpartition("/")[2].partition(".")[0].lower()
        called = linear(r"[^a-z0-9]+").sub("-", file).strip("-") or "sitemap"
        name = next(name for name in chain([called], (f"{called}-{number}" for number in count(2))) if name not in taken)
        taken.add(name)
        proposals.append(Proposal.at(("columns", name), [Choice(value=value, reason=reason, samples=tuple(sorted(named)[:_SAMPLES]))]))
    return proposals, []


def _lists_alone(seen: SiteSeen) -> list[Proposal]:
    """Where no page lists articles."""
    sitemap: dict[str, Plain] = {"format": "sitemap", "urls": {"exclude": _excluded(seen, (), None)}}
    lists = [*((listed, sitemap) for listed in _roots(seen)), *((listed, dict[str, Plain](format="feed")) for listed in seen.feeds)]
    choices: list[Choice] = []
    for listed, settings in lists:
        reason = f"{listed.entrance.url} names {_counted(listed)} ({listed.entrance.told_by}); no page was found that lists articles"
        value = {"url": literal(listed.entrance.url), **settings}
        choices.append(Choice(value=value, reason=reason, samples=listed.articles[:_SAMPLES]))
    return [Proposal.at(("archive",), choices, "Does it list all articles that there are?")] if choices else []


def _roots(seen: SiteSeen) -> list[Row]:
    """Those that no other one leads to."""
    asked = {sitemap.entrance.url for sitemap in seen.sitemaps}
    return [sitemap for sitemap in seen.sitemaps if sitemap.entrance.told_by not in asked]


def _named(seen: SiteSeen, exclude: Sequence[str]) -> frozenset[str]:
    named = (url for sitemap in seen.sitemaps for url in sitemap.articles)
    return frozenset(normalise(url) for url in named if not any(linear(pattern).search(url) for pattern in exclude))


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
"""Addresses of a year, a month and a day, and of further pages of lists: where no known article has such a one."""


def _excluded(seen: SiteSeen, columns: Sequence[ArchiveColumn], common: LinkFindings | None) -> list[str]:
    """Patterns of the addresses that are no articles; none of them is that of an article which a page or a feed lists."""
    articles = seen.fed.union(*(column.articles for column in columns))
    parts = {part for sitemap in seen.sitemaps for url in sitemap.articles for part in split_path(url)[0].lower().split("/")}
    words = "|".join(sorted(LISTS - {"page"} | (WORDS_OF_LISTS & parts)))  # those that all sites have, and those of this site's sitemaps
    of_names = rf"/(?:{words})(?:\.html?|/[^/]+)?(?:/(?:index\.[a-z]{{3,5}})?)?$"
    """Lists of an author, a topic, a section."""
    shapes = [shape for shape in (*_LISTS, of_names) if articles and not any(linear(shape).search(url) for url in articles)]
    patterns = [*_NO_ARTICLES, *shapes]
    named = set(map(_path, _named(seen, patterns)))
    of_columns = {path for column in columns for page in column.seen.pages if (path := _path(page.requested_url))}
    looked_at = [archive.pages[0] for archive in seen.archives if archive.candidate is not None]
    # pages of the menus on which the rule for articles finds nothing but sections
    of_sections = {_path(page.requested_url) for page in looked_at if common and is_its_menu(common.links_of(page), page)}
    may_be_none = named.difference(map(_path, articles))
    others = of_columns & named | of_sections & may_be_none | set(filter(is_of_the_house, may_be_none))
    pages = "|".join(map(re.escape, sorted(others)[:60]))
    return [*patterns, f"^https?://[^/]+(?:{pages})/?$"] if pages else patterns


def _folders(urls: Iterable[str], fewest: int = 1) -> set[str]:
    """Those that so many lie in, but the root, where anything does; numbers in them are of times."""
    counted = Counter(linear(r"\d+").sub("0", _path(url)).rpartition("/")[0] for url in urls)
    return {folder for folder, count in counted.items() if folder and count >= fewest}


def _path(url: str) -> str:
    path, query = split_path(normalise(url))
    return f"{path}?{query}" if query else path.rstrip("/")
