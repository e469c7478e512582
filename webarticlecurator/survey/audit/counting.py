"""Counting over any number of pages in bounded memory: how often something was seen, how different its texts are, which texts recur.

Everything here can be pickled, and joined with what another process counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import nsmallest

from webarticlecurator.survey.audit.results import Passage

Year = int | None
_Plain = tuple[tuple[str, int], str, str, int, str, list[tuple[Year, int]], list[str]]
_SAMPLE = 48
"""Fingerprints that stand for all: those with the smallest values, so that every process chooses the same."""
MOST_EXAMPLES = 3
_MOST_TEXTS = 40_000


@dataclass(slots=True)
class Variety:
    """How different the texts are that were seen, by a sample of their fingerprints with exact counts."""

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, fingerprint: int, times: int = 1) -> None:
        self.counts[fingerprint] = self.counts.get(fingerprint, 0) + times
        if len(self.counts) > 2 * _SAMPLE:
            self._shrink()

    def join(self, other: Variety) -> None:
        for fingerprint, times in other.counts.items():
            self.counts[fingerprint] = self.counts.get(fingerprint, 0) + times
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
class Evidence:
    """What was seen of one thing."""

    pages: Counter[Year] = field(default_factory=Counter)
    words: int = 0
    times: int = 0
    variety: Variety = field(default_factory=Variety)
    examples: list[Passage] = field(default_factory=list)

    def seen(self, words: int, fingerprint: int, example: Passage) -> None:
        """It occurs."""
        self.times += 1
        self.words += words
        self.variety.add(fingerprint)
        if len(self.examples) < MOST_EXAMPLES and all(known.url != example.url for known in self.examples):
            self.examples.append(example)

    def join(self, other: Evidence) -> None:
        self.pages.update(other.pages)
        self.words += other.words
        self.times += other.times
        self.variety.join(other.variety)
        known = {example.url for example in self.examples}
        self.examples = [*self.examples, *(one for one in other.examples if one.url not in known)][:MOST_EXAMPLES]


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

    @property
    def count(self) -> int:
        return sum(self.pages.values())

    def join(self, pages: Iterable[tuple[Year, int]], urls: Iterable[str]) -> None:
        """It is on more pages."""
        for year, number in pages:
            self.pages[year] = self.pages.get(year, 0) + number
        for url in urls:
            if len(self.urls) < MOST_EXAMPLES and url not in self.urls:
                self.urls.append(url)


class Recurring:
    """The texts that come again and again; when there are too many, the rarest are forgotten."""

    def __init__(self) -> None:
        self.texts: dict[tuple[str, int], Text] = {}
        """By layout and fingerprint."""

    # Nearly all that a process sends are texts that were seen once: as plain values they travel ten times as fast.
    def __reduce__(self) -> tuple[Callable[[list[_Plain]], Recurring], tuple[list[_Plain]]]:
        texts = self.texts.items()
        return Recurring.of, ([(key, one.tag, one.type, one.words, one.text, list(one.pages.items()), one.urls) for key, one in texts],)

    @classmethod
    def of(cls, plain: list[_Plain]) -> Recurring:
        """What came from another process."""
        made = cls()
        made.texts = {key: Text(tag, type, words, text, dict(pages), urls) for key, tag, type, words, text, pages, urls in plain}
        return made

    def add(self, layout: str, fingerprint: int, text: Text, year: Year, url: str) -> None:
        """A page has this text."""
        self.texts.setdefault((layout, fingerprint), text).join(((year, 1),), (url,))

    def join(self, other: Recurring) -> None:
        for key, text in other.texts.items():
            known = self.texts.get(key)
            if known is None:
                self.texts[key] = text
            else:
                known.join(text.pages.items(), text.urls)
        self._forget()

    def _forget(self) -> None:
        """What is on a share of the pages that matters is never among the rarest half."""
        rarest = 1
        while len(self.texts) > _MOST_TEXTS:
            self.texts = {key: text for key, text in self.texts.items() if text.count > rarest}
            rarest *= 2
