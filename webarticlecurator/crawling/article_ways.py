"""The continuation of an article: its next page, what the link leads to in place of one, and which articles
are not whole in the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from webarticlecurator.config.portal import Portal, rules_of
from webarticlecurator.corpus.ledger import QueuedPage
from webarticlecurator.crawling.requests import article_request
from webarticlecurator.crawling.run import Run
from webarticlecurator.document.decode import MAX_UNPACKED
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.article_pages import (
    another_article,
    named_as_page,
    next_article_page,
    skip_reason,
    unseen_links,
)
from webarticlecurator.extraction.signs_of_more import address_in, may_go_on, rule_that_follows, sign_of_more
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.outcome import FetchOutcome, GoingOn, PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.stored import StoredResponse

MOST_PARTS = 1000
"""Pages of one article."""
_FEWEST_ASTRAY = 3
"""Articles; the last page of one or two may lead to the next article."""


def way_on(
    run: Run,
    capture: Capture,
    body: bytes,
    older: StoredResponse | None,
    queued: QueuedPage,
    asked: tuple[str, ...],
) -> dict[str, Any]:
    """Return where an article goes on, or why it does not, in the fields of its event; parsed only where a
    rule or its bytes ask for it.

    `body` is that of the page, unpacked. `asked` are the pages of the article so far, the last of them is
    this one. A page that has not changed since its `older` capture leads where that does: the rule, or the
    further pages, may be new.
    """
    portal = run.portal
    has_rule = portal.articles.next is not None or bool(portal.articles.skip.when)
    unchanged = run.stored(older) if capture.status == HTTPStatus.NOT_MODIFIED else None
    if unchanged is not None:
        capture = replace(unchanged, requested_url=queued.asked)
        body = unpacked_body(capture, MAX_UNPACKED)
    if not has_rule and not may_go_on(body, queued.url):
        return {}
    page = page_of(capture, portal)
    if isinstance(page, NoPage):
        return {"saw": PageOutcome.UNREADABLE, "page": page.reason} if has_rule else {}
    try:
        return _PageThatCame(run, page, queued, asked).way()
    except PatternTimeout as error:
        return {"saw": PageOutcome.UNREADABLE, "page": str(error)}


@dataclass(frozen=True, slots=True)
class _PageThatCame:
    """A page of an article, with the pages of it that were asked for so far; the last of them is this one."""

    run: Run
    page: Page
    queued: QueuedPage
    asked: tuple[str, ...]

    def way(self) -> dict[str, Any]:
        """Return the next page, or why there is none. Raises PatternTimeout."""
        portal, queued = self.run.portal, self.queued
        if (skipped := skip_reason(self.page, portal)) is not None:
            return {"saw": PageOutcome.NOT_ARTICLE, "page": skipped}
        if queued.part > 1 and (against := self._why_no_part()) is not None:
            return {"another": True, **self._led_astray(self.asked[-2], queued.asked, against)}
        following = next_article_page(self.page, portal, self.asked)
        if following is None:
            return self._end(self._elsewhere())
        if queued.part >= MOST_PARTS:
            return self._end(
                self._led(
                    queued.asked,
                    following,
                    f"is not asked for: an article may have {MOST_PARTS:,} pages at most",
                )
            )
        if (against := self._why_of_others(following)) is not None:
            return self._end(self._led_astray(queued.asked, following, against))
        return {"next": following}

    def _end(self, link: dict[str, str]) -> dict[str, Any]:
        """Return what is to be told where the article ends: signs of further pages go before a link that was
        not followed."""
        sign = self._sign()
        if sign is None:
            return {"next": None, **link}
        told = "; ".join(filter(None, (f"it goes on ({sign})", link.get("unfollowed"))))
        return {"next": None, **link, "goes_on": sign, "unfollowed": told}

    def _sign(self) -> str | None:
        portal, queued = self.run.portal, self.queued
        sign = sign_of_more(self.page, queued.url, self.asked, portal)
        if sign is None or self._is_known(address_in(sign)):
            return None
        first = self.first_page()
        if first is not None and as_read(first, portal).outcome is not PageOutcome.ARTICLE:
            return None  # a listing shows that it goes on, too
        return sign

    def _is_known(self, url: str | None) -> bool:
        """Say whether an address is that of another article by the archive."""
        return (
            url is not None
            and self.run.ledger.known_as_another(url, identity_of(url, self.run.portal), self.queued)
            is not None
        )

    def _elsewhere(self) -> dict[str, str]:
        """Say where the rule leads off the portal's hosts; nothing if it does not."""
        links = unseen_links(self.page, self.run.portal, self.asked)
        if not links:
            return {}
        add = f"is on no host of the portal; `urls: {{hosts: [{bare_host(links[0])}]}}` would add it"
        return self._led(self.queued.asked, links[0], add)

    def _led(self, from_url: str, to_url: str, against: str) -> dict[str, str]:
        rule = self.run.portal.articles.next_in_words
        return {"unfollowed": f"{rule} led from {from_url} to {to_url}, which {against}"}

    def _led_astray(self, from_url: str, to_url: str, against: str) -> dict[str, str]:
        led = self._led(from_url, to_url, against)
        self.run.astray[self.queued.url] = led["unfollowed"]
        return {**led, "no_page": to_url, "led_by": self.run.portal.articles.next_in_words}

    def first_page(self) -> Page | None:
        """Return the first page of the article, be it stored before."""
        if self.queued.part == 1:
            return self.page
        request = article_request(self.run.portal, self.queued.url, self.queued.identity, first=True)
        return stored_page(self.run, request, self.queued.url, article=self.queued.id)

    def _why_of_others(self, following: str) -> str | None:
        """Say what an address is that is no further page of this article, by what the crawls have met."""
        run, queued = self.run, self.queued
        if known := run.ledger.known_as_another(following, identity_of(following, run.portal), queued):
            return (
                f"is another article: the archive lists {known}; if that is a page of this one, "
                "articles.identity has to tell"
            )
        if not named_as_page(following, queued.url) and (column := run.ledger.column_of_page(following)):
            return f"is an archive page of column {column}"
        return self._why_of_another(following)

    def _why_of_another(self, url: str) -> str | None:
        request = article_request(self.run.portal, url, self.queued.identity, first=False)
        other = self.run.ledger.asked_of_another(request.key, self.queued)
        return f"was asked for as a further page of {other} already" if other is not None else None

    def _why_no_part(self) -> str | None:
        """Say why a page that was led to is no further page of this article: by itself, by what was asked for
        meanwhile, or since it lists articles by the rules of the archive, and the first page does not."""
        why = another_article(self.page, self.queued.url, self.first_page, self.run.portal)
        if why is not None:
            return f"is another article: {why}"
        listed = [] if named_as_page(self.queued.asked, self.queued.url) else self._articles_on_it()
        if listed:
            return f"lists {len(listed):,} articles by `archive.item`, such as {listed[0]}"
        return self._why_of_another(self.queued.asked)

    def _articles_on_it(self) -> list[str]:
        """Return the articles that the page lists; none where there are few, or the first page lists them,
        too."""
        run, queued = self.run, self.queued
        column = (
            rules_of(run.portal, run.ledger.column_of_page(queued.via))
            if queued.via is not None
            else run.portal.archive
        )
        if column is None or column.item is None or column.format.tells_links:
            return []

        def is_other(url: str) -> bool:
            return url != queued.asked and identity_of(url, run.portal) != queued.identity

        def others_on(page: Page) -> list[str]:
            return [url for url in article_urls(page, column, run.portal) if is_other(url)]

        listed, beside_first = others_on(self.page), others_on(self.first_page() or self.page)
        return listed if len(listed) >= 2 > len(beside_first) else []


