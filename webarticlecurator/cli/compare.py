"""The corpus beside others: `curator compare` (other readers of the same pages) and `curator coverage` (a web
archive of its portal)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from webarticlecurator.amounts import amount, count, each_number, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, Contact, command, option, output_option
from webarticlecurator.cli.page_sources import existing, required_contact
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.urls import bare_host, is_http


@command()
def compare(
    call: Call,
    sample: Annotated[int, option("--sample", "So many articles, the same every time.", "N", least=1)] = 500,
    whole: Annotated[bool, option("--all", "Every article.")] = False,
    limit: Annotated[
        float, option("--limit", "A reader that takes longer for a page is ended.", "SECONDS", least=0.1)
    ] = 20.0,
    expectations: Annotated[
        bool, option("--expectations", "Hold metadata against tests.yaml, for its pages alone.")
    ] = False,
    output: Annotated[
        Path | None, output_option("Write the page there.  [default: reports/compare.html in the corpus]")
    ] = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator compare portal.yaml                     500 articles beside each reader that is installed
      curator compare portal.yaml --all               every article
      curator compare portal.yaml --expectations      are their metadata what a person confirmed in tests.yaml?

    Have trafilatura, jusText, readability-lxml and newspaper4k read the stored pages, and hold what they say against the built
    articles: words of the whole page, of the container alone and of what we keep alone; text in common; words that only one of
    both has; authors, titles, dates, keywords. `pip install 'webarticlecurator[compare]'` installs them.
    """
    from webarticlecurator.corpus.folder import corpus_of, write_whole
    from webarticlecurator.report.readers_page import readers_page
    from webarticlecurator.stages import compare as corpus_compare
    from webarticlecurator.storage.places import url_of

    place = output or corpus_of(call.portal, call.corpus).folder / "reports" / "compare.html"
    how: dict[str, Any] = {
        "sample": None if whole or expectations else sample,
        "seconds": limit,
        "expectations": expectations,
    }
    made = call.run(corpus_compare.compare, **how)
    write_whole(place, readers_page(made))
    code = ExitCode.OK if made.complete else ExitCode.INCOMPLETE
    ended = text_if(not made.complete, "; it was interrupted")
    tools = ", ".join(row.tool for row in made.tools)
    lines = [f"{made.portal}: {made.pages:,} of {amount(made.articles, 'article')} beside {tools}{ended}"]
    lines += each_number(made.left_out, "  left out: {:,} {}")
    for tool in made.tools:
        lines += [
            f"  {tool.tool} gave nothing of {amount(number, 'page')}: {why}"
            for why, number in tool.failures.items()
        ]
    words = "reader page page_with_metadata container container_with_metadata kept kept_with_metadata"
    lines += console.table(
        "\nWords, given the whole page, its container alone, what is kept alone", made.words, words
    )
    lines += console.table(
        "\nText of the whole page, held against the corpus", made.text, "reader precision recall f1"
    )
    lines += console.table(
        f"\nMetadata, held against {made.truth}", made.metadata, "reader field precision recall said wanted"
    )
    call.tell({"exit_code": int(code), "page": url_of(place), **made}, lines)
    for name in made.missing:
        console.say(f"{name} is left out, since it is not installed: pip install {name}")
    call.next("compare", page=url_of(place))
    return code


@command()
def coverage(
    call: Call,
    cdx: Annotated[
        list[str], option("--cdx", "An index: CDX or CDXJ, or the address of an index server.", "FILE|URL")
    ],
    output: Annotated[
        Path | None, output_option("The page.  [default: coverage/coverage.html in the corpus]")
    ] = None,
    contact: Contact = None,
) -> ExitCode:
    """
    \b
    Examples:
      curator coverage portal.yaml --cdx pelda.cdx.gz
      curator coverage portal.yaml --cdx https://web.archive.org/cdx/search/cdx
      curator coverage portal.yaml --cdx https://index.commoncrawl.org/CC-MAIN-2024-10-index

    Hold the corpus of PORTAL against the index of a web archive: which articles are in both, which in one alone, by year and column, and
    how soon the archive had them. A capture is of an article if the portal's `urls` rules say so, and its status and type say that it is a
    page. An index server is asked for the portal's hosts, page by page, and what came is kept: the same command goes on where it was.
    `curator crawl PORTAL --from-archive` gets what only the archive has.
    """
    from webarticlecurator.stages import coverage as corpus_coverage

    for source in cdx:
        if not is_http(source):
            existing(Path(source))
    who = required_contact(
        (), contact, command="coverage", hosts=[bare_host(source) for source in cdx if is_http(source)]
    )
    counted = call.run(corpus_coverage.coverage, cdx, output=output, contact=who)
    for trouble in counted["troubles"]:
        console.complain(f"{trouble}.")
    code = first_of((ExitCode.INCOMPLETE, counted["troubles"]))
    totals = counted["totals"]
    lines = list(_in_words(counted))
    call.tell(
        {"exit_code": int(code), **counted}, [*lines, f"Only in the archive: {counted['only_theirs_file']}"]
    )
    console.say(f"The picture is in {shlex.quote(counted['report'])}")
    call.next("coverage", code or ("theirs" if totals.only_theirs else "nothing"))
    return code


def _in_words(counted: Mapping[str, Any]) -> Iterator[str]:
    """Give what the screen says of a comparison with a web archive."""
    totals, both = counted["totals"], amount(counted["totals"].both, "article")
    yield (
        f"{counted['portal']}: {both} in both, {totals.only_ours:,} only in the corpus, "
        f"{totals.only_theirs:,} only in the archive"
    )
    if totals.days is not None:
        yield f"  Half of those in both were captured within {count(totals.days)} days of their publication."
    for title, by, first, nameless in (
        ("By year:", "years", "year", "no date"),
        ("By column that lists them:", "columns", "column", "in none"),
    ):
        rows = [
            {**row, first: row.name or nameless, "days": "" if row.days is None else count(row.days)}
            for row in counted[by]
        ]
        yield from console.table(title, rows, f"{first} both only_ours only_theirs days")
    yield "Lines of the indexes:"
    yield from console.aligned([[f"{number:,}", what] for what, number in counted["lines"].items()])
    any_page = "every page of its hosts counts as an article of the archive."
    yield from those_that_hold(
        (counted["any_page_counts"], f"  The portal file has no urls.only: {any_page}")
    )
