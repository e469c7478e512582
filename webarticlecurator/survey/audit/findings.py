"""The question of an audit to every stored page, and the report of what was counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice, takewhile
from typing import Any, ClassVar

from webarticlecurator.building.kept_rules import without_lines
from webarticlecurator.config.article_rules import UNWANTED, BodyRules, PostKind
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import ANYTHING, Needs, needs_of_selector
from webarticlecurator.databases import Row
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.page_reading import PageReading, lookup_of
from webarticlecurator.labelling.simplified_tags import tag_of
from webarticlecurator.model.article import Article, Fate
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector
from webarticlecurator.survey.audit import (  # noqa: F401 - they add kinds
    across_pages,
    audited_page,
    comparison,
    container,
    unread_comments,
    unread_json,
)
from webarticlecurator.survey.audit.audited_page import ROOT, AuditedPage, PageFinding, fingerprint
from webarticlecurator.survey.audit.body_places import PLACES, count_places
from webarticlecurator.survey.page_pass import (
    NO_YEAR,
    PASSED_OVER,
    Columns,
    Counted,
    Counts,
    hash_of,
    shortened,
)
from webarticlecurator.survey.stored_page_sample import StoredPage, Year, year_of
from webarticlecurator.text import word_count

_SEEN = """
    SELECT subject, kind, rule, tag, subjects.layout, sum(sum(words)) OVER (PARTITION BY subject), year, count(*)
    FROM found JOIN subjects USING (subject) JOIN looked_at USING (page) GROUP BY subject, year ORDER BY min(page), subject, year
"""
_EXAMPLES = f"""
    SELECT url, text FROM examples JOIN looked_at USING (page) WHERE subject = ? ORDER BY page LIMIT {across_pages.MOST_EXAMPLES}
