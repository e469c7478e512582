"""Which pages are read to learn from them: some from the first to the last, and none that is made to be slow."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.model.page import Page

MOST_PAGES = 60
"""Of one kind; of more, the finders learn nothing more."""
MAX_ELEMENTS, MAX_TOGETHER = 20_000, 400_000
"""Of one page, and of all that are read for one question; pages of usual size have a few thousand."""
_MOST_ARCHIVE_PAGES = 12
"""Of those given; more say little more, and each costs."""
MOST_LINKS, _MOST_IN_ALL = 1_500, 6_000
"""Of a page, and of all pages."""
_DEEPEST = 200
"""Elements around a link."""


def sample(what: str, pages: Sequence[Page]) -> tuple[list[Page], list[str]]:
    """Those of HTML that are read, in their order, and what is said where not all are."""
    of_html = [page for page in pages if page.tree is not None]
    chosen: list[Page] = []
    together = 0
    for page in evenly(of_html, MOST_PAGES):
        elements = sum(1 for _ in islice(page.tree.iter(etree.Element), MAX_ELEMENTS + 1)) if page.tree is not None else 0
        if elements <= MAX_ELEMENTS and together + elements <= MAX_TOGETHER:
            together += elements
            chosen.append(page)
    left = f"{what}: {len(chosen)} of {len(pages)} pages were looked at: at most {MOST_PAGES}, and none of unusual size"
    return chosen, [left] if len(chosen) < len(pages) else []


def evenly(pages: Sequence[Page], most: int) -> list[Page]:
    """All, or so many from the first to the last."""
    return [pages[place * len(pages) // most] for place in range(most)] if len(pages) > most else list(pages)


# --- archive pages ---


def usable_archive_pages(pages: Sequence[Page]) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """The first of the HTML pages, each once, or of those of JSON where none is HTML; and what was left out of them, in words."""
    of_html = [page for page in pages if page.tree is not None]
    distinct = {_links_in(page): page for page in reversed(of_html)}
    read = list(reversed(distinct.values())) if of_html else [page for page in pages if page.json is not None]
    flat = [page for page in read if not _is_deep(page)]
    chosen = flat[:_MOST_ARCHIVE_PAGES]
    most = min(MOST_LINKS, _MOST_IN_ALL // max(len(chosen), 1))
    cut = [_cut(page, most) for page in chosen]
    remarks = {
        f"{amount(len(read) - len(flat), 'archive page is', 'archive pages are')} nested"
        f" more than {_DEEPEST} elements deep: no rules are made of them": len(flat) < len(read),
        f"rules for links were made from {len(chosen)} of its {len(pages)} archive pages": len(chosen) < len(flat),
        f"of pages with more than {amount(most, 'link')} rules were made from the first of them": cut != chosen,
    }
    return tuple(cut), tuple(remark for remark, is_so in remarks.items() if is_so)


def _links_in(page: Page) -> tuple[str, ...]:
    """Two pages with the same links would say of each link that it is on both."""
    links = page.tree.iter("a") if page.tree is not None else ()
    return tuple(str(link.get("href")) for link in islice(links, 2 * MOST_LINKS))


def _is_deep(page: Page) -> bool:
    links = page.tree.iter("a") if page.tree is not None else ()
    return any(next(islice(link.iterancestors(), _DEEPEST, None), None) is not None for link in islice(links, 2 * MOST_LINKS))


def _cut(page: Page, most: int) -> Page:
    """The page itself where it has no more links; else a copy that ends with the last one."""
    if page.tree is None or next(islice(page.tree.iter("a"), most, None), None) is None:
        return page
    root = deepcopy(page.tree)
    last: Element = next(islice(root.iter("a"), most - 1, None))
    for one in (last, *last.iterancestors()):
        above = one.getparent()
        if above is not None:
            del above[above.index(one) + 1 :]
    return replace(page, tree=root)
