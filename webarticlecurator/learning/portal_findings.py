"""All that stored pages of a portal show of its rules: the finders one after the other, and what they propose
together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from webarticlecurator.config.expectations import Expectation
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.databases import Row
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.archive_page import read_archive_page
from webarticlecurator.extraction.article_pages import next_article_page
from webarticlecurator.learning.bodies import find_bodies
from webarticlecurator.learning.field_rules import find_metadata
from webarticlecurator.learning.file_rules import ABSENT, FileRules, Path
from webarticlecurator.learning.links.find_links import LinkFindings, find_links
from webarticlecurator.learning.links.find_links import proposals as link_proposals
from webarticlecurator.learning.paging.find_paging import (
    PagingRule,
    find_article_paging,
    find_paging,
    paging_proposal,
)
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.links import ArchivePage, Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Proposal
from webarticlecurator.program_faults import reason_of
from webarticlecurator.urls import normalise

ARCHIVE, ARTICLES, METADATA = "archive", "articles", "metadata"
PARTS = (ARCHIVE, ARTICLES, METADATA)
_OF_LINKS, _OF_PAGING = ("item", "link", "format"), ("next", "pages")
_MOST_DIFFERENT = 3

NextPage = Callable[[str, ArchivePage, Column], str | None]
"""The next page of a column, by what was read of one of its pages."""


@dataclass(slots=True, kw_only=True)
class PagesToLearnFrom:
    """Stored pages of a portal."""

    archive: dict[str, list[Page]] = field(default_factory=dict)
    """By the name of their column, in the order of the walk."""
    walked: Mapping[str, int] = field(default_factory=dict)
    """Column that was walked to a proved or known end by the rules of the file -> archive pages that gave
    links on its longest walk."""
    articles: dict[str, Page] = field(default_factory=dict)
    """By URL."""
    listings: dict[str, Fields] = field(default_factory=dict)
    """Fields of the articles on archive pages, by URL."""
    truths: dict[str, Expectation | str] = field(default_factory=dict)
    """A person's answers on the texts of some articles, by URL: all of the text, or what is expected of it.
    """
    confirmed: dict[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Answers on their metadata, by URL and field."""
    of_archive_pages: int = 0
    """The number of pages that there are, of which these are some."""
    of_articles: int = 0


