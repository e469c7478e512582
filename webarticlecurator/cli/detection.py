"""`curator check --detect`: what a site is made with, told to a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.page_sources import live_pages
from webarticlecurator.errors import UsageError
from webarticlecurator.model.links import BEHIND_HASH
from webarticlecurator.urls import bare_host, is_http

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.extraction.site_software import Detected
    from webarticlecurator.learning.site.scripts_needed import Shown
    from webarticlecurator.site_detection import SiteReport

_CERTAINTY = ((0.97, "certain"), (0.8, "very likely"), (0.5, "likely"), (0.0, "perhaps"))
_SIGNS = 8


def detect(what: str, contact: str | None, *, as_json: bool) -> None:
    """An address is asked for, politely; a file is read."""
    from webarticlecurator.fetch.browser.engine import missing
    from webarticlecurator.site_detection import look_at_file, look_at_site

    if is_http(what):
        no_browser = missing()
        with live_pages(_as_portal(what), contact, command="check", in_browser=no_browser is None) as source:
            report = look_at_site(what, source, no_browser=no_browser, say=console.say)
    else:
        report = look_at_file(Path(what), lambda damage: console.complain(str(damage)))
    console.report(_as_data(report), in_words(report), as_json=as_json)
    console.say(f"Next: {_next_step(report)}")


def _as_portal(url: str) -> Portal:
    """What is asked of a site before it has a portal file: by the rules that hold where a file says nothing."""
    from webarticlecurator.config import scalars
    from webarticlecurator.config.fetch_rules import read_fetch
    from webarticlecurator.config.node_compiler import NodeCompiler
    from webarticlecurator.config.portal import Portal

    try:
        scalars.web_address(url)
    except ValueError as error:
        raise UsageError(str(error)) from None
    rules = read_fetch(NodeCompiler(), None, [url])
    return Portal(name="site", title="site", home=url, fetch=rules, hosts=frozenset({bare_host(url)}))


def in_words(report: SiteReport) -> list[str]:
    """The report for a person, line by line."""
    blocks = (_found(report), _others(report), _entrances(report), _browser(report), _file(report))
    return [line for block in blocks if (lines := list(block)) for line in ("", *lines)][1:]


def _found(report: SiteReport) -> Iterator[str]:
    system = report.system
    if system is None:
        said = f"; it says of itself: {', '.join(map(console.printable, report.generators))}" if report.generators else ""
        yield f"{report.source}: no software that is known here shows its signs{said}"
        return
    yield f"{report.source}: {_named(system)}"
    yield from _signs(system)


def _others(report: SiteReport) -> Iterator[str]:
    for other in report.systems:
        if other != report.system:
            yield f"Beside it: {_named(other)}"
            yield from _signs(other)


def _named(system: Detected) -> str:
    words = next(word for least, word in _CERTAINTY if system.certainty >= least)
    variant = f", {system.variant}" if system.variant else ""
    return f"{system.software}{variant}: {words} ({min(99.9, 100 * system.certainty):.1f} %)"


def _signs(system: Detected) -> list[str]:
    several = len({one.page for one in system.evidence}) > 1
    rows = [
        (f"{one.weight:.2f}", one.sign.partition(" ")[0], console.printable(one.found), *([console.printable(one.page)] if several else []))
        for one in system.evidence[:_SIGNS]
    ]
    more = len(system.evidence) - _SIGNS
    return [*console.aligned(rows), *([f"  and {more} more signs"] if more > 0 else [])]


def _entrances(report: SiteReport) -> Iterator[str]:
    if report.entrances:
        yield "Where programs find its articles"
        yield from console.aligned([(one.kind, console.printable(one.url), one.state, f"({one.told_by})") for one in report.entrances])


def _browser(report: SiteReport) -> Iterator[str]:
    """What plain HTTP gives against what the browser shows, and the lines that follow from it."""
    if report.without_browser is not None:
        yield f"Not looked at in a browser: {report.without_browser}"
    if not report.in_browser:
        return
    yield f"What a browser shows beside what is sent ({report.in_browser[0].browser}; outside of menus)"
    rows = [(console.printable(one.url), _shown(one.sent), "->", _shown(one.rendered)) for one in report.in_browser]
    yield from console.aligned(rows)
    if new := report.in_browser[0].new_links:
        yield f"  {amount(len(new), 'link is', 'links are')} only in the browser, such as {console.printable(new[0])}"
    elif behind := report.in_browser[0].rendered.routes:
        yield (
            f"  {amount(len(behind), 'link')}, such as {console.printable(behind[0])},"
            f" {'leads' if len(behind) == 1 else 'lead'} {BEHIND_HASH}"
        )
    rule = report.browser_rule
    yield f"  It needs a browser: `{rule}` (docs/recipes/browser.md)" if rule is not None else "  It needs no browser."


def _shown(shown: Shown) -> str:
    return f"words: {shown.words:,}, links: {len(shown.links):,}"


def _file(report: SiteReport) -> Iterator[str]:
    if report.portal_file is not None:
        least = " (of what any site may have: all of it is read, which is no proof that all articles are listed)"
        yield f"A portal file to begin with{'' if report.is_own else least}"
        yield from (f"  {console.printable(line)}" for line in report.portal_file.splitlines())


def _next_step(report: SiteReport) -> str:
    if not report.is_own and is_http(report.source):
        return (
            f"`curator new {console.printable(report.home)}` looks for the pages that list all articles, and writes a portal file of them"
        )
    if report.portal_file is not None:
        return "put these lines into portal.yaml; `curator check portal.yaml --fetch` looks at its first archive pages"
    return "write `archive` into a portal file by hand; docs/reference/portal-file.md says how"


def _as_data(report: SiteReport) -> dict[str, object]:
    system = report.system
    return {
        "source": report.source,
        "home": report.home,
        "pages": report.pages,
        "system": system.software if system else None,
        "certainty": round(system.certainty, 4) if system else 0,
        "preset": report.preset,
        "systems": report.systems,
        "generators": report.generators,
        "entrances": report.entrances,
        "portal_file": report.portal_file,
        "in_browser": [one.to_dict() for one in report.in_browser],
        "without_browser": report.without_browser,
    }
