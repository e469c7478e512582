"""How much of each year's pages is decided by a rule, and where that drops: there the portal changed its layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from webarticlecurator.survey.inventory.path_tree import PathNode
from webarticlecurator.survey.inventory.results import Decider, YearCoverage
from webarticlecurator.survey.page_year import Year

_WORDS_DROP, _ELEMENTS_DROP = 0.05, 0.2
"""Share of a year's words, of its elements, that must be missing against the years before, for it to be told."""
_YEARS_BEFORE = 3
_FEWEST_PAGES = 5
"""A year of fewer pages proves nothing."""


def coverage_of(nodes: Iterable[PathNode], pages: Mapping[Year, int]) -> tuple[YearCoverage, ...]:
    """Every year of which there are pages, with their number in `pages`; those without a date last."""
    sums: dict[Year, Counter[str]] = {year: Counter() for year in pages}
    for one in nodes:
        if one.is_folded:
            continue
        decided = _is_decided(one)
        for year, figures in one.years.items():
            one_year = sums.setdefault(year, Counter())
            elements = 0 if one.is_container else figures.frequency
            one_year["elements"] += elements
            one_year["words"] += figures.own_words
            if decided:
                one_year["decided_elements"] += elements
                one_year["decided_words"] += figures.own_words
    return with_layout_changes(
        YearCoverage(
            year=year,
            pages=pages.get(year, 0),
            elements=counts["elements"],
            decided_elements=counts["decided_elements"],
            words=counts["words"],
            decided_words=counts["decided_words"],
        )
        for year, counts in sums.items()
    )


def _is_decided(one: PathNode) -> bool:
    """What stands immediately in the container is text of the article by `body.root`; what is in something left out goes with it."""
    return one.is_container or one.step.in_dropped or one.step.in_simple or one.decided.decider is not Decider.NOBODY


def with_layout_changes(years: Iterable[YearCoverage]) -> tuple[YearCoverage, ...]:
    """The years in order, those without a date last, each marked where its share drops against the years before it."""
    ordered = sorted(years, key=lambda one: (one.year is None, one.year or 0))
    marked: list[YearCoverage] = []
    for number, one in enumerate(ordered):
        before = [other for other in ordered[:number] if other.pages >= _FEWEST_PAGES][-_YEARS_BEFORE:]
        marked.append(replace(one, layout_change=one.year is not None and one.pages >= _FEWEST_PAGES and _drops(one, before)))
    return tuple(marked)


def _drops(one: YearCoverage, before: Sequence[YearCoverage]) -> bool:
    if not before:
        return False
    words, elements = (median(year.word_share for year in before), median(year.element_share for year in before))
    return words - one.word_share > _WORDS_DROP or elements - one.element_share > _ELEMENTS_DROP
