"""Sealed WARC files brought to an object store (or any other folder), each found whole there before it is noted, or removed here."""

from __future__ import annotations

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


def push(portal: Portal, to: Path, *, corpus: Path | None, remove: bool, progress: Progress, stop: Flag) -> Row:
    """Bring all sealed files of a corpus to a place; those that are there already are not sent again. Raises CorpusError.

    No crawl may write meanwhile. What was verified is noted at once, so a push that is interrupted goes on where it was. Gives how many
    were `sent` (with their `bytes`), were `there` before, and were `removed` here; and those that a crawl left open, for the next one.
    """
    folder = crawled_corpus(portal, corpus)
    places.check_named(to)
    to = (to if places.is_url(to) else to.resolve()) / "warc"
    work = Work(portal.name, "push", progress, stop, unit="MB")
    result = Row(to=places.url_of(to.parent), sent=0, bytes=0, there=0, removed=0, still_open=(), finished=True)
    with locked(folder.crawl_lock, "crawl"):
        here = [path for path in warc_files(folder.warc) if path.parent == folder.warc]
        sealed = [path for path in here if not path.name.endswith(OPEN)]
        if not places.is_url(to) and any((to / path.name).exists() and (to / path.name).samefile(path) for path in sealed):
            raise UsageError(f"{to} holds the very files of this corpus, not copies of them: name another place with --to.")
        total, done = sum(path.stat().st_size for path in sealed), 0
        for path in sealed:
            if work.stopped:
                return Row(result, finished=False)
            place, size = to / path.name, path.stat().st_size
            noted, is_file = places.pushed_files(folder.warc).get(path.name), places.is_file(place)
            is_there = is_file and noted is not None and (noted.place, noted.size, places.file_size(place)) == (place, size, size)
            if not is_file:
                work.show(f"sending {path.name}", done // _MB, total // _MB)
                places.put(path, place)
            if remove or not is_there:  # it may have changed since it was found whole
                work.show(f"verifying {path.name}", done // _MB, total // _MB)
                verified = _verified(path, place)
            if is_there:
                result["there"] += 1
            else:
                places.note_pushed(folder.warc, verified)
                result |= {"sent": result.sent + 1, "bytes": result.bytes + size}
            done += size
        for path in sealed if remove else ():
            path.unlink()
            result["removed"] += 1
        return Row(result, still_open=tuple(path.name for path in here if path.name.endswith(OPEN)))


def _verified(path: Path, place: Path) -> places.PushedFile:
    """What lies there, which is what lies here, by size and digest. Raises CorpusError."""
    digest, there = _digest(path), places.PushedFile(_digest(place), places.file_size(place), place)
    if (path.stat().st_size, digest) != (there.size, there.sha256):
        what_to_do = f"look whether {path} is sound, which was not removed; then take the other away, and run the command again"
        raise CorpusError(f"{places.url_of(place)} is not the file that lies here: {what_to_do}.")
    return there


def _digest(place: Path) -> str:
    with places.open_file(place) as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
