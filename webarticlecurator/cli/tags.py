"""`curator tags`: what a portal's pages are made of, and what is still to be decided; `curator tags apply`:
the decisions."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

from webarticlecurator.amounts import amount, each_number, part, prefixed, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    STDOUT,
    Again,
    Call,
    WarcFiles,
    argument,
    command,
    difference,
    option,
    output_file,
)
from webarticlecurator.cli.page_sources import file_flags, survey_pages
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.databases import Row
from webarticlecurator.errors import refuse
from webarticlecurator.text import squeeze

_SAMPLE = 2_000
"""Pages."""
_ROWS = 25
"""The number of rows that are shown of a list."""
_PORTAL = Path("portal.yaml")


@command(workers=True, json="Print everything as one JSON object.")
def tags(
    call: Call,
    warc: WarcFiles = (),
    sample: Annotated[
        int | None, option("--sample", "Only N pages, some of every year.", "N", least=1)
    ] = None,
    everything: Annotated[
        bool, option("--all", f"Every page, not {_SAMPLE:,}, and also the tags that a rule decides.")
    ] = False,
    again: Again = False,
    pairs: Annotated[
        bool, option("--pairs", "Which tag stands in which, for rules that hold in a context.")
    ] = False,
    html: Annotated[
        Path | None,
        option("--html", "Write everything as one page for a browser.", "FILE", parse=output_file),
    ] = None,
    tsv: Annotated[
        Path | None,
        option("--tsv", "Write the table for `tags apply`; - is stdout.", "FILE", parse=output_file),
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator tags portal.yaml                            what is undecided, most words at stake first
      curator tags portal.yaml --all                      every page and every tag, where 2,000 pages are not enough
      curator tags portal.yaml --html tags.html           everything in one page: search, the tree of all pages, decide
      curator tags portal.yaml --tsv tags.tsv             the same for a spreadsheet; then:
      curator tags apply tags.tsv portal.yaml             the operations filled in there become rules
      curator tags portal.yaml --warc old.warc.gz --json  without a corpus, for programs

    Show which tags the articles of PORTAL are made of, how often, with how much text, which rule decides each, and which no
    rule decides yet, each with a suggestion and what speaks for it. Tags are simplified: numbers and what differs from page to page
    are left out. Of a large corpus, 2,000 pages are read, some of every year, the same at every call.
    """
    from webarticlecurator.survey.inventory.assembling import inventory_of
    from webarticlecurator.survey.inventory.tag_question import TagQuestion

    both = "--json and --tsv - both write to stdout: give the table a file, --tsv tags.tsv."
    refuse((call.as_json and tsv == STDOUT, both))
    portal, most = call.portal, sample or (None if everything else _SAMPLE)
    counts, _, of_pages, complete = survey_pages(
        call, TagQuestion(portal), phase="tags", warcs=warc, sample=most, again=again
    )
    note = (
        f"A sample of {amount(most or 0, 'page')}, some of every year, the same at every call; --all reads "
        "every page."
    )
    with closing(counts):
        inventory = inventory_of(
            counts, portal, of_pages=of_pages, notes=(note,) if most and of_pages > most else ()
        )
    if not complete:
        console.say(f"Interrupted after {amount(inventory.pages, 'page')}: the inventory is of these.")
    _write_files(inventory, tsv, html, portal.language or "")
    if tsv != STDOUT:
        shows_tags = everything or not (pairs or html or tsv)
        call.tell(
            inventory, list(_in_words(inventory, everything=everything, shows_tags=shows_tags, pairs=pairs))
        )
    call.next(
        "tags",
        _situation(inventory, tsv, html),
        portal=shlex.quote(call.names[0]),
        **_names(inventory, warc, tsv, html),
    )
    return ExitCode.OK if complete else ExitCode.INCOMPLETE


def _in_words(inventory: Row, *, everything: bool, shows_tags: bool, pairs: bool) -> Iterator[str]:
    yield from _overview(inventory)
    if shows_tags:
        yield from _sections(inventory, everything=everything)
    if pairs:
        yield from _pairs(inventory)


def _situation(inventory: Row, tsv: Path | None, html: Path | None) -> str:
    decided = "undecided" if inventory.reduction["undecided"] else "decided"
    situations = {
        "none": not inventory.pages,
        "table": tsv not in (None, STDOUT),
        "page": html is not None,
        decided: True,
    }
    return first_that_holds(situations)


def _names(inventory: Row, warc: Sequence[Path], tsv: Path | None, html: Path | None) -> dict[str, object]:
    """Return what the sentence on the next step names."""
    return {
        "pages": file_flags("--warc", warc),
        "of_which": _of_which(inventory),
        "table": shlex.quote(str(tsv)),
        "file": html,
    }


