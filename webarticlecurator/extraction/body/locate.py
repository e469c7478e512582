"""Where on a page an article's body is: by the portal's rule, else by the general finder.

That is the block where most of the page's running text stands, and little else; lead and other parts that stand apart go with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import LabellerFile, PostKind
from webarticlecurator.config.picks import AllOf, Picks
from webarticlecurator.config.portal import PortalKind
from webarticlecurator.document.parsed_page import parse_html
from webarticlecurator.extraction.body.article_parts import headline_row, leads_of, left_out_of, lines_of_pictures, outermost
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.tag_rules import ELEMENTS
from webarticlecurator.extraction.forums import OF_PAGE, FoundPost, find_thread
from webarticlecurator.extraction.picked_values import TEXT, PageContext, PageNode, is_element, pick_nodes, pick_values
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.model.article import first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page, read_json
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS

_LEAVES = frozenset(ELEMENTS["leaves"])
_TAG_WEIGHTS = {"article": 1.3, "main": 1.3, "li": 0.5, "figcaption": 0.5, "th": 0.5, "dd": 0.5, "h1": 0.2, "h2": 0.2, "h3": 0.2, "h4": 0.2}
_PART_WEIGHTS = {PagePart.BODY: 1.5, PagePart.CAPTION: 0.5}
_PARAGRAPH, _SENTENCE, _LONG = 80, 30, 100
"""Characters of a text that is running text anyway, of one that is if it has commas or full stops, and of a long one."""
_LITTLE, _LITTLE_OF_PAGE = 500, 0.2
"""Characters of running text, and their share of a page's text, beside which lists of links and cards may be what the page is for."""
_SEVERAL_TIMES = 3
"""As long as what the page shows is a text of its data that goes in its place."""
_NEARLY_ALL = 0.9
"""Share of the text of a block that boxes of one make hold, if it is made of these."""
_POSTSCRIPTS = frozenset(("ps", "post-scriptum", "postscript", "postscriptum"))
"""Classes of what stands right behind a body and goes with it: 18 of 110 articles of a site made by SPIP."""
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
    judged: Furniture | None = None
    """The blocks of the page, where the general finder looked at it."""
    posts: tuple[FoundPost, ...] = ()
    """Where the page is a thread of a forum, and no rule says so."""

    @property
    def root(self) -> Element:
        """The body itself; of several, the last."""
        return next(element for element in reversed(self.elements) if element not in self.apart)


def find_container(
    root: Picks | None, context: PageContext, metadata: Metadata, *, within: Picks | None = None, labeller: bool | LabellerFile = False
) -> Container | None:
    """Where the text is; None if the rule `root` matches nothing, or there is no running text. Raises PatternTimeout.

    Where `within` matches, that is what the general finder takes for the body. `labeller`: it asks the general labeller, too.
    """
    if root is not None:
        return picked_container(root, context)
    page = context.page
    if page.tree is None:
        return None
    told = article_body(page) or ""
    known = told[:50_000]  # of some use where it is more than a summary
    squashed = "".join(known.split())  # white space differs between a page and its JSON-LD
    blocks = PageBlocks(page.outline, (lambda text: "".join(text.split())[:30] in squashed) if len(known) >= 200 else lambda _: False)
    # names that stand on the page may be those of readers who answer
    authors = tuple(author.value for author in metadata.get("author", ()) if not author.source.startswith(OF_PAGE))
    # the portal knows better: it is a forum by its rules, or they find posts on this page; a blog may have a forum, too
    every = (context.portal.posts, *(layout.posts for layout in context.portal.layouts))
    is_ruled = any(PostKind.FORUM in posts for posts in every)
    thread = None if is_ruled else find_thread(page, blocks, authors, of_forum=context.portal.kind is PortalKind.FORUM)
    if thread is not None and not any(pick_nodes(rules.item, context) for posts in every for rules in posts.values()):
        posts, how = thread
        return Container(elements=tuple(post.text for post in posts), how=f"{GENERAL_FINDER}: {how}", posts=tuple(posts))
    bodies = frozenset(filter(is_element, pick_nodes(within, context))) if within is not None else frozenset()
    located = _located(blocks, metadata, len(known), bodies, labeller)
    shown = sum(page.outline.length(page.outline.row_of[element]) for element in located.elements) if located is not None else 0
    if len(told) >= _LITTLE and _SEVERAL_TIMES * shown < len(told):  # a page may hide what its data tell
        paragraphs = told if linear(r"<(?:br|div|p)\b").search(told) else "".join(f"<p>{escape(line)}</p>" for line in told.splitlines())
        whole, how = parse_html(paragraphs), "articleBody of JSON-LD"
    else:
        whole, how = None if shown else _html_in_script(page), "JSON in a script"
    return located if whole is None else Container(elements=(whole,), how=f"{GENERAL_FINDER}: {how}")


