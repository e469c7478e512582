"""Names that are no UTF-8: of portal files, corpora, pages and what is written. Every command works, whatever the locale."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import ScriptedPortal, listing, scripted_portal
from seams import main
from small_corpus import page

ODD = os.fsdecode(b"\xff\xe1")
URL = "https://pelda.example/c/1"
COMMANDS = [
    "check P", "check P --json", "check P --show", "check no-P", "try P URL --corpus C", "try P URL --corpus C --json",
    "try P URL --corpus C --highlight -o O.html", "try P URL --html H", "extract H", "extract H --to jsonl -o O.jsonl",
    "extract H --to tei",
    "extract F -o O/", "extract no-P", "status P --corpus C", "status P --corpus C --json", "status P --corpus no-P",
    "build P --corpus C --jobs 1 --all --json", "export P --corpus C --to jsonl --jobs 1 -o O.jsonl",
    "export P --corpus C --to text --jobs 1 -o O/", "export P --corpus C --to csv --jobs 1 -o O.csv --where section=O --where headline~O",
    "export P --corpus C --to O", "open P URL --corpus C --print", "open P O --corpus C", "tags P --corpus C --html O.html --tsv O.tsv",
    "tags P --corpus C --json", "tags apply O.tsv P", "audit P --corpus C", "audit P --corpus C --json", "watch P --corpus C -o O.html",
    "test P --corpus C", "label apply H", "warc list C", "warc list C --json", "warc check C", "warc check C --json",
    "warc cat C URL -o O", "warc cat C O", "warc index P --corpus C", "warc push P --corpus C --to O", "warc import P C --corpus O",
    "convert X -o O/", "convert X -o O/ --json",
    "learn P --corpus C", "coverage P --corpus C --cdx O",
    pytest.param("report P --corpus C --jobs 1 -o O.html", marks=pytest.mark.nightly),
    pytest.param("stats P --corpus C --json --jobs 1", marks=pytest.mark.nightly),
    pytest.param("label train P --corpus C -o O.npz", marks=pytest.mark.nightly),
    pytest.param("release P --corpus C -o O --level texts", marks=pytest.mark.nightly),
]  # fmt: skip
"""P: the portal file, C: its corpus, H: a page in F, X: a file to convert, O: what is written, or is nowhere."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedPortal, Path]]:
    """A portal of two articles that runs, and a folder with its portal file and its corpus, built."""
    folder = tmp_path_factory.mktemp("made")
    with scripted_portal() as site:
        site.script |= {"/l/1": listing(1, 2), "/l/2": listing(), "/c/1": page("A bridge").decode(), "/c/2": page("A school").decode()}
        archive = "archive: {url: 'HOME/l/{page}', item: li.t, link: h2 a}\n"
        rules = f"portal: pelda\nhome: HOME/\nlanguage: en\ntimezone: Europe/Budapest\nfetch: {{delay: 0s, retries: 0}}\n{archive}"
        (folder / "portal.yaml").write_text(rules.replace("HOME", site.home), encoding="utf-8")
        of_it = [str(folder / "portal.yaml"), "--corpus", str(folder / "corpus"), "--quiet"]
        assert main(["crawl", *of_it]) == main(["build", *of_it, "--jobs", "1"]) == 0
        yield site, folder


@pytest.fixture
def odd(made: tuple[ScriptedPortal, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """The words of a command, with odd names in place of the letters."""
    monkeypatch.chdir(tmp_path)
    site, plain = made
    folder = tmp_path / ODD
    (folder / f"pages{ODD}").mkdir(parents=True)
    shutil.copytree(plain / "corpus", folder / f"c{ODD}")
    shutil.copy(plain / "portal.yaml", folder / f"p{ODD}.yaml")
    (folder / f"pages{ODD}" / f"{ODD}.html").write_bytes(page("A bridge"))
    (folder / f"{ODD}.txt").write_text("title: //h1\nbody: //article\ntest_url: http://pelda.example/a\n", encoding="utf-8")
    names = {"P": f"p{ODD}.yaml", "no-P": f"no{ODD}.yaml", "C": f"c{ODD}", "F": f"pages{ODD}"}
    names |= {"H": f"pages{ODD}/{ODD}.html", "X": f"{ODD}.txt"}

    def words(line: str) -> list[str]:
        typed = []
        for word in line.split():
            name = names.get(word, word.replace("O", f"o{ODD}") if "O" in word else None)
            if name is not None and "=" not in word and "~" not in word:
                name = str(folder / name)
            typed.append(f"{site.home}/c/1" if word == "URL" else name or word)
        return typed

    return words


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_works_or_ends_with_a_sentence(odd: Callable[[str], list[str]], curator: Callable[..., Any], line: str) -> None:
    ended = curator(*odd(line))
    assert ended.code in (0, 1, 2, 4, 5), ended.err
    assert ("no-P" in line or " O" in line or line.startswith("test ")) or ended.code != 2, ended.err
    for said in (ended.out, ended.err):
        assert "bug of curator" not in said
        said.encode()  # legible or escaped


@pytest.mark.nightly
@pytest.mark.parametrize("line", ["export P --corpus C --to csv --jobs 1 -o O.csv", "audit P --corpus C", "extract H", "check P --show"])
def test_the_locale_changes_nothing_of_it_and_files_are_utf8(odd: Callable[[str], list[str]], tmp_path: Path, line: str) -> None:
    locale = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONWARNDEFAULTENCODING": "1"}
    command = [sys.executable, "-m", "webarticlecurator", *odd(line)]
    ended = subprocess.run(command, env=locale, capture_output=True, check=False, timeout=60)
    assert ended.returncode in (0, 1, 2), ended.stderr
    assert b"Traceback" not in ended.stderr and b"EncodingWarning" not in ended.stderr
    (ended.stdout + ended.stderr).decode()
    for file in tmp_path.rglob("*.csv"):
        file.read_text(encoding="utf-8")


def test_the_manifest_of_an_export_is_json_whatever_was_typed(
    odd: Callable[[str], list[str]], curator: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = odd("export P --corpus C --to csv --jobs 1 -o O.csv --where section=O")
    monkeypatch.setattr("sys.argv", ["curator", *typed])
    curator(*typed)
    manifest = Path(f"{typed[typed.index('-o') + 1]}.manifest.json").read_text(encoding="utf-8")
    assert "\\udcff" in json.loads(manifest)["command"]
