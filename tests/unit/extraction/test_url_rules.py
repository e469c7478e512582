"""Which addresses look like those of one kind of page?"""

from __future__ import annotations

import pytest

from webarticlecurator.extraction.url_rules import url_shape


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("/2021/06/a-bridge/", "/1999/12/some-other-title/", True),
        ("/belfold/cikk/12/hid-epul", "/sport/cikk/7/komp_1", True),
        ("/a-bridge.html", "/another-bridge.html", True),
        ("/cikk.php?id=12&lang=hu", "/cikk.php?lang=en&id=7", True),
        ("/cikk.php?id=12", "/rovat.php?id=12", False),
        ("/cikk.php?id=12", "/cikk.php?rovat=12", False),
        ("/cikk.php?id=12", "/cikk.php?id=a-bridge", False),
        ("/2021/06/a-bridge/", "/2021/06/", False),
        ("/2021/06/a-bridge/", "/2021/06/a-bridge/2/", False),
        ("/a-bridge/", "/sport/", False),
        ("/a-bridge.html", "/a-bridge", False),
    ],
)
def test_addresses_of_one_kind_of_page_have_one_shape(one: str, other: str, same: bool) -> None:
    assert (url_shape(f"https://pelda.example{one}", sections=False) == url_shape(f"http://pelda.example{other}", sections=False)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("/2021/06/a-bridge/", "/1999/12/bridge/", True),
        ("/belfold/a-bridge", "/belfold/school", True),
        ("/belfold/a-bridge", "/kulfold/a-school", False),
        ("/a-bridge", "/contact", False),
        ("/cikk/12", "/cikk/7", True),
    ],
)
def test_where_sections_matter_their_words_do_too(one: str, other: str, same: bool) -> None:
    assert (url_shape(f"https://pelda.example{one}", sections=True) == url_shape(f"https://pelda.example{other}", sections=True)) is same
