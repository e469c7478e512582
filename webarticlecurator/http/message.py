"""HTTP messages as WARC records hold them: taken apart without ever refusing, since what servers send is evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webarticlecurator.model.capture import Headers

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS_LINE = re.compile(r"(?:HTTP/\d(?:\.\d)?|ICY) +(\d{3})(?: .*)?")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_LONGEST_HEAD = 256 << 10
_BODILESS = frozenset({204, 304})


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """One HTTP response."""

    status: int
    headers: Headers
    head_size: int
    """Bytes up to and with the empty line, interim responses included."""
    entity: bytes
    """Transfer coding removed, content coding kept."""
    fault: str | None = None
    """What is wrong with how it is framed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One HTTP request."""

    method: str
    headers: Headers
    body: bytes


def parse_response(block: bytes, method: str = "GET") -> HttpResponse | None:
    """Take a response apart; None when it is none. `method` is what was asked with: HEAD has no body."""
    final = _final_head(block)
    if final is None:
        return None
    status, headers, end = final
    entity, fault = _entity(block[end:], headers, bodiless=method == "HEAD" or status in _BODILESS)
    return HttpResponse(status=status, headers=headers, head_size=end, entity=entity, fault=fault)


def status_of(block: bytes) -> int | None:
    """Only the status of a response; None when it is none."""
    final = _final_head(block)
    return final[0] if final else None


def parse_request(block: bytes) -> HttpRequest | None:
    """Take a request apart; None when it is none."""
    split = _split_head(block, 0)
    if split is None:
        return None
    line, headers, end = split
    words = line.split(" ")
    return HttpRequest(method=words[0], headers=headers, body=block[end:]) if len(words) == 3 and words[0].isalpha() else None


def redact(block: bytes, secret: frozenset[str]) -> tuple[bytes, tuple[str, ...]]:
    """A request with `[redacted]` for the values of these headers (lower case), and the names of those that were there."""
    end = _HEAD_END.search(block)
    head, rest = (block[: end.start()], block[end.start() :]) if end else (block, b"")
    lines = head.split(b"\n")
    names: list[str] = []
    for number, line in enumerate(lines):
        name = line.partition(b":")[0].decode("latin-1").strip()
        if number and name.lower() in secret:
            names.append(name)
            lines[number] = f"{name}: [redacted]".encode("latin-1") + (b"\r" if line.endswith(b"\r") else b"")
    return b"\n".join(lines) + rest, tuple(names)


def header(headers: Headers, name: str) -> str | None:
    """The first header of that (lower case) name."""
    return next((value for key, value in headers if key.lower() == name), None)


def dechunk(body: bytes) -> tuple[bytes, str | None]:
    """A body without its chunks; and what is wrong with them. What was readable before a fault is kept."""
    pieces: list[bytes] = []
    at = 0
    while found := _CHUNK_SIZE.match(body, at):
        size = int(found[1], 16)
        if size == 0:
            return b"".join(pieces), None
        begin, at = found.end(), found.end() + size
        pieces.append(body[begin:at])
        if at > len(body):
            return b"".join(pieces), "the last chunk is cut"
        if body[at : at + 2] == b"\r\n":
            at += 2
        elif body[at : at + 1] == b"\n":
            at += 1
    return b"".join(pieces), "the closing chunk is missing"


def _final_head(block: bytes) -> tuple[int, Headers, int] | None:
    """Status and headers of a response, after any interim ones (100 Continue), and where its body begins."""
    start = 0
    while (split := _split_head(block, start)) is not None:
        line, headers, end = split
        found = _STATUS_LINE.fullmatch(line)
        if not found:
            return None
        status = int(found[1])
        if status // 100 != 1 or status == 101:
            return status, headers, end
        start = end
    return None


def _split_head(block: bytes, start: int) -> tuple[str, Headers, int] | None:
    """First line, headers, and where the body begins."""
    end = _HEAD_END.search(block, start, start + _LONGEST_HEAD)
    if not end:
        return None
    lines = block[start : end.start()].decode("latin-1").replace("\r\n", "\n").split("\n")
    headers: list[tuple[str, str]] = []
    for line in lines[1:]:
        if line[:1] in (" ", "\t") and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip()}")
            continue
        name, colon, value = line.partition(":")
        if colon:
            headers.append((name.strip(), value.strip()))
    return lines[0], tuple(headers), end.end()


def _entity(body: bytes, headers: Headers, *, bodiless: bool) -> tuple[bytes, str | None]:
    if bodiless:
        return b"", None
    if "chunked" in (header(headers, "transfer-encoding") or "").lower() and (not body or _CHUNK_SIZE.match(body)):
        return dechunk(body)  # else some program undid the chunks before it wrote the record, and kept the header
    declared = {value.strip() for key, values in headers if key.lower() == "content-length" for value in values.split(",")}
    if len(declared) != 1:
        return body, "it declares several lengths" if declared else None
    length = next(iter(declared))
    if length.isascii() and length.isdigit() and int(length[:18]) == len(body):
        return body, None
    return body, f"its Content-Length header says {length[:20]}, its body has {len(body)} bytes"
