"""The build of one corpus: what changed is built again, what is no article any more goes, everything else is left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_format import DocumentFormat
from webarticlecurator.building.document_store import DocumentStore, id_of, invalid_path, is_document
from webarticlecurator.building.index_pages import IndexPagesJob, look_for_posts
from webarticlecurator.building.options import BuildOptions, BuildSummary
from webarticlecurator.building.packing import Packing, present_form
from webarticlecurator.building.portal_values import Value, as_words
from webarticlecurator.building.results import BuildResult, BuildTask, lost_result
from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_articles import LostArticle, StoredArticle, StoredArticles
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.outcome import PAGE_FAILURES, PageOutcome
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers

if TYPE_CHECKING:
    from webarticlecurator.building.article_builder import ArticleBuilder

INTERRUPTED = "interrupted; the next build goes on"
_FIRST = 256
"""Articles of a portal by which its first build guesses what is the portal's."""
_NAMED = 5
"""Articles whose text changed that a build names."""
_FINISHED = "finished"
"""What the database notes of the last build; where it is not "yes", files may lie about that the database does not know."""
_MADE_OF = "made of"
"""The rules of the last build that came to its end, and the newest response that was stored then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildJob:
    """All that a worker needs to know beside its tasks; it travels to other processes by pickling."""

    corpus: Path
    """Its folder."""
    portal: Portal
    document_format: DocumentFormat
    rules: str
    """Digest of the rules."""
    only_compare: bool = False
    """Nothing is written; the words that the documents would gain and lose are counted."""
    portal_values: frozenset[Value] = frozenset()
    """What nearly every article's page says; no document repeats it."""

    def worker(self) -> ArticleBuilder:
        """What builds articles; imported here, since a build with nothing to do needs none of it."""
        from webarticlecurator.building.article_builder import ArticleBuilder

        return ArticleBuilder(
            warc=self.warc,
            portal=self.portal,
            document_format=self.document_format,
            rules=self.rules,
            only_compare=self.only_compare,
            document_store=DocumentStore(self.corpus),
            portal_values=self.portal_values,
        )

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {"rules": rules_digest(self.portal, self.document_format.digest), str(self.warc): finished_files(self.warc)}

    @property
    def warc(self) -> Path:
        return self.corpus / "warc"

    @property
    def ledger(self) -> Path:
        return Corpus(self.corpus).ledger

    @property
    def database(self) -> Path:
        return Corpus(self.corpus).build_database


@dataclass(slots=True)
class BuildCounts:
    """How far a build is."""

    total: int = 0
    done: int = 0
    unchanged: int = 0
    written: int = 0
    confirmed: int = 0
    removed: int = 0
    failed: int = 0
    stored_again: int = 0
    edited: int = 0
    edited_urls: tuple[str, ...] = ()
    """The first of them."""
    doing: str = ""

    def add(self, result: BuildResult) -> None:
        """One more article."""
        self.done += 1
        self.written += result.written
        self.confirmed += result.path is not None and not result.written
        self.removed += result.removed
        self.failed += result.outcome in PAGE_FAILURES
        self.stored_again += result.stored_again
        if result.edited:
            self.edited += 1
            self.edited_urls = (*self.edited_urls, result.url)[:_NAMED]


