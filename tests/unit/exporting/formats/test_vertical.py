from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from built_corpora import paragraph
from token_exports import ALL_PARTS, an_article, exported, write
from vertical_checker import Structure, read_registry, read_vertical

from webarticlecurator.exporting.formats.vertical import corpus_name, language_name
from webarticlecurator.model.analysis import Analysis
from webarticlecurator.model.article import Block, Inline, Post


def written(folder: Path, *articles: object, **options: object) -> list[Structure]:
    """The documents, read again with the registry file that lies beside them."""
    write(folder, "pelda.vert", "vertical", articles, **options)  # type: ignore[arg-type]
    return read_vertical((folder / "pelda.vert").read_bytes(), read_registry((folder / "pelda.registry").read_text("utf-8")))


def block(type: str, *children: Block | Inline | str, **attributes: str) -> Block:
    return Block(type=type, children=children, attributes=attributes)


def test_a_line_holds_a_token_and_tags_stand_between(tmp_path: Path) -> None:
    article = an_article("Megnyílt a híd. Szép!", block("heading", "Hol?", level="3"))
    write(tmp_path, "pelda.vert", "vertical", [article])
    lines = (tmp_path / "pelda.vert").read_text("utf-8").split("\n")
    assert lines[1:] == [
        *('<head type="title" level="1" language="hu">', "<s>", "A", "híd", "</s>", "</head>"),
        *('<p type="p" language="hu">', "<s>", "Megnyílt", "a", "híd", "<g/>", ".", "</s>", "<s>", "Szép", "<g/>", "!", "</s>", "</p>"),
        *('<head type="head" level="3" language="hu">', "<s>", "Hol", "<g/>", "?", "</s>", "</head>"),
        *("</doc>", ""),
    ]


def test_the_document_tells_what_is_known_of_the_article(tmp_path: Path) -> None:
    told = {"author": ("Kovács Anna", "Kiss Pál"), "articleSection": "Belföld", "keywords": ("híd", "Duna")}
    article = exported(an_article("A híd áll.", **told), analysis=Analysis(language="hu", certainty=0.9, near="pelda-7"))
    (doc,) = written(tmp_path, article)
    expected = {
        "id": "pelda-0000000000000001",
        "portal": "pelda",
        "date": "2024-05-01",
        "datetime": "2024-05-01T10:00:00+02:00",
        "year": "2024",
        "month": "05",
        "yearmonth": "2024-05",
        "author": "Kovács Anna|Kiss Pál",
        "section": "Belföld",
        "keywords": "híd|Duna",
        "type": "NewsArticle",
        "url": "https://pelda.example/1",
        "title": "A híd",
        "language": "hu",
        "language_identified": "hu",
        "near_duplicates": "pelda-7",
        "words": "3",
    }
    assert doc.attributes | expected == doc.attributes


def test_what_is_missing_is_none_in_one_way_only(tmp_path: Path) -> None:
    article = an_article(
        "Szöveg.", headline=None, datePublished=None, language=None, posts=(Post(kind="forum", blocks=(paragraph("Igen."),)),)
    )
    (doc,) = written(tmp_path, article, parts=ALL_PARTS)
    missing = {"date", "datetime", "year", "month", "yearmonth", "title", "author", "section", "keywords", "language", "duplicates"}
    assert {name for name, value in doc.attributes.items() if value == "===NONE==="} >= missing
    assert [one.attributes["language"] for one in doc.all("p")] == ["===NONE===", "===NONE==="]
    (post,) = doc.all("post")
    assert post.attributes == {"kind": "forum"} | dict.fromkeys(("id", "who", "when", "reply_to"), "===NONE===")


@pytest.mark.parametrize(
    ("published", "date", "yearmonth"),
    [("2024", "2024", "===NONE==="), ("2024-05", "2024-05", "2024-05"), ("2024-05-01", "2024-05-01", "2024-05")],
)
def test_a_date_is_as_exact_as_it_is_known(tmp_path: Path, published: str, date: str, yearmonth: str) -> None:
    (doc,) = written(tmp_path, an_article("Szöveg.", datePublished=published))
    assert (doc.attributes["date"], doc.attributes["yearmonth"]) == (date, yearmonth)


