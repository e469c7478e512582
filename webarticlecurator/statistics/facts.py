"""What every count asks of an article, found once."""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from webarticlecurator.building.database import BuiltArticle
from webarticlecurator.model.analysis import Analysis
from webarticlecurator.model.statistics import Example

EXAMPLES = 3
"""Articles that show what is meant."""
LONGEST = 200
"""Characters of a text that is shown as an example."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MONTH = re.compile(r"(\d{4})(-(?:0[1-9]|1[0-2]))?(?!-?\d)")
"""A date that tells the year, and perhaps the month, alone."""

Json = dict[str, Any]
Ranked = tuple[int, str, str, str]
"""A number, and the URL, id and text of an article that it is the number of; a list of them is a heap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One article, as it is counted."""

    built: BuiltArticle
    record: Json
    """Its line of JSON."""
    metadata: dict[str, list[dict[str, str]]]
    day: str | None
    analysis: Analysis | None

    @property
    def year(self) -> int | None:
        """Of publication, which may be known where no day is."""
        if self.day:
            return int(self.day[:4])
        found = _MONTH.match(self.built.published or "")
        return int(found[1]) or None if found else None

    @property
    def month(self) -> str | None:
        if self.day:
            return self.day[:7]
        found = _MONTH.match(self.built.published or "")
        return found[0] if found and found[2] and self.year else None

    def first(self, field: str) -> str | None:
        """The first value of a metadata field."""
        found = self.metadata.get(field)
        return found[0]["value"] if found else None

    def values(self, field: str) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys(one["value"] for one in self.metadata.get(field, ())))

    def example(self, text: str = "") -> Example:
        """The article as an example of something; without a text by day and headline."""
        told = text or " ".join(filter(None, (self.day, self.built.headline)))
        return Example(url=self.built.url, id=self.built.id, text=told[:LONGEST])

    def show(self, examples: list[Example], text: str = "") -> None:
        """As one of the first examples."""
        if len(examples) < EXAMPLES:
            examples.append(self.example(text))

    def keep(self, ranked: list[Ranked], number: int, text: str) -> None:
        """Among the largest, if it is one of them."""
        if len(ranked) < EXAMPLES:
            heapq.heappush(ranked, (number, self.built.url, self.built.id, text[:LONGEST]))
        elif number >= ranked[0][0]:
            heapq.heappushpop(ranked, (number, self.built.url, self.built.id, text[:LONGEST]))


def in_order(ranked: list[Ranked]) -> tuple[Example, ...]:
    """The largest first."""
    return tuple(Example(url=url, id=id, text=text) for _, url, id, text in sorted(ranked, reverse=True))


def facts_of(built: BuiltArticle, analysis: Analysis | None) -> Facts:
    record = built.record
    return Facts(built=built, record=record, metadata=record.get("metadata", {}), day=day_of(built.published), analysis=analysis)


@lru_cache(4_096)
def day_of(published: str | None) -> str | None:
    """The day of a date of an article, as the portal's readers know it; None of what is none, or only a year or a month."""
    found = _DAY.match(published or "")
    try:
        return date.fromisoformat(found[0]).isoformat() if found else None
    except ValueError:
        return None
