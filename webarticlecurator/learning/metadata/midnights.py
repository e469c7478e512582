"""Midnight to the second as a time of publication: what many systems write where they know the day alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.metadata.dates import DAY
from webarticlecurator.learning.metadata.comparison import Candidate, tried
from webarticlecurator.learning.metadata.read_pages import ReadPage
from webarticlecurator.model.proposals import Plain

_WRITTEN = r"^(\d{4}-\d\d-\d\d)[T ]00:00(?::00)?(?![:\d]|\.0*[1-9])"
_MIDNIGHT = re.compile(_WRITTEN)
_FEWEST, _RARE = 3, 0.1
"""Pages, and of those that have a date: fewer may have been published at midnight."""


def without_midnight(own: Candidate, places: Sequence[Candidate], pages: Sequence[ReadPage], portal: Portal) -> Candidate | None:
    """The day where it is midnight, and elsewhere what is read without a rule.

    None where midnights are rare, or no place writes them so that a rule can tell them from other times.
    """
    at_midnight = [at for at, values in enumerate(own.values) if values and _MIDNIGHT.search(values[0])]
    if len(at_midnight) < max(_FEWEST, _RARE * own.pages):
        return None
    for place in places:
        days = tried("datePublished", place.source, _as_day(place.pick), pages, portal, place.rank)
        if days is not None and all(days.values[at] == (own.values[at][0][:DAY],) for at in at_midnight):
            values = tuple(day or otherwise for day, otherwise in zip(days.values, own.values, strict=True))
            return replace(days, values=values, source=f"{place.source}, the day alone where the time is midnight to the second")
    return None


def _as_day(pick: Plain) -> Plain:
    if isinstance(pick, Mapping):
        return {**pick, "match": _WRITTEN, "date": "yyyy-MM-dd"}
    return [_as_day(one) for one in pick] if isinstance(pick, Sequence) and not isinstance(pick, str) else pick
