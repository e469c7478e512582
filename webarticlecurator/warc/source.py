"""A page source that answers from WARC files: the pages of a corpus, or of anyone's archive, as if they came over the network."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from threading import Lock

from webarticlecurator.http.message import parse_request, parse_response
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import join, normalise
from webarticlecurator.warc.exchanges import WarcExchange, read_groups, to_exchange
from webarticlecurator.warc.places import RecordIndex
from webarticlecurator.warc.records import OnDamage, Record, refuse

_MOST_REDIRECTS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_SCHEMA = """
    CREATE TABLE captures (key TEXT, rank INTEGER, date TEXT, response INTEGER, request INTEGER);
    CREATE INDEX by_key ON captures (key, rank, date);
"""


class WarcSource:
    """Answers a request with the newest capture of its URL: a whole page before a redirect, a redirect before an error.

    URLs are compared normalised, and as given. The index lies in a temporary file, so that archives of any size can be asked.
    """

    def __init__(self, files: Iterable[Path], *, on_damage: OnDamage = refuse) -> None:
        self._lock = Lock()
        self._places = RecordIndex()
        self._index = sqlite3.connect("", check_same_thread=False)
        self._index.executescript(_SCHEMA)
        for path in files:
            self._read(path, on_damage)

    def fetch(self, request: Request) -> Fetched:
        """Answer one request, following the redirects that were stored."""
        exchanges: list[Exchange] = []
        asked = request
        while len(exchanges) <= _MOST_REDIRECTS:
            found = self.newest(asked)
            if found is None:
                reason = "redirects to a page that is not in the WARC files" if exchanges else "not in the WARC files"
                return _failed(request, FetchOutcome.ERROR, reason, exchanges)
            exchanges.append(found.exchange)
            target = found.capture.header("Location") if found.capture.status in _REDIRECTS else None
            if target is None:
                return _answer(request, found, exchanges)
            asked = Request(url=join(found.capture.url, target) or target)
        return _failed(request, FetchOutcome.ERROR, f"more than {_MOST_REDIRECTS} redirects", exchanges)

    def close(self) -> None:
        """Give the temporary files back."""
        self._index.close()
        self._places.close()

    def _read(self, path: Path, on_damage: OnDamage) -> None:
        for group in read_groups(path, on_damage=on_damage):
            response, request = group.response, group.request
            if response is None:
                continue
            date = response.date.isoformat() if response.date else ""
            places = (self._places.add(path, response), self._places.add(path, request) if request else None)
            rows = [(key, _rank(response), date, *places) for key in _keys(_request_of(response, request))]
            self._index.executemany("INSERT INTO captures VALUES (?, ?, ?, ?, ?)", rows)

    def newest(self, request: Request) -> WarcExchange | None:
        """The best capture of exactly this request, redirect or error; None when there is none."""
        keys = sorted(_keys(request))
        wanted = ", ".join("?" * len(keys))
        with self._lock:
            rows = self._index.execute(
                f"SELECT response, request FROM captures WHERE key IN ({wanted}) ORDER BY rank DESC, date DESC, rowid DESC LIMIT 20",
                keys,
            ).fetchall()
            return next((found for found in (self._exchange(*row) for row in rows) if found is not None), None)

    def _exchange(self, response: int, request: int | None) -> WarcExchange | None:
        place = self._places.numbered(response)
        record = place.read()
        if record.type == "revisit":  # its bytes are those of the response that it refers to
            original = self._places.referred_to(record)
            if original is None:
                return None
            place, record = original, original.read()
        asked = self._places.numbered(request).read() if request is not None else None
        found = to_exchange(place.path, record, asked, self._places)
        return None if isinstance(found, str) else found


def _request_of(response: Record, request: Record | None) -> Request:
    asked = parse_request(request.block) if request else None
    return Request(url=response.url, method=asked.method, body=asked.body or None) if asked else Request(url=response.url)


def _keys(request: Request) -> set[str]:
    plain = replace(request, body=request.body or None)
    return {plain.key, replace(plain, url=normalise(plain.url)).key}


def _rank(response: Record) -> int:
    """2: a whole page, 1: a redirect, 0: an error or a part of a page."""
    http = parse_response(response.block)
    if http is None or (response.type == "response" and response.field("WARC-Truncated")):
        return 0
    if response.type == "revisit" and http.status == 304:
        return 2
    return {2: 2, 3: 1}.get(http.status // 100, 0)


def _answer(request: Request, found: WarcExchange, exchanges: list[Exchange]) -> Fetched:
    capture: Capture = replace(found.capture, requested_url=request.url)
    if capture.status in _GONE:
        return _failed(request, FetchOutcome.GONE, f"HTTP {capture.status}", exchanges)
    if found.exchange.truncated:
        return _failed(request, FetchOutcome.ERROR, "the stored response is not whole", exchanges)
    if capture.status // 100 != 2:
        return _failed(request, FetchOutcome.ERROR, f"HTTP {capture.status}", exchanges)
    verdict = Verdict(FetchOutcome.FETCHED, f"HTTP {capture.status}")
    return Fetched(request=request, verdict=verdict, exchanges=tuple(exchanges), capture=capture)


def _failed(request: Request, outcome: FetchOutcome, reason: str, exchanges: list[Exchange]) -> Fetched:
    return Fetched(request=request, verdict=Verdict(outcome, reason), exchanges=tuple(exchanges))
