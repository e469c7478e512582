"""From pages of which the text is known to rules that give it: where it stands, what in it is none, what is left out and should not be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.labelling.truth import words_of
from webarticlecurator.learning.bodies.drafts import Draft
from webarticlecurator.learning.bodies.page_words import PageWords, agreement, found_in, page_words, usual_block
from webarticlecurator.learning.bodies.reading import Reader, Reading
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
"""Elements around the innermost one that are tried as root, and names of each."""
_MOST_TRIES, _MOST_WORK = 40, 1_000_000
"""Rules of one kind that are tried, and elements of the known pages that are read for it together."""
_GAIN, _PLACE_GAIN, _ROOT_GAIN = 0.003, 0.003, 0.01
"""By how much the text of the known pages has to be nearer to what it should be; more for a root, which shuts out the general finder."""
_GOOD = 0.98
"""How near it has to be for no root to be looked for."""
_STILL_THE_SAME = 0.85
"""How much of the text of other pages a root must leave as it was found without it."""
_MOST_OF_OTHERS, _TIMES, _MOST_AT_ALL = 0.1, 3, 0.3
"""Share of the words of other pages that a rule learned elsewhere may take away; or so many times what it takes there; up to a bound."""
_PRICE = 2.5
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
    before: float = 0.0
    """How near the text of the known pages was to what is known, without the rules."""
    after: float = 0.0
    reasons: dict[str, str] = field(default_factory=dict)
    """By selector: what it brought."""


class Teacher:
    """Tries rules on known pages, and looks what they do to others."""

    def __init__(self, reader: Reader, taught: Sequence[Taught], others: Sequence[Reading], start: Draft | None = None) -> None:
        self._reader = reader
        self._taught = taught[:MOST_TAUGHT]
        self._others = others[:: max(1, len(others) // _MOST_OTHERS)][:_MOST_OTHERS]
        self._draft = start or Draft()
        size = sum(1 for one in self._taught if one.reading.page.tree is not None for _ in one.reading.page.tree.iter())
        self._tries = max(3, min(_MOST_TRIES, _MOST_WORK // max(1, size)))
        self._learned: set[tuple[str, str]] = set()
        self._reasons: dict[str, str] = {}
        self._scores: dict[Draft, float] = {}

    def lesson(self, written: Sequence[Draft] = ()) -> Lesson:
        """The best rules that were found; none where they bring nothing. `written`: what a person wrote for one of the pages."""
        before = self._score(Draft())
        self._forget_needless()
        if not self._take_written(written):
            self._learn_place(self._places_within(), _PLACE_GAIN)
        self._learn_tags()
        if self._score(self._draft) < _GOOD and not self._draft.root:
            self._learn_place(self._roots(), _ROOT_GAIN)
            self._learn_tags()
        self._forget_needless()
        return Lesson(draft=self._draft, before=before, after=self._score(self._draft), reasons=self._reasons)

    def _take_written(self, written: Sequence[Draft]) -> bool:
        """What a person wrote for one page, for all, where the others bear it. False: none says where the text is."""
        for draft in written:
            now, whole = self._score(self._draft), replace(draft, tags=(*self._draft.tags, *draft.tags))
            if self._leaves_others(whole) and self._score(whole) >= now:
                self._draft = whole
                self._reasons.update(dict.fromkeys((*draft.place, *(css for _, css in draft.tags)), _gained(now, self._score(whole))))
        return self._draft.has_place

    def _score(self, draft: Draft) -> float:
        found = self._scores.get(draft)
        if found is None:
            portal = draft.applied(self._reader.portal)
            found = fmean(agreement(_text(self._reader.read(one.reading.page, portal), one.captions), one.words) for one in self._taught)
            self._scores[draft] = found = round(found, 4)
        return found

    def _learn_tags(self) -> None:
        for operation, names in self._missing().items():
            self._try(operation, names)
        self._try("decompose", self._unwanted())
        self._try("decompose", self._repeated_texts())

    # --- where the text is ---

    def _learn_place(self, drafts: Iterable[Draft], gain: float) -> None:
        now = self._score(self._draft)
        ranked = sorted((-self._score(draft), draft.selectors, draft.plain_text, draft) for draft in drafts)
        for negative, _, _, draft in ranked:
            if -negative < now + gain:
                return
            if self._leaves_others(draft):
                self._draft = draft
                self._reasons.update(dict.fromkeys(draft.place, _gained(now, -negative)))
                return

    def _places_within(self) -> list[Draft]:
        """None where the portal has a root, which would go before it."""
        names = self._names() if self._reader.portal.body.root is None else ()
        return [replace(self._draft, within=(name,)) for name in names]

    def _roots(self) -> list[Draft]:
        names = self._names()
        parts = [(other, name) for name in names[:_NAMES] for other in self._parts_outside(name)]
        alone = [replace(self._draft, root=(name,), within=()) for name in names]
        return [*alone, *(replace(self._draft, parts=both, within=()) for both in parts)]

    def _names(self) -> list[str]:
        """Of what holds the known texts."""
        names: dict[str, None] = {}
        for one in self._taught:
            page = self._words(one.reading)
            names.update(dict.fromkeys(name for row in _holders(page, one.words) for name in _first_of_page(page, row)))
        return list(names)

    def _parts_outside(self, root: str) -> list[str]:
        """Names of what holds known text before the root: a lead."""
        found: Counter[str] = Counter()
        for one in self._taught:
            page = self._words(one.reading)
            known = page.sums(found_in(page.words, one.words))
            total = page.sums([True] * len(page.words))
            inside = frozenset(selected(root, one.reading.page.tree))
            around = {above for element in inside for above in element.iterancestors()}
            for row, element in enumerate(page.elements):
                elsewhere = element not in around and not any(page.elements[above] in inside for above in page.above(row))
                if known[row] > 2 and known[row] >= _MOST_OF_TEXT * total[row] and elsewhere:
                    found.update(dict.fromkeys(named_selectors(element), known[row]))
        return sorted(found, key=lambda name: (-found[name], len(name), name))[:_NAMES]

    def _leaves_others(self, draft: Draft) -> bool:
        portal = draft.applied(self._reader.portal)
        same = []
        for one in self._others:
            read = self._reader.read(one.page, portal)
            if one.is_article and (draft.within or read.container is not None):
                same.append(agreement(_text(read), _text(one)))
        return not same or fmean(same) >= _STILL_THE_SAME

    # --- what is none, and what should not be left out ---

    def _try(self, operation: str, names: Sequence[str]) -> None:
        for name in names[: self._tries]:
            now, draft = self._score(self._draft), self._draft.with_tag(operation, name)
            score = self._score(draft)
            if score >= now + _GAIN and self._takes_little(draft):
                self._draft = draft
                self._learned.add((operation, name))
                self._reasons[name] = _gained(now, score)

    def _takes_little(self, draft: Draft) -> bool:
        """Whether the last rule of a draft leaves other pages their text, as far as it leaves it to those that taught it."""
        here = self._taken(draft, [one.reading for one in self._taught])
        allowed = min(_MOST_AT_ALL, max(_MOST_OF_OTHERS, _TIMES * fmean(here or [0.0])))
        shares = self._taken(draft, self._others)
        return not shares or (fmean(shares) <= allowed and max(shares) <= 2 * allowed)

    def _taken(self, draft: Draft, readings: Sequence[Reading]) -> list[float]:
        """Of each page the share of its words that the last rule takes away."""
        portal, without = draft.applied(self._reader.portal), replace(draft, tags=draft.tags[:-1]).applied(self._reader.portal)
        lengths = [tuple(len(_text(self._reader.read(one.page, rules))) for rules in (without, portal)) for one in readings]
        return [1 - after / before for before, after in lengths if before]

    def _unwanted(self) -> list[str]:
        """Names of what is kept and not known, those that take away most first."""
        weights, counts = defaultdict[str, float](float), Counter[str]()
        for one in self._taught:
            page = self._words(self._reader.read(one.reading.page, self._draft.applied(self._reader.portal)))
            known, kept = found_in(page.words, one.words), page.kept_words
            good = page.sums([here and right for here, right in zip(kept, known, strict=True)])
            bad = page.sums([here and not right for here, right in zip(kept, known, strict=True)])
            for row, element in enumerate(page.elements):
                if page.kept[row] and (bad[row] or good[row]):
                    for name in filter(_tells, named_selectors(element, 1)):
                        weights[name] += bad[row] - _PRICE * good[row]
                        counts[name] += 1
        wanted = [name for name, weight in weights.items() if weight > 0 and (counts[name] > 1 or not _is_bare(name))]
        return sorted(wanted, key=lambda name: (-weights[name], " " in name, "#" in name, len(name), name))

    def _repeated_texts(self) -> list[str]:
        """What elements without a name say on a known page that should not, and on another one, too: they are known by that."""
        trees = [one.page.tree for one in self._others if one.page.tree is not None]
        said = {squeeze(element_text(element)) for tree in trees for element in tree.iter(*BLOCK_LEVEL)}
        found: dict[str, None] = {}
        for one in self._taught:
            page = self._words(self._reader.read(one.reading.page, self._draft.applied(self._reader.portal)))
            known, kept = found_in(page.words, one.words), page.kept_words
            bad = page.sums([here and not right for here, right in zip(kept, known, strict=True)])
            good = page.sums(known)
            for row, element in enumerate(page.elements):
                text = squeeze(element_text(element)) if bad[row] >= _FEWEST_SAID and not good[row] and element.tag in BLOCK_LEVEL else ""
                if text in said and not selectors_of(element):
                    shown = text if len(text) <= _LONGEST_SAID else text[:_LONGEST_SAID].rpartition(" ")[0]
                    found[f"{element.tag}:contains({quoted(shown)})"] = None
        return list(found)

    def _missing(self) -> dict[str, list[str]]:
        """By what they would become: names of what is left out in the midst of the text, and known."""
        weights: defaultdict[tuple[str, str], float] = defaultdict(float)
        for one in self._taught:
            page = self._words(self._reader.read(one.reading.page, self._draft.applied(self._reader.portal)))
            known, kept = found_in(page.words, one.words), page.kept_words
            lost = page.sums([right and not here for here, right in zip(kept, known, strict=True)])
            other = page.sums([not right for right in known])
            for row, element in enumerate(page.elements):
                above = page.parents[row]
                if lost[row] > 1 and not page.kept[row] and above >= 0 and page.kept[above]:
                    for name in filter(_tells, named_selectors(element, 1)):
                        weights[usual_block(element), name] += lost[row] - other[row]
        found: dict[str, list[str]] = {}
        for operation, name in sorted(weights, key=lambda pair: (-weights[pair], pair)):
            if weights[operation, name] > 0:
                found.setdefault(operation, []).append(name)
        return found

    def _forget_needless(self) -> None:
        """Rules that bring nothing any more, since later ones do their work."""
        for tag in self._draft.tags:
            shorter = replace(self._draft, tags=tuple(one for one in self._draft.tags if one != tag))
            gain = self._score(self._draft) - self._score(shorter)
            if gain < 0 or (not gain and tag in self._learned):
                self._draft = shorter

    def _words(self, reading: Reading) -> PageWords:
        return page_words(reading, Lookup(self._draft.applied(self._reader.portal).body.tags))


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


def _holders(page: PageWords, text: Sequence[str]) -> list[int]:
    """The elements that hold most of a known text, from the innermost one out."""
    known = page.sums(found_in(page.words, text))
    most = [row for row, count in enumerate(known) if count >= _MOST_OF_TEXT * known[0] > 0 and page.elements[row].tag in _PLACES]
    return [row for row in page.above(most[-1]) if page.elements[row].tag in _PLACES][:_LEVELS] if most else []


def _first_of_page(page: PageWords, row: int) -> list[str]:
    """The names of an element by which a page's first is this one."""
    element, tree = page.elements[row], page.elements[0]
    names = selectors_of(element)[:_NAMES]
    return [name for name in names if next(iter(selected(name, tree)), None) is element]
