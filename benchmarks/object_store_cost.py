"""What does a corpus in an object store cost beside one on this machine, and how much of the WARC files is read?

  python benchmarks/object_store_cost.py [--articles 4000] [--jobs 2] [--latency 30] [--faults 5]

Invented pages are imported into a corpus, which `warc push` brings to moto's server on loopback; each of its answers takes `--latency`
milliseconds. Then it is built and exported here, there, and there once more while so many per cent of the answers are 503 or cut short.
Server and curator share this machine's processors.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from build_pages import PORTAL, make_corpus, write_warc
from cluster import CURATOR, invented_pages, measured
from object_store import Faults, ObjectStore, object_store
from results import Record, result_option

PAGES = 400
"""Different pages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=4_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--latency", type=int, default=30)
    parser.add_argument("--faults", type=int, default=5)
    asked = result_option(parser).parse_args()
    record = Record(
        "A corpus in an object store",
        "Invented pages are built and exported on this machine, in an object store on loopback whose answers take a while, and there "
        "once more while some of its answers are 503 or cut short. Server and curator share the processors.",
    )
    folder = Path(tempfile.mkdtemp(prefix="object-store-"))
    try:
        with object_store(folder / "cache") as store:
            compare(folder, store, asked, record)
    finally:
        shutil.rmtree(folder)
    record.end(asked.result)


Row = tuple[str, float, float, int, float, float]


def compare(folder: Path, store: ObjectStore, asked: argparse.Namespace, record: Record) -> None:
    write_warc(folder / "pages.warc.gz", list(invented_pages(PAGES)), asked.articles)
    make_corpus(folder, folder / "pages.warc.gz", PORTAL)
    corpus = folder / "corpus"
    size = sum(path.stat().st_size for path in (corpus / "warc").glob("*.warc.gz"))
    rows: list[Row] = []
    store.faults = Faults(slow=lambda _: True, seconds=asked.latency / 1000)
    url = "s3://corpora/portal"
    rows.append(row("push", *run(folder, ["warc", "push", "portal.yaml", "--corpus", str(corpus), "--to", url]), store, size))
    digests = []
    for what, place, spoiled in (("here", str(corpus), False), ("there", url, False), ("there, with faults", url, True)):
        if what != "here":
            forget(store)
        chance = random.Random(7)
        bad = asked.faults / 100 if spoiled else 0.0
        store.faults.unavailable = lambda _, bad=bad, chance=chance: chance.random() < bad / 2  # type: ignore[misc]
        store.faults.cut = lambda _, bad=bad, chance=chance: chance.random() < bad / 2  # type: ignore[misc]
        build = ["build", "portal.yaml", "--corpus", place, "--jobs", str(asked.jobs), "--shards"]
        rows.append(row(f"build {what}", *run(folder, build), store, size))
        export = ["export", "portal.yaml", "--corpus", place, "--to", "jsonl", "-o", "export.jsonl"]
        rows.append(row(f"export {what}", *run(folder, export), store, size))
        digests.append(sha256((folder / "export.jsonl").read_bytes()).hexdigest()[:16])
        rows.append(row(f"build {what}, nothing new", *run(folder, build), store, size))
    headings = ("step", "seconds", "CPU s", "reads", "MB of WARC read", "of the WARC")
    note = f"{asked.articles:,} articles, {size / 1e6:.1f} MB of WARC; {asked.latency} ms an answer, {asked.faults} % of them faults."
    record.table("Here and there", headings, rows, note)
    read = {name: share for name, *_, share in rows}
    record.figure("WARC read by a build there / size of the WARC", read["build there"], at_most=1.1)
    record.figure("the same with faults", read["build there, with faults"], at_most=1.1)
    record.figure("different exports of the three", len(set(digests)), at_most=1)


def forget(store: ObjectStore) -> None:
    """All that a build left in the store, so that the next one begins from nothing."""
    from webarticlecurator.storage.folders import folder_at

    faults, store.faults = store.faults, Faults()
    there = folder_at(store.place())
    for file in there.files():
        if not file.name.startswith("warc/") and file.name != "ledger.sqlite":
            there.delete(file.name)
    store.faults = faults


def run(folder: Path, command: Sequence[str]) -> tuple[float, float]:
    """Seconds, and CPU seconds."""
    cpu, _, _, seconds = measured([str(CURATOR), *command], folder)
    return seconds, cpu


def row(what: str, seconds: float, cpu: float, store: ObjectStore, size: int) -> Row:
    read, asked = store.bytes_of(".warc.gz"), store.asked
    store.given.clear()
    store.asked = 0
    print(what, f"{seconds:.1f} s", flush=True)
    return what, seconds, cpu, asked, read / 1e6, read / size


if __name__ == "__main__":
    main()
