"""Reader of what stands in meta and link elements, in the title and the first-level headings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import _Element as Element

from webarticlecurator.extract.metadata.clues import MAX_TEXT, Clues
from webarticlecurator.text import short_text

_WRITTEN_BY = re.compile(
    r"\bby\b|author|autor|auteur|verfasst|geschrieben|écrit|escrit|scritto|szerz|írta|napisan|skrevet|skriven|kirjoitt|geschreven|door|yazan|автор",
    re.IGNORECASE,
)
_HOME = re.compile(r"(?:https?://[^/]+)?/?(?:index\.\w+)?")
_OWN_KEYWORDS = tuple(f"{mark}{name}" for mark in ":._-" for name in ("keywords", "tags"))
"""A portal's own name for its keywords."""
_LINKS = frozenset({"canonical", "license"})
_NAMES = ("property", "name", "http-equiv")


def read_head(tree: Element, told: Iterable[Element], clues: Clues) -> None:
    """File `meta:NAME` (lower case), `link:REL`, and the title, the headings, the language and the card for social media as `html:...`.

    `told` are the elements that tell of the whole page: meta, link, title and h1.
    """
    clues.add("html:lang", tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or tree.get("xml:lang"))
    for element in told:
        tag = element.tag
        if tag == "meta":
            _meta(element, clues)
        elif tag == "link":
            for rel in _LINKS.intersection((element.get("rel") or "").lower().split()):
                clues.add(f"link:{rel}", element.get("href"))
        elif tag == "h1":
            clues.add("html:site-name" if _leads_home(element) else "html:h1", short_text(element, MAX_TEXT))
        elif _is_of_page(element):
            clues.add("html:title", element.text)
    _file_card_author(clues)


def _meta(element: Element, clues: Clues) -> None:
    content = element.get("content")
    if not content:
        return
    for attribute in _NAMES:
        if name := element.get(attribute):
            name = name.strip().lower()
            clues.add(f"meta:{name}", content)
            if name.endswith(_OWN_KEYWORDS) and ":" not in content:
                clues.add("meta:own-keywords", content)


def _file_card_author(clues: Clues) -> None:
    """A card for social media carries two labelled values; one of them may be the author."""
    for number in "12":
        label, value = (clues.texts(f"meta:twitter:{part}{number}") for part in ("label", "data"))
        if label and value and _WRITTEN_BY.search(label[0]):
            clues.add("html:card", value[0])


def _leads_home(heading: Element) -> bool:
    """A heading that links to the front page is the site's name."""
    above = heading.getparent()
    link = above if above is not None and above.tag == "a" else heading.find(".//a")
    return link is not None and _HOME.fullmatch(link.get("href") or "") is not None


def _is_of_page(title: Element) -> bool:
    """Drawings have titles, too."""
    parent = title.getparent()
    return parent is None or parent.tag in ("head", "html", "body")
