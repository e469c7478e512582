"""What a client asks and what the portal answers, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

Headers = tuple[tuple[str, str], ...]

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request; header names are in lower case."""

    method: str = "GET"
    target: str
    """Path and query as they were sent."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        return unquote(self.target.partition("?")[0])

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def form(self) -> dict[str, str]:
        """The fields of a POST."""
        return dict(parse_qsl(self.body[:10_000].decode("ascii", "replace"), keep_blank_values=True))

    def number(self, name: str) -> int:
        """A page number in the query: 1 when absent, 0 when it is not a number."""
        text = self.query.get(name, "1")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A well-formed response: its length is right, and the connection stays open."""

    status: int = 200
    headers: Headers = ()
    """All but Content-Length, Date and Connection."""
    body: bytes = b""
    wait: float = 0.0
    """Seconds before the first byte."""

    def with_headers(self, *headers: tuple[str, str], drop: str = "") -> Answer:
        """With these headers more, and without one."""
        kept = tuple(pair for pair in self.headers if pair[0] != drop)
        return replace(self, headers=kept + headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnswer:
    """Bytes as they go over the wire, right or wrong; afterwards the connection is closed."""

    chunks: Iterator[bytes]
    pause: float = 0.0
    """Seconds between two chunks."""
    reset: bool = False
    """End with a reset of the connection instead of an orderly close."""


def html_answer(text: str, *, status: int = 200) -> Answer:
    return Answer(status=status, headers=(("Content-Type", HTML),), body=text.encode())


def head_bytes(status: int, headers: Headers) -> bytes:
    """Status line and header lines, with the empty line after them."""
    reason = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n"
