"""One page as an audit sees it: the article that the rules make of it, its container, and where in that each kept text comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import BodyRules, Layout, Portal
from webarticlecurator.extraction.body.names import Part, role_of
from webarticlecurator.extraction.body.tag_names import simplified_tag
from webarticlecurator.extraction.container import Container
from webarticlecurator.model.article import COMMENTS, Article, Block, Inline, Node, plain_text
from webarticlecurator.model.page import Page
from webarticlecurator.survey.audit.byline import Byline
from webarticlecurator.survey.audit.ground import Ground, bare
from webarticlecurator.survey.audit.results import Kind
from webarticlecurator.survey.audit.text import word_count

_MOST_LEAVES = 3_000
FURNITURE = frozenset(
    (Part.SHARE, Part.COMMENTS, Part.RELATED, Part.NEWSLETTER, Part.ADVERTISEMENT, Part.NAVIGATION, Part.NOTICE, Part.HIDDEN, Part.AUTHOR)
)
"""What an element's names may say that is not of the article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Something on one page that is a finding where it is seen on enough pages."""

    kind: Kind
    rule: str = ""
    tag: str = ""
    words: int
    text: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A block with text of its own."""

    type: str
    text: str
    words: int
    linked: int
    """Characters of it that are links."""
    inside: tuple[str, ...] = ()
    """Types of the blocks around it, the outermost first."""
    of_post: bool = False

    @property
    def link_share(self) -> float:
        return self.linked / len(self.text) if self.text else 0.0


@dataclass(frozen=True, eq=False)
class Looked:
    """A page that was read, and what the signs are looked for in."""

    page: Page
    portal: Portal
    article: Article
    container: Container | None
    """Where the rules (or the general finder) say that the article is."""

    @cached_property
    def layout(self) -> Layout | None:
        return next((one for one in self.portal.layouts if one.name == self.article.layout), None)

    @property
    def rules(self) -> BodyRules:
        return self.layout.body if self.layout is not None else self.portal.body

    @cached_property
    def roots(self) -> frozenset[Element]:
        return frozenset(self.container.elements) if self.container is not None else frozenset()

    @cached_property
    def ground(self) -> Ground:
        return Ground(self.container.elements if self.container is not None else ())

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """All kept text in order, block by block; comments are not of the article."""
        of_posts = (leaf for post in self.article.posts if post.kind != COMMENTS for leaf in _leaves(post.blocks, of_post=True))
        return (*islice(_leaves(self.article.blocks), _MOST_LEAVES), *islice(of_posts, _MOST_LEAVES))

    @cached_property
    def positions(self) -> tuple[int | None, ...]:
        """For each leaf where it begins in the container's text."""
        found: list[int | None] = []
        at = 0
        for leaf in self.leaves:
            position = self.ground.find(leaf.text, at)
            found.append(position)
            at = position + 1 if position is not None else at
        return tuple(found)

    @cached_property
    def nodes(self) -> tuple[int | None, ...]:
        """For each leaf the number of the text node that it begins with."""
        return tuple(None if position is None else self.ground.node_at(position) for position in self.positions)

    @cached_property
    def byline(self) -> Byline:
        return Byline.of(self.article.metadata)

    @cached_property
    def kept_words(self) -> int:
        return sum(leaf.words for leaf in self.leaves)

    @cached_property
    def kept_text(self) -> str:
        """All kept text without white space, posts and comments too."""
        posts = (plain_text(post.blocks) for post in self.article.posts)
        return bare("".join((*(leaf.text for leaf in self.leaves), *posts)))

    def tag_of(self, number: int) -> str:
        """The simplified tag that the leaf of that number comes from; empty where that cannot be said."""
        node = self.nodes[number]
        return "" if node is None else telling_tag(self.ground, node)


def telling_tag(ground: Ground, node: int) -> str:
    """The simplified tag of the block around a text; behind its nearest relative with a class, where it has none."""
    block = ground.block_of(node)
    own = simplified_tag(block)
    if block.get("class"):
        return own
    named = next((one for one in ground.around(block) if one.get("class")), None)
    return own if named is None else f"{simplified_tag(named)} {own}"


def named_furniture(elements: Iterable[Element]) -> bool:
    """Whether one of the elements has a name that only furniture has."""
    for element in elements:
        role = role_of(element.get("class"), element.get("id"))
        if role is not None and role.certain and role.part in FURNITURE:
            return True
    return False


def part_of(tag: str) -> Part | None:
    """What the name of a simplified tag surely says that it is."""
    role = role_of(tag.partition(".")[2].replace(".", " "), None)
    return role.part if role is not None and role.certain else None


def _leaves(blocks: Iterable[Node], inside: tuple[str, ...] = (), *, of_post: bool = False) -> Iterator[Leaf]:
    waiting: list[tuple[Node, tuple[str, ...]]] = [(block, inside) for block in reversed(list(blocks))]
    while waiting:
        node, around = waiting.pop()
        if not isinstance(node, Block):
            continue
        inner = [child for child in node.children if isinstance(child, Block)]
        if inner:
            waiting.extend((child, (*around, node.type)) for child in reversed(inner))
        elif text := plain_text(node).strip():
            yield Leaf(node.type, text, word_count(text), _linked(node), around, of_post)


def _linked(node: Node) -> int:
    if isinstance(node, str):
        return 0
    if isinstance(node, Inline) and node.type == "link":
        return len(plain_text(node))
    return sum(_linked(child) for child in node.children)
