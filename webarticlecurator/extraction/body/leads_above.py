"""The headline of a page, and the leads between it and the body: paragraphs, short titles, lists of
sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import dropwhile, islice, pairwise, takewhile
from typing import NamedTuple

from webarticlecurator.extraction.body.article_parts import PARAGRAPH
from webarticlecurator.extraction.body.bylines import Bylines
from webarticlecurator.extraction.body.furniture import Furniture, JudgedBlock
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import Sign, all_hold, constantly, reason_by
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.model.article import first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import letters_of, word_count

NO_ROW = -1
"""The row of a headline where a page has none: it is in no block, and all rows are behind it."""
_SHORTEST_HEADLINE = 10
"""Letters of a headline that says enough to be known again by its beginning."""
_LONGEST_HEADLINE = 500
"""Characters of a headline."""
_SENTENCE = 30
"""Characters of a sentence."""
_LEAD = 100
"""Characters of a text above the body that is its lead."""
_NAMED_LEAD = 20
"""Characters of a lead that says so."""
WORDS_OF_TITLE = 4
"""Words of a title below the headline, or of a line below a picture."""
_NO_LEADS = frozenset(("figure", "figcaption", "form", "ol", "table", "ul"))
_SENTENCE_END = linear(r"""(?:[?!…:？！。।]|(?:[^\s\d]|\d{4})\.)["'”’»“)]*$""")
"""The end of a sentence, and not the stop of a day: `2014. 3. 31.`."""


def headline_row(blocks: PageBlocks, headline: str) -> int:
    """Return the heading that says what the metadata say, or the begin or the end of it; else the only
    `h1`."""
    wanted = letters_of(headline)
    alone: list[int] = []
    for row in blocks.tagged("h1", "h2", "h3"):
        heading = _Heading(blocks.tags[row], letters_of(blocks.text(row)[:_LONGEST_HEADLINE]), wanted)
        if reason_by(_SIGNS_OF_HEADLINE, heading):
            return row
        if all_hold((_Heading.is_long, _Heading.is_of_page), heading):
            alone.append(row)
    return alone[0] if len(alone) == 1 else NO_ROW


def subtitles(blocks: PageBlocks, headline: int, description: str) -> Iterator[int]:
    """Yield the first heading behind the headline, if it says most of the description: it is a lead, and
    heads no section."""
    behind = dropwhile(headline.__ge__, blocks.tagged("h2", "h3"))
    for row in islice(behind, 1):
        text = letters_of(blocks.text(row)[:_LONGEST_HEADLINE])
        if all_hold(_SIGNS_OF_SUBTITLE, _Heading(blocks.tags[row], text, letters_of(description))):
            yield row


class _Heading(NamedTuple):
    """A heading that may be the headline."""

    tag: str
    letters: str
    wanted: str
    """The letters of the headline."""

    def says_something(self) -> bool:
        return self.letters != ""

    def says_headline(self) -> bool:
        return self.letters == self.wanted

    def is_long(self) -> bool:
        return len(self.letters) > _SHORTEST_HEADLINE

    def begins_headline(self) -> bool:
        return self.wanted.startswith(self.letters)

    def ends_headline(self) -> bool:
        return self.wanted.endswith(self.letters)

    def says_most(self) -> bool:
        return 2 * len(self.letters) > len(self.wanted)

    def is_of_page(self) -> bool:
        return self.tag == "h1"


_SIGNS_OF_SUBTITLE = (_Heading.begins_headline, _Heading.says_most)
"""Signs that a heading is a lead, if it is the description that is wanted."""


_SIGNS_OF_HEADLINE: tuple[Sign[_Heading], ...] = (
    Sign(constantly("says the headline"), (_Heading.says_something, _Heading.says_headline)),
    Sign(constantly("begins the headline"), (_Heading.is_long, _Heading.begins_headline)),
    Sign(constantly("ends the headline"), (_Heading.is_long, _Heading.ends_headline)),
)


