"""CDXJ: a line for each capture, by which programs that replay or search WARC files find its record.

The key of a line is the SURT of the address, by the rules that the Internet Archive's `surt` has: so indexes of several programs
can be merged, and are asked by the same key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote_from_bytes, unquote_to_bytes

import orjson

from webarticlecurator.databases import connect
from webarticlecurator.http.message import header, parse_response
from webarticlecurator.urls import MAX_LENGTH, split
from webarticlecurator.warc.digests import digest
from webarticlecurator.warc.records import Record

_CAPTURES = frozenset({"response", "revisit", "resource"})
_REVISIT = "warc/revisit"
"""What stands for the type of a revisit, by custom."""
_END_OF_TYPE = re.compile(r"[;\s]")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_WWW = re.compile(r"www\d*\.", re.ASCII)
_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_ESCAPED_SIGN = re.compile(rb"%(?:25)+")
_MOST_ESCAPES = 16
"""Times that something is escaped; only who means harm does it more than twice."""
_LETTERS, _WORD = "[0-9a-zA-Z]", "[a-zA-Z]"
_SESSIONS = (
    *(re.compile(rf"(.*){name}={_LETTERS}{{32}}(?:&(.*))?", re.IGNORECASE) for name in ("jsessionid", "phpsessid", "sid")),
    re.compile(rf"(.*)ASPSESSIONID{_WORD}{{8}}={_WORD}{{24}}(?:&(.*))?", re.IGNORECASE),
    re.compile(r"(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?", re.IGNORECASE),
)
_SESSIONS_IN_PATHS = (
    re.compile(r"(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)", re.IGNORECASE),
    re.compile(r"(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)", re.IGNORECASE),
)
_CACHE_KIB = 16_384


def cdxj_line(record: Record, file: str) -> bytes | None:
    """The line of a record in a file of that name; None for records that are no capture, or that no place leads to."""
    if record.type not in _CAPTURES or not record.url.lower().startswith(("http:", "https:")):
        return None
    if record.date is None or record.end <= record.offset:  # it shares its gzip member with others
        return None
    http = parse_response(record.block) if record.type != "resource" else None
    kind = _REVISIT if record.type == "revisit" else header(http.headers, "content-type") if http else record.field("Content-Type")
    given = {
        "url": record.url,
        "mime": _END_OF_TYPE.split(kind or "", maxsplit=1)[0],
        "status": str(http.status) if http else "",
        "digest": record.field("WARC-Payload-Digest") or digest(http.entity if http else record.block),
        "length": str(record.end - record.offset),
        "offset": str(record.offset),
        "filename": file,
    }
    told = orjson.dumps({name: value for name, value in given.items() if value})
    return b"%b %b %b\n" % (surt(record.url).encode(), record.date.strftime("%Y%m%d%H%M%S").encode(), told)


class SortedLines:
    """Lines that come in any order and go sorted bytewise, each once: SQLite merges them on the disk, so memory does not grow."""

    def __init__(self) -> None:
        self._rows = connect("")
        self._rows.executescript(f"PRAGMA cache_size = -{_CACHE_KIB}; CREATE TABLE lines (line BLOB); BEGIN")

    def add(self, line: bytes) -> None:
        self._rows.execute("INSERT INTO lines VALUES (?)", (line,))

    def __iter__(self) -> Iterator[bytes]:
        """All lines, once."""
        with closing(self._rows):
            yield from (line for (line,) in self._rows.execute("SELECT DISTINCT line FROM lines ORDER BY line"))


# --- the key ---


def surt(url: str) -> str:
    """The address with its host turned round, in the one spelling that all its spellings share: `hu,pelda)/a?b=1`."""
    parts = split(re.sub(r"[\n\r\t]", "", url.strip()))
    scheme = (parts.scheme or "http").lower()
    host, port = _host(parts.authority or "", scheme)
    path = _escaped(_resolved(_unescaped(parts.path))).lower()
    query = _escaped(_unescaped(parts.query or ""))
    if len(url) <= MAX_LENGTH:
        path, query = _without(path, _SESSIONS_IN_PATHS), _without(query, _SESSIONS)
    path = path[:-1] if path.endswith("/") and len(path) > 1 else path
    query = _sorted(query.lower())
    return f"{host}{port}){path}{f'?{query}' if query else ''}"


def _host(authority: str, scheme: str) -> tuple[str, str]:
    """The parts of the name from the last to the first, and a port that is not the usual one."""
    place = authority.rpartition("@")[2].rstrip(":")
    name, colon, port = ("", "", "") if place.endswith("]") else place.rpartition(":")
    if not colon or not port.isdecimal():
        name, port = place, ""
    name = _unescaped(name.strip("[]")).decode("utf-8", "ignore")
    if not name.isascii():
        try:
            name = name.encode("idna").decode()
        except UnicodeError:  # no host is called so
            name = quote_from_bytes(name.encode())
    name = _WWW.sub("", _escaped(name.replace("..", ".").strip(".").encode()).lower(), count=1) if name else ""
    return ",".join(reversed(name.split("."))), f":{int(port)}" if port and port != _DEFAULT_PORTS.get(scheme) else ""


def _unescaped(text: str) -> bytes:
    found = text.encode("utf-8", "replace")
    for _ in range(_MOST_ESCAPES):
        before, found = found, unquote_to_bytes(_ESCAPED_SIGN.sub(b"%", found))
        if found == before:
            break
    return found


def _escaped(text: bytes) -> str:
    return quote_from_bytes(text, safe=_SAFE)


def _resolved(path: bytes) -> bytes:
    """Without `.`, `..` and empty parts."""
    kept: list[bytes] = []
    parts = path.split(b"/")[1:]
    for part in parts:
        if part == b".." and kept:
            kept.pop()
        elif part != b".":
            kept.append(part)
    *folders, last = kept or [b""]
    return b"/" + b"".join(part + b"/" for part in folders if part) + last


def _without(text: str, sessions: tuple[re.Pattern[str], ...]) -> str:
    for pattern in sessions:
        if found := pattern.fullmatch(text):
            text = found[1] + (found[2] or "")
    return text


def _sorted(query: str) -> str:
    return "&".join("=".join(pair) for pair in sorted(tuple(part.split("=", 1)) for part in query.split("&"))) if len(query) > 1 else query
