"""URLs taken apart, what a request says of us and what of it may be stored, and cookies: kept for whom they belong to."""

from __future__ import annotations

import base64
from email.message import Message
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import Request as JarRequest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.fetch_rules import FetchRules, Secret
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.request import BadUrl, Cookies, OtherScheme, Proxy, RequestTarget, RequestWriter, Sent, Unsendable, user_agent
from webarticlecurator.model.capture import Request
from webarticlecurator.version import VERSION

URL = "https://www.pelda.example/cikk?id=1"


def heads(contact: str | None = None, cookies: Cookies | None = None, proxy: Proxy | None = None, **rules: object) -> RequestWriter:
    box = cookies or Cookies(None, most=100)
    hosts = frozenset({"pelda.example"})
    return RequestWriter(FetchRules(**rules), contact=contact, hosts=hosts, cookies=box, proxy=proxy)  # type: ignore[arg-type]


def write(writer: RequestWriter, url: str = URL, **request: object) -> Sent:
    return writer.write(Request(url=url, **request), RequestTarget.parse(url))  # type: ignore[arg-type]


def lines(message: bytes) -> list[str]:
    return message.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")


def test_a_request_names_the_program_and_who_runs_it() -> None:
    sent = write(heads(contact="anna@pelda.example"))
    assert lines(sent.wire)[:4] == [
        "GET /cikk?id=1 HTTP/1.1",
        "Host: www.pelda.example",
        f"User-Agent: webarticlecurator/{VERSION} (+anna@pelda.example)",
        "From: anna@pelda.example",
    ]
    assert "Accept-Encoding: gzip" in lines(sent.wire)
    assert sent.wire == sent.stored


@pytest.mark.parametrize(
    ("rules", "contact", "expected"),
    [
        (FetchRules(), None, f"webarticlecurator/{VERSION}"),
        (FetchRules(), "https://pelda.example/crawl", f"webarticlecurator/{VERSION} (+https://pelda.example/crawl)"),
        (FetchRules(user_agent="mine/1"), "anna@pelda.example", "mine/1"),
    ],
)
def test_the_user_agent(rules: FetchRules, contact: str | None, expected: str) -> None:
    assert user_agent(rules, contact) == expected


def test_only_an_address_goes_into_from() -> None:
    assert not any(line.startswith("From:") for line in lines(write(heads(contact="https://pelda.example")).wire))


def test_the_requests_own_headers_win_over_the_portals() -> None:
    sent = write(heads(headers={"Accept": "text/html", "X-Own": "a"}), headers=(("accept", "application/json"), ("If-None-Match", '"x"')))
    assert [line for line in lines(sent.wire) if line.lower().startswith("accept:")] == ["accept: application/json"]
    assert 'If-None-Match: "x"' in lines(sent.wire)
    assert "X-Own: a" in lines(sent.wire)


def test_a_body_brings_its_length() -> None:
    sent = write(heads(), method="POST", body=b"page=1", headers=(("Content-Type", "application/x-www-form-urlencoded"),))
    assert "Content-Length: 6" in lines(sent.wire)
    assert sent.wire.endswith(b"\r\n\r\npage=1")


def test_secrets_are_sent_but_not_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", "hush-key")
    file = tmp_path / "cookies.txt"
    file.write_text("# Netscape HTTP Cookie File\n.pelda.example\tTRUE\t/\tFALSE\t0\tsession\thush-cookie\n")
    writer = heads(cookies=Cookies(file, most=100), headers={"X-Key": Secret(env="CURATOR_PELDA_KEY"), "X-Plain": "seen"})
    sent = write(writer, headers=(("Authorization", "Basic hush-auth"),))
    for secret in (b"hush-key", b"hush-cookie", b"hush-auth"):
        assert secret in sent.wire
        assert secret not in sent.stored
    assert b"X-Plain: seen" in sent.stored
    assert set(sent.redacted) == {"X-Key", "Cookie", "Authorization"}
    assert sent.stored.count(b": [redacted]\r\n") == 3
    assert writer.has_credentials


