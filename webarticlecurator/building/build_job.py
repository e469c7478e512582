"""All that whoever builds documents is told before the first article."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.building.documents import Documents
from webarticlecurator.config.portal import Portal

if TYPE_CHECKING:
    from webarticlecurator.building.article_builder import ArticleBuilder


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildJob:
    """All that a worker needs to know beside its tasks; it travels to other processes by pickling."""

    corpus: Path
    """Its folder."""
    portal: Portal
    documents: Documents
    rules: str
    """Digest of the rules."""
    only_compare: bool = False
    """Nothing is written; the words that the documents would gain and lose are counted."""

    def worker(self) -> ArticleBuilder:
        """Where one worker builds; what reads articles is imported here, where there is something to read."""
        from webarticlecurator.building.article_builder import ArticleBuilder

        return ArticleBuilder(self)

    @property
    def warc(self) -> Path:
        return self.corpus / "warc"

    @property
    def ledger(self) -> Path:
        return self.corpus / "ledger.sqlite"

    @property
    def database(self) -> Path:
        return self.corpus / "build.sqlite"
