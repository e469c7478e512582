"""Do all walks of a column, seen together, speak against its rules?

A check is given the columns that were walked, and gives contradictions: rules that never found anything,
pages that are the same again, links that no rule took. Then nothing is proved of those columns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.amounts import agreeing, amount, if_any
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Column, PagingMode
from webarticlecurator.corpus.events import ProofGround
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import (
    EarlierWalks,
    first_pages_of_columns,
    listed_anything,
    only_two_digits_list,
    same_first_pages,
)
from webarticlecurator.databases import Row
from webarticlecurator.model.links import would_take
from webarticlecurator.own_patterns import linear

ENOUGH_INTERVALS = 3
"""Successive date intervals that list the same before what should part their addresses is thought to do
nothing."""
_NAMED = 10
"""Columns of one contradiction that are named."""
_FEWEST_SINGLE = 5
"""Intervals whose number has one digit, before it tells anything that none of them gave an article."""
_FEWEST_PAGES = 3
"""Pages before a box that stands on each of them is known from a list."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why nothing is proved of these columns, without their names."""

    columns: tuple[str, ...]
    reason: str

    def in_words(self) -> str:
        """Return it with the names of the columns, of many the first ones."""
        more = len(self.columns) - _NAMED
        named = ", ".join(self.columns[:_NAMED]) + if_any(more, f" and {more} more")
        return f"{agreeing(len(self.columns), 'column', 'columns')} {named}: {self.reason}"


@dataclass(frozen=True, slots=True)
class WalkedColumns:
    """The columns of a crawl, with the ledger that knows all their walks."""

    ledger: Ledger
    columns: Sequence[Column]
    run: int
    limited: bool
    """The crawl was to look at a part of the archive only, so that other articles are rightly unknown."""

    def earlier(self, column: Column) -> EarlierWalks:
        """Return what all walks of a column have come to."""
        return EarlierWalks.of(self.ledger, column)

    def never_turned(self, column: Column) -> bool:
        """Say whether no page of the column ever led to a further one."""
        return self.earlier(column).never_gave("more")


def column_contradictions(walked: WalkedColumns) -> Iterator[Contradiction]:
    """Give what speaks against columns; the ledger may be told of each at once."""
    contradicted = set[str]()
    for check in CHECKS:
        for contradiction in check(walked):
            contradicted.update(contradiction.columns)
            yield contradiction
    for column in walked.columns:
        if column.name not in contradicted and column.rules in walked.ledger.proved(column.name):
            yield from _links_without_rule(walked, column)


def alike_dates(ledger: Ledger, column: Column, run: int, interval: str, url: str) -> str | None:
    """Return why no date interval of a column is proved: successive ones list the same articles.

    `url` is where this one begins.
    """
    same = same_first_pages(ledger, column.name, run, interval)
    if len(same) < ENOUGH_INTERVALS:
        return None
    nothing = f"what should part their addresses does nothing (such as {url})"
    return f"the pages of {', '.join(same)} list the same articles, so {nothing}"


# --- nothing was ever found ---


def _lists_nothing(walked: WalkedColumns, column: Column) -> Iterator[str]:
    earlier = walked.earlier(column)
    # a board may be empty; its column as a whole is looked at by itself
    if column.section_of is None and earlier.never_gave("links"):
        yield _why_nothing(column, earlier.unread_page())


def _why_nothing(column: Column, unread: str | None) -> str:
    if unread is not None:  # rules can only be wrong where there was a page
        return f"nothing was found at {unread}"
    if column.format.tells_links:
        never = f"this {column.format} never listed an article of this site"
        return f"{never}; look at its address, and where its links lead; or `urls` refuses all of them"
    return "no archive page ever gave an article link; look at `item` and `link`"


def _no_section_lists_anything(walked: WalkedColumns) -> Iterator[Contradiction]:
    """One section may be empty, which a remark tells; all of them are not."""
    sections = defaultdict[str, list[str]](list)
    for column in walked.columns:
        if column.section_of is not None:
            sections[column.section_of].append(column.name)
    names = {column.name for column in walked.columns}
    for whole, parts in sections.items():
        together = [whole, *parts] if whole in names else parts
        if listed_anything(walked.ledger, together):
            continue
        nothing = f"no page of its {len(parts):,} sections ever gave an article link"
        yield Contradiction(tuple(together), f"{nothing}; look at `item` and `link`")


