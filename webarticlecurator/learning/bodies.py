"""From pages of articles to rules for their bodies: where the general finder does as well, no rule is proposed.

Pages of which the text is known teach rules that give it: where it stands, and what in it is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean

from webarticlecurator.amounts import amount
from webarticlecurator.budget import Budget
from webarticlecurator.config.expectations import HASH, Expectation, normal
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.labelling.text_blocks import words_found, words_of
from webarticlecurator.learning.element_selectors import named_selectors, selected, selectors_of
from webarticlecurator.model.article import Article, Block, ContentNode
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Choice, Learned, Proposal
from webarticlecurator.selectors import Selector, quoted
from webarticlecurator.text import HEADINGS, squeeze

_MOST_TAUGHT = 8
"""Pages with a known text that rules are tried on."""
_MOST_OTHERS = 12
"""Pages without, on which it is looked what the rules would do."""
_GAIN = 0.003
"""By how much the text of the known pages has to be nearer to what it should be."""
_HARDLY_ANY = 0.01
"""The share of all words that two texts may differ in, and be the same."""
_LONGEST_SAID = 80
"""Characters of a text that a rule holds."""
_PLACES = frozenset(("article", "center", "div", "main", "section", "td"))
"""What may hold an article."""


def find_bodies(
    pages: Sequence[Page], truths: Mapping[str, Expectation | str], *, portal: Portal, listings: Mapping[str, Fields] | None = None
) -> Learned:
    """The rules for the bodies of some first pages of articles that are better than none.

    `truths`: what a person said of some of these pages, by URL: all of the text, or what is expected of it; `listings`: what archive pages
    said of them.
    """
    teacher = Teacher(portal, listings or {})
    read = [(page, teacher.read(page)) for page in sorted(pages, key=lambda page: page.requested_url not in truths)]
    base = [(page, article) for page, article in read if article.layout is None]
    articles = [page for page, article in base if article.outcome is PageOutcome.ARTICLE]
    texts = {page: known_text(truths[page.requested_url], article) for page, article in base if page.requested_url in truths}
    known = {page: words_of(text) for page, text in texts.items() if text}
    if known:
        teacher.teach(known, [page for page in articles if page not in known])
    remarks = []
    if articles and not (truths or teacher.draft.within) and portal.body.root is None:
        remarks.append(_beside_a_rule(teacher, articles))
    if others := len(read) - len(base):
        remarks.append(f"{amount(others, 'page falls', 'pages fall')} under layouts of the portal file; nothing is learned of them.")
    if len(known) > _MOST_TAUGHT:
        remarks.append(f"Of {len(known):,} corrected pages only {_MOST_TAUGHT} were learned from.")
    if truths and not known:
        remarks.append("Nothing of what the file of expectations says could be found on its pages.")
    return Learned(proposals=tuple(_taught(teacher, len(known))), remarks=tuple(remarks))


def _beside_a_rule(teacher: Teacher, pages: Sequence[Page]) -> str:
    """How the texts of the pages differ from what stands where most of them have it, as a person's rule would say."""
    names = Counter(name for page in pages for name in teacher.names_of_body(page))
    name, times = names.most_common(1)[0] if names else ("", 0)
    if 2 * times <= len(pages):
        return "The general finder finds the text as well as a rule would: no name is around it on most pages."
    lost, added, whole, others = 0, 0, 0, list[Page]()
    for page in pages:
        found, by_rule = teacher.words(page), teacher.words(page, Draft(within=name))
        lost_here, added_here = ((one - other).total() for one, other in ((by_rule, found), (found, by_rule)))
        others += [page] if lost_here or added_here else []
        lost, added, whole = lost + lost_here, added + added_here, whole + by_rule.total()
    counted = f"beside `{name}` it has lost {lost:,} and added {added:,} of {amount(whole, 'word')} on {amount(len(pages), 'page')}"
    if lost + added <= _HARDLY_ANY * whole:
        return f"The general finder finds the text as well as a rule would: {counted}; none is proposed for where it stands."
    look = f"look at {others[0].url}: `body: {{within: {name}}}` may be right"
    return f"The general finder finds another text than a rule would: {counted}; {look}."


