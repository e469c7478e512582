"""The TEI documents of the articles of an export, as this export may show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from webarticlecurator.amounts import amount
from webarticlecurator.building.documents import DocumentStore
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import Part
from webarticlecurator.exporting.manifest import PortalInfo
from webarticlecurator.model.article import COMMENTS, Article, Block, ContentNode, from_json, plain_text
from webarticlecurator.tei.document import Template, day_of, part_digest, render, validate

_NAMED = 3


class ShownDocument(NamedTuple):
    """A document, and how much of its article it does not show."""

    document: bytes
    comments: int = 0
    posts: int = 0


class ExportedDocuments:
    """Reads them where the build has put them; what this export may not show as it is there is written again, from what the build kept."""

    def __init__(self, parts: frozenset[Part], corpora: Sequence[PortalInfo]) -> None:
        self._portals = {portal.name: portal for portal in corpora}
        self._stores = {portal.name: DocumentStore(portal.corpus) for portal in corpora}
        self._parts = parts
        self.missing: list[str] = []
        """The first of the articles whose documents are gone, or are not what the build wrote."""
        self.lost = 0
        """How many these are."""

    def of(self, article: ExportArticle) -> ShownDocument | None:
        """The document; None where it is missing or damaged, which is counted: half a document would spoil all that stands beside it."""
        document = self._stores[article.portal].read(article.built.path)
        shown = None
        if document is not None and part_digest(document) == article.built.part:
            shown = self._shown(article, document)
        if shown is None:
            self.lost += 1
            self.missing += [article.id] if len(self.missing) < _NAMED else []
        return shown

    def _shown(self, article: ExportArticle, document: bytes) -> ShownDocument | None:
        if not article.pseudonyms and self._parts >= {Part.COMMENTS, Part.POSTS}:
            return ShownDocument(document)
        whole = _renamed(from_json(article.record, article.built.beside), article.pseudonyms)
        shown, comments, posts = _without(whole, comments=Part.COMMENTS not in self._parts, posts=Part.POSTS not in self._parts)
        if shown is whole and not article.pseudonyms:
            return ShownDocument(document)
        info, rules = self._portals[article.portal], article.built.made_by or article.built.rules
        written = render(shown, info.file, template=Template(info.template), rules_digest=rules, now=day_of(document))
        return None if validate(written) else ShownDocument(written, comments, posts)

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


def _renamed(article: Article, names: Mapping[str, str]) -> Article:
    """Whoever is not to be known is no author either: the record leaves that to those who ask for it, since its bylines can be left out."""
    if not names:
        return article

    def renamed(block: Block) -> Block:
        if block.type == "author" and (name := names.get(plain_text(block).strip())) is not None:
            return structs.replace(block, children=(name,))
        return structs.replace(block, children=tuple(renamed(child) if isinstance(child, Block) else child for child in block.children))

    metadata = {
        name: tuple(replace(value, value=names[value.value], raw="", url="") if value.value in names else value for value in values)
        for name, values in article.metadata.items()
    }
    return replace(article, metadata=metadata, blocks=tuple(map(renamed, article.blocks)))


def _without(article: Article, *, comments: bool, posts: bool) -> tuple[Article, int, int]:
    """The article without what is not to be shown, and how many comments and posts that were; itself where there are none.

    The posts of a thread always stay, and those of an article that has no other text.
    """
    about = [post for post in article.posts if comments and post.kind == COMMENTS]
    blocks, quoted = article.blocks, 0
    own = article.own_posts
    if posts and plain_text(blocks).strip() and all(post.kind != "forum" for post in own):
        blocks, quoted = _without_posts(blocks)
    else:
        own = []
    left_out = [*about, *own]
    if not left_out and not quoted:
        return article, 0, 0
    kept = tuple(post for post in article.posts if not any(post is other for other in left_out))
    return replace(article, blocks=blocks, posts=kept), len(about), len(own) + quoted


def _without_posts(nodes: tuple[Block, ...]) -> tuple[tuple[Block, ...], int]:
    """Blocks without the posts in them, and how many these were; what has held nothing else goes, too."""
    kept: list[Block] = []
    number = 0
    for block in nodes:
        inner = tuple(child for child in block.children if isinstance(child, Block))
        children: tuple[ContentNode, ...] = block.children
        if block.type == "post":
            number += 1
            continue
        if inner:
            children, below = _without_posts(inner)
            number += below
        if children or not inner:
            kept.append(structs.replace(block, children=children) if inner else block)
    return tuple(kept), number
