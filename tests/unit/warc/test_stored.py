"""Reading back our own exchanges, and only those that are whole."""

from __future__ import annotations

import gzip

import pytest

from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.stored import read_exchanges


def members(path):
    content = path.read_bytes()
    return [content[record.offset : record.end] for record in read_records(path)]


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


def test_only_the_metadata_says_what_belongs_to_an_exchange(written):
    path, stored = written
    parts = members(path)
    beside = pack(gzip.decompress(parts[4]).replace(b"WARC-Concurrent-To", b"X-Concurrent-To"))
    content = [*parts[:4], beside, parts[5], parts[5], *parts[6:]]  # a response that names no request, and metadata that stands twice
    path.write_bytes(b"".join(content))
    assert [one.response.url for one in read_exchanges(path)] == [one.response.url for one in stored]
