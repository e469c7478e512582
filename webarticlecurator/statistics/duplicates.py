"""Articles with the same text, or nearly the same, by what the analysis found."""

from __future__ import annotations

from collections.abc import Iterable

from webarticlecurator.analysis.analyses import Analyses
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.model.analysis import Dedup
from webarticlecurator.model.statistics import Cluster, Duplicates, Example
from webarticlecurator.statistics.facts import LONGEST

_BIGGEST = 10
_EXAMPLES = 5
_TOLD = "SELECT url, id, substr(coalesce(published, ''), 1, 10) || ' ' || coalesce(headline, '') FROM articles WHERE id = ?"
_KINDS: tuple[Dedup, ...] = ("exact", "near")


def duplicates(analyses: Analyses, built: BuiltArticles) -> tuple[Duplicates, ...]:
    """Exact ones, then near ones."""
    return tuple(_of_kind(kind, analyses, built) for kind in _KINDS)


def _of_kind(kind: Dedup, analyses: Analyses, built: BuiltArticles) -> Duplicates:
    clusters, articles = analyses.clusters(kind)
    biggest = tuple(Cluster(articles=size, examples=_examples(built, ids)) for size, ids in analyses.largest(kind, _BIGGEST, _EXAMPLES))
    return Duplicates(kind=kind, clusters=clusters, articles=articles, surplus=articles - clusters, biggest=biggest)


def _examples(built: BuiltArticles, ids: Iterable[str]) -> tuple[Example, ...]:
    told = (row for one in ids for row in built.rows(_TOLD, (one,)))
    return tuple(Example(url=url, id=id, text=text.strip()[:LONGEST]) for url, id, text in told)
