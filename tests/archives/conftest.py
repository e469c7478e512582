"""Somebody who crawls a portal on loopback, and a server that says any bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback
from scripted_portal import Crawler, ScriptedPortal


@pytest.fixture
def crawler(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> Crawler:
    return Crawler(curator, tmp_path, site)


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()
