"""What counting and reporting a corpus of 100,000 invented articles costs: `curator report` and `curator stats`, at first and again.

  python benchmarks/statistics_speed.py [--articles 100000] [--folder FOLDER]

FOLDER is a corpus that `large_corpus.py` made, or where it is made; without it one is made, and taken away at the end.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from processes import run
from results import Record, result_option

BOUND_SECONDS, BOUND_MEGABYTES = 45, 150
REPORT_SECONDS, REPORT_MEGABYTES = 120, 5
CURATOR = (sys.executable, "-m", "webarticlecurator")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    asked = result_option(parser).parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="statistics-")) / "corpus"
    if not (folder / "portal.yaml").exists():
        run([sys.executable, Path(__file__).with_name("large_corpus.py"), folder, "--articles", str(asked.articles)])
    for file in folder.glob("corpora/*/analysis.sqlite*"):
        file.unlink()
    record = Record(
        "Languages, duplicates, statistics and the report",
        "Of the same corpus of invented articles: the report from nothing, with the analysis of languages and near-duplicates that it "
        "needs, and again; then the statistics without it, and with it. Each is a process of its own.",
    )
    portal, page = folder / "portal.yaml", folder / "report.html"
    report = [*CURATOR, "report", portal, "-o", page, "--quiet"]
    stats = [*CURATOR, "stats", portal, "--json", "--quiet"]
    steps = {"report, analysis included": report, "report again": report, "statistics without the analysis": [*stats, "--no-analyse"]}
    costs = {name: run(command, codes=(0, 1)) for name, command in {**steps, "statistics with the analysis": stats}.items()}
    rows = [(name, cost.cpu, cost.wall, cost.memory) for name, cost in costs.items()]
    record.table("Report and statistics", ("step", "CPU s", "wall s", "memory MB"), rows)
    first, last = costs["report, analysis included"], costs["statistics with the analysis"]
    record.figure("report from nothing", first.wall, "s", at_most=REPORT_SECONDS)
    record.figure("size of the report", page.stat().st_size / 1e6, "MB", at_most=REPORT_MEGABYTES)
    record.figure("statistics", last.wall, "s", at_most=BOUND_SECONDS)
    record.figure("memory of the statistics", last.memory, "MB", at_most=BOUND_MEGABYTES)
    record.end(asked.result)
    if asked.folder is None:
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
