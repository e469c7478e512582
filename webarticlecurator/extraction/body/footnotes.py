"""Footnotes: which links lead to a note of the same text, which elements are the notes, and what in them only leads back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple, cast
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.text import short_text

WAY_BACK = "footnotes: the way back to the text"
_MOST_LINKS = 5_000
_LONGEST_LABEL, _SHORTEST_NOTE, _LONGEST_NOTE = 12, 2, 4_000
"""Characters of a label; letters of a note, which may say no more than "Ibid."; characters of one."""
_LABEL = re.compile(r"[\[({]?\W?(?:note|nb|n|fn)?\W?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})\W?[\])}]?|[\[(]?[*†‡§¶#]{1,4}[\])]?", re.IGNORECASE)
"""The text of a link to a note: "1", "[12]", "*", "[note 3]"."""
_SAYS_SO, _LONGEST_OF_WORK = ("doc-biblioref", "doc-noteref"), 40
"""Roles of links to notes, which may be called after a work: "[Kovacs2019]"."""
_NOTE_NAME = re.compile(
    r"(?:^|[-_:.])_?(?:fn|ftn|edn|footnotes?|endnotes?|cite[-_]note|note|nota|sdfootnote|sdendnote|fussnote|labjegyzet)\d*(?:\b|_)", re.I
)
_BACK_NAME = re.compile(r"ref|anchor|back|return", re.IGNORECASE)
_BACK_CLASS = re.compile(r"back-?(?:link|ref)|reversefootnote|footnote-?(?:back|return|number)", re.IGNORECASE)
_ARROWS = re.compile(r"[\s\u2190-\u21ff\u2900-\u297f\u2b00-\u2bff^\ufe0e\ufe0f]+")
_AROUND = 3
"""Elements around a link that may be what a note leads back to: `<sup id="ref1"><a href="#note1">`."""
_MOST_INSIDE = 500
_within_page = etree.XPath("descendant-or-self::a[contains(@href, '#')]")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NO_NOTES = UNSEEN | {*_HEADINGS, "hr"}
"""What may stand beside notes."""
_BLOCKS = BLOCK_LEVEL - {"body", "html", "main", "article", "table", "tbody", "tr", "ul", "ol", "dl", *_HEADINGS}
"""What may be a note."""


class TextOfPage(NamedTuple):
    """Where a text, or a page of it, stands."""

    roots: Sequence[Element]
    base: str
    """What its links are joined with."""


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The notes of one text."""

    references: Mapping[Element, str] = field(default_factory=dict)
    """Links to notes, with the id of the note."""
    notes: Mapping[Element, Mapping[str, str]] = field(default_factory=dict)
    """Elements that are notes, with their id and the label that the text refers to them by."""
    back: frozenset[Element] = frozenset()
    """What in notes only leads back to the text."""

    def lists(self) -> set[Element]:
        """The notes, and the elements around them that hold little else."""
        found = set(self.notes)
        for _ in range(_AROUND):
            around = Counter(parent for one in found if (parent := one.getparent()) is not None)
            found.update(parent for parent, inside in around.items() if sum(one.tag not in _NO_NOTES for one in parent) <= 2 * inside)
        return found


_NONE = Footnotes()


def footnotes_in(*pages: TextOfPage) -> Footnotes:
    """All on the pages of one text. What tells a note is that it leads back to where one came from, or its name."""
    bases = [page.base for page in pages]
    links = [
        (link, name, label, number)
        for number, page in enumerate(pages)
        for link, name in _links_in(page.roots, bases)
        if (label := _label(link)) is not None
    ]
    if not links:
        return _NONE
    names = {name for _, name, _, _ in links}
    places = [_places(page.roots, names) for page in pages]
    blocks = {place: _block(place) for on_page in places for place in on_page.values()}
    order = _order(pages, {*blocks, *(link for link, *_ in links)})
    pairs = [
        (link, name, label, block)
        for link, name, label, number in links
        if (place := _place(link, name, number, places, bases)) is not None
        and (block := blocks[place]) is not None
        and block not in set(link.iterancestors())
        and (order[place][0] != number or order[place] > order[link])
    ]
    named = Counter({(name, block) for _, name, _, block in pairs})
    alone = Counter(block for _, block in named)
    references: dict[Element, str] = {}
    notes: dict[Element, dict[str, str]] = {}
    back: set[Element] = set()
    seen: dict[Element, frozenset[str]] = {}
    for link, name, label, block in pairs:
        if alone[block] > 1 or any(one in notes for one in islice(link.iterancestors(), 50)):
            continue
        if block not in seen:
            seen[block] = frozenset(target for _, target in _links_in((block,), bases))
        if not (seen[block] & _names_around(link) or _is_named(link, name)):
            continue
        references[link] = name
        notes.setdefault(block, {"id": name, "label": label})
    origins = {name for link in references for name in _names_around(link)}
    for block in notes:
        back.update(_ways_back(block, origins, bases))
    return Footnotes(references, notes, frozenset(back))


