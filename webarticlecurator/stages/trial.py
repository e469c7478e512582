"""Try the rules of a portal on one page: the answer of `curator try`, with nothing stored and nothing
remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, pairwise, takewhile
from typing import Any

from webarticlecurator.amounts import agreeing, amount, text_if, those_that_hold
from webarticlecurator.budget import one_page
from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.portal import (
    ArchiveFormat,
    Column,
    PagingMode,
    Portal,
    column_named,
    fitting_column,
    likeliest_column,
    values_in,
)
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.archive_page import read_archive_page
from webarticlecurator.extraction.article_reader import read_article, read_index_post
from webarticlecurator.extraction.index_posts import read_index_page
from webarticlecurator.extraction.pager_signs import routes
from webarticlecurator.extraction.picked_values import (
    TEXT,
    PageContext,
    is_element,
    pick_nodes,
    pick_values,
    unread_date,
)
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.model.capture import Capture, PageKind, PageSource, Rendering, Request
from webarticlecurator.model.links import (
    BEHIND_HASH,
    IN_HEAD,
    NO_FIELDS,
    ArchivePage,
    Fields,
    LinkPlace,
    Lookalike,
    PagerLink,
    Refused,
    by_script_in_words,
    would_take,
)
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.page import NoPage, Page, Wall, relations
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import host_and_port, is_http, normalise, pages_apart

Line = dict[str, Any]
"""A JSON object of `curator try --json`."""
_ONLY_NEXT = "it must match only the link to the next page"
_BEGINNING = 60
_MOST_DATES = 5
"""Dates of a column that are looked at."""


def look(
    url: str,
    *,
    portal: Portal,
    source: PageSource,
    kind: PageKind | None = None,
    column: str | None = None,
    listing: Fields = NO_FIELDS,
    request: Request | None = None,
    rendering: Rendering | None = None,
) -> Line:
    """Return what the rules make of the page at `url`. Raises UsageError where the portal cannot have such a
    page.

    `listing`: what archive pages said of the article, where that is known; `request`: how the page is asked
    for, if not plainly; `rendering`: how a browser shows it where the rules do not say so.
    """
    line: Line = {"url": url, "kind": kind or "archive"}
    try:
        fitting = column_named(portal, column) if column is not None else fitting_column(portal, url)
        line["kind"] = kind or ("archive" if fitting is not None else "article")
        rules = None
        if line["kind"] == "archive":
            rules = fitting if fitting is not None else _likeliest_rules(url, portal)
            if fitting is None and len(portal.columns) > 1:
                line["guessed"] = rules.name
        if not is_http(url):
            return _unread(line, FetchOutcome.BAD_URL, "not a web address with http or https")
        fetched = source.fetch(_asked(request or Request(url=url), rules, portal, rendering))
        if fetched.capture is None:
            return _unread(line, fetched.verdict.outcome, fetched.verdict.reason)
        if fetched.rendered is not None:
            from webarticlecurator.learning.site.scripts_needed import in_browser

            shown = in_browser(fetched)
            if shown is not None:  # beside what was sent
                line["in_browser"] = shown
        return _read(line, fetched.capture, rules, portal, listing)
    except PatternTimeout as problem:
        return _unread(line, PageOutcome.UNREADABLE, str(problem))


def _likeliest_rules(url: str, portal: Portal) -> Column:
    """Return what all columns inherit; of ways, which have rules of their own, the likeliest."""
    has_ways = any(column.ways for column in portal.columns)
    return likeliest_column(portal, url) if portal.archive is None or has_ways else portal.archive


def _asked(request: Request, rules: Column | None, portal: Portal, rendering: Rendering | None) -> Request:
    """Return how a page of the archive (or an article) is asked for."""
    if rules is not None and rules.format is ArchiveFormat.SITEMAP:
        return replace(request, is_sitemap=True, rendering=rules.rendering)
    by_rules = rules.rendering if rules is not None else portal.articles.rendering
    return replace(request, is_sitemap=False, rendering=by_rules or rendering)


def _read(line: Line, capture: Capture, rules: Column | None, portal: Portal, listing: Fields) -> Line:
    """Read a page of the archive by the rules of its column, any other one as an article."""
    if rules is not None and rules.format is ArchiveFormat.SITEMAP:
        return _sitemap_line(line, read_sitemap(capture, rules, portal))
    page = read_page(
        capture,
        encoding=portal.fetch.encoding,
        format=rules.format if rules is not None else portal.articles.format,
    )
    if isinstance(page, NoPage):
        return _unread(
            line,
            FetchOutcome.BLOCKED if page.wall in (Wall.BLOCK, Wall.CAPTCHA) else page.outcome,
            page.reason,
        )
    with one_page():
        return (
            _archive_line(line, page, rules, portal)
            if rules is not None
            else _article_line(line, page, portal, listing)
        )


def _unread(line: Line, outcome: FetchOutcome | PageOutcome, reason: str) -> Line:
    return {**line, "outcome": outcome.value, "reason": reason}


def look_at_heads(
    portal: Portal, source: PageSource, now: datetime, *, dates: int = _MOST_DATES
) -> Iterator[Line]:
    """Give what the rules make of the page that each column's walk begins with; of dates, which may be empty,
    the first that is not; of several ways to the same articles, up to the first that gives some."""
    from webarticlecurator.crawling.column_walks import intervals_to_walk
    from webarticlecurator.crawling.crawl_options import CrawlOptions
    from webarticlecurator.crawling.requests import archive_request, place_at

    done: tuple[str, ...] = ()
    for column in portal.columns:
        if column.name in done:
            continue
        line = _unread(
            {"url": column.template.text}, FetchOutcome.QUEUED, "no interval of its `dates` has begun yet"
        )
        for interval in islice(intervals_to_walk(column, portal, None, CrawlOptions(), now), dates):
            place = place_at(column, interval)
            request = archive_request(column, interval, place)
            line = look(
                place.url, portal=portal, source=source, kind="archive", column=column.name, request=request
            )
            if line.get("articles") or "articles" not in line:
                break
        done = (*done, *(column.following_ways if is_well(line) else ()))
        yield {"column": column.name, **line}


def is_well(line: Line) -> bool:
    """True if the rules find articles on an archive page, or what leads to them, and nothing odd."""
    return any(line.get(kind) for kind in ("articles", "sections", "sitemaps")) and not line["remarks"]


def _archive_line(line: Line, page: Page, column: Column, portal: Portal) -> Line:
    archive_page = read_archive_page(page, column, portal)
    posts: Line = {}
    with page.budget:
        if (
            portal.reads_index_pages and page.tree is not None
        ):  # where the rules find whole posts on archive pages: each in a line
            found = read_index_page(page, portal, column).posts
            posts = {
                "posts": [
                    {"url": post.url, "characters": post.characters, "whole": post.whole} for post in found
                ]
            }
        return {
            **line,
            "articles": _articles(archive_page),
            "next": next_page(line["url"], archive_page, column),
            **({"grows": column.paging.mode.value} if column.paging.mode.in_steps else {}),
            **posts,
            **({"sections": list(archive_page.sections)} if column.sections is not None else {}),
            "refused": _refused(archive_page),
            "remarks": _archive_remarks(page, archive_page, column, portal),
        }


def _sitemap_line(line: Line, archive_page: ArchivePage | NoPage) -> Line:
    if isinstance(archive_page, NoPage):
        return _unread(line, archive_page.outcome, archive_page.reason)
    unread = (
        f"{amount(archive_page.unread_dates, 'date')} of the sitemap could not be read, such as "
        f"{archive_page.unread_date!r}"
    )
    remarks = those_that_hold(
        (archive_page.broken, str(archive_page.broken)),
        (archive_page.overfull, "only its beginning is read"),
        (
            archive_page.unread_dates,
            unread,
        ),  # without its date an article that has changed is not asked for again
    )
    return {
        **line,
        "articles": _articles(archive_page),
        "next": None,
        "sitemaps": [{"url": sitemap.url, "lastmod": sitemap.lastmod} for sitemap in archive_page.sitemaps],
        "refused": _refused(archive_page),
        "remarks": remarks,
    }


def _refused(archive_page: ArchivePage) -> list[Refused]:
    """Return the refused links by host and reason, as `status` counts them."""
    counted = Counter((host_and_port(link.url), link.reason) for link in archive_page.refused)
    examples = {(host_and_port(link.url), link.reason): link.url for link in reversed(archive_page.refused)}
    return [
        Refused(host=alike[0], reason=alike[1], links=links, example=examples[alike])
        for alike, links in counted.most_common()
    ]


def _articles(archive_page: ArchivePage) -> list[Line]:
    articles: list[Line] = []
    for link in archive_page.articles:
        fields: Line = {}
        for name, values in link.fields.items():
            if (
                name != "url"
            ):  # a list where the field is one (or the rule gave several), else the value itself
                is_list = len(values) > 1 or FIELDS.get(name, TEXT).many
                fields[name] = list(values) if is_list else values[0]
        articles += ({"url": spelling, **fields} for spelling in link.spellings)
    return articles


def next_page(url: str, archive_page: ArchivePage, column: Column) -> str | None:
    """The next page of the same column and interval, by what was read of the page at `url`."""
    if column.paging.mode is PagingMode.NEXT_LINK:
        return archive_page.next_url
    if not column.paging.mode.counts or not archive_page.articles:
        return None
    template, values = column.template, values_in(url, column) or {}
    following = _number_after(values.get("page", ""), archive_page, column)
    if following is None:
        return None
    return template.with_page(url if template.match(url) is not None else normalise(url), following)


def _number_after(number: str, archive_page: ArchivePage, column: Column) -> str | None:
    """Return the number of the page after this one, unless it is the last."""
    counted = takewhile(
        lambda value: value is not None, (column.paging.value_at(index) for index in range(100_000))
    )
    following = next((after for current, after in pairwise(counted) if current == number), None)
    limit = column.paging.last if isinstance(column.paging.last, int) else archive_page.last_page
    if following is not None and limit is not None and following.isdigit() and int(following) > limit:
        return None
    return following


def _article_line(line: Line, page: Page, portal: Portal, listing: Fields) -> Line:
    index = read_index_page(page, portal) if portal.reads_index_pages else None
    if (
        index is not None and index.is_index
    ):  # each of its posts as the article that it is; where it has no address, as what it would be
        number = f"{len(index.by_identity)} {agreeing(len(index.by_identity), 'article', 'articles')}"
        reason = (
            f"an index page of {number}, which the build reads from it where their own page does not give "
            "them"
        )
        posts = [(post, read_index_post(index, post, id=post.identity or "")) for post in index.posts]
        shown = [{**read.to_dict(), "url": post.url, "flags": list(read.flags)} for post, read in posts]
        return {**line, "outcome": PageOutcome.LISTING.value, "reason": reason, "posts": shown}
    read = read_article([page], portal, url=line["url"], listing=listing)
    return read.to_dict() | {name: line[name] for name in ("in_browser",) if name in line}


# --- what a person should know of one archive page and the rules that read it ---


def _archive_remarks(page: Page, archive_page: ArchivePage, column: Column, portal: Portal) -> list[str]:
    """Sentences, none where all is well. Raises PatternTimeout."""
    context = PageContext.whole(page, portal, language=column.language, base=column.base)
    return [
        *_of_feed(archive_page),
        *_of_routes(page, archive_page, column),
        *_of_items(archive_page, column, context),
        *_of_dates(column, context),
        *_of_next(column, context),
        *_of_pager(archive_page, column),
        *_of_lookalikes(archive_page),
    ]


def _of_feed(archive_page: ArchivePage) -> list[str]:
    return those_that_hold(
        (archive_page.broken, f"a part of the feed could not be read: {archive_page.broken}"),
        (
            archive_page.names_feed,
            f"the page is no feed, and names the one at {archive_page.next_url}, to which the walk goes on",
        ),
    )


def _of_routes(page: Page, archive_page: ArchivePage, column: Column) -> Iterator[str]:
    """Tell of links that only scripts follow, where something is lacking."""
    lacks_next = column.next is not None and archive_page.next_url is None
    behind = routes(page) if lacks_next or not archive_page.articles else []
    if behind:
        leads = agreeing(len(behind), "leads", "lead")
        yield f"{amount(len(behind), 'link')}, such as {behind[0][:_BEGINNING]!r}, {leads} {BEHIND_HASH}"


def _of_dates(column: Column, context: PageContext) -> Iterator[str]:
    """Tell where a pick of dates points at texts of which its patterns read none."""
    items = [context.item(node) for node in pick_nodes(column.item, context)]
    for name, picks in column.fields.items():
        unread = [texts for item in items if (texts := unread_date(picks, item)) is not None]
        if unread:
            text, patterns = unread[0]
            few = f"{len(unread)} of {amount(len(items), 'item')}"
            no_day = "; an age in months or years names no day, and nothing is lost"
            of_ages = text_if("`auto`" in patterns, no_day)
            yield (
                f"`fields.{name}`: {patterns} reads no date in {few}, such as {text[:_BEGINNING]!r}{of_ages}"
            )


def _of_lookalikes(archive_page: ArchivePage) -> Iterator[str]:
    """Tell of links that look like articles; of those in boxes beside a crawl knows in the end whether other
    pages list them."""
    listed = [link for link in archive_page.lookalikes if link.place >= LinkPlace.LEFT_ITEM]
    if listed:
        yield _sentence_on(listed, "in the same list")
        return
    loose = [link for link in archive_page.lookalikes if link.place is LinkPlace.ELSEWHERE]
    if loose and archive_page.in_box and 3 * len(loose) >= len(archive_page.articles):
        yield _sentence_on(loose, "that stand in no box beside, as the picked ones do,")


def _of_items(archive_page: ArchivePage, column: Column, context: PageContext) -> Iterator[str]:
    link = f"`link` ({column.link.named})" if column.link is not None else ""
    lists_boards = archive_page.sections and not archive_page.items  # such a page need not list threads
    if archive_page.articles or archive_page.refused or lists_boards:
        return
    if column.item is not None and archive_page.items:
        first = pick_nodes(column.item, context)[0]
        text = squeeze(element_text(first))[:_BEGINNING] if is_element(first) else ""
        what = f"{link} finds nothing in them" if link else "none of them has a link"
        yield (
            f"`item` ({column.item.named}) matches {amount(archive_page.items, 'time')}, but {what}; the "
            f"first begins: {text!r}"
        )
    elif column.item is not None:
        alone = len(pick_nodes(column.link, context))
        beside = text_if(alone, f", while {link} alone matches {amount(alone, 'time')} on the page")
        yield f"`item` ({column.item.named}) matches nothing on this page{beside}"
    elif link:
        yield f"{link} matches nothing that can be followed on this page"


def _of_next(column: Column, context: PageContext) -> Iterator[str]:
    if column.next is None or column.paging.mode is not PagingMode.NEXT_LINK:
        return
    first = next(iter(pick_values(column.next, context, Field(Holds.URL)).values), None)
    if first is None:
        return
    rule, url = f"`next` ({column.next.named})", first.text
    backwards = (
        {"first", "prev", "previous"}.intersection(relations(first.node)) if is_element(first.node) else ()
    )
    if context.page.is_at(column.template.text):
        backwards = ()  # on some sites "previous" leads from the first page to the older ones
    apart = pages_apart(normalise(context.page.url), normalise(url))
    if context.page.is_at(url):
        yield f"{rule} matches a link to the page itself first; {_ONLY_NEXT}"
    elif backwards:
        yield f"{rule} matches a link with rel={min(backwards)}, {url}; {_ONLY_NEXT}"
    elif apart is not None and apart[1] < apart[0]:
        yield f"{rule} leads from page {apart[0]} back to page {apart[1]}, {url}; {_ONLY_NEXT}"


def _of_pager(archive_page: ArchivePage, column: Column) -> Iterator[str]:
    paging = column.paging
    if archive_page.next_url is not None or paging.mode not in (PagingMode.NONE, PagingMode.NEXT_LINK):
        return
    if paging.mode is PagingMode.NONE and paging.stated:
        return
    link = _link_onward(archive_page.pager)
    if link is not None and (link.text != IN_HEAD or paging.mode is PagingMode.NONE):
        yield (
            f"the page has a pager that no rule follows: the link {link.text!r} leads to {link.url}; give "
            f"`next` (or `{{page}}` in the"
            " URL), or say `pages: none` if it is not to be followed"
        )
    if archive_page.by_script:
        yield by_script_in_words(archive_page.by_script)
    listed = len(archive_page.articles) + len(archive_page.refused)
    for stated in archive_page.stated:
        if (stated.here or stated.total) < stated.total or (stated.items and listed < stated.total):
            yield f"the page says {stated.text!r}, and no rule leads on"


def _link_onward(pager: Sequence[PagerLink]) -> PagerLink | None:
    """Return the first link of a pager that does not lead back."""
    for link in pager:
        if link.numbers is None or link.numbers[1] > link.numbers[0]:
            return link
    return None


def _sentence_on(links: Sequence[Lookalike], where: str) -> str:
    look_alike = amount(
        len(links),
        f"link {where} looks like the articles and is",
        f"links {where} look like the articles and are",
    )
    examples = ", ".join(link.url for link in links[:3])
    return f"{look_alike} not taken, such as {examples}; {would_take([link.selector for link in links])}"
