"""A browser for the tests of pages: none where the machine has none."""

from __future__ import annotations

from collections.abc import Iterator

import chromium
import pytest
from chromium import Page

PROGRAM = chromium.find()


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if PROGRAM is None:
        pytest.skip("there is no Chromium here, or no Playwright (Debian and Ubuntu: apt install chromium; the extra `browser`)")
    with chromium.browser(PROGRAM) as running:
        yield running.new_page(tmp_path_factory.mktemp("downloads"))


@pytest.fixture
def watched(tab: Page) -> Iterator[Page]:
    """At the end nothing may have gone wrong in the page, and nothing been asked of a network."""
    tab.troubles.clear()
    tab.requests.clear()
    yield tab
    assert tab.troubles == []
    assert [address for address in tab.requests if not address.startswith(("file:", "blob:", "data:"))] == []
