"""What speaks against the portal file's rules for metadata: one value everywhere, or what the pages themselves say of most articles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import cached_property
from itertools import chain, groupby, islice
from operator import attrgetter, itemgetter
from typing import NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase, BuiltArticle
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DAY, in_reach
from webarticlecurator.extraction.metadata.dates import read_iso
from webarticlecurator.extraction.metadata.names import AGENCIES, DESKS
from webarticlecurator.extraction.metadata.topics import HOME
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded

FEWEST, _FEWEST_TIMES = 10, 20
"""Documents that say what a rule gives; and when they were published, without one."""
_LOOKED_AT = 500
"""Documents of each field, evenly spread."""
ENOUGH, ENOUGH_OF_SOME, _ENOUGH_DATES, _ENOUGH_OF_FEW = 0.6, 0.3, 0.2, 0.1
"""Share of them for which the page says something else; a rule with alternatives is wrong only where the first of them finds something, and
headlines are cut where they have what a pattern cuts at."""
NEARLY_ALL, _MOST = 0.9, 0.8
_ENCODED, _YEAR = linear("%[0-9A-Fa-f]{2}"), linear_at(r"(?:19|20)\d\d")
_WHOLE = r"(?:(?<![^\W\d_])(?<![^\W\d_]-)|(?<=\W[וو])){}(?!-?[^\W\d_]|['’ʼ](?!s\b)[^\W\d_]|%[0-9A-Fa-f]{{2}})"
"""Matches a value that is no part of a word; Hebrew and Arabic write "and" as the first letter of what follows."""
_WORDS_CUT = "cuts within a word"
_MOST_NAMES = 2
"""Authors that may have written all there is."""
_DIFFERENT = 4
"""Values that have no word in common by chance."""
_TOPICS = ("articleSection", "keywords")
"""Portals call these in many ways; only one and the same on every page is none."""
FEWEST_OF_SOME, SOME = 3, 0.05
"""Documents that are misread, are lists, or have several authors in one; the share of all."""
_SAME_MOMENT = timedelta(minutes=30)
"""Between the times that one page tells of one publication."""
_OF_SLUG = linear_at(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_OF_ADDRESS = {
    "headline": linear(r"^[^\W_](?:[^\W_]|[%.])*(?:[-_](?:[^\W_]|[%.])*){2,}$"),
    "author": linear("^[a-z]+(?:-[a-z]+)+$"),
}
_LONGEST_NAME = 4
"""Words of a name."""
_ENDS = ".?!…\"”“’‘'»«)]%"
"""Marks that end headlines."""
_LONGEST_MARK = 3
"""Characters of what a headline may be without."""
_LONGEST = 80
"""Characters of a value that are shown."""
SAMPLE = f"""
    WITH documents AS (SELECT number, url, layout, row_number() OVER (ORDER BY number) AS place, count(*) OVER () AS total FROM articles
        WHERE outcome IN ('{"', '".join(sorted(DOCUMENTED))}')),
    sample AS (SELECT number, url, layout FROM documents WHERE place % max(1, total / {_LOOKED_AT}) = 0)
"""
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
_OF_RULE = f"{SAMPLE} SELECT value, url FROM sample JOIN metadata ON article = number WHERE field = ? AND source = ? AND place = 0"
_LATEST = f"""
    WITH latest AS (SELECT number, url, published FROM articles WHERE path IS NOT NULL ORDER BY published DESC LIMIT {_LOOKED_AT})
    SELECT source, group_concat(value, '; '), url FROM latest JOIN metadata ON article = number AND NOT disagrees
    WHERE field IN ('author', 'description', 'headline') AND source IN (SELECT value FROM json_each(?))
    GROUP BY source, number ORDER BY source, published DESC
"""
_HEADLINES = "SELECT value FROM metadata WHERE field = 'headline' AND NOT disagrees LIMIT 100000"
"""No more, so that memory does not grow with the corpus."""


class _Ruled(NamedTuple):
    """What a rule gave for one article, and what the page's own data say instead; empty where they do not."""

    field: str
    source: str
    value: str
    other: str
    other_source: str
    url: str
    values: str
    """All of the field."""
    same: str | None
    """Another field of the article that has one of the values, too: its section, its keywords, its headline, its day."""
    layout: str | None


