"""Whatever pages and rules are like: what an inventory tells of each element is what the lookup of building decides on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import pytest
from decided_on_pages import by_inventory, counts_of, on_pages, page_of
from hypothesis import given
from hypothesis import strategies as st
from trial_portal import capture_of, portal_of

from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.pick_steps import Pick
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.document.page import read_page
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.example_portal.answers import Request
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector

_TAGS = ("p", "div", "span", "b", "a", "ul", "li", "form", "aside", "blockquote", "footer", "section", "pre", "code", "hr", "video", "h2")
_VOID = frozenset(("hr",))
_ATTRIBUTES = (
    *("", "class=a", "class='a b'", "class='c a'", "class='post-12'", "class='post-7 a'", "class=css-1x2yz9a", "class=' '", "id=main"),
    *("id=n12", "role=heading", "role=note", "hidden", "href=/x", "data-src=y", "rel=nofollow", "rel='nofollow ugc'", "lang=en"),
    *("class='k1 k2 k3 k4 a b c d e f g'", "data-1=x data-22=y", "class=" + "l" * 40, "itemprop=articleBody", "aria-label=x"),
)
_TEXTS = ("", "word", "several words here", " ", "note")
_SELECTORS = (
    *(
        "p",
        "div",
        ".a",
        ".b",
        "div.a",
        "p.a.b",
        "#main",
        "#n12",
        ".post-12",
        ".post-7.a",
        ".f",
        ".g",
        "[role=heading]",
        "[role]",
        "[hidden]",
    ),
    *(
        "[href]",
        "[rel=nofollow]",
        "[rel~=nofollow]",
        "[data-src]",
        "[data-1]",
        "[class]",
        "[class^=post]",
        "span[lang=en]",
        "*",
        "." + "l" * 40,
    ),
    *(
        "div p",
        "div > p",
        ".a .b",
        ".a > .b",
        "#main p",
        "blockquote.a p",
        "body p",
        ".page p",
        ".page > .a",
        "html div.a",
        "> p",
        "> .a > b",
    ),
    *(
        "p:has(b)",
        "div:has(> .a)",
        'p:contains("word")',
        "p + p",
        "p ~ div",
        "li:first-child",
        "li:nth-child(2)",
        ".a:not(.b)",
        "p:not(.a)",
    ),
    *("div:not(:has(p))", ":is(.a, .b)", "p:empty", "div:has(b) p", "p:not(.a) span", ".post-12 p", ".page .b, li.a", "form", "p, .b"),
    *("> p", "p:not(.a)", "." + "l" * 40, ".x.page p", "section:not(.page) p", "div.k1 p", "[aria-label]", ":not(div) > p", ".css-1x2yz9a"),
)
_OPERATIONS = ("decompose", "unwrap", "unwrap-all", "paragraph", "quote", "bold", "figure", "divider", "box")


def _written(tag: str, attributes: str, inner: str) -> str:
    return f"<{tag} {attributes}>" + ("" if tag in _VOID else f"{inner}</{tag}>")


_ELEMENTS = st.recursive(
    st.sampled_from(_TEXTS),
    lambda inner: st.builds(
        lambda tag, attributes, children: _written(tag, attributes, "".join(children)),
        st.sampled_from(_TAGS),
        st.sampled_from(_ATTRIBUTES),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)
_PAGES = st.builds(
    lambda page, wrap, container, inner: page_of(
        f"<html><body class='{page}'><div class='{wrap}'><article {container}>{''.join(inner)}</article></div></body></html>"
    ),
    st.sampled_from(("", "page", "page postid-12", "x page")),
    st.sampled_from(("", "a", "page")),
    st.sampled_from(_ATTRIBUTES),
    st.lists(_ELEMENTS, min_size=1, max_size=4),
)


def _layers(layers: list[list[tuple[str, str]]]) -> list[TagLayer]:
    """Every rule on a line of its own."""
    lines = count(1)
    return [
        TagLayer(
            rules=tuple(
                TagRule(operation=operation, css=Selector.parse(css), source=f"portal.yaml:{next(lines)}") for operation, css in rules
            )
        )
        for rules in layers
    ]


_RULES = st.lists(st.tuples(st.sampled_from(_OPERATIONS), st.sampled_from(_SELECTORS)), max_size=5)
_LAYERS = st.lists(_RULES, min_size=1, max_size=2).map(_layers)
_BASE = portal_of()


def _portal(layers: Sequence[TagLayer]) -> Portal:
    root = Picks(alternatives=(Pick(css=Selector.parse("article"), source="body.root"),))
    return replace(_BASE, body=BodyRules(root=root, tags=tuple(layers)))


@given(st.lists(_PAGES, min_size=1, max_size=3), _LAYERS)
def test_an_inventory_tells_what_is_decided_on_the_pages(pages: list[Page], layers: list[TagLayer]) -> None:
    portal = _portal(layers)

    assert by_inventory(counts_of(pages, portal)) == on_pages(pages, portal)


_MORE_RULES = {
    "no rules": {},
    "plain ones": {"box": ["div"], "decompose": ["p.lead", ".comment"], "unwrap": ["figure"]},
    "hard ones": {"quote": ["p:has(a)", "p + p"], "decompose": ["li:first-child", 'p:contains("hogy")'], "lead": ["h2 ~ p"]},
    "contextual ones": {"box": ["article p"], "decompose": ["body.new div > p", "figure *"], "unwrap-all": ["ul"]},
}


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> tuple[Portal, list[Page]]:
    """The example portal and its articles; without rules for posts, which stand before the tag dictionary."""
    with ExamplePortal(articles=90, page_size=5) as server:
        portal = load_portal(server.portal_file(tmp_path_factory.mktemp("portal")))
        answers = {url: server.answer(Request(target=url.removeprefix(server.home))) for url in sorted(server.article_urls)}
        pages = [read_page(capture_of(one.body, url, headers=tuple(one.headers))) for url, one in answers.items()]
    portal = replace(portal, posts={}, layouts=tuple(replace(layout, posts={}) for layout in portal.layouts))
    return portal, [page for page in pages if isinstance(page, Page)]


@pytest.mark.parametrize("with_root", [True, False])
@pytest.mark.parametrize("more", _MORE_RULES)
def test_the_example_portal_s_articles_are_decided_as_on_the_pages(example: tuple[Portal, list[Page]], more: str, with_root: bool) -> None:
    portal, pages = example
    rules = tuple(
        TagRule(operation=operation, css=Selector.parse(css), source=f"portal.yaml:{operation}")
        for operation, selectors in _MORE_RULES[more].items()
        for css in selectors
    )
    body = replace(portal.body, tags=(TagLayer(rules=rules), *portal.body.tags))
    portal = replace(portal, body=body if with_root else replace(body, root=None))

    assert by_inventory(counts_of(pages, portal)) == on_pages(pages, portal)
