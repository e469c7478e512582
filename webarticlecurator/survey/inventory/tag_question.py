"""The question of an inventory to a page: the decisions of the rules on every element of its article
container, and how much text stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from lxml.etree import _Element as Element

from webarticlecurator.building.kept_rules import without_lines
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import Needs
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.body.locate import Container, find_container
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.extraction.metadata import read_metadata, rules_for
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.inventory.element_rules import TAB_LABELS, ElementRules, PathStep
from webarticlecurator.survey.page_pass import (
    LONGEST_EXAMPLE,
    NO_YEAR,
    PASSED_OVER,
    Columns,
    Counted,
    hash_of,
    shortened,
)
from webarticlecurator.survey.stored_page_sample import StoredPage, year_of
from webarticlecurator.text import squeeze

MOST_EXAMPLES = 3
"""Examples of a row at most."""
_WINDOW = 4 * LONGEST_EXAMPLE
"""Characters looked at for a part of an example."""
_LONGEST_VALUE = 60
_MOST = 30_000
"""Nodes that a process remembers: names made by machines are without end."""


class ContainerRows:
    """The elements of a container, parents before their children, without scripts and the like; the lists run
    in parallel."""

    def __init__(self, root: Element, outline: Outline) -> None:
        self._outline, self._top = outline, outline.row_of[root]
        self._rows = [self._top, *outline.seen_in(self._top)]
        """Rows of the outline."""
        self.elements = [outline.elements[row] for row in self._rows]
        number_of = {row: number for number, row in enumerate(self._rows)}
        self.parents = [-1, *(number_of[outline.parents[row]] for row in self._rows[1:])]
        """The row of the element around it; -1 for the container."""
        self.depths = [0]
        for parent in self.parents[1:]:
            self.depths.append(self.depths[parent] + 1)
        self.own = [0] * len(self._rows)
        """Words immediately in it."""
        for place in outline.strings_in(self._top):
            self.own[number_of[outline.owners[place]]] += len(outline.strings[place].split())
        self.words = list(self.own)
        """With all in it."""
        links = outline.linked_in(self._top)
        self.linked = [words if row in links else 0 for row, words in zip(self._rows, self.own, strict=True)]
        """Words of each element in links."""
        self.descendants = [0] * len(self._rows)
        self.holds_block = [False] * len(self._rows)
        for row in range(
            len(self._rows) - 1, 0, -1
        ):  # from what is in each element itself to what is in it with all inside
            parent = self.parents[row]
            self.words[parent] += self.words[row]
            self.linked[parent] += self.linked[row]
            self.descendants[parent] += self.descendants[row] + 1
            if self.holds_block[row] or self.elements[row].tag in BLOCK_LEVEL:
                self.holds_block[parent] = True
        self.steps: list[PathStep] = []
        self.nodes: list[int] = []
        """Nodes of the merged tree."""
        self.first = 1
        """The first row that is counted as a tag: 0 where it is no container, but a piece that stands apart.
        """

    def text(self, row: int) -> str:
        """White space normalised."""
        return squeeze(self._outline.text(self._rows[row]))

    def example(self, row: int) -> tuple[str, str, str, str]:
        """The text of the container before an element, in it, after it; its start tag."""
        strings, whole, own = (
            self._outline.strings,
            self._outline.strings_in(self._top),
            self._outline.strings_in(self._rows[row]),
        )
        before = strings[max(whole.start, own.start - _WINDOW) : own.start]  # no string is empty
        inside = strings[own.start : min(own.stop, own.start + _WINDOW)]
        behind = strings[own.stop : min(whole.stop, own.stop + _WINDOW)]
        element = self.elements[row]
        written = ((str(name), str(value)) for name, value in element.items())
        pairs = (
            (name, value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "…")
            for name, value in written
        )
        attributes = "".join(
            f' {name}="{squeeze(value).replace(chr(34), "&quot;")}"' for name, value in pairs
        )
        return (
            squeeze("".join(before)[-_WINDOW:])[-LONGEST_EXAMPLE:].lstrip(),
            shortened("".join(inside)),
            shortened("".join(behind)),
            shortened(f"<{element.tag}{attributes}>"),
        )


def _count_containers(containers: Sequence[ContainerRows], year: int, counted: Counted) -> None:
    """Count the elements and the texts of one page."""
    for rows in containers:
        _count_figures(rows, year, counted)
    around = {parent for rows in containers if (parent := counted.tables["nodes"][rows.nodes[0],][0])}
    for node in around:
        counted.add("figures", (node, year), 1, 0, 0, 0, 0, 0)
    for node in around.union(*(rows.nodes for rows in containers)):
        counted.add("figures", (node, year), 0, 1, 0, 0, 0, 0)
    counted.add("years", (year,), 1)
    for row in {step.row for rows in containers for step in rows.steps[rows.first :] if step.is_in_a_row}:
        counted.add("row_pages", (row,), 1)
    for text in {text for rows in containers for text in _short_texts(rows)}:
        counted.add("texts", text, 1)


def _count_figures(rows: ContainerRows, year: int, counted: Counted) -> None:
    """Count the words in each element of a container."""
    figures = counted.tables["figures"]
    for node, own, words, linked, descendants in zip(
        rows.nodes, rows.own, rows.words, rows.linked, rows.descendants, strict=True
    ):
        sums = figures.get((node, year)) or figures.setdefault((node, year), [0] * 6)
        sums[0] += 1
        sums[2] += own
        sums[3] += words
        sums[4] += linked
        sums[5] += descendants


def _short_texts(rows: ContainerRows) -> Iterator[tuple[int, str]]:
    """The texts of blocks without blocks: what stands on many pages may be the site's."""
    for row in range(rows.first, len(rows.elements)):
        is_leaf = rows.elements[row].tag in BLOCK_LEVEL and not rows.holds_block[row]
        if is_leaf and 3 <= rows.words[row] <= 60 and rows.steps[row].is_in_a_row:
            yield rows.steps[row].row, rows.text(row)[:LONGEST_EXAMPLE]


