"""CSS selectors, read and written: the dialect of cssselect, matched from right to left inside a scope, with
a bound on the work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import MAX_STEPS, allowed
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.own_patterns import linear, linear_at

# Why not cssselect's own translation to XPath: XPath 1.0 cannot say "inside this item", libxml2 gives no
# bound on time (ten thousand siblings took minutes with some axes), and the tag dictionary asks "does this
# element match?", which a path answers the long way round.

MAX_LENGTH = 2_000
"""Characters of a selector."""
_NAME = r"[A-Za-z_][\w-]*"
_VALUE = rf"(?:{_NAME}|\"[^\"\\\x00-\x1f]*\"|'[^'\\\x00-\x1f]*')"
_COMPOUND = rf"(?:{_NAME}|\*|(?=[.#\[]))(?:[.#]{_NAME}|\[{_NAME}(?:[~|^$*]?={_VALUE})?\])*"
_PLAINLY_RIGHT = linear_at(rf"{_COMPOUND}(?:(?: *[>+~,] *| +){_COMPOUND})*", re.ASCII)
"""Names, classes, ids, attributes and how they stand to each other: what nearly all selectors are, and
nothing in it can be wrong."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A selector of a group, for those who ask of an element which of many selectors match it."""

    subject: Subject
    specificity: tuple[int, int, int]
    """The specificity, by which `:contains()` counts as a class."""
    matches: Test
    candidates: etree.XPath
    """The elements that are worth a closer look."""


@dataclass(frozen=True)
class Selector:
    """A group of selectors, checked at once and compiled when it is first used; equal when written
    equally."""

    # Without slots, for `cached_property`: a tag dictionary may have tens of thousands of them, of which one
    # run uses few.
    text: str

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Check. Raises SelectorError."""
        if len(text) > MAX_LENGTH:
            raise SelectorError(f"the selector has {len(text)} characters; at most {MAX_LENGTH} are allowed")
        if not _PLAINLY_RIGHT.fullmatch(text):
            _compiled(text)
        return cls(text)

    def __reduce__(self) -> tuple[type[Selector], tuple[str]]:
        # What is compiled cannot travel to another process; its text can.
        return Selector, (self.text,)

    @cached_property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The selectors of the group, one by one."""
        return _compiled(self.text)

    @property
    def specificity(self) -> tuple[int, int, int]:
        """Return the specificity of the most specific one of the group; `:contains()` counts as a class."""
        return max(alternative.specificity for alternative in self.alternatives)

    def select(self, element: Element) -> list[Element]:
        """The element itself and all in it that match, in document order, each once; all of the selector is
        read inside the element."""
        allowed(self.text)
        scope = Scope(element, element, rule=self.text)
        selected: list[list[Element]] = []
        for alternative in self.alternatives:
            candidates: list[Element] = alternative.candidates(element)  # type: ignore[assignment]
            scope.step(len(candidates))
            selected.append([candidate for candidate in candidates if alternative.matches(candidate, scope)])
        if len(selected) == 1:
            return selected[0]
        wanted = {match for matches in selected for match in matches}
        return [match for match in element.iter(etree.Element) if match in wanted] if wanted else []

    def matches(self, element: Element) -> bool:
        """True if this very element matches, seen from the whole page."""
        allowed(self.text)
        scope = Scope(None, element.getroottree().getroot(), rule=self.text)
        return any(alternative.matches(element, scope) for alternative in self.alternatives)


def _compiled(text: str) -> tuple[Alternative, ...]:
    try:
        parsed = css.parse(plain_dialect(text))
        pseudo = next((selector.pseudo_element for selector in parsed if selector.pseudo_element), None)
        if pseudo is not None:
            raise SelectorError(
                f"the pseudo-element ::{pseudo} is no element of a page; use `attr` or the element itself"
            )
        return tuple(_alternative_of(selector) for selector in parsed)
    except SelectorError:
        raise
    except (
        css.SelectorError,
        etree.XPathError,
        ValueError,
    ) as problem:  # an escape may stand for what no page can hold
        raise SelectorError(f"not a selector: {_problem_in_words(str(problem), text)}") from None
    except RecursionError:
        raise SelectorError("the selector is nested too deeply") from None


