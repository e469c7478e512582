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
"""The listing fields of an article: name -> values, in page order."""
NO_FIELDS: Fields = MappingProxyType({})
"""Stands for the fields of an article of which no listing is known to say anything."""
KIND = "@kind"
"""The field for the kind of the articles that a column lists, as the portal file says it; no field of a page
can be called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleLink:
    """A link to an article, cleaned by the portal's `urls` rules."""

    url: str
    """The address that is requested, normalised."""
    identity: str
    """The name that makes two URLs one article."""
    spellings: tuple[str, ...] = ()
    """The spellings of the address on the page, after the `urls` rules, without duplicates: these differ in
    what normalising takes away."""
    fields: Fields = field(default_factory=dict)


TOLD_BY_FEED = {name: f"feed:{name}" for name in ("author", "keywords", "description")}
"""The names by which a listing tells a field where a feed tells it: the page, which names all authors and
keeps sections from tags, goes before."""

OTHER_HOST = "other host"
"""The reason why a link is refused that leads off the portal's hosts."""
OTHER_SCHEME = "other scheme"
SKIPPED = "articles.skip.url"
LEFT_OUT = ("urls.only", "urls.exclude", "urls.sitemaps")
"""The rules by which a person leaves links out: what they refuse is no article that is missing."""
BY_A_PERSON = (*LEFT_OUT, SKIPPED)
"""The rules by which a person leaves links out, and the one whose refusals are counted as an outcome."""

PAGE_OF_ARTICLE = "a page of an article that is listed, too"
NO_LOSS = (*LEFT_OUT, PAGE_OF_ARTICLE)
"""The reasons why a link is refused that is no article which is missing."""
BEHIND_HASH = "behind a `#`, where only the page's own scripts can follow (docs/how-to/kinds-of-portals.md)"
"""The reason why a link is refused that leads where only scripts can follow."""


@dataclass(frozen=True, slots=True)
class WrittenLink:
    """A link to an article where `urls` rules may make one address of several."""

    url: str
    """The address as the rules leave it, normalised."""
    written: str
    """The address as it was before the rules."""
    text: str
    """The text where the link stands, of the item or else of the link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLink:
    """A link that was found and will not be followed."""

    url: str
    reason: str
    """The rule that refused it: "other host", "articles.skip.url", ..."""
    is_web: bool = True
    """True if it has no other scheme than those of the web, such as `mailto`."""


IN_HEAD = "<link rel=next>"
"""The text of a pager link that no reader sees."""

WITHOUT_WORDS = "(no words)"
"""The text of a pager link that shows a picture, or nothing."""

SURE = 2
"""The number of signs that a link to a further page must have together; one that is said of nothing else is
as good as two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PagerLink:
    """A link that looks like one to another page of the same listing, or of the same article."""

    url: str
    """The address, normalised."""
    text: str
    """The link's text, or `WITHOUT_WORDS`, or `IN_HEAD`: some software goes on writing that one on the last
    page."""
    number: int | None = None
    """The page's number, where that is what is written on it."""
    continues: bool = False
    """True if its URL is the page's own but for a number: that of a page, or of the first item on it."""
    numbers: tuple[int, int] | None = None
    """The numbers of the page and of the other one, by their addresses; None where these tell none, and of a
    link in the head."""
    leads_back: bool = False
    """True if it is said, or called, to lead to the page before: where pages count downwards, to the one that
    follows."""
    signs: int = SURE
    """The number of signs that speak for it: its words, its names, its address. 0: it only says that all
    articles are listed there."""

    @property
    def is_sure(self) -> bool:
        return self.signs >= SURE


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of a page on the length of its listing: "2 / 20", "1-20 of 213", a total in a header or in
    JSON."""

    text: str
    """The words as they are written."""
    here: int | None
    """The page's own number, or that of its last item; None where only the total is given."""
    total: int
    items: bool = False
    """True if it counts articles, not pages."""
    guessed: bool = False
    """True if it may count something else. In words that are not known, beside a pager: pages or articles,
    and there are never more pages than articles; of `items` those of another list."""
    for_programs: bool = False
    """True if it stands in JSON: if the walk saw much less, it is the walk that is wrong."""


def would_take(selectors: Collection[str]) -> str:
    """Return which of the selectors of such links takes most of them: said in the words of a remark."""
    ((selector, links),) = Counter(selectors).most_common(1)
    return f"`{selector}` would take {'them' if links == len(selectors) else f'{links:,} of them'}"


