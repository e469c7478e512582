"""The headline of a page, and the leads between it and the body: paragraphs, short titles, lists of
sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise, takewhile

from webarticlecurator.extraction.body.article_parts import PARAGRAPH
from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.model.article import first_value
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS, letters_of, squeeze, word_count

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
    """Return the heading that says what the metadata say, else the only `h1`."""
    wanted = letters_of(headline)
    alone: list[int] = []
    for row in blocks.tagged("h1", "h2", "h3"):
        text = letters_of(blocks.text(row)[:_LONGEST_HEADLINE])
        is_long = len(text) > _SHORTEST_HEADLINE
        if text and (text == wanted or (is_long and wanted.startswith(text))):
            return row
        if is_long and blocks.tags[row] == "h1":
            alone.append(row)
    return alone[0] if len(alone) == 1 else NO_ROW


def leads_of(furniture: Furniture, root: int, headline: int, metadata: Metadata, inside: Collection[int]) -> list[int]:
    """Return the rows of leads above the root with which it does not begin, and which are not about who
    wrote the article."""
    blocks = furniture.blocks
    leads = _leads_above(furniture, headline, root, letters_of(first_value(metadata, "description")))
    if not leads:
        return []
    said = {lead: letters_of(blocks.text(lead)) for lead in leads}
    begin = _beginning(blocks, root, inside, max(map(len, said.values())))
    authors = [author.value for author in metadata.get("author", ())]
    new = (lead for lead, text in said.items() if not begin.startswith(text))
    return [lead for lead in new if not _is_about(squeeze(blocks.text(lead)), authors)]


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


def _is_about(text: str, authors: Collection[str]) -> bool:
    """Return True if a text begins with the name of somebody who wrote the article: "Jane Roe is ...", "Jane has ...".

    A name of one word or of many is that of a company, and its first word may be an article.
    """
    names = (words for words in map(str.split, authors) if len(words) in (2, 3) and len(words[0]) > 3)
    return any(text.startswith((f"{words[0]} ", f"{' '.join(words)} ")) for words in names)


def _leads_above(furniture: Furniture, headline: int, root: int, description: str) -> list[int]:
    """Return the rows of leads, and of what stands between two of them in the same block: their headings and
    lists."""
    blocks, leads = furniture.blocks, list(_Leads(furniture, headline, root, description).rows())
    for before, behind in pairwise(tuple(leads)):
        if blocks.parents[before] == blocks.parents[behind]:
            between = takewhile(behind.__gt__, blocks.behind(before))
            leads += [row for row in between if not _is_of_site(furniture, row, root)]
    return sorted(leads)


def _is_of_site(furniture: Furniture, row: int, root: int) -> bool:
    return furniture.reason_inside(row, root) is not None or furniture.is_mostly_links(row)


class _Leads:
    """Looks through the blocks between headline and body; where no headline was found, through all above the
    body."""

    def __init__(self, furniture: Furniture, headline: int, root: int, description: str) -> None:
        self._furniture, self._headline, self._root, self._description = furniture, headline, root, description
        self._blocks = furniture.blocks
        self._around = self._blocks.above(root)
        named = set(self._blocks.by_part[PagePart.LEAD])
        self._named = named.intersection(range(headline + 1, root)) - self._around
        """The rows whose names say that they are leads."""
        self._least = _NAMED_LEAD
        """Characters of a text with which the page's description begins."""
        self._signs = [self._begins_description, self._is_running_text, self._is_named, self._is_subtitle]
        """Signs of leads: one is enough."""
        if headline == NO_ROW:
            self._least, self._signs = _LEAD, [self._begins_description]

    def rows(self) -> Iterator[int]:
        """Yield the rows of leads, none in another."""
        behind_lead = behind = 0
        for row in range(self._headline + 1, self._root):
            if row < behind_lead or row in self._around:
                continue
            # a list of sentences may stand in a box of a misleading name
            if self._is_in_points(row) or (row >= behind and self._is_lead(row)):
                behind_lead = self._blocks.ends[row]
                yield row
            elif row >= behind and self._is_no_lead(row):
                behind = self._blocks.ends[row]

    def _is_no_lead(self, row: int) -> bool:
        """Return True if no lead is in a block either."""
        is_called_so = self._blocks.tags[row] in _NO_LEADS or self._blocks.is_part(row, PagePart.CAPTION)
        return is_called_so or self._furniture.reason(row, self._root) is not None

    def _is_lead(self, row: int) -> bool:
        return any(holds(row) for holds in self._signs) and not self._is_no_lead(row)

    def _begins_description(self, row: int) -> bool:
        text = letters_of(self._blocks.openings[row]) if self._blocks.plain[row] >= self._least else ""
        return text != "" and self._description.startswith(text)

    def _is_running_text(self, row: int) -> bool:
        return self._blocks.plain[row] >= _LEAD and row in self._blocks.has_stops

    def _is_named(self, row: int) -> bool:
        """Return True for a text whose names, or those of a box around it, say that it is a lead."""
        least = _NAMED_LEAD if row in self._named else _SENTENCE
        return self._blocks.plain[row] >= least and not self._named.isdisjoint(self._blocks.above(row))

    def _is_subtitle(self, row: int) -> bool:
        """Return True for a title below the headline, which may be short, and has few characters in some
        scripts."""
        blocks = self._blocks
        is_below = blocks.tags[row] in HEADINGS and blocks.before(row) == self._headline
        is_whole = 0 < blocks.plain[row] == blocks.characters[row]
        return is_whole and (is_below or row in self._named) and word_count(blocks.text(row)) >= WORDS_OF_TITLE

    def _is_in_points(self, row: int) -> bool:
        """Return True for a list of sentences, or a heading that is one, below a headline."""
        blocks, tag = self._blocks, self._blocks.tags[row]
        lines = list(blocks.inside(row)) if tag in ("ol", "ul") else [row]
        is_title = tag in ("h2", "h3", "h4") and row in blocks.has_stops and blocks.flow[row] >= PARAGRAPH
        may_be = self._headline != NO_ROW and not blocks.links[row] and (is_title or len(lines) > 1)
        return may_be and all(map(self._is_sentence, lines))

    def _is_sentence(self, row: int) -> bool:
        is_long = self._blocks.characters[row] >= _SENTENCE
        return is_long and _SENTENCE_END.search(self._blocks.text(row).rstrip()) is not None
