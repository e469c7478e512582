"""Comma-separated values by RFC 4180: a row an article, for spreadsheets and everything else."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Sequence

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.harmless import csv_cell
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.table import Holds, Table, as_text, columns_of

_WRITTEN_BY_OTHERS = frozenset({Holds.TEXT, Holds.TEXTS})
"""Only these can hold what a spreadsheet takes for a formula; numbers stay numbers."""


class CommaSeparated:
    """UTF-8, lines end in CRLF; lists are joined by `; `."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self._table = Table(columns_of(options.fields), corpora)
        self._guarded = [one.holds in _WRITTEN_BY_OTHERS for one in self._table.columns]
        encoding = "utf-8-sig" if options.format_options.get("bom") else "utf-8"
        self._rows = csv.writer(codecs.getwriter(encoding)(output.main))
        self._rows.writerow([one.name for one in self._table.columns])

    def write(self, article: ExportArticle) -> None:
        cells = map(as_text, self._table.row(article))
        self._rows.writerow([csv_cell(cell) if guarded else cell for cell, guarded in zip(cells, self._guarded, strict=True)])

    def finish(self) -> None:
        pass
