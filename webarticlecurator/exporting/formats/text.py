"""Plain text: a passage a line. In one file, an empty line stands between two articles and nowhere else; or a file an article.

A folder with a file an article and metadata.csv beside is what Voyant, AntConc and TXM (TXT + CSV) take.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.harmless import csv_cell, plain
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import COLUMNS, OF_ANALYSIS, TEXTUAL, as_text, columns_of, row_of


@Format("running text, a paragraph a line; in a folder, a file an article", ".txt", rank=1, per_article=True, options=("names",))
def write(export: Exporter, output: Output) -> None:
    """UTF-8, lines end in a line feed."""
    write_texts(export, output, ".txt", text_of, between="\n")


def text_of(article: ExportArticle) -> str:
    """The lines of an article; none of them is empty."""
    lines = plain("\n".join([passage.text for passage in article.passages])).replace("\t", " ").split("\n")
    return "".join([f"{shown}\n" for line in lines if (shown := line.strip())])


def write_texts(export: Exporter, output: Output, suffix: str, text_of: Callable[[ExportArticle], str], *, between: str) -> None:
    """In one file, or in one each, beside metadata.csv, whose first column says, without the ending, which file a row is about.

    Raises UsageError where an option speaks of metadata.csv, and there is none.
    """
    options = export.options
    if not output.is_folder:
        if options.fields or options.names:
            given = "fields" if options.fields else "names"
            raise UsageError(f"--{given} means nothing to texts in one file: it is for a folder (-o FOLDER/).")
        before = ""
        for article in export.articles():
            if content := text_of(article):
                output.main.write((before + content).encode())
                before = between
        return
    unknown = frozenset() if options.analyse or options.dedup is not None else OF_ANALYSIS
    fields = options.fields or tuple(name for name in COLUMNS if name not in unknown)
    columns = columns_of([name for name in fields if name not in ("id", "text")] or ["headline"])
    metadata = io.TextIOWrapper(output.stream("metadata.csv"), encoding="utf-8", newline="")
    rows = csv.writer(metadata)
    rows.writerow(["id", *(column.name for column in columns)])
    for article in export.articles():
        day = (article.built.published or "undated")[:10]
        stem = f"{day}_{article.id}" if options.names == "date" else article.id
        output.add(f"{stem}{suffix}", text_of(article).encode())
        cells = zip(columns, map(as_text, row_of(article, columns)), strict=True)
        rows.writerow([stem, *(csv_cell(text) if column.holds in TEXTUAL else text for column, text in cells)])
    metadata.close()
