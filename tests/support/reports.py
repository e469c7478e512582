"""Statistics of an invented corpus for tests of the report: every text in them is what the test says, however hostile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from webarticlecurator.model.statistics import CorpusStatistics, Day, Period, RequestDay
from webarticlecurator.report.page.corpus_page import corpus_page

_DATED = {(Day, "day"): "2021-03-0{}", (RequestDay, "day"): "2026-11-0{}", (Period, "name"): "202{}"}
"""Texts that the program itself writes as days, months or years."""
_ROWS = 3
MADE_ON = date(2026, 11, 21)


def statistics_saying(text: Callable[[], str]) -> CorpusStatistics:
    """All tables have some rows, and every text in them is the next one."""
    made = _value(CorpusStatistics, text, 1)
    assert isinstance(made, CorpusStatistics)
    return made


def page_saying(text: Callable[[], str]) -> bytes:
    return corpus_page(statistics_saying(text), made_on=MADE_ON)


@cache
def _hints(made: type) -> dict[str, Any]:
    return get_type_hints(made)


def _value(kind: Any, text: Callable[[], str], number: int) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        dated = {name: form.format(number) for (owner, name), form in _DATED.items() if owner is kind}
        return kind(**{one.name: dated.get(one.name) or _value(hints[one.name], text, number) for one in fields(kind)})
    if origin is tuple:
        return tuple(_value(inner[0], text, place) for place in range(1, _ROWS + 1))
    if origin in (Union, UnionType):
        return _value(next(one for one in inner if one is not type(None)), text, number)
    if origin is not None:
        return {_value(inner[0], text, number): _value(inner[1], text, number)}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    plain = {int: 2020 + number, float: 1.5, bool: number % 2 == 0, datetime: datetime(2026, 11, 20, tzinfo=UTC)}
    return plain[kind] if kind in plain else text()
