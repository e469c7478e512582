"""ARC files as Heritrix and the Alexa crawler wrote them, made by hand."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>hi</p>"


def arc_record(url: str = "http://a.example/", block: bytes = PAGE, *, date: str = "20080430204825", length: int | None = None) -> bytes:
    size = len(block) if length is None else length
    return f"{url} 192.0.2.7 {date} text/html {size}\n".encode() + block + b"\n"


def arc_header(rest: bytes = b"<arcmetadata/>\n") -> bytes:
    """The first record of a file."""
    block = b"1 0 Example Archive\nURL IP-address Archive-date Content-type Archive-length\n" + rest
    return b"filedesc://EXAMPLE-2008.arc 0.0.0.0 20080430204825 text/plain %d\n" % len(block) + block + b"\n"


def arc_file(records: Sequence[bytes], *, packed: str = "plain") -> bytes:
    """Records with their header, packed as "plain", as "members" (a gzip member each) or as "one member"."""
    whole = (arc_header(), *records)
    if packed == "members":
        return b"".join(map(gzip.compress, whole))
    return gzip.compress(b"".join(whole)) if packed == "one member" else b"".join(whole)
