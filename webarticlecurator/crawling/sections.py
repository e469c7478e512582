"""The sections of an archive that its pages lead to, such as the boards of a forum: each is walked once, as a column of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from webarticlecurator.amounts import amount
from webarticlecurator.config.column_urls import SECTION, section
from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.column_walks import ColumnWalks
from webarticlecurator.crawling.walk import ASKS_PASSWORD
from webarticlecurator.urls import normalise

MOST_SECTIONS = 2_000
"""Of one column."""
_WALKED = "SELECT column FROM walks WHERE rules = ? AND substr(column, 1, length(?)) = ? GROUP BY column HAVING sum(links) ORDER BY column"


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


def section_remarks(columns: Sequence[ColumnWalks], ledger: Ledger) -> Iterator[str]:
    """Sections that list nothing, being empty or closed to guests, and those that no page leads to any more: in sentences."""
    sections = [one for one in columns if one.column.section_of is not None]
    for of in (one.column for one in columns if one.column.sections is not None and one.column.section_of is None and one.ended_by):
        own = [one for one in sections if one.column.section_of == of.name]
        empty = sorted((one for one in own if one.proved and not one.listed), key=lambda one: ASKS_PASSWORD not in one.ended_by)
        if empty:
            example = f"{empty[0].column.template.text}: {empty[0].ended_by}"
            yield (
                f"{of.name}: {len(empty):,} of its {amount(len(own), 'section')}"
                f" {'lists' if len(empty) == 1 else 'list'} no article (such as {example})"
            )
        mark = f"{of.name}{SECTION}"
        names = {one.column.name for one in own}
        left = [name for (name,) in ledger.rows(_WALKED, (of.rules, mark, mark)) if name not in names]
        if left and all(one.proved for one in (*own, *(one for one in columns if one.column is of))):
            told = (
                f"{amount(len(left), 'section of earlier crawls was', 'sections of earlier crawls were')} not walked:"
                " no page that was read leads there any more"
            )
            yield f"{of.name}: {told} (such as {left[0]}); `curator crawl --full` reads every page"
