"""A pick: where to look for a value and what to make of it. Evaluated by `extraction.picks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.dates import DateFormat
from webarticlecurator.paths import JsonPath
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector

Take = Literal["first", "all", "last", "rest", "min", "max"] | int
"""Which of the values that are left; a number counts from 0, negative from the end."""
_WHERE = ("json", "html_in", "meta", "head_link", "jsonld", "script", "page_url", "listing", "const")
"""Where a pick looks that has no selector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Search only inside this container."""

    css: Selector
    take: Take = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNumber:
    """Keep the link whose number is `step` more than the current page's."""

    step: int = 1
    current: Selector | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One way to get values: exactly one *where*, then the *how* steps in the order of these fields."""

    # where: exactly one of these, but `html_in` and `script` may stand with `css` / `json`
    css: Selector | None = None
    json: JsonPath | None = None
    html_in: JsonPath | str | None = None
    """A path in JSON, or the name of an attribute; its value is HTML, from which `css` picks."""
    meta: str | None = None
    head_link: str | None = None
    jsonld: JsonPath | None = None
    script: Pattern | None = None
    page_url: Pattern | None = None
    listing: str | None = None
    const: str | None = None
    # how, in this order
    when: Selector | None = None
    unless: Selector | None = None
    within: Within | None = None
    having: Mapping[str, Pattern] | None = None
    """"text" or an attribute's name -> what must be found in it; all must."""
    page_number: PageNumber | None = None
    attr: str | None = None
    own_text: bool = False
    without: Selector | None = None
    split: Pattern | None = None
    match: Pattern | None = None
    replace: tuple[tuple[Pattern, str], ...] = ()
    map: Mapping[str, str] | None = None
    """`map` and `map_file` together."""
    drop: tuple[Pattern | str, ...] = ()
    route: Mapping[str, tuple[Pattern, ...]] | None = None
    """Field -> patterns: a matching value goes to that field instead."""
    make_url: UrlTemplate | None = None
    base: str | None = None
    """What URLs are joined with, instead of the page's URL."""
    date: tuple[DateFormat, ...] = ()
    take: Take | None = None
    """None: `first` where one value is wanted, `all` where a list is."""
    source: str = ""
    """Where the rule stands in the portal file ("archive.link"), for `Found.source` and messages."""

    @property
    def text(self) -> str:
        """What it looks for, for messages: a selector as it is written, anything else with its name."""
        if self.css is not None:
            return " ".join(self.css.text.split())
        given = ((name, getattr(self, name)) for name in _WHERE)
        return next((f"{name}: {getattr(value, 'text', value)}" for name, value in given if value is not None), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """The values of several picks, united in order."""

    picks: tuple[Picks, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """Alternatives: the first that gives something."""

    alternatives: tuple[Pick | AllOf, ...]

    def each(self) -> Iterator[Pick]:
        """All of them, one by one."""
        for alternative in self.alternatives:
            if isinstance(alternative, AllOf):
                for inner in alternative.picks:
                    yield from inner.each()
            else:
                yield alternative

    @property
    def named(self) -> str:
        """What they look for, for messages."""
        return " or ".join(pick.text for pick in self.each())
