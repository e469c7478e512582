"""An article as the watch sees it: what the build tells of it, and, where its page was looked at, what that shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from webarticlecurator.watching.page_facts import PageFacts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WatchedArticle:
    """One of a portal's articles."""

    id: str
    url: str
    headline: str = ""
    day: str = ""
    """When it was published, or (where it does not say) when its neighbours were: ISO 8601."""
    is_dated: bool = True
    """False: the day is that of its neighbours."""
    is_empty: bool = False
    """The rules found no text in it."""
    words: int = 0
    fields: frozenset[str] = frozenset()
    """The metadata that it has."""
    unknown_tags: frozenset[str] = frozenset()
    """Tags that no rule decides."""
    lines: frozenset[int] = frozenset()
    """Hashes of the lines of its text; none where the text was not looked at."""
    layout: str | None = None
    page: PageFacts | None = field(default=None, repr=False)

    @property
    def own_day(self) -> str:
        """When it was published; empty where it does not say."""
        return self.day if self.is_dated else ""
