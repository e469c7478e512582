"""All that stored pages of a portal show of its rules: the finders one after the other, and what they propose together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, zip_longest
from typing import TypeVar

from webarticlecurator.config.column_urls import fitting_column, likeliest_column
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import next_article_page
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.faults import reason_of
from webarticlecurator.learning.bodies.find import find_bodies
from webarticlecurator.learning.bodies.findings import Truth
from webarticlecurator.learning.file_rules import ABSENT, FileRules
from webarticlecurator.learning.links.find import find_links
from webarticlecurator.learning.links.findings import LinkFindings
from webarticlecurator.learning.links.propose import proposals as link_proposals
from webarticlecurator.learning.metadata import find_metadata
from webarticlecurator.learning.paging import ArticlePagingFindings, PagingFindings, find_article_paging, find_paging
from webarticlecurator.learning.posts import find_posts
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned, Proposal
from webarticlecurator.urls import normalise

ARCHIVE, ARTICLES, METADATA = "archive", "articles", "metadata"
PARTS = (ARCHIVE, ARTICLES, METADATA)
_OF_ARCHIVE_PAGES = ("item", "link", "next", "format")
_READABLE = (ArchiveFormat.HTML, ArchiveFormat.JSON)
_MOST_DIFFERENT = 3

T = TypeVar("T")
Tell = Callable[[str], None]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesToLearnFrom:
    """Stored pages of a portal."""

    archive: Mapping[str, tuple[Page, ...]] = field(default_factory=dict)
    """By the name of their column, in the order of the walk."""
    articles: tuple[Page, ...] = ()
    listings: Mapping[str, Fields] = field(default_factory=dict)
    """What archive pages say of the articles, by URL."""
    truths: tuple[Truth, ...] = ()
    """What a person said of some articles."""


@dataclass(frozen=True, slots=True)
class _ArchiveFindings:
    """What the archive pages that share their rules show."""

    path: Path
    pages: tuple[Page, ...]
    links: LinkFindings
    as_good: bool
    """The rules of the portal file find the same links."""


class PortalFindings:
    """What was found; what is proposed depends on what a person answers."""

    def __init__(self, portal: Portal, pages: PagesToLearnFrom, *, parts: Sequence[str] = PARTS, examples: Sequence[str] = ()) -> None:
        self._portal = portal
        self._pages = pages
        self._parts = parts
        self._examples = examples
        self._archives: list[_ArchiveFindings] = []
        self._paging: dict[tuple[Path, int | None], PagingFindings] = {}
        self._proposals: list[Proposal] = []
        self._remarks: list[str] = []

    def find(self, tell: Tell, is_stopped: Callable[[], bool]) -> bool:
        """Ask all finders; False where that was stopped before the last. `tell` hears what is being looked for."""
        steps: dict[str, tuple[tuple[str, Callable[[], None]], ...]] = {
            ARCHIVE: (("links of archive pages", self._find_archives), ("addresses", self._find_cleaning)),
            ARTICLES: (("bodies", self._find_bodies), ("further pages of articles", self._find_article_paging)),
            METADATA: (("metadata", self._find_metadata), ("posts", self._find_posts)),
        }
        for what, find in chain.from_iterable(steps[part] for part in PARTS if part in self._parts):
            if is_stopped():
                return False
            tell(what)
            self._carefully(what, find)
        return not is_stopped()

    def learned(self, answers: Mapping[str, int]) -> Learned:
        """The proposals, each name once."""
        asked = (self._carefully("paging", partial(self._of_archive, found, answers)) for found in self._archives)
        archive = [one for some in asked for one in some or ()]
        by_name = {one.name: one for one in reversed([*archive, *self._proposals])}
        pages = sum(map(len, self._pages.archive.values())) + len(self._pages.articles)
        return Learned(proposals=tuple(reversed(by_name.values())), remarks=tuple(dict.fromkeys(self._remarks)), pages=pages)

    def _carefully(self, what: str, find: Callable[[], T]) -> T | None:
        """A page may be anything, and one of them must not end the whole."""
        try:
            return find()
        except PatternTimeout as problem:
            self._remarks.append(f"{what} could not be learned: {problem}")
        except (MemoryError, OSError):
            raise
        except Exception as error:
            self._remarks.append(f"{what} could not be learned: {reason_of(error)}")
        return None

    def _take(self, learned: Learned) -> None:
        self._proposals += learned.proposals
        self._remarks += learned.remarks

    # --- archive pages ---

    def _find_archives(self) -> None:
        for path, pages in self._archive_groups():
            links = find_links(pages, examples=self._examples, portal=self._portal)
            self._remarks += links.remarks
            as_good = bool(links.rules) and all(
                frozenset(self._present_links(page)) == frozenset(found)
                for page, found in zip(links.pages, links.rules[0].found, strict=True)
            )
            self._archives.append(_ArchiveFindings(path, pages, links, as_good))

    def _archive_groups(self) -> Iterator[tuple[Path, tuple[Page, ...]]]:
        """Pages by the place of the file at which their rules stand: columns that have some of their own, and all others together."""
        rules = FileRules(self._portal)
        shared: list[tuple[Page, ...]] = []
        for name, pages in self._pages.archive.items():
            if any(rules.own_value(("columns", name, key)) is not ABSENT for key in _OF_ARCHIVE_PAGES):
                yield ("columns", name), pages
            else:
                shared.append(pages)
        if any(shared):
            yield (ARCHIVE,), tuple(page for some in zip_longest(*shared) for page in some if page is not None)

    def _of_archive(self, found: _ArchiveFindings, answers: Mapping[str, int]) -> list[Proposal]:
        name = ".".join(found.path)
        answer = answers.get(f"{name}.link")
        links = [] if found.as_good and answer is None else list(link_proposals(found.links, found.path))
        paging = self._paging.get((found.path, answer))
        if paging is None:
            paging = self._paging[found.path, answer] = find_paging(found.pages, self._links_of(found, answer))
            self._remarks += paging.remarks
        is_settled = f"{name}.paging" not in answers and self._is_paged_so(paging, found.pages)
        return [*map(self._beside_present(found), links), *(() if is_settled else paging.proposals(found.path))]

    def _links_of(self, found: _ArchiveFindings, answer: int | None) -> Callable[[Page], frozenset[str]]:
        """The articles on a page: by the rules that will stand in the file."""
        has_rules = any(map(self._present_links, found.pages))
        if found.as_good or (has_rules and answer is None):
            return lambda page: frozenset(self._present_links(page))
        return lambda page: found.links.links_of(page, max(answer or 1, 1) - 1)

    def _beside_present(self, found: _ArchiveFindings) -> Callable[[Proposal], Proposal]:
        """The first choice of links beside what the rules of the file find now, if they find anything."""
        now = {url for page in found.links.pages for url in self._present_links(page)}

        def told(proposal: Proposal) -> Proposal:
            first = proposal.choices[0]
            if not now or not proposal.name.endswith(".link") or first.differs:
                return proposal
            learned = found.links.rules[0].urls
            more, less = [url for url in learned if url not in now], sorted(now.difference(learned))
            differs = (*(f"+ {url}" for url in more[:_MOST_DIFFERENT]), *(f"- {url}" for url in less[:_MOST_DIFFERENT]))
            reason = f"{first.reason}; beside the rules of the file {len(more)} more and {len(less)} fewer"
            return replace(proposal, choices=(replace(first, differs=differs, reason=reason), *proposal.choices[1:]))

        return told

    def _find_cleaning(self) -> None:
        if self._archives:
            pages = [page for found in self._archives for page in found.pages]
            links_of = self._links_of(self._archives[0], None)
            self._proposals += find_url_cleaning(pages, self._pages.articles, links_of=links_of)

    def _present_links(self, page: Page) -> tuple[str, ...]:
        column = self._column(page)
        return () if column is None else tuple(link.url for link in read_archive_page(page, column, self._portal).articles)

    def _is_paged_so(self, found: PagingFindings, pages: Iterable[Page]) -> bool:
        """Whether the file's own rules lead to the same pages; rules that count also ask for the page behind the last one."""
        said = False
        for page in pages:
            column = self._column(page)
            if column is None:
                return False
            next_url = read_archive_page(page, column, self._portal).next_url
            following = found.next_of(page)
            said = said or next_url is not None
            if _normal(next_url) != _normal(following):
                return False
        return said

    def _column(self, page: Page) -> Column | None:
        """Whose archive page it is."""
        portal = self._portal
        own = next((name for name, pages in self._pages.archive.items() if page in pages), None)
        named = next((column for column in portal.columns if column.name == own), None)
        return (
            named
            or fitting_column(portal, page.requested_url)
            or portal.archive
            or (likeliest_column(portal, page.url) if portal.columns else None)
        )

    # --- articles ---

    def _find_bodies(self) -> None:
        if self._pages.articles:
            found = find_bodies(self._pages.articles, self._pages.truths, portal=self._portal, listings=self._pages.listings)
            self._take(found.learned)

    def _find_article_paging(self) -> None:
        found = find_article_paging(self._pages.articles)
        if found.choices and not self._is_continued_so(found):
            self._proposals += found.proposals()

    def _is_continued_so(self, found: ArticlePagingFindings) -> bool:
        """Whether `articles.next` of the file leads to the same pages."""
        rules = self._portal.articles.next
        return rules is not None and all(
            _normal(next_article_page(page, self._portal, ())) == _normal(found.next_of(page)) for page in self._pages.articles
        )

    # --- metadata and posts ---

    def _find_metadata(self) -> None:
        if self._pages.articles:
            self._take(find_metadata(self._pages.articles, self._portal).learned)

    def _find_posts(self) -> None:
        if self._pages.articles:
            self._take(find_posts(self._pages.articles, self._portal))


def is_learned_from(column: Column) -> bool:
    """Whether its pages have links that rules pick: feeds, sitemaps and lists of addresses have not."""
    return column.format in _READABLE


def _normal(url: str | None) -> str | None:
    return None if url is None else normalise(url)
