"""The requests of a crawl: the addresses of archive pages, and the portal's request shapes, filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date
from email.utils import format_datetime
from typing import Any
from urllib.parse import urlencode

import orjson

from webarticlecurator.config.fetch_rules import RequestShape
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.events import ArchivePlace
from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import header
from webarticlecurator.urls import PAGE_WORD, normalise, pages_apart, sendable

_OF_NUMBER = linear(
    rf"([?&])[^?&=#]+=\{{page\}}&|[?&][^?&=#]+=\{{page\}}$|(?:/{PAGE_WORD})?/[^/?&=#]*\{{page\}}[^/?#]*",
    re.IGNORECASE,
)
"""The parameter or the folder with the number, with the folder "page" around it.

Its group is the mark before a parameter that others follow.
"""


def page_url(column: Column, interval: Interval | None, page: str) -> str:
    """The URL of one archive page."""
    start, end = _days_of(interval)
    template = column.template.of_page(page)
    return sendable(template.fill({"page": page, "column": column.name}, start=start, end=end))


def _days_of(interval: Interval | None) -> tuple[date | None, date | None]:
    """Return the first day of an interval, and the day after it."""
    return (interval.start, interval.end) if interval is not None else (None, None)


def without_page(column: Column) -> str | None:
    """The address of a column's pages without their number, and without what only stands for it; None where
    the address has none."""
    bare = _bare(column.template.text)
    is_other = bare != column.template.text and "{page}" not in bare
    return normalise(UrlTemplate.parse(bare).fill({"column": column.name})) if is_other else None


def _bare(template: str) -> str:
    return _OF_NUMBER.sub(r"\1", template)


def pages_before(url: str, following: str) -> list[str]:
    """Where a list may begin, if the page that leads to the following one is its second: by the number
    before, and without any."""
    here, below = pages_apart(url, following) or (0, 0)
    step = below - here
    if step < 1 or here != max(step, 2):
        return []
    for number in linear(rf"(?<!\d){here}(?!\d)").finditer(url):
        template = f"{url[: number.start()]}{{page}}{url[number.end() :]}"
        if template.replace("{page}", str(below)) == following:
            return [template.replace("{page}", str(here - step)), _bare(template)]
    return []


def is_page(column: Column, interval: Interval | None, url: str) -> bool | None:
    """Say whether a normalised URL is an archive page of this column and interval; False: of another
    interval; None: of neither."""
    values = column.template.match(url)
    if values is None:
        return None
    return normalise(page_url(column, interval, values.get("page", ""))) == url


def place_at(column: Column, interval: Interval | None, index: int = 0) -> ArchivePlace:
    """The archive page with that number in its walk, where pages are counted; else the first."""
    value = column.paging.value_at(index) or ""
    return ArchivePlace(index, "" if "://" in value else value, page_url(column, interval, value))


def archive_request(column: Column, interval: Interval | None, place: ArchivePlace) -> Request:
    """The request for one archive page of a walk; its form or JSON may hold the placeholders of the URL."""
    start, end = _days_of(interval)
    asked = _shaped(column.request, place.url, {"page": place.page, "column": column.name}, start, end)
    step = place.index if column.paging.mode.in_steps else 0
    return replace(
        asked, is_sitemap=column.format is ArchiveFormat.SITEMAP, rendering=column.rendering, step=step
    )


def article_request(portal: Portal, url: str, identity: str, *, first: bool) -> Request:
    """The request for one page of an article; `articles.make_url` says where the first page is asked for,
    made of the identity."""
    rules = portal.articles
    asked = (
        sendable(rules.make_url.fill({"value": identity})) if first and rules.make_url is not None else url
    )
    return replace(_shaped(rules.request, asked, {"value": identity}, None, None), rendering=rules.rendering)


def conditional(request: Request, older: Capture) -> Request:
    """Return the request, to be answered only if the page has changed since."""
    headers = [("If-None-Match", etag)] if (etag := header(older.headers, "etag")) else []
    changed = header(older.headers, "last-modified") or format_datetime(
        older.date.astimezone(UTC), usegmt=True
    )
    headers.append(("If-Modified-Since", changed))
    return replace(request, headers=(*request.headers, *headers))


def _shaped(
    shape: RequestShape, url: str, values: Mapping[str, str], start: date | None, end: date | None
) -> Request:
    def fill(value: Any) -> Any:
        if isinstance(value, UrlTemplate):
            return value.fill(values, start=start, end=end)
        if isinstance(value, Mapping):
            return {name: fill(part) for name, part in value.items()}
        return [fill(part) for part in value] if isinstance(value, (list, tuple)) else value

    headers = tuple(sorted(fill(shape.headers).items()))
    if shape.form is not None:
        body, kind = urlencode(fill(shape.form)).encode(), "application/x-www-form-urlencoded"
    elif shape.json is not None:
        body, kind = orjson.dumps(fill(shape.json)), "application/json"
    else:
        return Request(url=url, method=shape.method, headers=headers)
    return Request(url=url, method=shape.method, body=body, headers=(("Content-Type", kind), *headers))
