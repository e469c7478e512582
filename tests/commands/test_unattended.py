"""Runs that nobody watches: what the log holds, and what the command is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webarticlecurator.cli import console, unattended

TIMED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d .")


@pytest.fixture
def tell(tmp_path: Path) -> Path:
    """A command that keeps what it is told."""
    script = tmp_path / "tell it.sh"
    script.write_text(f'#!/bin/sh\ncat > "{tmp_path}/stdin"\nenv > "{tmp_path}/environment"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


def told(folder: Path) -> dict[str, str]:
    lines = (folder / "environment").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line.startswith("CURATOR_") and "=" in line)


@pytest.mark.parametrize("command", ["crawl", "build"])
def test_what_is_said_is_appended_with_times(curator, tmp_path: Path, command: str) -> None:
    log = tmp_path / "run.log"
    log.write_text("before\n", encoding="utf-8")
    assert curator(command, "missing.yaml", "--log", log).code == 2
    first, began, said, ended = log.read_text(encoding="utf-8").splitlines()
    assert first == "before"
    assert all(TIMED.match(line) for line in (began, said, ended))
    assert "Began: curator" in began
    assert "there is no portal file missing.yaml" in said
    assert "Ended with exit code 2: " in ended


def test_the_log_is_not_written_into_a_portal_file(curator, tmp_path: Path) -> None:
    file = tmp_path / "pelda.yaml"
    file.write_text("portal: pelda\n", encoding="utf-8")
    ended = curator("crawl", file, "--log", file)
    assert ended.code == 2
    assert "would be lost" in ended.err
    assert file.read_text(encoding="utf-8") == "portal: pelda\n"


def test_the_log_holds_what_quiet_leaves_out(curator, tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    unattended._of(None).write_to(log)
    console.set_verbosity(console.Verbosity.QUIET)
    console.say("Két sor:\n\x1b[31mpiros")
    console.set_verbosity(console.Verbosity.NORMAL)
    unattended.ended(0)
    assert [line[26:] for line in log.read_text(encoding="utf-8").splitlines()[1:]] == [
        "Két sor:",
        "\\x1b[31mpiros",
        "Ended with exit code 0: all well",
    ]
    assert not console.is_heard()


def test_the_command_is_told_the_exit_code_the_portal_and_why(curator, tmp_path: Path, tell: Path) -> None:
    assert curator("crawl", "one.yaml", "two.yaml", "--notify", f"'{tell}'").code == 2
    facts = told(tmp_path)
    assert facts["CURATOR_EXIT_CODE"] == "2"
    assert facts["CURATOR_PORTAL"] == "one.yaml two.yaml"
    assert facts["CURATOR_EXIT_MEANING"].startswith("nothing done")
    assert "one.yaml" in facts["CURATOR_SUMMARY"]
    assert "there is no portal file one.yaml" in (tmp_path / "stdin").read_text(encoding="utf-8")


def test_where_all_is_well_nobody_is_told(tmp_path: Path, tell: Path) -> None:
    unattended._of(None).command = (str(tell),)
    unattended.ended(0)
    assert not (tmp_path / "stdin").exists()


def test_what_a_page_says_is_no_command(curator, tmp_path: Path, tell: Path) -> None:
    hostile = f"$(touch {tmp_path}/harm) `touch {tmp_path}/harm`; touch {tmp_path}/harm\x00\ud800.yaml"
    run = unattended._of(type("Context", (), {"params": {"portal": [hostile]}}))
    run.command = (str(tell),)
    console.complain(f"pelda: {hostile}")
    unattended.ended(1)
    assert hostile.split("\x00")[0] in (tmp_path / "stdin").read_text(encoding="utf-8")
    assert not (tmp_path / "harm").exists()


def test_progress_is_in_the_log_and_not_in_the_summary(tmp_path: Path, tell: Path) -> None:
    run = unattended._of(type("Context", (), {"params": {}}))
    run.write_to(tmp_path / "run.log")
    run.command = (str(tell),)
    console.progress_line("pelda: 5 of 10", shown=False)
    console.complain("pelda: failed")
    unattended.ended(1)
    assert "5 of 10" in (tmp_path / "run.log").read_text(encoding="utf-8")
    assert "5 of 10" not in (tmp_path / "stdin").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "option, value, why",
    [
        ("--log", "nowhere/run.log", "cannot be written"),
        ("--notify", "no-such-command-anywhere", "no such command"),
        ("--notify", "'open", "No closing quotation"),
        ("--notify", " ", "no such command"),
    ],
)
def test_what_cannot_be_kept_or_told_is_said_before_the_run(curator, option: str, value: str, why: str) -> None:
    ended = curator("crawl", "missing.yaml", option, value)
    assert ended.code == 2
    assert why in ended.err
    assert "there is no portal file" not in ended.err


def test_a_command_that_fails_is_told_and_changes_no_exit_code(curator, tmp_path: Path) -> None:
    script = tmp_path / "fails.sh"
    script.write_text("#!/bin/sh\necho no mail here >&2\nexit 9\n", encoding="utf-8")
    script.chmod(0o755)
    ended = curator("crawl", "missing.yaml", "--log", tmp_path / "run.log", "--notify", script)
    assert ended.code == 2
    assert "ended with exit code 9: no mail here" in ended.err
    assert "no mail here" in (tmp_path / "run.log").read_text(encoding="utf-8")


def test_a_command_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(unattended, "_TIME_LIMIT", 0.2)
    run = unattended._of(type("Context", (), {"params": {}}))
    run.command = ("sleep", "30")
    unattended.ended(1)
    assert "timed out" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_disk_that_is_full_ends_the_log_and_not_the_run(curator) -> None:
    ended = curator("crawl", "missing.yaml", "--log", "/dev/full")
    assert ended.code == 2
    assert ended.err.count("The log cannot be written any more") == 1
    assert "there is no portal file" in ended.err
