"""A page source that answers from WARC files: the pages of anyone's archive, as if they came over the
network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from webarticlecurator.model.capture import Capture, Exchange, Fetched, Rendered, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.protocol.message import (
    GONE,
    MOST_REDIRECTS,
    REDIRECTS,
    header,
    parse_request,
    parse_response,
)
from webarticlecurator.urls import join, normalise
from webarticlecurator.warc.exchanges import RecordPlaces, WarcExchange, rendered_capture, to_exchange
from webarticlecurator.warc.records import OnDamage, Record, refuse
from webarticlecurator.warc.stored import Group, read_groups


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The stored answer of one address."""

    exchange: Exchange | None
    """The exchange; None: a page that a browser let grow, without asking for it again."""
    capture: Capture
    rendered: Rendered | None = None
    """Then `capture` is that."""
    fault: str | None = None
    """Why what was rendered is no page."""

    @property
    def is_cut(self) -> bool:
        """True if the response was not received whole."""
        return self.exchange is not None and self.exchange.truncated is not None


def answered(request: Request, newest: Callable[[Request], StoredAnswer | None], place: str) -> Fetched:
    """Answer one request by what is stored, following the redirects among that. `place`: where it is looked
    for, in words."""
    exchanges: list[Exchange] = []

    def failed(outcome: FetchOutcome, reason: str, *, fault: bool = False) -> Fetched:
        return Fetched(
            request=request, verdict=Verdict(outcome, reason), exchanges=tuple(exchanges), fault=fault
        )

    asked = request
    for _ in range(MOST_REDIRECTS + 1):
        if (stored := newest(asked)) is None:
            return failed(
                FetchOutcome.ERROR,
                f"redirects to a page that is not in {place}" if exchanges else f"not in {place}",
                fault=True,
            )
        exchanges += [stored.exchange] if stored.exchange is not None else []
        status = stored.capture.status
        target = header(stored.capture.headers, "location") if status in REDIRECTS else None
        if target is not None:
            asked = Request(url=join(stored.capture.url, target) or target, step=request.step)
            continue
        if stored.fault is not None:
            return failed(FetchOutcome.ERROR, stored.fault)
        if status in GONE:
            return failed(FetchOutcome.GONE, f"HTTP {status}")
        if stored.is_cut:
            return failed(FetchOutcome.ERROR, "the stored response is not whole")
        if status // 100 != 2:
            return failed(FetchOutcome.ERROR, f"HTTP {status}")
        verdict, capture = (
            Verdict(FetchOutcome.FETCHED, f"HTTP {status}"),
            replace(stored.capture, requested_url=request.url),
        )
        return Fetched(
            request=request,
            verdict=verdict,
            exchanges=tuple(exchanges),
            capture=capture,
            rendered=stored.rendered,
        )
    return failed(FetchOutcome.ERROR, f"more than {MOST_REDIRECTS} redirects")


class WarcSource:
    """Answers a request with the newest capture of its URL: a whole page before a redirect, a redirect before
    an error.

    Where a browser showed the page, that is what is given. URLs are compared normalised, and as given. The
    index lies in a temporary file, so that archives of any size can be asked.
    """

    def __init__(self, files: Iterable[Path], *, on_damage: OnDamage = refuse) -> None:
        self._lock = Lock()
        self._places = RecordPlaces()
        for path in files:
            for group in read_groups(path, on_damage=on_damage):
                main, response, shown = group.page, group.response, group.shown()
                if response is not None and response.type == "response":
                    self._places.add_response(response)
                if main is not None:
                    rank = 0 if shown is not None and _fault(group) else _rank(main)
                    self._places.add(_keys_of(group, shown), group.records[0], rank=rank, date=main.date)

    def fetch(self, request: Request) -> Fetched:
        """Answer one request, following the redirects that were stored."""
        return answered(request, self.newest, "the WARC files")

    def close(self) -> None:
        self._places.close()

    def newest(self, request: Request) -> StoredAnswer | None:
        """The best capture of exactly this request, redirect or error; None when there is none."""
        with self._lock:
            places = self._places.find(sorted(_keys(request)), 20)
            return next((answer for place in places if (answer := self._stored(*place)) is not None), None)

    def _stored(self, path: Path, offset: int, skip: int) -> StoredAnswer | None:
        groups = read_groups(
            path, start=offset, on_damage=lambda _: None
        )  # which was told of when the file was read
        group = next((group for group in groups if group.records[0].skip == skip), None)
        if group is None:
            return None
        response = group.response
        if (
            response is not None and response.type == "revisit"
        ):  # its bytes are those of the response that it refers to
            response = self._places.original(response)
        received = to_exchange(response, group.request) if response is not None else None
        exchange, headers = (
            (received.exchange, received.capture.headers)
            if isinstance(received, WarcExchange)
            else (None, ())
        )
        shown = group.shown()
        if group.rendered is not None and shown is not None:
            return StoredAnswer(exchange, rendered_capture(group.rendered, headers), shown, _fault(group))
        return StoredAnswer(exchange, received.capture) if isinstance(received, WarcExchange) else None


def _fault(group: Group) -> str | None:
    """Return why what a browser showed is no page."""
    return str(group.event.get("reason")) if group.event.get("outcome") != FetchOutcome.FETCHED else None


def _keys_of(group: Group, shown: Rendered | None) -> set[str]:
    """By which requests it is found. What a browser showed is found by what was asked for: scripts may have
    led it elsewhere."""
    asked = parse_request(group.request.block) if group.request else None
    request = Request(url=(group.response or group.main).url, step=shown.step if shown is not None else 0)
    keys = _keys(replace(request, method=asked[0], body=asked[1] or None) if asked else request)
    by_crawl = group.event.get("request") if shown is not None else None
    return keys | {by_crawl} if isinstance(by_crawl, str) else keys


def _keys(request: Request) -> set[str]:
    plain = replace(request, body=request.body or None)
    return {plain.key, replace(plain, url=normalise(plain.url)).key}


def worth_of(status: int, kind: str) -> int:
    """2: a whole page, or that one is as it was; 1: a redirect; 0: an error."""
    return 2 if kind == "revisit" and status == 304 else {2: 2, 3: 1}.get(status // 100, 0)


def _rank(response: Record) -> int:
    """Return the worth of a record, as of an answer; 0 of a part of a page, too."""
    if response.type == "conversion":
        return 2
    http = parse_response(response.block)
    is_part = response.type == "response" and response.field("WARC-Truncated")
    return 0 if http is None or is_part else worth_of(http.status, response.type)
