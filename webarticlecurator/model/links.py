"""Links that archive pages gave us, with what the listing says of the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, auto
from types import MappingProxyType
from typing import Any

from webarticlecurator.amounts import amount

Fields = Mapping[str, tuple[str, ...]]
"""Listing fields: name -> values, in page order."""
NO_FIELDS: Fields = MappingProxyType({})
"""Stands for the fields of an article of which no listing is known to say anything."""
KIND = "@kind"
"""What the portal file says of the kind of the articles that a column lists; no field can be called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleLink:
    """A link to an article, cleaned by the portal's `urls` rules."""

    url: str
    """Normalised: what is requested."""
    identity: str
    """What makes two URLs one article."""
    spellings: tuple[str, ...] = ()
    """How the page writes it, after the `urls` rules, without duplicates: these differ in what normalising
    takes away."""
    fields: Fields = field(default_factory=dict)


TOLD_BY_FEED = {name: f"feed:{name}" for name in ("author", "keywords", "description")}
"""Field -> how a listing calls it where a feed tells it: the page, which names all authors and keeps sections
from tags, goes before."""

OTHER_HOST = "other host"
"""Why a link is refused that leads off the portal's hosts."""
OTHER_SCHEME = "other scheme"
SKIPPED = "articles.skip.url"
LEFT_OUT = ("urls.only", "urls.exclude", "urls.sitemaps")
"""The rules by which a person leaves links out: what they refuse is no article that is missing."""
BY_A_PERSON = (*LEFT_OUT, SKIPPED)
"""The same, and the rule whose refusals are counted as an outcome."""

PAGE_OF_ARTICLE = "a page of an article that is listed, too"
NO_LOSS = (*LEFT_OUT, PAGE_OF_ARTICLE)
"""Why a link is refused that is no article which is missing."""
BEHIND_HASH = "behind a `#`, where only the page's own scripts can follow (docs/how-to/kinds-of-portals.md)"
"""How the reason begins where a link is none of the web."""


@dataclass(frozen=True, slots=True)
class WrittenLink:
    """A link to an article where `urls` rules may make one address of several."""

    url: str
    """As the rules leave it, normalised."""
    written: str
    """As it was before."""
    text: str
    """What is said where it stands, in the item or else in the link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLink:
    """A link that was found and will not be followed."""

    url: str
    reason: str
    """Which rule refused it: "other host", "articles.skip.url", ..."""
    is_web: bool = True
    """No other scheme, such as `mailto`."""


IN_HEAD = "<link rel=next>"
"""The text of a pager link that no reader sees."""

WITHOUT_WORDS = "(no words)"
"""The text of a pager link that shows a picture, or nothing."""

SURE = 2
"""How many signs a link to a further page must have together; what is said of nothing else is as good as
two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagerLink:
    """A link that looks like one to another page of the same listing, or of the same article."""

    url: str
    """Normalised."""
    text: str
    """What is written on it, or `WITHOUT_WORDS`, or `IN_HEAD`: some software goes on writing that one on the
    last page."""
    number: int | None = None
    """The page's number, where that is what is written on it."""
    continues: bool = False
    """Its URL is the page's own but for a number: that of a page, or of the first item on it."""
    numbers: tuple[int, int] | None = None
    """The page's own and the other's, by their addresses."""
    leads_back: bool = False
    """It is said, or called, to lead to the page before: where pages count downwards, to the one that
    follows."""
    signs: int = SURE
    """That speak for it: what it says, what it is called, its address. 0: it only says that all articles are
    listed there."""

    @property
    def is_sure(self) -> bool:
        return self.signs >= SURE


@dataclass(frozen=True, slots=True)
class Stated:
    """What a page says of the length of its listing: "2 / 20", "1-20 of 213", a total in a header or in
    JSON."""

    text: str
    """As it is written."""
    here: int | None
    """The page's own number, or that of its last item; None where only the total is given."""
    total: int
    items: bool = False
    """It counts articles, not pages."""
    guessed: bool = False
    """It may count something else. In words that are not known, beside a pager: pages or articles, and there
    are never more pages than articles; of `items` those of another list."""
    for_programs: bool = False
    """It stands in JSON: if the walk saw much less, it is the walk that is wrong."""


def would_take(selectors: Collection[str]) -> str:
    """Return which of the selectors of such links takes most of them: said in the words of a remark."""
    ((selector, links),) = Counter(selectors).most_common(1)
    return f"`{selector}` would take {'them' if links == len(selectors) else f'{links:,} of them'}"


def by_script_in_words(sign: int | str) -> str:
    """Of what only a script brings: what tells of it, pages of a pager or something by its name, and what to
    do."""
    tells = (
        f"its pager has {amount(sign, 'page')} that no link leads to"
        if isinstance(sign, int)
        else f"it has {sign!r}"
    )
    return (
        f"{tells}: a script brings more (a browser can,"
        " see docs/how-to/kinds-of-portals.md; if the first page is enough, say `pages: none`)"
    )