def leads_of(
    furniture: Furniture,
    root: int,
    headline: int,
    metadata: Metadata,
    inside: Collection[int],
) -> list[int]:
    """Return the rows of leads above the root with which it does not begin, and which do not say who wrote
    the article."""
    blocks = furniture.blocks
    leads = _leads_above(furniture, headline, root, letters_of(first_value(metadata, "description")))
    said = {lead: letters_of(blocks.text(lead)) for lead in leads}
    begin = _beginning(blocks, root, inside, max(map(len, said.values()), default=0))
    bylines = Bylines(metadata)
    new = [lead for lead, text in said.items() if not begin.startswith(text)]
    return [lead for lead in new if not bylines.is_about_author(blocks.elements[lead], blocks.text(lead))]


def _beginning(blocks: PageBlocks, root: int, inside: Collection[int], longest: int) -> str:
    """Return the first letters of a body."""
    outline, begin = blocks.outline, ""
    left_out = {blocks.rows[row] for row in inside}
    for place in outline.strings_in(blocks.rows[root]):
        owner = outline.owners[place]
        if left_out.isdisjoint((owner, *outline.around(owner))):
            begin += letters_of(outline.strings[place])
        if len(begin) >= longest:
            break
    return begin


def _leads_above(furniture: Furniture, headline: int, root: int, description: str) -> list[int]:
    """Return the rows of leads, and of what stands between two of them in the same block: their headings and
    lists."""
    blocks, leads = furniture.blocks, _Leads(furniture, headline, root, description).rows()
    for before, behind in pairwise(tuple(leads)):
        if blocks.parents[before] == blocks.parents[behind]:
            between = takewhile(behind.__gt__, blocks.behind(before))
            leads += [row for row in between if furniture.reason_inside(row, root) is None]
    return sorted(leads)


class _Leads:
    """Looks through the blocks between headline and body; where no headline was found, through all above the
    body."""

    def __init__(self, furniture: Furniture, headline: int, root: int, description: str) -> None:
        self.furniture, self.headline, self.root, self.description = furniture, headline, root, description
        self._blocks = furniture.blocks
        around = self._blocks.above(root)
        self._between = sorted(set(range(headline + 1, root)) - around)
        self.named = frozenset(self._blocks.by_part[PagePart.LEAD]).intersection(self._between)
        """The rows whose names say that they are leads."""
        self._signs = _SIGNS_WITHOUT_HEADLINE if headline == NO_ROW else list(SIGNS.values())
        self.closed = self._blocks.flagged(self._blocks.outermost(self._between, self._reason_against))
        """For each block True if it is no lead, nor in one that may hold any."""

    def rows(self) -> list[int]:
        """Return the rows of leads, none in another."""
        return list(self._blocks.outermost(self._between, self._reason_for))

    def _reason_for(self, row: int) -> str | None:
        return reason_by(self._signs, _BlockAbove(self, row))

    def _reason_against(self, row: int) -> str | None:
        return reason_by(_AGAINST, _BlockAbove(self, row))


class _BlockAbove(JudgedBlock):
    """A block above the body, with what signs of leads ask of it."""

    __slots__ = ("leads", "plain")

    def __init__(self, leads: _Leads, row: int) -> None:
        super().__init__(leads.furniture, row, leads.root)
        self.leads = leads
        self.plain = self.blocks.plain[row]

    def may_be_lead(self) -> bool:
        return not self.leads.closed[self.row]

    # --- how long it is ---

    def is_as_long_as_named_lead(self) -> bool:
        return self.plain >= _NAMED_LEAD

    def is_as_long_as_sentence(self) -> bool:
        return self.plain >= _SENTENCE

    def is_as_long_as_lead(self) -> bool:
        return self.plain >= _LEAD

    def is_as_long_as_paragraph(self) -> bool:
        return self.blocks.flow[self.row] >= PARAGRAPH

    def has_words_of_title(self) -> bool:
        """Return True for as many words as a title has, which may have few characters in some scripts."""
        return word_count(self.blocks.text(self.row)) >= WORDS_OF_TITLE

    # --- what it says ---

    def has_letters(self) -> bool:
        return letters_of(self.opening) != ""

    def begins_description(self) -> bool:
        """Return True if the description of the page begins with it."""
        return self.leads.description.startswith(letters_of(self.opening))

    def has_stops(self) -> bool:
        return self.row in self.blocks.has_stops

    def is_in_named(self) -> bool:
        """Return True if its names, or those of a box around it, say that it is a lead."""
        return not self.leads.named.isdisjoint(self.blocks.above(self.row))

    def is_named_lead(self) -> bool:
        return self.row in self.leads.named

    def is_text_alone(self) -> bool:
        """Return True if there are neither links nor blocks in it."""
        return 0 < self.plain == self.characters

    def is_right_below_headline(self) -> bool:
        return self.blocks.before(self.row) == self.leads.headline

    def is_title_by_tag(self) -> bool:
        return self.tag in ("h2", "h3", "h4")

    def is_list_of_points(self) -> bool:
        return self.tag in ("ol", "ul")

    def holds_several_lines(self) -> bool:
        return len(list(self.blocks.inside(self.row))) > 1

    def holds_sentences(self) -> bool:
        """Return True if each line in it is a sentence."""
        return all(map(self._ends_sentence, self.blocks.inside(self.row)))

    def is_sentence(self) -> bool:
        return self._ends_sentence(self.row)

    def _ends_sentence(self, row: int) -> bool:
        is_long = self.blocks.characters[row] >= _SENTENCE
        return is_long and _SENTENCE_END.search(self.blocks.text(row).rstrip()) is not None

    # --- what speaks against it, and all that is in it ---

    def is_never_lead(self) -> bool:
        return self.tag in _NO_LEADS

    def is_caption(self) -> bool:
        return self.blocks.is_part(self.row, PagePart.CAPTION)


