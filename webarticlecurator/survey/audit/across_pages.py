"""Findings that only all pages together show: recurring texts, tags that nobody decided, missing metadata, rules that never apply."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit.counting import (
    FEWEST_PAGES,
    MOST_EXAMPLES,
    YEAR_PAGES,
    Counts,
    Text,
    in_order,
    pages_with,
    striking_years,
)
from webarticlecurator.survey.audit.results import SMALL, Finding, Passage
from webarticlecurator.survey.audit.rule_use import MAIN_FIELDS, metadata_picks, portal_selectors
from webarticlecurator.survey.audit.text import sentences
from webarticlecurator.survey.stored_page import Year

RECURS, RECURS_LONG, RECURS_LABEL = 0.15, 0.02, 0.4
"""Share of pages with the same text from which it is furniture: of some words; of so many that nobody writes them twice; of a heading,
a caption, a few words without a full stop."""
SAME_BODY = 0.01
"""Share of the pages with one text as all of their body from which that is no accident."""
UNDECIDED = 0.05
"""Share of the kept words that stand in one undecided tag."""
_CODE = "code"
"""Such a block is quoted in several articles, and other code with the same class says nothing of it."""
_LABELS = frozenset({"heading", "subheading", "question", "caption", "cell", "source", "table-heading", _CODE})
"""Blocks whose texts come again in honest articles: "Background"."""
_LONG, _SHORT = 15, 5
"""Words of a text that nobody writes twice, and of one that is more than a label."""
_RECURS_PAGES = 5
"""Fewer pages with the same text, or the same body, are no finding."""
_IDLE, IDLE_MAIN = 0.0, 0.1
"""Share of the pages on which a pick gives a value, up to which it is idle; of a field that every article has."""
_MISSING, MISSING_ELSEWHERE, _MISSING_MAIN = 0.5, 0.8, 0.5
"""Share of the pages of a year that have a field, below which it is missing if it is on so many elsewhere; and, for headline and date, in
all of a layout."""
_ENOUGH_PAGES = 10
"""Pages from which a rule may be said never to match."""
MANY_PAGES = 200
"""The same where no name of the pages is like one of the selector's; and pages that name no author, where no rule asks for one."""


# --- texts that recur ---


def same_bodies(counts: Counts, portal: Portal) -> Iterator[Finding]:  # noqa: ARG001
    """Articles that have all of their text in common: a notice stands in their place."""
    for (layout, _), text in counts.bodies.texts.items():
        whole = counts.pages_of(layout)
        years = _years_of_body(text, whole)
        if years is not None:
            yield Finding(
                tag=text.tag,
                layout=layout,
                pages=text.count,
                of_pages=whole.total(),
                words=text.words * text.count,
                years=in_order(years),
                examples=tuple(Passage(url, text.text if url == text.urls[0] else "") for url in text.urls),
            )


def _years_of_body(text: Text, whole: Counter[Year]) -> list[Year] | None:
    return striking_years(Counter(text.pages), whole, SAME_BODY) if text.count >= _RECURS_PAGES else None


def recurring_texts(counts: Counts, portal: Portal) -> Iterator[Finding]:  # noqa: ARG001
    """Furniture that was kept, one finding a tag."""
    wholes = {layout: counts.pages_of(layout) for layout, _ in counts.pages}
    # what stands on just the pages that have one body is a part of that
    bodies = {(layout, text.count, *text.urls) for (layout, _), text in counts.bodies.texts.items() if _years_of_body(text, wholes[layout])}
    texts = [(layout, text) for (layout, _), text in counts.recurring.texts.items() if (layout, text.count, *text.urls) not in bodies]
    furniture = {(text.tag, layout) for layout, text in texts if _recurs(text, wholes[layout]) is not None}
    by_tag: dict[tuple[str, str], list[Text]] = defaultdict(list)
    for layout, text in texts:
        # where one text with that class is furniture, so are those that are rarer: in another language, of another year
        rarer = _has_name(text.tag) and text.count >= FEWEST_PAGES and text.type != _CODE
        if (text.tag, layout) in furniture and (rarer or _recurs(text, wholes[layout]) is not None):
            by_tag[(text.tag, layout)].append(text)
    for (tag, layout), same in by_tag.items():
        same.sort(key=lambda text: -text.count)
        whole = wholes[layout].total()
        yield Finding(
            tag=tag,
            layout=layout,
            pages=min(pages_with(same), whole),
            of_pages=whole,
            words=sum(text.words * text.count for text in same),
            years=in_order(year for text in same for year in _recurs(text, wholes[layout]) or ()),
            examples=tuple(Passage(text.urls[0], text.text) for text in same[:MOST_EXAMPLES]),
        )


def _has_name(tag: str) -> bool:
    """Whether a class in it is one that somebody gave; most of a site may have one that its program made up."""
    return any("*" not in name for part in tag.split() for name in part.split(".")[1:])


def _recurs(text: Text, whole: Counter[Year]) -> list[Year] | None:
    if text.count < _RECURS_PAGES:
        return None
    if text.words >= _LONG and text.type != _CODE:
        return striking_years(Counter(text.pages), whole, RECURS_LONG)
    is_label = text.type in _LABELS or (text.words < _SHORT and not sentences(text.text)) or whole.total() < SMALL
    return striking_years(Counter(text.pages), whole, RECURS_LABEL if is_label else RECURS)


# --- what nobody decided ---