def by_script_in_words(sign: int | str) -> str:
    """Return the sentence on more that only a script brings: the sign of it, pages of a pager or something by
    its name, and what to do."""
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
    """The address, normalised."""
    shape: str
    """The form that its URL has in common with others of its kind."""
    selector: str
    """The selector that would take it."""
    place: LinkPlace


@dataclass(frozen=True, slots=True)
class SitemapFile:
    """A sitemap that another one, or robots.txt, leads to."""

    url: str
    """The address, normalised."""
    lastmod: str | None = None
    """The time when it was changed last, by the index that names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """The entries of a feed, and all that it says of itself."""

    entries: Iterable[Mapping[str, Any]]
    """The entries, each with its `url`, joined, and its listing fields by name, one value or a list of them,
    as they are written there."""
    next_url: str | None = None
    stated: tuple[Stated, ...] = ()
    nameless: int = 0
    """Entries without an address that can be followed."""
    complete: bool = False
    """True if the feed says that it holds all there is."""
    names_feed: bool = False
    """True if it is no feed itself, and names the one that `next_url` leads to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePage:
    """An archive page, as it was read."""

    articles: tuple[ArticleLink, ...]
    """The links to articles in page order, without duplicates."""
    written: tuple[WrittenLink, ...] = ()
    """The links to articles, each as often as it stands there, where the column has `urls.replace` or
    `urls.drop_params`."""
    others: frozenset[str] = frozenset()
    """All its links, if it gives no articles."""
    refused: tuple[RefusedLink, ...] = ()
    items: int | None = None
    """The number of matches of the `item` rule; None: there is no such rule."""
    next_url: str | None = None
    """The address that the `next` pick found (mode next-link only), cleaned by the `urls` rules, not
    normalised."""
    behind_next: str | None = None
    """The address that counting gives behind that."""
    sections: tuple[str, ...] = ()
    """The addresses of further parts of the archive, normalised, in page order (where there is a rule
    `sections`)."""
    last_page: int | None = None
    """The number that the `last` pick found (mode numbered only)."""
    overfull: bool = False
    """True if it has more article links than are taken in from one page."""
    broken: str = ""
    """The reason why a part of it could not be read; empty: all of it could."""
    has_end: bool = True
    """True if `</body>` or `</html>` ends it. Not all sites write them."""
    complete: bool = False
    """True if it says that it lists all there is."""
    asks_password: bool = False
    """True if it has a form that asks for a password."""
    names_feed: bool = False
    """True if it is a page that lists nothing, and names the feed that `next_url` leads to."""
    pager: tuple[PagerLink, ...] = ()
    """Links that look like those of a pager, in page order."""
    neighbours: tuple[PagerLink, ...] = ()
    """Links and forms beside or below the list to pages that may list more, the likeliest first: below the
    list's own address, to the same path with another query, or to a neighbour by number. Only those who ask
    these pages see whether they do."""
    stated: tuple[Stated, ...] = ()
    """The statements on it about the length of the listing."""
    by_script: int | str = 0
    """The sign that only scripts bring more: the highest number of a pager or form whose numbers are no
    links, or the text on a button below the list; 0: no sign."""
    years_by_script: frozenset[int] = frozenset()
    """Years that it names in choices and buttons without an address."""
    years_of_items: tuple[frozenset[int], ...] = ()
    """The years in each item, where it names such."""
    lookalikes: tuple[Lookalike, ...] = ()
    of_dates: tuple[str, ...] = ()
    """Links that have the form of the pages of a column with dates."""
    in_box: bool = False
    """True if all of its article links stand in boxes: menus, sidebars and the like."""
    sitemaps: tuple[SitemapFile, ...] = ()
    """The sitemaps that a sitemap, or robots.txt, leads to."""
    before: int = 0
    """Links of the same sitemap that were told of before: it is read in parts."""
    unread_dates: int = 0
    """The number of dates in the whole sitemap, up to the end of this part, that are written in no way that
    is known."""
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
    """The rule that refused them; "other host" where only `urls.hosts` could let them in."""
    links: int
    example: str
    """The address of one of the links."""
    alike: int = 0
    """The number of links that a person's rule leaves out and that differ by digits alone from articles which
    it takes."""
