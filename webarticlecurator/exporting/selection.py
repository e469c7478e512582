"""Choose the articles of a corpus that an export holds: by SQL on the build database and the ledger, and by
questions to each article."""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

import orjson

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.table import ColumnType, TableColumn, as_text, columns_of
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.patterns import Pattern, PatternError
from webarticlecurator.text import squeeze

LEDGER = "ledger"
"""The name under which conditions find the ledger."""

_LISTINGS = f"""{LEDGER}.urls u JOIN {LEDGER}.listings l ON l.url_id = u.id JOIN {LEDGER}.columns c ON c.id = l.column_id
    WHERE u.identity_key = a.key AND coalesce(u.identity, u.url) = a.identity"""
_VALUES = "SELECT DISTINCT value FROM metadata WHERE field = '{0}' AND NOT disagrees"
_HAS_VALUE = """a.number IN (
    SELECT article FROM metadata WHERE field = '{0}' AND NOT disagrees AND value IN (SELECT value FROM json_each(?))
)"""
LISTED_BY = f"SELECT DISTINCT c.name FROM articles a JOIN {_LISTINGS} AND a.id = ? ORDER BY c.name"
"""The columns that list an article, by its id."""

GONE = f"""SELECT a.id, max(u.gone) FROM {LEDGER}.urls u
    JOIN articles a ON a.key = u.identity_key AND a.identity = coalesce(u.identity, u.url) WHERE u.gone IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM {LEDGER}.urls o WHERE o.identity_key = u.identity_key AND coalesce(o.identity, o.url) = a.identity
        AND o.parts > 0 AND o.gone IS NULL) GROUP BY a.id"""
"""Articles that are gone from the site, at all of their addresses, and since when."""


class Selection:
    """The filters of one export of these portals."""

    def __init__(self, options: ExportOptions, portals: Sequence[BuiltArticles]) -> None:
        self._options = options
        self._portals = portals
        conditions = list(map(condition, options.where))
        self._named = [asked for asked in conditions if asked.is_named]
        self._conditions = [asked for asked in conditions if not asked.is_named]
        self._in_sql = list(_in_sql(options))
        for asked in self._named:
            wanted = folded(asked.value)
            written = [value for value in self._written(asked) if folded(value) == wanted]
            has_value = _HAS_VALUE.format(asked.column.name)
            self._in_sql.append((asked.option, has_value, (orjson.dumps(written).decode(),)))

    @property
    def is_sql_alone(self) -> bool:
        """True if SQL decides all of it."""
        return not self._conditions

    def where(self, first: int | None = None) -> tuple[str, tuple[object, ...]]:
        """Return what SQL decides, or the first so many of its filters, as one condition on the table of
        articles, there called `a`."""
        filters = self._in_sql[:first]
        return " AND ".join(["1", *(f"({sql})" for _, sql, _ in filters)]), tuple(
            value for *_, values in filters for value in values
        )

    def leaves_out(self, article: ExportArticle) -> str | None:
        """The condition by which an article that SQL has let pass is none of those that are wanted. Raises
        PatternTimeout."""
        failed = (asked for asked in self._conditions if not asked.holds(texts_of(asked.column, article)))
        return next((asked.option for asked in failed), None)

    def left_out_in_sql(self) -> dict[str, int]:
        """Return how many articles each option left out of those that the ones before it had left."""
        left = [
            sum(portal.count(*self.where(n)) for portal in self._portals)
            for n in range(len(self._in_sql) + 1)
        ]
        return {
            option: left[n] - left[n + 1]
            for n, (option, *_) in enumerate(self._in_sql)
            if left[n] > left[n + 1]
        }

    def unknown_values(self) -> Iterator[str]:
        """Sentences on values that no article has."""
        for asked in self._named:
            written = self._written(asked)
            if folded(asked.value) not in set(map(folded, written)):
                # the manifest keeps the sentence
                is_secret = asked.column.name == "author" and self._options.pseudonymise
                yield _unknown(asked, () if is_secret else written)

    def _written(self, asked: Condition) -> list[str]:
        """Return the values of its field, as the articles of all portals have them."""
        query = _VALUES.format(asked.column.name)
        return list(
            dict.fromkeys(str(value) for portal in self._portals for (value, *_) in portal.rows(query))
        )


