"""Authors, sections, keywords and agencies: the most frequent ones, and those that may be none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webarticlecurator.amounts import amount
from webarticlecurator.model.statistics import Example, Name, Names
from webarticlecurator.statistics.facts import LONGEST, Facts
from webarticlecurator.statistics.logins import looks_like_login, writes_capitals
from webarticlecurator.statistics.tallies import Tallies

FIELDS = ("author", "articleSection", "keywords", "source")
ROWS = 50
_MOST_VALUES = 50
"""Of one field of one article."""
_MOST_SECTIONS = 10_000
"""Names of sections that authors are compared with."""
_NEARLY_ALL = 0.8
_ON_ALL = 0.95
_ENOUGH = 20
"""With fewer articles nothing is said of shares."""
_ENOUGH_FOR_SECTIONS = 200
_LONG_NAME = 60
_MANY_WORDS = 7
_ADDRESS = re.compile(r"https?:|www\.|@|\.(?:com|org|net|hu|de|fr|cz|pl)\b", re.IGNORECASE)
_LOGINS = frozenset(("admin", "administrator", "anonymous", "default", "editor", "guest", "n/a", "none", "null", "root", "test"))
_LOGINS |= {"undefined", "unknown", "user", "webmaster"}
_RANKED = "SELECT name, articles, first, last, url FROM tallies WHERE kind = ? ORDER BY articles DESC, name"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """What a name is judged against."""

    articles: int
    """That have any value of the field."""
    all: int
    own: frozenset[str]
    """The portal's own names."""
    sections: frozenset[str]
    capitals: bool
    """The portal's language writes names with them."""


class NameCount:
    """Counts the values of four fields."""

    def __init__(self, tallies: Tallies, own_names: frozenset[str], language: str | None) -> None:
        self._tallies, self._own = tallies, frozenset(map(_folded, own_names))
        self._capitals = writes_capitals(language)
        self._articles, self._having = 0, dict.fromkeys(FIELDS, 0)

    def add(self, facts: Facts) -> None:
        self._articles += 1
        for field in FIELDS:
            values = facts.values(field)[:_MOST_VALUES] if field in facts.metadata else ()
            self._having[field] += bool(values)
            for value in values:
                self._tallies.add(field, value, facts.day, facts.built.url, facts.built.id)

    def names(self) -> tuple[Names, ...]:
        sections = {_folded(name) for name, *_ in self._tallies.rows(f"{_RANKED} LIMIT {_MOST_SECTIONS}", ("articleSection",))}
        return tuple(self._of(field, frozenset(sections)) for field in FIELDS if self._having[field])

    def _of(self, field: str, sections: frozenset[str]) -> Names:
        articles = self._having[field]
        whole = _Whole(articles=articles, all=self._articles, own=self._own, sections=sections, capitals=self._capitals)
        rows: list[Name] = []
        marked: list[Name] = []
        distinct = suspects = 0
        for name, articles, first, last, url in self._tallies.rows(_RANKED, (field,)):
            why = tuple(_SUSPICIONS[field](name, articles, whole))
            distinct, suspects = distinct + 1, suspects + bool(why)
            if len(rows) < ROWS or (why and len(marked) < ROWS):
                shown = name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
                one = Name(name=shown, articles=articles, first=first, last=last, suspicious=why, example=Example(url=url))
                rows += [one] if len(rows) < ROWS else []
                marked += [one] if why and len(marked) < ROWS else []
        return Names(field=field, distinct=distinct, articles=whole.articles, rows=tuple(rows), suspicious=tuple(marked), suspects=suspects)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _odd_name(name: str, articles: int, whole: _Whole) -> Iterator[str]:
    folded = _folded(name)
    if folded in whole.sections:
        yield "a section has this name, too"
    yield from _odd_words(name, whole, "name")
    if _ADDRESS.search(name):
        yield "it holds an address"
    elif folded in _LOGINS or (folded not in whole.own and looks_like_login(name, capitals=whole.capitals)):
        yield "it is a login or a placeholder"
    if articles >= _ENOUGH and articles > _NEARLY_ALL * whole.articles:
        yield f"{articles:,} of the {amount(whole.articles, 'article')} with an author {'has' if articles == 1 else 'have'} this one"


def _odd_section(name: str, articles: int, whole: _Whole) -> Iterator[str]:
    if articles == 1 and whole.articles >= _ENOUGH_FOR_SECTIONS:
        yield "only one article stands in it"
    yield from _odd_words(name, whole, "section")
    if _ADDRESS.search(name):
        yield "it holds an address"
    if articles >= _ENOUGH and articles > _ON_ALL * whole.all:
        yield f"{articles:,} of {amount(whole.all, 'article')} {'stands' if articles == 1 else 'stand'} in it: it divides nothing"


def _odd_keyword(name: str, articles: int, whole: _Whole) -> Iterator[str]:
    if articles >= _ENOUGH and articles > _ON_ALL * whole.articles:
        yield (
            f"{articles:,} of the {amount(whole.articles, 'article')} with keywords"
            f" {'has' if articles == 1 else 'have'} it: it tells nothing of them"
        )
    if _folded(name) in whole.own:
        yield "it is the portal's own name"
    if len(name) > _LONG_NAME * 2:
        yield "it is too long for a keyword"


def _odd_agency(name: str, articles: int, whole: _Whole) -> Iterator[str]:  # noqa: ARG001
    yield from _odd_words(name, whole, "name")


def _odd_words(name: str, whole: _Whole, what: str) -> Iterator[str]:
    if _folded(name) in whole.own:
        yield "it is the portal's own name"
    if len(name) > _LONG_NAME or len(name.split()) > _MANY_WORDS:
        yield f"it is too long for a {what}"


_SUSPICIONS = {"author": _odd_name, "articleSection": _odd_section, "keywords": _odd_keyword, "source": _odd_agency}