def _write_files(inventory: Row, tsv: Path | None, html: Path | None, language: str) -> None:
    """Write the table for a spreadsheet, and the page for a browser, as far as they are asked for."""
    from webarticlecurator.survey.tag_table import write_table

    if tsv is not None:
        table = write_table(
            sorted(inventory.rows, key=lambda row: (not row.words, row.operation is not None))
        )
        _put(tsv, table, f"{amount(len(inventory.rows), 'tag')}, the undecided ones first")
    if html is not None:
        from webarticlecurator.survey.inventory.inventory_page import inventory_page

        _put(
            html,
            inventory_page(inventory, write_table(inventory.rows), language=language),
            "open it in a browser",
        )


def _put(path: Path, text: str, about: str) -> None:
    from webarticlecurator.corpus.folder import write_whole

    if path == STDOUT:
        console.data(text.rstrip("\n"))
        return
    write_whole(path, text.encode())
    console.say(f"Written: {path} ({about})")


def _of_which(inventory: Row) -> str:
    """A sample proves nothing of the other pages."""
    looked_at = inventory.pages + sum(inventory.passed_over.values())
    return text_if(looked_at < inventory.of_pages, " on these pages")


def _overview(inventory: Row) -> list[str]:
    """Return what was read, how little is left to decide, and how much of each year is decided."""
    years = sorted({row.year for row in inventory.coverage if row.year is not None})
    span = part(", {}", "-".join(map(str, dict.fromkeys([*years[:1], *years[-1:]]))))
    of = text_if(inventory.pages < inventory.of_pages, f"{inventory.pages:,} of ")
    read = f"{of}{amount(inventory.of_pages, 'article page')} read{span}"
    passed = ", ".join(each_number(dict(sorted(inventory.passed_over.items()))))
    lines = those_that_hold((True, f"{inventory.portal}: {read}"), (passed, f"  Passed over: {passed}"))
    lines += prefixed("  ", inventory.notes)
    tags = inventory.reduction
    empty = sum(row.operation is None and not row.words for row in inventory.rows)
    without = part("; {:,} more without text", empty)
    rows = [
        {**row, "words": f"{row.word_share:.1%}", "elements": f"{row.element_share:.1%}"}
        for row in reversed(inventory.coverage)
    ]
    lines += [
        "",
        f"  {amount(tags.simplified, 'tag')} with text, {tags.undecided:,} of them undecided{without}",
    ]
    return lines + console.table("\nDecided by a rule, per year", rows, "year pages words elements", 12)


def _pairs(inventory: Row) -> list[str]:
    """List which tag stands in which, each pair as the selector that a rule for it would have."""
    of_pairs = ((row, f"{row.outer}{' > ' if row.adjacent else ' '}{row.inner}") for row in inventory.pairs)
    rows = [{**row, "tag": selector, "becomes": row.operation} for row, selector in of_pairs]
    return console.table(
        "\nPairs, most words in the inner tag first", rows, "words frequency tag becomes", _ROWS
    )


_ALL_TAGS: Mapping[str, Callable[[Row], object]] = {
    "All tags with text, most words first": lambda row: row.words,
    "All tags without text": lambda row: not row.words,
}
_TAGS_TO_DECIDE: Mapping[str, Callable[[Row], object]] = {
    "Undecided, most words at stake first": lambda row: row.operation is None and row.words,
    "Undecided, without text": lambda row: row.operation is None and not row.words,
    "Decided by no rule of yours, but something else is likelier": lambda row: (
        row.suggestion and row.operation
    ),
}
"""The headings, each with a test for the rows below it."""


def _sections(inventory: Row, *, everything: bool) -> Iterator[str]:
    """Yield the tags below their headings: everything, or those that want a decision."""
    is_empty = True
    for title, belongs in (_ALL_TAGS if everything else _TAGS_TO_DECIDE).items():
        rows = list(filter(belongs, inventory.rows))
        is_empty = is_empty and not rows
        yield from _section(title, rows)
    if is_empty:
        nothing = f"Every tag{_of_which(inventory)} is decided by a rule."
        yield from ("", nothing if inventory.pages else "No stored page has an article's container.")


