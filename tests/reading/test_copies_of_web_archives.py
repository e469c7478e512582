"""A copy that a web archive shows is read as the page that it is a copy of."""

from __future__ import annotations

import pytest
from small_corpus import page

from webarticlecurator import extract

HTML = page(published=None).decode()
PAGE = "https://pelda.example/2024/bridge"
COPIES = (
    f"https://web.archive.org/web/20240102030405/{PAGE}",
    f"https://web.archive.org/web/20240102030405id_/{PAGE}",
    f"http://archive.example:8080/my-collection/20240102030405mp_/{PAGE}",
    "https://web.archive.org/web/20240102030405/https:/pelda.example/2024/bridge",
)


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_has_the_address_of_its_page(copy: str) -> None:
    article = extract(HTML, copy)
    assert (article.url, article.identity) == (PAGE, PAGE)


@pytest.mark.parametrize(
    "link", ["/web/20240102030405/https://pelda.example/b", "https://web.archive.org/web/20240102030405/https://pelda.example/b"]
)
def test_links_of_a_copy_lead_where_those_of_the_page_do(link: str) -> None:
    text = f"<p>Read what the council said about it <a href='{link}'>a year before</a>, when nobody asked for it.</p></article>"
    article = extract(HTML.replace("</article>", text), COPIES[0])
    assert "https://pelda.example/b" in repr(article.blocks)
    assert "web.archive.org" not in repr(article.blocks)


def test_times_that_count_from_now_count_from_the_capture() -> None:
    html = HTML.replace("<h1>", "<time class=published>3 hours ago</time><h1>")
    assert "2024-01-0" in str(extract(html, COPIES[0]).metadata["datePublished"][0].value)


def test_what_the_archive_shows_above_the_page_is_none_of_it() -> None:
    bar = "<!-- BEGIN WAYBACK TOOLBAR INSERT --><p>412 captures of this page by the archive</p><!-- END WAYBACK TOOLBAR INSERT -->"
    html = HTML.replace("<article>", f"<article>{bar}")
    assert "captures" not in extract(html, COPIES[0]).text


@pytest.mark.parametrize("url", ["https://pelda.example/web/20249902030405/https://other.example/", "https://pelda.example/20240102/https"])
def test_an_address_that_only_looks_like_one_is_what_it_is(url: str) -> None:
    assert extract(HTML, url).url == url
