"""The example portal as a server: on loopback alone, quick, and with a log of everything that was asked."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml

from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.example_portal.__main__ import main

Ask = Callable[..., object]


def test_it_listens_on_loopback_alone(portal: ExamplePortal) -> None:
    assert portal.url.startswith("http://127.0.0.1:")
    port = int(portal.home.rpartition(":")[2])
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", port), timeout=0.2):
        pass


def test_several_requests_share_a_connection(portal: ExamplePortal) -> None:
    with socket.create_connection(("127.0.0.1", int(portal.home.rpartition(":")[2])), timeout=1) as connection:
        connection.sendall(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n" * 2 + b"GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        received = b""
        while more := connection.recv(65_536):
            received += more
    assert received.count(b"HTTP/1.1 200 OK") == 2
    assert received.count(b"HTTP/1.1 404 Not Found") == 1


def test_what_is_no_request_gets_no_answer(ask: Ask) -> None:
    assert ask("/x y z").received == b""
    assert ask("/").status == 200


def test_a_head_request_has_no_body(ask: Ask) -> None:
    answer = ask("/", method="HEAD")
    assert int(answer.headers["content-length"]) > 1000
    assert answer.body == b""


def test_only_the_api_takes_a_post(ask: Ask) -> None:
    assert ask("/api/gyorshirek").status == 405
    assert ask("/belfold/", method="POST", body=b"x").status == 405
    assert ask("/api/gyorshirek", method="POST", body=b"lap=1").status == 200


def test_the_log_tells_what_was_asked(portal: ExamplePortal, ask: Ask) -> None:
    ask("/belfold/")
    ask("/belfold/?oldal=2")
    ask("/api/gyorshirek", method="POST", body=b"lap=1")
    assert [(line.method, line.target) for line in portal.requests] == [
        ("GET", "/belfold/"),
        ("GET", "/belfold/?oldal=2"),
        ("POST", "/api/gyorshirek"),
    ]
    assert portal.asked("/belfold/*") == 2
    assert portal.asked(portal.home + "/belfold/") == 1
    portal.forget_requests()
    assert portal.requests == ()


def test_filling_makes_pages_as_heavy_as_wished(ask: Ask) -> None:
    with ExamplePortal(articles=60, page_size=3, filling=50_000) as heavy, urlopen(heavy.home + "/belfold/") as page:
        assert 49_000 < len(page.read()) - len(ask("/belfold/").body) < 51_000


def test_its_portal_file_has_its_address(portal: ExamplePortal, tmp_path: Path) -> None:
    file = portal.portal_file(tmp_path, delay="0s")
    written = yaml.safe_load(file.read_text("utf-8"))
    assert written["home"] == portal.url
    assert written["fetch"]["delay"] == "0s"
    assert set(written["columns"]) == set(portal.articles)
    assert "8765" not in file.read_text("utf-8")


def test_a_taken_port_is_told_in_a_sentence(portal: ExamplePortal, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--port", portal.home.rpartition(":")[2]]) == 2
    assert "--port" in capsys.readouterr().err
