"""Whatever stands in a feed or a sitemap: it is read as far as it goes, or is none; what is cut off is never taken for all there is."""

from __future__ import annotations

import gzip

import pytest
from feeds_and_sitemaps import DOCUMENTS, PIECES, PORTALS, read
from hypothesis import example, given
from hypothesis import strategies as st


@pytest.mark.parametrize("name", PORTALS)
@given(
    st.sampled_from(sorted(DOCUMENTS)), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 40), st.sampled_from(PIECES)), max_size=5)
)
@example("rss", [(0, 0, "<")])
def test_nothing_that_stands_in_one_is_raised(name: str, document: str, edits: list[tuple[int, int, str]]) -> None:
    text = DOCUMENTS[document]
    for at, length, piece in edits:
        text = text[:at] + piece + text[at + length :]
    page = read(text, name)
    assert page is None or len(page.articles) <= 4 + len(edits)


@pytest.mark.parametrize("name", PORTALS)
@given(st.binary(max_size=300))
def test_no_bytes_are_too_odd(name: str, body: bytes) -> None:
    for one in (body, gzip.compress(body)[: len(body)]):
        read(one, name)


@pytest.mark.parametrize(("name", "document"), [("sitemap", "sitemap"), ("feed", "rss"), ("feed", "atom"), ("feed", "json")])
def test_what_is_cut_off_is_not_taken_for_all_there_is(name: str, document: str) -> None:
    text = DOCUMENTS[document]
    whole = read(text, name)
    assert whole is not None
    for length in range(len(text)):
        page = read(text[:length], name)
        assert page is None or page.broken, text[:length]
