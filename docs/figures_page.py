"""docs/explanation/figures.md: its lines and its two charts, of what `make bench` and `make soak` found last."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap

sys.path.append(str(Path(__file__).resolve().parent.parent))

from benchmarks.results import FOLDER, Cell, Figure, Result, load, number, said, wanted


@dataclass(frozen=True, slots=True)
class Line:
    """One cell of a table of a result beside another one of its column."""

    what: str
    result: str
    table: str
    """How its title begins."""
    column: str
    other: str
    figure: str = ""
    """The figure that says what was wanted; or, if it is one of `times`, how much better ours is in the median of several rounds."""
    ours: str = "curator"
    is_cost: bool = False
    """Less is better."""


_ARTICLES, _FORUMS, _LISTS = "wcxb article", "wcxb forum", "wcxb listing"


def _read(what: str, pages: str, column: str, other: str, figure: str = "", *, is_cost: bool = False) -> Line:
    return Line(what, "reader_score", pages, column, other, figure, is_cost=is_cost)


def _cpu(what: str, result: str, other: str) -> Line:
    figure = f"CPU of {other} / ours{', charset declared' * (result == 'crawl_cpu')}"
    return Line(what, result, "", "CPU ms an article", other, figure, "ours", is_cost=True)


BESIDE = (
    _read("text of articles, F1", _ARTICLES, "text F1", "trafilatura", "wcxb article: text F1"),
    _read("text of forum threads, F1", _FORUMS, "text F1", "trafilatura", "wcxb forum: text F1"),
    _read("text of pages that list articles, F1", _LISTS, "text F1", "trafilatura"),
    _read(
        "... share of words that belong there", _LISTS, "text precision", "trafilatura",
        "wcxb listing: text precision, ours minus trafilatura's",
    ),
    _read("headline right", _ARTICLES, "title", "newspaper4k"),
    _read("author right", _ARTICLES, "author", "trafilatura"),
    _read("day right", _ARTICLES, "day", "trafilatura"),
    _read("topics of news, F1", "fundus", "topics F1", "extruct", "fundus: topics F1"),
    _read("CPU to read a page, ms", _ARTICLES, "CPU ms a page", "trafilatura", is_cost=True),
    _cpu("CPU from WARC to TEI, ms an article", "build_speed", "trafilatura"),
    _cpu("... beside", "build_speed", "html2tei"),
    Line(
        "CPU of a page, from a WARC file to flat lines, ms", "extract_warc", "From WARC", "CPU ms a page", "trafilatura",
        "CPU of trafilatura / ours", "one process", is_cost=True,
    ),
    _cpu("CPU to crawl, ms an article", "crawl_cpu", "scrapy"),
    _cpu("... beside", "crawl_cpu", "wget"),
    _cpu("... beside", "crawl_cpu", "webarticlecurator 1.13.0"),
)  # fmt: skip
ALONE = (
    ("newspaper_rules", "text F1 of all pages, by facts and rules", "text of newspapers by name, F1"),
    ("newspaper_rules", "authors F1 of all pages, by facts and rules", "... authors, F1"),
    ("newspaper_rules", "topics F1 of all pages, by facts and rules", "... topics, F1"),
    ("page_cost", "fundus: reading / one parse", "CPU to read a page of a newspaper, beside parsing it once"),
    ("page_cost", "fundus: reading, an element", "... an element"),
    ("build_speed", "CPU of two processes / of one", "CPU of a build by two processes, beside one"),
    ("build_speed", "CPU of ours / a bare loop", "CPU of a build, beside a bare loop that only parses and writes"),
    ("extract_warc", "memory with all pages / with a twentieth", "memory with 5,000 pages of a WARC file, beside 250"),
    ("rerun", "requests of the first run", "requests of a first crawl of the example portal"),
    ("rerun", "requests of the rerun", "requests of a second crawl, with nothing new"),
    ("scale-urls-ten_million", "most memory of any step", "memory of a crawl with 10,000,000 known addresses"),
    ("scale-articles-million", "memory of build of 1,000,000 articles", "memory of a build of 1,000,000 articles"),
    ("large-statistics", "report from nothing", "a report of 100,000 articles, from nothing"),
    ("large-inventory", "a sample after an edit: plain rules", "tags of 2,000 pages again, after an edit of the rules"),
    ("reader_score", "wcxb listing: called a listing", "share of lists of articles that are called a listing"),
)
"""Result, figure, what it is."""
_COLUMNS = 130


def lines() -> tuple[str, ...]:
    """The table beside other programs and the long run, in Markdown."""
    results = {line.result: load(FOLDER / f"{line.result}.json") for line in BESIDE}
    reached = [figure.reached for figure in _with_a_goal()]
    return (
        "| what | ours | beside | theirs | times better | goal | script |",
        "|---|---:|---|---:|---:|---|---|",
        *(_beside(one, results[one.result]) for one in BESIDE),
        "",
        f"Of {len(reached)} figures that have a goal, {reached.count(False)} missed it.",
        "",
        *_long_run(),
    )


def more_figures() -> str:
    """What only the site has: the figures of ours alone, why goals were missed, and when and where all was measured."""
    names = sorted({*(line.result for line in BESIDE), *(name for name, _, _ in ALONE)})
    results = {name: load(FOLDER / f"{name}.json") for name in names}
    alone = (f"| {what} | {said(figure)} | {_goal(figure)} | `{_script(results[name])}` |" for name, figure, what in _alone(results))
    table = ("| what, of ours alone | measured | goal | script |", "|---|---|---|---|", *alone)
    return "\n".join([*table, "", *_why_missed(_with_a_goal()), "", *_when(results.values())])


def _with_a_goal() -> list[Figure]:
    return [figure for path in sorted(FOLDER.glob("*.json")) for figure in load(path).figures if figure.reached is not None]


def _why_missed(figures: Iterable[Figure]) -> Iterator[str]:
    """Yield what was missed, with the reason; figures with one reason stand together."""
    missed = [figure for figure in figures if not figure.reached]
    for why in dict.fromkeys(figure.why for figure in missed):
        names = ", ".join(f"{figure.name} ({said(figure)}; {wanted(figure)})" for figure in missed if figure.why == why)
        yield from wrap(f"- {names}. {why}".rstrip(), _COLUMNS, subsequent_indent="  ")


def _when(results: Iterable[Result]) -> Iterator[str]:
    results = list(results)
    dates = sorted(result.date[:10] for result in results)
    versions = dict(pair for result in results for pair in result.versions.items() if pair[0] != "webarticlecurator")
    machines = "; ".join(dict.fromkeys(result.machine for result in results))
    others = ", ".join(f"{name} {release}" for name, release in versions.items())
    yield from wrap(f"Measured from {dates[0]} to {dates[-1]}, beside {others}. Machine: {machines}.", _COLUMNS)
    yield ""
    for result in (result for result in results if result.meanwhile):
        yield from wrap(f"- `{_script(result)}`: {result.meanwhile} Its seconds are too many.", _COLUMNS, subsequent_indent="  ")


def _beside(line: Line, result: Result) -> str:
    ours, other = cell(result, line, line.ours), cell(result, line, line.other)
    figure = _figure(result, line.figure) if line.figure else None
    better = figure.value if figure and figure.unit == "times" else other / ours if line.is_cost else ours / other
    goal = _goal(figure) if figure else ""
    return f"| {line.what} | {number(ours)} | {line.other} | {number(other)} | {better:.3f} | {goal} | `{_script(result)}` |"


def cell(result: Result, line: Line, row: str) -> float:
    """The number of that row."""
    table = next(table for table in result.tables if table.title.startswith(line.table))
    return next(float(cells[table.headings.index(line.column)] or 0) for cells in table.rows if cells[0] == row)


def _alone(results: dict[str, Result]) -> Iterator[tuple[str, Figure, str]]:
    for name, figure, what in ALONE:
        yield name, _figure(results[name], figure), what


def _figure(result: Result, name: str) -> Figure:
    return next(figure for figure in result.figures if figure.name == name)


def _goal(figure: Figure) -> str:
    if not (mark := wanted(figure)):
        return ""
    mark = "as good" if figure.at_least == 0 else f"{mark} {figure.unit}".rstrip()
    return mark if figure.reached else f"{mark}: **missed**"


def _script(result: Result) -> str:
    return result.command.removeprefix("python benchmarks/").partition(" --")[0].replace(".py", "")


def _long_run() -> list[str]:
    """What `make soak` did, and what was found."""
    cases, readers = (table.rows for table in load(FOLDER / "soak.json").tables)
    given = [row for row in cases if str(row[0]).startswith(_GIVEN)]
    disturbed = _sum([row for row in cases if row not in given], 2)
    inputs, broken = _sum(given, 2) + _sum(readers, 2), _sum(readers, 4)
    faults = sum(_sum(cases, place) for place in range(3, 7))
    told = (
        f"`make soak` disturbed crawls, builds, exports and other commands {disturbed:,} times: by kills, power cuts, full disks, broken",
        f"networks, wrong clocks. Articles, answers or documents lost, doubled or invented, and other faults: {faults:,}. It gave",
        f"{inputs:,} damaged or made-up inputs to what reads pages, WARC files, feeds, robots.txt and dates. Broken promises: {broken:,}.",
    )
    return wrap(" ".join(told), _COLUMNS)


_GIVEN = ("robots:", "hostile pages:")
"""Kinds of cases in which nothing is disturbed: what reads is given inputs."""


def _sum(rows: Iterable[Sequence[Cell]], place: int) -> int:
    return sum(int(row[place] or 0) for row in rows)


# --- charts ---

_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2b2b}.other{fill:#b7c4c4}.ours{fill:#00897b}"
    "@media(prefers-color-scheme:dark){text{fill:#e4ebeb}.other{fill:#55646b}.ours{fill:#6fd6c6}}"
)
_BAR, _LEFT, _WIDTH = 22, 190, 640
OURS = "curator"
Bar = tuple[str, float | None]


def _chart(title: str, groups: Iterable[tuple[str, list[Bar]]]) -> str:
    """Horizontal bars, group by group."""
    shown = [row for group, bars in groups for row in ([(f"{group}:", None)] if group else []) + bars]
    most = max(value or 0 for _, value in shown)
    parts = []
    for place, (name, value) in enumerate(shown):
        y = _BAR * place + 24
        if value is None:
            parts.append(f'<text x="8" y="{y + 12}">{escape(name)}</text>')
            continue
        end = _LEFT + round((_WIDTH - _LEFT - 70) * value / most)
        kind = "ours" if name.startswith(OURS) else "other"
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect class="{kind}" x="{_LEFT}" y="{y}" width="{end - _LEFT}" height="{_BAR - 6}" rx="2"/>')
        parts.append(f'<text x="{end + 6}" y="{y + 12}">{number(value)}</text>')
    height = _BAR * len(shown) + 30
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title><style>{_STYLE}</style>", *parts, "</svg>", ""])


def text_chart() -> str:
    """Text F1 by kind of page."""
    result = load(FOLDER / "reader_score.json")
    kinds = {_ARTICLES: "articles", "wcxb documentation": "documentation", _FORUMS: "forum threads", _LISTS: "lists of articles"}
    readers = (OURS, "trafilatura", "readability-lxml", "newspaper4k")
    lines = {said: _read("", pages, "text F1", "") for pages, said in kinds.items()}
    groups = [(said, [(one, cell(result, line, one)) for one in readers]) for said, line in lines.items()]
    return _chart("Text F1 of readers without rules, by kind of page; 1 is all of it right", groups)


def build_chart() -> str:
    """What an article costs from WARC to TEI."""
    rows = load(FOLDER / "build_speed.json").tables[0].rows
    costs = [(str(row[0]).replace("ours", OURS), float(row[1] or 0)) for row in rows]
    return _chart("Milliseconds of CPU an article, from WARC to a written document", [("", costs)])


CHARTS: dict[str, Callable[[], str]] = {"images/figures-text.svg": text_chart, "images/figures-build.svg": build_chart}
"""File in docs/ -> what draws it."""
