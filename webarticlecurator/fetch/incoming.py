"""One HTTP/1.1 response read off a connection: every byte kept as it came, within bounds, and what went wrong as data."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from webarticlecurator.fetch.limits import MEGABYTE, Limits
from webarticlecurator.model.capture import Headers, Truncated

Receive = Callable[[], bytes]
"""The next bytes of the connection, b"" at its end; raises TimeoutError past the deadline, OSError when it breaks."""

Wanted = Callable[[int, Headers], bool]
"""Asked once the head is there: whether the body is worth reading."""


class Fault(StrEnum):
    """What kept an exchange from being whole."""

    DNS = "dns"
    NO_HOST = "no host"
    PRIVATE = "private address"
    CONNECT = "connect"
    CERTIFICATE = "certificate"
    TLS = "tls"
    TIME = "time"
    RESET = "reset"
    CUT = "cut"
    LONG = "long"
    GARBAGE = "garbage"
    TOO_BIG = "too big"
    UNWANTED = "unwanted"


class Trouble(Exception):
    """Inside this package only: ends an exchange, and becomes data at its edge."""

    def __init__(self, fault: Fault, message: str, truncated: Truncated | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.truncated = truncated


@dataclass(slots=True)
class Received:
    """A response as far as it came."""

    raw: bytes = b""
    status: int | None = None
    headers: Headers = ()
    parts: list[bytes] = field(default_factory=list)
    """The entity: the body without its transfer coding."""
    until_close: bool = False
    """Only the end of the connection ended the body, so nothing but the content itself can tell whether it is whole."""
    reusable: bool = False
    trouble: Trouble | None = None

    @property
    def entity(self) -> bytes:
        return self.parts[0] if len(self.parts) == 1 else b"".join(self.parts)

    def header(self, name: str) -> str | None:
        """The values of that header, joined as HTTP joins them; None where there is none."""
        values = [value for key, value in self.headers if key.lower() == name]
        return ", ".join(values) if values else None


_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/(1\.[01]) +([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,12})[ \t]*(?:;[^\n]*)?")
_LONGEST_CHUNK_LINE = 4096
_BODILESS = frozenset({204, 304})


class _Stream:
    """What has come so far, and more of it on demand."""

    def __init__(self, receive: Receive) -> None:
        self.data = bytearray()
        self.cap: int | None = None
        self.take_start = False
        self._receive = receive

    def more(self) -> bool:
        """Wait for more bytes; False at the end of the connection."""
        if self.cap is not None and len(self.data) > self.cap:
            raise Trouble(Fault.TOO_BIG, "the body is over the size limit", "length")
        piece = self._receive()
        self.data += piece
        return bool(piece)

    def need(self, end: int, what: str) -> None:
        """Wait until `end` bytes are there."""
        while len(self.data) < end:
            if not self.more():
                raise Trouble(Fault.CUT, f"the connection ended inside {what}", "disconnect")

    def line(self, start: int) -> int:
        """The position after the line that begins at `start`."""
        while (end := self.data.find(b"\n", start)) < 0:
            if len(self.data) - start > _LONGEST_CHUNK_LINE:
                raise Trouble(Fault.GARBAGE, "a chunk's size line has no end", "unspecified")
            self.need(len(self.data) + 1, "the chunked body")
        return end + 1


def read_response(receive: Receive, method: str, limits: Limits, wanted: Wanted | None = None) -> Received:
    """Read one whole response. What goes wrong on the way is in `trouble`; nothing is raised."""
    response = Received()
    stream = _Stream(receive)
    try:
        start = _read_head(stream, response, limits)
        if wanted is not None and not wanted(response.status or 0, response.headers):
            raise Trouble(Fault.UNWANTED, "the body was not read", "unspecified")
        stream.cap, stream.take_start = start + limits.body, limits.take_start
        end = _read_body(stream, response, method, start)
        _check_surplus(stream, response, end)
    except Trouble as trouble:
        response.trouble = trouble
    except TimeoutError:
        response.trouble = Trouble(Fault.TIME, "the time was over before the response was whole", "time")
    except OSError as error:
        response.trouble = Trouble(Fault.RESET, f"the connection broke: {error.strerror or error}", "disconnect")
    response.raw = bytes(stream.data)
    return response


def find_surplus(response: Received, receive: Receive) -> None:
    """Look once more for bytes after the end, where there is nothing to lose by it."""
    if response.trouble is None and not response.until_close:
        try:
            surplus = receive()
        except OSError:
            return
        response.reusable = False
        if surplus.strip(b"\r\n"):
            response.raw += surplus
            response.trouble = _too_long()


def _read_head(stream: _Stream, response: Received, limits: Limits) -> int:
    """Read heads until that of the final response; interim responses (1xx) are dropped, as they are messages of their own."""
    budget = limits.head
    while True:
        end = _find_head_end(stream, budget)
        budget -= end
        matched = _STATUS_LINE.match(stream.data)
        if matched is None:
            raise Trouble(Fault.GARBAGE, "the answer is not HTTP", "unspecified")
        status = int(matched[2])
        if status >= 200:
            response.headers = _parse_headers(bytes(stream.data[matched.end() : end]), limits)
            response.status = status
            response.reusable = _keeps_alive(matched[1], response)
            return end
        if status == 101:
            raise Trouble(Fault.GARBAGE, "the server switched to a protocol that we did not ask for", "unspecified")
        del stream.data[:end]


def _find_head_end(stream: _Stream, budget: int) -> int:
    searched = 0
    while True:
        data = stream.data
        found = _HEAD_END.search(data, searched)
        if (found.end() if found else len(data)) > budget:
            raise Trouble(Fault.TOO_BIG, "the head is over the size limit", "length")
        if found:
            return found.end()
        if data and not data.startswith(b"HTTP/"[: len(data)]):
            raise Trouble(Fault.GARBAGE, "the answer is not HTTP", "unspecified")
        searched = max(0, len(data) - 3)
        if not stream.more():
            if data:
                raise Trouble(Fault.CUT, "the connection ended inside the head", "disconnect")
            raise Trouble(Fault.RESET, "the connection was closed without an answer", "disconnect")


def _parse_headers(head: bytes, limits: Limits) -> Headers:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    lines = text.split("\n")
    if len(lines) > limits.header_lines:
        raise Trouble(Fault.TOO_BIG, f"more than {limits.header_lines} header lines", "length")
    headers: list[tuple[str, str]] = []
    for line in lines:
        if line[:1] in (" ", "\t") and headers:  # a folded line goes on with the header above
            name, value = headers[-1]
            headers[-1] = (name, f"{value} {line.strip()}".strip())
            continue
        name, colon, value = line.partition(":")
        if colon and _NAME.fullmatch(name):
            headers.append((name, value.strip()))
    return tuple(headers)


def _keeps_alive(version: bytes, response: Received) -> bool:
    connection = (response.header("connection") or "").lower()
    return "close" not in connection if version == b"1.1" else "keep-alive" in connection


def _read_body(stream: _Stream, response: Received, method: str, start: int) -> int:
    """Read the body that the head announces; gives the position of its end."""
    if method == "HEAD" or response.status in _BODILESS:
        return start
    coding = (response.header("transfer-encoding") or "").lower().strip()
    if coding == "chunked":
        return _read_chunks(stream, response, start)
    if coding not in ("", "identity"):
        raise Trouble(Fault.GARBAGE, f'transfer coding "{coding[:40]}"', "unspecified")
    length = _content_length(response)
    if length is None:
        return _read_until_close(stream, response, start)
    end = start + length
    try:
        if stream.cap is not None and end > stream.cap and not stream.take_start:
            raise Trouble(Fault.TOO_BIG, f"a body of {length / MEGABYTE:.0f} MB is over the size limit", "length")
        while len(stream.data) < end:
            if not stream.more():
                came = len(stream.data) - start
                raise Trouble(Fault.CUT, f"the body was cut: {came} of {length} bytes came", "disconnect")
    finally:
        response.parts.append(bytes(memoryview(stream.data)[start:end]))  # copied once, not twice
    return end


def _content_length(response: Received) -> int | None:
    header = response.header("content-length")
    if header is None:
        return None
    values = {value.strip() for value in header.split(",")}
    value = values.pop()
    if values or not (value.isascii() and value.isdigit() and len(value) < 19):
        raise Trouble(Fault.GARBAGE, f'Content-Length "{header[:60]}"', "unspecified")
    return int(value)


def _read_until_close(stream: _Stream, response: Received, start: int) -> int:
    response.until_close, response.reusable = True, False
    try:
        while stream.more():
            pass
    finally:
        response.parts.append(bytes(stream.data[start:]))
    return len(stream.data)


def _read_chunks(stream: _Stream, response: Received, position: int) -> int:
    while True:
        after_line = stream.line(position)
        matched = _CHUNK_SIZE.fullmatch(stream.data[position:after_line].rstrip(b"\r\n"))
        if matched is None:
            raise Trouble(Fault.GARBAGE, "the chunked body has a size that is none", "unspecified")
        size = int(matched[1], 16)
        if size == 0:
            return _skip_trailers(stream, after_line)
        end = after_line + size
        try:
            stream.need(end, "the chunked body")
        finally:
            response.parts.append(bytes(stream.data[after_line:end]))
        position = stream.line(end)
        if stream.data[end:position].strip(b"\r\n"):
            raise Trouble(Fault.GARBAGE, "a chunk is longer than its size", "unspecified")


def _skip_trailers(stream: _Stream, position: int) -> int:
    while True:
        end = stream.line(position)
        if not stream.data[position:end].strip(b"\r\n"):
            return end
        position = end


def _check_surplus(stream: _Stream, response: Received, end: int) -> None:
    surplus = stream.data[end:]
    if surplus:
        response.reusable = False
        if surplus.strip(b"\r\n"):  # a stray line end harms nobody
            raise _too_long()


def _too_long() -> Trouble:
    return Trouble(Fault.LONG, "the body goes on after the end that the head announces")
