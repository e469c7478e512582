"""Where an inventory goes: sentences and tables on the screen, one object, a table for spreadsheets, one page; several at once."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.arguments import STDOUT
from webarticlecurator.survey.inventory.results import Decider, Inventory, JsonRow, TagRow, as_json

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_YEARS = 12
"""That are shown one by one."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """How the commands that we suggest name things."""

    portal: str
    pages: str
    """The portal and where its pages are."""
    tags: str
    """The same with the sample that was asked for, for `curator tags`."""
    audit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What is to be shown and written."""

    html: Path | None
    tsv: Path | None
    json: bool
    tree: bool
    pairs: bool
    everything: bool
    since: int | None
    """The year before which no page may have a tag that is shown."""
    limit: int
    """Rows of a table on the screen; 0: all."""
    depth: int

    @property
    def rows_on_screen(self) -> bool:
        """The table of tags is left out where something else was asked for."""
        return self.everything or self.since is not None or not (self.tree or self.pairs or self.html or self.tsv)


def output(inventory: Inventory, outputs: Outputs, typed: Typed, *, language: str | None) -> None:
    """Show and write what was asked for. `language`: the portal's."""
    rows = [row for row in inventory.rows if outputs.since is None or (row.first_year is not None and row.first_year >= outputs.since)]
    _write_files(inventory, rows, outputs, language)
    if outputs.json:
        console.data_json(as_json(inventory, rows))
    elif outputs.tsv != STDOUT:
        _show(inventory, rows, outputs)
    console.say(f"\nNext: {next_step(inventory, typed, tsv=_name(outputs.tsv), html=_name(outputs.html))}")


def _write_files(inventory: Inventory, rows: Sequence[TagRow], outputs: Outputs, language: str | None) -> None:
    from webarticlecurator.survey.applying.table import write_table
    from webarticlecurator.survey.inventory.page import inventory_page

    if outputs.tsv is not None:
        table = write_table(sorted(rows, key=lambda row: (not row.has_text, not row.is_undecided)))
        _put(outputs.tsv, table, f"{amount(len(rows), 'tag')}, the undecided ones first")
    if outputs.html is not None:
        _put(outputs.html, inventory_page(inventory, write_table(inventory.rows), language=language or ""), "open it in a browser")


def _put(path: Path, text: str, about: str) -> None:
    from webarticlecurator.corpus.folder import write_whole

    if path == STDOUT:
        console.data(text.rstrip("\n"))
        return
    write_whole(path, text.encode())
    console.say(f"Written: {path} ({about})")


def _name(path: Path | None) -> str | None:
    return None if path is None or path == STDOUT else str(path)


# --- the screen ---


def _show(inventory: Inventory, rows: Sequence[TagRow], outputs: Outputs) -> None:
    complete = console.verbosity() is console.Verbosity.VERBOSE
    console.lines("\n".join(pages_read(inventory)))
    if outputs.rows_on_screen or not (outputs.tree or outputs.pairs):
        console.lines("\n".join(overview(inventory, complete=complete)))
    if outputs.rows_on_screen:
        _show_rows(inventory, rows, outputs, complete)
    if outputs.tree:
        for layout, roots in inventory.trees.items():
            title = f"Content tree of the layout {layout}" if layout else "Content tree"
            console.data("\n".join(("", title, *tree_lines(roots, depth=outputs.depth, complete=complete))))
    if outputs.pairs:
        limit = outputs.limit or len(inventory.pairs)
        console.data("\nPairs, most words in the inner tag first")
        console.table(lambda _: pairs_table(inventory.pairs[:limit]))
        _say_more(len(inventory.pairs) - limit, "")


def _sections(rows: Sequence[TagRow], outputs: Outputs) -> Iterator[tuple[str, Sequence[TagRow]]]:
    if outputs.everything or outputs.since is not None:
        what = "All tags" if outputs.since is None else f"Tags since {outputs.since}"
        yield f"{what} with text, most words first", [row for row in rows if row.has_text]
        yield f"{what} without text", [row for row in rows if not row.has_text]
        return
    undecided = [row for row in rows if row.is_undecided]
    yield "Undecided, most words at stake first", [row for row in undecided if row.has_text]
    yield "Undecided, without text", [row for row in undecided if not row.has_text]
    doubtful = [row for row in rows if row.suggestion is not None and not row.is_undecided]
    yield "Decided by no rule of yours, but something else is likelier", doubtful


def _show_rows(inventory: Inventory, rows: Sequence[TagRow], outputs: Outputs, complete: bool) -> None:
    sections = [(title, some) for title, some in _sections(rows, outputs) if some]
    for title, some in sections:
        shown = some[: outputs.limit or len(some)]
        console.data(f"\n{title}")
        console.table(partial(rows_table, shown, complete=complete))
        _say_more(len(some) - len(shown), f" with {amount(sum(row.words for row in some[len(shown) :]), 'word')}")
    if not sections:
        console.data(f"\n{_nothing(inventory, outputs)}")


def _nothing(inventory: Inventory, outputs: Outputs) -> str:
    """What it means that there is no row."""
    if not inventory.pages:
        return "No stored page has an article's container."
    if outputs.since is None:
        return f"Every tag{_of_which(inventory)} is decided by a rule."
    undated = " or without a year" if any(row.first_year is None for row in inventory.rows) else ""
    return f"Every tag{_of_which(inventory)} stands on a page from before {outputs.since}{undated}."


