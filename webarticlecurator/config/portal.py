"""What a portal is, after its file was read: all defaults filled in, all patterns compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from webarticlecurator.config.picks import Picks
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.errors import Mistake
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector


class Kind(StrEnum):
    NEWS = "news"
    BLOG = "blog"
    FORUM = "forum"


class PostKind(StrEnum):
    """What the posts on a page are."""

    LIVEBLOG = "liveblog"
    FORUM = "forum"
    COMMENTS = "comments"
    BLOG = "blog"


class PagingMode(StrEnum):
    """How the next archive page is found, and what proves the end."""

    NONE = "none"
    NEXT_LINK = "next-link"
    NUMBERED = "numbered"
    INFINITE = "infinite"
    EXPANDING = "expanding"


class Order(StrEnum):
    NEWEST_FIRST = "newest-first"
    OLDEST_FIRST = "oldest-first"


class Step(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class ArchiveFormat(StrEnum):
    HTML = "html"
    JSON = "json"
    URLS = "urls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A value that lives in the environment, never in the portal file."""

    env: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    name: str | None = None
    place: str | None = None
    licence: str | None = None
    statement: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRules:
    """Politeness, per host, and how to ask."""

    delay: timedelta = timedelta(seconds=1)
    concurrency: int = 1
    timeout: timedelta = timedelta(seconds=30)
    retries: int = 4
    robots: Literal["obey", "record"] = "obey"
    user_agent: str | None = None
    """Replaces the whole User-Agent; None: program, version and contact."""
    headers: Mapping[str, str | Secret] = field(default_factory=dict)
    cookies_file: Path | None = None
    """Netscape cookie file."""
    proxy: str | Secret | None = None
    verify_tls: bool = True
    encoding: str | None = None
    """Codec of pages that declare a wrong one or none."""
    private_hosts: tuple[str, ...] = ()
    """Hosts that may have loopback or private addresses; those that the file itself names as archive hosts are added on load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestShape:
    """How an archive page or a JSON article is asked for; strings are templates like the URL."""

    method: str = "GET"
    form: Mapping[str, UrlTemplate] | None = None
    json: Any = None
    """Plain JSON with `UrlTemplate` in place of strings."""
    headers: Mapping[str, UrlTemplate] = field(default_factory=dict)

    @property
    def templates(self) -> tuple[UrlTemplate, ...]:
        """Everything in it that is filled in like the URL."""
        return (*(self.form or {}).values(), *self.headers.values(), *_templates_in(self.json))


def _templates_in(body: Any) -> Iterator[UrlTemplate]:
    if isinstance(body, UrlTemplate):
        yield body
    for child in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from _templates_in(child)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRange:
    """A stretch of dates of one granularity."""

    start: date | None
    """`from`; None: back until `stop`."""
    until: date | Literal["today", "yesterday"] = "yesterday"
    step: Step = Step.DAY
    template: UrlTemplate
    """The URL of this range: its own, or the column's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    ranges: tuple[DateRange, ...]
    order: Order = Order.NEWEST_FIRST
    settle: timedelta = timedelta(days=3)
    drift_after: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    mode: PagingMode
    stated: bool = True
    """The portal file says it; else it is what the other rules amount to."""
    first: str | None = None
    """Value of `{page}` on the first page, where it differs from the series; may be empty."""
    start: int = 1
    last: int | Picks | None = None
    values: tuple[str, ...] = ()
    """All values of `{page}`, where they are named; then `first`, `start` and `last` are not used."""
    empty_pages: int = 1
    order: Order = Order.NEWEST_FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Where a walk may end early."""

    known_pages: int | None = None
    at_url: str | None = None
    when: Selector | None = None
    after: date | None = None
    """Stop when the listing's date is before this day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlRules:
    """What is done to joined URLs, in the order of the fields; the first three also clean the next link."""

    replace: tuple[tuple[Pattern, str], ...] = ()
    drop_fragment: bool = False
    drop_params: tuple[str, ...] = ()
    """Names of query parameters; `*` stands for anything."""
    map: Mapping[str, str] = field(default_factory=dict)
    """From `map_file`: dead -> live URL."""
    only: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    exclude_urls: frozenset[str] = frozenset()
    """From `exclude_file`."""
    hosts: tuple[str, ...] = ()
    """Further hosts that article links may lead to; `*.pelda.example` stands for all below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A part of the archive with its own URL template."""

    name: str
    template: UrlTemplate
    base: str | None = None
    dates: Dates | None = None
    paging: Paging
    item: Picks | None = None
    link: Picks | None = None
    next: Picks | None = None
    fields: Mapping[str, Picks] = field(default_factory=dict)
    urls: UrlRules = UrlRules()
    stop: Stop = Stop()
    request: RequestShape = RequestShape()
    format: ArchiveFormat = ArchiveFormat.HTML
    language: str | None = None
    rules: str = ""
    """Digest of the rules that decide which links its walks find; what was proved under other ones is walked again."""

    @property
    def templates(self) -> tuple[UrlTemplate, ...]:
        """Of all its archive pages: its own, and those of ranges of dates that differ."""
        ranges = self.dates.ranges if self.dates is not None else ()
        return tuple(dict.fromkeys((self.template, *(one.template for one in ranges))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRules:
    next: Picks | None = None
    skip_when: tuple[Selector, ...] = ()
    skip_url: tuple[Pattern, ...] = ()
    identity: Pattern | None = None
    format: Literal["html", "json"] = "html"
    request: RequestShape = RequestShape()
    make_url: UrlTemplate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRules:
    """Where an article's body is, and how its HTML is rewritten."""

    root: Picks | None = None
    """None: the general finder looks for it."""
    tags: tuple[TagLayer, ...] = ()
    """Nearest first; the package's general table stands below them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRules:
    """Posts of one kind on a page."""

    item: Picks
    id: Picks | None = None
    time: Picks | None = None
    author: Picks | None = None
    title: Picks | None = None
    text: Picks | None = None
    reply_to: Picks | None = None
    url: Picks | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A dated or conditional variant of the rules; all conditions that are given must hold."""

    name: str
    start: date | None = None
    until: date | None = None
    """Last day."""
    when: Selector | None = None
    url: tuple[Pattern, ...] = ()
    """One of these must find something in the page's URL."""
    metadata: Mapping[str, Picks] = field(default_factory=dict)
    """The portal's picks with this layout's merged in; the same for `body` and `posts`."""
    body: BodyRules = BodyRules()
    posts: Mapping[PostKind, PostRules] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file that the portal was read from, as it stood on disk."""

    path: Path
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """One site with its layout history."""

    name: str
    title: str
    home: str
    language: str | None
    timezone: ZoneInfo
    kind: Kind = Kind.NEWS
    publisher: Publisher = Publisher()
    fetch: FetchRules = FetchRules()
    columns: tuple[Column, ...] = ()
    """Empty: the portal can only import and build."""
    archive: Column | None = None
    """The defaults of `archive` as a column, for pages that fit no column's URL; the only column where no `columns` are given."""
    articles: ArticleRules = ArticleRules()
    article_urls: UrlRules = UrlRules()
    """The `urls` rules of `archive`, for URLs that come without a column."""
    metadata: Mapping[str, Picks] = field(default_factory=dict)
    body: BodyRules = BodyRules()
    posts: Mapping[PostKind, PostRules] = field(default_factory=dict)
    layouts: tuple[Layout, ...] = ()
    """The first that matches overrides `metadata`, `body` and `posts`."""
    hosts: frozenset[str] = frozenset()
    """Names of the hosts of home, archive and columns: lower case, without port and leading `www.`."""
    sources: tuple[SourceFile, ...] = ()
    """The portal file first, then what it extends, nearest first."""
    effective: str = ""
    """The effective file as YAML: presets merged, secrets still as `{env: CURATOR_NAME}`."""
    warnings: tuple[Mistake, ...] = field(default=(), compare=False)
    """What is hardly meant in its file, and keeps nobody from using it."""
