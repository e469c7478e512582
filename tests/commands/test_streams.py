"""stdin, stdout and stderr in the states that a shell can hand them over in."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from webarticlecurator.cli import console
from webarticlecurator.cli.streams import is_read, standard_streams
from webarticlecurator.model.outcome import FetchOutcome, Verdict


def _without_reader() -> io.TextIOWrapper:
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")


def test_messages_that_nobody_can_read_are_lost_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", _without_reader())
    with standard_streams():
        console.complain("one")
        console.complain("two")
        sys.stderr.write("three\n")


def test_messages_that_do_not_fit_on_the_disk_are_lost_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stderr", full)
        with standard_streams():
            console.complain("a message")


def test_data_after_the_reader_has_gone_is_no_error_and_can_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", _without_reader())
    with standard_streams():
        assert is_read()
        console.data("a value")
        assert not is_read()
        console.data("another")


def test_data_that_does_not_fit_on_the_disk_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        with standard_streams(), pytest.raises(OSError, match="No space left"):
            console.data("a value")


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-2"])
def test_a_file_or_a_pipe_gets_utf8_whatever_the_locale(encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "out.json").open("w", encoding=encoding) as file:
        monkeypatch.setattr("sys.stdout", file)
        with standard_streams():
            console.data_json({"title": "Példa Hírek ő"})
        assert file.encoding == encoding
    assert (tmp_path / "out.json").read_bytes() == '{"title":"Példa Hírek ő"}\n'.encode()


def test_a_list_of_urls_on_stdin_is_utf8_whatever_the_locale_and_never_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "urls.txt").write_bytes(b"\xef\xbb\xbfhttps://pelda.example/h\xc3\xadr\nhttps://pelda.example/\xff\n")
    with (tmp_path / "urls.txt").open(encoding="ascii") as file:
        monkeypatch.setattr("sys.stdin", file)
        with standard_streams():
            assert sys.stdin.read() == "https://pelda.example/hír\nhttps://pelda.example/\ufffd\n"


def test_a_file_name_that_is_not_utf8_is_json_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    console.data_json({"corpus": "b\udce9ta", "path": Path("c\udce9"), "verdict": Verdict(FetchOutcome.GONE, "HTTP 404")})
    written = json.loads(capsys.readouterr().out)
    assert written == {"corpus": "b\udce9ta", "path": "c\udce9", "verdict": {"outcome": "gone", "reason": "HTTP 404"}}


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.slow
def test_a_closed_stream_is_never_replaced_by_the_next_file_that_is_opened(number: int, tmp_path: Path) -> None:
    script = (
        "import os, subprocess, sys\n"
        "from webarticlecurator.cli.streams import standard_streams\n"
        "with standard_streams(), open(sys.argv[1], 'wb') as file:\n"
        "    assert file.fileno() > 2\n"
        "    print('data'); print('a message', file=sys.stderr); sys.stdin.read()\n"
        # What a process of ours writes must not land in that file either.
        "    subprocess.run([sys.executable, '-c', 'import os; os.write(1, b\"x\"); os.write(2, b\"y\"); os.read(0, 1)'], check=True)\n"
    )
    # The shell closes the stream, as it does for people.
    shell = ["sh", "-c", f'"$0" -c "$1" "$2" {number}>&-', sys.executable, script, str(tmp_path / "file")]
    ended = subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "file").read_bytes() == b""
