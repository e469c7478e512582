"""What an article is about, and in which section it stands: topics and sections from data, and from what the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from urllib.parse import unquote

from webarticlecurator.extraction.metadata import sources
from webarticlecurator.extraction.metadata.sources import WORDS, Clue, Offer, PageClues, is_visible
from webarticlecurator.extraction.metadata.visible import LONGEST_TAG, VisibleParts
from webarticlecurator.labelling.element_names import ClassHint, LinkKind
from webarticlecurator.model.metadata import Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded
from webarticlecurator.urls import any_spelling, join

MAX_SHOWN = 12
"""Of what a page shows more links than these are a menu."""
_EDGES = " \t,:;|/#"
_QUOTES = '"“”„'
_COUNT = linear(r"(?<!\s)\s*\(\d+[^()]{0,12}\)$")
_CODE = linear_at(r"[A-Z][A-Z0-9_]{1,11}")
_LABEL = linear(r"^(?:categor(?:y|ies)|tags?|topics?|subjects?|keywords?|section|thema|tagek|cimkék):\s*", re.IGNORECASE)
_FOR_MACHINES = linear_at(
    r"[@_].*|[\w-]*:\S.*|nlp .*|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{24,}|(?!(?:1\d|20)\d\d$)\d+|https?:.*|.*=.*|"
    r"(?-i:[a-z][A-Za-z-]{2,30}: .*)|(?:day|month|year|week|channel|type|format|template|layout|status|source|author|page|id): .*|"
    r"[a-z0-9]+(?:_[a-z0-9]+)+",
    re.IGNORECASE,
)
"""What the programs of a site say to each other: numbers that are no years, codes, `displayType: standard`, `channel_other`."""
_NONE = frozenset(map(folded, ("", *WORDS["no topic"])))
"""Folded."""


def choose_topics(known: PageClues) -> list[Offer]:
    """The first list that tells of the article: neither of what its portal writes about, nor only of its section."""
    offers: list[Offer] = []
    of_article: list[Offer] = []
    section = {folded(text) for text in known.texts(*sources.SECTIONS_TOLD)}
    for source in known.sources_of("keywords"):
        visible = is_visible(source)
        if visible and any(len(topics) > 1 for topics in of_article):
            continue
        told: dict[str, tuple[str, str]] = {}
        for text in map(sources.plain_text, known.texts(source)):  # which may be a list of them
            for piece in linear(r"(?<!\s)\s*[,;|，、；،؛\n]\s*").split(text):
                topic = _bare(_COUNT.sub("", _LABEL.sub("", _bare(piece))))
                if len(topic) <= 100 and not _FOR_MACHINES.fullmatch(topic) and (key := folded(topic)) not in _NONE:
                    told.setdefault(key, (topic, text))
        codes = sum(_CODE.fullmatch(topic) is not None for topic, _ in told.values())
        are_codes = codes >= 5 and codes > 0.6 * len(told)
        given = [] if are_codes else list(told.values())[:100]
        # that its readers see the portal's name among the topics, somebody meant
        topics = [Found(value=topic, raw=raw, source=source) for topic, raw in given if visible or folded(topic) not in known.outlets]
        if topics and not (source == "html:tags" and len(given) > MAX_SHOWN):
            offers.append(topics)
            is_section = {folded(topic.value) for topic in topics} <= section or (visible and len(topics) == 1)
            if not is_section and not _are_of_portal(source, topics, given):
                of_article.append(topics)
    if of_article:
        return [of_article[0], *offers]
    # what is shown as the section alone is no topic, too
    section.update(map(folded, known.texts("html:section")))
    offers = [
        topics for topics in offers if not (is_visible(topics[0].source) and section.issuperset(folded(topic.value) for topic in topics))
    ]
    return [*offers[:1], *offers]


def _are_of_portal(source: str, topics: Offer, given: Sequence[tuple[str, str]]) -> bool:
    """A meta element whose list names the portal: then most of it is what the portal writes about, not the article."""
    return source.startswith("meta:") and len(topics) < len(given)


def _bare(piece: str) -> str:
    """Without what stands around it; quotation marks of a part of it stay."""
    text = piece.strip(_EDGES)
    inner = text.strip(f"{_EDGES}{_QUOTES}'")
    return text if any(mark in inner for mark in _QUOTES) else inner


HOME = frozenset(WORDS["front page"])
"""What breadcrumbs begin with."""
_ENDS_ONE_NAME = linear_at(r"(?:.* )?(?:&|and|und|et|y|e|és|i|a|och|og|en) .*|[A-Z]{2}", re.DOTALL)
"""The last part of a list that is one name ("Arts, Food and Drink"), or of a place ("Helena, MT")."""


def choose_section(known: PageClues) -> list[Offer]:
    """Of breadcrumbs the first behind the front page, of a forum the last; the portal's name and the article's own crumb are no section."""
    offers: list[Offer] = []
    for source in known.sources_of("articleSection"):
        if offers and is_visible(source):
            continue
        sections = list(sources.values_of("articleSection", source, known))
        if source == "json-ld:breadcrumb":
            sections = sections[:-1]
        sections = [found for found in sections if found.value.lower() not in HOME and folded(found.value) not in known.outlets]
        if source.endswith(("breadcrumb", "folders")):
            linked = ((clue.text, join(known.page.base, clue.url, encoding=known.page.encoding)) for clue in known.get(source) if clue.url)
            front = {text for text, url in linked if url is not None and any_spelling(url) in known.front_pages}
            sections = [found for found in sections if found.raw not in front]
            sections = sections[-1:] if known.is_forum else sections[:1]
        elif not is_visible(source):
            sections = [replace(found, value=name) for found in sections for name in _sections(found.value)]
        offers += [sections] if sections else []
    return offers


def _sections(text: str) -> list[str]:
    """Data like to name several sections in one text."""
    sections: list[str] = []
    for part in linear(r"[;|]|,(?=\S)").split(text):
        names = part.split(", ")
        sections += [part] if _ENDS_ONE_NAME.fullmatch(names[-1].strip()) else names
    sections = list(filter(None, map(str.strip, sections)))
    return sections if max(map(len, sections), default=0) <= 40 else [text]


_ARROW = linear_at(r"(?<!\s)\s*[>›»→]+\s*")
_MOST_LINKS = 100
_MOST_SECTIONS = 3
"""Of an article; where more are listed, they are the portal's."""
_TOPIC_LABELS = frozenset(WORDS["topic labels"])
_AROUND_LABELS = " \t\n\r\xa0:–-…#"


