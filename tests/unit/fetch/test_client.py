"""One exchange over a real socket: kept connections, deadlines, and the bytes as they were."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.client import Answer, HttpClient
from webarticlecurator.fetch.connections import Dialler
from webarticlecurator.fetch.request import Cookies, RequestTarget, Sent
from webarticlecurator.fetch.response import Fault, Limits
from webarticlecurator.model.capture import Request

HELLO = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
Ask = Callable[..., Answer]


def head(body: bytes, *lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode() + body


@pytest.fixture
def ask(server: Any) -> Iterator[Ask]:
    wires: dict[float, HttpClient] = {}

    def wire_with(timeout: float) -> HttpClient:
        rules, dialler = FetchRules(timeout=timedelta(seconds=timeout)), Dialler(private_hosts=["127.0.0.1"])
        return HttpClient(dialler, Cookies(None, most=10), rules=rules, limits=Limits(), now=lambda: datetime.now(UTC))

    def ask(path: str = "/", *, timeout: float = 5.0, limits: Limits | None = None) -> Answer:
        wire = wires.get(timeout) or wires.setdefault(timeout, wire_with(timeout))
        sent = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        return wire.ask(Request(url=server.url + path), RequestTarget.parse(server.url + path), Sent(sent, sent), limits=limits)

    yield ask
    for wire in wires.values():
        wire.close()


def test_bytes_are_kept_as_they_crossed_the_wire(server: Any, ask: Ask) -> None:
    chunked = b"HTTP/1.1 200 OK\nServer:  x \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
    server.answers["/"] = chunked
    exchange = ask().exchange
    assert (exchange.response_bytes, exchange.entity) == (chunked, b"hello")
    assert exchange.request_bytes == server.requests[0]
    assert (exchange.ip, exchange.status, exchange.error, exchange.truncated) == ("127.0.0.1", 200, None, None)
    assert exchange.started.utcoffset() is not None


def test_a_connection_is_kept_for_the_next_request(server: Any, ask: Ask) -> None:
    server.answers["/"] = HELLO
    for _ in range(3):
        assert ask().fault is None
    assert (len(server.requests), server.connections) == (3, 1)


ENDING = [head(b"hello"), head(b"hello", "Connection: close", "Content-Length: 5"), HELLO.replace(b"HTTP/1.1", b"HTTP/1.0")]


@pytest.mark.parametrize("answer", ENDING)
def test_a_connection_that_ends_is_not_kept(server: Any, ask: Ask, answer: bytes) -> None:
    def once(connection: socket.socket) -> None:
        connection.sendall(answer)

    server.answers["/"] = once
    for _ in range(2):
        response = ask()
        assert (response.fault, response.exchange.entity) == (None, b"hello")
    assert server.connections == 2


def test_a_kept_connection_that_was_closed_meanwhile_is_silently_replaced(server: Any, ask: Ask) -> None:
    def answer_and_close(connection: socket.socket) -> None:
        connection.sendall(HELLO)
        time.sleep(0.02)

    server.answers["/"] = answer_and_close
    assert ask().fault is None
    time.sleep(0.05)
    assert ask().fault is None
    assert server.connections == 2


def test_a_kept_connection_that_breaks_before_a_byte_came_is_replaced_once(server: Any, ask: Ask) -> None:
    server.answers["/"] = [HELLO, lambda connection: connection.shutdown(socket.SHUT_RDWR), HELLO]
    assert ask().fault is None
    assert ask().fault is None
    server.answers["/"] = lambda connection: connection.shutdown(socket.SHUT_RDWR)
    assert ask().fault is Fault.RESET


def test_nothing_is_asked_again_once_a_byte_came(server: Any, ask: Ask) -> None:
    server.answers["/"] = [HELLO, lambda connection: connection.sendall(HELLO[:10])]
    ask()
    answer = ask()
    assert (answer.fault, answer.exchange.response_bytes, len(server.requests)) == (Fault.CUT, HELLO[:10], 2)


def test_one_byte_after_the_other_does_not_hold_us_for_ever(server: Any, ask: Ask) -> None:
    def drip(connection: socket.socket) -> None:
        for byte in HELLO * 20:
            connection.sendall(bytes([byte]))
            time.sleep(0.02)

    server.answers["/"] = drip
    begin = time.monotonic()
    answer = ask(timeout=0.2)
    assert time.monotonic() - begin < 5  # all of it would take more than ten seconds
    assert (answer.fault, answer.exchange.truncated) == (Fault.TIME, "time")
    assert answer.exchange.response_bytes


def test_a_silent_server_leaves_no_response(server: Any, ask: Ask) -> None:
    server.answers["/"] = lambda connection: connection.recv(1)  # silent, until the other side hangs up
    answer = ask(timeout=0.1)
    assert (answer.fault, answer.exchange.response_bytes, answer.exchange.truncated) == (Fault.TIME, None, None)


def test_an_answer_before_the_request_was_read_still_counts(server: Any, ask: Ask) -> None:
    server.answers["/"] = lambda connection: connection.sendall(head(b"", "Content-Length: 0", "Connection: close"))
    assert ask().exchange.status == 200


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (head(b"hello", "Content-Length: 9", "Connection: close"), Fault.CUT),
        (head(b"hello, and more", "Content-Length: 5"), Fault.LONG),
        (head(b"hello, and more", "Content-Length: 5", "Connection: close"), Fault.LONG),
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", Fault.GARBAGE),
    ],
)
def test_wrong_lengths_and_other_protocols_are_noticed(server: Any, ask: Ask, answer: bytes, fault: Fault) -> None:
    server.answers["/"] = lambda connection: connection.sendall(answer)
    assert ask().fault is fault


def test_bytes_that_follow_a_moment_later_are_noticed_where_the_connection_ends_anyway(server: Any, ask: Ask) -> None:
    def say_on(connection: socket.socket) -> None:
        connection.sendall(head(b"hello", "Content-Length: 5", "Connection: close"))
        time.sleep(0.01)
        connection.sendall(b"<p>more</p>")

    server.answers["/"] = say_on
    answer = ask()
    assert answer.fault is Fault.LONG
    assert (answer.exchange.response_bytes or b"").endswith(b"more</p>")


def test_a_bomb_is_too_big_although_its_bytes_are_few(server: Any, ask: Ask) -> None:
    bomb = gzip.compress(bytes(3_000_000))
    server.answers["/"] = head(bomb, "Content-Encoding: gzip", f"Content-Length: {len(bomb)}")
    answer = ask(limits=Limits(body=1_000_000))
    assert (answer.fault, answer.exchange.entity, answer.exchange.truncated) == (Fault.TOO_BIG, bomb, None)
    assert ask(limits=Limits(body=4_000_000)).fault is None


def test_a_packed_body_tells_itself_that_it_was_cut(server: Any, ask: Ask) -> None:
    packed = gzip.compress(b"hello " * 100)
    server.answers["/"] = lambda connection: connection.sendall(head(packed[:-9], "Content-Encoding: gzip"))
    assert ask().fault is Fault.CUT


def test_nobody_listening_is_told(server: Any, ask: Ask) -> None:
    server.close()
    answer = ask()
    assert answer.fault is Fault.CONNECT
    assert answer.exchange.ip is None
