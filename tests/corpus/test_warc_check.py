"""`warc check` finds what other checkers miss, and nothing in files that are right."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator.warc import check
from webarticlecurator.warc.check import Checker, WarcFinding
from webarticlecurator.warc.check_rules import Severity
from webarticlecurator.warc.digests import digest
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import read_records
from webarticlecurator.warc.store import OPEN, Series

NOT_MODIFIED = b"HTTP/1.1 304 Not Modified\r\n\r\n"
TWO_OF_NINE = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"
NOW = datetime(2024, 6, 1, tzinfo=UTC)


def findings(*paths, now: datetime = NOW) -> list[WarcFinding]:
    checker = Checker(now)
    try:
        return list(checker.check(paths))
    finally:
        checker.close()


def errors(*paths) -> set[str]:
    return {finding.rule for finding in findings(*paths) if finding.severity is Severity.ERROR}


@pytest.fixture
def ours(store, folder, make_entry):
    """A file with everything that the store writes: pages, redirects, revisits, failures, verdicts alone."""
    (page,) = store.append(Series.ARTICLES, [make_entry()])
    later = page.response.date + timedelta(days=1)
    store.append(
        Series.ARTICLES,
        [
            make_entry(started=later, revisit_of=page.response),
            make_entry(started=later, revisit_of=page.response, response_bytes=NOT_MODIFIED, status=304, entity=b""),
            make_entry("https://pelda.example/b", response_bytes=None, status=None, entity=b"", error="timed out"),
            make_entry("https://pelda.example/c", response_bytes=TWO_OF_NINE, entity=b"hi", truncated="disconnect"),
            make_entry("https://pelda.example/d", response_bytes=b"\x15\x03\x01", status=None, entity=b"", error="this is no HTTP"),
            make_entry("https://pelda.example/e", response_bytes=TWO_OF_NINE, entity=b"hi", error="the body is shorter than announced"),
            make_entry("https://pelda.example/f", request_bytes=b""),
        ],
    )
    store.close()
    return next(folder.iterdir())


def edited(path, place: int, *changes: tuple[bytes, bytes]):
    """The file with one record changed, its digest and length made anew."""
    parts = []
    for number, record in enumerate(read_records(path)):
        head, block = record.head, record.block
        if number == place:
            for old, new in changes:
                assert re.search(old, head + block), f"{old!r} is not in the record"
                head, block = re.sub(old, new, head), re.sub(old, new, block)
            head = re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % len(block), head)
        parts.append(pack(head + block + b"\r\n\r\n"))
    path.write_bytes(b"".join(parts))
    return path


def test_what_the_store_writes_is_without_errors(ours):
    assert errors(ours) == set()
    notes = [finding for finding in findings(ours) if finding.severity is Severity.NOTE]
    assert all("the crawl noted" in note.message for note in notes)
    assert len(notes) == 2


REQUEST, RESPONSE, METADATA, REVISIT = 3, 4, 5, 7


@pytest.mark.parametrize(
    ("place", "change", "rule"),
    [
        (RESPONSE, (rb"Szia", rb"Hali"), "block-digest"),
        (RESPONSE, (rb"WARC-Payload-Digest: sha1:.", b"WARC-Payload-Digest: sha1:7"), "payload-digest"),
        (RESPONSE, (rb"WARC-Date: 2024-05-01T12", b"WARC-Date: 2024-05-01T13"), "exchange-date"),
        (RESPONSE, (rb"WARC-Date: 2024", b"WARC-Date: 2054"), "date"),
        (RESPONSE, (rb"WARC-Date: 2024", b"WARC-Date: 1924"), "date"),
        (RESPONSE, (rb"WARC-Date: \S+", b"WARC-Date: 20240501120000"), "date"),
        (RESPONSE, (rb"WARC-Date: \S+\r\n", b""), "missing-field"),
        (RESPONSE, (rb"WARC-Target-URI: \S+\r\n", b""), "missing-field"),
        (RESPONSE, (rb"WARC-Record-ID: <(\S+)>", rb"WARC-Record-ID: \1"), "record-id"),
        (RESPONSE, (rb"WARC-Record-ID: \S+", b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>"), "record-id"),
        (RESPONSE, (rb"(WARC-Date: \S+)", rb"\1\r\nWARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000001>"), "forbidden-field"),
        (RESPONSE, (rb"WARC-Concurrent-To: \S+", b"WARC-Concurrent-To: <urn:x:nowhere>"), "missing-record"),
        (RESPONSE, (rb"WARC-Warcinfo-ID: \S+", b"WARC-Warcinfo-ID: <urn:x:nowhere>"), "missing-record"),
        (RESPONSE, (rb"HTTP/1.1 200", b"Hello"), "http"),
        (RESPONSE, (rb"</p>", b"</p></p>"), "http-length"),
        (RESPONSE, (rb"(WARC-Date: \S+)", rb"\1\r\nWARC-Truncated: tired"), "truncated"),
        (REQUEST, (rb"GET / HTTP/1.1", b"Hello"), "http"),
        (METADATA, (rb"(WARC-Date: \S+)", rb"\1\r\nWARC-Payload-Digest: sha1:AAAA"), "forbidden-field"),
        (METADATA, (rb"curator-event: {", b"curator-event: "), "event"),
        (METADATA, (rb"WARC-Concurrent-To: \S+\r\nWARC-Concurrent-To: \S+\r\n", b""), "incomplete-exchange"),
        (REVISIT, (rb"WARC-Profile: \S+", b"WARC-Profile: http://x.example/"), "revisit-profile"),
        (REVISIT, (rb"WARC-Payload-Digest: \S+\r\n", b""), "revisit-digest"),
        (REVISIT, (rb"WARC-Payload-Digest: \S+", b"WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"), "revisit-digest"),
        (REVISIT, (rb"WARC-Refers-To: \S+", b"WARC-Refers-To: <urn:x:nowhere>"), "missing-record"),
        (REVISIT, (rb"WARC-Refers-To-Date: 2024", b"WARC-Refers-To-Date: 2023"), "revisit-reference"),
        (REVISIT, (rb"WARC-Refers-To-Target-URI: \S+", b"WARC-Refers-To-Target-URI: https://pelda.example/z"), "revisit-reference"),
    ],
)
def test_every_broken_rule_is_found_where_it_is(ours, place, change, rule):
    edited(ours, place, change)
    offset = [record.offset for record in read_records(ours)][place]
    found = [finding for finding in findings(ours) if finding.rule == rule and finding.severity is Severity.ERROR]
    assert found, f"{rule} was not found"
    if rule not in ("exchange-date", "incomplete-exchange"):
        assert offset in {finding.offset for finding in found}


@pytest.mark.parametrize("lost", [REQUEST, RESPONSE, METADATA])
def test_a_lost_record_is_missed(ours, lost):
    content = ours.read_bytes()
    parts = [content[record.offset : record.end] for record in read_records(ours)]
    del parts[lost]
    ours.write_bytes(b"".join(parts))
    assert errors(ours) & {"missing-record", "incomplete-exchange"}


@pytest.mark.parametrize(
    ("spoil", "rule", "text"),
    [
        (lambda content: content[:-20], "damage", "cut tail"),
        (lambda content: content + b"\x00" * 9, "damage", "belong to no record"),
        (lambda content: content[:900] + b"\xff" + content[901:], "damage", "bytes are lost"),
        (lambda content: gzip.compress(gzip.decompress(content)), "frame", "shares its gzip member"),
        (lambda _: b"", "empty-file", "no exchange"),
    ],
)
def test_damage_to_the_file_is_found(ours, spoil, rule, text):
    ours.write_bytes(spoil(ours.read_bytes()))
    found = [finding for finding in findings(ours) if finding.rule == rule]
    assert any(text in finding.message for finding in found)


def test_a_file_with_a_beginning_only_is_empty(ours):
    first = next(read_records(ours))
    ours.write_bytes(ours.read_bytes()[: first.end])
    assert errors(ours) == {"empty-file"}


def test_the_tail_of_an_unsealed_file_is_explained(ours):
    torn = ours.rename(ours.with_name(ours.name + OPEN))
    torn.write_bytes(torn.read_bytes()[:-20])
    assert any("the next crawl puts it right" in finding.message for finding in findings(torn))


def test_references_reach_over_files(ours, tmp_path):
    content = ours.read_bytes()
    parts = list(read_records(ours))
    first, second = tmp_path / "1.warc.gz", tmp_path / "2.warc.gz"
    cut = parts[METADATA].end
    first.write_bytes(content[:cut])
    second.write_bytes(content[cut:])
    assert "missing-record" in errors(second)
    assert errors(first, second) == set()


def foreign(path, *, chunked_digest: bool = False) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        writer.write_record(writer.create_warcinfo_record("x.warc.gz", {"software": "warcio"}))
        coding = [("Transfer-Encoding", "chunked")] if chunked_digest else []
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), *coding], "HTTP/1.1")
        body = b"2\r\nhi\r\n0\r\n\r\n" if chunked_digest else b"hi"
        response = writer.create_warc_record("http://a.example/", "response", payload=BytesIO(body), http_headers=headers)
        request = writer.create_warc_record(
            "http://a.example/", "request", http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.example")], is_http_request=True)
        )
        writer.write_request_response_pair(request, response)


def test_files_of_warcio_are_right_and_its_digests_of_chunks_are_noted(tmp_path):
    plain, chunked = tmp_path / "plain.warc.gz", tmp_path / "chunked.warc.gz"
    foreign(plain)
    foreign(chunked, chunked_digest=True)
    today = datetime.now(UTC)
    assert findings(plain, now=today) == []
    assert [(finding.rule, finding.severity) for finding in findings(chunked, now=today)] == [("payload-digest-convention", Severity.NOTE)]


def test_foreign_requests_without_a_response_are_missed(tmp_path):
    path = tmp_path / "x.warc.gz"
    block = b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
    head = (
        "WARC/1.1\r\nWARC-Type: request\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: http://a.example/\r\nWARC-Block-Digest: {digest(block)}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    path.write_bytes(pack(head.encode() + block + b"\r\n\r\n"))
    assert errors(path) == {"missing-pair"}


def test_every_rule_is_explained_in_the_docs():
    package = Path(check.__file__).parents[1]
    places = ("warc/check_rules.py", "warc/check.py", "cli/warc.py")
    source = "".join((package / name).read_text("utf-8") for name in places)
    names = set(re.findall(r'BrokenRule\("([a-z-]+)"|rule="([a-z-]+)"', source))
    docs = (Path(__file__).parents[3] / "docs" / "reference" / "warc.md").read_text("utf-8").partition("`check` finds")[2]
    assert {name for pair in names for name in pair if name} == set(re.findall(r"^\| `([a-z-]+)` \|", docs, re.MULTILINE))


def test_a_finding_is_a_sentence_with_its_place(ours):
    edited(ours, RESPONSE, (rb"Szia", rb"Hali"))
    told = [str(finding) for finding in findings(ours)]
    assert any(re.search(r"\.warc\.gz: byte \d+ <urn:uuid:\S+>: error: its bytes are not", text) for text in told)


def test_a_page_as_a_browser_showed_it_belongs_to_its_exchange(store, folder, shown_entry):
    store.append(Series.ARCHIVE, [shown_entry("https://pelda.example/a", b"<p>0")])
    store.close()
    path = next(folder.iterdir())
    assert findings(path) == []
    records, content = list(read_records(path)), path.read_bytes()
    path.write_bytes(content[: records[-1].offset])
    assert [finding.message.partition(" (")[0] for finding in findings(path)] == [
        f"no metadata record completes the exchange of this {kind}" for kind in ("request", "response", "conversion")
    ]
