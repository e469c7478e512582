"""One pass over stored article pages: each is read once, by several processes; what they count are plain
numbers by key, which the one who joins them adds up in a temporary database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import orjson
import zstandard

from webarticlecurator.budget import one_page
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.building.kept_rules import lines_of, with_line
from webarticlecurator.building.page_names import UNKNOWN, PageNames, names_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import Needs
from webarticlecurator.databases import Row, connect, rows_of, transaction, unpack
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.program_faults import reason_of
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageReader
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers.pool import Job

Key = tuple[str | int, ...]
NO_YEAR = 0
"""A key has no place for nothing."""


_PLACES = {"rule": "with_line(?)"}
"""Name of a column -> what is written of its values, where that is not the value itself."""


class Columns(NamedTuple):
    """A table: its key, and numbers that are added up, or facts that stay as they were first said."""

    key: str
    sums: str = ""
    facts: str = ""
    most: int = 0
    """Rows, beyond which the rarest are forgotten: names and texts are without end."""
    rarest: str = ""
    """The rows that are the rarest, as a condition with a number that grows."""


class Counted:
    """Counts of some pages, by which alone they are told: never by what a process has seen before."""

    def __init__(self) -> None:
        self.tables: defaultdict[str, dict[Key, list[Any]]] = defaultdict(dict)
        self.shown: defaultdict[int, list[Any]] = defaultdict(list)
        """The examples of each thing that there are already."""

    def add(self, table: str, key: Key, *numbers: int) -> None:
        """So many more."""
        row = self.tables[table].get(key)
        if row is None:
            self.tables[table][key] = list(numbers)
        else:
            row[:] = map(int.__add__, row, numbers)

    def note(self, table: str, key: Key, *facts: object) -> None:
        """Note what is true of this key."""
        self.tables[table].setdefault(key, list(facts))

    def pack(self) -> bytes:
        """Return them as they travel from the processes that read pages to the one that joins, and are
        kept."""
        rows = {
            name: [(*key, *values) for key, values in table.items()] for name, table in self.tables.items()
        }
        return zstandard.compress(orjson.dumps(rows))


class CountedPages(NamedTuple):
    """The counts of pages that lie behind one another."""

    pages: int
    """How many they are."""
    counted: bytes
    """What was counted of them, packed."""
    names: bytes
    """The names on them, as `building/page_names.py` packs them; empty where they were given up."""


class Counts:
    """All that was counted, in a temporary file, so that memory does not grow with it."""

    def __init__(self, question: type[Question], portal: Portal) -> None:
        lines = lines_of(portal)
        self._tables = {**question.tables, PASSED_OVER: Columns("outcome", "pages")}
        self._db = connect("")
        self._db.execute("PRAGMA cache_size = -16384")
        self._db.create_function("with_line", 1, lambda name: with_line(name, lines), deterministic=True)
        self._inserts: dict[str, str] = {}
        for name, columns in self._tables.items():
            named = ", ".join(filter(None, (columns.key, columns.sums, columns.facts)))
            self._db.execute(f"CREATE TABLE {name} ({named}, PRIMARY KEY ({columns.key})) WITHOUT ROWID")
            sums = ", ".join(
                f"{column} = {column} + excluded.{column}"
                for column in filter(None, columns.sums.split(", "))
            )
            places = ", ".join([_PLACES.get(column, "?") for column in named.split(", ")])
            self._inserts[name] = (
                f"INSERT INTO {name} VALUES ({places}) ON CONFLICT DO "
                f"{f'UPDATE SET {sums}' if sums else 'NOTHING'}"
            )

    def close(self) -> None:
        """It is gone then."""
        self._db.close()

    def add(self, counted: bytes) -> None:
        """Take in what was counted of more pages, as it was packed."""
        tables = orjson.loads(unpack(counted, "survey.sqlite"))
        with transaction(self._db):
            for name, rows in tables.items():
                self._db.executemany(self._inserts[name], rows)
        for name in tables:
            most, fewest = self._tables[name].most, 1
            while most and self.number(f"SELECT count(*) FROM {name}") > most:
                self._db.execute(f"DELETE FROM {name} WHERE {self._tables[name].rarest}", (fewest,))
                fewest *= 2

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The answer to a question."""
        return self._db.execute(sql, values).fetchall()

    def named(self, sql: str, *values: object) -> list[Row]:
        """Return the answer to a question, with the names of the columns."""
        return list(rows_of(self._db.execute(sql, values)))

    def number(self, sql: str, *values: object) -> int:
        """The answer where it is one number."""
        return int(self.rows(sql, *values)[0][0] or 0)

    def write(self, script: str) -> None:
        """Make tables of what was counted."""
        self._db.executescript(script)


