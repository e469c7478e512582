"""What below the element that holds an article's text is none of the article: furniture, bylines, topics,
and what is said twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import LabellerFile
from webarticlecurator.extraction.body.bylines import LONGEST_BYLINE, Bylines
from webarticlecurator.extraction.body.furniture import RELATED, Furniture
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.labelling.element_names import LinkKind, PagePart, link_kind
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import relations
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS, folded, squeeze

PARAGRAPH = 80
"""Characters of a text that is running text anyway."""
_LEAST_LEFT = 0.1
"""Share of a body that is more than links: where less is, the page is for its links."""
_SEVERAL_LISTS = 3
"""Lists of links with text behind each: where there are so many, the page is for its links."""
_ADDRESS = linear(r"e-?mail", re.IGNORECASE)
_BOXES = frozenset(("article", "aside", "div", "header", "section"))
_LITTLE = 500
"""Characters of running text beside which lists of links and cards may be what the page is for; and of a box
around a form."""
_BESIDE_LINKS = 20
"""Characters beside the links in a line of topics ("Filed under:")."""
_BUTTON = 30
"""Characters of a button ("Check price at ...")."""
_LINES_OF_BOX = 3
"""Lines of a box that may be said twice: shorter ones say the same by chance."""
_TEXT_OF_BOX = 100
"""Characters beside links of a box that may be said twice."""
_SAID_BEFORE = "said before"


def left_out_of(
    furniture: Furniture, root: int, headline: int, metadata: Metadata, labeller: bool | LabellerFile, *, is_of_links: bool
) -> dict[int, str]:
    """Return the rows below the root that are none of the article's, outermost first, each with the reason."""
    blocks = furniture.blocks
    inside = _inside(furniture, root, headline, metadata)
    if labeller:
        inside = _with_doubted(blocks, root, inside, labeller)
    if is_of_links or _has_little_else(furniture, inside, root):
        inside = _without(inside, [row for row, why in inside.items() if furniture.is_of_links(row, why)])
    lists = [row for row, why in inside.items() if why == Furniture.LINKS and _is_amid_text(blocks, row, inside)]
    if len(lists) >= _SEVERAL_LISTS:
        inside = _without(inside, lists)
    return dict.fromkeys(_heads_alone(furniture, inside), Furniture.LINKS) | inside


def _without(inside: Mapping[int, str], rows: Collection[int]) -> dict[int, str]:
    return {row: why for row, why in inside.items() if row not in rows}


def _has_little_else(furniture: Furniture, inside: Collection[int], root: int) -> bool:
    """Return True if little is left of a body without what is left out: then lists of links and cards are
    what it is about."""
    blocks = furniture.blocks
    characters, left = blocks.characters[root], _left_of(blocks.characters, inside, root)
    is_short = _left_of(furniture.prose, inside, root) < _LITTLE and 2 * left < characters
    return left < _LEAST_LEFT * characters or (is_short and blocks.tags[root] not in ("body", "html"))


def _left_of(values: Sequence[float], inside: Collection[int], root: int) -> float:
    return values[root] - sum(map(values.__getitem__, inside))


def _is_amid_text(blocks: PageBlocks, row: int, inside: Collection[int]) -> bool:
    """Return True for a list, or a box around one and nothing else, with text behind it."""
    behind = next(blocks.behind(row), None)
    return behind is not None and behind not in inside and _is_list(blocks, row)


def _is_list(blocks: PageBlocks, row: int) -> bool:
    while blocks.tags[row] == "div":
        inner = list(blocks.inside(row))
        if len(inner) != 1:
            return False
        row = inner[0]
    return blocks.tags[row] in ("ol", "ul")


def _heads_alone(furniture: Furniture, inside: Mapping[int, str]) -> Iterator[int]:
    """Yield the headings before links that are left out, of which nothing else is left."""
    blocks = furniture.blocks
    for row in (row for row, why in inside.items() if why in (Furniture.LINKS, RELATED)):
        head = blocks.before(row)
        if head is not None and blocks.tags[head] in HEADINGS and _is_section_empty(blocks, blocks.tags[head], row, inside):
            yield head


