"""Pages of a test in a WARC file, as another program writes it."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def write_warc(file: Path, pages: Mapping[str, str]) -> Path:
    """URL -> HTML."""
    with file.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for url, html in pages.items():
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=BytesIO(html.encode()), http_headers=head))
    return file
