"""URLs taken apart, and those of which no request can be made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.fetch.target import BadUrl, OtherScheme, Target


@pytest.mark.parametrize(
    ("url", "target", "authority"),
    [
        ("http://pelda.example/", Target("http", "pelda.example", 80, "/"), "pelda.example"),
        ("https://PELDA.example", Target("https", "pelda.example", 443, "/"), "pelda.example"),
        ("https://pelda.example:80/a?b=c%20d#e", Target("https", "pelda.example", 80, "/a?b=c%20d"), "pelda.example:80"),
        ("http://[::1]:8000/?", Target("http", "::1", 8000, "/?"), "[::1]:8000"),
        ("http://példa.example/", Target("http", "xn--plda-bpa.example", 80, "/"), "xn--plda-bpa.example"),
    ],
)
def test_a_url_says_whom_to_connect_to_and_what_to_ask_for(url: str, target: Target, authority: str) -> None:
    assert Target.parse(url) == target
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
        Target.parse(url)


OTHERS = ["ftp://pelda.example/", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "mailto:a@b.example"]


@pytest.mark.parametrize("url", OTHERS)
def test_other_schemes_are_told_apart(url: str) -> None:
    with pytest.raises(OtherScheme):
        Target.parse(url)


@given(st.text(max_size=60), st.sampled_from(["", "http://", "http://pelda.example/", "https://[", "http://a:"]))
def test_a_target_never_smuggles_a_line_into_the_request(text: str, start: str) -> None:
    try:
        target = Target.parse(start + text)
    except BadUrl:
        return
    for part in (target.path, target.host, target.authority):
        assert part.isascii() and part.isprintable() and " " not in part
