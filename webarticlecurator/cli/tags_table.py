"""The rows, trees and pairs of an inventory as tables for a terminal, as wide as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from webarticlecurator.cli import console
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Pair, TagRow, TreeNode

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_COLUMNS: tuple[tuple[int, str, Callable[[TagRow], str]], ...] = (
    (0, "words", lambda row: f"{row.words:,}"),
    (0, "count", lambda row: f"{row.frequency:,}"),
    (100, "pages", lambda row: f"{row.pages:,}"),
    (100, "years", lambda row: "" if row.first_year is None else f"{row.first_year}-{row.last_year}"),
    (120, "mean", lambda row: f"{row.mean_words:.1f}"),
    (120, "own", lambda row: f"{row.mean_own_words:.1f}"),
    (120, "links", lambda row: f"{row.link_share:.0%}"),
)
"""From how many characters of the terminal on a column is shown, its heading, its cells."""
_TREE_SHARE = 0.002
"""Of all words of a tree; what holds less is folded."""
_TREE_FREQUENCY = 0.1
"""Of the elements around it; what has no words and is rarer is folded."""
_TREE_CHILDREN = 15


def rows_table(rows: Sequence[TagRow], width: int, *, complete: bool) -> Table:
    """A row a tag: its figures, and under it what decides it or what it may be."""
    columns = [(heading, cell) for at_least, heading, cell in _COLUMNS if width >= at_least]
    table = _table()
    for heading, _ in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("tag", overflow="fold")
    for row in rows:
        table.add_row(*(cell(row) for _, cell in columns), _about(row, complete=complete))
    return table


def pairs_table(pairs: Sequence[Pair]) -> Table:
    """A row a pair, written as the selector that a rule for it would have."""
    table = _table()
    table.add_column("words", justify="right", no_wrap=True)
    table.add_column("count", justify="right", no_wrap=True)
    table.add_column("outer > inner", overflow="fold")
    table.add_column("becomes", overflow="fold")
    for pair in pairs:
        between = " > " if pair.adjacent else " "
        table.add_row(f"{pair.words:,}", f"{pair.frequency:,}", _text(f"{pair.outer}{between}{pair.inner}"), _text(pair.operation))
    return table


def tree_lines(roots: Sequence[TreeNode], *, depth: int, complete: bool) -> Iterator[str]:
    """A line an element path: words, count, and the tag, indented; `+` holds others, `-` is a leaf."""
    least = 0.0 if complete else _TREE_SHARE * sum(root.words for root in roots)
    yield f"{'words':>11}  {'count':>9}"
    for root in roots:
        yield from _branch(root, 0, depth, least, complete)


def _branch(node: TreeNode, level: int, depth: int, least: float, complete: bool) -> Iterator[str]:
    indent = "  " * level
    mark = "-" if node.is_leaf else "+"
    fate = _fate(node.decided) if level or node.decided.decider is Decider.POSTS else "the container"
    yield f"{node.words:>11,}  {node.frequency:>9,}  {indent}{mark} {_plain(node.tag)}  {fate}"
    told = [number for number, child in enumerate(node.children) if complete or _is_told(child, node, least)]
    shown = frozenset(() if level + 1 >= depth else told if complete else told[:_TREE_CHILDREN])
    more, words = node.more, node.more_words
    for number, child in enumerate(node.children):
        if number in shown:
            yield from _branch(child, level + 1, depth, least, complete)
        else:
            more, words = more + 1, words + child.words
    if more:
        yield f"{'':>24}{indent}  ... {more:,} more, {words:,} words"


def _is_told(child: TreeNode, parent: TreeNode, least: float) -> bool:
    return child.words >= least if child.words else child.frequency >= _TREE_FREQUENCY * parent.frequency


def _about(row: TagRow, *, complete: bool) -> Text:
    text = _text(row.tag, style="bold" if row.is_undecided else "")
    if not row.is_undecided:
        text.append("\n").append(_plain(f"{row.decided.operation}, by {row.decided.rule or row.decided.decider}"), style="dim")
    if row.suggestion is not None:
        evidence = row.suggestion.evidence if complete else row.suggestion.evidence[:1]
        text.append("\nmay be " if row.is_undecided else "\nrather ", style="dim")
        text.append(_plain(row.suggestion.operation), style="cyan").append(_plain(f": {'; '.join(evidence)}"), style="dim")
    for example in row.examples if complete else ():
        text.append("\n").append(_plain(example.url), style="dim")
    return text


def _fate(decided: DecidedOperation) -> str:
    return "undecided" if decided.decider is Decider.NOBODY else decided.operation


def _table() -> Table:
    from rich.table import Table

    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")


def _text(words: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(_plain(words), style=style)


def _plain(words: str) -> str:
    """On one line, and nothing in it that a terminal would obey."""
    return console.printable(" ".join(words.split()))
