"""One article after the other: read, made into a document, checked, and put in its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

from webarticlecurator.building.build_job import BuildJob
from webarticlecurator.building.compare import difference, words_changed
from webarticlecurator.building.document_store import INVALID, DocumentStore
from webarticlecurator.building.reading import conflict_in, read_source
from webarticlecurator.building.results import BuildResult, BuildTask, failed, path_of, summary_of
from webarticlecurator.faults import reason_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.warc.reader import CaptureReader

HAS_DOCUMENT = frozenset({PageOutcome.ARTICLE, PageOutcome.PAYWALL})
"""What of an article behind a wall can be seen is worth a document, which says that it is no more."""
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A summary, and the document if the article has one."""

    made: BuildResult
    document: bytes | None = None


class ArticleBuilder:
    """A worker's place: the WARC file it reads and the documents it fills."""

    def __init__(self, job: BuildJob) -> None:
        self._job = job
        self._documents = DocumentStore(job.corpus)

    def close(self) -> None:
        """Close what is open."""
        self._documents.close()

    def make(self, tasks: Iterable[BuildTask]) -> list[BuildResult]:
        """Build articles, in the order of their places."""
        with CaptureReader(self._job.warc) as captures:
            return [self._settled(task, self._made(task, captures)) for task in tasks]

    def give_up(self, task: BuildTask, reason: str) -> BuildResult:
        """An article whose building came to no end; the next build tries again."""
        return self._settled(task, _Outcome(replace(failed(task, reason), unfinished=True)))

    def difference(self, task: BuildTask) -> list[str]:
        """What would change in a document, as lines to be read; where that is only in the markup, lines of markup."""
        with CaptureReader(self._job.warc) as captures:
            new, old = self._made(task, captures).document, self._old(task)
        return difference(self._lines(old), self._lines(new)) or difference(self._markup(old), self._markup(new))

    def _made(self, task: BuildTask, captures: CaptureReader) -> _Outcome:
        try:
            article = read_source(task.source, captures, self._job.portal, accounted=False)
            conflict = conflict_in(task.source, article, captures, self._job.portal)
            return self._document(article, replace(summary_of(article, task), conflict=conflict))
        except Exception as error:  # a page may be anything, and one of them must never end a build
            return _Outcome(failed(task, reason_of(error)))

    def _document(self, article: Article, made: BuildResult) -> _Outcome:
        if article.outcome not in HAS_DOCUMENT:
            return _Outcome(made)
        written = self._job.documents.render(article, self._job.portal, self._job.rules)
        document, lost = written.document, written.lost_addresses
        made = replace(made, lost_addresses=len(lost), lost_address=lost[0] if lost else None)
        faults = self._job.documents.faults(document)
        if faults:
            reason = f"the document is not valid: {faults[0]}"[:_LONGEST_REASON]
            return _Outcome(replace(made, outcome=PageOutcome.INVALID, reason=reason), document)
        return _Outcome(replace(made, path=path_of(article), part=self._part(document)), document)

    def _part(self, document: bytes) -> str:
        """Digest of all in a document that tells of the article."""
        return sha256(self._job.documents.article_part(document)).hexdigest()

    # -- the documents ----------------------------------------------------------------------------------------------------

    def _settled(self, task: BuildTask, outcome: _Outcome) -> BuildResult:
        return self._compared(task, outcome) if self._job.only_compare else self._put(task, outcome)

    def _put(self, task: BuildTask, outcome: _Outcome) -> BuildResult:
        made, document = outcome.made, outcome.document
        invalid = f"{INVALID}/{made.id}.xml"
        if made.outcome is PageOutcome.INVALID and document is not None:
            self._documents.write(invalid, document)
        elif task.invalid:
            self._documents.remove(invalid)
        written = document is not None and self._write(made, document)
        if task.path is not None and task.path != made.path:
            self._documents.remove(task.path)
        return replace(made, written=written, removed=task.path is not None and made.path is None)

    def _write(self, made: BuildResult, document: bytes) -> bool:
        """Write a document, unless the one that is there says the same of the article."""
        if made.path is None:
            return False
        there = self._documents.read(made.path)
        if there is not None and (there == document or self._part(there) == made.part):
            return False
        self._documents.write(made.path, document)
        return True

    def _compared(self, task: BuildTask, outcome: _Outcome) -> BuildResult:
        made = outcome.made
        new = outcome.document if made.path is not None else None
        old = self._old(task)
        if new == old or (old is not None and self._part(old) == made.part):
            return made
        gained, lost = words_changed(self._lines(old), self._lines(new))
        return replace(made, written=True, removed=old is not None and new is None, gained=gained, lost=lost)

    def _old(self, task: BuildTask) -> bytes | None:
        return self._documents.read(task.path) if task.path is not None else None

    def _lines(self, document: bytes | None) -> list[str]:
        return self._job.documents.lines(document) if document is not None else []

    def _markup(self, document: bytes | None) -> list[str]:
        return self._job.documents.article_part(document).decode("utf-8", "replace").splitlines() if document is not None else []