def undecided_text(counts: Counts, portal: Portal) -> Iterator[Finding]:  # noqa: ARG001
    """Tags without a rule that hold much of a layout's text."""
    for (tag, layout), words in counts.undecided.items():
        kept = sum(number for (name, _), number in counts.kept.items() if name == layout)
        pages = counts.undecided_pages[tag, layout]
        if pages >= FEWEST_PAGES and words >= UNDECIDED * kept:
            yield Finding(tag=tag, layout=layout, pages=pages, of_pages=counts.pages_of(layout).total(), words=words)


# --- metadata ---


def empty_fields(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Fields that no article has: those that the portal file asks for, and those that nearly every article has."""
    rules, layouts = _asked_fields(counts, portal)
    for name in _empty(counts, portal):
        pages = counts.pages_under(layouts[name])
        urls = [url for layout in sorted(layouts[name]) for url in counts.first.get(layout, ())]
        examples = tuple(map(Passage, urls[:MOST_EXAMPLES]))
        yield Finding(rule=rules.get(name, ""), tag=name, pages=pages, of_pages=pages, examples=examples)


def _empty(counts: Counts, portal: Portal) -> list[str]:
    """The names of these fields."""
    rules, layouts = _asked_fields(counts, portal)
    filled = {name for name, _, _ in counts.rules.present}
    enough = {name: MANY_PAGES if name == "author" and name not in rules else _ENOUGH_PAGES for name in layouts}
    return [name for name in layouts if name not in filled and counts.pages_under(layouts[name]) >= enough[name]]


def _asked_fields(counts: Counts, portal: Portal) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Field -> the rule of the portal file that asks for it; and every field that an article should have -> the layouts in which."""
    rules: dict[str, str] = {}
    layouts = {name: set(counts.first) for name in MAIN_FIELDS}
    for pick in metadata_picks(portal):
        if pick.rule is not None:
            rules.setdefault(pick.field, pick.rule)
            layouts.setdefault(pick.field, set()).update(pick.layouts)
    return rules, layouts


def missing_metadata(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Fields that are missing in one year of a layout and there in the others; or, those that every article has, in all of it."""
    empty = _empty(counts, portal)
    for layout in sorted({layout for layout, _ in counts.pages}):
        whole = counts.pages_of(layout)
        for name in (name for name in MAIN_FIELDS if name not in empty):
            there = Counter({year: pages for (one, where, year), pages in counts.rules.present.items() if (one, where) == (name, layout)})
            if whole.total() >= _ENOUGH_PAGES and name != "author" and there.total() < _MISSING_MAIN * whole.total():
                years = list(whole)
            else:
                years = [year for year in whole if _is_missing(year, there, whole)]
            if years:
                yield _missing_in(years, name, layout, whole, there, counts)


def _missing_in(years: Sequence[Year], name: str, layout: str, whole: Counter[Year], there: Counter[Year], counts: Counts) -> Finding:
    lacking = [year for year in years if whole[year] > there[year]]
    urls = [url for year in lacking for url in counts.rules.lacking.get((name, layout, year), ())]
    return Finding(
        tag=name,
        layout=layout,
        pages=sum(whole[year] - there[year] for year in years),
        of_pages=sum(whole[year] for year in years),
        years=in_order(lacking),
        examples=tuple(map(Passage, urls[:MOST_EXAMPLES])),
    )


def _is_missing(year: Year, there: Counter[Year], whole: Counter[Year]) -> bool:
    others = whole.total() - whole[year]
    return (
        whole[year] >= YEAR_PAGES
        and others >= YEAR_PAGES
        and there[year] < _MISSING * whole[year]
        and there.total() - there[year] >= MISSING_ELSEWHERE * others
    )


def idle_picks(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Metadata picks that give next to nothing, in all layouts where they count."""
    empty = _empty(counts, portal)
    for pick in (pick for pick in metadata_picks(portal) if pick.field not in empty):
        pages = counts.pages_under(pick.layouts)
        given = sum(number for (name, layout, _), number in counts.rules.ruled.items() if name == pick.field and layout in pick.layouts)
        limit = IDLE_MAIN if pick.field in MAIN_FIELDS else _IDLE
        if pick.rule is not None and pages >= _ENOUGH_PAGES and given <= limit * pages:
            layout = pick.layouts[0] if len(pick.layouts) == 1 else ""
            yield Finding(rule=pick.rule, tag=pick.field, layout=layout, pages=pages - given, of_pages=pages)


# --- rules that never apply ---


def unmatched_rules(counts: Counts, portal: Portal) -> list[str]:
    """Rules of the portal file that matched nothing, though pages of their layouts were looked at."""
    return [one.rule for one in portal_selectors(portal) if one.rule not in counts.rules.matched and counts.pages_under(one.layouts)]


def unused_rules(counts: Counts, portal: Portal) -> Iterator[Finding]:
    """Rules that never match: misspelt ones soon, others only when very many pages were looked at. Layouts that no page has."""
    for one in portal_selectors(portal):
        pages = counts.pages_under(one.layouts)
        if one.rule in counts.rules.matched or pages < _ENOUGH_PAGES:
            continue
        meant = counts.rules.meant(one.selector)
        if meant is not None or pages >= MANY_PAGES:
            note = f"; the pages have {meant}" if meant else ""
            layout = next(iter(one.layouts)) if len(one.layouts) == 1 else ""
            yield Finding(rule=one.rule, layout=layout, pages=pages, of_pages=pages, message=note)
    used, pages = {layout for layout, _ in counts.pages}, counts.pages.total()
    for layout in (one.name for one in portal.layouts if one.name not in used and pages >= MANY_PAGES):
        yield Finding(rule=f"the layout {layout}", layout=layout, pages=pages, of_pages=pages)
