"""How much text an article has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from any_article import articles
from hypothesis import given

from webarticlecurator.model.article import Article, Block, Extent, Inline, Post, plain_text
from webarticlecurator.model.outcome import PageOutcome

WORDS = Block(type="paragraph", children=("Két ", Inline(type="bold", children=("szó",)), "."))
ITEMS = Block(type="list", children=(Block(type="item", children=(WORDS,)), Block(type="item", children=(WORDS,))))


def _article(*blocks: Block, posts: tuple[Post, ...] = ()) -> Article:
    return Article(id="pelda-1", url="https://pelda.example/", identity="1", outcome=PageOutcome.ARTICLE, blocks=blocks, posts=posts)


def test_blocks_part_words_and_inlines_do_not() -> None:
    assert _article(WORDS, ITEMS).extent == Extent(words=6, characters=len("Két szó. Két szó. Két szó."))


def test_a_line_break_parts_words() -> None:
    lines = Block(type="paragraph", children=("egy", Inline(type="line-break"), "kettő"))
    assert _article(lines).extent == Extent(words=2, characters=len("egy kettő"))


def test_entries_count_and_comments_do_not() -> None:
    posts = tuple(Post(kind=kind, blocks=(WORDS,)) for kind in ("liveblog", "comments"))
    assert _article(WORDS, posts=posts).extent == _article(WORDS, WORDS).extent


def test_an_article_with_other_blocks_is_counted_anew() -> None:
    article = _article(WORDS)
    assert article.extent.words == 2
    assert replace(article, blocks=(WORDS, WORDS)).extent.words == 4


@given(articles)
@pytest.mark.slow
def test_its_words_are_those_of_its_plain_text(article: Article) -> None:
    read = (article.blocks, *(post.blocks for post in article.posts if post.kind != "comments"))
    words = [word for blocks in read for word in plain_text(blocks).split()]
    assert article.extent == Extent(len(words), len(" ".join(words)))


def test_nothing_has_no_extent() -> None:
    assert _article().extent == Extent(0, 0)
