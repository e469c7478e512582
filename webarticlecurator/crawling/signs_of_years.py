"""Does a page name years that only a script brings, and that lie before all articles that the walk has
seen?"""

from __future__ import annotations

from dataclasses import dataclass, field

from webarticlecurator.crawling.seen_page import SeenPage

_FEWEST_DATED = 0.5
"""Share of the items that tell a year, before they tell which years the list has."""


@dataclass(slots=True)
class SignsOfYears:
    """Keeps the years that the pages name, and those of the items on them."""

    _named: set[int] = field(default_factory=set)
    _listed: set[int] = field(default_factory=set)
    _items: int = 0
    _dated: int = 0

    def take(self, seen: SeenPage) -> None:
        """Take in what a page names, and lists."""
        self._named |= seen.page.years_by_script
        self._listed.update(*seen.page.years_of_items)
        self._items += len(seen.page.years_of_items)
        self._dated += sum(map(bool, seen.page.years_of_items))

    def reason_against(self) -> str | None:
        """Return which years it names that the list does not reach."""
        if not self._listed or self._dated < _FEWEST_DATED * self._items:
            return None
        oldest = min(self._listed)
        missing = sorted(year for year in self._named if year < oldest)
        if not missing:
            return None
        named = ", ".join(map(str, missing[:3])) + (" and others" if len(missing) > 3 else "")
        unwanted = f"`stop: {{after: {oldest}-01-01}}` says that older articles are not wanted"
        return f"it names {named} for a script to bring, and lists nothing before {oldest}; {unwanted}"