def _of_which(inventory: Inventory) -> str:
    """A sample proves nothing of the other pages."""
    return "" if inventory.is_of_all_pages else " on these pages"


def _say_more(left: int, about: str) -> None:
    if left > 0:
        console.data(f"... {left:,} more{about} (--limit 0 shows all)")


# --- sentences ---


def overview(inventory: Inventory, *, complete: bool) -> list[str]:
    """How little is left to decide, and how much of each year is decided."""
    return [
        "",
        *_reduction(inventory.reduction),
        *(["", "Decided by a rule, per year", *_coverage(inventory.coverage, complete=complete)] if inventory.coverage else []),
    ]


def pages_read(inventory: Inventory) -> Iterator[str]:
    """What was read, and what this inventory does not show."""
    years = [one["year"] for one in inventory.coverage if one["year"] is not None]
    span = f", {_span(min(years), max(years))}" if years else ""
    of = (f"{inventory.pages:,} of " if inventory.pages < inventory.of_pages else "") + amount(inventory.of_pages, "article page")
    yield f"{inventory.portal}: {of} read{span}"
    if inventory.passed_over:
        parts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(inventory.passed_over.items()))
        yield f"  Passed over: {parts}"
    yield from (f"  {note}" for note in inventory.notes)


def _reduction(one: Mapping[str, int]) -> Iterator[str]:
    counts = (
        (one["tags"], "different tags"),
        (one["with_text"], "with text"),
        (one["simplified"], "simplified"),
        (one["undecided"], "still undecided"),
    )
    of = max(one["tags"], 1)
    yield from console.aligned([(f"{count:,}", f"{count / of:>6.1%}", meaning) for count, meaning in counts])


def _coverage(years: Sequence[JsonRow], *, complete: bool) -> Iterator[str]:
    marked = [one for one in years if one["layout_change"]]
    shown = years if complete or len(years) <= _YEARS else sorted({*years[-_YEARS:], *marked}, key=years.index)
    rows = [("year", "pages", "words", "elements", "")]
    for one in shown:
        mark = "layout change?" if one["layout_change"] else ""
        year = "none" if one["year"] is None else str(one["year"])
        rows.append((year, f"{one['pages']:,}", f"{one['word_share']:6.1%}", f"{one['element_share']:6.1%}", mark))
    yield from console.aligned(rows, headed=True)
    if len(shown) < len(years):
        yield f"  and {amount(len(years) - len(shown), 'more year')} (--verbose shows all)"


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


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
    if inventory.reduction["undecided"]:
        write, apply = f"curator tags {typed.tags} --tsv tags.tsv", f"curator tags apply tags.tsv {typed.portal}"
        return f"`{write}`; fill in its column `operation`; then `{apply}`"
    audit = f"`curator audit {typed.audit}` shows what was lost and what should not be there"
    return f"every tag with text{_of_which(inventory)} is decided: {audit}"


# --- tables, as wide as the terminal is ---


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


def pairs_table(pairs: Sequence[JsonRow]) -> Table:
    """A row a pair, written as the selector that a rule for it would have."""
    table = _table()
    table.add_column("words", justify="right", no_wrap=True)
    table.add_column("count", justify="right", no_wrap=True)
    table.add_column("outer > inner", overflow="fold")
    table.add_column("becomes", overflow="fold")
    for pair in pairs:
        between = " > " if pair["adjacent"] else " "
        table.add_row(
            f"{pair['words']:,}", f"{pair['frequency']:,}", _text(f"{pair['outer']}{between}{pair['inner']}"), _text(pair["operation"])
        )
    return table


def tree_lines(roots: Sequence[JsonRow], *, depth: int, complete: bool) -> Iterator[str]:
    """A line an element path: words, count, and the tag, indented; `+` holds others, `-` is a leaf."""
    least = 0.0 if complete else _TREE_SHARE * sum(root["words"] for root in roots)
    yield f"{'words':>11}  {'count':>9}"
    for root in roots:
        yield from _branch(root, 0, depth, least, complete)


def _branch(node: JsonRow, level: int, depth: int, least: float, complete: bool) -> Iterator[str]:
    indent = "  " * level
    mark = "-" if node["leaf"] else "+"
    fate = (node["operation"] or Decider.NOBODY) if level or node["decided_by"] == Decider.POSTS else "the container"
    yield f"{node['words']:>11,}  {node['frequency']:>9,}  {indent}{mark} {_plain(node['tag'])}  {fate}"
    told = [number for number, child in enumerate(node["children"]) if complete or _is_large_enough(child, node, least)]
    shown = frozenset(() if level + 1 >= depth else told if complete else told[:_TREE_CHILDREN])
    more, words = node["more"], node["more_words"]
    for number, child in enumerate(node["children"]):
        if number in shown:
            yield from _branch(child, level + 1, depth, least, complete)
        else:
            more, words = more + 1, words + child["words"]
    if more:
        yield f"{'':>24}{indent}  ... {more:,} more, {amount(words, 'word')}"


def _is_large_enough(child: JsonRow, parent: JsonRow, least: float) -> bool:
    return bool(child["words"] >= least if child["words"] else child["frequency"] >= _TREE_FREQUENCY * parent["frequency"])


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


def _table() -> Table:
    from rich.table import Table

    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")


def _text(words: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(_plain(words), style=style)


def _plain(words: str) -> str:
    """On one line, and nothing in it that a terminal would obey."""
    return console.printable(" ".join(words.split()))
