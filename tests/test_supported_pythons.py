"""One line of setup.cfg says which Pythons are supported: pip, make and CI go by it, and none refuses without a word."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from pathlib import Path

import pytest

NO_PYENV = "exit 127"


def program(file: Path, says: str) -> Path:
    """A program that does no more than this line of shell."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{says}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def pythons(repo_root: Path, *folders: Path, **environment: str) -> list[str]:
    """What CI finds with these folders first on PATH."""
    path = os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])
    ended = subprocess.run([repo_root / ".ci" / "pythons"], env={"PATH": path, **environment}, capture_output=True, text=True, check=True)
    return ended.stdout.splitlines()


def test_ci_takes_each_python_that_starts_and_is_supported_the_oldest_first(repo_root: Path, tmp_path: Path) -> None:
    here, there, pyenv = tmp_path / "here", tmp_path / "there", tmp_path / "pyenv"
    program(here / "pyenv", NO_PYENV)
    program(here / "python3", "echo 3.13.1")
    program(here / "python3.12", "exit 127")
    program(here / "python3.10", "echo 3.10.0")
    program(here / "python3.99-config", "echo 3.99.0")
    program(there / "python3.13", "echo 3.13.0")
    program(there / "python3.98", "echo 3.98.10")
    program(pyenv / "versions/3.98.9/bin/python3", "echo 3.98.9")
    program(pyenv / "versions/3.11.0/bin/python3.11", "echo 3.11.0")

    found = pythons(repo_root, here, there, PYENV_ROOT=str(pyenv))

    assert found[0] == f"3.11.0 {pyenv}/versions/3.11.0/bin/python3.11"
    assert found[-1] == f"3.98.9 {pyenv}/versions/3.98.9/bin/python3"
    assert f"3.13.0 {there}/python3.13" in found
    assert len({line.split()[0].rpartition(".")[0] for line in found}) == len(found), "of each 3.N one"


def test_pyenv_is_asked_where_its_versions_are(repo_root: Path, tmp_path: Path) -> None:
    program(tmp_path / "pyenv", f'[ "$1" = root ] && echo {tmp_path}/root')
    program(tmp_path / "root/versions/a/bin/python3", "echo 3.97.3")
    assert f"3.97.3 {tmp_path}/root/versions/a/bin/python3" in pythons(repo_root, tmp_path)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here (Debian and Ubuntu: apt install make)")
@pytest.mark.parametrize("says", ["exit 1", "exit 127"], ids=["too old", "does not start"])
def test_make_refuses_another_python_in_a_sentence(repo_root: Path, tmp_path: Path, says: str) -> None:
    python, venv = program(tmp_path / "python3", says), tmp_path / "venv"
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
