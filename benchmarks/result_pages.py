"""Results as Markdown that reads well as a plain file: tables, figures with what was wanted, where and with what it was measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchmarks.results import VERDICTS, Figure, Machine, Result, Table, number, said, wanted

BUSY = 0.1
"""Cores that other programs may keep busy without a word: a system always does something."""
_MARKS = re.compile(r"([|*_`<\\])")


def as_markdown(result: Result) -> str:
    """A section: its figures; its tables where it has none, and what it printed where it has neither."""
    parts = [f"## {result.title}", result.about, f"`{result.command}`", *(f"**Not measured here**: {what}." for what in result.left_out)]
    if result.figures:
        parts.append(figures_table(result.figures))
    elif result.tables:
        parts += [part for table in result.tables for part in (f"{table.title}:", markdown_table(table), table.note)]
    elif result.printed:
        parts.append(f"```text\n{result.printed}\n```")
    return "\n\n".join(part for part in (*parts, footing(result)) if part) + "\n"


def figures_table(figures: Sequence[Figure]) -> str:
    """Every figure with what was wanted, and whether it was reached, in plain words."""
    rows = [(_escaped(one.name), _escaped(said(one)), wanted(one), VERDICTS[one.reached]) for one in figures]
    return "\n".join(_lines(("figure", "measured", "wanted", "result"), rows, numbers=set()))


def markdown_table(table: Table) -> str:
    numbers = {place for place in range(1, len(table.headings)) if all(not isinstance(row[place], str) for row in table.rows)}
    rows = [tuple(_escaped(number(cell)) for cell in row) for row in table.rows]
    return "\n".join(_lines(table.headings, rows, numbers))


def footing(result: Result) -> str:
    """When, where, and with what."""
    versions = ", ".join(f"{name} {one}" for name, one in result.versions)
    quick = " A quick run: the sizes are too small for figures to be relied on." if result.quick else ""
    return f"Measured on {result.date[:10]} in {time_said(result.seconds)}, with {versions}.{quick}{loaded(result)}"


def loaded(result: Result) -> str:
    """What else the machine did; of older results only how it was when they began is known."""
    machine = result.machine
    if result.others is not None:
        return f" Meanwhile other programs kept {result.others:g} of {machine.cores} cores busy." if result.others > BUSY else ""
    return f" In the minute before, the load was {machine.load:g} on {machine.cores} cores." if machine.load > machine.cores / 2 else ""


def machine_said(machine: Machine) -> str:
    return f"{machine.processor}, {machine.cores} cores, {machine.memory} GB of memory, {machine.system}, {machine.python}"


def time_said(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


def _lines(headings: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{'|'.join('---:' if place in numbers else '---' for place in range(len(headings)))}|"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
