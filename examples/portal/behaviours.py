"""What a misbehaving portal does with a request: functions from a visit to an answer, right or wrong."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from email.utils import formatdate
from typing import Protocol

from .answers import Answer, Headers, RawAnswer, Request, head_bytes, html_answer
from .site import plain_text


class Inside(Protocol):
    """What a misbehaviour may ask of the portal."""

    home: str

    def answer(self, request: Request) -> Answer: ...

    def change_archive(self, request: Request, *, remove: bool) -> None:
        """Publish an article in the column of that archive page, or take its newest article away."""
        ...

    def last_page(self, request: Request) -> int:
        """How many pages the column (and interval) of that archive page has."""
        ...

    def now(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request that a switch touches."""

    request: Request
    inside: Inside
    count: int
    """How many requests this switch has touched, this one included."""
    url_count: int
    """How many of them asked for this very URL."""
    seconds: float
    """The switch's own setting: a pause or a delay."""

    def answer(self) -> Answer:
        """What the well-behaved portal would say."""
        return self.inside.answer(self.request)


Behaviour = Callable[[Visit], Answer | RawAnswer]


def answer_with(status: int, text: str = "", *headers: tuple[str, str]) -> Behaviour:
    body = f"<html><head><title>{status}</title></head><body><h1>{status}</h1><p>{text}</p></body></html>"
    return lambda _visit: html_answer(body, status=status).with_headers(*headers)


def redirect(location: str, status: int = 302) -> Behaviour:
    """`{home}`, `{target}` and `{count}` in the location are filled in."""

    def behave(visit: Visit) -> Answer:
        target = visit.request.target.partition("?")[0]
        where = location.format(home=visit.inside.home, target=target, count=visit.count)
        return Answer(status=status, headers=(("Location", where),))

    return behave


def wait(visit: Visit) -> Answer:
    return replace(visit.answer(), wait=visit.seconds)


def retry_later_date(visit: Visit) -> Answer:
    moment = formatdate(visit.inside.now() + visit.seconds, usegmt=True)
    return html_answer("<h1>429</h1>", status=429).with_headers(("Retry-After", moment))


def retry_later(visit: Visit) -> Answer:
    return html_answer("<h1>429</h1>", status=429).with_headers(("Retry-After", str(int(visit.seconds))))


def first_of_each_url(times: int, behave: Behaviour) -> Behaviour:
    return lambda visit: behave(visit) if visit.url_count <= times else visit.answer()


def page(text: str) -> Behaviour:
    return lambda _visit: html_answer(text)


CAPTCHA = """<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>
<h1>Checking your browser</h1><p>Please complete the security check to access kilenchid.example.</p>
<form id="challenge-form" action="/" method="post"><div class="g-recaptcha" data-sitekey="none"></div></form></body></html>"""
CONSENT = """<!DOCTYPE html><html lang="hu"><head><title>Hozzájárulás</title></head><body class="consent-wall">
<div id="consent-wall"><h1>Mielőtt továbblép</h1>
<p>We value your privacy. A folytatáshoz fogadja el a sütiket. Accept cookies to continue.</p>
<form action="/hozzajarulas" method="post">
<button name="consent" value="accept">Elfogadom / Accept all</button></form></div></body></html>"""
SAME_BODY = """<!DOCTYPE html><html lang="hu"><head><title>Kilenchíd</title></head><body><main><h1>Kilenchíd</h1>
<p>Köszönjük türelmét, hamarosan visszatérünk. Szerkesztőségünk addig is dolgozik.</p></main></body></html>"""


def consent_redirect(visit: Visit) -> Answer:
    if visit.request.path == "/hozzajarulas":
        return html_answer(CONSENT)
    return Answer(status=302, headers=(("Location", f"/hozzajarulas?vissza={visit.request.path}"),))


def cookie_required(visit: Visit) -> Answer:
    if "jegy=1" in visit.request.headers.get("cookie", ""):
        return visit.answer()
    return Answer(status=302, headers=(("Location", visit.request.target), ("Set-Cookie", "jegy=1; Path=/")))


def _headers_and(visit: Visit, *more: tuple[str, str]) -> tuple[Answer, bytes]:
    answer = visit.answer()
    return answer, head_bytes(answer.status, (*answer.headers, *more, ("Connection", "close")))


