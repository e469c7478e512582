"""Find where in the row of a portal's articles the layout changed: from some article on nearly all are odd,
and before it hardly any.

Each sign says of an article whether it is odd beside earlier ones; they are added up to drifts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from math import log
from statistics import median

from webarticlecurator import urls
from webarticlecurator.databases import Row
from webarticlecurator.watching.page_facts import KEPT, BlockKind, PageFacts
from webarticlecurator.watching.portal_articles import WatchedArticle

FEWEST_BEFORE = 6
FEWEST_AFTER = 3
_AHEAD = 24
"""Articles, each of which may be the first of a new layout, that are looked at together."""
_RUN = 16
"""Articles that must go on like it, where there are so many."""
_NEARLY_ALL = 0.8
_FEWEST_OF_SIGN = {"empty": 4, "new-structure": 5, "unknown-tags": 5, "repeated-text": 5, "metadata": 8}
"""A few in a row may be videos without text, pages of another kind, articles of an agency without author."""
_SURE = 7.5
"""The logarithm of how much more probable a change must be than that there was none, before candidates are
counted."""


Odd = bool | None
"""True if an article is odd; None: nothing can be said of it."""
Articles = Sequence[WatchedArticle]

_AT_ALL = 0.2
"""Share of a kind of block: less says nothing, so that pages of much furniture and little text are no odder
than others."""
_Sign = tuple[str, str, Callable[[WatchedArticle], Odd], int]
"""Kind, what, judge: see `_splits`; and among how many candidates this one was looked for: chance has more
room."""


def _missing(earlier: Articles) -> Iterator[_Sign]:
    """The text, and metadata that nearly all of the earlier articles have."""
    yield "empty", "", lambda article: article.is_empty, 1
    built = [article for article in earlier if not article.is_empty]
    watched = ("headline", "datePublished", "author", "articleSection", "keywords", "description", "image")
    steady = [
        name
        for name in watched
        if built and sum(name in article.fields for article in built) >= 0.9 * len(built)
    ]
    for name in steady:

        def lacks(article: WatchedArticle, name: str = name) -> Odd:
            return None if article.is_empty else name not in article.fields

        yield "metadata", name, lacks, len(steady)


Things = Callable[[WatchedArticle], frozenset[str] | frozenset[int] | None]
_THINGS: dict[str, Things] = {
    "unknown-tags": lambda article: None if article.is_empty else article.unknown_tags,
    "repeated-text": lambda article: article.lines or None,
    "new-structure": lambda article: (
        None if article.page is None or article.is_empty else article.page.body_names
    ),
}


def _new_things(earlier: Articles, later: Articles) -> Iterator[_Sign]:
    """Give what hardly any of the earlier articles has, and many of the later ones."""
    for kind, things in _THINGS.items():
        before, after = (
            Counter[str | int](what for article in row for what in things(article) or ())
            for row in (earlier, later)
        )
        most_before = 0.05 * sum(things(article) is not None for article in earlier)
        new = [(count, what) for what, count in after.items() if count > 2 and before[what] <= most_before]
        new.sort(key=lambda pair: (-pair[0], str(pair[1])))
        for _, what in new[:40]:  # those that most later articles have

            def has(article: WatchedArticle, things: Things = things, what: str | int = what) -> Odd:
                there = things(article)
                return None if there is None else what in there

            yield kind, str(what), has, max(len(after), 1)


def _kept_otherwise(earlier: Articles) -> Iterator[_Sign]:
    """Tell where what the rules keep is not what it was: of each kind of block most is kept, or most is not,
    on a page as on the earlier ones."""
    pages = [page for page in map(_page_with_text, earlier) if page is not None]
    if len(pages) < 3:
        return
    kept, total = defaultdict[BlockKind, float](float), Counter[BlockKind]()
    for of_block, count, share in chain.from_iterable(page.blocks for page in pages):
        kept[of_block] += count * share
        total[of_block] += count
    usual = {of_block: kept[of_block] / number for of_block, number in total.items() if number}
    changed = cache(partial(_kept_unusually, usual))
    for number, (kind, more) in enumerate((("lost-text", 0.08), ("foreign-text", 0.03))):
        words, shares = zip(*(changed(page)[number] for page in pages), strict=True)
        # what befell the worst tenth of the earlier ones is nothing new
        most_words, worst = (sorted(values)[int(0.9 * (len(values) - 1))] for values in (words, shares))
        most = max(worst, median(shares) + more)

        def odd(
            article: WatchedArticle, number: int = number, most_words: float = most_words, most: float = most
        ) -> Odd:
            page = _page_with_text(article)
            if page is None:
                return None
            words, share = changed(page)[number]
            # by its share alone a page with little text would be odd: what stands on every page weighs more
            # in it
            return words > most_words + 5 and share > most

        yield kind, "", odd, 1


def _page_with_text(article: WatchedArticle) -> PageFacts | None:
    has_text = article.page is not None and not article.is_empty and article.page.blocks
    return article.page if has_text else None


_WordsAndShare = tuple[float, float]


def _kept_unusually(
    usual: Mapping[BlockKind, float], page: PageFacts
) -> tuple[_WordsAndShare, _WordsAndShare]:
    """Return the words that are left out though such blocks are kept, and which part of the text they are;
    and the same of foreign ones.

    `usual`: of each kind of block the share that is kept.
    """
    own = lost = foreign = 0.0
    for of_block, count, share in page.blocks:
        usually = usual.get(of_block, 0.0)
        if share < KEPT:
            lost += count * usually if usually > _AT_ALL else 0
            continue
        own += count
        foreign += count * (1 - usually) if usually < 1 - _AT_ALL else 0
    return (lost, lost / max(own + lost, 1.0)), (foreign, foreign / max(own, 1.0))


def drifts(articles: Sequence[WatchedArticle]) -> list[Row]:
    """Return all changes in the row of articles, which are in the order of their dates: of all, then of one
    section alone.

    Places are those in that row: of the last article `before` the change, and of a `run` of those behind it
    that were looked at, of which the first is the `place` of the change. `seen`: by what articles are odd,
    and how that changed (see `_splits`), the surest sign first.
    """
    changes, by_section = list(_changes(articles, range(len(articles)))), defaultdict[str, list[int]](list)
    for place, article in enumerate(articles):
        by_section[section_of(article.url)].append(place)
    sections = sorted(by_section.values(), key=lambda places: (-len(places), places))[:12]
    parts = [part for part in sections if len(part) <= 0.9 * len(articles)]  # else it was looked at
    for drift in sorted(
        (drift for part in parts for drift in _changes(articles, part)), key=lambda drift: drift.place
    ):
        # what befell all pages befell these, too; and what befell several parts is told where it began
        if all(abs(drift.place - other.place) > _RUN for other in changes):
            changes.append(drift)
    return sorted(changes, key=lambda drift: drift.place)


def section_of(url: str) -> str:
    """The host and the first part of the path, if more follows: numbers, such as years, tell no sections
    apart."""
    parts = urls.split(url)
    first, more, _ = parts.path.lstrip("/").partition("/")
    return f"{parts.authority}/{first if more and not first.isdecimal() else ''}"


def _changes(articles: Sequence[WatchedArticle], places: Sequence[int]) -> Iterator[Row]:
    """Yield the changes one after the other, each time the surest among the next articles."""
    start, place = 0, FEWEST_BEFORE
    while place + FEWEST_AFTER <= len(places):
        earlier = [
            articles[at] for at in places[max(start, place - 48) : place]
        ]  # that later ones are held against
        later = [articles[at] for at in places[place : place + _AHEAD + _RUN]]
        # all that can be told of the later articles by the earlier ones
        signs = chain(_missing(earlier), _new_things(earlier, later), _kept_otherwise(earlier))
        best = [(seen, where) for sign in signs for seen, where in _splits(sign, earlier, later)]
        if not best:
            place += _AHEAD // 2
            continue
        _, where = max(
            best, key=lambda pair: (round(pair[0].weight, 6), -pair[1], pair[0].kind, pair[0].what)
        )
        # what several signs find at one place is one change
        near = [seen for seen, other in best if abs(other - where) <= FEWEST_AFTER]
        seen_there = tuple(sorted(near, key=lambda seen: (-round(seen.weight, 6), seen.kind, seen.what)))
        start = place + where
        yield Row(
            before=places[start - 1],
            place=places[start],
            run=tuple(places[start : start + _RUN]),
            seen=seen_there,
        )
        place = start + FEWEST_BEFORE


def _splits(sign: _Sign, earlier: Articles, later: Articles) -> Iterator[tuple[Row, int]]:
    """The likeliest place of a change by one sign, if it is likely enough, behind what was seen.

    `what`: the field, the tag, the name, where the `kind` does not say all; `judge`: whether one more article
    is odd; `weight`: how much more probable a change is than none, a logarithm; `before` and `after`: odd
    articles, and all that something can be said of.
    """
    parts: list[tuple[Row, int]] = []
    kind, what, judge, of_many = sign
    all_odd, fewest = tuple(map(judge, [*earlier, *later])), _FEWEST_OF_SIGN.get(kind, FEWEST_AFTER)
    if all_odd[len(earlier) :].count(True) < _NEARLY_ALL * fewest:
        return  # most signs of most portals
    for where in range(min(_AHEAD, len(later) - fewest + 1)):
        split = len(earlier) + where
        rows = (all_odd[:split], all_odd[split : split + _RUN])
        before, after = ((odd.count(True), len(odd) - odd.count(None)) for odd in rows)
        if all_odd[split] is not True or before[1] < FEWEST_BEFORE or after[1] < fewest:
            continue
        if after[0] < _NEARLY_ALL * after[1] or before[0] > 0.2 * before[1]:
            continue
        usual, now = (before[0] + 0.5) / (before[1] + 1), min(after[0] / after[1], 0.98)
        weight = (
            after[0] * log(now / usual) + (after[1] - after[0]) * log((1 - now) / (1 - usual)) - log(of_many)
        )
        if weight >= _SURE:
            parts.append(
                (Row(kind=kind, what=what, judge=judge, weight=weight, before=before, after=after), where)
            )
    if parts:
        yield max(parts, key=lambda pair: (round(pair[0].weight, 6), -pair[1]))
