"""Joins the stages that follow a crawl: stored pages in, articles and their TEI documents out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

from webarticlecurator import resources
from webarticlecurator.building.build_options import BuildOptions, BuildSummary
from webarticlecurator.building.builder import Builder, BuildJob
from webarticlecurator.building.database import CONTAINER_DOUBTS, BuildDatabase, BuiltArticles
from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, portal_and_corpus, write_whole
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.outside_addresses import outside_addresses
from webarticlecurator.corpus.problems import known_drifts, write_problems
from webarticlecurator.databases import Row
from webarticlecurator.model.article import Article
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.settings import day_of_making
from webarticlecurator.tei.document import SCHEMA, load_template
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.carriers import Workers

if TYPE_CHECKING:
    import pandas

# What only reads, or only compares, is imported where that is done: a build with nothing to do is over in half the time.


def build(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> BuildSummary:
    """Make the documents of a corpus out of its WARC files: what changed, unless the options ask for everything.

    >>> from webarticlecurator import Outcome, build
    >>> summary = build("portal.yaml")
    >>> summary.written == summary.outcomes[Outcome.ARTICLE]
    True
    """
    loaded = as_portal(portal)
    folder = crawled_corpus(loaded, corpus)
    with locked(folder.build_lock, "build"):
        builder = _builder(loaded, folder, options, progress, stop, now)
        summary = builder.build()
        if summary.written:  # the documents say where the schema lies that they are valid by
            place, schema = folder.folder / SCHEMA, resources.schema(f"tei/{Path(SCHEMA).name}").read_bytes()
            if not place.exists() or place.read_bytes() != schema:
                write_whole(place, schema)
        unwatched = None
        if summary.articles - summary.unchanged + summary.removed and not summary.incomplete:
            from webarticlecurator.corpus_survey import glance
            from webarticlecurator.corpus_watch import watch_quietly

            unwatched = watch_quietly(loaded, folder, rules=builder.job.rules, now=now())  # do the articles still look as they did?
            if 2 * (summary.written + summary.confirmed) > summary.articles:  # do the rules, which are new, take what is the article?
                has_rules = any(body != BodyRules() for body in (loaded.body, *(layout.body for layout in loaded.layouts)))
                glanced = dict(glance(loaded, folder.folder)) if has_rules else {}
                with BuildDatabase(folder.build_database) as database:
                    database.note_doubts(CONTAINER_DOUBTS, glanced, builder.now)
        with BuiltArticles(folder.build_database) as built:
            doubts = {**summary.doubts, **built.noted_doubts(CONTAINER_DOUBTS)}
        drifts = tuple(f"{drift.url}: {drift.reason}" for drift in known_drifts(folder).drifts)
        with Ledger.reading(folder.ledger, build=folder.build_database) as ledger:
            outside = tuple(outside_addresses(ledger, loaded))
            return replace(
                summary, doubts=doubts, problems=write_problems(ledger, folder, loaded), drifts=drifts, unwatched=unwatched, outside=outside
            )


def compare_build(
    portal: Portal,
    *,
    corpus: Path | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Row:
    """What `build` would change, with nothing changed."""
    from webarticlecurator.building.comparison import compare

    return compare(_builder(portal, crawled_corpus(portal, corpus), options, progress, stop, utc_now))


class CorpusArticles(Iterator[Article]):
    """The articles of a corpus, one after the other; or all of them as a table."""

    def __init__(self, portal: Portal | Path | str, corpus: Path | str | None) -> None:
        self._where = (portal, corpus)
        self._articles = _read_articles(portal, corpus)

    def __next__(self) -> Article:
        return next(self._articles)

    def to_pandas(self, *, fields: Sequence[str] = (), **options: Any) -> pandas.DataFrame:
        """A row an article, the oldest first: the columns of `curator export --to parquet`, with their types; or only these `fields`.

        Filters are those of `export`: `section="Sport"`, `where=["words>=300"]`, `sample=500`. It is made of what `curator build` kept,
        whatever of the articles was read before; pandas comes with `webarticlecurator[pandas]`.
        """
        from webarticlecurator.corpus_export import data_frame
        from webarticlecurator.exporting.export_options import ExportOptions

        portal, folder = portal_and_corpus(*self._where)
        return data_frame([(portal, folder.folder)], ExportOptions(to="parquet", fields=tuple(fields), **options))


def read_corpus(portal: Portal | Path | str, *, corpus: Path | str | None = None) -> CorpusArticles:
    """Every article of a corpus, read out of its WARC files by the portal's rules, in the order in which they lie there.

    `portal` may also be a portal file, the name of a portal that came with curator, or the folder of a corpus:
    then the rules are those of the last crawl. `read_corpus(...).to_pandas()` is a table of the articles that are built.

    >>> from webarticlecurator import read_corpus
    >>> sections = {article.section for article in read_corpus("corpora/kilenchid")}
    """
    return CorpusArticles(portal, corpus)


def _read_articles(portal: Portal | Path | str, corpus: Path | str | None) -> Iterator[Article]:
    from webarticlecurator.building.article_builder import read_source
    from webarticlecurator.building.index_pages import IndexPages
    from webarticlecurator.warc.reader import CaptureReader

    loaded, folder = portal_and_corpus(portal, corpus)
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        closing(_builder(loaded, folder, None, None, None, utc_now).sources(index_pages)) as sources,
        CaptureReader(folder.warc) as captures,
    ):
        pages = IndexPages(folder.warc, loaded)
        for source in sources:
            article = read_source(source, captures, loaded, pages)
            if article.outcome is PageOutcome.ARTICLE:
                yield article


def _builder(
    portal: Portal, folder: Corpus, options: BuildOptions | None, progress: Progress | None, stop: Flag | None, now: Callable[[], datetime]
) -> Builder:
    options, progress, stop = options or BuildOptions(), progress or Silent(), stop or Flag()
    with Ledger.reading(folder.ledger):
        template = load_template(options.template)

    def show(counts: Counter[str], doing: str) -> None:
        done = counts["done"]
        left = counts["articles"] - done
        progress.show(Snapshot(portal=portal.name, phase="build", doing=doing, articles=done, waiting=left, failed=counts["failed"]))

    rules, day = rules_digest(portal, template.digest), day_of_making(now())
    return Builder(
        job=BuildJob(corpus=Corpus(folder.folder.absolute()), portal=portal, template=template, day=day, rules=rules),
        options=options,
        now=now().isoformat(timespec="seconds"),
        stop=stop,
        show=show,
        workers=Workers.asked_for(options.jobs, options.cluster).telling(partial(progress.say, portal.name), stop.is_set),
    )
