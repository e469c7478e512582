"""The build of one corpus: what changed is built again, what is no article any more goes, everything else is
left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from webarticlecurator.building.amid_articles import lists_amid_articles
from webarticlecurator.building.articles_to_build import (
    FINISHED,
    KEPT_RULES,
    READING,
    SECONDS,
    ArticlesToBuild,
    kept_rules,
)
from webarticlecurator.building.build_job import BuildJob, BuildResult, BuildTask
from webarticlecurator.building.build_options import BuildOptions, BuildSummary, sources_digest
from webarticlecurator.building.build_summary import note_doubts, summary_of
from webarticlecurator.building.corrected import digest_of
from webarticlecurator.building.database import GONE_CORRECTIONS, TEMPLATE, TEMPLATE_DIGEST, BuildDatabase
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.building.gone_articles import GoneArticles, check_pages
from webarticlecurator.building.index_pages import IndexPages, look_for_posts
from webarticlecurator.building.portal_words import documents_with, note_words, noted_words, portal_words
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.databases import fingerprint
from webarticlecurator.model.outcome import PAGE_FAILURES
from webarticlecurator.model.progress import Work
from webarticlecurator.workers.pool import Pool, Workers

INTERRUPTED = "interrupted; the next build goes on"
_OTHER_VERSION = "what the last build kept of them was written by another version of curator"
"""Why nothing is known of articles that were built."""
_DOUBTED = "doubted"
"""The portal file, by whose rules the doubts were looked for last."""
_MOST_ROUNDS = 2
"""Times that documents are built once more for what nearly all have: the second takes back what others were
built without meanwhile."""
_FEWEST_TIMED = 20
"""Articles by which it is known how fast they are read."""
_STORED = "stored"
"""The note on all that decides which pages are stored of which article: where it is the same as now, no
article has others than at the last build."""
_TOTAL = "stored articles"
"""How many these were."""
_FIELDS = "fields with rules"
"""The fields that the portal file had rules for, when words of the portal were looked for last."""
CORRECTIONS = "corrections"
"""The note on the values mended by hand that the last build heeded: a digest."""
_NEWEST = "newest response"
"""The newest response that was stored when the last build began that came to its end."""


@dataclass(slots=True, kw_only=True)
class Builder:
    """Goes through all articles of one corpus once."""

    job: BuildJob
    options: BuildOptions
    now: str
    """UTC, ISO 8601: since when new outcomes hold."""
    work: Work
    workers: Workers
    written: set[str] = field(default_factory=set)
    """Ids of the documents that were written."""
    read: set[str] = field(default_factory=set)
    """Ids of the articles whose pages were read."""
    counts: Counter[str] = field(default_factory=Counter)
    """By the names that they have in a `BuildSummary`; and how many articles are `done` and `failed`."""
    store: DocumentStore = field(init=False)
    pool: Pool = field(init=False)

    def __post_init__(self) -> None:
        self.store = DocumentStore(self.job.corpus.folder)
        self.pool = Pool(self.workers)

    def build(self) -> BuildSummary:
        """Build what changed; the pool is whoever's who begins it, since there is work for it afterwards."""
        seal = fingerprint(self.job.corpus.ledger)
        with (
            BuildDatabase(self.job.corpus.build_database) as database,
            closing(self.sources(database)) as sources,
            closing(self.store),
        ):
            packed = self.options.zip or bool(self.store.zips)
            with Ledger.reading(self.job.corpus.ledger) as ledger:
                newest = str(ledger.last("responses"))
            before, stored = database.noted(FINISHED), self._stored(seal, newest)
            thorough = self.options.everything or before != "yes"
            to_build = self.to_build(sources, database)
            if not thorough and stored == database.noted(_STORED) != "":
                to_build.total_as_before = int(database.noted(_TOTAL) or 0)
            check_pages(self.job.corpus, to_build.total, sources, database)
            self._read(to_build, before)
            if not self.work.stopped:
                self._look_at_all(to_build, thorough=thorough)
            if thorough and not self.work.stopped:
                GoneArticles(self.store, sources, database, self.now).sweep(self.job.portal.name)
            if packed and not self.work.stopped:
                self.store.pack(database, self.work, failed=self.counts["failed"])
            if not self.work.stopped:
                self._note_corrections(to_build)
                database.note(FINISHED, "yes")
                database.note(_NEWEST, newest)
                database.note(_STORED, stored)
                database.note(_TOTAL, str(self.counts["articles"]))
            return self._summary(database)

    def to_build(self, sources: StoredArticles, database: BuildDatabase) -> ArticlesToBuild:
        """Return the articles that have to be built."""
        return ArticlesToBuild(
            job=self.job,
            sources=sources,
            database=database,
            store=self.store,
            work=self.work,
            counts=self.counts,
            everything=self.options.everything,
        )

    def _stored(self, seal: str | None, newest: str) -> str:
        """Return what changes with all that decides what is stored of which article, or mended in it by hand;
        empty where that is not to be told."""
        if seal is None or self.job.portal.reads_index_pages:
            return ""
        mended = digest_of(self.job.corrections.all)
        return f"{seal} {newest} {sources_digest(self.job.portal)} {mended}"

    def _read(self, to_build: ArticlesToBuild, before: str | None) -> None:
        """Build the articles that have to be. `before`: how the last build ended."""
        database = to_build.database
        if database.is_made_again:
            self.work.say(f"all articles are read: {_OTHER_VERSION}")
        to_build.is_after_cut = before == READING
        self.job = replace(self.job, before=to_build.look_for_changes())
        database.note(FINISHED, READING if before in ("yes", READING) else "no")
        database.note(TEMPLATE, self.job.template.header)
        database.note(TEMPLATE_DIGEST, self.job.template.digest)
        self.job = replace(self.job, portal_words=noted_words(database))
        begin = monotonic()
        for batch in self.batches(iter(to_build)):
            self._put(batch, database)
        self._note_rate(monotonic() - begin, database)

    def _look_at_all(self, to_build: ArticlesToBuild, *, thorough: bool) -> None:
        """Do what is to be done for several articles together."""
        database = to_build.database
        self._confirm(to_build)
        if thorough or self.counts["unchanged"] < self.counts["articles"]:
            self._take_lists_amid_articles(to_build)
        if to_build.total_as_before is None:
            gone = GoneArticles(self.store, to_build.sources, database, self.now)
            self.counts["removed"] += gone.forget()
        fields = " ".join(sorted(self.job.portal.metadata))
        if thorough or database.has_other_values or database.noted(_FIELDS) != fields:
            self._leave_out_portal_words(to_build)
        database.note(_FIELDS, fields)

    def _put(self, batch: Iterable[BuildResult], database: BuildDatabase) -> None:
        """Write what became of some articles."""
        with database.transaction():
            for result in batch:
                result.row.since = result.row.since or self.now
                if not result.is_read:
                    database.put_row(result.row)
                    continue
                self.read.add(result.row.id)
                if result.row.kept is None:
                    database.put(result.row, result.contents, result.names)
                else:
                    database.keep(result.row)

    def _take_lists_amid_articles(self, to_build: ArticlesToBuild) -> None:
        """Build pages once more that read like lists, where what stands beside them shows that they are
        none."""
        ids = lists_amid_articles(to_build.database)
        if ids:
            self._build_again(ids, replace(self.job, amid_articles=True), to_build)

    def _leave_out_portal_words(self, to_build: ArticlesToBuild) -> None:
        """Build documents once more that have what nearly all have, or had it before, until it is known what
        that is."""
        database = to_build.database
        for _ in range(_MOST_ROUNDS):
            known, words = self.job.portal_words, portal_words(database, self.job.portal.metadata)
            self.job = replace(self.job, portal_words=words)
            changed = {(word.field, word.value) for word in known} ^ {
                (word.field, word.value) for word in words
            }
            ids = set(documents_with(database, changed)) if changed else set()
            self._build_again(ids, self.job, to_build)
            if self.work.stopped:
                return
            note_words(database, words)

    def _build_again(self, ids: Collection[str], job: BuildJob, to_build: ArticlesToBuild) -> None:
        """Build articles that may have been built already."""
        for batch in self.pool.run(job, to_build.with_ids(ids)):
            self._count_written(batch)
            self._put(batch, to_build.database)

    def _count_written(self, batch: Iterable[BuildResult]) -> None:
        """Count each document once, however often it was written."""
        written = {result.row.id for result in batch if result.written}
        self.counts["written"] += len(written - self.written)
        self.written |= written

    def sources(self, index_pages: BuildDatabase) -> StoredArticles:
        """All articles; where rules find whole posts on index pages, after a look at those that the database
        does not know yet."""
        job = IndexPages(self.job.corpus.warc, self.job.portal)
        look_for_posts(job, self.job.corpus.ledger, index_pages, pool=self.pool, work=self.work)
        return StoredArticles(self.job.corpus.ledger, self.job.portal, index_pages.index_posts())

    def _confirm(self, to_build: ArticlesToBuild) -> None:
        """Note that all articles are as these rules have them, those that were not read too; from here on
        several are looked at together, and who is cut off in that has all to do again after the next edit."""
        database = to_build.database
        with database.transaction():
            database.note(FINISHED, "no")
            if to_build.changed is not None:
                database.confirm_unread(self.job.rules, to_build.changed.moved, self.read)
            database.note(KEPT_RULES, kept_rules(self.job).note)

    def _note_corrections(self, to_build: ArticlesToBuild) -> None:
        """Note which values mended by hand are of no article that is there, and all that were heeded."""
        known, database = self.job.corrections.all, to_build.database
        if to_build.total_as_before is not None or not (known or database.noted(CORRECTIONS)):
            return  # where no article was looked at, none was mended otherwise than at the last build
        gone = [
            (f"{mended.field}: nothing is stored of {mended.article}", [mended.article])
            for mended in known
            if mended not in to_build.corrected
        ]
        database.note_doubts(GONE_CORRECTIONS, gone, self.now)
        database.note(CORRECTIONS, digest_of(known))

    def _note_rate(self, seconds: float, database: BuildDatabase) -> None:
        """Note how long the reading of an article takes, if enough were read, and most of them: to pass by
        the others takes time, too."""
        read = self.counts["done"] - self.counts["unchanged"] - self.counts["untouched"]
        if read >= max(_FEWEST_TIMED, self.counts["done"] / 2):
            database.note(SECONDS, f"{seconds / read:.6f}")

    def batches(self, tasks: Iterator[BuildTask]) -> Iterator[list[BuildResult]]:
        """Give what comes of them, batch by batch, in the same order."""
        for batch in self.pool.run(self.job, tasks):
            self._count_written(batch)
            for result in batch:
                row = result.row
                self.counts.update(
                    done=1,
                    confirmed=result.is_read
                    and row.path is not None
                    and row.kept is None
                    and not result.written,
                    untouched=not result.is_read,
                    removed=result.removed,
                    failed=row.outcome in PAGE_FAILURES,
                )
            yield batch
            self.work.show("", self.counts["done"], self.counts["articles"], failed=self.counts["failed"])

    def _summary(self, database: BuildDatabase) -> BuildSummary:
        """Return what the build did, and all that it knows of what it has."""
        done: dict[str, Any] = {
            name: number for name, number in self.counts.items() if name not in ("done", "failed")
        }
        if (
            done.get("unchanged") != done.get("articles")
            or database.noted(_DOUBTED) != self.job.portal.effective
        ):
            note_doubts(database, self.job.corpus, self.job.portal, self.now)
            database.note(_DOUBTED, self.job.portal.effective)
        incomplete = INTERRUPTED if self.work.stopped else None
        return replace(summary_of(database, self.job.portal), incomplete=incomplete, **done)
