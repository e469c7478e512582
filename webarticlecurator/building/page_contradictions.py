"""Do the pages themselves say something else than a rule?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import cached_property
from typing import NamedTuple

from webarticlecurator.building.common_parts import TOPICS
from webarticlecurator.building.document_sample import ENOUGH, ENOUGH_OF_FEW, ENOUGH_OF_SOME
from webarticlecurator.dates import DAY, in_reach
from webarticlecurator.extraction.metadata.dates import read_iso
from webarticlecurator.text import folded

_SAME_MOMENT = timedelta(minutes=30)
"""Between the times that one page tells of one publication."""
LONGEST_NAME = 4
"""Words of a name."""
_LONGEST_MARK = 3
"""Characters of what a headline may be without."""


class Ruled(NamedTuple):
    """The value that a rule gave for one article, and the one of the page's own data; empty where they do
    not."""

    field: str
    source: str
    value: str
    other: str
    other_source: str
    url: str
    values: str
    """All of the field."""
    same: str | None
    """Another field of the article that has one of the values, too: its section, its keywords, its headline,
    its day."""
    layout: str | None


_Odd = tuple[list[Ruled], float]
"""Articles whose page says something else than the rule, and which share of all is enough."""


@dataclass(frozen=True)
class _Beside:
    """The values that pages themselves give for a field, beside those of a rule."""

    ruled: Sequence[Ruled]
    given: Collection[str]
    """The values of the field in all documents."""

    @cached_property
    def others(self) -> list[Ruled]:
        """The documents whose page says something else."""
        return [row for row in self.ruled if row.other]

    @cached_property
    def values(self) -> Counter[str]:
        return Counter(row.other for row in self.others)

    @cached_property
    def rests(self) -> Counter[str]:
        """Count what the pages say beside the value of the rule."""
        return Counter(map(_rest, self.others))

    @cached_property
    def is_one(self) -> bool:
        """Say whether the rule gives the same for all."""
        return len({row.value for row in self.ruled}) == 1

    @property
    def is_telling(self) -> bool:
        """Say whether the pages differ: a value of most articles, such as the portal's name, tells nothing of
        one."""
        return bool(self.others) and 2 * self.values.most_common(1)[0][1] <= len(self.ruled)


def against(field: str, ruled: Sequence[Ruled], given: Collection[str]) -> Iterator[_Odd]:
    """Give the articles whose page says something else than the rule, in the ways in which that may mean
    something."""
    beside = _Beside(ruled, given)
    if beside.is_telling:
        for differs, share in _CONTRADICTIONS.get(field, _OF_WORDS):
            yield [row for row in beside.others if differs(row, beside)], share


def _is_cut(row: Ruled, beside: _Beside) -> bool:
    """Say whether a rule gives a part of what the page says, each time without another part."""
    rest = _rest(row)
    often = max(1, ENOUGH_OF_FEW * len(beside.ruled) / 2)
    return row.value in row.other and len(rest) > _LONGEST_MARK and beside.rests[rest] <= often


def _has_more(row: Ruled, _: _Beside) -> bool:
    """Say whether more stands around it, such as the portal's name behind, or the ways that lead there
    before."""
    return row.other in row.value


def _is_of_another(row: Ruled, beside: _Beside) -> bool:
    """Say whether it is the neighbour's, or one of several."""
    return row.other in beside.given and row.value in beside.values


def _is_one_for_all(_: Ruled, beside: _Beside) -> bool:
    return beside.is_one


def _is_known_topic(row: Ruled, beside: _Beside) -> bool:
    """Say whether other documents have what the page says."""
    return row.other in beside.given


def _is_another_moment(row: Ruled, _: _Beside) -> bool:
    return not row.other_source.startswith("listing:") and _is_another_time(row)


def _is_listed_hours_off(row: Ruled, _: _Beside) -> bool:
    """Say whether the list tells another time, as by a clock of another zone; it may tell an age, or when an
    article was edited."""
    return row.other_source.startswith("listing:") and _is_another_time(row) and _is_hours_off(row)


def _parts(title: str) -> set[str]:
    """Its words, or its pairs of letters where it has no blanks."""
    letters = folded(title)
    return (
        set(map(folded, title.split()))
        if title.count(" ") > 1
        else {letters[at : at + 2] for at in range(len(letters) - 1)}
    )


def _rest(row: Ruled) -> str:
    return row.other.replace(row.value, "").strip()


def _is_another_time(row: Ruled) -> bool:
    """Of what is as it is on the page, a year or a month where that has the day, or a day where it has the
    time. Programs that keep times in UTC may write its day into addresses."""
    if read_iso(row.value, UTC)[0] is None:
        return False  # that is told by itself
    if row.other.startswith(row.value):
        is_of_day = len(row.value) == DAY < len(row.other) and not row.other[DAY:].startswith("T00:00")
        return is_of_day or len(row.value) < DAY <= len(row.other)
    (day, moment), (other_day, other_moment) = (read_iso(text, UTC) for text in (row.value, row.other))
    if moment and other_moment:
        return abs(moment - other_moment) >= _SAME_MOMENT
    in_utc = (
        moment.astimezone(UTC).date()
        if moment and in_reach(moment) and row.other_source == "url:date"
        else day
    )
    return other_day not in (day, in_utc)


def _is_hours_off(row: Ruled) -> bool:
    (_, moment), (_, other) = (read_iso(text, UTC) for text in (row.value, row.other))
    return moment is not None and other is not None and not (moment - other) % _SAME_MOMENT


def days_apart(row: Ruled) -> int | None:
    day, other = (read_iso(text, UTC)[0] for text in (row.value, row.other))
    return abs((day - other).days) if day is not None and other is not None else None


def _is_another(row: Ruled, _: _Beside) -> bool:
    """Another name, one with more around it or a part of it; another title: those that somebody wrote anew
    have words in common."""
    if row.field == "headline":
        words, others = _parts(row.value), _parts(row.other)
    else:
        words, others = (set(map(folded, text.split())) for text in (row.value, row.other))
    is_part = words < others and len(others) <= LONGEST_NAME
    if row.field == "author" and (is_part or folded(row.other) in folded(row.value)):
        return True
    return 2 * len(words & others) < min(len(words), len(others))


_Differs = Callable[[Ruled, _Beside], bool]
_OF_WORDS: tuple[tuple[_Differs, float], ...] = ((_is_another, ENOUGH_OF_SOME),)
_OF_TOPICS: tuple[tuple[_Differs, float], ...] = (
    (_is_one_for_all, ENOUGH),
    (_is_known_topic, ENOUGH_OF_SOME),
)
_CONTRADICTIONS: dict[str, tuple[tuple[_Differs, float], ...]] = {
    "headline": ((_is_cut, ENOUGH_OF_FEW), (_is_another, ENOUGH_OF_FEW), (_has_more, ENOUGH)),
    "description": ((_is_cut, ENOUGH_OF_FEW), *_OF_WORDS),
    "author": (*_OF_WORDS, (_is_of_another, ENOUGH_OF_FEW)),
    "datePublished": ((_is_another_moment, ENOUGH_OF_FEW), (_is_listed_hours_off, ENOUGH_OF_SOME)),
    **dict.fromkeys(TOPICS, _OF_TOPICS),
}
"""How the values of each field may differ from those that pages say, and which share of articles is enough.

Other fields are compared by their words."""
