"""Values that so many articles of a portal carry that they tell of the portal: no document repeats them as the article's own.

Which these are follows from all articles together and from nothing else: neither from the order in which they are built nor from what was
left out of documents before. What a rule of the portal file gives is always the article's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.building.kept_article import Value
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Found


class _Field(NamedTuple):
    least_percent: int
    """Of the articles that say a value, from which on it is the portal's. No two articles share a summary or a picture by their nature,
    but a page without one shows its portal's; the articles of a series may share a picture."""
    least: int = 20
    """The same as a number."""
    gives_way: bool = False
    """Only to another value that the same article has: somebody's blog has one author, and what was crawled of a portal may be one
    section of it."""


FEWEST = 5
"""Articles that say a value of any field, before it may be the portal's."""
_FIELDS = {
    "keywords": _Field(95),
    "description": _Field(5, FEWEST),
    "image": _Field(10),
    "articleSection": _Field(95, gives_way=True),
    "author": _Field(95, gives_way=True),  # organisations alone
}
_LONGEST = 80
"""Characters of a value by which it is known; of a longer one its beginning and a digest."""
_OF_ALL_PAGES, _OWN = "meta:keywords", "\t"
"""The source that software fills with words of the site; and what marks what any other source says of keywords."""


def values_of(article: Article) -> frozenset[Value]:
    """What the page says in these fields, whichever source says it."""
    parts = (article.metadata, article.disagreements)
    said = {(name, _known_as(name, one)) for name in _FIELDS for part in parts for one in part.get(name, ()) if _is_of_page(name, one)}
    return frozenset(value for value in said if _as_own(value) not in said)  # each word of an article counts once


def values_of_portal(said: Mapping[Value, int], total: int) -> frozenset[Value]:
    """Of what so many articles say, what tells of the portal; `total` is the number of all."""
    counts = {value: articles + said.get(_as_own(value), 0) for value, articles in said.items() if articles >= _FIELDS[value[0]].least}
    return frozenset(value for value, articles in counts.items() if 100 * articles >= _FIELDS[value[0]].least_percent * total)


def without_portal_values(article: Article, values: frozenset[Value]) -> Article:
    """The article without them; what another source says takes the place of a field that has nothing else."""
    metadata = dict(article.metadata)
    for name, field in _FIELDS.items():
        chosen = metadata.get(name, ())
        kept = _kept(name, chosen, values)
        if len(kept) == len(chosen):
            continue
        others = _kept(name, article.disagreements.get(name, ()), values)
        kept = kept or tuple(one for one in others if one.source == others[0].source)
        if kept:
            metadata[name] = kept
        elif not field.gives_way:
            del metadata[name]
    return replace(article, metadata=metadata) if metadata != article.metadata else article


def left_out(read: Article, written: Article) -> frozenset[Value]:
    """What the second, which is the first without the portal's values, has no more."""
    before, after = (
        {(name, _known_as(name, one)) for name in _FIELDS for one in article.metadata.get(name, ())} for article in (read, written)
    )
    return frozenset(before - after)


def as_words(documents: Mapping[Value, int]) -> tuple[str, ...]:
    """Field by field, for a person; each value with how many documents lack it."""
    words: dict[Value, int] = {}
    for (name, key), number in sorted(documents.items()):
        value = name, key.removesuffix(_OWN)
        words[value] = words.get(value, 0) + number
    by_field: dict[str, list[str]] = {}
    for (name, key), number in words.items():
        by_field.setdefault(name, []).append(f"{key} ({amount(number, 'document')})")
    return tuple(f"{name}: {', '.join(values)}" for name, values in by_field.items())


def _as_own(value: Value) -> Value:
    """The same word where it is told as a tag of the article's own."""
    return value[0], f"{value[1]}{_OWN}"


def _kept(name: str, found: Iterable[Found], values: frozenset[Value]) -> tuple[Found, ...]:
    return tuple(one for one in found if not (_is_of_page(name, one) and (name, _known_as(name, one)) in values))


def _is_of_page(name: str, found: Found) -> bool:
    from webarticlecurator.extraction.metadata.sources import SOURCES  # only who builds an article gets here, and has it

    return found.source in SOURCES[name] and (name != "author" or found.kind == "organization")


def _known_as(name: str, found: Found) -> str:
    """By what a value is known; a word that all pages have in `meta:keywords` may be a tag of some articles, and is another value then."""
    value = found.value
    if len(value) > _LONGEST:
        value = f"{value[: _LONGEST // 2]}... {sha256(value.encode('utf-8', 'replace')).hexdigest()[:16]}"
    return f"{value}{_OWN}" if name == "keywords" and found.source != _OF_ALL_PAGES else value
