"""The build of one corpus: what changed is built again, what is no article any more goes, everything else is
left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.building.amid_articles import lists_amid_articles
from webarticlecurator.building.article_row import ArticleRow, Contents, unread_row
from webarticlecurator.building.build_options import BuildOptions, BuildSummary, rules_digest, sources_digest
from webarticlecurator.building.build_summary import note_doubts, summary_of
from webarticlecurator.building.corrected import PortalCorrections, digest_of
from webarticlecurator.building.database import GONE_CORRECTIONS, TEMPLATE, TEMPLATE_DIGEST, BuildDatabase
from webarticlecurator.building.document_store import DocumentStore, id_of
from webarticlecurator.building.index_pages import IndexPages, look_for_posts
from webarticlecurator.building.kept_rules import KeptRules, UnknownRules
from webarticlecurator.building.portal_words import (
    PortalWords,
    documents_with,
    note_words,
    noted_words,
    portal_words,
)
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_articles import LostArticle, StoredArticle, StoredArticles
from webarticlecurator.databases import fingerprint
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.metadata import Correction
from webarticlecurator.model.outcome import PAGE_FAILURES, Kept, PageOutcome
from webarticlecurator.model.progress import Work
from webarticlecurator.tei.document import Template, part_digest
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers.pool import Pool, Workers

if TYPE_CHECKING:
    from webarticlecurator.building.article_builder import ArticleBuilder
    from webarticlecurator.building.changed_rules import ChangedRules

INTERRUPTED = "interrupted; the next build goes on"
_OTHER_VERSION = "what the last build kept of them was written by another version of curator"
"""Why nothing is known of articles that were built."""
_FINISHED = "finished"
"""What the database notes of the last build; where it is not "yes", files may lie about that the database
does not know."""
_DOUBTED = "doubted"
"""The portal file, by whose rules the doubts were looked for last."""
_MOST_ROUNDS = 2
"""Times that documents are built once more for what nearly all have: the second takes back what others were
built without meanwhile."""
_READING = "reading"
"""The note on a build that was cut off while it read articles: all that it had not read are as they were."""
_KEPT_RULES = "kept rules"
"""The rules by which all articles were built, or known to be as if they were."""
_SECONDS = "seconds an article"
"""The time that the reading of one article took last."""
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
"""Of those that were stored when the last build began that came to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildJob:
    """All that a worker needs to know beside its tasks; it travels to other processes by pickling."""

    corpus: Corpus
    portal: Portal
    template: Template
    """The header of the documents."""
    day: date
    """The only time in a document that is not the article's own."""
    rules: str
    """Digest of the rules."""
    only_compare: bool = False
    """Nothing is written."""
    amid_articles: bool = False
    """The pages stand amid articles of their kind, so that none is a list."""
    corrections: PortalCorrections = field(default_factory=PortalCorrections)
    """Values of single articles that a person has mended."""
    portal_words: PortalWords = ()
    """Words that nearly all documents have, and that are left out of each."""
    before: WrittenBy | None = None
    """The portal and the template of the last build, where documents are written again without reading."""

    def worker(self) -> ArticleBuilder:
        """Return what builds articles; imported here, since a build with nothing to do needs none of it."""
        from webarticlecurator.building.article_builder import ArticleBuilder

        return ArticleBuilder(self)

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {
            "rules": rules_digest(self.portal, self.template.digest),
            str(self.corpus.warc): finished_files(self.corpus.warc),
        }


class WrittenBy(NamedTuple):
    """A portal and a template, by which the document of an article is written."""

    portal: Portal
    template: Template


class BuildTask(NamedTuple):
    """An article to be built."""

    source: StoredArticle
    known: ArticleRow | None
    """The row of the article in the last build; None of a new one."""
    contents: Contents | None = None
    """The contents that the last build kept of it, where no changed rule can touch its pages: its document
    is to be written again by them."""


