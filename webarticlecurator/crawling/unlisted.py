"""Whether the portal has more articles than its columns list: what their articles lead to, lists in its menu, dates beside those asked for.

What says that a list is whole does not say that the portal has no more. Pages that no column reads are looked at once: each is stored, and
counts as nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.corpus.events import LookedAtEvent
from webarticlecurator.crawling.article_fetching import page_of
from webarticlecurator.crawling.requests import archive_request, place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.archive_page import article_urls, links_of_menus
from webarticlecurator.extraction.article_pages import linked_from
from webarticlecurator.extraction.url_rules import article_url, identity_of, url_shape
from webarticlecurator.labelling.names import link_kind
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import bare_host, normalise, split_path
from webarticlecurator.warc.store import Series

_SAMPLE, _SAMPLES = 5, 50
"""Articles at either end of what a column listed, where the neighbours of those that are missing may be; and at one end of all columns."""
_KNOWN = 200
"""Articles by which the addresses of a column are known."""
_FEWEST = 3
"""Articles of one kind of address; and addresses of that kind that nobody knows."""
_EXAMPLES = 3
_MOST_LOOKS = 8
"""Lists in menus that are looked at."""


def unlisted_articles(run: Run, columns: Sequence[Column]) -> Iterator[str]:
    """Of each column that is proved, what its articles lead to and no archive page named."""
    for column in columns:
        if column.section_of is None and column.rules in run.ledger.proved(column.name):
            listed = run.ledger.listed_by(column.name, _KNOWN)
            shapes = Counter(url_shape(url, sections=True) for url in listed)
            usual = {shape for shape, articles in shapes.items() if articles >= _FEWEST}
            # a number and a title in an address tell an article of any section from what else a menu leads to
            without_sections = {url_shape(url, sections=False) for url in listed}
            anywhere = {shape for shape in without_sections if {"9", "s"} <= set(re.split(r"[/.]", shape))}
            sample = max(1, min(_SAMPLE, _SAMPLES // len(columns)))
            articles = dict.fromkeys(url for last in (False, True) for url in run.ledger.listed_by(column.name, sample, last=last))
            stored = (answer for url in articles for answer in run.ledger.first_pages_of(url)[:1])
            pages = list(filter(None, (_page(run, run.stored(answer)) for answer in stored)))
            linked = Counter(url for page in pages for url in linked_from(page))
            # what most of them have in common is the portal's menu
            few = {url for url, times in linked.items() if 2 * times <= max(2, len(pages))}
            alike = (url for url in few if url_shape(url, sections=True) in usual)
            others = (url for url in linked if url_shape(url, sections=True) not in shapes)
            elsewhere = (url for url in others if url_shape(url, sections=False) in anywhere)
            for urls, where in ((alike, ""), (elsewhere, " in other sections")):
                unlisted = [url for url in urls if _is_unknown(run, column, url)]
                if len(unlisted) >= _FEWEST:
                    addresses = amount(len(unlisted), "address like theirs", "addresses like theirs")
                    yield (
                        f"column {column.name}: pages of its articles lead to {addresses}{where} that no list named (such as"
                        f" {', '.join(unlisted[:_EXAMPLES])}); if these are articles, its pages do not list all"
                    )


def _is_unknown(run: Run, column: Column, url: str) -> bool:
    """Whether it may be an article's, and no crawl has met it."""
    listed = run.guarded(url, lambda: article_url(url, column.urls, run.portal), lambda _: None)
    if not isinstance(listed, str) or link_kind(url) is not None:
        return False
    url = normalise(listed)
    return not run.ledger.knows(url, identity_of(url, run.portal)) and run.ledger.column_of_page(url) is None


