from __future__ import annotations

import pytest
from moved_clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()
