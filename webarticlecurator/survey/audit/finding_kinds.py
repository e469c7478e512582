"""The table of all kinds of findings, and what an audit says of what was counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.survey.audit import across_pages, container, kept_and_lost
from webarticlecurator.survey.audit.audited_page import AuditedPage, PageFinding
from webarticlecurator.survey.audit.rule_use import REPORTED_FIELDS, metadata_picks, root_places
from webarticlecurator.survey.page_pass import NO_YEAR, PASSED_OVER, Counts
from webarticlecurator.survey.stored_page_sample import Year

_SEEN = """
    SELECT subject, kind, rule, tag, subjects.layout, year, count(*), sum(times), sum(words)
    FROM found JOIN subjects USING (subject) JOIN looked_at USING (page) GROUP BY subject, year ORDER BY min(page)
"""
_EXAMPLES = f"""
    SELECT url, text FROM examples JOIN looked_at USING (page) WHERE subject = ? ORDER BY page LIMIT {across_pages.MOST_EXAMPLES}
"""


class FindingKind(NamedTuple):
    """One row of the table of findings."""

    key: str
    """Of several rows where one thing shows in several ways."""
    message: str
    """What was found. {tag} and {rule} are what it is about, {pages} and {words} how much it is."""
    advice: str
    """What to do."""
    on_page: Callable[[AuditedPage], Iterator[PageFinding]] | None = None
    """How it is found on a single page."""
    share: float = 0.0
    """Of the pages of a layout from which it is told; of those of one year, twice as many."""
    variety: float = 0.0
    """Different texts among all, at least: what is the same on all pages is furniture, and rightly dropped."""
    words: float = 0.0
    """In the mean, at least."""
    on_all: Callable[[Counts, Portal], Iterator[Row]] | None = None
    """How it is found in what was counted of all pages."""


_NO_ARTICLE = "articles.skip.when can say so (articles.skip.url leaves in what is stored)."

# The most costly first, which is the order of the report. A share is small where each page is a loss: all of a page without a container, an
# article without its comments, a box that is rare. It is larger where honest pages show the sign, too: notices outside the container,
# lists of links, long questions of an interview as headings. A container that is too large is so nearly everywhere.
KINDS = (
    FindingKind(
        "no-root",
        "{rule} finds no container: nothing of these pages is kept",
        "Look at one of the pages: body.root needs another alternative, or the pages a layout of their own.",
        container.no_container,
        0.01,
    ),
    FindingKind(
        "same-body",
        "one text is the body of {pages} articles, in {tag}",
        "Look at one of the pages: body.root may point at a notice; where nothing else is there, " + _NO_ARTICLE,
        on_all=across_pages.same_bodies,
    ),
    FindingKind(
        "root-too-small",
        "running text stands outside of the container, in {tag}",
        "If it is of the article, body.root has to take it in: a wider element, or several with all_of.",
        container.text_outside,
        0.05,
        variety=0.6,
    ),
    FindingKind(
        "text-lost",
        "text that differs from page to page is dropped with {tag}",
        "If it is of the article, take it out of what is dropped, or give it a block's name.",
        kept_and_lost.lost_text,
        0.02,
        variety=0.3,
        words=5,
    ),
    FindingKind(
        "comments-not-read",
        "what readers wrote stands in {tag}, and no rule reads comments there",
        "If they are wanted, posts.comments reads them, and learning proposes the rule; if not, `posts: {comments: null}` ends this.",
        kept_and_lost.unread_comments,
        0.01,
        variety=0.6,
    ),
    FindingKind(
        "root-too-large",
        "the container holds the article in {tag}, and {words} words beside it that are kept but no running text",
        "Make body.root smaller, or decompose what does not belong there.",
        container.text_around,
        0.3,
    ),
    FindingKind(
        "furniture-kept",
        "the same text is kept on many pages, in {tag}",
        "If it is not of the article, add it to decompose; if it is, a rule that says what it is, by a class of its own or its words "
        """(such as item: ['li:contains("its words")']), ends this.""",
        on_all=across_pages.recurring_texts,
    ),
    FindingKind(
        "furniture-kept",
        "links that lead away, or signs, are kept as text, in {tag}",
        "If it is not of the article, add it, or what it stands in, to decompose.",
        kept_and_lost.kept_links,
        0.05,
    ),
    FindingKind(
        "furniture-kept",
        "{tag} is kept, and its name says that it is furniture",
        "If it is what it says, add it to decompose; if not, a rule that says what it is ends this.",
        kept_and_lost.named_blocks,
        0.05,
    ),
    FindingKind(
        "sentence-interrupted",
        "{tag} is dropped out of the middle of sentences",
        "If it belongs to the sentence, unwrap it or give it an inline's name.",
        kept_and_lost.interrupted_sentences,
        0.03,
        variety=0.3,
    ),
    FindingKind(
        "sentence-interrupted",
        "two words stand together where {tag} was dropped between them",
        "If it belongs to the sentence, unwrap it or give it an inline's name.",
        kept_and_lost.grown_together,
        0.03,
    ),
    FindingKind(
        "paragraph-cut",
        "paragraphs break off, and the next one goes on in the middle of the sentence, at {tag}",
        "An inline may have been made a block there: give it an inline's name, or unwrap it. If it is a line of names, dates or tags, "
        "decompose it.",
        kept_and_lost.cut_paragraphs,
        0.05,
        variety=0.3,
    ),
    FindingKind(
        "paragraphs-glued",
        "several paragraphs of the page become one, from {tag}",
        "Look for unwrap-all around it, or for a block's name on what holds several paragraphs.",
        kept_and_lost.glued_paragraphs,
        0.05,
    ),
    FindingKind(
        "prose-as-heading",
        "running text becomes headings, from {tag}",
        "Make the selector of the heading rule narrower.",
        kept_and_lost.prose_headings,
        0.1,
        variety=0.3,
    ),
    FindingKind(
        "structure-flattened",
        "items of lists, or cells of tables, become paragraphs, from {tag}",
        "Do not unwrap lists and tables, or their parts; those that are only layout are better decided by their class.",
        kept_and_lost.flattened,
        0.03,
    ),
    FindingKind(
        "almost-empty",
        "next to nothing is kept of these pages",
        "Look at one of the pages: the container, or a rule, may be wrong for them.",
        kept_and_lost.almost_empty,
        0.05,
    ),
    FindingKind(
        "metadata-missing",
        "",
        "Look at one of the pages: a pick may be wrong for them, or they need a layout of their own; if none has the value, take the pick "
        "out, or let const name it.",
        on_all=across_pages.missing_metadata,
    ),
    FindingKind(
        "rule-unused",
        "{rule} matches nothing",
        "Correct the selector, or take it out.",
        on_all=across_pages.unused_rules,
    ),
)
"""A new kind is a row here, and the function that the row names."""
_NOWHERE = "an element without a class"
_FURNITURE = "furniture-kept"
_FEWEST_TEXTS = 3
"""Fewer different texts say nothing about how much they differ."""
_MOST_ROWS = 200
_LAST = 10_000
"""The year of pages without a date, where years are sorted."""


def audit_of(counts: Counts, portal: Portal, *, of_pages: int) -> Row:
    """The findings, with the account of what was kept and dropped, as programs get it."""
    across_pages.sum_up(counts)
    most_words = f"ORDER BY words DESC, tag LIMIT {_MOST_ROWS}"
    by_year = counts.named(
        "SELECT nullif(layout, '') AS layout, year, pages, words_kept, words_dropped FROM by_year ORDER BY layout, coalesce(year, ?)", _LAST
    )
    pages = sum(row.pages for row in by_year)
    return Row(
        portal=portal.name,
        pages=pages,
        of_pages=of_pages,
        small_sample=pages < across_pages.SMALL,
        passed_over=dict(counts.rows(f"SELECT outcome, pages FROM {PASSED_OVER} ORDER BY outcome")),
        words_kept=sum(row.words_kept for row in by_year),
        words_dropped=sum(row.words_dropped for row in by_year),
        findings=_findings(counts, portal),
        dropped=counts.named(f"SELECT rule, tag, nullif(layout, '') AS layout, pages, words FROM dropped {most_words}"),
        undecided=counts.named(f"SELECT tag, nullif(layout, '') AS layout, pages, words FROM undecided {most_words}"),
        unmatched_rules=across_pages.unmatched_rules(counts, portal),
        years=by_year,
        metadata=list(_metadata(counts, portal)),
    )


def _findings(counts: Counts, portal: Portal) -> list[Row]:
    """All of them, the most costly kind first, then the most words; of a place with furniture only the strongest reason."""
    on_pages, furniture = _seen_on_pages(counts, portal), set[tuple[str, str]]()
    findings = []
    for number, kind in enumerate(KINDS):
        there = on_pages[number] if kind.on_all is None else kind.on_all(counts, portal)
        of_kind = sorted(there, key=lambda row: (-row.words, -row.pages, row.tag, row.rule))
        findings += [_told(kind, row) for row in of_kind if kind.key != _FURNITURE or (row.tag, row.layout) not in furniture]
        furniture |= {(row.tag, row.layout) for row in of_kind if kind.key == _FURNITURE}
    return findings


def _seen_on_pages(counts: Counts, portal: Portal) -> Mapping[int, Sequence[Row]]:
    """By the number of the kind."""
    roots = root_places(portal)
    subjects: defaultdict[tuple[int, int, str, str, str], Counter[Year]] = defaultdict(Counter)
    amounts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for subject, number, rule, tag, layout, year, pages, times, words in counts.rows(_SEEN):
        subjects[subject, number, rule, tag, layout][year] += pages
        amounts[subject].update(times=times, words=words)
    findings: defaultdict[int, list[Row]] = defaultdict(list)
    for (subject, number, rule, tag, layout), by_year in subjects.items():
        kind, whole = KINDS[number], across_pages.pages_of(counts, layout)
        years = across_pages.striking_years(by_year, whole, kind.share)
        enough = amounts[subject]["words"] >= kind.words * amounts[subject]["times"]
        if years is not None and enough and _varies(counts, subject, kind.variety):
            findings[number].append(
                across_pages.finding(
                    rule=roots.get(layout, rule) if rule == container.ROOT else rule,
                    tag=tag,
                    layout=layout,
                    pages=by_year.total(),
                    of_pages=whole.total(),
                    words=amounts[subject]["words"],
                    years=years,
                    examples=counts.named(_EXAMPLES, subject),
                )
            )
    return findings


def _varies(counts: Counts, subject: int, least: float) -> bool:
    """Whether the texts differ that were seen."""
    if not least:
        return True
    different, times = counts.rows("SELECT count(*), sum(times) FROM found_texts WHERE subject = ?", subject)[0]
    return bool(different >= _FEWEST_TEXTS and different >= least * times)


def _told(kind: FindingKind, row: Row) -> Row:
    """With its kind and its sentences; a message that it brings along is put behind that of its kind."""
    rule, tag = row.rule or "the general finder", row.tag or _NOWHERE
    message = kind.message.format(rule=rule, tag=tag, pages=f"{row.pages:,}", words=f"{row.words:,}")
    share = round(row.pages / row.of_pages, 4) if row.of_pages else 0.0
    about = {"kind": kind.key, "message": message + row.message, "advice": kind.advice}
    return Row({**about, **row, **about, "layout": row.layout or None, "share": share})


def _metadata(counts: Counts, portal: Portal) -> Iterator[Row]:
    """Fields that nearly every portal has, then those that only the rules of this one ask for."""
    fields = dict.fromkeys((*REPORTED_FIELDS, *(pick.field for pick in metadata_picks(portal))))
    present = {(year, name): pages for year, name, pages in counts.rows("SELECT year, field, sum(present) FROM metadata GROUP BY 1, 2")}
    for year, pages in counts.rows("SELECT year, sum(pages) FROM by_year GROUP BY year ORDER BY coalesce(year, ?)", _LAST):
        yield Row(year=year, pages=pages, filled={name: present.get((year or NO_YEAR, name), 0) for name in fields})
