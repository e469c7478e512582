"""Site configurations of Full-Text RSS and the programs that share them: a text file a host, `key: value` a
line, mostly XPath 1.0, which becomes the selectors and picks of portal files exactly, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from webarticlecurator.config.yaml_reading import content_of
from webarticlecurator.converting.portal_file import ATTRIBUTE, CannotSay, Conversion, attribute
from webarticlecurator.errors import refuse
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import Selector, SelectorError, quoted

PROGRAM = "fivefilters"
_MOST_BYTES = 200_000
_CONDITION = "if_page_contains"
_RULES = {
    "title": "metadata|headline",
    "author": "metadata|author",
    "date": "metadata|datePublished",
    "body": "body|root",
    "next_page_link": "articles|next",
    "strip": "body|tags|decompose",
    "dissolve": "body|tags|unwrap",
}


def read_fivefilters(path: Path) -> Conversion:
    """Read a file that is called after its host. Raises UsageError."""
    host = path.name.removesuffix(".txt").lower()
    content = content_of(path)
    refuse(
        (
            not linear_at(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)+").fullmatch(host),
            f"{path}: it is neither called after a host, such as pelda.example.txt, nor a file of another "
            "program known here.",
        ),
        (
            len(content) > _MOST_BYTES,
            f"{path} is larger than {_MOST_BYTES:,} bytes; a page of text is expected.",
        ),
    )
    home = f"https://{host.lstrip('.')}/"
    no_archive = "It tells how articles are read, and not where they are listed (`archive`)."
    conversion = Conversion(host.lstrip("."), PROGRAM, home, [path.name], remarks=[no_archive])
    if host.startswith("."):
        conversion.leave("wildcard", f"{path.name}:1", host)
    lines = _lines(content.decode("utf-8-sig", "replace"))
    for at, (number, written) in enumerate(lines):
        place = f"{path.name}:{number}"
        before = written.partition(":")[0].rstrip().lower()
        beside = any(other.startswith(_CONDITION) for _, other in lines[max(at - 1, 0) : at + 2])
        if beside and before in (_CONDITION, "single_page_link", *_RULES):
            conversion.leave(_CONDITION, place, written)  # nor is a rule said that holds only on some pages
        else:
            _read_line(conversion, place, written)
    return conversion


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that say something, with their numbers."""
    numbered = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    return [(number, line) for number, line in numbered if line and not line.startswith("#")]


def _read_line(conversion: Conversion, place: str, written: str) -> None:
    before, _, behind = written.partition(":")
    key, value = before.partition("(")[0].strip().lower(), behind.strip()
    if not value:
        conversion.leave(key, place, written, kind="unknown", advice="a line is `key: value`")
        return
    try:
        _READERS.get(key, _leave)(conversion, _Line(key, value, place, written))
    except CannotSay as part:
        conversion.leave(key, place, written, kind="selector", advice=f"it holds {part}")


class _Line(NamedTuple):
    """A line of a site configuration."""

    key: str
    value: str
    place: str
    written: str


def _leave(conversion: Conversion, line: _Line) -> None:
    conversion.leave(line.key, line.place, line.written)


def _say_field(conversion: Conversion, line: _Line) -> None:
    conversion.say(_RULES[line.key], as_pick(line.value), line.place, line.written)


def _say_element(conversion: Conversion, line: _Line) -> None:
    """Say what is left out or unwrapped. Raises CannotSay where that is no element."""
    pick = as_pick(line.value)
    if not isinstance(pick, str):
        raise CannotSay("what is no element")
    conversion.say(_RULES[line.key], pick, line.place, line.written)


def _say_body(conversion: Conversion, line: _Line) -> None:
    """Say where the text is: in all elements, unless the selector names one by its id. Raises CannotSay."""
    pick = as_pick(line.value)
    if isinstance(pick, str):
        has_id = linear_at(r"[a-z]*#[\w-]+").fullmatch(pick)
        conversion.say(
            _RULES["body"], pick if has_id else {"css": pick, "take": "all"}, line.place, line.written
        )
    elif pick.keys() == {"css", "take"}:
        conversion.say(_RULES["body"], pick, line.place, line.written)
    else:
        raise CannotSay("what is no element")


def _say_word(conversion: Conversion, line: _Line) -> None:
    word = line.value.replace("'", "").replace('"', "")
    if len(word.split()) != 1:
        raise CannotSay("several words")
    for name in ("class", "id"):
        conversion.say("body|tags|decompose", attribute(name, "~=", word), line.place, line.written)


def _say_image(conversion: Conversion, line: _Line) -> None:
    source = attribute("src", "*=", line.value.strip("'\""))
    conversion.say("body|tags|decompose", f"img{source}", line.place, line.written)


def _say_lazy(conversion: Conversion, line: _Line) -> None:
    conversion.say(
        "body|tags|figure",
        {"css": f"img{attribute(line.value)}", "url": line.value},
        line.place,
        line.written,
    )


