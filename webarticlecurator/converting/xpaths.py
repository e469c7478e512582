"""XPath 1.0 to the selectors and picks of portal files: exactly, or not at all.

Texts in quotes, then conditions from the innermost on, become numbers between marks; what is left of an expression are steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from webarticlecurator.selectors import Selector, SelectorError, quoted

_LONGEST = 2_000
"""Characters of an expression."""
_LITERAL, _DONE = "\ue000(\\d+)\ue001", "\ue002(\\d+)\ue003"
"""A text that stood in quotes, and a condition in CSS."""
_NAME, _ATTRIBUTE = r"[a-z][a-z0-9-]*+", r"([a-z_][a-z0-9_-]*)"
_OWN = rf"(?<!/)@{_ATTRIBUTE}"
_STEP = re.compile(rf"(//|/|)(?:([a-z-]+)::)?({_NAME}(?!\()|\*|\.\.)((?:{_DONE})*)")
_JOINTS = {"child": " > ", "descendant": " ", "following-sibling": " ~ "}
_LAST = re.compile(rf"(//|/|)(?:@{_ATTRIBUTE}|text\(\))")
_POSITION = re.compile(r"(position\(\)(<=|>=|<|>|=))?(\d{1,3}|last\(\))")
_NTH = {None: "{0}", "=": "{0}", "<": "-n+{1}", "<=": "-n+{0}", ">": "n+{2}", ">=": "n+{0}"}
"""How positions are compared -> which children those are, by the number, the one before and the one behind it."""
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_OPERAND = re.compile(rf"{_DONE}|\b(?:and|or)\b|\bnot(?=\()|[()]")


class CannotSay(ValueError):
    """CSS has no word for it: the message is the part that it is about."""


def as_pick(xpath: str) -> str | dict[str, Any]:
    """The pick that finds the same. Raises CannotSay."""
    found = _Expression(xpath).found
    return str(found["css"]) if found.keys() == {"css"} else found


def as_selectors(xpath: str) -> list[str]:
    """Selectors that match the same elements. Raises CannotSay."""
    expression = _Expression(xpath)
    if expression.found.keys() != {"css"}:
        raise CannotSay("what is no element")
    return expression.selectors


def attribute(name: str, operator: str = "", value: str = "") -> str:
    """The condition on an attribute. Raises CannotSay."""
    if not re.fullmatch(_ATTRIBUTE, name) or (operator in ("^=", "*=") and not value):
        raise CannotSay(f"@{name} and an empty text")
    is_plain = re.fullmatch(r"[A-Za-z_][\w-]*", value, re.ASCII)
    if is_plain and (name, operator) in (("id", "="), ("class", "~=")):
        return f"{'#' if name == 'id' else '.'}{value}"
    return f"[{name}{operator}{quoted(value)}]" if operator else f"[{name}]"


def _word(before: str, name: str, behind: str, wanted: str, *, squeezed: bool) -> str:
    """`contains(concat(' ', @class, ' '), ' word ')`, with white space squeezed or not."""
    word = wanted.strip(" ")
    if (before, behind, wanted) != (" ", " ", f" {word} ") or not word or (squeezed and len(word.split()) > 1):
        raise CannotSay("concat()")
    if squeezed:
        return attribute(name, "~=", word)
    parts = (("=", word), ("^=", f"{word} "), ("$=", f" {word}"), ("*=", f" {word} "))
    return f":is({', '.join(attribute(name, operator, text) for operator, text in parts)})"


def _with_text(wanted: str, *, squeezed: bool) -> str:
    """White space of pages is not that of `:contains()`."""
    if not wanted or wanted != " ".join(wanted.split()) or (" " in wanted and not squeezed):
        raise CannotSay("a text with white space")
    return f":contains({quoted(wanted)})"


def _element(name: str) -> str:
    if not re.fullmatch(_NAME, name):
        raise CannotSay(f"`{name}`")
    return f":is({name})"


Rules: TypeAlias = tuple[tuple[str, Callable[..., str]], ...]
_CONDITIONS: Rules = (
    (rf"contains\(concat\({_LITERAL},normalize-space\(@{_ATTRIBUTE}\),{_LITERAL}\),{_LITERAL}\)", partial(_word, squeezed=True)),
    (rf"contains\(concat\({_LITERAL},@{_ATTRIBUTE},{_LITERAL}\),{_LITERAL}\)", partial(_word, squeezed=False)),
    (rf"contains\(@{_ATTRIBUTE},{_LITERAL}\)", lambda name, text: attribute(name, "*=", text)),
    (rf"starts-with\(@{_ATTRIBUTE},{_LITERAL}\)", lambda name, text: attribute(name, "^=", text)),
    (rf"contains\(normalize-space\(\.?\),{_LITERAL}\)", partial(_with_text, squeezed=True)),
    (rf"contains\(\.,{_LITERAL}\)", partial(_with_text, squeezed=False)),
    (rf"self::({_NAME})", _element),
    (rf"(?:local-)?name\(\)={_LITERAL}", _element),
    (rf"{_OWN}={_LITERAL}", lambda name, text: attribute(name, "=", text)),
    (rf"{_OWN}!={_LITERAL}", lambda name, text: f"{attribute(name)}:not({attribute(name, '=', text)})"),
    (rf"{_OWN}(?![\w=!<>-])", attribute),
)
"""What is asked of an element, and how CSS asks; each group is a name, or a text that stood in quotes."""
_JOINED: Rules = (
    (rf"not\({_DONE}\)", lambda inner: f":not({inner})"),
    (rf"(?<!not)\({_DONE}\)", lambda inner: inner),
    (rf"{_DONE} ?and ?{_DONE}", lambda first, second: first + second),
    (rf"(?<!and)(?<!and ){_DONE} ?or ?{_DONE}(?! ?and)", lambda first, second: f":is({first}, {second})"),
)


class _Expression:
    """One expression, rewritten: what its marks stand for, and what it finds."""

    def __init__(self, xpath: str) -> None:
        if len(xpath) > _LONGEST or re.search("[\ue000-\ue003]", xpath):
            raise CannotSay("too much")
        self._texts: list[str] = []
        self._css: list[str] = []
        self.selectors: list[str] = []
        text = re.sub(r"\"[^\"]*\"|'[^']*'", lambda found: self._marked(self._texts, found[0][1:-1], "\ue000\ue001"), xpath)
        text = re.sub(r" ?([^\w .*-]|\*(?=\[)) ?", r"\1", re.sub(r"\s+", " ", text).strip())
        try:
            while _BRACKETS.search(text):
                text = _BRACKETS.sub(lambda found: self._marked(self._css, self._condition(found[1]), "\ue002\ue003"), text)
            self.found: dict[str, Any] = self._value(text)
            for selector in self.selectors:
                Selector.parse(selector)
        except (RecursionError, SelectorError):
            raise CannotSay("what no selector says") from None

    @staticmethod
    def _marked(values: list[str], value: str, marks: str) -> str:
        values.append(value)
        return f"{marks[0]}{len(values) - 1}{marks[1]}"

    def _readable(self, text: str) -> str:
        text = re.sub(_DONE, "[...]", re.sub(_LITERAL, lambda found: quoted(self._texts[int(found[1])]), text))
        return f"`{text[:60]}`" if text else "its end"

    # --- what is selected ---

    def _value(self, text: str) -> dict[str, Any]:
        if (literal := re.fullmatch(_LITERAL, text)) is not None and self._texts[int(literal[1])]:
            return {"const": self._texts[int(literal[1])]}
        if (inner := re.fullmatch(r"(?:string|normalize-space)\((.+)\)", text)) is not None:
            return {**(found := self._value(inner[1])), "take": found.get("take", "first")}
        if (cut := re.fullmatch(rf"substring-(after|before)\((.+),{_LITERAL}\)", text)) is not None:
            found, literal_text = self._value(cut[2]), self._texts[int(cut[3])]
            if "match" in found or literal_text.split() != [literal_text]:  # values have other white space than pages
                raise CannotSay(f"substring-{cut[1]}()")
            at = re.escape(literal_text)
            return {**found, "take": found.get("take", "first"), "match": rf"(?s){at}(.*)" if cut[1] == "after" else rf"(?s)^(.*?){at}"}
        if (chosen := re.fullmatch(rf"\(([^()]+(?:\(\))?)\)(?:{_DONE})?", text)) is not None:
            found, nth = self._value(chosen[1]), re.fullmatch(r":nth-(last-)?\(\)\((\d+)\)", self._css[int(chosen[2])] if chosen[2] else "")
            if chosen[2] and (nth is None or "take" in found):
                raise CannotSay("a condition behind `)`")
            return found if nth is None else {**found, "take": "last" if nth[1] else int(nth[2]) - 1 or "first"}
        paths = [self._path(part) for part in text.split("|")]
        if any(rest != paths[0][1] for _, rest in paths):
            raise CannotSay("`|` between different things")
        self.selectors = [css for css, _ in paths]
        return {"css": ", ".join(self.selectors), **paths[0][1]}

    def _path(self, text: str, *, inside: bool = False) -> tuple[str, dict[str, Any]]:
        """Its selector, and how the value is taken; `inside` a condition it begins at the element that it is about."""
        css, rest, is_first = "", text, True
        if (named := re.match(rf"id\({_LITERAL}\)", text)) is not None:
            css, rest, is_first = attribute("id", "=", self._texts[int(named[1])]), text[named.end() :], False
        if inside and rest.startswith("/"):
            raise CannotSay(self._readable(text))
        rest = rest.removeprefix(".") if rest.startswith("./") else rest
        while (step := _STEP.match(rest)) is not None:
            between, axis, name = step[1], step[2] or "child", step[3]
            conditions = [self._css[int(mark)] for mark in re.findall(_DONE, step[4])]
            if not (between or is_first) or (is_first and not inside and between != "//" and name != "html"):
                break
            css, rest, is_first = self._step(css, between, axis, name, conditions), rest[step.end() :], False
        last = _LAST.fullmatch(rest)
        if rest and (last is None or (last[1] == "//" and (css or inside)) or not (css or last[2])):
            raise CannotSay(self._readable(rest))
        how: dict[str, Any] = {} if last is None else {"attr": last[2]} if last[2] else {"own_text": True}
        if not (css or how):
            raise CannotSay(self._readable(text))
        return (css if inside else css.removeprefix("> ") or "*"), how

    def _step(self, css: str, between: str, axis: str, name: str, conditions: list[str]) -> str:
        joint = " " if (axis, between) == ("child", "//") else _JOINTS.get(axis, "")
        if (axis, name, conditions[:1]) == ("following-sibling", "*", [":nth-()(1)"]):
            joint, conditions = " + ", conditions[1:]
        if any("()" in one for one in (conditions if axis != "child" or name == ".." else conditions[1:])):
            raise CannotSay("a position behind a condition, or on another axis")
        asked = "".join(conditions).replace("()", "child" if name == "*" else "of-type", 1)
        compound = asked if asked and name == "*" else f"{name}{asked}"
        if name == ".." or axis in ("parent", "ancestor"):
            if between != "/" or not css or re.search(r"[ >+~]", re.sub(r'"[^"]*"|\([^()]*\)', "", css)):
                raise CannotSay("a way back")
            return f"{asked if name == '..' else compound}:has({'' if axis == 'ancestor' else '> '}{css})"
        if not joint or (axis != "child" and between == "//"):
            raise CannotSay(f"{axis}::")
        return f"{css}{joint}{compound}".lstrip()

    # --- conditions ---

    def _condition(self, text: str) -> str:
        """The content of brackets, in CSS; of a position, `()` stands for what is counted."""
        if (nth := _POSITION.fullmatch(text)) is not None:
            if nth[3] == "last()":
                if nth[2] not in (None, "="):
                    raise CannotSay(self._readable(text))
                return ":nth-last-()(1)"
            number = int(nth[3])
            return f":nth-()({_NTH[nth[2]].format(number, number - 1, number + 1)})"
        try:
            asked = self._with_paths(self._rewritten(text, _CONDITIONS))
            before = ""
            while before != asked:
                before, asked = asked, self._rewritten(asked, _JOINED)
        except CannotSay:
            asked = ""
        if (whole := re.fullmatch(_DONE, asked)) is None:
            raise CannotSay(self._readable(text))
        return self._css[int(whole[1])]

    def _rewritten(self, text: str, table: Rules) -> str:
        for pattern, css in table:
            text = re.sub(pattern, partial(self._asked, css), text)
        return text

    def _asked(self, css: Callable[..., str], found: re.Match[str]) -> str:
        """The condition, with what the marks stand for."""
        lists = {"\ue000": self._texts, "\ue002": self._css}
        marks = ((found.string[found.start(group + 1) - 1], value) for group, value in enumerate(found.groups()))
        values = [lists[mark][int(value)] if mark in lists else value for mark, value in marks]
        return self._marked(self._css, css(*values), "\ue002\ue003")

    def _with_paths(self, text: str) -> str:
        """Elements that must be there, such as `.//img` or `a/@href="x"`."""

        def has(operand: str) -> str:
            compared = re.fullmatch(rf"(.+/@{_ATTRIBUTE})=({_LITERAL})", operand)
            css, how = self._path(compared[1] if compared is not None else operand, inside=True)
            if how and "attr" not in how:
                raise CannotSay("text()")
            wanted = self._texts[int(compared[4])] if compared is not None else ""
            asked = attribute(how["attr"], "=" if compared is not None else "", wanted) if how else ""
            return self._marked(self._css, f":has({css}{asked})", "\ue002\ue003")

        pieces, at = "", 0
        for known in _OPERAND.finditer(f"{text})"):
            operand = text[at : known.start()]
            if operand.strip() and known[1]:  # a condition on a step of the path
                continue
            pieces += (has(operand.strip()) if operand.strip() else operand) + known[0]
            at = known.end()
        return pieces[:-1]