class PortalFindings:
    """Finds what the pages show, beside what the file says."""

    def __init__(
        self,
        portal: Portal,
        pages: PagesToLearnFrom,
        next_page: NextPage,
        *,
        parts: Sequence[str] = PARTS,
        examples: Sequence[str] = (),
    ) -> None:
        self._portal, self._pages, self._next_page, self._parts, self._examples = (
            portal,
            pages,
            next_page,
            parts,
            examples,
        )
        self._rules = FileRules(portal)
        self._archives: list[Row] = []
        """Findings on archive pages that share their rules for links: the `path` of these, `pages` by
        columns, `links`, and whether the rules of the portal file, which find the same links, are `as_good`.
        """
        self._read: dict[Page, ArchivePage | None] = {}

    def find(self, tell: Callable[[str], None], is_stopped: Callable[[], bool]) -> Learned:
        """Return what all finders propose, each name once, until that is stopped; `tell` hears what is being
        looked for."""
        steps: list[tuple[str, str, Callable[[], Learned]]] = [
            (ARCHIVE, "links of archive pages", self._find_archives),
            (ARCHIVE, "further archive pages", self._find_paging),
            (ARCHIVE, "addresses", self._find_cleaning),
        ]
        if articles := [*self._pages.articles.values()]:
            portal, pages = self._portal, self._pages
            steps += [
                (
                    ARTICLES,
                    "bodies",
                    lambda: find_bodies(articles, pages.truths, portal=portal, listings=pages.listings),
                ),
                (ARTICLES, "further pages of articles", self._find_article_paging),
                (
                    METADATA,
                    "metadata",
                    lambda: find_metadata(
                        articles, portal, confirmed=pages.confirmed, listings=pages.listings
                    ),
                ),
            ]
        proposals, remarks = dict[str, Proposal](), list[str]()
        for part, what, find in steps:
            if part not in self._parts or is_stopped():
                continue
            tell(what)
            try:
                learned = find()
            except PatternTimeout as problem:
                remarks.append(f"{what} could not be learned: {problem}")
            except (MemoryError, OSError):
                raise
            except Exception as error:  # a page may be anything, and one of them must not end the whole
                remarks.append(f"{what} could not be learned: {reason_of(error)}")
            else:
                remarks += learned.remarks
                for proposal in learned.proposals:
                    proposals.setdefault(proposal.name, proposal)
        return Learned(proposals=tuple(proposals.values()), remarks=tuple(dict.fromkeys(remarks)))

    def _find_article_paging(self) -> Learned:
        articles = [*self._pages.articles.values()]
        proposals, following = find_article_paging(articles, self._pages.listings)
        is_settled = self._portal.articles.next is not None and all(
            normalise(next_article_page(page, self._portal, ()) or "")
            == normalise(following.get(page.requested_url) or "")
            for page in articles
        )
        return Learned(proposals=tuple(replace(proposal, is_settled=is_settled) for proposal in proposals))

    def _find_archives(self) -> Learned:
        groups, remarks = defaultdict[Path, dict[str, Sequence[Page]]](dict), list[str]()
        """Pages by the place of the file at which the rules for their links stand: of columns that have their
        own, and of all others."""
        for name, of_column in self._pages.archive.items():
            path = self._column_path(name)
            groups[path if self._has_own(path, _OF_LINKS) else (ARCHIVE,)][name] = of_column
        for path, pages in sorted(groups.items(), key=lambda group: group[0] == (ARCHIVE,)):
            links = self._links_in(pages)
            missed = {
                name: some
                for name, some in pages.items()
                if len(pages) > 1 and not any(map(links.links_of, some))
            }
            remarks += self._add_archive(
                path, {name: some for name, some in pages.items() if name not in missed}, links
            )
            for name, some in missed.items():  # another template than the others, or empty pages
                own = {name: some}
                remarks += self._add_archive(self._column_path(name), own, self._links_in(own))
        return Learned(proposals=tuple(self._of_links()), remarks=tuple(remarks))

    def _has_own(self, path: Path, keys: Sequence[str]) -> bool:
        return any(self._rules.own_value((*path, key)) is not ABSENT for key in keys)

    def _column_path(self, name: str) -> Path:
        """Return where the rules of one column stand; of columns that are only names, all rules stand in
        `archive`."""
        return ("columns", name) if isinstance(self._rules.value(("columns",)), Mapping) else (ARCHIVE,)

    def _links_in(self, pages: Mapping[str, Sequence[Page]]) -> LinkFindings:
        mixed = [page for some in zip_longest(*pages.values()) for page in some if page is not None]
        return find_links(mixed, examples=self._examples, portal=self._portal)

    def _add_archive(
        self, path: Path, pages: Mapping[str, Sequence[Page]], links: LinkFindings
    ) -> Iterator[str]:
        pairs = zip(links.pages, links.rules[0].found, strict=True) if links.rules else ()
        as_good = bool(links.rules) and all(
            self._present_links(page) == frozenset(urls) for page, urls in pairs
        )
        self._archives.append(Row(path=path, pages=pages, links=links, as_good=as_good))
        return (f"{'.'.join(path)}: {remark}" for remark in links.remarks)

    def _of_links(self) -> Iterator[Proposal]:
        # what a column inherits from `archive` may be about to change
        archive_stays = all(archive.as_good for archive in self._archives if archive.path == (ARCHIVE,))
        for archive in self._archives:
            inherits = archive.path != (ARCHIVE,) and not self._has_own(archive.path, _OF_LINKS)
            is_settled = archive.as_good and (archive_stays or not inherits)
            # the first choice beside what the rules of the file find now, if they find anything
            now = frozenset[str]().union(*map(self._present_links, archive.links.pages))
            for proposal in link_proposals(archive.links, archive.path):
                first, *others = proposal.choices
                if now:
                    learned = archive.links.rules[0].urls
                    more, less = [url for url in learned if url not in now], sorted(now.difference(learned))
                    differs = (
                        *(f"+ {url}" for url in more[:_MOST_DIFFERENT]),
                        *(f"- {url}" for url in less[:_MOST_DIFFERENT]),
                    )
                    reason = (
                        f"{first.reason}; beside the rules of the file {len(more)} more and {len(less)} fewer"
                    )
                    first = replace(first, differs=differs, reason=reason)
                yield replace(proposal, is_settled=is_settled, choices=(first, *others))

    def _find_paging(self) -> Learned:
        """One proposal for `archive`, where all columns get the same, and none has paging of its own that
        would hide it."""
        remarks = list[str]()
        of_columns = (
            (archive, name, pages) for archive in self._archives for name, pages in archive.pages.items()
        )
        paging = [proposal for each in of_columns for proposal in self._of_column_paging(*each, remarks)]
        columns = len({proposal.path for proposal in paging})
        differ = any(proposal.choices[0].value != paging[0].choices[0].value for proposal in paging)
        own = any(self._has_own(self._column_path(name), _OF_PAGING) for name in self._pages.archive)
        if columns >= max(2, len(self._pages.archive)) and not differ and not own:
            first, *others = paging[0].choices
            first = replace(
                first, reason=f"in each of {columns} columns; {paging[0].path[-1]}: {first.reason}"
            )
            is_settled = all(proposal.is_settled for proposal in paging)
            paging = [
                replace(
                    paging[0],
                    name=f"{ARCHIVE}.paging",
                    path=(ARCHIVE,),
                    choices=(first, *others),
                    is_settled=is_settled,
                )
            ]
        paging.sort(
            key=lambda proposal: proposal.is_settled
        )  # of columns that are only names all have one name
        return Learned(proposals=tuple(paging), remarks=tuple(remarks))

    def _of_column_paging(
        self, archive: Row, name: str, pages: Sequence[Page], remarks: list[str]
    ) -> Sequence[Proposal]:
        """By the links that are learned, whatever the file says; `remarks` gets why no way was found.

        Nothing where the rules of the file have led from page to page to the end; that the only page was read
        shows no such thing.
        """
        path, walked = self._column_path(name), self._pages.walked.get(name, 0)
        if walked > 1:
            return ()
        rules, remark = find_paging(pages, archive.links.links_of)
        if remark and not walked:
            remarks.append(f"{'.'.join(path)}: {remark}")
        proposals = (
            [replace(paging_proposal(rules, path), is_settled=self._is_paged_so(rules[0], pages))]
            if rules
            else []
        )
        # the address of one column or section, and what counts in it, is none for the others
        if self._rules.value((*path, "sections")) is not ABSENT or (
            path == (ARCHIVE,) and len(self._pages.archive) > 1
        ):
            rest = (
                replace(each, choices=tuple(choice for choice in each.choices if not _counts(choice)))
                for each in proposals
            )
            proposals = [_without(each, "url") for each in rest if each.choices]
        # what the file says of dates is more than pages show: where it ends, and its steps
        return [
            _without(each, "dates") if self._rules.value((*each.path, "dates")) is not ABSENT else each
            for each in proposals
        ]

    def _find_cleaning(self) -> Learned:
        links = {
            page: archive.links
            for archive in self._archives
            for some in archive.pages.values()
            for page in some
        }
        if not links:
            return Learned()
        articles = [*self._pages.articles.values()]
        return Learned(
            proposals=find_url_cleaning([*links], articles, links_of=lambda page: links[page].links_of(page))
        )

    def _present_links(self, page: Page) -> frozenset[str]:
        read = self._present(page)
        return frozenset() if read is None else frozenset(link.url for link in read.articles)

    def _present(self, page: Page) -> ArchivePage | None:
        """Return what the rules of the file make of an archive page."""
        if page not in self._read:
            column = self._column(page)
            self._read[page] = None if column is None else read_archive_page(page, column, self._portal)
        return self._read[page]

    def _is_paged_so(self, best: PagingRule, pages: Sequence[Page]) -> bool:
        """Say whether the file's own rules lead to the same pages as the best of those that were found.

        Rules that count name no page behind the last one, and addresses alone do not show which that is.
        """
        for page in pages:
            column, read = self._column(page), self._present(page)
            if column is None or read is None:
                return False
            following, learned = (
                self._next_page(page.requested_url, read, column),
                best.following.get(page.requested_url),
            )
            one_ends = learned is None or (following is None and bool(read.articles))
            if normalise(following or "") != normalise(learned or "") and not (
                column.paging.mode.counts and one_ends
            ):
                return False
        return True

    def _column(self, page: Page) -> Column | None:
        """Whose archive page it is."""
        own = next((name for name, pages in self._pages.archive.items() if page in pages), None)
        return (
            next((column for column in self._portal.columns if column.name == own), None)
            or self._portal.archive
        )


def _counts(choice: Choice) -> bool:
    return isinstance(choice.value, Mapping) and "{page}" in str(choice.value.get("url"))


def _without(proposal: Proposal, key: str) -> Proposal:
    """Return what it says of all other keys."""
    values = (choice.value if isinstance(choice.value, Mapping) else {} for choice in proposal.choices)
    kept = ({name: inner for name, inner in value.items() if name != key} for value in values)
    return replace(
        proposal,
        choices=tuple(
            replace(choice, value=value) for choice, value in zip(proposal.choices, kept, strict=True)
        ),
    )
