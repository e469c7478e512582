"""Whether a page shows what it has without its scripts: signs of it in the page as it was sent, and what a browser shows beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.learning.links.anchors import is_box
from webarticlecurator.model.page import Page

_UNSEEN = frozenset({"head", "script", "style", "template", "noscript", "svg", "select", "option", "button"})
_HARDLY_ANY_WORDS, _HARDLY_ANY_LINKS = 60, 5
_MORE, _MORE_WORDS, _MORE_LINKS = 1.5, 50, 3
"""How many times as much, and how much more, a browser must show for it to be worth its time."""
_MOST_LINKS = 5_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows outside of menus, sidebars and the like."""

    words: int
    links: tuple[str, ...]
    """Each address once, in the order of the page."""


@dataclass(frozen=True, slots=True)
class BrowserGain:
    """One page as it was sent, beside what a browser shows of it."""

    url: str
    sent: Shown
    rendered: Shown

    @property
    def new_links(self) -> tuple[str, ...]:
        """That only the browser shows."""
        sent = frozenset(self.sent.links)
        return tuple(url for url in self.rendered.links if url not in sent)

    @property
    def is_much(self) -> bool:
        """Whether the page needs a browser."""
        new_words, new_links = self.rendered.words - self.sent.words, len(self.new_links)
        return (new_words >= _MORE_WORDS and self.rendered.words >= _MORE * self.sent.words) or (
            new_links >= _MORE_LINKS and len(self.rendered.links) >= _MORE * len(self.sent.links)
        )


def shown_on(page: Page) -> Shown:
    """Of an HTML page; JSON and the like show nothing."""
    body = page.tree.find("body") if page.tree is not None else None
    if body is None:
        return Shown(0, ())
    with page.budget:
        links = (url for element, url in page_links(page) if element.tag == "a" and not page.is_at(url) and not _stands_beside(element))
        return Shown(_words(body), tuple(dict.fromkeys(islice(links, _MOST_LINKS))))


def needs_scripts(page: Page) -> bool:
    """Whether a page, as it was sent, has scripts and hardly anything else outside of menus and sidebars."""
    if page.tree is None or next(page.tree.iter("script"), None) is None:
        return False
    shown = shown_on(page)
    return shown.words < _HARDLY_ANY_WORDS and len(shown.links) < _HARDLY_ANY_LINKS


def _words(body: Element) -> int:
    words = 0
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            words += len((element.tail or "").split()) if element is not body else 0
        elif not isinstance(element.tag, str) or element.tag in _UNSEEN or (element is not body and _is_beside(element)):
            walk.skip_subtree()
        else:
            words += len((element.text or "").split())
    return words


def _stands_beside(element: Element) -> bool:
    return any(_is_beside(one) for one in _up_to_body(element))


def _is_beside(element: Element) -> bool:
    """Some wrap all of a page in what is named after its sidebar."""
    return is_box(element) and next(element.iter("h1", "main", "aside"), element) is element


def _up_to_body(element: Element) -> Iterator[Element]:
    yield element
    for above in element.iterancestors():
        if above.tag in ("body", "html"):
            return
        yield above
