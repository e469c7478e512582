"""Picks for the link to the next page: made of the links that seem to lead there, and tried on all pages as a
crawl would try them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product

from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.pager_signs import ARROWS, NEXT_WORDS, is_called_pager, says_where
from webarticlecurator.extraction.picked_values import PageContext, pick_links, pick_nodes
from webarticlecurator.learning.element_selectors import names_of, picks_of
from webarticlecurator.learning.paging.next_links import Leads, NextLink
from webarticlecurator.learning.paging.number_rows import NumberRow, current_selectors, number_rows
from webarticlecurator.model.page import relations
from webarticlecurator.model.proposals import Plain
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import quoted
from webarticlecurator.text import short_text, without_accents
from webarticlecurator.urls import normalise

_LONGEST_TEXT = 40
_BY_REL, _BY_NAME, _BY_NAME_AROUND, _BY_NUMBER, _BY_WORDS, _BY_HEAD, _BY_PLACE = (
    0.0,
    0.5,
    0.7,
    0.9,
    1.0,
    1.5,
    2.0,
)
"""Ranks of the kinds of picks: where several give the same, the lower goes first, which will last longer."""
_NEXT = frozenset(map(without_accents, NEXT_WORDS))
"""As classes are written."""


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
    def is_plain(self) -> bool:
        """Named by what it is for, which one page shows as well as many; or it leads on from several."""
        return self.agreed > 1 or self.kind < _BY_NUMBER

    @property
    def order(self) -> tuple[float, float, int, str]:
        text = json.dumps(self.value, ensure_ascii=False, sort_keys=True)
        return -round(self.score, 4), self.kind, len(text), text


def best_picks(asked: Sequence[Row]) -> tuple[NextPick, ...]:
    """Tried on all pages, the best first. `asked`: each `page` with the `links` that seem to lead on, all to
    the same `url`."""
    # with a budget of its own: the page may be asked other things after this
    fresh = [replace(page.page, budget=Budget()) for page in asked]
    contexts = {
        page.requested_url: PageContext.whole(page, Portal(name="portal", title="", home=page.url))
        for page in fresh
    }
    links = sum(len(page.page.outline.rows("a")) for page in asked)
    most = max(6, min(400, 1_500_000 // max(1, links)))  # of pages with very many links few picks look at all
    likeliest = sorted(_kinds(asked).items(), key=lambda pair: pair[1])[:most]
    tried = (_tried(json.loads(text), kind, asked, contexts) for text, kind in likeliest)
    return tuple(
        sorted(
            (pick for pick in tried if pick is not None and pick.agreed > pick.wrong),
            key=lambda pick: pick.order,
        )
    )


def _kinds(asked: Sequence[Row]) -> dict[str, float]:
    """Return values of `next` as JSON, each with what kind it is."""
    kinds: dict[str, float] = {}
    links_on = (link for page in islice((page for page in asked if page.links), 12) for link in page.links)
    # what says so on all pages, such as `active`, goes before what says so on one of two, such as `first`
    marks = Counter(
        name for page in asked for row in number_rows(page.page) for name in current_selectors(row)
    )
    for value, kind in chain.from_iterable(_of_link(link, marks) for link in links_on):
        text = json.dumps(value, ensure_ascii=False)
        kinds[text] = min(kind, kinds.get(text, kind))
    return kinds


_Values = Iterator[tuple[Plain, float]]


def _of_link(link: NextLink, marks: Counter[str]) -> _Values:
    """`marks`: of how many pages a selector names the own number."""
    if link.kind is Leads.UNSEEN:
        yield {"head_link": "next"}, _BY_HEAD
        return
    if "next" in relations(link.element):
        yield "a[rel=next]" if link.element.get("rel") == "next" else 'a[rel~="next"]', _BY_REL
    own = [name for name in names_of(link.element) if name != "a"]
    holders = [
        holder for holder in islice(link.element.iterancestors(), 5) if holder.tag not in ("html", "body")
    ]
    around = [name for holder in holders for name in names_of(holder) if "." in name or "#" in name]
    yield from _by_names(own, around)
    yield from _by_pictures(link.element)
    named = [*own, *(f"{name} a" for name in around), "a"][:8]
    places = [(_distance(name, number), name) for number, name in enumerate(named)]
    yield from (
        _by_numbers(link.row, places, marks) if link.row is not None else _by_words(link.element, places)
    )


def _by_names(own: Sequence[str], around: Sequence[str]) -> _Values:
    """By what the link, and what is around it, are called."""
    yield from ((name, _BY_NAME if _says_next(name) else _BY_PLACE) for name in own)
    yield from ((f"{name} a", _BY_NAME_AROUND if _says_next(name) else _BY_PLACE) for name in around)


def _by_pictures(element: Element) -> _Values:
    """By what the pictures on the link are called."""
    names = chain.from_iterable(map(names_of, element.iterchildren("*")))
    yield from ((f"a:has(> {name})", _BY_PLACE) for name in names)


def _distance(name: str, number: int) -> float:
    """The nearer an element is to the link, the less else stands in it; a bare `a` is any link of the
    page."""
    if name == "a":
        return 0.2
    return 0.0 if is_called_pager(name) else number / 100


def _by_numbers(row: NumberRow, places: Sequence[tuple[float, str]], marks: Counter[str]) -> _Values:
    """By the number behind the page's own."""
    own_number = sorted(current_selectors(row), key=lambda name: -marks[name])
    for far, place in places:
        yield {"css": place, "page_number": {"step": 1}}, _BY_NUMBER + far
        for rank, current in enumerate(own_number, start=1):
            yield (
                {"css": place, "page_number": {"step": 1, "current": current}},
                _BY_NUMBER + far + rank / 1000,
            )


