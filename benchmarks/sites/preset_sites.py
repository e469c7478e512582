"""How well five-line portal files collect small theme-true sites of which everything is known (`examples/sites`).

    python benchmarks/sites/preset_sites.py [NAME ...] [--variation fresh|last] [--indexes] [--show 3] [--keep DIR]

NAME: beginnings of names, such as `wordpress` or `blogger-layouts`. For each site the portal file is written, the site is crawled over
loopback, built, and compared with what is true. `--indexes` imports the pages that hold several posts instead, and compares what they
alone give. `--variation fresh` are other themes of the same software, which nobody looks at while presets are written; `last` are all
in yet another language, with other posts.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import script_parser
from truths import ROOT

sys.path.insert(0, str(ROOT))

from examples.sites import RunningSite
from examples.sites.scores import FIELDS, Score, score, score_indexes
from examples.sites.variations import KINDS, variations
from webarticlecurator.cli.crawl import of_crawl


def row(score: Score) -> str:
    if score.trouble:
        return f"{score.name:58}  {score.trouble}"
    posts = score.counts["posts"]
    cells = [f"{posts.precision:.2f}/{posts.recall:.2f}"]
    cells += [f"{score.counts[name].f1:.3f}" if score.counts[name].wanted or score.counts[name].given else "-" for name in FIELDS[1:]]
    return (
        f"{score.name:58}"
        + "".join(f"{cell:>10}" for cell in cells)
        + f"{score.requests:>6}{_ended(score):>6}"
        + ("" if not score.missed else "  !")
    )


def _ended(score: Score) -> str:
    """With which exit code the crawl ends."""
    return str(int(of_crawl([score.summary]))) if score.summary else ""


def main() -> int:
    parser = script_parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--variation", choices=KINDS, default="usual")
    parser.add_argument("--indexes", action="store_true")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="so many failures of each field")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep portal files and corpora here")
    asked = parser.parse_args()
    logging.disable(logging.CRITICAL)
    print(
        f"{asked.variation + (', index pages alone' if asked.indexes else ''):58}"
        + "".join(f"{name:>10}" for name in ("posts P/R", *FIELDS[1:]))
        + "   asked"
    )
    short = 0
    for variation in variations(asked.variation):
        if asked.names and not variation.name.startswith(tuple(asked.names)):
            continue
        with RunningSite(variation) as site, tempfile.TemporaryDirectory(prefix="site-") as temporary:
            if asked.indexes and not site.made.indexes:
                continue
            folder = asked.keep / variation.name if asked.keep else Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            result = (score_indexes if asked.indexes else score)(site, folder)
        short += bool(result.missed)
        print(row(result), flush=True)
        for name in FIELDS if asked.show else ():
            for failure in result.counts[name].failures[: asked.show]:
                print(f"  {failure}")
    print(f"{short} below what must be held" if short else "all hold")
    return int(short > 0)


if __name__ == "__main__":
    raise SystemExit(main())
