"""JSON Lines: the object of `curator try --json`, with id and captures, one an article."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo


class JsonLines:
    """Passes on the line that the build kept, wherever nothing in it changes."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:  # noqa: ARG002
        self._file = output.main

    def write(self, article: ExportArticle) -> None:
        self._file.write(article.line)
        self._file.write(b"\n")

    def finish(self) -> None:
        pass
