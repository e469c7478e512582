"""Rights signals are read from the head of a response and from the head of its page."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.document.rights import rights_signals
from webarticlecurator.model.capture import Capture, Headers

PAGE = b"""<!DOCTYPE html><html><head><title>x</title>
<META content='noindex,  noai' name=Robots><meta name="tdm-reservation" content="1" />
<meta name="tdm-policy" content="https://pelda.example/policy.json?a=1&amp;b=2"><meta name="description" content="no">
<meta property="og:title" content="robots"></head><body><meta name="robots" content="none"></body></html>"""


def signals(headers: Headers, body: bytes) -> dict[str, str]:
    url = "https://pelda.example/cikk"
    date = datetime(2024, 5, 1, tzinfo=UTC)
    return rights_signals(Capture(url=url, requested_url=url, status=200, headers=headers, entity=body, date=date))


def test_headers_and_metas_are_kept_as_they_stand() -> None:
    headers = (("X-Robots-Tag", "noarchive"), ("TDM-Reservation", "1"), ("Server", "x"), ("x-robots-tag", "otherbot: noindex"))
    assert signals(headers, PAGE) == {
        "header x-robots-tag": "noarchive; otherbot: noindex",
        "header tdm-reservation": "1",
        "meta robots": "noindex, noai",
        "meta tdm-reservation": "1",
        "meta tdm-policy": "https://pelda.example/policy.json?a=1&b=2",
    }


def test_packed_pages_are_read_too() -> None:
    assert signals((("Content-Encoding", "gzip"),), gzip.compress(PAGE)) == signals((), PAGE)


def test_most_pages_say_nothing() -> None:
    assert signals((("Content-Type", "text/html"),), b"<p>robots</p>") == {}


@given(st.binary(max_size=400))
def test_no_page_raises_or_says_too_much(body: bytes) -> None:
    assert len(signals((), b"<meta name=robots content=" + body + b"><meta " + body)) <= 20
