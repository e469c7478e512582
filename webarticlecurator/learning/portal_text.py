"""Proposals as text of a portal file: keys put where they belong, with their evidence as comments; comments of others stay."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import yaml

from webarticlecurator.config.yaml_edits import WIDEST, YamlStyle, edited
from webarticlecurator.learning.file_rules import Path, grows, is_section, key_values
from webarticlecurator.model.proposals import Choice, Proposal

_MOST_SAMPLES, _MOST_CHOICES, _MOST_DIFFERENT = 3, 3, 4
_LONGEST_SAMPLE, _LONGEST_REASON = 200, 600
_LEARNED = "learned"
"""What a comment of ours begins with, by which it is known when its line is written anew."""
_ALTERNATIVE = "or, in its place"
_COMMENT = re.compile(r"[ \t]*#[ \t]?")
_NOT_IN_YAML = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""What YAML refuses even in comments, and what steers an editor."""
_ORDER = (
    *("portal", "title", "home", "language", "timezone", "kind", "extends", "publisher", "fetch", "archive", "columns"),
    *("articles", "metadata", "body", "posts", "layouts"),
    *("url", "ways", "base", "dates", "settle", "drift_after", "pages", "item", "link", "next", "sections", "fields", "urls", "stop"),
    *("request", "format", "vars", "skip", "identity", "root", "within", "tags"),
)
"""Keys as a person writes them one after the other."""
_RANK = {name: place for place, name in enumerate(_ORDER)}


def _comment_in(line: str) -> str | None:
    """What a line of comment says; None: it is none."""
    return _COMMENT.sub("", line, count=1) if _COMMENT.match(line) else None


def _behind_alternatives(text: str, start: int) -> int:
    """Where those of our comments end that begin there, and tell what else a rule might be."""
    end = start
    for line in text[start:].splitlines(keepends=True):
        said = _comment_in(line)
        if said is None or said.startswith(_LEARNED) or (end == start and not said.startswith(_ALTERNATIVE)):
            break
        end += len(line)
    return end


LEARNED_STYLE = YamlStyle(
    in_line=lambda path, line: len(line) <= WIDEST and not is_section(path),
    rank=lambda key: _RANK.get(key, len(_RANK)),
    behind=_behind_alternatives,
)


def with_key(text: str, path: Path, wanted: dict[str, Any], evidence: Sequence[str], *, adds: bool = False) -> str:
    """The text of a portal file, made to say this, which differs at one key, with lines of comment above that.

    `adds`: a list there gets more items, so what is said of the others stays. Raises CannotEdit.
    """
    after = edited(text if adds else _without_evidence(text, path), wanted, LEARNED_STYLE)
    place = _lines_of(after, path)
    return after if place is None else _with_comments(after, place.first, evidence, like=place.first)


def with_alternatives(text: str, paths: Iterable[Path], alternatives: Sequence[str]) -> str:
    """With lines of comment behind the last of these keys."""
    last = max(filter(None, map(partial(_lines_of, text), paths)), key=lambda place: place.end, default=None)
    return text if last is None else _with_comments(text, last.end, alternatives, like=last.first)


def _with_comments(text: str, number: int, comments: Iterable[str], *, like: int) -> str:
    """Before the line of a number, as far to the right as another one."""
    lines = text.splitlines(keepends=True)
    indent = lines[like][: len(lines[like]) - len(lines[like].lstrip(" "))]
    newline = "\r\n" if "\r\n" in text else "\n"
    return "".join([*lines[:number], *(f"{indent}{line}{newline}" for line in comments), *lines[number:]])


def _without_evidence(text: str, path: Path) -> str:
    """Without what we said of the value that goes: above it, and its alternatives behind it."""
    place = _lines_of(text, path)
    if place is None or place.in_brackets:
        return text
    lines = text.splitlines(keepends=True)
    behind = "".join(lines[place.end :])
    behind = behind[_behind_alternatives(behind, 0) :]
    first = place.first
    while first and (said := _comment_in(lines[first - 1])) is not None:
        first -= 1
        if said.startswith(_LEARNED):
            return "".join([*lines[:first], *lines[place.first : place.end], behind])
    return "".join([*lines[: place.end], behind])


class _KeyLines(NamedTuple):
    """Where a key stands with its value, in lines counted from 0."""

    first: int
    end: int
    """Behind the last one."""
    in_brackets: bool


def _lines_of(text: str, path: Path) -> _KeyLines | None:
    """Of several layers the nearest is looked at; None: there is no such key."""
    try:
        node: Any = yaml.compose(text.removeprefix("\ufeff"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return None
    lines = None
    for name in path:
        if isinstance(node, yaml.SequenceNode):
            node = next((layer for layer in node.value if isinstance(layer, yaml.MappingNode)), None)
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        key, value = next(((key, value) for key, value in pairs if key.value == name), (None, None))
        if key is None or value is None:
            return None
        last = value
        while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
            last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
        end = max(last.end_mark.line + bool(last.end_mark.column), key.end_mark.line + 1)
        lines = _KeyLines(key.start_mark.line, end, bool(node.flow_style))
        node = value
    return lines


# --- comments ---


def evidence_lines(proposal: Proposal, choice: Choice, *, answered: bool) -> list[str]:
    """Why a choice stands in the file. `answered`: a person chose it, if it is not sure."""
    lists = [value for path, value in key_values(proposal.path, choice.value) if grows(path) and isinstance(value, list | tuple)]
    items = ", ".join(str(item) for value in lists for item in value if isinstance(item, str))
    of_items = f" for {items}" if items else ""  # the reasons of several answers can stand above one line
    doubt = "" if proposal.sure else ", and chosen by a person" if answered else ", but NOT SURE"
    return [*comment_lines(f"{_LEARNED}{of_items}{doubt}: {choice.reason}"), *_samples(choice.samples[:_MOST_SAMPLES])]


def alternative_lines(proposal: Proposal) -> list[str]:
    """The other choices, as comments that only need their `#` taken away."""
    lines: list[str] = []
    for number, choice in enumerate(proposal.choices[1:_MOST_CHOICES], start=2):
        lines += [*comment_lines(f"{_ALTERNATIVE} ({number}): {choice.reason}"), *_samples(choice.samples[:_MOST_SAMPLES])]
        lines += _samples(f"gives otherwise: {line}" for line in choice.differs[:_MOST_DIFFERENT])
        lines += rule_lines(proposal, choice)
    return lines


def rule_lines(proposal: Proposal, choice: Choice) -> list[str]:
    """A choice as comment."""
    is_mapping = isinstance(choice.value, Mapping) and is_section(proposal.path)
    style, path = LEARNED_STYLE, proposal.path
    return [f"# {line}" for line in (style.lines(choice.value, path) if is_mapping else style.entry(path[-1], choice.value, path))]


def comment_lines(text: str) -> list[str]:
    """A sentence as comment, folded."""
    wrapper = textwrap.TextWrapper(WIDEST - 2, break_long_words=False, break_on_hyphens=False)
    return [f"# {line}" for line in wrapper.wrap(_harmless(text, _LONGEST_REASON))]


def _samples(texts: Iterable[str]) -> list[str]:
    return [f"#   {_harmless(text, _LONGEST_SAMPLE)}" for text in texts]


def _harmless(text: str, longest: int) -> str:
    """What pages say, in one line that YAML takes as a comment."""
    squeezed = _NOT_IN_YAML.sub("?", " ".join(text[: 4 * longest].split()))
    return squeezed if len(squeezed) <= longest else f"{squeezed[:longest]}..."
