"""One HTTP/1.1 exchange, with its bytes as they crossed the wire; connections are kept for the next one."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from webarticlecurator.fetch.dial import Dialer, Line
from webarticlecurator.fetch.incoming import Fault, Received, Trouble, Wanted, read_response
from webarticlecurator.fetch.limits import MEGABYTE, Limits
from webarticlecurator.fetch.target import Target
from webarticlecurator.http.codings import codings_of, stays_small, unpack
from webarticlecurator.http.message import HttpResponse, joined
from webarticlecurator.model.capture import Exchange, Request

_PIECE = 1 << 16
_LONGEST_IDLE = 30.0
_MOST_IDLE = 32
_LINGER = 0.05
"""How long a connection that is to be closed anyway is watched for bytes beyond the body."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it goes over the wire, and as it may be stored."""

    wire: bytes
    stored: bytes
    """Secrets replaced."""
    redacted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An exchange, and what kept it from being whole."""

    exchange: Exchange
    fault: Fault | None = None
    message: str = ""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Wire:
    """Sends requests and reads responses; safe to use from several threads."""

    def __init__(self, dialer: Dialer, *, timeout: float, limits: Limits | None = None, now: Callable[[], datetime] = _utc_now) -> None:
        self._dialer = dialer
        self._timeout = timeout
        self._limits = limits or Limits()
        self._now = now
        self._idle: deque[tuple[tuple[str, str, int], Line, float]] = deque()
        self._lock = threading.Lock()

    def ask(self, request: Request, target: Target, sent: Sent, *, wanted: Wanted | None = None, limits: Limits | None = None) -> Answer:
        """Make one exchange; whatever fails is in the answer."""
        limits = limits or self._limits
        started = self._now()
        begin = time.monotonic()
        deadline = begin + self._timeout
        line: Line | None = None
        try:
            line, received = self._converse(request, target, sent, deadline, limits, wanted)
        except Trouble as error:
            received = Received(trouble=error)
        response, trouble = received.response, received.trouble
        exchange = Exchange(
            request=request,
            request_bytes=sent.stored,
            redacted=sent.redacted,
            response_bytes=received.raw or None,
            status=response.status if response else None,
            headers=response.headers if response else (),
            entity=response.entity if response else b"",
            started=started,
            duration_ms=round((time.monotonic() - begin) * 1000),
            ip=line.ip if line else None,
            truncated=trouble.truncated if trouble and received.raw else None,
            error=trouble.message if trouble else None,
        )
        if trouble is not None:
            return Answer(exchange, trouble.fault, trouble.message)
        return _judge_packing(exchange, response, limits)

    def close(self) -> None:
        """Close the connections that were kept."""
        with self._lock:
            kept, self._idle = self._idle, deque()
        for _key, line, _since in kept:
            line.sock.close()

    def _converse(
        self, request: Request, target: Target, sent: Sent, deadline: float, limits: Limits, wanted: Wanted | None
    ) -> tuple[Line, Received]:
        key = (target.scheme, target.host, target.port)
        line = self._take_idle(key)
        if line is not None:
            response = _exchange_on(line, request, sent, deadline, limits, wanted)
            if response.raw or response.trouble is None or response.trouble.fault is not Fault.RESET:
                self._put_back(key, line, response)
                return line, response
            # The server closed the kept connection while the request was on its way: nobody has seen an answer, so ask anew.
            line.sock.close()
        line = self._dialer.dial(target, deadline)
        response = _exchange_on(line, request, sent, deadline, limits, wanted)
        self._put_back(key, line, response)
        return line, response

    def _take_idle(self, key: tuple[str, str, int]) -> Line | None:
        now = time.monotonic()
        while True:
            with self._lock:
                entry = next((entry for entry in self._idle if entry[0] == key), None)
                if entry is None:
                    return None
                self._idle.remove(entry)
            _key, line, since = entry
            if now - since < _LONGEST_IDLE and _is_quiet(line.sock):
                return line
            line.sock.close()

    def _put_back(self, key: tuple[str, str, int], line: Line, response: Received) -> None:
        if not response.keeps_connection:
            line.sock.close()
            return
        with self._lock:
            self._idle.append((key, line, time.monotonic()))
            oldest = self._idle.popleft()[1] if len(self._idle) > _MOST_IDLE else None
        if oldest is not None:
            oldest.sock.close()


def _exchange_on(line: Line, request: Request, sent: Sent, deadline: float, limits: Limits, wanted: Wanted | None) -> Received:
    sock = line.sock

    def receive() -> bytes:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        sock.settimeout(left)
        return sock.recv(_PIECE)

    def glance(linger: bool) -> bytes:
        sock.settimeout(min(_LINGER, max(0.0, deadline - time.monotonic())) if linger else 0.0)
        return sock.recv(_PIECE)

    try:
        sock.settimeout(max(0.001, deadline - time.monotonic()))
        sock.sendall(sent.wire)
    except TimeoutError:
        return Received(trouble=Trouble(Fault.TIME, "the request could not be sent within the time limit", "time"))
    except OSError:
        # A server may answer and close without reading all of the request: its answer counts, if there is one.
        pass
    return read_response(receive, request.method, limits, wanted, glance)


def _is_quiet(sock: socket.socket) -> bool:
    """Whether the other side neither closed the connection nor said anything unasked."""
    try:
        sock.settimeout(0.0)
        sock.recv(1)
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False
    return False


def _judge_packing(exchange: Exchange, response: HttpResponse | None, limits: Limits) -> Answer:
    """Look into a packed body: a bomb is too big, and a body that only the end of the connection ended may be cut."""
    codings = codings_of(joined(exchange.headers, "content-encoding"))
    until_close = response is not None and response.until_close
    if not codings or not exchange.entity or (stays_small(len(exchange.entity), codings, limits.body) and not until_close):
        return Answer(exchange)
    unpacked = unpack(exchange.entity, codings, limits.body)
    if unpacked.too_big:
        return Answer(exchange, Fault.TOO_BIG, f"more than {limits.body / MEGABYTE:.0f} MB when unpacked")
    if unpacked.cut and until_close:
        return Answer(exchange, Fault.CUT, "the connection ended inside the packed body")
    return Answer(exchange)
