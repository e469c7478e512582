"""A site's own feeds and sitemaps, read beside its archive: kept in folders of their own, so that the corpus stays what a crawl made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.events import LinksEvent, PageEvent, decode
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.extraction.metadata.dates import day_in_url
from webarticlecurator.model.links import Fields
from webarticlecurator.survey.archive_audit.neighbour_links import NamedArticle, Source, day_of
from webarticlecurator.urls import join
from webarticlecurator.warc.stored import read_exchanges

FOLDER = "audit"
"""In the corpus folder."""
SITE_SOURCES = (Source.SITEMAP, Source.FEED)
"""Each found by the preset of that name."""
_LISTS = frozenset({"archive-page", "archive-links"})


def corpus_of_source(corpus: Corpus, source: Source) -> Corpus:
    """Where what was read of a source lies: WARC files and a ledger, as of any crawl."""
    return Corpus(corpus.folder / FOLDER / source)


def portal_of_source(portal: Portal, source: Source) -> Portal:
    """The same site with the source as its archive; all hosts of the portal are let in, and what its other rules say is asked later.

    Of a portal in a folder of its host (`/pt/`), what stands at the root of the host may name its articles, too.
    """
    loaded, root = _extending(source, portal, portal.home), join(portal.home, "/") or portal.home
    columns = loaded.columns if root == portal.home else _ways_of_both(loaded.columns, _extending(source, portal, root).columns)
    hosts = tuple({host: None for one in (portal.article_urls, *(column.urls for column in portal.columns)) for host in one.hosts})
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


def _ways_of_both(first: Sequence[Column], then: Sequence[Column]) -> tuple[Column, ...]:
    columns = (*first, *(replace(column, name=f"root-{column.name}") for column in then))
    return tuple(replace(column, ways=tuple(one.name for one in columns)) for column in columns)


def named_by(corpus: Corpus, source: Source, run: int) -> Iterator[NamedArticle]:
    """Every article that one fetch of a source brought, by its WARC files: the ledger does not part it from what older ones brought."""
    for path in corpus.warc_files():
        for stored in read_exchanges(path, on_damage=lambda _: None):
            if stored.event.get("run") == run and stored.event.get("kind") in _LISTS:
                event = decode(stored)
                assert isinstance(event, (PageEvent, LinksEvent))
                yield from (_named(url, event.url, fields, source) for url, _, fields in event.links)


def _named(url: str, via: str, fields: Fields, source: Source) -> NamedArticle:
    published, changed = (next(iter(fields.get(name, ())), None) for name in ("datePublished", "lastmod"))
    return NamedArticle(url, via, day_of(published) or day_of(day_in_url(url)), source, day_of(changed))
