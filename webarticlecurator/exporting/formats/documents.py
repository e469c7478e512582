"""The TEI documents of the articles of an export, as this export may show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.amounts import amount
from webarticlecurator.building.documents import DocumentStore
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import Part
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.model.article import Article, Block, Extent
from webarticlecurator.model.article_json import from_json
from webarticlecurator.tei.changes import Changed, DocumentChange, changed
from webarticlecurator.tei.documents import part_digest


class ExportedDocuments:
    """Reads them where the build has put them: files, or the zips of their years."""

    def __init__(self, parts: frozenset[Part], corpora: Sequence[PortalInfo]) -> None:
        self._stores = {portal.name: DocumentStore(portal.corpus) for portal in corpora}
        self._change = DocumentChange(comments=Part.COMMENTS in parts, posts=Part.POSTS in parts)
        self.missing: list[str] = []
        """The first of the articles whose documents are gone, or are not what the build wrote."""
        self.lost = 0
        """How many these are."""

    def of(self, article: ExportArticle) -> Changed | None:
        """The document; None where it is missing or damaged, which is counted: half a document would spoil all that stands beside it."""
        document = self._stores[article.portal].read(article.built.path)
        if document is None or part_digest(document) != article.built.part:
            self.lost += 1
            self.missing += [article.id] if len(self.missing) < _TOLD else []
            return None
        change = replace(self._change, names=article.pseudonyms) if article.pseudonyms else self._change
        return changed(document, change, lambda: extent_without_posts(from_json(article.built.record, article.built.beside)))

    @property
    def notes(self) -> list[str]:
        """What is to be told in the end."""
        if not self.lost:
            return []
        names = ", ".join(self.missing)
        return [
            f"{amount(self.lost, 'document is', 'documents are')} missing or not as the build wrote them ({names}):"
            " building all again makes them anew."
        ]

    def close(self) -> None:
        for store in self._stores.values():
            store.close()


_TOLD = 3


def extent_without_posts(article: Article) -> Extent:
    """How much text an article has beside its posts."""
    blocks = tuple(block for block in map(_without_posts, article.blocks) if block is not None)
    return replace(article, blocks=blocks, posts=()).extent


def _without_posts(block: Block) -> Block | None:
    if block.type == "post":
        return None
    children = tuple(kept for child in block.children if (kept := _without_posts(child) if isinstance(child, Block) else child) is not None)
    return replace(block, children=children)
