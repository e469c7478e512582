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

PAGES = 400
"""Different pages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=4_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--latency", type=int, default=30)
    parser.add_argument("--faults", type=int, default=5)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="object-store-"))
    try:
        with object_store(folder / "cache") as store:
            compare(folder, store, asked)
    finally:
        shutil.rmtree(folder)


def compare(folder: Path, store: ObjectStore, asked: argparse.Namespace) -> None:
    write_warc(folder / "pages.warc.gz", list(invented_pages(PAGES)), asked.articles)
    make_corpus(folder, folder / "pages.warc.gz", PORTAL)
    corpus = folder / "corpus"
    size = sum(path.stat().st_size for path in (corpus / "warc").glob("*.warc.gz"))
    print(f"{asked.articles:,} articles, {size / 1e6:.1f} MB of WARC; {asked.latency} ms an answer, {asked.jobs} processes")
    store.faults = Faults(slow=lambda _: True, seconds=asked.latency / 1000)
    url = "s3://corpora/portal"
    line("push", *run(folder, ["warc", "push", "portal.yaml", "--corpus", str(corpus), "--to", url]), store, size)
    digests = []
    for what, place, spoiled in (("here", str(corpus), False), ("there", url, False), ("there, with faults", url, True)):
        if what != "here":
            forget(store)
        chance = random.Random(7)
        bad = asked.faults / 100 if spoiled else 0.0
        store.faults.unavailable = lambda _, bad=bad, chance=chance: chance.random() < bad / 2  # type: ignore[misc]
        store.faults.cut = lambda _, bad=bad, chance=chance: chance.random() < bad / 2  # type: ignore[misc]
        build = ["build", "portal.yaml", "--corpus", place, "--jobs", str(asked.jobs), "--shards"]
        line(f"build {what}", *run(folder, build), store, size)
        export = ["export", "portal.yaml", "--corpus", place, "--to", "jsonl", "-o", "export.jsonl"]
        line(f"export {what}", *run(folder, export), store, size)
        digests.append(sha256((folder / "export.jsonl").read_bytes()).hexdigest()[:16])
        line(f"build {what}, nothing new", *run(folder, build), store, size)
    print(f"exports are {'the same bytes' if len(set(digests)) == 1 else 'DIFFERENT'}: {', '.join(digests)}")


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


def line(what: str, seconds: float, cpu: float, store: ObjectStore, size: int) -> None:
    read, asked = store.bytes_of(".warc.gz"), store.asked
    print(
        f"{what:32} {seconds:6.1f} s  {cpu:6.1f} s CPU  {asked:5,} reads  {read / 1e6:7.1f} MB of WARC read  {read / size:5.2f} x",
        flush=True,
    )
    store.given.clear()
    store.asked = 0


if __name__ == "__main__":
    main()
