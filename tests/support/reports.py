"""Numbers of an invented corpus for tests of the report: every text in them is what the test says, however hostile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from webarticlecurator.model.corpus_status import Proof, StatusReport
from webarticlecurator.report.corpus_page import corpus_page

COLUMNS = {
    "portal": "name title home language timezone kind publisher rights corpus program robots_policy",
    "lacks": "what why command",
    "totals": "urls# articles# words# posts# undated# uncounted# mean# first@ first_url first_headline last@ last_url last_headline",
    "articles-by-year": "year# articles# words#",
    "articles-by-month": "month@ articles# words#",
    **dict.fromkeys(("columns", "sections", "layouts"), "name articles# words# first@ last@"),
    **dict.fromkeys(("columns-by-year", "sections-by-year", "layouts-by-year"), "name year# articles# words#"),
    "days": "day@ links# fetched# failed# waiting# articles# gap? silent?",
    "gaps": "column first@ last@ days# expected# proved?",
    "outcomes": "year# outcome failed? reason count# url",
    "reasons": "outcome failed? reason count# years* urls*",
    "doubts": "sentence count# since@ pages*",
    "problems": "kind weight# reason count# examples* since@ command",
    "fields": "field filled# disagreeing# longer# too_long? url text",
    "fields-by-year": "field year# articles# filled#",
    "sources": "field source articles#",
    "disagreements": "field chosen other articles# url text",
    **dict.fromkeys(("names", "suspicious-names"), "field name articles# first@ last@ suspicious* url"),
    "name-counts": "field distinct# articles# suspects#",
    "odd-dates": "why articles# url text",
    "coverage": "year# articles# kept# dropped# undecided# articles_undecided#",
    "dropped": "rule words# pieces# articles# tag url text",
    "undecided": "tag words# count# articles# url",
    "languages": "language declared? identified articles# certain# disagree? url text",
    "lengths": "least# most# articles#",
    **dict.fromkeys(("shortest-articles", "longest-articles"), "words# url text"),
    "duplicates": "kind clusters# articles# surplus#",
    "largest-clusters": "kind articles# url text other_url other_text",
    "access": "year# whole# free# paid# undeclared# paywall# paid_but_whole#",
    "types": "type articles#",
    "posts": "kind posts# words# articles# answers# deleted# undated#",
    "posts-by-year": "kind year# posts# words#",
    "largest-threads": "kind posts# url text",
    "requests": "day@ host requests# failed#",
    "hosts": "host requests#",
    "annotations": "layer year# articles# annotated# tokens#",
    "lemmas-by-year": "layer year# lemma upos times#",
    "changed": "url headline text_changed captures#",
    "signals": "name value pages# url",
    "rules": "digest articles# current?",
    "warc-files": "file bytes# open? exchanges# first@ last@",
}
"""The columns of each number: texts of anybody, numbers (#), days (@), truths (?), lists of texts (*)."""
_KEYS = frozenset({"kind", "field", "name"})
"""By which rows of one number belong to those of another."""
_ROWS = 3
MADE_ON = date(2026, 11, 21)
Text = Callable[[], str]


class Row(dict[str, Any]):
    """Its columns are attributes, too."""

    __getattr__ = dict.__getitem__


def numbers_saying(text: Text) -> dict[str, Any]:
    """All tables have some rows, and every text in them is the next one."""
    names = [{key: text() for key in _KEYS} for _ in range(_ROWS)]
    numbers: dict[str, Any] = {
        name: [Row({column.rstrip("#@?*"): _cell(column, text, place, names) for column in columns.split()}) for place in range(_ROWS)]
        for name, columns in COLUMNS.items()
    }
    numbers["length-quantiles"] = [Row(percent=percent, words=10 * percent) for percent in (5, 25, 50, 75, 95)]
    numbers["capped"] = [Row(number="names", shown=_ROWS, all=2_000)]
    return numbers | {"status": [_value(StatusReport, text, 1)], "proofs": [_value(Proof, text, place) for place in range(_ROWS)]}


def page_of_nothing() -> bytes:
    """Of a portal of which nothing was crawled."""
    numbers: dict[str, Any] = dict.fromkeys(COLUMNS, ()) | {"length-quantiles": (), "capped": (), "proofs": ()}
    portal = Row(dict.fromkeys(COLUMNS["portal"].split(), "pelda"))
    totals = Row({column.rstrip("#@"): 0 if column.endswith("#") else None for column in COLUMNS["totals"].split()})
    status = StatusReport(portal="pelda", corpus="pelda")
    return corpus_page(numbers | {"portal": [portal], "totals": [totals], "status": [status]}, made_on=MADE_ON)


def page_saying(text: Text, *, but: str = "") -> bytes:
    """`but`: the number that has no rows."""
    return corpus_page(numbers_saying(text) | ({but: ()} if but else {}), made_on=MADE_ON)


def _cell(column: str, text: Text, place: int, names: list[dict[str, str]]) -> Any:
    if column in _KEYS:
        return names[place][column]
    day = f"2021-0{place + 1}" if column == "month@" else f"2021-03-0{place + 1}"
    return {"#": 2020 + place, "@": day, "?": place % 2 == 0, "*": [text(), text()]}.get(column[-1], text())


# --- dataclasses: what `curator status` tells ---


def _value(kind: Any, text: Text, number: int) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{one.name: _value(hints[one.name], text, number) for one in fields(kind)})
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
