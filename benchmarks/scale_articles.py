"""Do memory and the cost of an article stay level from 10,000 to 1,000,000 articles, from stored pages to documents, report and export?

  python benchmarks/scale_articles.py [--sizes 10000 100000 1000000] [--stored FOLDER]

The pages are small and invented (`large_corpus.py`), read without rules; every command is `curator` as a person runs it, from nothing.
Memory is that of the largest process. A million articles take hours, and 12 GB below the system's temporary folder. What is stored may be
made before, a folder for each size, and is copied then: `python benchmarks/scale_articles.py --store FOLDER/10000 --sizes 10000`.
`TMPDIR` names another temporary folder; the table says what kind of disk it lay on.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from large_corpus import NAME, PORTAL, crawl, invented
from processes import Cost, run
from results import Record, result_option

from webarticlecurator.config.load import load_portal
from webarticlecurator.corpus.folder import Corpus

CURATOR = (sys.executable, "-m", "webarticlecurator")
COMMANDS: Mapping[str, Sequence[str]] = {
    "build": ("build", "portal.yaml", "--shards", "--jobs", "2"),
    "build again": ("build", "portal.yaml"),
    "report": ("report", "portal.yaml", "-o", "report.html"),
    "jsonl": ("export", "portal.yaml", "--to", "jsonl", "-o", "articles.jsonl"),
    "csv": ("export", "portal.yaml", "--to", "csv", "-o", "articles.csv"),
    "vertical": ("export", "portal.yaml", "--to", "vertical", "-o", "articles.vert"),
}
BOUNDS: Mapping[str, int] = {"report": 300}
"""Megabytes a process may take, where it is not 150."""
CODES = (0, 1)
"""Some of the invented pages failed, and are listed."""


def stored(folder: Path, size: int) -> None:
    """A corpus that is crawled and not built, read by the general reader."""
    folder.mkdir(parents=True)
    rules = PORTAL.partition("\nbody:")[0] + "\n"
    (folder / "portal.yaml").write_text(rules, "utf-8")
    corpus = Corpus(folder / "corpora" / NAME)
    corpus.folder.mkdir(parents=True)
    crawl(corpus, load_portal(folder / "portal.yaml"), invented(size, seed=1))


def measure(folder: Path, size: int, made: Path | None) -> dict[str, Cost]:
    """Every command on a corpus of this size, told as it ends."""
    if made is not None:
        shutil.copytree(made / f"{size}", folder)
    else:
        run([sys.executable, __file__, "--store", folder, "--sizes", str(size)])
    costs = {}
    for name, typed in COMMANDS.items():
        costs[name] = cost = run([*CURATOR, *typed, "--quiet"], cwd=folder, codes=CODES)
        print(f"{size:>10,} {name:12} {1000 * cost.cpu / size:9.3f} ms CPU {cost.wall:9.1f} s {cost.memory:7.0f} MB", flush=True)
    return costs


def note(record: Record, costs: Mapping[int, Mapping[str, Cost]]) -> None:
    """Memory and cost of each command by the number of articles."""
    rows = [(size, name, 1000 * cost.cpu / size, cost.wall, cost.memory) for size, of in costs.items() for name, cost in of.items()]
    disk = run(["stat", "-f", "-c", "%T", tempfile.gettempdir()]).output.strip()
    record.table("Commands", ("articles", "command", "CPU ms an article", "s", "memory MB"), rows, note=f"Written to a disk of {disk}.")
    first, last = min(costs), max(costs)
    for name in COMMANDS:
        record.figure(f"memory of {name} of {last:,} articles", costs[last][name].memory, "MB", at_most=BOUNDS.get(name, 150))
    ratio = (costs[last]["build"].cpu / last) / (costs[first]["build"].cpu / first)
    record.figure(f"CPU of a build for an article of {last:,} / of {first:,}", ratio, "times", at_most=1.15)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--store", type=Path, metavar="FOLDER", help="only store the articles, there")
    parser.add_argument("--stored", type=Path, metavar="FOLDER", help="take what was stored from there")
    asked = result_option(parser).parse_args()
    if asked.store:
        stored(asked.store, asked.sizes[0])
        return
    record = Record(
        f"From stored pages to documents, report and exports, of up to {max(asked.sizes):,} articles",
        "Small invented pages, read without rules; every command as a person runs it, from nothing. Memory is that of the largest process.",
    )
    costs: dict[int, dict[str, Cost]] = {}
    for size in asked.sizes:
        folder = Path(tempfile.mkdtemp(prefix="scale-"))
        costs[size] = measure(folder / "corpus", size, asked.stored)
        shutil.rmtree(folder)
    note(record, costs)
    record.end(asked.result)


if __name__ == "__main__":
    main()
