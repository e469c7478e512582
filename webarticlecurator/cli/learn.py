"""`curator learn`: rules of a portal file, proposed from the pages that are stored."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, HtmlFiles, WarcFiles, address, command, difference, file_flags, option
from webarticlecurator.cli.page_sources import existing, stored_pages
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.cli.tips import tip
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import StoredPages
    from webarticlecurator.corpus_learning import Learning
    from webarticlecurator.learning.answers import Decision, LearnedFile, State
    from webarticlecurator.model.proposals import Choice, Learned, Plain
    from webarticlecurator.portal_tests import Acceptance

_SAMPLES, _DIFFERENT, _CHOICES = 3, 4, 3
_LONGEST = 160
_REMARKS = 12
_ANSWERS = 3


@command()
def learn(
    call: Call,
    archive: Annotated[bool, option("--archive", "Only rules for archive pages: links, paging, addresses.")] = False,
    articles: Annotated[bool, option("--articles", "Only rules for the bodies and further pages of articles.")] = False,
    metadata: Annotated[bool, option("--metadata", "Only rules for metadata and posts.")] = False,
    only: Annotated[list[str] | None, option("--only", "Only proposals of this name, or below it.", "NAME")] = None,
    example: Annotated[list[str] | None, option("--example", "An article that the archive pages list.", "URL", parse=address)] = None,
    from_: Annotated[list[str] | None, option("--from", "This page is read rightly: learn the rest of its layout from it.", "URL")] = None,
    answer: Annotated[list[str] | None, option("--answer", "Which choice is right; 0: none of them.", "NAME=NUMBER")] = None,
    confirm: Annotated[list[str] | None, option("--confirm", "This page comes out right: expect it of `curator test`.", "URL")] = None,
    write: Annotated[bool, option("--write", "Write into the portal file what is sure, and what was answered.")] = False,
    warc: WarcFiles = None,
    html: HtmlFiles = None,
) -> ExitCode:
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
    from webarticlecurator import corpus_learning
    from webarticlecurator.config.yaml_edits import editable, replace_file
    from webarticlecurator.learning.answers import State
    from webarticlecurator.learning.portal_findings import ARCHIVE, ARTICLES, METADATA, PARTS

    if warc and html:
        raise UsageError("--warc and --html exclude each other: pages come from one of them.")
    answers = _answers(answer or ())
    wanted = {ARCHIVE: archive, ARTICLES: articles, METADATA: metadata}
    portal = call.portal
    if write or confirm:
        editable(call.names[0])
    options = corpus_learning.LearnOptions(
        parts=tuple(part for part in PARTS if wanted[part]) or PARTS,
        examples=tuple(example or ()),
        from_urls=tuple(from_ or ()),
    )
    files = [existing(path) for path in html or ()]
    with _pages(call, warc, files) as pages:
        confirmed = None if write else _confirmed(confirm, portal, pages)  # what they settle is asked no more
        with call.work() as (stop, progress):
            learning = corpus_learning.learn(
                portal, pages, corpus=call.corpus, warcs=warc or (), html=files, options=options, progress=progress, stop=stop
            )
        answers, seen = (answers, frozenset[str]()) if call.as_json else _asked(learning, answers, only or ())
        learned = learning.learned(answers, only or ())
        file = learning.file(learned, answers)
        if write and file.after != file.before:
            replace_file(portal.sources[0].path, file.after)
        if write:
            confirmed = _confirmed(confirm, file.portal_after, pages)
    typed = call.typed + file_flags("--warc", warc) + file_flags("--html", files)
    told = Told(learning, learned, file, confirmed, typed=typed, write=write, answers=answers, seen=seen)
    if call.as_json:
        console.data_json(told.as_data())
    elif changed := told.difference():
        console.data(changed)
    for line in told.lines():
        console.say(line)
    for url, reason in confirmed.refused if confirmed is not None else ():
        console.complain(f"{url}: nothing is expected of it: {reason}")
    is_open = bool(file.of(State.OPEN, State.REFUSED)) or (confirmed is not None and bool(confirmed.refused))
    return first_of((ExitCode.INCOMPLETE, not learning.complete), (ExitCode.FAILURES, is_open))


def _answers(given: Sequence[str]) -> dict[str, int]:
    answers = {}
    for answer in given:
        name, equals, number = answer.rpartition("=")
        if not (equals and name and number.strip().isdecimal() and len(number) < 4):
            raise UsageError(f"--answer {answer}: write the name and the number of the choice, such as --answer archive.link=2.")
        answers[name.strip()] = int(number)
    return answers


def _pages(call: Call, warc: list[Path] | None, files: Sequence[Path]) -> AbstractContextManager[StoredPages]:
    if not files:
        return stored_pages(call.portal, warc, call.corpus, otherwise="--warc FILE or --html FILE")
    from webarticlecurator.corpus.saved_pages import SavedPages
    from webarticlecurator.corpus.stored_pages import StoredPages

    return nullcontext(StoredPages(SavedPages(files), call.portal))


def _confirmed(urls: Sequence[str] | None, portal: Portal, pages: StoredPages) -> Acceptance | None:
    """Expect of these pages what the rules of the file, as it now is, make of them."""
    if not urls:
        return None
    from webarticlecurator.portal_tests import accept

    return accept(urls, None, portal, pages, hashed=False)


def _asked(learning: Learning, answers: Mapping[str, int], only: Sequence[str]) -> tuple[dict[str, int], frozenset[str]]:
    """The answers, with those that a person at a terminal gives now, and the questions that were left for later."""
    from webarticlecurator.learning.answers import State

    given = dict(answers)
    skipped: set[str] = set()
    while sys.stdin.isatty() and sys.stderr.isatty() and learning.complete:
        file = learning.file(learning.learned(given, only), given)
        waiting = [decision for decision in file.of(State.OPEN) if decision.proposal.name not in skipped]
        if not waiting:
            break
        number = _ask(waiting[0], len(waiting))
        if number is None:
            skipped.add(waiting[0].proposal.name)
        else:
            given[waiting[0].proposal.name] = number
    return given, frozenset(skipped)


def _ask(decision: Decision, waiting: int) -> int | None:
    """What a person types; None: nothing, or the end of input."""
    most = len(decision.proposal.choices)
    console.complain("\n".join(["", f"Question ({waiting} left)", *_question(decision)]))
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


# --- what one run found, and what became of it ---


@dataclass(frozen=True, slots=True)
class Told:
    """Tells it: the difference of the file, the questions, and what a person's own rules say otherwise."""

    learning: Learning
    learned: Learned
    file: LearnedFile
    confirmed: Acceptance | None = None
    typed: str = ""
    """The portal and where its pages come from."""
    write: bool = False
    answers: Mapping[str, int] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()
    """Questions that were shown already."""

    def difference(self) -> str:
        """The lines of the portal file that change, and those of tests.yaml."""
        path = str(self.file.portal.sources[0].path)
        before, after = (content.decode("utf-8-sig") for content in (self.file.before, self.file.after))
        tests = self.confirmed
        of_tests = difference(tests.before, tests.after, str(tests.file)) if tests is not None else ""
        return "\n".join(filter(None, (difference(before, after, path, f"{path} (new)"), of_tests)))

    def as_data(self) -> dict[str, Any]:
        """All of it, for programs."""
        return {
            "portal": self.file.portal.name,
            "file": str(self.file.portal.sources[0].path),
            "archive_pages": sum(map(len, self.learning.pages.archive.values())),
            "of_archive_pages": self.learning.of_archive_pages,
            "articles": len(self.learning.pages.articles),
            "of_articles": self.learning.of_articles,
            "complete": self.learning.complete,
            "written": self.file.after != self.file.before and self.write,
            "difference": self.difference().splitlines(),
            "proposals": [_as_data(decision) for decision in self.file.decisions],
            "remarks": list(self.learned.remarks),
            "confirmed": [url for url, _ in self.confirmed.accepted] if self.confirmed is not None else [],
            "not_confirmed": [{"url": url, "reason": reason} for url, reason in self.confirmed.refused] if self.confirmed else [],
        }

    def lines(self) -> Iterator[str]:
        """The rest, for people."""
        from webarticlecurator.learning.answers import State

        pages = self.learning.pages
        archive, columns = sum(map(len, pages.archive.values())), len(pages.archive)
        read = [f"{archive:,} of {amount(self.learning.of_archive_pages, 'archive page')} ({amount(columns, 'column')})"] if archive else []
        read += [f"{len(pages.articles):,} of {amount(self.learning.of_articles, 'article')}"] if pages.articles else []
        remarks = [f"  {remark}" for remark in self.learned.remarks]
        title = f"{self.file.portal.name}: read {' and '.join(read)}"
        yield from console.listed(title, remarks, _REMARKS) or [title]
        if written := self.file.of(State.WRITTEN):
            names = ", ".join(decision.proposal.name for decision in written)
            yield f"{'Written' if self.write else 'To be written with --write'}: {names}"
        else:
            there = len(self.file.of(State.THERE))
            already = f": {amount(there, 'proposal is', 'proposals are')} what the file says already" if there else ""
            yield f"Nothing to write{already}."
        yield from self._decided("Lines that cannot be written ({}):", State.REFUSED, _refused)
        yours = (
            f"Otherwise than your file, which stays as it is ({{}}). To take one: curator learn {self.typed} --answer NAME=NUMBER --write"
        )
        yield from self._decided(yours, State.DIFFERS, _differing)
        yield from self._decided("Not sure, and so not written ({}): please answer", State.OPEN, self._open)
        if not self.learning.complete:
            yield "Interrupted: what was not looked at yet is missing here."
        yield f"Next: {self._next()}"

    def _decided(self, title: str, state: State, told: Callable[[Decision], Iterable[str]]) -> Iterator[str]:
        decisions = self.file.of(state)
        if decisions:
            yield title.format(len(decisions))
        for decision in decisions:
            yield from told(decision)

    def _open(self, decision: Decision) -> list[str]:
        lines = _question(decision)
        return [lines[0], lines[-1]] if decision.proposal.name in self.seen else lines

    def _next(self) -> str:
        from webarticlecurator.learning.answers import State

        if self.write and self.confirmed is not None and self.confirmed.accepted:
            return tip("learn", "confirmed", typed=self.typed)
        # A first choice that gives all that the line of the file does, and more, should be looked at.
        better = [
            decision
            for decision in self.file.of(State.DIFFERS)
            if (differs := decision.proposal.choices[0].differs) and all(line.startswith("+ ") for line in differs)
        ]
        waiting = [decision.proposal.name for decision in (*better, *self.file.of(State.OPEN))]
        if waiting or (not self.write and self.file.of(State.WRITTEN)):
            given = {} if self.write else self.answers
            asked = dict.fromkeys(waiting[:_ANSWERS], "NUMBER")  # nobody should take the first choices unread
            flags = [f" --answer {shlex.quote(name)}={number}" for name, number in {**given, **asked}.items()]
            flags += [" --answer NAME=NUMBER ..."] * (len(waiting) > _ANSWERS)
            return tip("learn", "open" if waiting else "sure", typed=self.typed, flags="".join(flags))
        if " --html " in self.typed:  # saved pages can be asked for nothing more
            return tip("learn", "saved", typed=self.typed.partition(" --html ")[0])
        return tip("learn", "well", typed=self.typed)


