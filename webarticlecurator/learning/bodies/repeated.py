"""What is kept on several pages in the same words, and stands in elements that hold nothing else: the site's, not the article's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.names import tells_when
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN, VOID_MEDIA
from webarticlecurator.learning.bodies.page_words import PageWords, usual_block
from webarticlecurator.learning.element_selectors import HEADINGS, selected, selectors_of
from webarticlecurator.selectors.dialect import quoted
from webarticlecurator.text import element_text, squeeze

_SHARE_OF_PAGES, _SHARE_OF_LABEL, _SHARE_OF_SAID = 0.15, 0.4, 0.4
"""Share of the pages from which a text is the site's, from which it is asked whether a heading or some words are, and from which what no
name stands for is surely not a question of an interview that is asked again."""
_FEWEST_PAGES = 2
_SAME_PAGE = 0.5
"""Share of a page's kept words that stand on another one, too, from which the two are one article."""
_PURE = 0.9
"""Share of what stands in the elements of a selector that has to be repeated."""
_MOST_OF_PAGE = 0.3
"""Share of the kept words of a page that no rule may take away."""
_PRICE = 2.5
"""What a word of the article weighs against one that is not."""
_LONG, _ENOUGH_PAGES = 8, 3
"""Words of a text that hardly two authors write; pages on which a shorter one is worth a question."""
_IN_LISTS = frozenset(("dd", "dt", "li", "td", "th"))
_MOST_RULES = 25
_SHORTEST_SAID = 12
"""Characters of a text by which an element is known."""
_MOST_TEXTS = 20
"""Texts without a named element around them for which one is looked for by what it says."""
_MOST_PLACES = 4
"""Of an element that is known by what it says, how many names of the one around it are tried."""
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A selector whose elements say the same on several pages."""

    selector: str
    pages: int
    """On which they say one of these texts."""
    text: str
    """That which most pages have."""
    texts: int
    """How many there are."""
    sure: bool
    """It is a text, and no heading or label, which authors may write again; by what it says alone, or amid other text, only where many
    pages say it."""
    share: float
    """Of all pages; of headings and labels, which are many in one article, those that have this text."""
    kept_as: str
    """What they are in an article that has them."""
    is_label: bool
    """It is a heading, some words, or a part of a list or table without a name: such come again in honest articles."""

    @property
    def is_worth_asking(self) -> bool:
        return self.sure or (self.pages >= _ENOUGH_PAGES and (self.share >= _SHARE_OF_LABEL or not self.is_label))


def repeated_elements(pages: Sequence[PageWords], language: str | None) -> tuple[Repeated, ...]:
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
        selector = index.by_text(*place, language) if len(found) < _MOST_RULES else None
        if selector is not None:
            found.append(index.take(selector, by_text=True))
    return tuple(one for one in found if one.is_worth_asking)


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


class _Index:
    """Selectors of what is kept, with how much of it is repeated."""

    def __init__(self, pages: Sequence[PageWords], marks: Sequence[Sequence[bool]]) -> None:
        self._pages = pages
        self._marks = marks
        self._gone = [[False] * len(page.words) for page in pages]
        self._kept = [page.kept_words for page in pages]
        self._ends = [page.ends() for page in pages]
        self._rows = [{element: row for row, element in enumerate(page.elements) if page.kept[row]} for page in pages]
        self._count()
        self._places = self._named_places()

    def best(self) -> str | None:
        """The selector by which most goes, and nothing else."""
        ranked = [(rank, name) for name in self._places if (rank := self._rank(name)) is not None]
        return min(ranked)[1] if ranked else None

    def take(self, name: str, *, by_text: bool = False) -> Repeated:
        """Leave out what it stands for."""
        places = [(number, row) for number, row in self._places.pop(name) if self._bad[number][row]]
        said = {(number, squeeze(element_text(self._pages[number].elements[row]))) for number, row in places}
        texts = Counter(text for _, text in said)
        text = min(texts, key=lambda one: (-texts[one], one))
        on = len({number for number, _ in said})
        tags = {self._pages[number].elements[row].tag for number, row in places}
        blocks = {usual_block(self._pages[number].elements[row]) for number, row in places}
        label = len(text.split()) < _LONG or not tags.isdisjoint(HEADINGS)
        share = (texts[text] if label else on) / len(self._pages)
        amid = 2 * sum(self._is_amid_text(number, row) for number, row in places) > len(places)
        for number in sorted({number for number, _ in places}):
            inside = {one for other, row in places if other == number for one in range(row, self._ends[number][row])}
            self._gone[number] = [gone or row in inside for gone, row in zip(self._gone[number], self._pages[number].rows, strict=True)]
        self._count()
        sure = not label and (share >= _SHARE_OF_SAID or not (by_text or amid))
        in_list = by_text and not tags.isdisjoint(_IN_LISTS)
        return Repeated(
            selector=name,
            pages=on,
            text=text[:_LONGEST_SHOWN],
            texts=len(texts),
            sure=sure,
            share=share,
            kept_as=blocks.pop() if len(blocks) == 1 else "unwrap",
            is_label=label or in_list,
        )

    def _is_amid_text(self, number: int, row: int) -> bool:
        """Whether text of the article stands before it and behind it: there the author may have put it."""
        page, end = self._pages[number], self._ends[number][row]
        own = [place for place, one in enumerate(page.rows) if row <= one < end]
        rest = zip(self._kept[number], self._marks[number], strict=True)
        others = [place for place, (kept, mark) in enumerate(rest) if kept and not mark]
        return bool(own and others) and others[0] < own[0] and own[-1] < others[-1]

    def left(self) -> list[tuple[int, range]]:
        """The first place of each line that no selector stands for, those of most words first."""
        first: dict[tuple[str, ...], tuple[int, range]] = {}
        for number, page in enumerate(self._pages):
            for line in page.each_line():
                if self._marks[number][line.start] and not self._gone[number][line.start]:
                    first.setdefault(tuple(page.words[line.start : line.stop]), (number, line))
        return sorted(first.values(), key=lambda place: (-len(place[1]), place[0], place[1].start))[:_MOST_TEXTS]

    def by_text(self, number: int, line: range, language: str | None) -> str | None:
        """A selector of the element that says it, by what it says; None where that is not all that it stands for, was said before, or
        tells a day, which no other article has."""
        page = self._pages[number]
        row = next((row for row in page.above(page.rows[line.start]) if page.elements[row].tag in BLOCK_LEVEL), 0)
        content = squeeze(own_text_of(page.elements[row]))
        whole = self._bad[number][row] == len(line) and not self._good[number][row]
        if len(content) < _SHORTEST_SAID or self._gone[number][line.start] or not whole or tells_when(content, language):
            return None
        shown = content if len(content) <= _LONGEST_SHOWN else content[:_LONGEST_SHOWN].rpartition(" ")[0]
        says = f"{page.elements[row].tag}:contains({in_quotes(shown)})"
        around = page.elements[row].getparent()
        places = ["", *(f"{name} > " for name in (selectors_of(around) if around is not None else ()))]
        return next((says_there for place in places[:_MOST_PLACES] if self._would_do(says_there := place + says)), None)

    def _would_do(self, selector: str) -> bool:
        """Whether what it matches is what is repeated; then it is one of the selectors from now on."""
        matched = [(number, selected(selector, page.elements[0])) for number, page in enumerate(self._pages) if page.elements]
        places = [(number, row) for number, found in matched for one in found if (row := self._rows[number].get(one)) is not None]
        self._places[selector] = self._outermost(places)
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

    def _named_places(self) -> dict[str, list[tuple[int, int]]]:
        """By the names of what holds repeated text: all that has them; but for those that stand for a picture without such text."""
        places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        wanted, shown = set[str](), set[str]()
        for number, page in enumerate(self._pages):
            media = page.summed([element.tag in VOID_MEDIA for element in page.elements])
            for element, row in self._rows[number].items():
                bad = self._bad[number][row]
                if bad or self._good[number][row] or media[row]:
                    names = selectors_of(element)
                    (wanted if bad else shown if media[row] else set()).update(names)
                    for name in names:
                        places[name].append((number, row))
        return {name: self._outermost(found) for name, found in places.items() if name in wanted and name not in shown}

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

    def _outermost(self, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Without those inside another one."""
        found: list[tuple[int, int]] = []
        for number, row in sorted(places):
            if not found or number != found[-1][0] or row >= self._ends[number][found[-1][1]]:
                found.append((number, row))
        return found


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
