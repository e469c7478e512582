"""What the shell is told: every exit code, what each means, and which one wins."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

from webarticlecurator.cli import process

if TYPE_CHECKING:
    from webarticlecurator.building.options import BuildSummary, Comparison
    from webarticlecurator.crawling.options import CrawlSummary
    from webarticlecurator.model.drift import WatchSummary


class ExitCode(IntEnum):
    """How a command ended."""

    OK = 0
    FAILURES = 1
    USAGE = 2
    BLOCKED = 3
    INCOMPLETE = 4
    DRIFT = 5
    BUG = 70
    INTERRUPTED = process.INTERRUPTED


MEANING: dict[ExitCode, str] = {
    ExitCode.OK: "all well",
    ExitCode.FAILURES: (
        "finished; some pages failed and are listed"
        " (`check`, `audit`, `test`, `build --compare`, `warc check`: findings; `learn`: open questions; `export`: no article)"
    ),
    ExitCode.USAGE: "nothing done, or not all of it, until you act: the command line, the portal file, the corpus folder, a full disk",
    ExitCode.BLOCKED: "the portal keeps us out",
    ExitCode.INCOMPLETE: "incomplete: a limit was reached, or the run was interrupted cleanly (Ctrl-C, closed terminal); run it again",
    ExitCode.DRIFT: "the portal's layout seems to have changed: its rules need a look",
    ExitCode.BUG: "a bug of curator; the message says where the details were written",
    ExitCode.INTERRUPTED: "stopped at once by a second Ctrl-C; what was finished before is safe",
}

PRECEDENCE = (ExitCode.USAGE, ExitCode.BLOCKED, ExitCode.DRIFT, ExitCode.INCOMPLETE, ExitCode.FAILURES)
"""Where there are several reasons, the first of these is told."""


def first_of(reasons: Iterable[ExitCode]) -> ExitCode:
    """The one code that is told of several reasons; OK where there are none."""
    given = set(reasons)
    return next((code for code in PRECEDENCE if code in given), ExitCode.OK)


def of_crawl(summaries: Iterable[CrawlSummary]) -> ExitCode:
    """The exit code of a crawl of one or more portals."""
    return first_of(code for summary in summaries for code, given in _reasons(summary) if given)


def _reasons(summary: CrawlSummary) -> Iterable[tuple[ExitCode, object]]:
    return (
        (ExitCode.USAGE, summary.impossible is not None),
        (ExitCode.BLOCKED, summary.blocked is not None),
        (ExitCode.DRIFT, summary.drift),
        (ExitCode.INCOMPLETE, summary.incomplete),
        (ExitCode.FAILURES, summary.failures),
    )


def of_build(summary: BuildSummary) -> ExitCode:
    """The exit code of a build."""
    reasons = ((ExitCode.DRIFT, summary.drifts), (ExitCode.INCOMPLETE, summary.incomplete), (ExitCode.FAILURES, summary.failures))
    return first_of(code for code, given in reasons if given)


def of_watch(summary: WatchSummary) -> ExitCode:
    """The exit code of a watch."""
    reasons = ((ExitCode.DRIFT, summary.drifts), (ExitCode.INCOMPLETE, not summary.complete))
    return first_of(code for code, given in reasons if given)


def of_comparison(comparison: Comparison) -> ExitCode:
    """The exit code of `build --compare`: differences are findings."""
    reasons = ((ExitCode.INCOMPLETE, comparison.incomplete), (ExitCode.FAILURES, comparison.differs))
    return first_of(code for code, given in reasons if given)
