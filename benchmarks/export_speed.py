"""What an export costs: articles a second of one core, and memory, for each format.

  python benchmarks/export_speed.py FOLDER [--articles 100000] [--to csv parquet ...] [--workers 1 4 local:4]

FOLDER is what `large_corpus.py` made; where it is not there, it is made of so many articles. Each export is a process of its own, started
by the command line as a person does. Tables are written without the columns that show languages and duplicates, since what finds those is
not the export. A part of the corpus is exported besides, which shows whether memory grows with it. `pandas` is
`read_corpus(...).to_pandas()`, which holds the whole table. `--workers` says who makes what: a number of processes, or a Dask cluster; the
cost is that of all of them together, the memory that of the largest. Their files must be the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from processes import Cost, run
from results import Record, result_option

from webarticlecurator.exporting.formats import FORMATS
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS

LEAST_RATES = {"jsonl": 2_000, "text": 2_000}
"""Articles a second of one core."""
CONSTANT = 1.1
"""Times the memory of a part, which an export of everything may take where memory is not to grow."""
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
    parser.add_argument("--articles", type=int, default=100_000, help="of a corpus that is to be made (default 100000)")
    asked = result_option(parser).parse_args()
    portal = asked.folder / "portal.yaml"
    if not portal.exists():
        run([sys.executable, Path(__file__).with_name("large_corpus.py"), asked.folder, "--articles", str(asked.articles)])
    record = Record(
        "Exports",
        "Each export of a corpus of invented articles is a process of its own, start-up included; rates are articles a second of CPU time. "
        "A part of the corpus is exported besides, which shows whether memory grows with it.",
    )
    with tempfile.TemporaryDirectory(prefix="export-speed-") as folder:
        rows = [row for format in asked.to for row in exports(portal, format, asked.workers, Path(folder))]
    headings = (
        "format",
        "by",
        "articles",
        "articles a second",
        "seconds",
        "memory MB",
        "memory MB of a part",
        "written MB",
        "articles of the part",
    )
    record.table("Exports", headings, rows)
    for format, _, articles, rate, _, memory, part, *_ in rows:
        if format in LEAST_RATES:
            record.figure(f"{format}: articles a second, of {articles:,}", rate, at_least=LEAST_RATES[format])
            record.figure(f"{format}: memory for all / for a part", memory / part, "times", at_most=CONSTANT)
    record.end(asked.result)


Row = tuple[str, str, int, float, float, float, float, float, int]


def exports(portal: Path, format: str, carriers: list[str], folder: Path) -> Iterator[Row]:
    """One format by each of those that may do the work; all must give the same bytes."""
    digests = set()
    for workers in carriers:
        small, part = export(portal, format, folder / f"part.{format}", PART_UNTIL, workers)
        place = folder / f"all.{format}"
        cost, articles = export(portal, format, place, None, workers)
        files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
        digests.add(sha256(place.read_bytes()).hexdigest() if place.is_file() else "")
        written = sum(one.stat().st_size for one in files) / 1e6
        row = (format, workers, articles, articles / cost.cpu, cost.wall, cost.memory, small.memory, written, part)
        print(*row, flush=True)
        yield row
    if len(digests) > 1:
        raise SystemExit(f"{format}: the files of {' and '.join(carriers)} differ")


if __name__ == "__main__":
    main()
