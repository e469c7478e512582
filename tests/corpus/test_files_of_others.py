"""WARC and ARC files as programs wrote them in thirty years, and as nobody should: read record by record, or told with the place."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from arc_files import PAGE, arc_file, arc_header, arc_record
from warc_records import pack, records, warc_record
from working_time import at_most

from webarticlecurator import CorpusError, iter_warc

PACKINGS = ("plain", "members", "one member")
SITE = "http://a.example"


@dataclass(frozen=True, slots=True)
class Listed:
    code: int
    rows: list[dict[str, Any]]
    damages: list[tuple[int, str]]
    """Offset and what is said."""

    @property
    def paths(self) -> list[str]:
        return [row["url"].removeprefix(SITE) for row in self.rows]


Listing = Callable[[bytes], Listed]


@pytest.fixture
def read(curator: Callable[..., Any], tmp_path: Path) -> Listing:
    """What `warc list` makes of a file with these bytes."""

    def listing(content: bytes) -> Listed:
        path = tmp_path / "x.warc"
        path.write_bytes(content)
        ended = curator("warc", "list", path, "--json")
        damages = re.findall(rf"{re.escape(str(path))}: byte (\d+)\b(.*)", ended.err)
        return Listed(ended.code, [json.loads(line) for line in ended.out.splitlines()], [(int(place), said) for place, said in damages])

    return listing


def page(path: str = "/", block: bytes = PAGE, *, version: str = "WARC/1.0", end: bytes = b"\r\n", length: int | None = None) -> bytes:
    size = len(block) if length is None else length
    lines = (version, "WARC-Type: response", f"WARC-Target-URI: {SITE}{path}", "WARC-Date: 2008-04-30T20:48:25Z", f"Content-Length: {size}")
    return b"".join(line.encode("latin-1") + end for line in (*lines, "")) + block + end + end


LONG = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + bytes(range(256)) * 2_000
TWO = (page("/1"), page("/2"))
LAYOUTS = {
    "a member each": b"".join(map(gzip.compress, TWO)),
    "uncompressed": b"".join(TWO),
    "one member": gzip.compress(b"".join(TWO)),
    "empty members between": pack(b"", TWO[0], b"", TWO[1]),
    "too many empty lines": b"\r\n" + TWO[0] + b"\r\n\r\n" + TWO[1],
    "draft versions": page("/1", version="WARC/0.17") + page("/2", version="WARC/0.18"),
    "line feeds alone": page("/1", end=b"\n") + page("/2", end=b"\n"),
    "line feeds in members": pack(page("/1", version="WARC/0.17", end=b"\n"), page("/2", version="WARC/0.17", end=b"\n")),
    "a version to come": page("/1", version="WARC/1.2") + page("/2", version="WARC/1.2"),
    "long records": pack(page("/1", LONG), page("/2", LONG)),
    "ARC": arc_file([arc_record(f"{SITE}/1"), arc_record(f"{SITE}/2")]),
    "ARC in members": arc_file([arc_record(f"{SITE}/1"), arc_record(f"{SITE}/2")], packed="members"),
    "ARC in one member": arc_file([arc_record(f"{SITE}/1"), arc_record(f"{SITE}/2")], packed="one member"),
    "ARC without its first record": arc_record(f"{SITE}/1") + arc_record(f"{SITE}/2"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read_and_every_record_found_again(read: Listing, curator: Callable[..., Any], tmp_path: Path, layout: str) -> None:
    listed = read(LAYOUTS[layout])
    assert (listed.code, listed.damages, listed.paths) == (0, [], ["/1", "/2"])
    assert {(row["status"], row["type"], row["date"][:19]) for row in listed.rows} == {(200, "text/html", "2008-04-30T20:48:25")}
    # Of one member for all the place says only where that begins.
    wanted = [f"{SITE}{path}" for path in listed.paths] + [row["offset"] for row in listed.rows if "one member" not in layout]
    for number, record in enumerate(wanted):
        ended = curator("warc", "cat", tmp_path / "x.warc", record, "--out", tmp_path / str(number))
        (file,) = (tmp_path / str(number)).iterdir()
        assert ended.out.startswith(str(file))
        assert file.read_bytes().endswith(LONG if layout == "long records" else PAGE)


ADDRESSES = {
    "in brackets": ("<http://a.example/>", "/"),
    "folded": ("\r\n http://a.example/\r\n\ta", "/%20a"),
    "with a blank": ("http://a.example/a b", "/a%20b"),
    "of another time": ("http://a.example/\xe9", "/é"),
    "very long": (f"http://a.example/{'a' * 100_000}", f"/{'a' * 100_000}"),
    "with blanks behind": ("http://a.example/\r\nX: y" + "\r\n " * 80_000, "/"),
    "with tabs behind": ("http://a.example/\r\nX: y" + " \t" * 100_000, "/"),
}


@pytest.mark.parametrize(("field", "path"), ADDRESSES.values(), ids=ADDRESSES)
def test_addresses_are_read_as_other_programs_write_them(read: Listing, field: str, path: str) -> None:
    with at_most(5):
        listed = read(page().replace(b"http://a.example/\r\n", field.encode("latin-1") + b"\r\n"))
    assert (listed.code, listed.paths) == (0, [path])


DATES = {
    "2024-05-01T12:00:00Z": "2024-05-01T12:00:00+00:00",
    "2024-05-01T12:00:00.5Z": "2024-05-01T12:00:00.500000+00:00",
    "2024-05-01T12:00:00.123456789Z": "2024-05-01T12:00:00.123456+00:00",
    "2024-05-01T12:00Z": "2024-05-01T12:00:00+00:00",
    "2024-05": "2024-05-01T00:00:00+00:00",
    **dict.fromkeys(
        (
            "2024-05-01T12:00:00",
            "2024-05-01T12:00:00+02:00",
            "2024-13-01T12:00:00Z",
            "9999-12-31T23:59:59Z",
            "20240501120000",
            "",
            "yesterday",
        )
    ),
}


@pytest.mark.parametrize(("written", "meant"), DATES.items())
def test_dates_are_read_in_every_precision_of_the_standard_and_no_other(tmp_path: Path, written: str, meant: str | None) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(page().replace(b"2008-04-30T20:48:25Z", written.encode()))
    assert [capture.date.isoformat() for capture in iter_warc(path)] == [meant] * bool(meant)


@pytest.mark.parametrize("written", ["0", "c", "20080230000000", "200804302048", "99999999999999"])
def test_no_date_is_invented_for_arc(tmp_path: Path, written: str) -> None:
    path = tmp_path / "x.arc"
    path.write_bytes(arc_file([arc_record(date=written)]))
    assert list(iter_warc(path)) == []


def test_captures_are_whole_and_say_what_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    again = b"HTTP/1.1 200 OK\r\nDate: today\r\n\r\n"
    refers = {"WARC_Refers_To_Target_URI": f"{SITE}/1", "WARC_Refers_To_Date": "2019-08-17T18:15:15Z"}
    path.write_bytes(
        pack(
            warc_record("response", PAGE, f"{SITE}/1", number=1),
            warc_record("revisit", again, f"{SITE}/1", number=2, date="2019-08-18T00:00:00Z", WARC_Refers_To="<urn:x:response-1>"),
            warc_record("revisit", again, f"{SITE}/1", number=3, date="2019-08-19T00:00:00Z", **refers),
            warc_record("response", chunked, f"{SITE}/2", number=4),
        )
    )
    captures = list(iter_warc(path))
    assert [(capture.url.removeprefix(SITE), capture.entity, capture.date.day) for capture in captures] == [
        ("/1", b"<p>hi</p>", 17), ("/1", b"<p>hi</p>", 18), ("/1", b"<p>hi</p>", 19), ("/2", b"hi", 17),
    ]  # fmt: skip


NO_PAGES = {
    "not a page of the web": warc_record("response", b"dns answer", "dns:a.example"),
    "not an HTTP response": warc_record("response", b"not http"),
    "no readable WARC-Date": warc_record("response", PAGE, date="yesterday"),
    "a revisit of a record that is not in this file": warc_record("revisit", PAGE, WARC_Refers_To="<urn:x:elsewhere>"),
    "not modified since an earlier capture": warc_record(
        "revisit", b"HTTP/1.1 304 No\r\n\r\n", number=9, WARC_Refers_To="<urn:x:response-1>"
    ),
    "a resource record, not an HTTP exchange": warc_record("resource", b"x", "metadata://gnu.org/wget"),
}


def test_an_import_counts_what_it_passes_over_and_keeps_bytes_but_for_secrets(curator: Callable[..., Any], tmp_path: Path) -> None:
    asked = b"GET / HTTP/1.1\r\nCookie: s=1\r\nHost: a.example\r\n\r\n"
    over_lines = asked.replace(b"s=1", b"s=1;\r\n t=2\r\nu=3")
    pairs = [
        warc_record("request", over_lines, f"{SITE}/1"),
        warc_record("response", PAGE, f"{SITE}/1", date="2019-08-17T18:15:16Z"),
        warc_record("response", PAGE, f"{SITE}/2", number=2, WARC_IP_Address="192.0.2.1"),
        warc_record("request", asked, f"{SITE}/2", number=2, WARC_Concurrent_To="<urn:x:response-2>"),
        warc_record("metadata", b"x: y\r\n", f"{SITE}/2", WARC_Concurrent_To="<urn:x:response-2>"),
        warc_record("response", PAGE, f"{SITE}/3", number=3),
    ]
    (tmp_path / "x.warc.gz").write_bytes(pack(*pairs, *NO_PAGES.values()))
    (tmp_path / "portal.yaml").write_text(f"portal: pelda\nhome: {SITE}/\n")
    ended = curator("warc", "import", tmp_path / "portal.yaml", tmp_path / "x.warc.gz", "--corpus", tmp_path / "corpus", "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["skipped"] == dict.fromkeys(NO_PAGES, 1)
    (file,) = (tmp_path / "corpus" / "warc").iterdir()
    taken = [record for record in records(file) if record.url.startswith(SITE) and record.type != "metadata"]
    assert [(record.type, record.url.removeprefix(SITE)) for record in taken] == [
        ("request", "/1"), ("response", "/1"), ("request", "/2"), ("response", "/2"), ("response", "/3"),
    ]  # fmt: skip
    assert {record.block for record in taken} == {PAGE, asked.replace(b"s=1", b"[redacted]")}
    assert taken[3]["WARC-IP-Address"] == "192.0.2.1"


DAMAGES = {
    "cut member": (pack(page())[:-3], "cut tail"),
    "cut record": (page()[:-8], "cut tail"),
    "cut head": (b"WARC/1.0\r\nWARC-Type: x", "cut tail"),
    "cut ARC": (arc_file([arc_record()], packed="members")[:-6], "cut tail"),
    "no usable length": (b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "Content-Length"),
    "no length": (b"WARC/1.0\r\nWARC-Type: x\r\n\r\n", "Content-Length"),
    "too long": (pack(page(length=5000)), "5000"),
    "far too long": (page(length=10**17), str(10**17)),
    "bytes behind": (pack(page()) + b"trailing", "no record"),
    "a member behind": (pack(page(), b"trailing"), "not a WARC record"),
    "a page": (b"<html>" * 100, "not a WARC record"),
    "a zip file": (b"PK\x03\x04" + b"archive" * 100, "zip"),
    "a version of nobody": (b"WARC/9\r\n\r\n", "version"),
    "a head without end": (b"WARC/1.0\r\n" + b"a" * 1_000_000, "has no end"),
    "no gzip": (b"\x1f\x8b\x08\x00garbage that is long enough", "gzip"),
}


@pytest.mark.parametrize(("content", "noun"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_with_its_place_and_reason(read: Listing, tmp_path: Path, content: bytes, noun: str) -> None:
    listed = read(content)
    assert listed.code == 1
    assert any(noun in said for _, said in listed.damages), listed.damages
    with pytest.raises(CorpusError, match=r"x\.warc"):
        list(iter_warc(tmp_path / "x.warc"))


def test_reading_goes_on_after_damage_and_each_is_told(read: Listing) -> None:
    first, second, third, fourth = (pack(page(f"/{number}")) for number in range(4))
    listed = read(first + second[:-9] + third[:-8] + b"\0" * 8 + fourth)
    assert listed.paths == ["/0", "/3"]
    assert [place for place, _ in listed.damages] == [len(first), len(first + second) - 9]


@pytest.mark.parametrize("packed", PACKINGS)
@pytest.mark.parametrize("spoilt", [arc_record(length=10**9), b"http://a.example/ no record at all\n" + PAGE + b"\n"], ids=["long", "none"])
def test_damage_in_arc_is_told_with_its_offset_and_reading_goes_on(read: Listing, packed: str, spoilt: bytes) -> None:
    listed = read(arc_file([spoilt, arc_record(f"{SITE}/after")], packed=packed))
    place = {"plain": len(arc_header()), "members": len(gzip.compress(arc_header())), "one member": 0}[packed]
    assert [offset for offset, _ in listed.damages] == [place]
    # Where all is one member nobody can find a record again but by reading the member.
    assert listed.paths == ([] if packed == "one member" else ["/after"])


@pytest.mark.parametrize(
    "content",
    [
        b"\n" * 20_000_000,
        b"WARC/1.0\r\nContent-Length: 99999999\r\n\r\n" * 20_000,
        arc_header() + b"http://a.example/ 192.0.2.7 20080430204825 text/html 99999999\n" * 20_000,
    ],
    ids=["blank lines", "false beginnings", "false beginnings of ARC"],
)
def test_a_file_made_of_nothing_is_given_up_in_time(read: Listing, content: bytes) -> None:
    with at_most(5):
        listed = read(content)
    assert listed.rows == []
    assert len(listed.damages) < 100


EMPTY = gzip.compress(b"", mtime=0)
FALSE_STARTS = {
    "empty members": EMPTY,
    "members of an empty line": gzip.compress(b"\r\n", mtime=0),
    "members of a letter": gzip.compress(b"x", mtime=0),
    "beginnings of members": b"\x1f\x8b\x08",
}


@pytest.mark.parametrize("nothing", FALSE_STARTS.values(), ids=FALSE_STARTS)
def test_a_file_of_members_without_a_record_is_given_up_with_a_sentence(read: Listing, nothing: bytes) -> None:
    before = pack(page("/before"))
    with at_most(8):
        listed = read(before + nothing * 800_000 + pack(page("/after")))
    assert (listed.code, listed.paths) == (1, ["/before"])
    assert 1 <= len(listed.damages) < 3
    assert "bytes passed over" in listed.damages[-1][1]


def test_records_behind_many_empty_members_are_read(read: Listing) -> None:
    content = pack(page("/before")) + EMPTY * 19_000 + pack(page("/after"))
    with at_most(1):
        listed = read(content)
    assert (listed.code, listed.paths, listed.damages) == (0, ["/before", "/after"], [])


def _bomb(first: bytes, inner: bytes, last: bytes = b"") -> bytes:
    """300 MB of `inner`, packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return (
        packer.compress(first) + b"".join(packer.compress(inner * (1 << 20)) for _ in range(300)) + packer.compress(last) + packer.flush()
    )


