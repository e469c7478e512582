"""What the completeness of the archive leans on: the proofs of successive intervals that ended alike, told together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import groupby

from webarticlecurator.model.statistics import GroundOfProof
from webarticlecurator.model.status import Proof

_DAY = timedelta(days=1)
_WEEK = re.compile(r"(\d{4})-W(\d\d)")


def grounds(proofs: Iterable[Proof]) -> tuple[GroundOfProof, ...]:
    """Column by column in the order of the portal file, the newest intervals first."""
    return tuple(_joined(list(alike)) for _, alike in groupby(proofs, key=lambda one: (one.column, one.ground)))


def _joined(alike: list[Proof]) -> GroundOfProof:
    newest, oldest = alike[0], alike[-1]
    return GroundOfProof(
        column=newest.column,
        first=oldest.interval,
        last=newest.interval,
        intervals=len(alike),
        ground=newest.ground,
        only_read=newest.only_read,
        page=newest.page or "",
        links=newest.links or 0,
        at=max(one.at for one in alike),
    )


def days_of(interval: str | None) -> tuple[date, date]:
    """First and last day of an interval by its name (2024-05-01, 2024-W18, 2024-05, 2024); all days of a column that has none."""
    if interval is None:
        return date.min, date.max
    week = _WEEK.fullmatch(interval)
    if week:
        first = date.fromisocalendar(int(week[1]), int(week[2]), 1)
        return first, first + 6 * _DAY
    parts = [int(part) for part in interval.split("-")]
    if len(parts) == 3:
        return date(*parts), date(*parts)
    if len(parts) == 2:
        first = date(parts[0], parts[1], 1)
        return first, (first + 31 * _DAY).replace(day=1) - _DAY
    return date(parts[0], 1, 1), date(parts[0], 12, 31)
