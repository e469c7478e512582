"""A corpus of real pages for the benchmarks of building: pages of a given size, cycled, in one foreign WARC and in a corpus of ours."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "extraction" / "data"
SETS = ("fundus", "trafilatura")
SMALLEST, LARGEST = 60_000, 100_000
PORTAL = "portal: bench\ntitle: Bench\nhome: https://bench.example/\nlanguage: en\n"
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
    """So many responses, each page again and again under another URL."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, page in enumerate(islice(cycle(pages), articles)):
            headers = StatusAndHeaders(
                "200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(page)))], protocol="HTTP/1.1"
            )
            date = (_BEGIN + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
            record = writer.create_warc_record(
                url_of(number), "response", payload=BytesIO(page), http_headers=headers, warc_headers_dict={"WARC-Date": date}
            )
            writer.write_record(record)


def url_of(number: int) -> str:
    """The URL of an article."""
    return f"https://bench.example/news/article-{number}"


def urls(articles: int) -> Iterator[str]:
    """All URLs of a WARC of so many articles."""
    return map(url_of, range(articles))


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