def picked_container(picks: Picks, context: PageContext) -> Container | None:
    """What a pick points at, as elements: the first unless it says otherwise; HTML in a text is parsed."""
    with context.page.budget:
        for alternative in picks.alternatives:
            if isinstance(alternative, AllOf):
                parts = [part for pick in alternative.picks if (part := picked_container(pick, context)) is not None]
                elements, how = [element for part in parts for element in part.elements], ", ".join(part.how for part in parts)
            else:
                nodes: list[PageNode]
                if alternative.has_texts:
                    nodes = [value.raw for value in pick_values(alternative, context, TEXT).values]
                else:
                    # the text of a JSON article may be a list of pieces
                    most = 1 if alternative.take is None and alternative.json is None else None
                    nodes = pick_nodes(alternative, context)[:most]
                nodes = [parse_html(node) if isinstance(node, str) and node.strip() else node for node in nodes]
                elements, how = [node for node in nodes if is_element(node)], alternative.source
            if elements:
                wanted = set(elements)
                outermost = (element for element in dict.fromkeys(elements) if wanted.isdisjoint(element.iterancestors()))
                return Container(elements=tuple(outermost), how=how)
    return None


def article_body(page: Page) -> str | None:
    """The text in the page's JSON-LD."""
    bodies = (thing.get("articleBody") for thing in page.json_ld_objects)
    return next((body for body in bodies if isinstance(body, str) and body), None)


def _html_in_script(page: Page) -> Element | None:
    """The longest text of several paragraphs in the page's JSON, which a script would put in place of an empty element."""
    texts: list[str] = []
    for script in page.outline.named("script"):
        waiting: list[Any] = read_json(script.text or "") if script.get("type") == "application/json" else []
        while waiting:
            value = waiting.pop()
            if isinstance(value, str) and value.count("</p>") >= 3:
                texts.append(value)
            elif isinstance(value, dict | list):
                waiting.extend(value.values() if isinstance(value, dict) else value)
    return parse_html(max(texts, key=len)) if texts else None


def _located(
    blocks: PageBlocks, metadata: Metadata, known: int, within: Collection[Element], labeller: bool | LabellerFile
) -> Container | None:
    """By the general finder. `known`: characters of the text in JSON-LD; `within`: elements of which a rule says that one is the body."""
    headline = headline_row(blocks, first_value(metadata, "headline"))
    values = _values(blocks)
    prose = blocks.summed([value if value > 0 else 0 for value in values])
    if not prose[0] and not within:
        return None
    articles = (blocks.of[row] for row in blocks.outline.rows("article", "main"))
    marked = sorted({row for row in articles if row >= 0}.union(blocks.by_part[PagePart.BODY]))
    furniture = Furniture(blocks, prose, marked)
    root, is_of_links = _root_by_worth(furniture, values, marked, headline, metadata)
    # whether the known text is on the page, and is the article rather than its beginning
    aligned = sum(blocks.known.values()) > known / 2 and 2 * known > sum(
        length for length in blocks.plain[root : blocks.ends[root]] if length >= _LONG
    )
    if aligned:  # what is not recognised counts against
        flows = enumerate(zip(blocks.flow, blocks.plain, strict=True))
        values = [float(blocks.known.get(row) or (-plain / 2 if plain > _SENTENCE else -5 if flow else 0)) for row, (flow, plain) in flows]
        root = _root(blocks, values, [False] * len(blocks))
    bodies = [row for row, element in enumerate(blocks.elements) if element in within and blocks.characters[row]] if within else []
    root = max(bodies, key=lambda row: (prose[row], -row), default=root)

    inside = left_out_of(furniture, root, headline, metadata, labeller, is_of_links=is_of_links)
    leads = leads_of(furniture, root, headline, metadata, inside)
    for lead in leads:
        inside |= outermost(blocks, lead, lambda row: furniture.reason_inside(row, root))
    lines = dict(furniture.lines(root))
    reasons = {element: str(part) for element, part in lines.items() if part is not PagePart.CAPTION}
    reasons |= {blocks.elements[row]: why for row, why in inside.items()}
    behind = [row for row in blocks.behind(root) if not _POSTSCRIPTS.isdisjoint((blocks.elements[row].get("class") or "").lower().split())]
    elements = tuple(blocks.elements[row] for row in (*leads, root, *behind))
    how = f"<{blocks.tags[root]}>" if blocks.tags[root] in ("article", "main") else "text density"
    if blocks.is_part(root, PagePart.BODY):
        how = "[itemprop=articleBody]" if "articleBody" in (blocks.elements[root].get("itemprop") or "") else "class or id"
    return Container(
        elements=elements,
        how=f"{GENERAL_FINDER}: {'articleBody of JSON-LD' if aligned else how}",
        apart=frozenset(elements) - {blocks.elements[root]},
        furniture={element: f"{GENERAL_FINDER}: {why}" for element, why in reasons.items()},
        captions={
            **dict(furniture.captions()),
            **{element: "caption" for element, part in lines.items() if part is PagePart.CAPTION},
            **{blocks.elements[row]: "caption" for row in lines_of_pictures(blocks, leads)},
        },
        judged=furniture,
    )


