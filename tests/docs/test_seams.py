"""Tests know of the package what it publishes, so that they outlive its insides; `tests/support/seams.py` alone reaches into it."""

from __future__ import annotations

import ast
from pathlib import Path

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