def _in_sql(options: ExportOptions) -> Iterator[tuple[str, str, tuple[object, ...]]]:
    """Yield the conditions of options in SQL: option, condition, and the values in it."""
    marks = ", ".join("?" * len(options.outcome))
    yield "--outcome", f"a.outcome IN ({marks})", tuple(map(str, options.outcome))
    day = "substr(a.published, 1, 10)"  # as far as it is known: a year is in it if its days could be
    for option, sign, end in (("--from", ">=", options.from_), ("--until", "<=", options.until)):
        if end is not None:
            yield option, f"{day} {sign} substr(?, 1, length({day}))", (end.isoformat(),)


def _unknown(asked: Condition, names: Iterable[str]) -> str:
    """Return the sentence that no article has a value, with names that are written alike."""
    known = {folded(name): name for name in names}
    near = difflib.get_close_matches(folded(asked.value), list(known), n=3)
    meant = f"; near to it: {', '.join(repr(known[text]) for text in near)}" if near else ""
    return f"{asked.option}: no article has it{meant}"


# --- conditions, as a person writes them: `author=Kovács Anna`, `headline~[Hh]íd`, `words>=300`, `description=` ---

_WRITTEN = linear_at(r"\s*([A-Za-z_]+)\s*(!=|!~|>=|<=|=|~|>|<)(.*)", re.DOTALL)
_DATE = linear_at(r"\d{4}(-\d\d(-\d\d(T.*)?)?)?")
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_ALSO_CALLED = {
    "authors": "author",
    "section": "articleSection",
    "keyword": "keywords",
    "kind": "type",
    "date": "datePublished",
}

Test = Callable[[tuple[str, ...]], bool]


class Condition(NamedTuple):
    """A value of `--where`."""

    option: str
    """The option as people are told of it."""
    column: TableColumn
    holds: Test
    """Return True if the values of an article fulfil it."""
    sign: str
    value: str

    @property
    def is_named(self) -> bool:
        """Say whether it names a value of a field that has several: SQL decides that, by the real names."""
        is_list = self.column.holds is ColumnType.TEXTS and self.column.name in FIELDS
        return is_list and self.sign == "=" and bool(self.value)


def texts_of(column: TableColumn, article: ExportArticle) -> tuple[str, ...]:
    """The values of a field as texts; none where it is empty."""
    value = column.get(article)
    if value is None or value == "":
        return ()
    return value if isinstance(value, tuple) else (as_text(value),)


def condition(written: str) -> Condition:
    """Read one. Raises UsageError."""
    parts = _WRITTEN.fullmatch(written)
    if parts is None:
        raise UsageError(
            f"--where {written!r} is no condition; write FIELD=VALUE, FIELD!=VALUE, FIELD~REGEX, "
            "FIELD>=NUMBER, or FIELD= (empty)."
        )
    name, sign, value = parts.groups()
    column = field_named(name)
    value = value.strip()
    test = _ordered(_ORDERS[sign], value, written) if sign in _ORDERS else _equal(sign[-1], value, written)
    holds = (lambda texts: not test(texts)) if sign.startswith("!") else test
    return Condition(f"--where {written}", column, holds, sign, value)


def field_named(name: str) -> TableColumn:
    """A column of the table, or a metadata field; also by a usual name. Raises UsageError."""
    (column,) = columns_of([_ALSO_CALLED.get(name, name)])
    return column


def folded(text: str) -> str:
    """Return a text as values are compared: neither case nor blanks count. Which small letter an I stands for
    hangs on the language: any."""
    return squeeze(text).casefold().replace("i\u0307", "i").replace("ı", "i")


def _equal(sign: str, value: str, written: str) -> Test:
    """Return the test of `=` or `~`."""
    if sign == "~":
        try:
            pattern = Pattern.parse(value)
        except PatternError as error:
            raise UsageError(f"--where {written!r}: {error}") from None
        return lambda texts: any(pattern.search(text) is not None for text in texts)
    wanted = folded(value)
    return (lambda texts: wanted in map(folded, texts)) if wanted else (lambda texts: not texts)


def _ordered(compare: Callable[[Any, Any], bool], value: str, written: str) -> Test:
    """Return the test of an order: numbers are compared as such; dates as they are written, as far as `value`
    says."""
    number = _number(value)
    if number is None and not _DATE.fullmatch(value):
        raise UsageError(
            f"--where {written!r}: what is compared by order is a number or a date, and {value!r} is neither."
        )

    def holds(text: str) -> bool:
        own = _number(text)
        if own is not None and number is not None:
            return compare(own, number)
        if not (_DATE.fullmatch(text) and _DATE.fullmatch(value)):
            return False
        known = min(len(text), len(value))  # of a year alone nobody knows the month
        return compare(text[:known], value[:known])

    return lambda texts: any(map(holds, texts))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None
