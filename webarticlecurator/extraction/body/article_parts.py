"""Blocks below the element of an article's text that are none of the article: furniture, bylines, topics,
and what is said twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.article_rules import LabellerFile
from webarticlecurator.extraction.body.bylines import LONGEST_BYLINE, Bylines
from webarticlecurator.extraction.body.furniture import (
    BY_WORDS,
    BY_WORDS_OF_LINKS,
    RELATED,
    Furniture,
    JudgedBlock,
    is_sign_of_others,
)
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import Sign, all_hold, constantly, reason_by
from webarticlecurator.extraction.body.text_end import left_out_of_rest
from webarticlecurator.labelling.element_names import LinkKind, PagePart, link_kind
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import relations
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS, folded, squeeze
from webarticlecurator.urls import is_http

PARAGRAPH = 80
"""Characters of a text that is running text anyway."""
_LEAST_LEFT = 0.1
"""Share of a body that is more than links: where less is, the page is for its links."""
_SEVERAL_LISTS = 3
"""Lists of links with text behind each: where there are so many, the page is for its links."""
_SENTENCE = 30
"""Characters of a sentence."""
_COLONS = (":", "：")
_ADDRESS = linear(r"e-?mail", re.IGNORECASE)
_CALLS = ("a", "button")
"""Elements that take readers elsewhere."""
_BOXES = frozenset(("article", "aside", "div", "header", "section"))
_LITTLE = 500
"""Characters of running text beside which lists of links and cards may be what the page is for; and of a box
around a form."""
_TITLE_OF_CONTENTS = 40
"""Characters beside the links of a list of contents: its title, and a button."""
_BESIDE_LINKS = 20
"""Characters beside the links in a line of topics ("Filed under:")."""
_BUTTON = 30
"""Characters of a button ("Check price at ...")."""
_LONGEST_CALL = 300
"""Characters of a box that calls for something."""
_LONGEST_WORDS_OF_CALL = 45
"""Characters of the link or the button with which such a box ends."""
_FEW = 2
"""Boxes of one make, or links of the same words, that are no list."""
_LINES_OF_BOX = 3
"""Lines of a box that may be said twice: shorter ones say the same by chance."""
_TEXT_OF_BOX = 100
"""Characters beside links of a box that may be said twice."""
_LONG_LINE = 200
"""Characters of a paragraph that stands twice, one right behind the other, for readers with other screens."""
_SAID_BEFORE = "said before"


def left_out_of(
    furniture: Furniture,
    root: int,
    headline: int,
    metadata: Metadata,
    labeller: bool | LabellerFile,
    *,
    is_of_links: bool,
    host: str,
) -> dict[int, str]:
    """Return the rows below the root that are none of the article's, outermost first, each with the
    reason. `host` is that of the page."""
    blocks = furniture.blocks
    judged = partial(_judged, furniture, root, headline, metadata, labeller)
    inside = judged(is_of_links=is_of_links)
    if not is_of_links and reason_by(_SIGNS_OF_LITTLE, _Rest(furniture, root, inside)):
        inside = judged(is_of_links=True)
    of_author = _lists_of_author(blocks, inside, host)
    inside = {row: why for row, why in inside.items() if row not in of_author}
    return inside | dict(left_out_of_rest(furniture, root, metadata, inside, is_of_links=is_of_links))


def _judged(
    furniture: Furniture,
    root: int,
    headline: int,
    metadata: Metadata,
    labeller: bool | LabellerFile,
    *,
    is_of_links: bool,
) -> dict[int, str]:
    """Return the rows below the root that names, size and words, or the labeller, speak against."""
    inside = _inside(furniture, root, headline, metadata, is_of_links=is_of_links)
    if labeller:
        inside = _with_doubted(furniture.blocks, root, inside, labeller)
    if not is_of_links:
        return inside
    return {row: why for row, why in inside.items() if not furniture.is_of_links(row, why)}


class _Rest(NamedTuple):
    """A body without what is left out of it."""

    furniture: Furniture
    root: int
    inside: Collection[int]
    """The rows that are left out."""

    def left_of(self, values: Sequence[float]) -> float:
        return values[self.root] - sum(map(values.__getitem__, self.inside))

    def is_hardly_anything(self) -> bool:
        characters = self.furniture.blocks.characters
        return self.left_of(characters) < _LEAST_LEFT * characters[self.root]

    def is_less_than_half(self) -> bool:
        characters = self.furniture.blocks.characters
        return 2 * self.left_of(characters) < characters[self.root]

    def is_little_running_text(self) -> bool:
        return self.left_of(self.furniture.prose) < _LITTLE

    def is_no_whole_page(self) -> bool:
        return self.furniture.blocks.tags[self.root] not in ("body", "html")


_SIGNS_OF_LITTLE: tuple[Sign[_Rest], ...] = (
    Sign(constantly("hardly anything is left"), (_Rest.is_hardly_anything,)),
    Sign(
        constantly("little running text is left"),
        (_Rest.is_less_than_half, _Rest.is_little_running_text, _Rest.is_no_whole_page),
    ),
)
"""Signs that lists of links and cards are what a body is about."""


def _lists_of_author(blocks: PageBlocks, inside: Mapping[int, str], host: str) -> set[int]:
    """Return the lists of links that would be left out, though they are the author's."""
    lists = [row for row, why in inside.items() if why == Furniture.LINKS and _is_list(blocks, row)]
    amid_text = {row for row in lists if next(blocks.behind(row), -1) not in (-1, *inside)}
    if len(amid_text) < _SEVERAL_LISTS:
        amid_text = set()
    alone = (row for row in lists if reason_by(LISTS_OF_AUTHOR.values(), _ListOfLinks(blocks, row, host)))
    return amid_text.union(alone)


