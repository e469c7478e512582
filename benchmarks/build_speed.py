"""What an article costs from WARC to TEI: ours, html2tei 1.2.3 and trafilatura 2.3, and a loop that does the least that can be done.

  python benchmarks/build_speed.py [--articles 1500] [--others 150] [--rounds 2]

Real pages of 60 to 100 KB, cycled. Every program runs as a whole process, start-up included, in turn (A B C A B C ...), and writes one
file an article; CPU is counted with that of the processes it starts. Ours is validated on every write, the others are not validated
at all. The other programs are installed into environments of their own, below the system's temporary folder, and kept there for
the next time; as they take many times as long, they get fewer articles.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from build_pages import make_corpus, real_pages, write_warc
from build_tools import BARE_LOOP, TRAFILATURA, html2tei_config
from processes import run

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"html2tei": ("html2tei==1.2.3",), "trafilatura": ("trafilatura>=2.3,<2.4", "lxml_html_clean", "warcio")}
TARGETS = {"html2tei": 10.0, "trafilatura": 6.0}
"""How many times our CPU theirs has to be at least."""
MOST_OVER_BARE = 2.5
MOST_FOR_TWO = 1.1
MOST_UNCHANGED = 0.05


@dataclass(frozen=True, slots=True)
class Contender:
    """A program and how many articles it is given."""

    name: str
    articles: int
    seconds: Callable[[], float]
    """CPU of one run."""


def environment(name: str) -> Path | None:
    """The Python of an environment that has this program; None when it cannot be installed."""
    folder = Path(tempfile.gettempdir()) / f"{name}-for-benchmarks"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", *PACKAGES[name]])
        except SystemExit as refused:
            print(f"left out: {name} could not be installed from the package index.\n{refused}")
            return None
        (folder / "installed").touch()
    return python


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
        ended = run(command, cwd=ROOT, codes=(0, 1))
        told = json.loads(ended.output)
        if told["articles"] != self.articles or (told["unchanged"] == self.articles) != again:
            raise SystemExit(f"not the build that was to be measured: {told}")
        return ended.cpu

    def bare(self) -> float:
        cpu = run([sys.executable, "-c", BARE_LOOP, self.many, self._fresh()]).cpu
        self._check(self.articles)
        return cpu

    def trafilatura(self, python: Path) -> float:
        cpu = run([python, "-c", TRAFILATURA, self.few, self._fresh()]).cpu
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


def contenders(field: Field) -> list[Contender]:
    """Ours, and all that could be installed."""
    found = [
        Contender("ours", field.articles, lambda: field.ours(1)),
        Contender("ours, two processes", field.articles, lambda: field.ours(2)),
        Contender("ours, nothing changed", field.articles, lambda: field.ours(1, again=True)),
        Contender("bare loop", field.articles, field.bare),
    ]
    trafilatura, html2tei = environment("trafilatura"), environment("html2tei")
    if trafilatura is not None:
        found.append(Contender("trafilatura", field.others, lambda: field.trafilatura(trafilatura)))
    if html2tei is not None:
        found.append(Contender("html2tei", field.others, lambda: field.html2tei(html2tei)))
    return found


def measure(field: Field, rounds: int) -> dict[str, float]:
    """CPU milliseconds an article, the median of the rounds."""
    found: dict[str, list[float]] = {}
    for number in range(1, rounds + 1):
        for one in contenders(field):
            cost = 1000 * one.seconds() / one.articles
            found.setdefault(one.name, []).append(cost)
            print(f"round {number}  {one.name:24}{cost:10.2f} ms CPU an article", flush=True)
    return {name: statistics.median(costs) for name, costs in found.items()}


def judge(costs: dict[str, float]) -> None:
    """The ratios, and whether they are those that we want."""
    ours = costs["ours"]
    print(f"\n{'':40}{'ratio':>8}{'target':>10}")
    for name, target in TARGETS.items():
        if name in costs:
            _line(f"{name} / ours", costs[name] / ours, f">= {target:g}", costs[name] / ours >= target)
    for what, ratio, most in (
        ("ours / bare loop", ours / costs["bare loop"], MOST_OVER_BARE),
        ("two processes / one", costs["ours, two processes"] / ours, MOST_FOR_TWO),
        ("nothing changed / all", costs["ours, nothing changed"] / ours, MOST_UNCHANGED),
    ):
        _line(what, ratio, f"<= {most:g}", ratio <= most)


def _line(what: str, ratio: float, target: str, reached: bool) -> None:
    print(f"{what:40}{ratio:8.2f}{target:>10}  {'reached' if reached else 'NOT REACHED'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=1500, help="for ours and the bare loop (default 1500)")
    parser.add_argument("--others", type=int, default=150, help="for the others (default 150)")
    parser.add_argument("--rounds", type=int, default=2, help="default 2")
    asked = parser.parse_args()
    pages = real_pages()
    if not pages:
        print("left out: the pages are no part of the project, and are not here")
        return
    print(f"{len(pages)} pages, {statistics.mean(map(len, pages)) / 1000:.0f} KB on average")
    folder = Path(tempfile.mkdtemp(prefix="build-speed-"))
    try:
        judge(measure(Field(folder, pages, asked.articles, asked.others), asked.rounds))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
