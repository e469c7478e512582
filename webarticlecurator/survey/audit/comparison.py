"""How the text that the rules keep differs from what the general reader keeps: how many words it lacks and
has beside it, and where these stand on the pages. Where most pages of a layout differ, that is a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.amounts import part
from webarticlecurator.budget import Budget
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.labelling.page_words import PageWords
from webarticlecurator.labelling.text_blocks import words_found, words_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.audit.across_pages import (
    MOST_EXAMPLES,
    finding,
    layouts_of,
    pages_of,
    striking_years,
)
from webarticlecurator.survey.audit.audited_page import (
    AuditedPage,
    FindingKind,
    tag_in_place,
    text_blocks_of,
)
from webarticlecurator.survey.page_pass import Columns, Counted, Counts, shortened
from webarticlecurator.text import element_text, squeeze

COMPARED = Columns("page", facts="lost, added, words")
"""The table of pages that rules were used on: how many words of the general reader the rules lack, how many
they have beside them, and how many words the general reader keeps."""
PLACES_OF_WORDS = Columns("side, layout, tag, rule", "words, pages")
"""In which elements these words stand; `rule`: that drops such an element."""
WORD_EXAMPLES = Columns("side, page", facts="text")
LOST, ADDED = "lost", "added"
_SHARES = {LOST: 0.08, ADDED: 0.05}
"""Share of the words of a page from which on it differs; shares below are those of pages that are read
rightly."""
_FEWEST = 5
"""Words that are fewer say nothing."""
_PAGES = 0.5
"""The share of the pages that have to differ: the median page does."""
_WHOLE = 0.9
"""The share of the words of an element from which on the element differs, and not only a part of it."""
_TOLD_PLACES = 3
_HEAD = (
    "headline", "alternativeHeadline", "description", "author", "articleSection", "keywords",
    "datePublished", "dateModified",
)  # fmt: skip
"""Fields whose words are read, wherever else they stand."""


def without_rules(portal: Portal) -> Portal:
    """The portal with nothing but the general reader for bodies; layouts stay what they are for all else."""
    layouts = tuple(replace(layout, body=BodyRules()) for layout in portal.layouts)
    return replace(portal, body=BodyRules(), layouts=layouts)


def compare(audited: AuditedPage, general: Portal, layout: str, page: int, counted: Counted) -> None:
    """Count how one page differs by its rules; `general`: the portal without them. Raises PatternTimeout."""
    if audited.container is None or audited.reading.rules.body == BodyRules():
        return
    url = audited.page.requested_url
    other = read_article([replace(audited.page, budget=Budget())], general, url=url)
    if other.outcome is not PageOutcome.ARTICLE:
        return
    kept, found = _words(audited.article), _words(other)
    head = Counter(word for article in (audited.article, other) for word in _words_of_head(article))
    differing = {LOST: Counter(found) - Counter(kept) - head, ADDED: Counter(kept) - Counter(found) - head}
    counted.note(
        "compared",
        (page,),
        *(_counted(audited, side, kept, found, differing[side], (layout, page), counted) for side in _SHARES),
        len(found),
    )


def _counted(
    audited: AuditedPage,
    side: str,
    kept: list[str],
    found: list[str],
    differing: Counter[str],
    place: tuple[str, int],
    counted: Counted,
) -> int:
    """Return how many words differ on one side; where these are many, count where they stand, without what a
    rule says is to go."""
    words = differing.total()
    if words < max(_FEWEST, _SHARES[side] * len(found)) or audited.page.tree is None:
        return words
    more, fewer = (found, kept) if side == LOST else (kept, found)
    return min(words, _count_places(audited, side, more, fewer, place, counted))


def _words(article: Article) -> list[str]:
    """The words of an article, and of posts that are no comments."""
    return words_of("\n".join(block.text for block in text_blocks_of(article)))


def _words_of_head(article: Article) -> list[str]:
    picked = (found for name in _HEAD for found in article.metadata.get(name, ()) if not found.place_in_body)
    return words_of("\n".join(text for found in picked for text in {found.value, found.raw}))


@dataclass(frozen=True, slots=True)
class _Places:
    """The elements of a page that differ."""

    words: PageWords
    whole: Sequence[float]
    """The words of each element."""
    differing: Sequence[float]
    """The number of these that are kept by one of the two alone."""
    audited: AuditedPage
    dropped: Mapping[Element, str]
    """Element of the container -> the portal file's own rule that drops it."""
    around_roots: Collection[int]
    """Elements around the container."""

    def of(self, row: int) -> tuple[int, str] | None:
        """Return the element that a differing word stands in, and the rule that drops it: that, or else the
        outermost that differs as a whole; None where a person has decided: a rule drops what stands outside
        of the container, or names what is kept."""
        around = [row, *self.audited.page.outline.around(row)]
        elements = [self.words.elements[above] for above in around]
        for above, element in zip(around, elements, strict=True):
            if element in self.dropped:
                return above, self.dropped[element]
        is_outside = self.audited.roots.isdisjoint(elements)
        if any(
            map(self.audited.lookup.is_dropped_by_file if is_outside else self.audited.is_ruled, elements)
        ):
            return None
        whole = takewhile(
            lambda above: (
                above not in self.around_roots and self.differing[above] >= _WHOLE * self.whole[above]
            ),
            around,
        )
        return [row, *whole][-1], ""


