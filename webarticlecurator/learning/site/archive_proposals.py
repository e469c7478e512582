"""What the pages of a look at a site amount to: where its articles are listed, as lines of a portal file with their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from webarticlecurator.amounts import amount
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.learning.links import LinkFindings, narrowed
from webarticlecurator.learning.links import proposals as link_proposals
from webarticlecurator.learning.site.archive_candidates import MOST_LINKS, LeadsTo
from webarticlecurator.learning.site.archive_columns import (
    COVERS,
    FEWEST_LINKS,
    ArchiveColumn,
    find_columns,
    furniture,
    is_its_menu,
    lead_to_lists,
    links_beside_menus,
    needed,
)
from webarticlecurator.learning.site.seen import ArchiveSeen, SiteSeen
from webarticlecurator.learning.site.sitemaps import list_alone, sitemaps_beside
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.proposals import ONLY_SEEN, Choice, Plain, Proposal
from webarticlecurator.urls import normalise

_SAMPLES = 3
_ENOUGH_ALIKE = 3
"""Columns that go on in one way, before it is sure of all of them."""
_ENOUGH_TO_CONFIRM = 20
"""Articles that a rule finds, before a list of the site's own says that it is right."""
_NO_WAY = "no way to a next page was seen"


def propose_archives(seen: SiteSeen) -> tuple[list[Proposal], list[str], dict[str, int]]:
    """The columns that were found, or the one archive that lists all; a sitemap beside them, or in their place.

    With what a person should look at; and how many articles the first page of each column lists that was looked at.
    """
    every, common = find_columns(seen.archives, seen.fed)
    by_url: dict[str, ArchiveColumn] = {}
    for column in (
        replace(column, since=seen.since.get(column.url)) for column in every
    ):  # several years tell of one calendar, several pages of one archive
        by_url.setdefault(str(column.settings["url"]), column)
    columns = [column for column in by_url.values() if not column.is_one_of_a_calendar]
    single = (column for column in by_url.values() if column.is_one_of_a_calendar)
    remarks = [f"{column.url}: it lists the articles of a time; write `dates` for it" for column in single]
    has_calendar = any("dates" in column.settings for column in columns)
    used = {id(column.seen) for column in every}
    left = [archive for archive in seen.archives if id(archive) not in used and not (has_calendar and archive.is_of_a_time)]
    remarks += _why_left(left, common, furniture(seen.archives))
    chosen, why = needed(columns, seen.fed)
    if not chosen:
        return list(list_alone(seen)), remarks, {}
    of_sitemaps, remark = sitemaps_beside(seen, chosen, columns, common)
    remarks += [*([remark] if remark else []), *_passed_over(chosen, seen.fed), *_older(chosen), *_not_looked_at(seen, chosen)]
    several = len(chosen) > 1 or bool(of_sitemaps)
    proposals = [*(_of_columns(chosen, common, seen, beside=bool(of_sitemaps)) if several else _of_one(chosen[0], why, seen)), *of_sitemaps]
    cleaning = find_url_cleaning(seen.archive_pages, seen.articles, links_of=common.links_of)
    proposals += [each for each in cleaning if each.sure and each.path[-1] == "drop_params"]
    return proposals, remarks, {column.name if several else "archive": len(column.links[0]) for column in chosen}


# --- remarks ---


def _why_left(left: Sequence[ArchiveSeen], common: LinkFindings, boxes: frozenset[str]) -> Iterator[str]:
    """Why pages with several links beside their menus are no columns."""
    whys: dict[str, list[str]] = {}
    for archive in left:
        page = archive.pages[0]
        beside = links_beside_menus(page)
        if archive.candidate is None or len(beside) < FEWEST_LINKS:
            continue
        if lead_to_lists(beside - boxes) or is_its_menu(common.links_of(page), page):
            why = "its links lead to lists of articles, such as tags or sections"
        elif common.links_of(page):
            why = "only articles that most of the other pages link to, too, were found there"
        else:
            why = "none of its links outside of menus seems to lead to an article of its own"
        whys.setdefault(why, []).append(page.requested_url)
    for why, urls in whys.items():
        alike = f" ({amount(len(urls) - 1, 'other page')} alike)" if len(urls) > 1 else ""
        yield f"{urls[0]}{alike}: {why}"