def _alternative_of(selector: Any) -> Alternative:
    test, subject = _test_of(selector.parsed_tree), _subject_of(selector.parsed_tree)
    leftmost: Any = selector.parsed_tree
    while isinstance(leftmost, css.CombinedSelector):
        leftmost = leftmost.selector
    is_scope = (
        isinstance(leftmost, css.Pseudo) and leftmost.ident == "scope"
    )  # CSS counts it, but a leading `>` adds nothing
    ids, classes, names = selector.specificity()
    # as far as XPath's test of it is cheap
    name = subject.tag if subject.tag and linear_at(r"[a-z][a-z0-9]*").fullmatch(subject.tag) else "*"
    conditions = [f'[@id="{one}"]' for one in subject.ids if '"' not in one]
    conditions += [f'[contains(@class,"{one}")]' for one in subject.classes if '"' not in one]
    candidates = etree.XPath(f"descendant-or-self::{name}{''.join(conditions)}")
    return Alternative(subject, (ids, classes - is_scope, names), test, candidates)


_UNEXPECTED = linear_at(r".*got <(?P<kind>\w+)(?: '(?P<value>.*)')? at (?P<at>\d+)>", re.DOTALL)
"""The sentence of cssselect on a text that is no selector."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The tag, ids and classes that an element must have, at least, for a selector to end in it; an index of
    selectors is built on it."""

    tag: str | None
    ids: frozenset[str]
    classes: frozenset[str]
    plain: bool
    """True if nothing else is asked of it than its name, ids and classes, and that it has some attributes."""
    attributes: frozenset[str] = frozenset()


def plain_dialect(text: str) -> str:
    """Write a leading `>` as `:scope >`, and `:not(a, b)` as `:not(a):not(b)`."""
    if not linear(r"(?:^|,)\s*>|:not\(", re.IGNORECASE).search(text):
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
        elif token.is_delim(")"):
            del open_functions[-1:]
        elif token.is_delim(",") and open_functions[-1:] == ["not"]:
            edits.append((token.pos, "):not("))
        elif token.is_delim(">") and expect_start:
            edits.append((token.pos, ":scope >"))
        expect_start = token.is_delim(",") and not open_functions
    for at, replacement in reversed(edits):
        text = text[:at] + replacement + text[at + 1 :]
    return text


def _problem_in_words(problem: str, text: str) -> str:
    match = _UNEXPECTED.fullmatch(problem)
    if match is None or match["kind"] == "EOF":
        return problem if match is None else "it breaks off at its end"
    # in a dialect that was rewritten, the position is another
    where = f" (character {int(match['at']) + 1})" if plain_dialect(text) == text else ""
    return f"{'a blank' if match['kind'] == 'S' else repr(match['value'])} cannot stand there{where}"


def _subject_of(tree: Any) -> Subject:
    """Return what the rightmost compound asks of an element."""
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
    return Subject(
        node.element.lower() if node.element else None,
        frozenset(ids),
        frozenset(classes),
        plain,
        frozenset(attributes),
    )


BLANKS = linear(r"[ \t\r\n\f]+")
"""Blanks between the classes of an element."""


class SelectorError(ValueError):
    """The text is not a selector that the engine supports; the message says why."""


@dataclass(slots=True, eq=False)
class Scope:
    """The place of one selection, and how much work it may still do."""

    root: Element | None
    """The element whose ancestors and siblings are not looked at; None: the whole page."""
    anchor: Element | None = None
    """The element that the left end of a `:has()` argument must be; for `:scope` the root."""
    left: int = MAX_STEPS
    rule: str = ""
    """The rule that is being asked."""

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            raise PatternTimeout(
                f"{self.rule!r} had to look at too many elements of a page; make it simpler (name a class, "
                "not a chain)"
            )


Test = Callable[[Element, Scope], bool]
"""A function that returns True if an element fulfils one condition."""


def _test_of(tree: Any) -> Test:
    """The test of one selector as cssselect parsed it. Raises SelectorError."""
    if isinstance(tree, css.CombinedSelector):
        return _combined(tree)
    if isinstance(tree, _Anchor):
        return lambda element, scope: element is scope.anchor
    if isinstance(tree, css.Element):
        _refuse_namespace(tree.namespace, "element")
        name = tree.element.lower() if tree.element is not None else None
        return lambda element, scope: name is None or element.tag == name  # noqa: ARG005
    condition = _condition_of(tree)
    # a condition stands on the compound to its left: both must hold
    compound = tree.selector
    if isinstance(compound, css.Element) and compound.element is None and compound.namespace is None:
        return condition
    return _both(_test_of(compound), condition)


def _both(first: Test, second: Test) -> Test:
    return lambda element, scope: first(element, scope) and second(element, scope)


