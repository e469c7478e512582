"""Cases that lie in files: tables with a JSON list a line, behind its name where it has one, lines with # being comments; and YAML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).resolve().parents[1]


def cases(names: str, file: str) -> pytest.MarkDecorator:
    """Run a test for each case of `tests/FILE.cases`; `names` are those of its parameters."""
    lines = (FOLDER / f"{file}.cases").read_text(encoding="utf-8").splitlines()
    return pytest.mark.parametrize(names, [_case(line) for line in lines if not line.startswith("#")])


def read_yaml(file: Path) -> Any:
    """What a file of cases says; read by libyaml where that is there, since every worker reads all of them."""
    return yaml.load(file.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _case(line: str) -> object:
    if line[0] in '["':
        return json.loads(line)
    name, _, values = line.partition(": [")
    return pytest.param(*json.loads(f"[{values}"), id=name)