class TagQuestion:
    """The question of an inventory."""

    tables: ClassVar[Mapping[str, Columns]] = {
        "steps": Columns(
            "step",
            facts="row, tag, operation, decider, rule, condition, url, layout, in_a_row, is_decided, "
            "in_dropped",
        ),
        "nodes": Columns("node", facts="parent, step, depth"),
        "figures": Columns("node, year", "frequency, pages, own_words, words, link_words, descendants"),
        "years": Columns("year", "pages"),
        "row_pages": Columns("row", "pages"),
        "examples": Columns("row, page", facts="year, url, before, text, after, start_tag"),
        "texts": Columns("row, text", "pages", most=40_000, rarest="pages <= ?"),
    }
    """The merged tree of all pages, in which a container has the parent 0, and what is counted of it. A short
    text is told by its row."""

    def __init__(self, portal: Portal) -> None:
        self._portal = without_lines(portal)
        self._rules: dict[int, ElementRules] = {}
        """By the layout's place in memory."""
        self._nodes: dict[tuple[int, int], int] = {}
        """Parent and step -> node."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Return nothing: what is counted of a page is what it is read by."""
        return {}

    def touched(self, before: Mapping[str, Any]) -> tuple[Needs, ...]:  # noqa: ARG002
        """Return nothing."""
        return ()

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. Raises PatternTimeout."""
        rules = rules_for(page, self._portal, stored.listing)
        context = PageContext.whole(page, self._portal, listing=stored.listing)
        is_needed = rules.body.root is None or stored.year is None
        metadata = (
            read_metadata(page, self._portal, rules.metadata, listing=stored.listing).metadata
            if is_needed
            else {}
        )
        container = _with_posts(
            find_container(
                rules.body.root, context, metadata, within=rules.body.within, labeller=rules.body.labeller
            ),
            post_parts(context, rules.posts),
        )
        if not container.elements:
            counted.add(PASSED_OVER, (PageOutcome.EMPTY,), 1)
            return
        dates = (date.value for date in metadata.get("datePublished", ()))
        year = (stored.year if stored.year is not None else year_of(dates)) or NO_YEAR
        layout = rules.name if rules is not self._portal else ""
        place = id(rules)  # two layouts may have one name
        asked = self._rules.get(place) or self._rules.setdefault(
            place, ElementRules(rules.body, self._portal, layout)
        )
        # nothing is counted if one of them is too hard
        containers = [self._decide(root, page, container, asked, counted) for root in container.elements]
        _count_containers(containers, year, counted)
        for rows in containers:
            self._show(rows, year, stored, counted)

    def _decide(
        self, root: Element, page: Page, container: Container, rules: ElementRules, counted: Counted
    ) -> ContainerRows:
        """The node of each element of a container; a piece that stands apart is below the element that it
        stands in."""
        rows, special = ContainerRows(root, page.outline_of(root)), container.furniture
        scope = Scope(None, root)
        around = root.getparent() if root in container.apart else None
        tag = tag_of(root)
        step, inside = rules.of_container(
            tag if around is None else tag_of(around), special.get(root, "") if around is None else ""
        )
        node = self._node(0, step, 0, counted)
        if around is not None:
            step, inside = rules.of(root, tag, special.get(root, ""), inside, scope)
            node, rows.first = self._node(node, step, 1, counted), 0
        rows.nodes, rows.steps, insides = [node], [step], [inside]
        for row in range(1, len(rows.elements)):
            element, parent = rows.elements[row], rows.parents[row]
            step, inside = rules.of(
                element, tag_of(element), special.get(element, ""), insides[parent], scope
            )
            rows.nodes.append(
                self._node(rows.nodes[parent], step, rows.depths[row] + 1 - rows.first, counted)
            )
            rows.steps.append(step)
            insides.append(inside)
        page.budget.steps = min(page.budget.steps, scope.left)
        return rows

    def _node(self, above: int, step: PathStep, depth: int, counted: Counted) -> int:
        """The number of the node of this step below another one; the same in every process."""
        node = self._nodes.get((above, step.id))
        if node is None:
            if len(self._nodes) >= _MOST:
                self._nodes.clear()
            node = self._nodes[above, step.id] = hash_of(f"{above} {step.id}")
        if (node,) not in counted.tables["nodes"]:
            counted.note("nodes", (node,), above, step.id, depth)
            counted.note("steps", (step.id,), *step.facts)
        return node

    def _show(self, rows: ContainerRows, year: int, stored: StoredPage, counted: Counted) -> None:
        """Add the examples of one container: of each row the first place with words."""
        with_words_first = sorted(range(rows.first, len(rows.elements)), key=lambda row: not rows.words[row])
        in_rows = (row for row in with_words_first if rows.steps[row].is_in_a_row)
        for row in first_of_each(in_rows, lambda row: rows.steps[row].row):
            name = rows.steps[row].row
            shown = counted.shown[name]  # no page is taken apart for one that nobody will keep
            # by far the most frequent case
            is_enough = len(shown) >= MOST_EXAMPLES and (year in shown or len(set(shown)) >= MOST_EXAMPLES)
            if is_enough or (name, stored.number) in counted.tables["examples"]:
                continue
            shown.append(year)
            counted.note("examples", (name, stored.number), year, stored.url, *rows.example(row))


def _with_posts(container: Container | None, posts: Mapping[Element, str]) -> Container:
    """The article with the posts that stand beside it: their text is rewritten by the same rules."""
    article = container or Container(elements=(), how="")
    places = {*article.elements, *posts}
    beside = [
        element
        for element in posts
        if element not in article.elements and places.isdisjoint(element.iterancestors())
    ]
    # what holds posts, or in a post its text: with it they would be lost, so nobody is asked what it is
    held = [
        (element, rule) for element, rule in posts.items() if rule.count(".") == 1 or rule.endswith(".text")
    ]
    above = {
        around: f"{'.'.join(rule.split('.')[:2])}.around"
        for element, rule in held
        for around in element.iterancestors()
    }
    around = {element: rule for element, rule in above.items() if element not in article.elements}
    labels = {element: TAB_LABELS for element, name in article.captions.items() if name == "label"}
    special = {**around, **labels, **article.furniture, **posts}
    return replace(article, elements=(*article.elements, *beside), furniture=special)
