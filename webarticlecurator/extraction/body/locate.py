"""The place of an article's body on a page: by the portal's rule, else by the general finder.

That is the block where most of the page's running text stands, and little else; lead and other parts that
stand apart go with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import LabellerFile, PostKind
from webarticlecurator.config.picks import AllOf, Picks
from webarticlecurator.config.portal import PortalKind
from webarticlecurator.document.parsed_page import parse_part
from webarticlecurator.extraction.body.article_parts import left_out_of
from webarticlecurator.extraction.body.article_root import (
    densest_block,
    root_of,
    root_of_links,
    text_values,
)
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.lead_picture import boxes_of_pictures, lead_picture
from webarticlecurator.extraction.body.leads_above import headline_row, leads_of, subtitles
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.forum_posts import FoundPost
from webarticlecurator.extraction.forums import find_thread
from webarticlecurator.extraction.opening_posts import OF_PAGE
from webarticlecurator.extraction.picked_values import (
    TEXT,
    PageContext,
    PageNode,
    is_element,
    pick_nodes,
    pick_values,
)
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.model.article import first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import bare_host

_LONG = 100
"""Characters of a long text."""
_LITTLE = 500
"""Characters of a text of a page's data that goes in the place of what the page shows."""
_SEVERAL_TIMES = 3
"""Least length of such a text, in lengths of the text that the page shows."""
_SHORTEST_KNOWN = 200
"""Characters of a text in JSON-LD by which the body is known: less is a summary."""
_LONGEST_KNOWN = 50_000
"""Characters of it that are looked at."""
_BEGINNING = 30
"""Characters of a text of the page that stands in it."""
_POSTSCRIPTS = frozenset(("ps", "post-scriptum", "postscript", "postscriptum"))
"""Classes of what stands right behind a body and goes with it: 18 of 110 articles of a site made by SPIP."""
_TAG = linear(r"</?[a-zA-Z]")
"""The sign of HTML in a text of data."""
GENERAL_FINDER = "general finder"
_BY_DATA = "articleBody of JSON-LD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """The elements that hold an article's text, in page order, none inside another."""

    elements: tuple[Element, ...]
    how: str
    """By which rule or evidence."""
    apart: frozenset[Element] = frozenset()
    """The pieces before and behind the body that the general finder added: rules hold for them themselves,
    too."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """Elements in them that are not of the article, each with the reason."""
    captions: Mapping[Element, str] = field(default_factory=dict)
    """Elements in them whose kind of block is known by what is around them: captions, figures, the
    subtitle."""
    judged: Furniture | None = None
    """The blocks of the page, where the general finder looked at it."""
    posts: tuple[FoundPost, ...] = ()
    """The posts of a page that is a thread of a forum, though no rule says so."""

    def rows(self, outline: Outline) -> list[int]:
        """Return the rows of its elements; those that are not on the page itself are left out."""
        return [outline.row_of[element] for element in self.elements if element in outline.row_of]

    @property
    def root(self) -> Element:
        """The body itself; of several, the last."""
        return [element for element in self.elements if element not in self.apart][-1]


def find_container(
    root: Picks | None,
    context: PageContext,
    metadata: Metadata,
    *,
    within: Picks | None = None,
    labeller: bool | LabellerFile = False,
) -> Container | None:
    """Return where the text is; None if the rule `root` matches nothing, or there is no running text.
    Raises PatternTimeout.

    Where `within` matches, that is what the general finder takes for the body. `labeller`: it asks the
    general labeller, too.
    """
    if root is not None:
        return picked_container(root, context)
    page = context.page
    if page.tree is None:
        return None
    known = _KnownText(article_body(page))
    blocks = PageBlocks(page.outline, known.holds)
    thread = _thread_in(context, blocks, metadata)
    if thread is not None:
        return thread
    bodies = frozenset(filter(is_element, pick_nodes(within, context)))
    located = _located(blocks, metadata, known, bodies, labeller, bare_host(page.url))
    rows = located.rows(page.outline) if located is not None else ()
    return _hidden_text(page, known.text, sum(map(page.outline.length, rows))) or located


class _KnownText:
    """The text of the article in the page's JSON-LD, by which it is known on the page."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.length = min(len(text), _LONGEST_KNOWN)
        """Characters of it that are known again."""
        # white space differs between a page and its JSON-LD
        self._squashed = "".join(text[:_LONGEST_KNOWN].split()) if len(text) >= _SHORTEST_KNOWN else ""

    def holds(self, text: str) -> bool:
        """Return True if a text of the page is part of it."""
        return self._squashed != "" and "".join(text.split())[:_BEGINNING] in self._squashed