def _taught(teacher: Teacher, known: int) -> Iterator[Proposal]:
    """`body.within`, and `body.tags.decompose`."""
    draft = teacher.draft
    if css := draft.within:
        yield Proposal.at(("body", "within"), [Choice(value=css, reason=teacher.reasons[css], score=teacher.score(draft))])
    if draft.without:
        reason = f"{amount(known, 'corrected page')} taught these: now {teacher.score(draft):.1%} of the text is as it should be"
        samples = tuple(f"{css}: {teacher.reasons[css]}" for css in draft.without[:5])
        yield Proposal.at(("body", "tags", "decompose"), [Choice(value=list(draft.without), reason=reason, samples=samples, score=1.0)])


def agreement(words: Sequence[str], others: Sequence[str]) -> float:
    """How much two texts are the same: 1 where they have the same words, as often."""
    whole = len(words) + len(others)
    return 2 * (Counter(words) & Counter(others)).total() / whole if whole else 1.0


class _PageWords:
    """The words of a page in their order, each with the element that it stands in."""

    def __init__(self, page: Page) -> None:
        self.outline = page.outline
        self.elements, self.parents = page.outline.elements, page.outline.parents
        self.words: list[str] = []
        self.rows: list[int] = []
        """The element of each word."""
        for text, row in zip(page.outline.strings, page.outline.owners, strict=True):
            words = words_of(text)[: 60_000 - len(self.words)]  # of one page no more are looked at
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


