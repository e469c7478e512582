"""JMESPaths of portal files: a search never fails."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions


class PathError(ValueError):
    """The text is not a JMESPath; the message says why."""


@dataclass(frozen=True, slots=True)
class JsonPath:
    """One compiled path; equal when written equally."""

    text: str
    _compiled: Any = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> JsonPath:
        """Compile. Raises PathError."""
        try:
            compiled = jmespath.compile(text)
        except (JMESPathError, ValueError, RecursionError) as problem:
            raise PathError(f"not a JMESPath: {_first_line(problem)}{_advice_on(text)}") from None
        _refuse_unknown_functions(compiled.parsed)
        return cls(text, compiled)

    def search(self, document: Any) -> Any:
        """What the path finds; None where it finds nothing, or where the document is not of the shape that the path expects."""
        try:
            return self._compiled.search(document)
        except (JMESPathError, RecursionError, TypeError, ValueError, AttributeError, ArithmeticError):
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


def _refuse_unknown_functions(parsed: Any) -> None:
    """At load, not on the first page."""
    known = Functions.FUNCTION_TABLE
    waiting = [parsed]
    while waiting:
        node = waiting.pop()
        waiting.extend(child for child in node["children"] if isinstance(child, dict))  # those of a slice are its numbers
        if node["type"] == "function_expression" and node["value"] not in known:
            raise PathError(f"unknown function {node['value']}(); there are {', '.join(sorted(known))}")
