"""`curator demo`: a small portal on this machine, crawled from the first page to the last, and made into TEI; or only served."""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from webarticlecurator.cli import arguments, build, console, crawl
from webarticlecurator.cli.exit_codes import first_of, of_build, of_crawl
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.errors import UsageError

_FOLDER = Path("curator-demo")
_PORT = 8765
_HOME = re.compile(r"^portal: kilenchid\b.*^home: http://127\.0\.0\.1:(\d+)/", re.MULTILINE | re.DOTALL)


def demo(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help=f"Where the portal file and the corpus go.  [default: {_FOLDER}]")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", min=0, max=65535, help=f"The port on 127.0.0.1; 0 takes any free one.  [default: {_PORT}]"),
    ] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Only serve the portal, until Ctrl-C.")] = False,
    switch: Annotated[
        list[str] | None, typer.Option("--switch", metavar="NAME", help="With --serve: misbehave in this way; may be repeated.")
    ] = None,
    portal_file: Annotated[bool, typer.Option("--portal-file", help="Only print its complete portal file.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="With --portal-file: that of its part that needs a browser.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary of the crawl as a JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator demo
      curator demo /tmp/look                           put everything there
      curator demo --serve                             look at the portal in a browser, crawl it yourself
      curator demo --serve --switch captcha            the same, misbehaving
      curator demo --portal-file > portal.yaml         everything that is to be told about it
      curator demo --portal-file --browser > app.yaml  the same of its part that shows nothing without scripts

    Serve the example portal on this machine only (nothing goes over the network), crawl it by its portal file, build TEI
    of what was crawled, and say where to look. Run it again to see that a second crawl fetches only what is new.
    """
    if serve and portal_file:
        raise UsageError("--serve and --portal-file exclude each other: serve the portal here, print its file in another terminal.")
    if switch and not serve:
        raise UsageError("--switch goes with --serve: the demo's own crawl is of a portal that behaves.")
    if browser and not portal_file:
        raise UsageError("--browser goes with --portal-file: `curator demo --serve` serves both parts of the portal.")
    if folder is not None and (serve or portal_file):
        raise UsageError("FOLDER is where the demo's crawl goes: leave it out with --serve and --portal-file, which write no files.")
    if portal_file:
        _print_portal_file(port, scripted=browser)
    elif serve:
        _example_portal(_PORT if port is None else port, switches=_known(switch or [])).serve(lambda text: console.say(text.rstrip()))
    else:
        _crawl(folder or _FOLDER, port, as_json=as_json)


def _crawl(folder: Path, port: int | None, *, as_json: bool) -> None:
    from webarticlecurator.building.options import BuildOptions
    from webarticlecurator.corpus.folder import Corpus, corpus_of

    before = _port_of(folder)
    served = _example_portal(_PORT if port is None else port) if before is None else _served_again(folder, before, port)
    with served:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "portal.yaml"
        if before is None:
            served.portal_file(folder)
            served.tests_file(folder)
        console.say(f"The example portal is at {served.url}; its portal file is {file}.")
        portals = arguments.load_portals([str(file)])
        corpus = Corpus(folder / "corpora" / portals[0].name)
        summaries = crawl.run(portals, corpus.folder, CrawlOptions())
    found_anyway = corpus_of(portals[0], None).folder == corpus.folder  # unless a setting would lead the next command elsewhere
    named = None if found_anyway else corpus.folder
    crawl.report(summaries[0], corpus, arguments.as_typed(str(file), named), as_json=as_json)
    built = build.run(portals[0], corpus.folder, BuildOptions())
    console.say("\n".join(build.in_words(built, corpus)))
    console.say("\n".join(where_to_look(file, corpus.folder, named, _port_of(folder))))
    raise typer.Exit(first_of([of_crawl(summaries), of_build(built)]))


def _port_of(folder: Path) -> int | None:
    """The port of the portal that this folder's demo crawled. Raises UsageError where its portal file is no demo's."""
    file = folder / "portal.yaml"
    if not file.exists():
        return None
    found = _HOME.search(file.read_text(encoding="utf-8", errors="replace"))
    if found is None:
        raise UsageError(f"{file} describes another portal, so the demo leaves it alone: name another folder, `curator demo FOLDER`.")
    return int(found[1])


def _served_again(folder: Path, before: int, port: int | None) -> Any:
    """The portal at the address that the folder's corpus knows: at another one it would be another portal, with all articles new."""
    if port in (None, 0, before):
        try:
            return _example_portal(before)
        except UsageError:
            reason = "which cannot be used now"
    else:
        reason = f"not {port}"
    raise UsageError(
        f"The demo in {folder} is of a portal on port {before}, {reason}."
        f" Run it again when that port is free and without another --port, or begin anew in another folder: `curator demo FOLDER`."
    )


def _example_portal(port: int, switches: list[str] | None = None) -> Any:
    from webarticlecurator.example_portal import ExamplePortal

    try:
        return ExamplePortal(port=port, switches=switches or [])
    except OSError as error:
        raise UsageError(f"Port {port} cannot be used ({error.strerror}). Choose another with --port; 0 takes any free one.") from None


def _known(switches: list[str]) -> list[str]:
    from webarticlecurator.example_portal import SWITCHES

    for name in switches:
        if name not in SWITCHES:
            close = difflib.get_close_matches(name, SWITCHES, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(SWITCHES)}"
            raise UsageError(f"--switch {name}: there is no such switch; {hint}")
    return switches


def _print_portal_file(port: int | None, *, scripted: bool) -> None:
    from webarticlecurator.example_portal import portal_text

    if port == 0:
        raise UsageError("--portal-file wants the port on which the portal is served: --port 8765, or leave it out.")
    text = portal_text(f"http://127.0.0.1:{_PORT if port is None else port}", scripted=scripted)
    sys.stdout.buffer.write(text.encode())  # a file, not words for a terminal: UTF-8 in every locale
    sys.stdout.buffer.flush()


def where_to_look(file: Path, corpus: Path, named: Path | None, port: int | None) -> list[str]:
    """What the demo has made, and commands that tell more. `named`: the corpus, where they would not find it by the portal file."""
    curator, typed = arguments.program(), arguments.as_typed(str(file), named)
    serve = ["demo", "--serve", *([] if port == _PORT else ["--port", str(port)])]
    article = shlex.quote(f"http://127.0.0.1:{port}/regi/cikk.php?id=1")
    rows = (
        (str(file), "the portal file: everything that was told about the portal, with comments"),
        (str(corpus / "warc"), "every page as it was received; any WARC tool reads it"),
        (str(corpus / "tei"), "one TEI document an article, in folders by the date it was published"),
        (f"{curator} status {typed}", "what is there, and what proves that it is complete"),
        (f"{curator} tags {typed} --html tags.html", "what its articles are made of, by which rules"),
        (f"{curator} test {typed}", "whether the pages that tests.yaml names give what they should"),
        (f"{curator} export {typed} --to csv -o articles.csv", "its articles as a table; `--to list` tells the other formats"),
        (f"{curator} report {typed}", "a page for the browser: how much there is, what is missing, what is wrong"),
        (f"{curator} open {typed} {article}", "one article in the browser, beside the page that it was read from"),
        (f"{curator} warc list {shlex.quote(str(corpus))}", "what was asked, and what was answered"),
        (f"{curator} {shlex.join(serve)}", "serves the portal again: look at it in a browser, crawl it yourself"),
    )
    return ["Where to look:", *(f"  {place}\n      {what}" for place, what in rows)]
