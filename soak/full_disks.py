"""The disk is full: at any write of a WARC file, and on a small disk of its own for all else; with more room the next run goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from crawling import Crawling, crawling

from soak import commands
from soak.cases import Case, Limits, Outcome
from soak.facts import compared, compared_files, facts_of
from soak.kills import built_files, stored, stored_and_built
from webarticlecurator import CorpusError

KIND = "full disks"
_STEP, _STEP_SHORT = 61, 4001
"""Bytes more of room from one crawl to the next."""
_PAGE = 4096
"""What a disk in memory gives at a time."""


class _Room:
    """What is left of a disk."""

    left = 0
    is_full = False
    """Something did not fit."""


class _ShortFile(FileIO):
    """A file on a disk that takes what fits, and then nothing."""

    def write(self, data: Any) -> int:
        view = memoryview(data)[: _Room.left]
        if not view:
            _Room.is_full = True
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        _Room.left -= len(view)
        return super().write(view)


def warc_writes(folder: Path, limits: Limits) -> Outcome:
    """The room ends at every few bytes of all that a crawl stores."""
    found = Outcome()
    with crawling(folder, articles=60, page_size=3, columns=("english",)) as site:
        site.crawl()
        whole, size = facts_of(site.corpus), sum(path.stat().st_size for path in site.warcs)
        rooms = range(0, size, _STEP if limits.times > 1 else _STEP_SHORT)
        for number, room in zip(limits.numbers(), rooms, strict=False):
            there = _new(folder, site, number)
            _Room.left, _Room.is_full = room, False
            try:
                with patch("webarticlecurator.warc.store.FileIO", _ShortFile):
                    there.crawl()
                said = ""
            except CorpusError as error:
                said = str(error)
            found.times += _Room.is_full  # the last one may have room enough: dates are not always packed alike
            if _Room.is_full and (os.strerror(ENOSPC) not in said or str(there.corpus) not in said):
                found.broken.append(f"{room} bytes: it said: {said}")
            there.crawl()
            found.add(compared(facts_of(there.corpus), whole))
            shutil.rmtree(there.folder)
    return found


def _new(folder: Path, site: Crawling, number: int) -> Crawling:
    there = folder / f"{number}"
    there.mkdir()
    return Crawling(site.portal, there, columns=site.columns)


@contextmanager
def _small_disk(place: Path, size: int) -> Iterator[Callable[[], None]]:
    """A disk in memory of so many bytes; what is given makes it large."""
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "curator-soak", str(place)], check=True, capture_output=True)
    try:
        yield lambda: _run_mount("-o", "remount,size=1g", str(place))
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True, capture_output=True)


def _run_mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)


def may_mount() -> bool:
    """Whether this person may make disks."""
    with TemporaryDirectory() as folder, suppress(OSError, subprocess.CalledProcessError), _small_disk(Path(folder), _PAGE):
        return True
    return False


def small_disk_crawl(folder: Path, limits: Limits) -> Outcome:
    """Page by page more room, from none to enough."""
    found = Outcome()
    with crawling(folder, articles=60, page_size=3, columns=("english",)) as site:
        site.crawl()
        whole = facts_of(site.corpus)
        for number in limits.numbers():
            there = _new(folder, site, number)
            with _small_disk(there.corpus, _PAGE * (1 + number * (1 if limits.times > 1 else 9))) as enlarge:
                code = _ends(there.folder, found, *there.command("--quiet")[3:])
                found.times += 1
                enlarge()
                again = _ends(there.folder, found, *there.command("--quiet")[3:])
                found.broken += [f"exit code {again} with enough room"] if again else []
                found.add(compared(facts_of(there.corpus), whole))
            shutil.rmtree(there.folder)
            if code == 0:  # there was room enough
                break
    return found


def _ends(folder: Path, found: Outcome, *words: object) -> int:
    running = commands.start(folder, *words)
    code = running.end()
    found.broken += running.bad_signs
    return code


def small_disk_build(folder: Path, limits: Limits) -> Outcome:
    return _on_small_disk(folder, limits, lambda file, corpus: ["build", file, "--corpus", corpus, "--jobs", 1], "corpus", built=False)


def small_disk_export(folder: Path, limits: Limits) -> Outcome:
    def words(file: Path, corpus: Path) -> list[object]:
        return ["export", file, "--corpus", corpus, "--to", "jsonl", "-o", f"{corpus.parent}/out/a.jsonl"]

    return _on_small_disk(folder, limits, words, "out", built=True)


def _on_small_disk(folder: Path, limits: Limits, words: Callable[[Path, Path], list[object]], full: str, *, built: bool) -> Outcome:
    """A command whose folder `full` lies on a disk with a little room beyond what is there."""
    found = Outcome()
    file, original = stored_and_built() if built else stored()
    undisturbed = folder / "whole"
    shutil.copytree(original, undisturbed / "corpus")
    (undisturbed / "out").mkdir()
    _ends(undisturbed, found, *words(file, undisturbed / "corpus"))
    whole = _result(undisturbed, built)
    needed = sum(-(-path.stat().st_size // _PAGE) * _PAGE for path in original.rglob("*") if path.is_file()) if full == "corpus" else 0
    for number in limits.numbers():
        there = folder / f"{number}"
        room = _PAGE * (4 + number * (2 if limits.times > 1 else 12))
        with _small_disk(there / full, needed + room + 16 * _PAGE) as enlarge:
            shutil.copytree(original, there / "corpus", dirs_exist_ok=True)
            code = _ends(there, found, *words(file, there / "corpus"))
            found.times += 1
            enlarge()
            _ends(there, found, *words(file, there / "corpus"))
            found.add(compared_files(_result(there, built), whole))
        shutil.rmtree(there, ignore_errors=True)
        if code == 0:
            break
    return found


def _result(there: Path, exported: bool) -> dict[str, str]:
    return {"a.jsonl": (there / "out" / "a.jsonl").read_text("utf-8")} if exported else built_files(there)


CASES = [
    Case(
        kind=KIND, name="every write of a WARC file", run=warc_writes, times=100_000, short=1,
        done="the disk takes only a part of what is stored, of archive pages and of articles, at every few bytes",
        happens="the crawl ends with a sentence that names the file (exit code 2), and what was stored before is whole; the next goes on",
    ),
    Case(
        kind=KIND, needs_mount=True, name="a crawl on a small disk", run=small_disk_crawl, times=400, short=2,
        done="WARC files, ledger, lock and problem list lie on a disk of 4 KB, 8 KB, and so on",
        happens="the same",
    ),
    Case(
        kind=KIND, needs_mount=True, name="a build on a small disk", run=small_disk_build, times=200, short=1,
        done="documents and build database find the disk full after a few pages of 4 KB, a few more, and so on",
        happens="the build ends with a sentence (exit code 2); the next one makes what is missing",
    ),
    Case(
        kind=KIND, needs_mount=True, name="an export on a small disk", run=small_disk_export, times=100, short=1,
        done="the disk of the output is full after a few pages of 4 KB, a few more, and so on",
        happens="the export ends with a sentence (exit code 2), and no output is there; the next one writes it",
    ),
]  # fmt: skip
