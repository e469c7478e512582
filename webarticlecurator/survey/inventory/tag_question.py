"""What an inventory asks of a page: what the rules decide of every element of its article container, and how much text stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

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
from webarticlecurator.survey.inventory.container_rows import ContainerRows, rows_of
from webarticlecurator.survey.inventory.element_rules import Around, ElementRules
from webarticlecurator.survey.inventory.examples import LONGEST, ContainerText, DatedExample, WantedExamples
from webarticlecurator.survey.inventory.path_tree import FOLDED, MOST_NODES, PathTree
from webarticlecurator.survey.inventory.start_tags import StartTag, StartTags
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.page_year import Year, dates_in, year_of
from webarticlecurator.survey.stored_page_sample import StoredPage

_DEEPEST = 100
"""Levels below the container; what lies deeper is folded."""
_SHORTEST_TEXT, _LONGEST_TEXT = 3, 60
"""Words of a text that may recur."""
_NO_CONTAINER = "no container of an article's text was found on the page"


@dataclass(frozen=True, slots=True)
class _CountedContainer:
    """One container; the lists run in parallel."""

    rows: ContainerRows
    starts: list[StartTag]
    nodes: list[int]


class TagQuestion:
    """The question of an inventory; what one process has seen is remembered from batch to batch."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._rules: dict[str, ElementRules] = {}
        """By layout."""
        self._start_tags = StartTags()
        self._wanted = WantedExamples()

    def __reduce__(self) -> tuple[type[TagQuestion], tuple[Portal]]:
        return TagQuestion, (self._portal,)

    def tally(self) -> TagCounts:
        """An empty one."""
        return TagCounts()

    def look(self, page: Page, stored: StoredPage, tally: TagCounts) -> None:
        """Count one page. Raises PatternTimeout."""
        rules = rules_for(page, self._portal, stored.listing)
        context = PageContext.whole(page, self._portal, listing=stored.listing)
        by_rule = rules.body.root is not None
        metadata = {} if by_rule else read_metadata(page, self._portal, rules.metadata, listing=stored.listing).metadata
        container = _with_posts(find_container(rules.body.root, context, metadata), post_parts(context, rules.posts))
        if not container.elements:
            tally.pass_over(stored, PageOutcome.EMPTY, _NO_CONTAINER)
            return
        year = stored.year if stored.year is not None else year_of(_dates(context, rules, metadata))
        asked = self._rules_of(rules)
        # nothing is counted if one of them is too hard
        counted = [self._decide(root, container.furniture, asked, tally.tree) for root in container.elements]
        for one in counted:
            _add_figures(one, year, tally.tree)
            _count_start_tags(one, tally)
        tally.years[year] += 1
        for node in {node for one in counted for node in one.nodes}:
            tally.tree.of(node, year).pages += 1
        steps = tally.tree.steps
        tally.row_pages.update({steps[node].row for one in counted for node in set(one.nodes[1:]) if steps[node].is_in_a_row})
        tally.texts.update({text for one in counted for text in _short_texts(one, tally.tree)})
        tally.forget_rare_texts()
        for one in counted:
            self._show(one, year, stored.url, tally)

    def _rules_of(self, rules: Rules) -> ElementRules:
        layout = rules.name or ""
        if layout not in self._rules:
            self._rules[layout] = ElementRules(rules.body, self._portal, layout)
        return self._rules[layout]

    def _decide(self, root: Element, special: Mapping[Element, str], rules: ElementRules, tree: PathTree) -> _CountedContainer:
        """The node of each element of a container."""
        rows = rows_of(root)
        starts = [self._start_tags.of(element) for element in rows.elements]
        scope = Scope(None, root)
        step, inside = rules.of_container(starts[0].tag, special.get(root, ""))
        nodes: list[int] = [tree.child(-1, step)]
        insides: list[Around] = [inside]
        for row in range(1, len(rows)):
            element, start, parent = rows.elements[row], starts[row], rows.parents[row]
            above = nodes[parent]
            if tree.steps[above] is FOLDED:
                nodes.append(above)
                insides.append(insides[parent])
                continue
            step, inside = rules.of(element, start, special.get(element, ""), insides[parent], scope)
            node = tree.index.get((above, step.key))
            if node is None:
                is_too_much = rows.depths[row] > _DEEPEST or len(tree) > 2 * MOST_NODES
                node = tree.child(above, FOLDED if is_too_much else step)
            nodes.append(node)
            insides.append(inside)
        return _CountedContainer(rows, starts, nodes)

    def _show(self, counted: _CountedContainer, year: Year, url: str, tally: TagCounts) -> None:
        """Add the examples of one container."""
        rows, nodes, steps = counted.rows, counted.nodes, tally.tree.steps
        here = sorted({steps[node].row for node in set(nodes[1:]) if steps[node].is_in_a_row})
        wanted = frozenset(self._wanted.of(here, year, url))
        if not wanted:
            return
        chosen: dict[str, int] = {}
        for row in range(1, len(rows)):
            name = steps[nodes[row]].row
            if name in wanted:
                best = chosen.setdefault(name, row)
                if rows.words[row] and not rows.words[best]:
                    chosen[name] = row
        text = ContainerText(rows.elements[0], url)
        for name, row in chosen.items():
            tally.show(name, DatedExample(year, text.example(rows.elements[row])))


