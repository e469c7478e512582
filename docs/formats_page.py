"""docs/reference/formats.md: the columns of tables and the formats of exports with their beginnings, from the program's own tables."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from webarticlecurator import export as export_portals
from webarticlecurator.cli.export import export
from webarticlecurator.exporting.formats import Format, all_formats
from webarticlecurator.exporting.table import COLUMNS

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "support"))
from published import article, post, published

_WITHOUT = {"headline": "`--no-headline`"}
"""How an option is written that is on without being asked for."""
_LINES, _WIDTH = 12, 120
"""So much of an example is shown."""


def formats() -> str:
    """A table of all formats, then each format."""
    rows = [
        f"| [`{name}`](#{name}) | {one.summary} | {f'`{one.suffix}`' if one.suffix else 'a folder'} |"
        for name, one in all_formats().items()
    ]
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, SOURCE_DATE_EPOCH="1717200000"):
        file = _corpus(Path(folder))
        sections = [line for name, one in all_formats().items() for line in _section(name, one, file, Path(folder) / f"of-{name}")]
    of_formats = [
        "## Formats",
        "",
        "All examples are of one invented portal with two articles.",
        "",
        "| format | what it is | one file |",
        "|---|---|---|",
    ]
    return "\n".join([*of_formats, *rows, "", *sections])


def columns() -> list[str]:
    """The table of all columns."""
    rows = (f"| `{column.name}` | {column.holds.value} | {column.description} |" for column in COLUMNS.values())
    return ["| column | type | what it is |", "|---|---|---|", *rows]


def _corpus(folder: Path) -> Path:
    bridge = article(
        1,
        "The old bridge is open again. It had been closed for a year.",
        "Trams run from Monday.",
        title="The bridge is open",
        author="Ada Kovács",
        articleSection="City",
        keywords=["bridge", "tram"],
        posts=(post("At last!", who="reader", id="c1", when="2024-05-01T11:00:00+02:00"),),
    )
    spring = article(2, "The first swallows are here.", title="Spring", date="2024-05-02", articleSection="Nature")
    return published(folder, bridge, spring).file


def _section(name: str, one: Format, file: Path, output: Path) -> Iterator[str]:
    yield f"## `{name}`\n\n{one.summary[0].upper()}{one.summary[1:]}.\n"
    output.mkdir()
    called = "pelda/" if one.folder else f"pelda{one.suffix}"
    main = output / called
    export_portals(file, name, output=f"{output}/{called}")
    written = sorted(path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file())
    yield f"- `-o {called}` writes {', '.join(f'`{each}`' for each in written)}."
    if one.per_article:
        yield "- Where `-o` names a folder (it ends in `/`), a file an article."
    if one.library:
        yield f'- It needs `pip install "webarticlecurator[{name}]"`.'
    if one.options:
        yield f"- Options of its own: {'; '.join(f'`--{option}`: {_help(option)}' for option in one.options)}"
    if one.ignores:
        yield f"- Without meaning here: {', '.join(_WITHOUT.get(option, f'`--{option}`') for option in one.ignores)}."
    if one.analysed:
        yield "- It shows what was found about [languages and duplicates](../how-to/hand-it-on.md#what-the-numbers-mean)."
    if main.is_file() and main.stat().st_size and not one.binary:
        yield f"\n```text\n{_beginning(main.read_text(encoding='utf-8'))}\n```"
    yield ""


def _help(option: str) -> str:
    """Without the format's name before it, which stands in the heading."""
    (parameter,) = [one for one in export.declared if one.name == option]
    text = str(getattr(parameter, "help", ""))
    return text.partition(": ")[2] if text.partition(":")[0] in all_formats() else text


def _beginning(text: str) -> str:
    lines = text.splitlines()
    shown = [line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..." for line in lines[:_LINES]]
    return "\n".join([*shown, *(["..."] if len(lines) > _LINES else [])])
