"""One writer of a corpus at a time; where the corpus lies in an object store, what was written is put back there at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.store_lock import locked_in_store
from webarticlecurator.corpus.working_copy import WorkingCopy
from webarticlecurator.errors import CorpusError


@contextmanager
def written(corpus: Corpus, lock: Path, what: str, *files: Path, say: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold a lock of the corpus while the block runs, which writes these files. Raises CorpusBusy.

    With `say` the lock is held in an object store, too, so that other machines are told before their work; what is said is that the lock
    of somebody else is watched. The files are fetched from there before, and put back when the block has ended; where it fails they stay
    here, and the next run on this machine goes on with them. Raises CorpusError where somebody else has written them meanwhile.
    """
    with locked(lock, what):
        if not corpus.is_remote:
            yield
            return
        names = [file.name for file in files]
        copy = WorkingCopy(corpus.place, corpus.folder)
        with locked_in_store(corpus.place, lock.name, what, say=say) if say is not None else nullcontext():
            copy.fetch()
            yield
            copy.put_back(names)


@contextmanager
def kept(corpus: Corpus, *files: Path) -> Iterator[None]:
    """Files that only save time: put back at the end as `written` does, but where somebody else wrote them theirs count."""
    copy = WorkingCopy(corpus.place, corpus.folder)
    names = [file.name for file in files]
    if corpus.is_remote:
        copy.fetch(names)
    yield
    if corpus.is_remote:
        with suppress(CorpusError):
            copy.put_back(names)
