"""Stored pages in a WARC file, as another program may have written it."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HTML = "text/html; charset=utf-8"


def write_warc(
    file: Path,
    pages: Mapping[str, str | bytes],
    *,
    kind: str = HTML,
    status: str = "200 OK",
    date: str = "2024-06-01T00:00:00Z",
    more: bool = False,
) -> Path:
    """Address -> what was answered. `more`: behind what is in the file."""
    with file.open("ab" if more else "wb") as stream:
        writer = WARCWriter(stream, gzip=file.suffix == ".gz")
        for url, page in pages.items():
            body = page.encode() if isinstance(page, str) else page
            told = [("Content-Type", kind)] if kind else []
            headers = StatusAndHeaders(status, [*told, ("Content-Length", str(len(body)))], protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url, "response", payload=BytesIO(body), http_headers=headers, warc_headers_dict={"WARC-Date": date}
            )
            writer.write_record(record)
    return file
