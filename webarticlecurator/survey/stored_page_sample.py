"""Which stored pages a pass reads: the first pages of a corpus' articles, or the articles in any WARC files; all of them or a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.databases import connect
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.http.message import header, parse_response
from webarticlecurator.storage.places import is_url
from webarticlecurator.survey.stored_page import StoredPage, Year, year_before_reading
from webarticlecurator.urls import bare_host, split
from webarticlecurator.warc.records import Damage, Record
from webarticlecurator.warc.store import find_file
from webarticlecurator.warc.stored import Group, read_groups

_SCHEMA = """
    CREATE TABLE pages (
        url TEXT, path TEXT, offset INTEGER, skip INTEGER, length INTEGER, listing BLOB, year INTEGER, article TEXT, date TEXT, rank BLOB
    );
"""
_ONLY_NEWEST = """
    CREATE INDEX by_article ON pages (article, date);
    DELETE FROM pages WHERE EXISTS (
        SELECT 1 FROM pages AS other WHERE other.article = pages.article
        AND (other.date > pages.date OR (other.date = pages.date AND other.rowid > pages.rowid))
    );
"""
_ONLY_SAMPLE = """
    DELETE FROM pages WHERE rowid IN (
        SELECT row FROM (SELECT rowid AS row, year, row_number() OVER (PARTITION BY year ORDER BY rank, url) AS place FROM pages) AS placed
        JOIN shares ON shares.year IS placed.year WHERE placed.place > shares.most
    )
"""
_PAGES = "SELECT url, path, offset, skip, length, listing, year FROM pages ORDER BY path, offset, skip"
_CACHE_KIB = 8_192
_READABLE = {"html": ("text/html", "application/xhtml+xml"), "json": ("json",)}
"""What the content type of an article says, by `articles.format`."""

_LEAST = 5
"""Pages of a year that has them, where the sample is large enough."""


Stored = tuple[StoredPage, str, str]
"""A page, what makes it the same article as another one, and the date of its capture."""


class StoredPageSample:
    """Stored pages, in the order in which they lie; in a temporary file, so that memory does not grow with them."""

    def __init__(self, stored: Iterable[Stored], sample: int | None = None) -> None:
        self._db = connect("")
        self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._db.executescript(_SCHEMA)
        self._db.execute("BEGIN")
        self._db.executemany(f"INSERT INTO pages VALUES ({', '.join('?' * 10)})", map(_row, stored))
        self._db.execute("COMMIT")
        self._db.executescript(_ONLY_NEWEST)
        self.of_pages = self._count()
        """All articles that there are."""
        if sample is not None:
            self._leave(sample)
        self.total = self._count()
        """Those that are given."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._db.close()

    def __iter__(self) -> Iterator[StoredPage]:
        return map(_page, self._db.execute(_PAGES))

    def folders(self) -> tuple[Path, ...]:
        """Where the pages lie."""
        return tuple(sorted({Path(path).parent for (path,) in self._db.execute("SELECT DISTINCT path FROM pages")}))

    def _count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM pages").fetchone()[0])

    def _leave(self, sample: int) -> None:
        years = Counter(dict(self._db.execute("SELECT year, count(*) FROM pages GROUP BY year")))
        self._db.execute("CREATE TEMP TABLE shares (year INTEGER, most INTEGER)")
        self._db.executemany("INSERT INTO shares VALUES (?, ?)", shares(years, sample).items())
        self._db.execute(_ONLY_SAMPLE)


def corpus_pages(ledger: Path, warc: Path, portal: Portal) -> Iterator[Stored]:
    """The newest whole capture of the first page of each article that the ledger knows. Raises CorpusError."""
    paths: dict[str, Path] = {}
    with closing(StoredArticles(ledger, portal)) as articles:
        for url, identity, place, date, listing in articles.first_pages():
            path = paths.get(place.file) or paths.setdefault(place.file, find_file(warc, place.file))
            year = year_before_reading(url, listing)
            yield StoredPage(url=url, path=path, offset=place.offset, length=place.length, listing=listing, year=year), identity, date


def warc_pages(
    files: Iterable[Path], portal: Portal, *, is_article: Callable[[str], bool], on_damage: Callable[[Damage], None], kind: str = "article"
) -> Iterator[Stored]:
    """The whole pages in WARC files of any program whose URL may be an article's, by the portal's format of articles.

    `kind`: what our own files say that they are.
    """
    for path in files:
        for group in read_groups(path, on_damage=on_damage):
            record = group.page
            if record is None or not _is_page(record, group, portal.articles.format, kind) or not is_article(record.url):
                continue
            page = StoredPage(
                url=record.url,
                path=path,
                offset=record.offset,
                skip=record.skip,
                length=record.end - record.offset,
                year=year_before_reading(record.url, {}),
            )
            yield page, _identity(record.url, portal), record.date.isoformat() if record.date is not None else ""


def _identity(url: str, portal: Portal) -> str:
    try:
        return identity_of(url, portal)
    except PatternTimeout:
        return url  # where a pattern is too slow for one URL of a stranger's file, that is no reason to read none


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


def _row(stored: Stored) -> tuple[Any, ...]:
    page, article, date = stored
    path = page.path if is_url(page.path) else page.path.absolute()
    place = (page.url, str(path), page.offset, page.skip, page.length, orjson.dumps(page.listing), page.year)
    return (*place, article, date, _rank(page.url))


def _rank(url: str) -> bytes:
    """Chance that hangs on the address, not on the order of files; nor on the port, which no page has a share in."""
    parts = split(url)
    return sha256(f"{bare_host(url)}{parts.path}?{parts.query}".encode("utf-8", "replace")).digest()[:8]


def _page(row: tuple[Any, ...]) -> StoredPage:
    url, path, offset, skip, length, listing, year = row
    fields = {name: tuple(values) for name, values in orjson.loads(listing).items()}
    return StoredPage(url=url, path=Path(path), offset=offset, skip=skip, length=length, listing=fields, year=year)


def shares(pages: Mapping[Year, int], wanted: int) -> dict[Year, int]:
    """How many pages of each year a sample has: in proportion, but of each year at least some; all, if there are no more."""
    total = sum(pages.values())
    if wanted >= total:
        return dict(pages)
    years = sorted(pages, key=lambda year: (-pages[year], year is None, year or 0))
    least = min(_LEAST, wanted // len(years)) if years else 0
    given = {year: min(pages[year], least or (1 if place < wanted else 0)) for place, year in enumerate(years)}
    room = {year: pages[year] - given[year] for year in years}
    left, spare = wanted - sum(given.values()), sum(room.values())
    exact = {year: left * room[year] / spare if spare else 0.0 for year in years}
    given = {year: given[year] + int(exact[year]) for year in years}
    missing = wanted - sum(given.values())
    for year in sorted(years, key=lambda year: int(exact[year]) - exact[year])[:missing]:
        given[year] += 1
    return given
