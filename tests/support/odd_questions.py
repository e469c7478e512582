"""A question to stored pages that some of them answer badly: told by their URL."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from webarticlecurator.errors import PatternTimeout
from webarticlecurator.model.page import Page
from webarticlecurator.survey.stored_page import StoredPage


@dataclass
class Visits:
    """Which pages were looked at, and which were passed over."""

    seen: list[str] = field(default_factory=list)
    passed_over: list[tuple[str, str, str]] = field(default_factory=list)

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:
        self.passed_over.append((stored.url, outcome, reason))

    def join(self, other: Visits) -> None:
        self.seen += other.seen
        self.passed_over += other.passed_over


@dataclass(frozen=True)
class Visiting:
    def tally(self) -> Visits:
        return Visits()

    def look(self, page: Page, stored: StoredPage, tally: Visits) -> None:
        if "/kill" in page.url:
            os._exit(3)
        if "/fail" in page.url:
            raise KeyError("no such thing")
        if "/slow" in page.url:
            raise PatternTimeout("a pattern took too long")
        tally.seen.append(stored.url)
