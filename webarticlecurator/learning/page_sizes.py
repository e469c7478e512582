"""Which pages are small enough to be learned from: on one that is made to be slow every place that is tried costs a second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from lxml import etree

from webarticlecurator.model.page import Page

MAX_ELEMENTS = 20_000
"""Of one page; those of usual size have a few thousand."""
MAX_TOGETHER = 200_000
"""Of all pages that are read for one question."""


def of_usual_size(pages: Iterable[Page]) -> Iterator[Page]:
    """Those of HTML that are, in their order, as long as they are not too much together."""
    together = 0
    for page in pages:
        if page.tree is None:
            continue
        elements = sum(1 for _ in islice(page.tree.iter(etree.Element), MAX_ELEMENTS + 1))
        if elements <= MAX_ELEMENTS and together + elements <= MAX_TOGETHER:
            together += elements
            yield page


def evenly(pages: Sequence[Page], most: int) -> list[Page]:
    """All, or so many from the first to the last."""
    return [pages[place * len(pages) // most] for place in range(most)] if len(pages) > most else list(pages)


def left_out(what: str, looked_at: int, of: int, chosen: str = "") -> list[str]:
    """What is told where not all pages were looked at."""
    return [f"{what}: {looked_at} of {of} pages were looked at{chosen}"] if looked_at < of else []
