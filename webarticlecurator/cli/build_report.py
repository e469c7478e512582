"""How a build ended, or what one would do, in sentences for a person and as JSON for a program, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from webarticlecurator.building.options import BuildSummary, Change, Comparison
from webarticlecurator.cli import console
from webarticlecurator.cli.exit_codes import ExitCode, of_build
from webarticlecurator.model.outcome import PageOutcome

if TYPE_CHECKING:
    from webarticlecurator.corpus.folder import Corpus

_LISTED = 5
_TAGS = 20


def as_json(summary: BuildSummary, corpus: Corpus) -> dict[str, Any]:
    """The summary for a program."""
    return {
        "portal": summary.portal,
        "exit_code": int(of_build(summary)),
        "corpus": str(corpus.folder),
        "articles": summary.articles,
        "unchanged": summary.unchanged,
        "written": summary.written,
        "confirmed": summary.confirmed,
        "removed": summary.removed,
        "outcomes": {outcome.value: count for outcome, count in summary.outcomes.items()},
        "lost_addresses": summary.lost_addresses,
        "failures": list(summary.failures),
        "going_on": asdict(summary.going_on) if summary.going_on else None,
        "incomplete": summary.incomplete,
        "problems": summary.problems,
        "problems_file": str(corpus.problems) if summary.problems else None,
    }


def in_words(summary: BuildSummary, corpus: Corpus) -> list[str]:
    """The summary for a person, line by line."""
    counts = (
        f"{summary.articles:,} articles stored, {summary.unchanged:,} of them unchanged since the last build; "
        f"{summary.written:,} documents written, {summary.confirmed:,} found to be right as they are, {summary.removed:,} taken away"
    )
    outcomes = ", ".join(f"{summary.outcomes[outcome]:,} {outcome}" for outcome in PageOutcome if summary.outcomes.get(outcome))
    lines = [f"{summary.portal}: {counts}. Corpus: {corpus.folder}"]
    lines += [f"  Outcomes: {outcomes}"] if outcomes else []
    lines += [f"  {summary.lost_addresses:,} addresses could not be written"] if summary.lost_addresses else []
    lines += [f"  Incomplete: {summary.incomplete}"] if summary.incomplete else []
    lines += [f"  Failed: {reason}" for reason in summary.failures[:_LISTED]]
    more = len(summary.failures) - _LISTED
    lines += [f"  Failed: and for {more:,} more reasons"] if more > 0 else []
    lines += [f"  Perhaps not whole: {summary.going_on}; `curator audit` shows the rule to write"] if summary.going_on else []
    lines += [f"  {summary.problems:,} problems for a human: {corpus.problems}"] if summary.problems else []
    return lines


def next_command(summary: BuildSummary, portal: str) -> str:
    """The most useful thing to do now; `portal` is how a command names the portal and its corpus."""
    return {
        ExitCode.INCOMPLETE: f"`curator build {portal}` goes on",
        ExitCode.FAILURES: f"`curator try {portal} URL` on one that failed shows what the rules make of it",
        ExitCode.OK: f"`curator build {portal} --compare`, whenever the rules were changed, says what that would do",
    }[of_build(summary)]


def comparison_in_words(comparison: Comparison) -> list[str]:
    """What a build would do, for a person."""
    return list(_comparison(comparison))


def after_comparison(comparison: Comparison, portal: str) -> str:
    """What to do now that this is known."""
    if comparison.incomplete:
        return f"`curator build {portal} --compare` again, to its end"
    return f"`curator build {portal}` does it" if comparison.differs else f"`curator build {portal}` would change nothing"


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield (
        f"{comparison.portal}: of {comparison.articles:,} articles {comparison.changed:,} documents would change, "
        f"{comparison.new:,} be new, {comparison.gone:,} go; {comparison.words_gained:,} words gained, {comparison.words_lost:,} lost"
    )
    if comparison.incomplete:
        yield f"Incomplete: {comparison.incomplete}"
    for turn, count in comparison.outcomes.items():
        yield f"  {count:,} {turn}"
    if comparison.fields:
        heading = ("field", "gained", "lost", "changed")
        rows = [(name, f"{one.gained:,}", f"{one.lost:,}", f"{one.changed:,}") for name, one in comparison.fields.items()]
        yield from ("", "Metadata, in how many articles", *console.aligned([heading, *rows], headed=True))
    if comparison.undecided:
        yield from ("", f"{len(comparison.undecided):,} tags that no rule decides, and that were not there or decided before")
        yield from (f"  {tag}" for tag in comparison.undecided[:_TAGS])
    if comparison.largest:
        yield from ("", "The largest changes")
        for change in comparison.largest:
            yield from _change(change)


def _change(change: Change) -> Iterator[str]:
    yield f"  {change.id}: +{change.gained:,} -{change.lost:,} words: {change.url}"
    yield from (f"    {line}" for line in change.diff)
