"""How the metadata fields are filled, where their values come from, what the sources disagree on; and dates that nobody can have meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import nlargest

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.model.statistics import Disagreement, Example, FieldStatistics, FieldYear, Share, SuspiciousDates
from webarticlecurator.statistics.facts import Facts
from webarticlecurator.statistics.tallies import Tallies

_MOST_DISAGREEMENTS = 40
_MOST_SOURCES = 400
"""Of one field: sources are those of the reader's table, and the rules of the portal file."""
_OTHER = "other sources"
_JOINERS = " \u00a0\t\n-\u2013\u2014|:/\u00b7\u2022\u00bb\u203a"
"""That stand between a headline and the portal's name."""
_SAME_MOMENT = 10
"""So many articles of one and the same second were not published then."""
_FLAGS = ("datePublished lies before", "datePublished lies after", "datePublished is no date", "dateModified lies before")
_MOMENTS = f"SELECT name, articles FROM tallies WHERE kind = 'moment' AND articles >= {_SAME_MOMENT} ORDER BY articles DESC, name"
_AT_MOMENT = "SELECT url, id, text FROM seen WHERE kind = 'moment' AND name = ? ORDER BY url LIMIT 3"


class FieldCount:
    """Fields and disagreements. A title that is the headline with the portal's own name behind it says nothing else."""

    def __init__(self, own_names: frozenset[str]) -> None:
        self._own = frozenset(name.casefold() for name in own_names)
        self._articles = Counter[int | None]()
        self._filled: dict[str, Counter[int | None]] = defaultdict(Counter)
        self._sources: dict[str, Counter[str]] = defaultdict(Counter)
        self._disagreeing = Counter[str]()
        self._longer: list[Example] = []
        self._longer_headlines = 0
        self._pairs: dict[tuple[str, str, str], int] = {}
        self._examples: dict[tuple[str, str, str], list[Example]] = defaultdict(list)

    def add(self, facts: Facts) -> None:
        year = facts.year
        self._articles[year] += 1
        for field, found in facts.metadata.items():
            if field not in FIELDS or not found:
                continue
            self._filled[field][year] += 1
            _bounded(self._sources[field], found[0]["source"])
        for field, others in facts.record.get("disagreements", {}).items():
            if field == "headline":
                headline = facts.first(field) or ""
                others = [one for one in others if not self._only_adds_its_name(headline, one["value"])]
                self._note_longer(facts, headline, others)
            if field in FIELDS and others:
                self._disagreeing[field] += 1
                self._disagree(facts, field, others)

    def _only_adds_its_name(self, headline: str, other: str) -> bool:
        return bool(headline) and other.startswith(headline) and other[len(headline) :].strip(_JOINERS).casefold() in self._own

    def _note_longer(self, facts: Facts, headline: str, others: list[dict[str, str]]) -> None:
        begin = next((one["value"] for one in others if one["value"] and headline.startswith(one["value"])), "")
        if begin and not self._only_adds_its_name(begin, headline):
            self._longer_headlines += 1
            facts.show(self._longer, f"{headline[:90]} / {begin[:90]}")

    def _disagree(self, facts: Facts, field: str, others: list[dict[str, str]]) -> None:
        chosen = (facts.metadata.get(field) or [{"source": "", "value": ""}])[0]
        for source, value in {one["source"]: one["value"] for one in reversed(others)}.items():
            pair = (field, chosen["source"], source)
            if pair not in self._pairs and len(self._pairs) >= _MOST_SOURCES * 10:
                pair = (field, _OTHER, _OTHER)
            self._pairs[pair] = self._pairs.get(pair, 0) + 1
            facts.show(self._examples[pair], f"{chosen['value'][:90]} / {value[:90]}")

    def fields(self) -> tuple[FieldStatistics, ...]:
        """In the order of the table of fields."""
        years = sorted(self._articles, key=lambda year: (year is None, year or 0))
        return tuple(
            FieldStatistics(
                field=field,
                filled=self._filled[field].total(),
                years=tuple(FieldYear(year=year, articles=self._articles[year], filled=self._filled[field][year]) for year in years),
                sources=shares(self._sources[field]),
                disagreeing=self._disagreeing[field],
                longer=self._longer_headlines if field == "headline" else 0,
                longer_examples=tuple(self._longer) if field == "headline" else (),
            )
            for field in FIELDS
            if field in self._filled or field in self._disagreeing
        )

    def disagreements(self) -> tuple[Disagreement, ...]:
        """The most frequent."""
        pairs = nlargest(_MOST_DISAGREEMENTS, sorted(self._pairs), key=lambda pair: self._pairs[pair])
        return tuple(
            Disagreement(field=pair[0], chosen=pair[1], other=pair[2], articles=self._pairs[pair], examples=tuple(self._examples[pair]))
            for pair in pairs
        )


class DateCount:
    """Dates that look as if nobody had meant them."""

    def __init__(self, tallies: Tallies) -> None:
        self._tallies = tallies
        self._why = Counter[str]()
        self._examples: dict[str, list[Example]] = defaultdict(list)

    def add(self, facts: Facts) -> None:
        published = facts.built.published
        if published is None:
            return
        for why in self._odd(facts, published):
            self._why[why] += 1
            facts.show(self._examples[why])
        if len(published) > len("2024-05-01"):
            built = facts.built
            self._tallies.add("moment", published, facts.day, built.url, built.id, text=facts.example().text)

    def _odd(self, facts: Facts, published: str) -> Iterator[str]:
        day = facts.day
        if day is None:
            yield "no whole day"
        elif day == "1970-01-01":
            yield "1 January 1970, which programs write for no date"
        elif day.endswith("-01-01") and (len(published) == len(day) or "T00:00:00" in published):
            yield "1 January without a time, which may stand for the year alone"
        elif "T00:00:00" in published:
            yield "midnight to the second, which programs write for a day alone"
        captures = facts.record.get("captures") or [{}]
        if day and captures[0].get("date", "")[:10] == day and "datePublished" in facts.record.get("disagreements", {}):
            yield "the day of the capture, and another source says otherwise"
        for flag in facts.built.flags:
            if flag.startswith(_FLAGS):
                yield flag.partition(":")[0]

    def suspicious(self) -> tuple[SuspiciousDates, ...]:
        """Most frequent first."""
        found = [
            SuspiciousDates(why=why, articles=articles, examples=tuple(self._examples[why]))
            for why, articles in sorted(self._why.items(), key=lambda item: (-item[1], item[0]))
        ]
        moments = list(self._tallies.rows(f"{_MOMENTS} LIMIT 1"))
        for moment, _ in moments:
            examples = tuple(Example(url=url, id=one, text=text) for url, one, text in self._tallies.rows(_AT_MOMENT, (moment,)))
            articles = sum(number for _, number in self._tallies.rows(_MOMENTS))
            why = f"the same second as at least {_SAME_MOMENT - 1} other articles (most often {moment})"
            found.append(SuspiciousDates(why=why, articles=articles, examples=examples))
        return tuple(found)


def shares(counted: Counter[str]) -> tuple[Share, ...]:
    """Most frequent first."""
    return tuple(Share(name=name, count=count) for name, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _bounded(counted: Counter[str], name: str) -> None:
    counted[name if name in counted or len(counted) < _MOST_SOURCES else _OTHER] += 1
