"""Ask the index of a corpus: where something stands, each place in its context, or how often it does."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, islice

import orjson

from webarticlecurator.annotations.layer import Layer
from webarticlecurator.databases import Row, connect, rows_of
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.exporter import ExportedPortal, Exporter
from webarticlecurator.exporting.passage_tokens import composed
from webarticlecurator.exporting.selection import Selection, field_named, texts_of
from webarticlecurator.exporting.table import TableColumn
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear
from webarticlecurator.searching.search_options import SearchOptions
from webarticlecurator.searching.text_index import APART, lemmas_of
from webarticlecurator.text import letters_apart

_BEGIN, _END = "\ufdd1", "\ufdd2"
"""The signs around what was found. No text holds them, since `composed` takes them out."""
_OPERATORS = ("AND", "OR", "NOT")
"""Words between those that are searched for."""
_MOST_WORDS = 300
"""Words of a query: SQLite compares each with each text that it finds, so a thousand take a minute."""
_PIECES = linear(
    r"""(?P<whole>"[^"]*"|NEAR\([^()]*\)|[()\s]|\w+\*?(?=[\s()]|$))|(?P<word>[^\s()"*]+)(?P<more>\*?)"""
)
"""The pieces of a query: phrases, brackets and plain words as they are; and words with other signs."""
_USUAL_CONTEXT = 60
"""Characters on each side."""
_ONE_LINE = str.maketrans("\n\t", "  ")

_TIMES: Mapping[str | None, str] = {
    None: "NULL",
    "year": "substr(a.published, 1, 4)",
    "month": "substr(a.published, 1, 7)",
}
"""What can be counted by without a look at each article; of times, those are shown, too, in which nothing was
found."""
_CHOOSE = """
    INSERT INTO chosen
    SELECT i.number, coalesce(?, {value}) FROM found.articles i JOIN articles a ON a.id = i.id
    WHERE ({where}) AND (i.annotated IS NOT NULL OR {any})
"""
_HITS = """
    CREATE TEMP TABLE hits AS
    SELECT p.number, p.article, length(highlight({table}, {place}, ?, '')) - length(p.{column}) AS times
    FROM found.{table} JOIN found.passages p ON p.number = {table}.rowid
    WHERE {table}.{column} MATCH ? AND p.part NOT IN (SELECT value FROM json_each(?))
        AND p.article IN (SELECT article FROM chosen)
"""
_MARKED = "SELECT highlight({table}, {place}, ?, ?) FROM found.{table} WHERE {column} MATCH ? AND rowid = ?"
_TOTALS = "SELECT coalesce(sum(times), 0), count(DISTINCT article) FROM hits"
_IN_ORDER = """
    SELECT h.number, p.text, p.part, a.id, a.url, a.published, a.headline
    FROM hits h JOIN found.passages p ON p.number = h.number JOIN found.articles i ON i.number = p.article
        JOIN articles a ON a.id = i.id
    ORDER BY coalesce(a.published, ''), a.id, h.number LIMIT ?
"""
_COUNTED = """
    WITH found_in AS (SELECT article, sum(times) AS times FROM hits GROUP BY article),
        sizes AS (
            SELECT article, sum(words) AS words FROM found.passages
            WHERE part NOT IN (SELECT value FROM json_each(?)) GROUP BY article
        ),
        counted AS (
            SELECT value, coalesce(sum(times), 0) AS hits, count(times) AS found_in, count(*) AS articles,
                coalesce(sum(words), 0) AS words
            FROM chosen LEFT JOIN found_in USING (article) LEFT JOIN sizes USING (article) GROUP BY value
        )
    SELECT *, coalesce(round(hits * 1e6 / words, 1), 0.0) AS per_million FROM counted
"""
_BY_TIME = " ORDER BY value IS NULL, value"
_BY_HITS = " WHERE hits ORDER BY hits DESC, value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A place where what was searched for stands."""

    article: str
    """The article's id."""
    url: str
    """The address by which it was collected."""
    date: str | None
    """When it was published, as exactly as it is known."""
    headline: str | None
    """The article's headline, where it has one."""
    part: str
    """The part of the article: headline, body, comment and the like."""
    left: str
    """The text before it, in the same passage."""
    hit: str
    """What was found, as it stands there."""
    right: str
    """The text behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What was found."""

    portal: str
    """The portal's name."""
    query: str
    """What was searched for, as it was typed."""
    total: int
    """The number of places."""
    articles: int
    """The number of articles that these are in."""
    hits: tuple[Hit, ...] = ()
    """The first of these places, the oldest article first; none where they are counted."""
    counts: tuple[Row, ...] = ()
    """For each value of the field: `value`, `hits`, the articles with one (`found_in`), all `articles`, their
    `words`, and hits `per_million` words."""
    notes: tuple[str, ...] = ()
    """Sentences on values that no article has, and on an index that was damaged."""


