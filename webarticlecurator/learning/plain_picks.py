"""Picks as plain data, made what a portal file makes of them: what is proposed is tried by the same code that will run it."""

from __future__ import annotations

import json
from pathlib import Path

from webarticlecurator.config.picks import Picks, read_picks
from webarticlecurator.config.scalars import NodeCompiler
from webarticlecurator.config.yaml_reading import read_document
from webarticlecurator.model.proposals import Plain

_NO_FILE = Path("proposal")


def picks_of(value: Plain, source: str, *, in_json: bool = False) -> Picks | None:
    """The picks that this value would be in a portal file; None where there is none, or its loader would refuse them."""
    if value is None:
        return None
    try:
        content = json.dumps(value, ensure_ascii=False).encode("utf-8")  # JSON is YAML
    except UnicodeEncodeError:  # half a character, as only broken pages have it
        return None
    node, mistakes = read_document(content, _NO_FILE)
    compiler = NodeCompiler(in_json=in_json)
    picks = read_picks(compiler, node, source)
    return picks if not mistakes and not compiler.mistakes else None