class _ListOfLinks(NamedTuple):
    """A list of links in a body, or a box around one."""

    blocks: PageBlocks
    row: int
    host: str
    """The host of the page."""

    @property
    def addresses(self) -> list[str]:
        return [link.get("href", "") for link in self.blocks.inner(self.row, "a")]

    def has_several_links(self) -> bool:
        return len(self.addresses) > 1

    def leads_elsewhere(self) -> bool:
        """Return True for references and reading lists: most links lead to other sites."""
        addresses = self.addresses
        # those who share an article name it in the address
        elsewhere = [address for address in addresses if is_http(address) and self.host not in address]
        return 2 * len(elsewhere) > len(addresses)

    @property
    def before(self) -> int:
        """The row with text before it; the body's own where it is the first."""
        return self.blocks.before(self.row) or self.blocks.parents[self.row]

    def is_under_heading(self) -> bool:
        return self.blocks.tags[self.before] in HEADINGS

    def is_under_paragraph(self) -> bool:
        return self.blocks.tags[self.before] == "p"

    def is_announced(self) -> bool:
        """Return True if what stands before it ends as words that say that it follows."""
        return squeeze(self.blocks.text(self.before)).endswith(_COLONS)

    def is_under_sentence(self) -> bool:
        return self.blocks.characters[self.before] >= _SENTENCE

    def says_nothing_of_others(self) -> bool:
        """Return True if what stands before it is no sign of other articles."""
        return not is_sign_of_others(self.blocks.text(self.before).strip())

    def is_before_paragraph(self) -> bool:
        return self.blocks.tags[next(self.blocks.behind(self.row), self.row)] == "p"


LISTS_OF_AUTHOR: dict[str, Sign[_ListOfLinks]] = {
    "elsewhere": Sign(
        constantly("its links lead to other sites"),
        (_ListOfLinks.has_several_links, _ListOfLinks.leads_elsewhere),
    ),
    "announced": Sign(
        constantly("the sentence before it announces it"),
        (
            _ListOfLinks.has_several_links,
            _ListOfLinks.is_under_paragraph,
            _ListOfLinks.is_under_sentence,
            _ListOfLinks.is_announced,
        ),
    ),
    "under a heading": Sign(
        constantly("it stands under a heading of the text"),
        (
            _ListOfLinks.has_several_links,
            _ListOfLinks.is_under_heading,
            _ListOfLinks.is_before_paragraph,
            _ListOfLinks.says_nothing_of_others,
        ),
    ),
}
"""Signs that a list of links is the author's."""


