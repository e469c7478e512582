"""Connections: to checked addresses only, however they are written or wrapped, through proxies, under TLS."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from ipaddress import IPv4Address
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_portal import scripted_portal

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch import connections
from webarticlecurator.fetch.connections import Dialler, literal_address, may_be_reached, opened_hosts
from webarticlecurator.fetch.request import Proxy
from webarticlecurator.fetch.response import ExchangeError, Fault
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome


def rows(*addresses: str) -> list[Any]:
    return [(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in addresses]


def always(*addresses: str) -> Any:
    """A resolver with one answer to everything."""
    return lambda _host, _port: rows(*addresses)


def fault_of(dialler: Dialler, host: str = "pelda.example") -> Fault:
    with pytest.raises(ExchangeError) as failure:
        dialler.check(host)
        dialler.dial(host, 80, 2.0)
    return failure.value.fault


def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    lookups, connected = [], []

    def resolve(host: str, port: int) -> list[Any]:
        lookups.append(host)
        return rows("93.184.216.34") if len(lookups) == 1 else rows("127.0.0.1")  # the name turns to us after the check

    def connect(row: Any, timeout: float) -> socket.socket:
        connected.append(row[4][0])
        return socket.socket()

    sock, ip = Dialler(resolve=resolve, connect=connect).dial("pelda.example", 80, 2.0)
    sock.close()
    assert (lookups, connected, ip) == (["pelda.example"], ["93.184.216.34"], "93.184.216.34")


@pytest.mark.parametrize("addresses", [("10.0.0.1",), ("127.0.0.1", "::1"), ("::ffff:169.254.169.254",)])
def test_a_name_that_leads_home_is_not_connected_to(addresses: tuple[str, ...]) -> None:
    assert fault_of(Dialler(resolve=always(*addresses), connect=pytest.fail)) is Fault.PRIVATE


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"])
def test_no_spelling_of_loopback_is_connected_to(host: str) -> None:
    assert fault_of(Dialler(connect=pytest.fail), host.strip("[]")) is Fault.PRIVATE


def test_a_host_that_the_portal_file_opens_may_have_any_address() -> None:
    dialler = Dialler(private_hosts=["intranet.example"], resolve=always("127.0.0.1"), connect=lambda _row, _left: socket.socket())
    dialler.dial("intranet.example", 80, 2.0)[0].close()
    assert fault_of(dialler, "other.example") is Fault.PRIVATE


@pytest.mark.parametrize("host", ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:169.254.169.254]", "intranet.example"])
@pytest.mark.parametrize("behind_a_proxy", [True, False])
def test_a_link_local_address_is_not_connected_to_though_the_file_names_it(host: str, behind_a_proxy: bool) -> None:
    answers: Any = {"resolve": always("169.254.169.254")} if host == "intranet.example" else {}
    proxy = Proxy.parse("http://127.0.0.1:9" if not answers else "http://intranet.example:9")
    opened = [host.strip("[]")]
    dialler = Dialler(private_hosts=opened, proxy=proxy if behind_a_proxy else None, connect=pytest.fail, **answers)
    assert fault_of(dialler, opened[0]) is Fault.PRIVATE


def test_of_mixed_answers_only_public_ones_are_tried_one_after_the_other() -> None:
    tried = []

    def connect(row: Any, timeout: float) -> socket.socket:
        tried.append(row[4][0])
        raise ConnectionRefusedError(111, "Connection refused")

    assert fault_of(Dialler(resolve=always("8.8.8.8", "10.0.0.1", "1.1.1.1"), connect=connect)) is Fault.CONNECT
    assert tried == ["8.8.8.8", "1.1.1.1"]


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), Fault.NO_HOST),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), Fault.DNS),
        (UnicodeError("label too long"), Fault.NO_HOST),
    ],
)
def test_names_that_cannot_be_resolved_are_told_apart(error: Exception, fault: Fault) -> None:
    def resolve(host: str, port: int) -> list[Any]:
        raise error

    assert fault_of(Dialler(resolve=resolve)) is fault


@pytest.mark.parametrize("host", ["10.0.0.1", "0x7f.1", "localhost", "db.internal", "[::1]"])
def test_what_the_portal_names_is_checked_also_behind_a_proxy(host: str) -> None:
    dialler = Dialler(proxy=Proxy.parse("http://127.0.0.1:9"), connect=pytest.fail)
    assert fault_of(dialler, host.strip("[]")) is Fault.PRIVATE


def test_a_socks_proxy_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(connections, "import_module", missing)
    with pytest.raises(UsageError, match="PySocks"):
        Dialler(proxy=Proxy.parse("socks5h://127.0.0.1"))


@pytest.mark.parametrize(
    ("scheme", "connected_to", "looked_up_there"), [("socks5", ("93.184.216.34", 80), False), ("socks5h", ("pelda.example", 80), True)]
)
def test_a_socks_proxy_is_given_the_checked_address_or_looks_the_name_up(
    monkeypatch: pytest.MonkeyPatch, scheme: str, connected_to: tuple[str, int], looked_up_there: bool
) -> None:
    told: list[Any] = []

    class Socket(socket.socket):
        def set_proxy(self, *settings: Any) -> None:
            told.extend(settings)

        def connect(self, address: Any) -> None:
            told.append(address)

    monkeypatch.setattr(connections, "import_module", lambda _: SimpleNamespace(SOCKS5=2, socksocket=Socket))
    dialler = Dialler(proxy=Proxy.parse(f"{scheme}://anna:hush@proxy.example"), resolve=always("93.184.216.34"))
    sock, ip = dialler.dial("pelda.example", 80, 2.0)
    sock.close()
    assert told == [2, "proxy.example", 1080, looked_up_there, "anna", "hush", connected_to]
    assert ip == (None if looked_up_there else "93.184.216.34")


def test_the_time_of_a_lookup_is_no_longer_there_for_the_socks_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float | None] = []

    class Socket(socket.socket):
        def set_proxy(self, *_settings: Any) -> None:
            pass

        def connect(self, _address: Any) -> None:
            left.append(self.gettimeout())

    def slowly(_host: str, _port: int) -> list[Any]:
        clock.now += 0.2
        return rows("93.184.216.34")

    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(connections, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(connections, "import_module", lambda _: SimpleNamespace(SOCKS5=2, socksocket=Socket))
    Dialler(proxy=Proxy.parse("socks5://proxy.example"), resolve=slowly).dial("pelda.example", 80, 2.0)[0].close()
    assert left == [pytest.approx(1.8)]


def test_a_tunnel_that_is_refused_is_no_connection(server: Any, make_web: Callable[..., Web]) -> None:
    server.answers["pelda.example:443"] = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    fetched = make_web(proxy=server.url, robots="record").fetch(Request(url="https://pelda.example/"))
    assert fetched.verdict.outcome is FetchOutcome.ERROR
    assert "the proxy did not open a tunnel" in fetched.verdict.reason
    assert fetched.verdict.reason.endswith(" HTTP 407")


def test_whatever_a_proxy_says_the_reason_is_short(server: Any, make_web: Callable[..., Web]) -> None:
    server.answers["pelda.example:443"] = b"HTTP/1.1 502 \x1b[31m" + b"x" * 50_000 + b"\r\n\r\n"
    fetched = make_web(proxy=server.url, robots="record").fetch(Request(url="https://pelda.example/"))
    assert fetched.verdict.reason == "the proxy did not open a tunnel: HTTP 502"


def test_a_proxy_that_hangs_up_inside_its_head_opened_no_tunnel(server: Any, make_web: Callable[..., Web]) -> None:
    server.answers["pelda.example:443"] = lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\n")
    fetched = make_web(proxy=server.url, robots="record").fetch(Request(url="https://pelda.example/"))
    assert "the proxy did not open a tunnel" in fetched.verdict.reason


def test_a_tunnel_that_drips_does_not_hold_us_for_ever(server: Any, make_web: Callable[..., Web]) -> None:
    def drip(connection: socket.socket) -> None:
        for byte in b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50:
            connection.sendall(bytes([byte]))
            time.sleep(0.02)

    server.answers["pelda.example:443"] = drip
    web = make_web(proxy=server.url, robots="record", timeout=timedelta(seconds=0.2))
    begin = time.monotonic()
    assert web.fetch(Request(url="https://pelda.example/")).verdict.outcome is FetchOutcome.ERROR
    assert time.monotonic() - begin < 5  # all of it would take more than six seconds


def test_a_server_that_speaks_no_tls_is_told(server: Any, make_web: Callable[..., Web]) -> None:
    web = make_web(robots="record", timeout=timedelta(seconds=1))
    fetched = web.fetch(Request(url=server.url.replace("http:", "https:")))
    assert fetched.verdict.outcome is FetchOutcome.ERROR
    assert "TLS" in fetched.verdict.reason


def test_a_server_that_answers_in_plain_http_is_told_without_the_names_of_the_library(make_web: Callable[..., Web]) -> None:
    with scripted_portal() as site:
        fetched = make_web(robots="record").fetch(Request(url=site.home.replace("http:", "https:")))
    assert fetched.verdict.outcome is FetchOutcome.ERROR
    assert "the TLS handshake failed: the server does not seem to speak TLS at this port; try http://" in fetched.verdict.reason
    assert "_ssl" not in fetched.verdict.reason


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that nobody signed but itself."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here to make a certificate (Debian and Ubuntu: apt install openssl)")
    file = tmp_path_factory.mktemp("tls") / "self.pem"
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run(["openssl", "req", "-x509", *key, "-subj", "/CN=pelda.example", "-days", "2"], check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello"


def serve_tls(certificate: Path, *, greet: bytes = b"", asked: list[bytes] | None = None) -> socket.socket:
    """Answers every request with a page, after whatever is to be said (and was asked) before the handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while listener.fileno() >= 0:
            with suppress(OSError):
                connection, _ = listener.accept()
                if greet:
                    before = connection.recv(65536)
                    if asked is not None:
                        asked.append(before)
                    connection.sendall(greet)
                secured = context.wrap_socket(connection, server_side=True)
                while secured.recv(65536):
                    secured.sendall(PAGE)

    threading.Thread(target=serve, daemon=True).start()
    return listener


