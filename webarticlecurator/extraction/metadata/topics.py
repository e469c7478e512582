"""The topics of an article, and the section it stands in: which of the topics and sections that its page
tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.shown_topics import COUNT, MAX_SHOWN
from webarticlecurator.extraction.metadata.sources import (
    SOURCES,
    WORDS,
    Clue,
    Offer,
    PageClues,
    collect,
    folded_values,
    is_visible,
    others_than,
    plain_text,
    values_of,
)
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded
from webarticlecurator.urls import any_spelling

_EDGES = " \t,:;|/#"
_QUOTES = '"“”„'
_WITHOUT_QUOTES = str.maketrans("", "", _QUOTES)
_CODE = linear_at(r"[A-Z][A-Z0-9_]{1,11}")
_LABEL = linear(
    r"^(?:categor(?:y|ies)|tags?|topics?|subjects?|keywords?|section|thema|tagek|cimkék):\s*",
    re.IGNORECASE,
)
_FOR_MACHINES = linear_at(
    r"[@_].*|[\w-]*:\S.*|nlp .*|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{24,}|"
    r"(?!(?:1\d|20)\d\d$)\d+|https?:.*|.*=.*|(?-i:[a-z][A-Za-z-]{2,30}: .*)|"
    r"(?:day|month|year|week|channel|type|format|template|layout|status|source|author|page|id): .*|"
    r"[a-z0-9]+(?:_[a-z0-9]+)+",
    re.IGNORECASE,
)
"""Texts that the programs of a site say to each other: numbers that are no years, codes, `displayType:
standard`, `channel_other`."""
_BETWEEN = linear(r"(?<!\s)\s*[,;|，、；،؛\n]\s*")
"""Parts the topics of a list in one text."""
_NONE = frozenset(map(folded, ("", *WORDS["no topic"])))
"""Words that are no topic, folded."""
_LONGEST_TOPIC = 100
_MOST_TOPICS = 100
_FEWEST_CODES = 5
_SHARE_OF_CODES = 0.6
"""A list with more of them is one of codes."""


# --- topics ---

_OF_ANY_PAGE = ("meta:news_keywords", "meta:keywords")
"""Sources of topics that are often the same on all pages of a portal."""
_MARKED = ("html:rel-tag", "html:tags")
"""Lists of topics that the page marks as such."""
_SAYING = (*SOURCES["headline"], *SOURCES["description"])
"""Sources that tell what the article is about."""


class _TopicList(NamedTuple):
    """The topics that a source tells."""

    topics: Offer
    is_of_article: bool
    """True if it tells of the article: neither of what its portal writes about, nor only of its section."""


def choose_topics(known: PageClues) -> list[Offer]:
    """Return the first list that tells of the article, then all."""
    lists = collect("keywords", known, _topic_list, _are_enough)
    of_article_first = sorted(lists, key=lambda told: not told.is_of_article)
    return [told.topics for told in (*of_article_first[:1], *lists)]


def _are_enough(source: str, lists: Sequence[_TopicList]) -> bool:
    """Return True for what the page shows, where several topics of the article are known."""
    return is_visible(source) and any(told.is_of_article and len(told.topics) > 1 for told in lists)


def _topic_list(source: str, known: PageClues) -> _TopicList | None:
    """Return the topics that a source tells; None where there are none, or they are a menu."""
    given = _told_topics(source, known)
    # that its readers see the portal's name among the topics, somebody meant
    topics = given if is_visible(source) else others_than(given, known.outlets)
    if not topics or _is_menu(source, given):
        return None
    return _TopicList(topics, not first_reason(_GENERAL, _ToldTopics(topics, given, known)))


def _told_topics(source: str, known: PageClues) -> Offer:
    """Return the topics that a source tells, each once; a text may be a list of them."""
    told: dict[str, Found] = {}
    for text in map(plain_text, known.texts(source)):
        for topic in filter(_is_topic, map(_topic, _BETWEEN.split(text))):
            told.setdefault(folded(topic), Found(value=topic, raw=text, source=source))
    topics = list(told.values())
    return [] if _are_codes(topics) else topics[:_MOST_TOPICS]


def _topic(piece: str) -> str:
    """Return a topic without the label before it and the number of its articles behind it."""
    return _bare(COUNT.sub("", _LABEL.sub("", _bare(piece))))


def _bare(piece: str) -> str:
    """Return a text without what stands around it; quotation marks of a part of it stay."""
    text = piece.strip(_EDGES)
    inner = text.strip(f"{_EDGES}{_QUOTES}'")
    return inner if inner.translate(_WITHOUT_QUOTES) == inner else text


_AGAINST_TOPIC: tuple[Check[str], ...] = (
    Check("it is a sentence", lambda text: len(text) > _LONGEST_TOPIC),
    Check("programs say it to each other", lambda text: _FOR_MACHINES.fullmatch(text) is not None),
    Check("programs write it where nobody gave a topic", lambda text: folded(text) in _NONE),
)
"""Reasons why a text is no topic."""


def _is_topic(text: str) -> bool:
    return not first_reason(_AGAINST_TOPIC, text)


def _are_codes(topics: Sequence[Found]) -> bool:
    codes = [topic for topic in topics if _CODE.fullmatch(topic.value)]
    return len(codes) >= _FEWEST_CODES and len(codes) > _SHARE_OF_CODES * len(topics)


def _is_menu(source: str, given: Offer) -> bool:
    """Return True for a list of links that is too long for the topics of one article."""
    return source == "html:tags" and len(given) > MAX_SHOWN


class _ToldTopics(NamedTuple):
    """The topics that a source tells, without the portal's name and with it."""

    topics: Offer
    given: Offer
    known: PageClues

    @property
    def source(self) -> str:
        """The source that tells them."""
        return self.topics[0].source


