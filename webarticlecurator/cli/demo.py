"""`curator demo`: a small portal on this machine, crawled from the first page to the last, and made into TEI."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from webarticlecurator.cli import arguments, build, build_report, console, crawl
from webarticlecurator.cli.exit_codes import first_of, of_build, of_crawl
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.errors import UsageError


def demo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the portal file and the corpus go.")] = Path("curator-demo"),
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port on 127.0.0.1; 0 takes any free one.")] = 8765,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary of the crawl as a JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator demo
      curator demo /tmp/look                           put everything there

    Serve the example portal on this machine only (nothing goes over the network), crawl it by its portal file, build TEI
    of what was crawled, and say where to look. Run it again to see that a second crawl fetches only what is new.
    """
    from webarticlecurator.building.options import BuildOptions
    from webarticlecurator.crawling.corpus import Corpus, corpus_of

    folder.mkdir(parents=True, exist_ok=True)
    with _example_portal(port) as served:
        file = served.portal_file(folder)
        served.tests_file(folder)
        console.say(f"The example portal is at {served.url}; its portal file is {file}.")
        portals = arguments.load_portals([str(file)])
        corpus = Corpus(folder / corpus_of(portals[0], None).folder)
        summaries = crawl.run(portals, corpus.folder, CrawlOptions())
    crawl.report(summaries[0], corpus, as_json=as_json)
    built = build.run(portals[0], corpus.folder, BuildOptions())
    console.say("\n".join(build_report.in_words(built, corpus)))
    console.say("\n".join(_where_to_look(file, corpus.folder)))
    raise typer.Exit(first_of([of_crawl(summaries), of_build(built)]))


def _example_portal(port: int) -> Any:
    from webarticlecurator.example_portal import ExamplePortal

    try:
        return ExamplePortal(port=port)
    except OSError as error:
        raise UsageError(f"Port {port} cannot be used ({error.strerror}). Choose another with --port; 0 takes any free one.") from None


def _where_to_look(file: Path, corpus: Path) -> list[str]:
    rows = (
        (str(file), "the portal file: everything that was told about the portal, with comments"),
        (str(corpus / "warc"), "every page as it was received; any WARC tool reads it"),
        (str(corpus / "tei"), "one TEI document an article, in folders by the date it was published"),
        (f"curator status {arguments.as_typed(str(file), corpus)}", "what is there, and what proves that it is complete"),
        (
            f"curator tags {arguments.as_typed(str(file), corpus)} --html tags.html",
            "what its articles are made of, by which rules",
        ),
        (f"curator test {arguments.as_typed(str(file), corpus)}", "whether the pages that tests.yaml names give what they should"),
        (f"curator warc list {shlex.quote(str(corpus))}", "what was asked, and what was answered"),
        ("python -m webarticlecurator.example_portal", "serves the portal again: look at it in a browser, crawl it yourself"),
    )
    return ["Where to look:", *(f"  {place}\n      {what}" for place, what in rows)]
