"""The inventory of a portal's tags: what is counted of each, which rule decides it, and what is still to be decided; and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

JsonRow = dict[str, Any]
"""As programs get it."""


class Decider(StrEnum):
    """Whose rule decides a tag."""

    PORTAL = "portal"
    """The portal file; with a layout's rules."""
    PRESET = "preset"
    GENERAL = "general table"
    POSTS = "posts"
    """The rules for posts, which come before the tag dictionary."""
    FINDER = "general finder"
    """Left out as furniture, or known for the labels of tabs, because no rule says what it is."""
    NOBODY = "undecided"


BY_NO_TAG_RULE = frozenset((Decider.POSTS, Decider.FINDER, Decider.NOBODY))
"""Where the tag dictionary says nothing."""


@dataclass(frozen=True, slots=True)
class DecidedOperation:
    """What becomes of an element, and who says so."""

    operation: str
    """As in the tag dictionary; `split` as "paragraph > bold"; what nobody decides is "unwrap" in effect."""
    decider: Decider
    rule: str = ""
    """Place and selector: "portal.yaml:31 div.ajanlo"; the finder's reason."""
    condition: str = ""
    """The rule's selector where more than the element's own tag, id, classes and attributes decides: "blockquote.tweet p"."""
    url: str | None = None
    """The attribute that keeps the element's address."""

    @property
    def becomes(self) -> str:
        """What becomes of the element, in a word: "undecided" where no rule says it."""
        return "undecided" if self.decider is Decider.NOBODY else self.operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A place where a tag stands, with the text around it."""

    url: str
    before: str = ""
    text: str = ""
    after: str = ""
    start_tag: str = ""
    """As it is written in the page, cut to a bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What an undecided tag may be."""

    operation: str
    evidence: tuple[str, ...]
    """Each a short sentence with its figures, the strongest first."""
    weight: float = field(default=0.0, compare=False)
    """Of all that speaks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagRow:
    """A simplified tag under one decision. What lies inside of something that is left out is not counted: nothing is at stake there."""

    tag: str
    """See `extraction.body.tag_names`."""
    decided: DecidedOperation
    frequency: int
    pages: int
    first_year: int | None
    last_year: int | None
    words: int
    """In the elements, with all in them."""
    own_words: int
    """Immediately in them."""
    link_words: int
    """Of `words`, those in links."""
    descendants: int
    """Elements in them."""
    of_posts: bool = False
    """Posts that were recognised hold it, too, or it holds them: they would go with it."""
    examples: tuple[Example, ...] = ()
    suggestion: Suggestion | None = None
    """For what nobody decides; for what only the general table or the finder decides, where the evidence speaks for something else."""

    @property
    def has_text(self) -> bool:
        return self.words > 0

    @property
    def is_undecided(self) -> bool:
        return self.decided.decider is Decider.NOBODY

    @property
    def mean_words(self) -> float:
        return self.words / self.frequency

    @property
    def mean_own_words(self) -> float:
        return self.own_words / self.frequency

    @property
    def mean_descendants(self) -> float:
        return self.descendants / self.frequency

    @property
    def link_share(self) -> float:
        """Of the words, the part that stands in links."""
        return self.link_words / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """What a portal's pages are made of."""

    portal: str
    pages: int
    """Read."""
    of_pages: int
    """That there are; more than `pages` in a sample."""
    passed_over: Mapping[str, int] = field(default_factory=dict)
    """Outcome -> how many stored responses gave no article container."""
    notes: tuple[str, ...] = ()
    """Sentences on what this inventory does not show: it is a sample, rare paths were folded."""
    rows: tuple[TagRow, ...] = ()
    """Text-bearing ones first; most words at stake first."""
    trees: Mapping[str, Sequence[JsonRow]] = field(default_factory=dict)
    """Layout ("" for the base rules) -> its roots. Of a node `words` are those in its elements with all in them, `own_words` those
    immediately in them; `children` come with most words first; `more` counts the paths below it that are left out, `more_words` the words
    in those of them that are children."""
    pairs: Sequence[JsonRow] = ()
    """One tag inside another, as a child (`adjacent`) or deeper; `operation`: what becomes of the inner ones."""
    reduction: Mapping[str, int]
    """Different start tags with all their attributes (`tags`), those `with_text`, the `simplified` tags of these, those `undecided`."""
    coverage: Sequence[JsonRow] = ()
    """How much of each year's pages (None: no date was found) is decided: words that stand immediately in an element that a rule decides,
    or inside one that is left out. `layout_change`: so much less than before that the portal's layout may have changed."""

    @property
    def is_of_all_pages(self) -> bool:
        """Else of a sample, or interrupted: what it does not show may stand on another page."""
        return self.pages + sum(self.passed_over.values()) >= self.of_pages


# --- names as in the table for spreadsheets ---


def as_json(inventory: Inventory, rows: Sequence[TagRow]) -> dict[str, Any]:
    """The whole inventory, with these of its rows, for a program; names as in the table for spreadsheets."""
    return {
        "portal": inventory.portal,
        "pages": inventory.pages,
        "of_pages": inventory.of_pages,
        "passed_over": dict(inventory.passed_over),
        "notes": list(inventory.notes),
        "reduction": inventory.reduction,
        "coverage": inventory.coverage,
        "rows": [row_as_json(row) for row in rows],
        "trees": inventory.trees,
        "pairs": inventory.pairs,
    }


def row_as_json(row: TagRow) -> dict[str, Any]:
    """One row."""
    return {
        "table": "text" if row.has_text else "notext",
        "tag": row.tag,
        "where": row.decided.condition,
        "frequency": row.frequency,
        "pages": row.pages,
        "from": row.first_year,
        "to": row.last_year,
        "words": row.words,
        "mean_words": row.mean_words,
        "mean_immediate_words": row.mean_own_words,
        "mean_descendants": row.mean_descendants,
        "link_share": row.link_share,
        "operation": None if row.is_undecided else row.decided.operation,
        "url": row.decided.url,
        "decided_by": row.decided.decider.value,
        "rule": row.decided.rule,
        "suggestion": row.suggestion and {"operation": row.suggestion.operation, "evidence": row.suggestion.evidence},
        "examples": [asdict(example) for example in row.examples],
    }
