"""Joins the stages that learn rules from stored pages: which pages are read, of a corpus or of any files, and what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from threading import Event as Flag

import orjson

from webarticlecurator.config.expectations import load_expectations
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal, fitting_column
from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.archive_sample import archive_sample
from webarticlecurator.corpus.folder import corpus_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.saved_pages import saved_page
from webarticlecurator.corpus.stored_pages import StoredPages
from webarticlecurator.corpus.ways import walked_to_end
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.article import read_article
from webarticlecurator.learning.answers import LearnedFile, check_answers, learned_file
from webarticlecurator.learning.bodies.known_texts import Truth, truths_in
from webarticlecurator.learning.file_rules import ABSENT, FileRules
from webarticlecurator.learning.portal_findings import ARCHIVE, ARTICLES, PARTS, PagesToLearnFrom, PortalFindings
from webarticlecurator.model.capture import Request
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.model.proposals import Learned
from webarticlecurator.portal_tests import tests_file
from webarticlecurator.survey.stored_page_sample import Stored, StoredPage, StoredPageReader, StoredPageSample, corpus_sample, warc_pages
from webarticlecurator.trial import next_page
from webarticlecurator.urls import same_page
from webarticlecurator.warc.records import Damage

ARCHIVE_PAGES, ARTICLE_PAGES = 48, 40
"""Pages that are read, of each kind; of more, the finders learn nothing more."""
MOST_WEIGHT = {ARCHIVE: 40_000_000, ARTICLES: 60_000_000}
"""Bytes of memory, about, of all pages of a kind together."""
LARGEST = 15_000_000
"""Of one page."""
_TOO_LARGE = "it is too large to be learned from"
_OF_AN_ELEMENT = 400
_STRIDE = 4
_MOST_TOLD = 20
"""Pages of tests.yaml that are read."""
_MOST_LOOKED_AT = 1_000
_SECTIONS = frozenset({"archive", "columns", "articles", "metadata", "body", "layouts", "posts"})
"""Of a portal file, in which proposals may stand; with good rules there are none."""
_READABLE = (ArchiveFormat.HTML, ArchiveFormat.JSON)
"""Archive pages that have links which rules pick: feeds, sitemaps and lists of addresses have not."""
PHASE = "learn"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """The flags of `learn`."""

    parts: tuple[str, ...] = PARTS
    examples: tuple[str, ...] = ()
    """Addresses that are known to be articles'."""
    from_urls: tuple[str, ...] = ()
    """Pages that the rules read rightly, or that tests.yaml tells of."""


@dataclass(frozen=True, slots=True)
class Learning:
    """What the pages show, ready for answers."""

    portal: Portal
    findings: PortalFindings
    pages: PagesToLearnFrom
    of_archive_pages: int
    of_articles: int
    remarks: tuple[str, ...]
    complete: bool
    """False: interrupted."""

    def learned(self, answers: Mapping[str, int], only: Sequence[str] = ()) -> Learned:
        """The proposals with these answers; `only`: those of these names, or below them (`archive`, `metadata.author`)."""
        found = self.findings.learned(answers)
        chosen = tuple(one for one in found.proposals if not only or any(_is_named(one.name, one.path, name) for name in only))
        none = f"--only {' '.join(only)}: there is no proposal of that name"
        if only and not chosen and not any(name.partition(".")[0] in _SECTIONS or name in FIELDS for name in only):
            known = ", ".join(sorted(one.name for one in found.proposals)) or "none"
            raise UsageError(f"{none}; those of this run are: {known}.")
        missing = (f"{none}, so nothing is to be changed there",) if only and not chosen else ()
        there = [f"{name}: the file says it already" for name, number in answers.items() if self._is_settled(name, number, found)]
        return Learned(proposals=chosen, remarks=(*there, *missing, *self.remarks, *found.remarks))

    def file(self, learned: Learned, answers: Mapping[str, int]) -> LearnedFile:
        """The portal file with what is sure, and what was answered. Raises UsageError for an answer to nothing."""
        names = {one.name for one in learned.proposals}
        check_answers(learned.proposals, {name: number for name, number in answers.items() if name in names or not self._says(name)})
        return learned_file(self.portal, learned.proposals, answers)

    def _is_settled(self, name: str, number: int, found: Learned) -> bool:
        """Whether an answer asks for what the file has: another run may have written it."""
        proposal = next((one for one in found.proposals if one.name == name), None)
        if proposal is None:
            return self._says(name)
        return 0 < number <= len(proposal.choices) and FileRules(self.portal).says(proposal, proposal.choices[number - 1])

    def _says(self, name: str) -> bool:
        """Whether the portal file has a rule where a proposal of that name would stand."""
        path = ("metadata", name) if name in FIELDS else tuple(name.split("."))
        return FileRules(self.portal).own_value(path) is not ABSENT


