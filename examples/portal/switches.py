"""Every way in which the example portal can misbehave: one table, one row a switch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType

from . import archive_behaviours as archive
from . import behaviours as do
from .answers import Request
from .columns import COLUMNS, column_at


class Scope(StrEnum):
    """Which requests a switch touches unless it is told URLs."""

    ONE = "one article, the oldest of the column belfold"
    ARTICLES = "all articles"
    ARCHIVE = "all archive pages"
    SECOND_PAGE = "the second page of the column belfold"
    EXPANDING = "the archive pages of the column deutsch"
    EVERYTHING = "everything but robots.txt"
    ROBOTS = "robots.txt"


@dataclass(frozen=True, slots=True)
class Switch:
    """One misbehaviour."""

    name: str
    meaning: str
    scope: Scope
    behave: do.Behaviour
    after: int = 0
    """So many requests in its scope are answered properly first."""
    times: int | None = None
    """So many requests are touched, then it is over; None: for ever."""
    seconds: float = 0.0


_TABLE: tuple[Switch, ...] = (
    Switch("latency", "every answer comes a little later", Scope.EVERYTHING, do.wait, seconds=0.05),
    Switch("slow", "no byte of the answer for a minute", Scope.ONE, do.wait, seconds=60),
    Switch("drip", "one byte a second", Scope.ONE, do.drip, seconds=1),
    Switch("429-seconds", "429 with Retry-After in seconds, three times", Scope.EVERYTHING, do.retry_later, after=5, times=3, seconds=1),
    Switch("429-date", "429 with Retry-After as a date, once", Scope.EVERYTHING, do.retry_later_date, after=5, times=1, seconds=2),
    Switch("429-for-ever", "429 for one article, always", Scope.ONE, do.answer_with(429)),
    Switch(
        "503-for-a-while", "the first two requests for each article get 503", Scope.ARTICLES, do.first_of_each_url(2, do.answer_with(503))
    ),
    Switch("503-for-ever", "503 for one article, always", Scope.ONE, do.answer_with(503)),
    Switch("503-everywhere", "the portal is down from the eleventh article on", Scope.ARTICLES, do.answer_with(503), after=10),
    Switch("500-archive-page", "an archive page that always fails", Scope.SECOND_PAGE, do.answer_with(500)),
    Switch(
        "401",
        "one article asks for a password",
        Scope.ONE,
        do.answer_with(401, "Előfizetőknek", ("WWW-Authenticate", 'Basic realm="archivum"')),
    ),
    Switch("403", "one article is forbidden", Scope.ONE, do.answer_with(403)),
    Switch("451", "one article is blocked for legal reasons", Scope.ONE, do.answer_with(451)),
    Switch("403-streak", "403 for every article from the eleventh on", Scope.ARTICLES, do.answer_with(403), after=10),
    Switch("429-streak", "429 for every article from the eleventh on", Scope.ARTICLES, do.answer_with(429), after=10),
    Switch("captcha", "a captcha with status 200 instead of articles, from the eleventh on", Scope.ARTICLES, do.page(do.CAPTCHA), after=10),
    Switch(
        "consent", "a consent wall with status 200 instead of articles, from the eleventh on", Scope.ARTICLES, do.page(do.CONSENT), after=10
    ),
    Switch("consent-redirect", "articles lead to a consent wall", Scope.ARTICLES, do.consent_redirect, after=10),
    Switch("same-body", "one and the same page for every article, from the eleventh on", Scope.ARTICLES, do.page(do.SAME_BODY), after=10),
    Switch("cookies-required", "no page without the cookie that the first answer sets", Scope.EVERYTHING, do.cookie_required),
    Switch("endless-redirect", "each redirect leads to a new address that redirects", Scope.ONE, do.redirect("{target}?ugras={count}")),
    Switch("redirect-loop", "a page that redirects to itself", Scope.ONE, do.redirect("{target}")),
    Switch("redirect-private", "a redirect to a private address", Scope.ONE, do.redirect("http://10.0.0.1/")),
    Switch(
        "redirect-metadata",
        "a redirect to the address where cloud machines keep secrets",
        Scope.ONE,
        do.redirect("http://169.254.169.254/latest/meta-data/"),
    ),
    Switch("redirect-scheme", "a redirect to a local file", Scope.ONE, do.redirect("file:///etc/hostname")),
    Switch("redirect-elsewhere", "a redirect to another host", Scope.ONE, do.redirect("https://elsewhere.example/", 301)),
    Switch("redirect-home", "an archive page that redirects home", Scope.SECOND_PAGE, do.redirect("{home}/")),
    Switch("endless-calendar", "empty archive pages without end", Scope.ARCHIVE, archive.endless_calendar),
    Switch("paging-loop", "behind the last archive page the first ones come again", Scope.ARCHIVE, archive.paging_loop),
    Switch(
        "sliding-archive",
        "the newest article vanishes before each of ten archive pages",
        Scope.EXPANDING,
        archive.moving(remove=True),
        times=11,
    ),
    Switch(
        "growing-archive", "a new article appears before each of ten archive pages", Scope.EXPANDING, archive.moving(remove=False), times=11
    ),
    Switch("changed-layout", "archive pages look different, and their links match no more", Scope.ARCHIVE, archive.changed_layout),
    Switch("off-host-links", "archive pages list articles of another portal", Scope.ARCHIVE, archive.add_items(archive.ELSEWHERE)),
    Switch("non-http-links", "archive pages list addresses that are no web pages", Scope.ARCHIVE, archive.add_items(archive.NOT_HTTP)),
    Switch("link-flood", "a hundred thousand links on one archive page", Scope.SECOND_PAGE, archive.flood),
    Switch("gzip-bomb", "half a gigabyte, packed small", Scope.ONE, do.gzip_bomb(512)),
    Switch("huge-page", "200 MB without a length", Scope.ONE, do.huge(200, announced=False)),
    Switch("huge-page-announced", "200 MB with a length", Scope.ONE, do.huge(200, announced=True)),
    Switch("big-headers", "a megabyte of headers", Scope.ONE, do.big_headers),
    Switch("truncated-body", "half of the body, then the end", Scope.ONE, do.claimed_length(0, lambda body: body[: len(body) // 2])),
    Switch("truncated-chunks", "half of the chunks, then the end", Scope.ONE, do.cut_chunks),
    Switch("length-too-long", "Content-Length says more than there is", Scope.ONE, do.claimed_length(100)),
    Switch("length-too-short", "Content-Length says less than there is", Scope.ONE, do.claimed_length(-100)),
    Switch("wrong-charset", "the header names a wrong charset", Scope.EVERYTHING, do.content_type("text/html; charset=iso-8859-1")),
    Switch("no-content-type", "no Content-Type at all", Scope.EVERYTHING, do.drop_header("Content-Type")),
    Switch("wrong-type", "a PDF where an article should be", Scope.ONE, do.content_type("application/pdf", b"%PDF-1.7\n%%EOF\n")),
    Switch("reset", "the connection is reset in the middle of the body", Scope.ONE, do.reset),
    Switch("reset-once", "the first request for each article is reset", Scope.ARTICLES, do.first_of_each_url(1, do.reset)),
    Switch("hang-up", "the connection closes without a byte", Scope.ONE, do.hang_up),
    Switch("garbage", "bytes that are not HTTP", Scope.ONE, do.garbage),
    Switch("missing", "a listed article that answers 404", Scope.ONE, do.answer_with(404)),
    Switch("gone", "a listed article that answers 410", Scope.ONE, do.answer_with(410)),
    Switch("chunked", "every body comes in chunks", Scope.EVERYTHING, lambda visit: do.chunked(visit.answer())),
    Switch("gzip", "every body comes packed", Scope.EVERYTHING, lambda visit: do.gzipped(visit.answer())),
    Switch("gzip-chunked", "every body comes packed and in chunks", Scope.EVERYTHING, lambda visit: do.chunked(do.gzipped(visit.answer()))),
    Switch("robots-disallow", "robots.txt forbids a section", Scope.ROBOTS, do.robots("User-agent: *\nDisallow: /kultura/cikk/\n")),
    Switch("robots-disallow-all", "robots.txt forbids everything", Scope.ROBOTS, do.robots("User-agent: *\nDisallow: /\n")),
    Switch("robots-delay", "robots.txt asks for a second between requests", Scope.ROBOTS, do.robots("User-agent: *\nCrawl-delay: 1\n")),
    Switch("robots-missing", "there is no robots.txt", Scope.ROBOTS, do.answer_with(404)),
    Switch("robots-5xx", "robots.txt answers 503", Scope.ROBOTS, do.answer_with(503)),
    Switch("robots-reset", "robots.txt cannot be reached", Scope.ROBOTS, do.reset),
    Switch("robots-long", "robots.txt forbids all, but only behind its first 500 KiB", Scope.ROBOTS, do.robots(do.ROBOTS_LONG)),
)
SWITCHES: Mapping[str, Switch] = MappingProxyType({switch.name: switch for switch in _TABLE})
"""All misbehaviours by name."""


# The consent wall is among them: a switch that leads there has to answer there.
_ARTICLE_PATHS = re.compile(r"/[a-z]+/(cikk|story|artikel|article|hir|adas|tema)/\d+(/.*)?|/regi/cikk\.php|/blog/\d+/.*|/hozzajarulas")
_TOUCHES: Mapping[Scope, Callable[[Request], bool]] = MappingProxyType(
    {
        Scope.ONE: lambda request: request.path.startswith("/belfold/cikk/1/"),
        Scope.ARTICLES: lambda request: _ARTICLE_PATHS.fullmatch(request.path) is not None,
        Scope.ARCHIVE: lambda request: column_at(request.path) is not None,
        Scope.SECOND_PAGE: lambda request: request.target == COLUMNS["belfold"].page_path(2),
        Scope.EXPANDING: lambda request: column_at(request.path) is COLUMNS["deutsch"],
        Scope.EVERYTHING: lambda request: request.path != "/robots.txt",
        Scope.ROBOTS: lambda request: request.path == "/robots.txt",
    }
)


@dataclass(slots=True)
class Active:
    """A switch that is on, with the requests that it has seen."""

    switch: Switch
    targets: tuple[str, ...]
    """Patterns of path and query; none: the switch's own scope."""
    seen: int = 0
    touched: int = 0
    by_url: Counter[str] = field(default_factory=Counter)

    def claim(self, request: Request) -> bool:
        """Whether this request is the switch's to answer; it is counted."""
        if not self._reaches(request):
            return False
        self.seen += 1
        if self.seen <= self.switch.after or (self.switch.times is not None and self.touched >= self.switch.times):
            return False
        self.touched += 1
        self.by_url[request.target] += 1
        return True

    def _reaches(self, request: Request) -> bool:
        if self.targets:
            return any(fnmatchcase(request.target, pattern) for pattern in self.targets)
        return _TOUCHES[self.switch.scope](request)
