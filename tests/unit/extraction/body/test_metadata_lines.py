"""Lines that repeat the metadata are no text of the article, whatever they are called."""

from __future__ import annotations

import pytest

from webarticlecurator.extraction.article import extract

TITLE = "The council votes for the new bridge"
TEXT = "The council met on Monday, and after a long debate it voted for the new bridge over the river. "
DAY = "<time datetime='2024-04-05T10:00:00+02:00'>April 5, 2024</time>"
TAGS = "<a href='/tags/dams'>#dams</a> <a href='/tags/river-life'>#river life</a>"
TAGGED = "<meta property='article:tag' content='dams'><meta property='article:tag' content='river life'>"


def text_of(body: str) -> str:
    html = f"<html><head><meta name=author content='Ann Lee'>{TAGGED}</head><body><article><h1>{TITLE}</h1>{body}</article></body></html>"
    return extract(html, "https://pelda.example/2024/the-council-votes").text


@pytest.mark.parametrize(
    "line",
    [
        f"<p>By Ann Lee on {DAY} in <a href='/categories/news'>News</a></p>",
        f"<div><p>{DAY}</p><p>By <b>Ann Lee</b></p> 2 minutes read</div>",
        f"<p>Published: {DAY}</p>",
        f"<p>Matteo Sartorelli, Zoe van der Berg and Niccolo Amico, {DAY} • 2 min read</p>",
    ],
)
def test_a_line_before_the_text_that_says_who_and_when_is_a_byline(line: str) -> None:
    assert text_of(f"{line}<p>{TEXT}</p>") == TEXT.strip()


@pytest.mark.parametrize(
    "line",
    [
        "<p>Ann Lee was born in the house beside the old bridge.</p>",
        "<p>In 2024 the bridge fell.</p>",
        f"<p>{DAY} was the day on which the old bridge fell into the river.</p>",
        "<ul><li>The bridge, by Ann Lee</li><li>The long river and its harbours, by Bob Ray</li></ul>",
    ],
)
def test_what_says_more_than_that_is_text(line: str) -> None:
    assert text_of(f"{line}<p>{TEXT}</p>").count("bridge") == 2


@pytest.mark.parametrize("line", ["<p><b>Ann Lee:</b> Who crosses the bridge?</p>", "<p>Ann Lee crossed the bridge alone.</p>"])
def test_a_sentence_of_the_author_or_with_the_name_is_text(line: str) -> None:
    assert text_of(f"{line}<p>{TEXT}</p>").count("bridge") == 2


@pytest.mark.parametrize("line", ["<p>Posted by Ann Lee on Apr. 5.</p>", "<p>From our Reporter Ann Lee.</p>"])
def test_a_stop_makes_no_sentence_of_a_byline(line: str) -> None:
    assert text_of(f"{line}<p>{TEXT}</p>") == TEXT.strip()


def test_a_name_in_the_midst_of_the_text_is_text() -> None:
    assert "Ann Lee:" in text_of(f"<p>{TEXT}</p><p>Ann Lee:</p><p>{TEXT}</p>")


@pytest.mark.parametrize("tags", [f"<p>{TAGS}</p>", "<ul><li><a href='/tags/dams'>#dams</a></li></ul>", f"<div>Tags: {TAGS}</div>"])
def test_links_behind_the_text_to_what_it_is_filed_under_are_a_list_of_topics(tags: str) -> None:
    assert text_of(f"<p>{TEXT}</p>{tags}") == TEXT.strip()


@pytest.mark.parametrize("words", ["/címke/árvíz", "/c%C3%ADmke/%C3%A1rv%C3%ADz", "/Schlagwörter/árvíz", "/mots-clés/árvíz/"])
def test_one_link_whose_address_has_letters_beyond_ascii_is_a_list_of_topics(words: str) -> None:
    html = f"<html><body><article><h1>{TITLE}</h1><p>{TEXT}</p><ul><li><a href='{words}'>árvíz</a></li></ul></article></body></html>"
    article = extract(html, "https://pelda.example/2024/the-council-votes")
    assert (article.text, [found.value for found in article.metadata["keywords"]]) == (TEXT.strip(), ["árvíz"])


@pytest.mark.parametrize(
    "links", ["<p><a href='/dams'>Dams</a></p>", "<h2><a href='/dams'>Dams</a></h2>", "<ul><li><a href='/dams'>Dams</a></li></ul>"]
)
def test_in_the_midst_of_the_text_such_links_are_text(links: str) -> None:
    assert "Dams" in text_of(f"<p>{TEXT}</p>{links}<p>{TEXT * 2}</p>")


def test_behind_the_text_so_are_links_to_anything_else() -> None:
    assert "Harbours" in text_of(f"<p>{TEXT}</p><p><a href='/harbours'>Harbours</a></p>")
