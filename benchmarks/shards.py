"""What shards of documents cost: packing them, a nightly build's few new ones, reading, and how many files ten million would be.

  python benchmarks/shards.py [--documents 100000] [--rows 10000000]

The documents are invented (8 KB of words, on every day of twenty years, more of them on later days). Each step runs in a process of its
own. `--rows` articles stand only in the build database: what is asked there is into how many shards they are divided, and what that costs.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

from processes import run, size_of

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.building.options import Form
from webarticlecurator.building.packing import Packing
from webarticlecurator.building.shards import MOST, digest_of, divided
from webarticlecurator.corpus.folder import Corpus

NAME = "large"
FIRST = date(2004, 1, 1)
DAYS = 7_300
NIGHTLY = 300
SIZE = 8_000


def paths(number: int, total: int) -> str:
    """Of the n-th document; the portal grew from year to year."""
    day = int(DAYS * (number / total) ** 0.6) if number < total else DAYS
    digits = f"{number:016x}"
    return f"tei/{(FIRST + timedelta(days=day)).isoformat().replace('-', '/')}/{NAME}-{digits}.xml"


def put_rows(folder: Path, chosen: Iterable[str]) -> None:
    """Articles of which nothing is known but the path: written past the program, which would take half an hour for ten million."""
    place = folder / "build.sqlite"
    with BuildDatabase(place):  # so that it is there
        pass
    with closing(sqlite3.connect(place)) as database, database:
        facts = database.execute("PRAGMA table_info(articles)").fetchall()
        needed = [name for _, name, _, is_needed, *_ in facts if is_needed and name != "outcome"]
        sql = f"INSERT INTO articles (id, path, outcome, {', '.join(needed)}) VALUES (?, ?, 'article', {', '.join('0' for _ in needed)})"
        database.executemany(sql, ((Path(path).stem, path) for path in chosen))


def put_documents(folder: Path, chosen: list[str]) -> None:
    """As a build writes its documents."""
    words = [f"word{number}" for number in range(5_000)]
    store = DocumentStore(folder)
    for path in chosen:
        chance = random.Random(path)
        text = " ".join(chance.choices(words, k=SIZE // 8))
        store.write(path, f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><p>{text}</p></text></TEI>'.encode())
    put_rows(folder, chosen)


def pack(folder: Path, form: Form = Form.SHARDS) -> None:
    """As a build does at its end."""
    with BuildDatabase(folder / "build.sqlite") as database:
        packing = Packing(corpus=Corpus(folder), portal=NAME, database=database, form=form, stopped=lambda: False, show=lambda *_: None)
        packing.unpack()
        packing.pack()


def read(folder: Path, order: Callable[[list[str]], list[str]]) -> None:
    """As an export reads documents."""
    with BuildDatabase(folder / "build.sqlite") as database, closing(DocumentStore(folder)) as store:
        for path in order(list(database.paths("tei"))):
            assert store.read(path) is not None


def divide(folder: Path) -> None:
    """As a build does that finds nothing new."""
    with BuildDatabase(folder / "build.sqlite") as database:
        database.index_paths()
        sizes = [one.documents for one in divided(database, NAME, MOST)]
        all_paths = database.paths("tei")
        assert len({digest_of(islice(all_paths, size)) for size in sizes}) == len(sizes)
        print(f"{sum(sizes):,} documents in {len(sizes):,} shards of {min(sizes):,} to {max(sizes):,}")


def steps(total: int) -> dict[str, Callable[[Path], None]]:
    """Each by its name; what begins with a dot is not told."""
    return {
        ".make": lambda folder: put_documents(folder, [paths(number, total) for number in range(total)]),
        "pack all": pack,
        "nothing new": pack,
        ".tonight": lambda folder: put_documents(folder, [paths(total + number, total) for number in range(NIGHTLY)]),
        f"{NIGHTLY} new": pack,
        ".late": lambda folder: put_documents(folder, [f"tei/2015/03/01/{NAME}-{'f' * 16}.xml"]),
        "1 old": pack,
        "read by date": lambda folder: read(folder, list),
        "read 1,000 anyhow": lambda folder: read(folder, lambda found: random.Random(1).sample(found, 1_000)),
        "back to files": lambda folder: pack(folder, Form.FILES),
        ".rows": lambda folder: put_rows(folder, (paths(number, total) for number in range(total))),
        "divide": divide,
    }


def measure(name: str, folder: Path, total: int) -> None:
    """One step, in a process of its own."""
    before = {path: path.stat().st_mtime_ns for path in folder.glob("tei/*.zip")}
    cost = run([sys.executable, __file__, "--step", name, str(folder), str(total)])
    if name.startswith("."):
        return
    after = {path: path.stat().st_mtime_ns for path in folder.glob("tei/*.zip")}
    written = len(after.items() - before.items())
    told = cost.output.strip() or f"{written:,} of {len(after):,} shards written, {size_of(folder / 'tei', '*.zip') / 1e6:,.0f} MB in all"
    print(f"{name:18} {cost.wall:7.1f} s  {cost.cpu:7.1f} s CPU  {cost.memory:5.0f} MB  {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        name, folder, total = asked.step
        steps(int(total))[name](Path(folder))
        return
    for chosen, total in ((list(steps(0))[:-2], asked.documents), (list(steps(0))[-2:], asked.rows)):
        folder = Path(tempfile.mkdtemp(prefix="shards-"))
        for name in chosen if total else ():
            measure(name, folder, total)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
