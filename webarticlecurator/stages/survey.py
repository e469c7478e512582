"""Joins the stages that look at what is stored: inventories and audits of a corpus, or of any WARC."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile
from pathlib import Path
from threading import Event as Flag
from typing import Any, ClassVar

from webarticlecurator.amounts import amount, text_if
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.document_sample import PAGES, Doubt
from webarticlecurator.config.article_rules import BodyRules, SkipRules
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import Needs
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, write_whole
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.seen_addresses import left_unasked, missing_articles
from webarticlecurator.crawling.crawl_options import CrawlOptions
from webarticlecurator.databases import Row
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.body.tag_rules import VOID_MEDIA
from webarticlecurator.extraction.page_context import selected_on
from webarticlecurator.extraction.page_reading import PageReading
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.model.progress import Progress, Silent, Snapshot, Work
from webarticlecurator.survey.archive_audit import (
    LedgerComparison,
    Source,
    corpus_of_source,
    portal_of_source,
)
from webarticlecurator.survey.audit.audited_page import AuditedPage
from webarticlecurator.survey.audit.findings import AuditQuestion, audit_of
from webarticlecurator.survey.inventory.element_rules import tells_more_than_a_tag
from webarticlecurator.survey.kept_counts import KeptCounts, opened
from webarticlecurator.survey.page_pass import BATCH, Columns, Counted, Counts, PassJob, Question
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageSample
from webarticlecurator.text import HEADINGS, element_text, word_count
from webarticlecurator.workers.pool import Pool, Workers

Surveyed = tuple[Counts, int, int, bool]
"""The counts of an inventory or an audit; the number of pages that it went through, those that were passed
over with them; the number of articles of which something is stored; and whether it came to its end."""


def surveyed(
    portal: Portal,
    question: Question,
    *,
    phase: str,
    corpus: Path | None = None,
    workers: Workers | Pool,
    sample: int | None = None,
    keys: Collection[int] | None = None,
    kept: bool = False,
    again: bool = False,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Surveyed:
    """Go once through all article pages of a corpus, or through a sample of them.

    `phase` is what progress calls it: "tags", "audit". `sample`: only so many pages, of every year some.
    `keys`: only of the articles of a corpus whose identities have these. `workers`: a pool, where its
    processes have been at work already. `kept`: what is counted is kept, and what no changed rule can touch
    is not read again, unless all is to be (`again`).
    """
    work = Work(portal.name, phase, progress, stop)

    work.show("looking for article pages")

    folder = crawled_corpus(portal, corpus)
    pages = StoredPageSample(folder, portal, sample, keys=keys, go_on=lambda: not work.stopped)
    counts, done = Counts(type(question), portal), 0
    with pages as chosen, opened(folder, phase, kept=kept) as known:
        parts = KeptCounts.of(known, portal, question, chosen, again=again, work=work)
        work.show(total=chosen.total)
        job = PassJob(portal, question, chosen.warc)
        handed_out = takewhile(lambda _: not work.stopped, parts.to_read(chosen))
        of_one_pass = (
            Pool(workers.for_tasks(chosen.total, BATCH).telling(work))
            if isinstance(workers, Workers)
            else nullcontext(workers)
        )
        with of_one_pass as pool:
            read = chain.from_iterable(pool.run(job, handed_out, batch=BATCH))
            for part in parts.joined(read):
                counts.add(part.counted)
                done += part.pages
                work.show("", done, chosen.total)
        return counts, done, chosen.of_pages, done == chosen.total and not work.stopped


_LOOKED_FOR, _MOST_PLACES = 10, 3
"""Articles that are looked at besides: of each of so many rules that drop elements by their tag, and of as
many layouts, the rarest first."""
_FEWEST, _WORDS_OF_BOX = 4, 5
"""The fewest articles of a layout, or that a rule drops from, and the fewest words of a box: one beside a
text may well tell what kind of page it is."""
_TOLD_BY_BUILD = dict.fromkeys(
    ("no-root", "root-too-small", "root-too-large", "text-lost", "furniture-kept"), 0.5
)
_TOLD_BY_BUILD |= {"comments-not-read": 0, "body-at-several-places": 0}
"""Kind of finding -> share of the articles from which on it is told; only some articles have comments."""
_TOLD_WITHOUT_BODY = ("root-too-small", "comments-not-read", "body-at-several-places")
"""Kinds of findings that are told where there is no rule for the body."""
_DROPPING = (
    "SELECT rule, count(DISTINCT article) FROM dropped GROUP BY rule HAVING count(DISTINCT article) >= ? "
    "ORDER BY 2, 1"
)
_LAYOUTS = (
    "SELECT layout FROM articles WHERE layout IS NOT NULL GROUP BY layout HAVING count(*) >= ? ORDER BY "
    "count(*), layout LIMIT ?"
)
_OF_LAYOUT = "SELECT key FROM articles WHERE layout = ? ORDER BY id LIMIT ?"
_SKIPPED = "SELECT key FROM articles WHERE outcome = 'not-article' AND reason = ? ORDER BY id LIMIT ?"
_OF_RULE = """
    SELECT key FROM articles a JOIN dropped d ON d.article = a.number WHERE d.rule = ?
    GROUP BY a.number ORDER BY sum(d.words) DESC, a.id LIMIT ?