@pytest.mark.parametrize("verify", [True, False])
def test_certificates_are_checked_unless_the_portal_file_says_otherwise(
    certificate: Path, make_web: Callable[..., Web], verify: bool
) -> None:
    listener = serve_tls(certificate)
    web = make_web(verify_tls=verify, robots="record")
    fetched: list[Fetched] = [web.fetch(Request(url=f"https://127.0.0.1:{listener.getsockname()[1]}/{number}")) for number in range(2)]
    listener.close()
    expected = FetchOutcome.ERROR if verify else FetchOutcome.FETCHED
    assert [one.verdict.outcome for one in fetched] == [expected, expected]
    assert [one.permanent for one in fetched] == [verify, verify]
    if not verify:
        assert (fetched[0].exchanges[0].response_bytes, fetched[0].exchanges[0].ip) == (PAGE, "127.0.0.1")


ACCEPTED = [b"HTTP/1.1 200 Connection established\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n"]


@pytest.mark.parametrize("greet", ACCEPTED)
def test_through_a_tunnel_the_bytes_are_those_of_the_page(certificate: Path, make_web: Callable[..., Web], greet: bytes) -> None:
    asked: list[bytes] = []
    proxy = serve_tls(certificate, greet=greet, asked=asked)
    web = make_web(proxy=f"http://anna:hush@127.0.0.1:{proxy.getsockname()[1]}", verify_tls=False, robots="record")
    fetched = web.fetch(Request(url="https://pelda.example/"))
    proxy.close()
    assert fetched.verdict.outcome is FetchOutcome.FETCHED
    assert (fetched.exchanges[0].response_bytes, fetched.exchanges[0].ip) == (PAGE, None)
    assert b"Proxy-Authorization" not in fetched.exchanges[0].request_bytes
    lines = [b"CONNECT pelda.example:443 HTTP/1.1", b"Host: pelda.example:443", b"Proxy-Authorization: Basic YW5uYTpodXNo", b"", b""]
    assert asked[0] == b"\r\n".join(lines)


