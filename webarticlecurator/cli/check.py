"""`curator check`: every mistake in a portal file, the file as it takes effect, or (`--detect`) what a site
is made with."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from webarticlecurator import resources
from webarticlecurator.amounts import amount, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    Call,
    Contact,
    as_typed,
    as_warning,
    command,
    option,
    with_advice,
)
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.errors import Mistake, PortalFileError, UsageError, refuse
from webarticlecurator.model.capture import Exchange

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

_MOST_HOSTS = 3
_MARKS = {
    (True, True): "",
    (False, True): "NOT AS DESCRIBED: ",
    (False, False): "COULD NOT BE ASKED: ",
}
"""Marks of an answer, by whether it is as described, and whether anything answered."""


@command(portals="any", corpus=False, json="Print one JSON object per portal.")
def check(
    call: Call,
    show: Annotated[bool, option("--show", "Print the effective file, with presets merged.")] = False,
    schema: Annotated[bool, option("--schema", "Print where the JSON Schema lies, for your editor.")] = False,
    fetch: Annotated[
        bool, option("--fetch", "Ask for each column's first archive page, too; say what is odd.")
    ] = False,
    online: Annotated[bool, option("--online", "Ask whether the portal still answers as described.")] = False,
    detect: Annotated[
        str | None,
        option("--detect", "Say what made this page, and where its site lists articles.", "URL|FILE"),
    ] = None,
    contact: Contact = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator check portal.yaml              find every mistake at once
      curator check portal.yaml --fetch      and what its rules find on the first page of each column
      curator check --online telex orf       do these still answer as described? about five requests to a host
      curator check portal.yaml --show       the file as it takes effect, with presets merged
      curator check *.yaml --json            one JSON object per portal, for programs
      curator check --schema                 where the JSON Schema lies, for your editor
      curator check --detect https://pelda.example/     the software behind a site, or a saved page; `curator new` does the rest

    Check each PORTAL; only --fetch and --online ask the network, the second for the home page, robots.txt, a
    sitemap, a feed and a page of a list. A mistake is printed as file:line:column, with what was expected; so is
    a warning of what is hardly meant. Which secrets and private hosts the file wants is listed, for it may come
    from a stranger. The exit code is 0 when there are no mistakes, 1 when there are (or the network shows
    something odd), 2 when a file cannot be read.
    """
    if detect is not None:
        return _detect(call, detect, contact)
    if schema:
        console.data(str(resources.schema("portal.schema.json")))
        call.next("check", "schema")
        return ExitCode.OK
    refuse((not call.names, "Which portal file? Give its path: curator check portal.yaml"))
    checked = [
        _check(call, name, show=show, fetch=fetch, online=online, contact=contact)
        for name in dict.fromkeys(call.names)
    ]
    code = first_of(*((each.code, True) for each in checked))
    first = next(each for each in checked if each.code is code)
    if first.situation:
        call.next("check", first.situation, typed=as_typed(first.name, None))
    return code


class _Checked(NamedTuple):
    """How the check of a file ended."""

    name: str
    code: ExitCode
    situation: str = ""
    """The situation by which the next command is told; empty where its mistakes say it all."""


def _check(call: Call, name: str, *, show: bool, fetch: bool, online: bool, contact: str | None) -> _Checked:
    """Check one file."""
    from webarticlecurator.config.corrections import corrections_file, load_corrections
    from webarticlecurator.config.load import load_portal

    try:
        portal = load_portal(name)
        load_corrections(corrections_file(portal.sources[0].path))
    except PortalFileError as error:
        value = {"portal": name, "ok": False, "mistakes": error.mistakes, "warnings": error.warnings}
        call.tell(value, [*map(str, error.mistakes), *map(as_warning, error.warnings)])
        console.say(
            f"{name}: {amount(len(error.mistakes), 'mistake')}{_counted(error.warnings)}. Mend and check "
            "again."
        )
        return _Checked(name, ExitCode.FAILURES)
    except UsageError as error:
        call.tell({"portal": name, "ok": False, "error": str(error), "mistakes": [], "warnings": []}, ())
        console.complain(with_advice(error, as_typed(name, None)))
        return _Checked(name, ExitCode.USAGE)
    asked, are_well = _asked(call, portal, contact, fetch=fetch, online=online)
    _tell(call, name, portal, asked, show=show)
    if not (show or call.as_json):
        where = text_if(not are_well, " in the file itself")
        mistakes = f"no mistakes{where}{_counted(portal.warnings)}"
        console.say(f"{name}: {portal.title}, {_archive(portal)}, {mistakes}")
    if are_well:
        situations = {"no archive": not portal.columns, "fetched": fetch or online, "archive": True}
        return _Checked(name, ExitCode.OK, first_that_holds(situations))
    answers = asked.get("online", [{"reached": True}])
    is_reached = any(answer["reached"] for answer in answers)
    return _Checked(name, ExitCode.FAILURES, "differs" if is_reached else "silent")


def _tell(call: Call, name: str, portal: Portal, asked: dict[str, Any], *, show: bool) -> None:
    """Tell what a file without mistakes says, and what was asked for."""
    secrets = list(_secrets(portal))
    value = {"portal": name, "ok": True, "mistakes": [], "warnings": portal.warnings}
    value |= {
        "secrets": [{"name": secret, "use": use} for secret, use in secrets],
        "private_hosts": portal.fetch.private_hosts,
    }
    value |= {"name": portal.name, "columns": [column.name for column in portal.columns]}
    words = [*map(as_warning, portal.warnings), *(f"secret: {secret}, {use}" for secret, use in secrets)]
    its_own = "(no mistake: the file names it, so its address may be one of your own network)"
    words += [f"private host: {host} {its_own}" for host in portal.fetch.private_hosts]
    if show:
        if words and not call.as_json:
            console.complain("\n".join(words))
        value["effective"] = portal.effective
        words = [f"# {name}\n{portal.effective.rstrip()}"]
    call.tell({**value, **asked}, words)


