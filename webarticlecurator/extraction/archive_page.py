"""What archive pages say: links to articles, those that look like them and that no rule took, and the way to the next archive page."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.picks import Pick, Picks, Take
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode, Portal, PortalKind
from webarticlecurator.dates import by_clock
from webarticlecurator.extraction.article_pages import addresses_behind
from webarticlecurator.extraction.buttons import Button, buttons_below
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.json_neighbours import neighbours_in_json
from webarticlecurator.extraction.listing_length import counts_around_list, counts_by_pager, counts_of_articles, stated_counts
from webarticlecurator.extraction.lookalikes import FIRST_LINK, is_box, left_in_json, lookalikes
from webarticlecurator.extraction.more_by_script import more_by_script, pages_for_scripts
from webarticlecurator.extraction.named_years import years_by_script, years_of_items
from webarticlecurator.extraction.neighbours import neighbours_of
from webarticlecurator.extraction.numbers_in_places import numbers_in
from webarticlecurator.extraction.pager_links import links_to_all, pager_links
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.pages_of_articles import pages_of_articles
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.extraction.picked_values import (
    UNASKED_DATES,
    PageContext,
    PageNode,
    is_element,
    pick_fields,
    pick_links,
    pick_nodes,
    pick_values,
)
from webarticlecurator.extraction.url_rules import article_url, cleaned, identity_of, url_shape
from webarticlecurator.model.links import (
    OTHER_HOST,
    OTHER_SCHEME,
    TOLD_BY_FEED,
    ArchivePage,
    ArticleLink,
    Feed,
    Fields,
    Lookalike,
    PagerLink,
    RefusedLink,
    Stated,
    WrittenLink,
)
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.paths import JsonPath
from webarticlecurator.text import element_text
from webarticlecurator.urls import host_allowed, is_http, join, normalise, without_fragment

MAX_LINKS = 20_000
"""Of one archive page, refused ones included; what follows is left unread, and the page says so."""
_MAY_BE_ALONE = (PagingMode.NONE, PagingMode.NEXT_LINK)
_NUMBER = linear(r"(?a:\d{1,9})")
_MOST_TO_ALL = 10
"""Links of a page to lists of all."""
_MOST_NEIGHBOURS = 20
"""Of one page; the least likely are left out."""
_PickedLink = tuple[str, Fields, PageNode]
"""Joined URL, fields of the listing, and where it stands."""


@one_page()
def read_archive_page(page: Page, column: Column, portal: Portal, *, is_first: bool = True) -> ArchivePage:
    """Return links to articles in page order, and what there is to go on with. Raises PatternTimeout, and nothing else.

    `is_first`: of a list, whose neighbours are told, too.
    """
    reading = _Reading(page, column, portal, is_first=is_first)
    with page.budget:
        for joined, fields, node in reading.picked_links():
            if not reading.has_room:
                reading.overfull = True
                break
            reading.take(joined, fields, node)
    reading.leave_out_pages_of_articles()
    reading.take_nameless()
    return reading.result()


class _Reading:
    """What is read of one archive page, on the way."""

    def __init__(self, page: Page, column: Column, portal: Portal, *, is_first: bool) -> None:
        self.page, self.column, self.portal, self.is_first = page, column, portal, is_first
        self.context = PageContext.whole(page, portal, language=column.language, base=column.base)
        self.feed = read_feed(page, portal.hosts) if column.format is ArchiveFormat.FEED else None
        has_items = column.item is not None and column.format in (ArchiveFormat.HTML, ArchiveFormat.JSON)
        self.items = pick_nodes(column.item, self.context) if column.item is not None and has_items else None
        self.boxes = frozenset(filter(is_element, self.items or ()))
        self.articles: dict[str, ArticleLink] = {}
        self.refused: dict[str, RefusedLink] = {}
        self.elements: list[Element] = []
        """The links that rules took."""
        self.places: list[tuple[str, Element]] = []
        """Each of them behind the address of its article."""
        self.further_pages: Mapping[str, RefusedLink] = {}
        """Links that are no articles, but further pages of such."""
        self.written: list[WrittenLink] = []
        self.overfull = False

    # --- the links to articles ---

    @property
    def has_room(self) -> bool:
        return len(self.articles) + len(self.refused) < MAX_LINKS

    def picked_links(self) -> Iterator[_PickedLink]:
        """Give what the rules pick, and the posts of an index page that have pages, be it that no other rule leads there."""
        yield from _links(self.context, self.column, self.items, self.feed)
        if self.portal.reads_index_pages and self.column.format is ArchiveFormat.HTML:
            from webarticlecurator.extraction.index_posts import read_index_page  # few crawls have a need of it

            posts = read_index_page(self.page, self.portal, self.column).posts
            yield from ((post.url, {}, None) for post in posts if post.url is not None)

    def take(self, joined: str, fields: Fields, node: PageNode) -> None:
        """Take in one link, or note which rule refuses it."""
        is_web = is_http(joined)
        listed = article_url(joined, self.column.urls, self.portal) if is_web else of_other_scheme(joined)
        if isinstance(listed, RefusedLink):
            self.refused.setdefault(listed.url, listed)
            return
        url = normalise(listed)
        if is_element(node):
            self.elements.append(node)
            self.places.append((url, node))
        if self.column.urls.may_unite:
            text = _said_of(node, self.boxes, fields)
            self.written.append(WrittenLink(url, normalise(without_fragment(joined)), text))
        seen = self.articles.get(url) or ArticleLink(url=url, identity=identity_of(url, self.portal))
        self.articles[url] = _listed_again(seen, listed, fields)

    def leave_out_pages_of_articles(self) -> None:
        """Take out links to a further page of an article that is listed, too, such as the page numbers in the row of a thread."""
        self.further_pages = pages_of_articles(self.places)
        self.articles = {url: link for url, link in self.articles.items() if url not in self.further_pages}
        self.refused |= self.further_pages

    def take_nameless(self) -> None:
        """Note the entries of a feed that have no address."""
        for number in range(min(self.feed.nameless, MAX_LINKS) if self.feed is not None else 0):
            url = f"{self.page.url}#{number + 1}"
            self.refused[url] = RefusedLink(url=url, reason="an entry without an address")

    # --- what the page leads to ---

    @cached_property
    def links(self) -> list[tuple[Element, str]]:
        """All links of the page; of very many the first and the last, since a pager stands above or below a list."""
        rows = self.page.outline.rows("a", "link")
        half = MAX_LINKS // 2
        return list(page_links(self.page, rows if len(rows) <= MAX_LINKS else (*rows[:half], *rows[-half:])))

    @cached_property
    def picked(self) -> PickedList:
        return PickedList.of(self.page.outline, self.elements, self.boxes)

    @cached_property
    def may_be_alone(self) -> bool:
        """Its paging may end with the first page."""
        return self.column.paging.mode in _MAY_BE_ALONE

    @cached_property
    def pager(self) -> tuple[PagerLink, ...]:
        """Links that look like those of a pager, as the page writes them."""
        page = self.page
        for_scripts = pages_for_scripts(page) if self.column.paging.mode.counts else ()
        to_all = self._links_to_all() if self.column.dates is None and self.may_be_alone else ()
        return (*pager_links(page, self.links), *neighbours_in_json(page), *for_scripts, *to_all)

    def _links_to_all(self) -> Iterator[PagerLink]:
        """Give some links that say so, and have no form of an article with a title behind a number or a day."""
        shapes = {url_shape(url, sections=True) for url in self.articles}
        titles = {shape for shape in shapes if "/9/s" in shape}

        def leads_to_list(link: PagerLink) -> bool:
            is_title = url_shape(link.url, sections=True) in titles
            return not is_title and not _is_archive_page(link.url, self.portal)

        return islice(filter(leads_to_list, links_to_all(self.page, self.links)), _MOST_TO_ALL)

    def as_asked_for(self, links: Iterable[PagerLink]) -> tuple[PagerLink, ...]:
        """Return links with their addresses as the crawl asks for them."""
        return tuple(replace(link, url=normalise(cleaned(link.url, self.column.urls))) for link in links)

    @cached_property
    def sections(self) -> Mapping[str, Element | None]:
        """Where the rule `sections` leads, and the links; what leads off the portal's hosts is noted as the links of articles are."""
        sections: dict[str, Element | None] = {}
        rule = self.column.sections
        for value in pick_links(rule, self.context, many=True).values if rule is not None else ():
            url = cleaned(value.text, self.column.urls)
            normal = normalise(url)
            if not host_allowed(url, self.portal.hosts, self.column.urls.hosts):
                self.refused.setdefault(normal, RefusedLink(url=normal, reason=OTHER_HOST))
            elif not self.page.is_at(url):
                sections.setdefault(normal, value.node if is_element(value.node) else None)
        return sections

    @cached_property
    def next_url(self) -> str | None:
        return _next_url(self.context, self.column, self.feed)

    @property
    def behind_next(self) -> str | None:
        if self.feed is not None or self.next_url is None:
            return None
        return next(addresses_behind(self.page.url, self.next_url), None)

    def is_listed(self, url: str) -> bool:
        """Say whether an address is that of the page, of a section, or of an article, be it a refused one."""
        return url in self.articles or url in self.refused or url in self.sections or self.page.is_at(url)

    @property
    def neighbours(self) -> tuple[PagerLink, ...]:
        """Where links and forms of a page of HTML lead that may list more, each address once, as the crawl asks for it."""
        if self.feed is not None or not self.is_first:
            return ()
        beside = neighbours_of(self.page, self.picked, self.links, self.pager, self.is_listed)
        links = self.as_asked_for(beside)
        by_url = {link.url: link for link in reversed(links) if not self.is_listed(link.url)}
        return tuple(reversed(by_url.values()))[:_MOST_NEIGHBOURS]

    # --- what it says of its list ---

    @cached_property
    def buttons(self) -> list[Button]:
        return buttons_below(self.page, self.picked) if self.may_be_alone else []

    @property
    def by_script(self) -> int | str:
        if not self.may_be_alone:
            return 0
        return more_by_script(self.page, self.picked, self.buttons, is_dated=self.column.dates is not None)

    @cached_property
    def years_by_script(self) -> frozenset[int]:
        """Years that only a script brings; of a column with dates, each has pages of its own."""
        if self.page.tree is None or self.column.dates is not None or not self.articles:
            return frozenset()
        return years_by_script(self.page, self.picked)

    @property
    def stated(self) -> tuple[Stated, ...]:
        if self.feed is not None:
            return self.feed.stated
        is_forum = (self.column.kind or self.portal.kind) is PortalKind.FORUM  # where "57 posts" are those of threads
        of_articles = () if is_forum else counts_of_articles(self.page)
        around = counts_around_list(self.picked, (button.row for button in self.buttons))
        return (*stated_counts(self.page), *counts_by_pager(self.page), *of_articles, *around)

    @cached_property
    def stop(self) -> str | None:
        """The selector of `stop.when` that the page fulfils."""
        selector, tree = self.column.stop.when, self.page.tree
        if selector is None or tree is None:
            return None
        with self.page.budget:
            return selector.text if selector.select(tree) else None

    @property
    def lookalikes(self) -> tuple[Lookalike, ...]:
        if self.overfull:
            return ()
        pages = {*self.sections, *self.further_pages, *(link.url for link in self.pager if link.is_sure)}
        is_article = _others(self.page, self.articles.values(), pages, self.column, self.portal)
        if self.page.tree is None:
            return left_in_json(self.context, self.column, self.articles, self.refused, is_article)
        return lookalikes(self.picked, self.links, self.articles, is_article)

    @property
    def in_box(self) -> bool:
        """All of its article links stand in boxes."""
        around = ((link, *link.iterancestors()) for link in self.elements)
        return bool(self.elements) and all(any(map(is_box, elements)) for elements in around)

    def result(self) -> ArchivePage:
        page, feed = self.page, self.feed
        sections, next_url, stop = tuple(self.sections), self.next_url, self.stop
        with page.budget:
            pager = self.as_asked_for(self.pager)
            neighbours = self.neighbours
        return ArchivePage(
            articles=tuple(self.articles.values()),
            written=tuple(self.written),
            others=frozenset() if self.articles else frozenset(url for _, url in self.links),
            refused=tuple(self.refused.values()),
            items=None if self.items is None else len(self.items),
            next_url=next_url,
            behind_next=self.behind_next,
            sections=sections,
            last_page=_last_page(self.context, self.column),
            overfull=self.overfull,
            broken=page.broken,
            asks_password=any(field.get("type") == "password" for field in page.outline.named("input")),
            complete=feed is not None and feed.complete,
            names_feed=feed is not None and feed.names_feed,
            stop=stop,
            pager=pager,
            neighbours=neighbours,
            stated=self.stated,
            by_script=self.by_script,
            years_by_script=self.years_by_script,
            years_of_items=years_of_items(self.picked) if self.years_by_script else (),
            lookalikes=self.lookalikes,
            of_dates=_of_dates(page, self.links, self.column) if self.column.dates is not None else (),
            in_box=self.in_box,
        )


