"""CSS selectors of portal files: cssselect's dialect, matched from right to left inside a scope, with a bound on the work."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cssselect import parser as css
from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.errors import PatternTimeout

# Why not cssselect's own translation to XPath: XPath 1.0 cannot say "inside this item", libxml2 gives no bound on time (ten thousand
# siblings took minutes with some axes), and the tag dictionary asks "does this element match?", which a path answers the long way round.

MAX_LENGTH = 2_000
"""Characters of a selector."""
MAX_STEPS = 3_000_000
"""Elements that one selection may look at; about two seconds."""

_BLANKS = re.compile(r"[ \t\r\n\f]+")


class SelectorError(ValueError):
    """The text is not a selector that the engine supports; the message says why."""


class _Scope:
    """Where one selection takes place, and how much work it may still do."""

    __slots__ = ("anchor", "left", "root")

    def __init__(self, root: Element | None, anchor: Element | None = None, left: int = MAX_STEPS) -> None:
        self.root = root
        """Neither ancestors nor siblings of this element are looked at; None: the whole page."""
        self.anchor = anchor
        """What the left end of a `:has()` argument must be; for `:scope` the root."""
        self.left = left

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            raise PatternTimeout("a selector had to look at too many elements of a page; make it simpler (name a class, not a chain)")


Test = Callable[[Element, _Scope], bool]


@dataclass(frozen=True, slots=True)
class Selector:
    """A group of selectors, compiled once; equal when written equally."""

    text: str
    _tests: tuple[Test, ...] = field(compare=False, repr=False)
    _hints: tuple[etree.XPath, ...] = field(compare=False, repr=False)
    specificity: tuple[int, int, int] = field(compare=False, repr=False)
    """Of the most specific one of the group; `:contains()` counts as a class."""

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Compile. Raises SelectorError."""
        if len(text) > MAX_LENGTH:
            raise SelectorError(f"the selector has {len(text)} characters; at most {MAX_LENGTH} are allowed")
        try:
            parsed = css.parse(_plain_dialect(text))
            pseudo = next((one.pseudo_element for one in parsed if one.pseudo_element), None)
            if pseudo is not None:
                raise SelectorError(f"the pseudo-element ::{pseudo} is no element of a page; use `attr` or the element itself")
            tests = tuple(_compile(one.parsed_tree) for one in parsed)
            hints = tuple(etree.XPath(f"descendant-or-self::{_hint(one.parsed_tree)}") for one in parsed)
        except (css.SelectorError, etree.XPathError) as problem:
            raise SelectorError(f"not a selector: {problem}{_advice(text)}") from None
        except RecursionError:
            raise SelectorError("the selector is nested too deeply") from None
        return cls(text, tests, hints, max(_specificity(one) for one in parsed))

    def select(self, element: Element, *, inside: bool = True) -> list[Element]:
        """The element itself and all in it that match, in document order, each once.

        The whole selector is read inside `element`; with `inside=False` its left part may lie outside, as in a browser.
        """
        scope = _Scope(element if inside else None, element)
        found = [self._select_one(test, hint, element, scope) for test, hint in zip(self._tests, self._hints, strict=True)]
        if len(found) == 1:
            return found[0]
        wanted = {match for matches in found for match in matches}
        return [match for match in element.iter(etree.Element) if match in wanted] if wanted else []

    def first(self, element: Element) -> Element | None:
        """The first match in document order."""
        return next(iter(self.select(element)), None)

    def matches(self, element: Element) -> bool:
        """Whether this very element matches, seen from the whole page."""
        scope = _Scope(None, element.getroottree().getroot())
        return any(test(element, scope) for test in self._tests)

    @staticmethod
    def _select_one(test: Test, hint: etree.XPath, element: Element, scope: _Scope) -> list[Element]:
        candidates: list[Element] = hint(element)  # type: ignore[assignment]
        scope.step(len(candidates))
        return [candidate for candidate in candidates if test(candidate, scope)]


# --- before parsing: what users write and cssselect's parser does not take ---


def _plain_dialect(text: str) -> str:
    """Write a leading `>` as `:scope >`, and `:not(a, b)` as `:not(a):not(b)`."""
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


def _specificity(selector: css.Selector) -> tuple[int, int, int]:
    leftmost: Any = selector.parsed_tree
    while isinstance(leftmost, css.CombinedSelector):
        leftmost = leftmost.selector
    ids, classes, names = selector.specificity()
    return ids, classes - (isinstance(leftmost, css.Pseudo) and leftmost.ident == "scope"), names


def _advice(text: str) -> str:
    if re.search(r":contains\((?!\s*[\"'])", text):
        return '; the text of :contains() needs quotes: :contains("...")'
    if re.match(r"\s*[+~]", text):
        return "; it would lead out of the element it starts from"
    return ""


