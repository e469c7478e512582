"""What a shell offers while somebody types: each shell asks in variables, and reads lines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def offered(shell: str, typed: str, folder: Path) -> str:
    words = typed.split(" ")
    asked = {
        "bash": {"COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": typed},
        "fish": {"_TYPER_COMPLETE_ARGS": typed, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }
    environment = {**os.environ, **asked[shell], "_CURATOR_COMPLETE": f"complete_{shell}"}
    command = [sys.executable, "-m", "webarticlecurator"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_offered_commands(shell: str, tmp_path: Path) -> None:
    assert "crawl" in offered(shell, "curator cr", tmp_path)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("curator export --s", ["--section", "--sample", "--seed"]),
        ("curator warc ch", ["check"]),
        ("curator export --to c", ["cwb", "conllu", "csv", "cdxj"]),
        ("curator status p", ["p444", "pelda.yaml", "portals/"]),
        ("curator status portals/", ["portals/two.yaml"]),
    ],
)
def test_options_formats_and_portals_are_offered_as_far_as_they_fit(typed: str, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "portals").mkdir()
    for name in ("pelda.yaml", "pelda.txt", "portals/two.yaml"):
        (tmp_path / name).touch()
    assert offered("bash", typed, tmp_path).split() == expected