def _is_list(blocks: PageBlocks, row: int) -> bool:
    """Return True for a list, or a box around one and nothing else."""
    inner = [row]
    while len(inner) == 1 and blocks.tags[inner[0]] == "div":
        inner = list(blocks.inside(inner[0]))
    return [blocks.tags[only] for only in inner] in (["ol"], ["ul"])


# --- block by block ---


def _inside(
    furniture: Furniture, root: int, headline: int, metadata: Metadata, *, is_of_links: bool
) -> dict[int, str]:
    """Return the furniture below the root, outermost first."""
    body = _Body(furniture, root, headline, metadata, is_of_links=is_of_links)
    blocks = furniture.blocks
    return blocks.outermost(filter(blocks.with_text.__contains__, blocks.below(root)), body.reason)


class _Body:
    """Judges the blocks of a body, asked for in page order."""

    def __init__(
        self, furniture: Furniture, root: int, headline: int, metadata: Metadata, *, is_of_links: bool
    ) -> None:
        self.furniture, self.root, self.headline = furniture, root, headline
        self.is_of_links = is_of_links
        self.blocks = furniture.blocks
        self.bylines = Bylines(metadata)
        self.topics = frozenset(folded(topic.value) for topic in metadata.get("keywords", ()))
        self.around_fields = frozenset(_around_fields(furniture, root))
        first, of_links = SIGNS.values(), SIGNS_OF_LINKS.values()
        self._signs_of_text: list[Sign[Any]] = [*first, *BY_WORDS.values(), BYLINE, FIELD, CALL]
        """Signs that a block without links is none of the article's, in the order in which they are asked."""
        self._signs_of_links: list[Sign[Any]] = [
            *first,
            *BY_WORDS_OF_LINKS.values(),
            BYLINE,
            *of_links,
            FIELD,
            CALL,
        ]
        """Signs that a block with links is none of the article's."""
        self._known = set().union(*map(self.blocks.above, self.blocks.known))
        """The rows with text of the article that its data tell."""
        self._sizes = _sizes_of_boxes(self.blocks, root)
        """The boxes that may be said twice, by what they hold."""
        times = Counter(self._sizes.values())
        self._alike = {row for row, size in self._sizes.items() if times[size] > 1}
        """The boxes that hold as much as another one."""
        self._said: set[str] = set()
        self.paragraphs: list[int] = []
        """The first paragraph of the article that was looked at, and all texts behind it, by their rows."""
        self._least = PARAGRAPH
        """Characters of the next one of them."""

    @cached_property
    def classes(self) -> Counter[str | None]:
        """How often each class attribute stands on the page."""
        return Counter(self.blocks.outline.attribute("class"))

    @cached_property
    def words_of_calls(self) -> Counter[str]:
        """How often links and buttons of the body, those of few words, have the same."""
        outline = self.blocks.outline
        calls = outline.rows_in(self.blocks.rows[self.root], *_CALLS)
        return Counter(self.words_of(row) for row in calls if outline.length(row) <= _LONGEST_WORDS_OF_CALL)

    def words_of(self, outlined: int) -> str:
        """Return the text of a row of the outline in small letters."""
        return squeeze(self.blocks.outline.text(outlined)).casefold()

    def reason(self, row: int) -> str | None:
        """Return why a block is none of the article's; None if it may be one."""
        signs = self._signs_of_links if self.blocks.links[row] else self._signs_of_text
        why = reason_by(signs, _BlockOfBody(self, row))
        if why is not None and not self._is_text_all_the_same(row, why):
            return why
        if self.blocks.plain[row] >= self._least:
            self.paragraphs.append(row)
            self._least = 1
        return self._said_before(row)

    def _is_text_all_the_same(self, row: int, why: str) -> bool:
        return row in self._known or (why == Furniture.LINKS and _is_section(self.furniture, row))

    def _said_before(self, row: int) -> str | None:
        if row not in self._alike:
            return None
        text = squeeze(self.blocks.text(row))
        item = next(self.blocks.elements[row].iterancestors("li"), None)
        is_said = text in self._said and item is None
        if is_said and (self._sizes[row].lines >= _LINES_OF_BOX or self._is_said_right_before(row, text)):
            return _SAID_BEFORE
        self._said.add(text)
        return None

    def _is_said_right_before(self, row: int, text: str) -> bool:
        before = self.blocks.before(row) if len(text) >= _LONG_LINE else None
        return before is not None and squeeze(self.blocks.text(before)) == text


