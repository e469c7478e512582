"""Proposals as text of a portal file: lines with their evidence as comments, and a first file made of them."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.yaml_edits import INDENT, WIDEST, YamlStyle
from webarticlecurator.errors import Mistake, PortalFileError
from webarticlecurator.learning.key_values import grows, is_section, key_values, rank
from webarticlecurator.model.proposals import Choice, Plain, Proposal

_MOST_SAMPLES, _MOST_CHOICES, _MOST_DIFFERENT = 3, 3, 4
_LONGEST_SAMPLE, _LONGEST_REASON = 200, 600
LEARNED = "learned"
"""What a comment of ours begins with, by which it is known when its line is written anew."""
ALTERNATIVE = "or, in its place"
_COMMENT = re.compile(r"[ \t]*#[ \t]?")
_NOT_IN_YAML = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""What YAML refuses even in comments, and what steers an editor."""


def comment_in(line: str) -> str | None:
    """What a line of comment says; None: it is none."""
    return _COMMENT.sub("", line, count=1) if _COMMENT.match(line) else None


def behind_alternatives(text: str, start: int) -> int:
    """Where those of our comments end that begin there, and tell what else a rule might be."""
    end = start
    for line in text[start:].splitlines(keepends=True):
        said = comment_in(line)
        if said is None or said.startswith(LEARNED) or (end == start and not said.startswith(ALTERNATIVE)):
            break
        end += len(line)
    return end


LEARNED_STYLE = YamlStyle(in_line=lambda path, line: len(line) <= WIDEST and not is_section(path), rank=rank, behind=behind_alternatives)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalFacts:
    """What a portal file begins with."""

    name: str
    home: str
    title: str = ""
    opening: tuple[str, ...] = ()
    """Sentences for the top of the file: how it was made, what to look at."""


@dataclass(slots=True)
class _Key:
    """A key of the file to be written: a value with the proposal that it comes from, or keys below it."""

    value: Plain = None
    proposal: Proposal | None = None
    below: dict[str, _Key] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    owner: str | None = None
    """The proposal whose rule stands in it."""


def first_portal_file(facts: PortalFacts, proposals: Sequence[Proposal]) -> str:
    """A portal file that can be loaded: what is sure as lines with their reasons, what is not with its alternatives as comments.

    A proposal that the loader refuses, or that speaks of what an earlier one has settled, becomes a comment.
    """
    refused: dict[str, str] = {}
    while True:
        lines = _first_lines(facts, proposals, refused)
        text = _text(lines)
        mistakes = _mistakes(text)
        left = [one.name for one in proposals if one.name not in refused]
        if not mistakes or not left:
            return text
        blamed = {owner: one.message for one in reversed(mistakes) if (owner := lines[min(one.line, len(lines)) - 1].owner) is not None}
        # a line can be wrong because of another one: then whatever mends it by going is to blame, the last proposals first
        mending = (name for name in reversed(left) if not _mistakes(_text(_first_lines(facts, proposals, {**refused, name: ""}))))
        refused |= blamed or {next(mending, left[-1]): mistakes[0].message}


def _text(lines: Sequence[_Line]) -> str:
    return "".join(f"{line.text}\n" for line in lines)


def _mistakes(text: str) -> tuple[Mistake, ...]:
    try:
        load_portal(Path(FILE_NAME), content=text.encode("utf-8"))
    except PortalFileError as error:
        return error.mistakes
    return ()


def _first_lines(facts: PortalFacts, proposals: Sequence[Proposal], refused: Mapping[str, str]) -> list[_Line]:
    known = {"portal": facts.name, "title": facts.title, "home": facts.home}
    root = _Key(below={key: _Key(value) for key, value in known.items() if value})
    left_out = [(one, why) for one in proposals if (why := refused.get(one.name) or _put(root, one))]
    opening = [_Line(line) for sentence in facts.opening for line in comment_lines(sentence, 0)]
    beside = [_Line(line) for one, why in left_out for line in _left_out_lines(one, why)]
    return [*opening, *_FirstFile(root).lines(), *beside]


def _left_out_lines(proposal: Proposal, why: str) -> list[str]:
    first = proposal.choices[0]
    at = ".".join(_place(proposal, first))
    where = comment_lines(f"under `{at}`:", 0) if at else []
    rule = [f"# {line}" for line in _rule_lines(proposal, first)]
    said = comment_lines(f"`{proposal.name}` is left out: {why}", 0)
    return ["", *said, *evidence_lines(proposal, first, 0), *where, *rule, *alternative_lines(proposal, 0)]


def _put(root: _Key, proposal: Proposal) -> str:
    """Enter the first choice, or say why that cannot be."""
    said = [one for one in key_values(proposal, proposal.choices[0]) if one.value is not None]
    if any(_is_taken(root, one.path) for one in said):
        return "another proposal has settled its keys"
    for path, value in said:
        place = root
        for name in path:
            place = place.below.setdefault(name, _Key())
        place.value, place.proposal = value, proposal
    return "" if said or proposal.sure else "without it, the general rules decide"


def _is_taken(root: _Key, path: Sequence[str]) -> bool:
    place: _Key | None = root
    for name in path:
        place = place.below.get(name) if place is not None else None
        if place is not None and not place.below:
            return True
    return place is not None


