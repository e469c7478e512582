"""What the texts are like: their languages, lengths, access, types, and the posts in and under them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from itertools import chain
from math import floor, log10

from webarticlecurator.model.analysis import same_language
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.statistics import AccessYear, Example, LanguageCount, LengthClass, Lengths, PostKind, Share
from webarticlecurator.statistics.facts import Facts, Ranked, day_of, in_order
from webarticlecurator.statistics.growth import periods
from webarticlecurator.statistics.metadata import shares

_BOUNDS = (0, 1, 50, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000)
_QUANTILES = (5, 25, 50, 75, 95)
_CERTAIN = 0.9
_MOST_LANGUAGES = 500
_MOST_KINDS = 200
_OTHER = "others"


class TextCount:
    """Languages, lengths, access, types."""

    def __init__(self) -> None:
        self._languages: dict[tuple[str | None, bool, str | None], list[int]] = {}
        self._language_examples: dict[tuple[str | None, bool, str | None], list[Example]] = defaultdict(list)
        self._lengths = Counter[int]()
        self._words = self._uncounted = 0
        self._longest: list[Ranked] = []
        self._shortest: list[Ranked] = []
        self._access = defaultdict[int | None, Counter[str]](Counter)
        self._types = Counter[str]()

    def add(self, facts: Facts) -> None:
        self._note_language(facts)
        self._note_length(facts)
        declared = {"true": "free", "false": "paid"}.get(facts.first("isAccessibleForFree") or "", "undeclared")
        walled = facts.built.outcome is PageOutcome.PAYWALL
        self._access[facts.year].update((declared, *(["paywall"] if walled else ["paid_but_whole"] if declared == "paid" else [])))
        type_ = facts.built.type
        self._types[type_ if type_ in self._types or len(self._types) < _MOST_KINDS else _OTHER] += 1

    def _note_language(self, facts: Facts) -> None:
        identified, certainty = (facts.analysis.language, facts.analysis.certainty) if facts.analysis is not None else (None, 0.0)
        key = (facts.built.language, bool(facts.metadata.get("inLanguage")), identified)
        if key not in self._languages and len(self._languages) >= _MOST_LANGUAGES:
            key = (_OTHER, key[1], identified)
        counted = self._languages.setdefault(key, [0, 0])
        counted[0] += 1
        counted[1] += certainty >= _CERTAIN
        if _disagree(key[0], identified):
            facts.show(self._language_examples[key])

    def _note_length(self, facts: Facts) -> None:
        built = facts.built
        if not built.words and built.characters:
            self._uncounted += 1
            return
        self._words += built.words
        self._lengths[_rounded(built.words)] += 1
        facts.keep(self._longest, built.words, built.headline or "")
        facts.keep(self._shortest, -built.words, built.headline or "")

    def languages(self) -> tuple[LanguageCount, ...]:
        """Most articles first."""
        ranked = sorted(self._languages.items(), key=lambda item: (-item[1][0], str(item[0])))
        return tuple(
            LanguageCount(
                language=key[0],
                declared=key[1],
                identified=key[2],
                articles=articles,
                certain=certain,
                disagree=_disagree(key[0], key[2]),
                examples=tuple(self._language_examples.get(key, ())),
            )
            for key, (articles, certain) in ranked
        )

    def lengths(self) -> Lengths:
        articles = self._lengths.total()
        classes = Counter[int]()
        for words, number in self._lengths.items():
            classes[max(bound for bound in _BOUNDS if bound <= words)] += number
        tops = (*(bound - 1 for bound in _BOUNDS[1:]), None)
        return Lengths(
            classes=tuple(LengthClass(least=least, most=most, articles=classes[least]) for least, most in zip(_BOUNDS, tops, strict=True)),
            quantiles=tuple(_quantiles(self._lengths)),
            mean=round(self._words / articles, 1) if articles else 0.0,
            uncounted=self._uncounted,
            shortest=in_order(self._shortest),
            longest=in_order(self._longest),
        )

    def access(self) -> tuple[AccessYear, ...]:
        return tuple(
            AccessYear(year=year, **{name: seen[name] for name in ("free", "paid", "undeclared", "paywall", "paid_but_whole")})
            for year, seen in sorted(self._access.items(), key=lambda item: (item[0] is None, item[0] or 0))
        )

    def types(self) -> tuple[Share, ...]:
        return shares(self._types)


@dataclass(slots=True)
class _Kind:
    posts: int = 0
    words: int = 0
    articles: int = 0
    answers: int = 0
    deleted: int = 0
    undated: int = 0
    years: dict[str | None, list[int]] = field(default_factory=dict)
    largest: list[Ranked] = field(default_factory=list)


class PostCount:
    """Comments and all other posts."""

    def __init__(self) -> None:
        self._kinds = defaultdict[str, _Kind](_Kind)

    def add(self, facts: Facts) -> None:
        if not facts.built.posts:
            return
        in_article = Counter[str]()
        for post in chain(facts.record.get("blocks", ()), facts.record.get("comments", ())):
            if post["type"] == "post" and "kind" in post:
                in_article[post["kind"]] += 1
                self._note(self._kinds[post["kind"]], post)
        for name, number in in_article.items():
            kind = self._kinds[name]
            kind.articles += 1
            facts.keep(kind.largest, number, f"{number} {facts.built.headline or ''}")

    def _note(self, kind: _Kind, post: dict[str, str]) -> None:
        words, day = len(post["text"].split()), day_of(post.get("when"))
        kind.posts += 1
        kind.words += words
        kind.answers += "reply_to" in post
        kind.deleted += "deleted" in post
        kind.undated += day is None
        of_year = kind.years.setdefault(day[:4] if day else None, [0, 0])
        of_year[0] += 1
        of_year[1] += words

    def kinds(self) -> tuple[PostKind, ...]:
        return tuple(
            PostKind(kind=name, **{**asdict(one), "years": periods(one.years), "largest": in_order(one.largest)})
            for name, one in sorted(self._kinds.items(), key=lambda item: (-item[1].posts, item[0]))
        )


def _disagree(language: str | None, identified: str | None) -> bool:
    return language is not None and identified is not None and not same_language(language, identified)


def _rounded(words: int) -> int:
    """To three digits: so few numbers stand for all lengths."""
    return round(words, -max(0, floor(log10(words)) - 2)) if words else 0


def _quantiles(lengths: Counter[int]) -> Iterable[int]:
    total, passed = lengths.total(), 0
    wanted = list(_QUANTILES) if total else []
    for words, number in sorted(lengths.items()):
        passed += number
        while wanted and 100 * passed >= wanted[0] * total:
            wanted.pop(0)
            yield words
