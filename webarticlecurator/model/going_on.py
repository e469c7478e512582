"""Articles that seem to be longer than what is stored of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoingOn:
    """Their pages show further ones, and no rule follows."""

    articles: int
    url: str
    """Of one of them."""
    sign: str
    """What its page shows."""

    def __str__(self) -> str:
        """In a sentence of a summary."""
        seem = "article seems" if self.articles == 1 else "articles seem"
        return f"{self.articles:,} {seem} to have further pages where articles.next does not lead, such as {self.url} ({self.sign})"
