"""The result of an audit: its findings with the account of what was kept and dropped."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit.counts import Counts
from webarticlecurator.survey.audit.findings import findings_of
from webarticlecurator.survey.audit.neglect import unmatched_rules
from webarticlecurator.survey.audit.results import Audit, Dropped, Stretch, Undecided

_MOST_ROWS = 200


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
    )


def _stretches(
    pages: Counter[tuple[str, int | None]], kept: Counter[tuple[str, int | None]], lost: Counter[tuple[str, int | None]]
) -> tuple[Stretch, ...]:
    cells = sorted(pages, key=lambda cell: (cell[0], cell[1] is None, cell[1] or 0))
    return tuple(
        Stretch(layout=layout, year=year, pages=pages[layout, year], words_kept=kept[layout, year], words_dropped=lost[layout, year])
        for layout, year in cells
    )
