"""`curator compare`: the built corpus beside what other readers make of the same pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import STDOUT, Call, command, option, output_option
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.errors import UsageError


@command()
def compare(
    call: Call,
    sample: Annotated[int, option("--sample", "So many articles, the same every time.", "N", least=1)] = 500,
    whole: Annotated[bool, option("--all", "Every article.")] = False,
    limit: Annotated[float, option("--limit", "A reader that takes longer for a page is ended.", "SECONDS", least=0.1)] = 20.0,
    expectations: Annotated[bool, option("--expectations", "Hold metadata against tests.yaml, for its pages alone.")] = False,
    output: Annotated[Path | None, output_option("Write the page there.  [default: reports/compare.html in the corpus]")] = None,
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
    from webarticlecurator import corpus_compare
    from webarticlecurator.corpus.folder import corpus_of, write_whole
    from webarticlecurator.report.pages import page
    from webarticlecurator.storage.places import url_of

    if output == STDOUT:
        raise UsageError("A comparison is a page for the browser: name its file, -o compare.html. --json prints all that it shows.")
    place = output or corpus_of(call.portal, call.corpus).folder / "reports" / "compare.html"
    number = None if whole or expectations else sample
    with call.work() as (stop, progress):
        made = corpus_compare.compare(
            call.portal, corpus=call.corpus, sample=number, seconds=limit, expectations=expectations, progress=progress, stop=stop
        )
    write_whole(place, page("compare.html", frames=True, made=made).encode("utf-8", "replace"))
    code = ExitCode.OK if made.complete else ExitCode.INCOMPLETE
    ended = "" if made.complete else "; it was interrupted"
    tools = ", ".join(row.tool for row in made.tools)
    lines = [f"{made.portal}: {made.pages:,} of {amount(made.articles, 'article')} beside {tools}{ended}"]
    lines += [f"  left out: {number:,} {why}" for why, number in made.left_out.items()]
    for tool in made.tools:
        lines += [f"  {tool.tool} gave nothing of {amount(number, 'page')}: {why}" for why, number in tool.failures.items()]
    words = "reader page page_with_metadata container container_with_metadata kept kept_with_metadata"
    lines += console.table("\nWords, given the whole page, its container alone, what is kept alone", made.words, words)
    lines += console.table("\nText of the whole page, held against the corpus", made.text, "reader precision recall f1")
    lines += console.table(f"\nMetadata, held against {made.truth}", made.metadata, "reader field precision recall said wanted")
    call.tell({"exit_code": int(code), "page": url_of(place), **made}, lines)
    for name in made.missing:
        console.say(f"{name} is left out, since it is not installed: pip install {name}")
    call.next("compare", page=url_of(place))
    return code
