"""The articles that links name, held against the ledger: which are not known. In a temporary file, so that memory does not grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.databases import connect, transaction
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import article_url, identity_of, url_shape
from webarticlecurator.labelling.names import LinkKind, link_kind
from webarticlecurator.survey.archive_audit.neighbour_links import NamedArticle, Source
from webarticlecurator.survey.archive_audit.source_fetches import SourceFetches
from webarticlecurator.urls import normalise

_MOST_UNLISTED = 10_000
"""That are given one by one."""
_MOST_PLACES, _MOST_SHAPES = 3, 20
_SINCE, _CUT = timedelta(days=3), timedelta(days=31)
"""Beside an article that appeared so shortly before the last walk may stand one that the walk could not see yet; and beside one that
appeared so near to where a rule cuts the archive off, one that is left out on purpose."""
_CACHE_KIB = 16_384
_TABLES = """
    CREATE TABLE known (key INTEGER PRIMARY KEY);
    CREATE TABLE articles (key INTEGER, url TEXT);
    CREATE TABLE named (key INTEGER, url TEXT, seen_on TEXT, inside INTEGER, source TEXT);
    CREATE TABLE told (source TEXT, key INTEGER, PRIMARY KEY (source, key)) WITHOUT ROWID;
    CREATE TABLE others (source TEXT, key INTEGER, url TEXT, PRIMARY KEY (source, key)) WITHOUT ROWID;
"""
_MOST_SECTIONS = 50_000
_LISTS = frozenset({LinkKind.AUTHOR, LinkKind.TOPIC, LinkKind.SECTION})
_SETTLE = "DELETE FROM named WHERE key IN (SELECT key FROM known); CREATE INDEX IF NOT EXISTS by_key ON named (key);"
_UNLISTED = """
    SELECT key, url, count(DISTINCT seen_on) FROM named GROUP BY key HAVING max(inside) ORDER BY min(rowid) LIMIT ?
"""
_COUNT = "SELECT coalesce(sum(inside), 0), coalesce(sum(1 - inside), 0) FROM (SELECT max(inside) AS inside FROM named GROUP BY key)"
_SOURCES = """
    SELECT count(*), sum(EXISTS (SELECT 1 FROM known k WHERE k.key = t.key)),
        sum(EXISTS (SELECT 1 FROM named n WHERE n.key = t.key AND n.source = t.source AND n.inside)) FROM told t WHERE source = ?
"""
_OTHERS = "SELECT count(*), min(url) FROM others WHERE source = ? GROUP BY section_shape_of(url) ORDER BY 1 DESC, 2"
_ONLY_ARCHIVE = """
    FROM articles a WHERE NOT EXISTS (SELECT 1 FROM told t WHERE t.source = ? AND t.key = a.key)
"""
_OF_ARTICLE = "SELECT DISTINCT source FROM named WHERE key = ? ORDER BY source"
_OF_SITE = "SELECT min(url) FROM named WHERE inside AND source IN (?, ?) GROUP BY key"
_PLACES = "SELECT DISTINCT seen_on FROM named WHERE key = ? ORDER BY inside DESC, rowid LIMIT ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted:
    """An article that is not in the ledger."""

    url: str
    seen_on: tuple[str, ...]
    """Some of the places that name it."""
    times: int
    """How many places do."""
    sources: tuple[str, ...] = ()
    """Of which kind they are: a `Source`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceComparison:
    """What one source knows, held against the ledger."""

    source: str
    """A `Source`."""
    named: int
    """Different articles that it names."""
    known: int
    """Of these, in the ledger."""
    missing: int
    """Of these, not in the ledger, those at an edge of the archive aside."""
    others: tuple[tuple[int, str], ...] = ()
    """Of a feed and sitemaps: how many addresses of one shape it names that can be no articles, and one of them; most first."""
    only_archive: int | None = None
    """Fetched articles that it does not name; None: it names but a few anyway."""
    only_archive_examples: tuple[str, ...] = ()
    read: str = ""
    """How far a feed or a sitemap was read, and what that is worth."""
    looked_at: tuple[str, ...] = ()
    """Of a feed or sitemaps that were not found: the addresses that were asked for, with what came of it."""
    failed: str = ""
    """Why the last fetch of a feed or of sitemaps did not come to its end."""
    fetched_at: datetime | None = None
    """When what is compared was fetched; None: links of stored articles, or nothing was ever brought."""
    is_older: bool = False
    """It is what a fetch before the last one brought."""

    @property
    def share(self) -> float:
        """How much of what it names is missing."""
        return self.missing / self.named if self.named else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveAudit:
    """What the links of stored articles name beyond the ledger."""

    portal: str
    pages: int
    """Stored articles that were looked at."""
    of_pages: int
    links: int
    """By how many links they lead to an article before or after them."""
    passed_over: int
    """Links beside those that lead to what can be no article, by the portal's rules and by what its addresses look like."""
    such_as: str | None
    """One of them."""
    unlisted: tuple[Unlisted, ...]
    """In the order in which they were named; of very many only the first."""
    total: int
    """How many are not in the ledger."""
    sources: tuple[SourceComparison, ...]
    """Those that name an article."""
    at_the_edge: int
    """Others, named only at an edge of the archive: they may lie beyond it, or be newer than the last walk."""
    complete: bool
    """False: interrupted."""


