"""The elements that hold an article's text, and where a portal's rule finds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.config.picks import AllOf, Pick, Picks
from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.forums import FoundPost
from webarticlecurator.extraction.picks import TEXT, PageContext, PageNode, is_element, pick_nodes, pick_values
from webarticlecurator.model.page import Page

GENERAL_FINDER = "general finder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """The elements that hold an article's text, in page order, none inside another."""

    elements: tuple[Element, ...]
    how: str
    """By which rule or evidence."""
    apart: frozenset[Element] = frozenset()
    """Of these, the pieces before and behind the body that the general finder added: rules hold for them themselves, too."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """What in them is not of the article, each with the reason."""
    captions: Mapping[Element, str] = field(default_factory=dict)
    """What in them is a caption by its name, or a figure, each with that block."""
    comments: tuple[Element, ...] | None = None
    """What on the page is called comments, where the general finder looked at it."""
    judged: Furniture | None = None
    """The blocks of the page, where the general finder looked at it."""
    posts: tuple[FoundPost, ...] = ()
    """Where the page is a thread of a forum, and no rule says so."""


def picked_container(picks: Picks, context: PageContext) -> Container | None:
    """What a pick points at, as elements: the first unless it says otherwise; HTML in a text is parsed."""
    with context.page.budget:
        for alternative in picks.alternatives:
            if isinstance(alternative, AllOf):
                parts = [part for one in alternative.picks if (part := picked_container(one, context)) is not None]
                elements, how = [element for part in parts for element in part.elements], ", ".join(part.how for part in parts)
            else:
                elements, how = [element for node in _nodes(alternative, context) for element in _elements(node)], alternative.source
            if elements:
                return Container(elements=tuple(_outermost(elements)), how=how)
    return None


def _nodes(pick: Pick, context: PageContext) -> list[PageNode]:
    if pick.has_texts:
        return [value.raw for value in pick_values(pick, context, TEXT).values]
    nodes = pick_nodes(pick, context)
    # the text of a JSON article may be a list of pieces
    return nodes[:1] if pick.take is None and pick.json is None else nodes


def _elements(node: PageNode) -> Iterable[Element]:
    if is_element(node):
        return (node,)
    tree = parse_html(node) if isinstance(node, str) and node.strip() else None
    return () if tree is None else (tree,)


def _outermost(elements: list[Element]) -> Iterable[Element]:
    wanted = set(elements)
    return (element for element in dict.fromkeys(elements) if wanted.isdisjoint(element.iterancestors()))


def article_body(page: Page) -> str | None:
    """The text in the page's JSON-LD."""
    bodies = (one.get("articleBody") for one in page.json_ld_objects)
    return next((body for body in bodies if isinstance(body, str) and body), None)
