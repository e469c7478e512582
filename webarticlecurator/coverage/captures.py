"""How a web archive gives a capture: raw from its replay, or as a range of a WARC file; and as what it is taken into a corpus."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from webarticlecurator.coverage.index_lines import IndexLine, moment_of
from webarticlecurator.fetch.web import Web
from webarticlecurator.http.message import header, unpack
from webarticlecurator.model.capture import Exchange, Headers, Request, capture_of
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


def capture(line: IndexLine, url: str, web: Web, replay: str | None) -> WarcExchange | str:
    """The page, as if the portal had given it to this address that day; or why there is none."""
    in_warc, part = line.filename.startswith(_IN_WARC), ""
    address = f"{replay or WAYBACK}{line.moment:%Y%m%d%H%M%S}id_/{line.url}"
    if in_warc:
        if not (_PLACE.fullmatch(line.offset) and _PLACE.fullmatch(line.length)):
            return "the index does not say where in its file the capture lies"
        address, part = f"{replay or COMMON_CRAWL}{line.filename}", f"bytes={line.offset}-{int(line.offset) + int(line.length) - 1}"
    asked = Request(url=address, headers=(("Range", part),) if part else (), is_sitemap=in_warc)
    host = host_and_port(address)
    fetched = web.fetch(asked, may_follow=lambda target: None if host_and_port(target) == host else "to another host")
    last = fetched.exchanges[-1] if fetched.exchanges else None
    if last is None or last.status != (206 if in_warc else 200) or (fetched.capture is None and not in_warc) or last.error is not None:
        return f"the archive did not give it ({fetched.verdict.reason})"
    given = _replayed(last) if not in_warc else None
    if in_warc:
        record = record_of(unpack(last.entity, ("gzip",), MAX_BLOCK, keep=True).content, int(line.offset), 0)
        stored = to_exchange(Path(line.filename), record, None) if record is not None and record.type == "response" else ""
        given = stored.exchange if not isinstance(stored, str) else None
    if given is None or any_spelling(normalise(given.request.url)) != any_spelling(normalise(line.url)):
        return "the archive gave another page"
    exchange = replace(given, request=Request(url=url))
    return WarcExchange(exchange=exchange, capture=capture_of(exchange), source=f"{last.request.url}{part and f'#{part}'}")


def _replayed(last: Exchange) -> Exchange | None:
    """What the portal had said: its headers stand behind a word of the replay's, which may have led to the capture before or after."""
    shown = _REPLAYED.search(last.request.url)
    moment = moment_of(shown[1]) if shown is not None else None
    if shown is None or moment is None:
        return None
    original = [(name[len(_ORIGINAL) :], value) for name, value in last.headers if name.lower().startswith(_ORIGINAL)]
    kind = header(last.headers, f"{_ORIGINAL}content-type") or header(last.headers, "content-type") or ""
    packed = header(last.headers, "content-encoding")
    headers: Headers = (
        ("Content-Type", kind),
        *((name, value) for name, value in original if name.lower() not in _OF_THE_WIRE),
        *([("Content-Encoding", packed)] if packed else []),
        ("Content-Length", str(len(last.entity))),
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    block = f"HTTP/1.1 200 OK\r\n{head}\r\n".encode("latin-1", "replace") + last.entity
    return replace(
        last, request=Request(url=shown[2]), request_bytes=b"", redacted=(), response_bytes=block, headers=headers, started=moment, ip=None
    )
