"""One HTTP/1.1 response taken off a connection: every byte kept as it came, within bounds, and what went wrong as data."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from webarticlecurator.http.message import Framing, HttpResponse, ResponseHead, ResponseReader
from webarticlecurator.model.capture import Headers, Truncated

MEGABYTE = 1 << 20
_LONGEST_HEAD = 64 << 10
"""Bytes of a response's head, interim responses included."""
_MOST_HEADER_LINES = 256

Receive = Callable[[], bytes]
"""The next bytes of the connection, b"" at its end; raises TimeoutError past the deadline, OSError when it breaks."""

Glance = Callable[[bool], bytes]
"""What comes after the end, where there is nothing to lose by looking: waits a moment if the connection is not used again."""

IsWanted = Callable[[int, Headers], bool]
"""Attempts once the head is there: whether the body is worth reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of a body is taken."""

    body: int = 20 * MEGABYTE
    """Bytes of a body: as they cross the wire, and once more when unpacked."""
    take_start: bool = False
    """Read the start of a body whose announced length is over the cap, rather than nothing of it."""


SITEMAP_LIMITS = Limits(body=64_000_000)
"""The standard allows 50 MB."""


class Fault(StrEnum):
    """What kept an exchange from being whole."""

    DNS = "dns"
    NO_HOST = "no host"
    PRIVATE = "private address"
    CONNECT = "connect"
    CERTIFICATE = "certificate"
    TLS = "tls"
    TIME = "time"
    RESET = "reset"
    CUT = "cut"
    LONG = "long"
    GARBAGE = "garbage"
    BIG_HEAD = "big head"
    """Nothing of the body was read."""
    TOO_BIG = "too big"
    UNWANTED = "unwanted"


class ExchangeError(Exception):
    """Inside this package only: ends an exchange, and becomes data at its edge."""

    def __init__(self, fault: Fault, message: str, truncated: Truncated | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.truncated = truncated


@dataclass(frozen=True, slots=True)
class Received:
    """A response as far as it came."""

    raw: bytes = b""
    """Without the interim responses (1xx), which are messages of their own."""
    response: HttpResponse | None = None
    """What its bytes say."""
    failure: ExchangeError | None = None
    keeps_connection: bool = False


_FRAMINGS: dict[Framing, tuple[Fault, Truncated | None]] = {
    Framing.CUT: (Fault.CUT, "disconnect"),
    Framing.LONG: (Fault.LONG, None),
    Framing.GARBAGE: (Fault.GARBAGE, "unspecified"),
    Framing.UNDONE: (Fault.GARBAGE, "unspecified"),
}


def read_response(receive: Receive, method: str, limits: Limits, wanted: IsWanted | None = None, glance: Glance | None = None) -> Received:
    """Read one whole response. What goes wrong on the way is in `failure`; nothing is raised."""
    data = bytearray()
    reader = ResponseReader(method, data)
    failure: ExchangeError | None = None
    try:
        _receive(data, reader, receive, limits, wanted)
    except ExchangeError as error:
        failure = error
    except TimeoutError:
        failure = ExchangeError(Fault.TIME, "the time was over before the response was whole", "time")
    except OSError as error:
        failure = ExchangeError(Fault.RESET, f"the connection broke: {error.strerror or error}", "disconnect")
    keeps = failure is None and reader.is_complete and reader.head is not None and reader.head.keeps_connection
    if glance is not None and failure is None and reader.is_complete:
        with suppress(OSError):
            data += glance(not keeps)
    whole = reader.data = bytes(data)
    data.clear()  # a large body is held no more often than need be
    response = reader.response()
    if failure is None and response is not None and response.framing in _FRAMINGS:
        fault, truncated = _FRAMINGS[response.framing]
        failure = ExchangeError(fault, response.fault or "the chunked body has no chunks", truncated)
    return Received(whole[reader.start :], response, failure, keeps and len(whole) == reader.announced)


def _receive(data: bytearray, reader: ResponseReader, receive: Receive, limits: Limits, wanted: IsWanted | None) -> None:
    """Take bytes off the connection until the response is whole, or past mending. Raises ExchangeError for what its bytes cannot tell."""
    while not reader.is_complete and reader.framing is None:
        head = reader.head
        if head is None and len(data) > _LONGEST_HEAD:
            raise _big_head()
        if head is not None and len(data) - head.end > limits.body:
            raise _too_big("the body is over the size limit")
        piece = receive()
        if not piece:
            break
        data += piece
        reader.advance()
        if reader.is_no_http:
            raise _no_http()
        if head is None and reader.head is not None:
            _check_head(data, reader, reader.head, limits, wanted)
    if reader.head is None:
        if len(data) > reader.start:
            raise ExchangeError(Fault.CUT, "the connection ended inside the head", "disconnect")
        raise ExchangeError(Fault.RESET, "the connection was closed without an answer", "disconnect")


def _check_head(data: bytearray, reader: ResponseReader, head: ResponseHead, limits: Limits, wanted: IsWanted | None) -> None:
    """Whether the body is to be read."""
    if head.end > _LONGEST_HEAD:
        raise _big_head()
    if data.count(b"\n", reader.start, head.end) > _MOST_HEADER_LINES:
        raise _big_head(f"more than {_MOST_HEADER_LINES} header lines")
    if head.version not in ("1.0", "1.1"):
        raise _no_http()
    if head.status == 101:
        raise ExchangeError(Fault.GARBAGE, "the server switched to a protocol that we did not ask for", "unspecified")
    if wanted is not None and not wanted(head.status, head.headers):
        raise ExchangeError(Fault.UNWANTED, "the body was not read", "unspecified")
    length = (reader.announced or 0) - head.end
    if length > limits.body and not limits.take_start:
        raise _too_big(f"a body of {length / MEGABYTE:.0f} MB is over the size limit")


def _big_head(what: str = "the head is over the size limit") -> ExchangeError:
    return ExchangeError(Fault.BIG_HEAD, what, "length")


def _too_big(what: str) -> ExchangeError:
    return ExchangeError(Fault.TOO_BIG, what, "length")


def _no_http() -> ExchangeError:
    return ExchangeError(Fault.GARBAGE, "the answer is not HTTP", "unspecified")
