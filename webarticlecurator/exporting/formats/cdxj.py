"""CDXJ, by cdxj-indexer: where the captures of the articles lie in the WARC files, for programs that replay or search those."""

from __future__ import annotations

from contextlib import closing
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from cdxj_indexer.main import CDXJIndexer

from webarticlecurator.amounts import amount
from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.output import Output
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.store import find_file, warc_files

_TOLD = 3
"""Reasons why something cannot be read that are named."""


def write(export: Exporter, output: Output) -> None:
    """A line for every capture of the articles, other versions too; or, by an option, for all that the WARC files hold."""
    folders = {portal.name: portal.corpus / "warc" for portal in export.portals}
    unread: list[str] = []
    with closing(connect("")) as db:  # in a temporary file, which sorts them, so that memory does not grow
        db.executescript("CREATE TABLE lines (line BLOB); BEGIN")

        def index(file: Any, path: Path, offset: int = 0) -> None:
            """The lines of a file, or of the one record of it that stands at an offset and is given alone."""
            text = StringIO()
            try:
                CDXJIndexer(None, [], records="response,revisit,resource").process_one(file, text, path.name.removesuffix(".open"))
            except Exception as error:  # warcio does not say which exceptions a damaged file leads to
                unread.append(f"{path}: {error}")
            text.seek(0)
            lines = (line for line in text if '"url": "http' in line)  # portal files are no captures
            placed = (line.replace('"offset": "0"', f'"offset": "{offset}"', 1) if offset else line for line in lines)
            db.executemany("INSERT INTO lines VALUES (?)", ((line.encode("utf-8", "replace"),) for line in placed))

        for article in export.articles():
            before = len(unread)
            for capture in () if export.options.everything else (*article.built.record["captures"], *article.built.versions):
                try:
                    with open_file(find_file(folders[article.portal], capture["file"])) as file:
                        file.seek(capture["offset"])
                        member = BytesIO(file.read(capture["length"]))
                except (CorpusError, OSError) as error:
                    unread.append(str(error))
                else:
                    index(member, Path(capture["file"]), capture["offset"])
            output.failed += len(unread) > before
        for folder in folders.values() if export.options.everything else ():
            for path in warc_files(folder):
                with open_file(path) as file:
                    index(file, path)
        for (line,) in db.execute("SELECT DISTINCT line FROM lines ORDER BY line"):
            output.main.write(line)
    if unread:
        have = "has" if len(unread) == 1 else "have"
        reasons = " ".join(dict.fromkeys(unread[:_TOLD]))
        output.notes.append(f"{amount(len(unread), 'record')} cannot be read, and {have} no line: {reasons}")
