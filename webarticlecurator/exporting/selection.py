"""Which articles of a corpus an export holds: what SQL decides by the build database and the ledger, and what
is asked of each article."""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import orjson

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.portal import SECTION, column_of
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.table import TableColumn, as_text, columns_of
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.patterns import Pattern, PatternError
from webarticlecurator.text import squeeze

LEDGER = "ledger"
"""The name under which conditions find the ledger."""
_KINDS = {"blog": "BlogPosting", "forum": "DiscussionForumPosting"}
_NOT_NEWS = (*_KINDS.values(), "SocialMediaPosting")
_OF_ARTICLES = "FROM articles WHERE path IS NOT NULL"
_NO_ARTICLE = "no article has it"

_LISTINGS = f"""{LEDGER}.urls u JOIN {LEDGER}.listings l ON l.url_id = u.id JOIN {LEDGER}.columns c ON c.id = l.column_id
    WHERE u.identity_key = a.key AND coalesce(u.identity, u.url) = a.identity"""
_VALUES = "SELECT DISTINCT value FROM metadata WHERE field = '{0}' AND NOT disagrees"
_HAS_VALUE = """a.number IN (
    SELECT article FROM metadata WHERE field = '{0}' AND NOT disagrees AND value IN (SELECT value FROM json_each(?))
)"""
_COLUMN_OF_SECTION = f"substr(c.name, 1, instr(c.name, '{SECTION}') - 1)"
"""The column of the portal file that a section is of; empty for what is no section."""
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
        self._conditions = list(map(condition, options.where))
        self._in_sql = list(_in_sql(options))
        for option, field, values in self._named():
            if wanted := set(map(folded, values)):
                written = [
                    value for value in self._all(_VALUES.format(field)) if folded(value) in wanted
                ]  # as the articles have them
                self._in_sql.append((option, _HAS_VALUE.format(field), (orjson.dumps(written).decode(),)))

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
        return next(
            (option for option, column, holds in self._conditions if not holds(texts_of(column, article))),
            None,
        )

    def left_out_in_sql(self) -> dict[str, int]:
        """Option -> how many articles it left out of those that the ones before it had left."""
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
        options = self._options
        if options.column:
            names = self._all(f"SELECT name FROM {LEDGER}.columns")
            yield from _unknown_among(
                "--column", options.column, list(dict.fromkeys((*map(column_of, names), *names)))
            )
        kinds = [kind for kind in options.kind if kind != "news" and kind not in _KINDS]
        if kinds:
            yield from _unknown_among("--kind", kinds, self._all(f"SELECT DISTINCT type {_OF_ARTICLES}"))
        if options.language:
            yield from self._unknown_languages()
        for option, field, values in self._named():
            written = self._all(_VALUES.format(field)) if values else ()
            known = set(map(folded, written))
            near = (
                () if field == "author" and options.pseudonymise else written
            )  # the manifest keeps the sentence
            yield from (_unknown(option, value, near) for value in values if folded(value) not in known)

    def _unknown_languages(self) -> Iterator[str]:
        languages = sorted(self._all(f"SELECT DISTINCT language {_OF_ARTICLES} AND language IS NOT NULL"))
        for value in self._options.language:
            if not any(f"{language.lower()}-".startswith(f"{value.lower()}-") for language in languages):
                yield f"--language {value}: {_NO_ARTICLE}; there are: {', '.join(languages[:12])}"

    def _named(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Options that name values of a field of metadata."""
        yield "--section", "articleSection", self._options.section
        yield "--author", "author", self._options.author
        yield "--keyword", "keywords", self._options.keyword

    def _all(self, query: str) -> list[str]:
        """Return what a query finds in all portals."""
        return list(
            dict.fromkeys(str(value) for portal in self._portals for (value, *_) in portal.rows(query))
        )


def _in_sql(options: ExportOptions) -> Iterator[tuple[str, str, tuple[object, ...]]]:
    """Option, condition, and the values in it."""
    yield "--outcome", f"a.outcome IN {_marks(options.outcome)}", tuple(map(str, options.outcome))
    day = "substr(a.published, 1, 10)"  # as far as it is known: a year is in it if its days could be
    for option, sign, end in (("--from", ">=", options.from_), ("--until", "<=", options.until)):
        if end is not None:
            yield option, f"{day} {sign} substr(?, 1, length({day}))", (end.isoformat(),)
    if options.kind:
        types = [_KINDS.get(kind, kind) for kind in options.kind if kind != "news"]
        news = f"a.type NOT IN {_marks(_NOT_NEWS)}" if "news" in options.kind else "0"
        yield (
            "--kind",
            f"a.type IN {_marks(types)} OR {news}",
            (*types, *(_NOT_NEWS if "news" in options.kind else ())),
        )
    if options.column:
        named = f"c.name IN {_marks(options.column)} OR {_COLUMN_OF_SECTION} IN {_marks(options.column)}"
        yield (
            "--column",
            f"EXISTS (SELECT 1 FROM {_LISTINGS} AND ({named}))",
            (*options.column, *options.column),
        )
    if options.language:
        tests = " OR ".join(["lower(a.language) || '-' LIKE ? || '-%'"] * len(options.language))
        yield "--language", tests, tuple(language.lower() for language in options.language)


def _marks(values: Sequence[str]) -> str:
    return f"({', '.join('?' * len(values))})"


def _unknown_among(option: str, values: Iterable[str], names: Collection[str]) -> Iterator[str]:
    return (_unknown(option, value, names) for value in values if value not in names)


def _unknown(option: str, value: str, names: Iterable[str]) -> str:
    """With those that are written alike."""
    known = {folded(name): name for name in names}
    near = difflib.get_close_matches(folded(value), list(known), n=3)
    meant = f"; near to it: {', '.join(repr(known[text]) for text in near)}" if near else ""
    return f"{option} {value}: {_NO_ARTICLE}{meant}"


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
    "section": "articleSection",
    "keyword": "keywords",
    "kind": "type",
    "date": "datePublished",
    "title": "headline",
}

Test = Callable[[tuple[str, ...]], bool]

Condition = tuple[str, TableColumn, Test]
"""The option as it is told, the column, and what must hold of its values."""


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
    test = (
        _ordered(_ORDERS[sign], value.strip(), written)
        if sign in _ORDERS
        else _equal(sign[-1], value.strip(), written)
    )
    return f"--where {written}", column, (lambda texts: not test(texts)) if sign.startswith("!") else test


def field_named(name: str) -> TableColumn:
    """A column of the table, or a metadata field; also by the name of its option. Raises UsageError."""
    (column,) = columns_of([_ALSO_CALLED.get(name, name)])
    return column


def folded(text: str) -> str:
    """By this, values are compared: neither case nor blanks count. Which small letter an I stands for hangs
    on the language: any."""
    return squeeze(text).casefold().replace("i\u0307", "i").replace("ı", "i")


def _equal(sign: str, value: str, written: str) -> Test:
    """`=` or `~`."""
    if sign == "~":
        try:
            pattern = Pattern.parse(value)
        except PatternError as error:
            raise UsageError(f"--where {written!r}: {error}") from None
        return lambda texts: any(pattern.search(text) is not None for text in texts)
    wanted = folded(value)
    return (lambda texts: wanted in map(folded, texts)) if wanted else (lambda texts: not texts)


def _ordered(compare: Callable[[Any, Any], bool], value: str, written: str) -> Test:
    """Numbers are compared as such; dates as they are written, as far as `value` says."""
    number = _number(value)
    if number is None and not _DATE.fullmatch(value):
        raise UsageError(
            f"--where {written!r}: what is compared by order is a number or a date, and {value!r} is neither."
        )

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
