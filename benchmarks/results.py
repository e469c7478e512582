"""What a benchmark, or a long run, has found: collected while a script runs, printed at its end, kept as JSON, and shown on pages of docs/.

A script collects with a `Record`; `Record.end` prints all of it and, asked to, saves it. Nothing here knows which script.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import Any

from webarticlecurator.version import VERSION

FOLDER = Path(__file__).resolve().parent / "results"
"""The last result of each comparison, which is kept with the project."""

Cell = str | int | float | None
VERDICTS = {True: "reached", False: "**missed**", None: ""}
BUSY = 0.1
"""Cores that other programs may keep busy without a word: a system always does something."""
_MARKS = re.compile(r"([|*_`<\\])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under headings; the first cell of a row says what the row is."""

    title: str = ""
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]
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

    title: str
    about: str
    """What was done, in a few sentences."""
    command: str
    """What was typed."""
    date: str
    """When it ended: ISO 8601, UTC."""
    seconds: float
    machine: str
    versions: Mapping[str, str]
    """Of the program, and of all that it was compared with."""
    meanwhile: str = ""
    """What else kept the machine busy, in a sentence: if much, its times are worth less."""
    quick: bool = False
    """With sizes that only show that it runs."""
    sizes: str = ""
    """The options that it was run with."""
    left_out: Sequence[str] = ()
    """What could not be measured here, and why."""
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()


def save(result: Result, place: Path) -> None:
    """A reader never sees half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_suffix(".part")
    unfinished.write_text(_as_json(_without_defaults(asdict(result))) + "\n", encoding="utf-8")
    unfinished.replace(place)


def load(place: Path) -> Result:
    """Read what `save` wrote."""
    told = json.loads(place.read_text(encoding="utf-8"))
    tables = [Table(**table) for table in told.get("tables", ())]
    return Result(**{**told, "tables": tables, "figures": [Figure(**figure) for figure in told.get("figures", ())]})


def load_all(folder: Path = FOLDER) -> dict[str, Result]:
    """Every result of a folder, by its name."""
    return {place.stem: load(place) for place in sorted(folder.glob("*.json"))}


def _without_defaults(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_defaults(part) for key, part in value.items() if part not in (None, "", (), []) and part is not False}
    return [_without_defaults(part) for part in value] if isinstance(value, (list, tuple)) else value


def _as_json(value: Any, indent: str = "") -> str:
    """Whatever holds only plain values, such as a figure or a row of a table, is one line."""
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(part, (dict, list)) for part in parts):
        return json.dumps(value, ensure_ascii=False)
    names = [f"{json.dumps(key, ensure_ascii=False)}: " for key in value] if isinstance(value, dict) else [""] * len(parts)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = ",\n".join(f"{indent} {name}{_as_json(part, f'{indent} ')}" for name, part in zip(names, parts, strict=True))
    return f"{opening}\n{lines}\n{indent}{closing}"


# --- while a script runs ---


@dataclass(slots=True)
class Record:
    """What a script has found so far."""

    title: str
    about: str
    begun: datetime = field(default_factory=lambda: datetime.now(UTC))
    versions: dict[str, str] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    _elsewhere: float | None = field(default_factory=lambda: _time_elsewhere())

    def table(self, title: str, headings: Sequence[str], rows: Iterable[Sequence[Cell]], note: str = "") -> None:
        """Nothing, where there are no rows."""
        kept = [list(row) for row in rows]
        if kept:
            self.tables.append(Table(title=title, headings=headings, rows=kept, note=note))

    def figure(self, name: str, value: float, unit: str = "", **more: Any) -> None:
        """`more`: as the fields of `Figure`."""
        self.figures.append(Figure(name=name, value=value, unit=unit, **more))

    def of_rounds(self, name: str, values: Sequence[float], unit: str = "times", **wanted: Any) -> None:
        """The median of several rounds, with the least and the most of them."""
        several = {"low": min(values), "high": max(values), "interval": f"of {len(values)} rounds"} if len(values) > 1 else {}
        self.figure(name, statistics.median(values), unit, **several, **wanted)

    def leave_out(self, what: str) -> None:
        print(f"left out: {what}", flush=True)
        self.left_out.append(what)

    def result(self) -> Result:
        return Result(
            title=self.title,
            about=self.about,
            command=" ".join(["python", *_without_places(sys.argv)]),
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=round((datetime.now(UTC) - self.begun).total_seconds(), 1),
            machine=this_machine(),
            versions={"webarticlecurator": VERSION, **self.versions},
            meanwhile=self._meanwhile(),
            left_out=tuple(self.left_out),
            tables=tuple(self.tables),
            figures=tuple(self.figures),
        )

    def _meanwhile(self) -> str:
        now, seconds = _time_elsewhere(), (datetime.now(UTC) - self.begun).total_seconds()
        if now is None or self._elsewhere is None:
            return ""
        cores = round(max(0.0, now - self._elsewhere) / max(seconds, 1.0), 2)
        return f"Meanwhile other programs kept {cores:g} of {os.cpu_count()} cores busy." if cores > BUSY else ""

    def end(self, place: Path | None = None) -> None:
        """Print what was found, and save it where `--result` says."""
        result = self.result()
        for table in (*result.tables, *([figures_table(result.figures)] if result.figures else [])):
            print(f"\n{as_text(table)}", flush=True)
        if place is not None:
            save(result, place)


def result_option(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """`--result FILE.json`, which `Record.end` is given."""
    parser.add_argument("--result", type=Path, metavar="FILE.json", help="keep what was found, for the pages of docs/")
    return parser


def script_parser(description: str | None) -> argparse.ArgumentParser:
    """Of a script, whose docstring is its help."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def this_machine() -> str:
    memory = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {memory} GB of memory, {platform.system()} {platform.machine()}, {python}"


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8", errors="replace").splitlines() if about.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or "unknown")


