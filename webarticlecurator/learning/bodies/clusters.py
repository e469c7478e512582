"""Pages of one layout: those whose text stands in elements of the same name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webarticlecurator.learning.bodies.findings import FoundLayout
from webarticlecurator.learning.bodies.reading import Reading
from webarticlecurator.learning.element_selectors import named_selectors, selected

_MOST_LAYOUTS = 12
_UNNAMED = "other pages"


@dataclass(frozen=True, slots=True, eq=False)
class Cluster:
    """Readings of one layout."""

    root: str
    readings: tuple[Reading, ...]
    """Whose text stands in the element, in the order of the pages."""
    strays: tuple[Reading, ...] = ()
    """That have the element, once, and whose text was found in another that has no name in common with more pages."""


def clusters_of(readings: Sequence[Reading]) -> tuple[Cluster, ...]:
    """All pages that have a text, each in one cluster; most pages first."""
    rest = [one for one in readings if one.root is not None]
    names = {id(one): named_selectors(one.root) for one in rest if one.root is not None}
    found: list[Cluster] = []
    while rest and len(found) < _MOST_LAYOUTS:
        counts = Counter(name for one in rest for name in names[id(one)])
        if not counts:
            break
        most = max(counts.values())
        candidates = sorted(name for name, count in counts.items() if count == most)
        root = min(candidates, key=lambda name: (_others(name, rest), "[" not in name, " " in name, len(name), name))
        found.append(Cluster(root, tuple(one for one in rest if root in names[id(one)])))
        rest = [one for one in rest if root not in names[id(one)]]
    if rest:
        found.append(Cluster("", tuple(rest)))
    return tuple(_with_strays(found))


def layouts_of(clusters: Sequence[Cluster]) -> tuple[FoundLayout, ...]:
    """As a person is told of them."""
    every = [one for cluster in clusters for one in cluster.readings]
    used: Counter[str] = Counter()
    layouts = []
    for cluster in clusters:
        days = sorted(day for one in cluster.readings if (day := one.day) is not None)
        having = {id(one) for one in every if cluster.root and matches(cluster.root, one)}
        name = _name_of(cluster.root)
        used[name] += 1
        layouts.append(
            FoundLayout(
                name=name if used[name] == 1 else f"{name} {used[name]}",
                root=cluster.root,
                urls=tuple(one.url for one in cluster.readings),
                first=days[0] if days else None,
                last=days[-1] if days else None,
                is_apart=bool(cluster.root) and having <= {id(one) for one in cluster.readings},
            )
        )
    return tuple(layouts)


def matches(selector: str, reading: Reading) -> int:
    """How many elements of the page."""
    return len(selected(selector, reading.page.tree))


def _others(selector: str, readings: Sequence[Reading]) -> int:
    """Elements that it matches beside one on each page."""
    return sum(max(0, matches(selector, one) - 1) for one in readings)


def _with_strays(clusters: Sequence[Cluster]) -> list[Cluster]:
    """A page of a smaller cluster that has the element of a larger one, once, may belong there: it is told to both."""
    strays: Mapping[int, list[Reading]] = defaultdict(list)
    for number, cluster in enumerate(clusters):
        for one in cluster.readings:
            home = next((larger for larger in range(number) if clusters[larger].root and matches(clusters[larger].root, one) == 1), None)
            if home is not None and len(clusters[home].readings) > len(cluster.readings):
                strays[home].append(one)
    return [Cluster(one.root, one.readings, tuple(strays.get(number, ()))) for number, one in enumerate(clusters)]


def _name_of(root: str) -> str:
    """Of a selector its most telling name."""
    words = "".join(letter if letter.isalnum() or letter in "-_" else " " for letter in root).split()
    return words[-1] if words else _UNNAMED
