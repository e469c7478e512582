"""Tables of cases that lie in a file: a JSON list for each case, one a line; a line that begins with # is a comment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]


def cases(names: str, file: str) -> pytest.MarkDecorator:
    """Run a test for each case of `tests/FILE.cases`; `names` are those of its parameters."""
    lines = (FOLDER / f"{file}.cases").read_text(encoding="utf-8").splitlines()
    return pytest.mark.parametrize(names, [json.loads(line) for line in lines if not line.startswith("#")])
