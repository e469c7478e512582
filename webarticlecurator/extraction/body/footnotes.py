"""Footnotes: which links lead to a note of the same text, which elements are the notes, and what in them only leads back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import NamedTuple, cast
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import HEADINGS, UNSEEN, short_text

WAY_BACK = "footnotes: the way back to the text"
_LONGEST_LABEL, _SHORTEST_NOTE, _LONGEST_NOTE = 12, 2, 4_000
"""Characters of a label; letters of a note, which may say no more than "Ibid."; characters of one."""
_LABEL = linear_at(r"[\[({]?\W?(?:note|nb|n|fn)?\W?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})\W?[\])}]?|[\[(]?[*†‡§¶#]{1,4}[\])]?", re.IGNORECASE)
"""The text of a link to a note: "1", "[12]", "*", "[note 3]"."""
_NOTE_NAME = linear(
    r"(?:^|[-_:.])_?(?:fn|ftn|edn|footnotes?|endnotes?|cite[-_]note|note|nota|sdfootnote|sdendnote|fussnote|labjegyzet)\d*(?:\b|_)", re.I
)
_NAME_OF_PLACE_BACK = linear(r"ref|anchor|back|return", re.IGNORECASE)
_BACK_CLASS = linear(r"back-?(?:link|ref)|reversefootnote|footnote-?(?:back|return|number)", re.IGNORECASE)
_ARROWS = linear_at(r"[\s\u2190-\u21ff\u2900-\u297f\u2b00-\u2bff^\ufe0e\ufe0f]+")
_NEAR = 3
"""Elements around a link that may be what a note leads back to: `<sup id="ref1"><a href="#note1">`."""
_links_with_mark = etree.XPath("descendant-or-self::a[contains(@href, '#')]")
_NO_NOTES = UNSEEN | {*HEADINGS, "hr"}
"""What may stand beside notes."""
_BLOCKS = BLOCK_LEVEL - {"body", "html", "main", "article", "table", "tbody", "tr", "ul", "ol", "dl", *HEADINGS}
"""What may be a note."""


class Footnotes(NamedTuple):
    """The notes of one text."""

    references: dict[Element, str]
    """Links to notes, with the id of the note."""
    notes: dict[Element, dict[str, str]]
    """Elements that are notes, with their id and the label that the text refers to them by."""
    back: list[Element]
    """What in notes only leads back to the text."""

    def lists(self) -> set[Element]:
        """The notes, and the elements around them that hold little else."""
        lists = set(self.notes)
        for _ in range(_NEAR):
            around = Counter(parent for element in lists if (parent := element.getparent()) is not None)
            lists.update(parent for parent, inside in around.items() if sum(child.tag not in _NO_NOTES for child in parent) <= 2 * inside)
        return lists


def footnotes_in(roots: Sequence[Element], base: str) -> Footnotes:
    """Those of a text. What tells a note is that it stands behind what leads to it, and leads back there or is named a note."""
    footnotes = Footnotes({}, {}, [])
    links: dict[Element, tuple[str, str]] = {}
    for link, target in chain.from_iterable(_links_in(root, base) for root in roots):
        text = short_text(link, _LONGEST_LABEL)
        if text and _LABEL.fullmatch(text):
            links[link] = target, text.strip("[](){} ")
    if not links:
        return footnotes
    order = {element: number for number, element in enumerate(chain.from_iterable(root.iter(etree.Element) for root in roots))}
    places: dict[str | None, Element] = {}
    for element in order:
        for name in (element.get("id"), element.get("name") if element.tag == "a" else None):
            places.setdefault(name, element)
    blocks = {name: block for name, _ in links.values() if name in places and (block := _block(places[name])) is not None}
    leading = {
        link: name
        for link, (name, _) in links.items()
        if name in blocks and order[places[name]] > order[link] and blocks[name] not in link.iterancestors()
    }
    meant = Counter(blocks[name] for name in set(leading.values()))
    for link, name in leading.items():
        block = blocks[name]
        leads_back = not _names_around(link).isdisjoint(target for _, target in _links_in(block, base))
        says_so = "noteref" in (link.get("role") or "") or "footnote" in (link.get("class") or "")
        is_named = says_so or (_NOTE_NAME.search(name) is not None and _NAME_OF_PLACE_BACK.search(name) is None)
        if meant[block] == 1 and footnotes.notes.keys().isdisjoint(link.iterancestors()) and (leads_back or is_named):
            footnotes.references[link] = name
            footnotes.notes.setdefault(block, {"id": name, "label": links[link][1]})
    origins = {name for link in footnotes.references for name in _names_around(link)}
    footnotes.back.extend(chain.from_iterable(_ways_back(note, origins, base) for note in footnotes.notes))
    return footnotes


def notes_beyond(root: Element, base: str) -> list[Element]:
    """Notes that the text in an element leads to, and that stand outside of it; what holds little else, as a whole."""
    labels = {link: name for link, name in _links_in(root, base) if _LABEL.fullmatch(short_text(link, _LONGEST_LABEL) or " ")}
    here = {name for element in root.iter(etree.Element) for name in (element.get("id"), element.get("name"))} if labels else set()
    if here.issuperset(labels.values()):
        return []
    whole = root.getroottree().getroot()
    footnotes = footnotes_in([whole], base)
    names = {name for link, name in footnotes.references.items() if link in labels and name not in here}
    notes = {note for note, about in footnotes.notes.items() if about["id"] in names}
    outside = footnotes.lists().difference(root.iter(), root.iterancestors())
    highest = {next((above for above in (*reversed([*note.iterancestors()]), note) if above in outside), note) for note in notes}
    return [element for element in whole.iter(etree.Element) if element in highest]


def _links_in(root: Element, base: str) -> Iterator[tuple[Element, str]]:
    """Links within the page, with the name that they lead to."""
    for link in cast(list[Element], _links_with_mark(root))[:5_000]:
        before, _, name = (link.get("href") or "").partition("#")
        if name and base.endswith(before.lstrip(".")):
            yield link, unquote(name)


def _block(place: Element) -> Element | None:
    """The block that a place stands for; None where that is no note: a heading, what has one, nothing but a label, half of the page."""
    block = next((element for element in (place, *islice(place.iterancestors(), _NEAR)) if element.tag in BLOCK_LEVEL), None)
    if block is None or block.tag not in _BLOCKS or next(block.iter(*HEADINGS), None) is not None:
        return None
    text = short_text(block, _LONGEST_NOTE)
    return block if text and sum(map(str.isalpha, text)) >= _SHORTEST_NOTE and not _LABEL.fullmatch(text) else None


def _names_around(link: Element) -> set[str]:
    around = (link, *islice(link.iterancestors(), _NEAR), *islice(link, _NEAR))
    inline = (element for element in around if element.tag not in BLOCK_LEVEL)
    return {name for element in inline for name in (element.get("id"), element.get("name")) if name}


def _ways_back(note: Element, origins: set[str], base: str) -> Iterator[Element]:
    for link, name in _links_in(note, base):
        if name in origins or _ARROWS.fullmatch(short_text(link, _LONGEST_LABEL) or ""):
            inline = takewhile(lambda above: above is not note and above.tag not in BLOCK_LEVEL, link.iterancestors())
            labels = takewhile(lambda above: _LABEL.fullmatch((short_text(above, _LONGEST_LABEL) or "").strip()), inline)  # "[<a>1</a>]"
            yield [link, *labels][-1]
    for element in note.iterdescendants(etree.Element):
        if element.tag not in BLOCK_LEVEL and _BACK_CLASS.search(element.get("class") or ""):
            yield element
