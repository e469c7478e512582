"""The table of tags as a spreadsheet takes it and gives it back."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from webarticlecurator.errors import PortalFileError, UsageError
from webarticlecurator.survey.applying.table import TableRow, TagDecision, read_table, write_table
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Example, Suggestion, TagRow
from webarticlecurator.survey.tag import Tag


def row(tag: str, decided: DecidedOperation, **more: object) -> TagRow:
    figures = {"frequency": 4, "pages": 3, "first_year": 2001, "last_year": 2024, "words": 10, "own_words": 6, "link_words": 5}
    return TagRow(tag=tag, decided=decided, **{**figures, "descendants": 2, **more})


def cells(rows: list[TagRow]) -> list[dict[str, str]]:
    return list(csv.DictReader(write_table(rows).splitlines(), delimiter="\t"))


def read(tmp_path: Path, content: str | bytes) -> tuple[TableRow, ...]:
    file = tmp_path / "tags.tsv"
    file.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return read_table(file).rows


def mistakes(tmp_path: Path, content: str) -> list[str]:
    with pytest.raises(PortalFileError) as caught:
        read(tmp_path, content)
    return [str(mistake).removeprefix(f"{tmp_path}/") for mistake in caught.value.mistakes]


def test_a_row_has_its_figures_its_decision_and_its_examples() -> None:
    decided = DecidedOperation("figure", Decider.PORTAL, "portal.yaml:31 div.kep", "main div.kep", "data-src")
    suggestion = Suggestion(operation="gallery", evidence=("“kep” is a word for it", "it stands beside a gallery"))
    examples = (Example(url="https://pelda.example/1"), Example(url="https://pelda.example/2"))
    (written,) = cells([row("div.kep[data-src]", decided, suggestion=suggestion, examples=examples)])
    assert written == {
        "table": "text", "tag": "div.kep[data-src]", "where": "main div.kep", "frequency": "4", "pages": "3", "from": "2001", "to": "2024",
        "words": "10", "mean_words": "2.5", "mean_immediate_words": "1.5", "mean_descendants": "0.5", "link_share": "0.5",
        "operation": "figure", "url": "data-src", "decided_by": "portal.yaml:31 div.kep", "suggestion": "gallery",
        "evidence": "“kep” is a word for it; it stands beside a gallery", "example": "https://pelda.example/1 https://pelda.example/2",
    }  # fmt: skip


@pytest.mark.parametrize("decider", [Decider.NOBODY, Decider.FINDER])
def test_what_no_rule_decides_has_no_operation(decider: Decider) -> None:
    (written,) = cells([row("div.x", DecidedOperation("unwrap" if decider is Decider.NOBODY else "decompose", decider))])
    assert (written["operation"], written["decided_by"]) == ("", decider)


def test_tags_without_text_say_so() -> None:
    assert cells([row("img[src]", DecidedOperation("figure", Decider.GENERAL), words=0)])[0]["table"] == "notext"


def test_text_of_pages_neither_calculates_nor_breaks_the_table() -> None:
    evidence = ("=cmd|'/c calc'!A1\tand\r\nmore", 'a "quote"')
    (written,) = cells([row("div.x", DecidedOperation("", Decider.NOBODY), suggestion=Suggestion(operation="box", evidence=evidence))])
    assert written["evidence"] == "'=cmd|'/c calc'!A1 and more; a \"quote\""


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    decisions = [
        ("div.post-*[data-x]", DecidedOperation("paragraph > bold", Decider.PORTAL, "portal.yaml:3 div.post")),
        ("p", DecidedOperation("source", Decider.PORTAL, "portal.yaml:4 p", 'p:contains("Kövess minket")')),
        ("=x", DecidedOperation("unwrap", Decider.NOBODY)),
    ]
    read_again = read(tmp_path, write_table([row(tag, decided) for tag, decided in decisions]))
    assert [(one.line, one.tag.text, one.where, one.decision, one.frequency) for one in read_again] == [
        (2, "div.post-*[data-x]", "", TagDecision("paragraph > bold"), 4),
        (3, "p", 'p:contains("Kövess minket")', TagDecision("source"), 4),
        (4, "=x", "", TagDecision(), 4),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "tag\toperation\nfigure.kep\tfigure\n",
        "\ufefftag\toperation\r\nfigure.kep\tfigure\r\n",
        '"tag"\t"operation"\n"figure.kep"\t"figure"\n',
        "operation\tnotes\ttag\nFigure\tmine\t figure.kep \n\n\t\t\n",
        "tag;operation\nfigure.kep;figure\n",
        "tag,operation\nfigure.kep,figure",
        "tag\toperation\nfigure.kep\tfigure\n".encode("utf-16"),
    ],
)
def test_tables_are_read_as_spreadsheets_write_them(tmp_path: Path, content: str | bytes) -> None:
    assert [(one.tag, one.decision, one.frequency) for one in read(tmp_path, content)] == [
        (Tag("figure", classes=("kep",)), TagDecision("figure"), 1),
    ]


def test_in_a_split_the_block_is_the_outer_one(tmp_path: Path) -> None:
    assert [one.decision.operation for one in read(tmp_path, "tag\toperation\nb\tbold > paragraph\ni\tbox>quote\n")] == [
        "paragraph > bold",
        "box > quote",
    ]


@pytest.mark.parametrize(
    ("cell", "frequency"), [("", 1), ("12", 12), ("1,234", 1234), ("12\u00a0345", 12345), ("3.0", 3), ("1E3", 1000), ("-2", 0)]
)
def test_frequencies_are_read_as_spreadsheets_show_them(tmp_path: Path, cell: str, frequency: int) -> None:
    assert read(tmp_path, f"tag\toperation\tfrequency\ndiv\tbox\t{cell}\n")[0].frequency == frequency


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("div.a\tparagraf\t\t", "2:2", "`paragraf` is unknown; did you mean `paragraph`?"),
        ("div.a\tvez_bekezd\t\t", "2:2", "`vez_bekezd` is unknown; there are: "),
        ("div.a\tsplit\t\t", "2:2", "`outer > inner`"),
        ("div.a\tparagraph >\t\t", "2:2", "no split"),
        ("div.a\tbox > quote > bold\t\t", "2:2", "no split"),
        ("div.a\tparagraph > blod\t\t", "2:2", "did you mean `bold`?"),
        ("div.a\tparagraph > bold\tsrc\t", "2:3", "a split keeps no address"),
        ("div.a\tunwrap\tsrc\t", "2:3", "`unwrap` keeps no address"),
        ("div.a\t\tsrc\t", "2:3", "nothing says what the element is"),
        ("div..a\tbox\t\t", "2:1", "'div..a' is no tag"),
        ("\tbox\t\t", "2:1", "the tag is missing"),
        ("div.a\tbox\t\tp >", "2:4", "not a selector"),
    ],
)
def test_a_mistake_names_its_row_its_column_and_what_was_expected(tmp_path: Path, line: str, place: str, words: str) -> None:
    (mistake,) = mistakes(tmp_path, f"tag\toperation\turl\twhere\n{line}\n")
    assert mistake.startswith(f"tags.tsv:{place}: ")
    assert words in mistake


def test_all_mistakes_are_told_together(tmp_path: Path) -> None:
    found = mistakes(tmp_path, "frequency\toperation\ttag\nmany\tboks\tdiv..a\n1\tbox\tp\n1\tkviz\tp\n")
    assert [mistake.split(" ")[0] for mistake in found] == ["tags.tsv:2:1:", "tags.tsv:2:2:", "tags.tsv:2:3:", "tags.tsv:4:2:"]


def test_two_rows_may_not_say_different_things_of_one_tag(tmp_path: Path) -> None:
    (mistake,) = mistakes(tmp_path, "tag\toperation\ndiv.a\tbox\nspan\t\ndiv.a\tquote\n")
    assert mistake == "tags.tsv:4:1: `div.a` is quote here and box in row 2; an element has one fate: keep one"


@pytest.mark.parametrize("missing", ["tag", "operation"])
def test_a_table_without_a_needed_column_is_told_so(tmp_path: Path, missing: str) -> None:
    header = {"tag": "tags\toperation", "operation": "tag\toperations"}[missing]
    (mistake,) = mistakes(tmp_path, f"{header}\ndiv\tbox\n")
    assert f"the column `{missing}` is missing; is it `{missing}s`?" in mistake


def test_a_file_that_is_no_table_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_table(tmp_path / "nincs.tsv")
    (mistake,) = mistakes(tmp_path, 'tag\toperation\ndiv\t"' + "x" * 200_000)
    assert "is a quote never closed?" in mistake


# --- tables that people labelled for HTML2TEI ---

NAMED = "frequency tag average_word_count average_descendant_num immediate_texts_average_length URL_example normal_name preserved_attribute"
OF_HTML2TEI = "\t".join(NAMED.split()) + "\n"


def labelled(tmp_path: Path, *lines: str) -> list[tuple[str, str]]:
    """Tag and decision of each row that is made of these: frequency, tag, mean words of its own, label, attribute; parted by `|`."""
    cells = (line.split("|") for line in lines)
    rows = [f"{one[0]}\t{one[1]}\t9.5\t2.0\t{one[2]}\thttps://pelda.example/1\t{one[3]}\t{one[4]}\n" for one in cells]
    return [(row.tag.text, str(row.decision)) for row in read(tmp_path, OF_HTML2TEI + "".join(rows))]


def test_labels_of_html2tei_are_operations(tmp_path: Path) -> None:
    assert labelled(
        tmp_path,
        "9|<p class=lead>|7.0|vez_bekezdes|default",
        "9|<div class=keretes doboz>|0.0|doboz|default",
        "9|<strong class=k>|7.0|kiemelt;bekezdes|default",
        "9|<section>|7.0|szakasz|default",
        "9|<article>|0.0|szakasz|default",
        "9|<span class=ido>|1.0|kozvetites_ido|default",
        "9|<div>|0.0|default|default",
    ) == [
        ("p.lead", "lead"),
        ("div.keretes.doboz", "box"),
        ("strong.k", "paragraph > emphasis"),
        ("section", "paragraph"),
        ("article", "unwrap"),
        ("span.ido", "time"),
        ("div", "undecided"),
    ]


def test_an_attribute_is_named_where_addresses_usually_do_not_stand(tmp_path: Path) -> None:
    rows = ("9|<img class=a src=@LINK>|0.0|media_tartalom|src", "9|<div class=b data-eredeti=@LINK>|0.0|media_tartalom|data-eredeti")
    assert [decision for _, decision in labelled(tmp_path, *rows)] == ["figure", "figure (url: data-eredeti)"]


def test_of_several_labels_of_one_tag_that_of_most_elements_counts(tmp_path: Path) -> None:
    rows = ("2|<p style=@STYLE>|7.0|cimsor|default", "90|<p style=@STYLE width=@STYLE>|7.0|bekezdes|default")
    assert ("p[style]", "heading") in labelled(tmp_path, *rows)
    assert labelled(tmp_path, "2|<p>|7.0|cimsor|default", "tag|tag|x|normal_name|default", "90|<p>|0.0|bekezdes|default") == [
        ("p", "paragraph")
    ]


def test_what_stands_for_many_elements_of_unknown_names_is_left_out(tmp_path: Path) -> None:
    assert labelled(tmp_path, "9|<div id=@wordNUM>|7.0|doboz|default", "9|<0_MDESC_p class=a>|7.0|doboz|default") == []


def test_a_label_that_html2tei_does_not_know_is_a_mistake(tmp_path: Path) -> None:
    assert mistakes(tmp_path, f"{OF_HTML2TEI}9\t<p class=a>\t1\t1\t1\tu\tvez_bekezd\tdefault\n") == [
        "tags.tsv:2:7: `vez_bekezd` is no label of HTML2TEI, which unwraps such tags; is it `vez_bekezdes`?"
    ]
