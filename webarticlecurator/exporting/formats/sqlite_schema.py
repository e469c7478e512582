"""The tables, views and indexes of an exported database, made of the columns that were chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.exporting.table import COLUMNS, Holds, TableColumn

VERSION = 1
"""`user_version`: changes when tables or columns change their meaning."""

_SQL = {Holds.TEXT: "TEXT", Holds.INTEGER: "INTEGER", Holds.NUMBER: "REAL", Holds.YES_NO: "INTEGER", Holds.INSTANT: "TEXT"}
_LISTS = {
    "author": ("authors", "name"),
    "articleSection": ("sections", "section"),
    "keywords": ("keywords", "keyword"),
    "source": ("sources", "name"),
    "column": ("archive_columns", "name"),
}
"""Column -> the table of its values, and what they are called there; any other gives its own name."""
_INDEXED = ("url", "datePublished", "date_utc", "year", "language", "type", "duplicates", "near_duplicates")
_SEARCHED = ("headline", "text")


@dataclass(frozen=True, slots=True)
class ListTable:
    """A column that holds lists: a table of the values, and one that links articles with them."""

    column: str
    name: str
    value: str
    """Name of the column that holds the value."""

    @property
    def links(self) -> str:
        return f"article_{self.name}"


@dataclass(frozen=True, slots=True)
class Schema:
    lists: tuple[ListTable, ...]
    tables: str
    """SQL that makes them."""
    at_the_end: str
    """SQL that makes indexes and views, when all rows are there."""
    descriptions: tuple[tuple[str, str, str], ...]
    """Table, column (empty: of the table itself), and a sentence."""
    shown: Mapping[str, object] = field(default_factory=dict)
    """How Datasette shows the articles."""


_FIXED_TABLES = """
CREATE TABLE posts (
    article INTEGER NOT NULL REFERENCES articles (number), position INTEGER NOT NULL, kind TEXT, id TEXT, post_number TEXT, who TEXT,
    posted TEXT, title TEXT, reply_to TEXT, url TEXT, likes TEXT, text TEXT NOT NULL, PRIMARY KEY (article, position)
);
CREATE TABLE captures (
    article INTEGER NOT NULL REFERENCES articles (number), position INTEGER NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
    captured TEXT NOT NULL, warc_file TEXT NOT NULL, warc_offset INTEGER NOT NULL, warc_length INTEGER NOT NULL,
    warc_record_id TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (article, position)
);
CREATE TABLE portals (
    name TEXT PRIMARY KEY, title TEXT, home TEXT, publisher TEXT, licence TEXT, rights TEXT, rules TEXT
) WITHOUT ROWID;
CREATE TABLE descriptions (table_name TEXT NOT NULL, column_name TEXT NOT NULL, description TEXT NOT NULL,
    PRIMARY KEY (table_name, column_name)) WITHOUT ROWID;
