"""What users write and cssselect's parser does not take, and what is read off its tree before anything is matched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cssselect import parser as css

_REWRITTEN = re.compile(r"(?:^|,)\s*>|:not\(", re.IGNORECASE)
_STRING = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_XPATH = re.compile(r"(?<!\\)/[/@*.A-Za-z]|\[@|^\s*@|text\(\)|(?:ancestor|descendant|following|preceding|parent|child|self)[\w-]*::")


@dataclass(frozen=True, slots=True)
class Subject:
    """What an element must have, at least, for a selector to end in it; an index of selectors is built on it."""

    tag: str | None
    ids: frozenset[str]
    classes: frozenset[str]
    plain: bool
    """Nothing else is asked of it than its name, ids and classes."""
    attributes: frozenset[str] = frozenset()


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


def advice_on(text: str) -> str:
    """What may be meant by a selector that is none."""
    if text.lstrip().startswith("$"):
        return "; this is JSONPath: a path into JSON is a JMESPath, without `$.` at its start, as in `{json: items[*].url}`"
    if _XPATH.search(_STRING.sub("", text)):
        return '; this is XPath, and selectors are CSS: `//div[@class="x"]//a/@href` is `{css: div.x a, attr: href}`'
    if re.search(r":contains\((?!\s*[\"'])", text):
        return '; the text of :contains() needs quotes: :contains("...")'
    if re.match(r"\s*[+~]", text):
        return "; it would lead out of the element it starts from"
    return ""


def hint_of(tree: Any) -> str:
    """XPath's test of the rightmost compound, as far as it is cheap: the elements that are worth a closer look."""
    name, conditions = "*", []
    node = tree.subselector if isinstance(tree, css.CombinedSelector) else tree
    while not isinstance(node, css.Element):
        if isinstance(node, css.Hash):
            conditions.append(f"@id={_literal(node.id)}")
        elif isinstance(node, css.Class):
            conditions.append(f"contains(@class,{_literal(node.class_name)})")
        node = node.selector
    if node.element and re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", node.element):
        name = node.element.lower()
    return name + "".join(f"[{condition}]" for condition in conditions)


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
            plain = False
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
