"""Writes the pages of docs/ that say what the program itself says: `make docs`; tests/test_docs.py fails while they differ."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webarticlecurator.cli.app import COMMANDS, load
from webarticlecurator.cli.exit_codes import MEANING, PRECEDENCE
from webarticlecurator.cli.settings import SETTINGS

DOCS = Path(__file__).resolve().parent
_OPENING = """\
# The command line

Written by `make docs` from the commands themselves; what `curator COMMAND --help` says is here.

Data goes to stdout; messages and progress go to stderr, with a live bar on a terminal and plain lines elsewhere. `NO_COLOR` is respected.
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
            "What belongs to you rather than to a portal. A flag counts before the environment, the environment before `settings.yaml`",
            "in your configuration folder (on Linux `~/.config/curator/`), that before the default.",
            "",
            "| setting and flag | environment | |",
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


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


PAGES = {"command-line.md": command_line_page}
"""File name -> what writes it."""

if __name__ == "__main__":
    for name, write in PAGES.items():
        (DOCS / name).write_text(write(), encoding="utf-8")