class _FirstFile:
    """The lines of keys, each proposal's reason before the first of its keys, its alternatives behind the last."""

    def __init__(self, root: _Key) -> None:
        self._root = root
        self._waiting = Counter(one.proposal.name for one in _all_below(root) if one.proposal is not None)
        self._told: set[str] = set()

    def lines(self) -> list[_Line]:
        return list(self._lines(self._root, 0))

    def _lines(self, place: _Key, column: int) -> Iterator[_Line]:
        for key, below in sorted(place.below.items(), key=lambda one: rank(one[0])):
            if not below.below:
                yield from self._key(key, below, column)
                continue
            if not column:
                yield _Line("")
            owners = {one.proposal.name for one in _all_below(below) if one.proposal is not None}
            yield _Line(f"{' ' * column}{LEARNED_STYLE.scalar(key, is_key=True)}:", owners.pop() if len(owners) == 1 else None)
            yield from self._lines(below, column + INDENT)

    def _key(self, key: str, said: _Key, column: int) -> Iterator[_Line]:
        one = said.proposal
        if one is None:
            yield from map(_Line, key_lines(key, said.value, column))
            return
        if one.name not in self._told:
            self._told.add(one.name)
            yield from map(_Line, evidence_lines(one, one.choices[0], column))
        yield from (_Line(line, one.name) for line in key_lines(key, said.value, column))
        self._waiting[one.name] -= 1
        if not self._waiting[one.name] and not one.sure:
            yield from map(_Line, alternative_lines(one, INDENT * len(_place(one, one.choices[0]))))


def _all_below(root: _Key) -> Iterator[_Key]:
    for one in root.below.values():
        yield one
        yield from _all_below(one)


# --- keys with their values ---


def key_lines(key: str, value: Plain, column: int) -> list[str]:
    """A key with its value: in one line, if it fits there, else in several."""
    return [" " * column + line for line in LEARNED_STYLE.entry(key, value, (key,), column)]


def _is_scalar(value: Plain) -> bool:
    return isinstance(value, str) or not isinstance(value, Sequence | Mapping)


# --- comments ---


def evidence_lines(proposal: Proposal, choice: Choice, column: int, *, answered: bool = False) -> list[str]:
    """Why a choice stands in the file. `answered`: a person chose it, if it is not sure."""
    doubt = "" if proposal.sure else ", and chosen by a person" if answered else ", but NOT SURE"
    lead = f"{LEARNED}{_of_items(proposal, choice)}{doubt}"
    return [*comment_lines(f"{lead}: {choice.reason}", column), *(_sample(text, column) for text in choice.samples[:_MOST_SAMPLES])]


def _of_items(proposal: Proposal, choice: Choice) -> str:
    """Which items of a list are meant, where the reasons of several answers can stand above one line."""
    values = [value for path, value in key_values(proposal, choice) if grows(path) and isinstance(value, list | tuple)]
    items = [str(item) for value in values for item in value if _is_scalar(item)]
    return f" for {', '.join(items)}" if items else ""


def alternative_lines(proposal: Proposal, column: int) -> list[str]:
    """The other choices, as comments that only need their `#` taken away."""
    lines: list[str] = []
    for number, choice in enumerate(proposal.choices[1:_MOST_CHOICES], start=2):
        lines += comment_lines(f"{ALTERNATIVE} ({number}): {choice.reason}", column)
        lines += [_sample(text, column) for text in choice.samples[:_MOST_SAMPLES]]
        lines += [_sample(text, column, "gives otherwise: ") for text in choice.differs[:_MOST_DIFFERENT]]
        lines += [f"{' ' * column}# {line}" for line in _rule_lines(proposal, choice)]
    return lines


def _rule_lines(proposal: Proposal, choice: Choice) -> list[str]:
    """A choice's keys, beginning where the proposal stands in the file."""
    above = _place(proposal, choice)
    root = _Key()
    for path, value in key_values(proposal, choice):
        place = root
        for name in path[len(above) :]:
            place = place.below.setdefault(name, _Key())
        place.value = value
    if root.below:
        return [line.text for line in _FirstFile(root).lines() if line.text]
    return key_lines(proposal.path[-1], choice.value, 0) if proposal.path else []


def _place(proposal: Proposal, choice: Choice) -> tuple[str, ...]:
    """The key below which those of a choice stand."""
    return proposal.path if isinstance(choice.value, Mapping) else proposal.path[:-1]


def comment_lines(text: str, column: int) -> list[str]:
    """A sentence as comment, folded."""
    wrapper = textwrap.TextWrapper(WIDEST - column - 2, break_long_words=False, break_on_hyphens=False)
    return [f"{' ' * column}# {line}" for line in wrapper.wrap(_harmless(text, _LONGEST_REASON))]


def _sample(text: str, column: int, lead: str = "") -> str:
    return f"{' ' * column}#   {lead}{_harmless(text, _LONGEST_SAMPLE)}"


def _harmless(text: str, longest: int) -> str:
    """What pages say, in one line that YAML takes as a comment."""
    squeezed = _NOT_IN_YAML.sub("?", " ".join(text[: 4 * longest].split()))
    return squeezed if len(squeezed) <= longest else f"{squeezed[:longest]}..."
