"""One archived page with what became of each of its texts: read once by the rules of a portal, watched, and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import LabellerFile, PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.document.still_page import MOST, TextMark, mark_element, mark_texts, still_page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article import PageReading, read_article
from webarticlecurator.extraction.body.account import TextFate, TextPlace
from webarticlecurator.extraction.body.general_table import SOURCE as GENERAL_TABLE
from webarticlecurator.extraction.body.general_table import UNSEEN
from webarticlecurator.extraction.body.locate import GENERAL_FINDER
from webarticlecurator.extraction.body.rewrite import STANDS_FOR
from webarticlecurator.extraction.layouts import rules_for
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.labelling.labeller import FILE, content_shares
from webarticlecurator.labelling.text_blocks import INLINE, text_blocks
from webarticlecurator.model.article import Article
from webarticlecurator.model.capture import Fetched
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.report.highlight_page import HighlightView, MarkedText, Source
from webarticlecurator.text import squeeze

_READ_OF_POSTS = frozenset({"time", "author", "title", "number", "edited", "editor", "likes"})
"""Parts of a post that are read, and are not its text."""
_OF_ENTRIES = f"posts.{PostKind.LIVEBLOG.value}."
MAX_TEXTS = 50_000
"""Of a page that are marked."""
_NEVER_SHOWN = UNSEEN | {"head", "title", "svg", "select", "textarea", "datalist", "iframe", "object", "template"}
_SAID_ELSEWHERE = ("headline:", "caption:")
"""How the reasons begin for which text is dropped that the article has in another place."""
_TEXT = frozenset({"kept", "undecided"})
_NO_TEXT = frozenset({"dropped", "general", "outside"})
"""Kinds of marks on main text, and on what is none; comments, names and times are neither to the labeller."""
_CERTAIN = 0.5
"""Share of a block from which the labeller takes it for main text."""


def highlight(url: str, portal: Portal, fetched: Fetched, *, listing: Fields | None = None) -> HighlightView:
    """The page at `url` with what the rules make of it, whatever it is: of what is no article with the reason."""
    if fetched.capture is None:
        return _shown(portal, url, None, [], fetched.verdict.outcome, fetched.verdict.reason)
    page = read_page(fetched.capture, encoding=portal.fetch.encoding, format=portal.articles.format)
    if isinstance(page, NoPage):
        page_without_walls = read_page(fetched.capture, encoding=portal.fetch.encoding, classified=True)
        tree = page_without_walls.tree if isinstance(page_without_walls, Page) else None
        return _shown(portal, url, tree, [], page.outcome, page.reason)
    read = _Read(page, portal, url, listing)
    article, tree = read.article, page.tree
    if tree is None:
        reason = f"{article.reason}; it is no page of HTML, so that there is nothing to mark".lstrip("; ")
        return _shown(portal, url, None, [], article.outcome, reason, article)
    labeller = _Labeller(tree, portal)
    texts = list(_texts(read, tree, labeller))
    for element, name in read.shown.items():
        mark_element(element, "kept", f"kept as {name}")
    mark_texts(tree, [mark for mark, _ in texts])
    view = _shown(portal, url, tree, [told for _, told in texts], article.outcome, article.reason, article)
    how = next((container.how for container in read.containers), "nothing was taken for the text of an article")
    cut = [view.is_cut] if view.is_cut else []
    cut += [f"only its first {MAX_TEXTS:,} texts are marked"] if len(texts) == MAX_TEXTS else []
    return replace(view, container=how, layout=article.layout or "", is_cut="; ".join(cut), labelled=labeller.knows)


class _Read:
    """A page that was read, and what became of all that is in it."""

    def __init__(self, page: Page, portal: Portal, url: str, listing: Fields | None) -> None:
        readings: list[PageReading] = []
        identity = identity_of(url, portal)
        id = article_id(identity, portal)
        self.article = read_article([page], portal, id=id, identity=identity, url=url, listing=listing, readings=readings)
        self.containers = [reading.container for reading in readings if reading.container is not None]
        accounts = [account for reading in readings for account in reading.accounts]
        self.texts: dict[TextPlace, TextFate] = {place: fate for account in accounts for place, fate in account.texts()}
        """Of a text that is in several accounts the last one counts."""
        self.dropped = {element: rule for account in accounts for element, rule in account.dropped_elements()}
        """With all in it, by which rule."""
        self.shown = {
            element: rule.removeprefix(STANDS_FOR)
            for element, rule in self.dropped.items()
            if rule.startswith(STANDS_FOR) and not rule.endswith("formula")
        }
        """Pictures and players that are kept, each with its block."""
        self.roots = {root for account in accounts for root in account.roots}
        self.parts: Mapping[Element, str] = {}
        """Of posts, each with its rule."""
        if page.tree is not None:
            with suppress(PatternTimeout):
                rules = rules_for(page, portal, listing or {})
                self.parts = post_parts(PageContext.whole(page, portal, listing=listing), rules.posts)


def _shown(
    portal: Portal, url: str, tree: Element | None, texts: Sequence[MarkedText], outcome: str, reason: str, article: Article | None = None
) -> HighlightView:
    still = still_page(tree) if tree is not None else None
    metadata = article.metadata if article is not None else {}
    return HighlightView(
        url=url,
        portal=portal.title or portal.name,
        outcome=str(outcome),
        reason=reason,
        html=still.html if still is not None else None,
        is_cut=f"only its first {MOST:,} characters are shown" if still is not None and still.cut else "",
        texts=tuple(texts),
        values=tuple(Source(name, one.value, one.source) for name, found in metadata.items() for one in found),
    )


# --- what became of each text ---


@dataclass(frozen=True, slots=True)
class _Told:
    """What is said of a text."""

    kind: str
    label: str
    """Without what differs from word to word: links, emphasis."""
    inlines: tuple[str, ...] = ()


def _texts(read: _Read, tree: Element, labeller: _Labeller) -> Iterator[tuple[TextMark, MarkedText]]:
    threads = {post.text for container in read.containers for post in container.posts}
    entries = _entries(read)
    values = _values(read.article)
    for element, is_tail, text, around in islice(_each_text(tree, read), MAX_TEXTS):
        told = _told(read.texts.get((element, is_tail)) or around)
        if told.kind == "kept" and not threads.isdisjoint((element, *element.iterancestors())):
            told = replace(told, kind="post", label=f"{told.label}, in a post of a forum")
        elif told.kind in _TEXT and not entries.isdisjoint((element, *element.iterancestors())):
            told = replace(told, kind="post", label=f"{told.label}, in an entry of a live blog")
        if told.kind in _NO_TEXT:
            told = _said_elsewhere(element, is_tail, text, read.parts, values) or told
        label = f"{told.label} ({', '.join(told.inlines)})" if told.inlines else told.label
        share = labeller.share(element, is_tail, text)
        differs = share is not None and told.kind in (_NO_TEXT if share >= _CERTAIN else _TEXT)
        if share is not None and differs:
            label = f"{label} · labeller: {'main text' if share >= _CERTAIN else 'not main text'} ({share:.0%})"
        yield TextMark(element, is_tail, told.kind, label, told.label, differs), MarkedText(told.kind, label, squeeze(text), differs)


def _entries(read: _Read) -> set[Element]:
    """The entries of a live blog that no rule describes: what was read with the time, author or title of one in it."""
    parts = (element for element, rule in read.dropped.items() if rule.startswith(_OF_ENTRIES))
    around = (next((above for above in element.iterancestors() if above in read.roots), None) for element in parts)
    return {root for root in around if root is not None}


def _values(article: Article) -> dict[str, str]:
    """Texts of the metadata as they stand in the page -> their field."""
    found: dict[str, str] = {}
    for name, values in article.metadata.items():
        for text in (text for one in values for text in (one.value, one.raw, one.written) if text):
            found.setdefault(squeeze(text), name)
    return found


def _said_elsewhere(element: Element, is_tail: bool, text: str, parts: Mapping[Element, str], values: Mapping[str, str]) -> _Told | None:
    """What is no text of the article but was read: the time, author or title of a post; a value of the metadata."""
    holder = element.getparent() if is_tail else element
    around = (holder, *holder.iterancestors()) if holder is not None else ()
    rule = next((parts[one] for one in around if one in parts), "")
    if rule.rpartition(".")[2] in _READ_OF_POSTS:
        return _Told("said", f"read by {rule}")
    name = values.get(squeeze(text))
    return _Told("said", f"says what the metadata have as {name}") if name is not None else None


def _each_text(tree: Element, read: _Read) -> Iterator[tuple[Element, bool, str, TextFate | None]]:
    """Each text that is seen, with what became of all in the element that it stands in; None outside of the article."""
    around: list[TextFate | None] = [None]
    walker = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            fate = around[-1]
            if element in read.roots:
                fate = TextFate()
            elif element in read.dropped:
                fate = TextFate(dropped=read.dropped[element])
            around.append(fate)
            if element.tag in _NEVER_SHOWN:
                walker.skip_subtree()
            elif element.text and not element.text.isspace():
                yield element, False, element.text, fate
        else:
            around.pop()
            if element.tail and not element.tail.isspace() and element is not tree:
                yield element, True, element.tail, around[-1]


def _told(fate: TextFate | None) -> _Told:
    """The kind of its mark, and what is said of it."""
    if fate is None:
        return _Told("outside", "outside of the article")
    if fate.dropped:
        if fate.dropped.startswith(_SAID_ELSEWHERE):
            return _Told("said", f"left out here: {fate.dropped}")
        if fate.dropped.startswith("posts.") and fate.dropped.rpartition(".")[2] in _READ_OF_POSTS:
            return _Told("said", f"read by {fate.dropped}")
        general = fate.dropped.startswith((GENERAL_TABLE, GENERAL_FINDER))
        return _Told("general" if general else "dropped", f"dropped: {fate.dropped}")
    if not fate.blocks:
        return _Told("general", "dropped: no text of the article")
    named = f"kept as {' in '.join(reversed(fate.blocks))}"
    if fate.post:
        return _Told("post", f"{named}, by {fate.post}", fate.inlines)
    if fate.undecided:
        return _Told("undecided", f"{named}; no rule decides its element", fate.inlines)
    return _Told("kept", f"{named}, by {fate.rule}" if fate.rule else named, fate.inlines)


class _Labeller:
    """What the portal's labeller, or the general one, takes for main text."""

    def __init__(self, tree: Element, portal: Portal) -> None:
        blocks, own = text_blocks(tree), portal.body.labeller
        shares = content_shares(blocks, own.path if isinstance(own, LabellerFile) else FILE)
        self._shares: dict[Element, list[tuple[str, float]]] = {}
        for block, share in zip(blocks, shares or (), strict=False):
            self._shares.setdefault(block.element, []).append((block.text, share))

    @property
    def knows(self) -> bool:
        """Whether it says anything of this page."""
        return bool(self._shares)

    def share(self, element: Element, is_tail: bool, text: str) -> float | None:
        if not self._shares:
            return None
        holder: Any = element.getparent() if is_tail else element
        while holder is not None and holder.tag in INLINE:
            holder = holder.getparent()
        told = squeeze(text)
        return next((share for written, share in self._shares.get(holder, ()) if told in written), None)
