"""`curator audit`: what the rules lost, what they kept that should not be there, and (`--archive`) which
articles the walks missed.

`curator watch`: whether the articles still look as they did; what changed, since when, and what could be
done.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

from webarticlecurator.amounts import amount, each_number, part, prefixed, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import (
    Again,
    Call,
    Contact,
    WarcFiles,
    command,
    option,
    output_option,
)
from webarticlecurator.cli.page_sources import doubtful_documents, file_flags, required_contact, survey_pages
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.databases import Row
from webarticlecurator.errors import UsageError, refuse
from webarticlecurator.model.proposals import Plain

_SAMPLE = 2_000
"""Pages."""
_OF_A_KIND, _ROWS, _UNLISTED, _BESIDE = 6, 15, 25, 9
_EXAMPLES = 3
"""Documents that are named for one doubt."""
_SMALL_SAMPLE = "  A small sample: below 20 pages little can be seen, and what is seen may be an accident."
"""Said of findings on few pages."""


@command(workers=True)
def audit(
    call: Call,
    warc: WarcFiles = (),
    sample: Annotated[int, option("--sample", "So many pages, some of every year.", "N", least=1)] = _SAMPLE,
    again: Again = False,
    archive: Annotated[
        bool, option("--archive", "Look for articles that the archive's walks missed.")
    ] = False,
    fetch: Annotated[
        bool, option("--fetch", "With --archive: ask the site for its feeds and sitemaps.")
    ] = False,
    contact: Contact = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator audit portal.yaml                        what is lost, and what should not be there?
      curator audit portal.yaml --sample 1000000       every page, where 2,000 are not enough
      curator audit portal.yaml --warc old.warc.gz     without a corpus
      curator audit portal.yaml --json                 one JSON object, for programs
      curator audit portal.yaml --archive              is an article missing?
      curator audit portal.yaml --archive --fetch      ask for the site's feeds and sitemaps first

    Read the stored articles of PORTAL by its rules and without them, and look for what the rules do wrong: text that only the
    general reader keeps, or only the rules; the same text in many articles; comments that are not read; metadata that are
    missing in some years; rules that never match. Of built documents it tells what can hardly be true: dates behind the
    capture, no headline, one headline or sentence of many, authors who are none. Each finding has its amount, examples,
    and what to do. After them comes the account of all that was kept and dropped. With --archive, compare what the corpus
    knows with the articles that the site's feeds and sitemaps name (read by --fetch, and kept beside the corpus). Each of
    these must be known. The exit code is 0 when nothing was found, 1 when something was, or when what is compared could
    not be fetched whole.
    """
    from webarticlecurator.survey.audit.findings import AuditQuestion, audit_of

    portal = call.portal
    refuse(
        (
            archive and (warc or again or sample != _SAMPLE),
            "--archive compares a whole corpus with its ledger: leave out --warc, --again and --sample.",
        ),
        (
            fetch and not archive,
            "--fetch asks the site for its feeds and sitemaps, which only --archive compares: say both.",
        ),
    )
    if archive:
        return _compare_archive(call, contact, fetch=fetch)
    counts, pages_read, of_pages, complete = survey_pages(
        call, AuditQuestion(portal), phase="audit", warcs=warc, sample=sample, again=again
    )
    if not of_pages:
        where = "these WARC files" if warc else "the corpus"
        raise UsageError(
            f"There is no article page in {where}: nothing to look at. `curator status` says what a corpus "
            "holds."
        )
    with closing(counts):
        made = audit_of(counts, portal, of_pages=of_pages)
    made["documents"] = doubtful_documents(call, warc, _EXAMPLES)
    has_findings = bool(made.findings or made.documents)
    code = first_of((ExitCode.INCOMPLETE, not complete), (ExitCode.FAILURES, has_findings or not made.pages))
    call.tell({"portal": made.portal, "exit_code": int(code), "complete": complete, **made}, _in_words(made))
    if not complete:
        console.say(f"Interrupted after {amount(pages_read, 'page')}: the audit is of these.")
    pages = file_flags("--warc", warc)
    url = next(
        (example.url for finding in (*made.findings, *made.documents) for example in finding.examples), None
    )
    situation = first_that_holds({"findings": url is not None, "again": has_findings or pages, "well": True})
    call.next("audit", situation, url=url, pages=pages)
    return code