class _BlockOfBody(JudgedBlock):
    """A block of a body, with what signs ask of it there."""

    __slots__ = ("body",)

    def __init__(self, body: _Body, row: int) -> None:
        super().__init__(body.furniture, row, body.root)
        self.body = body

    def is_headline(self) -> bool:
        return self.row == self.body.headline

    def is_over_headline(self) -> bool:
        return self.blocks.ends[self.row] <= self.body.headline

    def is_before_paragraphs(self) -> bool:
        return not self.body.paragraphs

    def is_shorter_than_paragraph(self) -> bool:
        return 0 < self.characters < PARAGRAPH

    def is_no_sentence(self) -> bool:
        return self.prose < _SENTENCE

    def has_no_picture(self) -> bool:
        return not self._pictures()

    def is_before_second_text(self) -> bool:
        return len(self.body.paragraphs) < _FEW

    def stands_beside_first_paragraph(self) -> bool:
        """Return True if the first paragraph, which may be a lead, stands in the box around it, or is still
        to come."""
        first = next(iter(self.body.paragraphs), self.row)
        around = self.blocks.parents[self.row]
        return 0 <= around <= first < self.blocks.ends[around]

    def is_line(self) -> bool:
        return 0 < self.characters <= LONGEST_BYLINE

    def is_byline(self) -> bool:
        """Return True for the line of author and date."""
        text = self.blocks.outline.label(self.blocks.rows[self.row], LONGEST_BYLINE)
        return self.body.bylines.is_byline(self.element, text)

    def is_all_but_linked(self) -> bool:
        """Return True if it has hardly any text beside links."""
        return 0 < self.links >= self.characters - _BESIDE_LINKS

    def is_amid_text(self) -> bool:
        return not self.body.is_of_links

    def is_button_long(self) -> bool:
        return self.characters <= _BUTTON

    def stands_in_link(self) -> bool:
        return not self.blocks.inner(self.row, "a")

    def holds_links(self) -> bool:
        return not self.stands_in_link()

    def leads_to_topics(self) -> bool:
        """Return True if all its links are topics of the article: "Filed under:"."""
        return all(map(self._is_topic, self.blocks.outline.rows_in(self.blocks.rows[self.row], "a")))

    def _is_topic(self, outlined: int) -> bool:
        """Return True if a link has a topic of the article, and leads to the list of its articles."""
        link = self.blocks.outline.elements[outlined]
        text = squeeze(self.blocks.outline.text(outlined))
        leads_to_topic = "tag" in relations(link) or link_kind(link.get("href", "")) is LinkKind.TOPIC
        return folded(text) in self.body.topics and leads_to_topic

    def is_box(self) -> bool:
        return self.tag in _BOXES

    def holds_list(self) -> bool:
        return len(self.blocks.inner(self.row, "nav", "ol", "ul")) > 0

    def has_title_beside_links(self) -> bool:
        return self.characters - self.links <= _TITLE_OF_CONTENTS

    def leads_within_page(self) -> bool:
        """Return True if it has several links, and all lead to places of the page."""
        written = [link.get("href", "") for link in self.blocks.inner(self.row, "a")]
        return len(written) > 1 and all(href.startswith("#") for href in written)

    def is_around_field(self) -> bool:
        """Return True for the box of a field for a reader's address: whoever asks for one has something to
        send."""
        return self.row in self.body.around_fields

    # --- a call: a few words, and at their end a link or a button that stands by itself ---

    def fits_call(self) -> bool:
        return 0 < self.characters <= _LONGEST_CALL

    def is_in_no_list(self) -> bool:
        return next(self.element.iterancestors("li", "table", "pre"), None) is None

    @property
    def call(self) -> int:
        """The last link or button in it, by its row of the outline; its own row where there is none."""
        row = self.blocks.rows[self.row]
        return max(self.blocks.outline.rows_in(row, *_CALLS), default=row)

    def has_call(self) -> bool:
        return self.call > self.blocks.rows[self.row]

    def ends_with_call(self) -> bool:
        strings_in = self.blocks.outline.strings_in
        return strings_in(self.call).stop == strings_in(self.blocks.rows[self.row]).stop

    def has_call_of_few_words(self) -> bool:
        return 0 < self.blocks.outline.length(self.call) <= _LONGEST_WORDS_OF_CALL

    def has_call_by_itself(self) -> bool:
        """Return True if there is no text beside the link; what buttons say is none."""
        holder = self.blocks.of[self.call]
        return holder < 0 or self.blocks.plain[holder] <= _FEW

    def leads_to_one_page(self) -> bool:
        return len({link.get("href") for link in self.blocks.inner(self.row, "a")}) < _FEW

    def leads_off_page(self) -> bool:
        return not self._href.startswith("#")

    def is_made_as_few_others(self) -> bool:
        """Return True if hardly another element of the page has its class: it is no item of a list."""
        return self.body.classes[self.element.get("class", "")] <= _FEW

    def has_words_of_few(self) -> bool:
        """Return True if hardly another call has the same words, as those of cards in a list have."""
        return self.body.words_of_calls[self.body.words_of(self.call)] <= _FEW


