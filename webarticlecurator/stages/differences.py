"""Show what changed in an article between its captures, each read by the rules of now: its metadata, and its
text paragraph by paragraph; and which articles of a corpus changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.building.article_builder import ArticleBuilder
from webarticlecurator.building.compared_captures import captured_articles
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.portal_words import noted_words, without_words
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import crawled_corpus
from webarticlecurator.databases import Row
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.stages.build import builder_of
from webarticlecurator.stages.named_article import source_of, what_is_stored
from webarticlecurator.warc.exchanges import CaptureReader

ALIKE, GONE, COME = "", "-", "+"
"""The signs of what stands in both captures, in the older, and in the newer alone."""
_MOST_LINES = 1_000
"""Lines, and words of a line, that are compared: the time for it grows with their square. Where they are
200 and more, those that are there again and again are not looked for, by which it would grow with their
cube."""
_SAME_PARAGRAPH = 0.4
"""The least share of words in common by which two paragraphs are one that was changed."""
_CHANGED = """
    SELECT a.url, a.headline, a.text_changed, json_array_length(c.beside, '$.versions') + 1 AS captures,
        (SELECT min(value ->> 'date') FROM json_each(c.beside, '$.versions')) AS first, a.captured AS last
    FROM articles a JOIN contents c ON c.id = a.id WHERE a.text_changed IS NOT NULL
    ORDER BY a.text_changed DESC, a.url
"""
Pieces = list[tuple[str, str]]
"""Stretches of a paragraph, each with its sign."""


class _Captured(NamedTuple):
    """An article as one capture has it."""

    date: str
    article: Article | None
    why: str
    """The reason, where there is no article."""


def changed_articles(portal: Portal, *, corpus: Path | None = None) -> list[Row]:
    """Return the articles whose newest capture has another headline or text than the first, as the last build
    saw it: when that came, how many captures there are, and when the first and the last were made. Raises
    CorpusError where nothing is built."""
    folder = crawled_corpus(portal, corpus)
    names = ("url", "headline", "text_changed", "captures", "first", "last")
    with BuiltArticles.of(folder.build_database, portal.name) as built:
        return [Row(zip(names, row, strict=True)) for row in built.rows(_CHANGED)]


def differences(portal: Portal, address: str, *, corpus: Path | None = None) -> Row:
    """Return the captures of an article, and between which of them what changed. Raises UsageError where
    nothing is stored of it."""
    folder = crawled_corpus(portal, corpus)
    with what_is_stored(portal, folder) as (database, sources), CaptureReader(folder.warc) as captures:
        source, words = source_of(portal, address, database, sources), noted_words(database)
        reading = ArticleBuilder(builder_of(portal, folder).job).reading(source, captures)
        captured = [
            _Captured(date, without_words(read, words), "")
            if isinstance(read, Article) and read.outcome in DOCUMENTED
            else _Captured(date, None, read.reason or str(read.outcome))
            for date, read in captured_articles(reading)
        ]
    readable = [(each.date, each.article) for each in captured if each.article is not None]
    changes = [
        Row(since=old_date, at=date, metadata=_fields(old, new), text=list(_paragraphs(old, new)))
        for (old_date, old), (date, new) in pairwise(readable)
    ]
    return Row(
        url=source.url,
        captures=[Row(date=each.date, readable=each.article is not None, why=each.why) for each in captured],
        changes=[change for change in changes if change.metadata or change.text],
    )


def _fields(old: Article, new: Article) -> dict[str, Row]:
    """Return the fields with other values than before."""
    before, after = _values(old.metadata), _values(new.metadata)
    names = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
    return {name: Row(before=before.get(name, []), after=after.get(name, [])) for name in names}


def _values(metadata: Metadata) -> dict[str, list[str]]:
    return {name: [value.value for value in values] for name, values in metadata.items()}


def _paragraphs(old: Article, new: Article) -> Iterator[Pieces]:
    """Yield the paragraphs that changed, came or went, in their order."""
    lines = [list(islice(article.text.split("\n"), _MOST_LINES)) for article in (old, new)]
    was, becomes = lines
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, was, becomes).get_opcodes():
        if kind == "equal":
            continue
        for before, after in zip_longest(was[i1:i2], becomes[j1:j2], fillvalue=""):
            yield from _changed(before, after)


def _changed(before: str, after: str) -> Iterator[Pieces]:
    """Yield a paragraph with the words that changed; two, where they have little in common."""
    old, new = before.split(" "), after.split(" ")
    if max(len(old), len(new)) <= _MOST_LINES:
        matcher = SequenceMatcher(None, old, new)
        if matcher.ratio() >= _SAME_PARAGRAPH:
            yield list(_words(matcher, old, new))
            return
    yield from ([(sign, line)] for sign, line in ((GONE, before), (COME, after)) if line)


def _words(
    matcher: SequenceMatcher[str], old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield the words of a paragraph, those together that have one sign."""
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            yield ALIKE, " ".join(new[j1:j2])
        else:
            stretches = ((GONE, old[i1:i2]), (COME, new[j1:j2]))
            yield from ((sign, " ".join(words)) for sign, words in stretches if words)
