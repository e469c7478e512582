"""What a benchmark, or a long run, has found: frozen, kept as JSON, and read by what writes the pages of docs/.

A script collects with a `Record` while it runs; `Record.end` prints all of it and, asked to, saves it. Nothing here knows which script.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from webarticlecurator.version import VERSION

FOLDER = Path(__file__).resolve().parent / "results"
"""The results of whole runs, which are kept with the project."""

Cell = str | int | float | None
VERDICTS = {True: "reached", False: "**missed**", None: ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where it ran."""

    processor: str
    cores: int
    memory: int
    """Gigabytes."""
    system: str
    python: str
    load: float
    """Processes that wanted a core in the minute before it began: those of the comparison before it, or others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under headings; the first cell of a row says what the row is."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """What must be known to read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number, what was wanted of it, and how sure it is."""

    name: str
    value: float
    unit: str = ""
    """As it stands behind the number: `times`, `ms`, `MB`; empty for a share."""
    low: float | None = None
    """The interval: the least and the most of several rounds, or the 95 % of a bootstrap; `interval` says which."""
    high: float | None = None
    interval: str = ""
    at_least: float | None = None
    at_most: float | None = None
    why: str = ""
    """Said where it is missed."""

    @property
    def reached(self) -> bool | None:
        """Whether it is what was wanted; None where nothing was."""
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (self.at_most is None or self.value <= self.at_most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """All that one script found in one run."""

    name: str
    """Of its file: `crawl_cpu`."""
    title: str
    about: str
    """What was done, in a few sentences."""
    command: str
    """What was typed."""
    date: str
    """When it ended: ISO 8601, UTC."""
    seconds: float
    machine: Machine
    versions: tuple[tuple[str, str], ...]
    """Of the program, and of all that it was compared with."""
    quick: bool = False
    """With sizes that only show that it runs."""
    sizes: str = ""
    """The options that it was run with."""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    printed: str = ""
    """What it wrote to the terminal, where it tells of itself in no other way."""
    left_out: tuple[str, ...] = ()
    """What could not be measured here, and why."""
    others: float | None = None
    """Cores that everything else on the machine kept busy on the average meanwhile: near 0, or its times are worth less."""


def save(result: Result, folder: Path = FOLDER) -> Path:
    """Write `NAME.json`; a reader never sees half of it."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{result.name}.json"
    unfinished = place.with_suffix(".part")
    unfinished.write_text(json.dumps(asdict(result), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return unfinished.replace(place)


def load(place: Path) -> Result:
    """Read what `save` wrote."""
    told = json.loads(place.read_text(encoding="utf-8"))
    parts: dict[str, Any] = {
        "machine": Machine(**told["machine"]),
        "versions": tuple((name, number) for name, number in told["versions"]),
        "tables": tuple(Table(**_tuples(one)) for one in told["tables"]),
        "figures": tuple(Figure(**one) for one in told["figures"]),
        "left_out": tuple(told["left_out"]),
    }
    return Result(**{**told, **parts})


def load_all(folder: Path = FOLDER) -> dict[str, Result]:
    """Every result of a folder, by its name."""
    return {place.stem: load(place) for place in sorted(folder.glob("*.json"))}


def _tuples(told: Mapping[str, Any]) -> dict[str, Any]:
    """JSON knows lists only."""
    return {key: tuple(tuple(row) if isinstance(row, list) else row for row in value) if isinstance(value, list) else value
            for key, value in told.items()}  # fmt: skip


# --- while a script runs ---


@dataclass(slots=True)
class Record:
    """What a script has found so far."""

    title: str
    about: str
    begun: datetime = field(default_factory=lambda: datetime.now(UTC))
    machine: Machine = field(default_factory=lambda: this_machine())
    versions: dict[str, str] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    _elsewhere: float | None = field(default_factory=lambda: time_elsewhere())

    def table(self, title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]], note: str = "") -> None:
        """Nothing, where there are no rows."""
        told = tuple(tuple(row) for row in rows)
        if told:
            self.tables.append(Table(title=title, headings=tuple(headings), rows=told, note=note))

    def figure(self, name: str, value: float, unit: str = "", **more: Any) -> Figure:
        """`more`: as the fields of `Figure`."""
        self.figures.append(Figure(name=name, value=value, unit=unit, **more))
        return self.figures[-1]

    def of_rounds(self, name: str, values: Sequence[float], unit: str = "times", **wanted: Any) -> Figure:
        """The median of several rounds, with the least and the most of them."""
        of = {"low": min(values), "high": max(values), "interval": f"of {len(values)} rounds"} if len(values) > 1 else {}
        return self.figure(name, statistics.median(values), unit, **of, **wanted)

    def leave_out(self, what: str) -> None:
        print(f"left out: {what}", flush=True)
        self.left_out.append(what)

    def result(self) -> Result:
        return Result(
            name=Path(sys.argv[0]).stem,
            title=self.title,
            about=self.about,
            command=" ".join(["python", *(_shown(word) for word in _without_place(sys.argv))]),
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=round((datetime.now(UTC) - self.begun).total_seconds(), 1),
            machine=self.machine,
            versions=tuple({"webarticlecurator": VERSION, **self.versions}.items()),
            tables=tuple(self.tables),
            figures=tuple(self.figures),
            left_out=tuple(self.left_out),
            others=self._others(),
        )

    def _others(self) -> float | None:
        now, seconds = time_elsewhere(), (datetime.now(UTC) - self.begun).total_seconds()
        return None if now is None or self._elsewhere is None else round(max(0.0, now - self._elsewhere) / max(seconds, 1.0), 2)

    def end(self, place: Path | None = None) -> Result:
        """Print what was found, and save it where `--result` says."""
        result = self.result()
        for table in result.tables:
            print(f"\n{as_text(table)}")
        if result.figures:
            print(f"\n{as_text(figures_table(result.figures))}", flush=True)
        if place is not None:
            save(replace(result, name=place.stem), place.parent)
        return result


