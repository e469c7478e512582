"""A condition on a field of an article, as a person writes it: `author=Kovács Anna`, `headline~[Hh]íd`, `words>=300`, `description=`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.table import Holds, TableColumn, as_text, columns_of
from webarticlecurator.patterns import Pattern, PatternError
from webarticlecurator.text import squeeze

_WRITTEN = re.compile(r"\s*([A-Za-z_]+)\s*(!=|!~|>=|<=|=|~|>|<)(.*)", re.DOTALL)
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T.*)?)?)?")
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_ALSO_CALLED = {"section": "articleSection", "keyword": "keywords", "kind": "type", "date": "datePublished", "title": "headline"}

Test = Callable[[tuple[str, ...]], bool]


@dataclass(frozen=True, slots=True)
class Condition:
    """One of them, ready to be asked."""

    written: str
    column: TableColumn
    holds_for: Test

    def holds(self, article: ExportArticle) -> bool:
        """Whether the article fulfils it. Raises PatternTimeout."""
        return self.holds_for(texts_of(self.column, article))


def texts_of(column: TableColumn, article: ExportArticle) -> tuple[str, ...]:
    """The values of a field as texts; none where it is empty."""
    value = column.get(article)
    if value is None or value == "":
        return ()
    return value if isinstance(value, tuple) else (as_text(value),)


def condition(written: str) -> Condition:
    """Read one. Raises UsageError."""
    found = _WRITTEN.fullmatch(written)
    if found is None:
        raise UsageError(
            f"--where {written!r} is no condition; write FIELD=VALUE, FIELD!=VALUE, FIELD~REGEX, FIELD>=NUMBER, or FIELD= (empty)."
        )
    name, sign, value = found.groups()
    if sign in ("=", "!=") and value.startswith(("=", "<", ">", "~")):
        raise UsageError(f"--where {written!r}: there is no sign {sign}{value[0]}; there are =, !=, ~, !~, >=, <=, >, <.")
    column = field_named(name)
    if column.holds is Holds.YES_NO:
        value = {"yes": "true", "no": "false"}.get(folded(value), value)
    return Condition(written, column, _test(sign, value.strip(), written))


def field_named(name: str) -> TableColumn:
    """A column of the table, or a metadata field; also by the name of its option. Raises UsageError."""
    (column,) = columns_of([_ALSO_CALLED.get(name, name)])
    return column


def folded(text: str) -> str:
    """By this, values are compared: neither case nor blanks count. Which small letter an I stands for hangs on the language: any."""
    return squeeze(text).casefold().replace("i\u0307", "i").replace("ı", "i")


def _test(sign: str, value: str, written: str) -> Test:
    if sign in ("~", "!~"):
        try:
            pattern = Pattern.parse(value)
        except PatternError as error:
            raise UsageError(f"--where {written!r}: {error}") from None
        return _perhaps_not(sign, lambda texts: any(pattern.search(one) is not None for one in texts))
    if sign in ("=", "!="):
        wanted = folded(value)
        return _perhaps_not(sign, (lambda texts: wanted in map(folded, texts)) if wanted else (lambda texts: not texts))
    return _ordered(_ORDERS[sign], value, written)


def _perhaps_not(sign: str, test: Test) -> Test:
    return (lambda texts: not test(texts)) if sign.startswith("!") else test


def _ordered(compare: Callable[[Any, Any], bool], value: str, written: str) -> Test:
    """Numbers are compared as such; dates as they are written, as far as `value` says."""
    number = _number(value)
    if number is None and not _DATE.fullmatch(value):
        raise UsageError(f"--where {written!r}: what is compared by order is a number or a date, and {value!r} is neither.")

    def holds(text: str) -> bool:
        own = _number(text)
        if own is not None and number is not None:
            return compare(own, number)
        return bool(_DATE.fullmatch(text) and _DATE.fullmatch(value)) and compare(text[: len(value)], value)

    return lambda texts: any(map(holds, texts))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
