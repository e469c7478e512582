"""The lists of a site's articles, as lines of a portal file with their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from webarticlecurator.config.template import literal
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.learning.links.find_links import LinkFindings, narrowed
from webarticlecurator.learning.links.find_links import proposals as link_proposals
from webarticlecurator.learning.links.placed_links import MOST_LINKS, own_links
from webarticlecurator.learning.site.archive_columns import (
    COVERS,
    ArchiveColumn,
    articles_of,
    find_columns,
    lead_to_lists,
    name_of_column,
)
from webarticlecurator.learning.site.boards import lists_its_threads, propose_boards
from webarticlecurator.learning.site.chosen_lists import ChosenLists, choose_lists
from webarticlecurator.learning.site.list_links import ArchiveCandidate
from webarticlecurator.learning.site.scripts_needed import shows_hardly_anything
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.learning.site.sitemap_columns import lists_for_programs_alone, sitemaps_beside
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import ONLY_SEEN, Choice, Plain, Proposal
from webarticlecurator.urls import normalise

_SAMPLES = 3


@dataclass(slots=True)
class ArchiveProposals:
    """The lists of a site's articles."""

    proposals: list[Proposal] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Remarks for a person to look at."""
    listed: dict[str, int] = field(default_factory=dict)
    """Name of a column -> articles on the first page of it that was looked at."""


@dataclass(slots=True)
class FoundLists:
    """The lists of articles that a look has seen."""

    columns: list[ArchiveColumn]
    """The lists, one of each address: several years tell of one calendar, several pages of one archive."""
    common: LinkFindings
    """The rule for links that most of them share."""
    chosen: ChosenLists

    @classmethod
    def of(cls, seen: SiteSeen) -> FoundLists:
        """Find the lists of a site, and choose those that are needed."""
        every, common = find_columns(seen.lists, frozenset(seen.fed))
        by_url: dict[str, ArchiveColumn] = {}
        for column in every:
            known = by_url.setdefault(str(column.settings["url"]), column)
            if _begins_earlier(column, known):
                by_url[str(column.settings["url"])] = replace(column, name=known.name)
        found = cls(list(by_url.values()), common, ChosenLists())
        found.chosen = choose_lists(found.complete, seen.fed)
        return found

    @property
    def one_of_a_calendar(self) -> list[ArchiveColumn]:
        """Lists that are one page of many, whose addresses nothing tells."""
        return [column for column in self.columns if column.is_one_of_a_calendar]

    @property
    def complete(self) -> list[ArchiveColumn]:
        """Lists of which the address of each page is known."""
        return [column for column in self.columns if not column.is_one_of_a_calendar]

    @property
    def articles(self) -> frozenset[str]:
        """All articles that the lists name."""
        return articles_of(self.columns)


def _begins_earlier(column: ArchiveColumn, known: ArchiveColumn) -> bool:
    return column.oldest is not None and known.oldest is not None and column.oldest < known.oldest


def propose_archives(seen: SiteSeen) -> ArchiveProposals:
    """Return the columns that were found, or the one archive that lists all; a sitemap beside them, or in
    their place."""
    found = FoundLists.of(seen)
    lacks = "it lists the articles of a time; write `dates` for it"
    made = ArchiveProposals(remarks=[f"{column.url}: {lacks}" for column in found.one_of_a_calendar])
    chosen = found.chosen.without(_lists_of_threads(seen, found.chosen, made.remarks))
    boards = propose_boards(seen, seen.boards, beside=bool(chosen.columns)) if seen.boards is not None else []
    if not chosen.columns:
        made.proposals = boards or lists_for_programs_alone(seen)
        return made
    taken = {column.name for column in chosen.columns}
    undecided = [] if chosen.general is not None else list(_undecided(seen, taken, found.common))
    of_sitemaps = sitemaps_beside(seen, chosen, found.complete, found.common, taken)
    beside = [*boards, *undecided, *of_sitemaps.proposals]
    is_alone = len(chosen.columns) == 1 and not beside
    if is_alone:
        made.proposals = [*_of_one(chosen, seen)]
    else:
        shared = {} if boards or of_sitemaps.proposals else _shared_way(chosen.columns)
        made.proposals = [*_of_columns(chosen, found.common, seen, shared), *beside]
    made.proposals += find_url_cleaning(seen.archive_pages, seen.articles, links_of=found.common.links_of)
    names = {"archive" if is_alone else column.name: column for column in chosen.columns}
    made.remarks += [*of_sitemaps.remarks, *_remarks_on_dates(names)]
    made.listed = {name: len(column.links[0]) for name, column in names.items()}
    return made


def _lists_of_threads(seen: SiteSeen, chosen: ChosenLists, remarks: list[str]) -> list[ArchiveColumn]:
    """Return the lists of what the boards of a forum list, too; of those that are not the home page it is
    remarked."""
    if seen.boards is None:
        return []
    of_threads = [
        column
        for column in chosen.columns
        if column.is_home or lists_its_threads(seen.boards, column.articles)
    ]
    left_out = [column.url for column in of_threads if not column.is_home]
    remarks += [f"{url}: left out, since the boards list its threads" for url in left_out]
    return of_threads


def _remarks_on_dates(names: Mapping[str, ArchiveColumn]) -> Iterator[str]:
    guess = (
        "is the oldest date that was seen: OLDER ARTICLES ARE LEFT OUT until you say since when there are "
        "some"
    )
    for name, column in names.items():
        if column.oldest is not None:
            yield f"{name}: `dates.from` ({column.oldest}) {guess}"


def _confirmed(findings: LinkFindings, seen: SiteSeen) -> LinkFindings:
    """Return the findings, sure of their first rule if sitemaps or feeds name what it finds, and it finds all
    that a feed names."""
    if findings.sure or not findings.rules:
        return findings
    first = findings.rules[0]
    links = frozenset(first.urls)
    by_both = links.intersection(
        normalise(url) for named in (*seen.feeds, *seen.sitemaps) for url in named.articles
    )
    linked = frozenset(url for page in findings.pages for _, url in islice(page_links(page), MOST_LINKS))
    is_enough = len(links) >= 20 and len(by_both) >= COVERS * len(links) and not lead_to_lists(links)
    if not is_enough or not linked.intersection(seen.fed) <= links:
        return findings
    confirmed = replace(
        first, reason=f"{first.reason}; a sitemap or a feed of the site names {len(by_both)} of them"
    )
    return replace(findings, rules=(confirmed, *findings.rules[1:]), sure=True)


def _choices(
    column: ArchiveColumn, first: Mapping[str, Plain], beside: Mapping[str, Plain], reason: str
) -> tuple[Choice, ...]:
    """Return the ways of a column; `first`: what is written of the best; `beside`: what stands beside
    each."""
    since = f"; {ONLY_SEEN.format(column.oldest)}" if column.oldest is not None else ""
    reason = (
        f"{reason}{since}; {column.rules[0].reason if column.rules else 'no way to a next page was seen'}"
    )
    best = Choice(value={**first, **beside}, reason=reason, samples=tuple(sorted(column.links[0]))[:_SAMPLES])
    settings = {"url": literal(column.url)}
    others = (
        Choice(value={**settings, **rule.settings, **beside}, reason=rule.reason, samples=rule.samples)
        for rule in column.rules[1:]
    )
    return (best, *others)


def _counts(links: Sequence[frozenset[str]]) -> str:
    return " and ".join(str(len(of_page)) for of_page in links)


def _of_one(chosen: ChosenLists, seen: SiteSeen) -> Iterator[Proposal]:
    """Yield the one archive, and what finds its links."""
    (column,) = chosen.columns
    why = chosen.why_general or "it is the only one"
    reason = f"{column.url} lists {_counts(column.listed)} articles on its first pages; {why}"
    is_sure = column.is_way_sure or not column.goes_on
    question = "How do the pages of the archive follow one another?"
    yield Proposal.at(("archive",), _choices(column, column.settings, {}, reason), question, sure=is_sure)
    yield from link_proposals(_confirmed(narrowed(column.rule, column.seen.pages), seen))


def _shared_way(columns: Sequence[ArchiveColumn]) -> dict[str, Plain]:
    """Return how all columns go on, if they do so alike."""
    ways = [
        {key: value for key, value in column.settings.items() if key in ("pages", "next")}
        for column in columns
    ]
    return ways[0] if ways.count(ways[0]) == len(ways) else {}


def _of_columns(
    chosen: ChosenLists, common: LinkFindings, seen: SiteSeen, shared: Mapping[str, Plain]
) -> Iterator[Proposal]:
    """Yield what all columns share for `archive`, and the rest of each."""
    columns = chosen.columns
    if shared:
        reason = f"all {len(columns)} columns go on in this way"
        yield Proposal(
            name="archive.paging",
            path=("archive",),
            choices=(Choice(value=shared, reason=reason),),
            sure=True,
        )
    if pages := [page for column in columns if column.rule is common for page in column.seen.pages]:
        yield from link_proposals(_confirmed(narrowed(common, pages), seen))
    for column in columns:
        settings = {key: value for key, value in column.settings.items() if key not in shared}
        links = {} if column.rule is common else column.rule.rules[0].keys
        reason = f"{_why_taken(column, chosen)}: {_counts(column.links)} articles on the pages looked at"
        question = f"How do the pages of {column.name} follow one another?"
        is_sure = _is_sure(column, columns, common)
        choices = _choices(column, settings, links, reason)
        yield Proposal.at(("columns", column.name), choices, question, sure=is_sure)


def _is_sure(column: ArchiveColumn, columns: Sequence[ArchiveColumn], common: LinkFindings) -> bool:
    """Say whether its links are known, and how its pages follow one another: that three go on alike makes it
    sure of all of them."""
    alike = [other for other in columns if other.goes_on and other.way == column.way]
    is_way_sure = column.is_way_sure or (column in alike and len(alike) >= 3)
    return is_way_sure and (column.rule is common or column.rule.sure)


def _why_taken(column: ArchiveColumn, chosen: ChosenLists) -> str:
    text = column.seen.candidate.text if column.seen.candidate is not None else "the home page"
    if chosen.general is None:
        return text
    return (
        f"{text} ({chosen.why_general})"
        if column is chosen.general
        else f"{text} (the others do not list its articles)"
    )


def _undecided(seen: SiteSeen, taken: set[str], common: LinkFindings) -> Iterator[Proposal]:
    """Yield the sections of the menus that showed nothing, or were not had or not looked at, where sections
    are columns.

    As columns of their own they are told by each crawl as long as they give nothing, until somebody decides.
    """
    for candidate in seen.sections_of_menus:
        if (why := _why_undecided(candidate, seen, common)) is not None:
            name = name_of_column(candidate, seen.home.url, taken)
            taken.add(name)
            reason = (
                f"{candidate.text}: a link of the menus, and {why}; a crawl says whether it gives articles"
            )
            question = (
                f"Does {candidate.url} list articles, and how is it read ({why})? Take the column out if "
                "there are none."
            )
            yield Proposal.at(
                ("columns", name), [Choice(value={"url": literal(candidate.url)}, reason=reason)], question
            )


def _why_undecided(candidate: ArchiveCandidate, seen: SiteSeen, common: LinkFindings) -> str | None:
    """Return why nothing is known of a section; None if something is."""
    for archive in seen.archives:
        if archive.candidate == candidate:
            page = archive.pages[0]
            is_bare = shows_hardly_anything(page) and _may_list_yet(page) and not common.links_of(page)
            return "it shows hardly anything as it was sent" if is_bare else None
    if candidate not in seen.asked:
        return "it was not looked at"
    for url, reason, is_gone in seen.failed:
        if url == candidate.url and not is_gone:
            return f"it was not had: {reason}"
    return None


def _may_list_yet(page: Page) -> bool:
    """Say whether a page that shows hardly anything may list articles: a script may bring them, or it leads
    to something below itself."""
    folder = f"{page.url.rstrip('/')}/"
    return bool(page.outline.rows("script")) or any(url.startswith(folder) for _, url, _ in own_links(page))
