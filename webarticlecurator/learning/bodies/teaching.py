"""From pages of which the text is known to rules that give it: where it stands, what in it is none, what is left out and should not be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import NamedTuple

from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.labelling.truth import words_found, words_of
from webarticlecurator.learning.bodies.reading import BodyReading, Draft, Reader
from webarticlecurator.learning.element_selectors import HEADINGS, named_selectors, selected, selectors_of
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import quoted
from webarticlecurator.text import element_text, squeeze

MOST_TAUGHT = 8
"""Pages with a known text that rules are tried on."""
_MOST_OTHERS = 12
"""Pages without, on which it is looked what the rules would do."""
_MOST_WORDS = 60_000
"""Of one page that are looked at."""
_MOST_OF_TEXT = 0.9
"""Share of the known text from which an element holds it."""
_LEVELS, _NAMES = 5, 6
"""Elements around the innermost one that are tried as the place of the text, and names of each."""
_MOST_TRIES, _MOST_WORK = 40, 1_000_000
"""Rules of one kind that are tried, and elements of the known pages that are read for it together."""
_GAIN = 0.003
"""By how much the text of the known pages has to be nearer to what it should be."""
_STILL_THE_SAME = 0.85
"""How much of the text of other pages a place must leave as it was found without it."""
_MOST_OF_OTHERS, _TIMES, _MOST_AT_ALL = 0.1, 3, 0.3
"""Share of the words of other pages that a rule learned elsewhere may take away; or so many times what it takes there; up to a bound."""
_PRICE = 2.5
"""What a word of the article weighs against one that is not."""
_FEWEST_SAID, _LONGEST_SAID = 8, 80
"""Words of a text by which an element without a name is known, and characters of it that a rule holds."""
_PLACES = frozenset(("article", "center", "div", "main", "section", "td"))
"""What may hold an article."""
_OF_TEXT = frozenset(("blockquote", *HEADINGS[1:], "ol", "p", "pre", "table", "ul"))
"""What texts are made of: without a name of its own, one such element says nothing of others."""
_USUAL_BLOCKS: Mapping[str, str] = dict.fromkeys(HEADINGS, "heading") | {
    "p": "paragraph",
    "li": "item",
    "ul": "list",
    "ol": "list",
    "blockquote": "quote",
    "table": "table",
    "figcaption": "caption",
}
"""What an element is where it is text; any other is unwrapped."""


def agreement(words: Sequence[str], others: Sequence[str]) -> float:
    """How much two texts are the same: 1 where they have the same words, as often."""
    if not words or not others:
        return float(not words and not others)
    both = (Counter(words) & Counter(others)).total()
    return 2 * both / (len(words) + len(others))


# --- known pages ---


class KnownPage(NamedTuple):
    """A page of which the text is known."""

    reading: BodyReading
    words: list[str]
    """Of the known text."""


def _words_read(reading: BodyReading) -> list[str]:
    """What rules keep of a page."""
    return words_of(reading.article.text)


class _PageWords:
    """The words of a page in their order, each with the element that it stands in."""

    def __init__(self, page: Page) -> None:
        self.elements, self.parents = page.outline.elements, page.outline.parents
        self.words: list[str] = []
        self.rows: list[int] = []
        """The element of each word."""
        for text, row in zip(page.outline.strings, page.outline.owners, strict=True):
            words = words_of(text)[: _MOST_WORDS - len(self.words)]
            self.words.extend(words)
            self.rows.extend([row] * len(words))

    def sums(self, wanted: Iterable[bool]) -> list[int]:
        """For each element how many of these words stand in it, with all inside it."""
        counts = [0] * len(self.elements)
        for row, is_wanted in zip(self.rows, wanted, strict=True):
            counts[row] += is_wanted
        for row in range(len(counts) - 1, 0, -1):
            counts[self.parents[row]] += counts[row]
        return counts


class _Counted(NamedTuple):
    """How many words of some kind stand in each element of a known page."""

    page: _PageWords
    good: list[int]
    """That are kept, and should be."""
    bad: list[int]
    """That are kept, and should not be."""
    lost: list[int]
    """That should be there, and are not kept."""
    strange: list[int]
    """That should not be there, kept or not."""


# --- trying rules ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Rules that known pages taught."""

    draft: Draft = field(default_factory=Draft)
    after: float = 0.0
    """How near the text of the known pages is to what is known, with the rules."""
    reasons: dict[str, str] = field(default_factory=dict)
    """By selector: what it brought."""


