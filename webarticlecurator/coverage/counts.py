"""What a corpus and a web archive both hold, and what only one of them: captures against the ledger, in tables that are gone in the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from webarticlecurator.building.kept_article import day_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_numbers import open_for_coverage
from webarticlecurator.coverage.index_lines import IndexLine, article_of
from webarticlecurator.databases import Database, Row, rows_of
from webarticlecurator.urls import any_spelling

_QUERIES = dict(re.findall(r"(?ms)^--- ([a-z-]+)\n(.*?)(?=^--- |\Z)", files(__package__).joinpath("counts.sql").read_text("utf-8")))


class Comparison:
    """One of a corpus with what indexes tell."""

    def __init__(self, db: Database, portal: Portal) -> None:
        self._db = db
        self._portal = portal
        self.lines: Counter[str] = Counter()
        """What the lines were -> how many."""

    def take(self, lines: Iterable[IndexLine | None]) -> None:
        """Take in the lines of one index; a capture that another one told, too, counts once."""
        self._db.execute("BEGIN")
        self._db.executemany(_QUERIES["take"], self._captures(lines))
        self._db.execute("COMMIT")

    def _captures(self, lines: Iterable[IndexLine | None]) -> Iterator[tuple[object, ...]]:
        for line in lines:
            article = article_of(line.url, self._portal) if line is not None else "no lines of an index"
            if line is None or isinstance(article, str):
                self.lines[str(article)] += 1
                continue
            self.lines[line.kind] += 1
            if line.kind in ("pages", "revisits"):
                url, compared = article
                rest = (line.mime, line.status, line.digest, line.length, line.offset, line.filename)
                yield compared, line.moment.isoformat(), line.kind == "revisits", url, line.url, *rest

    def counted(self) -> dict[str, Any]:
        """The totals, and rows of years, months and columns, when all is taken in."""
        self.lines["pages that the corpus knows as no articles"] = self._db.execute(_QUERIES["others"]).rowcount
        self._db.executescript(_QUERIES["orphans"])
        ((self.lines["revisits of unknown captures"],),) = self._db.execute(_QUERIES["orphaned"])
        groups: dict[str, Any] = {"totals": Row(both=0, only_ours=0, only_theirs=0, days=None), "years": [], "months": [], "columns": []}
        for row in rows_of(self._db.execute(_QUERIES["counted"])):
            if (by := row.pop("by")) == "totals":
                groups[by].update({name: row[name] for name in groups[by]})
            else:
                groups[by].append(row)
        return groups

    def only_theirs(self) -> Iterator[Row]:
        """A capture of each article that only the archive has, in the order of an index."""
        self._db.create_function("surt", 1, _surt, deterministic=True)
        yield from rows_of(self._db.execute(_QUERIES["only-theirs"]))


@contextmanager
def comparing(portal: Portal, corpus: Corpus) -> Iterator[Comparison]:
    """Raises CorpusError."""
    with Ledger.reading(corpus.ledger, build=corpus.build_database) as ledger:
        db = open_for_coverage(ledger, whole_day=day_of)
        db.executescript(_QUERIES["tables"])
        yield Comparison(db, portal)


def _surt(url: str) -> str:
    """How indexes are sorted."""
    host, slash, path = any_spelling(url).partition("/")
    return f"{','.join(reversed(host.partition(':')[0].split('.')))}){slash}{path}".lower()
