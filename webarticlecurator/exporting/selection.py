"""Which articles of a corpus an export holds: what SQL decides by the build database and the ledger, and what is asked of each article."""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.table import COLUMNS, Holds, TableColumn, as_text, columns_of
from webarticlecurator.patterns import Pattern, PatternError
from webarticlecurator.text import squeeze, without_accents

LEDGER = "ledger"
"""The name under which conditions find the ledger."""
_KINDS = {"blog": "BlogPosting", "forum": "DiscussionForumPosting"}
_NOT_NEWS = (*_KINDS.values(), "SocialMediaPosting")
_MOST_SEEN = 50_000
"""Values of a field that are remembered, to find out what was meant by one that no article has."""
_NEAR = 3
_MOST_LANGUAGES = 12
"""That a message names."""
_NO_ARTICLE = "no article has it"

_LISTINGS = f"""{LEDGER}.urls u JOIN {LEDGER}.listings l ON l.url_id = u.id JOIN {LEDGER}.columns c ON c.id = l.column_id
    WHERE u.identity_key = a.key AND coalesce(u.identity, u.url) = a.identity"""
LISTED_BY = f"SELECT DISTINCT c.name FROM articles a JOIN {_LISTINGS} AND a.id = ? ORDER BY c.name"
"""The columns that list an article, by its id."""

GONE = f"""SELECT a.id, max(u.gone) FROM {LEDGER}.urls u
    JOIN articles a ON a.key = u.identity_key AND a.identity = coalesce(u.identity, u.url) WHERE u.gone IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM {LEDGER}.urls o WHERE o.identity_key = u.identity_key AND coalesce(o.identity, o.url) = a.identity
        AND o.parts > 0 AND o.gone IS NULL) GROUP BY a.id"""
"""Articles that are gone from the site, at all of their addresses, and since when."""


class Selection:
    """The filters of one export."""

    def __init__(self, options: ExportOptions) -> None:
        self._options = options
        self._in_sql = list(_in_sql(options))
        named = {"--section": ("articleSection", options.section), "--author": ("author", options.author)}
        named["--keyword"] = ("keywords", options.keyword)
        self._wanted = {option: {folded(value): value for value in values} for option, (_, values) in named.items() if values}
        """Option -> the values that are wanted, as they are compared and as they were written."""
        self._seen: dict[str, dict[str, str]] = {option: {} for option in self._wanted}
        """The same of values that articles have."""
        self.conditions = [Condition(option, COLUMNS[named[option][0]], _any_of(values)) for option, values in self._wanted.items()]
        self.conditions += map(condition, options.where)

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        """What SQL decides, as one condition on the table of articles, there called `a`."""
        return " AND ".join(f"({sql})" for _, sql, _ in self._in_sql), tuple(value for *_, values in self._in_sql for value in values)

    def leaves_out(self, article: ExportArticle) -> str | None:
        """The option by which an article that SQL has let pass is none of those that are wanted. Raises PatternTimeout."""
        for option, column, holds in self.conditions:
            texts = texts_of(column, article)
            if (seen := self._seen.get(option)) is not None:
                values = {folded(text): text for text in texts}
                seen |= values if len(seen) < _MOST_SEEN else {value: values[value] for value in values.keys() & self._wanted[option]}
            if not holds(texts):
                return option
        return None

    def left_out_in_sql(self, portals: Iterable[BuiltArticles]) -> dict[str, int]:
        """Option -> how many articles it left out of those that the ones before it had left."""
        left = [0] * (len(self._in_sql) + 1)
        for portal in portals:
            conditions, values = "1", tuple[object, ...]()
            left[0] += portal.count()
            for number, (_, sql, more) in enumerate(self._in_sql, start=1):
                conditions, values = f"{conditions} AND ({sql})", (*values, *more)
                left[number] += portal.count(conditions, values)
        return {option: left[n] - left[n + 1] for n, (option, *_) in enumerate(self._in_sql) if left[n] > left[n + 1]}

    def unknown_values(self, portals: Sequence[BuiltArticles]) -> Iterator[str]:
        """Sentences on values that no article has; of some fields only after all articles were asked."""
        options = self._options
        of_articles = "FROM articles WHERE path IS NOT NULL"
        for option, values, query in (
            ("--column", options.column, f"SELECT name FROM {LEDGER}.columns"),
            ("--layout", options.layout, "SELECT DISTINCT layout FROM articles WHERE layout IS NOT NULL"),
            ("--kind", [kind for kind in options.kind if kind != "news" and kind not in _KINDS], f"SELECT DISTINCT type {of_articles}"),
        ):
            if values:
                known = {str(name): str(name) for portal in portals for (name,) in portal.rows(query)}
                yield from (_unknown(option, value, known) for value in values if value not in known)
        if options.language:
            query = f"SELECT DISTINCT language {of_articles} AND language IS NOT NULL"
            languages = sorted({str(name) for portal in portals for (name,) in portal.rows(query)})
            for value in options.language:
                if not any(f"{language.lower()}-".startswith(f"{value.lower()}-") for language in languages):
                    yield f"--language {value}: {_NO_ARTICLE}; there are: {', '.join(languages[:_MOST_LANGUAGES])}"
        alone = len(self._in_sql) + len(self.conditions) == 2  # beside --outcome, which always holds
        told = _NO_ARTICLE if alone else "none of the articles that other filters leave has it"
        for option, wanted in self._wanted.items():
            seen = self._seen[option]
            yield from (_unknown(option, written, seen, told) for value, written in wanted.items() if value not in seen)