def _by_words(element: Element, places: Sequence[tuple[float, str]]) -> _Values:
    """By what stands on the link, or on its picture."""
    labels = {
        "text": short_text(element, _LONGEST_TEXT),
        "aria-label": element.get("aria-label"),
        "title": element.get("title"),
    }
    patterns = {
        name: _beginning(label) for name, label in labels.items() if label and len(label) <= _LONGEST_TEXT
    }
    for (name, pattern), (far, place) in product(patterns.items(), places):
        if pattern:
            having: Plain = {name: pattern}
            yield {"css": place, "having": having}, _BY_WORDS + far
    if alt := next((picture.get("alt") for picture in element.iter("img")), None):
        yield f"a:has(img[alt={quoted(alt)}])", _BY_WORDS


def _says_next(names: str) -> bool:
    """Say whether classes or an id say that the next page follows."""
    leads_on, leads_back = says_where(names)
    return not leads_back and (
        leads_on or not _NEXT.isdisjoint(linear(r"[^\W\d_]+").findall(without_accents(names.casefold())))
    )


def _beginning(label: str) -> str | None:
    """The pattern of a label: without the arrows around words, and without numbers, which are others on the
    next page."""
    words = linear(r"\d").split(label.lstrip(ARROWS))[0].strip(ARROWS)
    escaped = linear(r"([\\^$.|?*+()\[\]{}])").sub(r"\\\1", words or label.strip())
    if words:
        return escaped if label[0] in ARROWS else f"^{escaped}"
    return f"^{escaped}$" if not any(map(str.isdigit, label)) else None


def _tried(
    value: Plain, kind: float, asked: Sequence[Row], contexts: Mapping[str, PageContext]
) -> NextPick | None:
    picks = picks_of(value, "archive.next")
    if picks is None:
        return None
    following: dict[str, str | None] = {}
    for url, context in contexts.items():
        following[url] = None
        try:
            if len(pick_nodes(picks, context)) <= 1_000:  # else it is none for a single link
                values = pick_links(picks, context, many=False).values
                following[url] = normalise(values[0].text) if values else None
        except PatternTimeout:
            pass
    pairs = ((page.url, following[page.page.requested_url]) for page in asked)
    cases = Counter((wanted is not None, url is not None, wanted == url) for wanted, url in pairs)
    agreed, missed = cases[True, True, True], cases[True, False, False]
    wrong = cases[True, True, False] + cases[False, True, False]
    return NextPick(
        value, kind, following, round(agreed - 0.7 * missed - 1.5 * wrong, 4), agreed, missed, wrong
    )