"""
_STATISTICS = "PRAGMA analysis_limit = 400; ANALYZE;"
"""By which SQLite chooses among the indexes."""
_FIXED_DESCRIPTIONS = (
    ("articles", "", "Every article of this export."),
    ("articles", "number", "Names the article in this database; `id` names it everywhere."),
    ("posts", "", "Entries of live blogs, posts of threads, comments: those that the export was asked to show."),
    ("posts", "kind", "liveblog, forum, comments or blog."),
    ("posts", "id", "Its name in the page, which `reply_to` of its answers repeats."),
    ("posts", "post_number", "Its number in the thread, as readers see it."),
    ("posts", "who", "Who wrote it; a pseudonym, where the export was asked for that."),
    ("posts", "posted", "When, in ISO 8601."),
    ("captures", "", "Where in the web archive the pages of each article are, and those of its other versions."),
    ("captures", "kind", "`page`: the article was read from it; `version`: another capture of it."),
    ("captures", "captured", "When it was collected."),
    ("captures", "digest", "Of the page's bytes."),
    ("portals", "", "The portals that the articles come from, with their rights."),
    ("portals", "rules", "Digest of the rules that the articles were made by."),
    ("descriptions", "", "What each table and column is."),
    ("articles_fts", "", "Finds words in headlines and texts, with or without accents: SELECT rowid FROM articles_fts('kormany*')."),
)

_VIEWS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("articles_by_month", ("year", "month", "words"), "How many articles and words each month has.",
     "SELECT year, month, count(*) AS articles, sum(words) AS words FROM articles GROUP BY year, month"),
    ("articles_by_author", ("author", "words", "datePublished"), "How much each author wrote, the most first.",
     "SELECT name, count(*) AS articles, sum(words) AS words, min(datePublished) AS first, max(datePublished) AS last FROM authors"
     " JOIN article_authors ON author = authors.number JOIN articles ON article = articles.number GROUP BY name ORDER BY articles DESC"),
    ("articles_by_section", ("articleSection", "words"), "How many articles and words each section has.",
     "SELECT section, count(*) AS articles, sum(words) AS words FROM sections JOIN article_sections ON articleSection = sections.number"
     " JOIN articles ON article = articles.number GROUP BY section ORDER BY articles DESC"),
    ("articles_by_keyword", ("keywords", "year"), "How often each keyword stands with an article, and since when.",
     "SELECT keyword, count(*) AS articles, min(year) AS first, max(year) AS last FROM keywords"
     " JOIN article_keywords ON keywords = keywords.number JOIN articles ON article = articles.number"
     " GROUP BY keyword ORDER BY articles DESC"),
)  # fmt: skip
"""Name, the columns it needs, what it tells, its query."""


def schema_of(columns: Sequence[TableColumn]) -> Schema:
    """For these columns."""
    names = {one.name for one in columns}
    lists = tuple(ListTable(one.name, *_LISTS.get(one.name, (one.name, "value"))) for one in columns if one.holds is Holds.TEXTS)
    views = [(name, said, sql) for name, needed, said, sql in _VIEWS if names.issuperset(needed)]
    flat = [one for one in columns if one.holds is not Holds.TEXTS]
    defined = ", ".join(["number INTEGER PRIMARY KEY", *(f'"{one.name}" {_SQL[one.holds]}{_also(one.name)}' for one in flat)])
    indexes = ["CREATE UNIQUE INDEX articles_id ON articles (id);"]
    indexes += [f'CREATE INDEX "articles_{name}" ON articles ("{name}");' for name in _INDEXED if name in names]
    return Schema(
        lists=lists,
        tables=f"PRAGMA user_version = {VERSION}; CREATE TABLE articles ({defined}); {''.join(map(_list_tables, lists))} {_FIXED_TABLES}",
        at_the_end=" ".join(
            (*indexes, *map(_list_indexes, lists), "CREATE INDEX posts_who ON posts (who);", _search(names), *_view_sql(views), _STATISTICS)
        ),
        descriptions=tuple(_descriptions(flat, lists, views)),
        shown={
            **({"label_column": "headline"} if "headline" in names else {}),
            **({"sort_desc": "datePublished"} if "datePublished" in names else {}),
            "facets": [name for name in ("year", "language", "type") if name in names],
        },
    )


def _also(name: str) -> str:
    return " NOT NULL" if name == "id" else " REFERENCES portals (name)" if name == "portal" else ""


def _list_tables(one: ListTable) -> str:
    return f"""
        CREATE TABLE "{one.name}" (number INTEGER PRIMARY KEY, "{one.value}" TEXT NOT NULL UNIQUE);
        CREATE TABLE "{one.links}" (
            article INTEGER NOT NULL REFERENCES articles (number), "{one.column}" INTEGER NOT NULL REFERENCES "{one.name}" (number),
            position INTEGER NOT NULL, PRIMARY KEY (article, "{one.column}")
        ) WITHOUT ROWID;
    """


def _list_indexes(one: ListTable) -> str:
    return f'CREATE INDEX "{one.links}_{one.column}" ON "{one.links}" ("{one.column}");'


def _search(names: set[str]) -> str:
    """The text is not held twice: the index looks into the table."""
    searched = ", ".join(name for name in _SEARCHED if name in names)
    if not searched:
        return ""
    return (
        f'CREATE VIRTUAL TABLE articles_fts USING fts5({searched}, content="articles", content_rowid="number",'
        " tokenize=\"unicode61 remove_diacritics 2\"); INSERT INTO articles_fts (articles_fts) VALUES ('rebuild');"
    )


def _view_sql(views: Iterable[tuple[str, str, str]]) -> list[str]:
    return [f"CREATE VIEW {name} AS {sql};" for name, _, sql in views]


def _descriptions(
    flat: Sequence[TableColumn], lists: Sequence[ListTable], views: Iterable[tuple[str, str, str]]
) -> Iterable[tuple[str, str, str]]:
    searched = any(one.name in _SEARCHED for one in flat)
    yield from (row for row in _FIXED_DESCRIPTIONS if searched or row[0] != "articles_fts")
    yield from (("articles", one.name, one.description) for one in flat)
    for one in lists:
        said = COLUMNS[one.column].description if one.column in COLUMNS else f"Values of `{one.column}`."
        yield (one.name, "", f"{said} Each value once.")
        yield (one.links, "", f"Which article has which of the {one.name}, in the order of `position`.")
    yield from ((name, "", said) for name, said, _ in views)
