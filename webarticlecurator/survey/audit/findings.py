"""The table of all kinds of findings, and what an audit says of what was counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.container import GENERAL_FINDER
from webarticlecurator.labelling.names import PagePart
from webarticlecurator.survey.audit import across_pages, container, kept, lost
from webarticlecurator.survey.audit.counting import FEWEST_PAGES, Counts, Variety, in_order, striking_years
from webarticlecurator.survey.audit.page import AuditedPage, PageFinding
from webarticlecurator.survey.audit.results import Audit, Dropped, Finding, LayoutAndYear, Undecided, YearMetadata
from webarticlecurator.survey.audit.rule_use import REPORTED_FIELDS, metadata_picks, root_places


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
    pages: int = FEWEST_PAGES
    unless_recurring: bool = False
    """Said only of texts that do not recur, which is the stronger reason."""
    left_out_as: str = ""
    """Rule by which elements of the same class are left out on most pages: there a single page is enough."""


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One row of the table of findings."""

    key: str
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
        "taken-for-listing",
        "most of what is kept are links, so these pages are taken for listings",
        "Look at one of the pages: if it is an article, body.root takes in too much; if not, " + _NO_ARTICLE,
        OnPages(container.taken_for_listing, 0.1),
    ),
    FindingKind(
        "pages-not-followed",
        "the articles go on at further pages, and articles.next does not lead there",
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
        "links-kept",
        "links that lead away, or signs, are kept as text, in {tag}",
        "If it is not of the article, add it, or what it stands in, to decompose.",
        OnPages(kept.kept_links, 0.05, unless_recurring=True),
    ),
    FindingKind(
        "named-like-furniture",
        "{tag} is kept, and its name says that it is furniture",
        "If it is what it says, add it to decompose; if not, a rule that says what it is ends this.",
        OnPages(kept.named_blocks, 0.05, unless_recurring=True),
    ),
    FindingKind(
        "sentence-interrupted",
        "{tag} is dropped out of the middle of sentences",
        "If it belongs to the sentence, unwrap it or give it an inline's name.",
        OnPages(lost.interrupted_sentences, 0.03, variety=0.3),
    ),
    FindingKind(
        "words-grown-together",
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
        "kept-twice",
        "the same text is kept twice in one article, in {tag}",
        "Decompose one of the two places.",
        OnPages(kept.kept_twice, 0.05),
    ),
    FindingKind(
        "byline-kept",
        "the author, or the date of publication, is kept as a paragraph, in {tag}",
        "Pick it as metadata, and decompose it in the body.",
        OnPages(kept.bylines, 0.3, unless_recurring=True, left_out_as=f"{GENERAL_FINDER}: {PagePart.BYLINE}"),
    ),
    FindingKind(
        "undecided-text",
        "no rule decides {tag}, which holds much text",
        "Decide it in body.tags; the tag inventory shows it with examples.",
        across_pages.undecided_text,
    ),
    FindingKind(
        "metadata-empty",
        "{tag} is empty in all of {pages} articles",
        "Look at one of the pages: if it has the value, pick it; if none has it, take the pick out, or let const name it.",
        across_pages.empty_fields,
    ),
    FindingKind(
        "metadata-rule-idle",
        "{rule} gives next to no values; what the pages say of themselves is taken instead, or nothing",
        "Correct the pick, or take it out.",
        across_pages.idle_picks,
    ),
    FindingKind(
        "metadata-missing",
        "{tag} is missing on these pages",
        "Look at one of the pages: a pick may be wrong for them, or they need a layout of their own.",
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
ON_PAGES = tuple((kind.key, kind.found.find) for kind in KINDS if isinstance(kind.found, OnPages))
_NOWHERE = "an element without a class"
_RECURRING = "furniture-kept"
_UNLESS_RECURRING = frozenset(kind.key for kind in KINDS if isinstance(kind.found, OnPages) and kind.found.unless_recurring)
_MOST = 0.5
_FEWEST_TEXTS = 3
"""Fewer different texts say nothing about how much they differ."""
_MOST_ROWS = 200
_LAST = 10_000
"""The year of pages without a date, where years are sorted."""


def audit_of(counts: Counts, portal: Portal, *, of_pages: int) -> Audit:
    """The findings, with the account of what was kept and dropped."""
    dropped = [
        Dropped(rule=rule, tag=tag, layout=layout, pages=counts.dropped_pages[rule, tag, layout], words=words)
        for (rule, tag, layout), words in counts.dropped.most_common(_MOST_ROWS)
    ]
    undecided = [
        Undecided(tag=tag, layout=layout, pages=counts.undecided_pages[tag, layout], words=words)
        for (tag, layout), words in counts.undecided.most_common(_MOST_ROWS)
    ]
    return Audit(
        portal=portal.name,
        pages=counts.pages.total(),
        of_pages=of_pages,
        passed_over=dict(sorted(counts.outcomes.items())),
        findings=tuple(_findings(counts, portal)),
        words_kept=counts.kept.total(),
        words_dropped=counts.lost.total(),
        dropped=tuple(dropped),
        undecided=tuple(undecided),
        unmatched=tuple(across_pages.unmatched_rules(counts, portal)),
        by_year=tuple(_by_year(counts)),
        metadata=tuple(_metadata(counts, portal)),
    )


def _findings(counts: Counts, portal: Portal) -> list[Finding]:
    """All of them, the most costly kind first, then the most words."""
    found = [_with_sentences(kind, one) for kind in KINDS for one in sorted(_found(kind, counts, portal), key=_weight)]
    recurring = {(one.tag, one.layout) for one in found if one.kind == _RECURRING}
    return [one for one in found if one.kind not in _UNLESS_RECURRING or (one.tag, one.layout) not in recurring]


def _weight(found: Finding) -> tuple[object, ...]:
    return -found.words, -found.pages, found.tag, found.rule


def _found(kind: FindingKind, counts: Counts, portal: Portal) -> Iterator[Finding]:
    if not isinstance(kind.found, OnPages):
        yield from kind.found(counts, portal)
        return
    limit, roots = kind.found, root_places(portal)
    for (key, rule, tag, layout), seen in counts.occurrences.items():
        if key != kind.key:
            continue
        whole = counts.pages_of(layout)
        share, pages = (0.0, 1) if _is_left_out_elsewhere(limit.left_out_as, tag, layout, counts) else (limit.share, limit.pages)
        years = striking_years(seen.pages, whole, share, pages)
        if years is not None and seen.words >= limit.words * seen.times and _varies(seen.variety, limit.variety):
            yield Finding(
                rule=roots.get(layout, rule) if rule == container.ROOT else rule,
                tag=tag,
                layout=layout,
                pages=seen.pages.total(),
                of_pages=whole.total(),
                words=seen.words,
                years=in_order(years),
                examples=tuple(seen.examples),
            )


def _is_left_out_elsewhere(rule: str, tag: str, layout: str, counts: Counts) -> bool:
    """Whether the rule leaves out elements of this class on most pages."""
    named = tag.rpartition(" ")[2]
    return "." in named and counts.dropped_pages[rule, named, layout] > _MOST * counts.pages_of(layout).total()


def _with_sentences(kind: FindingKind, found: Finding) -> Finding:
    """With its kind and its sentences; a message that it brings along is put behind that of its kind."""
    rule, tag = found.rule or "the general finder", found.tag or _NOWHERE
    message = kind.message.format(rule=rule, tag=tag, pages=f"{found.pages:,}", words=f"{found.words:,}")
    return replace(found, kind=kind.key, message=message + found.message, advice=kind.advice)


def _varies(variety: Variety, least: float) -> bool:
    return not least or (variety.different >= _FEWEST_TEXTS and variety.share >= least)


def _by_year(counts: Counts) -> Iterator[LayoutAndYear]:
    for layout, year in sorted(counts.pages, key=lambda one: (one[0], one[1] or _LAST)):
        one = (layout, year)
        kept, dropped = counts.kept[one], counts.lost[one]
        yield LayoutAndYear(layout=layout, year=year, pages=counts.pages[one], words_kept=kept, words_dropped=dropped)


def _metadata(counts: Counts, portal: Portal) -> Iterator[YearMetadata]:
    """Fields that nearly every portal has, then those that only the rules of this one ask for."""
    fields = dict.fromkeys((*REPORTED_FIELDS, *(pick.field for pick in metadata_picks(portal))))
    filled = {year: dict.fromkeys(fields, 0) for year in sorted({year for _, year in counts.pages}, key=lambda year: year or _LAST)}
    for (name, _, year), number in counts.rules.present.items():
        if name in fields:
            filled[year][name] += number
    for year, by_field in filled.items():
        yield YearMetadata(year=year, pages=sum(number for (_, one), number in counts.pages.items() if one == year), filled=by_field)
