"""The portal file that is made of another program's files, with what it says and what it cannot say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from webarticlecurator.amounts import amount, prefixed, text_if, those_that_hold
from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.scalars import SECRET_HEADER
from webarticlecurator.config.yaml_edits import WIDEST, YamlStyle
from webarticlecurator.errors import PortalFileError, UsageError, told_by_system
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.selectors import quoted
from webarticlecurator.storage.drafts import is_stream, write_new

_ADVICE: dict[str, dict[str, str]] = {
    program: {
        name: said
        for names, _, said in (line.partition(" = ") for line in lines)
        for name in names.split(", ")
    }
    for program, lines in read_word_lists(__file__, "advice.txt", r"\n").items()
}
KINDS = _ADVICE["kinds"]
"""Why something is not said."""
_LONGEST, _MOST_LISTED = 200, 300
_MOST_RULES = 1_000
_ORDER = (
    *("title", "language", "timezone", "publisher", "known"),
    *("fetch", "archive", "columns", "articles", "metadata", "body"),
)
"""Keys of a portal file that may be said, in the order in which they stand."""
_STYLE = YamlStyle(
    in_line=lambda path, line: (
        (len(path) > 1 or path == ("known",)) and path[-1] != "tags" and len(line) <= WIDEST
    ),
    in_quotes=linear(r"\?|^:|:(\W|$)"),  # not every program takes these without
)
_LISTS = {
    ("body", "tags", "decompose"),
    ("body", "tags", "unwrap"),
    ("body", "tags", "figure"),
    ("articles", "skip", "url"),
}
"""Keys of which all values hold; of others a list is one of alternatives."""


class Rule(NamedTuple):
    """A rule of another program's file, as a portal file writes it."""

    path: tuple[str, ...]
    value: Any
    place: str
    """File and line."""
    written: str


class Unsaid(NamedTuple):
    """Something that no portal file can say, with what a person may do."""

    kind: str
    """One of KINDS."""
    place: str
    written: str
    advice: str

    def __str__(self) -> str:
        return f"{self.place} {self.written}: {self.advice} ({self.kind})"


