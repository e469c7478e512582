"""Show the contents of a corpus: `curator report` as pages, `curator open` in the browser, `curator stats` in
numbers."""

from __future__ import annotations

import errno
import shlex
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount, part, text_if, those_that_hold, uncounted
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, address, argument, command, option, output_option
from webarticlecurator.errors import UsageError, refuse
from webarticlecurator.storage.drafts import is_stream
from webarticlecurator.storage.places import legible, url_of

if TYPE_CHECKING:
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.counts.counting import Numbers
    from webarticlecurator.stages.named_article import Match


@command(workers=True, json=None)
def report(
    call: Call,
    output: Annotated[
        Path | None, output_option("Write the page there.  [default: reports/report.html in the corpus]")
    ] = None,
) -> None:
    """
    \b
    Examples:
      curator report portal.yaml                          one page with everything; then: curator open portal.yaml
      curator report portal.yaml -o report.html           the same elsewhere

    Show whether a corpus can be trusted: how much there is, how complete it is and what proves it, what is missing and why, the
    metadata and their sources, what the rules left out, languages, duplicates, and where everything came from. One HTML file, which
    needs no network and runs no script.
    """
    from webarticlecurator.stages import report as corpus_report

    with _elsewhere_where_read_only(output):
        _tell_place(call.run(corpus_report.report, output=output, called=call.typed, workers=call.workers))
    call.next("report", "own" if output is None else "elsewhere")


@command(json=None)
def open_(
    call: Call,
    article: Annotated[
        str | None,
        argument("URL", "An article: its URL or id, or a part of it or of the headline.", parse=address),
    ] = None,
    output: Annotated[Path | None, output_option("Write the page there, and open nothing.")] = None,
    print_: Annotated[bool, option("--print", "Only say where the file is, and open nothing.")] = False,
    edit: Annotated[
        bool, option("--edit", "Mend values of the article there, by a form; until Ctrl-C.")
    ] = False,
) -> None:
    """
    \b
    Examples:
      curator open portal.yaml                             the report of the corpus
      curator open portal.yaml https://pelda.example/a     one article
      curator open portal.yaml hidavatas --print           the same by a part of its address; only make the file
      curator open portal.yaml hidavatas --edit            mend its values there, as `curator fix` does

    Show an article in the browser: the archived page, each text of it marked by what became of it, beside
    the text, the metadata with the source of each value, what was left out by which rule, TEI and captures.
    All of it comes from the corpus: scripts of the page do not run, its links lead nowhere, and nothing is
    asked of a network. Without a URL, the report of the corpus, which is made where there is none, or where
    the corpus has changed since.
    """
    from webarticlecurator.corpus.folder import crawled_corpus

    refuse(
        (edit and article is None, "--edit mends one article: name it."),
        (edit and output is not None, "-o writes a file, and --edit a page that is served: say one of them."),
    )
    folder = crawled_corpus(call.portal, call.corpus)
    if article is None:
        place = _report_at(call, folder, output)
    else:
        match = _named(call, folder, article)
        if edit:
            _edit(call, folder, match, opens=not print_)
            return
        place = _article_at(call, folder, match, output)
    if output is None and not print_ and not webbrowser.open(place.resolve().as_uri()):
        console.complain("There is no browser here that could be started; open this file in one:")
    _tell_place(place)


def _report_at(call: Call, folder: Corpus, output: Path | None) -> Path:
    """Return where the report lies; it is made where there is none, or where the corpus has changed since."""
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.stages import report as corpus_report

    place = output or corpus_report.place_of(
        Corpus(folder.folder)
    )  # on this machine, wherever the corpus lies
    changed = max(path.stat().st_mtime for path in (folder.ledger, folder.build_database) if path.exists())
    if output is not None or not place.exists() or place.stat().st_mtime < changed:
        with _elsewhere_where_read_only(output):
            call.run(corpus_report.report, output=place, called=call.typed)
    return place


def _article_at(call: Call, folder: Corpus, match: Match, output: Path | None) -> Path:
    """Return where the view of an article lies, which is made anew."""
    from webarticlecurator.corpus.folder import write_whole
    from webarticlecurator.stages.article_view import view_article

    place = output or folder.folder / "reports" / "articles" / f"{match.id}.html"
    with _elsewhere_where_read_only(output):
        html = view_article(call.portal, folder, match, typed=call.typed)
        write_whole(place, html.encode("utf-8", "replace"))
    return place


def _edit(call: Call, folder: Corpus, match: Match, *, opens: bool) -> None:
    """Serve the view of an article with a form by which its values are mended, until Ctrl-C."""
    from webarticlecurator.stages.mending_server import MendingServer

    way = folder.folder / "reports" / f"{match.id}-edit.html"
    with MendingServer(call.portal, folder, match, typed=call.typed) as server, suppress(KeyboardInterrupt):
        console.data(server.url)
        console.say(
            "Only this machine can see it. What is mended there stands in corrections.yaml. Ctrl-C ends it."
        )
        if opens:  # some browsers are waited for
            Thread(target=_open_by_file, args=(way, server.url), daemon=True).start()
        server.serve_forever()
    way.unlink(missing_ok=True)


