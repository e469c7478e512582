"""What stands at an address that no rule names? It is asked for once, stored, and counts as nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from webarticlecurator.crawling.article_ways import as_read, page_of
from webarticlecurator.crawling.run import Run
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.page import NoPage, Page


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


def page_in(run: Run, capture: Capture | None) -> Page | None:
    """Return the page that came, parsed; None: it is none that can be read."""
    if capture is None:
        return None
    page = run.guarded(capture.url, lambda: page_of(capture, run.portal), lambda verdict: NoPage(verdict.reason))
    return page if isinstance(page, Page) else None


def article_of(run: Run, page: Page) -> Article | None:
    """Return a page as builds read it; None: the reading failed."""
    return run.guarded(page.url, partial(as_read, page, run.portal), lambda _: None)


def article_on(run: Run, capture: Capture | None) -> Article | None:
    """Return what came as builds read it; None: it is no page that can be read."""
    page = page_in(run, capture)
    return article_of(run, page) if page is not None else None


def pages_of(run: Run, url: str) -> Iterator[Page]:
    """Give all stored pages of an article."""
    return (page for answer in run.ledger.pages_of(url) if (page := page_in(run, run.stored(answer))) is not None)


def stored_pages(run: Run, articles: Iterable[str]) -> Iterator[Page]:
    """Give the first pages of these articles, as far as they are stored."""
    stored = (answer for url in articles for answer in run.ledger.first_pages_of(url)[:1])
    return (page for answer in stored if (page := page_in(run, run.stored(answer))) is not None)
