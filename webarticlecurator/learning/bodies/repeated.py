"""What several pages say in the same words, in elements with a name that hold nothing else: the site's, not the article's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.extraction.body.general_table import VOID_MEDIA
from webarticlecurator.learning.bodies.page_words import PageWords
from webarticlecurator.learning.element_selectors import HEADINGS, selectors_of
from webarticlecurator.text import element_text, squeeze

_SHARE_OF_PAGES, _SHARE_AMID_TEXT = 0.15, 0.4
"""Share of the pages from which a text is the site's; from which it is so even where it stands amid the text of articles."""
_FEWEST_PAGES = 2
_SAME_PAGE = 0.5
"""Share of a page's kept words that stand on another one, too, from which the two are one article."""
_PURE = 0.9
"""Share of what stands in the elements of a selector that has to be repeated."""
_MOST_OF_PAGE = 0.3
"""Share of the kept words of a page that no rule may take away."""
_PRICE = 2.5
"""What a word of the article weighs against one that is not."""
_LONG = 8
"""Words of a text that hardly two authors write."""
_MOST_RULES = 25
_LONGEST_SHOWN = 80

Place = tuple[int, int]
"""A page, and the row of one of its elements."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A selector whose elements say the same on several pages."""

    selector: str
    pages: int
    """On which they say one of these texts."""
    text: str
    """That which most pages have."""


def repeated_elements(pages: Sequence[PageWords]) -> list[Repeated]:
    """The selectors that should be left out, those that take away most first."""
    repeats = _Repeats(pages)
    found: list[Repeated] = []
    for name in repeats.ranked():
        if len(found) < _MOST_RULES and (one := repeats.taken(name)) is not None:
            found.append(one)
    return found


class _Repeats:
    """Named elements of what is kept, with how many words in them other pages say, too, and how many not."""

    def __init__(self, pages: Sequence[PageWords]) -> None:
        self._pages = pages
        self._marks = _repeated_words(pages)
        self._own = [
            [kept and not mark for kept, mark in zip(page.kept_words, marks, strict=True)]
            for page, marks in zip(pages, self._marks, strict=True)
        ]
        self._bad = [page.sums(marks) for page, marks in zip(pages, self._marks, strict=True)]
        self._good = [page.sums(own) for page, own in zip(pages, self._own, strict=True)]
        self._ends = [page.ends() for page in pages]
        self._places = self._named_places()
        self._over: set[Place] = set()
        """What is in an element that is left out, and what is around it."""

    def ranked(self) -> list[str]:
        """The names of what is repeated and nothing else, those by which most goes first."""
        weights = {name: self._weight(places) for name, places in self._places.items() if self._is_pure(places)}
        return sorted(weights, key=lambda name: (weights[name], " " in name, "#" in name, len(name), name))

    def taken(self, name: str) -> Repeated | None:
        """Leave out what it stands for; None where that is gone, or where an article may say it: headings, labels, what few repeat."""
        left = [place for place in self._places[name] if place not in self._over and self._bad[place[0]][place[1]]]
        said = {(number, squeeze(element_text(self._pages[number].elements[row]))) for number, row in left}
        on = len({number for number, _ in said})
        if on < _FEWEST_PAGES:
            return None
        texts = Counter(text for _, text in said)
        text = min(texts, key=lambda one: (-texts[one], one))
        is_heading = any(self._pages[number].elements[row].tag in HEADINGS for number, row in left)
        amid = 2 * sum(self._is_amid_text(place) for place in left) > len(left)
        if is_heading or len(text.split()) < _LONG or (amid and on < _SHARE_AMID_TEXT * len(self._pages)):
            return None
        for number, row in left:
            around = self._pages[number].above(row)
            self._over.update((number, one) for one in (*around, *range(row, self._ends[number][row])))
        return Repeated(name, on, text[:_LONGEST_SHOWN])

    def _named_places(self) -> dict[str, list[Place]]:
        """By the names of what holds repeated text: all that has them; but for those that stand for a picture without such text."""
        places: defaultdict[str, list[Place]] = defaultdict(list)
        wanted, shown = set[str](), set[str]()
        for number, page in enumerate(self._pages):
            media = page.summed([element.tag in VOID_MEDIA for element in page.elements])
            for row, element in enumerate(page.elements):
                bad = self._bad[number][row]
                if page.kept[row] and (bad or self._good[number][row] or media[row]):
                    names = selectors_of(element)
                    (wanted if bad else shown if media[row] else set()).update(names)
                    for name in names:
                        places[name].append((number, row))
        return {name: self._outermost(found) for name, found in places.items() if name in wanted and name not in shown}

    def _outermost(self, places: Sequence[Place]) -> list[Place]:
        """Without those inside another one."""
        found: list[Place] = []
        for number, row in places:
            if not found or number != found[-1][0] or row >= self._ends[number][found[-1][1]]:
                found.append((number, row))
        return found

    def _is_pure(self, places: Sequence[Place]) -> bool:
        on = Counter[int]()
        for number, row in places:
            on[number] += self._bad[number][row]
        good = sum(self._good[number][row] for number, row in places)
        is_most = any(count > _MOST_OF_PAGE * (self._bad[number][0] + self._good[number][0]) for number, count in on.items())
        return on.total() >= _PURE * (on.total() + good) and not is_most

    def _weight(self, places: Sequence[Place]) -> float:
        return sum(_PRICE * self._good[number][row] - self._bad[number][row] for number, row in places)

    def _is_amid_text(self, place: Place) -> bool:
        """Whether text of the article stands before it and behind it: there the author may have put it."""
        number, row = place
        page, end = self._pages[number], self._ends[number][row]
        inside = [at for at, one in enumerate(page.rows) if row <= one < end]
        others = [at for at, own in enumerate(self._own[number]) if own]
        return bool(inside and others) and others[0] < inside[0] and inside[-1] < others[-1]


def _repeated_words(pages: Sequence[PageWords]) -> list[list[bool]]:
    """For each word of each page whether it is kept, in a line that other pages have, too."""
    lines = [list(_kept_lines(page)) for page in pages]
    unlike = _without_doubles(lines)
    on_pages = Counter(text for number in unlike for text in {text for text, _ in lines[number]})
    fewest = max(_FEWEST_PAGES, round(_SHARE_OF_PAGES * len(pages)))
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
        if page.kept[row] and not page.may_repeat[row]:
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
