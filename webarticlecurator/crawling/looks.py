"""Looks at addresses that no rule names: each is asked for once, stored, and counts as nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from webarticlecurator.crawling.article_ways import as_read, page_of
from webarticlecurator.crawling.run import Run
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.warc.stored import StoredResponse


def look(run: Run, request: Request) -> Capture | None:
    """Return what is asked for once, and stored; None: it is not there, or nothing may be asked."""
    answers = run.ledger.answers(request.key)
    if answers:
        return run.stored(answers[0]) if answers[0].status == 200 else None
    if run.options.offline:
        return None
    run.doing = f"looking at {request.url}"
    run.show(at_once=True)
    fetched = run.source.fetch(request)
    run.keep_look(fetched)
    return fetched.capture


def probe(run: Run, request: Request) -> Capture | None:
    """Return what is asked for once, and stored, while more may be asked for beside what the portal file
    names."""
    is_new = not run.ledger.answers(request.key)
    return look(run, request) if run.probes.take(int(is_new)) else None


def page_in(run: Run, capture: Capture | None) -> Page | None:
    """Return the page that came, parsed; None: it is none that can be read."""
    if capture is None:
        return None
    page = run.guarded(
        capture.url, lambda: page_of(capture, run.portal), lambda verdict: NoPage(verdict.reason)
    )
    return page if isinstance(page, Page) else None


def article_of(run: Run, page: Page | None) -> Article | None:
    """Return a page as builds read it; None: there is none, or the reading failed."""
    if page is None:
        return None
    return run.guarded(page.url, partial(as_read, page, run.portal), lambda _: None)


def article_on(run: Run, capture: Capture | None) -> Article | None:
    """Return what came as builds read it; None: it is no page that can be read."""
    return article_of(run, page_in(run, capture))


def articles_of(run: Run, pages: Iterable[Page]) -> list[Article]:
    """Return these pages as builds read them, each by itself, as far as they can be read."""
    return list(filter(None, (article_of(run, page) for page in pages)))


def pages_of(run: Run, url: str) -> Iterator[Page]:
    """Give all stored pages of an article."""
    return _pages_in(run, run.ledger.pages_of(url))


def stored_pages(run: Run, articles: Iterable[str]) -> Iterator[Page]:
    """Give the first pages of these articles, as far as they are stored."""
    return _pages_in(run, chain.from_iterable(run.ledger.first_pages_of(url)[:1] for url in articles))


def _pages_in(run: Run, answers: Iterable[StoredResponse]) -> Iterator[Page]:
    return filter(None, (page_in(run, run.stored(answer)) for answer in answers))