class LedgerComparison:
    """One comparison; the ledger is only read."""

    def __init__(self, ledger: Path, portal: Portal, *, is_article: Callable[[str], bool]) -> None:
        self._portal = portal
        self._is_article = is_article
        self._links = self._passed_over = 0
        self._such_as: str | None = None
        rules = [column.urls for column in portal.columns] or [portal.article_urls]
        self._rules = [one for place, one in enumerate(rules) if one not in rules[:place]]
        self._db = connect("")
        self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._db.executescript(_TABLES)
        self._db.create_function("section_shape_of", 1, lambda url: url_shape(url, sections=True), deterministic=True)
        self._ledger = Ledger.open(ledger, read_only=True, cache_kib=_CACHE_KIB)
        self.add_known(url for (url,) in numbers.addresses(self._ledger))
        section_shapes, shapes, kinds = set[str](), set[str](), set[str | None]()
        with transaction(self._db):
            for (url,) in numbers.articles(self._ledger):
                self._db.execute("INSERT INTO articles VALUES (?, ?)", (self._key(url), url))
                shapes.add(_shape(url))
                if len(section_shapes) < _MOST_SECTIONS:
                    section_shapes.add(url_shape(url, sections=True))
                kinds.add(_list_of(url))
        self._section_shapes, self._shapes = section_shapes, shapes
        """The first with the names of sections: boxes of articles may also lead to topics and authors."""
        self._lists = {kind.value for kind in _LISTS} - kinds
        """What no article is called by its address: some are, though most that are called so are lists (`/tema/23` is a thread)."""
        self._fetches: dict[Source, SourceFetches] = {}
        last = numbers.last_walk_day(self._ledger)
        self._newest = last - _SINCE if last else date.max
        self._columns = portal.columns
        self._cuts = {column.name: frozenset(_cuts_of(column)) for column in portal.columns}

    def close(self) -> None:
        self._db.close()
        self._ledger.close()

    def add_known(self, urls: Iterable[str]) -> None:
        """These are other addresses of articles that the ledger knows: canonical ones, targets of redirects."""
        with transaction(self._db):
            self._db.executemany("INSERT OR IGNORE INTO known VALUES (?)", ((self._key(url),) for url in urls))

    def compare(self, named: Iterable[NamedArticle]) -> None:
        """Hold these against the ledger."""
        with transaction(self._db):
            for one in named:
                articles = self._articles(one)
                if one.source is Source.NEIGHBOURS:
                    self._links += bool(articles)
                    self._passed_over += not articles
                    self._such_as = self._such_as or (None if articles else one.url)
                elif not articles and one.source is not Source.BESIDE:
                    self._db.execute("INSERT OR IGNORE INTO others VALUES (?, ?, ?)", (one.source, self._key(one.url), one.url))
                key = next((key for key in articles if self._is_known(key)), next(iter(articles), None))
                if key is None:
                    continue
                self._db.execute("INSERT OR IGNORE INTO told VALUES (?, ?)", (one.source, key))
                if not self._is_known(key):
                    row = (key, articles[key], one.seen_on, not self._is_at_an_edge(one), one.source)
                    self._db.execute("INSERT INTO named VALUES (?, ?, ?, ?, ?)", row)

    def add_fetches(self, source: Source, fetches: SourceFetches) -> None:
        """What became of a feed or of sitemaps; what the one that counts brought was compared."""
        self._fetches[source] = fetches

    def result(self, *, pages: int, of_pages: int, complete: bool) -> ArchiveAudit:
        """What was found. Nothing is compared any more."""
        self._db.executescript(_SETTLE)
        total, at_the_edge = self._db.execute(_COUNT).fetchone()
        return ArchiveAudit(
            portal=self._portal.name,
            pages=pages,
            of_pages=of_pages,
            links=self._links,
            passed_over=self._passed_over,
            such_as=self._such_as,
            unlisted=tuple(self._unlisted()),
            total=total,
            sources=tuple(self._sources()),
            at_the_edge=at_the_edge,
            complete=complete,
        )

    def unlisted_by_site(self) -> Iterator[str]:
        """What its feeds and sitemaps name, and the ledger does not know."""
        return (url for (url,) in self._db.execute(_OF_SITE, (Source.FEED, Source.SITEMAP)))

    def _unlisted(self) -> Iterator[Unlisted]:
        for key, url, times in self._db.execute(_UNLISTED, (_MOST_UNLISTED,)).fetchall():
            places = tuple(place for (place,) in self._db.execute(_PLACES, (key, _MOST_PLACES)))
            sources = tuple(source for (source,) in self._db.execute(_OF_ARTICLE, (key,)))
            yield Unlisted(url=url, seen_on=places, times=times, sources=sources)

    def _sources(self) -> Iterator[SourceComparison]:
        for source in Source:
            named, known, missing = self._db.execute(_SOURCES, (source,)).fetchone()
            fetches = self._fetches.get(source, SourceFetches())
            if not (named or fetches.counts or fetches.failed):
                continue
            counts = fetches.counts
            only: int | None = None
            examples: tuple[str, ...] = ()
            if counts is not None and not counts.looked_at:
                (only,) = self._db.execute(f"SELECT count(*) {_ONLY_ARCHIVE}", (source,)).fetchone()
                examples = tuple(url for (url,) in self._db.execute(f"SELECT url {_ONLY_ARCHIVE} LIMIT {_MOST_PLACES}", (source,)))
            yield SourceComparison(
                source=source,
                named=named,
                known=known or 0,
                missing=missing or 0,
                others=tuple(self._db.execute(_OTHERS, (source,)).fetchmany(_MOST_SHAPES)),
                only_archive=only,
                only_archive_examples=examples,
                read=counts.read if counts else "",
                looked_at=counts.looked_at if counts else (),
                failed=fetches.failed,
                fetched_at=counts.at if counts else None,
                is_older=counts is not None and counts.at != fetches.newest,
            )

    def _articles(self, named: NamedArticle) -> dict[int, str]:
        """Which articles of the portal it can be, by the rules of one column or another: key -> address. What is known always can."""
        try:
            accepted = [listed for rules in self._rules if isinstance(listed := article_url(named.url, rules, self._portal), str)]
        except PatternTimeout:
            return {}
        found = {self._key(one): normalise(one) for one in accepted}
        return {key: one for key, one in found.items() if self._is_known(key) or self._may_be(one, named.source)}

    def _may_be(self, url: str, source: Source) -> bool:
        """Whether it looks like the articles that are known."""
        if source is Source.BESIDE and url_shape(url, sections=True) not in self._section_shapes:
            return False
        if source is Source.SITEMAP and _list_of(url) in self._lists:
            return False
        # whatever a feed names was published
        return (source is Source.FEED or _shape(url) in self._shapes) and self._is_article(url)

    def _is_known(self, key: int) -> bool:
        return self._db.execute("SELECT 1 FROM known WHERE key = ?", (key,)).fetchone() is not None

    def _key(self, url: str) -> int:
        """The same for all addresses of an article: its identity, else the address without what never parts two articles."""
        try:
            same = identity_of(url, self._portal)
        except PatternTimeout:
            same = url
        if same == normalise(url):
            same = same.partition("://")[2].removeprefix("www.").rstrip("/")
        return key_of(same)

    def _is_at_an_edge(self, one: NamedArticle) -> bool:
        """Whether every column that lists an article is cut off near it; of an article itself, whether it may lie beyond the archive."""
        day = one.day
        if one.source in (Source.FEED, Source.SITEMAP):  # the site itself says that it is there: only a person's rule may leave it out
            return not any(_reaches(column, day) for column in self._columns)
        if one.source is Source.BESIDE:
            there = day or one.there
            return (there is not None and there >= self._newest) or not any(_reaches(column, day) for column in self._columns)
        if day is None or day >= self._newest:
            return day is not None
        columns = numbers.columns_of(self._ledger, one.seen_on)
        return bool(columns) and all(any(abs(day - cut) <= _CUT for cut in self._cuts.get(name, ())) for name in columns)


def _shape(url: str) -> str:
    """A slash at the end parts no articles."""
    return url_shape(url.rstrip("/"), sections=False)


def _list_of(url: str) -> str | None:
    """Of what the page is a list, by its address: sitemaps name those, too."""
    kind = link_kind(url)
    return kind.value if kind in _LISTS else None


def _reaches(column: Column, day: date | None) -> bool:
    """Whether a column goes as far as to that day; of a day that is not known, whether nothing cuts it off."""
    cuts = list(_cuts_of(column))
    if day is None or not cuts:
        return not cuts
    ranges = column.dates.ranges if column.dates is not None else ()
    inside = not ranges or any((one.start or date.min) <= day <= (one.until if isinstance(one.until, date) else date.max) for one in ranges)
    return inside and (column.stop.after is None or day >= column.stop.after)


def _cuts_of(column: Column) -> Iterator[date]:
    """The days at which a rule cuts the archive off."""
    ranges = column.dates.ranges if column.dates is not None else ()
    for end in (column.stop.after, *(one.start for one in ranges), *(one.until for one in ranges)):
        if isinstance(end, date):
            yield end
