"""What was found out about the links of archive pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.learning.links.archive_reading import ArchiveReading
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """Rules of an archive that find links, and what they find: what the portal file with them gives, no more and no less."""

    link: Plain
    """The `link` pick, as it stands in a portal file."""
    item: Plain = None
    """The `item` pick without which it finds nothing; None: there is none."""
    fields: Mapping[str, Plain] = field(default_factory=dict)
    """What the listing tells of an article beside its link."""
    hosts: tuple[str, ...] = ()
    """Which `urls.hosts` must list, for some of the links lead there."""
    found: tuple[tuple[str, ...], ...]
    """The links on each of the pages, in their order."""
    score: float
    reason: str

    @property
    def urls(self) -> tuple[str, ...]:
        """All of them, each once, in the order of the pages."""
        return tuple(dict.fromkeys(url for urls in self.found for url in urls))

    @property
    def picks(self) -> dict[str, Plain]:
        """The keys of `archive` that it sets."""
        item: dict[str, Plain] = {"item": self.item} if self.item is not None else {}
        return {**item, "link": self.link, **({"fields": self.fields} if self.fields else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFindings:
    """The best rules for the links of some archive pages."""

    rules: tuple[LinkRule, ...] = ()
    """The best first; no two of them find the same."""
    pages: tuple[Page, ...] = field(default=(), repr=False)
    format: ArchiveFormat = ArchiveFormat.HTML
    sure: bool = False
    """The first may be written without asking."""
    remarks: tuple[str, ...] = ()
    reading: ArchiveReading = field(default_factory=lambda: ArchiveReading.of(None, ()), repr=False)

    def links_of(self, page: Page, rule: int = 0) -> frozenset[str]:
        """The links that a rule finds on any archive page of this portal; nothing where there is no rule."""
        if rule >= len(self.rules):
            return frozenset()
        picks = {name: pick for name, pick in self.rules[rule].picks.items() if name != "fields"}
        return frozenset(self.reading.links(picks, page, self.format))
