"""Rules for bodies that a correction teaches: where the known text of a page stands, and what in it is
none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.expectations import HASH, Expectation, normal
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.labelling.page_words import PageWords
from webarticlecurator.labelling.text_blocks import words_found, words_of
from webarticlecurator.learning.element_selectors import selected, selectors_of
from webarticlecurator.model.article import Article, Block, ContentNode
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Proposal
from webarticlecurator.selectors import Selector

_MOST_TAUGHT = 8
"""Pages with a known text that rules are tried on."""
_MOST_OTHERS = 12
"""Pages without, on which it is looked what the rules would do."""
_MOST_TRIED = 24
"""Names of what should not be there."""
_GAIN = 0.003
"""By how much the text of the known pages has to be nearer to what it should be."""
_MOST_TAKEN = 0.1
"""The share of the words of other pages that a rule may take away."""
_WEIGHTS = {(True, False): 1.0, (True, True): -2.5, (False, False): 0.0, (False, True): 0.0}
"""A word is kept, and it should be there -> what it counts for a rule that takes it away: one of the article
weighs more."""
_PLACES = frozenset(("article", "center", "div", "main", "section", "td"))
"""Elements that may hold an article."""


def find_bodies(
    pages: Sequence[Page],
    truths: Mapping[str, Expectation | str],
    *,
    portal: Portal,
    listings: Mapping[str, Fields] | None = None,
) -> Learned:
    """The rules under which the texts of corrected pages are nearer to what they should be.

    `truths`: what a person said of some pages, by URL: all of the text, or what is expected of it;
    `listings`: what archive pages said.
    """
    if not truths:
        return Learned()
    teacher = Teacher(portal, listings or {})
    known, others, in_layouts = dict[Page, list[str]](), list[Page](), 0
    for page in pages:
        read = teacher.read(page)
        if read.layout is not None:
            in_layouts += page.requested_url in truths
        elif page.requested_url in truths:
            known[page] = words_of(known_text(truths[page.requested_url], read))
        elif read.outcome is PageOutcome.ARTICLE:
            others.append(page)
    remarks = []
    if in_layouts:
        fall = amount(in_layouts, "corrected page falls", "corrected pages fall")
        remarks.append(f"{fall} under layouts of the portal file; nothing is learned of them.")
    taught = dict([(page, words) for page, words in known.items() if words][:_MOST_TAUGHT])
    draft = (
        teacher.teach(taught, others[:: max(1, len(others) // _MOST_OTHERS)][:_MOST_OTHERS])
        if taught
        else Draft()
    )
    return Learned(proposals=tuple(_proposals(teacher, draft, len(taught))), remarks=tuple(remarks))


def _proposals(teacher: Teacher, draft: Draft, pages: int) -> Iterator[Proposal]:
    """`body.within`, and `body.tags.decompose`."""
    if css := draft.within:
        yield Proposal.at(
            ("body", "within"), [Choice(value=css, reason=teacher.reasons[css], score=teacher.score(draft))]
        )
    if draft.without:
        reason = (
            f"{amount(pages, 'corrected page')} taught these: now {teacher.score(draft):.1%} of the text is "
            "as it should be"
        )
        samples = tuple(f"{css}: {teacher.reasons[css]}" for css in draft.without[:5])
        yield Proposal.at(
            ("body", "tags", "decompose"),
            [Choice(value=list(draft.without), reason=reason, samples=samples, score=1.0)],
        )


class Teacher:
    """Tries rules on known pages, and looks what they do to others."""

    def __init__(self, portal: Portal, listings: Mapping[str, Fields]) -> None:
        self._portal, self._listings = portal, listings
        self.reasons: dict[str, str] = {}
        """By selector: what it brought."""
        self._taught: Mapping[Page, list[str]] = {}
        """Pages of which the text is known, with its words."""
        self._others: Sequence[Page] = ()
        self._scores: dict[Draft, float] = {}

    def read(self, page: Page, draft: Draft | None = None) -> Article:
        """Return what the rules make of it, also rules that nobody has written yet; each time with as much
        time as they have for one page."""
        url, fresh = page.requested_url, replace(page, budget=Budget())
        listing, portal = self._listings.get(url, {}), draft.applied(self._portal) if draft else self._portal
        return read_article([fresh], portal, id="page", identity=url, url=url, listing=listing)

    def _words(self, page: Page, draft: Draft) -> list[str]:
        """Return the words that the rules keep."""
        return words_of(self.read(page, draft).text)

    def teach(self, taught: Mapping[Page, list[str]], others: Sequence[Page]) -> Draft:
        """Find the best rules by the known pages; none where they bring nothing."""
        self._taught, self._others = taught, others
        draft = Draft()
        if self._portal.body.root is None:  # a root would go before it
            names = dict.fromkeys(
                name for page, words in taught.items() for name in _names_around(page, words)
            )
            places = sorted(
                (Draft(within=name) for name in names), key=lambda place: (-self.score(place), place.within)
            )
            for place in places[:1]:
                draft = self._better(draft, place, place.within)
        for name in self._unwanted(draft)[:_MOST_TRIED]:
            draft = self._better(draft, replace(draft, without=(*draft.without, name)), name)
        return draft

    def score(self, draft: Draft) -> float:
        """How near the text of the known pages is to what is known, with these rules."""
        if draft not in self._scores:
            near = [agreement(self._words(page, draft), words) for page, words in self._taught.items()]
            self._scores[draft] = round(fmean(near), 4)
        return self._scores[draft]

    def _better(self, draft: Draft, other: Draft, rule: str) -> Draft:
        """The rules with one more, where the known pages gain by it and the others keep their text; else
        those without."""
        before, after = self.score(draft), self.score(other)
        if after < before + _GAIN or self._taken(draft, other) > _MOST_TAKEN:
            return draft
        self.reasons[rule] = (
            f"with it {after:.1%} of the text of corrected pages is as it should be, without it {before:.1%}"
        )
        return other

    def _taken(self, draft: Draft, other: Draft) -> float:
        """The share of the words of pages that nobody has corrected which other rules take away; a mean."""
        shares = [0.0]
        for page in self._others:
            before, after = Counter(self._words(page, draft)), Counter(self._words(page, other))
            shares.append((before - after).total() / max(1, before.total()))
        return sum(shares) / max(1, len(self._others))

    def _unwanted(self, draft: Draft) -> list[str]:
        """Names of what is kept and not known, those that take away most first."""
        weights = defaultdict[str, float](float)
        for taught, known in self._taught.items():
            page = PageWords(taught.outline)
            kept, right = (words_found(page.words, text) for text in (self._words(taught, draft), known))
            of_words = (
                _WEIGHTS[bool(is_kept), bool(is_right)] for is_kept, is_right in zip(kept, right, strict=True)
            )
            for element, weight in zip(page.elements, page.sums(of_words), strict=True):
                for name in selectors_of(element) if weight else ():
                    weights[name] += weight
        named = [
            name for name, weight in weights.items() if weight > 0 and not name.isalpha()
        ]  # a tag alone says nothing
        return sorted(named, key=lambda name: (-weights[name], "#" in name, len(name), name))


def agreement(words: Sequence[str], others: Sequence[str]) -> float:
    """How much two texts are the same: 1 where they have the same words, as often."""
    whole = len(words) + len(others)
    return 2 * (Counter(words) & Counter(others)).total() / whole if whole else 1.0


def _names_around(known: Page, words: list[str]) -> Iterator[str]:
    """Give names of the elements that hold most of a known text, from the innermost one out, of which the
    page's first element with that name is this one."""
    page = PageWords(known.outline)
    counts = page.sums(float(bool(found)) for found in words_found(page.words, words))
    places = [
        row
        for row, element in enumerate(page.elements)
        if element.tag in _PLACES and counts[row] >= 0.9 * counts[0] > 0
    ]
    for element in [page.elements[row] for row in places[-5:]]:
        yield from (
            name for name in selectors_of(element)[:6] if selected(name, page.elements[0])[:1] == [element]
        )


