"""What the tests of whole crawls share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scripted_portal import ScriptedPortal, scripted_portal


@pytest.fixture
def site() -> Iterator[ScriptedPortal]:
    """A portal on loopback that answers as the test says."""
    with scripted_portal() as portal:
        yield portal
