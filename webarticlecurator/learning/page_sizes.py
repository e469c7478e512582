"""Which pages are read to learn from them: some from the first to the last, and none that is made to be slow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from lxml import etree

from webarticlecurator.model.page import Page

MOST_PAGES = 60
"""Of one kind; of more, the finders learn nothing more."""
MAX_ELEMENTS, MAX_TOGETHER = 20_000, 400_000
"""Of one page, and of all that are read for one question; pages of usual size have a few thousand."""


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
