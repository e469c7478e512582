"""An article as Python sees it: what everybody asks for, how much text it has, and the line that `curator try --json` prints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from seams import portal_of

from webarticlecurator import Article, extract

POSTS = {"liveblog": {"item": "div.e"}, "comments": {"item": "div.k"}}
WORDS = "<p>Két <b>szó</b>.</p>"


def read(html: str, **rules: object) -> Article:
    return extract(html, "https://pelda.example/1", portal_of(body={"root": "main"}, posts=POSTS, **rules))


def test_what_everybody_asks_for_has_short_names_and_what_is_not_known_is_none() -> None:
    metadata = {"headline": "h1", "author": ["i"], "articleSection": ["b"], "datePublished": "time"}
    html = "<h1>Híd</h1><i>Kis Anna</i><i>Nagy Béla</i><b>Belföld</b><b>Közélet</b><time>2024-05-01</time>"
    known, unknown = read(html, metadata=metadata), read("<main></main>")
    assert (known.title, known.date, known.section, known.authors) == ("Híd", "2024-05-01", "Belföld", ("Kis Anna", "Nagy Béla"))
    assert (unknown.title, unknown.date, unknown.section, unknown.authors, unknown.text) == (None, None, None, (), "")


def test_the_text_is_the_blocks_one_a_line_with_entries_and_without_comments() -> None:
    html = f"<main>{WORDS}<hr><ul><li>egy</li><li>kettő</li></ul><div class=e><p>10:00</p></div><div class=k><p>Nem.</p></div></main>"
    article = read(html)
    assert article.text == "Két szó.\negy\nkettő\n10:00"
    assert {post.kind for post in article.posts} == {"liveblog", "comments"}


@given(
    st.lists(st.sampled_from(["<p>egy", "<b>két</b>", " ", "<br>", "három", "<ul><li>", "<table><td>", "</ul>", "<div class=e>", "</div>"]))
)
def test_its_words_are_those_of_its_text(pieces: list[str]) -> None:
    article = read(f"<main>{''.join(pieces)}</main>")
    words = article.text.split()
    assert (article.extent.words, article.extent.characters) == (len(words), len(" ".join(words)))
