"""One page as an audit sees it: the article that the rules make of it, its container, and where in that each
kept text comes from; and what is to be said of a kind of findings, which stands above the function that finds
them, in the module where its like are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, takewhile
from typing import Any, TypeVar

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.body.locate import Container, find_container
from webarticlecurator.extraction.body.tag_rules import BLOCK_LEVEL, Decision, Lookup
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import COMMENTS, Article, Block, ContentNode, blocks_in, plain_text
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.inventory.element_rules import tells_more_than_a_tag
from webarticlecurator.survey.page_pass import hash_of
from webarticlecurator.text import nfc, squeeze, word_count

_MOST_BLOCKS, _MOST_TEXTS = 3_000, 20_000
ROOT = "body.root"
"""Stands for the rule of the container where pages are counted; its place may change, and they stay."""
_NEEDLE = 60
"""Characters by which a text is found again."""
_PARTS = frozenset(("dd", "dt", "li", "td", "th", "tr"))
"""Elements that are parts of lists and tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFinding:
    """Something on one page that is a finding where it is seen on enough pages."""

    rule: str = ""
    tag: str = ""
    words: int
    text: str


Find = TypeVar("Find", bound=Callable[..., Iterator[Any]])


@dataclass(slots=True)
class FindingKind:
    """One of them, to be written as a decorator. `find` is given a page (AuditedPage), and yields a
    PageFinding for each place; or, where there is no `share`, what was counted of all pages (Counts), with
    the portal, and yields the rows of the report."""

    rank: int
    """The report begins with the lowest: the most costly."""
    key: str
    """The key of the kind in reports; several kinds share one where one thing shows in several ways."""
    message: str
    """The sentence on what was found. {tag} and {rule} are what it is about, {pages} and {words} how much it
    is."""
    advice: str
    """The sentence on what to do."""
    share: float = 0.0
    """Share of the pages of a layout from which it is told; of those of one year, twice as many. It is small
    where each page is a loss: all of a page without a container, an article without its comments, a box that
    is rare. It is larger where honest pages show the sign, too: notices outside the container, lists of
    links, long questions as headings. A container that is too large is so nearly everywhere."""
    variety: float = 0.0
    """Different texts among all, at least: what is the same on all pages is furniture, and rightly dropped.
    """
    find: Callable[..., Iterator[Any]] = field(init=False)

    def __call__(self, find: Find) -> Find:
        self.find = find
        KINDS.append(self)
        return find


KINDS: list[FindingKind] = []


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """A kept block with text of its own."""

    type: str
    text: str
    words: int
    inside: tuple[str, ...] = ()
    """Types of the blocks around it, the outermost first."""


@dataclass(frozen=True, eq=False)
class AuditedPage:
    """A page that was read, and what the findings of a page are looked for in."""

    page: Page
    portal: Portal
    article: Article
    reading: PageReading
    """Parts of the page that the article was read from."""
    lookup: Lookup
    """The tag rules of its layout."""

    @property
    def container(self) -> Container | None:
        """Return the place where the rules (or the general finder) say that the article is."""
        return self.reading.container

    @property
    def elements(self) -> tuple[Element, ...]:
        """The elements that the article is in, in the order of the page."""
        return self.container.elements if self.container is not None else ()

    @cached_property
    def roots(self) -> frozenset[Element]:
        return frozenset(self.elements)

    @cached_property
    def found_generally(self) -> Container | None:
        """Return the place where the general finder says that it is."""
        return find_container(None, PageContext.whole(self.page, self.portal), self.article.metadata)

    @cached_property
    def container_text(self) -> ContainerText:
        return ContainerText(self.page, self.elements)

    @cached_property
    def blocks(self) -> tuple[KeptBlock, ...]:
        return text_blocks_of(self.article)

    @cached_property
    def positions(self) -> list[int | None]:
        """For each block where it begins in the container's text."""
        positions: list[int | None] = []
        at = 0
        for block in self.blocks:
            positions.append(position := self.container_text.find(block.text, at))
            at = position + 1 if position is not None else at
        return positions

    @cached_property
    def nodes(self) -> tuple[int | None, ...]:
        """For each block the number of the text node that it begins with."""
        return tuple(
            None if position is None else self.container_text.node_at(position) for position in self.positions
        )

    @cached_property
    def kept_words(self) -> int:
        return sum(block.words for block in self.blocks)

    @cached_property
    def kept_text(self) -> str:
        """All kept text without white space, posts and comments too."""
        posts = (plain_text(post.blocks) for post in self.article.posts)
        return without_blanks("".join((*(block.text for block in self.blocks), *posts)))

    def tag_of(self, number: int) -> str:
        """The simplified tag that a block comes from, behind its nearest relative with a class where it has
        none; empty if unknown, or if it stands right in the container, which is not to be dropped for it."""
        node = self.nodes[number]
        around = self.around[number] or (
            [] if node is None else list(self.container_text.around(self.container_text.owners[node]))
        )
        return tag_in_place(around) if around else ""

    @cached_property
    def around(self) -> tuple[list[Element], ...]:
        """For each block the elements below the container that it comes from, the innermost first; none where
        that cannot be said."""
        text = self.container_text
        return tuple([] if node is None else list(text.around(text.block_of(node))) for node in self.nodes)

    def decision(self, element: Element) -> Decision:
        """Return what the tag rules make of an element."""
        return self.lookup.decide(element, Scope(None))

    def is_told_by_name(self, number: int) -> bool:
        """Say whether a rule of the portal file says what a block, or the list, row or table that it is a
        part of, is, by more than its tag.

        Of a block without a class, what it stands in may be said to be a block. Then a person has looked at
        it.
        """
        around = self.around[number]
        named = next((element for element in around if element.get("class")), None)
        if named is not None and self.is_ruled(named) and self.decision(named).blocks:
            return True
        in_part = [element.tag for element in around[:1]] == ["p"] and any(
            element.tag in _PARTS for element in around[1:2]
        )
        parts = sum(1 for _ in takewhile(lambda element: element.tag in _PARTS, around[in_part:]))
        return any(map(self.is_ruled, around[: in_part + parts + 1]))

    def is_ruled(self, element: Element) -> bool:
        """Return whether a rule of the portal file names this element, and not only its tag."""
        decision = self.decision(element)
        return self.portal.has_itself(decision.rule) and tells_more_than_a_tag(decision.selector)


