"""What speaks against the proofs of a whole column: asked of the ledger when the crawl has come to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Column, PagingMode
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.walks import ProofGround

ENOUGH_INTERVALS = 3
"""Successive date intervals that list the same before the part of the address that should part them is thought to do nothing."""
_FEW_PAGES = 3
"""On fewer archive pages nobody can tell a box that stands on every page from a list."""
_EXAMPLES = 3

_NEVER = """
    SELECT sum({what}) = 0 AND sum(end IN ('proved', 'unproved')) > 0 FROM walks w JOIN columns c ON c.id = w.column_id
    WHERE c.name = ? AND w.rules = ?
"""
_SECOND_REPEATS_FIRST = """
    SELECT max(ground = ? AND end = 'proved') = 1 AND max(covered) < 2 FROM walks w JOIN columns c ON c.id = w.column_id
    WHERE c.name = ? AND w.rules = ?
"""
_FIRST_PAGES = """
    SELECT c.name, w.interval, w.first_links FROM walks w JOIN columns c ON c.id = w.column_id
    WHERE w.run = ? AND w.first_links IS NOT NULL AND w.links > 1 AND w.end IS NOT 'imported'
"""
_NEIGHBOURS = """
    SELECT interval, first_links FROM walks w JOIN columns c ON c.id = w.column_id
    WHERE c.name = ? AND w.run = ? AND interval IS NOT NULL AND interval {} ? ORDER BY interval {} LIMIT 3
"""
_UNPICKED = """
    SELECT l.run, l.url, l.via, l.pages, l.selector, l.in_list, l.in_box, l.on_empty FROM lookalikes l JOIN columns c ON c.id = l.column_id
    WHERE c.name = ? AND l.rules = ? AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.url = l.url) ORDER BY l.via, l.url
"""
_PROVED = """
    SELECT count(*) FROM walks w JOIN columns c ON c.id = w.column_id WHERE c.name = ? AND w.rules = ? AND w.end IN ('proved', 'known')
"""
_PAGES = """
    SELECT count(*), coalesce(sum(most), 0) FROM (
        SELECT max(p.links) AS most FROM pages p JOIN walks w ON w.id = p.walk JOIN columns c ON c.id = w.column_id
        WHERE c.name = ? AND w.rules = ? AND p.result = 'links' GROUP BY p.key
    )
"""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why nothing is proved of these columns."""

    columns: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Unpicked:
    """A link like the picked ones that no rule took, and that nobody knows of at the end of the crawl."""

    url: str
    via: str
    pages: int
    selector: str
    in_list: bool
    in_box: bool
    on_empty: bool


def find_doubts(ledger: Ledger, columns: Sequence[Column], run: int) -> Iterator[Doubt]:
    """Rules that never found anything, pages that are the same again, links that were left beside."""
    yield from _never_matched(ledger, columns)
    for column in columns:
        if _one(ledger, _SECOND_REPEATS_FIRST, ProofGround.SECOND_REPEATS_FIRST, column.name, column.rules):
            how = "the link that `next` takes" if column.paging.mode is PagingMode.NEXT_LINK else "`{page}`"
            yield Doubt(
                (column.name,),
                f"column {column.name}: the second page always lists what the first one lists, so {how} seems to do nothing;"
                " if there is only one page, say `pages: none`",
            )
    for names in _same_columns(ledger, columns, run):
        yield Doubt(
            names,
            f"columns {', '.join(names)}: their pages list the same articles, so what should part their addresses does nothing",
        )


def same_first_pages(ledger: Ledger, column: Column, run: int, interval: str) -> list[str]:
    """The successive intervals of a run, this one among them, whose first pages list the same articles."""
    before = list(ledger.stream(_NEIGHBOURS.format("<=", "DESC"), (column.name, run, interval)))
    after = list(ledger.stream(_NEIGHBOURS.format(">", "ASC"), (column.name, run, interval)))
    if not before or before[0][0] != interval or before[0][1] is None:
        return []
    same: list[str] = []
    for side in (before, after):
        for name, links in side:
            if links != before[0][1]:
                break
            same.append(name)
    return sorted(same)


