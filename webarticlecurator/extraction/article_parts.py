"""From what each page of an article gave to the article: texts one behind the other, posts once, the language, the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.bold_headings import with_bold_headings
from webarticlecurator.extraction.body.descriptions import without_repeated_descriptions
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.extraction.container import Container
from webarticlecurator.extraction.languages import Identified, identify, primary, with_languages
from webarticlecurator.extraction.layouts import Rules
from webarticlecurator.extraction.live_blogs import with_coverage
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.extraction.page_outcome import access_flags, judge
from webarticlecurator.extraction.threads import joined
from webarticlecurator.model.article import Article, Block, Piece, Post, UnknownTag, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one page of an article gave."""

    page: Page
    rules: Rules
    read: ReadMetadata
    container: Container | None
    blocks: list[Block]
    pieces: tuple[Piece, ...]
    posts: list[Post]
    unread_comments: tuple[Piece, ...]
    unknown_tags: tuple[UnknownTag, ...]


def article_of(blank: Article, parts: Sequence[Part], portal: Portal) -> Article:
    """The article that they are; the first decides what it is. `blank` is one of which only is known what it is called."""
    first = parts[0]
    blocks = with_bold_headings(opened(_with_page_breaks([part.blocks for part in parts])))
    posts = joined([part.posts for part in parts], portal.timezone)
    read = replace(first.read, metadata=_latest_change([part.read.metadata for part in parts]))
    if entries := [post for post in posts if post.kind == PostKind.LIVEBLOG]:
        read = with_coverage(read, entries)
    texts = [_Text(blocks), *(_Text(post.blocks) for post in posts)]
    metadata, disagreements = _in_its_language(read.metadata, first.read.disagreements, texts)
    language = Identified(metadata["inLanguage"][0].value, None) if "inLanguage" in metadata else _identified(texts)
    blocks, *others = (text.settled(language) for text in texts)
    posts = [replace(post, blocks=settled) for post, settled in zip(posts, others, strict=True)]
    judgement = judge(first.page, first.container, blocks, posts, metadata, portal.home, sum(text.length for text in texts))
    return replace(
        blank,
        outcome=judgement.outcome,
        reason=judgement.reason,
        type=read.type,
        language=language.language if language else None,
        language_certainty=language.certainty if language else None,
        metadata=metadata,
        disagreements=disagreements,
        flags=(*first.read.flags, *access_flags(judgement)),
        blocks=blocks,
        posts=tuple(posts),
        pieces=tuple(piece for part in parts for piece in part.pieces),
        unread_comments=tuple(dict.fromkeys(piece for part in parts for piece in part.unread_comments)),
        unknown_tags=_counted(tag for part in parts for tag in part.unknown_tags),
        layout=first.rules.name,
    )


class _Text:
    """Blocks that stand behind one another, and what each says."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = without_repeated_descriptions(blocks)
        self.texts = [plain_text(block) for block in self.blocks]
        self.length = sum(map(len, self.texts))

    def settled(self, language: Identified | None) -> tuple[Block, ...]:
        """With what is in another language marked."""
        return with_languages(self.blocks, self.texts, language.language) if language else tuple(self.blocks)


def _in_its_language(metadata: Metadata, disagreements: Metadata, texts: Iterable[_Text]) -> tuple[Metadata, Metadata]:
    """Of the page's languages and the portal's that which its text shows: parts of a portal are in others, and templates, too.

    What a rule says stands.
    """
    chosen, others = metadata.get("inLanguage", ()), disagreements.get("inLanguage", ())
    if not others or chosen[0].source not in SOURCES["inLanguage"]:
        return metadata, disagreements
    shown = _identified(texts, frozenset(primary(one.value) for one in (*chosen, *others)))
    told = [one for one in others if shown and primary(one.value) == primary(shown.language)]
    if shown is None or shown.certainty == "low" or not told or primary(chosen[0].value) == primary(shown.language):
        return metadata, disagreements
    others = (*chosen, *(one for one in others if one not in told))
    return {**metadata, "inLanguage": (told[0],)}, {**disagreements, "inLanguage": others}


def _identified(texts: Iterable[_Text], among: frozenset[str] | None = None) -> Identified | None:
    """By what is said in it: code is in no language."""
    pairs = (pair for text in texts for pair in zip(text.blocks, text.texts, strict=True))
    return identify("\n".join([line for block, line in pairs if block.type != "code"]), among)


def _with_page_breaks(pages: Sequence[Sequence[Block]]) -> list[Block]:
    """Portals like to begin each page with the same lead and picture: they are said once."""
    together = list(pages[0])
    for number, blocks in enumerate(pages[1:], start=2):
        repeated = takewhile(lambda pair: _says_the_same(*pair), zip(pages[0], blocks, strict=False))
        together += [Block(type="page-break", attributes={"page": str(number)}), *blocks[len(list(repeated)) :]]
    return together


def _says_the_same(one: Block, other: Block) -> bool:
    """Links within a page lead elsewhere on another page."""
    return one == other or (one.type == other.type and plain_text(one) == plain_text(other) != "")


def _latest_change(pages: Sequence[Metadata]) -> Metadata:
    """Metadata are those of the first page; but what was changed last was changed on any of them."""
    modified = [found for metadata in pages for found in metadata.get("dateModified", ())[:1]]
    if len(pages) == 1 or not modified:
        return pages[0]
    return {**pages[0], "dateModified": (max(modified, key=lambda found: found.value),)}


def _counted(tags: Iterable[UnknownTag]) -> tuple[UnknownTag, ...]:
    counts: dict[str, UnknownTag] = {}
    for tag in tags:
        before = counts.get(tag.tag)
        counts[tag.tag] = replace(tag, count=tag.count + before.count, words=tag.words + before.words) if before else tag
    return tuple(counts.values())
