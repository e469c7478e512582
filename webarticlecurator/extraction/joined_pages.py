"""The article from the readings of its pages: pages joined, posts, language, outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import NamedTuple

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.body.neighbouring_blocks import (
    with_bold_headings,
    without_repeated_descriptions,
)
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.extraction.language_guess import Identified, identify, with_languages
from webarticlecurator.extraction.live_blogs import with_coverage
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.extraction.page_outcome import ReadPage, judge
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.extraction.threads import joined, ordered_fields
from webarticlecurator.model.article import COMMENTS, Article, Block, Post, UnknownTag, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.text import primary

_MOST_SAME = 12
"""Blocks that may be the same on all pages of an article."""
_SHORT = 40
"""Characters of a block that only one of the pages has."""


class _Part(NamedTuple):
    """The text of the article, or of one of its posts."""

    kind: str
    """That of a post; empty for the text."""
    blocks: Sequence[Block]
    texts: Sequence[str]
    """The text of each block."""


def article_of(blank: Article, readings: Sequence[PageReading], portal: Portal) -> Article:
    """Return the article: texts one behind the other, posts once; the first page decides what it is.

    Of `blank` only is known what it is called.
    """
    first = readings[0]
    blocks, all_posts = _pages_joined(readings)
    posts = joined(all_posts, portal.timezone)
    read = _metadata_of(readings, posts)
    texts = [("", with_bold_headings(opened(blocks))), *((post.kind, post.blocks) for post in posts)]
    parts = [_part(kind, part) for kind, part in texts]
    metadata, disagreements, identified = _with_language(read, _words_of(parts))
    language, certainty = identified or (None, None)
    settled = [with_languages(part.blocks, part.texts, language) if language else part.blocks for part in parts]
    posts = [replace(post, blocks=tuple(part)) for post, part in zip(posts, settled[1:], strict=True)]
    length = sum(len(text) for part in parts for text in part.texts if part.kind != COMMENTS)
    judged = judge(ReadPage(first.page, first.container, settled[0], posts, metadata, first.listing, length))
    return replace(
        blank,
        outcome=judged.outcome,
        reason=judged.reason,
        type=read.type,
        language=language,
        language_certainty=certainty,
        metadata=metadata,
        disagreements=disagreements,
        flags=(*read.flags, *judged.observed),
        blocks=tuple(settled[0]),
        posts=tuple(posts),
        pieces=tuple(chain.from_iterable(reading.accounts[-1].pieces() for reading in readings)),
        unknown_tags=_counted_together(chain.from_iterable(reading.unknown_tags for reading in readings)),
        layout=first.rules.name if first.rules is not portal else None,
        breaks_off=any(map(_breaks_off, readings)),
    )


def _part(kind: str, blocks: Sequence[Block]) -> _Part:
    blocks = without_repeated_descriptions(blocks)
    return _Part(kind, blocks, [plain_text(block) for block in blocks])


def _metadata_of(readings: Sequence[PageReading], posts: Sequence[Post]) -> ReadMetadata:
    """Return the metadata of the first page; but what was changed last was changed on any of them."""
    read = readings[0].read
    if len(readings) > 1:
        modified = chain.from_iterable(reading.read.metadata.get("dateModified", ())[:1] for reading in readings)
        last = sorted(modified, key=lambda found: found.value, reverse=True)[:1]
        read = replace(read, metadata=ordered_fields({**read.metadata, "dateModified": tuple(last)}))
    entries = [post for post in posts if post.kind == PostKind.LIVEBLOG]
    return with_coverage(read, entries) if entries else read


def _counted_together(tags: Iterable[UnknownTag]) -> tuple[UnknownTag, ...]:
    """Return the unknown tags of all pages, each once."""
    unknown: dict[str, UnknownTag] = {}
    for tag in tags:
        before = unknown.get(tag.tag, replace(tag, count=0, words=0))
        unknown[tag.tag] = replace(tag, count=tag.count + before.count, words=tag.words + before.words)
    return tuple(unknown.values())


def _breaks_off(reading: PageReading) -> bool:
    """Say whether a page has no end, and nothing that is read stands behind its text."""
    if reading.page.has_end or reading.container is None:
        return False
    outline = reading.page.outline
    last = next(compress(reversed(outline.owners), reversed(outline.lengths)), -1)
    roots = [outline.row_of[root] for root in reading.container.elements if root in outline.row_of]
    return any(root <= last < outline.ends[root] for root in roots)


# --- several pages ---


def _pages_joined(readings: Sequence[PageReading]) -> tuple[list[Block], list[list[Post]]]:
    """Return the blocks of all pages, and the posts of each, with where each page begins.

    A page of nothing but posts begins in the first post that it adds.
    """
    first = readings[0]
    together, all_posts = list(first.blocks), [first.posts]
    known = set(map(_name_of, first.posts))
    for number, reading in enumerate(readings[1:], start=2):
        begins = Block(type="page-break", attributes={"page": str(number)})
        rest, posts = _without_beginning(reading.blocks, first.blocks), list(reading.posts)
        place = None if rest else _first_new(posts, known)
        if place is None:
            together += [begins, *rest]
        else:
            posts[place] = replace(posts[place], blocks=(begins, *posts[place].blocks))
        all_posts.append(posts)
        known.update(map(_name_of, reading.posts))
    return together, all_posts


def _name_of(post: Post) -> str:
    return post.id or post.fingerprint


def _first_new(posts: Sequence[Post], known: set[str]) -> int | None:
    """Return the place of the first post of a forum that no page before has."""
    for place, post in enumerate(posts):
        if post.kind == PostKind.FORUM and _name_of(post) not in known:
            return place
    return None


def _without_beginning(blocks: Sequence[Block], first: Sequence[Block]) -> list[Block]:
    """Return the blocks of a further page without those that the first page begins with.

    Portals like to begin each page with one lead and picture, be there a short line between.
    """
    kept: list[Block] = []
    for place, block in enumerate(blocks):
        length = len(plain_text(block))
        of_same_place = first[place : place + 1] if not kept else ()
        others = first[:_MOST_SAME] if not 0 < length <= _SHORT else ()
        if any(_say_the_same(block, other) for other in (*of_same_place, *others)):
            continue
        kept.append(block)
        if length > _SHORT or place >= _MOST_SAME:
            return [*kept, *blocks[place + 1 :]]
    return kept


def _say_the_same(block: Block, other: Block) -> bool:
    if block == other:
        return True
    text = plain_text(other) if block.type == other.type else ""
    return bool(text) and text == plain_text(block)


# --- language ---


def _words_of(parts: Sequence[_Part]) -> str:
    """Return the words of article and posts; code is in no language."""
    return "\n".join(chain.from_iterable(map(_lines_of, parts)))


def _lines_of(part: _Part) -> Iterator[str]:
    return (text for block, text in zip(part.blocks, part.texts, strict=True) if block.type != "code")


def _with_language(read: ReadMetadata, words: str) -> tuple[Metadata, Metadata, Identified | None]:
    """Return metadata and disagreements with the language of the article, and that by itself."""
    metadata, disagreements = read.metadata, read.disagreements
    if "inLanguage" not in metadata:
        return metadata, disagreements, identify(words)
    if "inLanguage" in disagreements:
        metadata, disagreements = _in_its_language(metadata, disagreements, words)
    return metadata, disagreements, Identified(metadata["inLanguage"][0].value, None)


def _in_its_language(metadata: Metadata, disagreements: Metadata, words: str) -> tuple[Metadata, Metadata]:
    """Choose from the page's languages and the portal's that which its text shows; what a rule says stands.

    Parts of a portal are in other languages, and templates, too.
    """
    chosen, others = metadata["inLanguage"], disagreements["inLanguage"]
    if chosen[0].source not in SOURCES["inLanguage"]:
        return metadata, disagreements
    languages = by_make((*chosen, *others), lambda found: primary(found.value))
    shown = identify(words, frozenset(languages)) or _NO_LANGUAGE
    fitting = languages.get(primary(shown.language), [])
    if not fitting or shown.certainty == "low" or chosen[0] in fitting:
        return metadata, disagreements
    rest = (*chosen, *(found for found in others if found not in fitting))
    return {**metadata, "inLanguage": (fitting[0],)}, {**disagreements, "inLanguage": rest}


_NO_LANGUAGE = Identified("", "low")
