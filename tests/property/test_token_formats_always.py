"""Whatever an article is made of, the formats with one token a line are read again by their programs' rules, and give every word back."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import conllu
from any_article import articles
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from token_exports import ALL_PARTS, an_article, exported, write
from vertical_checker import read_registry, read_vertical

from webarticlecurator.exporting import token_lines
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.tokenized import composed
from webarticlecurator.model.article import Article
from webarticlecurator.tokens import Sentence, Token

READ = Callable[[Path], list[str]]


def letters(text: str) -> str:
    """Of a text all that is no white space; what has no width parts words as white space does."""
    return "".join(text.replace("\u200b", "").split())


def said(article: ExportArticle) -> list[str]:
    """What its passages say, in the form that is documented: composed, and without what no file should hold."""
    return list(filter(None, (letters(composed(one.text)) for one in article.passages)))


def read_back(article: Article, name: str, format_name: str, read: READ) -> tuple[list[str], list[str]]:
    """What the article says, and what is read of it."""
    given_article = exported(replace(article, versions=()), parts=ALL_PARTS)
    with TemporaryDirectory() as folder:
        write(Path(folder), name, format_name, [given_article], parts=ALL_PARTS)
        return said(given_article), read(Path(folder))


def of_vertical(folder: Path) -> list[str]:
    registry = read_registry((folder / "x.registry").read_text("utf-8"))
    documents = read_vertical((folder / "x.vert").read_bytes(), registry)
    return [letters(one.text) for document in documents for one in document.all("head", "p")]


def of_workbench(folder: Path) -> list[str]:
    content = (folder / "x.vrt").read_bytes()
    assert max(map(len, content.split(b"\n"))) < 65_536
    assert all(len(line.split(b"\t")) == 14 for line in (folder / "x.metadata.tsv").read_bytes().split(b"\n")[:-1])
    root = etree.fromstring(b"<corpus>\n" + content + b"</corpus>")
    return [letters("".join(one.itertext())) for one in root.iter("head", "p")]


def of_conllu(folder: Path) -> list[str]:
    content = (folder / "x.conllu").read_text("utf-8")
    assert all(unicodedata.is_normalized("NFC", line) for line in content.split("\n"))
    found: list[str] = []
    for sentence in conllu.parse(content):
        text = "".join(one["form"] + ("" if (one["misc"] or {}).get("SpaceAfter") == "No" else " ") for one in sentence)
        assert sentence.metadata["text"] == text.rstrip(" ")
        if any(name.startswith("newpar") for name in sentence.metadata):
            found.append("")
        found[-1] += letters(text)
    return found


@given(articles)
def test_vertical_gives_every_word_back(article: Article) -> None:
    told, read = read_back(article, "x.vert", "vertical", of_vertical)
    assert told == read


@given(articles)
def test_the_workbench_reads_every_word_again(article: Article) -> None:
    told, read = read_back(article, "x.vrt", "cwb", of_workbench)
    assert told == read


@given(articles)
def test_conllu_gives_every_word_back(article: Article) -> None:
    told, read = read_back(article, "x.conllu", "conllu", of_conllu)
    assert told == read


HOSTILE = st.text(st.sampled_from("ab<>/&;\"'|=\\\t\n\r\x00\x85\u2028\u00ad\ud800ltgamp#60 é\u0301") | st.characters(), max_size=20)


@given(st.lists(HOSTILE, min_size=1, max_size=3), HOSTILE)
def test_values_of_attributes_come_back_in_one_line(authors: list[str], title: str) -> None:
    article = an_article("Szöveg.", author=tuple(authors), headline=title)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, "x.vert", "vertical", [article])
        write(folder, "x.vrt", "cwb", [article])
        (doc,) = read_vertical((folder / "x.vert").read_bytes(), read_registry((folder / "x.registry").read_text("utf-8")))
        (text,) = etree.fromstring(b"<corpus>\n" + (folder / "x.vrt").read_bytes() + b"</corpus>")
    stored = ["".join("?" if "\ud800" <= one <= "\udfff" else one for one in value) for value in (title, *authors)]
    first, *others = [" ".join(composed(value).split()) for value in stored]
    assert doc.attributes["title"] == text.get("title") == (first or "===NONE===")
    listed = "|".join(one.replace("|", ",") for one in others if one)
    assert doc.attributes["author"] == (listed or "===NONE===")
    assert text.get("author") == (f"|{listed}|" if listed else "|")


def at_blanks(text: str, language: str | None) -> list[Sentence]:
    """The most careless tokenizer: what stands between blanks is a token, be it a tag."""
    del language
    tokens = tuple(Token(one, " " if number % 2 else "") for number, one in enumerate(text.split()))
    return [Sentence(tokens)]


@given(st.lists(HOSTILE | st.sampled_from(("<g/>", "</doc>", "<doc id='1'>", "<!--", "<?x?>", "&amp;", "&#60;")), max_size=6))
def test_tokens_that_look_like_tags_are_tokens(words: list[str]) -> None:
    article = an_article(" ".join(words), headline=None)
    with patch.object(token_lines, "tokenizer_of", lambda _: at_blanks):
        told, read = read_back(article, "x.vert", "vertical", of_vertical)
        assert told == read
        told, read = read_back(article, "x.vrt", "cwb", of_workbench)
        assert told == read
