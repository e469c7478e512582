"""Whatever stands in a feed or a sitemap: it is read as far as it goes, or is none; what is cut off is never taken for all there is."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from trial_portal import portal_of

from webarticlecurator.crawling.archive import archive_page_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import ArchivePage

HOME = "https://pelda.example"
DOCUMENTS = {
    "sitemap": "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    f"<url><loc>{HOME}/1</loc><lastmod>2024-05-01</lastmod></url><!-- x --><url><loc><![CDATA[{HOME}/2]]></loc></url>"
    "<sitemap><loc>/b.xml</loc></sitemap></urlset>",
    "rss": f"<rss version='2.0'><channel><title>A &amp; B</title><item><link>{HOME}/1</link><description>"
    f"<![CDATA[<p>a]]></description></item>"
    f"<item><guid>{HOME}/2</guid><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate></item></channel></rss>",
    "atom": "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:link rel='next' href='/2'/><a:entry>"
    f"<a:link href='{HOME}/1'/></a:entry></a:feed>",
    "json": f'{{"version": "https://jsonfeed.org/version/1.1", "next_url": "/2", "items": [{{"id": "{HOME}/1", "tags": ["a"]}}]}}',
    "robots": f"User-agent: *\nSitemap: {HOME}/sitemap.xml\n",
}
PORTALS = {name: portal_of(archive={"url": f"{HOME}/x", "format": name}) for name in ("sitemap", "feed")}
PIECES = [
    *"<>&;'\"\x00\ufffe{}[],: \n",
    "<item>",
    "</",
    "<![CDATA[",
    "]]>",
    "<!--",
    "<!DOCTYPE x [<!ENTITY a '&a;'>]>",
    "&#x110000;",
    "null",
    "-1",
]


def read(document: str | bytes, name: str) -> ArchivePage | None:
    body = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
    capture = Capture(
        url=f"{HOME}/x", requested_url=f"{HOME}/x", status=200, headers=(), entity=body, date=datetime(2024, 5, 1, tzinfo=UTC)
    )
    found = archive_page_of(capture, PORTALS[name].columns[0], PORTALS[name])
    return found if isinstance(found, ArchivePage) else None


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
