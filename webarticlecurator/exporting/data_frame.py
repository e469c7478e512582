"""The table as a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.table import Holds, Table, Value, columns_of

if TYPE_CHECKING:
    import pandas

_TYPES = {
    Holds.TEXT: "string",
    Holds.INTEGER: "Int64",
    Holds.NUMBER: "Float64",
    Holds.YES_NO: "boolean",
    Holds.INSTANT: "datetime64[us, UTC]",
}
"""In all of them a value may be missing; lists are plain objects."""


class DataFrameRows:
    """Takes articles as the writer of a format does, and keeps their rows."""

    def __init__(self, fields: Sequence[str], corpora: Sequence[PortalInfo]) -> None:
        pandas_library()  # before a corpus is read for nothing
        self._table = Table(columns_of(fields), corpora)
        self._values: list[list[Value]] = [[] for _ in self._table.columns]

    def write(self, article: ExportArticle) -> None:
        for values, value in zip(self._values, self._table.row(article), strict=True):
            values.append(value)

    def finish(self) -> None:
        pass

    def frame(self) -> pandas.DataFrame:
        """A row an article."""
        pandas = pandas_library()
        columns: dict[str, Any] = {}
        for column, values in zip(self._table.columns, self._values, strict=True):
            told = _lists(values) if column.holds is Holds.TEXTS else values
            columns[column.name] = pandas.Series(told, dtype=_TYPES.get(column.holds, "object"))
        return pandas.DataFrame(columns)


def pandas_library() -> Any:
    """Raises UsageError where it is not installed."""
    try:
        import pandas
    except ModuleNotFoundError as missing:
        raise UsageError(f'This needs {missing.name}, which is not installed: pip install "webarticlecurator[pandas]"') from None
    return pandas


def _lists(values: Sequence[Value]) -> list[list[str]]:
    return [list(one) if isinstance(one, tuple) else [] for one in values]
