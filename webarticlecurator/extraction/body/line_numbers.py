"""Numbers of the lines of code, which are no code: they count up by one from line to line, in elements of their
own within the code, or in an element beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.text import BREAKS, element_text, label_of, letters_of, text_behind, text_inside

RULE = "code: the numbers of its lines"
_NEAR = 4
"""Elements around code among which its cell of a table is."""
_DIGITS = 7
"""Characters of a number, at most, with the blank behind it."""
_AROUND_NUMBERS = " .:|\t\n\r\u00a0"


def line_numbers_in(roots: Sequence[Element]) -> Iterator[Element]:
    """Yield the elements that hold nothing but the numbers of lines of code."""
    listings = list(chain.from_iterable(root.iter("pre") for root in roots))
    for code in listings:
        numbers = _numbers_within(code)
        if len(numbers) > 1 or _is_glued(numbers):
            yield from numbers
    yield from _numbers_beside(listings)


def _numbers_within(code: Element) -> list[Element]:
    """Return the elements with which the lines of code begin, if these count up by one; none where a line
    begins with anything else."""
    numbers: list[Element] = []
    begins_line = True
    for event, element in etree.iterwalk(code, events=("start", "end")):
        begins_line |= element.tag in BREAKS
        if event == "end" and element is code:
            break
        text = text_inside(element) if event == "start" else text_behind(element)
        if event == "start" and begins_line and _is_number(element):
            numbers.append(element)
            begins_line = False
            continue
        rest, *lines = text.split("\n")
        if "".join((rest if begins_line else "", *lines)).strip():
            return []
        begins_line = bool(lines) or (begins_line and not rest.strip())
    return numbers if _counts_up(map(_text_of, numbers)) and _is_more_than_numbers(code) else []


def _is_more_than_numbers(code: Element) -> bool:
    return not letters_of(element_text(code)).isdigit()


def _is_glued(numbers: Sequence[Element]) -> bool:
    """Return True if a letter stands right behind the number of a single line, which no code has."""
    behind = chain.from_iterable((text_behind(number), *_texts_behind(number)) for number in numbers)
    return next(filter(None, behind), "")[:1].isalpha()


def _texts_behind(number: Element) -> Iterator[str]:
    return chain.from_iterable(element.itertext() for element in islice(number.itersiblings(etree.Element), 1))


def _is_number(element: Element) -> bool:
    return len(element) == 0 and element.tag != "pre" and _text_of(element).isdigit()


def _text_of(element: Element) -> str:
    return text_inside(element).strip(_AROUND_NUMBERS)


def _counts_up(texts: Iterable[str]) -> bool:
    """Return True if texts are numbers that count up by one."""
    written = list(texts)
    first = int(written[0]) if written and written[0].isascii() and written[0].isdigit() else None
    return first is not None and written == [str(first + row) for row in range(len(written))]


def _numbers_beside(listings: Iterable[Element]) -> Iterator[Element]:
    """Yield what stands beside code and holds the numbers of its lines: the cells of a column, or an element
    in one box with it."""
    columns: defaultdict[Element, dict[Element, None]] = defaultdict(dict)
    for code in listings:
        beside = _beside(code)
        if beside is not None and _is_more_than_numbers(code):
            columns[next(beside.iterancestors("table"), beside)][beside] = None
    for column in columns.values():
        if _counts_up(" ".join(map(element_text, column)).split()):
            yield from column


def _beside(code: Element) -> Element | None:
    """Return the cell before that of code, or what is alone in a box with it and has as many words as it has
    lines."""
    cell = next((around for around in islice(code.iterancestors(), _NEAR) if around.tag == "td"), None)
    if cell is not None:
        return next(cell.itersiblings("td", preceding=True), None)
    before = next(code.itersiblings(etree.Element, preceding=True), None)
    lines = element_text(code).strip("\n").count("\n") + 1
    if before is None or len(before.getparent()) > 2:  # type: ignore[arg-type]  # what has siblings has one
        return None
    return before if len(label_of(before, _DIGITS * lines).split()) == lines > 1 else None
