"""Tables of cases that lie in a file: a JSON list for each, one a line, behind its name where it has one; lines with # are comments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]


def cases(names: str, file: str) -> pytest.MarkDecorator:
    """Run a test for each case of `tests/FILE.cases`; `names` are those of its parameters."""
    lines = (FOLDER / f"{file}.cases").read_text(encoding="utf-8").splitlines()
    return pytest.mark.parametrize(names, [_case(line) for line in lines if not line.startswith("#")])


def _case(line: str) -> object:
    if line[0] in '["':
        return json.loads(line)
    name, _, values = line.partition(": [")
    return pytest.param(*json.loads(f"[{values}"), id=name)
