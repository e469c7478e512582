"""Do stored pages adjoin? With the newest first, a page that was stored before the page above it may not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from webarticlecurator.corpus.events import ArchivePlace
from webarticlecurator.model.links import ArticleLink

_AT_ONCE = timedelta(minutes=10)
"""Some crawlers read pages side by side: so far apart they show one list."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A stored page of which nobody knows what lies below it."""

    index: int
    stored: datetime
    last_article: str


@dataclass(slots=True)
class SignsOfCopies:
    """Compares each stored page with the one above it."""

    gap: str | None = None
    """Between which two pages articles may be missing."""
    _above: _Copy | None = None

    def take(
        self, place: ArchivePlace, links: tuple[ArticleLink, ...], stored: datetime, *, on_proved_ground: bool
    ) -> None:
        """Take in a stored page; `on_proved_ground`: what lies below it is known."""
        urls = [link.url for link in links]
        above = self._above
        if above is not None and self.gap is None and self._may_miss(above, place, urls, stored):
            moments = f"of {stored:%Y-%m-%d %H:%M}, that above it of {above.stored:%Y-%m-%d %H:%M}"
            missing = "articles may stand on neither; a full crawl asks the portal for all pages"
            self.gap = f"the stored copy of {place.url} is {moments}: {missing}"
        self._above = None if on_proved_ground else _Copy(place.index, stored, urls[-1])

    @staticmethod
    def _may_miss(above: _Copy, place: ArchivePlace, urls: list[str], stored: datetime) -> bool:
        """Say whether the page is older than the one above, and does not begin within it."""
        is_next_and_older = place.index == above.index + 1 and stored + _AT_ONCE < above.stored
        return is_next_and_older and above.last_article not in urls[:-1]
