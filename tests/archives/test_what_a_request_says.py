"""What is sent: who asks, what the portal file adds, and secrets, which go to the portal alone and are stored nowhere."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from collected import records
from loopback import Loopback, answer
from scripted_portal import Crawler, scripted_portal

from webarticlecurator import __version__

PAGE, ARTICLE = answer(b"<li class=t><a href=/c/1>Egy\n"), answer(b"hello")
OK, FAILURES, USAGE = 0, 1, 2


@pytest.fixture
def asking(crawler: Crawler, server: Loopback) -> Crawler:
    """Of a server that remembers the bytes that it was asked with: one page that lists one article."""
    server.answers |= {"/l": PAGE, "/c/1": ARTICLE}
    crawler.portal.home = server.url
    crawler.rules = "archive: {url: HOME/l, item: li.t, pages: none}\n"
    return crawler


def fetch(crawler: Crawler, **rules: str) -> None:
    """The rules of the portal file on requests, as YAML."""
    settings = {"delay": "0s", "retries": "0", "timeout": "2s", **rules}
    crawler.fetch = f"fetch: {{{', '.join(f'{name}: {value}' for name, value in settings.items())}}}\n"


def sent(server: Loopback, path: str = "/c/1") -> list[str]:
    (request,) = [request for request in server.requests if request.split(b" ")[1] == path.encode()]
    return request.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")


def stored(crawler: Crawler) -> bytes:
    """Everything that the WARC files hold, unpacked."""
    return b"".join(record.block for record in records(crawler.corpus))


CONTACTS = {
    "nobody": ((), "", None),
    "an address": (("--contact", "anna@pelda.example"), " (+anna@pelda.example)", "From: anna@pelda.example"),
    "a page": (("--contact", "https://pelda.example/crawl"), " (+https://pelda.example/crawl)", None),
}


@pytest.mark.parametrize(("flags", "agent", "sender"), CONTACTS.values(), ids=CONTACTS)
def test_a_request_names_the_program_and_who_runs_it(
    asking: Crawler, server: Loopback, flags: tuple[str, ...], agent: str, sender: str | None
) -> None:
    assert asking.crawl(*flags) == OK, asking.said
    request = sent(server)
    assert request[:2] == ["GET /c/1 HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
    assert f"User-Agent: webarticlecurator/{__version__}{agent}" in request
    assert "Accept-Encoding: gzip" in request
    assert [line for line in request if line.startswith("From:")] == ([sender] if sender else [])


def test_headers_of_the_portal_file_are_sent_and_what_is_secret_of_them_is_stored_nowhere(
    asking: Crawler, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", "hush-key")
    cookies = asking.folder / "cookies.txt"
    lines = ["127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\thush-one", "#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tlogin\thush-two"]
    old = "127.0.0.1\tFALSE\t/\tFALSE\t1000000000\told\tthree"
    cookies.write_text("\n".join(["# Netscape HTTP Cookie File", *lines, old, ""]))
    headers = "{X-Key: {env: CURATOR_PELDA_KEY}, X-Plain: seen, Accept: text/html}"
    fetch(asking, headers=headers, user_agent="mine/1", cookies_file="cookies.txt")
    assert asking.crawl() == OK, asking.said
    request = sent(server)
    assert {"X-Key: hush-key", "X-Plain: seen", "Accept: text/html", "User-Agent: mine/1"} <= set(request)
    (cookie,) = [line for line in request if line.startswith("Cookie: ")]
    assert set(cookie.removeprefix("Cookie: ").split("; ")) == {"session=hush-one", "login=hush-two"}
    assert b"hush" not in stored(asking)
    assert b"X-Plain: seen" in stored(asking)
    (record,) = [record for record in records(asking.corpus, "request") if record.url.endswith("/c/1")]
    assert record.block.count(b": [redacted]\r\n") == 2
    assert b"hush" not in b"".join(path.read_bytes() for path in asking.corpus.rglob("*") if path.is_file())


def test_secrets_do_not_follow_a_redirect_to_another_host(asking: Crawler, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", "hush")
    away = f"http://localhost:{server.port}/b"
    server.answers |= {"/c/1": answer(b"", f"Location: {away}", status="302 Found"), "/b": ARTICLE}
    fetch(asking, headers="{Authorization: {env: CURATOR_PELDA_KEY}}", private_hosts="[localhost]")
    asking.rules = "archive: {url: HOME/l, item: li.t, pages: none, urls: {hosts: [localhost]}}\n"
    assert asking.crawl() == OK, asking.said
    assert "Authorization: hush" in sent(server)
    assert not [line for line in sent(server, "/b") if "hush" in line]
    assert b"hush" not in stored(asking)


def test_secrets_of_a_portal_with_https_do_not_go_in_the_open(
    asking: Crawler, server: Loopback, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", "hush")
    with serve_tls(certificate, []) as listener:
        asking.portal.home = f"https://127.0.0.1:{listener.getsockname()[1]}"
        asking.rules = f"archive: {{url: '{server.url}/l', item: li.t, pages: none}}\n"
        fetch(asking, headers="{Authorization: {env: CURATOR_PELDA_KEY}}", robots="record", verify_tls="false")
        assert asking.crawl() == OK, asking.said
    assert not [line for line in [*sent(server, "/l"), *sent(server)] if "hush" in line]


MISTAKES = {
    "no key": {"headers": "{X-Key: {env: CURATOR_NOBODY_SET}}"},
    "no proxy": {"proxy": "{env: CURATOR_NOBODY_SET}"},
    "no cookies": {"cookies_file": "nowhere.txt"},
    "two headers in one": {"headers": r'{X-A: "a\r\nX-B: b"}'},
    "no name of a header": {"headers": "{X A: a}"},
    "a header of ours": {"headers": "{Host: masik.example}"},
    "another header of ours": {"headers": "{Content-Length: '5'}"},
    "a line end": {"user_agent": r'"mine\n"'},
    "a proxy of files": {"proxy": "'ftp://proxy.example'"},
    "a proxy without a host": {"proxy": "'http://'"},
    "a proxy without a port": {"proxy": "'http://proxy.example:port'"},
}


@pytest.mark.parametrize("rules", MISTAKES.values(), ids=MISTAKES)
def test_what_cannot_be_sent_is_told_before_anybody_is_asked(
    asking: Crawler, server: Loopback, monkeypatch: pytest.MonkeyPatch, rules: dict[str, str]
) -> None:
    monkeypatch.delenv("CURATOR_NOBODY_SET", raising=False)
    fetch(asking, **rules)
    assert asking.crawl() == USAGE
    assert server.requests == []
    assert any(word in asking.said for word in ("CURATOR_NOBODY_SET", "nowhere.txt", "header", "user_agent", "proxy"))


@pytest.mark.parametrize("value", ["hush\n", "hush\r\nX-B: hush", "hush\x7f", "hush–hush"])
def test_a_secret_that_cannot_be_sent_is_told_by_its_name_and_never_shown(
    asking: Crawler, server: Loopback, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", value)
    fetch(asking, headers="{X-Key: {env: CURATOR_PELDA_KEY}}")
    assert asking.crawl() == USAGE
    assert server.requests == []
    assert "X-Key" in asking.said
    assert "hush" not in asking.said


@pytest.mark.parametrize("content", ["{}", "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tTRUE\t0\ta\tő\n"])
def test_a_cookie_file_that_is_none_is_told(asking: Crawler, content: str) -> None:
    (asking.folder / "cookies.txt").write_text(content, encoding="utf-8")
    fetch(asking, cookies_file="cookies.txt")
    assert asking.crawl() == USAGE
    assert "cookies.txt" in asking.said


@pytest.fixture
def behind(asking: Crawler, monkeypatch: pytest.MonkeyPatch) -> Crawler:
    """A portal elsewhere, and a proxy that wants a password."""
    asking.head = asking.head.replace("HOME/", "http://pelda.example/")
    asking.rules = asking.rules.replace("HOME", "http://pelda.example")
    monkeypatch.setenv("CURATOR_PELDA_PROXY", asking.portal.home.replace("//", "//anna:hush%40@"))
    fetch(asking, proxy="{env: CURATOR_PELDA_PROXY}", robots="record")
    return asking


def tunnelled(crawler: Crawler) -> None:
    crawler.head, crawler.rules = (text.replace("http://pelda", "https://pelda") for text in (crawler.head, crawler.rules))


def test_through_an_http_proxy_the_whole_address_is_asked_for(behind: Crawler, server: Loopback) -> None:
    server.answers |= {f"http://pelda.example{path}": server.answers[path] for path in ("/l", "/c/1")}
    assert behind.crawl("--contact", "anna@pelda.example") == OK, behind.said
    request = sent(server, "http://pelda.example/c/1")
    assert request[:2] == ["GET http://pelda.example/c/1 HTTP/1.1", "Host: pelda.example"]
    assert "Proxy-Authorization: Basic YW5uYTpodXNoQA==" in request
    assert b"YW5uYTpodXNoQA" not in stored(behind) and b"hush" not in stored(behind)


def test_a_portal_is_asked_by_the_name_that_its_links_have(behind: Crawler, server: Loopback) -> None:
    behind.head, behind.rules = (text.replace("pelda.example", "faß.example") for text in (behind.head, behind.rules))
    server.answers |= {f"http://xn--fa-hia.example{path}": server.answers[path] for path in ("/l", "/c/1")}
    assert behind.crawl("--contact", "anna@pelda.example") == OK, behind.said
    assert sent(server, "http://xn--fa-hia.example/c/1")[1] == "Host: xn--fa-hia.example"


TUNNELS = {
    "refused": b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
    "long": b"HTTP/1.1 502 \x1b[31m" + b"x" * 50_000 + b"\r\n\r\n",
    "hung up": lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\n"),
}


@pytest.mark.parametrize(("answer", "status"), [("refused", "HTTP 407"), ("long", "HTTP 502"), ("hung up", "")], ids=TUNNELS)
def test_a_tunnel_that_is_not_opened_is_no_connection(behind: Crawler, server: Loopback, answer: str, status: str) -> None:
    tunnelled(behind)
    server.answers["pelda.example:443"] = TUNNELS[answer]
    assert behind.crawl("--contact", "anna@pelda.example") == FAILURES
    assert "the proxy did not open a tunnel" in behind.said and status in behind.said
    assert "\x1b" not in behind.said and "xxxx" not in behind.said and "hush" not in behind.said


def test_a_server_that_answers_in_plain_http_is_told_without_the_names_of_the_library(crawler: Crawler) -> None:
    with scripted_portal() as plain:
        crawler.portal.home = plain.home.replace("http:", "https:")
        crawler.rules = "archive: {url: HOME/l, item: li.t}\n"
        assert crawler.crawl() == FAILURES
    assert "the server does not seem to speak TLS at this port; try http://" in crawler.said
    assert "_ssl" not in crawler.said


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that nobody signed but itself."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here to make a certificate (Debian and Ubuntu: apt install openssl)")
    file = tmp_path_factory.mktemp("tls") / "self.pem"
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run(["openssl", "req", "-x509", *key, "-subj", "/CN=pelda.example", "-days", "2"], check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


def serve_tls(certificate: Path, asked: list[bytes], *, greet: bytes = b"") -> socket.socket:
    """Answers by path, after whatever is to be said before the handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def answer(connection: socket.socket) -> None:
        with suppress(OSError):
            if greet:
                asked.append(connection.recv(65536))
                connection.sendall(greet)
            secured = context.wrap_socket(connection, server_side=True)
            while request := secured.recv(65536):
                secured.sendall(PAGE if b" /l " in request else ARTICLE)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=listener.accept()[:1], daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener


