"""The general finder: where on a page an article's body is, when no rule of a portal says so.

It is the block where most of the page's running text stands, and little else; lead and other parts that stand apart go with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.lead_pictures import lead_picture
from webarticlecurator.extraction.body.metadata_lines import LONGEST_LINE, is_byline, words_of
from webarticlecurator.extraction.body.page_blocks import PageBlocks, blocks_of, boxes_below
from webarticlecurator.extraction.body.page_shape import PageShape, shape_of
from webarticlecurator.extraction.body.second_opinion import NO_MAIN_TEXT, second_opinion
from webarticlecurator.extraction.metadata.headline import LONGEST_SUBTITLE, subtitle_below
from webarticlecurator.labelling.names import PagePart
from webarticlecurator.text import element_text, letters_of, short_text, squeeze

# fmt: off
_LEAVES = frozenset((
    "blockquote", "dd", "dt", "figcaption", "figure", "form", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "ul",
))
# fmt: on
"""An article is never one of these; they stand in it."""
_TAG_WEIGHTS = {"article": 1.3, "main": 1.3, "li": 0.5, "figcaption": 0.5, "th": 0.5, "dd": 0.5, "h1": 0.2, "h2": 0.2, "h3": 0.2, "h4": 0.2}
_PART_WEIGHTS = {PagePart.BODY: 1.5, PagePart.CAPTION: 0.5}
_HEAVIEST = 3.0
_PARAGRAPH, _SENTENCE = 80, 30
"""Characters of a text that is running text anyway, and of one that is if it has commas or full stops."""
_MOST_OF_IT = 0.75
"""Share of a block's worth from which one block inside it is a better root."""
_MOST_OF_MARKED = 0.6
"""Share of the running text of the largest element marked as the article, from which one inside it will do as well; or of a block's."""
_PART_OF_PAGE = 0.33
"""The same share where the block is the whole page: most of that may be furniture."""
_MOST_MARKED = 10
"""Marked elements in one another that are looked at."""
_HEAD_ROWS = 3
"""`<html>`, `<body>`, and what stands before it on a broken page."""
_SEVERAL = 0.08
"""Share of a block's worth that stands immediately in it, from which it is no mere wrapper."""


def values_of(blocks: PageBlocks) -> list[float]:
    """What the text that stands immediately in each block is worth: running text counts for the article, links against it."""
    weights = _weights(blocks)
    return [
        _value(flow, linked, row in blocks.has_stops) * (weight if linked <= flow / 2 else 1) if flow else 0.0
        for row, (flow, linked, weight) in enumerate(zip(blocks.flow, blocks.linked, weights, strict=True))
    ]


def known_values(blocks: PageBlocks) -> list[float]:
    """The same where the article's text is known: what is not recognised counts against."""
    return [
        float(blocks.known.get(row) or (-(flow - linked) / 2 if flow - linked > _SENTENCE else -5 if flow else 0))
        for row, (flow, linked) in enumerate(zip(blocks.flow, blocks.linked, strict=True))
    ]


def prose_of(blocks: PageBlocks, values: list[float]) -> list[float]:
    """How much running text each block and all inside it hold."""
    return blocks.summed([max(value, 0) for value in values])


def aside_of(blocks: PageBlocks, prose: list[float], furniture: Furniture, marked: Sequence[int]) -> list[bool]:
    """For each block whether it stands outside the article, by itself or with a block around it."""
    most = max((prose[row] for row in marked), default=0)
    innermost = max((row for row in marked if prose[row] > _MOST_OF_MARKED * most), default=0)
    safe = blocks.above(innermost) | {row for row, tag in enumerate(blocks.tags[:_HEAD_ROWS]) if tag == "body"}
    below = blocks.below(innermost)
    aside: list[bool] = []
    for row, parent in enumerate(blocks.parents):
        whole = innermost if row in below else 0
        aside.append((row > 0 and aside[parent]) or (row not in safe and furniture.reason(row, whole) is not None))
    return aside


def marked_in(blocks: PageBlocks) -> list[int]:
    """The rows that say of themselves that they are the article, in page order."""
    marks = zip(blocks.tags, blocks.roles, strict=True)
    return [row for row, (tag, role) in enumerate(marks) if tag in ("article", "main") or (role is not None and role.part is PagePart.BODY)]


