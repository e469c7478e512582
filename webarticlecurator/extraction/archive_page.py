"""What archive pages say: links to articles, those that look like them and that no rule took, and the way to the next archive page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, islice, takewhile
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.budget import one_page
from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.picks import Pick, Picks, Take
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode, Portal, PortalKind
from webarticlecurator.dates import by_clock
from webarticlecurator.extraction.article_pages import addresses_behind
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.listing_length import (
    counts_by_pager,
    counts_of_articles,
    more_by_script,
    pages_for_scripts,
    stated_counts,
)
from webarticlecurator.extraction.pager_signs import links_to_all, neighbours_in_json, page_links, pager_links
from webarticlecurator.extraction.pages_of_articles import pages_of_articles
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
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.model.links import (
    OTHER_HOST,
    OTHER_SCHEME,
    TOLD_BY_FEED,
    ArchivePage,
    ArticleLink,
    Feed,
    Fields,
    Lookalike,
    RefusedLink,
    WrittenLink,
)
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.paths import JsonPath
from webarticlecurator.selectors import Selector, identifier
from webarticlecurator.text import HEADINGS, element_text
from webarticlecurator.urls import host_allowed, is_http, join, normalise, without_fragment

MAX_LINKS = 20_000
"""Of one archive page, refused ones included; what follows is left unread, and the page says so."""
_FIRST_LINK = Picks(alternatives=(Pick(css=Selector.parse("a[href]")), Pick()))
"""Without `link`: the item itself, if it is an `a`, else the first usable `a[href]` in it; in JSON an item may be the URL itself."""
_MAY_BE_ALONE = (PagingMode.NONE, PagingMode.NEXT_LINK)
_NUMBER = linear(r"(?a:\d{1,9})")


@one_page()
def read_archive_page(page: Page, column: Column, portal: Portal) -> ArchivePage:
    """Links to articles in page order, and what there is to go on with. Raises PatternTimeout, and nothing else."""
    context = PageContext.whole(page, portal, language=column.language, base=column.base)
    feed = read_feed(page, portal.hosts) if column.format is ArchiveFormat.FEED else None
    items = (
        pick_nodes(column.item, context) if column.item is not None and column.format in (ArchiveFormat.HTML, ArchiveFormat.JSON) else None
    )
    boxes = frozenset(filter(is_element, items or ()))
    found = _links(context, column, items, feed)
    if portal.reads_index_pages and column.format is ArchiveFormat.HTML:
        from webarticlecurator.extraction.index_posts import read_index_page  # few crawls have a need of it

        # the posts of an index page that have pages of their own, be it that no other rule leads there
        found = chain(found, ((post.url, {}, None) for post in read_index_page(page, portal, column).posts if post.url is not None))
    articles: dict[str, ArticleLink] = {}
    refused: dict[str, RefusedLink] = {}
    elements: list[Element] = []
    taken: list[tuple[str, Element]] = []
    written: list[WrittenLink] = []
    overfull = False
    with page.budget:
        for joined, fields, node in found:
            if len(articles) + len(refused) >= MAX_LINKS:
                overfull = True
                break
            listed = article_url(joined, column.urls, portal) if is_http(joined) else of_other_scheme(joined)
            if isinstance(listed, RefusedLink):
                refused.setdefault(listed.url, listed)
                continue
            url = normalise(listed)
            if is_element(node):
                elements.append(node)
                taken.append((url, node))
            if column.urls.may_unite:
                written.append(WrittenLink(url, normalise(without_fragment(joined)), _said_of(node, boxes, fields)))
            seen = articles.get(url) or ArticleLink(url=url, identity=identity_of(url, portal))
            articles[url] = _listed_again(seen, listed, fields)
    pages = pages_of_articles(taken)
    articles = {url: link for url, link in articles.items() if url not in pages}
    refused |= pages
    for number in range(min(feed.nameless, MAX_LINKS) if feed is not None else 0):
        refused[f"{page.url}#{number + 1}"] = RefusedLink(url=f"{page.url}#{number + 1}", reason="an entry without an address")
    rows = page.outline.rows("a", "link")
    # a pager stands above or below a list
    links = list(page_links(page, rows if len(rows) <= MAX_LINKS else (*rows[: MAX_LINKS // 2], *rows[-MAX_LINKS // 2 :])))
    pager = (*pager_links(page, links), *neighbours_in_json(page), *(pages_for_scripts(page) if column.paging.mode.counts else ()))
    if column.dates is None and column.paging.mode in _MAY_BE_ALONE:
        titles = {shape for url in articles if "/9/s" in (shape := url_shape(url, sections=True))}  # behind a number or a day
        to_all = (link for link in links_to_all(page, links) if url_shape(link.url, sections=True) not in titles)
        pager += tuple(islice((link for link in to_all if not _is_archive_page(link.url, portal)), 10))
    sections = _sections(context, column, refused)
    others = _others(page, articles.values(), {*sections, *pages, *(link.url for link in pager if link.is_sure)}, column, portal)
    next_url, stop = _next_url(context, column, feed), column.stop.when
    with page.budget:
        is_stopped = stop is not None and page.tree is not None and bool(stop.select(page.tree))
        pager = tuple(replace(link, url=normalise(cleaned(link.url, column.urls))) for link in pager)  # as the crawl asks for them
    is_forum = (column.kind or portal.kind) is PortalKind.FORUM  # where "57 posts" are those of threads
    of_articles = counts_of_articles(page) if feed is None and not is_forum else ()
    return ArchivePage(
        articles=tuple(articles.values()),
        written=tuple(written),
        others=frozenset() if articles else frozenset(url for _, url in links),
        refused=tuple(refused.values()),
        items=None if items is None else len(items),
        next_url=next_url,
        behind_next=next(addresses_behind(page.url, next_url), None) if feed is None and next_url is not None else None,
        sections=sections,
        last_page=_last_page(context, column),
        overfull=overfull,
        broken=page.broken,
        asks_password=any(field.get("type") == "password" for field in page.outline.named("input")),
        complete=feed is not None and feed.complete,
        names_feed=feed is not None and feed.names_feed,
        stop=stop.text if stop is not None and is_stopped else None,
        pager=pager,
        stated=(*stated_counts(page), *counts_by_pager(page), *of_articles) if feed is None else feed.stated,
        by_script=more_by_script(page, elements, is_dated=column.dates is not None) if column.paging.mode in _MAY_BE_ALONE else 0,
        lookalikes=()
        if overfull
        else _lookalikes(links, elements, articles, list(filter(is_element, items or ())), others)
        if page.tree is not None
        else _left_in_json(context, column, articles, refused, others),
        of_dates=_of_dates(page, links, column) if column.dates is not None else (),
        in_box=bool(elements) and all(any(map(is_box, (link, *link.iterancestors()))) for link in elements),
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


def _listed(page: Page, column: Column, portal: Portal) -> Iterator[tuple[str, PageNode, frozenset[Element], Fields]]:
    context = PageContext.whole(page, portal, language=column.language, base=column.base)
    items = pick_nodes(column.item, context) if column.item is not None else None
    boxes = frozenset(filter(is_element, items or ()))
    for url, fields, node in islice(_links(context, column, items), MAX_LINKS):
        listed = article_url(url, column.urls, portal) if is_http(url) else None
        if isinstance(listed, str):
            yield normalise(listed), node, boxes, fields


def _sections(context: PageContext, column: Column, refused: dict[str, RefusedLink]) -> tuple[str, ...]:
    """Where the rule `sections` leads; what leads off the portal's hosts is told as the links of articles are."""
    sections: dict[str, None] = {}
    for value in pick_links(column.sections, context, many=True).values if column.sections is not None else ():
        url = cleaned(value.text, column.urls)
        normal = normalise(url)
        if not host_allowed(url, context.portal.hosts, column.urls.hosts):
            refused.setdefault(normal, RefusedLink(url=normal, reason=OTHER_HOST))
        elif not context.page.is_at(url):
            sections[normal] = None
    return tuple(sections)


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
    return element_text(next((around for around in chain((node,), node.iterancestors()) if around in items), node))[:300]


