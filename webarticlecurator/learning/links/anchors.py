"""The links of archive pages, and how likely each address is that of an article: seen on one page alone, with
a long text, like a title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.extraction.lookalikes import is_box
from webarticlecurator.extraction.pager_links import pager_links
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.learning.links.addresses import is_of_no_article, looks_like_article, only_sorts
from webarticlecurator.learning.links.placed_links import WHOLE_PAGE, rows_in
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS

Numbered = Callable[[int, str, int], tuple[int, str] | None]
MOST_LINKS = 1_500
"""Links of one page that are weighed at most."""
_WORD = linear(r"[^\W\d_]+")
"""A word of a title, of which a date, a time or the number of a page has none."""
_MOST_WORDS = 6
"""Words of the text of a link that count; more say nothing more."""


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """A link on one of the pages."""

    number: int
    """The number of the address on its page: links with the same one count once."""
    element: Element
    in_box: bool
    """In a menu, a sidebar or the like."""
    is_heading: bool
    is_rich: bool
    """Its item says more than the link: an excerpt, a date, a name."""
    place: str
    """The names of the list around its item, and of all that is around that."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address on one of the pages."""

    page: int
    url: str
    shape: str
    likely: float
    """How likely an article's, 0 to 1."""


def links_of_pages(
    pages: Sequence[Page], article_at: Callable[[str, Page], str | None]
) -> tuple[list[Anchor], list[Address]]:
    """The links of all pages, as far as they are weighed; the addresses by the numbers that the anchors have,
    as they are met."""
    numbers: dict[tuple[int, str], int] = {}
    longest: dict[str, int] = {}
    """Words of the longest text of a link to an address."""
    known: dict[tuple[int, str], str | None] = {}

    def numbered(at: int, link: str, words: int) -> tuple[int, str] | None:
        """Return the number and the address of a link that may be an article's; None for a link to the page
        itself, and for one that the portal's rules refuse."""
        if (at, link) not in known:
            known[at, link] = (
                None if pages[at].is_at(link) or only_sorts(link, pages[at]) else article_at(link, pages[at])
            )
        if (url := known[at, link]) is None:
            return None
        longest[url] = max(longest.get(url, 0), words)
        return numbers.setdefault((at, url), len(numbers)), url

    links = [list(islice(page_links(page, page.outline.rows("a")), MOST_LINKS)) for page in pages]
    pagers = [_urls_of_pager(page, of_page) for page, of_page in zip(pages, links, strict=True)]
    anchors = [
        anchor for at, page in enumerate(pages) for anchor in _anchors(at, page.outline, links[at], numbered)
    ]
    counts = Counter(url for _, url in numbers)
    likely = {url: _likelihood(url, counts[url], longest[url], len(pages)) for url in counts}
    of_archive = _of_archive(likely, pages)
    unlikely = [of_archive | pager for pager in pagers]
    return anchors, [
        Address(at, url, url_shape(url, sections=False), likely[url] * (0.05 if url in unlikely[at] else 1))
        for at, url in numbers
    ]


def _of_archive(urls: Iterable[str], pages: Sequence[Page]) -> set[str]:
    return {url for page in pages for url in urls if page.is_at(url)}


def _urls_of_pager(page: Page, links: Sequence[tuple[Element, str]]) -> set[str]:
    return {link.url for link in pager_links(page, links) if link.is_sure}


def _likelihood(url: str, count: int, words: int, pages: int) -> float:
    """How likely an address is an article's, 0 to 1; `count`: of how many of the pages link to it; `words`:
    of its longest link."""
    look = 0.15 + 0.4 * words / _MOST_WORDS
    look = 0.4 * look if is_of_no_article(url) else look + 0.45 * looks_like_article(url)
    # what stands on all archive pages is the menu; what stands on one alone is what that page lists
    novelty = 1.0 if pages < 2 else 1 - 0.6 * (count - 1) / (pages - 1)
    return round(novelty * look, 6)


def _anchors(
    at: int, outline: Outline, links: Iterable[tuple[Element, str]], numbered: Numbered
) -> Iterator[Anchor]:
    """Each with what its item says: the largest element around it that has no link elsewhere which may be an
    article's."""
    found, held = _held_addresses(at, outline, links, numbered)
    boxes = rows_in(outline, is_box)
    for row, number, url in found:
        item = row
        for around in takewhile(lambda around: held[around] in (None, url), outline.around(row)):  # noqa: B023
            item = around
        is_rich = outline.length(item) - outline.length(row) > 40
        in_heading = any(outline.tags[above] in HEADINGS for above in islice(outline.around(row), 3))
        is_heading = in_heading or bool(outline.rows_in(row, *HEADINGS))
        holders = (outline.elements[around] for around in islice(outline.around(item), 20))
        named = (
            f"{holder.tag}.{holder.get('class') or holder.get('id') or ''}"
            for holder in holders
            if holder.tag not in WHOLE_PAGE
        )
        yield Anchor(number, outline.elements[row], row in boxes, is_heading, is_rich, " ".join(named))


def _held_addresses(
    at: int, outline: Outline, links: Iterable[tuple[Element, str]], numbered: Numbered
) -> tuple[list[tuple[int, int, str]], list[str | None]]:
    """The links by their rows, with number and address; and the address of the links with several words in
    each element: "" of several addresses, None of none."""
    found: list[tuple[int, int, str]] = []
    held: list[str | None] = [None] * len(outline.elements)
    for element, link in links:
        row = outline.row_of[element]
        text = outline.short_text(row, 200)
        words = _MOST_WORDS if text is None else min(len(_WORD.findall(text)), _MOST_WORDS)
        known = numbered(at, link, words)
        if known is not None:
            found.append((row, *known))
            held[row] = known[1] if words >= 3 else None
    for row in range(len(held) - 1, 0, -1):
        if held[row] is not None:
            above = outline.parents[row]
            held[above] = held[row] if held[above] in (None, held[row]) else ""
    return found, held
