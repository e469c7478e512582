"""Cookies: kept for whom they belong to, bounded, and never a way into our requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.cookies import CookieBox
from webarticlecurator.fetch.target import Target

SITE = Target.parse("https://pelda.example/cikk/1")


def box_with(*cookies: str, most: int = 100) -> CookieBox:
    box = CookieBox(None, most=most)
    box.keep(SITE, tuple(("Set-Cookie", cookie) for cookie in cookies))
    return box


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
    assert box_with(cookie).header_for(Target.parse(url)) == sent


@pytest.mark.parametrize("cookie", ["a=1\rX-Evil: 1", "a=ő", "a=1\x00", "a=" + "1" * 5000])
def test_a_cookie_that_cannot_be_sent_back_is_not_kept(cookie: str) -> None:
    assert box_with(cookie, "b=2").header_for(SITE) == "b=2"


def test_cookies_are_bounded() -> None:
    box = CookieBox(None, most=60)
    for number in range(10):
        box.keep(SITE, tuple(("Set-Cookie", f"c{number}-{i}=1") for i in range(500)))
    assert len((box.header_for(SITE) or "").split("; ")) <= 110


def test_a_cookie_file_of_a_browser_is_read(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(
        "# Netscape HTTP Cookie File\n"
        "pelda.example\tFALSE\t/\tTRUE\t0\tsession\tone\n"
        "#HttpOnly_pelda.example\tFALSE\t/\tTRUE\t4102444800\tlogin\ttwo\n"
        "pelda.example\tFALSE\t/\tTRUE\t1000000000\told\tthree\n"
    )
    box = CookieBox(file, most=100)
    assert box.from_file
    assert set((box.header_for(SITE) or "").split("; ")) == {"session=one", "login=two"}


@pytest.mark.parametrize("content", [None, "{}", "# Netscape HTTP Cookie File\npelda.example\tFALSE\t/\tTRUE\t0\ta\tő\n"])
def test_a_cookie_file_that_is_none_is_told(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "cookies.txt"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=r"cookies\.txt"):
        CookieBox(file, most=100)
