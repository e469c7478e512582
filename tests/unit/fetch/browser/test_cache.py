"""What may be used again, by what its headers say, and what goes when there is no more room."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from webarticlecurator.fetch.browser.cache import LoadedCache, freshness
from webarticlecurator.model.capture import Exchange, Request

_NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def exchange(*headers: tuple[str, str], url: str = "http://a.example/x.js", size: int = 10, status: int = 200) -> Exchange:
    return Exchange(
        request=Request(url=url),
        request_bytes=b"",
        response_bytes=b"",
        status=status,
        headers=headers,
        entity=b"x" * size,
        started=_NOW,
        duration_ms=1,
    )


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ([("Cache-Control", "max-age=60")], 60),
        ([("Cache-Control", "public, max-age=60"), ("Age", "20")], 40),
        ([("Cache-Control", "no-store, max-age=60")], 0),
        ([("Cache-Control", "no-cache")], 0),
        ([("Cache-Control", 'max-age="60"')], 60),
        ([("Cache-Control", "max-age=soon")], 0),
        ([("Expires", "Wed, 01 May 2024 12:01:00 GMT")], 60),
        ([("Expires", "0")], 0),
        ([("Vary", "Cookie"), ("Cache-Control", "max-age=60")], 0),
        ([("Vary", "Accept-Encoding, Origin"), ("Cache-Control", "max-age=60")], 60),
        ([("Last-Modified", "Wed, 01 May 2024 02:00:00 GMT")], 3600),
        ([("Last-Modified", "Wed, 01 May 2014 02:00:00 GMT")], 86_400),
        ([], 300),
        ([("Pragma", "no-cache")], 0),
    ],
)
def test_headers_say_for_how_long(headers: list[tuple[str, str]], seconds: float) -> None:
    assert freshness(exchange(*headers)) == seconds


def test_only_what_is_the_same_for_all_pages_is_kept() -> None:
    cache = LoadedCache()
    cache.keep(Request(url="u"), exchange(), "xhr")
    cache.keep(Request(url="v"), exchange(status=404), "script")
    cache.keep(Request(url="w", method="POST", body=b""), exchange(), "script")
    assert [cache.find(Request(url=url)) for url in "uvw"] == [None] * 3
    cache.keep(Request(url="u"), exchange(), "script")
    assert cache.find(Request(url="u")) is not None


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    cache = LoadedCache(most=30)
    for url in "abc":
        cache.keep(Request(url=url), exchange(), "script")
    cache.find(Request(url="a"))
    cache.keep(Request(url="d"), exchange(), "script")
    assert [cache.find(Request(url=url)) is not None for url in "abcd"] == [True, False, True, True]


def test_what_is_stale_is_asked_for_again() -> None:
    clock = [0.0]
    cache = LoadedCache(clock=lambda: clock[0])
    cache.keep(Request(url="a"), exchange(("Cache-Control", "max-age=60")), "script")
    clock[0] = 61
    assert cache.find(Request(url="a")) is None