def root_of(blocks: PageBlocks, values: list[float], aside: list[bool], marked: Sequence[int] = (), *, within: int = 0) -> int:
    """The row of the block that holds the article; `marked` are those that say so, and `within` one that surely holds it."""
    worth = list(values)
    for row in range(len(blocks) - 1, 0, -1):
        if not aside[row]:
            worth[blocks.parents[row]] += worth[row]
    looked_at = range(within, blocks.ends[within])
    rows = (row for row in looked_at if not aside[row] and (blocks.tags[row] not in _LEAVES or row == within))
    root = _descend(blocks, values, worth, aside, max(rows, key=lambda row: (worth[row], row)))
    inner = [row for row in marked if not aside[row] and blocks.tags[row] not in _LEAVES]
    for _ in range(_MOST_MARKED):
        below = blocks.below(root)
        inner = [row for row in inner if row in below]
        best = max(inner, key=lambda row: (worth[row], row), default=root)
        share = _PART_OF_PAGE if blocks.tags[root] in ("body", "html") else _MOST_OF_MARKED
        if best == root or worth[best] < share * worth[root]:
            break
        root = _descend(blocks, values, worth, aside, best)
    return root


def _value(flow: int, linked: int, has_stops: bool) -> float:
    plain = flow - linked
    if linked > plain:
        return -linked - 10.0
    if plain >= _PARAGRAPH or (plain >= _SENTENCE and has_stops):
        return float(plain)
    return plain / 5


def _weights(blocks: PageBlocks) -> list[float]:
    """How much the text in each block counts, by where it stands."""
    weights: list[float] = []
    for parent, tag, role in zip(blocks.parents, blocks.tags, blocks.roles, strict=True):
        weight = weights[parent] if weights else 1.0
        weight *= _TAG_WEIGHTS.get(tag, 1)
        if role is not None:
            weight *= _PART_WEIGHTS.get(role.part, 1)
        weights.append(min(weight, _HEAVIEST))
    return weights


def _descend(blocks: PageBlocks, values: list[float], worth: list[float], aside: list[bool], row: int) -> int:
    """Into the block that holds nearly all, as long as there is one."""
    children: dict[int, list[int]] = {}
    for child in blocks.below(row):
        if not aside[child]:
            children.setdefault(blocks.parents[child], []).append(child)
    while inner := children.get(row):
        best = max(inner, key=worth.__getitem__)
        own = max(values[row], 0) + sum(max(values[child], 0) for child in inner if blocks.tags[child] in _LEAVES)
        if blocks.tags[best] in _LEAVES or own > _SEVERAL * worth[row] or worth[best] < _MOST_OF_IT * worth[row]:
            break
        row = best
    return row


