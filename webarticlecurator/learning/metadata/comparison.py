"""What a pick gives on each of some pages, and whether two picks give the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.metadata.dates import DAY
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.learning.metadata.plausible import Values, plausible
from webarticlecurator.learning.metadata.read_pages import ReadPage
from webarticlecurator.learning.plain_picks import picks_of
from webarticlecurator.model.proposals import Plain
from webarticlecurator.text import folded

VISIBLE = "the page"
"""The source of what stands somewhere in the page, and in no data."""
DATES = frozenset({"datePublished", "dateModified", "dateCreated"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A pick, and what it gives on each page."""

    pick: Plain
    """None: what is read without one, by the general reader or from archive pages."""
    source: str
    values: tuple[Values, ...]
    rank: int = 0
    """Of its source among those of the field, the most trusted first."""
    unmarked: int = 0
    """Pages on which it is a day with which a line begins, and which nothing marks as the article's."""

    @property
    def pages(self) -> int:
        return sum(map(bool, self.values))

    @property
    def varies(self) -> bool:
        """Whether it is about the article: of several pages not all have the same."""
        told = [one for one in self.values if one]
        return len(told) < 2 or len(set(told)) > 1


def tried(name: str, source: str, pick: Plain, pages: Sequence[ReadPage], portal: Portal, rank: int) -> Candidate | None:
    """What a pick gives; None where it gives nothing that can be meant, or cannot be."""
    given = given_by(name, pick, pages, portal)
    found = tuple(plausible(name, values, read, visible=source == VISIBLE) for values, read in zip(given, pages, strict=False))
    return Candidate(pick=pick, source=source, values=found, rank=rank) if any(found) else None


def given_by(name: str, pick: Plain, pages: Sequence[ReadPage], portal: Portal) -> list[Values]:
    """Of each page; nothing where the loader of portal files, or the time that rules have, would not allow the pick."""
    picks = picks_of(pick, f"metadata.{name}")
    if picks is None:
        return []
    found: list[Values] = []
    for read in pages:
        fresh = replace(read.page, budget=Budget())
        try:
            given = pick_fields({name: picks}, PageContext.whole(fresh, portal, language=read.language)).get(name, ())
        except PatternTimeout:
            return []
        found.append(tuple(one.value for one in given))
    return found


def same(name: str, one: Values, other: Values) -> bool:
    """Whether two say the same: names in any order, dates of one day or moment, texts without regard to case and signs."""
    return _key(name, one) == _key(name, other) or (name in DATES and _is_one_moment(one, other))


def _is_one_moment(one: Values, other: Values) -> bool:
    """By whatever clock each is told."""
    try:
        moments = [datetime.fromisoformat(values[0]) for values in (one, other) if values and len(values[0]) > DAY]
    except ValueError:  # what a page tells need be no date
        return False
    return len(moments) > 1 and all(moment.utcoffset() is not None for moment in moments) and moments[0] == moments[1]


def _key(name: str, values: Values) -> tuple[str, ...]:
    if name in DATES:
        return tuple(value[:DAY] for value in values[:1])
    return tuple(sorted({folded(value) for value in values}))


def says_all_of(name: str, one: Candidate, other: Candidate) -> bool:
    """Whether it says what the other one says wherever that says something."""
    return all(not told or same(name, own, told) for own, told in zip(one.values, other.values, strict=True))


def agreements(name: str, one: Candidate, other: Candidate) -> int:
    """Pages on which both say the same, and something."""
    return sum(bool(told) and same(name, own, told) for own, told in zip(one.values, other.values, strict=True))


def contradictions(name: str, one: Candidate, other: Candidate) -> int:
    """Pages on which both say something, and not the same."""
    return sum(bool(own and told) and not same(name, own, told) for own, told in zip(one.values, other.values, strict=True))


def says_less(name: str, one: Candidate, other: Candidate) -> bool:
    """Whether it says but a part of what the other one says, wherever they differ: one of two authors."""
    pairs = [(set(_key(name, own)), set(_key(name, told))) for own, told in zip(one.values, other.values, strict=True) if own and told]
    return all(own <= told for own, told in pairs) and any(own < told for own, told in pairs)
