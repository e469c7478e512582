"""Connections: to checked addresses only, through proxies, under TLS."""

from __future__ import annotations

import base64
import shutil
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch import dial
from webarticlecurator.fetch.dial import DirectDialer, Proxy, ProxyDialer
from webarticlecurator.fetch.incoming import Fault, Trouble
from webarticlecurator.fetch.target import Target

SITE = Target.parse("http://pelda.example/")


def rows(*addresses: str) -> list[Any]:
    return [(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in addresses]


def always(*addresses: str) -> Any:
    """A resolver with one answer to everything."""
    return lambda _host, _port: rows(*addresses)


def deadline(seconds: float = 2.0) -> float:
    return time.monotonic() + seconds


def fault_of(dialer: Any, target: Target = SITE, *, within: float = 2.0) -> Fault:
    with pytest.raises(Trouble) as trouble:
        dialer.dial(target, deadline(within))
    return trouble.value.fault


def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    lookups, connected = [], []

    def resolve(host: str, port: int) -> list[Any]:
        lookups.append(host)
        return rows("93.184.216.34") if len(lookups) == 1 else rows("127.0.0.1")  # the name turns to us after the check

    def connect(row: Any, timeout: float) -> socket.socket:
        connected.append(row[4][0])
        return socket.socket()

    line = DirectDialer(resolve=resolve, connect=connect).dial(SITE, deadline())
    line.sock.close()
    assert (lookups, connected, line.ip) == (["pelda.example"], ["93.184.216.34"], "93.184.216.34")


@pytest.mark.parametrize("addresses", [("10.0.0.1",), ("127.0.0.1", "::1"), ("::ffff:169.254.169.254",)])
def test_a_name_that_leads_home_is_not_connected_to(addresses: tuple[str, ...]) -> None:
    assert fault_of(DirectDialer(resolve=always(*addresses), connect=pytest.fail)) is Fault.PRIVATE


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"])
def test_no_spelling_of_loopback_is_connected_to(host: str) -> None:
    assert fault_of(DirectDialer(connect=pytest.fail), Target.parse(f"http://{host}:1/")) is Fault.PRIVATE


def test_a_host_that_the_portal_file_opens_may_have_any_address() -> None:
    dialer = DirectDialer(private_hosts=["intranet.example"], resolve=always("127.0.0.1"), connect=lambda _row, _left: socket.socket())
    dialer.dial(Target.parse("http://intranet.example/"), deadline()).sock.close()
    assert fault_of(dialer, Target.parse("http://other.example/")) is Fault.PRIVATE


@pytest.mark.parametrize("host", ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:169.254.169.254]", "intranet.example"])
@pytest.mark.parametrize("behind_a_proxy", [True, False])
def test_a_link_local_address_is_not_connected_to_though_the_file_names_it(host: str, behind_a_proxy: bool) -> None:
    opened = [host.strip("[]")]
    answers = always("169.254.169.254") if host == "intranet.example" else None
    direct = DirectDialer(private_hosts=opened, connect=pytest.fail, **({"resolve": answers} if answers else {}))
    proxy = Proxy.parse("http://127.0.0.1:9" if answers is None else "http://intranet.example:9")
    dialer = ProxyDialer(proxy, direct, private_hosts=opened) if behind_a_proxy else direct
    assert fault_of(dialer, Target.parse(f"http://{host}/")) is Fault.PRIVATE


def test_of_mixed_answers_only_public_ones_are_tried_one_after_the_other() -> None:
    tried = []

    def connect(row: Any, timeout: float) -> socket.socket:
        tried.append(row[4][0])
        raise ConnectionRefusedError(111, "Connection refused")

    assert fault_of(DirectDialer(resolve=always("8.8.8.8", "10.0.0.1", "1.1.1.1"), connect=connect)) is Fault.CONNECT
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

    assert fault_of(DirectDialer(resolve=resolve)) is fault


@pytest.mark.parametrize("url", ["ftp://proxy.example", "proxy.example:3128", "http://", "http://proxy.example:port", "https://user:hush@"])
def test_a_proxy_that_is_none_is_told_without_its_password(url: str) -> None:
    with pytest.raises(UsageError) as error:
        Proxy.parse(url)
    assert "hush" not in str(error.value)


def test_a_proxy_may_want_a_password() -> None:
    proxy = Proxy.parse("http://anna:p%40ss@proxy.example")
    assert (proxy.host, proxy.port) == ("proxy.example", 8080)
    assert base64.b64decode((proxy.authorization or "").removeprefix("Basic ")) == b"anna:p@ss"


@pytest.mark.parametrize("host", ["10.0.0.1", "0x7f.1", "localhost", "db.internal", "[::1]"])
def test_what_the_portal_names_is_checked_also_behind_a_proxy(host: str) -> None:
    dialer = ProxyDialer(Proxy.parse("http://127.0.0.1:9"), DirectDialer(connect=pytest.fail))
    assert fault_of(dialer, Target.parse(f"http://{host}/")) is Fault.PRIVATE


def test_a_socks_proxy_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(dial, "import_module", missing)
    with pytest.raises(UsageError, match="PySocks"):
        ProxyDialer(Proxy.parse("socks5h://127.0.0.1"), DirectDialer())


def test_a_tunnel_that_is_refused_is_no_connection(server: Any) -> None:
    server.answers["pelda.example:443"] = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    dialer = ProxyDialer(Proxy.parse(server.url), DirectDialer())
    with pytest.raises(Trouble, match="HTTP 407"):
        dialer.dial(Target.parse("https://pelda.example/"), deadline())


def test_a_server_that_speaks_no_tls_is_told(server: Any) -> None:
    target = Target.parse(server.url.replace("http:", "https:"))
    assert fault_of(DirectDialer(private_hosts=["127.0.0.1"]), target, within=0.3) in (Fault.TLS, Fault.TIME)


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


@pytest.mark.parametrize("verify", [True, False])
def test_certificates_are_checked_unless_the_portal_file_says_otherwise(certificate: Path, verify: bool) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def shake_hands() -> None:
        connection, _ = listener.accept()
        try:
            context.wrap_socket(connection, server_side=True).close()
        except OSError:
            connection.close()

    threading.Thread(target=shake_hands, daemon=True).start()
    dialer = DirectDialer(private_hosts=["127.0.0.1"], verify_tls=verify)
    target = Target.parse(f"https://127.0.0.1:{listener.getsockname()[1]}/")
    if verify:
        assert fault_of(dialer, target) is Fault.CERTIFICATE
    else:
        dialer.dial(target, deadline()).sock.close()
    listener.close()
