"""Joins the stages that follow a crawl: stored pages in, articles and their TEI documents out; or what that
would change, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event as Flag

from webarticlecurator import resources
from webarticlecurator.building.build_changes import BuildChanges, difference
from webarticlecurator.building.build_job import BuildJob
from webarticlecurator.building.build_options import BuildOptions, BuildSummary, rules_digest
from webarticlecurator.building.builder import INTERRUPTED, Builder
from webarticlecurator.building.corrected import PortalCorrections, corrected
from webarticlecurator.building.database import CONTAINER_DOUBTS, BuildDatabase, BuiltArticles
from webarticlecurator.building.gone_articles import check_pages
from webarticlecurator.building.portal_words import noted_words
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, portal_and_corpus, write_whole
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import known_drifts, write_problems
from webarticlecurator.corpus.seen_addresses import going_on
from webarticlecurator.databases import Row, remove_damaged
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.settings import day_of_making
from webarticlecurator.tei.document import SCHEMA, load_template
from webarticlecurator.warc.store import check_clock, utc_now
from webarticlecurator.workers.pool import Workers

_GLANCED = "glanced at"
"""The name in a build database of the rules under which a build has looked whether they take what is the
article."""

# What only reads is imported where that is done: a build with nothing to do is over in half the time.


def build(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> BuildSummary:
    """Make the documents of a corpus out of its WARC files: what changed, unless the options ask for
    everything.

    >>> from webarticlecurator import Outcome, build
    >>> summary = build("portal.yaml")
    >>> summary.written == summary.outcomes[Outcome.ARTICLE]
    True
    """
    loaded = as_portal(portal)
    folder = crawled_corpus(loaded, corpus)
    with locked(folder.build_lock, "build"):
        builder = builder_of(loaded, folder, options, progress, stop, now)
        if builder.options.everything:
            remove_damaged(folder.build_database)
        with builder.pool:
            summary = builder.build()
            if summary.written:  # the documents say where the schema lies that they are valid by
                place, schema = (
                    folder.folder / SCHEMA,
                    resources.schema(f"tei/{Path(SCHEMA).name}").read_bytes(),
                )
                if not place.exists() or place.read_bytes() != schema:
                    write_whole(place, schema)
            unwatched, rules = None, builder.job.rules
            if summary.articles - summary.unchanged + summary.removed and not summary.incomplete:
                from webarticlecurator.stages.watch import watch_quietly

                unwatched = watch_quietly(
                    loaded, folder, rules=rules, now=now()
                )  # do the articles still look as they did?
            with BuiltArticles(folder.build_database) as built:
                are_new = (
                    built.noted(_GLANCED) != rules
                    or 2 * (summary.written + summary.confirmed) > summary.articles
                )
            # do the rules take what is the article? A build before this one may have been cut off
            if summary.articles and are_new and not summary.incomplete:
                from webarticlecurator.stages.survey import glance

                glanced = list(glance(loaded, folder.folder, builder.pool))
                with BuildDatabase(folder.build_database) as database:
                    database.note_doubts(CONTAINER_DOUBTS, glanced, builder.now)
                    database.note(_GLANCED, rules)
        with BuiltArticles(folder.build_database) as built:
            doubts = {**summary.doubts, **built.noted_doubts(CONTAINER_DOUBTS)}
        drifts = tuple(f"{drift.url}: {drift.reason}" for drift in known_drifts(folder).drifts)
        with Ledger.reading(folder.ledger, build=folder.build_database) as ledger:
            return replace(
                summary,
                doubts=doubts,
                problems=write_problems(ledger, folder, loaded),
                drifts=drifts,
                unwatched=unwatched,
                going_on=summary.going_on or going_on(loaded, ledger),  # what the last crawl has found, too
            )


def compare_build(
    portal: Portal,
    *,
    corpus: Path | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Row:
    """Return what `build` would change, with nothing changed.

    Documents that would be `new`, `changed` or `gone`; `same_words`: those of the changed ones whose text
    neither gains nor loses a word. Words are those of articles and posts; what the header says are none.
    """
    builder = builder_of(portal, crawled_corpus(portal, corpus), options, progress, stop, utc_now)
    builder.job, earlier = replace(builder.job, only_compare=True), builder.job.corpus.build_database
    changes = BuildChanges()
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        builder.pool,
        closing(builder.sources(index_pages)) as sources,
        BuildDatabase(earlier, read_only=True) if earlier.exists() else BuildDatabase(":memory:") as database,
    ):
        to_build = builder.to_build(sources, database)
        check_pages(builder.job.corpus, to_build.total, sources, database)
        words, before = noted_words(database), to_build.look_for_changes()
        builder.job = replace(builder.job, portal_words=words, before=before)
        for result in chain.from_iterable(builder.batches(iter(to_build))):
            changes.take(result, database)
    return Row(
        portal=builder.job.portal.name,
        articles=builder.counts["done"],
        **changes.numbers,
        fields={name: dict(counts) for name, counts in sorted(changes.fields.items())},
        outcomes=dict(changes.outcomes.most_common()),
        largest=[Row(change.row, diff=difference(change.old, change.new)) for change in changes.telling()],
        incomplete=INTERRUPTED if builder.work.stopped else None,
    )


def read_corpus(portal: Portal | Path | str, *, corpus: Path | str | None = None) -> Iterator[Article]:
    """Yield every article of a corpus, read out of its WARC files by the portal's rules, in the order in
    which they lie there.

    `portal` may also be a portal file, the name of a portal that came with curator, or the folder of a
    corpus: then the rules are those of the last crawl.

    >>> from webarticlecurator import read_corpus
    >>> sections = {article.section for article in read_corpus("corpora/kilenchid")}
    """
    from webarticlecurator.building.index_pages import IndexPages
    from webarticlecurator.building.stored_reading import StoredReading
    from webarticlecurator.warc.exchanges import CaptureReader

    loaded, folder = portal_and_corpus(portal, corpus)
    builder = builder_of(loaded, folder)
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        builder.pool,
        closing(builder.sources(index_pages)) as sources,
        CaptureReader(folder.warc) as captures,
    ):
        pages = IndexPages(folder.warc, loaded)
        for source in (source for source in sources if source.left_out is None):
            reading = StoredReading(source, captures, loaded)
            corrections = builder.job.corrections.of_article(source)
            reread = partial(reading.by_other_rules, folder.warc)
            article, _ = corrected(reading.article(pages), corrections, loaded, reread)
            if article.outcome is PageOutcome.ARTICLE:
                yield article


def builder_of(
    portal: Portal,
    folder: Corpus,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> Builder:
    """Return what builds the corpus of a portal."""
    check_clock(now())
    options, work = options or BuildOptions(), Work(portal.name, "build", progress, stop)
    with Ledger.reading(folder.ledger):
        template = load_template(options.template)
    rules, day = rules_digest(portal, template.digest), day_of_making(now())
    return Builder(
        job=BuildJob(
            corpus=Corpus(folder.folder.absolute()),
            portal=portal,
            template=template,
            day=day,
            rules=rules,
            corrections=PortalCorrections.of(portal),
        ),
        options=options,
        now=now().isoformat(timespec="seconds"),
        work=work,
        workers=Workers.asked_for(options.jobs, options.cluster).telling(work),
    )
