"""What is counted of an article, beside its line: narrow tables of build.sqlite, from which every number is a query.

The views `authors` and `keywords`, the table `posts`, and of the table `articles` the columns that docs/reference/statistics.md names, are
for everybody's own questions and stay as they are.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Any

from webarticlecurator.model.article import Article, Fate, Piece, plain_text

_LONGEST = 500
"""Characters of a value, and of a name: what a page tells may be of any length."""
_SHOWN = 120
"""Characters of a text that is shown as an example."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MONTH = re.compile(r"(\d{4})(-(?:0[1-9]|1[0-2]))?(?!-?\d)")
"""A date that tells the year, and perhaps the month, alone."""

TABLES = """
-- The values of each metadata field.
CREATE TABLE metadata (
    article INTEGER NOT NULL,            -- articles.number
    field TEXT NOT NULL,
    disagrees INTEGER NOT NULL,          -- 1: what another source says, and was not believed
    place INTEGER NOT NULL,              -- among the values of the field, from 0
    value TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (article, field, disagrees, place)
) WITHOUT ROWID;

-- What the rules left out.
CREATE TABLE dropped (
    article INTEGER NOT NULL,
    rule TEXT NOT NULL,
    tag TEXT NOT NULL,
    pieces INTEGER NOT NULL,
    words INTEGER NOT NULL,
    text TEXT NOT NULL,                  -- how the longest piece begins
    PRIMARY KEY (article, rule, tag)
) WITHOUT ROWID;

-- Tags that no rule decides.
CREATE TABLE undecided (
    article INTEGER NOT NULL,
    tag TEXT NOT NULL,
    count INTEGER NOT NULL,
    words INTEGER NOT NULL,              -- immediately in them
    PRIMARY KEY (article, tag)
) WITHOUT ROWID;

-- Comments, forum posts, entries of live blogs, posts of blogs.
CREATE TABLE posts (
    article INTEGER NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    author TEXT,
    day TEXT,
    words INTEGER NOT NULL,
    answers INTEGER NOT NULL,            -- it says which post it answers
    deleted INTEGER NOT NULL,
    PRIMARY KEY (article, place)
) WITHOUT ROWID;

CREATE VIEW authors AS
    SELECT article, value AS author, source FROM metadata WHERE field = 'author' AND NOT disagrees;
CREATE VIEW keywords AS
    SELECT article, value AS keyword, source FROM metadata WHERE field = 'keywords' AND NOT disagrees;
"""

Facts = Mapping[str, list[tuple[Any, ...]]]
"""Table -> its rows, without the number of the article that they are of."""
_TABLES = ("metadata", "dropped", "undecided", "posts")
_AT_ONCE = 500
"""Rows of one statement: SQLite takes some thousands of values."""


def facts_of(article: Article) -> Facts:
    """What is counted of an article with a document."""
    return {
        "metadata": [*_values(article, disagrees=False), *_values(article, disagrees=True)],
        "dropped": _dropped(piece for piece in article.pieces if piece.fate is Fate.DROPPED),
        "undecided": [(one.tag[:_LONGEST], one.count, one.words) for one in article.unknown_tags],
        "posts": [
            (
                place,
                post.kind,
                post.author[:_LONGEST] if post.author else None,
                day_of(post.when),
                len(plain_text(post.blocks).split()),
                bool(post.reply_to),
                bool(post.deleted),
            )
            for place, post in enumerate(article.posts)
        ],
    }


def replace_facts(db: sqlite3.Connection, article: int, facts: Facts) -> None:
    """What is known of the article of that number is this, and nothing else."""
    for table in _TABLES:
        db.execute(f"DELETE FROM {table} WHERE article = ?", (article,))
        rows = [(article, *row) for row in facts.get(table, ())]
        for begin in range(0, len(rows), _AT_ONCE):
            some = rows[begin : begin + _AT_ONCE]
            marks = ", ".join([f"({', '.join('?' * len(some[0]))})"] * len(some))
            db.execute(f"INSERT OR IGNORE INTO {table} VALUES {marks}", list(chain.from_iterable(some)))


@lru_cache(4_096)
def day_of(published: str | None) -> str | None:
    """The day of a date, as the portal's readers know it; None of what is none, or only a year or a month."""
    day = _DAY.match(published or "")
    try:
        return date.fromisoformat(day[0]).isoformat() if day else None
    except ValueError:
        return None


def month_of(published: str | None) -> tuple[int | None, str | None]:
    """Year and month of a date, either of which may be known where no day is."""
    day = day_of(published)
    if day:
        return int(day[:4]), day[:7]
    month = _MONTH.match(published or "")
    year = int(month[1]) if month else 0
    return (year, month[0] if month[2] else None) if month and year else (None, None)


def _values(article: Article, *, disagrees: bool) -> Iterator[tuple[Any, ...]]:
    for field, values in (article.disagreements if disagrees else article.metadata).items():
        seen: set[str] = set()
        for place, one in enumerate(values):
            value = one.value[:_LONGEST]
            if disagrees or value not in seen:  # what is said twice is one value
                yield field, disagrees, place, value, one.source[:_LONGEST]
            seen.add(value)


def _dropped(pieces: Iterable[Piece]) -> list[tuple[Any, ...]]:
    """Added up by rule and tag."""
    added: dict[tuple[str, str], tuple[int, int, str]] = {}
    for piece in pieces:
        key = piece.rule[:_LONGEST], piece.tag[:_LONGEST]
        number, words, longest = added.get(key, (0, 0, ""))
        words += piece.text.count(" ") + bool(piece.text)  # white space is normalised
        added[key] = number + 1, words, max(longest, piece.text, key=len)
    return [(*key, number, words, longest[:_SHOWN]) for key, (number, words, longest) in added.items()]
