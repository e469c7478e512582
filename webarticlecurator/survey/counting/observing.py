"""What an inventory asks of a page: every element of its article container goes to its node of the merged tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL
from webarticlecurator.extraction.container import Container, find_container
from webarticlecurator.extraction.layouts import Rules, rules_for
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.counting.asking import all_asked, features, reduced
from webarticlecurator.survey.counting.container_rows import Rows, rows_of
from webarticlecurator.survey.counting.context import LONGEST
from webarticlecurator.survey.counting.examples import Examples
from webarticlecurator.survey.counting.observations import Observations
from webarticlecurator.survey.counting.path_tree import FOLDED, MOST_NODES, Spot, Tree, Year
from webarticlecurator.survey.counting.start_tags import StartTag, StartTags, whole_tag
from webarticlecurator.survey.page_year import dates_in, year_of
from webarticlecurator.survey.stored_page_sample import StoredPage

_DEEPEST = 100
"""Levels below the container; what lies deeper is folded."""
_SHORTEST_TEXT, _LONGEST_TEXT = 3, 60
"""Words of a text that may recur."""
_NO_CONTAINER = "no container of an article's text was found on the page"


@dataclass(frozen=True, slots=True)
class _Walk:
    """One container; the lists run in parallel."""

    rows: Rows
    starts: list[StartTag]
    nodes: list[int]
    fresh: list[int]
    """Rows that are the first of their node in this tally."""


class Observing:
    """The question of an inventory."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._watch: Watch | None = None

    def __reduce__(self) -> tuple[type[Observing], tuple[Portal]]:
        return Observing, (self._portal,)

    def tally(self) -> WatchedTally:
        """For the pages of one batch."""
        if self._watch is None:
            self._watch = Watch(self._portal)
        return WatchedTally(self._watch)

    def look(self, page: Page, stored: StoredPage, tally: WatchedTally) -> None:
        """Take in one page. Raises PatternTimeout."""
        tally.look(page, stored)


class WatchedTally(Observations):
    """Observations being made; what travels are the observations alone."""

    __slots__ = ("_watch",)

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    def __reduce__(self) -> tuple[Any, ...]:
        told = {name: getattr(self, name) for name in Observations.__slots__}
        return _arrived, ({**told, "tree": Tree(), "packed": self.tree.packed()},)

    def look(self, page: Page, stored: StoredPage) -> None:
        """Take in one page. Raises PatternTimeout."""
        self._watch.look(page, stored, self)
        self.forget_rare_texts()


def _arrived(told: dict[str, Any]) -> Observations:
    return Observations(**told)


