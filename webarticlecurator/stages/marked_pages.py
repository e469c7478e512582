"""Mark each text of the archived pages of an article with what became of it: they are read once by the rules
of a portal, and watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount
from webarticlecurator.config.article_rules import LabellerFile
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.document.still_page import (
    TextMark,
    fold_around,
    mark_element,
    mark_texts,
    take_own_classes,
)
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.body.locate import GENERAL_FINDER, Container
from webarticlecurator.extraction.body.rewrite import STANDS_FOR
from webarticlecurator.extraction.body.tag_rules import SOURCE as GENERAL_TABLE
from webarticlecurator.extraction.body.walked_text import TextFate
from webarticlecurator.extraction.metadata import rules_for
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.labelling.labeller import GENERAL, labeller_in
from webarticlecurator.labelling.text_blocks import INLINE, text_blocks
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.text import UNSEEN, squeeze

KINDS = {
    "kept": "kept: text of the article",
    "post": "kept: a post (comment, entry, answer)",
    "undecided": "kept, though no rule says what its element is",
    "said": "left out here: the article has it elsewhere",
    "dropped": "dropped by a rule of the portal file",
    "general": "dropped by the general reader",
    "outside": "outside of the article",
}
"""The kinds of marks, in the order of the legend; `report/templates/marks.css` draws them."""
LEFT_OUT = frozenset({"said", "dropped", "general", "outside"})
"""Kinds of marks on what is not in the text."""
_TEXT = frozenset({"kept", "undecided"})
_NO_TEXT = frozenset({"dropped", "general", "outside"})
"""Kinds of marks on main text, and on what is none; comments, names and times are neither to the labeller."""
_READ_OF_POSTS = frozenset({"time", "author", "title", "number", "edited", "editor", "likes"})
"""Parts of a post that are read, and are not its text."""
MAX_TEXTS = 50_000
"""The number of texts of an article's pages that are marked."""
_NEVER_SHOWN = UNSEEN | {
    "head", "title", "svg", "select", "textarea", "datalist", "iframe", "object", "template",
}  # fmt: skip
_SAID_ELSEWHERE = ("headline:", "caption:")
"""The beginnings of the reasons for which text is dropped that the article has in another place."""
_CERTAIN = 0.5
"""The share of a block from which the labeller takes it for main text."""
_Marked = tuple[TextMark, str]
"""A mark, and the text that it is on."""


@dataclass(kw_only=True)
class MarkedPages:
    """The pages of an article with marks around their texts, and what the rules make of them."""

    outcome: str
    reason: str
    pages: Sequence[Page | NoPage]
    """Pages as they are shown; the reason, where one cannot be."""
    article: Article | None = None
    """None: no rules were asked."""
    container: str = ""
    """The way in which the container of the article was found."""
    texts: list[_Marked] = field(default_factory=list)
    """The marks of all pages, by their numbers, with the texts that they are on."""
    differing: int | None = None
    """Words of which the labeller thinks otherwise; None: it says nothing."""


def words_of(texts: Iterable[_Marked]) -> dict[str, int]:
    """Return how many words have which kind of mark."""
    words = Counter(dict.fromkeys(KINDS, 0))
    for mark, text in texts:
        words[mark.kind] += len(text.split())
    return words


def shown_pages(captures: Sequence[Capture], portal: Portal) -> list[Page | NoPage]:
    """Return pages to be looked at, walls and all."""
    encoding = portal.fetch.encoding
    pages = [read_page(capture, encoding=encoding, classified=True) for capture in captures]
    for page in pages:
        if isinstance(page, Page) and page.tree is not None:
            take_own_classes(page.tree)
    return pages


