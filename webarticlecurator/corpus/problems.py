"""problems.jsonl: what needs a human, one line each, written anew at the end of every crawl and every build.

Crawling and building each know their own problems; whoever of them ends writes down those of both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain
from typing import Any

import orjson

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import FAILURES_IN_SQL, key_of
from webarticlecurator.corpus.ways import needless_columns
from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError


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


_OF_CRAWL = (
    # articles that failed (of several pages the one that did), with the reason of the last time they were asked for
    f"SELECT coalesce(next_url, url), outcome, reason, since FROM urls WHERE outcome IN {FAILURES_IN_SQL} ORDER BY id",
    # articles that were stored, and are lost
    "SELECT url, outcome, CASE outcome WHEN 'queued' THEN reason ELSE 'it was lost with ' || lost || ': ' || reason END, since"
    f" FROM urls WHERE lost IS NOT NULL AND outcome NOT IN {FAILURES_IN_SQL} ORDER BY id",
    # archive pages that could not be read, of each column's (and interval's) last walk or import
    "SELECT p.url, p.outcome, p.reason, p.at FROM pages p JOIN walks w ON w.id = p.walk WHERE p.result = 'failed' AND w.id ="
    " (SELECT max(id) FROM walks l WHERE l.column = w.column AND l.interval IS w.interval) AND is_needed(w.column) ORDER BY p.id",
    # walks that ended where a person must look
    "SELECT (SELECT url FROM pages p WHERE p.walk = w.id ORDER BY id DESC LIMIT 1), end,"
    " CASE WHEN reason GLOB 'column*' THEN reason ELSE column || coalesce(' ' || interval, '') || ': ' || reason END, ended"
    " FROM last_walks w WHERE (end IN ('drift', 'limit', 'unproved') OR (end = 'failed' AND NOT EXISTS"
    " (SELECT 1 FROM pages p WHERE p.walk = w.id AND p.result = 'failed'))) AND is_needed(column) ORDER BY id",  # else its pages tell
    # articles that end where `articles.next` was not followed
    "SELECT u.url, u.outcome, n.reason, n.since FROM unfollowed n JOIN urls u ON u.id = n.url_id ORDER BY u.id",
    # one article, two titles; not where one address got another title, and was looked at both before that and since then
    "SELECT url, 'conflict', reason, since FROM conflicts c WHERE NOT coalesce((SELECT count(DISTINCT u.id) = 1 AND min(r.at) < c.since"
    " AND max(r.at) > c.since FROM urls u JOIN listings l ON l.url_id = u.id LEFT JOIN responses r ON r.url_id = u.id AND r.part = 1"
    " WHERE u.identity_key = key_of(c.identity)), 0) ORDER BY since, identity",
)
_OF_BUILD = "SELECT url, outcome, reason, since FROM problems"


def write_problems(ledger: Ledger, corpus: Corpus, portal: Portal) -> int:
    """Write the file; gives the number of lines. A reader never sees half of it. Columns that the portal file has no more need nobody."""
    needed = {column.name for column in portal.columns} - needless_columns(portal, ledger)
    ledger.define("key_of", key_of)
    ledger.define("is_needed", lambda column: column_of(column) in needed)
    number, path = 0, corpus.problems
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")  # a crawl and a build may end at the same moment
    with draft.open("wb") as file:
        for url, outcome, reason, since in chain(*map(ledger.rows, _OF_CRAWL), build_rows(corpus, _OF_BUILD), drift_rows(corpus)):
            line = {"url": url, "outcome": outcome, "reason": reason, "since": since}
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            number += 1
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return number
