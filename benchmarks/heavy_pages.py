"""Pages as heavy as those of news sites, real ones where they lie beside the checkout, else of the example portal; and a corpus of them."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from urllib.request import urlopen

from results import Record
from truths import DATA
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

REAL_PAGES = DATA / "extraction" / "data"
LIGHTEST, HEAVIEST = 60_000, 100_000
SETS_TO_BUILD = ("fundus", "trafilatura")
PORTAL = """\
portal: bench
title: Bench
home: https://bench.example/
language: en
body:
  root: [article, main, body]
"""
_BEGIN = datetime(2024, 5, 1, tzinfo=UTC)


def heavy_pages(files: Iterable[Path]) -> Iterator[bytes]:
    """Those of 60 to 100 KB in UTF-8."""
    for file in files:
        page = gzip.decompress(file.read_bytes())
        if LIGHTEST <= len(page) <= HEAVIEST and _is_utf8(page):
            yield page


def _is_utf8(page: bytes) -> bool:
    try:
        page.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def pages_to_build() -> list[bytes]:
    """Empty where the data is absent."""
    files = (file for name in SETS_TO_BUILD for file in sorted((REAL_PAGES / name / "pages").glob("*.html.gz")))
    return list(heavy_pages(files))


def generated_pages() -> list[bytes]:
    """Article pages of the example portal, made heavy."""
    from webarticlecurator.example_portal import ExamplePortal

    with ExamplePortal(articles=200, filling=LIGHTEST) as portal:
        return [urlopen(url).read() for url in sorted(portal.articles["belfold"])[:100]]


def pages_at_hand(record: Record) -> tuple[list[bytes], str]:
    """Return real pages, or where these are absent those of the example portal, and what they are called."""
    pages = pages_to_build()
    if pages:
        return pages, "pages of real sites"
    record.leave_out("real pages, which are no part of the project and are not here; the example portal's were taken")
    return generated_pages(), "pages of the example portal"


def said_of(pages: Sequence[bytes], what: str) -> str:
    return f"{len(pages)} {what}, {sum(map(len, pages)) / len(pages) / 1000:.1f} KB on average"


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
            url = f"https://bench.example/news/article-{number}"
            for kind, headers, payload in (("request", request, b""), ("response", response, page)):
                more = {"payload": BytesIO(payload), "http_headers": headers, "warc_headers_dict": dict(fields)}
                writer.write_record(writer.create_warc_record(url, kind, **more))


def make_corpus(folder: Path, warc: Path, rules: str = PORTAL) -> Path:
    """Take the WARC into a corpus; gives the portal file. The corpus lies in `corpus` beside it."""
    from webarticlecurator import load_portal
    from webarticlecurator.stages.pipeline import import_warcs

    file = folder / "portal.yaml"
    file.write_text(rules, encoding="utf-8")
    import_warcs(load_portal(file), [warc], corpus=folder / "corpus")
    return file
