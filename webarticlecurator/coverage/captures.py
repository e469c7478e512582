"""How a web archive gives a capture: raw from its replay, or as a range of a WARC file; and as what it is taken into a corpus."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from webarticlecurator.coverage.index_lines import IndexLine
from webarticlecurator.fetch.web import Web
from webarticlecurator.http.message import unpack
from webarticlecurator.model.capture import Exchange, Fetched, Headers, Request, capture_of
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import any_spelling, host_and_port, normalise
from webarticlecurator.warc.exchanges import WarcExchange, to_exchange
from webarticlecurator.warc.records import MAX_BLOCK, record_of

WAYBACK, COMMON_CRAWL = "https://web.archive.org/web/", "https://data.commoncrawl.org/"
_IN_WARC = "crawl-data/"
"""How file names of Common Crawl begin, which anybody may read by ranges."""
_PLACE = re.compile(r"\d{1,12}", re.ASCII)
_REPLAYED = re.compile(r"/(\d{14})id_/(https?:.+)")
_ORIGINAL = "x-archive-orig-"
_OF_THE_WIRE = ("connection", "content-encoding", "content-length", "content-type", "keep-alive", "transfer-encoding")
_ANOTHER = "the archive gave another page"


def address_of(line: IndexLine, replay: str | None) -> str:
    """Where the capture is asked for."""
    if line.filename.startswith(_IN_WARC):
        return f"{replay or COMMON_CRAWL}{line.filename}"
    return f"{replay or WAYBACK}{line.moment:%Y%m%d%H%M%S}id_/{line.url}"


def capture(line: IndexLine, url: str, web: Web, replay: str | None) -> WarcExchange | str:
    """The page, as if the portal had given it to this address that day; or why there is none."""
    request = Request(url=address_of(line, replay))
    host = host_and_port(request.url)

    def may_follow(target: str) -> str | None:
        return None if host_and_port(target) == host else "to another host"

    if not line.filename.startswith(_IN_WARC):
        return _replayed(web.fetch(request, may_follow=may_follow), line, url)
    if not (_PLACE.fullmatch(line.offset) and _PLACE.fullmatch(line.length)):
        return "the index does not say where in its file the capture lies"
    begin = int(line.offset)
    part = ("Range", f"bytes={begin}-{begin + int(line.length) - 1}")
    return _from_warc(web.fetch(replace(request, headers=(part,), is_sitemap=True), may_follow=may_follow), line, url)


def _replayed(fetched: Fetched, line: IndexLine, url: str) -> WarcExchange | str:
    if fetched.verdict.outcome is not FetchOutcome.FETCHED:
        return f"the archive did not give it ({fetched.verdict.reason})"
    last = fetched.exchanges[-1]
    shown = _REPLAYED.search(last.request.url)
    if shown is None or _differ(shown[2], line.url):
        return _ANOTHER
    try:
        moment = datetime.fromisoformat(f"{shown[1][:8]}T{shown[1][8:]}+00:00")  # it may have led to the next capture
    except ValueError:
        return _ANOTHER
    given = {name.lower(): value for name, value in last.headers}
    original = [
        (name[len(_ORIGINAL) :], value)
        for name, value in last.headers
        if name.lower().startswith(_ORIGINAL) and name.lower()[len(_ORIGINAL) :] not in _OF_THE_WIRE
    ]
    kind = given.get(f"{_ORIGINAL}content-type", given.get("content-type", ""))
    packed = [("Content-Encoding", given["content-encoding"])] if "content-encoding" in given else []
    headers: Headers = (("Content-Type", kind), *original, *packed, ("Content-Length", str(len(last.entity))))
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    exchange = Exchange(
        request=Request(url=url),
        request_bytes=b"",
        response_bytes=f"HTTP/1.1 200 OK\r\n{head}\r\n".encode("latin-1", "replace") + last.entity,
        status=200,
        headers=headers,
        entity=last.entity,
        started=moment,
        duration_ms=last.duration_ms,
    )
    return WarcExchange(exchange=exchange, capture=capture_of(exchange), source=last.request.url)


def _from_warc(fetched: Fetched, line: IndexLine, url: str) -> WarcExchange | str:
    last = fetched.exchanges[-1] if fetched.exchanges else None
    if last is None or last.status != 206 or last.error is not None:
        return f"the archive did not give it ({fetched.verdict.reason})"
    record = record_of(unpack(last.entity, ("gzip",), MAX_BLOCK, keep=True).content, int(line.offset), 0)
    if record is None or record.type != "response" or _differ(record.url, line.url):
        return _ANOTHER
    stored = to_exchange(Path(line.filename), record, None)
    if isinstance(stored, str):
        return stored
    exchange = replace(stored.exchange, request=Request(url=url))
    source = f"{last.request.url}#bytes={line.offset}-{int(line.offset) + int(line.length) - 1}"
    return WarcExchange(exchange=exchange, capture=capture_of(exchange), source=source)


def _differ(url: str, other: str) -> bool:
    return any_spelling(normalise(url)) != any_spelling(normalise(other))