def _dates(context: PageContext, rules: Rules, metadata: Metadata) -> Iterator[str]:
    """What says the date of a page: the portal's rule, or all of the metadata where they were read, then a cheap look."""
    of_rule = {name: picks for name, picks in rules.metadata.items() if name == "datePublished"}
    yield from (found.value for found in (metadata or pick_fields(of_rule, context)).get("datePublished", ()))
    yield from dates_in(context.page.tree) if context.page.tree is not None else ()


def _with_posts(container: Container | None, posts: Mapping[Element, str]) -> Container:
    """The article with the posts that stand beside it: their text is rewritten by the same rules."""
    article = container or Container(elements=(), how="")
    places = {*article.elements, *posts}
    beside = [element for element in posts if element not in article.elements and places.isdisjoint(element.iterancestors())]
    return replace(article, elements=(*article.elements, *beside), furniture={**article.furniture, **posts})


def _add_figures(counted: _CountedContainer, year: Year, tree: PathTree) -> None:
    """Of what is folded into the node around it, only what stands immediately in the elements: the rest is counted already."""
    rows, nodes = counted.rows, counted.nodes
    for row, (node, parent) in enumerate(zip(nodes, rows.parents, strict=True)):
        figures = tree.figures[node].get(year) or tree.of(node, year)
        figures.frequency += 1
        figures.own_words += rows.own[row]
        if row == 0 or node != nodes[parent]:
            figures.words += rows.words[row]
            figures.link_words += rows.linked[row]
            figures.descendants += rows.descendants[row]


def _count_start_tags(counted: _CountedContainer, tally: TagCounts) -> None:
    for start, words in zip(counted.starts[1:], counted.rows.words[1:], strict=True):
        tally.start_tags.add(start.hash)
        if words:
            tally.start_tags_with_text.add(start.hash)


def _short_texts(counted: _CountedContainer, tree: PathTree) -> Iterator[tuple[str, str]]:
    """Of blocks without blocks in them: what stands on many pages may be the site's and not the article's."""
    rows = counted.rows
    for row in range(1, len(rows)):
        if _SHORTEST_TEXT <= rows.words[row] <= _LONGEST_TEXT and not rows.holds_block[row] and rows.elements[row].tag in BLOCK_LEVEL:
            step = tree.steps[counted.nodes[row]]
            if step.is_in_a_row:
                yield step.row, rows.text_of(row)[:LONGEST]