def article_urls(page: Page, column: Column, portal: Portal) -> tuple[str, ...]:
    """The articles that a page lists, and nothing else: for rules that are only tried. Raises as the above does."""
    with page.budget:
        return tuple(dict.fromkeys(url for url, *_ in _listed(page, column, portal)))


def said_of_articles(page: Page, column: Column, portal: Portal) -> dict[str, str]:
    """What a page says of each article in the items, or else the links, that lead to it. Raises as the above does."""
    said: dict[str, str] = {}
    with page.budget:
        for url, node, boxes, fields in _listed(page, column, portal):
            said[url] = f"{said.get(url, '')} {_said_of(node, boxes, fields)}"
    return said


def numbers_of_articles(page: Page, column: Column, portal: Portal) -> dict[str, dict[str, int]]:
    """Return the numbers in the items of a page by article, each by its place in the item. Raises PatternTimeout."""
    numbers: dict[str, dict[str, int]] = {}
    with page.budget:
        all_listed = _listed(page, column, portal)
        listed = [(url, node, boxes) for url, node, boxes, _ in all_listed if is_element(node)]
        rows = page.outline.row_of
        outermost = PickedList.of(page.outline, [node for _, node, _ in listed], ()).outermost
        for url, node, boxes in listed:
            of_rule = filter(boxes.__contains__, chain((node,), node.iterancestors()))
            around = page.outline.elements[outermost[rows[node]]] if node in rows else node
            numbers[url] = numbers_in(next(of_rule, around))
    return numbers


