"""What an audit counts over any number of pages in bounded memory; it can be pickled, and joined with what another process counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest

from webarticlecurator.survey.audit.page import PageFinding
from webarticlecurator.survey.audit.results import Passage
from webarticlecurator.survey.audit.rule_use import RuleUse
from webarticlecurator.survey.audit.text import fingerprint, shortened
from webarticlecurator.survey.stored_page import StoredPage, Year

Subject = tuple[str, str, str, str]
"""Kind of finding, rule, tag and layout: what is counted together."""
LayoutYear = tuple[str, Year]
_Plain = tuple[tuple[str, int], str, str, int, str, list[tuple[Year, int]], list[str], list[int]]
_SAMPLE = 48
"""Fingerprints that stand for all: those with the smallest values, so that every process chooses the same."""
MOST_EXAMPLES = 3
FEWEST_PAGES = 3
"""Fewer pages never make a finding."""
YEAR_PAGES = 20
"""Pages of a year from which it is judged by itself."""
_YEAR_TIMES = 2
"""How much larger the share has to be in one year than in all of a layout."""
_MOST_TEXTS = 40_000
_MOST_SUBJECTS = 4_000


@dataclass(slots=True)
class Variety:
    """How different the texts are that were seen, by a sample of their fingerprints with exact counts."""

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, fingerprint: int) -> None:
        self.counts[fingerprint] = self.counts.get(fingerprint, 0) + 1
        if len(self.counts) > 2 * _SAMPLE:
            self._shrink()

    def join(self, other: Variety) -> None:
        for text, times in other.counts.items():
            self.counts[text] = self.counts.get(text, 0) + times
        if len(self.counts) > _SAMPLE:
            self._shrink()

    @property
    def different(self) -> int:
        """How many different texts there are in the sample."""
        return min(len(self.counts), _SAMPLE)

    @property
    def share(self) -> float:
        """Different texts among all: 1 where none came twice."""
        seen = sum(self.counts[one] for one in nsmallest(_SAMPLE, self.counts))
        return self.different / seen if seen else 1.0

    def _shrink(self) -> None:
        self.counts = {one: self.counts[one] for one in nsmallest(_SAMPLE, self.counts)}


@dataclass(slots=True)
class Occurrences:
    """How often one thing was found, and where."""

    pages: Counter[Year] = field(default_factory=Counter)
    words: int = 0
    times: int = 0
    variety: Variety = field(default_factory=Variety)
    examples: list[Passage] = field(default_factory=list)

    def add(self, words: int, fingerprint: int, example: Passage) -> None:
        """Once more."""
        self.times += 1
        self.words += words
        self.variety.add(fingerprint)
        self._show(example)

    def join(self, other: Occurrences) -> None:
        self.pages.update(other.pages)
        self.words += other.words
        self.times += other.times
        self.variety.join(other.variety)
        for example in other.examples:
            self._show(example)

    def _show(self, example: Passage) -> None:
        if len(self.examples) < MOST_EXAMPLES and all(known.url != example.url for known in self.examples):
            self.examples.append(example)


@dataclass(slots=True)
class Text:
    """A kept text, and on how many pages it is."""

    tag: str
    type: str
    """Of its block."""
    words: int
    text: str
    pages: dict[Year, int] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)
    sample: set[int] = field(default_factory=set)
    """Of its pages: those whose fingerprints are the smallest."""

    @property
    def count(self) -> int:
        return sum(self.pages.values())

    def add(self, pages: Mapping[Year, int], urls: Iterable[str], sample: Iterable[int]) -> None:
        """It is on more pages."""
        self.sample.update(sample)
        if len(self.sample) > 2 * _SAMPLE:
            self.sample = set(nsmallest(_SAMPLE, self.sample))
        for year, number in pages.items():
            self.pages[year] = self.pages.get(year, 0) + number
        for url in urls:
            if len(self.urls) < MOST_EXAMPLES and url not in self.urls:
                self.urls.append(url)


class RecurringTexts:
    """The texts that come again and again; when there are too many, the rarest are forgotten."""

    def __init__(self) -> None:
        self.texts: dict[tuple[str, int], Text] = {}
        """By layout and fingerprint."""

    # Nearly all that a process sends are texts that were seen once: as plain values they travel ten times as fast.
    def __reduce__(self) -> tuple[Callable[[list[_Plain]], RecurringTexts], tuple[list[_Plain]]]:
        texts = self.texts.items()
        plain = [(key, one.tag, one.type, one.words, one.text, list(one.pages.items()), one.urls, list(one.sample)) for key, one in texts]
        return RecurringTexts._of, (plain,)

    @classmethod
    def _of(cls, plain: list[_Plain]) -> RecurringTexts:
        made = cls()
        for key, tag, type, words, text, pages, urls, sample in plain:
            made.texts[key] = Text(tag, type, words, text, dict(pages), urls, set(sample))
        return made

    def add(self, layout: str, same: int, text: Text, year: Year, url: str) -> None:
        """A page has this text."""
        self.texts.setdefault((layout, same), text).add({year: 1}, (url,), (fingerprint(url),))

    def join(self, other: RecurringTexts) -> None:
        for key, text in other.texts.items():
            if key in self.texts:
                self.texts[key].add(text.pages, text.urls, text.sample)
            else:
                self.texts[key] = text
        # what is on a share of the pages that matters is never among the rarest half
        rarest = 1
        while len(self.texts) > _MOST_TEXTS:
            self.texts = {key: text for key, text in self.texts.items() if text.count > rarest}
            rarest *= 2


@dataclass(slots=True)
class Counts:
    """All of it, by layout and year."""

    pages: Counter[LayoutYear] = field(default_factory=Counter)
    kept: Counter[LayoutYear] = field(default_factory=Counter)
    """Words."""
    lost: Counter[LayoutYear] = field(default_factory=Counter)
    """Words."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Of what was not looked at."""
    occurrences: dict[Subject, Occurrences] = field(default_factory=dict)
    recurring: RecurringTexts = field(default_factory=RecurringTexts)
    dropped: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Words by rule, tag and layout."""
    dropped_pages: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    undecided: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Words by tag and layout."""
    undecided_pages: Counter[tuple[str, str]] = field(default_factory=Counter)
    rules: RuleUse = field(default_factory=RuleUse)
    bodies: RecurringTexts = field(default_factory=RecurringTexts)
    """Whole articles."""
    first: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By layout some addresses, for what is said of all its pages."""

    def show(self, layout: str, urls: Iterable[str]) -> None:
        """These are pages of that layout."""
        self.first[layout] = (*self.first.get(layout, ()), *urls)[:MOST_EXAMPLES]

    def add(self, found: Iterable[tuple[str, PageFinding]], layout: str, year: Year, url: str) -> None:
        """What was found on one page, each with its kind."""
        seen: set[Subject] = set()
        for kind, one in found:
            subject = (kind, one.rule, one.tag, layout)
            occurrences = self.occurrences.setdefault(subject, Occurrences())
            occurrences.add(one.words, fingerprint(one.text), Passage(url, shortened(one.text)))
            if subject not in seen:
                seen.add(subject)
                occurrences.pages[year] += 1

    def pages_of(self, layout: str) -> Counter[Year]:
        """How many pages of a layout were looked at, by year."""
        return Counter({year: pages for (name, year), pages in self.pages.items() if name == layout})

    def pages_under(self, layouts: Iterable[str]) -> int:
        """How many pages of these layouts were looked at."""
        return sum(self.pages_of(layout).total() for layout in layouts)

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:  # noqa: ARG002
        """A stored response that gives no page."""
        self.outcomes[outcome] += 1

    def join(self, other: Counts) -> None:
        """Take in what another process counted."""
        self.pages.update(other.pages)
        self.kept.update(other.kept)
        self.lost.update(other.lost)
        self.outcomes.update(other.outcomes)
        self.recurring.join(other.recurring)
        self.bodies.join(other.bodies)
        self.rules.join(other.rules)
        for layout, urls in other.first.items():
            self.show(layout, urls)
        for subject, occurrences in other.occurrences.items():
            self.occurrences.setdefault(subject, Occurrences()).join(occurrences)
        self.dropped.update(other.dropped)
        self.dropped_pages.update(other.dropped_pages)
        self.undecided.update(other.undecided)
        self.undecided_pages.update(other.undecided_pages)
        self._forget()

    def _forget(self) -> None:
        """Names made by machines are without end: what is seen least goes."""
        if len(self.occurrences) > 2 * _MOST_SUBJECTS:
            self.occurrences = dict(nlargest(_MOST_SUBJECTS, self.occurrences.items(), key=lambda item: item[1].times))
        if len(self.dropped) > 2 * _MOST_SUBJECTS:
            self.dropped = Counter(dict(self.dropped.most_common(_MOST_SUBJECTS)))
            self.dropped_pages = Counter({drop: self.dropped_pages[drop] for drop in self.dropped})
        if len(self.undecided) > 2 * _MOST_SUBJECTS:
            self.undecided = Counter(dict(self.undecided.most_common(_MOST_SUBJECTS)))
            self.undecided_pages = Counter({tag: self.undecided_pages[tag] for tag in self.undecided})


def pages_with(texts: Sequence[Text]) -> int:
    """On how many pages at least one of the texts is: where they are many, by a sample of them, in which all texts of a page are known."""
    sample = set(nsmallest(_SAMPLE, set[int]().union(*(text.sample for text in texts))))
    times = sum(len(sample & text.sample) for text in texts)
    return round(sum(text.count for text in texts) * len(sample) / times)


def in_order(years: Iterable[Year]) -> tuple[int, ...]:
    """The years that are known, each once."""
    return tuple(sorted({year for year in years if year is not None}))


def striking_years(pages: Counter[Year], whole: Counter[Year], share: float, fewest: int = FEWEST_PAGES) -> list[Year] | None:
    """The years in which something is on too large a share of the pages; None if it is nowhere."""
    if pages.total() < fewest:
        return None
    years = [year for year, of in whole.items() if of >= YEAR_PAGES and pages[year] >= max(_YEAR_TIMES * share * of, FEWEST_PAGES)]
    if pages.total() < share * whole.total():
        return years or None
    return [year for year in pages if pages[year]]