class ContainerText:
    """The text nodes of a container in page order. White space is left out of what is searched: the rules may
    have changed it."""

    def __init__(self, page: Page, roots: Sequence[Element]) -> None:
        self.owners: list[Element] = []
        """The element that each text stands immediately in."""
        self._starts: list[int] = []
        self._roots = frozenset(roots)
        self._misses = 0
        pieces: list[str] = []
        length = 0
        for outline, root in ((page.outline_of(root), root) for root in roots):
            row = outline.row_of[root]
            for place in outline.strings_in(row):
                bare = without_blanks(outline.strings[place])
                if not bare or len(self.owners) >= _MOST_TEXTS:
                    continue
                self.owners.append(outline.elements[outline.owners[place]])
                self._starts.append(length)
                pieces.append(bare)
                length += len(bare)
        self._text = "".join(pieces)

    def find(self, text: str, start: int = 0) -> int | None:
        """The position of a text behind `start`, or anywhere; None if it is not there as it stood in the
        page."""
        if self._misses >= 200:  # each costs a walk through all of the text
            return None
        needle = without_blanks(text[: 2 * _NEEDLE])[:_NEEDLE]
        place = self._text.find(needle, start)
        if place < 0 and start:
            place = self._text.find(needle)
        self._misses += place < 0
        return None if place < 0 else place

    def node_at(self, position: int) -> int:
        """The number of the text node at a position."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def block_of(self, node: int) -> Element:
        """The innermost element around a text node that begins a new line, or the container itself."""
        return next(
            each for each in _upwards(self.owners[node]) if each in self._roots or each.tag in BLOCK_LEVEL
        )

    def around(self, element: Element) -> Iterator[Element]:
        """The element and those around it, below the container."""
        return takewhile(lambda each: each not in self._roots, _upwards(element))


def tag_in_place(around: Iterable[Element]) -> str:
    """Return the simplified tag of the first of some elements, each in the next one, behind the nearest that
    has a class or an id."""
    inner, *others = around
    named = next((each for each in (inner, *others) if each.get("class") or each.get("id")), inner)
    own = tag_of(inner).text
    return own if named is inner else f"{tag_of(named).text} {own}"


def _upwards(element: Element) -> Iterator[Element]:
    return chain((element,), element.iterancestors())


def without_blanks(text: str) -> str:
    """Without white space."""
    return nfc("".join(text.split()))


def text_blocks_of(article: Article) -> tuple[KeptBlock, ...]:
    """All kept text of an article in order, block by block; comments are not of it."""
    own_posts = (post for post in article.posts if post.kind != COMMENTS)
    of_posts = (block for post in own_posts for block in _text_blocks(post.blocks))
    return (*islice(_text_blocks(article.blocks), _MOST_BLOCKS), *islice(of_posts, _MOST_BLOCKS))


def _text_blocks(blocks: Iterable[ContentNode], around: tuple[str, ...] = ()) -> Iterator[KeptBlock]:
    for block in (node for node in blocks if isinstance(node, Block)):
        if inner := blocks_in(block):
            yield from _text_blocks(inner, (*around, block.type))
        elif text := plain_text(block).strip():
            yield KeptBlock(block.type, text, word_count(text), around)


# --- what a stretch of text looks like, in any language ---

_SENTENCE_END = linear(r"(?<![\d\s])[.!?…。！？।؟]{1,20}[\"'”’»“)\]]{0,20}(?:\s|$)")


def is_prose(text: str) -> bool:
    """Say whether a text is running text: some words, and the end of a sentence."""
    return word_count(text) >= 8 and _SENTENCE_END.search(text) is not None


def sentences(text: str) -> int:
    """How many sentences end in it."""
    return len(_SENTENCE_END.findall(text))


def fingerprint(text: str) -> int:
    """Return a number that texts share which differ in white space and case only."""
    return hash_of(squeeze(text.casefold()))