@dataclass
class Conversion:
    """The portal file of one portal, as another program's files are read."""

    name: str
    program: str
    """As advice.txt names it."""
    home: str = ""
    sources: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    unsaid: list[Unsaid] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """For the head of the portal file."""

    def say(self, path: str, value: Any, place: str, written: str = "") -> None:
        """A key that takes a list has each value for itself."""
        rule = Rule(tuple(path.split("|")), value, place, _shown(written or path.replace("|", ".")))
        if all((rule.path, rule.value) != (other.path, other.value) for other in self.rules):
            self.rules.append(rule)
        most = f"at most {_MOST_RULES:,} rules are expected of one portal."
        if len(self.rules) > _MOST_RULES:
            raise UsageError(f"{place} is the end: {most}")

    def leave(self, name: str, place: str, written: str, *, kind: str = "", advice: str = "") -> None:
        """Without a kind, what advice.txt says of the name."""
        if not kind:
            kind, advice = (
                _ADVICE[self.program].get(name, "unknown: no such key is known here").split(": ", 1)
            )
        if kind == "secret" or (kind == "unknown" and SECRET_HEADER.search(name)):
            written = written.partition(":")[0]
        self.unsaid.append(Unsaid(kind, place, _shown(written), advice))

    @property
    def said(self) -> Counter[str]:
        """Return how many rules there are, by key."""
        return Counter(
            ".".join(rule.path if rule.path[0] != "columns" else rule.path[:1]) for rule in self.rules
        )

    def write(self, path: Path) -> None:
        """The portal file. Raises UsageError where nothing tells the portal's address, or something is there
        already."""
        meant = "convert the site schema or the portal module of HTML2TEI together with it"
        problem = f"{', '.join(self.sources)}: nothing tells the address of the portal"
        if not self.home:
            raise UsageError(f"{problem}: {meant}.")
        accepted: list[Rule] = []  # what `curator check` does not accept is left
        self._accept((), accepted)
        self._accept(self.rules, accepted)
        self.rules = accepted
        text = self._with_comments(self._text(accepted))
        there = f"{path} is there already, and is not overwritten"
        if path.exists() and not is_stream(path):
            raise UsageError(f"{there}: move it away, or name another place with -o.")
        try:
            write_new(path, text)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {told_by_system(error)}.") from None

    def _accept(self, rules: Sequence[Rule], accepted: list[Rule]) -> None:
        """All together; where that is wrong somewhere, each half."""
        text, mistake = self._text([*accepted, *rules]), ""
        try:
            load_portal(Path(FILE_NAME), content=text.encode())
        except PortalFileError as error:
            mistake = error.mistakes[0].message
        if not text.replace("\n", "").isprintable():
            mistake = "it holds signs that nobody sees"
        if not mistake:
            accepted += rules
        elif not rules:
            raise UsageError(f"{', '.join(self.sources)}: {mistake}")
        elif len(rules) == 1:
            self.leave("", rules[0].place, rules[0].written, kind="refused", advice=_shown(mistake))
        else:
            self._accept(rules[: len(rules) // 2], accepted)
            self._accept(rules[len(rules) // 2 :], accepted)

    def _text(self, rules: Sequence[Rule]) -> str:
        value: dict[str, Any] = {"portal": self.name, "home": self.home}
        for rule in sorted(rules, key=lambda rule: _ORDER.index(rule.path[0])):
            *above, last = rule.path
            inner = value
            for key in above:
                inner = inner.setdefault(key, {})
            if last in inner or rule.path in _LISTS:
                before = inner.get(last, [])
                inner[last] = [*(before if isinstance(before, list) else [before]), rule.value]
            else:
                inner[last] = rule.value
        return "".join(f"{line}\n" for line in _STYLE.lines(value))

    def _with_comments(self, text: str) -> str:
        """The rules, below what they were made of and above what could not be said."""
        said = f"{amount(self.said.total(), 'rule')} from {', '.join(self.sources)}"
        unsaid = text_if(self.unsaid, "; what is not said stands at the end")
        head = [f"Made by `curator convert` ({self.program}): {said}{unsaid}.", *self.remarks]
        counts = Counter(unsaid.kind for unsaid in self.unsaid)
        counted = ", ".join(f"{kind} {number}" for kind, number in sorted(counts.items()))
        foot = [
            *those_that_hold((self.unsaid, f"Not said ({counted}):")),
            *prefixed("- ", self.unsaid[:_MOST_LISTED]),
            *those_that_hold(
                (
                    self.unsaid[_MOST_LISTED:],
                    f"- and {len(self.unsaid) - _MOST_LISTED:,} more: `--json` tells all",
                )
            ),
        ]
        head, foot = ([f"# {_shown(sentence, 2 * _LONGEST)}" for sentence in part] for part in (head, foot))
        lines = [*head, "", text.rstrip("\n"), *those_that_hold((foot, "")), *foot, ""]
        return linear(r"(?m)^(?=[a-z]+:$)").sub("\n", "\n".join(lines))


def _shown(text: str, longest: int = _LONGEST) -> str:
    """On one line, without what would steer an editor, and not too long."""
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    return text if len(text) <= longest else f"{text[:longest]}..."


ATTRIBUTE = r"[a-z_][a-z0-9_-]*"


class CannotSay(ValueError):
    """CSS has no word for it: the message is the part that it is about."""


def attribute(name: str, operator: str = "", value: str = "") -> str:
    """The condition on an attribute, in CSS. Raises CannotSay."""
    if not linear_at(ATTRIBUTE).fullmatch(name) or (operator in ("^=", "*=") and not value):
        raise CannotSay(f"@{name} and an empty text")
    is_plain = linear_at(r"[A-Za-z_][\w-]*", re.ASCII).fullmatch(value)
    if is_plain and (name, operator) in (("id", "="), ("class", "~=")):
        return f"{'#' if name == 'id' else '.'}{value}"
    return f"[{name}{operator}{quoted(value)}]" if operator else f"[{name}]"
