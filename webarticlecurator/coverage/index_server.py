"""How an index server is asked, page by page: Wayback's with resume keys, Common Crawl's and pywb's by numbers. What came is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from io import BytesIO
from threading import Event as Flag
from urllib.parse import quote

import orjson

from webarticlecurator.config.portal import Portal
from webarticlecurator.coverage.captures import lines_of
from webarticlecurator.databases import Database, pack, unpack
from webarticlecurator.fetch.web import Web
from webarticlecurator.http.message import header, unpacked_body
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import bare_host

TABLE = """
    CREATE TABLE IF NOT EXISTS answers (
        query TEXT, number INTEGER, following TEXT, seen BLOB, lines BLOB, PRIMARY KEY (query, number)
    )
"""
"""`following`: how the next one is asked for, NULL: this is the last; `seen`: digest of the lines."""
KEPT = "index.sqlite"
_LINES_A_PAGE = 10_000
_MOST_PAGES = 20_000
_MOST_BYTES = 64 << 20
_LEVEL = 6
_LONGEST_END = 5_000
_RESUME_KEY = re.compile(rb"\n\r?\n(\S{1,4000})\s*\Z")
"""What ends a page behind an empty line."""


def queries(server: str, portal: Portal) -> list[str]:
    """What is asked: for each host of the portal."""
    joint = "&" if "?" in server else "?"
    asked = (("domain", host[2:]) if host.startswith("*.") else ("host", host) for host in sorted(portal.asked_hosts))
    return [f"{server}{joint}url={quote(host, safe='')}&matchType={kind}" for kind, host in asked]


def lines_kept(kept: Database, query: str) -> Iterator[bytes]:
    """The lines of all pages that came."""
    for (lines,) in kept.execute("SELECT lines FROM answers WHERE query = ? ORDER BY number", (query,)):
        yield from lines_of(BytesIO(unpack(lines, KEPT)))


def ask(query: str, web: Web, kept: Database, stop: Flag, show: Callable[[str], None]) -> str | None:
    """Ask for all pages that are not kept yet. Gives why not all came; None: they did."""
    following: str | None
    pages: int | None
    asked = kept.execute("SELECT number + 1, following FROM answers WHERE query = ? ORDER BY number DESC LIMIT 1", (query,)).fetchone()
    number, following = asked or (0, "")
    if following is None:
        return None
    counted = _ask(f"{query}&output=json&showNumPages=true", query, web)
    if isinstance(counted, str):
        return counted
    try:  # Wayback answers with a number alone, and leaves out what is new where pages are asked for by theirs
        pages = int(orjson.loads(counted or b'{"pages": 0}')["pages"])
    except (ValueError, LookupError, TypeError):
        pages = None
    while following is not None:
        if stop.is_set():
            return "interrupted"
        if number >= _MOST_PAGES:
            return f"more than {_MOST_PAGES:,} pages, of which no more are asked for: get the index as a file"
        show(f"page {number + 1:,} of {query}")
        resumed = f"&limit={_LINES_A_PAGE}&showResumeKey=true{following}"
        answer = _ask(f"{query}{f'&output=json&page={number}' if pages is not None else resumed}", query, web)
        if isinstance(answer, str):
            return answer
        key = _RESUME_KEY.search(answer, max(0, len(answer) - _LONGEST_END)) if pages is None else None
        lines = answer[: key.start()] if key is not None else answer
        if pages is not None:
            following = "" if number + 1 < pages else None
        else:
            following = f"&resumeKey={quote(key[1], safe='%+')}" if key is not None else None
        seen = blake2b(lines, digest_size=16).digest()
        before = kept.execute("SELECT 1 FROM answers WHERE query = ? AND number < ? AND seen = ?", (query, number, seen))
        if before.fetchone() and (lines or following):
            return f"page {number + 1} is the same as one before, so it may have no end"
        if number == 0 and following is None and pages is None and len(lines.splitlines()) >= _LINES_A_PAGE:
            return f"it gives {_LINES_A_PAGE:,} lines and no key to ask for more: get the index as a file"
        kept.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", (query, number, following, seen, pack(lines, _LEVEL)))
        number += 1
    return None


def _ask(address: str, query: str, web: Web) -> bytes | str:
    """The body of an answer, empty where it says that there is nothing; or why there is none."""
    host = bare_host(query)
    fetched = web.fetch(Request(url=address, is_sitemap=True), may_follow=lambda url: None if bare_host(url) == host else "to another host")
    last = fetched.exchanges[-1] if fetched.exchanges else None
    body = unpacked_body(last.entity, header(last.headers, "content-encoding"), _MOST_BYTES) if last is not None else b""
    if fetched.verdict.outcome is FetchOutcome.FETCHED:
        return body
    is_nothing = fetched.verdict.outcome is FetchOutcome.GONE and body.lstrip().startswith(b"{") and b"message" in body
    return b"" if is_nothing else f"it could not be asked to the end ({fetched.verdict.reason})"
