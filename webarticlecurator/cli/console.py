"""Write a command's words: data to stdout, everything else to stderr, and as much of it as is wanted."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, Literal, cast

from webarticlecurator.amounts import amount, prefixed, text_if, those_that_hold
from webarticlecurator.cli.screen_columns import columns_of
from webarticlecurator.model.progress import Snapshot
from webarticlecurator.own_patterns import linear

Verbosity = Literal["quiet", "normal", "verbose"]
"""The amount that is told of what happens; quiet: data and errors only."""
_verbosity: Verbosity = "normal"

# URLs, titles and reasons come from strangers' pages: what would steer a terminal is shown, not obeyed.
_STEERING = linear(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


_TWO_LINES = 160
"""Characters of two lines of a screen."""
_LEFT_OUT = " ..."
_NEEDLESS = (
    (linear(r" \([^()]*://[^()]*\)"), ""),
    (linear(r",? such as \S+://[^\s,;]+"), ""),
    (linear(r"(?<![\w:'\"])https?://[^/\s]+(?=/)"), ""),
)
"""Parts that a long line can lose, the least important first: examples in brackets, other examples, the hosts
of addresses."""


def set_verbosity(wanted: Verbosity) -> None:
    """Set the verbosity of this process, once its options are known."""
    global _verbosity  # of the process
    _verbosity = wanted


def is_quiet() -> bool:
    """True if nothing is told but data and errors."""
    return _verbosity == "quiet"


def is_verbose() -> bool:
    """True if more is told than usual."""
    return _verbosity == "verbose"


def printable(text: str) -> str:
    """The text with control characters written out as `\\x1b`."""
    return _STEERING.sub(lambda match: ascii(match[0])[1:-1], text)


def data(text: str) -> None:
    """Write one piece of what was asked for to stdout."""
    _write(sys.stdout, printable(text))


def data_json(value: Any) -> None:
    """Write one JSON object on one line to stdout; dataclasses, enums and dates are understood."""
    import json

    import orjson

    try:
        line = orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except (
        TypeError
    ):  # the name of a file that is not UTF-8: it comes back as it was if a program decodes it as Python does
        line = json.dumps(
            value,
            separators=(",", ":"),
            default=lambda of: asdict(cast(Any, of)) if is_dataclass(of) else str(of),
        )
    _write(sys.stdout, line)


def say(*texts: str) -> None:
    """Messages to the person, unless --quiet."""
    if not is_quiet():
        complain(*texts)


def complain(*texts: str) -> None:
    """Messages that are always shown: why something could not be done."""
    for text in texts:
        _write(sys.stderr, printable(text))


def aligned(rows: Sequence[Sequence[str]], *, indent: str = "  ", headed: bool = False) -> list[str]:
    """Rows as lines of aligned columns; numbers are aligned to the right.

    `headed`: the first row names the columns; where there is no room for all, those without a word or a
    number are left out.
    """
    room = (
        shutil.get_terminal_size(fallback=(0, 0)).columns or sys.maxsize
    )  # a file or a pipe has room for everything
    rows = [tuple(map(printable, row)) for row in rows]  # the words in them come from strangers' pages
    widths = [max(map(columns_of, cells)) for cells in zip(*rows, strict=True)]
    if headed and len(indent) + sum(widths) + 2 * (len(widths) - 1) > room:
        kept = [
            column for column in zip(*rows, strict=True) if any(cell not in ("", "0") for cell in column[1:])
        ]
        rows, widths = list(zip(*kept, strict=True)), [max(map(columns_of, column)) for column in kept]

    def padded(cell: str, width: int) -> str:
        blanks = " " * (width - columns_of(cell))
        return blanks + cell if cell.replace(",", "").isdigit() else cell + blanks

    return [(indent + "  ".join(map(padded, row, widths))).rstrip() for row in rows]


def listed(
    title: str, lines: Sequence[str], most: int | None = None, how: str = "--verbose shows all"
) -> list[str]:
    """The title and at most so many lines below it, unless --verbose wants all; nothing where there are
    none."""
    most = len(lines) if most is None or (is_verbose() and "--verbose" in how) else most
    return [title, *lines[:most], *more(len(lines) - most, how)] if lines else []


def more(number: int, how: str = "--verbose shows all", what: str = "", before: str = "") -> list[str]:
    """Return the line that so many are not shown, and how they are; `before`: what begins each line."""
    return those_that_hold((number > 0, f"  {before}and {number:,} more{what} ({how})"))


def each_in_two_lines(title: str, reasons: Sequence[str]) -> list[str]:
    """A line for each of the first, no longer than two lines of a screen."""
    return list(map(in_two_lines, each(title, reasons)))


def each(title: str, reasons: Sequence[str]) -> list[str]:
    """A line for each of the first, with what it is before it; for all where --verbose wants so."""
    most = len(reasons) if is_verbose() else 5
    return prefixed(f"  {title}", reasons[:most]) + more(len(reasons) - most, before=title)


def in_two_lines(line: str) -> str:
    """Return a line as it fits on two lines of a screen: without examples, hosts, and the clauses behind the
    first.

    What was left out is marked by three dots, and told by --verbose.
    """
    if is_verbose() or len(line) <= _TWO_LINES:
        return line
    room = _TWO_LINES - len(_LEFT_OUT)
    for needless, what_stays in _NEEDLESS:
        line = needless.sub(what_stays, line)
        if len(line) <= room:
            return f"{line}{_LEFT_OUT}"
    first, *others = line.split("; ")
    for clause in others:
        if len(first) + len(clause) + len("; ") <= room:
            first = f"{first}; {clause}"
    return f"{first[:room]}{_LEFT_OUT}"


def table(title: str, rows: Sequence[Any], columns: str, most: int | None = None) -> list[str]:
    """Rows below their title: of each, a mapping or an object, the values of these names, which head the
    columns. Nothing without rows."""
    names, most = columns.split(), len(rows) if most is None or is_verbose() else most
    lines = [
        [cell(name, row[name] if isinstance(row, Mapping) else getattr(row, name)) for name in names]
        for row in rows[:most]
    ]
    headings = [name.replace("_", " ") for name in names]
    return [title, *aligned([headings, *lines], headed=True), *more(len(rows) - most)] if lines else []


_NOTHING = {
    **dict.fromkeys(("year", "month", "first", "last"), "no date"),
    "column": "whole portal",
    "layout": "base rules",
}
"""The words in a column where nothing stands; elsewhere "none"."""


def cell(column: str, value: object) -> str:
    """A value as people read it."""
    if value is None:
        return _NOTHING.get(column, "none")
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, (int, float)):
        return str(value) if column == "year" else f"{value:,}"
    return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def cut(text: str, most: int) -> str:
    """Return the beginning of a text, where only that matters."""
    return text if len(text) <= most else f"{text[:most]}..."


def _write(stream: Any, text: str) -> None:
    try:
        stream.write(f"{text}\n")
    except UnicodeEncodeError:  # a terminal that is not UTF-8 still gets every line
        encoding = stream.encoding or "ascii"
        stream.write(f"{text.encode(encoding, 'backslashreplace').decode(encoding)}\n")
    stream.flush()


# --- how far a crawl or a build is: plain lines now and then, or nothing ---

_OF_CRAWL = ("archive", "articles", "page files", "done")


class Lines:
    """A line every few seconds, of each portal in turn, and whenever the phase of one changes."""

    def __init__(self, portals: int) -> None:
        self._portals = portals
        self._lock = threading.RLock()
        self._phases: dict[str, str] = {}
        self._since: dict[str, tuple[float, int]] = {}
        """Portal -> when its phase began, and how many requests had been made by then."""
        self._written: dict[str, float] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self._lock:
            name, now = snapshot.portal, time.monotonic()
            has_begun = self._phases.get(name) != snapshot.phase
            if has_begun:
                self._phases[name] = snapshot.phase
                self._since[name] = now, snapshot.archive_pages + snapshot.articles
            every = 0.0 if is_verbose() else 10.0 * self._portals  # seconds between two lines
            if has_begun or now - self._written[name] >= every:
                self._written[name] = now
                doing = f"{snapshot.phase} {snapshot.doing}".rstrip()
                # what is short shows no other line, and "1 of 9" as the last one would look as if it had
                # stopped there
                figures = (
                    ""
                    if has_begun and snapshot.phase not in _OF_CRAWL
                    else _figures(snapshot, *self._since[name])
                )
                complain(": ".join(filter(None, (name, doing, figures))))

    def say(self, portal: str, message: str) -> None:
        with self._lock:
            complain(f"{portal}: {message}")


def _figures(snapshot: Snapshot, began: float, before: int) -> str:
    """The numbers of one portal, and how long it will take, where that can be said: an archive that is being
    walked still grows.

    `began`, `before`: when its phase did, and how many requests had been made by then.
    """
    pages, articles = amount(snapshot.archive_pages, "archive page"), amount(snapshot.articles, "article")
    if snapshot.phase == "learn":
        return f"{pages} and {articles} read"
    total, seconds = snapshot.articles + snapshot.waiting, time.monotonic() - began
    rate = (
        (snapshot.archive_pages + snapshot.articles - before) / seconds if seconds >= 0.1 else 0.0
    )  # requests per second
    if snapshot.phase in _OF_CRAWL:
        parts = [pages, articles, f"{snapshot.waiting:,} waiting", f"{snapshot.failed:,} failed"]
    else:
        done = f"{snapshot.articles:,} of {total:,} {snapshot.unit}".rstrip()
        parts = those_that_hold((total, done), (snapshot.failed, f"{snapshot.failed:,} failed"))
    parts += those_that_hold((rate, f"{rate:.1f}/s"))
    if snapshot.waiting and rate > 0 and snapshot.phase != "archive":  # which is still growing
        left = snapshot.waiting / rate
        hours, minutes = divmod(round(left / 60), 60)
        parts += those_that_hold(
            (hours, f"{hours:,} h {minutes} min left"),
            (minutes, f"{minutes} min left"),
            (True, f"{round(left)} s left"),
        )[:1]
    return ", ".join(parts)


def problems_in(file: Path) -> str:
    """Return how many lines problems.jsonl has; of many, which kind most of them are."""
    import orjson

    try:
        kinds = Counter(orjson.loads(line)["outcome"] for line in file.read_bytes().splitlines())
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return f"problems for a human: {file} is damaged, and the next crawl or build writes it anew"
    (kind, times), number = kinds.most_common(1)[0], kinds.total()
    most = text_if(2 * times > number >= 10, f", {times:,} of them `{kind}`")
    return f"{amount(number, 'problem')} for a human{most}: {file}"
