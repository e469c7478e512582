"""`curator new`: from an address to a first portal file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder
from webarticlecurator.cli.contact import contact_of, require_contact
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.new_portal import ColumnSeen, NewPortal

_FILE = Path("portal.yaml")
_FIRST_CRAWL = 50
_MOST_TOLD = 20


def new(
    url: Annotated[str | None, typer.Argument(metavar="URL", help="The address of the site, or of the part of it that is wanted.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the portal file goes.")] = _FILE,
    warc: Annotated[
        list[Path] | None,
        typer.Option("--warc", metavar="FILE", help="Look at the pages of this WARC file, and ask nobody; may be repeated."),
    ] = None,
    html: Annotated[
        list[Path] | None, typer.Option("--html", metavar="FILE", help="Look at this saved page, and ask nobody; may be repeated.")
    ] = None,
    corpus: CorpusFolder = None,
    contact: arguments.Contact = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as a JSON object.")] = False,
) -> None:
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
    if sum(map(bool, (url, warc, html))) != 1:
        raise UsageError("Say what to look at, in one way: curator new https://pelda.example/, or --warc FILE, or --html FILE.")
    if output.exists():
        raise UsageError(f"{output} is there already, and is not overwritten: name another file with -o, or move it away.")
    found = _look(url, warc, html, output, corpus, contact)
    typed = arguments.as_typed(str(output), corpus)
    made = replace(found, remarks=tuple(arguments.with_portal(remark, typed) for remark in found.remarks))
    if made.text is not None and not made.interrupted:
        _write(output, made.text)
    if as_json:
        console.data_json(_as_data(made, output))
    console.say("\n".join(_in_words(made, output, typed)))
    raise typer.Exit(_exit_code(made))


def _look(
    url: str | None, warc: list[Path] | None, html: list[Path] | None, output: Path, corpus: Path | None, contact: str | None
) -> NewPortal:
    from webarticlecurator import new_portal
    from webarticlecurator.cli.page_sources import existing

    if warc:
        return new_portal.new_from_warcs([existing(path) for path in warc], output, lambda damage: console.complain(str(damage)))
    if html:
        return new_portal.new_from_saved([existing(path) for path in html], output)
    assert url is not None
    who = contact_of(contact)
    require_contact([new_portal.portal_to_be(url, output)], who, command="new")
    with at_work() as (stop, progress):
        return new_portal.new_from_web(url, output, corpus=corpus, contact=who, progress=progress, stop=stop)


def _write(output: Path, text: str) -> None:
    """As a new file: one that has come in the meantime stays as it is."""
    output.parent.mkdir(parents=True, exist_ok=True)
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{output} has come into being in the meantime, and is not overwritten: name another file with -o.") from None


def _exit_code(made: NewPortal) -> ExitCode:
    if made.blocked is not None:
        return ExitCode.BLOCKED
    if made.interrupted:
        return ExitCode.INCOMPLETE
    return ExitCode.OK if any(column.articles for column in made.columns) else ExitCode.FAILURES


# --- what a person is told ---


def _in_words(made: NewPortal, output: Path, typed: str) -> Iterator[str]:
    asked = f"{amount(made.requests, 'request')}, {made.seconds:.0f} s" if made.requests else "nothing was asked"
    yield f"{console.printable(made.source)}: {made.name} ({asked})"
    if made.interrupted:
        yield "  Interrupted. What was answered is stored; no file was written. Next: run the command again."
        return
    if made.text is None:
        yield from _nothing(made)
        return
    if made.system is not None:
        yield f"  Made with {made.system}{f'; its preset `{made.preset}` knows where the articles are' if made.preset else ''}."
    yield from _columns(made)
    yield from _to_look_at(made)
    if made.blocked is not None:
        yield f"  Something is kept from us: {console.printable(made.blocked)}"
    yield f"  Written: {output}"
    yield f"  Next: {_next_step(made, output, typed)}"


def _next_step(made: NewPortal, output: Path, typed: str) -> str:
    if any(column.articles for column in made.columns):
        crawl = f"`curator crawl {typed} --limit {_FIRST_CRAWL}`"
        return f"read {output}, then {crawl}; `curator learn {typed}` makes more rules of what is stored by then"
    by_hand = f"write `archive` into {output} by hand (docs/reference/portal-file.md)"
    return f"no articles were found: {by_hand}; `curator check {typed} --fetch` tries it"


def _nothing(made: NewPortal) -> Iterator[str]:
    if made.blocked is not None:
        yield f"  The site cannot be looked at: {console.printable(made.blocked)}. No file was written."
        yield "  Next: ask its publisher; or save pages in a browser as WARC, and `curator new --warc FILE` looks at those"
    else:
        yield f"  The site cannot be read: {console.printable(made.failed or '')}. No file was written."
        yield f"  Next: look at {console.printable(made.source)} in a browser; try again later, or with another address"


def _columns(made: NewPortal) -> Iterator[str]:
    if not made.columns:
        return
    yield "  Where its articles are listed, and what the written rules find there:"
    told = [one for one in made.columns if one.articles or made.preset is None]  # a preset knows many ways to the same articles
    rows = [(one.name, console.printable(one.url), _found(one)) for one in told[:_MOST_TOLD]]
    yield from (f"  {line}" for line in console.aligned(rows))
    if len(told) > _MOST_TOLD:
        yield f"    and {len(told) - _MOST_TOLD} more"


def _found(column: ColumnSeen) -> str:
    if not column.asked:
        return f"{column.articles} {column.what}, on another of its pages" if column.articles else "not looked at"
    on = ", goes on" if column.next else ""
    return f"{column.articles} {column.what}{on}{', see below' if column.remarks else ''}"


def _to_look_at(made: NewPortal) -> Iterator[str]:
    said = [*made.remarks, *(f"{one.name}: {remark}" for one in made.columns for remark in one.remarks)]
    lines = [*(_unsure(one.name, one.question) for one in made.unsure), *map(console.printable, said)]
    if lines:
        yield "  To be looked at by a person:"
        yield from (f"    - {line}" for line in lines[:_MOST_TOLD])
        if len(lines) > _MOST_TOLD:
            yield f"    - and {len(lines) - _MOST_TOLD} more; --json tells all"


def _unsure(name: str, question: str | None) -> str:
    return f"`{name}` is not sure{f': {question}' if question else ''}"


def _as_data(made: NewPortal, output: Path) -> dict[str, object]:
    written = made.text is not None and not made.interrupted
    return {
        "source": made.source,
        "portal": made.name,
        "file": str(output) if written else None,
        "requests": made.requests,
        "seconds": round(made.seconds, 1),
        "system": made.system,
        "preset": made.preset,
        "columns": made.columns,
        "unsure": made.unsure,
        "remarks": made.remarks,
        "blocked": made.blocked,
        "failed": made.failed,
        "interrupted": made.interrupted,
    }
