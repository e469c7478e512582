"""What an exchange amounts to: the tables that turn statuses, faults and types into outcomes, and say what is asked for again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webarticlecurator.fetch.response import Answer, Fault
from webarticlecurator.http.codings import GZIP_MAGIC
from webarticlecurator.http.message import CONDITIONS, GONE, REDIRECTS, header
from webarticlecurator.model.capture import Exchange, Headers
from webarticlecurator.model.outcome import FetchOutcome, Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and whether waiting could mend it."""

    verdict: Verdict
    permanent: bool = False


SLOW_DOWN = frozenset({429, 503})
PASSING_FAULTS = frozenset({Fault.DNS, Fault.CONNECT, Fault.TLS, Fault.TIME, Fault.RESET, Fault.CUT})
_PASSING_STATUSES = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505, 511}
_OUTCOMES = {Fault.PRIVATE: FetchOutcome.REFUSED, Fault.BIG_HEAD: FetchOutcome.TOO_BIG, Fault.TOO_BIG: FetchOutcome.TOO_BIG}
"""What a fault comes to where it is no error."""
_WHOLE = frozenset({200, 201, 202, 203, 204, 205, 207, 208, 226})
_NOT_MODIFIED = 304

_READABLE_TYPE = re.compile(
    r"text/(?:html|plain|xml|json|javascript)|application/(?:json|xml|javascript|x-javascript)|(?!image/)[^/]+/[^/]+\+(?:xml|json)"
)
_NO_TYPE = frozenset({"", "application/octet-stream", "application/unknown", "unknown/unknown", "content/unknown"})
"""What servers say that do not know the type of what they send: then the bytes decide."""
_BINARY = re.compile(rb"^%PDF-|[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_NO_SITEMAP = ("audio/", "font/", "image/", "video/", "application/pdf")


def media_type(headers: Headers) -> str:
    """The type that the response declares, lower case, without parameters; "" where there is none that can be read."""
    declared = (header(headers, "content-type") or "").partition(";")[0].strip().lower()
    return declared if "/" in declared else ""


def is_wanted(status: int, headers: Headers) -> bool:
    """Whether the body of a response is worth reading: known to be a page, or not known to be anything else."""
    declared = media_type(headers)
    return not 200 <= status < 300 or declared in _NO_TYPE or _READABLE_TYPE.fullmatch(declared) is not None


def is_wanted_sitemap(status: int, headers: Headers) -> bool:
    """The same of a sitemap: it may be a gzip file, and what servers say of such files is anything."""
    return not 200 <= status < 300 or not media_type(headers).startswith(_NO_SITEMAP)


def may_pass(answer: Answer) -> bool:
    """Whether asking again may bring another answer."""
    return answer.fault in PASSING_FAULTS if answer.fault is not None else answer.exchange.status in _PASSING_STATUSES


def redirect_location(exchange: Exchange) -> str | None:
    """Where a response sends us, as it stands in its head; None when it is no redirect."""
    return header(exchange.headers, "location") or None if exchange.status in REDIRECTS else None


def rule(answer: Answer, attempts: int) -> Ruling:
    """What the last answer to a request comes to; redirects are followed before this is asked."""
    exchange, status = answer.exchange, answer.exchange.status
    after = f" after {attempts} attempts" if attempts > 1 else ""
    permanent = False
    if answer.fault is Fault.UNWANTED:
        outcome, reason = FetchOutcome.REFUSED, f'type "{media_type(exchange.headers)}"'
    elif status in GONE:
        outcome, reason = FetchOutcome.GONE, f"HTTP {status}"
    elif answer.fault is not None and (status is None or status in _WHOLE):
        outcome, reason = _OUTCOMES.get(answer.fault, FetchOutcome.ERROR), answer.message + after
        permanent = answer.fault is Fault.CERTIFICATE
    elif status in _WHOLE and exchange.entity and not _may_be_text(exchange):
        outcome, reason = FetchOutcome.REFUSED, "no type is declared, and the bytes are no text"
    elif status in _WHOLE:
        outcome, reason = FetchOutcome.FETCHED, f"HTTP {status}"
    elif status == _NOT_MODIFIED and any(name.lower() in CONDITIONS for name, _ in exchange.request.headers):
        outcome, reason = FetchOutcome.FETCHED, "not modified"
    elif status is not None and 300 <= status < 400:
        outcome, reason = FetchOutcome.ERROR, f"HTTP {status} without a place to go to"
    else:
        outcome, reason = FetchOutcome.ERROR, f"HTTP {status}{after}"
    return Ruling(Verdict(outcome, reason), permanent)


def _may_be_text(exchange: Exchange) -> bool:
    """Where no type is declared: whether the bytes can be text (packed ones are looked at by who unpacks them)."""
    if media_type(exchange.headers) not in _NO_TYPE:
        return True
    start = exchange.entity[:512]
    packed = header(exchange.headers, "content-encoding") is not None or exchange.request.is_sitemap
    return (packed and start.startswith(GZIP_MAGIC)) or start.startswith(_BYTE_ORDER_MARKS) or _BINARY.search(start) is None
