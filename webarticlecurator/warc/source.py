"""A page source that answers from WARC files: the pages of a corpus, or of anyone's archive, as if they came over the network."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from webarticlecurator.databases import connect
from webarticlecurator.http.message import parse_request, parse_response
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.urls import join, normalise
from webarticlecurator.warc.exchanges import WarcExchange, read_groups, to_exchange
from webarticlecurator.warc.places import RecordIndex
from webarticlecurator.warc.reader import rendered_capture
from webarticlecurator.warc.records import OnDamage, Record, refuse
from webarticlecurator.warc.stored import Group, rendered_of

_MOST_REDIRECTS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_SCHEMA = """
    CREATE TABLE captures (
        key TEXT, rank INTEGER, date TEXT, response INTEGER, request INTEGER, rendered INTEGER, told TEXT, fault TEXT
    );
    CREATE INDEX by_key ON captures (key, rank, date);
"""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """What is stored of one request."""

    exchange: Exchange | None
    """None: a page that a browser let grow, without asking for it again."""
    capture: Capture
    rendered: Rendered | None = None
    """Then `capture` is that."""
    fault: str | None = None
    """Why what was rendered is no page."""


class WarcSource:
    """Answers a request with the newest capture of its URL: a whole page before a redirect, a redirect before an error.

    Where a browser showed the page, that is what is given. URLs are compared normalised, and as given. The index lies in a temporary
    file, so that archives of any size can be asked.
    """

    def __init__(self, files: Iterable[Path], *, on_damage: OnDamage = refuse) -> None:
        self._lock = Lock()
        self._places = RecordIndex()
        self._index = connect("")
        self._index.executescript(f"{_SCHEMA}; BEGIN")
        for path in files:
            self._read(path, on_damage)

    def fetch(self, request: Request) -> Fetched:
        """Answer one request, following the redirects that were stored."""
        exchanges: list[Exchange] = []
        asked = request
        while len(exchanges) <= _MOST_REDIRECTS:
            found = self.newest(asked) or (self._redirect(asked) if asked.step else None)
            if found is None:
                reason = "redirects to a page that is not in the WARC files" if exchanges else "not in the WARC files"
                return replace(_failed(request, FetchOutcome.ERROR, reason, exchanges), fault=True)
            exchanges += [found.exchange] if found.exchange is not None else []
            target = found.capture.header("Location") if found.capture.status in _REDIRECTS else None
            if target is None:
                return _answer(request, found, exchanges)
            asked = Request(url=join(found.capture.url, target) or target, step=request.step)
        return _failed(request, FetchOutcome.ERROR, f"more than {_MOST_REDIRECTS} redirects", exchanges)

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
            places = [self._places.add(path, one) if one is not None else None for one in (group.response, group.request, rendered)]
            row = (0 if fault else _rank(main), date, *places, group.told if rendered else None, fault)
            rows = [(key, *row) for key in _keys_of(group, shown)]
            self._index.executemany("INSERT INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _redirect(self, request: Request) -> FoundPage | None:
        """A page that grows may lie behind a redirect, which has no steps."""
        found = self.newest(replace(request, step=0))
        return found if found is not None and found.capture.status in _REDIRECTS else None

    def newest(self, request: Request) -> FoundPage | None:
        """The best capture of exactly this request, redirect or error; None when there is none."""
        keys = sorted(_keys(request))
        wanted = ", ".join("?" * len(keys))
        with self._lock:
            rows = self._index.execute(
                "SELECT response, request, rendered, told, fault FROM captures"
                f" WHERE key IN ({wanted}) ORDER BY rank DESC, date DESC, rowid DESC LIMIT 20",
                keys,
            ).fetchall()
            return next((found for found in (self._found(*row) for row in rows) if found is not None), None)

    def _found(
        self, response: int | None, request: int | None, rendered: int | None, told: str | None, fault: str | None
    ) -> FoundPage | None:
        found = self._exchange(response, request) if response is not None else None
        if rendered is None:
            return FoundPage(found.exchange, found.capture) if found is not None else None
        place = self._places.numbered(rendered)
        record = place.read()
        capture = rendered_capture(place.path, record, found.capture.headers if found is not None else ())
        return FoundPage(found.exchange if found is not None else None, capture, rendered_of(record, told), fault)

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


def _answer(request: Request, found: FoundPage, exchanges: list[Exchange]) -> Fetched:
    capture: Capture = replace(found.capture, requested_url=request.url)
    if found.fault is not None:
        return _failed(request, FetchOutcome.ERROR, found.fault, exchanges)
    if capture.status in _GONE:
        return _failed(request, FetchOutcome.GONE, f"HTTP {capture.status}", exchanges)
    if found.exchange is not None and found.exchange.truncated:
        return _failed(request, FetchOutcome.ERROR, "the stored response is not whole", exchanges)
    if capture.status // 100 != 2:
        return _failed(request, FetchOutcome.ERROR, f"HTTP {capture.status}", exchanges)
    verdict = Verdict(FetchOutcome.FETCHED, f"HTTP {capture.status}")
    return Fetched(request=request, verdict=verdict, exchanges=tuple(exchanges), capture=capture, rendered=found.rendered)


def _failed(request: Request, outcome: FetchOutcome, reason: str, exchanges: list[Exchange]) -> Fetched:
    return Fetched(request=request, verdict=Verdict(outcome, reason), exchanges=tuple(exchanges))