def _count_places(
    audited: AuditedPage,
    side: str,
    more: list[str],
    fewer: list[str],
    place: tuple[str, int],
    counted: Counted,
) -> int:
    """Count where the words stand that one text has and the other lacks, and return how many there are."""
    layout, page = place
    words = PageWords(audited.page.outline)
    there, missing = words_found(words.words, more), words_found(words.words, fewer)
    alone = [float(in_more > in_fewer) for in_more, in_fewer in zip(there, missing, strict=True)]
    dropped = {
        element: rule for account in audited.reading.accounts for element, rule in account.dropped_elements()
    }
    own = {element: rule for element, rule in dropped.items() if audited.portal.has_itself(rule)}
    outline = audited.page.outline
    around_roots = {
        above
        for root in audited.roots
        if root in outline.row_of
        for above in outline.around(outline.row_of[root])
    }
    places = _Places(words, words.sums([1.0] * len(alone)), words.sums(alone), audited, own, around_roots)
    found = Counter[tuple[int, str]]()
    for row, of_row in Counter(
        row for row, is_alone in zip(words.rows, alone, strict=True) if is_alone
    ).items():
        told = places.of(row)
        if told is not None:
            found[told] += of_row
    for (row, rule), count in found.most_common(20):
        element = words.elements[row]
        tag = tag_in_place((element, *element.iterancestors()))
        counted.add("places_of_words", (side, layout, tag, rule), count, 1)
    for (row, _), _ in found.most_common(1):
        counted.note("word_examples", (side, page), shortened(squeeze(element_text(words.elements[row]))))
    return found.total()


# --- all pages of a layout together ---


def _differing(counts: Counts, side: str) -> Iterator[Row]:
    """One finding for each layout of which most pages differ."""
    pages_sql = f"""
        SELECT year, count(*), sum({side}) FROM compared JOIN looked_at USING (page)
        WHERE layout = ? AND {side} >= max(?, ? * words) GROUP BY year
    """
    places_sql = (
        "SELECT tag, rule, words FROM places_of_words WHERE side = ? AND layout = ? ORDER BY words DESC, "
        "tag, rule LIMIT ?"
    )
    examples_sql = """
        SELECT url, text FROM word_examples JOIN looked_at USING (page) WHERE side = ? AND layout = ? ORDER BY page LIMIT ?
    """
    for layout in layouts_of(counts):
        of_years = counts.rows(pages_sql, layout, _FEWEST, _SHARES[side])
        by_year, whole = Counter({year: pages for year, pages, _ in of_years}), pages_of(counts, layout)
        years = striking_years(by_year, whole, _PAGES)
        places = counts.named(places_sql, side, layout, _TOLD_PLACES)
        if years is not None and places:
            yield finding(
                message=_message(places),
                rule=places[0].rule,
                tag=places[0].tag,
                layout=layout,
                pages=by_year.total(),
                of_pages=whole.total(),
                words=sum(words for *_, words in of_years),
                years=years,
                examples=counts.named(examples_sql, side, layout, MOST_EXAMPLES),
            )


def _message(places: Sequence[Row]) -> str:
    """Name where else such words stand."""
    others = [f"{place.tag} ({place.words:,} words)" for place in islice(places, 1, None)]
    return part("; and in {}", ", ".join(others))


def _of_place(rows: Iterable[Row], *, is_dropped: bool) -> Iterator[Row]:
    return (row for row in rows if bool(row.rule) is is_dropped)


@FindingKind(
    30,
    "root-too-small",
    "text that the general reader keeps stands outside of what the rules keep, in {tag}",
    "If it is of the article, body.root has to take it in: a wider element, or several with all_of.",
)
def text_outside(counts: Counts, portal: Portal) -> Iterator[Row]:  # noqa: ARG001
    """Pages whose text lacks words, most of them in elements that no rule of the portal file drops."""
    return _of_place(_differing(counts, LOST), is_dropped=False)


@FindingKind(
    40,
    "text-lost",
    "text that the general reader keeps is dropped with {tag}",
    "If it is of the article, take it out of what is dropped, or give it a block's name.",
)
def text_lost(counts: Counts, portal: Portal) -> Iterator[Row]:  # noqa: ARG001
    """Pages whose text lacks words, most of them in elements that a rule of the portal file drops."""
    return _of_place(_differing(counts, LOST), is_dropped=True)


@FindingKind(
    60,
    "root-too-large",
    "text that the general reader leaves out is kept, in {tag}",
    "If it is not of the article, make body.root smaller, or decompose what does not belong there.",
)
def text_added(counts: Counts, portal: Portal) -> Iterator[Row]:  # noqa: ARG001
    """Pages whose text has words that the general reader does not keep."""
    yield from _differing(counts, ADDED)
