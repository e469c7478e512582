"""What the pages of a look at a site amount to: where its articles are listed, as lines of a portal file with their evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import unquote

from webarticlecurator.dates.names import fold
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.learning.links import LinkFindings, find_links
from webarticlecurator.learning.links import proposals as link_proposals
from webarticlecurator.learning.links.find import MOST_PAGES
from webarticlecurator.learning.paging import PagingFindings, find_paging
from webarticlecurator.learning.site.archive_candidates import MOST_LINKS, Candidate, LeadsTo
from webarticlecurator.learning.site.look_plan import ArchiveSeen, ListSeen, SiteSeen
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.urls import normalise, split_path

FEWEST_LINKS = 3
"""Articles that make a page an archive."""
_FEWEST_OF_FURNITURE = 3
"""Archives that have a link in common, before it counts as none of theirs."""
_COVERS = 0.95
"""Of all articles that were seen listed: a page with so many of them lists all."""
_SAMPLES = 3
_MOST_COLUMNS = 60
_NO_ARTICLES = ["^https?://[^/]+/?$", "\\.(?:avif|css|gif|jpe?g|js|mp3|mp4|pdf|png|svg|webp|zip)$"]
"""What sitemaps list beside articles: the home page, files."""
_PLACEHOLDER = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class _Column:
    """An archive that was found, with what its pages list."""

    name: str
    seen: ArchiveSeen
    links: tuple[frozenset[str], ...]
    """Of each of its pages."""
    rule: LinkFindings
    paging: PagingFindings

    @property
    def url(self) -> str:
        return self.seen.pages[0].requested_url if self.seen.candidate is not None else self.seen.pages[0].url

    @property
    def articles(self) -> frozenset[str]:
        return frozenset[str]().union(*self.links)

    @property
    def goes_on(self) -> bool:
        """Its second page lists other articles, or it is paged some other way."""
        return len(self.links) > 1 and len(self.links[1] - self.links[0]) >= min(FEWEST_LINKS, len(self.links[1])) > 0

    @property
    def is_a_day(self) -> bool:
        """One page of a calendar, of which nothing tells the others."""
        candidate = self.seen.candidate
        return candidate is not None and candidate.leads_to is LeadsTo.DATES and "dates" not in self.settings

    @property
    def settings(self) -> dict[str, Plain]:
        """Its keys in the portal file, the rules for links aside."""
        best = self.paging.rules[0].settings if self.paging.rules else {}
        return {"url": _PLACEHOLDER.sub(r"\g<0>\g<0>", self.url), **best}


@dataclass(frozen=True, slots=True)
class ArchiveProposals:
    """Where the articles are."""

    proposals: tuple[Proposal, ...]
    remarks: tuple[str, ...]
    """What a person should look at."""


def propose_archives(seen: SiteSeen) -> ArchiveProposals:
    """The columns that were found, or the one archive that lists all; a sitemap beside them, or in their place."""
    common = find_links(_spread(seen.archives))
    columns = list(_columns(seen, common))
    left = [one.candidate for one in seen.archives if one.candidate is not None and all(one is not column.seen for column in columns)]
    remarks = [f"{one.url}: it lists the articles of a time; write `dates` for it" for one in columns if one.is_a_day]
    columns = [one for one in columns if not one.is_a_day]
    remarks += [f"{one.url} ({one.text}): no links to articles were found there" for one in left]
    chosen, why = _chosen(columns)
    lists = [one for one in seen.sitemaps if one.entrance.told_by not in {other.entrance.url for other in seen.sitemaps}]
    if not chosen:
        return ArchiveProposals(tuple(_list_alone(seen)), tuple(remarks))
    proposals = list(_of_one(chosen[0], why)) if len(chosen) == 1 else list(_of_columns(chosen, common, beside=bool(lists)))
    remarks += _unseen(seen, columns) if len(chosen) > 1 else []
    if lists:
        named = _named(seen)
        if len(chosen) > 1 or not chosen[0].goes_on:
            proposals = [*_as_columns(chosen, proposals), *(_sitemap_column(one, named) for one in lists)]
        else:
            remarks.append(f"a sitemap lists articles, too: {lists[0].entrance.url}; `curator audit --archive` compares the two")
    return ArchiveProposals(tuple(proposals), tuple(remarks))


def _spread(archives: Sequence[ArchiveSeen]) -> list[Page]:
    """Pages to find the rule for links on: the first of each archive, then the second ones."""
    rounds = [page for number in (0, 1) for one in archives for page in one.pages[number : number + 1]]
    return rounds[:MOST_PAGES]


def _columns(seen: SiteSeen, common: LinkFindings) -> Iterator[_Column]:
    taken: set[str] = set()
    furniture = _furniture(seen.archives)
    for one in seen.archives:
        rule, links = _best_rule(one, common, furniture)
        if not links or len(links[0]) < FEWEST_LINKS:
            continue
        name = _name(one.candidate, taken)
        taken.add(name)
        yield _Column(name, one, links, rule, find_paging(one.pages, rule.links_of))


def _furniture(archives: Sequence[ArchiveSeen]) -> frozenset[str]:
    """Links that stand on half of the archives: menus, and boxes of what is read most."""
    counts = Counter(url for one in archives for url in {url for _, url in islice(page_links(one.pages[0]), MOST_LINKS)})
    return frozenset(url for url, count in counts.items() if count >= max(_FEWEST_OF_FURNITURE, len(archives) / 2))


def _best_rule(one: ArchiveSeen, common: LinkFindings, furniture: frozenset[str]) -> tuple[LinkFindings, tuple[frozenset[str], ...]]:
    """The rule of all archives, unless that finds nothing here: then one for these pages alone."""
    links = tuple(common.links_of(page) - furniture for page in one.pages)
    if len(links[0]) >= FEWEST_LINKS:
        return common, links
    own = find_links(one.pages)
    return own, tuple(own.links_of(page) - furniture for page in one.pages)


def _chosen(columns: Sequence[_Column]) -> tuple[list[_Column], str]:
    """One that lists all, where there is one, and why; else all of them, but the home page."""
    every = frozenset[str]().union(*(column.articles for column in columns))
    whole = [one for one in columns if len(one.articles) >= _COVERS * len(every)]
    if whole and len(columns) > 1:
        best = max(whole, key=lambda one: (len(one.links[0]), -columns.index(one)))
        if not best.goes_on:
            return [best], f"it lists {len(best.articles & every)} of the {len(every)} articles that any page lists which was looked at"
    home = [one for one in columns if one.seen.candidate is None and one.goes_on]
    if home:
        return home, "the home page goes on to older articles"
    general = [one for one in columns if one.seen.candidate is not None and one.seen.candidate.leads_to is LeadsTo.ALL and one.goes_on]
    if general:
        return general[:1], "it is called so, and goes on to older articles"
    others = [one for one in columns if one.seen.candidate is not None]
    return (others, "") if others else (list(columns), "")


# --- one archive ---


def _of_one(column: _Column, why: str) -> Iterator[Proposal]:
    sure = column.paging.sure or not column.goes_on
    counts = ", ".join(str(len(links)) for links in column.links)
    reason = (
        f"{column.url} lists {counts} articles on its first {'page' if len(column.links) == 1 else 'pages'}; {why or 'it is the only one'}"
    )
    yield Proposal(
        name="archive", path=("archive",), choices=tuple(_choices(column, reason)), sure=sure, question=None if sure else _QUESTION
    )
    yield from link_proposals(column.rule)


_QUESTION = "How do the pages of the archive follow one another?"


def _choices(column: _Column, reason: str) -> Iterator[Choice]:
    samples = tuple(sorted(column.links[0]))[:_SAMPLES]
    rules = column.paging.rules
    yield Choice(
        value=column.settings, reason=f"{reason}{f'; {rules[0].reason}' if rules else '; no way to a next page was seen'}", samples=samples
    )
    for rule in rules[1:]:
        yield Choice(value={"url": column.settings["url"], **rule.settings}, reason=rule.reason, samples=rule.samples)


# --- several ---


def _of_columns(columns: Sequence[_Column], common: LinkFindings, *, beside: bool) -> Iterator[Proposal]:
    """What all columns share stands in `archive`, the rest in each. `beside`: other columns stand there, too."""
    shared = _shared(columns) if not beside else {}
    if shared:
        reason = f"all {len(columns)} columns go on in this way"
        yield Proposal(name="archive.paging", path=("archive",), choices=(Choice(value=shared, reason=reason),), sure=True)
    yield from link_proposals(common)
    for column in columns[:_MOST_COLUMNS]:
        yield _column(column, shared, common)


def _column(column: _Column, shared: Mapping[str, Plain], common: LinkFindings) -> Proposal:
    path = ("columns", column.name)
    settings = {key: value for key, value in column.settings.items() if key not in shared}
    own = {} if column.rule is common else dict(column.rule.rules[0].picks)
    counts = " and ".join(str(len(links)) for links in column.links)
    text = column.seen.candidate.text if column.seen.candidate is not None else "the home page"
    reason = f"{text}: {counts} articles on the {'page' if len(column.links) == 1 else 'pages'} looked at"
    sure = bool(column.paging.rules) and column.paging.sure and (column.rule.sure or column.rule is common)
    samples = tuple(sorted(column.links[0]))[:_SAMPLES]
    choices = (Choice(value={**settings, **own}, reason=reason, samples=samples),)
    others = tuple(
        Choice(value={"url": column.settings["url"], **rule.settings, **own}, reason=rule.reason, samples=rule.samples)
        for rule in column.paging.rules[1:]
    )
    question = None if sure else f"How do the pages of {column.name} follow one another?"
    return Proposal(name=f"columns.{column.name}", path=path, choices=(*choices, *others), sure=sure, question=question)


def _shared(columns: Sequence[_Column]) -> dict[str, Plain]:
    """Paging that all columns have in common."""
    first, *others = ({key: value for key, value in one.settings.items() if key in ("pages", "next")} for one in columns)
    return first if all(first == other for other in others) else {}


def _as_columns(chosen: Sequence[_Column], proposals: Sequence[Proposal]) -> Iterator[Proposal]:
    """One archive as a column, since a sitemap stands beside it."""
    for one in proposals:
        if len(chosen) == 1 and one.name == "archive":
            yield replace(one, name=f"columns.{chosen[0].name}", path=("columns", chosen[0].name))
        else:
            yield one


# --- sitemaps and feeds ---


def _named(seen: SiteSeen) -> frozenset[str]:
    return frozenset(normalise(url) for one in seen.sitemaps for url in one.articles)


def _sitemap_column(one: ListSeen, named: frozenset[str]) -> Proposal:
    reason = f"{_counted(one)} ({one.entrance.told_by}); it may list what the pages do not, and pages that are no articles"
    value: Plain = {
        "url": _PLACEHOLDER.sub(r"\g<0>\g<0>", one.entrance.url),
        "format": "sitemap",
        "urls": {"exclude": _NO_ARTICLES},
    }
    name = re.sub(r"[^a-z0-9]+", "-", split_path(one.entrance.url)[0].rpartition("/")[2].partition(".")[0].lower()).strip("-") or "sitemap"
    samples = tuple(sorted(named))[:_SAMPLES]
    return Proposal(
        name=f"columns.{name}", path=("columns", name), choices=(Choice(value=value, reason=reason, samples=samples),), sure=True
    )


def _list_alone(seen: SiteSeen) -> Iterator[Proposal]:
    """Where no page lists articles."""
    found = [*((one, "sitemap") for one in seen.sitemaps if one.entrance.told_by not in {other.entrance.url for other in seen.sitemaps})]
    found += [(one, "feed") for one in seen.feeds]
    choices = tuple(
        Choice(
            value={"url": _PLACEHOLDER.sub(r"\g<0>\g<0>", one.entrance.url), "format": kind, **_EXCLUDED.get(kind, {})},
            reason=f"{_counted(one)} ({one.entrance.told_by}); no page was found that lists articles",
            samples=one.articles[:_SAMPLES],
        )
        for one, kind in found
    )
    if choices:
        yield Proposal(name="archive", path=("archive",), choices=choices, sure=False, question="Does it list all articles that there are?")


_EXCLUDED: Mapping[str, Mapping[str, Plain]] = {"sitemap": {"urls": {"exclude": _NO_ARTICLES}}}


def _counted(one: ListSeen) -> str:
    addresses = f"{one.count:,} addresses" if one.count else ""
    files = f"{len(one.sitemaps):,} further sitemaps" if one.sitemaps else ""
    return f"{one.entrance.url} names {' and '.join(filter(None, (addresses, files)))}"


# --- names, and what was not looked at ---


def _name(candidate: Candidate | None, taken: set[str]) -> str:
    """Of a column, by its address, else by what is written on the link to it."""
    if candidate is None:
        return "home"
    segments = [one for one in unquote(split_path(candidate.url)[0]).split("/") if one and not one.isdigit()]
    text = next((one for one in segments if one.lower() not in _SAY_NOTHING), "") or candidate.text
    name = re.sub(r"[^a-z0-9]+", "-", fold(text.rpartition(".")[0] or text)).strip("-")[:40] or "column"
    if name in taken:
        name = re.sub(r"[^a-z0-9]+", "-", fold(candidate.text)).strip("-")[:40] or name
    number = next(number for number in range(1, 10_000) if f"{name}{'' if number == 1 else f'-{number}'}" not in taken)
    return f"{name}{'' if number == 1 else f'-{number}'}"


_SAY_NOTHING = frozenset(("category", "categories", "kategoria", "rovat", "section", "rubrik", "rubrique", "tag", "tags", "page", "index"))


def _unseen(seen: SiteSeen, columns: Sequence[_Column]) -> list[str]:
    """Sections that were not looked at: to be added by a person."""
    asked = {normalise(page.requested_url) for page in seen.archive_pages} | {ask.url for ask, _ in seen.failed}
    menus = [one for one in seen.candidates if one.in_menu and one.leads_to is LeadsTo.SECTION and normalise(one.url) not in asked]
    if not menus or not columns:
        return []
    some = ", ".join(one.url for one in menus[:_SAMPLES])
    return [f"{len(menus)} more links of the menus were not looked at and may be sections, such as {some}"]
