"""Signs that the portal has more articles than its columns list: links of their articles, other lists,
sitemaps, dates not asked for. A proof that a list is whole does not say that the portal has no more. Pages
that no column reads are looked at once: each is stored, and counts as nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from itertools import chain, islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Column, Dates, rules_of
from webarticlecurator.corpus.intervals import adjoining_intervals
from webarticlecurator.corpus.seen_addresses import is_unlisted
from webarticlecurator.crawling.archive import archive_page_of
from webarticlecurator.crawling.article_fetching import whole_posts
from webarticlecurator.crawling.looks import article_on, look
from webarticlecurator.crawling.other_lists import proved_columns
from webarticlecurator.crawling.requests import archive_request, article_request, place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.links import NO_PAGE, ArchivePage

_KNOWN = 200
"""Articles by which the addresses of a column are known."""
_FEWEST = 3
"""Articles of one kind of address; and addresses of that kind that nobody knows."""
_EXAMPLES = 3


def united_addresses(run: Run) -> Iterator[str]:
    """Tell that `articles.identity` makes one article of many addresses of which none is a longer form of
    another."""
    surplus, pairs = run.ledger.united(_KNOWN) if run.portal.articles.identity is not None else (0, [])
    # `/12` is the beginning of `/12/a-title`, and none of `/123`
    apart = [
        (first, last)
        for first, last in pairs
        if not last.startswith(first) or (first[-1].isalnum() and last[len(first) : len(first) + 1].isalnum())
    ]
    # portals give some articles a new headline, and an address made of it
    if surplus >= max(_FEWEST, 0.05 * sum(run.ledger.outcomes().values())) and 2 * len(apart) > len(pairs):
        number, example = amount(surplus, "address", "addresses"), " and ".join(apart[0])
        yield (
            f"`articles.identity` counts {number} as articles that others are already, such as {example}, "
            "and one of them is fetched"
        )


def spoiled_addresses(run: Run) -> Iterator[str]:
    """Tell that `urls` rules make addresses at which nothing is, of those at which the articles are."""
    for page in run.not_there:
        via = page.via or ""
        column = rules_of(run.portal, run.ledger.column_of_page(via))
        if column is None or not column.urls.may_unite:
            continue
        archive_page = run.stored(run.ledger.latest_response(Request(url=via).key))
        links = _list_on(run, archive_page, column).written
        written = next((link.written for link in links if link.url == page.url != link.written), None)
        if (
            written is not None
            and look(run, article_request(run.portal, written, page.identity, first=True)) is not None
        ):
            of = amount(
                run.summary.not_there, "article that is not there has", "articles that are not there have"
            )
            rules = "`replace` or `drop_params` under `archive: urls`"
            yield (
                f"{of} an address made by rules: {page.url} is written {written} in the list, and is there; "
                f"correct {rules}"
            )
            return


def posts_in_part(run: Run) -> Iterator[str]:
    """Tell that posts which count as whole on an index page, and are not asked for, have more text on their
    own pages."""
    blog = run.portal.posts.get(PostKind.BLOG)
    if run.portal.articles.fetch != "truncated" or blog is None or blog.more is not None:
        return
    of_hosts = run.ledger.queues("whole posts", run.number + 1).values()
    posts = [page for page in islice(chain.from_iterable(of_hosts), _EXAMPLES) if page.via is not None]
    longer = list[str]()
    for post, own in zip(posts, _read_articles(run, [post.url for post in posts], _EXAMPLES), strict=True):
        here, whole = (
            whole_posts(run, post.via or "").get(post.identity, 0),
            own.extent.characters if own is not None else 0,
        )
        if whole > 100 + 2 * here:
            longer.append(f"{post.url}: {here:,} characters on {post.via}, {whole:,} on its own page")
    if len(longer) > 1:
        told = (
            f"of {len(posts)} posts that `posts.blog` finds whole, {len(longer)} are longer on their own "
            f"pages (such as {longer[0]})"
        )
        yield (
            f"{told}; `posts.blog.more` finds what says so, and without `articles: {{fetch: truncated}}` all "
            "are asked for"
        )


def _read_articles(run: Run, urls: Iterable[str], most: int) -> list[Article | None]:
    """So many of them, as builds read them; each is asked for once, and stored."""
    requests = (
        article_request(run.portal, url, identity_of(url, run.portal), first=True)
        for url in islice(urls, most)
    )
    return [article_on(run, look(run, request)) for request in requests]


def unasked_dates(run: Run, of_dates: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Pages of dates up to today that a column does not ask for, if they have articles that no list named:
    those that its pages lead to (by its name), and those that adjoin its dates."""
    for column in proved_columns(run):
        # a `stop` is to end it somewhere
        if column.dates is not None and not (column.format.tells_links or column.stop.ends_list):
            left_out = _left_out_dates(run, column, column.dates, of_dates.get(column.name, ()))
            yield from islice(left_out, 1)


def _left_out_dates(run: Run, column: Column, dates: Dates, led_to: Collection[str]) -> Iterator[str]:
    """Tell of pages of dates that a column does not ask for and that have articles which no list named."""
    today = run.now().date()
    asked = dict[str, tuple[date, Request]]()
    for interval in adjoining_intervals(dates, today):
        place = place_at(column, interval)
        asked[place.url] = interval.start, archive_request(column, interval, place)
    others = {url: _day_of(url, column) for url in sorted(led_to) if run.ledger.column_of_page(url) is None}
    unasked = [url for url, day in others.items() if day <= today and url not in asked]
    for url in (*unasked[:3], *unasked[-3:]):
        asked[url] = others[url], Request(url=url, rendering=column.rendering)
    for url, (day, request) in asked.items():
        if unlisted := _unlisted_on(run, column, request):
            listed = (
                f"{amount(len(unlisted), 'article')} that no list named (such as "
                f"{', '.join(unlisted[:_EXAMPLES])})"
            )
            left_out = f"`dates` leave out {url}, which lists {listed}"
            yield f"column {column.name}: its {left_out}; write a `from` or an `until` that takes in {day}"


def _day_of(url: str, column: Column) -> date:
    """The day that the address of an archive page names, or the first that it may mean."""
    values = column.template.match(url) or {}
    written = [values.get(name) or "1" for name in ("year", "month", "day")]
    try:
        return date(*map(int, written))
    except ValueError:
        return date.min


def _unlisted_on(run: Run, column: Column, request: Request) -> list[str]:
    """Return what a page lists by a column's rules that no list named; it is asked for once, and stored."""
    page = _list_on(run, look(run, request), column)
    return [link.url for link in page.articles if is_unlisted(run.portal, run.ledger, link.url)]


def _list_on(run: Run, capture: Capture | None, column: Column) -> ArchivePage:
    """Return what a stored page lists by a column's rules; nothing where it cannot be read."""
    if capture is None:
        return NO_PAGE
    page = run.guarded(
        capture.url, partial(archive_page_of, capture, column, run.portal), lambda verdict: verdict
    )
    return page if isinstance(page, ArchivePage) else NO_PAGE
