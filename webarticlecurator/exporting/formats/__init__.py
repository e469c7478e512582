"""The formats that a corpus can be exported to: one table, one module each, imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.export_options import did_you_mean

if TYPE_CHECKING:
    from webarticlecurator.exporting.exporter import Exporter
    from webarticlecurator.exporting.output import Output


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the table."""

    summary: str
    suffix: str
    """Of its main file, with the dot."""
    folder: bool = False
    """It is always several files, in a folder of its own."""
    per_article: bool = False
    """It can also be a folder with a file an article."""
    binary: bool = False
    """Nobody can read it on a terminal."""
    extra: str | None = None
    """The extra of the package whose libraries it needs."""
    analysed: bool = False
    """Its rows show what `analysis` found."""
    options: tuple[str, ...] = ()
    """What only some formats understand and this one does: `names`, `bom`."""
    ignores: tuple[str, ...] = ()
    """Which of `fields`, `headline`, `with` mean nothing to it."""


FORMATS: dict[str, Format] = {
    "text": Format("running text, a paragraph a line; in a folder, a file an article", ".txt", per_article=True, options=("names",)),
    "markdown": Format(
        "text with headings, lists, tables, links; in a folder, a file an article", ".md", per_article=True, options=("names",)
    ),
    "vertical": Format(
        "one word a line and a registry file, for Sketch Engine and NoSketch Engine", ".vert", analysed=True, ignores=("fields",)
    ),
    "cwb": Format(
        "the same for the Corpus Workbench and CQPweb, with the script that makes a corpus of it",
        ".vrt",
        analysed=True,
        ignores=("fields",),
    ),
    "jsonl": Format("one JSON object a line: all that is known of each article", ".jsonl", ignores=("headline",)),
    "conllu": Format("sentences and tokens in the format of Universal Dependencies", ".conllu", analysed=True),
    "csv": Format("a table for spreadsheets: a row an article", ".csv", analysed=True, options=("bom",)),
    "parquet": Format("a typed table, and its dataset card", ".parquet", binary=True, extra="parquet", analysed=True),
    "sqlite": Format("a database with full-text search, for Datasette", ".sqlite", binary=True, analysed=True),
    "teicorpus": Format(
        "the TEI documents under one corpus header; where -o names a folder, each in its file",
        ".xml",
        per_article=True,
        ignores=("fields", "headline"),
    ),
    "txm": Format("a folder for TXM's import XTZ + CSV", "", folder=True),
    "rdf": Format("Schema.org data as N-Triples, or as Turtle where the name ends in .ttl", ".nt", ignores=("fields", "headline", "with")),
    "cdxj": Format(
        "where the captures lie in the WARC files, for replaying and searching",
        ".cdxj",
        extra="cdxj",
        ignores=("fields", "headline", "with"),
    ),
}
"""In the order in which help tells them."""


def format_of(name: str) -> Format:
    """The row of that name. Raises UsageError."""
    if name not in FORMATS:
        raise UsageError(f"{name!r} is no format of an export. {did_you_mean(name, FORMATS)}There are: {', '.join(FORMATS)}.")
    return FORMATS[name]


def writer_of(name: str) -> Callable[[Exporter, Output], None]:
    """What goes through all articles and writes them. Raises UsageError where the libraries that it needs are not installed."""
    try:
        write: Callable[[Exporter, Output], None] = import_module(f"{__name__}.{name}").write
    except ModuleNotFoundError as missing:
        if (extra := FORMATS[name].extra) is None:
            raise
        raise UsageError(f'This format needs {missing.name}, which is not installed: pip install "webarticlecurator[{extra}]"') from None
    return write