# --- which elements are worth a test: one cheap condition of the rightmost compound, found by libxml2 ---


def _hint(tree: Any) -> str:
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


def _literal(text: str) -> str:
    if '"' not in text:
        return f'"{text}"'
    pieces = ", '\"', ".join(f'"{piece}"' for piece in text.split('"'))
    return f"concat({pieces})"


# --- from cssselect's tree to tests ---


def _compile(tree: Any) -> Test:
    kind = type(tree).__name__
    if kind not in _COMPILERS:
        raise SelectorError(f"{kind} is not supported in selectors")
    return _COMPILERS[kind](tree)


def _both(first: Test, second: Test) -> Test:
    return lambda element, scope: first(element, scope) and second(element, scope)


def _on_compound(make: Callable[[Any], Test]) -> Callable[[Any], Test]:
    """A condition stands on the compound to its left: both must hold."""

    def compile_condition(tree: Any) -> Test:
        condition = make(tree)
        if isinstance(tree.selector, css.Element) and tree.selector.element is None and tree.selector.namespace is None:
            return condition
        return _both(_compile(tree.selector), condition)

    return compile_condition


def _element(tree: css.Element) -> Test:
    if tree.namespace not in (None, "*"):
        raise SelectorError(f"namespaces are not supported ({tree.namespace}|); write the element's name alone")
    if tree.element is None:
        return lambda element, scope: True  # noqa: ARG005
    name = tree.element.lower()
    return lambda element, scope: element.tag == name  # noqa: ARG005


def _hash(tree: css.Hash) -> Test:
    wanted = tree.id
    return lambda element, scope: element.get("id") == wanted  # noqa: ARG005


def _class(tree: css.Class) -> Test:
    wanted = tree.class_name

    def has_class(element: Element, _: _Scope) -> bool:
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
    if tree.namespace not in (None, "*"):
        raise SelectorError(f"namespaces are not supported ({tree.namespace}|); write the attribute's name alone")
    name = tree.attrib.lower()
    if tree.operator == "exists":
        return lambda element, scope: element.get(name) is not None  # noqa: ARG005
    wanted = (tree.value.value or "") if tree.value is not None else ""
    fold = tree.flag == "i"
    wanted = wanted.lower() if fold else wanted
    if tree.operator == "!=":
        return lambda element, scope: (element.get(name) or "").lower() != wanted if fold else element.get(name) != wanted  # noqa: ARG005
    compare = _OPERATORS[tree.operator]

    def holds(element: Element, _: _Scope) -> bool:
        value = element.get(name)
        return value is not None and compare(value.lower() if fold else value, wanted)

    return holds


# --- where an element stands ---


def _siblings(element: Element, *, before: bool, same_type: bool = False) -> int:
    """How many sibling elements stand before (or after) it."""
    tag = element.tag if same_type else None
    return sum(1 for sibling in element.itersiblings(tag or etree.Element, preceding=before))