def _time_elsewhere() -> float | None:
    """Seconds of CPU that went to anything but this process and those that it waited for, since the machine started; None where unknown."""
    account = Path("/proc/stat")
    if not account.exists():
        return None
    user, nice, system, _, _, *more = (int(count) for count in account.read_text("ascii").split("\n", 1)[0].split()[1:9])
    ours = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum((user, nice, system, *more)) / os.sysconf("SC_CLK_TCK") - ours


def version_of(package: str, python: Path | None = None) -> str:
    """Of an installed package; of another environment when its Python is given; `-` where it is not there."""
    if python is not None:  # -I: else a checkout of that name, in which it is run, would answer
        ask = f"from importlib.metadata import version; print(version({package!r}))"
        return subprocess.run([python, "-I", "-c", ask], capture_output=True, text=True, check=False).stdout.strip() or "-"
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


def _without_places(words: Sequence[str]) -> Iterator[str]:
    """Neither where the result goes nor where the checkout lies says anything of what was measured."""
    yield f"{Path(words[0]).resolve().parent.name}/{Path(words[0]).name}"
    for before, word in pairwise(words):
        if "--result" not in (before, word):
            yield Path(word).name if word.startswith("/") else word


# --- shown ---


def figures_table(figures: Iterable[Figure]) -> Table:
    """All figures with what was wanted of them, in words."""
    rows = [(figure.name, said(figure), wanted(figure), VERDICTS[figure.reached]) for figure in figures]
    return Table(title="", headings=("figure", "measured", "wanted", "result"), rows=rows)


def said(figure: Figure) -> str:
    """`2.09 times (1.99 to 2.10, of 3 rounds)`."""
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
    cells = [list(table.headings), *([number(cell) for cell in row] for row in table.rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(table.headings))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in cells]
    return "\n".join(line.rstrip() for line in (table.title, *lines, table.note) if line)


def as_markdown(table: Table) -> str:
    numbers = [place > 0 and not any(isinstance(row[place], str) for row in table.rows) for place in range(len(table.headings))]
    rows = [[cell if cell in VERDICTS.values() else _MARKS.sub(r"\\\1", number(cell)) for cell in row] for row in table.rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (table.headings, *rows)]
    return "\n".join([lines[0], f"|{'|'.join('---:' if is_number else '---' for is_number in numbers)}|", *lines[1:]])


def footing(result: Result) -> str:
    """When, how long, with what, and beside what."""
    versions = ", ".join(f"{name} {release}" for name, release in result.versions.items())
    quick = "A quick run: the sizes are too small for figures to be relied on." if result.quick else ""
    measured = f"Measured on {result.date[:10]} in {time_said(result.seconds)}, with {versions}."
    return " ".join(sentence for sentence in (measured, quick, result.meanwhile) if sentence)


def time_said(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"
