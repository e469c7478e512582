"""No pattern of the standard `re` is possessive or atomic: early releases of Python 3.11 match such patterns wrongly, without a word.

What stands in a source is read there; what is put together of pieces is looked at where a module holds it, compiled.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]  # nothing public takes a pattern apart
from types import ModuleType

import pytest

import webarticlecurator

_REFUSED = (_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP)
_FOLDERS = ("webarticlecurator", "examples", "benchmarks", "docs", "schemas", "tests")


def is_refused(pattern: str | bytes, flags: int = 0) -> bool:
    try:
        return _holds_refused(_parser.parse(pattern, flags))
    except re.error:  # without its pieces it is none; compiled, it is looked at
        return False


def _holds_refused(parsed: object) -> bool:
    if isinstance(parsed, (_parser.SubPattern, list, tuple)):
        return any(_holds_refused(part) for part in parsed)
    return any(parsed is operation for operation in _REFUSED)  # in numbers they equal characters and counts


def refused_in_source(path: Path) -> list[str]:
    """Where a source hands such a pattern to `re`."""
    calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call) and node.args)
    of_re = (call for call in calls if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "re")
    return [f"{path.name}:{call.lineno}" for call in of_re if is_refused(_text(call.args[0]))]


def _text(node: ast.expr) -> str | bytes:
    """The pattern as far as it stands there, with a group for each piece that does not."""
    match node:
        case ast.Constant(value=str() | bytes() as text):
            return text
        case ast.JoinedStr(values=pieces):
            return "".join(str(_text(piece)) for piece in pieces)
        case ast.BinOp(left=left, right=right):
            return f"{_text(left)!s}{_text(right)!s}"
    return "(?:x)"


def refused_in_module(module: ModuleType) -> list[str]:
    """The names under which a module holds such a pattern."""
    held = ((name, pattern) for name, value in vars(module).items() if not name.startswith("__") for pattern in _patterns(value, set()))
    return [f"{module.__name__}.{name}" for name, pattern in held if is_refused(pattern.pattern, pattern.flags)]


def _patterns(value: object, seen: set[int]) -> Iterator[re.Pattern]:
    """Those in a value, however deep in tables, dataclasses and classes."""
    if id(value) in seen:
        return
    seen.add(id(value))
    inner: list[object] = []
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = [*value]
    elif isinstance(value, type):
        inner = [one for name, one in vars(value).items() if not name.startswith("__")]
    elif is_dataclass(value):
        inner = [getattr(value, field.name, None) for field in fields(value)]
    for one in inner:
        yield from _patterns(one, seen)


def test_no_source_hands_such_a_pattern_to_re(repo_root: Path) -> None:
    sources = [path for folder in _FOLDERS for path in sorted((repo_root / folder).rglob("*.py"))]
    assert len(sources) > 300
    assert [place for path in sources for place in refused_in_source(path)] == []


def test_no_module_holds_such_a_pattern() -> None:
    names = [found.name for found in pkgutil.walk_packages(webarticlecurator.__path__, "webarticlecurator.")]
    assert len(names) > 200
    modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
    assert [place for module in modules for place in refused_in_module(module)] == []


@pytest.mark.parametrize(
    "call",
    [
        "re.compile('ab++')",
        "re.search(r'a(?:b|c?+)*', text)",
        "re.sub(br'(?>a)', b'', text)",
        "re.match(rf'{piece}*+b', text)",
        "re.split(a + 'b{2}+', text)",
    ],
)
def test_a_planted_one_is_found_in_a_source(tmp_path: Path, call: str) -> None:
    source = tmp_path / "planted.py"
    source.write_text(f"import re\n\ndef asked(text, a, piece):\n    return {call}\n", encoding="utf-8")
    assert refused_in_source(source) == ["planted.py:4"]


def test_a_planted_one_is_found_in_a_table_of_a_module() -> None:
    module = ModuleType("planted")
    piece = "[a-z]+" + "+"
    module.TABLE = {"a": (re.compile(f"(?:{piece}|b)*"), ""), "c": (re.compile("[a*+]+?"), "")}
    assert refused_in_module(module) == ["planted.TABLE"]


def test_a_plus_that_only_looks_so_is_let_through() -> None:
    assert [one for one in (r"[*+]+", r"\++", r"a+?", r"(?=a)b", r"a{2}\+", r"a{0,30}", b"[?+]*") if is_refused(one)] == []
