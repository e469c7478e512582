"""`curator demo`: a small portal on this machine, crawled, served, or only its portal file."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from seams import main

from webarticlecurator.example_portal import ExamplePortal

PORTAL_FILE = Path(__file__).resolve().parents[2] / "examples" / "portal" / "portal.yaml"


@pytest.fixture(scope="module")
def small_portal() -> Iterator[None]:
    """The example portal with fewer articles and no pause between requests, so that the demo takes a moment."""

    class Small(ExamplePortal):
        def __init__(self, **how: Any) -> None:
            super().__init__(**{**how, "articles": 60})

        def portal_file(self, folder: Path, *, delay: str | None = None) -> Path:
            return super().portal_file(folder, delay=delay or "0s")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webarticlecurator.example_portal.ExamplePortal", Small)
        yield


@pytest.fixture(scope="module")
def demo(small_portal: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A demo that was run once: its folder, and what was said as data and to people."""
    folder = tmp_path_factory.mktemp("made")
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        assert main(["demo", str(folder), "--port", "0", "--json"]) == 0
    return folder, out.getvalue(), err.getvalue()


@pytest.fixture
def again(demo: tuple[Path, str, str], tmp_path: Path) -> Path:
    """That folder, for one test alone."""
    return shutil.copytree(demo[0], tmp_path / "again")


def port_of(folder: Path) -> int:
    return int(re.search(r"home: http://127.0.0.1:(\d+)/", (folder / "portal.yaml").read_text(encoding="utf-8"))[1])


def test_the_demo_crawls_everything_and_says_where_to_look(curator, demo: tuple[Path, str, str]) -> None:
    folder, out, err = demo
    summary = json.loads(out)
    assert summary["outcomes"] == {"fetched": 60}
    for place in (folder / "portal.yaml", Path(summary["corpus"]) / "warc"):
        assert place.exists()
        assert f"  {place}\n" in err
    report = json.loads(curator("status", folder / "portal.yaml", "--json").out)
    assert all(row["intervals"] == row["proved"] for row in report["completeness"])


def test_run_again_on_any_free_port_it_is_the_same_portal_and_nothing_is_new(curator, again: Path) -> None:
    port = port_of(again)
    edited = (again / "portal.yaml").read_text(encoding="utf-8") + "# Mine.\n"
    (again / "portal.yaml").write_text(edited, encoding="utf-8")
    for flags in (("--port", 0), ()):
        ended = curator("demo", again, *flags, "--json")
        assert (ended.code, json.loads(ended.out)["new"], port_of(again)) == (0, 0, port)
    assert (again / "portal.yaml").read_text(encoding="utf-8") == edited, "what was edited stays"


def test_the_commands_it_names_work_where_one_stands(curator, again: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(again.parent)
    again.rename("my demo")
    told = curator("demo", "my demo", "--port", 0).err
    commands = [shlex.split(line)[1:] for line in told.splitlines() if line.startswith("  curator ")]
    assert ["demo", "--serve", "--port", str(port_of(Path("my demo")))] in commands
    assert {command[0] for command in commands} == {"status", "tags", "test", "warc", "demo", "export", "report", "open"}
    assert not any("--corpus" in command for command in commands)
    for command in commands:
        if command[0] not in ("demo", "test", "open"):  # one serves for ever, one knows the portal of full size, one needs a screen
            assert curator(*command).code == 0, command


def test_what_would_be_another_portal_is_refused_with_the_way_out(curator, demo: tuple[Path, str, str], tmp_path: Path) -> None:
    made = demo[0]
    own = "portal: pelda\nhome: https://pelda.example/\n"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "portal.yaml").write_text(own, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", port_of(made))):
        for folder, port, noun in [
            (tmp_path / "new", taken.getsockname()[1], "--port"),
            (made, 0, f"port {port_of(made)}"),
            (made, port_of(made) ^ 1, "another folder"),
            (tmp_path / "mine", 0, "another folder"),
        ]:
            ended = curator("demo", folder, "--port", port)
            assert (ended.code, noun in ended.err) == (2, True)
    assert (tmp_path / "mine" / "portal.yaml").read_text(encoding="utf-8") == own
    assert not (tmp_path / "new" / "portal.yaml").exists()


def test_its_complete_portal_file_is_printed_as_utf_8(curator) -> None:
    assert curator("demo", "--portal-file").out == PORTAL_FILE.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "webarticlecurator", "demo", "--portal-file"]
    printed = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "iso-8859-2"}, capture_output=True, check=True).stdout
    assert printed == PORTAL_FILE.read_bytes()
    assert "via: browser" not in printed.decode()
    assert "via: browser" in curator("demo", "--portal-file", "--browser").out


@pytest.mark.parametrize(
    ("switches", "path", "noun"),
    [((), "", "Kilenchíd"), (("--switch", "robots-disallow-all"), "robots.txt", "Disallow: /\n")],
    ids=["as it is", "switched"],
)
def test_it_is_served_as_it_is_told_until_ctrl_c(tmp_path: Path, switches: tuple[str, ...], path: str, noun: str) -> None:
    command = [sys.executable, "-m", "webarticlecurator", "demo", "--serve", "--port", "0", *switches]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as served:
        assert served.stderr is not None
        url = re.search(r"http://127.0.0.1:\d+/", served.stderr.readline())[0]
        assert noun in urlopen(url + path).read().decode()
        served.send_signal(signal.SIGINT)
        assert served.wait(10) == 0
        assert "Traceback" not in served.stderr.read()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--serve", "--portal-file"], "exclude each other"),
        (["--portal-file", "--port", "0"], "the port"),
        (["--browser"], "--browser goes with --portal-file"),
        (["folder", "--serve"], "FOLDER"),
        (["folder", "--portal-file"], "FOLDER"),
    ],
)
def test_what_cannot_be_is_refused(curator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], told: str) -> None:
    monkeypatch.chdir(tmp_path)
    ended = curator("demo", *flags)
    assert ended.code == 2
    assert told in ended.err
    assert ended.out == ""
    assert list(tmp_path.iterdir()) == []


def test_commands_are_named_by_their_path_where_no_folder_of_programs_has_them(
    curator, again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = again.parent / "my env" / "bin" / "curator"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(again.parent)
    monkeypatch.setattr("sys.argv", [str(program)])
    for path, called in (("/nowhere", "'my env/bin/curator'"), (str(program.parent), "curator")):
        monkeypatch.setenv("PATH", path)
        assert f"\n  {called} status " in curator("demo", again).err
