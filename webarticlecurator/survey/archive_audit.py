"""A site's own feeds and sitemaps beside its archive: which articles they name that the ledger does not know.

They are read by small crawls into folders of their own, so that the corpus stays what a crawl made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path

from webarticlecurator.amounts import text_if
from webarticlecurator.config.gaps_in_dates import gaps_in_dates
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Column, Portal, fitting_column
from webarticlecurator.corpus import ledger_questions
from webarticlecurator.corpus.events import LinksEvent, PageEvent, PageResult, decode
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.databases import Row, connect, rows_of, transaction
from webarticlecurator.dates import day_in_url, first_day
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import article_url, identity_of, url_shape
from webarticlecurator.labelling.element_names import LinkKind, link_kind
from webarticlecurator.model.capture import Request
from webarticlecurator.model.links import BY_A_PERSON, RefusedLink
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import join, normalise, same_page
from webarticlecurator.warc.stored import read_exchanges

FOLDER = "audit"
"""In the corpus folder."""
_TABLES = """
    CREATE TABLE known (key INTEGER PRIMARY KEY);
    CREATE TABLE named (source TEXT, key INTEGER, url TEXT, seen_on TEXT, inside INTEGER, PRIMARY KEY (source, key));
"""
_MISSING = """
    SELECT min(url) AS url, json_group_array(DISTINCT seen_on) AS "seen_on[]", json_group_array(source) AS "sources[]"
    FROM named WHERE key NOT IN (SELECT key FROM known) GROUP BY key HAVING max(inside) = ? ORDER BY min(rowid) LIMIT ?
"""
"""In the order in which they were named."""
_OF_SOURCE = """
    SELECT count(*), coalesce(sum(is_known), 0), coalesce(sum(inside AND NOT is_known), 0)
    FROM (SELECT inside, key IN (SELECT key FROM known) AS is_known FROM named WHERE source = ?)
