"""One pass over stored article pages: each is read once, by several processes; what they count are plain
numbers by key, which the one who joins them adds up in a temporary database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from webarticlecurator.budget import one_page
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row, connect, rows_of, transaction
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.program_faults import reason_of
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageReader
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers.pool import Job

Key = tuple[str | int, ...]
NO_YEAR = 0
"""A key has no place for nothing."""


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
    """Counts of some pages: they travel from the processes that read pages to the one that joins."""

    def __init__(self) -> None:
        self.tables: defaultdict[str, dict[Key, list[Any]]] = defaultdict(dict)

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


class Counts:
    """All that was counted, in a temporary file, so that memory does not grow with it."""

    def __init__(self, question: type[Question]) -> None:
        self._tables = {**question.tables, PASSED_OVER: Columns("outcome", "pages")}
        self._db = connect("")
        self._db.execute("PRAGMA cache_size = -16384")
        self._inserts: dict[str, str] = {}
        for name, columns in self._tables.items():
            named = ", ".join(filter(None, (columns.key, columns.sums, columns.facts)))
            self._db.execute(f"CREATE TABLE {name} ({named}, PRIMARY KEY ({columns.key})) WITHOUT ROWID")
            sums = ", ".join(
                f"{column} = {column} + excluded.{column}"
                for column in filter(None, columns.sums.split(", "))
            )
            places = ", ".join("?" * len(named.split(", ")))
            self._inserts[name] = (
                f"INSERT INTO {name} VALUES ({places}) ON CONFLICT DO "
                f"{f'UPDATE SET {sums}' if sums else 'NOTHING'}"
            )

    def close(self) -> None:
        """It is gone then."""
        self._db.close()

    def add(self, counted: Counted) -> None:
        """Take in what was counted of more pages."""
        with transaction(self._db):
            for name, rows in counted.tables.items():
                self._db.executemany(self._inserts[name], ((*key, *values) for key, values in rows.items()))
        for name in counted.tables:
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
"""Pages that are counted together."""
PASSED_OVER = "passed_over"
"""The table that every pass has: stored responses that give nothing to look at, by their outcome."""


class Question(Protocol):
    """The question of a pass: given to every process once, by pickling."""

    tables: ClassVar[Mapping[str, Columns]]
    """The tables that it counts."""

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. May raise PatternTimeout: the pass notes it, and goes on."""


@dataclass(frozen=True, slots=True)
class PassJob(Job[StoredPage, tuple[Counted, int]]):
    """Reads pages, and has each looked at; the same in every process."""

    portal: Portal
    question: Question
    warc: Path
    """The folder of WARC files."""

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {"rules": rules_digest(self.portal, ""), str(self.warc): finished_files(self.warc)}

    def make(self, tasks: list[StoredPage]) -> list[tuple[Counted, int]]:
        """Return what is counted of all these pages, and how many they are."""
        counted = Counted()
        with StoredPageReader(self.warc, self.portal, tasks) as reader:
            for stored in tasks:
                outcome: str = PageOutcome.UNREADABLE
                try:
                    page = reader.page(stored)
                    if isinstance(page, Page):
                        with one_page():
                            self.question.look(page, stored, counted)
                        continue
                    outcome = page.outcome
                except PatternTimeout:
                    pass
                except (MemoryError, OSError):
                    raise
                except Exception as error:  # a page may be anything, and one of them must never end a pass
                    reason_of(error)
                counted.add(PASSED_OVER, (outcome,), 1)
        return [(counted, len(tasks))]

    def give_up(self, task: StoredPage, reason: str) -> tuple[Counted, int]:  # noqa: ARG002
        """Return what is counted of a page on which its process died."""
        counted = Counted()
        counted.add(PASSED_OVER, (PageOutcome.UNREADABLE,), 1)
        return counted, 1
