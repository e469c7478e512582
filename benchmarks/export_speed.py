"""What an export costs: articles a second of one core, and memory, for each format.

  python benchmarks/export_speed.py FOLDER [--to csv parquet ...] [--workers 1 4 local:4]

FOLDER is what `large_corpus.py` made. Each export is a process of its own, started by the command line as a person does. Tables are
written without the columns that show languages and duplicates, since what finds those is not the export. A part of the corpus is exported
besides, which shows whether memory grows with it. `pandas` is `read_corpus(...).to_pandas()`, which holds the whole table. Every rate is
also told as a part of that of the first. `--workers` says who makes what: a number of processes, or a Dask cluster; the cost
is that of all of them together, the memory that of the largest. Their files must be the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

from processes import Cost, run

from webarticlecurator.exporting.formats import FORMATS
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS

PART_UNTIL = "2005-12-31"
"""A small part of the invented articles was published by then."""
FIELDS = ",".join(name for name in COLUMNS if name not in OF_ANALYSIS)
TABLES = ("jsonl", "text", "csv", "parquet", "sqlite", "pandas")
_PANDAS = """
import json, sys
from webarticlecurator import read_corpus
table = read_corpus(sys.argv[1]).to_pandas(fields=sys.argv[2].split(","), until=sys.argv[3] or None)
print(json.dumps({"counts": {"articles": len(table)}}))
"""


def export(portal: Path, format: str, place: Path, until: str | None, workers: str) -> tuple[Cost, int]:
    """One export, and how many articles it has."""
    if format == "pandas":
        cost = run([sys.executable, "-c", _PANDAS, portal, FIELDS, until or ""])
    else:
        only = [
            *(["--until", until] if until else []),
            *(["--fields", FIELDS] if FORMATS[format].analysed and "fields" not in FORMATS[format].ignores else []),
        ]
        command = [sys.executable, "-m", "webarticlecurator", "export", portal, "--to", format, "-o", place, "--json", "--quiet", *only]
        command += ["--jobs" if workers.isdecimal() else "--cluster", workers]
        cost = run(command)
    return cost, json.loads(cost.output)["counts"]["articles"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", nargs="+", metavar="FORMAT", default=TABLES, help=f"default {' '.join(TABLES)}")
    parser.add_argument("--workers", nargs="+", metavar="N", default=["1"], help="processes, or local:N; default 1")
    asked = parser.parse_args()
    portal = asked.folder / "portal.yaml"
    with tempfile.TemporaryDirectory(prefix="export-speed-") as folder:
        print("format     by       articles  a second  of first      s     MB  MB, a part  written MB")
        base = None
        for format in asked.to:
            digests = set()
            for workers in asked.workers:
                small, part = export(portal, format, Path(folder, f"part.{format}"), PART_UNTIL, workers)
                place = Path(folder, f"all.{format}")
                cost, articles = export(portal, format, place, None, workers)
                rate = articles / cost.cpu
                base = rate if base is None else base
                files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
                digests.add(sha256(place.read_bytes()).hexdigest() if place.is_file() else "")
                written = sum(one.stat().st_size for one in files) / 1e6
                print(
                    f"{format:10} {workers:8} {articles:8,} {rate:9,.0f} {rate / base:9.2f} {cost.wall:6.1f}"
                    f" {cost.memory:6.0f} {small.memory:11.0f} {written:11.0f}   (part: {part:,})",
                    flush=True,
                )
            if len(digests) > 1:
                raise SystemExit(f"{format}: the files of {' and '.join(asked.workers)} differ")


if __name__ == "__main__":
    main()
