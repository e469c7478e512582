"""Doubts about the portal file's rules for metadata: one value everywhere, or what the pages themselves say
of most articles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.common_parts import DIFFERENT, TOPICS, in_common
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_sample import (
    ENOUGH,
    ENOUGH_DATES,
    ENOUGH_OF_SOME,
    FEWEST,
    FEWEST_OF_SOME,
    FEWEST_TIMES,
    LOOKED_AT,
    MOST,
    NEARLY_ALL,
    PAGES,
    SAMPLE,
    SOME,
    Doubt,
    shown,
)
from webarticlecurator.building.page_contradictions import Ruled, against, days_apart
from webarticlecurator.dates import DAY

_RULED = f"""{SAMPLE}
    SELECT m.field, m.source, m.value, coalesce(o.value, ''), coalesce(o.source, ''), url,
        (SELECT group_concat(value, '; ') FROM metadata WHERE article = number AND field = m.field AND NOT disagrees),
        (SELECT t.field FROM metadata t JOIN metadata a USING (article, value) WHERE article = number AND NOT a.disagrees
            AND (NOT t.disagrees OR o.value IS NOT NULL)
            AND a.field = m.field AND t.field != m.field
            AND t.field IN ('articleSection', 'keywords', 'headline', 'datePublished') LIMIT 1),
        layout
    FROM sample JOIN metadata m ON m.article = number AND NOT m.disagrees AND m.place = 0
    LEFT JOIN metadata o ON o.article = number AND o.field = m.field AND o.disagrees AND o.place = 0
    WHERE m.source IN (SELECT value FROM json_each(?)) OR m.field IN ('author', 'datePublished', 'headline', 'articleSection', 'keywords')
    ORDER BY m.field, m.source, layout, number
"""
_LATEST = f"""
    WITH latest AS (SELECT number, url, published FROM articles WHERE path IS NOT NULL ORDER BY published DESC LIMIT {LOOKED_AT})
    SELECT source, group_concat(value, '; '), url FROM latest JOIN metadata ON article = number AND NOT disagrees
    WHERE field IN ('author', 'description', 'headline') AND source IN (SELECT value FROM json_each(?))
    GROUP BY source, number ORDER BY source, published DESC
