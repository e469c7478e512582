"""Where an article's text is: by the portal's rule, else by the general finder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.pick_places import PageNode, is_element
from webarticlecurator.config.pick_steps import Pick, Wanted
from webarticlecurator.config.picks import AllOf, Picks
from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.body.locate import Hints, locate, walked
from webarticlecurator.extraction.body.page_shape import PageShape
from webarticlecurator.extraction.forums import OF_PAGE, FoundPost, find_thread
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.model.metadata import Metadata
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
    shape: Callable[[], PageShape] | None = None
    """Of the page as a whole, where the general finder looked at it."""
    posts: tuple[FoundPost, ...] = ()
    """Where the page is a thread of a forum, and no rule says so."""


def find_container(
    root: Picks | None, context: PageContext, metadata: Metadata, *, within: Picks | None = None, labeller: bool = False
) -> Container | None:
    """Where the text is; None if the rule `root` matches nothing, or there is no running text. Raises PatternTimeout.

    Where `within` matches, that is what the general finder takes for the body. `labeller`: it asks the general labeller, too.
    """
    if root is not None:
        return picked_container(root, context)
    tree = context.page.tree
    if tree is None:
        return None
    headline, description, image = (
        next((found.value for found in metadata.get(name, ())), None) for name in ("headline", "description", "image")
    )
    authors = tuple(found.value for found in metadata.get("author", ()))
    hints = Hints(
        headline=headline,
        description=description,
        article_body=article_body(context.page),
        authors=authors,
        filed_under=tuple(found.value for name in ("articleSection", "keywords") for found in metadata.get(name, ())),
        image=image,
        subtitles=tuple(found.value for found in metadata.get("alternativeHeadline", ())),
    )
    blocks = walked(tree, hints=hints)
    # names that stand on the page may be those of readers who answer
    told = tuple(found.value for found in metadata.get("author", ()) if not found.source.startswith(OF_PAGE))
    # the portal knows better: it is a forum by its rules, or they find posts on this page; a blog may have a forum, too
    every = (context.portal.posts, *(layout.posts for layout in context.portal.layouts))
    thread = None if any(PostKind.FORUM in posts for posts in every) else find_thread(context.page, blocks, told)
    if thread is not None and not any(rules.item.find_nodes(context) for posts in every for rules in posts.values()):
        posts, how = thread
        return Container(elements=tuple(post.text for post in posts), how=f"{GENERAL_FINDER}: {how}", posts=tuple(posts))
    bodies = frozenset(filter(is_element, within.find_nodes(context))) if within is not None else frozenset()
    located = locate(tree, hints=hints, blocks=blocks, within=bodies, labeller=labeller)
    if located is None:
        return None
    furniture = {element: f"{GENERAL_FINDER}: {why}" for element, why in located.furniture.items()}
    return Container(
        elements=located.elements,
        how=f"{GENERAL_FINDER}: {located.how}",
        apart=frozenset(located.elements[:-1]),
        furniture=furniture,
        captions=located.captions,
        comments=located.comments,
        shape=located.shape,
    )


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
        return [value.raw for value in pick.find(context, Wanted()).values]
    nodes = pick.find_nodes(context)
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
