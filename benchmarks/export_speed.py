"""What an export costs: articles a second of one core, and memory, for each format.

  python benchmarks/export_speed.py FOLDER [--to csv parquet ...]

FOLDER is what `large_corpus.py` made. Each export is a process of its own, started by the command line as a person does. Tables are
written without the columns that show languages and duplicates, since what finds those is not the export. A part of the corpus is exported
besides, which shows whether memory grows with it. `pandas` is `read_corpus(...).to_pandas()`, which holds the whole table. Every rate is
also told as a part of that of the first.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
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


def export(portal: Path, format: str, place: Path, until: str | None) -> tuple[Cost, int]:
    """One export, and how many articles it has."""
    if format == "pandas":
        cost = run([sys.executable, "-c", _PANDAS, portal, FIELDS, until or ""])
    else:
        only = [
            *(["--until", until] if until else []),
            *(["--fields", FIELDS] if FORMATS[format].analysed and "fields" not in FORMATS[format].ignores else []),
        ]
        command = [sys.executable, "-m", "webarticlecurator", "export", portal, "--to", format, "-o", place, "--json", "--quiet", *only]
        cost = run(command)
    return cost, json.loads(cost.output)["counts"]["articles"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", nargs="+", metavar="FORMAT", default=TABLES, help=f"default {' '.join(TABLES)}")
    asked = parser.parse_args()
    portal = asked.folder / "portal.yaml"
    with tempfile.TemporaryDirectory(prefix="export-speed-") as folder:
        print(f"{'format':10} {'articles':>8} {'a second':>9} {'of jsonl':>9} {'MB':>6} {'MB, a part':>11} {'written MB':>11}")
        base = None
        for format in asked.to:
            small, part = export(portal, format, Path(folder, f"part.{format}"), PART_UNTIL)
            place = Path(folder, f"all.{format}")
            cost, articles = export(portal, format, place, None)
            rate = articles / cost.cpu
            base = rate if base is None else base
            written = sum(one.stat().st_size for one in ([place] if place.is_file() else place.rglob("*") if place.exists() else []))
            print(
                f"{format:10} {articles:8,} {rate:9,.0f} {rate / base:9.2f} {cost.memory:6.0f} {small.memory:11.0f}"
                f" {written / 1e6:11.0f}   (part: {part:,})",
                flush=True,
            )


if __name__ == "__main__":
    main()