SIGNS: dict[str, Sign[_BlockOfBody]] = {
    "headline": Sign(constantly("headline"), (_BlockOfBody.is_headline,)),
    # the name of a section, the way to it, "Share"
    "above the headline": Sign(
        constantly("above the headline"),
        (
            _BlockOfBody.is_over_headline,
            _BlockOfBody.is_before_paragraphs,
            _BlockOfBody.is_shorter_than_paragraph,
            _BlockOfBody.is_no_sentence,
            _BlockOfBody.has_no_picture,
        ),
    ),
    "furniture": Sign(JudgedBlock.reason_on_page, ()),
    # what stands in it beside its list, such as "Table of contents" and a button, goes with that
    "contents": Sign(
        constantly(str(PagePart.NAVIGATION)),
        (
            _BlockOfBody.is_box,
            _BlockOfBody.holds_list,
            _BlockOfBody.has_title_beside_links,
            _BlockOfBody.leads_within_page,
        ),
    ),
}
"""Signs of any block, before those of lines and boxes by their words."""
SIGNS_OF_LINKS: dict[str, Sign[_BlockOfBody]] = {
    # "Check price at ..."
    "button": Sign(
        constantly(Furniture.LINKS),
        (
            _BlockOfBody.is_all_but_linked,
            _BlockOfBody.is_button_long,
            _BlockOfBody.is_no_heading,
            _BlockOfBody.stands_in_link,
        ),
    ),
    # a headline that leads to another article, and some words of that
    "teaser": Sign(
        constantly(RELATED),
        (
            _BlockOfBody.is_amid_text,
            _BlockOfBody.is_named_related,
            _BlockOfBody.has_some_links,
            _BlockOfBody.is_small,
            _BlockOfBody.has_linked_headings_alone,
        ),
    ),
    "topics": Sign(
        constantly(str(PagePart.TOPICS)),
        (_BlockOfBody.is_all_but_linked, _BlockOfBody.holds_links, _BlockOfBody.leads_to_topics),
    ),
}
"""Signs of blocks with links."""
LINE_OF_AUTHOR = "byline"
"""The reason by which a line of an author and a day is none of a text."""
BYLINE: Sign[_BlockOfBody] = Sign(
    constantly(LINE_OF_AUTHOR),
    (
        _BlockOfBody.is_before_second_text,
        _BlockOfBody.is_line,
        _BlockOfBody.stands_beside_first_paragraph,
        _BlockOfBody.is_byline,
    ),
)
FIELD: Sign[_BlockOfBody] = Sign(constantly(str(PagePart.NEWSLETTER)), (_BlockOfBody.is_around_field,))

