"""What a crawl stores, as any reader of WARC finds it: the bytes that came, who asked for them, and what was made of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from scripted_portal import Crawler, listing
from warc_records import digest, records
from whole_corpus import ANSWERS, PAGE, SECRET, Stored

RULES = "archive: {url: HOME/lista, pages: none, link: h2 a}\n"
NAME = re.compile(r"pelda-(archive|articles)-\d{8}T\d{6}Z-\d{5}\.warc\.gz")


def test_files_are_sealed_named_by_series_and_time_and_never_written_again(crawler: Crawler) -> None:
    crawler.portal.script["/lista"] = listing(1)
    assert crawler.crawl() == 0
    first = {path: path.read_bytes() for path in (crawler.corpus / "warc").iterdir()}
    assert [match[1] for path in sorted(first) if (match := NAME.fullmatch(path.name))] == ["archive", "articles"]
    assert crawler.crawl("--articles-only") == 0
    assert set((crawler.corpus / "warc").iterdir()) == set(first), "a crawl that stores nothing leaves no file"
    crawler.portal.script["/lista"] = listing(1, 2)
    assert crawler.crawl() == 0
    assert len(list((crawler.corpus / "warc").iterdir())) == 4
    assert {path: path.read_bytes() for path in first} == first


def test_other_programs_find_nothing_wrong(everything: Stored) -> None:
    """But for warcio, which digests chunks as part of the payload."""
    found = {}
    for program in ("warcio", "fastwarc"):
        command = [sys.executable, "-m", f"{program}.cli", "check", *everything.files]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        found[program] = re.findall(r".* failed .*", said)
    assert (len(found["warcio"]), found["fastwarc"]) == (1, [])
    chunked = everything.exchange("/c/chunked")[1]
    assert found["warcio"][0].split() == ["payload", "digest", "failed", chunked["WARC-Payload-Digest"]]


def test_each_file_says_who_made_it_how_and_by_which_portal_file(everything: Stored) -> None:
    for file in everything.files:
        warcinfo, rules, effective, *others = records(file)
        said = warcinfo.block.decode()
        assert (warcinfo.type, warcinfo["WARC-Filename"]) == ("warcinfo", file.name)
        assert all(line in said for line in ("operator: mailto:anna@egyetem.example", "robots: obeyed", "credentials (Cookie)"))
        assert (rules.type, rules.block) == ("resource", everything.rules.read_bytes())
        assert f"curator-effective-file: {effective.url}" in said
        assert {record["WARC-Warcinfo-ID"] for record in others} == {warcinfo["WARC-Record-ID"]}


def test_what_was_sent_is_stored_but_for_secrets(everything: Stored) -> None:
    assert all(f"Cookie: {SECRET}".encode() in request for request in everything.asked)
    stored = [record for file in everything.files for record in records(file)]
    assert not [record for record in stored if SECRET.encode() in record.block]
    sent = {record.block for record in stored if record.type == "request"}
    assert {request.replace(b"Cookie: [redacted]", f"Cookie: {SECRET}".encode()) for request in sent} == set(everything.asked)
    told = [record.block for record in stored if record.type == "metadata" and record["WARC-Concurrent-To"]]
    assert all(b"curator-redacted: Cookie\r\n" in block for block in told)


@pytest.mark.parametrize(
    ("path", "payload"),
    [
        ("/c/page", PAGE),
        ("/c/chunked", b"<p>Szia</p>"),
        ("/c/packed", ANSWERS["/c/packed"].partition(b"\r\n\r\n")[2]),
        ("/c/moved", b""),
        ("/c/there", PAGE + b"there"),
        ("/c/cut", PAGE),
        ("/c/odd", None),
        ("/c/gone", b"<p>gone"),
    ],
)
def test_bytes_are_stored_to_the_last_one(everything: Stored, path: str, payload: bytes | None) -> None:
    """Chunks and compression stay; the digest of the payload is that without chunks."""
    request, response, metadata = everything.exchange(path)
    assert (request.type, response.type, metadata.type) == ("request", "response", "metadata")
    assert response.block == ANSWERS[path]
    assert response["WARC-Block-Digest"] == digest(ANSWERS[path])
    assert response["WARC-Payload-Digest"] == (None if payload is None else digest(payload))


def test_the_records_of_an_exchange_have_one_date_and_name_each_other(everything: Stored) -> None:
    request, response, metadata = everything.exchange("/c/page")
    assert {record["WARC-Date"] for record in (request, response, metadata)} == {request["WARC-Date"]}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", request["WARC-Date"] or "")
    assert response.all("WARC-Concurrent-To") == [request["WARC-Record-ID"]]
    assert metadata.all("WARC-Concurrent-To") == [request["WARC-Record-ID"], response["WARC-Record-ID"]]
    assert request["WARC-IP-Address"] == response["WARC-IP-Address"] == "127.0.0.1"
    assert metadata["WARC-Payload-Digest"] is None
    assert f"via: {everything.home}/lista\r\n".encode() in metadata.block
    ids = [record["WARC-Record-ID"] for file in everything.files for record in records(file)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("path", "types", "truncated", "error", "outcome"),
    [
        ("/c/cut", ["request", "response", "metadata"], "disconnect", "was cut", "error"),
        ("/c/odd", ["request", "response", "metadata"], "unspecified", "not HTTP", "error"),
        ("/c/silent", ["request", "metadata"], None, "without an answer", "error"),
        ("/c/gone", ["request", "response", "metadata"], None, None, "gone"),
        ("/c/forbidden", ["metadata"], None, None, "robots"),
    ],
)
def test_what_failed_is_stored_with_what_was_there_of_it(
    everything: Stored, path: str, types: list[str], truncated: str | None, error: str | None, outcome: str
) -> None:
    exchange = everything.exchange(path)
    assert [record.type for record in exchange] == types
    assert next((record["WARC-Truncated"] for record in exchange if record.type == "response"), None) == truncated
    said = re.findall(r"curator-error: (.*)\r\n", exchange[-1].block.decode())
    assert bool(said) == bool(error) and all((error or "") in line for line in said)
    (event,) = re.findall(rb"curator-event: (.*)\r\n", exchange[-1].block)
    assert json.loads(event)["outcome"] == outcome


@pytest.mark.parametrize(
    ("path", "profile", "truncated"),
    [
        ("/c/page", "identical-payload-digest", "length"),
        ("/c/chunked", "identical-payload-digest", "length"),
        ("/c/dated", "server-not-modified", None),
    ],
)
def test_what_has_not_changed_is_a_revisit_that_keeps_the_head(everything: Stored, path: str, profile: str, truncated: str | None) -> None:
    _, first, _ = everything.exchange(path)
    _, revisit, _ = everything.exchange(path, last=True)
    assert (revisit.type, revisit["WARC-Truncated"]) == ("revisit", truncated)
    assert (revisit["WARC-Profile"] or "").endswith(profile)
    assert revisit["WARC-Refers-To"] == first["WARC-Record-ID"]
    assert (revisit["WARC-Refers-To-Date"], revisit["WARC-Refers-To-Target-URI"]) == (first["WARC-Date"], first.url)
    assert revisit["WARC-Payload-Digest"] == first["WARC-Payload-Digest"]
    assert revisit.block.endswith(b"\r\n\r\n") and revisit.block.startswith(b"HTTP/1.1 ")


def test_every_exchange_is_listed_with_its_outcome(everything: Stored, curator: Callable[..., Any]) -> None:
    listed = [json.loads(line) for line in curator("warc", "list", everything.files[1], "--json").out.splitlines()]
    about = {line["url"].removeprefix(everything.home): (line["status"], line["type"], line["size"], line["outcome"]) for line in listed}
    assert about["/c/page"] == (200, "text/html", len(PAGE), "fetched")
    assert about["/c/chunked"] == (200, "text/html", 11, "fetched")
    assert about["/c/gone"] == (404, "text/html", 7, "gone")
    assert about["/c/cut"][::3] == (200, "error")
    assert [about[path][0] for path in ("/c/silent", "/c/forbidden", "/c/odd")] == [None] * 3
    assert about["/c/forbidden"][3] == "robots"
