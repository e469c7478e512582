"""The job of a build, the articles that are to be built, and what became of them: what workers are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from webarticlecurator.building.article_row import ArticleRow, Contents
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.building.corrected import PortalCorrections
from webarticlecurator.building.portal_words import PortalWords
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.stored_articles import StoredArticle
from webarticlecurator.tei.document import Template
from webarticlecurator.warc.store import finished_files

if TYPE_CHECKING:
    from webarticlecurator.building.article_builder import ArticleBuilder


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
    """True if nothing is written."""
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
    """The outcome of one article."""

    row: ArticleRow
    contents: Contents | None = None
    """The contents of one with a document."""
    names: bytes | None = None
    """The names on the pages that the article was read from, packed; None where they are not known."""
    written: bool = False
    """The document is another than before; else it was left alone."""
    removed: bool = False
    """A document of it is gone."""
    is_read: bool = True
    """False if only its document was looked at, or written, by what the last build kept."""
