"""`curator check`: every mistake in a portal file, or the file as it takes effect."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webarticlecurator import resources
from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.completion import complete_portal
from webarticlecurator.cli.exit_codes import ExitCode, first_of
from webarticlecurator.cli.page_sources import live_pages
from webarticlecurator.cli.try_report import head_in_words
from webarticlecurator.errors import Mistake, PortalFileError, UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

_MOST_HOSTS = 3


def check(
    portal: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PORTAL",
            help="Portal files, or names of portals that came with curator.",
            autocompletion=complete_portal,
            show_default=False,
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the effective file, with presets merged.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print where the JSON Schema lies, for your editor.")] = False,
    fetch: Annotated[bool, typer.Option("--fetch", help="Ask for each column's first archive page, too; say what is odd.")] = False,
    detect: Annotated[
        str | None, typer.Option("--detect", metavar="URL|FILE", help="Say what made this page, and which preset to extend.")
    ] = None,
    contact: arguments.Contact = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per portal.")] = False,
) -> None:
    """
    \b
    Examples:
      curator check portal.yaml              find every mistake at once
      curator check portal.yaml --fetch      and what its rules find on the first page of each column
      curator check portal.yaml --show       the file as it takes effect, with presets merged
      curator check *.yaml --json            one JSON object per portal, for programs
      curator check --schema                 where the JSON Schema lies, for your editor
      curator check --detect https://pelda.example/     what made the site, and the portal file to begin with
      curator check --detect saved.html      the same of a saved page, or of a WARC file

    Check each PORTAL; only --fetch asks the network. A mistake is printed as file:line:column, with what was
    expected; so is a warning of what is hardly meant. Which secrets and private hosts the file wants is listed, for it may
    come from a stranger. The exit code is 0 when there are no mistakes, 1 when there are (or with --fetch something odd), 2 when
    a file cannot be read. --detect names the software behind a site with the signs that tell it, the preset to extend, and its
    sitemaps, feeds and interfaces; of an address it asks for six pages at most. Where the page has scripts, and the extra `browser`
    is installed, a browser shows it and one article, and what that adds is told: whether the site needs `via: browser`.
    """
    if detect is not None:
        from webarticlecurator.cli.detection import detect as detect_site

        detect_site(detect, contact, as_json=as_json)
        return
    if schema:
        console.data(str(resources.schema("portal.schema.json")))
        console.say("Next: name it in your editor's settings for YAML; `curator check PORTAL` checks a file by it, and by more.")
        return
    if not portal:
        raise UsageError("Which portal file? Give its path: curator check portal.yaml")
    told: set[Mistake] = set()
    checked = (_check(name, told, show=show, fetch=fetch, contact=contact, as_json=as_json) for name in dict.fromkeys(portal))
    first_code, first_portal = next(checked)
    code = first_of([first_code, *(code for code, _ in checked)])
    if code is not ExitCode.OK or first_portal is None:
        raise typer.Exit(code)
    console.say(f"  Next: {_next_step(portal[0], first_portal)}")


def _check(name: str, told: set[Mistake], *, show: bool, fetch: bool, contact: str | None, as_json: bool) -> tuple[ExitCode, Portal | None]:
    """The portal is there when its file has no mistakes. `told`: mistakes and warnings of the portals before it, which may share files."""
    from webarticlecurator.config.load import load_portal

    try:
        portal = load_portal(name)
    except PortalFileError as error:
        _report_mistakes(name, error, told, as_json=as_json)
        return ExitCode.FAILURES, None
    except UsageError as error:
        if as_json:
            console.data_json({"portal": name, "ok": False, "error": str(error), "mistakes": [], "warnings": []})
        console.complain(str(error))
        return ExitCode.USAGE, None
    heads: list[dict[str, Any]] = _heads(portal, contact, as_json=as_json) if fetch else []
    code = ExitCode.OK if not heads or _are_well(portal, heads) else ExitCode.FAILURES
    if as_json:
        console.data_json({**_as_data(name, portal, show=show), **({"heads": heads} if fetch else {})})
        return code, portal
    tell = console.complain if show else console.lines
    for line in (*_lines((), portal.warnings, told), *_requirements(portal)):
        tell(line)
    if show:
        console.data(f"# {name}\n{portal.effective.rstrip()}")
    else:
        console.say(f"{name}: {portal.title}, {_columns(portal)}, no mistakes{_counted_warnings(portal.warnings)}")
    return code, portal


def _are_well(portal: Portal, heads: list[dict[str, Any]]) -> bool:
    """Each column is; of several ways to the same articles, one."""
    from webarticlecurator.trial import is_well

    ways = {column.name for column in portal.columns if column.ways}
    well = {line["column"]: is_well(line) for line in heads}
    return all(is_right for name, is_right in well.items() if name not in ways) and (not ways or any(well.get(name) for name in ways))


def _heads(portal: Portal, contact: str | None, *, as_json: bool) -> list[dict[str, Any]]:
    """The first page of each column, told as they come."""
    from webarticlecurator.trial import look_at_heads
    from webarticlecurator.warc.store import utc_now

    lines = []
    with live_pages(portal, contact, command="check") as source:
        for line in look_at_heads(portal, source, utc_now()):
            lines.append(line)
            if not as_json:
                console.lines("\n".join([f"column {line['column']}", *head_in_words(line)]))
    return lines


def _requirements(portal: Portal) -> list[str]:
    """What the file wants of this machine beyond asking the portal: files come from strangers."""
    private = "may have a loopback or private address"
    return [
        *(f"secret: {secret}, {use}" for secret, use in _secrets(portal)),
        *(f"private host: {host} ({private})" for host in portal.fetch.private_hosts),
    ]


def _secrets(portal: Portal) -> Iterator[tuple[str, str]]:
    """Each, and what is done with it."""
    hosts = sorted(portal.hosts)
    own = f"the portal's hosts ({', '.join(hosts[:_MOST_HOSTS])}{', ...' if len(hosts) > _MOST_HOSTS else ''})"
    for name, value in portal.fetch.headers.items():
        if not isinstance(value, str):
            yield value.env, f"sent as header {name} to {own}"
    if portal.fetch.cookies_file is not None:
        yield portal.fetch.cookies_file.name, "whose cookies are sent to the hosts that they belong to"
    if portal.fetch.proxy is not None and not isinstance(portal.fetch.proxy, str):
        yield portal.fetch.proxy.env, "the proxy that every request goes through"


def _next_step(name: str, portal: Portal) -> str:
    """A look at the first archive page, before all of them are asked for."""
    from webarticlecurator.crawling.columns import first_urls

    typed = arguments.as_typed(name, None)
    url = next(first_urls(portal, datetime.now(UTC)), None)
    if url is None:
        return f"`curator warc import {typed} FILES` takes pages into a corpus"
    return f"`curator try {typed} {shlex.quote(url)} --fetch` looks at the first archive page; `curator crawl {typed}` gets all of them"


def _report_mistakes(name: str, error: PortalFileError, told: set[Mistake], *, as_json: bool) -> None:
    if as_json:
        console.data_json({"portal": name, "ok": False, "mistakes": error.mistakes, "warnings": error.warnings})
        return
    lines = _lines(error.mistakes, error.warnings, told)
    if lines:
        console.lines("\n".join(lines))
    count, warnings = len(error.mistakes), _counted_warnings(error.warnings)
    above = count + len(error.warnings) - len(lines)
    known = f", {above} of which {'is' if above == 1 else 'are'} told above" if above else ""
    console.say(
        f"{name}: {count} mistake{'' if count == 1 else 's'}{warnings}{known}. Mend {'it' if count == 1 else 'them'} and check again."
    )


def _lines(mistakes: Sequence[Mistake], warnings: Sequence[Mistake], told: set[Mistake]) -> list[str]:
    """Those that are told for the first time."""
    lines = [str(one) for one in mistakes if one not in told] + [arguments.as_warning(one) for one in warnings if one not in told]
    told.update(mistakes, warnings)
    return lines


def _counted_warnings(warnings: Sequence[Mistake]) -> str:
    return f", {len(warnings)} warning{'' if len(warnings) == 1 else 's'}" if warnings else ""


def _as_data(name: str, portal: Portal, *, show: bool) -> dict[str, object]:
    about: dict[str, object] = {
        "portal": name,
        "ok": True,
        "mistakes": [],
        "warnings": portal.warnings,
        "secrets": [{"name": secret, "use": use} for secret, use in _secrets(portal)],
        "private_hosts": portal.fetch.private_hosts,
        "name": portal.name,
        "columns": [column.name for column in portal.columns],
    }
    return {**about, "effective": portal.effective} if show else about


def _columns(portal: Portal) -> str:
    count = len(portal.columns)
    if count > 1 and portal.columns[0].ways:
        return f"{count} ways to the same articles"
    return "no archive (import and build only)" if not count else amount(count, "column")
