"""What an inventory says in sentences, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.cli import console
from webarticlecurator.survey.inventory.results import Inventory, Reduction, YearCoverage

_YEARS = 12


def overview(inventory: Inventory, *, complete: bool) -> list[str]:
    """How little is left to decide, and how much of each year is decided."""
    return [
        "",
        *_reduction(inventory.reduction),
        *(["", "Decided by a rule, per year", *_coverage(inventory.coverage, complete=complete)] if inventory.coverage else []),
    ]


def pages_read(inventory: Inventory) -> Iterator[str]:
    """What was read, and what this inventory does not show."""
    years = [one.year for one in inventory.coverage if one.year is not None]
    span = f", {_span(min(years), max(years))}" if years else ""
    of = f"{inventory.pages:,} of {inventory.of_pages:,}" if inventory.pages < inventory.of_pages else f"{inventory.pages:,}"
    yield f"{inventory.portal}: {of} article page{'' if inventory.of_pages == 1 else 's'} read{span}"
    if inventory.passed_over:
        parts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(inventory.passed_over.items()))
        yield f"  Without an article's container: {parts}"
    yield from (f"  {note}" for note in inventory.notes)


def _reduction(one: Reduction) -> Iterator[str]:
    counts = (
        (one.tags, "different tags"),
        (one.with_text, "with text"),
        (one.simplified, "simplified"),
        (one.undecided, "still undecided"),
    )
    yield from console.aligned([(f"{count:,}", f"{_percent(count, one.tags):>6}", meaning) for count, meaning in counts])


def _percent(count: int, of: int) -> str:
    return f"{count / of if of else 0:.1%}"


def _coverage(years: Sequence[YearCoverage], *, complete: bool) -> Iterator[str]:
    marked = [one for one in years if one.layout_change]
    shown = years if complete or len(years) <= _YEARS else sorted({*years[-_YEARS:], *marked}, key=years.index)
    rows = [("year", "pages", "words", "elements", "")]
    for one in shown:
        mark = "layout change?" if one.layout_change else ""
        year = "none" if one.year is None else str(one.year)
        rows.append((year, f"{one.pages:,}", _share(one.word_share), _share(one.element_share), mark))
    yield from console.aligned(rows, headed=True)
    if len(shown) < len(years):
        yield f"  and {len(years) - len(shown):,} more years (--verbose shows all)"


def _share(share: float) -> str:
    return f"{share:6.1%}"


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """How the commands that we suggest name things."""

    portal: str
    pages: str
    """The portal and where its pages are."""
    tags: str
    """The same with the sample that was asked for, for `curator tags`."""
    audit: str


def next_step(inventory: Inventory, typed: Typed, *, tsv: str | None, html: str | None) -> str:
    """The most useful thing to do now."""
    if not inventory.pages:
        return (
            f"if the portal file has a `body.root`, `curator try {typed.pages} URL` shows whether it matches; "
            "without it the general finder looks for running text"
        )
    if tsv is not None:
        table = shlex.quote(tsv)
        return f"fill in the column `operation` of {table}; then `curator tags apply {table} {typed.portal}`"
    if html is not None:
        return f"open {html} in a browser; what is decided there is downloaded as a table for `curator tags apply`"
    if inventory.reduction.undecided:
        write, apply = f"curator tags {typed.tags} --tsv tags.tsv", f"curator tags apply tags.tsv {typed.portal}"
        return f"`{write}`; fill in its column `operation`; then `{apply}`"
    return f"every tag with text is decided: `curator audit {typed.audit}` shows what was lost and what should not be there"
