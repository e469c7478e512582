"""Stored article pages: which of a corpus, or of any WARC files, a pass reads; of which year each is; and how it is read."""

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
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.http.message import header, parse_response
from webarticlecurator.model.capture import Capture, Location
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.storage.places import is_url
from webarticlecurator.warc.reader import CaptureReader, http_capture
from webarticlecurator.warc.records import Damage, Record, read_record
from webarticlecurator.warc.store import find_file
from webarticlecurator.warc.stored import Group, read_groups

Year = int | None
"""None: no date was found."""
_YEAR = re.compile(r"\s*(19[89]\d|20\d\d|2100)(?!\d)", re.ASCII)
_LEAST = 5
"""Pages of a year that has them, where the sample is large enough."""
_AMONG = 4
"""So many times a sample are chosen in the ledger by chance, that of rare years there are some among them."""
_SCHEMA = """
    CREATE TABLE pages (
        url TEXT, path TEXT, offset INTEGER, skip INTEGER, length INTEGER, listing BLOB, year INTEGER,
        article TEXT PRIMARY KEY, date TEXT, rank INTEGER
    )
"""
_PUT = """
    INSERT OR REPLACE INTO pages SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM pages WHERE article = ? AND date > ?)
"""
"""Of several captures of an article the newest."""
_ONLY_SAMPLE = f"""
    DELETE FROM pages WHERE rowid NOT IN (
        SELECT row FROM (SELECT rowid AS row, rank, url, row_number() OVER (PARTITION BY year ORDER BY rank, url) AS place FROM pages)
        ORDER BY min(place, {_LEAST} + 1), rank, url LIMIT ?
    )
"""
"""First some of every year, then by chance, which is in proportion."""
_PAGES = "SELECT url, path, offset, skip, length, listing, year FROM pages ORDER BY path, offset, skip"
_READABLE = {"html": ("text/html", "application/xhtml+xml"), "json": ("json",)}
"""What the content type of an article says, by `articles.format`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """The first page of an article, where it lies, and what is known of it before it is read."""

    url: str
    path: Path
    """The WARC file."""
    offset: int
    skip: int = 0
    """Records before it in the same gzip member, in files of other programs."""
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


SampledPage = tuple[StoredPage, str, str]
"""A page, what makes it the same article as another one, and the date of its capture."""


class StoredPageSample(AbstractContextManager["StoredPageSample"]):
    """Stored pages, in the order in which they lie; in a temporary file, so that memory does not grow with them."""

    def __init__(self, stored: Iterable[SampledPage], sample: int | None = None, *, of_pages: int | None = None) -> None:
        """`of_pages`: how many there are, where these are some of them."""
        self._db = connect("")
        self._db.execute("PRAGMA cache_size = -8192")
        self._db.execute(_SCHEMA)
        with transaction(self._db):
            for page, article, date in stored:
                path = page.path if is_url(page.path) else page.path.absolute()
                place = (page.url, str(path), page.offset, page.skip, page.length, orjson.dumps(page.listing), page.year)
                self._db.execute(_PUT, (*place, article, date, key_of(article), article, date))
        self.of_pages = self._count() if of_pages is None else of_pages
        """All articles that there are."""
        if sample is not None:
            self._db.execute(_ONLY_SAMPLE, (sample,))
        self.total = self._count()
        """Those that are given."""

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def __iter__(self) -> Iterator[StoredPage]:
        for number, (url, path, offset, skip, length, listing, year) in enumerate(self._db.execute(_PAGES)):
            fields = {name: tuple(values) for name, values in orjson.loads(listing).items()}
            yield StoredPage(url=url, path=Path(path), offset=offset, skip=skip, length=length, listing=fields, year=year, number=number)

    def folders(self) -> tuple[Path, ...]:
        """Where the pages lie."""
        return tuple(sorted({Path(path).parent for (path,) in self._db.execute("SELECT DISTINCT path FROM pages")}))

    def _count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM pages").fetchone()[0])


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

    def pages(articles: StoredArticles) -> Iterator[SampledPage]:
        for url, identity, place, date, listing in articles.first_pages(None if sample is None else _AMONG * sample, keys):
            path = paths.get(place.file) or paths.setdefault(place.file, find_file(corpus.warc, place.file))
            year = year_before_reading(url, listing)
            yield StoredPage(url=url, path=path, offset=place.offset, length=place.length, listing=listing, year=year), identity, date

    with closing(StoredArticles(corpus.ledger, portal)) as articles:
        return StoredPageSample(takewhile(lambda _: go_on(), pages(articles)), sample, of_pages=articles.total)


def warc_pages(
    files: Iterable[Path], portal: Portal, *, is_article: Callable[[str], bool], on_damage: Callable[[Damage], None], kind: str = "article"
) -> Iterator[SampledPage]:
    """The whole pages in WARC files of any program whose URL may be an article's, by the portal's format of articles.

    `kind`: what our own files say that they are.
    """
    for path in files:
        for group in read_groups(path, on_damage=on_damage):
            record = group.page
            if record is None or not _is_page(record, group, portal.articles.format, kind) or not is_article(record.url):
                continue
            try:
                identity = identity_of(record.url, portal)
            except PatternTimeout:
                identity = record.url  # where a pattern is too slow for one URL of a stranger's file, that is no reason to read none
            page = StoredPage(
                url=record.url,
                path=path,
                offset=record.offset,
                skip=record.skip,
                length=record.end - record.offset,
                year=year_before_reading(record.url, {}),
            )
            yield page, identity, record.date.isoformat() if record.date is not None else ""


def _is_page(record: Record, group: Group, format: str, wanted: str) -> bool:
    """Whether there is a whole first page of something; of our own files it is known what was an archive page or a further page."""
    event = group.event
    if record.type not in ("response", "conversion") or record.field("WARC-Truncated") is not None or record.date is None:
        return False
    if event.get("kind", wanted) != wanted or event.get("part", 1) != 1 or not record.url.startswith(("http://", "https://")):
        return False
    if record.type == "conversion":
        return format == "html"
    http = parse_response(record.block)
    if http is None or http.status != 200:
        return False
    kind = (header(http.headers, "content-type") or "").partition(";")[0].strip().lower()
    return any(part in kind for part in _READABLE[format]) or (not kind and http.entity.lstrip()[:1] in (b"<", b"{", b"["))


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
            capture: Capture | None = None
            if stored.skip:  # several records in one gzip member: those before it are read, too
                record = read_record(stored.path, stored.offset, stored.skip)
                if (http := parse_response(record.block)) is not None:
                    capture = http_capture(stored.path, record, http)
            else:
                folder = stored.path.parent
                if folder not in self._readers:
                    expected = (page.location for page in self._expected if page.path.parent == folder)
                    self._readers[folder] = self._open.enter_context(CaptureReader(folder, expected))
                if (read := self._readers[folder].read(stored.location)) is not None:
                    capture = replace(read, requested_url=stored.url)
            if capture is None:
                return NoPage("the stored response is not whole")
            page = read_page(capture, encoding=self._portal.fetch.encoding, format=self._portal.articles.format)
            skipped = skip_reason(page, self._portal) if isinstance(page, Page) else None
        except (CorpusError, PatternTimeout) as error:
            return NoPage(str(error))
        return page if skipped is None else NoPage(skipped, PageOutcome.NOT_ARTICLE)
