"""Turn a page that is in no corpus into the bytes that are written of it, or into the reason why there are
none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.corpus.saved_pages import TEXT, media_type_of_no_page, saved_capture
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.extraction.article_reader import read_capture
from webarticlecurator.loose_pages.file_names import name_of
from webarticlecurator.loose_pages.forms import FORMS
from webarticlecurator.loose_pages.page_task import Extracted, LeftOut, PageTask
from webarticlecurator.model.article import Article, CaptureRef
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.text import primary
from webarticlecurator.workers.pool import Job

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal


_ADVICE = {TEXT: "; a list of addresses and files is read from stdin"}
"""The advice for files that are no pages, by what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJob(Job[PageTask, Extracted]):
    """The rules by which pages are read, the articles that are wanted, and the form that is made of them; it
    is its own worker."""

    rules: Portal | None = None
    form: str = "text"
    """The name of the form, one of `FORMS`."""
    options: ExportOptions = field(default_factory=ExportOptions)
    """The parts of articles that are shown."""
    only_articles: bool = False
    """Leave out texts of pages that are no articles."""
    languages: tuple[str, ...] = ()
    """The languages of the articles that are wanted; empty: any."""
    with_metadata: bool = False
    """True if only articles are wanted of which headline and date are known."""
    digests: bool = False
    """Tell the digest of each text, by which those that were there before are found."""

    def make(self, tasks: list[PageTask]) -> list[Extracted]:
        return [self._made(task) for task in tasks]

    def give_up(self, task: PageTask, reason: str) -> Extracted:
        return Extracted(task.source, reason=reason)

    def _made(self, task: PageTask) -> Extracted:
        capture = task.capture
        if capture is None:
            assert task.path is not None
            try:
                capture = saved_capture(task.path)
            except OSError as error:
                return Extracted(task.source, reason=error.strerror or str(error))
            media_type = media_type_of_no_page(capture)
            if media_type is not None:
                return Extracted(task.source, reason=f"{media_type} is no page{_ADVICE.get(media_type, '')}")
        article = replace(read_capture(capture, self.rules), captures=(_read_from(capture, task.path),))
        return self._shown(task, article)

    def _shown(self, task: PageTask, article: Article) -> Extracted:
        is_article = article.outcome is PageOutcome.ARTICLE
        has_text = is_article or (article.text != "" and not self.only_articles)
        # a page that gives nothing is a failure, whatever is wished for
        left_out = next(self._left_out(article), None) if has_text else None
        if left_out is not None:
            return Extracted(task.source, left_out=left_out)
        content = (
            FORMS[self.form].make(article, self.rules, self.options)
            if has_text or self.form == "record"
            else b""
        )
        digest = (
            blake2b(article.words.encode(errors="replace"), digest_size=16).digest()
            if self.digests and has_text
            else b""
        )
        reason = "" if is_article else f"{article.outcome}: {article.reason}"
        return Extracted(task.source, content, reason, has_text, name=name_of(task), digest=digest)

    def _left_out(self, article: Article) -> Iterator[LeftOut]:
        """Give each wish that the article does not meet."""
        language = (article.language or "").lower()
        if self.languages and not {language, primary(language)} & set(self.languages):
            yield LeftOut.LANGUAGE
        if self.with_metadata and not (article.title and article.date):
            yield LeftOut.METADATA


def _read_from(capture: Capture, path: Path | None) -> CaptureRef:
    """Return what a document says that it was read from: a record of a WARC file, a file, or an address."""
    place = capture.location
    name = os.fsencode(path.name).decode("utf-8", "replace") if path is not None else ""
    return CaptureRef(
        record_id=capture.record_id or "",
        digest=f"sha256:{sha256(capture.entity).hexdigest()}",
        file=place.file if place is not None else name,
        offset=place.offset if place is not None else 0,
        length=place.length if place is not None else len(capture.entity),
        url=capture.url,
        date=f"{capture.date.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
    )