def _is_section_empty(blocks: PageBlocks, level: str, row: int, inside: Collection[int]) -> bool:
    """Return True if no text stands behind a row, up to the next heading of a level."""
    left = next((other for other in blocks.behind(row) if other not in inside), None)
    return left is None or (blocks.tags[left] in HEADINGS and blocks.tags[left] <= level)


# --- block by block ---


def _inside(furniture: Furniture, root: int, headline: int, metadata: Metadata) -> dict[int, str]:
    """Return the furniture below the root, outermost first."""
    return furniture.blocks.outermost(furniture.blocks.below(root), _BlocksOfBody(furniture, root, headline, metadata).reason)


class _BlocksOfBody:
    """Judges the blocks of a body, asked for in page order."""

    def __init__(self, furniture: Furniture, root: int, headline: int, metadata: Metadata) -> None:
        self._furniture, self._root, self._headline = furniture, root, headline
        self._blocks = furniture.blocks
        self._bylines = Bylines(metadata)
        self._topics = frozenset(folded(topic.value) for topic in metadata.get("keywords", ()))
        self._around_fields = frozenset(_around_fields(furniture, root))
        self._known = set().union(*map(self._blocks.above, self._blocks.known))
        """The rows with text of the article that its data tell."""
        self._sizes = _sizes_of_boxes(self._blocks, root)
        """The boxes that may be said twice, by what they hold."""
        self._alike = Counter(self._sizes.values())
        self._said: set[str] = set()
        self._has_begun = False
        """True behind the first paragraph of the article."""

    def reason(self, row: int) -> str | None:
        """Return why a block is none of the article's; None if it may be one."""
        why = self._sign_in(row)
        if why is None:
            is_paragraph = self._blocks.plain[row] >= PARAGRAPH and not self._blocks.is_part(row, PagePart.LEAD)
            self._has_begun = self._has_begun or is_paragraph
        if why is not None and row not in self._known and not (why == Furniture.LINKS and _is_section(self._furniture, row)):
            return why
        return self._said_before(row)

    def _sign_in(self, row: int) -> str | None:
        if row == self._headline:
            return "headline"
        why = self._furniture.reason_inside(row, self._root)
        if why is None:
            signs = _SIGNS_OF_LINKED if self._is_linked(row) else _SIGNS
            for reason, holds in signs.items():
                if holds(self, row):
                    return reason
        return why

    def is_byline(self, row: int) -> bool:
        """Return True for the line of author and date, before the article begins."""
        is_short = not self._has_begun and 0 < self._blocks.characters[row] <= LONGEST_BYLINE
        return is_short and self._bylines.is_byline(self._blocks.elements[row])

    def is_button(self, row: int) -> bool:
        """Return True if all of it stands in a link: "Check price at ..."."""
        return self._blocks.characters[row] <= _BUTTON and self._blocks.tags[row] not in HEADINGS and not self._blocks.inner(row, "a")

    def is_line_of_topics(self, row: int) -> bool:
        """Return True if it has hardly any text beside links that are topics of the article: "Filed under:"."""
        links = self._blocks.outline.rows_in(self._blocks.rows[row], "a")
        return bool(links) and all(map(self._is_topic, links))

    def is_around_field(self, row: int) -> bool:
        """Return True for the box of a field for a reader's address: whoever asks for one has something to
        send."""
        return row in self._around_fields

    def _is_linked(self, row: int) -> bool:
        return 0 < self._blocks.links[row] >= self._blocks.characters[row] - _BESIDE_LINKS

    def _is_topic(self, outlined: int) -> bool:
        """Return True if a link has a topic of the article, and leads to the list of its articles."""
        link = self._blocks.outline.elements[outlined]
        text = squeeze(self._blocks.outline.text(outlined))
        leads_to_topic = "tag" in relations(link) or link_kind(link.get("href", "")) is LinkKind.TOPIC
        return folded(text) in self._topics and leads_to_topic

    def _said_before(self, row: int) -> str | None:
        if self._alike[self._sizes.get(row, (0, 0))] < 2:
            return None
        text = squeeze(self._blocks.text(row))
        is_in_list = any(self._blocks.tags[above] == "li" for above in self._blocks.above(row))
        if text in self._said and not is_in_list:
            return _SAID_BEFORE
        self._said.add(text)
        return None


