"""All that stored pages of a portal show of its rules: the finders one after the other, and what they propose together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import TypeVar

from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.links import read_archive_page
from webarticlecurator.faults import reason_of
from webarticlecurator.learning.answers import State, learned_file
from webarticlecurator.learning.article_findings import ARCHIVE, PARTS, PagesToLearnFrom, finders_of
from webarticlecurator.learning.bodies.reading import Reader
from webarticlecurator.learning.file_rules import ABSENT, FileRules
from webarticlecurator.learning.links.find import find_links
from webarticlecurator.learning.links.findings import LinkFindings
from webarticlecurator.learning.links.findings import proposals as link_proposals
from webarticlecurator.learning.paging import PagingFindings, find_paging
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Proposal
from webarticlecurator.urls import normalise

_OF_LINKS = ("item", "link", "format")
_OF_PAGING = ("next", "pages")
_READABLE = (ArchiveFormat.HTML, ArchiveFormat.JSON)
_OF_DOCUMENTS = ("metadata", "body", "layouts", "posts")
"""Sections of the portal file that say what becomes of an article's own page."""
_MOST_DIFFERENT = 3
_FEWEST = 2
"""Pages from which a rule for one column alone is made: on a single one, a menu looks like a list."""

T = TypeVar("T")
Tell = Callable[[str], None]
NextPage = Callable[[str, ArchivePage, Column], str | None]
"""The next page of a column, by what was read of one of its pages."""
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ArchiveFindings:
    """What the archive pages that share their rules for links show."""

    path: Path
    pages: Mapping[str, tuple[Page, ...]]
    """By their columns."""
    links: LinkFindings
    as_good: bool
    """The rules of the portal file find the same links."""


