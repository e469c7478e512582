"""The formats that a corpus can be exported to: one table, one module each, imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.options import did_you_mean

if TYPE_CHECKING:
    from webarticlecurator.exporting.articles import ExportArticle
    from webarticlecurator.exporting.options import ExportOptions
    from webarticlecurator.exporting.output import Output
    from webarticlecurator.exporting.portals import PortalInfo


class Writer(Protocol):
    """What writes one export; made once, given every article, then finished."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None: ...

    def write(self, article: ExportArticle) -> None: ...

    def finish(self) -> None:
        """Write what can only be written at the end; the output is committed after that."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the table."""

    place: str
    """`module:Class`, below this package; the class is a Writer."""
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
    """What only some formats understand and this one does: names of `ExportOptions.format_options`, and `tokenizer`."""
    ignores: tuple[str, ...] = ()
    """Which of `fields`, `headline`, `with` mean nothing to it."""

    def writer(self) -> type[Writer]:
        """Its class. Raises UsageError where the libraries that it needs are not installed."""
        module, name = self.place.split(":")
        try:
            return cast("type[Writer]", getattr(import_module(f"{__name__}.{module}"), name))
        except ModuleNotFoundError as missing:
            if self.extra is None:
                raise
            raise UsageError(
                f'This format needs {missing.name}, which is not installed: pip install "webarticlecurator[{self.extra}]"'
            ) from None


FORMATS: dict[str, Format] = {
    "text": Format(
        "text:PlainText", "running text, a paragraph a line; in a folder, a file an article", ".txt", per_article=True, options=("names",)
    ),
    "markdown": Format(
        "markdown:Markdown",
        "text with headings, lists, tables, links; in a folder, a file an article",
        ".md",
        per_article=True,
        options=("names",),
    ),
    "vertical": Format(
        "vertical:Vertical",
        "one word a line and a registry file, for Sketch Engine and NoSketch Engine",
        ".vert",
        analysed=True,
        options=("tokenizer",),
        ignores=("fields",),
    ),
    "cwb": Format(
        "cwb:Cwb",
        "the same for the Corpus Workbench and CQPweb, with the script that makes a corpus of it",
        ".vrt",
        analysed=True,
        options=("tokenizer",),
        ignores=("fields",),
    ),
    "jsonl": Format("jsonl:JsonLines", "one JSON object a line: all that is known of each article", ".jsonl", ignores=("headline",)),
    "conllu": Format(
        "conllu:Conllu", "sentences and tokens in the format of Universal Dependencies", ".conllu", analysed=True, options=("tokenizer",)
    ),
    "csv": Format("csv:CommaSeparated", "a table for spreadsheets: a row an article", ".csv", analysed=True, options=("bom",)),
    "parquet": Format("parquet:Parquet", "a typed table, and its dataset card", ".parquet", binary=True, extra="parquet", analysed=True),
    "sqlite": Format("sqlite:SqliteDatabase", "a database with full-text search, for Datasette", ".sqlite", binary=True, analysed=True),
    "teicorpus": Format(
        "teicorpus:TeiCorpus",
        "the TEI documents under one corpus header; with --per-article each in its file",
        ".xml",
        per_article=True,
        ignores=("fields", "headline"),
    ),
    "txm": Format("txm:Txm", "a folder for TXM's import XTZ + CSV", "", folder=True),
    "rdf": Format(
        "rdf:Rdf", "Schema.org data as N-Triples, or as Turtle where the name ends in .ttl", ".nt", ignores=("fields", "headline", "with")
    ),
    "cdxj": Format(
        "cdxj:Cdxj",
        "where the captures lie in the WARC files, for replaying and searching",
        ".cdxj",
        extra="cdxj",
        options=("everything",),
        ignores=("fields", "headline", "with"),
    ),
}
"""In the order in which help tells them."""


def format_of(name: str) -> Format:
    """The row of that name. Raises UsageError."""
    if name not in FORMATS:
        raise UsageError(f"{name!r} is no format of an export. {did_you_mean(name, FORMATS)}There are: {', '.join(FORMATS)}.")
    return FORMATS[name]
