"""Does a Dask cluster give the bytes that one process gives, and what does it cost beside processes of one machine?

  python benchmarks/cluster.py [--articles 20000] [--workers 4] [--commands build,tags,audit,export] [--keep FOLDER]
  python benchmarks/cluster.py --tasks 1000,20000,200000        memory of the asker while simulated tasks are done

Pages of some 12 KB, invented, are imported into a corpus; then each command is run by one process, by processes, and by a cluster of as
many workers (`--cluster local:N`), each from nothing. CPU is that of the command and of all that it started; memory that of the command
alone.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from build_pages import PORTAL, make_corpus, write_warc
from results import Record, result_option, version_of

from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers

CURATOR = Path(sys.executable).parent / "curator"
PAGES = 400
"""Different pages; each is imported again and again under other addresses."""
_TEXT = "the a of and to in was for on with by that from at after before city council bridge river market winter school library teacher"
WORDS = _TEXT.split()
COMMANDS: Mapping[str, Sequence[str]] = {
    "build": ("build", "portal.yaml", "--corpus", "corpus"),
    "tags": ("tags", "portal.yaml", "--corpus", "corpus", "--all", "--json"),
    "audit": ("audit", "portal.yaml", "--corpus", "corpus", "--json"),
    "export": ("export", "portal.yaml", "--corpus", "corpus", "--to", "conllu", "-o", "export.conllu"),
}
MOST = 1.15
WHY = "A Dask cluster takes seconds to begin, which weigh much where a command has little to do."
CODES = (0, 1, 5)
"""Findings of an audit are no failure of this benchmark."""


@dataclass(frozen=True, slots=True)
class SimulatedJob:
    """Tasks that cost nothing: what is left is what it costs to hand them out."""

    def worker(self) -> SimulatedJob:
        return self

    def must_agree(self) -> Mapping[str, str]:
        return {}

    def make(self, tasks: list[str]) -> list[str]:
        return tasks

    def give_up(self, task: str, reason: str) -> str:
        return f"{task}: {reason}"


def main() -> None:
    """The table of carriers, or that of memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--keep", type=Path, help="make the corpus in this folder, or use the one that is there")
    parser.add_argument("--tasks", help="simulate so many tasks, and nothing else")
    options = result_option(parser).parse_args()
    if options.tasks:
        simulate([int(one) for one in options.tasks.split(",")], options.workers)
        return
    record = Record(
        "One process, several, or a Dask cluster",
        "Invented pages are imported into a corpus; then each command is run by one process, by several, and by a Dask cluster of as "
        "many workers, each from nothing. CPU is that of the command and of all that it started.",
    )
    record.versions["dask"] = version_of("dask")
    with kept(options.keep) as folder:
        if not (folder / "corpus").exists():
            write_warc(folder / "pages.warc.gz", list(invented_pages(PAGES)), options.articles)
            make_corpus(folder, folder / "pages.warc.gz", PORTAL)
        compare(folder, options.commands.split(","), options.workers, record)
    record.end(options.result)


@contextmanager
def kept(folder: Path | None) -> Iterator[Path]:
    """The folder to work in."""
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def invented_pages(count: int) -> Iterator[bytes]:
    """Pages as portals make them: menus, a text, boxes beside it."""
    chance = random.Random(14)

    def words(least: int, most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(least, most)))

    for number in range(count):
        menu = "".join(f'<li class="nav-item"><a href="/s/{word}">{word}</a></li>' for word in WORDS)
        text = "".join(
            chance.choice(
                (f"<p>{words(40, 90)}</p>", f"<p>{words(20, 60)} <b>{words(1, 3)}</b> {words(9, 30)}</p>", f"<h2>{words(3, 6)}</h2>")
            )
            for _ in range(chance.randint(10, 25))
        )
        boxes = "".join(
            f'<div class="teaser"><a href="/a/{number}-{one}">{words(5, 9)}</a><p>{words(10, 20)}</p></div>' for one in range(8)
        )
        yield (
            f'<!doctype html><html lang="en"><head><title>{words(4, 8)}</title><meta name="author" content="{words(2, 2)}">'
            f'<meta property="article:published_time" content="20{number % 20 + 4:02}-05-0{number % 9 + 1}T10:00:00+00:00"></head><body>'
            f'<nav><ul class="nav">{menu}</ul></nav><article><h1>{words(5, 9)}</h1>{text}<aside class="related">{boxes}</aside></article>'
            f'<footer class="foot">{words(30, 40)}</footer></body></html>'
        ).encode()


