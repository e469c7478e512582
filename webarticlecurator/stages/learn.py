"""Joins the stages that learn rules from stored pages: which pages are read, of a corpus or of any files, and
what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from pathlib import Path
from threading import Event as Flag
from typing import TypeVar

import orjson

from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.config.corrections import corrections_file, load_corrections
from webarticlecurator.config.expectations import HASH, Expectation, load_expectations
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal, column_of, fitting_column
from webarticlecurator.corpus import ledger_questions
from webarticlecurator.corpus.folder import corpus_of, crawled_corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_pages import PagesOfCorpus
from webarticlecurator.corpus.ways import walked_to_end
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.learning.bodies import truths_in
from webarticlecurator.learning.file_rules import ABSENT, FileRules
from webarticlecurator.learning.lines_to_write import NONE_OF_THEM, LearnedFile, State, learned_file
from webarticlecurator.learning.portal_findings import (
    ARCHIVE,
    ARTICLES,
    METADATA,
    PagesToLearnFrom,
    PortalFindings,
)
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Request
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.model.proposals import Learned
from webarticlecurator.stages.portal_tests import tested, tests_file
from webarticlecurator.stages.trial import next_page
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageReader, StoredPageSample

ARCHIVE_PAGES, ARTICLE_PAGES = 48, 40
"""Pages that are read, of each kind; of more, the finders learn nothing more."""
MOST_WEIGHT = {ARCHIVE: 40_000_000, ARTICLES: 60_000_000}
"""Bytes of memory, about, of all pages of a kind together."""
LARGEST = 15_000_000
"""The most bytes of memory, about, of one page."""
_TOO_LARGE = "it is too large to be learned from"
_STRIDE = 4
_FEWEST = 4
"""Archive pages of a column."""
_FEWEST_MENDED = 3
"""Articles of which one field was mended by hand, from which a rule may be learned."""
_MOST_EXPECTED = 20
"""Pages of tests.yaml that are read."""
PHASE = "learn"
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Learning:
    """Proposals from the pages of a portal, ready for answers."""

    portal: Portal
    learned: Learned
    pages: PagesToLearnFrom
    complete: bool
    """True if all was looked at; false: interrupted."""
    expected: tuple[Expectation, ...] = ()
    """The expectations of a person for some articles."""

    def file(self, answers: Mapping[str, int]) -> LearnedFile:
        """The portal file with what is sure, and what was answered. Raises UsageError for an answer to
        nothing."""
        by_name = {proposal.name: proposal for proposal in self.learned.proposals}
        known = ", ".join(sorted(by_name)) or "none"
        unknown = f"there is no proposal of that name; those of this run are: {known}."
        for name, number in answers.items():
            answer = f"--answer {name}={number}"
            if name in by_name:
                most = len(by_name[name].choices)
                is_choice = NONE_OF_THEM <= number <= most
                choices = f"{name} has the choices 1 to {most}, and 0 for none of them."
                if not is_choice:
                    raise UsageError(f"{answer}: {choices}")
            else:
                # what the file has already another run may have written
                path = ("metadata", name) if name in FIELDS else tuple(name.split("."))
                if FileRules(self.portal).own_value(path) is ABSENT:
                    raise UsageError(f"{answer}: {unknown}")
        return learned_file(self.portal, self.learned.proposals, answers)

    def unmet(self, file: LearnedFile, stored: PagesOfCorpus) -> list[str]:
        """A remark on the metadata and posts that are expected, if the new file gives them not, and no
        question is about them."""
        asked = {decision.proposal.name for decision in file.of(State.OPEN, State.DIFFERS)}
        names, pages = dict[str, None](), 0
        for page in tested(self.expected, file.portal_after, stored):
            differing = dict.fromkeys(difference.what.partition(".")[0] for difference in page.differences)
            unmet = [
                name
                for name in differing
                if name in (*FIELDS, "posts", "first_post", "last_post") and name not in asked
            ]
            names |= dict.fromkeys(unmet)
            pages += bool(unmet)
        expected = f"tests.yaml expects of {amount(pages, 'page')} what the rules do not give"
        proposed = f"no rule is proposed for it: {', '.join(names)}."
        how = "docs/how-to/article-rules.md says how to write rules"
        return those_that_hold((names, f"{expected}, and {proposed} {how}"))


def learn(
    portal: Portal,
    stored: PagesOfCorpus,
    *,
    corpus: Path | None,
    parts: Sequence[str],
    examples: Sequence[str],
    from_urls: Sequence[str],
    progress: Progress,
    stop: Flag,
) -> Learning:
    """Read some pages, and ask all finders. `stored`: where pages that are named by their address come from.

    `examples`: addresses that are known to be articles'; `from_urls`: pages that the rules read rightly, or
    that tests.yaml tells of. Raises UsageError where there is nothing to learn from.
    """
    sampling = _Sampling(portal, stored, parts, from_urls, progress, stop)
    sampling.take_corpus(corpus)
    pages = sampling.pages
    sampling.remarks += [
        f"{amount(count, 'stored page')} could not be used: {why}" for why, count in sampling.unread.items()
    ]
    if not pages.articles and not pages.archive and not stop.is_set():
        nothing = f"Nothing is stored of {portal.name} that could be learned from."
        remarks = (f"{remark}." for remark in sampling.remarks)
        raise UsageError(" ".join((nothing, *remarks, "WARC files may hold pages, too.")), advice="crawl")
    learned = PortalFindings(portal, pages, next_page, parts=parts, examples=examples).find(
        sampling.show, stop.is_set
    )
    learned, complete = replace(learned, remarks=(*sampling.remarks, *learned.remarks)), not stop.is_set()
    return Learning(
        portal, learned, pages, complete, tuple(sampling.expected) if METADATA in parts and complete else ()
    )


class _Sampling:
    """Chooses pages, and reads them, as long as there is room for more."""

    def __init__(
        self,
        portal: Portal,
        stored: PagesOfCorpus,
        parts: Sequence[str],
        from_urls: Sequence[str],
        progress: Progress,
        stop: Flag,
    ) -> None:
        self.portal, self.stored, self.parts, self.from_urls, self.progress, self.stop = (
            portal,
            stored,
            parts,
            from_urls,
            progress,
            stop,
        )
        self.pages = PagesToLearnFrom()
        self.remarks: list[str] = []
        self.unread = Counter[str]()
        """The reasons why pages could not be used."""
        self.expected: list[Expectation] = []
        """The expectations of articles that are stored."""
        self._weight = Counter[str]()
        """The bytes of memory, about, of all pages of each kind that were taken."""

    def show(self, doing: str) -> None:
        archive, articles = sum(map(len, self.pages.archive.values())), len(self.pages.articles)
        Work(self.portal.name, PHASE, self.progress).show(doing, articles, articles, archive_pages=archive)

    def take_corpus(self, folder: Path | None) -> None:
        """Take the pages of a corpus with its ledger."""
        if not corpus_of(self.portal, folder).is_begun:
            return
        corpus = crawled_corpus(self.portal, folder)
        if ARCHIVE in self.parts:
            with Ledger.reading(corpus.ledger) as ledger:
                sample, self.pages.of_archive_pages = _archive_sample(ledger)
                others = ledger_questions.looked_at(ledger, 1_000) if not sample else []
                self.pages.walked = walked_to_end(self.portal.columns, ledger)
            by_name = {column.name: column for column in self.portal.columns}
            for urls in zip_longest(*([(name, url) for url in urls] for name, urls in sample.items())):
                for name, url in filter(
                    None, urls
                ):  # of each column one, so that none is left out where room is short
                    self._take_archive_page(url, by_name.get(name) or fitting_column(self.portal, url))
            fitting = [
                (url, column) for url in others if (column := fitting_column(self.portal, url)) is not None
            ]
            self.pages.of_archive_pages += len(fitting)
            for url, column in fitting[:ARCHIVE_PAGES]:
                self._take_archive_page(url, column)
        self._take_named_pages()
        with StoredPageSample(corpus, self.portal, ARTICLE_PAGES) as pages:
            self._take_articles(pages)

    def _take_archive_page(self, url: str, column: Column | None) -> None:
        if column is None or column.format is not ArchiveFormat.HTML or self._is_full(ARCHIVE):
            return
        capture = self.stored.fetch(Request(url=url)).capture
        if capture is None:
            self.unread["an archive page is not stored as it was asked for"] += 1
            return
        page = read_page(capture, encoding=self.portal.fetch.encoding, format=column.format.value)
        if isinstance(page, NoPage):
            self.unread[page.reason] += 1
        elif self._has_room(page, ARCHIVE):
            self.pages.archive.setdefault(column.name, []).append(page)
        self.show(f"archive pages of {column.name}")

    def _take_articles(self, sample: StoredPageSample) -> None:
        """Take all articles but lists of them, which a sitemap names, too; where most are said to be lists,
        the rules may be wrong, not the pages."""
        self.pages.of_articles = sample.of_pages
        lists: list[tuple[StoredPage, Page]] = []
        with closing(StoredPageReader(sample.warc, self.portal)) as reader:
            stored = list(
                sample
            )  # they come in the order of time: where room is short, some of all times are taken
            for each in (each for first in range(_STRIDE) for each in stored[first::_STRIDE]):
                if self._is_full(ARTICLES):
                    break
                page = reader.page(each)
                if isinstance(page, NoPage):
                    self.unread[page.reason] += 1
                elif each.url not in self.pages.articles:
                    if self._read(page, each.url, each.listing).outcome is PageOutcome.LISTING:
                        lists.append((each, page))
                    else:
                        self._keep(page, each.url, each.listing)
                self.show("articles")
        if len(lists) > len(self.pages.articles):
            for each, page in lists:
                self._keep(page, each.url, each.listing)
        elif lists:
            self.unread["it is a list of articles"] += len(lists)

    def _read(self, page: Page, url: str, listing: Fields) -> Article:
        return read_article([page], self.portal, id="page", identity=url, url=url, listing=listing)

    def _keep(self, page: Page, url: str, listing: Fields) -> str | None:
        """Keep a page of an article; return why not, if it is not kept."""
        if not self._has_room(page, ARTICLES):
            return _TOO_LARGE
        self.pages.articles[url], self.pages.listings[url] = page, listing
        return None

    def _take_named_pages(self) -> None:
        """Take what a person has put right: expectations of articles, and the pages that were named."""
        file = tests_file(self.portal)
        expected = (
            [each for each in load_expectations(file) if each.kind == "article"] if file.is_file() else []
        )
        for url in self.from_urls:
            self._take_right_page(url, is_expected=url in {each.url for each in expected if each.contains})
        self.expected = [
            each for each in islice(expected, _MOST_EXPECTED) if self._take_article(each.url) is None
        ]
        self.pages.truths |= truths_in(self.expected)
        for each in self.expected:
            named = each.metadata.items()
            self.pages.confirmed[each.url] = {
                name: values for name, values in named if not any(value.startswith(HASH) for value in values)
            }
        self._take_mended_pages()
        first = f"of {len(expected)} pages in {file.name} the first {_MOST_EXPECTED} were read"
        self.remarks += those_that_hold((len(expected) > _MOST_EXPECTED, first))

    def _take_mended_pages(self) -> None:
        """Take articles of which a person has mended a field that was mended several times: a rule may give
        the values that are right."""
        known = load_corrections(corrections_file(self.portal.sources[0].path))
        times = Counter(correction.field for correction in known)
        often = [each for each in known if each.field in FIELDS and times[each.field] >= _FEWEST_MENDED]
        for each in often[:_MOST_EXPECTED]:
            if self._take_article(each.article) is None:
                confirmed = self.pages.confirmed.get(each.article, {})
                self.pages.confirmed[each.article] = {**confirmed, each.field: each.after}

    def _take_right_page(self, url: str, *, is_expected: bool) -> None:
        """Take what the rules of the file make of a page that a person says is right, if tests.yaml does not
        say more exactly what is."""
        why = self._take_article(url)
        if why is not None:
            raise UsageError(f"--from {url}: {why}.")
        if not is_expected:
            read = self._read(self.pages.articles[url], url, self.pages.listings[url])
            self.pages.truths[url] = str(read.to_dict()["text"])

    def _take_article(self, url: str) -> str | None:
        """A page that is named by its address; gives why it could not be taken."""
        if url in self.pages.articles:
            return None
        fetched = self.stored.fetch(Request(url=url))
        if fetched.capture is None:
            return fetched.verdict.reason
        page = read_page(
            fetched.capture, encoding=self.portal.fetch.encoding, format=self.portal.articles.format
        )
        if isinstance(page, NoPage):
            self.unread[page.reason] += 1
            return page.reason
        return self._keep(page, url, self.stored.listing(url))

    def _is_full(self, kind: str) -> bool:
        """Say whether there is no room for more, or no time."""
        return self._weight[kind] > MOST_WEIGHT[kind] or self.stop.is_set()

    def _has_room(self, page: Page, kind: str) -> bool:
        if page.tree is None:
            weight = len(orjson.dumps(page.json, default=str)) * 2
        else:
            weight = sum(
                400 + len(element.text or "") + len(element.tail or "") for element in page.tree.iter()
            )
        if weight > LARGEST:
            self.unread[_TOO_LARGE] += 1
        elif not self._is_full(kind):
            self._weight[kind] += weight
            return True
        return False


def _archive_sample(ledger: Ledger) -> tuple[dict[str, list[str]], int]:
    """Addresses of archive pages that stand for all, by the columns of the portal file and in the order of
    the walk; and how many pages there are. Of many columns some from the first to the last, and of each pages
    that followed one another.

    Empty months and the empty page behind the last one teach nothing: they are passed over, unless a column
    has no others.
    """
    pages = Counter[str]()
    columns: dict[str, list[tuple[str, int, bool]]] = {}
    for name, number, with_links in ledger_questions.pages_of_columns(ledger):
        pages[name] = number
        columns.setdefault(column_of(name), []).append((name, with_links or number, bool(with_links)))
    chosen, sample = _spread(list(columns), 12), {}
    each = max(_FEWEST, ARCHIVE_PAGES // max(len(chosen), 1))
    for column in chosen:
        # what leads to sections lists these, and they list the articles
        of_column = [section for section in columns[column] if section[0] != column] or columns[column]
        sections = _spread(
            [section for section in of_column if section[2]] or of_column, max(1, each // _FEWEST)
        )
        urls: dict[str, None] = {}
        for name, number, with_links in sections:
            firsts = _spread(range(max(1, number - 1)), max(_FEWEST, each // len(sections)) // 2)
            places = sorted({place for first in firsts for place in (first, first + 1)})
            urls |= dict.fromkeys(ledger_questions.pages_at(ledger, name, places, with_links=with_links))
        sample[column] = list(urls)
    return sample, pages.total()


def _spread(items: Sequence[_Item], most: int) -> list[_Item]:
    """Return so many of the items, from the first to the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(number * (len(items) - 1) / max(most - 1, 1))] for number in range(most)]
