"""The tables of docs/reference/portal-file.md: every key of a portal file, as it is declared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from portal_schemas import said_of

from webarticlecurator.config.keys import Key, Shape
from webarticlecurator.config.portal import PORTAL

PAGE = Path(__file__).resolve().parent / "reference" / "portal-file.md"
BORDER = "<!-- From here on written by `make docs` from the keys that the classes of webarticlecurator/config/ declare. -->"
FEW = 4
"""So many keys of a mapping stand in the table of what it stands in."""


@dataclass(frozen=True, slots=True)
class Place:
    """A mapping, named after the place where it stands first."""

    name: str
    known: Mapping[str, Key]
    like: Place | None
    """An earlier one that tells of some of its keys already."""
    inside: dict[str, list[Place]] = field(default_factory=dict)
    """Key -> the mappings that stand below it there, and nowhere before."""
    siblings: list[str] = field(default_factory=list)
    """Names beside it with the same keys."""

    @property
    def told_there(self) -> list[str]:
        return [key for key, declared in self.known.items() if self.like and self.like.known.get(key) == declared]

    @property
    def own(self) -> dict[str, Key]:
        return {key: declared for key, declared in self.known.items() if key not in self.told_there}

    @property
    def has_a_table(self) -> bool:
        return len(self.own) > FEW or any(one.has_a_table for below in self.inside.values() for one in below)


def portal_file_page() -> str:
    """docs/reference/portal-file.md: what people wrote down to the border, then the tables."""
    guide = PAGE.read_text(encoding="utf-8").partition(BORDER)[0]
    return "\n".join([f"{guide}{BORDER}\n", *_tables(_whole_file())])


def _whole_file() -> Place:
    """With each mapping once, where it stands first."""
    places: list[Place] = []
    waiting: list[tuple[str, Shape, list[Place]]] = [("", PORTAL, [])]
    while waiting:
        name, shape, beside = waiting.pop(0)
        if same := next((place for place in places if place.known == shape.known), None):
            if same.name.rpartition(".")[0] == name.rpartition(".")[0] and not name.endswith("[]"):
                same.siblings.append(name)
            continue
        place = Place(name, shape.known, next((other for other in places if _is_like(shape.known, other.known)), None))
        places.append(place)
        beside.append(place)
        for key, declared in place.own.items():
            below = place.inside.setdefault(key, [])
            waiting += [(f"{name}.{key}{step}".lstrip("."), inner, below) for step, inner in _mappings(declared.shape)]
    return places[0]


def _is_like(keys: Mapping[str, Key], others: Mapping[str, Key]) -> bool:
    """Whether three of four keys are among the others."""
    return 4 * sum(others.get(key) == declared for key, declared in keys.items()) >= 3 * len(keys)


def _tables(place: Place) -> Iterator[str]:
    """Its own, then those of what stands below it."""
    if place.has_a_table:
        yield from _table(place)
    for below in place.inside.values():
        for one in below:
            yield from _tables(one)


def _table(place: Place) -> Iterator[str]:
    yield f"## {f'`{place.name}`' if place.name else 'The whole file'}\n"
    if place.siblings:
        yield f"The same keys: {', '.join(f'`{name}`' for name in place.siblings)}.\n"
    yield "| key | what it says | default | example |\n|---|---|---|---|"
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in _rows(place):
        alike.setdefault(row.of_any_name, []).append(row)
    for cells, same in alike.items():
        says = cells if len(same) > 1 else same[0].cells
        yield f"| {', '.join(row.name for row in same)} | {' | '.join(says)} |"
    yield ""


@dataclass(frozen=True, slots=True)
class Row:
    """What a table says of a key."""

    key: str
    cells: tuple[str, str, str]
    table: str = ""
    """The anchor of its own."""

    @property
    def name(self) -> str:
        return f"[`{self.key}`](#{self.table})" if self.table else f"`{self.key}`"

    @property
    def of_any_name(self) -> tuple[str, ...]:
        """With NAME where it says its own."""
        return tuple(cell.replace(f"`{self.key}`", "`NAME`").replace(f".{self.key.lower()}", ".NAME") for cell in self.cells)


def _rows(place: Place, above: str = "") -> Iterator[Row]:
    """Its keys, each followed by the few that may stand below it."""
    for key, declared in place.own.items():
        few = [below for below in place.inside[key] if not below.has_a_table]
        anchors = [re.sub(r"\W", "", below.name) for below in place.inside[key] if below.has_a_table]
        says = " ".join([said_of(declared), *(_told_before(below) for below in few if below.told_there)])
        yield Row(above + key, (_cell(says), _value(declared.default), _value(declared.examples[0])), *anchors[:1])
        for below in few:
            step = below.name.removeprefix(place.name).lstrip(".").removeprefix(key)
            yield from _rows(below, f"{above}{'NAME' if below.siblings else key}{step}.")


def _told_before(place: Place) -> str:
    """Which keys of another mapping it has, too."""
    assert place.like
    without = [f"`{key}`" for key in place.like.known if key not in place.known]
    told = [f"`{key}`" for key in place.told_there]
    place_itself = place.name.rpartition(".")[2]
    begin = f"`{place.name}` has" if place_itself == "NAME" or place_itself.endswith("[]") else "It has"
    if len(told) < 2 * len(without):
        return f"{begin} {', '.join(told)} of `{place.like.name}`."
    return f"{begin} the keys of `{place.like.name}`{', without ' * bool(without)}{', '.join(without)}."


def _mappings(shape: Shape, below: str = "") -> Iterator[tuple[str, Shape]]:
    """The mappings with known keys that a value may be, or hold as a list (`[]`) or under names of one's own (`.NAME`)."""
    if shape.known:
        yield below, shape
    for inside, step in ((shape.items, "[]"), (shape.others, ".NAME")):
        if inside is not None:
            yield from _mappings(inside, below + step)


def _value(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return _cell(text) if "`" in text else f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
