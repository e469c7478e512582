"""One article after the other: read, made into a document, checked, and put in its place."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from webarticlecurator.building.document_format import DocumentFormat
from webarticlecurator.building.document_store import DocumentStore, invalid_path, path_of
from webarticlecurator.building.index_pages import IndexPages
from webarticlecurator.building.portal_values import Value, left_out, values_of, without_portal_values
from webarticlecurator.building.reading import conflict_in, read_source, text_changed
from webarticlecurator.building.results import BuildResult, BuildTask, Contents, failed, result_of
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.faults import reason_of
from webarticlecurator.model.article import Article, DocumentLines
from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.workers.collector import no_collector

_LONGEST_REASON = 500
_CONTEXT = 1
_MOST_LINES = 40
_MOST_COMPARED = 3_000
"""Lines of a document that are set against each other: the time for it grows with their square."""
_LONGEST_LINE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleBuilder:
    """A worker of a build, as `workers.pool` wants it. Its fields are those of the job."""

    warc: Path
    portal: Portal
    document_format: DocumentFormat
    rules: str
    only_compare: bool
    document_store: DocumentStore
    portal_values: frozenset[Value] = frozenset()
    _index_pages: IndexPages = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index_pages", IndexPages(self.portal))  # frozen all the same: it only keeps what was read last

    def make(self, tasks: Iterable[BuildTask]) -> list[BuildResult]:
        """Build articles, in the order of their places."""
        tasks = list(tasks)
        expected = (place for task in tasks for place in task.source.places)
        with CaptureReader(self.warc, expected) as captures, no_collector():
            return [self._finish(task, *self._build(task, captures)) for task in tasks]

    def give_up(self, task: BuildTask, reason: str) -> BuildResult:
        """An article whose building came to no end; the next build tries again."""
        return self._finish(task, replace(failed(task, reason), unfinished=True), None)

    def difference(self, task: BuildTask) -> list[str]:
        """What would change in the text, as lines to be read; where nothing would, in what the metadata say; else, lines of markup."""
        with CaptureReader(self.warc) as captures:
            _, new = self._build(task, captures)
        old = self._old(task)
        before, after = self._lines(old), self._lines(new)
        return (
            difference(before.text, after.text)
            or difference(before.metadata, after.metadata)
            or difference(self._markup(old), self._markup(new))
        )

    def _build(self, task: BuildTask, captures: CaptureReader) -> tuple[BuildResult, bytes | None]:
        """What comes of an article, and the document if it has one."""
        try:
            read = read_source(task.source, captures, self.portal, index_pages=self._index_pages)
            conflict = conflict_in(task.source, read, captures, self.portal)
            article = without_portal_values(read, self.portal_values)
            if not self.only_compare:
                article = replace(article, text_changed=text_changed(task.source, read, captures, self.portal))
            result = replace(
                result_of(article, task),
                conflict=conflict,
                moved_to=_moved_to(article, self.portal),
                said=values_of(read),
                left_out=left_out(read, article),
            )
            return self._render(article, result)
        except Exception as error:  # a page may be anything, and one of them must never end a build
            return failed(task, reason_of(error)), None

    def _render(self, article: Article, result: BuildResult) -> tuple[BuildResult, bytes | None]:
        if article.outcome not in DOCUMENTED:
            return result, None
        written = self.document_format.render(article, self.portal, self.rules)
        document, lost = written.document, written.lost_addresses
        result = replace(result, lost_addresses=len(lost), lost_address=lost[0] if lost else None)
        faults = self.document_format.faults(document)
        if faults:
            reason = f"the document is not valid: {faults[0]}"[:_LONGEST_REASON]
            return replace(result, outcome=PageOutcome.INVALID, reason=reason), document
        contents = None if self.only_compare else Contents.of(article)
        return replace(result, path=path_of(article), part=self.document_format.part_digest(document), contents=contents), document

    # -- the documents ----------------------------------------------------------------------------------------------------

    def _finish(self, task: BuildTask, result: BuildResult, document: bytes | None) -> BuildResult:
        return self._compare(task, result, document) if self.only_compare else self._put(task, result, document)

    def _put(self, task: BuildTask, result: BuildResult, document: bytes | None) -> BuildResult:
        if result.outcome is PageOutcome.INVALID and document is not None:
            self.document_store.write(invalid_path(result.id), document)
        elif task.invalid:
            self.document_store.remove(invalid_path(result.id))
        if result.path is not None and document is not None:
            old = self.document_store.read(result.path)
            says_the_same = old is not None and (old == document or self.document_format.part_digest(old) == result.part)
            if not says_the_same:
                self.document_store.write(result.path, document)
            result = replace(result, written=not says_the_same, size=len(old if old is not None and says_the_same else document))
        if task.path is not None and task.path != result.path:
            self.document_store.remove(task.path)
        return replace(result, removed=task.path is not None and result.path is None)

    def _compare(self, task: BuildTask, result: BuildResult, document: bytes | None) -> BuildResult:
        new = document if result.path is not None else None
        old = self._old(task)
        if new == old or (old is not None and self.document_format.part_digest(old) == result.part):
            return result
        gained, lost = words_changed(self._lines(old).text, self._lines(new).text)
        return replace(result, written=True, removed=old is not None and new is None, gained=gained, lost=lost)

    def _old(self, task: BuildTask) -> bytes | None:
        return self.document_store.read(task.path) if task.path is not None else None

    def _lines(self, document: bytes | None) -> DocumentLines:
        return self.document_format.lines(document) if document is not None else DocumentLines()

    def _markup(self, document: bytes | None) -> list[str]:
        return self.document_format.article_part(document).decode("utf-8", "replace").splitlines() if document is not None else []


def words_changed(old: Iterable[str], new: Iterable[str]) -> tuple[int, int]:
    """How many words only the new lines have, and how many only the old ones; the names before them are none."""
    before, after = _words(old), _words(new)
    return (after - before).total(), (before - after).total()


def difference(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """A diff that a person can read: the lines that go, those that come, and one around them."""
    lines = [line[:_LONGEST_LINE] for line in difflib.unified_diff(old[:_MOST_COMPARED], new[:_MOST_COMPARED], lineterm="", n=_CONTEXT)][2:]
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"... and {more:,} more lines"] if more > 0 else lines


def _moved_to(article: Article, portal: Portal) -> int | None:
    led_to = article.captures[0].url if article.captures else article.url
    identity = article.identity if led_to == article.url else identity_of(led_to, portal)
    return key_of(identity) if identity != article.identity else None


def _words(lines: Iterable[str]) -> Counter[str]:
    return Counter(word for line in lines for word in line.partition(": ")[2].split())
