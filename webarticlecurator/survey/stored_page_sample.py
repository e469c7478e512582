"""Stored article pages: which of a corpus a pass reads; of which year each is; and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import astuple, dataclass, field, replace
from hashlib import sha256
from itertools import takewhile
from pathlib import Path

import orjson

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.databases import connect, transaction
from webarticlecurator.dates import day_in_url, month_in_url
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.extraction.article_pages import skip_reason
from webarticlecurator.model.capture import NotedRecord
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.warc.exchanges import CaptureReader

Year = int | None
"""A year; None: no date was found."""
_YEAR = linear_at(r"\s*(19[89]\d|20\d\d|2100)(?!\d)", re.ASCII)
_SCHEMA = (
    "CREATE TABLE pages (url, file, offset, length, record, target, digest, listing, year INTEGER, rank "
    "INTEGER)"
)
_ONLY_SAMPLE = """
    DELETE FROM pages WHERE rowid NOT IN (
        SELECT row FROM (SELECT rowid AS row, rank, url, row_number() OVER (PARTITION BY year ORDER BY rank, url) AS place FROM pages)
        ORDER BY min(place, 6), rank, url LIMIT ?
    )
"""
"""First five of every year, then by chance, which is in proportion."""
_IN_ORDER = "SELECT * FROM pages ORDER BY file, offset, url"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """The first page of an article, where it lies, and what is known of it before it is read."""

    url: str
    location: NotedRecord
    listing: Fields = field(default_factory=dict)
    year: Year = None
    """By the listing, else by the URL; None: only the page may tell."""
    number: int = 0
    """Its place among the pages of a pass."""


def year_of(dates: Iterable[str]) -> Year:
    """Return the year of the first date that tells one."""
    return next((int(year[1]) for year in map(_YEAR.match, dates) if year is not None), None)


class StoredPageSample(AbstractContextManager["StoredPageSample"]):
    """The newest whole capture of the first page of each article that a ledger knows, or of some of them, in
    the order in which they lie; in a temporary file, so that memory does not grow with them."""

    def __init__(
        self,
        corpus: Corpus,
        portal: Portal,
        sample: int | None = None,
        *,
        keys: Collection[int] | None = None,
        go_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """`keys`: only of articles whose identities have these. `go_on`: asked between pages; after a no, no
        more are looked for.

        Raises CorpusError.
        """
        self.warc = corpus.warc
        self._db = connect("")
        self._db.execute("PRAGMA cache_size = -8192")
        self._db.execute(_SCHEMA)
        with closing(StoredArticles(corpus.ledger, portal)) as articles, transaction(self._db):
            self.of_pages = articles.total
            """All articles that there are."""
            # some times as many are chosen in the ledger by chance, that of rare years there are some among
            # them
            first_pages = articles.first_pages(None if sample is None else 4 * sample, keys)
            for url, identity, place, listing in takewhile(lambda _: go_on(), first_pages):
                year = year_of(
                    (*listing.get("datePublished", ()), day_in_url(url) or month_in_url(url) or "")
                )
                row = (url, *astuple(place), orjson.dumps(listing), year, key_of(identity))
                self._db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        if sample is not None:
            self._db.execute(_ONLY_SAMPLE, (sample,))
        self.total = int(self._db.execute("SELECT count(*) FROM pages").fetchone()[0])
        """Pages that are given."""
        self.is_all = sample is None or self.total < sample
        """True if these are all that there are."""

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def digests(self, size: int) -> Iterator[tuple[int, bytes, int]]:
        """Yield of each so many pages that lie behind one another the number, a digest of all that is known
        of them, and how many they are."""
        rows = self._db.execute(_IN_ORDER)
        for number, some in enumerate(iter(lambda: rows.fetchmany(size), [])):
            known = repr((number, some)).encode("utf-8", "surrogatepass")
            yield number, sha256(known).digest(), len(some)

    def __iter__(self) -> Iterator[StoredPage]:
        rows = self._db.execute(_IN_ORDER)
        for number, (url, *place, listing, year, _) in enumerate(rows):
            fields = {name: tuple(values) for name, values in orjson.loads(listing).items()}
            yield StoredPage(
                url=url, location=NotedRecord.of_row(*place), listing=fields, year=year, number=number
            )


class StoredPageReader(CaptureReader):
    """Reads the pages of one batch as building reads them."""

    def __init__(self, warc: Path, portal: Portal, expected: Iterable[StoredPage] = ()) -> None:
        super().__init__(warc, (page.location for page in expected))
        self._portal = portal
        self.unread = 0
        """Pages whose records could not be read: a file that is away may come back."""

    def page(self, stored: StoredPage) -> Page | NoPage:
        """One page."""
        try:
            return self.unless_skipped(self.whole(stored))
        except PatternTimeout as error:
            return NoPage(str(error))

    def whole(self, stored: StoredPage) -> Page | NoPage:
        """Return one page, also if a rule leaves it out. Raises PatternTimeout."""
        try:
            capture = self.read(stored.location)
            if capture is None:
                self.unread += 1
                return NoPage("the stored response is not whole")
            capture = replace(capture, requested_url=stored.url)
            return read_page(
                capture, encoding=self._portal.fetch.encoding, format=self._portal.articles.format
            )
        except CorpusError as error:
            self.unread += 1
            return NoPage(str(error))

    def unless_skipped(self, page: Page | NoPage) -> Page | NoPage:
        """Return a page that no rule leaves out; in place of others, why it does. Raises PatternTimeout."""
        skipped = skip_reason(page, self._portal) if isinstance(page, Page) else None
        return page if skipped is None else NoPage(skipped, PageOutcome.NOT_ARTICLE)
