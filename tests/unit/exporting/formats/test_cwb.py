from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from built_corpora import paragraph
from lxml import etree
from token_exports import ALL_PARTS, an_article, write

from webarticlecurator.model.article import Article, Block, Post

HOSTILE = "$(touch hurt) `touch hurt` 'a\" b; touch hurt"


def texts(folder: Path, *articles: Article, **options: object) -> list[etree._Element]:
    """Read as XML: that is how `cwb-encode -x` takes entities."""
    write(folder, "pelda.vrt", "cwb", articles, **options)
    content = (folder / "pelda.vrt").read_bytes()
    return list(etree.fromstring(b"<corpus>\n" + content + b"</corpus>"))


def columns(folder: Path, name: str = "pelda.metadata.tsv") -> list[list[str]]:
    return [line.split("\t") for line in (folder / name).read_text("utf-8").split("\n")[:-1]]


def test_the_root_is_a_text_and_nothing_is_glued(tmp_path: Path) -> None:
    (text,) = texts(tmp_path, an_article("A híd, itt.", headline=None))
    assert text.tag == "text"
    assert [one.tag for one in text.iter()] == ["text", "p", "s"]
    assert (text[0][0].text or "").split("\n") == ["", "A", "híd", ",", "itt", ".", ""]


def test_ids_are_letters_digits_and_lines_and_the_original_is_kept(tmp_path: Path) -> None:
    names = ["pelda-hu", "pelda.hu", "Pelda-HU", "444", "példa"]
    found = texts(tmp_path, *(an_article("Szöveg.", number=7, name=name) for name in names))
    ids = [str(one.get("id")) for one in found]
    assert all(re.fullmatch("[A-Za-z0-9_]{1,255}", one) for one in ids)
    assert len({one.lower() for one in ids}) == len(names)
    assert [one.get("original_id") for one in found] == [f"{name}-0000000000000007" for name in names]


def test_the_id_of_an_article_is_always_the_same(tmp_path: Path) -> None:
    for others in ((), (an_article("Más.", number=1),)):
        found = texts(tmp_path, *others, an_article("Szöveg.", number=2))
        assert found[-1].get("id") == "pelda_0000000000000002"


def test_lists_of_values_are_the_workbench_s_sets(tmp_path: Path) -> None:
    (text,) = texts(tmp_path, an_article("Szöveg.", author=("Anna", "Pál | Hírek")))
    assert (text.get("author"), text.get("keywords"), text.get("title")) == ("|Anna|Pál , Hírek|", "|", "A híd")


def test_markup_in_words_and_values_is_written_as_entities(tmp_path: Path) -> None:
    hostile = "</s></text><text id=\"x\"> & &lt; 'a'"
    (text,) = texts(tmp_path, an_article(hostile, headline=hostile))
    assert text.get("title") == hostile
    words = "".join("".join(one.itertext()) for one in text.iter("p"))
    assert "".join(words.split()) == "".join(hostile.split())


def test_a_value_of_endless_length_fits_into_the_line_that_cwb_encode_reads(tmp_path: Path) -> None:
    many = tuple(f"{number}<&>" * 50 for number in range(500))
    article = an_article("a" * 9_999, headline="&" * 9_000, author=many, keywords=many, articleSection=many, source=many)
    (text,) = texts(tmp_path, article)
    assert max(map(len, (tmp_path / "pelda.vrt").read_bytes().split(b"\n"))) < 65_536
    assert set(str(text.get("author"))[1:-1].split("|")) <= set(many)
    (alone,) = texts(tmp_path, an_article("Szöveg.", author="a" * 9_999))
    assert re.fullmatch(r"\|a+…\|", str(alone.get("author")))


def test_the_table_of_metadata_has_names_for_classes_and_texts_for_the_rest(tmp_path: Path) -> None:
    told = {"articleSection": ("Belföld", "Budapest"), "author": ("Anna", "Pál"), "keywords": "híd"}
    articles = [an_article("Egy.", **told), an_article("Két.", number=2, articleSection="Belfold", datePublished=None)]
    texts(tmp_path, *articles)
    assert [row[:7] for row in columns(tmp_path)] == [
        ["pelda_0000000000000001", "pelda", "2024", "2024_05", "NewsArticle", "hu", "Belfold"],
        ["pelda_0000000000000002", "pelda", "NONE", "NONE", "NewsArticle", "hu", "Belfold_2"],
    ]
    assert columns(tmp_path)[0][7:] == [
        "pelda-0000000000000001",
        "2024-05-01",
        "A híd",
        "Anna; Pál",
        "Belföld; Budapest",
        "híd",
        "https://pelda.example/1",
    ]
    assert ["section", "Belfold_2", "Belfold"] in columns(tmp_path, "pelda.categories.tsv")


