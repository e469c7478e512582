"""Do rules take parts of words on some pages, or part authors and topics otherwise than the page; does a
table miss words?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_sample import FEWEST_OF_SOME, LOOKED_AT, SAMPLE, SOME, sampled, shown
from webarticlecurator.config.picks import Picks
from webarticlecurator.extraction.metadata.names import AGENCIES, DESKS
from webarticlecurator.own_patterns import linear, linear_at

_WHOLE = r"(?:(?<![^\W\d_])(?<![^\W\d_]-)|(?<=\W[וو])){}(?!-?[^\W\d_]|['’ʼ](?!s\b)[^\W\d_]|%[0-9A-Fa-f]{{2}})"
"""Matches a value that is no part of a word; Hebrew and Arabic write "and" as the first letter of what
follows."""
_WORDS_CUT = "cuts within a word"
TOPICS = ("articleSection", "keywords")
"""Portals call these in many ways; only one and the same on every page is none."""
_OF_SLUG = linear_at(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_OF_RULE = (
    f"{SAMPLE} SELECT value, url FROM sample JOIN metadata ON article = number WHERE field = ? AND source = "
    "? AND place = 0"
)


def cut_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of rules that take parts of words on some pages, or part authors or topics otherwise than the page's
    own reading of the same text."""
    cut: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    looked_at = 0
    for article in sampled(database, LOOKED_AT):
        looked_at += 1
        for field, values in article.record["metadata"].items():
            if field not in ("author", "headline", *TOPICS) or values[0]["source"] not in sources:
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
        together = next(
            (written for written, name in ((other["raw"], text), (raw, other["value"])) if name in written),
            "",
        )
        if together and not _is_known_author(other["value"], text, given):
            yield "leaves out some authors", text, together


def _is_known_author(name: str, text: str, given: Collection[str]) -> bool:
    if text in name or name in text or name in given:
        return True
    return name.casefold() in AGENCIES or not DESKS.isdisjoint(name.casefold().split())


def _nothing_parted(*_: object) -> Iterator[_Cut]:
    return iter(())


_PARTED = {"author": _authors_parted, **dict.fromkeys(TOPICS, _topics_parted)}
"""How values of a field may be parted wrongly."""


def map_doubts(database: BuildDatabase, rules: Mapping[str, Picks]) -> Iterator[tuple[str, str]]:
    """Of tables that make names of words of addresses, and do not name some of these."""
    for field, rule in rules.items():
        table = {old: new for pick in rule.each() for old, new in (pick.map or {}).items()}
        if table and all(map(_OF_SLUG.fullmatch, table)) and not any(map(_OF_SLUG.fullmatch, table.values())):
            values = list(database.rows(_OF_RULE, (field, f"metadata.{field}")))
            left = [(value, url) for value, url in values if _OF_SLUG.fullmatch(value)]
            if len(left) >= FEWEST_OF_SOME:
                many = f"for {len(left):,} of {len(values):,} documents"
                yield (
                    f"`metadata.{field}` gives what its `map` does not name, {many}, such as "
                    f"{shown(left[0][0])}",
                    left[0][1],
                )
