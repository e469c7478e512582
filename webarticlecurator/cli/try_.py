"""`curator try`: what the rules of a portal file make of a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from webarticlecurator.cli import arguments, console, settings
from webarticlecurator.cli.arguments import CorpusFolder, PortalName
from webarticlecurator.cli.contact import checked_contact, require_contact
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.stored import existing, stored_pages
from webarticlecurator.cli.streams import while_read
from webarticlecurator.cli.try_report import in_words
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.model.capture import PageSource
    from webarticlecurator.stored_pages import StoredPages


class PageKind(StrEnum):
    ARCHIVE = "archive"
    ARTICLE = "article"


_KINDS: dict[PageKind, Literal["archive", "article"]] = {PageKind.ARCHIVE: "archive", PageKind.ARTICLE: "article"}


def try_(
    portal: PortalName,
    url: Annotated[list[str], typer.Argument(metavar="URL...", help="Pages to try; - reads a list from stdin, one URL a line.")],
    warc: Annotated[
        list[Path] | None, typer.Option("--warc", metavar="FILE", help="Read the pages from this WARC; may be repeated.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Take this file for the page at URL.")] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Get the pages from the portal, politely.")] = False,
    as_kind: Annotated[
        PageKind | None, typer.Option("--as", help="Which rules to use.  [default: archive where a column's url fits, else article]")
    ] = None,
    column: Annotated[str | None, typer.Option("--column", metavar="NAME", help="Use the rules of this column.")] = None,
    corpus: CorpusFolder = None,
    contact: Annotated[str | None, typer.Option("--contact", metavar="WHO", help="With --fetch: " + settings.SETTINGS[0].help)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a page.")] = False,
) -> None:
    """
    \b
    Examples:
      curator try portal.yaml https://pelda.example/2024/05/01/ --fetch
      curator try portal.yaml https://pelda.example/cikk/1 --html saved.html
      curator try portal.yaml URL --warc old.warc.gz --as archive --column belfold
      curator try portal.yaml - --json < urls.txt

    Show what the rules of PORTAL make of pages: of an archive page its articles and the next page, of an article its metadata,
    its text, what was left out by which rule, and the tags that no rule decides. The pages come from the corpus, unless --warc,
    --html or --fetch says otherwise. Nothing is stored.
    """
    from webarticlecurator import trial

    if sum((bool(warc), html is not None, fetch)) > 1:
        raise UsageError("--warc, --html and --fetch exclude each other: a page comes from one of them.")
    if column is not None and as_kind is PageKind.ARTICLE:
        raise UsageError("--column belongs to archive pages: leave it out, or say --as archive.")
    (loaded,) = arguments.load_portals([portal])
    kind: trial.Kind | None = _KINDS[as_kind] if as_kind is not None else ("archive" if column is not None else None)
    all_read = True
    with _source(loaded, warc, html, fetch, corpus, contact) as source:
        for one in while_read(_urls(url)):
            line = trial.look(one, portal=loaded, source=source, kind=kind, column=column, listing=source.listing(one))
            all_read = all_read and trial.could_read(line)
            _show(line, as_json)
    console.say(f"Next: curator {'crawl' if all_read else 'check'} {arguments.as_typed(portal, corpus)}")
    raise typer.Exit(ExitCode.OK if all_read else ExitCode.FAILURES)


def _urls(given: list[str]) -> Iterator[str]:
    for one in given:
        if one == "-":
            yield from (line.strip() for line in sys.stdin if line.strip())
        else:
            yield one


@contextmanager
def _source(
    portal: Portal, warc: list[Path] | None, html: Path | None, fetch: bool, corpus: Path | None, contact: str | None
) -> Iterator[StoredPages]:
    from webarticlecurator.stored_pages import BarePages

    if html is not None:
        from webarticlecurator.trial import FilePage

        yield BarePages(FilePage(existing(html)))
    elif fetch:
        with _live(portal, contact) as web:
            yield BarePages(web)
    else:
        with stored_pages(portal, warc, corpus, otherwise="--warc FILE, --html FILE or --fetch") as pages:
            yield pages


@contextmanager
def _live(portal: Portal, contact: str | None) -> Iterator[PageSource]:
    from webarticlecurator.fetch.web import Web
    from webarticlecurator.pipeline import PortalWeb

    value = settings.lookup("contact", flag=contact, environ=os.environ, file=settings.settings_file())
    who = checked_contact(value.text, source=value.source)
    require_contact([portal], who, settings_file=settings.settings_file())
    web = Web(portal.fetch, hosts=portal.hosts, contact=who, say=console.say)
    try:
        yield PortalWeb(web, portal)
    finally:
        web.close()


def _show(line: dict[str, Any], as_json: bool) -> None:
    if as_json:
        console.data_json(line)
    else:
        console.data("\n".join(in_words(line)))
