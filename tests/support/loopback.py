"""A server that says exactly the bytes it is told to, on loopback."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Any

HTML = b"<!DOCTYPE html><p>hello</p>"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def answer(body: bytes = HTML, *lines: str, status: str = "200 OK", kind: str | None = "text/html") -> bytes:
    """What a server says that keeps the connection; `lines` are more of its head."""
    declared = [] if kind is None else [f"Content-Type: {kind}"]
    return "\r\n".join([f"HTTP/1.1 {status}", *declared, *lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


class Loopback:
    """What is asked for is answered by `answers[path]`: bytes, a script, or a list of those, one a request."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.requests: list[bytes] = []
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who waits in accept
        self._listener.close()

    def paths(self, *, rights: bool = False) -> list[str]:
        """The paths that were asked for, by default without robots.txt and tdmrep.json."""
        paths = [request.split(b" ", 2)[1].decode() for request in self.requests]
        return [path for path in paths if rights or path not in ("/robots.txt", "/.well-known/tdmrep.json")]

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                while head := self._read_head(connection):
                    self.requests.append(head)
                    answer = self._answer_to(head.split(b" ", 2)[1].decode())
                    if callable(answer):
                        answer(connection)
                        return
                    connection.sendall(answer)
                    if b"Connection: close" in answer or not answer.startswith(b"HTTP/1.1"):
                        return
            except OSError:
                return

    def _answer_to(self, path: str) -> Any:
        answer = self.answers.get(path, NOT_FOUND)
        if isinstance(answer, list):
            return answer.pop(0) if len(answer) > 1 else answer[0]
        return answer

    @staticmethod
    def _read_head(connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                return b""
            data += piece
        return data
