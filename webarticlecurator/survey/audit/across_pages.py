"""Findings that only all pages together show: recurring texts, tags that nobody decided, missing metadata,
rules that never apply.

Which rules ever apply is told of tag rules and picks by what they match, of metadata by where their values
come from.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.labelling.simplified_tags import parsed_or_bare
from webarticlecurator.selectors import Selector
from webarticlecurator.survey.audit.audited_page import ROOT, FindingKind, sentences
from webarticlecurator.survey.page_pass import NO_YEAR, Counts
from webarticlecurator.survey.stored_page_sample import Year
from webarticlecurator.text import squeeze

MAIN_FIELDS = ("headline", "author", "datePublished")
"""Fields that nearly every article of a portal has, or none."""
REPORTED_FIELDS = (
    *MAIN_FIELDS,
    "dateModified",
    "articleSection",
    "keywords",
    "description",
    "image",
    "inLanguage",
)
"""Fields of which it is told how many articles have them, whether a rule asks for them or not."""
SMALL = 20
"""Pages below which an audit says that its sample is small."""
MOST_EXAMPLES = 3
FEWEST_PAGES = 3
"""Fewer pages never make a finding."""
_YEAR_PAGES = 20
"""Pages of a year from which it is judged by itself."""
_BODY = "body"
_CODE = "code"
"""Blocks of code, which several articles quote; other code with the same class says nothing of them."""
_LABELS = frozenset(
    {"heading", "subheading", "question", "caption", "cell", "source", "table-heading", _CODE}
)
"""Blocks whose texts come again in honest articles: "Background"."""
_ENOUGH_PAGES, MANY_PAGES = 10, 200
"""Pages from which a field may be said to be empty, or a pick to be idle; and the same of an author for whom
no rule asks, and of a rule that matches nothing."""

BY_YEAR = """
    CREATE TABLE by_year AS
    SELECT layout, year, count(*) AS pages, sum(kept) AS words_kept, sum(dropped) AS words_dropped FROM looked_at GROUP BY layout, year
"""
_TEXTS = """
    WITH often AS (
        SELECT text, min(page) AS first, max(page) AS last FROM text_pages GROUP BY text HAVING count(*) >= ?
    )
    SELECT text, texts.layout, tag, type, words, shown, first, last, year, count(*) AS pages
    FROM often JOIN texts USING (text) JOIN text_pages USING (text) JOIN looked_at USING (page) GROUP BY text, year ORDER BY first, text
"""


_MISSING = f"""
    WITH named AS (
        SELECT DISTINCT field FROM metadata WHERE field IN ({", ".join("?" * len(MAIN_FIELDS))})
    ), fields AS (
        SELECT named.field, by_year.layout, by_year.year, pages, coalesce(present, 0) AS present
        FROM named JOIN by_year LEFT JOIN metadata ON metadata.field = named.field
        AND metadata.layout = by_year.layout AND metadata.year = coalesce(by_year.year, {NO_YEAR})
    ), shares AS (
        SELECT *, sum(pages) OVER of_layout AS whole, sum(present) OVER of_layout AS there
        FROM fields WINDOW of_layout AS (PARTITION BY field, layout)
    )
    SELECT field, layout, sum(pages - present) AS pages, sum(pages) AS of_pages,
        json_group_array(year) FILTER (WHERE pages > present) AS "years[]"
    FROM shares WHERE (field != 'author' AND whole >= {_ENOUGH_PAGES} AND there < 0.5 * whole) OR (
        min(pages, whole - pages) >= {_YEAR_PAGES}
        AND present < 0.5 * pages AND there - present >= 0.8 * (whole - pages)
    ) GROUP BY field, layout
"""
"""Fields that most pages of a layout lack, and those that most pages of a year lack while nearly all of the
other years have them."""
_LACKING = f"""
    SELECT url, '' AS text FROM lacking JOIN looked_at USING (page)
    WHERE field = ? AND layout = ? AND EXISTS (SELECT 1 FROM json_each(?) WHERE value IS year)
    ORDER BY page LIMIT {MOST_EXAMPLES}
