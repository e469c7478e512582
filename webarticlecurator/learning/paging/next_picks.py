"""Picks for the link to the next page: made of the links that seem to lead there, and tried on all pages as a crawl would try them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.pager_signs import ARROWS, is_next
from webarticlecurator.extraction.picks import PageContext, pick_links, pick_nodes
from webarticlecurator.learning.links.candidates import names_of
from webarticlecurator.learning.paging.addresses import apart
from webarticlecurator.learning.paging.next_links import NextLink, names_pager, says_next
from webarticlecurator.learning.paging.pager_numbers import NumberRow, current_selectors
from webarticlecurator.learning.plain_picks import picks_of
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Plain
from webarticlecurator.selectors import quoted
from webarticlecurator.text import short_text
from webarticlecurator.urls import normalise

MOST_PICKS = 400
"""That are tried."""
MOST_ELEMENTS = 1_500_000
"""Links that all tried picks together look at; on pages with very many links fewer picks are tried."""
MOST_FOUND = 1_000
"""Elements of one page; a pick that finds more is not one for a single link."""
_FEWEST_PICKS = 6
_MOST_ALTERNATIVES = 3
_PAGES_WITH_LINKS = 12
"""From which picks are made; all are asked."""
_LEVELS = 5
_PLACES = 8
"""Elements around a link that are told apart by how far they are from it."""
_LONGEST_TEXT = 40
_REGEX_SIGNS = re.compile(r"([\\^$.|?*+()\[\]{}])")
_BY_REL, _BY_NAME, _BY_NAME_AROUND, _BY_NUMBER, _BY_WORDS, _BY_HEAD, _BY_PLACE, _BY_ORDER = 0.0, 0.5, 0.7, 0.9, 1.0, 1.5, 2.0, 3.0
"""Of picks that give the same the lower goes first: what will last longer."""


@dataclass(frozen=True, slots=True)
class NextPick:
    """A value of `next`, and where it leads from each page."""

    value: Plain
    kind: float
    following: Mapping[str, str | None]
    """Requested URL -> the next page."""
    score: float
    agreed: int
    """Pages of which it gives the link that seems to lead on."""
    missed: int
    wrong: int

    @property
    def counts_pages(self) -> bool:
        """It goes by the numbers of a pager."""
        return int(self.kind * 10) == int(_BY_NUMBER * 10)


@dataclass(frozen=True, slots=True)
class PageToAsk:
    """A page with the link that seems to lead on."""

    page: Page
    link: NextLink | None
    others: tuple[NextLink, ...] = ()
    """Further links to the same page."""
    url: str | None = None
    """Where it seems to lead: by the link, or by what JSON says."""
    json: str | None = None
    """The path of that."""


def best_picks(asked: Sequence[PageToAsk], candidates: Mapping[str, float]) -> tuple[NextPick, ...]:
    """Tried on all pages, the best first; `candidates`: values as JSON -> what kind they are."""
    contexts = {one.page.requested_url: context_of(one.page) for one in asked}
    most = picks_to_try(asked)
    tried = (_tried(json.loads(text), kind, asked, contexts) for text, kind in islice(candidates.items(), most))
    ranked = sorted((one for one in tried if one is not None and one.agreed > one.wrong), key=_order)
    if not ranked:
        return ()
    return (_with_alternatives(ranked, asked, contexts), *ranked)


def picks_to_try(asked: Sequence[PageToAsk]) -> int:
    """The best first: so many as their pages allow."""
    links = sum(one.page.tree.xpath("count(//a)") for one in asked if one.page.tree is not None)  # type: ignore[misc]
    return max(_FEWEST_PICKS, min(MOST_PICKS, MOST_ELEMENTS // max(1, int(links))))


def _order(one: NextPick) -> tuple[float, float, int, str]:
    text = json.dumps(one.value, ensure_ascii=False, sort_keys=True)
    return -round(one.score, 4), one.kind, len(text), text


def candidates(asked: Iterable[PageToAsk]) -> dict[str, float]:
    """Values of `next` as JSON -> what kind they are."""
    found: dict[str, float] = {}
    with_links = (one for one in asked if one.link is not None)
    for one in islice(with_links, _PAGES_WITH_LINKS):
        for link in (*filter(None, [one.link]), *one.others):
            for value, kind in _of_link(link):
                text = json.dumps(value, ensure_ascii=False)
                found[text] = min(kind, found.get(text, kind))
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def json_candidates(asked: Iterable[PageToAsk]) -> dict[str, float]:
    """The same for answers in JSON."""
    return {json.dumps({"json": one.json}, ensure_ascii=False): _BY_REL for one in asked if one.json is not None}


def _of_link(link: NextLink) -> Iterator[tuple[Plain, float]]:
    element = link.element
    if link.in_head:
        yield {"head_link": "next"}, _BY_HEAD
        return
    if is_next(element):
        yield "a[rel=next]" if element.get("rel") == "next" else 'a[rel~="next"]', _BY_REL
    own = [name for name in names_of(element) if name != "a"]
    around = [
        name
        for holder in islice(element.iterancestors(), _LEVELS)
        if holder.tag not in ("html", "body")
        for name in names_of(holder)
        if "." in name or "#" in name
    ]
    yield from ((name, _BY_NAME if says_next(name) else _BY_PLACE) for name in own)
    yield from ((f"{name} a", _BY_NAME_AROUND if says_next(name) else _BY_PLACE) for name in around)
    for name in own:
        yield from ((f"{outer} {name}", _BY_NAME if says_next(name) else _BY_PLACE - 0.1 - names_pager(outer) / 10) for outer in around)
    places = [*own, *(f"{name} a" for name in around), "a"]
    if link.row is not None and link.element is not link.row.beyond:
        yield from _by_number(link.row, places)
        return
    yield from _by_words(element, places)
    yield from (({"css": f"{name} a", "take": "last"}, _BY_ORDER) for name in around[:3])


def _by_number(row: NumberRow, places: Sequence[str]) -> Iterator[tuple[Plain, float]]:
    step = -1 if row.descending else 1
    for far, place in _by_distance(places):
        yield {"css": place, "page_number": {"step": step}}, _BY_NUMBER + far
        for rank, current in enumerate(current_selectors(row), start=1):
            yield {"css": place, "page_number": {"step": step, "current": current}}, _BY_NUMBER + far + rank / 1000


def _by_words(element: Element, places: Sequence[str]) -> Iterator[tuple[Plain, float]]:
    text = short_text(element, _LONGEST_TEXT)
    labels = {"text": text, "aria-label": element.get("aria-label"), "title": element.get("title")}
    for name, label in labels.items():
        if label and len(label) <= _LONGEST_TEXT and (pattern := _beginning(label)):
            for far, place in _by_distance(places):
                having: Plain = {name: pattern}
                yield {"css": place, "having": having}, _BY_WORDS + far
    for picture in islice(element.iter("img"), 1):
        if alt := picture.get("alt"):
            yield f"a:has(img[alt={quoted(alt)}])", _BY_WORDS


def _by_distance(places: Sequence[str]) -> Iterator[tuple[float, str]]:
    """The nearer an element is to the link, the less else stands in it; a bare `a` is any link of the page."""
    return ((0.2 if place == "a" else 0.0 if names_pager(place) else number / 100, place) for number, place in enumerate(places[:_PLACES]))


def _beginning(label: str) -> str | None:
    """The pattern of a label: without the arrows around words, and without numbers, which are others on the next page."""
    words = re.split(r"\d", label.lstrip(ARROWS))[0].strip(ARROWS)
    if words:
        return escaped(words) if label[0] in ARROWS else "^" + escaped(words)
    return f"^{escaped(label.strip())}$" if not any(map(str.isdigit, label)) else None


def escaped(text: str) -> str:
    """As a pattern that finds just this text."""
    return _REGEX_SIGNS.sub(r"\\\1", text)


# --- trying ---


def context_of(page: Page) -> PageContext:
    """With a budget of its own: the page may be asked other things after this."""
    portal = Portal(name="portal", title="", home=page.url)
    return PageContext.whole(replace(page, budget=Budget()), portal)


def _found(picks: Picks, context: PageContext) -> str | None:
    try:
        if len(pick_nodes(picks, context)) > MOST_FOUND:
            return None
        values = pick_links(picks, context, many=False).values
    except PatternTimeout:
        return None
    return normalise(values[0].text) if values else None


def _tried(value: Plain, kind: float, asked: Sequence[PageToAsk], contexts: Mapping[str, PageContext]) -> NextPick | None:
    picks = picks_of(value, "archive.next")
    if picks is None:
        return None
    following = {one.page.requested_url: _found(picks, contexts[one.page.requested_url]) for one in asked}
    return _judged(value, kind, asked, following)


def _judged(value: Plain, kind: float, asked: Sequence[PageToAsk], following: Mapping[str, str | None]) -> NextPick:
    pairs = [(one, following[one.page.requested_url]) for one in asked]
    agreed = sum(one.url is not None and one.url == found for one, found in pairs)
    missed = sum(one.url is not None and found is None for one, found in pairs)
    wrong = sum(found is not None and found != one.url and not _may_be_right(one, found) for one, found in pairs)
    others = sum(found is not None and one.url is None and _may_be_right(one, found) for one, found in pairs)
    score = agreed - 0.7 * missed - 1.5 * wrong - 0.2 * others
    return NextPick(value, kind, following, round(score, 4), agreed, missed, wrong)


def _may_be_right(one: PageToAsk, found: str) -> bool:
    """Of a page that seemed to lead nowhere: by its address it is the one that follows."""
    numbers = apart(normalise(one.page.requested_url), found)
    return one.url is None and numbers is not None and numbers[1] == numbers[0] + 1


def _with_alternatives(ranked: Sequence[NextPick], asked: Sequence[PageToAsk], contexts: Mapping[str, PageContext]) -> NextPick:
    """The best, and where it gives nothing others that give what is right: pages have layouts."""
    best, values = ranked[0], [ranked[0].value]
    for candidate in (*_beyond_rows(best, asked), *(one.value for one in ranked[1:])):
        if len(values) == _MOST_ALTERNATIVES:
            break
        other = _tried(candidate, best.kind, asked, contexts)
        if other is None:
            continue
        following = {url: found or other.following[url] for url, found in best.following.items()}
        joined = _judged([*values, candidate], best.kind, asked, following)
        is_beyond = candidate not in [one.value for one in ranked]
        gains = joined.agreed > best.agreed or (is_beyond and any(other.following.values()))
        if gains and joined.wrong == best.wrong:
            best, values = joined, [*values, candidate]
    return best


def _beyond_rows(best: NextPick, asked: Sequence[PageToAsk]) -> Iterator[Plain]:
    """Ten numbers at a time, then a link to the next ten."""
    value = best.value
    if not isinstance(value, Mapping) or "page_number" not in value:
        return
    rows = (one.link.row for one in asked if one.link is not None and one.link.row is not None)
    texts = (short_text(row.beyond, _LONGEST_TEXT) for row in rows if row.beyond is not None)
    for pattern in dict.fromkeys(_beginning(text) for text in texts if text):
        if pattern is not None:
            yield {"css": value["css"], "having": {"text": pattern}}
