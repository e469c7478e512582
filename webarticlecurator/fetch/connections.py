"""Exchanges over connections that are kept, every byte as it crosses the wire, within one deadline; requests
sends them.

What requests and urllib3 would do otherwise than promised is done here: they look names up themselves, wait
anew for every piece, write heads in their own way, and hand on what they understood instead of what came.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from functools import cache
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any, cast

import certifi
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from urllib3.util import wait_for_read

from webarticlecurator.fetch.dialler import Dialler, seconds_left
from webarticlecurator.fetch.request import SENDABLE_COOKIE, Proxy, RequestTarget, Sent
from webarticlecurator.fetch.response import MEGABYTE, ExchangeError, Limits
from webarticlecurator.protocol.message import HttpResponse, ResponseHead, ResponseReader, joined, mime_of

_LONGEST_HEAD = 64 << 10
_MOST_HEADER_LINES = 256
_NO_HTTP = "the answer is not HTTP, or changes to another protocol"
_PIECE = 1 << 16


@cache
def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Return the TLS context: certificates of the system and of Mozilla's list; without verification also
    what only old servers speak.

    One for all portals: to read the certificates takes 30 ms and a megabyte.
    """
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_ciphers("DEFAULT@SECLEVEL=1")
    return context


class Received(Response):
    """A response as far as it came. Of its headers requests is told the cookies, and nothing that it would
    act upon."""

    def __init__(
        self,
        failure: ExchangeError | None,
        message: bytes = b"",
        http: HttpResponse | None = None,
        ip: str | None = None,
    ) -> None:
        super().__init__()
        self.failure = failure
        self.message = message
        """The bytes of the response, without the interim responses (1xx), which are messages of their own."""
        self.http = http
        """The response that these bytes are; None if there is none."""
        self.ip = ip
        cookies = Message()
        for name, value in http.headers if http else ():
            if name.lower() == "set-cookie" and SENDABLE_COOKIE.fullmatch(value):
                cookies["Set-Cookie"] = value
        if len(cookies):
            self.raw = SimpleNamespace(_original_response=SimpleNamespace(msg=cookies))


@dataclass(slots=True, eq=False)
class Connection:
    """An open connection to one origin, on which one exchange follows another."""

    sock: socket.socket
    origin: str = ""
    ip: str | None = None
    """The portal's address; None behind a proxy."""
    used_at: float | None = None
    """The time when it last served a request after which another may follow."""

    def close(self) -> None:
        with suppress(OSError):
            self.sock.close()

    def exchange(
        self, message: bytes, method: str, deadline: float, limits: Limits, *, tunnel: bool = False
    ) -> Received:
        """Send a message and read the whole response. What goes wrong on the way is in `failure`; nothing is
        raised.

        Where it opens a tunnel it is read byte by byte, for what follows its head belongs to the tunnel.
        """
        answer = bytearray()
        reader = ResponseReader(method, answer)
        failure = self._receive(message, answer, reader, deadline, limits, piece=1 if tunnel else _PIECE)
        is_whole = failure is None and reader.is_complete
        keeps = is_whole and reader.head is not None and _is_kept(reader.head)
        if is_whole and not tunnel:
            # What comes after the end is evidence, too: it is waited for a moment where the connection is to
            # be closed anyway.
            with suppress(OSError):
                self.sock.settimeout(0.0 if keeps else min(0.05, seconds_left(deadline)))
                answer += self.sock.recv(_PIECE)
        whole = reader.received = bytes(answer)
        answer.clear()  # a large body is held no more often than need be
        http = reader.response()
        if failure is None and http is not None and http.flaw is not None:
            failure = ExchangeError(http.flaw, http.flaw_text)
        self.used_at = time.monotonic() if keeps and len(whole) == reader.announced else None
        return Received(failure, whole[reader.start :], http, self.ip)

    def _receive(
        self,
        message: bytes,
        answer: bytearray,
        reader: ResponseReader,
        deadline: float,
        limits: Limits,
        *,
        piece: int,
    ) -> ExchangeError | None:
        """Send a message and read into `answer` until the response is whole; return what went wrong."""
        try:
            self.sock.settimeout(seconds_left(deadline))
            # A server may answer and close without reading all of the request: its answer counts, if there is
            # one.
            with suppress(ConnectionError, ssl.SSLError):
                self.sock.sendall(message)
            while not reader.is_complete and reader.flaw is None:
                if time.monotonic() >= deadline:
                    raise TimeoutError
                self.sock.settimeout(seconds_left(deadline))
                received = self.sock.recv(piece)
                if not received:
                    break
                had_head = reader.head is not None
                answer += received
                reader.advance()
                _check(answer, reader, limits, is_new_head=not had_head)
        except ExchangeError as error:
            return error
        except TimeoutError:
            return ExchangeError("time", "the time was over before the response was whole")
        except OSError as error:
            return ExchangeError("reset", f"the connection broke: {error.strerror or error}")
        if reader.head is not None:
            return None
        if len(answer) > reader.start:
            return ExchangeError("cut", "the connection ended inside the head")
        return ExchangeError("reset", "the connection was closed without an answer")


def _is_kept(head: ResponseHead) -> bool:
    """True if another request may follow, by the headers of a response."""
    wishes = (joined(head.headers, "connection") or "").lower()
    return "close" not in wishes if head.version == "1.1" else "keep-alive" in wishes


