"""`curator search`: the places where a word, a phrase or a lemma stands, each in its context, or how many
there are."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.cli.screen_columns import beginning, columns_of, end
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.databases import Row
from webarticlecurator.model.progress import Stopped, Work
from webarticlecurator.searching.search_options import SearchOptions

if TYPE_CHECKING:
    from webarticlecurator.searching.concordance import Hit, SearchResult

_WIDTH = 140
"""Columns of what is no terminal."""
_FOUND = 24
"""Columns that the context leaves to what was found."""
_LEAST_CONTEXT = 10
"""Characters, however narrow the screen is."""
_LONGEST_BAR = 30


@command(options=SearchOptions)
def search(
    call: Call,
    options: SearchOptions,
    query: Annotated[str, argument("QUERY", 'Words, a "phrase", begin*; AND, OR, NOT and brackets.')],
) -> ExitCode:
    """
    \b
    Examples:
      curator search portal.yaml árvíz                        each place; as arviz, too, unless --accents
      curator search portal.yaml '"climate change" OR drought*' --from 2020-01-01
      curator search portal.yaml bridge --count year          how often, also of a million words
      curator search portal.yaml go --lemma                   goes, went, gone: needs `curator annotate`

    Show where words stand in the built articles, each place with its context, the oldest first. Several words
    must stand in one paragraph. The first search makes an index of all texts; the next ones take about a
    second.
    """
    from webarticlecurator.stages.search import search_portal

    room = _room_for_context() if options.context is None else None
    if room is not None:
        options = replace(options, context=room)
    try:
        with call.work() as (stop, progress):
            work = Work(call.portal.name, "search", progress, stop)
            result = search_portal(call.portal, call.corpus, query, options, work)
    except Stopped:
        console.say("Incomplete: interrupted; the index goes on with the next search")
        return ExitCode.INCOMPLETE
    call.tell(result, (*_concordance(result, room), *_table(result, options.count or "")))
    for note in result.notes:
        console.say(note)
    shown = len(result.hits or result.counts)
    is_cut = 0 < len(result.hits) < result.total or len(result.counts) == options.limit
    more = f"; the first {shown:,} are shown, --limit N shows more" if is_cut else ""
    console.say(f"{amount(result.total, 'place')} in {amount(result.articles, 'article')}{more}")
    situation = first_that_holds({"found": result.hits, "counted": result.total, "nothing": True})
    first = result.hits[0].url if result.hits else ""
    call.next("search", situation, url=first, query=shlex.quote(query))
    return ExitCode.OK


def _width() -> int:
    return shutil.get_terminal_size(fallback=(_WIDTH, 0)).columns


def _room_for_context() -> int:
    """Return the columns on each side for which there is room in a line."""
    return max(_LEAST_CONTEXT, (_width() - _FOUND) // 2)


def _concordance(result: SearchResult, room: int | None) -> Iterator[str]:
    """Give each article, and below it the places, what was found in one column.

    `room`: the columns on each side; None where somebody said how many characters are shown, be they as wide
    as they are.
    """
    if room is not None:
        result = replace(result, hits=tuple(_fitting(hit, room) for hit in result.hits))
    before = max([0, *(columns_of(console.printable(hit.left)) for hit in result.hits)])
    for _, hits in groupby(result.hits, attrgetter("article")):
        first, *others = hits
        yield f"{(first.date or 'no date')[:10]}  {first.headline or ''}  {first.url}"
        for hit in (first, *others):
            left = console.printable(hit.left)
            yield f"{' ' * (before - columns_of(left))}{left}  {hit.hit}  {hit.right}"


def _fitting(hit: Hit, room: int) -> Hit:
    return replace(hit, left=end(hit.left, room), right=beginning(hit.right, room))


def _table(result: SearchResult, field: str) -> list[str]:
    """Return the counts, and behind each a bar as long as what was found of a million words, where there is
    room for it."""
    rows = [Row(row, **{field: row.value}) for row in result.counts]
    lines = console.table(f"By {field}", rows, f"{field} hits found_in articles words per_million")
    before = max([0, *map(columns_of, lines)])
    longest = max(0, min(_LONGEST_BAR, _width() - before - 2))
    most = max([0.1, *(row.per_million for row in rows)])
    bars = ["", "  chart", *("  " + "#" * round(longest * row.per_million / most) for row in rows)]
    return [
        f"{line}{' ' * (before - columns_of(line))}{bar}".rstrip()
        for line, bar in zip(lines, bars, strict=False)
    ]