def _asked(
    call: Call, portal: Portal, contact: str | None, *, fetch: bool, online: bool
) -> tuple[dict[str, Any], bool]:
    """Return what the network was asked for, by the options, and whether all of it is well."""
    asked, are_well = {}, True
    for name, ask in those_that_hold((fetch, ("heads", _heads)), (online, ("online", _online))):
        asked[name], is_well = ask(call, portal, contact)
        are_well &= is_well
    return asked, are_well


def _archive(portal: Portal) -> str:
    count = len(portal.columns)
    if not count:
        return "no archive (import and build only)"
    return (
        f"{count} ways to the same articles"
        if count > 1 and portal.columns[0].ways
        else amount(count, "column")
    )


def _counted(warnings: tuple[Mistake, ...]) -> str:
    return text_if(warnings, f", {amount(len(warnings), 'warning')}")


def _heads(call: Call, portal: Portal, contact: str | None) -> tuple[list[dict[str, Any]], bool]:
    """The first page of each column, told as they come, and whether all are well; of several ways to the same
    articles, one."""
    from webarticlecurator.cli.page_sources import live_pages
    from webarticlecurator.cli.try_ import head_in_words
    from webarticlecurator.stages.trial import is_well, look_at_heads

    lines = []
    with live_pages(portal, contact, command="check") as source:
        for line in look_at_heads(portal, source, datetime.now(UTC)):
            lines.append(line)
            call.tell_people(f"column {line['column']}", *head_in_words(line))
    ways = {column.name for column in portal.columns if column.ways}
    well = {line["column"]: is_well(line) for line in lines}
    are_well = all(is_right for name, is_right in well.items() if name not in ways) and (
        not ways or any(well.get(name) for name in ways)
    )
    return lines, are_well


def _online(call: Call, portal: Portal, contact: str | None) -> tuple[list[dict[str, Any]], bool]:
    """Return what the portal answers where its file leans on it, told as the answers come, and whether that
    is as described."""
    from webarticlecurator.cli.page_sources import live_pages
    from webarticlecurator.stages.still_there import ask_portal, asked_columns

    answers = []
    with live_pages(portal, contact, command="check") as source:
        for answer in ask_portal(portal, source, datetime.now(UTC)):
            answers.append(answer._asdict())
            mark = _MARKS[answer.well, answer.reached]
            place = f"column {answer.column}" if answer.column else answer.kind
            call.tell_people(f"{portal.name} {place} {answer.url}: {mark}{answer.says}")
    lists = amount(len(portal.columns), "list")
    call.tell_people(f"{portal.name}: asked {len(asked_columns(portal))} of {lists}")
    return answers, all(answer["well"] for answer in answers)


def _secrets(portal: Portal) -> Iterator[tuple[str, str]]:
    """Give what the file wants of this machine, and what is done with it: files come from strangers."""
    hosts = sorted(portal.hosts)
    others = text_if(len(hosts) > _MOST_HOSTS, ", ...")
    own = f"the portal's hosts ({', '.join(hosts[:_MOST_HOSTS])}{others})"
    for name, value in portal.fetch.headers.items():
        if not isinstance(value, str):
            yield value.env, f"sent as header {name} to {own}"
    if portal.fetch.cookies_file is not None:
        yield portal.fetch.cookies_file.name, "whose cookies are sent to the hosts that they belong to"
    if portal.fetch.proxy is not None and not isinstance(portal.fetch.proxy, str):
        yield portal.fetch.proxy.env, "the proxy that every request goes through"


def _detect(call: Call, place: str, contact: str | None) -> ExitCode:
    """An address is asked for, politely; a saved page is read."""
    from webarticlecurator.cli.page_sources import existing, live_pages, page_of_web
    from webarticlecurator.config.load import portal_at
    from webarticlecurator.corpus.saved_pages import saved_page
    from webarticlecurator.extraction.site_entrances import address_of
    from webarticlecurator.learning.site.entrances import entrances_of, home_of
    from webarticlecurator.learning.site.software import detect_software
    from webarticlecurator.urls import is_http

    rights: Sequence[Exchange] = ()
    if is_http(place):
        with live_pages(portal_at(place), contact, command="check") as source:
            page, rights = page_of_web(source, place)
    elif place.lower().removesuffix(".gz").endswith((".warc", ".arc", ".yaml", ".yml")):
        raise UsageError(
            f"{place} is no page: `curator new --warc FILE` looks at WARC files, `curator check FILE` at "
            "portal files."
        )
    else:
        page = saved_page(existing(Path(place)))
    systems = detect_software(page)
    home = (
        home_of(page) if is_http(place) or address_of(page) is not None else None
    )  # a saved page may not say of which site it is
    entrances = (
        entrances_of(page, rights, systems[0].software if systems else None) if home is not None else []
    )
    made = [
        f"{each.software} ({100 * each.certainty:.0f} %, {amount(each.signs, 'sign')}): `extends: "
        f"{each.preset}`"
        for each in systems
    ]
    lists = console.aligned([(each.kind, each.url, f"({each.told_by})") for each in entrances])
    said = [f"{place}: {', or '.join(made) or 'no software that is known here shows its signs'}", *lists]
    call.tell({"source": place, "home": home, "systems": systems, "entrances": entrances}, said)
    if home is not None:
        call.next("detect", site=shlex.quote(place if is_http(place) else home))
    return ExitCode.OK
