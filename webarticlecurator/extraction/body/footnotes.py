"""Footnotes: which marks of a text lead to a note of the same text, which elements are the notes, and what in
them only leads back.

What says that an element is a note is the page itself, whatever software made it: it leads back to its mark,
or begins with the same number or sign, or stands right behind the mark in the same line.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, takewhile
from typing import NamedTuple, cast
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.signs import all_hold, any_holds
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import (
    BREAKS,
    HEADINGS,
    UNSEEN,
    label_of,
    letters_of,
    short_text,
    text_behind,
    text_inside,
    texts_in,
)

WAY_BACK = "footnotes: the way back to the text"
_LONGEST_LABEL = 20
"""Characters of a mark, such as "[footnote 12]"."""
_SHORTEST_NOTE = 2
"""Letters of a note, which may say no more than "Ibid."."""
_LONGEST_NOTE = 4_000
"""Characters of a note."""
_LABEL = linear_at(
    r"\W{0,2}(?:n|fn)?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})\W{0,2}|[\[(]?[*†‡§¶#]{1,4}[\])]?"
    r"|\[[a-z][^\[\]]{0,15}\W\d{1,3}\]",
    re.IGNORECASE,
)
"""The text of a mark: "1", "[12]", "*", "[note 3]"."""
_AROUND_LABELS = "[](){}. \u00a0"
_BEFORE_LABELS = _AROUND_LABELS + "\n\t\r"
_ARROWS = linear_at(r"[\s\u2190-\u21ff\u2900-\u297f\u2b00-\u2bff^\ufe0e\ufe0f]+")
_BASE = linear(r"\d$|(?:^|[\W_])[^\W\d_]$")
"""The end of a text behind which a raised number is an exponent."""
_NEAR = 3
"""Elements around a link that may be what a note leads back to: `<sup id="ref1"><a href="#note1">`."""
_MOST_AROUND = 8
"""Parts of a line around a mark or a way back."""
_MOST_IN_LABEL = 20
"""Elements in a mark, some of which may show nothing."""
_MOST_IN_NOTE = 500
"""Elements in a note, which may have links and formulas."""
_MOST_MARKS = 5_000
_MOST_TEXTS = 50
"""Texts in one element before a mark in which a letter is looked for."""
_links_with_mark = etree.XPath("descendant-or-self::a[contains(@href, '#')]")
_id_of_its_box = etree.XPath(
    "string(self::label/@for[. = ../following-sibling::*[1][@type='checkbox']/@id])", smart_strings=False
)
"""Returns the id of the box to tick that a label belongs to, where that stands right behind it."""
_OPENING = ("aria-controls", "aria-describedby", "popovertarget")
"""Attributes by which something names what it opens or what explains it."""
_NO_NOTES = UNSEEN | {*HEADINGS, "hr"}
"""Elements that may stand beside notes."""
_BLOCKS = BLOCK_LEVEL - {
    "body", "html", "main", "article", "table", "tbody", "tr", "ul", "ol", "dl", "figure", "figcaption",
    *HEADINGS,
}  # fmt: skip
"""Elements that may be a note, beside parts of a line."""


class Footnotes(NamedTuple):
    """The notes of one text."""

    references: dict[Element, str]
    """Marks of notes, with the id of the note."""
    notes: dict[Element, dict[str, str]]
    """Elements that are notes, with their id and the label that the text refers to them by."""
    back: list[Element]
    """Elements in notes that only lead back to the text, or say the label again."""
    place: str = ""
    """The place of the text in the page, whose posts are read one by one."""

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

    def take_in(self, marks: Iterable[Element], note: Element, label: str, name: str = "") -> None:
        """Take in a note with its marks; the first mark gives it its label. `name`: by which the page knows
        it; else the place of the text and its number are its id."""
        told = {"id": name or f"{self.place} {len(self.notes) + 1}", "label": label}
        known = self.notes.setdefault(note, {key: value for key, value in told.items() if value})
        self.references.update(dict.fromkeys(marks, known["id"]))


def _not_beside_notes(parent: Element) -> list[Element]:
    return [child for child in parent if child.tag not in _NO_NOTES]


class _Mark(NamedTuple):
    """An element that may be the mark of a note."""

    element: Element
    name: str
    """The name of the place that it leads to or opens; empty where it names none."""
    label: str


def footnotes_in(roots: Sequence[Element], base: str) -> Footnotes:
    """Return the notes of a text: those that a mark leads to, and those that have no more than the number or
    sign of their mark."""
    marks = list(chain.from_iterable(_marks_in(root, base) for root in roots))
    if not marks:
        return Footnotes({}, {}, [])
    footnotes = Footnotes({}, {}, [], roots[0].getroottree().getpath(roots[0]))
    places = _Places(roots, marks, base)
    unlinked = _UnlinkedNotes(footnotes)
    for mark in marks:
        if not footnotes.notes.keys().isdisjoint(mark.element.iterancestors()):
            continue  # a way back, or a mark in a note
        note = places.note_of(mark)
        if note is not None:
            footnotes.take_in([mark.element], note, mark.label, mark.name)
        elif not mark.name:
            unlinked.add(mark)
    footnotes.back.extend(_left_out_of(footnotes, base))
    return footnotes


def _marks_in(root: Element, base: str) -> Iterator[_Mark]:
    """Yield what has the label of a note, and is raised or names a place; a mark that opens a note beside it
    may show nothing."""
    for element in islice(root.iter("a", "button", "label", "sup"), _MOST_MARKS):
        name = _name_of_place(element, base)
        if not name and element.tag != "sup":
            continue
        text = _short_text(element)
        if text is not None and _is_mark(element, text, name):
            yield _Mark(element, name, _bare(text))


def _short_text(element: Element) -> str | None:
    """Return the text of an element that may be a label; None where it holds too much."""
    return short_text(element, _LONGEST_LABEL) if _holds_at_most(_MOST_IN_LABEL, element) else None


def _label_of(element: Element) -> str:
    return _short_text(element) or ""


def _holds_at_most(count: int, element: Element) -> bool:
    """Return True if there are no more elements in an element, found without counting all of them."""
    return next(islice(element.iterdescendants(), count, None), None) is None


def _is_mark(element: Element, text: str, name: str) -> bool:
    if _LABEL.fullmatch(text):
        return name != "" or _leads_nowhere(element)
    return element.tag == "label" and letters_of(text) == ""


def _leads_nowhere(element: Element) -> bool:
    """Return True if a raised text neither is nor holds a link."""
    links = chain(element.iterdescendants("a"), islice(element.iterancestors("a"), 1))
    return element.tag == "sup" and next(links, None) is None


def _bare(label: str) -> str:
    """Return a label without what stands around it; empty where it is no number, letter or sign."""
    return label.strip(_AROUND_LABELS) if _LABEL.fullmatch(label) else ""


def _name_of_place(element: Element, base: str) -> str:
    """Return the name of the place within the page that an element leads to or opens."""
    name = _name_in_page(element.get("href", ""), base)
    return name or next(filter(None, map(element.get, _OPENING)), "") or cast(str, _id_of_its_box(element))


def _name_in_page(href: str, base: str) -> str:
    before, _, name = href.partition("#")
    return unquote(name) if name and base.endswith(before.lstrip(".")) else ""


# --- notes that a mark leads to ---


class _Places:
    """The elements of a text in order, and which of them is the first to bear a name."""

    def __init__(self, roots: Sequence[Element], marks: Iterable[_Mark], base: str) -> None:
        elements = list(chain.from_iterable(root.iter(etree.Element) for root in roots))
        self.order = {element: number for number, element in enumerate(elements)}
        self.named = {name: element for element in reversed(elements) for name in _names(element)}
        self._led_to = {self.named.get(mark.name) for mark in marks}
        self._note_at = cache(self._whole_note)
        self._targets_in = cache(lambda element: {target for _, target in _links_in(element, base)})

    def note_of(self, mark: _Mark) -> Element | None:
        """Return the element that is the note of a mark."""
        candidates = (
            (_right_behind(mark.element), _SIGNS_OF_NOTE_BESIDE),
            (self._block_behind(mark), _SIGNS_OF_NOTE),
        )
        for element, signs in candidates:
            if element is not None and any_holds(signs, _PossibleNote(mark, element, self._targets_in)):
                return element
        return None

    def _block_behind(self, mark: _Mark) -> Element | None:
        """Return the block behind a mark that may be the note that it leads to."""
        place = self.named.get(mark.name)
        if place is None or self.order[place] <= self.order[mark.element]:
            return None
        note = self._note_at(place)
        # what begins before its mark holds it
        return note if note is not None and self.order.get(note, 0) > self.order[mark.element] else None

    def _whole_note(self, place: Element) -> Element | None:
        """Return the block of a place that may be a note, with its further paragraphs."""
        block = _block(place)
        if block is None:
            return None
        around = cast(Element, block.getparent())
        return around if self._is_all_of_note(around, block) else block

    def _is_all_of_note(self, around: Element, block: Element) -> bool:
        """Return True if a box begins with a block that a mark leads to, and holds no other note: the others
        are further paragraphs."""
        is_first = block.tag == "p" and around[0] is block and not text_inside(around).strip()
        may_be_note = is_first and all_hold(_SIGNS_OF_BLOCK, around)
        return may_be_note and len(self._led_to.intersection(around.iter())) == 1


class _PossibleNote(NamedTuple):
    """A mark, and the element that may be its note."""

    mark: _Mark
    element: Element
    targets_in: Callable[[Element], Collection[str]]
    """Returns the names that links in an element lead to."""

    def leads_back(self) -> bool:
        return not _names_around(self.mark.element).isdisjoint(self.targets_in(self.element))

    def has_mark_in_text(self) -> bool:
        """Return True if its mark stands right behind words, and is more than a bare number."""
        return _is_behind_words(self.mark.element) and any_holds(_SIGNS_OF_MARK, self)

    def begins_with_label(self) -> bool:
        return _begins_with(self.element, self.mark.label)

    def has_raised_mark(self) -> bool:
        """Return True if its mark is raised, or a sign such as "*"."""
        mark = self.mark.element
        near = (mark, *islice(mark.iterancestors(), _NEAR), *islice(mark, _NEAR))
        return "sup" in [element.tag for element in near] or letters_of(_label_of(mark)) == ""

    def has_mark_in_brackets(self) -> bool:
        """Return True if its mark is more than a number among words, "[1]" or "[1,2]", and it begins with
        that number."""
        mark = self.mark.element
        is_word = _label_of(mark).isalnum() and _text_before(mark)[-1:].isspace()
        return not is_word and self.begins_with_label()

    def is_opened(self) -> bool:
        return any(map(self.mark.element.keys().__contains__, _OPENING))

    def is_named_by_mark(self) -> bool:
        return self.mark.name in _names(self.element)

    def is_unfolded_by_mark(self) -> bool:
        """Return True if a box to tick between both shows and hides it."""
        return self.mark.element.tag == "label" and _is_behind_words(self.mark.element)


_SIGNS_OF_NOTE = (_PossibleNote.leads_back, _PossibleNote.has_mark_in_text)
_SIGNS_OF_MARK = (
    _PossibleNote.has_raised_mark,
    _PossibleNote.is_opened,
    _PossibleNote.has_mark_in_brackets,
)
_SIGNS_OF_NOTE_BESIDE = (
    _PossibleNote.is_named_by_mark,
    _PossibleNote.is_unfolded_by_mark,
    _PossibleNote.begins_with_label,
)
"""Signs that what stands right behind a mark in its line is its note."""


def _right_behind(mark: Element) -> Element | None:
    """Return the part of a line that stands right behind a mark, and may be its note."""
    outer = _outermost(mark, _is_label)
    behind = [element for element in islice(outer.itersiblings(etree.Element), 2) if element.tag != "input"]
    is_right_behind = text_behind(outer).strip() == ""
    return next(filter(_may_be_note_in_line, behind[:is_right_behind]), None)


def _may_be_note_in_line(element: Element) -> bool:
    return element.tag not in BLOCK_LEVEL and element.tag != "label" and _says_something(element)


def _text_before(mark: Element) -> str:
    """Return the text right before a mark, and before what holds no more than it."""
    outer = _outermost(mark, _is_label)
    before = outer.getprevious()
    return text_inside(cast(Element, outer.getparent())) if before is None else text_behind(before)


def _is_behind_words(mark: Element) -> bool:
    """Return True if a letter stands before a mark in its line."""
    for element in (mark, *_parts_of_line_around(mark)):
        for before in islice(element.itersiblings(etree.Element, preceding=True), 2 * _NEAR):
            if _has_letter(text_behind(before)):
                return True
            if before.tag in BREAKS:
                return False
            if any(map(_has_letter, islice(texts_in(before), _MOST_TEXTS))):
                return True
        if _has_letter(text_inside(cast(Element, element.getparent()))):
            return True
    return False


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _parts_of_line_around(element: Element) -> Iterator[Element]:
    """Yield the nearest inlines around an element, from the inner to the outer one."""
    return takewhile(
        lambda above: above.tag not in BLOCK_LEVEL, islice(element.iterancestors(), _MOST_AROUND)
    )


def _outermost(element: Element, condition: Callable[[Element], bool]) -> Element:
    """Return the outermost inline around an element up to which all fulfil a condition."""
    return [element, *takewhile(condition, _parts_of_line_around(element))][-1]


def _is_label(element: Element) -> bool:
    """Return True if an element holds a label and no more: "[<a>1</a>]"."""
    return _LABEL.fullmatch(_label_of(element)) is not None


def _begins_with(element: Element, label: str) -> bool:
    """Return True if a text begins with the label of a note, or is the item of that number."""
    if element.tag == "li" and label.isdecimal() and _is_item_of_number(element, int(label)):
        return True
    opening = next(filter(str.strip, texts_in(element)), "").lstrip(_BEFORE_LABELS)
    return label != "" and opening.startswith(label) and not opening[len(label) :][:1].isalnum()


def _is_item_of_number(item: Element, number: int) -> bool:
    """Return True if an item is the one of that number in a numbered list."""
    before = islice(item.itersiblings("li", preceding=True), number)
    return len(list(before)) == number - 1 and cast(Element, item.getparent()).tag == "ol"


# --- notes without links ---


class _UnlinkedNotes:
    """Raised marks that lead nowhere, and the blocks behind them that begin with the same, counted up by
    one. A list that is numbered as the marks are may be any list, and exponents are raised, too."""

    def __init__(self, footnotes: Footnotes) -> None:
        self._footnotes = footnotes
        self._waiting: defaultdict[str, list[Element]] = defaultdict(list)
        """The marks whose notes were not seen yet, by their labels."""
        self._last = 0
        """The number of the last note."""

    def add(self, mark: _Mark) -> None:
        """Take in the next mark, or the block that begins with it."""
        block = _begun_by(mark.element)
        if block is None:
            if _is_behind_words(mark.element) and not _is_exponent(mark.element):
                self._waiting[mark.label].append(mark.element)
        elif mark.label in self._waiting and self._is_next(mark.label) and self._is_one_note(block):
            self._take_in(mark.label, block)

    def _is_next(self, label: str) -> bool:
        return not label.isdigit() or int(label) == self._last + 1

    def _is_one_note(self, block: Element) -> bool:
        """Return False for a block with several notes, a line each."""
        labels = [_bare(_label_of(raised)) for raised in block.iter("sup")]
        return len(self._waiting.keys() & set(labels)) == 1

    def _take_in(self, label: str, note: Element) -> None:
        self._last += label.isdigit()
        self._footnotes.take_in(self._waiting.pop(label, ()), note, label)


def _is_exponent(mark: Element) -> bool:
    """Return True if a raised mark stands right behind a digit or a single letter: 10<sup>2</sup>."""
    return _BASE.search(_text_before(mark)[-2:]) is not None


def _begun_by(mark: Element) -> Element | None:
    """Return the block that begins with a mark; None where something stands before it."""
    for element in (mark, *_parts_of_line_around(mark)):
        around = cast(Element, element.getparent())
        if element.getprevious() is not None or text_inside(around).strip():
            return None
    return around if all_hold(_SIGNS_OF_BLOCK, around) else None


# --- notes elsewhere ---


def notes_beyond(root: Element, base: str) -> list[Element]:
    """Return notes that the text in an element leads to, and that stand outside of it; what holds little
    else, as a whole."""
    marks = [mark for mark in _marks_in(root, base) if mark.name]
    if not marks:
        return []
    if _Places([root], marks, base).named.keys() >= {mark.name for mark in marks}:
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
    for link in cast(list[Element], _links_with_mark(root))[:_MOST_MARKS]:
        name = _name_in_page(link.get("href", ""), base)
        if name:
            yield link, name


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
    text = label_of(block, _LONGEST_NOTE) if _holds_at_most(_MOST_IN_NOTE, block) else ""
    return sum(map(str.isalpha, text)) >= _SHORTEST_NOTE


_SIGNS_OF_BLOCK = (_is_of_block, _says_something, _holds_no_heading)
"""Signs that a block may be a note."""


def _names(element: Element) -> list[str]:
    """Return the names by which a link may lead to an element."""
    name = element.get("name") if element.tag == "a" else None
    return list(filter(None, (element.get("id"), name)))


def _names_around(link: Element) -> set[str]:
    around = (link, *islice(link.iterancestors(), _NEAR), *islice(link, _NEAR))
    return set(chain.from_iterable(_names(element) for element in around if element.tag not in BLOCK_LEVEL))


# --- what is no text of a note ---


def _left_out_of(footnotes: Footnotes, base: str) -> Iterator[Element]:
    """Yield what only leads back, the labels that notes begin with, and marks that show nothing."""
    origins = set(chain.from_iterable(map(_names_around, footnotes.references)))
    for note, known in footnotes.notes.items():
        yield from _ways_back(note, origins, base)
        yield from _labels_before(note, known.get("label", ""), base)
    yield from (mark for mark in footnotes.references if mark.tag == "label" and not _is_label(mark))


def _ways_back(note: Element, origins: set[str], base: str) -> Iterator[Element]:
    """Yield the links back, each with the inlines around it that say nothing else."""
    links = {
        link: name
        for link, name in _links_in(note, base)
        if name in origins or _ARROWS.fullmatch(_label_of(link))
    }
    says_nothing_else = cache(lambda around: _says_nothing_but(around, links))
    for link in links:
        yield _outermost(link, says_nothing_else)


def _says_nothing_but(element: Element, links: Collection[Element]) -> bool:
    text = short_text(element, _LONGEST_LABEL, links)
    return text is not None and letters_of(text) == ""


def _labels_before(note: Element, label: str, base: str) -> Iterator[Element]:
    """Yield the inlines at the beginning of a note that say its label again, or hold nothing but ways back to
    whatever else leads to it: "^ a b"."""
    links = {link for link, _ in _links_in(note, base) if _is_label(link)}
    text = text_inside(note)
    for element in islice(note.iterdescendants(etree.Element), 2 * _NEAR):
        if text.strip():
            return
        is_label = _bare(_label_of(element)) == label != ""
        if is_label or _holds_nothing_but(element, links):
            yield element
            text = text_behind(element)
        else:
            text = text_inside(element)


def _holds_nothing_but(element: Element, links: Collection[Element]) -> bool:
    return not set(element.iterdescendants("a")).isdisjoint(links) and _says_nothing_but(element, links)
