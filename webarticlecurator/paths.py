"""JMESPaths of portal files: a search never fails, and never costs more than a bound."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from jmespath.visitor import TreeInterpreter

MAX_LENGTH = 1_000
"""Characters of a path."""
MAX_STEPS = 2_000_000
"""Nodes that one search may visit."""
MAX_SIZE = 1_000_000
"""Items of a list, or characters of a text, that a step may give."""
_MAX_COPIES = 1_000
"""How often a path may repeat its input: multi-selects inside multi-selects multiply."""


class PathError(ValueError):
    """The text is not a JMESPath; the message says why."""


class _TooMuchError(Exception):
    """The search went over its bound."""


class _Bounded(TreeInterpreter):
    def __init__(self) -> None:
        super().__init__()
        self._left = MAX_STEPS

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        self._left -= 1
        result = super().visit(node, *args, **kwargs)
        if self._left < 0 or (isinstance(result, (str, list, dict)) and len(result) > MAX_SIZE):
            raise _TooMuchError
        return result


@dataclass(frozen=True, slots=True)
class JsonPath:
    """One compiled path; equal when written equally."""

    text: str
    _parsed: Any = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> JsonPath:
        """Compile. Raises PathError."""
        if len(text) > MAX_LENGTH:
            raise PathError(f"the path has {len(text)} characters; at most {MAX_LENGTH} are allowed")
        try:
            parsed = jmespath.compile(text).parsed
        except (JMESPathError, ValueError, RecursionError) as problem:
            raise PathError(f"not a JMESPath: {_first_line(problem)}{_advice_on(text)}") from None
        _check(parsed)
        return cls(text, parsed)

    def search(self, document: Any) -> Any:
        """What the path finds; None where it finds nothing, or where the document is not of the shape that the path expects."""
        try:
            return _Bounded().visit(self._parsed, document)
        except (JMESPathError, _TooMuchError, RecursionError, TypeError, ValueError, AttributeError, ArithmeticError):
            return None


def _first_line(problem: Exception) -> str:
    return str(problem).partition("\n")[0].rstrip(": ")


def _advice_on(text: str) -> str:
    """What is probably meant by a path that is none."""
    if text.lstrip().startswith("$"):
        return "; this is JSONPath, and paths are JMESPaths: no `$.` at the start, `[*]` for all items of a list, no `..`"
    if re.match(r"\s*\.{0,2}/", text):
        return "; this is XPath, and paths into JSON are JMESPaths, as in `items[*].url`"
    return ""


def _check(parsed: Any) -> None:
    """Unknown functions and explosive paths are found at load, not on the first page."""
    known = Functions.FUNCTION_TABLE
    copies = 1
    waiting = [parsed]
    while waiting:
        node = waiting.pop()
        waiting.extend(child for child in node["children"] if isinstance(child, dict))  # those of a slice are its numbers
        if node["type"] == "function_expression" and node["value"] not in known:
            raise PathError(f"unknown function {node['value']}(); there are {', '.join(sorted(known))}")
        if node["type"] in ("multi_select_list", "multi_select_dict"):
            copies *= max(len(node["children"]), 1)
    if copies > _MAX_COPIES:
        raise PathError(f"the path would repeat its input {copies} times; at most {_MAX_COPIES} are allowed")
