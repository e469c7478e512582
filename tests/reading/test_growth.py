"""Reading a page takes time in proportion to its size, whatever a stranger wrote into it and wherever that stands."""

from __future__ import annotations

import pytest
from growth import Growth, growth_of
from hostile_strings import HERE, PLACES, PLACES_OF_LISTS, STRINGS
from seams import archive_of

from webarticlecurator import extract

LARGEST = 1_000_000
"""Bytes of a page with twice the length."""
LARGEST_BY_DAY = 60_000
MOST_TIMES = 2.5
NESTED = frozenset({"<h2>", "<b>", "<p>x", "<div class=a>", "<i>x</i>", "<blockquote>", "<li>"})
"""Tags that stand within one another: a page is refused where they are more than 2,048 deep."""
BY_DAY = tuple(list(STRINGS)[::17])


def full_of(page: str, piece: str, times: int) -> str:
    return page.replace(HERE, piece * times)


def growth_in(page: str, piece: str, largest: int, *, is_list: bool) -> Growth:
    def read(times: int) -> None:
        written = full_of(page, piece, times)
        if is_list:
            archive_of(written, link="ul a", next="a[rel=next]")
        else:
            extract(written, "https://pelda.example/a")

    return growth_of(read, max(8, largest // (2 * page.count(HERE) * len(piece.encode()))))


PAGES = [*((place, page, False) for place, page in PLACES.items()), *((place, page, True) for place, page in PLACES_OF_LISTS.items())]


EVERY_PLACE = pytest.mark.parametrize(("page", "is_list"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES])


def grows_too_fast(grows: dict[str, Growth]) -> dict[str, Growth]:
    return {name: growth for name, growth in grows.items() if growth.times > MOST_TIMES}


@EVERY_PLACE
def test_twice_as_much_in_a_place_takes_twice_as_long(page: str, is_list: bool) -> None:
    assert grows_too_fast({name: growth_in(page, STRINGS[name], LARGEST_BY_DAY, is_list=is_list) for name in BY_DAY}) == {}


@pytest.mark.nightly
@EVERY_PLACE
def test_twice_as_much_of_anything_takes_twice_as_long(page: str, is_list: bool) -> None:
    largest = {name: LARGEST // 100 if name in NESTED else LARGEST for name in STRINGS}
    assert grows_too_fast({name: growth_in(page, STRINGS[name], largest[name], is_list=is_list) for name in STRINGS}) == {}
