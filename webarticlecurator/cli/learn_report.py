"""How `curator learn` tells what it found: the difference of the file, the questions, and what a person's own rules say otherwise."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.learning.answers import Decision, LearnedFile, State
from webarticlecurator.learning.key_values import is_section
from webarticlecurator.learning.portal_text import LEARNED_STYLE
from webarticlecurator.model.proposals import Choice, Learned

if TYPE_CHECKING:
    from webarticlecurator.corpus_learning import Learning
    from webarticlecurator.model.proposals import Plain
    from webarticlecurator.portal_tests import Acceptance

_CONTEXT = 2
"""Lines of the file around what changes."""
_SAMPLES, _DIFFERENT, _CHOICES = 3, 4, 3
_LONGEST = 160
_REMARKS = 12
_ANSWERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How the command was called."""

    typed: str
    """The portal and where its pages come from."""
    write: bool
    answers: Mapping[str, int]
    seen: frozenset[str] = frozenset()
    """Questions that were shown already."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one run found, and what became of it."""

    learning: Learning
    learned: Learned
    file: LearnedFile
    asked: Asked
    confirmed: Acceptance | None

    def difference(self) -> Iterator[str]:
        """The lines of the portal file that change, and those of tests.yaml."""
        path = self.file.portal.sources[0].path
        before, after = (content.decode("utf-8-sig").splitlines() for content in (self.file.before, self.file.after))
        yield from difflib.unified_diff(before, after, str(path), f"{path} (new)", lineterm="", n=_CONTEXT)
        if self.confirmed is not None and self.confirmed.after != self.confirmed.before:
            name, old, new = str(self.confirmed.file), self.confirmed.before.splitlines(), self.confirmed.after.splitlines()
            yield from difflib.unified_diff(old, new, name, name, lineterm="", n=_CONTEXT)

    def say(self) -> None:
        """The rest, for people."""
        for line in self._lines():
            console.say(line)
        for url, reason in self.confirmed.refused if self.confirmed is not None else ():
            console.complain(f"{url}: nothing is expected of it: {reason}")

    def as_data(self) -> dict[str, Any]:
        """All of it, for programs."""
        path = self.file.portal.sources[0].path
        changes = self.file.after != self.file.before
        return {
            "portal": self.file.portal.name,
            "file": str(path),
            "archive_pages": sum(map(len, self.learning.pages.archive.values())),
            "of_archive_pages": self.learning.of_archive_pages,
            "articles": len(self.learning.pages.articles),
            "of_articles": self.learning.of_articles,
            "complete": self.learning.complete,
            "written": changes and self.asked.write,
            "difference": list(self.difference()),
            "proposals": [_as_data(one) for one in self.file.decisions],
            "remarks": list(self.learned.remarks),
            "confirmed": [url for url, _ in self.confirmed.accepted] if self.confirmed is not None else [],
            "not_confirmed": [{"url": url, "reason": reason} for url, reason in self.confirmed.refused] if self.confirmed else [],
        }

    # --- words ---

    def _lines(self) -> Iterator[str]:
        yield self._read()
        remarks = self.learned.remarks if console.verbosity() is console.Verbosity.VERBOSE else self.learned.remarks[:_REMARKS]
        yield from (f"  {remark}" for remark in remarks)
        if len(remarks) < len(self.learned.remarks):
            yield f"  ... {len(self.learned.remarks) - len(remarks)} more remarks (--verbose shows all)"
        yield from self._changed()
        yield from self._with_title("Lines that cannot be written ({}):", State.REFUSED, _refused_lines)
        yours = f"Otherwise than your file, which stays as it is ({{}}). To take one: {self._command()} --answer NAME=NUMBER --write"
        yield from self._with_title(yours, State.DIFFERS, _difference_lines)
        yield from self._with_title("Not sure, and so not written ({}): please answer", State.OPEN, self._question)
        if not self.learning.complete:
            yield "Interrupted: what was not looked at yet is missing here."
        yield f"Next: {self._next()}"

    def _read(self) -> str:
        pages = self.learning.pages
        archive, columns = sum(map(len, pages.archive.values())), len(pages.archive)
        parts = (
            [f"{archive:,} of {amount(self.learning.of_archive_pages, 'archive page')} ({amount(columns, 'column')})"] if archive else []
        )
        parts += [f"{len(pages.articles):,} of {amount(self.learning.of_articles, 'article')}"] if pages.articles else []
        return f"{self.file.portal.name}: read {' and '.join(parts)}"

    def _changed(self) -> Iterator[str]:
        written = self.file.of(State.WRITTEN)
        if written:
            names = ", ".join(one.proposal.name for one in written)
            yield f"{'Written' if self.asked.write else 'To be written with --write'}: {names}"
        else:
            there = len(self.file.of(State.THERE))
            already = f": {amount(there, 'proposal is', 'proposals are')} what the file says already" if there else ""
            yield f"Nothing to write{already}."

    def _with_title(self, title: str, state: State, told: Callable[[Decision], Iterable[str]]) -> Iterator[str]:
        decisions = self.file.of(state)
        if decisions:
            yield title.format(len(decisions))
        for one in decisions:
            yield from told(one)

    def _question(self, one: Decision) -> list[str]:
        lines = question_lines(one)
        return [lines[0], lines[-1]] if one.proposal.name in self.asked.seen else lines

    def _command(self) -> str:
        return f"curator learn {self.asked.typed}"

    def _next(self) -> str:
        typed = self.asked.typed
        if self.asked.write and self.confirmed is not None and self.confirmed.accepted:
            return f"`{self._command()}` asks what these pages leave open"
        better = filter(_finds_more, self.file.of(State.DIFFERS))
        waiting = [one.proposal.name for one in (*better, *self.file.of(State.OPEN))]
        if waiting or (not self.asked.write and self.file.of(State.WRITTEN)):
            given = {} if self.asked.write else self.asked.answers
            asked = dict.fromkeys(waiting[:_ANSWERS], "NUMBER")  # nobody should take the first choices unread
            flags = [f"--answer {shlex.quote(name)}={number}" for name, number in {**given, **asked}.items()]
            flags += ["--answer NAME=NUMBER ..."] * (len(waiting) > _ANSWERS)
            return f"{self._command()} {' '.join([*flags, '--write'])}{'  (with your numbers)' if waiting else ''}"
        if " --html " in typed:  # saved pages can be asked for nothing more
            return f"`curator crawl {typed.partition(' --html ')[0]}` gets the pages of the portal"
        return f"`curator audit {typed}` says what the rules lose; `curator test {typed}` what they should give"


