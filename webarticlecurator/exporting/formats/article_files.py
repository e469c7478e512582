"""A file an article in one folder, with metadata.csv beside: what Voyant, AntConc and TXM (TXT + CSV) take."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.harmless import csv_cell, file_name
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS, Holds, Table, as_text, columns_of

NAMES = ("id", "date")
"""What files may be named after."""
_UNDATED = "undated"


def article_files(output: Output, options: ExportOptions, corpora: Sequence[PortalInfo], suffix: str) -> ArticleFiles | None:
    """None where the export is one file. Raises UsageError where an option speaks of metadata.csv, which there is none of then."""
    if output.is_folder:
        return ArticleFiles(output, options, corpora, suffix)
    given = "fields" if options.fields else "names" if "names" in options.format_options else None
    if given is not None:
        raise UsageError(f"--{given} means nothing to texts in one file: it is for a folder (-o FOLDER/, or --per-article).")
    return None


class ArticleFiles:
    """The files of one export; metadata.csv says in its first column, without the ending, which file a row is about."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo], suffix: str) -> None:
        self._output = output
        self._suffix = suffix
        self._by_date = _names(options) == "date"
        unknown = frozenset() if options.analyse or options.dedup is not None else OF_ANALYSIS
        fields = options.fields or tuple(name for name in COLUMNS if name not in unknown)
        self._table = Table(columns_of([name for name in fields if name not in ("id", "text")] or ["headline"]), corpora)
        self._text = io.TextIOWrapper(output.file("metadata.csv"), encoding="utf-8", newline="")
        self._rows = csv.writer(self._text)
        self._rows.writerow(["id", *(one.name for one in self._table.columns)])

    def write(self, article: ExportArticle, content: bytes) -> None:
        """One file, and its row."""
        stem = file_name(article.id)
        if self._by_date:
            stem = f"{_day(article)}_{stem}"
        with self._output.file(f"{stem}{self._suffix}") as file:
            file.write(content)
        cells = zip(self._table.columns, self._table.row(article), strict=True)
        guarded = (csv_cell(as_text(value)) if column.holds in (Holds.TEXT, Holds.TEXTS) else as_text(value) for column, value in cells)
        self._rows.writerow([stem, *guarded])

    def finish(self) -> None:
        self._text.close()


def _names(options: ExportOptions) -> str:
    names = options.format_options.get("names", "id")
    if names not in NAMES:
        raise UsageError(f"--names {names}: there are {' and '.join(NAMES)}.")
    return str(names)


def _day(article: ExportArticle) -> str:
    day = (article.built.published or "")[:10]
    return day if day and file_name(day) == day else _UNDATED
