"""`curator open`: the report of a corpus, or one article beside its archived page, in the browser."""

from __future__ import annotations

import shlex
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import STDOUT, CorpusFolder, PortalName
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.article_view import Found, Match
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.folder import Corpus

_FOLDER = "reports/articles"


def open_(
    portal: PortalName,
    article: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", parser=arguments.address, help="An article: its URL or id, or a part of it or of the headline."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", parser=arguments.output_file, help="Write the page there, and open nothing; - is stdout."
        ),
    ] = None,
    print_: Annotated[bool, typer.Option("--print", help="Only say where the file is, and open nothing.")] = False,
    corpus: CorpusFolder = None,
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
    from webarticlecurator.article_view import find_article, view_article
    from webarticlecurator.corpus.folder import crawled_corpus, write_whole

    (loaded,) = arguments.load_portals([portal])
    folder = crawled_corpus(loaded, corpus)
    typed = arguments.as_typed(portal, corpus)
    if article is None:
        place = _report(loaded, folder, corpus, output, typed)
    else:
        match = _the_one(find_article(loaded, folder, article), article, typed)
        page = view_article(loaded, folder, match)
        if output == STDOUT:
            console.data(page.rstrip("\n"))
            return
        place = output or folder.folder / _FOLDER / f"{match.id}.html"
        write_whole(place, page.encode("utf-8", "replace"))
    _show(place, is_shown=output is None and not print_)


def _report(portal: Portal, folder: Corpus, corpus: Path | None, output: Path | None, typed: str) -> Path:
    """The report of the corpus, made anew where it is older than what it tells of."""
    from webarticlecurator import corpus_report
    from webarticlecurator.corpus.folder import Corpus

    if output == STDOUT:
        raise UsageError(f"A report is a file: name one, or say `curator report {typed}`.")
    place = corpus_report.place_of(Corpus(folder.folder))  # on this machine, wherever the corpus lies
    sources = (path.stat().st_mtime for path in (folder.ledger, folder.build_database) if path.exists())
    if output is None and place.exists() and place.stat().st_mtime >= max(sources):
        return place
    with at_work() as (stop, progress):
        return corpus_report.report(portal, corpus=corpus, output=output or place, called=typed, progress=progress, stop=stop)


def _the_one(found: Found, wanted: str, typed: str) -> Match:
    """Raises UsageError where it is not clear which is meant."""
    if found.exact:
        return found.matches[0]
    if not found.matches:
        raise UsageError(f"No article is called {wanted!r}, or anything like it. `curator status {typed}` shows what there is.")
    lines = "\n".join(f"  {one.url}  {one.headline}"[:200] for one in found.matches)
    such_as = ", such as" if found.total > len(found.matches) else ""
    told = (
        f"{amount(found.total, 'article fits', 'articles fit')} {wanted!r}{such_as}"
        if found.total
        else f"No article is called {wanted!r}; these are near"
    )
    raise UsageError(f"{told}:\n{lines}\nName one: `curator open {typed} {shlex.quote(found.matches[0].url)}`")


def _show(place: Path, *, is_shown: bool) -> None:
    if is_shown and not webbrowser.open(place.resolve().as_uri()):
        console.complain("There is no browser here that could be started; open this file in one:")
    console.data(str(place))
