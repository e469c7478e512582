"""Extras, and the tests that need them: with `[dev]` all run, without an extra they are skipped by name."""

from __future__ import annotations

import configparser
from pathlib import Path

import extras
import pytest


@pytest.mark.parametrize("extra", extras.MODULES)
def test_whoever_develops_has_each_extra_that_tests_need(repo_root: Path, extra: str) -> None:
    setup = configparser.ConfigParser()
    setup.read(repo_root / "setup.cfg", encoding="utf-8")
    named = {name: set(lines.split()) for name, lines in setup["options.extras_require"].items()}

    assert named[extra] <= named["dev"]


def test_tests_of_an_extra_that_is_absent_say_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.MODULES, "cluster", ("dask", "no_such_module"))
    extras.missing.cache_clear()
    try:
        assert extras.missing("cluster") == "cluster: without no_such_module (pip install 'webarticlecurator[dev]')"
    finally:
        extras.missing.cache_clear()
