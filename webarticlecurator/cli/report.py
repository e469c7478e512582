"""What a corpus is made of: `curator report` as pages, `curator open` in the browser, `curator stats` in numbers."""

from __future__ import annotations

import shlex
import webbrowser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import STDOUT, Call, Cluster, Jobs, address, argument, command, option, output_option
from webarticlecurator.cli.console import table
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.errors import CuratorError, UsageError
from webarticlecurator.report.charts.scales import percent, size, uncounted
from webarticlecurator.storage.places import url_of

if TYPE_CHECKING:
    from webarticlecurator.article_view import Match
    from webarticlecurator.corpus.folder import Corpus
    from webarticlecurator.model.statistics import CorpusStatistics, Growth

_OVERVIEW = Path("overview.html")
_ROWS = 8
_GROWN = ("articles", "words", "first", "last")


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
        argument("URL", "An article: its URL or id, or a part of it or of the headline.", parse=address),
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


# --- `curator stats`: the same in numbers ---


@command(portals="several", json="Print everything, one JSON object a portal on a line.")
def stats(
    call: Call,
    analyse: Annotated[bool, option("--no-analyse", "Leave identified languages and duplicates as they are.")] = True,
    read_warc: Annotated[bool, option("--no-warc", "Read no new WARC files for digests and rights signals.")] = True,
    jobs: Jobs = None,
    cluster: Cluster = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator stats portal.yaml
      curator stats portal.yaml --json | jq '.years[] | [.name, .articles]'
      curator stats portal.yaml --no-analyse --no-warc      only what ledger and build tell

    Count the corpus: articles and words over time, gaps, outcomes, metadata and their sources, layouts, dropped text, languages,
    lengths, duplicates, access, posts, requests, files. What cannot be counted is told, with the command that makes it.
    docs/reference/statistics.md tells how each number is counted.
    """
    from webarticlecurator.corpus_statistics import statistics
    from webarticlecurator.workers.carriers import Workers

    call.check_corpus()
    failed, stop = False, None
    workers = Workers.asked_for(jobs, cluster)
    for name in call.names:
        one = Call((name,), call.corpus, call.as_json)
        try:
            portal = one.portal
            with one.work() as (stop, progress):
                counted = statistics(
                    portal,
                    corpus=call.corpus,
                    analysed=analyse,
                    read_warc=read_warc,
                    called=one.typed,
                    workers=workers,
                    progress=progress,
                    stop=stop,
                )
        except CuratorError as error:
            if stop is not None and stop.is_set():
                console.complain(str(error))
                return ExitCode.INCOMPLETE
            if len(call.names) == 1:
                raise
            console.complain(f"{name}: {error}")
            failed = True
            continue
        one.tell(counted, _screen(counted))
        lacking = next((lack.command for lack in counted.lacks if lack.command), "")
        one.next("stats", "lacking" if lacking else "well", command=lacking)
    return ExitCode.USAGE if failed else ExitCode.OK


def _screen(counted: CorpusStatistics) -> Iterator[str]:
    """The numbers as lines of text, with an empty line between tables."""
    blocks = (block for block in _blocks(counted) if block)
    yield from next(blocks)
    for block in blocks:
        yield from ("", *block)


def _blocks(counted: CorpusStatistics) -> Iterator[list[str]]:
    yield list(_head(counted))
    yield [f"Missing: {lack.why}{f' ({lack.command})' if lack.command else ''}" for lack in counted.lacks]
    failed: Counter[int | None] = Counter()
    for outcome in counted.outcomes:
        failed[outcome.year] += outcome.count if outcome.failed else 0
    kept = {one.year: (one.kept, one.kept + one.dropped) for one in counted.coverage}
    years = []
    for period in counted.years:
        year = int(period.name) if period.name else None
        figures = (f"{period.articles:,}", f"{period.words:,}", f"{failed[year]:,}", percent(*kept.get(year, (0, 0))))
        years.append((period.name or "no date", *figures))
    yield table("By year", ("year", "articles", "words", "failed", "text kept"), years)
    yield table("Columns", ("column", *_GROWN), [_grown(one) for one in counted.columns], _ROWS)
    yield table("Sections, by the first of each article", ("section", *_GROWN), [_grown(one) for one in counted.sections], _ROWS)
    gaps = [
        (gap.column or "whole portal", gap.first, gap.last, f"{gap.days:,}", f"{gap.expected:,.0f}", "proved" if gap.proved else "")
        for gap in counted.gaps
    ]
    yield table("Days without articles that look like gaps", ("of", "first", "last", "days", "expected", ""), gaps, _ROWS)
    problems = [
        f"  {one.count:,} {one.kind}: {one.reason}{f' (such as {one.examples[0]})' if one.examples else ''}" for one in counted.problems
    ]
    yield console.listed("To look at first", problems, _ROWS)
    fields = [
        (
            field.field,
            percent(field.filled, counted.totals.articles),
            ", ".join(f"{source.name} {percent(source.count, field.filled)}" for source in field.sources[:3]),
            f"{field.disagreeing:,}",
        )
        for field in counted.fields
    ]
    yield table("Metadata", ("field", "filled", "from", "disagree"), fields, 2 * _ROWS)
    for names in counted.names:
        title = f"{names.field}: {names.distinct:,} in {amount(names.articles, 'article')}"
        title += f", {names.suspects:,} to look at" if names.suspects else ""
        yield table(
            title, ("name", "articles", ""), [(one.name, f"{one.articles:,}", "; ".join(one.suspicious)) for one in names.rows], _ROWS
        )
    yield table("Odd dates", ("articles", "why"), [(f"{one.articles:,}", one.why) for one in counted.dates], _ROWS)
    yield table("Layouts", ("layout", *_GROWN), [_grown(one, "base rules") for one in counted.layouts], _ROWS)
    drops = [(one.rule, f"{one.words:,}", f"{one.articles:,}") for one in counted.drops]
    yield table("Dropped, by rule", ("rule", "words", "articles"), drops, _ROWS)
    languages = [
        (one.language or "none", (one.identified or "") + (" (!)" if one.disagree else ""), f"{one.articles:,}")
        for one in counted.languages
    ]
    yield table("Languages", ("language", "identified", "articles"), languages, _ROWS)
    yield list(_texts(counted)) if counted.totals.articles else []
    yield list(_provenance(counted))


def _head(counted: CorpusStatistics) -> Iterator[str]:
    totals = counted.totals
    yield (
        f"{counted.portal.name}: {amount(totals.articles, 'article')}, {amount(totals.words, 'word')}, {amount(totals.posts, 'post')};"
        f" {totals.urls:,} URLs known; {counted.portal.corpus}"
    )
    for which, end in (("first", totals.first), ("last", totals.last)):
        if end is not None:
            yield f"  {which}: {end.text} {end.url}"
    if totals.undated:
        yield f"  {totals.undated:,} without a day"
    if counted.lengths.uncounted:
        yield f"  words:{uncounted(counted.lengths.uncounted)}"


def _grown(one: Growth, unnamed: str = "none") -> tuple[str, ...]:
    return (one.name or unnamed, f"{one.articles:,}", f"{one.words:,}", one.first or "", one.last or "")


def _texts(counted: CorpusStatistics) -> Iterator[str]:
    if counted.lengths.quantiles:
        yield f"Words an article: {', '.join(f'{number:,}' for number in counted.lengths.quantiles)} (5, 25, 50, 75, 95 percent)"
    for one in counted.duplicates:
        clusters = f"{amount(one.clusters, 'cluster')} of {amount(one.articles, 'article')}"
        yield f"Duplicates, {one.kind}: {clusters}, {one.surplus:,} more than one of each"
    walls, paid = sum(one.paywall for one in counted.access), sum(one.paid for one in counted.access)
    yield f"Access: {amount(paid, 'article')} declared not to be free, {walls:,} cut by a wall"
    yield from (f"Posts: {one.posts:,} {one.kind} in {amount(one.articles, 'article')}" for one in counted.posts)


def _provenance(counted: CorpusStatistics) -> Iterator[str]:
    made = counted.provenance
    days = amount(len({one.day for one in made.requests}), "day")
    yield f"Requests: {sum(one.requests for one in made.requests):,} stored, on {days}"
    yield from (f"Rights: {one.name}: {one.value} on {amount(one.pages, 'page')}" for one in made.signals[:_ROWS])
    if made.rules:
        current = sum(one.articles for one in made.rules if one.current)
        versions = amount(len({one.digest for one in made.rules}), "version")
        yield f"Rules: {versions}; {amount(current, 'document is', 'documents are')} right by those of now"
    yield f"WARC: {amount(len(made.warc_files), 'file')}, {size(sum(one.bytes for one in made.warc_files))}"
