"""`curator portals`: what came with the program, by country, language and name."""

from __future__ import annotations

import shlex
from typing import Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, argument, command
from webarticlecurator.cli.process import ExitCode

_WIDEST = 40
"""Letters of a title, or a statement, that are shown."""


@command(portals="none", corpus=False)
def portals(
    call: Call,
    words: Annotated[
        list[str] | None, argument("WORD", "In a name, a title, a country, or a language (de, sv).")
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator portals                  all portals by country, and the presets
      curator portals austria          those of one country
      curator portals de zeitung       in German, with "zeitung" in name or title
      curator portals --json           all that is known of each, for programs

    List the portals and presets that came with curator. Each name stands for a portal file: `curator crawl NAME`,
    `curator new NAME` to copy it, `extends: NAME`. "since" is the first day of archives by date; "known" says from where
    and when the file knows what it says. With several WORDs, each must fit. The exit code is 1 when nothing fits.
    """
    from webarticlecurator.config.shipped import shipped

    fitting = [item for item in shipped() if all(item.has(word) for word in words or ())]
    shown = [item for item in fitting if item.country or item.lists]
    presets = [item for item in fitting if not item.lists]
    lines = console.aligned(
        [
            (
                item.country,
                item.name,
                item.title[:_WIDEST],
                " ".join(item.languages),
                ", ".join(item.lists),
                item.since and f"since {item.since[:7]}",
                " ".join(filter(None, (item.known, item.date))),
                item.rights[:_WIDEST],
            )
            for item in shown
        ]
    )
    of_presets = console.aligned([("preset", item.name, item.title) for item in presets])
    call.tell([item._asdict() for item in fitting], [*lines, *of_presets])
    console.say(f"{amount(len(shown), 'portal')}, {amount(len(presets), 'preset')}")
    situation = "some" if shown else ("presets" if presets else "none")
    call.next("portals", situation, typed=shlex.quote(fitting[0].name) if fitting else "")
    return ExitCode.OK if fitting else ExitCode.FAILURES
