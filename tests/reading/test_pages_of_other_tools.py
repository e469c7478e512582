"""The recipes that take over what other programs collected, done as they are written, with files as those programs write them."""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
from written_pages import DOCS, Reader, reading

pytestmark = pytest.mark.nightly


@pytest.mark.skipif(shutil.which("wget") is None, reason="there is no wget here")
@pytest.mark.parametrize("page", ["from-wget.md", "from-trafilatura.md"])
def test_what_wget_fetched_becomes_a_corpus(page: str, tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        reader.follow(DOCS / "recipes" / page)


def test_what_webarticlecurator_collected_becomes_a_corpus(tmp_path: Path) -> None:
    with reading(tmp_path, articles=60) as reader:
        reader.serve([])
        collect_as_webarticlecurator(reader)
        reader.follow(DOCS / "recipes" / "from-webarticlecurator.md")


def collect_as_webarticlecurator(reader: Reader) -> None:
    """Archive pages and first pages of articles in two files, the request before the response, with the header that only it writes."""
    assert reader.portal is not None
    lists = [f"{reader.portal.url}belfold/", f"{reader.portal.url}belfold/?oldal=2"]
    links = {path for one in lists for path in re.findall(r'<h2><a href="([^"]+)"', urlopen(one).read().decode())}
    for name, urls in (("archive", lists), ("articles", sorted(reader.portal.url + link.lstrip("/") for link in links))):
        with Path(f"{name}.warc.gz").open("wb") as file:
            warc = WARCWriter(file, gzip=True, warc_version="WARC/1.1")
            warc.write_record(warc.create_warcinfo_record(f"{name}.warc.gz", {"software": "WebArticleCurator 1.13.0"}))
            for url in urls:
                request = StatusAndHeaders(f"GET {url} HTTP/1.1", [("Accept-Encoding", "identity")], is_http_request=True)
                answer = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
                warc.write_record(warc.create_warc_record(url, "request", http_headers=request))
                warc.write_record(
                    warc.create_warc_record(
                        url,
                        "response",
                        payload=BytesIO(urlopen(url).read()),
                        http_headers=answer,
                        warc_headers_dict={"WARC-X-Detected-Encoding": "utf-8"},
                    )
                )
