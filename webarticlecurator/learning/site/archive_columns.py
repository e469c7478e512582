"""The archives among the pages of a look at a site: which of them list articles, by which rule, and which of
them are needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, count
from urllib.parse import unquote

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import literal
from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import link_kind, link_target
from webarticlecurator.learning.links.addresses import is_of_period
from webarticlecurator.learning.links.find_links import LinkFindings, find_links
from webarticlecurator.learning.links.placed_links import menu_and_other_links
from webarticlecurator.learning.paging.find_paging import PagingRule, find_paging
from webarticlecurator.learning.site.list_links import ARCHIVE_LISTS, ArchiveCandidate, LeadsTo
from webarticlecurator.learning.site.seen import ArchiveSeen
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import split_path

FEWEST_LINKS = 3
"""Articles that make a page an archive."""
COVERS = 0.95
"""Share of all articles that were seen listed: a page with so many of them lists all."""
_THREADS_TOO, _SAY_NOTHING = map(ARCHIVE_LISTS.__getitem__, ("threads, too", "says nothing"))


@dataclass(frozen=True, slots=True)
class ArchiveColumn:
    """An archive that was found, with what its pages list."""

    name: str
    seen: ArchiveSeen
    links: tuple[frozenset[str], ...]
    """The articles of each of its pages, without links that half of the archives have."""
    rule: LinkFindings
    paging: list[PagingRule]

    @property
    def is_home(self) -> bool:
        return self.seen.candidate is None

    @property
    def url(self) -> str:
        return self.seen.pages[0].requested_url

    @property
    def articles(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(self.links))

    @property
    def listed(self) -> tuple[frozenset[str], ...]:
        """Return all that its rule finds, page by page: who lists all lists what stands in every box, too."""
        return tuple(map(self.rule.links_of, self.seen.pages))

    @property
    def goes_on(self) -> bool:
        """Its second page lists other articles."""
        return (
            len(self.links) > 1
            and len(self.links[1] - self.links[0]) >= min(FEWEST_LINKS, len(self.links[1])) > 0
        )

    @property
    def lists_all(self) -> bool:
        """Say whether the list is one of all articles, by what leads to it."""
        return self.seen.leads_to is LeadsTo.ALL

    @property
    def is_edition(self) -> bool:
        """It is the front page of the site in another language, and goes on."""
        return self.goes_on and self.seen.leads_to is LeadsTo.EDITION

    @property
    def is_one_of_a_calendar(self) -> bool:
        """True if nothing tells the address of the other pages."""
        return self.seen.is_of_a_time and "dates" not in self.settings

    @property
    def rules(self) -> tuple[PagingRule, ...]:
        """Ways from page to page, the best first; of a page that has a second one, that there is none comes
        last."""
        return tuple(sorted(self.paging, key=lambda rule: self.goes_on and rule.mode is PagingMode.NONE))

    @property
    def is_way_sure(self) -> bool:
        """How its pages follow one another is known; of a page that has a second one it is not that there is
        none."""
        return bool(self.paging) and self.paging[0].sure and self.rules == tuple(self.paging)

    @property
    def settings(self) -> dict[str, Plain]:
        """Its keys in the portal file, the rules for links aside."""
        return {"url": literal(self.url), **(self.rules[0].settings if self.rules else {})}

    @property
    def oldest(self) -> date | None:
        """The first date of a calendar that is asked for."""
        dates = self.settings.get("dates")
        return date.fromisoformat(str(dates["from"])) if isinstance(dates, Mapping) else None

    @property
    def way(self) -> dict[str, Plain]:
        """How its pages follow one another, whatever its address."""
        return {key: value for key, value in self.settings.items() if key != "url"}


def articles_of(columns: Iterable[ArchiveColumn]) -> frozenset[str]:
    """Return all articles that some lists name."""
    return frozenset(url for column in columns for url in column.articles)


def find_columns(
    archives: Sequence[ArchiveSeen], fed: frozenset[str]
) -> tuple[list[ArchiveColumn], LinkFindings]:
    """Return those that list articles, and the rule for links that most of them share. `fed`: articles that a
    feed of the site names.

    Where some list articles, lists of tags, sections or people are no archives, and the rule is found without
    them.
    """
    columns, common = _columns_and_rule(archives, fed)
    lists = frozenset(column.seen.pages[0].url for column in columns)
    unfed = [(column.seen, column.articles) for column in columns if column.articles.isdisjoint(fed)]
    of_lists = {
        id(seen)
        for seen, links in unfed
        if lead_to_lists(links, lists) or (fed and is_its_menu(links, seen.pages[0]))
    }
    if 0 < len(of_lists) < len(columns):
        return _columns_and_rule([archive for archive in archives if id(archive) not in of_lists], fed)
    return columns, common


def is_its_menu(links: frozenset[str], page: Page) -> bool:
    """Say whether all of several links of a page stand in its menus, too: they are cards of the sections."""
    return len(links) >= FEWEST_LINKS and links <= menu_and_other_links(page)[0]


def lead_to_lists(links: Collection[str], seen: frozenset[str] = frozenset()) -> bool:
    """Say whether most of them lead to lists of articles, or to people: to those that were seen, or by their
    addresses."""
    lists = [url for url in links if url in seen or is_of_period(url) or _names_list(url)]
    return 2 * len(lists) > len(links)


def _names_list(url: str) -> bool:
    """Say whether an address is that of an author, a topic or a section; headlines have more words."""
    if link_kind(url) is None or not _THREADS_TOO.isdisjoint(split_path(url)[0].lower().split("/")):
        return False
    return 0 < len(linear(r"[^\W\d_]+").findall(unquote(link_target(url)))) <= 3


def _columns_and_rule(
    archives: Sequence[ArchiveSeen], fed: frozenset[str]
) -> tuple[list[ArchiveColumn], LinkFindings]:
    firsts = [archive.pages[0] for archive in archives]
    seconds = [archive.pages[1] for archive in archives if len(archive.pages) > 1]
    common, boxes = find_links([*firsts, *seconds]), furniture(archives)
    common = _best_first(common, [*firsts, *seconds], fed)
    home = next((archive.pages[0].url for archive in archives if archive.candidate is None), "")
    columns: list[ArchiveColumn] = []
    for archive in archives:
        rule, links = _best_rule(archive, common, boxes)
        if rule is not None:
            name = name_of_column(archive.candidate, home, {column.name for column in columns})
            columns.append(
                ArchiveColumn(name, archive, links, rule, find_paging(archive.pages, rule.links_of)[0])
            )
    return columns, common


def _best_first(common: LinkFindings, pages: Sequence[Page], fed: frozenset[str]) -> LinkFindings:
    """Return the rules for links, the first of them that finds most of the articles which a feed names."""
    links = [_links_by(common, pages, rule) for rule in range(len(common.rules))]

    def of_feed(rule: int) -> int:
        more = links[rule] - links[0]
        return len(links[rule] & fed) if 2 * len(more & fed) >= len(more) else 0

    best = max(range(len(links)), key=of_feed, default=0)
    return common.begun_with(best) if best else common


def forms_of(urls: Iterable[str]) -> frozenset[str]:
    """Return how the addresses of articles are written: their folders as they are, numbers and titles as
    such."""
    return frozenset(url_shape(url, sections=True) for url in urls)


def _links_by(common: LinkFindings, pages: Sequence[Page], rule: int) -> frozenset[str]:
    return frozenset[str]().union(*(common.links_of(page, rule) for page in pages))


def furniture(archives: Sequence[ArchiveSeen]) -> frozenset[str]:
    """Return the links that stand on half of the archives, menus aside: boxes of what is read most."""
    counts = Counter(url for archive in archives for url in menu_and_other_links(archive.pages[0])[1])
    # on fewer an article may stand, too: on the home page, in its section and in a list of all
    return frozenset(url for url, count in counts.items() if count >= max(4, len(archives) / 2))


def _best_rule(
    archive: ArchiveSeen, common: LinkFindings, boxes: frozenset[str]
) -> tuple[LinkFindings | None, tuple[frozenset[str], ...]]:
    """Return the rule of all archives with what it finds here; one for these pages alone, if that of all
    finds too little."""
    menus, beside = menu_and_other_links(archive.pages[0])
    # a menu of the whole site may go down to the same articles
    in_menus = [menu - other for menu, other in map(menu_and_other_links, archive.pages)]

    def listed(rule: LinkFindings) -> tuple[frozenset[str], ...]:
        return tuple(
            rule.links_of(page) - boxes - menu for page, menu in zip(archive.pages, in_menus, strict=True)
        )

    first, links = common.links_of(archive.pages[0]), listed(common)
    fewest = 1 if archive.is_of_a_time else FEWEST_LINKS  # little may have happened on a day
    # all that is new may stand in a box of each page, and is not told of the first
    if max(map(len, links)) >= fewest and 2 * len(first & (menus - beside)) <= len(first):
        return common, links
    alone = find_links(archive.pages)
    for number in range(
        len(alone.rules)
    ):  # a box of what is read most may be listed better than what this page lists
        rule = alone.begun_with(number)
        links = listed(rule)
        if max(map(len, links)) >= FEWEST_LINKS:
            return rule, links
    return None, ()


def name_of_column(candidate: ArchiveCandidate | None, home: str, taken: Collection[str]) -> str:
    """Return a name of a column, by its address below the home page, else by what is written on the link to
    it."""
    if candidate is None:
        return "home"
    below = unquote(split_path(candidate.url)[0].removeprefix(split_path(home)[0]))
    segments = [segment for segment in below.split("/") if segment and not segment.isdigit()]
    speaking = [segment for segment in segments if segment.lower() not in _SAY_NOTHING]
    # what is written on a link to a year or a month is that of one page of many
    written = "by-date" if candidate.leads_to is LeadsTo.DATES else candidate.text
    text = speaking[0] if speaking else written
    names = map(as_name, (text.rpartition(".")[0] or text, written))
    return free_name(list(filter(None, names)) or ["column"], taken)


def as_name(text: str) -> str:
    """Return a text as the name of a column; empty where it has no letter of the alphabet."""
    return linear(r"[^a-z0-9]+").sub("-", fold(text)).strip("-")[:40]


def free_name(names: Sequence[str], taken: Collection[str]) -> str:
    """Return the first of these names that no column has; else the last one with a number."""
    numbered = (f"{names[-1]}-{number}" for number in count(2))
    return next(name for name in chain(names, numbered) if name not in taken)
