"""What goes into the store comes out of it, for us and for every other reader of WARC."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Request
from webarticlecurator.warc.digests import digest
from webarticlecurator.warc.reader import read_capture
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.store import OPEN, Series, WarcStore, repair, warc_files
from webarticlecurator.warc.stored import read_exchanges
from webarticlecurator.warc.writer import IDENTICAL, NOT_MODIFIED, StoreEntry

NAME = "pelda-articles-20240501T120000Z-00001.warc.gz"


def records(path):
    return list(read_records(path))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_store_that_was_given_nothing_leaves_no_file(store, folder):
    store.append(Series.ARCHIVE, [])
    store.close()
    assert names(folder) == []


def test_a_file_is_open_until_it_is_sealed(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry()])
    assert names(folder) == [NAME + ".open"]
    store.close()
    assert names(folder) == [NAME]


def test_archive_pages_and_articles_lie_in_separate_files(store, folder, make_entry):
    store.append(Series.ARCHIVE, [make_entry()])
    store.append(Series.ARTICLES, [make_entry()])
    assert [name.split("-")[1] for name in names(folder)] == ["archive", "articles"]


def test_a_file_at_its_limit_is_sealed_and_the_next_begins_with_its_own_warcinfo(folder, info, make_entry):
    small = WarcStore(folder, "pelda", info=info, limit=1, sync=lambda _: None)
    for _ in range(3):
        small.append(Series.ARTICLES, [make_entry()])
    assert [name.rsplit("-", 1)[1] for name in names(folder)] == ["00001.warc.gz", "00002.warc.gz", "00003.warc.gz"]
    assert all(records(path)[0].type == "warcinfo" for path in warc_files(folder))


def test_an_existing_file_is_never_written_again(store, folder, make_entry):
    folder.mkdir()
    (folder / NAME).write_bytes(b"mine")
    (folder / NAME.replace("00001", "00002.warc.gz.open").removesuffix(".warc.gz")).write_bytes(b"someone's")
    store.append(Series.ARTICLES, [make_entry()])
    store.close()
    assert (folder / NAME).read_bytes() == b"mine"
    assert (folder / NAME.replace("00001", "00003")).exists()


def test_the_file_says_who_made_it_how_and_by_which_portal_file(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry()])
    store.close()
    warcinfo, portal_file, effective, *_ = records(folder / NAME)
    told = warcinfo.block.decode()
    assert "operator: mailto:anna@egyetem.example\r\n" in told
    assert "robots: obeyed" in told
    assert warcinfo.field("WARC-Filename") == NAME
    assert (portal_file.type, portal_file.block) == ("resource", b"portal: pelda\n")
    assert effective.block == b"portal: pelda\nlanguage: hu\n"
    assert f"curator-effective-file: {effective.url}" in told
    assert "credentials" not in told


def test_captures_made_with_credentials_are_told_of(folder, info, make_entry):
    store = WarcStore(folder, "pelda", info=replace(info, credentials=("cookies", "Authorization")), sync=lambda _: None)
    store.append(Series.ARTICLES, [make_entry(redacted=("Cookie",))])
    store.close()
    first, *_, last = records(next(folder.iterdir()))
    assert "credentials (cookies, Authorization)" in first.block.decode()
    assert "curator-redacted: Cookie" in last.block.decode()


def test_bytes_are_stored_to_the_last_one(store, folder, make_entry, make_exchange):
    body = b"5\r\nhello\r\n0\r\n\r\n"
    wire = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    store.append(Series.ARTICLES, [make_entry(response_bytes=wire, entity=b"hello")])
    store.close()
    request, response, _ = records(folder / NAME)[3:]
    assert response.block == wire
    assert request.block == make_exchange().request_bytes
    assert response.field("WARC-Payload-Digest") == digest(b"hello")
    assert response.field("WARC-Block-Digest") == digest(wire)


def test_all_records_of_an_exchange_have_one_date_and_name_each_other(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry()])
    store.close()
    warcinfo, _, _, request, response, metadata = records(folder / NAME)
    assert {record.field("WARC-Date") for record in (request, response, metadata)} == {"2024-05-01T12:00:00.123456Z"}
    assert response.all("WARC-Concurrent-To") == (f"<{request.id}>",)
    assert metadata.all("WARC-Concurrent-To") == (f"<{request.id}>", f"<{response.id}>")
    assert {record.field("WARC-Warcinfo-ID") for record in (request, response, metadata)} == {f"<{warcinfo.id}>"}
    assert request.field("WARC-IP-Address") == response.field("WARC-IP-Address") == "192.0.2.7"
    assert metadata.field("WARC-Payload-Digest") is None


@pytest.mark.parametrize("reason", ["length", "time", "disconnect"])
def test_a_response_that_was_cut_says_so(store, folder, make_entry, reason):
    store.append(Series.ARTICLES, [make_entry(truncated=reason, error="the connection broke")])
    store.close()
    *_, response, metadata = records(folder / NAME)
    assert response.field("WARC-Truncated") == reason
    assert "curator-error: the connection broke" in metadata.block.decode()


def test_an_exchange_without_a_response_keeps_the_request_and_the_error(store, folder, make_entry):
    entry = make_entry(response_bytes=None, status=None, entity=b"", error="timed out")
    (stored,) = store.append(Series.ARTICLES, [entry])
    store.close()
    assert [record.type for record in records(folder / NAME)[3:]] == ["request", "metadata"]
    assert stored.response is None


def test_a_verdict_without_an_exchange_is_a_metadata_record_alone(store, folder):
    (stored,) = store.append(Series.ARTICLES, [StoreEntry(event={"outcome": "robots"}, target="https://pelda.example/x")])
    store.close()
    (metadata,) = records(folder / NAME)[3:]
    assert (metadata.type, metadata.url) == ("metadata", "https://pelda.example/x")
    assert list(read_exchanges(folder / NAME)) == [stored]


def test_the_same_payload_again_is_a_revisit_that_keeps_the_head(store, folder, make_entry):
    (first,) = store.append(Series.ARTICLES, [make_entry()])
    (again,) = store.append(Series.ARTICLES, [make_entry(revisit_of=first.response)])
    store.close()
    revisit = records(folder / NAME)[-2]
    assert (revisit.type, revisit.field("WARC-Profile"), revisit.field("WARC-Truncated")) == ("revisit", IDENTICAL, "length")
    assert revisit.field("WARC-Refers-To") == f"<{first.response.record_id}>"
    assert revisit.field("WARC-Refers-To-Date") == "2024-05-01T12:00:00.123456Z"
    assert revisit.field("WARC-Payload-Digest") == first.response.payload_digest
    assert revisit.block.endswith(b"\r\n\r\n")
    assert again.response.kind == "revisit"


def test_not_modified_is_a_revisit_that_keeps_everything(store, folder, make_entry):
    (first,) = store.append(Series.ARTICLES, [make_entry()])
    wire = b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"
    store.append(Series.ARTICLES, [make_entry(revisit_of=first.response, response_bytes=wire, status=304, entity=b"")])
    store.close()
    revisit = records(folder / NAME)[-2]
    assert (revisit.field("WARC-Profile"), revisit.field("WARC-Truncated"), revisit.block) == (NOT_MODIFIED, None, wire)


def test_what_was_told_when_writing_is_what_is_read_back(store, folder, make_entry):
    links = [["a", {"author": ["Ő", "\u2028 \x85"]}]]
    events = [{"outcome": "fetched", "links": links, "via": "https://pelda.example/", "hopsFromSeed": "L"}, {"n": 1}]
    stored = [*store.append(Series.ARTICLES, [make_entry(event=events[0]), make_entry(event=events[1])])]
    stored += store.append(Series.ARTICLES, [make_entry(response_bytes=b"garbage", status=None)])
    store.close()
    assert list(read_exchanges(folder / NAME)) == stored
    assert [dict(one.event) for one in stored[:2]] == events
    assert list(read_exchanges(folder / NAME, start=stored[1].location.offset)) == stored[1:]
    assert b"via: https://pelda.example/\r\nhopsFromSeed: L\r\nfetchTimeMs: 12\r\n" in records(folder / NAME)[5].block


def test_events_come_back_as_every_later_reader_sees_them(store, make_entry):
    (stored,) = store.append(Series.ARTICLES, [make_entry(event={"pages": (1, 2), "broken": "\ud800"})])
    assert stored.event == {"pages": [1, 2], "broken": "?"}


def test_a_url_cannot_smuggle_fields_into_a_record(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/a\r\nWARC-Type: warcinfo b")])
    store.close()
    response = records(folder / NAME)[-2]
    assert (response.type, response.url) == ("response", "https://pelda.example/a%0D%0AWARC-Type:%20warcinfo%20b")


@pytest.mark.parametrize("sealed", [True, False])
def test_a_capture_is_found_by_its_place_sealed_or_not(store, folder, make_entry, sealed):
    stored = store.append(Series.ARTICLES, [make_entry(f"https://pelda.example/{n}", body=b"%d" % n) for n in range(5)])
    if sealed:
        store.close()
    capture = read_capture(folder, stored[3].response.location)
    assert (capture.url, capture.status, capture.entity) == ("https://pelda.example/3", 200, b"3")
    assert (capture.date, capture.record_id, capture.location) == (
        stored[3].response.date, stored[3].response.record_id, stored[3].response.location,
    )  # fmt: skip
    assert capture.header("content-type") == "text/html; charset=utf-8"


def test_a_missing_file_and_a_wrong_place_are_told_with_what_to_do(store, folder, make_entry):
    (stored,) = store.append(Series.ARTICLES, [make_entry()])
    with pytest.raises(CorpusError, match="`curator crawl` asks again for what it held"):
        read_capture(folder, replace(stored.response.location, file="other.warc.gz"))
    with pytest.raises(CorpusError, match="curator warc"):
        read_capture(folder, replace(stored.response.location, offset=stored.response.location.offset + 1))
    with pytest.raises(CorpusError, match="not the name of a file"):
        read_capture(folder, replace(stored.response.location, file="../../etc/passwd"))


def test_each_append_is_on_the_disk_before_it_is_told(folder, info, make_entry):
    synced: list[int] = []
    store = WarcStore(folder, "pelda", info=info, sync=lambda _: synced.append(next(folder.iterdir()).stat().st_size))
    (stored,) = store.append(Series.ARTICLES, [make_entry()])
    assert synced[-1] == stored.location.offset + stored.location.length
    store.close()


def test_a_full_disk_leaves_the_file_as_it_was(folder, info, make_entry):
    full = False

    def sync(_: int) -> None:
        if full:
            raise OSError(errno.ENOSPC, "No space left on device")

    store = WarcStore(folder, "pelda", info=info, sync=sync)
    (before,) = store.append(Series.ARTICLES, [make_entry()])
    full = True
    with pytest.raises(CorpusError, match="No space left on device"):
        store.append(Series.ARTICLES, [make_entry()])
    full = False
    (after,) = store.append(Series.ARTICLES, [make_entry()])
    store.close()
    assert list(read_exchanges(next(folder.iterdir()))) == [before, after]


def test_a_disk_that_is_full_from_the_start_leaves_no_file(folder, info, make_entry):
    folder.mkdir()

    def sync(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    store = WarcStore(folder, "pelda", info=info, sync=sync)
    with pytest.raises(CorpusError):
        store.append(Series.ARTICLES, [make_entry()])
    store.close()
    assert names(folder) == []


def test_warcio_reads_the_same_and_finds_its_digests_right(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry(), make_entry("https://pelda.example/post")])
    store.close()
    with (folder / NAME).open("rb") as file:
        seen = []
        for record in ArchiveIterator(file, check_digests="raise"):
            record.content_stream().read()
            seen.append(record.rec_type)
    assert seen == ["warcinfo", "resource", "resource"] + ["request", "response", "metadata"] * 2


def test_an_imported_exchange_without_a_request_has_no_request_record(store, folder, make_entry):
    (stored,) = store.append(Series.ARTICLES, [make_entry(request_bytes=b"", request=Request(url="https://pelda.example/a"))])
    store.close()
    assert [record.type for record in records(folder / NAME)[3:]] == ["response", "metadata"]
    assert list(read_exchanges(folder / NAME)) == [stored]


def test_files_are_listed_by_time_whatever_series_they_are_of(tmp_path):
    expected = [
        "x-articles-20230101T000000Z-00001.warc.gz",
        "x-archive-20240101T000000Z-00001.warc.gz",
        "x-archive-20240101T000000Z-00002.warc.gz.open",
    ]
    for name in [*expected, "notes.txt"]:
        (tmp_path / name).touch()
    assert [path.name for path in warc_files(tmp_path)] == expected


def sealed(path):
    return path.with_name(path.name.removesuffix(OPEN))


def test_repair_keeps_what_lies_behind_damage(written):
    path, stored = written
    content = bytearray(path.read_bytes())
    middle = stored[1].response.location
    content[middle.offset + 30] ^= 0xFF
    path.write_bytes(bytes(content) + b"\x1f\x8b\x08torn")
    assert repair(path, stored[0].location.offset + stored[0].location.length, sync=lambda _: None) == 7
    assert sealed(path).read_bytes() == bytes(content)


def test_repair_of_a_file_that_is_older_than_the_ledger_reads_it_from_the_start(written):
    path, _ = written
    before = path.read_bytes()
    assert repair(path, 10**9, sync=lambda _: None) == 0
    assert sealed(path).read_bytes() == before


def test_repair_of_a_file_that_only_lacks_its_seal_changes_no_byte(written):
    path, stored = written
    before = path.read_bytes()
    end = stored[-1].location.offset + stored[-1].location.length
    assert repair(path, end, sync=lambda _: None) == 0
    assert sealed(path).read_bytes() == before


def test_repair_never_writes_over_a_sealed_file(written):
    path, _ = written
    path.with_name(path.name.removesuffix(OPEN)).write_bytes(b"mine")
    with pytest.raises(CorpusError, match="there is a"):
        repair(path, 0, sync=lambda _: None)
