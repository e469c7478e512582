"""What a request says of us, and what of it may be stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.fetch_rules import FetchRules, Secret
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.cookies import CookieBox
from webarticlecurator.fetch.request_head import RequestHeads, Unsendable, user_agent
from webarticlecurator.fetch.target import Target
from webarticlecurator.fetch.wire import Sent
from webarticlecurator.model.capture import Request
from webarticlecurator.version import VERSION

URL = "https://www.pelda.example/cikk?id=1"


def heads(contact: str | None = None, cookies: CookieBox | None = None, **rules: object) -> RequestHeads:
    box = cookies or CookieBox(None, most=100)
    return RequestHeads(FetchRules(**rules), contact=contact, hosts=frozenset({"pelda.example"}), cookies=box)  # type: ignore[arg-type]


def write(writer: RequestHeads, url: str = URL, **request: object) -> Sent:
    return writer.write(Request(url=url, **request), Target.parse(url))  # type: ignore[arg-type]


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
    writer = heads(cookies=CookieBox(file, most=100), headers={"X-Key": Secret(env="CURATOR_PELDA_KEY"), "X-Plain": "seen"})
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
    target = Target.parse("http://pelda.example/a")
    sent = heads().write(Request(url="http://pelda.example/a"), target, proxy=True, proxy_authorization="Basic aHVzaA==")
    assert lines(sent.wire)[0] == "GET http://pelda.example/a HTTP/1.1"
    assert b"aHVzaA==" in sent.wire
    assert b"aHVzaA==" not in sent.stored
