"""A browser for the tests of pages: none where the machine has none."""

from __future__ import annotations

from collections.abc import Iterator

import chromium
import pytest
from chromium import Page

PROGRAM = chromium.find()


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    pytest.importorskip("playwright", reason="what drives a browser is not installed: the extra `browser`")
    if PROGRAM is None:
        pytest.skip("there is no Chromium here (Debian and Ubuntu: apt install chromium)")
    with chromium.browser(PROGRAM) as running:
        yield running.new_page(tmp_path_factory.mktemp("downloads"))