def notes_behind(root: Element, page: TextOfPage) -> list[Element]:
    """The notes of a text that stand outside of it, such as at the end of the page; in page order, none inside another."""
    (tree,) = page.roots
    if not any(_label(link) is not None for link, _ in _links_in((root,), [page.base])):
        return []
    notes = footnotes_in(page)
    around = {root, *root.iterancestors()}
    of_text = {name for link, name in notes.references.items() if root in link.iterancestors()}
    outside = {note for note, told in notes.notes.items() if told["id"] in of_text and root not in note.iterancestors()}
    lists = {one for one in notes.lists() - around if outside.intersection(one.iter()) and root not in one.iterancestors()}
    return [one for one in tree.iter(etree.Element) if one in lists and lists.isdisjoint(one.iterancestors())]


def _links_in(roots: Iterable[Element], bases: Sequence[str]) -> Iterator[tuple[Element, str]]:
    """Links within the pages, with the name that they lead to."""
    for root in roots:
        for link in cast(list[Element], _within_page(root))[:_MOST_LINKS]:
            before, mark, name = (link.get("href") or "").partition("#")
            if mark and name and (not before or any(_is_at(base, before) for base in bases)):
                yield link, unquote(name)


def _is_at(base: str, address: str) -> bool:
    return base.endswith(address.lstrip("."))


def _is_called_after_work(link: Element) -> bool:
    return link.get("role") in _SAYS_SO or "citation-reference" in (link.get("class") or "").split()


def _label(link: Element) -> str | None:
    if _is_called_after_work(link) and (text := short_text(link, _LONGEST_OF_WORK)):
        return text.strip("[](){} ")
    text = short_text(link, _LONGEST_LABEL)
    return text.strip("[](){} ") if text and _LABEL.fullmatch(text) else None


def _places(roots: Iterable[Element], names: set[str]) -> dict[str, Element]:
    """The first element with each of these names."""
    found: dict[str, Element] = {}
    for root in roots:
        for element in root.iter(etree.Element):
            for name in (element.get("id"), element.get("name") if element.tag == "a" else None):
                if name in names and name is not None:
                    found.setdefault(name, element)
    return found


def _order(pages: Sequence[TextOfPage], wanted: Set[Element]) -> dict[Element, tuple[int, int]]:
    """The page and the number on it of each: a note stands behind what refers to it, and what stands before it is the text."""
    every = ((page, chain.from_iterable(root.iter(etree.Element) for root in text.roots)) for page, text in enumerate(pages))
    return {element: (page, number) for page, elements in every for number, element in enumerate(elements) if element in wanted}


def _place(link: Element, name: str, page: int, places: Sequence[Mapping[str, Element]], bases: Sequence[str]) -> Element | None:
    """What a link leads to: on the page that it names or else its own, or on the only other one that has such a place."""
    address = (link.get("href") or "").partition("#")[0]
    told = [number for number, base in enumerate(bases) if address and _is_at(base, address)]
    nearest = told if told and page not in told else [page]
    found = next((places[number][name] for number in nearest if name in places[number]), None)
    everywhere = [on_page[name] for on_page in places if name in on_page]
    return everywhere[0] if found is None and len(everywhere) == 1 else found


def _block(place: Element) -> Element | None:
    """The block that a place stands for; None where that is no note: a heading, what has one, nothing but a label, half of the page."""
    block = next((one for one in (place, *islice(place.iterancestors(), _AROUND)) if one.tag in BLOCK_LEVEL), None)
    if block is None or block.tag not in _BLOCKS or next(block.iter(*_HEADINGS), None) is not None:
        return None
    text = short_text(block, _LONGEST_NOTE)
    return block if text and _letters(block) >= _SHORTEST_NOTE and not _LABEL.fullmatch(text) else None


def _letters(block: Element) -> int:
    return sum(map(str.isalpha, short_text(block, _LONGEST_NOTE) or ""))


def _names_around(link: Element) -> frozenset[str]:
    around = (link, *islice(link.iterancestors(), _AROUND), *islice(link, _AROUND))
    inline = (one for one in around if one.tag not in BLOCK_LEVEL)
    return frozenset(name for one in inline for name in (one.get("id"), one.get("name")) if name)


def _is_named(link: Element, name: str) -> bool:
    if "noteref" in (link.get("role") or "") or "footnote" in (link.get("class") or ""):
        return True
    return _NOTE_NAME.search(name) is not None and _BACK_NAME.search(name) is None


def _with_brackets(link: Element, text: str) -> Element:
    """With what stands around it and holds nothing else: `<span>[<a>1</a>]</span>`."""
    for around in islice(link.iterancestors(), _AROUND):
        if around.tag in BLOCK_LEVEL or (short_text(around, _LONGEST_LABEL) or "").replace(" ", "").strip("[](){}.:") != text:
            break
        link = around
    return link


def _ways_back(note: Element, origins: set[str], bases: Sequence[str]) -> Iterator[Element]:
    for link, name in _links_in((note,), bases):
        text = short_text(link, _LONGEST_LABEL) or ""
        if name in origins or _ARROWS.fullmatch(text) or _BACK_CLASS.search(link.get("class") or ""):
            yield _with_brackets(link, text)
    for element in islice(note.iter(etree.Element), _MOST_INSIDE):
        if element is not note and element.tag not in BLOCK_LEVEL and _BACK_CLASS.search(element.get("class") or ""):
            yield element
