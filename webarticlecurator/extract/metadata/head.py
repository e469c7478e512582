"""Reader of what stands in meta and link elements, in the title and the first-level headings."""

from __future__ import annotations

from lxml.etree import _Element as Element

from webarticlecurator.extract.metadata.clues import ClueFile
from webarticlecurator.text import element_text

_LINKS = frozenset({"canonical", "license", "shortlink", "amphtml", "author"})
_NAMES = ("property", "name", "http-equiv")


def read_head(tree: Element, clues: ClueFile) -> None:
    """File `meta:NAME` (lower case, with `:` and `.` as written), `link:REL` and `html:title`, `html:h1` and `html:lang`."""
    clues.add("html:lang", tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or tree.get("xml:lang"))
    for element in tree.iter("meta", "link", "title", "h1"):
        if element.tag == "meta":
            _meta(element, clues)
        elif element.tag == "link":
            for rel in (element.get("rel") or "").lower().split():
                if rel in _LINKS:
                    clues.add(f"link:{rel}", element.get("href"))
        elif element.tag == "h1":
            clues.add("html:h1", element_text(element))
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
