"""Exchanges over connections that are kept, every byte as it crosses the wire, within one deadline; requests sends them.

What requests and urllib3 would do otherwise than promised is done here: they look names up themselves, wait anew for every piece, write
heads in their own way, and hand on what they understood instead of what came.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from contextlib import suppress
from email.message import Message
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import certifi
import urllib3
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from urllib3.util import wait_for_read

from webarticlecurator.fetch.dialler import Dialler, seconds_left
from webarticlecurator.fetch.request import SENDABLE_COOKIE, Proxy, RequestTarget, Sent
from webarticlecurator.fetch.response import MEGABYTE, ExchangeError, Fault, IsWanted, Limits, Received
from webarticlecurator.http.message import Framing, ResponseReader

_LONGEST_HEAD = 64 << 10
"""Bytes of a response's head, interim responses included."""
_MOST_HEADER_LINES = 256
_PIECE = 1 << 16
_LONGEST_IDLE = 30.0
_MOST_KEPT = 32
"""Connections that are kept, over all hosts."""
_LINGER = 0.05
"""Seconds for which a connection that is to be closed anyway is watched for bytes beyond the body."""
_MOST_COOKIES_AT_ONCE = 50
_NO_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST")
"""What the library makes of an answer in plain HTTP."""
_FRAMINGS = {Framing.CUT: Fault.CUT, Framing.LONG: Fault.LONG, Framing.GARBAGE: Fault.GARBAGE, Framing.UNDONE: Fault.GARBAGE}


@cache
def tls_context(*, verify: bool) -> ssl.SSLContext:
    """Certificates of the system and of Mozilla's list; without verification also what only old servers speak.

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


class Connection:
    """An open connection to one origin, on which one exchange follows another."""

    def __init__(self, origin: str, sock: socket.socket, ip: str | None) -> None:
        self.origin = origin
        self.ip = ip
        """The portal's address; None behind a proxy."""
        self.used_at: float | None = None
        """When it last served a request; None on a new one."""
        self._sock = sock

    def is_usable(self) -> bool:
        """Whether it may serve another request: not idle for long, and the other side neither closed it nor said anything unasked."""
        return self.used_at is not None and time.monotonic() - self.used_at < _LONGEST_IDLE and not wait_for_read(self._sock, 0.0)

    def close(self) -> None:
        with suppress(OSError):
            self._sock.close()

    def exchange(self, sent: Sent, deadline: float) -> Received:
        """Send a message and read the whole response."""
        try:
            self._sock.settimeout(seconds_left(deadline))
            self._sock.sendall(sent.wire)
        except TimeoutError:
            return Received(failure=ExchangeError(Fault.TIME, "the request could not be sent within the time limit"))
        except OSError:
            pass  # A server may answer and close without reading all of the request: its answer counts, if there is one.
        received = self.receive(str(sent.method), deadline, sent.limits, sent.wanted)
        self.used_at = time.monotonic()
        return received

    def receive(self, method: str, deadline: float, limits: Limits, wanted: IsWanted | None = None, *, tunnel: bool = False) -> Received:
        """Read one response. What goes wrong on the way is in `failure`; nothing is raised.

        Where it opens a tunnel it is read byte by byte, for what follows its head belongs to the tunnel.
        """
        data = bytearray()
        reader = ResponseReader(method, data)
        failure: ExchangeError | None = None
        try:
            while not reader.is_complete and reader.framing is None and (piece := self._next_piece(deadline, 1 if tunnel else _PIECE)):
                has_head = reader.head is not None
                data += piece
                reader.advance()
                _check(data, reader, limits, None if has_head else wanted)
            if reader.head is None:
                begun = len(data) > reader.start
                what = "the connection ended inside the head" if begun else "the connection was closed without an answer"
                raise ExchangeError(Fault.CUT if begun else Fault.RESET, what)
        except ExchangeError as error:
            failure = error
        except TimeoutError:
            failure = ExchangeError(Fault.TIME, "the time was over before the response was whole")
        except OSError as error:
            failure = ExchangeError(Fault.RESET, f"the connection broke: {error.strerror or error}")
        keeps = failure is None and reader.is_complete and reader.head is not None and reader.head.keeps_connection
        if failure is None and reader.is_complete and not tunnel:
            # What comes after the end is evidence, too; a connection that goes on being used is not waited for.
            with suppress(OSError):
                self._sock.settimeout(0.0 if keeps else min(_LINGER, seconds_left(deadline)))
                data += self._sock.recv(_PIECE)
        whole = reader.data = bytes(data)
        data.clear()  # a large body is held no more often than need be
        response = reader.response()
        if failure is None and response is not None and response.framing in _FRAMINGS:
            failure = ExchangeError(_FRAMINGS[response.framing], response.fault or "the chunked body has no chunks")
        return Received(whole[reader.start :], response, failure, keeps and len(whole) == reader.announced)

    def _next_piece(self, deadline: float, most: int) -> bytes:
        if time.monotonic() >= deadline:
            raise TimeoutError
        self._sock.settimeout(seconds_left(deadline))
        return self._sock.recv(most)


