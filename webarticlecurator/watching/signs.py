"""The signs of a drift: each says of an article whether it is odd beside earlier ones. What they add up to is in `drift.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from statistics import median

from webarticlecurator.watching.article_row import WatchedArticle
from webarticlecurator.watching.block_model import agreement, learned
from webarticlecurator.watching.page_facts import PageFacts

Odd = bool | None
"""None: nothing can be said of this article."""
Judge = Callable[[WatchedArticle], Odd]
Articles = Sequence[WatchedArticle]

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
    of_many: int
    """Among so many candidates this one was looked for: chance has more room."""
    judge: Judge
    """The same of one more article."""


_Candidate = tuple[str, str, Judge, int]
"""Kind, what, judge, and among how many: see `Sign`."""


def signs(earlier: Articles, later: Articles) -> Iterator[Sign]:
    """All that can be told of the later articles by the earlier ones."""
    for kind, what, judge, of_many in chain(_missing(earlier), _new_things(earlier, later), _names(earlier), _by_model(earlier)):
        yield Sign(kind=kind, what=what, odd=tuple(map(judge, [*earlier, *later])), of_many=of_many, judge=judge)


def _missing(earlier: Articles) -> Iterator[_Candidate]:
    """The text, and metadata that nearly all of the earlier articles have."""
    yield "empty", "", lambda article: article.is_empty, 1
    built = [article for article in earlier if not article.is_empty]
    steady = [name for name in _WATCHED_FIELDS if built and sum(name in article.fields for article in built) >= _STEADY * len(built)]
    for name in steady:
        yield "metadata", name, partial(_lacks, name), len(steady)


def _lacks(name: str, article: WatchedArticle) -> Odd:
    return None if article.is_empty else name not in article.fields


_THINGS: dict[str, Callable[[WatchedArticle], frozenset[str] | frozenset[int] | None]] = {
    "unknown-tags": lambda article: None if article.is_empty else article.unknown_tags,
    "repeated-text": lambda article: article.lines or None,
    "new-structure": lambda article: None if article.page is None or article.is_empty else article.page.body_names,
}


def _new_things(earlier: Articles, later: Articles) -> Iterator[_Candidate]:
    """What hardly any of the earlier articles has, and many of the later ones."""
    for kind, things in _THINGS.items():
        before, after = (Counter[str | int](what for article in row for what in things(article) or ()) for row in (earlier, later))
        most_before = _NEW * sum(things(article) is not None for article in earlier)
        new = [(count, what) for what, count in after.items() if count > 2 and before[what] <= most_before]
        new.sort(key=lambda pair: (-pair[0], str(pair[1])))
        for _, what in new[:_MOST_CANDIDATES]:
            yield kind, str(what), partial(_has, kind, what), max(len(after), 1)


def _has(kind: str, what: str | int, article: WatchedArticle) -> Odd:
    there = _THINGS[kind](article)
    return None if there is None else what in there


def _names(earlier: Articles) -> Iterator[_Candidate]:
    """Most names of the page stand on none of the earlier ones: each is held against the one that it is most like, of whatever kind."""
    pages = [article.page for article in earlier if article.page is not None and len(article.page.names) >= _FEWEST_NAMES]
    if len(pages) >= _FOLDS:
        usual = median(_most_like(page, pages) for page in pages)
        yield "names", "", lambda article: None if article.page is None else _most_like(article.page, pages) < _HALF * usual, 1


def _most_like(page: PageFacts, others: Sequence[PageFacts]) -> float:
    return max((likeness(page, other) for other in others if other is not page), default=1.0)


def likeness(page: PageFacts, other: PageFacts) -> float:
    """The share of their names that both have."""
    both = len(page.names & other.names)
    return both / max(len(page.names) + len(other.names) - both, 1)


def _by_model(earlier: Articles) -> Iterator[_Candidate]:
    """What the rules keep is not what it was: each earlier page is judged by a model that has not seen it, the later ones by one of all."""
    pages = [article.page for article in earlier if article.page is not None and not article.is_empty and len(article.page.words)]
    too_early = frozenset(map(id, pages[:-_TAUGHT]))
    pages = pages[-_TAUGHT:]
    if len(pages) < _FOLDS:
        return
    models = [learned([page for number, page in enumerate(pages) if number % _FOLDS != fold]) for fold in range(_FOLDS)]
    whole = learned(pages)
    if whole is None or None in models:
        return
    usual = [agreement(model, page) for number, page in enumerate(pages) if (model := models[number % _FOLDS]) is not None]
    known = {id(page): said for page, said in zip(pages, usual, strict=True)}
    for number, (kind, more) in enumerate((("lost-text", _LOST_MORE), ("foreign-text", _FOREIGN_MORE))):
        words, shares = zip(*(said[number] for said in usual), strict=True)
        most_words, most = _worst(words), max(_worst(shares), median(shares) + more)

        def odd(article: WatchedArticle, number: int = number, most_words: float = most_words, most: float = most) -> Odd:
            if article.page is None or article.is_empty or not len(article.page.words) or id(article.page) in too_early:
                return None
            words, share = (known.get(id(article.page)) or agreement(whole, article.page))[number]
            # by its share alone a page with little text would be odd: what stands on every page weighs more in it
            return words > most_words + _FEWEST_WORDS and share > most

        yield kind, "", odd, 1


def _worst(values: Sequence[float]) -> float:
    return sorted(values)[int((1 - _MOST_MISSED) * (len(values) - 1))]
