"""Memory and cost as a corpus grows from 10,000 to 1,000,000 known URLs, with a portal that is only simulated.

  python benchmarks/known_urls.py [--sizes 10000 100000 1000000]

For each size there are four steps, each in a process of its own: the whole archive (about 90 articles on an archive page), then some of the
articles, then a rerun with nothing new, then the status. All that is written is synced to the disk as in any crawl. The largest size
takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from processes import Cost, run, size_of
from results import Record, result_option

LIMIT = 150
"""Megabytes that no step may pass."""
ARTICLES = 2_000
"""Asked for in the second step."""
STEPS = ("archive", "articles", "rerun", "status")


@dataclass(frozen=True, slots=True)
class Measured:
    cost: Cost
    told: dict[str, int]

    def each(self, what: str) -> float:
        """Milliseconds of CPU for each archive page, or article."""
        return 1000 * self.cost.cpu / self.told[what]


def measure(size: int) -> dict[str, Measured]:
    """All steps for one size, printed as they end."""
    folder = Path(tempfile.mkdtemp(prefix="known-urls-"))
    measured: dict[str, Measured] = {}
    before = 0
    run([sys.executable, __file__, "--step", "describe", str(folder), str(size)])
    for name in STEPS:
        cost = run([sys.executable, __file__, "--step", name, str(folder), str(size)])
        measured[name] = Measured(cost, json.loads(cost.output))
        stored = size_of(folder / "corpus" / "warc", "*")
        _print(name, measured[name], stored - before)
        before = stored
    ledger = (folder / "corpus" / "ledger.sqlite").stat().st_size
    print(f"{size:>10,} ledger of {ledger / 1e6:.0f} MB, WARC of {before / 1e6:.0f} MB", flush=True)
    shutil.rmtree(folder)
    return measured


def _print(name: str, measured: Measured, written: int) -> None:
    cost, told = measured.cost, measured.told
    flag = "" if cost.memory <= LIMIT else f"   above {LIMIT} MB!"
    asked = f"{told['archive']:>9,} {told['articles']:>9,}"
    print(f"{told['known']:>10,} {name:9} {cost.memory:7.0f} {cost.cpu:8.1f} {asked} {written / 1e6:9.3f}{flag}", flush=True)


def step(name: str, folder: Path, size: int) -> None:
    """What one process does. Only here the program is imported: what it needs must not count for the process that measures."""
    from simulated_portal import Shape, crawl_step

    if name == "describe":
        (folder / "portal.yaml").write_text(Shape(size).portal_file(), "utf-8")
    else:
        print(json.dumps(crawl_step(name, folder, size, ARTICLES)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="default 10000 100000 1000000")
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    asked = result_option(parser).parse_args()
    if asked.step:
        name, folder, size = asked.step
        step(name, Path(folder), int(size))
        return
    record = Record(
        f"Memory and cost as the known addresses grow to {max(asked.sizes):,}",
        "The crawl code on a simulated portal, each step in a process of its own: the whole archive, then 2,000 articles, then a rerun "
        "with nothing new, then the status. No step may pass 150 MB, and cost may not grow with what is known.",
    )
    note(record, {size: measure(size) for size in asked.sizes})
    record.end(asked.result)


def note(record: Record, results: dict[int, dict[str, Measured]]) -> None:
    """Memory and cost of each step by what is known."""
    rows = [
        (one.told["known"], step, one.cost.memory, one.cost.cpu, one.told["archive"], one.told["articles"])
        for measured in results.values()
        for step, one in measured.items()
    ]
    record.table("Steps", ("known addresses", "step", "memory MB", "CPU s", "archive pages", "articles"), rows)
    smallest, largest = results[min(results)], results[max(results)]
    record.figure(
        "most memory of any step", max(one.cost.memory for measured in results.values() for one in measured.values()), "MB", at_most=LIMIT
    )
    for what, step in (("archive page", "archive"), ("article", "articles")):
        ratio = largest[step].each(step) / smallest[step].each(step)
        record.figure(f"CPU of an {what} with {max(results):,} known addresses / with {min(results):,}", ratio, "times")


if __name__ == "__main__":
    main()
