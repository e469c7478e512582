"""The captures of a portal that a web archive holds, and how it gives them.

Its index is read from a file (CDX with or without its header, CDXJ, JSON) or page by page from a server
(Wayback's with resume keys, Common Crawl's and pywb's by numbers; what came is kept). Of each line it is
known which article is meant; the capture comes raw from a replay, or as a range of a WARC file, and is taken
into a corpus as what it is.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import quote

import orjson
import zstandard

from webarticlecurator import databases
from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal, fitting_column
from webarticlecurator.databases import Database
from webarticlecurator.dates import in_reach
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import article_url, identity_of
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Exchange, Headers, Request, capture_of
from webarticlecurator.model.links import RefusedLink
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import GZIP_MAGIC, header, unpacked_body
from webarticlecurator.urls import (
    MAX_LENGTH,
    any_spelling,
    bare_host,
    host_allowed,
    host_and_port,
    is_http,
    normalise,
    split,
)
from webarticlecurator.warc.exchanges import WarcExchange, to_exchange
from webarticlecurator.warc.records import record_of

DAMAGED = (EOFError, OSError, zlib.error)
"""The errors that a packed file may lead to that is cut or spoilt."""
_LONGEST = 64 << 10
_HEADER = linear_at(r" CDX((?: [A-Za-z])+)")
_WITHOUT_HEADER = {11: "NbamskrMSVg", 9: "NbamskrVg", 7: "NbamskS"}
"""Number of fields -> what they are."""
_TOLD = ["url", "timestamp", "mime", "status", "digest", "length", "offset", "filename"]
_NAMES = dict(zip("abmskSVg", _TOLD, strict=True)) | {
    "original": "url",
    "mimetype": "mime",
    "statuscode": "status",
}
WAYBACK, COMMON_CRAWL = "https://web.archive.org/web/", "https://data.commoncrawl.org/"
_PLACE = linear_at(r"\d{1,12}", re.ASCII)
_REPLAYED = linear(r"/(\d{14})id_/(https?:.+)")
_ORIGINAL = "x-archive-orig-"
_OF_THE_WIRE = (
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "keep-alive",
    "transfer-encoding",
)


class IndexLine(NamedTuple):
    """A capture, as a line of the index tells of it."""

    url: str
    moment: datetime
    mime: str
    status: str
    digest: str
    length: str
    offset: str
    filename: str

    @property
    def kind(self) -> str:
        """Return whether it is a page, or the revisit of one, or why neither."""
        if self.mime == "warc/revisit":
            return "revisits"
        if self.status == "200":
            return "pages" if self.mime in ("text/html", "application/xhtml+xml") else "other types"
        return "redirects" if self.status.startswith("3") else "errors"


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, packed or not, to the end; one that is too long is given as what can be
    none."""
    with file:
        is_packed = file.read(2) == GZIP_MAGIC
        file.seek(0)
        plain = gzip.GzipFile(fileobj=file) if is_packed else file
        while line := plain.readline(_LONGEST):
            yield line if line.endswith(b"\n") or len(line) < _LONGEST else b"?"
            while len(line) == _LONGEST and not line.endswith(b"\n"):
                line = plain.readline(_LONGEST)


def captures_in(lines: Iterable[bytes]) -> Iterator[IndexLine | None]:
    """Give what each tells; None of what is no line of an index. Headers are heeded, and passed over with
    empty lines."""
    names: Sequence[str] = ()
    for raw in lines:
        line = raw.decode("utf-8", "replace").strip("\r\n")
        try:
            if heading := _HEADER.fullmatch(line.rstrip()):
                names = heading[1].split()
            elif " {" in (spaced := f" {line}"):
                key, _, text = spaced.partition(" {")
                fields = orjson.loads(f"{{{text}")
                yield _capture(["timestamp", *fields], [key.rpartition(" ")[2], *fields.values()])
            elif line.strip():
                values = line.split(" ")
                yield _capture(names or _WITHOUT_HEADER.get(len(values), ""), values)
        except orjson.JSONDecodeError:
            yield None


def _capture(names: Sequence[str], fields: Collection[object]) -> IndexLine | None:
    pairs = zip(names, fields, strict=False) if len(names) == len(fields) else ()
    values = {_NAMES.get(name, name): str(value) for name, value in pairs if isinstance(value, (str, int))}
    url, stamp = values.get("url", ""), values.get("timestamp", "")
    moment = moment_of(stamp)
    if moment is None or len(url) > MAX_LENGTH or not is_http(url) or not url.isprintable() or " " in url:
        return None
    mime = values.get("mime", "").partition(";")[0].strip().lower()
    rest = (values.get(name, "")[:MAX_LENGTH] for name in _TOLD[3:])
    return IndexLine(url, moment, mime if "/" in mime else values.get("mime-detected", mime), *rest)


