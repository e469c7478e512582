"""One export: the articles that were chosen, one after the other, to one writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson

from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.databases import Database, connect
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.conditions import field_named, texts_of
from webarticlecurator.exporting.filters import GONE, LISTED_BY, Filters
from webarticlecurator.exporting.formats import Writer
from webarticlecurator.exporting.making import Made, MakingJob, MakingWriter, all_made, made_of
from webarticlecurator.exporting.manifest import ExportCounts, Stratum
from webarticlecurator.exporting.options import ExportOptions, Part
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.pseudonyms import Pseudonyms
from webarticlecurator.exporting.sampling import rank, shares
from webarticlecurator.workers.carriers import Workers

if TYPE_CHECKING:
    from webarticlecurator.analysis.analyses import Analyses

Show = Callable[[str, str, int, int], None]
"""Portal, what is being done, how many are done, of how many."""
_WRITING, _CHOOSING = "", "choosing"
_TOLD = 3
_NONE = "(none)"
"""What stands for a field without a value in the name of a stratum."""
_CHOSEN = """
    CREATE TABLE chosen (
        place INTEGER PRIMARY KEY, portal INTEGER, id TEXT, stratum TEXT, rank BLOB, cluster TEXT, nth INTEGER
    );
    CREATE INDEX by_cluster ON chosen (cluster, nth, id) WHERE cluster IS NOT NULL;
"""
_LEAVE_OUT_REPEATED = """
    DELETE FROM chosen WHERE cluster IS NOT NULL AND EXISTS (
        SELECT 1 FROM chosen o WHERE o.cluster = chosen.cluster AND (o.nth, o.id) < (chosen.nth, chosen.id)
    )