def _tags(parts: VisibleParts) -> Iterator[Clue]:
    """The texts of links (and buttons) in lists of such; what holds more than that is no list."""
    for box in parts.inside(parts.hinted[ClassHint.TAGS]):
        links = [row for row in (box, *parts.outline.rows_in(box, "a", "button")) if parts.outline.tags[row] in ("a", "button")]
        texts = parts.texts(row for row in links[:_MOST_LINKS] if row not in parts.linked["rel-category"])
        if _is_mostly(parts, box, texts):
            yield from texts


def _is_mostly(parts: VisibleParts, box: int, texts: Sequence[Clue]) -> bool:
    return parts.outline.length(box) <= 3 * sum(len(clue.text) for clue in texts)


def _topic_links(parts: VisibleParts) -> list[Clue]:
    """The first short list of links to topics. Where each has its number behind it, they are those of the whole site."""
    lists: dict[int, list[int]] = {}
    for row in parts.inside(parts.linked[LinkKind.TOPIC]):
        around = list(islice(parts.outline.around(row), 3))
        if parts.stands_alone(row) and not _is_counted(parts, row) and parts.outline.short_text(row, LONGEST_TAG):
            holder = next((above for above in around if len(parts.outline.rows_in(above, "a")) > 1), around[0])
            lists.setdefault(holder, []).append(row)
    return parts.texts(next((rows for rows in lists.values() if len(rows) <= MAX_SHOWN), ()))


def _is_counted(parts: VisibleParts, link: int) -> bool:
    """Whether the number of its articles stands behind a topic."""
    texts = (parts.outline.short_text(row, 2 * LONGEST_TAG) for row in (link, parts.outline.parents[link]))
    return any(_COUNT.search(text) for text in texts if text)


