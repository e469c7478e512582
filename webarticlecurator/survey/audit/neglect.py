"""Findings about what nobody decided, and about what never applies: undecided tags, missing metadata, idle picks, unused rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit import limits
from webarticlecurator.survey.audit.counting import MOST_EXAMPLES, Year
from webarticlecurator.survey.audit.counts import Counts, in_order
from webarticlecurator.survey.audit.places import place_of
from webarticlecurator.survey.audit.results import Finding, Kind, Passage
from webarticlecurator.survey.audit.rules import MAIN_FIELDS, first_css, metadata_picks, pick_source, watched_rules
from webarticlecurator.survey.audit.sentences import advice_of, message_of


def neglected(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """All of them."""
    yield from undecided_text(counts)
    empty = {one.tag: one for one in empty_fields(counts, portal)}
    yield from empty.values()
    yield from (one for one in (*missing_metadata(counts), *idle_picks(counts, portal)) if one.tag not in empty)
    yield from unused_rules(counts, portal)
    yield from unused_layouts(counts, portal)


def unmatched_rules(counts: Counts, portal: Portal) -> list[str]:
    """Rules of the portal file that matched nothing, though pages of their layouts were looked at."""
    return [one.rule for one in watched_rules(portal) if one.rule not in counts.rules.matched and _pages_under(counts, one.layouts)]


def _pages_under(counts: Counts, layouts: Iterable[str]) -> int:
    return sum(counts.pages_of(layout).total() for layout in layouts)


def undecided_text(counts: Counts) -> Iterator[Finding]:
    for (tag, layout), amount in counts.undecided.items():
        kept = sum(words for (name, _), words in counts.kept.items() if name == layout)
        if amount.pages >= limits.FEWEST_PAGES and amount.words >= limits.UNDECIDED * kept:
            yield Finding(
                kind=Kind.UNDECIDED,
                message=message_of(Kind.UNDECIDED, tag=tag),
                advice=advice_of(Kind.UNDECIDED),
                tag=tag,
                layout=layout,
                pages=amount.pages,
                of_pages=counts.pages_of(layout).total(),
                words=amount.words,
            )


def empty_fields(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Fields that no article has: those that the portal file asks for, and those that nearly every article has."""
    rules: dict[str, str] = {}
    where = {name: set(counts.first) for name in MAIN_FIELDS}
    for name, picks, layouts in metadata_picks(portal):
        rule = place_of(portal, pick_source(picks, name), first_css(picks))
        if rule is not None:
            rules.setdefault(name, rule)
            where.setdefault(name, set()).update(layouts)
    filled = {name for name, _, _ in counts.rules.present}
    for name in (name for name in where if name not in filled):
        pages = _pages_under(counts, where[name])
        if pages >= (limits.JUDGED if name in rules or name != "author" else limits.JUDGED_ALONE):
            yield Finding(
                kind=Kind.METADATA_EMPTY,
                message=message_of(Kind.METADATA_EMPTY, tag=name, note=f"{pages:,}"),
                advice=advice_of(Kind.METADATA_EMPTY),
                rule=rules.get(name, ""),
                tag=name,
                pages=pages,
                of_pages=pages,
                examples=tuple(Passage(url) for layout in sorted(where[name]) for url in counts.first.get(layout, ()))[:MOST_EXAMPLES],
            )


def missing_metadata(counts: Counts) -> Iterator[Finding]:
    """Fields that are missing in one year of a layout and there in the others; or, those that every article has, in all of it."""
    for layout in sorted({layout for layout, _ in counts.pages}):
        whole = counts.pages_of(layout)
        for name in MAIN_FIELDS:
            there = Counter({year: pages for (one, where, year), pages in counts.rules.present.items() if (one, where) == (name, layout)})
            if whole.total() >= limits.JUDGED and name != "author" and there.total() < limits.MISSING_MAIN * whole.total():
                yield _missing(name, layout, whole, there, list(whole))
            elif years := [year for year in whole if _is_missing(year, there, whole)]:
                yield _missing(name, layout, whole, there, years)


def _is_missing(year: Year, there: Counter[Year], whole: Counter[Year]) -> bool:
    others = whole.total() - whole[year]
    return (
        whole[year] >= limits.YEAR_PAGES
        and others >= limits.YEAR_PAGES
        and there[year] < limits.MISSING * whole[year]
        and there.total() - there[year] >= limits.MISSING_ELSEWHERE * others
    )


def _missing(name: str, layout: str, whole: Counter[Year], there: Counter[Year], years: list[Year]) -> Finding:
    return Finding(
        kind=Kind.METADATA,
        message=message_of(Kind.METADATA, tag=name),
        advice=advice_of(Kind.METADATA),
        tag=name,
        layout=layout,
        pages=sum(whole[year] - there[year] for year in years),
        of_pages=sum(whole[year] for year in years),
        years=in_order(years),
    )


def idle_picks(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Metadata picks that give next to nothing, in all layouts where they count."""
    for name, picks, where in metadata_picks(portal):
        rule = place_of(portal, pick_source(picks, name), first_css(picks))
        pages = _pages_under(counts, where)
        given = sum(number for (one, layout, _), number in counts.rules.ruled.items() if one == name and layout in where)
        limit = limits.IDLE_MAIN if name in MAIN_FIELDS else limits.IDLE
        if rule is not None and pages >= limits.JUDGED and given <= limit * pages:
            yield Finding(
                kind=Kind.METADATA_RULE,
                message=message_of(Kind.METADATA_RULE, rule=rule),
                advice=advice_of(Kind.METADATA_RULE),
                rule=rule,
                tag=name,
                layout=where[0] if len(where) == 1 else "",
                pages=pages - given,
                of_pages=pages,
            )


def unused_layouts(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Layouts that no page has, though very many were looked at."""
    used, pages = {layout for layout, _ in counts.pages}, counts.pages.total()
    for layout in portal.layouts:
        if layout.name not in used and pages >= limits.JUDGED_ALONE:
            rule = f"the layout {layout.name}"
            yield Finding(
                kind=Kind.UNUSED_RULE,
                message=message_of(Kind.UNUSED_RULE, rule=rule),
                advice=advice_of(Kind.UNUSED_RULE),
                rule=rule,
                layout=layout.name,
                pages=pages,
                of_pages=pages,
            )


def unused_rules(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Rules that never match: misspelt ones soon, others only when very many pages were looked at."""
    unmatched = set(unmatched_rules(counts, portal))
    for one in watched_rules(portal):
        pages = _pages_under(counts, one.layouts)
        if one.rule not in unmatched or pages < limits.JUDGED:
            continue
        meant = counts.rules.meant(one.selector)
        if meant is not None or pages >= limits.JUDGED_ALONE:
            yield Finding(
                kind=Kind.UNUSED_RULE,
                message=message_of(Kind.UNUSED_RULE, rule=one.rule, note=f"; the pages have {meant}" if meant else ""),
                advice=advice_of(Kind.UNUSED_RULE),
                rule=one.rule,
                layout=next(iter(one.layouts)) if len(one.layouts) == 1 else "",
                pages=pages,
                of_pages=pages,
            )