def rule_doubts(database: BuildDatabase, portal: Portal, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """What speaks against the rules of a portal file for metadata, in sentences, each with the URL of an article. `sources`: those that the
    file itself has (`metadata.headline`, `listing:author`)."""
    yield from _value_doubts(database, sources)
    yield from _lately_alike(database, sources)
    yield from _cut_doubts(database, sources)
    yield from _map_doubts(database, {name: rule for name, rule in portal.metadata.items() if f"metadata.{name}" in sources})


def _value_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of rules that seem to give something else than their field; of what no rule gives, that it is all the same: times of publication,
    and what every page of a site says where a rule gives nothing."""
    headlines = frozenset(value for (value,) in database.rows(_HEADLINES))
    rows_of_all = list(map(_Ruled._make, database.rows(_RULED, (orjson.dumps(sorted(sources)).decode(),))))
    given: defaultdict[str, set[str]] = defaultdict(set)
    """What any document has for a field."""
    for row in rows_of_all:
        given[row.field].update(row.values.split("; "))
    for (field, source), rows in groupby(rows_of_all, key=itemgetter(0, 1)):
        ruled = list(rows)
        if source in sources:  # of all documents, or of those of one layout
            groups = (ruled, *(list(of_layout) for _, of_layout in groupby(ruled, key=attrgetter("layout"))))
            large = (group for group in groups if len(group) >= FEWEST)
            told = next(filter(None, (_told(_of_rule(group, headlines, given[field]), len(group)) for group in large)), None)
            name = source.replace("listing:", "archive.fields.")
        else:
            told = _told(_without_rule(ruled, given[field], has_rule=f"metadata.{field}" in sources), len(ruled))
            name = f"{field}` by `{source}" if field == "datePublished" else f"metadata.{field}"
        if told is not None:
            yield f"`{name}` {told[0]}", told[1]


def _lately_alike(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of rules that give one and the same since some day, as those may that the site has outgrown; before they gave many other values."""
    for source, rows in groupby(database.rows(_LATEST, (orjson.dumps([*sources]).decode(),)), key=itemgetter(0)):
        _, values, urls = zip(*rows, strict=True)
        latest, since = values[0], next((place for place, value in enumerate(values) if value != values[0]), len(values))
        before = {*values[since:]}
        if since >= FEWEST and len(before) >= _DIFFERENT and latest not in before:
            name = source.replace("listing:", "archive.fields.")
            yield f"`{name}` gives the same for the latest {since:,} documents, and for none before: {shown(latest)}", urls[0]


def sampled(database: BuildDatabase, most: int, where: str = "1") -> Iterator[BuiltArticle]:
    """So many documents of the sample, of all times, that fulfil an SQL condition."""
    return islice(database.read(f"a.number IN ({SAMPLE} SELECT number FROM sample) AND {where}", order="number % 97, number"), most)


def _cut_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of rules that take parts of words on some pages, or part authors or topics otherwise than the page's own reading of the same text."""
    cut: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    looked_at = 0
    for article in sampled(database, _LOOKED_AT):
        looked_at += 1
        for field, values in article.record["metadata"].items():
            if field not in ("author", "headline", *_TOPICS) or values[0]["source"] not in sources:
                continue
            for what, text, raw in _cuts(field, values, article.record["disagreements"].get(field, ())):
                cut.setdefault((values[0]["source"], what), []).append((text, raw, article.url))
    for (source, what), parts in cut.items():
        fewest = FEWEST_OF_SOME if what == _WORDS_CUT else max(FEWEST_OF_SOME, SOME * looked_at)
        if (documents := len({url for *_, url in parts})) >= fewest:
            text, raw, url = parts[0]
            name, where = source.replace("listing:", "archive.fields."), f"in {amount(documents, 'document')}"
            yield f"`{name}` {what} {where}: {shown(text)} of {shown(raw)}", url


_Cut = tuple[str, str, str]
"""A fault of a rule: its name, the value that was cut, and the text that the value stands in."""
_Values = Sequence[Mapping[str, str]]


def _cuts(field: str, values: _Values, others: _Values) -> Iterator[_Cut]:
    """Give what is wrong with the values of a rule; `others` has the page's own reading beside them."""
    for value in values:
        yield from _words_cut(value)
        yield from _PARTED.get(field, _nothing_parted)(value, values, others)


def _words_cut(value: Mapping[str, str]) -> Iterator[_Cut]:
    raw, text = value.get("raw") or "", value["value"]
    if text in raw and text[:1].isalpha() and not linear(_WHOLE.format(re.escape(text))).search(raw):
        yield _WORDS_CUT, text, raw


def _topics_parted(value: Mapping[str, str], _: _Values, others: _Values) -> Iterator[_Cut]:
    raw, text = value.get("raw") or "", value["value"]
    for other in others:
        if text in other["value"] and other["value"] in raw:
            yield "cuts what the page has whole", text, other["value"]


def _authors_parted(value: Mapping[str, str], values: _Values, others: _Values) -> Iterator[_Cut]:
    raw, text = value.get("raw") or "", value["value"]
    if sum(other["value"] in text for other in others) > 1:
        yield "gives several authors as one", text, raw
    given = {each["value"] for each in values}
    for other in others:
        # the text that has both names in it
        together = next((written for written, name in ((other["raw"], text), (raw, other["value"])) if name in written), "")
        if together and not _is_known_author(other["value"], text, given):
            yield "leaves out some authors", text, together


def _is_known_author(name: str, text: str, given: Collection[str]) -> bool:
    if text in name or name in text or name in given:
        return True
    return name.casefold() in AGENCIES or not DESKS.isdisjoint(name.casefold().split())


def _nothing_parted(*_: object) -> Iterator[_Cut]:
    return iter(())


_PARTED = {"author": _authors_parted, **dict.fromkeys(_TOPICS, _topics_parted)}
"""How values of a field may be parted wrongly."""


def _map_doubts(database: BuildDatabase, rules: Mapping[str, Picks]) -> Iterator[tuple[str, str]]:
    """Of tables that make names of words of addresses, and do not name some of these."""
    for field, rule in rules.items():
        table = {old: new for pick in rule.each() for old, new in (pick.map or {}).items()}
        if table and all(map(_OF_SLUG.fullmatch, table)) and not any(map(_OF_SLUG.fullmatch, table.values())):
            values = list(database.rows(_OF_RULE, (field, f"metadata.{field}")))
            left = [(value, url) for value, url in values if _OF_SLUG.fullmatch(value)]
            if len(left) >= FEWEST_OF_SOME:
                many = f"for {len(left):,} of {len(values):,} documents"
                yield f"`metadata.{field}` gives what its `map` does not name, {many}, such as {shown(left[0][0])}", left[0][1]


class _Doubt(NamedTuple):
    """What may be said of a rule."""

    sentence: str
    """With the first of the articles, how many they are (`where`), and `text` filled in."""
    odd: Sequence[_Ruled]
    """The articles that it is said of."""
    enough: float = 1
    """How many these have to be."""
    text: str = ""


def _told(doubts: Iterator[_Doubt], many: int) -> tuple[str, str] | None:
    """The first that is true of enough of so many articles, and the URL of one of them."""
    for doubt in doubts:
        if len(doubt.odd) >= max(1, doubt.enough):
            row, where = doubt.odd[0], f"for {len(doubt.odd):,} of {many:,} documents"
            texts = {"value": row.value, "values": row.values, "other": row.other, "text": doubt.text}
            return doubt.sentence.format(row, where=where, **{name: shown(text) for name, text in texts.items()}), row.url
    return None


@dataclass(frozen=True)
class _OfRule:
    """Tell what one rule gave, and what speaks against it, by the documents that it gave something for."""

    ruled: Sequence[_Ruled]
    headlines: frozenset[str]
    """Of all documents."""
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

    @cached_property
    def names(self) -> list[tuple[_Ruled, list[str]]]:
        """Each document with all its values."""
        return [(row, row.values.split("; ")) for row in self.ruled]


_AS_ONE = "gives several {} as one {{where}}, such as {{values}}; `split` parts them"
_TOO = "gives what `{0.same}` gives, too, {where}, such as {values}: one of the two may be wrong"


def _of_rule(ruled: Sequence[_Ruled], headlines: frozenset[str], given: Collection[str]) -> Iterator[_Doubt]:
    """Give all that may speak against a rule, in the order of the table: the first that is true is told."""
    of_rule = _OfRule(ruled, headlines, given)
    for fields, check in _CHECKS:
        if fields is None or of_rule.field in fields:
            yield from check(of_rule)


def _few_headlines(of_rule: _OfRule) -> Iterator[_Doubt]:
    values, many = of_rule.values, of_rule.many
    usual, times = values.most_common(1)[0]
    if 2 * len(values) < many:
        alike = f"gives no more than {amount(len(values), 'value')} for {many:,} documents ({{value}} for {times:,} of them)"
        yield _Doubt(alike, [row for row in of_rule.ruled if row.value == usual])


def _one_for_too_many(of_rule: _OfRule) -> Iterator[_Doubt]:
    yield _same(of_rule.ruled)


def _parts_of_addresses(of_rule: _OfRule) -> Iterator[_Doubt]:
    for of_address, enough in ((_OF_ADDRESS.get(of_rule.field, _ENCODED), NEARLY_ALL * of_rule.many), (_ENCODED, of_rule.some)):
        yield _Doubt("gives parts of addresses, such as {values}", [row for row in of_rule.ruled if of_address.search(row.values)], enough)


def _no_sections(of_rule: _OfRule) -> Iterator[_Doubt]:
    yield _Doubt("gives years, such as {value}", [row for row in of_rule.ruled if _YEAR.fullmatch(row.value)], of_rule.many)
    front = [row for row in of_rule.ruled if folded(row.value) in HOME]
    yield _Doubt("gives the front page {where}, such as {value}", front, of_rule.some)


def _what_another_field_gives(of_rule: _OfRule) -> Iterator[_Doubt]:
    fewest = {"author": ENOUGH, "dateModified": NEARLY_ALL}.get(of_rule.field, _MOST) * of_rule.many
    # no section and no author is called as the article is
    as_headline = fewest if of_rule.field == "keywords" else of_rule.some
    yield _Doubt(_TOO, [row for row in of_rule.ruled if row.same == "headline"], as_headline)
    yield _Doubt(_TOO, [row for row in of_rule.ruled if row.same], fewest)


def _headlines_of_articles(of_rule: _OfRule) -> Iterator[_Doubt]:
    odd = [row for row, names in of_rule.names if not of_rule.headlines.isdisjoint(names)]
    yield _Doubt("gives headlines of articles, such as {values}", odd, ENOUGH_OF_SOME * of_rule.many)


def _authors_as_one(of_rule: _OfRule) -> Iterator[_Doubt]:
    full_names = {name for name in chain.from_iterable(names for _, names in of_rule.names) if " " in name}
    odd = [row for row, names in of_rule.names if any(_begins_or_ends(name, full_names) for name in names)]
    yield _Doubt(_AS_ONE.format("authors"), odd, of_rule.some)


def _else_than_page(of_rule: _OfRule) -> Iterator[_Doubt]:
    yield from _another(of_rule.field, of_rule.ruled, of_rule.given)


def _common_part(of_rule: _OfRule) -> Iterator[_Doubt]:
    shared = _in_common(of_rule.field, {row.values: row.value for row in of_rule.ruled})
    if shared:
        yield _Doubt("gives {text} in nearly all documents, such as {values}", of_rule.ruled, text=shared)


def _keywords_as_one(of_rule: _OfRule) -> Iterator[_Doubt]:
    single = {value for value in of_rule.values if " " not in value}

    def is_several(value: str) -> bool:
        return value.count(", ") > 1 or (" " in value and single.issuperset(value.split()))

    odd = [row for row in of_rule.ruled if row.values == row.value and is_several(row.value)]
    yield _Doubt(_AS_ONE.format("values"), odd, ENOUGH_OF_SOME * of_rule.many)


def _never_first(of_rule: _OfRule) -> Iterator[_Doubt]:
    known = AGENCIES | {names[0].casefold() for _, names in of_rule.names}
    beside = [(name, row) for row, names in of_rule.names for name in [each for each in names if each.casefold() not in known][:1]]
    if FEWEST_OF_SOME * len({name for name, _ in beside}) > len(beside):
        return  # many names, once each; else a few, again and again
    first = "gives names that stand first in no document, {where}, such as {text} of {values}"
    mend = "if they took the pictures, a narrower selector or `drop` leaves them out"
    name = beside[0][0] if beside else ""
    yield _Doubt(f"{first}: {mend}", [row for _, row in beside], of_rule.many / 2, name)


_MAY_BE_NAMES = frozenset({"author", "dateModified", *_TOPICS})
_CHECKS: tuple[tuple[frozenset[str] | None, Callable[[_OfRule], Iterator[_Doubt]]], ...] = (
    (frozenset({"headline"}), _few_headlines),
    (None, _one_for_too_many),
    (None, _parts_of_addresses),
    (frozenset({"articleSection"}), _no_sections),
    (_MAY_BE_NAMES, _what_another_field_gives),
    (_MAY_BE_NAMES, _headlines_of_articles),
    (frozenset({"author"}), _authors_as_one),
    (None, _else_than_page),
    (frozenset({"author", "headline", *_TOPICS}), _common_part),
    (frozenset({"keywords"}), _keywords_as_one),
    (frozenset({"author"}), _never_first),
)
"""The fields that a check is for, None for all, and the check."""


def _without_rule(ruled: Sequence[_Ruled], given: Collection[str], *, has_rule: bool) -> Iterator[_Doubt]:
    """`has_rule`: the portal file has one, which gives nothing for these articles."""
    field, many = ruled[0].field, len(ruled)
    if field == "datePublished":
        if many >= _FEWEST_TIMES and len(ruled[0].value) > DAY:
            yield _same(ruled, NEARLY_ALL)
        if ruled[0].source.startswith("listing:") and many >= FEWEST:  # as feeds tell it, perhaps of their own making
            yield from _another(field, ruled, given)
        # moments in UTC on the day before or after: by the clock of the portal it is that one
        of_clocks = (row for row in ruled if row.other_source == "html:date" and len(row.value) > DAY)
        another_day = "is another day than readers see, {where}, such as {value} for {other}: it depends on `timezone` in the portal file"
        yield _Doubt(another_day, [row for row in of_clocks if _days_apart(row) == 1], max(FEWEST_OF_SOME, SOME * many))
    elif has_rule and many >= FEWEST and len({row.values for row in ruled}) == 1:
        nothing = f"gives nothing for {many:,} documents; all of these have {{values}} instead, from `{{0.source}}`"
        yield _Doubt(f"{nothing}; `{{{{drop: ['.*']}}}}` as last alternative gives them none", ruled)


def _another(field: str, ruled: Sequence[_Ruled], given: Collection[str]) -> Iterator[_Doubt]:
    """That the pages themselves say something else."""
    for odd, share in _against(field, ruled, given):
        source = odd[0].other_source.partition(":")[0] if odd else ""
        says = {"url": "the page's address", "listing": "the list"}.get(source, "the page")
        again = "; what was listed by another `timezone`, `curator crawl --full --offline` reads again" if source == "listing" else ""
        other = "such as {value} for {other} ({0.other_source})"
        yield _Doubt(f"gives {{where}} something else than {says} says, {other}{again}", odd, share * len(ruled))


def _begins_or_ends(value: str, names: set[str]) -> bool:
    """Whether the name of another author and more makes up a value."""
    words = value.replace(",", " ").split()
    parts = {" ".join(words[:2]), " ".join(words[-2:])}
    return not names.isdisjoint(parts) if len(words) > _LONGEST_NAME else len(words) == _LONGEST_NAME and parts <= names


def _same(ruled: Sequence[_Ruled], share: float = 0.0) -> _Doubt:
    """That what is given for one article is given for too many, at least for that share of them."""
    sets = [frozenset(row.values.split("; ")) for row in ruled]  # in whatever order
    usual = Counter(sets).most_common(1)[0][0]
    same = [row for row, values in zip(ruled, sets, strict=True) if values == usual]
    enough = max(share, _too_many(ruled[0].field, same[0].values)) * len(ruled)
    return _Doubt("gives the same {where}: {values}", same, enough)


def _too_many(field: str, values: str) -> float:
    """The share of documents from which on one and the same is odd; more than all where it may be right."""
    several = values.count("; ") + 1
    if field == "datePublished":  # of one minute are few
        return _ENOUGH_DATES if len(values) > DAY else NEARLY_ALL
    if field == "author":
        return ENOUGH_OF_SOME if several > _MOST_NAMES else 2
    if field == "description":
        return ENOUGH_OF_SOME
    return NEARLY_ALL if field in _TOPICS and several > 1 else 2


_Odd = tuple[list[_Ruled], float]
"""Articles whose page says something else than the rule, and which share of all is enough."""


@dataclass(frozen=True)
class _Beside:
    """The values that pages themselves give for a field, beside those of a rule."""

    field: str
    ruled: Sequence[_Ruled]
    given: Collection[str]
    """The values of the field in all documents."""

    @cached_property
    def others(self) -> list[_Ruled]:
        """The documents whose page says something else."""
        return [row for row in self.ruled if row.other]

    @cached_property
    def values(self) -> Counter[str]:
        return Counter(row.other for row in self.others)

    @property
    def is_telling(self) -> bool:
        """Say whether the pages differ: a value of most articles, such as the portal's name, tells nothing of one."""
        return bool(self.others) and 2 * self.values.most_common(1)[0][1] <= len(self.ruled)


def _against(field: str, ruled: Sequence[_Ruled], given: Collection[str]) -> Iterator[_Odd]:
    """Give the articles whose page says something else than the rule, in the ways in which that may mean something."""
    beside = _Beside(field, ruled, given)
    if field in ("headline", "description"):
        yield _cut_off(beside.others, len(ruled)), _ENOUGH_OF_FEW
    if beside.is_telling:
        for check in _CONTRADICTIONS.get(field, (_other_words,)):
            yield from check(beside)


def _other_words(beside: _Beside) -> Iterator[_Odd]:
    yield [row for row in beside.others if _is_another(row)], ENOUGH_OF_SOME


def _other_headlines(beside: _Beside) -> Iterator[_Odd]:
    yield [row for row in beside.others if _is_another(row)], _ENOUGH_OF_FEW
    # such as the portal's name behind each, or the ways that lead to it before
    yield [row for row in beside.others if row.other in row.value], ENOUGH


def _names_of_others(beside: _Beside) -> Iterator[_Odd]:
    # the neighbour's, or one of several
    yield [row for row in beside.others if row.other in beside.given and row.value in beside.values], _ENOUGH_OF_FEW


def _one_topic_for_all(beside: _Beside) -> Iterator[_Odd]:
    if len({row.value for row in beside.ruled}) == 1:
        yield beside.others, ENOUGH


def _topics_of_others(beside: _Beside) -> Iterator[_Odd]:
    yield [row for row in beside.others if row.other in beside.given], ENOUGH_OF_SOME


def _cut_off(others: Sequence[_Ruled], many: int) -> list[_Ruled]:
    """Return those for which a rule gives a part of what the page says, each time without another part."""
    rests = Counter(_rest(row) for row in others)
    cut = [row for row in others if row.value in row.other and rests[_rest(row)] <= max(1, _ENOUGH_OF_FEW * many / 2)]
    return [row for row in cut if len(_rest(row)) > _LONGEST_MARK]


def _other_times(beside: _Beside) -> Iterator[_Odd]:
    """Tell apart what pages say and what lists say, which may tell of an age; what is no date is told by itself."""
    dated = [row for row in beside.others if read_iso(row.value, UTC)[0] is not None and _is_another_time(row)]
    listed = [row for row in dated if row.other_source.startswith("listing:")]
    yield [row for row in dated if not row.other_source.startswith("listing:")], _ENOUGH_OF_FEW
    yield [row for row in listed if _is_hours_off(row)], ENOUGH_OF_SOME


_CONTRADICTIONS: dict[str, tuple[Callable[[_Beside], Iterator[_Odd]], ...]] = {
    "datePublished": (_other_times,),
    "headline": (_other_headlines,),
    "author": (_other_words, _names_of_others),
    "articleSection": (_one_topic_for_all, _topics_of_others),
    "keywords": (_one_topic_for_all, _topics_of_others),
}
"""The checks of each field; other fields are compared by their words."""


def _parts(title: str) -> set[str]:
    """Its words, or its pairs of letters where it has no blanks."""
    letters = folded(title)
    return set(map(folded, title.split())) if title.count(" ") > 1 else {letters[at : at + 2] for at in range(len(letters) - 1)}


def _rest(row: _Ruled) -> str:
    return row.other.replace(row.value, "").strip()


_Lines = Mapping[str, str]
"""All values of a document, and the first of them."""


def _of_several(values: _Lines) -> list[list[str]]:
    return [whole.split("; ") for whole in values if "; " in whole]


def _first_words(values: _Lines) -> list[list[str]]:
    return [value.split()[:1] for value in values.values()]


def _last_words(values: _Lines) -> list[list[str]]:
    return [value.split()[-1:] for value in values.values()]


def _marks_behind(values: _Lines) -> list[list[str]]:
    lasts = [value[-1:] for value in values.values()]
    return [[mark] for mark in lasts if mark and not mark.isalnum() and mark not in _ENDS]


def _marks_before(values: _Lines) -> list[list[str]]:
    firsts = [value[:1] for value in values]
    return [[mark] for mark in firsts if mark and not mark.isalnum()]


_IN_COMMON = (_of_several, _first_words, _last_words, _marks_before)
_OF_HEADLINES = (_marks_behind, _marks_before)
_ONLY_LABELS = {
    ("articleSection", _of_several),
    ("headline", _marks_before),
    *((field, _last_words) for field in _TOPICS),
}
"""Where many articles may have a part in common, unless that ends as a label does."""


def _in_common(field: str, values: _Lines) -> str:
    """Return what nearly all of different values have: the word that names begin or end with, one among several names, a mark behind
    headlines, a label before topics."""
    if len(values) < _DIFFERENT:
        return ""
    topics_of_words = field in _TOPICS and not all(" " in value for value in values.values())
    for parts_of in _OF_HEADLINES if field == "headline" else _IN_COMMON:
        only_labels = (field, parts_of) in _ONLY_LABELS or (topics_of_words and parts_of is _first_words)
        times = Counter(chain.from_iterable(map(dict.fromkeys, parts_of(values))))
        part, most = times.most_common(1)[0] if times else ("", 0)
        if most >= NEARLY_ALL * len(values) and (not only_labels or part.endswith((":", "："))):
            return part
    return ""


def _is_another_time(row: _Ruled) -> bool:
    """Of what is as it is on the page, a year or a month where that has the day, or a day where it has the time. Programs that keep times
    in UTC may write its day into addresses."""
    if row.other.startswith(row.value):
        is_of_day = len(row.value) == DAY < len(row.other) and not row.other[DAY:].startswith("T00:00")
        return is_of_day or len(row.value) < DAY <= len(row.other)
    (day, moment), (other_day, other_moment) = (read_iso(text, UTC) for text in (row.value, row.other))
    if moment and other_moment:
        return abs(moment - other_moment) >= _SAME_MOMENT
    in_utc = moment.astimezone(UTC).date() if moment and in_reach(moment) and row.other_source == "url:date" else day
    return other_day not in (day, in_utc)


def _is_hours_off(row: _Ruled) -> bool:
    """As by a clock of another zone; lists may tell an age, or when an article was edited."""
    (_, moment), (_, other) = (read_iso(text, UTC) for text in (row.value, row.other))
    return moment is not None and other is not None and not (moment - other) % _SAME_MOMENT


def _days_apart(row: _Ruled) -> int | None:
    day, other = (read_iso(text, UTC)[0] for text in (row.value, row.other))
    return abs((day - other).days) if day is not None and other is not None else None


def _is_another(row: _Ruled) -> bool:
    """Another name, one with more around it or a part of it; another title: those that somebody wrote anew have words in common."""
    if row.field == "headline":
        words, others = _parts(row.value), _parts(row.other)
    else:
        words, others = (set(map(folded, text.split())) for text in (row.value, row.other))
    is_part = words < others and len(others) <= _LONGEST_NAME
    if row.field == "author" and (is_part or folded(row.other) in folded(row.value)):
        return True
    return 2 * len(words & others) < min(len(words), len(others))


def shown(value: str) -> str:
    return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")
