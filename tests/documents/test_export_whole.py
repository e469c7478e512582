"""An export is there whole, with what tells of it, or not at all; nothing of anybody is written over."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import zstandard
from published import Publish, PublishedPortal, article

import webarticlecurator
from webarticlecurator import UsageError

UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.decompress,
    ".zst": lambda content: zstandard.ZstdDecompressor().decompressobj().decompress(content),
}


@pytest.mark.parametrize("suffix", UNPACK)
def test_the_name_says_how_it_is_packed_and_the_same_export_has_the_same_bytes(
    library: Any, export: Any, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / "b").mkdir()
    one, two = export(library.pelda, "jsonl", f"a.jsonl{suffix}").path, export(library.pelda, "jsonl", f"b/a.jsonl{suffix}").path
    assert one.read_bytes() == two.read_bytes()
    assert len(UNPACK[suffix](one.read_bytes()).splitlines()) == 7
    told = json.loads(one.with_name(f"{one.name}.manifest.json").read_bytes())
    assert told["files"] == [{"name": one.name, "bytes": one.stat().st_size, "sha256": hashlib.sha256(one.read_bytes()).hexdigest()}]
    assert {path.name for path in tmp_path.iterdir()} == {one.name, f"{one.name}.manifest.json", "b"}


def test_the_manifest_says_how_to_make_it_again(library: Any, export: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr("sys.argv", ["curator", "export", "pelda.yaml", "--to", "jsonl", "--seed", "2"])
    path = export(library.pelda, "jsonl", "a.jsonl", "--seed", "2", "--where", "headline~bridge", "--where", "words>=2").path
    told = json.loads(path.with_name("a.jsonl.manifest.json").read_bytes())
    assert (told["made"], told["command"], told["format"]) == ("2023-11-14", "curator export pelda.yaml --to jsonl --seed 2", "jsonl")
    assert (told["options"]["seed"], told["options"]["where"]) == (2, ["headline~bridge", "words>=2"])
    assert told["counts"]["articles"] == 1
    assert len(told["portals"][0]["rules"]) == 1
    assert "corpus" not in told["portals"][0], "where it lies on this machine"


@pytest.mark.parametrize(("to", "name"), [("jsonl", "a.jsonl"), ("csv", "a.csv.gz"), ("sqlite", "a.sqlite"), ("teicorpus", "a.xml")])
def test_of_an_interrupted_export_nothing_is_there(library: Any, tmp_path: Path, to: str, name: str) -> None:
    stop = Event()
    stop.set()
    (tmp_path / name).write_text("before")
    assert webarticlecurator.export(library.pelda.file, to, output=tmp_path / name, stop=stop).incomplete
    assert webarticlecurator.export(library.pelda.file, "text", output=f"{tmp_path}/texts/", stop=stop).incomplete
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "before"


def test_of_a_failed_one_neither_and_what_was_there_before_stays(library: Any, curator: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("before")
    (tmp_path / "a.jsonl.manifest.json").mkdir()
    assert curator("export", library.pelda.file, "--to", "jsonl", "-o", tmp_path / "a.jsonl").code != 0
    assert (tmp_path / "a.jsonl").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "a.jsonl.manifest.json"]


def test_a_folder_stays_as_it_was_where_what_lies_beside_it_cannot_be_written(
    library: Any, export: Any, curator: Any, tmp_path: Path
) -> None:
    before = sorted(path.name for path in export(library.pelda, "text", "texts/").path.iterdir())
    (tmp_path / "texts.metadata.csv").unlink()
    (tmp_path / "texts.metadata.csv").mkdir()
    flags = ("--to", "text", "-o", f"{tmp_path}/texts/", "--where", "headline~bridge")
    assert curator("export", library.pelda.file, *flags).code != 0
    assert sorted(path.name for path in (tmp_path / "texts").iterdir()) == before


def test_a_folder_is_replaced_only_if_an_export_in_this_format_made_all_of_it(library: Any, export: Any, tmp_path: Path) -> None:
    folder = export(library.pelda, "text", "texts/").path
    export(library.pelda, "text", "texts/", "--where", "headline=nothing", code=1)
    assert not list(folder.iterdir())
    beside = [path.name for path in folder.parent.iterdir() if path.name.startswith("texts.")]
    assert sorted(beside) == ["texts.SHA256SUMS", "texts.manifest.json", "texts.metadata.csv"]
    export(library.pelda, "text", "texts/")
    assert "holds an export as text" in export(library.pelda, "txm", "texts/", code=2).said
    (folder / "notes.txt").write_text("mine")
    assert "notes.txt" in export(library.pelda, "text", "texts/", code=2).said
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.doc").write_text("mine")
    assert "no export of curator" in export(library.pelda, "text", "other/", code=2).said
    assert (folder / "notes.txt").exists() and (tmp_path / "other" / "thesis.doc").exists()


def test_an_export_goes_to_stdout_into_a_folder_or_into_the_corpus(publish: Publish, curator: Any, tmp_path: Path) -> None:
    portal = publish(article(1, "Text."))
    assert json.loads(curator("export", portal.file, "--to", "jsonl").out)["url"]
    own = portal.corpus / "export"
    assert not own.exists()
    assert webarticlecurator.export(portal.file).path == own / "pelda.jsonl"
    assert webarticlecurator.export(portal.file, "text", output=f"{tmp_path}/texts/").path == tmp_path / "texts"
    assert webarticlecurator.export(portal.file, output=tmp_path).path == tmp_path / "pelda.jsonl"


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ("--json", 2),
        ("-o - --json", 2),
        ("-o FOLDER/a/ --json", 0),
        ("-o FOLDER/a.txt --json", 0),
        ("-o -", 0),
    ],
)
def test_stdout_holds_the_export_or_the_summary_and_never_both(library: Any, curator: Any, tmp_path: Path, flags: str, code: int) -> None:
    ended = curator("export", library.pelda.file, "--to", "text", "--jobs", 1, *flags.replace("FOLDER", str(tmp_path)).split())
    assert ended.code == code, ended.err
    assert bool(ended.out) is (code == 0)
    if code == 0 and "--json" in flags:
        assert json.loads(ended.out)


def test_nothing_built_names_the_command_and_formats_are_listed(tmp_path: Path, curator: Any) -> None:
    portal = PublishedPortal(tmp_path)
    portal.take_in(article(1, "Text."))
    ended = curator("export", portal.file, "--to", "jsonl")
    assert (ended.code, f"`curator build {portal.file}` comes first" in ended.err) == (2, True)
    formats = "cdxj conllu csv cwb html jsonl markdown parquet rdf sqlite teicorpus text txm vertical wacz"
    assert " ".join(sorted({line.split()[0] for line in curator("export", "--to", "list").out.splitlines()})) == formats
    assert curator("export", "--to", "jsonl").code == 2
    assert curator("export", portal.file, "-o", tmp_path / "x.csv").code == 2, "no list of formats"


@pytest.mark.parametrize("place", ["pelda.yaml", "corpora/pelda/build.sqlite", "corpora/pelda/ledger.sqlite", "corpora/pelda/tei/{}"])
@pytest.mark.parametrize("flags", [("export", "--to", "sqlite", "-o"), ("report", "-o")])
def test_nothing_is_written_over_a_portal_file_or_a_part_of_a_corpus(
    publish: Publish, curator: Any, place: str, flags: tuple[str, ...]
) -> None:
    portal = publish(page := article(1, "Text."))
    path = portal.folder / place.format(f"2024/05/01/{page.id}.xml")
    before = path.read_bytes()
    command, *options = flags
    ended = curator(command, portal.file, *options, path)
    assert (ended.code, "would be lost" in " ".join(ended.err.split())) == (2, True)
    assert path.read_bytes() == before


def test_the_python_function_refuses_what_the_command_refuses(library: Any, tmp_path: Path) -> None:
    for options in ({"from_": "2024-05"}, {"bom": True}, {"where": ["hedline=x"]}, {"to": "jsnl"}):
        with pytest.raises(UsageError):
            webarticlecurator.export(library.pelda.file, output=tmp_path / "x", **options)
    assert (
        webarticlecurator.export(
            library.pelda.file, output=tmp_path / "x.jsonl", from_="2024-05-01", where="section=Belföld"
        ).counts.articles
        == 1
    )
