"""Plain text: one file, or one an article with metadata.csv."""

from __future__ import annotations

import csv
import hashlib
import subprocess
from pathlib import Path

from built_corpora import article, block, built_corpus, paragraph, post


def test_a_passage_is_a_line_and_only_an_empty_line_parts_articles(tmp_path: Path, curator) -> None:
    verse = block("verse", "One,\n\ntwo\tthree\u2028four\x00.")
    file = built_corpus(tmp_path, [article(1, "First.", verse, date="2024-05-02"), article(2, "Second.", title="Older", date="2024-05-01")])
    ended = curator("export", file, "--to", "text", "-q")
    assert ended.out == "Older\nSecond.\n\nA bridge\nFirst.\nOne,\ntwo three four.\n"


def test_the_headline_can_be_left_out_and_comments_be_added(tmp_path: Path, curator) -> None:
    file = built_corpus(tmp_path, [article(1, "Text.", posts=(post("Nonsense!"),))])
    assert curator("export", file, "--to", "text", "--no-headline", "--with", "comments").out == "Text.\nNonsense!\n"
    told = curator("export", file, "--to", "text").err
    assert "1 comment; --with comments shows them" in told


def test_a_folder_has_a_file_an_article_and_a_table_that_names_them(tmp_path: Path, curator) -> None:
    hostile = '=HYPERLINK("http://x.example")'
    articles = [article(1, "First.", title=hostile, metadata={"author": ["Ada", "Bob"]}), article(2, "Second.", date=None)]
    file = built_corpus(tmp_path, articles)
    folder = tmp_path / "texts"
    assert curator("export", file, "--to", "text", "-o", f"{folder}/", "--names", "date").code == 0
    rows = list(csv.DictReader((folder / "metadata.csv").open(encoding="utf-8", newline="")))
    assert [row["id"] for row in rows] == [f"undated_{articles[1].id}", f"2024-05-01_{articles[0].id}"]
    assert (folder / f"{rows[1]['id']}.txt").read_text(encoding="utf-8") == f"{hostile}\nFirst.\n"
    assert (rows[1]["headline"], rows[1]["author"]) == (f"'{hostile}", "Ada; Bob")
    assert next(iter(rows[0])) == "id"
    assert all(name.isascii() for name in rows[0])
    listed = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in listed} == listed
    assert {*listed, "SHA256SUMS", "manifest.json"} == {path.name for path in folder.iterdir()}


def test_the_digests_are_those_that_sha256sum_checks(tmp_path: Path, curator) -> None:
    file = built_corpus(tmp_path, [article(1, "First.")])
    curator("export", file, "--to", "text", "--per-article")
    folder = tmp_path / "corpora" / "pelda" / "export" / "pelda-text"
    subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=folder, check=True, capture_output=True)


def test_columns_of_the_table_can_be_chosen(tmp_path: Path, curator) -> None:
    file = built_corpus(tmp_path, [article(1, paragraph("First."))])
    curator("export", file, "--to", "text", "-o", f"{tmp_path}/t/", "--fields", "headline,year")
    assert (tmp_path / "t" / "metadata.csv").read_text().splitlines()[0] == "id,headline,year"