"""
"""Articles of a cluster that were not chosen do not count: so whatever is chosen, one of each is kept."""


@dataclass(frozen=True, slots=True)
class ExportedPortal:
    """A portal of an export, with what is built of it."""

    info: PortalInfo
    articles: BuiltArticles


class Exporter:
    """Goes through the articles of all portals: once where a sample or one of each cluster need not be chosen first, else twice."""

    def __init__(
        self,
        options: ExportOptions,
        portals: Sequence[ExportedPortal],
        *,
        analyses: Analyses | None,
        pseudonyms: Pseudonyms | None,
        stopped: Callable[[], bool],
        show: Show,
    ) -> None:
        self._options = options
        self._portals = portals
        self._filters = Filters(options.selection, analysed=analyses is not None)
        self._analyses = analyses
        self._pseudonyms = pseudonyms
        self._stopped = stopped
        self._show = show
        self._where = self._filters.where
        self._gone = {portal.info.name: dict(portal.articles.rows(GONE)) for portal in portals}
        self._given = 0
        self._parts: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._strata: list[Stratum] = []
        self._too_few: tuple[str, ...] = ()
        self.failed = 0
        """Articles of which nothing could be made."""
        self.failures: tuple[str, ...] = ()
        """Why, of the first of them."""

    def articles(self) -> Iterator[ExportArticle]:
        """The chosen ones, portal by portal, the oldest first; fewer after a stop."""
        if self._options.sample is None and self._options.dedup is None:
            return self._filtered(_WRITING)
        return self._chosen()

    def write(self, writer: Writer, *, workers: Workers | None = None) -> None:
        """Give every chosen article to the writer, and let it finish; what costs much is made by these workers."""
        if isinstance(writer, MakingWriter):
            self._write_made(writer, workers or Workers())
        else:
            for article in self.articles():
                writer.write(article)
                self._count(article.left_out)
        if not self._stopped():
            writer.finish()

    def _write_made(self, writer: MakingWriter[Any], workers: Workers) -> None:
        articles = self.articles()
        # The key of pseudonyms never leaves this process.
        if workers.is_here or self._pseudonyms is not None:
            made: Iterator[tuple[ExportArticle, Made]] = ((one, made_of(one, writer.maker)) for one in articles)
        else:
            job = MakingJob(self._options, tuple(one.info for one in self._portals))
            made = all_made(articles, job, workers)
        for article, one in made:
            if one.failed is None:
                writer.put(article, one.what)
            else:
                self._fail(article, one.failed)
            self._count(one.left_out)

    def _count(self, left_out: Mapping[Part, int]) -> None:
        self._given += 1
        self._parts.update({str(part): number for part, number in left_out.items()})

    def _fail(self, article: ExportArticle, reason: str) -> None:
        self.failed += 1
        if self.failed <= _TOLD:
            self.failures += (f"{article.id} is not in it: {reason}",)

    def counts(self, *, not_built: int, outdated: int, without_document: Mapping[str, int], failed: int) -> ExportCounts:
        """`failed`: articles that the writer was given, and that it could not write."""
        built = [one.articles for one in self._portals]
        teasers = sum(one.count("a.outcome = 'paywall'") for one in built) if "paywall" not in self._options.selection.outcomes else 0
        return ExportCounts(
            articles=self._given - failed,
            failed=failed,
            of=sum(one.count() for one in built),
            filtered={**self._filters.left_out(built), **+self._left_out},
            teasers=teasers,
            not_built=not_built,
            outdated=outdated,
            without_document=without_document,
            parts=dict(self._parts),
            strata=tuple(self._strata),
            unknown=(*self._filters.unknown_values(built), *self._too_few),
        )

    # -- the articles that pass the filters -----------------------------------------------------------------------------

    def _filtered(self, doing: str) -> Iterator[ExportArticle]:
        totals = [portal.articles.count(*self._where) for portal in self._portals]
        done = 0
        for portal in self._portals:
            for built in portal.articles.read(*self._where):
                if self._stopped():
                    return
                article = self._article(portal, built)
                done += 1
                self._show(portal.info.name, doing, done, sum(totals))
                if self._keeps(article):
                    yield article

    def _keeps(self, article: ExportArticle) -> bool:
        for one in self._filters.of_articles:
            if not one.keeps(article):
                self._left_out[one.name] += 1
                return False
        return True

    def _article(self, portal: ExportedPortal, built: BuiltArticle) -> ExportArticle:
        names = self._pseudonyms.names(built.record, portal.info.name) if self._pseudonyms is not None else {}
        return ExportArticle(
            portal=portal.info.name,
            built=built,
            analysis=self._analyses.of(built.id) if self._analyses is not None else None,
            parts=self._options.parts,
            headline=self._options.headline,
            listed_by=partial(_listed_by, portal.articles, built.id),
            gone=self._gone[portal.info.name].get(built.id),
            change=partial(self._pseudonyms.change, names=names) if self._pseudonyms is not None else None,
            pseudonyms=names,
        )

    # -- one of each cluster, and samples: by a list on disk, since it is as long as the corpus -------------------------------

    def _chosen(self) -> Iterator[ExportArticle]:
        with closing(connect("")) as db:
            db.executescript(_CHOSEN)
            db.execute("BEGIN")
            db.executemany("INSERT INTO chosen (portal, id, stratum, rank, cluster, nth) VALUES (?, ?, ?, ?, ?, ?)", self._candidates())
            if self._options.dedup is not None:
                self._left_out[f"--dedup {self._options.dedup}"] += db.execute(_LEAVE_OUT_REPEATED).rowcount
            self._draw(db)
            (total,) = db.execute("SELECT count(*) FROM chosen").fetchone()
            for done, (number, one) in enumerate(db.execute("SELECT portal, id FROM chosen ORDER BY place"), start=1):
                if self._stopped():
                    return
                portal = self._portals[number]
                built = portal.articles.by_id(one)
                assert built is not None
                self._show(portal.info.name, _WRITING, done, total)
                yield self._article(portal, built)

    def _candidates(self) -> Iterator[tuple[int, str, str, bytes, str | None, int]]:
        sample = self._options.sample
        numbers = {one.info.name: number for number, one in enumerate(self._portals)}
        by = [field_named(name) for name in sample.by] if sample is not None else []
        for article in self._filtered(_CHOOSING):
            stratum = orjson.dumps([next(iter(texts_of(one, article)), None) for one in by]).decode()
            drawn = rank(article.id, sample.seed if sample is not None else 0)
            yield numbers[article.portal], article.id, stratum, drawn, *self._cluster_of(article.id)

    def _cluster_of(self, article: str) -> tuple[str | None, int]:
        """Of articles that say the same, and which of them it is, the first published first."""
        dedup = self._options.dedup
        return self._analyses.cluster(article, dedup) if dedup is not None and self._analyses is not None else (None, 0)

    def _draw(self, db: Database) -> None:
        sample = self._options.sample
        if sample is None:
            return
        strata = dict(db.execute("SELECT stratum, count(*) FROM chosen GROUP BY stratum ORDER BY stratum"))
        given = shares(strata, sample.size, equal=sample.equal)
        if sum(given.values()) < sample.size:
            self._too_few = (f"--sample {sample.size:,}: there are no more than {sum(given.values()):,} to draw from",)
        db.execute("CREATE INDEX drawn ON chosen (stratum, rank)")
        for stratum, number in given.items():
            db.execute(
                "DELETE FROM chosen WHERE stratum = ? AND place NOT IN"
                " (SELECT place FROM chosen WHERE stratum = ? ORDER BY rank, id LIMIT ?)",
                (stratum, stratum, number),
            )
        self._left_out["--sample"] += sum(strata.values()) - sum(given.values())
        self._strata = [Stratum(name=_name(name), articles=strata[name], drawn=number) for name, number in given.items()]


def _name(stratum: str) -> str:
    return ", ".join(_NONE if one is None else one for one in orjson.loads(stratum)) or "all"


def _listed_by(articles: BuiltArticles, article: str) -> tuple[str, ...]:
    return tuple(name for (name,) in articles.rows(LISTED_BY, (article,)))