def _question(decision: Decision) -> list[str]:
    """A question with its choices."""
    proposal = decision.proposal
    lines = [
        f"  {proposal.name}: {proposal.question or 'Is this right?'}",
        *_choices(decision, len(proposal.choices), len(proposal.choices)),
    ]
    answers = "another number, or 0 for none of them" if len(proposal.choices) > 1 else "0 for none of them"
    return [*lines, f"    --answer {shlex.quote(proposal.name)}=1  (or {answers})"]


def _differing(decision: Decision) -> list[str]:
    return [f"  {decision.proposal.name}", *_choices(decision, _CHOICES, 1)]


def _refused(decision: Decision) -> list[str]:
    return [f"  {decision.proposal.name}: {_shown(decision.proposal.path, decision.choice.value)}: {decision.reason}"]


def _choices(decision: Decision, most: int, with_evidence: int) -> Iterator[str]:
    """What the file says, then so many choices; the evidence only of the first of them."""
    yield from (f"    yours:  {_shown(path, value)}" for path, value in decision.yours)
    for number, choice in enumerate(decision.proposal.choices[:most], start=1):
        yield f"    {number}  {_shown(decision.proposal.path, choice.value)}"
        yield f"       {_cut(choice.reason)}"
        if number <= with_evidence:
            yield from _evidence(choice)


