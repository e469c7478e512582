"""`curator try`: what the rules of a portal file make of a page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator import settings
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import STDOUT, CorpusFolder, PageKind, PortalName
from webarticlecurator.cli.exit_codes import ExitCode
from webarticlecurator.cli.page_sources import Rendered, existing, has_articles, is_built, listed_pages, live_pages, stored_pages
from webarticlecurator.cli.process import while_read
from webarticlecurator.cli.try_report import Line, Source, Tried, in_words, next_step
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import StoredPages

_LARGE = 2_000_000
"""Bytes of a page whose marks take more than a moment."""


def try_(
    portal: PortalName,
    url: Annotated[
        list[str], typer.Argument(metavar="URL", parser=arguments.address, help="Pages to try; - reads a list from stdin, one URL a line.")
    ],
    warc: Annotated[
        list[Path] | None, typer.Option("--warc", metavar="FILE", help="Read the pages from this WARC; may be repeated.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Take this file for the page at URL.")] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Get the pages from the portal, politely.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="The same, shown in a browser even where the file does not say so; what it adds is told.")
    ] = False,
    as_kind: Annotated[
        PageKind | None,
        arguments.kind_option("By which rules: archive or article.  [default: archive where a column's url fits, else article]"),
    ] = None,
    column: Annotated[str | None, typer.Option("--column", metavar="NAME", help="Use the rules of this column.")] = None,
    corpus: CorpusFolder = None,
    contact: Annotated[str | None, typer.Option("--contact", metavar="WHO", help="With --fetch: " + settings.SETTINGS[0].help)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a page.")] = False,
    highlight: Annotated[
        bool, typer.Option("--highlight", help="Write the page as a person sees it, each text marked by what became of it.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", parser=arguments.output_file, help="With --highlight: the file.  [default: highlight.html]"
        ),
    ] = None,
) -> None:
    """
    \b
    Examples:
      curator try portal.yaml https://pelda.example/2024/05/01/ --fetch
      curator try portal.yaml https://pelda.example/cikk/1 --html saved.html
      curator try portal.yaml URL --warc old.warc.gz --as archive --column belfold
      curator try portal.yaml URL --browser            whether the page needs a browser, and what the rules find then
      curator try portal.yaml - --json < urls.txt
      curator try portal.yaml URL --highlight -o page.html

    Show what the rules of PORTAL make of pages: of an archive page its articles and the next page, of an article its metadata,
    its text, what was left out by which rule, and the tags that no rule decides. The pages come from the corpus, unless --warc,
    --html, --fetch or --browser says otherwise. Nothing is stored.

    With --highlight the archived page is written to a file, offline and without scripts: every text of it is marked by what the
    rules for articles made of it, kept as what or dropped by which rule, with a legend.
    """
    from webarticlecurator.model.capture import Request

    fetch = fetch or browser
    if sum((bool(warc), html is not None, fetch)) > 1:
        raise UsageError("--warc, --html and --fetch (or --browser) exclude each other: a page comes from one of them.")
    if column is not None and as_kind == "article":
        raise UsageError("--column belongs to archive pages: leave it out, or say --as archive.")
    if output is not None and not highlight:
        raise UsageError("-o belongs to --highlight: without it what the rules make of a page is printed.")
    if highlight and (len(url) != 1 or url == ["-"] or as_kind == "archive" or column is not None):
        raise UsageError("--highlight shows one page by the rules for articles: name one URL, without --as archive and --column.")
    if output == STDOUT:
        raise UsageError("--highlight makes a page for the browser: name its file, -o page.html.")
    (loaded,) = arguments.load_portals([portal])
    kind = as_kind or ("archive" if column is not None else None)
    tried = Tried(
        portal=arguments.as_typed(portal, corpus),
        pages=_flags(fetch, browser, html, warc),
        source=Source.PORTAL if fetch else Source.HTML if html else Source.WARC if warc else Source.CORPUS,
        has_archive=bool(loaded.columns),
        has_articles=has_articles(loaded, corpus),
        is_built=is_built(loaded, corpus),
    )
    if highlight:
        with _source(loaded, warc, html, fetch, browser, corpus, contact) as source:
            is_shown = _highlight(url[0], loaded, source, output or Path("highlight.html"), as_json=as_json)
        raise typer.Exit(ExitCode.OK if is_shown else ExitCode.FAILURES)
    with _source(loaded, warc, html, fetch, browser, corpus, contact) as source:
        line, all_read = _try_all(url, loaded, source, kind, column, as_json)
        step = next_step(line, tried, lambda url: source.fetch(Request(url=url)).capture is not None)
    console.say(f"Next: {step}")
    raise typer.Exit(ExitCode.OK if all_read else ExitCode.FAILURES)


def _flags(fetch: bool, browser: bool, html: Path | None, warc: list[Path] | None) -> str:
    """That say where the pages are."""
    if fetch:
        return " --browser" if browser else " --fetch"
    return f" --html {shlex.quote(str(html))}" if html else arguments.warc_flags(warc or ())


def _try_all(
    urls: list[str], portal: Portal, source: StoredPages, kind: PageKind | None, column: str | None, as_json: bool
) -> tuple[Line, bool]:
    """Show what becomes of each page; what is told of the last one, and whether all could be read."""
    from webarticlecurator import trial

    line: Line = {}
    all_read = True
    for one in while_read(_urls(urls)):
        line = trial.look(one, portal=portal, source=source, kind=kind, column=column, listing=source.listing(one))
        all_read = all_read and trial.could_read(line)
        console.report(line, in_words(line), as_json=as_json)
    if not line:
        raise UsageError("There is no URL on stdin: give one a line, or name the pages on the command line.")
    return line, all_read


def _highlight(url: str, portal: Portal, source: StoredPages, output: Path, *, as_json: bool) -> bool:
    """Write the marked page, and say in a few words what is to be seen there; False where there was no page."""
    from webarticlecurator.model.capture import Request
    from webarticlecurator.page_highlight import highlight
    from webarticlecurator.report.highlight_page import KINDS, highlight_page
    from webarticlecurator.workers.collector import no_collector

    fetched = source.fetch(Request(url=url, rendering=portal.articles.rendering))
    if fetched.capture is not None and len(fetched.capture.entity) > _LARGE:
        console.say(f"{url} is large ({len(fetched.capture.entity) / 1e6:.1f} MB): this takes a while ...")
    with no_collector():
        made = highlight(url, portal, fetched, listing=source.listing(url))
        drawn = highlight_page(made)
    try:
        output.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}") from None
    told = f"{made.outcome}: {made.reason}" if made.reason else made.outcome
    line = {"url": url, "outcome": made.outcome, "reason": made.reason, "file": str(output), "words": dict(made.words)}
    words = [f"{count:8,} words  {KINDS[name].told}" for name, count in made.words if count]
    console.report(line, [f"{url}: {told}", *words], as_json=as_json)
    console.say(f"Next: open {output} in a browser; nothing in it runs, and it asks for nothing.")
    return made.html is not None


def _urls(given: list[str]) -> Iterator[str]:
    for one in given:
        if one == "-":
            yield from (arguments.address(line.strip()) for line in sys.stdin if line.strip())
        else:
            yield one


@contextmanager
def _source(
    portal: Portal, warc: list[Path] | None, html: Path | None, fetch: bool, browser: bool, corpus: Path | None, contact: str | None
) -> Iterator[StoredPages]:
    if html is not None:
        from webarticlecurator.corpus.saved_pages import SavedPage

        yield listed_pages(SavedPage(existing(html)), portal, corpus)
    elif fetch:
        with live_pages(portal, contact, in_browser=browser or None) as web:
            yield listed_pages(Rendered(web) if browser else web, portal, corpus)
    else:
        with stored_pages(portal, warc, corpus, otherwise="--warc FILE, --html FILE or --fetch") as pages:
            yield pages