def test_sections_that_differ_in_accents_or_capitals_keep_names_of_their_own(tmp_path: Path) -> None:
    sections = ["Belföld", "belfold", "Belfold 2", "Политика", "Спорт", "BELFÖLD", "!!!"]
    texts(tmp_path, *(an_article("Szöveg.", number=number, articleSection=one) for number, one in enumerate(sections)))
    names = [row[6] for row in columns(tmp_path)]
    assert len({one.lower() for one in names}) == len(sections)
    assert all(re.fullmatch("[A-Za-z0-9_]{1,60}", one) for one in names)


def test_a_long_field_of_the_table_is_cut_and_that_is_told(tmp_path: Path) -> None:
    notes = write(tmp_path, "pelda.vrt", "cwb", [an_article("Szöveg.", headline="a\tb\n" * 100)])
    assert max(map(len, columns(tmp_path)[0])) == 255
    assert notes == ["Fields of pelda.metadata.tsv cut to 255 characters (the texts have them in full): 1."]


def test_the_script_declares_exactly_what_the_file_holds(tmp_path: Path) -> None:
    post = Post(kind="forum", author="Anna", blocks=(Block(type="heading", children=("Cím",)), paragraph("Igen.")))
    (text,) = texts(tmp_path, an_article("Szöveg.", posts=(post,)), parts=ALL_PARTS)
    script = (tmp_path / "pelda.cwb.sh").read_text("utf-8")
    declared = {name: attributes.split("+")[1:] for name, attributes in re.findall(r"-S (\w+):(\S+)", script)}
    assert {one.tag: list(one.attrib) for one in text.iter()} == declared


STAND_IN = """\
#!/bin/sh
# In the place of the programs of the Workbench: notes how it was called, an argument a line.
printf '%s\\n' "$(basename -- "$0")" "$@" "-" >> "$CALLS"
if [ "$(basename -- "$0")" = cwb-encode ]; then case " $* " in *" -f "*) ;; *) cat > "$CALLS.input" ;; esac; fi
"""


def run_script(folder: Path, stem: str) -> list[list[str]]:
    """The commands that it runs."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ("cwb-encode", "cwb-make"):
        (programs / name).write_text(STAND_IN)
        (programs / name).chmod(0o755)
    calls = folder / "calls"
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "CALLS": str(calls)}
    subprocess.run(["sh", str(folder / f"{stem}.cwb.sh")], check=True, env=environment, cwd="/", timeout=60)
    return [call.strip("\n").split("\n") for call in calls.read_text("utf-8").split("\n-\n")[:-1]]


@pytest.mark.slow
@pytest.mark.parametrize("stem", ["pelda", HOSTILE, "-rf"])
def test_the_script_runs_what_it_says_and_nothing_else(tmp_path: Path, stem: str) -> None:
    write(tmp_path, f"{stem}.vrt", "cwb", [an_article("Szöveg.")])
    encode, make = run_script(tmp_path, stem)
    assert encode[0] == "cwb-encode"
    assert encode[encode.index("-f") + 1] == f"./{stem}.vrt"
    assert make[0] == "cwb-make"
    assert make[-1] == Path(encode[encode.index("-R") + 1]).name.upper()
    assert re.fullmatch("[a-z][a-z0-9_]*", Path(encode[encode.index("-R") + 1]).name)
    assert not list(tmp_path.rglob("hurt"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("zstd") is None, reason="needs zstd")
def test_a_packed_file_is_unpacked_for_the_workbench(tmp_path: Path) -> None:
    write(tmp_path, "pelda.vrt.zst", "cwb", [an_article("Szöveg.")])
    run_script(tmp_path, "pelda")
    assert (tmp_path / "calls.input").read_text("utf-8").startswith("<text id=")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cwb-encode") is None, reason="needs the Corpus Workbench")
def test_the_workbench_makes_a_corpus_of_it_and_gives_it_back(tmp_path: Path) -> None:
    texts(tmp_path, an_article("A <híd> & Duna.", author=("Anna", "Pál")), an_article("Más.", number=2))
    subprocess.run(["sh", str(tmp_path / "pelda.cwb.sh")], check=True, timeout=120)
    command = ["cwb-decode", "-r", str(tmp_path / "cwb/registry"), "PELDA", "-P", "word"]
    words = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.split("\n")
    assert " ".join(filter(None, map(str.strip, words))) == "A híd A < híd > & Duna . A híd Más ."
