"""Sealed WARC files brought to an object store (or any other folder), each verified by its digest there, and the ledger with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import file_digest
from pathlib import Path
from threading import Event as Flag
from typing import Protocol

from webarticlecurator.amounts import amount
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.working_copy import snapshot
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.storage.folders import Changed, Folder, State, StoredFile, folder_at
from webarticlecurator.storage.places import check_named, is_url, open_file, url_of
from webarticlecurator.warc.shipped import NOTES, Shipped, ShippedFile, shipped
from webarticlecurator.warc.store import OPEN, warc_files

_LEDGER = "ledger.sqlite"


class Show(Protocol):
    """Takes what is being done, how many bytes are done, and how many there are."""

    def __call__(self, doing: str, done: int, total: int) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What a push did."""

    to: str
    sent: int = 0
    bytes: int = 0
    """Of the files that were sent."""
    there: int = 0
    """Files that had been sent and verified before."""
    removed: int = 0
    """Files that lie there alone now."""
    still_open: tuple[str, ...] = ()
    """Files that a crawl left open: the next one completes them."""
    ledger: bool = False
    """The ledger there is that of now."""
    finished: bool = True


def push(corpus: Corpus, to: Path, *, remove: bool, stop: Flag, show: Show) -> Pushed:
    """Bring all sealed files to a place; those that are there already are not sent again. Raises CorpusError.

    No crawl may write meanwhile. What was verified is noted at once, so a push that is interrupted goes on where it was.
    """
    if corpus.is_remote:
        raise UsageError(f"{corpus.named} is in an object store already: push is for a corpus on this machine.")
    check_named(to)
    if not is_url(to):
        to = to.resolve()
    if to == corpus.folder.resolve():
        raise UsageError(f"{to} is the corpus itself: name another place with --to.")
    with locked(corpus.crawl_lock, "crawl"):
        return _Push(corpus, to, folder_at(to), stop, show).run(remove)