def _section(title: str, rows: Sequence[Row]) -> Iterator[str]:
    """Show each tag with its figures, and below them the rule that decides it, or a suggestion."""
    if not rows:
        return
    shown = rows if console.is_verbose() else rows[:_ROWS]
    yield from ("", title, f"{'words':>11}  {'count':>9}  {'pages':>7}  {'years':>9}  tag")
    for row in shown:
        of_years = text_if(row["from"] is not None, f"{row['from']}-{row.to}")
        yield f"{row.words:>11,}  {row.frequency:>9,}  {row.pages:>7,}  {of_years:>9}  {squeeze(row.tag)}"
        yield from (f"{'':13}{squeeze(line)}" for line in _about(row))
    words = amount(sum(row.words for row in rows[len(shown) :]), "word")
    yield from console.more(len(rows) - len(shown), what=f" with {words}")


def _about(row: Row) -> Iterator[str]:
    """Give the rule that decides a tag, a suggestion for it, and with `--verbose` all evidence and pages."""
    is_verbose, suggestion = console.is_verbose(), row.suggestion
    if row.operation is not None:
        yield f"{row.operation}, by {row.rule or row.decided_by}"
    if suggestion is not None:
        evidence = suggestion.evidence if is_verbose else suggestion.evidence[:1]
        yield (
            f"{'may be' if row.operation is None else 'rather'} {suggestion.operation}: {'; '.join(evidence)}"
        )
    if is_verbose:
        yield from (example.url for example in row.examples)


@command(portals="none", corpus=False, json=None)
def apply(
    call: Call,
    table: Annotated[
        str,
        argument(
            "TABLE.tsv",
            "What `curator tags --tsv` wrote, with operations filled in; or a tag table of HTML2TEI.",
        ),
    ],
    portal: Annotated[
        str | None,
        argument("PORTAL", "The portal file.  [default: ./portal.yaml, else the one beside the table]"),
    ] = None,
    dry_run: Annotated[bool, option("--dry-run", "Print the difference, write nothing.")] = False,
    agreement: Annotated[
        float,
        option(
            "--agreement",
            "Of the elements, so many decided as the table says are enough.",
            "SHARE",
            least=0.5,
            most=1,
        ),
    ] = 1.0,
) -> None:
    """
    \b
    Examples:
      curator tags apply tags.tsv portal.yaml                      the table's operations become rules
      curator tags apply tags.tsv portal.yaml --dry-run            the difference first
      curator tags apply tags.tsv --agreement 0.99                 fewer rules: what is rare is left
      curator tags portal.yaml --tsv tags.tsv                      where the table comes from

    Merge the operations of a table into the tag dictionary of PORTAL, as few rules, which decide every row as it says;
    a row without an operation stays as it is. Comments and the order of the file are kept; a rule that the table contradicts
    moves. Unknown operations and rows that contradict one another are told with their rows, and then nothing is written.
    """
    from webarticlecurator.config.yaml_edits import replace_file
    from webarticlecurator.survey.table_rules import apply_table
    from webarticlecurator.survey.tag_table import read_table

    table_file = Path(table)
    beside = next((path for path in (_PORTAL, table_file.parent / _PORTAL) if path.is_file()), None)
    which = "Which portal? There is no portal.yaml here nor beside the table"
    refuse(
        (
            portal is None and beside is None,
            f"{which}: curator tags apply {shlex.quote(table)} PORTAL",
        )
    )
    portal_file = portal or str(beside)
    applied = apply_table(read_table(table_file), portal_file, agreement=agreement)
    changes = applied.after != applied.before
    if dry_run:
        if changed := difference(applied.path, applied.before, applied.after):
            console.data(changed)
    elif changes:
        replace_file(applied.path, applied.after)
    _tell_of_rules(applied, dry_run=dry_run)
    situation = "dry run" if dry_run and changes else "applied"
    call.next("tags apply", situation, table=shlex.quote(str(table_file)), portal=shlex.quote(portal_file))


def _tell_of_rules(applied: Row, *, dry_run: bool) -> None:
    """Say how many rules were made, and which rows they decide otherwise."""
    name = applied.path.name
    console.say(f"{amount(applied.rows, 'row')} read, {applied.edited:,} of them edited")
    if applied.after == applied.before:
        console.say(f"  {name} needs no change: its rules decide every row so already")
    else:
        rules = f"{applied.added:,} added, {applied.moved:,} moved, {applied.removed:,} removed"
        console.say(f"  {'would change' if dry_run else 'changed'} {name}: rules {rules}")
    if others := applied.moved + applied.removed:
        rules = amount(others, "existing rule is", "existing rules are")
        console.say(f"  {rules} changed: tags that are not in the table may be decided otherwise, too")
    left = []
    for row, becomes in applied.left:
        where = part(" where {}", row.where)
        left.append(
            f"    row {row.line}: {row.tag.text}{where} is {becomes}, not {row.decision} ({row.frequency:,})"
        )
    console.say(*console.listed("  decided otherwise, the most frequent first:", left, 20))