def test_a_bar_inside_a_value_parts_no_values(tmp_path: Path) -> None:
    (doc,) = written(tmp_path, an_article("Szöveg.", author=("Anna | Hírek", "|", "Pál")))
    assert doc.attributes["author"].split("|") == ["Anna , Hírek", ",", "Pál"]


def test_lists_tables_and_captions_are_paragraphs_of_a_type(tmp_path: Path) -> None:
    table = block("table", block("row", block("cell", paragraph("cella"))))
    figure = block("figure", block("caption", "felirat"))
    article = an_article(block("list", block("item", paragraph("elem"))), table, figure)
    (doc,) = written(tmp_path, article, parts=ALL_PARTS)
    assert [(one.attributes["type"], one.text) for one in doc.all("p")] == [("li", "elem"), ("cell", "cella"), ("caption", "felirat")]


def test_posts_stand_in_structures_that_tell_who_and_when(tmp_path: Path) -> None:
    first = Post(
        kind="liveblog", id="1", author="Anna", when="2024-05-01T11:00:00+02:00", title="Kezdés", blocks=(paragraph("Itt vagyunk."),)
    )
    second = Post(kind="comments", id="2", author="Pál", reply_to="1", blocks=(paragraph("Jó."), paragraph("Nagyon.")))
    (doc,) = written(tmp_path, an_article("Bevezető.", posts=(first, second)), parts=ALL_PARTS)
    posts = list(doc.all("post"))
    assert [(one.attributes["kind"], one.attributes["who"], one.attributes["reply_to"]) for one in posts] == [
        ("liveblog", "Anna", "===NONE==="),
        ("comments", "Pál", "1"),
    ]
    assert [[part.text for part in one.all("head", "p")] for one in posts] == [["Kezdés", "Itt vagyunk."], ["Jó.", "Nagyon."]]


def test_posts_and_comments_are_left_out_where_nobody_asks_for_them(tmp_path: Path) -> None:
    (doc,) = written(tmp_path, an_article("Bevezető.", posts=(Post(kind="comments", blocks=(paragraph("Jó."),)),)))
    assert not list(doc.all("post"))


def test_a_paragraph_tells_its_language(tmp_path: Path) -> None:
    (doc,) = written(tmp_path, an_article("Magyar szöveg.", block("paragraph", "Deutscher Text.", language="de")))
    assert [one.attributes["language"] for one in doc.all("p")] == ["hu", "de"]


@pytest.mark.parametrize(
    "text", ["a < b", "<p>", "</doc>", "<g/>", "&lt;", "&amp;lt;", "AT&T &c", "a\tb", "x\u2028y", "\u00ad", '"', "&#60;"]
)
def test_a_text_that_looks_like_markup_is_text(tmp_path: Path, text: str) -> None:
    (doc,) = written(tmp_path, an_article(f"Így: {text} .", headline=text, author=text))
    (one,) = doc.all("p")
    assert "".join(one.text.split()) == "".join(f"Így:{text}.".replace("\u00ad", "").split())
    assert doc.attributes["title"] == (" ".join(text.replace("\u00ad", "").split()) or "===NONE===")


def test_an_ampersand_that_reads_as_nothing_else_is_left_as_it_is(tmp_path: Path) -> None:
    write(tmp_path, "pelda.vert", "vertical", [an_article("Johnson & Johnson")])
    assert "\n&\n" in (tmp_path / "pelda.vert").read_text("utf-8")


def test_accents_are_composed_so_that_a_search_finds_them(tmp_path: Path) -> None:
    (doc,) = written(tmp_path, an_article("he\u0301t", headline="he\u0301t"))
    assert [one.text for one in doc.all("head", "p")] == ["h\u00e9t", "h\u00e9t"]
    assert doc.attributes["title"] == "h\u00e9t"


