"""What an inventory asks of a page: what the rules decide of every element of its article container, and how much text stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.locate import Container, find_container
from webarticlecurator.extraction.body.tag_names import Tag, tag_of
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL
from webarticlecurator.extraction.metadata import read_metadata, rules_for
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.inventory.element_rules import TAB_LABELS, ElementRules, PathStep
from webarticlecurator.survey.page_pass import LONGEST_EXAMPLE, NO_YEAR, PASSED_OVER, Columns, Counted, hash_of, shortened
from webarticlecurator.survey.stored_page_sample import StoredPage, Year, year_of
from webarticlecurator.text import UNSEEN, element_text, squeeze

_SHORTEST_TEXT, _LONGEST_TEXT = 3, 60
"""Words of a text that may recur."""
MOST_EXAMPLES = 3
"""Of a row."""
_WINDOW = 4 * LONGEST_EXAMPLE
"""Characters looked at for a part of an example, white space included."""
_LONGEST_VALUE = 60
_MOST = 30_000
"""Start tags, tags, nodes, rows that a process remembers: names made by machines are without end."""


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
    steps: list[PathStep] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """Of the merged tree."""
    first: int = 1
    """The first row that is counted as a tag: 0 where it is no container, but a piece that stands apart."""


class StartTag(NamedTuple):
    """A start tag as it is written in a page."""

    tag: Tag
    text: str
    """Of the tag."""
    hash: int
    """Of all that is written."""


class TagQuestion:
    """The question of an inventory; what one process has seen is remembered from batch to batch."""

    tables: ClassVar[Mapping[str, Columns]] = {
        "steps": Columns("step", facts="row, tag, operation, decider, rule, condition, url, layout, in_a_row, is_decided, in_dropped"),
        "nodes": Columns("node", facts="parent, step, depth"),
        "figures": Columns("node, year", "frequency, pages, own_words, words, link_words, descendants"),
        "years": Columns("year", "pages"),
        "row_pages": Columns("row", "pages"),
        "examples": Columns("row, page", facts="year, url, before, text, after, start_tag"),
        "texts": Columns("row, text", "pages", most=40_000, rarest="pages <= ?"),
        "start_tags": Columns("start_tag", "frequency, with_words"),
    }
    """Of the merged tree of all pages: a container has the parent 0. A short text is told by its row."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._rules: dict[str, ElementRules] = {}
        """By layout."""
        self._start_tags: dict[tuple[object, ...], StartTag] = {}
        self._nodes: dict[tuple[int, int], int] = {}
        """Parent and step -> node."""
        self._shown: dict[int, list[Year]] = {}
        """Row -> the years of its examples: no page is taken apart for one that nobody will keep."""

    def __reduce__(self) -> tuple[type[TagQuestion], tuple[Portal]]:
        return TagQuestion, (self._portal,)

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. Raises PatternTimeout."""
        rules = rules_for(page, self._portal, stored.listing)
        context = PageContext.whole(page, self._portal, listing=stored.listing)
        is_needed = rules.body.root is None or stored.year is None
        metadata = read_metadata(page, self._portal, rules.metadata, listing=stored.listing).metadata if is_needed else {}
        container = _with_posts(
            find_container(rules.body.root, context, metadata, within=rules.body.within, labeller=rules.body.labeller),
            post_parts(context, rules.posts),
        )
        if not container.elements:
            counted.add(PASSED_OVER, (PageOutcome.EMPTY,), 1)
            return
        dates = (date.value for date in metadata.get("datePublished", ()))
        year = (stored.year if stored.year is not None else year_of(dates)) or NO_YEAR
        layout = rules.name if rules is not self._portal else ""
        asked = self._rules.get(layout) or self._rules.setdefault(layout, ElementRules(rules.body, self._portal, layout))
        # nothing is counted if one of them is too hard
        containers = [self._decide(root, container, asked, counted) for root in container.elements]
        figures = counted.tables["figures"]
        for rows in containers:
            for node, own, words, linked, descendants in zip(rows.nodes, rows.own, rows.words, rows.linked, rows.descendants, strict=True):
                sums = figures.get((node, year)) or figures.setdefault((node, year), [0] * 6)
                sums[0] += 1
                sums[2] += own
                sums[3] += words
                sums[4] += linked
                sums[5] += descendants
            for start, words in zip(rows.starts[rows.first :], rows.words[rows.first :], strict=True):
                counted.add("start_tags", (start.hash,), 1, words > 0)
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
        for rows in containers:
            self._show(rows, year, stored, counted)

    def _decide(self, root: Element, container: Container, rules: ElementRules, counted: Counted) -> ContainerRows:
        """The node of each element of a container; a piece that stands apart is below the element that it stands in."""
        rows, special = _rows_of(root), container.furniture
        starts = rows.starts = [self._start_of(element) for element in rows.elements]
        scope = Scope(None, root)
        around = root.getparent() if root in container.apart else None
        top = starts[0] if around is None else self._start_of(around)
        step, inside = rules.of_container(top.tag, special.get(root, "") if around is None else "")
        node = self._node(0, step, 0, counted)
        if around is not None:
            step, inside = rules.of(root, starts[0].tag, starts[0].text, special.get(root, ""), inside, scope)
            node, rows.first = self._node(node, step, 1, counted), 0
        rows.nodes, rows.steps, insides = [node], [step], [inside]
        for row in range(1, len(rows.elements)):
            element, start, parent = rows.elements[row], starts[row], rows.parents[row]
            step, inside = rules.of(element, start.tag, start.text, special.get(element, ""), insides[parent], scope)
            rows.nodes.append(self._node(rows.nodes[parent], step, rows.depths[row] + 1 - rows.first, counted))
            rows.steps.append(step)
            insides.append(inside)
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

    def _start_of(self, element: Element) -> StartTag:
        written = (element.tag, *element.items())
        start = self._start_tags.get(written)
        if start is None:
            text = repr(written)
            start = StartTag(*tag_of(element), hash_of(text))
            if len(self._start_tags) >= _MOST:
                self._start_tags.clear()
            if len(text) <= 1_000:  # a page may hold its pictures in attributes
                self._start_tags[written] = start
        return start

    def _show(self, rows: ContainerRows, year: int, stored: StoredPage, counted: Counted) -> None:
        """Add the examples of one container: of each row the first place with words."""
        chosen: dict[int, int] = {}
        for row in range(rows.first, len(rows.elements)):
            step = rows.steps[row]
            if step.is_in_a_row and (best := chosen.setdefault(step.row, row)) != row and rows.words[row] and not rows.words[best]:
                chosen[step.row] = row
        wanted = {name: row for name, row in chosen.items() if (name, stored.number) not in counted.tables["examples"]}
        wanted = {name: row for name, row in wanted.items() if self._is_wanted(name, year)}
        if wanted:
            text = ExampleText(rows.elements[0])
            for name, row in wanted.items():
                counted.note("examples", (name, stored.number), year, stored.url, *text.example(rows.elements[row]))

    def _is_wanted(self, row: int, year: int) -> bool:
        shown = self._shown.setdefault(row, [])
        if len(shown) >= MOST_EXAMPLES and (year in shown or len(set(shown)) >= MOST_EXAMPLES):
            return False  # by far the most frequent answer
        if len(self._shown) > _MOST:
            self._shown.clear()
        shown.append(year)
        return True


def _with_posts(container: Container | None, posts: Mapping[Element, str]) -> Container:
    """The article with the posts that stand beside it: their text is rewritten by the same rules."""
    article = container or Container(elements=(), how="")
    places = {*article.elements, *posts}
    beside = [element for element in posts if element not in article.elements and places.isdisjoint(element.iterancestors())]
    # what holds posts, or in a post its text: with it they would be lost, so nobody is asked what it is
    held = [(element, rule) for element, rule in posts.items() if rule.count(".") == 1 or rule.endswith(".text")]
    above = {around: f"{'.'.join(rule.split('.')[:2])}.around" for element, rule in held for around in element.iterancestors()}
    around = {element: rule for element, rule in above.items() if element not in article.elements}
    labels = {element: TAB_LABELS for element, name in article.captions.items() if name == "label"}
    special = {**around, **labels, **article.furniture, **posts}
    return replace(article, elements=(*article.elements, *beside), furniture=special)


def _short_texts(rows: ContainerRows) -> Iterator[tuple[int, str]]:
    """Of blocks without blocks in them: what stands on many pages may be the site's and not the article's."""
    for row in range(rows.first, len(rows.elements)):
        is_leaf = rows.elements[row].tag in BLOCK_LEVEL and not rows.holds_block[row]
        if is_leaf and _SHORTEST_TEXT <= rows.words[row] <= _LONGEST_TEXT and rows.steps[row].is_in_a_row:
            yield rows.steps[row].row, squeeze(element_text(rows.elements[row]))[:LONGEST_EXAMPLE]


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
    # from what is in each element itself to what is in it with all inside
    count = len(rows.elements)
    rows.words, rows.descendants, rows.holds_block = sums, descendants, blocks = list(own), [0] * count, [False] * count
    for row in range(count - 1, 0, -1):
        parent = parents[row]
        sums[parent] += sums[row]
        linked[parent] += linked[row]
        descendants[parent] += descendants[row] + 1
        if blocks[row] or elements[row].tag in BLOCK_LEVEL:
            blocks[parent] = True
    return rows


class ExampleText:
    """The text of one container, in which examples are placed; made only where one is wanted."""

    def __init__(self, root: Element) -> None:
        self._starts: dict[Element, int] = {}
        self._ends: dict[Element, int] = {}
        pieces: list[str] = []
        length = 0
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            begins = event == "start"
            if begins and element is not root and element.tag in UNSEEN:
                walker.skip_subtree()
                continue
            piece = " " if element.tag in BLOCK_LEVEL or element.tag == "br" else ""
            if begins:
                self._starts[element] = length + len(piece)
                piece += element.text or ""
            else:
                self._ends.setdefault(element, length)
                if element is not root:
                    piece += element.tail or ""
            pieces.append(piece)
            length += len(piece)
        self._text = "".join(pieces)

    def example(self, element: Element) -> tuple[str, str, str, str]:
        """An element of this container: the text before it, in it, after it; its start tag."""
        start, end = self._starts[element], self._ends[element]
        written = ((str(name), str(value)) for name, value in element.items())
        pairs = ((name, value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "…") for name, value in written)
        attributes = "".join(f' {name}="{squeeze(value).replace(chr(34), "&quot;")}"' for name, value in pairs)
        return (
            squeeze(self._text[max(0, start - _WINDOW) : start])[-LONGEST_EXAMPLE:].lstrip(),
            shortened(self._text[start : min(end, start + _WINDOW)]),
            shortened(self._text[end : end + _WINDOW]),
            shortened(f"<{element.tag}{attributes}>"),
        )
