"""Whatever articles are made of, the formats with one token a line are read again by their programs' rules, and give every word back."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import conllu
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from lxml import etree
from published import Published, PublishedPortal, article, post, published
from seams import cutting_at_blanks, main
from vertical_checker import Structure, read_registry, read_vertical

HOSTILE = st.text(st.sampled_from("ab<>/&;\"'|=\\\t\n\r\x00\x85\u2028\u00ad\ud800ltgamp#60 é\u0301") | st.characters(), max_size=20)
MARKUP = st.sampled_from(("<g/>", "</doc>", "<doc id='1'>", "<!--", "<?x?>", "&amp;", "&#60;", "# newpar", "1\thal\t_"))
BLOCKS = (
    *("<p>{}</p>", "<p><b>{}</b>a<i>b</i></p>", "<h3>{}</h3>", "<pre>{}</pre>", "<ul><li>{}<ul><li>in it</li></ul></li></ul>"),
    *('<blockquote lang="de"><p>{}</p></blockquote>', "<table><caption>Of {0}</caption><tr><td>{0}</td><td>{0}</td></tr></table>"),
    *('<div class="x-box"><p>{}</p></div>', '<figure><img src="/a.jpg"><figcaption>{}</figcaption></figure>', "<p>{}<br>{0}</p>"),
)
PASSAGES = st.lists(st.tuples(st.sampled_from([block.replace("{}", "{0}") for block in BLOCKS]), HOSTILE | MARKUP), max_size=6)
LIKE_MARKUP = (
    *("a < b", "<p>", "</doc>", "<g/>", "&lt;", "&amp;lt;", "AT&T &c", "a\tb", "x\u2028y", "\u00ad", '"', "&#60;", "<!--", "<?x?>"),
    *("</s></text><text id=\"x\"> & &lt; 'a'", "# newdoc id = x", "1\thal", "a|b=c", "Johnson & Johnson", "he\u0301t \u0301"),
)
ARTICLES = st.lists(st.tuples(PASSAGES, st.lists(HOSTILE | MARKUP, max_size=3), HOSTILE, st.sampled_from(["en", "hu", "zh"])), max_size=12)
some = settings(max_examples=max(1, settings.default.max_examples // 8), phases=[Phase.explicit, Phase.generate])


@contextmanager
def exported(*pages: Published) -> Iterator[dict[str, bytes]]:
    """A corpus of these pages in every format with one token a line, and as running text."""
    parts = ("--with", "posts,comments,boxes,captions")
    with TemporaryDirectory() as folder:
        portal: PublishedPortal = published(Path(folder), *pages)
        for to, name in {"vertical": "x.vert", "cwb": "x.vrt", "conllu": "x.conllu", "text": "x.txt", "jsonl": "x.jsonl"}.items():
            assert main(["export", str(portal.file), "--to", to, "-o", f"{folder}/{name}", "--jobs", "1", "--quiet", *parts]) == 0
        yield {path.name: path.read_bytes() for path in Path(folder).glob("x.*")}


def letters(text: str) -> str:
    """Of a text all that is no white space; what has no width parts words as white space does."""
    return "".join(unicodedata.normalize("NFC", text).replace("\u200b", "").split())


def shown(value: str) -> str:
    """What one sees of a value, in one line."""
    visible = "".join(character for character in value if character.isprintable() or character.isspace())
    return " ".join(unicodedata.normalize("NFC", visible.replace("===NONE===", "")).split())


def documents_in(files: dict[str, bytes]) -> list[Structure]:
    return read_vertical(files["x.vert"], read_registry(files["x.registry"].decode()))


def of_workbench(files: dict[str, bytes]) -> str:
    assert max(map(len, files["x.vrt"].split(b"\n"))) < 65_536
    root = etree.fromstring(b"<corpus>\n" + files["x.vrt"] + b"</corpus>")
    return letters("".join("".join(passage.itertext()) for passage in root.iter("head", "p")))


def of_conllu(files: dict[str, bytes]) -> str:
    content = files["x.conllu"].decode()
    assert all(unicodedata.is_normalized("NFC", line) for line in content.split("\n"))
    sentences = conllu.parse(content)
    for sentence in sentences:
        text = "".join(token["form"] + ("" if (token["misc"] or {}).get("SpaceAfter") == "No" else " ") for token in sentence)
        assert sentence.metadata["text"] == text.rstrip(" ")
    return letters("".join(sentence.metadata["text"] for sentence in sentences))


@some
@given(ARTICLES)
@example([([("<p>Így: {0} .</p>", text)], [], text, "hu") for text in LIKE_MARKUP])
@pytest.mark.parametrize("tokenizer", [nullcontext, cutting_at_blanks], ids=["own tokens", "tokens that look like tags"])
def test_every_word_comes_back(
    tokenizer: Callable[[], AbstractContextManager[None]], articles: list[tuple[list[tuple[str, str]], list[str], str, str]]
) -> None:
    pages = [
        article(
            number, *(block.format(escape(text)) for block, text in passages), title=title, language=language, posts=[*map(post, comments)]
        )
        for number, (passages, comments, title, language) in enumerate(articles)
    ]
    with tokenizer(), exported(article("plain", "Szöveg."), *pages) as files:
        said = letters(files["x.txt"].decode())
        assert letters("".join(passage.text for document in documents_in(files) for passage in document.all("head", "p"))) == said
        assert of_workbench(files) == said
        assert of_conllu(files) == said


@some
@given(st.lists(st.tuples(st.lists(HOSTILE, min_size=1, max_size=3), HOSTILE), min_size=1, max_size=12))
@example([(["a|b", 'c"d'], "<p>\t&lt;"), (["&"], "\u00ad")])
def test_values_of_attributes_come_back_in_one_line(told: list[tuple[list[str], str]]) -> None:
    with exported(*(article(number, "Szöveg.", author=authors, title=title) for number, (authors, title) in enumerate(told))) as files:
        documents = {document.attributes["id"]: document.attributes for document in documents_in(files)}
        workbench = {text.get("original_id"): text for text in etree.fromstring(b"<corpus>\n" + files["x.vrt"] + b"</corpus>")}
        for line in map(json.loads, files["x.jsonl"].splitlines()):
            (title,), authors = ([one["value"] for one in line["metadata"].get(field, [{"value": ""}])] for field in ("headline", "author"))
            for attributes in (documents[line["id"]], workbench[line["id"]].attrib):
                assert shown(attributes["title"]) == shown(title)
                assert list(filter(None, map(shown, attributes["author"].split("|")))) == list(
                    filter(None, (shown(author.replace("|", ",")) for author in authors))
                )
