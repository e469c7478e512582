"""The general finder: where on a page an article's body is, when no rule of a portal says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.densities import Terrain, survey
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.names import Part
from webarticlecurator.extraction.body.root import aside_of, known_values, prose_of, root_of, values_of

_HEADINGS = frozenset(("h1", "h2", "h3"))
_SHORTEST_HEADLINE = 10
_SHORTEST_KNOWN = 200
"""Characters of an `articleBody` that is more than a summary."""
_LONGEST_KNOWN = 50_000
_SAME = 30
"""Characters, white space left out, by which a text is recognised in the article's."""
_LEAD, _NAMED_LEAD = 100, 20
"""Characters of a text above the body that is its lead, and of one that says so."""
_NO_LEAD = frozenset(("figure", "figcaption", "form", "ol", "table", "ul"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the page's metadata say that helps to find the body."""

    headline: str | None = None
    article_body: str | None = None
    """`articleBody` of the page's JSON-LD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The elements that together hold an article's body."""

    elements: tuple[Element, ...]
    """In page order, none inside another: the lead, if it stands apart, then the body."""
    how: str
    """By which evidence they were chosen: "articleBody of JSON-LD", "[itemprop=articleBody]", "text density"."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """Elements inside them that are no part of the article, each with the reason: "share bar", "related articles"."""


def locate(tree: Element, *, hints: Hints) -> Located | None:
    """The body of the article on a page, None if there is no running text."""
    known = (hints.article_body or "")[:_LONGEST_KNOWN]
    terrain = survey(tree, _recogniser(known) if len(known) >= _SHORTEST_KNOWN else None)
    headline = _headline(terrain, hints.headline)
    values = values_of(terrain, headline)
    prose = prose_of(terrain, values)
    if not prose[0]:
        return None
    furniture = Furniture(terrain, prose)
    root = root_of(terrain, values, aside_of(terrain, prose, furniture))
    aligned = _is_whole(terrain, root, len(known))
    if aligned:
        root = root_of(terrain, known_values(terrain), [False] * len(terrain))
    leads = _leads(terrain, furniture, headline, root) if headline is not None else ()
    return Located(
        elements=tuple(terrain.elements[row] for row in (*leads, root)),
        how="articleBody of JSON-LD" if aligned else _evidence(terrain, root),
        furniture={terrain.elements[row]: why for row, why in _inside(terrain, furniture, root, headline)},
    )


def _evidence(terrain: Terrain, root: int) -> str:
    element = terrain.elements[root]
    if "articleBody" in (element.get("itemprop") or ""):
        return "[itemprop=articleBody]"
    if terrain.is_part(root, Part.BODY):
        return "class or id"
    return f"<{element.tag}>" if element.tag in ("article", "main") else "text density"


def _recogniser(known: str) -> Callable[[str], bool]:
    """White space differs between a page and its JSON-LD, so it is left out."""
    squashed = "".join(known.split())
    return lambda text: "".join(text.split())[:_SAME] in squashed


def _headline(terrain: Terrain, headline: str | None) -> int | None:
    """The row of the article's headline: the heading that says what the metadata say, else the only `h1`."""
    wanted = _letters(headline or "")
    alone: list[int] = []
    for row, tag in enumerate(terrain.tags):
        if tag in _HEADINGS and len(text := _letters(terrain.openings.get(row, ""))) > _SHORTEST_HEADLINE:
            if wanted.startswith(text):
                return row
            if tag == "h1":
                alone.append(row)
    return alone[0] if len(alone) == 1 else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _is_whole(terrain: Terrain, root: int, known: int) -> bool:
    """Whether the known text is on the page, and is the article rather than its beginning."""
    if sum(terrain.known.values()) <= known / 2:
        return False
    inside = _rows_below(terrain, root)
    running = sum(plain for row in inside if (plain := terrain.flow[row] - terrain.linked[row]) >= _LEAD)
    return known > running / 2


def _rows_below(terrain: Terrain, root: int) -> list[int]:
    inside = {root}
    for row in range(root + 1, len(terrain)):
        if terrain.parents[row] in inside:
            inside.add(row)
    return sorted(inside)


def _leads(terrain: Terrain, furniture: Furniture, headline: int, root: int) -> Iterator[int]:
    """Running text between the headline and the body."""
    around = terrain.above(root)
    closed: set[int] = set()
    for row in range(headline + 1, root):
        if row in around:
            continue
        no_lead = terrain.tags[row] in _NO_LEAD or terrain.is_part(row, Part.CAPTION)
        if no_lead or terrain.parents[row] in closed or furniture.reason(row, root):
            closed.add(row)
            continue
        plain = terrain.flow[row] - terrain.linked[row]
        if (plain >= _LEAD and row in terrain.has_stops) or (plain >= _NAMED_LEAD and terrain.is_part(row, Part.LEAD)):
            closed.add(row)
            yield row


def _inside(terrain: Terrain, furniture: Furniture, root: int, headline: int | None) -> Iterator[tuple[int, str]]:
    """The furniture below the root, outermost first; what JSON-LD has of the article is none."""
    known = terrain.summed([terrain.known.get(row, 0) for row in range(len(terrain))])
    inside = {root}
    for row in range(root + 1, len(terrain)):
        if terrain.parents[row] in inside:
            why = "headline" if row == headline else furniture.reason(row, root) or furniture.reason_by_words(row)
            if why is None or known[row]:
                inside.add(row)
            else:
                yield row, why
