"""The filters of a selection, made ready: what SQL can decide by the build database and the ledger, and what is asked of each article."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.conditions import condition, folded, texts_of
from webarticlecurator.exporting.selection import OUTCOMES, Selection
from webarticlecurator.exporting.table import COLUMNS, TableColumn
from webarticlecurator.text import without_accents

LEDGER = "ledger"
"""The name under which conditions find the ledger."""
_NOT_NEWS = ("BlogPosting", "DiscussionForumPosting", "SocialMediaPosting")
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


@dataclass(frozen=True, slots=True)
class SqlFilter:
    """What the database decides."""

    name: str
    """The option."""
    condition: str
    values: tuple[object, ...]


@dataclass(slots=True)
class ArticleFilter:
    """What each article is asked."""

    name: str
    keeps: Callable[[ExportArticle], bool]


@dataclass(slots=True)
class _Wanted:
    """Values of a field that are wanted, and those that there are."""

    option: str
    values: dict[str, str]
    """Folded -> as it was written."""
    column: TableColumn
    found: set[str] = field(default_factory=set)
    seen: dict[str, str] = field(default_factory=dict)

    def keeps(self, article: ExportArticle) -> bool:
        kept = False
        for text in texts_of(self.column, article):
            value = folded(text)
            if value in self.values:
                kept = True
                self.found.add(value)
            elif len(self.seen) < _MOST_SEEN:
                self.seen[value] = text
        return kept

    def unknown(self, told: str) -> Iterable[str]:
        for value, written in self.values.items():
            if value not in self.found:
                yield _unknown(self.option, written, self.seen, told)


class Filters:
    """All filters of one selection. `analysed`: the articles come with what the analysis found of their language."""

    def __init__(self, selection: Selection, *, analysed: bool = False) -> None:
        self._selection = selection
        self._identified: set[str] = set()
        wanted = {"--section": ("articleSection", selection.sections), "--author": ("author", selection.authors)}
        wanted["--keyword"] = ("keywords", selection.keywords)
        self._wanted = [
            _Wanted(option, {folded(one): one for one in values}, COLUMNS[name]) for option, (name, values) in wanted.items() if values
        ]
        self.in_sql = [*self._in_sql(), *([] if analysed or not selection.languages else [self._language_in_sql()])]
        self.of_articles = [ArticleFilter("--language", self._has_language)] if analysed and selection.languages else []
        self.of_articles += [ArticleFilter(one.option, one.keeps) for one in self._wanted]
        self.of_articles += [ArticleFilter(f"--where {one.written}", one.holds) for one in map(condition, selection.where)]
        _check(selection)

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        """What SQL decides, as one condition."""
        conditions = " AND ".join(f"({one.condition})" for one in self.in_sql)
        return conditions, tuple(value for one in self.in_sql for value in one.values)

    def unknown_values(self, portals: Sequence[BuiltArticles]) -> list[str]:
        """Sentences on values that no article has; of some fields only after all articles were asked."""
        alone = len(self.in_sql) + len(self.of_articles) == 2  # beside --outcome, which always holds
        told = _NO_ARTICLE if alone else "none of the articles that other filters leave has it"
        return [*self._unknown_in_sql(portals), *(sentence for one in self._wanted for sentence in one.unknown(told))]

    def left_out(self, portals: Sequence[BuiltArticles]) -> dict[str, int]:
        """Filter of SQL -> how many articles it left out of those that the ones before it had left."""
        left = [0] * (len(self.in_sql) + 1)
        for portal in portals:
            conditions, values = "1", tuple[object, ...]()
            left[0] += portal.count()
            for number, one in enumerate(self.in_sql, start=1):
                conditions, values = f"{conditions} AND ({one.condition})", (*values, *one.values)
                left[number] += portal.count(conditions, values)
        return {one.name: left[n] - left[n + 1] for n, one in enumerate(self.in_sql) if left[n] > left[n + 1]}

    # -- what SQL decides ---------------------------------------------------------------------------------------------

    def _in_sql(self) -> Iterable[SqlFilter]:
        chosen = self._selection
        yield SqlFilter("--outcome", f"a.outcome IN {_marks(chosen.outcomes)}", tuple(map(str, chosen.outcomes)))
        day = "substr(a.published, 1, 10)"  # as far as it is known: a year is in it if its days could be
        if chosen.start is not None:
            yield SqlFilter("--from", f"{day} >= substr(?, 1, length({day}))", (chosen.start.isoformat(),))
        if chosen.until is not None:
            yield SqlFilter("--until", f"{day} <= substr(?, 1, length({day}))", (chosen.until.isoformat(),))
        if chosen.kinds:
            tests, values = zip(*map(_kind, chosen.kinds), strict=True)
            yield SqlFilter("--kind", " OR ".join(tests), tuple(one for some in values for one in some))
        at_least, at_most = chosen.words
        if at_least is not None or at_most is not None:
            # words are not counted where no blank parts them
            test = "a.words BETWEEN ? AND ? AND (a.words > 0 OR a.characters = 0)"
            yield SqlFilter("--words", test, (at_least or 0, at_most if at_most is not None else 1 << 60))
        if chosen.layouts:
            yield SqlFilter("--layout", f"a.layout IN {_marks(chosen.layouts)}", chosen.layouts)
        if chosen.columns:
            yield SqlFilter("--column", f"EXISTS (SELECT 1 FROM {_LISTINGS} AND c.name IN {_marks(chosen.columns)})", chosen.columns)

    def _language_in_sql(self) -> SqlFilter:
        wanted = [one.lower() for one in self._selection.languages]
        tests = " OR ".join("lower(a.language) = ? OR lower(a.language) LIKE ? || '-%'" for _ in wanted)
        return SqlFilter("--language", tests, tuple(value for one in wanted for value in (one, one)))

    def _has_language(self, article: ExportArticle) -> bool:
        identified = article.analysis.language if article.analysis is not None else None
        if identified:
            self._identified.add(identified)
        return any(_is_of(wanted, one) for wanted in self._selection.languages for one in (article.built.language, identified) if one)

    def _unknown_in_sql(self, portals: Sequence[BuiltArticles]) -> Iterable[str]:
        chosen = self._selection
        kinds = [one for one in chosen.kinds if one not in ("news", "blog", "forum")]
        columns = f"SELECT name FROM {LEDGER}.columns"
        for option, values, query in (
            ("--column", chosen.columns, columns),
            ("--layout", chosen.layouts, "SELECT DISTINCT layout FROM articles WHERE layout IS NOT NULL"),
            ("--kind", kinds, "SELECT DISTINCT type FROM articles WHERE path IS NOT NULL"),
        ):
            if values:
                known = {str(name): str(name) for portal in portals for (name,) in portal.rows(query)}
                yield from (_unknown(option, value, known) for value in values if value not in known)
        if chosen.languages:
            query = "SELECT DISTINCT language FROM articles WHERE path IS NOT NULL AND language IS NOT NULL"
            languages = sorted({*self._identified, *(str(name) for portal in portals for (name,) in portal.rows(query))})
            for value in chosen.languages:
                if not any(map(partial(_is_of, value), languages)):
                    yield f"--language {value}: no article has it; there are: {', '.join(languages[:_MOST_LANGUAGES])}"


def _check(selection: Selection) -> None:
    """Raises UsageError."""
    for one in selection.outcomes:
        if one not in OUTCOMES:
            raise UsageError(f"--outcome {one}: nothing of such pages is built; there are {' and '.join(OUTCOMES)}.")
    if selection.start is not None and selection.until is not None and selection.start > selection.until:
        raise UsageError(f"--from {selection.start} lies after --until {selection.until}: no article can be of both.")


def _is_of(wanted: str, language: str) -> bool:
    """Regions included."""
    return f"{language.lower()}-".startswith(f"{wanted.lower()}-")


def _kind(kind: str) -> tuple[str, tuple[str, ...]]:
    if kind == "news":
        return f"a.type NOT IN {_marks(_NOT_NEWS)}", _NOT_NEWS
    return "a.type = ?", ({"blog": "BlogPosting", "forum": "DiscussionForumPosting"}.get(kind, kind),)


def _marks(values: Sequence[str]) -> str:
    return f"({', '.join('?' * len(values))})"


def _unknown(option: str, value: str, known: dict[str, str], told: str = _NO_ARTICLE) -> str:
    by_folded = {folded(one): one for one in known.values()}
    near = _near(folded(value), by_folded)
    meant = f"; near to it: {', '.join(repr(by_folded[one]) for one in near)}" if near else ""
    return f"{option} {value}: {told}{meant}"


def _near(value: str, known: Iterable[str]) -> list[str]:
    """Those with a word that begins with it, be it without accents; then those that are written alike."""
    begin = f" {without_accents(value)}"
    longer = sorted((one for one in known if value and begin in f" {without_accents(one)}"), key=lambda one: (len(one), one))
    return list(dict.fromkeys([*longer, *difflib.get_close_matches(value, list(known), n=_NEAR)]))[:_NEAR]
