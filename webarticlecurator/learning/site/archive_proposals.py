"""What the pages of a look at a site amount to: where its articles are listed, as lines of a portal file with their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import literal
from webarticlecurator.extraction.pager_signs import page_links, pages_by_script
from webarticlecurator.learning.links import LinkFindings, narrowed
from webarticlecurator.learning.links import proposals as link_proposals
from webarticlecurator.learning.site.archive_candidates import MOST_LINKS, Candidate, LeadsTo
from webarticlecurator.learning.site.archive_columns import (
    COVERS,
    FEWEST_LINKS,
    Column,
    columns_of,
    furniture,
    is_its_menu,
    is_of_a_time,
    lead_to_lists,
    links_beside_menus,
    name_of_column,
    needed,
)
from webarticlecurator.learning.site.look_plan import ArchiveSeen, SiteSeen
from webarticlecurator.learning.site.scripts_needed import needs_scripts
from webarticlecurator.learning.site.sitemaps import list_alone, sitemaps_beside
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.urls import normalise

_SAMPLES = 3
_MOST_COLUMNS = 60
_ENOUGH_SECTIONS = 4
"""That are columns, before others of the menus are taken for such."""
_ENOUGH_ALIKE = 3
"""That go on in one way, before it is sure of all of them."""
_ENOUGH_TO_CONFIRM = 20
"""Articles that a rule finds, before a list of the site's own says that it is right."""


@dataclass(frozen=True, slots=True)
class ArchiveProposals:
    """Where the articles are."""

    proposals: tuple[Proposal, ...]
    remarks: tuple[str, ...]
    """What a person should look at."""
    listed: Mapping[str, int] = field(default_factory=dict)
    """Column -> the articles on the first of its pages that was looked at."""


def propose_archives(seen: SiteSeen) -> ArchiveProposals:
    """The columns that were found, or the one archive that lists all; a sitemap beside them, or in their place."""
    fed = seen.fed
    every, common = columns_of(seen)
    by_url: dict[str, Column] = {}
    for one in every:
        column = replace(one, older=seen.since.get(one.url))
        by_url.setdefault(str(column.settings["url"]), column)  # several years tell of one calendar, several pages of one archive
    columns = list(by_url.values())
    has_dates = any("dates" in one.settings for one in columns)
    left = [
        one
        for one in seen.archives
        if one.candidate is not None
        and all(one is not column.seen for column in every)
        and not (has_dates and is_of_a_time(one.candidate))  # its calendar is a column
    ]
    remarks = [f"{one.url}: it lists the articles of a time; write `dates` for it" for one in columns if one.is_a_day]
    columns = [one for one in columns if not one.is_a_day]
    chosen, why = needed(columns, fed)
    if not chosen:
        return ArchiveProposals(tuple(list_alone(seen)), (*remarks, *_of_left(left, common, furniture(seen.archives))))
    chosen, doubtful = _without_doubtful(chosen, common, seen.named)
    chosen, turned = _without_turned(chosen, seen.named)
    remarks += turned
    beside = sitemaps_beside(seen, chosen, columns)
    remarks += [] if beside.agree else _of_left(left, common, furniture(seen.archives))
    remarks += [beside.remark] if beside.remark else []
    if doubtful:
        why = why or "it is the only one that is sure"
        remarks.append(_needless(doubtful))
    proposals = list(_of_one(chosen[0], why, seen) if len(chosen) == 1 else _of_columns(chosen, common, seen, beside=bool(beside.columns)))
    remarks += [*_passed_over(chosen, fed), *(f"{one.name}: {one.unknown_past}" for one in chosen if one.unknown_past)]
    if len(chosen) > 1:
        unseen = _unseen(seen)
        guessed = list(_guessed(unseen, chosen, seen, {one.name for one in columns}))
        proposals += guessed
        if unseen and not guessed:
            remarks.append(f"{amount(len(unseen), 'more link')} of the menus may lead to sections not looked at, such as {unseen[0].url}")
    if beside.columns:
        proposals = [*_as_columns(chosen, proposals), *beside.columns]
    proposals += _of_addresses(seen, common)
    names = {one.path[1] for one in proposals if one.path[:1] == ("columns",) and len(one.path) > 1}
    listed = {one.name if one.name in names else "archive": len(one.links[0]) for one in chosen}
    return ArchiveProposals(tuple(proposals), tuple(remarks), listed)


