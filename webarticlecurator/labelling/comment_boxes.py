"""The places on a page where readers' comments seem to stand, by the names of elements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import compress

from lxml.etree import _Element as Element

from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.model.page import Outline
from webarticlecurator.text import UNSEEN, element_text, squeeze

NOT_WRITTEN = ("h1", "h2", "h3", "h4", "h5", "h6", "a", "button", "form", "label", "select", "svg", *UNSEEN)
"""Elements among comments that are none: headings, links, forms."""


def written_in(element: Element, *, without: Collection[Element] = ()) -> str:
    """Return what somebody may have written in an element."""
    return squeeze(element_text(element, without={*without, *element.iter(*NOT_WRITTEN)}))


def called_comments(outline: Outline) -> tuple[Element, ...]:
    """Return the elements whose class or id surely says that comments stand there, in their order."""
    parts = map(sure_part, outline.attribute("class"), outline.attribute("id"))
    return tuple(compress(outline.elements, (part is PagePart.COMMENTS for part in parts)))


def comment_boxes(called: Iterable[Element], *, holding: Collection[Element] = ()) -> Iterator[Element]:
    """Give the outermost of the elements that are called comments and hold nothing else, but for forms and
    what is in these."""
    called = list(called)
    boxes = frozenset(called).difference(holding)
    for element in called:
        if element in boxes and boxes.isdisjoint(element.iterancestors()) and element.tag not in NOT_WRITTEN:
            yield element