def _are_of_portal(told: _ToldTopics) -> bool:
    """Return True for a meta element whose list names the portal: most of it is what the portal writes
    about."""
    return told.source.startswith("meta:") and len(told.topics) < len(told.given)


def _is_unsaid(told: _ToldTopics) -> bool:
    """Return True for words in the head of which neither headline nor description says one, where the page
    shows others: programs write there what the portal writes about."""
    said = folded(" ".join(told.known.texts(*_SAYING)))
    if told.source not in _OF_ANY_PAGE or not told.known.texts(*_MARKED):
        return False
    return not any(name in said for name in folded_values(told.topics))


_GENERAL: tuple[Check[_ToldTopics], ...] = (
    Check("they are but the section", lambda told: folded_values(told.topics) <= told.known.sections_told),
    Check("one that is shown alone", lambda told: is_visible(told.source) and len(told.topics) == 1),
    Check("a meta element names the portal among them", _are_of_portal),
    Check("nothing says what they are", _is_unsaid),
)
"""Reasons why topics are not those of the article, but of its section, or of all that the portal writes."""


# --- the section ---

HOME = frozenset(map(folded, WORDS["front page"]))
"""Names of the front page, with which breadcrumbs begin; folded."""
_ENDS_ONE_NAME = linear_at(r"(?:.* )?(?:&|and|und|et|y|e|és|i|a|och|og|en) .*|[A-Z]{2}", re.DOTALL)
"""The last part of a list that is one name ("Arts, Food and Drink"), or of a place ("Helena, MT")."""
_LONGEST_SECTION = 40
"""Characters of the name of one section; what is longer is a sentence, and no list of names."""


def choose_section(known: PageClues) -> list[Offer]:
    """Return the sections of each source; the portal's name is none."""
    return collect("articleSection", known, _sections_of)


def _sections_of(source: str, known: PageClues) -> Offer:
    """Return the sections that a source tells."""
    if source in _WAYS_TO_ARTICLE:
        return _section_in_crumbs(source, known)
    sections = others_than(values_of("articleSection", source, known), known.outlets | HOME)
    if is_visible(source):
        return sections
    return [replace(found, value=name) for found in sections for name in _sections(found.value)]


_WAYS_TO_ARTICLE = {
    "json-ld:breadcrumb": slice(-1),
    "html:breadcrumb": slice(None),
    "html:folders": slice(None),
}
"""Lists of links from the front page on, with the part of each that is not the article's own link."""


def _section_in_crumbs(source: str, known: PageClues) -> Offer:
    """Return the first crumb behind the front page, of a forum the last; the headline is none."""
    crumbs = list(values_of("articleSection", source, known))[_WAYS_TO_ARTICLE[source]]
    front = {crumb.text for crumb in known.get(source) if _leads_to_front(crumb, known)}
    no_sections = known.outlets | HOME | frozenset({known.parts.headline.key})
    sections = [found for found in others_than(crumbs, no_sections) if found.raw not in front]
    return sections[-1:] if known.is_forum else sections[:1]


def _leads_to_front(crumb: Clue, known: PageClues) -> bool:
    return any(any_spelling(url) in known.front_pages for url in known.page.joined([crumb.url]))


def _sections(text: str) -> list[str]:
    """Return the sections that data tell in one text."""
    sections: list[str] = []
    for part in linear(r"[;|]|,(?=\S)").split(text):
        names = part.split(", ")
        sections += [part] if _ENDS_ONE_NAME.fullmatch(names[-1].strip()) else names
    sections = list(filter(None, map(str.strip, sections)))
    return sections if max(map(len, sections), default=0) <= _LONGEST_SECTION else [text]
