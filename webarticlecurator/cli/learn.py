"""`curator learn`: rules of a portal file, proposed from the pages that are stored."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

from webarticlecurator.amounts import amount, part, prefixed, text_if, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, WarcFiles, address, command, difference, option
from webarticlecurator.cli.console import cut
from webarticlecurator.cli.page_sources import doubtful_documents, file_flags, of_corpus, stored_pages
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.cli.tips import tip
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from webarticlecurator.learning.lines_to_write import LearnedFile, ProposalDecision
    from webarticlecurator.model.proposals import Plain
    from webarticlecurator.stages.learn import Learning

_LONGEST = 160
_ANSWERS = 3


@command()
def learn(
    call: Call,
    archive: Annotated[
        bool, option("--archive", "Only rules for archive pages: links, paging, addresses.")
    ] = False,
    articles: Annotated[
        bool, option("--articles", "Only rules for the bodies and further pages of articles.")
    ] = False,
    metadata: Annotated[bool, option("--metadata", "Only rules for metadata and posts.")] = False,
    example: Annotated[
        tuple[str, ...], option("--example", "An article that the archive pages list.", "URL", parse=address)
    ] = (),
    from_: Annotated[
        tuple[str, ...],
        option("--from", "This page is read rightly: learn the rest of its layout from it.", "URL"),
    ] = (),
    answer: Annotated[
        tuple[str, ...], option("--answer", "Which choice is right; 0: none of them.", "NAME=NUMBER")
    ] = (),
    write: Annotated[
        bool, option("--write", "Write into the portal file what is sure, and what was answered.")
    ] = False,
    warc: WarcFiles = (),
) -> ExitCode:
    """
    \b
    Examples:
      curator learn portal.yaml                                what the stored pages show, as a difference of the file
      curator learn portal.yaml --write                        the same, written into it
      curator learn portal.yaml --archive --example URL        links, where one article of the list is known
      curator learn portal.yaml --answer archive.link=2        the second choice is right
      curator learn portal.yaml --from URL --write             this page is right: carry that to its layout
      curator learn portal.yaml --warc old.warc.gz --json      without a corpus, for programs

    Propose rules for PORTAL from some of its stored pages: links and paging of archive pages, further pages and posts of articles. Each
    line has its reason as a comment. What is not sure is asked, on a terminal at once; your own rules are never replaced
    unless you answer so. The portal file is not written without --write. The exit code is 0 when nothing is left to be answered,
    1 when questions are open or a line cannot be written. Texts, headlines, authors and dates that you mended in tests.yaml teach rules.
    What the last build found doubtful of documents is told first.
    """
    from webarticlecurator.config.yaml_edits import editable, replace_file
    from webarticlecurator.learning.lines_to_write import State
    from webarticlecurator.learning.portal_findings import ARCHIVE, ARTICLES, METADATA, PARTS
    from webarticlecurator.stages import learn as corpus_learning

    answers = _answers(answer)
    wanted = {ARCHIVE: archive, ARTICLES: articles, METADATA: metadata}
    portal = call.portal
    if write:
        editable(call.names[0])
    parts = tuple(part for part in PARTS if wanted[part]) or PARTS
    with of_corpus(call, warc) as of_pages, stored_pages(portal, (), of_pages.corpus) as pages:
        given: dict[str, Any] = {"examples": example, "from_urls": from_}
        learning = of_pages.run(corpus_learning.learn, pages, parts=parts, **given)
        if not call.as_json:
            answers = _asked(learning, answers)
        file = learning.file(answers)
        remarks = [*_doubts(call, warc), *learning.learned.remarks, *learning.unmet(file, pages)]
        if write and file.after != file.before:
            replace_file(portal.sources[0].path, file.after)
    found = bool(learning.pages.articles) or parts == (ARCHIVE,)
    typed = call.typed + file_flags("--warc", warc)
    call.tell(
        as_data(learning, file, remarks, write=write),
        [difference(portal.sources[0].path, file.before, file.after)],
    )
    console.say(*_in_words(learning, file, remarks, typed, write=write))
    console.say(f"Next: {_next(file, {} if write else answers, typed, write=write, found=found)}")
    return first_of(
        (ExitCode.INCOMPLETE, not learning.complete), (ExitCode.FAILURES, file.of(State.OPEN, State.REFUSED))
    )


def _doubts(call: Call, warcs: Sequence[Path]) -> Iterator[str]:
    """Give what can hardly be true of built documents, each with one of them, and with the rule that would
    end it."""
    from webarticlecurator.building.document_doubts import proposed_rule

    for doubt in doubtful_documents(call, warcs, 1):
        example = doubt.examples[0]
        rule = proposed_rule(example.text)
        yield f"{doubt.message} ({example.url}){part(': `{}` would end that', rule)}"


def _answers(given: Sequence[str]) -> dict[str, int]:
    answers = {}
    for answer in given:
        name, equals, number = answer.rpartition("=")
        if not (equals and name and number.strip().isdecimal() and len(number) < 4):
            raise UsageError(
                f"--answer {answer}: write the name and the number of the choice, such as --answer "
                "archive.link=2."
            )
        answers[name.strip()] = int(number)
    return answers


def _asked(learning: Learning, answers: Mapping[str, int]) -> dict[str, int]:
    """The answers, with those that a person at a terminal gives now."""
    from webarticlecurator.learning.lines_to_write import State

    given, skipped = dict(answers), set[str]()
    while sys.stdin.isatty() and sys.stderr.isatty() and learning.complete:
        file = learning.file(given)
        waiting = [decision for decision in file.of(State.OPEN) if decision.proposal.name not in skipped]
        if not waiting:
            break
        name, most, typed = waiting[0].proposal.name, len(waiting[0].proposal.choices), "nothing yet"
        console.complain("\n".join(["", f"Question ({len(waiting)} left)", *_question(waiting[0])]))
        while typed and not (typed.isdecimal() and int(typed) <= most):
            console.complain(f"  1 to {most}; 0: none of them; Enter: later")
            sys.stderr.write("  > ")  # not by `input`, which may write it to stdout, among the data
            sys.stderr.flush()
            typed = ""
            with suppress(EOFError):
                typed = input().strip()
        if typed:
            given[name] = int(typed)
        else:
            skipped.add(name)
    return given


def as_data(
    learning: Learning, file: LearnedFile, remarks: Sequence[str], *, write: bool = False
) -> dict[str, Any]:
    """Return all that was learned, for `--json`."""
    proposals = [
        {
            **{field.name: getattr(decision.proposal, field.name) for field in fields(decision.proposal)},
            "state": decision.state.value,
            "choice": decision.number,
            "reason": decision.reason or None,
            "yours": {".".join(path): value for path, value in decision.yours},
        }
        for decision in file.decisions
    ]
    return {
        "portal": file.portal.name,
        "file": str(file.portal.sources[0].path),
        "archive_pages": sum(map(len, learning.pages.archive.values())),
        "of_archive_pages": learning.pages.of_archive_pages,
        "articles": len(learning.pages.articles),
        "of_articles": learning.pages.of_articles,
        "complete": learning.complete,
        "written": file.after != file.before and write,
        "difference": difference(file.portal.sources[0].path, file.before, file.after).splitlines(),
        "proposals": proposals,
        "remarks": list(remarks),
    }


def _in_words(
    learning: Learning, file: LearnedFile, remarks: Sequence[str], typed: str, *, write: bool
) -> Iterator[str]:
    """The questions, and what a person's own rules say otherwise."""
    from webarticlecurator.learning.lines_to_write import State

    pages = learning.pages
    archive, columns = sum(map(len, pages.archive.values())), len(pages.archive)
    of_archive = f"{amount(pages.of_archive_pages, 'archive page')} ({amount(columns, 'column')})"
    of_articles = amount(pages.of_articles, "article")
    read = those_that_hold(
        (archive, f"{archive:,} of {of_archive}"),
        (pages.articles, f"{len(pages.articles):,} of {of_articles}"),
    )
    title = f"{file.portal.name}: read {' and '.join(read)}"
    yield from console.listed(title, prefixed("  ", remarks), 12) or [title]
    if written := file.of(State.WRITTEN):
        names = ", ".join(decision.proposal.name for decision in written)
        yield f"{'Written' if write else 'To be written with --write'}: {names}"
    else:
        there = len(file.of(State.THERE))
        says = amount(there, "proposal says or finds", "proposals say or find")
        already = text_if(there, f": {says} what the file does already")
        yield f"Nothing to write into {file.portal.sources[0].path.name}{already}."
    yours = (
        f"Otherwise than your file, which stays as it is. To take one: curator learn {typed} --answer "
        "NAME=NUMBER --write"
    )
    refused = [
        f"  {each.proposal.name}: {_shown(each.proposal.path, each.choice.value)}: {each.reason}"
        for each in file.of(State.REFUSED)
    ]
    differing = [
        (f"  {each.proposal.name}", *islice(_choices(each, with_evidence=1), 14))
        for each in file.of(State.DIFFERS)
    ]
    yield from console.listed("Lines that cannot be written:", refused)
    yield from console.listed(yours, list(chain(*differing)))
    yield from console.listed(
        "Not sure, and so not written: please answer", list(chain(*map(_question, file.of(State.OPEN))))
    )
    interrupted = "Interrupted: what was not looked at yet is missing here."
    yield from those_that_hold((not learning.complete, interrupted))


