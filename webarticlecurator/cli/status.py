"""`curator status`: what is there, what is missing and why, on one screen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from webarticlecurator.amounts import amount, percent, prefixed, size, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, as_typed, command
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.cli.tips import tip
from webarticlecurator.databases import Row
from webarticlecurator.errors import CuratorError
from webarticlecurator.model.corpus_status import LostFile, OpenStretch, StatusReport, Trouble, added_up
from webarticlecurator.model.links import OTHER_HOST, Refused
from webarticlecurator.model.outcome import ALL_FAILURES, DOCUMENTED, FetchOutcome, PageOutcome

_ROWS, _GAPS, _TROUBLES, _MOST_REFUSED = 15, 5, 8, 6
"""Shown of each without --verbose."""
_REMOVED = (
    "  removed: the portal file has no such column any more; it counts neither for nor against what is proved"
)
_ONLY_READ = "  read: a feed or a sitemap to its end, which says nothing of articles that it does not list;"
_BY_WORD = "  read: one page, which is all by your word (`pages: none`), though it links further ones"
_BY_STOP = "proved up to the portal file's `stop`; what lies behind it is neither walked nor counted"
_ONLY_SEEN = (
    "was only seen by `curator new`, and said by nobody: older articles are neither walked nor counted;"
    " say in the portal file since when there are some, and delete the comment"
)
_NONE_WAITS = "URLs that have no article of their own"
_COUNTED = ("intervals", "proved", "pages", "links", "new", "fetched", "waiting", "failed")


@command(portals="several", json="Print everything as one JSON object.")
def status(call: Call) -> ExitCode:
    """
    \b
    Examples:
      curator status portal.yaml
      curator status portal.yaml --verbose             every column and year, every reason
      curator status portal.yaml --json | jq .completeness
      curator status a.yaml b.yaml c.yaml              a row each; --json prints a list of them

    Show what the corpus has: the outcome of every known URL, how much of each column and year is proved to be complete,
    which stretches are still open, what waits, and what failed for which reason. Of several portals each has a row; one whose corpus
    cannot be read says why, and hides no other.
    """
    # Past `stages/pipeline.py`, which brings along all that crawls.
    from webarticlecurator.corpus.completeness import status_report
    from webarticlecurator.corpus.folder import crawled_corpus

    if len(call.names) == 1:
        call.say_files()
        folder = crawled_corpus(call.portal, call.corpus)
        report = status_report(call.portal, folder)
        call.tell(report, [_screen(call, report, folder.problems)])
        console.say(f"Next: {next_command(report, call.typed)}")
        return _code(report)
    rows = list(map(_row, call.names))
    unreadable = [row for row in rows if row.unreadable is not None]
    table: list[tuple[str, ...]] = [
        ("portal", "articles", "URLs", "proved", "waiting", "failed", "not built", "problems", "last crawl")
    ]
    for row in (row for row in rows if row.unreadable is None):
        crawled = f"{row.last_crawl:%Y-%m-%d %H:%M}" if row.last_crawl else "never"
        counts = (f"{number:,}" for number in (row.waiting, row.failed, row.unbuilt, row.problems))
        table.append(
            (
                row.portal,
                f"{row.articles:,}",
                f"{row.urls:,}",
                percent(row.proved, row.intervals),
                *counts,
                crawled,
            )
        )
    lines = console.aligned(table, headed=True, indent="") if len(table) > 1 else []
    call.tell(rows, [*lines, *(f"{row.portal}: cannot be read: {row.unreadable}" for row in unreadable)])
    for row in rows:
        if row.next:
            console.say(f"Next for {row.portal}: {row.next}")
    return first_of((ExitCode.USAGE, unreadable), *((ExitCode(row.exit_code), True) for row in rows))


def _row(typed: str) -> Row:
    """Return the row of a portal among several; where it cannot be read, it says why."""
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.corpus.completeness import status_report
    from webarticlecurator.corpus.folder import corpus_of, crawled_corpus

    name, place, unreadable = typed, "", None
    try:
        loaded = load_portal(typed)
        folder = corpus_of(loaded, None)
        name, place = loaded.name, str(folder.folder)
        status = status_report(loaded, crawled_corpus(loaded, None))
    except (CuratorError, OSError) as error:
        status, unreadable = StatusReport(portal=name, corpus=place), " ".join(str(error).split())
    needed = [row for row in status.completeness if row.counts]
    return Row(
        portal=name,
        corpus=place,
        unreadable=unreadable,
        articles=sum(status.outcomes.get(outcome, 0) for outcome in DOCUMENTED),
        urls=sum(status.outcomes.values()),
        intervals=sum(row.intervals for row in needed),
        proved=sum(row.proved for row in needed),
        waiting=status.waiting,
        failed=sum(number for outcome, number in status.outcomes.items() if outcome in ALL_FAILURES),
        unbuilt=status.unbuilt,
        last_crawl=status.last_crawl,
        problems=status.problems,
        kept=sum(kept.documents for kept in status.kept),
        missing=sum(gap.number for gap in status.missing),
        exit_code=int(_code(status)),
        next=next_command(status, as_typed(typed, None)) if unreadable is None else "",
    )


def _code(report: StatusReport) -> ExitCode:
    """Return the exit code with which a crawl tells what is missing."""
    is_limited = any(gap.end == "limit" for gap in report.gaps)
    return first_of(
        (ExitCode.INCOMPLETE, report.unasked or is_limited), (ExitCode.FAILURES, _has_gap(report))
    )


def _has_gap(report: StatusReport) -> bool:
    """True if something is missing that no further crawl brings before a person acts: a crawl ends with 1 by
    the same."""
    is_unproved = any(gap.by_rules for gap in report.gaps)
    return bool(report.kept or report.missing or report.not_whole or report.never_there) or is_unproved


def next_command(report: StatusReport, typed: str) -> str:
    """The most useful thing to do now; `typed` is how a command names the portal and its corpus."""
    is_by_rules = bool(report.gaps) and all(gap.by_rules for gap in report.gaps)
    can_go_on = report.waiting or report.lost
    situations: dict[tuple[str, str | ExitCode], object] = {
        ("crawl", ExitCode.DRIFT): report.drift,
        ("build", ExitCode.DRIFT): report.article_drift,
        ("crawl", ExitCode.BLOCKED): report.outcomes.get(FetchOutcome.BLOCKED),
        ("status", "unproved"): is_by_rules and not can_go_on,
        ("status", "goes on"): can_go_on or _is_open(report),
    }
    for situation, holds in situations.items():
        if holds:
            return tip(*situation, typed=typed, url=(report.gaps[0].url if report.gaps else "") or "URL")
    work = _for_build(report)
    columns = ", ".join(dict.fromkeys(gap.column for gap in report.gaps))
    tips = those_that_hold(
        (work, tip("status", "build", typed=typed, what=", and ".join(work))),
        (columns, tip("status", "limited", typed=typed, columns=columns)),
    )
    return "; ".join(tips) or tip("status", "well", typed=typed)


def _is_open(report: StatusReport) -> bool:
    """True if a crawl finds something to do besides what waits; what was fetched again needs a build, and no
    crawl."""
    is_damaged = bool(report.kept) and not report.stored_anew
    is_unwalked = any(row.open for row in report.completeness if not row.removed)
    goes_on = any(gap.end != "limit" for gap in report.gaps)
    return bool(report.unasked) or is_damaged or is_unwalked or goes_on


def _for_build(report: StatusReport) -> list[str]:
    """Return what the next build does."""
    again = amount(report.stored_anew, "article again that was", "articles again that were")
    return those_that_hold(
        (
            report.unbuilt,
            f"makes TEI documents of {amount(report.unbuilt, 'stored article')} that no build has seen",
        ),
        (report.stored_anew, f"reads {again} stored anew since the last build"),
    )


def _screen(call: Call, report: StatusReport, problems_file: Path) -> str:
    listed = f"`curator export {call.typed} --to csv --where {{}}!=` lists"
    blocks = (
        [_head(report), *_requisites(report)],
        _known(report),
        _completeness(call, report),
        console.listed(
            "Ways to the same articles, best first",
            console.aligned([(way.name, way.state, way.reason) for way in report.ways]),
        ),
        console.listed("Proved by", console.aligned(_proofs(report))),
        console.each_in_two_lines("Missing: ", list(map(str, report.missing))),
        console.each_in_two_lines("Incomplete: ", list(map(str, report.unasked))),
        console.each_in_two_lines("Not there: ", list(map(str, report.never_there))),
        _not_whole(report),
        console.each_in_two_lines(
            "Knowingly not collected, by `not_collected`: ", list(map(str, report.not_collected))
        ),
        _gaps(report, are_proved=False),
        _gaps(report, are_proved=True),
        console.each_in_two_lines("To look at: ", report.remarks),
        refused_links(report.refused),
        _waiting(report),
        _asked_again(report, listed),
        _no_articles(report),
        _since_then(call, report, listed),
        prefixed("The layout seems to have changed: ", (*report.drift, *report.article_drift)),
        [*map(_lost, report.lost), *prefixed("Damaged: ", report.kept)],
        [console.problems_in(problems_file)] if report.problems else [],
    )
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _head(report: StatusReport) -> str:
    when = f"last crawl {report.last_crawl:%Y-%m-%d %H:%M} UTC" if report.last_crawl else "never crawled"
    stored = (
        f"{amount(report.archive_pages, 'archive page')}, {amount(report.warc_files, 'WARC file')}, "
        f"{size(report.warc_bytes)}"
    )
    return f"{report.portal}: {when}; {stored}; {report.corpus}"


def _requisites(report: StatusReport) -> list[str]:
    said = {"stored": "stored", "wait": "left to the next crawl", "failed": "could not be had"}
    counts = ", ".join(f"{number:,} {said[state]}" for state, number in report.requisites.items())
    return those_that_hold((counts, f"Style sheets, pictures and fonts of pages: {counts}"))


def _known(report: StatusReport) -> list[str]:
    outcomes: tuple[FetchOutcome | PageOutcome, ...] = (*PageOutcome, *FetchOutcome)
    given = [
        (outcome.value, f"{report.outcomes[outcome]:,}")
        for outcome in outcomes
        if report.outcomes.get(outcome)
    ]
    return [f"{amount(sum(report.outcomes.values()), 'article URL')} known", *console.aligned(given)]


def _proofs(report: StatusReport) -> list[tuple[str, ...]]:
    """Return what each column's completeness leans on, or only what leans on a person's word against the
    pages."""
    names = {row.column: row.told_column for row in report.completeness}
    rows: list[tuple[str, ...]] = []
    for proof in report.proofs:
        if console.is_verbose() or proof.by_word:
            intervals = amount(proof.intervals, "interval") if proof.first else ""
            page = f"{proof.page} ({amount(proof.links, 'link')})"
            rows.append((names.get(proof.column, proof.column), intervals, proof.ground, page))
    return rows


def _waiting(report: StatusReport) -> list[str]:
    title = _NONE_WAITS
    if report.waiting:
        title = f"{amount(report.waiting, 'URL waits', 'URLs wait')} for the next crawl; what went wrong"
    return _troubles(f"{title}, most frequent first", report.troubles)


def _asked_again(report: StatusReport, listed: str) -> list[str]:
    """Tell what could not be had again; `listed`: the command that lists articles."""
    pages = amount(sum(trouble.count for trouble in report.not_again), "stored page")
    lines = _troubles(
        f"{pages} could not be had when last asked for again; what is stored stays", report.not_again
    )
    gone = f"  {listed.format('gone')} articles that are gone from the site"
    return [*lines, *those_that_hold((report.gone, gone))]


def _no_articles(report: StatusReport) -> list[str]:
    number = sum(trouble.count for trouble in report.no_articles)
    are = amount(
        number,
        "stored page is no article, and has no document",
        "stored pages are no articles, and have no document",
    )
    return _troubles(are, report.no_articles)


def _lost(file: LostFile) -> str:
    return (
        f"Lost: {file}; {amount(file.waiting, 'of the articles is', 'of the articles are')} not stored again"
    )


def _not_whole(report: StatusReport) -> list[str]:
    articles = amount(report.not_whole, "article shows", "articles show")
    return those_that_hold((report.not_whole, f"  Not whole: {articles} further pages that no rule follows"))


def _completeness(call: Call, report: StatusReport) -> list[str]:
    rows = report.completeness
    if not rows:
        return []
    shown = list(rows) if console.is_verbose() or len(rows) <= _ROWS else added_up(rows)
    kept = shown
    if not console.is_verbose():
        kept = sorted(sorted(shown, key=lambda row: not row.counts or row.is_proved)[:_ROWS], key=shown.index)
    cells = [
        (row.column, str(row.year or ""), *(f"{getattr(row, name):,}" for name in _COUNTED), row.state)
        for row in kept
    ]
    lines = console.aligned([("column", "year", *_COUNTED, "end"), *cells], headed=True) + console.more(
        len(shown) - len(kept)
    )
    return [
        "How complete",
        *lines,
        *_notes_on_proofs(call, report),
        *(f"  {begins} {_ONLY_SEEN}" for begins in report.only_seen),
    ]


def _notes_on_proofs(call: Call, report: StatusReport) -> list[str]:
    """Tell what words in the table of columns mean."""
    by_word = {proof.column for proof in report.proofs if proof.by_word}
    only_read = {row.column for row in report.completeness if row.only_read and not row.removed}
    stopped = list(dict.fromkeys(proof.column for proof in report.proofs if proof.by_stop))
    if len(stopped) > _GAPS:
        stopped[_GAPS:] = [f"{len(stopped) - _GAPS:,} more columns"]
    return those_that_hold(
        (
            only_read - by_word,
            f"{_ONLY_READ} `curator audit {call.typed} --archive --fetch` looks elsewhere for them",
        ),
        (only_read & by_word, _BY_WORD),
        (stopped, f"  {', '.join(stopped)}: {_BY_STOP}"),
        (any(row.removed for row in report.completeness), _REMOVED),
    )


def _gaps(report: StatusReport, *, are_proved: bool) -> list[str]:
    """Return the lines on stretches that are open; those of a column that are open for one reason stand
    together. `are_proved`: of those that were proved before."""
    gaps = [gap for gap in report.gaps if bool(gap.proved) is are_proved]
    alike: dict[object, list[OpenStretch]] = defaultdict(list)
    for number, gap in enumerate(gaps):
        alike[(gap.column, gap.reason) if gap.interval and not console.is_verbose() else number].append(gap)
    what = (
        "open interval of the archive; the next crawl walks it",
        "open intervals of the archive; the next crawl walks them",
    )
    if are_proved:
        again = "proved, and not walked to its end again; the next crawl walks"
        what = f"interval of the archive was {again} it", f"intervals of the archive were {again} them"
    elif all(gap.by_rules or gap.end == "limit" for gap in gaps):  # walking again changes nothing
        what = "interval of the archive that is not proved", "intervals of the archive that are not proved"
    lines = []
    for gap, *others in alike.values():
        intervals = amount(gap.intervals + sum(other.intervals for other in others), "interval")
        where = (
            f"{gap.column}: {intervals}, such as {gap.interval}"
            if others
            else " ".join(filter(None, (gap.column, gap.interval)))
        )
        page = "" if gap.end == "failed" else gap.url  # else the reason names it
        lines.append(console.in_two_lines(f"  {': '.join(filter(None, (where, gap.reason, page)))}"))
    return console.listed(amount(sum(gap.intervals for gap in gaps), *what), lines, _GAPS)


def refused_links(refused: Sequence[Refused]) -> list[str]:
    """Return where links led that were not followed, and what lets in those of other hosts."""
    shown = sorted(refused, key=lambda link: not link.alike)[:_MOST_REFUSED]
    lines = []
    for link in shown:
        alike = text_if(
            link.alike,
            f"; {link.alike:,} of them differ from articles by digits alone: if they are articles, "
            f"`{link.reason}` leaves out too much",
        )
        line = (
            f"  {amount(link.links, 'link')} to {link.host or 'no host'}: {link.reason} (such as "
            f"{link.example})"
        )
        lines.append(console.in_two_lines(line + alike))
    lines += console.more(len(refused) - len(shown), "--json shows all", " hosts and reasons")
    hosts = [link.host for link in shown if link.reason == OTHER_HOST]
    follow = f"  To follow them, write under `archive`: urls: {{hosts: [{', '.join(hosts)}]}}"
    lines += those_that_hold((hosts, follow))
    return console.listed("Links that were not followed", lines)


def _troubles(title: str, troubles: Sequence[Trouble]) -> list[str]:
    """Return the lines on troubles: their reasons with an example, or with all pages that are known by
    name."""
    lines = []
    for trouble in troubles:
        urls = trouble.urls if console.is_verbose() else ()
        examples = "".join(f"\n    {url}" for url in urls) or f" (such as {trouble.example})"
        lines.append(f"  {trouble.count:,} {trouble.outcome.value}: {trouble.reason}{examples}")
    return console.listed(title, lines, _TROUBLES)


def _since_then(call: Call, report: StatusReport, listed: str) -> list[str]:
    """Return what changed on the site, or here, since articles were stored and built; `listed`: the command
    that lists articles."""
    changed = amount(report.text_changed, "article has", "articles have")
    anew = amount(report.stored_anew, "built article has", "built articles have")
    named = amount(len(report.unlisted), "article is named", "articles are named")
    such_as = ", ".join(report.unlisted[:1])
    return those_that_hold(
        (
            report.text_changed,
            f"{changed} another headline or text than when first stored; {listed.format('text_changed')} "
            "them",
        ),
        (report.stored_anew, f"{anew} other bytes since the last build; the next one reads them"),
        (
            report.unlisted,
            f"{named} by the site's own feeds or sitemaps and not known here (such as {such_as}): `curator "
            "audit"
            f" {call.typed} --archive` lists them; if they are none, `exclude` under `archive: urls` says so",
        ),
    )