def compare(folder: Path, commands: Sequence[str], workers: int, record: Record) -> None:
    """A row for each command and carrier."""
    several = f"{workers} processes"
    carriers = {several: ("--jobs", str(workers)), "Dask": ("--cluster", f"local:{workers}"), "one process": ("--jobs", "1")}
    rows = []
    for command in commands:
        cpu, digests = {}, set()
        for carrier, flags in carriers.items():
            prepare(folder, command)
            cpu[carrier], memory, out, wall = measured([str(CURATOR), *COMMANDS[command], *flags], folder)
            digests.add(made(folder, command, out))
            rows.append((f"{command}, {carrier}", cpu[carrier], wall, memory))
            print(*rows[-1], flush=True)
        record.figure(f"{command}: CPU of Dask / of {several}", cpu["Dask"] / cpu[several], "times", at_most=MOST, why=WHY)
        record.figure(f"{command}: different results of the three", len(digests), at_most=1)
    record.table("Carriers", ("command", "CPU s", "wall s", "memory MB of the command"), rows)


def prepare(folder: Path, command: str) -> None:
    """Take away what the command made before."""
    if command == "build":
        shutil.rmtree(folder / "corpus" / "tei", ignore_errors=True)
        for file in folder.glob("corpus/build.sqlite*"):
            file.unlink()
    for file in folder.glob("export.conllu*"):
        file.unlink()


def made(folder: Path, command: str, out: bytes) -> str:
    """A digest of all that a command made."""
    digest = sha256()
    if command == "export":
        digest.update((folder / "export.conllu").read_bytes())
    elif command == "build":
        for file in sorted((folder / "corpus" / "tei").rglob("*.xml")):
            digest.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
        with closing(sqlite3.connect(folder / "corpus" / "build.sqlite")) as database:
            for row in database.execute("SELECT * FROM contents ORDER BY id"):
                digest.update(repr(row).encode())
    else:
        digest.update(out)
    return digest.hexdigest()


def measured(command: Sequence[str], folder: Path) -> tuple[float, float, bytes, float]:
    """CPU of a command and all that it started; the most memory of itself alone; what it said; how long it took."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "1700000000"}
    begin, most = time.monotonic(), 0.0
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=errors, env=environment)
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            most = max(most, memory_of(process.pid))
            time.sleep(0.1)
        wall = time.monotonic() - begin
        code = process.returncode = os.waitstatus_to_exitcode(ended[1])
        if code not in CODES:
            errors.seek(0)
            raise SystemExit(f"{' '.join(command)}\nended with {code}:\n{errors.read()[-2000:].decode(errors='replace')}")
        out.seek(0)
        return ended[2].ru_utime + ended[2].ru_stime, most, out.read(), wall


def memory_of(process: int) -> float:
    """The most megabytes that a process ever had."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def simulate(numbers: Sequence[int], workers: int) -> None:
    """Each number of tasks in a process of its own."""
    from cluster import SimulatedJob as Simulated  # by a name that workers know it by, too

    print(f"{'tasks':>8}{'asker MB':>9}{'seconds':>9}")
    for number in numbers:
        if os.fork() == 0:
            begin = time.monotonic()
            tasks = (f"https://bench.example/news/article-{one}{'y' * 400}" for one in range(number))
            done = sum(map(len, pool.run(Simulated(), tasks, workers=Workers(cluster=f"local:{workers}"))))
            print(f"{done:8}{memory_of(os.getpid()):9.0f}{time.monotonic() - begin:9.1f}", flush=True)
            sys.exit()
        if os.wait()[1]:
            raise SystemExit(f"{number} tasks were not done")


if __name__ == "__main__":
    main()
