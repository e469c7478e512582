"""The rows of the tag inventory that nobody decides, as questions: what they may be, and what speaks for it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from unicodedata import normalize

from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.body.footnotes import footnotes_in
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, GENERAL_TABLE
from webarticlecurator.extraction.body.tag_names import Tag, selector_of
from webarticlecurator.labelling.general import content_shares
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.learning.element_selectors import selected
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.selectors.dialect import identifier
from webarticlecurator.survey.inventory.assembling import inventory_of
from webarticlecurator.survey.inventory.results import TagRow
from webarticlecurator.survey.inventory.tag_question import TagQuestion
from webarticlecurator.survey.stored_page import StoredPage
from webarticlecurator.text import element_text

MOST_ROWS = 5
"""That a person is asked about at once; `curator tags` has all."""
_FEWEST_WORDS, _FEWEST_PAGES = 10, 2
_SURE = 4.0
"""Weight of what speaks for an operation from which nobody is asked: a whole name, as a rule."""
_KEEPS_TEXT = frozenset(("answer", "box", "caption", "embed", "figure", "gallery", "lead", "question", "quote", "social"))
"""Operations by which no text is lost."""
_OTHERWISE: Mapping[str, str] = {
    "unwrap": "its text stays, and it has no meaning of its own",
    "decompose": "all in it is left out of the article",
    "box": "a text apart, beside the article's: exports have it with `--with boxes`",
}
_OF_TABS = frozenset(("tab", "tablist", "tabpanel"))
_LITTLE = 0.4
"""Share of its words taken for text below which it may be none."""
_MOST_OF_TEXT = 0.4
_MOST_EXCEPTIONS = 3
"""Names that a selector excludes; with more of them a person is asked."""
_MOST_SAMPLES = 3
_LONGEST_SAMPLE = 100
_NOT_IN_NAMES = re.compile(r"[^a-z0-9_.-]+")


def undecided_rows(pages: Sequence[Page], portal: Portal, listings: Mapping[str, Fields], words: int) -> tuple[Proposal, ...]:
    """Those with most words, each with the operation that most speaks for and what else it may be. `words`: of all articles."""
    question = TagQuestion(portal)
    tally = question.tally()
    for page in pages:
        stored = StoredPage(url=page.requested_url, path=Path(), offset=0, listing=listings.get(page.requested_url, {}))
        try:
            question.look(page, stored, tally)
        except PatternTimeout:  # what it was asked of it is counted by no other question either
            continue
    rows = inventory_of(tally, portal, of_pages=len(pages)).rows
    open_rows = [row for row in rows if row.is_undecided and not row.of_posts]
    decided = [tag for row in rows if not row.is_undecided and (tag := Tag.parse(row.tag)).classes]
    sure = {row.tag: selector for row in open_rows if _is_sure(row) and (selector := _selector_by_name(row, rows, decided))}
    also_sure = [row for row in open_rows if row.tag in sure or _selector_by_name(row, rows, decided) in sure.values()]
    longest = _MOST_OF_TEXT * words / max(1, len(pages))
    unsure = [row for row in open_rows if row not in also_sure]
    worth_it = (row for row in _of_one_kind(unsure, rows) if _is_worth_it(row, longest))
    asked = list(islice((row for row in _without_wrappers(worth_it) if not _is_known(row, pages)), MOST_ROWS))
    taken = _taken_for_text(pages, [selector_of(Tag.parse(row.tag)) for row in asked])
    return (
        *_named([row for row in open_rows if row.tag in sure], sure, len(pages)),
        *(tag_proposal(row, len(pages), taken, _undecided_alone(Tag.parse(row.tag), decided)) for row in asked),
    )


def _is_sure(row: TagRow) -> bool:
    suggestion = row.suggestion
    return suggestion is not None and suggestion.operation in _KEEPS_TEXT and suggestion.weight >= _SURE and row.pages >= _FEWEST_PAGES


def _is_worth_it(row: TagRow, longest: float) -> bool:
    """Whether it is a block of some words; what holds most of an article is its body."""
    return row.words >= _FEWEST_WORDS and Tag.parse(row.tag).name in BLOCK_LEVEL and row.words <= longest * row.pages


def _of_one_kind(open_rows: Iterable[TagRow], rows: Sequence[TagRow]) -> list[TagRow]:
    """Those that share a telling class as one, and those that differ in their ids alone: boxes have colours, and an id each."""
    of_kind: dict[Tag, list[TagRow]] = {}
    for row in open_rows:
        tag = Tag.parse(row.tag)
        if (name := _telling_class(row, rows)) is not None:
            tag = Tag(tag.name, classes=(name,))
        of_kind.setdefault(replace(tag, id=None) if tag.classes else tag, []).append(row)
    return [_united(tag, same) if len(same) > 1 else same[0] for tag, same in of_kind.items()]


def _united(tag: Tag, rows: Sequence[TagRow]) -> TagRow:
    counts = {name: sum(getattr(row, name) for row in rows) for name in ("frequency", "words", "own_words", "link_words", "descendants")}
    return replace(rows[0], tag=tag.text, pages=max(row.pages for row in rows), **counts)


def _without_wrappers(rows: Iterable[TagRow]) -> Iterator[TagRow]:
    """Of those that hold the same words only the one of which most is known: the others stand in it, or around it."""
    of_words: dict[tuple[int, int], list[TagRow]] = {}
    for row in rows:
        of_words.setdefault((row.words, row.pages), []).append(row)
    for same in of_words.values():
        yield max(same, key=lambda row: (row.suggestion.weight if row.suggestion is not None else 0.0, row.own_words))


def _is_known(row: TagRow, pages: Sequence[Page]) -> bool:
    """Whether it stands around notes wherever it stands, or around nothing but code or tabs: they are what they are without a rule."""
    selector = selector_of(Tag.parse(row.tag))
    found = [(page, elements) for page in pages if (elements := selected(selector, page.tree))]
    return bool(found) and (
        all(_is_all_code(one) or _are_tabs(one) for _, elements in found for one in elements)
        or all(footnotes_in([page.tree], page.url).lists().issuperset(elements) for page, elements in found if page.tree is not None)
    )


def _such_as(row: TagRow) -> str:
    return f", such as {row.examples[0].url}" if row.examples else ""


def _are_tabs(element: Element) -> bool:
    """Whether it is a box that a tab unfolds, or holds nothing but such boxes and their tabs: the reader knows them without a rule."""
    held = list(element.iterchildren("*"))
    return element.get("role") in _OF_TABS or (bool(held) and all(one.get("role") in _OF_TABS for one in held))


def _is_all_code(element: Element) -> bool:
    words = len(element_text(element).split())
    return words > 0 and words == sum(len(element_text(one).split()) for one in element.iter(*GENERAL_TABLE["code"]))


def _selector_by_name(row: TagRow, rows: Sequence[TagRow], decided: Sequence[Tag]) -> str | None:
    """By the class that says what it is, if there is one."""
    tag, name = Tag.parse(row.tag), _telling_class(row, rows)
    return selector_of(Tag(tag.name, classes=(name,))) if name is not None else _undecided_alone(tag, decided)


def _telling_class(row: TagRow, rows: Sequence[TagRow]) -> str | None:
    """The class that says what it is, where nothing else that has it is anything else: `callout` for a note and for a warning."""
    tag = Tag.parse(row.tag)
    said = "".join(row.suggestion.evidence) if row.suggestion is not None else ""
    for name in (one for one in tag.classes if f"“{one}”" in said):
        alike = (one for one in rows if (other := Tag.parse(one.tag)).name == tag.name and name in other.classes)
        if {_operation(one) for one in alike} == {_operation(row)}:
            return name
    return None


def _undecided_alone(tag: Tag, decided: Sequence[Tag]) -> str | None:
    """A selector that leaves out what has further names and is decided: `div.panel:not(.share)`; None: these are too many to be said."""
    further = {
        name
        for other in decided
        if other.name == tag.name and set(other.classes) > set(tag.classes)
        for name in other.classes
        if name not in tag.classes
    }
    if len(further) > _MOST_EXCEPTIONS or any("*" in name for name in further):
        return None
    return selector_of(tag) + "".join(f":not(.{identifier(name)})" for name in sorted(further))


def _operation(row: TagRow) -> str:
    return row.suggestion.operation if row.suggestion is not None and row.is_undecided else ""


def _named(rows: Sequence[TagRow], selectors: Mapping[str, str], pages: int) -> Iterator[Proposal]:
    """Those whose names say it, one proposal for each operation."""
    for operation in dict.fromkeys(row.suggestion.operation for row in rows if row.suggestion is not None):
        same = [row for row in rows if row.suggestion is not None and row.suggestion.operation == operation]
        said = [(row, row.suggestion.evidence[0]) for row in same if row.suggestion is not None]
        choice = Choice(
            value=list(dict.fromkeys(selectors[row.tag] for row in same)),
            reason=f"their names say it, on up to {max(row.pages for row in same):,} of {amount(pages, 'page')}",
            samples=tuple(f"{row.tag}: {sentence}" for row, sentence in said[:_MOST_SAMPLES]),
        )
        yield Proposal(name=f"body.tags.{operation}.named", path=("body", "tags", operation), choices=(choice,), sure=True)


def tag_name(selector: str) -> str:
    """By which a person answers a question about a tag."""
    plain = normalize("NFKD", selector.lower()).encode("ascii", "ignore").decode()
    return "body.tags." + _NOT_IN_NAMES.sub("-", plain).strip("-.")


def _taken_for_text(pages: Sequence[Page], selectors: Sequence[str]) -> Mapping[str, float]:
    """The share of the words in these elements that the general labeller takes for an article's; nothing where it was not asked.

    Code is of the article, and no sentences such as the labeller knows.
    """
    words, taken = Counter[str](), defaultdict[str, float](float)
    for page in pages if selectors else ():
        blocks = text_blocks(page.tree) if page.tree is not None else []
        meant = {element: one for one in selectors for element in selected(one, page.tree)}
        for block, share in zip(blocks, content_shares(blocks) or [] if meant else [], strict=False):
            length = len(block.text.split())
            for around in {meant[one] for one in (block.element, *block.element.iterancestors()) if one in meant}:
                words[around] += length
                taken[around] += (1.0 if _is_code(block.element) else share) * length
    return {selector: round(taken[selector] / count, 2) for selector, count in words.items()}


def _is_code(element: Element) -> bool:
    return any(one.tag in GENERAL_TABLE["code"] for one in (element, *element.iterancestors()))


def tag_proposal(row: TagRow, pages: int, taken: Mapping[str, float], alone: str | None) -> Proposal:
    """One row as a question; what the general labeller takes for no text may be none, unless a name says what else it is.

    `alone`: a selector that stands for nothing that is decided.
    """
    selector = selector_of(Tag.parse(row.tag))
    samples = tuple(example.text[:_LONGEST_SAMPLE] for example in row.examples if example.text)[:_MOST_SAMPLES]
    said = {row.suggestion.operation: "; ".join(row.suggestion.evidence)} if row.suggestion is not None else {}
    doubt = {}
    if (share := taken.get(selector, 1.0)) < _LITTLE:
        doubt = {"decompose": f"all in it is left out: the general labeller takes only {share:.0%} of its words for text of an article"}
    reasons = {**_OTHERWISE, **doubt, **said}
    called = said.keys() - {"unwrap"}  # anything may be a wrapper; any other name says more than the labeller's doubt
    order = dict.fromkeys((*called, *doubt, *said, *_OTHERWISE))
    choices = tuple(
        Choice(value={operation: [alone or selector]}, reason=reasons[operation], samples=samples if not number else (), score=-number)
        for number, operation in enumerate(order)
    )
    return Proposal(
        name=tag_name(selector),
        path=("body", "tags"),
        choices=choices,
        sure=False,
        question=f"What is {row.tag}, with {amount(row.words, 'word')} on {row.pages:,} of {amount(pages, 'page')}{_such_as(row)}?",
    )
