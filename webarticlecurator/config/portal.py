"""What a portal is, after its file was read: all defaults filled in, all patterns compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from webarticlecurator.config import scalars
from webarticlecurator.config.article_rules import (
    ArticleRules,
    BodyRules,
    Layout,
    PostKind,
    PostRules,
    read_body,
    read_posts,
    read_unwanted_posts,
)
from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.config.keys import as_address, as_day, as_duration, as_number, as_text, key, parsed, read_keys
from webarticlecurator.config.node_compiler import NodeCompiler, entries, mapping, texts, whole_number
from webarticlecurator.config.page_rendering import as_browser_selector
from webarticlecurator.config.picks import Picks, as_fields, as_picks, read_picks
from webarticlecurator.config.request_rules import RequestShape, UrlRules, read_request, read_url_rules
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.config.yaml_nodes import ListNode, MapNode, YamlNode
from webarticlecurator.errors import Mistake
from webarticlecurator.model.rendering import Rendering
from webarticlecurator.selectors import Selector
from webarticlecurator.urls import bare_host


class Kind(StrEnum):
    NEWS = "news"
    BLOG = "blog"
    FORUM = "forum"


class PagingMode(StrEnum):
    """How the next archive page is found, and what proves the end."""

    NONE = "none"
    NEXT_LINK = "next-link"
    NUMBERED = "numbered"
    INFINITE = "infinite"
    EXPANDING = "expanding"
    SCROLL = "scroll"
    LOAD_MORE = "load-more"

    @property
    def counts(self) -> bool:
        """Whether `{page}` is counted."""
        return self in (PagingMode.NUMBERED, PagingMode.INFINITE, PagingMode.EXPANDING)

    @property
    def in_steps(self) -> bool:
        """Whether it is one page, which grows in a browser."""
        return self in (PagingMode.SCROLL, PagingMode.LOAD_MORE)


class Order(StrEnum):
    NEWEST_FIRST = "newest-first"
    OLDEST_FIRST = "oldest-first"


class DateStep(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class ArchiveFormat(StrEnum):
    HTML = "html"
    JSON = "json"
    URLS = "urls"
    SITEMAP = "sitemap"
    FEED = "feed"

    @property
    def tells_links(self) -> bool:
        """Whether the format itself says where links are, and the way on: `item`, `link` and `next` have nothing to say."""
        return self in (ArchiveFormat.SITEMAP, ArchiveFormat.FEED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    name: str | None = key(as_text)
    place: str | None = key(as_text)
    licence: str | None = key(as_text)
    statement: str | None = key(as_text)


def _read_publisher(compiler: NodeCompiler, node: YamlNode) -> Publisher:
    """`rights` are two fields of it."""
    publisher = mapping(node)
    with_rights = MapNode(publisher.place, {**publisher.entries, **entries(publisher.get("rights"))}, publisher.keys)
    return read_keys(compiler, Publisher, with_rights)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRange:
    """A stretch of dates of one granularity."""

    start: date | None = key(as_day, written="from")
    """None: back until `stop`."""
    until: date | Literal["today", "yesterday"] = "yesterday"
    step: DateStep = DateStep.DAY
    template: UrlTemplate
    """The URL of this range: its own, or the column's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    ranges: tuple[DateRange, ...]
    order: Order = key(parsed(Order), default=Order.NEWEST_FIRST)
    settle: timedelta = key(as_duration, default=timedelta(days=3))
    drift_after: int = key(as_number, default=3)


def _read_last(compiler: NodeCompiler, node: YamlNode) -> int | Picks | None:
    number = whole_number(node)
    return number if number is not None else read_picks(compiler, node, "archive.pages.last")