def test_secrets_go_to_the_portals_own_hosts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", "hush")
    writer = heads(headers={"X-Key": Secret(env="CURATOR_PELDA_KEY")})
    assert b"hush" in write(writer, "https://pelda.example/").wire
    assert b"hush" not in write(writer, "https://elsewhere.example/").wire


def test_a_missing_secret_says_which_variable_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CURATOR_PELDA_KEY", raising=False)
    with pytest.raises(UsageError, match="CURATOR_PELDA_KEY"):
        heads(headers={"X-Key": Secret(env="CURATOR_PELDA_KEY")})


@pytest.mark.parametrize(
    "rules",
    [
        {"headers": {"X-A": "a\r\nX-B: b"}},
        {"headers": {"X A": "a"}},
        {"headers": {"Host": "other.example"}},
        {"headers": {"Content-Length": "5"}},
        {"user_agent": "mine\n"},
    ],
)
def test_portal_headers_that_cannot_be_sent_are_refused_at_once(rules: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        heads(**rules)


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=8))
def test_no_header_smuggles_another(name: str, value: str, method: str) -> None:
    try:
        sent = write(heads(), method=method, headers=((name, value),))
    except Unsendable:
        return
    usual = len(lines(write(heads()).wire))
    assert len(lines(sent.wire)) <= usual + 1
    assert sent.wire.count(b"\n") == sent.wire.count(b"\r\n") == sent.wire.count(b"\r")


def test_through_an_http_proxy_the_whole_url_is_asked_for() -> None:
    sent = write(heads(proxy=Proxy.parse("http://anna:hush@proxy.example")), "http://pelda.example/a")
    assert lines(sent.wire)[0] == "GET http://pelda.example/a HTTP/1.1"
    assert b"YW5uYTpodXNo" in sent.wire
    assert b"YW5uYTpodXNo" not in sent.stored


def test_the_password_of_a_proxy_is_not_sent_through_its_tunnels() -> None:
    sent = write(heads(proxy=Proxy.parse("http://anna:hush@proxy.example")))
    assert b"Proxy-Authorization" not in sent.wire
    assert lines(sent.wire)[0].startswith("GET /")


@pytest.mark.parametrize("url", ["ftp://proxy.example", "proxy.example:3128", "http://", "http://proxy.example:port", "https://user:hush@"])
def test_a_proxy_that_is_none_is_told_without_its_password(url: str) -> None:
    with pytest.raises(UsageError) as error:
        Proxy.parse(url)
    assert "hush" not in str(error.value)


def test_a_proxy_may_want_a_password() -> None:
    proxy = Proxy.parse("http://anna:p%40ss@proxy.example")
    assert (proxy.host, proxy.port) == ("proxy.example", 8080)
    assert base64.b64decode((proxy.authorization or "").removeprefix("Basic ")) == b"anna:p@ss"


# --- cookies ---

SITE = RequestTarget.parse("https://pelda.example/cikk/1")


def keep(jar: Cookies, *values: str) -> None:
    head = Message()
    for value in values:
        head["Set-Cookie"] = value
    answer: Any = SimpleNamespace(info=lambda: head)
    jar.extract_cookies(answer, JarRequest(SITE.origin + SITE.path))


def jar_with(*cookies: str) -> Cookies:
    jar = Cookies(None, most=100)
    keep(jar, *cookies)
    return jar


@pytest.mark.parametrize(
    ("cookie", "url", "sent"),
    [
        ("a=1; Path=/", "https://pelda.example/x", "a=1"),
        ("a=1; Path=/cikk", "https://pelda.example/x", None),
        ("a=1; Path=/", "https://other.example/", None),
        ("a=1; Path=/; Domain=other.example", "https://other.example/", None),
        ("a=1; Path=/; Domain=pelda.example", "https://www.pelda.example/", "a=1"),
        ("a=1; Path=/; Secure", "http://pelda.example/", None),
        ("a=1; Path=/; Max-Age=0", "https://pelda.example/", None),
    ],
)
def test_a_cookie_goes_where_it_belongs(cookie: str, url: str, sent: str | None) -> None:
    assert jar_with(cookie).header_for(RequestTarget.parse(url)) == sent


