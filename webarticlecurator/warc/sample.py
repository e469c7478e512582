"""A small WARC out of large ones: chosen exchanges, copied byte for byte, with the records that say where they come from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import heappush, heappushpop
from pathlib import Path
from typing import BinaryIO

from webarticlecurator.errors import UsageError
from webarticlecurator.http.message import header, parse_response
from webarticlecurator.storage.places import open_file
from webarticlecurator.urls import join, normalise, split
from webarticlecurator.warc.exchanges import read_groups
from webarticlecurator.warc.members import GZIP_MAGIC, pack
from webarticlecurator.warc.records import Damage, OnDamage, Record
from webarticlecurator.warc.store import OPEN, seal
from webarticlecurator.warc.stored import Group
from webarticlecurator.warc.warcinfo import PORTAL_FILE

_YEAR = re.compile(r"(?<!\d)(19[89]\d|20\d\d)(?!\d)")
_PIECE = 1 << 20


@dataclass(slots=True, kw_only=True)
class SampleRequest:
    """Which exchanges are asked for."""

    urls: frozenset[str] | None = None
    """Only these (and where they redirect to); None: all."""
    negative: bool = False
    """All but these."""
    per_year: int | None = None
    """So many pages of each year, chosen by chance: the same ones for the same seed."""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleReport:
    """What was copied."""

    exchanges: int
    missing: tuple[str, ...]
    """Wanted URLs that no file has."""
    years: dict[int, int]
    """Exchanges of each year; only when chosen by year."""


_Place = tuple[Path, int, int]
"""File, offset and skip of a record."""


def sample(paths: Iterable[Path], out: Path, wanted: SampleRequest, *, on_damage: OnDamage) -> SampleReport:
    """Copy what is wanted into a new file; no file when nothing was found."""
    files = tuple(paths)
    if out.exists():
        raise UsageError(f"{out} is there already. Name another file, or remove it first.")
    chooser = _Chooser(wanted)
    years: dict[_Place, int] = {}
    if wanted.per_year is None:
        copied = _copy(files, out, lambda _, group: chooser.wants(group), on_damage)
    else:
        years = chooser.by_year((path, group) for path in files for group in read_groups(path, on_damage=on_damage))
        copied = _copy(files, out, lambda path, group: _place(path, group) in years, _ignore)
    return SampleReport(exchanges=copied, missing=chooser.missing(), years=dict(sorted(Counter(years.values()).items())))


def _copy(files: Sequence[Path], out: Path, wanted: Callable[[Path, Group], bool], on_damage: OnDamage) -> int:
    """Copy the wanted exchanges; how many there were."""
    part = out.with_name(out.name + OPEN)
    exchanges = 0
    try:
        with part.open("wb") as target:
            for path in files:
                copy = _Copy(path, target)
                for group in read_groups(path, on_damage=on_damage):
                    if not copy.is_preamble(group) and wanted(path, group):
                        copy.write(group)
                        exchanges += 1
        if exchanges:
            seal(part)
    finally:
        part.unlink(missing_ok=True)
    return exchanges


def _ignore(_: Damage) -> None:
    """The first pass over the file has told of the same damage."""


class _Chooser:
    """Decides exchange by exchange."""

    def __init__(self, wanted: SampleRequest) -> None:
        self._wanted = wanted
        self._urls = {normalise(url): url for url in wanted.urls or ()}
        self._seen: set[str] = set()

    def wants(self, group: Group) -> bool:
        url = normalise(group.main.url)
        if self._wanted.urls is None:
            return True
        listed = url in self._urls
        if self._wanted.negative:
            return not listed
        if listed:
            self._seen.add(url)
            self._follow(group)
        return listed

    def _follow(self, group: Group) -> None:
        """Where a wanted URL redirects to is wanted as well: it comes later in the file."""
        http = parse_response(group.response.block) if group.response else None
        target = header(http.headers, "location") if http and http.status // 100 == 3 else None
        goal = normalise(join(group.main.url, target) or "") if target else ""
        if goal:
            self._seen.add(goal)
            self._urls.setdefault(goal, goal)

    def missing(self) -> tuple[str, ...]:
        return () if self._wanted.negative else tuple(sorted(url for key, url in self._urls.items() if key not in self._seen))

    def by_year(self, all_groups: Iterable[tuple[Path, Group]]) -> dict[_Place, int]:
        """Where the chosen pages of each year are. A page's chance hangs on its URL and the seed, not on the order of the files."""
        most = self._wanted.per_year or 0
        heaps: dict[int, list[tuple[int, _Place]]] = {}
        for path, group in all_groups:
            if not self.wants(group) or not _is_page(group):
                continue
            year = _year_of(group)
            if year is None:
                continue
            chance = -int.from_bytes(sha256(f"{self._wanted.seed} {normalise(group.main.url)}".encode()).digest()[:8], "big")
            heap = heaps.setdefault(year, [])
            entry = (chance, _place(path, group))
            if any(chance == taken for taken, _ in heap):  # another capture of a chosen page
                continue
            if len(heap) < most:
                heappush(heap, entry)
            elif most and chance > heap[0][0]:
                heappushpop(heap, entry)
        return {place: year for year, heap in heaps.items() for _, place in heap}


@dataclass(slots=True)
class _Copy:
    """Copies from one file."""

    source: Path
    target: BinaryIO
    waiting: list[Record] = field(default_factory=list)
    """warcinfo and portal files, copied when the first exchange after them is."""

    def is_preamble(self, group: Group) -> bool:
        record = group.main
        if record.type == "warcinfo":
            self.waiting = [record]
        elif record.type == "resource" and record.url.startswith(PORTAL_FILE):
            self.waiting.append(record)
        else:
            return False
        return True

    def write(self, group: Group) -> None:
        with open_file(self.source) as file:
            compressed = file.read(2) == GZIP_MAGIC[:2]
            for record in (*self.waiting, *group.records):
                self._record(file, record, compressed)
        self.waiting.clear()

    def _record(self, file: BinaryIO, record: Record, compressed: bool) -> None:
        if compressed and record.end > record.offset and not record.is_arc:
            file.seek(record.offset)
            left = record.end - record.offset
            while left:
                piece = file.read(min(left, _PIECE))
                self.target.write(piece)
                left -= len(piece)
        elif record.size == len(record.block):
            self.target.write(pack(b"".join((record.head, record.block, b"\r\n\r\n"))))
        else:
            raise UsageError(f"{self.source}: byte {record.offset}: this record is too large to be packed anew. Leave its URL out.")


def _place(path: Path, group: Group) -> _Place:
    return path, group.main.offset, group.main.skip


def _is_page(group: Group) -> bool:
    status = parse_response(group.response.block) if group.response and group.response.type == "response" else None
    path = split(group.main.url).path
    return status is not None and status.status // 100 == 2 and path not in ("/robots.txt", "/.well-known/tdmrep.json")


def _year_of(group: Group) -> int | None:
    """The year in the URL, where portals write the day of an article, else that of the capture."""
    found = _YEAR.search(split(group.main.url).path)
    if found:
        return int(found[1])
    return group.main.date.year if group.main.date else None