def test_a_token_of_endless_length_becomes_several_that_are_glued(tmp_path: Path) -> None:
    (doc,) = written(tmp_path, an_article("a" * 2_500))
    (sentence,) = next(iter(doc.all("p"))).children
    assert [len(one) for one in sentence.words] == [1_000, 1_000, 500]
    assert sentence.text.strip() == "a" * 2_500


def test_a_value_of_endless_length_is_cut_and_that_is_told(tmp_path: Path) -> None:
    article = an_article("Szöveg.", headline='á"' * 5_000, keywords=tuple(f"{number:03}" * 100 for number in range(20)))
    (doc,) = written(tmp_path, article)
    assert doc.attributes["title"].endswith("…")
    assert set(doc.attributes["keywords"].split("|")) <= {f"{number:03}" * 100 for number in range(20)}  # whole ones
    (told,) = write(tmp_path / "b", "b.vert", "vertical", [article])
    assert "keywords (1), title (1)" in told


def test_an_article_without_a_word_is_left_out_and_told(tmp_path: Path) -> None:
    notes = write(tmp_path, "pelda.vert", "vertical", [an_article(headline=None), an_article("Szöveg.", number=2)])
    assert (tmp_path / "pelda.vert").read_text("utf-8").count("<doc ") == 1
    assert notes == ["Articles without a word of running text, which are not in this file: 1."]


def test_fields_choose_the_attributes_and_the_registry_file_follows(tmp_path: Path) -> None:
    (doc,) = written(tmp_path, an_article("Szöveg.", genre="interjú"), fields=("articleSection", "genre", "text"))
    assert list(doc.attributes) == ["id", "section", "genre"]
    assert doc.attributes["genre"] == "interjú"


def test_the_registry_file_names_language_and_place(tmp_path: Path) -> None:
    write(tmp_path, "hírek-2024.vert.gz", "vertical", [an_article("Szöveg.")])
    registry = read_registry((tmp_path / "hírek-2024.registry").read_text("utf-8"))
    assert registry.values["LANGUAGE"] == "Hungarian"
    assert registry.values["VERTICAL"] == "| zcat '/corpora/h_rek_2024/vertical/hírek-2024.vert.gz'"
    assert registry.values["PATH"] == "/corpora/h_rek_2024/indexed"
    assert gzip.decompress((tmp_path / "hírek-2024.vert.gz").read_bytes()).startswith(b"<doc ")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ({"hu": 5, "en": 7}, "English"),
        ({"": 9, "de-AT": 1}, "German"),
        ({"zh-Hant": 1}, "Chinese Traditional"),
        ({"": 3}, ""),
        ({"x-klingon": 1}, ""),
    ],
)
def test_the_language_of_most_words_is_the_corpus_s(words: dict[str, int], name: str) -> None:
    assert language_name(words) == name


@pytest.mark.parametrize(("stem", "name"), [("444", "corpus_444"), ("Hír-Portál", "h_r_port_l"), ("", "corpus_")])
def test_a_corpus_has_a_name_of_small_letters_and_digits(stem: str, name: str) -> None:
    assert corpus_name(stem) == name


def test_the_docs_name_every_structure_and_attribute(tmp_path: Path) -> None:
    write(tmp_path, "pelda.vert", "vertical", [an_article("Szöveg.")])
    registry = read_registry((tmp_path / "pelda.registry").read_text("utf-8"))
    page = (Path(__file__).parents[4] / "docs" / "reference" / "corpus-tools.md").read_text("utf-8")
    told = {name for cell in re.findall(r"^\| (`[^|]*) \|", page, re.MULTILINE) for name in re.findall(r"\w+", cell)}
    attributes = {name: set(one.attributes) for name, one in registry.structures.items()}
    assert registry.structures.keys() | attributes.pop("doc") <= told
    rows = {row[0].strip(" `"): row[1].strip(" `").split() for row in re.findall(r"^\|([^|]*)\|([^|]*)\|", page, re.MULTILINE)}
    assert {name: set(rows[name]) for name in attributes} == attributes
