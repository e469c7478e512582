"""Reading back our own exchanges, and only those that are whole."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import groups, read_exchanges, rendered_of


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


def test_a_conversion_is_given_with_the_response_that_it_was_made_of(store, folder, shown_entry):
    url = "https://pelda.example/a"
    stored = store.append(Series.ARCHIVE, [shown_entry(url, b"<p>0"), shown_entry(url, b"<p>1", step=1, alone=True)])
    store.close()
    assert [one.response.kind for one in stored] == ["conversion", "conversion"]
    assert [one.response.made_of and one.response.made_of.kind for one in stored] == ["response", None]
    assert list(read_exchanges(next(folder.iterdir()))) == list(stored)


@pytest.mark.parametrize("told", [None, "", "5", "{", '{"step": "x"}', '{"step": true}', '{"end": 1}', "[]"])
def test_what_is_told_of_a_conversion_by_others_is_nothing_of_ours(store, folder, shown_entry, told):
    store.append(Series.ARCHIVE, [shown_entry("https://pelda.example/a", b"<p>0")])
    store.close()
    page = next(record for record in read_records(next(folder.iterdir())) if record.type == "conversion")
    assert rendered_of(page, told) is None
    assert rendered_of(page, "{}").html == b"<p>0"


def test_a_conversion_of_another_kind_stands_for_itself(store, folder, shown_entry):
    store.append(Series.ARCHIVE, [shown_entry("https://pelda.example/a", b"<p>0")])
    store.close()
    records = [record for record in read_records(next(folder.iterdir())) if record.type in ("request", "response", "conversion")]
    text = replace(records[2], fields=tuple((name, "text/plain" if name == "Content-Type" else value) for name, value in records[2].fields))
    assert [len(group.records) for group in groups(records)] == [3]
    assert [len(group.records) for group in groups([*records[:2], text])] == [2, 1]
