"""`curator check`: every mistake in a portal file, or the file as it takes effect."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator import resources
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.exit_codes import ExitCode, first_of
from webarticlecurator.errors import PortalFileError, UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal


def check(
    portal: Annotated[
        list[str] | None,
        typer.Argument(metavar="PORTAL", help="Portal files, or names of portals that came with curator.", show_default=False),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the effective file, with presets merged.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print where the JSON Schema lies, for your editor.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per portal.")] = False,
) -> None:
    """
    \b
    Examples:
      curator check portal.yaml              find every mistake at once
      curator check portal.yaml --show       the file as it takes effect, with presets merged
      curator check *.yaml --json            one JSON object per portal, for programs
      curator check --schema                 where the JSON Schema lies, for your editor

    Check each PORTAL without asking the network for anything. A mistake is printed as file:line:column, with what was
    expected. The exit code is 0 when all is well, 1 when there are mistakes, 2 when a file cannot be read.
    """
    if schema:
        console.data(str(resources.schema("portal.schema.json")))
        console.say("Next: name it in your editor's settings for YAML; `curator check PORTAL` checks a file by it, and by more.")
        return
    if not portal:
        raise UsageError("Which portal file? Give its path: curator check portal.yaml")
    code = first_of([_check(name, show=show, as_json=as_json) for name in portal])
    if code is not ExitCode.OK:
        raise typer.Exit(code)
    console.say(f"  Next: {_next_step(portal[0])}")


def _check(name: str, *, show: bool, as_json: bool) -> ExitCode:
    from webarticlecurator.config.load import load_portal

    try:
        portal = load_portal(name)
    except PortalFileError as error:
        _report_mistakes(name, error, as_json=as_json)
        return ExitCode.FAILURES
    except UsageError as error:
        if as_json:
            console.data_json({"portal": name, "ok": False, "error": str(error), "mistakes": []})
        console.complain(str(error))
        return ExitCode.USAGE
    if as_json:
        console.data_json(_as_data(name, portal, show=show))
    elif show:
        console.data(f"# {name}\n{portal.effective.rstrip()}")
    else:
        console.say(f"{name}: {portal.title}, {_columns(portal)}, no mistakes")
    return ExitCode.OK


def _next_step(name: str) -> str:
    """A look at the first archive page, before all of them are asked for."""
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.crawling.agenda import first_urls

    typed = arguments.as_typed(name, None)
    url = next(first_urls(load_portal(name), datetime.now(UTC)), None)
    if url is None:
        return f"`curator warc import {typed} FILES` takes pages into a corpus"
    return f"`curator try {typed} {shlex.quote(url)} --fetch` looks at the first archive page; `curator crawl {typed}` gets all of them"


def _report_mistakes(name: str, error: PortalFileError, *, as_json: bool) -> None:
    if as_json:
        console.data_json({"portal": name, "ok": False, "mistakes": error.mistakes})
        return
    for mistake in error.mistakes:
        console.data(str(mistake))
    count = len(error.mistakes)
    console.say(f"{name}: {count} mistake{'' if count == 1 else 's'}. Mend {'it' if count == 1 else 'them'} and check again.")


def _as_data(name: str, portal: Portal, *, show: bool) -> dict[str, object]:
    about: dict[str, object] = {
        "portal": name,
        "ok": True,
        "mistakes": [],
        "name": portal.name,
        "columns": [column.name for column in portal.columns],
    }
    return {**about, "effective": portal.effective} if show else about


def _columns(portal: Portal) -> str:
    count = len(portal.columns)
    if not count:
        return "no archive (import and build only)"
    return "1 column" if count == 1 else f"{count} columns"
