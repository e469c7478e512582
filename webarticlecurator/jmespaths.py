"""JMESPaths of portal files: a search never fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions

from webarticlecurator.own_patterns import linear_at


class PathError(ValueError):
    """The text is not a JMESPath; the message says why."""


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A compiled path; equal when written equally."""

    text: str
    _compiled: Any = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> JsonPath:
        """Compile. Raises PathError."""
        try:
            compiled = jmespath.compile(text)
        except (JMESPathError, ValueError, RecursionError) as problem:
            reason = str(problem).partition("\n")[0].rstrip(": ")
            raise PathError(f"not a JMESPath: {reason}{_advice_on(text)}") from None
        path, known = cls(text, compiled), Functions.FUNCTION_TABLE
        for (
            kind,
            name,
        ) in path.steps():  # functions that there are not are told at load, not on the first page
            if kind == "function_expression" and name not in known:
                raise PathError(f"unknown function {name}(); there are {', '.join(sorted(known))}")
        return path

    def steps(self) -> Iterator[tuple[str, Any]]:
        """Yield the kind of each step, as `jmespath` calls it, and what it names."""
        waiting = [self._compiled.parsed]
        while waiting:
            node = waiting.pop()
            # the children of a slice are its numbers
            waiting.extend(child for child in node["children"] if isinstance(child, dict))
            yield node["type"], node.get("value")

    def search(self, document: Any) -> Any:
        """Return what the path finds; None where it finds nothing, or where the document is not of the shape
        that the path expects."""
        try:
            return self._compiled.search(document)
        except (JMESPathError, RecursionError, TypeError, ValueError, AttributeError, ArithmeticError):
            return None


def _advice_on(text: str) -> str:
    """Return what is probably meant by a path that is none."""
    if text.lstrip().startswith("$"):
        return (
            "; this is JSONPath, and paths are JMESPaths: no `$.` at the start, `[*]` for all items of a "
            "list, no `..`"
        )
    if linear_at(r"\s*\.{0,2}/").match(text):
        return "; this is XPath, and paths into JSON are JMESPaths, as in `items[*].url`"
    return ""