_READERS: dict[str, Callable[[Conversion, _Line], None]] = {
    **dict.fromkeys(_RULES, _say_field),
    "body": _say_body,
    "strip": _say_element,
    "dissolve": _say_element,
    "strip_id_or_class": _say_word,
    "strip_image_src": _say_image,
    "src_lazy_load_attr": _say_lazy,
}
"""How each key is said; what is no key here is left. Each raises CannotSay."""


# --- XPath ---

_NAME = r"[a-z][a-z0-9-]*+(?![(:])"
_TEXT, _SPACE = r"(\"[^\"]*\"|'[^']*')", r"(?:' '|\" \")"
_BLANKS = linear(rf"{_TEXT}|(?<![\w.*\s-])\s++|\s++(?![\w.*-])")
"""White space that parts no words; and texts, which keep theirs."""
_HAS_WORD = (
    rf"contains\(concat\({_SPACE},(normalize-space\()?@({ATTRIBUTE})(?(1)\)),{_SPACE}\),(['\"]) ([^\s'\"]+) "
    r"\3\)"
)
_HAS_TEXT = rf"contains\((normalize-space\()?\.(?(1)\)),{_TEXT}\)"
_JOINTS = {"child": " > ", "descendant": " ", "following-sibling": " ~ "}


def as_pick(xpath: str) -> str | dict[str, Any]:
    """The pick that finds the same. Raises CannotSay."""
    if len(xpath) > 2_000:
        raise CannotSay("too much")
    try:
        pick = _Expression(_BLANKS.sub(lambda blank: blank[1] or "", xpath.strip())).pick()
        Selector.parse(pick["css"])
    except (RecursionError, SelectorError):
        raise CannotSay("what no selector says") from None
    return str(pick["css"]) if pick.keys() == {"css"} else pick


class _Expression:
    """Read from left to right; each method reads what its name says, and gives it in CSS."""

    def __init__(self, xpath: str) -> None:
        self._xpath, self._at = xpath, 0

    def _takes(self, pattern: str) -> re.Match[str] | None:
        if (match := linear_at(pattern).match(self._xpath, self._at)) is not None:
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
        """Its selector, and how the value is taken; `inside` a condition it begins at the element that it is
        about."""
        css = ""
        if inside:
            joint = " " if self._needs(r"\.(//?)|(?!/)")[1] == "//" else " > "
        else:
            joint = " " if self._needs(r"\.?(//)|/(?=html\b)")[1] else ""
        while True:
            if joint == " > " and (
                last := self._takes(rf"@({ATTRIBUTE})" if inside else rf"@({ATTRIBUTE})|text\(\)")
            ):
                return css, {"attr": last[1]} if last[1] else {"own_text": True}
            axis, name = self._needs(
                rf"(?:({'|'.join(_JOINTS)})::)?({_NAME}|\*)" if joint != " " else rf"()({_NAME}|\*)"
            ).groups()
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
        for pattern, in_css in self._CONDITIONS:
            if match := self._takes(pattern):
                return in_css(self, match)
        css, how = self._path(inside=True)
        asked = self._of_attribute(how["attr"]) if how else ""
        return f":has({css}{asked})" if css else asked

    def _of_attribute(self, name: str) -> str:
        """Return what is asked of an attribute: its value, another one than this, or only that it is
        there."""
        compared = self._takes(rf"(!?)={_TEXT}")
        if compared is None:
            return attribute(name)
        is_it = attribute(name, "=", compared[2][1:-1])
        return f"{attribute(name)}:not({is_it})" if compared[1] else is_it

    def _group(self, opened: re.Match[str]) -> str:
        css = self._conditions()
        self._needs(r"\)")
        return f":not({css})" if opened[1] else css

    def _has_word(self, word: re.Match[str]) -> str:
        squeezed, name, _, text = word.groups()
        if squeezed:
            return attribute(name, "~=", text)
        parts = (("=", text), ("^=", f"{text} "), ("$=", f" {text}"), ("*=", f" {text} "))
        return f":is({', '.join(attribute(name, operator, part) for operator, part in parts)})"

    def _has_part(self, compared: re.Match[str]) -> str:
        return attribute(compared[2], "*=" if compared[1] == "contains" else "^=", compared[3][1:-1])

    def _has_text(self, held: re.Match[str]) -> str:
        text, is_squeezed = held[2][1:-1], held[1]
        has_other_space = text != " ".join(text.split())
        if not text or has_other_space or (" " in text and not is_squeezed):  # pages have other white space
            raise CannotSay("a text with white space")
        return f":contains({quoted(text)})"

    _CONDITIONS: ClassVar[tuple[tuple[str, Callable[[_Expression, re.Match[str]], str]], ...]] = (
        (r"(not)?\(", _group),
        (_HAS_WORD, _has_word),
        (rf"(contains|starts-with)\(@({ATTRIBUTE}),{_TEXT}\)", _has_part),
        (_HAS_TEXT, _has_text),
    )
    """How conditions begin that are no path, and what each becomes."""
