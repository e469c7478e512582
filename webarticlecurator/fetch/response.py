"""The results of asking: bounds, faults and answers as data, and the tables by which an answer gets its one
verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from webarticlecurator.model.capture import Exchange, Truncated
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol import message
from webarticlecurator.protocol.message import CONDITIONS, GONE, GZIP_MAGIC, REDIRECTS, Flaw, header, mime_of

MEGABYTE = 1 << 20

_READABLE_TYPE = linear_at(
    r"text/(?:html|plain|xml|json|javascript)|application/(?:json|xml|javascript|x-javascript)|(?!image/)[^/]+/[^/]+\+(?:xml|json)"
)
_NO_TYPE = frozenset(
    {"", "application/octet-stream", "application/unknown", "unknown/unknown", "content/unknown"}
)
"""The types that servers give who do not know the type of what they send: then the bytes decide."""
_NO_SITEMAP = ("audio/", "font/", "image/", "video/", "application/pdf")
_BINARY = linear(rb"^%PDF-|[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of how much of a body is taken."""

    body: int = 20 * MEGABYTE
    """Bytes of a body: as they cross the wire, and once more when unpacked."""
    take_start: bool = False
    """Read the start of a body whose announced length is over the cap, rather than nothing of it."""
    takes: Callable[[str], bool] = lambda _: True
    """Return True if a body of this type is worth reading, which is asked as soon as the head is there."""


PAGE_LIMITS = Limits(
    takes=lambda media_type: media_type in _NO_TYPE or _READABLE_TYPE.fullmatch(media_type) is not None
)
SITEMAP_LIMITS = Limits(body=64_000_000, takes=lambda media_type: not media_type.startswith(_NO_SITEMAP))
"""The standard allows 50 MB; one may be a gzip file, and what servers say of such files is anything."""

_REQUISITE_TYPES = (
    *("text/css", "text/plain", "image/", "font/", "binary/"),
    *("application/font", "application/x-font", "application/vnd.ms-font"),
)
"""Beginnings of the types of style sheets, pictures and fonts."""
REQUISITE_LIMITS = Limits(
    body=10 * MEGABYTE,
    takes=lambda media_type: media_type in _NO_TYPE or media_type.startswith(_REQUISITE_TYPES),
)

Fault = (
    Literal[
        "interrupted", "left alone"
    ]  # a person does not want to wait, or the host wants to be left for too long: nothing is asked
    | Literal["dns", "no host", "private", "connect", "certificate", "tls"]  # there was no connection
    | Literal["time", "reset", "unwanted", "big head", "too big"]
    | Literal["status"]  # the answer is whole, and of no use
    | Flaw
)
"""The reasons why a request has no whole answer."""

_TRUNCATED: dict[Fault, Truncated] = {
    "time": "time",
    **dict.fromkeys(("reset", "cut"), "disconnect"),
    **dict.fromkeys(("garbage", "undone", "unwanted"), "unspecified"),
    **dict.fromkeys(("big head", "too big"), "length"),
}
"""The word of a WARC record for a response that a fault cut off."""
SLOW_DOWN = frozenset({429, 503})
_PASSING_FAULTS: frozenset[Fault | None] = frozenset({"dns", "connect", "tls", "time", "reset", "cut"})
PASSING_STATUSES = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505, 511}
_OUTCOMES = {
    "private": FetchOutcome.REFUSED,
    "big head": FetchOutcome.TOO_BIG,
    "too big": FetchOutcome.TOO_BIG,
}
"""The outcome of a fault where it is no error."""
WHOLE_STATUSES = frozenset({200, 201, 202, 203, 204, 205, 207, 208, 226})


class ExchangeError(Exception):
    """Ends an exchange inside this package only, and becomes data at its edge."""

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        self.truncated = _TRUNCATED.get(fault)


@dataclass(slots=True)
class Answer:
    """Every attempt that was made at a request, and what kept the last from being whole."""

    exchanges: list[Exchange] = field(default_factory=list)
    failure: ExchangeError | None = None

    @property
    def fault(self) -> Fault | None:
        return self.failure.fault if self.failure is not None else None

    @property
    def status(self) -> int | None:
        return self.exchanges[-1].status if self.exchanges else None

    @property
    def location(self) -> str | None:
        """Return where it sends us, as it stands in the head; None when it is no redirect."""
        return header(self.exchanges[-1].headers, "location") or None if self.status in REDIRECTS else None

    @property
    def may_pass(self) -> bool:
        """True if asking again may bring another answer."""
        return self.status in PASSING_STATUSES if self.fault is None else self.fault in _PASSING_FAULTS


def verdict_of(answer: Answer) -> Verdict:
    """Return what an answer comes to; redirects are followed before this is asked."""
    status, fault, reason = answer.status, answer.fault, str(answer.failure)
    after = f" after {len(answer.exchanges)} attempts" if len(answer.exchanges) > 1 else ""
    if fault == "interrupted":
        return Verdict(FetchOutcome.QUEUED, reason)
    if fault == "left alone":
        return Verdict(FetchOutcome.ERROR, f"HTTP {status}: {reason}" if status else reason)
    if fault == "unwanted":
        return Verdict(FetchOutcome.REFUSED, f'type "{mime_of(answer.exchanges[-1].headers)}"')
    if status in GONE:
        return Verdict(FetchOutcome.GONE, f"HTTP {status}")
    if fault is not None and (status is None or status in WHOLE_STATUSES):
        return Verdict(_OUTCOMES.get(fault, FetchOutcome.ERROR), reason + after)
    if status in WHOLE_STATUSES:
        if not _may_be_read(answer.exchanges[-1]):
            return Verdict(FetchOutcome.REFUSED, "no type is declared, and the bytes are no text")
        return Verdict(FetchOutcome.FETCHED, f"HTTP {status}")
    if status == HTTPStatus.NOT_MODIFIED and any(
        name.lower() in CONDITIONS for name, _ in answer.exchanges[-1].request.headers
    ):
        return Verdict(FetchOutcome.FETCHED, "not modified")
    return Verdict(FetchOutcome.ERROR, f"HTTP {status}{after}")


def _may_be_read(exchange: Exchange) -> bool:
    """True if a body has a type, or at least does not begin as what nobody reads; of pictures and fonts of
    pages browsers say what they are."""
    if exchange.request.is_requisite:
        return True
    start = exchange.entity[:512]
    if mime_of(exchange.headers) not in _NO_TYPE or start.startswith(_BYTE_ORDER_MARKS):
        return True
    if start.startswith(GZIP_MAGIC):  # who unpacks it looks at it
        return header(exchange.headers, "content-encoding") is not None or exchange.request.is_sitemap
    return _BINARY.search(start) is None


def packing_fault(exchange: Exchange, most: int, *, until_close: bool) -> ExchangeError | None:
    """Return what is wrong with a packed body: it may be a bomb; and one that only the end of the connection
    ended may be cut."""
    codings = message.codings_of(message.joined(exchange.headers, "content-encoding"))
    if (
        codings
        and exchange.entity
        and (until_close or len(exchange.entity) * message.BEST_RATIO ** len(codings) > most)
    ):
        unpacked = message.unpack(exchange.entity, codings, most)
        if unpacked.too_big:
            return ExchangeError("too big", f"more than {most / MEGABYTE:.0f} MB when unpacked")
        if unpacked.cut and until_close:
            return ExchangeError("cut", "the connection ended inside the packed body")
    return None
