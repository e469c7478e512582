"""CSS selectors, read and written: the dialect of cssselect, matched from right to left inside a scope, with a bound on the work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import MAX_STEPS, allowed
from webarticlecurator.errors import PatternTimeout

# Why not cssselect's own translation to XPath: XPath 1.0 cannot say "inside this item", libxml2 gives no bound on time (ten thousand
# siblings took minutes with some axes), and the tag dictionary asks "does this element match?", which a path answers the long way round.

MAX_LENGTH = 2_000
"""Characters of a selector."""
_NAME = r"[A-Za-z_][\w-]*"
_VALUE = rf"(?:{_NAME}|\"[^\"\\\x00-\x1f]*\"|'[^'\\\x00-\x1f]*')"
_COMPOUND = rf"(?:{_NAME}|\*|(?=[.#\[]))(?:[.#]{_NAME}|\[{_NAME}(?:[~|^$*]?={_VALUE})?\])*"
_PLAINLY_RIGHT = re.compile(rf"{_COMPOUND}(?:(?: *[>+~,] *| +){_COMPOUND})*", re.ASCII)
"""Names, classes, ids, attributes and how they stand to each other: what nearly all selectors are, and nothing in it can be wrong."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One selector of a group, for those who ask of an element which of many selectors match it."""

    subject: Subject
    specificity: tuple[int, int, int]
    """`:contains()` counts as a class."""
    matches: Test
    candidates: etree.XPath
    """The elements that are worth a closer look."""

    def select(self, element: Element, scope: Scope) -> list[Element]:
        candidates: list[Element] = self.candidates(element)  # type: ignore[assignment]
        scope.step(len(candidates))
        return [candidate for candidate in candidates if self.matches(candidate, scope)]


@dataclass(frozen=True)
class Selector:
    """A group of selectors, checked at once and compiled when it is first used; equal when written equally."""

    # Without slots, for `cached_property`: a tag dictionary may have tens of thousands of them, of which one run uses few.
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
        """Of the most specific one of the group; `:contains()` counts as a class."""
        return max(alternative.specificity for alternative in self.alternatives)

    def select(self, element: Element) -> list[Element]:
        """The element itself and all in it that match, in document order, each once; all of the selector is read inside the element."""
        allowed(self.text)
        scope = Scope(element, element, rule=self.text)
        selected = [alternative.select(element, scope) for alternative in self.alternatives]
        if len(selected) == 1:
            return selected[0]
        wanted = {match for matches in selected for match in matches}
        return [match for match in element.iter(etree.Element) if match in wanted] if wanted else []

    def matches(self, element: Element) -> bool:
        """Whether this very element matches, seen from the whole page."""
        allowed(self.text)
        scope = Scope(None, element.getroottree().getroot(), rule=self.text)
        return any(alternative.matches(element, scope) for alternative in self.alternatives)


def _compiled(text: str) -> tuple[Alternative, ...]:
    try:
        parsed = css.parse(plain_dialect(text))
        pseudo = next((selector.pseudo_element for selector in parsed if selector.pseudo_element), None)
        if pseudo is not None:
            raise SelectorError(f"the pseudo-element ::{pseudo} is no element of a page; use `attr` or the element itself")
        alternatives = []
        for selector in parsed:
            test, subject = _compile_tree(selector.parsed_tree), _subject_of(selector.parsed_tree)
            alternatives.append(Alternative(subject, _specificity_of(selector), test, etree.XPath(f"descendant-or-self::{subject.xpath}")))
        return tuple(alternatives)
    except SelectorError:
        raise
    except (css.SelectorError, etree.XPathError, ValueError) as problem:  # an escape may stand for what no page can hold
        raise SelectorError(f"not a selector: {_problem_in_words(str(problem), text)}") from None
    except RecursionError:
        raise SelectorError("the selector is nested too deeply") from None


# --- how selectors are written: what cssselect's parser does not take, and what is read off its tree ---

