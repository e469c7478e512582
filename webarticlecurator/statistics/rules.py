"""What the rules made of the pages: layouts over time, how much text they kept, what they left out, and which tags no rule decides."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field

from webarticlecurator.model.statistics import Coverage, Drop, Example, Growth, UndecidedTag
from webarticlecurator.statistics.facts import Facts, Ranked, in_order
from webarticlecurator.statistics.growth import Course
from webarticlecurator.statistics.metadata import shares

_MOST_DROPS = 40
_MOST_UNDECIDED = 40
_MOST_TOLD_APART = 2_000
"""Rules and tags: pages may have any number of tags."""
_OTHER = "others"
_TAGS = 5


@dataclass(slots=True)
class _Year:
    articles: int = 0
    kept: int = 0
    dropped: int = 0
    undecided: int = 0
    articles_undecided: int = 0


@dataclass(slots=True)
class _Dropped:
    words: int = 0
    pieces: int = 0
    articles: int = 0
    tags: Counter[str] = field(default_factory=Counter)
    longest: list[Ranked] = field(default_factory=list)


class RuleCount:
    """Layouts, coverage, drops, undecided tags."""

    def __init__(self) -> None:
        self._layouts = defaultdict[str | None, Course](Course)
        self._years = defaultdict[int | None, _Year](_Year)
        self._drops: dict[str, _Dropped] = {}
        self._undecided: dict[str, list[int]] = {}
        self._seen_in: dict[str, Example] = {}

    def add(self, facts: Facts) -> None:
        built, year = facts.built, self._years[facts.year]
        self._layouts[built.layout].add(facts.day, facts.year, built.words)
        in_words = bool(built.words or not built.characters)  # not so where languages part no words by blanks
        year.articles += 1
        year.kept += built.words
        tags = facts.record.get("unknown_tags", ())
        year.articles_undecided += bool(tags)
        for tag in tags:
            year.undecided += tag["words"] if in_words else 0
            self._note_undecided(facts, tag["tag"], tag["count"], tag["words"])
        rules: set[str] = set()
        for piece in facts.record.get("dropped", ()):
            words = self._note_drop(facts, piece["rule"], piece["tag"], piece["text"], rules)
            year.dropped += words if in_words else 0

    def _note_undecided(self, facts: Facts, tag: str, count: int, words: int) -> None:
        if tag not in self._undecided and len(self._undecided) >= _MOST_TOLD_APART:
            tag = _OTHER
        counted = self._undecided.setdefault(tag, [0, 0, 0])
        counted[0] += count
        counted[1] += words
        counted[2] += 1
        if tag not in self._seen_in:
            self._seen_in[tag] = facts.example()

    def _note_drop(self, facts: Facts, rule: str, tag: str, text: str, seen: set[str]) -> int:
        """Gives its words."""
        words = text.count(" ") + 1 if text else 0  # white space is normalised
        if rule not in self._drops and len(self._drops) >= _MOST_TOLD_APART:
            rule = _OTHER
        drop = self._drops.setdefault(rule, _Dropped())
        drop.words += words
        drop.pieces += 1
        drop.articles += rule not in seen
        seen.add(rule)
        drop.tags[tag if tag in drop.tags or len(drop.tags) < _MOST_TOLD_APART // 10 else _OTHER] += 1
        facts.keep(drop.longest, words, text)
        return words

    def layouts(self) -> tuple[Growth, ...]:
        """The oldest first."""
        grown = [course.growth(name) for name, course in self._layouts.items()]
        return tuple(sorted(grown, key=lambda one: (one.first or "9", one.name or "")))

    def coverage(self) -> tuple[Coverage, ...]:
        years = sorted(self._years.items(), key=lambda item: (item[0] is None, item[0] or 0))
        return tuple(Coverage(year=year, **asdict(one)) for year, one in years)

    def drops(self) -> tuple[Drop, ...]:
        ranked = sorted(self._drops.items(), key=lambda item: (-item[1].words, item[0]))
        return tuple(
            Drop(
                rule=rule,
                words=one.words,
                pieces=one.pieces,
                articles=one.articles,
                tags=shares(one.tags)[:_TAGS],
                examples=in_order(one.longest),
            )
            for rule, one in ranked[:_MOST_DROPS]
        )

    def undecided(self) -> tuple[UndecidedTag, ...]:
        ranked = sorted(self._undecided.items(), key=lambda item: (-item[1][1], item[0]))
        return tuple(
            UndecidedTag(tag=tag, count=count, words=words, articles=articles, example=self._seen_in[tag])
            for tag, (count, words, articles) in ranked[:_MOST_UNDECIDED]
        )
