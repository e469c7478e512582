"""Spare pictures: where a script is to put a picture in its place, pages repeat it in `noscript` for readers without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.media import is_decoration, picture_address

_PICTURE_FILE = re.compile(r"[^/?&=]+\.(?:jpe?g|png|webp|avif)(?![a-z0-9])", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|-\d{3,}px", re.IGNORECASE)
_TELLING_NAME = 8
"""Characters of a file's name that is hardly that of another picture, too."""
_UNSEEN = frozenset({"br", "noscript", "script", "style", "template"})
"""What may stand between a picture and its spare."""
_WRAPPERS = 3
"""Elements around a `noscript` that hold nothing else."""
_MOST_INSIDE = 12
"""Elements in a `noscript`, or around a picture that stands beside one."""
_MOST_PICTURES = 2_000

_Standing = tuple[bool, Element]
"""A picture, or (then True) a `noscript` with one."""


@dataclass(frozen=True, slots=True)
class NoscriptPictures:
    """The pictures in `noscript` that nothing else shows."""

    instead: Mapping[Element, Element] = field(default_factory=dict)
    """By the picture beside it, which has no address of its own."""
    alone: Mapping[Element, Element] = field(default_factory=dict)
    """By the `noscript` that stands beside no picture."""


def noscript_pictures_in(root: Element) -> NoscriptPictures:
    """All below an element; counting pixels stand in `noscript`, too, and are none."""
    found = ((one, _picture_in(one)) for one in islice(root.iter("noscript"), _MOST_PICTURES))
    pictures = {one: picture for one, picture in found if picture is not None}
    if not pictures:
        return NoscriptPictures()
    places: dict[Element, dict[Element, Element]] = {}
    for noscript in pictures:
        place = _outermost_of(noscript, root)
        if (parent := place.getparent()) is not None:
            places.setdefault(parent, {})[place] = noscript
    pairs = {noscript: image for parent, waiting in places.items() for noscript, image in _paired(parent, waiting)}
    shown = _files_shown(root)
    return NoscriptPictures(
        instead={image: pictures[one] for one, image in pairs.items() if image is not None and picture_address(image) is None},
        alone={one: picture for one, picture in pictures.items() if pairs.get(one) is None and _is_missing(picture, shown)},
    )


def _picture_in(noscript: Element) -> Element | None:
    inside = list(islice(noscript.iter(etree.Element), _MOST_INSIDE))
    pictures = [one for one in inside if one.tag == "img"]
    if len(pictures) != 1 or is_decoration(pictures[0]) or _HIDDEN.search(pictures[0].get("style") or ""):
        return None
    return pictures[0] if picture_address(pictures[0]) else None


def _is_missing(picture: Element, shown: set[str]) -> bool:
    """Whether a picture that stands alone belongs to the text, which is not said of what has no name, and is not shown elsewhere."""
    address = picture_address(picture) or ""
    in_figure = next(picture.iterancestors("figure", "picture"), None) is not None
    return _file(address) not in shown and (in_figure or _PICTURE_FILE.search(address) is not None)


def _files_shown(root: Element) -> set[str]:
    images = (one for one in islice(root.iter("img"), _MOST_PICTURES) if next(one.iterancestors("noscript"), None) is None)
    return {_file(address) for image in images if (address := picture_address(image))}


def _file(address: str) -> str:
    """By which a picture is known again, whatever server and size it comes from."""
    name = _PICTURE_FILE.search(address)
    return name[0] if name and len(name[0]) >= _TELLING_NAME else address


def _outermost_of(noscript: Element, root: Element) -> Element:
    """The outermost element that holds nothing but this."""
    place = noscript
    for around in islice(noscript.iterancestors(), _WRAPPERS):
        if around is root or around.tag == "figure" or len(around) != 1 or _has_text(around.text) or _has_text(place.tail):
            break
        place = around
    return place


def _paired(parent: Element, waiting: Mapping[Element, Element]) -> Iterator[tuple[Element, Element | None]]:
    """Each `noscript` with the picture beside it: the one before it, unless that has its own already, else the one after it."""
    held: _Standing | None = None
    for one in (*_side_by_side(parent, waiting), None):
        if held is not None and one is not None and held[0] is not one[0]:
            noscript, image = (held, one) if held[0] else (one, held)
            yield noscript[1], image[1]
            held = None
        else:
            if held is not None and held[0]:
                yield held[1], None
            held = one


def _side_by_side(parent: Element, waiting: Mapping[Element, Element]) -> Iterator[_Standing | None]:
    """Pictures and `noscript` in an element; None where something else stands between them."""
    for child in parent.iterchildren(etree.Element):
        if child in waiting:
            yield True, waiting[child]
        elif child.tag not in _UNSEEN:
            image = _lone_picture(child)
            yield (False, image) if image is not None else None
        if _has_text(child.tail):
            yield None


def _lone_picture(element: Element) -> Element | None:
    """The element, or the one picture in it, if that is all it holds; a figure has its picture already."""
    if element.tag == "figure":
        return None
    inside = list(islice(element.iter(etree.Element), _MOST_INSIDE))
    images = [one for one in inside if one.tag == "img"]
    has_text = any(_has_text(one.text) or (one is not element and _has_text(one.tail)) for one in inside)
    return images[0] if len(images) == 1 and not has_text and not is_decoration(images[0]) else None


def _has_text(text: str | None) -> bool:
    return text is not None and text.strip() != ""
