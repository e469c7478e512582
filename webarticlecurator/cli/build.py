"""`curator build`: stored WARC to TEI documents, and how that ended in sentences for a person and as JSON for
a program."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import (
    agreeing,
    amount,
    each_number,
    part,
    prefixed,
    text_if,
    those_that_hold,
)
from webarticlecurator.building.build_options import BuildOptions, BuildSummary
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, command, option
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.errors import refuse
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome

if TYPE_CHECKING:
    from webarticlecurator.corpus.folder import Corpus


@command(workers=True, json="Print one JSON object at the end.", options=BuildOptions)
def build(
    call: Call,
    options: BuildOptions,
    compare: Annotated[bool, option("--compare", "Say what a build would change; write nothing.")] = False,
) -> ExitCode:
    """
    \b
    Examples:
      curator build portal.yaml                        what is new, or what the rules now see otherwise
      curator build portal.yaml --compare              after a change of the rules: what would it do?
      curator build portal.yaml --all --jobs 2
      curator build portal.yaml --zip                  ten zip files instead of a hundred thousand documents
      curator build portal.yaml --template our.xml     with the header of your project

    Make one TEI document an article out of the corpus' WARC files, by the rules of PORTAL; the portal is not asked. Run it
    again after a crawl or a change of the rules: documents that stay as they are are not touched. What could not be made
    into a valid document is listed, with the reason, in problems.jsonl.
    """
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.corpus.lock import running
    from webarticlecurator.stages import build as corpus_build

    form = text_if(options.zip, " --zip")
    options = replace(options, jobs=call.jobs, cluster=call.cluster)
    if compare:
        refuse((form, f"--compare writes nothing, so{form} does not go with it: leave one of them out."))
        return _compare(call, options)
    call.say_files()
    folder = corpus_of(call.portal, call.corpus)
    crawl = running(folder.crawl_lock)
    summary = call.run(corpus_build.build, options=options)
    code = of_build(summary)
    first = {"portal": summary.portal, "exit_code": int(code), "corpus": str(folder.folder)}
    call.tell(
        {**first, **asdict(summary), "problems_file": str(folder.problems) if summary.problems else None}, ()
    )
    console.say("\n".join(in_words(call, summary, folder)))
    if crawl is not None:
        console.say(
            f"  A crawl of this corpus was running ({crawl}): what it has stored since then, the next build "
            "takes in"
        )
    empty = "empty" if call.portal.columns else "no archive"
    call.next("build", code if summary.articles or summary.incomplete else empty, form=form)
    return code


def _compare(call: Call, options: BuildOptions) -> ExitCode:
    from webarticlecurator.stages import build as corpus_build

    comparison = call.run(corpus_build.compare_build, options=options)
    in_text = part(" ({:,} of them in no word of the text)", comparison.same_words)
    changed, words = amount(comparison.changed, "document"), amount(comparison.words_gained, "word")
    lines = [
        f"{comparison.portal}: of {amount(comparison.articles, 'article')} {changed} would change{in_text}, "
        f"{comparison.new:,} be new, {comparison.gone:,} go; {words} gained, {comparison.words_lost:,} lost"
    ]
    lines += those_that_hold((comparison.incomplete, f"Incomplete: {comparison.incomplete}"))
    lines += each_number(comparison.outcomes, "  {:,} {}")
    rows = [{"field": name, **changes} for name, changes in comparison.fields.items()]
    lines += console.table("\nMetadata, in how many articles", rows, "field gained lost changed")
    changes = []
    for change in comparison.largest:
        changes.append(f"  {change.id}: +{change.gained:,} -{amount(change.lost, 'word')}: {change.url}")
        changes += prefixed("    ", change.diff)
    call.tell(comparison, [*lines, *console.listed("\nThe largest changes", changes)])
    differs = comparison.new or comparison.changed or comparison.gone or comparison.outcomes
    code = first_of((ExitCode.INCOMPLETE, comparison.incomplete), (ExitCode.FAILURES, differs))
    call.next("compare", code)
    return code


def of_build(summary: BuildSummary) -> ExitCode:
    """The exit code of a build."""
    failed = (
        summary.failures
        or summary.going_on
        or summary.kept
        or summary.not_applied
        or _is_without_document(summary)
    )
    return first_of(
        (ExitCode.DRIFT, summary.drifts),
        (ExitCode.INCOMPLETE, summary.incomplete),
        (ExitCode.FAILURES, failed),
    )


def _is_without_document(summary: BuildSummary) -> bool:
    """True if there is no document, although articles are stored, and none of them failed."""
    return bool(summary.articles) and not (
        summary.failures or summary.incomplete or DOCUMENTED & summary.outcomes.keys()
    )


def in_words(call: Call, summary: BuildSummary, corpus: Corpus) -> Iterator[str]:
    """Give what the screen says of a build."""
    yield (
        f"{summary.portal}: {amount(summary.articles, 'article')} stored: {'; '.join(_made(summary))}. "
        f"Corpus: {corpus.folder}"
    )
    for tell in (_outcomes, _what_lacks, _to_look_at):
        yield from prefixed("  ", tell(call, summary))
    yield from console.each("The layout seems to have changed: ", summary.drifts)
    yield from those_that_hold(
        (summary.unwatched, f"  Whether the layout has changed is not known: {summary.unwatched}"),
        (summary.incomplete, f"  Incomplete: {summary.incomplete}"),
    )
    yield from console.each("Failed: ", summary.failures)
    yield from prefixed("  Damaged: ", summary.kept)
    yield from console.each("Mended by hand, and not applied: ", summary.not_applied)
    again = f"then `curator crawl {call.typed} --recheck 3650d` asks for these articles again"
    yield from those_that_hold(
        (summary.kept, _AFTER_DAMAGE),
        (summary.not_applied, f"  {_AFTER_CHANGE.format(portal=call.typed)}"),
        (summary.going_on, f"  Failed: {summary.going_on}; {again}"),
    )
    if summary.problems:
        yield f"  {console.problems_in(corpus.problems)}"


_AFTER_DAMAGE = (
    "  The next crawl asks for these pages again; who deletes such a document by hand has none from the next "
    "build on"
)


_AFTER_CHANGE = (
    "`curator fix {portal}` lists what was mended: mend the value again, or take it back with --forget FIELD"
)


def _made(summary: BuildSummary) -> list[str]:
    """Tell how many documents were made, and how many were not."""
    return those_that_hold(
        (True, f"{amount(summary.written, 'document')} written"),
        (summary.confirmed, f"{summary.confirmed:,} made again and the same as before"),
        (summary.unchanged, f"{summary.unchanged:,} not made again, as neither page nor rules have changed"),
        (
            summary.untouched,
            f"{summary.untouched:,} not read again, as no changed rule can touch their pages",
        ),
        (summary.removed, f"{summary.removed:,} taken away"),
    )


def _outcomes(call: Call, summary: BuildSummary) -> Iterator[str]:
    """Tell the outcomes of articles, and the rules that left some out."""
    outcomes = [
        f"{summary.outcomes[outcome]:,} {outcome}" for outcome in PageOutcome if summary.outcomes.get(outcome)
    ]
    yield from those_that_hold((summary.outcomes, f"Outcomes: {', '.join(outcomes)}"))
    for rule, (number, url) in summary.skipped.items():
        articles = agreeing(number, "article", "articles")
        yield f"No {articles} by {rule}: {amount(number, 'page')}, such as {url}"
    reason = "by the portal file no page is an article (`articles.skip`?)"
    yield from those_that_hold(
        (
            _is_without_document(summary),
            f"No document: {reason}; `curator try {call.typed} URL` shows why",
        )
    )


def _what_lacks(call: Call, summary: BuildSummary) -> Iterator[str]:
    """Tell the fields that no document has, or not all."""
    yield from prefixed("So many documents say it that it may be the portal's: ", summary.portal_values)
    documents = sum(summary.outcomes.get(outcome, 0) for outcome in DOCUMENTED)
    nowhere = [field for field, without in summary.lacking.items() if without == documents]
    where = (
        "where only the list of articles shows it, `archive.fields` gets it, else one of `metadata` "
        "(docs/how-to/article-rules.md#metadata)"
    )
    yield from those_that_hold((nowhere, f"No document has {' or '.join(nowhere)}: {where}"))
    for field, without in summary.lacking.items():
        if field not in nowhere:
            yield (
                f"{without:,} of {documents:,} documents have no {field}: `curator audit {call.typed}` names "
                "some"
            )


def _to_look_at(call: Call, summary: BuildSummary) -> Iterator[str]:
    """Tell rules that give nothing, doubts, and values that are odd."""
    rules = ", ".join(f"`{rule}`" for rule in summary.fruitless)
    try_it = f"`curator try {call.typed} URL` shows what there is to pick"
    yield from those_that_hold((rules, f"The portal file's {rules} gave nothing in any document: {try_it}"))
    yield from (
        f"To look at: {doubt}; `curator try {call.typed} {shlex.quote(url)}`"
        for doubt, url in summary.doubts.items()
    )
    for odd, (number, example) in summary.odd_values.items():
        yield (
            f"In {amount(number, 'document')} {odd}, such as {example!r}; look at `metadata` in the portal "
            "file"
        )
