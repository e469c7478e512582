"""`curator coverage`: which of the portal's articles a web archive holds, in a table, as a page, and as a list of what only it has."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from webarticlecurator.amounts import amount, count
from webarticlecurator.cli import console
from webarticlecurator.cli.command import STDOUT, Call, Contact, command, option, output_option, refuse
from webarticlecurator.cli.page_sources import existing, required_contact
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.urls import bare_host, is_http


@command()
def coverage(
    call: Call,
    cdx: Annotated[list[str], option("--cdx", "An index: CDX or CDXJ, or the address of an index server.", "FILE|URL")],
    output: Annotated[Path | None, output_option("The page.  [default: coverage/coverage.html in the corpus]")] = None,
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
    from webarticlecurator import corpus_coverage

    refuse((output == STDOUT, "What -o writes is a page for the browser: name its file, -o coverage.html."))
    for source in cdx:
        if not is_http(source):
            existing(Path(source))
    servers = [bare_host(source) for source in cdx if is_http(source)]
    who = required_contact((), contact, command="coverage", hosts=servers)
    with call.work() as (stop, progress):
        counted = corpus_coverage.coverage(call.portal, cdx, corpus=call.corpus, output=output, contact=who, progress=progress, stop=stop)
    for trouble in counted["troubles"]:
        console.complain(f"{trouble}.")
    code = first_of((ExitCode.INCOMPLETE, counted["troubles"]))
    totals, both = counted["totals"], amount(counted["totals"].both, "article")
    lines = [f"{counted['portal']}: {both} in both, {totals.only_ours:,} only in the corpus, {totals.only_theirs:,} only in the archive"]
    if totals.days is not None:
        lines.append(f"  Half of those in both were captured within {count(totals.days)} days of their publication.")
    for title, by, first in (("By year:", "years", "year"), ("By column that lists them:", "columns", "column")):
        named = ((row, row.name or ("no date" if by == "years" else "in none")) for row in counted[by])
        rows = [{**row, first: name, "days": "" if row.days is None else count(row.days)} for row, name in named]
        lines += console.table(title, rows, f"{first} both only_ours only_theirs days")
    lines += ["Lines of the indexes:", *console.aligned([[f"{number:,}", what] for what, number in counted["lines"].items()])]
    if counted["any_page_counts"]:
        lines.append("  The portal file has no urls.only: every page of its hosts counts as an article of the archive.")
    call.tell({"exit_code": int(code), **counted}, [*lines, f"Only in the archive: {counted['only_theirs_file']}"])
    console.say(f"The picture is in {shlex.quote(counted['report'])}")
    call.next("coverage", code or ("theirs" if totals.only_theirs else "nothing"))
    return code
