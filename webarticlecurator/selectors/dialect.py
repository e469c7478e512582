"""How selectors are written: what cssselect's parser does not take, what is read off its tree, and how the program writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cssselect import parser as css

_REWRITTEN = re.compile(r"(?:^|,)\s*>|:not\(", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*")
_NEEDS_ESCAPE = re.compile(r"[^A-Za-z0-9_\-\u0080-\U0010ffff]")
_BAD_START = re.compile(r"-?[0-9]|-$|--")
_TOKEN = r"<(?P<kind>\w+)(?: '(?P<value>.*)')? at (?P<at>\d+)>"
_UNEXPECTED = re.compile(rf"(?:Expected (?P<what>.+?)|Operator expected), got {_TOKEN}", re.DOTALL)
_EXPECTED = {
    "selector": "a name, class or the like",
    "ident": "a name",
    "ident or '*'": "a name or '*'",
    "string or ident": "a name or a text in quotes",
    "operator": "an operator such as = or ^=",
}
"""What cssselect calls it, and what a person does."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What an element must have, at least, for a selector to end in it; an index of selectors is built on it."""

    tag: str | None
    ids: frozenset[str]
    classes: frozenset[str]
    plain: bool
    """Nothing else is asked of it than its name, ids and classes, and that it has some attributes."""
    attributes: frozenset[str] = frozenset()

    @property
    def xpath(self) -> str:
        """XPath's test of it, as far as that is cheap."""
        name = self.tag if self.tag and _PLAIN_NAME.fullmatch(self.tag) else "*"
        conditions = [f"@id={_literal(one)}" for one in self.ids] + [f"contains(@class,{_literal(one)})" for one in self.classes]
        return name + "".join(f"[{condition}]" for condition in conditions)


def plain_dialect(text: str) -> str:
    """Write a leading `>` as `:scope >`, and `:not(a, b)` as `:not(a):not(b)`."""
    if not _REWRITTEN.search(text):
        return text
    tokens = list(css.tokenize(text))
    edits: list[tuple[int, str]] = []
    open_functions: list[str] = []
    expect_start = True
    for position, token in enumerate(tokens):
        if token.type == "S":
            continue
        if token.is_delim("("):
            before = tokens[position - 1]
            open_functions.append((before.value or "").lower() if before.type == "IDENT" else "")
        elif token.is_delim(")") and open_functions:
            open_functions.pop()
        elif token.is_delim(",") and open_functions and open_functions[-1] == "not":
            edits.append((token.pos, "):not("))
        elif token.is_delim(">") and expect_start and not open_functions:
            edits.append((token.pos, ":scope >"))
        expect_start = token.is_delim(",") and not open_functions
    for at, replacement in reversed(edits):
        text = text[:at] + replacement + text[at + 1 :]
    return text


def specificity_of(selector: css.Selector) -> tuple[int, int, int]:
    """CSS's, but a leading `>` adds nothing to it."""
    leftmost: Any = selector.parsed_tree
    while isinstance(leftmost, css.CombinedSelector):
        leftmost = leftmost.selector
    ids, classes, names = selector.specificity()
    return ids, classes - (isinstance(leftmost, css.Pseudo) and leftmost.ident == "scope"), names


def problem_in_words(problem: str, text: str) -> str:
    """What cssselect says of a selector that is none, without the names of its tokens."""
    found = _UNEXPECTED.fullmatch(problem)
    if found is None:
        return problem
    expected = _EXPECTED.get(found["what"] or "operator", found["what"])
    if found["kind"] == "EOF":
        return f"{expected} is missing at its end"
    # in a dialect that was rewritten, the position is another
    where = f" (character {int(found['at']) + 1})" if plain_dialect(text) == text else ""
    return f"{expected} is expected where {'a blank' if found['kind'] == 'S' else repr(found['value'])} stands{where}"


def subject_of(tree: Any) -> Subject:
    """What the rightmost compound asks of an element."""
    node = tree.subselector if isinstance(tree, css.CombinedSelector) else tree
    plain = node is tree
    ids, classes, attributes = set(), set(), set()
    while not isinstance(node, css.Element):
        if isinstance(node, css.Hash):
            ids.add(node.id)
        elif isinstance(node, css.Class):
            classes.add(node.class_name)
        else:
            plain = plain and isinstance(node, css.Attrib) and node.operator == "exists"
            if isinstance(node, css.Attrib) and node.operator != "!=":
                attributes.add(node.attrib.lower())
        node = node.selector
    plain = plain and node.namespace is None
    return Subject(node.element.lower() if node.element else None, frozenset(ids), frozenset(classes), plain, frozenset(attributes))


def _literal(text: str) -> str:
    if '"' not in text:
        return f'"{text}"'
    pieces = ", '\"', ".join(f'"{piece}"' for piece in text.split('"'))
    return f"concat({pieces})"


# --- names and texts of selectors that are written by the program ---


def identifier(name: str) -> str:
    """A name as CSS takes it: `md:flex` is `md\\:flex`, `2col` is `\\32 col`."""
    escaped = _NEEDS_ESCAPE.sub(lambda found: _code_point(found[0]) if found[0] < " " or found[0] == "\x7f" else f"\\{found[0]}", name)
    if _BAD_START.match(name) is None:
        return escaped
    return f"\\-{identifier(name[1:])}" if name.startswith("-") else f"{_code_point(name[0])}{escaped[1:]}"


def quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda found: _code_point(found[0]), text) + '"'


def _code_point(character: str) -> str:
    return f"\\{ord(character):x} "
