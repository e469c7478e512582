"""The archives among the pages of a look at a site: which of them list articles, by which rule, and which of them are needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from urllib.parse import unquote

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import literal
from webarticlecurator.dates.names import fold
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.labelling.names import LinkKind, link_kind, link_target
from webarticlecurator.learning.links import LinkFindings, find_links
from webarticlecurator.learning.links.anchors import is_in_menu
from webarticlecurator.learning.links.page_sizes import MOST_PAGES
from webarticlecurator.learning.paging import PagingFindings, PagingRule, find_paging
from webarticlecurator.learning.site.archive_candidates import MOST_LINKS, Candidate, LeadsTo
from webarticlecurator.learning.site.look_plan import ArchiveSeen, Since, SiteSeen
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import split_path

FEWEST_LINKS = 3
"""Articles that make a page an archive."""
_FEWEST_OF_FURNITURE = 4
"""Archives that have a link in common, before it counts as none of theirs: an article may stand on the home page, in its section and in a
list of all."""
_MOST_WORDS_OF_LIST = 3
"""Words in the end of the address of a topic or a section; headlines have more."""
_THREADS_TOO = frozenset(
    (
        *("topic", "topics", "thema", "themen", "theme", "themes", "tema", "temas", "temat", "tematy", "temalar", "sujet", "sujets"),
        *("argomento", "argomenti", "emne", "emner", "amne", "onderwerp", "onderwerpen", "subject", "subjects"),
    )
)
"""What the addresses of a forum's threads say, as well as those of lists of articles on a topic."""
_WORD = re.compile(r"[^\W\d_]+")
COVERS = 0.95
"""Of all articles that were seen listed: a page with so many of them lists all."""


@dataclass(frozen=True, slots=True)
class Column:
    """An archive that was found, with what its pages list."""

    name: str
    seen: ArchiveSeen
    links: tuple[frozenset[str], ...]
    """Of each of its pages, without those that half of the archives have."""
    rule: LinkFindings
    paging: PagingFindings
    older: Since | None = None
    """How far back its calendar was looked at."""

    @property
    def url(self) -> str:
        return self.seen.pages[0].requested_url if self.seen.candidate is not None else self.seen.pages[0].url

    @property
    def articles(self) -> frozenset[str]:
        return frozenset[str]().union(*self.links)

    @property
    def listed(self) -> tuple[frozenset[str], ...]:
        """All that its rule finds, page by page: who lists all lists what stands in every box, too."""
        return tuple(map(self.rule.links_of, self.seen.pages))

    @property
    def goes_on(self) -> bool:
        """Its second page lists other articles, or it is paged some other way."""
        return len(self.links) > 1 and len(self.links[1] - self.links[0]) >= min(FEWEST_LINKS, len(self.links[1])) > 0

    @property
    def is_a_day(self) -> bool:
        """One page of a calendar, of which nothing tells the others."""
        return is_of_a_time(self.seen.candidate) and "dates" not in self.settings

    @property
    def settings(self) -> dict[str, Plain]:
        """Its keys in the portal file, the rules for links aside."""
        return self.settings_of(self.rules[0]) if self.rules else {"url": literal(self.url)}

    @property
    def since(self) -> date | None:
        """The first day of its calendar, as far as its pages tell."""
        dates = self.rules[0].settings.get("dates") if self.rules else None
        return date.fromisoformat(str(dates["from"])) if isinstance(dates, Mapping) and "from" in dates else None

    def settings_of(self, rule: PagingRule) -> dict[str, Plain]:
        """The same by one of its rules."""
        begun = {"dates": {"from": self.older.begins.isoformat()}} if self.older is not None and "dates" in rule.settings else {}
        return {"url": literal(self.url), **rule.settings, **begun}

    @property
    def unknown_past(self) -> str | None:
        """What of a calendar is left out unless a person says more."""
        if self.since is None:
            return None
        older = self.older or Since(self.since)
        if older.empty is None:
            return (
                f"`dates.from` ({older.begins}) is the oldest date that was seen: OLDER ARTICLES ARE LEFT OUT "
                "until you say since when there are some"
            )
        return (
            f"`dates.from` ({older.begins}) is a guess: of that time nothing is listed, of {older.listed} something is; "
            "what is older is left out until you say since when there are articles"
        )

    @property
    def rules(self) -> tuple[PagingRule, ...]:
        """Ways from page to page, the best first; of a page that has a second one, that there is none comes last."""
        return tuple(sorted(self.paging.rules, key=lambda one: self.goes_on and one.mode is PagingMode.NONE))


