"""TXM's import XTZ + CSV: flat files, a table whose first column names them, and nothing that TXM refuses."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from built_corpora import article, block, built_corpus, paragraph, post
from documented_corpora import exported
from lxml import etree

HOSTILE = 'A <b>"bridge"</b> & more\x07 ]]>'


def articles() -> list:
    cells = block("row", block("cell", paragraph("a")), block("cell", paragraph("b")))
    blocks = (block("heading", "Why", level="2"), "Line one\nline two.", block("table", cells), block("box", paragraph("In a box.")))
    first = article(1, *blocks, title=HOSTILE, metadata={"author": ["Árvai Éva", "Kiss"], "articleSection": "=1+1"}, language="hu")
    thread = article(2, title="A thread", date="2023", posts=(post("Hi.", "forum", id="1", author='A "B"', when="2023-01-01T10:00:00Z"),))
    return [first, thread]


def folder(tmp_path: Path, **options) -> Path:
    exported(built_corpus(tmp_path, articles()), "txm", tmp_path / "out", **options)
    return tmp_path / "out"


def rows(place: Path) -> list[dict[str, str]]:
    with (place / "metadata.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_first_column_names_the_files(tmp_path: Path) -> None:
    place = folder(tmp_path)
    table = rows(place)
    assert next(iter(table[0])) == "id"
    assert sorted(row["id"] for row in table) == sorted(path.stem for path in place.glob("*.xml"))
    assert all(None not in row and None not in row.values() for row in table), "each row has as many cells as there are names"


def test_names_of_columns_are_small_letters_and_digits(tmp_path: Path) -> None:
    fields = ("id", "dateModified", "date_utc", "alternativeHeadline", "text", "warc_record_id")
    names = list(rows(folder(tmp_path, fields=fields))[0])
    assert all(re.fullmatch(r"[a-z][a-z0-9]*", name) for name in names)
    assert len(set(names)) == len(names) == len(fields) + 2


def test_dates_sort_as_text(tmp_path: Path) -> None:
    table = rows(folder(tmp_path))
    assert [row["date"] for row in table] == sorted(row["date"] for row in table) == ["2023", "2024-05-01"]
    assert [row["textorder"] for row in table] == ["000000001", "000000002"]
    assert table[1]["month"] == "05"


def test_a_file_is_one_flat_text(tmp_path: Path) -> None:
    place = folder(tmp_path)
    for row in rows(place):
        (text,) = etree.parse(place / f"{row['id']}.xml").iter("text")
        assert text.get("id") == row["id"]
        assert {key: value for key, value in row.items() if value and key not in ("id", "textorder", "section")} == {
            key: value for key, value in text.attrib.items() if key not in ("id", "section")
        }
        assert {one.tag for one in text.iter()} <= {"text", "body", "head", "p", "cell", "post", "lb"}


def test_what_means_harm_is_text(tmp_path: Path) -> None:
    place = folder(tmp_path)
    row = rows(place)[1]
    assert row["section"] == "'=1+1", "a spreadsheet would run it"
    assert row["title"] == 'A <b>"bridge"</b> & more ]]>'
    tree = etree.parse(place / f"{row['id']}.xml")
    assert tree.findtext(".//head") == 'A <b>"bridge"</b> & more ]]>'
    assert tree.find(".//text").get("author") == "Árvai Éva; Kiss"


def test_boxes_come_when_they_are_wanted_and_posts_of_threads_always(tmp_path: Path) -> None:
    exported(built_corpus(tmp_path, articles()), "txm", tmp_path / "with", "boxes")
    thread, first = (etree.parse(tmp_path / "with" / f"{row['id']}.xml") for row in rows(tmp_path / "with"))
    assert [one.text for one in first.iter("p")][-1] == "In a box."
    (one,) = thread.iter("post")
    assert (dict(one.attrib), one.findtext("p")) == ({"kind": "forum", "n": "1", "who": 'A "B"', "when": "2023-01-01T10:00:00Z"}, "Hi.")
