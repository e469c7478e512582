"""HTTP messages read from their bytes, off a connection or out of a record, without ever refusing: what
servers send is evidence.

There is no other reader of HTTP here, so that what a crawl says of an answer is what everybody reads in its
WARC file later.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from isal import isal_zlib

from webarticlecurator.model.capture import Capture, Exchange, Headers
from webarticlecurator.own_patterns import linear, linear_at

SECRET_HEADERS = frozenset({"cookie", "authorization", "proxy-authorization"})
"""The headers, in lower case, that are never stored."""
CONDITIONS = frozenset({"if-none-match", "if-modified-since"})
"""The headers, in lower case, with which a page is asked for only if it has changed."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 10
"""The most redirects that are followed from page to page, one after the other."""
GONE = frozenset({404, 410})
_HEAD_END = linear(rb"\r?\n\r?\n")
_STATUS_LINE = linear_at(r"(?:HTTP/(\d(?:\.\d)?)|ICY) +([1-9]\d\d)(?: .*)?", re.ASCII)
HEADER_NAME = linear(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CHUNK_SIZE = linear_at(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r*\n")
_CHUNK_SIZE_BEGUN = linear_at(rb"[ \t]*(?:[0-9A-Fa-f]{1,15}[ \t]*)?(?:;[^\n]*)?\r*")
_LENGTH = linear_at(r"[0-9]{1,18}")
_LONGEST_HEAD = 256 << 10
"""The most bytes of a head, interim responses included."""
_LONGEST_CHUNK_LINE = 4096

Flaw = Literal["cut", "long", "garbage", "undone"]
"""The ways in which a body may not fit what the head announces: it ends before, or goes on; nobody can say
where it ends; or there are no chunks, though the head announces them: some programs undo them before they
write a record, and keep the header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """An answer, taken apart."""

    status: int
    headers: Headers
    head_size: int
    """Bytes up to and with the empty line, interim responses included."""
    entity: bytes
    """The body: transfer coding removed, content coding kept. Of a body that is too long all of it."""
    flaw: Flaw | None = None
    """The flaw of how it is framed, which `flaw_text` tells in words."""
    flaw_text: str = ""
    until_close: bool = False
    """True if nothing but the end of the bytes ends the body, so only the content itself can tell whether it
    is whole."""


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """The status line and the headers of an answer."""

    version: str
    """The version: "1.1", "1.0", ...; empty where it is no HTTP version."""
    status: int
    headers: Headers
    end: int


def parse_response(block: bytes, method: str = "GET") -> HttpResponse | None:
    """Take a response apart; None when it is none. `method` is what was asked with: HEAD has no body."""
    reader = ResponseReader(method, block)
    reader.advance()
    return reader.response()


def status_of(block: bytes) -> int | None:
    """Return only the status of a response; None when it is none."""
    reader = ResponseReader(received=block)
    reader.find_head()
    return reader.head.status if reader.head else None


def parse_request(block: bytes) -> tuple[str, bytes] | None:
    """Return the method and body of a request; None when it is none."""
    if (end := _HEAD_END.search(block, 0, _LONGEST_HEAD)) is None:
        return None
    words = _parse_head(block[: end.start()])[0].split(" ")
    return (words[0], block[end.end() :]) if len(words) == 3 and words[0].isalpha() else None


def redact(block: bytes, secret: frozenset[str] = SECRET_HEADERS) -> tuple[bytes, tuple[str, ...]]:
    """A request with `[redacted]` for the values of these headers (lower case), and the names of those that
    were there."""
    end = _HEAD_END.search(block)
    head, rest = (block[: end.start()], block[end.start() :]) if end else (block, b"")
    lines: list[bytes] = []
    names: list[str] = []
    hiding = False
    for number, line in enumerate(head.split(b"\n")):
        text = line.decode("latin-1")
        if hiding and (text[:1] in (" ", "\t") or _name_of(text) is None):  # the secret goes on
            continue
        name = text.partition(":")[
            0
        ].strip()  # more is hidden than `_name_of` takes for a name: others may take it for one
        hiding = number > 0 and name.lower() in secret
        if hiding:
            names.append(name)
            line = f"{name}: [redacted]".encode("latin-1") + (b"\r" if line.endswith(b"\r") else b"")
        lines.append(line)
    return b"\n".join(lines) + rest, tuple(names)


def header(headers: Headers, name: str) -> str | None:
    """The first header of that (lower case) name."""
    return next((value for key, value in headers if key.lower() == name), None)


def mime_of(headers: Headers) -> str:
    """The media type of a body, in lower case and without parameters; empty where its headers name none that
    can be read."""
    declared = (header(headers, "content-type") or "").partition(";")[0].strip().lower()
    return declared if "/" in declared else ""


def joined(headers: Headers, name: str) -> str | None:
    """Return all values of that (lower case) name, joined as HTTP joins them."""
    values = [value for key, value in headers if key.lower() == name]
    return ", ".join(values) if values else None


class ResponseReader:
    """Reads one response, whose bytes are all there, or come in pieces: then `received` grows, and `advance`
    is called again."""

    def __init__(self, method: str = "GET", received: bytes | bytearray = b"") -> None:
        self.received = received
        self.start = 0
        """The place where the final response begins: after the interim ones, which are messages of their
        own."""
        self.head: ResponseHead | None = None
        self.is_no_http = False
        """True if it is known that this is no response at all."""
        self.announced: int | None = None
        """The place where the head, or the closing chunk, says that the response ends."""
        self.flaw: Flaw | None = None
        """Set as soon as something is wrong that no further byte can mend."""
        self._flaw_text = ""
        self._method = method
        self._searched = 0
        self._chunks: _Chunks | None = None

    @property
    def is_complete(self) -> bool:
        """True if the announced end has come."""
        return self.announced is not None and len(self.received) >= self.announced

    def advance(self) -> None:
        if self.head is None:
            self.find_head()
            if self.head is not None:
                self._announce(self.head)
        if self._chunks is not None:
            self._chunks.advance(self.received)
            self.announced = self._chunks.end
            if self._chunks.fault is not None:
                self._spoil_chunks(self._chunks)

    def response(self) -> HttpResponse | None:
        """Return what has come, taken for all there is; None when it is no response."""
        if (head := self.head) is None:
            return None
        if self._chunks is not None and self._chunks.are_none(self.received):
            self._spoil_chunks(self._chunks)
        end, received = self.announced, len(self.received)
        if end is None and self._chunks is not None:
            self._spoil("cut", "the connection ended inside the chunked body")
        elif end is not None and received < end:
            self._spoil("cut", f"the body was cut: {received - head.end} of {end - head.end} bytes came")
        elif end is not None and self.received[end:].strip(b"\r\n"):  # a stray line end harms nobody
            self._spoil("long", "the body goes on after the end that the head announces")
            end = (
                end if end == head.end else received
            )  # where a length is wrong, the rest may belong to the body
        body = memoryview(self.received)[head.end : received if end is None else end]
        entity = bytes(body) if self._chunks is None else self._chunks.entity(self.received)
        return HttpResponse(
            status=head.status,
            headers=head.headers,
            head_size=head.end,
            entity=entity,
            flaw=self.flaw,
            flaw_text=self._flaw_text,
            until_close=self.announced is None and self._chunks is None,
        )

    def find_head(self) -> None:
        """Look for the head of the final response."""
        while not self.is_no_http and self.head is None:
            if (end := _HEAD_END.search(self.received, self._searched, _LONGEST_HEAD)) is None:
                self._searched = max(self.start, len(self.received) - 3)  # the empty line may have begun
                begun = self.received[self.start : self.start + 5]
                self.is_no_http = not any(
                    begun.startswith(text[: len(begun)]) for text in (b"HTTP/", b"ICY ")
                )
                return
            line, headers = _parse_head(bytes(self.received[self.start : end.start()]))
            if (match := _STATUS_LINE.fullmatch(line)) is None:
                self.is_no_http = True
            elif match[2].startswith("1") and match[2] != "101":
                self.start = self._searched = end.end()
            else:
                self.head = ResponseHead(match[1] or "", int(match[2]), headers, end.end())

    def _announce(self, head: ResponseHead) -> None:
        """Take from the head where the body ends."""
        coding = (joined(head.headers, "transfer-encoding") or "").lower().strip()
        length = joined(head.headers, "content-length")
        if self._method == "HEAD" or head.status in (204, 304):
            self.announced = head.end
        elif coding not in ("", "identity"):
            if "chunked" in coding:
                self._chunks = _Chunks(head.end)
            if coding != "chunked":
                self._spoil("garbage", f'transfer coding "{coding[:40]}"')
        elif length is not None:
            values = {value.strip() for value in length.split(",")}
            value = values.pop()
            if values or not _LENGTH.fullmatch(value):
                self._spoil("garbage", f'Content-Length "{length[:60]}"')
            else:
                self.announced = head.end + int(value)

    def _spoil(self, flaw: Flaw, text: str) -> None:
        if self.flaw is None:  # what the head announces wrongly comes first
            self.flaw, self._flaw_text = flaw, text

    def _spoil_chunks(self, chunks: _Chunks) -> None:
        if chunks.are_none(self.received):
            self._chunks = None
            self._spoil("undone", "the chunked body has no chunks")
        else:
            self._spoil("garbage", chunks.fault or "")


class _Chunks:
    """The chunks of a body, as far as they have come."""

    def __init__(self, start: int) -> None:
        self.end: int | None = None
        """The place after the trailers."""
        self.fault: str | None = None
        """The reason why what follows the chunks so far is none."""
        self._start = start
        self._position = start
        """The place where the next chunk, or trailer, begins."""
        self._entity = bytearray()
        self._in_trailers = False

    def advance(self, received: bytes | bytearray) -> None:
        """Take the chunks, and after them the trailers, that are there."""
        while (
            self.end is None
            and self.fault is None
            and (line_end := self._line_end(received, self._position)) is not None
        ):
            size = (
                _CHUNK_SIZE.fullmatch(received, self._position, line_end) if not self._in_trailers else None
            )
            if self._in_trailers:
                self.end = None if received[self._position : line_end].strip(b"\r\n") else line_end
                self._position = line_end
            elif size is None:
                self.fault = "the chunked body has a size that is none"
            elif (end := line_end + int(size[1], 16)) == line_end:
                self._in_trailers, self._position = True, line_end
            elif len(received) <= end or (after := self._line_end(received, end)) is None:
                return  # its end has not come
            else:
                self._entity += received[line_end:end]
                self._position = after
                if received[end:after].strip(b"\r\n"):
                    self.fault = "a chunk is longer than its size"

    def are_none(self, received: bytes | bytearray) -> bool:
        """True if what came cannot even begin a chunk."""
        if self._position > self._start:
            return False
        line = received[self._start : self._start + _LONGEST_CHUNK_LINE].partition(b"\n")[0]
        return self.fault is not None or _CHUNK_SIZE_BEGUN.fullmatch(line) is None

    def entity(self, received: bytes | bytearray) -> bytes:
        """The data of the chunks, with what has come of the one that is cut."""
        size = None if self._in_trailers or self.fault else _CHUNK_SIZE.match(received, self._position)
        begun = received[size.end() : size.end() + int(size[1], 16)] if size else b""
        return bytes(self._entity) + begun  # copied once where nothing is cut

    def _line_end(self, received: bytes | bytearray, start: int) -> int | None:
        """The position after the line that begins at `start`; None where it has no end yet."""
        place = received.find(b"\n", start, start + _LONGEST_CHUNK_LINE)
        if place >= 0:
            return place + 1
        if len(received) - start >= _LONGEST_CHUNK_LINE:
            self.fault = "a line of the chunked body has no end"
        return None


def _parse_head(head: bytes) -> tuple[str, Headers]:
    """Return the first line and the headers, as browsers take them: UTF-8 or Latin-1, blanks around colons,
    folded lines; other lines are passed over."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    first, *lines = text.split("\n")
    headers: list[tuple[str, str]] = []
    for line in lines:
        if line[:1] in (" ", "\t") and headers:
            name, value = headers[-1]
            headers[-1] = (name, f"{value} {line.strip()}".strip())
            continue
        if known := _name_of(line):
            headers.append((known, line.partition(":")[2].strip()))
    return first.removesuffix("\r"), tuple(headers)


def _name_of(line: str) -> str | None:
    """The name in a line of a head; None where the line is no header."""
    name, colon, _ = line.partition(":")
    name = name.strip(" \t")
    return name if colon and HEADER_NAME.fullmatch(name) else None


# --- content codings undone within bounds: how big a body becomes, and whether it is whole, without ever holding a bomb ---

_PIECE = 1 << 16
BEST_RATIO = 1032
"""The best ratio of packing: deflate cannot pack better than this, so small bodies need no look."""
GZIP_MAGIC = b"\x1f\x8b"
_BROKEN: tuple[type[Exception], ...] = (isal_zlib.IsalError, zlib.error)  # type: ignore[assignment]  # the stubs take it for an instance


@dataclass(slots=True)
class Unpacked:
    """The result of unpacking a body."""

    content: bytes = b""
    """The unpacked bytes, where they were asked for; at most the cap."""
    too_big: bool = False
    cut: bool = False
    """True if the packed stream ends before its end mark."""
    broken: bool = False
    """True if garbage ended it."""


def codings_of(header: str | None) -> tuple[str, ...]:
    """The content codings in the order they were applied; those that we did not ask for are left to the
    reader of the page."""
    names = coding_names(header)
    return names if all(name in ("gzip", "deflate") for name in names) else ()


def coding_names(header: str | None) -> tuple[str, ...]:
    """The content codings that a header names, known or not, in the order they were applied."""
    names = (name.strip().lower().removeprefix("x-") for name in (header or "").split(","))
    return tuple(name for name in names if name not in ("", "identity"))


def unpack(body: bytes, codings: tuple[str, ...], cap: int, *, keep: bool = False) -> Unpacked:
    """Undo the codings; garbage ends it quietly, as far as it could be read."""
    result = Unpacked()
    result.content = b"".join(piece for piece in unpacked_pieces(body, codings, cap, result) if keep)[:cap]
    return result


def unpacked_body(answer: Capture | Exchange | HttpResponse, cap: int) -> bytes:
    """The beginning of a body without the codings that its headers tell; of a damaged one as far as it can be
    read."""
    codings = codings_of(joined(answer.headers, "content-encoding"))
    return unpack(answer.entity, codings, cap, keep=True).content if codings else answer.entity[:cap]


def unpacked_pieces(body: bytes, codings: tuple[str, ...], cap: int, result: Unpacked) -> Iterator[bytes]:
    """The unpacked bytes, piece by piece, so that nobody need hold them all; `result` tells in the end how it
    went."""
    if len(codings) > 3:
        result.too_big = True
        return
    pieces: Iterable[bytes] = (body[start : start + _PIECE] for start in range(0, len(body), _PIECE))
    for coding in reversed(codings):
        pieces = _inflate(pieces, coding, cap, result)
    yield from pieces


def _inflate(pieces: Iterable[bytes], coding: str, cap: int, result: Unpacked) -> Iterator[bytes]:
    """Undo one coding; gzip may have several members, deflate comes with and without its zlib header.

    What is called gzip and does not begin as such is as it was before it was packed: some servers, and
    archives made by others, have the plain body under the header of the packed one.
    """
    size = 0
    engine: Any = None
    waiting = filter(None, pieces)
    first = next(waiting, b"")
    if coding == "gzip" and not first.startswith(GZIP_MAGIC):
        yield from chain([first], waiting)
        return
    for piece in chain([first], waiting):
        while piece:
            engine = engine or _engine(coding, piece)
            try:
                out = engine.decompress(piece, _PIECE)
            except _BROKEN:
                result.broken = True
                return
            size += len(out)
            if size > cap:
                result.too_big = True
                yield out[: len(out) - (size - cap)]
                return
            yield out
            if not engine.eof:
                piece = engine.unconsumed_tail
                continue
            piece, engine = engine.unused_data, None
            if coding != "gzip" or not GZIP_MAGIC.startswith(piece[:2]):
                return
    result.cut = result.cut or engine is not None


def _engine(coding: str, begun: bytes) -> Any:
    """Return what unpacks a stream that begins with these bytes."""
    if coding == "gzip":
        return isal_zlib.decompressobj(wbits=16 + 15)
    has_header = len(begun) > 1 and begun[0] & 0x0F == 8 and int.from_bytes(begun[:2], "big") % 31 == 0
    return zlib.decompressobj(15 if has_header else -15)
