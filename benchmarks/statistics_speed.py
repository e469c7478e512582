"""What counting a corpus of 100,000 invented articles costs: `curator stats`, at first and when analysis and WARC files are known.

  python benchmarks/statistics_speed.py [--articles 100000] [--folder FOLDER]

FOLDER is a corpus that `large_corpus.py` made; without it one is made, and taken away at the end.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from processes import run

BOUND_SECONDS, BOUND_MEGABYTES = 45, 150
CURATOR = (sys.executable, "-m", "webarticlecurator")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="statistics-")) / "corpus"
    if asked.folder is None:
        run([sys.executable, Path(__file__).with_name("large_corpus.py"), folder, "--articles", str(asked.articles)])
    portal = folder / "portal.yaml"
    print(f"{'':34} {'CPU s':>7} {'wall s':>7} {'MB':>6} {'JSON MB':>8}")
    steps = {"the pass alone, WARC files new": ["--no-analyse"], "with the analysis, made where it is not": [], "again": []}
    for name, options in steps.items():
        cost = run([*CURATOR, "stats", portal, "--json", "--quiet", *options])
        print(f"{name:34} {cost.cpu:7.1f} {cost.wall:7.1f} {cost.memory:6.0f} {len(cost.output) / 1e6:8.2f}", flush=True)
    for figure, unit, bound in ((cost.wall, "s", BOUND_SECONDS), (cost.memory, "MB", BOUND_MEGABYTES)):
        print(f"the last: {figure:.0f} {unit}, {'within' if figure <= bound else 'above'} {bound}")
    if asked.folder is None:
        shutil.rmtree(folder.parent)


if __name__ == "__main__":
    main()