_REWRITTEN = re.compile(r"(?:^|,)\s*>|:not\(", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*")
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


def _specificity_of(selector: css.Selector) -> tuple[int, int, int]:
    """CSS's, but a leading `>` adds nothing to it."""
    leftmost: Any = selector.parsed_tree
    while isinstance(leftmost, css.CombinedSelector):
        leftmost = leftmost.selector
    ids, classes, names = selector.specificity()
    return ids, classes - (isinstance(leftmost, css.Pseudo) and leftmost.ident == "scope"), names


def _problem_in_words(problem: str, text: str) -> str:
    """What cssselect says of a selector that is none, without the names of its tokens."""
    match = _UNEXPECTED.fullmatch(problem)
    if match is None:
        return problem
    expected = _EXPECTED.get(match["what"] or "operator", match["what"])
    if match["kind"] == "EOF":
        return f"{expected} is missing at its end"
    # in a dialect that was rewritten, the position is another
    where = f" (character {int(match['at']) + 1})" if plain_dialect(text) == text else ""
    return f"{expected} is expected where {'a blank' if match['kind'] == 'S' else repr(match['value'])} stands{where}"


def _subject_of(tree: Any) -> Subject:
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


# --- from cssselect's tree to tests: conditions on one element, and how elements stand to each other ---

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_FORM_TAGS = frozenset({"button", "fieldset", "input", "optgroup", "option", "select", "textarea"})


class SelectorError(ValueError):
    """The text is not a selector that the engine supports; the message says why."""


class Scope:
    """Where one selection takes place, and how much work it may still do."""

    __slots__ = ("anchor", "left", "root", "rule")

    def __init__(self, root: Element | None, anchor: Element | None = None, left: int = MAX_STEPS, rule: str = "") -> None:
        self.root = root
        """Neither ancestors nor siblings of this element are looked at; None: the whole page."""
        self.anchor = anchor
        """What the left end of a `:has()` argument must be; for `:scope` the root."""
        self.left = left
        self.rule = rule
        """The one that is being asked."""

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            raise PatternTimeout(f"{self.rule!r} had to look at too many elements of a page; make it simpler (name a class, not a chain)")


Test = Callable[[Element, Scope], bool]
"""Whether an element fulfils one condition."""


def _compile_tree(tree: Any) -> Test:
    """The test of one selector as cssselect parsed it. Raises SelectorError."""
    kind = type(tree).__name__
    if kind in _ALONE:
        return _ALONE[kind](tree)
    if kind not in _CONDITIONS:
        raise SelectorError(f"{kind} is not supported in selectors")
    condition = _CONDITIONS[kind](tree)
    # a condition stands on the compound to its left: both must hold
    compound = tree.selector
    if isinstance(compound, css.Element) and compound.element is None and compound.namespace is None:
        return condition
    return _both(_compile_tree(compound), condition)


def _both(first: Test, second: Test) -> Test:
    return lambda element, scope: first(element, scope) and second(element, scope)


# --- names and attributes ---


def _element(tree: css.Element) -> Test:
    _refuse_namespace(tree.namespace, "element")
    if tree.element is None:
        return lambda element, scope: True  # noqa: ARG005
    name = tree.element.lower()
    return lambda element, scope: element.tag == name  # noqa: ARG005


def _refuse_namespace(namespace: str | None, what: str) -> None:
    if namespace not in (None, "*"):
        raise SelectorError(f"namespaces are not supported ({namespace}|); write the {what}'s name alone")


def _class(tree: css.Class) -> Test:
    wanted = tree.class_name

    def has_class(element: Element, _: Scope) -> bool:
        value = element.get("class")
        return value is not None and wanted in value and (value == wanted or wanted in _BLANKS.split(value))

    return has_class


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in _BLANKS.split(value) and wanted != "",
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: wanted != "" and value.startswith(wanted),
    "$=": lambda value, wanted: wanted != "" and value.endswith(wanted),
    "*=": lambda value, wanted: wanted != "" and wanted in value,
}


def _attribute(tree: css.Attrib) -> Test:
    _refuse_namespace(tree.namespace, "attribute")
    name = tree.attrib.lower()
    if tree.operator == "exists":
        return lambda element, scope: element.get(name) is not None  # noqa: ARG005
    wanted = (tree.value.value or "") if tree.value is not None else ""
    fold = tree.flag == "i"
    wanted = wanted.lower() if fold else wanted
    if tree.operator == "!=":
        return lambda element, scope: (element.get(name) or "").lower() != wanted if fold else element.get(name) != wanted  # noqa: ARG005
    compare = _OPERATORS[tree.operator]

    def holds(element: Element, _: Scope) -> bool:
        value = element.get(name)
        return value is not None and compare(value.lower() if fold else value, wanted)

    return holds


# --- pseudo-classes ---


