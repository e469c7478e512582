"""What is cut off is never taken for all there is."""

from __future__ import annotations

import pytest
from feeds_and_sitemaps import DOCUMENTS, read


@pytest.mark.parametrize(("name", "document"), [("sitemap", "sitemap"), ("feed", "rss"), ("feed", "atom"), ("feed", "json")])
def test_a_listing_that_is_cut_off_is_broken(name: str, document: str) -> None:
    text = DOCUMENTS[document]
    whole = read(text, name)
    assert whole is not None and len(whole.articles) in (1, 2)
    for length in range(len(text)):
        page = read(text[:length], name)
        assert page is None or page.broken, text[:length]
