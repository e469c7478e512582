"""The boards of a forum: which links of a home page lead to lists of threads, and what a portal file says of
them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.template import literal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.forums import is_of_forum
from webarticlecurator.extraction.pages_of_articles import first_pages
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import LinkKind, link_kind
from webarticlecurator.learning.links.find_links import LinkFindings, find_links
from webarticlecurator.learning.links.placed_links import own_links
from webarticlecurator.learning.paging.find_paging import PagingRule, find_article_paging, find_paging
from webarticlecurator.learning.site.list_links import is_of_the_house
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import identifier
from webarticlecurator.urls import split_path

_FEWEST_THREADS = 3
_MOST_GROUPS = 3
"""Groups of addresses that may be boards, of which pages are asked for."""


# --- which links of a home page may lead to boards ---


@dataclass(slots=True)
class BoardLinks:
    """Addresses of one make on a home page, outside of its menus."""

    rows: dict[str, list[int]]
    """Address -> the rows of its links."""

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(self.rows)

    @property
    def says_forum(self) -> bool:
        """Say whether each address says that it is one of a forum."""
        return all(map(is_of_forum, self.rows))


def possible_boards(home: Page) -> list[tuple[str, ...]]:
    """Return the groups of addresses that may be boards: first those that say so, then those that stand in
    rows as boards do."""
    groups = [group for group in _groups(home) if len(group.rows) > 1]
    say_so = [group.urls for group in groups if group.says_forum]
    in_rows = [group.urls for group in groups if not group.says_forum and _stand_in_rows(home, group)]
    return [*say_so, *in_rows][:_MOST_GROUPS]


def _groups(home: Page) -> list[BoardLinks]:
    """Return the links outside of menus by how their addresses are made: the folder, else the program and
    what it is asked."""
    groups: dict[tuple[str, ...], dict[str, list[int]]] = defaultdict(dict)
    for row, url, in_menu in own_links(home):
        path, query = split_path(url)
        if in_menu or link_kind(url) in (LinkKind.PERSON, LinkKind.AUTHOR) or is_of_the_house(path):
            continue
        folder = path if query else path.rstrip("/").rpartition("/")[0]
        names = sorted(name for name, _ in parse_qsl(query, keep_blank_values=True))
        groups[folder, *names].setdefault(url, []).append(row)
    return list(map(BoardLinks, groups.values()))


def _stand_in_rows(home: Page, group: BoardLinks) -> bool:
    """Say whether most of the addresses stand in one row each, with a number, and with a link elsewhere: a
    board, its posts, the last one.

    Categories of a blog stand in the rows of several articles.
    """
    rows = sorted(row for of_url in group.rows.values() for row in of_url)
    others = {row for row, url, _ in own_links(home) if url not in group.rows}
    alone = [of_url[0] for of_url in group.rows.values() if len(of_url) == 1]
    like_boards = [row for row in alone if _is_like_board(home, _item(home, row, rows), row, others)]
    return 2 * len(like_boards) > len(group.rows)


def _item(home: Page, row: int, rows: Sequence[int]) -> int:
    """Return the row of the largest element around a link that holds no other link of its group (`rows`)."""
    item = row
    for around in home.outline.around(row):
        first, behind = bisect_left(rows, around), bisect_left(rows, home.outline.ends[around])
        if behind - first > 1:
            break
        item = around
    return item


def _is_like_board(home: Page, item: int, row: int, others: Collection[int]) -> bool:
    outline = home.outline
    inside = range(item, outline.ends[item])
    text = " ".join(
        text
        for text, owner in zip(outline.strings, outline.owners, strict=True)
        if owner in inside and owner != row
    )
    has_link = any(other in inside for other in others)
    return has_link and linear(r"\d").search(text) is not None


# --- which links of boards lead to threads ---


def lists_of_threads(boards: Sequence[Page], home: Page) -> Iterator[tuple[LinkFindings, list[str]]]:
    """Yield what may find the threads of these pages by its first rule, and those that the home page does not
    name, in their order."""
    known = {url for _, url, _ in own_links(home)}
    found = find_links(boards)
    for number, rule in enumerate(found.rules):
        threads = [url for url in rule.urls if url not in known]
        if len(threads) >= _FEWEST_THREADS and 2 * len(threads) > len(rule.urls):
            yield found.begun_with(number), threads


def threads_of_several_pages(boards: Sequence[Page], threads: Sequence[str]) -> list[str]:
    """Return the threads of which the boards name a further page, too."""
    links = {url for board in boards for _, url, _ in own_links(board)}
    with_further_page = {first for url in links for first in first_pages(url) if first != url}
    return list(filter(with_further_page.__contains__, threads))


def lists_its_threads(boards: Row, links: frozenset[str]) -> bool:
    """Say whether most of them have addresses like those of the threads on the boards."""
    shapes = {url_shape(url, sections=True) for url in boards.links.rules[0].urls}
    return 2 * sum(url_shape(url, sections=True) in shapes for url in links) > len(links)


# --- what a portal file says of them ---


def propose_boards(seen: SiteSeen, boards: Row, *, beside: bool) -> list[Proposal]:
    """Return the home page as an archive whose sections are the boards, and how threads go on; `beside`: as a
    column among others."""
    rules, wanted = boards.links.rules, boards.urls
    css, is_exact = _sections(seen.home, boards)
    way = _way_of_boards(boards)
    lacks = {
        "Does `sections` pick the links to all boards, and nothing else?": not is_exact,
        "No board showed a link to a next page: if some do, write `next: SELECTOR` of that link.": way
        is None,
        "Does `link` pick all threads on the pages of boards, and nothing else?": not boards.links.sure,
    }
    settings: dict[str, Plain] = {"kind": "forum", "item": None} if beside else {}
    settings |= way.settings if way is not None else {}
    settings |= {"url": literal(seen.home.url), "sections": css}
    reason = (
        f"the home page leads to {amount(len(wanted), 'board')}; on the pages of those that were looked at "
        f"{rules[0].reason}"
    )
    reasons = (reason, *(rule.reason for rule in rules[1:]))
    choices = [
        Choice(value={**settings, **rule.keys}, reason=why, samples=rule.urls[:3])
        for rule, why in zip(rules, reasons, strict=True)
    ]
    questions = " ".join(question for question, holds in lacks.items() if holds)
    archive = Proposal.at(("columns", "forum") if beside else ("archive",), choices, questions or None)
    of_threads, _ = find_article_paging(seen.threads, rules[0].urls)
    if (
        not of_threads and way is not None and not beside
    ):  # software that makes boards go on by a link does so with threads, too
        choice = Choice(
            value=way.settings["next"],
            reason="so the pages of boards go on; no thread that was looked at has a second page",
        )
        of_threads = (
            Proposal.at(
                ("articles", "next"), [choice], "Does this link lead to the next page of a thread, too?"
            ),
        )
    return [archive, *of_threads]


def _sections(home: Page, boards: Row) -> tuple[str, bool]:
    """Return the selector that finds the boards and least else, threads on boards above all, and whether it
    finds them exactly."""
    wanted = boards.urls
    found = find_links([home], examples=sorted(wanted))
    selectors = [str(rule.picks["link"]) for rule in found.rules if "item" not in rule.picks]
    selectors += filter(None, (_by_address(wanted), _by_classes(home, wanted)))
    of_boards = [archive.pages[0] for archive in boards.archives]

    def mistakes(css: str) -> int:
        on_boards = (found.reading.links({"link": css}, page) for page in of_boards)
        threads = sum(
            len(boards.links.links_of(page) & set(links))
            for page, links in zip(of_boards, on_boards, strict=True)
        )
        return len(wanted ^ set(found.reading.links({"link": css}, home))) + threads

    best = min(selectors, key=mistakes)
    return best, mistakes(best) == 0


def _by_classes(home: Page, wanted: frozenset[str]) -> str:
    """Return a selector of links by those of their classes that no link to anything else has; empty where
    there is none."""
    classes: dict[str, set[str]] = defaultdict(set)
    for row, url, _ in own_links(home):
        for name in home.outline.elements[row].get("class", "").split():
            classes[name].add(url)
    return ", ".join(f"a.{identifier(name)}" for name, urls in classes.items() if urls <= wanted)


def _by_address(urls: Collection[str]) -> str:
    """Return a selector of links by what their addresses begin with: a folder, or a program and what it is
    asked first."""
    path, query = split_path(min(urls))
    if query:
        return f'a[href*="{path.rpartition("/")[2]}?{query.partition("=")[0]}="]'
    return f'a[href*="{path.rstrip("/").rpartition("/")[0]}/"]'


def _way_of_boards(boards: Row) -> PagingRule | None:
    """Return how their pages follow one another: by a link, since each board has an address of its own."""
    several = [archive.pages for archive in boards.archives if len(archive.pages) > 1]
    ways = [
        rule
        for pages in several
        for rule in find_paging(pages, boards.links.links_of)[0]
        if rule.mode is PagingMode.NEXT_LINK
    ]
    return max(ways, key=lambda rule: (rule.sure, rule.score), default=None)
