"""A corpus of real pages for the benchmarks of building: pages of a given size, cycled, in one foreign WARC and in a corpus of ours."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "extraction" / "data"
SETS = ("fundus", "trafilatura")
SMALLEST, LARGEST = 60_000, 100_000
PORTAL = """\
portal: bench
title: Bench
home: https://bench.example/
language: en
body:
  root: [article, main, body]
"""
_BEGIN = datetime(2024, 5, 1, tzinfo=UTC)


def real_pages() -> list[bytes]:
    """UTF-8 pages of 60 to 100 KB; empty where the data is absent."""
    found = []
    for name in SETS:
        for path in sorted((DATA / name / "pages").glob("*.html.gz")):
            page = gzip.decompress(path.read_bytes())
            if SMALLEST <= len(page) <= LARGEST and _is_utf8(page):
                found.append(page)
    return found


def write_warc(path: Path, pages: list[bytes], articles: int) -> None:
    """So many exchanges, each page again and again under another URL; in the layout that html2tei reads, which is WARC like any other."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "benchmark", "format": "WARC File Format 1.1"}))
        for number, page in enumerate(islice(cycle(pages), articles)):
            date = (_BEGIN + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
            fields = {"WARC-Date": date, "WARC-X-Detected-Encoding": "utf-8"}
            request = StatusAndHeaders(f"GET /news/article-{number} HTTP/1.1", [("Host", "bench.example")], is_http_request=True)
            answer = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(page)))]
            response = StatusAndHeaders("200 OK", answer, protocol="HTTP/1.1")
            for kind, headers, payload in (("request", request, b""), ("response", response, page)):
                writer.write_record(
                    writer.create_warc_record(
                        url_of(number), kind, payload=BytesIO(payload), http_headers=headers, warc_headers_dict=dict(fields)
                    )
                )


def url_of(number: int) -> str:
    """The URL of an article."""
    return f"https://bench.example/news/article-{number}"


def make_corpus(folder: Path, warc: Path, portal_text: str = PORTAL) -> Path:
    """Take the WARC into a corpus; gives the portal file. The corpus lies in `corpus` beside it."""
    from webarticlecurator.config.load import load_portal
    from webarticlecurator.pipeline import import_warcs

    file = folder / "portal.yaml"
    file.write_text(portal_text, encoding="utf-8")
    import_warcs(load_portal(file), [warc], corpus=folder / "corpus")
    return file


def _is_utf8(page: bytes) -> bool:
    try:
        page.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
