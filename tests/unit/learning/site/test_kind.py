"""Whether a site is a blog."""

from __future__ import annotations

import pytest
from trial_portal import page_of

from webarticlecurator.extraction.site_software import detect_software
from webarticlecurator.learning.site.kind import kind_proposal
from webarticlecurator.model.page import Page

HOME = "https://pelda.example"
POSTING = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "BlogPosting"}</script>'
NEWS = '<script type="application/ld+json">{"@type": ["NewsArticle", "WebPage"]}</script>'


def page(path: str, head: str = "", title: str = "A folyó") -> Page:
    return page_of(f"<html><head><title>{title}</title>{head}</head><body><p>Szöveg.</p></body></html>", f"{HOME}{path}")


@pytest.mark.parametrize("head", [POSTING, "<body itemscope itemtype='https://schema.org/Blog'>"])
def test_pages_that_call_themselves_posts_are_of_a_blog(head: str) -> None:
    found = kind_proposal(page("/"), [page("/"), page("/2024/gat", head)])
    assert found is not None
    assert (found.choices[0].value, found.sure, found.choices[0].reason) == ("blog", True, "1 of 2 pages call themselves posts of a blog")


@pytest.mark.parametrize(
    ("home", "pages", "reason"),
    [
        (page("/", title="A folyó-blog"), [page("/"), page("/gat")], "the title or the address of the home page says `blog`"),
        (page("/"), [page("/blog/"), page("/blog/gat"), page("/rolunk")], "the addresses of 2 of 3 pages say `blog`"),
    ],
)
def test_a_site_that_only_calls_itself_a_blog_is_one_to_look_at(home: Page, pages: list[Page], reason: str) -> None:
    found = kind_proposal(home, pages)
    assert found is not None
    assert ([one.value for one in found.choices], found.sure) == (["blog", "news"], False)
    assert found.choices[0].reason == reason


@pytest.mark.parametrize(
    ("generator", "head", "kind"),
    [
        ("Jekyll v4.3", "", "blog"),
        ("Flarum", "", "forum"),
        ("Flarum", NEWS, "forum"),
        ("Hugo 0.120", "", None),
        ("Jekyll v4.3", NEWS, None),
    ],
)
def test_what_a_site_is_made_with_tells_what_it_is(generator: str, head: str, kind: str | None) -> None:
    home = page("/", f"<meta name=generator content='{generator}'>{head}")
    (system,) = detect_software([home])
    found = kind_proposal(home, [home], system)
    assert (found.choices[0].value if found is not None else None) == kind
    assert found is None or (found.sure, found.choices[0].reason) == (True, f"it is made with {system.software}, which makes {kind}s")


@pytest.mark.parametrize(
    "pages",
    [
        [page("/"), page("/gat")],
        [page("/blog/gat"), page("/belfold/gat"), page("/kulfold/gat")],
        [page("/blog/"), page("/blog/gat", NEWS)],
        [page("/", POSTING), page("/gat", NEWS)],
    ],
)
def test_a_portal_that_has_a_blog_or_is_called_news_is_none(pages: list[Page]) -> None:
    assert kind_proposal(page("/"), pages) is None
