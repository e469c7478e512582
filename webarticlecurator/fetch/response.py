"""What an exchange comes to: its response as far as it came, within bounds, and what went wrong as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from webarticlecurator.http.message import HttpResponse
from webarticlecurator.model.capture import Exchange, Headers, Truncated

MEGABYTE = 1 << 20

IsWanted = Callable[[int, Headers], bool]
"""Asked as soon as the head is there: whether the body is worth reading."""


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


_TRUNCATED: dict[Fault, Truncated] = {
    Fault.TIME: "time",
    Fault.RESET: "disconnect",
    Fault.CUT: "disconnect",
    Fault.GARBAGE: "unspecified",
    Fault.BIG_HEAD: "length",
    Fault.TOO_BIG: "length",
    Fault.UNWANTED: "unspecified",
}
"""What a WARC record says of a response that a fault cut off."""


class ExchangeError(Exception):
    """Inside this package only: ends an exchange, and becomes data at its edge."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message

    @property
    def truncated(self) -> Truncated | None:
        """What it makes of a response that had begun."""
        return _TRUNCATED.get(self.fault)


@dataclass(frozen=True, slots=True)
class Received:
    """A response as far as it came."""

    raw: bytes = b""
    """Without the interim responses (1xx), which are messages of their own."""
    response: HttpResponse | None = None
    """What its bytes say."""
    failure: ExchangeError | None = None
    keeps_connection: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An exchange, and what kept it from being whole."""

    exchange: Exchange
    fault: Fault | None = None
    message: str = ""