"""
KINDS = sorted(audited_page.KINDS, key=lambda kind: kind.rank)
_LAST = 10_000
"""The year of pages without a date, where years are sorted."""


def audit_of(counts: Counts, portal: Portal, *, of_pages: int) -> Row:
    """The findings, with the account of what was kept and dropped, as programs get it."""
    counts.write(across_pages.BY_YEAR)
    most_words = "ORDER BY words DESC, tag LIMIT 200"
    by_year = counts.named(
        "SELECT nullif(layout, '') AS layout, year, pages, words_kept, words_dropped FROM by_year ORDER BY "
        "layout, coalesce(year, ?)",
        _LAST,
    )
    pages = sum(row.pages for row in by_year)
    # fields that nearly every portal has, then those that only the rules of this one ask for
    fields = dict.fromkeys(
        (*across_pages.REPORTED_FIELDS, *(pick.field for pick in across_pages.metadata_picks(portal)))
    )
    present = {
        (year, name): pages
        for year, name, pages in counts.rows("SELECT year, field, sum(present) FROM metadata GROUP BY 1, 2")
    }
    all_layouts = counts.rows(
        "SELECT year, sum(pages) FROM by_year GROUP BY year ORDER BY coalesce(year, ?)", _LAST
    )
    return Row(
        portal=portal.name,
        pages=pages,
        of_pages=of_pages,
        small_sample=pages < across_pages.SMALL,
        passed_over=dict(counts.rows(f"SELECT outcome, pages FROM {PASSED_OVER} ORDER BY outcome")),
        words_kept=sum(row.words_kept for row in by_year),
        words_dropped=sum(row.words_dropped for row in by_year),
        findings=_findings(counts, portal),
        dropped=counts.named(
            f"SELECT rule, tag, nullif(layout, '') AS layout, pages, words FROM dropped {most_words}"
        ),
        undecided=counts.named(
            f"SELECT tag, nullif(layout, '') AS layout, pages, words FROM undecided {most_words}"
        ),
        unmatched_rules=[rule for rule, *_ in across_pages.unmatched_rules(counts, portal)],
        years=by_year,
        metadata=[
            Row(
                year=year,
                pages=pages,
                filled={name: present.get((year or NO_YEAR, name), 0) for name in fields},
            )
            for year, pages in all_layouts
        ],
    )


def _findings(counts: Counts, portal: Portal) -> list[Row]:
    """All of them, the most costly kind first, then the most words."""
    on_pages = _seen_on_pages(counts, portal)
    findings = []
    for number, kind in enumerate(KINDS):
        there = on_pages[number] if kind.share else kind.find(counts, portal)
        for row in sorted(there, key=lambda row: (-row.words, -row.pages, row.tag, row.rule)):
            rule, tag = row.rule or "the general finder", row.tag or "an element without a class"
            message = kind.message.format(rule=rule, tag=tag, pages=f"{row.pages:,}", words=f"{row.words:,}")
            share = round(row.pages / (row.of_pages or 1), 4)
            about = {"kind": kind.key, "message": message + row.message, "advice": kind.advice}
            findings.append(Row({**about, **row, **about, "layout": row.layout or None, "share": share}))
    return findings


def _seen_on_pages(counts: Counts, portal: Portal) -> dict[int, list[Row]]:
    """Return what was seen on enough pages, by the number of its kind."""
    subjects: defaultdict[tuple[int, int, str, str, str, int], Counter[Year]] = defaultdict(Counter)
    for *about_it, year, pages in counts.rows(_SEEN):
        subjects[tuple(about_it)][year] = pages
    on_pages: defaultdict[int, list[Row]] = defaultdict(list)
    for (subject, number, name, tag, layout, words), by_year in subjects.items():
        kind, whole = KINDS[number], across_pages.pages_of(counts, layout)
        rule = across_pages.place_of_root(portal, layout) if name == ROOT else name
        years = across_pages.striking_years(by_year, whole, kind.share)
        different, times = counts.rows(
            "SELECT count(*), sum(times) FROM found_texts WHERE subject = ?", subject
        )[0]
        varies = not kind.variety or different >= max(
            3, kind.variety * times
        )  # fewer texts say nothing of how much they differ
        if years is None or not varies:
            continue
        seen = across_pages.finding(
            rule=rule,
            tag=tag,
            layout=layout,
            pages=by_year.total(),
            of_pages=whole.total(),
            words=words,
            years=years,
            examples=counts.named(_EXAMPLES, subject),
        )
        on_pages[number].append(seen)
    return on_pages


# --- what is asked of every page: it is read by the real rules, and what is odd about the article is counted ---

_LOOKED_AT = frozenset({PageOutcome.ARTICLE, PageOutcome.EMPTY, PageOutcome.LISTING})
"""Outcomes of pages that the rules may be wrong about; a page behind a wall, or one that a rule skips, is
none of their doing."""


class AuditQuestion:
    """The question of an audit to every page: each process is given it once, and compiles the rules once."""

    tables: ClassVar[Mapping[str, Columns]] = {
        "looked_at": Columns("page", facts="url, layout, year, kept, dropped"),
        "subjects": Columns("subject", facts="kind, rule, tag, layout"),
        "found": Columns("subject, page", "times, words"),
        "found_texts": Columns("subject, text", "times"),
        "examples": Columns("subject, page", facts="text"),
        "texts": Columns(
            "text",
            facts="layout, tag, type, words, shown",
            most=100_000,
            rarest="text NOT IN (SELECT text FROM text_pages GROUP BY text HAVING count(*) > ?)",
        ),
        "text_pages": Columns(
            "text, page",
            most=400_000,
            rarest="text IN (SELECT text FROM text_pages GROUP BY text HAVING count(*) <= ?)",
        ),
        "dropped": Columns("rule, tag, layout", "words, pages"),
        "undecided": Columns("tag, layout", "words, pages"),
        "metadata": Columns("field, layout, year", "present, ruled"),
        "lacking": Columns("field, page"),
        "body_places": PLACES,
        "compared": comparison.COMPARED,
        "places_of_words": comparison.PLACES_OF_WORDS,
        "word_examples": comparison.WORD_EXAMPLES,
        "matched": Columns("selector, layout"),
    }
    """A subject is what findings are counted together by; its kind the number of a row of `KINDS`. Words that
    stand on a page are told by their text; the type of a whole article is `body`."""

    def __init__(self, portal: Portal) -> None:
        self.portal = without_lines(portal)
        self._general = comparison.without_rules(self.portal)
        self._selectors = _selectors_by_layout(portal)

    @property
    def about(self) -> Mapping[str, Any]:
        """Return for each layout whether it has no rules for the body, whether nobody wants its comments, and
        which selectors are looked for."""
        return {
            layout: [
                rules.body == BodyRules(),
                rules.posts.get(PostKind.COMMENTS) == UNWANTED,
                list(self._selectors[layout]),
            ]
            for layout, rules in across_pages.rules_by_layout(self.portal).items()
        }

    def touched(self, before: Mapping[str, Any]) -> Iterator[Needs]:
        """Return what pages need to be counted otherwise; those of a new layout are read otherwise."""
        now = self.about
        if len(now) <= len(self.portal.layouts):  # two have one name
            yield ANYTHING
        for layout in before.keys() & now.keys():
            *shape, selectors = before[layout]
            if shape != now[layout][:-1]:
                yield ANYTHING
            new = self._selectors[layout].keys() - set(selectors)
            yield from (needs_of_selector(self._selectors[layout][text]) for text in new)

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. Raises PatternTimeout."""
        readings: list[PageReading] = []
        article = read_article([page], self.portal, url=stored.url, listing=stored.listing, readings=readings)
        if article.outcome is PageOutcome.UNREADABLE:
            raise PatternTimeout(article.reason)
        if article.outcome not in _LOOKED_AT:
            counted.add(PASSED_OVER, (article.outcome.value,), 1)
            return
        name = article.layout or ""
        (reading,) = readings
        audited = AuditedPage(page, self.portal, article, reading, lookup_of(reading.rules.body))
        year = year_of(date.value for date in article.metadata.get("datePublished", ())[:1]) or stored.year
        findings = (
            (number, finding)
            for number, kind in enumerate(KINDS)
            if kind.share
            for finding in kind.find(audited)
        )
        for number, finding in list(
            islice(findings, 500)
        ):  # nothing is counted of a page on which a pattern takes too long
            self._count(number, finding, name, stored.number, counted)
        comparison.compare(audited, self._general, name, stored.number, counted)
        dropped = _count_account(article, name, counted)
        counted.note("looked_at", (stored.number,), stored.url, name, year, audited.kept_words, dropped)
        _count_texts(audited, name, stored.number, counted)
        count_places(audited, name, stored.number, counted)
        _count_fields(audited, name, year, stored.number, counted)
        self.count_matched(audited, name, counted)

    def count_matched(self, audited: AuditedPage, layout: str, counted: Counted) -> None:
        """Count the selectors of the portal file that match something here; those that have matched on a page
        that is counted together with it are not searched for again."""
        page = audited.page
        trees = (
            [page.tree] if page.tree is not None else audited.roots
        )  # the HTML of a JSON article is its container
        known = counted.tables["matched"]
        with page.budget:
            for text, selector in self._selectors[layout].items():
                if (text, layout) not in known and any(map(selector.select, trees)):
                    counted.note("matched", (text, layout))

    def _count(self, kind: int, finding: PageFinding, layout: str, page: int, counted: Counted) -> None:
        facts = kind, finding.rule, finding.tag, layout
        subject = hash_of(repr(facts))
        counted.note("subjects", (subject,), *facts)
        counted.add("found", (subject, page), 1, finding.words)
        counted.add("found_texts", (subject, fingerprint(finding.text)), 1)
        shown = counted.shown[subject]
        if len(shown) < across_pages.MOST_EXAMPLES and page not in shown:
            shown.append(page)
            counted.note("examples", (subject, page), shortened(finding.text))


