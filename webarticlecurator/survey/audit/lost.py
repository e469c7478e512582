"""Signs of what was lost inside the container: text that a rule dropped, sentences that it cut through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL
from webarticlecurator.extraction.body.names import Part
from webarticlecurator.extraction.container import GENERAL_FINDER
from webarticlecurator.model.article import Fate, Piece
from webarticlecurator.survey.audit.ground import bare
from webarticlecurator.survey.audit.page import FURNITURE, Looked, Sign, part_of
from webarticlecurator.survey.audit.results import Kind
from webarticlecurator.survey.audit.text import breaks_off, goes_on, told_words, word_count

_SAID_ELSEWHERE = ("headline", "stands for the ")
"""How the reasons begin for which text is left out that the article has in another place."""
_NOT_TEXT = FURNITURE | {Part.BYLINE, Part.TOPICS}
_COMMENTS = f"{GENERAL_FINDER}: {Part.COMMENTS}"
"""They are often longer than what they comment on."""
_MUCH = 0.3
"""Share of the kept words from which what the general finder takes for furniture is doubted."""
_FEWEST_WORDS = 3
_MOST_LINKED = 0.3
_LONGEST_INTERRUPTION = 30
"""Words; what is longer is a box, wherever it stands."""


def lost_text(looked: Looked) -> Iterator[Sign]:
    """Dropped text that is no list of links, no furniture by its name, and nothing that the article says elsewhere."""
    said = _said_elsewhere(looked)
    at = 0
    for piece in looked.article.pieces:
        position = looked.ground.find(piece.text, at)
        at = position if position is not None else at
        if piece.fate is Fate.KEPT or piece.rule.startswith(_SAID_ELSEWHERE) or _is_furniture(looked, piece):
            continue
        words = word_count(piece.text) if piece.tag.partition(".")[0] == "table" else told_words(piece.text)
        if words < _FEWEST_WORDS or bare(piece.text).casefold() in said or looked.byline.is_in(piece.text):
            continue
        if position is not None and looked.ground.link_share(position, piece.text) > _MOST_LINKED:
            continue
        yield Sign(kind=Kind.LOST, rule=piece.rule, tag=piece.tag, words=words, text=piece.text)


def _is_furniture(looked: Looked, piece: Piece) -> bool:
    """By its name; or because the general finder says so, unless that is much of the article."""
    if part_of(piece.tag) in _NOT_TEXT or piece.rule == _COMMENTS:
        return True
    return piece.rule.startswith(GENERAL_FINDER) and word_count(piece.text) <= _MUCH * looked.kept_words


def interrupted_sentences(looked: Looked) -> Iterator[Sign]:
    """A dropped inline with the first half of a sentence before it and the second behind it."""
    pieces = looked.article.pieces
    for (before, dropped), (_, after) in zip(pairwise(pieces), pairwise(pieces[1:]), strict=False):
        if not _stands_between(before, dropped, after) or not (breaks_off(before.text) and goes_on(after.text)):
            continue
        words = word_count(dropped.text)
        if words <= _LONGEST_INTERRUPTION and _same_block(looked, before, after):
            yield Sign(kind=Kind.INTERRUPTED, rule=dropped.rule, tag=dropped.tag, words=words, text=_in_context(before, dropped, after))


def grown_together(looked: Looked) -> Iterator[Sign]:
    """Two words that stand side by side without a blank, because what stood between them was dropped."""
    pieces = looked.article.pieces
    for (before, dropped), (_, after) in zip(pairwise(pieces), pairwise(pieces[1:]), strict=False):
        if not _stands_between(before, dropped, after) or not (before.text[-1:].isalpha() and after.text[:1].isalpha()):
            continue
        if bare(before.text[-12:] + after.text[:12]) in looked.kept_text and _no_blank(looked, before, after):
            yield Sign(kind=Kind.GROWN_TOGETHER, rule=dropped.rule, tag=dropped.tag, words=2, text=_in_context(before, dropped, after))


def _no_blank(looked: Looked, before: Piece, after: Piece) -> bool:
    joined = f"{before.text.split()[-1]}{after.text.split()[0]}"
    return any(joined in leaf.text for leaf in looked.leaves)


def _stands_between(before: Piece, dropped: Piece, after: Piece) -> bool:
    is_inline = dropped.tag.partition(".")[0] not in BLOCK_LEVEL
    return (
        is_inline
        and dropped.fate is Fate.DROPPED
        and before.fate is after.fate is Fate.KEPT
        and not dropped.rule.startswith(_SAID_ELSEWHERE)
    )


def _same_block(looked: Looked, before: Piece, after: Piece) -> bool:
    """Whether the two halves are in one paragraph of the page; where that cannot be seen, they are taken to be."""
    ground, tail = looked.ground, before.text[-40:]
    start, end = ground.find(tail), ground.find(after.text[:40])
    if start is None or end is None:
        return True
    return ground.block_of(ground.nodes_of(start, tail)[-1]) is ground.block_of(ground.node_at(end))


def _in_context(before: Piece, dropped: Piece, after: Piece) -> str:
    return f"{before.text[-40:]} [{dropped.text[:60]}] {after.text[:40]}"


def _said_elsewhere(looked: Looked) -> set[str]:
    """The headline, and the titles and authors of posts."""
    texts = [found.value for found in looked.article.metadata.get("headline", ())]
    texts += [text for post in looked.article.posts for text in (post.title, post.author) if text]
    return {bare(text).casefold() for text in texts}
