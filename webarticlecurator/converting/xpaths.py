"""XPath 1.0 to the selectors and picks of portal files: exactly, or not at all."""

from __future__ import annotations

import re
from typing import Any

from webarticlecurator.selectors import Selector, SelectorError, quoted

_LONGEST = 2_000
"""Characters of an expression."""
_NAME, _ATTRIBUTE = r"[a-z][a-z0-9-]*+(?![(:])", r"[a-z_][a-z0-9_-]*"
_TEXT, _SPACE = r"(\"[^\"]*\"|'[^']*')", r"(?:' '|\" \")"
_BLANKS = re.compile(rf"{_TEXT}|(?<![\w.*\s-])\s++|\s++(?![\w.*-])")
"""White space that parts no words; and texts, which keep theirs."""
_HAS_WORD = rf"contains\(concat\({_SPACE},(normalize-space\()?@({_ATTRIBUTE})(?(1)\)),{_SPACE}\),(['\"]) ([^\s'\"]+) \3\)"
_HAS_TEXT = rf"contains\((normalize-space\()?\.(?(1)\)),{_TEXT}\)"
_JOINTS = {"child": " > ", "descendant": " ", "following-sibling": " ~ "}


class CannotSay(ValueError):
    """CSS has no word for it: the message is the part that it is about."""


def as_pick(xpath: str) -> str | dict[str, Any]:
    """The pick that finds the same. Raises CannotSay."""
    if len(xpath) > _LONGEST:
        raise CannotSay("too much")
    try:
        pick = _Expression(_BLANKS.sub(lambda blank: blank[1] or "", xpath.strip())).pick()
        Selector.parse(pick["css"])
    except (RecursionError, SelectorError):
        raise CannotSay("what no selector says") from None
    return str(pick["css"]) if pick.keys() == {"css"} else pick


def attribute(name: str, operator: str = "", value: str = "") -> str:
    """The condition on an attribute. Raises CannotSay."""
    if not re.fullmatch(_ATTRIBUTE, name) or (operator in ("^=", "*=") and not value):
        raise CannotSay(f"@{name} and an empty text")
    is_plain = re.fullmatch(r"[A-Za-z_][\w-]*", value, re.ASCII)
    if is_plain and (name, operator) in (("id", "="), ("class", "~=")):
        return f"{'#' if name == 'id' else '.'}{value}"
    return f"[{name}{operator}{quoted(value)}]" if operator else f"[{name}]"


class _Expression:
    """Read from left to right; each method reads what its name says, and gives it in CSS."""

    def __init__(self, xpath: str) -> None:
        self._xpath, self._at = xpath, 0

    def _takes(self, pattern: str) -> re.Match[str] | None:
        if (match := re.compile(pattern).match(self._xpath, self._at)) is not None:
            self._at = match.end()
        return match

    def _needs(self, pattern: str) -> re.Match[str]:
        if (match := self._takes(pattern)) is None:
            rest = self._xpath[self._at :][:60]
            raise CannotSay(f"`{rest}`" if rest else "its end")
        return match

    def pick(self) -> dict[str, Any]:
        chosen = self._takes(r"\(")
        css, how = self._path()
        while self._takes(r"\|"):
            other, its_how = self._path()
            if its_how != how:
                raise CannotSay("`|` between different things")
            css = f"{css}, {other}"
        if chosen is not None:
            number = self._needs(r"\)\[([0-9]{1,3}|last\(\))\]")[1]
            how = {**how, "take": "last" if number == "last()" else int(number) - 1 or "first"}
        self._needs(r"\Z")
        return {"css": css, **how}

    def _path(self, *, inside: bool = False) -> tuple[str, dict[str, Any]]:
        """Its selector, and how the value is taken; `inside` a condition it begins at the element that it is about."""
        css, start = "", self._needs(r"\.(//?)|(?!/)" if inside else r"\.?(//)|/(?=html\b)")[1]
        joint = " " if start == "//" else " > " if inside else ""
        while True:
            if joint == " > " and (last := self._takes(rf"@({_ATTRIBUTE})" if inside else rf"@({_ATTRIBUTE})|text\(\)")):
                return css, {"attr": last[1]} if last[1] else {"own_text": True}
            axis, name = self._needs(rf"(?:({'|'.join(_JOINTS)})::)?({_NAME}|\*)" if joint != " " else rf"()({_NAME}|\*)").groups()
            joint = _JOINTS[axis] if axis else joint
            css = f"{css}{joint}{self._compound(name, is_counted=joint != ' ~ ' and axis != 'descendant')}".lstrip()
            if (between := self._takes("//?")) is None:
                return css, {}
            joint = " " if between[0] == "//" else " > "

    def _compound(self, name: str, *, is_counted: bool) -> str:
        """The conditions of an element; a number is the first of them, and counts children."""
        asked, kind = "", "child" if name == "*" else "of-type"
        while self._takes(r"\["):
            if is_counted and not asked and (nth := self._takes(r"([0-9]{1,3})|last\(\)")):
                asked = f":nth-{kind}({nth[1]})" if nth[1] else f":nth-last-{kind}(1)"
            else:
                asked += self._conditions()
            self._needs(r"\]")
        return asked if asked and name == "*" else f"{name}{asked}"

    def _conditions(self) -> str:
        alternatives = [self._condition()]
        while joint := self._takes(r"\s*(and|or)\b\s*"):
            if joint[1] == "or":
                alternatives.append("")
            alternatives[-1] += self._condition()
        return f":is({', '.join(alternatives)})" if len(alternatives) > 1 else alternatives[0]

    def _condition(self) -> str:
        if inner := self._takes(r"(not)?\("):
            css = self._conditions()
            self._needs(r"\)")
            return f":not({css})" if inner[1] else css
        if word := self._takes(_HAS_WORD):
            squeezed, name, _, text = word.groups()
            if squeezed:
                return attribute(name, "~=", text)
            parts = (("=", text), ("^=", f"{text} "), ("$=", f" {text}"), ("*=", f" {text} "))
            return f":is({', '.join(attribute(name, operator, part) for operator, part in parts)})"
        if compared := self._takes(rf"(contains|starts-with)\(@({_ATTRIBUTE}),{_TEXT}\)"):
            return attribute(compared[2], "*=" if compared[1] == "contains" else "^=", compared[3][1:-1])
        if held := self._takes(_HAS_TEXT):
            text = held[2][1:-1]
            if not text or text != " ".join(text.split()) or (" " in text and not held[1]):  # pages have other white space
                raise CannotSay("a text with white space")
            return f":contains({quoted(text)})"
        css, how = self._path(inside=True)
        asked = ""
        if how:
            asked, compared = attribute(how["attr"]), self._takes(rf"(!?)={_TEXT}")
            if compared is not None:
                is_it = attribute(how["attr"], "=", compared[2][1:-1])
                asked = f"{asked}:not({is_it})" if compared[1] else is_it
        return f":has({css}{asked})" if css else asked
