"""Records of ARC files, and of WARC files as other programs wrote them in thirty years."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from arc_files import PAGE, arc_file, arc_header, arc_record
from hypothesis import given
from hypothesis import strategies as st
from working_time import at_most

from webarticlecurator.errors import CorpusError
from webarticlecurator.warc.foreign import is_arc, read_any_record, read_any_records
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import Damage, Record, read_records
from webarticlecurator.warc.store import Series

PACKINGS = ("plain", "members", "one member")


def read(path: Path, content: bytes) -> tuple[list[Record], list[Damage]]:
    """Whole records, and what was told of the rest."""
    path.write_bytes(content)
    damages: list[Damage] = []
    return list(read_any_records(path, on_damage=damages.append)), damages


def warc(block: bytes = PAGE, *, version: str = "WARC/1.0", end: bytes = b"\r\n", url: str = "http://a.example/") -> bytes:
    lines = (version, "WARC-Type: response", f"WARC-Target-URI: {url}", "WARC-Date: 2008-04-30T20:48:25Z", f"Content-Length: {len(block)}")
    return b"".join(line.encode("latin-1") + end for line in (*lines, "")) + block + end + end


@pytest.mark.parametrize("packed", PACKINGS)
def test_records_of_arc_have_what_arc_knows_and_are_found_again(tmp_path: Path, packed: str) -> None:
    path = tmp_path / "x.arc"
    records, damages = read(path, arc_file([arc_record(), arc_record("http://a.example/b?q=x", b"HTTP/1.0 404 No\n\n")], packed=packed))

    assert damages == []
    assert is_arc(path)
    assert [record.type for record in records] == ["warcinfo", "response", "response"]
    first = records[1]
    assert (first.url, first.field("WARC-IP-Address"), first.block) == ("http://a.example/", "192.0.2.7", PAGE)
    assert first.date == datetime(2008, 4, 30, 20, 48, 25, tzinfo=UTC)
    assert [read_any_record(path, record.offset, record.skip) for record in records] == records


def test_an_arc_file_without_its_first_record_is_known_all_the_same(tmp_path: Path) -> None:
    records, damages = read(tmp_path / "x.arc", arc_record() + arc_record("http://a.example/2"))
    assert ([record.url for record in records], damages) == (["http://a.example/", "http://a.example/2"], [])


def test_the_same_record_of_arc_has_the_same_id_whenever_it_is_read(tmp_path: Path) -> None:
    ids = [[record.id for record in read(tmp_path / "x.arc", arc_file([arc_record()]))[0]] for _ in range(2)]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


@pytest.mark.parametrize("date", ["0", "c", "20080230000000", "200804302048", "99999999999999"])
def test_no_date_is_invented_for_arc(tmp_path: Path, date: str) -> None:
    records, _ = read(tmp_path / "x.arc", arc_file([arc_record(date=date)]))
    assert records[1].date is None


@pytest.mark.parametrize("packed", PACKINGS)
@pytest.mark.parametrize("spoilt", [arc_record(length=10**9), b"http://a.example/ no record at all\n" + PAGE + b"\n"])
def test_damage_in_arc_is_told_with_its_offset_and_reading_goes_on(tmp_path: Path, packed: str, spoilt: bytes) -> None:
    path = tmp_path / "x.arc"
    records, damages = read(path, arc_file([spoilt, arc_record("http://a.example/after")], packed=packed))

    where = {"plain": len(arc_header()), "members": len(gzip.compress(arc_header())), "one member": 0}[packed]
    assert [(damage.path, damage.offset) for damage in damages] == [(path, where)]
    # Where all is one member nobody can find a record again but by reading the member.
    assert [record.url for record in records[1:]] == ([] if packed == "one member" else ["http://a.example/after"])


def test_a_cut_member_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x.arc.gz"
    records, damages = read(path, arc_file([arc_record()], packed="members")[:-6])
    assert [record.type for record in records] == ["warcinfo"]
    assert "cut tail" in damages[0].reason
    with pytest.raises(CorpusError, match="cut tail"):
        list(read_any_records(path))


@pytest.mark.parametrize(
    "content",
    [
        warc(version="WARC/0.17") + warc(version="WARC/0.18"),
        warc(version="WARC/1.1", end=b"\n") * 2,
        gzip.compress(warc() * 2),
        pack(warc(version="WARC/0.17", end=b"\n")) * 2,
        warc(version="WARC/1.2") * 2,
    ],
    ids=["draft versions", "line feeds alone", "one gzip member", "line feeds in members", "a version to come"],
)
def test_odd_warcs_are_read(tmp_path: Path, content: bytes) -> None:
    records, damages = read(tmp_path / "x.warc", content)
    assert damages == []
    assert [(record.url, record.block) for record in records] == [("http://a.example/", PAGE)] * 2


def test_an_address_with_blanks_or_letters_of_another_time_is_readable(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (blank, latin), _ = read(tmp_path / "x.warc", warc(url="http://a.example/a b") + warc(url="http://a.example/\xe9"))
    assert (blank.url, latin.url) == ("http://a.example/a%20b", "http://a.example/é")
    assert capfd.readouterr() == ("", "")


def test_a_folded_field_is_one_line(tmp_path: Path) -> None:
    (record,), _ = read(tmp_path / "x.warc", warc(url="\r\n http://a.example/\r\n\ta"))
    assert record.url == "http://a.example/%20a"


@pytest.mark.parametrize("field", ["\r\n " * 80_000, " \t" * 100_000])
def test_a_head_made_of_blanks_is_read_in_time(tmp_path: Path, field: str) -> None:
    with at_most(5):
        (record,), _ = read(tmp_path / "x.warc", warc(url=f"http://a.example/\r\nX: y{field}"))
    assert record.url == "http://a.example/"


def test_our_own_files_are_read_to_the_letter(store, folder: Path, make_entry) -> None:
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/a"), make_entry("https://pelda.example/b")])
    store.close()
    (path,) = folder.iterdir()
    assert list(read_any_records(path)) == list(read_records(path))


def test_lines_without_end_and_bombs_are_read_in_bounded_memory(tmp_path: Path) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    line = packer.compress(b"filedesc://x 0.0.0.0 20080430204825 text/plain 9\n")
    line += b"".join(packer.compress(b"a" * (1 << 20)) for _ in range(64)) + packer.flush()
    tracemalloc.start()
    try:
        records, damages = read(tmp_path / "x.arc.gz", line)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert (records, [damage.reason for damage in damages]) == ([], ["the head of this record has no end"])


def test_a_file_made_of_false_beginnings_is_given_up_in_time(tmp_path: Path) -> None:
    records, damages = read(tmp_path / "x.arc", arc_header() + b"http://a.example/ 192.0.2.7 20080430204825 text/html 99999999\n" * 20_000)
    assert len(records) == 1
    assert 1 <= len(damages) < 100


@given(st.data())
def test_whatever_a_file_holds_it_is_read_or_told(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = data.draw(
        st.sampled_from([arc_file([arc_record()] * 2, packed=packed) for packed in PACKINGS] + [warc() * 2, pack(warc()) * 2])
    )
    at = data.draw(st.integers(0, len(content)))
    spoilt = content[:at] + data.draw(st.binary(max_size=40)) + content[at + data.draw(st.integers(0, 40)) :]
    path = tmp_path_factory.getbasetemp() / "spoilt"

    records, damages = read(path, spoilt)

    assert all(0 <= record.offset < len(spoilt) for record in records)
    assert all(damage.path == path and damage.length > 0 for damage in damages)