class PortalFindings:
    """What was found; what is proposed depends on what a person answers."""

    def __init__(
        self, portal: Portal, pages: PagesToLearnFrom, next_page: NextPage, *, parts: Sequence[str] = PARTS, examples: Sequence[str] = ()
    ) -> None:
        self._next_page = next_page
        self._portal = portal
        self._pages = pages
        self._rules = FileRules(portal)
        self._parts = parts
        self._examples = examples
        self._archives: list[_ArchiveFindings] = []
        self._read: dict[Page, ArchivePage | None] = {}
        self._paging: dict[str, PagingFindings] = {}
        self._proposals: list[Proposal] = []
        self._remarks: list[str] = []

    def find(self, tell: Tell, is_stopped: Callable[[], bool]) -> bool:
        """Ask all finders; False where that was stopped before the last. `tell` hears what is being looked for."""
        steps: dict[str, Callable[[], None]] = {}
        if ARCHIVE in self._parts:
            steps = {"links of archive pages": self._find_archives, "addresses": self._find_cleaning}
        if self._pages.articles:
            steps |= {what: partial(self._take, find) for what, find in finders_of(self._parts).items()}
        for what, step in (*steps.items(), ("what answers would change", self._leave_out_idle)):
            if is_stopped():
                return False
            tell(what)
            self._carefully(what, step)
        return not is_stopped()

    def _take(self, find: Callable[[Portal, PagesToLearnFrom], Learned]) -> None:
        learned = find(self._portal, self._pages)
        self._proposals += learned.proposals
        self._remarks += learned.remarks

    def _leave_out_idle(self) -> None:
        idle = idle_questions(self._portal, self._pages, self._proposals)
        self._proposals = [one for one in self._proposals if one.name not in idle]

    def learned(self, answers: Mapping[str, int]) -> Learned:
        """The proposals, each name once."""
        archive = self._carefully("rules of archive pages", lambda: self._of_archives(answers)) or []
        by_name = {one.name: one for one in reversed([*archive, *self._proposals])}
        return Learned(proposals=tuple(reversed(by_name.values())), remarks=tuple(dict.fromkeys(self._remarks)))

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

    # --- archive pages ---

    def _find_archives(self) -> None:
        for path, pages in self._groups():
            links = self._links_in(pages)
            missed = {name: some for name, some in pages.items() if len(pages) > 1 and not any(map(links.links_of, some))}
            self._add_archive(path, {name: some for name, some in pages.items() if name not in missed}, links)
            for name, some in missed.items():  # another template than the others, or empty pages
                if len(some) < _FEWEST:
                    self._remarks.append(f"{name}: no articles were found on its {len(some)} page, which is too little to learn from")
                    continue
                own = {name: some}
                self._add_archive(self._column_path(name), own, self._links_in(own))

    def _groups(self) -> Iterator[tuple[Path, dict[str, tuple[Page, ...]]]]:
        """Pages by the place of the file at which the rules for their links stand: of columns that have their own, and of all others."""
        shared: dict[str, tuple[Page, ...]] = {}
        for name, pages in self._pages.archive.items():
            path = self._column_path(name)
            if path != (ARCHIVE,) and any(self._rules.own_value((*path, key)) is not ABSENT for key in _OF_LINKS):
                yield path, {name: pages}
            else:
                shared[name] = pages
        if shared:
            yield (ARCHIVE,), shared

    def _column_path(self, name: str) -> Path:
        """Where the rules of one column stand; of columns that are only names, all rules stand in `archive`."""
        return ("columns", name) if isinstance(self._rules.value(("columns",)), Mapping) else (ARCHIVE,)

    def _links_in(self, pages: Mapping[str, tuple[Page, ...]]) -> LinkFindings:
        mixed = [page for some in zip_longest(*pages.values()) for page in some if page is not None]
        return find_links(mixed, examples=self._examples, portal=self._portal)

    def _add_archive(self, path: Path, pages: Mapping[str, tuple[Page, ...]], links: LinkFindings) -> None:
        self._remarks += (f"{'.'.join(path)}: {remark}" for remark in links.remarks)
        found = zip(links.pages, links.rules[0].found, strict=True) if links.rules else ()
        as_good = bool(links.rules) and all(frozenset(self._present_links(page)) == frozenset(urls) for page, urls in found)
        self._archives.append(_ArchiveFindings(path, pages, links, as_good))

    def _of_archives(self, answers: Mapping[str, int]) -> list[Proposal]:
        proposals: list[Proposal] = []
        paging: list[Proposal] = []
        for found in self._archives:
            answer = answers.get(f"{'.'.join(found.path)}.link")
            if answer is not None or not self._is_settled(found):
                proposals += map(self._beside_present(found), link_proposals(found.links, found.path))
            for name, pages in found.pages.items():
                paging += self._of_paging(name, pages, found.links, answers)
        return [*proposals, *self._hoisted(paging)]

    def _is_settled(self, found: _ArchiveFindings) -> bool:
        """Whether the file finds the same links, and will: what a column inherits from `archive` may be about to change."""
        inherits = found.path != (ARCHIVE,) and all(self._rules.own_value((*found.path, key)) is ABSENT for key in _OF_LINKS)
        return found.as_good and not (inherits and any(not one.as_good for one in self._archives if one.path == (ARCHIVE,)))

    def _of_paging(self, name: str, pages: tuple[Page, ...], links: LinkFindings, answers: Mapping[str, int]) -> tuple[Proposal, ...]:
        """By the links that are learned, whatever the file says or a person answers: so a number means the same in every run.

        Nothing where the rules of the file have led from page to page to the end; that the only page was read shows no such thing.
        """
        path, walked = self._column_path(name), self._pages.walked.get(name, 0)
        if walked > 1:
            return ()
        found = self._paging.get(name) or find_paging(pages, links.links_of)
        if name not in self._paging:
            self._paging[name] = found
            self._remarks += () if walked else (f"{'.'.join(path)}: {remark}" for remark in found.remarks)
        proposals = found.proposals(path)
        is_settled = self._is_paged_so(found, pages) and not any(one.name in answers for one in proposals)
        if path == (ARCHIVE,) and len(self._pages.archive) > 1:  # the address of one column, and what counts in it, is none for the others
            rest = (replace(one, choices=tuple(choice for choice in one.choices if not _counts(choice))) for one in proposals)
            proposals = tuple(_without(one, "url") for one in rest if one.choices)
        return () if is_settled else tuple(map(self._with_own_dates, proposals))

    def _hoisted(self, paging: Sequence[Proposal]) -> list[Proposal]:
        """One proposal for `archive`, where all columns get the same, and none has paging of its own that would hide it."""
        columns = len({one.path for one in paging})
        differ = any(one.choices[0].value != paging[0].choices[0].value for one in paging)
        own = any(
            self._rules.own_value((*self._column_path(name), key)) is not ABSENT for name in self._pages.archive for key in _OF_PAGING
        )
        if columns < max(2, len(self._pages.archive)) or differ or own:
            return list(paging)
        first = paging[0]
        choice = replace(first.choices[0], reason=f"in each of {columns} columns; {first.path[-1]}: {first.choices[0].reason}")
        return [replace(first, name=f"{ARCHIVE}.paging", path=(ARCHIVE,), choices=(choice, *first.choices[1:]))]

    def _with_own_dates(self, proposal: Proposal) -> Proposal:
        """What the file says of dates is more than pages show: where it ends, and its steps."""
        if self._rules.value((*proposal.path, "dates")) is ABSENT:
            return proposal
        return _without(proposal, "dates")

    def _beside_present(self, found: _ArchiveFindings) -> Callable[[Proposal], Proposal]:
        """The first choice of links beside what the rules of the file find now, if they find anything."""
        now = {url for page in found.links.pages for url in self._present_links(page)}

        def told(proposal: Proposal) -> Proposal:
            first = proposal.choices[0]
            proposal = replace(proposal, is_idle=not now)
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
            pages = [page for found in self._archives for some in found.pages.values() for page in some]
            by_page = {id(page): found.links for found in self._archives for some in found.pages.values() for page in some}
            links_of = lambda page: by_page[id(page)].links_of(page)  # noqa: E731
            self._proposals += find_url_cleaning(pages, self._pages.articles, links_of=links_of)

    def _present_links(self, page: Page) -> tuple[str, ...]:
        read = self._present(page)
        return () if read is None else tuple(link.url for link in read.articles)

    def _present(self, page: Page) -> ArchivePage | None:
        """What the rules of the file make of an archive page."""
        if page not in self._read:
            column = self._column(page)
            self._read[page] = None if column is None else read_archive_page(page, column, self._portal)
        return self._read[page]

    def _is_paged_so(self, found: PagingFindings, pages: Iterable[Page]) -> bool:
        """Whether the file's own rules lead to the same pages.

        Rules that count name no page behind the last one, and addresses alone do not show which that is.
        """
        for page in pages:
            column, read = self._column(page), self._present(page)
            if column is None or read is None:
                return False
            following = self._next_page(page.requested_url, read, column)
            learned = found.next_of(page)
            one_ends = learned is None or (following is None and bool(read.articles))
            if _normal(following) != _normal(learned) and not (column.paging.mode.counts and one_ends):
                return False
        return True

    def _column(self, page: Page) -> Column | None:
        """Whose archive page it is."""
        portal = self._portal
        own = next((name for name, pages in self._pages.archive.items() if page in pages), None)
        named = next((column for column in portal.columns if column.name == own), None)
        return named or portal.archive