def unread_lists(run: Run, columns: Sequence[Column]) -> Iterator[str]:
    """Lists beside those that are read, in the menu of a column's first page, which have articles that no list named."""
    looked_at: set[str] = set()
    for column in columns:
        if column.format is not ArchiveFormat.HTML or column.section_of is not None or column.dates is not None:
            continue
        first = place_at(column, None).url
        response = run.ledger.latest_response(archive_request(column, None, place_at(column, None)).key)
        page = _page(run, run.stored(response)) if response is not None else None
        menu = dict.fromkeys(links_of_menus(page)) if page is not None else ()
        beside = [url for url in menu if _depth(url) == _depth(first) and bare_host(url) == bare_host(first)]
        for url in beside:
            if len(looked_at) >= _MOST_LOOKS:
                return
            is_read = run.ledger.column_of_page(url) is not None or run.ledger.is_there(url) or normalise(url) == normalise(run.portal.home)
            if url not in looked_at and not is_read:
                looked_at.add(url)
                if len(unlisted := unlisted_on(run, column, url)) >= _FEWEST:
                    yield (
                        f"the menu leads to {url}, which lists {amount(len(unlisted), 'article')} that no column lists (such as"
                        f" {', '.join(unlisted[:_EXAMPLES])}); a column reads them, `exclude` under `archive: urls` says that they are none"
                    )


def unasked_dates(run: Run, of_dates: Iterable[tuple[Column, Collection[str]]]) -> Iterator[str]:
    """Pages of dates up to today that those of a column lead to and that it does not ask for, if they have articles that no list named."""
    today = run.environment.now().date()
    for column, urls in of_dates:
        if column.stop.at_url is not None or column.stop.after is not None:
            continue  # it is to end somewhere
        unasked = [url for url in sorted(urls) if run.ledger.column_of_page(url) is None and _day_of(url, column) <= today]
        for url in dict.fromkeys((*unasked[:1], *unasked[-1:])):
            if unlisted := unlisted_on(run, column, url):
                yield (
                    f"column {column.name}: its pages lead to {url}, which `dates` leaves out, and there {amount(len(unlisted), 'article')}"
                    f" can be found that no list named (such as {unlisted[0]}): it begins too late, ends too early or steps too far"
                )
                break


def _day_of(url: str, column: Column) -> date:
    """The day that the address of an archive page names, or the first that it may mean."""
    values = next(filter(None, (template.match(url) for template in column.templates)), {})
    written = [values.get(name) or "1" for name in ("year", "month", "day")]
    try:
        return date(*map(int, written))
    except ValueError:
        return date.min


def unlisted_on(run: Run, column: Column, url: str) -> list[str]:
    """What a page lists, by the rules of a column, that no list named; it is asked for once, and stored."""
    request = Request(url=url, rendering=column.rendering)
    answers = run.ledger.answers(request.key)
    if answers:
        capture = run.stored(answers[0]) if answers[0].status == 200 else None
    elif run.options.offline:
        return []
    else:
        fetched = run.environment.source.fetch(request)
        if fetched.verdict.outcome is FetchOutcome.QUEUED:
            return []  # interrupted
        outcome, reason, capture = fetched.verdict.outcome, fetched.verdict.reason, fetched.capture
        event = LookedAtEvent(url=url, request=request.key, outcome=outcome, reason=reason, **run.recorder.stamp())
        run.recorder.write_fetched(Series.ARCHIVE, fetched, event)
    page = _page(run, capture) if capture is not None else None
    if page is None:
        return []
    shapes = {url_shape(known, sections=False) for known in run.ledger.listed_by(column.name, _KNOWN)}
    listed = run.guarded(url, lambda: article_urls(page, column, run.portal), lambda _: ())
    return [one for one in listed if url_shape(one, sections=False) in shapes and _is_unknown(run, column, one)]


def _page(run: Run, capture: Capture) -> Page | None:
    """None: it is no page that can be read."""
    page = run.guarded(capture.url, lambda: page_of(capture, run.portal), lambda verdict: NoPage(verdict.reason))
    return page if isinstance(page, Page) else None


def _depth(url: str) -> int:
    return split_path(url)[0].strip("/").count("/")
