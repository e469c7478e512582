"""Folders of every kind, for one suite of tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import ObjectStore, object_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ObjectStore]:
    with object_store(tmp_path / "cache") as running:
        yield running