def left_beside(ledger: Ledger, column: Column, *, limited: bool) -> tuple[Doubt | None, str | None]:
    """What the lookalikes of a column amount to: a doubt where they are many or stand in the list itself, else a remark.

    `limited`: the crawl was to look at a part of the archive only, so that other articles are rightly unknown.
    """
    unpicked = _unpicked(ledger, column) if _one(ledger, _PROVED, column.name, column.rules) else []
    if not unpicked:
        return None, None
    pages, picked = next(ledger.stream(_PAGES, (column.name, column.rules)))
    listed = [one for one in unpicked if one.in_list]
    alone = [one for one in unpicked if not one.in_box and (one.pages == 1 or (pages < _FEW_PAGES and not limited))]
    nearly_all = max(2, picked // max(1, 2 * pages))
    of_empty = [one for one in alone if one.on_empty and sum(other.via == one.via for other in alone) >= nearly_all]
    many = alone if 3 * len(alone) >= picked else []
    for found, where in ((listed, "in the list of the picked ones"), (of_empty, "on pages that count as empty"), (many, "on its pages")):
        if found:
            return Doubt((column.name,), f"column {column.name}: {_told(found, where)}"), None
    return None, f"column {column.name}: {_told(unpicked, 'in boxes beside')}"


def _never_matched(ledger: Ledger, columns: Sequence[Column]) -> Iterator[Doubt]:
    def never(what: str) -> list[Column]:
        return [column for column in columns if _one(ledger, _NEVER.format(what=what), column.name, column.rules)]

    for column in never("links"):
        reason = f"column {column.name}: no archive page ever gave an article link; look at `item` and `link` with `curator try`"
        yield Doubt((column.name,), reason)
    unpaged = never("more")
    by_link = tuple(column.name for column in columns if column.paging.mode is PagingMode.NEXT_LINK)
    if by_link and set(by_link) <= {column.name for column in unpaged}:
        yield Doubt(by_link, "`next` never matched on any archive page; look at it with `curator try`")
    for column in unpaged:
        if isinstance(column.paging.last, Picks):
            yield Doubt((column.name,), f"column {column.name}: `pages.last` never found a number; look at it with `curator try`")


def _same_columns(ledger: Ledger, columns: Sequence[Column], run: int) -> Iterator[tuple[str, ...]]:
    """Columns whose walks of this run began with the same articles, interval by interval."""
    starts: dict[str, set[tuple[str | None, int]]] = {column.name: set() for column in columns}
    for name, interval, links in ledger.stream(_FIRST_PAGES, (run,)):
        if name in starts:
            starts[name].add((interval, links))
    alike: dict[frozenset[tuple[str | None, int]], list[str]] = {}
    for name, found in starts.items():
        if len(found) >= ENOUGH_INTERVALS or any(interval is None for interval, _ in found):
            alike.setdefault(frozenset(found), []).append(name)
    return (tuple(names) for names in alike.values() if len(names) > 1)


def _unpicked(ledger: Ledger, column: Column) -> list[_Unpicked]:
    rows = list(ledger.stream(_UNPICKED, (column.name, column.rules)))
    found = [(run, _Unpicked(*row)) for run, *row in rows]
    # what a later look at the same page does not show has gone
    return [one for run, one in found if not ledger.is_listed(one.url) and ledger.last_asked(one.via) <= run]


def _told(found: Sequence[_Unpicked], where: str) -> str:
    examples = ", ".join(one.url for one in found[:_EXAMPLES])
    return (
        f"{len(found):,} links that look like articles and that no rule took stand {where} (such as {examples};"
        f" on {found[0].via}); `{found[0].selector}` would take them, `urls.exclude` says that they are none"
    )


def _one(ledger: Ledger, sql: str, *values: object) -> int:
    return int(next(ledger.stream(sql, values))[0] or 0)