"""


class _GlanceQuestion(AuditQuestion):
    """Asks a page all that an audit does, but for rules that match nothing: few pages do not tell."""

    def count_matched(self, audited: AuditedPage, layout: str, counted: Counted) -> None:
        """Count nothing."""


def glance(portal: Portal, corpus: Path, pool: Pool) -> Iterator[Doubt]:
    """Give what an audit finds on enough of a few articles about their container and what is lost or kept by
    it, and about comments that no rule reads; and some articles.

    Of a file without rules for the body, only what its posts take of it, or leave.
    """
    has_body = any(body != BodyRules() for body in (portal.body, *(layout.body for layout in portal.layouts)))
    audit = _audit_of_some(portal, corpus, pool, sample=40)
    findings = [each for each in audit.findings if has_body or each.kind in _TOLD_WITHOUT_BODY]
    if has_body and audit.pages < audit.of_pages:
        findings += _rare(portal, corpus, pool)
    for finding in first_of_each(filter(_is_told, findings), lambda each: (each.kind, each.rule, each.tag)):
        rule = text_if(finding.rule not in finding.message, f", by {finding.rule}")
        yield (
            f"{finding.message}{rule} ({finding.pages} of {finding.of_pages} articles looked at)",
            [example.url for example in finding.examples[:PAGES]],
        )
    if portal.articles.skip.when and audit.pages:
        yield from _skipped(portal, corpus, pool, audit.words_kept / audit.pages)


def _is_told(finding: Row) -> bool:
    """Return whether a finding is seen on so many of the articles looked at that a build tells it; articles
    of one make have headings alike."""
    if finding.kind == "furniture-kept" and finding.tag in HEADINGS:
        return False
    share = _TOLD_BY_BUILD.get(finding.kind, 1)
    return bool(finding.of_pages >= _FEWEST and finding.pages > share * finding.of_pages)


def _without_skip(portal: Portal) -> Portal:
    """Return the portal with rules by which all pages are articles."""
    return replace(portal, articles=replace(portal.articles, skip=SkipRules()))


@dataclass(frozen=True, slots=True)
class _SkippedQuestion:
    """Asks each page whether it is an article if nothing skips it: with headline and date, and none of its
    text in what is matched."""

    portal: Portal
    tables: ClassVar[Mapping[str, Columns]] = {"skipped": Columns("rule, url", facts="words")}

    @property
    def about(self) -> Mapping[str, Any]:
        """Return nothing: it is not kept."""
        return {}

    def touched(self, before: Mapping[str, Any]) -> tuple[Needs, ...]:  # noqa: ARG002
        """Return nothing: it is not kept."""
        return ()

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page; `words` are nothing where it is no such article. Raises PatternTimeout."""
        readings: list[PageReading] = []
        article = read_article(
            [page], _without_skip(self.portal), url=stored.url, listing=stored.listing, readings=readings
        )
        is_article = article.outcome is PageOutcome.ARTICLE and article.metadata.keys() >= {
            "headline",
            "datePublished",
        }
        container = readings[0].container if readings else None
        around = {container.root, *container.root.iterancestors()} if container is not None else set()
        for selector in self.portal.articles.skip.when:
            matched = selected_on(page, selector)
            words = word_count(" ".join(map(element_text, matched)))
            media = chain.from_iterable(element.iter(*VOID_MEDIA) for element in matched)
            is_box = around.isdisjoint(matched) and (words >= _WORDS_OF_BOX or any(True for _ in media))
            if matched:
                counted.note(
                    "skipped",
                    (selector.text, stored.url),
                    article.extent.words if is_article and is_box else 0,
                )