def test_cookies_are_bounded() -> None:
    jar = Cookies(None, most=60)
    for number in range(10):
        keep(jar, *(f"c{number}-{i}=1" for i in range(50)))
    assert len((jar.header_for(SITE) or "").split("; ")) == 60


def test_a_cookie_file_of_a_browser_is_read(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(
        "# Netscape HTTP Cookie File\n"
        "pelda.example\tFALSE\t/\tTRUE\t0\tsession\tone\n"
        "#HttpOnly_pelda.example\tFALSE\t/\tTRUE\t4102444800\tlogin\ttwo\n"
        "pelda.example\tFALSE\t/\tTRUE\t1000000000\told\tthree\n"
    )
    jar = Cookies(file, most=100)
    assert jar.from_file
    assert set((jar.header_for(SITE) or "").split("; ")) == {"session=one", "login=two"}


@pytest.mark.parametrize("content", [None, "{}", "# Netscape HTTP Cookie File\npelda.example\tFALSE\t/\tTRUE\t0\ta\tő\n"])
def test_a_cookie_file_that_is_none_is_told(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "cookies.txt"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"cookies\.txt"):
        Cookies(file, most=100)


# --- URLs ---


@pytest.mark.parametrize(
    ("url", "target", "authority"),
    [
        ("http://pelda.example/", RequestTarget("http", "pelda.example", 80, "/"), "pelda.example"),
        ("https://PELDA.example", RequestTarget("https", "pelda.example", 443, "/"), "pelda.example"),
        ("https://pelda.example:80/a?b=c%20d#e", RequestTarget("https", "pelda.example", 80, "/a?b=c%20d"), "pelda.example:80"),
        ("http://[::1]:8000/?", RequestTarget("http", "::1", 8000, "/?"), "[::1]:8000"),
        ("http://példa.example/", RequestTarget("http", "xn--plda-bpa.example", 80, "/"), "xn--plda-bpa.example"),
    ],
)
def test_a_url_says_whom_to_connect_to_and_what_to_ask_for(url: str, target: RequestTarget, authority: str) -> None:
    assert RequestTarget.parse(url) == target
    assert target.authority == authority


@pytest.mark.parametrize(
    "url",
    [
        *("", "/path", "pelda.example", "http://", "http:///a", "http://pelda.example:99999/", "http://pelda.example:x/"),
        *("http://[::1/", "http://pel da.example/", "http://./", "http://.pelda.example/", "http://pelda..example/", "http://pelda$/"),
        *("http://user@pelda.example/", "http://user:secret@pelda.example/"),
        *("http://pelda.example/a b", "http://pelda.example/ő", "http://pelda.example/a\r\nX: y", "http://pelda.example/a\x00"),
        f"http://{'a' * 64}.example/",
        f"http://pelda.example/{'a' * 20_000}",
    ],
)
def test_no_request_can_be_made_of(url: str) -> None:
    with pytest.raises(BadUrl):
        RequestTarget.parse(url)


OTHERS = ["ftp://pelda.example/", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "mailto:a@b.example"]


@pytest.mark.parametrize("url", OTHERS)
def test_other_schemes_are_told_apart(url: str) -> None:
    with pytest.raises(OtherScheme):
        RequestTarget.parse(url)


@given(st.text(max_size=60), st.sampled_from(["", "http://", "http://pelda.example/", "https://[", "http://a:"]))
def test_a_target_never_smuggles_a_line_into_the_request(text: str, start: str) -> None:
    try:
        target = RequestTarget.parse(start + text)
    except BadUrl:
        return
    for part in (target.path, target.host, target.authority):
        assert part.isascii() and part.isprintable() and " " not in part
