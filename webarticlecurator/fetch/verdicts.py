"""What an exchange amounts to: the tables that turn statuses, faults and types into outcomes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webarticlecurator.fetch.client import Answer
from webarticlecurator.fetch.response import Fault
from webarticlecurator.http.codings import GZIP_MAGIC
from webarticlecurator.http.message import header
from webarticlecurator.model.capture import Exchange, Headers
from webarticlecurator.model.outcome import FetchOutcome, Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and whether waiting could mend it."""

    verdict: Verdict
    permanent: bool = False


_OUTCOMES = {Fault.PRIVATE: FetchOutcome.REFUSED, Fault.BIG_HEAD: FetchOutcome.TOO_BIG, Fault.TOO_BIG: FetchOutcome.TOO_BIG}
"""What a fault comes to where it is no error."""
_GONE = frozenset({404, 410})
_WHOLE = frozenset({200, 201, 202, 203, 204, 205, 207, 208, 226})
_NOT_MODIFIED = 304
_CONDITIONS = frozenset({"if-none-match", "if-modified-since"})

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
    found = (header(headers, "content-type") or "").partition(";")[0].strip().lower()
    return found if "/" in found else ""


def is_wanted(status: int, headers: Headers) -> bool:
    """Whether the body of a response is worth reading: known to be a page, or not known to be anything else."""
    return not 200 <= status < 300 or _may_be_page(media_type(headers))


def is_wanted_sitemap(status: int, headers: Headers) -> bool:
    """The same of a sitemap: it may be a gzip file, and what servers say of such files is anything."""
    return not 200 <= status < 300 or not media_type(headers).startswith(_NO_SITEMAP)


def rule(answer: Answer, attempts: int) -> Ruling:
    """What the last answer to a request comes to; redirects are followed before this is asked."""
    exchange = answer.exchange
    after = f" after {attempts} attempts" if attempts > 1 else ""
    if answer.fault is Fault.UNWANTED:
        return Ruling(Verdict(FetchOutcome.REFUSED, f'type "{media_type(exchange.headers)}"'))
    if exchange.status in _GONE:
        return Ruling(Verdict(FetchOutcome.GONE, f"HTTP {exchange.status}"))
    if answer.fault is not None and (exchange.status is None or exchange.status in _WHOLE):
        verdict = Verdict(_OUTCOMES.get(answer.fault, FetchOutcome.ERROR), answer.message + after)
        return Ruling(verdict, permanent=answer.fault is Fault.CERTIFICATE)
    return _rule_status(exchange, after)


def _rule_status(exchange: Exchange, after: str) -> Ruling:
    status = exchange.status
    if status in _WHOLE:
        if exchange.entity and not _may_be_text(exchange):
            return Ruling(Verdict(FetchOutcome.REFUSED, "no type is declared, and the bytes are no text"))
        return Ruling(Verdict(FetchOutcome.FETCHED, f"HTTP {status}"))
    if status == _NOT_MODIFIED and any(name.lower() in _CONDITIONS for name, _ in exchange.request.headers):
        return Ruling(Verdict(FetchOutcome.FETCHED, "not modified"))
    if status is not None and 300 <= status < 400:
        return Ruling(Verdict(FetchOutcome.ERROR, f"HTTP {status} without a place to go to"))
    return Ruling(Verdict(FetchOutcome.ERROR, f"HTTP {status}{after}"))


def _may_be_page(declared: str) -> bool:
    return declared in _NO_TYPE or _READABLE_TYPE.fullmatch(declared) is not None


def _may_be_text(exchange: Exchange) -> bool:
    """Where no type is declared: whether the bytes can be text (packed ones are looked at by who unpacks them)."""
    if media_type(exchange.headers) not in _NO_TYPE:
        return True
    start = exchange.entity[:512]
    packed = header(exchange.headers, "content-encoding") is not None or exchange.request.is_sitemap
    return (packed and start.startswith(GZIP_MAGIC)) or start.startswith(_BYTE_ORDER_MARKS) or _BINARY.search(start) is None