def _listed(page: Page, column: Column, portal: Portal) -> Iterator[tuple[str, PageNode, frozenset[Element], Fields]]:
    context = PageContext.whole(page, portal, language=column.language, base=column.base)
    items = pick_nodes(column.item, context) if column.item is not None else None
    boxes = frozenset(filter(is_element, items or ()))
    for url, fields, node in islice(_links(context, column, items), MAX_LINKS):
        listed = article_url(url, column.urls, portal) if is_http(url) else None
        if isinstance(listed, str):
            yield normalise(listed), node, boxes, fields


def _others(page: Page, articles: Iterable[ArticleLink], pages: Container[str], column: Column, portal: Portal) -> Callable[[str], bool]:
    """Whether a link would be an article that the page does not list yet, and none of these pages of an archive."""
    identities = {link.identity for link in articles}

    def is_other(url: str) -> bool:
        with page.budget:
            listed = article_url(url, column.urls, portal) if url not in pages else None
            is_new = isinstance(listed, str) and identity_of(normalise(listed), portal) not in identities
        return is_new and not _is_archive_page(url, portal)

    return is_other


def _of_dates(page: Page, links: Iterable[tuple[Element, str]], column: Column) -> tuple[str, ...]:
    """Links that a template of the column makes, or that are written as the page's own address is."""
    shape = url_shape(normalise(page.url), sections=True)
    urls = dict.fromkeys(url for _, url in links)
    made = {url for template in column.templates for url in urls if template.match(url) is not None}
    return tuple(url for url in urls if url in made or url_shape(url, sections=True) == shape)


