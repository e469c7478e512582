"""A build that writes nothing: what a change of the rules would do to the documents, counted over the whole corpus."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace

from webarticlecurator.building.article_builder import ArticleBuilder
from webarticlecurator.building.builder import INTERRUPTED, Builder
from webarticlecurator.building.database import BuildDatabase, KnownArticle
from webarticlecurator.building.options import Change, Comparison, FieldChange
from webarticlecurator.building.results import BuildResult, BuildTask
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.urls import split

_LARGEST = 10
_NOTHING_TOLD = (0, False, 0)
"""A change of nothing but markup, or of the pages that a document was made of: shown where there is no other."""


def compare(builder: Builder) -> Comparison:
    """What a build by these rules would do to the documents that are there."""
    builder.job = replace(builder.job, only_compare=True)
    job = builder.job
    with (
        BuildDatabase("") as index_pages,  # a temporary file
        closing(builder.sources(index_pages)) as sources,
        BuildDatabase.of_earlier_build(job.database) as database,
    ):
        builder.check(sources, database)
        builder.use_portal_values(database)
        changes = _Changes(database.unknown_tags())
        for batch in builder.results(builder.tasks(sources, database)):
            for result in batch:
                changes.add(result, database.known(result.id))
        worker = builder.job.worker()
        told = [one for one in changes.largest if one[0] != _NOTHING_TOLD] or changes.largest
        ordered = sorted(told, key=lambda one: (-one[0][0], not one[0][1], -one[0][2], *one[1:3]))
        largest = tuple(_change(result, sources, database, worker) for *_, result in ordered)
    return Comparison(
        portal=job.portal.name,
        articles=builder.counts.done,
        **changes.numbers,
        fields={name: FieldChange(**counted) for name, counted in sorted(changes.fields.items())},
        outcomes=dict(changes.outcomes.most_common()),
        undecided=tuple(sorted(changes.tags)),
        largest=largest,
        incomplete=INTERRUPTED if builder.stop.is_set() else None,
    )


def _change(result: BuildResult, sources: StoredArticles, database: BuildDatabase, worker: ArticleBuilder) -> Change:
    known = database.known(result.id)
    path = known.path if known is not None else None
    task = BuildTask(source=sources.of(result.key, result.identity), captures=result.captures, path=path)
    return Change(id=result.id, url=result.url, path=path, gained=result.gained, lost=result.lost, diff=tuple(worker.difference(task)))


@dataclass(slots=True)
class _Changes:
    """What is counted while articles are compared."""

    known_tags: frozenset[str]
    numbers: Counter[str] = field(default_factory=Counter)
    """Under the names that they have in a `Comparison`."""
    fields: dict[str, Counter[str]] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    tags: set[str] = field(default_factory=set)
    largest: list[tuple[tuple[int, bool, int], str, str, BuildResult]] = field(default_factory=list)
    """A heap: the smallest of them first, by words, and by whether a field of the metadata changes; those of a new document last.

    Of equals the path decides: an id hangs on the port of the portal, too.
    """

    def add(self, result: BuildResult, known: KnownArticle | None) -> None:
        """Count one article that was built anew."""
        self.tags.update(tag for tag in result.unknown_tags if tag not in self.known_tags)
        if known is not None and known.outcome != result.outcome:
            self.outcomes[f"{known.outcome.value} -> {result.outcome.value}"] += 1
        if not result.written:
            return
        fields_change = False
        if known is None or known.path is None:
            self.numbers["new"] += 1
        elif result.removed:
            self.numbers["gone"] += 1
        else:
            self.numbers["changed"] += 1
            self.numbers["same_words"] += not (result.gained or result.lost)
            fields_change = self._compare_fields(known.fields, result.fields)
        self.numbers["words_gained"] += result.gained
        self.numbers["words_lost"] += result.lost
        words = result.gained + result.lost
        is_new = known is None or known.path is None
        heapq.heappush(self.largest, ((0 if is_new else words, fields_change, words), split(result.url).path, result.id, result))
        if len(self.largest) > _LARGEST:
            heapq.heappop(self.largest)

    def _compare_fields(self, old: Mapping[str, str], new: Mapping[str, str]) -> bool:
        for name in old.keys() | new.keys():
            before, after = old.get(name), new.get(name)
            if before != after:
                what = "gained" if before is None else "lost" if after is None else "changed"
                self.fields.setdefault(name, Counter())[what] += 1
        return old != new
