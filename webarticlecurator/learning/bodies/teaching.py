"""From pages of which the text is known to rules that give it: where it stands, what in it is none, what is left out and should not be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL, Lookup
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.page_words import PageWords, agreement, found_in, page_words, usual_block
from webarticlecurator.learning.bodies.reading import Draft, Reader, Reading
from webarticlecurator.learning.element_selectors import named_selectors, selected, selectors_of
from webarticlecurator.model.article import HOLDS, Block, Content, ContentNode, plain_text
from webarticlecurator.selectors import quoted
from webarticlecurator.text import element_text, squeeze

MOST_TAUGHT = 8
"""Pages with a known text that rules are tried on."""
_MOST_OTHERS = 12
"""Pages without, on which it is looked what the rules would do."""
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
_OF_TEXT = frozenset(("blockquote", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"))
"""What texts are made of: without a name of its own, one such element says nothing of others."""


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A page of which the text is known."""

    reading: Reading
    words: tuple[str, ...]
    """Of the known text."""
    captions: bool = True
    """Whether captions are among it: where none is, nothing is learned of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Rules that known pages taught."""

    draft: Draft = field(default_factory=Draft)
    after: float = 0.0
    """How near the text of the known pages is to what is known, with the rules."""
    reasons: dict[str, str] = field(default_factory=dict)
    """By selector: what it brought."""


@dataclass(slots=True)
class _WordsOfPage:
    """The words of a known page by rules as they are so far: how many of some kind stand in each element, with all inside it."""

    page: PageWords
    known: list[int]
    """That should be there."""
    good: list[int]
    """That are kept, and should be."""
    bad: list[int]
    """That are kept, and should not be."""
    lost: list[int]
    """That should be there, and are not kept."""
    strange: list[int]
    """That should not be there."""