def _thread_in(context: PageContext, blocks: PageBlocks, metadata: Metadata) -> Container | None:
    """Return the posts of a forum.

    The portal knows better: it is a forum by its rules, or they find posts on this page.
    """
    layouts = (layout.posts.items() for layout in context.portal.layouts)
    rules = [*context.portal.posts.items(), *chain.from_iterable(layouts)]
    if PostKind.FORUM in dict(rules):
        return None
    # names that stand on the page may be those of readers who answer
    authors = tuple(
        author.value for author in metadata.get("author", ()) if not author.source.startswith(OF_PAGE)
    )
    # a blog may have a forum, too
    thread = find_thread(context.page, blocks, authors, of_forum=context.portal.kind is PortalKind.FORUM)
    if thread is None or any(pick_nodes(rule.item, context) for _, rule in rules):
        return None
    posts, how = thread
    return Container(
        elements=tuple(post.text for post in posts),
        how=f"{GENERAL_FINDER}: {how}",
        posts=tuple(posts),
    )


def _hidden_text(page: Page, told: str, shown: int) -> Container | None:
    """Return the text that a page has in its data and hides, where that is much longer than what it shows."""
    if len(told) < _LITTLE or _SEVERAL_TIMES * shown >= len(told):
        return None
    whole = element_of_data(page, told)
    return Container(elements=(whole,), how=f"{GENERAL_FINDER}: {_BY_DATA}") if whole is not None else None


def element_of_data(page: Page, told: str) -> Element | None:
    """Return a text of a page's data, which may be HTML, or lines, as an element."""
    is_html = _TAG.search(told) is not None
    lines = told if is_html else "".join(f"<p>{escape(line)}</p>" for line in told.splitlines())
    return parse_part(page, lines)


def picked_container(picks: Picks, context: PageContext) -> Container | None:
    """Return what a pick points at, as elements: the first unless it says otherwise; HTML in a text is
    parsed."""
    with context.page.budget:
        for alternative in picks.alternatives:
            container = _picked(alternative, context)
            if container.elements:
                return container
    return None


def _picked_together(alternative: AllOf, context: PageContext) -> Container:
    parts = list(filter(None, [picked_container(pick, context) for pick in alternative.picks]))
    elements = chain.from_iterable(part.elements for part in parts)
    return Container(elements=_outermost(list(elements)), how=", ".join(part.how for part in parts))


def _picked(alternative: Any, context: PageContext) -> Container:
    if isinstance(alternative, AllOf):
        return _picked_together(alternative, context)
    nodes = [_parsed(context.page, node) for node in _nodes_of(alternative, context)]
    elements = [node for node in nodes if is_element(node)]
    return Container(elements=_outermost(elements), how=alternative.source)


def _nodes_of(alternative: Any, context: PageContext) -> Sequence[PageNode]:
    if alternative.has_texts:
        return [value.raw for value in pick_values(alternative, context, TEXT).values]
    nodes = pick_nodes(alternative, context)
    # the text of a JSON article may be a list of pieces
    takes_all = alternative.take is not None or alternative.json is not None
    return nodes if takes_all else nodes[:1]


def _parsed(page: Page, node: PageNode) -> Any:
    return parse_part(page, node) if isinstance(node, str) else node


def _outermost(elements: Collection[Element]) -> tuple[Element, ...]:
    """Return each element once that is in no other."""
    wanted = set(elements)
    return tuple(element for element in dict.fromkeys(elements) if wanted.isdisjoint(element.iterancestors()))


def article_body(page: Page) -> str:
    """Return the text in the page's JSON-LD; empty where it has none."""
    things = page.json_ld_objects
    return next((thing["articleBody"] for thing in things if isinstance(thing.get("articleBody"), str)), "")


def _located(
    blocks: PageBlocks,
    metadata: Metadata,
    known: _KnownText,
    within: Collection[Element],
    labeller: bool | LabellerFile,
    host: str,
) -> Container | None:
    """Return the body by the general finder. `within`: elements of which a rule says that one is it."""
    values = text_values(blocks)
    prose = blocks.summed([max(value, 0) for value in values])
    if not prose[0] and not within:
        return None
    headline = headline_row(blocks, first_value(metadata, "headline"))
    marked = _marked_in(blocks)
    furniture = Furniture(blocks, prose, marked)
    root, is_of_links = root_of(furniture, values, marked, headline, metadata)
    is_aligned = _is_aligned(blocks, root, known.length)
    if is_aligned:
        root = densest_block(blocks, _values_by_known(blocks), [False] * len(blocks))
    bodies = [row for row in blocks.with_text if blocks.elements[row] in within]
    root = max(bodies, key=lambda row: (prose[row], -row), default=root)
    inside = left_out_of(furniture, root, headline, metadata, labeller, is_of_links=is_of_links, host=host)
    how = _BY_DATA if is_aligned else _evidence(blocks, root)
    return _container(furniture, root, headline, metadata, inside, how)


