"""Stored article pages: which of a corpus a pass reads; of which year each is; and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field, replace
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
from webarticlecurator.model.capture import Location
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.storage.places import is_url
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.warc.store import find_file

Year = int | None
"""None: no date was found."""
_YEAR = re.compile(r"\s*(19[89]\d|20\d\d|2100)(?!\d)", re.ASCII)
_LEAST = 5
"""Pages of a year that has them, where the sample is large enough."""
_AMONG = 4
"""So many times a sample are chosen in the ledger by chance, that of rare years there are some among them."""
_SCHEMA = "CREATE TABLE pages (url TEXT, path TEXT, offset INTEGER, length INTEGER, listing BLOB, year INTEGER, rank INTEGER)"
_ONLY_SAMPLE = f"""
    DELETE FROM pages WHERE rowid NOT IN (
        SELECT row FROM (SELECT rowid AS row, rank, url, row_number() OVER (PARTITION BY year ORDER BY rank, url) AS place FROM pages)
        ORDER BY min(place, {_LEAST} + 1), rank, url LIMIT ?
    )
"""
"""First some of every year, then by chance, which is in proportion."""
_PAGES = "SELECT url, path, offset, length, listing, year FROM pages ORDER BY path, offset"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """The first page of an article, where it lies, and what is known of it before it is read."""

    url: str
    path: Path
    """The WARC file."""
    offset: int
    length: int = 0
    """Of its gzip member; 0: unknown."""
    listing: Fields = field(default_factory=dict)
    year: Year = None
    """By the listing, else by the URL; None: only the page may tell."""
    number: int = 0
    """Its place among the pages of a pass."""

    @property
    def location(self) -> Location:
        """Where it lies, by the name that its file has or will have."""
        return Location(file=self.path.name.removesuffix(".open"), offset=self.offset, length=self.length)


def year_before_reading(url: str, listing: Fields) -> Year:
    """By the listing, else by the URL."""
    listed = year_of(listing.get("datePublished", ()))
    return listed if listed is not None else year_of((day_in_url(url) or month_in_url(url) or "",))


def year_of(dates: Iterable[str]) -> Year:
    """Of the first date that tells one."""
    return next((int(year[1]) for year in map(_YEAR.match, dates) if year is not None), None)


class StoredPageSample(AbstractContextManager["StoredPageSample"]):
    """Stored pages, in the order in which they lie; in a temporary file, so that memory does not grow with them."""

    def __init__(self, stored: Iterable[tuple[StoredPage, str]], sample: int | None, *, of_pages: int) -> None:
        """Each with the identity of its article. `of_pages`: how many there are, where these are some of them."""
        self._db = connect("")
        self._db.execute("PRAGMA cache_size = -8192")
        self._db.execute(_SCHEMA)
        with transaction(self._db):
            for page, identity in stored:
                path = page.path if is_url(page.path) else page.path.absolute()
                place = (page.url, str(path), page.offset, page.length, orjson.dumps(page.listing), page.year)
                self._db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)", (*place, key_of(identity)))
        self.of_pages = of_pages
        """All articles that there are."""
        if sample is not None:
            self._db.execute(_ONLY_SAMPLE, (sample,))
        self.total = int(self._db.execute("SELECT count(*) FROM pages").fetchone()[0])
        """Those that are given."""

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def __iter__(self) -> Iterator[StoredPage]:
        for number, (url, path, offset, length, listing, year) in enumerate(self._db.execute(_PAGES)):
            fields = {name: tuple(values) for name, values in orjson.loads(listing).items()}
            yield StoredPage(url=url, path=Path(path), offset=offset, length=length, listing=fields, year=year, number=number)

    def folders(self) -> tuple[Path, ...]:
        """Where the pages lie."""
        return tuple(sorted({Path(path).parent for (path,) in self._db.execute("SELECT DISTINCT path FROM pages")}))


def corpus_sample(
    corpus: Corpus,
    portal: Portal,
    sample: int | None = None,
    *,
    keys: Collection[int] | None = None,
    go_on: Callable[[], bool] = lambda: True,
) -> StoredPageSample:
    """The newest whole capture of the first page of each article that the ledger knows, or of some of them. Raises CorpusError.

    `keys`: only of articles whose identities have these. `go_on`: asked between pages; after a no, no more are looked for.
    """
    paths: dict[str, Path] = {}

    def pages(articles: StoredArticles) -> Iterator[tuple[StoredPage, str]]:
        for url, identity, place, listing in articles.first_pages(None if sample is None else _AMONG * sample, keys):
            path = paths.get(place.file) or paths.setdefault(place.file, find_file(corpus.warc, place.file))
            year = year_before_reading(url, listing)
            yield StoredPage(url=url, path=path, offset=place.offset, length=place.length, listing=listing, year=year), identity

    with closing(StoredArticles(corpus.ledger, portal)) as articles:
        return StoredPageSample(takewhile(lambda _: go_on(), pages(articles)), sample, of_pages=articles.total)


class StoredPageReader:
    """Reads the pages of one batch as building reads them; a file stays open while its pages follow one another."""

    def __init__(self, portal: Portal, expected: Iterable[StoredPage] = ()) -> None:
        self._portal = portal
        self._expected = tuple(expected)
        self._open = ExitStack()
        self._readers: dict[Path, CaptureReader] = {}
        """By folder."""

    def close(self) -> None:
        """Close what is open."""
        self._open.close()

    def read(self, stored: StoredPage) -> Page | NoPage:
        """One page."""
        try:
            folder = stored.path.parent
            if folder not in self._readers:
                expected = (page.location for page in self._expected if page.path.parent == folder)
                self._readers[folder] = self._open.enter_context(CaptureReader(folder, expected))
            capture = self._readers[folder].read(stored.location)
            if capture is None:
                return NoPage("the stored response is not whole")
            capture = replace(capture, requested_url=stored.url)
            page = read_page(capture, encoding=self._portal.fetch.encoding, format=self._portal.articles.format)
            skipped = skip_reason(page, self._portal) if isinstance(page, Page) else None
        except (CorpusError, PatternTimeout) as error:
            return NoPage(str(error))
        return page if skipped is None else NoPage(skipped, PageOutcome.NOT_ARTICLE)
