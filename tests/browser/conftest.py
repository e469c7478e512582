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