def hash_of(text: str) -> int:
    """64 bits; the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


LONGEST_EXAMPLE = 160
"""Characters of each part of one."""


def shortened(text: str) -> str:
    """As much of a text as an example needs."""
    text = " ".join(text[: 4 * LONGEST_EXAMPLE].split())
    return text if len(text) <= LONGEST_EXAMPLE else f"{text[: LONGEST_EXAMPLE - 1].rstrip()}…"


BATCH = 64
"""Pages in one message to a process."""
TOGETHER = 16
"""Pages that are counted together, and of which the counts are kept."""
_NO_NAMES = PageNames(frozenset(), 0, 0)
"""The names on what is no page, whatever single rules say."""
PASSED_OVER = "passed_over"
"""The table that every pass has: stored responses that give nothing to look at, by their outcome."""


class Question(Protocol):
    """The question of a pass: given to every process once, by pickling."""

    tables: ClassVar[Mapping[str, Columns]]
    """The tables that it counts."""

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. May raise PatternTimeout: the pass notes it, and goes on."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Return what else it depends on than how pages are read, as JSON."""

    def touched(self, before: Mapping[str, Any]) -> Iterable[Needs]:
        """Return what pages need to be counted otherwise than when it was about something else."""


@dataclass(frozen=True, slots=True)
class PassJob(Job[StoredPage, CountedPages]):
    """Reads pages, and has each looked at; the same in every process."""

    portal: Portal
    question: Question
    warc: Path
    """The folder of WARC files."""

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {"rules": rules_digest(self.portal, ""), str(self.warc): finished_files(self.warc)}

    def make(self, tasks: list[StoredPage]) -> list[CountedPages]:
        """Return what is counted of all these pages."""
        with StoredPageReader(self.warc, self.portal, tasks) as reader:
            parts = groupby(tasks, key=lambda stored: stored.number // TOGETHER)
            return [self._counted(reader, list(some)) for _, some in parts]

    def _counted(self, reader: StoredPageReader, some: Sequence[StoredPage]) -> CountedPages:
        """Count pages that are counted together; without names, so that it is not kept, where a record of
        them could not be read."""
        counted, unread = Counted(), reader.unread
        names = [self._look(reader, stored, counted) for stored in some]
        packed = PageNames.of_any(names).pack() if reader.unread == unread else b""
        return CountedPages(len(some), counted.pack(), packed)

    def _look(self, reader: StoredPageReader, stored: StoredPage, counted: Counted) -> PageNames:
        """Count one page, and return the names on it."""
        try:
            page = reader.whole(stored)
            article = reader.unless_skipped(page)
            if isinstance(article, NoPage):
                counted.add(PASSED_OVER, (article.outcome,), 1)
            else:
                with one_page():
                    self.question.look(article, stored, counted)
            return _NO_NAMES if isinstance(page, NoPage) else names_of([page]) or UNKNOWN
        except PatternTimeout:
            pass
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a page may be anything, and one of them must never end a pass
            reason_of(error)
        counted.add(PASSED_OVER, (PageOutcome.UNREADABLE,), 1)
        return UNKNOWN

    def give_up(self, task: StoredPage, reason: str) -> CountedPages:  # noqa: ARG002
        """Return what is counted of a page on which its process died."""
        counted = Counted()
        counted.add(PASSED_OVER, (PageOutcome.UNREADABLE,), 1)
        return CountedPages(1, counted.pack(), b"")