def _next(file: LearnedFile, given: Mapping[str, int], typed: str, *, write: bool, found: bool) -> str:
    """Return what to do next. `found`: there are articles, or none were looked for."""
    from webarticlecurator.learning.lines_to_write import State

    waiting = [decision.proposal.name for decision in file.of(State.OPEN)]
    if waiting or (not write and file.of(State.WRITTEN)):
        answers = {
            **given,
            **dict.fromkeys(waiting[:_ANSWERS], "NUMBER"),
        }  # nobody should take the first choices unread
        flags = [f" --answer {shlex.quote(name)}={number}" for name, number in answers.items()]
        flags += [" --answer NAME=NUMBER ..."] * (len(waiting) > _ANSWERS)
        return tip("learn", "open" if waiting else "sure", typed=typed, flags="".join(flags))
    if not found:
        return tip("learn", "no articles", typed=typed.partition(" --warc ")[0])
    return tip("learn", "well", typed=typed)


def _question(decision: ProposalDecision) -> list[str]:
    proposal = decision.proposal
    answers = "another number, or 0 for none of them" if len(proposal.choices) > 1 else "0 for none of them"
    return [
        f"  {proposal.name}: {proposal.question or 'Is this right?'}",
        *_choices(decision, with_evidence=len(proposal.choices)),
        f"    --answer {shlex.quote(proposal.name)}=1  (or {answers})",
    ]


