"""What pages of articles show of where their text stands, and what a person said of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from webarticlecurator.config.expectations import Expectation
from webarticlecurator.model.proposals import Learned, Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is known for certain of the text on one page."""

    url: str
    text: str | None = None
    """All of it, a block a line; None: only what follows is known."""
    contains: tuple[str, ...] = ()
    """Texts that are in it, as a file of expectations writes them."""
    lacks: tuple[str, ...] = ()
    paragraphs: int | None = None
    """How many it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLayout:
    """Pages whose text stands in the same element."""

    name: str
    root: str
    """The selector of that element; "": it has no name of its own on these pages."""
    urls: tuple[str, ...]
    """The pages, in the order in which they were given."""
    first: date | None = None
    last: date | None = None
    """The dates that they cover, where they have any."""
    body: Mapping[str, Plain] = field(default_factory=dict)
    """Rules for them that are better than none: what stands under `body`."""
    is_apart: bool = False
    """No page of another layout has its element: `when` with it tells them from all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyFindings:
    """What the pages show of bodies."""

    learned: Learned = field(default_factory=Learned)
    layouts: tuple[FoundLayout, ...] = ()
    """Most pages first."""


def truths_in(expectations: Iterable[Expectation]) -> tuple[Truth, ...]:
    """What a file of expectations says of the texts of articles."""
    return tuple(
        Truth(url=one.url, contains=one.contains, lacks=one.lacks, paragraphs=one.counts.get("paragraphs"))
        for one in expectations
        if one.kind == "article" and one.outcome == "article" and (one.contains or one.lacks or "paragraphs" in one.counts)
    )


def layout_entry(layout: FoundLayout, body: Mapping[str, Plain] | None = None) -> Mapping[str, Plain]:
    """What would stand for it under `layouts`: by its element where that tells it from the others, else by its dates."""
    if layout.is_apart and layout.root:
        condition: dict[str, Plain] = {"when": layout.root}
    else:
        days = {"from": layout.first, "until": layout.last}
        condition = {name: day.isoformat() for name, day in days.items() if day is not None}
    return {"name": layout.name, **condition, "body": dict(layout.body if body is None else body)}