SIGNS: dict[str, Sign[_BlockAbove]] = {
    # a list of sentences may stand in a box of a misleading name
    "list of sentences": Sign(
        constantly("list of sentences"),
        (
            _BlockAbove.is_list_of_points,
            _BlockAbove.has_no_links,
            _BlockAbove.holds_several_lines,
            _BlockAbove.holds_sentences,
        ),
    ),
    "sentences in a heading": Sign(
        constantly("sentences in a heading"),
        (
            _BlockAbove.is_title_by_tag,
            _BlockAbove.has_stops,
            _BlockAbove.is_as_long_as_paragraph,
            _BlockAbove.has_no_links,
            _BlockAbove.is_sentence,
        ),
    ),
    "beginning of the description": Sign(
        constantly("beginning of the description"),
        (
            _BlockAbove.is_as_long_as_named_lead,
            _BlockAbove.may_be_lead,
            _BlockAbove.has_letters,
            _BlockAbove.begins_description,
        ),
    ),
    "running text": Sign(
        constantly("running text"),
        (_BlockAbove.is_as_long_as_lead, _BlockAbove.has_stops, _BlockAbove.may_be_lead),
    ),
    "named a lead": Sign(
        constantly("named a lead"),
        (_BlockAbove.is_as_long_as_named_lead, _BlockAbove.is_named_lead, _BlockAbove.may_be_lead),
    ),
    "in what is named a lead": Sign(
        constantly("in what is named a lead"),
        (_BlockAbove.is_as_long_as_sentence, _BlockAbove.is_in_named, _BlockAbove.may_be_lead),
    ),
    "title below the headline": Sign(
        constantly("title below the headline"),
        (
            _BlockAbove.is_heading,
            _BlockAbove.is_text_alone,
            _BlockAbove.is_right_below_headline,
            _BlockAbove.may_be_lead,
            _BlockAbove.has_words_of_title,
        ),
    ),
    "title named a lead": Sign(
        constantly("title named a lead"),
        (
            _BlockAbove.is_named_lead,
            _BlockAbove.is_text_alone,
            _BlockAbove.may_be_lead,
            _BlockAbove.has_words_of_title,
        ),
    ),
}
"""Signs of leads below a headline: one is enough."""
_SIGNS_WITHOUT_HEADLINE: list[Sign[_BlockAbove]] = [
    Sign(
        constantly("beginning of the description"),
        (_BlockAbove.is_as_long_as_lead, _BlockAbove.may_be_lead, _BlockAbove.begins_description),
    ),
]
_AGAINST: list[Sign[_BlockAbove]] = [
    Sign(constantly("no lead by its tag"), (_BlockAbove.is_never_lead,)),
    Sign(constantly("caption"), (_BlockAbove.is_caption,)),
    Sign(_BlockAbove.reason_on_page, ()),
]
"""Reasons why neither a block nor any in it is a lead."""