def _without_doubtful(columns: Sequence[Column], common: LinkFindings, named: frozenset[str]) -> tuple[list[Column], list[Column]]:
    """Those that are kept, and those that are in doubt while others, or a list of the site's own, name all their articles.

    A section, whose articles lie below its address, is kept: it is proved by itself.
    """
    ways = _sure_ways(columns, common)
    sure = [one for one in columns if _is_sure(one, common, ways)]
    if not any(one.goes_on for one in sure):
        return list(columns), []
    every = frozenset[str]().union(*(one.articles for one in columns))
    elsewhere = named.union(*(one.articles for one in sure))
    doubtful = (one for one in columns if one not in sure and _is_one_page(one) and one.articles <= elsewhere)
    needless = [one for one in doubtful if normalise(one.url) in every or not _is_section(one)]
    return [one for one in columns if one not in needless], needless


def _without_turned(columns: Sequence[Column], named: frozenset[str]) -> tuple[list[Column], list[str]]:
    """Those that are kept, and what to say of those whose pages only scripts turn."""
    kept, remarks = list(columns), []
    for column in columns:
        pages = 0 if column.goes_on else max(map(pages_by_script, column.seen.pages), default=0)
        told = f"its pager ({amount(pages, 'page')}) works by script alone"
        elsewhere = named.union(*(one.articles for one in kept if one is not column))
        if pages > 1 and len(kept) > 1 and column.articles <= elsewhere:
            kept.remove(column)
            remarks.append(f"no column is made of {column.url}: {told}, and all that its first page lists is listed elsewhere, too")
    return kept, remarks


def _is_one_page(column: Column) -> bool:
    return not column.goes_on and (not column.rules or column.rules[0].mode is PagingMode.NONE)


def _is_section(column: Column) -> bool:
    below = sum(url.startswith(f"{column.url.rstrip('/')}/") for url in column.articles)
    return 2 * below > len(column.articles) and not is_of_a_time(column.seen.candidate)


def _sure_ways(columns: Sequence[Column], common: LinkFindings) -> list[Mapping[str, Plain]]:
    """How the pages of columns follow one another that are sure by themselves, or by how many go on in one way."""
    ways = [(_way(one), _is_sure(one, common)) for one in columns if one.goes_on]
    every = [way for way, _ in ways]
    return [way for way, sure in ways if sure or (way and every.count(way) >= _ENOUGH_ALIKE)]


def _way(column: Column) -> dict[str, Plain]:
    return {key: value for key, value in column.rules[0].settings.items() if key != "url"} if column.rules else {}


def _is_sure(column: Column, common: LinkFindings, ways: Sequence[Mapping[str, Plain]] = ()) -> bool:
    """`ways`: those of other columns of the site, by which a column that goes on in the same way is sure, too."""
    if not column.rules or not (column.rule.sure or column.rule is common):
        return False
    alike = column.goes_on and _way(column) in ways
    return alike or (column.paging.sure and column.rules == column.paging.rules)


def _needless(columns: Sequence[Column]) -> str:
    where = ", ".join(f"{one.url} ({amount(len(one.articles), 'article')})" for one in columns)
    return f"no columns are made of {where}: how their pages go on is not sure, and all that they list is listed elsewhere, too"


def _of_addresses(seen: SiteSeen, common: LinkFindings) -> list[Proposal]:
    """Parameters that would make an article of each of an article's addresses."""
    found = find_url_cleaning(seen.archive_pages, seen.articles, links_of=common.links_of)
    return [one for one in found if one.sure and one.path[-1] == "drop_params"]


