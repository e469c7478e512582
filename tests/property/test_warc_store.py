"""A crash at any byte loses nothing that was finished, and damage anywhere is found."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import pytest
from fastwarc.warc import ArchiveIterator
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.warc.file_check import Checker
from webarticlecurator.warc.store import OPEN, Series, WarcStore, repair
from webarticlecurator.warc.stored import StoredExchange, read_exchanges
from webarticlecurator.warc.writer import StoreEntry, WarcInfo

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
INFO = WarcInfo(Portal(name="pelda", title="pelda", home="https://pelda.example/"))


@pytest.fixture(autouse=True, scope="module")
def no_sync() -> Iterator[None]:
    """The tests cut files themselves; they need no disk to be waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _: None)
        yield


def entry(number: int, body: bytes = b"<p>Szia</p>") -> StoreEntry:
    url = f"https://pelda.example/{number}"
    wire = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    exchange = Exchange(
        request=Request(url=url),
        request_bytes=b"GET /%d HTTP/1.1\r\nHost: pelda.example\r\n\r\n" % number,
        response_bytes=wire, status=200, entity=body, started=NOW, duration_ms=1,
    )  # fmt: skip
    return StoreEntry(event={"number": number}, target=url, exchange=exchange if number % 3 != 2 else None)


def write(folder: Path, appends: list[list[StoreEntry]]) -> tuple[Path, list[StoredExchange]]:
    """A file as a killed program leaves it: never closed."""
    numbers = count(1)
    store = WarcStore(folder, INFO, now=lambda: NOW, new_id=lambda: UUID(int=next(numbers)).urn)
    stored = [one for entries in appends for one in store.append(Series.ARTICLES, entries)]
    return next(folder.iterdir()), stored


def end(stored: StoredExchange) -> int:
    return stored.location.offset + stored.location.length


def problems(path: Path) -> list[str]:
    checker = Checker()
    try:
        return [str(finding) for finding in checker.check([path])]
    finally:
        checker.close()


@pytest.mark.parametrize("ledger_knows", ["all before", "nothing"])
def test_after_a_crash_at_any_byte_of_an_append_exactly_the_whole_exchanges_are_there(tmp_path, ledger_knows):
    path, stored = write(tmp_path / "warc", [[entry(0)], [entry(1), entry(2), entry(3)]])
    whole = path.read_bytes()
    committed = end(stored[0]) if ledger_knows == "all before" else 0
    for length in range(end(stored[0]), len(whole) + 1):
        torn = tmp_path / f"{length}" / path.name
        torn.parent.mkdir()
        torn.write_bytes(whole[:length])
        expected = [one for one in stored if end(one) <= length]
        assert repair(torn, committed) == length - end(expected[-1])
        sealed = torn.with_name(torn.name.removesuffix(OPEN))
        assert list(sealed.parent.iterdir()) == [sealed]
        assert list(read_exchanges(sealed)) == expected
        assert sealed.stat().st_size == end(expected[-1])
        if length % 16 == 0:
            assert problems(sealed) == []
            assert all(record.verify_block_digest() for record in ArchiveIterator(io.BytesIO(sealed.read_bytes()), parse_http=False))


def test_a_crash_in_the_first_append_leaves_no_file(tmp_path):
    path, _ = write(tmp_path / "warc", [[entry(0)]])
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert repair(path, 0) == length
        assert list(path.parent.iterdir()) == []


@given(st.data())
def test_a_flipped_byte_is_found_and_costs_no_other_exchange(data):
    with TemporaryDirectory() as folder:
        path, stored = write(Path(folder) / "warc", [[entry(3)], [entry(4)], [entry(6)]])
        content = bytearray(path.read_bytes())
        at = data.draw(st.integers(stored[1].location.offset, end(stored[1]) - 1))
        content[at] ^= data.draw(st.integers(1, 255))
        path.write_bytes(bytes(content))
        found = list(read_exchanges(path, on_damage=lambda _: None))
        assert stored[0] in found
        assert stored[2] in found
        if stored[1] not in found:
            assert problems(path)
