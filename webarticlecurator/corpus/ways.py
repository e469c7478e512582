"""Several ways to the same articles: which of them is proved, so that the others are not needed."""

from __future__ import annotations

from collections.abc import Iterable

from webarticlecurator.config.column_urls import SECTION, column_of
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.events import ProofGround
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.status import Way

_PROVED, _READ, _NOT_NEEDED, _NOT_WALKED = "proved", "read", "not needed", "not walked"
_GROUND = "SELECT ground FROM walks WHERE column = ? AND rules = ? AND end = 'proved' ORDER BY id DESC LIMIT 1"
_LISTED = "SELECT sum(links) FROM walks WHERE column = ? AND rules = ?"
_MORE = """
    WITH of_way AS (SELECT id, substr(name, 1, instr(name || :mark, :mark) - 1) AS way FROM columns)
    SELECT u.url FROM listings l JOIN of_way c ON c.id = l.column_id JOIN urls u ON u.id = l.url_id WHERE c.way = :way AND NOT EXISTS (
        SELECT 1 FROM urls v JOIN listings o ON o.url_id = v.id JOIN of_way r ON r.id = o.column_id
        WHERE v.identity_key = u.identity_key AND r.way = :other
    ) GROUP BY u.id
"""
"""Articles that one way lists, by itself or by its sections, and another does not under any address."""
_LAST_WALKS = "SELECT column, end, reason FROM last_walks WHERE rules = ? ORDER BY id"
_COVERED = "SELECT column, covered FROM walks WHERE rules = ?"


def ways_of(portal: Portal, ledger: Ledger) -> tuple[Way, ...]:
    """What the last walks of each way came to, best first; none where the archive has no ways."""
    columns = [column for column in portal.columns if column.ways]
    found = [_way(column, ledger) for column in columns]
    used = next((place for place, way in enumerate(found) if way.state == _PROVED), len(found))
    read = [column.format for column, way in zip(columns, found, strict=True) if way.state == _READ]
    ways = []
    for place, (column, way) in enumerate(zip(columns, found, strict=True)):
        is_needless = place > used or (way.state == _NOT_WALKED and column.format in read)
        ways.append(Way(name=way.name, state=_NOT_NEEDED) if is_needless else way)
    return tuple(ways)


def needless_columns(portal: Portal, ledger: Ledger) -> frozenset[str]:
    """Columns of which nothing is open, whatever became of their walks: another way to the same articles is proved.

    Where one is only read, those of its format that tell nothing more: other addresses at which it might have been.
    """
    ways = ways_of(portal, ledger)
    states = {way.state for way in ways}
    if _PROVED in states:
        return frozenset(way.name for way in ways if way.state != _PROVED)
    columns = {column.name: column for column in portal.columns}
    read = next((columns[way.name] for way in ways if way.state == _READ), None)
    return frozenset(way.name for way in ways if read is not None and tells_no_more(columns[way.name], (way.state,), read, ledger))


def _way(column: Column, ledger: Ledger) -> Way:
    walks = [row for row in ledger.rows(_LAST_WALKS, (column.rules,)) if column_of(row[0]) == column.name]
    for _, end, reason in walks:
        if end not in ("proved", "known"):
            return Way(name=column.name, state=end or "cut off", reason=reason or "the crawl was cut off")
    if not walks:
        return Way(name=column.name, state=_NOT_WALKED)
    return Way(name=column.name, state=_READ if only_read(column, ledger) else _PROVED, reason=walks[-1][2])


def walked_to_end(columns: Iterable[Column], ledger: Ledger) -> dict[str, int]:
    """Columns all of whose last walks by the present rules came to a proved or known end -> archive pages with links of the longest."""
    ended = (column for column in columns if _way(column, ledger).state in (_PROVED, _READ))
    return {one.name: max(pages for name, pages in ledger.rows(_COVERED, (one.rules,)) if column_of(name) == one.name) for one in ended}


def tells_no_more(column: Column, ends: Iterable[str], read: Column, ledger: Ledger) -> bool:
    """Whether a way of the format of one that was read never listed an article; or, if only its end is not believed, the same ones."""
    if column.format is not read.format:
        return False
    listed = any(links for (links,) in ledger.rows(_LISTED, (column.name, column.rules)))
    return not listed or (set(ends) == {"unproved"} and not listed_besides(column.name, read.name, ledger)[0])


def listed_besides(way: str, other: str, ledger: Ledger) -> tuple[int, str]:
    """How many articles a way lists that another one does not, and the URL of one."""
    number, example = 0, ""
    for (url,) in ledger.rows(_MORE, {"way": way, "other": other, "mark": SECTION}):
        number, example = number + 1, example or url
    return number, example


def only_read(column: Column, ledger: Ledger) -> bool:
    """Whether its proof says only that all was read that a feed or a sitemap lists: then another way may know more."""
    ground = next((ground for (ground,) in ledger.rows(_GROUND, (column.name, column.rules))), None)
    return ground is not None and ProofGround(ground).says_only_read