def _selectors_by_layout(portal: Portal) -> defaultdict[str, dict[str, Selector]]:
    """Return the selectors that the portal file itself has for pages of each layout."""
    by_layout: defaultdict[str, dict[str, Selector]] = defaultdict(dict)
    for _, selector, layouts in across_pages.portal_selectors(portal):
        for layout in layouts:
            by_layout[layout][selector.text] = selector
    return by_layout


def _count_account(article: Article, layout: str, counted: Counted) -> int:
    """Count what was dropped by which rule, and what no rule decides; return how many words were dropped."""
    dropped = Counter[tuple[str, str]]()
    for piece in article.pieces:
        if piece.fate is Fate.DROPPED:
            dropped[piece.rule, piece.tag] += word_count(piece.text)
    for (rule, tag), words in dropped.items():
        counted.add("dropped", (rule, tag, layout), words, 1)
    for unknown in article.unknown_tags:
        if unknown.words:
            counted.add("undecided", (unknown.tag, layout), unknown.words, 1)
    return dropped.total()


def _count_fields(audited: AuditedPage, layout: str, year: Year, page: int, counted: Counted) -> None:
    """Count the fields that an article has and has not, and whose values come from the rule for them."""
    picks, metadata = audited.reading.rules.metadata, audited.article.metadata
    for field, values in metadata.items():
        is_ruled = field in picks and values[0].source == next(picks[field].each()).source
        is_said = not values[0].place_in_body
        counted.add("metadata", (field, layout, year or NO_YEAR), int(is_said), is_ruled)
    for field in across_pages.MAIN_FIELDS:
        if field not in metadata:
            counted.note("lacking", (field, page))


def _count_texts(audited: AuditedPage, layout: str, page: int, counted: Counted) -> None:
    whole = "\n".join(block.text for block in audited.blocks)
    if audited.kept_words >= 5:  # "See the pictures" is all that some galleries have
        text = hash_of(f"{layout} body {fingerprint(whole)}")
        tag = audited.tag_of(0) or next((tag_of(root).text for root in audited.elements), "")
        counted.note("texts", (text,), layout, tag, "body", audited.kept_words, shortened(whole))
        counted.note("text_pages", (text, page))
    for number, block in enumerate(audited.blocks):
        text = hash_of(f"{layout} {fingerprint(block.text)}")
        if (text, page) in counted.tables["text_pages"] or not _may_be_furniture(audited, number):
            continue
        kind = "cell" if block.inside[-1:] == ("cell",) else block.type
        if (text,) not in counted.tables["texts"]:
            counted.note(
                "texts", (text,), layout, audited.tag_of(number), kind, block.words, shortened(block.text)
            )
        counted.note("text_pages", (text, page))


def _may_be_furniture(audited: AuditedPage, number: int) -> bool:
    """Return whether a text that comes again says anything: not if it is very short, a person has named it,
    or it is no text of its own."""
    block = audited.blocks[number]
    if (
        len(block.text) < 5 or audited.is_told_by_name(number) or "note" in (*block.inside, block.type)
    ):  # the text refers to a note
        return False
    in_row = takewhile(lambda element: element.tag != "tr", audited.around[number])
    return not any(
        element.tag == "th" for element in in_row
    )  # tables of one kind have the same heads of columns