@dataclass(slots=True)
class _Push:
    corpus: Corpus
    to: Path
    store: Folder
    stop: Flag
    show: Show

    def run(self, remove: bool) -> Pushed:
        noted = self._noted()
        here = [path for path in warc_files(self.corpus.warc) if path.parent == self.corpus.warc]
        sealed = [path for path in here if not path.name.endswith(OPEN)]
        self._refuse_strangers([path.name for path in sealed])
        self._refuse_itself(sealed)
        pushed = Pushed(to=url_of(self.to), still_open=tuple(path.name for path in here if path.name.endswith(OPEN)))
        noted, pushed = self._send(sealed, noted, pushed)
        if not pushed.finished:
            return pushed
        if not pushed.still_open:  # else it would name what is not there, and nothing could be built
            self._put_ledger()
        removed = self._remove(sealed, noted) if remove else 0
        return replace(pushed, ledger=not pushed.still_open, removed=removed)

    def _noted(self) -> Shipped:
        """What was brought there before. Raises UsageError where files lie at another place alone."""
        noted, to = shipped(self.corpus.warc), str(self.to)
        if noted.to in ("", to):
            return replace(noted, to=to)
        alone = [name for name in noted.files if not (self.corpus.warc / name).exists()]
        if alone:
            raise UsageError(
                f"{amount(len(alone), 'file of this corpus lies', 'files of this corpus lie')} at"
                f" {url_of(Path(noted.to))} alone, where they were brought before."
                f" Push to the same place: --to {url_of(Path(noted.to))}"
            )
        return Shipped(to=to)

    def _refuse_strangers(self, own: Sequence[str]) -> None:
        """Files there that this corpus knows nothing of are those of another crawl: its ledger would be overwritten."""
        with Ledger.reading(self.corpus.ledger) as ledger:
            known = {name for (name,) in ledger.rows("SELECT name FROM files")} | set(own)
        there = [file.name.removeprefix("warc/") for file in self.store.files("warc")]
        strangers = [name for name in (*there, *shipped(self.to / "warc").files) if name not in {*known, NOTES}]
        if strangers:
            raise CorpusError(
                f"{url_of(self.to)} holds {amount(len(strangers), 'file')} that this corpus does not know, such as {strangers[0]}:"
                " it is another corpus, or another machine has crawled on. Nothing was sent; name another place with --to."
            )

    def _refuse_itself(self, files: Sequence[Path]) -> None:
        """What is reached by two names would be taken for a copy."""
        if any((self.to / _name(path)).exists() and (self.to / _name(path)).samefile(path) for path in files if not is_url(self.to)):
            raise UsageError(f"{self.to / 'warc'} holds the very files of this corpus, not copies of them: name another place with --to.")

    def _send(self, files: Sequence[Path], noted: Shipped, pushed: Pushed) -> tuple[Shipped, Pushed]:
        sizes = [path.stat().st_size for path in files]
        for number, path in enumerate(files):
            if self.stop.is_set():
                return noted, replace(pushed, finished=False)
            if self._verified(path, sizes[number], noted) is not None:
                pushed = replace(pushed, there=pushed.there + 1)
                continue
            file = self._sent(path, sizes[number], partial(self.show, done=sum(sizes[:number]), total=sum(sizes)))
            noted = replace(noted, files={**noted.files, path.name: file})
            noted.write(self.corpus.warc)
            pushed = replace(pushed, sent=pushed.sent + 1, bytes=pushed.bytes + file.size)
        return noted, pushed

    def _verified(self, path: Path, size: int, noted: Shipped) -> ShippedFile | None:
        """What was noted of a file that was verified before, and has not changed since, here or there."""
        file, there = noted.files.get(path.name), self.store.facts(_name(path))
        same = file is not None and there is not None and (file.size, file.version) == (size, there.version) == (there.size, there.version)
        return file if same else None

    def _sent(self, path: Path, size: int, show: Callable[[str], None]) -> ShippedFile:
        """Send one file, unless it lies there already, and read it back. Raises CorpusError."""
        show(f"reading {path.name}")
        digest = _digest(path)
        there = self.store.facts(_name(path))
        if there is None:
            show(f"sending {path.name}")
            there = self._put(_name(path), path, State.ABSENT)
        show(f"verifying {path.name}")
        self._check_same(path, (size, digest), (there.size, _digest(self.to / "warc" / path.name)))
        return ShippedFile(size=size, sha256=digest, version=there.version)

    def _check_same(self, path: Path, here: tuple[int, str], there: tuple[int, str]) -> None:
        """By size and digest. Raises CorpusError."""
        if here != there:
            raise CorpusError(
                f"{url_of(self.to)}/{_name(path)} is not the file that lies here: its digest is {there[1][:16]}..., not {here[1][:16]}...."
                f" `curator warc check {path}` says whether the one here is sound; then take the other away, and run the command again."
                f" {path.name} was not removed here."
            )

    def _put_ledger(self) -> None:
        """The ledger as it is now, in one piece, over what was there."""
        there = self.store.facts(_LEDGER)
        with snapshot(self.corpus.ledger) as copy:
            self._put(_LEDGER, copy, there.version if there is not None else State.ABSENT)

    def _put(self, name: str, file: Path, replaces: str | State) -> StoredFile:
        try:
            return self.store.put(name, file, replaces=replaces)
        except Changed as error:
            raise CorpusError(f"{error} Is another push of this corpus running? Run the command again when it has ended.") from None

    def _remove(self, files: Sequence[Path], noted: Shipped) -> int:
        """Take away here what was verified, if it still lies there, and here, as it was. Raises CorpusError."""
        removed = 0
        for path in files:
            size = path.stat().st_size
            file = self._verified(path, size, noted)
            if file is not None:
                self._check_same(path, (size, _digest(path)), (file.size, file.sha256))
                path.unlink()
                removed += 1
        return removed


def _name(path: Path) -> str:
    return f"warc/{path.name}"


def _digest(place: Path) -> str:
    with open_file(place) as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
