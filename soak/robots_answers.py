"""Random answers to robots.txt, made of a true file whose rule is known: what it forbids is never allowed."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import seams

from soak.cases import Case, Limits, Outcome

_RULES = "User-agent: *\nDisallow: /closed/\n"
_CLOSED = "http://pelda.example/closed/1"
_CHARSETS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-2", "cp1252")
_TOLD_CHARSETS = (*_CHARSETS, "utf-7", "x", "big5", "")
_TOLD_CODINGS = ("", "", "gzip", "x-gzip", " GZIP ,", "deflate", "gzip, deflate", "deflate, gzip", "gzip, gzip", "br", "identity", "zstd")
_REFUSALS = frozenset({400, 401, 402, 403, 404, 405, 406, 410, 418, 451})
_STATUSES = (*(200,) * 12, 201, 203, 206, 300, 304, 408, 425, 429, 500, 502, 503, 504, 599, *sorted(_REFUSALS))


def _raw_deflate(body: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(body) + engine.flush()


_PACKINGS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("", bytes),
    ("gzip", lambda body: gzip.compress(body, mtime=0)),
    ("deflate", zlib.compress),
    ("deflate", _raw_deflate),
    ("gzip, gzip", lambda body: gzip.compress(gzip.compress(body, mtime=0), mtime=0)),
    ("deflate, gzip", lambda body: gzip.compress(zlib.compress(body), mtime=0)),
)


def _message(chance: Random) -> tuple[bytes, int]:
    """Return an answer, and its status."""
    comment = "".join(chance.choices("abc űőé:/#*", k=chance.choice((0, 5, 300))))
    end = chance.choice(("\n", "\r\n", "\r"))
    text = f"# {comment}{end}{_RULES}# {comment}{end}".replace("\n", end if end != "\r\n" else "\n")
    coding, pack = chance.choice(_PACKINGS)
    body = pack(text.encode(chance.choice(_CHARSETS), "replace"))
    told = coding if chance.random() < 0.5 else chance.choice(_TOLD_CODINGS)
    status = chance.choice(_STATUSES)
    kind = chance.choice(("text/plain", "text/html", "image/png", ""))
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}; charset={chance.choice(_TOLD_CHARSETS)}"]
    if told:
        lines.append(f"Content-Encoding: {told}")
    if chance.random() < 0.2:
        lines.append("Transfer-Encoding: chunked")
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    else:
        lines.append(f"Content-Length: {len(body) + chance.choice((0, 0, 0, 0, 7, -7))}")
    if body and chance.random() < 0.25:
        body = body[: chance.randrange(len(body))]
    return "\r\n".join([*lines, "", ""]).encode() + body, status


def _random_answers(_: Path, limits: Limits) -> Outcome:
    """Give the reader of robots.txt one answer after the other, until time is over."""
    outcome, seed = Outcome(), int(time.time())
    for number in limits.numbers():
        outcome.times += 1
        message, status = _message(Random(seed + number))
        allowed = seams.robots_allow(message, _CLOSED)
        if allowed and status not in _REFUSALS:
            outcome.broken.append(f"seed {seed + number}: what is forbidden may be asked for: {message!r}")
        if len(outcome.broken) >= 10:
            break
    return outcome


CASES = (
    Case(
        kind="robots",
        name="random answers to robots.txt",
        done="robots.txt is answered by any status, packing and charset, true or not, and is cut off",
        happens="what it forbids is not asked for, and where it cannot be read, nothing is",
        run=_random_answers,
        times=100_000_000,
        short=2_000,
    ),
)