# --- addresses ---

PUBLIC = ["8.8.8.8", "1.1.1.1", "193.6.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]
CLOSED = [
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "ff0e::1", "2001:db8::1"),
    *("::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1"),
    *("2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
]
LINK_LOCAL = [
    *("169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1", "::169.254.169.254", "::ffff:169.254.169.254"),
    *("::ffff:0:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_open(address: str) -> None:
    assert may_be_reached(address, opened=False)


@pytest.mark.parametrize("address", CLOSED)
def test_private_reserved_and_wrapped_addresses_are_closed(address: str) -> None:
    assert not may_be_reached(address, opened=False)


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_wrapping_an_address_does_not_open_it(address: IPv4Address) -> None:
    number = f"{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"
    for wrapped in (f"::ffff:{address}", f"64:ff9b::{address}", f"2002:{number}::1"):
        for opened in (True, False):
            assert may_be_reached(wrapped, opened=opened) == may_be_reached(str(address), opened=opened)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "192.168.1.1", "::1", "fd12::1", "::ffff:10.0.0.1"])
def test_a_host_that_is_opened_may_be_private(address: str) -> None:
    assert may_be_reached(address, opened=True)


@pytest.mark.parametrize("address", LINK_LOCAL)
def test_link_local_addresses_stay_closed(address: str) -> None:
    assert not may_be_reached(address, opened=True)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        *[(spelling, "127.0.0.1") for spelling in ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.1")],
        ("::1", "::1"),
        ("pelda.example", None),
        ("1.pelda.example", None),
    ],
)
def test_every_spelling_of_an_address_is_known(host: str, address: str | None) -> None:
    assert literal_address(host) == address


def test_opened_hosts_compare_by_name() -> None:
    assert opened_hosts(["Localhost:8000", "127.0.0.1", "[::1]:80", "::2", " intranet.example "]) == {
        *("localhost", "127.0.0.1", "::1", "::2", "intranet.example")
    }
