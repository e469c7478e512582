"""`curator audit --archive`: articles that something else knows, and the corpus does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.cli import console
from webarticlecurator.cli.exit_codes import ExitCode, first_of
from webarticlecurator.cli.interrupt import interruptible
from webarticlecurator.cli.progress import shown_progress
from webarticlecurator.survey.witnesses.named import Comparison

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal

_SHOWN = 25


def compare(portal: Portal, corpus: Path | None, jobs: int | None, typed: str, *, as_json: bool) -> ExitCode:
    """Compare and tell; `typed` is how a command names the portal and its corpus."""
    from webarticlecurator import corpus_survey

    with interruptible(quiet=console.verbosity() is console.Verbosity.QUIET) as stop, shown_progress() as progress:
        found = corpus_survey.compared(portal, corpus=corpus, jobs=jobs, progress=progress, stop=stop)
    code = first_of((*([] if found.complete else [ExitCode.INCOMPLETE]), *([ExitCode.FAILURES] if found.total else [])))
    if as_json:
        console.data_json({"exit_code": int(code), **asdict(found)})
    else:
        console.data("\n".join(in_words(found)))
    if not found.complete:
        console.say(f"Interrupted after {found.pages:,} articles: the comparison is of these.")
    console.say(f"Next: {_next(found, typed)}")
    return code


def in_words(found: Comparison) -> Iterator[str]:
    """Each article that is not known, with who names it."""
    yield f"{found.portal}: {found.links:,} links of {found.pages:,} stored articles lead to the article before or after them"
    if found.passed_over:
        yield f"Passed over, since no article of the portal has such an address: {found.passed_over:,} (such as {found.such_as})"
    if found.total:
        yield f"Not in the ledger: {found.total:,}"
    else:
        yield "All of these are in the ledger." if found.links else "So this says nothing of whether an article is missing."
    for one in found.unlisted[:_SHOWN]:
        more = one.times - len(one.seen_on)
        yield f"  {one.url}"
        yield from (f"    named by {place}" for place in one.seen_on)
        yield from [f"    and by {more:,} more"] if more else []
    if found.total > _SHOWN:
        yield f"  and {found.total - _SHOWN:,} more, of which --json names {len(found.unlisted) - _SHOWN:,}"
    if found.at_the_edge:
        yield f"Not counted, since only articles at the beginning or the end of the archive name them: {found.at_the_edge:,}"


def _next(found: Comparison, typed: str) -> str:
    if found.total:
        return (
            f"`curator try {typed} URL --as archive --fetch`, with an archive page that should list one of them, shows whether a rule"
            " misses it; what no archive page lists, a column with `format: urls` can name"
        )
    return f"`curator status {typed}` shows what the walks proved"
