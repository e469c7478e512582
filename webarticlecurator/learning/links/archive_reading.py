"""Archive pages read by rules that are not in a portal file yet: by the same reader, with the same rules for URLs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from webarticlecurator.budget import Budget
from webarticlecurator.config.picks import Picks, read_fields, read_picks
from webarticlecurator.config.portal import ArchiveFormat, Column, Paging, PagingMode, Portal, fitting_column
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_reading import read_yaml
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.extraction.url_rules import article_url
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.urls import bare_host, host_allowed, normalise

_PLACE = Path("proposed.yaml")
_ALONE = Column(name="", template=UrlTemplate.parse("https://portal.example/"), paging=Paging(mode=PagingMode.NONE))


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveReading:
    """How a portal reads its archive pages, whatever its `item` and `link` are."""

    portal: Portal
    columns: dict[str, Column] = field(default_factory=dict, repr=False)
    """By the addresses of pages that were asked for."""

    @classmethod
    def of(cls, portal: Portal | None, pages: Sequence[Page]) -> ArchiveReading:
        """Without a portal the pages' own hosts are those of the articles, and nothing cleans their addresses."""
        if portal is not None:
            return cls(portal)
        hosts = frozenset(bare_host(url) for page in pages for url in (page.url, page.requested_url))
        return cls(Portal(name="portal", title="", home=pages[0].url if pages else "", hosts=hosts))

    @property
    def has_items(self) -> bool:
        """Whether the portal file has an `item`, which a link that needs none would have to do without."""
        archive = self.portal.archive
        return any(column.item is not None for column in (*self.portal.columns, *((archive,) if archive is not None else ())))

    def article_at(self, url: str, page: Page) -> str | None:
        """The address as the crawl asks for it; None where the portal's rules refuse it."""
        try:
            with Budget():
                listed = article_url(url, self._column(page).urls, self.portal)
        except PatternTimeout:
            return None
        return normalise(listed) if isinstance(listed, str) else None

    def links(self, picks: Mapping[str, Plain], page: Page, format: ArchiveFormat = ArchiveFormat.HTML) -> tuple[str, ...]:
        """The articles that a page lists by these picks, in its order."""
        found = self.archive_page(picks, page, format)
        return () if found is None else tuple(link.url for link in found.articles)

    def archive_page(self, picks: Mapping[str, Plain], page: Page, format: ArchiveFormat = ArchiveFormat.HTML) -> ArchivePage | None:
        """What the archive's reader makes of it; None where the rules needed too long for this page."""
        rules = _compiled(json.dumps(picks), format is ArchiveFormat.JSON)
        column = replace(self._column(page), item=rules.item, link=rules.link, fields=rules.fields, format=format)
        try:
            return read_archive_page(replace(page, budget=Budget()), column, self.portal)
        except PatternTimeout:
            return None

    def further_hosts(self, urls: Iterable[str], page: Page) -> tuple[str, ...]:
        """Those of articles that the portal file does not let in yet."""
        hosts = dict.fromkeys(map(bare_host, urls))
        allowed = self._own_column(page).urls.hosts
        return tuple(sorted(host for host in hosts if not host_allowed(host, self.portal.hosts, allowed)))

    def _column(self, page: Page) -> Column:
        """As it is, and with the hosts below those of the portal: `sport.pelda.example` is of `pelda.example`."""
        known = self.columns.get(page.requested_url)
        if known is None:
            own = self._own_column(page)
            below = (f"*.{host}" for host in sorted(self.portal.hosts))
            known = self.columns[page.requested_url] = replace(own, urls=replace(own.urls, hosts=(*own.urls.hosts, *below)))
        return known

    def _own_column(self, page: Page) -> Column:
        columns = self.portal.columns
        if len(columns) < 2:
            return columns[0] if columns else self.portal.archive or _ALONE
        return fitting_column(self.portal, page.requested_url) or fitting_column(self.portal, page.url) or self.portal.archive or columns[0]


@dataclass(frozen=True, slots=True)
class _Rules:
    item: Picks | None
    link: Picks | None
    fields: Mapping[str, Picks]


def _compiled(text: str, in_json: bool) -> _Rules:
    """As they are compiled when they stand in a portal file: JSON is YAML."""
    root, mistakes = read_yaml(text.encode(), _PLACE)
    compiler = NodeCompiler(in_json=in_json)
    assert root is not None, mistakes
    item, link = (read_picks(compiler, root.get(name), f"archive.{name}") for name in ("item", "link"))
    rules = _Rules(item, link, read_fields(compiler, root.get("fields"), "archive.fields"))
    assert not mistakes, mistakes
    assert not compiler.mistakes, compiler.mistakes
    return rules
