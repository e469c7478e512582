"""CDXJ, by cdxj-indexer: where the captures of the articles lie in the WARC files, for programs that replay or search those."""

from __future__ import annotations

from contextlib import closing
from io import BytesIO, StringIO

from webarticlecurator.amounts import amount
from webarticlecurator.databases import connect
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.output import Output
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.store import find_file


def write_cdxj(export: Exporter, output: Output) -> None:
    """A line for every capture of the articles, other versions too."""
    from cdxj_indexer.main import CDXJIndexer

    folders = {portal.name: portal.corpus.warc for portal in export.portals}
    unread: list[str] = []
    with closing(connect("")) as db:  # in a temporary file, which sorts them, so that memory does not grow
        db.executescript("CREATE TABLE lines (line BLOB); BEGIN")
        for article in export.articles():
            before = len(unread)
            for capture in (*article.built.record["captures"], *article.built.versions):
                text = StringIO()
                try:
                    with open_file(find_file(folders[article.portal], capture["file"])) as file:
                        file.seek(capture["offset"])
                        record = BytesIO(file.read(capture["length"]))
                    CDXJIndexer(None, [], records="response,revisit,resource").process_one(record, text, capture["file"])
                except Exception as error:  # warcio does not say which exceptions a damaged file leads to
                    unread.append(f"{capture['file']}: {error}")
                # the one record that is given begins at 0; in its file it stands elsewhere
                lines = (line.replace('"offset": "0"', f'"offset": "{capture["offset"]}"', 1) for line in text.getvalue().splitlines(True))
                db.executemany("INSERT INTO lines VALUES (?)", ((line.encode("utf-8", "replace"),) for line in lines))
            output.failed += len(unread) > before
        for (line,) in db.execute("SELECT DISTINCT line FROM lines ORDER BY line"):
            output.main.write(line)
    if unread:
        have = "has" if len(unread) == 1 else "have"
        reasons = " ".join(dict.fromkeys(unread[:3]))
        output.notes.append(f"{amount(len(unread), 'record')} cannot be read, and {have} no line: {reasons}")
