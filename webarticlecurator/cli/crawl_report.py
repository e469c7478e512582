"""How a crawl ended, in sentences for a person and as JSON for a program, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import arguments
from webarticlecurator.cli.exit_codes import PRECEDENCE, ExitCode, of_crawl
from webarticlecurator.cli.try_report import refused_links
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary

if TYPE_CHECKING:
    from webarticlecurator.corpus.folder import Corpus

_LISTED = 5
_LISTED_OF_MANY = 20


def as_json(summary: CrawlSummary, corpus: Corpus, typed: str) -> dict[str, Any]:
    """The summary for a program; the commands that its remarks suggest name the portal as it was typed."""
    return {
        "portal": summary.portal,
        "exit_code": int(of_crawl([summary])),
        "corpus": str(corpus.folder),
        **{field.name: getattr(summary, field.name) for field in fields(summary) if field.name != "portal"},
        "remarks": [arguments.with_portal(remark, typed) for remark in summary.remarks],
        "problems_file": str(corpus.problems) if summary.problems else None,
    }


def as_flags(options: CrawlOptions) -> list[str]:
    """The flags that say which pages a crawl is about."""
    switches = {
        "--archive-only": not options.articles,
        "--articles-only": not options.archive,
        "--full": options.full,
        "--offline": options.offline,
    }
    hours = int(options.recheck.total_seconds() // 3600) if options.recheck is not None else 0
    values: list[tuple[str, object]] = [
        ("--limit", options.limit),
        ("--recheck", None if options.recheck is None else f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"),
    ]
    return [*(flag for flag, wanted in switches.items() if wanted), *flags_of_part(options), *_given(values)]


def flags_of_part(options: CrawlOptions) -> list[str]:
    """The flags that say which part of the portal a crawl is about."""
    return _given([*(("--column", name) for name in options.columns), ("--from", options.start), ("--until", options.until)])


def _given(values: Sequence[tuple[str, object]]) -> list[str]:
    return [str(word) for flag, value in values if value is not None for word in (flag, value)]


def in_words(summary: CrawlSummary, corpus: Corpus) -> list[str]:
    """The summary for a person, line by line."""
    if summary.impossible is not None:
        return [f"{summary.portal}: {summary.impossible}"]
    counts = (
        f"{amount(summary.archive_pages, 'archive page')} read, {amount(summary.new, 'new article')} found, {summary.fetched:,} fetched"
    )
    lines = [f"{summary.portal}: {counts}. Corpus: {corpus.folder}"]
    lines += [f"  {sentence}." for sentence in summary.asked_again]
    if summary.blocked is not None:
        lines.append(f"  Blocked: {summary.blocked}. Nothing is lost: what was not fetched stays in the queue.")
    lines += _listed("Way", summary.ways)
    lines += _listed("The layout seems to have changed", summary.drift)
    lines += _listed("Incomplete", summary.incomplete)
    lines += _listed("Failed", summary.failures)
    if summary.going_on is not None:
        lines.append(f"  Perhaps not whole: {summary.going_on}; `curator audit` shows the rule to write")
    lines += _listed("To look at", summary.remarks)
    lines += [f"  {line}" for line in refused_links(summary.refused)]
    if summary.problems:
        lines.append(f"  {amount(summary.problems, 'problem')} for a human: {corpus.problems}")
    return lines


def of_many(summaries: Sequence[CrawlSummary]) -> list[str]:
    """Many summaries on one screen: the sum of all, how many ended how, and why those that did not end well."""
    read, new, fetched = (sum(getattr(one, name) for one in summaries) for name in ("archive_pages", "new", "fetched"))
    waiting = sum(one.waiting for one in summaries)
    lines = [
        f"{amount(len(summaries), 'portal')}: {amount(read, 'archive page')} read, {amount(new, 'new article')} found,"
        f" {fetched:,} fetched, {amount(waiting, 'waits', 'wait')}."
    ]
    by_code: dict[ExitCode, list[CrawlSummary]] = {}
    for summary in summaries:
        by_code.setdefault(of_crawl([summary]), []).append(summary)
    for code in (*PRECEDENCE, ExitCode.OK):
        ended = by_code.get(code, [])
        lines += [f"  {len(ended):,} {_ENDED[code]}"] if ended else []
        lines += _listed(" ", [f"{one.portal}: {_first_reason(one)}" for one in ended], _LISTED_OF_MANY) if code else []
    return lines


_ENDED = {
    ExitCode.USAGE: "could not be crawled, or not to the end:",
    ExitCode.BLOCKED: "blocked:",
    ExitCode.DRIFT: "whose layout seems to have changed:",
    ExitCode.INCOMPLETE: "incomplete:",
    ExitCode.FAILURES: "finished, with failures:",
    ExitCode.OK: "finished, all well",
}


def _first_reason(summary: CrawlSummary) -> str:
    told = (summary.impossible, summary.blocked, *summary.drift, *summary.incomplete, *summary.failures)
    return next((reason for reason in told if reason is not None), "")


def next_command(summary: CrawlSummary, portal: str, part: Sequence[str] = ()) -> str:
    """The most useful thing to do now; `portal` is how a command names the portal and its corpus, `part` which part was asked for."""
    again = f"`curator crawl {' '.join([portal, *([shlex.join(part)] if part else [])])}`"
    return {
        ExitCode.USAGE: f"{again}, when that is put right",
        ExitCode.BLOCKED: f"wait, or raise fetch.delay in the portal file; then {again} goes on",
        ExitCode.DRIFT: f"`curator try {portal} URL --as archive --fetch` on such a page shows what the rules still find",
        ExitCode.INCOMPLETE: f"{again} goes on; `curator status {portal}` shows what is missing",
        ExitCode.FAILURES: f"`curator status {portal}` shows what failed and why; the next crawl asks again",
        ExitCode.OK: _after_all_well(summary, portal),
    }[of_crawl([summary])]


def _after_all_well(summary: CrawlSummary, portal: str) -> str:
    if summary.waiting:  # with --archive-only
        return f"`curator crawl {portal} --articles-only` fetches the {amount(summary.waiting, 'article that waits', 'articles that wait')}"
    return f"`curator status {portal}` shows what is there; `curator build {portal}` makes TEI documents"


def _folded(reasons: Sequence[str]) -> list[str]:
    """Each once; what is said of several columns with all their names."""
    columns: dict[str, list[str]] = {}
    for reason in reasons:
        name, colon, told = reason.removeprefix("column ").partition(": ")
        of_column = colon and reason.startswith("column ")
        columns.setdefault(told if of_column else reason, []).extend([name] if of_column else [])
    return [f"column{'s' if len(names) > 1 else ''} {', '.join(names)}: {told}" if names else told for told, names in columns.items()]


def _listed(title: str, reasons: Sequence[str], most: int = _LISTED) -> list[str]:
    begin = f"  {title}: " if title.strip() else f"  {title} "
    reasons = _folded(reasons)
    more = len(reasons) - most
    return [*(f"{begin}{reason}" for reason in reasons[:most]), *([f"{begin}and {more:,} more"] if more > 0 else [])]