# --- rules that nobody has written yet; and what a person said of a page, as its text ---

_SOURCE = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Rules that nobody has written yet, as they would stand under `body`."""

    within: str = ""
    without: tuple[str, ...] = ()
    """Selectors of elements that `tags.decompose` takes away."""

    def applied(self, portal: Portal) -> Portal:
        """A portal with these rules, and without layouts: what is tried is tried on every page."""
        body = portal.body
        if self.within:
            body = replace(
                body,
                within=Picks(alternatives=(Pick(css=Selector.parse(self.within), source=_SOURCE),)),
                root=None,
            )
        if self.without:
            rules = tuple(
                TagRule(operation="decompose", css=Selector.parse(css), source=_SOURCE)
                for css in self.without
            )
            own = portal.sources[0].path.name if portal.sources else ""
            near, *far = body.tags or (TagLayer(),)
            if near.rules and near.rules[0].source.rpartition(":")[0] != own:
                near, far = TagLayer(), [near, *far]
            body = replace(body, tags=(replace(near, rules=(*near.rules, *rules)), *far))
        return replace(portal, body=body, layouts=())


def truths_in(expectations: Iterable[Expectation]) -> dict[str, Expectation]:
    """Return the expectations of the texts of articles, by URL."""
    articles = (page for page in expectations if page.kind == "article" and page.outcome == "article")
    return {page.url: page for page in articles if page.contains or page.lacks or page.paragraphs is not None}


def known_text(truth: Expectation | str, read: Article) -> str:
    """Return all that is known of a text; where only parts of it are, the rest as it is read. What is told as
    a hash alone teaches nothing."""
    if isinstance(truth, str):
        return truth
    named, unwanted = _in_clear(truth.contains), _in_clear(truth.lacks)
    if _names_all(truth, named, read):
        return "\n".join(named)
    lines = [normal(line) for line in read.text.split("\n")]
    for part in unwanted:
        lines = ["" if line in part else line.replace(part, " ") for line in lines]
    here = words_of(" ".join(lines))
    missing = [part for part in named if sum(words_found(words_of(part), here)) < 0.9 * len(words_of(part))]
    return "\n".join(line for line in [*lines, *missing] if line.strip())


def _in_clear(parts: Iterable[str]) -> list[str]:
    return [normal(part) for part in parts if not part.startswith(HASH)]


def _names_all(truth: Expectation, named: Sequence[str], read: Article) -> bool:
    """Return whether a person named all that there is, which is read otherwise: all paragraphs, or so much of
    what is read."""
    paragraphs, text = _paragraphs(read.blocks), normal(read.text)
    if paragraphs == truth.paragraphs and all(part in text for part in named):
        return False
    words = sum(len(words_of(part)) for part in named)
    return bool(named) and (len(named) == truth.paragraphs or words >= 0.4 * len(words_of(read.text)))


def _paragraphs(blocks: Iterable[ContentNode]) -> int:
    """As many as a test of the page counts: those of posts are theirs."""
    inside = (block for block in blocks if isinstance(block, Block) and block.type != "post")
    return sum((block.type == "paragraph") + _paragraphs(block.children) for block in inside)
