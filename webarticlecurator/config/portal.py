"""A portal after its file was read: all defaults filled in, all patterns compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from webarticlecurator.budget import Budget
from webarticlecurator.config import fetch_rules, scalars
from webarticlecurator.config.article_rules import (
    BODY,
    LAYOUTS,
    POSTS,
    ArticleRules,
    BodyRules,
    Layout,
    PostKind,
    PostRules,
)
from webarticlecurator.config.fetch_rules import (
    FETCH,
    PART_FETCH,
    REQUEST,
    URL_RULES,
    FetchRules,
    RequestShape,
    UrlRules,
)
from webarticlecurator.config.keys import (
    Key,
    Shape,
    closest,
    key,
    keys_of,
    mapping_of,
    number,
    one_of,
    parsed,
)
from webarticlecurator.config.picks import METADATA, PICK, Picks, read_fields, read_picks
from webarticlecurator.config.scalars import (
    ADDRESS,
    DAY,
    DURATION,
    LANGUAGE,
    REGEXES,
    TEXT,
    TEXTS,
    URL_TEMPLATE,
)
from webarticlecurator.config.template import NAMES, DateStep, UrlTemplate, literal
from webarticlecurator.config.yaml_reading import ListNode, plain, text, texts
from webarticlecurator.errors import Mistake, UsageError
from webarticlecurator.model.capture import Rendering
from webarticlecurator.patterns import Pattern
from webarticlecurator.storage.places import legible
from webarticlecurator.urls import bare_host, join, normalise


class PortalKind(StrEnum):
    """The kinds of portals, by what they publish."""

    NEWS = "news"
    BLOG = "blog"
    FORUM = "forum"


class PagingMode(StrEnum):
    """The ways to the next archive page, each with what proves the end."""

    NONE = "none"
    NEXT_LINK = "next-link"
    NUMBERED = "numbered"
    INFINITE = "infinite"
    EXPANDING = "expanding"
    SCROLL = "scroll"
    LOAD_MORE = "load-more"

    @property
    def counts(self) -> bool:
        """Say whether `{page}` is counted, as it is where nothing else is said of a mode: until a page is
        empty, or repeats another."""
        return not self.in_steps and self not in (PagingMode.NONE, PagingMode.NEXT_LINK)

    @property
    def moves(self) -> bool:
        """Say whether articles come and go above while a walk goes down: pages must adjoin, and before the
        end the head is read again."""
        return self is PagingMode.EXPANDING

    @property
    def in_steps(self) -> bool:
        """Say whether it is one page, which grows in a browser."""
        return self in (PagingMode.SCROLL, PagingMode.LOAD_MORE)


class Order(StrEnum):
    """The orders in which a list may have its articles."""

    NEWEST_FIRST = "newest-first"
    OLDEST_FIRST = "oldest-first"


class ArchiveFormat(StrEnum):
    """The formats that archive pages are written in."""

    HTML = "html"
    JSON = "json"
    URLS = "urls"
    SITEMAP = "sitemap"
    FEED = "feed"

    @property
    def tells_links(self) -> bool:
        """Say whether the format itself says where links are, and the way on: `item`, `link` and `next` have
        nothing to say."""
        return self in (ArchiveFormat.SITEMAP, ArchiveFormat.FEED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """The rights to the articles: what may be done with them."""

    licence: str | None = key(TEXT, "http://rightsstatements.org/vocab/InC/1.0/")
    """Address of the licence or rights statement."""
    statement: str | None = key(TEXT, "© Példa Kft.")
    """Rights statement for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """`publisher`: who publishes the portal, and by which rights."""

    name: str | None = key(TEXT, "Példa Kft.")
    """Name of the publisher."""
    place: str | None = key(TEXT, "Budapest")
    """Place where the publisher is."""
    rights: Rights = key(
        mapping_of(Rights),
        {"licence": "http://rightsstatements.org/vocab/InC/1.0/", "statement": "© Példa Kft."},
        default=Rights(),
    )
    """Rights to the articles: what may be done with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """`known`: from where, and since when, what the file says is known."""

    source: str | None = key(TEXT, "https://pelda.example/sitemap.xml")
    """Source of what the file says: a program, a person, a page."""
    date: date | None = key(DAY, "2024-05-15")
    """Last day on which it was seen to be so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """`dates`: for which days, months or years there are archive pages."""

    start: date | None = key(DAY, "1999-06-30", name="from")
    """First date; without it the walk goes back until `stop`."""
    until: date | Literal["today", "yesterday"] = key(
        Shape(
            kinds=("string",),
            title="today, yesterday or a date like 2015-01-31",
            pattern=r"^(today|yesterday|[0-9]{4}-[0-9]{2}-[0-9]{2})$(?!\n)",
        ),
        "today",
        "2011-03-31",
        default="yesterday",
    )
    """Last date."""
    step: DateStep = key(
        one_of(*DateStep), "month", default=DateStep.DAY, shown="the finest date placeholder of the URL"
    )
    """Distance between the dates. An archive whose step changed is two columns."""
    order: Order = key(one_of(*Order, read=parsed(Order)), "oldest-first", default=Order.NEWEST_FIRST)
    """Order in which the dates are asked."""
    settle: timedelta = key(DURATION, "3d", "12h", default=timedelta(days=3), shown="3d")
    """A date interval is asked again until so long after its end."""

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day, as far as these are said."""
        return self.start or date.min, self.until if isinstance(self.until, date) else date.max


_DATES = Shape(
    kinds=("object",),
    title="a mapping with from, until, step, order (several ranges of dates are several columns)",
    known=keys_of(Dates),
    name="dates",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """`pages`: how an archive goes on."""

    mode: PagingMode = key(
        one_of(*PagingMode),
        "infinite",
        shown="next-link if there is `next`, numbered if there are `last` or `values`, infinite if the URL "
        "has {page}, else none",
    )
    """Way in which the next archive page is found: `none`, `next-link`, `numbered`, `infinite`, `expanding`,
    and in a browser `scroll`, `load-more`."""
    stated: bool = True
    """The portal file says it; else it is what the other rules amount to."""
    first: str | None = key(
        Shape(kinds=("string", "integer")),
        "",
        0,
        "{home}hirek/",
        read=lambda compiler, node: (
            template.text if (template := compiler.template(node)) is not None else None
        ),
    )
    """Value of `{page}` on the first page, where it differs from the series; may be empty, or the whole
    address of that page."""
    start: int = key(
        number(0, 1000000000),
        2,
        0,
        default=1,
        shown="1; after `first` the number that follows it, or 2 where that is text",
    )
    """Value of `{page}` from which it is counted."""
    last: int | Picks | None = key(
        replace(
            PICK,
            kinds=("integer", *PICK.kinds),
            title="a number, or a pick",
            least=0,
            most=1000000000,
            name="",
        ),
        120,
        ".lapozo a",
        {"header": "X-WP-TotalPages"},
        read=lambda compiler, node: (
            last if isinstance(last := plain(node), int) else read_picks(compiler, node, "archive.pages.last")
        ),
    )
    """Last page: a number, or a pick for the highest number in the pager (or for a header that says it)."""
    values: tuple[str, ...] = key(
        Shape(
            kinds=("string", "integer", "array"),
            shortest=1,
            items=Shape(kinds=("string", "integer"), null=False),
            fewest=1,
            read=lambda compiler, node: (
                texts(node)
                if isinstance(node, ListNode)
                else compiler.parse(node, lambda series: tuple(scalars.page_values(series)))
            ),
        ),
        "1-2, 4-5, 7-14",
        ["a", "b"],
        default=(),
    )
    """All values of `{page}`. Where they are no numbers, each crawl asks for all of them."""
    empty_pages: int = key(number(1, 1000), 2, default=1)
    """Number of pages in a row without article links that prove the end."""
    order: Order = key(one_of(*Order, read=parsed(Order)), "oldest-first", default=Order.NEWEST_FIRST)
    """Order in which the archive lists articles. Unsaid, a crawl with nothing new at the head looks at the
    end, too."""
    button: str | None = key(
        fetch_rules.SELECTOR_FOR_BROWSER,
        "button.tovabbiak",
        shown="what `fetch.click` says",
        read=fetch_rules.as_browser_selector,
    )
    """Element that is clicked for more, in mode `load-more`."""

    @property
    def has_names(self) -> bool:
        """True if `values` are no numbers: of such pages none is newer than another, and each may be
        empty."""
        return not all(map(str.isdecimal, self.values))

    @property
    def names_last(self) -> bool:
        """Say whether the pager or the portal file names the last page: an empty one on the way ends
        nothing."""
        return self.mode is PagingMode.NUMBERED or self.has_names

    @property
    def value_behind(self) -> str | None:
        """Return what would follow the last of `values` that count without a gap, or the `last` of the portal
        file."""
        if isinstance(self.last, int) and not self.values:
            return str(self.last + 1)
        first = int(self.values[0]) if self.values and self.values[0].isdecimal() else 0
        counted = tuple(str(first + number) for number in range(len(self.values) + 1))
        return counted[-1] if counted[:-1] == self.values != () else None

    def value_at(self, index: int) -> str | None:
        """The value of `{page}` on the index-th page, or what stands for it; None beyond the named ones."""
        if self.mode.in_steps:
            return str(index) if index else ""
        if self.values:
            return self.values[index] if index < len(self.values) else None
        if self.first is None:
            return str(self.start + index)
        return self.first if index == 0 else str(self.start + index - 1)


_PAGES = Shape(
    kinds=("string", "object"),
    title=f"a mode ({', '.join(PagingMode)}), or a mapping",
    pattern=rf"^({'|'.join(PagingMode)})$(?!\n)",
    known=keys_of(Paging),
    short_for="mode",
    name="pages",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRules:
    """Rules for where a walk may end early."""

    at_known: bool = False
    """Stop after some pages in a row that hold only articles known from a proved span."""
    at_url: str | None = key(
        replace(ADDRESS, read=lambda _, node: text(node)), "https://pelda.example/archivum?oldal=900"
    )
    """Stop before the archive page with this URL; it is not fetched."""
    after: date | None = key(DAY, "2015-01-01")
    """Stop when the listing's date is before this day."""

    def is_at(self, url: str) -> bool:
        """Say whether an archive page is the one before which the walk ends."""
        return self.at_url is not None and normalise(url) == normalise(self.at_url)

    @property
    def ends_list(self) -> bool:
        """A person says where the list ends, by an address or by a day."""
        return self.at_url is not None or self.after is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A part of the archive with its own URL template."""

    name: str
    template: UrlTemplate = key(
        URL_TEMPLATE, "https://pelda.example/{year}/{month}/{day}/?oldal={page}", name="url", default=MISSING
    )
    """URL of an archive page. Placeholders: `{home} {year} {month} {day} {date} {date:PATTERN} {iso_year}
    {week} {page} {column} {next_year} {next_month} {next_day} {next_date}`; `{{` and `}}` are literal
    braces."""
    base: str | None = key(ADDRESS, "https://pelda.example/")
    """Address that relative URLs are joined with, instead of the page's URL."""
    dates: Dates | None = key(
        _DATES,
        {"from": "1999-06-30", "until": "yesterday", "step": "day", "order": "newest-first"},
    )
    """Dates that the URL is filled with."""
    paging: Paging = key(
        _PAGES, "next-link", {"mode": "infinite", "first": "", "start": 2}, name="pages", default=MISSING
    )
    """Way in which the next archive page is found; may be just the mode."""
    rendering: Rendering | None = key(
        PART_FETCH, {"via": "browser", "wait": "article.teaser"}, shown={}, name="fetch"
    )
    """Way in which the column's pages come, where they do not come as those of the whole portal."""
    item: Picks | None = key(
        PICK, "article.teaser", adds=True, read=partial(read_picks, source="archive.item")
    )
    """Container of one article on the archive page."""
    link: Picks | None = key(
        PICK,
        "h2 a",
        shown="the item itself if it is an `a`, else the first usable link in it",
        adds=True,
        read=partial(read_picks, source="archive.link"),
    )
    """Link to the article: the first match inside each item; without `item`, every match."""
    next: Picks | None = key(PICK, "a.kovetkezo", {"head_link": "next"}, adds=True)
    """Link to the next archive page."""
    next_of_preset: bool = False
    """A preset that came with the program gives `next`: small sites may have nothing for it."""
    sections: Picks | None = key(PICK, "a.forumtitle", read=partial(read_picks, source="archive.sections"))
    """Links to further parts of the archive, such as the boards of a forum: each is walked as a column of its
    own, and so are its sections."""
    ways: tuple[str, ...] = ()
    """The ways to the same articles that it is one of, best first; empty: the only one."""
    section_of: str | None = None
    """The column whose pages lead to this one, directly or by way of other sections; None: the portal file
    names it."""
    fields: Mapping[str, Picks] = key(
        Shape(
            kinds=("object",),
            others=PICK,
            names=Shape(
                title="a field name (letters, digits, _ and -)",
                null=False,
                pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}\+?$(?!\n)",
            ),
            adds=True,
        ),
        {"datePublished": {"css": "time", "attr": "datetime"}, "articleSection": ".rovat"},
        default={},
        read=partial(read_fields, source="archive.fields"),
    )
    """Fields of the article that the listing tells: Schema.org names are metadata, any other name is for the
    `listing` pick. `lastmod` is when the article, or its newest post, was written: what is newer than our
    copy is asked for again."""
    urls: UrlRules = key(URL_RULES, {"drop_fragment": True, "drop_params": ["utm_*"]}, default=UrlRules())
    """Rules for what is done to joined URLs, in the order of these keys."""
    stop: StopRules = key(
        mapping_of(StopRules, title="a mapping with at_url, after", merges="whole", name="stop"),
        {"at_url": "https://pelda.example/archivum?oldal=900"},
        {"after": "2015-01-01"},
        default=StopRules(),
        shown="without dates, three pages in a row that hold only articles known from a proved span",
    )
    """Rules for where a walk may end early; null walks all."""
    request: RequestShape = key(
        REQUEST, {"method": "POST", "form": {"oldal": "{page}"}}, default=RequestShape()
    )
    """Makes an archive page a POST or an API call."""
    format: ArchiveFormat = key(
        one_of(*ArchiveFormat, read=parsed(ArchiveFormat)), "json", default=ArchiveFormat.HTML
    )
    """Format of an archive page: `html`, `json`, `feed` (RSS, Atom, JSON Feed: it tells its links, their
    fields and its next page itself), `sitemap` (XML, text, gzip, or robots.txt that names some: it tells its
    links and leads to its other files itself), or `urls` (a text file of article URLs)."""
    language: str | None = key(LANGUAGE, "en")
    """Language of the articles, where it differs from the portal's."""
    kind: PortalKind | None = key(one_of(*PortalKind, read=parsed(PortalKind)), "blog")
    """Kind of the column's articles, where they are not what those of the portal are."""
    rules: str = ""
    """Digest of the rules that decide which links its walks find; what was proved under other ones is walked
    again."""
    field_rules: str = ""
    """Each of the column's `fields` with a digest of its rules, `author:1f2e3d4c datePublished:...`; other
    ones read the same pages otherwise."""

    @property
    def way(self) -> str:
        """Return the column's name among its `ways`."""
        return self.section_of or self.name

    @property
    def following_ways(self) -> tuple[str, ...]:
        """The ways that are worse than it."""
        return self.ways[self.ways.index(self.way) + 1 :] if self.ways else ()


