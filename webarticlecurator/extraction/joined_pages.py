"""The article from the readings of its pages: pages joined, posts, language, outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, compress
from operator import attrgetter
from typing import NamedTuple

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.neighbouring_blocks import (
    with_bold_headings,
    without_repeated_descriptions,
)
from webarticlecurator.extraction.body.open_blocks import RIGHT_TO_LEFT, direction_of
from webarticlecurator.extraction.body.structure import opened
from webarticlecurator.extraction.language_guess import (
    Identified,
    has_signs,
    identify,
    lacks_words,
    with_languages,
)
from webarticlecurator.extraction.live_blogs import with_coverage
from webarticlecurator.extraction.metadata import ReadMetadata
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.extraction.opening_posts import is_as_old_as_page, with_opening
from webarticlecurator.extraction.page_outcome import ReadPage, judge
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.extraction.texts_above import texts_above
from webarticlecurator.extraction.threads import joined, ordered_fields
from webarticlecurator.extraction.values_of_body import with_values_of_body
from webarticlecurator.model.article import COMMENTS, Article, Block, Post, UnknownTag, plain_text
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.model.page import Page
from webarticlecurator.text import primary, same_language

_MOST_SAME = 12
"""Blocks that may be the same on all pages of an article."""
_SHORT = 40
"""Characters of a block that only one of the pages has."""


class _Part(NamedTuple):
    """The text of the article, or of one of its posts."""

    kind: str
    """The kind of a post; empty for the text."""
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
    if not any(map(plain_text, blocks)):  # between pages there are breaks
        posts, read = _of_thread(posts, read, first.page)
    texts = [("", with_bold_headings(opened(blocks))), *((post.kind, post.blocks) for post in posts)]
    parts = [_part(kind, part) for kind, part in texts]
    read, identified, settled = _with_language(read, parts)
    language, certainty = identified or (None, None)
    metadata = read.metadata
    posts = [replace(post, blocks=tuple(part)) for post, part in zip(posts, settled[1:], strict=True)]
    length = sum(len(text) for part in parts for text in part.texts if part.kind != COMMENTS)
    own_posts = [post for post in posts if post.kind != COMMENTS]
    judged = judge(
        ReadPage(first.page, first.container, settled[0], own_posts, metadata, first.listing, length)
    )
    if judged.outcome in DOCUMENTED:
        metadata = with_values_of_body(metadata, settled[0], first.roots, first.rules.metadata)
    return replace(
        blank,
        outcome=judged.outcome,
        reason=judged.reason,
        type=read.type,
        language=language,
        language_certainty=certainty,
        direction=next(filter(RIGHT_TO_LEFT.__eq__, map(direction_of, first.roots)), None),
        metadata=metadata,
        disagreements=read.disagreements,
        flags=(*read.flags, *judged.observed),
        blocks=tuple(settled[0]),
        posts=tuple(posts),
        pieces=tuple(chain.from_iterable(reading.accounts[-1].pieces() for reading in readings)),
        unknown_tags=_counted_together(chain.from_iterable(reading.unknown_tags for reading in readings)),
        layout=first.rules.name if first.rules is not portal else None,
        above=texts_above(first, "\n".join(chain.from_iterable(map(attrgetter("texts"), parts)))),
        breaks_off=any(map(_breaks_off, readings)),
    )


def _of_thread(posts: list[Post], read: ReadMetadata, page: Page) -> tuple[list[Post], ReadMetadata]:
    """Return the posts and the metadata of a page without a text: it is a thread, whose posts look like
    comments, where the first is as old as the page."""
    if not posts or not is_as_old_as_page(posts[0], read):
        return posts, read
    own = [replace(post, kind=PostKind.FORUM.value) for post in posts]
    return own, with_opening(read, own[0], own, page)


def _part(kind: str, blocks: Sequence[Block]) -> _Part:
    blocks = without_repeated_descriptions(blocks)
    return _Part(kind, blocks, [plain_text(block) for block in blocks])


def _metadata_of(readings: Sequence[PageReading], posts: Sequence[Post]) -> ReadMetadata:
    """Return the metadata of the first page; but what was changed last was changed on any of them."""
    read = readings[0].read
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
    return any(root <= last < outline.ends[root] for root in reading.container.rows(outline))


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


_Languages = tuple[ReadMetadata, Identified | None, list[Sequence[Block]]]
"""Metadata with the language of the article, that by itself, and the blocks of each part with other
languages."""


def _with_language(read: ReadMetadata, parts: Sequence[_Part]) -> _Languages:
    """Return the metadata with the language of the article, and the blocks that say where they are in
    another."""
    own = [part for part in parts if part.kind != COMMENTS]  # readers may write in any
    told = [*read.metadata.get("inLanguage", ()), *read.disagreements.get("inLanguage", ())]
    if not told:
        identified = identify(_words_of(own))
        return read, identified, _settled(parts, identified)
    first = Identified(told[0].value, None)
    settled = _settled(parts, first)
    # what a rule says stands
    spoken = _spoken(first, own, settled[: len(own)]) if told[0].source in SOURCES["inLanguage"] else first
    if spoken.language != first.language:
        settled = _settled(parts, spoken)
        told.sort(key=lambda found: primary(found.value) != primary(spoken.language))
    kept = int(same_language(told[0].value, spoken.language))
    if kept:
        spoken = spoken._replace(language=told[0].value)
    else:
        flags = (*read.flags, f"inLanguage is not that of the words: {first.language}")
        read = replace(read, flags=flags)
    metadata = {**read.metadata, "inLanguage": tuple(told[:kept])}
    disagreements = {**read.disagreements, "inLanguage": tuple(told[kept:])}
    read = replace(read, metadata=ordered_fields(metadata), disagreements=ordered_fields(disagreements))
    return read, spoken if spoken.language else None, settled


def _settled(parts: Iterable[_Part], identified: Identified | None) -> list[Sequence[Block]]:
    """Return the blocks of each part, those in another language than the article with theirs."""
    language = identified.language if identified else None
    return [with_languages(part.blocks, part.texts, language) if language else part.blocks for part in parts]


def _language_of_most(parts: Iterable[_Part], settled: Iterable[Sequence[Block]]) -> str | None:
    """Return the language in which most of the text is, where that is another one than the article is said
    to be in."""
    lengths = Counter[str | None]({None: 0})
    for part, blocks in zip(parts, settled, strict=True):
        for block, text in zip(blocks, part.texts, strict=True):
            lengths[block.attributes.get("language")] += len(text) if block.type != "code" else 0
    ((language, length),) = lengths.most_common(1)
    return language if 2 * length > lengths.total() else None


def _spoken(told: Identified, parts: Sequence[_Part], settled: Iterable[Sequence[Block]]) -> Identified:
    """Return the language of the words where most of them speak against the one that is told; that of low
    certainty where it is not sure in which they are."""
    if _language_of_most(parts, settled) is None:
        return _NO_LANGUAGE if lacks_words(_words_of(parts), told.language) else told
    shown = identify(_words_of(parts)) or _NO_LANGUAGE
    is_sure = shown.certainty == "high" and has_signs(told.language)
    return shown if is_sure else Identified(told.language, "low")


_NO_LANGUAGE = Identified("", "low")
