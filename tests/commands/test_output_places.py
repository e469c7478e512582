"""`-o` writes where it was told: into a pipe or a device, through a link; what is no place for a file stays as it is, and is named."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

CURATOR = f"{sys.executable} -m webarticlecurator"
SOON = 60
WRITING = {
    "export": ("export portal.yaml --to jsonl --jobs 1 -o {}", b'"headline"'),
    "export packed inside": ("export portal.yaml --to sqlite --jobs 1 -o {}", b"SQLite format 3"),
    "export with a schema beside it": ("export portal.yaml --to teicorpus --jobs 1 -o {}", b"<teiCorpus"),
    "report": ("report portal.yaml --jobs 1 -o {}", b"<!doctype html>"),
    "open": ("open portal.yaml https://pelda.example/c/1 -o {}", b"<!doctype html>"),
    "watch": ("watch portal.yaml -o {}", b"<!doctype html>"),
    "try": ("try portal.yaml https://pelda.example/c/1 --highlight -o {}", b"<html"),
    "tags": ("tags portal.yaml --html {}", b"<!doctype html>"),
    "table of tags": ("tags portal.yaml --tsv {}", b"\t"),
    "extract": ("extract page.html --to markdown -o {}", b"# A bridge"),
    "convert": ("convert pelda.example.txt -o {}", b"portal: "),
    "warc sample": ("warc sample corpora/pelda --urls urls.txt -o {}", b"\x1f\x8b"),
}
"""Every command that writes one file -> how it is typed, and what is in what it writes."""


@pytest.fixture
def built(desk: Any, article_page: Callable[..., str]) -> Any:
    """A desk with a corpus that is built."""
    desk.built()
    (desk.folder / "page.html").write_text(article_page("A bridge"), encoding="utf-8")
    (desk.folder / "urls.txt").write_text(f"{desk.site.home}/c/1\n", encoding="utf-8")
    (desk.folder / "pelda.example.txt").write_text("title: //h1\nbody: //article\ntest_url: http://pelda.example/a\n", encoding="utf-8")
    return desk


SLOW = ("report", "export packed inside", "tags", "table of tags", "watch")


@pytest.mark.parametrize("command", [pytest.param(name, marks=pytest.mark.nightly if name in SLOW else ()) for name in WRITING])
def test_a_pipe_a_device_and_what_a_link_leads_to_are_written_to(built: Any, command: str) -> None:
    typed, content = WRITING[command]
    os.mkfifo("pipe")
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(Path("pipe").read_bytes()), daemon=True)
    reader.start()
    ended = built.types(typed.format("pipe"))
    reader.join(SOON)
    assert ended.code in (0, 1), ended.err
    assert content.lower() in read[0].lower()
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)

    assert built.types(typed.format("/dev/null")).code == ended.code
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)

    Path("elsewhere").mkdir()
    if command not in ("convert", "warc sample"):  # which replace no file
        Path("elsewhere/target").write_text("before", encoding="utf-8")
    link = Path("link.yaml" if command == "convert" else "link")
    link.symlink_to("elsewhere/target")
    assert built.types(typed.format(link)).code == ended.code
    assert str(link.readlink()) == "elsewhere/target"
    assert content.lower() in Path("elsewhere/target").read_bytes().lower()
    assert not list(built.folder.rglob("*draft*"))


@pytest.mark.parametrize("command", [name for name in WRITING if name != "convert"])
def test_what_is_no_place_for_a_file_is_named_and_stays(built: Any, command: str) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        ended = built.types(WRITING[command][0].format("socket"))
        assert (ended.code, "socket is a socket" in ended.err) == (2, True), ended.err
        assert stat.S_ISSOCK(Path("socket").stat().st_mode)
    if command not in ("export", "export with a schema beside it", "export packed inside", "extract"):  # which name the file in a folder
        Path("folder").mkdir()
        ended = built.types(WRITING[command][0].format("folder"))
        assert (ended.code, "folder is a folder; name the file" in ended.err) == (2, True), ended.err


@pytest.mark.parametrize("place", ["portal.yaml", "corpora/pelda/ledger.sqlite"])
def test_no_page_is_written_in_the_place_of_what_would_be_lost(built: Any, place: str) -> None:
    before = Path(place).read_bytes()
    assert built.types(f"extract page.html -o {place}").code == 2
    assert Path(place).read_bytes() == before


def test_a_link_to_itself_is_a_sentence(built: Any) -> None:
    Path("loop").symlink_to("loop")
    for typed, _ in WRITING.values():
        ended = built.types(typed.format("loop"))
        assert ended.code == 2, typed
        assert "bug of curator" not in ended.err


@pytest.mark.parametrize("to", ["txm", "text"])
def test_an_export_of_several_files_names_a_folder_and_no_stream(built: Any, to: str) -> None:
    os.mkfifo("pipe")
    for place in ("pipe", "/dev/null") if to == "txm" else ():
        ended = built.types(f"export portal.yaml --to {to} --jobs 1 -o {place}")
        assert (ended.code, "is several files: name a folder" in ended.err) == (2, True), ended.err
    Path("elsewhere").mkdir()
    Path("link").symlink_to("elsewhere")
    assert built.types(f"export portal.yaml --to {to} --jobs 1 -o link/").code == 0
    assert Path("link").is_symlink()
    assert Path("elsewhere/manifest.json" if to == "txm" else "elsewhere.manifest.json").exists()


def test_a_name_that_ends_in_a_slash_is_a_folder_and_another_one_a_file(built: Any) -> None:
    assert built.types("export portal.yaml --to csv --jobs 1 -o tables/").code == 0
    assert sorted(path.name for path in Path("tables").iterdir()) == ["pelda.csv", "pelda.csv.manifest.json"]
    assert built.types("export portal.yaml --to html --jobs 1 -o pages").code == 0
    assert Path("pages").is_file()
    ended = built.types("export portal.yaml --to txm --jobs 1 -o texts")
    assert (ended.code, "-o texts/" in ended.err) == (2, True)


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    command = ["bash", "-c", line.replace("curator ", f"{CURATOR} ")]
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SOON, check=False)


@pytest.mark.nightly
def test_what_a_shell_opened_is_written_to_where_it_stands(built: Any) -> None:
    export, folder = "curator export portal.yaml --to jsonl --jobs 1 -q -o", built.folder
    Path("log").write_text("before\n", encoding="utf-8")
    assert shell(f"{export} /dev/stdout >> log", folder).returncode == 0
    kept, *lines = Path("log").read_text(encoding="utf-8").splitlines()
    assert (kept, len(list(map(json.loads, lines)))) == ("before", 2)
    assert len(shell(f"{export} /dev/stdout | cat", folder).stdout.splitlines()) == 2
    assert len(shell(f"{export} >(cat); sleep 1", folder).stdout.splitlines()) == 2
    assert len(shell(f"{export} /dev/fd/7 7>&1", folder).stdout.splitlines()) == 2
    page = shell("curator report portal.yaml --jobs 1 -o /dev/stdout", folder).stdout
    assert page.rstrip().endswith(b"</html>"), "no line says where the page is"


# --- what killed commands left ---


@pytest.fixture
def killed(built: Any) -> Iterator[Callable[[str], Path]]:
    """Kill a command as soon as it has a draft beside the place that it writes to; gives the draft."""

    def kill(line: str) -> Path:
        with subprocess.Popen([*CURATOR.split(), *line.split()], cwd=built.folder, stderr=subprocess.DEVNULL) as process:
            until = time.monotonic() + SOON
            while not (drafts := list(built.folder.glob(".*draft"))) and time.monotonic() < until:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        return drafts[0]

    return kill


@pytest.mark.nightly
@pytest.mark.parametrize("typed", ["export portal.yaml --to jsonl --jobs 1 -o out", "export portal.yaml --to text --jobs 1 -o out/"])
def test_what_a_killed_command_left_goes_with_the_next_one(built: Any, killed: Callable[[str], Path], typed: str) -> None:
    left = killed(typed)
    assert left.exists()
    assert built.types(typed).code == 0
    assert not list(built.folder.glob(".*draft"))


def test_the_draft_of_a_command_that_still_runs_stays(built: Any) -> None:
    theirs = built.folder / ".out.x.curator-draft"
    theirs.mkdir()
    (theirs / "out").write_text("half", encoding="utf-8")
    os.utime(theirs, (0, 0))
    held = os.open(theirs, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    for typed in ("export portal.yaml --to jsonl --jobs 1 -o out", "report portal.yaml --jobs 1 -o out"):
        assert built.types(typed).code == 0
        assert (theirs / "out").read_text(encoding="utf-8") == "half"
    os.close(held)
    assert built.types("report portal.yaml --jobs 1 -o out").code == 0
    assert not theirs.exists()


def test_the_folder_that_a_killed_command_had_moved_away_is_put_back(built: Any) -> None:
    typed = "export portal.yaml --to text --jobs 1 -o out/"
    assert built.types(typed).code == 0
    draft = built.folder / ".out.x.curator-draft"
    (draft / "before").mkdir(parents=True)
    (built.folder / "out").rename(draft / "before" / "out")
    assert built.types(f"{typed} --where nonsense=1").code == 2
    assert built.types(f"{typed} --from 2024-01-01").code == 0
    assert not draft.exists()
    (built.folder / "out").rename(built.folder / "away")
    (draft / "before").mkdir(parents=True)
    (built.folder / "away").rename(draft / "before" / "out")
    assert "out is there already" in built.types("release portal.yaml -o out --level ids --creator Anna").err
    assert list((built.folder / "out").glob("*.txt"))


def test_a_name_as_long_as_the_system_allows_is_written(built: Any) -> None:
    name = "x" * 250 + ".html"
    assert built.types(f"extract page.html -o {name}").code == 0
    assert Path(name).stat().st_size


@pytest.mark.nightly
@pytest.mark.parametrize("line", ["export portal.yaml --to csv -j 1 -o a.csv", "audit portal.yaml", "report portal.yaml -j 1 -o r.html"])
def test_no_command_leaves_a_file_open_or_does_what_python_warns_of(built: Any, line: str) -> None:
    command = [sys.executable, "-W", "error", "-m", "webarticlecurator", *line.split()]
    ended = subprocess.run(command, cwd=built.folder, capture_output=True, text=True, timeout=SOON, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    assert "Warning" not in ended.stderr