def _is_archive_page(url: str, portal: Portal) -> bool:
    """`{page}` alone would fit any address: it must be a number."""
    matches = (template.match(url) for column in portal.columns for template in column.templates)
    return any(values is not None and values.get("page", "").strip("0123456789") == "" for values in matches)


def _said_of(node: PageNode, items: Container[Element], fields: Fields) -> str:
    """The text of an item, or of a link where there are no items; what has no elements says it in fields."""
    if not is_element(node):
        return " ".join(chain.from_iterable(fields.values()))
    holders = filter(items.__contains__, chain((node,), node.iterancestors()))
    return element_text(next(holders, node))[:300]


def of_other_scheme(url: str) -> RefusedLink:
    return RefusedLink(url=url, reason=f"{OTHER_SCHEME}: {url.partition(':')[0].lower()}", is_web=False)


def _links(context: PageContext, column: Column, items: list[PageNode] | None, feed: Feed | None = None) -> Iterator[_PickedLink]:
    """Give joined URLs with their listing fields and where they stand."""
    if feed is not None:
        yield from _links_of_feed(context, column, feed)
    elif column.format is ArchiveFormat.URLS:
        yield from ((url, {}, None) for url in _lines(context))
    elif items is not None:
        yield from _links_of_items(context, column, items)
    elif column.link is not None:
        picked = pick_links(column.link, context, many=True)
        for value in picked.values:
            fields = _fields(column.fields, context.item(value.node)) if value.node is not None else {}
            yield value.text, fields, value.node
        yield from ((url, {}, None) for url in picked.elsewhere)


