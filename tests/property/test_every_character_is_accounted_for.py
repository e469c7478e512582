"""Whatever a page is like and whatever the rules say: every character is kept or dropped by a rule, and every block fits."""

from __future__ import annotations

import gzip
import re

from accounting import assert_nothing_is_lost
from any_html import HTML, LAYERS
from hypothesis import given, settings
from hypothesis import strategies as st
from real_pages import DATA, needs
from rewriting import BASE, body_of
from trial_portal import page_of

from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.extraction.body.rewrite import RewriteContext, rewrite
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.model.article import Block, ContentNode, Inline

PAGES = DATA / "extraction" / "data"


@given(html=HTML, layers=LAYERS, headline=st.sampled_from(("", "két szó", "a")))
@settings(max_examples=300, deadline=None)
def test_text_is_kept_or_dropped_and_blocks_fit_the_model(html: str, layers: list[TagLayer], headline: str) -> None:
    assert_nothing_is_lost(body_of(html), layers, headline)


@given(html=HTML)
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
    for path in sorted(PAGES.glob("*/pages/*.html.gz"))[::8]:
        tree = page_of(gzip.decompress(path.read_bytes())).tree
        assert tree is not None
        assert_nothing_is_lost(tree)
