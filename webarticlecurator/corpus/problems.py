"""problems.jsonl: what needs a human, one line each, written anew at the end of every crawl and every build.

Crawling and building each know their own problems; whoever of them ends writes down those of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain
from typing import Any

import msgspec
import orjson

from webarticlecurator.config.portal import Portal, column_of
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_questions import problems
from webarticlecurator.corpus.ledger_schema import BUILD_VERSION
from webarticlecurator.corpus.ways import needless_columns
from webarticlecurator.databases import connect
from webarticlecurator.model.outcome import Kept, KeptDocuments
from webarticlecurator.storage.places import draft_of


def build_rows(corpus: Corpus, sql: str) -> Iterator[tuple[Any, ...]]:
    """The answer to a question about what was built; nothing where nothing was."""
    path = corpus.build_database
    if path.exists():
        with closing(connect(path, read_only=True)) as database:
            yield from database.execute(sql)


KEPT_DOCUMENTS = "SELECT kept, count(*), min(url), damage FROM articles WHERE kept IS NOT NULL GROUP BY kept"
"""Why documents stay that could not be made again, how many, and one of them."""


def kept_documents(corpus: Corpus) -> tuple[KeptDocuments, ...]:
    """Return the documents that the last build could not make again, with the reasons."""
    return tuple(KeptDocuments(Kept(why), *others) for why, *others in build_rows(corpus, KEPT_DOCUMENTS))


def damaged_records(corpus: Corpus) -> list[tuple[int, str]]:
    """The records that the last builds found damaged, each with the ledger's hash of the identity of its
    article."""
    versions = [version for (version,) in build_rows(corpus, "PRAGMA user_version")]
    if versions != [BUILD_VERSION]:
        return []
    return [*build_rows(corpus, "SELECT key, damaged FROM articles WHERE damaged IS NOT NULL")]


class KnownDrift(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the layout that needs a human."""

    layout: str
    """The layout in the portal file; "": the base rules."""
    url: str
    """The address of the first article."""
    day: str
    reason: str
    since: str
    """When it was found."""


class KnownDrifts(msgspec.Struct, frozen=True):
    """Changes of layouts that the watch found: every build tells them until the portal file is changed."""

    drifts: tuple[KnownDrift, ...] = ()
    rules: str = ""
    """By which the last build's watch looked."""


def known_drifts(corpus: Corpus) -> KnownDrifts:
    """Return the drifts that are known; a list of them that cannot be read is made again."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(corpus.watch_file.read_bytes(), type=KnownDrifts)
    return KnownDrifts()


def known_remarks(corpus: Corpus) -> list[str]:
    """Return what the last crawls have told a person to look at."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(corpus.remarks_file.read_bytes(), type=list[str])
    return []


def write_problems(ledger: Ledger, corpus: Corpus, portal: Portal) -> int:
    """Write the file; gives the number of lines. A reader never sees half of it. Columns that the portal file
    has no more need nobody."""
    needed = {column.name for column in portal.columns} - needless_columns(portal, ledger)
    of_crawl = (row for *row, column in problems(ledger) if column is None or column_of(column) in needed)
    number = 0
    with draft_of(corpus.problems, sync=True) as draft, draft.open("wb") as file:
        of_build = build_rows(corpus, "SELECT url, outcome, reason, since FROM problems")
        of_watch = (
            (drift.url, "article-drift", drift.reason, drift.since) for drift in known_drifts(corpus).drifts
        )
        for url, outcome, reason, since in chain(of_crawl, of_build, of_watch):
            line = {"url": url, "outcome": outcome, "reason": reason, "since": since}
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            number += 1
    return number
