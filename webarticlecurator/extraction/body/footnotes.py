"""Footnotes: which links lead to a note of the same text, which elements are the notes, and what in them
only leads back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import NamedTuple, cast
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.signs import all_hold, any_holds
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import HEADINGS, UNSEEN, label_of

WAY_BACK = "footnotes: the way back to the text"
_LONGEST_LABEL = 12
"""Characters of the text of a link to a note."""
_SHORTEST_NOTE = 2
"""Letters of a note, which may say no more than "Ibid."."""
_LONGEST_NOTE = 4_000
"""Characters of a note."""
_LABEL = linear_at(
    r"[\[({]?\W?(?:note|nb|n|fn)?\W?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})\W?[\])}]?|[\[(]?[*†‡§¶#]{1,4}[\])]?",
    re.IGNORECASE,
)
"""The text of a link to a note: "1", "[12]", "*", "[note 3]"."""
_NOTE_NAME = linear(
    r"(?:^|[-_:.])_?(?:fn|ftn|edn|footnotes?|endnotes?|cite[-_]note|note|nota|sdfootnote|sdendnote|fussnote|labjegyzet)\d*(?:\b|_)",
    re.I,
)
_BACK_CLASS = linear(r"back-?(?:link|ref)|reversefootnote|footnote-?(?:back|return|number)", re.IGNORECASE)
_ARROWS = linear_at(r"[\s\u2190-\u21ff\u2900-\u297f\u2b00-\u2bff^\ufe0e\ufe0f]+")
_NEAR = 3
"""Elements around a link that may be what a note leads back to: `<sup id="ref1"><a href="#note1">`."""
_links_with_mark = etree.XPath("descendant-or-self::a[contains(@href, '#')]")
_NO_NOTES = UNSEEN | {*HEADINGS, "hr"}
"""Elements that may stand beside notes."""
_BLOCKS = BLOCK_LEVEL - {
    "body", "html", "main", "article", "table", "tbody", "tr", "ul", "ol", "dl",
    *HEADINGS,
}  # fmt: skip
"""Elements that may be a note."""


class Footnotes(NamedTuple):
    """The notes of one text."""

    references: dict[Element, str]
    """Links to notes, with the id of the note."""
    notes: dict[Element, dict[str, str]]
    """Elements that are notes, with their id and the label that the text refers to them by."""
    back: list[Element]
    """Elements in notes that only lead back to the text."""

    def lists(self) -> set[Element]:
        """Return the notes, and the elements around them that hold little else."""
        lists = set(self.notes)
        for _ in range(_NEAR):
            parents = chain.from_iterable(islice(element.iterancestors(), 1) for element in lists)
            around = Counter(parents)
            lists.update(
                parent for parent, inside in around.items() if len(_not_beside_notes(parent)) <= 2 * inside
            )
        return lists


def _not_beside_notes(parent: Element) -> list[Element]:
    return [child for child in parent if child.tag not in _NO_NOTES]


class _Reference(NamedTuple):
    """A link that may lead to a note."""

    link: Element
    name: str
    """The name of the place that it leads to."""
    label: str


class _Places:
    """The elements of a text in order, and which of them is the first to bear a name."""

    def __init__(self, roots: Sequence[Element]) -> None:
        elements = list(chain.from_iterable(root.iter(etree.Element) for root in roots))
        self.order = {element: number for number, element in enumerate(elements)}
        self.named = {name: element for element in reversed(elements) for name in _names(element)}

    def note_behind(self, reference: _Reference) -> Element | None:
        """Return the block behind a link that may be the note that it leads to."""
        place = self.named.get(reference.name)
        if place is None or self.order[place] <= self.order[reference.link]:
            return None
        block = _block(place)
        return block if block not in list(reference.link.iterancestors()) else None


def footnotes_in(roots: Sequence[Element], base: str) -> Footnotes:
    """Return the notes of a text: a note stands behind the link to it, and leads back there or is named a
    note."""
    footnotes = Footnotes({}, {}, [])
    references = list(chain.from_iterable(_references_in(root, base) for root in roots))
    if not references:
        return footnotes
    places = _Places(roots)
    for reference in references:
        block = places.note_behind(reference)
        is_in_note = not footnotes.notes.keys().isdisjoint(reference.link.iterancestors())
        if block is None or is_in_note:
            continue
        if any_holds(_SIGNS_OF_NOTE, _PossibleNote(reference, block, base)):
            footnotes.references[reference.link] = reference.name
            footnotes.notes.setdefault(block, {"id": reference.name, "label": reference.label})
    origins = set(chain.from_iterable(map(_names_around, footnotes.references)))
    footnotes.back.extend(chain.from_iterable(_ways_back(note, origins, base) for note in footnotes.notes))
    return footnotes


def _references_in(root: Element, base: str) -> Iterator[_Reference]:
    """Yield the links that have the label of a note."""
    for link, name in _links_in(root, base):
        label = label_of(link, _LONGEST_LABEL)
        if _LABEL.fullmatch(label):
            yield _Reference(link, name, label.strip("[](){} "))


class _PossibleNote(NamedTuple):
    """A link, and the block that may be the note that it leads to."""

    reference: _Reference
    block: Element
    base: str

    def is_link_to_note_by_role(self) -> bool:
        return "noteref" in self.reference.link.get("role", "")

    def is_link_to_note_by_class(self) -> bool:
        return "footnote" in self.reference.link.get("class", "")

    def is_named_note(self) -> bool:
        return _NOTE_NAME.search(self.reference.name) is not None

    def leads_back(self) -> bool:
        targets = (target for _, target in _links_in(self.block, self.base))
        return not _names_around(self.reference.link).isdisjoint(targets)


_SIGNS_OF_NOTE = (
    _PossibleNote.is_link_to_note_by_role,
    _PossibleNote.is_link_to_note_by_class,
    _PossibleNote.is_named_note,
    _PossibleNote.leads_back,
)


def notes_beyond(root: Element, base: str) -> list[Element]:
    """Return notes that the text in an element leads to, and that stand outside of it; what holds little
    else, as a whole."""
    references = list(_references_in(root, base))
    if not references:
        return []
    if _Places([root]).named.keys() >= {reference.name for reference in references}:
        return []
    whole = root.getroottree().getroot()
    footnotes = footnotes_in([whole], base)
    outside = footnotes.lists().difference(root.iter(), root.iterancestors())
    return list(dict.fromkeys(_highest(note, outside) for note in footnotes.notes if note in outside))


def _highest(note: Element, among: Collection[Element]) -> Element:
    """Return the outermost element around a note, itself included, that is among others."""
    return [note, *(above for above in (note, *note.iterancestors()) if above in among)][-1]


def _links_in(root: Element, base: str) -> Iterator[tuple[Element, str]]:
    """Yield links within the page, with the name that they lead to."""
    for link in cast(list[Element], _links_with_mark(root))[:5_000]:
        before, _, name = link.get("href", "").partition("#")
        if name and base.endswith(before.lstrip(".")):
            yield link, unquote(name)


def _block(place: Element) -> Element | None:
    """Return the block that a place stands for; None where that is no note.

    That is a heading, a block with one, a text of no letters, or half of the page.
    """
    near = (place, *islice(place.iterancestors(), _NEAR))
    block = next((element for element in near if element.tag in BLOCK_LEVEL), place)
    return block if all_hold(_SIGNS_OF_BLOCK, block) else None


def _is_of_block(block: Element) -> bool:
    return block.tag in _BLOCKS


def _holds_no_heading(block: Element) -> bool:
    return next(block.iter(*HEADINGS), None) is None


def _says_something(block: Element) -> bool:
    return sum(map(str.isalpha, label_of(block, _LONGEST_NOTE))) >= _SHORTEST_NOTE


_SIGNS_OF_BLOCK = (_is_of_block, _holds_no_heading, _says_something)
"""Signs that a block may be a note."""


def _names(element: Element) -> list[str]:
    """Return the names by which a link may lead to an element."""
    name = element.get("name") if element.tag == "a" else None
    return list(filter(None, (element.get("id"), name)))


def _names_around(link: Element) -> set[str]:
    around = (link, *islice(link.iterancestors(), _NEAR), *islice(link, _NEAR))
    return set(chain.from_iterable(_names(element) for element in around if element.tag not in BLOCK_LEVEL))


def _ways_back(note: Element, origins: set[str], base: str) -> Iterator[Element]:
    for link, name in _links_in(note, base):
        if name in origins or _ARROWS.fullmatch(label_of(link, _LONGEST_LABEL)):
            inline = takewhile(lambda above: above.tag not in BLOCK_LEVEL, link.iterancestors())
            yield [link, *takewhile(_is_label, inline)][-1]
    for element in note.iterdescendants(etree.Element):
        if element.tag not in BLOCK_LEVEL and _BACK_CLASS.search(element.get("class", "")):
            yield element


def _is_label(element: Element) -> bool:
    """Return True if an element holds a label and no more: "[<a>1</a>]"."""
    return _LABEL.fullmatch(label_of(element, _LONGEST_LABEL)) is not None