def _evidence(choice: Choice) -> Iterator[str]:
    yield from (f"         {_cut(sample)}" for sample in choice.samples[:_SAMPLES])
    yield from (f"         otherwise: {_cut(line)}" for line in choice.differs[:_DIFFERENT])


def _shown(path: Sequence[str], value: Plain) -> str:
    """A rule as it would stand in the file, in one line."""
    from webarticlecurator.learning.file_rules import is_section
    from webarticlecurator.learning.portal_text import LEARNED_STYLE

    name = path[-1] if path else ""
    if isinstance(value, Mapping) and is_section(tuple(path)):
        kept = {key: inner for key, inner in value.items() if inner is not None}
        if kept:
            return _cut(LEARNED_STYLE.line(kept)[1:-1])
        value = None
    return f"no rule for {name}: as it is read now" if value is None else _cut(f"{name}: {LEARNED_STYLE.line(value)}")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _as_data(decision: Decision) -> dict[str, Any]:
    return {
        "name": decision.proposal.name,
        "path": list(decision.proposal.path),
        "state": decision.state.value,
        "sure": decision.proposal.sure,
        "choice": decision.number,
        "question": decision.proposal.question,
        "reason": decision.reason or None,
        "yours": {".".join(path): value for path, value in decision.yours},
        "choices": [
            {
                "number": number,
                "value": choice.value,
                "reason": choice.reason,
                "samples": list(choice.samples),
                "differs": list(choice.differs),
                "score": round(choice.score, 4),
            }
            for number, choice in enumerate(decision.proposal.choices, start=1)
        ],
    }