_HEADINGS = frozenset(("h1", "h2", "h3"))
_SHORTEST_HEADLINE = 10
_LONGEST_HEADLINE = 500
_SHORTEST_KNOWN = 200
"""Characters of an `articleBody` that is more than a summary."""
_LONGEST_KNOWN = 50_000
_SAME = 30
"""Characters, white space left out, by which a text is recognised in the article's."""
_LEAD, _NAMED_LEAD = 100, 20
"""Characters of a text above the body that is its lead, and of one that says so."""
_LEAST_LEFT = 0.1
"""Share of a body that is more than links: where less is, links are what it is for."""
_PARTS = frozenset(("div", "section"))
_CONTINUATION = re.compile(
    r"(?:(?:^|[\s_-])(?:extended|extension|continued|fulltext|rest|(?:article|entry|item|post|story)[_-]?more)|(?<!\S)more)(?!\S)",
    re.IGNORECASE,
)
"""Names of what follows "read more" in weblogs that keep the text before it apart."""
_SENTENCE_END = re.compile(r"""(?:[?!…:？！。।]|(?:[^\s\d]|\d{4})\.)["'”’»“)]*$""")
"""Not the stop of a day: `2014. 3. 31.`."""
_MOST_IN_A_LINE = 100
"""Elements in a line of author and date: in deep boxes without a text of their own it would be looked for on each level again."""
_NO_LEAD = frozenset(("figure", "figcaption", "form", "ol", "table", "ul"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What the page's metadata say that helps to find the body."""

    headline: str | None = None
    description: str | None = None
    article_body: str | None = None
    """`articleBody` of the page's JSON-LD."""
    authors: tuple[str, ...] = ()
    filed_under: tuple[str, ...] = ()
    """Section and topics."""
    image: str | None = None
    """The address of the page's picture."""
    subtitles: tuple[str, ...] = ()
    """Other headlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The elements that together hold an article's body."""

    elements: tuple[Element, ...]
    """In page order, none inside another: the lead, if it stands apart, then the body."""
    how: str
    """By which evidence they were chosen: "articleBody of JSON-LD", "[itemprop=articleBody]", "text density"."""
    furniture: Mapping[Element, str] = field(default_factory=dict)
    """Elements inside them that are no part of the article, each with the reason: "share bar", "related articles"."""
    captions: Mapping[Element, str] = field(default_factory=dict)
    """Elements inside them that are captions by their names, or figures, each with that block."""
    comments: tuple[Element, ...]
    """What on the page is called comments."""
    shape: Callable[[], PageShape]
    """Of the page as a whole, for who asks."""


def walked(tree: Element, *, hints: Hints) -> PageBlocks:
    """The blocks of a page, for `locate`."""
    known = _known(hints)
    return blocks_of(tree, _recogniser(known) if len(known) >= _SHORTEST_KNOWN else None)


def locate(
    tree: Element, *, hints: Hints, blocks: PageBlocks | None = None, within: Collection[Element] = (), labeller: bool = False
) -> Located | None:
    """The body of the article on a page, None if there is no running text.

    `within`: elements of which a rule says that one is the body; that with most running text is it, whatever else is on the page.
    `labeller`: the general labeller is asked for its opinion of each block.
    """
    known = _known(hints)
    blocks = blocks or walked(tree, hints=hints)
    headline = _headline(blocks, hints.headline)
    values = values_of(blocks)
    opinion = second_opinion(blocks) if labeller else None
    values = values if opinion is None else opinion.weighed(values)
    prose = prose_of(blocks, values)
    if not prose[0] and not within:
        return None
    furniture = Furniture(blocks, prose)
    marked = marked_in(blocks)
    aside = aside_of(blocks, prose, furniture, marked)
    root = root_of(blocks, values, aside, marked)
    if (own := _own_article(blocks, prose, root, headline)) is not None:
        root = root_of(blocks, values, aside, marked, within=own)
    if prose[root] < _PARAGRAPH:
        named = [row for row in marked if blocks.is_part(row, PagePart.BODY) and prose[row] > 0]
        root = max(named or marked, key=furniture.characters, default=root)
    aligned = _is_whole(blocks, root, len(known))
    if aligned:
        root = root_of(blocks, known_values(blocks), [False] * len(blocks))
    told = [row for row, element in enumerate(blocks.elements) if element in within and furniture.characters(row)] if within else []
    root = max(told, key=lambda row: (prose[row], -row), default=root)
    subtitle = _subtitle(blocks, headline, hints.subtitles)
    leads = [row for row in _leads(blocks, furniture, headline, root, letters_of(hints.description or "")) if row != subtitle]
    picture = lead_picture(blocks, furniture, headline, root, hints.image or "") if headline is not None else None
    if picture is not None and blocks.above(picture).isdisjoint(leads):
        leads = sorted((*leads, picture))
    inside = [(row, why) for row, why in _inside(blocks, furniture, root, headline, hints) if row != subtitle]
    inside += [(subtitle, "subtitle")] if subtitle is not None and subtitle in blocks.below(root) else []
    if opinion is not None:
        known_below = _known_below(blocks)
        doubted = opinion.doubted(blocks, root, {row for row, _ in inside})
        inside += [(row, NO_MAIN_TEXT) for row in doubted if not known_below[row]]
    left = furniture.characters(root) - sum(furniture.characters(row) for row, _ in inside)
    if left < _LEAST_LEFT * furniture.characters(root):
        inside = [(row, why) for row, why in inside if why != Furniture.LINKS]
    if leads:
        said = letters_of(element_text(blocks.elements[root], without={blocks.elements[row] for row, _ in inside}))
        leads = [row for row in leads if row == picture or not said.startswith(letters_of(element_text(blocks.elements[row])))]
    inside += [pair for part in leads for pair in _inside_part(blocks, furniture, part, root)]
    lines = furniture.lines(root)
    return Located(
        elements=tuple(blocks.elements[row] for row in (*leads, root)),
        how="articleBody of JSON-LD" if aligned else _evidence(blocks, root),
        furniture={
            **{element: str(part) for element, part in lines.items() if part is not PagePart.CAPTION},
            **{blocks.elements[row]: why for row, why in inside},
        },
        captions={**dict(furniture.captions()), **{element: "caption" for element, part in lines.items() if part is PagePart.CAPTION}},
        comments=tuple(
            element
            for element, role in zip(blocks.elements, blocks.roles, strict=True)
            if role is not None and role.part is PagePart.COMMENTS and role.certain
        ),
        shape=partial(shape_of, blocks, furniture, aside),
    )


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


def _known(hints: Hints) -> str:
    return (hints.article_body or "")[:_LONGEST_KNOWN]


def _evidence(blocks: PageBlocks, root: int) -> str:
    element = blocks.elements[root]
    if "articleBody" in (element.get("itemprop") or ""):
        return "[itemprop=articleBody]"
    if blocks.is_part(root, PagePart.BODY):
        return "class or id"
    return f"<{element.tag}>" if element.tag in ("article", "main") else "text density"


def _recogniser(known: str) -> Callable[[str], bool]:
    """White space differs between a page and its JSON-LD, so it is left out."""
    squashed = "".join(known.split())
    return lambda text: "".join(text.split())[:_SAME] in squashed


def _headline(blocks: PageBlocks, headline: str | None) -> int | None:
    """The row of the article's headline: the heading that says what the metadata say, else the only `h1`."""
    wanted = letters_of(headline or "")
    is_short = 0 < len(wanted) <= _SHORTEST_HEADLINE
    alone: list[int] = []
    for row, tag in enumerate(blocks.tags):
        text = letters_of(short_text(blocks.elements[row], _LONGEST_HEADLINE) or "") if tag in _HEADINGS else ""
        if is_short and text == wanted:
            if _stands_above_the_text(blocks, row):
                return row
            is_short = False  # the next ones stand even farther down
        if len(text) > _SHORTEST_HEADLINE:
            if wanted.startswith(text):
                return row
            if tag == "h1":
                alone.append(row)
    return alone[0] if len(alone) == 1 else None


def _stands_above_the_text(blocks: PageBlocks, heading: int) -> bool:
    """Whether most of the page's text that is no link follows: a heading of one word can be that of a box beside the article."""
    plain = [flow - linked for flow, linked in zip(blocks.flow, blocks.linked, strict=True)]
    return 2 * sum(plain[heading + 1 :]) > sum(plain)


def _subtitle(blocks: PageBlocks, headline: int | None, known: Sequence[str]) -> int | None:
    """The row of the line below the headline, if the metadata have it: what they have not stays in the text."""
    row = blocks.ends[headline] if headline is not None and known else len(blocks)
    if headline is None or row >= len(blocks) or blocks.elements[row] is not subtitle_below(blocks.elements[headline]):
        return None
    text = letters_of(short_text(blocks.elements[row], LONGEST_SUBTITLE) or "")
    return row if text in map(letters_of, known) else None


def _is_whole(blocks: PageBlocks, root: int, known: int) -> bool:
    """Whether the known text is on the page, and is the article rather than its beginning."""
    if sum(blocks.known.values()) <= known / 2:
        return False
    plain = [blocks.flow[row] - blocks.linked[row] for row in (root, *blocks.below(root))]
    running: int = sum(length for length in plain if length >= _LEAD)
    return 2 * known > running


def _leads(blocks: PageBlocks, furniture: Furniture, headline: int | None, root: int, description: str) -> Iterator[int]:
    """Running text between headline and body, or what the page's description begins with; where no headline was found, only a long one."""
    around, whole = blocks.above(root), _widest(blocks, furniture, root)
    closed, named = set[int](), set[int]()
    for row in range(0 if headline is None else headline + 1, root):
        if row in around:
            continue
        no_lead = blocks.tags[row] in _NO_LEAD or blocks.is_part(row, PagePart.CAPTION)
        if no_lead or blocks.parents[row] in closed or furniture.reason(row, root):
            closed.add(row)
            continue
        if blocks.parents[row] == blocks.parents[whole] and _is_part_of(blocks, furniture, row, whole, with_lead=headline is not None):
            closed.add(row)
            yield row
            continue
        if blocks.is_part(row, PagePart.LEAD) or blocks.parents[row] in named:
            named.add(row)
        plain = blocks.flow[row] - blocks.linked[row]
        if plain < (_LEAD if headline is None else _NAMED_LEAD):
            continue
        told = blocks.is_part(row, PagePart.LEAD) or (row in named and plain >= _SENTENCE)
        leads = told or (plain >= _LEAD and row in blocks.has_stops)
        if (headline is not None and leads) or ((text := letters_of(blocks.openings.get(row, ""))) and description.startswith(text)):
            closed.add(row)
            yield row


def _widest(blocks: PageBlocks, furniture: Furniture, row: int) -> int:
    """The outermost block that holds the same text."""
    while row and furniture.characters(blocks.parents[row]) == furniture.characters(row):
        row = blocks.parents[row]
    return row


def _is_part_of(blocks: PageBlocks, furniture: Furniture, row: int, body: int, *, with_lead: bool = False) -> bool:
    """Whether a block beside the body is sentences of the same article.

    JSON-LD has them, names say that one of the two continues the other, or, `with_lead`, one of them is long enough for a lead.
    """
    if blocks.tags[row] not in _PARTS or furniture.is_mostly_links(row) or furniture.reason_inside(row, body):
        return False
    inside, (first, second) = range(row, blocks.ends[row]), sorted((row, body))
    names = f"{blocks.elements[second].get('class') or ''} {blocks.elements[second].get('id') or ''}"
    belongs = (
        not blocks.known.keys().isdisjoint(inside)
        or _CONTINUATION.search(names) is not None
        or (blocks.is_part(first, PagePart.LEAD) and blocks.is_part(second, PagePart.BODY))
        or (with_lead and any(one in blocks.has_stops and blocks.flow[one] - blocks.linked[one] >= _LEAD for one in inside))
    )
    return belongs and _SENTENCE_END.search(element_text(blocks.elements[row]).rstrip()) is not None


def _inside_part(blocks: PageBlocks, furniture: Furniture, part: int, root: int) -> Iterator[tuple[int, str]]:
    """The furniture below another part of the article than the root."""
    inside = {part}
    for row in blocks.below(part):
        if blocks.parents[row] in inside:
            if (why := furniture.reason_inside(row, root)) is not None:
                yield row, why
            else:
                inside.add(row)


def _known_below(blocks: PageBlocks) -> list[float]:
    """For each row the characters in it and below it that JSON-LD has of the article."""
    return blocks.summed([blocks.known.get(row, 0) for row in range(len(blocks))]) if blocks.known else [0.0] * len(blocks)


def _inside(blocks: PageBlocks, furniture: Furniture, root: int, headline: int | None, hints: Hints) -> Iterator[tuple[int, str]]:
    """The furniture below the root, outermost first; what JSON-LD has of the article is none. No box is said twice."""
    known = _known_below(blocks)
    boxes, said = boxes_below(blocks, root), set[str]()
    alike = Counter[int | None](boxes.values())
    inside, items, has_begun = {root}, set[int](), False
    authors, filed = list(map(words_of, hints.authors)), set(words_of(" ".join(hints.filed_under)))
    sign: int | None = None
    for row in blocks.below(root):
        if blocks.parents[row] in inside:
            why = "headline" if row == headline else furniture.reason_inside(row, root)
            is_line = 0 < furniture.characters(row) <= LONGEST_LINE and len(blocks.below(row)) <= _MOST_IN_A_LINE
            if why is None and is_line and not has_begun and is_byline(blocks.elements[row], authors, filed):
                why = "byline"
            has_begun = has_begun or (why is None and blocks.flow[row] - blocks.linked[row] >= _PARAGRAPH)
            if why is not None and not known[row]:
                yield row, why
                if sign is not None and blocks.elements[sign].getnext() is blocks.elements[row]:
                    yield sign, why
                continue
            text = squeeze(element_text(blocks.elements[row])) if alike[boxes.get(row)] > 1 else ""
            if text in said and blocks.parents[row] not in items:
                yield row, "said before"
            else:
                inside.add(row)
                sign = row if furniture.is_sign_of_others(row) else None
                if text:
                    said.add(text)
                if blocks.tags[row] == "li" or blocks.parents[row] in items:
                    items.add(row)