BOMBS = {
    "a line": (b"filedesc://x 0.0.0.0 20080430204825 text/plain 9\n", b"a"),
    "a record": (page(length=300 << 20, block=b"")[:-4], b"\0", b"\r\n\r\n"),
}


@pytest.mark.parametrize("parts", BOMBS.values(), ids=BOMBS)
def test_bombs_are_read_in_bounded_memory(read: Listing, parts: tuple[bytes, ...]) -> None:
    content = _bomb(*parts)
    tracemalloc.start()
    try:
        read(content)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


GIGABYTES = {
    "a record": (page(length=10_000 << 20, block=b"")[:-4], b"\0"),
    "empty lines": (b"\r\n", b"\n"),
    "a head": (b"WARC/1.0\r\n", b"a"),
}


@pytest.mark.parametrize(("first", "inner"), GIGABYTES.values(), ids=GIGABYTES)
def test_a_bomb_of_gigabytes_is_passed_over_with_a_sentence_and_what_follows_is_read(read: Listing, first: bytes, inner: bytes) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    begin = packer.compress(first) + packer.flush(zlib.Z_FULL_FLUSH)
    megabyte = packer.compress(inner * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    with at_most(3):
        listed = read(begin + megabyte * 10_000 + pack(page("/after")))
    assert (listed.code, listed.paths) == (1, ["/after"])
    ((place, said),) = listed.damages
    assert place == 0
    assert "bomb" in said or "head of this record has no end" in said


def test_interim_responses_are_no_way_to_keep_a_reader_busy(read: Listing) -> None:
    block = b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000_000 + PAGE
    with at_most(2):
        listed = read(pack(page("/", block)))
    assert [(row["url"], row["status"]) for row in listed.rows] == [(f"{SITE}/", None)]
