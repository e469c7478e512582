"""Places where a page shows what its article is about, and in which section it stands: lists of topics, links
to sections, breadcrumbs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from typing import NamedTuple
from urllib.parse import unquote

from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.metadata.sources import WORDS, Clue
from webarticlecurator.extraction.metadata.visible import LONGEST_TAG, VisibleParts
from webarticlecurator.labelling.element_names import ClassHint, LinkKind
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import folded

MAX_SHOWN = 12
"""Links that a page shows; more are a menu."""
COUNT = linear(r"(?<!\s)\s*\(\d+[^()]{0,12}\)$")
"""The number of its articles behind a topic."""
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
    return filterfalse(parts.is_in_teaser, parts.inside(rows))


def _is_mostly(parts: VisibleParts, box: int, texts: Sequence[Clue]) -> bool:
    """Return True if a box holds little but these texts."""
    return parts.outline.length(box) <= 3 * sum(len(clue.text) for clue in texts)


def _topic_links(parts: VisibleParts) -> list[Clue]:
    """Return the first short list of links to topics. Where each has its number behind it, they are those of
    the whole site."""
    alone = filter(parts.stands_alone, _not_of_others(parts, parts.linked[LinkKind.TOPIC]))
    lists = by_make(alone, partial(_holder, parts))
    return _first_list(_AGAINST_LIST, (_LinksInBox(parts, *held) for held in lists.items()))


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
    labels = filter(parts.says_something, _topic_labels(parts))
    return _first_list(_AGAINST_TOPICS, (_LinksInBox(parts, *_box_of_links(parts, row)) for row in labels))


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
    links = parts.outline.rows("a")
    behind = links[bisect_right(links, parts.headline.row) :]
    spelt = filter(partial(_is_spelt, parts), behind)
    lists = by_make(spelt, lambda row: (_holder(parts, row), _folder_and_last(parts, row)[0]))
    return _first_list(
        _AGAINST_SPELT, (_LinksInBox(parts, box, rows, folder) for (box, folder), rows in lists.items())
    )


def _folder_and_last(parts: VisibleParts, link: int) -> tuple[str, str]:
    """Return the folder that a link leads to, and the last part of its address."""
    folder, _, last = parts.href(link).rstrip("/").rpartition("/")
    return folder, last


def _is_spelt(parts: VisibleParts, link: int) -> bool:
    """Return True for a link that is called as the last part of its address is."""
    _, last = _folder_and_last(parts, link)
    # most links are called otherwise, and a text that is much longer is not read
    name = folded(parts.text(link, min(2 * len(last), LONGEST_TAG)))
    return name != "" and name == folded(unquote(last))


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


def _first_list(against: Sequence[Check[_LinksInBox]], lists: Iterable[_LinksInBox]) -> list[Clue]:
    """Return the texts of the first links that nothing in a table speaks against."""
    return next((links.topics for links in lists if not first_reason(against, links)), [])


_AGAINST_LIST: tuple[Check[_LinksInBox], ...] = (
    Check("they are a menu", lambda links: len(links.links) > MAX_SHOWN),
    Check("they are counted", lambda links: any(_is_counted(links.parts, link) for link in links.links)),
)
"""Reasons why links to topics are those of the whole site."""
_AGAINST_TOPICS: tuple[Check[_LinksInBox], ...] = (
    Check("they are none", lambda links: not links.topics),
    *_AGAINST_LIST,
    Check("one of them is a sentence", lambda links: links.most_words > _MOST_WORDS),
    Check("more stands beside them", lambda links: not _is_mostly(links.parts, links.box, links.topics)),
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
    ways = (_called_categories, _sections_near, _sections_in_card)
    return next(filter(None, (parts.texts(find(parts)) for find in ways)), [])


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

    They are called as it is there, or stand beside the one to the front page.
    """
    links = sorted(parts.near.keys() & parts.outline.rows("a"))
    folders = dict(zip(links, map(parts.leads_above, links), strict=True))
    front = [row for row, folder in folders.items() if folder == "/"][:1]
    for row, folder in folders.items():
        link = _LinkAbove(parts, row, folder, front)
        if not first_reason(_NO_SECTION, link):
            yield Clue(link.text, url=parts.href(row))


class _LinkAbove(NamedTuple):
    """A link to what the address of the page may go on from."""

    parts: VisibleParts
    row: int
    folder: str
    """The last part of its address, where that of the page goes on from it."""
    front: Sequence[int]
    """The link to the front page, if there is one."""

    @property
    def text(self) -> str:
        """The words on it."""
        return self.parts.text(self.row, LONGEST_TAG)


def _is_called_otherwise(link: _LinkAbove) -> bool:
    """Return True for a link that has another name than the folder, and does not stand beside the front
    page's."""
    is_called_so = folded(link.text) == folded(unquote(link.folder))
    together = link.parts.beside_first([*link.front, link.row]) if link.front else ()
    return not is_called_so and link.row not in together


_NO_SECTION: tuple[Check[_LinkAbove], ...] = (
    Check("it has no name, or that of a language", lambda link: len(link.folder) <= 2),
    Check("it is called otherwise, and stands by itself", _is_called_otherwise),
    Check("it has a number", lambda link: _DIGIT.search(link.text) is not None),
    Check(
        "it leads to somebody, or a topic",
        lambda link: link.parts.kind_of(link.row) not in (None, LinkKind.SECTION),
    ),
    Check("it is others'", lambda link: link.parts.is_outside(link.row)),
)
"""Reasons why a link to what the address of the page goes on from names no section."""


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
