"""CDXJ: where the captures of the articles lie in the WARC files, for programs that replay or search those."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from webarticlecurator.amounts import amount
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.model.capture import Location
from webarticlecurator.warc.cdxj import SortedLines, cdxj_line
from webarticlecurator.warc.foreign import read_any_records
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.warc.records import Damage, Record
from webarticlecurator.warc.store import warc_files

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
        self._opened = ExitStack()
        self._readers = {portal.name: self._opened.enter_context(CaptureReader(portal.corpus / "warc")) for portal in corpora}
        self._folders = [portal.corpus / "warc" for portal in corpora]
        self._lines = SortedLines()
        self._unread = 0
        self._told: dict[str, None] = {}

    def write(self, article: ExportArticle) -> None:
        if self._everything:
            return
        before = self._unread
        for capture in (*article.built.record["captures"], *article.built.versions):
            place = Location(file=capture["file"], offset=capture["offset"], length=capture["length"])
            try:
                self._add(self._readers[article.portal].record(place), place.file)
            except CorpusError as error:
                self._note(str(error))
        self._output.failed += self._unread > before

    def _note(self, unreadable: str) -> None:
        self._unread += 1
        if len(self._told) < _TOLD:
            self._told[unreadable] = None

    def _add(self, record: Record, file: str) -> None:
        if line := cdxj_line(record, file):
            self._lines.add(line)

    def finish(self) -> None:
        self._opened.close()
        for record, file in self._stored() if self._everything else ():
            self._add(record, file)
        for line in self._lines:
            self._file.write(line)
        if self._unread:
            self._output.notes.append(
                f"{amount(self._unread, 'record')} cannot be read,"
                f" and {'has' if self._unread == 1 else 'have'} no line: {' '.join(self._told)}"
            )

    def _stored(self) -> Iterator[tuple[Record, str]]:
        def note(damage: Damage) -> None:
            self._note(str(damage))

        for folder in self._folders:
            for path in warc_files(folder, arc=True):
                for record in read_any_records(path, on_damage=note):
                    yield record, path.name.removesuffix(".open")
