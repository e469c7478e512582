"""A build that writes nothing: what it would change, counted over the whole corpus."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from webarticlecurator.building.article_builder import ArticleBuilder
from webarticlecurator.building.builder import INTERRUPTED, Builder
from webarticlecurator.building.compare import Differences
from webarticlecurator.building.database import Database
from webarticlecurator.building.options import Change, Comparison
from webarticlecurator.building.results import BuildResult, BuildTask
from webarticlecurator.corpus.stored_articles import StoredArticles


def compare(builder: Builder) -> Comparison:
    """What a build by these rules would do to the documents that are there."""
    builder.job = replace(builder.job, only_compare=True)
    job = builder.job
    with StoredArticles(job.ledger, job.portal) as sources, Database.of_earlier_build(job.database) as database:
        builder.check(sources, database)
        differences = Differences(database.unknown_tags())
        for batch in builder.made(builder.tasks(sources, database)):
            for made in batch:
                differences.add(made, database.known(made.id))
        with closing(ArticleBuilder(job)) as worker:
            largest = tuple(_change(made, sources, database, worker) for made in differences.largest())
    return replace(
        differences.comparison(job.portal.name),
        articles=builder.counts.done,
        largest=largest,
        incomplete=INTERRUPTED if builder.world.stop.is_set() else None,
    )


def _change(made: BuildResult, sources: StoredArticles, database: Database, worker: ArticleBuilder) -> Change:
    known = database.known(made.id)
    path = known.path if known is not None else None
    task = BuildTask(source=sources.of(made.key, made.identity), captures=made.captures, path=path)
    return Change(id=made.id, url=made.url, path=path, gained=made.gained, lost=made.lost, diff=tuple(worker.difference(task)))