def _read_values(compiler: NodeCompiler, node: YamlNode) -> tuple[str, ...] | None:
    if isinstance(node, ListNode):
        return texts(node)
    return compiler.parse(node, lambda series: tuple(scalars.page_values(series)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    mode: PagingMode
    stated: bool = True
    """The portal file says it; else it is what the other rules amount to."""
    first: str | None = key(as_text)
    """Value of `{page}` on the first page, where it differs from the series; may be empty."""
    start: int = key(as_number, default=1)
    last: int | Picks | None = key(_read_last)
    values: tuple[str, ...] = key(_read_values, default=())
    """All values of `{page}`, where they are named; then `first`, `start` and `last` are not used."""
    empty_pages: int = key(as_number, default=1)
    order: Order = key(parsed(Order), default=Order.NEWEST_FIRST)
    button: str | None = key(as_browser_selector)
    """What is clicked for more; None: what `fetch.click` says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRules:
    """Where a walk may end early."""

    known_pages: int | None = key(as_number)
    at_url: str | None = key(as_text)
    when: Selector | None = key(NodeCompiler.selector)
    after: date | None = key(as_day)
    """Stop when the listing's date is before this day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A part of the archive with its own URL template."""

    name: str
    template: UrlTemplate
    url_of_preset: bool = False
    """A preset that came with the program gives the address of its pages."""
    base: str | None = key(as_address)
    dates: Dates | None = None
    paging: Paging
    item: Picks | None = key(as_picks("archive.item"))
    link: Picks | None = key(as_picks("archive.link"))
    next: Picks | None = None
    next_of_preset: bool = False
    """A preset that came with the program gives `next`: small sites may have nothing for it."""
    sections: Picks | None = key(as_picks("archive.sections"))
    ways: tuple[str, ...] = ()
    """The ways to the same articles that it is one of, best first; empty: the only one."""
    section_of: str | None = None
    """The column whose pages lead to this one, directly or by way of other sections; None: the portal file names it."""
    fields: Mapping[str, Picks] = key(as_fields("archive.fields"), default={})
    urls: UrlRules = key(read_url_rules, default=UrlRules())
    stop: StopRules = StopRules()
    request: RequestShape = key(read_request, default=RequestShape())
    format: ArchiveFormat = key(parsed(ArchiveFormat), default=ArchiveFormat.HTML)
    language: str | None = key(parsed(scalars.language))
    rendering: Rendering | None = None
    """How a browser shows its pages; None: no browser has to do with them."""
    rules: str = ""
    """Digest of the rules that decide which links its walks find; what was proved under other ones is walked again."""
    field_rules: str = ""
    """Each of its `fields` with a digest of its rules, `author:1f2e3d4c datePublished:...`; other ones read the same pages otherwise."""

    @property
    def told(self) -> frozenset[str] | None:
        """The fields that its pages tell of an article by these rules; None: the format tells others, too."""
        if self.format.tells_links:
            return None
        return frozenset(self.fields).union(*(picks.routes for picks in self.fields.values()))

    @property
    def way(self) -> str:
        """Its name among its `ways`."""
        return self.section_of or self.name

    @property
    def is_guess(self) -> bool:
        """A preset names its address as one of several at which a site may have what it looks for."""
        return self.url_of_preset and bool(self.ways)

    @property
    def following_ways(self) -> tuple[str, ...]:
        """The ways that are worse than it."""
        return self.ways[self.ways.index(self.way) + 1 :] if self.ways else ()

    @property
    def templates(self) -> tuple[UrlTemplate, ...]:
        """Of all its archive pages: its own, and those of ranges of dates that differ."""
        ranges = self.dates.ranges if self.dates is not None else ()
        return tuple(dict.fromkeys((self.template, *(one.template for one in ranges))))


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
    language: str | None = key(parsed(scalars.language))
    timezone: ZoneInfo = key(parsed(scalars.time_zone), default=ZoneInfo("UTC"))
    kind: Kind = key(parsed(Kind), default=Kind.NEWS)
    publisher: Publisher = key(_read_publisher, default=Publisher())
    fetch: FetchRules = FetchRules()
    columns: tuple[Column, ...] = ()
    """Empty: the portal can only import and build."""
    archive: Column | None = None
    """The defaults of `archive` as a column, for pages that fit no column's URL; the only column where no `columns` are given."""
    articles: ArticleRules = ArticleRules()
    article_urls: UrlRules = UrlRules()
    """The `urls` rules of `archive`, for URLs that come without a column."""
    metadata: Mapping[str, Picks] = key(as_fields("metadata"), default={})
    body: BodyRules = key(read_body, default=BodyRules())
    posts: Mapping[PostKind, PostRules] = key(read_posts, default={})
    unwanted_posts: frozenset[PostKind] = key(read_unwanted_posts, default=frozenset(), written="posts")
    """Kinds of which the file says `null`: nobody misses them."""
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

    @property
    def asked_hosts(self) -> frozenset[str]:
        """Every host that a crawl may ask, as names without leading `www.`, and patterns such as `*.pelda.example`."""
        allowed = self.hosts.union(self.article_urls.hosts, *(column.urls.hosts for column in self.columns))
        names = {f"*.{bare_host(host[2:])}" if host.startswith("*.") else bare_host(host) for host in allowed}
        return frozenset(names if self.articles.make_url is None else {*names, bare_host(self.articles.make_url.text)})

    @property
    def uses_browser(self) -> bool:
        """Whether anything of it is shown by a browser before it is read."""
        return self.articles.rendering is not None or any(column.rendering is not None for column in self.columns)

    @property
    def reads_index_pages(self) -> bool:
        """Whether rules find posts with addresses of their own on index pages."""
        rules = (posts.get(PostKind.BLOG) for posts in (self.posts, *(layout.posts for layout in self.layouts)))
        return any(one is not None and one.url is not None for one in rules)
