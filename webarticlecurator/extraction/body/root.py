"""Which block of a page holds the article: where most of its running text is, and little else."""

from __future__ import annotations

from webarticlecurator.extraction.body.densities import Terrain
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.names import Part

# fmt: off
_LEAVES = frozenset((
    "blockquote", "dd", "dt", "figcaption", "figure", "form", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "ul",
))
# fmt: on
"""An article is never one of these; they stand in it."""
_TAG_WEIGHTS = {"article": 1.3, "main": 1.3, "li": 0.5, "figcaption": 0.5, "th": 0.5, "dd": 0.5, "h1": 0.2, "h2": 0.2, "h3": 0.2, "h4": 0.2}
_PART_WEIGHTS = {Part.BODY: 1.5, Part.CAPTION: 0.5}
_HEAVIEST = 3.0
_BEFORE_HEADLINE = 0.3
_PARAGRAPH, _SENTENCE = 80, 30
"""Characters of a text that is running text anyway, and of one that is if it has commas or full stops."""
_MOST_OF_IT = 0.75
"""Share of a block's worth from which one block inside it is a better root."""
_MOST_OF_MARKED = 0.6
"""Share of the running text of the largest element marked as the article, from which one inside it will do as well."""
_HEAD_ROWS = 3
"""`<html>`, `<body>`, and what stands before it on a broken page."""
_SEVERAL = 0.08
"""Share of a block's worth that stands immediately in it, from which it is no mere wrapper."""


def values_of(terrain: Terrain, headline: int | None) -> list[float]:
    """What the text that stands immediately in each block is worth: running text counts for the article, links against it."""
    weights = _weights(terrain, headline)
    return [
        _value(flow, linked, row in terrain.has_stops) * (weight if linked <= flow / 2 else 1) if flow else 0.0
        for row, (flow, linked, weight) in enumerate(zip(terrain.flow, terrain.linked, weights, strict=True))
    ]


def known_values(terrain: Terrain) -> list[float]:
    """The same where the article's text is known: what is not recognised counts against."""
    return [
        float(terrain.known.get(row) or (-(flow - linked) / 2 if flow - linked > _SENTENCE else -5 if flow else 0))
        for row, (flow, linked) in enumerate(zip(terrain.flow, terrain.linked, strict=True))
    ]


def prose_of(terrain: Terrain, values: list[float]) -> list[float]:
    """How much running text each block and all inside it hold."""
    return terrain.summed([max(value, 0) for value in values])


def aside_of(terrain: Terrain, prose: list[float], furniture: Furniture) -> list[bool]:
    """For each block whether it stands outside the article, by itself or with a block around it."""
    safe = _safe(terrain, prose)
    aside: list[bool] = []
    for row, parent in enumerate(terrain.parents):
        aside.append((row > 0 and aside[parent]) or (row not in safe and furniture.reason(row) is not None))
    return aside


def root_of(terrain: Terrain, values: list[float], aside: list[bool]) -> int:
    """The row of the block that holds the article."""
    worth = list(values)
    for row in range(len(terrain) - 1, 0, -1):
        if not aside[row]:
            worth[terrain.parents[row]] += worth[row]
    rows = (row for row in range(len(terrain)) if not aside[row] and (terrain.tags[row] not in _LEAVES or not row))
    return _descend(terrain, values, worth, aside, max(rows, key=lambda row: (worth[row], row)))


def _value(flow: int, linked: int, has_stops: bool) -> float:
    plain = flow - linked
    if linked > plain:
        return -linked - 10.0
    if plain >= _PARAGRAPH or (plain >= _SENTENCE and has_stops):
        return float(plain)
    return plain / 5


def _weights(terrain: Terrain, headline: int | None) -> list[float]:
    """How much the text in each block counts, by where it stands."""
    weights: list[float] = []
    for parent, tag, role in zip(terrain.parents, terrain.tags, terrain.roles, strict=True):
        weight = weights[parent] if weights else 1.0
        weight *= _TAG_WEIGHTS.get(tag, 1)
        if role is not None:
            weight *= _PART_WEIGHTS.get(role.part, 1)
        weights.append(min(weight, _HEAVIEST))
    for row in range(headline or 0):
        weights[row] *= _BEFORE_HEADLINE
    return weights


def _safe(terrain: Terrain, prose: list[float]) -> set[int]:
    """What says that it is the article, and all around it."""
    marks = zip(terrain.tags, terrain.roles, strict=True)
    rows = [row for row, (tag, role) in enumerate(marks) if tag in ("article", "main") or (role is not None and role.part is Part.BODY)]
    most = max((prose[row] for row in rows), default=0)
    innermost = max((row for row in rows if prose[row] > _MOST_OF_MARKED * most), default=0)
    return terrain.above(innermost) | {row for row, tag in enumerate(terrain.tags[:_HEAD_ROWS]) if tag == "body"}


def _descend(terrain: Terrain, values: list[float], worth: list[float], aside: list[bool], row: int) -> int:
    """Into the block that holds nearly all, as long as there is one."""
    children: dict[int, list[int]] = {}
    for child in range(row + 1, len(terrain)):
        if not aside[child]:
            children.setdefault(terrain.parents[child], []).append(child)
    while inner := children.get(row):
        best = max(inner, key=worth.__getitem__)
        own = max(values[row], 0) + sum(max(values[child], 0) for child in inner if terrain.tags[child] in _LEAVES)
        if terrain.tags[best] in _LEAVES or own > _SEVERAL * worth[row] or worth[best] < _MOST_OF_IT * worth[row]:
            break
        row = best
    return row
