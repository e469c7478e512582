"""What `--help` shows of every command."""

from __future__ import annotations

import re
from typing import Any

import pytest

from webarticlecurator.cli.app import COMMANDS

_OF_GROUPS = [
    *(("warc", name) for name in ("index", "verify", "import", "cat", "push")),
    *(("label", name) for name in ("train", "apply", "eval")),
    ("tags", "apply"),
]


@pytest.mark.parametrize("command", [*((name,) for name in COMMANDS), *_OF_GROUPS], ids=" ".join)
def test_what_may_be_repeated_has_dots_once_and_every_option_says_what_it_takes(command: tuple[str, ...], curator: Any) -> None:
    told = curator(*command, "--help").out
    usage = told.partition("\n\n")[0]
    assert not re.search(r"\.\.\.[^{}]*\}\.\.\.", usage), usage
    assert not re.search(r"^ +-.*<str>", told, re.MULTILINE), told


def test_who_asks_is_told_alike_by_all_commands(curator: Any) -> None:
    assert "--contact WHO" in curator("audit", "--help").out
    assert "{PORTAL}..." in curator("status", "--help").out
