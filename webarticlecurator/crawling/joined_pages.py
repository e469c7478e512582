"""Imported pages that are one article: by `articles.next` from page to page, by addresses and identity where a page is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from webarticlecurator.corpus.events import JoinedEvent
from webarticlecurator.crawling.further_pages import MOST_PARTS, read_stored
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.article_pages import another_article, next_article_page, same_headline
from webarticlecurator.extraction.missing_pages import addresses_behind, in_page_order, says_page
from webarticlecurator.model.page import Page
from webarticlecurator.warc.store import Series

_MOST_MATES = 10_000
"""Addresses of one identity."""
_MOST_TRIED = 20
"""Addresses behind a missing page that are looked for."""


@dataclass(frozen=True, slots=True)
class _Pages:
    """What is there of one article."""

    urls: list[str]
    whole: int
    """How many up to the first gap."""
    missing: str | None
    """Where the page before it leads."""


def join_pages(run: Run, since: int) -> int:
    """Look at what was stored after that response, and at all articles that wait for a page; gives how many go on waiting."""
    if run.portal.articles.next is None and run.portal.articles.identity is None:
        return 0
    lacking = 0
    seen: set[int] = set()
    for article in run.ledger.perhaps_parts(since):
        if run.stopped:
            break
        pages = run.ledger.stored_pages(article) if article not in seen else ()
        # An article of one page that leads nowhere was read when it was imported.
        if pages and not (run.ledger.is_as_told(article, pages[:1], 1, None) and len(run.ledger.of_one_identity(article, 2)) == 1):
            lacking += run.guarded(pages[0], partial(_join, run, article, pages[0], seen), lambda _: False)
    return lacking


def _join(run: Run, article: int, own: str, seen: set[int]) -> bool:
    """Whether an article waits for a page; `seen` are those that need no look any more."""
    mates = {}
    for mate in sorted({article, *run.ledger.of_one_identity(article, _MOST_MATES)} - seen):
        if pages := run.ledger.stored_pages(mate):
            mates[pages[0]] = mate, pages
    # URLs of one identity that differ in anything but a page's number are one page under several addresses.
    order = in_page_order(own, mates)
    first, follows = mates[order[0]][0], run.portal.articles.next is not None
    candidates = [url for start in order for url in mates[start][1] if follows or says_page(url)]
    found = _collected(run, first, order[0], candidates)
    seen.update((first,) if len(found.urls) == MOST_PARTS else (mates[start][0] for start in order))
    if not run.ledger.is_as_told(first, found.urls, found.whole, found.missing):
        event = JoinedEvent(**run.recorder.stamp(), url=order[0], pages=tuple(found.urls), whole=found.whole, next=found.missing)
        run.recorder.write(Series.ARTICLES, order[0], event)
    return found.missing is not None


def _collected(run: Run, article: int, start: str, candidates: Sequence[str]) -> _Pages:
    """The pages from the first one on; behind a gap with the next one that is there."""
    urls, whole, missing = {start: None}, 0, None
    first = page = read_stored(run, start)
    waiting = iter(candidates)  # which are looked at once, however many gaps there are
    while first is not None and page is not None and len(urls) < MOST_PARTS:
        last, led = next(reversed(urls)), next_article_page(page, run.portal, urls)
        page = _part(run, article, led, urls, first) if led is not None else None
        if led is not None and page is not None:
            urls[led] = None
            continue
        if led is not None and missing is None and run.ledger.first_page_of(led, article) is None:
            whole, missing = len(urls), led
        further = islice(addresses_behind(led, last), _MOST_TRIED) if led is not None else ()
        for url in chain(waiting, further):
            page = _part(run, article, url, urls, first) if url not in urls else None
            if page is not None and same_headline(page, first, run.portal):
                urls[url] = None
                break
        else:
            break
    return _Pages(list(urls), whole or len(urls), missing)


def _part(run: Run, article: int, url: str, urls: Mapping[str, None], first: Page) -> Page | None:
    """A stored page, if it is the next one of this article and not of another one."""
    belongs_to = run.ledger.first_page_of(url, article)
    page = read_stored(run, url) if belongs_to == url or belongs_to in urls else None
    return page if page is not None and another_article(page, first.requested_url, lambda: first, run.portal) is None else None
