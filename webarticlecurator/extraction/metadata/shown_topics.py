"""Places where a page shows what its article is about, and in which section it stands: lists of topics, links
to sections, breadcrumbs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import unquote

from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.sources import WORDS, Clue
from webarticlecurator.extraction.metadata.visible import LONGEST_TAG, VisibleParts
from webarticlecurator.labelling.element_names import ClassHint, LinkKind
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import folded

MAX_SHOWN = 12
"""Links that a page shows; more are a menu."""
COUNT = linear(r"(?<!\s)\s*\(\d+[^()]{0,12}\)$")
"""The number of its articles behind a topic."""
_ARROW = linear_at(r"(?<!\s)\s*[>›»→]+\s*")
_DIGIT = linear(r"\d")
_MOST_LINKS = 100
_MOST_SECTIONS = 3
"""Sections of an article; where more are listed, they are the portal's."""
_FEWEST_SPELT = 3
"""Links in one folder that are called as they are addressed not by chance."""
_MOST_WORDS = 4
"""Words of such a link."""
_LONGEST_CRUMB = 300
_TOPIC_LABELS = frozenset(WORDS["topic labels"])
_LENGTHS_OF_LABELS = range(3, 31)
_AROUND_LABELS = " \t\n\r\xa0:–-…#"


# --- topics ---


