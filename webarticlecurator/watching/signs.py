"""The signs of a drift: each says of an article whether it is odd beside earlier ones. What they add up to is in `drift.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from webarticlecurator.watching.articles import WatchedArticle
from webarticlecurator.watching.block_model import Agreement, agreement, learned
from webarticlecurator.watching.page_facts import PageFacts

Odd = bool | None
"""None: nothing can be said of this article."""

_STEADY = 0.9
"""A field that so many of the earlier articles have can stop."""
_FEWEST_NAMES = 8
_HALF = 0.5
_NEW = 0.05
"""What at most so many of the earlier articles have is new in the later ones."""
_MOST_CANDIDATES = 40
"""New names, tags, lines that are followed: those that most later articles have."""
_FOLDS = 3
_TAUGHT = 24
"""Pages that a model is learned from: more of one layout do not better it, and cost time."""
_WATCHED_FIELDS = ("headline", "datePublished", "author", "articleSection", "keywords", "description", "image")
_MOST_MISSED = 0.1
"""Of what the earlier pages give the model away as odd: the worst tenth."""
_LOST_MORE, _FOREIGN_MORE = 0.08, 0.03
"""By which share of its text a page must differ, beside the usual, to be odd at all."""
_FEWEST_WORDS = 5
"""And by how many words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One thing by which articles are odd."""

    kind: str
    """`empty`, `metadata`, `unknown-tags`, `repeated-text`, `names`, `lost-text`, `foreign-text`, `new-structure`."""
    what: str
    """The field, the tag, the name; "" where the kind says all."""
    odd: tuple[Odd, ...]
    """Of the earlier articles, then of the later ones."""
    of_many: int = 1
    """Among so many candidates this one was looked for: chance has more room."""
    judge: Callable[[WatchedArticle], Odd]
    """The same of one more article."""


def signs(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    """All that can be told of the later articles by the earlier ones."""
    for reader in (_empty, _metadata, _unknown_tags, _repeated_text, _names, _new_structure, _by_model):
        yield from reader(earlier, later)


def _judged(kind: str, what: str, judge: Callable[[WatchedArticle], Odd], articles: Sequence[WatchedArticle], of_many: int = 1) -> Sign:
    return Sign(kind=kind, what=what, odd=tuple(map(judge, articles)), of_many=of_many, judge=judge)


def _empty(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    yield _judged("empty", "", lambda one: one.is_empty, [*earlier, *later])


def _metadata(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    built = [one for one in earlier if not one.is_empty]
    steady = [name for name in _WATCHED_FIELDS if built and sum(name in one.fields for one in built) >= _STEADY * len(built)]
    for name in steady:

        def stopped(one: WatchedArticle, name: str = name) -> Odd:
            return None if one.is_empty else name not in one.fields

        yield _judged("metadata", name, stopped, [*earlier, *later], len(steady))


def _unknown_tags(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    yield from _new("unknown-tags", lambda one: None if one.is_empty else one.unknown_tags, earlier, later)


def _repeated_text(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    yield from _new("repeated-text", lambda one: one.lines or None, earlier, later)


def _new_structure(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    yield from _new("new-structure", lambda one: None if one.page is None or one.is_empty else one.page.body_names, earlier, later)


Things = Callable[[WatchedArticle], "frozenset[str] | frozenset[int] | None"]


def _new(kind: str, things: Things, earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    """What hardly any of the earlier articles has, and many of the later ones."""
    before, after = _counted(things, earlier), _counted(things, later)
    most_before = _NEW * sum(things(one) is not None for one in earlier)
    new = [(count, what) for what, count in after.items() if count > 2 and before[what] <= most_before]
    new.sort(key=lambda pair: (-pair[0], str(pair[1])))
    for _, what in new[:_MOST_CANDIDATES]:

        def has(one: WatchedArticle, what: str | int = what) -> Odd:
            found = things(one)
            return None if found is None else what in found

        yield _judged(kind, str(what), has, [*earlier, *later], max(len(after), 1))


def _counted(things: Things, articles: Sequence[WatchedArticle]) -> Counter[str | int]:
    counts: Counter[str | int] = Counter()
    for one in articles:
        counts.update(things(one) or ())
    return counts


def _names(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    """Most names of the page stand on none of the earlier ones: each is held against the one that it is most like, of whatever kind."""
    pages = [one.page for one in earlier if one.page is not None and len(one.page.names) >= _FEWEST_NAMES]
    if len(pages) < _FOLDS:
        return
    usual = median(_most_like(page, pages) for page in pages)

    def strange(one: WatchedArticle) -> Odd:
        return None if one.page is None else _most_like(one.page, pages) < _HALF * usual

    yield _judged("names", "", strange, [*earlier, *later])


def _most_like(page: PageFacts, others: Sequence[PageFacts]) -> float:
    return max((likeness(page, one) for one in others if one is not page), default=1.0)


def likeness(page: PageFacts, other: PageFacts) -> float:
    """The share of their names that both have."""
    both = len(page.names & other.names)
    return both / max(len(page.names) + len(other.names) - both, 1)


def _by_model(earlier: Sequence[WatchedArticle], later: Sequence[WatchedArticle]) -> Iterator[Sign]:
    """What the rules keep is not what it was: each earlier page is judged by a model that has not seen it, the later ones by one of all."""
    pages = [one.page for one in earlier if one.page is not None and not one.is_empty and len(one.page.words)]
    too_early = frozenset(map(id, pages[:-_TAUGHT]))
    pages = pages[-_TAUGHT:]
    if len(pages) < _FOLDS:
        return
    models = [learned([page for number, page in enumerate(pages) if number % _FOLDS != fold]) for fold in range(_FOLDS)]
    whole = learned(pages)
    if whole is None or None in models:
        return
    usual = [agreement(model, page) for number, page in enumerate(pages) if (model := models[number % _FOLDS]) is not None]
    known = {id(page): told for page, told in zip(pages, usual, strict=True)}

    def told(page: PageFacts) -> Agreement:
        return known.get(id(page)) or agreement(whole, page)

    for kind, measure, more in (("lost-text", _lost, _LOST_MORE), ("foreign-text", _foreign, _FOREIGN_MORE)):
        words, shares = zip(*map(measure, usual), strict=True)
        most_words, most = _worst(words), max(_worst(shares), median(shares) + more)

        def odd(one: WatchedArticle, measure: Measure = measure, most_words: float = most_words, most: float = most) -> Odd:
            if one.page is None or one.is_empty or not len(one.page.words) or id(one.page) in too_early:
                return None
            words, share = measure(told(one.page))
            # by its share alone a page with little text would be odd: what stands on every page weighs more in it
            return words > most_words + _FEWEST_WORDS and share > most

        yield _judged(kind, "", odd, [*earlier, *later])


Measure = Callable[[Agreement], tuple[float, float]]


def _lost(told: Agreement) -> tuple[float, float]:
    return told.lost, told.lost / max(told.own + told.lost, 1.0)


def _foreign(told: Agreement) -> tuple[float, float]:
    return told.foreign, told.foreign / max(told.own, 1.0)


def _worst(values: Sequence[float]) -> float:
    return sorted(values)[int((1 - _MOST_MISSED) * (len(values) - 1))]
