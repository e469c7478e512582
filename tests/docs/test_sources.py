"""What sources keep to: what tests may know of the package, which Pythons are supported."""

from __future__ import annotations

import ast
import configparser
import shutil
import subprocess
from pathlib import Path

import pytest
from scripts import program

import webarticlecurator

WAITING = "support/waiting.txt"
"""What waits for its part to be rebuilt: the part and the file, a line each."""


def imported(path: Path) -> set[str]:
    """Modules and names of the package, by their whole names."""
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    names = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    sources = (node for node in nodes if isinstance(node, ast.ImportFrom) and node.module)
    names |= {node.module if "." in node.module else f"{node.module}.{name.name}" for node in sources for name in node.names if node.module}
    return {name for name in names if name.partition(".")[0] == "webarticlecurator"}


def test_only_the_files_that_wait_reach_into_the_package(repo_root: Path) -> None:
    tests = repo_root / "tests"
    public = {"webarticlecurator", "webarticlecurator.example_portal", *(f"webarticlecurator.{name}" for name in webarticlecurator.__all__)}
    files = {path.relative_to(repo_root).as_posix(): path for path in tests.rglob("*.py")}
    reaching = {name for name, path in files.items() if imported(path) - public} - {"tests/support/seams.py"}
    assert reaching == {line.split()[1] for line in (tests / WAITING).read_text(encoding="utf-8").splitlines()}


# --- supported Pythons ---


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here (Debian and Ubuntu: apt install make)")
@pytest.mark.parametrize("says", ["exit 1", "exit 127"], ids=["too old", "does not start"])
def test_make_refuses_another_python_in_a_sentence(repo_root: Path, tmp_path: Path, says: str) -> None:
    python, venv = program(tmp_path / "python3", f"#!/bin/sh\n{says}\n"), tmp_path / "venv"
    command = ["make", f"PYTHON={python}", f"VENV={venv}", str(venv / "bin" / "python")]
    ended = subprocess.run(command, cwd=repo_root, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert f"{python} is no Python 3.11 or newer" in ended.stdout
    assert not venv.exists()


def test_the_pythons_that_are_named_begin_with_the_one_that_is_required(repo_root: Path) -> None:
    setup = configparser.ConfigParser()
    setup.read(repo_root / "setup.cfg", encoding="utf-8")
    named = [line.rpartition(" ")[2] for line in setup["metadata"]["classifiers"].splitlines() if ":: 3." in line]
    assert setup["options"]["python_requires"] == f">={named[0]}"
    assert f"Python {named[0]} or newer" in (repo_root / "README.md").read_text(encoding="utf-8")
