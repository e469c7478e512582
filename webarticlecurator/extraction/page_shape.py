"""The make of a page: running text, links, boxes of one kind, teasers, articles whose headlines lead to pages
of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from webarticlecurator.extraction.alike import by_make, make_of
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import Sign, constantly, reason_by
from webarticlecurator.extraction.listing_addresses import OF_LIST
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import LINE, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS
from webarticlecurator.urls import any_spelling, bare_host, join, normalise, same_page, without_fragment

_HEADLINE = 15
"""Letters of a link that may be a headline."""
_MOST_OF_LINE = 0.7
"""The share of its line that such a link is."""
_NO_LETTERS = linear(r"[\W\d_]+")
_SENTENCE = 40
"""Characters of a sentence."""
_RUNNING = 80
"""Characters of running text."""
_LINK_IN_BOX = 8
"""Characters of the links in a box of a listing."""
_FEWEST_BOXES = 4
"""Boxes of one kind, before they count."""
_FEWEST_POSTS = 5
"""Articles of a listing."""
_MOST_OF_ONE = 0.8
"""The share of the text of a listing's articles that the longest one may be."""
_MOST_BEFORE = 0.1
"""The share of the text of a listing's articles that may stand before them."""
_LONGEST_BEFORE = 500
"""Characters that may stand before a listing's articles."""


class PageShape:
    """Characters and counts of all on a page that is no furniture; lists of links are counted with it."""

    def __init__(self, furniture: Furniture) -> None:
        blocks = furniture.blocks
        rows = _rows_of_page(furniture)
        self.text = sum(map(blocks.flow.__getitem__, rows))
        self.linked = sum(map(blocks.linked.__getitem__, rows))
        self.lines_of_links = sum([_is_headline(blocks.linked[row], blocks.flow[row]) for row in rows])
        sentences = _sentences(blocks, rows)
        paragraphs = _running_text(blocks, sentences)
        self.running = paragraphs.total()
        self.largest = max(paragraphs.values(), default=0)
        """Running text of the paragraphs of one block, where that is most."""
        boxes = _boxes_of_one_kind(blocks, rows)
        self.boxes = len(boxes)
        self.in_boxes = int(sum(map(blocks.characters.__getitem__, boxes)))
        holders = [range(row, blocks.ends[row]) for row in boxes if blocks.tags[row] != "p"]
        beside = sentences.keys() - set(chain.from_iterable(holders))
        self.own = sum(map(sentences.__getitem__, beside))
        """Sentences that stand in none of the boxes."""


class _NoShape(PageShape):
    """True if nothing is known of the make of the page, since only rules look at it."""

    def __init__(self) -> None:
        self.text = self.linked = self.running = self.largest = self.in_boxes = self.own = 0
        self.boxes = self.lines_of_links = 0


NO_SHAPE: PageShape = _NoShape()


def _is_headline(linked: float, length: float) -> bool:
    """Say whether so many letters of links in a line may be a headline."""
    return linked >= _HEADLINE and linked > _MOST_OF_LINE * length


def _rows_of_page(furniture: Furniture) -> list[int]:
    """Return the blocks with text that are not the site's."""
    blocks = furniture.blocks

    def reason(row: int) -> str | None:
        why = furniture.reason(row)
        return None if why == Furniture.LINKS else why

    aside = filter(furniture.aside.__getitem__, sorted(furniture.doubtful))
    of_site = blocks.flagged(blocks.outermost(aside, reason))
    return [row for row in sorted(blocks.with_text) if not of_site[row]]


def _sentences(blocks: PageBlocks, rows: list[int]) -> dict[int, int]:
    """Return for each block with sentences how many characters of them stand immediately in it."""
    with_stops = blocks.has_stops.intersection(rows)
    return {row: blocks.plain[row] for row in with_stops if blocks.plain[row] >= _SENTENCE}


def _running_text(blocks: PageBlocks, sentences: dict[int, int]) -> Counter[int]:
    """Return how much running text stands in the paragraphs of each block."""
    running: Counter[int] = Counter()
    for row, length in sentences.items():
        if length >= _RUNNING and blocks.linked[row] < blocks.flow[row] / 2:
            running[blocks.parents[row]] += length
    return running


def _boxes_of_one_kind(blocks: PageBlocks, rows: list[int]) -> list[int]:
    """Return the boxes of one kind and one parent with a link each that hold the most text."""

    def kind_of(row: int) -> tuple[int, str]:
        return blocks.parents[row], make_of(blocks.elements[row])

    linked = [row for row in rows if blocks.links[row] >= _LINK_IN_BOX]
    boxes = by_make((row for row in linked if blocks.characters[row] >= _HEADLINE), kind_of)
    several = [kind for kind in boxes.values() if len(kind) >= _FEWEST_BOXES]
    return max(several, key=lambda kind: sum(map(blocks.characters.__getitem__, kind)), default=[])


