"""Comma-separated values by RFC 4180: a row an article, for spreadsheets and everything else."""

from __future__ import annotations

import codecs
import csv
from collections import Counter

from webarticlecurator.amounts import amount
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.harmless import csv_cell
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import TEXTUAL, as_text, columns_of, row_of

_EXCEL = 32_767
"""Characters that a cell of it holds."""
_NOTES = {
    "formulas": "An apostrophe stands before {cells} that a spreadsheet would have taken for a formula.",
    "parted": "In {lists} a semicolon inside a value became a comma.",
    "long": f"Longer than the {_EXCEL:,} characters that Excel holds: {{cells}}; it cuts them when it opens the file.",
}


@Format("a table for spreadsheets: a row an article", ".csv", analysed=True, options=("bom",))
def write(export: Exporter, output: Output) -> None:
    """UTF-8, lines end in CRLF; lists are joined by `; `."""
    counts: Counter[str] = Counter()
    columns = columns_of(export.options.fields)
    rows = csv.writer(codecs.getwriter("utf-8-sig" if export.options.bom else "utf-8")(output.main))
    rows.writerow([column.name for column in columns])
    for article in export.articles():
        cells = []
        for column, value in zip(columns, row_of(article, columns), strict=True):
            text = as_text(value)
            if column.holds in TEXTUAL:
                cell = csv_cell(text)
                counts["formulas"] += cell is not text
                counts["long"] += len(cell) > _EXCEL
                counts["parted"] += isinstance(value, tuple) and any(";" in item for item in value)
                text = cell
            cells.append(text)
        rows.writerow(cells)
    output.notes += [
        sentence.format(cells=amount(counts[what], "cell"), lists=amount(counts[what], "list"))
        for what, sentence in _NOTES.items()
        if counts[what]
    ]