def moment_of(stamp: str) -> datetime | None:
    """Return the moment that 14 digits tell; None where they tell no moment, or one at the ends of time."""
    try:
        moment = datetime.fromisoformat(f"{stamp[:8]}T{stamp[8:]}+00:00") if len(stamp) == 14 else None
    except ValueError:
        return None
    return moment if moment is not None and in_reach(moment) else None


def article_of(url: str, portal: Portal) -> tuple[str, str] | str:
    """The portal's article at a captured address: as the portal would write that, and what all spellings of
    its identity have in common; or why there is none."""
    if not host_allowed(url, (), portal.asked_hosts):
        return "other hosts"
    home = split(portal.home)
    if bare_host(url) == bare_host(
        portal.home
    ):  # the archive may have seen it by http, with another port, with `www.`
        url = str(split(url)._replace(scheme=home.scheme, authority=home.authority))
    try:
        with Budget():
            article = article_url(url, portal.article_urls, portal)
            if isinstance(article, RefusedLink):
                return "no articles by the portal file"
            normal = normalise(article)
            identity = any_spelling(identity_of(normal, portal))
        if (
            any_spelling(normal) == any_spelling(normalise(portal.home))
            or fitting_column(portal, normal) is not None
        ):
            return "archive pages"
    except PatternTimeout:
        return "addresses on which a rule took too long"
    return normal, identity


def read_index(
    lines: Iterable[bytes], article_at: Callable[[str], tuple[str, str] | str]
) -> Iterator[tuple[IndexLine, tuple[str, str]] | str]:
    """Give each capture with the article that it is of; or why it is of none."""
    for line in captures_in(lines):
        if line is None:
            yield "no lines of an index"
            continue
        article = article_at(line.url)
        yield article if isinstance(article, str) else (line, article)


def capture(line: IndexLine, url: str, web: Web, replay: str | None) -> WarcExchange | str:
    """The page, as if the portal had given it to this address that day; or why there is none."""
    way = _RANGE if line.filename.startswith("crawl-data/") else _REPLAY
    asked = way.ask(line, replay)
    if asked is None:
        return "the index does not say where in its file the capture lies"
    host = host_and_port(asked.url)
    fetched = web.fetch(
        asked, may_follow=lambda target: None if host_and_port(target) == host else "to another host"
    )
    last = fetched.last
    if (
        last is None
        or last.error is not None
        or last.status != way.status
        or (way.gives_page and fetched.capture is None)
    ):
        return f"the archive did not give it ({fetched.verdict.reason})"
    given = way.read(line, last)
    if given is None or any_spelling(normalise(given.request.url)) != any_spelling(normalise(line.url)):
        return "the archive gave another page"
    exchange = replace(given, request=Request(url=url))
    source = "#".join((last.request.url, *(part for _, part in asked.headers)))
    return WarcExchange(exchange=exchange, capture=capture_of(exchange), source=source)


class _Way(NamedTuple):
    """The way in which an archive gives a capture."""

    ask: Callable[[IndexLine, str | None], Request | None]
    """Return the request for a capture; None: the index does not say where it lies."""
    status: int
    """The status of the answer that holds the capture."""
    gives_page: bool
    """True if the answer is the page itself."""
    read: Callable[[IndexLine, Exchange], Exchange | None]
    """Return the portal's own answer; None: it is none of its pages."""


def _range_of(line: IndexLine, replay: str | None) -> Request | None:
    if not (_PLACE.fullmatch(line.offset) and _PLACE.fullmatch(line.length)):
        return None
    part = f"bytes={line.offset}-{int(line.offset) + int(line.length) - 1}"
    return Request(
        url=f"{replay or COMMON_CRAWL}{line.filename}", headers=(("Range", part),), is_sitemap=True
    )


def _replay_of(line: IndexLine, replay: str | None) -> Request:
    return Request(url=f"{replay or WAYBACK}{line.moment:%Y%m%d%H%M%S}id_/{line.url}")


def _unpacked(line: IndexLine, last: Exchange) -> Exchange | None:
    record = record_of(last.entity, Path(line.filename), int(line.offset), 0)
    if record is None or record.type != "response":
        return None
    stored = to_exchange(record, None)
    return None if isinstance(stored, str) else stored.exchange


def _replayed(_: IndexLine, last: Exchange) -> Exchange | None:
    """Return what the portal had said: its headers stand behind a word of the replay's, which may have led to
    the capture before or after."""
    shown = _REPLAYED.search(last.request.url)
    moment = moment_of(shown[1]) if shown is not None else None
    if shown is None or moment is None:
        return None
    original = [
        (name[len(_ORIGINAL) :], value) for name, value in last.headers if name.lower().startswith(_ORIGINAL)
    ]
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
        last,
        request=Request(url=shown[2]),
        request_bytes=b"",
        redacted=(),
        response_bytes=block,
        headers=headers,
        started=moment,
        ip=None,
    )


_RANGE = _Way(_range_of, HTTPStatus.PARTIAL_CONTENT, gives_page=False, read=_unpacked)
"""The way of Common Crawl, whose files anybody may read by ranges."""
_REPLAY = _Way(_replay_of, HTTPStatus.OK, gives_page=True, read=_replayed)