def _skipped(portal: Portal, corpus: Path, pool: Pool, usual: float) -> Iterator[Doubt]:
    """Rules that leave out pages which read like the articles, and what they match is a box beside the text
    of these."""
    with BuiltArticles(Corpus(corpus).build_database) as built:
        chosen = (
            built.rows(_SKIPPED, (f"articles.skip.when: {rule.text}", _LOOKED_FOR))
            for rule in portal.articles.skip.when
        )
        keys = {key for (key,) in chain.from_iterable(chosen)}
    counts, *_ = surveyed(
        _without_skip(portal), _SkippedQuestion(portal), phase="build", corpus=corpus, workers=pool, keys=keys
    )
    with closing(counts):
        for rule in portal.articles.skip.when:
            pages = sorted(counts.rows("SELECT words, url FROM skipped WHERE rule = ?", rule.text))
            if len(pages) < _FEWEST:
                continue
            typical = pages[len(pages) // 2 :][:PAGES]
            words = typical[0][0]
            if 2 * words > usual:
                reads = (
                    f"pages that `articles.skip.when: {rule.text}` leaves out read like the articles, with "
                    "headline, date and"
                )
                mend = "to leave out no more than the box, write it under `body: {tags: {decompose: [...]}}`"
                yield (
                    f"{reads} {words:,} words in the median ({len(pages)} looked at); {mend}",
                    [url for _, url in typical],
                )


def _rare(portal: Portal, corpus: Path, pool: Pool) -> Iterator[Row]:
    """Give what is found on articles that a few by chance would miss: those of a rule that drops elements by
    their tag, and of a layout that few have; each of these is looked at by itself."""
    with BuiltArticles(Corpus(corpus).build_database) as built:
        by_tag = (rule for rule, _ in built.rows(_DROPPING, (_FEWEST,)) if portal.has_itself(rule))
        rules = list(
            islice(
                (rule for rule in by_tag if not tells_more_than_a_tag(rule.partition(" ")[2])), _MOST_PLACES
            )
        )
        layouts = [layout for (layout,) in built.rows(_LAYOUTS, (_FEWEST, _MOST_PLACES))]
        of_places = [*((_OF_RULE, rule) for rule in rules), *((_OF_LAYOUT, layout) for layout in layouts)]
        chosen = [{key for (key,) in built.rows(sql, (place, _LOOKED_FOR))} for sql, place in of_places]
    for keys in chosen:
        yield from _audit_of_some(portal, corpus, pool, keys=keys).findings


def _audit_of_some(
    portal: Portal,
    corpus: Path,
    pool: Pool,
    *,
    sample: int | None = None,
    keys: Collection[int] | None = None,
) -> Row:
    """A page that ends its process costs a build nothing but itself here, too."""
    asked, phase = _GlanceQuestion(portal), "build"
    counts, _, of_pages, _ = surveyed(
        portal, asked, phase=phase, corpus=corpus, workers=pool, sample=sample, keys=keys
    )
    with closing(counts):
        return audit_of(counts, portal, of_pages=of_pages)


def compared(portal: Portal, *, corpus: Path | None, progress: Progress, stop: Flag) -> Row:
    """The ledger of a corpus, held against what the site's feeds and sitemaps named when they were fetched
    last."""
    folder = crawled_corpus(portal, corpus)
    Work(portal.name, "audit", progress).show("reading the ledger")
    with closing(LedgerComparison(folder, portal)) as comparison:
        compared = [comparison.compare(source, lambda: not stop.is_set()) for source in Source]
        result = comparison.result(
            [rows for rows in compared if rows is not None], complete=not stop.is_set()
        )
        if (
            result["complete"]
            and not any(rows["failed"] for rows in result["sources"])
            and folder.unlisted.parent.exists()
        ):
            write_whole(folder.unlisted, "".join(f"{url}\n" for url in comparison.all_unlisted()).encode())
        with Ledger.reading(folder.ledger) as ledger:
            result["gaps"] = list(map(str, missing_articles(portal, ledger)))
            result["unasked"] = list(map(str, left_unasked(portal, ledger)))
        return result


def read_site_sources(
    portal: Portal, *, corpus: Path | None, contact: str | None, progress: Progress, stop: Flag
) -> None:
    """Ask a site for its feeds and sitemaps, as politely as a crawl; what they name is compared from then on.

    All of each is read, whatever an earlier fetch has read: else nobody could tell what a source does not
    name any more.
    """
    from webarticlecurator.stages import pipeline

    folder = crawled_corpus(portal, corpus)
    options = CrawlOptions(articles=False, contact=contact, full=True)
    for source in Source:
        own, asking = corpus_of_source(folder, source), _Asking(progress, source)
        pipeline.crawl(
            portal_of_source(portal, source), corpus=own.folder, options=options, progress=asking, stop=stop
        )


@dataclass(frozen=True, slots=True)
class _Asking(Silent):
    """Shows a small crawl as a part of an audit. What that says of the addresses that it guesses is not
    passed on: the result tells it."""

    progress: Progress
    source: Source

    def show(self, snapshot: Snapshot) -> None:
        doing = f"asking for the site's {self.source}: {amount(snapshot.archive_pages, 'page')} read"
        Work(snapshot.portal, "audit", self.progress).show(doing)
