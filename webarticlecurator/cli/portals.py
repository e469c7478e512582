"""`curator portals`: what came with the program, by country, language and name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command, option
from webarticlecurator.cli.process import ExitCode

if TYPE_CHECKING:
    from webarticlecurator.config.shipped import ShippedPortal

_WIDEST = 60
"""Letters of a title, or a statement, that are shown."""
_HEADINGS = ("country", "name", "title", "language", "lists", "since", "known", "rights")


@command(portals="none", corpus=False, json="Print one JSON array, an object for each.")
def portals(
    call: Call,
    words: Annotated[
        tuple[str, ...],
        argument("WORD", "A country, a language, an address; or how a word of a name or title begins."),
    ] = (),
    names: Annotated[bool, option("--names", "Print nothing but the names of portals, one a line.")] = False,
) -> ExitCode:
    """
    \b
    Examples:
      curator portals                  all portals by country, and the presets
      curator portals austria          those of one country; Österreich and at say the same
      curator portals german zeitung   in German, with a word in name or title that begins with "zeitung"
      curator portals derstandard.at   that of an address
      curator portals --json           all that is known of each, for programs
      curator crawl $(curator portals austria --names) --limit 20      several at once

    List the portals and presets that came with curator. Each name stands for a portal file: `curator crawl
    NAME`, `curator new NAME` to copy it, `extends: NAME`. "since" is the first month of archives by date,
    "known" from where, and since when, the file knows what it says. Countries and languages may be named by a
    code, in English, or as they are called there; the last line says which was understood. Several WORDs must
    all fit. The exit code is 1 when nothing fits.
    """
    from webarticlecurator.config.shipped import fitting

    selection = fitting(words)
    items = selection.portals
    presets = [item.name for item in items if not item.country]
    if names:
        of_portals = [item.name for item in items if item.country]
        call.tell(of_portals, of_portals)
    else:
        call.tell([item._asdict() for item in items], _table(items))
    meant = "".join(f"; {word}: {meaning}" for word, meaning in selection.meanings.items())
    console.say(f"{amount(len(items) - len(presets), 'portal')}, {amount(len(presets), 'preset')}{meant}")
    if not items:
        near = " or ".join(selection.near)
        call.next("portals", "near" if near else "none", near=near)
        return ExitCode.FAILURES
    first = items[0]
    if first.country:
        call.next("portals", "some", typed=first.name, column=first.columns[0])
    else:
        call.next("portals", "presets", typed=first.name)
    return ExitCode.OK


def _table(items: Sequence[ShippedPortal]) -> list[str]:
    """Return lines with headings; without the columns in which nothing would stand."""
    columns = zip(_HEADINGS, *map(_row, items), strict=True)
    kept = [column for column in columns if any(column[1:])]
    return console.aligned([*zip(*kept, strict=True)])


def _row(item: ShippedPortal) -> tuple[str, ...]:
    """Return what is shown of a portal or preset, in the order of the headings."""
    return (
        item.country or "preset",
        item.name,
        item.title[:_WIDEST],
        " ".join(item.languages),
        ", ".join(item.lists),
        item.since[:7],
        f"{item.known} {item.date}".rstrip(),
        item.rights[:_WIDEST],
    )
