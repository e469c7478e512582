"""Real pages, which belong to their portals and so do not come with the project: tests of them skip where they do not lie beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
DATA = SHARED / "data"


def missing(place: Path) -> str:
    """What a test says that is skipped for want of what lies there."""
    return f"{place} is not there: real pages belong to their portals, and do not come with the project; ask its authors for them"


def needs(place: Path) -> pytest.MarkDecorator:
    """For tests of what lies there."""
    return pytest.mark.skipif(not place.exists(), reason=missing(place))