"""


class Source(StrEnum):
    """Who names articles; each is found by the preset of that name."""

    SITEMAP = "sitemap"
    FEED = "feed"


def corpus_of_source(corpus: Corpus, source: Source) -> Corpus:
    """Return the corpus in which lies what was read of a source: WARC files and a ledger, as of any crawl."""
    return Corpus(corpus.folder / FOLDER / source)


def portal_of_source(portal: Portal, source: Source) -> Portal:
    """Return a portal of the site with the source as its archive; all hosts of the portal are let in, and
    what its other rules say is asked later. For a portal in a folder of its host (`/pt/`), the source at the
    root of the host may name its articles, too."""
    loaded, root = _extending(source, portal, portal.home), join(portal.home, "/") or portal.home
    columns = loaded.columns
    if root != portal.home:
        columns += tuple(
            replace(column, name=f"root-{column.name}") for column in _extending(source, portal, root).columns
        )
        columns = tuple(replace(column, ways=tuple(column.name for column in columns)) for column in columns)
    hosts = tuple(
        {
            host: None
            for rules in (portal.article_urls, *(column.urls for column in portal.columns))
            for host in rules.hosts
        }
    )
    return replace(
        loaded,
        fetch=portal.fetch,
        timezone=portal.timezone,
        language=portal.language,
        hosts=portal.hosts | loaded.hosts,
        columns=tuple(replace(column, urls=replace(column.urls, hosts=hosts)) for column in columns),
    )


def _extending(source: Source, portal: Portal, home: str) -> Portal:
    rules = f"portal: {portal.name}\nhome: {json.dumps(home)}\nextends: {source}\n"
    return load_portal(portal.sources[0].path, content=rules.encode())


def newest_fetch(ledger: Path) -> tuple[int, Row] | None:
    """The run of its own small crawl, and what that tells; None where the source was never asked."""
    if not ledger.exists():
        return None
    with Ledger.reading(ledger) as opened:
        runs = list(islice(ledger_questions.runs(opened), 1))
        if not runs:
            return None
        ((run, began, links, is_whole, since, ground, left_open),) = runs
        pages = list(ledger_questions.pages_of_run(opened, run))
        unanswered = [
            f"{url} ({reason})"
            for url, outcome, _, reason, at in pages
            if _is_unanswered(opened, url, outcome, since, at)
        ]
    has_failed = not is_whole and _has_failed(unanswered, [result for _, _, result, _, _ in pages])
    looked_at = [] if is_whole or has_failed else [f"{url} ({reason})" for url, _, _, reason, _ in pages]
    came = bool(links) or not has_failed
    return run, Row(
        read=text_if(came and not looked_at, ground or "its end was not reached"),
        looked_at=list(dict.fromkeys(looked_at)),
        failed=text_if(has_failed, [*unanswered, left_open or "it was interrupted"][0]),
        fetched_at=datetime.fromisoformat(began) if came else None,
    )


def _is_unanswered(ledger: Ledger, url: str, outcome: str, since: str, at: str) -> bool:
    """Return whether nothing told what stands at an address; that is known where a page of HTML came, too,
    and so something else than a feed."""
    if outcome == FetchOutcome.BLOCKED:
        return True
    return outcome == FetchOutcome.ERROR and not ledger_questions.was_answered(
        ledger, Request(url=url).key, since, at
    )


def _has_failed(unanswered: Sequence[str], results: Sequence[str]) -> bool:
    """Return whether a walk that did not reach its end was cut off: it asked for nothing, in vain, or links
    came."""
    return bool(unanswered) or not results or PageResult.LINKS in results


def _links_of(corpus: Corpus, run: int) -> Iterator[tuple[str, str, str | None]]:
    """The links that one fetch brought, each with the page that it stood on and its day, by the WARC files:
    the ledger does not part them from what older ones brought."""
    for path in corpus.warc_files():
        for stored in read_exchanges(path, on_damage=lambda _: None):
            if stored.event.get("run") == run and stored.event.get("kind") in (
                "archive-page",
                "archive-links",
            ):
                event = decode(stored)
                assert isinstance(event, (PageEvent, LinksEvent))
                yield from (
                    (url, event.url, next(iter(fields.get("datePublished", ())), None))
                    for url, _, fields in event.links
                )


class LedgerComparison:
    """One comparison; the ledger is only read. What is named lies in a temporary file, so that memory does
    not grow with it."""

    def __init__(self, corpus: Corpus, portal: Portal) -> None:
        self._corpus = corpus
        self._portal = portal
        rules = [column.urls for column in portal.columns] or [portal.article_urls]
        self._rules = [of_column for place, of_column in enumerate(rules) if of_column not in rules[:place]]
        self._gaps = gaps_in_dates(portal.columns)
        """Neither the beginning nor the end of the archive; an article of an unknown day may lie there."""
        self._db = connect("")
        self._db.executescript(_TABLES)
        self._shapes, kinds = set[str](), set[LinkKind | None]()
        with Ledger.reading(corpus.ledger) as ledger, transaction(self._db):
            self._db.executemany(
                "INSERT OR IGNORE INTO known VALUES (?)",
                ((self._key(url),) for (url,) in ledger_questions.addresses(ledger)),
            )
            for question in (ledger_questions.articles, ledger_questions.addresses):
                for (url,) in (
                    question(ledger) if not self._shapes else ()
                ):  # before any is fetched, what lists name
                    self._shapes.add(_shape(url))
                    kinds.add(link_kind(url))
        self._lists = {LinkKind.AUTHOR, LinkKind.TOPIC, LinkKind.SECTION} - kinds
        """Kinds of lists by which no article is called in its address: some are, though most addresses that
        are called so are lists (`/tema/23` is a thread)."""

    def close(self) -> None:
        self._db.close()

    def compare(self, source: Source, go_on: Callable[[], bool]) -> Row | None:
        """Hold what a source names against the ledger; None where it was never asked."""
        own = corpus_of_source(self._corpus, source)
        newest = newest_fetch(own.ledger)
        if newest is None:
            return None
        run, fetch = newest
        links, others, left_out, such_as = _links_of(own, run), dict[str, tuple[int, str]](), 0, ""
        while go_on() and (some := list(islice(links, 5_000))):
            with transaction(self._db):
                for url, seen_on, day in some:
                    if refused := self._add(source, url, seen_on, day):
                        left_out, such_as = left_out + 1, such_as or f"{url} ({refused})"
                    elif refused is not None:
                        shape = url_shape(url, sections=True)
                        number, first = others.get(shape, (0, url))
                        others[shape] = number + 1, min(first, url)
        named, known, missing = self._db.execute(_OF_SOURCE, (source,)).fetchone()
        return Row(
            source=source,
            named=named,
            known=known,
            missing=missing,
            share=round(missing / named, 4) if named else 0.0,
            left_out=left_out,
            left_out_such_as=such_as,
            others=sorted(others.values(), key=lambda of_shape: (-of_shape[0], of_shape[1]))[:20],
            **fetch,
        )

    def result(self, sources: Sequence[Row], *, complete: bool) -> Row:
        """Return what was found: articles that are not in the ledger; of very many the first."""
        total, edge = (
            self._db.execute(f"SELECT count(*) FROM ({_MISSING})", (inside, -1)).fetchone()[0]
            for inside in (True, False)
        )
        return Row(
            portal=self._portal.name,
            total=total,
            unlisted=list(rows_of(self._db.execute(_MISSING, (True, 10_000)))),
            sources=sources,
            at_the_edge=edge,
            complete=complete,
        )

    def all_unlisted(self) -> Iterator[str]:
        """Give what the site names, and the ledger does not know."""
        return (url for url, *_ in self._db.execute(_MISSING, (True, -1)))

    def _add(self, source: Source, url: str, seen_on: str, published: str | None) -> str | None:
        """Take in one address. Where it can be no article by the rules of one column or another, and what is
        known always can: which of a person's rules leaves it out, if that is all that speaks against it; else
        an empty text."""
        try:
            links = [article_url(url, rules, self._portal) for rules in self._rules]
        except PatternTimeout:
            return ""
        articles = {self._key(link): normalise(link) for link in links if isinstance(link, str)}
        key = self._key_of_article(articles, source)
        if key is None:
            return self._refused(url, links)
        day = first_day((published, day_in_url(url)))
        sql = (
            "INSERT INTO named VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET inside = max(inside, "
            "excluded.inside)"
        )
        self._db.execute(sql, (source, key, articles[key], seen_on, self._is_inside(day)))
        return None

    def _key_of_article(self, articles: Mapping[int, str], source: Source) -> int | None:
        """Return the key of the address that is known, or else of one that may be an article; whatever a feed
        names was published."""
        for key in articles:
            if self._db.execute("SELECT 1 FROM known WHERE key = ?", (key,)).fetchone() is not None:
                return key
        for key, address in articles.items():
            if (source is Source.FEED or self._looks_like_one(address)) and self._may_be_article(address):
                return key
        return None

    def _refused(self, url: str, links: Sequence[str | RefusedLink]) -> str:
        """Return which rule of a person leaves out what looks like an article; else an empty text."""
        reasons = [link.reason for link in links if isinstance(link, RefusedLink)]
        is_left_out = len(reasons) == len(links) and reasons[0] in BY_A_PERSON and self._looks_like_one(url)
        return reasons[0] if is_left_out else ""

    def _is_inside(self, day: date | None) -> bool:
        """Return whether the archive that the portal file describes goes as far as to that day."""
        columns = self._portal.columns
        if not columns or any(_reaches(column, day) for column in columns):
            return True
        return any(day is None or first <= day <= last for first, last, _ in self._gaps)

    def _may_be_article(self, url: str) -> bool:
        """Neither the front page's address, nor one of the archive's, nor one that is skipped."""
        skipped = any(pattern.search(url) for pattern in self._portal.articles.skip.url)
        return (
            not skipped
            and not same_page(url, self._portal.home)
            and fitting_column(self._portal, url) is None
        )

    def _looks_like_one(self, url: str) -> bool:
        """Like the articles that are known."""
        return _shape(url) in self._shapes and link_kind(url) not in self._lists

    def _key(self, url: str) -> int:
        """Return one key for all addresses of an article: that of its identity, else of the address without
        what never parts two articles."""
        try:
            same = identity_of(url, self._portal)
        except PatternTimeout:
            same = url
        if same == normalise(url):
            same = same.partition("://")[2].removeprefix("www.").rstrip("/")
        return key_of(same)


def _shape(url: str) -> str:
    """A slash at the end parts no articles."""
    return url_shape(url.rstrip("/"), sections=False)


def _reaches(column: Column, day: date | None) -> bool:
    """Say whether a column goes as far as to that day; of a day that is not known, whether nothing cuts it
    off."""
    first, last = column.dates.days if column.dates is not None else (date.min, date.max)
    first = max(first, column.stop.after or date.min)
    if day is None:
        return (first, last) == (date.min, date.max)
    return first <= day <= last
