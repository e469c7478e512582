"""Make one article after the other into a document, check it, and put it in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from webarticlecurator.building.amid_articles import as_article
from webarticlecurator.building.article_row import ArticleRow, Contents, row_of, unread_row
from webarticlecurator.building.build_job import BuildJob, BuildResult, BuildTask, WrittenBy
from webarticlecurator.building.compared_captures import conflict_in, text_changed
from webarticlecurator.building.corrected import Reread, corrected, digest_of, unapplied_for
from webarticlecurator.building.document_store import FOLDER, DocumentStore
from webarticlecurator.building.index_pages import IndexPages
from webarticlecurator.building.page_names import names_of
from webarticlecurator.building.portal_words import without_words
from webarticlecurator.building.stored_reading import StoredReading
from webarticlecurator.config.corrections import OPERATIONS
from webarticlecurator.corpus.stored_articles import StoredArticle
from webarticlecurator.model.article import AMID_SIGN, DAMAGED_SIGN, INDEX_SIGN, OLDER_SIGN, Article
from webarticlecurator.model.outcome import DOCUMENTED, Kept, PageOutcome
from webarticlecurator.program_faults import LONGEST_REASON, reason_of
from webarticlecurator.tei.document import part_digest, render, validate
from webarticlecurator.warc.exchanges import CaptureReader

_NO_DAMAGE: tuple[str | None, str | None] = (None, None)


class ArticleBuilder:
    """A worker of a build, as `workers.pool` wants it."""

    def __init__(self, job: BuildJob) -> None:
        self._job = job
        self._store = DocumentStore(job.corpus.folder)
        self._index_pages = IndexPages(job.corpus.warc, job.portal)

    def make(self, tasks: Iterable[BuildTask]) -> list[BuildResult]:
        """Build articles, in the order of their places."""
        tasks = list(tasks)
        expected = (place for task in tasks if task.contents is None for place in task.source.places)
        with CaptureReader(self._job.corpus.warc, expected) as captures:
            return [
                self._written_again(task) or self._finished(task, *self._built(task, captures))
                for task in tasks
            ]

    def give_up(self, task: BuildTask, reason: str) -> BuildResult:
        """Return an article whose building came to no end; the next build tries again."""
        result = self._finished(task, BuildResult(_failed(task, reason)), None)
        result.row.rules = ""
        return result

    def _built(self, task: BuildTask, captures: CaptureReader) -> tuple[BuildResult, bytes | None]:
        """Return what comes of an article, and the document if it has one."""
        source, known = task.source, task.known
        if source.left_out is not None:
            left_out = unread_row(source.id, source, source.left_out, captures=source.digest())
            return BuildResult(replace(left_out, outcome=PageOutcome.NOT_ARTICLE)), None
        captures.damaged.clear()
        try:
            reading = StoredReading(source, captures, self._job.portal)
            read = reading.article(self._index_pages)
            damaged = dict(captures.damaged)
            captured = self._compared(reading, read, known, is_damaged=bool(_of_newest(source, damaged)))
            corrections = self._job.corrections.of_article(source)
            article, unapplied = corrected(
                without_words(captured, self._job.portal_words),
                corrections,
                self._job.portal,
                partial(reading.by_other_rules, self._job.corpus.warc),
            )
            row = row_of(article, source)
            row.unapplied = unapplied
            row.damaged, row.damage = _decisive_damage(source, damaged, known)
            row.conflict = conflict_in(reading, captured)
            result, document = self._written(row, article)
            # what selectors of one article lead to is read beside its pages
            is_read_again = any(each.field in OPERATIONS for each in corrections)
            result.names = None if captures.damaged or is_read_again else _names(reading, article)
            return result, document
        except Exception as error:  # a page may be anything, and one of them must never end a build
            return BuildResult(_failed(task, reason_of(error))), None

    def _written_again(self, task: BuildTask) -> BuildResult | None:
        """Return an article with a new document by what is kept of it, where the old one can be written by
        that to the last letter; else None, as where it is to be read, or the new document is not valid."""
        job, known = self._job, task.known
        if task.contents is None or known is None or job.before is None:
            return None
        try:
            article = task.contents.article()
            if part_digest(self._rendered(article, job.before)) != known.part:
                return None
            document = self._rendered(article, WrittenBy(job.portal, job.template))
        except Exception:  # whatever is wrong with what is kept, its pages are there
            return None
        part = part_digest(document)
        if part == known.part:
            return BuildResult(replace(known, rules=job.rules), is_read=False)
        if known.path is None or validate(document):
            return None
        row = replace(known, rules=job.rules, made_by=job.rules, part=part, size=len(document))
        if job.only_compare:
            return BuildResult(row, task.contents, written=True, is_read=False)
        self._store.write(known.path, document)
        return BuildResult(row, written=True, is_read=False)

    def _rendered(self, article: Article, by: WrittenBy) -> bytes:
        job = self._job
        return render(article, by.portal, template=by.template, rules_digest=job.rules, now=job.day)

    def reading(self, source: StoredArticle, captures: CaptureReader) -> StoredReading:
        """Return what reads an article by the rules."""
        return StoredReading(source, captures, self._job.portal)

    def as_by_rules(self, task: BuildTask, captures: CaptureReader) -> tuple[Article, Reread]:
        """Return an article as the rules alone have it, and what reads it by others."""
        source, known = task.source, task.known
        reading = self.reading(source, captures)
        read = self._compared(reading, reading.article(self._index_pages), known, is_damaged=False)
        return without_words(read, self._job.portal_words), partial(
            reading.by_other_rules, self._job.corpus.warc
        )

    def _compared(
        self, reading: StoredReading, article: Article, known: ArticleRow | None, *, is_damaged: bool
    ) -> Article:
        """Return an article with what its siblings and its captures say of it."""
        if self._job.amid_articles or AMID_SIGN in _read_from(known):
            article = as_article(article)
        if is_damaged:
            article = replace(
                article, flags=(*article.flags, f"{DAMAGED_SIGN}the text is that of what is whole beside it")
            )
        if self._job.only_compare or len(reading.source.stored) < 2:
            return article
        return replace(article, text_changed=text_changed(reading, article))

    def _written(self, row: ArticleRow, article: Article) -> tuple[BuildResult, bytes | None]:
        """Return the row of an article with its document, if it is to have one and that is valid."""
        if article.outcome not in DOCUMENTED:
            return BuildResult(row), None
        job = self._job
        document = self._rendered(article, WrittenBy(job.portal, job.template))
        if faults := validate(document):
            row.outcome, row.reason = (
                PageOutcome.INVALID,
                f"the document is not valid: {faults[0]}"[:LONGEST_REASON],
            )
            return BuildResult(row), None
        row.path, row.part = f"{FOLDER}/{article.folder}/{article.id}.xml", part_digest(document)
        return BuildResult(row, Contents.of(article)), document

    def _finished(self, task: BuildTask, result: BuildResult, document: bytes | None) -> BuildResult:
        """Return what came of an article beside what was known of it, with its document in place."""
        row, known = result.row, _known_before(task)
        if row.damage is not None and self._takes_away(known, row):
            # without what was built of: the next build tries again
            return BuildResult(
                replace(known, kept=Kept.PAGE_DAMAGED, damaged=row.damaged, damage=row.damage, captures="")
            )
        result.removed = known.path is not None and row.path is None
        if (known.outcome, known.reason) == (row.outcome, row.reason):
            row.since = known.since
        row.rules = self._job.rules
        corrections = self._job.corrections.of_article(task.source)
        row.corrections = digest_of(corrections)
        if row.path is None:
            row.unapplied = tuple(unapplied_for(row.outcome, corrections))
        if row.path is not None:
            row.made_by = self._job.rules
        elif row.damage is not None:
            row.captures = ""  # the next build tries again
        if self._job.only_compare:
            result.written = row.part != known.part
            return result
        if row.path is not None and document is not None:
            result.written = self._put_in_place(row, known, document)
        if known.path not in (None, row.path):
            self._store.remove(known.path)
        return result

    def _put_in_place(self, row: ArticleRow, known: ArticleRow, document: bytes) -> bool:
        """Write a document, unless the one that lies there says the same; return whether it was written."""
        assert row.path is not None  # it has a document
        old = self._store.read(row.path)
        is_mended_as_before = known.corrections == row.corrections  # by whom, and why, is in no digest
        if old is not None and part_digest(old) == row.part and is_mended_as_before:
            row.size, row.made_by = len(old), known.made_by or row.made_by
            return False
        self._store.write(row.path, document)
        row.size = len(document)
        return True

    def _takes_away(self, known: ArticleRow, row: ArticleRow) -> bool:
        """Return whether what is read beside a damaged record would take away the document that was made
        while it was whole."""
        if known.path is None or not self._store.has(known.path, known.size):
            return False  # a person has deleted it, if there was one
        return row.path is None or _read_from(known) != _read_from(row)


def _names(reading: StoredReading, article: Article) -> bytes | None:
    """Return the names on the pages that an article was read from; None where not all of its pages could be
    read, or others tell of it, too."""
    if article.outcome is PageOutcome.UNREADABLE or reading.source.post is not None:
        return None
    names = names_of(reading.pages)
    return names.pack() if names is not None else None


def _known_before(task: BuildTask) -> ArticleRow:
    """Return what was known of an article before this build: of a new one nothing but its name."""
    source, known = task.source, task.known
    return known if known is not None else unread_row(source.id, source, "")


def _read_from(row: ArticleRow | None) -> set[str]:
    """Return how an article was read that has been read elsewhere, at another time, or beside its siblings,
    by the signs of its flags."""
    flags = row.flags if row is not None else ()
    return {
        sign
        for sign in (AMID_SIGN, INDEX_SIGN, OLDER_SIGN, DAMAGED_SIGN)
        if any(flag.startswith(sign) for flag in flags)
    }


def _decisive_damage(
    source: StoredArticle, damaged: Mapping[str, str], known: ArticleRow | None
) -> tuple[str | None, str | None]:
    """Return the damaged record that the text may be lost by, and its reason."""
    # a document that was made of an older capture may be lost by any of them
    decisive = damaged if OLDER_SIGN in _read_from(known) else _of_newest(source, damaged)
    return next(iter(decisive.items()), _NO_DAMAGE)


def _of_newest(source: StoredArticle, damaged: Mapping[str, str]) -> Mapping[str, str]:
    """Return the damaged records that are the newest ones of a page of the article, or of the index page that
    it stands on."""
    newest = {page.part: page.capture.record_id for page in reversed(source.stored) if not page.revisit}
    places = {*newest.values(), source.post.record if source.post is not None else ""}
    return {record: reason for record, reason in damaged.items() if record in places}


def _failed(task: BuildTask, reason: str) -> ArticleRow:
    """Return the row of an article whose reading came to no end."""
    source = task.source
    return replace(
        unread_row(source.id, source, reason, captures=source.digest()), captured=_known_before(task).captured
    )
