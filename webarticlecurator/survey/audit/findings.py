"""The table of all kinds of findings, and what an audit says of what was counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from webarticlecurator.config.portal import Portal
from webarticlecurator.survey.audit import across_pages, container, kept, lost
from webarticlecurator.survey.audit.page import AuditedPage, PageFinding
from webarticlecurator.survey.audit.results import Audit, Finding, JsonRow, Passage
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


@dataclass(frozen=True, slots=True)
class OnPages:
    """Found on single pages, and told where it is on too many of them."""

    find: Callable[[AuditedPage], Iterator[PageFinding]]
    share: float
    """Of the pages of a layout from which it is told; of those of one year, twice as many."""
    variety: float = 0.0
    """Different texts among all, at least: what is the same on all pages is furniture, and rightly dropped."""
    words: float = 0.0
    """In the mean, at least."""
    pages: int = across_pages.FEWEST_PAGES


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One row of the table of findings."""

    key: str
    """Of several rows where one thing shows in several ways."""
    message: str
    """What was found. {tag} and {rule} are what it is about, {pages} and {words} how much it is."""
    advice: str
    """What to do."""
    found: OnPages | Callable[[Counts, Portal], Iterator[Finding]]
    """How it is found: on single pages, or in what was counted of all of them (then still without its kind and its sentences)."""


_NO_ARTICLE = "articles.skip.when can say so (articles.skip.url leaves in what is stored)."