def of_other_scheme(url: str) -> RefusedLink:
    return RefusedLink(url=url, reason=f"{OTHER_SCHEME}: {url.partition(':')[0].lower()}", is_web=False)


def _links(
    context: PageContext, column: Column, items: list[PageNode] | None, feed: Feed | None = None
) -> Iterator[tuple[str, Fields, PageNode]]:
    """Joined URLs with their listing fields and where they stand; the fields of a feed's entries are read like picked ones."""
    if feed is not None:
        for entry in feed.entries:
            picks = {TOLD_BY_FEED.get(name, name): _by_name(name) for name in entry if name != "url"} | dict(column.fields)
            yield entry["url"], _fields(picks, context.item(entry)), None
    elif column.format is ArchiveFormat.URLS:  # one a line; empty lines and comments are passed over
        for line in context.page.text.splitlines():
            url = join(context.base or context.page.base, line) if line.strip() and not line.lstrip().startswith("#") else None
            if url is not None and is_http(url):
                yield url, {}, None
    elif items is not None:
        for node in items:
            item = context.item(node)
            picked = pick_links(column.link or _FIRST_LINK, item, many=False)
            fields = _fields(column.fields, item) if picked.values else {}
            yield from ((value.text, fields, value.node) for value in picked.values)
            yield from ((url, {}, None) for url in picked.elsewhere)
    elif column.link is not None:
        picked = pick_links(column.link, context, many=True)
        for value in picked.values:
            yield value.text, _fields(column.fields, context.item(value.node)) if value.node is not None else {}, value.node
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


