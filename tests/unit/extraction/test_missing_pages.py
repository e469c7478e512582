"""Which page of an article an address is, and where those behind it may lie."""

from __future__ import annotations

from itertools import islice

import pytest

from webarticlecurator.extraction.missing_pages import addresses_behind, page_numbers

HOST = "https://pelda.example"


@pytest.mark.parametrize(
    ("addresses", "numbers"),
    [
        (("/t/7", "/t/7?page=2", "/t/7?page=4"), [1, 2, 4]),
        (("/t/7/page/3", "/t/7/page/4"), [3, 4]),
        (("/t/7?page=0", "/t/7?page=1"), [1, 2]),
        (("/t/7", "/t/7?start=25", "/t/7?start=75"), [1, 2, 4]),
        (("/t/7", "/t/7?page=5", "/t/7?page=10"), [1, 5, 10]),
        (("/t/7", "/t/7?after=Zm9v"), []),
        (("/t/7?page=2&sort=a", "/t/7?page=3&sort=b"), []),
        (("/t/7",), []),
    ],
)
def test_addresses_that_differ_in_a_number_alone_tell_which_page_they_are(addresses: tuple[str, ...], numbers: list[int]) -> None:
    assert list(page_numbers([HOST + address for address in addresses]).values()) == numbers


@pytest.mark.parametrize(
    ("before", "missing", "behind"),
    [
        ("/t/7", "/t/7?page=2", ["/t/7?page=3", "/t/7?page=4"]),
        ("/t/2", "/t/2/2", ["/t/2/3", "/t/2/4"]),
        ("/t/7", "/t/7?start=25", ["/t/7?start=50", "/t/7?start=75"]),
        ("/t/7?page=5", "/t/7?page=6", ["/t/7?page=7", "/t/7?page=8"]),
        ("/t/7?start=50", "/t/7?start=75", ["/t/7?start=100", "/t/7?start=125"]),
        ("/t/7", "/t/7?after=Zm9v", []),
        ("/t/7?page=3", "/t/7?page=2", []),
    ],
)
def test_pages_behind_a_missing_one_are_looked_for_at_the_numbers_that_follow(before: str, missing: str, behind: list[str]) -> None:
    assert list(islice(addresses_behind(HOST + missing, HOST + before), 2)) == [HOST + address for address in behind]
