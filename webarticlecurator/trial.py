"""What the rules of a portal make of one page: the answer of `curator try`, with nothing stored and nothing remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Literal

from webarticlecurator.budget import Budget
from webarticlecurator.config.fields import FIELDS
from webarticlecurator.config.portal import Column, PagingMode, Portal
from webarticlecurator.config.template import UrlTemplate, differences
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.crawling.paging import page_value
from webarticlecurator.crawling.planning import first_url, walks_of
from webarticlecurator.crawling.requests import archive_request
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import PatternTimeout, UsageError
from webarticlecurator.extraction.archive_remarks import archive_remarks
from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.links import identity_of, read_archive_page
from webarticlecurator.extraction.url_rules import article_id
from webarticlecurator.model.capture import PageSource, Request
from webarticlecurator.model.links import ArchivePage, ArticleLink, Fields
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.page import NoPage, Page, Wall
from webarticlecurator.report.status import Refused
from webarticlecurator.urls import host_and_port, is_http, normalise

Kind = Literal["archive", "article"]
Line = dict[str, Any]
"""One JSON object of `curator try --json`."""
_COUNTED = frozenset({PagingMode.NUMBERED, PagingMode.INFINITE, PagingMode.EXPANDING})
_DATES = 5
"""Of a column that are asked for until one has articles."""
_LONGEST_SERIES = 100_000
"""Pages of a column that are gone through to find out which one a URL is."""


def look(
    url: str,
    *,
    portal: Portal,
    source: PageSource,
    kind: Kind | None = None,
    column: str | None = None,
    listing: Fields | None = None,
    request: Request | None = None,
) -> Line:
    """What the rules make of the page at `url`. Raises UsageError where the portal cannot have such a page.

    `listing`: what archive pages said of the article, where that is known; `request`: how the page is asked for, if not plainly.
    """
    try:
        fitting = column_named(portal, column) if column is not None else fitting_column(portal, url)
    except PatternTimeout as problem:
        return {"url": url, "kind": kind or "archive", "outcome": PageOutcome.UNREADABLE.value, "reason": str(problem)}
    kind = kind or ("archive" if fitting is not None else "article")
    rules = (fitting or portal.archive or _likeliest(portal, url)) if kind == "archive" else None
    line: Line = {"url": url, "kind": kind}
    if not is_http(url):
        return {**line, "outcome": FetchOutcome.BAD_URL.value, "reason": "not a web address with http or https"}
    fetched = source.fetch(request or Request(url=url))
    if fetched.capture is None:
        return {**line, "outcome": fetched.verdict.outcome.value, "reason": fetched.verdict.reason}
    page = read_page(fetched.capture, encoding=portal.fetch.encoding, format=rules.format if rules else portal.articles.format)
    if isinstance(page, NoPage):
        outcome = FetchOutcome.BLOCKED if page.wall in (Wall.BLOCK, Wall.CAPTCHA) else page.outcome
        return {**line, "outcome": outcome.value, "reason": page.reason}
    try:
        return _archive_line(line, page, rules, portal) if rules is not None else _article_line(line, page, portal, listing)
    except PatternTimeout as problem:
        return {**line, "outcome": PageOutcome.UNREADABLE.value, "reason": str(problem)}


def look_at_heads(portal: Portal, source: PageSource, now: datetime) -> Iterator[Line]:
    """What the rules make of the page that each column's walk begins with; of dates, which may be empty, the first that is not."""
    for column in portal.columns:
        line: Line = {}
        for interval in islice(walks_of(column, portal, None, CrawlOptions(), now), _DATES):
            line = _head(column, interval, portal, source)
            if line.get("articles") or "articles" not in line:
                break
        yield {"column": column.name, **line}


def _head(column: Column, interval: Interval | None, portal: Portal, source: PageSource) -> Line:
    url, values = first_url(column, interval), {"page": page_value(column, 0) or "", "column": column.name}
    start, end = (interval.start, interval.end) if interval is not None else (None, None)
    request = archive_request(column, url, values, start=start, end=end)
    return look(url, portal=portal, source=source, kind="archive", column=column.name, request=request)


def could_read(line: Line) -> bool:
    """Whether a line tells what is on the page, not why it could not be read."""
    return "articles" in line or "metadata" in line


# --- which column ---


def column_named(portal: Portal, name: str) -> Column:
    """Raises UsageError where there is none."""
    for column in _all_columns(portal):
        if column.name == name:
            return column
    names = ", ".join(column.name for column in portal.columns) or "none"
    raise UsageError(f"The portal {portal.name} has no column {name!r}; its columns are: {names}.")


