"""The data in the head of a page, and the language of its root."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.sources import CARD, READ, WORDS, PageClues
from webarticlecurator.model.page import relations
from webarticlecurator.own_patterns import linear

_WRITTEN_BY = linear("|".join(WORDS["written by"]), re.IGNORECASE)
_LANGUAGES = ("lang", "{http://www.w3.org/XML/1998/namespace}lang", "xml:lang")
"""Attributes that tell the language."""
_NAMES = ("property", "name", "http-equiv")
"""Attributes that tell what a meta element is about."""
_LONGEST_NAME = 200
_RELATIONS = frozenset({"canonical", "license"})
"""Links of the head that tell something of the article."""


def read_head(known: PageClues) -> None:
    """File `meta:NAME` (lower case), `link:REL`, and the title, the language and the card for social media as
    `html:...`."""
    outline = known.page.outline
    for root in outline.elements[:1]:
        known.add("html:lang", next(filter(None, map(root.get, _LANGUAGES)), None))
    for meta in _shown(known, "meta"):
        _file_meta(meta, known)
    for link in _shown(known, "link"):
        for relation in _RELATIONS.intersection(relations(link)):
            known.add(f"link:{relation}", link.get("href"))
    for row in outline.rows("title"):
        if outline.tags[outline.parents[row]] in ("head", "html", "body"):  # drawings have titles, too
            known.add("html:title", outline.elements[row].text)
    for labelled, valued in CARD:
        if _WRITTEN_BY.search("".join(known.texts(labelled)[:1])):
            known.add("html:card", "".join(known.texts(valued)[:1]))


def _shown(known: PageClues, tag: str) -> Iterator[Element]:
    """Yield the elements of this name that stand in no sample of code."""
    outline = known.page.outline
    return (outline.elements[row] for row in outline.rows(tag) if row not in known.parts.samples)


def _file_meta(meta: Element, known: PageClues) -> None:
    """File the content of a meta element under each of its names that somebody asks for."""
    for name in filter(None, map(meta.get, _NAMES)):
        source = _source_of(name[:_LONGEST_NAME])
        if source:
            known.add(source, meta.get("content"))


@lru_cache(maxsize=4_096)
def _source_of(written: str) -> str:
    """Return where the content of a meta element of this name is filed; empty, as mostly, where nobody
    asks."""
    name = written.strip().lower()
    # the label of a value of a card stands behind this
    if name.startswith("twitter:misc:") and _WRITTEN_BY.search(name):
        return "html:card"
    return f"meta:{name}" if f"meta:{name}" in READ else ""
