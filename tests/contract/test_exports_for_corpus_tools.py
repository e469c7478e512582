"""What a corpus linguist was promised: a corpus as built, for the programs they know, by one command."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conllu
import pytest
from built_corpora import article, block, built_corpus, post
from lxml import etree
from vertical_checker import Structure, read_registry, read_vertical

from webarticlecurator.corpus_export import export
from webarticlecurator.errors import UsageError

pytestmark = pytest.mark.slow

LONG = "The new bridge over the river was opened on Monday by the mayor of the town, and a thousand people walked over it together. "
MAIN = {"vertical": "both.vert.gz", "cwb": "both.vrt", "conllu": "both.conllu"}


@pytest.fixture
def portals(tmp_path: Path) -> list[Path]:
    """Two of them, which share an article."""
    here = [
        article(1, LONG * 4, block("list", block("item", "one"), block("item", "two")), metadata={"author": ["Ann Lee", "Bo"]}),
        article(2, "Short.", posts=(post("Well said!", author="Zed Quill", id="1"),), metadata={"articleSection": "Town"}),
        article(3, title=None),
    ]
    return [
        built_corpus(tmp_path / "a", here),
        built_corpus(tmp_path / "b", [article(1, LONG * 4, title="Another headline", portal="masik")], portal="masik"),
    ]


def documents(path: Path) -> list[Structure]:
    content = gzip.decompress(path.read_bytes())
    return read_vertical(content, read_registry(path.with_name("both.registry").read_text("utf-8")))


def test_several_portals_are_one_corpus_with_what_the_analysis_found(portals: list[Path], tmp_path: Path) -> None:
    summary = export(portals, "vertical", output=tmp_path / MAIN["vertical"])
    found = documents(tmp_path / MAIN["vertical"])
    assert [one.attributes["portal"] for one in found] == ["pelda", "pelda", "masik"]
    first, _, other = found
    assert first.attributes["near_duplicates"] == other.attributes["near_duplicates"] != "===NONE==="
    assert first.attributes["language_identified"] == "en"
    assert (summary.counts.articles, list(summary.notes)) == (
        4,
        ["Articles without a word of running text, which are not in this file: 1."],
    )
    told = json.loads((tmp_path / "both.vert.gz.manifest.json").read_text("utf-8"))
    assert told["notes"] == list(summary.notes)
    assert {one["name"] for one in told["files"]} == {"both.vert.gz", "both.registry"}


@pytest.mark.parametrize("format_name", MAIN)
def test_the_same_export_gives_the_same_bytes(portals: list[Path], tmp_path: Path, format_name: str) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        export(portals, format_name, output=tmp_path / folder / MAIN[format_name])
    names = sorted(one.name for one in (tmp_path / "first").iterdir() if not one.name.endswith("manifest.json"))
    assert names
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


@pytest.mark.parametrize("format_name", MAIN)
def test_the_names_of_those_who_comment_are_nowhere_where_they_are_replaced(portals: list[Path], tmp_path: Path, format_name: str) -> None:
    (tmp_path / "out").mkdir()
    place = tmp_path / "out" / MAIN[format_name]
    export(portals, format_name, output=place, with_="comments", pseudonymise="who", key=tmp_path / "key")
    content = {one.name: one.read_bytes() for one in place.parent.iterdir()}
    content[place.name] = gzip.decompress(content[place.name]) if place.suffix == ".gz" else content[place.name]
    assert b"Well" in content[place.name]
    assert not [name for name, said in content.items() if b"Quill" in said]


def test_comments_are_posts_with_their_authors_where_somebody_asks_for_them(portals: list[Path], tmp_path: Path) -> None:
    for format_name in MAIN:
        export(portals, format_name, output=tmp_path / MAIN[format_name], with_="comments")
    (vertical,) = [one for document in documents(tmp_path / MAIN["vertical"]) for one in document.all("post")]
    (workbench,) = etree.fromstring(b"<c>" + (tmp_path / MAIN["cwb"]).read_bytes() + b"</c>").iter("post")
    assert vertical.attributes == dict(workbench.attrib)
    assert (vertical.attributes["who"], vertical.text) == ("Zed Quill", "Well said!")
    (said,) = [one for one in conllu.parse((tmp_path / MAIN["conllu"]).read_text("utf-8")) if "post_who" in one.metadata]
    assert (said.metadata["post_who"], said.metadata["text"]) == ("Zed Quill", "Well said!")


PAGE = Path(__file__).parents[2] / "docs" / "reference" / "corpus-tools.md"
COMMANDS = re.findall(r"^\$ curator (export [^|#\n]+)", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(
    portals: list[Path], tmp_path: Path, curator: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, portal in zip(("a", "b"), portals, strict=True):
        Path(f"{name}.yaml").write_bytes(portal.read_bytes())
    Path("portal.yaml").write_bytes(portals[0].read_bytes())
    shutil.copytree(tmp_path / "a" / "corpora", "corpora")
    shutil.copytree(tmp_path / "b" / "corpora", "corpora", dirs_exist_ok=True)
    ended = curator(*shlex.split(command))
    assert ended.code == 0, ended.err


def test_the_files_that_the_page_lists_are_those_that_are_there(portals: list[Path], tmp_path: Path) -> None:
    listed = re.findall(r"^\$ curator export portal.yaml --to (\w+) -o (\S+)\n\$ ls\n(.+)", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(listed) == 2
    for format_name, name, names in listed:
        (tmp_path / format_name).mkdir()
        export(portals[0], format_name, output=tmp_path / format_name / name)
        assert sorted(one.name for one in (tmp_path / format_name).iterdir()) == names.split()


def test_a_tokenizer_that_is_not_there_is_told_before_anything_is_done(portals: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'foo' is no tokenizer"):
        export(portals[0], "vertical", output=tmp_path / "pelda.vert", tokenizer="foo")
    assert not (tmp_path / "a" / "corpora" / "pelda" / "analysis.sqlite").exists()