def claimed_length(difference: int, sent: Callable[[bytes], bytes] = bytes) -> Behaviour:
    def behave(visit: Visit) -> RawAnswer:
        length = len(visit.answer().body) + difference
        answer, head = _headers_and(visit, ("Content-Length", str(length)))
        return RawAnswer(chunks=iter((head, sent(answer.body))))

    return behave


def drip(visit: Visit) -> RawAnswer:
    answer, head = _headers_and(visit, ("Content-Length", str(len(visit.answer().body))))
    return RawAnswer(chunks=iter([head, *(bytes([byte]) for byte in answer.body)]), pause=visit.seconds)


def _chunks(body: bytes, size: int = 1000) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        piece = body[start : start + size]
        yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"


def chunked(answer: Answer) -> Answer:
    body = b"".join(_chunks(answer.body)) + b"0\r\n\r\n"
    return replace(answer.with_headers(("Transfer-Encoding", "chunked")), body=body)


def gzipped(answer: Answer) -> Answer:
    return replace(answer.with_headers(("Content-Encoding", "gzip"), drop="ETag"), body=gzip.compress(answer.body, 6, mtime=0))


def cut_chunks(visit: Visit) -> RawAnswer:
    answer, head = _headers_and(visit, ("Transfer-Encoding", "chunked"))
    pieces = list(_chunks(answer.body))
    return RawAnswer(chunks=iter((head, *pieces[: len(pieces) // 2])))


def reset(visit: Visit) -> RawAnswer:
    answer, head = _headers_and(visit, ("Content-Length", str(len(visit.answer().body))))
    return RawAnswer(chunks=iter((head + answer.body[: len(answer.body) // 2],)), reset=True)


def hang_up(_visit: Visit) -> RawAnswer:
    return RawAnswer(chunks=iter(()))


def garbage(_visit: Visit) -> RawAnswer:
    return RawAnswer(chunks=iter((b"\x16\x03\x01 this is not HTTP\r\n\r\n",)))


_HTML_HEAD: Headers = (("Content-Type", "text/html; charset=utf-8"), ("Connection", "close"))
_MEGABYTE = 1_000_000


def huge(megabytes: int, *, announced: bool) -> Behaviour:
    def chunks() -> Iterator[bytes]:
        length = (("Content-Length", str(megabytes * _MEGABYTE)),) if announced else ()
        yield head_bytes(200, _HTML_HEAD + length)
        paragraph = b"<p>A viz emelkedik, a viz apad, a viz emelkedik.</p>\n"
        piece = (paragraph * (_MEGABYTE // len(paragraph) + 1))[:_MEGABYTE]
        for _ in range(megabytes):
            yield piece

    return lambda _visit: RawAnswer(chunks=chunks())


def gzip_bomb(megabytes: int) -> Behaviour:
    """A megabyte of blanks packed to a kilobyte, again and again: flushed fully, each copy stands alone and the stream stays valid."""

    def chunks() -> Iterator[bytes]:
        yield head_bytes(200, (*_HTML_HEAD, ("Content-Encoding", "gzip")))
        blanks, packer = b" " * _MEGABYTE, zlib.compressobj(9, zlib.DEFLATED, 31)
        yield packer.compress(b"<html>") + packer.flush(zlib.Z_FULL_FLUSH)
        piece = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
        for _ in range(megabytes):
            yield piece

    return lambda _visit: RawAnswer(chunks=chunks())


def big_headers(visit: Visit) -> RawAnswer:
    answer, head = _headers_and(visit, ("Content-Length", str(len(visit.answer().body))), ("X-Nagy", "x" * _MEGABYTE))
    return RawAnswer(chunks=iter((head, answer.body)))


def drop_header(name: str) -> Behaviour:
    return lambda visit: visit.answer().with_headers(drop=name)


def content_type(value: str, body: bytes | None = None) -> Behaviour:
    def behave(visit: Visit) -> Answer:
        answer = visit.answer().with_headers(("Content-Type", value), drop="Content-Type")
        return replace(answer, body=answer.body if body is None else body)

    return behave


ROBOTS_LONG = "# " + "x" * 600_000 + "\nUser-agent: *\nDisallow: /\n"


def robots(text: str) -> Behaviour:
    return lambda _visit: plain_text(text)
