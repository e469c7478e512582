"""Reader of what stands in meta and link elements and in the title."""

from __future__ import annotations

from lxml.etree import _Element as Element

from webarticlecurator.extract.metadata.clues import ClueFile

_LINKS = frozenset({"canonical", "license", "shortlink", "amphtml", "author"})
_NAMES = ("property", "name", "http-equiv")


def read_head(tree: Element, clues: ClueFile) -> None:
    """File `meta:NAME` (lower case, with `:` and `.` as written), `link:REL` and `html:title`."""
    for element in tree.iter("meta", "link", "title"):
        if element.tag == "meta":
            _meta(element, clues)
        elif element.tag == "link":
            for rel in (element.get("rel") or "").lower().split():
                if rel in _LINKS:
                    clues.add(f"link:{rel}", element.get("href"))
        elif _is_of_page(element):
            clues.add("html:title", element.text)


def _meta(element: Element, clues: ClueFile) -> None:
    content = element.get("content")
    if not content:
        return
    for attribute in _NAMES:
        if name := element.get(attribute):
            clues.add(f"meta:{name.strip().lower()}", content)


def _is_of_page(title: Element) -> bool:
    """Drawings have titles, too."""
    parent = title.getparent()
    return parent is None or parent.tag in ("head", "html", "body")
