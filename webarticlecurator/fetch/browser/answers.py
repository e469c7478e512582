"""A request of a page as our own client makes it, and its exchange as the browser is told of it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from webarticlecurator.http.codings import codings_of, unpack
from webarticlecurator.http.message import joined
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.urls import without_fragment

if TYPE_CHECKING:
    from playwright.async_api import Request as PageRequest
    from playwright.async_api import Route

_MOST_UNPACKED = 64_000_000
_NOT_PASSED_ON = frozenset(
    {
        *("host", "connection", "content-length", "transfer-encoding", "cookie", "user-agent", "accept-encoding", "accept-language"),
        *("upgrade-insecure-requests", "dnt", "te", "range", "if-range", "priority", "purpose", "cache-control", "pragma"),
    }
)
"""Headers of the browser's that are ours to set, or say what we are not."""
_NOT_FOR_THE_BROWSER = frozenset(
    {
        *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "alt-svc", "content-disposition"),
        *("strict-transport-security", "report-to", "reporting-endpoints", "nel", "clear-site-data", "set-cookie", "link"),
    }
)
"""Headers of an answer that speak of how it crossed the wire, or would have the browser ask for things by itself."""


def request_of(asked: PageRequest) -> Request:
    """The request that a page makes; cookies, our name and the portal's own headers are added by the client."""
    passed = ((name, value) for name, value in asked.headers.items() if not name.startswith(("sec-", "proxy-", ":")))
    headers = tuple((name.title(), value) for name, value in passed if name.lower() not in _NOT_PASSED_ON)
    return Request(url=without_fragment(asked.url), method=asked.method, body=asked.post_data_buffer, headers=headers)


async def answer_of(route: Route, exchange: Exchange, *, encoding: str | None = None) -> None:
    """Hand an exchange on to the page. `encoding`: what the portal file says that documents are written in."""
    codings = codings_of(joined(exchange.headers, "content-encoding"))
    body = unpack(exchange.entity, codings, _MOST_UNPACKED, keep=True).data if codings else exchange.entity
    headers: dict[str, str] = {}
    for name, value in exchange.headers:
        lowered = name.lower()
        if lowered not in _NOT_FOR_THE_BROWSER:
            headers[lowered] = f"{headers[lowered]}, {value}" if lowered in headers else value
    cookies = [value for name, value in exchange.headers if name.lower() == "set-cookie"]
    if cookies:
        headers["set-cookie"] = "\n".join(cookies)
    if encoding is not None:
        headers["content-type"] = f"{headers.get('content-type', 'text/html').partition(';')[0]}; charset={encoding}"
    await route.fulfill(status=exchange.status or 200, headers=headers, body=body)


async def moved_answer(route: Route, url: str) -> None:
    """An answer to what was redirected: the browser asks for the URL that the redirects led to, and that is there already."""
    page = f'<!DOCTYPE html><meta http-equiv="refresh" content="0;url={html.escape(url)}">'
    await route.fulfill(status=200, headers={"content-type": "text/html; charset=utf-8", "referrer-policy": "no-referrer"}, body=page)
