"""The articles that have to be built: whose pages, rules, mended values or documents are not as the last
build left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.building.article_row import ArticleRow
from webarticlecurator.building.build_job import BuildJob, BuildTask, WrittenBy
from webarticlecurator.building.corrected import digest_of
from webarticlecurator.building.database import TEMPLATE, BuildDatabase
from webarticlecurator.building.document_store import DocumentStore
from webarticlecurator.building.kept_rules import KeptRules, UnknownRules
from webarticlecurator.corpus.stored_articles import StoredArticle, StoredArticles
from webarticlecurator.model.metadata import Correction
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.progress import Work
from webarticlecurator.tei.document import Template, part_digest

if TYPE_CHECKING:
    from webarticlecurator.building.changed_rules import ChangedRules

FINISHED = "finished"
"""What the database notes of the last build; where it is not "yes", files may lie about that the database
does not know."""
READING = "reading"
"""The note on a build that was cut off while it read articles: all that it had not read are as they were."""
KEPT_RULES = "kept rules"
"""The rules by which all articles were built, or known to be as if they were."""
SECONDS = "seconds an article"
"""The time that the reading of one article took last."""


def kept_rules(job: BuildJob) -> KeptRules:
    """Return the rules of a build, as the database keeps them."""
    return KeptRules.of(job.portal, job.rules, job.template.digest)


@dataclass(slots=True, kw_only=True)
class ArticlesToBuild:
    """Goes through all articles that are stored, and gives those that have to be built; the others are
    counted."""

    job: BuildJob
    sources: StoredArticles
    database: BuildDatabase
    store: DocumentStore
    work: Work
    counts: Counter[str]
    """By the names that they have in a `BuildSummary`; and how many articles are `done`."""
    everything: bool = False
    """All are to be built."""
    total_as_before: int | None = None
    """How many articles are stored, where none has other pages than at the last build, and the ledger need
    not be asked of each; None where some may have."""
    is_after_cut: bool = False
    """The build before was cut off while it wrote documents, so that one may be newer than what is known of
    it."""
    changed: ChangedRules | None = None
    """How the rules differ from those by which all was built; None where that is not known, or does not
    matter."""
    corrected: set[Correction] = field(default_factory=set)
    """The values mended by hand whose articles are there."""

    @property
    def total(self) -> int:
        """How many articles are stored."""
        return self.sources.total if self.total_as_before is None else self.total_as_before

    def look_for_changes(self) -> WrittenBy | None:
        """Find out which articles no changed rule can touch, where it is known by which rules all were built,
        and tell how many are left; return by what other documents were written, which are written again."""
        note = self.database.noted(KEPT_RULES)
        if note in (None, kept_rules(self.job).note) or self.everything:
            return None
        from webarticlecurator.building.changed_rules import changed_rules

        try:
            changed = changed_rules(KeptRules.read(note), self.job.portal, self.job.template.digest)
            if self.database.noted(FINISHED) not in ("yes", READING):
                raise UnknownRules("the last build was cut off while it looked at all of them together")
        except UnknownRules as why:
            self.work.say(f"all articles are read that the last build has not read by these rules: {why}")
            return None
        untouched = 0
        if not changed.touches_all:
            self.changed = changed
            every = not (changed.needs or changed.by_address)
            untouched = self.database.find_touched(changed.since, None if every else changed.may_touch)
        if changed.number:
            self._tell(changed, self.total - untouched)
        if not changed.of_documents:
            return None
        return WrittenBy(changed.portal, Template(self.database.noted(TEMPLATE) or ""))

    def _tell(self, changed: ChangedRules, articles: int) -> None:
        """Tell how many articles are read, and how long that will take."""
        each = self.database.noted(SECONDS)
        seconds = f", about {amount(1 + int(articles * float(each)), 'second')}" if each and articles else ""
        writes_others = changed.of_documents and articles < self.total
        others = "; other documents are written without reading" if writes_others else ""
        touched = f"{articles:,} of {amount(self.total, 'article')}{seconds}{others}"
        self.work.say(f"{changed.in_words} changed; that can touch {touched}")

    def __iter__(self) -> Iterator[BuildTask]:
        """Give them in the order in which they lie in the WARC files, unless they are few."""
        self.counts["articles"] = self.total
        if self.total_as_before is None:
            every = (BuildTask(source, self.database.known(source.id)) for source in self.sources)
            return self._of_all(every)
        return self._of_all(self.with_ids(self._to_look_at()))

    def with_ids(self, ids: Collection[str]) -> Iterator[BuildTask]:
        """Yield the articles of these ids that are stored."""
        for known in filter(None, map(self.database.known, sorted(ids))):
            if self.sources.has(known.key, known.identity):
                yield BuildTask(self.sources.of(known.key, known.identity), known)

    def _to_look_at(self) -> list[str]:
        """Return the ids of articles that may have to be built, where no other page is stored than at the
        last build; count the others."""
        there, others, passed_by = self.store.sizes(), self.database.unfinished(), Counter[str]()
        writes_all = self.changed is not None and self.changed.of_documents
        for id, path, size, is_by_rules, is_untouched in self.database.states(self.job.rules):
            if not (path is None or there.get(path) == size or self.store.has(path, size)):
                others.append(id)
            elif is_by_rules or (is_untouched and not writes_all):
                passed_by["unchanged" if is_by_rules else "untouched"] += 1
            else:
                others.append(id)
        self.counts.update(passed_by, done=passed_by.total())
        return others

    def _of_all(self, tasks: Iterable[BuildTask]) -> Iterator[BuildTask]:
        """Yield those of all articles that have to be built."""
        for source, known, _ in tasks:
            if self.work.stopped:
                return
            self.corrected.update(self.job.corrections.of_article(source))
            if known is None or self.everything or not self._is_as_it_was(source, known):
                yield BuildTask(source, known)
            elif known.rules == self.job.rules:
                self.counts.update(done=1, unchanged=1)
            elif self.changed is None or not self._is_untouched(source, known, self.changed):
                yield BuildTask(source, known)
            elif self.changed.of_documents and (contents := self.database.contents(source.id)) is not None:
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

    def _is_untouched(self, source: StoredArticle, known: ArticleRow, changed: ChangedRules) -> bool:
        """Say whether no changed rule can touch an article. A document that was not valid, and so is not
        kept, may be by another template."""
        if changed.of_documents and known.outcome is PageOutcome.INVALID:
            return False
        return self.database.is_untouched(source.id) and not changed.leave_out(source)