def _finds_more(one: Decision) -> bool:
    """Whether the first choice gives all that the line of the file does, and more."""
    differs = one.proposal.choices[0].differs
    return bool(differs) and all(line.startswith("+ ") for line in differs)


def question_lines(one: Decision) -> list[str]:
    """A question with its choices."""
    lines = [f"  {one.proposal.name}: {one.proposal.question or 'Is this right?'}"]
    lines += [f"    yours:  {_shown(path, value)}" for path, value in one.yours]
    for number, choice in enumerate(one.proposal.choices, start=1):
        lines += [f"    {number}  {_shown(one.proposal.path, choice.value)}", f"       {_cut(choice.reason)}", *_evidence(choice)]
    answers = "another number, or 0 for none of them" if len(one.proposal.choices) > 1 else "0 for none of them"
    return [*lines, f"    --answer {shlex.quote(one.proposal.name)}=1  (or {answers})"]


def _difference_lines(one: Decision) -> Iterator[str]:
    yield f"  {one.proposal.name}"
    yield from (f"    yours:  {_shown(path, value)}" for path, value in one.yours)
    for number, choice in enumerate(one.proposal.choices[:_CHOICES], start=1):
        yield f"    {number}  {_shown(one.proposal.path, choice.value)}"
        yield f"       {_cut(choice.reason)}"
        yield from _evidence(choice) if number == 1 else ()


def _refused_lines(one: Decision) -> Iterator[str]:
    yield f"  {one.proposal.name}: {_shown(one.proposal.path, one.choice.value)}: {one.reason}"


def _evidence(choice: Choice) -> Iterator[str]:
    yield from (f"         {_cut(sample)}" for sample in choice.samples[:_SAMPLES])
    yield from (f"         otherwise: {_cut(line)}" for line in choice.differs[:_DIFFERENT])


def _shown(path: Sequence[str], value: Plain) -> str:
    """A rule as it would stand in the file, in one line."""
    name = path[-1] if path else ""
    if isinstance(value, Mapping) and is_section(tuple(path)):
        kept = {key: inner for key, inner in value.items() if inner is not None}
        if kept:
            return _cut(LEARNED_STYLE.line(kept)[1:-1])
        value = None
    return f"no rule for {name}: as it is read now" if value is None else _cut(f"{name}: {LEARNED_STYLE.line(value)}")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _as_data(one: Decision) -> dict[str, Any]:
    return {
        "name": one.proposal.name,
        "path": list(one.proposal.path),
        "state": one.state.value,
        "sure": one.proposal.sure,
        "choice": one.number,
        "question": one.proposal.question,
        "reason": one.reason or None,
        "yours": {".".join(path): value for path, value in one.yours},
        "choices": [
            {
                "number": number,
                "value": choice.value,
                "reason": choice.reason,
                "samples": list(choice.samples),
                "differs": list(choice.differs),
                "score": round(choice.score, 4),
            }
            for number, choice in enumerate(one.proposal.choices, start=1)
        ],
    }
