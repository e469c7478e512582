"""CDXJ, by cdxj-indexer: where the captures of the articles lie in the WARC files, for programs that replay or search those."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from cdxj_indexer.main import CDXJIndexer

from webarticlecurator.amounts import amount
from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.store import find_file, warc_files

EVERYTHING = "everything"
"""The option of the format."""
_TOLD = 3
"""Reasons why something cannot be read that are named."""


class Cdxj:
    """A line for every capture of the articles, other versions too; or, by an option, for all that the WARC files hold."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        self._output = output
        self._file = output.main
        self._everything = bool(options.format_options.get(EVERYTHING))
        self._folders = {portal.name: portal.corpus / "warc" for portal in corpora}
        self._lines = connect("")  # in a temporary file, which sorts them, so that memory does not grow
        self._lines.executescript("CREATE TABLE lines (line BLOB); BEGIN")
        self._unread: list[str] = []

    def write(self, article: ExportArticle) -> None:
        if self._everything:
            return
        before = len(self._unread)
        for capture in (*article.built.record["captures"], *article.built.versions):
            try:
                with open_file(find_file(self._folders[article.portal], capture["file"])) as file:
                    file.seek(capture["offset"])
                    member = BytesIO(file.read(capture["length"]))
            except (CorpusError, OSError) as error:
                self._unread.append(str(error))
            else:
                self._index(member, Path(capture["file"]), capture["offset"])
        self._output.failed += len(self._unread) > before

    def _index(self, file: Any, path: Path, offset: int = 0) -> None:
        """The lines of a file, or of the one record of it that stands at an offset and is given alone."""
        text = StringIO()
        try:
            CDXJIndexer(None, [], records="response,revisit,resource").process_one(file, text, path.name.removesuffix(".open"))
        except Exception as error:  # warcio does not say which exceptions a damaged file leads to
            self._unread.append(f"{path}: {error}")
        text.seek(0)
        lines = (line for line in text if '"url": "http' in line)  # portal files are no captures
        placed = (line.replace('"offset": "0"', f'"offset": "{offset}"', 1) if offset else line for line in lines)
        self._lines.executemany("INSERT INTO lines VALUES (?)", ((line.encode("utf-8", "replace"),) for line in placed))

    def finish(self) -> None:
        for folder in self._folders.values() if self._everything else ():
            for path in warc_files(folder):
                with open_file(path) as file:
                    self._index(file, path)
        with closing(self._lines):
            for (line,) in self._lines.execute("SELECT DISTINCT line FROM lines ORDER BY line"):
                self._file.write(line)
        if self._unread:
            have = "has" if len(self._unread) == 1 else "have"
            told = " ".join(dict.fromkeys(self._unread[:_TOLD]))
            self._output.notes.append(f"{amount(len(self._unread), 'record')} cannot be read, and {have} no line: {told}")
