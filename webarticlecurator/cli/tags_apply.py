"""`curator tags apply`: the operations that a person filled into the table of tags become rules of the portal file."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, command, difference, option
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.survey.applying.application import Applied

_PORTAL = Path("portal.yaml")
_TABLES = frozenset({".tsv", ".csv", ".tab", ".txt"})
_TELL_FROM = 3_000
"""Rows from which on it may take more than two seconds."""
_MOST_LISTED = 20


@command(portals="none", corpus=False, json=None)
def apply(
    call: Call,
    table: Annotated[
        str,
        typer.Argument(metavar="TABLE.tsv", help="What `curator tags --tsv` wrote, with operations filled in; or a tag table of HTML2TEI."),
    ],
    portal: Annotated[
        str | None, typer.Argument(metavar="[PORTAL]", help="The portal file.  [default: ./portal.yaml, else the one beside the table]")
    ] = None,
    dry_run: Annotated[bool, option("--dry-run", "Print the difference, write nothing.")] = False,
    agreement: Annotated[
        float, option("--agreement", "Of the elements, so many decided as the table says are enough.", "SHARE", min=0.5, max=1)
    ] = 1.0,
) -> None:
    """
    \b
    Examples:
      curator tags apply tags.tsv portal.yaml                      the table's operations become rules
      curator tags apply tags.tsv portal.yaml --dry-run            the difference first
      curator tags apply tags.tsv --agreement 0.99                 fewer rules: what is rare is left
      curator tags portal.yaml --tsv tags.tsv                      where the table comes from

    Merge the operations of a table into the tag dictionary of PORTAL, as the fewest rules that decide every row as it says;
    a row without an operation stays as it is. Comments and the order of the file are kept; a rule that the table contradicts
    moves. Unknown operations and rows that contradict one another are told with their rows, and then nothing is written.
    """
    from webarticlecurator.survey.applying.application import apply_table
    from webarticlecurator.survey.applying.table import read_table

    table_file, portal_file = _told_apart(table, portal)
    rows = read_table(table_file)
    if len(rows.rows) >= _TELL_FROM:
        console.say(f"{amount(len(rows.rows), 'row')}: looking for the fewest rules ...")
    applied = apply_table(rows, portal_file, agreement=agreement)
    if dry_run:
        before, after = (content.decode("utf-8-sig") for content in (applied.before, applied.after))
        if changed := difference(before, after, str(applied.path), f"{applied.path} (new)"):
            console.data(changed)
    elif applied.changes:
        applied.write()
    _report(applied, dry_run=dry_run, share=agreement)
    situation = "dry run" if dry_run and applied.changes else "applied"
    call.next("tags apply", situation, table=shlex.quote(str(table_file)), portal=shlex.quote(portal_file))


def refuse_late_apply(words: Sequence[str]) -> None:
    """`curator tags portal.yaml apply tags.tsv`: the words are right, their order is not."""
    if any(word == "apply" and not before.startswith("-") for before, word in pairwise(words)):
        others = [word for word in words if word != "apply"]
        table = next((word for word in others if _is_table(word)), None)
        named = [*([table] if table else []), *(word for word in others if word is not table)]
        raise UsageError(f"`apply` comes first, then the table, then the portal: curator tags apply {shlex.join(named)}")


def refuse_table(portal: str) -> None:
    """`curator tags tags.tsv`: a table where the portal should be."""
    if _is_table(portal):
        raise UsageError(f"{portal} is a table, not a portal file. To apply it: curator tags apply {shlex.quote(portal)} PORTAL")


def _told_apart(first: str, second: str | None) -> tuple[Path, str]:
    """The table and the portal, in whichever order they came."""
    if second is not None and (_is_table(second) or _is_portal(first)) and not (_is_table(first) or _is_portal(second)):
        first, second = second, first
    table = Path(first)
    if _is_portal(first):
        raise UsageError(f"Which table? {first} is a portal file: curator tags apply TABLE.tsv {shlex.quote(second or first)}")
    if second is not None and _is_table(second):
        raise UsageError(f"Which portal? {first} and {second} are both tables: curator tags apply {shlex.quote(first)} PORTAL")
    if second is not None:
        return table, second
    found = next((path for path in (_PORTAL, table.parent / _PORTAL) if path.is_file()), None)
    if found is None:
        raise UsageError(f"Which portal? There is no portal.yaml here nor beside the table: curator tags apply {shlex.quote(first)} PORTAL")
    return table, str(found)


def _is_table(name: str) -> bool:
    return Path(name).suffix.lower() in _TABLES


def _is_portal(name: str) -> bool:
    return Path(name).suffix.lower() in (".yaml", ".yml")


def _report(applied: Applied, *, dry_run: bool, share: float) -> None:
    name = applied.path.name
    console.say(f"{amount(applied.rows, 'row')} read, {applied.edited:,} of them edited")
    if not applied.changes:
        console.say(f"  {name} needs no change: its rules decide every row so already")
    else:
        counts = {"added": applied.added, "moved": applied.moved, "removed": applied.removed}
        rules = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
        changed = applied.added + applied.moved + applied.removed
        a_rule = f" ({applied.edited / changed:.1f} edited rows a rule)" if applied.edited > changed else ""
        console.say(f"  {'would change' if dry_run else 'changed'} {name}: rules {rules}{a_rule}")
    if applied.moved or applied.removed:
        changed = applied.moved + applied.removed
        rules = amount(changed, "existing rule is", "existing rules are")
        console.say(f"  {rules} changed: tags that are not in the table may be decided otherwise, too")
    if share < 1:
        console.say(f"  {100 * applied.agreement:.2f} % of the elements are decided as the table says")
    left = []
    for row, becomes in applied.left:
        where = f" where {row.where}" if row.where else ""
        left.append(f"    row {row.line}: {row.tag.text}{where} is {becomes}, not {row.decision} ({row.frequency:,})")
    for line in console.listed("  decided otherwise, the most frequent first:", left, _MOST_LISTED):
        console.say(line)
