"""An article as Python sees it: what everybody asks for, how much text it has, and the line that `curator try --json` prints."""

from __future__ import annotations

from dataclasses import replace

import pytest
from any_article import articles
from hypothesis import given

from webarticlecurator.model.article import Article, Block, Extent, Inline, Post, plain_text
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome


def paragraph(*children: str | Inline) -> Block:
    return Block(type="paragraph", children=children)


def article(*blocks: Block, posts: tuple[Post, ...] = (), **metadata: tuple[str, ...]) -> Article:
    found: Metadata = {name: tuple(Found(value=value, raw=value, source="url") for value in values) for name, values in metadata.items()}
    return Article(
        id="pelda-1", url="https://pelda.example/", identity="1", outcome=PageOutcome.ARTICLE, blocks=blocks, posts=posts, metadata=found
    )


def test_metadata_that_everybody_asks_for_has_short_names() -> None:
    read = article(
        headline=("Híd", "A híd"), datePublished=("2024-05-01",), author=("Kis Anna", "Nagy Béla"), articleSection=("Belföld", "Közélet")
    )
    assert (read.title, read.date, read.section) == ("Híd", "2024-05-01", "Belföld")
    assert read.authors == ("Kis Anna", "Nagy Béla")


def test_what_is_not_known_is_none_and_authors_are_none_at_all() -> None:
    read = article()
    assert (read.title, read.date, read.section, read.authors, read.text) == (None, None, None, (), "")


def test_the_text_is_the_blocks_one_a_line_with_entries_and_without_comments() -> None:
    read = article(
        paragraph("Két ", Inline(type="bold", children=("szó",)), "."),
        Block(type="divider"),
        Block(type="list", children=(Block(type="item", children=(paragraph("egy"),)), Block(type="item", children=(paragraph("kettő"),)))),
        posts=(Post(kind="liveblog", blocks=(paragraph("10:00"),)), Post(kind="comments", blocks=(paragraph("Nem."),))),
        headline=("Híd",),
    )
    assert read.text == "Két szó.\negy\nkettő\n10:00"


def test_to_dict_is_the_line_that_try_prints() -> None:
    read = article(paragraph("Szöveg."), headline=("Híd",))
    line = read.to_dict()
    assert (line["kind"], line["text"], line["metadata"]["headline"][0]["value"]) == ("article", read.text, "Híd")


# --- how much text it has ---

WORDS = Block(type="paragraph", children=("Két ", Inline(type="bold", children=("szó",)), "."))
ITEMS = Block(type="list", children=(Block(type="item", children=(WORDS,)), Block(type="item", children=(WORDS,))))


def test_blocks_part_words_and_inlines_do_not() -> None:
    assert article(WORDS, ITEMS).extent == Extent(words=6, characters=len("Két szó. Két szó. Két szó."))


def test_a_line_break_parts_words() -> None:
    lines = Block(type="paragraph", children=("egy", Inline(type="line-break"), "kettő"))
    assert article(lines).extent == Extent(words=2, characters=len("egy kettő"))


def test_entries_count_and_comments_do_not() -> None:
    posts = tuple(Post(kind=kind, blocks=(WORDS,)) for kind in ("liveblog", "comments"))
    assert article(WORDS, posts=posts).extent == article(WORDS, WORDS).extent


def test_an_article_with_other_blocks_is_counted_anew() -> None:
    read = article(WORDS)
    assert read.extent.words == 2
    assert replace(read, blocks=(WORDS, WORDS)).extent.words == 4


@given(articles)
@pytest.mark.slow
def test_its_words_are_those_of_its_plain_text(read: Article) -> None:
    texts = (read.blocks, *(post.blocks for post in read.posts if post.kind != "comments"))
    words = [word for blocks in texts for word in plain_text(blocks).split()]
    has_blanks = not (read.language or "").startswith("zh")
    assert read.extent == Extent(len(words) if has_blanks else None, len(" ".join(words)))


def test_nothing_has_no_extent() -> None:
    assert article().extent == Extent(0, 0)
