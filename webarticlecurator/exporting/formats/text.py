"""Plain text: a passage a line. In one file, an empty line stands between two articles and nowhere else; or a file an article."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.formats.article_files import article_files
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo


class PlainText:
    """UTF-8, lines end in a line feed."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self._files = article_files(output, options, corpora, ".txt")
        self._main = None if output.is_folder else output.main
        self._between = b""

    def write(self, article: ExportArticle) -> None:
        content = text_of(article).encode()
        if self._files is not None:
            self._files.write(article, content)
        elif self._main is not None and content:
            self._main.write(self._between + content)
            self._between = b"\n"

    def finish(self) -> None:
        if self._files is not None:
            self._files.finish()


def text_of(article: ExportArticle) -> str:
    """The lines of an article; none of them is empty."""
    lines = plain("\n".join([one.text for one in article.passages])).replace("\t", " ").split("\n")
    return "".join([f"{shown}\n" for line in lines if (shown := line.strip())])