def _root_by_worth(
    furniture: Furniture, values: list[float], marked: Sequence[int], headline: int | None, metadata: Metadata
) -> tuple[int, bool]:
    """The row of the block that holds the article, and whether it is made of links: running text counts, and what is marked."""
    blocks, prose = furniture.blocks, furniture.prose
    root = _root(blocks, values, furniture.aside, marked)
    if (own := _own_article(blocks, prose, root, headline)) is not None:
        root = _root(blocks, values, furniture.aside, marked, within=own)
    kept = blocks.summed([value if value > 0 and not outside else 0 for outside, value in zip(furniture.aside, values, strict=True)])
    # a page may be one of links if it has no date of its own, and next to none if that may be a teaser's
    dates = metadata.get("datePublished", ())
    most = _LITTLE if not dates else _PARAGRAPH if dates[0].source.startswith(("html:", "url:")) else 0
    above = blocks.above(root) & blocks.above(headline) if headline is not None and blocks.is_part(root, PagePart.BODY) else set()
    is_own = own is not None or any(blocks.tags[row] == "article" for row in above)  # however short it is
    links = _root_of_links(furniture, marked, root) if not is_own and kept[root] < most else None
    if links is not None:
        return links, True
    if kept[root] < _PARAGRAPH:
        named = [row for row in marked if blocks.is_part(row, PagePart.BODY) and prose[row] > 0]
        root = max(named or marked, key=blocks.characters.__getitem__, default=root)
    return root, False


def _values(blocks: PageBlocks) -> list[float]:
    """What the text that stands immediately in each block is worth: running text counts for the article, links against it."""
    values, weights = list[float](), list[float]()
    rows = zip(blocks.parents, blocks.tags, blocks.plain, blocks.linked, blocks.roles, strict=True)
    for row, (parent, tag, plain, linked, role) in enumerate(rows):
        weight = (weights[parent] if row else 1.0) * _TAG_WEIGHTS.get(tag, 1) * (_PART_WEIGHTS.get(role.part, 1) if role is not None else 1)
        weights.append(min(weight, 3.0))
        if linked > plain:
            values.append(-linked - 10.0)
        else:
            is_running = plain >= _PARAGRAPH or (plain >= _SENTENCE and row in blocks.has_stops)
            values.append((plain if is_running else plain / 5) * weights[row])
    return values


def _root(blocks: PageBlocks, values: list[float], aside: list[bool], marked: Sequence[int] = (), *, within: int = 0) -> int:
    """The row of the block that holds the article; `marked` are those that say so, and `within` one that surely holds it."""
    worth = list(values)
    for row in range(len(blocks) - 1, 0, -1):
        if not aside[row]:
            worth[blocks.parents[row]] += worth[row]
    looked_at = range(within, blocks.ends[within])
    rows = (row for row in looked_at if not aside[row] and (blocks.tags[row] not in _LEAVES or row == within))
    root = _descend(blocks, values, worth, aside, max(rows, key=lambda row: (worth[row], row), default=within))
    inner = [row for row in marked if not aside[row] and blocks.tags[row] not in _LEAVES]
    for _ in range(10):  # there may be endlessly many in one another
        below = blocks.below(root)
        inner = [row for row in inner if row in below]
        best = max(inner, key=lambda row: (worth[row], row), default=root)
        share = 0.33 if blocks.tags[root] in ("body", "html") else 0.6  # most of a page may be furniture
        if best == root or worth[best] < share * worth[root]:
            break
        root = _descend(blocks, values, worth, aside, best)
    return root


