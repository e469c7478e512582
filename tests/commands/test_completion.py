"""What a shell offers while somebody types: each shell asks in variables, and reads lines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("shell", "typed", "expected"),
    [
        ("bash", "curator cr", "crawl"),
        ("zsh", "curator cr", "crawl"),
        ("fish", "curator cr", "crawl"),
        ("bash", "curator export --s", "--section --sample --seed"),
        ("bash", "curator warc ch", "check"),
        ("bash", "curator export --to c", "cwb conllu csv cdxj"),
        ("bash", "curator status p", "p444 pelda.yaml portals/"),
        ("bash", "curator status portals/", "portals/two.yaml"),
    ],
)
def test_commands_options_formats_and_portals_are_offered_as_far_as_they_fit(shell: str, typed: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "portals").mkdir()
    for name in ("pelda.yaml", "pelda.txt", "portals/two.yaml"):
        (tmp_path / name).touch()
    words = typed.split(" ")
    asked = {"COMP_WORDS": typed, "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1)}
    environment = {**os.environ, **asked, "_CURATOR_COMPLETE": f"{shell}_complete"}
    command = [sys.executable, "-m", "webarticlecurator"]
    offered = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False).stdout
    assert re.findall(r"^(?:plain[,\n])?(\S+)", offered, re.MULTILINE)[: len(expected.split())] == expected.split()