def _is_edge(*, before: bool, same_type: bool = False) -> Test:
    """Whether no sibling stands before (or after) it."""

    def holds(element: Element, _: Scope) -> bool:
        return next(element.itersiblings(element.tag if same_type else etree.Element, preceding=before), None) is None

    return holds


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
    "link": lambda element, scope: element.tag in ("a", "area", "link") and element.get("href") is not None,  # noqa: ARG005
    "checked": lambda element, scope: element.get("checked") is not None or element.get("selected") is not None,  # noqa: ARG005
    "disabled": lambda element, scope: element.tag in _FORM_TAGS and element.get("disabled") is not None,  # noqa: ARG005
    "enabled": lambda element, scope: element.tag in _FORM_TAGS and element.get("disabled") is None,  # noqa: ARG005
}
_PSEUDO_CLASSES["any-link"] = _PSEUDO_CLASSES["link"]
_POSITIONS = {"nth-child": (False, False), "nth-last-child": (True, False), "nth-of-type": (False, True), "nth-last-of-type": (True, True)}
"""Name -> whether it counts from the end, and whether only siblings of the same name."""


def _pseudo_class(tree: css.Pseudo) -> Test:
    if tree.ident not in _PSEUDO_CLASSES:
        known = ", ".join(f":{name}" for name in sorted(_PSEUDO_CLASSES))
        raise SelectorError(f"the pseudo-class :{tree.ident} is not supported; there are {known}")
    return _PSEUDO_CLASSES[tree.ident]


def _function(tree: css.Function) -> Test:
    if tree.name in _POSITIONS:
        return _nth(tree, *_POSITIONS[tree.name])
    if tree.name not in ("contains", "lang"):
        known = ":has() :not() :is() :where() :contains() :lang() " + " ".join(f":{name}()" for name in _POSITIONS)
        raise SelectorError(f"the pseudo-class :{tree.name}() is not supported; there are {known}")
    if tree.argument_types() not in (["STRING"], ["IDENT"]):
        raise SelectorError(f':{tree.name}() needs one text in quotes, as in :{tree.name}("...")')
    text = tree.arguments[0].value or ""
    return _contains(text) if tree.name == "contains" else _lang(text)


