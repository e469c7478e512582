"""What passes counted of the stored pages, kept from one to the next in survey.sqlite: after an edit of the
rules only pages are read that a changed rule can touch, and those that are counted together with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webarticlecurator.amounts import amount
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.building.changed_rules import ChangedRules, changed_rules
from webarticlecurator.building.kept_rules import KeptRules, UnknownRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import ANYTHING
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import Database, check_seal, connect, damaged, make_again, transaction
from webarticlecurator.errors import CorpusBusy, CorpusError
from webarticlecurator.survey import page_pass
from webarticlecurator.survey.page_pass import CountedPages, Question
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageSample

_VERSION = 1
_TABLES = """
-- The rules by which the pages of each pass were read, or are known to be read as if they were.
CREATE TABLE rules (pass TEXT PRIMARY KEY, note TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE parts (
    pass TEXT NOT NULL,
    digest BLOB NOT NULL,                -- of all that is known of the pages before they are read
    names BLOB NOT NULL,                 -- on the pages; empty: not all are known
    counted BLOB NOT NULL,
    PRIMARY KEY (pass, digest)
);
"""
_ASKED = "CREATE TEMP TABLE asked (number INTEGER PRIMARY KEY, digest BLOB, pages INTEGER)"
_PARTS = """
    SELECT number, pages, EXISTS (SELECT 1 FROM parts WHERE pass = ? AND parts.digest = asked.digest)
    FROM asked ORDER BY number
"""
_COUNTED = "SELECT counted FROM parts JOIN asked USING (digest) WHERE pass = ? AND number = ?"
_KEEP = "INSERT INTO parts SELECT ?, digest, ?, ? FROM asked WHERE number = ?"
_FORGET = (
    "DELETE FROM parts WHERE pass = ? AND (digest NOT IN (SELECT digest FROM asked) OR is_touched(names))"
)
_Touches = Callable[[bytes], bool]
"""Says whether pages with these names have to be read."""


@contextmanager
def opened(corpus: Corpus, command: str) -> Iterator[Database | None]:
    """Give the database, made again where it is damaged, or was not closed; None where another pass writes to
    it, or it cannot be written."""
    with ExitStack() as stack:
        database = None
        with suppress(CorpusBusy, CorpusError, OSError):
            stack.enter_context(locked(corpus.survey_lock, command))
            database = stack.enter_context(closing(_whole(corpus.survey_database)))
        yield database


def _whole(path: Path) -> Database:
    try:
        if not check_seal(path):
            raise damaged((path,), "it was not closed")
        database = connect(path)
    except CorpusError:
        for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            file.unlink(missing_ok=True)
        database = connect(path)
    database.execute("PRAGMA synchronous = NORMAL")
    if database.execute("PRAGMA user_version").fetchone() != (_VERSION,):
        make_again(database, _TABLES, _VERSION)
    return database


@dataclass(slots=True)
class KeptCounts:
    """The parts of one pass: pages that are counted together."""

    database: Database | None
    """Where they are kept; None: they are not."""
    name: str = ""
    """The name of the pass: what is asked of which pages, and the files that the rules stand in."""
    parts: list[tuple[int, int, bool]] = field(default_factory=list)
    """The number of each, how many pages it has, and whether it is kept."""

    def begin(
        self, portal: Portal, question: Question, pages: StoredPageSample, *, again: bool
    ) -> Iterator[str]:
        """Forget what a changed rule can touch, or all (`again`); yield in a sentence how much is left to
        read, unless that is all."""
        if self.database is None:
            return
        which = "all" if pages.total == pages.of_pages else "some"
        self.name = repr((type(question).__name__, which, [file.path.name for file in portal.sources]))
        kept = KeptRules.of(portal, rules_digest(portal, ""), "")
        changed, is_touched = (None, _always) if again else self._changed(portal, question)
        self.database.create_function("is_touched", 1, is_touched)
        self.database.execute(_ASKED)
        asked = ((number, *part) for number, part in enumerate(pages.digests(page_pass.TOGETHER)))
        with transaction(self.database):
            self.database.executemany("INSERT INTO asked VALUES (?, ?, ?)", asked)
            self.database.execute(_FORGET, (self.name,))
            self.database.execute("INSERT OR REPLACE INTO rules VALUES (?, ?)", (self.name, kept.note))
        self.parts = self.database.execute(_PARTS, (self.name,)).fetchall()
        if changed is not None:
            left = sum(number for _, number, is_kept in self.parts if not is_kept)
            yield f"{changed.in_words} changed; {left:,} of {amount(pages.total, 'page')} are read again"

    def _changed(self, portal: Portal, question: Question) -> tuple[ChangedRules | None, _Touches]:
        """Return how the rules differ from those by which the parts were read, and which pages that touches;
        where this is not known, all."""
        note = self._asked("SELECT note FROM rules WHERE pass = ?", self.name)
        try:
            if note is None:
                raise UnknownRules("none was read yet")
            changed = changed_rules(KeptRules.read(note), portal, "")
        except UnknownRules:
            return None, _always
        for needs in (*question.touched(changed.portal), *([ANYTHING] if changed.by_address else [])):
            changed.touch(needs)
        if not changed.needs:
            return changed, lambda names: False  # noqa: ARG005
        return changed, lambda names: not names or changed.may_touch(names)

    def to_read(self, pages: Iterable[StoredPage]) -> Iterator[StoredPage]:
        """Yield the pages that are not kept."""
        kept = {number for number, _, is_kept in self.parts if is_kept}
        return (page for page in pages if page.number // page_pass.TOGETHER not in kept)

    def joined(self, read: Iterator[CountedPages]) -> Iterator[CountedPages]:
        """Yield what was kept, and what is read, in the order of the pages, and keep that."""
        for number, pages, is_kept in self.parts:
            if is_kept:
                yield CountedPages(pages, self._asked(_COUNTED, self.name, number), b"")
            else:
                yield from self._read(number, pages, read)
        yield from read

    def _read(self, number: int, pages: int, read: Iterator[CountedPages]) -> Iterator[CountedPages]:
        """Yield what is counted of the pages of one part, which is in several pieces where a process has
        died."""
        while pages > 0 and (counted := next(read, None)) is not None:
            if counted.pages == pages and counted.names is not None and self.database is not None:
                with suppress(CorpusError):  # a full disk
                    self.database.execute(_KEEP, (self.name, counted.names, counted.counted, number))
            pages -= counted.pages
            yield counted

    def _asked(self, sql: str, *values: str | int) -> Any:
        """Return the one value that is asked for; None where there is none."""
        row = self.database.execute(sql, values).fetchone() if self.database is not None else None
        return row[0] if row else None


def _always(names: bytes) -> bool:  # noqa: ARG001
    return True
