"""From what a pass counted to the inventory: a row for each tag under one decision, with a suggestion where no person decided."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from statistics import median

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DateFormat, read_date
from webarticlecurator.extraction.body.tag_names import Tag
from webarticlecurator.survey.inventory.nesting import pairs_of, trees_of
from webarticlecurator.survey.inventory.path_tree import Figures, PathNode
from webarticlecurator.survey.inventory.results import Decider, Example, Inventory, Reduction, TagRow, YearCoverage
from webarticlecurator.survey.inventory.suggestions import BY_NO_PERSON, suggested
from webarticlecurator.survey.inventory.tag_counts import TagCounts
from webarticlecurator.survey.inventory.tag_facts import Neighbours, TagFacts, neighbours_of
from webarticlecurator.survey.stored_page import Year

_AUTO = (DateFormat.parse("auto"),)
_LONGEST_DATE = 60
"""Characters."""
_FEWEST_PAGES = 2
"""Of a text that recurs."""
_WORDS_DROP, _ELEMENTS_DROP = 0.05, 0.2
"""Share of a year's words, of its elements, that must be missing against the years before, for it to be told."""
_YEARS_BEFORE = 3
_OF_POSTS = frozenset(("post", "unwrap"))
"""What the rules for posts make of a post, of its text and of what holds it."""
_FEWEST_OF_A_YEAR = 5
"""Pages; a year of fewer proves nothing."""


def inventory_of(counts: TagCounts, portal: Portal, *, of_pages: int, notes: Sequence[str] = ()) -> Inventory:
    """What a portal's pages are made of. `of_pages`: articles that something is stored of; `notes`: sentences for the person."""
    nodes = tuple(counts.tree.nodes())
    counted = [one for one in nodes if one.step.is_in_a_row]
    rows = _rows(counted, counts, portal.language)
    return Inventory(
        portal=portal.name,
        pages=counts.years.total(),
        of_pages=of_pages,
        passed_over=dict(counts.passed_over),
        notes=(*notes, *_folded(nodes)),
        rows=rows,
        trees=trees_of(counted),
        pairs=pairs_of(counted),
        reduction=_reduction(nodes, rows, counts),
        coverage=coverage_of(nodes, counts.years),
    )


def _rows(nodes: Sequence[PathNode], counts: TagCounts, language: str | None) -> tuple[TagRow, ...]:
    """Those with text first; most words at stake first."""
    places: defaultdict[str, list[PathNode]] = defaultdict(list)
    for one in nodes:
        if not one.is_container:
            places[one.step.row].append(one)
    neighbours = neighbours_of(nodes, {key for key, here in places.items() if here[0].decided.decider in BY_NO_PERSON})
    recurring = _recurring(counts)
    of_posts = _of_posts(nodes)
    rows = []
    for key, here in places.items():
        row = replace(_row(key, here, counts), of_posts=here[0].decided.decider is Decider.NOBODY and here[0].tag.text in of_posts)
        if key in neighbours:
            facts = _facts(here[0].tag, row, neighbours[key], recurring.get(key, ()), language)
            row = replace(row, suggestion=suggested(facts, row.decided))
        rows.append(row)
    return tuple(sorted(rows, key=_order))


def _of_posts(nodes: Iterable[PathNode]) -> set[str]:
    """Tags of what is, holds or lies in a post, and is no part of it that is taken out of its text."""
    inside: set[int] = set()
    found: set[str] = set()
    for one in nodes:
        is_kept = one.decided.decider is Decider.POSTS and one.decided.operation in _OF_POSTS
        if (is_kept and not one.decided.rule.endswith(".around")) or one.parent in inside:
            inside.add(one.id)
        if (is_kept or one.id in inside) and not one.step.in_dropped:
            found.add(one.tag.text)
    return found


def _row(key: str, places: Sequence[PathNode], counts: TagCounts) -> TagRow:
    """One row, without a suggestion."""
    years = [year for node in places for year in node.years if year is not None]
    total = Figures()
    for node in places:
        total.add(node.total)
    return TagRow(
        tag=places[0].tag.text,
        decided=places[0].decided,
        frequency=total.frequency,
        pages=min(counts.row_pages[key], total.pages),
        first_year=min(years, default=None),
        last_year=max(years, default=None),
        words=total.words,
        own_words=total.own_words,
        link_words=total.link_words,
        descendants=total.descendants,
        examples=tuple(one.example for one in counts.examples.get(key, ())),
    )


def _order(row: TagRow) -> tuple[bool, int, int, str, str, str]:
    return not row.has_text, -row.words, -row.frequency, row.tag, row.decided.rule, row.decided.condition


