"""Do the pages themselves say something else than a rule?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import cached_property
from typing import NamedTuple

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
    """What a rule gave for one article, and what the page's own data say instead; empty where they do not."""

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

    field: str
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

    @property
    def is_telling(self) -> bool:
        """Say whether the pages differ: a value of most articles, such as the portal's name, tells nothing of
        one."""
        return bool(self.others) and 2 * self.values.most_common(1)[0][1] <= len(self.ruled)


def against(field: str, ruled: Sequence[Ruled], given: Collection[str]) -> Iterator[_Odd]:
    """Give the articles whose page says something else than the rule, in the ways in which that may mean
    something."""
    beside = _Beside(field, ruled, given)
    if field in ("headline", "description"):
        yield _cut_off(beside.others, len(ruled)), ENOUGH_OF_FEW
    if beside.is_telling:
        for check in _CONTRADICTIONS.get(field, (_other_words,)):
            yield from check(beside)


def _other_words(beside: _Beside) -> Iterator[_Odd]:
    yield [row for row in beside.others if _is_another(row)], ENOUGH_OF_SOME


def _other_headlines(beside: _Beside) -> Iterator[_Odd]:
    yield [row for row in beside.others if _is_another(row)], ENOUGH_OF_FEW
    # such as the portal's name behind each, or the ways that lead to it before
    yield [row for row in beside.others if row.other in row.value], ENOUGH


def _names_of_others(beside: _Beside) -> Iterator[_Odd]:
    # the neighbour's, or one of several
    yield (
        [row for row in beside.others if row.other in beside.given and row.value in beside.values],
        ENOUGH_OF_FEW,
    )


def _one_topic_for_all(beside: _Beside) -> Iterator[_Odd]:
    if len({row.value for row in beside.ruled}) == 1:
        yield beside.others, ENOUGH


def _topics_of_others(beside: _Beside) -> Iterator[_Odd]:
    yield [row for row in beside.others if row.other in beside.given], ENOUGH_OF_SOME


def _cut_off(others: Sequence[Ruled], many: int) -> list[Ruled]:
    """Return those for which a rule gives a part of what the page says, each time without another part."""
    rests = Counter(_rest(row) for row in others)
    cut = [
        row
        for row in others
        if row.value in row.other and rests[_rest(row)] <= max(1, ENOUGH_OF_FEW * many / 2)
    ]
    return [row for row in cut if len(_rest(row)) > _LONGEST_MARK]


def _other_times(beside: _Beside) -> Iterator[_Odd]:
    """Tell apart what pages say and what lists say, which may tell of an age; what is no date is told by
    itself."""
    dated = [
        row for row in beside.others if read_iso(row.value, UTC)[0] is not None and _is_another_time(row)
    ]
    listed = [row for row in dated if row.other_source.startswith("listing:")]
    yield [row for row in dated if not row.other_source.startswith("listing:")], ENOUGH_OF_FEW
    yield [row for row in listed if _is_hours_off(row)], ENOUGH_OF_SOME


_CONTRADICTIONS: dict[str, tuple[Callable[[_Beside], Iterator[_Odd]], ...]] = {
    "datePublished": (_other_times,),
    "headline": (_other_headlines,),
    "author": (_other_words, _names_of_others),
    "articleSection": (_one_topic_for_all, _topics_of_others),
    "keywords": (_one_topic_for_all, _topics_of_others),
}
"""The checks of each field; other fields are compared by their words."""


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
    """As by a clock of another zone; lists may tell an age, or when an article was edited."""
    (_, moment), (_, other) = (read_iso(text, UTC) for text in (row.value, row.other))
    return moment is not None and other is not None and not (moment - other) % _SAME_MOMENT


def days_apart(row: Ruled) -> int | None:
    day, other = (read_iso(text, UTC)[0] for text in (row.value, row.other))
    return abs((day - other).days) if day is not None and other is not None else None


def _is_another(row: Ruled) -> bool:
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
