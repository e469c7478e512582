"""Writes the pages of docs/ that say what the program itself says: `make docs`; tests/test_docs.py fails while they differ."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webarticlecurator.cli.app import COMMANDS, load
from webarticlecurator.cli.exit_codes import MEANING, PRECEDENCE
from webarticlecurator.example_portal import SWITCHES
from webarticlecurator.exporting.table import COLUMNS
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.settings import SETTINGS
from webarticlecurator.version import NAME, VERSION

DOCS = Path(__file__).resolve().parent
sys.path.append(str(DOCS))

from formats_page import formats_page  # noqa: E402
from paging_pictures import PICTURES  # noqa: E402
from python_api import python_api_page  # noqa: E402
from tei_elements import tei_elements_page  # noqa: E402

_OPENING = """\
# The command line

Every command with its options and examples, as `curator COMMAND --help` prints them; then settings and exit codes. Written by `make docs`
from the program.

Data goes to stdout; messages and progress go to stderr, with a live bar on a terminal and plain lines elsewhere. `NO_COLOR` is respected.
What goes into a file or a pipe is UTF-8 in every locale. A stream that is closed, or that nobody reads any more (`| head`), does not
end the work: the exit code is what it would have been. `nohup` keeps a crawl from hearing that its terminal was closed.
PORTAL is a path, or the name of a portal that came with curator. Every command has `--quiet` (`-q`), `--verbose` (`-v`) and `--help`
(`-h`).
"""
_EVERYWHERE = frozenset({"--quiet", "--verbose", "--help"})


def command_line_page() -> str:
    """docs/reference/command-line.md."""
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
        yield "\n".join(["| argument or option | what it does |", "|---|---|", *rows, ""])
    for name, inner in below.items():
        yield from _command(f"{title} {name}", inner.short_help or "", inner, level=level + 1)


def _help(text: str) -> str:
    return inspect.cleandoc(text).replace("\b\n", "")


def _parameter(parameter: Any) -> Iterator[str]:
    if _is_shown(parameter):
        names = ", ".join(f"`{_cell(name)}`" for name in _names(parameter))
        yield f"| {names}{_value(parameter)} | {_cell(parameter.help or '')} |"


def _is_shown(parameter: Any) -> bool:
    return not (getattr(parameter, "hidden", False) or _EVERYWHERE & set(parameter.opts))


def _names(parameter: Any) -> list[str]:
    return [*parameter.opts, *parameter.secondary_opts] if parameter.opts[0].startswith("-") else [parameter.metavar or parameter.name]


def _value(parameter: Any) -> str:
    return "" if getattr(parameter, "is_flag", True) else f" {parameter.metavar or 'VALUE'}"


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
            "| setting | environment | what it says |",
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

How a crawl ends when a portal misbehaves. Written by `make docs` from the table that `tests/faults/test_misbehaviour.py` holds against
real crawls of the [example portal](example-portal.md), one switch at a time.

Whatever a portal does, the crawl of the rest is complete: what a switch does not touch is fetched. What the outcomes and exit codes
mean is in [outcomes.md](outcomes.md). The reason is in the ledger and what `curator status` tells; of failures, and of archive pages
that could not be read, it is in `problems.jsonl`, too. Where the outcome is "not known of", the crawl found these
articles on no archive page. The last column says what the next crawl does when the portal behaves again.

| switch | what the portal does | concerns | outcome | reason | exit code | the next crawl |
|---|---|---|---|---|---|---|
"""


def misbehaviour_page() -> str:
    """docs/reference/misbehaviour.md."""
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
    """docs/reference/tables.md, with the table of columns as the program has it."""
    rows = (f"| `{one.name}` | {one.holds.value} | {one.description} |" for one in COLUMNS.values())
    return _with_table("reference/tables.md", "columns", "| column | type | what it is |", "|---|---|---|", *rows)


