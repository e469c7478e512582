"""Values that so many articles of a portal carry that they tell of the portal: no document repeats them as the article's own.

Which these are follows from all articles together and from nothing else: neither from the order in which they are built nor from what was
left out of documents before. What a rule of the portal file gives is always the article's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from webarticlecurator.amounts import amount
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import Found

MIN_ARTICLES = 5
"""Articles that say a value of any field, before it may be the portal's."""
_ALMOST_ALL, _MANY, _SOME = 95, 10, 5
"""Percent of the articles. No two articles share a summary or a picture by their nature, but a page without one shows its portal's; the
articles of a series may share a picture."""


@dataclass(frozen=True, slots=True)
class _Field:
    least_percent: int
    """Of the articles that say a value, from which on it is the portal's."""
    least: int = 20
    """The same as a number."""
    gives_way: bool = False
    """Only to another value that the same article has: somebody's blog has one author, and what was crawled of a portal may be one
    section of it."""


_FIELDS = {
    "keywords": _Field(_ALMOST_ALL),
    "description": _Field(_SOME, MIN_ARTICLES),
    "image": _Field(_MANY),
    "articleSection": _Field(_ALMOST_ALL, gives_way=True),
    "author": _Field(_ALMOST_ALL, gives_way=True),  # organisations alone
}
_LONGEST = 80
"""Characters of a value by which it is known; of a longer one its beginning and a digest."""

_OF_ALL_PAGES, _OWN = "meta:keywords", "\t"
"""The source that software fills with words of the site; and what marks what any other source says of keywords."""

Value = tuple[str, str]
"""A field, and by what one of its values is known."""


def may_be_of_portal(name: str, articles: int) -> bool:
    """Whether so many articles say a value that it may tell of the portal."""
    return articles >= _FIELDS[name].least


def is_of_portal(name: str, articles: int, total: int) -> bool:
    """Whether a value that so many articles of all say tells of the portal."""
    return may_be_of_portal(name, articles) and 100 * articles >= _FIELDS[name].least_percent * total


def values_of(article: Article) -> frozenset[Value]:
    """What the page says in these fields, whichever source says it."""
    said = {(name, _known_as(name, one)) for name in _FIELDS for one in _said(article, name) if _is_of_page(name, one)}
    return frozenset(value for value in said if as_own(value) not in said)  # each word of an article counts once


def as_own(value: Value) -> Value:
    """The same word where it is told as a tag of the article's own."""
    return value[0], f"{value[1]}{_OWN}"


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
    return _of_metadata(read) - _of_metadata(written) if written is not read else frozenset()


def as_words(left_out: Mapping[Value, int]) -> tuple[str, ...]:
    """Field by field, for a person; each value with how many documents lack it."""
    by_field: dict[str, Counter[str]] = {}
    for (name, key), documents in sorted(left_out.items()):
        by_field.setdefault(name, Counter())[key.removesuffix(_OWN)] += documents
    told = {name: [f"{value} ({amount(documents, 'document')})" for value, documents in found.items()] for name, found in by_field.items()}
    return tuple(f"{name}: {', '.join(values)}" for name, values in told.items())


def _kept(name: str, found: Iterable[Found], values: frozenset[Value]) -> tuple[Found, ...]:
    return tuple(one for one in found if not (_is_of_page(name, one) and (name, _known_as(name, one)) in values))


def _of_metadata(article: Article) -> frozenset[Value]:
    return frozenset((name, _known_as(name, one)) for name in _FIELDS for one in article.metadata.get(name, ()))


def _said(article: Article, name: str) -> Iterable[Found]:
    fields: Iterable[Mapping[str, tuple[Found, ...]]] = (article.metadata, article.disagreements)
    return (one for told in fields for one in told.get(name, ()))


def _is_of_page(name: str, found: Found) -> bool:
    from webarticlecurator.extraction.metadata.sources import SOURCES  # only who builds an article gets here, and has it

    return found.source in SOURCES[name] and (name != "author" or found.kind == "organization")


def _known_as(name: str, found: Found) -> str:
    """By what a value is known; a word that all pages have in `meta:keywords` may be a tag of some articles, and is another value then."""
    return f"{_key(found)}{_OWN}" if name == "keywords" and found.source != _OF_ALL_PAGES else _key(found)


def _key(found: Found) -> str:
    value = found.value
    return value if len(value) <= _LONGEST else f"{value[: _LONGEST // 2]}... {sha256(value.encode('utf-8', 'replace')).hexdigest()[:16]}"
