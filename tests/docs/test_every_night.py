"""The recipes of docs/how-to/keep-collecting.md do what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from crawling import crawling
from scripts import program


@pytest.fixture(scope="module")
def blocks(repo_root: Path) -> dict[str, list[str]]:
    """What stands in the page, by language: the recipes as a reader copies them."""
    page = (repo_root / "docs" / "how-to" / "keep-collecting.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for language, text in re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL):
        found.setdefault(language, []).append(text)
    return found


@pytest.fixture
def machine(tmp_path: Path, blocks: dict[str, list[str]]) -> dict[str, str]:
    """An environment with `curator` and a `mail` that keeps what it is given, and `night.sh` beside the portal files."""
    programs = tmp_path / "bin"
    program(programs / "curator", f'#!/bin/sh\nexec "{sys.executable}" -m webarticlecurator "$@"\n')
    program(programs / "mail", f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{tmp_path}/mail"\ncat >> "{tmp_path}/mail"\n')
    program(tmp_path / "night.sh", blocks["sh"][0])
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "CURATOR_CONTACT": "you@example.org"}


def the_line_of_cron(blocks: dict[str, list[str]], folder: Path) -> str:
    (line,) = (line for line in blocks["crontab"][0].splitlines() if re.match(r"[\d*]", line))
    *when, command = line.split(maxsplit=5)
    assert len(when) == 5
    assert "%" not in command  # which cron takes for a line end
    return command.replace("/srv/corpora", str(folder))


@pytest.mark.nightly
def test_the_line_of_cron_extends_the_corpus_and_keeps_the_log(
    blocks: dict[str, list[str]], machine: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "portal").mkdir()
    with crawling(tmp_path / "portal", articles=60) as portal:
        shutil.copy(portal.file, tmp_path / "pelda.yaml")
        done = subprocess.run(["sh", "-c", the_line_of_cron(blocks, tmp_path)], env=machine, capture_output=True, text=True, check=False)
    log = (tmp_path / "night.log").read_text(encoding="utf-8")
    assert done.stdout == ""
    assert re.findall(r"curator (\w+) pelda.yaml ended with (\d)", log) == [("crawl", "0"), ("build", "0")]
    assert "documents written" in log
    assert not (tmp_path / "mail").exists()


def test_somebody_is_told_when_the_night_went_wrong(blocks: dict[str, list[str]], machine: dict[str, str], tmp_path: Path) -> None:
    subprocess.run(["sh", "-c", the_line_of_cron(blocks, tmp_path)], env=machine, capture_output=True, check=False)
    mail = (tmp_path / "mail").read_text(encoding="utf-8")
    assert mail.startswith("-s\ncurator crawl pelda.yaml ended with 2\nyou@example.org\n")
    assert "there is no portal file pelda.yaml" in mail
    assert "ended with 2" in (tmp_path / "night.log").read_text(encoding="utf-8")
