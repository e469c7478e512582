"""Whatever a page is like and whatever the rules say: every character is kept or dropped by a rule, and every block fits."""

from __future__ import annotations

import gzip
import re

from accounting import accounted, kept, misfits, reference, written
from hypothesis import given, settings
from hypothesis import strategies as st
from real_pages import DATA, needs
from rewriting import BASE, body_of
from trial_portal import page_of

from webarticlecurator.config.tag_dictionary import NAMES, TagLayer, TagRule
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.model.article import Block, ContentNode, Fate, Inline
from webarticlecurator.selectors import Selector

PAGES = DATA / "extraction" / "data"
_FAMILIES = (
    ("p", "div", "span", "b", "i", "a", "br", "h2", "aside", "script", "button"),
    ("table", "caption", "tr", "td", "th", "p", "b", "img", "br"),
    ("ul", "ol", "li", "dl", "dt", "p", "b", "br", "table"),
    ("figure", "figcaption", "img", "picture", "source", "iframe", "video", "a", "p", "blockquote", "noscript"),
    ("pre", "q", "sup", "details", "summary", "x-elem", "form", "noscript", "section", "hr", "h1", "strong"),
)
"""Tags that meet one another more often than by chance."""
_VOID = frozenset({"img", "br", "hr", "source"})
_ATTRIBUTES = st.sampled_from(
    ("", " class=a", " class='a b'", " class=c id=i", " src=/k.jpg", " href='/a b'", " href=x data-src=/l.jpg", " lang=en")
)
_TEXTS = st.one_of(
    st.sampled_from(
        ("", " ", "\n", "\u00a0", "e\u0301", "a", "b ", " c", "&amp;lt;", "két szó", "a\u00adb", "\u200b", "\u200d👩", "x\n y")
    ),
    st.text(alphabet="ab \n,é&amp;", max_size=8),
)
_CSS = st.sampled_from(
    (
        "p",
        "div",
        ".a",
        ".b",
        "div.a",
        "p.c",
        "#i",
        "span",
        "li",
        "td",
        "blockquote",
        "figure",
        "div > p",
        "p:has(b)",
        "p:contains(a)",
        "img",
        "a",
    )
)


@st.composite
def _html(draw: st.DrawFn) -> str:
    tags = st.sampled_from(draw(st.sampled_from((*_FAMILIES, sum(_FAMILIES, ())))))

    def element(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(_made, tags, _ATTRIBUTES, st.lists(content, max_size=4))

    return "".join(draw(st.lists(st.recursive(_TEXTS, element, max_leaves=25), max_size=6)))


def _made(tag: str, attributes: str, inner: list[str]) -> str:
    return f"<{tag}{attributes}>" + ("" if tag in _VOID else "".join(inner) + f"</{tag}>")


@st.composite
def _rules(draw: st.DrawFn) -> TagRule:
    operation = draw(st.sampled_from((*NAMES, "decompose", "unwrap", "unwrap-all", "split")))
    split = (draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))) if operation == "split" else None
    url = draw(st.sampled_from((None, "data-src")))
    return TagRule(operation=operation, css=Selector.parse(draw(_CSS)), split=split, url=url, source="portal.yaml:1")


_LAYERS = st.lists(st.builds(TagLayer, rules=st.lists(_rules(), max_size=4).map(tuple)), max_size=2)


@given(html=_html(), layers=_LAYERS, headline=st.sampled_from(("", "két szó", "a")))
@settings(max_examples=300, deadline=None)
def test_text_is_kept_or_dropped_and_blocks_fit_the_model(html: str, layers: list[TagLayer], headline: str) -> None:
    body = body_of(html)
    found = rewrite([body], Lookup(layers), RewriteContext(base=BASE, headline=headline))
    blocks = opened(found.blocks)
    assert accounted(found.pieces) == reference([body])
    assert kept(found.pieces) == written(blocks)
    assert misfits(blocks) == []
    assert all(piece.rule for piece in found.pieces if piece.fate is Fate.DROPPED)


@given(html=_html())
@settings(max_examples=150, deadline=None)
def test_blanks_are_single_and_never_at_an_edge(html: str) -> None:
    for block in opened(rewrite([body_of(html)], Lookup(()), RewriteContext(base=BASE)).blocks):
        for text in _lines(block):
            assert text == text.strip()
            assert not re.search(r"\s\s|[\n\t]", text)


def _lines(block: Block) -> list[str]:
    """The lines of text of all innermost blocks but code."""
    inner = [child for child in block.children if isinstance(child, Block)]
    if inner or block.type == "code":
        return [line for child in inner for line in _lines(child)]
    return _flat(block.children).split("\0")


def _flat(children: tuple[ContentNode, ...]) -> str:
    return "".join(
        child if isinstance(child, str) else "\0" if isinstance(child, Inline) and child.type == "line-break" else _flat(child.children)
        for child in children
    )


@needs(PAGES)
def test_it_holds_on_real_pages() -> None:
    lookup = Lookup(())
    for path in sorted(PAGES.glob("*/pages/*.html.gz"))[::8]:
        tree = page_of(gzip.decompress(path.read_bytes())).tree
        assert tree is not None
        found = rewrite([tree], lookup, RewriteContext(base=BASE))
        blocks = opened(found.blocks)
        assert accounted(found.pieces) == reference([tree]), path.name
        assert kept(found.pieces) == written(blocks), path.name
        assert misfits(blocks) == [], path.name
