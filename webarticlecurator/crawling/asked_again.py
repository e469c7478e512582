"""What became of articles that were asked for once more, in words: what is stored of them stays, whatever the portal says now."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.amounts import amount
from webarticlecurator.model.outcome import FetchOutcome, Verdict

HOME_INSTEAD = Verdict(FetchOutcome.GONE, "it redirects to the home page")
"""Of an article that was one before."""


@dataclass(slots=True)
class AskedAgain:
    """Counts the answers."""

    asked: int = 0
    other: int = 0
    """Pages that came with other bytes than before."""
    gone: int = 0
    example: str = ""
    """One that is gone, and why."""

    def count(self, url: str, verdict: Verdict, *, other: bool) -> None:
        """Take in an answer."""
        self.asked += 1
        self.other += other
        if verdict.outcome is FetchOutcome.GONE:
            self.gone += 1
            self.example = self.example or f"{url} ({verdict.reason})"

    @property
    def counts(self) -> dict[str, int]:
        """For a program."""
        return {"asked": self.asked, "other_bytes": self.other, "gone": self.gone}

    def __str__(self) -> str:
        """Behind how many were asked for."""
        where = " (perhaps only around the article: `curator build` tells whose text changed)" if self.other else ""
        other = f"{self.other:,} of them with other bytes than before{where}"
        gone = amount(self.gone, "of them is gone,", "of them are gone, such as")
        return f"{other}; {gone} {self.example}; what is stored stays" if self.gone else other
