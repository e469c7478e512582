"""One article after the other: read, made into a document, checked, and put in its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webarticlecurator.building.article_row import ArticleRow, Contents, row_of
from webarticlecurator.building.documents import DocumentStore, invalid_path, path_of
from webarticlecurator.building.index_pages import IndexPages
from webarticlecurator.building.portal_values import left_out, values_of, without_portal_values
from webarticlecurator.building.reading import conflict_in, read_source, text_changed
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.stored_articles import StoredArticle
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.faults import reason_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome
from webarticlecurator.tei.document import part_digest, render
from webarticlecurator.tei.validate import validate
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.workers.collector import no_collector

if TYPE_CHECKING:
    from webarticlecurator.building.builder import BuildJob

_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class BuildTask:
    """One article to be built."""

    source: StoredArticle
    captures: str
    """`source.digest()`."""
    known: ArticleRow | None = None
    """What the last build knew of it."""


@dataclass(slots=True)
class BuildResult:
    """What became of one article."""

    row: ArticleRow
    contents: Contents | None = None
    """Of one with a document."""
    written: bool = False
    """The document is another than before; else it was left alone."""
    removed: bool = False
    """A document of it is gone."""
    stored_again: bool = False
    """Something of it is newer than what the last build knew."""
    edited: bool = False
    """And with that its text became another."""


class ArticleBuilder:
    """A worker of a build, as `workers.pool` wants it."""

    def __init__(self, job: BuildJob) -> None:
        self._job = job
        self._store = DocumentStore(job.corpus)
        self._index_pages = IndexPages(job.portal)

    def make(self, tasks: Iterable[BuildTask]) -> list[BuildResult]:
        """Build articles, in the order of their places."""
        tasks = list(tasks)
        expected = (place for task in tasks for place in task.source.places)
        with CaptureReader(self._job.warc, expected) as captures, no_collector():
            return [self._finished(task, *self._built(task, captures)) for task in tasks]

    def give_up(self, task: BuildTask, reason: str) -> BuildResult:
        """An article whose building came to no end; the next build tries again."""
        result = self._finished(task, BuildResult(_failed(task, reason)), None)
        result.row.rules = ""
        return result

    def _built(self, task: BuildTask, captures: CaptureReader) -> tuple[BuildResult, bytes | None]:
        """What comes of an article, and the document if it has one."""
        try:
            read = read_source(task.source, captures, self._job.portal, index_pages=self._index_pages)
            article = without_portal_values(read, self._job.portal_values)
            if not self._job.only_compare:
                article = replace(article, text_changed=text_changed(task.source, read, captures, self._job.portal))
            row = row_of(article, task.source, task.captures)
            row.conflict = conflict_in(task.source, read, captures, self._job.portal)
            row.moved_to = _moved_to(article, self._job.portal)
            if article.outcome not in DOCUMENTED:
                return BuildResult(row), None
            job = self._job
            written = render(article, job.portal, template=job.template, rules_digest=job.rules, now=job.day)
            row.lost_addresses, row.lost_address = len(written.lost_addresses), next(iter(written.lost_addresses), None)
            if faults := validate(written.document):
                row.outcome, row.reason = PageOutcome.INVALID, f"the document is not valid: {faults[0]}"[:_LONGEST_REASON]
                return BuildResult(row), written.document
            row.path, row.part = path_of(article), part_digest(written.document)
            said = values_of(read)
            row.said, row.left_out = tuple(sorted(said)), tuple(sorted(left_out(read, article) & said))
            return BuildResult(row, Contents.of(article)), written.document
        except Exception as error:  # a page may be anything, and one of them must never end a build
            return BuildResult(_failed(task, reason_of(error))), None

    def _finished(self, task: BuildTask, result: BuildResult, document: bytes | None) -> BuildResult:
        """With the document in its place, and what was known before."""
        row, known = result.row, task.known
        row.rules, row.made_by = self._job.rules, self._job.rules if row.path else None
        if known is not None:
            result.stored_again = _is_later(row.captured, known.captured)
            result.edited = _is_later(row.text_changed, known.captured)
            result.removed = known.path is not None and row.path is None
            if (known.outcome, known.reason) == (row.outcome, row.reason):
                row.since = known.since
        if self._job.only_compare:
            result.written = row.part != (known.part if known is not None else None)
        else:
            self._put(row, known, document, result)
        return result

    def _put(self, row: ArticleRow, known: ArticleRow | None, document: bytes | None, result: BuildResult) -> None:
        if row.outcome is PageOutcome.INVALID and document is not None:
            self._store.write(invalid_path(row.id), document)
        elif known is not None and known.outcome is PageOutcome.INVALID:
            self._store.remove(invalid_path(row.id))
        if row.path is not None and document is not None:
            old = self._store.read(row.path)
            if old is not None and (old == document or part_digest(old) == row.part):
                row.size = len(old)
                row.made_by = known.made_by if known is not None else row.made_by
            else:
                self._store.write(row.path, document)
                row.size, result.written = len(document), True
        if known is not None and known.path is not None and known.path != row.path:
            self._store.remove(known.path)


def _is_later(moment: str | None, known: str | None) -> bool:
    return moment is not None and known is not None and moment > known


def _moved_to(article: Article, portal: Portal) -> int | None:
    """The ledger's hash of the identity that its address led to, where that is another."""
    led_to = article.captures[0].url if article.captures else article.url
    identity = article.identity if led_to == article.url else identity_of(led_to, portal)
    return key_of(identity) if identity != article.identity else None


def _failed(task: BuildTask, reason: str) -> ArticleRow:
    """Of an article whose reading came to no end."""
    source = task.source
    return ArticleRow(
        id=source.id,
        key=source.key,
        identity=source.identity,
        url=source.url,
        outcome=PageOutcome.UNREADABLE,
        reason=reason,
        captures=task.captures,
        captured=task.known.captured if task.known is not None else None,
    )
