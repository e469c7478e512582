"""`curator check`: every mistake in a portal file, the file as it takes effect, or (`--detect`) what a site is made with."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from webarticlecurator import resources
from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, Contact, as_warning, command, option
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.errors import Mistake, PortalFileError, UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.extraction.site_software import Detected
    from webarticlecurator.learning.site.scripts_needed import Shown
    from webarticlecurator.site_detection import SiteReport

_MOST_HOSTS = 3
_CERTAINTY = ((0.97, "certain"), (0.8, "very likely"), (0.5, "likely"), (0.0, "perhaps"))
_SIGNS = 8


@command(portals="any", corpus=False, json="Print one JSON object per portal.")
def check(
    call: Call,
    show: Annotated[bool, option("--show", "Print the effective file, with presets merged.")] = False,
    schema: Annotated[bool, option("--schema", "Print where the JSON Schema lies, for your editor.")] = False,
    fetch: Annotated[bool, option("--fetch", "Ask for each column's first archive page, too; say what is odd.")] = False,
    detect: Annotated[str | None, option("--detect", "Say what made this page, and which preset to extend.", "URL|FILE")] = None,
    contact: Contact = None,
) -> ExitCode | None:
    """
    \b
    Examples:
      curator check portal.yaml              find every mistake at once
      curator check portal.yaml --fetch      and what its rules find on the first page of each column
      curator check portal.yaml --show       the file as it takes effect, with presets merged
      curator check *.yaml --json            one JSON object per portal, for programs
      curator check --schema                 where the JSON Schema lies, for your editor
      curator check --detect https://pelda.example/     what made the site, and where it offers its articles
      curator check --detect saved.html      the same of a saved page, or of a WARC file

    Check each PORTAL; only --fetch asks the network. A mistake is printed as file:line:column, with what was
    expected; so is a warning of what is hardly meant. Which secrets and private hosts the file wants is listed, for it may
    come from a stranger. The exit code is 0 when there are no mistakes, 1 when there are (or with --fetch something odd), 2 when
    a file cannot be read. --detect names the software behind a site with the signs that tell it, the preset to extend, and its
    sitemaps, feeds and interfaces; of an address it asks for six pages at most. Where the page has scripts, and the extra `browser`
    is installed, a browser shows it and one article, and what that adds is told: whether the site needs `via: browser`.
    """
    if detect is not None:  # an address is asked for, politely; a file is read
        from webarticlecurator.cli.page_sources import live_pages
        from webarticlecurator.fetch.browser.engine import missing
        from webarticlecurator.site_detection import look_at_file, look_at_site
        from webarticlecurator.urls import is_http

        if is_http(detect):
            no_browser = missing()
            with live_pages(unknown_portal(detect), contact, command="check", in_browser=no_browser is None) as source:
                report = look_at_site(detect, source, no_browser=no_browser, say=console.say)
        else:
            report = look_at_file(Path(detect), lambda damage: console.complain(str(damage)))
        system = report.system
        value = {name: getattr(report, name) for name in ("source", "home", "pages")}
        value |= {"system": system.software if system else None, "certainty": round(system.certainty, 4) if system else 0}
        value |= {name: getattr(report, name) for name in ("preset", "systems", "generators", "entrances")}
        value |= {"in_browser": [page.to_dict() for page in report.in_browser], "without_browser": report.without_browser}
        call.tell(value, _detected(report))
        how = "" if is_http(detect) else "--warc " if detect.lower().removesuffix(".gz").endswith((".warc", ".arc")) else "--html "
        call.next("detect", site=how + shlex.quote(detect if how else report.home))
        return None
    if schema:
        console.data(str(resources.schema("portal.schema.json")))
        call.next("check", "schema")
        return None
    if not call.names:
        raise UsageError("Which portal file? Give its path: curator check portal.yaml")
    checked = [_check(call, name, show=show, fetch=fetch, contact=contact) for name in dict.fromkeys(call.names)]
    code = first_of(*((code, True) for code, _ in checked))
    if code is ExitCode.OK and (first := checked[0][1]) is not None:
        call.next("check", "fetched" if fetch else "archive" if first.columns else "no archive")
    return code


def _check(call: Call, name: str, *, show: bool, fetch: bool, contact: str | None) -> tuple[ExitCode, Portal | None]:
    """The portal is there when its file has no mistakes."""
    from webarticlecurator.config.load import load_portal

    try:
        portal = load_portal(name)
    except PortalFileError as error:
        value = {"portal": name, "ok": False, "mistakes": error.mistakes, "warnings": error.warnings}
        call.tell(value, [*map(str, error.mistakes), *map(as_warning, error.warnings)])
        console.say(f"{name}: {amount(len(error.mistakes), 'mistake')}{_counted(error.warnings)}. Mend and check again.")
        return ExitCode.FAILURES, None
    except UsageError as error:
        call.tell({"portal": name, "ok": False, "error": str(error), "mistakes": [], "warnings": []}, ())
        console.complain(str(error))
        return ExitCode.USAGE, None
    heads, are_well = _heads(call, portal, contact) if fetch else ([], True)
    secrets, private = list(_secrets(portal)), portal.fetch.private_hosts
    code = ExitCode.OK if are_well else ExitCode.FAILURES
    if call.as_json:
        value = {"portal": name, "ok": True, "mistakes": [], "warnings": portal.warnings}
        value |= {"secrets": [{"name": secret, "use": use} for secret, use in secrets], "private_hosts": private}
        value |= {"name": portal.name, "columns": [column.name for column in portal.columns]}
        console.data_json(value | ({"effective": portal.effective} if show else {}) | ({"heads": heads} if fetch else {}))
        return code, portal
    for line in (
        *map(as_warning, portal.warnings),
        *(f"secret: {secret}, {use}" for secret, use in secrets),
        *(f"private host: {host} (no mistake: the file names it, so its address may be one of your own network)" for host in private),
    ):
        (console.complain if show else console.data)(line)
    if show:
        console.data(f"# {name}\n{portal.effective.rstrip()}")
    else:
        count = len(portal.columns)
        ways = f"{count} ways to the same articles" if count > 1 and portal.columns[0].ways else amount(count, "column")
        archive = ways if count else "no archive (import and build only)"
        console.say(f"{name}: {portal.title}, {archive}, no mistakes{_counted(portal.warnings)}")
    return code, portal


def _counted(warnings: tuple[Mistake, ...]) -> str:
    return f", {amount(len(warnings), 'warning')}" if warnings else ""


def _heads(call: Call, portal: Portal, contact: str | None) -> tuple[list[dict[str, Any]], bool]:
    """The first page of each column, told as they come, and whether all are well; of several ways to the same articles, one."""
    from webarticlecurator.cli.page_sources import live_pages
    from webarticlecurator.cli.try_ import head_in_words
    from webarticlecurator.trial import is_well, look_at_heads

    lines = []
    with live_pages(portal, contact, command="check") as source:
        for line in look_at_heads(portal, source, datetime.now(UTC)):
            lines.append(line)
            if not call.as_json:
                console.data("\n".join([f"column {line['column']}", *head_in_words(line)]))
    ways = {column.name for column in portal.columns if column.ways}
    well = {line["column"]: is_well(line) for line in lines}
    are_well = all(is_right for name, is_right in well.items() if name not in ways) and (not ways or any(well.get(name) for name in ways))
    return lines, are_well


def _secrets(portal: Portal) -> Iterator[tuple[str, str]]:
    """What the file wants of this machine, and what is done with it: files come from strangers."""
    hosts = sorted(portal.hosts)
    own = f"the portal's hosts ({', '.join(hosts[:_MOST_HOSTS])}{', ...' if len(hosts) > _MOST_HOSTS else ''})"
    for name, value in portal.fetch.headers.items():
        if not isinstance(value, str):
            yield value.env, f"sent as header {name} to {own}"
    if portal.fetch.cookies_file is not None:
        yield portal.fetch.cookies_file.name, "whose cookies are sent to the hosts that they belong to"
    if portal.fetch.proxy is not None and not isinstance(portal.fetch.proxy, str):
        yield portal.fetch.proxy.env, "the proxy that every request goes through"


def unknown_portal(url: str) -> Portal:
    """What is asked of a site before it has a portal file: by the rules that hold where a file says nothing."""
    from webarticlecurator.config import scalars
    from webarticlecurator.config.fetch_rules import read_fetch
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.config.scalars import NodeCompiler
    from webarticlecurator.urls import bare_host

    try:
        scalars.web_address(url)
    except ValueError as error:
        raise UsageError(str(error)) from None
    rules = read_fetch(NodeCompiler(), None, [url])
    return Portal(name="site", title="site", home=url, fetch=rules, hosts=frozenset({bare_host(url)}))


def _detected(report: SiteReport) -> Iterator[str]:
    from webarticlecurator.model.links import BEHIND_HASH

    if report.system is None:
        generators = f"; it says of itself: {', '.join(report.generators)}" if report.generators else ""
        yield f"{report.source}: no software that is known here shows its signs{generators}"
    else:
        yield from _software(f"{report.source}: ", report.system)
    for other in report.systems:
        if other != report.system:
            yield from _software("\nBeside it: ", other)
    entrances = [(entrance.kind, entrance.url, entrance.state, f"({entrance.told_by})") for entrance in report.entrances]
    yield from console.listed("\nWhere programs find its articles", console.aligned(entrances))
    if report.without_browser is not None:
        yield f"\nNot looked at in a browser: {report.without_browser}"
    if report.in_browser:  # what plain HTTP gives against what the browser shows, and the lines that follow from it
        first, rule = report.in_browser[0], report.browser_rule
        yield f"\nWhat a browser shows beside what is sent ({first.browser}; outside of menus)"
        yield from console.aligned([(page.url, _shown(page.sent), "->", _shown(page.rendered)) for page in report.in_browser])
        if new := first.new_links:
            yield f"  {amount(len(new), 'link is', 'links are')} only in the browser, such as {new[0]}"
        elif behind := first.rendered.routes:
            yield f"  {amount(len(behind), 'link leads', 'links lead')} {BEHIND_HASH}, such as {behind[0]}"
        yield f"  It needs a browser: `{rule}` (docs/how-to/kinds-of-portals.md)" if rule is not None else "  It needs no browser."
    if report.preset is not None:
        least = " (of what any site may have: all of it is read, which is no proof that all articles are listed)"
        yield f"\nWhat its portal file may extend{'' if report.system else least}\n  extends: {report.preset}"


def _software(title: str, system: Detected) -> Iterator[str]:
    """Its name, how sure that is, and the signs that tell it."""
    certainty = next(word for least, word in _CERTAINTY if system.certainty >= least)
    variant = f", {system.variant}" if system.variant else ""
    yield f"{title}{system.software}{variant}: {certainty} ({min(99.9, 100 * system.certainty):.1f} %)"
    rows = [(f"{sign.weight:.2f}", sign.sign.partition(" ")[0], sign.found, sign.page) for sign in system.evidence[:_SIGNS]]
    yield from console.aligned(rows)
    yield from console.more(len(system.evidence) - _SIGNS, "--json shows all", " signs")


def _shown(shown: Shown) -> str:
    return f"words: {shown.words:,}, links: {len(shown.links):,}"
