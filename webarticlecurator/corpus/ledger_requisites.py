"""Questions to the ledger about the style sheets, pictures and fonts of pages: what is still to be looked
through, what is still to be asked for, and where each is stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import orjson

from webarticlecurator.corpus.ledger import PLACE, Ledger
from webarticlecurator.corpus.ledger_schema import ASKED_AGAIN_IN_SQL, key_of
from webarticlecurator.model.capture import RequisiteKind
from webarticlecurator.urls import normalise
from webarticlecurator.warc.stored import StoredResponse

_MOST_TRIES = 3
"""Crawls that ask for a file that cannot be had."""
_DEEPEST = 4
"""Steps from a page to the last style sheet that is looked through."""
_AT_ONCE = 200
"""Files that are given at a time."""
_LOOKED_THROUGH_AT_ONCE = 20
"""Pages that are given at a time: one event tells what all of them name."""
_NOT_LOOKED_THROUGH = (
    "NOT EXISTS (SELECT 1 FROM looked_through l WHERE l.record = r.record AND l.kinds = :kinds)"
    f" AND id > :after ORDER BY id LIMIT {_LOOKED_THROUGH_AT_ONCE}"
)
_PAGES = f"SELECT id, 0, {PLACE} FROM captures r WHERE part > 0 AND {_NOT_LOOKED_THROUGH}"
_SHEETS = f"""
    SELECT id, depth, {PLACE} FROM requisites r INDEXED BY requisites_sheets
    WHERE needed_as = 'css' AND record IS NOT NULL AND depth <= {_DEEPEST} AND {_NOT_LOOKED_THROUGH}
"""
_UNKNOWN = """
    SELECT value ->> 1, value ->> 2 FROM json_each(?) WHERE value ->> 0 NOT IN (SELECT key FROM requisites)
"""
_WAITING = f"""
    SELECT url, host, needed_as, depth FROM requisites INDEXED BY requisites_waiting
    WHERE outcome IN {ASKED_AGAIN_IN_SQL} AND tries < {_MOST_TRIES} AND asked_run < :run
    AND needed_as IN (SELECT value FROM json_each(:kinds))
    AND host NOT IN (SELECT value FROM json_each(:left))
    ORDER BY id LIMIT :most
"""
_COUNTS = f"""
    SELECT CASE WHEN record IS NOT NULL THEN 'stored'
        WHEN outcome IN {ASKED_AGAIN_IN_SQL} AND tries < {_MOST_TRIES} THEN 'wait'
        ELSE 'failed' END AS state, count(*)
    FROM requisites WHERE record IS NOT NULL OR needed_as IN (SELECT value FROM json_each(?))
    GROUP BY state ORDER BY state != 'stored', state DESC
"""
_WHOLE = f"""
    SELECT {", ".join(f"w.{name}" for name in PLACE.split(", "))}
    FROM requisites r JOIN requisites w ON w.digest = r.digest AND w.whole
    WHERE {{}} ORDER BY w.id LIMIT 1
"""


class NamingRecords(NamedTuple):
    """Stored pages of articles (of depth 0), or stored style sheets, that may name further files."""

    depth: int
    stored: list[StoredResponse]


class WaitingRequisite(NamedTuple):
    """A file that is to be asked for."""

    url: str
    host: str
    needed_as: RequisiteKind
    depth: int


def not_looked_through(ledger: Ledger, kinds: Iterable[str]) -> Iterator[NamingRecords]:
    """Give the pages and style sheets that were not looked through yet for names of files of these kinds, a
    few at a time."""
    asked = " ".join(kinds)
    for sql in (_PAGES, _SHEETS):
        after = 0
        while rows := ledger.rows(sql, {"kinds": asked, "after": after}).fetchall():
            for depth, alike in groupby(rows, itemgetter(1)):
                yield NamingRecords(depth, [StoredResponse(*place) for _, _, *place in alike])
            after = rows[-1][0]


def unknown(ledger: Ledger, names: dict[str, RequisiteKind]) -> tuple[tuple[str, RequisiteKind], ...]:
    """Return the addresses, with their kinds, that nothing has named before."""
    keyed = [(key_of(normalise(url)), url, kind) for url, kind in names.items()]
    return tuple(ledger.rows(_UNKNOWN, (orjson.dumps(keyed).decode(),)))


def waiting(
    ledger: Ledger, kinds: Iterable[str], *, run: int, left: Collection[str]
) -> list[WaitingRequisite]:
    """Return some of those that this run has not asked for, on other hosts than those that are left alone."""
    values = {"kinds": orjson.dumps(list(kinds)).decode(), "left": orjson.dumps(list(left)).decode()}
    return [WaitingRequisite(*row) for row in ledger.rows(_WAITING, {**values, "run": run, "most": _AT_ONCE})]


def requisite_counts(ledger: Ledger, kinds: Iterable[str]) -> dict[str, int]:
    """Return how many are `stored`; and of these kinds, how many `wait` for the next crawl, and could not be
    had (`failed`)."""
    return dict(ledger.rows(_COUNTS, (orjson.dumps(list(kinds)).decode(),)))


def stored(ledger: Ledger, address: str) -> StoredResponse | None:
    """Return the whole answer that is stored for an address, or that the one stored for it repeats."""
    return _whole(ledger, "r.key = ?", key_of(normalise(address)))


def stored_with(ledger: Ledger, digest: str) -> StoredResponse | None:
    """Return the whole answer with a digest."""
    return _whole(ledger, "r.digest = ? AND r.whole", digest)


def _whole(ledger: Ledger, which: str, value: object) -> StoredResponse | None:
    rows = ledger.rows(_WHOLE.format(which), (value,))
    return next((StoredResponse(*row) for row in rows), None)
