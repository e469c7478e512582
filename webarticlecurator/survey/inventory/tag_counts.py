"""What a pass has counted: the merged tree of simplified tags with its figures, joined from many batches, within bounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from webarticlecurator.survey.inventory.examples import DatedExample, keep_example
from webarticlecurator.survey.inventory.path_tree import PathTree
from webarticlecurator.survey.inventory.start_tags import DistinctCount
from webarticlecurator.survey.stored_page import StoredPage, Year

_MOST_TEXTS = 40_000


@dataclass(slots=True)
class TagCounts:
    """The tally of an inventory. Rows are named by `Step.row`."""

    tree: PathTree = field(default_factory=PathTree)
    years: Counter[Year] = field(default_factory=Counter)
    """Pages."""
    passed_over: Counter[str] = field(default_factory=Counter)
    """Outcome -> pages."""
    row_pages: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[DatedExample]] = field(default_factory=dict)
    """By row, in the order of their pages."""
    texts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Row and short text -> pages."""
    start_tags: DistinctCount = field(default_factory=DistinctCount)
    start_tags_with_text: DistinctCount = field(default_factory=DistinctCount)

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:  # noqa: ARG002
        """A stored response that has no container to look at."""
        self.passed_over[outcome] += 1

    def join(self, other: TagCounts) -> None:
        """Take in what another one has, of pages that lie behind ours."""
        self.tree.join(other.tree)
        self.years.update(other.years)
        self.passed_over.update(other.passed_over)
        self.row_pages.update(other.row_pages)
        for row, examples in other.examples.items():
            for one in examples:
                self.show(row, one)
        self.texts.update(other.texts)
        self.start_tags.join(other.start_tags)
        self.start_tags_with_text.join(other.start_tags_with_text)
        self.forget_rare_texts()
        if self.tree.is_too_large:
            self._fold()

    def show(self, row: str, example: DatedExample) -> None:
        """Keep an example if it is wanted."""
        keep_example(example, self.examples.setdefault(row, []))

    def forget_rare_texts(self) -> None:
        """Nothing is done as long as there are not too many."""
        if len(self.texts) > _MOST_TEXTS:
            self.texts = Counter(dict(self.texts.most_common(_MOST_TEXTS // 2)))

    def _fold(self) -> None:
        """Of rows that no node has any more, nothing is kept."""
        self.tree = self.tree.folded()
        left = {step.row for step in self.tree.steps}
        self.row_pages = Counter({row: pages for row, pages in self.row_pages.items() if row in left})
        self.examples = {row: examples for row, examples in self.examples.items() if row in left}
