"""stdin, stdout and stderr in the states that a shell can hand them over in, and what a terminal gets."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CURATOR = f"{sys.executable} -m webarticlecurator"
SOON = 60


def shell(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """How this ends in a shell."""
    command = ["bash", "-c", line.replace("curator ", f"{CURATOR} ")]
    variables = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=SOON, check=False)


def on_terminal(line: str, folder: Path, *, columns: int = 60, lines: int = 24) -> tuple[int, str]:
    """The exit code, and what a terminal of this size gets."""
    ours, theirs = pty.openpty()
    command = f"stty cols {columns} rows {lines}; exec {CURATOR} {line}"
    variables = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    variables.pop("COLUMNS", None)
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=variables, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    heard = b""
    try:
        while more := os.read(ours, 65_536):
            heard += more
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(SOON), heard.decode().replace("\r\n", "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a portal file that has a name of another alphabet."""
    text = "portal: pelda\ntitle: Példa Hírek ő\nhome: https://pelda.example/\narchive: {url: https://pelda.example/l, item: li}\n"
    (tmp_path / "portal.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_full_disk_is_an_error_for_data_and_none_for_messages(folder: Path) -> None:
    ended = shell("curator check --show portal.yaml > /dev/full", folder)
    assert ended.returncode == 2
    assert b"No space left" in ended.stderr and b"Traceback" not in ended.stderr
    assert shell("curator check portal.yaml 2> /dev/full", folder).returncode == 0


def test_what_goes_into_a_file_is_utf8_in_every_locale_and_comes_so_from_stdin(folder: Path) -> None:
    locale = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    assert "Példa Hírek ő".encode() in shell("curator check --show portal.yaml", folder, **locale).stdout
    (folder / "urls.txt").write_bytes(b"\xef\xbb\xbfhttps://pelda.example/h\xc3\xadr\nhttps://pelda.example/\xff\n")
    (folder / "page.html").write_text("<h1>x</h1>", encoding="utf-8")
    line = f"{CURATOR} try portal.yaml - --html page.html --json < urls.txt"
    told = subprocess.run(["bash", "-c", line], cwd=folder, env={**os.environ, **locale}, capture_output=True, check=False)
    assert (told.returncode, b"Traceback" in told.stderr) == (0, False)
    assert [json.loads(line)["url"] for line in told.stdout.splitlines()] == [
        "https://pelda.example/h%C3%ADr", "https://pelda.example/%EF%BF%BD",
    ]  # fmt: skip


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_never_replaced_by_the_next_file_that_is_opened(closed: str, folder: Path) -> None:
    with_it = shell("curator demo --portal-file > /dev/null", folder).returncode
    assert shell(f"curator check portal.yaml {closed}", folder).returncode == with_it == 0
    assert (folder / "portal.yaml").read_text(encoding="utf-8").startswith("portal: pelda\n")


# --- terminals ---


def test_text_from_strangers_cannot_steer_a_terminal(folder: Path) -> None:
    (folder / "portal.yaml").write_text(
        'portal: pelda\nhome: https://pelda.example/\n"\\e]0;owned\\a": x\n"over\\rwritten": y\n"\\u202egnp.exe": z\n"\\x9b31m": a\n',
        encoding="utf-8",
    )
    _, said = on_terminal("check portal.yaml", folder, columns=200)
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(said)
    assert "\\x1b]0;owned\\x07" in said and "\\u202egnp.exe" in said and "over\\rwritten" in said


def portals(desk: Any, number: int) -> str:
    """So many."""
    return str(desk.portals(*(f"p{one}" for one in range(number))))


def test_a_crawl_shows_its_progress_on_a_terminal_in_plain_lines(desk: Any) -> None:
    code, shown = on_terminal(f"crawl {portals(desk, 1)}", desk.folder, columns=160)
    assert (code, "\x1b" in shown) == (0, False)
    assert "p0: archive" in shown
    assert "Next: `curator" in " ".join(shown.split())


@pytest.mark.parametrize("number", [1, 9])
def test_each_portal_has_a_line_for_each_phase(number: int, desk: Any) -> None:
    heard = desk.types(f"crawl {portals(desk, number)}").err.splitlines()
    assert len([line for line in heard if re.match(r"p0: (archive|articles|done)", line)]) == 3
    last = [line for line in heard if ": done: " in line]
    assert "5 archive pages, 1 article, 0 waiting, 0 failed" in last[0]


def test_what_is_done_at_once_shows_no_count_that_looks_like_its_end(desk: Any) -> None:
    desk.types(f"crawl {portals(desk, 1)}")
    assert "p0: build\n" in desk.types("build p0.yaml --jobs 1").err


def test_quiet_shows_no_progress(desk: Any, curator: Callable[..., Any]) -> None:
    assert desk.types(f"crawl {portals(desk, 1)} --quiet").err == ""