def _facts(tag: Tag, row: TagRow, neighbours: Neighbours, recurring: Sequence[tuple[str, int]], language: str | None) -> TagFacts:
    return TagFacts(
        tag=tag,
        frequency=row.frequency,
        pages=row.pages,
        mean_words=row.mean_words,
        mean_own_words=row.mean_own_words,
        mean_descendants=row.mean_descendants,
        of_posts=row.of_posts,
        link_share=row.link_share,
        neighbours=neighbours,
        repeated_text=recurring[0][0] if recurring else "",
        most_repeated=recurring[0][1] if recurring else 0,
        repeated_on=min(row.pages, sum(pages for _, pages in recurring)),
        examples=row.examples,
        dated_examples=sum(_is_date(example, language) for example in row.examples),
    )


def _is_date(example: Example, language: str | None) -> bool:
    return 0 < len(example.text) <= _LONGEST_DATE and read_date(_AUTO, example.text, language=language, timezone=UTC, now=None) is not None


def _recurring(counts: TagCounts) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Row -> short texts in it that stand on several pages, each with their number, most pages first."""
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for (row, text), pages in sorted(counts.texts.items(), key=lambda one: (-one[1], one[0])):
        if pages >= _FEWEST_PAGES:
            found[row].append((text, pages))
    return found


def _folded(nodes: Iterable[PathNode]) -> tuple[str, ...]:
    rare = [one.total for one in nodes if one.step.is_folded]
    if not rare:
        return ()
    elements, words = sum(one.frequency for one in rare), sum(one.own_words for one in rare)
    return (
        "The portal has more different paths of tags, or deeper ones, than can be kept apart: what stands on rare paths is counted "
        f"together ({amount(elements, 'element')} with {amount(words, 'word')}), and no rule is shown for it.",
    )


def _reduction(nodes: Iterable[PathNode], rows: Sequence[TagRow], counts: TagCounts) -> Reduction:
    with_text = {one.tag for one in nodes if one.total.words and not (one.is_container or one.step.is_folded)}
    undecided = {row.tag for row in rows if row.decided.decider is Decider.NOBODY and row.has_text}
    return Reduction(
        tags=counts.start_tags.count,
        with_text=counts.start_tags_with_text.count,
        simplified=len(with_text),
        undecided=len(undecided),
    )


# --- how much of each year is decided, and where that drops: there the portal changed its layout ---


def coverage_of(nodes: Iterable[PathNode], pages: Mapping[Year, int]) -> tuple[YearCoverage, ...]:
    """Every year of which there are pages, with their number in `pages`; those without a date last."""
    sums: dict[Year, Counter[str]] = {year: Counter() for year in pages}
    for one in nodes:
        if one.step.is_folded:
            continue
        decided = _is_decided(one)
        for year, figures in one.years.items():
            one_year = sums.setdefault(year, Counter())
            elements = 0 if one.is_container else figures.frequency
            one_year["elements"] += elements
            one_year["words"] += figures.own_words
            if decided:
                one_year["decided_elements"] += elements
                one_year["decided_words"] += figures.own_words
    return with_layout_changes(
        YearCoverage(
            year=year,
            pages=pages.get(year, 0),
            elements=counts["elements"],
            decided_elements=counts["decided_elements"],
            words=counts["words"],
            decided_words=counts["decided_words"],
        )
        for year, counts in sums.items()
    )


def _is_decided(one: PathNode) -> bool:
    """What stands immediately in the container is text of the article by `body.root`; what is in something left out goes with it."""
    return one.is_container or one.step.in_dropped or one.step.in_simple or one.decided.decider is not Decider.NOBODY


def with_layout_changes(years: Iterable[YearCoverage]) -> tuple[YearCoverage, ...]:
    """The years in order, those without a date last, each marked where its share drops against the years before it."""
    ordered = sorted(years, key=lambda one: (one.year is None, one.year or 0))
    marked: list[YearCoverage] = []
    for number, one in enumerate(ordered):
        before = [other for other in ordered[:number] if other.pages >= _FEWEST_OF_A_YEAR][-_YEARS_BEFORE:]
        marked.append(replace(one, layout_change=one.year is not None and one.pages >= _FEWEST_OF_A_YEAR and _drops(one, before)))
    return tuple(marked)


def _drops(one: YearCoverage, before: Sequence[YearCoverage]) -> bool:
    if not before:
        return False
    words, elements = (median(year.word_share for year in before), median(year.element_share for year in before))
    return words - one.word_share > _WORDS_DROP or elements - one.element_share > _ELEMENTS_DROP
