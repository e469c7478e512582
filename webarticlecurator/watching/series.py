"""The row of a portal's articles, in the order of their dates: a sample of all, and the newest ones, as build.sqlite tells of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import orjson

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.model.article import INDEX_SIGN
from webarticlecurator.model.capture import Location
from webarticlecurator.watching.articles import WatchedArticle

_WATCHED = "a.outcome IN ('article', 'paywall', 'empty')"
_COLUMNS = (
    "a.rowid, a.id, a.url, a.outcome, a.headline, a.published, a.words, a.fields, a.unknown_tags, a.layout, a.flags, a.part, a.captures"
)
_NEIGHBOUR = (
    "SELECT published FROM articles a WHERE published IS NOT NULL AND rowid < ? ORDER BY rowid DESC LIMIT 1",
    "SELECT published FROM articles a WHERE published IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT 1",
)
_SHORTEST_LINE = 20
"""Characters; shorter ones repeat without meaning anything."""


@dataclass(frozen=True, slots=True)
class SeriesArticle:
    """An article, and where its page lies."""

    article: WatchedArticle
    state: str
    """Changes with what is built of it."""
    place: Location | None
    """Of its first page; None: the ledger must be asked, or it has no page of its own."""
    has_own_page: bool
    order: tuple[str, int]


def sampled(built: BuiltArticles, *, sample: int, newest: int) -> list[SeriesArticle]:
    """About so many articles of all times, and the newest. A larger corpus has a part of the same sample: what was seen of it holds."""
    mask, of = 0, total(built)
    while of / (mask + 1) > sample:
        mask = 2 * mask + 1
    found = _articles(built, f"(a.key & {mask}) = 0 OR {_among_newest(newest)}")
    return sorted(found, key=lambda one: one.order)


def total(built: BuiltArticles) -> int:
    """All that are watched."""
    (number,) = next(built.rows(f"SELECT count(*) FROM articles a WHERE {_WATCHED}"))
    return int(number)


def between(built: BuiltArticles, first: SeriesArticle, last: SeriesArticle) -> list[SeriesArticle]:
    """All articles of one layout behind the one and before the other."""
    found = _articles(built, "a.published BETWEEN ? AND ? AND a.layout IS ?", (first.order[0], last.order[0], first.article.layout))
    return sorted((one for one in found if first.order < one.order < last.order), key=lambda one: one.order)


def _among_newest(number: int) -> str:
    """By their dates; and by when they were collected, since some have none."""
    newest = f"SELECT id FROM articles a WHERE {_WATCHED} ORDER BY"
    return f"a.id IN ({newest} published DESC, id LIMIT {number}) OR a.id IN ({newest} rowid DESC LIMIT {number})"


def _articles(built: BuiltArticles, where: str, values: Sequence[object] = ()) -> Iterator[SeriesArticle]:
    for row in list(built.rows(f"SELECT {_COLUMNS} FROM articles a WHERE {_WATCHED} AND ({where})", values)):
        yield _article(built, row)


def _article(built: BuiltArticles, row: tuple[Any, ...]) -> SeriesArticle:
    number, id, url, outcome, headline, published, words, fields, unknown_tags, layout, flags, part, captures = row
    day = published or _of_neighbours(built, number)
    article = WatchedArticle(
        id=id,
        url=url,
        headline=headline or "",
        day=day,
        is_dated=published is not None,
        is_empty=outcome == "empty",
        words=words,
        fields=frozenset(orjson.loads(fields)),
        unknown_tags=frozenset(orjson.loads(unknown_tags)),
        layout=layout,
    )
    own = not any(flag.startswith(INDEX_SIGN) for flag in orjson.loads(flags))
    return SeriesArticle(article, f"{outcome} {part or captures}", None, own, (day, number))


def _of_neighbours(built: BuiltArticles, number: int) -> str:
    """An article without a date stands where it was collected."""
    for sql in _NEIGHBOUR:
        for (published,) in built.rows(sql, (number,)):
            return str(published)
    return ""


def with_texts(built: BuiltArticles, articles: Iterable[SeriesArticle]) -> Iterator[tuple[SeriesArticle, str]]:
    """The same with the lines of their texts, and where their pages lie; beside each its text."""
    for one in articles:
        kept = built.by_id(one.article.id) if not one.article.is_empty else None
        if kept is None:
            yield one, ""
            continue
        text: str = kept.record["text"]
        captures = kept.record["captures"]
        place = Location(file=captures[0]["file"], offset=captures[0]["offset"], length=captures[0]["length"]) if captures else None
        yield replace(one, article=replace(one.article, lines=lines_of(text)), place=place), text


def lines_of(text: str) -> frozenset[int]:
    """Hashes of the lines that are long enough to tell something."""
    lines = {line.strip() for line in text.split("\n")}
    return frozenset(
        int.from_bytes(blake2b(line.encode("utf-8", "replace"), digest_size=8).digest()) for line in lines if len(line) >= _SHORTEST_LINE
    )