# --- what a wrong `item` or `link` leaves behind ---

_MOST_ALIKE = 500
"""More say nothing more."""
_FEWEST_OF_KIND = 3
_BOX_PARTS = frozenset(
    {PagePart.ADVERTISEMENT, PagePart.COMMENTS, PagePart.NAVIGATION, PagePart.NEWSLETTER, PagePart.RELATED, PagePart.SHARE}
)


def _lookalikes(
    links: Sequence[tuple[Element, str]],
    picked: Collection[Element],
    urls: Collection[str],
    items: Collection[Element],
    is_article: Callable[[str], bool],
) -> tuple[Lookalike, ...]:
    """Of a page's links those that are like the picked ones, or all of them where nothing was picked.

    `picked` are the links that the rules took, with their `urls`; `items` is what an `item` rule matched; `is_article` says whether
    the portal's `urls` rules let one in.
    """
    shapes = {url_shape(url, sections=True) for url in urls}

    @cache  # menus repeat themselves, and judging costs
    def shape_of(url: str) -> str | None:
        """None where it is like no picked one."""
        shape = url_shape(url, sections=True) if url not in urls else None
        return shape if shape is not None and (not shapes or shape in shapes) and is_article(url) else None

    holding = Counter(element for link in picked for element in (link, *link.iterancestors()))
    outermost = (next(around for around in (link, *link.iterancestors()) if holding[around.getparent()] != 1) for link in picked)  # type: ignore[index]
    listed = {item for item in (*outermost, *items) if item.getparent() is not None}
    looks = {look for item in listed for look in _looks(item)}
    # a headline leads to each article, where the rule takes "read more" that short ones lack
    led_to = Counter(place for place, _ in {(_place(link), url) for link, url in links if url in urls and link.tag == "a"})
    headlines = {place for place, articles in led_to.items() if articles > 1 and 2 * articles > len(urls)}
    by_url: dict[str, Lookalike] = {}
    for link, url in links:
        shape, before = (shape_of(url) if link.tag == "a" else None), by_url.get(url)
        if shape is None or (before is not None and before.in_list):
            continue
        around = (link, *link.iterancestors())
        in_box = any(element not in holding and is_box(element) for element in around)
        in_list = any(element not in listed and not looks.isdisjoint(_looks(element)) for element in around)
        in_list = in_list or (_place(link) in headlines and not in_box)
        if before is None or in_list or (before.in_box and not in_box):
            by_url[url] = Lookalike(url, shape, _selector(link), in_list, in_box)
        if len(by_url) >= _MOST_ALIKE:
            break
    bare = {item for item in items if not holding[item]}
    in_items = [(url, link) for link, url in links if bare and not bare.isdisjoint(link.iterancestors()) and is_article(url)]
    shapes_of = Counter(url_shape(url, sections=True) for url in {url for url, _ in in_items})
    for url, link in in_items:  # a kind of article by whose address `link` does not know it, and no advertisement between the others
        if shapes_of[shape := url_shape(url, sections=True)] >= _FEWEST_OF_KIND and shape not in shapes:
            by_url[url] = Lookalike(url, shape, _selector(link), in_list=True, in_box=True)
    return tuple(by_url.values())


