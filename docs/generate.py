"""Writes the pages of docs/ that say what the program itself says: `make docs`; tests/test_docs.py fails while they differ."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webarticlecurator.cli.app import COMMANDS, load
from webarticlecurator.cli.exit_codes import MEANING, PRECEDENCE
from webarticlecurator.example_portal import SWITCHES
from webarticlecurator.exporting.table import COLUMNS
from webarticlecurator.settings import SETTINGS

DOCS = Path(__file__).resolve().parent
_OPENING = """\
# The command line

Written by `make docs` from the commands themselves; what `curator COMMAND --help` says is here.

Data goes to stdout; messages and progress go to stderr, with a live bar on a terminal and plain lines elsewhere. `NO_COLOR` is respected.
What goes into a file or a pipe is UTF-8 in every locale. A stream that is closed, or that nobody reads any more (`| head`), ends no work:
the exit code is what it would have been. `nohup` keeps a crawl from hearing that its terminal was closed.
PORTAL is a path, or the name of a portal that came with curator. Every command has `--quiet` (`-q`), `--verbose` (`-v`) and `--help`
(`-h`).
"""
_EVERYWHERE = frozenset({"--quiet", "--verbose", "--help"})


def command_line_page() -> str:
    """docs/command-line.md."""
    sections = [_OPENING]
    for name, entry in COMMANDS.items():
        sections += _command(f"curator {name}", entry.summary, load(name), level=2)
    return "\n".join([*sections, _settings(), _exit_codes()])


def _command(title: str, summary: str, command: Any, *, level: int) -> Iterator[str]:
    below = getattr(command, "commands", {})
    yield f"{'#' * level} {title}\n"
    if summary:
        yield f"{summary}\n"
    if command.help:
        yield f"```text\n{_help(command.help)}\n```\n"
    rows = [row for parameter in command.params for row in _parameter(parameter)]
    if rows and not below:
        yield "\n".join(["| argument or option | |", "|---|---|", *rows, ""])
    for name, inner in below.items():
        yield from _command(f"{title} {name}", inner.short_help or "", inner, level=level + 1)


def _help(text: str) -> str:
    return inspect.cleandoc(text).replace("\b\n", "")


def _parameter(parameter: Any) -> Iterator[str]:
    if getattr(parameter, "hidden", False) or _EVERYWHERE & set(parameter.opts):
        return
    is_flag = getattr(parameter, "is_flag", True)
    names = ", ".join(
        f"`{name}`" for name in (parameter.opts if parameter.opts[0].startswith("-") else [parameter.metavar or parameter.name])
    )
    value = "" if is_flag else f" {parameter.metavar or 'VALUE'}"
    yield f"| {names}{value} | {_cell(parameter.help or '')} |"


def _settings() -> str:
    rows = [f"| `{setting.name}` | `{setting.env}` | {_cell(setting.help)} |" for setting in SETTINGS]
    return "\n".join(
        [
            "## Settings",
            "",
            "What belongs to you rather than to a portal. A flag (`--contact`; for `corpora`, a corpus named with `--corpus`) counts",
            "before the environment, the environment before `settings.yaml` in your configuration folder (on Linux `~/.config/curator/`),",
            "that before the default.",
            "",
            "| setting | environment | |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _exit_codes() -> str:
    order = ", ".join(str(code.value) for code in PRECEDENCE)
    rows = [f"| {code.value} | {_cell(meaning)} |" for code, meaning in MEANING.items()]
    return "\n".join(
        ["## Exit codes", "", "| code | meaning |", "|---|---|", *rows, "", f"Of several reasons the first of {order} is told.", ""]
    )


_MISBEHAVIOUR = """\
# When portals misbehave

Written by `make docs` from the table that `tests/faults/test_misbehaviour.py` holds against real crawls of the
[example portal](example-portal.md), one switch at a time.

Whatever a portal does, the crawl of the rest is complete: what a switch does not touch is fetched. What the outcomes and exit codes
mean is in [outcomes.md](outcomes.md). The reason is in the ledger and what `curator status` tells; of failures, and of archive pages
that could not be read, it is in `problems.jsonl`, too. The last column says what the next crawl does when the portal behaves again.

| switch | what the portal does | concerns | outcome | reason | exit code | the next crawl |
|---|---|---|---|---|---|---|
"""


def misbehaviour_page() -> str:
    """docs/misbehaviour.md."""
    sys.path.append(str(DOCS.parent / "tests" / "support"))
    from misbehaviours import ENDINGS

    rows = []
    for name, switch in SWITCHES.items():
        ending = ENDINGS[name]
        outcome = f"`{ending.outcome}`" if ending.outcome else "not known of"
        reason = f'"{ending.reason}"' if ending.reason else ""
        cells = (f"`{name}`", switch.meaning, ending.reach, outcome, reason, str(ending.code.value), ending.next_run)
        rows.append(f"| {' | '.join(map(_cell, cells))} |\n")
    return _MISBEHAVIOUR + "".join(rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def tables_page() -> str:
    """docs/tables.md, with the table of columns as the program has it."""
    opening, _, rest = (DOCS / "tables.md").read_text(encoding="utf-8").partition(f"{_COLUMNS}\n")
    rows = (f"| `{one.name}` | {one.holds.value} | {one.description} |" for one in COLUMNS.values())
    table = "\n".join(["| column | type | what it is |", "|---|---|---|", *rows])
    return f"{opening}{_COLUMNS}\n{table}\n{_END_OF_COLUMNS}{rest.partition(_END_OF_COLUMNS)[2]}"


_COLUMNS, _END_OF_COLUMNS = "<!-- columns -->", "<!-- end of columns -->"
PAGES = {"command-line.md": command_line_page, "misbehaviour.md": misbehaviour_page, "tables.md": tables_page}
"""File name -> what writes it."""

if __name__ == "__main__":
    for name, write in PAGES.items():
        (DOCS / name).write_text(write(), encoding="utf-8")
