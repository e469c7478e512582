"""Findings of kept text: furniture that slipped in; paragraphs cut or glued, prose as headings, flattened lists, next to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from webarticlecurator.extraction.body.furniture import is_label, leads_away
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.model.article import plain_text
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.audit.audited_page import AuditedPage, PageFinding, breaks_off, goes_on, named_furniture, sentences
from webarticlecurator.text import word_count

_RUNNING = frozenset({"paragraph", "item", "cell", "heading", "subheading"})
_MOSTLY_LINKS = 0.8
_SOME_LINKS = 0.2
_SHORTEST_LINK = 3
"""Words of a link that may be a headline."""
_LIST = 3
"""Links below one another that are a list."""
_LARGEST_NAMED = 0.3
"""Share of the kept text that an element may hold whose name says furniture; what holds more is only named badly."""
_HEADINGS = frozenset({"heading", "subheading"})
_NEAR = 3
"""Blocks from one half of a paragraph that was cut to the other."""
_LONG_HEADING = 25
_TWO_SENTENCES = 12
"""Words of a heading that is prose: of any, and of one with two sentences."""
_FEWEST_WORDS = 15
_GLUED = 3
"""Blocks of the page in one paragraph."""
_HALF = 6
"""Words of the first half; shorter lines that do not end are entries of a list."""
_PARTS = {"li": "item", "dd": "item", "td": "cell", "th": "cell"}
"""Parts of lists and tables, and what each becomes."""
_LONGEST_CELL = 60
"""Words; what is longer stands in a table, or a list, for the sake of layout."""
_MEDIA = frozenset({"figure", "gallery", "embed", "social"})


# --- furniture that slipped in ---


def kept_links(audited: AuditedPage) -> Iterator[PageFinding]:
    """Lists of links, single ones that begin like "Read also", and signs such as "Advertisement"."""
    run: list[int] = []
    for number, block in enumerate(audited.blocks):
        if block.link_share >= _MOSTLY_LINKS and block.words >= _SHORTEST_LINK and block.type in _RUNNING:
            run.append(number)
            continue
        yield from _list_of_links(audited, run)
        run = []
        says_so = is_label(block.text) or (block.link_share >= _SOME_LINKS and leads_away(block.text[:80]))
        if block.type in _RUNNING and says_so and not audited.is_told_by_name(number):
            yield audited.found_in(number)
    yield from _list_of_links(audited, run)


def _list_of_links(audited: AuditedPage, run: list[int]) -> Iterator[PageFinding]:
    for number in run:
        is_furniture = len(run) >= _LIST or leads_away(audited.blocks[number].text[:80])
        if is_furniture and not audited.is_told_by_name(number):
            yield audited.found_in(number)


def named_blocks(audited: AuditedPage) -> Iterator[PageFinding]:
    """Kept blocks inside of something with the name of a share bar, an advertisement, a list of related articles."""
    findings: list[PageFinding] = []
    for number, block in enumerate(audited.blocks):
        around = audited.around[number] if not block.of_post else []
        named = [element for element in around if named_furniture(element)]
        # a person who has a rule for it has seen it
        if named and all(audited.decision(element).general for element in around):
            findings.append(replace(audited.found_in(number), tag=simplified_tag(named[-1])))
    if sum(finding.words for finding in findings) <= _LARGEST_NAMED * audited.kept_words:
        yield from findings


# --- the wrong shape ---


def cut_paragraphs(audited: AuditedPage) -> Iterator[PageFinding]:
    """A paragraph that breaks off, and the next begins in the middle of a sentence; stanzas, which are both in lines, may."""
    before: int | None = None
    for number, block in enumerate(audited.blocks):
        if block.inside or block.of_post or block.type != "paragraph":
            continue
        half = audited.blocks[before] if before is not None and number - before <= _NEAR else None
        in_lines = half is not None and "\n" in half.text and "\n" in block.text
        if half is not None and not in_lines and half.words >= _HALF and goes_on(block.text) and breaks_off(half.text):
            text = f"{half.text[-60:]} ¶ {block.text[:60]}"
            yield PageFinding(tag=audited.tag_of(number), words=block.words, text=text)
        before = number


def glued_paragraphs(audited: AuditedPage) -> Iterator[PageFinding]:
    """Several blocks of the page that became one paragraph."""
    for number, block in enumerate(audited.blocks):
        if block.type == "paragraph" and _blocks_in(audited, number) >= _GLUED:
            yield audited.found_in(number)


def _blocks_in(audited: AuditedPage, number: int) -> int:
    """How many blocks of the page the text of a block comes from; a `div` may be anything."""
    position, container = audited.positions[number], audited.container_text
    if position is None:
        return 0
    elements = {container.block_of(node) for node in container.nodes_of(position, audited.blocks[number].text)}
    return sum(element.tag in BLOCK_LEVEL and element.tag != "div" for element in elements)


def prose_headings(audited: AuditedPage) -> Iterator[PageFinding]:
    """Headings that are running text."""
    for number, block in enumerate(audited.blocks):
        if block.type in _HEADINGS:
            ends = sentences(block.text)
            if (ends and block.words >= _LONG_HEADING) or (ends > 1 and block.words >= _TWO_SENTENCES):
                yield audited.found_in(number)


def flattened(audited: AuditedPage) -> Iterator[PageFinding]:
    """Items of a list, or cells of a table, that became paragraphs by themselves; an item of footnotes is a note instead."""
    for number, block in enumerate(audited.blocks):
        if block.type != "paragraph" or block.of_post or block.words > _LONGEST_CELL or block.inside[-1:] == ("note",):
            continue
        part = next((element for element in audited.around[number] if element.tag in _PARTS), None)
        has_others = part is not None and (part.getprevious() is not None or part.getnext() is not None)
        is_flat = part is not None and has_others and _PARTS[part.tag] not in block.inside
        if is_flat and _blocks_in(audited, number) < _GLUED and not audited.is_told_by_name(number):
            yield audited.found_in(number)


def almost_empty(audited: AuditedPage) -> Iterator[PageFinding]:
    """An article with next to no text, and no pictures or posts instead of it."""
    article = audited.article
    if audited.container is None or article.posts or article.outcome not in (PageOutcome.ARTICLE, PageOutcome.EMPTY):
        return
    if audited.kept_words < _FEWEST_WORDS and not any(block.type in _MEDIA for block in article.blocks):
        text = plain_text(article.blocks) or article.reason
        yield PageFinding(words=word_count(text), text=text)
