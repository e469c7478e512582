"""What a watch found in sentences for a person and as JSON for a program, and what to do next."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

import yaml

from webarticlecurator.amounts import amount
from webarticlecurator.model.drift import FoundDrift, ShownPage, WatchSummary

_BLOCKS = 10
"""Of a page, that are shown."""
_LINES = 2
"""Of a block."""
_BEFORE = 2
"""Blocks that are shown before the text begins."""
_NARROWEST, _WIDEST = 24, 60
_BETWEEN = " | "


def as_json(found: WatchSummary, code: int) -> dict[str, Any]:
    """One object; a layout is null where the base rules are meant."""
    told = asdict(found)
    for drift in told["drifts"]:
        for page in drift["pages"]:
            del page["html"]
            page["blocks"] = [{"kept": kept, "text": text} for kept, text in page["blocks"]]
    return {"exit_code": int(code), **told}


def in_words(found: WatchSummary, width: int) -> Iterator[str]:
    """For a person, line by line."""
    articles = f"{found.articles:,} of {amount(found.of_articles, 'article')} looked at, and the pages of {found.pages:,}"
    count = len(found.drifts)
    times = "once" if count == 1 else amount(count, "time")
    told = f"the layout seems to have changed {times}" if count else "no sign that the layout has changed"
    if not found.complete:
        told = "interrupted, so nothing can be said"
    elif found.too_few and not count:
        told = "too few to say whether the layout has changed"
    yield f"{found.portal}: {articles} ({found.new_pages:,} of them new): {told}"
    for number, drift in enumerate(found.drifts, start=1):
        yield ""
        yield from _drift(number, drift, width)


def _drift(number: int, drift: FoundDrift, width: int) -> Iterator[str]:
    where = f", layout {drift.layout}" if drift.layout else ""
    yield f"{number}. From {drift.day[:10] or 'an article without a date'} on{where}: {drift.url}"
    yield f"   {drift.headline}"
    yield from (f"   - {sign}" for sign in drift.signs)
    yield ""
    yield from _side_by_side(drift.pages, width)
    yield ""
    if drift.proposal is None:
        yield f"   No entry of `layouts` can be proposed: {drift.proposed_for}"
        return
    yield f"   An entry of `layouts`, {drift.proposed_for}:"
    entry: str = yaml.safe_dump([dict(drift.proposal)], allow_unicode=True, sort_keys=False, width=width - 5)
    yield from (f"     {line}" for line in entry.splitlines())


def _side_by_side(pages: Sequence[ShownPage], width: int) -> Iterator[str]:
    """The pages as columns, or below one another where there is no room; their addresses, which are not broken, above them."""
    yield from (f"   {page.role}: {page.url}" for page in pages)
    yield ""
    room = (width - 3 - len(_BETWEEN) * (len(pages) - 1)) // max(len(pages), 1)
    if room < _NARROWEST:
        for page in pages:
            yield from (f"   {line}" for line in _column(page, max(width - 3, _NARROWEST)))
            yield ""
        return
    room = min(room, _WIDEST)
    for cells in zip_longest(*(_column(page, room) for page in pages), fillvalue=""):
        yield f"   {_BETWEEN.join(cell.ljust(room) for cell in cells)}".rstrip()


def _column(page: ShownPage, width: int) -> Iterator[str]:
    yield page.role.upper()
    yield f"{page.day[:10] or 'no date'}, {amount(page.words, 'word')} kept"
    if not page.blocks:
        yield "(the page cannot be read)"
    else:
        yield "+ kept, - left out"
    for kept, text in _telling(page.blocks):
        sign = "+ " if kept else "- "
        yield from textwrap.wrap(text, width, initial_indent=sign, subsequent_indent="  ", max_lines=_LINES, placeholder=" ...")


def _telling(blocks: Sequence[tuple[bool, str]]) -> Sequence[tuple[bool, str]]:
    """Where the text begins; on a page of which nothing is kept, where there is most of it."""
    kept = [number for number, (is_kept, _) in enumerate(blocks) if is_kept]
    longest = max(range(len(blocks)), key=lambda number: (len(blocks[number][1]), -number), default=0)
    first = max(0, (kept[0] if kept else longest) - _BEFORE)
    return blocks[first : first + _BLOCKS]


def next_command(found: WatchSummary, typed: str) -> str:
    """The most useful thing to do now. `typed` is how a command names the portal and its corpus."""
    if not found.complete:
        return f"`curator watch {typed}` goes on"
    if found.drifts:
        url = shlex.quote(found.drifts[-1].url)
        return (
            f"`curator try {typed} {url}` shows what the rules make of the first page; when the portal file is changed, `curator build"
            f" {typed}`. Where all is right as it is, an entry of `layouts` with this date says so"
        )
    return f"`curator audit {typed}` looks for what the rules lose on all pages alike"
