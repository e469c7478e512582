"""One export: the articles that were chosen, one after the other, to one writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.exporting.articles import ExportArticle, count_left_out
from webarticlecurator.exporting.formats import Writer
from webarticlecurator.exporting.manifest import ExportCounts
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.portals import PortalInfo


@dataclass(frozen=True, slots=True)
class ExportedPortal:
    """A portal of an export, with what is built of it."""

    info: PortalInfo
    articles: BuiltArticles


class Exporter:
    """Goes through the articles of all portals once."""

    def __init__(self, options: ExportOptions, portals: Sequence[ExportedPortal], stopped: Callable[[], bool]) -> None:
        self._options = options
        self._portals = portals
        self._stopped = stopped
        self.given = 0
        self.parts: Counter[str] = Counter()

    def write(self, writer: Writer, show: Callable[[str, int], None]) -> None:
        """Give every chosen article to the writer."""
        for article in self._chosen():
            if self._stopped():
                return
            writer.write(article)
            self.given += 1
            count_left_out(self.parts, article)
            show(article.portal, self.given)
        writer.finish()

    def counts(self) -> ExportCounts:
        return ExportCounts(articles=self.given, of=sum(one.articles.count() for one in self._portals), parts=dict(self.parts))

    def _chosen(self) -> Iterator[ExportArticle]:
        for portal in self._portals:
            for built in portal.articles.read("a.outcome = 'article'"):
                yield ExportArticle(portal=portal.info.name, built=built, parts=self._options.parts, headline=self._options.headline)