@dataclass(slots=True)
class BuildResult:
    """What became of one article."""

    row: ArticleRow
    contents: Contents | None = None
    """Of one with a document."""
    names: bytes | None = None
    """The names on the pages that the article was read from, packed; None where they are not known."""
    written: bool = False
    """The document is another than before; else it was left alone."""
    removed: bool = False
    """A document of it is gone."""
    is_read: bool = True
    """False if only its document was looked at, or written, by what the last build kept."""


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
    changed: ChangedRules | None = None
    """How the rules differ from those by which all was built; None where that is not known, or does not
    matter."""
    total_as_before: int | None = None
    """How many articles are stored, where none has other pages than at the last build, and the ledger need
    not be asked of each; None where some may have."""
    is_after_cut: bool = False
    """The build before was cut off while it wrote documents, so that one may be newer than what is known of
    it."""
    corrected: set[Correction] = field(default_factory=set)
    """The values mended by hand whose articles are there."""
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
            before, stored = database.noted(_FINISHED), self._stored(seal, newest)
            thorough = self.options.everything or before != "yes"
            if not thorough and stored == database.noted(_STORED) != "":
                self.total_as_before = int(database.noted(_TOTAL) or 0)
            self.check(sources, database)
            self._read(sources, database, before)
            if not self.work.stopped:
                self._look_at_all(sources, database, thorough=thorough)
            if thorough and not self.work.stopped:
                self._sweep(sources, database)
            if packed and not self.work.stopped:
                self.store.pack(database, self.work, failed=self.counts["failed"])
            if not self.work.stopped:
                self._note_corrections(database)
                database.note(_FINISHED, "yes")
                database.note(_NEWEST, newest)
                database.note(_STORED, stored)
                database.note(_TOTAL, str(self.counts["articles"]))
            return self._summary(database)

    def _stored(self, seal: str | None, newest: str) -> str:
        """Return what changes with all that decides what is stored of which article, or mended in it by hand;
        empty where that is not to be told."""
        if seal is None or self.job.portal.reads_index_pages:
            return ""
        mended = digest_of(self.job.corrections.all)
        return f"{seal} {newest} {sources_digest(self.job.portal)} {mended}"

    def _read(self, sources: StoredArticles, database: BuildDatabase, before: str | None) -> None:
        """Build the articles that have to be. `before`: how the last build ended."""
        if database.is_made_again:
            self.work.say(f"all articles are read: {_OTHER_VERSION}")
        self.is_after_cut = before == _READING
        self.look_for_changes(sources, database)
        database.note(_FINISHED, _READING if before in ("yes", _READING) else "no")
        database.note(TEMPLATE, self.job.template.header)
        database.note(TEMPLATE_DIGEST, self.job.template.digest)
        self.job = replace(self.job, portal_words=noted_words(database))
        begin = monotonic()
        for batch in self.batches(self.tasks(sources, database)):
            self._put(batch, database)
        self._note_rate(monotonic() - begin, database)

    def _look_at_all(self, sources: StoredArticles, database: BuildDatabase, *, thorough: bool) -> None:
        """Do what is to be done for several articles together."""
        self._confirm(database)
        if thorough or self.counts["unchanged"] < self.counts["articles"]:
            self._take_lists_amid_articles(sources, database)
        if self.total_as_before is None:
            self._forget_gone(sources, database)
        fields = " ".join(sorted(self.job.portal.metadata))
        if thorough or database.has_other_values or database.noted(_FIELDS) != fields:
            self._leave_out_portal_words(sources, database)
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

    def _take_lists_amid_articles(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Build pages once more that read like lists, where what stands beside them shows that they are
        none."""
        ids = lists_amid_articles(database)
        if ids:
            tasks = self._tasks_of(ids, sources, database)
            for batch in self.pool.run(replace(self.job, amid_articles=True), tasks):
                self._count_written(batch)
                self._put(batch, database)

    def _leave_out_portal_words(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Build documents once more that have what nearly all have, or had it before, until it is known what
        that is."""
        for _ in range(_MOST_ROUNDS):
            known, words = self.job.portal_words, portal_words(database, self.job.portal.metadata)
            self.job = replace(self.job, portal_words=words)
            changed = {(word.field, word.value) for word in known} ^ {
                (word.field, word.value) for word in words
            }
            ids = set(documents_with(database, changed)) if changed else set()
            for batch in self.pool.run(self.job, self._tasks_of(ids, sources, database)):
                self._count_written(batch)
                self._put(batch, database)
            if self.work.stopped:
                return
            note_words(database, words)

    @staticmethod
    def _tasks_of(
        ids: Collection[str], sources: StoredArticles, database: BuildDatabase
    ) -> Iterator[BuildTask]:
        """Yield the articles of these ids that are stored."""
        for known in filter(None, map(database.known, sorted(ids))):
            if sources.has(known.key, known.identity):
                yield BuildTask(sources.of(known.key, known.identity), known)

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

    def look_for_changes(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Find out which articles no changed rule can touch, where it is known by which rules all were built;
        and tell how many are left."""
        note = database.noted(_KEPT_RULES)
        if note in (None, self._kept_rules.note) or self.options.everything:
            return
        from webarticlecurator.building.changed_rules import changed_rules

        try:
            changed = changed_rules(KeptRules.read(note), self.job.portal, self.job.template.digest)
            if database.noted(_FINISHED) not in ("yes", _READING):
                raise UnknownRules("the last build was cut off while it looked at all of them together")
        except UnknownRules as why:
            self.work.say(f"all articles are read that the last build has not read by these rules: {why}")
            return
        untouched = 0
        if not changed.touches_all:
            self.changed = changed
            every = not (changed.needs or changed.by_address)
            untouched = database.find_touched(changed.since, None if every else changed.may_touch)
        if changed.of_documents:
            template = Template(database.noted(TEMPLATE) or "")
            self.job = replace(self.job, before=WrittenBy(changed.portal, template))
        if changed.number:
            total = self._total(sources)
            self._tell(changed, total - untouched, total, database.noted(_SECONDS))

    def _tell(self, changed: ChangedRules, articles: int, total: int, each: str | None) -> None:
        """Tell how many articles are read, and how long that will take."""
        seconds = f", about {amount(1 + int(articles * float(each)), 'second')}" if each and articles else ""
        rules = "what holds for all pages" if changed.holds_for_all else amount(changed.number, "rule")
        writes_others = changed.of_documents and articles < total
        others = "; other documents are written without reading" if writes_others else ""
        touched = f"{articles:,} of {amount(total, 'article')}{seconds}{others}"
        self.work.say(f"{rules} changed; that can touch {touched}")

    @property
    def _kept_rules(self) -> KeptRules:
        """The rules of this build, as the database keeps them."""
        return KeptRules.of(self.job.portal, self.job.rules, self.job.template.digest)

    def _confirm(self, database: BuildDatabase) -> None:
        """Note that all articles are as these rules have them, those that were not read too; from here on
        several are looked at together, and who is cut off in that has all to do again after the next edit."""
        with database.transaction():
            database.note(_FINISHED, "no")
            if self.changed is not None:
                database.confirm_unread(self.job.rules, self.changed.moved, self.read)
            database.note(_KEPT_RULES, self._kept_rules.note)

    def _note_corrections(self, database: BuildDatabase) -> None:
        """Note which values mended by hand are of no article that is there, and all that were heeded."""
        known = self.job.corrections.all
        if self.total_as_before is not None or not (known or database.noted(CORRECTIONS)):
            return  # where no article was looked at, none was mended otherwise than at the last build
        gone = {
            f"{mended.field}: nothing is stored of {mended.article}": mended.article
            for mended in known
            if mended not in self.corrected
        }
        database.note_doubts(GONE_CORRECTIONS, gone, self.now)
        database.note(CORRECTIONS, digest_of(known))

    def _note_rate(self, seconds: float, database: BuildDatabase) -> None:
        """Note how long the reading of an article takes, if enough were read, and most of them: to pass by
        the others takes time, too."""
        read = self.counts["done"] - self.counts["unchanged"] - self.counts["untouched"]
        if read >= max(_FEWEST_TIMED, self.counts["done"] / 2):
            database.note(_SECONDS, f"{seconds / read:.6f}")

    def tasks(self, sources: StoredArticles, database: BuildDatabase) -> Iterator[BuildTask]:
        """The articles that have to be built, in the order in which they lie in the WARC files unless they
        are few; others are counted as unchanged, or as untouched by what was changed."""
        self.counts["articles"] = self._total(sources)
        if self.total_as_before is None:
            every: Iterator[BuildTask] = (BuildTask(each, database.known(each.id)) for each in sources)
        else:
            every = self._tasks_of(self._to_look_at(database), sources, database)
        return self._new_tasks(every, database)

    def _total(self, sources: StoredArticles) -> int:
        """Return how many articles are stored."""
        return sources.total if self.total_as_before is None else self.total_as_before

    def _to_look_at(self, database: BuildDatabase) -> list[str]:
        """Return the ids of articles that may have to be built, where no other page is stored than at the
        last build; count the others."""
        there, others, passed_by = self.store.sizes(), database.unfinished(), Counter[str]()
        writes_all = self.changed is not None and self.changed.of_documents
        for id, path, size, is_by_rules, is_untouched in database.states(self.job.rules):
            if not (path is None or there.get(path) == size or self.store.has(path, size)):
                others.append(id)
            elif is_by_rules or (is_untouched and not writes_all):
                passed_by["unchanged" if is_by_rules else "untouched"] += 1
            else:
                others.append(id)
        self.counts.update(passed_by, done=passed_by.total())
        return others

    def _new_tasks(self, tasks: Iterable[BuildTask], database: BuildDatabase) -> Iterator[BuildTask]:
        """Yield those of all articles that have to be built."""
        for source, known, _ in tasks:
            if self.work.stopped:
                return
            self.corrected.update(self.job.corrections.of_article(source))
            if known is None or self.options.everything or not self._is_as_it_was(source, known):
                yield BuildTask(source, known)
            elif known.rules == self.job.rules:
                self.counts.update(done=1, unchanged=1)
            elif self.changed is None or not self._is_untouched(source, known, database, self.changed):
                yield BuildTask(source, known)
            elif self.changed.of_documents and (contents := database.contents(source.id)) is not None:
                yield BuildTask(source, known, contents)
            else:
                self.counts.update(done=1, untouched=1)

    def _is_as_it_was(self, source: StoredArticle, known: ArticleRow) -> bool:
        """Say whether an article is still made of the same pages, mended in the same way, and its document is
        there."""
        is_there = known.path is None or self.store.has(known.path, known.size)
        is_mended_as_before = known.corrections == digest_of(self.job.corrections.of_article(source))
        return (
            known.captures == source.digest()
            and is_there
            and is_mended_as_before
            and not self._is_newer(known)
        )

    def _is_newer(self, known: ArticleRow) -> bool:
        """Say whether a build that was cut off has written a document of which the database does not know."""
        if known.path is None or not self.is_after_cut:
            return False
        return part_digest(self.store.read(known.path) or b"") != known.part

    @staticmethod
    def _is_untouched(
        source: StoredArticle, known: ArticleRow, database: BuildDatabase, changed: ChangedRules
    ) -> bool:
        """Say whether no changed rule can touch an article. A document that was not valid, and so is not
        kept, may be by another template."""
        if changed.of_documents and known.outcome is PageOutcome.INVALID:
            return False
        return database.is_untouched(source.id) and not changed.leave_out(source)

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

    def check(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Before anything is taken away: is everything there that documents are made of?"""
        corpus = self.job.corpus
        if not self._total(sources) and not sources.lost and next(database.identities(), None) is not None:
            raise CorpusError(
                f"{corpus.ledger} knows of no stored article, but {corpus.build_database.name} knows of "
                "documents. Nothing was changed.",
                advice="index",
            )
        short = sources.short_files(corpus.warc)
        if short:
            more = f" (and {amount(len(short) - 1, 'more file')})" if len(short) > 1 else ""
            raise CorpusError(
                f"{corpus.warc / short[0]}{more} is missing or cut short. Put it back; if it is lost, the "
                "next crawl asks again for"
                " what it held. To make the ledger again asks nobody, and only writes down what is lost. "
                "Nothing was changed.",
                advice="index",
            )

    def _forget_gone(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Forget articles whose pages the ledger has no more; a lost or damaged one keeps its document, which
        may be all that is left."""
        gone, lost, damaged = [], [], []
        for article, key, identity, path in database.identities():
            if sources.has(key, identity):
                continue
            if (loss := sources.lost.get(article)) is not None:
                lost.append((article, loss.reason))
            elif path is not None and (kept := self._unread(article, sources, database)) is not None:
                damaged.append(kept)
            else:
                gone.append((article, path))
        with database.transaction():
            for row in damaged:
                database.keep(row)
            for article, path in gone:
                if path is not None:
                    self.store.remove(path)
                database.forget(article)
            for article, reason in lost:
                database.lose(article, reason, now=self.now)
        self.counts["removed"] += sum(path is not None for _, path in gone)

    def _unread(self, article: str, sources: StoredArticles, database: BuildDatabase) -> ArticleRow | None:
        """The row of a document that was made of a record which a ledger made anew did not find in its file;
        None: it is no such one."""
        built = database.by_id(article)
        if built is None:
            return None
        for capture in built.record["captures"]:
            if not sources.has_record(capture["record_id"]) and sources.has_file(capture["file"]):
                damage = f"{capture['file']}: byte {capture['offset']}: the ledger found no whole record here"
                return replace(built, kept=Kept.PAGE_DAMAGED, damaged=capture["record_id"], damage=damage)
        return None

    def _sweep(self, sources: StoredArticles, database: BuildDatabase) -> None:
        """Take away documents that no row of the database stands for: a build before was cut off, or its
        database is lost.

        That of a lost article may be all that is left of it: it stays, and the database, where that is lost
        too, is told of it.
        """
        loose = list(self.store.loose(self.job.portal.name))
        if sources.lost:
            for path in chain((path for _, path in loose), self.store.packed()):
                self._tell_of_lost(path, sources.lost, database)
        for article, path in loose:
            known = database.known(article)
            if known is None:
                is_needless = article not in sources.lost
            elif known.path is None and known.damage is not None and path.endswith(".xml"):
                # made while its page was whole, by a build whose database is lost
                database.put(
                    replace(known, path=path, size=len(self.store.read(path) or b""), kept=Kept.PAGE_DAMAGED)
                )
                continue
            else:
                is_needless = path != known.path
            if is_needless:
                self.store.remove(path)

    def _tell_of_lost(self, path: str, lost: Mapping[str, LostArticle], database: BuildDatabase) -> None:
        """Tell the database of a document, if that is of a lost article that it does not know."""
        loss = lost.get(id_of(path))
        if loss is not None and path.endswith(".xml") and database.known(id_of(path)) is None:
            row = unread_row(id_of(path), loss, loss.reason)
            row.since, row.path = self.now, path
            database.put(row)

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
