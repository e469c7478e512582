"""What the answers of a walk say: one of them understood, and how many in a row were what."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from webarticlecurator.corpus.walks import OldSpan, PageResult
from webarticlecurator.model.links import ArchivePage, ArticleLink


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer, understood."""

    result: PageResult
    reason: str = ""
    links: tuple[ArticleLink, ...] = ()
    page: ArchivePage | None = None

    @property
    def urls(self) -> frozenset[str]:
        return frozenset(link.url for link in self.links)

    @property
    def has_links(self) -> bool:
        return self.result is PageResult.LINKS


@dataclass(frozen=True, slots=True)
class Streaks:
    """How many pages in a row were what."""

    empty: int = 0
    failed: int = 0
    repeated: int = 0
    known: int = 0
    """Entirely inside proved spans."""
    inside: int = 0
    """Entirely inside one open span."""
    within: OldSpan | None = None
    """That span."""


def older_than(day: date, links: tuple[ArticleLink, ...]) -> bool:
    """Whether the last dated link is from before that day; the first ones may be old and pinned."""
    dated = [values[0] for link in links if (values := link.fields.get("datePublished"))]
    try:
        return bool(dated) and date.fromisoformat(dated[-1][:10]) < day
    except ValueError:
        return False