def _of_left(left: Sequence[ArchiveSeen], common: LinkFindings, boxes: frozenset[str]) -> Iterator[str]:
    """Why pages that might list articles are no columns."""
    whys = [(one.candidate, _why_left(one, common, boxes)) for one in left if one.candidate is not None]
    for why in dict.fromkeys(why for _, why in whys if why is not None):
        first, *others = (candidate for candidate, other in whys if other == why)
        alike = f"; {amount(len(others), 'other page')} alike" if others else ""
        yield f"{first.url} ({first.text}{alike}): {why}"


def _why_left(one: ArchiveSeen, common: LinkFindings, boxes: frozenset[str]) -> str | None:
    """None where nothing is to be looked at: a page of text, such as one about the portal."""
    page = one.pages[0]
    beside = links_beside_menus(page)
    if lead_to_lists(beside - boxes) or is_its_menu(common.links_of(page), page):
        return "its links lead to lists of articles, such as tags or sections"
    if common.links_of(page):
        return "only articles that most of the other pages link to, too, were found there"
    if len(beside) >= FEWEST_LINKS:
        return f"it has {len(beside)} links outside of its menus, none of which seems to lead to an article of its own"
    return "it lists nothing, and has few words: its scripts may fill it, or there is no more to it" if needs_scripts(page) else None


def _passed_over(chosen: Sequence[Column], fed: frozenset[str]) -> Iterator[str]:
    """Articles of the feed that a page links to beside its menus, and its rule does not find."""
    for column in chosen:
        linked = frozenset[str]().union(*map(links_beside_menus, column.seen.pages)) & fed
        missed = sorted(linked - frozenset[str]().union(*(column.rule.links_of(page) for page in column.seen.pages)))
        if missed:
            links = amount(len(missed), "link to an article that the feed names is", "links to articles that the feed names are")
            yield f"{column.name}: {links} not found by its rule, such as {missed[0]}"


# --- one archive ---


def _confirmed(findings: LinkFindings, seen: SiteSeen) -> LinkFindings:
    """Sure of its first rule where that finds what the site's own lists for programs name, and passes over none that its feed names."""
    if findings.sure or not findings.rules:
        return findings
    first = findings.rules[0]
    found = frozenset(first.urls)
    by_both = found & seen.named
    if len(found) < _ENOUGH_TO_CONFIRM or len(by_both) < COVERS * len(found) or lead_to_lists(found):
        return findings
    linked = frozenset(url for page in findings.pages for _, url in islice(page_links(page), MOST_LINKS))
    if not linked & seen.fed <= found:
        return findings
    told = replace(first, reason=f"{first.reason}; a sitemap or a feed of the site names {len(by_both)} of them")
    return replace(findings, rules=(told, *findings.rules[1:]), sure=True)


def _of_one(column: Column, why: str, seen: SiteSeen) -> Iterator[Proposal]:
    sure = (column.paging.sure and column.rules == column.paging.rules) or not column.goes_on
    counts = " and ".join(str(len(links)) for links in column.listed)
    reason = (
        f"{column.url} lists {counts} articles on its first {'page' if len(column.links) == 1 else 'pages'}; {why or 'it is the only one'}"
    )
    yield Proposal(
        name="archive", path=("archive",), choices=tuple(_choices(column, reason)), sure=sure, question=None if sure else _QUESTION
    )
    yield from link_proposals(_confirmed(narrowed(column.rule, column.seen.pages), seen))


_NO_WAY = "no way to a next page was seen"
_QUESTION = "How do the pages of the archive follow one another?"


def _choices(column: Column, reason: str) -> Iterator[Choice]:
    samples = tuple(sorted(column.links[0]))[:_SAMPLES]
    rules, past = column.rules, column.unknown_past
    yield Choice(
        value=column.settings,
        reason=f"{reason}; {rules[0].reason if rules else _NO_WAY}{f'; {past}' if past else ''}",
        samples=samples,
    )
    for rule in rules[1:]:
        yield Choice(value=column.settings_of(rule), reason=rule.reason, samples=rule.samples)


# --- several ---


