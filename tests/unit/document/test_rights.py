"""Rights signals are read from the head of a response and from the head of its page."""

from __future__ import annotations

import gzip

from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.document.rights import RightsSignal, rights_signals

PAGE = b"""<!DOCTYPE html><html><head><title>x</title>
<META content='noindex,  noai' name=Robots><meta name="tdm-reservation" content="1" />
<meta name="tdm-policy" content="https://pelda.example/policy.json?a=1&amp;b=2"><meta name="description" content="no">
<meta property="og:title" content="robots"></head><body><meta name="robots" content="none"></body></html>"""


def test_headers_and_metas_are_kept_as_they_stand() -> None:
    headers = (("X-Robots-Tag", "noarchive"), ("TDM-Reservation", "1"), ("Server", "x"), ("x-robots-tag", "otherbot: noindex"))
    assert rights_signals(headers, PAGE) == (
        RightsSignal("header", "x-robots-tag", "noarchive"),
        RightsSignal("header", "tdm-reservation", "1"),
        RightsSignal("header", "x-robots-tag", "otherbot: noindex"),
        RightsSignal("meta", "robots", "noindex, noai"),
        RightsSignal("meta", "tdm-reservation", "1"),
        RightsSignal("meta", "tdm-policy", "https://pelda.example/policy.json?a=1&b=2"),
    )


def test_packed_pages_are_read_too() -> None:
    assert rights_signals((("Content-Encoding", "gzip"),), gzip.compress(PAGE)) == rights_signals((), PAGE)


def test_most_pages_say_nothing() -> None:
    assert rights_signals((("Content-Type", "text/html"),), b"<p>robots</p>") == ()


@given(st.binary(max_size=400))
def test_no_page_raises_or_says_too_much(body: bytes) -> None:
    assert len(rights_signals((), b"<meta name=robots content=" + body + b"><meta " + body)) <= 20
