"""A page source that answers from WARC files: the pages of anyone's archive, as if they came over the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from webarticlecurator.databases import connect
from webarticlecurator.http.message import parse_request, parse_response
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.urls import join, normalise
from webarticlecurator.warc.exchanges import RecordIndex, WarcExchange, to_exchange
from webarticlecurator.warc.reader import rendered_capture
from webarticlecurator.warc.records import OnDamage, Record, refuse
from webarticlecurator.warc.stored import Group, read_groups, rendered_of

_MOST_REDIRECTS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_MOST_CAPTURES = 20
"""Of one request, that are looked at for one that can be read."""
_SCHEMA = """
    CREATE TABLE captures (
        key TEXT, rank INTEGER, date TEXT, response INTEGER, request INTEGER, rendered INTEGER, told TEXT, fault TEXT
    );
    CREATE INDEX by_key ON captures (key, rank, date);
    BEGIN;
"""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What is stored of one request."""

    exchange: Exchange | None
    """None: a page that a browser let grow, without asking for it again."""
    capture: Capture
    rendered: Rendered | None = None
    """Then `capture` is that."""
    fault: str | None = None
    """Why what was rendered is no page."""


def answered(request: Request, newest: Callable[[Request], StoredAnswer | None], place: str) -> Fetched:
    """Answer one request by what is stored, following the redirects among that. `place`: where it is looked for, in words."""
    exchanges: list[Exchange] = []
    asked = request
    while len(exchanges) <= _MOST_REDIRECTS:
        stored = newest(asked)
        if stored is None and asked.step:  # a page that grows may lie behind a redirect, which has no steps
            stored = newest(replace(asked, step=0))
            stored = stored if stored is not None and stored.capture.status in _REDIRECTS else None
        if stored is None:
            reason = f"redirects to a page that is not in {place}" if exchanges else f"not in {place}"
            return replace(_failed(request, FetchOutcome.ERROR, reason, exchanges), fault=True)
        exchanges += [stored.exchange] if stored.exchange is not None else []
        target = stored.capture.header("Location") if stored.capture.status in _REDIRECTS else None
        if target is None:
            return _answer(request, stored, exchanges)
        asked = Request(url=join(stored.capture.url, target) or target, step=request.step)
    return _failed(request, FetchOutcome.ERROR, f"more than {_MOST_REDIRECTS} redirects", exchanges)


def _answer(request: Request, stored: StoredAnswer, exchanges: list[Exchange]) -> Fetched:
    status = stored.capture.status
    if stored.fault is not None:
        return _failed(request, FetchOutcome.ERROR, stored.fault, exchanges)
    if status in _GONE:
        return _failed(request, FetchOutcome.GONE, f"HTTP {status}", exchanges)
    if stored.exchange is not None and stored.exchange.truncated:
        return _failed(request, FetchOutcome.ERROR, "the stored response is not whole", exchanges)
    if status // 100 != 2:
        return _failed(request, FetchOutcome.ERROR, f"HTTP {status}", exchanges)
    verdict, capture = Verdict(FetchOutcome.FETCHED, f"HTTP {status}"), replace(stored.capture, requested_url=request.url)
    return Fetched(request=request, verdict=verdict, exchanges=tuple(exchanges), capture=capture, rendered=stored.rendered)


def _failed(request: Request, outcome: FetchOutcome, reason: str, exchanges: list[Exchange]) -> Fetched:
    return Fetched(request=request, verdict=Verdict(outcome, reason), exchanges=tuple(exchanges))


class WarcSource:
    """Answers a request with the newest capture of its URL: a whole page before a redirect, a redirect before an error.

    Where a browser showed the page, that is what is given. URLs are compared normalised, and as given. The index lies in a temporary
    file, so that archives of any size can be asked.
    """

    def __init__(self, files: Iterable[Path], *, on_damage: OnDamage = refuse) -> None:
        self._lock = Lock()
        self._places = RecordIndex()
        self._index = connect("")
        self._index.executescript(_SCHEMA)
        for path in files:
            self._read(path, on_damage)

    def fetch(self, request: Request) -> Fetched:
        """Answer one request, following the redirects that were stored."""
        return answered(request, self.newest, "the WARC files")

    def close(self) -> None:
        """Give the temporary files back."""
        self._index.close()
        self._places.close()

    def _read(self, path: Path, on_damage: OnDamage) -> None:
        for group in read_groups(path, on_damage=on_damage):
            shown = group.shown()
            rendered = group.rendered if shown is not None else None
            main = rendered or group.response
            if main is None:
                continue
            fault = str(group.event.get("reason")) if rendered and group.event.get("outcome") != FetchOutcome.FETCHED else None
            date = main.date.isoformat() if main.date else ""
            records = (group.response, group.request, rendered)
            places = [self._places.add(path, record) if record is not None else None for record in records]
            row = (0 if fault else _rank(main), date, *places, group.told if rendered else None, fault)
            rows = [(key, *row) for key in _keys_of(group, shown)]
            self._index.executemany("INSERT INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def newest(self, request: Request) -> StoredAnswer | None:
        """The best capture of exactly this request, redirect or error; None when there is none."""
        keys = sorted(_keys(request))
        with self._lock:
            rows = self._index.execute(
                f"SELECT response, request, rendered, told, fault FROM captures WHERE key IN ({', '.join('?' * len(keys))})"
                f" ORDER BY rank DESC, date DESC, rowid DESC LIMIT {_MOST_CAPTURES}",
                keys,
            ).fetchall()
            return next((answer for row in rows if (answer := self._stored(*row)) is not None), None)

    def _stored(
        self, response: int | None, request: int | None, rendered: int | None, told: str | None, fault: str | None
    ) -> StoredAnswer | None:
        received = self._exchange(response, request) if response is not None else None
        exchange = received.exchange if received is not None else None
        if rendered is None:
            return StoredAnswer(exchange, received.capture) if received is not None else None
        path, record = self._places.read(rendered)
        capture = rendered_capture(path, record, received.capture.headers if received is not None else ())
        return StoredAnswer(exchange, capture, rendered_of(record, told), fault)

    def _exchange(self, response: int, request: int | None) -> WarcExchange | None:
        path, record = self._places.read(response)
        if record.type == "revisit":  # its bytes are those of the response that it refers to
            original = self._places.original(record)
            if original is None:
                return None
            path, record = original
        asked = self._places.read(request)[1] if request is not None else None
        exchange = to_exchange(path, record, asked, self._places)
        return None if isinstance(exchange, str) else exchange


def _keys_of(group: Group, shown: Rendered | None) -> set[str]:
    """By which requests it is found. What a browser showed is found by what was asked for: scripts may have led it elsewhere."""
    asked = parse_request(group.request.block) if group.request else None
    request = Request(url=(group.response or group.main).url, step=shown.step if shown is not None else 0)
    keys = _keys(replace(request, method=asked.method, body=asked.body or None) if asked else request)
    by_crawl = group.event.get("request") if shown is not None else None
    return keys | {by_crawl} if isinstance(by_crawl, str) else keys


def _keys(request: Request) -> set[str]:
    plain = replace(request, body=request.body or None)
    return {plain.key, replace(plain, url=normalise(plain.url)).key}


def _rank(response: Record) -> int:
    """2: a whole page, 1: a redirect, 0: an error or a part of a page."""
    if response.type == "conversion":
        return 2
    http = parse_response(response.block)
    if http is None or (response.type == "response" and response.field("WARC-Truncated")):
        return 0
    if response.type == "revisit" and http.status == 304:
        return 2
    return {2: 2, 3: 1}.get(http.status // 100, 0)
