"""What an article costs from WARC to TEI: ours, html2tei, trafilatura and newspaper4k, and a loop that does the least that can be done.

  python benchmarks/build_speed.py [--articles 1500] [--others 150] [--rounds 2]

Real pages of 60 to 100 KB, cycled. Every program runs as a whole process, start-up included, in turn (A B C A B C ...), and writes one
file an article; CPU is counted with that of the processes it starts. Ours is validated on every write, the others are not validated
at all, and newspaper4k writes plain text, since it has no TEI. As the others take many times as long, they get fewer articles.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from build_tools import BARE_LOOP, READERS, html2tei_config
from heavy_pages import make_corpus, pages_at_hand, write_warc
from processes import environment, run
from results import Record, result_option, script_parser

ROOT = Path(__file__).resolve().parents[1]
TARGETS = {"html2tei": 4.2, "trafilatura": 2.7}
"""How many times our CPU theirs has to be at least."""
WHY = (
    "Of a build, four fifths are the reading of pages, and that is Python: about 12 calls of it for each of some hundreds of elements, "
    "with no place where much of them could be saved. A part in C or a newer Python was measured, and gives 5 % at most."
)
WHY_TWO = "A first build of more than some hundred articles in several processes starts them twice, once for its first articles."
MOST_FOR_TWO = 1.1
MOST_UNCHANGED = 0.05


@dataclass(frozen=True, slots=True)
class Contender:
    """A program and how many articles it is given."""

    name: str
    articles: int
    seconds: Callable[[], float]
    """CPU of one run."""


class Field:
    """The folders and files that the contenders work on."""

    def __init__(self, folder: Path, pages: list[bytes], articles: int, others: int) -> None:
        self.folder, self.articles, self.others = folder, articles, others
        self.many, self.few = folder / "many.warc.gz", folder / "few.warc.gz"
        write_warc(self.many, pages, articles)
        write_warc(self.few, pages, others)
        self.portal = make_corpus(folder, self.many)
        self.out = folder / "out"

    def _fresh(self) -> Path:
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        return self.out

    def _check(self, expected: int, pattern: str = "*.xml") -> None:
        written = sum(1 for _ in self.out.rglob(pattern))
        if written < 0.9 * expected:
            raise SystemExit(f"only {written} of {expected} documents were written")

    def ours(self, jobs: int, *, again: bool = False) -> float:
        corpus = self.folder / "corpus"
        if not again:
            shutil.rmtree(corpus / "tei", ignore_errors=True)
            for file in corpus.glob("build.sqlite*"):
                file.unlink()
        command = [
            sys.executable,
            "-m",
            "webarticlecurator",
            "build",
            self.portal,
            "--corpus",
            corpus,
            "--jobs",
            str(jobs),
            "--json",
            "--quiet",
        ]
        ended = run(command, cwd=ROOT, codes=(0, 1, 5))  # the pages of many portals look like a layout that changes
        told = json.loads(ended.output)
        if told["articles"] != self.articles or (told["unchanged"] == self.articles) != again:
            raise SystemExit(f"not the build that was to be measured: {told}")
        return ended.cpu

    def bare(self) -> float:
        cpu = run([sys.executable, "-c", BARE_LOOP, self.many, self._fresh()]).cpu
        self._check(self.articles)
        return cpu

    def reader(self, name: str, python: Path) -> float:
        cpu = run([python, "-c", READERS[name], self.few, self._fresh()]).cpu
        self._check(self.others)
        return cpu

    def html2tei(self, python: Path) -> float:
        out = self._fresh()
        html2tei_config(out, self.few.name)
        folders = ["-c", out / "configs", "-l", out / "logs", "-w", self.few.parent, "-o", out / "tei"]
        flags = ["-O", "True", "-p", "False", "-L", "CRITICAL"]
        cpu = run([python, "-m", "html2tei", "cleaner", "-i", out / "input.yaml", *folders, *flags], cwd=out).cpu
        self._check(self.others)
        return cpu


def contenders(field: Field, record: Record) -> list[Contender]:
    """Ours, and all that could be installed."""
    found = [
        Contender("ours", field.articles, lambda: field.ours(1)),
        Contender("ours, two processes", field.articles, lambda: field.ours(2)),
        Contender("ours, nothing changed", field.articles, lambda: field.ours(1, again=True)),
        Contender("bare loop", field.articles, field.bare),
    ]
    if (readers := environment("readers", record)) is not None:
        for name in READERS:
            found.append(Contender(name, field.others, partial(field.reader, name, readers.python)))
            record.versions[name] = readers.version(name)
    if (html2tei := environment("html2tei", record)) is not None:
        found.append(Contender("html2tei", field.others, lambda: field.html2tei(html2tei.python)))
        record.versions["html2tei"] = html2tei.version("html2tei")
    return found


def measure(found: list[Contender], rounds: int) -> dict[str, list[float]]:
    """CPU milliseconds an article, of each round."""
    costs: dict[str, list[float]] = {}
    for number in range(1, rounds + 1):
        for one in found:
            cost = 1000 * one.seconds() / one.articles
            costs.setdefault(one.name, []).append(cost)
            print(f"round {number}  {one.name:24}{cost:10.2f} ms CPU an article", flush=True)
    return costs


def note(record: Record, costs: dict[str, list[float]], pages: str) -> None:
    """The ratios, round by round, and whether they are those that we want."""
    rows = [(name, statistics.median(of), min(of), max(of)) for name, of in costs.items()]
    record.table("From WARC to TEI", ("program", "CPU ms an article", "least", "most"), rows, pages)
    ours = costs["ours"]

    def ratio(what: str, above: list[float], below: list[float], **wanted: Any) -> None:
        record.of_rounds(what, [one / other for one, other in zip(above, below, strict=True)], **wanted)

    for name in ("html2tei", *READERS):
        if name in costs:
            ratio(f"CPU of {name} / ours", costs[name], ours, **({"at_least": TARGETS[name], "why": WHY} if name in TARGETS else {}))
    ratio("CPU of ours / a bare loop", ours, costs["bare loop"])
    ratio("CPU of two processes / of one", costs["ours, two processes"], ours, at_most=MOST_FOR_TWO, why=WHY_TWO)
    ratio("CPU when nothing changed / of all", costs["ours, nothing changed"], ours, at_most=MOST_UNCHANGED)


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--articles", type=int, default=1500, help="for ours and the bare loop (default 1500)")
    parser.add_argument("--others", type=int, default=150, help="for the others (default 150)")
    parser.add_argument("--rounds", type=int, default=2, help="default 2")
    asked = result_option(parser).parse_args()
    record = Record(
        "Building: an article from WARC to TEI",
        "Every program reads the same WARC of real pages and writes one file an article, each as a whole process, start-up included, in "
        "turn. Ours is validated on every write, the others are not validated at all, and newspaper4k writes plain text. The bare loop "
        "reads, parses once, walks once and writes: it understands nothing, repairs nothing and validates nothing.",
    )
    pages, kind = pages_at_hand(record)
    folder = Path(tempfile.mkdtemp(prefix="build-speed-"))
    try:
        costs = measure(contenders(Field(folder, pages, asked.articles, asked.others), record), asked.rounds)
    finally:
        shutil.rmtree(folder)
    note(record, costs, f"{len(pages)} {kind}, {statistics.mean(map(len, pages)) / 1000:.0f} KB on average, again and again.")
    record.end(asked.result)


if __name__ == "__main__":
    main()