def is_of_a_time(candidate: Candidate | None) -> bool:
    return candidate is not None and candidate.leads_to is LeadsTo.DATES


def columns_of(seen: SiteSeen) -> tuple[list[Column], LinkFindings]:
    """Those of a look as far as it got."""
    if seen.columns is None or seen.columns[0] != len(seen.archives):
        seen.columns = (len(seen.archives), find_columns(seen.archives, seen.fed))
    return seen.columns[1]


def find_columns(archives: Sequence[ArchiveSeen], fed: frozenset[str]) -> tuple[list[Column], LinkFindings]:
    """Those that list articles, and the rule for links that most of them share. `fed`: articles that a feed of the site names.

    Where some list articles, lists of tags or sections are no archives, and the rule is found without them.
    """
    columns, common = _found(archives, fed)
    lists = frozenset(one.seen.pages[0].url for one in columns)
    unfed = (one for one in columns if one.articles.isdisjoint(fed))
    of_lists = [one.seen for one in unfed if lead_to_lists(one.articles, lists) or (fed and is_its_menu(one.articles, one.seen.pages[0]))]
    if 0 < len(of_lists) < len(columns):
        return _found([one for one in archives if all(one is not other for other in of_lists)], fed)
    return columns, common


def is_its_menu(links: frozenset[str], page: Page) -> bool:
    """Whether all of several links of a page stand in its menus, too: they are cards of the sections."""
    return len(links) >= FEWEST_LINKS and links <= _menu_and_other_links(page)[0]


def lead_to_lists(links: frozenset[str], seen: frozenset[str] = frozenset()) -> bool:
    """Whether most of them lead to lists of articles: to those that were seen, or by their addresses."""
    return 2 * sum(url in seen or _is_list(url) for url in links) > len(links)


def _is_list(url: str) -> bool:
    kind = link_kind(url)
    if kind is None or kind is LinkKind.PERSON or not _THREADS_TOO.isdisjoint(split_path(url)[0].lower().split("/")):
        return False
    return 0 < len(_WORD.findall(unquote(link_target(url)))) <= _MOST_WORDS_OF_LIST


def _found(archives: Sequence[ArchiveSeen], fed: frozenset[str]) -> tuple[list[Column], LinkFindings]:
    common = _by_feed(find_links(_spread(archives)), [page for one in archives for page in one.pages], fed)
    return list(_columns(archives, common)), common


def _by_feed(findings: LinkFindings, pages: Sequence[Page], fed: frozenset[str]) -> LinkFindings:
    """The rules in another order, where the second or third finds articles of the site's feed that the first passes over."""
    if not fed or len(findings.rules) < 2:
        return findings
    found = [frozenset[str]().union(*(findings.links_of(page, rule) for page in pages)) for rule in range(len(findings.rules))]
    gains = [(links - found[0], found[0] - links) for links in found]
    better = [number for number, (more, less) in enumerate(gains) if len(more & fed) > len(less & fed) and 2 * len(more & fed) >= len(more)]
    best = max(better, key=lambda number: (len(found[number] & fed), -number), default=0)
    order = [best, *(number for number in range(len(findings.rules)) if number != best)]
    return replace(findings, rules=tuple(findings.rules[number] for number in order))


def _spread(archives: Sequence[ArchiveSeen]) -> list[Page]:
    """Pages to find the rule for links on: the first of each archive, then the second ones."""
    rounds = [page for number in (0, 1) for one in archives for page in one.pages[number : number + 1]]
    return rounds[:MOST_PAGES]


def _columns(archives: Sequence[ArchiveSeen], common: LinkFindings) -> Iterator[Column]:
    taken: set[str] = set()
    boxes = furniture(archives)
    home = next((one.pages[0].url for one in archives if one.candidate is None), "")
    for one in archives:
        found = _best_rule(one, common, boxes)
        if found is None:
            continue
        rule, links = found
        name = name_of_column(one.candidate, home, taken)
        taken.add(name)
        yield Column(name, one, links, rule, find_paging(one.pages, rule.links_of))


def furniture(archives: Sequence[ArchiveSeen]) -> frozenset[str]:
    """Links that stand on half of the archives, menus aside: boxes of what is read most."""
    counts = Counter(url for one in archives for url in _menu_and_other_links(one.pages[0])[1])
    return frozenset(url for url, count in counts.items() if count >= max(_FEWEST_OF_FURNITURE, len(archives) / 2))


def _menu_and_other_links(page: Page) -> tuple[set[str], set[str]]:
    """Where the links in menus lead, and where all others do."""
    found: tuple[set[str], set[str]] = (set(), set())
    for element, url in islice(page_links(page), MOST_LINKS):
        found[not is_in_menu(element)].add(url)
    return found