_COLUMN_KEYS = keys_of(Column)
_VARIABLES = Shape(
    kinds=("object",),
    title="a mapping: name → value",
    names=Shape(
        title="a name in lower-case letters, digits and _ that is no placeholder of ours ({page}, {year}, "
        "...)",
        null=False,
        pattern=rf"^(?!({'|'.join(NAMES)})$)[a-z][a-z0-9_]{{0,39}}$(?!\n)",
    ),
    others=Shape(kinds=("string", "number", "boolean"), title="a text or a number", longest=1000),
)
COLUMN = replace(
    URL_TEMPLATE,
    kinds=("string", "object"),
    title="a URL, or a mapping",
    known={
        **_COLUMN_KEYS,
        "vars": Key(
            _VARIABLES,
            "Values of this column that fill `{NAME}` in the `url`, `dates` and `request` that it inherits.",
            ({"cat": 443},),
            default={},
        ),
    },
    merges="column",
    name="column",
)
_NAME = Shape(kinds=("string",), null=False, shortest=1, longest=200)
_NAMES_OF_COLUMNS = Shape(kinds=("array",), title="a list of names", items=_NAME, fewest=1, most_in_it=5000)
_COLUMNS = replace(
    _NAMES_OF_COLUMNS,
    kinds=("object", "array"),
    title="a list of names, or a mapping of overrides",
    names=Shape(title="the name of a column", null=False, shortest=1, longest=200),
    others=COLUMN,
    merges="columns",
)
_WAY = Shape(title="the name of a way", null=False, shortest=1, longest=200)
_WAYS = Shape(
    kinds=("object",),
    title="a mapping of ways",
    fewest=1,
    most_in_it=20,
    names=_WAY,
    others=COLUMN,
    merges="columns",
)
_ARCHIVE = Shape(
    kinds=("object",),
    known={
        **_COLUMN_KEYS,
        "ways": Key(
            _WAYS,
            "Ways to the same articles, best first: name → URL or what differs from `archive`. A way is "
            "walked only where none"
            " before it came to a proved end. Instead of `url`: a nearer file that gives `url` ends them.",
            (
                {
                    "api": {
                        "url": "{home}wp-json/wp/v2/posts?per_page=100&page={page}",
                        "format": "json",
                        "item": {"json": "@"},
                        "link": {"json": "link"},
                        "pages": {"mode": "numbered", "last": {"header": "X-WP-TotalPages"}},
                    },
                    "pages": {"url": "{home}", "link": "h2 a", "next": "a.next"},
                },
            ),
        ),
    },
    merges="column",
    name="archive",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file that the portal was read from, as it stood on disk."""

    path: Path
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """One site with its layout history."""

    name: str = key(
        Shape(
            kinds=("string",),
            title="a name of 1 to 64 lower-case letters, digits, _, - and . that is safe as a file name",
            null=False,
            pattern=r"^(?!(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$))[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9_])?$(?!\n)",
        ),
        "pelda",
        name="portal",
        default=MISSING,
    )
    """Identity of the portal: folder name, file names, prefix of ids. Lower-case letters, digits, `_`, `-`
    and `.`."""
    title: str = key(TEXT, "Példa Hírek", shown="the value of `portal`", default=MISSING)
    """Name of the portal for people."""
    home: str = key(ADDRESS.given, "https://pelda.example/", default=MISSING)
    """Address of the portal's home page. `{home}` in templates is it up to the last `/` of its path."""
    language: str | None = key(LANGUAGE, "hu", "en-GB")
    """Language of the articles, as BCP 47 tag; without it the page's."""
    timezone: ZoneInfo = key(
        TEXT, "Europe/Budapest", default=ZoneInfo("UTC"), shown="UTC", read=parsed(scalars.time_zone)
    )
    """Time zone for dates without an offset, and for those that a listing tells in UTC."""
    kind: PortalKind = key(one_of(*PortalKind, read=parsed(PortalKind)), "blog", default=PortalKind.NEWS)
    """Kind of the portal: it gives the default Schema.org type."""
    publisher: Publisher = key(
        mapping_of(Publisher), {"name": "Példa Kft.", "place": "Budapest"}, default=Publisher()
    )
    """Publisher of the portal."""
    known: Knowledge = key(
        mapping_of(Knowledge),
        {"source": "https://pelda.example/sitemap.xml", "date": "2024-05-15"},
        default=Knowledge(),
    )
    """Source and day of what the file says."""
    creator: tuple[str, ...] = key(TEXTS, "Kovács Anna", ["Kovács Anna", "Példa Egyetem"], default=())
    """Makers of the corpus: people or institutions, whom documents name as the authority behind them, and
    releases as their creators."""
    fetch: FetchRules = key(FETCH, {"delay": "1s", "robots": "obey"}, default=FetchRules())
    """Politeness, per host, and how to ask."""
    archive: Column | None = key(
        _ARCHIVE,
        {
            "url": "https://pelda.example/{year}/{month}/{day}/",
            "dates": {"from": "1999-06-30"},
            "item": "article.teaser",
            "link": "h2 a",
        },
    )
    """The pages that list all articles; without it the portal can only import and build."""
    # The defaults of `archive` as a column, for pages that fit no column's URL; the only column where no
    # `columns` are given.
    columns: tuple[Column, ...] = key(
        _COLUMNS,
        ["belfold", "kulfold"],
        {"belfold": "https://pelda.example/belfold?oldal={page}"},
        default=(),
        adds=_NAMES_OF_COLUMNS,
    )
    """Parts of the archive, each with its own URL; then `archive` only gives the defaults. A list of names
    for `{column}`, or name → URL or overrides."""
    not_collected: tuple[Pattern, ...] = key(REGEXES, ["/de/"], default=(), adds=True)
    """Articles of the site that are knowingly not collected: regexes of their addresses. What no list names
    is else told as missing, and keeps a crawl from ending with 0."""
    articles: ArticleRules = key(
        mapping_of(ArticleRules), {"next": "a.kovetkezo-oldal"}, default=ArticleRules()
    )
    """Rules for article pages."""
    article_urls: UrlRules = UrlRules()
    """The `urls` rules of `archive`, for URLs that come without a column."""
    metadata: Mapping[str, Picks] = key(METADATA, {"author": ["a.author__name"]}, default={})
    """Picks for what the general reader gets wrong; names are Schema.org's."""
    body: BodyRules = key(BODY, {"root": "div.cikk-torzs"}, default=BodyRules())
    """Rules for where the article's body is, and for how its HTML is rewritten."""
    posts: Mapping[PostKind, PostRules] = key(
        POSTS, {"comments": {"item": "li.komment", "author": ".nev"}}, default={}
    )
    """Entries of live blogs, forums, comments and blog index pages."""
    layouts: tuple[Layout, ...] = key(
        LAYOUTS, [{"name": "old", "until": "2011-03-31", "body": {"root": "td.cikk"}}], default=(), adds=True
    )
    """Variants of the rules, dated or conditional; the first that matches overrides the rules above."""
    hosts: frozenset[str] = frozenset()
    """Names of the hosts of home, archive and columns: lower case, without port and leading `www.`."""
    sources: tuple[SourceFile, ...] = ()
    """The portal file first, then what it extends, nearest first."""
    effective: str = ""
    """The effective file as YAML: presets merged, secrets still as `{env: CURATOR_NAME}`."""
    warnings: tuple[Mistake, ...] = field(default=(), compare=False)
    """Mistakes that are hardly meant in the portal's file, and keep nobody from using it."""

    @property
    def asked_hosts(self) -> frozenset[str]:
        """Return every host that a crawl may ask, as names without leading `www.`, and patterns such as
        `*.pelda.example`."""
        allowed = self.hosts.union(self.article_urls.hosts, *(column.urls.hosts for column in self.columns))
        names = {f"*.{bare_host(host[2:])}" if host.startswith("*.") else bare_host(host) for host in allowed}
        return frozenset(
            names if self.articles.make_url is None else {*names, bare_host(self.articles.make_url.text)}
        )

    def has_itself(self, place: str) -> bool:
        """Say whether a rule of that place ("portal.yaml:31") stands in the portal file, and in none that it
        extends."""
        return bool(self.sources) and place.startswith(f"{legible(self.sources[0].path.name)}:")

    @property
    def reads_index_pages(self) -> bool:
        """Say whether rules find posts with addresses of their own on index pages."""
        rules = (
            posts.get(PostKind.BLOG) for posts in (self.posts, *(layout.posts for layout in self.layouts))
        )
        return any(rule is not None and rule.url is not None for rule in rules)


SECTION = " » "
"""The sign in the name of a section, between the column that it is of and its address."""


def column_named(portal: Portal, name: str) -> Column:
    """Raises UsageError where there is none."""
    columns = {column.name: column for column in portal.columns}
    if name not in columns:
        close = closest(name, tuple(columns))
        hint = (
            f"did you mean {close!r}?" if close is not None else f"there are: {', '.join(columns) or 'none'}"
        )
        raise UsageError(f"The portal {portal.name} has no column {name!r}; {hint}")
    return columns[name]


def fitting_column(portal: Portal, url: str) -> Column | None:
    """The column whose URL template makes this URL; of several the one that leaves least open. Raises
    PatternTimeout."""
    with Budget():
        fitting = [
            (sum(len(part) for part in column.template.parts if isinstance(part, str)), column)
            for column in portal.columns
            if values_in(url, column) is not None
        ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


def values_in(url: str, column: Column) -> dict[str, str] | None:
    """The values that make a column's template this URL, however it is written; None where there are none.
    Raises PatternTimeout."""
    for form in (url, normalise(url)):
        values = column.template.match(form)
        if values is not None and values.get("column", column.name) == column.name:
            return values
    return None


def likeliest_column(portal: Portal, url: str) -> Column:
    """Return the column that begins most like a URL which fits none. Raises UsageError where there are no
    columns."""
    if not portal.columns:
        raise UsageError(
            f"The portal {portal.name} has no archive: its file tells nothing of archive pages. Try the page "
            "--as article."
        )
    starts = {column.template.text.partition("{")[0]: column for column in reversed(portal.columns)}
    return starts[
        max((start for start in starts if url.startswith(start)), key=len, default=next(reversed(starts)))
    ]


# --- sections: parts of a column that its own pages lead to ---


def section(column: Column, url: str, home: str) -> Column:
    """Return one section of a column, or of another section, as a column of its own; named by its address,
    without the portal's own host."""
    of = column.section_of or column.name
    short = url.removeprefix((join(home, "/") or "").rstrip("/")) or url
    template = UrlTemplate.parse(literal(url))
    return replace(column, name=f"{of}{SECTION}{short}", section_of=of, template=template)


def column_of(name: str) -> str:
    """The column of the portal file that one of this name comes from."""
    return name.partition(SECTION)[0]


def rules_of(portal: Portal, name: str | None) -> Column | None:
    """The column whose rules hold for pages of a column of this name; None where the file has none any
    more."""
    return next(
        (column for column in portal.columns if name is not None and column.name == column_of(name)), None
    )


_EXTENDS = Key(
    TEXTS,
    "Preset(s), portals that came with curator, or paths of YAML files; the later is nearer.",
    ("wordpress", ["wordpress", "kozos.yaml"]),
    default=[],
)
_PORTAL_KEYS = {**keys_of(Portal), "extends": _EXTENDS}
PORTAL = Shape(
    kinds=("object",),
    null=False,
    known=_PORTAL_KEYS,
    needed=("portal", "home"),
    brought={"home": "extends"},
)
EXTENDED = replace(PORTAL, needed=())
"""A file that a portal extends: it needs no name and no home of its own."""