def _in_words(audit: Row) -> Iterator[str]:
    """The findings, the most costly first, then the account."""
    of_pages = text_if(audit.pages < audit.of_pages, f" of {amount(audit.of_pages, 'stored page')}")
    pages = f"{amount(audit.pages, 'article')}{of_pages}"
    result = amount(len(audit.findings), "finding") if audit.findings else "nothing found"
    yield (
        f"{audit.portal}: {pages} looked at, {amount(audit.words_kept, 'word')} kept, "
        f"{audit.words_dropped:,} dropped: {result}"
    )
    yield from those_that_hold((audit.small_sample, _SMALL_SAMPLE))
    # Of a kind not too many: where the container is wrong, all of the page's furniture is a finding.
    shown_of_kind: Counter[str] = Counter()
    for finding in audit.findings:
        shown_of_kind[finding.kind] += 1
        if shown_of_kind[finding.kind] <= _OF_A_KIND:
            yield from ("", *_finding(finding))
    more = sum(max(0, number - _OF_A_KIND) for number in shown_of_kind.values())
    yield from those_that_hold(
        (more, f"\nAnd {amount(more, 'more finding')} of these kinds; --json has them all.")
    )
    if audit.documents:
        yield from (
            "",
            "Of documents this can hardly be true; `curator build` looks for it, and `problems.jsonl` lists "
            "all of them:",
        )
        for doubt in audit.documents:
            yield f"  {doubt.message}"
            yield from (f"     {example.url}" for example in doubt.examples)
    if audit.metadata:
        yield from (
            "",
            f"Metadata: of {amount(audit.pages, 'article')} so many have a value, in percent",
            *_metadata(audit),
        )
    yield from console.table("\nThe account", audit.years, "layout year pages words_kept words_dropped")
    yield from console.table("\nDropped, by rule", audit.dropped[:_ROWS], "words pages tag rule")
    yield from console.table(
        "\nKept, though no rule decides the tag", audit.undecided[:_ROWS], "words pages tag"
    )
    yield from console.listed("\nRules that matched nothing", prefixed("  ", audit.unmatched_rules))
    passed = ", ".join(each_number(audit.passed_over))
    yield from those_that_hold(
        (passed, f"\nPassed over, since they are no articles or cannot be read: {passed}")
    )


def _finding(finding: Row) -> Iterator[str]:
    yield f"{finding.kind}: {finding.message}"
    first_and_last = dict.fromkeys([*finding.years[:1], *finding.years[-1:]])
    amounts = those_that_hold(
        (True, f"{finding.pages:,} of {amount(finding.of_pages, 'page')} ({finding.share:.0%})"),
        (finding.words, amount(finding.words, "word")),
        (finding.layout, f"layout {finding.layout}"),
        (first_and_last, " to ".join(map(str, first_and_last))),
    )
    yield f"   {', '.join(amounts)}"
    yield from those_that_hold(
        (finding.rule not in finding.message, f"   rule: {finding.rule}"),
        (True, f"   {finding.advice}"),
    )
    for example in finding.examples:
        yield from those_that_hold((True, f"     {example.url}"), (example.text, f"       {example.text}"))


