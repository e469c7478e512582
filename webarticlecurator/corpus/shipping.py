"""Sealed WARC files brought to an object store (or any other folder), each found whole there before it is
noted, or removed here."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import crawled_corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.databases import Row
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.storage import places
from webarticlecurator.storage.places import OPEN
from webarticlecurator.warc.store import warc_files

_MB = 1_000_000


def push(
    portal: Portal, to: Path, *, corpus: Path | None, remove: bool, progress: Progress, stop: Flag
) -> Row:
    """Bring all sealed files of a corpus to a place; those that are there already are not sent again. Raises
    CorpusError.

    No crawl may write meanwhile. What was verified is noted at once, so a push that is interrupted goes on
    where it was. Gives how many were `sent` (with their `bytes`), were `there` before, and were `removed`
    here; and those that a crawl left open, for the next one.
    """
    folder = crawled_corpus(portal, corpus)
    places.check_named(to)
    to = (to if places.is_url(to) else to.resolve()) / "warc"
    work = Work(portal.name, "push", progress, stop, unit="MB")
    with locked(folder.crawl_lock, "crawl"):
        here = [path for path in warc_files(folder.warc) if path.parent == folder.warc]
        sealed = [path for path in here if not path.name.endswith(OPEN)]
        if not places.is_url(to):
            _refuse_same_files(sealed, to)
        shipment = _Shipment(folder.warc, sealed, to, work, verify_all=remove)
        for path in sealed:
            if work.stopped:
                return Row(shipment.result, finished=False)
            shipment.bring(path)
        if remove:
            for path in sealed:
                path.unlink()
            shipment.result["removed"] = len(sealed)
        return Row(shipment.result, still_open=tuple(path.name for path in here if path not in sealed))


def _refuse_same_files(sealed: Sequence[Path], to: Path) -> None:
    """Raise UsageError where the place holds the files themselves, by a link."""
    for path in sealed:
        if (to / path.name).exists() and (to / path.name).samefile(path):
            raise UsageError(
                f"{to} holds the very files of this corpus, not copies of them: name another place with --to."
            )


class _Shipment:
    """Sealed files on their way to a place."""

    def __init__(self, warc: Path, sealed: Sequence[Path], to: Path, work: Work, *, verify_all: bool) -> None:
        self._warc, self._to, self._work, self._verify_all = warc, to, work, verify_all
        self._total, self._done = sum(path.stat().st_size for path in sealed), 0
        self.result = Row(
            to=places.url_of(to.parent), sent=0, bytes=0, there=0, removed=0, still_open=(), finished=True
        )

    def bring(self, path: Path) -> None:
        """Send one file unless it is there, verify it, and note it. Raises CorpusError."""
        place, size = self._to / path.name, path.stat().st_size
        noted, is_file = places.pushed_files(self._warc).get(path.name), places.is_file(place)
        is_noted = noted is not None and (noted.place, noted.size) == (place, size)
        is_there = is_file and is_noted and places.file_size(place) == size
        if not is_file:
            self._show(f"sending {path.name}")
            places.put(path, place)
        if not is_there:
            places.note_pushed(self._warc, self._verified(path, place))
            self.result |= {"sent": self.result.sent + 1, "bytes": self.result.bytes + size}
        else:
            if self._verify_all:  # it may have changed since it was found whole
                self._verified(path, place)
            self.result["there"] += 1
        self._done += size

    def _show(self, doing: str) -> None:
        self._work.show(doing, self._done // _MB, self._total // _MB)

    def _verified(self, path: Path, place: Path) -> places.PushedFile:
        self._show(f"verifying {path.name}")
        return _verified(path, place)


def _verified(path: Path, place: Path) -> places.PushedFile:
    """Return what lies there, which is what lies here, by size and digest. Raises CorpusError."""
    digest, there = _digest(path), places.PushedFile(_digest(place), places.file_size(place), place)
    if (path.stat().st_size, digest) != (there.size, there.sha256):
        what_to_do = (
            f"look whether {path} is sound, which was not removed; then take the other away, and run the "
            "command again"
        )
        raise CorpusError(f"{places.url_of(place)} is not the file that lies here: {what_to_do}.")
    return there


def _digest(place: Path) -> str:
    with places.open_file(place) as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
