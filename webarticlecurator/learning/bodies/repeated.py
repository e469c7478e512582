"""What is kept on several pages in the same words, and stands in elements that hold nothing else: the site's, not the article's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN, VOID_MEDIA
from webarticlecurator.learning.bodies.element_selectors import selectors_of
from webarticlecurator.learning.bodies.page_words import PageWords
from webarticlecurator.selectors import Selector
from webarticlecurator.selectors.dialect import quoted
from webarticlecurator.text import squeeze

_SHARE_OF_PAGES = 0.15
_FEWEST_PAGES = 2
_SAME_PAGE = 0.5
"""Share of a page's kept words that stand on another one, too, from which the two are one article."""
_PURE = 0.9
"""Share of what stands in the elements of a selector that has to be repeated."""
_MOST_OF_PAGE = 0.3
"""Share of the kept words of a page that no rule may take away."""
_PRICE = 2.5
"""What a word of the article weighs against one that is not."""
_LONG, _ENOUGH_PAGES, _OFTEN = 5, 3, 2
"""Words of a text that hardly two authors write; pages on which a shorter one says enough; how often it stands on each of fewer."""
_MOST_RULES = 25
_SHORTEST_SAID = 12
"""Characters of a text by which an element is known."""
_MOST_PLACES = 4
"""Of an element that is known by what it says, how many names of the one around it are tried."""
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A selector whose elements say the same on several pages."""

    selector: str
    pages: int
    words: int
    text: str
    """One of the texts."""
    sure: bool


def repeated_elements(pages: Sequence[PageWords]) -> tuple[Repeated, ...]:
    """The selectors that should be left out, those that take away most first."""
    marks = _repeated_words(pages)
    index = _Index(pages, marks)
    found: list[Repeated] = []
    while len(found) < _MOST_RULES:
        best = index.best()
        if best is None:
            break
        found.append(index.take(best))
    for place in index.left():
        selector = index.by_text(*place) if len(found) < _MOST_RULES else None
        if selector is not None:
            found.append(index.take(selector))
    return tuple(found)


def _repeated_words(pages: Sequence[PageWords]) -> list[list[bool]]:
    """For each word of each page whether it is kept, in a line that other pages have, too."""
    lines = [list(_kept_lines(page)) for page in pages]
    unlike = _without_doubles(lines)
    on_pages = Counter(text for number in unlike for text in {text for text, _ in lines[number]})
    fewest = max(_FEWEST_PAGES, round(_SHARE_OF_PAGES * len(unlike)))
    marks = [[False] * len(page.words) for page in pages]
    for number, kept in enumerate(lines):
        for text, line in kept:
            if on_pages[text] >= fewest:
                marks[number][line.start : line.stop] = [True] * len(line)
    return marks


def _kept_lines(page: PageWords) -> Iterator[tuple[tuple[str, ...], range]]:
    """The words of each line that is kept, and where they stand; whom a picture is by may be said as often as it is true."""
    for line in page.each_line():
        row = page.rows[line.start]
        if page.kept[row] and not page.captions[row]:
            yield tuple(page.words[line.start : line.stop]), line


def _without_doubles(lines: Sequence[Sequence[tuple[tuple[str, ...], range]]]) -> list[int]:
    """The pages that are not the article of an earlier page once more."""
    unlike: list[int] = []
    seen: list[Counter[tuple[str, ...]]] = []
    for number, kept in enumerate(lines):
        own = Counter(text for text, _ in kept)
        words = sum(len(text) * count for text, count in own.items())
        same = max((sum(len(text) * count for text, count in (own & other).items()) for other in seen), default=0)
        if words and same <= _SAME_PAGE * words:
            unlike.append(number)
            seen.append(own)
    return unlike


class _Index:
    """Selectors of what is kept, with how much of it is repeated."""

    def __init__(self, pages: Sequence[PageWords], marks: list[list[bool]]) -> None:
        self._pages = pages
        self._marks = marks
        self._gone = [[False] * len(page.words) for page in pages]
        self._kept = [page.kept_words for page in pages]
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._count()
        for number, page in enumerate(pages):
            for row in range(len(page.elements)):
                if page.kept[row] and self._bad[number][row]:
                    for name in selectors_of(page.elements[row]):
                        self._places[name].append((number, row))
        for name, places in self._places.items():
            self._places[name] = list(self._outermost(places))
        self._complete()

    def best(self) -> str | None:
        ranked = [(rank, name) for name in self._places if (rank := self._rank(name)) is not None]
        return min(ranked)[1] if ranked else None

    def take(self, name: str) -> Repeated:
        """Leave out what it stands for."""
        places = [(number, row) for number, row in self._places.pop(name) if self._bad[number][row]]
        texts = Counter(self._text(number, row) for number, row in places)
        text = min(texts, key=lambda one: (-texts[one], one))
        on = len({number for number, _ in places})
        words = sum(self._bad[number][row] for number, row in places)
        long = len(text.split()) >= _LONG
        sure = on >= (_FEWEST_PAGES if long else _ENOUGH_PAGES) or len(places) >= _OFTEN * on
        for number, row in places:
            inside = self._below(number, row)
            self._gone[number] = [gone or one in inside for gone, one in zip(self._gone[number], self._pages[number].rows, strict=True)]
        self._count()
        return Repeated(selector=name, pages=on, words=words, text=text[:_LONGEST_SHOWN], sure=sure)

    def left(self) -> Iterator[tuple[int, range]]:
        """The first place of each line that no selector stands for, in the order of the pages."""
        seen: set[tuple[str, ...]] = set()
        for number, page in enumerate(self._pages):
            for line in page.each_line():
                text = tuple(page.words[line.start : line.stop])
                if self._marks[number][line.start] and not self._gone[number][line.start] and text not in seen:
                    seen.add(text)
                    yield number, line

    def by_text(self, number: int, line: range) -> str | None:
        """A selector of the element that says it, by what it says; None where that is not all that it stands for, or was said before."""
        page = self._pages[number]
        row = next(row for row in page.above(page.rows[line.start]) if page.elements[row].tag in BLOCK_LEVEL)
        content = squeeze(own_text_of(page.elements[row]))
        if (
            len(content) < _SHORTEST_SAID
            or self._gone[number][line.start]
            or self._bad[number][row] != len(line)
            or self._good[number][row]
        ):
            return None
        shown = content if len(content) <= _LONGEST_SHOWN else content[:_LONGEST_SHOWN].rpartition(" ")[0]
        says = f"{page.elements[row].tag}:contains({in_quotes(shown)})"
        around = page.elements[row].getparent()
        places = ["", *(f"{name} > " for name in (selectors_of(around) if around is not None else ()))]
        return next((says_there for place in places[:_MOST_PLACES] if self._would_do(says_there := place + says)), None)

    def _would_do(self, selector: str) -> bool:
        """Whether what it matches is what is repeated; then it is one of the selectors from now on."""
        css = Selector.parse(selector)
        rows = [{element: row for row, element in enumerate(one.elements) if one.kept[row]} for one in self._pages]
        places = [
            (other, rows[other][element])
            for other, one in enumerate(self._pages)
            for element in (css.select(one.elements[0]) if one.elements else ())
            if element in rows[other]
        ]
        self._places[selector] = list(self._outermost(places))
        if self._rank(selector) is None:
            del self._places[selector]
        return selector in self._places

    def _count(self) -> None:
        self._bad: list[list[int]] = []
        self._good: list[list[int]] = []
        for page, marks, gone, kept in zip(self._pages, self._marks, self._gone, self._kept, strict=True):
            self._bad.append(page.sums([mark and not over for mark, over in zip(marks, gone, strict=True)]))
            rest = zip(kept, marks, gone, strict=True)
            self._good.append(page.sums([one and not mark and not over for one, mark, over in rest]))

    def _complete(self) -> None:
        """Of each selector also those elements in which nothing is repeated: they speak against it, and pictures even more."""
        for number, page in enumerate(self._pages):
            for row, element in enumerate(page.elements):
                if page.kept[row] and not self._bad[number][row]:
                    shows = any(True for _ in element.iter(*VOID_MEDIA))
                    for name in selectors_of(element) if shows or self._good[number][row] else ():
                        if shows:
                            self._places.pop(name, None)
                        elif name in self._places:
                            self._places[name].append((number, row))

    def _rank(self, name: str) -> tuple[float, bool, bool, int] | None:
        places = self._places[name]
        bad, good = (sum(counts[number][row] for number, row in places) for counts in (self._bad, self._good))
        on = Counter[int]()
        for number, row in places:
            on[number] += self._bad[number][row]
        if bad < _PURE * (bad + good) or not bad or sum(count > 0 for count in on.values()) < _FEWEST_PAGES:
            return None
        if any(count > _MOST_OF_PAGE * (self._bad[number][0] + self._good[number][0]) for number, count in on.items()):
            return None
        return (_PRICE * good - bad, " " in name, "#" in name, len(name))

    def _outermost(self, places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        wanted = set(places)
        for number, row in places:
            parent = self._pages[number].parents[row]
            if not any((number, above) in wanted for above in self._pages[number].above(parent)):
                yield number, row

    def _below(self, number: int, row: int) -> frozenset[int]:
        inside = {row}
        for other in range(row + 1, len(self._pages[number].parents)):
            if self._pages[number].parents[other] in inside:
                inside.add(other)
        return frozenset(inside)

    def _text(self, number: int, row: int) -> str:
        inside, page = self._below(number, row), self._pages[number]
        return " ".join(word for word, one, kept in zip(page.words, page.rows, self._kept[number], strict=True) if kept and one in inside)


def own_text_of(element: Element) -> str:
    """Its text up to the first script in it: a selector reads on, and would read that, too."""
    pieces = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node.tag in UNSEEN:
            break
        text = node.text if event == "start" else node.tail if node is not element else None
        pieces.append(text or "")
    return "".join(pieces)


def in_quotes(text: str) -> str:
    """As a selector has it: marks of the other kind, where there are some in it."""
    return f"'{text}'" if '"' in text and not any(mark in text for mark in "'\\\n") else quoted(text)