def _condition_of(tree: Any) -> Test:
    """Return what a node asks beside those that it stands on. Raises SelectorError."""
    condition = _CONDITIONS.get(type(tree))
    if condition is None:
        raise SelectorError(f"{type(tree).__name__} is not supported in selectors")
    return condition(tree)


def _attrib(tree: css.Attrib) -> Test:
    _refuse_namespace(tree.namespace, "attribute")
    return _attribute(
        tree.attrib.lower(), tree.operator, (tree.value and tree.value.value) or "", fold=tree.flag == "i"
    )


def _pseudo(tree: css.Pseudo) -> Test:
    if tree.ident in _PSEUDO_CLASSES:
        return _PSEUDO_CLASSES[tree.ident]
    known = ", ".join(f":{name}" for name in sorted(_PSEUDO_CLASSES))
    raise SelectorError(f"the pseudo-class :{tree.ident} is not supported; there are {known}")


def _negation(tree: css.Negation) -> Test:
    inner = _test_of(tree.subselector)
    return lambda element, scope: not _holds_anywhere(inner, element, scope, scope.anchor)


def _matching(tree: Any) -> Test:
    tests = list(map(_test_of, tree.selector_list))
    return lambda element, scope: any(_holds_anywhere(test, element, scope, scope.anchor) for test in tests)


def _refuse_namespace(namespace: str | None, what: str) -> None:
    if namespace not in (None, "*"):
        raise SelectorError(f"namespaces are not supported ({namespace}|); write the {what}'s name alone")


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "exists": lambda _, __: True,
    "=": lambda value, wanted: value == wanted,
    "!=": lambda value, wanted: value != wanted,
    "~=": lambda value, wanted: (
        wanted in value and (value == wanted or wanted in BLANKS.split(value)) and wanted != ""
    ),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: wanted != "" and value.startswith(wanted),
    "$=": lambda value, wanted: wanted != "" and value.endswith(wanted),
    "*=": lambda value, wanted: wanted != "" and wanted in value,
}


def _attribute(name: str, operator: str, wanted: str, *, fold: bool = False) -> Test:
    compare, wanted = _OPERATORS[operator], wanted.lower() if fold else wanted

    def holds(element: Element, _: Scope) -> bool:
        value = element.get(name)
        return operator == "!=" if value is None else compare(value.lower() if fold else value, wanted)

    return holds


def _is_edge(*, before: bool, same_type: bool = False) -> Test:
    """Return whether no sibling stands before (or after) it."""
    return lambda element, _: (
        next(element.itersiblings(element.tag if same_type else etree.Element, preceding=before), None)
        is None
    )


_PSEUDO_CLASSES: dict[str, Test] = {
    "root": lambda element, scope: element.getparent() is None,  # noqa: ARG005
    "scope": lambda element, scope: element is scope.anchor,
    "first-child": _is_edge(before=True),
    "last-child": _is_edge(before=False),
    "only-child": _both(_is_edge(before=True), _is_edge(before=False)),
    "first-of-type": _is_edge(before=True, same_type=True),
    "last-of-type": _is_edge(before=False, same_type=True),
    "only-of-type": _both(_is_edge(before=True, same_type=True), _is_edge(before=False, same_type=True)),
    "empty": lambda element, scope: len(element) == 0 and not element.text,  # noqa: ARG005
}
_POSITIONS = {
    "nth-child": (False, False),
    "nth-last-child": (True, False),
    "nth-of-type": (False, True),
    "nth-last-of-type": (True, True),
}
"""The positions by name: whether each counts from the end, and whether only siblings of the same name."""


