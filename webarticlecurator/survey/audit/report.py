"""The result of an audit: its findings with the account of what was kept and dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import nlargest

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit.counts import Counts
from webarticlecurator.survey.audit.findings import findings_of
from webarticlecurator.survey.audit.neglect import unmatched_rules
from webarticlecurator.survey.audit.results import Audit, Coverage, Dropped, Stretch, Undecided
from webarticlecurator.survey.audit.rules import TOLD_FIELDS, metadata_picks

_MOST_ROWS = 200
_LAST = 10_000
"""The year of pages without a date, where years are sorted."""


def audit_of(counts: Counts, portal: Portal, *, of_pages: int) -> Audit:
    """What was counted, judged."""
    dropped = [
        Dropped(rule=rule, tag=tag, layout=layout, pages=amount.pages, words=amount.words)
        for (rule, tag, layout), amount in counts.dropped.items()
    ]
    undecided = [
        Undecided(tag=tag, layout=layout, pages=amount.pages, words=amount.words) for (tag, layout), amount in counts.undecided.items()
    ]
    return Audit(
        portal=portal.name,
        pages=counts.pages.total(),
        of_pages=of_pages,
        passed_over=dict(sorted(counts.outcomes.items())),
        findings=tuple(findings_of(counts, portal)),
        words_kept=counts.kept.total(),
        words_dropped=counts.lost.total(),
        dropped=tuple(nlargest(_MOST_ROWS, dropped, key=lambda row: row.words)),
        undecided=tuple(nlargest(_MOST_ROWS, undecided, key=lambda row: row.words)),
        unmatched=tuple(unmatched_rules(counts, portal)),
        stretches=_stretches(counts.pages, counts.kept, counts.lost),
        coverage=tuple(_coverage(counts, portal)),
    )


def _coverage(counts: Counts, portal: Portal) -> Iterator[Coverage]:
    """Fields that nearly every portal has, then those that only the rules of this one ask for."""
    fields = dict.fromkeys((*TOLD_FIELDS, *(name for name, _, _ in metadata_picks(portal))))
    filled = {year: dict.fromkeys(fields, 0) for year in sorted({year for _, year in counts.pages}, key=lambda year: year or _LAST)}
    for (name, _, year), number in counts.rules.present.items():
        if name in fields:
            filled[year][name] += number
    for year, by_field in filled.items():
        yield Coverage(year=year, pages=sum(number for (_, one), number in counts.pages.items() if one == year), filled=by_field)


def _stretches(
    pages: Counter[tuple[str, int | None]], kept: Counter[tuple[str, int | None]], lost: Counter[tuple[str, int | None]]
) -> tuple[Stretch, ...]:
    cells = sorted(pages, key=lambda cell: (cell[0], cell[1] is None, cell[1] or 0))
    return tuple(
        Stretch(layout=layout, year=year, pages=pages[layout, year], words_kept=kept[layout, year], words_dropped=lost[layout, year])
        for layout, year in cells
    )