def _tags(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the texts of links, else of buttons, in lists of such; what holds more than that is no list."""
    for box in _not_of_others(parts, parts.hinted[ClassHint.TAGS]):
        links = _links_in(parts, box, "a") or _links_in(parts, box, "button")
        texts = parts.texts(row for row in links[:_MOST_LINKS] if row not in parts.linked["rel-category"])
        if _is_mostly(parts, box, texts):
            yield from texts


def _not_of_others(parts: VisibleParts, rows: Sequence[int]) -> Iterator[int]:
    """Return the elements that are of the article, and of no teaser of another one."""
    return (row for row in parts.inside(rows) if not parts.is_in_teaser(row))


def _is_mostly(parts: VisibleParts, box: int, texts: Sequence[Clue]) -> bool:
    """Return True if a box holds little but these texts."""
    return parts.outline.length(box) <= 3 * sum(len(clue.text) for clue in texts)


def _topic_links(parts: VisibleParts) -> list[Clue]:
    """Return the first short list of links to topics. Where each has its number behind it, they are those of
    the whole site."""
    lists: dict[int, list[int]] = {}
    for row in _not_of_others(parts, parts.linked[LinkKind.TOPIC]):
        if parts.stands_alone(row) and not _is_counted(parts, row):
            lists.setdefault(_holder(parts, row), []).append(row)
    return parts.texts(next((rows for rows in lists.values() if len(rows) <= MAX_SHOWN), ()))


def _holder(parts: VisibleParts, link: int) -> int:
    """Return the nearest element around a link that holds several links, of those close to it; else the one
    right around it."""
    outline = parts.outline
    around = islice(outline.around(link), 3)
    return next((above for above in around if len(outline.rows_in(above, "a")) > 1), outline.parents[link])


def _is_counted(parts: VisibleParts, link: int) -> bool:
    """Return True if the number of its articles stands behind a topic."""
    return any(COUNT.search(parts.text(row, 2 * LONGEST_TAG)) for row in (link, parts.outline.parents[link]))


def _labelled_topics(parts: VisibleParts) -> list[Clue]:
    """Return a short list of short links behind a label, such as "More about"."""
    for row in filter(parts.says_something, _topic_labels(parts)):
        links = _LinksInBox(parts, *_box_of_links(parts, row))
        if not first_reason(_AGAINST_TOPICS, links):
            return links.topics
    return []


def _topic_labels(parts: VisibleParts) -> Iterator[int]:
    """Yield the elements of the texts, from the headline on, that label topics."""
    outline = parts.outline
    places = range(parts.begin, len(outline.strings))
    short = (place for place in places if outline.lengths[place] in _LENGTHS_OF_LABELS)
    for place in short:
        if outline.strings[place].strip(_AROUND_LABELS).casefold() in _TOPIC_LABELS:
            yield outline.owners[place]


def _box_of_links(parts: VisibleParts, label: int) -> tuple[int, list[int]]:
    """Return the nearest element around a label with links behind the label, and these links."""
    for box in islice(chain((label,), parts.outline.around(label)), 3):
        links = [link for link in parts.outline.rows_in(box, "a") if link > label]
        if links:
            return box, links
    return 0, []


def _spelt_topics(parts: VisibleParts) -> list[Clue]:
    """Return the first short list of links behind the headline that are called as the last part of their
    address is, in one folder, which is not that of the page."""
    folders = defaultdict[str, list[tuple[int, str]]](list)
    for row in parts.outline.rows("a"):
        folder, _, last = parts.href(row).rstrip("/").rpartition("/")
        if row > parts.headline.row:
            folders[folder].append((row, last))
    lists = defaultdict[tuple[int, str], list[int]](list)
    for folder, links in folders.items():
        for row, last in links if len(links) >= _FEWEST_SPELT else ():
            if folded(unquote(last)) == folded(parts.text(row, LONGEST_TAG)) != "":
                lists[_holder(parts, row), folder].append(row)
    spelt = (_LinksInBox(parts, box, links, folder) for (box, folder), links in lists.items())
    return next((links.topics for links in spelt if not first_reason(_AGAINST_SPELT, links)), [])


class _LinksInBox(NamedTuple):
    """Links in a box that may be topics of the article."""

    parts: VisibleParts
    box: int
    links: Sequence[int]
    folder: str = ""
    """The folder in which all of them lead to what they are called."""

    @property
    def topics(self) -> list[Clue]:
        """The texts of the links."""
        return self.parts.texts(self.links)

    @property
    def most_words(self) -> int:
        """The words of the longest text."""
        return max(len(clue.text.split()) for clue in self.topics)


_AGAINST_TOPICS: tuple[Check[_LinksInBox], ...] = (
    Check("they are none, or a menu", lambda links: not 0 < len(links.topics) <= MAX_SHOWN),
    Check("one of them is a sentence", lambda links: links.most_words > _MOST_WORDS),
    Check("more stands beside them", lambda links: not _is_mostly(links.parts, links.box, links.topics)),
    Check("they are counted", lambda links: any(_is_counted(links.parts, link) for link in links.links)),
)
"""Reasons why links are no topics of the article."""
_AGAINST_SPELT: tuple[Check[_LinksInBox], ...] = (
    Check("they are too few", lambda links: len(links.topics) < _FEWEST_SPELT),
    *_AGAINST_TOPICS,
    Check("the page lies in their folder", lambda links: links.parts.lies_in(links.folder)),
    Check("they are others'", lambda links: not links.parts.inside(links.links)),
)
"""Reasons why links that are called as they are addressed are none."""


# --- links to sections ---


def _section_links(parts: VisibleParts) -> list[Clue]:
    """Return the links to the sections of the article, by the first way to find them that finds some."""
    for find in (_called_categories, _sections_near, _sections_in_card):
        texts = parts.texts(find(parts))
        if texts:
            return texts
    return []


def _called_categories(parts: VisibleParts) -> list[int]:
    """Return the links that say to be the categories of the article, beside one another."""
    return parts.beside_first(parts.inside(parts.linked["rel-category"]))


def _sections_near(parts: VisibleParts) -> list[int]:
    """Return the first links to sections near the headline, if they are few, else the first one."""
    boxes = parts.inside(parts.hinted[ClassHint.SECTION])
    in_boxes = chain.from_iterable(_links_in(parts, box, "a")[:MAX_SHOWN] for box in boxes)
    links = parts.inside(dict.fromkeys((*parts.linked[LinkKind.SECTION], *in_boxes)))
    topics = {*parts.linked["rel-tag"], *parts.linked[LinkKind.TOPIC]}
    near = [row for row in links if row in parts.near.keys() - topics]
    together = sorted(parts.beside_first(near))
    return together if len(together) <= _MOST_SECTIONS else near[:1]


def _links_in(parts: VisibleParts, box: int, *tags: str) -> list[int]:
    """Return the links in an element, or the link that it is; `tags` may name buttons, too."""
    return [box] if parts.outline.tags[box] in tags else parts.outline.rows_in(box, *tags)


def _sections_in_card(parts: VisibleParts) -> list[int]:
    """Return the sections that the foot of the article lists, or a card of its own beside the text."""
    sections = set(parts.linked[LinkKind.SECTION])
    named = parts.inside(parts.hinted[ClassHint.SECTION])
    feet = parts.inside(parts.outline.rows("footer"))
    lists: list[Collection[int]] = [sections.intersection(parts.outline.rows_in(box, "a")) for box in feet]
    lists += [parts.outline.rows_in(box, "a") for box in named]
    few = (links for links in lists if 0 < len(links) <= _MOST_SECTIONS)
    return sorted(next(filter(sections.issuperset, few), ()))


# --- ways to the article ---


def _crumbs(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the links in the breadcrumbs."""
    boxes = chain(parts.hinted[ClassHint.CRUMBS], _labelled_crumbs(parts))
    for box in islice(boxes, 1):
        for row in parts.outline.rows_in(box, "a")[:_MOST_LINKS]:
            yield Clue(parts.text(row, _LONGEST_CRUMB), url=parts.href(row))


def _labelled_crumbs(parts: VisibleParts) -> Iterator[int]:
    """Yield the lists that are called breadcrumbs for those who hear the page."""
    for row in parts.outline.rows("nav", "ol", "ul"):
        if "crumb" in parts.outline.elements[row].get("aria-label", "").lower():
            yield row


def _folders(parts: VisibleParts) -> Iterator[Clue]:
    """Yield the links close to the headline to what the address of the page goes on from.

    They are called as there, or stand behind one to the front page; so does what stands right behind that and
    an arrow.
    """
    front: int | None = None
    for row in sorted(parts.near.keys() & parts.outline.rows("a")):
        name = _behind_arrow(parts, row, front) or parts.leads_above(row)
        if not name or parts.is_outside(row):
            continue
        if name == "/":
            front = row
        text = parts.text(row, LONGEST_TAG)
        is_called_so = folded(text) == folded(unquote(name))
        if _may_be_section(parts, row, name) and (is_called_so or _stand_together(parts, front, row)):
            yield Clue(text, url=parts.href(row))


def _behind_arrow(parts: VisibleParts, link: int, front: int | None) -> str:
    """Return the text of a link that stands right behind the one to the front page and an arrow."""
    before = parts.outline.elements[link].getprevious()
    if front is None or before is not parts.outline.elements[front]:
        return ""
    return parts.text(link, LONGEST_TAG) if _ARROW.fullmatch(before.tail or "") else ""


def _may_be_section(parts: VisibleParts, link: int, name: str) -> bool:
    """Return True for a link that is called as sections may be, and leads to nothing else."""
    has_name = len(name) > 2 and not _DIGIT.search(parts.text(link, LONGEST_TAG))
    return has_name and parts.kind_of(link) in (None, LinkKind.SECTION)


def _stand_together(parts: VisibleParts, first: int | None, row: int) -> bool:
    return first is not None and row in parts.beside_first([first, row])


VISIBLE_TOPICS = {
    "html:rel-tag": lambda parts: parts.texts(parts.inside(parts.linked["rel-tag"])),
    "html:tags": _tags,
    "html:topic-links": _topic_links,
    "html:labelled-topics": _labelled_topics,
    "html:spelt-topics": _spelt_topics,
    "html:section": _section_links,
    "html:breadcrumb": _crumbs,
    "html:folders": _folders,
}
"""Places where the page shows topics and sections, with how they are read there."""
