"""`curator portals`: what came with the program, by country, language and name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command
from webarticlecurator.cli.process import ExitCode

if TYPE_CHECKING:
    from webarticlecurator.config.shipped import ShippedPortal

_WIDEST = 60
"""Letters of a title, or a statement, that are shown."""


@command(portals="none", corpus=False, json="Print one JSON array, an object for each.")
def portals(
    call: Call,
    words: Annotated[
        list[str] | None,
        argument(
            "WORD",
            "In a name, a title or a country; a language (danish, dansk); or a code of either (da, uk).",
        ),
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator portals                  all portals by country, and the presets
      curator portals austria          those of one country
      curator portals de zeitung       in German, with "zeitung" in name or title
      curator portals --json           all that is known of each, for programs

    List the portals and presets that came with curator. Each name stands for a portal file: `curator crawl
    NAME`, `curator new NAME` to copy it, `extends: NAME`. "since" is the first day of archives by date; then
    follows from where, and since when, the file knows what it says, and which rights are claimed. Several
    WORDs must all fit. The exit code is 1 when nothing fits.
    """
    from webarticlecurator.config.shipped import fitting

    items = fitting(words or ())
    call.tell([item._asdict() for item in items], console.aligned([*map(_row, items)]))
    presets = [item.name for item in items if not item.country]
    console.say(f"{amount(len(items) - len(presets), 'portal')}, {amount(len(presets), 'preset')}")
    if not items:
        call.next("portals", "none")
        return ExitCode.FAILURES
    first = items[0]
    if first.country:
        call.next("portals", "some", typed=first.name, column=first.columns[0])
    else:
        call.next("portals", "presets", typed=first.name)
    return ExitCode.OK


def _row(item: ShippedPortal) -> tuple[str, ...]:
    """Return what is shown of a portal or preset."""
    return (
        item.country or "preset",
        item.name,
        item.title[:_WIDEST],
        " ".join(item.languages),
        ", ".join(item.lists),
        item.since and f"since {item.since[:7]}",
        f"{item.known} {item.date}".rstrip(),
        item.rights[:_WIDEST],
    )
