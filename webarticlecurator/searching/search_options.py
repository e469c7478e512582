"""The options of one search."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import ExportOptions, Part
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.written_options import TypedAs

_MOST_SHOWN = 10_000_000
"""Places."""
_ON_REQUEST = (Part.BOXES, Part.CAPTIONS, Part.COMMENTS)
"""The parts that are searched only where somebody says so."""


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """The options of a search, typed as it stands here; UsageError where one cannot be."""

    lemma: Annotated[
        bool, TypedAs("--lemma", "Search for lemmas, as `curator annotate` got them from a program.")
    ] = False
    layer: Annotated[
        str | None,
        TypedAs("--layer", "The annotations that have the lemmas, where there are several.", "NAME"),
    ] = None
    accents: Annotated[bool, TypedAs("--accents", "Find words only with the accents that were typed.")] = (
        False
    )
    count: Annotated[
        str | None, TypedAs("--count", "Count by year, month, or a field such as section or author.", "FIELD")
    ] = None
    limit: Annotated[int, TypedAs("--limit", "Show at most N places, or values counted.", "N", least=1)] = 100
    context: Annotated[
        int | None,
        TypedAs("--context", "Show so many characters on each side.  [default: what fits]", "N", least=0),
    ] = None
    from_: Annotated[date | None, TypedAs("--from", "Published on this day or later.", "DAY")] = None
    until: Annotated[date | None, TypedAs("--until", "Published on this day or before.", "DAY")] = None
    where: Annotated[
        tuple[str, ...],
        TypedAs("--where", "FIELD=VALUE and the like, as `curator export` has it.", "CONDITION"),
    ] = ()
    with_: Annotated[
        tuple[str, ...], TypedAs("--with", "Search in comments, boxes, captions, too.", "PART,...")
    ] = ()

    def __post_init__(self) -> None:
        """Check what has to be known before an index is made."""
        if self.limit > _MOST_SHOWN:
            raise UsageError(f"--limit is {_MOST_SHOWN:,} at most.")
        others = ", ".join(sorted(self.articles.with_ - set(_ON_REQUEST)))
        if others:
            raise UsageError(f"--with {others} cannot be searched. There are {', '.join(_ON_REQUEST)}.")

    @property
    def articles(self) -> ExportOptions:
        """Return the options by which articles are chosen, and columns of them counted. Raises UsageError."""
        return ExportOptions(
            from_=self.from_,
            until=self.until,
            where=self.where,
            with_=self.with_,  # type: ignore[arg-type]  # which are checked and made parts there
            outcome=tuple(sorted(DOCUMENTED)),
        )

    @property
    def hidden(self) -> list[str]:
        """Return the names of the parts that are not searched."""
        return [part.one for part in _ON_REQUEST if part not in self.articles.with_]
