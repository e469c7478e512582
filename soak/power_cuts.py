"""The power fails: what was not synced is torn at every byte, or is zeros, or is gone; then the command runs again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from crawling import Crawling, crawling
from seams import OPEN

from soak import commands
from soak.cases import Case, Limits, Outcome
from soak.facts import Facts, compared, compared_files, facts_of
from soak.kills import built_files, stored

_STEP, _STEP_SHORT = 97, 331
"""Bytes from one cut to the next, but for the one append that is torn at every byte."""
_ARTICLE = 10
"""Which append that is: an article's, after the archive pages."""


def crawl(folder: Path, limits: Limits) -> Outcome:
    """Each append in turn: killed before its sync, so that all of it may be missing, and torn."""
    found, chance = Outcome(), Random(3)
    with crawling(folder, articles=60, page_size=3, columns=("english",)) as site:
        site.crawl()
        whole = facts_of(site.corpus)
        appends = [(number, _STEP) for number in range(1, limits.times)] if limits.times > 1 else []
        for number, step in (*appends, (_ARTICLE, 1 if limits.times > 1 else _STEP_SHORT)):
            torn = _new(folder, site, f"torn-{number}-{step}")
            if not _killed_before_sync(torn, number):
                continue
            for cut in range(_synced(torn), _size(torn), step):
                if found.times and time.monotonic() > limits.until:
                    return found
                _torn_and_finished(torn, _new(folder, site, "there"), cut, chance, whole, found)
    return found


def _torn_and_finished(torn: Crawling, there: Crawling, cut: int, chance: Random, whole: Facts, found: Outcome) -> None:
    shutil.copytree(torn.corpus, there.corpus)
    _tear(there, cut, chance)
    found.times += 1
    there.crawl()
    outcome = compared(facts_of(there.corpus), whole)
    outcome.broken += [f"{path.name} is left open" for path in there.warcs if path.name.endswith(OPEN)]
    if not outcome.is_clean:
        outcome.broken.append(f"{torn.folder.name}, byte {cut}")
    found.add(outcome)
    shutil.rmtree(there.folder)


def _new(folder: Path, site: Crawling, name: str) -> Crawling:
    there = folder / name
    there.mkdir()
    return Crawling(site.portal, there, columns=site.columns)


def _killed_before_sync(site: Crawling, number: int) -> bool:
    """A crawl that ends, without a word, when it would sync for the so manieth time; False where it never did."""
    running = commands.start(site.folder, *site.command("--quiet")[3:], before=partial(_die_at_sync, number, str(site.folder / "synced")))
    return running.end() == -signal.SIGKILL


def _die_at_sync(number: int, note: str) -> None:
    """In the process of the crawl: notes how much of the file is on the disk for certain."""
    count, sizes = 0, dict[int, int]()

    def sync(descriptor: int) -> None:
        nonlocal count
        if not Path(f"/proc/self/fd/{descriptor}").readlink().name.endswith(OPEN):
            return
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)
        about = os.fstat(descriptor)
        sizes[about.st_ino] = about.st_size
        Path(note).write_text(json.dumps(sizes))

    os.fsync = sync  # type: ignore[assignment]


def _open_file(site: Crawling) -> Path:
    return max((path for path in site.warcs if path.name.endswith(OPEN)), key=lambda path: path.stat().st_mtime_ns)


def _size(site: Crawling) -> int:
    return _open_file(site).stat().st_size


def _synced(site: Crawling) -> int:
    note = site.folder / "synced"
    sizes = json.loads(note.read_text()) if note.exists() else {}
    return int(sizes.get(str(_open_file(site).stat().st_ino), 0))


def _tear(site: Crawling, cut: int, chance: Random) -> None:
    """What a disk may hold after a power cut: the file ends there, or goes on with zeros; and the ledger's log lacks its end."""
    path = _open_file(site)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(cut)
        if chance.random() < 0.3:
            file.truncate(size)
    log = site.corpus / "ledger.sqlite-wal"
    if log.exists() and (torn := chance.choice(["whole", "cut", "gone"])) != "whole":
        (site.corpus / "ledger.sqlite-shm").unlink(missing_ok=True)
        with log.open("r+b") as file:
            file.truncate(0 if torn == "gone" else chance.randrange(log.stat().st_size + 1))


def build(folder: Path, limits: Limits) -> Outcome:
    """Of documents whose content had not come to the disk a part is there, or nothing, though the build database knows them."""
    found, chance = Outcome(), Random(4)
    file, original = stored()
    words: Callable[[Path], list[object]] = lambda corpus: ["build", file, "--corpus", corpus, "--jobs", 1]  # noqa: E731
    undisturbed = shutil.copytree(original, folder / "whole" / "corpus")
    usual = commands.seconds_of(folder, *words(undisturbed))
    whole = built_files(undisturbed.parent)
    for number in limits.numbers():
        there = shutil.copytree(original, folder / f"{number}" / "corpus")
        if commands.start(there.parent, *words(there)).kill_after(usual * chance.uniform(0.3, 1)):
            found.times += 1
        documents = sorted((there / "tei").rglob("*.xml"), key=lambda path: path.stat().st_mtime_ns)
        for document in documents[chance.randrange(len(documents) + 1) :]:
            os.truncate(document, chance.choice([0, chance.randrange(document.stat().st_size)]))
        last = commands.start(there.parent, *words(there))
        last.end()
        found.broken += last.bad_signs
        found.add(compared_files(built_files(there.parent), whole))
        shutil.rmtree(there.parent)
    return found


CASES = [
    Case(
        kind="power cuts", name="a crawl", run=crawl, times=40, short=1,
        done="what was written to a WARC file since its last sync is torn at every 97th byte (of an article at every byte),"
        " or becomes zeros; the ledger's log loses its end",
        happens="the next run cuts what is no whole exchange, tells the ledger what it does not know, and asks for the rest",
    ),
    Case(
        kind="power cuts", name="a build", run=build, times=30, short=1,
        done="the newest documents are empty files, or end too soon, though the build database knows them",
        happens="the next build makes them again",
    ),
]  # fmt: skip