def _function(tree: css.Function) -> Test:
    if tree.name in _POSITIONS:
        return _nth(tree, *_POSITIONS[tree.name])
    if tree.name != "contains":
        known = ":has() :not() :is() :where() :contains() " + " ".join(f":{name}()" for name in _POSITIONS)
        raise SelectorError(f"the pseudo-class :{tree.name}() is not supported; there are {known}")
    if tree.argument_types() not in (["STRING"], ["IDENT"]):
        raise SelectorError(':contains() needs one text in quotes, as in :contains("...")')
    wanted = linear(r"\s+").sub(" ", tree.arguments[0].value or "")

    def contains(element: Element, scope: Scope) -> bool:
        content = "".join(element.itertext(etree.Element))  # type: ignore[arg-type]
        scope.step(len(content) // 16)
        return (
            wanted in " ".join(content.split())
            if wanted.strip() == wanted
            else wanted in linear(r"\s+").sub(" ", content)
        )

    return contains


def _nth(tree: css.Function, from_end: bool, same_type: bool) -> Test:
    try:
        a, b = css.parse_series(tree.arguments)
    except ValueError:
        raise SelectorError(f":{tree.name}() needs a number, odd, even, or a formula like 2n+1") from None

    def holds(element: Element, scope: Scope) -> bool:
        index = 1 + sum(
            1
            for _ in element.itersiblings(element.tag if same_type else etree.Element, preceding=not from_end)
        )
        scope.step(index // 8)
        return index == b if a == 0 else (index - b) % a == 0 and (index - b) // a >= 0

    return holds


def _holds_anywhere(test: Test, element: Element, scope: Scope, anchor: Element | None) -> bool:
    """A condition on one element may look at all of the page, also from inside an item."""
    wide = Scope(None, anchor, scope.left, scope.rule)
    result = test(element, wide)
    scope.left = wide.left
    return result


class _Anchor:
    """Stands at the left end of a `:has()` argument for the element that must have it."""


def _relation(tree: css.Relation) -> Test:
    arguments = [
        (mark.value or " ", _test_of(_anchored(one.parsed_tree, mark.value or " ")))
        for mark, one in tree.arguments
    ]

    def has(element: Element, scope: Scope) -> bool:
        for combinator, test in arguments:
            around = [element] if combinator in " >" else element.itersiblings(etree.Element)
            if _finds(
                test,
                (below for top in around for below in top.iter(etree.Element) if below is not element),
                scope,
            ):
                return True
        return False

    return lambda element, scope: _holds_anywhere(has, element, scope, element)


def _finds(test: Test, candidates: Iterable[Element], scope: Scope) -> bool:
    for candidate in candidates:
        scope.step()
        if test(candidate, scope):
            return True
    return False


def _anchored(tree: Any, combinator: str) -> Any:
    if isinstance(tree, css.CombinedSelector):
        return css.CombinedSelector(_anchored(tree.selector, combinator), tree.combinator, tree.subselector)
    return css.CombinedSelector(_Anchor(), combinator, tree)  # type: ignore[arg-type]


_CONDITIONS: dict[type, Callable[[Any], Test]] = {
    css.Hash: lambda tree: _attribute("id", "=", tree.id),
    css.Class: lambda tree: _attribute("class", "~=", tree.class_name),
    css.Attrib: _attrib,
    css.Pseudo: _pseudo,
    css.Function: _function,
    css.Negation: _negation,
    css.Matching: _matching,
    css.SpecificityAdjustment: _matching,
    css.Relation: _relation,
}
"""Kind of node -> what it asks of an element."""


def _combined(tree: css.CombinedSelector) -> Test:
    left, right, combinator = _test_of(tree.selector), _test_of(tree.subselector), tree.combinator
    tag = None if isinstance(tree.selector, _Anchor) else _subject_of(tree.selector).tag

    def stands_there(element: Element, scope: Scope) -> bool:
        if element is scope.root or not right(element, scope):
            return False
        if combinator != ">":
            return _finds(left, near(element, scope), scope)
        scope.step()  # what is asked of every paragraph of a page, so without a walk
        parent = element.getparent()
        return parent is not None and left(parent, scope)

    def near(element: Element, scope: Scope) -> Iterator[Element]:
        if combinator != " ":
            yield from islice(
                element.itersiblings(etree.Element, preceding=True), 1 if combinator == "+" else None
            )
        elif scope.root is None:
            yield from element.iterancestors(tag)
        else:
            while element is not scope.root and (parent := element.getparent()) is not None:
                yield parent
                element = parent

    return stands_there


_NEEDS_ESCAPE = linear(r"[^A-Za-z0-9_\-\u0080-\U0010ffff]")


def identifier(name: str) -> str:
    """A name as CSS takes it: `md:flex` is `md\\:flex`, `2col` is `\\32 col`."""
    escaped = _NEEDS_ESCAPE.sub(
        lambda match: _code_point(match[0]) if match[0] < " " or match[0] == "\x7f" else f"\\{match[0]}", name
    )
    if linear_at(r"-?[0-9]|-$|--").match(name) is None:
        return escaped
    return f"\\-{identifier(name[1:])}" if name.startswith("-") else f"{_code_point(name[0])}{escaped[1:]}"


def quoted(text: str) -> str:
    """A text as a string of CSS."""
    return '"' + linear(r'["\\\x00-\x1f\x7f]').sub(lambda match: _code_point(match[0]), text) + '"'


def _code_point(character: str) -> str:
    return f"\\{ord(character):x} "
