from __future__ import annotations

import unicodedata
from pathlib import Path

import conllu
import pytest
from built_corpora import paragraph
from token_exports import ALL_PARTS, an_article, write
from udtools.incident import IncidentType
from udtools.validator import Validator

from webarticlecurator.model.article import Article, Block, Inline, Post


def sentences(folder: Path, *articles: Article, **options: object) -> list[conllu.TokenList]:
    write(folder, "pelda.conllu", "conllu", articles, **options)
    return list(conllu.parse((folder / "pelda.conllu").read_text("utf-8")))


def joined(sentence: conllu.TokenList) -> str:
    """By the convention of Universal Dependencies: a blank follows every token that does not say otherwise."""
    return "".join(one["form"] + ("" if (one["misc"] or {}).get("SpaceAfter") == "No" else " ") for one in sentence).rstrip(" ")


def reported(folder: Path, level: int) -> set[str]:
    """What the validator of Universal Dependencies finds wrong, by the names of its tests."""
    state = Validator(lang="hu", level=level, output=None).validate_files([str(folder / "pelda.conllu")])
    return {one.testid for one in state.error_tracker if one.get_type() is IncidentType.ERROR}


def test_a_document_begins_with_what_is_known_of_it(tmp_path: Path) -> None:
    told = {"author": ("Anna", "Pál"), "articleSection": "Belföld"}
    write(tmp_path, "pelda.conllu", "conllu", [an_article("Szép.", **told)])
    lines = (tmp_path / "pelda.conllu").read_text("utf-8").split("\n")
    name = "pelda-0000000000000001"
    assert lines == [
        f"# newdoc id = {name}",
        "# annotation = tokens only",
        "# doc_portal = pelda",
        "# doc_title = A híd",
        "# doc_date = 2024-05-01T10:00:00+02:00",
        "# doc_author = Anna; Pál",
        "# doc_section = Belföld",
        "# doc_url = https://pelda.example/1",
        "# doc_lang = hu",
        "# doc_type = NewsArticle",
        *(f"# newpar id = {name}-p1", "# par_type = title", "# par_level = 1", f"# sent_id = {name}-p1-s1", "# text = A híd"),
        *("1\tA" + "\t_" * 8, "2\thíd" + "\t_" * 8, ""),
        *(f"# newpar id = {name}-p2", "# par_type = p", f"# sent_id = {name}-p2-s1", "# text = Szép."),
        *("1\tSzép" + "\t_" * 7 + "\tSpaceAfter=No", "2\t." + "\t_" * 8, "", ""),
    ]


def test_sentences_have_names_that_occur_once(tmp_path: Path) -> None:
    read = sentences(tmp_path, an_article("Egy. Két.", "Egy."), an_article("Egy.", number=2), an_article("Egy.", name="masik"))
    names = [one.metadata["sent_id"] for one in read]
    assert len(set(names)) == len(names) == 8
    assert not any("/" in one or " " in one for one in names)


def test_headings_lists_and_posts_are_marked(tmp_path: Path) -> None:
    items = Block(type="list", children=(Block(type="item", children=(paragraph("elem"),)),))
    heading = Block(type="heading", children=("Cím",), attributes={"level": "3"})
    post = Post(kind="liveblog", id="7", author="Anna", when="2024-05-01", blocks=(paragraph("Itt."), paragraph("Ott.")))
    read = sentences(tmp_path, an_article(heading, items, posts=(post,), headline=None), parts=ALL_PARTS)
    assert [(one.metadata.get("par_type"), one.metadata.get("par_level")) for one in read] == [
        ("head", "3"),
        ("li", None),
        ("p", None),
        ("p", None),
    ]
    assert [one.metadata.get("post_who") for one in read] == [None, None, "Anna", None]
    assert read[2].metadata["post_when"] == "2024-05-01"


def test_a_paragraph_in_another_language_says_so(tmp_path: Path) -> None:
    german = Block(type="paragraph", children=("Guten Tag.",), attributes={"language": "de"})
    read = sentences(tmp_path, an_article("Jó napot.", german, headline=None))
    assert [one.metadata.get("lang") for one in read] == [None, "de"]


@pytest.mark.parametrize(
    ("text", "shown", "spaces"),
    [
        ("egy két", "egy két", [None, None]),
        ("egy\nkét", "egy két", [r"\n", None]),
        ("egy  \t két", "egy két", [r"\s\s\t\s", None]),
        ("egy\u00a0két", "egy két", [None, None]),
        ("egy\u200bkét", "egykét", [None, None]),
    ],
)
def test_white_space_is_one_blank_and_what_it_was_is_told(tmp_path: Path, text: str, shown: str, spaces: list[str | None]) -> None:
    (read,) = sentences(tmp_path, an_article(paragraph(text), headline=None))
    assert (read.metadata["text"], joined(read)) == (shown, shown)
    if len(read) == 2:
        assert [(one["misc"] or {}).get("SpacesAfter") for one in read] == spaces


def test_sentences_without_a_blank_between_them_are_glued_but_not_paragraphs(tmp_path: Path) -> None:
    read = sentences(tmp_path, an_article("Szép!", "Igen."))
    assert [(one[-1]["misc"] or {}).get("SpaceAfter") for one in read] == [None, None, None]


def test_accents_are_composed(tmp_path: Path) -> None:
    sentences(tmp_path, an_article("he\u0301t \u0301", headline="he\u0301t", author="he\u0301t"))
    content = (tmp_path / "pelda.conllu").read_text("utf-8")
    assert unicodedata.is_normalized("NFC", content)
    assert all(unicodedata.is_normalized("NFC", one) for one in content.split("\n"))


def test_metadata_of_many_lines_is_one_comment(tmp_path: Path) -> None:
    read = sentences(tmp_path, an_article("Szöveg.", headline="egy\n\n1\thal\n# newdoc id = x\u2028y"))
    assert read[0].metadata["doc_title"] == "egy 1 hal # newdoc id = x y"


def test_an_article_without_a_word_is_left_out_and_told(tmp_path: Path) -> None:
    notes = write(tmp_path, "pelda.conllu", "conllu", [an_article(headline=None)])
    assert (tmp_path / "pelda.conllu").read_bytes() == b""
    assert notes == ["Articles without a word of running text, which are not in this file: 1."]


HARD = (
    *("# newdoc", "1\t2", "_", "a|b=c", "A 3,5%-kal nőtt, kb. 18-án.", "„Jó!” – mondta (l. https://pelda.example/?a=1&b=2).", "ок. 东西。"),
    *("\u0301a", "👩‍👩‍👧", "x\u2028y", "a\tb", "...", "\u00ad"),
)


def test_the_validator_of_universal_dependencies_finds_nothing_at_its_first_level(tmp_path: Path) -> None:
    sentences(tmp_path, an_article(*HARD), an_article(paragraph("egy", Inline(type="line-break"), "két"), number=2))
    assert reported(tmp_path, 1) == set()


def test_at_its_second_level_only_trees_are_missing(tmp_path: Path) -> None:
    sentences(tmp_path, an_article(*HARD), an_article("Egy.Két.", number=2))
    assert reported(tmp_path, 2) <= {"unknown-upos", "invalid-head", "unknown-head", "invalid-deprel", "multiple-roots", "non-tree"}
