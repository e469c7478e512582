"""Topics: which of a page's lists of keywords is the article's own, and what in it is a topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.extraction.metadata.authors import folded
from webarticlecurator.extraction.metadata.clues import plain_text
from webarticlecurator.extraction.metadata.letter_case import as_shown
from webarticlecurator.extraction.metadata.offers import Chosen, PageClues, chosen_from, is_visible
from webarticlecurator.extraction.metadata.sources import SOURCES
from webarticlecurator.model.metadata import Found

MAX_TOPICS = 100
MAX_SHOWN = 12
"""Of what a page shows more links than these are a menu."""
_LONGEST_TOPIC = 100
_SEPARATORS = re.compile(r"\s*[,;|，、；\n]\s*")
_EDGES = " \t,:;|/#"
_QUOTES = '"“”„'
_COUNT = re.compile(r"\s*\(\d+[^()]{0,12}\)$")
_LABEL = re.compile(r"^(?:categor(?:y|ies)|tags?|topics?|subjects?|keywords?|section|thema|tagek|cimkék):\s*", re.IGNORECASE)
_FOR_MACHINES = re.compile(
    r"[@_].*|[\w-]*:\S.*|nlp .*|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{24,}|(?!(?:1\d|20)\d\d$)\d+|https?:.*|.*=.*|"
    r"(?-i:[a-z][A-Za-z-]{2,30}: .*)",
    re.IGNORECASE,
)
"""What the programs of a site say to each other: numbers that are no years, codes, `displayType: standard`."""
_PATH = re.compile(r"/?(?:[^\s/]+/){2,}")
"""Of a tree of topics, before its leaf."""
_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,11}")
_MIN_CODES, _MOSTLY = 5, 0.6
_NONE = frozenset(
    (
        *("", "null", "none", "undefined", "keywords", "tags", "tag", "na", "default", "uncategorized", "article"),
        *("more", "mehr", "plus", "más", "altro", "topics", "alltopics", "moretopics", "themen", "allethemen", "sujets", "temas"),
        *("argomenti", "alltags", "showmore", "mehranzeigen"),
    )
)
"""Folded."""


@dataclass(frozen=True, slots=True)
class _List:
    """What one source says."""

    topics: tuple[Found, ...]
    keys: tuple[str, ...]
    """The topics, folded."""
    is_visible: bool
    of_portal: bool
    """A meta element whose list names the portal: then most of it is what the portal writes about, not the article."""


def choose_topics(sources: Sequence[str], known: PageClues) -> Chosen:
    """The first list that tells of the article: neither of what its portal writes about, nor only of its section."""
    lists: list[_List] = []
    for source in sources:
        told = any(not one.of_portal and len(one.keys) > 1 for one in lists)  # then what the page shows need not be looked for
        if not (told and is_visible(source)) and (found := _list_of(source, known)) is not None:
            lists.append(found)
    section = {folded(text) for text in known.clues.texts(*(one for one in SOURCES["articleSection"] if not is_visible(one)))}
    own = [one for one in lists if not one.of_portal and (len(one.keys) > 1 or not (one.keys[0] in section or one.is_visible))] or lists
    if not own:
        return Chosen()
    first = own[0].topics
    shown = (one for source in sources if is_visible(source) and (seen := _list_of(source, known)) for one in seen.topics)
    return chosen_from([as_shown(first, shown), *(one.topics for one in lists)], many=True)


def _list_of(source: str, known: PageClues) -> _List | None:
    told = topics_in(known.clues.texts(source))
    if source == "html:tags" and len(told) > MAX_SHOWN:
        return None
    keyed = [(folded(topic), Found(value=topic, raw=raw, source=source)) for topic, raw in told]
    # that its readers see the portal's name among the topics, somebody meant
    own = [(key, found) for key, found in keyed if is_visible(source) or key not in known.outlets]
    if not own:
        return None
    topics, keys = zip(*((found, key) for key, found in own), strict=True)
    return _List(topics, keys, is_visible(source), of_portal=source.startswith("meta:") and len(own) < len(keyed))


def topics_in(texts: Sequence[str]) -> list[tuple[str, str]]:
    """(topic, as it stood), in page order; a text may be a list of them. None at all where they are codes."""
    found: dict[str, tuple[str, str]] = {}
    for topic, raw in _pieces(texts):
        key = folded(topic)
        if key not in _NONE and len(topic) <= _LONGEST_TOPIC:
            found.setdefault(key, (topic, raw))
    topics = list(found.values())[:MAX_TOPICS]
    codes = sum(_CODE.fullmatch(topic) is not None for topic, _ in topics)
    return [] if codes >= _MIN_CODES and codes > _MOSTLY * len(topics) else topics


def _pieces(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in map(plain_text, texts):
        for piece in _SEPARATORS.split(text):
            topic = _bare(_COUNT.sub("", _LABEL.sub("", _PATH.sub("", _bare(piece)))))
            if not _FOR_MACHINES.fullmatch(topic):
                yield topic, text


def _bare(piece: str) -> str:
    """Without what stands around it; quotation marks of a part of it stay."""
    text = piece.strip(_EDGES)
    inner = text.strip(f"{_EDGES}{_QUOTES}'")
    return text if any(mark in inner for mark in _QUOTES) else inner