def marked_pages(captures: Sequence[Capture], portal: Portal, url: str, listing: Fields) -> MarkedPages:
    """Return the pages of one article with what the rules make of them, whatever they are: of what is no
    article with the reason."""
    encoding, format = portal.fetch.encoding, portal.articles.format
    read = [read_page(capture, encoding=encoding, format=format) for capture in captures]
    pages = [page for page in read if isinstance(page, Page)]
    if len(pages) < len(captures):
        no_page = next(page for page in read if isinstance(page, NoPage))
        shown = shown_pages(captures, portal)
        return MarkedPages(outcome=no_page.outcome, reason=no_page.reason, pages=shown)
    readings: list[PageReading] = []
    article = read_article(pages, portal, url=url, listing=listing, readings=readings)
    marked = MarkedPages(outcome=article.outcome, reason=article.reason, pages=pages, article=article)
    for number, page in enumerate(pages):  # of what is no article there are no readings
        _mark(page, readings[number : number + 1], portal, listing, marked)
    return marked


def _mark(
    page: Page, readings: Sequence[PageReading], portal: Portal, listing: Fields, marked: MarkedPages
) -> None:
    """Put marks into one page, and fold what is outside of the article, if there is one."""
    tree = page.tree
    if tree is None:
        reason = f"{marked.reason}; it is no page of HTML, so that there is nothing to mark"
        marked.reason = reason.lstrip("; ")
        return
    fates = _Fates(marked.article, readings, _parts_of_posts(page, portal, listing))
    marked.container = marked.container or next(
        (located.how for located in fates.containers), "nothing was taken for the text of an article"
    )
    shares, first = _shares(tree, portal), len(marked.texts)
    texts = [_with_label(mark, text, shares) for mark, text in islice(fates.texts(tree), MAX_TEXTS - first)]
    marked.texts += texts
    if shares:
        differing = sum(len(text.split()) for mark, text in texts if mark.differs)
        marked.differing = differing + (marked.differing or 0)
    take_own_classes(tree)
    inside = list(fates.kept_pictures())
    marks = [mark for mark, _ in texts]
    for mark, around in zip(marks, mark_texts(marks, first), strict=True):
        if mark.kind != "outside":
            inside.append(around)
    if fates.roots:
        outside = amount(words_of(texts)["outside"], "word")
        fold_around(tree, fates.roots, inside, f"The page around the article ({outside})")


def _parts_of_posts(page: Page, portal: Portal, listing: Fields) -> Mapping[Element, str]:
    """Return the parts of posts, each with its rule."""
    with suppress(PatternTimeout):
        context = PageContext.whole(page, portal, listing=listing)
        return post_parts(context, rules_for(page, portal, listing).posts)
    return {}


def _values(article: Article | None) -> list[tuple[str, Any]]:
    return [(name, value) for name, values in article.metadata.items() for value in values] if article else []


