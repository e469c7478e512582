"""`curator demo`: a small portal on this machine, crawled from the first page to the last, and made into TEI;
or only served."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from webarticlecurator.cli import build, console, crawl
from webarticlecurator.cli.command import Call, argument, as_typed, command, option
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.errors import UsageError, refuse
from webarticlecurator.own_patterns import linear

_FOLDER = Path("curator-demo")
_PORT = 8765
_HOME = linear(r"^portal: kilenchid\b.*^home: http://127\.0\.0\.1:(\d+)/", re.MULTILINE | re.DOTALL)


@command(portals="none", corpus=False, json="Print the summary of the crawl as a JSON object.")
def demo(
    call: Call,
    folder: Annotated[
        Path | None, argument("FOLDER", f"Where the portal file and the corpus go.  [default: {_FOLDER}]")
    ] = None,
    port: Annotated[
        int | None,
        option(
            "--port",
            f"The port on 127.0.0.1; 0 takes any free one.  [default: {_PORT}]",
            "N",
            least=0,
            most=65535,
        ),
    ] = None,
    serve: Annotated[bool, option("--serve", "Only serve the portal, until Ctrl-C.")] = False,
    switch: Annotated[
        tuple[str, ...], option("--switch", "With --serve: misbehave in this way.", "NAME")
    ] = (),
    portal_file: Annotated[bool, option("--portal-file", "Only print its complete portal file.")] = False,
    browser: Annotated[
        bool, option("--browser", "With --portal-file: that of its part that needs a browser.")
    ] = False,
) -> ExitCode:
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
    refuse(
        (
            serve and portal_file,
            "--serve and --portal-file exclude each other: serve the portal here, print its file in another "
            "terminal.",
        ),
        (
            switch and not serve,
            "--switch goes with --serve: the demo's own crawl is of a portal that behaves.",
        ),
        (
            browser and not portal_file,
            "--browser goes with --portal-file: `curator demo --serve` serves both parts of the portal.",
        ),
        (
            folder and (serve or portal_file),
            "FOLDER is where the demo's crawl goes: --serve and --portal-file write no files.",
        ),
        (
            portal_file and port == 0,
            "--portal-file wants the port on which the portal is served: --port 8765, or leave it out.",
        ),
    )
    if portal_file:
        from webarticlecurator.example_portal import portal_text

        text = portal_text(f"http://127.0.0.1:{_PORT if port is None else port}", scripted=browser)
        sys.stdout.buffer.write(text.encode())  # a file, not words for a terminal: UTF-8 in every locale
        sys.stdout.buffer.flush()
    elif serve:
        _example_portal(_PORT if port is None else port, switch).serve(
            lambda text: console.say(text.rstrip())
        )
    else:
        return _crawl(call, folder or _FOLDER, port)
    return ExitCode.OK


def _crawl(call: Call, folder: Path, port: int | None) -> ExitCode:
    from webarticlecurator.building.build_options import BuildOptions
    from webarticlecurator.corpus.folder import Corpus, corpus_of
    from webarticlecurator.crawling.crawl_options import CrawlOptions
    from webarticlecurator.stages.build import build as build_corpus

    file = folder / "portal.yaml"
    before = _port_of(file)
    of_port = f"The demo in {folder} is of a portal on port {before}"
    # at another address it would be another portal, with all articles new
    refuse(
        (
            before is not None and port not in (None, 0, before),
            f"{of_port}: leave --port out, or name another folder.",
        )
    )
    with _example_portal(before or (_PORT if port is None else port)) as served:
        folder.mkdir(parents=True, exist_ok=True)
        if before is None:
            served.portal_file(folder)
            served.tests_file(folder)
        console.say(f"The example portal is at {served.url}; its portal file is {file}.")
        call = Call((str(file),), as_json=call.as_json)
        corpus = Corpus(folder / "corpora" / call.portal.name)
        if (
            corpus_of(call.portal, None).folder != corpus.folder
        ):  # a setting would lead the next command elsewhere
            call = replace(call, corpus=corpus.folder)
        summaries = crawl.run(call, CrawlOptions())
    call.tell(crawl.as_json(summaries[0], corpus), ())
    crawl.report(call, summaries[0], corpus)
    built = call.run(build_corpus, options=BuildOptions())
    console.say("\n".join(build.in_words(call, built, corpus)))
    typed, port = as_typed(str(file), call.corpus), _port_of(file)
    serve = ["demo", "--serve", *([] if port == _PORT else ["--port", str(port)])]
    article = shlex.quote(f"http://127.0.0.1:{port}/regi/cikk.php?id=1")
    program = _program()
    rows = (
        (str(file), "the portal file: everything that was told about the portal, with comments"),
        (str(corpus.folder / "warc"), "every page as it was received; any WARC tool reads it"),
        (str(corpus.folder / "tei"), "one TEI document an article, in folders by the date it was published"),
        (f"{program} status {typed}", "what is there, and what proves that it is complete"),
        (f"{program} tags {typed} --html tags.html", "what its articles are made of, by which rules"),
        (f"{program} test {typed}", "whether the pages that tests.yaml names give what they should"),
        (
            f"{program} export {typed} --to csv -o articles.csv",
            "its articles as a table; `--to list` tells the other formats",
        ),
        (
            f"{program} report {typed}",
            "a page for the browser: how much there is, what is missing, what is wrong",
        ),
        (
            f"{program} open {typed} {article}",
            "one article in the browser, beside the page that it was read from",
        ),
        (f"{program} warc list {shlex.quote(str(corpus.folder))}", "what was asked, and what was answered"),
        (
            f"{program} {shlex.join(serve)}",
            "serves the portal again: look at it in a browser, crawl it yourself",
        ),
    )
    console.say("\n".join(["Where to look:", *(f"  {place}\n      {what}" for place, what in rows)]))
    return first_of((crawl.of_crawl(summaries), True), (build.of_build(built), True))


def _program() -> str:
    """Return how the program is called from where the reader stands: by its name, or by its path where no
    folder of programs has it."""
    own = Path(sys.argv[0])
    if own.name != "curator" or shutil.which("curator") is not None:
        return "curator"
    return shlex.quote(os.path.relpath(own))


def _port_of(file: Path) -> int | None:
    """The port of the portal that this folder's demo crawled. Raises UsageError where its portal file is no
    demo's."""
    if not file.exists():
        return None
    if (home := _HOME.search(file.read_text(encoding="utf-8", errors="replace"))) is None:
        raise UsageError(
            f"{file} describes another portal, so the demo leaves it alone: name another folder, `curator "
            "demo FOLDER`."
        )
    return int(home[1])


def _example_portal(port: int, switches: Sequence[str] = ()) -> Any:
    from webarticlecurator.example_portal import SWITCHES, ExamplePortal
    from webarticlecurator.exporting.export_options import did_you_mean

    for name in switches:
        meant = did_you_mean(name, SWITCHES)
        refuse(
            (
                name not in SWITCHES,
                f"--switch {name} is unknown. {meant}There are: {', '.join(SWITCHES)}.",
            )
        )
    try:
        return ExamplePortal(port=port, switches=list(switches))
    except OSError as error:
        choose = "Choose another with --port (0 takes any free one), or begin anew in another folder."
        raise UsageError(
            f"The port {port} of the example portal cannot be used ({error.strerror}). {choose}"
        ) from None