# --- pages never turned ---


def _next_never_matched(walked: WalkedColumns) -> Iterator[Contradiction]:
    # the `next` of a preset says nothing of this site: where there is a pager, its links are the sign
    by_link = [column for column in walked.columns if column.next is not None and not column.next_of_preset]
    # dates may fit a page each; what speaks against that stands on their pages, and keeps each from being
    # proved
    without_dates = tuple(column.name for column in by_link if column.dates is None)
    if without_dates and all(map(walked.never_turned, by_link)):
        yield Contradiction(without_dates, "`next` never matched on any archive page; look at it")


def _never_grew(walked: WalkedColumns) -> Iterator[Contradiction]:
    """One page that grows may be short; where none ever grew, and none says that this is all, the rule does
    nothing."""
    by_way = defaultdict[tuple[PagingMode, str | None], list[Column]](list)
    for column in walked.columns:
        if column.paging.mode.in_steps:
            button = column.rendering.button if column.rendering is not None else None
            by_way[column.paging.mode, button].append(column)
    for (mode, button), growing in by_way.items():
        ends = map(walked.earlier, growing)
        is_total_known = any(earlier.ended_on(ProofGround.GROWN_TO_TOTAL) for earlier in ends)
        if is_total_known or not all(map(walked.never_turned, growing)):
            continue
        how = "scrolling" if mode is PagingMode.SCROLL else f'the button "{button}"'
        nothing = f"`pages: {mode}` never brought a new article: {how} seems to do nothing"
        reason = f"{nothing}; if there is nothing more, say `pages: none`"
        yield Contradiction(tuple(column.name for column in growing), reason)


def _last_never_found(walked: WalkedColumns, column: Column) -> Iterator[str]:
    if isinstance(column.paging.last, Picks) and walked.never_turned(column):
        yield "`pages.last` never found a number; look at it"


def _second_repeats_first(walked: WalkedColumns, column: Column) -> Iterator[str]:
    if walked.earlier(column).second_repeats_first():
        how = "the link that `next` takes" if column.paging.mode is PagingMode.NEXT_LINK else "`{page}`"
        reason = f"the second page always lists what the first one lists, so {how} seems to do nothing"
        yield f"{reason}; if there is only one page, say `pages: none`"


# --- numbers of dates ---


class _PartOfDate(NamedTuple):
    """The month or the day in a date."""

    name: str
    letter: str
    begins: int
    """Its place in the name of an interval."""
    fewest: int
    """Intervals of two digits with articles, before those of one digit without any are a sign."""


_PARTS_OF_DATES = (_PartOfDate("month", "M", 5, 2), _PartOfDate("day", "d", 8, 8))


def _numbers_without_zero(walked: WalkedColumns, column: Column) -> Iterator[str]:
    """Only months or days that have two digits by nature list anything: the site writes the others without a
    zero, or with one."""
    for part in _PARTS_OF_DATES:
        otherwise = _written_otherwise(column, part)
        fewest = _FEWEST_SINGLE, part.fewest
        if otherwise is not None and only_two_digits_list(walked.ledger, column, part.begins, fewest):
            never = f"no {part.name} below 10 ever gave an article, and others did"
            yield f"{never}: where a site writes {otherwise}"


def _written_otherwise(column: Column, part: _PartOfDate) -> str | None:
    """Return what to write if the site writes such a number the other way; None: no number stands in the
    addresses."""
    written = column.template.text
    if f"{{{part.name}}}" in written:
        return f"no zero, use `{{date:{part.letter}}}`"
    letter = part.letter
    is_short = linear(rf"{{date:[^}}]*(?<!{letter}){letter}(?!{letter})").search(written)
    return f"a zero, use `{{{part.name}}}`" if is_short else None


# --- columns that are the same ---