"""
"""Pages of some years that lack a field."""


def pages_of(counts: Counts, layout: str) -> Counter[Year]:
    """How many pages of a layout were looked at, by year."""
    return Counter(dict(counts.rows("SELECT year, pages FROM by_year WHERE layout = ?", layout)))


def layouts_of(counts: Counts) -> list[str]:
    """The layouts of the pages that were looked at; the base rules are an empty one."""
    return [layout for (layout,) in counts.rows("SELECT DISTINCT layout FROM by_year ORDER BY layout")]


def _pages_under(counts: Counts, layouts: Iterable[str]) -> int:
    return sum(pages_of(counts, layout).total() for layout in layouts)


def finding(*, years: Iterable[Year] = (), examples: Sequence[Row] = (), **about: str | int) -> Row:
    """One thing that a person should look at: `pages` of `of_pages`, and what else is known of it.

    `rule`: place and selector of the rule it is about ("portal.yaml:31 div.ajanlo"); `layout`: empty: the
    base rules; `of_pages`: of that layout; `words`: at stake on all these pages; `years`: in which it was
    seen; of something that is new in some years, only those.
    """
    known = sorted({year for year in years if year is not None})
    usual = {"message": "", "rule": "", "tag": "", "layout": "", "pages": 0, "of_pages": 0, "words": 0}
    return Row({**usual, **about, "years": known, "examples": examples})


def striking_years(pages: Counter[Year], whole: Counter[Year], share: float) -> list[Year] | None:
    """The years in which something is on too large a share of the pages; None if it is nowhere."""
    if pages.total() < FEWEST_PAGES:
        return None
    # in one year the share has to be twice that of all of a layout; half of the pages are enough
    of_year = min(2 * share, max(share, 0.5))
    years = [
        year
        for year, of in whole.items()
        if of >= _YEAR_PAGES and pages[year] >= max(of_year * of, FEWEST_PAGES)
    ]
    if pages.total() < share * whole.total():
        return years or None
    return [year for year in pages if pages[year]]


def _recurring(counts: Counts) -> list[Row]:
    """Kept texts (of a whole article with the type `body`) that are on several pages: how many, of how many,
    the first and the last; and the years in which they are on too many, if that says something."""
    texts: dict[int, Row] = {}
    for of_year in counts.named(_TEXTS, FEWEST_PAGES):
        texts.setdefault(of_year.text, Row(of_year, by_year=Counter[Year]())).by_year[of_year.year] = (
            of_year.pages
        )
    wholes = {layout: pages_of(counts, layout) for layout in {text.layout for text in texts.values()}}
    for text in texts.values():
        whole, number = wholes[text.layout], text.by_year.total()
        is_often, share = number >= 5, _too_often(text, whole.total())
        text.update(
            pages=number,
            of_pages=whole.total(),
            years=striking_years(text.by_year, whole, share) if is_often else None,
        )
    return list(texts.values())


def _too_often(text: Row, pages: int) -> float:
    """From which share of so many pages on a text is furniture: that all of a body is the same is no
    accident, nobody writes many words twice, and labels come again in honest articles."""
    if text.type == _BODY:
        return 0.01
    if text.words >= 15 and text.type != _CODE:
        return 0.02
    is_label = text.type in _LABELS or (text.words < 5 and not sentences(text.shown)) or pages < SMALL
    return 0.4 if is_label else 0.15


@FindingKind(
    20,
    "same-body",
    "one text is the body of {pages} articles, in {tag}",
    "Look at one of the pages: body.root may point at a notice; where nothing else is there, articles.skip "
    "can say so.",
)
def same_bodies(counts: Counts, portal: Portal) -> Iterator[Row]:  # noqa: ARG001
    """Articles that have all of their text in common: a notice stands in their place."""
    sql = """
        SELECT url, iif(row_number() OVER (ORDER BY page) = 1, ?, '') AS text FROM text_pages JOIN looked_at USING (page)
        WHERE text = ? ORDER BY page LIMIT ?
    """
    for text in (text for text in _recurring(counts) if text.type == _BODY and text.years):
        about = {name: text[name] for name in ("tag", "layout", "pages", "of_pages")}
        examples = counts.named(sql, text.shown, text.text, MOST_EXAMPLES)
        yield finding(**about, words=text.words * text.pages, years=text.years, examples=examples)


@FindingKind(
    70,
    "furniture-kept",
    "the same text is kept on many pages, in {tag}",
    """If it is not of the article, name it under decompose: by its class, or without one by its words, as in 'p:contains("its words")'. """
    """If it is of the article, name it in the same way as what it is, as in paragraph: ['p:contains("its words")'], and this is said no """
    "more.",
)
def recurring_texts(counts: Counts, portal: Portal) -> Iterator[Row]:  # noqa: ARG001
    """Furniture that was kept, one finding a tag."""
    for (tag, layout), same in _furniture_by_tag(_recurring(counts)).items():
        same.sort(key=lambda text: -text.pages)
        several = ", ".join(str(text.text) for text in same)
        passages = (
            counts.named("SELECT url, ? AS text FROM looked_at WHERE page = ?", text.shown, text.first)
            for text in same
        )
        yield finding(
            tag=tag,
            layout=layout,
            pages=counts.number(f"SELECT count(DISTINCT page) FROM text_pages WHERE text IN ({several})"),
            of_pages=same[0].of_pages,
            words=sum(text.words * text.pages for text in same),
            years=[year for text in same for year in text.years or ()],
            examples=list(chain.from_iterable(islice(passages, MOST_EXAMPLES))),
        )


def _furniture_by_tag(recurring: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """The texts of tags (and layouts) of which one text at least is on too many pages."""
    # what stands on just the pages that have one body is a part of that
    bodies = {_place_of(text) for text in recurring if text.type == _BODY and text.years}
    texts = [text for text in recurring if text.type != _BODY and _place_of(text) not in bodies]
    furniture = {(text.tag, text.layout) for text in texts if text.years}
    by_tag: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for text in texts:
        if (text.tag, text.layout) in furniture and (text.years or _is_named(text)):
            by_tag[text.tag, text.layout].append(text)
    return by_tag


def _place_of(text: Row) -> tuple[str, int, int, int]:
    return text.layout, text.pages, text.first, text.last


def _is_named(text: Row) -> bool:
    """Return whether a class that somebody gave tells what a text is.

    Where one text with such a class is furniture, so are those that are rarer: in another language, of
    another year; most of a site may have a class that its program made up.
    """
    return text.type != _CODE and any(
        "*" not in name for part in text.tag.split() for name in parsed_or_bare(part).classes
    )


@FindingKind(
    170,
    "metadata-missing",
    "",
    "Look at one of the pages: a pick may be wrong for them, or they need a layout of their own; if none has "
    "the value, take the pick "
    "out, or let const name it.",
)
def missing_metadata(counts: Counts, portal: Portal) -> Iterator[Row]:
    """Fields that no article has, of those that nearly every article has and those that the portal file asks
    for; picks that give next to nothing; and fields that are missing in one year of a layout and there in the
    others, or in all of a layout."""
    picks = [pick for pick in metadata_picks(portal) if pick.rule is not None]
    filled = {name for (name,) in counts.rows("SELECT DISTINCT field FROM metadata")}
    yield from _empty_fields(counts, picks, filled)
    for pick in picks:
        if pick.field in filled:
            yield from _idle_pick(counts, pick)
    yield from _missing_somewhere(counts)


def _empty_fields(counts: Counts, picks: Sequence[Row], filled: Collection[str]) -> Iterator[Row]:
    """Fields that no article has."""
    asked = {name: ("", set(layouts_of(counts))) for name in MAIN_FIELDS}
    for pick in picks:
        rule, layouts = asked.get(pick.field, ("", set()))
        asked[pick.field] = rule or pick.rule, layouts | set(pick.layouts)
    for name, (rule, layouts) in asked.items():
        pages = _pages_under(counts, layouts)
        fewest = MANY_PAGES if name == "author" and not rule else _ENOUGH_PAGES
        if name not in filled and pages >= fewest:
            message = f"{name} is empty in all of {pages:,} articles"
            several = ", ".join("?" * len(layouts))
            sql = (
                f"SELECT url, '' AS text FROM looked_at WHERE layout IN ({several}) ORDER BY page LIMIT "
                f"{MOST_EXAMPLES}"
            )
            yield finding(
                message=message,
                rule=rule,
                tag=name,
                pages=pages,
                of_pages=pages,
                examples=counts.named(sql, *layouts),
            )


def _idle_pick(counts: Counts, pick: Row) -> Iterator[Row]:
    """A pick that gives next to no values."""
    pages = _pages_under(counts, pick.layouts)
    ruled = counts.rows("SELECT layout, sum(ruled) FROM metadata WHERE field = ? GROUP BY layout", pick.field)
    given = sum(number for layout, number in ruled if layout in pick.layouts)
    idle = 0.1 * pages if pick.field in MAIN_FIELDS else 0  # which every article has
    if pages >= _ENOUGH_PAGES and given <= idle:
        message = (
            f"{pick.rule} gives next to no values; what the pages say of themselves is taken instead, or "
            "nothing"
        )
        layout = _the_only(pick.layouts)
        yield finding(
            message=message,
            rule=pick.rule,
            tag=pick.field,
            layout=layout,
            pages=pages - given,
            of_pages=pages,
        )


def _the_only(layouts: Collection[str]) -> str:
    """Return the layout, where it is one; of several nothing."""
    return next(iter(layouts)) if len(layouts) == 1 else ""


def _missing_somewhere(counts: Counts) -> Iterator[Row]:
    """Give the fields that are missing in one year of a layout and there in the others, or in all of a
    layout."""
    for missing in counts.named(_MISSING, *MAIN_FIELDS):
        about = {name: missing[name] for name in ("layout", "pages", "of_pages", "years")}
        examples = counts.named(_LACKING, missing.field, missing.layout, json.dumps(missing.years))
        message = f"{missing.field} is missing on these pages"
        yield finding(message=message, tag=missing.field, examples=examples, **about)


def place_of_root(portal: Portal, layout: str) -> str:
    """Return the place of the rule of the container, of a layout that has one."""
    root = rules_by_layout(portal)[layout].body.root
    return (place_of_picks(root, portal) if root is not None else None) or ROOT


def portal_selectors(portal: Portal) -> tuple[tuple[str, Selector, frozenset[str]], ...]:
    """The selectors that the portal file itself has, each behind the rule that it stands in, and for which
    layouts it counts: those of presets are meant for other portals, too."""
    found: dict[str, tuple[Selector, set[str]]] = {}
    for name, layout in rules_by_layout(portal).items():
        for rule, selector in (*_tag_selectors(layout, portal), *_pick_selectors(layout, portal)):
            found.setdefault(rule, (selector, set()))[1].add(name)
    return tuple((rule, selector, frozenset(layouts)) for rule, (selector, layouts) in found.items())


def rules_by_layout(portal: Portal) -> dict[str, Portal | Layout]:
    """Return the rules of each layout by its name; the base rules have none."""
    return {"": portal, **{layout.name: layout for layout in portal.layouts}}


def _tag_selectors(layout: Portal | Layout, portal: Portal) -> Iterator[tuple[str, Selector]]:
    for rule in chain.from_iterable(layer.rules for layer in layout.body.tags):
        if portal.has_itself(rule.source):
            yield f"{rule.source} {squeeze(rule.css.text)}", rule.css


def _pick_selectors(layout: Portal | Layout, portal: Portal) -> Iterator[tuple[str, Selector]]:
    several = filter(None, (layout.body.root, *layout.metadata.values()))
    for pick in chain.from_iterable(picks.each() for picks in several):
        place = _written(pick, portal)
        if pick.css is not None and pick.html_in is None and place is not None:
            yield place, pick.css


def _written(pick: Pick, portal: Portal) -> str | None:
    """Where in the portal file itself a pick stands: "portal.yaml:105 metadata.author a.szerzo"; None for a
    pick of a preset."""
    if not portal.has_itself(pick.place):
        return None
    return " ".join(filter(None, (pick.place, pick.source, pick.text if pick.css is not None else "")))


def place_of_picks(picks: Picks, portal: Portal) -> str | None:
    """Return the place of the first of several picks that has a selector; None for those of a preset."""
    several = list(picks.each())
    return _written(next((pick for pick in several if pick.css is not None), several[0]), portal)


def metadata_picks(portal: Portal) -> list[Row]:
    """The picks of all layouts, each once; without those that look nowhere, or drop whatever there is, to say
    that a field has no value.

    `layouts`: those for which it counts, since a layout inherits what it does not say otherwise; `rule`: its
    place in the portal file, None for one of a preset.
    """
    read_by: list[Row] = []
    for layout, rules in rules_by_layout(portal).items():
        for name, picks in rules.metadata.items():
            if picks.drops("") or all(pick.only_drops for pick in picks.each()):
                continue
            known = next((pick for pick in read_by if pick.field == name and pick.picks == picks), None)
            if known is None:
                read_by.append(
                    Row(field=name, picks=picks, layouts=[layout], rule=place_of_picks(picks, portal))
                )
            else:
                known.layouts.append(layout)
    return read_by


def unmatched_rules(counts: Counts, portal: Portal) -> Iterator[tuple[str, frozenset[str], int]]:
    """Rules of the portal file that matched nothing, with their layouts, and how many pages of these were
    looked at."""
    matched = defaultdict[str, set[str]](set)
    for selector, layout in counts.rows("SELECT selector, layout FROM matched"):
        matched[selector].add(layout)
    for rule, selector, layouts in portal_selectors(portal):
        pages = _pages_under(counts, layouts)
        if pages and layouts.isdisjoint(matched[selector.text]):
            yield rule, layouts, pages


@FindingKind(
    180,
    "rule-unused",
    "{rule} matches nothing",
    "Correct the selector, or take it out.",
)
def unused_rules(counts: Counts, portal: Portal) -> Iterator[Row]:
    """Rules that never match, and layouts that no page has, where very many pages were looked at."""
    for rule, layouts, pages in unmatched_rules(counts, portal):
        if pages >= MANY_PAGES:
            layout = _the_only(layouts)
            yield finding(rule=rule, layout=layout, pages=pages, of_pages=pages)
    used = layouts_of(counts)
    pages = counts.number("SELECT sum(pages) FROM by_year")
    for layout in (
        written.name for written in portal.layouts if written.name not in used and pages >= MANY_PAGES
    ):
        yield finding(rule=f"the layout {layout}", layout=layout, pages=pages, of_pages=pages)
