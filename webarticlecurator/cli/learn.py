"""`curator learn`: rules of a portal file, proposed from the pages that are stored."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webarticlecurator.cli import arguments, console
from webarticlecurator.cli.arguments import CorpusFolder, PortalName, WarcFiles
from webarticlecurator.cli.exit_codes import ExitCode, first_of
from webarticlecurator.cli.page_sources import existing, stored_pages
from webarticlecurator.cli.progress import at_work
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import StoredPages
    from webarticlecurator.corpus_learning import Learning, LearnOptions
    from webarticlecurator.learning.answers import Decision, LearnedFile
    from webarticlecurator.portal_tests import Acceptance


def learn(
    portal: PortalName,
    archive: Annotated[bool, typer.Option("--archive", help="Only rules for archive pages: links, paging, addresses.")] = False,
    articles: Annotated[bool, typer.Option("--articles", help="Only rules for the bodies and further pages of articles.")] = False,
    metadata: Annotated[bool, typer.Option("--metadata", help="Only rules for metadata and posts.")] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Only proposals of this name, or below it; may be repeated.")
    ] = None,
    example: Annotated[
        list[str] | None,
        typer.Option("--example", metavar="URL", parser=arguments.address, help="An article that the archive pages list; may be repeated."),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="URL", help="This page is read rightly: learn the rest of its layout from it; may be repeated."),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar="NAME=NUMBER", help="Which choice is right; 0: none of them. May be repeated."),
    ] = None,
    confirm: Annotated[
        list[str] | None,
        typer.Option("--confirm", metavar="URL", help="This page comes out right: expect it of `curator test`; may be repeated."),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Write into the portal file what is sure, and what was answered.")] = False,
    warc: WarcFiles = None,
    html: Annotated[
        list[Path] | None, typer.Option("--html", metavar="FILE", help="Read this saved page, not a corpus; may be repeated.")
    ] = None,
    corpus: CorpusFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """
    \b
    Examples:
      curator learn portal.yaml                                what the stored pages show, as a difference of the file
      curator learn portal.yaml --write                        the same, written into it
      curator learn portal.yaml --archive --example URL        links, where one article of the list is known
      curator learn portal.yaml --answer archive.link=2        the second choice is right
      curator learn portal.yaml --from URL --write             this page is right: carry that to its layout
      curator learn portal.yaml --confirm URL                  expect of this page what it gives now
      curator learn portal.yaml --warc old.warc.gz --json      without a corpus, for programs

    Propose rules for PORTAL from some of its stored pages: links and paging of archive pages, bodies, metadata, posts. Each
    line has its reason as a comment. What is not sure is asked, on a terminal at once; your own rules are never replaced
    unless you answer so. The portal file is not written without --write. The exit code is 0 when nothing is left to be answered,
    1 when questions are open or a line cannot be written.
    """
    from webarticlecurator.config.yaml_edits import editable, replace_file
    from webarticlecurator.corpus_learning import LearnOptions
    from webarticlecurator.learning.article_findings import ARCHIVE, ARTICLES, METADATA, PARTS

    if warc and html:
        raise UsageError("--warc and --html exclude each other: pages come from one of them.")
    answers = _answers(answer or ())
    wanted = {ARCHIVE: archive, ARTICLES: articles, METADATA: metadata}
    parts = tuple(part for part in PARTS if wanted[part]) or PARTS
    (loaded,) = arguments.load_portals([portal])
    if write or confirm:
        editable(portal)
    options = LearnOptions(parts=parts, examples=tuple(example or ()), from_urls=tuple(from_ or ()))
    files = [existing(path) for path in html or ()]
    typed = arguments.as_typed(portal, corpus) + arguments.warc_flags(warc or ()) + arguments.file_flags("--html", files)
    with _pages(loaded, warc, corpus, files) as pages:
        confirmed = None if write else _confirmed(confirm or (), loaded, pages)  # what they settle is asked no more
        learning = _learned(loaded, pages, corpus, warc or (), files, options)
        answers, seen = (answers, frozenset[str]()) if as_json else _asked(learning, answers, only or ())
        learned = learning.learned(answers, only or ())
        file = learning.file(learned, answers)
        if write and file.after != file.before:
            replace_file(loaded.sources[0].path, file.after)
        if write:
            confirmed = _confirmed(confirm or (), file.portal_after, pages)
    from webarticlecurator.cli import learn_report

    asked = learn_report.Asked(typed=typed, write=write, answers=answers, seen=seen)
    told = learn_report.Told(learning, learned, file, asked, confirmed)
    if as_json:
        console.data_json(told.as_data())
    elif difference := list(told.difference()):
        console.data("\n".join(difference))
    told.say()
    raise typer.Exit(_code(learning, file, confirmed))


def _code(learning: Learning, file: LearnedFile, confirmed: Acceptance | None) -> ExitCode:
    from webarticlecurator.learning.answers import State

    reasons = (
        (ExitCode.INCOMPLETE, not learning.complete),
        (ExitCode.FAILURES, bool(file.of(State.OPEN, State.REFUSED)) or (confirmed is not None and bool(confirmed.refused))),
    )
    return first_of(code for code, given in reasons if given)


def _answers(given: Sequence[str]) -> dict[str, int]:
    answers = {}
    for one in given:
        name, equals, number = one.rpartition("=")
        if not (equals and name and number.strip().isdecimal() and len(number) < 4):
            raise UsageError(f"--answer {one}: write the name and the number of the choice, such as --answer archive.link=2.")
        answers[name.strip()] = int(number)
    return answers


@contextmanager
def _pages(portal: Portal, warc: list[Path] | None, corpus: Path | None, files: Sequence[Path]) -> Iterator[StoredPages]:
    if not files:
        with stored_pages(portal, warc, corpus, otherwise="--warc FILE or --html FILE") as pages:
            yield pages
        return
    from webarticlecurator.corpus.saved_pages import SavedPages
    from webarticlecurator.corpus.stored_pages import StoredPages

    yield StoredPages(SavedPages(files), portal)


def _learned(
    portal: Portal, pages: StoredPages, corpus: Path | None, warcs: Sequence[Path], html: Sequence[Path], options: LearnOptions
) -> Learning:
    """With progress on the terminal and Ctrl-C in order."""
    from webarticlecurator import corpus_learning

    with at_work() as (stop, progress):
        return corpus_learning.learn(portal, pages, corpus=corpus, warcs=warcs, html=html, options=options, progress=progress, stop=stop)


# --- questions ---


def _asked(learning: Learning, answers: Mapping[str, int], only: Sequence[str]) -> tuple[dict[str, int], frozenset[str]]:
    """The answers, with those that a person at a terminal gives now, and the questions that were left for later."""
    from webarticlecurator.learning.answers import State

    given = dict(answers)
    skipped: set[str] = set()
    while sys.stdin.isatty() and sys.stderr.isatty() and learning.complete:
        file = learning.file(learning.learned(given, only), given)
        waiting = [one for one in file.of(State.OPEN) if one.proposal.name not in skipped]
        if not waiting:
            break
        one = waiting[0]
        number = _ask(one, len(waiting))
        if number is None:
            skipped.add(one.proposal.name)
        else:
            given[one.proposal.name] = number
    return given, frozenset(skipped)


def _ask(decision: Decision, waiting: int) -> int | None:
    """What a person types; None: nothing, or the end of input."""
    from webarticlecurator.cli.learn_report import question_lines

    most = len(decision.proposal.choices)
    console.complain("\n".join(["", f"Question ({waiting} left)", *question_lines(decision)]))
    while True:
        console.complain(f"  1 to {most}; 0: none of them; Enter: later")
        sys.stderr.write("  > ")  # not by `input`, which may write it to stdout, among the data
        sys.stderr.flush()
        try:
            typed = input().strip()
        except EOFError:
            return None
        if not typed:
            return None
        if typed.isdecimal() and int(typed) <= most:
            return int(typed)


def _confirmed(urls: Sequence[str], portal: Portal, pages: StoredPages) -> Acceptance | None:
    """Expect of these pages what the rules of the file, as it now is, make of them."""
    if not urls:
        return None
    from webarticlecurator.portal_tests import accept

    return accept(urls, None, portal, pages, hashed=False)
