"""Reading records of any program, and surviving those of an enemy."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from datetime import UTC, datetime

import pytest

from webarticlecurator.errors import CorpusError
from webarticlecurator.warc import members as members_module
from webarticlecurator.warc import records as records_module
from webarticlecurator.warc.foreign import read_any_record
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import parse_date, read_records


def warc(block: bytes = b"hello", *, url: str = "http://a.example/", length: int | None = None) -> bytes:
    size = len(block) if length is None else length
    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Length: {size}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


def read(path, content: bytes):
    """Whole records, and what was told of the rest."""
    path.write_bytes(content)
    damages: list[records_module.Damage] = []
    return list(read_records(path, on_damage=damages.append)), damages


LAYOUTS = {
    "one member a record": b"".join(map(pack, (warc(b"one"), warc(b"two")))),
    "uncompressed": warc(b"one") + warc(b"two"),
    "one member for all": gzip.compress(warc(b"one") + warc(b"two")),
    "members with a file name": b"".join(gzip.compress(record) for record in (warc(b"one"), warc(b"two"))),
    "empty members between": pack(b"") + pack(warc(b"one")) + pack(b"") + pack(warc(b"two")),
    "too many empty lines": b"\r\n" + warc(b"one") + b"\r\n\r\n" + warc(b"two"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read_and_every_record_found_again(tmp_path, layout):
    path = tmp_path / "x.warc.gz"
    records, damages = read(path, LAYOUTS[layout])
    assert [record.block for record in records] == [b"one", b"two"]
    assert damages == []
    for record in records:
        assert read_any_record(path, record.offset, record.skip).block == record.block


@pytest.mark.parametrize("piece", [1, 2, 3, 7])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_it_does_not_matter_in_which_pieces_a_file_is_read(tmp_path, monkeypatch, layout, piece):
    whole, _ = read(tmp_path / "x.warc.gz", LAYOUTS[layout])
    monkeypatch.setattr(members_module, "_PIECE", piece)
    assert read(tmp_path / "x.warc.gz", LAYOUTS[layout]) == (whole, [])


def test_records_that_share_a_member_are_told_of(tmp_path):
    records, _ = read(tmp_path / "x.warc.gz", LAYOUTS["one member for all"])
    assert all("shares its gzip member" in record.faults[0] for record in records)


def test_offsets_and_lengths_are_those_of_the_members(tmp_path):
    first, second = pack(warc(b"one")), pack(warc(b"two"))
    records, _ = read(tmp_path / "x.warc.gz", first + second)
    assert [(record.offset, record.end) for record in records] == [(0, len(first)), (len(first), len(first) + len(second))]


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("<http://a.example/>", "http://a.example/"),
        ("http://a.example/\r\n  folded", "http://a.example/ folded"),
        ("http://a.example/ő", "http://a.example/ő"),
    ],
)
def test_fields_are_read_as_other_programs_write_them(tmp_path, value, url):
    (record,), _ = read(tmp_path / "x.warc", warc(url=value))
    assert record.url == url


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pack(warc())[:-3], "cut tail"),
        (warc()[:-8], "cut tail"),
        (b"WARC/1.0\r\nWARC-Type: x", "cut tail"),
        (pack(warc(length=6)), "the two empty lines"),
        (pack(warc(length=5000)), "Content-Length says 5000"),
        (warc(length=10**17), f"Content-Length says {10**17}"),
        (b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "no usable Content-Length"),
        (b"WARC/1.0\r\nWARC-Type: x\r\n\r\n", "no Content-Length"),
        (pack(warc()) + b"trailing", "belong to no record"),
        (pack(warc()) + pack(b"trailing"), "not a WARC record"),
        (b"<html>" * 100, "not a WARC record"),
        (b"PK\x03\x04" + b"archive" * 100, "this is a zip file, as .wacz files are: unpack it"),
        (b"WARC/9\r\n\r\n", "instead of a WARC version"),
        (b"WARC/1.0\r\n" + b"a" * 1_000_000, "has no end"),
        (b"\x1f\x8b\x08\x00garbage that is long enough", "not readable as gzip"),
    ],
)
def test_damage_is_told_with_its_reason(tmp_path, content, reason):
    records, damages = read(tmp_path / "x.warc.gz", content)
    told = [str(damage) for damage in damages] + [fault for record in records for fault in record.faults]
    assert any(reason in text for text in told), told


def test_reading_goes_on_after_damage(tmp_path):
    first, second, third = (pack(warc(name)) for name in (b"one", b"two", b"three"))
    records, damages = read(tmp_path / "x.warc.gz", first + second[:-9] + third)
    assert [record.block for record in records] == [b"one", b"three"]
    assert [(damage.offset, damage.length) for damage in damages] == [(len(first), len(second) - 9)]


def test_each_damaged_record_is_told_of(tmp_path):
    first, second, third = (pack(warc(name)) for name in (b"one", b"two", b"three"))
    torn = [record[:-8] + b"\0" * 8 for record in (first, second)]
    records, damages = read(tmp_path / "x.warc.gz", b"".join([*torn, third]))
    assert [record.block for record in records] == [b"three"]
    assert [(damage.offset, damage.length) for damage in damages] == [(0, len(first)), (len(first), len(second))]


@pytest.mark.parametrize("layout", [pack, bytes], ids=["gzip", "uncompressed"])
def test_a_record_may_name_two_long_urls(tmp_path, layout):
    url = "http://a.example/" + "a" * 100_000
    (record,), damages = read(tmp_path / "x.warc", layout(warc(url=f"{url}\r\nWARC-Refers-To-Target-URI: {url}")))
    assert (record.url, damages) == (url, [])


def test_damage_is_refused_by_readers_that_need_every_record(tmp_path):
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(warc()) + b"trailing")
    with pytest.raises(CorpusError, match="curator warc check"):
        list(read_records(path))


def test_a_bomb_is_read_in_bounded_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(records_module, "MAX_BLOCK", 1000)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = packer.compress(warc(b"", length=1 << 26)[:-4])
    bomb += b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.compress(b"\r\n\r\n") + packer.flush()
    tracemalloc.start()
    try:
        (record,), _ = read(tmp_path / "x.warc.gz", bomb)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert (record.size, len(record.block)) == (1 << 26, 1000)


def test_a_file_made_of_blank_lines_is_read_in_time(tmp_path):
    assert read(tmp_path / "x.warc", b"\n" * 20_000_000) == ([], [])


def test_a_file_made_of_false_beginnings_is_given_up_in_time(tmp_path):
    path = tmp_path / "x.warc"
    records, damages = read(path, b"WARC/1.0\r\nContent-Length: 99999999\r\n\r\n" * 20_000)
    assert records == []
    assert 1 <= len(damages) < 100


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-01T12:00:00Z", datetime(2024, 5, 1, 12, tzinfo=UTC)),
        ("2024-05-01T12:00:00.5Z", datetime(2024, 5, 1, 12, 0, 0, 500_000, UTC)),
        ("2024-05-01T12:00:00.123456789Z", datetime(2024, 5, 1, 12, 0, 0, 123_456, UTC)),
        ("2024-05-01T12:00Z", datetime(2024, 5, 1, 12, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-01T12:00:00", None),
        ("2024-05-01T12:00:00+02:00", None),
        ("2024-13-01T12:00:00Z", None),
        ("9999-12-31T23:59:59Z", None),
        ("0001-01-01T00:00:00Z", None),
        ("20240501120000", None),
        ("", None),
    ],
)
def test_dates_are_read_in_every_precision_of_the_standard_and_no_other(text, expected):
    assert parse_date(text) == expected


def test_a_large_record_is_packed_as_one_member_too() -> None:
    block = bytes(range(256)) * 8_000
    assert gzip.decompress(pack(b"head", block, b"end")) == b"head" + block + b"end"
