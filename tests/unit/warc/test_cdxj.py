"""CDXJ lines: the keys of the Internet Archive's surt, and the fields that cdxj-indexer writes; sorted bytewise."""

from __future__ import annotations

import json
import random
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator.warc.cdxj import SortedLines, cdxj_line, surt
from webarticlecurator.warc.foreign import read_any_records

SESSION = "0123456789abcdef0123456789ABCDEF"
KEYS = {
    "http://www.example.com/": "com,example)/",
    "https://Example.COM:443/A/B/?b=2&a=1#x": "com,example)/a/b?a=1&b=2",
    "http://www2.example.co.uk:8080/a//b/../c/./d/": "uk,co,example:8080)/a/c/d",
    "https://pelda.example/cikk?x=%C3%A9": "example,pelda)/cikk?x=%c3%a9",
    "https://pelda.example/cikk?x=é": "example,pelda)/cikk?x=%c3%a9",
    "http://példa.hu/ő ű": "hu,xn--plda-bpa)/%c5%91%20%c5%b1",
    f"http://pelda.example/x?a=1&PHPSESSID={SESSION}": "example,pelda)/x?&a=1",
    "http://user:password@pelda.example/%2525252541": "example,pelda)/a",
    "http://127.0.0.1:8765/2024/": "1,0,0,127:8765)/2024",
    "http://pelda.example?": "example,pelda)/",
}


@pytest.mark.parametrize(("url", "key"), KEYS.items())
def test_all_spellings_of_an_address_have_one_key(url: str, key: str) -> None:
    assert surt(url) == key


def test_keys_are_those_of_the_internet_archive() -> None:
    reference = pytest.importorskip("surt", reason="the keys are compared with surt (pip install cdxj-indexer)")
    chance = random.Random(7)
    pieces = [*"ab/.?&=%25#:@-_~ é()AZ+", "%2F", "%C3", f"sid={SESSION}", "..", "www.", "//", "(S(0123456789abcdefghijklmn))/x.aspx"]
    addresses = [f"https://www.pelda.example/{''.join(chance.choices(pieces, k=chance.randint(1, 14)))}" for _ in range(2_000)]
    assert [(url, surt(url)) for url in addresses] == [(url, reference.surt(url)) for url in addresses]


def test_an_address_that_means_harm_takes_no_time() -> None:
    for url in ("http://a.example/%" + "25" * 100_000, "http://a.example/?" + "cfid=" * 50_000, "http://" + "www." * 50_000 + "example/"):
        assert surt(url)


def stored(folder: Path) -> Path:
    """Captures of several kinds, as another program writes them."""
    path = folder / "pages.warc.gz"
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        writer.write_record(writer.create_warcinfo_record("pages.warc.gz", {"software": "another program"}))

        def add(url: str, status: str, kind: str, body: bytes, date: str) -> None:
            headers = StatusAndHeaders(status, [("Content-Type", kind)], protocol="HTTP/1.1")
            given = {"payload": BytesIO(body), "http_headers": headers, "warc_headers_dict": {"WARC-Date": date}}
            writer.write_record(writer.create_warc_record(url, "response", **given))

        add("https://pelda.example/b", "200 OK", "text/html; charset=utf-8", b"<p>B", "2024-05-02T08:00:00Z")
        add("https://pelda.example/a?y=2&x=1", "404 Not Found", "text/html", b"gone", "2024-05-01T08:00:00Z")
        add("https://pelda.example/a b", "301 Moved", "text/plain", b"", "2024-05-01T08:00:01.5Z")
        digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
        again = writer.create_revisit_record(
            "https://pelda.example/b", digest, "https://pelda.example/b", "2024-05-02T08:00:00Z",
            http_headers=StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"),
            warc_headers_dict={"WARC-Date": "2024-06-01T00:00:00Z"},
        )  # fmt: skip
        writer.write_record(again)
        writer.write_record(writer.create_warc_record("https://pelda.example/x", "request", payload=BytesIO(b"GET /x HTTP/1.1\r\n\r\n")))
    return path


def lines_of(path: Path) -> list[bytes]:
    lines = SortedLines()
    for record in read_any_records(path):
        if line := cdxj_line(record, path.name):
            lines.add(line)
    return list(lines)


def test_the_lines_are_those_of_cdxj_indexer(tmp_path: Path) -> None:
    indexer = pytest.importorskip("cdxj_indexer.main", reason="the lines are compared with cdxj-indexer (pip install cdxj-indexer)")
    path, expected = stored(tmp_path), StringIO()
    indexer.CDXJIndexer(expected, [str(path)], sort=True).process_all()
    assert [read(line) for line in lines_of(path)] == [read(line.encode()) for line in expected.getvalue().splitlines()]


def test_each_line_leads_to_its_record(tmp_path: Path) -> None:
    path = stored(tmp_path)
    lines = [read(line) for line in lines_of(path)]
    assert [(key, moment, told["status"]) for key, moment, told in lines] == [
        ("example,pelda)/a%20b", "20240501080001", "301"),
        ("example,pelda)/a?x=1&y=2", "20240501080000", "404"),
        ("example,pelda)/b", "20240502080000", "200"),
        ("example,pelda)/b", "20240601000000", "200"),
    ]  # fmt: skip
    with path.open("rb") as file:
        for _, _, told in lines:
            file.seek(int(told["offset"]))
            record = next(iter(ArchiveIterator(BytesIO(file.read(int(told["length"]))))))
            assert record.rec_headers["WARC-Target-URI"] == told["url"]
            assert record.rec_headers["WARC-Payload-Digest"] == told["digest"]
    assert lines[-1][2]["mime"] == "warc/revisit"


def test_lines_are_sorted_by_their_bytes_and_stand_there_once() -> None:
    lines = SortedLines()
    for line in (b"b\n", b"\xc3\xa9\n", b"a b\n", b"B\n", b"a\n", b"b\n"):
        lines.add(line)
    assert list(lines) == [b"B\n", b"a\n", b"a b\n", b"b\n", b"\xc3\xa9\n"]


def read(line: bytes) -> tuple[str, str, dict[str, str]]:
    key, moment, told = line.decode().split(" ", 2)
    return key, moment, json.loads(told)
