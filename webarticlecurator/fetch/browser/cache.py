"""What pages have in common, scripts above all, is asked for once per run: what its headers allow to be kept, within bounds."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from webarticlecurator.fetch.response import MEGABYTE
from webarticlecurator.http.message import header, joined
from webarticlecurator.model.capture import Exchange, Request

_KEPT_TYPES = frozenset({"script", "stylesheet", "font", "image"})
_UNDATED = 300.0
"""Seconds for which an answer counts as fresh that says nothing of it; RFC 9111 leaves it to us."""
_LONGEST = 86_400.0
_SHARE_OF_AGE = 0.1
_BIGGEST = 8 * MEGABYTE
_VARIES_WITH = frozenset({"accept-encoding", "origin", "accept"})
"""What requests of one page for one thing do not differ in."""


@dataclass(frozen=True, slots=True)
class _Kept:
    exchange: Exchange
    until: float


class LoadedCache:
    """Answers that are still fresh; those that were not asked for the longest go first."""

    def __init__(self, *, most: int = 32 * MEGABYTE, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._held = 0

    def find(self, request: Request) -> Exchange | None:
        """A fresh answer to this request."""
        kept = self._kept.get(request.url) if request.method == "GET" else None
        if kept is None:
            return None
        if self._clock() >= kept.until:
            self._drop(request.url)
            return None
        self._kept.move_to_end(request.url)
        return kept.exchange

    def keep(self, request: Request, exchange: Exchange, resource: str) -> None:
        """Remember an answer, where it may be."""
        size = len(exchange.entity)
        if resource not in _KEPT_TYPES or request.method != "GET" or exchange.status != 200 or exchange.error or size > _BIGGEST:
            return
        seconds = freshness(exchange)
        if seconds <= 0:
            return
        if request.url in self._kept:
            self._drop(request.url)
        self._kept[request.url] = _Kept(exchange, self._clock() + seconds)
        self._held += size
        while self._held > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, url: str) -> None:
        self._held -= len(self._kept.pop(url).exchange.entity)


def freshness(exchange: Exchange) -> float:
    """For how many seconds an answer may be used again without asking."""
    varies = {name.strip().lower() for name in (joined(exchange.headers, "vary") or "").split(",") if name.strip()}
    said = {name: value for name, _, value in (part.strip().lower().partition("=") for part in _control(exchange).split(","))}
    if not varies <= _VARIES_WITH or "no-store" in said or "no-cache" in said:
        return 0.0
    if "max-age" in said:
        age = header(exchange.headers, "age") or "0"
        return _number(said["max-age"]) - _number(age)
    answered = _date(exchange, "date") or exchange.started
    expires = header(exchange.headers, "expires")
    if expires is not None:
        until = _date(exchange, "expires")
        return (until - answered).total_seconds() if until is not None else 0.0
    changed = _date(exchange, "last-modified")
    if changed is None:
        return _UNDATED
    return max(_UNDATED, min(_LONGEST, _SHARE_OF_AGE * (answered - changed).total_seconds()))


def _control(exchange: Exchange) -> str:
    return joined(exchange.headers, "cache-control") or ("no-cache" if header(exchange.headers, "pragma") == "no-cache" else "")


def _number(text: str) -> float:
    text = text.strip('" ')
    return float(text[:10]) if text.isascii() and text.isdigit() else 0.0


def _date(exchange: Exchange, name: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(header(exchange.headers, name) or "")
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
