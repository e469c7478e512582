"""What passes counted of the stored pages, kept from one to the next in survey.sqlite: after an edit of the
rules only pages are read that a changed rule can touch, and those that are counted together with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.building.changed_rules import ChangedRules, changed_rules
from webarticlecurator.building.kept_rules import KeptRules, UnknownRules, without_lines
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import ANYTHING
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import Database, check_seal, connect, make_again, transaction
from webarticlecurator.errors import CorpusBusy, CorpusError
from webarticlecurator.model.progress import Work
from webarticlecurator.survey import page_pass
from webarticlecurator.survey.page_pass import CountedPages, Question
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageSample

_VERSION = 1
_TABLES = """
-- The rules by which the pages of each pass were read, or are known to be read as if they were.
CREATE TABLE rules (
    pass TEXT PRIMARY KEY,
    note TEXT NOT NULL,
    about BLOB NOT NULL                  -- what else the question depends on
) WITHOUT ROWID;

CREATE TABLE parts (
    pass TEXT NOT NULL,
    digest BLOB NOT NULL,                -- of all that is known of the pages before they are read
    names BLOB NOT NULL,                 -- on the pages, as building/page_names.py packs them
    counted BLOB NOT NULL,
    PRIMARY KEY (pass, digest)
);
"""
_ASKED = "CREATE TEMP TABLE asked (number INTEGER PRIMARY KEY, digest BLOB, pages INTEGER)"
_NOTED = "SELECT coalesce(max(note), ''), max(about) FROM rules WHERE pass = ?"
_FORGET = (
    "DELETE FROM parts WHERE pass = ? AND (digest NOT IN (SELECT digest FROM asked) OR is_touched(names))"
)
_PARTS = """
    SELECT number, asked.pages, parts.rowid
    FROM asked LEFT JOIN parts ON parts.pass = ? AND parts.digest = asked.digest ORDER BY number
"""
_KEEP = """
    INSERT INTO parts SELECT :pass, digest, :names, :counted FROM asked
    WHERE number = :number AND pages = :pages AND :names <> x''
"""
"""Pages are kept whose process has not died on one of them."""


@contextmanager
def opened(corpus: Corpus, command: str, *, kept: bool) -> Iterator[Database]:
    """Give the database, made again where it is damaged, or was not closed; an empty one that goes, where
    nothing is to be kept, another pass writes to it, or it cannot be written."""
    with ExitStack() as stack:
        database = stack.enter_context(closing(_ready(connect(""))))
        with suppress(CorpusBusy, CorpusError, OSError):
            if kept:
                stack.enter_context(locked(corpus.survey_lock, command))
                database = stack.enter_context(closing(_ready(_whole(corpus.survey_database))))
        yield database


def _whole(path: Path) -> Database:
    try:
        if check_seal(path):
            return connect(path)
    except CorpusError:
        pass
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    return connect(path)


def _ready(database: Database) -> Database:
    """Return a database whose tables are those of this version."""
    database.execute("PRAGMA synchronous = NORMAL")
    if database.execute("PRAGMA user_version").fetchone() != (_VERSION,):
        make_again(database, _TABLES, _VERSION)
    return database


@dataclass(slots=True)
class KeptCounts:
    """The parts of one pass: pages that are counted together."""

    database: Database
    name: str
    """The name of the pass: what is asked, and whether of all pages."""
    parts: list[tuple[int, int, int | None]]
    """The number of each, how many pages it has, and where it is kept."""

    @classmethod
    def of(
        cls,
        database: Database,
        portal: Portal,
        question: Question,
        pages: StoredPageSample,
        *,
        again: bool,
        work: Work,
    ) -> KeptCounts:
        """Forget what a changed rule can touch, or all (`again`), and tell how much is left to read."""
        name, lineless = repr((type(question).__name__, pages.is_all)), without_lines(portal)
        database.execute(_ASKED)
        with transaction(database):
            database.executemany("INSERT INTO asked VALUES (?, ?, ?)", pages.digests(page_pass.TOGETHER))
            database.execute("DELETE FROM rules WHERE pass = ? AND ?", (name, again))
            changed = _changed(database, name, lineless, question)
            is_touched = changed.may_touch if changed is not None else bool  # all, since none is empty
            database.create_function("is_touched", 1, is_touched)
            database.execute(_FORGET, (name,))
            note = KeptRules.of(lineless, rules_digest(portal, ""), "").note
            row = (name, note, orjson.dumps(question.about))
            database.execute("INSERT OR REPLACE INTO rules VALUES (?, ?, ?)", row)
        kept = cls(database, name, database.execute(_PARTS, (name,)).fetchall())
        if changed is not None:
            left = sum(number for _, number, place in kept.parts if place is None)
            rules = changed.in_words if changed.number else "no rule"
            work.say(f"{rules} changed; {left:,} of {amount(pages.total, 'page')} are read again")
        return kept

    def to_read(self, pages: Iterable[StoredPage]) -> Iterator[StoredPage]:
        """Yield the pages that are not kept."""
        return (page for page in pages if self.parts[page.number // page_pass.TOGETHER][-1] is None)

    def joined(self, read: Iterator[CountedPages]) -> Iterator[CountedPages]:
        """Yield what was kept, and what is read, in the order of the pages, and keep that."""
        for number, pages, place in self.parts:
            if place is None:
                yield from self._keeping(number, pages, read)
            else:
                sql = "SELECT counted, names FROM parts WHERE rowid = ?"
                yield CountedPages(pages, *self.database.execute(sql, (place,)).fetchone())

    def _keeping(self, number: int, pages: int, read: Iterator[CountedPages]) -> Iterator[CountedPages]:
        """Yield what is counted of the pages of one part, which is in several pieces where a process has
        died."""
        for counted in read:
            with suppress(CorpusError):  # a full disk
                self.database.execute(_KEEP, {"pass": self.name, "number": number, **counted._asdict()})
            pages -= counted.pages
            yield counted
            if pages <= 0:
                return


def _changed(database: Database, name: str, portal: Portal, question: Question) -> ChangedRules | None:
    """Return how the rules differ from those by which the parts of a pass were read; None where that is not
    known."""
    note, about = database.execute(_NOTED, (name,)).fetchone()
    try:
        changed = changed_rules(KeptRules.read(note), portal, "")
    except UnknownRules:
        return None
    for needs in question.touched(orjson.loads(about)):
        changed.touch(needs)
    if changed.by_address or changed.moved:
        changed.touch(ANYTHING)
    return changed
