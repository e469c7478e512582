"""A site's own feeds and sitemaps, read beside its archive: kept in folders of their own, so that the corpus stays what a crawl made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.extraction.metadata.dates import day_in_url
from webarticlecurator.survey.archive_audit.neighbour_links import NamedArticle, Source, day_of

FOLDER = "audit"
"""In the corpus folder."""
SITE_SOURCES = (Source.SITEMAP, Source.FEED)
"""Each found by the preset of that name."""
_NAMED = """
    SELECT u.url, u.via, u.lastmod, (SELECT l.fields FROM listings l WHERE l.url_id = u.id ORDER BY l.seq DESC LIMIT 1)
    FROM urls u ORDER BY u.id
"""
_WAS_FOUND = "SELECT 1 FROM pages WHERE result = 'links' LIMIT 1"
_ASKED_FOR = "SELECT url, reason, max(id) FROM pages GROUP BY url ORDER BY min(id)"
"""With one maximum SQLite takes the reason of that page."""


def corpus_of_source(corpus: Corpus, source: Source) -> Corpus:
    """Where what was read of a source lies: WARC files and a ledger, as of any crawl."""
    return Corpus(corpus.folder / FOLDER / source)


def portal_of_source(portal: Portal, source: Source) -> Portal:
    """The same site with the source as its archive; all hosts of the portal are let in, and what its other rules say is asked later."""
    rules = f"portal: {portal.name}\nhome: {json.dumps(portal.home)}\nextends: {source}\n"
    loaded = load_portal(portal.sources[0].path, content=rules.encode())
    hosts = tuple({host: None for one in (portal.article_urls, *(column.urls for column in portal.columns)) for host in one.hosts})
    return replace(
        loaded,
        fetch=portal.fetch,
        timezone=portal.timezone,
        language=portal.language,
        hosts=portal.hosts | loaded.hosts,
        columns=tuple(replace(column, urls=replace(column.urls, hosts=hosts)) for column in loaded.columns),
    )


def looked_at_in_vain(ledger: Path) -> tuple[str, ...]:
    """Of a source that was not found: every address that was asked for, with what came of it."""
    with Ledger.reading(ledger) as opened:
        if any(opened.rows(_WAS_FOUND)):
            return ()
        return tuple(f"{url} ({reason})" for url, reason, _ in opened.rows(_ASKED_FOR))


def count_named(ledger: Path) -> int:
    """How many articles a source names."""
    with Ledger.reading(ledger) as opened:
        return sum(number for (number,) in opened.rows("SELECT count(*) FROM urls"))


def named_by(ledger: Path, source: Source) -> Iterator[NamedArticle]:
    """Every article that a source names, by its ledger."""
    with Ledger.reading(ledger) as opened:
        for url, via, lastmod, listing in opened.rows(_NAMED):
            fields = orjson.loads(listing) if listing else {}
            day = day_of((fields.get("datePublished") or [None])[0]) or day_of(day_in_url(url))
            yield NamedArticle(url, via or url, day, source, day_of(lastmod))