_SIGNS: dict[str, Callable[[_BlocksOfBody, int], bool]] = {
    "byline": _BlocksOfBody.is_byline,
    str(PagePart.NEWSLETTER): _BlocksOfBody.is_around_field,
}
"""Signs beside those of furniture, in the order in which they are asked."""
_SIGNS_OF_LINKED: dict[str, Callable[[_BlocksOfBody, int], bool]] = {
    "byline": _BlocksOfBody.is_byline,
    Furniture.LINKS: _BlocksOfBody.is_button,
    str(PagePart.TOPICS): _BlocksOfBody.is_line_of_topics,
    str(PagePart.NEWSLETTER): _BlocksOfBody.is_around_field,
}
"""Signs of blocks that have hardly any text beside links."""


def _is_section(furniture: Furniture, row: int) -> bool:
    """Return True for a box with text in it, although it is mostly links: lists of links amid text."""
    return furniture.blocks.tags[row] in _BOXES and furniture.prose[row] > PARAGRAPH


def _sizes_of_boxes(blocks: PageBlocks, root: int) -> dict[int, tuple[float, float]]:
    """Return how many characters and links the boxes below a row hold that may be said twice."""
    lines = blocks.summed([flow > 0 for flow in blocks.flow])
    boxes = (row for row in blocks.tagged(*_BOXES) if row in blocks.below(root) and lines[row] >= _LINES_OF_BOX)
    return {row: (blocks.characters[row], blocks.links[row]) for row in boxes if _may_be_said_twice(blocks, row)}


def _may_be_said_twice(blocks: PageBlocks, row: int) -> bool:
    """Return True for a box with text and without code that says more than any in it."""
    characters = blocks.characters[row]
    is_long = characters - blocks.links[row] >= _TEXT_OF_BOX and characters != blocks.characters[blocks.parents[row]]
    return is_long and not blocks.inner(row, "pre")


def _around_fields(furniture: Furniture, root: int) -> Iterator[int]:
    """Yield the largest boxes of little text around fields for a reader's address."""
    blocks, outline = furniture.blocks, furniture.blocks.outline
    for field in outline.rows_in(blocks.rows[root], "input"):
        if _asks_for_address(outline.elements[field]):
            box, largest = max(map(blocks.of.__getitem__, outline.around(field))), root
            while box > root and blocks.characters[box] <= _LITTLE and 2 * furniture.prose[box] <= furniture.prose[root]:
                box, largest = blocks.parents[box], box
            yield largest


def _asks_for_address(field: Element) -> bool:
    names = f"{field.get('name')} {field.get('placeholder')}"
    return field.get("type") in ("email", "tel") or _ADDRESS.search(names) is not None


# --- what the general labeller says, where a portal asks it: it decides nothing alone ---

_DOUBTFUL = 0.1
"""A block is furniture if no text in it is taken for main text by more than this."""
_AGREED = 0.6
"""So much of a body must be main text to the labeller: else it and the finder mean different things."""


def _with_doubted(blocks: PageBlocks, root: int, inside: dict[int, str], labeller: bool | LabellerFile) -> dict[int, str]:
    """Return the furniture with the outermost blocks of which no text is taken for main text."""
    # numpy is loaded only where this is wanted
    from webarticlecurator.labelling.labeller import GENERAL, labeller_in
    from webarticlecurator.labelling.text_blocks import text_blocks

    texts = text_blocks(blocks.elements[0])
    shares = labeller_in(labeller.path if isinstance(labeller, LabellerFile) else GENERAL).shares(texts) or ()
    rows = {element: row for row, element in enumerate(blocks.elements)}
    main, characters, surest = [0.0] * len(blocks), [0] * len(blocks), [-1.0] * len(blocks)
    for text, share in zip(texts, shares, strict=False):
        row = rows.get(text.element)
        if row is not None:
            main[row] += share * len(text.text)
            characters[row] += len(text.text)
            surest[row] = max(surest[row], share)
    for row in range(len(blocks) - 1, 0, -1):
        surest[blocks.parents[row]] = max(surest[blocks.parents[row]], surest[row])
    if blocks.summed(main)[root] < _AGREED * max(blocks.summed(characters)[root], 1):
        return inside
    doubted = (row for row in blocks.below(root) if 0 <= surest[row] < _DOUBTFUL)
    reasons = dict.fromkeys(doubted, "no main text, says the labeller") | inside
    return blocks.outermost(sorted(reasons), reasons.get)