def reader_page() -> str:
    """docs/explanation/how-the-reader-decides.md, with the order of sources as the program has it."""
    told = {name: sources for name, sources in SOURCES.items() if sources != tuple(f"{syntax}:{name}" for syntax in _SYNTAXES)}
    rows = (f"| `{name}` | {', '.join(f'`{one}`' for one in sources)} |" for name, sources in told.items())
    return _with_table("explanation/how-the-reader-decides.md", "sources", "| field | is looked for in |", "|---|---|", *rows)


_SYNTAXES = ("json-ld", "microdata", "rdfa")
"""What fields are read from of which the table says nothing else."""


def _with_table(page: str, name: str, *lines: str) -> str:
    """The page, with these lines between the comments that say where they belong."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    opening, _, rest = (DOCS / page).read_text(encoding="utf-8").partition(f"{begin}\n")
    return "\n".join([opening + begin, *lines, end + rest.partition(end)[2]])


_MAN_OPENING = r""".\" Written by `make docs` from the commands themselves.
.TH CURATOR 1 "" "{NAME} {VERSION}" "User Commands"
.SH NAME
curator \- every article of a portal, as WARC that stays raw and as TEI that can be rebuilt
.SH SYNOPSIS
.B curator
.I COMMAND
.RI [ OPTION ]...
.RI [ ARGUMENT ]...
.SH DESCRIPTION
Data goes to stdout, messages and progress go to stderr.
.I PORTAL
is a portal file, or the name of a portal that came with curator.
Every command has
.BR \-q ", " \-\-quiet
(data and errors only),
.BR \-v ", " \-\-verbose
(tell more) and
.BR \-h ", " \-\-help .
.SH COMMANDS
"""


def man_page() -> str:
    """docs/curator.1, which the wheel brings to share/man/man1."""
    lines = [_MAN_OPENING.replace("{NAME}", NAME).replace("{VERSION}", VERSION).rstrip()]
    for name, entry in COMMANDS.items():
        lines += _man_command(f"curator {name}", entry.summary, load(name))
    lines += [".SH ENVIRONMENT", "A flag counts before the environment, the environment before settings.yaml in the configuration folder."]
    lines += [line for setting in SETTINGS for line in _man_entry(rf"\fB{_roff(setting.env)}\fR", setting.help)]
    lines += [".SH EXIT STATUS"]
    lines += [line for code, meaning in MEANING.items() for line in _man_entry(str(code.value), meaning)]
    return "\n".join([*lines, ""])


def _man_command(title: str, summary: str, command: Any) -> Iterator[str]:
    yield f".SS {_roff(title)}"
    if summary:
        yield _roff(summary)
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        as_it_stands = paragraph.startswith("\b\n")
        yield f".PP\n.nf\n{_roff(_help(paragraph))}\n.fi" if as_it_stands else f".PP\n{_roff(paragraph)}"
    below = getattr(command, "commands", {})
    for parameter in () if below else filter(_is_shown, command.params):
        names = ", ".join(rf"\fB{_roff(name)}\fR" for name in _names(parameter))
        yield from _man_entry(rf"{names}\fI{_roff(_value(parameter))}\fR", parameter.help or "")
    for name, inner in below.items():
        yield from _man_command(f"{title} {name}", inner.short_help or "", inner)


def _man_entry(tag: str, text: str) -> tuple[str, ...]:
    return ".TP", tag, _roff(" ".join(text.split()))


def _roff(text: str) -> str:
    """Text that the formatter of man pages shows as it stands: no escapes, no requests, hyphens that can be copied."""
    return re.sub(r"(?m)^(?=[.'])", r"\\&", text.replace("\\", r"\(rs").replace("-", r"\-"))


PAGES = {
    "reference/command-line.md": command_line_page,
    "reference/misbehaviour.md": misbehaviour_page,
    "reference/tables.md": tables_page,
    "explanation/how-the-reader-decides.md": reader_page,
    "reference/formats.md": formats_page,
    "reference/tei-elements.md": tei_elements_page,
    "reference/python-api.md": python_api_page,
    **PICTURES,
    "curator.1": man_page,
}
"""File -> what writes it."""

if __name__ == "__main__":
    for name, write in PAGES.items():
        (DOCS / name).write_text(write(), encoding="utf-8")
