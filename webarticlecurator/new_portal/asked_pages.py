"""The pages of a site that were asked for, one after the other, as far as the source goes; what was not had
is noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat
from webarticlecurator.databases import Row
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.feeds import title_of_feed
from webarticlecurator.extraction.site_entrances import Entrance
from webarticlecurator.learning.links.placed_links import probable_articles
from webarticlecurator.learning.paging.next_links import Leads, next_links
from webarticlecurator.learning.site.archive_columns import FEWEST_LINKS
from webarticlecurator.learning.site.seen import read_list
from webarticlecurator.model.capture import Capture, Exchange, Fetched, PageSource, Request
from webarticlecurator.model.links import OTHER_HOST, ArchivePage
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import bare_host

INTERRUPTED = "interrupted"
_MOST_STORED = 200
_MOST_IN_VAIN = 2
"""Links of which little says that they lead on, that are asked for."""


@dataclass(slots=True)
class LookedAt:
    """A source that says when it is exhausted, and gives again what it was asked for already: stored pages,
    which cost nothing."""

    source: PageSource
    requests: int = 0
    """The number of requests that it cost somebody."""
    is_over: bool = False
    """True if nothing is to be asked any more that was not asked yet."""
    blocked: str | None = None
    """The reason why the site keeps us out, since it was looked at."""
    _asked: int = 0

    @property
    def spent(self) -> str | None:
        """Return why nothing more is asked; None as long as something may be."""
        return f"{_MOST_STORED} stored pages were looked at" if self._asked >= _MOST_STORED else None

    def fetch(self, request: Request) -> Fetched:
        """Return the stored answer."""
        self._asked += 1
        return self.source.fetch(request)


class LookEnded(Exception):
    """The look is over: nothing more may be asked; the message says why."""


@dataclass(slots=True)
class AskedPages:
    """The answers that a site has given so far. All that asks raises LookEnded where nothing more may be
    asked."""

    source: LookedAt
    first: Fetched | None = None
    """The answer to the request for the first page."""
    no_page: NoPage | None = None
    """The reason why that is no page, if it is none."""
    title_of_feed: str = ""
    failed: list[tuple[str, str, bool]] = field(default_factory=list)
    """Addresses that were asked for in vain, why, and whether the site says that there is nothing."""
    in_vain: int = 0
    """The number of times that a link that might have led on, led to no further page of its list."""
    rights: list[Exchange] = field(default_factory=list)
    """The answers for robots.txt and tdmrep.json."""

    @property
    def last_answer(self) -> Exchange | None:
        """The answer that the first page came with, behind its redirects."""
        exchanges = self.first.exchanges if self.first is not None else ()
        return exchanges[-1] if exchanges else None

    @property
    def why_no_page(self) -> str:
        """Return why the first page could not be read."""
        if self.no_page is not None:
            return self.no_page.reason
        return self.first.verdict.reason if self.first is not None else "nothing was asked"

    def page(self, url: str) -> Page | None:
        """Return the page of an address; None where none is had, which is noted."""
        is_first = self.first is None
        fetched = self._fetched(Request(url=url))
        page = read_page(fetched.capture) if fetched.capture is not None else None
        if isinstance(page, Page):
            return page
        if is_first:
            self.no_page = page
        else:
            self._note(url, page.reason if page is not None else fetched.verdict.reason, fetched)
        return None

    def with_second(self, page: Page) -> tuple[Page, ...]:
        """Return a list, and the page that follows it, if there is one.

        What does not say by itself that it leads on is asked for, too, as long as such links bring something.
        """
        for url, is_said in _addresses_of_second(page):
            if not is_said and self.in_vain >= _MOST_IN_VAIN:
                continue
            second = self.page(url)
            if second is not None and (is_said or _lists_more(second, page)):
                return (page, second)
            self.in_vain += not is_said
            if is_said:
                break
        return (page,)

    def listed(self, entrance: Entrance, home: str, *, may_be_gone: bool) -> Row | None:
        """Return what a sitemap or a feed names; None where it names nothing, which is noted, unless it is
        gone and may be so."""
        fetched = self._fetched(Request(url=entrance.url, is_sitemap=entrance.kind == "sitemap"))
        read = read_list(fetched.capture, entrance.kind, home) if fetched.capture is not None else None
        if entrance.kind == "feed":
            self.title_of_feed = _title_of(fetched.capture)
        if read is not None and (read.articles or read.sitemaps):
            articles, sitemaps = (
                tuple(link.url for link in links) for links in (read.articles, read.sitemaps)
            )
            return Row(entrance=entrance, articles=articles, sitemaps=sitemaps)
        if not may_be_gone or fetched.verdict.outcome is not FetchOutcome.GONE:
            reason = f"it is no {entrance.kind}" if fetched.capture is not None else fetched.verdict.reason
            self._note(entrance.url, _why_elsewhere(read) or reason, fetched)
        return None

    def _fetched(self, request: Request) -> Fetched:
        if (why := self.source.spent) is not None:
            raise LookEnded(why)
        fetched = self.source.fetch(request)
        if self.first is None:
            self.first = fetched
        self.rights += fetched.rights
        return fetched

    def _note(self, url: str, reason: str, fetched: Fetched) -> None:
        self.failed.append((url, reason, fetched.verdict.outcome is FetchOutcome.GONE))


def _addresses_of_second(page: Page) -> Iterator[tuple[str, bool]]:
    """Give where a list may lead on, the likeliest first, and whether it says so by itself.

    Scripts may ask for the second page of one that has a number in its address.
    """
    number = linear(r"(?<=[/=])(1)/?$").search(page.requested_url)
    if number:
        head, tail = page.requested_url[: number.start(1)], page.requested_url[number.end(1) :]
    links = next_links(page)
    said = [link.url for link in links if link.kind is Leads.ON][:1]
    said += [f"{head}2{tail}"] if number and not said else []
    yield from ((url, True) for url in said)
    others = dict.fromkeys(link.url for link in links if link.kind is not Leads.ON)
    yield from ((url, False) for url in islice(others, _MOST_IN_VAIN))


def _lists_more(second: Page, first: Page) -> bool:
    """Say whether a page lists articles that another one does not."""
    return len(set(probable_articles(second)).difference(probable_articles(first))) >= FEWEST_LINKS


def _title_of(feed: Capture | None) -> str:
    page = read_page(feed, format=ArchiveFormat.FEED, classified=True) if feed is not None else None
    return title_of_feed(page) if isinstance(page, Page) else ""


def _why_elsewhere(read: ArchivePage | None) -> str | None:
    """Return that the links of a list lead to another site."""
    elsewhere = [link.url for link in read.refused if link.reason == OTHER_HOST] if read is not None else []
    if not elsewhere:
        return None
    return (
        f"its {amount(len(elsewhere), 'link leads', 'links lead')} to {bare_host(elsewhere[0])}, another site"
    )