def links_beside_menus(page: Page) -> frozenset[str]:
    return frozenset(_menu_and_other_links(page)[1])


def own_links(found: frozenset[str], page: Page, boxes: frozenset[str]) -> frozenset[str]:
    """Of what a rule finds on a page that which this page lists: a menu of the whole site may go down to the same articles."""
    in_menus, beside = _menu_and_other_links(page)
    return found - (boxes | (in_menus - beside))


def _best_rule(one: ArchiveSeen, common: LinkFindings, boxes: frozenset[str]) -> tuple[LinkFindings, tuple[frozenset[str], ...]] | None:
    """The rule of all archives, unless that finds too little here: then one for these pages alone, if that finds more."""
    found = [common.links_of(page) for page in one.pages]
    links = tuple(own_links(urls, page, boxes) for urls, page in zip(found, one.pages, strict=True))
    menus, beside = _menu_and_other_links(one.pages[0])
    in_menus = len(found[0] & (menus - beside))
    fewest = 1 if is_of_a_time(one.candidate) else FEWEST_LINKS  # little may have happened on a day
    if _most(links) >= fewest and 2 * in_menus <= len(found[0]):
        return common, links
    own = find_links(one.pages)
    links = tuple(own_links(own.links_of(page), page, boxes) for page in one.pages)
    return (own, links) if _most(links) >= FEWEST_LINKS else None


def _most(links: Sequence[frozenset[str]]) -> int:
    """What the longest page lists: all that is new may stand in a box of each page, and is not told of the first."""
    return max(map(len, links), default=0)


def needed(columns: Sequence[Column], fed: frozenset[str]) -> tuple[list[Column], str]:
    """One that lists all, where there is one, and why; else all of them, but the home page.

    What passes over an article of the feed that another page lists does not list all; one page that is called something else
    than the archive may list the newest of each section.
    """
    every = frozenset[str]().union(*(column.articles for column in columns))
    general = [one for one in columns if _lists_all(one) and one.goes_on]
    whole = [one for one in columns if len(one.articles) >= COVERS * len(every)]
    if whole and len(columns) > 1:
        best = max(whole, key=lambda one: (len(one.links[0]), -columns.index(one)))
        if not best.goes_on and best.articles >= fed & every and (_lists_all(best) or not general):
            return [best], _covers(len(every), sorted(every - best.articles))
    home = [one for one in columns if one.seen.candidate is None and one.goes_on]
    if home and not (general and 2 * len(home[0].links[0] & general[0].articles) >= len(home[0].links[0])):
        return home, "the home page goes on to older articles"
    if general:
        return general[:1], "it is called so, and goes on to older articles"
    others = [one for one in columns if one.seen.candidate is not None]
    return (others, "") if others else (list(columns), "")


def _lists_all(column: Column) -> bool:
    """Whether what leads to it says so."""
    return column.seen.candidate is not None and column.seen.candidate.leads_to is LeadsTo.ALL


def _covers(count: int, others: Sequence[str]) -> str:
    """What is said of the one that lists nearly all. `others`: those that it does not list."""
    if not others:
        return "it lists every article that any page lists which was looked at"
    such_as = "" if len(others) == 1 else "such as "
    return f"it lists {count - len(others)} of the {count} articles that any page lists which was looked at, not {such_as}{others[0]}"


def name_of_column(candidate: Candidate | None, home: str, taken: set[str]) -> str:
    """Of a column, by its address below the home page, else by what is written on the link to it."""
    if candidate is None:
        return "home"
    below = unquote(split_path(candidate.url)[0].removeprefix(split_path(home)[0]))
    segments = [one for one in below.split("/") if one and not one.isdigit()]
    written = _BY_DATE if candidate.leads_to is LeadsTo.DATES else candidate.text
    text = next((one for one in segments if one.lower() not in _SAY_NOTHING), "") or written
    name = re.sub(r"[^a-z0-9]+", "-", fold(text.rpartition(".")[0] or text)).strip("-")[:40] or "column"
    if name in taken:
        name = re.sub(r"[^a-z0-9]+", "-", fold(written)).strip("-")[:40] or name
    number = next(number for number in range(1, 10_000) if f"{name}{'' if number == 1 else f'-{number}'}" not in taken)
    return f"{name}{'' if number == 1 else f'-{number}'}"


_BY_DATE = "by-date"
"""What is written on a link to a year or a month is that of one page of many."""
_SAY_NOTHING = frozenset(("category", "categories", "kategoria", "rovat", "section", "rubrik", "rubrique", "tag", "tags", "page", "index"))
