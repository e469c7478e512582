"""problems.jsonl: what needs a human, one line each, written anew at the end of every crawl and every build.

Crawling and building each know their own problems; whoever of them ends writes down those of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain
from typing import Any

import orjson

from webarticlecurator.config.portal import Portal, column_of
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_numbers import problems
from webarticlecurator.corpus.ways import needless_columns
from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.storage.places import draft_of


def build_rows(corpus: Corpus, sql: str) -> Iterator[tuple[Any, ...]]:
    """The answer to a question about what was built; nothing where nothing was."""
    path = corpus.build_database
    if path.exists():
        with closing(connect(path, read_only=True)) as database:
            yield from database.execute(sql)


def drift_rows(corpus: Corpus) -> Iterator[tuple[Any, ...]]:
    """The drifts of layouts that the watch found; what cannot be read is found again."""
    path = corpus.watch_database
    if path.exists():
        with suppress(CorpusError), closing(connect(path, read_only=True)) as database:
            yield from database.execute("SELECT url, 'article-drift', reason, since FROM drifts ORDER BY day, url").fetchall()


def write_problems(ledger: Ledger, corpus: Corpus, portal: Portal) -> int:
    """Write the file; gives the number of lines. A reader never sees half of it. Columns that the portal file has no more need nobody."""
    needed = {column.name for column in portal.columns} - needless_columns(portal, ledger)
    of_crawl = (row for *row, column in problems(ledger) if column is None or column_of(column) in needed)
    number = 0
    with draft_of(corpus.problems, sync=True) as draft, draft.open("wb") as file:
        of_build = build_rows(corpus, "SELECT url, outcome, reason, since FROM problems")
        for url, outcome, reason, since in chain(of_crawl, of_build, drift_rows(corpus)):
            line = {"url": url, "outcome": outcome, "reason": reason, "since": since}
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            number += 1
    return number