class Teasers:
    """Lines of the text that are links to other pages of the host, and the text around them."""

    def __init__(self, page: Page, blocks: PageBlocks, container: Container) -> None:
        host = bare_host(page.url)
        addresses: set[str] = set()
        stretches = [0]
        self.elsewhere = 0
        """Links to other hosts, and to the page itself."""
        for letters, link in chain.from_iterable(_lines(blocks, row) for row in container.rows(page.outline)):
            url = join(page.base, link, encoding=page.encoding) if link else None
            if url is None or url in addresses:
                stretches[-1] += letters  # a teaser may be a link as a whole: its second line is text
            elif bare_host(url) != host or same_page(url, page.url):
                stretches[-1] += letters
                self.elsewhere += 1
            else:
                addresses.add(url)
                stretches.append(0)
        self.pages = len(addresses)
        self.text = sum(stretches)
        """Letters that stand in none of them."""
        self.longest = max(stretches)
        """Letters between two of them, where they are most."""


def _lines(blocks: PageBlocks, row: int) -> Iterator[tuple[int, str]]:
    """Give the letters of each line, as a browser shows it, and its address if it may be a linked
    headline."""
    length = linked = 0
    target = ""
    outline = blocks.outline
    for place in outline.strings_in(row):
        text = outline.strings[place]
        if text == LINE:
            yield _line(length, linked, target)
            length = linked = 0
            target = ""
            continue
        letters = len(_NO_LETTERS.sub("", text))
        length += letters
        link = blocks.links_around[outline.owners[place]]
        if link is not None:
            linked += letters
            target = link or target
    yield _line(length, linked, target)


def _line(length: int, linked: int, target: str) -> tuple[int, str]:
    return length, target if _is_headline(linked, length) else ""


def listed_articles(page: Page, blocks: PageBlocks, container: Container, metadata: Metadata) -> int:
    """Return how many articles the text is, the headline of each a link to a page of its own.

    0 if there is more in it, or one of them is the page itself.
    """
    outline, roots = page.outline, container.rows(page.outline)
    linked = dict(_linked_headlines(page, blocks, roots))
    if not linked or _names_itself(page, metadata, tuple(linked.values())):
        return 0
    end_of_text = outline.begins_at(roots[-1]) + outline.length(roots[-1])
    begins = [*map(outline.begins_at, (roots[0], *linked)), end_of_text]
    before, *lengths = (end - begin for begin, end in pairwise(begins))
    listed = _ListedArticles(page.url, before, lengths)
    return len(lengths) if reason_by(_SIGNS_OF_LIST, listed) else 0


class _ListedArticles(NamedTuple):
    """Articles of one text, the headline of each a link."""

    url: str
    before: int
    """Characters that stand before the first."""
    lengths: list[int]

    def stand_first(self) -> bool:
        return self.before <= min(_MOST_BEFORE * sum(self.lengths), _LONGEST_BEFORE)

    def are_several(self) -> bool:
        return len(self.lengths) >= _FEWEST_POSTS

    def are_about_as_long(self) -> bool:
        return max(self.lengths) <= _MOST_OF_ONE * sum(self.lengths)

    def have_address_of_list(self) -> bool:
        return OF_LIST.search(self.url) is not None


_SIGNS_OF_LIST: tuple[Sign[_ListedArticles], ...] = (
    Sign(
        constantly("there are several"),
        (_ListedArticles.stand_first, _ListedArticles.are_several, _ListedArticles.are_about_as_long),
    ),
    Sign(
        constantly("its address says it"),
        (_ListedArticles.stand_first, _ListedArticles.have_address_of_list),
    ),
)
"""Signs that a text is a list of articles."""


def _names_itself(page: Page, metadata: Metadata, addresses: tuple[str, ...]) -> bool:
    """Say whether one of the addresses is the page itself, or the first page of an article of several."""
    urls = (page.url, page.requested_url, *(found.value for found in metadata.get("url", ())))
    return any(any_spelling(normalise(url)).startswith(addresses) for url in urls)


def _linked_headlines(page: Page, blocks: PageBlocks, roots: list[int]) -> Iterator[tuple[int, str]]:
    """Give the headings in a text that lead as a whole to a page of the host, each with its address."""
    for heading in chain.from_iterable(page.outline.rows_in(root, *HEADINGS) for root in roots):
        row = blocks.of[heading]
        if row >= 0 and _is_headline(blocks.links[row], blocks.characters[row]):
            url = join(page.base, _link_of(blocks, row), encoding=page.encoding) or ""
            if bare_host(url) == bare_host(page.url):
                yield heading, any_spelling(normalise(without_fragment(url)))


def _link_of(blocks: PageBlocks, heading: int) -> str:
    """Return where a heading leads that stands in a link, or holds one."""
    around = blocks.links_around[blocks.rows[heading]]
    inside = (link.get("href") for link in blocks.inner(heading, "a"))
    return next(filter(None, (around, *inside)), "")
