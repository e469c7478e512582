"""`curator new`: from an address to a first portal file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, Contact, HtmlFiles, WarcFiles, argument, as_typed, command, option
from webarticlecurator.cli.page_sources import existing, required_contact
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.new_portal import ColumnSeen, NewPortal

_FILE = Path("portal.yaml")
_MOST_TOLD = 20


@command(portals="none")
def new(
    call: Call,
    url: Annotated[str | None, argument("URL", "The address of the site, or of the part of it that is wanted.")] = None,
    output: Annotated[Path, option("--output -o", "Where the portal file goes.", "FILE")] = _FILE,
    warc: WarcFiles = None,
    html: HtmlFiles = None,
    contact: Contact = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator new https://pelda.example/                          look at a site, and write portal.yaml
      curator new https://pelda.example/ -o pelda/portal.yaml     the corpus will lie beside that file
      curator new --warc pelda.warc.gz                            from stored pages alone
      curator new --html front.html --html section.html           from pages that a browser saved

    Look at a site politely, with at most 30 requests, all of them stored in the corpus. Find out what it is made with, where
    it lists its articles and how that goes on from page to page, and write a first portal file: a reason beside each line,
    and alternatives where it is not sure. No file is overwritten.
    """
    from webarticlecurator import new_portal

    if sum(map(bool, (url, warc, html))) != 1:
        raise UsageError("Say what to look at, in one way: curator new https://pelda.example/, or --warc FILE, or --html FILE.")
    if output.exists():
        raise UsageError(f"{output} is there already, and is not overwritten: name another file with -o, or move it away.")
    if warc:
        made = new_portal.new_from_warcs([existing(path) for path in warc], output, lambda damage: console.complain(str(damage)))
    elif html:
        made = new_portal.new_from_saved([existing(path) for path in html], output)
    else:
        assert url is not None
        who = required_contact([new_portal.portal_to_be(url, output)], contact, command="new")
        with call.work() as (stop, progress):
            made = new_portal.new_from_web(url, output, corpus=call.corpus, contact=who, progress=progress, stop=stop)
    is_written = made.text is not None and not made.interrupted
    if is_written:
        output.parent.mkdir(parents=True, exist_ok=True)
        try:
            with output.open("x", encoding="utf-8") as file:
                file.write(made.text or "")
        except FileExistsError:
            raise UsageError(f"{output} has come into being in the meantime, and is not overwritten: name another file with -o.") from None
    if call.as_json:
        names = ("source", "requests", "system", "preset", "columns", "unsure", "remarks", "blocked", "failed", "interrupted")
        value = {name: getattr(made, name) for name in names} | {"portal": made.name, "file": str(output) if is_written else None}
        console.data_json(value | {"seconds": round(made.seconds, 1)})
    console.say("\n".join(_in_words(made, output)))
    has_articles = any(column.articles for column in made.columns)
    situation = "well" if has_articles else "empty"
    if made.interrupted or made.text is None:
        situation = "interrupted" if made.interrupted else "blocked" if made.blocked is not None else "unread"
    call.next("new", situation, typed=as_typed(str(output), call.corpus), file=output, url=made.source)
    if made.blocked is not None:
        return ExitCode.BLOCKED
    return ExitCode.INCOMPLETE if made.interrupted else ExitCode.OK if has_articles else ExitCode.FAILURES


def _in_words(made: NewPortal, output: Path) -> Iterator[str]:
    asked = f"{amount(made.requests, 'request')}, {made.seconds:.0f} s" if made.requests else "nothing was asked"
    yield f"{made.source}: {made.name} ({asked})"
    if made.interrupted:
        yield "  Interrupted. What was answered is stored; no file was written."
        return
    if made.text is None:
        why = f"looked at: {made.blocked}" if made.blocked is not None else f"read: {made.failed or ''}"
        yield f"  The site cannot be {why}. No file was written."
        return
    if made.system is not None:
        yield f"  Made with {made.system}{f'; its preset `{made.preset}` knows where the articles are' if made.preset else ''}."
    if made.columns:
        yield "  Where its articles are listed, and what the written rules find there:"
        rows = [(column.name, column.url, _seen(column)) for column in made.columns if column.articles or made.preset is None]
        yield from console.aligned(rows[:_MOST_TOLD], indent="    ")
        yield from console.more(len(rows) - _MOST_TOLD, "--json tells all")
    doubts = [f"`{proposal.name}` is not sure: {proposal.question or 'look at it'}" for proposal in made.unsure]
    doubts += [*made.remarks, *(f"{column.name}: {remark}" for column in made.columns for remark in column.remarks)]
    lines = [f"    - {doubt}" for doubt in doubts]
    yield from console.listed("  To be looked at by a person:", lines, _MOST_TOLD, "--json tells all")
    if made.blocked is not None:
        yield f"  Something is kept from us: {made.blocked}"
    yield f"  Written: {output}"


def _seen(column: ColumnSeen) -> str:
    if not column.asked:
        return f"{column.articles} {column.what}, on another of its pages" if column.articles else "not looked at"
    on = ", goes on" if column.next else ""
    return f"{column.articles} {column.what}{on}{', see below' if column.remarks else ''}"