# The most costly first, which is the order of the report; docs/reference/audit.md gives the reason for each share.
KINDS = (
    FindingKind(
        "no-root",
        "{rule} finds no container: nothing of these pages is kept",
        "Look at one of the pages: body.root needs another alternative, or the pages a layout of their own.",
        OnPages(container.no_container, 0.01),
    ),
    FindingKind(
        "pages-not-followed",
        "the articles go on at further pages, by {tag}, and articles.next does not lead there",
        "If these are pages of the article, write the rule; a crawl that rechecks then fetches them.",
        OnPages(container.unfollowed_pages, 0.0, pages=1),
    ),
    FindingKind(
        "same-body",
        "one text is the body of {pages} articles, in {tag}",
        "Look at one of the pages: body.root may point at a notice; where nothing else is there, " + _NO_ARTICLE,
        across_pages.same_bodies,
    ),
    FindingKind(
        "root-too-small",
        "running text stands outside of the container, in {tag}",
        "If it is of the article, body.root has to take it in: a wider element, or several with all_of.",
        OnPages(container.text_outside, 0.05, variety=0.6),
    ),
    FindingKind(
        "text-lost",
        "text that differs from page to page is dropped with {tag}",
        "If it is of the article, take it out of what is dropped, or give it a block's name.",
        OnPages(lost.lost_text, 0.02, variety=0.3, words=5),
    ),
    FindingKind(
        "comments-not-read",
        "what readers wrote stands in {tag}, and no rule reads comments there",
        "If they are wanted, posts.comments reads them, and learning proposes the rule; if not, `posts: {comments: null}` ends this.",
        OnPages(lost.unread_comments, 0.01, variety=0.6),
    ),
    FindingKind(
        "root-too-large",
        "the container holds the article in {tag}, and {words} words beside it that are kept but no running text",
        "Make body.root smaller, or decompose what does not belong there.",
        OnPages(container.text_around, 0.3),
    ),
    FindingKind(
        "furniture-kept",
        "the same text is kept on many pages, in {tag}",
        "If it is not of the article, add it to decompose; if it is, a rule that says what it is, by a class of its own or its words "
        """(such as item: ['li:contains("its words")']), ends this.""",
        across_pages.recurring_texts,
    ),
    FindingKind(
        "furniture-kept",
        "links that lead away, or signs, are kept as text, in {tag}",
        "If it is not of the article, add it, or what it stands in, to decompose.",
        OnPages(kept.kept_links, 0.05),
    ),
    FindingKind(
        "furniture-kept",
        "{tag} is kept, and its name says that it is furniture",
        "If it is what it says, add it to decompose; if not, a rule that says what it is ends this.",
        OnPages(kept.named_blocks, 0.05),
    ),
    FindingKind(
        "sentence-interrupted",
        "{tag} is dropped out of the middle of sentences",
        "If it belongs to the sentence, unwrap it or give it an inline's name.",
        OnPages(lost.interrupted_sentences, 0.03, variety=0.3),
    ),
    FindingKind(
        "sentence-interrupted",
        "two words stand together where {tag} was dropped between them",
        "If it belongs to the sentence, unwrap it or give it an inline's name.",
        OnPages(lost.grown_together, 0.03),
    ),
    FindingKind(
        "paragraph-cut",
        "paragraphs break off, and the next one goes on in the middle of the sentence, at {tag}",
        "An inline may have been made a block there: give it an inline's name, or unwrap it. If it is a line of names, dates or tags, "
        "decompose it.",
        OnPages(kept.cut_paragraphs, 0.05, variety=0.3),
    ),
    FindingKind(
        "paragraphs-glued",
        "several paragraphs of the page become one, from {tag}",
        "Look for unwrap-all around it, or for a block's name on what holds several paragraphs.",
        OnPages(kept.glued_paragraphs, 0.05),
    ),
    FindingKind(
        "prose-as-heading",
        "running text becomes headings, from {tag}",
        "Make the selector of the heading rule narrower.",
        OnPages(kept.prose_headings, 0.1, variety=0.3),
    ),
    FindingKind(
        "structure-flattened",
        "items of lists, or cells of tables, become paragraphs, from {tag}",
        "Do not unwrap lists and tables, or their parts; those that are only layout are better decided by their class.",
        OnPages(kept.flattened, 0.03),
    ),
    FindingKind(
        "almost-empty",
        "next to nothing is kept of these pages",
        "Look at one of the pages: the container, or a rule, may be wrong for them.",
        OnPages(kept.almost_empty, 0.05),
    ),
    FindingKind(
        "undecided-text",
        "no rule decides {tag}, which holds much text",
        "Decide it in body.tags; the tag inventory shows it with examples.",
        across_pages.undecided_text,
    ),
    FindingKind(
        "metadata-missing",
        "",
        "Look at one of the pages: a pick may be wrong for them, or they need a layout of their own; if none has the value, take the pick "
        "out, or let const name it.",
        across_pages.missing_metadata,
    ),
    FindingKind(
        "rule-unused",
        "{rule} matches nothing",
        "Correct the selector, or take it out.",
        across_pages.unused_rules,
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


def audit_of(counts: Counts, portal: Portal, *, of_pages: int) -> Audit:
    """The findings, with the account of what was kept and dropped."""
    across_pages.sum_up(counts)
    most_words = f"ORDER BY words DESC, tag LIMIT {_MOST_ROWS}"
    by_year = counts.objects("SELECT * FROM by_year ORDER BY layout, coalesce(year, ?)", _LAST)
    return Audit(
        portal=portal.name,
        pages=sum(row["pages"] for row in by_year),
        of_pages=of_pages,
        passed_over=dict(counts.rows(f"SELECT outcome, pages FROM {PASSED_OVER} ORDER BY outcome")),
        findings=tuple(_findings(counts, portal)),
        words_kept=sum(row["words_kept"] for row in by_year),
        words_dropped=sum(row["words_dropped"] for row in by_year),
        dropped=counts.objects(f"SELECT rule, tag, layout, pages, words FROM dropped {most_words}"),
        undecided=counts.objects(f"SELECT tag, layout, pages, words FROM undecided {most_words}"),
        unmatched=tuple(across_pages.unmatched_rules(counts, portal)),
        by_year=by_year,
        metadata=list(_metadata(counts, portal)),
    )


def _findings(counts: Counts, portal: Portal) -> list[Finding]:
    """All of them, the most costly kind first, then the most words; of a place with furniture only the strongest reason."""
    on_pages, furniture = _seen_on_pages(counts, portal), set[tuple[str, str]]()
    findings = []
    for number, kind in enumerate(KINDS):
        there = on_pages[number] if isinstance(kind.found, OnPages) else kind.found(counts, portal)
        told = [_with_sentences(kind, one) for one in sorted(there, key=lambda one: (-one.words, -one.pages, one.tag, one.rule))]
        findings += [one for one in told if kind.key != _FURNITURE or (one.tag, one.layout) not in furniture]
        furniture |= {(one.tag, one.layout) for one in told if kind.key == _FURNITURE}
    return findings


def _seen_on_pages(counts: Counts, portal: Portal) -> Mapping[int, Sequence[Finding]]:
    """By the number of the kind."""
    roots = root_places(portal)
    subjects: defaultdict[tuple[int, int, str, str, str], Counter[Year]] = defaultdict(Counter)
    amounts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for subject, kind, rule, tag, layout, year, pages, times, words in counts.rows(_SEEN):
        subjects[subject, kind, rule, tag, layout][year] += pages
        amounts[subject].update(times=times, words=words)
    findings: defaultdict[int, list[Finding]] = defaultdict(list)
    for (subject, number, rule, tag, layout), by_year in subjects.items():
        limit, whole = KINDS[number].found, across_pages.pages_of(counts, layout)
        assert isinstance(limit, OnPages)
        years = across_pages.striking_years(by_year, whole, limit.share, limit.pages)
        enough = amounts[subject]["words"] >= limit.words * amounts[subject]["times"]
        if years is not None and enough and _varies(counts, subject, limit.variety):
            findings[number].append(
                Finding(
                    rule=roots.get(layout, rule) if rule == container.ROOT else rule,
                    tag=tag,
                    layout=layout,
                    pages=by_year.total(),
                    of_pages=whole.total(),
                    words=amounts[subject]["words"],
                    years=across_pages.in_order(years),
                    examples=tuple(Passage(*row) for row in counts.rows(_EXAMPLES, subject)),
                )
            )
    return findings


def _varies(counts: Counts, subject: int, least: float) -> bool:
    """Whether the texts differ that were seen."""
    if not least:
        return True
    different, times = counts.rows("SELECT count(*), sum(times) FROM found_texts WHERE subject = ?", subject)[0]
    return bool(different >= _FEWEST_TEXTS and different >= least * times)


def _with_sentences(kind: FindingKind, finding: Finding) -> Finding:
    """With its kind and its sentences; a message that it brings along is put behind that of its kind."""
    rule, tag = finding.rule or "the general finder", finding.tag or _NOWHERE
    message = kind.message.format(rule=rule, tag=tag, pages=f"{finding.pages:,}", words=f"{finding.words:,}")
    return replace(finding, kind=kind.key, message=message + finding.message, advice=kind.advice)


def _metadata(counts: Counts, portal: Portal) -> Iterator[JsonRow]:
    """Fields that nearly every portal has, then those that only the rules of this one ask for."""
    fields = dict.fromkeys((*REPORTED_FIELDS, *(pick.field for pick in metadata_picks(portal))))
    present = {(year, name): pages for year, name, pages in counts.rows("SELECT year, field, sum(present) FROM metadata GROUP BY 1, 2")}
    for year, pages in counts.rows("SELECT year, sum(pages) FROM by_year GROUP BY year ORDER BY coalesce(year, ?)", _LAST):
        yield {"year": year, "pages": pages, "filled": {name: present.get((year or NO_YEAR, name), 0) for name in fields}}