def _check(data: bytearray, reader: ResponseReader, limits: Limits, wanted: IsWanted | None) -> None:
    """Whether more of a response is to be read, as far as its framing does not tell. Raises ExchangeError."""
    head = reader.head
    if reader.is_no_http or (head is not None and head.version not in ("1.0", "1.1")):
        raise ExchangeError(Fault.GARBAGE, "the answer is not HTTP")
    if (len(data) if head is None else head.end) > _LONGEST_HEAD:
        raise ExchangeError(Fault.BIG_HEAD, "the head is over the size limit")
    if head is None:
        return
    if data.count(b"\n", reader.start, head.end) > _MOST_HEADER_LINES:
        raise ExchangeError(Fault.BIG_HEAD, f"more than {_MOST_HEADER_LINES} header lines")
    if head.status == 101:
        raise ExchangeError(Fault.GARBAGE, "the server switched to a protocol that we did not ask for")
    if wanted is not None and not wanted(head.status, head.headers):
        raise ExchangeError(Fault.UNWANTED, "the body was not read")
    length = (reader.announced or 0) - head.end
    if length > limits.body and not limits.take_start:
        raise ExchangeError(Fault.TOO_BIG, f"a body of {length / MEGABYTE:.0f} MB is over the size limit")
    if len(data) - head.end > limits.body and not reader.is_complete:
        raise ExchangeError(Fault.TOO_BIG, "the body is over the size limit")


class Reply(Response):
    """What came of it. Of the headers requests is told the cookies, and nothing that it would act upon."""

    def __init__(self, received: Received, ip: str | None = None) -> None:
        super().__init__()
        self.received = received
        self.ip = ip
        cookies = Message()
        for name, value in received.response.headers if received.response else ():
            if name.lower() == "set-cookie" and len(cookies) < _MOST_COOKIES_AT_ONCE and SENDABLE_COOKIE.fullmatch(value):
                cookies["Set-Cookie"] = value
        if len(cookies):
            original: Any = SimpleNamespace(msg=cookies)
            self.raw = urllib3.HTTPResponse(preload_content=False, original_response=original)


class Adapter(BaseAdapter):
    """Has requests use our connections, which are kept from one request to the next."""

    def __init__(self, dialler: Dialler, *, verify_tls: bool) -> None:
        super().__init__()
        self._dialler = dialler
        self._verify_tls = verify_tls
        self._kept: list[Connection] = []
        """The one that was used last comes last."""
        self._lock = threading.Lock()

    def send(self, request: PreparedRequest, *_: Any, timeout: Any = None, **__: Any) -> Reply:
        """Make the exchange within so many seconds; whatever fails is in the reply."""
        sent, deadline = cast(Sent, request), time.monotonic() + timeout
        while True:
            kept = self._take(sent.target.origin)
            if kept is not None and not kept.is_usable():
                kept.close()
                continue
            try:
                connection = kept or self._open(sent.target, deadline)
            except ExchangeError as error:
                return Reply(Received(failure=error))
            received = connection.exchange(sent, deadline)
            if received.keeps_connection:
                self._keep(connection)
            else:
                connection.close()
            failure = received.failure
            if kept is None or received.raw or failure is None or failure.fault is not Fault.RESET:
                return Reply(received, connection.ip)
            # The server closed the kept connection while the request was on its way: nobody has seen an answer, so ask anew.

    def close(self) -> None:
        """Close the connections that were kept."""
        with self._lock:
            while self._kept:
                self._kept.pop().close()

    def _take(self, origin: str) -> Connection | None:
        with self._lock:
            kept = next((connection for connection in reversed(self._kept) if connection.origin == origin), None)
            if kept is not None:
                self._kept.remove(kept)
            return kept

    def _keep(self, connection: Connection) -> None:
        with self._lock:
            self._kept.append(connection)
            if len(self._kept) > _MOST_KEPT:
                self._kept.pop(0).close()

    def _open(self, target: RequestTarget, deadline: float) -> Connection:
        """A new connection, under TLS where that is asked for. Raises ExchangeError."""
        sock, ip = self._dialler.dial(target.host, target.port, deadline)
        if target.scheme == "http":
            return Connection(target.origin, sock, ip)
        try:
            if self._dialler.proxy is not None and self._dialler.proxy.scheme == "http":
                _open_tunnel(sock, target, self._dialler.proxy, deadline)
            sock.settimeout(seconds_left(deadline))
            sock = tls_context(verify=self._verify_tls).wrap_socket(sock, server_hostname=target.host.rstrip("."))
        except TimeoutError:
            failure = ExchangeError(Fault.TIME, "no TLS handshake within the time limit")
        except ssl.SSLCertVerificationError as error:
            failure = ExchangeError(Fault.CERTIFICATE, f"the certificate is not accepted: {error.verify_message}")
        except OSError as error:
            failure = ExchangeError(Fault.TLS, f"the TLS handshake failed: {_tls_problem(error)}")
        except ExchangeError as error:
            failure = error
        else:
            return Connection(target.origin, sock, ip)
        sock.close()
        raise failure


def _open_tunnel(sock: socket.socket, target: RequestTarget, proxy: Proxy, deadline: float) -> None:
    lines = [f"CONNECT {target.address} HTTP/1.1", f"Host: {target.address}"]
    if proxy.authorization:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    try:
        sock.settimeout(seconds_left(deadline))
        sock.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
    except OSError as error:
        raise ExchangeError(Fault.CONNECT, f"the proxy broke off: {error.strerror or error}") from None
    # As to a request by HEAD, there is no body.
    received = Connection(target.origin, sock, None).receive("HEAD", deadline, Limits(), tunnel=True)
    response, failure = received.response, received.failure
    if failure is not None or response is None or not 200 <= response.status < 300:
        said = f"HTTP {response.status}" if response is not None and failure is None else str(failure)
        raise ExchangeError(Fault.CONNECT, f"the proxy did not open a tunnel: {said}")


def _tls_problem(error: OSError) -> str:
    """Without the names and line numbers of the library."""
    reason = error.reason if isinstance(error, ssl.SSLError) else None
    if reason in _NO_TLS:
        return "the server does not seem to speak TLS at this port; try http:// instead of https://"
    return reason.replace("_", " ").lower() if reason else error.strerror or str(error)
