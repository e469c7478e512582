"""The sections of an archive that its pages lead to, such as the boards of a forum: each is walked once, as a column of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from webarticlecurator.config.column_urls import section
from webarticlecurator.config.portal import Column
from webarticlecurator.urls import normalise

MOST_SECTIONS = 2_000
"""Of one column."""


@dataclass(slots=True)
class Sections:
    """Those that one run has found."""

    home: str
    _urls: dict[str, set[str]] = field(default_factory=dict)
    """Of each column of the portal file: the addresses of itself and of its sections."""
    _left: set[str] = field(default_factory=set)

    def found(self, column: Column, urls: Sequence[str]) -> Iterator[Column]:
        """What a page of a column leads to that the run did not know, as columns."""
        of = column.section_of or column.name
        known = self._urls.setdefault(of, {normalise(column.template.text)})
        for url in urls:
            if url not in known and len(known) > MOST_SECTIONS:
                self._left.add(of)
            elif url not in known:
                known.add(url)
                yield section(column, url, self.home)

    def limits(self) -> Iterator[str]:
        """What was not walked, in sentences."""
        yield from (
            f"{column}: it has more than {MOST_SECTIONS:,} sections, and those beyond were not walked" for column in sorted(self._left)
        )
