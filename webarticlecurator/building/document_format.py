"""What building needs of a document format, whichever it is."""

from __future__ import annotations

from typing import Protocol

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article, DocumentLines, Written


class DocumentFormat(Protocol):
    """Makes documents out of articles. It is pickled to travel to other processes, so it holds only what it needs."""

    @property
    def digest(self) -> str:
        """Of all that the documents depend on beside article, portal and program: the template."""
        ...

    def render(self, article: Article, portal: Portal, rules: str) -> Written:
        """One document; `rules` is the digest of the rules that it is made by."""
        ...

    def faults(self, document: bytes) -> tuple[str, ...]:
        """Why a document is not valid; nothing where it is."""
        ...

    def article_part(self, document: bytes) -> bytes:
        """The document without what changes from one build to the next."""
        ...

    def part_digest(self, document: bytes) -> str:
        """Of that: what a build remembers of a document."""
        ...

    def lines(self, document: bytes) -> DocumentLines:
        """Metadata and text of a document in lines that a person can compare."""
        ...
