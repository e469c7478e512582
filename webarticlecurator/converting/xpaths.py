"""XPath 1.0 to the selectors and picks of portal files: exactly, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from webarticlecurator.selectors import Selector, SelectorError, identifier, quoted

_LONGEST = 2_000
"""Characters of an expression."""
_TOKEN = re.compile(
    r"\s*(?:(?P<sign>//|::|\.\.|!=|<=|>=|[/@()\[\].,|=<>*])|(?P<name>[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)|(?P<number>\d+)"
    r"|(?P<text>\"[^\"]*\"|'[^']*')|(?P<end>$))"
)
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_ATTRIBUTE = re.compile(r"[a-z_][a-z0-9_-]*")
_NTH = {"=": "{0}", "<": "-n+{1}", "<=": "-n+{0}", ">": "n+{2}", ">=": "n+{0}"}
"""How positions are compared -> which children those are, with the number, the one before and the one behind it."""
_SIBLING = "following-sibling"


class CannotSay(ValueError):
    """CSS has no word for it: the message is the part that it is about."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What an expression finds."""

    css: tuple[str, ...] = ()
    attr: str = ""
    own_text: bool = False
    take: str | int = ""
    match: str = ""
    const: str = ""


def as_pick(xpath: str) -> str | dict[str, Any]:
    """The pick that finds the same. Raises CannotSay."""
    found = _selection(xpath)
    if found.const:
        return {"const": found.const}
    css = ", ".join(found.css)
    steps = {name: value for name in ("attr", "own_text", "take", "match") if (value := getattr(found, name)) != "" and value is not False}
    return {"css": css, **steps} if steps else css


def as_selectors(xpath: str) -> tuple[str, ...]:
    """Selectors that match the same elements. Raises CannotSay."""
    found = _selection(xpath)
    if found != Selection(found.css):
        raise CannotSay("what is no element")
    return found.css


def attribute(name: str, operator: str = "", value: str = "") -> str:
    """The condition on an attribute. Raises CannotSay."""
    if not _ATTRIBUTE.fullmatch(name):
        raise CannotSay(f"@{name}")
    if operator in ("^=", "*=") and not value:
        raise CannotSay("an empty text")
    if name == "id" and operator == "=" and re.fullmatch(r"[A-Za-z][\w-]*", value):
        return f"#{identifier(value)}"
    return f"[{name}{operator}{quoted(value)}]" if operator else f"[{name}]"


def _selection(xpath: str) -> Selection:
    if len(xpath) > _LONGEST:
        raise CannotSay(f"{len(xpath)} characters")
    try:
        reader = _Reader(xpath)
        found = reader.union()
        if reader.next[0] != "end":
            raise reader.refused()
        for css in found.css:
            Selector.parse(css)
    except RecursionError:
        raise CannotSay("so many brackets") from None
    except SelectorError as error:
        raise CannotSay(str(error)) from None
    return found


