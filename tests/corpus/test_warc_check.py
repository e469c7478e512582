"""`warc check` finds what is damaged or missing where it is, and nothing in files that are right."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from arc_files import arc_file, arc_record
from warc_records import digest, edit, pack, records, warc_record, write_again
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
from whole_corpus import Stored

Finding = dict[str, Any]
Check = Callable[..., list[Finding]]
FALSE_ID = b"<urn:x:nowhere>"


@pytest.fixture
def check(curator: Callable[..., Any]) -> Check:
    def findings(*paths: Path) -> list[Finding]:
        ended = curator("warc", "check", *paths, "--json")
        found = [json.loads(line) for line in ended.out.splitlines()]
        assert ended.code == (1 if any(finding["severity"] == "error" for finding in found) else 0)
        return found

    return findings


def errors(findings: list[Finding]) -> set[str]:
    return {finding["rule"] for finding in findings if finding["severity"] == "error"}


def test_what_a_crawl_stores_is_right(everything: Stored, check: Check) -> None:
    assert check(everything.folder) == []


BROKEN = {
    "bytes": ("response", rb"Sz\xc3\xb6veg", b"Szoveg", "block-digest"),
    "payload digest": ("response", rb"WARC-Payload-Digest: sha1:.", b"WARC-Payload-Digest: sha1:7", "payload-digest"),
    "a request that is nowhere": ("response", rb"WARC-Concurrent-To: \S+", b"WARC-Concurrent-To: " + FALSE_ID, "missing-record"),
    "a warcinfo that is nowhere": ("response", rb"WARC-Warcinfo-ID: \S+", b"WARC-Warcinfo-ID: " + FALSE_ID, "missing-record"),
    "an event that is no JSON": ("metadata", rb"curator-event: {", b"curator-event: ", "incomplete-exchange"),
    "metadata of nothing": ("metadata", rb"(WARC-Concurrent-To: \S+\r\n){2}", b"", "incomplete-exchange"),
    "a revisit of other bytes": (
        "revisit",
        rb"WARC-Payload-Digest: \S+",
        b"WARC-Payload-Digest: " + digest(b"x").encode(),
        "revisit-digest",
    ),
    "a revisit of nothing": ("revisit", rb"WARC-Refers-To: \S+", b"WARC-Refers-To: " + FALSE_ID, "missing-record"),
}


@pytest.mark.parametrize(("kind", "old", "new", "rule"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_found_where_it_is(stored: Stored, check: Check, kind: str, old: bytes, new: bytes, rule: str) -> None:
    file, place = next(
        (file, place)
        for file in stored.files
        for place, record in enumerate(records(file))
        if record.type == kind and record.url == f"{stored.home}/c/page"
    )
    edit(file, place, (old, new))
    found = [finding for finding in check(stored.folder / "warc") if finding["rule"] == rule and finding["severity"] == "error"]
    assert {finding["path"] for finding in found} == {str(file)}
    if rule != "incomplete-exchange":  # these are told of the other records of the exchange
        assert records(file)[place].offset in {finding["offset"] for finding in found}


def test_two_records_of_one_id_are_told(stored: Stored, check: Check) -> None:
    file = stored.files[1]
    first = (records(file)[3]["WARC-Record-ID"] or "").encode()
    edit(file, 4, (rb"WARC-Record-ID: \S+", b"WARC-Record-ID: " + first))
    assert "record-id" in errors(check(file))


@pytest.mark.parametrize("lost", ["request", "response", "metadata"])
def test_a_lost_record_is_missed(stored: Stored, check: Check, lost: str) -> None:
    file = stored.files[1]
    kept = [record.member for record in records(file) if (record.type, record.url) != (lost, f"{stored.home}/c/page")]
    write_again(file, kept)
    assert errors(check(file)) & {"missing-record", "incomplete-exchange"}


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str, str]] = {
    "a cut tail": (lambda content: content[:-20], "damage", "cut tail"),
    "foreign bytes behind": (lambda content: content + b"\x00" * 9, "damage", "belong to no record"),
    "foreign bytes within": (
        lambda content: content[:900] + bytes(byte ^ 0xA5 for byte in content[900:916]) + content[916:],
        "damage",
        "bytes are lost",
    ),
    "one member for all": (lambda content: gzip.compress(gzip.decompress(content)), "frame", "member"),
    "no byte": (lambda _: b"", "empty-file", "no exchange"),
}


@pytest.mark.parametrize(("spoil", "rule", "noun"), DAMAGES.values(), ids=DAMAGES)
def test_damage_to_the_file_is_found(stored: Stored, check: Check, spoil: Callable[[bytes], bytes], rule: str, noun: str) -> None:
    file = stored.files[1]
    file.write_bytes(spoil(file.read_bytes()))
    assert any(noun in finding["message"] for finding in check(file) if finding["rule"] == rule)


def test_a_file_with_a_beginning_only_is_empty(stored: Stored, check: Check) -> None:
    file = stored.files[1]
    write_again(file, [records(file)[0].member])
    assert errors(check(file)) == {"empty-file"}


def test_the_tail_of_an_unsealed_file_is_explained(stored: Stored, check: Check) -> None:
    torn = stored.files[1].rename(stored.files[1].with_name(stored.files[1].name + ".open"))
    torn.write_bytes(torn.read_bytes()[:-20])
    assert any("next crawl" in finding["message"] for finding in check(torn))


def test_references_reach_over_files(stored: Stored, check: Check) -> None:
    _, first, second = stored.files
    assert errors(check(second)) == {"missing-record"}
    assert check(first, second) == []


def test_a_page_as_a_browser_showed_it_belongs_to_its_exchange(stored: Stored, check: Check) -> None:
    file = stored.files[1]
    _, response, metadata = stored.exchange("/c/page")
    shown = b"<p>shown"
    more = {name: response[name.replace("_", "-")] or "" for name in ("WARC_Warcinfo_ID", "WARC_Record_ID")}
    more |= {"WARC_Refers_To": more.pop("WARC_Record_ID"), "WARC_Block_Digest": digest(shown), "Content_Type": "text/html"}
    conversion = pack(warc_record("conversion", shown, response.url, date=response["WARC-Date"] or "", **more))
    place = next(place for place, record in enumerate(records(file)) if record.offset == metadata.offset)
    edit(file, place, (rb"(WARC-Date: \S+)", rb"\1\r\nWARC-Refers-To: <urn:x:conversion-1>"))
    members = [record.member for record in records(file)]
    write_again(file, [*members[:place], conversion, *members[place:]])
    assert check(file) == []
    write_again(file, [*members[:place], conversion])
    assert "incomplete-exchange" in errors(check(file))


def _of_warcio(path: Path, *, chunked: bool) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "warcio"}))
        coding = [("Transfer-Encoding", "chunked")] if chunked else []
        body = b"2\r\nhi\r\n0\r\n\r\n" if chunked else b"hi"
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), *coding], "HTTP/1.1")
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.example")], is_http_request=True)
        response = writer.create_warc_record("http://a.example/", "response", payload=BytesIO(body), http_headers=headers)
        writer.write_request_response_pair(writer.create_warc_record("http://a.example/", "request", http_headers=asked), response)
    return path


def test_files_of_warcio_are_right_with_its_digests_of_chunks(tmp_path: Path, check: Check) -> None:
    assert check(_of_warcio(tmp_path / "plain.warc.gz", chunked=False)) == []
    assert check(_of_warcio(tmp_path / "chunked.warc.gz", chunked=True)) == []


GET = b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"


def test_a_request_without_its_response_is_missed(tmp_path: Path, check: Check) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(warc_record("request", GET, WARC_Block_Digest=digest(GET))))
    assert errors(check(path)) == {"missing-pair"}


SPELLINGS = {
    "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N": set(),
    "SHA1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n": set(),
    "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d": set(),
    "sha-1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D": set(),
    "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824": set(),
    "sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====": set(),
    "md5:5d41402abc4b2a76b9719d911017c592": set(),
    "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2A": {("block-digest", "error")},
    "sha1:": {("block-digest", "error")},
    "crc32:3610a686": {("unknown-digest", "note")},
    "nonsense": {("unknown-digest", "note")},
}


@pytest.mark.parametrize(("declared", "found"), SPELLINGS.items())
def test_digests_are_understood_in_every_spelling(tmp_path: Path, check: Check, declared: str, found: set[tuple[str, str]]) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(pack(warc_record("resource", b"hello", WARC_Block_Digest=declared)))
    told = {(finding["rule"], finding["severity"]) for finding in check(path)}
    assert told == found


def test_damage_of_an_arc_file_is_told(tmp_path: Path, check: Check) -> None:
    path = tmp_path / "x.arc"
    path.write_bytes(arc_file([arc_record()]))
    assert check(path) == []
    path.write_bytes(path.read_bytes() + b"http://a.example/c 192.0.2.7 20080430204825 text/html 999\n")
    assert "damage" in errors(check(path))


def test_a_finding_is_a_line_with_its_place(stored: Stored, curator: Callable[..., Any]) -> None:
    edit(stored.files[1], 4, (rb"Sz\xc3\xb6veg", b"Szoveg"))
    ended = curator("warc", "check", stored.files[1])
    assert ended.code == 1
    assert re.search(r"\.warc\.gz: byte \d+ <urn:uuid:\S+>: error: ", ended.out)
