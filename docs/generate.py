"""Writes the pages of docs/ that say what the program itself says: `make docs`; a test fails while they differ."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from webarticlecurator.cli.app import COMMANDS, CommandEntry, load
from webarticlecurator.cli.command import Declared
from webarticlecurator.example_portal import SWITCHES
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.settings import SETTINGS

DOCS = Path(__file__).resolve().parent
sys.path.append(str(DOCS))

from figures_page import CHARTS, lines, more_figures  # noqa: E402
from formats_page import columns, formats  # noqa: E402
from mechanisms_page import mechanisms  # noqa: E402
from paging_choice import choice  # noqa: E402
from portal_reference import portal_file_page  # noqa: E402
from portal_schemas import SCHEMAS  # noqa: E402
from python_api import python_api  # noqa: E402
from tei_elements import tei_elements  # noqa: E402


def command_line() -> str:
    """Every command with its help."""
    return "\n".join(line for name, entry in COMMANDS.items() for line in _command(f"curator {name}", name, entry, level=2))


def _command(title: str, name: str, entry: CommandEntry, *, level: int) -> Iterator[str]:
    command = load(name, entry)
    yield f"{'#' * level} {title}\n"
    yield f"{entry.summary}\n"
    shown = (command.help or "").replace("\b\n", "")
    yield f"```text\n{shown}\n```\n"
    rows = [f"| {_names(one)} | {_cell(one.help)} |" for one in getattr(command, "declared", ())]
    if rows:
        yield "\n".join(["| argument or option | what it does |", "|---|---|", *rows, ""])
    for below, inner in entry.below.items():
        yield from _command(f"{title} {below}", below, inner, level=level + 1)


def _names(declared: Declared) -> str:
    if not declared.typed.name:
        return f"`{_cell(declared.typed.takes)}`"
    return f"{', '.join(f'`{name}`' for name in declared.typed.name.split())} {_cell(declared.typed.takes)}".strip()


def command_line_page() -> str:
    """docs/reference/command-line.md, with the table of settings."""
    settings = (f"| `{setting.name}` | `{setting.env}` | {_cell(setting.help)} |" for setting in SETTINGS)
    page = _page("reference/command-line.md")
    return _with_table(page, "settings", "| setting | environment | what it says |", "|---|---|---|", *settings)


def misbehaviours() -> str:
    """How a crawl of the example portal ends under each switch, as `tests/faults/test_misbehaviour.py` holds it against real crawls."""
    sys.path.append(str(DOCS.parent / "tests" / "support"))
    from misbehaviours import ENDINGS

    rows = ["| switch | what the portal does | concerns | outcome | reason | exit code | the next crawl |", "|---|---|---|---|---|---|---|"]
    for name, switch in SWITCHES.items():
        ending = ENDINGS[name]
        outcome = f"`{ending.outcome}`" if ending.outcome else "not known of"
        reason = f'"{ending.reason}"' if ending.reason else ""
        cells = (f"`{name}`", switch.meaning, ending.reach, outcome, reason, str(ending.code.value), ending.next_run)
        rows.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def sources() -> str:
    """Where each field of the metadata is looked for, in this order."""
    told = {name: sources for name, sources in SOURCES.items() if sources != tuple(f"{syntax}:{name}" for syntax in _SYNTAXES)}
    rows = (f"| `{name}` | {', '.join(f'`{one}`' for one in sources)} |" for name, sources in told.items())
    return "\n".join(["| field | is looked for in |", "|---|---|", *rows])


def figures_page() -> str:
    """docs/explanation/figures.md, with what was measured last."""
    return _with_table(_page("explanation/figures.md"), "figures", *lines())


def dependencies() -> str:
    """Each library, with the reason that `setup.cfg` says above it."""
    told = re.findall(r"(?m)^    # (.+\.)\n    ([\w.-]+)", (DOCS.parent / "setup.cfg").read_text(encoding="utf-8"))
    return "\n".join(["| library | what it is there for |", "|---|---|", *(f"| {name} | {_cell(reason)} |" for reason, name in told)])


_SYNTAXES = ("json-ld", "microdata")
"""What fields are read from of which the table says nothing else."""


def formats_page() -> str:
    """docs/reference/formats.md, with the table of columns."""
    return _with_table(_page("reference/formats.md"), "columns", *columns())


def _page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def _with_table(page: str, name: str, *lines: str) -> str:
    """The page, with these lines between the comments that say where they belong."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    opening, _, rest = page.partition(f"{begin}\n")
    return "\n".join([opening + begin, *lines, end + rest.partition(end)[2]])


def home() -> str:
    """The line, its result and the picture that the README begins with."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    shown = readme[readme.index("**One page**") : readme.index("## What makes this different")]
    return shown.replace("](docs/", "](").strip()


MADE = {
    "index.md": home,
    "reference/command-line.md": command_line,
    "reference/dependencies.md": dependencies,
    "reference/formats.md": formats,
    "reference/outcomes.md": misbehaviours,
    "reference/python.md": python_api,
    "reference/tei.md": tei_elements,
    "explanation/figures.md": more_figures,
    "explanation/how-it-reads.md": sources,
    "explanation/mechanisms.md": mechanisms,
}
"""Page -> what writes the part of it that only the site has, in the place of `MARK`."""
MARK = "<!-- made of the program -->"

PAGES = {
    "reference/command-line.md": command_line_page,
    "reference/formats.md": formats_page,
    "reference/portal-file.md": portal_file_page,
    "explanation/figures.md": figures_page,
    "images/paging-choice.svg": choice,
    **CHARTS,
    **{f"../schemas/{name}": write for name, write in SCHEMAS.items()},
}
"""File -> what writes it."""

if __name__ == "__main__":
    for name, write in PAGES.items():
        (DOCS / name).write_text(write(), encoding="utf-8")
