"""What was found out about the links of archive pages: rules that no portal file has yet, and what the archive's reader gives by them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from webarticlecurator.budget import Budget
from webarticlecurator.config.picks import read_fields, read_picks
from webarticlecurator.config.portal import ArchiveFormat, Column, Paging, PagingMode, Portal, fitting_column
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_reading import read_yaml
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.extraction.url_rules import article_url
from webarticlecurator.model.links import ArticleLink
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Plain, Proposal
from webarticlecurator.urls import bare_host, host_allowed, normalise

_SAMPLES, _DIFFERENCES = 3, 6
_ALONE = Column(name="", template=UrlTemplate.parse("https://portal.example/"), paging=Paging(mode=PagingMode.NONE))


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveReading:
    """How a portal reads its archive pages, whatever its `item` and `link` are."""

    portal: Portal
    format: ArchiveFormat = ArchiveFormat.HTML
    columns: dict[str, Column] = field(default_factory=dict, repr=False)
    """By the addresses of pages that were asked for."""

    @classmethod
    def of(cls, portal: Portal | None, pages: Sequence[Page]) -> ArchiveReading:
        """Without a portal the pages' own hosts are those of the articles, and nothing cleans their addresses."""
        if portal is None:
            hosts = frozenset(bare_host(url) for page in pages for url in (page.url, page.requested_url))
            portal = Portal(name="portal", title="", home=pages[0].url if pages else "", hosts=hosts)
        is_json = bool(pages) and all(page.tree is None for page in pages)
        return cls(portal, ArchiveFormat.JSON if is_json else ArchiveFormat.HTML)

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

    def links(self, picks: Mapping[str, Plain], page: Page) -> tuple[str, ...]:
        """The addresses of what a page lists by these picks."""
        return tuple(link.url for link in self.articles(picks, page))

    def articles(self, picks: Mapping[str, Plain], page: Page) -> Sequence[ArticleLink]:
        """The articles that a page lists by these picks, in its order; none where the picks need too long for it."""
        rules = _compiled(picks, in_json=self.format is ArchiveFormat.JSON)
        column = replace(self._column(page), **rules, format=self.format)
        try:
            return read_archive_page(replace(page, budget=Budget()), column, self.portal).articles
        except PatternTimeout:
            return ()

    def further_hosts(self, urls: Iterable[str], page: Page) -> tuple[str, ...]:
        """Those of articles that the portal file does not let in yet."""
        allowed = self._own_column(page).urls.hosts
        return tuple(sorted(host for host in set(map(bare_host, urls)) if not host_allowed(host, self.portal.hosts, allowed)))

    def _column(self, page: Page) -> Column:
        """As it is, and with the hosts below those of the portal: `sport.pelda.example` is of `pelda.example`."""
        if page.requested_url not in self.columns:
            own = self._own_column(page)
            below = (f"*.{host}" for host in sorted(self.portal.hosts))
            self.columns[page.requested_url] = replace(own, urls=replace(own.urls, hosts=(*own.urls.hosts, *below)))
        return self.columns[page.requested_url]

    def _own_column(self, page: Page) -> Column:
        columns = self.portal.columns
        if len(columns) < 2:
            return columns[0] if columns else self.portal.archive or _ALONE
        return fitting_column(self.portal, page.requested_url) or fitting_column(self.portal, page.url) or self.portal.archive or columns[0]


def _compiled(picks: Mapping[str, Plain], *, in_json: bool) -> dict[str, Any]:
    """Keys of a column, as they are compiled when they stand in a portal file: JSON is YAML."""
    root, mistakes = read_yaml(json.dumps(picks).encode(), Path("proposed.yaml"))
    compiler = NodeCompiler(in_json=in_json)
    assert root is not None, mistakes
    rules: dict[str, Any] = {name: read_picks(compiler, root.get(name), f"archive.{name}") for name in ("item", "link")}
    rules["fields"] = read_fields(compiler, root.get("fields"), "archive.fields")
    assert not mistakes, mistakes
    assert not compiler.mistakes, compiler.mistakes
    return rules


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """Rules of an archive that find links, and what they find: what the portal file with them gives, no more and no less."""

    picks: Mapping[str, Plain]
    """The keys of `archive` that it sets: `link`, `item`, `fields`."""
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
    def finding(self) -> dict[str, Plain]:
        """The picks that find the links; what else is told beside these aside."""
        return {name: pick for name, pick in self.picks.items() if name != "fields"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFindings:
    """The best rules for the links of some archive pages."""

    reading: ArchiveReading = field(repr=False)
    rules: tuple[LinkRule, ...] = ()
    """The best first; no two of them find the same."""
    pages: tuple[Page, ...] = field(default=(), repr=False)
    sure: bool = False
    """The first may be written without asking."""
    remarks: tuple[str, ...] = ()

    def links_of(self, page: Page, rule: int = 0) -> frozenset[str]:
        """The links that a rule finds on any archive page of this portal; nothing where there is no rule."""
        return frozenset(self.reading.links(self.rules[rule].finding, page)) if rule < len(self.rules) else frozenset()


# --- as lines of a portal file ---


def proposals(findings: LinkFindings, path: tuple[str, ...] = ("archive",)) -> tuple[Proposal, ...]:
    """The keys of `path` (the archive, or one of its columns): one proposal, since what finds the links belongs together."""
    if not findings.rules:
        return ()
    question = None if findings.sure else "Which of these finds the articles of the archive pages, all of them and nothing else?"
    may_inherit = findings.reading.has_items or path[0] == "columns"  # `archive` may get an `item`, too
    choices = tuple(_choice(findings, rule, may_inherit) for rule in findings.rules)
    return (Proposal(name=".".join((*path, "link")), path=path, choices=choices, sure=findings.sure, question=question),)


def _choice(findings: LinkFindings, rule: LinkRule, may_inherit: bool) -> Choice:
    value: dict[str, Plain] = {"format": "json"} if findings.reading.format is ArchiveFormat.JSON else {}
    if "item" not in rule.picks and may_inherit:
        value["item"] = None
    value |= rule.picks
    if rule.hosts:
        value["urls"] = {"hosts": list(rule.hosts)}
    first, own = findings.rules[0].urls, rule.urls
    differs = (*_first("+", own, first), *_first("-", first, own))
    return Choice(value=value, reason=rule.reason, samples=own[:_SAMPLES], differs=differs, score=rule.score)


def _first(sign: str, urls: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """The first few that are not among the others, and how many there are."""
    known = frozenset(others)
    lines = [f"{sign} {url}" for url in urls if url not in known]
    yield from lines[:_DIFFERENCES]
    if len(lines) > _DIFFERENCES:
        yield f"{sign} ... ({len(lines)} in all)"