def _choices(decision: ProposalDecision, *, with_evidence: int) -> Iterator[str]:
    """Give what the file says, then the choices; the evidence only of the first of them."""
    yield from (f"    yours:  {_shown(path, value)}" for path, value in decision.yours)
    for number, choice in enumerate(decision.proposal.choices, start=1):
        yield f"    {number}  {_shown(decision.proposal.path, choice.value)}"
        yield f"       {cut(choice.reason, _LONGEST)}"
        if number <= with_evidence:
            yield from (f"         {cut(sample, _LONGEST)}" for sample in choice.samples[:3])
            yield from (f"         otherwise: {cut(line, _LONGEST)}" for line in choice.differs[:4])


def _shown(path: Sequence[str], value: Plain) -> str:
    """A rule as it would stand in the file, in one line."""
    from webarticlecurator.learning.file_rules import LEARNED_STYLE, is_section

    name = path[-1] if path else ""
    if isinstance(value, Mapping) and is_section(tuple(path)):
        kept = {key: inner for key, inner in value.items() if inner is not None}
        if kept:
            return cut(LEARNED_STYLE.line(kept)[1:-1], _LONGEST)
        value = None
    return (
        f"no rule for {name}: as it is read now"
        if value is None
        else cut(f"{name}: {LEARNED_STYLE.line(value)}", _LONGEST)
    )
