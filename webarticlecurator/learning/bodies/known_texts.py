"""What a person said of a page, as the text that it should give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.config.expectations import HASH, Expectation, fingerprint, normal
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.page_words import found_in
from webarticlecurator.learning.bodies.reading import Reading
from webarticlecurator.model.article import Block, ContentNode
from webarticlecurator.text import element_text

_WHOLE = 0.4
"""Share of what is found without rules from which the texts that a person named are all there are."""
_THERE = 0.9
_MOST_LINES = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is known for certain of the text on one page."""

    url: str
    text: str | None = None
    """All of it, a block a line; None: only what follows is known."""
    contains: tuple[str, ...] = ()
    """Texts that are in it, as a file of expectations writes them."""
    lacks: tuple[str, ...] = ()
    paragraphs: int | None = None
    """How many it has."""


def truths_in(expectations: Iterable[Expectation]) -> tuple[Truth, ...]:
    """What a file of expectations says of the texts of articles."""
    return tuple(
        Truth(url=one.url, contains=one.contains, lacks=one.lacks, paragraphs=one.counts.get("paragraphs"))
        for one in expectations
        if one.kind == "article" and one.outcome == "article" and (one.contains or one.lacks or "paragraphs" in one.counts)
    )


def known_text(truth: Truth, reading: Reading) -> str | None:
    """All that is known; where only parts of the text are, the rest as it is read. None: nothing of it is on the page."""
    if truth.text is not None:
        return truth.text
    lines = [normal(line) for line in reading.article.text.split("\n") if line.strip()]
    told, unwanted = list(_plain(truth.contains, reading)), list(_plain(truth.lacks, reading))
    words = sum(len(words_of(text)) for text in told)
    paragraphs = _paragraphs(reading.article.blocks)
    is_right = paragraphs == truth.paragraphs and all(text in normal(reading.article.text) for text in told)
    if (
        told
        and not is_right
        and (len(told) >= (truth.paragraphs or len(told) + 1) or words >= _WHOLE * len(words_of(reading.article.text)))
    ):
        return "\n".join(told)
    if truth.paragraphs is not None and paragraphs > truth.paragraphs:
        lines = _between(lines, told) or lines
    kept = [line for line in (_without(line, unwanted) for line in lines) if line]
    here = words_of(" ".join(kept))
    added = [text for text in told if sum(found_in(words_of(text), here)) < _THERE * len(words_of(text))]
    return "\n".join([*kept, *added]) or None


def _paragraphs(blocks: Iterable[ContentNode]) -> int:
    """As many as a test of the page counts: those of posts are theirs."""
    inside = (block for block in blocks if isinstance(block, Block) and block.type != "post")
    return sum((block.type == "paragraph") + _paragraphs(block.children) for block in inside)


def _plain(texts: Sequence[str], reading: Reading) -> Iterator[str]:
    """Texts as they are; of those that are only told as a hash, the lines of the page that have it."""
    wanted = {text for text in texts if text.startswith(HASH)}
    said = {fingerprint(line): line for line in _lines(reading)} if wanted else {}
    for text in texts:
        if text not in wanted:
            yield normal(text)
        elif text in said:
            yield said[text]


def _lines(reading: Reading) -> Iterator[str]:
    yield from map(normal, reading.article.text.split("\n"))
    tree = reading.page.tree
    blocks = [] if tree is None else [one for one in tree.iter(*BLOCK_LEVEL) if not any(True for _ in one.iterchildren(*BLOCK_LEVEL))]
    yield from (normal(element_text(one)) for one in blocks[:_MOST_LINES])


def _between(lines: Sequence[str], told: Sequence[str]) -> list[str]:
    """From the first line that was told to the last."""
    places = [number for number, line in enumerate(lines) if any(text in line or line in text for text in told)]
    return list(lines[places[0] : places[-1] + 1]) if len(places) > 1 else []


def _without(line: str, unwanted: Sequence[str]) -> str:
    for text in unwanted:
        line = "" if line in text else line.replace(text, " ")
    return line.strip()
