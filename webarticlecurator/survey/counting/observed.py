"""What a pass has seen of a portal's article containers: the tree of all pages merged, the figures of each tag, and what recurs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from webarticlecurator.survey.inventory.results import Example, Ruling
from webarticlecurator.survey.tag import Tag

MORE = Tag("*more*")
"""Stands for paths that are too many or too deep to be kept apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class YearFigures:
    """A node in the pages of one year."""

    frequency: int = 0
    own_words: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A path of simplified tags, from a container down, in all pages; elements on it that rules may tell apart are different nodes."""

    id: int
    """Greater than that of its parent."""
    parent: int | None
    """None: the article container itself, which no rule decides."""
    layout: str
    """"" for the base rules."""
    tag: Tag
    facts: frozenset[str] = frozenset()
    """The hard selectors that match here (see `survey.counting.asking`): they need more than tags and paths."""
    furniture: str = ""
    """Which rule for posts it falls under; else why the general finder leaves it out, where no rule of the portal says otherwise."""
    above: tuple[Tag, ...] = ()
    """Of a container: what stands around it, from the outside, as far as the rules ask for it."""
    whole: Tag | None = None
    """The tag before it was shortened, where rules may tell the difference."""
    frequency: int = 0
    pages: int = 0
    own_words: int = 0
    """Immediately in the elements."""
    words: int = 0
    """In the elements, with all in them; what lies in scripts, styles, templates and comments is not looked at."""
    link_words: int = 0
    """Of `words`, those in links."""
    descendants: int = 0
    """Elements in them."""
    years: Mapping[int | None, YearFigures] = field(default_factory=dict)
    """None: pages without a date."""

    @property
    def is_container(self) -> bool:
        return self.parent is None

    @property
    def is_more(self) -> bool:
        """It stands for many paths that were folded into one; its ruling means nothing."""
        return self.tag == MORE


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedNode:
    """A node, and what becomes of its elements."""

    node: Node
    ruling: Ruling
    inside_dropped: bool = False
    """It lies in something that is left out, or that stands for what it shows: nothing is at stake there."""
    inside_simple: bool = False
    """It lies in something that `unwrap-all` made simple; `ruling` tells of that rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTag:
    """A simplified tag, wherever it stands."""

    tag: Tag
    pages: int
    examples: tuple[PlacedExample, ...] = ()
    """At most three, of different pages, of different years where there are."""
    new: bool = False
    """The captures read when it was first seen came since the inventory before; nothing is new in the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedExample:
    """An example, and the node in which it stands."""

    node: int
    year: int | None
    example: Example


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurringText:
    """A short text that stands in block elements of one tag on several pages."""

    tag: str
    """See `survey.tag`."""
    text: str
    """Cut to a bound."""
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What all passes over one portal's pages saw."""

    portal: str
    pages: int
    """Read, with an article container."""
    of_pages: int
    """Articles that something is stored of; more than were asked for in a sample."""
    years: Mapping[int | None, int] = field(default_factory=dict)
    """Pages by year, of `pages`."""
    passed_over: Mapping[str, int] = field(default_factory=dict)
    """Outcome -> how many stored responses gave no container."""
    passed_over_reasons: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """The same by outcome and reason; reasons beyond a bound are told as "other reasons"."""
    nodes: tuple[DecidedNode, ...] = ()
    """Parents before their children."""
    tags: Mapping[str, SeenTag] = field(default_factory=dict)
    """By `Tag.text`."""
    examples: Mapping[int, tuple[Example, ...]] = field(default_factory=dict)
    """Of nodes, by their id: the first places on different pages where such an element stands; not of every node."""
    recurring: tuple[RecurringText, ...] = ()
    """Most pages first."""
    start_tags: int = 0
    """Different start tags, with all their attributes; exact up to some thousands, then within about one in a hundred."""
    start_tags_with_text: int = 0
    """Of them, those with words in them."""
    complete: bool = True
    """False: interrupted; the next call goes on where this one stopped."""
    read_now: int = 0
    """Pages that this call had to read."""
    first: bool = False
    """There was no inventory before this one, so nothing is marked as new."""
    notes: tuple[str, ...] = ()
    """Sentences for the person: that paths were folded, that the cache was made again, and why."""
