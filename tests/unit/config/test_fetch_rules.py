"""`fetch`: how portals are asked, with secrets left to the environment and private hosts opened only on purpose."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from webarticlecurator.config.fetch_rules import Secret
from webarticlecurator.config.portal import Portal

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("1s", timedelta(seconds=1)),
        ("500ms", timedelta(milliseconds=500)),
        ("2", timedelta(seconds=2)),
        ("0.5", timedelta(seconds=0.5)),
        ("0", timedelta(0)),
        ("1.5s", timedelta(seconds=1.5)),
        ("2h", timedelta(hours=2)),
        ("3d", timedelta(days=3)),
        ("1m", timedelta(minutes=1)),
    ],
)
def test_durations_have_units(load: Load, text: str, delay: timedelta) -> None:
    assert load(f"fetch: {{delay: {text}}}\n").fetch.delay == delay


@pytest.mark.parametrize("text", ["-1", "1x", "s", "1 week", "''", "99999999d", "true"])
def test_what_is_no_duration_is_a_mistake(mistakes_of: MistakesOf, text: str) -> None:
    assert len(mistakes_of(f"fetch: {{delay: {text}}}\n")) == 1


def test_fetch_rules_are_read(load: Load, tmp_path: Path) -> None:
    (tmp_path / "sutik.txt").write_text("", encoding="utf-8")
    fetch = load(
        "fetch: {concurrency: 2, timeout: 1m, retries: 0, robots: record, user_agent: x/1, cookies_file: sutik.txt, verify_tls: false,"
        " encoding: iso-8859-2, proxy: 'socks5h://localhost:9050', headers: {Accept-Language: hu, Cookie: {env: CURATOR_SUTI}}}\n"
    ).fetch
    assert (fetch.concurrency, fetch.timeout, fetch.retries, fetch.robots) == (2, timedelta(minutes=1), 0, "record")
    assert fetch.cookies_file == tmp_path / "sutik.txt"
    assert (fetch.verify_tls, fetch.encoding, fetch.proxy) == (False, "iso-8859-2", "socks5h://localhost:9050")
    assert fetch.headers == {"Accept-Language": "hu", "Cookie": Secret(env="CURATOR_SUTI")}


@pytest.mark.parametrize(
    "fetch",
    [
        "headers: {cookie: a=b}",
        "headers: {Authorization: Basic x}",
        "headers: {Proxy-Authorization: x}",
        "headers: {X-Api-Key: x}",
        "headers: {X-Auth-Token: x}",
        "headers: {x-secret: x}",
        "proxy: 'http://nev:jelszo@proxy.example:80'",
        "proxy: 'http://nev@proxy.example:80'",
        "proxy: 'http://nev:jelszo@proxy.example:99999'",
    ],
)
def test_a_literal_secret_is_refused_and_the_environment_named(mistakes_of: MistakesOf, fetch: str) -> None:
    (message,) = mistakes_of(f"fetch: {{{fetch}}}\n")
    assert "{env: " in message
    assert "jelszo" not in message


def test_a_secret_stays_a_name_in_the_effective_file(load: Load) -> None:
    assert "env: CURATOR_SUTI" in load("fetch: {headers: {Cookie: {env: CURATOR_SUTI}}}\n").effective


def test_a_header_cannot_smuggle_in_another(mistakes_of: MistakesOf) -> None:
    assert len(mistakes_of('fetch: {headers: {Accept: "a\\r\\nX: b"}}\n')) == 1
    assert len(mistakes_of('fetch: {headers: {"Accept: x": b}}\n')) == 1
    assert len(mistakes_of('fetch: {user_agent: "a\\nb"}\n')) == 1


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("http://127.0.0.1:8000/", ("127.0.0.1",)),
        ("http://localhost:8000/", ("localhost",)),
        ("http://[::1]:8000/", ("::1",)),
        ("http://10.0.0.7/", ("10.0.0.7",)),
        ("https://hirek.example/", ()),
    ],
)
def test_addresses_that_the_file_itself_names_may_be_private(load: Load, url: str, hosts: tuple[str, ...]) -> None:
    assert load(f"archive: {{url: '{url}', link: a}}\n").fetch.private_hosts == hosts


@pytest.mark.parametrize("host", ["10.0.0.7", "127.0.0.1", "localhost", "[::1]", "169.254.169.254"])
def test_hosts_that_articles_may_lie_on_are_not_opened(load: Load, host: str) -> None:
    urls = f"link: a, urls: {{hosts: ['{host}']}}"
    portal = load(f"archive: {{url: 'https://pelda.example/', {urls}}}\ncolumns: {{a: {{url: 'https://pelda.example/a', {urls}}}}}\n")
    assert portal.fetch.private_hosts == ()


def test_other_private_hosts_are_listed(load: Load) -> None:
    portal = load("fetch: {private_hosts: [intranet.example]}\narchive: {url: 'http://127.0.0.1/', link: a}\n")
    assert portal.fetch.private_hosts == ("intranet.example", "127.0.0.1")
