"""Archive pages of a size that rules can be made from: of those with very many links the beginning, none with a tree too deep."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.model.page import Page

MOST_PAGES = 12
"""Of those given; more say little more, and each costs."""
MOST_LINKS, MOST_IN_ALL = 1_500, 6_000
"""Of a page, and of all pages."""
DEEPEST = 200
"""Elements around a link."""


def usable(pages: Sequence[Page]) -> tuple[tuple[Page, ...], tuple[str, ...]]:
    """The first of the HTML pages, each once, or of those of JSON where none is HTML; and what was left out of them, in words."""
    of_html = [page for page in pages if page.tree is not None]
    distinct = {_links_in(page): page for page in reversed(of_html)}
    read = list(reversed(distinct.values())) if of_html else [page for page in pages if page.json is not None]
    flat = [page for page in read if not _is_deep(page)]
    chosen = flat[:MOST_PAGES]
    most = min(MOST_LINKS, MOST_IN_ALL // max(len(chosen), 1))
    cut = [_cut(page, most) for page in chosen]
    remarks = {
        f"{amount(len(read) - len(flat), 'archive page is', 'archive pages are')} nested"
        f" more than {DEEPEST} elements deep: no rules are made of them": len(flat) < len(read),
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
    return any(next(islice(link.iterancestors(), DEEPEST, None), None) is not None for link in islice(links, 2 * MOST_LINKS))


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
