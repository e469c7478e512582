"""Whatever a server sends: what a crawl says of an answer is what everybody reads in its WARC file later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from any_message import messages
from hypothesis import HealthCheck, Phase, example, given, settings
from loopback import Loopback
from seams import known_urls

from webarticlecurator import iter_warc

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with closing(Loopback()) as loopback:
        yield loopback


def crawled(curator: Callable[..., Any], server: Loopback, folder: Path, message: bytes) -> tuple[str, dict[str, bytes]]:
    """The outcome of /c that a crawl told, and what its WARC files give, which have no fault; the answer comes in two pieces."""
    listing = b"<ul><li><a href=/c>x</a></ul>"
    server.answers["/l"] = HEAD + b"Content-Length: %d\r\n\r\n" % len(listing) + listing
    server.answers["/c"] = lambda connection: (connection.sendall(message[:30]), connection.sendall(message[30:]))
    rules = folder / "portal.yaml"
    rules.write_text(
        f"portal: pelda\nhome: {server.url}/\nfetch: {{delay: 0s, retries: 0, timeout: 5s}}\narchive: {{url: '{{home}}l', link: li a}}\n",
        "utf-8",
    )
    curator("crawl", rules, "--corpus", folder / "corpus")
    checked = curator("warc", "check", folder / "corpus")
    assert checked.code == 0, checked.out
    stored = {capture.url.removeprefix(server.url): capture.entity for capture in iter_warc(folder / "corpus")}
    return known_urls(folder / "corpus")[f"{server.url}/c"], stored


@settings(max_examples=8, phases=[Phase.explicit, Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages())
@example(HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
def test_what_is_told_to_be_fetched_can_be_read_again(curator: Callable[..., Any], server: Loopback, message: bytes) -> None:
    with TemporaryDirectory() as folder:
        outcome, stored = crawled(curator, server, Path(folder), message)
        assert (outcome == "fetched") <= ("/c" in stored)


@pytest.mark.parametrize("location", [b"/\xc5\x91szi", b"/%C5%91szi", b"/\xfaj"])
def test_a_redirect_leads_to_the_same_page_live_and_stored(
    curator: Callable[..., Any], server: Loopback, tmp_path: Path, location: bytes
) -> None:
    page = HEAD + b"Content-Length: 5\r\n\r\nhello"
    server.answers |= {"/%C5%91szi": page, "/%C3%BAj": page}
    outcome, stored = crawled(curator, server, tmp_path, b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")
    assert outcome == "fetched"
    assert stored["/%C3%BAj" if b"j" in location else "/%C5%91szi"] == b"hello"