class Concordance:
    """Asks an index for one query."""

    def __init__(
        self, portal: ExportedPortal, query: str, options: SearchOptions, layer: Layer | None, work: Work
    ) -> None:
        """Raises UsageError where the query or an option cannot be understood."""
        self._portal, self._layer, self._work = portal, layer, work
        self._options, self._articles = options, options.articles
        self._selection = Selection(self._articles, [portal.built])
        self._column = _column_named(options.count)
        self._query = query
        readable = readable_query(composed(query))
        self._searched = readable if layer is not None else letters_apart(readable, APART)
        check_query(query, self._searched)
        self._hidden = orjson.dumps(options.hidden).decode()
        column, place = ("text", 0) if layer is None else ("lemmas", 1)
        self._names = {"table": "accented" if options.accents else "plain", "column": column, "place": place}

    def result(self) -> SearchResult:
        """Return what was asked for. Raises Stopped."""
        built = self._portal.built
        built.attach(self._portal.corpus.search_database, "found")
        built.rows("CREATE TEMP TABLE chosen (article INTEGER NOT NULL, value TEXT)")
        self._choose()
        built.rows(_HITS.format(**self._names), (_BEGIN, self._searched, self._hidden))
        total, articles = built.rows(_TOTALS).fetchone()
        result = SearchResult(
            portal=self._portal.name,
            query=self._query,
            total=total,
            articles=articles,
            notes=tuple(self._selection.unknown_values()),
        )
        if self._options.count is not None:
            return replace(result, counts=tuple(self._counts()))
        return replace(result, hits=tuple(islice(self._hits(), self._options.limit)))

    def _choose(self) -> None:
        """Note the articles that are searched, each with its values of what is counted by."""
        built, value = self._portal.built, _TIMES.get(self._options.count, "NULL")
        choose = partial(_CHOOSE.format, value=value, any=int(self._layer is None))
        if self._column is None and self._selection.is_sql_alone:
            where, values = self._selection.where()
            built.rows(choose(where=where), (None, *values))
            return
        sql = choose(where="a.id = ?")
        for article in Exporter(self._articles, [self._portal], None, self._work).articles():
            texts = texts_of(self._column, article) if self._column is not None else ()
            for text in dict.fromkeys(texts) or (None,):
                built.rows(sql, (text, article.id))

    def _counts(self) -> Iterator[Row]:
        order = _BY_TIME if self._column is None else f"{_BY_HITS} LIMIT {self._options.limit}"
        return rows_of(self._portal.built.rows(_COUNTED + order, (self._hidden,)))

    def _hits(self) -> Iterator[Hit]:
        """Give the places, the oldest article first."""
        marked = _MARKED.format(**self._names)
        context = self._options.context if self._options.context is not None else _USUAL_CONTEXT
        rows = self._portal.built.rows(_IN_ORDER, (self._options.limit,)).fetchall()
        for number, written, part, article, url, date, headline in rows:
            self._work.check()
            signs = (_BEGIN, _END, self._searched, number)
            (with_signs,) = self._portal.built.rows(marked, signs).fetchone()
            text = written.replace(APART, "")
            places = places_of(with_signs.replace(APART, ""))
            if self._layer is not None:
                places = self._of_lemmas(article, text, places)
            text_on_a_line = text.translate(_ONE_LINE)
            for start, end in places:
                yield Hit(
                    article=article, url=url, date=date, headline=headline, part=part,
                    left=text_on_a_line[max(0, start - context) : start],
                    hit=text_on_a_line[start:end],
                    right=text_on_a_line[end : end + context],
                )  # fmt: skip

    def _of_lemmas(
        self, article: str, text: str, places: Iterator[tuple[int, int]]
    ) -> Iterator[tuple[int, int]]:
        """Give the places in the text of what stands at these places in its lemmas."""
        assert self._layer is not None
        sentences = self._layer.passage(article, text) or ()
        tokens = [token for sentence in sentences for token in sentence.tokens]
        starts = [0, *accumulate(len(lemma) + 1 for lemma in lemmas_of(sentences))]
        for start, end in places:
            some = tokens[bisect_right(starts, start) - 1 : bisect_right(starts, end - 1)]
            if some:  # none where another program annotates meanwhile
                yield some[0].start, some[-1].end


def places_of(marked: str) -> Iterator[tuple[int, int]]:
    """Give where what is between signs begins and ends in the text without these."""
    before, *others = marked.split(_BEGIN)
    place = len(before)
    for other in others:
        hit, _, after = other.partition(_END)
        yield place, place + len(hit)
        place += len(hit) + len(after)


def readable_query(query: str) -> str:
    """Return a query in which words that hold other signs than letters and digits stand between quotation
    marks, so that SQLite takes none of them for its own: `COVID-19`, `l'eau`, `10:30`."""
    return _PIECES.sub(lambda piece: piece["whole"] or f'"{piece["word"]}"{piece["more"]}', query)


def check_query(query: str, searched: str) -> None:
    """Raises UsageError where a query is too long, or SQLite cannot read it: asked of an empty table, before
    any work."""
    words = sum(word not in _OPERATORS for word in query.split())
    if words > _MOST_WORDS:
        raise UsageError(
            f"The query has {words:,} words; {_MOST_WORDS} are the most. Search for a part of them at a time."
        )
    if not searched.strip():
        raise UsageError("The query is empty: type a word, or words between double quotes.")
    with closing(connect("")) as db:
        db.execute("CREATE VIRTUAL TABLE texts USING fts5 (text)")
        try:
            db.execute("SELECT 1 FROM texts WHERE text MATCH ?", (searched,)).fetchone()
        except sqlite3.OperationalError:
            as_phrase = '"' + query.replace('"', " ").strip() + '"'
            raise UsageError(
                f"The query {query!r} cannot be read. Signs that are no letters or digits go "
                f"between double quotes, and quotes and brackets need their second half: '{as_phrase}' "
                "finds these words side by side."
            ) from None


def _column_named(count: str | None) -> TableColumn | None:
    """Return the column that is counted by; None: none, or a time. Raises UsageError."""
    return field_named(count) if count is not None and count not in _TIMES else None