def _descend(blocks: PageBlocks, values: list[float], worth: list[float], aside: list[bool], row: int) -> int:
    """Into the block that holds nearly all, as long as there is one."""
    while inner := [child for child in blocks.inside(row) if not aside[child]]:
        best = max(inner, key=worth.__getitem__)
        own = max(values[row], 0) + sum(max(values[child], 0) for child in inner if blocks.tags[child] in _LEAVES)
        is_wrapper = own <= 0.08 * worth[row] and worth[best] >= 0.75 * worth[row]
        stays_together = _is_chapter(blocks, best, inner, worth) or _is_one_of_alike(blocks, best, inner, worth)
        if blocks.tags[best] in _LEAVES or not is_wrapper or stays_together:
            break
        row = best
    return row


def _is_chapter(blocks: PageBlocks, row: int, beside: Sequence[int], worth: Sequence[float]) -> bool:
    """Whether a block is one of several sections, each with a heading of one level first, and running text below it."""

    def heading(section: int) -> str:
        first = section + 1
        return blocks.tags[first] if blocks.tags[section] == "section" and first < blocks.ends[section] else ""

    level = heading(row)
    return level in HEADINGS and any(heading(other) == level and worth[other] >= _PARAGRAPH for other in beside if other != row)


def _is_one_of_alike(blocks: PageBlocks, row: int, beside: Sequence[int], worth: Sequence[float]) -> bool:
    """Whether the block around it is made of boxes of one make, as editors put a text together, and running text is in another one, too."""

    def make(box: int) -> tuple[object, ...]:
        element = blocks.elements[box]
        return element.tag, element.get("class"), frozenset(element.keys())

    if blocks.tags[row] not in ("div", "section") or blocks.elements[row].get("id") is not None:
        return False  # a cell of a page's layout, or the only one of its name
    alike = [other for other in beside if make(other) == make(row)]
    characters, links = blocks.characters, blocks.links
    of_text = (other for other in alike if other != row and worth[other] >= max(_SENTENCE, characters[other] / 2))
    is_whole = sum(map(characters.__getitem__, alike)) >= _NEARLY_ALL * characters[blocks.parents[row]]
    return is_whole and any(links[other] <= characters[other] / 5 for other in of_text)


def _root_of_links(furniture: Furniture, marked: Sequence[int], root: int) -> int | None:
    """The block of most text, links or not, where hardly any of that is running text: links are what such a page is for."""
    blocks, beside = furniture.blocks, list[bool]()
    for row, parent in enumerate(blocks.parents):
        why = furniture.reason(row) if row and not beside[parent] else None
        beside.append((row > 0 and beside[parent]) or (why is not None and not furniture.is_of_links(row, why)))
    flow = list(map(float, blocks.flow))
    other = _root(blocks, flow, beside, marked)
    text = blocks.summed([0.0 if outside else length for outside, length in zip(beside, flow, strict=True)])
    return other if 2 * text[root] < text[other] and furniture.prose[root] < _LITTLE_OF_PAGE * text[other] else None


def _own_article(blocks: PageBlocks, prose: Sequence[float], root: int, headline: int | None) -> int | None:
    """The `article` of the headline, if the root goes beyond it, and most of what that holds beside it is other `article`s: teasers."""
    around = blocks.above(headline) if headline is not None and not blocks.linked[headline] else set()
    own = max((row for row in around if blocks.tags[row] == "article"), default=0)
    if not own or prose[own] < _PARAGRAPH or own in blocks.above(root):
        return None
    others, end = 0.0, 0
    for row in range(root, blocks.ends[root]):
        if row >= end and blocks.tags[row] == "article" and row not in around:
            others, end = others + prose[row], blocks.ends[row]
    beside = prose[root] - (prose[own] if root in around else 0)
    return own if others > beside / 2 else None