class Teacher:
    """Tries rules on known pages, and looks what they do to others."""

    def __init__(self, portal: Portal, listings: Mapping[str, Fields]) -> None:
        self._portal, self._listings = portal, listings
        self.draft = Draft()
        """The best rules that were found; none where they bring nothing."""
        self.reasons: dict[str, str] = {}
        """By selector: what it brought."""
        self._taught: dict[Page, list[str]] = {}
        """Pages of which the text is known, with its words."""
        self._others: Sequence[Page] = ()
        self._scores: dict[Draft, float] = {}

    def read(self, page: Page, portal: Portal | None = None) -> Article:
        """What the rules make of it, also rules that nobody has written yet; each time with as much time as they have for one page."""
        url, fresh = page.requested_url, replace(page, budget=Budget())
        listing = self._listings.get(url, {})
        return read_article([fresh], portal or self._portal, id="page", identity=url, url=url, listing=listing)

    def _words(self, page: Page, portal: Portal | None = None) -> list[str]:
        """Those that the rules keep."""
        return words_of(self.read(page, portal).text)

    def words(self, page: Page, draft: Draft | None = None) -> Counter[str]:
        """The words of a page's text, by other rules or by those of the portal."""
        return Counter(self._words(page, draft.applied(self._portal) if draft is not None else None))

    def names_of_body(self, page: Page) -> list[str]:
        """Selectors by which the first element that they find on a page is the one that holds its text."""
        readings = list[PageReading]()
        read_article([replace(page, budget=Budget())], self._portal, id="page", identity=page.url, url=page.url, readings=readings)
        roots = [reading.container.root for reading in readings if reading.container is not None]
        names = [(root, name) for root in roots for name in selectors_of(root)[:6]]
        return [name for root, name in names if next(iter(selected(name, page.tree)), None) is root]

    def teach(self, known: Mapping[Page, list[str]], others: Sequence[Page]) -> None:
        """Find rules by the known pages."""
        self._taught = dict(islice(known.items(), _MOST_TAUGHT))
        self._others = others[:: max(1, len(others) // _MOST_OTHERS)][:_MOST_OTHERS]
        if self._portal.body.root is None:  # a root would go before it
            # the nearest element around the known texts by which the finder gives more of them, where the others bear it
            names = dict.fromkeys(name for page, words in self._taught.items() for name in _names_around(page, words))
            drafts = sorted((replace(self.draft, within=name) for name in names), key=lambda draft: (-self.score(draft), draft.within))
            now = self.score(self.draft)
            for draft in (draft for draft in drafts if self.score(draft) >= now + _GAIN):
                portal = draft.applied(self._portal)
                same = [agreement(self._words(other, portal), self._words(other)) for other in self._others]
                if not same or fmean(same) >= 0.85:  # the others bear it
                    self._adopt(draft, draft.within)
                    break
        self._try(self._unwanted())
        self._try(self._repeated_texts())

    def score(self, draft: Draft) -> float:
        """How near the text of the known pages is to what is known, with these rules."""
        if draft not in self._scores:
            portal = draft.applied(self._portal)
            texts = ((self._words(page, portal), words) for page, words in self._taught.items())
            self._scores[draft] = round(fmean(agreement(text, words) for text, words in texts), 4)
        return self._scores[draft]

    def _adopt(self, draft: Draft, rule: str) -> None:
        before, after = (f"{self.score(tried):.1%}" for tried in (self.draft, draft))
        self.reasons[rule] = f"with it {after} of the text of corrected pages is as it should be, without it {before}"
        self.draft = draft

    def _try(self, names: Sequence[str]) -> None:
        """What is called so goes."""
        size = sum(len(page.outline.elements) for page in self._taught)
        for name in names[: max(3, min(40, 1_000_000 // max(1, size)))]:  # fewer, the more there is to read for each
            draft = replace(self.draft, without=(*self.draft.without, name))
            if self.score(draft) < self.score(self.draft) + _GAIN:
                continue
            # it has to leave other pages their text: a tenth of it may go, or what goes on those that taught it three times, up to a bound
            here, shares = self._taken(draft, [*self._taught]), self._taken(draft, self._others)
            allowed = min(0.3, max(0.1, 3 * fmean(here or [0.0])))
            if not shares or (fmean(shares) <= allowed and max(shares) <= 2 * allowed):
                self._adopt(draft, name)

    def _taken(self, draft: Draft, pages: Sequence[Page]) -> list[float]:
        """Of each page the share of its words that the last rule takes away."""
        rules = [tried.applied(self._portal) for tried in (replace(draft, without=draft.without[:-1]), draft)]
        lengths = [tuple(len(self._words(page, portal)) for portal in rules) for page in pages]
        return [1 - after / before for before, after in lengths if before]

    def _counted(self) -> Iterator[tuple[_PageWords, list[int], list[int], list[int]]]:
        """Each known page as it is read now, with how many words stand in each element that are kept and should be, that are kept and
        should not be, and that should be there, kept or not."""
        portal = self.draft.applied(self._portal)
        for taught, words in self._taught.items():
            page, read = _PageWords(taught), self._words(taught, portal)
            kept, right = (list(map(bool, words_found(page.words, text))) for text in (read, words))
            both = list(zip(kept, right, strict=True))
            good, bad = (page.sums(is_kept and is_right is wanted for is_kept, is_right in both) for wanted in (True, False))
            yield page, good, bad, page.sums(right)

    def _unwanted(self) -> list[str]:
        """Names of what is kept and not known, those that take away most first."""
        weights, counts = defaultdict[str, float](float), Counter[str]()
        for page, good, bad, _ in self._counted():
            for row, element in enumerate(page.elements):
                for name in named_selectors(element, 1) if bad[row] or good[row] else ():
                    if name.isalpha():  # a tag alone says nothing
                        continue
                    weights[name] += bad[row] - 2.5 * good[row]  # a word of the article weighs more
                    counts[name] += 1
        # what texts are made of, without a name of its own, says nothing of others if it is there once
        of_text = frozenset(("blockquote", *HEADINGS[1:], "ol", "p", "pre", "table", "ul"))
        several = (name for name in weights if counts[name] > 1 or name.rpartition(" > ")[2] not in of_text)
        wanted = [name for name in several if weights[name] > 0]
        return sorted(wanted, key=lambda name: (-weights[name], " " in name, "#" in name, len(name), name))

    def _repeated_texts(self) -> list[str]:
        """What elements without a name say on a known page that should not, and on another one, too: they are known by that."""
        outlines = [other.outline for other in self._others]
        said = {squeeze(outline.text(row)) for outline in outlines for row in outline.rows(*BLOCK_LEVEL)}
        names: dict[str, None] = {}
        for page, _, bad, right in self._counted():
            for row, element in enumerate(page.elements):
                if bad[row] < 8 or right[row] or element.tag not in BLOCK_LEVEL or selectors_of(element):
                    continue
                text = squeeze(page.outline.text(row))
                if text in said:
                    shown = text if len(text) <= _LONGEST_SAID else text[:_LONGEST_SAID].rpartition(" ")[0]
                    names[f"{element.tag}:contains({quoted(shown)})"] = None
        return list(names)


def _names_around(known: Page, words: list[str]) -> Iterator[str]:
    """Of the elements that hold most of a known text, from the innermost one out; names by which a page's first is this one."""
    page = _PageWords(known)
    counts = page.sums(map(bool, words_found(page.words, words)))
    holding = [row for row, count in enumerate(counts) if count >= 0.9 * counts[0] > 0 and page.elements[row].tag in _PLACES]
    around = [holding[-1]] if holding else []
    while around and (above := page.parents[around[-1]]) >= 0:
        around.append(above)
    for element in [page.elements[row] for row in around if page.elements[row].tag in _PLACES][:5]:
        yield from (name for name in selectors_of(element)[:6] if next(iter(selected(name, page.elements[0])), None) is element)


# --- rules that nobody has written yet; and what a person said of a page, as its text ---

_SOURCE = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands under `body`."""

    within: str = ""
    without: tuple[str, ...] = ()
    """What `tags.decompose` takes away."""

    def applied(self, portal: Portal) -> Portal:
        """A portal with these rules, and without layouts: what is tried is tried on every page."""
        body = portal.body
        if self.within:
            body = replace(body, within=Picks(alternatives=(Pick(css=Selector.parse(self.within), source=_SOURCE),)), root=None)
        if self.without:
            rules = tuple(TagRule(operation="decompose", css=Selector.parse(css), source=_SOURCE) for css in self.without)
            own = portal.sources[0].path.name if portal.sources else ""
            near, *far = body.tags or (TagLayer(),)
            if near.rules and near.rules[0].source.rpartition(":")[0] != own:
                near, far = TagLayer(), [near, *far]
            body = replace(body, tags=(replace(near, rules=(*near.rules, *rules)), *far))
        return replace(portal, body=body, layouts=())


def truths_in(expectations: Iterable[Expectation]) -> dict[str, Expectation]:
    """Those that say something of the texts of articles, by URL."""
    articles = (page for page in expectations if page.kind == "article" and page.outcome == "article")
    return {page.url: page for page in articles if page.contains or page.lacks or page.paragraphs is not None}


def known_text(truth: Expectation | str, read: Article) -> str | None:
    """All that is known; where only parts of the text are, the rest as it is read. None: nothing of it is on the page."""
    if isinstance(truth, str):
        return truth
    text = read.text
    lines = [normal(line) for line in text.split("\n") if line.strip()]
    # what is told as a hash alone, for strangers, teaches nothing
    named, unwanted = ([normal(part) for part in parts if not part.startswith(HASH)] for parts in (truth.contains, truth.lacks))
    words, paragraphs = sum(len(words_of(part)) for part in named), _paragraphs(read.blocks)
    is_right = paragraphs == truth.paragraphs and all(part in normal(text) for part in named)
    # all that there is was named, if it is so much of what is found without rules
    is_all = len(named) >= (truth.paragraphs or len(named) + 1) or words >= 0.4 * len(words_of(text))
    if named and is_all and not is_right:
        return "\n".join(named)
    if truth.paragraphs is not None and paragraphs > truth.paragraphs:
        places = [number for number, line in enumerate(lines) if any(part in line or line in part for part in named)]
        lines = lines[places[0] : places[-1] + 1] if len(places) > 1 else lines
    for part in unwanted:
        lines = ["" if line in part else line.replace(part, " ") for line in lines]
    kept = list(filter(None, map(str.strip, lines)))
    here = words_of(" ".join(kept))
    added = [part for part in named if sum(words_found(words_of(part), here)) < 0.9 * len(words_of(part))]
    return "\n".join([*kept, *added]) or None


def _paragraphs(blocks: Iterable[ContentNode]) -> int:
    """As many as a test of the page counts: those of posts are theirs."""
    inside = (block for block in blocks if isinstance(block, Block) and block.type != "post")
    return sum((block.type == "paragraph") + _paragraphs(block.children) for block in inside)