def _is_named(name: str, path: Sequence[str], wanted: str) -> bool:
    return any(one == wanted or one.startswith(f"{wanted}.") for one in (name, ".".join(path)))


def learn(
    portal: Portal,
    stored: StoredPages,
    *,
    corpus: Path | None = None,
    warcs: Sequence[Path] = (),
    html: Sequence[Path] = (),
    options: LearnOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Learning:
    """Read some pages, and ask all finders. `stored`: where pages that are named by their address come from.

    Raises UsageError where there is nothing to learn from.
    """
    sampling = _Sampling(portal, stored, options or LearnOptions(), progress or Silent(), stop or Flag())
    if html:
        sampling.take_files(html)
    elif warcs:
        sampling.take_warcs(warcs)
    else:
        sampling.take_corpus(corpus)
    pages = sampling.pages()
    if not pages.articles and not any(pages.archive.values()) and not sampling.stop.is_set():
        raise UsageError(
            " ".join((f"Nothing is stored of {portal.name} that could be learned from.", *(f"{one}." for one in sampling.remarks)))
            + " WARC files and saved pages may hold pages, too.",
            advice="crawl",
        )
    findings = PortalFindings(portal, pages, next_page, parts=sampling.options.parts, examples=sampling.options.examples)
    complete = findings.find(sampling.show, sampling.stop.is_set)
    return Learning(portal, findings, pages, sampling.of_archive_pages, sampling.of_articles, tuple(sampling.remarks), complete)


@dataclass
class _Sampling:
    """Chooses pages, and reads them, as long as there is room for more."""

    portal: Portal
    stored: StoredPages
    options: LearnOptions
    progress: Progress
    stop: Flag
    archive: dict[str, list[Page]] = field(default_factory=dict)
    walked: dict[str, int] = field(default_factory=dict)
    articles: dict[str, Page] = field(default_factory=dict)
    listings: dict[str, Fields] = field(default_factory=dict)
    truths: list[Truth] = field(default_factory=list)
    confirmed: dict[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    of_archive_pages: int = 0
    of_articles: int = 0
    _weight: Counter[str] = field(default_factory=Counter)
    """Of the pages of each kind that were taken."""
    _unread: dict[str, int] = field(default_factory=dict)

    def pages(self) -> PagesToLearnFrom:
        """All that was taken."""
        self.remarks += [f"{count} stored page{'s' if count > 1 else ''} could not be used: {why}" for why, count in self._unread.items()]
        return PagesToLearnFrom(
            archive={name: tuple(pages) for name, pages in self.archive.items()},
            walked=self.walked,
            articles=tuple(self.articles.values()),
            listings=self.listings,
            truths=tuple(self.truths),
            confirmed=self.confirmed,
        )

    def show(self, doing: str) -> None:
        """How far it is."""
        archive = sum(map(len, self.archive.values()))
        self.progress.show(Snapshot(portal=self.portal.name, phase=PHASE, doing=doing, archive_pages=archive, articles=len(self.articles)))

    # --- where pages come from ---

    def take_corpus(self, folder: Path | None) -> None:
        """Of a corpus with its ledger."""
        corpus = corpus_of(self.portal, folder)
        if not corpus.ledger.exists():
            self.take_warcs(corpus.warc_files())
            return
        if ARCHIVE in self.options.parts:
            with Ledger.reading(corpus.ledger) as ledger:
                sample, self.of_archive_pages = archive_sample(ledger, ARCHIVE_PAGES)
                others = numbers.looked_at(ledger, _MOST_LOOKED_AT) if not sample else []
                self.walked = walked_to_end(self.portal.columns, ledger)
            by_name = {one.name: one for one in self.portal.columns}
            for one in zip_longest(*([(name, url) for url in urls] for name, urls in sample.items())):
                for name, url in filter(None, one):  # of each column one, so that none is left out where room is short
                    self._take_archive_page(url, by_name.get(name) or fitting_column(self.portal, url))
            fitting = [(url, column) for url in others if (column := fitting_column(self.portal, url)) is not None]
            self.of_archive_pages += len(fitting)
            for url, column in fitting[:ARCHIVE_PAGES]:
                self._take_archive_page(url, column)
        self._take_told_pages()
        with corpus_sample(corpus, self.portal, ARTICLE_PAGES) as pages:
            self._take_articles(pages)

    def take_warcs(self, files: Sequence[Path]) -> None:
        """Of WARC files of any program: what fits the address of a column is an archive page, all else may be an article."""
        if ARCHIVE in self.options.parts:
            with StoredPageSample(self._in_files(files, self._is_archive_page, "archive-page"), ARCHIVE_PAGES) as pages:
                self.of_archive_pages = pages.of_pages
                for one in pages:
                    self._take_archive_page(one.url, fitting_column(self.portal, one.url))
        self._take_told_pages()
        with StoredPageSample(self._in_files(files, self._may_be_article, "article"), ARTICLE_PAGES) as pages:
            self._take_articles(pages)

    def take_files(self, files: Sequence[Path]) -> None:
        """Pages as a browser saved them; each tells its address itself."""
        for page in map(saved_page, files):
            column = fitting_column(self.portal, page.url)
            self.of_archive_pages += column is not None
            self.of_articles += column is None
            if column is not None and self._has_room(ARCHIVE) and self._has_room_for(page, ARCHIVE):
                self.archive.setdefault(column.name, []).append(page)
            elif column is None and self._has_room(ARTICLES) and self._has_room_for(page, ARTICLES):
                self.articles.setdefault(page.url, page)

    def _in_files(self, files: Sequence[Path], wanted: Callable[[str], bool], kind: str) -> Iterator[Stored]:
        return warc_pages(files, self.portal, is_article=wanted, on_damage=self._tell, kind=kind)

    def _is_archive_page(self, url: str) -> bool:
        return fitting_column(self.portal, url) is not None

    def _may_be_article(self, url: str) -> bool:
        skipped = any(pattern.search(url) for pattern in self.portal.articles.skip.url)
        return not skipped and not same_page(url, self.portal.home) and not self._is_archive_page(url)

    def _tell(self, damage: Damage) -> None:
        self.progress.say(self.portal.name, str(damage))

    # --- pages ---

    def _take_archive_page(self, url: str, column: Column | None) -> None:
        if column is None or column.format not in _READABLE or not self._has_room(ARCHIVE):
            return
        capture = self.stored.fetch(Request(url=url)).capture
        if capture is None:
            self._not_read("an archive page is not stored as it was asked for")
            return
        page = read_page(capture, encoding=self.portal.fetch.encoding, format=column.format.value)
        if isinstance(page, NoPage):
            self._not_read(page.reason)
        elif self._has_room_for(page, ARCHIVE):
            self.archive.setdefault(column.name, []).append(page)
        self.show(f"archive pages of {column.name}")

    def _take_articles(self, sample: StoredPageSample) -> None:
        """All but lists of articles, which a sitemap names, too; where most are said to be lists, the rules may be wrong, not the pages."""
        self.of_articles = sample.of_pages
        lists: list[tuple[StoredPage, Page]] = []
        with closing(StoredPageReader(self.portal)) as reader:
            stored = list(sample)  # they come in the order of time: where room is short, some of all times are taken
            for one in (one for first in range(_STRIDE) for one in stored[first::_STRIDE]):
                if not self._has_room(ARTICLES):
                    break
                page = reader.read(one)
                if isinstance(page, NoPage):
                    self._not_read(page.reason)
                elif one.url not in self.articles:
                    if self._is_list(one, page):
                        lists.append((one, page))
                    else:
                        self._keep(one, page)
                self.show("articles")
        most = len(lists) > len(self.articles)
        for found in lists:
            if most:
                self._keep(*found)
            else:
                self._not_read("it is a list of articles")

    def _is_list(self, one: StoredPage, page: Page) -> bool:
        read = read_article([page], self.portal, id="page", identity=one.url, url=one.url, listing=one.listing)
        return read.outcome is PageOutcome.LISTING

    def _keep(self, one: StoredPage, page: Page) -> None:
        if self._has_room_for(page, ARTICLES):
            self.articles[one.url] = page
            self.listings[one.url] = one.listing

    def _take_told_pages(self) -> None:
        """What a person has put right: expectations of articles, and the pages that were named."""
        file = tests_file(self.portal)
        told = [one for one in load_expectations(file) if one.kind == "article"] if file.is_file() else []
        for url in self.options.from_urls:
            if (why := self._take_article(url)) is not None:
                raise UsageError(f"--from {url}: {why}.")
        self.truths += [self._as_read(url) for url in self.options.from_urls if url not in {one.url for one in told if one.contains}]
        stored = [one for one in islice(told, _MOST_TOLD) if self._take_article(one.url) is None]
        self.truths += truths_in(stored)
        self.confirmed |= {one.url: _readable(one.metadata) for one in stored}
        if len(told) > _MOST_TOLD:
            self.remarks.append(f"of {len(told)} pages in {file.name} the first {_MOST_TOLD} were read")

    def _take_article(self, url: str) -> str | None:
        """A page that is named by its address; gives why it could not be taken."""
        if url in self.articles:
            return None
        fetched = self.stored.fetch(Request(url=url))
        if fetched.capture is None:
            return fetched.verdict.reason
        page = read_page(fetched.capture, encoding=self.portal.fetch.encoding, format=self.portal.articles.format)
        if isinstance(page, NoPage):
            self._not_read(page.reason)
            return page.reason
        if not self._has_room_for(page, ARTICLES):
            return _TOO_LARGE
        self.articles[url] = page
        self.listings[url] = self.stored.listing(url)
        return None

    def _as_read(self, url: str) -> Truth:
        """What the rules of the file make of a page, which a person says is right."""
        read = read_article([self.articles[url]], self.portal, id="page", identity=url, url=url, listing=self.listings[url])
        return Truth(url=url, text=str(read.to_dict()["text"]))

    def _has_room(self, kind: str) -> bool:
        if self._weight[kind] > MOST_WEIGHT[kind]:
            self._not_read("those before them are so large that there was no room for more")
        return self._weight[kind] <= MOST_WEIGHT[kind] and not self.stop.is_set()

    def _has_room_for(self, page: Page, kind: str) -> bool:
        weight = _weight(page)
        if weight > LARGEST:
            self._not_read(_TOO_LARGE)
            return False
        self._weight[kind] += weight
        return True

    def _not_read(self, why: str) -> None:
        self._unread[why] = self._unread.get(why, 0) + 1


def _weight(page: Page) -> int:
    """Bytes of memory, about."""
    if page.tree is None:
        return len(orjson.dumps(page.json, default=str)) * 2
    return sum(_OF_AN_ELEMENT + len(one.text or "") + len(one.tail or "") for one in page.tree.iter())


def _readable(metadata: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Without values of which a file for strangers tells only the hash."""
    return {name: values for name, values in metadata.items() if not any(value.startswith("sha256:") for value in values)}