# --- an index server ---

TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (query TEXT, number INTEGER, following TEXT, lines BLOB, PRIMARY KEY "
    "(query, number))"
)
"""The table of answers. `following`: how the next one is asked for; NULL: this is the last."""
KEPT = "index.sqlite"
_LINES_A_PAGE = 10_000
_MOST_PAGES = 20_000
_RESUME_KEY = linear(rb"\n\r?\n(\S{1,4000})\s*\Z")
"""The key that ends a page behind an empty line."""


def queries(server: str, portal: Portal) -> list[str]:
    """Return what is asked: for each host of the portal."""
    joint = "&" if "?" in server else "?"
    asked = (
        ("domain", host[2:]) if host.startswith("*.") else ("host", host)
        for host in sorted(portal.asked_hosts)
    )
    return [f"{server}{joint}url={quote(host, safe='')}&matchType={kind}" for kind, host in asked]


def lines_kept(kept: Database, query: str) -> Iterator[bytes]:
    """The lines of all pages that came."""
    for (lines,) in kept.execute("SELECT lines FROM answers WHERE query = ? ORDER BY number", (query,)):
        yield from lines_of(BytesIO(databases.unpack(lines, KEPT)))


def ask(query: str, web: Web, kept: Database, work: Work) -> str | None:
    """Ask for all pages that are not kept yet. Gives why not all came; None: they did."""
    following: str | None
    asked = kept.execute(
        "SELECT number + 1, following FROM answers WHERE query = ? ORDER BY number DESC LIMIT 1", (query,)
    ).fetchone()
    number, following = asked or (0, "")
    if following is None:
        return None
    pages = _number_of_pages(query, web)
    if isinstance(pages, str):
        return pages
    while following is not None:
        if work.stopped:
            return "interrupted"
        if number >= _MOST_PAGES:
            return f"more than {_MOST_PAGES:,} pages, of which no more are asked for: get the index as a file"
        work.show(f"page {number + 1:,} of {query}")
        page = _index_page(query, number, following, pages, web)
        if isinstance(page, str):
            return page
        lines, following = page
        before = kept.execute(
            "SELECT 1 FROM answers WHERE query = ? AND number < ? AND following = ?",
            (query, number, following),
        )
        if following and before.fetchone():
            return f"page {number + 1} is the same as one before, so it may have no end"
        if number == 0 and following is None and pages is None and len(lines.splitlines()) >= _LINES_A_PAGE:
            return f"it gives {_LINES_A_PAGE:,} lines and no key to ask for more: get the index as a file"
        row = (query, number, following, zstandard.ZstdCompressor(6, write_checksum=True).compress(lines))
        kept.execute(
            "INSERT OR REPLACE INTO answers (query, number, following, lines) VALUES (?, ?, ?, ?)", row
        )
        number += 1
    return None


def _number_of_pages(query: str, web: Web) -> int | str | None:
    """Return how many pages a server has; None where it is to be asked by keys, or why it could not be asked.

    Wayback answers with a number alone, and leaves out what is new where pages are asked for by theirs.
    """
    counted = _ask(f"{query}&output=json&showNumPages=true", query, web)
    if isinstance(counted, str):
        return counted
    try:
        return int(orjson.loads(counted or b'{"pages": 0}')["pages"])
    except (ValueError, LookupError, TypeError):
        return None


def _index_page(
    query: str, number: int, following: str, pages: int | None, web: Web
) -> tuple[bytes, str | None] | str:
    """Return the lines of a page, and how the next one is asked for (None: there is none); or why it could
    not be asked."""
    if pages is not None:
        answer = _ask(f"{query}&output=json&page={number}", query, web)
        return answer if isinstance(answer, str) else (answer, "" if number + 1 < pages else None)
    answer = _ask(f"{query}&limit={_LINES_A_PAGE}&showResumeKey=true{following}", query, web)
    if isinstance(answer, str):
        return answer
    key = _RESUME_KEY.search(answer, max(0, len(answer) - 5_000))
    return (
        (answer[: key.start()], f"&resumeKey={quote(key[1], safe='%+')}")
        if key is not None
        else (answer, None)
    )


def _ask(address: str, query: str, web: Web) -> bytes | str:
    """The body of an answer, empty where it says that there is nothing; or why there is none."""
    host = bare_host(query)
    fetched = web.fetch(
        Request(url=address, is_sitemap=True),
        may_follow=lambda url: None if bare_host(url) == host else "to another host",
    )
    last = fetched.last
    body = unpacked_body(last, 64 << 20) if last is not None else b""
    if fetched.verdict.outcome is FetchOutcome.FETCHED:
        return body
    is_nothing = (
        fetched.verdict.outcome is FetchOutcome.GONE and body.lstrip().startswith(b"{") and b"message" in body
    )
    return b"" if is_nothing else f"it could not be asked to the end ({fetched.verdict.reason})"
