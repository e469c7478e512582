"""The tables of `survey.sqlite`."""

from __future__ import annotations

FORMAT = 1
"""A store of another format is made again."""

SCHEMA = """
CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE captures (
    file TEXT, offset INTEGER, skip INTEGER, length INTEGER, url TEXT, listing BLOB, year INTEGER, PRIMARY KEY (file, offset, skip)
) WITHOUT ROWID;
CREATE TABLE known (tag TEXT PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, spot TEXT NOT NULL);
CREATE TABLE figures (
    node INTEGER, year INTEGER, frequency INTEGER, pages INTEGER, own_words INTEGER, words INTEGER, link_words INTEGER, descendants INTEGER
);
CREATE TABLE years (year INTEGER, pages INTEGER);
CREATE TABLE passed_over (outcome TEXT, reason TEXT, pages INTEGER);
CREATE TABLE tags (tag TEXT, pages INTEGER);
CREATE TABLE examples (tag TEXT, node INTEGER, year INTEGER, example BLOB);
CREATE TABLE first_examples (node INTEGER, example BLOB);
CREATE TABLE texts (tag TEXT, text TEXT, pages INTEGER);
CREATE TABLE above (feature TEXT);
CREATE TABLE start_tags (hashes BLOB);
CREATE TABLE start_tags_with_text (hashes BLOB);
"""
COUNTED = (
    "nodes", "figures", "years", "passed_over", "tags", "examples", "first_examples", "texts", "above", "start_tags",
    "start_tags_with_text",
)  # fmt: skip
"""What is written anew whenever something was read."""
