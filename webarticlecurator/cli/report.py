"""`curator report`: the picture of a corpus, or of several, as pages; `curator open`: that, or one article, in the browser."""

from __future__ import annotations

import shlex
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import STDOUT, Call, Cluster, Jobs, address, command, option, output_option
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.errors import UsageError
from webarticlecurator.storage.places import url_of

if TYPE_CHECKING:
    from webarticlecurator.article_view import Match
    from webarticlecurator.corpus.folder import Corpus

_OVERVIEW = Path("overview.html")


@command(portals="several", json=None)
def report(
    call: Call,
    output: Annotated[
        Path | None,
        output_option("Write the page there.  [default: reports/report.html in the corpus; of several portals: overview.html]"),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator report portal.yaml                          one page with everything; then: curator open portal.yaml
      curator report portal.yaml -o report.html           the same elsewhere
      curator report a.yaml b.yaml c.yaml                 a report in each corpus, and overview.html that leads to them

    Show whether a corpus can be trusted: how much there is, how complete it is and what proves it, what is missing and why, the
    metadata and their sources, what the rules left out, languages, duplicates, and where everything came from. One HTML file, which
    needs no network and runs no script.
    """
    from webarticlecurator import corpus_report
    from webarticlecurator.cli.status import next_command
    from webarticlecurator.workers.carriers import Workers

    if output == STDOUT:
        raise UsageError("A report is a page for the browser: name its file, -o report.html.")
    call.check_corpus()
    troubles: list[str] = []
    workers = Workers.asked_for(jobs, cluster)
    with call.work() as (stop, progress):
        if len(call.names) == 1:
            place = corpus_report.report(
                call.portal, corpus=call.corpus, output=output, called=call.typed, workers=workers, progress=progress, stop=stop
            )
        else:
            place = output or _OVERVIEW
            troubles = corpus_report.overview_report(
                call.names, output=place, next_command=next_command, workers=workers, progress=progress, stop=stop
            )
    console.data(url_of(place))
    for trouble in troubles:
        console.complain(trouble)
    call.next("report", "own" if len(call.names) == 1 and output is None else "elsewhere")
    return ExitCode.FAILURES if troubles else ExitCode.OK


@command(json=None)
def open_(
    call: Call,
    article: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", parser=address, help="An article: its URL or id, or a part of it or of the headline."),
    ] = None,
    output: Annotated[Path | None, output_option("Write the page there, and open nothing; - is stdout.")] = None,
    print_: Annotated[bool, option("--print", "Only say where the file is, and open nothing.")] = False,
) -> None:
    """
    \b
    Examples:
      curator open portal.yaml                             the report of the corpus
      curator open portal.yaml https://pelda.example/a     one article
      curator open portal.yaml hidavatas --print           the same by a part of its address; only make the file

    Show an article in the browser: the archived page beside its TEI and its metadata with the source of each value. All of it comes
    from the corpus: scripts of the page do not run, its links lead nowhere, and nothing is asked of a network. Without a URL, the
    report of the corpus, which is made where there is none, or where the corpus has changed since.
    """
    from webarticlecurator.article_view import view_article
    from webarticlecurator.corpus.folder import crawled_corpus, write_whole

    folder = crawled_corpus(call.portal, call.corpus)
    if article is None:
        place = _report(call, folder, output)
    else:
        match = _the_one(call, folder, article)
        page = view_article(call.portal, folder, match)
        if output == STDOUT:
            console.data(page.rstrip("\n"))
            return
        place = output or folder.folder / "reports" / "articles" / f"{match.id}.html"
        write_whole(place, page.encode("utf-8", "replace"))
    if output is None and not print_ and not webbrowser.open(place.resolve().as_uri()):
        console.complain("There is no browser here that could be started; open this file in one:")
    console.data(str(place))


def _report(call: Call, folder: Corpus, output: Path | None) -> Path:
    """The report of the corpus, made anew where it is older than what it tells of."""
    from webarticlecurator import corpus_report
    from webarticlecurator.corpus.folder import Corpus

    if output == STDOUT:
        raise UsageError(f"A report is a file: name one, or say `curator report {call.typed}`.")
    place = corpus_report.place_of(Corpus(folder.folder))  # on this machine, wherever the corpus lies
    sources = (path.stat().st_mtime for path in (folder.ledger, folder.build_database) if path.exists())
    if output is None and place.exists() and place.stat().st_mtime >= max(sources):
        return place
    with call.work() as (stop, progress):
        return corpus_report.report(
            call.portal, corpus=call.corpus, output=output or place, called=call.typed, progress=progress, stop=stop
        )


def _the_one(call: Call, folder: Corpus, wanted: str) -> Match:
    """Raises UsageError where it is not clear which is meant."""
    from webarticlecurator.article_view import find_article

    fitting = find_article(call.portal, folder, wanted)
    if fitting.exact:
        return fitting.matches[0]
    if not fitting.matches:
        raise UsageError(f"No article is called {wanted!r}, or anything like it. `curator status {call.typed}` shows what there is.")
    told = f"No article is called {wanted!r}; these are near"
    if fitting.total:
        such_as = ", such as" if fitting.total > len(fitting.matches) else ""
        told = f"{amount(fitting.total, 'article fits', 'articles fit')} {wanted!r}{such_as}"
    lines = "\n".join(f"  {match.url}  {match.headline}"[:200] for match in fitting.matches)
    raise UsageError(f"{told}:\n{lines}\nName one: `curator open {call.typed} {shlex.quote(fitting.matches[0].url)}`")
