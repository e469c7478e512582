"""What a fetched page of an article says of the next one, and what speaks against going there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger import QueuedPage
from webarticlecurator.crawling.requests import article_request
from webarticlecurator.crawling.run import Run
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_pages import another_article, goes_on, next_article_page, skip_reason, unseen_links
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.stored import StoredResponse

MOST_PARTS = 1000
"""Pages of one article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayOn:
    """Where an article goes on, or why it does not; as an article's event tells it."""

    next: str | None = None
    saw: PageOutcome | None = None
    """What the page is, where it is no article that can be read; and why:"""
    page: str | None = None
    another: bool = False
    unfollowed: str | None = None


NO_WAY_ON = WayOn()


def way_on(run: Run, capture: Capture, older: StoredResponse | None, queued: QueuedPage, asked: tuple[str, ...]) -> WayOn:
    """Parsed only where a rule needs it. `asked` are the pages of the article so far, the last of them is this one.

    A page that has not changed since its `older` capture leads where that does: the rule, or the further pages, may be new.
    """
    portal = run.portal
    if portal.articles.next is None and not portal.articles.skip_when:
        return WayOn()
    if capture.status == HTTPStatus.NOT_MODIFIED and older is not None:
        capture = replace(run.stored(older), requested_url=queued.asked)
    page = _read(capture, portal)
    if isinstance(page, NoPage):
        return WayOn(saw=PageOutcome.UNREADABLE, page=page.reason)
    try:
        skipped = skip_reason(page, portal)
        return WayOn(saw=PageOutcome.NOT_ARTICLE, page=skipped) if skipped is not None else _followed(run, page, queued, asked)
    except PatternTimeout as error:
        return WayOn(saw=PageOutcome.UNREADABLE, page=str(error))


def _followed(run: Run, page: Page, queued: QueuedPage, asked: tuple[str, ...]) -> WayOn:
    why = another_article(page, queued.url, partial(_first_page, run, queued), run.portal) if queued.part > 1 else None
    if why is not None:
        return WayOn(another=True, unfollowed=_not_followed(run, asked[-2], queued.asked, f"which is another article: {why}"))
    links = unseen_links(page, run.portal, asked)
    following = next_article_page(page, run.portal, asked)
    against = _against(run, links, following, queued)
    if against is not None:
        return WayOn(unfollowed=_not_followed(run, queued.asked, following or links[0], against))
    sign = goes_on(page, queued.url, asked) if following is None else None
    if sign is not None:
        run.count_going_on(queued.url, sign.text)
    return WayOn(next=following)


def _against(run: Run, links: list[str], following: str | None, queued: QueuedPage) -> str | None:
    """Why a link of `articles.next` is not followed."""
    if following is None:
        return f"which is on no host of the portal; `urls: {{hosts: [{bare_host(links[0])}]}}` would add it" if links else None
    if queued.part >= MOST_PARTS:
        return f"but an article may have {MOST_PARTS:,} pages at most"
    known = run.ledger.known_as_another(following, identity_of(following, run.portal), queued)
    if known is None:
        return None
    return f"which is another article: the archive lists {known}; if that is a page of this one, articles.identity has to tell"


def _not_followed(run: Run, start: str, end: str, what: str) -> str:
    assert run.portal.articles.next is not None
    return f"articles.next ({run.portal.articles.next.named}) led from {start} to {end}, {what}"


def _first_page(run: Run, queued: QueuedPage) -> Page | None:
    """The article's first page, as it is stored."""
    request = article_request(run.portal, queued.url, queued.identity, first=True)
    stored = run.ledger.latest_response(request.key, article=queued.id)
    page = _read(replace(run.stored(stored), requested_url=queued.url), run.portal) if stored is not None else None
    return page if isinstance(page, Page) else None


def read_stored(run: Run, url: str) -> Page | None:
    """A page as it is stored, if it is one."""
    stored = run.ledger.latest_response(Request(url=url).key)
    page = _read(replace(run.stored(stored), requested_url=url), run.portal) if stored is not None else None
    return page if isinstance(page, Page) else None


def leads_on(capture: Capture, portal: Portal) -> str | None:
    """Where `articles.next` leads from an imported page."""
    page = _read(capture, portal) if portal.articles.next is not None else None
    try:
        return next_article_page(page, portal, ()) if isinstance(page, Page) else None
    except PatternTimeout:
        return None


def _read(capture: Capture, portal: Portal) -> Page | NoPage:
    return read_page(capture, encoding=portal.fetch.encoding, format=portal.articles.format, classified=True)