"""


def rule_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[Doubt]:
    """Give what speaks against the rules of a portal file for metadata, in sentences, each with some
    articles that show it. `sources`: those that the file itself has (`metadata.headline`,
    `listing:author`)."""
    yield from _value_doubts(database, sources)
    yield from _lately_alike(database, sources)


def _value_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[Doubt]:
    """Tell of rules that seem to give something else than their field; of what no rule gives, that it is all
    the same: times of publication, and what every page of a site says where a rule gives nothing."""
    rows_of_all = list(map(Ruled._make, database.rows(_RULED, (orjson.dumps(sorted(sources)).decode(),))))
    given: defaultdict[str, set[str]] = defaultdict(set)
    """Return the values of a field in any document."""
    for row in rows_of_all:
        given[row.field].update(row.values.split("; "))
    for (field, source), rows in groupby(rows_of_all, key=itemgetter(0, 1)):
        ruled = list(rows)
        if source in sources:  # of all documents, or of those of one layout
            groups = (ruled, *(list(of_layout) for _, of_layout in groupby(ruled, key=attrgetter("layout"))))
            large = (group for group in groups if len(group) >= FEWEST)
            told = next(
                filter(None, (_told(_of_rule(group, given[field]), len(group)) for group in large)),
                None,
            )
            name = source.replace("listing:", "archive.fields.")
        else:
            told = _told(
                _without_rule(ruled, given[field], has_rule=f"metadata.{field}" in sources), len(ruled)
            )
            name = f"{field}` by `{source}" if field == "datePublished" else f"metadata.{field}"
        if told is not None:
            yield f"`{name}` {told[0]}", told[1]


def _lately_alike(database: BuildDatabase, sources: Collection[str]) -> Iterator[Doubt]:
    """Tell of rules that give one and the same since some day, as those may that the site has outgrown;
    before they gave many other values."""
    for source, rows in groupby(
        database.rows(_LATEST, (orjson.dumps([*sources]).decode(),)), key=itemgetter(0)
    ):
        _, values, urls = zip(*rows, strict=True)
        latest, since = (
            values[0],
            next((place for place, value in enumerate(values) if value != values[0]), len(values)),
        )
        before = {*values[since:]}
        if since >= FEWEST and len(before) >= DIFFERENT and latest not in before:
            name = source.replace("listing:", "archive.fields.")
            yield (
                f"`{name}` gives the same for the latest {since:,} documents, and for none before: "
                f"{shown(latest)}",
                urls[:PAGES],
            )


class _Doubt(NamedTuple):
    """The statements on a rule."""

    sentence: str
    """With the first of the articles, how many they are (`where`), and `text` filled in."""
    odd: Sequence[Ruled]
    """The articles that it is said of."""
    enough: float = 1
    """How many these have to be."""
    text: str = ""


def _told(doubts: Iterator[_Doubt], many: int) -> Doubt | None:
    """The first that is true of enough of so many articles, and some of them."""
    for doubt in doubts:
        if len(doubt.odd) >= max(1, doubt.enough):
            row, where = doubt.odd[0], f"for {len(doubt.odd):,} of {many:,} documents"
            texts = {"value": row.value, "values": row.values, "other": row.other, "text": doubt.text}
            return doubt.sentence.format(
                row, where=where, **{name: shown(text) for name, text in texts.items()}
            ), [row.url for row in doubt.odd[:PAGES]]
    return None


@dataclass(frozen=True)
class _OfRule:
    """Tell what one rule gave, and what speaks against it, by the documents that it gave something for."""

    ruled: Sequence[Ruled]
    given: Collection[str]
    """The values of the field in all documents."""

    @property
    def field(self) -> str:
        return self.ruled[0].field

    @property
    def many(self) -> int:
        return len(self.ruled)

    @property
    def some(self) -> float:
        """How many documents are no chance."""
        return max(FEWEST_OF_SOME, SOME * self.many)

    @cached_property
    def values(self) -> Counter[str]:
        """The first value of each document."""
        return Counter(row.value for row in self.ruled)


_TOO = "gives what `{0.same}` gives, too, {where}, such as {values}: one of the two may be wrong"


def _of_rule(ruled: Sequence[Ruled], given: Collection[str]) -> Iterator[_Doubt]:
    """Give all that may speak against a rule, in the order of the table: the first that is true is told."""
    of_rule = _OfRule(ruled, given)
    for fields, check in _CHECKS:
        if fields is None or of_rule.field in fields:
            yield from check(of_rule)


def _few_headlines(of_rule: _OfRule) -> Iterator[_Doubt]:
    values, many = of_rule.values, of_rule.many
    usual, times = values.most_common(1)[0]
    if 2 * len(values) < many:
        alike = (
            f"gives no more than {amount(len(values), 'value')} for {many:,} documents ({{value}} for "
            f"{times:,} of them)"
        )
        yield _Doubt(alike, [row for row in of_rule.ruled if row.value == usual])


def _one_for_too_many(of_rule: _OfRule) -> Iterator[_Doubt]:
    yield _same(of_rule.ruled)


def _what_another_field_gives(of_rule: _OfRule) -> Iterator[_Doubt]:
    fewest = {"author": ENOUGH, "dateModified": NEARLY_ALL}.get(of_rule.field, MOST) * of_rule.many
    # no section and no author is called as the article is
    as_headline = fewest if of_rule.field == "keywords" else of_rule.some
    yield _Doubt(_TOO, [row for row in of_rule.ruled if row.same == "headline"], as_headline)
    yield _Doubt(_TOO, [row for row in of_rule.ruled if row.same], fewest)


def _else_than_page(of_rule: _OfRule) -> Iterator[_Doubt]:
    yield from _another(of_rule.field, of_rule.ruled, of_rule.given)


def _common_part(of_rule: _OfRule) -> Iterator[_Doubt]:
    shared = in_common(of_rule.field, {row.values: row.value for row in of_rule.ruled})
    if shared:
        yield _Doubt("gives {text} in nearly all documents, such as {values}", of_rule.ruled, text=shared)


_MAY_BE_NAMES = frozenset({"author", "dateModified", *TOPICS})
_CHECKS: tuple[tuple[frozenset[str] | None, Callable[[_OfRule], Iterator[_Doubt]]], ...] = (
    (frozenset({"headline"}), _few_headlines),
    (None, _one_for_too_many),
    (_MAY_BE_NAMES, _what_another_field_gives),
    (None, _else_than_page),
    (frozenset({"author", "headline", *TOPICS}), _common_part),
)
"""The fields that a check is for, None for all, and the check."""


def _without_rule(ruled: Sequence[Ruled], given: Collection[str], *, has_rule: bool) -> Iterator[_Doubt]:
    """`has_rule`: the portal file has one, which gives nothing for these articles."""
    field, many = ruled[0].field, len(ruled)
    if field == "datePublished":
        if many >= FEWEST_TIMES and len(ruled[0].value) > DAY:
            yield _same(ruled, NEARLY_ALL)
        if (
            ruled[0].source.startswith("listing:") and many >= FEWEST
        ):  # as feeds tell it, perhaps of their own making
            yield from _another(field, ruled, given)
        # moments in UTC on the day before or after: by the clock of the portal it is that one
        of_clocks = (row for row in ruled if row.other_source == "html:date" and len(row.value) > DAY)
        another_day = (
            "is another day than readers see, {where}, such as {value} for {other}: it depends on `timezone` "
            "in the portal file"
        )
        yield _Doubt(
            another_day, [row for row in of_clocks if days_apart(row) == 1], max(FEWEST_OF_SOME, SOME * many)
        )
    elif has_rule and many >= FEWEST and len({row.values for row in ruled}) == 1:
        nothing = (
            f"gives nothing for {many:,} documents; all of these have {{values}} instead, from `{{0.source}}`"
        )
        yield _Doubt(f"{nothing}; `{{{{drop: ['.*']}}}}` as last alternative gives them none", ruled)


def _another(field: str, ruled: Sequence[Ruled], given: Collection[str]) -> Iterator[_Doubt]:
    """Tell that the pages themselves say something else."""
    for odd, share in against(field, ruled, given):
        source = odd[0].other_source.partition(":")[0] if odd else ""
        says = {"url": "the page's address", "listing": "the list"}.get(source, "the page")
        again = (
            "; what was listed by another `timezone`, `curator crawl --full --offline` reads again"
            if source == "listing"
            else ""
        )
        other = "such as {value} for {other} ({0.other_source})"
        yield _Doubt(
            f"gives {{where}} something else than {says} says, {other}{again}", odd, share * len(ruled)
        )


def _same(ruled: Sequence[Ruled], share: float = 0.0) -> _Doubt:
    """Tell that what is given for one article is given for too many, at least for that share of them."""
    sets = [frozenset(row.values.split("; ")) for row in ruled]  # in whatever order
    usual = Counter(sets).most_common(1)[0][0]
    same = [row for row, values in zip(ruled, sets, strict=True) if values == usual]
    enough = max(share, _too_many(ruled[0].field, same[0].values)) * len(ruled)
    return _Doubt("gives the same {where}: {values}", same, enough)


def _too_many(field: str, values: str) -> float:
    """The share of documents from which on one and the same is odd; more than all where it may be right."""
    one, much = _ALIKE.get(field, (_NEVER, _NEVER))
    says_much = values.count("; ") > _MOST_PARTS.get(field, 0)
    if field == "datePublished":
        says_much = len(values) > DAY
    return much if says_much else one


_NEVER = 2.0
"""A share that no documents have."""
_MOST_PARTS = {"author": 1}
"""Values beside the first that all documents may have alike: two authors may have written all there is."""
_ALIKE = {
    "datePublished": (NEARLY_ALL, ENOUGH_DATES),
    "author": (_NEVER, ENOUGH_OF_SOME),
    "description": (ENOUGH_OF_SOME, ENOUGH_OF_SOME),
    **dict.fromkeys(TOPICS, (_NEVER, NEARLY_ALL)),
}
"""From which share of documents on one value of a field is odd, and one that says much: a moment, or several
names."""
