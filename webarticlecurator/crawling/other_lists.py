"""Which other lists does the site have: pages that its lists, menus and articles lead to, its feed, its sitemaps?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.crawling.looks import look, page_in, stored_pages
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.article_pages import linked_from
from webarticlecurator.extraction.leads import Lead, LeadKind, feed_urls, leads_of
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.urls import host_and_port, join, split_path

MOST_PAGES, _MOST_FILES = 12, 5
"""Pages that are looked at in one crawl, and files of sitemaps, robots.txt among them."""
_MOST_OF_FILE = 20_000
_TOPICS = 3
_FEWEST_ALIKE = 3
"""Links of one form that rules take on a page, and that are no accident."""
_KNOWN = 200


def proved_columns(run: Run) -> Iterator[Column]:
    """Give the columns of which something is proved by the rules of now."""
    return (column for column in run.columns if column.rules in run.ledger.proved(column.name))


def look_at_other_lists(run: Run) -> None:
    """Look at pages that may list more than the columns do; all links on them are taken in."""
    looked_at = set[str]()
    for column in proved_columns(run):
        leads = chain(_leads_of_list(run, column), _leads_of_articles(run, column)) if column.format is ArchiveFormat.HTML else ()
        for lead in leads:
            if len(looked_at) >= MOST_PAGES:
                return
            if lead.url not in looked_at and not run.ledger.is_there(lead.url):
                looked_at.add(lead.url)
                _look_at(run, column, lead)


def _look_at(run: Run, column: Column, lead: Lead) -> None:
    is_feed = lead.kind is LeadKind.FEED
    capture = look(run, Request(url=lead.url, rendering=None if is_feed else column.rendering))
    if capture is None:
        return
    run.seen.take_page(capture)
    if not is_feed:
        for url in _listed_on(run, column, capture):
            run.seen.take_item(url, lead.url)
    else:  # which may name the articles by an address of the site from before
        hosts = set(map(host_and_port, run.ledger.listed_by(column.name, _KNOWN)))
        named = run.guarded(lead.url, partial(feed_urls, capture, run.portal), lambda _: ())
        run.seen.take_addresses((url for url in named if host_and_port(url) in hosts), lead.url)


def _listed_on(run: Run, column: Column, capture: Capture) -> list[str]:
    """Return what the rules of a column take on a page where they take several of one form, however that is written."""
    page = page_in(run, capture)
    urls = run.guarded(capture.url, partial(article_urls, page, column, run.portal), lambda _: ()) if page is not None else ()
    forms = Counter(url_shape(url, sections=True) for url in urls)
    return [url for url in urls if forms[url_shape(url, sections=True)] >= _FEWEST_ALIKE]


def _leads_of_list(run: Run, column: Column) -> Iterator[Lead]:
    """Give what the first page of a column leads to."""
    # what leads to sections need not list articles
    first = run.ledger.first_page(column.name) or (place_at(column, None).url if column.sections is not None else None)
    response = run.ledger.latest_response(Request(url=first).key) if first is not None else None
    page = page_in(run, run.stored(response)) if response is not None else None
    if page is not None:
        leads = leads_of(page, column, run.portal, lambda url: run.ledger.column_of_page(url) is not None)
        yield from run.guarded(page.url, partial(tuple, leads), lambda _: ())


def _leads_of_articles(run: Run, column: Column) -> Iterator[Lead]:
    """Give the folders in which articles stand, lists that are written as the first pages of columns, and some topics, as far as articles
    lead to them."""
    folders = {f"{url.rstrip('/').rpartition('/')[0]}/" for url in run.ledger.listed_by(column.name, _KNOWN)}
    first_pages = filter(None, (run.ledger.first_page(each.name) for each in run.columns))
    shapes = {url_shape(url, sections=True) for url in first_pages if split_path(url)[0].strip("/")}
    unread = [url for url in _linked_by_articles(run, column) if run.ledger.column_of_page(url) is None]
    like_lists = (url for url in unread if url in folders or url_shape(url, sections=True) in shapes)
    topics = islice((url for url in unread if link_kind(url) is not None), _TOPICS)
    yield from (Lead(url, LeadKind.ARTICLES) for url in dict.fromkeys((*like_lists, *topics)))


def _linked_by_articles(run: Run, column: Column) -> list[str]:
    """Return what some articles at either end of the column lead to, the most frequent first; of all columns no more than fifty at one."""
    sample = max(1, min(5, 50 // len(run.columns)))
    articles = dict.fromkeys(url for last in (False, True) for url in run.ledger.listed_by(column.name, sample, last=last))
    links = Counter(chain.from_iterable(map(linked_from, stored_pages(run, articles))))
    return [url for url, _ in links.most_common()]


def read_site_sitemaps(run: Run) -> None:
    """Take in what the first files of the site's sitemaps name, where no column has read them."""
    proved = list(proved_columns(run))
    if not proved or any(column.format is ArchiveFormat.SITEMAP for column in proved):
        return
    waiting = [join(run.portal.home, "/robots.txt"), join(run.portal.home, "/sitemap.xml")]
    as_sitemap = replace(proved[0], format=ArchiveFormat.SITEMAP)
    for _ in range(_MOST_FILES):
        url = waiting.pop(0) if waiting else None
        capture = look(run, Request(url=url, is_sitemap=True)) if url is not None else None
        if url is None or capture is None:
            continue
        read = run.guarded(url, partial(read_sitemap, capture, as_sitemap, run.portal), lambda _: None)
        if isinstance(read, ArchivePage):
            waiting[:0] = [sitemap.url for sitemap in read.sitemaps]
            run.seen.take_addresses(islice(dict.fromkeys(_at_home(run, link.url) for link in read.articles), _MOST_OF_FILE), url)


def _at_home(run: Run, url: str) -> str:
    """Return an address at the host of the portal's home: some sitemaps name another host or port than readers see."""
    return join(run.portal.home, "?".join(filter(None, split_path(url)))) or url
