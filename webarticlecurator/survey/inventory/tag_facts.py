"""What is known of a tag when somebody asks what it may be: its figures, and what it stands in, beside and around in the merged tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.config.tag_dictionary import INLINES
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL
from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.survey.inventory.path_tree import PathNode
from webarticlecurator.survey.inventory.results import DecidedOperation, Decider, Example

_LOOKED_THROUGH = frozenset(("unwrap", "unwrap-all", ""))
_TEXT_BLOCKS = frozenset(
    ("paragraph", "heading", "subheading", "lead", "item", "list", "quote", "box", "table", "question", "answer", "verse", "code")
)
_LINES = frozenset(("paragraph", "heading", "subheading", "lead", "item", "cell", "caption", "question", "answer", *INLINES))
"""What holds words: an element in one of them is inline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """Operations, each with how many elements; what is unwrapped is not here."""

    inside: Mapping[str, int] = field(default_factory=dict)
    """The nearest that the elements stand in; "" for the container itself."""
    beside: Mapping[str, int] = field(default_factory=dict)
    """What has the same parent."""
    holds: Mapping[str, int] = field(default_factory=dict)
    """What stands in them, however deep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagFacts:
    """A tag under one decision."""

    tag: Tag
    frequency: int
    pages: int
    mean_words: float = 0.0
    mean_own_words: float = 0.0
    mean_descendants: float = 0.0
    link_share: float = 0.0
    of_posts: bool = False
    """See `TagRow`."""
    neighbours: Neighbours = field(default_factory=Neighbours)
    repeated_text: str = ""
    """The one that stands on most pages."""
    most_repeated: int = 0
    """Pages that have this one."""
    repeated_on: int = 0
    """Pages that have one of the texts that recur; counted twice where they have two."""
    examples: tuple[Example, ...] = ()
    dated_examples: int = 0
    """Those that are a date and little else."""

    @property
    def is_block(self) -> bool:
        """It begins a line in a browser; of elements of a portal's own making that is not known."""
        return self.tag.name in BLOCK_LEVEL or "-" in self.tag.name

    @property
    def is_empty(self) -> bool:
        return not self.mean_words and not self.mean_descendants

    @property
    def is_repeated(self) -> bool:
        """One text is a large part of what stands in it."""
        return self.most_repeated >= 5 and self.most_repeated > 0.3 * self.frequency

    @property
    def in_lines(self) -> float:
        """Share that stands inside a line of text."""
        return _share(self.neighbours.inside, _LINES)

    @property
    def beside_paragraphs(self) -> float:
        """Share of paragraphs in what has the same parent."""
        return _share(self.neighbours.beside, ("paragraph",))

    @property
    def texts(self) -> float:
        """Blocks of text in it, on average."""
        return self.holds(*_TEXT_BLOCKS)

    @property
    def holds_title(self) -> bool:
        """A heading, or what is left out where it stands, as the headline and the byline are: it is the head of the article."""
        return self.holds("heading", "subheading", "decompose") >= 0.5

    @property
    def figures(self) -> float:
        """Pictures in it, on average."""
        return self.holds("figure")

    @property
    def shows_itself(self) -> bool:
        """Nothing in it is text, a picture or a player: if it shows something, a script does it, by its attributes."""
        return not (self.mean_own_words or self.texts or self.figures or self.holds("embed"))

    @property
    def has_running_text(self) -> bool:
        return self.mean_own_words >= 5 and self.mean_own_words > 0.4 * self.mean_words and self.texts < 0.2

    @property
    def is_once_a_page(self) -> bool:
        return self.pages > 2 and self.frequency < 1.2 * self.pages

    @property
    def comes_first(self) -> bool:
        """No text of the container stands before it, in any example."""
        return bool(self.examples) and not any(example.before.strip() for example in self.examples)

    @property
    def comes_last(self) -> bool:
        return bool(self.examples) and not any(example.after.strip() for example in self.examples)

    def holds(self, *operations: str) -> float:
        """How many of these are in an element, on average."""
        return sum(self.neighbours.holds.get(one, 0) for one in operations) / self.frequency


def _share(counts: Mapping[str, int], operations: Collection[str]) -> float:
    total = sum(counts.values())
    return sum(count for name, count in counts.items() if name in operations) / total if total else 0.0


# --- neighbours ---


def neighbours_of(nodes: Sequence[PathNode], wanted: Collection[str]) -> Mapping[str, Neighbours]:
    """Of the wanted rows; parents come before their children in `nodes`."""
    inside, beside, holds = (defaultdict[str, Counter[str]](Counter) for _ in range(3))
    names = {one.id: _name(one.decided) for one in nodes}
    around: dict[int | None, str] = {}  # node -> what the nearest with a name becomes, itself or one that it stands in
    children, within = (defaultdict[int | None, Counter[str]](Counter) for _ in range(2))
    for one in nodes:
        nearest, name = around.get(one.parent, ""), names[one.id]
        around[one.id] = name or nearest
        if one.step.row in wanted:
            inside[one.step.row][nearest] += one.total.frequency
        if name:
            children[one.parent][name] += one.total.frequency
    for one in reversed(nodes):
        row, name, held = one.step.row, names[one.id], within.pop(one.id, Counter[str]())
        if row in wanted:
            beside[row].update(children[one.parent])
            beside[row][name] -= one.total.frequency
            holds[row].update(held)
        if name:
            within[one.parent][name] += one.total.frequency
        within[one.parent].update(held)
    return {row: Neighbours(inside=inside[row], beside=+beside[row], holds=holds[row]) for row in wanted}


def _name(decided: DecidedOperation) -> str:
    """The name that an element gets; "" for one that only goes, and its content stays."""
    if decided.decider is Decider.NOBODY or decided.operation in _LOOKED_THROUGH:
        return ""
    return decided.operation.split(" > ")[-1]