def _links_of_feed(context: PageContext, column: Column, feed: Feed) -> Iterator[_PickedLink]:
    """Give the entries of a feed, whose fields are read like picked ones."""
    for entry in feed.entries:
        by_feed = {TOLD_BY_FEED.get(name, name): _by_name(name) for name in entry if name != "url"}
        yield entry["url"], _fields(by_feed | dict(column.fields), context.item(entry)), None


def _lines(context: PageContext) -> Iterator[str]:
    """Give the addresses of a list that has one a line; empty lines and comments are passed over."""
    for line in context.page.text.splitlines():
        is_comment = line.lstrip().startswith("#")
        url = join(context.base or context.page.base, line) if line.strip() and not is_comment else None
        if url is not None and is_http(url):
            yield url


def _links_of_items(context: PageContext, column: Column, items: list[PageNode]) -> Iterator[_PickedLink]:
    for node in items:
        item = context.item(node)
        picked = pick_links(column.link or FIRST_LINK, item, many=False)
        fields = _fields(column.fields, item) if picked.values else {}
        yield from ((value.text, fields, value.node) for value in picked.values)
        yield from ((url, {}, None) for url in picked.elsewhere)


@lru_cache(maxsize=64)
def _by_name(name: str) -> Picks:
    dates = UNASKED_DATES if name == "lastmod" else ()
    take: Take | None = "all" if name in TOLD_BY_FEED else None
    return Picks(alternatives=(Pick(json=JsonPath.parse(name), date=dates, take=take, source=f"archive.fields.{name}"),))


def _fields(picks: Mapping[str, Picks], item: PageContext) -> Fields:
    """APIs and feeds tell times in UTC: they are kept by the portal's clock, so that the day is the one that readers saw."""
    values = {name: tuple([value.value for value in found]) for name, found in pick_fields(picks, item).items()}
    dates = {name: found for name, found in values.items() if name in FIELDS and FIELDS[name].holds is Holds.DATE}
    return values | {name: tuple([by_clock(date, item.portal.timezone) for date in found]) for name, found in dates.items()}


def _listed_again(link: ArticleLink, listed: str, fields: Fields) -> ArticleLink:
    """One more listing of an article: lists unite, of single values the first seen wins."""
    united = dict(link.fields)
    for name, values in fields.items():
        if name in FIELDS and FIELDS[name].many:
            united[name] = tuple(dict.fromkeys((*united.get(name, ()), *values)))
        else:
            united.setdefault(name, values)
    return replace(link, spellings=tuple(dict.fromkeys((*link.spellings, listed))), fields=united)


def _next_url(context: PageContext, column: Column, feed: Feed | None) -> str | None:
    if column.paging.mode is not PagingMode.NEXT_LINK:
        return None
    if feed is not None:
        return cleaned(feed.next_url, column.urls) if feed.next_url is not None else None
    urls = pick_links(column.next, context, many=False).values if column.next is not None else []
    return cleaned(urls[0].text, column.urls) if urls else None


def _last_page(context: PageContext, column: Column) -> int | None:
    """The highest number that the `last` pick finds; whole texts count before numbers inside them."""
    if column.paging.mode is not PagingMode.NUMBERED or not isinstance(column.paging.last, Picks):
        return None
    texts = [value.text for value in pick_values(column.paging.last, context, Field(many=True)).values]
    whole = [int(text) for text in texts if _NUMBER.fullmatch(text)]
    return max(whole or [int(number) for text in texts for number in _NUMBER.findall(text)], default=None)