# --- what SQL decides ---


def _in_sql(options: ExportOptions) -> Iterator[tuple[str, str, tuple[object, ...]]]:
    """Option, condition, and the values in it."""
    yield "--outcome", f"a.outcome IN {_marks(options.outcome)}", tuple(map(str, options.outcome))
    day = "substr(a.published, 1, 10)"  # as far as it is known: a year is in it if its days could be
    if options.from_ is not None:
        yield "--from", f"{day} >= substr(?, 1, length({day}))", (options.from_.isoformat(),)
    if options.until is not None:
        yield "--until", f"{day} <= substr(?, 1, length({day}))", (options.until.isoformat(),)
    if options.kind:
        types = [_KINDS.get(kind, kind) for kind in options.kind if kind != "news"]
        news = f"a.type NOT IN {_marks(_NOT_NEWS)}" if "news" in options.kind else "0"
        yield "--kind", f"a.type IN {_marks(types)} OR {news}", (*types, *(_NOT_NEWS if "news" in options.kind else ()))
    at_least, at_most = options.words_between
    if options.words is not None:
        # words are not counted where no blank parts them
        test = "a.words BETWEEN ? AND ? AND (a.words > 0 OR a.characters = 0)"
        yield "--words", test, (at_least or 0, at_most if at_most is not None else 1 << 60)
    if options.layout:
        yield "--layout", f"a.layout IN {_marks(options.layout)}", options.layout
    if options.column:
        yield "--column", f"EXISTS (SELECT 1 FROM {_LISTINGS} AND c.name IN {_marks(options.column)})", options.column
    if options.language:
        tests = " OR ".join(["lower(a.language) || '-' LIKE ? || '-%'"] * len(options.language))
        yield "--language", tests, tuple(language.lower() for language in options.language)


def _marks(values: Sequence[str]) -> str:
    return f"({', '.join('?' * len(values))})"


# --- values of fields that are wanted ---


def _any_of(values: Collection[str]) -> Test:
    return lambda texts: any(folded(text) in values for text in texts)


def _unknown(option: str, value: str, known: dict[str, str], told: str = _NO_ARTICLE) -> str:
    """With those that have a word that begins with it, be it without accents; then those that are written alike."""
    written, by_folded = folded(value), {folded(text): text for text in known.values()}
    begin = f" {without_accents(written)}"
    longer = sorted((text for text in by_folded if written and begin in f" {without_accents(text)}"), key=lambda text: (len(text), text))
    near = list(dict.fromkeys([*longer, *difflib.get_close_matches(written, list(by_folded), n=_NEAR)]))[:_NEAR]
    meant = f"; near to it: {', '.join(repr(by_folded[text]) for text in near)}" if near else ""
    return f"{option} {value}: {told}{meant}"


# --- conditions, as a person writes them: `author=Kovács Anna`, `headline~[Hh]íd`, `words>=300`, `description=` ---

_WRITTEN = re.compile(r"\s*([A-Za-z_]+)\s*(!=|!~|>=|<=|=|~|>|<)(.*)", re.DOTALL)
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T.*)?)?)?")
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_ALSO_CALLED = {"section": "articleSection", "keyword": "keywords", "kind": "type", "date": "datePublished", "title": "headline"}

Test = Callable[[tuple[str, ...]], bool]


class Condition(NamedTuple):
    """A condition on the values of a column."""

    option: str
    """As it is told."""
    column: TableColumn
    holds: Test


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
            f"--where {written!r} is no condition; write FIELD=VALUE, FIELD!=VALUE, FIELD~REGEX, FIELD>=NUMBER, or FIELD= (empty)."
        )
    name, sign, value = parts.groups()
    if sign in ("=", "!=") and value.startswith(("=", "<", ">", "~")):
        raise UsageError(f"--where {written!r}: there is no sign {sign}{value[0]}; there are =, !=, ~, !~, >=, <=, >, <.")
    column = field_named(name)
    if column.holds is Holds.YES_NO:
        value = {"yes": "true", "no": "false"}.get(folded(value), value)
    test = _ordered(_ORDERS[sign], value.strip(), written) if sign in _ORDERS else _equal(sign[-1], value.strip(), written)
    return Condition(f"--where {written}", column, (lambda texts: not test(texts)) if sign.startswith("!") else test)


def field_named(name: str) -> TableColumn:
    """A column of the table, or a metadata field; also by the name of its option. Raises UsageError."""
    (column,) = columns_of([_ALSO_CALLED.get(name, name)])
    return column


def folded(text: str) -> str:
    """By this, values are compared: neither case nor blanks count. Which small letter an I stands for hangs on the language: any."""
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
