"""Comma-separated values by RFC 4180: a row an article, for spreadsheets and everything else."""

from __future__ import annotations

import codecs
import csv
from collections import Counter
from collections.abc import Sequence

from webarticlecurator.amounts import amount
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.harmless import csv_cell
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.table import Holds, Table, Value, as_text, columns_of

_WRITTEN_BY_OTHERS = frozenset({Holds.TEXT, Holds.TEXTS})
"""Only these can hold what a spreadsheet takes for a formula; numbers stay numbers."""

_EXCEL = 32_767
"""Characters that a cell of it holds."""
_NOTES = {
    "formulas": "An apostrophe stands before {cells} that a spreadsheet would have taken for a formula.",
    "parted": "In {lists} a semicolon inside a value became a comma.",
    "long": f"Longer than the {_EXCEL:,} characters that Excel holds: {{cells}}; it cuts them when it opens the file.",
}


class CommaSeparated:
    """UTF-8, lines end in CRLF; lists are joined by `; `."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self._output = output
        self._counts: Counter[str] = Counter()
        self._table = Table(columns_of(options.fields), corpora)
        self._guarded = [one.holds in _WRITTEN_BY_OTHERS for one in self._table.columns]
        encoding = "utf-8-sig" if options.format_options.get("bom") else "utf-8"
        self._rows = csv.writer(codecs.getwriter(encoding)(output.main))
        self._rows.writerow([one.name for one in self._table.columns])

    def write(self, article: ExportArticle) -> None:
        values = self._table.row(article)
        self._rows.writerow(
            [self._guarded_cell(one) if guarded else as_text(one) for one, guarded in zip(values, self._guarded, strict=True)]
        )

    def finish(self) -> None:
        self._output.notes += [
            sentence.format(cells=amount(self._counts[what], "cell"), lists=amount(self._counts[what], "list"))
            for what, sentence in _NOTES.items()
            if self._counts[what]
        ]

    def _guarded_cell(self, value: Value) -> str:
        text = as_text(value)
        cell = csv_cell(text)
        self._counts["formulas"] += cell is not text
        self._counts["long"] += len(cell) > _EXCEL
        self._counts["parted"] += isinstance(value, tuple) and any(";" in one for one in value)
        return cell