class Watch:
    """What one process remembers while it looks at pages: what was told in one tally is not told again in the next."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        asked = tuple(all_asked(portal).values())
        self._starts = StartTags(asked)
        self._lefts = tuple(left for one in asked for left in one.lefts)
        self._names = frozenset(name for left in self._lefts for name in left.names)
        self._examples = Examples()

    def look(self, page: Page, stored: StoredPage, into: Observations) -> None:
        """Take in one page. Raises PatternTimeout."""
        rules = rules_for(page, self._portal, stored.listing)
        place = PageContext.whole(page, self._portal, listing=stored.listing)
        by_rule = rules.body.root is not None
        metadata = {} if by_rule else read_metadata(page, self._portal, rules.metadata, listing=stored.listing).metadata
        container = _with_posts(find_container(rules.body.root, place, metadata), post_parts(place, rules.posts))
        if not container.elements:
            into.pass_over(stored, PageOutcome.EMPTY, _NO_CONTAINER)
            return
        year = stored.year if stored.year is not None else year_of(_dates(place, rules, metadata))
        layout = rules.name or ""
        walks = [self._walk(root, container, layout, into) for root in container.elements]  # nothing is counted if one of them is too hard
        for walk in walks:
            self._count(walk, year, stored.url, into)
        into.years[year] += 1
        for node in {node for walk in walks for node in walk.nodes}:
            into.tree.of(node, year).pages += 1
        into.tag_pages.update({into.tree.spots[node].text for walk in walks for node in set(walk.nodes[1:])})
        into.texts.update({text for walk in walks for text in _short_texts(walk, into)})

    def _count(self, walk: _Walk, year: Year, url: str, into: Observations) -> None:
        """Add the figures of one container."""
        _add_figures(walk, year, into)
        _tell_start_tags(walk, into)
        self._examples.show(walk.rows, walk.nodes, walk.fresh, year, url, into)

    # -- nodes ------------------------------------------------------------------------------------------------------

    def _container_spot(self, root: Element, start: StartTag, post: str, layout: str, into: Observations) -> Spot:
        """A container with what is around it, as far as a rule may ask for it; `post`: the rule of one that stands beside the article."""
        around = list(root.iterancestors())[::-1]
        for element in around:
            into.above.update(features(whole_tag(element)))
        scope = Scope(None, root)
        asked_for = any(left.matches(element, scope) for left in self._lefts for element in around)
        above = tuple(reduced(whole_tag(element), self._names) for element in around) if asked_for else ()
        return Spot.of(start.spot.tag, start.spot.whole, furniture=post, layout=layout, above=above)

    def _walk(self, root: Element, container: Container, layout: str, into: Observations) -> _Walk:
        """The node of each element of a container."""
        rows = rows_of(root)
        starts = [self._starts.of(element) for element in rows.elements]
        tree, parents, depths, furniture, spot_of = into.tree, rows.parents, rows.depths, container.furniture, self._starts.spot
        scope = Scope(None, root)
        nodes, fresh = [tree.child(-1, self._container_spot(root, starts[0], furniture.get(root, ""), layout, into))], []
        for row in range(1, len(rows)):
            parent, start, element = nodes[parents[row]], starts[row], rows.elements[row]
            if tree.spots[parent] is FOLDED:
                nodes.append(parent)
                continue
            spot = spot_of(element, start, furniture.get(element, ""), scope) if furniture or start.candidates else start.spot
            node = tree.index.get((parent, spot.key))
            if node is None:
                if depths[row] > _DEEPEST or len(tree) > 2 * MOST_NODES:
                    spot = FOLDED
                node = tree.child(parent, spot)
                fresh.append(row)
            nodes.append(node)
        return _Walk(rows, starts, nodes, fresh)


def _dates(place: PageContext, rules: Rules, metadata: Metadata) -> Iterator[str]:
    """What says the date of a page: the portal's rule, or all of the metadata where they were read, then a cheap look."""
    of_rule = {name: picks for name, picks in rules.metadata.items() if name == "datePublished"}
    yield from (found.value for found in (metadata or pick_fields(of_rule, place)).get("datePublished", ()))
    yield from dates_in(place.page.tree) if place.page.tree is not None else ()


def _with_posts(container: Container | None, posts: Mapping[Element, str]) -> Container:
    """The article with the posts that stand beside it: their text is rewritten by the same rules."""
    article = container or Container(elements=(), how="")
    places = {*article.elements, *posts}
    beside = [element for element in posts if element not in article.elements and places.isdisjoint(element.iterancestors())]
    return replace(article, elements=(*article.elements, *beside), furniture={**article.furniture, **posts})


def _add_figures(walk: _Walk, year: Year, into: Observations) -> None:
    """Of what is folded into the node around it, only what stands immediately in the elements: the rest is counted already."""
    rows, nodes, all_figures = walk.rows, walk.nodes, into.tree.figures
    for row, (node, parent) in enumerate(zip(nodes, rows.parents, strict=True)):
        figures = all_figures[node].get(year) or into.tree.of(node, year)
        figures.frequency += 1
        figures.own_words += rows.own[row]
        if row == 0 or node != nodes[parent]:
            figures.words += rows.words[row]
            figures.link_words += rows.linked[row]
            figures.descendants += rows.descendants[row]


def _tell_start_tags(walk: _Walk, into: Observations) -> None:
    for start, words in zip(walk.starts[1:], walk.rows.words[1:], strict=True):
        if not start.told:
            start.told = True
            into.start_tags.add(start.hash)
        if words and not start.told_with_text:
            start.told_with_text = True
            into.start_tags_with_text.add(start.hash)


def _short_texts(walk: _Walk, into: Observations) -> Iterator[tuple[str, str]]:
    """Of blocks without blocks in them: what stands on many pages may be the site's and not the article's."""
    rows, spots = walk.rows, into.tree.spots
    for row in range(1, len(rows)):
        if _SHORTEST_TEXT <= rows.words[row] <= _LONGEST_TEXT and not rows.holds_block[row] and rows.elements[row].tag in BLOCK_LEVEL:
            yield spots[walk.nodes[row]].text, rows.text_of(row)[:LONGEST]