@dataclass(slots=True, kw_only=True)
class Builder:
    """Goes through all articles of one corpus once."""

    job: BuildJob
    options: BuildOptions
    now: str
    """UTC, ISO 8601: since when new outcomes hold."""
    stop: Flag
    show: Callable[[BuildCounts], None]
    workers: Workers
    counts: BuildCounts = field(default_factory=BuildCounts)

    def build(self) -> BuildSummary:
        """Build what changed."""
        with BuildDatabase(self.job.database) as database, closing(self.sources(database)) as sources:
            packing = self._packing(database)
            self.check(sources, database)
            made_of = self._made_of()
            thorough = self.options.everything or database.noted(_FINISHED) != "yes"
            database.note(_FINISHED, "no")
            packing.unpack()
            self.use_portal_values(database)
            is_first = next(database.identities(), None) is None
            tasks = self.tasks(sources, database)
            guessed = is_first and self._guess_portal_values(tasks, database)
            self._build(tasks, database)
            if not self.stop.is_set():
                self._forget_gone(sources, database)
                self._settle_portal_values(sources, database, guessed)
            if thorough and not self.stop.is_set():
                self._sweep(sources, database)
            packing.pack()
            database.make_anew(packing.lost)
            if not self.stop.is_set():
                database.note(_FINISHED, "yes")
                database.note(_MADE_OF, made_of)
            return self._summary(sources, database, packing.lost)

    def has_nothing_to_do(self) -> bool:
        """Whether the last build took all that is stored now, by the same rules; that files were lost since is not looked for."""
        with BuildDatabase.of_earlier_build(self.job.database) as database:
            return database.noted(_FINISHED) == "yes" and database.noted(_MADE_OF) == self._made_of()

    def _made_of(self) -> str:
        """Changes with the rules, and with every response that is stored."""
        with Ledger.reading(self.job.ledger) as ledger:
            return f"{self.job.rules} {ledger.last_response()}"

    def _packing(self, database: BuildDatabase) -> Packing:
        def show(done: int, total: int) -> None:
            self.show(replace(self.counts, done=done, total=total, doing="packing"))

        corpus = Corpus(self.job.corpus)
        return Packing(
            corpus=corpus,
            portal=self.job.portal.name,
            database=database,
            form=self.options.form or present_form(corpus),
            stopped=self.stop.is_set,
            show=show,
        )

    def sources(self, index_pages: BuildDatabase) -> StoredArticles:
        """All articles; where rules find whole posts on index pages, after a look at those that the database does not know yet."""
        job = IndexPagesJob(self.job.warc, self.job.portal)
        look_for_posts(job, self.job.ledger, index_pages, self.job.rules, workers=self.workers, stopped=self.stop.is_set)
        return StoredArticles(self.job.ledger, self.job.portal, index_pages.index_posts())

    def use_portal_values(self, database: BuildDatabase) -> None:
        """Make documents without what was found to be the portal's."""
        self.job = replace(self.job, portal_values=database.portal_values())

    def _build(self, tasks: Iterator[BuildTask], database: BuildDatabase) -> None:
        for batch in self.results(tasks):
            with database.transaction():
                database.put(batch, rules=self.job.rules, now=self.now)

    def _guess_portal_values(self, tasks: Iterator[BuildTask], database: BuildDatabase) -> bool:
        """Build the first articles of a portal, and say whether they show values to be its own.

        Where all articles show the same in the end, only these few are made twice, and not all of them.
        """
        self._build(islice(tasks, _FIRST), database)
        return not self.stop.is_set() and self._note_portal_values(database)

    def _note_portal_values(self, database: BuildDatabase) -> bool:
        """Whether what was built shows other values to be the portal's than were known."""
        values = database.frequent_values()
        if values == database.portal_values():
            return False
        with database.transaction():
            database.note_portal_values(values)
        self.use_portal_values(database)
        return True

    def _settle_portal_values(self, sources: StoredArticles, database: BuildDatabase, guessed: bool) -> None:
        """Where all articles together show other values to be the portal's than before, the documents that these concern are made anew.

        What a page says does not depend on what is left out of its document: so once is enough.
        """
        if not self._note_portal_values(database) and not guessed:
            return
        before, self.counts = self.counts, BuildCounts()
        everything, self.options = self.options.everything, replace(self.options, everything=False)
        self._build(self.tasks(sources, database), database)
        changed = min(before.unchanged, self.counts.written)  # the others were counted when they were built the first time
        self.options = replace(self.options, everything=everything)
        self.counts = replace(before, unchanged=before.unchanged - changed, written=before.written + changed)

    def tasks(self, sources: StoredArticles, database: BuildDatabase) -> Iterator[BuildTask]:
        """The articles that have to be built, in the order in which they lie in the WARC files."""
        self.counts.total = sources.total
        document_store = DocumentStore(self.job.corpus)
        for source in sources:
            if self.stop.is_set():
                return
            task = self._task(source, database, document_store)
            if task is None:
                self.counts.done += 1
                self.counts.unchanged += 1
            else:
                yield task

    def results(self, tasks: Iterator[BuildTask]) -> Iterator[list[BuildResult]]:
        """What comes of them, batch by batch, in the same order."""
        first = next(tasks, None)
        if first is None:  # so nobody need get ready for it
            return
        for batch in pool.run(self.job, chain((first,), tasks), workers=self.workers):
            for result in batch:
                self.counts.add(result)
            yield batch
            self.show(self.counts)

    def _task(self, source: StoredArticle, database: BuildDatabase, document_store: DocumentStore) -> BuildTask | None:
        """What is to be done for an article; None where nothing changed."""
        known, captures = database.known(source.id), source.digest()
        if known is None:
            return BuildTask(source=source, captures=captures)
        is_there = known.path is None or document_store.has(known.path, known.size)
        if not self.options.everything and is_there and (known.captures, known.rules) == (captures, self.job.rules):
            return None
        return BuildTask(
            source=source, captures=captures, captured=known.captured, path=known.path, invalid=known.outcome is PageOutcome.INVALID
        )

    def check(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Before anything is taken away: is everything there that documents are made of?"""
        if not sources.total and not sources.lost and next(database.identities(), None) is not None:
            raise CorpusError(
                f"{self.job.ledger} knows of no stored article, but {self.job.database.name} knows of documents. "
                "`curator warc index` makes the ledger again from the WARC files. Nothing was changed."
            )
        short = sources.short_files(self.job.warc)
        if short:
            more = f" (and {amount(len(short) - 1, 'more file')})" if len(short) > 1 else ""
            raise CorpusError(
                f"{self.job.warc / short[0]}{more} is missing or cut short. Put it back; if it is lost, `curator crawl` asks again for"
                " what it held (`curator warc index` asks nobody, and only writes down what is lost). Nothing was changed."
            )

    def _forget_gone(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """What the ledger has no page of any more. Of what was lost the document may be all that is left, so it stays."""
        gone, lost = [], []
        for article, key, identity, path in database.identities():
            if not sources.has(key, identity):
                loss = sources.lost.get(article)
                gone.append((article, path)) if loss is None else lost.append((article, loss.reason))
        document_store = DocumentStore(self.job.corpus)
        with database.transaction():
            for article, path in gone:
                document_store.remove(path or invalid_path(article))
            database.forget(article for article, _ in gone)
            database.lose(lost, now=self.now)
        self.counts.removed += sum(path is not None for _, path in gone)

    def _sweep(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Take away documents that no row of the database stands for: a build before was cut off, or its database is lost.

        That of a lost article may be all that is left of it, so it stays.
        """
        document_store, lost = DocumentStore(self.job.corpus), sources.lost
        if lost:
            self._remember(lost, database, document_store)
        for article, path in document_store.stale(self.job.portal.name):
            known = database.known(article)
            invalid = invalid_path(article) if known is not None and known.outcome is PageOutcome.INVALID else None
            if article not in lost if known is None else path not in (known.path, invalid):
                document_store.remove(path)

    def _remember(self, lost: Mapping[str, LostArticle], database: BuildDatabase, document_store: DocumentStore) -> None:
        """What lost articles there are documents of, where the database is lost, too: zips are made of what it knows."""
        files = (path for _, path in document_store.stale(self.job.portal.name))
        for path in (path for path in chain(files, document_store.packed()) if is_document(path)):
            one = lost.get(id_of(path))
            if one is not None and database.known(id_of(path)) is None:
                database.put([lost_result(id_of(path), one, path)], rules="", now=self.now)

    def _summary(self, sources: StoredArticles, database: BuildDatabase, unreadable: Sequence[str]) -> BuildSummary:
        broken = (
            f"{amount(len(unreadable), 'document')} could not be read any more where they were packed (such as {unreadable[0]});"
            " the next build makes them again"
            if unreadable
            else None
        )
        same_articles, addresses = database.same_articles()
        failures = (f"{count:,} {outcome}: {reason} (such as {url})" for outcome, reason, count, url in database.reasons())
        comment_words, comment_articles = database.unread_comments()
        return BuildSummary(
            portal=self.job.portal.name,
            articles=self.counts.total,
            unchanged=self.counts.unchanged,
            written=self.counts.written,
            confirmed=self.counts.confirmed,
            removed=self.counts.removed,
            stored_again=self.counts.stored_again,
            text_changed=self.counts.edited,
            changed_urls=self.counts.edited_urls,
            under_several_addresses=same_articles,
            addresses_of_one=addresses,
            outcomes=database.outcomes(),
            lost_addresses=database.lost_addresses(),
            missing_pages=database.missing_pages(),
            index_posts=database.index_flags() if sources.has_posts else {},
            nameless_posts=database.nameless_posts(),
            unread_comment_words=comment_words,
            unread_comment_articles=comment_articles,
            failures=tuple(failures),
            going_on=database.going_on(),
            portal_values=as_words(database.left_out()),
            incomplete=INTERRUPTED if self.stop.is_set() else broken,
        )