class _Reader:
    """Reads an expression from left to right; each method a part of it."""

    def __init__(self, xpath: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while not self.tokens or self.tokens[-1][0] != "end":
            token = _TOKEN.match(xpath, at)
            if token is None or token.lastgroup is None:
                raise CannotSay(f"`{xpath[at : at + 20].strip()}`")
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            at = token.end()
        self.at = 0

    # --- tokens ---

    @property
    def next(self) -> tuple[str, str]:
        return self.tokens[self.at]

    def has(self, *values: str) -> bool:
        """Whether these come next; then they are read."""
        come = [value for kind, value in self.tokens[self.at : self.at + len(values)] if kind != "text"]
        if come != [*values]:
            return False
        self.at += len(values)
        return True

    def refused(self) -> CannotSay:
        """What comes next is none of what is read there."""
        is_call = self.next[0] == "name" and self.tokens[self.at + 1][1] == "("
        return CannotSay(f"`{self.next[1]}{'()' if is_call else ''}`" if self.next[1] else "its end")

    def need(self, value: str) -> None:
        if not self.has(value):
            raise self.refused()

    def text(self) -> str:
        if self.next[0] != "text":
            raise self.refused()
        self.at += 1
        return self.tokens[self.at - 1][1][1:-1]

    def number(self) -> int:
        if self.next[0] != "number" or not 0 < int(self.next[1][:9]) < 1000:
            raise self.refused()
        self.at += 1
        return int(self.tokens[self.at - 1][1])

    # --- what is selected ---

    def union(self) -> Selection:
        found = self.value()
        while self.has("|"):
            other = self.value()
            if replace(other, css=()) != replace(found, css=()) or found.take or found.match or not found.css:
                raise CannotSay("`|` between different things")
            found = replace(found, css=(*found.css, *other.css))
        return found

    def value(self) -> Selection:
        if self.next[0] == "text":
            return Selection(const=self.text())
        if self.has("("):
            found = self.union()
            self.need(")")
            return self.taken(found) if self.has("[") else found
        for function in ("string", "normalize-space"):
            if self.has(function, "("):
                found = self.union()
                self.need(")")
                return replace(found, take=found.take or "first")
        for function, pattern in (("substring-after", r"(?s){}(.*)"), ("substring-before", r"(?s)^(.*?){}")):
            if self.has(function, "("):
                found = self.union()
                self.need(",")
                literal = self.text()
                if found.match or found.const or not literal or literal.split() != [literal]:  # values have other white space than pages
                    raise CannotSay(f"{function}()")
                self.need(")")
                return replace(found, take=found.take or "first", match=pattern.format(re.escape(literal)))
        if self.has("id", "("):
            css = attribute("id", "=", self.text())
            self.need(")")
            return self.path((css,))
        return self.path()

    def taken(self, found: Selection) -> Selection:
        """Of all that was found, the one of a number."""
        if found.take or found.match or found.const:
            raise CannotSay("`[` behind `)`")
        take: str | int = "last" if self.has("last", "(", ")") else self.number() - 1
        self.need("]")
        return replace(found, take=take or "first")

    def path(self, css: tuple[str, ...] = (), *, inside: bool = False) -> Selection:
        """Steps; `inside` a condition they begin at the element that it is about."""
        is_own = self.has(".") if not css else False
        between = "//" if self.has("//") else "/" if self.has("/") else ""
        if css and not between:
            return Selection(css)
        if inside and between and not is_own:
            raise CannotSay(f"`{between}` in a condition")
        if not (css or inside or between == "//" or self.next[1] == "html"):
            raise self.refused()
        between = between or "/"
        while True:
            if self.has("@") or self.has("attribute", "::"):
                return self.attribute(css, between, inside)
            if self.has("text", "(", ")"):
                if between == "//" or not css:
                    raise CannotSay("text()")
                return Selection(css, own_text=True)
            css = self.step(css, between, inside)
            if not (between := "//" if self.has("//") else "/" if self.has("/") else ""):
                return Selection(css)

    def attribute(self, css: tuple[str, ...], between: str, inside: bool) -> Selection:
        name = self.next[1]
        self.at += 1
        attribute(name)
        if between == "//" and (css or inside):
            raise CannotSay(f"//@{name}")
        return Selection(css or ("*",), attr=name)

    def step(self, css: tuple[str, ...], between: str, inside: bool) -> tuple[str, ...]:
        axis = "child"
        if self.next[0] == "name" and self.tokens[self.at + 1][1] == "::":
            axis = self.next[1]
            self.at += 2
        up = self.has("..")
        name = "*" if up else self.name()
        joint = {"child": " " if between == "//" else " > ", "descendant": " ", _SIBLING: " ~ "}.get(axis, "")
        if axis == _SIBLING and name == "*" and self.has("[", "1", "]"):
            joint = " + "
        compound = self.conditions(name, positions=axis == "child")
        if up or axis in ("parent", "ancestor"):
            if between != "/" or not css or inside or any(" " in re.sub(r'"[^"]*"|\([^()]*\)', "", part) for part in css):
                raise CannotSay(".." if up else f"{axis}::")
            arrow = "" if axis == "ancestor" else "> "
            return tuple(f"{compound if compound != '*' else ''}:has({arrow}{part})" for part in css)
        if not joint or (axis == _SIBLING and (between == "//" or not (css or inside))):
            raise CannotSay(f"{axis}::")
        if css:
            return tuple(f"{part}{joint}{compound}" for part in css)
        return (f"{joint.strip()} {compound}".strip() if inside else compound,)

    def name(self) -> str:
        if self.has("*"):
            return "*"
        kind, name = self.next
        if kind != "name" or not _NAME.fullmatch(name) or self.tokens[self.at + 1][1] == "(":
            raise self.refused()
        self.at += 1
        return name

    # --- conditions ---

    def conditions(self, name: str, *, positions: bool) -> str:
        """An element's name with all that stands in brackets behind it."""
        found = ""
        while self.has("["):
            nth = self.nth()
            if nth and (found or not positions):
                raise CannotSay("a position behind a condition" if positions else "a position on that axis")
            of_what = "child" if name == "*" else "of-type"
            found += nth.replace("()", of_what) if nth else self.either()
            self.need("]")
        return found if found and name == "*" else name + found

    def nth(self) -> str:
        """The position, if the condition is one; `()` stands for what is counted."""
        if self.next[0] == "number":
            return f":nth-()({self.number()})"
        if self.has("last", "(", ")") or self.has("position", "(", ")", "=", "last", "(", ")"):
            return ":nth-last-()(1)"
        if self.has("position", "(", ")"):
            operator = self.next[1]
            self.at += 1
            if operator not in _NTH:
                raise CannotSay(f"position() {operator}")
            number = self.number()
            return f":nth-()({_NTH[operator].format(number, number - 1, number + 1)})"
        return ""

    def either(self) -> str:
        parts = [self.each()]
        while self.has("or"):
            parts.append(self.each())
        return parts[0] if len(parts) == 1 else f":is({', '.join(parts)})"

    def each(self) -> str:
        found = self.condition()
        while self.has("and"):
            found += self.condition()
        return found

    def condition(self) -> str:
        if self.has("not", "(") or self.has("("):
            negated = self.tokens[self.at - 2][1] == "not"
            inner = self.either()
            self.need(")")
            return f":not({inner})" if negated else inner
        for function, operator in (("contains", "*="), ("starts-with", "^=")):
            if self.has(function, "("):
                return self.compared(operator)
        if self.has("self", "::"):
            return f":is({self.name()})"
        if self.has("name", "(", ")", "=") or self.has("local-name", "(", ")", "="):
            if not _NAME.fullmatch(name := self.text()):
                raise CannotSay(f"`{name}`")
            return f":is({name})"
        if self.next[1] in (".", "text") and self.tokens[self.at + 1][1] in ("=", "!=", "("):
            raise CannotSay("a comparison of text")
        found = self.path(inside=True)
        if found.own_text or found.take:
            raise CannotSay("text()")
        is_own, operator = found.css == ("*",), next((sign for sign in ("=", "!=") if self.has(sign)), "")
        asked = ""
        if operator and not found.attr:
            raise CannotSay("a comparison of text")
        if found.attr:
            asked = attribute(found.attr, "=", self.text()) if operator == "=" else attribute(found.attr)
        if operator == "!=":  # there, and something else
            asked += f":not({attribute(found.attr, '=', self.text())})"
        return asked if is_own and found.attr else f":has({', '.join(part + asked for part in found.css)})"

    def compared(self, operator: str) -> str:
        """What contains or begins with a text: an attribute, that with a blank on either side, or the element's text."""
        if self.has("@"):
            name = self.next[1]
            self.at += 1
            return attribute(name, operator, self.last_text())
        squeezed = self.has("normalize-space", "(", ".", ")") or self.has("normalize-space", "(", ")")
        if squeezed or self.has("."):
            wanted = self.last_text()
            if operator != "*=" or not wanted or wanted != " ".join(wanted.split()) or (not squeezed and " " in wanted):
                raise CannotSay("a text with white space" if operator == "*=" else "how a text begins")
            return f":contains({quoted(wanted)})"
        if not self.has("concat", "("):
            raise self.refused()
        before = self.text()
        self.need(",")
        squeezed = self.has("normalize-space", "(")
        self.need("@")
        name = self.next[1]
        self.at += 1
        if squeezed:
            self.need(")")
        self.need(",")
        behind = self.text()
        self.need(")")
        wanted = self.last_text()
        word = wanted.strip(" ")
        if (before, behind, operator) != (" ", " ", "*=") or wanted != f" {word} " or not word or (squeezed and len(word.split()) > 1):
            raise CannotSay("concat()")
        if squeezed:
            plain = name == "class" and re.fullmatch(r"[A-Za-z_][\w-]*", word, re.ASCII)
            return f".{word}" if plain else attribute(name, "~=", word)
        parts = (("=", word), ("^=", f"{word} "), ("$=", f" {word}"), ("*=", f" {word} "))
        return f":is({', '.join(attribute(name, sign, text) for sign, text in parts)})"

    def last_text(self) -> str:
        self.need(",")
        text = self.text()
        self.need(")")
        return text