def _metadata(audit: Row) -> Iterator[str]:
    """Yield the metadata by field and year; so many years beside one another as there is room for on most
    terminals."""

    def percent(filled: int, pages: int) -> str:  # 100 means all of them, 0 none
        return "<1" if 0 < filled * 100 < pages else str(filled * 100 // pages)

    filled = sum((Counter(row.filled) for row in audit.metadata), Counter[str]())
    columns = [("all", filled, audit.pages)]
    columns += [(str(row.year or "n.d."), Counter(row.filled), row.pages) for row in audit.metadata]
    fields = list(audit.metadata[0].filled)
    for at in range(0, len(columns), _BESIDE):
        shown = columns[at : at + _BESIDE]
        cells = [(name, *(percent(counts[name], pages) for _, counts, pages in shown)) for name in fields]
        yield from console.aligned([("field", *(heading for heading, _, _ in shown)), *cells])


def _compare_archive(call: Call, contact: str | None, *, fetch: bool) -> ExitCode:
    """Compare the corpus with the archive. `fetch`: feeds and sitemaps are asked for before."""
    from webarticlecurator.stages import survey as corpus_survey

    if fetch:
        call.run(
            corpus_survey.read_site_sources, contact=required_contact([call.portal], contact, command="audit")
        )
    made = call.run(corpus_survey.compared)
    failed = any(source["failed"] for source in made["sources"])
    has_findings = made["total"] or made["gaps"] or failed
    code = first_of(
        (ExitCode.INCOMPLETE, made["unasked"] or not made["complete"]), (ExitCode.FAILURES, has_findings)
    )
    call.tell(
        {"exit_code": int(code), **made, "complete": made["complete"] and not failed},
        _comparison_in_words(made),
    )
    if not made["complete"]:
        console.say("Interrupted: not all that the site names was compared.")
    is_read = any(source["read"] or source["looked_at"] for source in made["sources"])
    ends = {
        "missing": made["total"] or made["gaps"],
        "unasked": made["unasked"],
        "failed": failed,
        "well": is_read,
        "unread": True,
    }
    call.next("audit archive", first_that_holds(ends))
    return code


def _comparison_in_words(made: Row) -> Iterator[str]:
    """Say what the site names, and which of it the ledger does not know."""
    yield f"{made['portal']}: the ledger beside the site's own feeds and sitemaps"
    for source in made["sources"]:
        yield from _source(source)
    are_named = any(source["named"] for source in made["sources"])
    are_others = made["at_the_edge"] or any(source["left_out"] for source in made["sources"])
    results = {
        f"Not in the ledger: {made['total']:,}": made["total"],
        "So this says nothing of whether an article is missing.": not are_named,
        "All others are in the ledger.": are_others,
        "All of these are in the ledger.": True,
    }
    yield first_that_holds(results)
    yield from console.each("Missing: ", made["gaps"])
    yield from console.each("Incomplete: ", made["unasked"])
    for article in made["unlisted"][:_UNLISTED]:
        yield from (f"  {article.url}", *prefixed("    named by ", article.seen_on))
    yield from console.more(made["total"] - _UNLISTED, "--json names them")
    where = "perhaps beyond the beginning or the end of the archive that the portal file describes"
    edge = f"Not in the ledger either, but {where}: {made['at_the_edge']:,}"
    yield from those_that_hold((made["at_the_edge"], edge))


def _source(source: dict[str, Any]) -> Iterator[str]:
    """Give what a source names, and how much of that is known; why, where it could not be fetched."""
    if source["failed"]:
        how_much, compared = (
            ("all ", "compared is what came")
            if source["fetched_at"]
            else ("", "nothing came that could be compared")
        )
        name = "sitemaps" if source["source"] == "sitemap" else "feed"
        yield f"The {name} could not {how_much}be fetched: {source['failed']}; {compared}"
        if source["fetched_at"] is None:
            return
    if source["looked_at"]:
        yield f"No {source['source']} was found: {', '.join(source['looked_at'])}"
        return
    left = source["named"] - source["known"] - source["missing"]
    missing = amount(source["missing"], "is", "are")
    parts = those_that_hold(
        (True, f"{amount(source['known'], 'is', 'are')} in the ledger"),
        (True, f"{missing} not ({source['share']:.1%})"),
        (left, f"{left:,} may lie beyond the archive's beginning or end"),
    )
    names = "The sitemaps name" if source["source"] == "sitemap" else "The feed names"
    yield f"{names} {amount(source['named'], 'article')}: {', '.join(parts)}"
    like = amount(
        source["left_out"], "address like those of articles is", "addresses like those of articles are"
    )
    others = ", ".join(f"{number:,} such as {url}" for number, url in source["others"][:5])
    yield from those_that_hold(
        (source["read"], f"  read so far: {source['read']}"),
        (
            source["left_out"],
            f"  {like} left out by the portal file, such as {source['left_out_such_as']}",
        ),
        (others, f"  passed over, since no article of the portal has such an address: {others}"),
    )


@command()
def watch(
    call: Call,
    output: Annotated[Path | None, output_option("Write a page that shows the pages of each drift.")] = None,
    sample: Annotated[
        int, option("--sample", "Look at about N articles of all times, beside the newest.", "N", least=20)
    ] = 400,
) -> ExitCode:
    """
    \b
    Examples:
      curator watch portal.yaml                        do the articles still look as they did?
      curator watch portal.yaml -o drift.html          the pages before and after side by side, for the browser
      curator watch portal.yaml --sample 2000          look more closely
      curator watch portal.yaml --json                 one JSON object, for programs

    Look at the built articles of PORTAL in the order of their dates, and at some of their stored pages: did the layout change, so that
    the rules lose text, keep what is not the article's, or find no metadata any more? What is told as a change goes on from some
    article to the newest ones; a single odd page is none. It names the first article and the pages around it, which -o shows side by
    side, and proposes an entry of `layouts`. Every build looks at the newest articles by itself. The exit code is 5 where the layout
    seems to have changed.
    """
    from webarticlecurator.corpus.folder import write_whole
    from webarticlecurator.stages import watch as corpus_watch

    summary = call.run(corpus_watch.watch, sample=sample, with_html=output is not None)
    if output is not None:
        from webarticlecurator.report.pages import page

        write_whole(
            output, page("drift.html", frames=True, summary=summary, entry=_entry).encode("utf-8", "replace")
        )
    code = first_of((ExitCode.DRIFT, summary.drifts), (ExitCode.INCOMPLETE, not summary.complete))
    for shown in (shown for drift in summary.drifts for shown in drift.pages):
        del shown["html"]
    lines = [f"{summary.portal}: {_result_of_watch(summary)}"]
    for number, drift in enumerate(summary.drifts, start=1):
        lines += _drift_in_words(number, drift)
    call.tell({"exit_code": int(code), **summary}, lines)  # a layout is null where the base rules are meant
    if output is not None:
        console.say(f"The pages are shown in {shlex.quote(str(output))}")
    call.next("watch", code, **({"url": summary.drifts[-1].url} if code is ExitCode.DRIFT else {}))
    return code


def _result_of_watch(summary: Row) -> str:
    articles = (
        f"{summary.articles:,} of {amount(summary.of_articles, 'article')} looked at, and the pages of "
        f"{summary.pages:,}"
    )
    count = len(summary.drifts)
    results = {
        "interrupted, so nothing can be said": not summary.complete,
        "the layout seems to have changed once": count == 1,
        f"the layout seems to have changed {amount(count, 'time')}": count,
        "too few to say whether the layout has changed": summary.too_few,
        "no sign that the layout has changed": True,
    }
    return f"{articles}: {first_that_holds(results)}"


def _drift_in_words(number: int, drift: Row) -> Iterator[str]:
    """Say where the layout changed, by which signs, and which entry of `layouts` may be right."""
    where = part(", layout {}", drift.layout)
    yield from (
        "",
        f"{number}. From {drift.day[:10] or 'an article without a date'} on{where}: {drift.url}",
        f"   {drift.headline}",
    )
    yield from prefixed("   - ", drift.signs)
    for page in drift.pages:
        yield f"   {page.role} ({page.day[:10] or 'no date'}, {amount(page.words, 'word')} kept): {page.url}"
    if drift.proposal is None:
        yield f"   No entry of `layouts` can be proposed: {drift.proposed_for}"
    else:
        yield f"   An entry of `layouts`, {drift.proposed_for}:"
        yield from prefixed("     ", _entry(drift.proposal).splitlines())


def _entry(proposal: Mapping[str, Plain]) -> str:
    import yaml

    entry: str = yaml.safe_dump([dict(proposal)], allow_unicode=True, sort_keys=False)
    return entry