def _passed_over(chosen: Sequence[ArchiveColumn], fed: frozenset[str]) -> Iterator[str]:
    """Articles of the feed that a page links to beside its menus, and its rule does not find."""
    for column in chosen:
        linked = frozenset[str]().union(*map(links_beside_menus, column.seen.pages)) & fed
        missed = sorted(linked.difference(*column.listed))
        if missed:
            links = amount(len(missed), "link to an article that the feed names is", "links to articles that the feed names are")
            yield f"{column.name}: {links} not found by its rule, such as {missed[0]}"


def _older(chosen: Sequence[ArchiveColumn]) -> Iterator[str]:
    for column in chosen:
        if (oldest := column.oldest) is None:
            continue
        if column.since is not None and column.since.is_empty:
            guess = "is a guess: of that time nothing is listed; what is older is left out until you say since when there are articles"
        else:
            guess = "is the oldest date that was seen: OLDER ARTICLES ARE LEFT OUT until you say since when there are some"
        yield f"{column.name}: `dates.from` ({oldest}) {guess}"


def _not_looked_at(seen: SiteSeen, chosen: Sequence[ArchiveColumn]) -> Iterator[str]:
    """Sections of the menus, where sections are columns."""
    asked = {normalise(page.requested_url) for page in seen.archive_pages} | {normalise(url) for url, _ in seen.failed}
    sections = (each.url for each in seen.candidates if each.in_menu and each.leads_to is LeadsTo.SECTION)
    unseen = [url for url in sections if normalise(url) not in asked]
    if unseen and len(chosen) > 1:
        yield f"{amount(len(unseen), 'more link')} of the menus may lead to sections not looked at, such as {unseen[0]}"


# --- one archive ---


def _confirmed(findings: LinkFindings, seen: SiteSeen) -> LinkFindings:
    """Sure of its first rule where that finds what the site's own lists for programs name, and passes over none that its feed names."""
    if findings.sure or not findings.rules:
        return findings
    first = findings.rules[0]
    links = frozenset(first.urls)
    by_both = links & seen.named
    if len(links) < _ENOUGH_TO_CONFIRM or len(by_both) < COVERS * len(links) or lead_to_lists(links):
        return findings
    linked = frozenset(url for page in findings.pages for _, url in islice(page_links(page), MOST_LINKS))
    if not linked & seen.fed <= links:
        return findings
    confirmed = replace(first, reason=f"{first.reason}; a sitemap or a feed of the site names {len(by_both)} of them")
    return replace(findings, rules=(confirmed, *findings.rules[1:]), sure=True)


def _of_one(column: ArchiveColumn, why: str, seen: SiteSeen) -> Iterator[Proposal]:
    reason = f"{column.url} lists {_counts(column.listed)} articles on its first pages; {why or 'it is the only one'}"
    sure = (column.paging.sure and column.rules == column.paging.rules) or not column.goes_on
    question = None if sure else "How do the pages of the archive follow one another?"
    yield Proposal(name="archive", path=("archive",), choices=_choices(column, column.settings, {}, reason), sure=sure, question=question)
    yield from link_proposals(_confirmed(narrowed(column.rule, column.seen.pages), seen))


def _choices(column: ArchiveColumn, first: Mapping[str, Plain], own: Mapping[str, Plain], reason: str) -> tuple[Choice, ...]:
    """`first`: what is written of the best way; `own`: what stands beside each way."""
    since = f"; {ONLY_SEEN.format(column.oldest)}" if column.oldest is not None else ""
    reason = f"{reason}{since}; {column.rules[0].reason if column.rules else _NO_WAY}"
    best = Choice(value={**first, **own}, reason=reason, samples=tuple(sorted(column.links[0]))[:_SAMPLES])
    others = (Choice(value={**column.settings_of(rule), **own}, reason=rule.reason, samples=rule.samples) for rule in column.rules[1:])
    return (best, *others)


def _counts(links: Sequence[frozenset[str]]) -> str:
    return " and ".join(str(len(of_page)) for of_page in links)


# --- several ---


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
        alike = column.goes_on and going_on.count(column.way) >= _ENOUGH_ALIKE
        sure = (column.rule.sure or column.rule is common) and (alike or (column.paging.sure and column.rules == column.paging.rules))
        settings = {key: value for key, value in column.settings.items() if key not in shared}
        own = {} if column.rule is common else column.rule.rules[0].picks
        text = column.seen.candidate.text if column.seen.candidate is not None else "the home page"
        yield Proposal(
            name=f"columns.{column.name}",
            path=("columns", column.name),
            choices=_choices(column, settings, own, f"{text}: {_counts(column.links)} articles on the pages looked at"),
            sure=bool(sure),
            question=None if sure else f"How do the pages of {column.name} follow one another?",
        )