def _of_columns(columns: Sequence[Column], common: LinkFindings, seen: SiteSeen, *, beside: bool) -> Iterator[Proposal]:
    """What all columns share stands in `archive`, the rest in each. `beside`: other columns stand there, too."""
    shared = _shared(columns) if not beside else {}
    if shared:
        reason = f"all {len(columns)} columns go on in this way"
        yield Proposal(name="archive.paging", path=("archive",), choices=(Choice(value=shared, reason=reason),), sure=True)
    if pages := [page for one in columns if one.rule is common for page in one.seen.pages]:
        yield from link_proposals(_confirmed(narrowed(common, pages), seen))
    ways = _sure_ways(columns, common)
    for column in columns[:_MOST_COLUMNS]:
        yield _column(column, shared, common, ways)


def _column(column: Column, shared: Mapping[str, Plain], common: LinkFindings, ways: Sequence[Mapping[str, Plain]]) -> Proposal:
    path = ("columns", column.name)
    settings = {key: value for key, value in column.settings.items() if key not in shared}
    own = {} if column.rule is common else dict(column.rule.rules[0].picks)
    counts = " and ".join(str(len(links)) for links in column.links)
    text = column.seen.candidate.text if column.seen.candidate is not None else "the home page"
    reason = f"{text}: {counts} articles on the {'page' if len(column.links) == 1 else 'pages'} looked at"
    way = column.rules[0].reason if column.rules else _NO_WAY
    sure = _is_sure(column, common, ways)
    samples = tuple(sorted(column.links[0]))[:_SAMPLES]
    why = "; ".join(filter(None, (reason, "" if sure else way, column.unknown_past)))
    choices = (Choice(value={**settings, **own}, reason=why, samples=samples),)
    others = tuple(Choice(value={**column.settings_of(rule), **own}, reason=rule.reason, samples=rule.samples) for rule in column.rules[1:])
    question = None if sure else f"How do the pages of {column.name} follow one another?"
    return Proposal(name=f"columns.{column.name}", path=path, choices=(*choices, *others), sure=sure, question=question)


def _shared(columns: Sequence[Column]) -> dict[str, Plain]:
    """Paging that all columns have in common."""
    first, *others = ({key: value for key, value in one.settings.items() if key in ("pages", "next")} for one in columns)
    return first if all(first == other for other in others) else {}


def _as_columns(chosen: Sequence[Column], proposals: Sequence[Proposal]) -> Iterator[Proposal]:
    """One archive as a column, since a sitemap stands beside it."""
    for one in proposals:
        if len(chosen) == 1 and one.name == "archive":
            yield replace(one, name=f"columns.{chosen[0].name}", path=("columns", chosen[0].name))
        else:
            yield one


# --- names, and what was not looked at ---


def _unseen(seen: SiteSeen) -> list[Candidate]:
    """Sections of the menus that were not looked at."""
    asked = {normalise(page.requested_url) for page in seen.archive_pages} | {normalise(ask.url) for ask, _ in seen.failed}
    return [one for one in seen.candidates if one.in_menu and one.leads_to is LeadsTo.SECTION and normalise(one.url) not in asked]


def _guessed(unseen: Sequence[Candidate], chosen: Sequence[Column], seen: SiteSeen, taken: set[str]) -> Iterator[Proposal]:
    """They are columns, too, where every section of the menus is one that was looked at, and all go on in one way."""
    looked = [one for one in seen.archives if one.candidate is not None and one.candidate.leads_to is LeadsTo.SECTION]
    alike = _shared(chosen)
    all_are = len(looked) >= _ENOUGH_SECTIONS and all(any(column.seen is one for column in chosen) for one in looked)
    if not all_are or any("{" in str(column.settings["url"]) for column in chosen) or len({one.rule.rules[0].link for one in chosen}) > 1:
        return
    for one in unseen[:_MOST_COLUMNS]:
        name = name_of_column(one, seen.home.url if seen.home is not None else "", taken)
        taken.add(name)
        value = {"url": literal(one.url), **alike}
        reason = f"{one.text}: not looked at; {len(looked)} of {len(looked)} sections of the menus that were are such columns"
        yield Proposal(name=f"columns.{name}", path=("columns", name), choices=(Choice(value=value, reason=reason),), sure=False)
