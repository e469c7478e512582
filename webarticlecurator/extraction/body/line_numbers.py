"""Numbers of the lines of code, which are no code: they count up by one from line to line, in elements of
their own within the code, or in an element beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress
from typing import cast

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.text import element_text, letters_of, text_inside, texts_in, whole_number

RULE = "code: the numbers of its lines"
_DIGITS = 7
"""Characters of a number, at most, with the blank behind it."""
_AROUND_NUMBERS = " .:|\t\n\r\u00a0"


def line_numbers_in(roots: Iterable[Element]) -> Iterator[Element]:
    """Yield the elements that hold nothing but the numbers of lines of code."""
    listings = list(chain.from_iterable(root.iter("pre") for root in roots))
    yield from chain.from_iterable(map(_numbers_within, listings))
    yield from _numbers_beside(listings)


def _numbers_within(code: Element) -> list[Element]:
    """Return the elements with which the lines of code begin, if these count up by one; none where a line
    begins with anything else."""
    if not next(filter(str.strip, texts_in(code)), "").strip(_AROUND_NUMBERS).isdigit():
        return []  # as nearly all code
    numbers = list(filter(_is_number, code.iterdescendants(etree.Element)))
    looks = list(map(_looks_of, numbers))
    alike = list(compress(numbers, map(looks[:1].__contains__, looks)))
    lines = list(map(str.lstrip, _text_of(code).split("\n")))
    labels = list(map(_label_of, alike))
    if len(lines) != len(labels) or not _counts_up(labels) or not all(map(str.startswith, lines, labels)):
        return []
    # no code has a number and a letter side by side: a single line says little else
    is_glued = lines[0].removeprefix(labels[0])[:1].isalpha()
    return alike if is_glued or (len(lines) > 1 and _is_more_than_numbers(code)) else []


def _is_number(element: Element) -> bool:
    return len(element) == 0 and _label_of(element).isdigit()


def _label_of(element: Element) -> str:
    return text_inside(element).strip(_AROUND_NUMBERS)


def _looks_of(element: Element) -> tuple[str, str | None]:
    return element.tag, element.get("class")


def _text_of(code: Element) -> str:
    """Return the text of code as written, without empty lines around it."""
    return "".join(texts_in(code)).strip("\n")


def _is_more_than_numbers(code: Element) -> bool:
    return not letters_of(_text_of(code)).isdigit()


def _counts_up(labels: Iterable[str]) -> bool:
    """Return True if texts are numbers that count up by one."""
    numbers = list(map(whole_number, labels))
    first = next(iter(numbers), None)
    return first is not None and numbers == list(range(first, first + len(numbers)))


def _numbers_beside(listings: Iterable[Element]) -> Iterator[Element]:
    """Yield what stands beside code and holds the numbers of its lines: the cells of a column, or an element
    in one box with it."""
    columns: defaultdict[Element, Counter[Element]] = defaultdict(Counter)
    for code in listings:
        beside = _beside(code)
        if beside is not None and _is_more_than_numbers(code):
            columns[next(beside.iterancestors("table"), beside)][beside] += _text_of(code).count("\n") + 1
    for column in columns.values():
        if _numbers_lines(" ".join(map(element_text, column)).split(), column):
            yield from column


def _numbers_lines(labels: Sequence[str], column: Counter[Element]) -> bool:
    """Return True for as many numbers as the code beside a column has lines.

    They begin with 1, or are several in one element: a port or the status of an answer is no such number.
    """
    are_of_lines = labels[:1] == ["1"] or (len(column) == 1 and len(labels) > 1)
    return are_of_lines and column.total() == len(labels) and _counts_up(labels)


def _beside(code: Element) -> Element | None:
    """Return the cell before that of code, or what is alone in a box with it."""
    cell = next(code.iterancestors("td"), None)
    if cell is not None:
        return next(cell.itersiblings("td", preceding=True), None)
    return code.getprevious() if len(cast(Element, code.getparent())) == 2 else None
