"""A portal of sixty articles on a free port, and a client that hides nothing of what came over the wire."""

from __future__ import annotations

import socket
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from webarticlecurator.example_portal import ExamplePortal


@dataclass(frozen=True)
class Heard:
    """All bytes of one connection, and whether it ended with a reset."""

    received: bytes
    reset: bool = False
    timed_out: bool = False

    @property
    def status(self) -> int:
        return int(self.received.split(b" ", 2)[1])

    @property
    def headers(self) -> dict[str, str]:
        lines = self.received.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    @property
    def raw_body(self) -> bytes:
        return self.received.partition(b"\r\n\r\n")[2]

    @property
    def body(self) -> bytes:
        body = self.raw_body
        if self.headers.get("transfer-encoding") == "chunked":
            body = b"".join(_chunks(body))
        return zlib.decompress(body, 31) if self.headers.get("content-encoding") == "gzip" else body

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


def _chunks(body: bytes) -> Iterator[bytes]:
    while body:
        size, _, body = body.partition(b"\r\n")
        yield body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]


Ask = Callable[..., Heard]


@pytest.fixture
def portal() -> Iterator[ExamplePortal]:
    with ExamplePortal(articles=60, page_size=3) as running:
        yield running


@pytest.fixture
def ask(portal: ExamplePortal) -> Ask:
    """Ask the portal for a URL or a path; reads until the end, until `most` bytes, or for `patience` seconds without any."""
    address = ("127.0.0.1", int(portal.home.rpartition(":")[2]))

    def heard(
        url: str, *, method: str = "GET", body: bytes = b"", headers: str = "", most: int = 5_000_000, patience: float = 2.0
    ) -> Heard:
        target = url.removeprefix(portal.home)
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        received = b""
        with socket.create_connection(address, timeout=patience) as connection:
            try:
                request = f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{length}{headers}\r\n"
                connection.sendall(request.encode() + body)
                while len(received) < most and (more := connection.recv(65_536)):
                    received += more
            except ConnectionResetError:
                return Heard(received, reset=True)
            except TimeoutError:
                return Heard(received, timed_out=True)
        return Heard(received)

    return heard