def _alike_columns(walked: WalkedColumns) -> Iterator[Contradiction]:
    """Columns whose walks of this run began with the same articles, interval by interval."""
    # a section may have but one subsection
    columns = {column.name: column for column in walked.columns if column.section_of is None}
    alike = defaultdict[tuple[str, frozenset[str]], list[Column]](list)
    first_pages = dict(first_pages_of_columns(walked.ledger, walked.run, ENOUGH_INTERVALS))
    for name, column in columns.items():
        if name in first_pages:
            # a feed and the pages rightly list the same
            alike[column.format, frozenset(first_pages[name].splitlines())].append(column)
    for together in alike.values():
        names = _without_sections(together)
        if len(names) > 1:
            same = f"the pages of {', '.join(names)} list the same articles"
            yield Contradiction(tuple(names), f"{same}, so what should part their addresses does nothing")


def _without_sections(columns: Sequence[Column]) -> list[str]:
    """Return the names without those below another column's address, which may have all that it has."""
    addresses = {column.name: column.template.text.rstrip("/") for column in columns}
    above = tuple(f"{address}/" for address in addresses.values() if set("?{").isdisjoint(address))
    return [name for name, address in addresses.items() if not address.startswith(above)]


Check = Callable[[WalkedColumns], Iterator[Contradiction]]
CheckOfColumn = Callable[[WalkedColumns, Column], Iterator[str]]
"""Give what speaks against one column."""


def _of_each(check: CheckOfColumn) -> Check:
    """Return a check of all columns that asks of each by itself."""

    def contradictions(walked: WalkedColumns) -> Iterator[Contradiction]:
        for column in walked.columns:
            for reason in check(walked, column):
                yield Contradiction((column.name,), reason)

    return contradictions


CHECKS: tuple[Check, ...] = (
    _of_each(_lists_nothing),
    _no_section_lists_anything,
    _next_never_matched,
    _never_grew,
    _of_each(_last_never_found),
    _of_each(_second_repeats_first),
    _of_each(_numbers_without_zero),
    _alike_columns,
)


# --- links that no rule took ---


def _links_without_rule(walked: WalkedColumns, column: Column) -> Iterator[Contradiction]:
    """Links that look like articles, where they are many or stand in the list; of others it is asked what
    they are."""
    earlier = walked.earlier(column)
    links = earlier.unpicked()
    pages, picked = earlier.pages_and_links() if links else (0, 0)
    listed = [link for link in links if link.in_list and not link.in_box]  # both: `LinkPlace.LEFT_ITEM`
    # on fewer pages nobody can tell a box that stands on every page from a list
    few = pages < _FEWEST_PAGES and not walked.limited
    alone = [link for link in links if not link.in_box and (few or link.pages == 1)]
    found = (
        (listed, "in the list of the picked ones"),
        (_on_empty_pages(alone, max(2, picked // max(1, 2 * pages))), "on pages that count as empty"),
        (alone if 3 * len(alone) >= picked else [], "on its pages"),
    )
    for unpicked, where in found:
        if unpicked:
            yield _of_links(column, unpicked, where)
            return


def _on_empty_pages(links: Sequence[Row], fewest: int) -> list[Row]:
    """Return the links on pages that count as empty and have at least so many of them."""
    of_page = Counter(link.via for link in links)
    return [link for link in links if link.on_empty and of_page[link.via] >= fewest]


def _of_links(column: Column, links: Sequence[Row], where: str) -> Contradiction:
    number = amount(
        len(links),
        "link that looks like an article's and that no rule took stands",
        "links that look like articles and that no rule took stand",
    )
    taking = would_take([link.selector for link in links])
    shown = sorted(links, key=lambda link: not taking.startswith(f"`{link.selector}`"))
    such_as = f"such as {', '.join(link.url for link in shown[:3])}; on {shown[0].via}"
    otherwise = "else `exclude` under `archive: urls` says that they are none"
    what_to_do = f"if these are articles, {taking}; {otherwise}"
    return Contradiction((column.name,), f"{number} {where} ({such_as}); {what_to_do}")