def idle_questions(portal: Portal, pages: PagesToLearnFrom, proposals: Iterable[Proposal]) -> set[str]:
    """Names of those whose best answer that is a rule leaves the documents of all articles as they are."""
    questions = [proposal for proposal in proposals if not proposal.sure and proposal.path[0] in _OF_DOCUMENTS]
    reader = Reader(portal, pages.listings)
    documents = [(page, _document(reader, page, portal)) for page in pages.articles] if questions else []
    idle = set()
    for proposal in questions:
        number = next((number for number, choice in enumerate(proposal.choices, start=1) if choice.value is not None), 0)
        file = learned_file(portal, [proposal], {proposal.name: number})
        if file.of(State.WRITTEN) and all(_document(reader, page, file.portal_after) == document for page, document in documents):
            idle.add(proposal.name)
    return idle


def _document(reader: Reader, page: Page, portal: Portal) -> tuple[object, ...]:
    """All of an article that its document would say by these rules; not where it was found."""
    article = reader.read(page, portal).article
    metadata = {name: [value.value for value in values] for name, values in article.metadata.items()}
    return article.outcome, article.type, article.language, metadata, article.blocks, article.posts


def is_learned_from(column: Column) -> bool:
    """Whether its pages have links that rules pick: feeds, sitemaps and lists of addresses have not."""
    return column.format in _READABLE


def _counts(choice: Choice) -> bool:
    return isinstance(choice.value, Mapping) and "{page}" in str(choice.value.get("url"))


def _without(proposal: Proposal, key: str) -> Proposal:
    """What it says of all other keys."""
    values = [choice.value for choice in proposal.choices]
    kept = ({name: inner for name, inner in value.items() if name != key} if isinstance(value, Mapping) else value for value in values)
    return replace(proposal, choices=tuple(replace(choice, value=value) for choice, value in zip(proposal.choices, kept, strict=True)))


def _normal(url: str | None) -> str | None:
    return None if url is None else normalise(url)