class LinkPlace(IntEnum):
    """A place where a link stands that looks like the picked ones; the later ones tell more of it."""

    BOX = auto()
    """Something beside the list, which its tag or name says to be a menu, a sidebar or the like."""
    ELSEWHERE = auto()
    """The page, neither in the list nor in such a box."""
    LEFT_ITEM = auto()
    """An item of the list of which the rules took nothing: its links are written otherwise, or it is called a
    box."""
    LIST = auto()
    """The list, as one more item of it."""


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A link that looks like the picked articles, and that no rule picked, refused or excluded."""

    url: str
    """Normalised."""
    shape: str
    """What its URL has in common with others of its kind."""
    selector: str
    """What would take it."""
    place: LinkPlace


@dataclass(frozen=True, slots=True)
class SitemapFile:
    """A sitemap that another one, or robots.txt, leads to."""

    url: str
    """Normalised."""
    lastmod: str | None = None
    """When it was changed last, by the index that names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a feed lists."""

    entries: Iterable[Mapping[str, Any]]
    """Each with its `url`, joined, and its listing fields by name, one value or a list of them, as they are
    written there."""
    next_url: str | None = None
    stated: tuple[Stated, ...] = ()
    nameless: int = 0
    """Entries without an address that can be followed."""
    complete: bool = False
    """It says that it holds all there is."""
    names_feed: bool = False
    """It is no feed itself, and names the one that `next_url` leads to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePage:
    """What one archive page says."""

    articles: tuple[ArticleLink, ...]
    """In page order, without duplicates."""
    written: tuple[WrittenLink, ...] = ()
    """Each of them, as often as it stands there, where the column has `urls.replace` or
    `urls.drop_params`."""
    others: frozenset[str] = frozenset()
    """All its links, if it gives no articles."""
    refused: tuple[RefusedLink, ...] = ()
    items: int | None = None
    """What the `item` rule matched; None: there is no such rule."""
    next_url: str | None = None
    """What the `next` pick found (mode next-link only), cleaned by the `urls` rules, not normalised."""
    behind_next: str | None = None
    """The address that counting gives behind that."""
    sections: tuple[str, ...] = ()
    """Further parts of the archive, normalised, in page order (where there is a rule `sections`)."""
    last_page: int | None = None
    """What the `last` pick found (mode numbered only)."""
    overfull: bool = False
    """It has more article links than are taken in from one page."""
    broken: str = ""
    """Why a part of it could not be read; empty: all of it could."""
    has_end: bool = True
    """`</body>` or `</html>` ends it. Not all sites write them."""
    complete: bool = False
    """It says that it lists all there is."""
    asks_password: bool = False
    """It has a form that asks for a password."""
    names_feed: bool = False
    """It is a page that lists nothing, and names the feed that `next_url` leads to."""
    pager: tuple[PagerLink, ...] = ()
    """Links that look like those of a pager, in page order."""
    neighbours: tuple[PagerLink, ...] = ()
    """Where links and forms beside or below the list lead that may list more, the likeliest first: below the
    list's own address, to the same path with another query, or to a neighbour by number. Whether they do,
    only those see who ask them."""
    stated: tuple[Stated, ...] = ()
    """What it says of the length of the listing."""
    by_script: int | str = 0
    """What tells that only scripts bring more: the highest number of a pager or form whose numbers are no
    links, or what is written on a button below the list; 0: nothing."""
    years_by_script: frozenset[int] = frozenset()
    """Years that it names in choices and buttons without an address."""
    years_of_items: tuple[frozenset[int], ...] = ()
    """The years in each item, where it names such."""
    lookalikes: tuple[Lookalike, ...] = ()
    of_dates: tuple[str, ...] = ()
    """Of a column with dates: links that have the form of its own pages."""
    in_box: bool = False
    """All of its article links stand in boxes: menus, sidebars and the like."""
    sitemaps: tuple[SitemapFile, ...] = ()
    """What a sitemap, or robots.txt, leads to."""
    before: int = 0
    """Links of the same sitemap that were told of before: it is read in parts."""
    unread_dates: int = 0
    """Of the whole sitemap, up to the end of this part: dates that are written in no way that is known."""
    unread_date: str = ""
    """The first of them, as it is written."""

    @property
    def urls(self) -> frozenset[str]:
        """The addresses of its articles."""
        return frozenset(link.url for link in self.articles)


NO_PAGE = ArchivePage(articles=())
"""Stands for a page that says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Links that were found and not followed."""

    host: str
    reason: str
    """Which rule refused them; "other host" where only `urls.hosts` could let them in."""
    links: int
    example: str
    """One of them."""
    alike: int = 0
    """Those that a person's rule leaves out and that differ from articles which it takes by digits alone."""