# --- in the end: which articles are not whole ---


def judge_pages(run: Run) -> None:
    """Tell once of the articles that are not whole, and of a rule that leads to no page of them; what was
    found before stays true until these articles are asked for again."""
    if run.portal.articles.one_page:
        return
    going_on, astray = list[tuple[str, str]](), list[str]()
    for end in run.ledger.ends_of_articles():
        if end.goes_on is not None:
            going_on.append((end.url, end.goes_on))
        elif end.led_by == run.portal.articles.next_in_words:
            astray.append(end.unfollowed)
    if going_on:
        run.summary.going_on = _going_on(run, *going_on[0], len(going_on))
    _judge_rule(run, astray)


def _going_on(run: Run, url: str, sign: str, articles: int) -> GoingOn:
    line = None
    if run.portal.articles.next is None:
        request = article_request(run.portal, url, identity_of(url, run.portal), first=True)
        page = stored_page(run, request, url)
        line = rule_that_follows(page, url, run.portal) if page is not None else None
    return GoingOn(articles, url, sign, run.portal.articles.next_in_words, line)


def _judge_rule(run: Run, astray: list[str]) -> None:
    if len(astray) < _FEWEST_ASTRAY:
        return
    fetched = run.ledger.outcomes().get(FetchOutcome.FETCHED, 0)
    led = f"`articles.next` leads from {len(astray):,} articles to what is no further page of them"
    advice = f"correct it, or delete it where no article has further pages: {astray[0]}"
    if 2 * len(astray) > fetched:
        run.summary.failures.append(f"{led}, which are most: the rule is wrong; {advice}")
    elif run.astray:  # the last page of an article may lead to the next one
        run.summary.remarks.append(f"{led}, and is left out; {advice}")


# --- pages of articles ---


def as_read(page: Page, portal: Portal) -> Article:
    """Read a page as builds do."""
    from webarticlecurator.extraction.article_reader import read_article  # a crawl without it starts sooner

    return read_article([page], portal, id="", identity="", url=page.url)


def stored_page(run: Run, request: Request, url: str, *, article: int | None = None) -> Page | None:
    """Return what is stored as the answer for a page of an article, parsed, if it is a page."""
    capture = run.stored(run.ledger.latest_response(request.key, article=article))
    page = page_of(replace(capture, requested_url=url), run.portal) if capture is not None else None
    return page if isinstance(page, Page) else None


def page_of(capture: Capture, portal: Portal) -> Page | NoPage:
    """Parse a page of an article."""
    return read_page(capture, encoding=portal.fetch.encoding, format=portal.articles.format, classified=True)
