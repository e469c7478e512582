"""Somebody who crawls a portal on loopback, and a server that says any bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from scripted_portal import Crawler, ScriptedPortal


@pytest.fixture
def crawler(request: pytest.FixtureRequest, curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> Crawler:
    """By the RULES of the module, unless the test says others."""
    return Crawler(curator, tmp_path, site, getattr(request.module, "RULES", ""))


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()