def _open_by_file(place: Path, url: str) -> None:
    """Let a browser open an address that nobody else may know: other accounts see what a browser is started
    with, but not the file that leads it there."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.touch(mode=0o600, exist_ok=False)
    place.write_text(f'<meta http-equiv="refresh" content="0; url={url}">', encoding="utf-8")
    if not webbrowser.open(place.resolve().as_uri()):
        console.complain("There is no browser here that could be started; open this address in one.")


def _named(call: Call, folder: Corpus, name: str) -> Match:
    """Return the article that is called so. Raises UsageError where there is no such article, or several."""
    from webarticlecurator.stages.named_article import find_article

    matches, total = find_article(call.portal, folder, legible(name))
    problem = f"No article is called {name!r}, or anything like it."
    refuse((not matches, f"{problem} `curator status {call.typed}` shows what there is."))
    match = matches[0]
    if total > 1:
        lines = "\n".join(f"  {each.url}  {each.headline}"[:200] for each in matches)
        such = text_if(total > len(matches), ", such as")
        name_one = f"Name one: `curator open {call.typed} {shlex.quote(match.url)}`"
        raise UsageError(f"{total:,} articles fit {name!r}{such}:\n{lines}\n{name_one}")
    return match


@contextmanager
def _elsewhere_where_read_only(output: Path | None) -> Iterator[None]:
    """Name -o where a page was to lie in a corpus that may only be read. Raises UsageError."""
    try:
        yield
    except OSError as error:
        if output is not None or error.errno not in (errno.EACCES, errno.EROFS):
            raise
        where = f"{error.filename} cannot be written ({error.strerror})"
        raise UsageError(
            f"{where}: this corpus may only be read here. -o FILE writes the page elsewhere."
        ) from None


def _tell_place(page: Path) -> None:
    """Say where a page was written; nothing of a stream, which may be stdout itself."""
    if not is_stream(page):
        console.data(url_of(page))


@command(workers=True, json="Print everything as one JSON object.")
def stats(
    call: Call,
    analyse: Annotated[
        bool, option("--no-analyse", "Leave identified languages and duplicates as they are.")
    ] = True,
) -> None:
    """
    \b
    Examples:
      curator stats portal.yaml
      curator stats portal.yaml --verbose                   all rows of each table
      curator stats portal.yaml --json | jq '."articles-by-year"[] | [.year, .articles]'
      curator stats portal.yaml --no-analyse                only what ledger and build tell

    Count the corpus: articles and words over time, gaps, outcomes, metadata and their sources, layouts, dropped text, languages,
    lengths, duplicates, access, posts, requests, files. What cannot be counted is told, with the command that makes it.
    docs/how-to/hand-it-on.md tells how they are counted.
    """
    from webarticlecurator.stages.report import numbers

    counted = call.run(numbers, analysed=analyse, called=call.typed, workers=call.workers)
    call.tell(counted, _screen(counted))
    lacking = next((lack.command for lack in counted["lacks"] if lack.command), "")
    call.next("stats", "lacking" if lacking else "well", command=lacking)


def _screen(counted: Numbers) -> Iterator[str]:
    """The numbers that have a title as lines of text, with an empty line between tables."""
    from webarticlecurator.counts.counting import NUMBERS

    (portal,), (totals,) = counted["portal"], counted["totals"]
    held = ", ".join(
        [amount(totals.articles, "article"), amount(totals.words, "word"), amount(totals.posts, "post")]
    )
    yield f"{portal.name}: {held}; {totals.urls:,} URLs known; {portal.corpus}"
    yield from those_that_hold(
        (totals.first, f"  first: {totals.first} {totals.first_headline} {totals.first_url}"),
        (totals.first, f"  last: {totals.last} {totals.last_headline} {totals.last_url}"),
        (totals.undated, f"  {totals.undated:,} without a day"),
        (totals.uncounted, f"  words:{uncounted(totals.uncounted)}"),
    )
    yield from (f"Missing: {lack.why}{part(' ({})', lack.command)}" for lack in counted["lacks"])
    without = ("url", "text", "weight", "since", "examples", "command")  # for which a screen has no room
    all_of = {row.number: f" ({row.all:,} in all)" for row in counted["capped"]}
    for number in NUMBERS:
        rows = counted[number.name] if number.title else []
        parts = [(all_of.get(number.name, ""), rows)] if rows else []
        if number.name == "names":
            parts = [(f": {field}", [*names]) for field, names in groupby(rows, attrgetter("field"))]
        for beside, some in parts:
            columns = " ".join(name for name in some[0] if name not in without)
            yield from ("", *console.table(f"{number.title}{beside}", some, columns, 8))