class Teacher:
    """Tries rules on known pages, and looks what they do to others."""

    def __init__(self, reader: Reader, known: Sequence[Taught], others: Sequence[Reading]) -> None:
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
            texts = ((_text(self._reader.read(page.reading.page, portal), page.captions), page.words) for page in self._taught)
            self._scores[draft] = round(fmean(agreement(text, words) for text, words in texts), 4)
        return self._scores[draft]

    # --- where the text is ---

    def _learn_place(self) -> None:
        """The nearest element around the known texts by which the finder gives more of them, where the others bear it."""
        names = dict.fromkeys(name for page in self._taught for name in self._names_around(page))
        drafts = sorted((replace(self._draft, within=name) for name in names), key=lambda draft: (-self._score(draft), draft.within))
        now = self._score(self._draft)
        better = (draft for draft in drafts if self._score(draft) >= now + _GAIN and self._leaves_others(draft))
        if (draft := next(better, None)) is not None:
            self._draft = draft
            self._reasons[draft.within] = _gained(now, self._score(draft))

    def _names_around(self, taught: Taught) -> Iterator[str]:
        """Of the elements that hold most of a known text, from the innermost one out; names by which a page's first is this one."""
        page = page_words(taught.reading, Lookup(self._draft.applied(self._reader.portal).body.tags))
        known = page.sums(found_in(page.words, taught.words))
        most = [row for row, count in enumerate(known) if count >= _MOST_OF_TEXT * known[0] > 0 and page.elements[row].tag in _PLACES]
        rows = [row for row in page.above(most[-1]) if page.elements[row].tag in _PLACES][:_LEVELS] if most else []
        for element in (page.elements[row] for row in rows):
            names = selectors_of(element)[:_NAMES]
            yield from (name for name in names if next(iter(selected(name, page.elements[0])), None) is element)

    def _leaves_others(self, draft: Draft) -> bool:
        portal = draft.applied(self._reader.portal)
        same = []
        for other in self._others:
            read = self._reader.read(other.page, portal)
            if other.is_article:
                same.append(agreement(_text(read), _text(other)))
        return not same or fmean(same) >= _STILL_THE_SAME

    # --- what is none, and what should not be left out ---

    def _try(self, operation: str, names: Sequence[str]) -> None:
        for name in names[: self._tries]:
            now, draft = self._score(self._draft), self._draft.with_tag(operation, name)
            score = self._score(draft)
            if score >= now + _GAIN and self._takes_little(draft):
                self._draft = draft
                self._reasons[name] = _gained(now, score)

    def _takes_little(self, draft: Draft) -> bool:
        """Whether the last rule of a draft leaves other pages their text, as far as it leaves it to those that taught it."""
        here = self._taken(draft, [page.reading for page in self._taught])
        allowed = min(_MOST_AT_ALL, max(_MOST_OF_OTHERS, _TIMES * fmean(here or [0.0])))
        shares = self._taken(draft, self._others)
        return not shares or (fmean(shares) <= allowed and max(shares) <= 2 * allowed)

    def _taken(self, draft: Draft, readings: Sequence[Reading]) -> list[float]:
        """Of each page the share of its words that the last rule takes away."""
        portal, without = draft.applied(self._reader.portal), replace(draft, tags=draft.tags[:-1]).applied(self._reader.portal)
        lengths = [tuple(len(_text(self._reader.read(each.page, rules))) for rules in (without, portal)) for each in readings]
        return [1 - after / before for before, after in lengths if before]

    def _words(self) -> Iterator[_WordsOfPage]:
        """Of each known page, as it is read now."""
        portal = self._draft.applied(self._reader.portal)
        for taught in self._taught:
            page = page_words(self._reader.read(taught.reading.page, portal), Lookup(portal.body.tags))
            pairs = list(zip(page.kept_words, found_in(page.words, taught.words), strict=True))
            yield _WordsOfPage(
                page,
                known=page.sums(right for _, right in pairs),
                good=page.sums(kept and right for kept, right in pairs),
                bad=page.sums(kept and not right for kept, right in pairs),
                lost=page.sums(right and not kept for kept, right in pairs),
                strange=page.sums(not right for _, right in pairs),
            )

    def _unwanted(self) -> list[str]:
        """Names of what is kept and not known, those that take away most first."""
        weights, counts = defaultdict[str, float](float), Counter[str]()
        for words in self._words():
            for row, element in enumerate(words.page.elements):
                if words.page.kept[row] and (words.bad[row] or words.good[row]):
                    for name in filter(_tells, named_selectors(element, 1)):
                        weights[name] += words.bad[row] - _PRICE * words.good[row]
                        counts[name] += 1
        wanted = [name for name, weight in weights.items() if weight > 0 and (counts[name] > 1 or not _is_bare(name))]
        return sorted(wanted, key=lambda name: (-weights[name], " " in name, "#" in name, len(name), name))

    def _repeated_texts(self) -> list[str]:
        """What elements without a name say on a known page that should not, and on another one, too: they are known by that."""
        trees = [other.page.tree for other in self._others if other.page.tree is not None]
        said = {squeeze(element_text(element)) for tree in trees for element in tree.iter(*BLOCK_LEVEL)}
        names: dict[str, None] = {}
        for words in self._words():
            for row, element in enumerate(words.page.elements):
                if words.bad[row] < _FEWEST_SAID or words.known[row] or element.tag not in BLOCK_LEVEL or selectors_of(element):
                    continue
                text = squeeze(element_text(element))
                if text in said:
                    shown = text if len(text) <= _LONGEST_SAID else text[:_LONGEST_SAID].rpartition(" ")[0]
                    names[f"{element.tag}:contains({quoted(shown)})"] = None
        return list(names)

    def _missing(self) -> dict[str, list[str]]:
        """By what they would become: names of what is left out in the midst of the text, and known."""
        weights: defaultdict[tuple[str, str], float] = defaultdict(float)
        for words in self._words():
            page = words.page
            for row, element in enumerate(page.elements):
                above = page.parents[row]
                if words.lost[row] > 1 and not page.kept[row] and above >= 0 and page.kept[above]:
                    for name in filter(_tells, named_selectors(element, 1)):
                        weights[usual_block(element), name] += words.lost[row] - words.strange[row]
        names: dict[str, list[str]] = {}
        for operation, name in sorted(weights, key=lambda pair: (-weights[pair], pair)):
            if weights[operation, name] > 0:
                names.setdefault(operation, []).append(name)
        return names


def taught(reading: Reading, text: str) -> Taught:
    """A page with its known text."""
    words = words_of(text)
    captions = [words_of(plain_text(one)) for one in _captions_in(reading.article.blocks)]
    told = sum(sum(found_in(one, words)) for one in captions)
    return Taught(reading, tuple(words), 2 * told >= sum(map(len, captions)))


def _text(reading: Reading, captions: bool = True) -> list[str]:
    if captions:
        return words_of(reading.article.text)
    blocks = [*reading.article.blocks, *(block for post in reading.article.own_posts for block in post.blocks)]
    return words_of("\n".join(map(plain_text, _without_captions(blocks))))


def _captions_in(nodes: Sequence[ContentNode]) -> Iterator[Block]:
    for node in nodes:
        if isinstance(node, Block):
            yield from (node,) if node.type == "caption" else _captions_in(node.children)


def _without_captions(nodes: Sequence[ContentNode]) -> Iterator[ContentNode]:
    for node in nodes:
        if isinstance(node, Block) and HOLDS[node.type] is not Content.INLINES:
            yield from _without_captions(node.children)
        elif not isinstance(node, Block) or node.type != "caption":
            yield node


def _gained(before: float, after: float) -> str:
    return f"with it {after:.1%} of the text of corrected pages is as it should be, without it {before:.1%}"


def _tells(selector: str) -> bool:
    """Whether it says more than a tag."""
    return not selector.isalpha()


def _is_bare(selector: str) -> bool:
    return selector.rpartition(" > ")[2] in _OF_TEXT
