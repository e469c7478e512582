"""The formats that a corpus can be exported to: the module that writes one is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import did_you_mean

if TYPE_CHECKING:
    from webarticlecurator.exporting.exporter import Exporter
    from webarticlecurator.exporting.output import Output


@dataclass(frozen=True, slots=True)
class Format:
    """What is to be said of a format; the function `write_NAME` of its module goes through all articles and writes them."""

    name: str
    module: str
    summary: str
    suffix: str
    """Of its main file, with the dot."""
    folder: bool = False
    """It is always several files, in a folder of its own."""
    per_article: bool = False
    """It can also be a folder with a file an article."""
    binary: bool = False
    """Nobody can read it on a terminal."""
    library: str | None = None
    """What it needs that only an extra of the package brings, which is called as the format is; imported by its writer alone."""
    analysed: bool = False
    """Its rows show what `analysis` found."""
    options: tuple[str, ...] = ()
    """What only some formats understand and this one does: `names`, `bom`."""
    ignores: tuple[str, ...] = ()
    """Which of `fields`, `headline`, `with` mean nothing to it."""

    def is_folder(self, output: Path | str | None) -> bool:
        """Whether it is several files: always, or where their folder is named, by a name that ends in `/` or one that is there."""
        names_one = output is not None and (str(output).endswith(("/", "\\")) or Path(output).is_dir())
        return self.folder or (self.per_article and names_one)


_ALL = (
    Format(
        "text", "texts", "running text, a paragraph a line; in a folder, a file an article", ".txt",
        per_article=True, options=("names",),
    ),
    Format(
        "markdown", "texts", "text with headings, lists, tables, links; in a folder, a file an article", ".md",
        per_article=True, options=("names",),
    ),
    Format("txm", "texts", "a folder for TXM's import XTZ + CSV", "", folder=True),
    Format(
        "vertical", "tokens", "one word a line and a registry file, for Sketch Engine and NoSketch Engine", ".vert",
        analysed=True, ignores=("fields",),
    ),
    Format(
        "cwb", "tokens", "the same for the Corpus Workbench and CQPweb, with the script that makes a corpus of it", ".vrt",
        analysed=True, ignores=("fields",),
    ),
    Format("conllu", "tokens", "sentences and tokens in the format of Universal Dependencies", ".conllu", analysed=True),
    Format("jsonl", "tables", "one JSON object a line: all that is known of each article", ".jsonl", ignores=("headline",)),
    Format("csv", "tables", "a table for spreadsheets: a row an article", ".csv", analysed=True, options=("bom",)),
    Format("parquet", "tables", "a typed table", ".parquet", binary=True, library="pyarrow", analysed=True),
    Format("sqlite", "tables", "a database with full-text search, for Datasette", ".sqlite", binary=True, analysed=True),
    Format(
        "teicorpus", "documents", "the TEI documents under one corpus header; where -o names a folder, each in its file", ".xml",
        per_article=True, ignores=("fields", "headline"),
    ),
    Format(
        "rdf", "documents", "Schema.org data as N-Triples, or as Turtle where the name ends in .ttl", ".nt",
        ignores=("fields", "headline", "with"),
    ),
)  # fmt: skip
FORMATS = {format.name: format for format in _ALL}
"""In the order in which help tells them."""


def format_of(name: str) -> Format:
    """The one with that name. Raises UsageError."""
    if name not in FORMATS:
        raise UsageError(f"{name!r} is no format of an export. {did_you_mean(name, FORMATS)}There are: {', '.join(FORMATS)}.")
    return FORMATS[name]


def writer_of(name: str) -> Callable[[Exporter, Output], None]:
    """What goes through all articles and writes them. Raises UsageError where the library that it needs is not installed."""
    format = format_of(name)
    if format.library is not None and find_spec(format.library) is None:
        raise UsageError(f'This format needs {format.library}, which is not installed: pip install "webarticlecurator[{name}]"')
    write: Callable[[Exporter, Output], None] = getattr(import_module(f"{__name__}.{format.module}"), f"write_{name}")
    return write
