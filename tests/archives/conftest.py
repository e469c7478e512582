"""A server that says any bytes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loopback import Loopback


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()
