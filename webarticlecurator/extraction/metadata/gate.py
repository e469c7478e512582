"""The sanity gate of dates: what cannot be is flagged, never deleted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.metadata import Metadata

FIRST_PORTALS = date(1990, 1, 1)
_LATE = timedelta(hours=1)
"""Clocks differ."""
_DATES = ("datePublished", "dateModified", "dateCreated")


def odd_dates(metadata: Metadata, portal: Portal, captured: datetime) -> Iterator[str]:
    """What is odd about the dates, each as a sentence."""
    born, name = _birth(portal)
    for field in _DATES:
        for found in metadata.get(field, ())[:1]:
            day, moment = _read(found.value, portal.timezone)
            if day is None:
                yield f"{field} is no date: {found.value}"
            elif day < born:
                yield f"{field} lies before {name}: {found.value}"
            elif (moment is not None and moment > captured + _LATE) or day > captured.date() + timedelta(days=1):
                yield f"{field} lies after the capture: {found.value}"
    published, modified = (_read(metadata[name][0].value, portal.timezone)[0] if metadata.get(name) else None for name in _DATES[:2])
    if published and modified and modified < published:
        yield f"dateModified lies before datePublished: {metadata['dateModified'][0].value}"


def _birth(portal: Portal) -> tuple[date, str]:
    """When the portal's archive begins, if its columns say so."""
    starts = [part.start for column in portal.columns if column.dates for part in column.dates.ranges]
    known = [start for start in starts if start is not None]
    if starts and len(known) == len(starts):
        return min(known), "the portal's archive begins"
    return FIRST_PORTALS, "there were portals"


def _read(value: str, zone: tzinfo) -> tuple[date | None, datetime | None]:
    try:
        if len(value) <= 10:
            return date.fromisoformat((value + "-01-01")[:10] if len(value) < 10 else value), None
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None, None
    return moment.date(), moment if moment.tzinfo else moment.replace(tzinfo=zone)
