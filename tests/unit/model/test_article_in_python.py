"""An article as Python sees it: the few things that everybody asks for, and the line that `curator try --json` prints."""

from __future__ import annotations

from webarticlecurator.model.article import Article, Block, Inline, Post
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
