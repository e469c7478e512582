"""Links to articles on archive pages, links like them that no rule took, and the way to the next archive
page."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice
from operator import itemgetter

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.fields import FIELDS, Field
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode, Portal, PortalKind
from webarticlecurator.extraction.article_pages import addresses_behind
from webarticlecurator.extraction.buttons import Button, buttons_below, buttons_of
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.json_neighbours import neighbours_in_json
from webarticlecurator.extraction.lookalikes import is_box, left_in_json, lookalikes
from webarticlecurator.extraction.more_by_script import ShownList, more_by_script, pages_for_scripts
from webarticlecurator.extraction.named_years import years_by_script, years_of_items
from webarticlecurator.extraction.neighbours import neighbours_of
from webarticlecurator.extraction.numbers_in_places import numbers_in
from webarticlecurator.extraction.pager_links import links_to_all, pager_links
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.pages_of_articles import pages_of_articles
from webarticlecurator.extraction.picked_links import PickedLink, boxes_of, items_of, links_of
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.extraction.picked_values import (
    TEXT,
    PageContext,
    PageNode,
    is_element,
    pick_links,
    pick_values,
)
from webarticlecurator.extraction.stated_counts import (
    counts_around_list,
    counts_by_pager,
    counts_of_articles,
    stated_counts,
)
from webarticlecurator.extraction.url_rules import article_url, cleaned, identity_of, url_shape
from webarticlecurator.model.links import (
    OTHER_HOST,
    OTHER_SCHEME,
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
from webarticlecurator.text import element_text
from webarticlecurator.urls import host_allowed, is_http, normalise, without_fragment

MAX_LINKS = 20_000
"""Links of one archive page, refused ones included; what follows is left unread, and the page says so."""
_MAY_BE_ALONE = (PagingMode.NONE, PagingMode.NEXT_LINK)
_NUMBER = linear(r"[0-9]{1,9}")
_WHOLE_NUMBER = linear(r"^[0-9]{1,9}$", re.MULTILINE)
"""A number that is all of a text, one text a line."""
_MOST_TO_ALL = 10
"""Links of a page to lists of all."""
_MOST_NEIGHBOURS = 20
"""Neighbours of one page; the least likely are left out."""


@one_page()
def read_archive_page(page: Page, column: Column, portal: Portal, *, is_first: bool = True) -> ArchivePage:
    """Return links to articles in page order, and what there is to go on with. Raises PatternTimeout alone.

    `is_first`: the page is the first one of a list, whose neighbours are told, too.
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
    """Reads one archive page."""

    def __init__(self, page: Page, column: Column, portal: Portal, *, is_first: bool) -> None:
        self.page, self.column, self.portal, self.is_first = page, column, portal, is_first
        self.context = PageContext.whole(page, portal, language=column.language, base=column.base)
        self.feed = read_feed(page, portal.hosts) if column.format is ArchiveFormat.FEED else None
        self.about_feed = self.feed or Feed(entries=())
        """The feed; of a page that is none, one without entries."""
        self.items = items_of(self.context, column)
        self.boxes = boxes_of(self.items)
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

    def picked_links(self) -> Iterator[PickedLink]:
        """Give what the rules pick, and the posts of an index page that have pages of their own."""
        yield from links_of(self.context, self.column, self.items, self.feed)
        if self.portal.reads_index_pages:
            # few crawls have a need of it
            from webarticlecurator.extraction.index_posts import read_index_page

            posts = read_index_page(self.page, self.portal, self.column).posts
            yield from (PickedLink(post.url, {}) for post in posts if post.url is not None)

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
        """Take out links to a further page of an article that is listed, too: page numbers in the row of a
        thread."""
        self.further_pages = pages_of_articles(self.places)
        for url in self.further_pages:
            del self.articles[url]
        self.refused |= self.further_pages

    def take_nameless(self) -> None:
        """Note the entries of a feed that have no address."""
        for number in range(min(self.about_feed.nameless, MAX_LINKS)):
            url = f"{self.page.url}#{number + 1}"
            self.refused[url] = RefusedLink(url=url, reason="an entry without an address")

    # --- what the page leads to ---

    @cached_property
    def links(self) -> list[tuple[Element, str]]:
        """Return all links of the page; of very many the first and the last, since a pager stands above or
        below a list."""
        rows = self.page.outline.rows("a", "link")
        half = MAX_LINKS // 2
        return list(page_links(self.page, dict.fromkeys((*rows[:half], *rows[-half:]))))

    @cached_property
    def picked(self) -> PickedList:
        return PickedList.of(self.page.outline, self.elements, self.boxes)

    @cached_property
    def may_be_alone(self) -> bool:
        """Say whether its paging may end with the first page."""
        return self.column.paging.mode in _MAY_BE_ALONE

    @cached_property
    def pager(self) -> tuple[PagerLink, ...]:
        """Return links that look like those of a pager, as the page writes them."""
        page = self.page
        for_scripts = pages_for_scripts(page) if self.column.paging.mode.counts else ()
        to_all = self._links_to_all() if self.column.dates is None and self.may_be_alone else ()
        return (*pager_links(page, self.links), *neighbours_in_json(page), *for_scripts, *to_all)

    def _links_to_all(self) -> Iterator[PagerLink]:
        """Give some links to lists of all, without those that the crawl asks for already."""
        to_lists = links_to_all(self.page, self.links)
        return islice(
            (link for link in to_lists if not _is_archive_page(link.url, self.portal)), _MOST_TO_ALL
        )

    def as_asked_for(self, links: Iterable[PagerLink]) -> tuple[PagerLink, ...]:
        """Return links with their addresses as the crawl asks for them."""
        return tuple(replace(link, url=normalise(cleaned(link.url, self.column.urls))) for link in links)

    @cached_property
    def sections(self) -> dict[str, None]:
        """Return where the rule `sections` leads; one off the portal's hosts is noted as refused."""
        sections: dict[str, None] = {}
        for value in pick_links(self.column.sections, self.context, many=True).values:
            url = cleaned(value.text, self.column.urls)
            normal = normalise(url)
            if not host_allowed(url, self.portal.hosts, self.column.urls.hosts):
                self.refused.setdefault(normal, RefusedLink(url=normal, reason=OTHER_HOST))
            elif not self.page.is_at(url):
                sections[normal] = None
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
        """Say whether an address, as the crawl asks for it, is that of the page, of a section, or of an
        article, be it a refused one."""
        url = normalise(cleaned(url, self.column.urls))
        return any(url in known for known in (self.articles, self.refused, self.sections)) or self.page.is_at(
            url
        )

    @property
    def neighbours(self) -> tuple[PagerLink, ...]:
        """Return where links and forms of a page of HTML lead that may list more, each address once."""
        if not self.is_first:
            return ()
        beside = neighbours_of(self.page, self.picked, self.links, self.pager, self.is_listed)
        by_url = {link.url: link for link in reversed(self.as_asked_for(beside))}
        return tuple(reversed(by_url.values()))[:_MOST_NEIGHBOURS]

    # --- what it says of its list ---

    @cached_property
    def all_buttons(self) -> list[Button]:
        return buttons_of(self.page, range(len(self.page.outline.tags)))

    @cached_property
    def buttons(self) -> list[Button]:
        return buttons_below(self.all_buttons, self.picked) if self.may_be_alone else []

    @property
    def by_script(self) -> int | str:
        if not self.may_be_alone:
            return 0
        is_dated = self.column.dates is not None
        return more_by_script(ShownList(self.page, self.picked, self.all_buttons, self.buttons, is_dated))

    @cached_property
    def years_by_script(self) -> frozenset[int]:
        """Years that only a script brings; of a column with dates, each has pages of its own."""
        if self.column.dates is not None or not self.articles:
            return frozenset()
        return years_by_script(self.page, self.picked)

    @property
    def stated(self) -> tuple[Stated, ...]:
        if self.feed is not None:
            return self.feed.stated
        # "57 posts" of a forum are those of threads
        is_forum = (self.column.kind or self.portal.kind) is PortalKind.FORUM
        of_articles = () if is_forum else counts_of_articles(self.page)
        around = counts_around_list(self.picked, (button.row for button in self.buttons))
        return (*stated_counts(self.page), *counts_by_pager(self.page), *of_articles, *around)

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
        """Say whether all of its article links stand in boxes."""
        return bool(self.elements) and all(map(_stands_in_box, self.elements))

    def result(self) -> ArchivePage:
        page = self.page
        sections, next_url = tuple(self.sections), self.next_url
        with page.budget:
            pager = self.as_asked_for(self.pager)
            neighbours = self.neighbours
        return ArchivePage(
            articles=tuple(self.articles.values()),
            written=tuple(self.written),
            others=frozenset() if self.articles else frozenset(map(itemgetter(1), self.links)),
            refused=tuple(self.refused.values()),
            items=None if self.items is None else len(self.items),
            next_url=next_url,
            behind_next=self.behind_next,
            sections=sections,
            last_page=_last_page(self.context, self.column),
            overfull=self.overfull,
            broken=page.broken,
            asks_password=any(field.get("type") == "password" for field in page.outline.named("input")),
            complete=self.about_feed.complete,
            names_feed=self.about_feed.names_feed,
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


_form_of = partial(url_shape, sections=True)


def _stands_in_box(link: Element) -> bool:
    return any(map(is_box, (link, *link.iterancestors())))


def article_urls(page: Page, column: Column, portal: Portal) -> tuple[str, ...]:
    """Return the articles that a page lists, for rules that are only tried. Raises PatternTimeout."""
    with page.budget:
        return tuple(dict.fromkeys(map(itemgetter(0), _listed(page, column, portal))))


def said_of_articles(page: Page, column: Column, portal: Portal) -> dict[str, str]:
    """Return the text of the items, or else the links, that lead to each article. Raises PatternTimeout."""
    said: dict[str, str] = {}
    with page.budget:
        for url, node, boxes, fields in _listed(page, column, portal):
            said[url] = f"{said.get(url, '')} {_said_of(node, boxes, fields)}"
    return said


def numbers_of_articles(page: Page, column: Column, portal: Portal) -> dict[str, dict[str, int]]:
    """Return the numbers in the items of a page by article and by place in the item. Raises
    PatternTimeout."""
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


def _listed(
    page: Page,
    column: Column,
    portal: Portal,
) -> Iterator[tuple[str, PageNode, frozenset[Element], Fields]]:
    context = PageContext.whole(page, portal, language=column.language, base=column.base)
    items = items_of(context, column)
    boxes = boxes_of(items)
    for url, fields, node in islice(links_of(context, column, items), MAX_LINKS):
        listed = article_url(url, column.urls, portal)
        if isinstance(listed, str):
            yield normalise(listed), node, boxes, fields


def _others(
    page: Page,
    articles: Iterable[ArticleLink],
    pages: Container[str],
    column: Column,
    portal: Portal,
) -> Callable[[str], bool]:
    """Return a test of links that lead to an article which is not listed yet, and to none of `pages`."""
    identities = {link.identity for link in articles}

    def is_listed(url: str) -> bool:
        """Say whether an address is that of a listed article, or of none by the rules."""
        listed = article_url(url, column.urls, portal)
        return not isinstance(listed, str) or identity_of(normalise(listed), portal) in identities

    checks: tuple[Check[str], ...] = (
        Check("it is one of these pages", pages.__contains__),
        Check("it is listed, or a rule leaves it out", is_listed),
        Check("it is an archive page", lambda url: _is_archive_page(url, portal)),
    )

    def is_other(url: str) -> bool:
        with page.budget:
            return not first_reason(checks, url)

    return is_other


def _of_dates(page: Page, links: Iterable[tuple[Element, str]], column: Column) -> tuple[str, ...]:
    """Return links that the template of the column makes, or that are written as the page's address is."""
    form = _form_of(normalise(page.url))

    def is_of_dates(url: str) -> bool:
        return _form_of(url) == form or column.template.match(url) is not None

    return tuple(filter(is_of_dates, dict.fromkeys(map(itemgetter(1), links))))


def _is_archive_page(url: str, portal: Portal) -> bool:
    """Say whether a template makes an address.

    `{page}` alone would fit any address: it must be a number.
    """
    matches = (column.template.match(url) for column in portal.columns)
    return any(values is not None and not values.get("page", "").strip("0123456789") for values in matches)


def _said_of(node: PageNode, items: Container[Element], fields: Fields) -> str:
    """Return the text of an item, or of a link where there are no items, or else of fields."""
    if not is_element(node):
        return " ".join(chain.from_iterable(fields.values()))
    holders = filter(items.__contains__, chain((node,), node.iterancestors()))
    return element_text(next(holders, node))[:300]


def of_other_scheme(url: str) -> RefusedLink:
    return RefusedLink(url=url, reason=f"{OTHER_SCHEME}: {url.partition(':')[0].lower()}", is_web=False)


def _listed_again(link: ArticleLink, listed: str, fields: Fields) -> ArticleLink:
    """Return an article that is listed once more: lists unite, of single values the first seen wins."""
    united = dict(link.fields)
    for name, values in fields.items():
        if FIELDS.get(name, TEXT).many:
            united[name] = tuple(dict.fromkeys((*united.get(name, ()), *values)))
        else:
            united.setdefault(name, values)
    return replace(link, spellings=tuple(dict.fromkeys((*link.spellings, listed))), fields=united)


def _next_url(context: PageContext, column: Column, feed: Feed | None) -> str | None:
    if column.paging.mode is not PagingMode.NEXT_LINK:
        return None
    if feed is not None:
        url = feed.next_url
    else:
        links = pick_links(column.next, context, many=False).values
        url = links[0].text if links else None
    return cleaned(url, column.urls) if url is not None else None


def _last_page(context: PageContext, column: Column) -> int | None:
    """Return the highest number that the `last` pick finds; whole texts count before numbers inside them."""
    if not isinstance(column.paging.last, Picks):
        return None
    picked = pick_values(column.paging.last, context, Field(many=True))
    texts = "\n".join(value.text for value in picked.values)
    return max(map(int, _WHOLE_NUMBER.findall(texts) or _NUMBER.findall(texts)), default=None)
