"""An export is there whole, with what tells of it, or not at all."""

from __future__ import annotations

import gzip
import hashlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import orjson
import pytest
import zstandard
from built_corpora import article, built_corpus

from webarticlecurator import corpus_export, export
from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.formats.jsonl import JsonLines
from webarticlecurator.exporting.options import export_options
from webarticlecurator.exporting.output import Output


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    (tmp_path / "portal").mkdir()
    return built_corpus(tmp_path / "portal", [article(number, f"Text {number}.") for number in range(1, 4)])


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [("", bytes), (".gz", gzip.decompress), (".zst", lambda c: zstandard.ZstdDecompressor().decompressobj().decompress(c))],
)
def test_the_name_says_how_it_is_packed_and_the_same_export_has_the_same_bytes(tmp_path: Path, portal: Path, suffix: str, unpack) -> None:
    one, two = tmp_path / f"a.jsonl{suffix}", tmp_path / "b" / f"a.jsonl{suffix}"
    two.parent.mkdir()
    export(portal, output=one)
    export(portal, output=two)
    assert one.read_bytes() == two.read_bytes()
    assert len(unpack(one.read_bytes()).splitlines()) == 3
    told = orjson.loads(one.with_name(f"{one.name}.manifest.json").read_bytes())
    assert told["files"] == [{"name": one.name, "bytes": one.stat().st_size, "sha256": hashlib.sha256(one.read_bytes()).hexdigest()}]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([one.name, f"{one.name}.manifest.json", "b", "portal"])


