"""What the program does, counted where it does it: parses, walks of whole trees (by the interpreter's profiler), statements (by SQLite)."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from lxml import etree

from webarticlecurator.selectors import Alternative

_WALKS = frozenset({"iter", "iterdescendants", "itertext", "iterfind", "findall", "iterwalk", "getiterator", "xpath"})
_WHOLE = frozenset({"html", "body"})
_SELECTED = Alternative.select.__code__
_WHEN_TIME_COMES = re.compile(r"\s*(?:BEGIN|COMMIT|PRAGMA)", re.IGNORECASE)
"""How often the clock decides, not the work."""


@contextmanager
def counted_trees() -> Iterator[Counter[str]]:
    """`parses`; `walks` over whole pages, each selector that is looked for in one among them."""
    counts: Counter[str] = Counter()

    def profile(frame: FrameType, event: str, called: Any) -> None:
        if event == "call" and frame.f_code is _SELECTED:
            counts["walks"] += frame.f_locals["element"].tag in _WHOLE
        elif event == "c_call" and called.__name__ in _WALKS and isinstance(called.__self__, etree._Element):
            counts["walks"] += called.__self__.tag in _WHOLE

    parse = etree.fromstring

    def parsed(content: Any, parser: Any = None, **options: Any) -> Any:
        counts["parses"] += isinstance(parser, etree.HTMLParser)
        return parse(content, parser, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(etree, "fromstring", parsed)
        sys.setprofile(profile)
        try:
            yield counts
        finally:
            sys.setprofile(None)


@contextmanager
def counted_statements() -> Iterator[Counter[str]]:
    """`statements` of all connections that are opened meanwhile, but for those that begin and end transactions."""
    counts: Counter[str] = Counter()
    connect = sqlite3.connect

    def note(statement: str) -> None:
        if not _WHEN_TIME_COMES.match(statement):
            counts["statements"] += 1

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(note)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        yield counts
