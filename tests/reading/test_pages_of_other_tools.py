"""What other programs collected becomes a corpus, with files as those programs write them."""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
from written_pages import Reader, reading

pytestmark = pytest.mark.nightly


RULES = """\
portal: kilenchid
home: {url}
timezone: Europe/Budapest
fetch: {{delay: 0.01s}}
archive: {{url: "{url}belfold/", next: a.kovetkezo, item: "article.teaser:not(.kituzott)", link: h2 a}}
articles: {{next: a.kovetkezo-oldal}}
"""
WGET = "wget --quiet --recursive --level=inf --no-parent --no-directories --delete-after --warc-file=belfold"


def taken_in(reader: Reader, *files: str) -> tuple[int, int, str]:
    """Pages of articles and of the archive that an import found, and what a build makes of them."""
    assert reader.portal is not None
    Path("portal.yaml").write_text(RULES.format(url=reader.portal.url), encoding="utf-8")
    code, told = reader.curator(["warc", "import", "portal.yaml", *files])
    built, outcomes = reader.curator(["build", "portal.yaml"])
    assert (code, built) == (0, 0), told + outcomes
    numbers = re.search(r"(\d+) pages? of articles and (\d+) archive pages?", told)
    assert numbers is not None, told
    return int(numbers[1]), int(numbers[2]), outcomes


@pytest.mark.skipif(shutil.which("wget") is None, reason="there is no wget here")
def test_what_wget_fetched_becomes_a_corpus(tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        reader.serve([])
        assert reader.portal is not None
        reader.run(f"{WGET} {reader.portal.url}belfold/")
        articles, lists, outcomes = taken_in(reader, "belfold.warc.gz")
        assert (articles, lists) == (124, 11)
        assert "Outcomes: 101 article" in outcomes


def test_what_webarticlecurator_collected_becomes_a_corpus(tmp_path: Path) -> None:
    with reading(tmp_path, articles=60) as reader:
        reader.serve([])
        collect_as_webarticlecurator(reader)
        articles, lists, outcomes = taken_in(reader, "archive.warc.gz", "articles.warc.gz")
        assert lists == 2
        assert articles > 10
        assert re.search(r"Outcomes: \d+ article", outcomes)


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