CALL: Sign[_BlockOfBody] = Sign(
    constantly("call"),
    (
        _BlockOfBody.is_box,
        _BlockOfBody.fits_call,
        _BlockOfBody.is_hardly_linked,
        _BlockOfBody.has_call,
        _BlockOfBody.ends_with_call,
        _BlockOfBody.has_call_of_few_words,
        _BlockOfBody.has_call_by_itself,
        _BlockOfBody.is_in_no_list,
        _BlockOfBody.leads_to_one_page,
        _BlockOfBody.leads_off_page,
        _BlockOfBody.is_made_as_few_others,
        _BlockOfBody.has_words_of_few,
    ),
)
"""Sign of a box that asks readers to go elsewhere: to sign up, to buy, to read another article."""


def _is_section(furniture: Furniture, row: int) -> bool:
    """Return True for a box with text in it, although it is mostly links: lists of links amid text."""
    return furniture.blocks.tags[row] in _BOXES and furniture.prose[row] > PARAGRAPH


class _Size(NamedTuple):
    """The text of a box that may be said twice."""

    characters: float
    links: float
    lines: float


def _sizes_of_boxes(blocks: PageBlocks, root: int) -> dict[int, _Size]:
    """Return the boxes and long paragraphs below a row that may be said twice, each with its size."""
    lines = blocks.summed([flow > 0 for flow in blocks.flow])
    boxes = blocks.with_text.intersection(blocks.below(root), blocks.tagged(*_BOXES, "p"))
    characters = blocks.characters
    long_ones = [row for row in boxes if characters[row] - blocks.links[row] >= _TEXT_OF_BOX]
    telling = [row for row in long_ones if all_hold(_SIGNS_OF_REPEATED, _Box(blocks, row))]
    return {row: _Size(characters[row], blocks.links[row], lines[row]) for row in telling}


class _Box(NamedTuple):
    """A box or a paragraph that may be said twice."""

    blocks: PageBlocks
    row: int

    def says_less_than_around(self) -> bool:
        """Return False for a box that is all of the box around it, which is looked at itself."""
        return self.blocks.characters[self.row] < self.blocks.characters[self.blocks.parents[self.row]]

    def holds_no_code(self) -> bool:
        return not self.blocks.inner(self.row, "pre")


_SIGNS_OF_REPEATED = (_Box.says_less_than_around, _Box.holds_no_code)


def _around_fields(furniture: Furniture, root: int) -> Iterator[int]:
    """Yield the largest boxes of little text around fields for a reader's address."""
    blocks, outline = furniture.blocks, furniture.blocks.outline
    for field in outline.rows_in(blocks.rows[root], "input"):
        if _asks_for_address(outline.elements[field]):
            box, largest = max(map(blocks.of.__getitem__, outline.around(field))), root
            while box > root and _holds_little(furniture, box, root):
                box, largest = blocks.parents[box], box
            yield largest


def _holds_little(furniture: Furniture, box: int, root: int) -> bool:
    is_short = furniture.blocks.characters[box] <= _LITTLE
    return is_short and 2 * furniture.prose[box] <= furniture.prose[root]


def _asks_for_address(field: Element) -> bool:
    names = f"{field.get('name')} {field.get('placeholder')}"
    return field.get("type") in ("email", "tel") or _ADDRESS.search(names) is not None


# --- what the general labeller says, where a portal asks it: it decides nothing alone ---

_DOUBTFUL = 0.1
"""A block is furniture if no text in it is taken for main text by more than this."""
_AGREED = 0.6
"""So much of a body must be main text to the labeller: else it and the finder mean different things."""


def _with_doubted(
    blocks: PageBlocks,
    root: int,
    inside: dict[int, str],
    labeller: bool | LabellerFile,
) -> dict[int, str]:
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
