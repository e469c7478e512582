"""Words of the portal in its documents: ends of headlines, sections and keywords that nearly all of them
have.

A page alone does not tell such words from its own; beside its siblings they are none of the article's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase, BuiltArticles
from webarticlecurator.extraction.metadata.headline import ends_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Found

_FEWEST = 20
"""Documents that have a word in common not by chance."""
_SHARE = 0.95
"""The least share of the documents that have it."""
_HEADLINES = ("headline", "alternativeHeadline")
_LISTED = ("articleSection", "keywords")
_NOTE = "words of the portal"
_OF_PAGES = (
    "FROM metadata JOIN articles ON number = article WHERE path IS NOT NULL AND instr(source, ':') AND field"
)
"""Values that no rule of the portal file gives, those that were not believed among them: what was left out
before is there."""
_ENDS = f"SELECT article, value {_OF_PAGES} = 'headline'"
_VALUES = (
    f"SELECT field, value, count(DISTINCT article) AS documents {_OF_PAGES} IN {_LISTED} GROUP BY field, "
    "value HAVING documents >= ?"
)


class PortalWord(NamedTuple):
    """A value that nearly all documents have, or an end of their headlines."""

    field: str
    value: str
    documents: int

    def __str__(self) -> str:
        """Say where it stood."""
        place = "at the end of" if self.field == "headline" else "in"
        return (
            f"{self.field}: {self.value} ({amount(self.documents, 'document')}), which is left out: it "
            f"stands {place} nearly all"
        )


PortalWords = tuple[PortalWord, ...]


def noted_words(database: BuiltArticles) -> PortalWords:
    """Return the words that the last build has found."""
    return tuple(PortalWord(*word) for word in orjson.loads(database.noted(_NOTE) or "[]"))


def note_words(database: BuildDatabase, words: PortalWords) -> None:
    """Keep the words for the next build."""
    database.note(_NOTE, orjson.dumps([list(word) for word in words]).decode())


def portal_words(database: BuiltArticles, ruled: Collection[str]) -> PortalWords:
    """Return what nearly all documents have in common, the longest ends of headlines first; a person who has
    a rule for a field decides of it."""
    least = max(_FEWEST, _SHARE * database.count())
    values = [PortalWord(*row) for row in database.rows(_VALUES, (least,))]
    told = {(article, end) for article, headline in database.rows(_ENDS) for end in ends_of(headline)}
    ends = Counter(end for _, end in told)
    common = sorted((end for end in ends if ends[end] >= least), key=len, reverse=True)
    words = (*(PortalWord("headline", end, ends[end]) for end in common), *sorted(values))
    return tuple(word for word in words if word.field not in ruled)


def documents_with(database: BuiltArticles, words: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the ids of the documents that have one of these values, or such an end of the headline."""
    fields = chain(_HEADLINES, _LISTED)
    values = f"SELECT DISTINCT id, field, value {_OF_PAGES} IN {tuple(fields)} ORDER BY id"
    for id, field, value in database.rows(values):
        ends = ends_of(value) if field in _HEADLINES else ()
        if (field, value) in words or any(("headline", end) in words for end in ends):
            yield id


def without_words(article: Article, words: PortalWords) -> Article:
    """Return an article without what is its portal's; what was there is among what was not believed."""
    if not words:
        return article
    of_portal = {(word.field, word.value) for word in words}
    ends = [word.value for word in words if word.field == "headline"]
    changed = {field: _without_ends(article.metadata.get(field, ()), ends) for field in _HEADLINES}
    for field in _LISTED:
        changed[field] = tuple(
            found for found in article.metadata.get(field, ()) if not _is_among(found, field, of_portal)
        )
    return _with_fields(
        article,
        {field: values for field, values in changed.items() if values != article.metadata.get(field, ())},
    )


def _is_among(found: Found, field: str, words: set[tuple[str, str]]) -> bool:
    return ":" in found.source and (field, found.value) in words


def _without_ends(titles: tuple[Found, ...], ends: list[str]) -> tuple[Found, ...]:
    return tuple(
        replace(title, value=_bare(title.value, ends)) if ":" in title.source else title for title in titles
    )


def _bare(title: str, ends: list[str]) -> str:
    """Return a title without the first of these ends that it has, unless it is all of it."""
    bare = next((title.removesuffix(end) for end in ends if title.endswith(end)), title)
    return bare.strip() or title


def _with_fields(article: Article, changed: Mapping[str, tuple[Found, ...]]) -> Article:
    """Return an article with other values of some fields; those that it had are not lost."""
    kept = {
        field: tuple(found for found in article.metadata[field] if found not in changed[field])
        for field in changed
    }
    disagreements = {field: (*kept[field], *article.disagreements.get(field, ())) for field in changed}
    metadata = {field: values for field, values in {**article.metadata, **changed}.items() if values}
    return replace(article, metadata=metadata, disagreements={**article.disagreements, **disagreements})