def test_the_manifest_says_how_to_make_it_again(tmp_path: Path, portal: Path, curator, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr("sys.argv", ["curator", "export", "pelda.yaml", "--to", "jsonl", "--words", "2.."])
    curator("export", portal, "--to", "jsonl", "--words", "2..", "--where", "headline~brid", "-o", tmp_path / "a.jsonl")
    told = orjson.loads((tmp_path / "a.jsonl.manifest.json").read_bytes())
    assert (told["made"], told["command"], told["format"]) == ("2023-11-14", "curator export pelda.yaml --to jsonl --words 2..", "jsonl")
    assert told["options"]["selection"]["words"] == [2, None]
    assert told["options"]["selection"]["where"] == ["headline~brid"]
    assert told["counts"]["articles"] == 3
    assert told["portals"][0]["rules"] == ["d" * 64]
    assert "corpus" not in told["portals"][0]  # where it lies on this machine


def test_of_an_interrupted_export_nothing_is_there(tmp_path: Path, portal: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert export(portal, output=tmp_path / "a.jsonl", stop=stop).incomplete
    assert export(portal, to="text", output=tmp_path / "texts", per_article=True, stop=stop).incomplete
    assert [path.name for path in tmp_path.iterdir()] == ["portal"]


@pytest.mark.slow
def test_ctrl_c_ends_a_real_one_cleanly(tmp_path: Path) -> None:
    file = built_corpus(tmp_path, [article(number, "A long sentence. " * 2000) for number in range(200)])
    command = [sys.executable, "-m", "webarticlecurator", "export", str(file), "--to", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read(1)  # it waits for somebody to read on
        process.send_signal(signal.SIGINT)
        rest, told = process.communicate(timeout=60)
    assert process.returncode == 4
    assert rest.count(b"\n") < 200
    assert b"Incomplete: interrupted" in told


def test_drafts_of_killed_exports_go_when_they_are_old(tmp_path: Path, portal: Path) -> None:
    old, young = tmp_path / ".a.jsonl.1.draft", tmp_path / ".a.jsonl.2.draft"
    for draft in (old, young):
        draft.mkdir()
        (draft / "a.jsonl").write_text("half")
    os.utime(old, (0, 0))
    export(portal, output=tmp_path / "a.jsonl")
    assert not old.exists()
    assert young.exists()
    assert "half" not in (tmp_path / "a.jsonl").read_text()


def test_of_a_failed_one_neither_and_what_was_there_before_stays(tmp_path: Path, portal: Path, monkeypatch) -> None:
    (tmp_path / "a.jsonl").write_text("before")
    monkeypatch.setattr(JsonLines, "finish", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(portal, output=tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "portal"]


def test_a_folder_is_replaced_only_if_an_export_made_all_of_it(tmp_path: Path, portal: Path) -> None:
    folder = tmp_path / "texts"
    export(portal, to="text", output=folder, per_article=True)
    export(portal, to="text", output=folder, per_article=True, where="headline=nothing")
    assert sorted(path.name for path in folder.iterdir()) == ["SHA256SUMS", "manifest.json", "metadata.csv"]
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"holds notes\.txt"):
        export(portal, to="text", output=folder, per_article=True)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.doc").write_text("mine")
    with pytest.raises(UsageError, match="no export of curator"):
        export(portal, to="text", output=other, per_article=True)
    assert (folder / "notes.txt").exists()
    assert (other / "thesis.doc").exists()


def test_an_export_goes_to_stdout_or_into_the_corpus(tmp_path: Path, portal: Path, curator) -> None:
    assert len(curator("export", portal, "--to", "jsonl", "--manifest", tmp_path / "m.json").out.splitlines()) == 3
    content = curator("export", portal, "--to", "jsonl").out.encode()
    assert orjson.loads((tmp_path / "m.json").read_bytes())["files"][0]["sha256"] == hashlib.sha256(content).hexdigest()
    own = portal.parent / "corpora" / "pelda" / "export"
    assert not own.exists()
    assert export(portal).path == own / "pelda.jsonl"
    assert curator("export", portal, "--to", "text", "--per-article").code == 0
    assert (own / "pelda-text" / "metadata.csv").exists()


def test_an_export_in_another_format_is_not_replaced(tmp_path: Path, curator, portal: Path) -> None:
    for to, code in (("text", 0), ("txm", 2), ("text", 0)):
        ended = curator("export", portal, "--to", to, *(["--per-article"] if to == "text" else []), "-o", tmp_path / "x")
        assert ended.code == code, ended.err
        assert code == 0 or "holds an export as text" in ended.err


def test_a_folder_may_be_named_for_a_single_file(tmp_path: Path, portal: Path) -> None:
    assert export(portal, output=tmp_path).path == tmp_path / "pelda.jsonl"


def test_when_nobody_reads_on_it_ends_without_a_word(portal: Path) -> None:
    class Pipe:
        def write(self, content: bytes) -> None:
            pass

        def flush(self) -> None:
            pass

    reads = iter([True, False, False, False])
    summary = corpus_export.export_portals(
        [(load_portal(portal), None)], export_options("jsonl"), stdout=Pipe(), wanted=lambda: next(reads)
    )
    assert summary.counts.articles == 1


def test_no_file_lies_outside(tmp_path: Path) -> None:
    with Output(tmp_path / "x", stem="x", folder=True) as output:
        for name in ("../a", "/a", "a/../../b", ""):
            with pytest.raises(ValueError, match="would not lie"):
                output.file(name)


def test_nothing_built_names_the_command(tmp_path: Path, portal: Path, curator) -> None:
    (portal.parent / "corpora" / "pelda" / "build.sqlite").unlink()
    ended = curator("export", portal, "--to", "jsonl")
    assert ended.code == 2
    assert "`curator build` comes first" in ended.err


def test_formats_are_listed(curator) -> None:
    assert {"jsonl", "text", "markdown", "csv"} <= {line.split()[0] for line in curator("export", "--to", "list").out.splitlines()}
    assert "Name its portal file" in curator("export", "--to", "jsonl").err


@pytest.mark.parametrize("place", ["pelda.yaml", "corpora/pelda/build.sqlite", "corpora/pelda/ledger.sqlite", "corpora/pelda/tei/a.xml"])
@pytest.mark.parametrize("flags", [("export", "--to", "sqlite", "-o"), ("export", "--to", "text", "--manifest"), ("report", "-o")])
def test_nothing_is_written_over_a_portal_file_or_a_part_of_a_corpus(tmp_path: Path, curator, place: str, flags: tuple[str, ...]) -> None:
    file = built_corpus(tmp_path, [article(1, "Text.")])
    (tmp_path / "corpora/pelda/tei").mkdir()
    (tmp_path / "corpora/pelda/tei/a.xml").write_text("<TEI/>")
    before = (tmp_path / place).read_bytes()
    command, *options = flags
    ended = curator(command, file, *options, tmp_path / place)
    assert ended.code == 2
    assert "would be lost" in " ".join(ended.err.split())
    assert (tmp_path / place).read_bytes() == before