def _left_in_json(
    context: PageContext, column: Column, urls: Collection[str], refused: Iterable[str], is_article: Callable[[str], bool]
) -> tuple[Lookalike, ...]:
    """Of lists of which the rules took most of their links: those that other entries have."""
    shapes, known = {url_shape(url, sections=True) for url in urls}, {*urls, *refused}
    lists, waiting = defaultdict[str, list[Any]](list), [("", context.page.json)]
    for path, value in waiting:
        if isinstance(value, Mapping):
            waiting += ((f"{path}.{name}".lstrip("."), inner) for name, inner in value.items())
        elif isinstance(value, list):
            lists[f"{path}[]"] += value
            waiting += ((f"{path}[]", entry) for entry in value)

    def links_of(entry: Any) -> Iterator[str]:
        picked = pick_links(column.link or _FIRST_LINK, context.item(entry), many=False).values
        inner = list(entry.values()) if isinstance(entry, Mapping) else [entry]
        texts = (text for value in inner for text in (value.values() if isinstance(value, Mapping) else (value,)))
        joined = (join(context.base or context.page.base, text) for text in texts if isinstance(text, str) and "/" in text)
        for url in filter(is_http, filter(None, chain((value.text for value in picked), joined))):
            listed = article_url(url, column.urls, context.portal)
            yield listed.url if isinstance(listed, RefusedLink) else normalise(listed)

    left: dict[str, Lookalike] = {}
    looked_at = 0
    for path, entries in lists.items():
        if 2 * len(entries) <= len(urls):
            continue
        looked_at += len(entries)
        if looked_at > 20_000:  # an answer may be of any length, and each entry costs
            break
        unknown = [links for links in map(list, map(links_of, entries)) if known.isdisjoint(links)]
        if 2 * (len(entries) - len(unknown)) > len(urls):
            alike = ((url, url_shape(url, sections=True)) for links in unknown for url in links if is_article(url))
            left |= {url: Lookalike(url, shape, path, in_list=True, in_box=False) for url, shape in alike if shape in shapes}
    return tuple(islice(left.values(), _MOST_ALIKE))


def _place(link: Element) -> tuple[str, Element | None]:
    """What takes such links, and the list that they stand in."""
    around = next((element for element in link.iterancestors() if (element.get("class") or "").strip()), link)
    return _selector(link), around.getparent()


def is_box(element: Element) -> bool:
    """Whether its tag or its names say that it is a menu, a sidebar or the like."""
    return element.tag in {"aside", "footer", "nav"} or sure_part(element.get("class"), element.get("id")) in _BOX_PARTS


def _looks(element: Element) -> list[tuple[Element | None, str, str]]:
    """The list that it stands in, its tag, and each of its classes."""
    return [(element.getparent(), str(element.tag), name) for name in (element.get("class") or "").split() or [""]]


def _selector(link: Element) -> str:
    """What names the link and others like it: its heading, and the nearest element around it that has a class."""
    around = next((holder for holder in link.iterancestors() if (holder.get("class") or "").strip()), None)
    within = list(takewhile(lambda holder: holder is not around, link.iterancestors()))
    headings = [str(holder.tag) for holder in within if holder.tag in HEADINGS][:1]
    return " ".join([*([_named(around)] if around is not None else []), *headings, _named(link)])


def _named(element: Element) -> str:
    classes = (element.get("class") or "").split()
    return str(element.tag) + (f".{identifier(classes[0])}" if classes else "")