def fitting_column(portal: Portal, url: str) -> Column | None:
    """The column whose URL template makes this URL; of several the one that leaves least open. Raises PatternTimeout."""
    with Budget():
        fitting = [
            (sum(len(part) for part in template.parts if isinstance(part, str)), column)
            for column in _all_columns(portal)
            for template in column.templates
            if _match(template, url, column) is not None
        ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


@dataclass(frozen=True, slots=True)
class NearColumn:
    """A column whose URL template almost makes a URL."""

    name: str
    template: str
    differences: tuple[str, ...]
    """What the template has otherwise, in words."""


def almost_fitting(portal: Portal, url: str) -> Iterator[NearColumn]:
    """Columns that a URL was perhaps meant for."""
    for column in _all_columns(portal):
        for template in column.templates:
            own = UrlTemplate.parse(template.text.replace("{column}", column.name), language=template.language)
            told = differences(own, url)
            if told:
                yield NearColumn(column.name, own.text, told)


def _all_columns(portal: Portal) -> tuple[Column, ...]:
    return portal.columns or ((portal.archive,) if portal.archive is not None else ())


def _likeliest(portal: Portal, url: str) -> Column:
    """Where `archive` gives no defaults, the column that begins most like this URL."""
    if not portal.columns:
        raise UsageError(f"The portal {portal.name} has no archive: its file tells nothing of archive pages. Try the page --as article.")

    def likeness(column: Column) -> int:
        start = next((part for part in column.template.parts if isinstance(part, str)), "")
        return len(start) if url.startswith(start) else -1

    return max(portal.columns, key=likeness)


def _match(template: UrlTemplate, url: str, column: Column) -> dict[str, str] | None:
    for form in (url, normalise(url)):
        values = template.match(form)
        if values is not None and values.get("column", column.name) == column.name:
            return values
    return None


# --- archive pages ---


def _archive_line(line: Line, page: Page, column: Column, portal: Portal) -> Line:
    found = read_archive_page(page, column, portal)
    articles = [article for link in found.articles for article in _articles(link)]
    with page.budget:
        return {
            **line,
            "articles": articles,
            "next": _next(line["url"], found, column),
            "refused": _refused(found),
            "remarks": archive_remarks(page, found, column, portal),
        }


def _refused(found: ArchivePage) -> list[Refused]:
    """By host and reason, as `status` counts them."""
    counted = Counter((host_and_port(link.url), link.reason) for link in found.refused)
    return [Refused(host=host, reason=reason, links=links) for (host, reason), links in counted.most_common()]


def _articles(link: ArticleLink) -> Iterator[dict[str, Any]]:
    fields = {name: _plain(name, values) for name, values in link.fields.items() if name != "url"}
    yield from ({"url": spelling, **fields} for spelling in link.spellings)


def _plain(name: str, values: tuple[str, ...]) -> str | list[str]:
    """A list where the field is one (or the rule gave several), else the value itself."""
    many = len(values) > 1 or (name in FIELDS and FIELDS[name].many)
    return list(values) if many else values[0]


def _next(url: str, found: ArchivePage, column: Column) -> str | None:
    """The next page of the same column and interval."""
    if column.paging.mode is PagingMode.NEXT_LINK:
        return found.next_url
    if column.paging.mode not in _COUNTED or not found.articles:
        return None
    for template in column.templates:
        values = _match(template, url, column)
        if values is not None and "page" in values:
            following = _following(values["page"], column, found.last_page)
            form = url if template.match(url) is not None else normalise(url)
            return None if following is None else template.with_page(form, following)
    return None


def _following(value: str, column: Column, last: int | None) -> str | None:
    """The value of `{page}` after this one."""
    limit = column.paging.last if isinstance(column.paging.last, int) else last
    for index in range(_LONGEST_SERIES):
        current = page_value(column, index)
        if current is None:
            return None
        if current == value:
            following = page_value(column, index + 1)
            beyond = following is not None and limit is not None and following.isdigit() and int(following) > limit
            return None if beyond else following
    return None


# --- articles ---


def _article_line(line: Line, page: Page, portal: Portal, listing: Fields | None) -> Line:
    identity = identity_of(line["url"], portal)
    return read_article([page], portal, id=article_id(identity, portal), identity=identity, url=line["url"], listing=listing).to_dict()
