"""The portal's HTTP server: loopback only, one thread a connection, with its hands on the socket so that it can misbehave."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Callable
from email.utils import formatdate
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event

from .answers import Answer, RawAnswer, Request, head_bytes

Responder = Callable[[Request], Answer | RawAnswer]
_HEAD_LIMIT = 65_536
_BODY_LIMIT = 1_000_000
_IDLE_SECONDS = 60.0


class Server(ThreadingTCPServer):
    """Listens on 127.0.0.1 and nowhere else."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, port: int, respond: Responder) -> None:
        self.respond = respond
        self.stopped = Event()
        super().__init__(("127.0.0.1", port), _Connection)

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Connection(BaseRequestHandler):
    server: Server
    request: socket.socket

    def handle(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request.settimeout(_IDLE_SECONDS)
        self._waiting = b""
        with contextlib.suppress(OSError, ValueError):
            while not self.server.stopped.is_set():
                asked = self._read_request()
                if asked is None or not self._send(asked, self.server.respond(asked)):
                    return

    def _read_request(self) -> Request | None:
        """The next request on this connection; None when the client has gone. Raises ValueError for what is none."""
        while b"\r\n\r\n" not in self._waiting:
            if not self._receive() or len(self._waiting) > _HEAD_LIMIT:
                return None
        head, _, self._waiting = self._waiting.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _version = first.split(" ")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = min(int(headers.get("content-length", "0")), _BODY_LIMIT)
        while len(self._waiting) < length:
            if not self._receive():
                return None
        body, self._waiting = self._waiting[:length], self._waiting[length:]
        return Request(method=method, target=target, headers=headers, body=body)

    def _receive(self) -> bool:
        received = self.request.recv(65_536)
        self._waiting += received
        return bool(received)

    def _send(self, asked: Request, answer: Answer | RawAnswer) -> bool:
        """Whether the connection stays open."""
        if isinstance(answer, RawAnswer):
            self._send_raw(answer)
            return False
        if answer.wait and self.server.stopped.wait(answer.wait):
            return False
        keep = asked.headers.get("connection", "").lower() != "close"
        framing = [("Date", formatdate(usegmt=True)), ("Connection", "keep-alive" if keep else "close")]
        if answer.status != 304 and not any(name == "Transfer-Encoding" for name, _ in answer.headers):
            framing.append(("Content-Length", str(len(answer.body))))
        body = b"" if asked.method == "HEAD" else answer.body
        self.request.sendall(head_bytes(answer.status, (*answer.headers, *framing)) + body)
        return keep

    def _send_raw(self, answer: RawAnswer) -> None:
        for chunk in answer.chunks:
            self.request.sendall(chunk)
            if answer.pause and self.server.stopped.wait(answer.pause):
                return
        if answer.reset:
            # A linger time of zero makes the close a reset.
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.request.close()