def result_option(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """`--result FILE.json`, which `Record.end` is given."""
    parser.add_argument("--result", type=Path, metavar="FILE.json", help="keep what was found, for the pages of docs/")
    return parser


def figures_table(figures: Iterable[Figure]) -> Table:
    """All figures with what was wanted of them, in words."""
    rows = [(one.name, said(one), wanted(one), VERDICTS[one.reached]) for one in figures]
    return Table(title="", headings=("figure", "measured", "wanted", "result"), rows=tuple(rows))


def said(figure: Figure) -> str:
    """`2.09 times (1.99 to 2.10 of 3 rounds)`."""
    interval = ""
    if figure.low is not None and figure.high is not None:
        interval = f" ({number(figure.low)} to {number(figure.high)}{', ' if figure.interval else ''}{figure.interval})"
    return f"{number(figure.value)} {figure.unit}".rstrip() + interval


def wanted(figure: Figure) -> str:
    bounds = (("at least", figure.at_least), ("at most", figure.at_most))
    return " and ".join(f"{word} {bound:,g}" for word, bound in bounds if bound is not None)


def number(value: Cell) -> str:
    """As many digits as tell something."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    digits = next((digits for least, digits in ((100, 0), (10, 1), (1.2, 2)) if abs(value) >= least), 3)
    return f"{value:,.{digits}f}"


def as_text(table: Table) -> str:
    """For a terminal: columns under one another, numbers to the right."""
    cells = [table.headings, *(tuple(number(cell) for cell in row) for row in table.rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(table.headings))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in cells]
    return "\n".join(line.rstrip() for line in (table.title, *lines, table.note) if line)


# --- where it runs ---


def this_machine() -> Machine:
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        system=f"{platform.system()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        load=round(os.getloadavg()[0], 2),
    )


def time_elsewhere() -> float | None:
    """Seconds of CPU that went to anything but this process and those that it waited for, since the machine started; None where unknown."""
    told = Path("/proc/stat")
    if not told.exists():
        return None
    user, nice, system, _, _, *more = (int(field) for field in told.read_text("ascii").split("\n", 1)[0].split()[1:9])
    ours = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum((user, nice, system, *more)) / os.sysconf("SC_CLK_TCK") - ours


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8", errors="replace").splitlines() if about.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or "unknown")


def version_of(package: str, python: Path | None = None) -> str:
    """Of an installed package; of another environment when its Python is given; `-` where it is not there."""
    if python is not None:  # -I: else a checkout of that name, in which it is run, would answer
        ask = f"from importlib.metadata import version; print(version({package!r}))"
        told = subprocess.run([python, "-I", "-c", ask], capture_output=True, text=True, check=False)
        return told.stdout.strip() or "-"
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


def _without_place(words: Sequence[str]) -> list[str]:
    """Neither where the result goes nor where the checkout lies says anything of what was measured."""
    first, *rest = words
    kept = [word for place, word in enumerate(rest) if word != "--result" and (place == 0 or rest[place - 1] != "--result")]
    return [f"{Path(first).resolve().parent.name}/{Path(first).name}", *kept]


def _shown(word: str) -> str:
    return Path(word).name if word.startswith("/") else word