def _position(wanted: Callable[[int], bool], *, from_end: bool, same_type: bool) -> Test:
    def holds(element: Element, scope: _Scope) -> bool:
        index = 1 + _siblings(element, before=not from_end, same_type=same_type)
        scope.step(index // 8)
        return wanted(index)

    return holds


def _is_edge(*, before: bool, same_type: bool) -> Test:
    def holds(element: Element, _: _Scope) -> bool:
        tag = element.tag if same_type else etree.Element
        return next(element.itersiblings(tag, preceding=before), None) is None

    return holds


def _is_empty(element: Element, _: _Scope) -> bool:
    return len(element) == 0 and not element.text


def _is_disabled(element: Element, _: _Scope) -> bool:
    return element.get("disabled") is not None


_FORM_TAGS = frozenset({"button", "fieldset", "input", "optgroup", "option", "select", "textarea"})

_PSEUDO_CLASSES: dict[str, Test] = {
    "root": lambda element, scope: element.getparent() is None,  # noqa: ARG005
    "scope": lambda element, scope: element is scope.anchor,
    "first-child": _is_edge(before=True, same_type=False),
    "last-child": _is_edge(before=False, same_type=False),
    "only-child": _both(_is_edge(before=True, same_type=False), _is_edge(before=False, same_type=False)),
    "first-of-type": _is_edge(before=True, same_type=True),
    "last-of-type": _is_edge(before=False, same_type=True),
    "only-of-type": _both(_is_edge(before=True, same_type=True), _is_edge(before=False, same_type=True)),
    "empty": _is_empty,
    "link": lambda element, scope: element.tag in ("a", "area", "link") and element.get("href") is not None,  # noqa: ARG005
    "checked": lambda element, scope: element.get("checked") is not None or element.get("selected") is not None,  # noqa: ARG005
    "disabled": lambda element, scope: element.tag in _FORM_TAGS and _is_disabled(element, scope),
    "enabled": lambda element, scope: element.tag in _FORM_TAGS and not _is_disabled(element, scope),
}
_PSEUDO_CLASSES["any-link"] = _PSEUDO_CLASSES["link"]
_POSITIONS: dict[str, tuple[bool, bool]] = {
    "nth-child": (False, False),
    "nth-last-child": (True, False),
    "nth-of-type": (False, True),
    "nth-last-of-type": (True, True),
}


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

    def wanted(index: int) -> bool:
        return index == b if a == 0 else (index - b) % a == 0 and (index - b) // a >= 0

    return _position(wanted, from_end=from_end, same_type=same_type)


def _contains(text: str) -> Test:
    wanted = re.sub(r"\s+", " ", text)

    def holds(element: Element, scope: _Scope) -> bool:
        content = "".join(element.itertext(etree.Element))  # type: ignore[arg-type]
        scope.step(len(content) // 16)
        return wanted in " ".join(content.split()) if wanted.strip() == wanted else wanted in re.sub(r"\s+", " ", content)

    return holds


def _lang(text: str) -> Test:
    wanted = text.lower()

    def holds(element: Element, _: _Scope) -> bool:
        holder: Element | None = element
        while holder is not None and holder.get("lang") is None:
            holder = holder.getparent()
        return holder is not None and (holder.get("lang", "").lower() + "-").startswith(wanted + "-")

    return holds


# --- selectors inside selectors ---


def _negation(tree: css.Negation) -> Test:
    inner = _anywhere(_compile(tree.subselector))
    return lambda element, scope: not inner(element, scope)


def _any_of(tree: Any) -> Test:
    inner = [_anywhere(_compile(one)) for one in tree.selector_list]
    return lambda element, scope: any(test(element, scope) for test in inner)


def _anywhere(test: Test) -> Test:
    """A condition on one element may look at all of the page, also from inside an item."""

    def holds(element: Element, scope: _Scope) -> bool:
        wide = _Scope(None, scope.anchor, scope.left)
        result = test(element, wide)
        scope.left = wide.left
        return result

    return holds


class _Anchor:
    """Stands at the left end of a `:has()` argument for the element that must have it."""


def _relation(tree: css.Relation) -> Test:
    parsed = [(combinator.value or " ", one.parsed_tree) for combinator, one in tree.arguments]
    arguments = [(combinator, _compile(_anchored(inner, combinator))) for combinator, inner in parsed]

    def holds(element: Element, scope: _Scope) -> bool:
        inner = _Scope(None, element, scope.left)
        result = any(_has(element, combinator, test, inner) for combinator, test in arguments)
        scope.left = inner.left
        return result

    return holds


def _has(element: Element, combinator: str, test: Test, scope: _Scope) -> bool:
    for candidate in _relatives(element, combinator):
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


def _parents(element: Element, scope: _Scope) -> Iterable[Element]:
    if element is scope.root:
        return
    parent = element.getparent()
    if parent is not None:
        yield parent


def _ancestors(element: Element, scope: _Scope) -> Iterable[Element]:
    while element is not scope.root:
        parent = element.getparent()
        if parent is None:
            return
        yield parent
        element = parent


def _previous(element: Element, scope: _Scope) -> Iterable[Element]:
    for sibling in _all_previous(element, scope):
        yield sibling
        return


def _all_previous(element: Element, scope: _Scope) -> Iterable[Element]:
    return () if element is scope.root else element.itersiblings(etree.Element, preceding=True)


_LEFT_OF: dict[str, Callable[[Element, _Scope], Iterable[Element]]] = {">": _parents, " ": _ancestors, "+": _previous, "~": _all_previous}


def _combined(tree: css.CombinedSelector) -> Test:
    left, right = _compile(tree.selector), _compile(tree.subselector)
    candidates = _LEFT_OF[tree.combinator]

    def holds(element: Element, scope: _Scope) -> bool:
        if not right(element, scope):
            return False
        for candidate in candidates(element, scope):
            scope.step()
            if left(candidate, scope):
                return True
        return False

    return holds


_COMPILERS: dict[str, Callable[[Any], Test]] = {
    "Element": _element,
    "Hash": _on_compound(_hash),
    "Class": _on_compound(_class),
    "Attrib": _on_compound(_attribute),
    "Pseudo": _on_compound(_pseudo_class),
    "Function": _on_compound(_function),
    "Negation": _on_compound(_negation),
    "Matching": _on_compound(_any_of),
    "SpecificityAdjustment": _on_compound(_any_of),
    "Relation": _on_compound(_relation),
    "CombinedSelector": _combined,
    "_Anchor": lambda tree: lambda element, scope: element is scope.anchor,  # noqa: ARG005
}