class Teacher:
    """Tries rules on known pages, and looks what they do to others."""

    def __init__(self, reader: Reader, known: Sequence[KnownPage], others: Sequence[BodyReading]) -> None:
        self._reader = reader
        self._taught = known[:MOST_TAUGHT]
        self._others = others[:: max(1, len(others) // _MOST_OTHERS)][:_MOST_OTHERS]
        self._draft = Draft()
        size = sum(1 for page in self._taught if page.reading.page.tree is not None for _ in page.reading.page.tree.iter())
        self._tries = max(3, min(_MOST_TRIES, _MOST_WORK // max(1, size)))
        self._reasons: dict[str, str] = {}
        self._scores: dict[Draft, float] = {}

    def lesson(self) -> Lesson:
        """The best rules that were found; none where they bring nothing."""
        if self._reader.portal.body.root is None:  # a root would go before it
            self._learn_place()
        for operation, names in self._missing().items():
            self._try(operation, names)
        self._try("decompose", self._unwanted())
        self._try("decompose", self._repeated_texts())
        return Lesson(draft=self._draft, after=self._score(self._draft), reasons=self._reasons)

    def _score(self, draft: Draft) -> float:
        if draft not in self._scores:
            portal = draft.applied(self._reader.portal)
            texts = ((_words_read(self._reader.read(page.reading.page, portal)), page.words) for page in self._taught)
            self._scores[draft] = round(fmean(agreement(text, words) for text, words in texts), 4)
        return self._scores[draft]

    def _adopt(self, draft: Draft, rule: str) -> None:
        before, after = (f"{self._score(tried):.1%}" for tried in (self._draft, draft))
        self._reasons[rule] = f"with it {after} of the text of corrected pages is as it should be, without it {before}"
        self._draft = draft

    # --- where the text is ---

    def _learn_place(self) -> None:
        """The nearest element around the known texts by which the finder gives more of them, where the others bear it."""
        names = dict.fromkeys(name for page in self._taught for name in _names_around(page))
        drafts = sorted((replace(self._draft, within=name) for name in names), key=lambda draft: (-self._score(draft), draft.within))
        now = self._score(self._draft)
        better = (draft for draft in drafts if self._score(draft) >= now + _GAIN and self._leaves_others(draft))
        if (draft := next(better, None)) is not None:
            self._adopt(draft, draft.within)

    def _leaves_others(self, draft: Draft) -> bool:
        portal = draft.applied(self._reader.portal)
        articles = [other for other in self._others if other.is_article]
        same = [agreement(_words_read(self._reader.read(other.page, portal)), _words_read(other)) for other in articles]
        return not same or fmean(same) >= _STILL_THE_SAME

    # --- what is none, and what should not be left out ---

    def _try(self, operation: str, names: Sequence[str]) -> None:
        for name in names[: self._tries]:
            draft = self._draft.with_tag(operation, name)
            if self._score(draft) >= self._score(self._draft) + _GAIN and self._takes_little(draft):
                self._adopt(draft, name)

    def _takes_little(self, draft: Draft) -> bool:
        """Whether the last rule of a draft leaves other pages their text, as far as it leaves it to those that taught it."""
        here = self._taken(draft, [page.reading for page in self._taught])
        allowed = min(_MOST_AT_ALL, max(_MOST_OF_OTHERS, _TIMES * fmean(here or [0.0])))
        shares = self._taken(draft, self._others)
        return not shares or (fmean(shares) <= allowed and max(shares) <= 2 * allowed)

    def _taken(self, draft: Draft, readings: Sequence[BodyReading]) -> list[float]:
        """Of each page the share of its words that the last rule takes away."""
        portal, without = draft.applied(self._reader.portal), replace(draft, tags=draft.tags[:-1]).applied(self._reader.portal)
        lengths = [tuple(len(_words_read(self._reader.read(each.page, rules))) for rules in (without, portal)) for each in readings]
        return [1 - after / before for before, after in lengths if before]

    def _counted(self) -> Iterator[_Counted]:
        """The words of each known page, as it is read now."""
        portal = self._draft.applied(self._reader.portal)
        for known in self._taught:
            page = _PageWords(known.reading.page)
            read = _words_read(self._reader.read(known.reading.page, portal))
            kept, right = (list(map(bool, words_found(page.words, text))) for text in (read, known.words))
            both = list(zip(kept, right, strict=True))
            yield _Counted(
                page,
                good=page.sums(is_kept and is_right for is_kept, is_right in both),
                bad=page.sums(is_kept and not is_right for is_kept, is_right in both),
                lost=page.sums(is_right and not is_kept for is_kept, is_right in both),
                strange=page.sums(not is_right for is_right in right),
            )

    def _unwanted(self) -> list[str]:
        """Names of what is kept and not known, those that take away most first."""
        weights, counts = defaultdict[str, float](float), Counter[str]()
        for page, good, bad, *_ in self._counted():
            for row, element in enumerate(page.elements):
                for name in filter(_tells, named_selectors(element, 1)) if bad[row] or good[row] else ():
                    weights[name] += bad[row] - _PRICE * good[row]
                    counts[name] += 1
        wanted = [name for name, weight in weights.items() if weight > 0 and (counts[name] > 1 or not _is_bare(name))]
        return sorted(wanted, key=lambda name: (-weights[name], " " in name, "#" in name, len(name), name))

    def _repeated_texts(self) -> list[str]:
        """What elements without a name say on a known page that should not, and on another one, too: they are known by that."""
        trees = [other.page.tree for other in self._others if other.page.tree is not None]
        said = {squeeze(element_text(element)) for tree in trees for element in tree.iter(*BLOCK_LEVEL)}
        names: dict[str, None] = {}
        for page, good, bad, lost, _ in self._counted():
            for row, element in enumerate(page.elements):
                if bad[row] < _FEWEST_SAID or good[row] + lost[row] or element.tag not in BLOCK_LEVEL or selectors_of(element):
                    continue
                text = squeeze(element_text(element))
                if text in said:
                    shown = text if len(text) <= _LONGEST_SAID else text[:_LONGEST_SAID].rpartition(" ")[0]
                    names[f"{element.tag}:contains({quoted(shown)})"] = None
        return list(names)

    def _missing(self) -> dict[str, list[str]]:
        """By what they would become: names of what is left out in the midst of the text, and known."""
        weights: defaultdict[tuple[str, str], float] = defaultdict(float)
        for page, good, bad, lost, strange in self._counted():
            for row, element in enumerate(page.elements):
                above = page.parents[row]
                is_left_out = above >= 0 and not good[row] + bad[row] and good[above] + bad[above] > 0
                for name in filter(_tells, named_selectors(element, 1)) if is_left_out and lost[row] > 1 else ():
                    weights[_USUAL_BLOCKS.get(element.tag, "unwrap"), name] += lost[row] - strange[row]
        names: dict[str, list[str]] = {}
        for operation, name in sorted(weights, key=lambda pair: (-weights[pair], pair)):
            if weights[operation, name] > 0:
                names.setdefault(operation, []).append(name)
        return names


def _names_around(known: KnownPage) -> Iterator[str]:
    """Of the elements that hold most of a known text, from the innermost one out; names by which a page's first is this one."""
    page = _PageWords(known.reading.page)
    counts = page.sums(map(bool, words_found(page.words, known.words)))
    holding = [row for row, count in enumerate(counts) if count >= _MOST_OF_TEXT * counts[0] > 0 and page.elements[row].tag in _PLACES]
    around = [holding[-1]] if holding else []
    while around and (above := page.parents[around[-1]]) >= 0:
        around.append(above)
    for element in [page.elements[row] for row in around if page.elements[row].tag in _PLACES][:_LEVELS]:
        names = selectors_of(element)[:_NAMES]
        yield from (name for name in names if next(iter(selected(name, page.elements[0])), None) is element)


def _tells(selector: str) -> bool:
    """Whether it says more than a tag."""
    return not selector.isalpha()


def _is_bare(selector: str) -> bool:
    return selector.rpartition(" > ")[2] in _OF_TEXT