class _Fates:
    """Tells what became of all that is in a page. Of a text that is in several accounts the last one
    counts."""

    def __init__(
        self, article: Article | None, readings: Iterable[PageReading], parts: Mapping[Element, str]
    ) -> None:
        self.containers: list[Container] = []
        self.dropped: dict[Element, str] = {}
        """The elements that were dropped with all in them, and by which rule."""
        self._fates: dict[tuple[Element, bool], TextFate] = {}
        self.roots: set[Element] = set()
        self._parts = parts
        """The elements that are parts of posts, each with its rule."""
        self._threads: set[Element] = set()
        for reading in readings:
            for account in reading.accounts:
                self.dropped.update(account.dropped_elements())
                self._fates.update(account.texts())
                self.roots.update(account.roots)
            if reading.container is not None:
                self.containers.append(reading.container)
                self._threads.update(post.text for post in reading.container.posts)
        self._values: dict[str, str] = {}
        """Texts of the metadata as they stand in the page -> their field."""
        for name, value in _values(article):
            for text in filter(None, (value.value, value.raw, value.written)):
                self._values.setdefault(squeeze(text), name)

    def texts(self, tree: Element) -> Iterator[_Marked]:
        """Yield each text that is seen, in the order of the page, with its mark."""
        around: list[TextFate | None] = [
            None
        ]  # what became of all in the elements that are open; None: outside of the article
        walker = etree.iterwalk(tree, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                fate = TextFate() if element in self.roots else around[-1]
                if element in self.dropped and element not in self.roots:
                    fate = TextFate(dropped=self.dropped[element])
                around.append(fate)
                if element.tag in _NEVER_SHOWN:
                    walker.skip_subtree()
                elif element.text and not element.text.isspace():
                    yield self._marked(element, False, element.text, fate)
            else:
                around.pop()
                if element.tail and not element.tail.isspace() and element is not tree:
                    yield self._marked(element, True, element.tail, around[-1])

    def kept_pictures(self) -> Iterator[Element]:
        """Mark the pictures and players that are kept, each with its block, and yield them."""
        for element, rule in self.dropped.items():
            if rule.startswith(STANDS_FOR) and not rule.endswith("formula"):
                mark_element(element, "kept", f"kept as {rule.removeprefix(STANDS_FOR)}")
                yield element

    def _marked(self, element: Element, is_tail: bool, text: str, around: TextFate | None) -> _Marked:
        fate = self._fates.get((element, is_tail)) or around
        kind, label = _told(fate)
        holders = {element, *element.iterancestors()}
        if kind == "kept" and not self._threads.isdisjoint(holders):
            kind, label = "post", f"{label}, in a post of a forum"
        elif kind in _NO_TEXT and (elsewhere := self._elsewhere(element, is_tail, text)):
            kind, label = "said", elsewhere
        inlines = (
            f" ({', '.join(fate.inlines)})"
            if fate and fate.inlines and kind in ("kept", "undecided", "post")
            else ""
        )
        return TextMark(element, is_tail, kind, label + inlines), squeeze(text)

    def _elsewhere(self, element: Element, is_tail: bool, text: str) -> str:
        """Return what is no text of the article but was read: the time, author or title of a post; a value of
        the metadata."""
        holder = element.getparent() if is_tail else element
        around = (holder, *holder.iterancestors()) if holder is not None else ()
        rule = next((self._parts[above] for above in around if above in self._parts), "")
        if rule.rpartition(".")[2] in _READ_OF_POSTS:
            return f"read by {rule}"
        name = self._values.get(squeeze(text))
        return f"says what the metadata have as {name}" if name is not None else ""


def _told(fate: TextFate | None) -> tuple[str, str]:
    """The kind of its mark, and what is said of it without what differs from word to word: links,
    emphasis."""
    if fate is None:
        return "outside", "outside of the article"
    if fate.dropped:
        if fate.dropped.startswith(_SAID_ELSEWHERE):
            return "said", f"left out here: {fate.dropped}"
        if fate.dropped.startswith("posts.") and fate.dropped.rpartition(".")[2] in _READ_OF_POSTS:
            return "said", f"read by {fate.dropped}"
        general = fate.dropped.startswith((GENERAL_TABLE, GENERAL_FINDER))
        return "general" if general else "dropped", f"dropped: {fate.dropped}"
    if not fate.blocks:
        return "general", "dropped: no text of the article"
    kept = f"kept as {' in '.join(reversed(fate.blocks))}"
    if fate.post:
        return "post", f"{kept}, by {fate.post}"
    if fate.undecided:
        return "undecided", f"{kept}; no rule decides its element"
    return "kept", f"{kept}, by {fate.rule}" if fate.rule else kept


_Shares = dict[Element, list[tuple[str, float]]]
"""An element -> the texts of the blocks in it, each with how certainly it is main text."""


def _shares(tree: Element, portal: Portal) -> _Shares:
    blocks, own = text_blocks(tree), portal.body.labeller
    shares = labeller_in(own.path if isinstance(own, LabellerFile) else GENERAL).shares(blocks)
    known: _Shares = {}
    for block, share in zip(blocks, shares or (), strict=False):
        known.setdefault(block.element, []).append((block.text, share))
    return known


def _with_label(mark: TextMark, text: str, shares: _Shares) -> _Marked:
    """Return a mark and its text; where the labeller thinks otherwise, the mark says so."""
    holder: Any = mark.element.getparent() if mark.is_tail else mark.element
    while holder is not None and holder.tag in INLINE:
        holder = holder.getparent()
    share = next((share for written, share in shares.get(holder, ()) if text in written), None)
    if share is None or mark.kind not in (_NO_TEXT if share >= _CERTAIN else _TEXT):
        return mark, text
    label = f"{mark.label} · labeller: {'main text' if share >= _CERTAIN else 'not main text'} ({share:.0%})"
    return replace(mark, label=label, differs=True), text
