"""Whatever a server writes into its headers, its answer gets an outcome, and nobody else waits for it."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from loopback import Loopback
from seams import known_urls

from webarticlecurator import CrawlSummary, crawl, load_portal

READ = {
    **dict.fromkeys(("Content-Type", "Content-Encoding", "Content-Length", "Transfer-Encoding", "Content-Language", "Connection"), 200),
    **dict.fromkeys(("Set-Cookie", "Last-Modified", "ETag", "Link", "X-Robots-Tag", "tdm-reservation", "tdm-policy", "Date"), 200),
    "Location": 302,
    "Retry-After": 429,
    "Server": 503,
}
"""The headers that somebody here reads, each with a status of answers in which it counts."""
ODD = (
    "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 -2359",
    "9" * 5000,
    "-1",
    "nan",
    "http://[::1/",
    "text/html; charset=\\x00\\ud800",
    "a=b; Max-Age=1e999; Expires=Mon, 01 Jan 99999999999999999999 00:00:00 GMT; Domain=[; Path=%",
    '*;q="' + "," * 500,
    "=?utf-8?b?/////w==?=",
    *("".join(map(chr, Random(number).choices([*range(1, 10), *range(14, 0x180), 0x2028, 0xFFFF], k=30))) for number in range(10)),
)
PAGE = b"<html><body><article><h1>Cikk</h1><p>Egy mondat, hogy legyen mit olvasni.</p></article></body></html>"
PATIENCE = 60.0
"""Seconds; a crawl that is not over by then hangs."""


def answer(status: int, *headers: tuple[str, str], body: bytes = PAGE) -> bytes:
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers), f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace") + body


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with closing(Loopback()) as loopback:
        yield loopback


@pytest.fixture
def names_lead_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name below pelda.example is this machine: so there are many hosts."""
    real = socket.getaddrinfo

    def resolve(host: Any, *arguments: Any, **more: Any) -> Any:
        return real("127.0.0.1" if str(host).endswith(".pelda.example") else host, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def crawled(folder: Path, server: Loopback, hosts: Sequence[str], urls: Sequence[str]) -> tuple[CrawlSummary, dict[str, str]]:
    """How a crawl of these articles ended, and the outcome of each."""
    server.answers["/list"] = answer(200, ("Content-Type", "text/plain"), body="\n".join(urls).encode())
    names = ", ".join(hosts)
    file = folder / "portal.yaml"
    file.write_text(
        f"portal: pelda\nhome: {server.url}/\n"
        f"fetch: {{delay: 0s, retries: 0, timeout: 2s, private_hosts: [{names}]}}\n"
        f"archive: {{url: '{server.url}/list', format: urls, urls: {{hosts: [{names}]}}}}\n"
        "articles: {next: a.next, skip: {when: [body.none]}}\n",
        encoding="utf-8",
    )
    given: list[CrawlSummary] = []
    thread = Thread(target=lambda: given.append(crawl(load_portal(file), corpus=folder / "corpus")), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it hangs"
    assert given, "it raised"
    return given[0], known_urls(folder / "corpus")


def test_no_header_of_one_host_stops_the_others(server: Loopback, names_lead_home: None, tmp_path: Path) -> None:
    odd = {}
    for number, (name, value) in enumerate(product(READ, ODD)):
        server.answers[f"/odd/{number}"] = answer(READ[name], (name, value))
        odd[f"h{number}.pelda.example"] = f"http://h{number}.pelda.example:{server.port}/odd/{number}"
    fine = [f"{server.url}/fine/{number}" for number in range(5)]
    for number in range(5):
        server.answers[f"/fine/{number}"] = answer(200, body=PAGE + b"<p>%d" % number)
    summary, outcomes = crawled(tmp_path, server, list(odd), [*odd.values(), *fine])
    assert {outcomes[url] for url in fine} == {"fetched"}
    assert {url for url in odd.values() if outcomes[url] == "queued"} == set()
    assert summary.impossible is None
