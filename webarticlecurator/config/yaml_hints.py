"""Where YAML swallows a selector, and what to write instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yaml

_COMMENT = re.compile(r"[ \t]+(#[^\s#].*)")
_VALUE = re.compile(r"""^\s*(?:-\s+)*(?P<key>(?:"[^"]*"|'[^']*'|[^\s'"\[\]{}#&*!|>%@`,:][^:\[\]{}]*?)\s*:\s+)?(?P<value>\S.*?)\s*$""")
_ATTRIBUTE_FIRST = re.compile(r"\[[^\[\]]+\][\s>+~.:#\[a-zA-Z].*")
_FLOW_VALUE = re.compile(r"(?:[\[{,]|:\s)\s*(?P<value>[*&!%@`>|](?:\[[^\]]*\]|[^,\]}])*|[\w.#*:()-]+\[[^\]]*\](?:\[[^\]]*\]|[^,\]}\[])*)")
_FLOW_COMMENT = re.compile(
    r"(?:[\[{,]|:(?=\s))\s*(?P<value>(?P<kept>(?:[^\s\[\]{},:'\"#](?:(?!:\s)[^\[\]{},'\"])*?)?)(?<=\s)"
    r"(?P<lost>#[^\s#](?:\[[^\]]*\]|(?!:\s)[^,\]}])*))"
)
_KEY_COMMENT = re.compile(r"(?P<kept>[^\"'#]*?)\s(?P<lost>#[^\s#]*)\s*:\s+")
_MEANING = {
    "#": "starts a comment",
    "*": "starts a YAML alias",
    "&": "starts a YAML anchor",
    "!": "starts a YAML tag",
    "%": "starts a YAML directive",
    "@": "is reserved in YAML",
    "`": "is reserved in YAML",
    ">": "starts a folded text",
    "|": "starts a literal text",
    "[": "starts a YAML list",
    "{": "starts a YAML mapping",
    '"': "starts a quoted text that must end the value",
    "'": "starts a quoted text that must end the value",
}
_LONG_WORD = re.compile(r"(\S{80})\S{30,}(\S{10})")
_LONG_QUOTE = re.compile(r"""(?<![^\s(])([`"'][^`"']{80})[^`"']{30,}([`"'])""")
_LONGEST_SHOWN = 100
_LONGEST = 600
"""Characters of a message."""
_ATTRIBUTES = re.compile(r"(?:data|aria)-[\w-]+|id|class|href|src|rel|role|name|property|datetime|item(?:prop|type|scope|id)|.*[~|^$*]?=.*")


def quoted(text: str) -> str:
    """The text as YAML reads it back."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def brief(text: str) -> str:
    """A sentence with at most a line of each long value that it quotes."""
    text = _LONG_WORD.sub(r"\1...\2", _LONG_QUOTE.sub(r"\1...\2", text))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST * 3 // 4]} ... {text[-_LONGEST // 4 :]}"


def shortened(text: str) -> str:
    """A value that stands in a sentence without quotes: at most a line of it."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def swallowed_comment(source: str, index: int) -> str | None:
    """The `#main` that follows a plain value on its line; an ordinary comment has a blank after its `#`."""
    end = source.find("\n", index)
    found = _COMMENT.match(source[index : end if end >= 0 else len(source)])
    return found[1].rstrip() if found else None


def truncated(kept: str, comment: str, what: str = "") -> str:
    """The sentence about a selector (or `what` else) that lost its end, or all of it, to a comment."""
    selector, colon, value = re.split(r"\s+#\s", comment)[0].rstrip().partition(": ")
    whole = quoted(f"{kept} {selector.rstrip()}".strip()) + colon + value
    return f"YAML takes `{selector}` for a comment, because a blank stands before `#`; put the {what or 'selector'} in quotes: {whole}"


def attribute_selector(item: str) -> str | None:
    """The sentence about `[x=y]`, which is an attribute selector to a person and a list to YAML."""
    if _ATTRIBUTES.fullmatch(item) and "[" not in item:
        return f"YAML takes `[{item}]` for a list; put the selector in quotes: {quoted(f'[{item}]')}"
    return None


@dataclass(frozen=True, slots=True)
class SyntaxHint:
    """What is wrong with text that is not YAML, and the text with quotes where they are what is missing."""

    line: int
    column: int
    sentence: str
    repaired: str | None = None


_Unquoted = tuple[int, str, str]
"""Where a value begins in its line that needs quotes, the value, and what is told of it."""


def explain_syntax(error: yaml.MarkedYAMLError, source: str) -> SyntaxHint:
    """Explain what PyYAML stumbled over."""
    lines = source.splitlines() or [""]
    mark = error.problem_mark or error.context_mark
    stumbled = min(mark.line, len(lines) - 1) if mark else 0
    began = min(error.context_mark.line, stumbled) if error.context_mark else stumbled
    for number in dict.fromkeys((stumbled, began)):
        if hint := _quotes_needed(lines[number]):
            return _repair(lines, number, hint)
    # a comment inside [...] or {...} hides the closing bracket: PyYAML notices lines later
    for number in range(stumbled, -1, -1):
        if hint := _comment_in_flow(lines[number]):
            return _repair(lines, number, hint)
    column = (mark.column if mark and mark.line == stumbled else len(lines[stumbled])) + 1
    return SyntaxHint(stumbled + 1, column, _plain_words(str(error.problem or error.context), lines[stumbled]))


def _repair(lines: list[str], number: int, unquoted: _Unquoted) -> SyntaxHint:
    start, value, sentence = unquoted
    repaired = lines[number][:start] + quoted(value) + lines[number][start + len(value) :]
    return SyntaxHint(number + 1, start + 1, sentence, "\n".join([*lines[:number], repaired, *lines[number + 1 :]]))


def _plain_words(problem: str, line: str) -> str:
    if "'\\t'" in problem or line.lstrip(" ").startswith("\t"):
        return "a tab stands where YAML wants blanks; indent with blanks"
    if "mapping values are not allowed" in problem:
        return "a second `: ` stands in this line, or the line is indented too far; a value that holds `: ` needs quotes"
    if "could not find expected ':'" in problem:
        return "this line is no `key: value`; is a colon missing, or an indentation wrong?"
    if "unexpected end of stream" in problem or "EOF" in problem:
        return "a quote or bracket is opened and never closed"
    if "unknown escape" in problem:
        return "between double quotes a backslash begins an escape; put the value between single quotes, where it is itself"
    return f"this is not YAML: {problem}; is an indentation wrong, a bracket left open, or are quotes missing?"


def _quotes_needed(line: str) -> _Unquoted | None:
    """The value of this line, if it begins with one of YAML's indicators or holds what ends a value."""
    found = _VALUE.match(line)
    if not found or line.lstrip().startswith("#"):
        return None
    if found["key"] and (comment := _KEY_COMMENT.fullmatch(found["key"])):
        key = found["key"].rstrip().removesuffix(":").rstrip()
        return found.start("key"), key, truncated(comment["kept"].rstrip(), comment["lost"])
    value, start = re.split(r"\s+#\s", found["value"])[0].rstrip(), found.start("value")
    if value[0] in "[{" and not _ATTRIBUTE_FIRST.fullmatch(value):
        return _bracket_in_flow(line, start)
    in_quotes = f"{(found['key'] or '').strip()} {quoted(value)}".strip()
    if value[0] in "'\"" and value.count(value[0]) == 1:
        return None
    if value[0] in _MEANING:
        return start, value, f"`{value[0]}` at the start of a value {_MEANING[value[0]]}; put the value in quotes: {in_quotes}"
    return (start, value, f"a value that holds `: ` needs quotes: {in_quotes}") if ": " in value else None


def _bracket_in_flow(line: str, start: int) -> _Unquoted | None:
    found = _FLOW_VALUE.search(line, start)
    if not found:
        return None
    value = found["value"].rstrip()
    reason = f"`{value[0]}` {_MEANING[value[0]]}" if value[0] in _MEANING else "`[`, `]`, `{`, `}` and `,` end a value"
    return found.start("value"), value, f"inside [...] and {{...}}, {reason}; put the value in quotes: {quoted(value)}"


def _comment_in_flow(line: str) -> _Unquoted | None:
    found = _FLOW_COMMENT.search(line)
    if not found or line.lstrip().startswith("#"):
        return None
    return found.start("value"), found["value"].rstrip(), truncated(found["kept"].rstrip(), found["lost"].rstrip())
