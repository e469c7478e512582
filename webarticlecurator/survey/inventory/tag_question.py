"""What an inventory asks of a page: what the rules decide of every element of its article container, and how much text stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.extraction.body.locate import Container, find_container
from webarticlecurator.extraction.layouts import Rules, rules_for
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.extraction.picks import PageContext, pick_fields
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.inventory.element_rules import TAB_LABELS, Around, ElementRules
from webarticlecurator.survey.inventory.examples import LONGEST, DatedExample, ExampleText, WantedExamples
from webarticlecurator.survey.inventory.path_tree import FOLDED, MOST_NODES, PathTree
from webarticlecurator.survey.inventory.start_tags import StartTag, StartTags
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.stored_page import StoredPage, Year, dates_in, year_of
from webarticlecurator.text import element_text, squeeze

_DEEPEST = 100
"""Levels below the container; what lies deeper is folded."""
_SHORTEST_TEXT, _LONGEST_TEXT = 3, 60
"""Words of a text that may recur."""
_NO_CONTAINER = "no container of an article's text was found on the page"


@dataclass(slots=True, eq=False)
class ContainerRows:
    """The elements of a container, parents before their children, without scripts and the like; the lists run in parallel."""

    elements: list[Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """The row of the element around it; -1 for the container."""
    depths: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    """Words immediately in it."""
    words: list[int] = field(default_factory=list)
    """With all in it."""
    linked: list[int] = field(default_factory=list)
    """Of `words`, those in links."""
    descendants: list[int] = field(default_factory=list)
    holds_block: list[bool] = field(default_factory=list)
    starts: list[StartTag] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """Of the merged tree."""
    first: int = 1
    """The first row that is counted as a tag: 0 where it is no container, but a piece that stands apart."""

    def __len__(self) -> int:
        return len(self.elements)

    def text_of(self, row: int) -> str:
        """All text in it, white space normalised."""
        return squeeze(element_text(self.elements[row]))


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
        container = _with_posts(
            find_container(rules.body.root, context, metadata, within=rules.body.within, labeller=rules.body.labeller),
            post_parts(context, rules.posts),
        )
        if not container.elements:
            tally.pass_over(stored, PageOutcome.EMPTY, _NO_CONTAINER)
            return
        year = stored.year if stored.year is not None else year_of(_dates(context, rules, metadata))
        asked = self._rules_of(rules)
        # nothing is counted if one of them is too hard
        containers = [self._decide(root, container, asked, tally.tree) for root in container.elements]
        for one in containers:
            _add_figures(one, year, tally.tree)
            _count_start_tags(one, tally)
        tally.years[year] += 1
        around = {tally.tree.parents[one.nodes[0]] for one in containers} - {-1}
        for node in around:
            tally.tree.of(node, year).frequency += 1
        for node in around.union(*(one.nodes for one in containers)):
            tally.tree.of(node, year).pages += 1
        steps = tally.tree.steps
        tally.row_pages.update({steps[node].row for one in containers for node in set(one.nodes[one.first :]) if steps[node].is_in_a_row})
        tally.texts.update({text for one in containers for text in _short_texts(one, tally.tree)})
        tally.forget_rare_texts()
        for one in containers:
            self._show(one, year, stored.url, tally)

    def _rules_of(self, rules: Rules) -> ElementRules:
        layout = rules.name or ""
        if layout not in self._rules:
            self._rules[layout] = ElementRules(rules.body, self._portal, layout)
        return self._rules[layout]

    def _decide(self, root: Element, container: Container, rules: ElementRules, tree: PathTree) -> ContainerRows:
        """The node of each element of a container; a piece that stands apart is below the element that it stands in."""
        rows, special = _rows_of(root), container.furniture
        starts = rows.starts = [self._start_tags.of(element) for element in rows.elements]
        scope = Scope(None, root)
        around = root.getparent() if root in container.apart else None
        top = starts[0] if around is None else self._start_tags.of(around)
        step, inside = rules.of_container(top.tag, special.get(root, "") if around is None else "")
        nodes = rows.nodes = [tree.child(-1, step)]
        if around is not None:
            step, inside = rules.of(root, starts[0], special.get(root, ""), inside, scope)
            nodes[0], rows.first = tree.child(nodes[0], step), 0
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
        return rows

    def _show(self, rows: ContainerRows, year: Year, url: str, tally: TagCounts) -> None:
        """Add the examples of one container."""
        nodes, steps = rows.nodes, tally.tree.steps
        here = sorted({steps[node].row for node in set(nodes[rows.first :]) if steps[node].is_in_a_row})
        wanted = frozenset(self._wanted.of(here, year, url))
        if not wanted:
            return
        chosen: dict[str, int] = {}
        for row in range(rows.first, len(rows)):
            name = steps[nodes[row]].row
            if name in wanted:
                best = chosen.setdefault(name, row)
                if rows.words[row] and not rows.words[best]:
                    chosen[name] = row
        text = ExampleText(rows.elements[0], url)
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
    around = {element: rule for element, rule in _around(posts).items() if element not in article.elements}
    labels = {element: TAB_LABELS for element, name in article.captions.items() if name == "label"}
    special = {**around, **labels, **article.furniture, **posts}
    return replace(article, elements=(*article.elements, *beside), furniture=special)


def _around(posts: Mapping[Element, str]) -> dict[Element, str]:
    """What holds posts, or in a post its text: with it they would be lost, so nobody is asked what it is."""
    held = [(element, rule) for element, rule in posts.items() if rule.count(".") == 1 or rule.endswith(".text")]
    return {around: f"{'.'.join(rule.split('.')[:2])}.around" for element, rule in held for around in element.iterancestors()}


def _add_figures(rows: ContainerRows, year: Year, tree: PathTree) -> None:
    """Of what is folded into the node around it, only what stands immediately in the elements: the rest is counted already."""
    nodes = rows.nodes
    for row, (node, parent) in enumerate(zip(nodes, rows.parents, strict=True)):
        figures = tree.figures[node].get(year) or tree.of(node, year)
        figures.frequency += 1
        figures.own_words += rows.own[row]
        if row == 0 or node != nodes[parent]:
            figures.words += rows.words[row]
            figures.link_words += rows.linked[row]
            figures.descendants += rows.descendants[row]


def _count_start_tags(rows: ContainerRows, tally: TagCounts) -> None:
    for start, words in zip(rows.starts[rows.first :], rows.words[rows.first :], strict=True):
        tally.start_tags.add(start.hash)
        if words:
            tally.start_tags_with_text.add(start.hash)


def _short_texts(rows: ContainerRows, tree: PathTree) -> Iterator[tuple[str, str]]:
    """Of blocks without blocks in them: what stands on many pages may be the site's and not the article's."""
    for row in range(rows.first, len(rows)):
        if _SHORTEST_TEXT <= rows.words[row] <= _LONGEST_TEXT and not rows.holds_block[row] and rows.elements[row].tag in BLOCK_LEVEL:
            step = tree.steps[rows.nodes[row]]
            if step.is_in_a_row:
                yield step.row, rows.text_of(row)[:LONGEST]


def _rows_of(root: Element) -> ContainerRows:
    """One walk over a container, without its start tags and nodes."""
    rows = ContainerRows()
    # This is the one loop that sees every element: names are local, and calls are few.
    elements, parents, depths, own, linked = rows.elements, rows.parents, rows.depths, rows.own, rows.linked
    waiting: list[tuple[Element, int, int, bool]] = [(root, -1, 0, False)]
    while waiting:
        element, parent, depth, in_link = waiting.pop()
        row = len(elements)
        in_link = in_link or element.tag == "a"
        words = len(text.split()) if (text := element.text) else 0
        for child in element[::-1]:  # type: ignore[index]  # lxml takes slices, and this is its fastest way backwards
            if tail := child.tail:
                words += len(tail.split())
            if child.tag not in UNSEEN:
                waiting.append((child, row, depth + 1, in_link))
        elements.append(element)
        parents.append(parent)
        depths.append(depth)
        own.append(words)
        linked.append(words if in_link else 0)
    _sum_up(rows)
    return rows


def _sum_up(rows: ContainerRows) -> None:
    """From what is in each element itself to what is in it with all inside."""
    count = len(rows)
    rows.words, rows.descendants, rows.holds_block = list(rows.own), [0] * count, [False] * count
    elements, parents, words, linked = rows.elements, rows.parents, rows.words, rows.linked
    descendants, blocks = rows.descendants, rows.holds_block
    for row in range(count - 1, 0, -1):
        parent = parents[row]
        words[parent] += words[row]
        linked[parent] += linked[row]
        descendants[parent] += descendants[row] + 1
        if blocks[row] or elements[row].tag in BLOCK_LEVEL:
            blocks[parent] = True
