"""Reader of what stands in meta and link elements, in the title and the first-level headings."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import marks_in
from webarticlecurator.extraction.metadata.clues import Clues
from webarticlecurator.extraction.metadata.page_parts import leads_home
from webarticlecurator.extraction.metadata.sources import CARD, READ
from webarticlecurator.extraction.structured_data import MAX_TEXT
from webarticlecurator.text import element_text, short_text, squeeze

_WRITTEN_BY = re.compile(
    r"\bby\b|author|autor|auteur|verfasst|geschrieben|écrit|escrit|scritto|szerz|írta|napisan|skrevet|skriven|kirjoitt|geschreven|door|yazan|автор",
    re.IGNORECASE,
)
_OWN_KEYWORDS = tuple(f"{mark}{name}" for mark in ":._-" for name in ("keywords", "tags"))
"""A portal's own name for its keywords."""
_OF_ITS_OWN = "meta:own-keywords"
_CARD_LABEL = "twitter:misc:"
"""Before the label of one of a card's values, where that is the element's name."""
_BESIDE = re.compile(
    r"kicker|eyebrow|over-?line|over-?title|top-?line|dach-?zeile|spitz-?marke|roof-?line|pre-?title|super-?title|sur-?titre|ante-?t[ií]tulo|"
    r"occhiello|sr-?only|visually-?hidden|screen-?reader",
    re.IGNORECASE,
)
MAX_INSIDE = 50
"""Elements of a heading."""
_LINKS = frozenset({"canonical", "license"})
_NAMES = ("property", "name", "http-equiv")
_LONGEST_NAME = 200


def read_head(tree: Element, clues: Clues, samples: Collection[Element]) -> None:
    """File `meta:NAME` (lower case), `link:REL`, and the title, the headings, the language and the card for social media as `html:...`."""
    clues.add("html:lang", tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or tree.get("xml:lang"))
    for element in tree.iter("meta", "link", "title", "h1"):
        tag = element.tag
        if element in samples:
            continue
        if tag == "meta":
            _meta(element, clues)
        elif tag == "link":
            for rel in _LINKS.intersection((element.get("rel") or "").lower().split()):
                clues.add(f"link:{rel}", element.get("href"))
        elif tag == "h1":
            clues.add("html:site-name" if leads_home(element) else "html:h1", _heading_text(element))
        elif _is_of_page(element):
            clues.add("html:title", element.text)
    _file_card_author(clues)


def _meta(element: Element, clues: Clues) -> None:
    content = element.get("content")
    if not content or _is_of_object(element):
        return
    for attribute in _NAMES:
        name = element.get(attribute)
        if name and len(name) <= _LONGEST_NAME:
            for source in _sources_of(name):
                if source != _OF_ITS_OWN or ":" not in content:
                    clues.add(source, content)


def _is_of_object(element: Element) -> bool:
    """Whether it says something of a typed object in the page's body (RDFa), one teaser of many perhaps, and not of the page."""
    name = element.get("property") or ":"
    return ":" not in name and any(one.get("typeof") for one in element.iterancestors())


@lru_cache(maxsize=4_096)
def _sources_of(written: str) -> tuple[str, ...]:
    """Where the content of a meta element of this name is filed; of most names nobody asks."""
    name = written.strip().lower()
    own = (_OF_ITS_OWN,) if name.endswith(_OWN_KEYWORDS) else ()
    card = ("html:card",) if name.startswith(_CARD_LABEL) and _WRITTEN_BY.search(name) else ()
    return (*((source,) if (source := f"meta:{name}") in READ else ()), *own, *card)


def _file_card_author(clues: Clues) -> None:
    """One of the labelled values of a card may be the author."""
    for labelled, valued in CARD:
        label, value = clues.texts(labelled), clues.texts(valued)
        if label and value and _WRITTEN_BY.search(label[0]):
            clues.add("html:card", value[0])


def _heading_text(heading: Element) -> str | None:
    """Of a first-level heading, without the line above the headline that stands in it, and what only screen readers are told."""
    inner = islice(heading.iterdescendants(etree.Element), MAX_INSIDE)
    beside = frozenset((*(one for one in inner if (written := one.get("class")) and _BESIDE.search(written)), *marks_in(heading)))
    text = squeeze(element_text(heading, without=beside)) if beside else None
    return text if text and len(text) <= MAX_TEXT else short_text(heading, MAX_TEXT)


def _is_of_page(title: Element) -> bool:
    """Drawings have titles, too."""
    parent = title.getparent()
    return parent is None or parent.tag in ("head", "html", "body")