def _marked_in(blocks: PageBlocks) -> list[int]:
    """Return the rows of blocks that say that they are the article."""
    return sorted({*blocks.tagged("article", "main"), *blocks.by_part[PagePart.BODY]})


def with_links(container: Container, metadata: Metadata) -> Container:
    """Return the body of a page that is a listing: the links that it is made of are no furniture."""
    furniture = container.judged
    if furniture is None:
        return container
    blocks = furniture.blocks
    root = blocks.of[blocks.outline.row_of[container.root]]
    if root not in blocks.with_text:  # what lies far from an empty body is not what the page lists
        return container
    headline = headline_row(blocks, first_value(metadata, "headline"))
    links = root_of_links(furniture, _marked_in(blocks), root, headline)
    whole = root if links is None else links
    inside = left_out_of(furniture, whole, headline, metadata, labeller=False, is_of_links=True, host="")
    return _container(furniture, whole, headline, metadata, inside, "links of a listing")


def _is_aligned(blocks: PageBlocks, root: int, known: int) -> bool:
    """Return True if the known text is on the page, and is the article rather than its beginning."""
    long_ones = (length for length in blocks.plain[root : blocks.ends[root]] if length >= _LONG)
    return sum(blocks.known.values()) > known / 2 and 2 * known > sum(long_ones)


def _values_by_known(blocks: PageBlocks) -> list[float]:
    """Return the value of the text immediately in each block by the known text; text that is not recognised
    counts against it."""
    values: list[float] = []
    for row, plain in enumerate(blocks.plain):
        values.append(float(blocks.known[row]) if row in blocks.known else -plain / 2)
    return values


def _above(
    furniture: Furniture,
    root: int,
    headline: int,
    metadata: Metadata,
    inside: Collection[int],
) -> list[int]:
    """Return the rows above the root that are of the article: leads with which it does not begin, and its
    picture."""
    leads = leads_of(furniture, root, headline, metadata, inside)
    picture = lead_picture(furniture, headline, root, first_value(metadata, "image"))
    if picture is None or not furniture.blocks.above(picture).isdisjoint(leads):
        return leads
    return sorted((*leads, picture))


def _evidence(blocks: PageBlocks, root: int) -> str:
    """Return by what a body was found."""
    if blocks.is_part(root, PagePart.BODY):
        is_of_data = "articleBody" in blocks.elements[root].get("itemprop", "")
        return "[itemprop=articleBody]" if is_of_data else "class or id"
    return f"<{blocks.tags[root]}>" if blocks.tags[root] in ("article", "main") else "text density"


def _is_postscript(element: Element) -> bool:
    return not _POSTSCRIPTS.isdisjoint(element.get("class", "").lower().split())


def _container(
    furniture: Furniture,
    root: int,
    headline: int,
    metadata: Metadata,
    inside: dict[int, str],
    how: str,
) -> Container:
    """Return a body with what is above it, and what stands right behind it and goes with it."""
    blocks = furniture.blocks
    above = _above(furniture, root, headline, metadata, inside)
    for row in above:
        inside |= blocks.outermost(blocks.below(row), lambda inner: furniture.reason_inside(inner, root))
    captions, reasons = dict(furniture.captions()), dict[Element, str]()
    for element, part in furniture.lines(root):
        if part is PagePart.CAPTION:
            captions[element] = "caption"
        else:
            reasons[element] = str(part)
    reasons |= {blocks.elements[row]: why for row, why in inside.items()}
    kinds = dict.fromkeys(boxes_of_pictures(blocks, above), "figure")
    kinds |= dict.fromkeys(subtitles(blocks, headline, first_value(metadata, "description")), "paragraph")
    captions |= {blocks.elements[row]: kind for row, kind in kinds.items()}
    behind = [row for row in blocks.behind(root) if _is_postscript(blocks.elements[row])]
    elements = tuple(blocks.elements[row] for row in (*above, root, *behind))
    return Container(
        elements=elements,
        how=f"{GENERAL_FINDER}: {how}",
        apart=frozenset(elements) - {blocks.elements[root]},
        furniture={element: f"{GENERAL_FINDER}: {why}" for element, why in reasons.items()},
        captions=captions,
        judged=furniture,
    )
