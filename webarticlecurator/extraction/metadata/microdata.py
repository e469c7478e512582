"""Microdata, and RDFa Lite, as the objects that JSON-LD has."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from webarticlecurator.extraction.metadata.sources import MAX_TEXT
from webarticlecurator.model.page import Object, Outline, local_name

_ADDRESS = {
    **dict.fromkeys(("a", "link", "area"), "href"),
    **dict.fromkeys(("img", "audio", "video", "iframe"), "src"),
    "object": "data",
}
"""Attributes in which elements have their addresses."""
_PICTURES = frozenset({"figure", "figcaption"})
_MOST_PROPERTIES = 5_000
_NO_THING = -1
"""Stands for the row of an element where there is none."""


class Syntax(NamedTuple):
    """The attributes by which elements are things, and properties of such."""

    thing: str
    types: str
    names: str
    """Names of the property that an element is."""
    id: str


MICRODATA = Syntax("itemscope", "itemtype", "itemprop", "itemid")
RDFA = Syntax("typeof", "typeof", "property", "resource")


class _Things:
    """The things of a page, by the rows of their elements; properties that belong to no thing are those of
    one without a type."""

    def __init__(self, outline: Outline, syntax: Syntax) -> None:
        self.by_row: dict[int, dict[str, Any]] = {}
        self._outline = outline
        self._syntax = syntax

    def at(self, row: int) -> dict[str, Any]:
        """Return the thing of a row."""
        if row not in self.by_row:
            self.by_row[row] = {} if row == _NO_THING else self._described(row)
        return self.by_row[row]

    def _described(self, row: int) -> dict[str, Any]:
        element = self._outline.elements[row]
        return {"@type": element.get(self._syntax.types, "").split(), "@id": element.get(self._syntax.id)}

    def around(self, row: int) -> dict[str, Any]:
        """Return the thing that the property of a row belongs to; a text in a figure is the figure's: whoever
        took a picture did not write the article."""
        holds = self._is_thing if self._outline.tags[row] in _ADDRESS else self._is_thing_or_picture
        return self.at(next(filter(holds, self._outline.around(row)), _NO_THING))

    def _is_thing_or_picture(self, row: int) -> bool:
        return self._outline.tags[row] in _PICTURES or self._is_thing(row)

    def _is_thing(self, row: int) -> bool:
        return self._outline.elements[row].get(self._syntax.thing) is not None

    def add(self, row: int, names: Iterable[str]) -> None:
        """File the property of a row under its names.

        Each name counts once: the same things again and again, one in the other, would be endlessly many.
        """
        owner, value = self.around(row), self.value(row)
        for name in dict.fromkeys(names):
            owner.setdefault(local_name(name), []).append(value)

    def value(self, row: int) -> str | Object:
        """Return what a property says: a thing, what stands there for machines, or the text, with the address
        of a link."""
        element = self._outline.elements[row]
        if self._is_thing(row):
            return self.at(row)
        written = element.get("content") or element.get("datetime")
        if written:
            return written
        text = self.text(row)
        address = element.get(_ADDRESS.get(self._outline.tags[row], "href"))
        return {"name": text, "url": address} if address else text

    def text(self, row: int) -> str:
        """Return the text of an element; empty where it is too long for a value."""
        return self._outline.label(row, MAX_TEXT)


def things_of(outline: Outline, samples: Collection[int], syntax: Syntax) -> list[Object]:
    """Return the things of a page that are in no other thing.

    `samples` are the rows of samples of code, which say nothing of the page.
    """
    things = _Things(outline, syntax)
    names = enumerate(outline.attribute(syntax.names))
    properties = [row for row, name in names if name is not None and row not in samples]
    for row in properties[:_MOST_PROPERTIES]:
        things.add(row, outline.elements[row].get(syntax.names, "").split())
    inner = things.by_row.keys() & set(properties)
    for row in inner:
        things.at(row).setdefault("@value", things.text(row))
    return [thing for row, thing in things.by_row.items() if row not in inner]