def _check(answer: bytearray, reader: ResponseReader, limits: Limits, *, is_new_head: bool) -> None:
    """Check that more of a response is to be read, as far as its framing does not tell. Raises
    ExchangeError."""
    head = reader.head
    if reader.is_no_http:
        raise ExchangeError("garbage", _NO_HTTP)
    if head is None:
        _check_size_of_head(len(answer))
        return
    if is_new_head:
        _check_head(answer, reader.start, head, limits)
    announced = 0 if limits.take_start else reader.announced or 0
    is_over = not reader.is_complete and len(answer) - head.end > limits.body
    if is_over or announced - head.end > limits.body:
        raise ExchangeError("too big", f"the body is over the size limit of {limits.body / MEGABYTE:.0f} MB")


def _check_size_of_head(size: int) -> None:
    """Raise ExchangeError where a head, with the interim responses before it, is too large."""
    if size > _LONGEST_HEAD:
        raise ExchangeError("big head", "the head is over the size limit")


def _check_head(answer: bytearray, start: int, head: ResponseHead, limits: Limits) -> None:
    """Check the head of the final response, as soon as it is there. Raises ExchangeError."""
    if head.version not in ("1.0", "1.1") or head.status == HTTPStatus.SWITCHING_PROTOCOLS:
        raise ExchangeError("garbage", _NO_HTTP)
    _check_size_of_head(head.end)
    if answer.count(b"\n", start, head.end) > _MOST_HEADER_LINES:
        raise ExchangeError("big head", f"more than {_MOST_HEADER_LINES} header lines")
    if 200 <= head.status < 300 and not limits.takes(mime_of(head.headers)):
        raise ExchangeError("unwanted", "the body was not read")


class Adapter(BaseAdapter):
    """Has requests use our connections, which are kept from one request to the next."""

    def __init__(self, dialler: Dialler, *, verify_tls: bool) -> None:
        super().__init__()
        self._dialler = dialler
        self._verify_tls = verify_tls
        self._kept: list[Connection] = []
        """The one that was used last comes last."""
        self._lock = threading.Lock()

    def send(self, request: PreparedRequest, *_: Any, timeout: Any = None, **__: Any) -> Received:
        """Make the exchange within so many seconds; whatever fails is in what was received."""
        sent, deadline = cast(Sent, request), time.monotonic() + timeout
        while True:
            kept = self._take(sent.target.origin)
            try:
                connection = kept or self._open(sent.target, deadline)
            except ExchangeError as error:
                return Received(error)
            received = connection.exchange(sent.wire, sent.request.method, deadline, sent.limits)
            if connection.used_at is None:  # no other request may follow
                connection.close()
            else:
                with self._lock:
                    self._kept.append(connection)
                    if len(self._kept) > 32:  # over all hosts
                        self._kept.pop(0).close()  # that which was not used for longest
            failure = received.failure
            if kept is None or received.message or failure is None or failure.fault != "reset":
                return received
            # The server closed the kept connection while the request was on its way: nobody has seen an
            # answer, so ask anew.

    def close(self) -> None:
        with self._lock:
            while self._kept:
                self._kept.pop().close()

    def _take(self, origin: str) -> Connection | None:
        """Return a connection that is neither idle for long, nor was closed by the other side, nor has said
        anything unasked."""
        with self._lock:
            for connection in [kept for kept in reversed(self._kept) if kept.origin == origin]:
                self._kept.remove(connection)
                is_fresh = connection.used_at is not None and time.monotonic() - connection.used_at < 30.0
                if is_fresh and not wait_for_read(connection.sock, 0.0):
                    return connection
                connection.close()
        return None

    def _open(self, target: RequestTarget, deadline: float) -> Connection:
        """A new connection, under TLS where that is asked for. Raises ExchangeError."""
        sock, ip = self._dialler.dial(target.host, target.port, deadline)
        try:
            if target.scheme == "https":
                if self._dialler.proxy is not None and self._dialler.proxy.scheme == "http":
                    _open_tunnel(sock, target, self._dialler.proxy, deadline)
                sock = _secured(sock, target, tls_context(verify=self._verify_tls), deadline)
        except ExchangeError:
            sock.close()
            raise
        return Connection(sock, target.origin, ip)


def _open_tunnel(sock: socket.socket, target: RequestTarget, proxy: Proxy, deadline: float) -> None:
    """Have a proxy open a tunnel to an origin. Raises ExchangeError."""
    lines = [f"CONNECT {target.address} HTTP/1.1", f"Host: {target.address}"]
    if proxy.authorization:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    message = "\r\n".join([*lines, "", ""]).encode("ascii")
    # As to a request by HEAD, there is no body.
    received = Connection(sock).exchange(message, "HEAD", deadline, Limits(), tunnel=True)
    if received.failure is not None or received.http is None:
        raise ExchangeError("connect", f"the proxy did not open a tunnel: {received.failure}")
    if not 200 <= received.http.status < 300:
        raise ExchangeError("connect", f"the proxy did not open a tunnel: HTTP {received.http.status}")


def _secured(
    sock: socket.socket, target: RequestTarget, context: ssl.SSLContext, deadline: float
) -> ssl.SSLSocket:
    try:
        sock.settimeout(seconds_left(deadline))
        return context.wrap_socket(sock, server_hostname=target.host.rstrip("."))
    except TimeoutError:
        raise ExchangeError("time", "no TLS handshake within the time limit") from None
    except ssl.SSLCertVerificationError as error:
        raise ExchangeError(
            "certificate", f"the certificate is not accepted: {error.verify_message}"
        ) from None
    except OSError as error:
        reason = (
            error.reason if isinstance(error, ssl.SSLError) else None
        )  # without the names and line numbers of the library
        problem = reason.replace("_", " ").lower() if reason else error.strerror or str(error)
        if reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST"):  # what it makes of an answer in plain HTTP
            problem = "the server does not seem to speak TLS at this port; try http:// instead of https://"
        raise ExchangeError("tls", f"the TLS handshake failed: {problem}") from None
