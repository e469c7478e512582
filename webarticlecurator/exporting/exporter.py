"""Export articles: go through the portals of an export and choose articles, one after the other; count what
is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import orjson

from webarticlecurator.building.database import BuiltArticle, BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.databases import Database, Row, connect
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.pseudonyms import Pseudonyms
from webarticlecurator.exporting.selection import GONE, LISTED_BY, Selection, field_named, texts_of
from webarticlecurator.model.progress import Stopped, Work

if TYPE_CHECKING:
    from webarticlecurator.analysis.analyses import Analyses
    from webarticlecurator.exporting.layers import ShownLayer

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

_LEAVE_OUT_UNDRAWN = """
    DELETE FROM chosen WHERE stratum = ? AND place NOT IN (
        SELECT place FROM chosen WHERE stratum = ? ORDER BY rank, id LIMIT ?
    )
"""


@dataclass(frozen=True, kw_only=True)
class ExportedPortal:
    """A portal of an export."""

    file: Portal
    """The portal as its file says now."""
    corpus: Corpus
    built: BuiltArticles
    template: str
    """The header by which its documents are made."""

    @property
    def name(self) -> str:
        return self.file.name

    @cached_property
    def told(self) -> dict[str, Any]:
        """Return what an export says of it.

        `rules`: digests of those that its articles were built by, the most frequent first; more than one
        where a build was interrupted.
        """
        own, publisher = self.file, self.file.publisher
        by_rules = (
            "SELECT rules FROM articles WHERE path IS NOT NULL GROUP BY rules ORDER BY count(*) DESC, rules"
        )
        return {
            "name": own.name,
            "title": own.title,
            "home": own.home,
            "language": own.language,
            "timezone": own.timezone.key,
            "creator": own.creator,
            "publisher": publisher.name,
            "licence": publisher.rights.licence,
            "rights": publisher.rights.statement,
            "rules": tuple(digest for (digest,) in self.built.rows(by_rules) if digest),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCounts:
    """The counts of an export: what it holds, and what it does not."""

    articles: int = 0
    """The number of articles that are in the export."""
    of: int = 0
    """Built articles of the portals, before any filter."""
    failed: int = 0
    """Chosen articles that could not be written, or not whole; a note tells why."""
    filtered: Mapping[str, int] = field(default_factory=dict)
    """The number of articles that each filter left out of those that the filters before it had left."""
    teasers: int = 0
    """The number of articles behind a wall, of which something can be seen, where that is left out."""
    not_built: int = 0
    """Articles that are stored, and of which nothing is built."""
    without_document: Mapping[str, int] = field(default_factory=dict)
    """The number of articles of each outcome that were built and gave no document."""
    outdated: int = 0
    """Articles that are built by other rules, another template or another version of the program than a build
    would take now."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """Comments, posts, boxes, captions that the articles have and the export does not."""
    strata: tuple[Row, ...] = ()
    """The strata of a sample: for each value that it is drawn by the `name` (that value), how many `articles`
    it has, how many are `drawn`."""
    unknown: tuple[str, ...] = ()
    """Sentences on what was asked for and is not there: values of filters, a larger sample."""


@dataclass
class Exporter:
    """Goes through the articles of all portals: once where a sample or one of each cluster need not be chosen
    first, else twice."""

    options: ExportOptions
    portals: Sequence[ExportedPortal]
    pseudonyms: Pseudonyms | None
    work: Work
    wanted: Callable[[], bool] = lambda: True
    """Return True as long as somebody still reads what is written."""
    analyses: Analyses | None = None
    """The findings on languages and duplicates; None where nobody asks for them."""
    layer: ShownLayer | None = None
    """The layer of annotations that is shown; None where the format shows none, or there is none."""
    when_drawn: Callable[[Iterable[BuiltArticle], int], None] | None = None
    """A function that is given the articles of a sample, and how many these are, before any of them is made;
    it may set `analyses`."""

    def __post_init__(self) -> None:
        self._selection = Selection(self.options, [portal.built for portal in self.portals])
        self._gone = [dict(portal.built.rows(GONE)) for portal in self.portals]
        self._given = 0
        self._parts, self._left_out = Counter[str](), Counter[str]()
        self._strata, self._too_few = list[Row](), list[str]()

    def articles(self) -> Iterator[ExportArticle]:
        """The chosen ones, portal by portal, the oldest first; each is counted when the next is asked for.
        Raises Stopped."""
        chosen = (
            self._filtered("")
            if self.options.sample is None and self.options.dedup is None
            else self._chosen()
        )
        for article in chosen:
            yield article
            self._given += 1
            self._parts.update({str(part): number for part, number in article.left_out.items()})

    def counts(
        self, *, not_built: int, outdated: int, without_document: Mapping[str, int], failed: int
    ) -> ExportCounts:
        """Return the counts. `failed`: articles that whoever writes was given, and could not write."""
        teasers = "paywall" not in self.options.outcome
        return ExportCounts(
            articles=self._given - failed,
            failed=failed,
            of=sum(portal.built.count() for portal in self.portals),
            filtered={**self._selection.left_out_in_sql(), **+self._left_out},
            teasers=sum(portal.built.count("a.outcome = 'paywall'") for portal in self.portals)
            if teasers
            else 0,
            not_built=not_built,
            outdated=outdated,
            without_document=without_document,
            parts=dict(self._parts),
            strata=tuple(self._strata),
            unknown=(*self._selection.unknown_values(), *self._too_few),
        )

    def _filtered(self, doing: str) -> Iterator[ExportArticle]:
        total, done = sum(portal.built.count(*self._selection.where()) for portal in self.portals), 0
        for number, portal in enumerate(self.portals):
            for built in portal.built.read(*self._selection.where()):
                article = self._article(number, built)
                done += 1
                self._tell(article.portal, doing, done, total)
                option = self._selection.leaves_out(article)
                if option is None:
                    yield article
                else:
                    self._left_out[option] += 1

    def _article(self, number: int, built: BuiltArticle) -> ExportArticle:
        portal = self.portals[number]
        names = self.pseudonyms.names(built.kept_record, portal.name) if self.pseudonyms is not None else {}
        return ExportArticle(
            portal=portal.name,
            rights=portal.told["licence"] or portal.told["rights"],
            built=built,
            options=self.options,
            analysis=self.analyses.of(built.id) if self.analyses is not None else None,
            listed_by=lambda: tuple(name for (name,) in portal.built.rows(LISTED_BY, (built.id,))),
            gone=self._gone[number].get(built.id),
            change=partial(self.pseudonyms.change, names=names) if self.pseudonyms is not None else None,
            pseudonyms=names,
            annotations=partial(self.layer.passage, portal.name, built.id) if self.layer else None,
        )

    def _tell(self, portal: str, doing: str, done: int, total: int) -> None:
        if not self.wanted():
            raise Stopped
        replace(self.work, portal=portal).step(doing, done, total)

    # -- one of each cluster, and samples: by a list on disk, since it is as long as the corpus
    # -------------------------------

    def _chosen(self) -> Iterator[ExportArticle]:
        with closing(connect("")) as db:
            db.executescript(_CHOSEN)
            db.execute("BEGIN")
            numbers = {portal.name: number for number, portal in enumerate(self.portals)}
            by, dedup = list(map(field_named, self.options.by)), self.options.dedup
            for article in self._filtered("choosing"):
                stratum = orjson.dumps(
                    [next(iter(texts_of(column, article)), None) for column in by]
                ).decode()
                # By this, the articles of a stratum are drawn: it depends on the article's id and the seed,
                # and on nothing else.
                rank = blake2b(f"{self.options.seed}\0{article.id}".encode(), digest_size=8).digest()
                cluster = (
                    self.analyses.cluster(article.id, dedup)
                    if dedup is not None and self.analyses is not None
                    else (None, 0)
                )
                chosen = (numbers[article.portal], article.id, stratum, rank, *cluster)
                db.execute(
                    "INSERT INTO chosen (portal, id, stratum, rank, cluster, nth) VALUES (?, ?, ?, ?, ?, ?)",
                    chosen,
                )
            if dedup is not None:
                self._left_out[f"--dedup {dedup}"] += db.execute(_LEAVE_OUT_REPEATED).rowcount
            if self.options.sample is not None:
                self._draw(db, self.options.sample)
            (total,) = db.execute("SELECT count(*) FROM chosen").fetchone()
            if self.when_drawn is not None:
                self.when_drawn((built for _, built in self._read(db)), total)
            for done, (number, built) in enumerate(self._read(db), start=1):
                self._tell(self.portals[number].name, "", done, total)
                yield self._article(number, built)

    def _draw(self, db: Database, size: int) -> None:
        """Leave out of the list what is not drawn for a sample."""
        strata = dict(db.execute("SELECT stratum, count(*) FROM chosen GROUP BY stratum ORDER BY stratum"))
        given = shares(strata, size, equal=self.options.equal)
        drawn = sum(given.values())
        if drawn < size:
            self._too_few.append(f"--sample {size:,}: there are no more than {drawn:,} to draw from")
        db.execute("CREATE INDEX drawn ON chosen (stratum, rank)")
        for stratum, number in given.items():
            db.execute(_LEAVE_OUT_UNDRAWN, (stratum, stratum, number))
            name = ", ".join("(none)" if value is None else value for value in orjson.loads(stratum)) or "all"
            self._strata.append(Row(name=name, articles=strata[stratum], drawn=number))
        self._left_out["--sample"] += sum(strata.values()) - drawn

    def _read(self, chosen: Database) -> Iterator[tuple[int, BuiltArticle]]:
        """Yield each chosen article with the number of its portal."""
        for number, article in chosen.execute("SELECT portal, id FROM chosen ORDER BY place"):
            built = self.portals[number].built.by_id(article)
            assert built is not None
            yield number, built


def shares(strata: Mapping[str, int], size: int, *, equal: bool) -> dict[str, int]:
    """Return how many articles of each stratum are drawn, given how many there are.

    In proportion, parts of an article go to those whose fraction is largest (as parliaments share out seats).
    Equally, a stratum that is too small gives all it has, and the others share what is missing.
    """
    total = sum(strata.values())
    size = min(size, total)
    if not equal:
        given = {name: size * number // total for name, number in strata.items()}
        by_fraction = sorted(strata, key=lambda name: (-(size * strata[name] % total), -strata[name], name))
        for name in by_fraction[: size - sum(given.values())]:
            given[name] += 1
        return given
    given = {}
    waiting = sorted(
        strata, key=lambda name: (strata[name], name)
    )  # the smallest first: what they lack is known to the others
    for number, name in enumerate(waiting):
        given[name] = min(strata[name], size // (len(waiting) - number))
        size -= given[name]
    return given
