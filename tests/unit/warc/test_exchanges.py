"""Exchanges out of WARC files that other programs wrote."""

from __future__ import annotations

from webarticlecurator.warc.exchanges import WarcExchange, list_exchanges, read_warc
from webarticlecurator.warc.members import pack
from webarticlecurator.warc.records import refuse
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.writer import StoreEntry

DATE = "2019-08-17T18:15:15Z"
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hi</p>"
GET = b"GET / HTTP/1.1\r\nHost: a.example\r\nCookie: s=1\r\n\r\n"


def record(kind: str, block: bytes, *, url: str = "http://a.example/", number: int = 1, date: str = DATE, **fields: str) -> bytes:
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{kind}-{number}>\r\nWARC-Date: {date}\r\n"
        f"WARC-Target-URI: {url}\r\n{more}Content-Length: {len(block)}\r\n\r\n"
    )
    return pack(head.encode() + block + b"\r\n\r\n")


def read(tmp_path, *records: bytes):
    path = tmp_path / "foreign.warc.gz"
    path.write_bytes(b"".join(records))
    return list(read_warc(path))


def test_pairs_are_found_in_either_order_and_with_metadata_between(tmp_path):
    records = [
        record("warcinfo", b"software: Wget\r\n", url=""),
        record("request", GET, number=1), record("response", PAGE, number=1),
        record("response", PAGE, number=2, url="http://a.example/2"),
        record("request", GET, number=2, url="http://a.example/2", WARC_Concurrent_To="<urn:x:response-2>"),
        record("metadata", b"x: y\r\n", url="http://a.example/2", WARC_Concurrent_To="<urn:x:response-2>"),
        record("response", PAGE, number=3, url="http://a.example/3"),
    ]  # fmt: skip
    found = read(tmp_path, *records)
    assert [(one.capture.url, bool(one.exchange.request_bytes)) for one in found] == [
        ("http://a.example/", True), ("http://a.example/2", True), ("http://a.example/3", False),
    ]  # fmt: skip


def test_the_predecessors_pairs_have_different_dates(tmp_path):
    (found,) = read(tmp_path, record("request", GET), record("response", PAGE, date="2019-08-17T18:15:16Z"))
    assert found.exchange.request_bytes


def test_bytes_are_kept_but_for_secrets(tmp_path):
    (found,) = read(tmp_path, record("request", GET), record("response", PAGE, WARC_IP_Address="192.0.2.1"))
    exchange = found.exchange
    assert exchange.response_bytes == PAGE
    assert b"Cookie: [redacted]\r\n" in exchange.request_bytes
    assert (exchange.redacted, exchange.ip, exchange.status, exchange.entity) == (("Cookie",), "192.0.2.1", 200, b"<p>hi</p>")
    assert (found.capture.status, found.capture.location.file) == (200, "foreign.warc.gz")


def test_chunks_are_undone_and_cuts_are_told(tmp_path):
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"
    (found,) = read(tmp_path, record("response", chunked, WARC_Truncated="length"))
    assert (found.capture.entity, found.exchange.truncated) == (b"hi", "length")


def test_a_revisit_is_resolved_inside_the_file(tmp_path):
    head = b"HTTP/1.1 200 OK\r\nDate: today\r\n\r\n"
    revisit = record("revisit", head, number=2, date="2019-08-18T00:00:00Z", WARC_Refers_To="<urn:x:response-1>")
    by_date = record(
        "revisit", head, number=3, date="2019-08-19T00:00:00Z", WARC_Refers_To_Target_URI="http://a.example/", WARC_Refers_To_Date=DATE
    )
    first, second, third = read(tmp_path, record("response", PAGE), revisit, by_date)
    assert [one.capture.entity for one in (first, second, third)] == [b"<p>hi</p>"] * 3
    assert second.exchange.response_bytes == head + b"<p>hi</p>"
    assert (second.capture.date.day, third.capture.date.day) == (18, 19)


def test_what_cannot_be_used_is_told_with_its_reason(tmp_path):
    found = read(
        tmp_path,
        record("response", b"dns answer", url="dns:a.example"),
        record("response", b"not http"),
        record("response", PAGE, date="yesterday"),
        record("revisit", b"HTTP/1.1 200 OK\r\n\r\n", WARC_Refers_To="<urn:x:elsewhere>"),
        record("revisit", b"HTTP/1.1 304 Not Modified\r\n\r\n", WARC_Refers_To="<urn:x:response-1>"),
        record("resource", b"x", url="metadata://gnu.org/wget"),
    )
    assert found == [
        "not a page of the web",
        "not an HTTP response",
        "no readable WARC-Date",
        "a revisit of a record that is not in this file",
        "not modified since an earlier capture",
        "a resource record, not an HTTP exchange",
    ]


def test_our_own_files_are_read_as_well(store, folder, make_entry):
    entry = make_entry()
    store.append(Series.ARTICLES, [entry])
    store.close()
    found = [one for one in read_warc(next(folder.iterdir())) if isinstance(one, WarcExchange)]
    assert found[0].exchange.response_bytes == entry.exchange.response_bytes
    assert found[0].exchange.started == entry.exchange.started


def test_each_exchange_is_listed_with_its_outcome(store, folder, make_entry):
    store.append(Series.ARTICLES, [make_entry(body=b"12345")])
    store.append(Series.ARTICLES, [make_entry("https://pelda.example/b", response_bytes=None, event={"outcome": "error"})])
    store.append(Series.ARTICLES, [StoreEntry(event={"outcome": "robots", "reason": "disallowed"}, target="https://pelda.example/c")])
    store.close()
    listed = list(list_exchanges(next(folder.iterdir()), on_damage=refuse))
    assert [(one.url, one.status, one.type, one.size, one.outcome) for one in listed] == [
        ("https://pelda.example/a", 200, "text/html", 5, "fetched"),
        ("https://pelda.example/b", None, "application/http", listed[1].size, "error"),
        ("https://pelda.example/c", None, "application/warc-fields", listed[2].size, "robots"),
    ]
    assert (listed[2].reason, listed[2].record) == ("disallowed", "metadata")