@pytest.mark.parametrize(("verify", "code"), [("true", FAILURES), ("false", OK)])
def test_certificates_are_checked_unless_the_portal_file_says_otherwise(asking: Crawler, certificate: Path, verify: str, code: int) -> None:
    with serve_tls(certificate, []) as listener:
        asking.portal.home = f"https://127.0.0.1:{listener.getsockname()[1]}"
        fetch(asking, verify_tls=verify, robots="record")
        assert asking.crawl() == code, asking.said
    if code == OK:
        assert ARTICLE in [record.block for record in records(asking.corpus, "response") if record.url.endswith("/c/1")]
    else:
        assert "certificate" in asking.said


ACCEPTED = [b"HTTP/1.1 200 Connection established\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n"]


@pytest.mark.parametrize("greet", ACCEPTED)
def test_through_a_tunnel_the_bytes_are_those_of_the_page(
    behind: Crawler, certificate: Path, monkeypatch: pytest.MonkeyPatch, greet: bytes
) -> None:
    tunnelled(behind)
    asked: list[bytes] = []
    with serve_tls(certificate, asked, greet=greet) as proxy:
        monkeypatch.setenv("CURATOR_PELDA_PROXY", f"http://anna:hush%40@127.0.0.1:{proxy.getsockname()[1]}")
        fetch(behind, proxy="{env: CURATOR_PELDA_PROXY}", robots="record", verify_tls="false")
        assert behind.crawl("--contact", "anna@pelda.example") == OK, behind.said
    lines = [b"CONNECT pelda.example:443 HTTP/1.1", b"Host: pelda.example:443", b"Proxy-Authorization: Basic YW5uYTpodXNoQA==", b"", b""]
    assert asked[0] == b"\r\n".join(lines)
    (response,) = [record for record in records(behind.corpus, "response") if record.url == "https://pelda.example/c/1"]
    assert response.block == ARTICLE and response["WARC-IP-Address"] is None
    assert b"Proxy-Authorization" not in stored(behind)


def test_a_portal_behind_a_proxy_may_not_lead_to_private_addresses(behind: Crawler, server: Loopback) -> None:
    away = b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    server.answers |= {"http://pelda.example/l": PAGE, "http://pelda.example/c/1": away}
    behind.rules = behind.rules.replace("pages: none", "pages: none, urls: {hosts: [10.0.0.1]}")
    behind.crawl("--contact", "anna@pelda.example")
    assert behind.outcomes == {"http://pelda.example/c/1": "refused"}
    assert not [request for request in server.requests if b"10.0.0.1" in request]
