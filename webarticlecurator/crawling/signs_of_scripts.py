"""Does a single page show that only a script brings more?"""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.crawling.seen_page import SeenPage
from webarticlecurator.model.links import by_script_in_words


@dataclass(slots=True)
class SignsOfScripts:
    """Keeps what the last page shows of more, as `extraction/more_by_script.py` finds it."""

    grows: bool
    """A browser has let the page grow."""
    _pages: int = 0
    _sign: int | str = 0

    def take(self, seen: SeenPage) -> None:
        """Take in a page that is the last one so far."""
        if seen.is_lowest:
            self._pages += 1
            self._sign = seen.page.by_script

    def reason_against(self) -> str | None:
        """Return the sign in words."""
        if self.grows or self._pages > 1 or not self._sign:
            return None
        return by_script_in_words(self._sign)
