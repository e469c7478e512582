"""Runs that nobody watches: what the log holds, and what the command is told that tells a person."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Reply, listing

TIMED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d .")


@pytest.fixture
def tell(tmp_path: Path) -> Path:
    """A command that keeps what it is told."""
    script = tmp_path / "tell it.sh"
    script.write_text(f'#!/bin/sh\ncat > "{tmp_path}/stdin"\nenv > "{tmp_path}/environment"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


def test_the_log_is_appended_with_times_and_holds_what_quiet_leaves_out(desk: Any) -> None:
    Path("run.log").write_text("before\n", encoding="utf-8")
    desk.rules("archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a}\n", listing(1), listing())
    assert desk.types("crawl portal.yaml --quiet --log run.log").err == ""
    first, began, *said, ended = Path("run.log").read_text(encoding="utf-8").splitlines()
    assert first == "before" and all(TIMED.match(line) for line in (began, *said, ended))
    assert "Began: curator" in began and "Ended with exit code 0" in ended
    assert any("1 new article found" in line for line in said)


def test_the_command_is_told_the_exit_code_the_portal_and_why_and_nobody_where_all_is_well(desk: Any, tell: Path) -> None:
    desk.rules("archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a}\n", listing(1), listing())
    assert desk.types(f"crawl portal.yaml --notify \"'{tell}'\"").code == 0
    assert not Path("stdin").exists()
    harm = "$(touch harm)`touch harm`;touch harm.yaml"
    desk.site.script |= {"/l/1": listing(1, 2), "/c/2": Reply(harm, 500)}
    Path(harm).write_bytes(Path("portal.yaml").read_bytes())
    assert desk.curator("crawl", harm, "--notify", f"'{tell}'").code == 1
    lines = Path("environment").read_text(encoding="utf-8").splitlines()
    facts = dict(line.split("=", 1) for line in lines if line.startswith("CURATOR_"))
    assert (facts["CURATOR_EXIT_CODE"], facts["CURATOR_PORTAL"]) == ("1", harm)
    assert "1 article failed" in Path("stdin").read_text(encoding="utf-8")
    assert not Path("harm").exists()


@pytest.mark.parametrize(
    ("flags", "noun"),
    [
        (("--log", "nowhere/run.log"), "cannot be written"),
        (("--log", "portal.yaml"), "would be lost"),
        (("--notify", "no-such-command-anywhere"), "no such command"),
        (("--notify", "'open"), "No closing quotation"),
    ],
)
def test_what_cannot_be_kept_or_told_is_said_before_the_run(desk: Any, flags: tuple[str, str], noun: str) -> None:
    desk.rules()
    before = Path("portal.yaml").read_bytes()
    ended = desk.curator("crawl", "portal.yaml", *flags)
    assert (ended.code, noun in ended.err, desk.site.asked) == (2, True, [])
    assert Path("portal.yaml").read_bytes() == before


def test_a_command_that_fails_or_a_full_disk_changes_no_exit_code(desk: Any) -> None:
    Path("fails.sh").write_text("#!/bin/sh\necho no mail here >&2\nexit 9\n", encoding="utf-8")
    Path("fails.sh").chmod(0o755)
    ended = desk.types("crawl missing.yaml --log run.log --notify ./fails.sh")
    assert (ended.code, "no mail here" in ended.err) == (2, True)
    assert "no mail here" in Path("run.log").read_text(encoding="utf-8")
    if Path("/dev/full").exists():
        ended = desk.types("crawl missing.yaml --log /dev/full")
        assert (ended.code, ended.err.count("cannot be written any more")) == (2, 1)
