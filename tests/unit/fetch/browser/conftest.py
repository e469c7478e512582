"""A portal that needs a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser_portal import BrowserPortal

from webarticlecurator.fetch.browser.limits import BrowserLimits


@pytest.fixture(scope="module")
def portal() -> Iterator[BrowserPortal]:
    """One browser for the tests of a module."""
    made = BrowserPortal(BrowserLimits(patience=4.0, silence=5.0, quiet=0.2))
    yield made
    made.close()
