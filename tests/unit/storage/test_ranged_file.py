"""Files that are read by ranges: nothing wrong, nothing too much."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.storage import ranged_file
from webarticlecurator.storage.ranged_file import Range, RangedFile

CONTENT = random.Random(7).randbytes(300_000)


class Asked:
    """A file, and what was asked of it."""

    def __init__(self, content: bytes = CONTENT, expected: Sequence[Range] = ()) -> None:
        self.content = content
        self.requests: list[Sequence[Range]] = []
        self.file = RangedFile(lambda: len(content), self._fetch, expected)

    def _fetch(self, ranges: Sequence[Range]) -> list[bytes]:
        self.requests.append(list(ranges))
        return [self.content[start:end] for start, end in ranges]

    @property
    def bytes(self) -> int:
        return sum(end - start for ranges in self.requests for start, end in ranges)


def test_a_jump_asks_for_exactly_what_is_wanted() -> None:
    asked = Asked()
    asked.file.seek(1_000)
    assert asked.file.read(500) == CONTENT[1_000:1_500]
    assert asked.requests == [[(1_000, 1_500)]]


def test_reading_on_asks_for_more_at_a_time_and_for_nothing_twice() -> None:
    asked = Asked()
    pieces = []
    while piece := asked.file.read(1_000):
        pieces.append(piece)
    assert b"".join(pieces) == CONTENT
    assert asked.bytes == len(CONTENT)
    assert len(asked.requests) < 15


def test_what_is_expected_is_asked_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged_file, "_NEAR", 100)
    asked = Asked(expected=[(50_000, 51_000), (1_000, 2_000), (2_050, 3_000), (200_000, 210_000)])
    for start, end in ((1_000, 2_000), (2_050, 3_000), (50_000, 51_000), (200_000, 210_000)):
        asked.file.seek(start)
        assert asked.file.read(end - start) == CONTENT[start:end]
    assert asked.requests == [[(1_000, 3_000), (50_000, 51_000), (200_000, 210_000)]]


def test_no_more_is_held_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged_file, "_LARGEST", 1_000)
    monkeypatch.setattr(ranged_file, "_AT_ONCE", 5_000)
    asked = Asked(expected=[(0, 20_000)])
    assert asked.file.read(20_000) == CONTENT[:20_000]
    assert all(sum(end - start for start, end in ranges) <= 5_000 for ranges in asked.requests)
    assert asked.bytes == 20_000


def test_what_lies_outside_what_was_expected_is_read_all_the_same() -> None:
    asked = Asked(expected=[(0, 1_000)])
    assert asked.file.read(1_500) == CONTENT[:1_500]
    assert asked.file.seek(-10, io.SEEK_END) == len(CONTENT) - 10
    assert asked.file.read() == CONTENT[-10:]
    assert asked.file.read() == b""


@given(
    st.lists(st.tuples(st.integers(0, 3_100), st.integers(-1, 700)), max_size=20),
    st.lists(st.tuples(st.integers(0, 3_100), st.integers(0, 900)), max_size=5),
)
def test_it_reads_like_any_file(reads: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    content = CONTENT[:3_000]
    asked, plain = Asked(content, [(start, start + length) for start, length in expected]), io.BytesIO(content)
    for offset, size in reads:
        assert asked.file.seek(offset) == plain.seek(offset)
        assert asked.file.read(size) == plain.read(size)
        assert asked.file.tell() == plain.tell()
