"""The patterns of the program itself, each with where it stands, and texts that are hard on a pattern because it is as it is."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from re import _constants as kinds
from re import _parser as parser  # types of neither are told
from types import ModuleType
from typing import Any

import pytest

import webarticlecurator

PACKAGE = Path(webarticlecurator.__file__).parent
MAKERS = ("linear", "linear_at", "linear_by_properties")
SEARCHES = ("search", "finditer", "findall", "sub", "subn", "split")
_REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)
_OFTEN = 10
"""Repeats that may be more than so many are worth an attack."""
_TRIED_FIRST = "a1 A-_/.,:;á中\n\t!?'\"(<@%&=#+|0"
ENDS = ("", "\x01", "!")
"""Behind a long run, which then fits or just does not."""


class _Placeholders(dict[str, Any]):
    """Names as a module has them; what only a function knows is its own name, so that no two parts of a pattern are the same."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, name)


def modules_with_patterns() -> list[str]:
    """Such as `extraction.forums`."""
    files = ((path, path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py"))
    written = sorted(path for path, text in files if any(f"{maker}(" in text for maker in MAKERS))
    return [".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in written]


def patterns_of(name: str) -> dict[Any, str]:
    """Each pattern that a module makes, compiled, with its maker and its place: `linear forums.py:173`."""
    if name.startswith("fetch.browser."):
        pytest.importorskip("playwright", reason="pages are shown in a browser by playwright (pip install 'webarticlecurator[browser]')")
    module = import_module(f"webarticlecurator.{name}".removesuffix(".__init__"))
    path = Path(module.__file__ or "")
    patterns: dict[Any, str] = {}
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MAKERS:
            # a few are made of what only a page or a language has: those are recorded where they are used
            with suppress(AttributeError, TypeError, ValueError, KeyError):
                patterns.setdefault(_made_by(call, module), f"{call.func.id} {path.name}:{call.lineno}")
    return patterns


def searched_at_a_place() -> list[str]:
    """Where a module searches with a pattern that was made for looking at one place of a text."""
    told = []
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        names = re.findall(r"^(_?[A-Z_]+) = linear_at\(", text, flags=re.MULTILINE)
        told += [f"{path.name}: {name}" for name in names if re.search(rf"\b{name}\.(?:{'|'.join(SEARCHES)})\b", text)]
    return told


def _made_by(call: ast.Call, module: ModuleType) -> Any:
    names = _Placeholders(vars(module))
    arguments = [eval(compile(ast.Expression(argument), "", "eval"), names) for argument in call.args]
    lists = {word.arg: ["Ann Lee", "Ann", "lee-ann"] for word in call.keywords if word.arg is not None}
    return vars(module)[call.func.id](*arguments, **lists)  # type: ignore[attr-defined]


def texts_against(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Texts of that length which fit each of its repeats again and again, alone and beside another, and fail at their end."""
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    runs = list(_runs(parser.parse(pattern.pattern, flags)))[:60]
    for before, piece in runs:
        for end in ENDS:
            yield filled(before, piece, end, length)
            yield filled("", before + piece, end, length)
    pieces = list(dict.fromkeys(piece for _, piece in runs))[:8]
    for first in pieces:
        for second in pieces:
            yield filled(first * (length // 2 // len(first)), second, "\x01", length)


def filled(before: str, piece: str, end: str, length: int) -> str:
    """A text of that length: a beginning, a piece again and again, an end."""
    return (before + piece * (length // len(piece) + 1))[: length - len(end)] + end


def _runs(nodes: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What a pattern repeats, as a text that fits it, with a text that fits what stands before it."""
    for kind, argument in nodes:
        if kind in _REPEATS:
            fewest, most, repeated = argument
            piece = _fitting(repeated)
            if piece and most > _OFTEN:
                yield before, piece
            yield from _runs(repeated, before)
            before += piece * max(fewest, 1)
            continue
        for part in _parts_of(kind, argument):
            yield from _runs(part, before)
        before += _fitting([(kind, argument)])


def _parts_of(kind: Any, argument: Any) -> Sequence[Any]:
    """The patterns within a part of a pattern."""
    within: Mapping[Any, Any] = {
        kinds.BRANCH: lambda: argument[1],
        kinds.SUBPATTERN: lambda: [argument[3]],
        kinds.ASSERT: lambda: [argument[1]],
        kinds.ASSERT_NOT: lambda: [argument[1]],
        kinds.ATOMIC_GROUP: lambda: [argument],
    }
    return within[kind]() if kind in within else ()


def _fitting(nodes: Any) -> str:
    """A text that fits a part of a pattern, as far as its assertions let it."""
    fitting: Mapping[Any, Any] = {
        kinds.LITERAL: chr,
        kinds.NOT_LITERAL: lambda code: "a" if code != ord("a") else "b",
        kinds.ANY: lambda _: "a",
        kinds.IN: _one_of,
        kinds.BRANCH: lambda argument: _fitting(argument[1][0]),
        kinds.SUBPATTERN: lambda argument: _fitting(argument[3]),
        kinds.ATOMIC_GROUP: _fitting,
        **dict.fromkeys(_REPEATS, lambda argument: _fitting(argument[2]) * max(argument[0], 1)),
    }
    return "".join(fitting[kind](argument) for kind, argument in nodes if kind in fitting)


def _one_of(members: Any) -> str:
    """A character of a set."""
    is_negated = (kinds.NEGATE, None) in members
    ranges = [argument for kind, argument in members if kind is kinds.RANGE]
    codes = [argument for kind, argument in members if kind is kinds.LITERAL]
    candidates = [*_TRIED_FIRST, *map(chr, codes), *(chr(first) for first, _ in ranges)]
    return next((each for each in candidates if _is_in(members, each) != is_negated), "a")


def _is_in(members: Any, character: str) -> bool:
    return any(_fits(kind, argument, character) for kind, argument in members)


def _fits(kind: Any, argument: Any, character: str) -> bool:
    if kind is kinds.LITERAL:
        return ord(character) == argument
    if kind is kinds.RANGE:
        return argument[0] <= ord(character) <= argument[1]
    return kind is kinds.CATEGORY and _CATEGORIES[argument](character)


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CATEGORIES: Mapping[Any, Any] = {
    kinds.CATEGORY_DIGIT: str.isdigit,
    kinds.CATEGORY_NOT_DIGIT: lambda character: not character.isdigit(),
    kinds.CATEGORY_SPACE: str.isspace,
    kinds.CATEGORY_NOT_SPACE: lambda character: not character.isspace(),
    kinds.CATEGORY_WORD: _is_of_word,
    kinds.CATEGORY_NOT_WORD: lambda character: not _is_of_word(character),
}
