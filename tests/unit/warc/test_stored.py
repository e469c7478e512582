"""Reading back our own exchanges, and only those that are whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from webarticlecurator.errors import CorpusError
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.store import OPEN, Series, repair
from webarticlecurator.warc.stored import read_exchanges


def members(path):
    content = path.read_bytes()
    return [content[record.offset : record.end] for record in read_records(path)]


@pytest.fixture
def written(store, folder, make_entry, tmp_path):
    """What a killed crawl leaves."""
    stored = [store.append(Series.ARTICLES, [make_entry(f"https://pelda.example/{n}")])[0] for n in range(3)]
    (tmp_path / "killed").mkdir()
    return Path(copy(next(folder.iterdir()), tmp_path / "killed")), stored


@pytest.mark.parametrize("lost", [6, 7, 8])
def test_an_exchange_without_one_of_its_records_is_not_given(written, lost):
    path, stored = written
    parts = members(path)
    del parts[lost]  # 0-2 begin the file, 3-5 are the first exchange, 6-8 the second
    path.write_bytes(b"".join(parts))
    assert [one.response.url for one in read_exchanges(path)] == ["https://pelda.example/0", "https://pelda.example/2"]
    assert len(stored) == 3


def test_foreign_metadata_completes_nothing(written):
    path, stored = written
    path.write_bytes(path.read_bytes() + pack(b"WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 8\r\n\r\nvia: x\r\n\r\n\r\n"))
    assert list(read_exchanges(path)) == stored


def test_repair_keeps_what_lies_behind_damage(written):
    path, stored = written
    content = bytearray(path.read_bytes())
    middle = stored[1].response.location
    content[middle.offset + 30] ^= 0xFF
    path.write_bytes(bytes(content) + b"\x1f\x8b\x08torn")
    report = repair(path, stored[0].location.offset + stored[0].location.length, sync=lambda _: None)
    assert report.path is not None
    assert report.path.read_bytes() == bytes(content)
    assert (report.found, report.cut, len(report.damage)) == (1, 7, 2)


def test_repair_of_a_file_that_is_older_than_the_ledger_reads_it_from_the_start(written):
    path, stored = written
    report = repair(path, 10**9, sync=lambda _: None)
    assert (report.found, report.cut) == (len(stored), 0)


def test_repair_of_a_file_that_only_lacks_its_seal_changes_no_byte(written):
    path, stored = written
    before = path.read_bytes()
    end = stored[-1].location.offset + stored[-1].location.length
    report = repair(path, end, sync=lambda _: None)
    assert report == replace(report, found=0, cut=0, kept=end, damage=())
    assert report.path.read_bytes() == before


def test_repair_never_writes_over_a_sealed_file(written):
    path, _ = written
    path.with_name(path.name.removesuffix(OPEN)).write_bytes(b"mine")
    with pytest.raises(CorpusError, match="there is a"):
        repair(path, 0, sync=lambda _: None)
