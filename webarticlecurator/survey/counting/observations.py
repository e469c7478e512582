"""What a pass has counted: the merged tree of simplified tags with its figures, joined from many batches, within bounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from webarticlecurator.survey.counting.observed import PlacedExample
from webarticlecurator.survey.counting.path_tree import FOLDED, MOST_FIGURES, MOST_NODES, PackedTree, Tree, Year, nodes_to_keep
from webarticlecurator.survey.counting.sketch import Distinct
from webarticlecurator.survey.inventory.results import Example
from webarticlecurator.survey.stored_page_sample import StoredPage

_MOST_TEXTS = 40_000
_MOST_FEATURES = 20_000
_MOST_REASONS = 200
MOST_EXAMPLES = 3
"""Of a tag."""
_OTHER = "other reasons"


@dataclass(slots=True)
class Observations:
    """The tally of an inventory."""

    tree: Tree = field(default_factory=Tree)
    years: Counter[Year] = field(default_factory=Counter)
    """Pages."""
    passed_over: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Outcome and reason."""
    tag_pages: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[PlacedExample]] = field(default_factory=dict)
    """By tag, in the order of their pages."""
    first_examples: dict[int, Example] = field(default_factory=dict)
    """By node."""
    texts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Tag and short text -> pages."""
    start_tags: Distinct = field(default_factory=Distinct)
    start_tags_with_text: Distinct = field(default_factory=Distinct)
    above: set[str] = field(default_factory=set)
    """See `asking.Above`."""
    packed: PackedTree | None = None
    """In place of `tree`, where the observations have come from another process, only to be joined."""

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:  # noqa: ARG002
        """A stored response that has no container to look at."""
        self._pass_over(outcome, reason, 1)

    def join(self, other: Observations) -> None:
        """Take in what another one has, of pages that lie behind ours."""
        nodes = self.tree.join(other.packed or other.tree.packed())
        self.years.update(other.years)
        for (outcome, reason), count in other.passed_over.items():
            self._pass_over(outcome, reason, count)
        self.tag_pages.update(other.tag_pages)
        for tag, examples in other.examples.items():
            for one in examples:
                self.show(tag, PlacedExample(node=nodes[one.node], year=one.year, example=one.example))
        for node, example in other.first_examples.items():
            self.first_examples.setdefault(nodes[node], example)
        self.texts.update(other.texts)
        self.start_tags.join(other.start_tags)
        self.start_tags_with_text.join(other.start_tags_with_text)
        self.above |= other.above
        self.forget_rare_texts()
        if len(self.tree) > MOST_NODES or self.tree.rows > MOST_FIGURES:
            self._fold()

    def _pass_over(self, outcome: str, reason: str, pages: int) -> None:
        is_kept = len(self.passed_over) < _MOST_REASONS or (outcome, reason) in self.passed_over
        self.passed_over[outcome, reason if is_kept else _OTHER] += pages

    def show(self, tag: str, example: PlacedExample) -> bool:
        """Keep an example if it is wanted."""
        return keep_example(example, self.examples.setdefault(tag, []))

    def forget_rare_texts(self) -> None:
        """And what else may become too much; nothing is done as long as it has not."""
        if len(self.texts) > _MOST_TEXTS:
            self.texts = Counter(dict(self.texts.most_common(_MOST_TEXTS // 2)))
        if len(self.above) > _MOST_FEATURES:
            self.above = {EVERYTHING}

    def _fold(self) -> None:
        old, kept = self.tree, nodes_to_keep(self.tree)
        nodes: list[int] = []
        self.tree = Tree()
        for node, (parent, spot, years) in enumerate(zip(old.parents, old.spots, old.figures, strict=True)):
            above = nodes[parent] if parent >= 0 else -1
            inside_folded = parent >= 0 and parent not in kept
            new = above if inside_folded else self.tree.child(above, spot if node in kept else FOLDED)
            nodes.append(new)
            for year, figures in years.items():
                self.tree.of(new, year).add(figures, inside=not inside_folded)
        self._follow(nodes)

    def _follow(self, nodes: list[int]) -> None:
        """After nodes got other numbers; of tags that no node has any more, nothing is kept."""
        left = {spot.text for spot in self.tree.spots}
        self.tag_pages = Counter({tag: pages for tag, pages in self.tag_pages.items() if tag in left})
        self.examples = {
            tag: [PlacedExample(node=nodes[one.node], year=one.year, example=one.example) for one in examples]
            for tag, examples in self.examples.items()
            if tag in left
        }
        first = ((nodes[node], example) for node, example in self.first_examples.items())
        self.first_examples = {node: example for node, example in first if not self.tree.spots[node].is_more}


EVERYTHING = "*"
"""In `above`: there was too much to tell."""


def keep_example(example: PlacedExample, kept: list[PlacedExample]) -> bool:
    """Put it behind the others while there is room, else instead of one whose year comes twice; False where it is not wanted."""
    years = [one.year for one in kept]
    if any(one.example.url == example.example.url for one in kept):
        return False
    if len(kept) < MOST_EXAMPLES:
        kept.append(example)
        return True
    again = next((place for place in reversed(range(MOST_EXAMPLES)) if years.index(years[place]) < place), None)
    if again is None or example.year in years:
        return False
    kept[again:] = [*kept[again + 1 :], example]
    return True