def _labelled_topics(parts: VisibleParts) -> list[Clue]:
    """A short list of short links behind a label, such as "More about". Where each has its number, they are those of the whole site."""
    outline = parts.outline
    short = (place for place in range(parts.begin, len(outline.strings)) if 3 <= outline.lengths[place] <= 30)
    for row in (outline.owners[place] for place in short if outline.strings[place].strip(_AROUND_LABELS).casefold() in _TOPIC_LABELS):
        if parts.link_around(row) is not None or row in parts.samples or parts.is_outside(row):
            continue
        boxes = ((box, [link for link in outline.rows_in(box, "a") if link > row]) for box in islice(chain((row,), outline.around(row)), 3))
        box, links = next(((box, links) for box, links in boxes if links), (0, []))
        topics = parts.texts(links)
        is_short = all(len(clue.text.split()) <= 4 for clue in topics) and not any(_is_counted(parts, link) for link in links)
        if 0 < len(topics) <= MAX_SHOWN and is_short and _is_mostly(parts, box, topics):
            return topics
    return []


def _section_links(parts: VisibleParts) -> list[Clue]:
    """Links that say to be its categories, beside one another; else the first links to sections near the headline, if they are few."""
    if called := parts.texts(parts.beside_first(list(parts.inside(parts.linked["rel-category"])))):
        return called
    named = list(parts.inside(parts.hinted[ClassHint.SECTION]))
    boxes = (row for box in named for row in ([box] if parts.outline.tags[box] == "a" else parts.outline.rows_in(box, "a")[:MAX_SHOWN]))
    topics = {*parts.linked["rel-tag"], *parts.linked[LinkKind.TOPIC]}
    links = dict.fromkeys((*parts.linked[LinkKind.SECTION], *boxes))
    near = [row for row in parts.inside(links) if row not in topics and row in parts.near]
    together = sorted(parts.beside_first(near))
    if first := parts.texts(together if len(together) <= _MOST_SECTIONS else near[:1]):
        return first
    # the foot of the article may list them, or a card of its own beside the text
    sections = frozenset(parts.linked[LinkKind.SECTION])
    feet = (box for box in parts.outline.rows("footer") if not parts.is_outside(box))
    cards = ([row for row in parts.outline.rows_in(box, "a") if box in named or row in sections] for box in (*feet, *named))
    return parts.texts(next((card for card in cards if 0 < len(card) <= _MOST_SECTIONS and sections.issuperset(card)), ()))


def _crumbs(parts: VisibleParts) -> Iterator[Clue]:
    """Of the links in the breadcrumbs all but one to the article itself."""
    outline = parts.outline
    labelled = (row for row in outline.rows("nav", "ol", "ul") if "crumb" in (outline.elements[row].get("aria-label") or "").lower())
    boxes = (row for row in chain(parts.hinted[ClassHint.CRUMBS], labelled) if row not in parts.samples)
    for box in islice(boxes, 1):
        links = outline.rows_in(box, "a")[:_MOST_LINKS]
        texts = [(row, text) for row in links if (text := outline.short_text(row, 300))]
        crumbs = [Clue(text, url=outline.elements[row].get("href") or "") for row, text in texts]
        if crumbs and parts.headline is not None:  # a section may be called a word of it
            last, headline = folded(crumbs[-1].text), folded(parts.headline.text)
            if last in headline and (2 * len(last) > len(headline) or parts.kind_of(texts[-1][0]) == "own"):
                crumbs.pop()
        yield from crumbs


def _folders(parts: VisibleParts) -> Iterator[Clue]:
    """Links close to the headline to what the address of the page goes on from: called as there, or behind one to the front page; and what
    stands right behind that and an arrow."""
    outline, front = parts.outline, -1
    for row in (link for link in outline.rows("a") if link in parts.near):
        name = parts.leads_above(row)
        before = outline.elements[row].getprevious()
        if front >= 0 and before is outline.elements[front] and _ARROW.fullmatch(before.tail or ""):
            name = outline.short_text(row, LONGEST_TAG) or name
        if not name or parts.is_outside(row):
            continue
        front = row if name == "/" else front
        text = outline.short_text(row, LONGEST_TAG) or ""
        is_section = len(name) > 2 and not linear(r"\d").search(text) and parts.kind_of(row) in (None, LinkKind.SECTION)
        if is_section and (folded(text) == folded(unquote(name)) or (front >= 0 and row in parts.beside_first([front, row]))):
            yield Clue(text, url=outline.elements[row].get("href") or "")


VISIBLE_TOPICS = {
    "html:rel-tag": lambda parts: parts.texts(parts.inside(parts.linked["rel-tag"])),
    "html:tags": _tags,
    "html:topic-links": _topic_links,
    "html:labelled-topics": _labelled_topics,
    "html:section": _section_links,
    "html:breadcrumb": _crumbs,
    "html:folders": _folders,
}