def _nth(tree: css.Function, from_end: bool, same_type: bool) -> Test:
    try:
        a, b = css.parse_series(tree.arguments)
    except ValueError:
        raise SelectorError(f":{tree.name}() needs a number, odd, even, or a formula like 2n+1") from None

    def holds(element: Element, scope: Scope) -> bool:
        index = 1 + sum(1 for _ in element.itersiblings(element.tag if same_type else etree.Element, preceding=not from_end))
        scope.step(index // 8)
        return index == b if a == 0 else (index - b) % a == 0 and (index - b) // a >= 0

    return holds


def _contains(text: str) -> Test:
    wanted = re.sub(r"\s+", " ", text)

    def holds(element: Element, scope: Scope) -> bool:
        content = "".join(element.itertext(etree.Element))  # type: ignore[arg-type]
        scope.step(len(content) // 16)
        return wanted in " ".join(content.split()) if wanted.strip() == wanted else wanted in re.sub(r"\s+", " ", content)

    return holds


def _lang(text: str) -> Test:
    wanted = text.lower()

    def holds(element: Element, _: Scope) -> bool:
        holder: Element | None = element
        while holder is not None and holder.get("lang") is None:
            holder = holder.getparent()
        return holder is not None and (holder.get("lang", "").lower() + "-").startswith(wanted + "-")

    return holds


# --- :not(), :is(), :has() ---


def _negation(tree: css.Negation) -> Test:
    inner = _compile_tree(tree.subselector)
    return lambda element, scope: not _holds_anywhere(inner, element, scope, scope.anchor)


def _any_of(tree: Any) -> Test:
    inner = list(map(_compile_tree, tree.selector_list))
    return lambda element, scope: any(_holds_anywhere(test, element, scope, scope.anchor) for test in inner)


def _holds_anywhere(test: Test, element: Element, scope: Scope, anchor: Element | None) -> bool:
    """A condition on one element may look at all of the page, also from inside an item."""
    wide = Scope(None, anchor, scope.left, scope.rule)
    result = test(element, wide)
    scope.left = wide.left
    return result


class _Anchor:
    """Stands at the left end of a `:has()` argument for the element that must have it."""


def _relation(tree: css.Relation) -> Test:
    parsed = [(combinator.value or " ", one.parsed_tree) for combinator, one in tree.arguments]
    arguments = [(combinator, _compile_tree(_anchored(inner, combinator))) for combinator, inner in parsed]

    def has(element: Element, scope: Scope) -> bool:
        return any(_finds(test, _relatives(element, combinator), scope) for combinator, test in arguments)

    return lambda element, scope: _holds_anywhere(has, element, scope, element)


def _finds(test: Test, candidates: Iterable[Element], scope: Scope) -> bool:
    for candidate in candidates:
        scope.step()
        if test(candidate, scope):
            return True
    return False


def _relatives(element: Element, combinator: str) -> Iterator[Element]:
    if combinator in " >":
        yield from element.iterdescendants(etree.Element)
        return
    for sibling in element.itersiblings(etree.Element):
        yield from sibling.iter(etree.Element)


def _anchored(tree: Any, combinator: str) -> Any:
    if isinstance(tree, css.CombinedSelector):
        return css.CombinedSelector(_anchored(tree.selector, combinator), tree.combinator, tree.subselector)
    return css.CombinedSelector(_Anchor(), combinator, tree)  # type: ignore[arg-type]


# --- combinators ---


def _ancestors(element: Element, scope: Scope, tag: str | None = None) -> Iterator[Element]:
    """Of any tag, or of this one alone."""
    if scope.root is None:
        yield from element.iterancestors(tag)
        return
    while element is not scope.root and (parent := element.getparent()) is not None:
        yield parent
        element = parent


def _previous(element: Element, scope: Scope) -> Iterable[Element]:
    return () if element is scope.root else element.itersiblings(etree.Element, preceding=True)


_BESIDE: dict[str, Callable[[Element, Scope], Iterable[Element]]] = {
    "~": _previous,
    "+": lambda element, scope: islice(_previous(element, scope), 1),
}


def _combined(tree: css.CombinedSelector) -> Test:
    left, right = _compile_tree(tree.selector), _compile_tree(tree.subselector)
    if tree.combinator == ">":
        return _child(left, right)
    candidates = _BESIDE.get(tree.combinator) or partial(_ancestors, tag=_tag_of(tree.selector))
    return lambda element, scope: right(element, scope) and _finds(left, candidates(element, scope), scope)


def _tag_of(tree: Any) -> str | None:
    """The tag that an element must have."""
    while isinstance(tree, css.CombinedSelector) or hasattr(tree, "selector"):
        tree = tree.subselector if isinstance(tree, css.CombinedSelector) else tree.selector
    return tree.element.lower() if isinstance(tree, css.Element) and tree.element is not None else None


def _child(left: Test, right: Test) -> Test:
    """What is asked of every paragraph of a page, so without a walk."""

    def is_child(element: Element, scope: Scope) -> bool:
        parent = element.getparent() if element is not scope.root and right(element, scope) else None
        if parent is None:
            return False
        scope.step()
        return left(parent, scope)

    return is_child


_CONDITIONS: dict[str, Callable[[Any], Test]] = {
    "Hash": lambda tree: lambda element, _: element.get("id") == tree.id,
    "Class": _class,
    "Attrib": _attribute,
    "Pseudo": _pseudo_class,
    "Function": _function,
    "Negation": _negation,
    "Matching": _any_of,
    "SpecificityAdjustment": _any_of,
    "Relation": _relation,
}
"""Kind of node in cssselect's tree -> its condition, without those of the nodes that it stands on."""
_ALONE: dict[str, Callable[[Any], Test]] = {
    "Element": _element,
    "CombinedSelector": _combined,
    "_Anchor": lambda _: lambda element, scope: element is scope.anchor,
}


# --- names and texts of selectors that are written by the program ---

_NEEDS_ESCAPE = re.compile(r"[^A-Za-z0-9_\-\u0080-\U0010ffff]")
_BAD_START = re.compile(r"-?[0-9]|-$|--")


def identifier(name: str) -> str:
    """A name as CSS takes it: `md:flex` is `md\\:flex`, `2col` is `\\32 col`."""
    escaped = _NEEDS_ESCAPE.sub(lambda match: _code_point(match[0]) if match[0] < " " or match[0] == "\x7f" else f"\\{match[0]}", name)
    if _BAD_START.match(name) is None:
        return escaped
    return f"\\-{identifier(name[1:])}" if name.startswith("-") else f"{_code_point(name[0])}{escaped[1:]}"


def quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda match: _code_point(match[0]), text) + '"'


def _code_point(character: str) -> str:
    return f"\\{ord(character):x} "
