"""`curator build`: stored WARC to TEI documents, and how that ended in sentences for a person and as JSON for a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from webarticlecurator.amounts import amount, unread_comments
from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import Cluster, CorpusFolder, Jobs, PortalName
from webarticlecurator.cli.exit_codes import ExitCode, of_build, of_comparison
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError
from webarticlecurator.model.outcome import PageOutcome

if TYPE_CHECKING:
    from webarticlecurator.building.options import BuildOptions, BuildSummary, Change, Comparison
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.folder import Corpus

Result = TypeVar("Result")
_LISTED = 5
_TAGS = 20


def build(
    portal: PortalName,
    everything: Annotated[bool, typer.Option("--all", help="Build every article again, changed or not.")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Say what a build would change; write nothing.")] = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    zipped: Annotated[
        bool, typer.Option("--zip", help="Zip files of at most 10,000 documents by date, with an index, instead of a file an article.")
    ] = False,
    files: Annotated[bool, typer.Option("--files", help="A file an article again, where documents lie in zip files.")] = False,
    template: Annotated[
        str, typer.Option("--template", metavar="TEMPLATE", help="The TEI header: one that came with curator, or a file of yours.")
    ] = "default",
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
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
    from webarticlecurator import corpus_build
    from webarticlecurator.building.options import BuildOptions
    from webarticlecurator.corpus.folder import corpus_of
    from webarticlecurator.corpus.lock import running

    form = "".join(f" --{name}" for name, flag in (("zip", zipped), ("files", files)) if flag)
    if compare and form:
        raise UsageError(f"--compare writes nothing, so{form} does not go with it: leave one of them out.")
    (loaded,) = arguments.load_portals([portal])
    options = BuildOptions(jobs=jobs, cluster=cluster, everything=everything, zip=zipped, files=files, template=template)
    typed = arguments.as_typed(portal, corpus)
    if compare:
        comparison = _watched(corpus_build.compare_build, loaded, corpus, options)
        console.report(comparison, _comparison_in_words(comparison), as_json=as_json)
        console.say(f"\nNext: {_after_comparison(comparison, typed)}")
        raise typer.Exit(of_comparison(comparison))
    folder = corpus_of(loaded, corpus)
    crawl = running(folder.crawl_lock)
    summary = run(loaded, corpus, options)
    if as_json:
        console.data_json(_as_json(summary, folder))
    console.say("\n".join(arguments.with_portal(line, typed) for line in in_words(summary, folder)))
    if crawl is not None:
        console.say(f"  A crawl of this corpus was running ({crawl}): what it has stored since then, the next build takes in")
    console.say(f"  Next: {_next_command(summary, typed, form, has_archive=bool(loaded.columns))}")
    raise typer.Exit(of_build(summary))


def run(portal: Portal, corpus: Path | None, options: BuildOptions) -> BuildSummary:
    """Build with progress on the terminal and Ctrl-C in order."""
    from webarticlecurator import corpus_build

    return _watched(corpus_build.build, portal, corpus, options)


def _watched(work: Callable[..., Result], portal: Portal, corpus: Path | None, options: BuildOptions) -> Result:
    """Do it with progress on the terminal and Ctrl-C in order."""
    with at_work() as (stop, progress):
        return work(portal, corpus=corpus, options=options, progress=progress, stop=stop)


def _as_json(summary: BuildSummary, corpus: Corpus) -> dict[str, Any]:
    """The summary for a program."""
    first = {"portal": summary.portal, "exit_code": int(of_build(summary)), "corpus": str(corpus.folder)}
    return {**first, **asdict(summary), "problems_file": str(corpus.problems) if summary.problems else None}


def in_words(summary: BuildSummary, corpus: Corpus) -> list[str]:
    """The summary for a person, line by line."""
    counts = (
        f"{amount(summary.articles, 'article')} stored, {summary.unchanged:,} of them unchanged since the last build; "
        f"{amount(summary.written, 'document')} written,"
        f" {summary.confirmed:,} found to be right as they are, {summary.removed:,} taken away"
    )
    outcomes = ", ".join(f"{summary.outcomes[outcome]:,} {outcome}" for outcome in PageOutcome if summary.outcomes.get(outcome))
    lines = [f"{summary.portal}: {counts}. Corpus: {corpus.folder}"]
    lines += [f"  Outcomes: {outcomes}"] if outcomes else []
    lines += _edited(summary)
    if summary.addresses_of_one is not None:
        articles = amount(summary.under_several_addresses, "article has", "articles have")
        lines.append(f"  {articles} documents under several addresses, such as {' and '.join(summary.addresses_of_one)}")
    lines += [f"  {amount(summary.lost_addresses, 'address', 'addresses')} could not be written"] if summary.lost_addresses else []
    lines += [f"  Left out of documents, since so many pages say it: {told}" for told in summary.portal_values]
    lines += (
        [f"  {amount(summary.missing_pages, 'article lacks', 'articles lack')} a page; their documents say which"]
        if summary.missing_pages
        else []
    )
    lines += [f"  {amount(number, 'article')}: {told}" for told, number in summary.index_posts.items()]
    nameless, page = summary.nameless_posts
    lines += (
        [
            f"  {amount(nameless, 'post on index pages has', 'posts on index pages have')} no address (posts.blog.url), so"
            f" {'it is' if nameless == 1 else 'they are'} in no article: {page}"
        ]
        if nameless
        else []
    )
    lines += [f"  The layout seems to have changed: {drift}" for drift in summary.drifts[:_LISTED]]
    lines += [f"  Whether the layout has changed is not known: {summary.unwatched}"] if summary.unwatched else []
    lines += [f"  Incomplete: {summary.incomplete}"] if summary.incomplete else []
    lines += [f"  Failed: {reason}" for reason in summary.failures[:_LISTED]]
    more = len(summary.failures) - _LISTED
    lines += [f"  Failed: and for {amount(more, 'more reason')}"] if more > 0 else []
    lines += [f"  Perhaps not whole: {summary.going_on}; `curator audit` shows the rule to write"] if summary.going_on else []
    lines += [f"  {outside}" for outside in summary.outside]
    if summary.unread_comment_words:
        left_out = unread_comments(summary.unread_comment_words, summary.unread_comment_articles)
        lines.append(f"  {left_out}; where no rule reads any, `curator learn` proposes one")
    lines += [f"  {amount(summary.problems, 'problem')} for a human: {corpus.problems}"] if summary.problems else []
    return lines


def _edited(summary: BuildSummary) -> list[str]:
    """Which text of what was stored again is another, and where all are to be seen."""
    if not summary.stored_again:
        return []
    again = amount(summary.stored_again, "article was stored again", "articles were stored again")
    more = summary.text_changed - len(summary.changed_urls)
    urls = f": {', '.join(summary.changed_urls)}" if summary.changed_urls else ""
    others = f" and {more:,} more; `curator export --to csv --where text_changed!=` lists all" if more > 0 else ""
    return [f"  {again} with other bytes, {summary.text_changed:,} of them with another text{urls}{others}"]


def _next_command(summary: BuildSummary, portal: str, form: str, *, has_archive: bool) -> str:
    """The most useful thing to do now; `portal` is how a command names the portal and its corpus, `form` how documents are to lie."""
    if not (summary.articles or summary.incomplete):
        stores = f"`curator crawl {portal}` gets" if has_archive else f"`curator warc import {portal} FILES` takes in"
        return f"{stores} articles: nothing is stored that documents could be made of"
    return {
        ExitCode.DRIFT: f"`curator watch {portal}` shows the pages before and after",
        ExitCode.INCOMPLETE: f"`curator build {portal}{form}` goes on",
        ExitCode.FAILURES: f"`curator try {portal} URL` on one that failed shows what the rules make of it",
        ExitCode.OK: f"`curator audit {portal}` looks for text that the rules lose; `curator build {portal} --compare`, whenever they"
        " were changed, says what that would do",
    }[of_build(summary)]


def _after_comparison(comparison: Comparison, portal: str) -> str:
    """What to do now that this is known."""
    if comparison.incomplete:
        return f"`curator build {portal} --compare` again, to its end"
    return f"`curator build {portal}` does it" if comparison.differs else f"`curator build {portal}` would change nothing"


def _comparison_in_words(comparison: Comparison) -> Iterator[str]:
    """What a build would do, for a person, line by line."""
    yield (
        f"{comparison.portal}: of {amount(comparison.articles, 'article')} {amount(comparison.changed, 'document')} would change"
        f"{f' ({comparison.same_words:,} of them in no word of the text)' if comparison.same_words else ''}, "
        f"{comparison.new:,} be new, {comparison.gone:,} go;"
        f" {amount(comparison.words_gained, 'word')} gained, {comparison.words_lost:,} lost"
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
        yield from ("", f"{amount(len(comparison.undecided), 'tag')} that no rule decides, not there or decided before")
        yield from (f"  {tag}" for tag in comparison.undecided[:_TAGS])
    if comparison.largest:
        yield from ("", "The largest changes")
        for change in comparison.largest:
            yield from _change(change)


def _change(change: Change) -> Iterator[str]:
    yield f"  {change.id}: +{change.gained:,} -{amount(change.lost, 'word')}: {change.url}"
    yield from (f"    {line}" for line in change.diff)
